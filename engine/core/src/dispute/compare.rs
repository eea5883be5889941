//! Where two records part, and where a record and the fingerprints of another engine do.
//!
//! Two records of one game are replayed side by side up to the first ply whose states differ.
//! Somebody else's fingerprints are compared ply by ply; what to ask for next halves the stretch
//! that is still open, so that a few fingerprints are enough. This module must not know any game.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::explain::{name_wholes, say_difference, view_json};
use super::patch::{Edit, difference};
use crate::digest::{Chain, Fingerprint, fingerprint};
use crate::game::{FullGame, Keep, Log, Logged, Observer, Table, TableSetup};
use crate::people::{Sentences, sentences};
use crate::record::{Fault, FaultCode, RawRecord};
use crate::replay::answer::{Cited, ENGINE, Ending, Status, Violation, cite, event_line, raw};
use crate::replay::verdict::verdict;
use crate::replay::{End, Limits, Replay, load, run};
use crate::rules::Rule;
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameEvent, GameId, GameView};

/// The most edits that are also told in words.
const MOST_WORDS: usize = 24;

/// What made two records part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = RecordPartingKind))]
#[serde(rename_all = "snake_case")]
pub enum DivergenceKind {
    /// The states differ before the first action: another position, other options, another deal.
    Opening,
    /// The decisions differ.
    Action,
    /// The decision and the draws are the same, what follows is not: another reading or setup.
    State,
    /// The decision is the same, the draws are not, or the one tape does not fit.
    Chance,
    /// The decision is the same, and only one record may make it.
    Legality,
    /// One record has no further action.
    Length,
}

/// How one record stands, in short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Ended))]
pub struct Ended {
    /// How the record stands.
    pub status: Status,
    /// Number of accepted actions.
    pub plies: u32,
    /// How the game ended, if it is over.
    pub outcome: Option<Ending>,
}

/// Where two records part.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::RecordParting))]
pub struct Parting {
    /// Number of actions accepted before they part: up to here all states are the same, and the
    /// action that parts them is `/actions/{ply}`. With `opening` no state is the same.
    pub ply: u32,
    /// What made them part.
    pub how: DivergenceKind,
    /// The action at that ply in each record, as it stands there (it need not be an action of the
    /// game); `null` where there is none.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Option<crate::schema::SentAction>>, min_items = 2, max_items = 2))]
    pub actions: [Option<Box<RawValue>>; 2],
    /// The plies whose states are compared below: after that action, or in front of it where a
    /// record does not get further.
    pub plies: [u32; 2],
    /// The fingerprints of these two states.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>, min_items = 2, max_items = 2))]
    pub fingerprints: [Fingerprint; 2],
    /// What makes the state of the second record out of that of the first, as the referee sees
    /// them: a JSON Patch.
    pub difference: Vec<Edit>,
    /// The same in plain words, the first edits of it; then what happened in one record alone.
    pub words: Vec<String>,
    /// The clauses of what happened in one record alone, or of the refusal.
    pub clauses: Vec<Cited>,
}

/// The answer to a comparison of two records.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Comparison))]
pub struct Comparison {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied to the first record; what other rules of the second change stands in `options`.
    pub ruleset: String,
    /// Whether every ply has the same state in both, and both end alike.
    pub same: bool,
    /// What makes the options in force in the second record out of those in the first.
    pub options: Vec<Edit>,
    /// Where they part, if they do.
    pub parts: Option<Parting>,
    /// How each record stands.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Ended>, min_items = 2, max_items = 2))]
    pub verdicts: [Ended; 2],
}

/// A record of a comparison that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FaultOf {
    /// Which: 0 for the first, 1 for the second.
    pub record: usize,
    /// Why.
    #[serde(flatten)]
    pub fault: Fault,
}

/// Somebody else's fingerprint of one ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct PlyMark {
    /// Number of accepted actions.
    pub ply: u32,
    /// The fingerprint of the state, or the chain up to it: 64 hex digits.
    #[serde(deserialize_with = "digits")]
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-fA-F]{64}$"))]
    pub fingerprint: Fingerprint,
    /// Whether the game is over there for the other engine: it has no ply after this one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(default = false))]
    pub over: bool,
}

/// Reads 64 hex digits.
fn digits<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Fingerprint, D::Error> {
    let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
    let wrong = || serde::de::Error::custom("64 hex digits are expected");
    if text.len() != 64 {
        return Err(wrong());
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let high = char::from(pair[0]).to_digit(16).ok_or_else(wrong)?;
        let low = char::from(pair[1]).to_digit(16).ok_or_else(wrong)?;
        *byte = (high * 16 + low) as u8;
    }
    Ok(Fingerprint(bytes))
}

