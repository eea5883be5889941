//! A record carried over to another reading: the decisions stay, their form follows the reading.
//!
//! A reading may ask somebody else, ask for less, or for more: then the record is not illegal there, it
//! is only written for another form. What is carried over is told line by line: an action that the
//! reading does not ask for is dropped when it only let things be, a field or an answer that only the
//! reading needs is filled in (and called assumed where it could have been another), a decision that
//! moves to another player keeps its content, and one that comes earlier or later keeps its own. A game
//! may know a decision in another form, or in two.
//!
//! This module must not change what was decided: an action that nothing of this makes legal ends the
//! record there.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::compare::same_game;
use super::explain::view_json;
use super::readings::answer::Answered;
use super::readings::carried::{Carried, CarriedKind, Otherwise};
use super::readings::case::{Case, OpenedTable};
use super::readings::run::Run;
use crate::game::{FullGame, Game, Listing, Observer, PlayerAction, Seats};
use crate::replay::End;
use crate::replay::answer::{ending, raw};
use crate::rules::{Refusal, Rule};

/// A record carried over, as far as that goes.
pub(super) struct Transcript<'a, G: FullGame> {
    /// The replay of what was carried over.
    pub(super) run: Run<'a, G>,
    /// The actions of that replay.
    pub(super) actions: Vec<G::Action>,
    /// The place of each in the record; what was filled in has none.
    pub(super) places: Vec<Option<usize>>,
    pub(super) carried: Vec<Carried>,
    /// The answer about the action in question.
    pub(super) answer: Option<Answered>,
    /// The place in the record of the action that could not be carried over.
    pub(super) stuck: Option<usize>,
    /// Whether a field is missing there, of which no value would do: the refusal says why.
    pub(super) behind: bool,
}

/// The most values that are tried beside an assumed one.
const OTHERS: usize = 5;

/// A decision may come so many places earlier.
const AHEAD: usize = 4;

/// The most answers that are filled in before one action.
const FILLED: usize = 16;

/// The most of them that may bring the reading to the recorded game.
const QUIET: usize = 4;

/// So many of them may pass where something else was legal.
const PASSES: usize = 2;

/// The most legal actions that are looked at.
const LOOK_AT: usize = 5_000;

/// The most values that are tried for a field that is missing and has no legal one.
const WORDS: usize = 500;

impl<G: FullGame> Transcript<'_, G> {
    /// Whether the action at a ply is no longer the same decision: another player takes it or, if the game is not
    /// the `same`, it is not asked for, or not yet.
    pub(super) fn is_another_decision(&self, ply: u32, same: bool) -> bool {
        let at = format!("/actions/{ply}");
        let player = |action: &RawValue| {
            let action: Value = serde_json::from_str(action.get()).unwrap_or_default();
            action["player"].as_str().map(str::to_owned)
        };
        self.carried.iter().filter(|it| it.pointer == at).any(|it| match (&it.was, &it.is) {
            (Some(was), Some(is)) => {
                player(was) != player(is) || it.kind == CarriedKind::Reordered && !same
            }
            (Some(_), None) => !same,
            // What is filled in before it leaves the action as it is.
            (None, _) => false,
        })
    }
}

/// Carries the first `good` actions of a record over, and plays what follows as it stands. The `recorded` reading stands at
/// its opening, and later, where it is mostly asked for. `freely`: whether the
/// action in question may become another decision; else only its form may change.
pub(super) fn transcribe<'a, G: FullGame>(
    case: &Case<'_, G>,
    recorded: [&OpenedTable<'a, G>; 2],
    other: &OpenedTable<'a, G>,
    good: usize,
    freely: bool,
) -> Transcript<'a, G> {
    let mut first = Carrier { freely, ..Carrier::new(case, recorded, other, good) };
    first.carry();
    let others = first.others.min(OTHERS);
    let Some(assumed) = first.assumed_at else { return first.transcript() };
    let mut tried = Vec::new();
    // Up to where the first choice is made they all are the same.
    let fork = first.fork.take();
    for pick in 1..=others {
        if case.budget.spend(1).is_err() {
            break;
        }
        let Some(fork) = &fork else { break };
        let mut again = Carrier { pick, ..(**fork).clone() };
        again.carry();
        let Some(line) = again.assumed_at.and_then(|at| again.carried.get(at)) else { continue };
        let Some(is) = line.is.clone() else { continue };
        let outcome = again.run.table.outcome().map(ending::<G>);
        let same = again.run.table.state() == first.run.table.state();
        tried.push(Otherwise { is, outcome, differs: !same });
    }
    let line = &mut first.carried[assumed];
    line.text.push_str(match tried.iter().any(|it| it.differs) {
        true => "; another value would have led elsewhere",
        false => "; any other would have come to the same",
    });
    line.otherwise = tried;
    first.transcript()
}

