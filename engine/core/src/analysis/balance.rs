//! Balance: how often each seat wins when programs play, how games end and how long they are, and what a reading
//! changes in that.
//!
//! Every game has its own seed, made of the seed of the whole and its number, so that games can be played in any
//! order and on any number of threads, and readings are compared over the same deals. Every share has its 95 %
//! interval (Wilson 1927). This module must not play a game itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::course::Course;
use super::hint::rounded;
use super::review::ledger_of;
use super::search::Spread;
use super::selfplay::{Played, Player, play};
use super::shares::Shares;
use crate::budget::{Budget, Spent};
use crate::chance::seeded::Seeded;
use crate::game::{FullGame, Keep, Seat, Table, TableSetup};
use crate::record::Fault;
use crate::replay::answer::{ENGINE, raw};
use crate::replay::reading::{ReadingChoice, all_readings};
use crate::replay::{options_of, prepare};
#[cfg(feature = "schema")]
use crate::schema::{GameId, GameOptions};

/// The most games of one simulation.
pub const GAMES: std::ops::RangeInclusive<u32> = 1..=1_000_000;
/// After how many actions a game may be left unfinished; where nothing is said, after the most.
pub const LONGEST: std::ops::RangeInclusive<u32> = 1..=5_000;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Series {
    /// The options of the games, as a record gives them; the game's defaults where they are left out.
    pub options: Option<Box<RawValue>>,
    /// Who plays which seat, by the seat's index; whoever is missing plays at random.
    pub players: Vec<Player>,
    /// Whether the players change seats from game to game: in game n whoever is listed for a seat sits n seats
    /// further on, among the seats of the game.
    pub alternate: bool,
    /// How many games, within [`GAMES`].
    pub games: u32,
    /// The seed of the whole.
    pub seed: String,
    /// After how many actions a game is left unfinished, within [`LONGEST`].
    pub longest: u32,
    /// Whether the ledger of each game is added up as well.
    pub luck: bool,
    /// Whether the series is played again under each other reading that the options allow, over the same deals.
    pub rulings: bool,
}

/// A series that is ready to be played, game by game, in any order.
pub trait Games: Send + Sync {
    /// How many games there are, those under other readings among them.
    fn games(&self) -> u32;
    /// Plays one of them, from 0; `None` where it cannot begin.
    ///
    /// # Errors
    /// [`Spent`], where the budget ends.
    fn game(&self, number: u32, budget: Budget<'_>) -> Result<Option<Counted>, Spent>;
    /// What some games come to, each given once.
    fn sum(&self, games: &[Counted]) -> Simulation;
}

/// A share with the interval that holds the true one 95 times of 100.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Share {
    /// From 0 to 1; of a `shift`, from −1 to 1.
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
    /// Who played it: `random`, `greedy` or `search:N`; left out where players changed seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub by: Option<String>,
    /// Number of games that it won.
    pub wins: u32,
    /// Its part of all games; a game that nobody has won counts in equal parts for those who stand first in the
    /// game's own table, or for all where it has none.
    pub share: Share,
    /// The mean result less all luck, and its standard error beside that of the plain result; only where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub adjusted: Option<Adjusted>,
}

/// How a player did, at all seats that it had.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PlayerResult))]
pub struct PlayerResult {
    /// `random`, `greedy` or `search:N`.
    pub player: String,
    /// Seats at tables, added up: twice the games where it had two seats.
    pub played: u32,
    /// Number of games that it won.
    pub wins: u32,
    /// Its part of a game, for each seat that it had.
    pub share: Share,
}

/// A mean result with luck taken out.
///
/// Luck has the mean nought, so that any part of it may be taken out without a bias, if the part was not chosen by the
/// game it is taken from. Here it is the part that would have done best in the other games of the series, from 0 to 1: an
/// estimate that says little of the result then adds no noise.
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
    /// The part of the luck that was taken out, in the mean of the games.
    pub part: f64,
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
    /// After how many actions a game was left unfinished.
    pub longest: u32,
    /// How each seat did.
    pub seats: Vec<SeatResult>,
    /// How each player did, in the order of the seats that they are listed for.
    pub players: Vec<PlayerResult>,
    /// How the games ended, the most frequent first.
    pub endings: Vec<EndingCount>,
    /// How long they were.
    pub lengths: Lengths,
    /// What each other reading changes; only where asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub readings: Option<Vec<UnderReading>>,
}

