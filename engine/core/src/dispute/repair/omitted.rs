//! What was never written down: an answer that only lets things be, or a draw, left out wherever it was
//! asked for.
//!
//! One rule fills all of it in, and is one proposal. This module must not choose where there is a choice:
//! an answer is filled in where it lets things be ([`Paper::is_passive`](crate::game::Paper::is_passive)), a draw where one card alone is
//! possible.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::search::Search;
use super::{Change, Filling, Listener, Spot, Step, entry_value, go_on, short};
use crate::chance::EntryOf;
use crate::game::{FullGame, Listing, Stop, Table};

/// The most answers that are filled in before one action.
const BEFORE_ONE: usize = 16;

/// The most legal actions of a seat that are looked at for one that lets things be.
const LISTED: usize = 400;

/// The fewest places of which one says that something was never written.
const FEWEST: usize = 2;

impl<G: FullGame> Search<'_, '_, G> {
    /// Fills in what was left out throughout, and says what could not be filled in.
    pub(super) fn omissions(&mut self) -> Option<Vec<String>> {
        let script = self.scripts.first()?.clone();
        let mut said = Vec::new();
        if script.places.is_empty() || script.run.whole {
            return Some(said);
        }
        let from = script.run.plies;
        let Spot { mut table, mut source } = script.spot(&mut self.work, from)?;
        let (before, begun) = (table.clone(), source.clone());
        let mut tape = script.tape.clone();
        let mut filling =
            Filling { actions: Vec::new(), entries: Vec::new(), words: String::new() };
        let (mut next, mut put, mut places) = (from, 0, 0);
        while let Some(action) = script.steps.get(next).and_then(|step| step.action.as_ref()) {
            self.work.spend(1)?;
            let mut asked = Vec::new();
            let mut live = source.on(&tape);
            let mut listener = Listener { source: &mut live, asked: &mut asked };
            match table.play(action, &mut listener) {
                Ok(()) => {
                    source = live.on(&[]);
                    (next, put) = (next + 1, 0);
                }
                Err(Stop::Refused(_)) => {
                    let quiet = if put < BEFORE_ONE { self.quiet(&table) } else { None };
                    let mut live = source.on(&tape);
                    let answer = quiet.as_ref().and_then(|it| it.action.as_ref());
                    let played = answer.map(|answer| table.play(answer, &mut live));
                    let (Some(quiet), Some(Ok(()))) = (quiet, played) else { break };
                    source = live.on(&[]);
                    filling.actions.push((next + filling.actions.len(), quiet));
                    places += usize::from(put == 0);
                    put += 1;
                }
                Err(Stop::Chance { .. }) => {
                    let Some(last) = asked.pop() else { break };
                    let Some(wanting) = last.options.first() else { break };
                    if last.within > 0 || script.tape.iter().any(|it| sort(it) == sort(wanting)) {
                        break;
                    }
                    let [forced] = last.options.as_slice() else {
                        said.push(format!(
                            "the tape has no {} at all: the action at ply {next} asks for one, and {} are \
                             possible there, so that it cannot be filled in",
                            sort(wanting),
                            last.options.len(),
                        ));
                        break;
                    };
                    tape.insert(last.entry, forced.clone());
                    filling.entries.push((last.entry, forced.clone()));
                    places += 1;
                }
            }
        }
        // What did not help the last action is not proposed.
        if next < script.steps.len() && put > 0 {
            places -= 1;
            filling.actions.truncate(filling.actions.len() - put);
        }
        if places >= FEWEST {
            filling.words = words(&filling);
            let change = Change::Fill(Arc::new(filling));
            let (steps, tape) = script.changed(&change);
            let evidence = change.evidence(&script.evidence);
            let held = script.held(&evidence, self.base.claims.as_ref(), Some(from as u32));
            let rest = steps.get(from..).unwrap_or_default().iter();
            let source = begun.on(&tape);
            let run = go_on(&mut self.work, before, source, rest, steps.len(), &held)?;
            self.note(0, change, run, 0, 0);
        }
        Some(said)
    }

    /// The first legal action of a seat that decides which only lets things be.
    fn quiet(&mut self, table: &Table<G>) -> Option<Arc<Step<G::Action>>> {
        for seat in table.decision().seats.iter() {
            let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LISTED };
            let _ = table.legal(seat, &mut listing);
            self.work.spend(1 + (listing.actions.len() / 4) as u32)?;
            if let Some(action) = listing.actions.into_iter().find(|action| G::is_passive(action)) {
                let value = serde_json::to_value(&action).unwrap_or_default();
                return Some(Arc::new(Step { value, action: Some(action) }));
            }
        }
        None
    }
}

/// Of which kind an entry is, and for which deck or throw: `draw of dragon`.
fn sort(entry: &EntryOf<'_>) -> String {
    let value = entry_value(entry);
    let word = |field: &str| value.get(field).map(short);
    let of = word("side").or_else(|| word("at")).unwrap_or_default();
    match word("kind") {
        // Several dice in one entry are those dice one by one.
        Some(kind) if kind == "dice" => format!("die of {of}"),
        Some(kind) => format!("{kind} of {of}"),
        None => of,
    }
}

/// What is filled in, in plain words: each kind with its number and its first place.
fn words<A>(filling: &Filling<A>) -> String {
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, step) in &filling.actions {
        let kind = step.value.get("type").map_or_else(|| short(&Value::Null), short);
        kinds.entry(kind).or_insert((0, *at)).0 += 1;
    }
    let actions = kinds
        .into_iter()
        .map(|(kind, (count, first))| format!("{kind} ({count} times, first at ply {first})"));
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, entry) in &filling.entries {
        kinds.entry(sort(entry)).or_insert((0, *at)).0 += 1;
    }
    let entries = kinds.into_iter().map(|(kind, (count, first))| {
        format!("{kind} ({count} times, first at entry {first} of the tape)")
    });
    let all: Vec<String> = actions.chain(entries).collect();
    format!("put in what was left out throughout: {}", all.join(", "))
}