/// The first ply whose fingerprint another engine gives otherwise, as this engine plays it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::PrintParting))]
pub struct PrintParting {
    /// Number of accepted actions where the fingerprints differ.
    pub ply: u32,
    /// This engine's fingerprint (or chain) there; `null` where this engine does not get there.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub fingerprint: Option<Fingerprint>,
    /// The one that was given; `null` where the game of the other engine is over before.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub given: Option<Fingerprint>,
    /// The action that leads there; `null` at the opening, or where the record has none.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameAction>))]
    pub action: Option<Box<RawValue>>,
    /// The state in front of that action, which is the same in both; `null` at the opening.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameView>))]
    pub before: Option<Box<RawValue>>,
    /// The state after it; `null` where this engine does not get there.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameView>))]
    pub after: Option<Box<RawValue>>,
    /// What happened in between, as the referee learns of it.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// The same, told.
    pub words: Vec<String>,
    /// The clauses behind it, or those of the refusal.
    pub clauses: Vec<Cited>,
    /// Why this engine does not get there.
    pub violation: Option<Violation>,
}

/// The answer to a comparison of a record with another engine's fingerprints.
///
/// With fingerprints of states alone two engines might part and meet again, and the halving then
/// finds one ply where they part, not surely the first. With the chain a difference stays, so the
/// ply found is the first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::PrintComparison))]
pub struct PrintComparison {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// How the record stands.
    pub status: Status,
    /// Number of accepted actions: there is a fingerprint for each of the plies 0 to this.
    pub plies: u32,
    /// Whether the fingerprints were compared with the chain.
    pub chain: bool,
    /// The highest ply given that agrees, with no difference given below it.
    pub agree: Option<u32>,
    /// The lowest ply given that differs.
    pub differ: Option<u32>,
    /// The ply to ask the other engine for next; empty when all is settled.
    pub ask: Vec<u32>,
    /// Whether nothing is left to ask: the plies on both sides of the difference are known, or
    /// the last ply agrees.
    pub settled: bool,
    /// What this engine does where they part, once that is settled.
    pub parts: Option<PrintParting>,
}

sentences! {
    Comparison: parts;
    Parting: words;
    PrintComparison: parts;
    PrintParting: words, violation;
}

/// The ply to ask for next, where the plies 0 to `plies` can be compared: the last one first,
/// then the middle of what is open between the highest that agrees and the lowest that differs.
/// `None` when nothing is left to ask.
pub fn ask_next(agree: Option<u32>, differ: Option<u32>, plies: u32) -> Option<u32> {
    let low = agree.map_or(-1, i64::from);
    // Beyond the last ply nothing can be compared: the last one is asked for first.
    let Some(high) = differ.filter(|&differ| differ <= plies).map(i64::from) else {
        return (low < i64::from(plies)).then_some(plies);
    };
    let middle = low + (high - low) / 2;
    // Between neighbours nothing is open; otherwise the middle lies strictly between them.
    if high - low < 2 { None } else { u32::try_from(middle).ok() }
}

/// What a bisection found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bisected {
    /// The first ply that differs, if one does.
    pub differ: Option<u32>,
    /// How many plies were asked for.
    pub asked: u32,
}

/// Finds the first of the plies 0 to `plies` at which two engines differ, where a difference
/// stays: at most one question more than the logarithm of their number, rounded up.
pub fn bisect(plies: u32, mut agrees: impl FnMut(u32) -> bool) -> Bisected {
    let (mut agree, mut differ, mut asked) = (None, None, 0);
    while let Some(ply) = ask_next(agree, differ, plies) {
        asked += 1;
        if agrees(ply) {
            agree = Some(ply);
        } else {
            differ = Some(ply);
        }
    }
    Bisected { differ, asked }
}

/// One of two records that are replayed side by side.
struct Side<'a, G: FullGame> {
    record: &'a RawRecord<'a>,
    replay: Replay<'a, G>,
    /// The texts of the actions.
    texts: Vec<&'a RawValue>,
}

impl<'a, G: FullGame> Side<'a, G> {
    fn of(record: &'a RawRecord<'a>, limits: Limits<'a>) -> Result<Self, Fault> {
        let replay = Replay::open(load::<G>(record, limits)?, Keep::Log);
        let texts = serde_json::from_str(record.actions.get()).unwrap_or_default();
        Ok(Side { record, replay, texts })
    }

    fn table(&self) -> &Table<G> {
        &self.replay.table
    }

    /// How many facts and draws are logged so far.
    fn mark(&self) -> (usize, usize) {
        self.table().log().map_or((0, 0), |log| (log.events.len(), log.tape.len()))
    }

