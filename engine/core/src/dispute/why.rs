//! Why not? A proposed action at a position: the clauses that forbid it, the facts behind them,
//! the least change of facts that would allow it, and the nearest legal actions.
//!
//! The referee is answered from the true state. Everybody else is answered from states that he
//! could be in, drawn from his own view with fixed seeds: the true state is never asked, so the
//! answer is the same in every state that he cannot tell apart. This module must not know a game;
//! a change of facts is found by trying, never by reading a rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::explain::{
    Name, ViewChange, facts_about, is_pair, is_scalar, names, places, say, view_json,
};
use super::patch::{self, Edit, Op, short};
use crate::budget::Budget;
use crate::chance::seeded::Seeded;
use crate::game::{Change, Condition, Game, Keep, Observer, Seat, Stop, Table};
use crate::record::{self, Fault, FaultCode, Malformed, RawRecord};
use crate::replay::answer::{
    Cited, ENGINE, PendingDecision, Unanswered, Violation, cite, name_of, pending, raw,
};
use crate::replay::nearest::{NEAREST, most_alike, nearest};
use crate::replay::verdict::player_of;
use crate::replay::{Query, load, malformed_at, run};
use crate::rules::{Refusal, Rule};
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameId};
use crate::wire::escaped;

/// How much an answer may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most positions that are tried with one change.
    pub loads: u32,
    /// The most positions that are tried with two or three changes, where one does not do.
    pub pairs: u32,
    /// How many states that a viewer could be in are asked.
    pub worlds: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { loads: 3000, pairs: 3000, worlds: 24 }
    }
}

/// How many times as many states are asked where none of the first is refused by what everybody sees.
const MORE_WORLDS: u32 = 16;

/// The most changes that are given.
const CHANGES: usize = 5;

/// Whether the action is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It is allowed.
    Legal,
    /// It is forbidden.
    Illegal,
    /// The viewer cannot know: it may depend on what is hidden from him.
    Undecidable,
}

/// A change of facts that would allow the action.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Allowing {
    /// What to change in the referee's view of the state; the result is a position in which the
    /// action is accepted.
    pub edits: Vec<Edit>,
    /// The same in plain words.
    pub words: String,
}

/// Why a proposed action is or is not allowed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::WhyNot))]
pub struct WhyNot {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who asks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The ply at which the action is proposed.
    pub ply: u32,
    /// What is to be decided there.
    pub decision: PendingDecision,
    /// The action as it was proposed.
    #[cfg_attr(feature = "schema", schema(value_type = serde_json::Value))]
    pub action: Box<RawValue>,
    /// Whether it is allowed.
    pub answer: Answer,
    /// The answer in plain words.
    pub message: String,
    /// What forbids it: first what the engine says, then what stands in the way once that is
    /// mended, where two changes were found that together allow the action. For a viewer, what
    /// forbids it whatever is hidden from him. Their `nearest` is empty; it stands here.
    pub violations: Vec<Violation>,
    /// Facts in the asking viewer's view about what the action names.
    pub facts: Vec<ViewChange>,
    /// Changes of facts that would allow the action, the least first; for the referee only,
    /// because they speak of the whole state.
    #[cfg_attr(feature = "schema", schema(max_items = 5))]
    pub changes: Vec<Allowing>,
    /// At most five legal actions of the same seat, the most alike first; for the referee, those of
    /// the seats that decide where that seat may not act; for a viewer only where the action is his
    /// own or the decision is open to everybody.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameAction>, max_items = 5))]
    pub nearest: Vec<Box<RawValue>>,
    /// The clauses that forbid the action, or may do so where that cannot be decided; of a legal one
    /// those by which it does what it does, the deciding one first.
    pub clauses: Vec<Cited>,
}

/// The action that is asked about.
struct Asked<G: Game> {
    text: Box<RawValue>,
    value: Value,
    action: Result<G::Action, Malformed>,
    seat: Option<Seat>,
}

type Refused<G> = Refusal<<G as Game>::Rule>;

/// Chance for a trial: it always answers, so that nothing depends on a tape.
pub(super) fn trial_chance<G: Game>() -> Seeded {
    Seeded::new("why", G::META.streams)
}

impl<G: Game> Asked<G> {
    fn read(text: &str) -> Result<Self, Fault> {
        let no_json = |error: serde_json::Error| {
            Fault::new(FaultCode::BadJson, "", format!("this is no JSON: {error}"))
        };
        let action = match record::action::<G::Action>(text) {
            Ok(action) => Ok(action),
            Err(fault) if fault.code == FaultCode::BadJson => return Err(fault),
            Err(fault) => Err(Malformed::new(text, fault)),
        };
        let text: Box<RawValue> = serde_json::from_str(text).map_err(no_json)?;
        let value = serde_json::from_str(text.get()).map_err(no_json)?;
        let seat = player_of::<G>(text.get());
        Ok(Asked { text, value, action, seat })
    }

