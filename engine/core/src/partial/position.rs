//! Where a record with unknowns begins: a new game, a position, a position with unknowns, or what one player saw of it.
//!
//! Must not know what stands in a position; the game says what may.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::case::Case;
use super::guess::{self, Choice, Guess};
use super::hole::{UNKNOWN, has_unknown, one_of, places};
use super::scripts::Scripts;
use super::world::World;
use super::written::Partial;
use crate::budget::Budget;
use crate::game::{FullGame, Keep, Table};
use crate::record::{self, Fault, FaultCode};
use crate::replay::answer::Warning;
use crate::replay::completion::Witness;
use crate::replay::position_refused;
use crate::wire::escaped;

/// The most beginnings that are followed.
const MOST: usize = 4096;

/// The most unknowns of a position that are filled in.
const UNKNOWNS: usize = 64;

/// Worlds to begin with, whether these are all there are, and what to say of them.
type Beginnings<G> = (Vec<World<G>>, bool, Vec<Warning>);

/// Whether a position is what one viewer saw, or has only the number of some things, so that parts of it are hidden.
pub(crate) fn shows_part<G: FullGame>(position: &str) -> bool {
    let whole = record::read::<G::Position>(position, FaultCode::BadPosition, "").is_ok();
    let counts = || serde_json::from_str(position).is_ok_and(|it: Value| has_count(&it));
    !whole && (is_view::<G>(position) || counts())
}

/// Whether a position is what one viewer saw.
fn is_view<G: FullGame>(position: &str) -> bool {
    record::read::<G::View>(position, FaultCode::BadPosition, "").is_ok()
}

/// Whether something in a value is no more than a number of things (`{"count": 3}`).
fn has_count(value: &Value) -> bool {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("count") => true,
        Value::Object(fields) => fields.values().any(has_count),
        _ => false,
    }
}

/// Every way in which the record may begin, or the likeliest.
///
/// # Errors
/// The position is none, whatever its unknowns are.
pub(super) fn beginnings<G: FullGame>(
    case: &Case<'_, G>,
    budget: Budget<'_>,
) -> Result<Beginnings<G>, Fault> {
    let Some(position) = &case.partial.position else {
        let world = unopened(case, G::start(&case.setup), None);
        return Ok((vec![world], true, Vec::new()));
    };
    let text = position.to_string();
    if !has_unknown(position) && shows_part::<G>(&text) && is_view::<G>(&text) {
        return behind_a_view(case, &text, budget);
    }
    let position = counted(position, "", &|place| G::list_possible(&case.setup, place));
    filled(case, &position, budget)
}

fn unopened<G: FullGame>(
    case: &Case<'_, G>,
    state: G::State,
    position: Option<Arc<G::State>>,
) -> World<G> {
    World {
        table: Table::unopened(case.setup.clone(), state, Keep::Nothing),
        position,
        entry: 0,
        seeded: case.seeded.clone(),
        held: Vec::new(),
        rank: 0,
        loose: false,
        trail: None,
    }
}

/// Every state that the viewer of a view could be in.
fn behind_a_view<G: FullGame>(
    case: &Case<'_, G>,
    text: &str,
    budget: Budget<'_>,
) -> Result<Beginnings<G>, Fault> {
    let view: G::View = record::read(text, FaultCode::BadPosition, "/position")?;
    let memory = G::recall(&case.setup, &view);
    let about = guess::Table { tape: None, wants: &case.wants, hidden: true, free: false };
    let mut scripts = Scripts::new(MOST.min(case.most_worlds), 0);
    let (mut worlds, mut keys) = (Vec::new(), BTreeSet::new());
    let mut why = None;
    while let Some(script) = scripts.next() {
        budget.spend(4)?;
        let mut chance = Guess::new(&about, &script, (0, 0, 0), None, Vec::new());
        let state = G::imagine(&case.setup, &view, &memory, &mut chance);
        let Guess { held, choices, taken, .. } = chance;
        match state {
            Ok(state) => {
                let position = Some(Arc::new(state.clone()));
                let rank = taken.iter().sum();
                let world = World { held, rank, ..unopened(case, state, position) };
                if keys.insert(world.key()) {
                    worlds.push(world);
                }
            }
            Err(halt) => why = why.or(Some(halt)),
        }
        scripts.note(&choices, taken);
    }
    match (worlds.is_empty(), why) {
        (true, why) => {
            let why = why.map_or_else(String::new, |halt| format!(" ({halt:?})"));
            let detail = format!("no whole position looks like this to its viewer{why}");
            Err(Fault::new(FaultCode::PositionRefused, "/position", detail))
        }
        (false, _) => {
            let message = "what this view does not show is unknown".to_owned();
            let code = "view_as_position";
            let warning = Warning { code, pointer: "/position".to_owned(), message };
            Ok((worlds, scripts.all, vec![warning]))
        }
    }
}