    fn logged(&self, from: (usize, usize)) -> (&[Logged<G>], Vec<&crate::chance::Entry>) {
        let Some(Log { events, tape }) = self.table().log() else { return (&[], Vec::new()) };
        let draws = tape.iter().skip(from.1).map(|drawn| &drawn.entry).collect();
        (events.get(from.0..).unwrap_or_default(), draws)
    }

    /// The clauses of the refusal, if it ended with one.
    fn refused_by(&self) -> Vec<G::Rule> {
        match &self.replay.end {
            None | Some(End::Played) => Vec::new(),
            Some(End::Refused(refusal)) => refusal.all().collect(),
            Some(End::Chance { rule, .. }) => {
                [Some(G::CLAUSES.tape), *rule].into_iter().flatten().collect()
            }
        }
    }

    /// Whether the game is over and its tape is not.
    fn left_over(&self) -> bool {
        let rest = self.replay.source.tape().and_then(|tape| tape.rest());
        self.table().outcome().is_some() && rest.is_some()
    }

    /// Plays to the end, and how the record stands there.
    fn finish(mut self) -> Result<Ended, Fault> {
        self.replay.table = self.replay.table.bare();
        let played = self.replay.finish(&mut |_| {})?;
        let (verdict, _) = verdict::<G>(self.record, &played, None, Observer::Referee);
        Ok(Ended { status: verdict.status, plies: verdict.plies, outcome: verdict.outcome })
    }
}

/// Whether two tables show a referee the same. `states`: whether it is enough that their states are
/// equal, because their setups are.
pub(super) fn same_for_referee<G: FullGame>(a: &Table<G>, b: &Table<G>, states: bool) -> bool {
    if states && a.state() == b.state() {
        return true;
    }
    let (a, b) = (a.view(Observer::Referee), b.view(Observer::Referee));
    debug_assert_eq!(a == b, fingerprint(&a) == fingerprint(&b), "as it is written");
    a == b
}

/// Whether two tables are the same game to everybody at them: their referee's views, but for what only
/// keeps books.
pub(super) fn same_game<G: FullGame>(a: &Table<G>, b: &Table<G>, states: bool) -> bool {
    if G::differ_at_sight(a.state(), b.state()) {
        debug_assert!(!RefereeView::from_table(a).is_same_game(b), "it shows");
        return false;
    }
    states && a.state() == b.state() || RefereeView::from_table(a).is_same_game(b)
}

/// What a table shows a referee, to be compared with others.
pub(super) struct RefereeView<G: FullGame>(G::View);

impl<G: FullGame> RefereeView<G> {
    pub(super) fn from_table(table: &Table<G>) -> Self {
        RefereeView(table.view(Observer::Referee))
    }

    /// Whether another table is the same game, as [`same_game`] has it.
    pub(super) fn is_same_game(&self, other: &Table<G>) -> bool {
        let mut other = other.view(Observer::Referee);
        if self.0 == other {
            return true;
        }
        let mut own = self.0.clone();
        G::strip_bookkeeping(&mut own);
        G::strip_bookkeeping(&mut other);
        debug_assert_eq!(
            own == other,
            fingerprint(&own) == fingerprint(&other),
            "as it is written"
        );
        own == other
    }
}

/// Whether two records send the same decision at a ply.
fn same_action<G: FullGame>(a: &Side<'_, G>, b: &Side<'_, G>, ply: usize) -> bool {
    if let (Some(one), Some(two)) = (a.replay.actions.get(ply), b.replay.actions.get(ply)) {
        return one == two;
    }
    let value = |text: Option<&&RawValue>| -> Option<Value> {
        text.and_then(|text| serde_json::from_str(text.get()).ok())
    };
    value(a.texts.get(ply)) == value(b.texts.get(ply))
}

/// Why two records that both stop here do not stop alike; `None` if they do.
fn stops_apart<G: FullGame>(a: &Side<'_, G>, b: &Side<'_, G>) -> Option<DivergenceKind> {
    match (&a.replay.end, &b.replay.end) {
        (Some(End::Refused(one)), Some(End::Refused(two))) => {
            (one.rule != two.rule || one.code != two.code).then_some(DivergenceKind::Legality)
        }
        (Some(End::Chance { halt: one, .. }), Some(End::Chance { halt: two, .. })) => {
            let same = std::mem::discriminant(&**one) == std::mem::discriminant(&**two);
            (!same).then_some(DivergenceKind::Chance)
        }
        (Some(End::Chance { .. }), _) | (_, Some(End::Chance { .. })) => {
            Some(DivergenceKind::Chance)
        }
        (Some(End::Refused(_)), _) | (_, Some(End::Refused(_))) => Some(DivergenceKind::Legality),
        _ => (a.left_over() != b.left_over()).then_some(DivergenceKind::Chance),
    }
}

