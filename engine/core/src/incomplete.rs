//! Answers about records with unknowns: what is unknown is taken as in one completion that replays, the answer is given
//! of that one as of any other record, and what holds whatever was not written down is said beside it.
//!
//! Nothing is said of every completion that was not shown of every completion. This module must not know any game.

use serde_json::value::RawValue;

use crate::dispute::readings::{
    self, Adjudication, Aside, Class, Compared, Completions, Course, Dispute, ReadingChoice,
    Supposed,
};
use crate::dispute::why::{self, Answer, WhyNot};
use crate::game::{FullGame, Meta, Observer};
use crate::partial::{self, Partial};
use crate::record::{Fault, FaultCode, RawRecord};
use crate::replay::answer::{
    Cited, Ending, Judgement, Status, Unanswered, Violation, Warning, raw,
};
use crate::replay::completion::{Bounds, Witness};
use crate::replay::{Limits, Query, options_of};
use crate::report::{self, Report};
use crate::rules::{Rule, RuleEntry};

/// A record with unknowns, judged, and a completion of it.
struct Completed {
    /// The verdict, without the witness.
    judged: Judgement,
    /// One way in which everything may have been, up to the last good action.
    witness: Box<Witness>,
}

/// Judges a record and completes it, as far as that goes.
///
/// # Errors
/// It is no record of the game, or not even its beginning has a completion.
fn completed<G: FullGame>(
    partial: &Partial,
    bounds: Bounds,
    limits: Limits<'_>,
) -> Result<Completed, Fault> {
    let mut judged = partial::judge::<G>(partial, bounds, limits)?;
    if let Some(witness) = judged.verdict.witness.take() {
        return Ok(Completed { judged, witness });
    }
    // What stands for others may go further than what is a completion.
    let mut plies = judged.verdict.plies;
    for _ in 0..2 {
        let good = partial.clone().before(plies as usize);
        let verdict = partial::judge::<G>(&good, bounds, limits)?.verdict;
        match verdict.witness {
            Some(witness) => {
                let witness =
                    partial::led_on::<G>(*witness, partial, plies as usize, limits.budget)?;
                return Ok(Completed { judged, witness: Box::new(witness) });
            }
            None => plies = verdict.plies,
        }
    }
    Err(not_completed(&judged))
}

/// Why there is nothing to answer from.
fn not_completed(judged: &Judgement) -> Fault {
    let verdict = &judged.verdict;
    let mut detail =
        "no completion of this record was found, so nothing can be said of one".to_owned();
    if let Some(violation) = &verdict.violation {
        detail.push_str(&format!(": {} ({})", violation.message, violation.rule));
    }
    for words in verdict.proof.iter().flat_map(|proof| &proof.words) {
        detail.push_str(&format!("; {words}"));
    }
    let pointer = verdict.violation.as_ref().map_or("", |violation| violation.pointer.as_str());
    Fault::new(FaultCode::BadRecord, pointer, detail)
}

/// The status of a record that some completion accepts.
fn is_found(status: Status) -> bool {
    matches!(status, Status::Complete | Status::InProgress | Status::Possible)
}

/// Completions are the referee's: what a player knows would be assumed, too.
fn referee_only(viewer: Observer) -> Result<(), Fault> {
    match viewer {
        Observer::Referee => Ok(()),
        _ => {
            let detail = "about a record with unknowns only the referee is answered: what a player knows would be assumed";
            Err(Fault::new(FaultCode::BadRecord, "", detail))
        }
    }
}

