//! A world that accepts everything, written out as a whole record, and held against a plain replay of it.
//!
//! Must not give a witness that does not replay.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::case::Case;
use super::position::shows_part;
use super::wants::Deck;
use super::world::{Done, World};
use super::written::Partial;
use crate::budget::Budget;
use crate::chance::{Entry, EntryOf};
use crate::digest::Fingerprint;
use crate::game::{FullGame, Keep, Observer};
use crate::record::{self, Fault, RawRecord};
use crate::replay::answer::{Status, Violation, raw};
use crate::replay::completion::{Assumption, Witness};
use crate::replay::{Limits, load, run, verdict};
use crate::rules::Rule;

/// The most actions that go without saying before one that is refused even so.
const LED_ON: usize = 64;

/// The record of a world, if a plain replay of it is legal; with the fingerprint of its last state.
pub(super) fn verified<G: FullGame>(
    case: &Case<'_, G>,
    record: &RawRecord<'_>,
    world: &World<G>,
) -> Option<(Witness, Fingerprint)> {
    let whole = written_out(case, record, world)?;
    let read = RawRecord::read(whole.get().as_bytes()).ok()?;
    let judged = verdict::judge::<G>(&read, Limits::default()).ok()?;
    let status = judged.verdict.status;
    let legal = matches!(status, Status::Complete | Status::InProgress);
    if !legal || judged.verdict.claims.iter().any(|check| !check.holds) {
        return None;
    }
    let assumes = assumptions(case, world);
    let outcome = judged.verdict.outcome;
    let (places, plies) = (places(world), judged.verdict.plies);
    Some((Witness { record: whole, status, outcome, assumes, places, plies }, judged.fingerprint))
}

/// How an action of the record is refused behind a completion of what stands before it; nothing if it is not.
pub(super) fn refused<G: FullGame>(
    witness: &Witness,
    partial: &Partial,
    at: usize,
    budget: Budget<'_>,
) -> Option<Violation> {
    let whole: Value = serde_json::from_str(witness.record.get()).ok()?;
    let violation = judged_behind::<G>(&whole, partial.action(at)?, budget)?;
    let place = format!("/actions/{}", whole.get("actions")?.as_array()?.len());
    let below = violation.pointer.strip_prefix(&place)?;
    let pointer = format!("/actions/{at}{below}");
    Some(Violation { ply: at as u32, pointer, ..violation })
}

/// How an action is refused behind the actions of a whole record. What falls during such an action is not written.
fn judged_behind<G: FullGame>(
    whole: &Value,
    action: &Value,
    budget: Budget<'_>,
) -> Option<Violation> {
    let mut whole = whole.clone();
    whole.get_mut("actions")?.as_array_mut()?.push(action.clone());
    let whole = whole.to_string();
    let read = RawRecord::read(whole.as_bytes()).ok()?;
    verdict::judge::<G>(&read, Limits { budget, ..Limits::default() }).ok()?.verdict.violation
}

/// A completion of what stands before an action that is refused, led on by what goes without saying until the decision
/// that the action belongs to is due. It stays as it is if that decision never comes.
///
/// # Errors
/// The budget is spent.
pub(crate) fn led_on<G: FullGame>(
    witness: Witness,
    partial: &Partial,
    at: usize,
    budget: Budget<'_>,
) -> Result<Witness, Fault> {
    let led = led_to::<G>(&witness, partial, at, budget);
    budget.spend(0)?;
    Ok(led.unwrap_or(witness))
}

fn led_to<G: FullGame>(
    witness: &Witness,
    partial: &Partial,
    at: usize,
    budget: Budget<'_>,
) -> Option<Witness> {
    let protocol = G::CLAUSES.protocol.id();
    let action = partial.action(at)?;
    let mut led = witness.clone();
    let limits = Limits { budget, ..Limits::default() };
    for _ in 0..=LED_ON {
        let whole: Value = serde_json::from_str(led.record.get()).ok()?;
        let violation = judged_behind::<G>(&whole, action, budget)?;
        if violation.rules.iter().all(|rule| rule != protocol) {
            return Some(led);
        }
        let read = RawRecord::read(led.record.get().as_bytes()).ok()?;
        let played = run(load::<G>(&read, limits).ok()?, Keep::Nothing, &mut |_| {});
        let table = played.ok()?.table;
        let (setup, state) = (table.setup(), table.state());
        let named = partial.omitted.iter().filter_map(|name| {
            let omission = G::omissions().iter().position(|known| known.name == name)?;
            Some((name, G::fill_omission(setup, state, omission)?))
        });
        let (name, step) = named.into_iter().next()?;
        let said = G::describe_action(setup, None, &step);
        let step = serde_json::to_value(&step).ok()?;
        if judged_behind::<G>(&whole, &step, budget).is_some() {
            return None;
        }
        let mut whole = whole;
        whole.get_mut("actions")?.as_array_mut()?.push(step.clone());
        led.record = raw(&whole);
        led.plies += 1;
        let text = format!("put back ({name}): {}", said.unwrap_or_else(|| step.to_string()));
        let is = raw(&step);
        let at = Some(at as u32);
        led.assumes.push(Assumption { at, pointer: None, is, needed_at: None, text });
    }
    None
}

