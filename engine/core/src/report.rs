//! What a replay tells: the report, the judgement, the legal actions, the story.
//!
//! Everything here is computed from what its viewer may know: state, events, violation, nearest
//! actions, decision and sizes. Must not know a game, and must not play anything by itself.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::budget::{Budget, Spent};
use crate::digest::{Chain, Fingerprint, fingerprint};
use crate::dispute::explain::{Account, Explanation, Steps, explain};
use crate::game::{
    ActionRange, Chapter, Continued, Draft, FullGame, Group, Keep, Log, Logged, Menu, Observer,
    Seat, Step, Stray, Table, TableSetup,
};
use crate::people::{Sentences, sentences};
use crate::record::{Fault, RawRecord};
use crate::replay::answer::{
    Choices, ENGINE, Legal, LegalQuery, Line, MissingDraw, Moment, PendingDecision, PlyFingerprint,
    PlyState, Status, TapeLine, Unanswered, Verdict, Warning, event_line, name_of, pending, raw,
    tape_line,
};
use crate::replay::verdict::verdict;
use crate::replay::{End, Limits, Loaded, Query, Room, load, run, wanted};
use crate::rules::Rule;
use crate::scene::Scene;
#[cfg(feature = "schema")]
use crate::schema::{GameEvent, GameId, GameOptions, GameView};

/// The answer to a replay.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Report))]
pub struct Report {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The options in force, defaults included.
    #[cfg_attr(feature = "schema", schema(value_type = GameOptions))]
    pub options: Box<RawValue>,
    /// Whether the record is legal, and what became of the game.
    pub verdict: Verdict,
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The ply whose state is given.
    pub ply: u32,
    /// What the viewer knows of the state at that ply.
    #[cfg_attr(feature = "schema", schema(value_type = GameView))]
    pub state: Box<RawValue>,
    /// What is to be decided at that ply.
    pub decision: PendingDecision,
    /// Every event the viewer learned of (`include=events`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameEvent>, required = false))]
    pub events: Option<Vec<Box<RawValue>>>,
    /// Each of these events in words as the viewer learned of it (`include=events,text`); `null` where the
    /// lines around it tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub texts: Option<Vec<Option<String>>>,
    /// The view after every ply (`include=states`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub states: Option<Vec<PlyState>>,
    /// Every draw (`include=tape`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub tape: Option<Vec<TapeLine>>,
    /// The fingerprint of every ply (`include=fingerprints`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fingerprints: Option<Vec<PlyFingerprint>>,
    /// Why each ply went as it did (`include=explain`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub explain: Option<Vec<Explanation>>,
    /// How the players stood at the end of each stretch of play (a round), up to that ply; empty
    /// for a game without such a table (`include=chapters`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub chapters: Option<Vec<Chapter>>,
    /// The legal actions at that ply that the viewer may see, seat by seat (`include=legal`); with `text` each in
    /// words, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub legal: Option<Vec<Choices>>,
    /// What it looks like at that ply, as the viewer knows it (`include=scene`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub scene: Option<Scene>,
    /// The fingerprint of the state at that ply (referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$", required = false))]
    pub fingerprint: Option<Fingerprint>,
    /// What a caller should know that is no fault.
    pub warnings: Vec<Warning>,
}

/// What a report collects while the record is played.
struct Collected<G: FullGame> {
    asked: Option<Table<G>>,
    steps: Option<Steps<G>>,
    chapters: Option<Vec<Chapter>>,
    states: Option<Vec<PlyState>>,
    /// The bytes of all states.
    length: usize,
    fingerprints: Option<Vec<PlyFingerprint>>,
    chain: Chain,
}

impl<G: FullGame> Collected<G> {
    /// Notes what is wanted of the table at one ply.
    fn note(&mut self, query: &Query<'_>, table: &Table<G>) {
        if query.ply == Some(table.ply()) {
            self.asked = Some(table.bare());
        }
        if let Some(steps) = &mut self.steps {
            steps.note(table);
        }
        if let Some(chapters) = &mut self.chapters
            && query.ply.is_none_or(|ply| table.ply() <= ply)
        {
            note_chapter(chapters, table);
        }
        if let Some(states) = &mut self.states {
            let state = raw(&table.view(query.viewer));
            self.length = self.length.saturating_add(state.get().len());
            if self.length <= query.limits.part {
                states.push(PlyState { ply: table.ply(), state });
            }
        }
        if let Some(all) = &mut self.fingerprints {
            let fingerprint = fingerprint(&table.view(Observer::Referee));
            let chain = self.chain.add(fingerprint);
            all.push(PlyFingerprint { ply: table.ply(), fingerprint, chain });
        }
    }
}