/// The report of a replay: that of the completion. Its plies are those of the completion.
pub(crate) fn replay<G: FullGame>(
    partial: &Partial,
    query: &Query<'_>,
) -> Result<Report, Unanswered> {
    let Completed { mut judged, witness } =
        completed::<G>(partial, Bounds::default(), query.limits)?;
    let record = RawRecord::read(witness.record.get().as_bytes())?;
    let mut report = report::replay::<G>(&record, query)?;
    let all = witness.places.len() == partial.plies() && is_found(judged.verdict.status);
    let earlier = query.ply.is_some_and(|ply| ply < witness.plies);
    let message = match all {
        true => "what is unknown is taken as in one completion, the witness; plies are its plies",
        false => {
            "what is unknown is taken as in one completion of the good part, the witness; plies are its plies"
        }
    };
    let warning =
        Warning { code: "completed", pointer: String::new(), message: message.to_owned() };
    report.warnings.extend(std::mem::take(&mut judged.warnings));
    report.warnings.push(warning);
    let verdict = &mut report.verdict;
    if earlier {
        // What came later is not looked at.
        verdict.status = match judged.verdict.status {
            Status::Complete | Status::InProgress => verdict.status,
            _ => Status::Possible,
        };
        verdict.outcome = None;
    } else {
        let claims = std::mem::take(&mut verdict.claims);
        let standing = std::mem::take(&mut verdict.standing);
        *verdict = judged.verdict;
        (verdict.claims, verdict.standing) = (claims, standing);
    }
    if query.viewer == Observer::Referee {
        verdict.witness = Some(witness);
    } else {
        // What is assumed, and what refutes it, may tell of anything.
        (verdict.witness, verdict.proof) = (None, None);
        verdict.violation = verdict.violation.take().map(said_to_all::<G>);
    }
    Ok(report)
}

/// A violation as everybody may know it.
fn said_to_all<G: FullGame>(violation: Violation) -> Violation {
    let rule = G::CLAUSES.rejection.id().to_owned();
    Violation {
        pointer: format!("/actions/{}", violation.ply),
        code: "refused".to_owned(),
        section: None,
        rules: vec![rule.clone()],
        rule,
        message: "the action cannot be, whatever was not written down; why is told to the referee"
            .to_owned(),
        facts: Vec::new(),
        nearest: Vec::new(),
        ..violation
    }
}

/// Answers whether an action would be allowed: whatever was not written down, in some completion, or in none.
pub(crate) fn why<G: FullGame>(
    partial: &Partial,
    asked: &str,
    query: &Query<'_>,
    bounds: &why::Bounds,
) -> Result<WhyNot, Unanswered> {
    referee_only(query.viewer)?;
    let limits = query.limits;
    let plies = partial.plies();
    let mut at = query.ply.map_or(plies, |ply| ply as usize);
    if at > plies {
        return Err(Unanswered::NoSuchPly { asked: at as u32, plies: plies as u32 });
    }
    let judge = |at: usize| {
        partial::judge::<G>(&partial.clone().asking(at, asked)?, Bounds::default(), limits)
    };
    let mut judged = judge(at)?;
    let reached = judged.verdict.plies as usize;
    if reached < at && !is_found(judged.verdict.status) {
        // The record ends before the action in question.
        if query.ply.is_some() {
            return Err(Unanswered::NoSuchPly { asked: at as u32, plies: reached as u32 });
        }
        at = reached;
        judged = judge(at)?;
    }
    let verdict = judged.verdict;
    let found = is_found(verdict.status);
    let witness = match verdict.witness {
        Some(witness) => witness,
        None => completed::<G>(&partial.clone().before(at), Bounds::default(), limits)?.witness,
    };
    let record = RawRecord::read(witness.record.get().as_bytes())?;
    let place = if found { witness.plies.saturating_sub(1) } else { witness.plies };
    let filled = crate::replay::verdict::action_text(&record, place as usize).filter(|_| found);
    let query = Query { ply: Some(place), ..*query };
    let mut answer = why::why::<G>(&record, filled.map_or(asked, RawValue::get), &query, bounds)?;
    answer.ply = at as u32;
    answer.tried = verdict.tried;
    let by = answer.clauses.first().map(|cited| format!(" by {}", cited.id)).unwrap_or_default();
    match verdict.status {
        Status::Complete | Status::InProgress => {
            answer.answer = Answer::Legal;
            answer.message = format!("the action is legal{by}, whatever was not written down");
        }
        Status::Possible => {
            let every = match verdict.tried.is_some_and(|tried| tried.exhausted) {
                true => "whether it is legal in every one was not found out",
                false => "in others it is not",
            };
            answer.answer = Answer::Possible;
            answer.message =
                format!("the action is legal{by} in a completion that was found; {every}");
        }
        Status::Impossible | Status::BadChance | Status::Illegal => {
            answer.answer = Answer::Illegal;
            if let Some(violation) = verdict.violation {
                answer.message = format!("{}, whatever was not written down", violation.message);
                answer.clauses = cited::<G>(&violation);
                let nearest = Vec::new();
                answer.violations = vec![Violation { nearest, ..violation }];
            }
            answer.changes = Vec::new();
            answer.proof = verdict.proof;
        }
        Status::Undecided => {
            answer.answer = Answer::Undecidable;
            answer.message =
                "whether a completion allows the action was not found out within the bounds"
                    .to_owned();
            (answer.violations, answer.changes, answer.clauses) = Default::default();
        }
    }
    answer.witness = Some(witness);
    Ok(answer)
}

