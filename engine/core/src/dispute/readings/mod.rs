//! The same record under other readings: is it legal there, who wins, and where do they part?
//!
//! Chance stays the same: what the record's own replay drew is the tape of every reading. Where a
//! reading asks for a draw that never happened, it stops with a tape fault, or goes on from a seed
//! and is marked as hypothetical. Everything here is the referee's knowledge and must not be shown
//! to a player of an unfinished game.

pub(super) mod answer;
pub(super) mod carried;
pub(super) mod case;
mod course;
mod parting;
pub(super) mod run;
mod summary;

use crate::chance::source::Source;
use crate::chance::{Entry, EntryOf};
use crate::dispute::compare::same_game;
use crate::dispute::transcribe::{Transcript, transcribe};
use crate::dispute::voice::Voices;
use crate::game::{FullGame, Keep, TableSetup};
use crate::record::{self, Fault, Malformed, RawRecord};
use crate::replay::answer::{ENGINE, Unanswered, Violation, cite, raw};
pub use crate::replay::reading::ReadingChoice;
use crate::replay::reading::{all_readings, check, once};
use crate::replay::verdict::action_text;
use crate::replay::{End, Limits, Loaded, load, options_of, run};
use crate::rules::{Rule, RuleEntry};
pub use answer::{
    Adjudication, Answered, Aside, Changes, Class, Compared, Completions, Course, Dispute, Draws,
    Parting, PartingKind, Question, Supposed,
};
use carried::Carried;
use case::{Case, OpenedTable};

use parting::{carried_steps, differences, parting, plain_steps};
use run::{ReadingReplay, Run, race, reason};
use summary::summary;

/// What is asked of a record, and the course that answers: the actions up to a proposed one, which
/// takes the place of what follows.
fn case_of<'a, G: FullGame>(
    record: &'a RawRecord<'a>,
    dispute: &Dispute<'a>,
    loaded: Loaded<'a, G>,
) -> Result<Case<'a, G>, Unanswered> {
    let options = options_of::<G>(record.ruleset.as_deref(), record.options)?;
    let (mut actions, mut malformed) = (loaded.actions.clone(), loaded.malformed.clone());
    let budget = loaded.budget;
    // What the record's own replay draws is the tape of every reading.
    let tape: Vec<EntryOf<'_>> = match (&record.chance.tape, &loaded.source) {
        (Some(tape), _) => tape.clone(),
        (None, Source::Seed(_)) => drawn(loaded)?,
        (None, _) => Vec::new(),
    };
    let sent = actions.len() + usize::from(malformed.is_some());
    let at = dispute.ply.map_or(sent, |ply| ply as usize);
    if at > sent || (dispute.action.is_none() && dispute.ply.is_some() && at == sent) {
        let last = if dispute.action.is_some() { sent } else { sent.saturating_sub(1) };
        return Err(Unanswered::NoSuchPly { asked: at as u32, plies: last as u32 });
    }
    let mut asked = None;
    if let Some(action) = dispute.action {
        if at <= actions.len() {
            actions.truncate(at);
            malformed = None;
            match record::action::<G::Action>(action.get()) {
                Ok(action) => actions.push(action),
                Err(fault) => malformed = Some(Malformed::new(action.get(), fault)),
            }
        }
        asked = Some((at as u32, action));
    } else if let (Some(ply), Some(action)) = (dispute.ply, action_text(record, at)) {
        asked = Some((ply, action));
    }
    let proposed = dispute.action.is_some();
    let seed = dispute.seed;
    Ok(Case { record, options, actions, malformed, asked, proposed, tape, seed, budget })
}