/// The report of a replay.
pub(crate) fn replay<G: FullGame>(
    record: &RawRecord<'_>,
    query: &Query<'_>,
) -> Result<Report, Unanswered> {
    let loaded = load::<G>(record, query.limits)?.cut(query.ply);
    let Query { viewer, include, .. } = *query;
    let referee = viewer == Observer::Referee;
    let log_needed =
        include.events || include.explain || include.scene || (include.tape && referee);
    let keep = if log_needed { Keep::Log } else { Keep::Nothing };
    let mut collected = Collected {
        asked: None,
        steps: include.explain.then(|| steps_of(&loaded)),
        chapters: (include.chapters && referee).then(Vec::new),
        states: include.states.then(Vec::new),
        length: 0,
        fingerprints: (include.fingerprints && referee).then(Vec::new),
        chain: Chain::default(),
    };
    let played = run(loaded, keep, &mut |table| collected.note(query, table))?;
    Room::new("states", query.limits).take(collected.length)?;
    let shown = shown(query, collected.asked, &played.table)?;
    let last = fingerprint(&played.table.view(Observer::Referee));
    let (verdict, warnings) = verdict(record, &played, Some(last), viewer);
    let table = &played.table;
    let explained = collected.steps.map(|steps| explain(table, &steps, viewer, None, query.limits));
    let log = table.log();
    let mut room = Room::new("events", query.limits);
    let events = log.filter(|_| include.events).map(|log| {
        let lines = log.events.iter().filter_map(|it| event_line::<G>(table.setup(), it, viewer));
        lines.map(|line| room.take(line.get().len()).map(|()| line)).collect::<Result<_, _>>()
    });
    let events: Option<Vec<_>> = events.transpose()?;
    let texts = log.filter(|_| include.events && include.text).map(|log| {
        let shown = log.events.iter().filter(|it| shows::<G>(table.setup(), it, viewer));
        shown.map(|logged| logged.tell(table.setup(), viewer)).collect()
    });
    let tape = log
        .filter(|_| include.tape && referee)
        .map(|log| log.tape.iter().map(tape_line::<G>).collect());
    let scene = include.scene.then(|| scene(&shown, log, viewer));
    let listed = LegalQuery { text: include.text, ..LegalQuery::LIST };
    let legal = include.legal.then(|| choices(&shown, viewer, listed, query.limits));
    Ok(Report {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
        options: raw(&G::Setup::options(table.setup())),
        verdict,
        viewer: name_of(viewer, &G::META),
        ply: shown.ply(),
        state: raw(&shown.view(viewer)),
        decision: pending(&shown),
        events,
        texts,
        states: collected.states,
        tape,
        fingerprints: collected.fingerprints,
        explain: explained.transpose()?,
        chapters: collected.chapters,
        legal: legal.transpose()?,
        scene,
        fingerprint: referee.then(|| fingerprint(&shown.view(Observer::Referee))),
        warnings,
    })
}

/// The table that an answer is about: at the ply asked for, or the last good one.
fn shown<G: FullGame>(
    query: &Query<'_>,
    asked: Option<Table<G>>,
    last: &Table<G>,
) -> Result<Table<G>, Unanswered> {
    match (query.ply, asked) {
        (None, _) => Ok(last.bare()),
        (Some(_), Some(table)) => Ok(table),
        (Some(asked), None) => Err(Unanswered::NoSuchPly { asked, plies: last.ply() }),
    }
}

/// Why each ply went as it did, or the one that the query names (0 with the opening).
pub(crate) fn account<G: FullGame>(
    record: &RawRecord<'_>,
    query: &Query<'_>,
) -> Result<Account, Unanswered> {
    let loaded = load::<G>(record, query.limits)?;
    let mut steps = steps_of(&loaded);
    let played = run(loaded, Keep::Log, &mut |table| steps.note(table))?;
    let mut explanations = explain(&played.table, &steps, query.viewer, query.ply, query.limits)?;
    if let Some(asked) = query.ply.filter(|_| explanations.is_empty()) {
        let last = &played.table;
        if asked != last.ply() {
            return Err(Unanswered::NoSuchPly { asked, plies: last.ply() });
        }
        explanations.push(Explanation::of_the_end(asked, pending(last)));
    }
    Ok(Account {
        engine: ENGINE,
        game: G::META.id,
        ruleset: played.table.ruleset(),
        viewer: name_of(query.viewer, &G::META),
        explanations,
    })
}

