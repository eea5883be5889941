//! The rulings behind a course of play: what was unclear in the book, how it is read here, and what
//! else it could mean.
//!
//! Everything is taken from what the replay itself cited; a reading that the engine cannot run is named
//! as such, and nothing is said of what it would change. This module must not know a game, and must not
//! replay anything.

use serde::Serialize;

use crate::game::{FullGame, Game, Log, Logged, TableSetup};
use crate::replay::answer::{Cited, cite};
use crate::rules::{Rule, RuleEntry, RuleKind};

/// One reading of a ruling, and whether it is the one in force.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct VoicedReading {
    /// The value that chooses it in a record; left out where none does.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub value: &'static str,
    /// What it means, in our words.
    pub gist: &'static str,
    /// Whether the record is read so.
    pub in_force: bool,
    /// Whether this engine can play by it. Of a reading that it cannot, nothing is known but its text.
    pub runs: bool,
}

/// A precedent that turns on a ruling.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PrecedentLink {
    /// Its name, as `GET /v1/games/{game}/precedents` has it.
    pub name: String,
    /// What was disputed, in a line.
    pub title: String,
}

/// A ruling that the course of a record rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CitedRuling {
    /// The id.
    pub id: &'static str,
    /// What the book leaves open.
    pub question: &'static str,
    /// The clauses that it settles, with their places in the printed book.
    pub settles: Vec<Cited>,
    /// How it can be read, the default first.
    pub readings: Vec<VoicedReading>,
    /// Why the default is the default.
    pub because: &'static str,
    /// The ply of the first event, draw or refusal that cites it; `null` where none does.
    pub ply: Option<u32>,
    /// How many events, draws and refusals of the record cite it.
    pub times: u32,
    /// Whether something at the ply in question rests on it: cites it, or cites a clause that it
    /// settles. The ply in question is that which was asked about, otherwise that of the violation.
    pub at_question: bool,
    /// Precedents that turn on it.
    pub precedents: Vec<PrecedentLink>,
}

/// What a replay cited, entry by entry.
pub(super) struct Voices<R> {
    cited: Vec<(u32, Vec<R>)>,
}

impl<R: Rule> Voices<R> {
    /// The events and draws of a log. What an action is judged by comes first.
    pub(super) fn of<G: FullGame<Rule = R>>(log: &Log<G>) -> Self {
        let mut voices = Voices::silent();
        voices.add_log(log);
        voices
    }

    /// What else a log has.
    pub(super) fn add_log<G: FullGame<Rule = R>>(&mut self, log: &Log<G>) {
        let mut events: Vec<&Logged<G>> = log.events.iter().collect();
        let order = |it: &&Logged<G>| (it.ply, !G::is_leading(&it.event));
        events.sort_by_key(order);
        let events = events.into_iter().map(|it| (it.ply, it.rules.as_slice().to_vec()));
        let draws = log.tape.iter().map(|drawn| (drawn.ply, vec![drawn.rule]));
        self.cited.extend(events.chain(draws));
    }

    /// Of a replay that kept no log.
    pub(super) fn silent() -> Self {
        Voices { cited: Vec::new() }
    }

    /// What else is cited at a ply: a refusal, a fault of the tape.
    pub(super) fn add(&mut self, ply: u32, rules: Vec<R>) {
        self.cited.push((ply, rules));
    }

    /// The clauses at one ply, in the order in which they were cited.
    pub(super) fn at(&self, ply: u32) -> impl Iterator<Item = &'static RuleEntry> {
        let there = self.cited.iter().filter(move |(at, _)| *at == ply);
        there.flat_map(|(_, rules)| rules).map(|rule| rule.entry())
    }

    /// Every ruling that is cited anywhere, those that settle a clause cited at the ply in question, and those that were
    /// found to be `decisive` there: first those at that ply, then the others, each in the order of the document. Of one
    /// that is only said to settle a clause, `idle` tells whether all its readings were found to come to the same.
    pub(super) fn rulings<G: Game<Rule = R>>(
        &self,
        setup: &G::Setup,
        question: Option<u32>,
        decisive: impl Fn(&str) -> bool,
        idle: impl Fn(&RuleEntry) -> bool,
    ) -> Vec<CitedRuling> {
        let here: Vec<&str> =
            question.into_iter().flat_map(|ply| self.at(ply)).map(|entry| entry.id).collect();
        let mut all: Vec<CitedRuling> = Vec::new();
        for (rule, entry) in R::all().iter().zip(R::TABLE) {
            if entry.kind != RuleKind::Ruling {
                continue;
            }
            let cited = || self.cited.iter().filter(|(_, rules)| rules.contains(rule));
            let times = cited().count();
            let settles = entry.settles.iter().any(|id| here.contains(id)) && !idle(entry);
            let at_question = here.contains(&entry.id) || settles || decisive(entry.id);
            if times == 0 && !at_question {
                continue;
            }
            all.push(CitedRuling {
                id: entry.id,
                question: entry.gist,
                settles: settled::<R>(entry, G::Setup::edition(setup)),
                readings: readings::<G>(setup, entry),
                because: entry.because,
                ply: cited().map(|(ply, _)| *ply).min(),
                times: times as u32,
                at_question,
                precedents: Vec::new(),
            });
        }
        all.sort_by_key(|ruling| !ruling.at_question);
        all
    }
}

/// The clauses that a ruling settles.
fn settled<R: Rule>(entry: &RuleEntry, edition: &str) -> Vec<Cited> {
    cite(R::TABLE.iter().filter(|clause| entry.settles.contains(&clause.id)), edition)
}

/// The readings of a ruling under a setup. One that no record can choose runs only as the default.
fn readings<G: Game>(setup: &G::Setup, entry: &RuleEntry) -> Vec<VoicedReading> {
    let chosen = G::Setup::rulings().iter().position(|def| def.id == entry.id);
    let in_force = chosen.map(|at| G::Setup::rulings()[at].values[G::Setup::reading(setup, at)]);
    let voiced = entry.readings.iter().enumerate().map(|(at, reading)| {
        let in_force = in_force.map_or(at == 0, |value| value == reading.value);
        let runs = in_force || (chosen.is_some() && !reading.value.is_empty());
        VoicedReading { value: reading.value, gist: reading.gist, in_force, runs }
    });
    voiced.collect()
}

/// How the ruling is read in force, in a few words: what is said behind its id.
pub(super) fn in_force(ruling: &CitedRuling) -> &'static str {
    ruling.readings.iter().find(|reading| reading.in_force).map_or("", |reading| reading.gist)
}