/// The clauses that a violation cites.
fn cited<G: FullGame>(violation: &Violation) -> Vec<Cited> {
    let entry = |id: &String| G::Rule::TABLE.iter().find(|entry| entry.id == *id);
    let cited = |entry: &'static crate::rules::RuleEntry| {
        let section = violation.section.filter(|_| entry.id == violation.rule);
        Cited { id: entry.id, gist: entry.gist, section }
    };
    violation.rules.iter().filter_map(entry).map(cited).collect()
}

/// How much each of so many readings may cost.
fn share(readings: usize) -> Bounds {
    let whole = Bounds::default();
    Bounds { work: (2 * whole.work / (readings as u64 + 1)).clamp(50_000, whole.work), ..whole }
}

/// Settles a dispute about a record with unknowns: of one completion as of any other record, and of all of them as far
/// as that can be shown.
pub(crate) fn adjudicate<G: FullGame>(
    partial: &Partial,
    dispute: &Dispute<'_>,
    limits: Limits<'_>,
) -> Result<Adjudication, Unanswered> {
    let plies = partial.plies();
    let at = dispute.ply.map_or(plies, |ply| ply as usize);
    if at > plies || (dispute.action.is_none() && dispute.ply.is_some() && at == plies) {
        let last = if dispute.action.is_some() { plies } else { plies.saturating_sub(1) };
        return Err(Unanswered::NoSuchPly { asked: at as u32, plies: last as u32 });
    }
    let subject = match dispute.action {
        Some(action) => partial.clone().asking(at, action.get())?,
        None => partial.clone(),
    };
    let Completed { judged, witness } = completed::<G>(&subject, Bounds::default(), limits)?;
    let good = is_found(judged.verdict.status);
    // The action that no completion accepts, or that is asked about, stands at the end.
    let (whole, own) = at_issue(&subject, &witness, good, dispute.action.is_some());
    let record = RawRecord::read(whole.get().as_bytes())?;
    let ply = match dispute.action {
        Some(_) => None,
        None => dispute.ply.and_then(|ply| witness.places.get(ply as usize).copied()),
    };
    let asked = Dispute { ply, action: own.as_deref(), ..*dispute };
    let mut settled = readings::adjudicate::<G>(&record, &asked, limits)?;
    let found = RawRecord::read(witness.record.get().as_bytes())?;
    let options = options_of::<G>(found.ruleset.as_deref(), found.options)?;
    let players = partial.players();
    let wins = |seat: &str| {
        let name = players.as_ref().and_then(|names| names.get(seat));
        // The names of persons are put into all sentences together, later and once.
        let name = name.filter(|name| !name.trim().is_empty() && !G::META.is_person(seat));
        G::META.wins(seat, name.map(String::as_str))
    };
    let recorded = supposed::<G>(None, judged, Some(&witness), None, &wins);
    let mut readings = Vec::new();
    let list = settled.readings.iter().map(|it| &it.reading);
    let list: Vec<ReadingChoice> =
        list.chain(settled.same.iter().map(|it| &it.reading)).cloned().collect();
    let bounds = share(list.len());
    for reading in list {
        let mut other: G::Options = options.clone();
        reading.lay_over::<G>(&mut other);
        let other = serde_json::to_value(&other).unwrap_or_default();
        let judged = partial::judge::<G>(&subject.clone().under(other), bounds, limits);
        let Ok(mut judged) = judged else {
            limits.budget.spend(0).map_err(Fault::from)?;
            continue;
        };
        let witness = judged.verdict.witness.take();
        let compared = settled.readings.iter().find(|it| it.reading == reading);
        readings.push(match compared.filter(|it| !it.carried.is_empty()) {
            // As it is written it is not what was played under this reading.
            Some(compared) if compared.class == Class::FormOnly => {
                Supposed { reading: Some(reading), ..recorded.clone() }
            }
            Some(compared) => carried(reading, compared, judged),
            None => {
                let compared = settled.readings.iter().find(|it| it.reading == reading);
                let course = compared.map(|it| &it.course);
                supposed::<G>(Some(reading), judged, witness.as_deref(), course, &wins)
            }
        });
    }
    limits.budget.spend(0).map_err(Fault::from)?;
    settled.summary = summary(&G::META, G::Rule::TABLE, &settled, &witness, &recorded, &readings);
    let completions = Completions { witness, recorded, readings };
    settled.completions = Some(Box::new(completions));
    Ok(settled)
}