/// Compares two records of one game: what [`crate::any_game::AnyGame::compare`] does.
pub(crate) fn records<G: FullGame>(
    records: [&RawRecord<'_>; 2],
    limits: Limits<'_>,
) -> Result<Comparison, FaultOf> {
    let [first, second] = records;
    if first.game != second.game {
        let detail = format!(
            "the second record is one of {}, the first of {}: only records of one game can be \
             compared",
            second.game, first.game
        );
        let fault = Fault::new(FaultCode::OptionsRefused, "/game", detail);
        return Err(FaultOf { record: 1, fault });
    }
    let of = |record| move |fault| FaultOf { record, fault };
    let mut a = Side::<G>::of(first, limits).map_err(of(0))?;
    let mut b = Side::<G>::of(second, limits).map_err(of(1))?;
    let options = [&a, &b].map(|side| {
        let options = G::Setup::options(side.table().setup());
        serde_json::to_value(options).unwrap_or_default()
    });
    // A seed may shape the setup (a map), so setups are the same only with the same seed.
    let rulesets = [&a, &b].map(|side| side.table().ruleset());
    let setups = options[0] == options[1]
        && rulesets[0] == rulesets[1]
        && first.chance.seed == second.chance.seed;
    let options = difference(&options[0], &options[1]);

    let mut ply = 0;
    let mut marks = [(0, 0); 2];
    let mut how = None;
    if !same_for_referee(a.table(), b.table(), setups)
        || a.replay.end.is_some() != b.replay.end.is_some()
    {
        how = Some(DivergenceKind::Opening);
    }
    while how.is_none() {
        ply = a.table().ply();
        marks = [a.mark(), b.mark()];
        let went = [a.replay.step().map_err(of(0))?, b.replay.step().map_err(of(1))?];
        let same = same_action(&a, &b, ply as usize);
        let both = a.texts.len().min(b.texts.len()) > ply as usize;
        how = match went {
            [true, true] if same_for_referee(a.table(), b.table(), setups) => continue,
            [true, true] if !same => Some(DivergenceKind::Action),
            [true, true] if a.logged(marks[0]).1 != b.logged(marks[1]).1 => {
                Some(DivergenceKind::Chance)
            }
            [true, true] => Some(DivergenceKind::State),
            [false, false] if !both && a.texts.len() == b.texts.len() => stops_apart(&a, &b),
            _ if !both => Some(DivergenceKind::Length),
            _ if !same => Some(DivergenceKind::Action),
            _ => stops_apart(&a, &b),
        };
        if how.is_none() {
            break;
        }
    }

    let parts = how.map(|how| parting(&a, &b, how, ply, marks));
    let verdicts = [a.finish().map_err(of(0))?, b.finish().map_err(of(1))?];
    let [ruleset, _] = rulesets;
    Ok(Comparison {
        engine: ENGINE,
        game: G::META.id,
        ruleset,
        same: parts.is_none(),
        options,
        parts,
        verdicts,
    })
}

/// What is to be told of the ply at which two records part.
fn parting<G: FullGame>(
    a: &Side<'_, G>,
    b: &Side<'_, G>,
    how: DivergenceKind,
    ply: u32,
    marks: [(usize, usize); 2],
) -> Parting {
    let views = [a, b]
        .map(|side| view_json::<G>(side.table().setup(), side.table().state(), Observer::Referee));
    let edits = difference(&views[0], &views[1]);
    let setup = a.table().setup();
    let sides = ["in the first", "in the second"];
    let mut words = say_difference::<G>(setup, &views[0], &edits, sides, MOST_WORDS);
    if words.is_empty() {
        words = name_wholes(&edits);
    }
    let (one, two) = alone(a.logged(marks[0]).0, b.logged(marks[1]).0);
    let mut cited: Vec<G::Rule> = Vec::new();
    for (name, side, events) in [("first", a, one), ("second", b, two)] {
        for logged in events {
            if let Some(line) = logged.tell(side.table().setup(), Observer::Referee) {
                words.push(format!("in the {name}: {line}"));
            }
            cited.extend(logged.rules.as_slice());
        }
        cited.extend(side.refused_by());
    }
    Parting {
        ply,
        how,
        actions: [a, b].map(|side| side.texts.get(ply as usize).map(|&text| text.to_owned())),
        plies: [a.table().ply(), b.table().ply()],
        fingerprints: [a, b].map(|side| fingerprint(&side.table().view(Observer::Referee))),
        difference: edits,
        words,
        clauses: cite(cited.iter().map(|rule| rule.entry()), G::Setup::edition(a.table().setup())),
    }
}

/// The facts of either list without those that both begin or end with.
fn alone<'l, G: FullGame>(
    a: &'l [Logged<G>],
    b: &'l [Logged<G>],
) -> (&'l [Logged<G>], &'l [Logged<G>]) {
    let same = |a: &Logged<G>, b: &Logged<G>| a.event == b.event && a.rules == b.rules;
    let front = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| same(a, b)).count();
    (&a[..a.len() - back], &b[..b.len() - back])
}