/// Who decides at a ply, and what is legal there.
pub(crate) fn legal<G: FullGame>(
    record: &RawRecord<'_>,
    query: &Query<'_>,
    wanted: LegalQuery<'_>,
) -> Result<Legal, Unanswered> {
    let loaded = load::<G>(record, query.limits)?.cut(query.ply);
    let mut asked: Option<Table<G>> = None;
    let played = run(loaded, Keep::Nothing, &mut |table| {
        if query.ply == Some(table.ply()) {
            asked = Some(table.bare());
        }
    })?;
    let (verdict, _) = verdict(record, &played, None, query.viewer);
    let table = shown(query, asked, &played.table)?;
    let choices = choices(&table, query.viewer, wanted, query.limits)?;
    let stray = stray(&table, query.viewer, wanted, &choices, query.limits)?;
    let asks = verdict.status == Status::BadChance
        && query.viewer == Observer::Referee
        && query.ply.is_none();
    let missing = match asks {
        true => wanted::wanted::<G>(record, query.limits)?.map(MissingDraw::from),
        false => None,
    };
    Ok(Legal {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
        viewer: name_of(query.viewer, &G::META),
        status: verdict.status,
        ply: table.ply(),
        decision: pending(&table),
        choices,
        stray,
        missing,
    })
}

/// The story of a game as a viewer learned of it.
pub(crate) fn story<G: FullGame>(
    record: &RawRecord<'_>,
    viewer: Observer,
    limits: Limits<'_>,
) -> Result<Vec<Line>, Fault> {
    let played = run(load::<G>(record, limits)?, Keep::Log, &mut |_| {})?;
    let table = &played.table;
    let edition = G::Setup::edition(table.setup());
    let lines = table.log().map(|log| log.events.iter()).into_iter().flatten();
    Ok(lines
        .filter_map(|logged| {
            let notice = G::announce(table.setup(), &logged.event, viewer);
            let text = logged.tell(table.setup(), viewer)?;
            let rules = logged.rules.as_slice().iter().map(|rule| rule.id()).collect();
            let section = logged.rules.first().entry().section(edition);
            let (ply, opening) = (logged.ply, logged.opening);
            let moment = notice.map_or(Moment::Event, |notice| Moment::of(raw(&notice).get()));
            Some(Line { ply, opening, moment, text, rules, section })
        })
        .collect())
}

/// What a game looks like to a viewer at one ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Depiction {
    /// The engine that drew it.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub game: &'static str,
    /// The ruleset.
    pub ruleset: String,
    /// Who looks.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub viewer: &'static str,
    /// How the record stands, as in its verdict.
    pub status: Status,
    /// After how many actions.
    pub ply: u32,
    /// The picture, with what the viewer was told of the last action marked in it.
    pub scene: Scene,
}

/// What the game looks like at the query's ply, or at the last good one.
pub(crate) fn depict<G: FullGame>(
    record: &RawRecord<'_>,
    query: &Query<'_>,
) -> Result<Depiction, Unanswered> {
    let loaded = load::<G>(record, query.limits)?.cut(query.ply);
    let mut asked: Option<Table<G>> = None;
    let played = run(loaded, Keep::Log, &mut |table| {
        if query.ply == Some(table.ply()) {
            asked = Some(table.bare());
        }
    })?;
    let (verdict, _) = verdict(record, &played, None, query.viewer);
    let table = shown(query, asked, &played.table)?;
    let scene = scene(&table, played.table.log(), query.viewer);
    Ok(Depiction {
        engine: ENGINE,
        game: G::META.id,
        ruleset: table.ruleset(),
        viewer: name_of(query.viewer, &G::META),
        status: verdict.status,
        ply: table.ply(),
        scene,
    })
}

/// What a table looks like to a viewer, and what the last action did.
fn scene<G: FullGame>(table: &Table<G>, log: Option<&Log<G>>, viewer: Observer) -> Scene {
    let lately: Vec<G::Notice> = log
        .into_iter()
        .flat_map(|log| &log.events)
        .filter(|logged| !logged.opening && logged.ply + 1 == table.ply())
        .filter_map(|logged| G::announce(table.setup(), &logged.event, viewer))
        .collect();
    G::draw(table.setup(), &table.view(viewer), &lately)
}

