//! The search itself: which edits are tried, where, in which order, and which are kept.
//!
//! This module must not know any game, and must not propose what a replay does not show to hold.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{edit_cost, leaves, one_field};
use super::habits::{Habits, types};
use super::{
    Asked, Base, Change, Found, NextFault, Rank, Repair, RepairBounds, Repairs, Run, Script, Spot,
    Step, Steps, Work, change_tape, entry_value, go_on, keeping_notes, other_entry, stated,
};
use crate::chance::EntryOf;
use crate::chance::seeded::Seeded;
use crate::dispute::patch::{Edit, apply};
use crate::game::{ActionRange, FullGame, Listing};
use crate::record::{Fault, RawRecord};
use crate::replay::answer::{ENGINE, Judgement};
use crate::replay::nearest::similarity;
use crate::replay::verdict::judge;
use crate::replay::{Limits, Loaded, load};
use crate::wire::{NOTE, escaped};

/// Plies in front of the fault at which everything is tried.
const NEAR: usize = 12;
/// The same after a first repair.
const NEAR_AGAIN: usize = 6;
/// The most legal actions of a seat that are looked at in front of the fault, and at it.
const LISTED: usize = 400;
const LISTED_AT_FAULT: usize = 5000;
/// The same at the plies before those around the fault.
const LISTED_FAR: usize = 100;
/// The most values that are put into the fields of one action that cannot be listed.
const VALUES: usize = 200;
const VALUES_AT_FAULT: usize = 1500;
/// The numbers that are tried in an action that cannot be listed, from 0 on, beside those of its bounds, and
/// how many such actions at one moment.
const NUMBERS: u32 = 7;
const MOST_ALIKE: usize = 120;
/// How odd it is that somebody acts who is not asked: more than any form.
const UNASKED: u32 = 100;
/// How many repairs are gone on from when one edit is not enough.
const BEAM: usize = 6;
/// The last of the kinds that happen easily, of which some are shown whatever else there is.
const LIKELY: u8 = 4;
/// How many repairs of one kind are kept at one place, at least.
const MOST_AT_PLACE: usize = 6;
/// How many repairs are kept while searching.
const KEPT: usize = 64;

/// A search for the repairs of one record.
pub(super) struct Search<'r, 'b, G: FullGame> {
    pub(super) base: Base<G>,
    pub(super) work: Work<'b>,
    pub(super) scripts: Vec<Rc<Script<'r, G>>>,
    found: Vec<Found<G::Action>>,
    number: u32,
    habits: Habits<G::Action>,
}