/// The same series under another reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SimulatedReading))]
pub struct UnderReading {
    /// The reading.
    pub reading: ReadingChoice,
    /// How each seat did.
    pub seats: Vec<SeatShift>,
    /// How the games ended, the most frequent first.
    pub endings: Vec<EndingCount>,
    /// How long they were.
    pub lengths: Lengths,
}

/// How a seat did under another reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatShift {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// Its part of the games.
    pub share: Share,
    /// By how much that is more than in the same deals without the reading; `null` with fewer than two games.
    pub shift: Option<Share>,
}

/// One game of a series, as far as it is counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Counted {
    /// Its number in the series; those under the first other reading go on where those without it end, and so forth.
    pub number: u32,
    /// The index of the seat that won.
    pub winner: Option<u8>,
    /// How it ended, one of [`crate::game::Meta::endings`]; empty where it did not within the bound.
    pub reason: String,
    /// Number of actions.
    pub length: u32,
    /// Its part of the game, by seat.
    pub shares: Shares,
    /// The same less all luck, where asked for.
    pub adjusted: Option<Shares>,
}

/// Makes a series ready.
///
/// # Errors
/// The fault of options that are refused.
pub(crate) fn series<G: FullGame>(series: Series) -> Result<Box<dyn Games>, Fault> {
    let options = options_of::<G>(None, series.options.as_deref())?;
    let ready = |options: &G::Options| {
        let mut chance = Seeded::new(&series.seed, G::META.streams);
        prepare::<G>(options.clone(), None, &mut chance).map(|(setup, _)| setup)
    };
    let setup = ready(&options)?;
    let mut players = series.players.clone();
    players.resize(G::Setup::players(&setup).len(), Player::Random);
    let mut under = Vec::new();
    // A version is a set of readings, each of which is played by itself.
    let others = series.rulings.then(|| all_readings::<G>(&setup)).into_iter().flatten();
    for reading in others.filter(|it| it.ruleset.is_none()) {
        let mut other = options.clone();
        reading.lay_over::<G>(&mut other);
        if ready(&other).is_ok() {
            under.push((reading, other));
        }
    }
    Ok(Box::new(Prepared::<G> { series, players, options, setup, under }))
}

