//! The odds of an action for people: what can happen next, how likely, by which clause.
//!
//! Exact where everything that can fall is counted; for a viewer who does not know everything, the mean over
//! worlds that he could be in, said to be so. Must not tell a viewer what he would not be learned.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::course::Course;
use super::hint::rounded;
use super::odds::{NoOdds, each};
use super::random::Random;
use super::search::Position;
use crate::game::{FullGame, Log, Observer, PlayerAction, Table};
use crate::people::{Sentences, sentences};
use crate::record::{self, Fault, RawRecord};
use crate::replay::Query;
use crate::replay::answer::{ENGINE, Unanswered, name_of, raw};
use crate::rules::Rule;
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameId};

/// The most ways to fall that are followed.
const MOST: usize = 20_000;
/// How many falls are sampled, in all worlds together, where there are more ways than that.
const FALLS: u32 = 2_000;
/// How many worlds stand for what a viewer does not know.
const WORLDS: u32 = 64;

/// What is asked.
#[derive(Clone, Copy)]
pub struct OddsQuery<'a> {
    /// Whose knowledge, which ply, and how much it may cost.
    pub query: Query<'a>,
    /// The action, as JSON text.
    pub action: &'a str,
}

/// Something that can happen next.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Possibility {
    /// What happens, in plain words, as the viewer would be told; empty where he would be told nothing.
    pub texts: Vec<String>,
    /// The clauses it follows from.
    pub rules: Vec<&'static str>,
    /// The probability, from 0 to 1, to four places.
    pub probability: f64,
    /// The same as a fraction in lowest terms, favourable over possible cases; only where it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub fraction: Option<String>,
}

/// The odds of an action.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Odds))]
pub struct Odds {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who asks.
    pub viewer: &'static str,
    /// The ply.
    pub ply: u32,
    /// The action.
    #[cfg_attr(feature = "schema", schema(value_type = GameAction))]
    pub action: Box<RawValue>,
    /// The same in plain words.
    pub text: Option<String>,
    /// Whether every probability is exact; otherwise it is the mean over worlds that the viewer could be in, or
    /// over falls that were sampled.
    pub exact: bool,
    /// How many falls were sampled, where there are too many ways to count them all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub sampled: Option<u32>,
    /// In how many worlds it was counted.
    pub worlds: u32,
    /// What can happen, the likeliest first.
    pub possibilities: Vec<Possibility>,
}

sentences! {
    Odds: text, possibilities;
    Possibility: texts;
}

/// Why there are no odds.
#[derive(Clone, PartialEq, Debug)]
pub enum NoAnswer {
    /// The record gives no such table, or the action cannot be read.
    Unanswered(Unanswered),
    /// The action is illegal there: the clause, and why.
    Illegal {
        /// The clause cited first.
        rule: &'static str,
        /// What is wrong.
        message: String,
    },
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> Self {
        NoAnswer::Unanswered(fault.into())
    }
}

