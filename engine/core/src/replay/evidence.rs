//! What a record states of moments of its game, held against the tables there.
//!
//! Must not change a verdict on legality: a checkpoint that is not so is a finding beside it. Its
//! answers are the referee's.

use std::sync::Arc;

use serde_json::Value;

use super::answer::{ClaimCheck, Warning};
use crate::digest::fingerprint;
use crate::game::{Game, Observer, Paper, Table};
use crate::record::{Fault, FaultCode, RawRecord};
use crate::wire::escaped;

/// What looking at a checkpoint costs, in actions played.
pub(crate) const LOOK: u32 = 16;

/// The most characters of a value that a check shows.
const SHOWN: usize = 400;

/// One checkpoint, its viewer known.
#[derive(Clone, Debug)]
struct Stated {
    /// Its place in the record.
    at: usize,
    viewer: Observer,
    facts: Option<Value>,
    fingerprint: Option<String>,
}

/// The checkpoints of a record in the order of their plies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// Each with the number of actions accepted before its moment.
    list: Vec<(u32, Arc<Stated>)>,
}

impl Evidence {
    /// The checkpoints of a record.
    ///
    /// # Errors
    /// [`FaultCode::BadRecord`] where a viewer is none of the game.
    pub(crate) fn of<G: Game>(record: &RawRecord<'_>) -> Result<Self, Fault> {
        let mut list = Vec::new();
        for (at, one) in record.checkpoints.iter().flat_map(|all| &all.list).enumerate() {
            let viewer = match one.viewer.as_deref() {
                None | Some("referee") => Observer::Referee,
                Some("spectator") => Observer::Spectator,
                Some(name) => Observer::Seat(G::META.seat(name).ok_or_else(|| {
                    let seats = G::META.seats.join(", ");
                    let detail = format!(
                        "{name:?} is no viewer; referee, spectator or a seat is expected: {seats}"
                    );
                    Fault::new(FaultCode::BadRecord, format!("/checkpoints/{at}/viewer"), detail)
                })?),
            };
            let fingerprint = one.fingerprint.as_deref().map(str::to_owned);
            let facts = one.facts.clone();
            list.push((one.ply, Arc::new(Stated { at, viewer, facts, fingerprint })));
        }
        list.sort_by_key(|(ply, _)| *ply);
        Ok(Evidence { list })
    }

    /// The place in the record of each checkpoint, and its ply, in the order of the plies.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, u32)> {
        self.list.iter().map(|(ply, one)| (one.at, *ply))
    }

    /// The same where an action more (or one less) stands at this place among the actions.
    pub(crate) fn moved(&self, at: u32, by: i32) -> Self {
        let mut moved = self.clone();
        for (ply, _) in moved.list.iter_mut().filter(|(ply, _)| *ply > at) {
            *ply = ply.saturating_add_signed(by);
        }
        moved
    }

    /// Forgets fingerprints: of what is unknown nobody could guess one. Whether there were any.
    pub(crate) fn forget_fingerprints(&mut self) -> bool {
        let mut any = false;
        for (_, one) in &mut self.list {
            if one.fingerprint.is_some() {
                let one = Arc::make_mut(one);
                (one.fingerprint, any) = (None, true);
            }
        }
        any
    }

    /// Forgets what is stated of later moments.
    pub(crate) fn forget_beyond(&mut self, plies: u32) {
        self.list.retain(|(ply, _)| *ply <= plies);
    }

    fn here(&self, ply: u32) -> &[(u32, Arc<Stated>)] {
        let from = self.list.partition_point(|(it, _)| *it < ply);
        let to = self.list.partition_point(|(it, _)| *it <= ply);
        self.list.get(from..to).unwrap_or_default()
    }

    /// The first place in the record that speaks of this ply.
    pub(crate) fn first_at(&self, ply: u32) -> String {
        self.here(ply)
            .first()
            .map_or_else(String::new, |(_, one)| format!("/checkpoints/{}", one.at))
    }

    /// How many checkpoints speak of this ply.
    pub(crate) fn count(&self, ply: u32) -> u32 {
        self.here(ply).len() as u32
    }

    /// What is stated of this moment, each value of it checked.
    pub(crate) fn look<G: Game>(&self, table: &Table<G>, to: &mut Vec<ClaimCheck>) {
        for (ply, one) in self.here(table.ply()) {
            if let Some(facts) = &one.facts {
                let view = serde_json::to_value(table.view(one.viewer)).unwrap_or_default();
                let pointer = format!("/checkpoints/{}/facts", one.at);
                compare(pointer, facts, Some(&view), &mut |claim, said, is| {
                    to.push(ClaimCheck {
                        claim,
                        ply: Some(*ply),
                        claimed: Some(shown(said)),
                        actual: is.map(shown),
                        holds: is == Some(said),
                    });
                });
            }
            if let Some(claimed) = &one.fingerprint {
                let actual = fingerprint(&table.view(Observer::Referee)).to_string();
                to.push(ClaimCheck {
                    claim: format!("/checkpoints/{}/fingerprint", one.at),
                    ply: Some(*ply),
                    holds: *claimed == actual,
                    claimed: Some(claimed.clone()),
                    actual: Some(actual),
                });
            }
        }
    }

    /// How many values stated of the moment `ply` are not so of this table.
    pub(crate) fn broken<G: Game>(&self, table: &Table<G>, ply: u32) -> u32 {
        let mut broken = 0;
        for (_, one) in self.here(ply) {
            if let Some(facts) = &one.facts {
                let view = serde_json::to_value(table.view(one.viewer)).unwrap_or_default();
                compare(String::new(), facts, Some(&view), &mut |_, said, is| {
                    broken += u32::from(is != Some(said));
                });
            }
            if let Some(claimed) = &one.fingerprint {
                let actual = fingerprint(&table.view(Observer::Referee)).to_string();
                broken += u32::from(*claimed != actual);
            }
        }
        broken
    }

    /// How many checkpoints speak of moments that the game did not reach.
    pub(crate) fn unreached(&self, plies: u32) -> u32 {
        (self.list.len() - self.list.partition_point(|(ply, _)| *ply <= plies)) as u32
    }

    /// What is stated of moments that the game did not reach.
    pub(crate) fn beyond(&self, plies: u32, to: &mut Vec<ClaimCheck>) {
        let from = self.list.partition_point(|(ply, _)| *ply <= plies);
        to.extend(self.list.iter().skip(from).map(|(ply, one)| ClaimCheck {
            claim: format!("/checkpoints/{}/ply", one.at),
            ply: Some(*ply),
            claimed: Some(ply.to_string()),
            actual: Some(plies.to_string()),
            holds: false,
        }));
    }
}

