//! Balance: how often each seat wins when programs play, how games end and how long they are, and what a reading
//! changes in that.
//!
//! Every game has its own seed, made of the seed of the whole and its number, so that games can be played in any
//! order and on any number of threads, and readings are compared over the same deals. Every share has its 95 %
//! interval (Wilson 1927). This module must not play a game itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use serde_json::value::RawValue;

use super::course::Course;
use super::hint::rounded;
use super::review::ledger_of;
use super::search::Spread;
use super::selfplay::{Played, Player, play};
use super::shares::SEATS;
use crate::budget::{Budget, Spent};
use crate::chance::seeded::Seeded;
use crate::game::{Game, Keep, Seat, Table};
use crate::record::{self, Fault, FaultCode};
use crate::replay::answer::{ENGINE, raw};
use crate::replay::prepare;
#[cfg(feature = "schema")]
use crate::schema::{GameId, GameOptions};

/// The most games of one simulation.
pub const GAMES: std::ops::RangeInclusive<u32> = 1..=1_000_000;
/// The bound of a game: it is then left unfinished.
pub const LONGEST: u32 = 5_000;

/// What is to be played.
#[derive(Clone, Copy)]
pub struct Series<'a> {
    /// The options of the games, as a record gives them; the game's defaults where they are left out.
    pub options: Option<&'a RawValue>,
    /// Who plays which seat, by the seat's index.
    pub players: &'a [Player],
    /// How many games, within [`GAMES`].
    pub games: u32,
    /// The seed of the whole.
    pub seed: &'a str,
    /// Whether the ledger of each game is added up as well.
    pub luck: bool,
    /// How much it may cost.
    pub budget: Budget<'a>,
    /// Who does the work.
    pub spread: &'a dyn Spread,
    /// Told after every game.
    pub done: &'a (dyn Fn() + Sync),
}

/// A share with the interval that holds the true one 95 times of 100.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Share {
    /// From 0 to 1.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// So many of so many (Wilson's interval, at 1.96 standard errors).
    pub fn of(wins: f64, games: u32) -> Share {
        let n = f64::from(games.max(1));
        let (p, z) = (wins / n, 1.96);
        let under = 1.0 + z * z / n;
        let middle = (p + z * z / (2.0 * n)) / under;
        let wide = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / under;
        let within = |it: f64| rounded(it.clamp(0.0, 1.0));
        Share { share: rounded(p), low: within(middle - wide), high: within(middle + wide) }
    }
}

/// How a seat did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SeatResult))]
pub struct SeatResult {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// Who played it: `random`, `greedy` or `search:N`.
    pub by: String,
    /// Number of games that it won.
    pub wins: u32,
    /// Its part of all games; a game that nobody wins counts in equal parts for those who stand first.
    pub share: Share,
    /// The mean result less all luck, and its standard error beside that of the plain result; only where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub adjusted: Option<Adjusted>,
}

/// A mean result with luck taken out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// The mean of the adjusted results.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// The standard deviation of an adjusted result.
    pub deviation: f64,
    /// The standard deviation of a plain result.
    pub plain_deviation: f64,
}

/// How many games ended so.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = EndingCount))]
pub struct EndingCount {
    /// Why the game was over; `null` for games that did not end within the bound.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub reason: Option<&'static str>,
    /// How many.
    pub games: u32,
}

/// How long games were, in actions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Lengths {
    /// The mean.
    pub mean: f64,
    /// The shortest.
    pub shortest: u32,
    /// The median.
    pub median: u32,
    /// The longest.
    pub longest: u32,
}

/// What became of a series of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Simulation))]
pub struct Simulation {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The options in force, defaults included.
    #[cfg_attr(feature = "schema", schema(value_type = GameOptions))]
    pub options: Box<RawValue>,
    /// The seed of the whole.
    pub seed: String,
    /// Number of games.
    pub games: u32,
    /// How each seat did.
    pub seats: Vec<SeatResult>,
    /// How the games ended, the most frequent first.
    pub endings: Vec<EndingCount>,
    /// How long they were.
    pub lengths: Lengths,
}

/// One game of a series, as far as it is counted.
struct Counted {
    winner: Option<Seat>,
    reason: &'static str,
    length: u32,
    shares: [f64; SEATS],
    adjusted: Option<[f64; SEATS]>,
}

/// Plays a series of games.
///
/// # Errors
/// The fault of options that are refused, or [`FaultCode::Stopped`] where the budget ends.
pub(crate) fn simulate<G: Game>(series: &Series<'_>) -> Result<Simulation, Fault> {
    let options: G::Options = match series.options {
        Some(text) => record::read(text.get(), FaultCode::BadOptions, "/options")?,
        None => G::Options::default(),
    };
    let mut chance = Seeded::new(series.seed, G::META.streams);
    let (setup, _) = prepare::<G>(options.clone(), None, &mut chance)?;
    let slots: Vec<Mutex<Option<Counted>>> = (0..series.games).map(|_| Mutex::new(None)).collect();
    series.spread.each(slots.len(), &|number| {
        let counted = one::<G>(series, options.clone(), number as u32);
        if let (Ok(Some(counted)), Ok(mut slot)) = (counted, slots[number].lock()) {
            *slot = Some(counted);
            (series.done)();
        }
    });
    series.budget.spend(0)?;
    let games: Vec<Counted> =
        slots.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect();
    Ok(added_up::<G>(series, &setup, &games))
}