    /// Why the action cannot be at this table; nothing if it can, however chance falls.
    fn refused(&self, table: &Table<G>) -> Option<Refused<G>> {
        match &self.action {
            Err(fault) => Some(malformed_at(table, fault)),
            Ok(action) => match table.bare().play(action, &mut trial_chance::<G>()) {
                Err(Stop::Refused(refusal)) => Some(refusal),
                Ok(()) | Err(Stop::Chance { .. }) => None,
            },
        }
    }

    /// The clauses by which the action does what it does at a table that accepts it, in the order in
    /// which its events cite them.
    fn grounds(&self, table: &Table<G>) -> Vec<G::Rule> {
        let Ok(action) = &self.action else { return Vec::new() };
        let Ok(log) = table.bare().play_logged(action, &mut trial_chance::<G>()) else {
            return Vec::new();
        };
        let mut rules: Vec<G::Rule> = Vec::new();
        for rule in log.events.iter().flat_map(|logged| logged.rules.as_slice()) {
            if !rules.contains(rule) {
                rules.push(*rule);
            }
        }
        rules
    }

    fn names(&self) -> Vec<Name> {
        let mut found = Vec::new();
        names("", &self.value, &mut found);
        found
    }

    fn violation(&self, setup: &G::Setup, ply: u32, refusal: &Refusal<G::Rule>) -> Violation {
        Violation {
            ply,
            pointer: format!("/actions/{ply}{}", refusal.pointer),
            player: self.seat.map(|seat| G::META.seat_name(seat).to_owned()),
            code: refusal.code.to_owned(),
            rule: refusal.rule.id().to_owned(),
            section: refusal.rule.entry().section(G::edition(setup)),
            rules: refusal.rules().into_iter().map(str::to_owned).collect(),
            message: refusal.message.clone(),
            facts: refusal.facts.clone(),
            nearest: Vec::new(),
        }
    }
}

/// Answers why a proposed action is or is not allowed.
pub(crate) fn why<G: Game>(
    record: &RawRecord<'_>,
    asked: &str,
    query: &Query<'_>,
    bounds: &Bounds,
) -> Result<WhyNot, Unanswered> {
    let asked = Asked::<G>::read(asked)?;
    let loaded = load::<G>(record, query.limits)?;
    let mut there: Option<Table<G>> = None;
    let played = run(loaded, Keep::Nothing, &mut |table| {
        if query.ply == Some(table.ply()) {
            there = Some(table.bare());
        }
    })?;
    let table = match (query.ply, there) {
        (None, _) => played.table,
        (Some(_), Some(table)) => table,
        (Some(asked), None) => {
            return Err(Unanswered::NoSuchPly { asked, plies: played.table.ply() });
        }
    };
    let budget = query.limits.budget;
    let answer = match query.viewer {
        Observer::Referee => from_the_truth(&table, &asked, bounds, budget),
        viewer => from_a_view(&table, &asked, viewer, bounds, budget),
    };
    // A search that was ended says less than it should.
    budget.spend(0).map_err(Fault::from)?;
    Ok(answer)
}

/// An answer without anything that depends on the state.
fn blank<G: Game>(table: &Table<G>, asked: &Asked<G>, viewer: Observer) -> WhyNot {
    let view = view_json::<G>(table.setup(), table.state(), viewer);
    WhyNot {
        engine: ENGINE,
        game: G::META.id,
        ruleset: G::META.ruleset(),
        viewer: name_of(viewer, &G::META),
        ply: table.ply(),
        decision: pending(table),
        action: asked.text.clone(),
        answer: Answer::Legal,
        message: "the action is legal".to_owned(),
        violations: Vec::new(),
        facts: facts_about(&asked.names(), &view, &view, say::<G>(table.setup())),
        changes: Vec::new(),
        nearest: Vec::new(),
        clauses: Vec::new(),
    }
}

fn clauses<'r, G: Game>(
    setup: &G::Setup,
    refusals: impl IntoIterator<Item = &'r Refusal<G::Rule>>,
) -> Vec<Cited> {
    let rules = refusals.into_iter().flat_map(Refusal::all);
    cite(rules.map(Rule::entry), G::edition(setup))
}

