//! What a reading changes in games between equal players, as it was measured before and is kept with the game: quoted beside
//! a dispute, so that people see whom a reading favours when nobody knows yet how the dice fall.
//!
//! Must not play a game, and must not quote what was measured under other rules than those in force.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::balance::Share;
use crate::chance::seeded::Seeded;
use crate::game::{FullGame, TableSetup};
use crate::replay::reading::ReadingChoice;
use crate::replay::{options_of, prepare};

/// What a reading changed in games that were played before: the same deals under both readings.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MeasuredReading))]
pub struct Quoted {
    /// Who played at every seat: `search:100`.
    pub by: String,
    /// Number of games under each reading.
    pub games: u32,
    /// After how many actions a game was left, and shared by those who stood first.
    pub longest: u32,
    /// The seed of the whole: `umpire simulate GAME --rulings` plays it again.
    pub seed: String,
    /// How each seat did.
    pub seats: Vec<Moved>,
}

/// What a reading changed for a seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MeasuredSeat))]
pub struct Moved {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: String,
    /// Its part of the games under the readings of the record.
    pub from: Share,
    /// Its part under this reading.
    pub to: Share,
    /// By how much that is more. Where the interval holds 0, nothing is shown to change.
    pub shift: Share,
}

impl Quoted {
    /// The same in a sentence, where some seat is shown to do better or worse under a reading of that name.
    pub fn sentence(&self, reading: &str) -> Option<String> {
        let shown = |it: &&Moved| it.shift.low > 0.0 || it.shift.high < 0.0;
        let moved = self.seats.iter().find(shown)?;
        let (more, least, most) = match moved.shift.share > 0.0 {
            true => ("more", moved.shift.low, moved.shift.high),
            false => ("less", -moved.shift.high, -moved.shift.low),
        };
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        Some(format!(
            "Measured over {} games between equal players ({}), {}: {} % of the games under {reading}, {} % \
             otherwise; {} to {} points {more}.",
            self.games,
            self.by,
            moved.player.replace('_', " "),
            percent(moved.to.share),
            percent(moved.from.share),
            percent(least),
            percent(most),
        ))
    }
}

/// The answer of `umpire simulate GAME --rulings --json` that is kept with a game.
#[derive(Deserialize)]
pub(crate) struct Kept {
    ruleset: String,
    options: Box<RawValue>,
    seed: String,
    games: u32,
    longest: u32,
    seats: Vec<KeptSeat>,
    readings: Vec<KeptReading>,
}

#[derive(Deserialize)]
struct KeptSeat {
    player: String,
    by: String,
    share: Share,
}

#[derive(Deserialize)]
struct KeptReading {
    reading: ReadingChoice,
    seats: Vec<KeptShift>,
}

#[derive(Deserialize)]
struct KeptShift {
    share: Share,
    shift: Option<Share>,
}

impl Kept {
    /// What is kept with a game.
    pub(crate) fn of<G: FullGame>() -> Option<Kept> {
        serde_json::from_str(G::balance()?).ok()
    }

    /// What is known of another reading of a table: measured under its own readings, or the other way round.
    pub(crate) fn quote<G: FullGame>(
        &self,
        own: &G::Setup,
        other: &G::Setup,
        reading: &ReadingChoice,
    ) -> Option<Quoted> {
        let (own, other) = (in_force::<G>(own)?, in_force::<G>(other)?);
        let measured = self.under::<G>(&ReadingChoice::default())?;
        if own == measured {
            let under = self.readings.iter().find(|it| it.reading == *reading)?;
            return self.with(under, false);
        }
        if other != measured {
            return None;
        }
        let under =
            self.readings.iter().find(|it| self.under::<G>(&it.reading) == Some(own.clone()));
        self.with(under?, true)
    }

    /// The options in force under a reading that was measured. Rulings that were not selectable then have the reading
    /// that the measured ruleset has by default.
    fn under<G: FullGame>(&self, reading: &ReadingChoice) -> Option<Value> {
        let mut options = options_of::<G>(Some(&self.ruleset), Some(&self.options)).ok()?;
        reading.lay_over::<G>(&mut options);
        let mut chance = Seeded::new(&self.seed, G::META.streams);
        let (setup, _) = prepare::<G>(options, None, &mut chance).ok()?;
        in_force::<G>(&setup)
    }

    fn with(&self, under: &KeptReading, back: bool) -> Option<Quoted> {
        let by = &self.seats.first()?.by;
        let equal = self.seats.iter().all(|it| it.by == *by);
        let seats = self.seats.iter().zip(&under.seats).map(|(own, under)| {
            let (player, shift) = (own.player.clone(), under.shift?);
            Some(match back {
                false => Moved { player, from: own.share, to: under.share, shift },
                true => Moved { player, from: under.share, to: own.share, shift: shift.turned() },
            })
        });
        let seats = seats.collect::<Option<Vec<_>>>().filter(|_| equal)?;
        let (by, seed) = (by.clone(), self.seed.clone());
        Some(Quoted { by, games: self.games, longest: self.longest, seed, seats })
    }
}

fn in_force<G: FullGame>(setup: &G::Setup) -> Option<Value> {
    serde_json::to_value(G::Setup::options(setup)).ok()
}