/// The record with everything filled in.
fn written_out<G: FullGame>(
    case: &Case<'_, G>,
    record: &RawRecord<'_>,
    world: &World<G>,
) -> Option<Box<RawValue>> {
    let base: Value = serde_json::from_str(&case.partial.base).ok()?;
    let base = base.as_object()?;
    let (mut actions, mut tape) = (Vec::new(), Vec::new());
    let mut put_back: Vec<u32> = Vec::new();
    for step in world.steps() {
        tape.extend(step.fallen.iter().map(|fallen| fallen.entry.clone()));
        match &step.done {
            Done::Begun => {}
            Done::Played { at, filled } => {
                let mut action = match filled {
                    Some(filled) => (**filled).clone(),
                    None => case.partial.actions[*at].clone(),
                };
                let note = case.partial.actions[*at].get(crate::wire::NOTE);
                if let (Some(fields), Some(note)) = (action.as_object_mut(), note) {
                    fields.insert(crate::wire::NOTE.to_owned(), note.clone());
                }
                actions.push(action);
            }
            Done::PutBack { at, action, .. } => {
                put_back.push(*at as u32);
                actions.push((**action).clone());
            }
        }
    }
    let mut whole = Map::new();
    for key in ["format", "game", "ruleset", "options", "players"] {
        if let Some(value) = base.get(key) {
            whole.insert(key.to_owned(), value.clone());
        }
    }
    let mut chance = Map::new();
    if let Some(seed) = &record.chance.seed {
        chance.insert("seed".to_owned(), json!(seed));
    }
    if case.partial.tape.is_some() || record.chance.seed.is_none() {
        chance.insert("tape".to_owned(), serde_json::to_value(&tape).ok()?);
    }
    whole.insert("chance".to_owned(), Value::Object(chance));
    if let Some(state) = &world.position {
        let view = G::view(&case.setup, state, Observer::Referee);
        let mut position = serde_json::to_value(&view).ok()?;
        // What there is not is left out of a position.
        if let Some(fields) = position.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        whole.insert("position".to_owned(), position);
    }
    whole.insert("actions".to_owned(), Value::Array(actions));
    if let Some(mut claims) = base.get("claims").cloned() {
        // The rest was said of the record as it was written.
        if let Some(fields) = claims.as_object_mut() {
            fields.retain(|name, _| name == "outcome");
        }
        whole.insert("claims".to_owned(), claims);
    }
    if let Some(checkpoints) = base.get("checkpoints").and_then(Value::as_array) {
        let moved = checkpoints.iter().map(|checkpoint| {
            let mut checkpoint = checkpoint.clone();
            let ply = checkpoint.get("ply").and_then(Value::as_u64).unwrap_or(0);
            let before = put_back.iter().filter(|&&at| u64::from(at) < ply).count() as u64;
            checkpoint["ply"] = json!(ply + before);
            if let Some(fields) = checkpoint.as_object_mut() {
                fields.remove("fingerprint");
            }
            checkpoint
        });
        let moved = moved.filter(|checkpoint| checkpoint.get("facts").is_some());
        whole.insert("checkpoints".to_owned(), Value::Array(moved.collect()));
    }
    for key in ["note", "meta"] {
        if let Some(value) = base.get(key) {
            whole.insert(key.to_owned(), value.clone());
        }
    }
    Some(raw(&whole))
}

/// Of each action of the record, how many actions the whole one has before it.
fn places<G: FullGame>(world: &World<G>) -> Vec<u32> {
    let steps = world.steps();
    let acts = steps.iter().filter(|step| !matches!(step.done, Done::Begun));
    let played = acts.enumerate().filter(|(_, step)| matches!(step.done, Done::Played { .. }));
    played.map(|(place, _)| place as u32).collect()
}