/// The referee's answer.
fn from_the_truth<G: Game>(
    table: &Table<G>,
    asked: &Asked<G>,
    bounds: &Bounds,
    budget: Budget<'_>,
) -> WhyNot {
    let mut answer = blank(table, asked, Observer::Referee);
    let Some(refusal) = asked.refused(table) else {
        allowed::<G>(&mut answer, table.setup(), &asked.grounds(table));
        return answer;
    };
    answer.nearest = nearest(table, asked.seat, asked.text.get(), Observer::Referee);
    let mut refusals = vec![refusal];
    if asked.action.is_ok() {
        let mut search = Search::new(table, asked, &refusals[0], budget);
        search.run(bounds);
        answer.changes = search.found;
        refusals.extend(search.behind);
    }
    let setup = table.setup();
    let violation = |refusal: &Refused<G>| asked.violation(setup, table.ply(), refusal);
    answer.answer = Answer::Illegal;
    answer.message.clone_from(&refusals[0].message);
    answer.violations = refusals.iter().map(violation).collect();
    answer.clauses = clauses::<G>(setup, refusals.iter());
    answer
}

/// The answer to somebody who sees a part, out of nothing but that part.
fn from_a_view<G: Game>(
    table: &Table<G>,
    asked: &Asked<G>,
    viewer: Observer,
    bounds: &Bounds,
    budget: Budget<'_>,
) -> WhyNot {
    let mut answer = blank(table, asked, viewer);
    let setup = table.setup();
    let view = table.view(viewer);
    let mut worlds: Vec<Table<G>> = Vec::new();
    // Some worlds are not all. What a seat may do itself, and what is open to everybody, is the
    // same in every world (law 4), and so is a fault that everybody can see; of other actions
    // nothing follows from a sample.
    let own = matches!(viewer, Observer::Seat(own) if asked.seat == Some(own));
    let sent = asked.action.as_ref().ok();
    let guess = sent.and_then(|action| G::guess(setup, table.state(), action, viewer));
    let exact = guess.is_none() && (own || table.decision().open);
    let mut tried: Vec<Option<Refused<G>>> = Vec::new();
    // Where every state refuses the action, but none yet by what everybody can see, more are asked:
    // it may be illegal whatever is hidden (even with the card).
    let settled = |tried: &[Option<Refused<G>>]| {
        tried.iter().any(|refusal| refusal.as_ref().is_none_or(|it| it.public || it.in_sight))
    };
    let mut drawn = 0;
    while drawn < bounds.worlds * MORE_WORLDS {
        if budget.spend(1).is_err() || (drawn >= bounds.worlds && (exact || settled(&tried))) {
            break;
        }
        let number = drawn;
        drawn += 1;
        let mut chance = Seeded::new(&format!("why {number}"), G::META.streams);
        let Ok(state) = G::determinize(setup, &view, &mut chance) else { continue };
        if worlds.iter().all(|world| *world.state() != state) {
            let world = Table::unopened(setup.clone(), state, Keep::Nothing);
            tried.push(asked.refused(&world));
            worlds.push(world);
        }
    }
    let refusals: Vec<&Refusal<G::Rule>> = tried.iter().flatten().collect();
    if refusals.is_empty() && !worlds.is_empty() && exact {
        // Only what is cited in every state that the viewer could be in.
        let mut grounds = asked.grounds(&worlds[0]);
        for world in &worlds[1..] {
            let there = asked.grounds(world);
            grounds.retain(|rule| there.contains(rule));
        }
        allowed::<G>(&mut answer, setup, &grounds);
        return answer;
    }
    if own || table.decision().open {
        answer.nearest = nearest_in_all(&worlds, asked);
    }
    // What everybody can see to forbid the action in one state forbids it in all of them.
    let seen = refusals.iter().copied().find(|refusal| refusal.public || refusal.in_sight);
    if let (Some(seen), false, true) = (seen, exact, refusals.len() == tried.len()) {
        let hidden = refusals.iter().any(|refusal| !refusal.public && !refusal.in_sight);
        answer.answer = Answer::Illegal;
        answer.violations = vec![asked.violation(setup, table.ply(), seen)];
        answer.clauses = clauses::<G>(setup, [seen]);
        answer.message = match hidden {
            true => format!("illegal whatever you cannot see: {}", seen.message),
            false => seen.message.clone(),
        };
        return answer;
    }
    // So many states that all refuse it leave no doubt worth naming, but they are named.
    let searched = guess.is_none() && drawn == bounds.worlds * MORE_WORLDS;
    let sure = exact || searched || refusals.iter().all(|refusal| refusal.public);
    if refusals.len() < tried.len() || worlds.is_empty() || !sure {
        answer.answer = Answer::Undecidable;
        answer.message = "cannot be decided from what you may know".to_owned();
        let rules = possible(&refusals).into_iter().flat_map(Refusal::all);
        let rules = guess.into_iter().chain(rules);
        answer.clauses = cite(rules.map(Rule::entry), G::edition(setup));
        return answer;
    }
    answer.answer = Answer::Illegal;
    match common(&refusals) {
        Some(refusal) if !exact && !refusal.public => {
            answer.message = format!(
                "illegal in each of {drawn} positions drawn from what you can see: {}",
                refusal.message
            );
            answer.violations = vec![asked.violation(setup, table.ply(), &refusal)];
            answer.clauses = clauses::<G>(setup, [&refusal]);
        }
        Some(refusal) => {
            answer.message.clone_from(&refusal.message);
            answer.violations = vec![asked.violation(setup, table.ply(), &refusal)];
            answer.clauses = clauses::<G>(setup, [&refusal]);
        }
        None => {
            answer.message = "the action is refused in every state that you could be in, but not \
                              everywhere by the same clause"
                .to_owned();
            answer.clauses = clauses::<G>(setup, possible(&refusals));
        }
    }
    answer
}