/// What the viewer is told of one way it can go.
type Learned = (Vec<String>, Vec<&'static str>);

/// Favourable and possible cases.
type Fraction = (u128, u128);

/// One way it can go, over all worlds looked at.
struct Possible {
    learned: Learned,
    /// The sum of its probabilities.
    sum: f64,
    /// Its odds in the first world that had it.
    odds: Fraction,
}

/// The odds of an action at a ply of a record.
///
/// # Errors
/// [`NoAnswer`].
pub(crate) fn odds<G: FullGame>(
    record: &RawRecord<'_>,
    asked: &OddsQuery<'_>,
) -> Result<Odds, NoAnswer> {
    let Query { viewer, ply, limits, .. } = asked.query;
    let action: G::Action = record::read(asked.action, record::FaultCode::BadRecord, "/action")?;
    let course = Course::<G>::of(record, limits)?;
    let ply = ply.unwrap_or(course.plies());
    let table = course.at(ply).ok_or(Unanswered::NoSuchPly { asked: ply, plies: course.plies() });
    let table = table.map_err(NoAnswer::Unanswered)?;
    let mut possible: Vec<Possible> = Vec::new();
    let position = course.position(ply, viewer);
    let position = position.unwrap_or_else(|| Position::of(table, viewer));
    let mut random = Random::new("odds", 0);
    let (mut worlds, mut exact, mut sampled) = (0, true, None);
    for _ in 0..WORLDS {
        limits.budget.spend(1).map_err(Fault::from)?;
        let Some((world, sole)) = position.world(&mut random) else { continue };
        let here = learned_odds(&world, &action, viewer);
        let here = match here {
            Ok(here) => here,
            // Illegal in one world that he could be in: legal in no other, or he may not know.
            Err(NoOdds::Refused(refusal)) if sole || viewer.sees(G::Action::seat(&action)) => {
                let (rule, message) = (refusal.rule.id(), refusal.message.clone());
                return Err(NoAnswer::Illegal { rule, message });
            }
            Err(NoOdds::Refused(_)) => continue,
            Err(NoOdds::TooMany | NoOdds::Chance(_)) => {
                let falls = if sole { FALLS } else { FALLS / WORLDS };
                *sampled.get_or_insert(0) += falls;
                exact = false;
                limits.budget.spend(falls.into()).map_err(Fault::from)?;
                falling(&world, &action, viewer, falls, &mut random)
            }
        };
        worlds += 1;
        let same = exact
            && (worlds == 1
                || here.len() == possible.len()
                    && here.iter().all(|(learned, odds)| {
                        possible.iter().any(|it| it.learned == *learned && it.odds == *odds)
                    }));
        exact = same;
        for (learned, odds) in here {
            let probability = odds.0 as f64 / odds.1 as f64;
            match possible.iter_mut().find(|it| it.learned == learned) {
                Some(it) => it.sum += probability,
                None => possible.push(Possible { learned, sum: probability, odds }),
            }
        }
        if sole {
            break;
        }
    }
    if worlds == 0 {
        let message = "it is legal in no world that the viewer could be in".to_owned();
        return Err(NoAnswer::Illegal { rule: G::CLAUSES.rejection.id(), message });
    }
    let mut possibilities: Vec<Possibility> = possible
        .into_iter()
        .map(|Possible { learned: (texts, rules), sum, odds }| Possibility {
            texts,
            rules,
            probability: rounded(sum / f64::from(worlds)),
            fraction: exact.then(|| format!("{}/{}", odds.0, odds.1)),
        })
        .collect();
    possibilities.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(Odds {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
        viewer: name_of(viewer, &G::META),
        ply,
        text: G::describe_action(table.setup(), Some(table.state()), &action),
        action: raw(&action),
        exact,
        sampled,
        worlds,
        possibilities,
    })
}

/// What a viewer can be told next, each with its exact odds.
fn learned_odds<G: FullGame>(
    table: &Table<G>,
    action: &G::Action,
    viewer: Observer,
) -> Result<BTreeMap<Learned, Fraction>, NoOdds<G::Rule>> {
    let mut found: BTreeMap<Learned, Fraction> = BTreeMap::new();
    let mut overflow = false;
    each(table, action, MOST, |log, odds| {
        let learned = learned::<G>(table, &log, viewer);
        let sum = found.entry(learned).or_insert((0, 1));
        match super::odds::add(*sum, odds) {
            Some(more) => *sum = more,
            None => overflow = true,
        }
    })?;
    if overflow { Err(NoOdds::TooMany) } else { Ok(found) }
}

/// What a viewer was told in some falls, each as often as it fell.
fn falling<G: FullGame>(
    table: &Table<G>,
    action: &G::Action,
    viewer: Observer,
    falls: u32,
    random: &mut Random,
) -> BTreeMap<Learned, Fraction> {
    let mut found: BTreeMap<Learned, Fraction> = BTreeMap::new();
    for _ in 0..falls {
        if let Ok(log) = table.bare().play_logged(action, random) {
            let learned = learned::<G>(table, &log, viewer);
            found.entry(learned).or_insert((0, falls.into())).0 += 1;
        }
    }
    found
}

/// What a viewer is told of one way it can go.
fn learned<G: FullGame>(table: &Table<G>, log: &Log<G>, viewer: Observer) -> Learned {
    let (mut texts, mut rules): Learned = (Vec::new(), Vec::new());
    for logged in &log.events {
        if G::announce(table.setup(), &logged.event, viewer).is_none() {
            continue;
        }
        texts.extend(logged.tell(table.setup(), viewer));
        for rule in logged.rules.as_slice() {
            if !rules.contains(&rule.id()) {
                rules.push(rule.id());
            }
        }
    }
    (texts, rules)
}