fn one<G: Game>(
    series: &Series<'_>,
    options: G::Options,
    number: u32,
) -> Result<Option<Counted>, Spent> {
    series.budget.spend(1)?;
    let seed = format!("{} {number}", series.seed);
    let mut chance = Seeded::new(&seed, G::META.streams);
    let Ok(setup) = G::setup(options, &mut chance) else { return Ok(None) };
    let setup = Arc::new(setup);
    let opening = chance.clone();
    let Some(played) =
        play::<G>(&setup, &mut chance, series.players, &seed, LONGEST, series.budget)?
    else {
        return Ok(None);
    };
    let adjusted = match series.luck {
        true => Some(adjusted::<G>(&setup, opening, &played, &seed, series.budget)?),
        false => None,
    };
    let Played { winner, reason, shares, actions } = played;
    Ok(Some(Counted { winner, reason, length: actions.len() as u32, shares, adjusted }))
}

/// The results of a game less all luck.
fn adjusted<G: Game>(
    setup: &Arc<G::Setup>,
    mut chance: Seeded,
    played: &Played<G::Action>,
    seed: &str,
    budget: Budget<'_>,
) -> Result<[f64; SEATS], Spent> {
    let Ok(mut table) = Table::<G>::open(setup.clone(), &mut chance, Keep::Nothing) else {
        return Ok(played.shares);
    };
    let mut tables = vec![table.bare()];
    for action in &played.actions {
        if table.play(action, &mut chance).is_err() {
            break;
        }
        tables.push(table.bare());
    }
    let course = Course { tables, actions: played.actions.clone(), opened: true };
    let sums = ledger_of(&course, seed, budget)?;
    Ok(std::array::from_fn(|at| sums.result[at] - sums.luck[at]))
}

fn added_up<G: Game>(series: &Series<'_>, setup: &Arc<G::Setup>, games: &[Counted]) -> Simulation {
    let count = games.len() as u32;
    let seats = G::players(setup).iter().map(|seat| {
        let wins = games.iter().filter(|game| game.winner == Some(seat)).count() as u32;
        let results: Vec<f64> = games.iter().map(|game| game.shares[seat.index()]).collect();
        let without: Option<Vec<f64>> =
            games.iter().map(|game| Some(game.adjusted?[seat.index()])).collect();
        SeatResult {
            player: G::META.seat_name(seat),
            by: series.players.get(seat.index()).unwrap_or(&Player::Random).to_string(),
            wins,
            share: Share::of(results.iter().sum(), count),
            adjusted: without.filter(|_| series.luck && count > 1).map(|without| {
                let (mean, deviation) = spread_of(&without);
                let (_, plain_deviation) = spread_of(&results);
                Adjusted {
                    mean: rounded(mean),
                    error: rounded(deviation / f64::from(count).sqrt()),
                    deviation: rounded(deviation),
                    plain_deviation: rounded(plain_deviation),
                }
            }),
        }
    });
    let mut reasons: BTreeMap<&'static str, u32> = BTreeMap::new();
    for game in games {
        *reasons.entry(game.reason).or_default() += 1;
    }
    let named = |(reason, games): (&'static str, u32)| EndingCount {
        reason: (!reason.is_empty()).then_some(reason),
        games,
    };
    let mut endings: Vec<EndingCount> = reasons.into_iter().map(named).collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.games));
    let mut lengths: Vec<u32> = games.iter().map(|game| game.length).collect();
    lengths.sort_unstable();
    let sum: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    Simulation {
        engine: ENGINE,
        game: G::META.id,
        ruleset: G::META.ruleset(),
        options: raw(&G::options(setup)),
        seed: series.seed.to_owned(),
        games: count,
        seats: seats.collect(),
        endings,
        lengths: Lengths {
            mean: rounded(sum as f64 / f64::from(count.max(1))),
            shortest: lengths.first().copied().unwrap_or(0),
            median: lengths.get(lengths.len() / 2).copied().unwrap_or(0),
            longest: lengths.last().copied().unwrap_or(0),
        },
    }
}

/// The mean and the standard deviation of some numbers, at least two.
fn spread_of(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|it| (it - mean) * (it - mean)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn an_interval_is_wilsons() {
        // 8 of 10: 0.4902 to 0.9433 (Wilson's score interval without correction, 95 %).
        let share = Share::of(8.0, 10);
        assert_eq!((share.share, share.low, share.high), (0.8, 0.4902, 0.9433));
        let none = Share::of(0.0, 10);
        assert!(none.low == 0.0 && none.high > 0.27 && none.high < 0.28, "{none:?}");
    }
}