/// Plays a whole series; `done` is told after every game.
///
/// # Errors
/// [`FaultCode::Stopped`](crate::record::FaultCode::Stopped), where the budget ends.
pub fn play_all(
    games: &dyn Games,
    budget: Budget<'_>,
    spread: &dyn Spread,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Counted>, Fault> {
    let slots: Vec<Mutex<Option<Counted>>> = (0..games.games()).map(|_| Mutex::new(None)).collect();
    spread.each(slots.len(), &|number| {
        let counted = games.game(number as u32, budget);
        if let (Ok(Some(counted)), Ok(mut slot)) = (counted, slots[number].lock()) {
            *slot = Some(counted);
            done();
        }
    });
    budget.spend(0)?;
    Ok(slots.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect())
}

/// By how much the part of a seat differs between two series over the same deals, with its 95 % interval: the mean of
/// the differences game by game, and 1.96 of its standard errors either way. `None` with fewer than two games that
/// both series have.
fn shift(before: &[Counted], after: &[Counted], seat: Seat) -> Option<Share> {
    let after: BTreeMap<u32, &Counted> = after.iter().map(|game| (game.number, game)).collect();
    let differences: Vec<f64> = before
        .iter()
        .filter_map(|game| Some((game, after.get(&game.number)?)))
        .map(|(before, after)| after.shares[seat.index()] - before.shares[seat.index()])
        .collect();
    if differences.len() < 2 {
        return None;
    }
    let (mean, deviation) = spread_of(&differences);
    let half = 1.96 * deviation / (differences.len() as f64).sqrt();
    Some(Share { share: rounded(mean), low: rounded(mean - half), high: rounded(mean + half) })
}

struct Prepared<G: FullGame> {
    series: Series,
    /// One for each seat of the game.
    players: Vec<Player>,
    options: G::Options,
    setup: Arc<G::Setup>,
    /// The other readings, and the options under them.
    under: Vec<(ReadingChoice, G::Options)>,
}

impl<G: FullGame> Prepared<G> {
    /// Who plays which seat in a game of the series.
    fn seated(&self, number: u32) -> Vec<Player> {
        let mut seated = self.players.clone();
        if self.series.alternate && !seated.is_empty() {
            let by = number as usize % seated.len();
            seated.rotate_right(by);
        }
        seated
    }
}

impl<G: FullGame> Games for Prepared<G> {
    fn games(&self) -> u32 {
        self.series.games.saturating_mul(1 + self.under.len() as u32)
    }

    fn game(&self, number: u32, budget: Budget<'_>) -> Result<Option<Counted>, Spent> {
        budget.spend(1)?;
        let (reading, deal) = (number / self.series.games, number % self.series.games);
        let under = reading.checked_sub(1).and_then(|it| self.under.get(it as usize));
        let options = under.map_or(&self.options, |(_, options)| options);
        let seed = format!("{} {deal}", self.series.seed);
        let mut chance = Seeded::new(&seed, G::META.streams);
        let Ok(setup) = G::Setup::from_options(options.clone(), &mut chance) else {
            return Ok(None);
        };
        let setup = Arc::new(setup);
        let opening = chance.clone();
        let players = self.seated(deal);
        let Some(played) =
            play::<G>(&setup, &mut chance, &players, &seed, self.series.longest, budget)?
        else {
            return Ok(None);
        };
        let adjusted = match self.series.luck {
            true => Some(adjusted::<G>(&setup, opening, &played, &seed, budget)?),
            false => None,
        };
        let Played { winner, reason, shares, actions } = played;
        Ok(Some(Counted {
            number,
            winner: winner.map(|seat| seat.0),
            reason: reason.to_owned(),
            length: actions.len() as u32,
            shares,
            adjusted,
        }))
    }

    fn sum(&self, games: &[Counted]) -> Simulation {
        let (games, others): (Vec<_>, Vec<_>) =
            games.iter().cloned().partition(|game| game.number < self.series.games);
        let games = &*games;
        let readings = self.series.rulings.then(|| self.readings(games, &others));
        let endings = endings_of(games, G::META.endings);
        Simulation {
            engine: ENGINE,
            game: G::META.id,
            ruleset: G::Setup::ruleset(&self.setup),
            options: raw(&G::Setup::options(&self.setup)),
            seed: self.series.seed.clone(),
            games: games.len() as u32,
            longest: self.series.longest,
            seats: self.seats(games),
            players: self.results(games),
            endings,
            lengths: lengths_of(games),
            readings,
        }
    }
}

/// The results of a game less all luck.
fn adjusted<G: FullGame>(
    setup: &Arc<G::Setup>,
    mut chance: Seeded,
    played: &Played<G::Action>,
    seed: &str,
    budget: Budget<'_>,
) -> Result<Shares, Spent> {
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
    let course = Course::through(tables, played.actions.clone());
    let sums = ledger_of(&course, seed, budget)?;
    Ok(std::array::from_fn(|at| played.shares[at] - sums.luck[at]))
}

impl<G: FullGame> Prepared<G> {
    /// What each other reading came to, beside the series without it.
    fn readings(&self, plain: &[Counted], others: &[Counted]) -> Vec<UnderReading> {
        let mut each: Vec<Vec<Counted>> = vec![Vec::new(); self.under.len()];
        for game in others {
            if let Some(list) = each.get_mut((game.number / self.series.games) as usize - 1) {
                list.push(Counted { number: game.number % self.series.games, ..game.clone() });
            }
        }
        let one = |((reading, _), games): (&(ReadingChoice, G::Options), &Vec<Counted>)| {
            let seat = |seat: Seat| {
                let part = games.iter().map(|game| game.shares[seat.index()]).sum();
                SeatShift {
                    player: G::META.seat_name(seat),
                    share: Share::of(part, games.len() as u32),
                    shift: shift(plain, games, seat),
                }
            };
            UnderReading {
                reading: reading.clone(),
                seats: G::Setup::players(&self.setup).iter().map(seat).collect(),
                endings: endings_of(games, G::META.endings),
                lengths: lengths_of(games),
            }
        };
        self.under.iter().zip(&each).map(one).collect()
    }

    fn seats(&self, games: &[Counted]) -> Vec<SeatResult> {
        let count = games.len() as u32;
        let one = |seat: Seat| {
            let wins = games.iter().filter(|game| game.winner == Some(seat.0)).count() as u32;
            let results: Vec<f64> = games.iter().map(|game| game.shares[seat.index()]).collect();
            let without: Option<Vec<f64>> =
                games.iter().map(|game| Some(game.adjusted?[seat.index()])).collect();
            let fixed = (!self.series.alternate).then(|| self.players.get(seat.index()));
            SeatResult {
                player: G::META.seat_name(seat),
                by: fixed.flatten().map(Player::to_string),
                wins,
                share: Share::of(results.iter().sum(), count),
                adjusted: without.filter(|_| self.series.luck && count > 1).map(|without| {
                    let luck: Vec<f64> =
                        results.iter().zip(&without).map(|(it, without)| it - without).collect();
                    let parts = parts_of_luck(&results, &luck);
                    let taken = results.iter().zip(luck.iter().zip(&parts));
                    let without: Vec<f64> =
                        taken.map(|(it, (luck, part))| it - part * luck).collect();
                    let (mean, deviation) = spread_of(&without);
                    let (_, plain_deviation) = spread_of(&results);
                    Adjusted {
                        mean: rounded(mean),
                        error: rounded(deviation / f64::from(count).sqrt()),
                        deviation: rounded(deviation),
                        plain_deviation: rounded(plain_deviation),
                        part: rounded(parts.iter().sum::<f64>() / f64::from(count)),
                    }
                }),
            }
        };
        G::Setup::players(&self.setup).iter().map(one).collect()
    }

    fn results(&self, games: &[Counted]) -> Vec<PlayerResult> {
        let mut names: Vec<Player> = Vec::new();
        for &player in &self.players {
            if !names.contains(&player) {
                names.push(player);
            }
        }
        let one = |&player: &Player| {
            let (mut played, mut wins, mut sum) = (0, 0, 0.0);
            for game in games {
                let seated = self.seated(game.number);
                for (seat, _) in seated.iter().enumerate().filter(|&(_, &it)| it == player) {
                    played += 1;
                    wins += u32::from(game.winner.map(usize::from) == Some(seat));
                    sum += game.shares[seat];
                }
            }
            PlayerResult { player: player.to_string(), played, wins, share: Share::of(sum, played) }
        };
        names.iter().map(one).collect()
    }
}

fn endings_of(games: &[Counted], known: &'static [&'static str]) -> Vec<EndingCount> {
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for game in games {
        *reasons.entry(&game.reason).or_default() += 1;
    }
    let named = |(reason, games): (&str, u32)| EndingCount {
        reason: known.iter().copied().find(|&it| it == reason),
        games,
    };
    let mut endings: Vec<EndingCount> = reasons.into_iter().map(named).collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.games));
    endings
}