/// Compares a record with fingerprints of another engine: what
/// [`crate::any_game::AnyGame::compare_prints`] does.
pub(crate) fn fingerprints<G: FullGame>(
    record: &RawRecord<'_>,
    marks: &[PlyMark],
    chain: bool,
    limits: Limits<'_>,
) -> Result<PrintComparison, Fault> {
    let mut own: Vec<Fingerprint> = Vec::new();
    let mut link = Chain::default();
    let played = run(load::<G>(record, limits)?, Keep::Nothing, &mut |table| {
        let fingerprint = fingerprint(&table.view(Observer::Referee));
        own.push(if chain { link.add(fingerprint) } else { fingerprint });
    })?;
    let differs = |mark: &&PlyMark| own.get(mark.ply as usize) != Some(&mark.fingerprint);
    let first = marks.iter().filter(differs).min_by_key(|mark| mark.ply);
    let plies = played.table.ply();
    // The other engine has nothing after the ply at which its game is over.
    let over = marks.iter().filter(|mark| mark.over && mark.ply < plies).map(|mark| mark.ply + 1);
    let over = over.min().filter(|&ply| first.is_none_or(|mark| ply < mark.ply));
    let first = match over {
        Some(ply) => Some((ply, None)),
        None => first.map(|mark| (mark.ply, Some(mark.fingerprint))),
    };
    let differ = first.map(|(ply, _)| ply);
    let below = marks.iter().filter(|mark| !differs(mark));
    let agree = below.map(|mark| mark.ply).filter(|&ply| differ.is_none_or(|it| ply < it)).max();
    let ask = ask_next(agree, differ, plies);
    let parts = match (first, ask) {
        (Some((ply, given)), None) => {
            let fingerprint = own.get(ply as usize).copied();
            Some(print_parting::<G>(record, (ply, given), fingerprint, limits)?)
        }
        _ => None,
    };
    let (verdict, _) = verdict::<G>(record, &played, None, Observer::Referee);
    Ok(PrintComparison {
        engine: ENGINE,
        game: G::META.id,
        ruleset: played.table.ruleset(),
        status: verdict.status,
        plies,
        chain,
        agree,
        differ,
        ask: ask.into_iter().collect(),
        settled: ask.is_none(),
        parts,
    })
}

fn print_parting<G: FullGame>(
    record: &RawRecord<'_>,
    (ply, given): (u32, Option<Fingerprint>),
    fingerprint: Option<Fingerprint>,
    limits: Limits<'_>,
) -> Result<PrintParting, Fault> {
    let mut side = Side::<G>::of(record, limits)?;
    let mut from = (0, 0);
    let mut before = None;
    while side.table().ply() < ply {
        from = side.mark();
        before = Some(raw(&side.table().view(Observer::Referee)));
        if !side.replay.step()? {
            break;
        }
    }
    let arrived = side.table().ply() == ply;
    let setup = side.table().setup();
    let events = if arrived { side.logged(from).0 } else { &[] };
    let mut cited = side.refused_by();
    cited.extend(events.iter().flat_map(|it| it.rules.as_slice()));
    let action = ply.checked_sub(1).and_then(|at| side.texts.get(at as usize));
    let mut parting = PrintParting {
        ply,
        fingerprint,
        given,
        action: action.map(|&text| text.to_owned()),
        before,
        after: arrived.then(|| raw(&side.table().view(Observer::Referee))),
        events: events
            .iter()
            .filter_map(|logged| event_line::<G>(setup, logged, Observer::Referee))
            .collect(),
        words: events.iter().filter_map(|logged| logged.tell(setup, Observer::Referee)).collect(),
        clauses: cite(cited.iter().map(|rule| rule.entry()), G::Setup::edition(setup)),
        violation: None,
    };
    if !arrived {
        let played = side.replay.finish(&mut |_| {})?;
        parting.violation = verdict::<G>(record, &played, None, Observer::Referee).0.violation;
    }
    Ok(parting)
}