/// Settles a dispute: the record under its own readings and under others.
pub(crate) fn adjudicate<G: FullGame>(
    record: &RawRecord<'_>,
    dispute: &Dispute<'_>,
    limits: Limits<'_>,
) -> Result<Adjudication, Unanswered> {
    if let Some(readings) = dispute.readings {
        check::<G>(readings)?;
    }
    let loaded = load::<G>(record, limits)?;
    let setup = loaded.setup.clone();
    let case = case_of(record, dispute, loaded)?;
    let base = case.open(&ReadingChoice::default(), false)?;
    // With a log, for what it cites.
    let own = Run::alone(&case, &case.open_keeping(&ReadingChoice::default(), false, Keep::Log)?);
    let recorded = case.course(&own, !case.proposed);
    let voices = (!dispute.brief).then(|| voices(&own));
    let clauses = |ply: u32| match &voices {
        Some(voices) => cite(voices.at(ply), G::Setup::edition(&setup)),
        None => Vec::new(),
    };
    let mut question = case.asked.zip(recorded.answer).map(|((ply, action), answer)| Question {
        ply,
        action: action.to_owned(),
        answer,
        clauses: clauses(ply),
    });
    let list = match dispute.readings {
        Some(list) => once(list),
        None => all_readings::<G>(&setup),
    };
    let (mut readings, mut same, mut impossible) = (Vec::new(), Vec::new(), Vec::new());
    let mut opened = Vec::new();
    for reading in list {
        limits.budget.spend(0).map_err(Fault::from)?;
        match case.open(&reading, base.failed.is_none()) {
            Ok(submission) => opened.push((reading, submission)),
            Err(fault) => impossible.push(not_run::<G>(reading, fault)),
        }
    }
    let openings: Vec<_> = opened.iter().map(|(_, submission)| submission).collect();
    let raced = race(&case, &base, &openings, false);
    for ((reading, submission), ReadingReplay { run, parts, cites_alike, before }) in
        opened.iter().zip(raced)
    {
        limits.budget.spend(0).map_err(Fault::from)?;
        let reading = reading.clone();
        let gist = reading.gist(&G::META, G::Rule::TABLE);
        let Some(parts) = parts else {
            let class = if cites_alike { Class::Identical } else { Class::OtherClause };
            let (_, bookkeeping) = differences(&own.table, &run.table, None);
            same.push(Aside { reading, class, gist, bookkeeping, outcome: None });
            continue;
        };
        let plain = || parting(&reading, plain_steps(&case, &before, submission, parts));
        let carried = carry_over(&case, &own, [&base, &before], &reading, &run);
        let (course, class, carried, record, parting) = match carried {
            None => {
                let class = plain_class(&run, parts.1);
                (case.course(&run, false), class, Vec::new(), None, plain())
            }
            Some((transcript, class)) => {
                // What is compared is the course that the decisions take under the reading.
                let steps = (class != Class::FormOnly)
                    .then(|| carried_steps(&case, &reading, &before, &transcript, parts.0))
                    .flatten();
                let parting = match steps {
                    Some(steps) => parting(&reading, steps),
                    None => parting_in_form(plain()),
                };
                let course = case.carried_course(&transcript);
                let wanted = dispute.records && !transcript.carried.is_empty();
                let record = wanted.then(|| case.carried_record(&reading, &transcript));
                (course, class, transcript.carried, record.flatten(), parting)
            }
        };
        let changes = changes(&recorded, &course);
        readings.push(Compared { reading, gist, class, changes, course, carried, record, parting });
    }
    // A replay that was stopped halfway says nothing.
    limits.budget.spend(0).map_err(Fault::from)?;
    // What the book can bear comes before house rules.
    readings.sort_by_key(|it| {
        let weight = std::cmp::Reverse((it.changes, it.class != Class::FormOnly));
        (it.reading.is_house(G::Rule::TABLE), weight, it.parting.ply)
    });
    impossible.sort_by_key(|it| it.reading.is_house(G::Rule::TABLE));
    let at = question.as_ref().map(|question| question.ply);
    let at = at.or(recorded.violation.as_ref().map(|violation| violation.ply));
    let decisive = |id: &str| {
        let decides = |it: &Compared| {
            let Changes { legality, answer, fault, .. } = it.changes;
            legality || answer || fault || at == Some(it.parting.ply) && it.class != Class::FormOnly
        };
        at.is_some() && readings.iter().any(|it| decides(it) && it.reading.rulings.contains_key(id))
    };
    let sent = at.and_then(|ply| case.actions.get(ply as usize));
    let idle = |entry: &RuleEntry| {
        let rule = G::Rule::all().iter().find(|rule| rule.entry().id == entry.id);
        if sent.zip(rule).is_some_and(|(action, rule)| !G::bears_on(&setup, action, *rule)) {
            return true;
        }
        let alone = |it: &&Aside| {
            it.reading.rulings.len() == 1 && it.reading.rulings.contains_key(entry.id)
        };
        same.iter().filter(alone).count() + 1 == entry.readings.len()
    };
    let cited = voices.map(|voices| voices.rulings::<G>(&setup, at, decisive, idle));
    if let Some(question) = question.as_mut().filter(|it| it.answer == Answered::Legal) {
        let over = recorded.outcome.is_some();
        let deciding = deciding_clauses::<G>(question, over, &readings);
        let cited = cite(deciding, G::Setup::edition(&setup));
        question.clauses.retain(|it| cited.iter().all(|first| first.id != it.id));
        question.clauses.splice(0..0, cited);
    }
    let mut adjudication = Adjudication {
        engine: ENGINE,
        game: G::META.id,
        ruleset: G::Setup::ruleset(&setup),
        options: raw(&G::Setup::options(&setup)),
        summary: Vec::new(),
        question,
        recorded,
        cited: cited.unwrap_or_default(),
        readings,
        same,
        impossible,
        completions: None,
    };
    adjudication.summary = summary(&G::META, record, &adjudication, G::Rule::TABLE);
    Ok(adjudication)
}