/// What a viewer learned since a ply, a line each; from the opening on, where none is named.
pub(crate) fn news<G: FullGame>(
    record: &RawRecord<'_>,
    viewer: Observer,
    since: Option<u32>,
    limits: Limits<'_>,
) -> Result<Vec<String>, Fault> {
    let played = run(load::<G>(record, limits)?, Keep::Log, &mut |_| {})?;
    let table = &played.table;
    let log = table.log().map(|log| log.events.iter()).into_iter().flatten();
    let recent = log.filter(|logged| match since {
        None => true,
        Some(ply) => !logged.opening && logged.ply >= ply,
    });
    Ok(recent.filter_map(|logged| logged.tell(table.setup(), viewer)).collect())
}

/// Whether a viewer learns anything of an event.
fn shows<G: FullGame>(setup: &G::Setup, logged: &Logged<G>, viewer: Observer) -> bool {
    G::announce(setup, &logged.event, viewer).is_some()
}

/// What is said of actions at a ply of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// The edition in force, as a [`crate::rules::Section`] names it; empty for a game with only one.
    pub edition: &'static str,
    /// Each action in one line; `None` for what is no action of the game, or has no words.
    pub actions: Vec<Option<String>>,
}

sentences! {
    Report: verdict, texts, explain, legal;
    Said: actions;
}

/// Actions in words, with the names of the record's setup, of units as they stand at the ply or where the record
/// ends.
pub(crate) fn say<G: FullGame>(
    record: &RawRecord<'_>,
    actions: &[&str],
    ply: Option<u32>,
    limits: Limits<'_>,
) -> Result<Said, Fault> {
    let table = run(load::<G>(record, limits)?.cut(ply), Keep::Nothing, &mut |_| {})?.table;
    let say = |text: &&str| {
        let action: Option<G::Action> = serde_json::from_str(text).ok();
        G::describe_action(table.setup(), Some(table.state()), &action?)
    };
    Ok(Said {
        edition: G::Setup::edition(table.setup()),
        actions: actions.iter().map(say).collect(),
    })
}