/// The completed record that is in dispute, and the action in question apart from it.
fn at_issue(
    subject: &Partial,
    witness: &Witness,
    good: bool,
    asks: bool,
) -> (Box<RawValue>, Option<Box<RawValue>>) {
    let unchanged = (witness.record.clone(), None);
    let Ok(mut whole) = serde_json::from_str::<serde_json::Value>(witness.record.get()) else {
        return unchanged;
    };
    let refused = subject.action(witness.places.len()).cloned();
    let Some(actions) = whole.get_mut("actions").and_then(serde_json::Value::as_array_mut) else {
        return unchanged;
    };
    match (good, asks) {
        (true, false) => unchanged,
        (true, true) => {
            let asked = actions.pop().map(|action| raw(&action));
            (raw(&whole), asked)
        }
        (false, true) => (raw(&whole), refused.map(|action| raw(&action))),
        (false, false) => {
            actions.extend(refused);
            (raw(&whole), None)
        }
    }
}

/// How a record stands under a reading, by its verdict there; and what becomes of the completion under another one.
fn supposed<G: FullGame>(
    reading: Option<ReadingChoice>,
    judged: Judgement,
    witness: Option<&Witness>,
    course: Option<&Course>,
    wins: &dyn Fn(&str) -> String,
) -> Supposed {
    let verdict = judged.verdict;
    let found = witness.filter(|_| is_found(verdict.status)).and_then(|it| it.outcome.clone());
    let ends = |end: &Ending| match end.winner {
        Some(winner) => format!("{} ({})", wins(winner), G::META.ending_title(end.reason)),
        None => format!("the game ends without a winner ({})", G::META.ending_title(end.reason)),
    };
    let end = match (&verdict.outcome, &found) {
        (Some(end), _) => format!("; {} in every completion", ends(end)),
        (None, Some(end)) => format!("; {} in the completion that was found", ends(end)),
        (None, None) => String::new(),
    };
    // Under another reading more may be asked of chance than ever fell: that refutes nothing.
    let draws = verdict.violation.as_ref().filter(|it| {
        reading.is_some() && ["tape_exhausted", "tape_mismatch", "no_seed"].contains(&&*it.code)
    });
    let status = if draws.is_some() { Status::BadChance } else { verdict.status };
    // A game that is over accepts nothing: it ends sooner there, and no action is wrong.
    let over = course.filter(|it| it.violation.is_some()).and_then(|it| it.outcome.as_ref());
    let text = match status {
        Status::Impossible if over.is_some_and(|_| verdict.plies == 0) => {
            let ends = over.map_or(String::new(), ends);
            format!("the game is over before the first action, and {ends}")
        }
        Status::Impossible if over.is_some() => {
            let ends = over.map_or(String::new(), ends);
            format!("the game is over sooner, and {ends} in the completion that was found")
        }
        Status::BadChance if reading.is_some() => {
            format!("action {} needs a draw that never happened", verdict.plies)
        }
        Status::Complete | Status::InProgress => {
            format!("the record is legal whatever was not written down{end}")
        }
        Status::Possible => format!("the record is possible{end}"),
        Status::Undecided => format!(
            "whether the record is possible was not found out: {} of its actions are",
            verdict.plies
        ),
        Status::Impossible | Status::Illegal | Status::BadChance => match &verdict.violation {
            Some(Violation { rule, message, .. }) => format!(
                "the record is impossible whatever was not written down: action {} is refused by {rule}: {message}",
                verdict.plies
            ),
            None => "the record is impossible whatever was not written down".to_owned(),
        },
    };
    Supposed {
        reading,
        status,
        plies: verdict.plies,
        violation: verdict.violation,
        outcome: verdict.outcome,
        found,
        proof: verdict.proof,
        tried: verdict.tried,
        text,
    }
}

