//! From text to answers: what the service and the command line have in common.
//!
//! A thin layer over the engine's seam. This module must not know HTTP, must not know a game, and
//! must not store anything.

use serde_json::value::RawValue;
use umpire_engine::erased::{AnyGame, Judgement, Legal, Limits, Line, Query, Report, Unanswered};
use umpire_engine::games::{self, GAMES};
use umpire_engine::record::{Fault, FaultCode, RawRecord};

use crate::error::shorten;

/// A record whose envelope could be read, and its game.
pub struct Opened<'a> {
    /// The record.
    pub record: RawRecord<'a>,
    /// Its game.
    pub game: &'static dyn AnyGame,
}

/// Reads the envelope of a record and finds its game.
pub fn open(text: &[u8]) -> Result<Opened<'_>, Fault> {
    let record = RawRecord::read(text)?;
    let Some(game) = games::find(&record.game) else {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        let detail = format!(
            "game {:?} is unknown; the games are {}",
            shorten(&record.game),
            known.join(", ")
        );
        return Err(Fault::new(FaultCode::UnknownGame, "/game", detail));
    };
    Ok(Opened { record, game })
}

/// The verdict on a record.
pub fn judge(text: &[u8], limits: Limits) -> Result<Judgement, Fault> {
    let Opened { record, game } = open(text)?;
    game.judge(&record, limits)
}

impl Opened<'_> {
    /// The report of its replay.
    pub fn replay(&self, query: &Query) -> Result<Report, Unanswered> {
        self.game.replay(&self.record, query)
    }

    /// Who decides, and what is legal.
    pub fn legal(&self, query: &Query, count_only: bool) -> Result<Legal, Unanswered> {
        self.game.legal(&self.record, query, count_only)
    }

    /// The story of the game.
    pub fn story(&self, limits: Limits) -> Result<Vec<Line>, Fault> {
        self.game.story(&self.record, limits)
    }
}

/// An empty record of a game: a seed and no action. `options` are JSON.
pub fn blank(game: &dyn AnyGame, seed: &str, options: Option<Box<RawValue>>) -> Box<RawValue> {
    compose(game, seed, options, &[])
}

/// A record of a game with these actions.
pub fn compose(
    game: &dyn AnyGame,
    seed: &str,
    options: Option<Box<RawValue>>,
    actions: &[Box<RawValue>],
) -> Box<RawValue> {
    #[derive(serde::Serialize)]
    struct Fields<'a> {
        format: &'static str,
        game: &'static str,
        ruleset: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Box<RawValue>>,
        chance: Seed<'a>,
        actions: &'a [Box<RawValue>],
    }
    #[derive(serde::Serialize)]
    struct Seed<'a> {
        seed: &'a str,
    }
    let meta = game.meta();
    let fields = Fields {
        format: umpire_engine::record::FORMAT,
        game: meta.id,
        ruleset: meta.ruleset(),
        options,
        chance: Seed { seed },
        actions,
    };
    // A struct of strings and JSON texts always serialises.
    serde_json::value::to_raw_value(&fields).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A legal record of a game, some actions long: each time the seat that decides takes a legal
/// action, a different one from ply to ply. Documentation and tests show it.
pub fn sample(game: &dyn AnyGame, seed: &str, plies: usize) -> Box<RawValue> {
    let mut actions: Vec<Box<RawValue>> = Vec::new();
    loop {
        let record = compose(game, seed, None, &actions);
        if actions.len() >= plies {
            return record;
        }
        let found = open(record.get().as_bytes()).ok().and_then(|opened| {
            let legal = opened.legal(&Query::default(), false).ok()?;
            let choices = legal.choices.into_iter().find_map(|choices| choices.actions)?;
            let at = actions.len() % choices.len().max(1);
            choices.into_iter().nth(at)
        });
        match found {
            Some(action) => actions.push(action),
            None => return record,
        }
    }
}