impl<'r, G: FullGame> Search<'r, '_, G> {
    /// Keeps a repair if it gets further than the script it changes.
    pub(super) fn note(
        &mut self,
        of: usize,
        change: Change<G::Action>,
        run: Run,
        distance: usize,
        edit_cost: u32,
    ) {
        let Some(script) = self.scripts.get(of) else { return };
        let before = script.run;
        let better = match before.whole {
            true => run.whole && run.broken < before.broken,
            false => run.whole || run.left + change.forces(before.plies) < before.left,
        };
        if !better {
            return;
        }
        // Where every action is legal, it was most likely a die or card that was written down wrongly.
        let kind = match change {
            Change::Fall { .. } | Change::Exchange { .. } if before.whole => 0,
            _ if before.whole => change.kind() + 1,
            _ => change.kind(),
        };
        self.number += 1;
        let rank = Rank {
            faulty: !run.whole,
            left: run.left,
            broken: run.broken,
            edits: script.edits.len() + change.edits_made(),
            over: run.over,
            kind,
            distance,
            edit_cost,
            number: self.number,
        };
        self.found.push(Found { rank, of, change });
        if self.found.len() >= 8 * KEPT {
            self.thin_out();
        }
    }

    /// Keeps the best, and not too many of one kind or at one place.
    fn thin_out(&mut self) {
        self.found.sort_by_key(|found| found.rank);
        let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
        let mut places: BTreeMap<(usize, u8, usize), Vec<Edit>> = BTreeMap::new();
        let most = MOST_AT_PLACE.max(self.work.bounds.most);
        self.found.retain(|Found { of, change, .. }| {
            let place = places.entry((*of, change.kind(), change.place())).or_default();
            let edit = change.edit();
            if place.contains(&edit) {
                return false;
            }
            place.push(edit);
            let kind = kinds.entry(change.kind()).or_default();
            *kind += 1;
            *kind <= KEPT / 2 && place.len() <= most
        });
        self.found.truncate(2 * KEPT);
    }

    /// How many make the whole legal, with all that the record states of itself.
    fn whole(&self) -> usize {
        self.found.iter().filter(|found| !found.rank.faulty && found.rank.broken == 0).count()
    }

    /// Tries a change of actions from the moment in front of it.
    fn try_actions(
        &mut self,
        of: usize,
        script: &Script<'_, G>,
        spot: &Spot<G>,
        change: Change<G::Action>,
        distance: usize,
        edit_cost: u32,
    ) -> Option<()> {
        let steps = &script.steps;
        let (mut count, mut head, rest) = (steps.len(), Vec::new(), spot.table.ply() as usize);
        let rest = match &change {
            Change::Shift { from, to } if from > to => {
                head.push(steps.get(*from)?);
                head.extend(steps.get(*to..*from)?);
                from + 1
            }
            Change::Shift { from, to } => {
                head.extend(steps.get(from + 1..=*to)?);
                head.push(steps.get(*from)?);
                to + 1
            }
            Change::Take { .. } => {
                count -= 1;
                rest + 1
            }
            Change::Put { step, .. } => {
                head.push(step);
                count += 1;
                rest
            }
            Change::Set { step, .. } | Change::Write { step, .. } => {
                head.push(step);
                rest + 1
            }
            _ => rest,
        };
        let all = head.into_iter().chain(steps.get(rest..).unwrap_or_default());
        let source = spot.source.on(&script.tape);
        let (table, at) = (spot.table.clone(), spot.table.ply());
        let evidence = change.evidence(&script.evidence);
        let mut held = script.held(&evidence, self.base.claims.as_ref(), Some(at));
        if let Change::Take { .. } = change {
            // What is stated of the moment after it is now stated of this one.
            held.broken += stated(&mut self.work, &script.evidence, &table, at + 1)?;
        }
        let run = go_on(&mut self.work, table, source, all, count, &held)?;
        self.note(of, change, run, distance, edit_cost);
        Some(())
    }

    /// Tries everything at the plies up to the fault, the fault first.
    fn near(&mut self, of: usize, window: usize) -> Option<()> {
        let script = self.scripts.get(of)?.clone();
        let fault = script.fault();
        if script.places.is_empty() {
            return self.opening(of, &script);
        }
        for distance in 0..=window.min(fault) {
            let at = fault - distance;
            let spot = script.spot(&mut self.work, at)?;
            self.order(of, &script, &spot)?;
            if distance == 0 {
                self.elsewhere(of, &script, &spot)?;
                self.entries(of, &script, at)?;
            }
            let most = if distance == 0 { LISTED_AT_FAULT } else { LISTED };
            self.fields_and_gaps(of, &script, &spot, most)?;
        }
        for distance in 1..=window.min(fault) {
            self.entries(of, &script, fault - distance)?;
        }
        if window >= fault { self.opening(of, &script) } else { Some(()) }
    }

    /// Tries every die and card up to where a legal record is not as it states, the last one first.
    fn fallen(&mut self) -> Option<()> {
        let script = self.scripts.first()?.clone();
        for at in (0..script.fault()).rev() {
            self.entries(0, &script, at)?;
        }
        self.opening(0, &script)
    }

    /// Tries what is cheap at all plies before those.
    fn far(&mut self, of: usize, window: usize) -> Option<()> {
        let script = self.scripts.get(of)?.clone();
        let plies = script.fault().saturating_sub(window);
        let outer = self.work.cap;
        self.work.share(outer, 60);
        for at in (0..plies).rev() {
            let Some(spot) = script.spot(&mut self.work, at) else { break };
            if self.order(of, &script, &spot).is_none() {
                break;
            }
        }
        self.work.cap = outer;
        if script.taped && plies > 0 {
            for at in (0..plies).rev() {
                self.entries(of, &script, at)?;
            }
            self.opening(of, &script)?;
        }
        Some(())
    }

    /// Tries fields and missing actions at all plies before those around the fault.
    fn far_gaps(&mut self, of: usize, window: usize) -> Option<()> {
        let script = self.scripts.get(of)?.clone();
        for at in (0..script.fault().saturating_sub(window)).rev() {
            let spot = script.spot(&mut self.work, at)?;
            self.fields_and_gaps(of, &script, &spot, LISTED_FAR)?;
        }
        Some(())
    }

    /// An action too much, or two neighbours in the wrong order.
    fn order(&mut self, of: usize, script: &Script<'_, G>, spot: &Spot<G>) -> Option<()> {
        let at = spot.table.ply() as usize;
        let fault = script.fault();
        let Some(step) = script.steps.get(at) else { return Some(()) };
        let same = |other: Option<&Arc<Step<G::Action>>>| {
            other.is_some_and(|other| other.value == step.value)
        };
        let twice = same(at.checked_sub(1).and_then(|before| script.steps.get(before)));
        let again = same(script.steps.get(at + 1));
        // Of two that are the same, the second is taken out.
        if !again || at == fault {
            let change = Change::Take { at, twice };
            self.try_actions(of, script, spot, change, fault - at, 0)?;
        }
        if !again && at + 1 < script.steps.len() {
            let change = Change::Shift { from: at + 1, to: at };
            self.try_actions(of, script, spot, change, fault - at, 0)?;
        }
        Some(())
    }

    /// An action that belongs to the fault and stands a little after it, or the other way round.
    fn elsewhere(&mut self, of: usize, script: &Script<'_, G>, spot: &Spot<G>) -> Option<()> {
        let fault = script.fault();
        for far in 2..=6 {
            if fault + far >= script.steps.len() {
                break;
            }
            for (from, to) in [(fault + far, fault), (fault, fault + far)] {
                self.try_actions(of, script, spot, Change::Shift { from, to }, far, 0)?;
            }
        }
        if fault == script.steps.len() {
            return Some(());
        }
        for far in 2..=NEAR_AGAIN.min(fault) {
            let (from, to) = (fault, fault - far);
            let spot = script.spot(&mut self.work, to)?;
            self.try_actions(of, script, &spot, Change::Shift { from, to }, far, 0)?;
        }
        Some(())
    }

    /// Dice and cards that were used at a ply, or that are asked for at the fault.
    fn entries(&mut self, of: usize, script: &Script<'_, G>, at: usize) -> Option<()> {
        let (Some(&(first, within)), true) = (script.places.get(at), script.taped) else {
            return Some(());
        };
        let fault = script.fault();
        let end = match script.places.get(at + 1) {
            Some(&(next, within)) => next + usize::from(within > 0),
            // Behind the last action only entries that are left over can be wrong.
            None if at == script.steps.len() => script.tape.len().min(first + LISTED),
            None => script.asked.last().map_or(first, |asked| asked.entry + 1),
        };
        for entry in (first + usize::from(within > 0)..end).rev() {
            self.entry(of, script, entry, fault - at)?;
        }
        Some(())
    }

    /// Dice and cards of the opening.
    fn opening(&mut self, of: usize, script: &Script<'_, G>) -> Option<()> {
        if !script.taped {
            return Some(());
        }
        let first = self.base.source.tape().map_or(0, |tape| tape.place().0);
        let end = match script.places.first() {
            Some(&(next, _)) => next,
            None => script.asked.last().map_or(first, |asked| asked.entry + 1),
        };
        for entry in (first..end).rev() {
            self.entry(of, script, entry, script.fault())?;
        }
        Some(())
    }

    /// Another entry, one more, one less, or two that change places.
    fn entry(
        &mut self,
        of: usize,
        script: &Script<'_, G>,
        at: usize,
        distance: usize,
    ) -> Option<()> {
        let asked = script.asked.partition_point(|asked| asked.entry < at);
        let asked = script.asked.get(asked..).unwrap_or_default();
        let asked = asked.iter().take_while(|asked| asked.entry == at);
        let mut changes: Vec<(Change<G::Action>, u32)> = Vec::new();
        if let Some(old) = script.tape.get(at) {
            changes.push((Change::Skip { at }, 0));
            if script.tape.get(at + 1).is_some_and(|next| next != old) {
                changes.push((Change::Exchange { at }, 0));
            }
        }
        for Asked { within, options, .. } in asked {
            for option in options {
                if let Some((edit, entry)) =
                    script.tape.get(at).and_then(|old| other_entry(old, *within, option))
                {
                    let old = entry_value(script.tape.get(at)?);
                    let was = old.pointer(&edit.path).unwrap_or(&Value::Null);
                    let edit_cost = edit.value.as_ref().map_or(50, |is| edit_cost(was, is));
                    changes.push((Change::Fall { at, edit, entry }, edit_cost));
                }
                if *within == 0 {
                    changes.push((Change::Feed { at, entry: option.clone() }, 0));
                }
            }
        }
        if changes.is_empty() {
            return Some(());
        }
        let spot = match script.ply_of(at) {
            Some(ply) => Some(script.spot(&mut self.work, ply.min(script.run.plies))?),
            None => None,
        };
        for (change, edit_cost) in changes {
            let mut tape = script.tape.clone();
            change_tape(&mut tape, &change);
            let (table, source) = match &spot {
                Some(spot) => (spot.table.clone(), spot.source.on(&tape)),
                None => {
                    let mut source = self.base.source.on(&tape);
                    self.work.spend(1)?;
                    let Some(table) = self.base.begin(&mut source) else { continue };
                    (table, source)
                }
            };
            let steps = script.steps.get(table.ply() as usize..).unwrap_or_default();
            let ply = spot.as_ref().map(|spot| spot.table.ply());
            let mut held = script.held(&script.evidence, self.base.claims.as_ref(), ply);
            if ply.is_none() {
                held.broken += stated(&mut self.work, &script.evidence, &table, table.ply())?;
            }
            let count = script.steps.len();
            let run = go_on(&mut self.work, table, source, steps.iter(), count, &held)?;
            self.note(of, change, run, distance, edit_cost);
        }
        Some(())
    }

    /// One field of the action at a ply, and an action missing in front of it.
    fn fields_and_gaps(
        &mut self,
        of: usize,
        script: &Script<'_, G>,
        spot: &Spot<G>,
        most: usize,
    ) -> Option<()> {
        let at = spot.table.ply() as usize;
        let distance = script.fault() - at;
        let old = script.steps.get(at);
        let decides = spot.table.decision().seats;
        let mut listed = old.is_some_and(|step| step.action.is_some());
        let mut bounds: Vec<Value> = Vec::new();
        for seat in spot.table.may_act().iter() {
            let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most };
            let cut = spot.table.legal(seat, &mut listing).is_break();
            listed &= !cut && listing.ranges.is_empty();
            let mut actions = listing.actions;
            let count = actions.len();
            self.work.spend(1 + (count / 4 + listing.ranges.len()) as u32)?;
            for range in &listing.ranges {
                bounds.push(serde_json::to_value(range).unwrap_or_default());
                for number in 0..6 {
                    let mut chance = Seeded::new(&format!("repair {number}"), G::META.streams);
                    let (setup, state) = (spot.table.setup(), spot.table.state());
                    actions.extend(G::Range::sample(range, setup, state, &mut chance).ok());
                }
            }
            let unasked = u32::from(!decides.contains(seat));
            let mut steps: Vec<Arc<Step<G::Action>>> = Vec::new();
            for action in actions {
                let value = serde_json::to_value(&action).unwrap_or_default();
                steps.push(Arc::new(Step { value, action: Some(action) }));
            }
            let sampled = steps.get(count..).unwrap_or_default();
            let others = self.like_these(sampled, &bounds);
            steps.extend(others);
            let forms: Vec<String> = steps.iter().map(|it| self.habits.form(&it.value)).collect();
            let mut among: BTreeMap<&str, u32> = BTreeMap::new();
            forms.iter().for_each(|form| *among.entry(form).or_default() += 1);
            for (nth, step) in steps.iter().enumerate() {
                let (step, form) = (step.clone(), &*forms[nth]);
                // Of a long list the first, and what stands after it.
                let put = nth < LISTED || nth >= count;
                let edit = old.and_then(|old| one_field(&old.value, &step.value));
                if let (Some(edit), Some(old)) = (edit, old) {
                    self.set(of, script, spot, old, edit, &step)?;
                } else if let Some(old) = old.filter(|_| distance == 0 && put) {
                    let same = similarity(&old.value, &step.value);
                    let change = Change::Write { at, step: step.clone() };
                    self.try_actions(of, script, spot, change, distance, u32::MAX - same)?;
                }
                if put {
                    let odd = UNASKED * unasked + self.habits.oddness(form, among[form]);
                    let change = Change::Put { at, step };
                    self.try_actions(of, script, spot, change, distance, odd)?;
                }
            }
        }
        match old {
            Some(old) if !listed => self.fields(of, script, spot, old, &bounds),
            _ => Some(()),
        }
    }

    /// Actions that are not listed one by one, as the record writes them elsewhere, or like these samples but
    /// for one number.
    fn like_these(
        &self,
        sampled: &[Arc<Step<G::Action>>],
        bounds: &[Value],
    ) -> Vec<Arc<Step<G::Action>>> {
        if sampled.is_empty() {
            return Vec::new();
        }
        let mut known: BTreeSet<String> = sampled.iter().map(|it| it.value.to_string()).collect();
        let types = types(sampled.iter().map(|it| &it.value));
        let written = self.habits.written(&types).cloned();
        let mut all: Vec<Arc<Step<G::Action>>> =
            written.filter(|step| known.insert(step.value.to_string())).collect();
        let mut ends = Vec::new();
        bounds.iter().for_each(|range| leaves(String::new(), "", range, &mut ends));
        let ends: Vec<Value> =
            ends.into_iter().map(|(_, _, value)| value).filter(Value::is_number).collect();
        for step in sampled {
            let mut fields = Vec::new();
            leaves(String::new(), "", &step.value, &mut fields);
            for (pointer, key, _) in fields.iter().filter(|(_, _, value)| value.is_number()) {
                let near = (0..NUMBERS).map(Value::from);
                let seen = self.habits.under(key).iter().filter(|it| it.is_number()).cloned();
                for value in near.chain(ends.iter().cloned()).chain(seen) {
                    let edit = Edit::replace(pointer.clone(), value);
                    let new = apply(&step.value, std::slice::from_ref(&edit)).and_then(Step::of);
                    if let Some(new) = new
                        && known.insert(new.value.to_string())
                    {
                        all.push(Arc::new(new));
                    }
                    if all.len() == MOST_ALIKE {
                        return all;
                    }
                }
            }
        }
        all
    }

    fn set(
        &mut self,
        of: usize,
        script: &Script<'_, G>,
        spot: &Spot<G>,
        old: &Step<G::Action>,
        edit: Edit,
        step: &Arc<Step<G::Action>>,
    ) -> Option<()> {
        let at = spot.table.ply() as usize;
        let was = old.value.pointer(&edit.path).unwrap_or(&Value::Null);
        let edit_cost = edit.value.as_ref().map_or(50, |is| edit_cost(was, is));
        let change = Change::Set { at, edit, step: step.clone() };
        self.try_actions(of, script, spot, change, script.fault() - at, edit_cost)
    }

    /// Fields of an action whose legal forms are not listed one by one: other values that were
    /// seen in such a field or stand in the bounds, numbers nearby, a field too much.
    fn fields(
        &mut self,
        of: usize,
        script: &Script<'_, G>,
        spot: &Spot<G>,
        old: &Arc<Step<G::Action>>,
        bounds: &[Value],
    ) -> Option<()> {
        let mut known = Vec::new();
        for range in bounds {
            leaves(String::new(), "", range, &mut known);
        }
        let mut all = Vec::new();
        leaves(String::new(), "", &old.value, &mut all);
        let mut edits: Vec<(u32, Edit)> = Vec::new();
        for (pointer, key, was) in &all {
            let mut values: Vec<Value> = self.habits.under(key).to_vec();
            let like = known.iter().map(|(_, _, value)| value);
            let like = like.filter(|is| {
                std::mem::discriminant(*is) == std::mem::discriminant(was) && !is.is_boolean()
            });
            values.extend(like.cloned());
            match was {
                Value::Bool(is) => values.push((!is).into()),
                Value::Number(number) => {
                    if let Some(was) = number.as_i64() {
                        let near = (-5..=5).map(|step| was.saturating_add(step));
                        let slips = [was.saturating_mul(10), was / 10];
                        values.extend(near.chain(0..=12).chain(slips).map(Value::from));
                    }
                }
                _ => {}
            }
            let mut done: Vec<&Value> = vec![was];
            for value in &values {
                if !done.contains(&value) {
                    done.push(value);
                    edits.push((
                        edit_cost(was, value),
                        Edit::replace(pointer.clone(), value.clone()),
                    ));
                }
            }
        }
        // What the clause points at goes first, then what is most like.
        let fault = spot.table.ply() as usize == script.fault();
        edits.sort_by_key(|(edit_cost, edit)| {
            let meant = fault && edit.path.starts_with(&script.pointer);
            (!meant, *edit_cost)
        });
        edits.truncate(if fault { VALUES_AT_FAULT } else { VALUES });
        if old.action.is_none() {
            // It may be that the text alone is wrong (a field given twice), or a field too much.
            edits.push((0, Edit::replace("", old.value.clone())));
            if let Value::Object(fields) = &old.value {
                let mut names: Vec<&String> = fields.keys().collect();
                names.sort();
                let gone = names.iter().map(|name| Edit::remove(format!("/{}", escaped(name))));
                edits.extend(gone.map(|edit| (0, edit)));
            }
        }
        for (_, edit) in edits {
            self.work.spend(1)?;
            let value = apply(&old.value, std::slice::from_ref(&edit));
            if let Some(step) = value.and_then(Step::of) {
                self.set(of, script, spot, old, edit, &Arc::new(step))?;
            }
        }
        Some(())
    }

    /// Goes on from the best repairs of that many edits that leave a fault.
    fn extend(&mut self, edits: usize, outer: u32) {
        self.found.sort_by_key(|found| found.rank);
        let mut kinds: BTreeMap<u8, usize> = BTreeMap::new();
        let mut chosen: Vec<(usize, Change<G::Action>)> = Vec::new();
        for Found { rank, of, change } in &self.found {
            let done = !rank.faulty && rank.broken == 0;
            if rank.edits != edits || done || chosen.len() == BEAM {
                continue;
            }
            let kind = kinds.entry(rank.kind).or_default();
            *kind += 1;
            if *kind <= BEAM / 2 {
                chosen.push((*of, change.clone()));
            }
        }
        let count = chosen.len();
        for (nth, (of, change)) in chosen.into_iter().enumerate() {
            let Some(script) = self.scripts.get(of).cloned() else { continue };
            self.work.share(outer, 100 / (count - nth) as u32);
            let own = self.work.cap;
            let (steps, tape) = script.changed(&change);
            let taped = script.taped;
            let evidence = change.evidence(&script.evidence);
            let played = Script::play(&self.base, &mut self.work, steps, tape, taped, evidence);
            let Some(mut next) = played else { return };
            next.edits.clone_from(&script.edits);
            next.edits.extend(change.edits(&script.evidence));
            next.words.clone_from(&script.words);
            next.words.push(script.say(&change));
            self.scripts.push(Rc::new(next));
            let of = self.scripts.len() - 1;
            self.work.share(own, 50);
            let _ = self.near(of, NEAR_AGAIN);
            self.work.cap = own;
            let _ = self.far(of, NEAR_AGAIN);
        }
    }

    /// The best repairs, each shown by a replay of the edited record.
    fn best(&mut self, record: &Value, faithful: bool, limits: Limits<'_>) -> Vec<Repair> {
        self.thin_out();
        let most = self.work.bounds.most;
        let mut order: Vec<&Found<G::Action>> = Vec::new();
        // First some of every kind and place, of those kinds that happen easily; then whatever is best.
        let all = usize::MAX;
        for (of_kind, of_place, last_kind) in
            [(2, 1, LIKELY), (all, 2, u8::MAX), (all, all, u8::MAX)]
        {
            for found in &self.found {
                if !found.rank.faulty && found.rank.kind > last_kind {
                    continue;
                }
                let kind = |it: &&&Found<G::Action>| {
                    it.rank.kind == found.rank.kind && it.rank.faulty == found.rank.faulty
                };
                // Of those that leave a fault, what matters is how far they get.
                let of_kind = if found.rank.faulty { usize::MAX } else { of_kind };
                let place = |it: &&&Found<G::Action>| {
                    kind(it) && it.of == found.of && it.change.place() == found.change.place()
                };
                let taken = order.iter().any(|it| it.rank == found.rank);
                if !taken
                    && order.iter().filter(kind).count() < of_kind
                    && order.iter().filter(place).count() < of_place
                {
                    order.push(found);
                }
            }
        }
        let mut shown: Vec<(Rank, Repair, Value)> = Vec::new();
        let mut left = 4 * most;
        // What validates the whole goes before what does not, whatever its kind.
        order.sort_by_key(|found| (found.rank.faulty, found.rank.broken));
        for found in order {
            if shown.len() == most || left == 0 {
                break;
            }
            left -= 1;
            let Some((repair, edited)) = self.show(found, record, faithful, limits) else {
                continue;
            };
            if shown.iter().all(|(_, _, other)| *other != edited) {
                shown.push((found.rank, repair, edited));
            }
        }
        // A repair that makes the game what the record says of it was most likely meant.
        let keeps = |repair: &Repair| repair.complete && repair.claims != Some(false);
        shown.sort_by_key(|(rank, repair, _)| (rank.faulty, !keeps(repair), *rank));
        shown.into_iter().map(|(_, repair, _)| repair).collect()
    }

    /// A repair with what a replay of the edited record from scratch gives; nothing if that is
    /// not what the search found.
    fn show(
        &self,
        found: &Found<G::Action>,
        record: &Value,
        faithful: bool,
        limits: Limits<'_>,
    ) -> Option<(Repair, Value)> {
        let script = self.scripts.get(found.of)?;
        let mut edits = script.edits.clone();
        edits.extend(found.change.edits(&script.evidence));
        let mut words = script.words.clone();
        words.push(script.say(&found.change));
        let edits = keeping_notes(record, edits);
        let edited = apply(record, &edits)?;
        let text = edited.to_string();
        let raw = RawRecord::read(text.as_bytes()).ok()?;
        let of = edited.pointer("/actions").and_then(Value::as_array)?.len() as u32;
        let Judgement { verdict, .. } = judge::<G>(&raw, limits).ok()?;
        let broken = verdict.claims.iter().filter(|claim| !claim.holds).count() as u32;
        let holds = verdict.violation.is_some() == found.rank.faulty
            && (of - verdict.plies) as usize == found.rank.left
            && (found.rank.faulty || broken == found.rank.broken);
        debug_assert!(holds || !faithful, "{words:?} {edits:?} {:?} {verdict:?}", found.rank);
        let repair = Repair {
            edits,
            words: words.join("; then "),
            complete: verdict.violation.is_none(),
            status: verdict.status,
            plies: verdict.plies,
            of,
            claims: (!verdict.claims.is_empty())
                .then(|| verdict.claims.iter().all(|claim| claim.holds)),
            violation: verdict.violation.map(NextFault::of),
        };
        holds.then_some((repair, edited))
    }
}