/// Every rule that the record makes the engine cite: by an event, a draw, a decision or the
/// violation.
pub(crate) fn cited<G: FullGame>(record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault> {
    let loaded = load::<G>(record, Limits::default())?;
    let mut rules: BTreeSet<&'static str> = BTreeSet::new();
    let played = run(loaded, Keep::Log, &mut |table| {
        rules.insert(table.decision().rule.id());
    })?;
    if let Some(log) = played.table.log() {
        rules.extend(log.events.iter().flat_map(|it| it.rules.as_slice()).map(|it| it.id()));
        rules.extend(log.tape.iter().map(|drawn| drawn.rule.id()));
    }
    match &played.end {
        End::Played => {}
        End::Refused(refusal) => rules.extend(refusal.rules()),
        End::Chance { rule, .. } => {
            rules.insert(G::CLAUSES.tape.id());
            rules.extend(rule.map(|rule| rule.id()));
        }
    }
    if played.sent > 0 && played.source.tape().is_some_and(|tape| tape.left() > 0) {
        rules.insert(G::CLAUSES.tape.id());
    }
    Ok(rules.into_iter().collect())
}

/// What an explanation needs of a record before it is played.
fn steps_of<G: FullGame>(loaded: &Loaded<'_, G>) -> Steps<G> {
    let begin = loaded.position.clone().unwrap_or_else(|| G::start(&loaded.setup));
    Steps::new(begin, loaded.actions.clone())
}

/// Puts the line of the table for this moment in its place: a later moment of the same stretch
/// of play replaces an earlier one.
fn note_chapter<G: FullGame>(chapters: &mut Vec<Chapter>, table: &Table<G>) {
    let Some(chapter) = G::chapter(table.setup(), table.state()) else { return };
    match chapters.last_mut() {
        Some(last) if (last.name, last.number) == (chapter.name, chapter.number) => *last = chapter,
        _ => chapters.push(chapter),
    }
}

/// The legal actions that a viewer may see, seat by seat: at most so many listed of each, or only counted, or those
/// that begin like a draft.
///
/// # Errors
/// [`Stopped`](crate::record::FaultCode::Stopped) once the budget is spent.
pub fn choices<G: FullGame>(
    table: &Table<G>,
    viewer: Observer,
    wanted: LegalQuery<'_>,
    limits: Limits<'_>,
) -> Result<Vec<Choices>, Fault> {
    let open = table.decision().open;
    let seen = table.may_act().iter().filter(|&seat| open || viewer.sees(seat));
    seen.filter(|&seat| wanted.partial.is_none_or(|draft| is_of(draft, G::META.seat_name(seat))))
        .map(|seat| choices_of(table, seat, wanted, limits).map_err(Fault::from))
        .collect()
}

/// Why no legal action begins like a draft, where none does: of the seats that it may be of, the one whose actions it
/// follows furthest speaks.
///
/// # Errors
/// As [`choices`].
pub fn stray<G: FullGame>(
    table: &Table<G>,
    viewer: Observer,
    wanted: LegalQuery<'_>,
    choices: &[Choices],
    limits: Limits<'_>,
) -> Result<Option<Stray>, Fault> {
    let Some(draft) = wanted.partial.filter(|_| !choices.iter().any(leads)) else {
        return Ok(None);
    };
    let open = table.decision().open;
    let seen = table.may_act().iter().filter(|&seat| open || viewer.sees(seat));
    let seen: Vec<Seat> = seen.collect();
    let name = |seat: &Seat| G::META.seat_name(*seat);
    let mut furthest: Option<(usize, Stray)> = None;
    for &seat in seen.iter().filter(|seat| is_of(draft, name(seat))) {
        let found = strays(table, seat, draft, limits)?;
        if furthest.as_ref().is_none_or(|(depth, _)| found.0 > *depth) {
            furthest = Some(found);
        }
    }
    Ok(Some(furthest.map_or_else(|| Stray::player(draft, seen.iter().map(name)), |it| it.1)))
}

/// Whether what is chosen leads to a legal action.
fn leads(choices: &Choices) -> bool {
    choices.count > 0
        || !choices.ranges.is_empty()
        || choices.complete == Some(true)
        || choices.next.as_ref().is_some_and(|next| !next.is_empty())
}

/// Chooses the parts of a draft one by one, as they are offered, up to the first that is not; and how many were.
fn strays<G: FullGame>(
    table: &Table<G>,
    seat: Seat,
    draft: &Draft,
    limits: Limits<'_>,
) -> Result<(usize, Stray), Fault> {
    /// So many parts are looked at; a legal action with more is put together otherwise.
    const MOST: usize = 64;
    let mut good = Draft::default().or("player", G::META.seat_name(seat));
    let mut left = draft.parts();
    let mut depth = 0;
    loop {
        let wanted = LegalQuery { partial: Some(&good), ..LegalQuery::COUNT };
        let next = choices_of(table, seat, wanted, limits)?.next.unwrap_or_default();
        let Some((at, step)) = Stray::offered(&left, &next).filter(|_| depth < MOST) else {
            return Ok((depth, Stray::place(&left, next)));
        };
        let (pointer, value) = left.take(at, &step);
        let wrong = Stray::value(&pointer, &value, &step);
        let Ok(longer) = good.with(&step.pointer, &value) else { return Ok((depth, wrong)) };
        let wanted = LegalQuery { partial: Some(&longer), ..LegalQuery::COUNT };
        if !leads(&choices_of(table, seat, wanted, limits)?) {
            return Ok((depth, wrong));
        }
        good = longer;
        depth += 1;
    }
}

/// Whether a draft names no other player.
fn is_of(draft: &Draft, seat: &str) -> bool {
    draft.part::<String>("player").is_some_and(|player| player.is_none_or(|it| it == seat))
}

/// The legal actions of a seat: at most so many listed, or only counted.
///
/// # Errors
/// [`Spent`] where the budget ends before the listing.
fn choices_of<G: FullGame>(
    table: &Table<G>,
    seat: Seat,
    wanted: LegalQuery<'_>,
    limits: Limits<'_>,
) -> Result<Choices, Spent> {
    let name = G::META.seat_name(seat);
    let budget = limits.budget;
    let most = (!wanted.count_only).then_some(limits.listed);
    let mut choices = Choices {
        player: name,
        count: 0,
        truncated: false,
        actions: most.map(|_| Vec::new()),
        texts: most.filter(|_| wanted.text).map(|_| Vec::new()),
        ranges: Vec::new(),
        complete: None,
        next: None,
    };
    let most = most.unwrap_or(0);
    let draft = wanted.partial.map(|it| it.or("player", name));
    let mut types = Types { seen: Vec::new() };
    if draft.is_some() {
        let _ = table.legal(seat, &mut types);
    }
    let going_on = draft.as_ref().map(|draft| GoingOn {
        continued: Continued::new(draft),
        ranged: types.seen,
        of: (&**table.setup(), table.state()),
    });
    let of = (&**table.setup(), table.state());
    let mut menu = Chosen { choices: &mut choices, most, budget, going_on, of };
    let _ = table.legal(seat, &mut menu);
    let going_on = menu.going_on.map(|it| (it.continued.steps, it.continued.complete));
    // Whether it was the budget that broke the listing off.
    budget.spend(0)?;
    let listed = choices.actions.as_ref().map(|all| all.len() as u64);
    choices.truncated = listed.is_some_and(|listed| listed < choices.count);
    if let Some((mut steps, mut complete)) = going_on {
        // Whoever names no player has yet to choose one.
        if wanted.partial != draft.as_ref() && !steps.is_empty() | complete {
            steps.splice(0..0, Step::values("/player", [name]));
            complete = false;
        }
        (choices.complete, choices.next) = (Some(complete), Some(steps));
    }
    Ok(choices)
}

/// The types of actions for which a range speaks.
struct Types {
    seen: Vec<String>,
}

impl<G: FullGame> Menu<G> for Types {
    fn action(&mut self, _: G::Action) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        self.seen.extend(type_of(&raw(&range)));
        ControlFlow::Continue(())
    }

    fn group(&mut self, _: &impl Group<G::Action>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The type of an action, or of the actions of a range.
fn type_of(text: &RawValue) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Typed {
        r#type: String,
    }
    serde_json::from_str(text.get()).ok().map(|it: Typed| it.r#type)
}

/// How the actions of a menu go on from a draft.
struct GoingOn<'a, G: FullGame> {
    continued: Continued<'a>,
    ranged: Vec<String>,
    of: (&'a G::Setup, &'a G::State),
}

impl<G: FullGame> GoingOn<'_, G> {
    fn action(&mut self, action: &RawValue) -> bool {
        let ranged = type_of(action).is_some_and(|it| self.ranged.contains(&it));
        self.continued.note(action, ranged)
    }

    fn range(&mut self, range: &G::Range, text: &RawValue) -> bool {
        let (setup, state) = self.of;
        let steps = |draft: &Draft| range.steps(setup, state, draft);
        let covers = |action: &G::Action| range.covers(setup, state, action);
        type_of(text).is_some_and(|it| self.continued.note_range(&it, steps, covers))
    }
}