/// A legal action has its clauses too.
fn allowed<G: Game>(answer: &mut WhyNot, setup: &G::Setup, grounds: &[G::Rule]) {
    answer.clauses = cite(grounds.iter().map(|rule| rule.entry()), G::edition(setup));
    if let Some(first) = answer.clauses.first() {
        answer.message = format!("the action is legal by {}", first.id);
    }
}

/// One refusal for each clause that is cited first somewhere, in the order of the document.
fn possible<'r, R: Rule>(refusals: &[&'r Refusal<R>]) -> Vec<&'r Refusal<R>> {
    let mut sorted = refusals.to_vec();
    sorted.sort_by_key(|refusal| refusal.rule);
    sorted.dedup_by_key(|refusal| refusal.rule);
    sorted
}

/// What all refusals have in common, if it is the same clause everywhere.
fn common<R: Rule>(refusals: &[&Refusal<R>]) -> Option<Refusal<R>> {
    let (first, others) = refusals.split_first()?;
    let mut all = Refusal::clone(first);
    for other in others {
        if (other.rule, other.code) != (all.rule, all.code) {
            return None;
        }
        all.also.retain(|rule| other.also.contains(rule));
        all.facts.retain(|fact| other.facts.contains(fact));
        if other.pointer != all.pointer {
            all.pointer.clear();
        }
        if other.message != all.message {
            all.message = all.rule.entry().gist.to_owned();
        }
    }
    Some(all)
}

/// Of the legal actions most like the one that is asked about, those that are legal in every world.
fn nearest_in_all<G: Game>(worlds: &[Table<G>], asked: &Asked<G>) -> Vec<Box<RawValue>> {
    const TRY: usize = 100;
    let (Some((first, others)), Some(seat)) = (worlds.split_first(), asked.seat) else {
        return Vec::new();
    };
    if !worlds.iter().all(|world| world.may_act().contains(seat)) {
        return Vec::new();
    }
    let legal = |world: &Table<G>, action: &G::Action| {
        !matches!(world.bare().play(action, &mut trial_chance::<G>()), Err(Stop::Refused(_)))
    };
    let actions = most_alike(first, seat, &asked.value).take(TRY);
    let everywhere = actions.filter(|action| others.iter().all(|world| legal(world, action)));
    everywhere.take(NEAREST).map(|action| raw(&action)).collect()
}

/// What a changed position came to.
enum Trial<R> {
    /// It is no position of the game; the place that does not fit, where the game names it.
    None(Option<String>),
    /// The action is accepted there.
    Accepted,
    /// The action is refused there.
    Refused(Refusal<R>),
}

/// A place of the view that can be changed, with what to try there.
struct Spot {
    /// How far from what the question names: 0 is near.
    rank: u8,
    /// What is tried there.
    tries: Tries,
}

/// What is tried at a place, one edit at a time.
enum Tries {
    /// Other values at that pointer, under that field; worked out when their turn comes.
    Others(String, String),
    /// These.
    These(Vec<Edit>),
}

/// The search for changes of facts that allow an action.
struct Search<'a, G: Game> {
    setup: Arc<G::Setup>,
    asked: &'a Asked<G>,
    named: Vec<Name>,
    /// The seats that decide, if the asking seat does not.
    deciding: Vec<&'static str>,
    view: Value,
    /// Clause and code of the refusal.
    first: (G::Rule, &'static str),
    left: u32,
    budget: Budget<'a>,
    found: Vec<Allowing>,
    behind: Vec<Refused<G>>,
}

impl<'a, G: Game> Search<'a, G> {
    fn new(
        table: &Table<G>,
        asked: &'a Asked<G>,
        refusal: &Refusal<G::Rule>,
        budget: Budget<'a>,
    ) -> Self {
        let seats = table.decision().seats;
        let own = asked.seat.is_some_and(|seat| table.may_act().contains(seat));
        let deciding = match own {
            true => Vec::new(),
            false => seats.iter().map(|seat| G::META.seat_name(seat)).collect(),
        };
        Search {
            setup: table.setup().clone(),
            asked,
            named: asked.names(),
            deciding,
            view: view_json::<G>(table.setup(), table.state(), Observer::Referee),
            first: (refusal.rule, refusal.code),
            left: 0,
            budget,
            found: Vec::new(),
            behind: Vec::new(),
        }
    }

