//! Where two readings part, and why.
//!
//! This module must not judge which of them is right.

use serde_json::Value;

use super::answer::{Parting, PartingKind};
use super::case::{Case, OpenedTable};
use super::course::LastStep;
use super::run::Run;
use crate::digest::fingerprint;
use crate::dispute::compare::same_game;
use crate::dispute::explain::{name_wholes, say_difference, view_json};
use crate::dispute::patch::{self, Edit};
use crate::dispute::transcribe::Transcript;
use crate::game::{FullGame, Keep, Observer, Table, TableSetup};
use crate::replay::End;
use crate::replay::answer::cite;
use crate::replay::reading::ReadingChoice;
use crate::replay::tape_fault::TapeFault;
use crate::rules::{Rule, RuleEntry};

/// The lines of the one that the other has not.
pub(super) fn only<T: PartialEq + Clone>(one: &[T], other: &[T]) -> Vec<T> {
    let mut left: Vec<&T> = other.iter().collect();
    let mut lines = Vec::new();
    for line in one {
        match left.iter().position(|had| *had == line) {
            Some(at) => drop(left.swap_remove(at)),
            None => lines.push(line.clone()),
        }
    }
    lines
}

/// The step at which two courses of a record part, on each side.
pub(super) type Steps<G> = (LastStep<G>, LastStep<G>, (u32, PartingKind));

/// The steps at which the record as it stands parts under a reading. The `recorded` one stands before them.
pub(super) fn plain_steps<G: FullGame>(
    case: &Case<'_, G>,
    recorded: &OpenedTable<'_, G>,
    other: &OpenedTable<'_, G>,
    (ply, how): (u32, PartingKind),
) -> Steps<G> {
    let opening =
        how == PartingKind::Opening || recorded.failed.is_some() || other.failed.is_some();
    let plies = if opening { 0 } else { ply as usize + 1 };
    let one = case.last(recorded.clone(), plies, |ply| case.never_played(ply));
    let accepted = one.end.is_none();
    let two = case.last(other.clone(), plies, |at| at < ply || accepted || case.never_played(at));
    (one, two, (ply, how))
}