/// The clauses that decide that the action in question is legal, each with its ruling behind it: those that another
/// reading of the book would refuse it by or, if the game is `over`, by which it would not have ended so.
fn deciding_clauses<G: FullGame>(
    question: &Question,
    over: bool,
    readings: &[Compared],
) -> Vec<&'static RuleEntry> {
    let table = G::Rule::TABLE;
    let entry = |id: &str| table.iter().find(|entry| entry.id == id);
    let mut deciding = Vec::new();
    for Compared { reading, changes, course, parting, .. } in readings {
        let refused = changes.answer && course.answer == Some(Answered::Illegal);
        let ends = over && parting.ply == question.ply && (changes.result || changes.winner);
        let alone = reading.rulings.len() == 1 && !reading.is_house(table);
        let ruling = reading.rulings.keys().next().and_then(|id| entry(id));
        let Some(ruling) = ruling.filter(|_| alone && (refused || ends)) else { continue };
        let by = course.violation.as_ref().map(|violation| violation.rule.as_str());
        let by = by.filter(|rule| ruling.settles.contains(rule));
        let cited = question.clauses.iter().map(|it| it.id);
        let cited = cited.filter(|id| ruling.settles.contains(id));
        let clause = by.or(cited.into_iter().next()).or(ruling.settles.first().copied());
        for entry in clause.and_then(entry).into_iter().chain([ruling]) {
            if !deciding.iter().any(|had: &&RuleEntry| had.id == entry.id) {
                deciding.push(entry);
            }
        }
    }
    deciding
}

/// A reading that the options or the position of the record rule out, and why.
fn not_run<G: FullGame>(reading: ReadingChoice, fault: Fault) -> Aside {
    let why = match fault.end_of_game {
        Some(_) => "the game is over before the first action",
        None => &fault.detail,
    };
    let house = if reading.is_house(G::Rule::TABLE) { ", a house rule" } else { "" };
    let gist = format!("{}{house}: {why}", reading.in_words(&G::META, G::Rule::TABLE));
    Aside {
        reading,
        class: Class::NotRun,
        gist,
        bookkeeping: Vec::new(),
        outcome: fault.end_of_game.map(|end| *end),
    }
}

/// What the record's own replay cites.
fn voices<G: FullGame>(own: &Run<'_, G>) -> Voices<G::Rule> {
    let mut voices = own.table.log().map_or_else(Voices::silent, |log| Voices::of::<G>(log));
    let ply = own.table.ply();
    match &own.end {
        Some(End::Refused(refusal)) => voices.add(ply, refusal.all().collect()),
        Some(End::Chance { rule, .. }) => {
            if let Some(caused) = own.halfway.as_ref().and_then(|table| table.log()) {
                voices.add_log(caused);
            }
            voices.add(ply, rule.iter().copied().collect());
        }
        Some(End::Played) | None => {}
    }
    voices
}

/// What a reading makes of a record that nothing was carried over of.
fn plain_class<G: FullGame>(run: &Run<'_, G>, how: PartingKind) -> Class {
    match (&run.end, how) {
        (_, PartingKind::OtherClause) => Class::OtherClause,
        // The game ends sooner: no decision is wrong.
        (Some(End::Refused(_)), _) if run.table.outcome().is_some() => Class::Parts,
        (Some(End::Refused(_)), _) => Class::Illegal,
        (Some(End::Chance { .. }), _) => Class::MissingChance,
        _ => Class::Parts,
    }
}