/// Carries a record over, action by action.
struct Carrier<'c, 'a, G: FullGame> {
    case: &'c Case<'c, G>,
    recorded: &'c OpenedTable<'a, G>,
    /// The recorded reading, played to the action that is looked at.
    beside: Run<'a, G>,
    run: Run<'a, G>,
    /// What is still to be carried over, with its place.
    left: VecDeque<(usize, &'c G::Action)>,
    actions: Vec<G::Action>,
    /// The place of each in the record.
    places: Vec<Option<usize>>,
    carried: Vec<Carried>,
    /// Decisions that the reading has not asked for yet, with the clause that refused them.
    held: Vec<(usize, &'c G::Action, G::Rule)>,
    answer: Option<Answered>,
    stuck: Option<usize>,
    behind: bool,
    /// So many actions are good as recorded.
    good: usize,
    /// Whether the action in question may become another decision.
    freely: bool,
    /// Which of the values is taken where one is assumed first.
    pick: usize,
    /// The line in which a value was assumed first, and how many others there were.
    assumed_at: Option<usize>,
    others: usize,
    /// Itself before the action at which the first choice is made.
    fork: Option<Box<Self>>,
}

impl<G: FullGame> Clone for Carrier<'_, '_, G> {
    fn clone(&self) -> Self {
        Carrier {
            case: self.case,
            recorded: self.recorded,
            beside: self.beside.clone(),
            run: self.run.clone(),
            left: self.left.clone(),
            actions: self.actions.clone(),
            places: self.places.clone(),
            carried: self.carried.clone(),
            held: self.held.clone(),
            answer: self.answer,
            stuck: self.stuck,
            behind: self.behind,
            good: self.good,
            freely: self.freely,
            pick: self.pick,
            assumed_at: self.assumed_at,
            others: self.others,
            fork: None,
        }
    }
}

/// The game after one form of a decision, that form, and what is left of the decision.
type Restated<'a, G> = (Run<'a, G>, <G as Game>::Action, Option<<G as Game>::Action>);

/// The game after some answers, and these, each with the number of others that were legal.
type QuietCourse<'a, G> = (Run<'a, G>, Vec<(<G as Game>::Action, usize)>);

/// An action of the record, its place, and why it is refused.
type RefusedAction<'c, 'r, G> = (usize, &'c <G as Game>::Action, &'r Refusal<<G as Game>::Rule>);

/// How a legal action differs from the one that was sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    dropped: usize,
    moved: bool,
    filled: usize,
}

/// How a legal action could stand for the one that was sent: it is of the same type, and what both say
/// is the same but for who acts.
fn fit(sent: &Value, legal: &Value) -> Option<Fit> {
    let (sent, legal) = (sent.as_object()?, legal.as_object()?);
    let moved = sent.get("player") != legal.get("player");
    let same = |(key, value): (&String, &Value)| {
        key == "player" || legal.get(key).is_none_or(|other| other == value)
    };
    let of_type = sent.get("type") == legal.get("type");
    (of_type && sent.iter().all(same)).then(|| Fit {
        dropped: sent.keys().filter(|key| !legal.contains_key(*key)).count(),
        moved,
        filled: legal.keys().filter(|key| !sent.contains_key(*key)).count(),
    })
}

/// The fields that one action has and another does not, and the lists that are other ones there.
fn said_more<'a>(one: &'a Value, other: &'a Value) -> impl Iterator<Item = String> {
    let fields = one.as_object().into_iter().flatten();
    let differs = |value: &Value, other: &Value| value.is_array() && value != other;
    let more = fields.filter(move |(key, value)| {
        other.get(key.as_str()).is_none_or(|other| differs(value, other))
    });
    more.map(|(key, value)| format!("`{key}` {value}"))
}