/// The steps at which a record that was carried over leaves the recorded course: the first action of the record
/// from which on both are never the same game again. `None` if they are the same game in the end. So many actions are known
/// to leave the `same` game as they stand; the `recorded` one stands behind them at most.
pub(super) fn carried_steps<'a, G: FullGame>(
    case: &'a Case<'a, G>,
    reading: &ReadingChoice,
    recorded: &OpenedTable<'a, G>,
    transcript: &Transcript<'a, G>,
    same: u32,
) -> Option<Steps<G>> {
    // What is played on the other side up to each action of the record.
    let mut counts = vec![0; case.actions.len()];
    for (number, place) in transcript.places.iter().enumerate() {
        if let Some(count) = place.and_then(|at| counts.get_mut(at)) {
            *count = number + 1;
        }
    }
    for at in 1..counts.len() {
        counts[at] = counts[at].max(counts[at - 1]);
    }
    // What is filled in at the end belongs to the last action, or to the one that is refused there.
    let last = transcript.stuck.or(counts.len().checked_sub(1));
    if let Some(last) = last.and_then(|at| counts.get_mut(at)) {
        *last = transcript.actions.len();
    }
    let other = case.open_carried(reading, Keep::Nothing)?;
    let mut beside = Run::from(recorded);
    let mut run = Run::from(&other);
    // Where they part, and both as they stood before.
    let mut parted: Option<(usize, [OpenedTable<'a, G>; 2])> = None;
    for (at, action) in case.actions.iter().enumerate() {
        case.budget.spend(1).ok()?;
        let looked_at = at >= same as usize || transcript.stuck == Some(at);
        let before = (looked_at && parted.is_none()).then(|| [beside.opened(), run.opened()]);
        if at >= beside.table.ply() as usize {
            beside.step(action, case.never_played(at as u32));
        }
        while (run.table.ply() as usize) < counts[at] && run.end.is_none() {
            run.step(&transcript.actions[run.table.ply() as usize], true);
        }
        if !looked_at {
            continue;
        }
        let ended = beside.end.is_some() || transcript.stuck == Some(at);
        if !ended && same_game(&beside.table, &run.table, false) {
            parted = None;
        } else if let Some(before) = before {
            parted = Some((at, before));
        }
        if ended {
            break;
        }
    }
    let (at, [one, two]) = parted?;
    let one = case.last(one, at + 1, |ply| case.never_played(ply));
    let before = at.checked_sub(1).map_or(0, |before| counts[before]);
    let mut two = LastStep::replay(two, &transcript.actions[..counts[at]], before, |_| true);
    if transcript.stuck == Some(at) {
        two.end.clone_from(&transcript.run.end);
    }
    let how = match (&one.end, &two.end) {
        (None, Some(End::Chance { .. })) => PartingKind::Chance,
        (None, Some(_)) => PartingKind::Refused,
        (Some(_), None) => PartingKind::Allowed,
        (Some(_), Some(_)) => PartingKind::OtherClause,
        (None, None) => PartingKind::State,
    };
    Some((one, two, (at as u32, how)))
}

/// Where and how two courses part.
pub(super) fn parting<G: FullGame>(
    reading: &ReadingChoice,
    (one, two, (ply, how)): Steps<G>,
) -> Parting {
    let view = |table: &Table<G>| view_json::<G>(table.setup(), table.state(), Observer::Referee);
    // Where the same draw is missing on both sides, what the action did before it is compared.
    let [one_table, two_table] = match (how, &one.halfway, &two.halfway) {
        (PartingKind::State, Some(one), Some(two)) => [&**one, &**two],
        _ => [&one.table, &two.table],
    };
    let (one_view, two_view) = (view(one_table), view(two_table));
    // Without its draws nothing is known of the other state.
    let (difference, bookkeeping) = match how {
        PartingKind::Chance => Default::default(),
        _ => differences(one_table, two_table, Some([&one_view, &two_view])),
    };
    let mut words = Vec::new();
    let sides = ["as recorded", "under this reading"];
    for (end, whose) in [&one.end, &two.end].into_iter().zip(sides) {
        match end {
            Some(End::Refused(refusal)) => {
                words.push(format!("refused {whose}: {}", refusal.message));
            }
            // Where it is missing on both sides, this is not a difference.
            Some(End::Chance { .. }) if how == PartingKind::State => {}
            Some(End::Chance { halt, rule }) => {
                let text = TapeFault::of::<G>(halt, *rule).message;
                words.push(format!("no draw {whose}: {text}"));
            }
            Some(End::Played) | None => {}
        }
    }
    words.extend(say_difference::<G>(one.table.setup(), &one_view, &difference, sides, 20));
    // What happened says more than a thing that has no words.
    let [recorded, instead] =
        [only(&one.rendered, &two.rendered), only(&two.rendered, &one.rendered)];
    if words.is_empty() && recorded.is_empty() && instead.is_empty() {
        words = name_wholes(&difference);
    }
    // The ruling first, then the clauses it settles among those cited, then the other clauses.
    let mut cited: Vec<G::Rule> = Vec::new();
    let sides = [only(&one.cited, &two.cited), only(&two.cited, &one.cited)];
    for end in [&one.end, &two.end].into_iter().flatten() {
        match end {
            End::Refused(refusal) => cited.extend(refusal.all()),
            End::Chance { rule, .. } => cited.extend(rule),
            End::Played => {}
        }
    }
    cited.extend(sides.iter().flatten().flat_map(|(_, rules)| rules));
    let entries = || cited.iter().map(|rule| rule.entry());
    let table = || G::Rule::TABLE.iter();
    // Of what a version or an edition reads otherwise, the rulings that bear on the clauses cited.
    let whole = reading.ruleset.is_some() || reading.edition.is_some();
    let differs = |id: &str| {
        let ruling = G::Setup::rulings().iter().position(|def| def.id == id);
        let read = |table: &Table<G>| ruling.map(|ruling| table.setup().reading(ruling));
        read(&one.table) != read(&two.table)
    };
    let named = |rule: &RuleEntry| {
        let bears = || entries().any(|it| it.id == rule.id || rule.settles.contains(&it.id));
        reading.rulings.contains_key(rule.id) || whole && differs(rule.id) && bears()
    };
    let settled: Vec<&str> = table()
        .filter(|entry| named(entry))
        .flat_map(|entry| entry.settles.iter().copied())
        .collect();
    let hit = entries().any(|entry| settled.contains(&entry.id));
    // Where neither cites a clause that the ruling settles, the clauses it settles are the cause.
    let order = table()
        .filter(|entry| named(entry))
        .chain(entries().filter(|entry| settled.contains(&entry.id)))
        .chain(table().filter(|entry| !hit && settled.contains(&entry.id)))
        .chain(entries());
    Parting {
        ply,
        how,
        rules: cite(order, G::Setup::edition(two.table.setup())),
        recorded,
        instead,
        words,
        difference,
        bookkeeping,
        fingerprints: [fingerprint(&one_view), fingerprint(&two_view)],
    }
}

/// What makes one table's view (the referee's) of the other's: the game, and what only keeps books.
/// `seen` are those views as JSON, where they are at hand.
pub(super) fn differences<G: FullGame>(
    one: &Table<G>,
    two: &Table<G>,
    seen: Option<[&Value; 2]>,
) -> (Vec<Edit>, Vec<Edit>) {
    let json = |view: &G::View| serde_json::to_value(view).unwrap_or_default();
    let (first, second) = (one.view(Observer::Referee), two.view(Observer::Referee));
    if first == second {
        return Default::default();
    }
    let all = match seen {
        Some([one, two]) => patch::difference(one, two),
        None => patch::difference(&json(&first), &json(&second)),
    };
    let (mut one, mut two) = (first.clone(), second.clone());
    G::strip_bookkeeping(&mut one);
    G::strip_bookkeeping(&mut two);
    if one == two {
        return (Vec::new(), all);
    }
    if one == first && two == second {
        return (all, Vec::new());
    }
    let game = patch::difference(&json(&one), &json(&two));
    all.into_iter().partition(|edit| game.contains(edit))
}