fn lengths_of(games: &[Counted]) -> Lengths {
    let mut lengths: Vec<u32> = games.iter().map(|game| game.length).collect();
    lengths.sort_unstable();
    let sum: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    Lengths {
        mean: rounded(sum as f64 / (lengths.len().max(1) as f64)),
        shortest: lengths.first().copied().unwrap_or(0),
        median: lengths.get(lengths.len() / 2).copied().unwrap_or(0),
        longest: lengths.last().copied().unwrap_or(0),
    }
}

/// For each game the part of its luck, from 0 to 1, that taken out of the results of all others would have left the
/// least deviation: the slope of result over luck (a control variate, fitted without the game itself).
fn parts_of_luck(results: &[f64], luck: &[f64]) -> Vec<f64> {
    let all = luck.len() as f64;
    let sum: f64 = results.iter().sum();
    let lucky: f64 = luck.iter().sum();
    let squares: f64 = luck.iter().map(|it| it * it).sum();
    let products: f64 = results.iter().zip(luck).map(|(result, luck)| result * luck).sum();
    let part = |(result, luck): (&f64, &f64)| {
        let mean = (sum - result) / (all - 1.0);
        let together = products - result * luck - mean * (lucky - luck);
        let alone = squares - luck * luck;
        // Less than this is no luck, but what rounding leaves of none.
        if alone > 1e-9 { (together / alone).clamp(0.0, 1.0) } else { 0.0 }
    };
    results.iter().zip(luck).map(part).collect()
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
    use super::*;

    #[test]
    fn a_shift_is_that_of_the_same_games() {
        let game = |number, first: f64| Counted {
            number,
            winner: None,
            reason: String::new(),
            length: 1,
            shares: [first, 1.0 - first, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            adjusted: None,
        };
        let before: Vec<Counted> = (0..4).map(|number| game(number, 0.5)).collect();
        // The differences are 0.5, 0.5, −0.5 and 0.5: mean 0.25, deviation 0.5, so ± 0.49; game 9 has no partner.
        let after = [game(9, 0.0), game(3, 1.0), game(2, 0.0), game(1, 1.0), game(0, 1.0)];
        let found = shift(&before, &after, Seat(0)).unwrap();
        assert_eq!((found.share, found.low, found.high), (0.25, -0.24, 0.74));
        let other = shift(&before, &after, Seat(1)).unwrap();
        assert_eq!((other.share, other.low, other.high), (-0.25, -0.74, 0.24));
        assert_eq!(shift(&before, &after[..1], Seat(0)), None);
    }

    #[test]
    fn luck_is_taken_out_as_far_as_it_helped_in_the_other_games() {
        let mut random = crate::analysis::random::Random::new("luck", 0);
        let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
        let luck: Vec<f64> = (0..400).map(|_| number() / 2.0).collect();
        // A result that luck says half of: half of it is taken out.
        let results: Vec<f64> =
            luck.iter().map(|luck| 0.5 + 0.5 * luck + number() / 10.0).collect();
        let parts = parts_of_luck(&results, &luck);
        assert!(parts.iter().all(|part| (part - 0.5).abs() < 0.05), "{:?}", parts[0]);
        let left: Vec<f64> = (0..400).map(|at| results[at] - parts[at] * luck[at]).collect();
        assert!(spread_of(&left).1 < 0.5 * spread_of(&results).1);
        // A result that luck says nothing of is left nearly as it is: never much wider than it was.
        let results: Vec<f64> = (0..400).map(|_| number()).collect();
        let parts = parts_of_luck(&results, &luck);
        let left: Vec<f64> = (0..400).map(|at| results[at] - parts[at] * luck[at]).collect();
        assert!(spread_of(&left).1 < 1.02 * spread_of(&results).1);
        // What is taken out of a game does not depend on how that game went.
        let mut other = results.clone();
        other[7] = 9.0;
        assert_eq!(parts_of_luck(&other, &luck)[7], parts[7]);
        assert_eq!(parts_of_luck(&[1.0, 0.0], &[0.0, 0.0]), [0.0, 0.0]);
        assert_eq!(parts_of_luck(&[1.0, 0.0, 1.0], &[1e-17, -1e-17, 1e-17]), [0.0; 3]);
    }

    #[test]
    fn an_interval_is_wilsons() {
        // 8 of 10: 0.4902 to 0.9433 (Wilson's score interval without correction, 95 %).
        let share = Share::of(8.0, 10);
        assert_eq!((share.share, share.low, share.high), (0.8, 0.4902, 0.9433));
        let none = Share::of(0.0, 10);
        assert!(none.low == 0.0 && none.high > 0.27 && none.high < 0.28, "{none:?}");
    }
}