/// A menu that writes down actions up to a bound, counts all of them, and keeps every range; of those, where there is a
/// draft, only what begins so.
struct Chosen<'a, G: FullGame> {
    choices: &'a mut Choices,
    most: usize,
    budget: Budget<'a>,
    going_on: Option<GoingOn<'a, G>>,
    of: (&'a G::Setup, &'a G::State),
}

impl<G: FullGame> Chosen<'_, G> {
    /// Whether the listing may go on.
    fn go_on(&self) -> ControlFlow<()> {
        match self.budget.spend(1) {
            Ok(()) => ControlFlow::Continue(()),
            Err(Spent) => ControlFlow::Break(()),
        }
    }

    fn is_full(&self) -> bool {
        self.choices.actions.as_ref().is_none_or(|all| all.len() >= self.most)
    }
}

impl<G: FullGame> Menu<G> for Chosen<'_, G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        let full = self.is_full();
        if !full || self.going_on.is_some() {
            let text = raw(&action);
            if self.going_on.as_mut().is_some_and(|it| !it.action(&text)) {
                return self.go_on();
            }
            if !full {
                if let Some(texts) = &mut self.choices.texts {
                    let said = G::describe_action(self.of.0, Some(self.of.1), &action);
                    texts.push(said.unwrap_or_else(|| text.get().to_owned()));
                }
                self.choices.actions.get_or_insert_default().push(text);
            }
        }
        self.choices.count += 1;
        self.go_on()
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        let text = raw(&range);
        if self.going_on.as_mut().is_none_or(|it| it.range(&range, &text)) {
            self.choices.ranges.push(text);
        }
        self.go_on()
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        if self.is_full() && self.going_on.is_none() {
            self.choices.count += group.count();
            return self.go_on();
        }
        group.each(&mut |action| self.action(action))
    }
}