/// Every word that a view names things by: the keys of its lists of things, and what stands in fields.
fn collect_words(view: &Value, to: &mut BTreeSet<String>) {
    match view {
        Value::Object(fields) => {
            to.extend(fields.keys().cloned());
            fields.values().for_each(|value| collect_words(value, to));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, to)),
        Value::String(word) => drop(to.insert(word.clone())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn value<A: Serialize>(action: &A) -> Value {
    serde_json::to_value(action).unwrap_or_default()
}

impl<'c, 'a, G: FullGame> Carrier<'c, 'a, G> {
    fn new(
        case: &'c Case<'_, G>,
        [recorded, later]: [&'c OpenedTable<'a, G>; 2],
        other: &OpenedTable<'a, G>,
        good: usize,
    ) -> Self {
        Carrier {
            case,
            recorded,
            beside: Run::from(later),
            run: Run::from(other),
            left: case.actions.iter().enumerate().collect(),
            actions: Vec::new(),
            places: Vec::new(),
            carried: Vec::new(),
            held: Vec::new(),
            answer: None,
            stuck: None,
            behind: false,
            good,
            freely: true,
            pick: 0,
            assumed_at: None,
            others: 0,
            fork: None,
        }
    }

    fn transcript(self) -> Transcript<'a, G> {
        let Carrier { run, actions, places, carried, answer, stuck, behind, .. } = self;
        Transcript { run, actions, places, carried, answer, stuck, behind }
    }

    fn carry(&mut self) {
        let case = self.case;
        while let Some((at, action)) = self.left.pop_front() {
            if self.run.end.is_some() || case.budget.spend(1).is_err() {
                return;
            }
            let asked = case.asked.is_some_and(|(ply, _)| ply as usize == at);
            self.run.step(action, at < self.good || case.never_played(at as u32));
            match self.run.end.take() {
                None => self.played(Some(at), action.clone()),
                Some(End::Refused(refusal))
                    if at < self.good && self.mend(at, action, &refusal)
                        || self.leave_out(at, action, &refusal)
                        || self.lead_to_refusal(at, action, &refusal) => {}
                Some(end) => {
                    let behind = match &end {
                        End::Refused(refusal) if at < self.good => {
                            self.behind_the_form(action, refusal)
                        }
                        _ => None,
                    };
                    self.behind = behind.is_some();
                    self.stuck = Some(at);
                    self.run.end = Some(behind.map_or(end, End::Refused));
                    self.drop_held();
                }
            }
            if asked {
                self.answer = Some(match &self.run.end {
                    None => Answered::Legal,
                    Some(End::Refused(_)) => Answered::Illegal,
                    Some(_) => Answered::NoDraw,
                });
            }
        }
        self.finish();
        self.drop_held();
        self.run.finish(case);
    }

    /// Writes down what was played, and where it stands in the record.
    fn played(&mut self, at: Option<usize>, action: G::Action) {
        self.actions.push(action);
        self.places.push(at);
    }

    fn line(
        &mut self,
        at: usize,
        kind: CarriedKind,
        refusal: Option<&Refusal<G::Rule>>,
        was: Option<&G::Action>,
        is: Option<&G::Action>,
        text: String,
    ) {
        self.carried.push(Carried {
            pointer: format!("/actions/{at}"),
            kind,
            rule: refusal.map(|refusal| refusal.rule.entry().id),
            was: was.map(raw),
            is: is.map(raw),
            assumed: false,
            otherwise: Vec::new(),
            text,
        });
    }

    /// Marks the last line as assumed: so many others were legal as well.
    fn assume(&mut self, others: usize) {
        if let Some(line) = self.carried.last_mut() {
            line.assumed = true;
            line.text.push_str(", which is assumed");
        }
        if self.assumed_at.is_none() {
            self.assumed_at = self.carried.len().checked_sub(1);
            self.others = others;
        }
    }

    /// Remembers the moment before this action (or the end of the record), at which a choice is made for the first
    /// time.
    fn forks(&mut self, next: Option<(usize, &'c G::Action)>) {
        if self.fork.is_none() && self.pick == 0 {
            let mut before = self.clone();
            if let Some(next) = next {
                before.left.push_front(next);
            }
            self.fork = Some(Box::new(before));
        }
    }

    /// Whether the record is carried over once more, and has not come to the choice yet that is another this time.
    fn is_to_choose(&self) -> bool {
        self.pick > 0 && self.assumed_at.is_none()
    }

    /// The place of the value to take among some that all are legal.
    fn choice(&self, values: usize) -> usize {
        if self.is_to_choose() { self.pick.min(values.saturating_sub(1)) } else { 0 }
    }

    /// The legal actions of everybody who may act, ranges left out.
    fn legal(run: &Run<'_, G>) -> Listing<G> {
        let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LOOK_AT };
        for seat in run.table.may_act().iter() {
            let _ = run.table.legal(seat, &mut listing);
        }
        listing
    }

    /// Whether an action may become another decision.
    fn may_become_another(&self, at: usize) -> bool {
        self.freely || self.case.asked.is_none_or(|(ply, _)| ply as usize != at)
    }

    /// Finds the form that the reading gives to an action that it refuses as it stands.
    fn mend(&mut self, at: usize, action: &'c G::Action, refusal: &Refusal<G::Rule>) -> bool {
        if self.run.table.outcome().is_some() {
            return false;
        }
        if self.take_held(at, action) {
            return true;
        }
        let legal = Self::legal(&self.run);
        if self.restate(at, action, refusal) || self.mend_fields(at, action, refusal, &legal) {
            return true;
        }
        // Where both readings ask the same, what is refused is refused by what the reading says, not for
        // its form.
        self.go_beside(at);
        let (here, there) = (self.run.table.decision(), self.beside.table.decision());
        if self.beside.end.is_some() || (here.state, here.seats) == (there.state, there.seats) {
            return false;
        }
        // What is tried again with another value was filled in before, and not dropped.
        let again = self.is_to_choose();
        let free = self.may_become_another(at);
        if free && self.mend_order(at, action, refusal, true)
            || !again && self.fill_quietly(Some((at, action, refusal)), false)
        {
            return true;
        }
        let even_refused = |it: &mut Self| {
            !again
                && G::CLAUSES.is_misplaced(refusal)
                && it.fill_quietly(Some((at, action, refusal)), true)
        };
        if !free {
            return even_refused(self);
        }
        let text = || format!("`{}` is not asked for", name(&value(action)));
        if !again && (G::is_passive(action) || self.demanded(action)) && self.goes_on(action) {
            match G::is_passive(action) {
                true => {
                    self.line(at, CarriedKind::Dropped, Some(refusal), Some(action), None, text())
                }
                // It may be asked for later.
                false => self.held.push((at, action, refusal.rule)),
            }
            return true;
        }
        self.mend_order(at, action, refusal, false)
            || self.fill_before(at, action, refusal)
            || even_refused(self)
    }

    /// Leaves out what the reading does not name, in an action that the recorded reading refuses.
    fn leave_out(&mut self, at: usize, action: &G::Action, refusal: &Refusal<G::Rule>) -> bool {
        if at != self.good {
            return false;
        }
        let Some((run, form)) = self.run.shortened(action) else { return false };
        let (sent, new) = (value(action), value(&form));
        let parts: Vec<String> = said_more(&sent, &new).collect();
        let text = format!("`{}`: {} is not asked for", name(&sent), parts.join(", "));
        self.line(at, CarriedKind::Dropped, Some(refusal), Some(action), Some(&form), text);
        self.run = run;
        self.played(Some(at), form);
        true
    }

    /// Fills in what the reading asks for before an action that the recorded reading refuses, too, so that the action is
    /// refused for what it is.
    fn lead_to_refusal(
        &mut self,
        at: usize,
        action: &'c G::Action,
        refusal: &Refusal<G::Rule>,
    ) -> bool {
        if at != self.good || self.is_to_choose() || !G::CLAUSES.is_misplaced(refusal) {
            return false;
        }
        self.go_beside(at);
        let (here, there) = (self.run.table.decision(), self.beside.table.decision());
        self.beside.end.is_none()
            && (here.state, here.seats) != (there.state, there.seats)
            && self.fill_quietly(Some((at, action, refusal)), true)
    }

    /// Fills in what the record leaves out and the reading asks for, where that comes to the very game that the recorded
    /// reading stands at: what is meant where nothing is written, what lets things be, or the one thing that is legal.
    /// Before an action of the record, or at its end. The action must be legal then, unless `even_refused`: then it is
    /// enough that the decision it belongs to is due.
    fn fill_quietly(
        &mut self,
        before: Option<RefusedAction<'c, '_, G>>,
        even_refused: bool,
    ) -> bool {
        let Some((run, filled)) = self.quiet_course(&self.run, QUIET) else { return false };
        if let Some((_, action, _)) = before {
            let mut tried = run.clone();
            tried.step(action, true);
            let fits = match &tried.end {
                None => true,
                Some(End::Refused(refusal)) => even_refused && !G::CLAUSES.is_misplaced(refusal),
                Some(_) => false,
            };
            if !fits {
                return false;
            }
        }
        let open = before.is_none() && self.beside.table.outcome().is_none();
        if filled.is_empty() || open && filled.iter().any(|(it, others)| self.is_free(it, *others))
        {
            return false;
        }
        if filled.iter().any(|(_, others)| *others > 0) {
            self.forks(before.map(|(at, action, _)| (at, action)));
        }
        self.run = run;
        let at = before.map_or(self.case.actions.len(), |(at, ..)| at);
        for (answer, others) in filled {
            self.fill(at, before.map(|(_, _, refusal)| refusal), &answer, others);
        }
        if let Some((at, action, _)) = before {
            self.left.push_front((at, action));
        }
        true
    }

    /// The answers that lead to the game that the recorded reading stands at, at most so many, each with the number of
    /// others that were legal; and the game after them.
    fn quiet_course(&self, run: &Run<'a, G>, most: usize) -> Option<QuietCourse<'a, G>> {
        if same_game(&self.beside.table, &run.table, false) {
            return Some((run.clone(), Vec::new()));
        }
        let most = most.checked_sub(1)?;
        self.case.budget.spend(1).ok()?;
        self.quiet_answers(run).into_iter().find_map(|(answer, others)| {
            let mut tried = run.clone();
            tried.step(&answer, false);
            if tried.end.is_some() {
                return None;
            }
            let (run, mut filled) = self.quiet_course(&tried, most)?;
            filled.insert(0, (answer, others));
            Some((run, filled))
        })
    }

    /// What may be meant where nothing is written, the likeliest first.
    fn quiet_answers(&self, run: &Run<'a, G>) -> Vec<(G::Action, usize)> {
        let found = self.answer_to(run, false);
        if let Some((only, 0)) = found {
            return vec![(only, 0)];
        }
        let (setup, state) = (run.table.setup(), run.table.state());
        let omitted =
            (0..G::omissions().len()).find_map(|omission| G::fill_omission(setup, state, omission));
        let others = found.as_ref().map_or(1, |(_, others)| *others);
        let quiet = found.map(|(answer, _)| answer).filter(|answer| G::is_passive(answer));
        let quiet = quiet.filter(|answer| Some(answer) != omitted.as_ref());
        omitted.into_iter().chain(quiet).map(|answer| (answer, others)).collect()
    }

    /// Whether a player could as well have chosen such an answer in place of the last recorded action. Where the record
    /// goes on without it nobody knows that he would have.
    fn is_free(&self, answer: &G::Action, others: usize) -> bool {
        if others == 0 {
            return false;
        }
        let mut run = Run::from(self.recorded);
        let last = self.case.actions.len().saturating_sub(1);
        for action in &self.case.actions[..last] {
            if run.end.is_none() {
                run.step(action, false);
            }
        }
        let own = (G::Action::seat(answer), kind(answer));
        let legal = Self::legal(&run).actions;
        run.end.is_none() && legal.iter().any(|it| (G::Action::seat(it), kind(it)) == own)
    }

    /// Plays the decision in another form that the game knows for it: in another action, in several, or in
    /// one with the next.
    fn restate(&mut self, at: usize, action: &G::Action, refusal: &Refusal<G::Rule>) -> bool {
        let (mut run, mut forms) = (self.run.clone(), Vec::new());
        let mut left = Some(action.clone());
        while let Some((played, form, rest)) = left.and_then(|left| Self::find_form(&run, &left)) {
            (run, left) = (played, rest);
            forms.push(form);
        }
        if forms.is_empty() {
            let next = self.left.front().and_then(|(_, next)| G::join(action, next));
            let Some(joined) = next else { return false };
            run.step(&joined, false);
            if run.end.is_some() {
                return false;
            }
            self.left.pop_front();
            forms.push(joined);
        }
        self.run = run;
        let kind = CarriedKind::Restated;
        for (part, form) in forms.into_iter().enumerate() {
            let was = Some(action).filter(|_| part == 0);
            let text = format!("`{}` becomes `{}`", name(&value(action)), name(&value(&form)));
            self.line(at, kind, Some(refusal), was, Some(&form), text);
            self.played(Some(at).filter(|_| part == 0), form);
        }
        true
    }

    /// The first form of a decision that is legal, the game after it, and what is left of the decision.
    fn find_form(run: &Run<'a, G>, action: &G::Action) -> Option<Restated<'a, G>> {
        let forms = G::restate(run.table.setup(), run.table.state(), action);
        [(action.clone(), None)].into_iter().chain(forms).find_map(|(form, rest)| {
            let mut tried = run.clone();
            tried.step(&form, false);
            tried.end.is_none().then_some((tried, form, rest))
        })
    }

    /// Whether, without the action that is refused, one of the next is legal, and those before it only
    /// let things be; or what is asked then is what the recorded reading asks behind the action.
    fn goes_on(&self, action: &G::Action) -> bool {
        let mut after = self.beside.clone();
        after.step(action, false);
        for (place, next) in self.left.iter().take(AHEAD) {
            // What no reading allows proves nothing.
            if *place >= self.good && after.end.is_none() {
                let (here, there) = (self.run.table.decision(), after.table.decision());
                return (here.state, here.seats) == (there.state, there.seats);
            }
            let mut tried = self.run.clone();
            tried.step(next, false);
            if tried.end.is_none() {
                return true;
            }
            if !G::is_passive(next) {
                return false;
            }
        }
        self.left.len() < AHEAD
    }

    /// Whether the recorded reading, played up to the action, demanded just such an action of its
    /// player, who could do nothing else.
    fn demanded(&self, action: &G::Action) -> bool {
        let decides = self.beside.table.decision().seats;
        if !decides.contains(G::Action::seat(action)) {
            return false;
        }
        let kinds = |seats: Seats| -> Vec<Option<String>> {
            let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LOOK_AT };
            for seat in seats.iter() {
                let _ = self.beside.table.legal(seat, &mut listing);
            }
            let actions = listing.actions.iter().map(kind);
            actions.chain(listing.ranges.iter().map(kind)).collect()
        };
        // What others may do as well, unasked, is no answer.
        let others = self.beside.table.may_act().iter().filter(|&seat| !decides.contains(seat));
        let unasked = others.fold(Vec::new(), |all, seat| [all, kinds(Seats::one(seat))].concat());
        let own = kind(action);
        kinds(decides).iter().all(|it| *it == own || unasked.contains(it))
    }

    /// Plays a decision that was made earlier than the reading asks for it, if it asks now.
    fn take_held(&mut self, at: usize, action: &'c G::Action) -> bool {
        for place in 0..self.held.len() {
            let (_, held, rule) = self.held[place];
            let mut tried = self.run.clone();
            tried.step(held, false);
            if tried.end.is_some() {
                continue;
            }
            let (from, held, _) = self.held.remove(place);
            self.run = tried;
            let text = format!("`{}` comes before `{}`", name(&value(held)), name(&value(action)));
            self.line(from, CarriedKind::Reordered, None, Some(held), Some(held), text);
            if let Some(line) = self.carried.last_mut() {
                line.rule = Some(rule.entry().id);
            }
            self.played(Some(from), held.clone());
            self.left.push_front((at, action));
            return true;
        }
        false
    }

    /// What was held back and never asked for.
    fn drop_held(&mut self) {
        for (at, held, rule) in std::mem::take(&mut self.held) {
            let text = format!("`{}` is not asked for", name(&value(held)));
            self.line(at, CarriedKind::Dropped, None, Some(held), None, text);
            if let Some(line) = self.carried.last_mut() {
                line.rule = Some(rule.entry().id);
            }
        }
    }

    /// An action with hidden things under their public names.
    fn public(&self, action: &G::Action) -> Value {
        value(&G::Action::redact(action, self.run.table.setup(), self.run.table.state()))
    }

    /// An action with its things under their proper names.
    fn canonical(&self, action: &G::Action) -> Value {
        value(&G::Action::canonicalize(action, self.run.table.setup(), self.run.table.state()))
    }

    /// The same action with another player, with a field more or less.
    fn mend_fields(
        &mut self,
        at: usize,
        action: &'c G::Action,
        refusal: &Refusal<G::Rule>,
        legal: &Listing<G>,
    ) -> bool {
        let sent = &self.canonical(action);
        let public = &self.public(action);
        let own = kind(sent);
        let of_type = |other: &&G::Action| kind(*other) == own;
        let fits = legal.actions.iter().filter(of_type);
        let (setup, state) = (self.run.table.setup(), self.run.table.state());
        // Another player may have another name for a thing that the sender does not know.
        let fits = fits.filter_map(|other| {
            let canonical = G::Action::canonicalize(other, setup, state);
            if let Some(known) = fit(sent, &value(&canonical)) {
                return Some((known, other));
            }
            let redacted = G::Action::redact(other, setup, state);
            if redacted == canonical && public == sent {
                return None;
            }
            Some((fit(public, &value(&redacted))?, other))
        });
        let mut fits: Vec<(Fit, &G::Action)> = fits.collect();
        // Who passes for another has decided nothing for him.
        let stays = !self.may_become_another(at) || G::is_passive(action);
        fits.retain(|(fit, _)| !(fit.moved && stays));
        let Some(best) = fits.iter().map(|(fit, _)| *fit).min() else { return false };
        fits.retain(|(fit, _)| *fit == best);
        if fits.len() > 1 {
            self.forks(Some((at, action)));
        }
        let (_, chosen) = fits[self.choice(fits.len())];
        self.run.step(chosen, false);
        if self.run.end.take().is_some() {
            return false;
        }
        let new = value(chosen);
        let seat = G::META.seat_name(G::Action::seat(chosen)).replace('_', " ");
        let mut parts = Vec::new();
        if best.moved {
            parts.push(format!("{seat} decides"));
        }
        parts.extend(said_more(&new, sent).map(|part| format!("{part} is filled in")));
        parts.extend(said_more(sent, &new).map(|part| format!("{part} is not asked for")));
        let kind = match best {
            Fit { filled: 1.., .. } => CarriedKind::Filled,
            Fit { moved: true, .. } => CarriedKind::Moved,
            Fit { .. } => CarriedKind::Dropped,
        };
        let text = format!("`{}`: {}", name(sent), parts.join(", "));
        self.line(at, kind, Some(refusal), Some(action), Some(chosen), text);
        if fits.len() > 1 {
            self.assume(fits.len() - 1);
        }
        self.played(Some(at), chosen.clone());
        true
    }

    /// Where only a field is missing and no value of it is legal: why none is, by the value that comes
    /// nearest, which is the one refused like the fewest others.
    fn behind_the_form(
        &self,
        action: &G::Action,
        refusal: &Refusal<G::Rule>,
    ) -> Option<Refusal<G::Rule>> {
        let field = refusal.pointer.strip_prefix('/').filter(|field| !field.contains('/'))?;
        let sent = value(action);
        if !sent.get(field).is_none_or(Value::is_null) {
            return None;
        }
        let view =
            view_json::<G>(self.run.table.setup(), self.run.table.state(), Observer::Referee);
        let mut words = BTreeSet::new();
        collect_words(&view, &mut words);
        let mut found: Vec<Refusal<G::Rule>> = Vec::new();
        for word in words.iter().take(WORDS) {
            let mut filled = sent.clone();
            filled[field] = word.as_str().into();
            let Ok(tried) = serde_json::from_value::<G::Action>(filled) else { continue };
            let mut run = self.run.clone();
            run.step(&tried, false);
            if let Some(End::Refused(behind)) = run.end
                && behind.rule != refusal.rule
            {
                found.push(behind);
            }
        }
        let like = |one: &Refusal<G::Rule>| {
            found.iter().filter(|it| (it.rule, it.code) == (one.rule, one.code)).count()
        };
        let mut nearest = found.iter().min_by_key(|it| like(it))?.clone();
        nearest.message = format!("no {} will do: {}", field.replace('_', " "), nearest.message);
        Some(nearest)
    }

    /// A decision that was made a little later is asked for now; `next`: only the next one, and only if both come to
    /// the game that the recorded reading comes to.
    fn mend_order(
        &mut self,
        at: usize,
        action: &'c G::Action,
        refusal: &Refusal<G::Rule>,
        next: bool,
    ) -> bool {
        let most = if next { 1 } else { AHEAD };
        for ahead in 0..most.min(self.left.len()) {
            let (place, later) = self.left[ahead];
            let mut tried = self.run.clone();
            tried.step(later, false);
            if tried.end.is_some() || (G::is_passive(later) && ahead > 0) {
                continue;
            }
            // Only where the one that waits is legal then, or the next that does not wait for it.
            tried.step(action, false);
            if tried.end.is_some() || next && !self.comes_to(&tried, [action, later]) {
                continue;
            }
            self.run = tried;
            self.left.remove(ahead);
            if self.case.asked.is_some_and(|(ply, _)| place == ply as usize) {
                self.answer = Some(Answered::Legal);
            }
            let text = format!("`{}` comes before `{}`", name(&value(later)), name(&value(action)));
            self.line(place, CarriedKind::Reordered, Some(refusal), Some(later), Some(later), text);
            self.played(Some(place), later.clone());
            self.played(Some(at), action.clone());
            return true;
        }
        false
    }

    /// Whether the recorded reading comes to this game by these actions.
    fn comes_to(&self, run: &Run<'_, G>, actions: [&G::Action; 2]) -> bool {
        let mut beside = self.beside.clone();
        for action in actions {
            if beside.end.is_none() {
                beside.step(action, false);
            }
        }
        beside.end.is_none() && same_game(&beside.table, &run.table, false)
    }

    /// Somebody else is asked first, whom the record did not ask.
    fn fill_before(
        &mut self,
        at: usize,
        action: &'c G::Action,
        refusal: &Refusal<G::Rule>,
    ) -> bool {
        let mut run = self.run.clone();
        let mut filled: Vec<(G::Action, usize)> = Vec::new();
        let mut quiet = 0;
        for _ in 0..FILLED {
            let Some((answer, others)) = self.answer_to(&run, filled.is_empty()) else {
                return false;
            };
            if others > 0 && filled.is_empty() {
                self.forks(Some((at, action)));
            }
            run.step(&answer, false);
            if run.end.take().is_some() {
                return false;
            }
            quiet += usize::from(others > 0 && G::is_passive(&answer));
            // A player who passes again and again would have played another game.
            if quiet > PASSES {
                return false;
            }
            filled.push((answer, others));
            let mut tried = run.clone();
            tried.step(action, false);
            if tried.end.is_none() {
                self.run = tried;
                for (answer, others) in filled {
                    self.fill(at, Some(refusal), &answer, others);
                }
                self.played(Some(at), action.clone());
                return true;
            }
        }
        false
    }

    /// What is answered where the record says nothing: the one legal action, the one that lets things be,
    /// or else the first; and how many others were legal.
    fn answer_to(&self, run: &Run<'_, G>, first: bool) -> Option<(G::Action, usize)> {
        let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LOOK_AT };
        for seat in run.table.decision().seats.iter() {
            let _ = run.table.legal(seat, &mut listing);
        }
        if let ([only], []) = (listing.actions.as_slice(), listing.ranges.as_slice()) {
            return Some((only.clone(), 0));
        }
        // What only bounds describe (a bid) is nobody's to assume.
        let others = listing.actions.len().checked_sub(1)?;
        let quiet = listing.actions.iter().position(|action| G::is_passive(action)).unwrap_or(0);
        let choice = if first { self.choice(listing.actions.len()) } else { 0 };
        // The quiet one first, then the others in their order.
        let place = match choice {
            0 => quiet,
            choice if choice <= quiet => choice - 1,
            choice => choice,
        };
        Some((listing.actions.get(place)?.clone(), others))
    }

    fn fill(
        &mut self,
        at: usize,
        refusal: Option<&Refusal<G::Rule>>,
        answer: &G::Action,
        others: usize,
    ) {
        let text = format!("`{}` is asked for and filled in", name(&value(answer)));
        self.line(at, CarriedKind::Filled, refusal, None, Some(answer), text);
        if others > 0 {
            self.assume(others);
        }
        self.played(None, answer.clone());
    }

    /// Where the record ends with the game, so does what was carried over, if only answers that had to be
    /// given are missing.
    fn finish(&mut self) {
        if self.run.end.is_some() || self.case.malformed.is_some() {
            return;
        }
        self.go_beside(self.case.actions.len());
        let (here, there) = (self.run.table.decision(), self.beside.table.decision());
        let over = self.run.table.outcome().is_some();
        if self.beside.end.is_some()
            || over
            || (here.state, here.seats) == (there.state, there.seats)
        {
            return;
        }
        if self.is_to_choose() {
            let mut run = self.run.clone();
            if let Some((answer, others)) = self.answer_to(&run, true) {
                run.step(&answer, false);
                self.run = run;
                self.fill(self.case.actions.len(), None, &answer, others);
            }
            return;
        }
        let same = self.fill_quietly(None, false);
        if same || self.beside.table.outcome().is_none() || self.case.asked.is_some() {
            return;
        }
        let mut run = self.run.clone();
        let mut filled = Vec::new();
        while run.table.outcome().is_none() && filled.len() < FILLED {
            let Some((answer, 0)) = self.answer_to(&run, false) else { return };
            run.step(&answer, false);
            if run.end.is_some() {
                return;
            }
            filled.push(answer);
        }
        if run.table.outcome().is_some() {
            self.run = run;
            for answer in filled {
                self.fill(self.case.actions.len(), None, &answer, 0);
            }
        }
    }

    /// Plays the recorded reading up to an action.
    fn go_beside(&mut self, at: usize) {
        if self.beside.table.ply() as usize > at {
            self.beside = Run::from(self.recorded);
        }
        while (self.beside.table.ply() as usize) < at && self.beside.end.is_none() {
            let Some(action) = self.case.actions.get(self.beside.table.ply() as usize) else {
                return;
            };
            self.beside.step(action, false);
        }
    }
}

/// The type of an action or of a range, without a look at its other fields.
fn kind<A: Serialize>(action: &A) -> Option<String> {
    let text = serde_json::to_string(action).ok()?;
    let front = text.strip_prefix(r#"{"type":""#).and_then(|rest| rest.split_once('"'));
    match front {
        Some((name, _)) if !name.contains('\\') => Some(name.to_owned()),
        _ => value(action)["type"].as_str().map(str::to_owned),
    }
}

/// The type of an action.
fn name(action: &Value) -> &str {
    action["type"].as_str().unwrap_or("?")
}