/// Holds each value of the facts against the view: objects field by field, lists of objects item by
/// item where they are equally long, everything else as a whole.
fn compare<'v>(
    pointer: String,
    said: &'v Value,
    is: Option<&'v Value>,
    check: &mut dyn FnMut(String, &'v Value, Option<&'v Value>),
) {
    match (said, is) {
        (Value::Object(said), Some(Value::Object(is))) => {
            let mut fields: Vec<(&String, &Value)> = said.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            for (name, said) in fields {
                compare(format!("{pointer}/{}", escaped(name)), said, is.get(name), check);
            }
        }
        (Value::Array(said), Some(Value::Array(is)))
            if said.len() == is.len() && said.iter().any(Value::is_object) =>
        {
            for (at, (said, is)) in said.iter().zip(is).enumerate() {
                compare(format!("{pointer}/{at}"), said, Some(is), check);
            }
        }
        _ => check(pointer, said, is),
    }
}

/// A value as a check shows it: text as it is, anything else as JSON, cut off where it is long.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

/// What was left out of a position, by what stands there in the whole of it.
pub(crate) fn left_out(given: &Value, whole: &Value) -> Vec<Warning> {
    let (Some(given), Some(whole)) = (given.as_object(), whole.as_object()) else {
        return Vec::new();
    };
    let mut fields: Vec<(&String, &Value)> = whole.iter().collect();
    fields.sort_by_key(|(name, _)| *name);
    let missing = fields.into_iter().filter(|(name, _)| !given.contains_key(*name));
    missing.map(|(name, value)| defaulted(name, value)).collect()
}

/// Something that is left out of a position, as a warning: its place below the position, and what it is taken as.
fn defaulted(name: &str, value: &Value) -> Warning {
    let value = serde_json::to_string(value).unwrap_or_default();
    let shown = match value.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value,
    };
    let message = format!("{name:?} is left out of the position; it is taken as {shown}");
    let pointer = match name.split_once('/') {
        Some((field, part)) => format!("/position/{}/{}", escaped(field), escaped(part)),
        None => format!("/position/{}", escaped(name)),
    };
    Warning { code: "defaulted", pointer, message }
}

/// What was left out of a loaded position and is hidden from people at the table: cards that may as well be unknown, but
/// are taken as the game's documents say. Of what everybody sees only that is listed which the game finds doubtful.
pub(crate) fn hidden_left_out<G: Paper>(
    setup: &G::Setup,
    state: &G::State,
    given: &Value,
) -> Vec<Warning> {
    let view = |viewer| serde_json::to_value(G::view(setup, state, viewer)).unwrap_or_default();
    let (whole, seen) = (view(Observer::Referee), view(Observer::Spectator));
    let mut found = Vec::new();
    for (name, part) in whole.as_object().into_iter().flatten() {
        for (key, value) in part.as_object().into_iter().flatten() {
            let place = format!("/{}/{}", escaped(name), escaped(key));
            let stated = given.pointer(&place).is_some();
            let hidden = seen.pointer(&place) != Some(value);
            if !stated && hidden && !G::list_possible(setup, &format!("{place}/0")).is_empty() {
                found.push(defaulted(&format!("{name}/{key}"), value));
            }
        }
    }
    for name in G::list_doubtful(given, &whole) {
        let value = name.split('/').fold(&whole, |value, key| &value[key]);
        found.push(defaulted(&name, value));
    }
    found.sort_by(|one, other| one.pointer.cmp(&other.pointer));
    found
}
