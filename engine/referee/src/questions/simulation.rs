//! Series of games between programs: how often each seat and each player wins.
//!
//! A series is played in pieces, each some games that follow each other. This module must not play:
//! the engine does.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::balance::{Counted, Games, LONGEST, Series, play_all};
use umpire_engine::analysis::search::Spread;
use umpire_engine::analysis::selfplay::Player;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::games;
use umpire_engine::record::{Fault, FaultCode};

use super::{MOST_SIMULATIONS, read, seed_of, within_bounds};
use crate::json;
use crate::problem::{Problem, shorten};

/// The maximum number of games of one request.
const MOST_GAMES: u32 = 10_000;

/// The most pieces of a series.
const MOST_PIECES: u32 = 500;

/// A series of games between programs.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct SimulationRequest<'a> {
    /// The game.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::GameName))]
    game: Cow<'a, str>,
    /// The options of the games; the game's defaults if omitted.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Options, required = false))]
    options: Option<&'a RawValue>,
    /// The players by seat: `random` (the default), `greedy` or `search:N`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required = false, value_type = BTreeMap<String, crate::schemas::SimulatedPlayer>))]
    players: BTreeMap<String, String>,
    /// Number of games.
    #[serde(default = "hundred")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 10000, default = 100))]
    games: u32,
    /// The random seed of the series.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
    /// The number of actions after which a game is stopped; it then counts for the seats in first place.
    #[serde(default = "longest")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 5000, default = 5000))]
    longest: u32,
    /// Whether the players change seats: in game n, each player sits n seats further on.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = false))]
    alternate: bool,
    /// Whether results with luck removed are wanted, too.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = false))]
    luck: bool,
    /// Whether to replay the series, with the same deals, under every other edition and reading that the options allow.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = false))]
    rulings: bool,
}

fn longest() -> u32 {
    *LONGEST.end()
}

fn hundred() -> u32 {
    100
}

/// The player of each seat.
fn players(game: &dyn AnyGame, named: &BTreeMap<String, String>) -> Result<Vec<Player>, Problem> {
    let meta = game.meta();
    let mut players = vec![Player::Random; meta.seats.len()];
    for (name, player) in named {
        let pointer = format!("/players/{}", umpire_engine::wire::escaped(name));
        let wrong = |detail: String| Fault::new(FaultCode::BadRecord, pointer.clone(), detail);
        let seat = meta.seat(name).ok_or_else(|| {
            wrong(format!("{:?} is no seat; {} are", shorten(name), meta.seats.join(", ")))
        })?;
        let player: Player = Player::read(player, MOST_SIMULATIONS).map_err(wrong)?;
        players[seat.index()] = player;
    }
    Ok(players)
}

/// A series that is ready to be played.
pub struct Prepared {
    /// The work.
    pub work: SeriesOfGames,
    /// The id of the game.
    pub game: &'static str,
    /// The seed of the whole.
    pub seed: String,
    /// Games times simulations per action.
    pub cost: u32,
    /// What the series is made from: the same parts, the same result.
    pub parts: [String; 6],
}

/// Prepares the series of a request.
///
/// # Errors
/// The request is invalid, or the game cannot be played like that.
pub fn prepare(text: &[u8]) -> Result<Prepared, Problem> {
    let request: SimulationRequest<'_> = read(text)?;
    within_bounds("games", request.games, MOST_GAMES)?;
    within_bounds("longest", request.longest, *LONGEST.end())?;
    let game = games::find(&request.game).ok_or_else(|| {
        let detail = format!("unknown game {:?}", shorten(&request.game));
        Fault::new(FaultCode::UnknownGame, "/game", detail)
    })?;
    let players = players(game, &request.players)?;
    let names: Vec<String> = players.iter().map(Player::to_string).collect();
    let simulations = players.iter().map(|player| match player {
        Player::Search(simulations) => *simulations,
        Player::Random | Player::Greedy => 1,
    });
    let simulations = simulations.max().unwrap_or(1);
    let seed = seed_of(request.seed.as_deref())?;
    let mut flags = format!("{} {} {}", request.longest, request.alternate, request.luck);
    if request.rulings {
        flags.push_str(" rulings");
    }
    let options = request.options.map_or("", RawValue::get).to_owned();
    let meta = game.meta();
    let parts = [
        meta.ruleset(),
        options,
        names.join(" "),
        request.games.to_string(),
        seed.to_owned(),
        flags,
    ];
    let games = game.series(Series {
        options: request.options.map(RawValue::to_owned),
        players,
        alternate: request.alternate,
        games: request.games,
        seed: seed.to_owned(),
        longest: request.longest,
        luck: request.luck,
        rulings: request.rulings,
    })?;
    let cost = games.games().saturating_mul(simulations);
    Ok(Prepared { work: SeriesOfGames(games), game: meta.id, seed: seed.to_owned(), cost, parts })
}

/// The number of games in a piece of a series; the last may have fewer.
pub fn games_in_piece(games: u32) -> u32 {
    games.div_ceil(MOST_PIECES).max(1)
}

/// The work on a series.
pub struct SeriesOfGames(Box<dyn Games>);

impl SeriesOfGames {
    /// The number of games, under all readings.
    pub fn games(&self) -> u32 {
        self.0.games()
    }

    /// The number of pieces.
    pub fn pieces(&self) -> u32 {
        self.games().div_ceil(games_in_piece(self.games()))
    }

    /// Plays the games of a piece: what became of them, as JSON. The same piece always gives the same
    /// text.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn piece(&self, number: u32, budget: Budget<'_>) -> Result<String, Problem> {
        let each = games_in_piece(self.games());
        let from = number * each;
        let mut counted: Vec<Counted> = Vec::new();
        for game in from..(from + each).min(self.games()) {
            counted.extend(self.0.game(game, budget).map_err(Fault::from)?);
        }
        Ok(json::string(&counted))
    }

    /// What all pieces, given in order, come to, as JSON.
    ///
    /// # Errors
    /// A text is not that of a piece.
    pub fn sum<'p>(&self, pieces: impl IntoIterator<Item = &'p str>) -> Result<String, Problem> {
        let mut games: Vec<Counted> = Vec::new();
        for text in pieces {
            let counted: Vec<Counted> = serde_json::from_str(text).map_err(|error| {
                Problem::internal(format!("a piece of a series cannot be read: {error}"))
            })?;
            games.extend(counted);
        }
        Ok(json::string(&self.0.sum(&games)))
    }

    /// Plays all games: what they come to, as JSON.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn play(&self, budget: Budget<'_>, spread: &dyn Spread) -> Result<Vec<u8>, Problem> {
        let counted = play_all(&*self.0, budget, spread, &|| {})?;
        Ok(json::text(&self.0.sum(&counted)))
    }
}

/// The maximum of games times simulations per action while somebody waits.
const MOST_AT_ONCE: u32 = 20_000;

/// What to do instead of a series that takes too long.
pub const INSTEAD: &str = "send it with ?job=true: then it is a job that is looked at";

/// Plays the series of a request: what it comes to, as JSON.
///
/// # Errors
/// The request is invalid, asks for too much, or the budget is spent.
pub fn simulate(text: &[u8], budget: Budget<'_>, spread: &dyn Spread) -> Result<Vec<u8>, Problem> {
    let Prepared { work, cost, .. } = prepare(text)?;
    if cost > MOST_AT_ONCE {
        let detail = format!(
            "games, under all readings, times simulations of an action is {cost}, and at most {MOST_AT_ONCE} are played at once; {INSTEAD}"
        );
        return Err(Fault::new(FaultCode::BadRecord, "/games", detail).into());
    }
    work.play(budget, spread)
}