/// A record as JSON, without what a replay does not look at.
pub(in crate::dispute) fn rebuilt(record: &RawRecord<'_>) -> Value {
    let read = |text: &RawValue| serde_json::from_str(text.get()).unwrap_or(Value::Null);
    let mut chance = serde_json::Map::new();
    if let Some(seed) = &record.chance.seed {
        chance.insert("seed".to_owned(), Value::from(&**seed));
    }
    if let Some(tape) = &record.chance.tape {
        chance.insert("tape".to_owned(), tape.iter().map(entry_value).collect());
    }
    let mut all = serde_json::Map::new();
    all.insert("format".to_owned(), Value::from(&*record.format));
    all.insert("game".to_owned(), Value::from(&*record.game));
    if let Some(ruleset) = &record.ruleset {
        all.insert("ruleset".to_owned(), Value::from(&**ruleset));
    }
    if let Some(options) = record.options {
        all.insert("options".to_owned(), read(options));
    }
    all.insert("chance".to_owned(), Value::Object(chance));
    if let Some(claims) = &record.claims {
        all.insert("claims".to_owned(), serde_json::to_value(claims).unwrap_or_default());
    }
    if let Some(checkpoints) = &record.checkpoints {
        let checkpoints = serde_json::from_str(checkpoints.text).unwrap_or_default();
        all.insert("checkpoints".to_owned(), checkpoints);
    }
    if let Some(position) = record.position {
        all.insert("position".to_owned(), read(position));
    }
    if let Some(note) = &record.note {
        all.insert(NOTE.to_owned(), Value::from(&*note.0));
    }
    all.insert("actions".to_owned(), read(record.actions));
    Value::Object(all)
}