    fn run(&mut self, bounds: &Bounds) {
        self.left = bounds.loads;
        let view = self.view.clone();
        // A position must stand for the state: refused there as here.
        match self.trial(&view) {
            Trial::Refused(refusal) if (refusal.rule, refusal.code) == self.first => {}
            _ => return,
        }
        // Steps that lead past the first clause, two for each clause behind it.
        let mut steps: Vec<(Edit, Refused<G>)> = Vec::new();
        // Steps after which another place does not fit, with that place.
        let mut broken: Vec<(Edit, String)> = Vec::new();
        let first = self.first;
        self.each(&view, |search, edit, trial| match trial {
            Trial::None(place) => {
                let same = broken.iter().filter(|(had, _)| had.path == edit.path).count();
                let place = place.filter(|it| !it.is_empty() && *it != edit.path && same < 3);
                if let Some(place) = place {
                    broken.push((edit.clone(), place));
                }
                Next::Try
            }
            Trial::Accepted => {
                search.keep(&view, vec![edit.clone()]);
                if search.found.len() < CHANGES { Next::Spot } else { Next::Stop }
            }
            Trial::Refused(refusal) => {
                let same = steps.iter().filter(|(_, had)| had.rule == refusal.rule).count();
                if (refusal.rule, refusal.code) != first && same < 2 {
                    steps.push((edit.clone(), refusal));
                }
                Next::Try
            }
        });
        if !self.found.is_empty() {
            return;
        }
        self.left = bounds.pairs / 3;
        let mut changed = view.clone();
        for (edit, place) in broken {
            let mut edits = Vec::new();
            if let Some(undo) = put(&mut changed, &edit) {
                edits.push(edit);
                self.mend(&view, &mut changed, &mut edits, &place);
                put(&mut changed, &undo);
            }
            if self.found.len() == CHANGES || self.left == 0 {
                break;
            }
        }
        self.left = bounds.pairs / 3;
        if !self.found.is_empty() || self.swaps(&view) {
            self.found.sort_by_key(|change| change.edits.len());
            return;
        }
        let share = bounds.pairs / 3 / (steps.len() as u32).max(1);
        for (one, refusal) in steps {
            let Some(changed) = patch::apply(&view, std::slice::from_ref(&one)) else { continue };
            self.left = share;
            let mut other = None;
            self.each(&changed, |_, edit, trial| match trial {
                Trial::Accepted if edit.path != one.path => {
                    other = Some(edit.clone());
                    Next::Stop
                }
                _ => Next::Try,
            });
            let Some(other) = other else { continue };
            self.left = 1;
            let alone = patch::apply(&view, std::slice::from_ref(&other));
            if alone.is_some_and(|alone| matches!(self.trial(&alone), Trial::Accepted)) {
                self.keep(&view, vec![other]);
                self.found.sort_by_key(|change| change.edits.len());
            } else {
                self.keep(&view, vec![one, other]);
                if self.behind.iter().all(|had| had.rule != refusal.rule) {
                    self.behind.push(refusal);
                }
            }
            if self.found.len() == CHANGES {
                return;
            }
        }
    }

    /// Loads a view as a position and tries the action there.
    fn trial(&mut self, view: &Value) -> Trial<G::Rule> {
        self.left = self.left.saturating_sub(1);
        if self.budget.spend(1).is_err() {
            self.left = 0;
            return Trial::None(None);
        }
        // Read as a record's text would be.
        let text = view.to_string();
        let position = match record::read::<G::Position>(&text, FaultCode::BadPosition, "") {
            Ok(position) => position,
            Err(_) => return Trial::None(None),
        };
        let state = match G::load(&self.setup, position) {
            Ok(state) => state,
            Err(refusal) => return Trial::None(Some(refusal.into_parts().pointer)),
        };
        let (setup, chance) = (self.setup.clone(), &mut trial_chance::<G>());
        let Ok(table) = Table::resume(setup, state, chance, Keep::Nothing) else {
            return Trial::None(None);
        };
        match self.asked.refused(&table) {
            Some(refusal) => Trial::Refused(refusal),
            None => Trial::Accepted,
        }
    }

    /// Whether none of the edits can be left out.
    fn least(&mut self, view: &Value, edits: &[Edit]) -> bool {
        (0..edits.len()).all(|at| {
            let fewer = [&edits[..at], &edits[at + 1..]].concat();
            let changed = patch::apply(view, &fewer);
            changed.is_none_or(|changed| !matches!(self.trial(&changed), Trial::Accepted))
        })
    }

