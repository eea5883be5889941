//! Why not? A proposed action at a position: the clauses that forbid it, the facts behind them,
//! the least change of facts that would allow it, and the nearest legal actions.
//!
//! The referee is answered from the true state. Everybody else is answered from states that he
//! could be in, drawn from his own view with fixed seeds: the true state is never asked, so the
//! answer is the same in every state that he cannot tell apart. This module must not know a game;
//! a change of facts is found by trying, never by reading a rule.

mod answer;
mod asked;
mod pool;
mod search;

use serde_json::value::RawValue;

use crate::budget::Budget;
use crate::chance::seeded::Seeded;
use crate::dispute::explain::{facts_about, say, view_json};
use crate::game::{FullGame, Keep, Observer, PlayerAction, Stop, Table, TableSetup};
use crate::record::{Fault, RawRecord};
use crate::replay::answer::{Cited, ENGINE, Unanswered, cite, name_of, pending, raw};
use crate::replay::nearest::{NEAREST, most_alike, nearest};
use crate::replay::{Query, load, run};
use crate::rules::{Refusal, Rule};
pub use answer::{Allowing, Answer, Bounds, WhyNot};
pub(super) use asked::trial_chance;
use asked::{Asked, Refused};
use search::Search;

/// How many times as many states are asked where none of the first is refused by what everybody sees.
const MORE_WORLDS: u32 = 16;

/// Answers why a proposed action is or is not allowed.
pub(crate) fn why<G: FullGame>(
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
fn blank<G: FullGame>(table: &Table<G>, asked: &Asked<G>, viewer: Observer) -> WhyNot {
    let view = view_json::<G>(table.setup(), table.state(), viewer);
    WhyNot {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
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
        witness: None,
        proof: None,
        tried: None,
    }
}

fn clauses<'r, G: FullGame>(
    setup: &G::Setup,
    refusals: impl IntoIterator<Item = &'r Refusal<G::Rule>>,
) -> Vec<Cited> {
    let rules = refusals.into_iter().flat_map(Refusal::all);
    cite(rules.map(Rule::entry), G::Setup::edition(setup))
}

/// The referee's answer.
fn from_the_truth<G: FullGame>(
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
fn from_a_view<G: FullGame>(
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
    let guess = sent.and_then(|action| G::Action::cite_guess(action, setup, table.state(), viewer));
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
        answer.clauses = cite(rules.map(Rule::entry), G::Setup::edition(setup));
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
fn allowed<G: FullGame>(answer: &mut WhyNot, setup: &G::Setup, grounds: &[G::Rule]) {
    answer.clauses = cite(grounds.iter().map(|rule| rule.entry()), G::Setup::edition(setup));
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
fn nearest_in_all<G: FullGame>(worlds: &[Table<G>], asked: &Asked<G>) -> Vec<Box<RawValue>> {
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