/// Searches for repairs: what [`AnyGame::repair`](crate::any_game::AnyGame::repair) does.
pub(crate) fn repair<G: FullGame>(
    record: &RawRecord<'_>,
    bounds: RepairBounds,
    limits: Limits<'_>,
) -> Result<Repairs, Fault> {
    let Judgement { verdict, ruleset, .. } = judge::<G>(record, limits)?;
    let mut answer = Repairs {
        engine: ENGINE,
        game: G::META.id,
        ruleset,
        status: verdict.status,
        plies: verdict.plies,
        violation: verdict.violation,
        findings: verdict.claims.into_iter().filter(|claim| !claim.holds).collect(),
        omissions: Vec::new(),
        repairs: Vec::new(),
        tried: 0,
        exhausted: false,
    };
    if answer.violation.is_none() && answer.findings.is_empty() {
        return Ok(answer);
    }
    let Loaded { setup, source, position, evidence, .. } = load::<G>(record, limits)?;
    let texts: Vec<&RawValue> = serde_json::from_str(record.actions.get()).unwrap_or_default();
    let steps: Steps<G> = texts.iter().map(|text| Arc::new(Step::read(text.get()))).collect();
    let unread = steps.iter().filter(|step| step.action.is_none());
    let faithful =
        !unread.into_iter().any(|step| Step::<G::Action>::of(step.value.clone()).is_some());
    let habits = Habits::of(&steps);
    let taped = record.chance.tape.is_some();
    let tape: Vec<EntryOf<'_>> = record.chance.tape.clone().unwrap_or_default();
    let claims = record.claims.clone();
    let base = Base::<G> { setup, source: source.on(&[]), position, claims };
    let mut work = Work {
        done: 0,
        cap: bounds.work,
        bounds,
        budget: limits.budget,
        out: false,
        stopped: false,
    };
    let Some(script) = Script::play(&base, &mut work, steps, tape, taped, evidence) else {
        limits.budget.spend(0)?;
        answer.tried = work.done;
        answer.exhausted = true;
        return Ok(answer);
    };
    let scripts = vec![Rc::new(script)];
    let mut search = Search { base, work, scripts, found: Vec::new(), number: 0, habits };
    let alone = bounds.edits < 2;
    if answer.violation.is_none() {
        search.work.share(bounds.work, 50);
        let _ = search.fallen();
    } else {
        search.work.share(bounds.work, 10);
        answer.omissions = search.omissions().unwrap_or_default();
    }
    search.work.share(bounds.work, if alone { 60 } else { 45 });
    let _ = search.near(0, NEAR);
    if search.whole() < bounds.most {
        search.work.share(bounds.work, 50);
        let _ = search.far(0, NEAR);
    }
    if search.whole() == 0 {
        search.work.share(bounds.work, if alone { 100 } else { 50 });
        let _ = search.far_gaps(0, NEAR);
    }
    for edits in 1..bounds.edits {
        if search.whole() > 0 {
            break;
        }
        let last = edits + 1 == bounds.edits;
        search.work.share(bounds.work, if last { 100 } else { 60 });
        let outer = search.work.cap;
        search.extend(edits, outer);
    }
    answer.repairs = search.best(&rebuilt(record), faithful, limits);
    answer.tried = search.work.done;
    answer.exhausted = search.work.out;
    limits.budget.spend(0)?;
    Ok(answer)
}