    /// Mends a changed position at the place that does not fit any more, and tries the action
    /// there. The first way is enough.
    fn mend(
        &mut self,
        view: &Value,
        changed: &mut Value,
        edits: &mut Vec<Edit>,
        place: &str,
    ) -> bool {
        const DEEPEST: usize = 3;
        let Some(value) = changed.pointer(place) else { return false };
        if !is_scalar(value) || edits.iter().any(|edit| edit.path == place) {
            return false;
        }
        let mut pool = Pool::default();
        pool.note("", changed);
        let key = place.rsplit('/').next().unwrap_or_default();
        let others = self.alternatives(place, key, changed, &pool);
        for other in others {
            if self.left == 0 {
                return false;
            }
            let edit = Edit::replace(place, other);
            let Some(undo) = put(changed, &edit) else { continue };
            edits.push(edit);
            let done = match self.trial(changed) {
                Trial::Accepted => {
                    if self.least(view, edits) {
                        self.keep(view, edits.clone());
                    }
                    true
                }
                Trial::None(Some(next)) if edits.len() < DEEPEST => {
                    self.mend(view, changed, edits, &next)
                }
                Trial::None(_) | Trial::Refused(_) => false,
            };
            edits.pop();
            put(changed, &undo);
            if done {
                return true;
            }
        }
        false
    }

    /// Tries one edit after the other, the nearest places first, until nothing is left to spend.
    /// What nobody at a table could have otherwise is not tried.
    fn each(
        &mut self,
        view: &Value,
        mut tell: impl FnMut(&mut Self, &Edit, Trial<G::Rule>) -> Next,
    ) {
        let mut places = self.places(view);
        places.sort_by_key(|place| place.rank);
        let mut pool = Pool::default();
        pool.note("", view);
        let mut changed = view.clone();
        for place in places {
            let edits = match place.tries {
                Tries::These(edits) => edits,
                Tries::Others(..) if self.left == 0 => return,
                Tries::Others(at, key) => {
                    // Asking the game for its words costs about as much as a trial.
                    self.left -= 1;
                    let others = self.alternatives(&at, &key, view, &pool);
                    others.into_iter().map(|value| Edit::replace(at.clone(), value)).collect()
                }
            };
            for edit in &edits {
                if self.left == 0 {
                    return;
                }
                if self.condition(view, edit) == Condition::Idle {
                    continue;
                }
                let Some(undo) = put(&mut changed, edit) else { continue };
                let trial = self.trial(&changed);
                put(&mut changed, &undo);
                match tell(self, edit, trial) {
                    Next::Try => {}
                    Next::Spot => break,
                    Next::Stop => return,
                }
            }
        }
    }

    /// Tries to change places of a thing that the action names with another in another list, as
    /// games want it in which nothing gets lost (a card of the hand for one of the deck).
    fn swaps(&mut self, view: &Value) -> bool {
        let mut items = Vec::new();
        list_items("", "", view, &mut items);
        let named: BTreeSet<&str> = self.named.iter().filter_map(|it| it.name.as_str()).collect();
        let wanted: Vec<(String, String, String)> =
            items.iter().filter(|(_, _, name)| named.contains(name.as_str())).cloned().collect();
        let mut seen = BTreeSet::new();
        let mut changed = view.clone();
        for (list, at, name) in &wanted {
            for (other_list, other, had) in &items {
                let key = (list.clone(), name.clone(), other_list.clone(), had.clone());
                if list == other_list || name == had || !seen.insert(key) {
                    continue;
                }
                // One swap is much like the next: two examples are enough.
                if self.left == 0 || self.found.len() == 2 {
                    return !self.found.is_empty();
                }
                let there = Edit::replace(other.clone(), name.as_str().into());
                let back = Edit::replace(at.clone(), had.as_str().into());
                let (Some(first), Some(second)) =
                    (put(&mut changed, &there), put(&mut changed, &back))
                else {
                    changed.clone_from(view);
                    continue;
                };
                let accepted = matches!(self.trial(&changed), Trial::Accepted);
                put(&mut changed, &second);
                put(&mut changed, &first);
                if accepted {
                    self.keep(view, vec![there, back]);
                }
            }
        }
        !self.found.is_empty()
    }

    /// The places of a view in pointer order, each with the edits that are worth trying.
    fn places(&self, view: &Value) -> Vec<Spot> {
        let near: BTreeSet<String> = places(&self.named, view).into_iter().collect();
        let mut all = Vec::new();
        self.collect("", "", view, &near, &mut all);
        all
    }