/// A position in which numbers of unknown things (`{"count": 3}`) are lists of so many unknowns.
fn counted(value: &Value, at: &str, possible: &dyn Fn(&str) -> Vec<Value>) -> Value {
    match value {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("count") => {
            let count =
                fields.get("count").and_then(Value::as_u64).filter(|&it| it <= UNKNOWNS as u64);
            match count {
                Some(count) if !possible(&format!("{at}/0")).is_empty() => {
                    Value::Array(vec![UNKNOWN.into(); count as usize])
                }
                _ => value.clone(),
            }
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| {
                let field = counted(field, &format!("{at}/{}", escaped(key)), possible);
                (key.clone(), field)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            let items =
                items.map(|(index, item)| counted(item, &format!("{at}/{index}"), possible));
            Value::Array(items.collect())
        }
        other => other.clone(),
    }
}

/// An unknown of a position, and what may stand there, the likeliest first.
struct Gap {
    place: String,
    options: Vec<Value>,
}

/// The unknowns of a position.
fn gaps<G: FullGame>(case: &Case<'_, G>, position: &Value) -> Result<Vec<Gap>, Fault> {
    let bad = |place: &str, detail: String| {
        Fault::new(FaultCode::BadPosition, format!("/position{place}"), detail)
    };
    let places = places(position);
    if places.len() > UNKNOWNS {
        let detail =
            format!("there are {} unknowns; at most {UNKNOWNS} are filled in", places.len());
        return Err(bad("", detail));
    }
    let mut gaps: Vec<Gap> = Vec::with_capacity(places.len());
    for place in places {
        let mut options = G::list_possible(&case.setup, &place);
        if options.is_empty() {
            return Err(bad(&place, "what stands here cannot be unknown".to_owned()));
        }
        let written = position.pointer(&place);
        if let Some(values) = written.and_then(one_of) {
            options.retain(|option| values.contains(option));
            if options.is_empty() {
                return Err(bad(&place, "none of these may stand here".to_owned()));
            }
        }
        // Things of one list that are named one after the other.
        let list = place.rsplit_once('/').map_or("", |(list, _)| list);
        let before =
            gaps.iter().filter(|gap| gap.place.rsplit_once('/').map_or("", |it| it.0) == list);
        let soonest = case.wants.soonest(&options);
        if let Some(wanted) = soonest.get(before.count())
            && let Some(at) = options.iter().position(|option| option == wanted)
        {
            options[..=at].rotate_right(1);
        }
        gaps.push(Gap { place, options });
    }
    Ok(gaps)
}

/// The position with its unknowns filled in, in every way or the likeliest.
fn filled<G: FullGame>(
    case: &Case<'_, G>,
    position: &Value,
    budget: Budget<'_>,
) -> Result<Beginnings<G>, Fault> {
    let gaps = gaps(case, position)?;
    let choices: Vec<Choice> = gaps
        .iter()
        .filter(|gap| gap.options.len() > 1)
        .map(|gap| Choice { options: gap.options.len() as u32, card: false })
        .collect();
    let mut scripts = Scripts::new(MOST.min(case.most_worlds), 0);
    let (mut worlds, mut keys) = (Vec::new(), BTreeSet::new());
    let mut why: Option<Fault> = None;
    while let Some(script) = scripts.next() {
        budget.spend(8)?;
        let (mut taken, mut whole) = (Vec::new(), position.clone());
        for gap in &gaps {
            let mut pick = 0;
            if gap.options.len() > 1 {
                pick =
                    script.get(taken.len()).copied().unwrap_or(0).min(gap.options.len() as u32 - 1);
                taken.push(pick);
            }
            if let Some(place) = whole.pointer_mut(&gap.place) {
                *place = gap.options[pick as usize].clone();
            }
        }
        match load_state(case, &whole) {
            Ok(state) => {
                let rank = taken.iter().sum();
                let position = Some(Arc::new(state.clone()));
                let world = World { rank, ..unopened(case, state, position) };
                if keys.insert(world.key()) {
                    worlds.push(world);
                }
            }
            Err(fault) => why = why.or(Some(fault)),
        }
        scripts.note(&choices, taken);
    }
    match (worlds.is_empty(), why) {
        (true, Some(fault)) => Err(fault),
        _ => Ok((worlds, scripts.all, Vec::new())),
    }
}

fn load_state<G: FullGame>(case: &Case<'_, G>, position: &Value) -> Result<G::State, Fault> {
    let text = position.to_string();
    let position: G::Position = record::read(&text, FaultCode::BadPosition, "/position")?;
    G::load(&case.setup, position).map_err(|refusal| position_refused::<G>(&refusal))
}

/// What was left out of a position, and was taken as the rules document says.
pub(super) fn defaulted<G: FullGame>(
    setup: &G::Setup,
    partial: &Partial,
    witness: &Witness,
) -> Vec<Warning> {
    #[derive(Deserialize)]
    struct Only {
        #[serde(default)]
        position: Value,
    }
    let whole: Only =
        serde_json::from_str(witness.record.get()).unwrap_or(Only { position: Value::Null });
    let Some(given) = &partial.position else { return Vec::new() };
    let mut found = crate::replay::evidence::left_out(given, &whole.position);
    // A view shows what its viewer saw; the rest is unknown, and not left out.
    let text = whole.position.to_string();
    let loaded = record::read::<G::Position>(&text, FaultCode::BadPosition, "").ok();
    let state = loaded.filter(|_| !is_view::<G>(&given.to_string()) || has_unknown(given));
    if let Some(Ok(state)) = state.map(|position| G::load(setup, position)) {
        let hidden = crate::replay::evidence::hidden_left_out::<G>(setup, &state, given);
        let within = |pointer: &str| found.iter().any(|it| pointer.starts_with(&it.pointer));
        let more: Vec<Warning> = hidden.into_iter().filter(|it| !within(&it.pointer)).collect();
        found.extend(more);
    }
    found
}