/// What a world assumes.
fn assumptions<G: FullGame>(case: &Case<'_, G>, world: &World<G>) -> Vec<Assumption> {
    let mut all = Vec::new();
    if let Some(state) = &world.position
        && case.partial.position.as_ref().is_some_and(is_in_part::<G>)
    {
        all.extend(in_position(case, state));
    }
    let mut drawn: Vec<(usize, String, String)> = Vec::new();
    for step in world.steps() {
        let at = match step.done {
            Done::Begun => None,
            Done::Played { at, .. } | Done::PutBack { at, .. } => Some(at as u32),
        };
        if let Done::PutBack { action, omission, .. } = &step.done {
            let text = format!("put back ({omission}): {}", said(case, action));
            all.push(Assumption { at, pointer: None, is: raw(&**action), needed_at: None, text });
        }
        if let Done::Played { at: place, filled: Some(filled) } = &step.done {
            let pointer = Some(format!("/actions/{place}"));
            let text = said(case, filled);
            all.push(Assumption { at, pointer, is: raw(&**filled), needed_at: None, text });
        }
        for fallen in step.fallen.iter().filter(|fallen| fallen.chosen) {
            let text = fell(&fallen.entry, at);
            if let EntryOf::Draw(draw) = &fallen.entry {
                drawn.push((all.len(), draw.side.to_string(), draw.card.to_string()));
            }
            let is = raw(&fallen.entry);
            let pointer = fallen.pointer.clone();
            all.push(Assumption { at, pointer, is, needed_at: None, text });
        }
    }
    needed(case, &drawn, &mut all);
    all
}

/// Says of each card that was assumed to be drawn which action names it: the first that no earlier card serves.
fn needed<G: FullGame>(
    case: &Case<'_, G>,
    drawn: &[(usize, String, String)],
    all: &mut [Assumption],
) {
    for deck in case.wants.decks() {
        let Deck { side, names, .. } = &*deck;
        for (row, name) in names.iter().enumerate() {
            let mut named = deck.named(row).iter();
            for (place, _, _) in drawn.iter().filter(|(_, of, card)| of == side && card == name) {
                let Some(assumed) = all.get_mut(*place) else { continue };
                let from = assumed.at.map_or(0, |at| at + 1);
                if let Some(&at) = named.by_ref().find(|&&at| from <= at) {
                    assumed.needed_at = Some(at);
                    assumed.text.push_str(&format!(", named by action {at}"));
                }
            }
        }
    }
}

/// Whether a position says of something only that it is there.
fn is_in_part<G: FullGame>(position: &Value) -> bool {
    super::hole::has_unknown(position) || shows_part::<G>(&position.to_string())
}

/// The values that the unknowns of a position have in a state.
fn in_position<G: FullGame>(case: &Case<'_, G>, state: &Arc<G::State>) -> Vec<Assumption> {
    let view = G::view(&case.setup, state, Observer::Referee);
    vec![Assumption {
        at: None,
        pointer: Some("/position".to_owned()),
        is: raw(&view),
        needed_at: None,
        text: "the position as it stands in the witness".to_owned(),
    }]
}

fn said<G: FullGame>(case: &Case<'_, G>, action: &Value) -> String {
    let text = action.to_string();
    let read = record::action::<G::Action>(&text).ok();
    read.and_then(|action| G::describe_action(&case.setup, None, &action)).unwrap_or(text)
}

/// What fell, in words.
fn fell(entry: &Entry, at: Option<u32>) -> String {
    let when = match at {
        None => "before the first action".to_owned(),
        Some(at) => format!("during action {at}"),
    };
    match entry {
        EntryOf::Draw(draw) => format!("{} draws {} {when}", draw.side, draw.card),
        EntryOf::Die(die) => format!("the die for {} shows {} {when}", die.at, die.value),
        EntryOf::Dice(dice) => format!("the dice for {} show {:?} {when}", dice.at, dice.values),
        EntryOf::Shuffle(order) => format!("the deck of {} lies in an order {when}", order.side),
    }
}

/// How often the cards that an action names were named so far, and how many there are, where that is too often.
pub(super) fn counted<G: FullGame>(
    case: &Case<'_, G>,
    at: usize,
    _world: &World<G>,
) -> Vec<String> {
    let mut words = Vec::new();
    for deck in case.wants.decks() {
        for (row, name) in deck.names.iter().enumerate() {
            let named = deck.named(row);
            let so_far = named.partition_point(|&it| it as usize <= at);
            let here = named[..so_far].iter().any(|&it| it as usize == at);
            let total = deck.totals.get(row).copied().unwrap_or(0) as usize;
            if here && so_far > total {
                let places: Vec<String> =
                    named[..so_far].iter().map(|it| format!("action {it}")).collect();
                let (cards, times) = match total {
                    1 => ("one".to_owned(), so_far),
                    total => (total.to_string(), so_far),
                };
                words.push(format!(
                    "{} names {name} for the {} time ({}), and the deck has {cards}",
                    deck.side,
                    ordinal(times),
                    places.join(", ")
                ));
            }
        }
    }
    words
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