    fn collect(
        &self,
        at: &str,
        key: &str,
        value: &Value,
        near: &BTreeSet<String>,
        to: &mut Vec<Spot>,
    ) {
        if is_scalar(value) {
            let tries = Tries::Others(at.to_owned(), key.to_owned());
            to.push(Spot { rank: self.rank(at, value, near), tries });
            return;
        }
        match value {
            Value::Object(fields) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                for (key, value) in sorted {
                    let here = format!("{at}/{}", escaped(key));
                    self.collect(&here, key, value, near, to);
                    if !value.is_null() {
                        let rank = self.rank(&here, value, near).max(1);
                        to.push(Spot { rank, tries: Tries::These(vec![Edit::remove(here)]) });
                    }
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    let here = format!("{at}/{index}");
                    self.collect(&here, key, value, near, to);
                    let id = format!("{here}/id");
                    let rank = match near.contains(&id) {
                        true => 0,
                        false => self.rank(&here, value, near).max(1),
                    };
                    to.push(Spot { rank, tries: Tries::These(vec![Edit::remove(here)]) });
                }
                if items.iter().all(is_scalar) {
                    let like = |name: &&Name| match items.first() {
                        Some(item) => kind(item) == kind(&name.name),
                        None => name.name.is_string(),
                    };
                    let end = format!("{at}/{}", items.len());
                    let added =
                        self.named.iter().filter(like).filter(|it| !items.contains(&it.name));
                    let edits = added.map(|it| Edit::add(end.clone(), it.name.clone())).collect();
                    to.push(Spot { rank: 1, tries: Tries::These(edits) });
                }
            }
            _ => {}
        }
    }

    fn rank(&self, at: &str, value: &Value, near: &BTreeSet<String>) -> u8 {
        let turn = value.as_str().is_some_and(|name| self.deciding.contains(&name));
        if turn || near.contains(at) {
            0
        } else if self.named.iter().any(|named| named.name == *value && !value.is_number())
            || at.matches('/').count() < 3
        {
            1
        } else {
            2
        }
    }

    /// Other values for a place, the likeliest first.
    fn alternatives(&self, at: &str, key: &str, view: &Value, pool: &Pool) -> Vec<Value> {
        const MOST: usize = 24;
        let Some(value) = view.pointer(at) else { return Vec::new() };
        let mut all: Vec<Value> = Vec::new();
        let named = |wanted: &Value| {
            let wanted = kind(wanted);
            self.named.iter().map(|it| &it.name).filter(move |name| kind(name) == wanted).cloned()
        };
        let siblings: Vec<Value> = match at.rsplit_once('/').and_then(|(up, _)| view.pointer(up)) {
            Some(Value::Object(fields)) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                sorted.into_iter().map(|(_, value)| value.clone()).collect()
            }
            Some(Value::Array(items)) => items.clone(),
            _ => Vec::new(),
        };
        let like = |other: &&Value| kind(other) == kind(value);
        match value {
            Value::Bool(is) => all.push((!is).into()),
            Value::Number(number) => {
                let number = number.as_i64().unwrap_or(0);
                let near = [1, -1, 2, -2].map(|step| number.saturating_add(step));
                let least = number.min(0);
                all.extend(near.into_iter().chain([0]).filter(|&it| it >= least).map(Value::from));
                all.extend(named(value));
                all.extend(pool.under(key).iter().chain(&siblings).filter(like).take(8).cloned());
            }
            Value::String(_) => {
                all.extend(named(value));
                all.extend(self.variants(at, view));
                all.extend(pool.under(key).iter().chain(&siblings).filter(like).cloned());
                all.extend(pool.keys.iter().map(|key| Value::from(key.as_str())));
            }
            Value::Array(_) => {
                all.extend(named(value));
                let pair = |index: usize| value[index].as_i64().unwrap_or(0);
                let (q, r) = (pair(0), pair(1));
                let round = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
                all.extend(round.map(|(dq, dr)| {
                    serde_json::json!([q.saturating_add(dq), r.saturating_add(dr)])
                }));
                all.extend(pool.pairs.iter().cloned());
            }
            Value::Null => {
                all.extend(pool.under(key).iter().filter(|it| is_scalar(it)).take(8).cloned());
                all.extend(self.variants(at, view));
                all.extend(self.named.iter().map(|it| it.name.clone()));
            }
            Value::Object(_) => {}
        }
        if !value.is_null() {
            all.truncate(MOST);
            all.push(Value::Null);
        }
        let mut once: Vec<Value> = Vec::new();
        for other in all {
            if other != *value && !once.contains(&other) {
                once.push(other);
            }
        }
        once
    }

    /// The words that the game knows at a place, if it names them when another stands there.
    fn variants(&self, at: &str, view: &Value) -> Vec<Value> {
        let mut wrong = view.clone();
        let Some(place) = wrong.pointer_mut(at) else { return Vec::new() };
        *place = "?".into();
        let Err(error) = G::Position::deserialize(&wrong) else { return Vec::new() };
        let text = error.to_string();
        let Some((_, known)) = text.split_once("expected") else { return Vec::new() };
        known.split('`').skip(1).step_by(2).map(Value::from).collect()
    }

    /// What an edit is to the people at the table. That what the action names were already where the
    /// action names is no condition: nothing would be left to do.
    fn condition(&self, view: &Value, edit: &Edit) -> Condition {
        let named = |name: &Value| self.named.iter().any(|it| it.name == *name);
        let (around, _) = edit.path.rsplit_once('/').unwrap_or_default();
        let thing = view.pointer(around).filter(|thing| thing.is_object());
        let there = edit.value.as_ref().is_some_and(|value| !value.is_number() && named(value));
        if let (Some(thing), true) = (thing, there) {
            let mut keys = edit.path.rsplit('/').take(2);
            if keys.any(|key| named(&key.into())) || thing.get("id").is_some_and(named) {
                return Condition::Idle;
            }
        }
        G::condition(&self.setup, Change { view, path: &edit.path, to: edit.value.as_ref() })
    }

    /// Keeps an allowing change with its words, but for one that says what another says already.
    fn keep(&mut self, view: &Value, edits: Vec<Edit>) {
        let rendered = edits.iter().map(|edit| match self.condition(view, edit) {
            Condition::Words(words) => Some(words),
            Condition::GoesAlong => None,
            Condition::Plain | Condition::Idle => Some(words(view, edit)),
        });
        let mut rendered: Vec<String> = rendered.flatten().collect();
        if rendered.is_empty() {
            rendered = edits.iter().map(|edit| words(view, edit)).collect();
        }
        rendered.dedup();
        let words = rendered.join("; and ");
        if self.found.iter().all(|had| had.words != words) {
            self.found.push(Allowing { edits, words });
        }
    }
}