/// How a record stands under a reading that asks for another form of it: known only of the completion that was carried
/// over.
fn carried(reading: ReadingChoice, compared: &Compared, judged: Judgement) -> Supposed {
    let course = &compared.course;
    let good = course.violation.is_none();
    let text = match good {
        true => {
            "the record is possible in another form: the completion that was found, carried over, is legal"
        }
        false => {
            "whether the record is possible in another form was not found out: the completion that was found, carried over, is not legal"
        }
    };
    Supposed {
        reading: Some(reading),
        status: if good { Status::Possible } else { Status::Undecided },
        plies: judged.verdict.plies,
        violation: None,
        outcome: None,
        found: course.outcome.clone().filter(|_| good),
        proof: None,
        tried: None,
        text: text.to_owned(),
    }
}

/// What is read aloud: first what holds of all completions, then what is said of the one.
fn summary(
    meta: &Meta,
    table: &'static [RuleEntry],
    settled: &Adjudication,
    witness: &Witness,
    recorded: &Supposed,
    readings: &[Supposed],
) -> Vec<String> {
    let things = match witness.assumes.len() {
        1 => "1 thing".to_owned(),
        many => format!("{many} things"),
    };
    let mut lines = vec![format!("Under the readings of the record {}.", recorded.text)];
    for other in readings {
        let Some(reading) = &other.reading else { continue };
        let as_recorded = (other.status, &other.outcome) == (recorded.status, &recorded.outcome);
        let same_course =
            |class: Class| matches!(class, Class::FormOnly | Class::Identical | Class::OtherClause);
        let same = settled.same.iter().any(|Aside { reading: it, .. }| it == reading)
            || settled.readings.iter().any(|it| it.reading == *reading && same_course(it.class));
        if !as_recorded || !same {
            let house = if reading.is_house(table) { ", a house rule," } else { "" };
            lines.push(format!("Under {}{house} {}.", reading.in_words(meta, table), other.text));
        }
    }
    lines.push(match (is_found(recorded.status), witness.assumes.is_empty()) {
        (true, _) => format!(
            "What follows is said of the completion that was found, which assumes {things}."
        ),
        (false, true) => "What follows is said of the record as it is written.".to_owned(),
        (false, false) => format!(
            "What follows is said of one completion of the actions before it, which assumes {things}."
        ),
    });
    lines.extend(settled.summary.iter().cloned());
    lines
}