/// Carries the record over if the reading refuses it as it stands and anything of it can be carried over, or
/// every form of the action that is refused is refused, too. The `recorded` reading stands at its opening, and where they part.
fn carry_over<'a, G: FullGame>(
    case: &'a Case<'a, G>,
    own: &Run<'a, G>,
    recorded: [&OpenedTable<'a, G>; 2],
    reading: &ReadingChoice,
    plain: &Run<'a, G>,
) -> Option<(Transcript<'a, G>, Class)> {
    let good = own.table.ply();
    // What the record's own reading refuses is not mended here.
    let stopped = plain.end.as_ref().is_some_and(|end| *end != End::Played);
    let asks = |run: &Run<'a, G>| {
        let decision = run.table.decision();
        (decision.state, decision.seats)
    };
    let refused = stopped && plain.table.ply() < good;
    let asks_more = !stopped && own.end.is_none() && asks(plain) != asks(own);
    let misplaced = |end: &Option<End<G::Rule>>| matches!(end, Some(End::Refused(it)) if G::CLAUSES.is_misplaced(it));
    // Both refuse the action, this one only because it asks for something else first.
    let asks_first = misplaced(&plain.end)
        && plain.table.ply() == good
        && matches!(own.end, Some(End::Refused(_)))
        && asks(plain) != asks(own);
    let names_less = plain.table.ply() == good
        && case.actions.get(good as usize).is_some_and(|it| plain.shortened(it).is_some());
    if !refused && !asks_more && !asks_first && !names_less {
        return None;
    }
    let other = case.open_carried(reading, Keep::Nothing)?;
    let whole = transcribe(case, recorded, &other, good as usize, true);
    // An action in question is not answered by another decision that takes its place.
    let same = comes_to_the_same(own, &whole);
    let another = case.asked.is_some_and(|(ply, _)| whole.is_another_decision(ply, same));
    let mut transcript = match another {
        true => transcribe(case, recorded, &other, good as usize, false),
        false => whole,
    };
    if transcript.run.chance.is_reordered() {
        transcript.carried.insert(0, Carried::chance());
    }
    if transcript.carried.is_empty() && !transcript.behind {
        return None;
    }
    let run = &transcript.run;
    let same = comes_to_the_same(own, &transcript);
    let class = match &run.end {
        Some(End::Chance { .. }) => Class::MissingChance,
        // The game is over sooner than in the record.
        Some(End::Refused(_)) if run.table.outcome().is_some() && !same => Class::Parts,
        Some(End::Refused(_)) if transcript.stuck.is_some_and(|at| at < good as usize) => {
            Class::Illegal
        }
        Some(End::Refused(refusal))
            if same
                && own.end.as_ref().is_some_and(
                    |end| matches!(end, End::Refused(it) if reason(it) != reason(refusal)),
                ) =>
        {
            Class::OtherClause
        }
        _ if same => Class::FormOnly,
        _ => Class::Parts,
    };
    Some((transcript, class))
}

/// The parting of a record that is the same game in another form: only its place and clauses.
fn parting_in_form(parting: Parting) -> Parting {
    Parting {
        recorded: Vec::new(),
        instead: Vec::new(),
        words: Vec::new(),
        difference: Vec::new(),
        bookkeeping: Vec::new(),
        ..parting
    }
}

/// Whether a record that was carried over comes to the same game.
fn comes_to_the_same<G: FullGame>(own: &Run<'_, G>, transcript: &Transcript<'_, G>) -> bool {
    let run = &transcript.run;
    run.table.outcome() == own.table.outcome()
        && run.hypothetical_from.is_none()
        && same_game(&own.table, &run.table, false)
}

/// What a course changes against the recorded one.
fn changes(recorded: &Course, course: &Course) -> Changes {
    if course.draws == Draws::Missing && recorded.draws != Draws::Missing {
        // Of what cannot be drawn only this is known: the action itself is judged without draws.
        let legal = course.answer == Some(Answered::Legal);
        return Changes { answer: legal && course.answer != recorded.answer, ..Changes::default() };
    }
    let winner = |course: &Course| course.outcome.as_ref().and_then(|end| end.winner);
    let faults = recorded.violation.as_ref().zip(course.violation.as_ref());
    let place = |fault: &Violation| (fault.ply, fault.rule.clone(), fault.code.clone());
    // Only the recorded course is blamed for draws left over.
    let legal = |course: &Course| course.violation.is_none();
    let over = |course: &Course| course.outcome.is_some() && course.draws == Draws::LeftOver;
    let as_before = over(recorded) && over(course);
    let stopped = course.violation.is_some() || recorded.violation.is_some();
    let both = course.outcome.is_some() && recorded.outcome.is_some();
    Changes {
        winner: winner(course) != winner(recorded) && (both || !stopped),
        result: course.outcome != recorded.outcome,
        legality: legal(course) != legal(recorded) && !as_before,
        answer: course.answer != recorded.answer,
        fault: faults.is_some_and(|(one, two)| place(one) != place(two)),
    }
}

/// All draws of a replay.
fn drawn<G: FullGame>(loaded: Loaded<'_, G>) -> Result<Vec<Entry>, Fault> {
    let played = run(loaded, Keep::Log, &mut |_| {})?;
    let log = played.table.log();
    Ok(log.into_iter().flat_map(|log| &log.tape).map(|drawn| drawn.entry.clone()).collect())
}