/// What to do after a trial.
enum Next {
    /// Try the next edit.
    Try,
    /// Go on at the next place.
    Spot,
    /// Look no further.
    Stop,
}

/// Applies one edit in place and gives the edit that undoes it; nothing happens where it does not
/// fit.
fn put(value: &mut Value, edit: &Edit) -> Option<Edit> {
    match (edit.op, &edit.value) {
        (Op::Replace, Some(new)) => {
            let place = value.pointer_mut(&edit.path)?;
            Some(Edit::replace(edit.path.clone(), std::mem::replace(place, new.clone())))
        }
        (Op::Add, Some(new)) => {
            patch::put(value, &edit.path, new.clone())?;
            Some(Edit::remove(edit.path.clone()))
        }
        (Op::Remove, _) => {
            let old = patch::take(value, &edit.path)?;
            Some(Edit::add(edit.path.clone(), old))
        }
        _ => None,
    }
}

/// Values of the same kind can stand in each other's place.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) if is_pair(value) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

/// The words in lists: the list, the place, the word.
fn list_items(list: &str, at: &str, value: &Value, to: &mut Vec<(String, String, String)>) {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            for (key, value) in sorted {
                list_items("", &format!("{at}/{}", escaped(key)), value, to);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                list_items(at, &format!("{at}/{index}"), value, to);
            }
        }
        Value::String(word) if !list.is_empty() => {
            to.push((list.to_owned(), at.to_owned(), word.clone()));
        }
        _ => {}
    }
}

/// Values that occur in a view, by the field they stand in.
#[derive(Default)]
struct Pool {
    by_field: std::collections::BTreeMap<String, Vec<Value>>,
    pairs: Vec<Value>,
    keys: BTreeSet<String>,
}

impl Pool {
    fn note(&mut self, key: &str, value: &Value) {
        const MOST: usize = 16;
        if is_scalar(value) {
            let seen = self.by_field.entry(key.to_owned()).or_default();
            if seen.len() < MOST && !value.is_null() && !seen.contains(value) {
                seen.push(value.clone());
            }
            if is_pair(value) && self.pairs.len() < MOST && !self.pairs.contains(value) {
                self.pairs.push(value.clone());
            }
            return;
        }
        match value {
            Value::Object(fields) => {
                let mut sorted: Vec<_> = fields.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                for (field, value) in sorted {
                    self.keys.insert(field.clone());
                    self.note(field, value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.note(key, item)),
            _ => {}
        }
    }

    fn under(&self, key: &str) -> &[Value] {
        self.by_field.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}

/// An edit in plain words.
fn words(view: &Value, edit: &Edit) -> String {
    let name = patch::place(view, &edit.path);
    match (edit.op, &edit.value, view.pointer(&edit.path)) {
        (Op::Replace, Some(new), Some(old)) => {
            format!("{name} would have to be {}; it is {}", short(new), short(old))
        }
        (Op::Add, Some(new), _) => {
            let list = edit.path.rsplit_once('/').map_or("", |(list, _)| list);
            format!("{} would have to hold {} as well", patch::place(view, list), short(new))
        }
        (_, _, Some(old)) => format!("{name} would have to go; it is {}", short(old)),
        _ => format!("{name} would have to change"),
    }
}
