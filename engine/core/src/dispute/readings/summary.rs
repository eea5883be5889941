//! What is read aloud.
//!
//! This module must not find out anything: it says what was found.

use super::answer::{Adjudication, Answered, Aside, Class, Compared, Course, Draws, PartingKind};
use crate::dispute::voice::{self, CitedRuling};
use crate::game::Meta;
use crate::record::RawRecord;
use crate::replay::answer::{Ending, Violation};
use crate::replay::reading::ReadingChoice;
use crate::rules::RuleEntry;

/// What is said of an action that asks for a card or a die that nobody wrote down.
const UNDRAWN: &str = "what it draws was not written down";

/// So many rulings are named beside the deciding clause; `cited` has all of them.
const RULINGS: usize = 3;

/// By what the action in question is legal: the deciding clause, and how the rulings that it rests on
/// are read, at most three of them. Empty where nothing is cited.
pub(super) fn by_its_clauses(all: &Adjudication) -> String {
    let clauses = all.question.iter().flat_map(|question| &question.clauses);
    let ids: Vec<&str> = clauses.map(|cited| cited.id).collect();
    let rests = |id: &&&str| all.cited.iter().any(|ruling| ruling.id == **id);
    let Some(first) = ids.iter().find(|id| !rests(id)) else { return String::new() };
    let mut by = format!(" by {first}");
    let rulings: Vec<_> = all.cited.iter().filter(|ruling| ids.contains(&ruling.id)).collect();
    let last = rulings.len().min(RULINGS).saturating_sub(1);
    for (at, ruling) in rulings.into_iter().take(RULINGS).enumerate() {
        let joint = match at {
            0 => ", with",
            at if at == last => " and",
            _ => ",",
        };
        let read = voice::in_force(ruling).trim_end_matches('.');
        by.push_str(&format!("{joint} “{} {read}” ({})", ruling.question, ruling.id));
    }
    by
}

/// The rulings that bear on the ply in question and have readings that cannot be run, with those readings.
pub(super) fn not_run(cited: &[CitedRuling]) -> impl Iterator<Item = String> {
    cited.iter().filter(|ruling| ruling.at_question).filter_map(|ruling| {
        let CitedRuling { id, question, readings, .. } = ruling;
        let gists = readings.iter().filter(|reading| !reading.runs);
        let gists: Vec<String> =
            gists.map(|reading| format!("“{}”", reading.gist.trim_end_matches('.'))).collect();
        let (last, first) = gists.split_last()?;
        let (noun, which, verb) = match first {
            [] => ("the reading", last.clone(), "was"),
            first => ("the readings", format!("{} and {last}", first.join(", ")), "were"),
        };
        Some(format!(
            "“{question}” ({id}) bears on it too; {noun} {which} cannot be played here and {verb} not compared."
        ))
    })
}

/// What is read aloud.
pub(super) fn summary(
    meta: &Meta,
    record: &RawRecord<'_>,
    all: &Adjudication,
    table: &'static [RuleEntry],
) -> Vec<String> {
    let wins = |seat: &str| {
        let name = record.players.as_ref().and_then(|names| names.get(seat));
        // The names of persons are put into all sentences together, later and once.
        let name = name.filter(|name| !name.trim().is_empty() && !meta.is_person(seat));
        meta.wins(seat, name.map(String::as_str))
    };
    let ends = |winner: Option<&'static str>, reason: &str| match winner {
        Some(winner) => format!("{} ({})", wins(winner), meta.ending_title(reason)),
        None => format!("the game ends without a winner ({})", meta.ending_title(reason)),
    };
    let result = |course: &Course| match (&course.outcome, &course.violation) {
        (Some(Ending { winner, reason }), _) => ends(*winner, reason),
        (None, None) => "the game goes on".to_owned(),
        (None, Some(_)) => "the game is not finished".to_owned(),
    };
    let fault = |Violation { ply, rule, message, .. }: &Violation| {
        format!("the action at ply {ply} is refused by {rule}: {message}")
    };
    let stands = |course: &Course| match (&course.violation, course.draws) {
        (Some(Violation { ply, message, .. }), Draws::Missing) => {
            format!("the action at ply {ply} needs a draw that never happened ({message})")
        }
        (Some(violation), _) if violation.code == "tape_leftover" => violation.message.clone(),
        (Some(_), _) if course.outcome.is_some() => match course.plies {
            0 => format!("the game is over before the first action, and {}", result(course)),
            1 => format!("the game is over after 1 action, and {}", result(course)),
            plies => format!("the game is over after {plies} actions, and {}", result(course)),
        },
        (Some(violation), _) => fault(violation),
        (None, _) => match course.plies {
            0 => format!("no action is recorded, and {}", result(course)),
            1 => format!("the one action is legal, and {}", result(course)),
            plies => format!("all {plies} actions are legal, and {}", result(course)),
        },
    };
    let answer = |answer: Answered| match answer {
        Answered::Legal => "legal",
        Answered::Illegal => "illegal",
        Answered::NotReached => "never reached",
        Answered::NoDraw => "in need of a draw that never happened",
    };
    let mut lines = Vec::new();
    let maybe = |course: &Course| match course.hypothetical_from {
        Some(ply) => {
            format!(" (with draws from a seed from ply {ply} on, so hypothetically)")
        }
        None => String::new(),
    };
    let by = by_its_clauses(all);
    let asked = |ply: u32, course: &Course| {
        let now = course.answer.map_or("", answer);
        let own = std::ptr::eq(course, &raw const all.recorded);
        let by = if own && course.answer == Some(Answered::Legal) { by.as_str() } else { "" };
        let line = format!("the action at ply {ply} is {now}{by}");
        match (course.answer, &course.violation) {
            (Some(Answered::Illegal), Some(violation)) => {
                format!("{line} by {}: {}", violation.rule, violation.message)
            }
            (Some(Answered::NotReached), Some(_)) => format!("{line}: {}", stands(course)),
            _ => line,
        }
    };
    let recorded = &all.recorded;
    let own = match &all.question {
        Some(question)
            if recorded.draws == Draws::Missing && recorded.answer == Some(Answered::Legal) =>
        {
            format!("{}; {UNDRAWN}", asked(question.ply, recorded))
        }
        Some(question) if recorded.outcome.is_some() => {
            format!("{}, and {}", asked(question.ply, recorded), result(recorded))
        }
        Some(question) => asked(question.ply, recorded),
        None => stands(recorded),
    };
    lines.push(format!("Under the readings of the record {own}{}.", maybe(recorded)));
    lines.extend(not_run(&all.cited));
    let named = |reading: &ReadingChoice| {
        let house = if reading.is_house(table) { ", a house rule," } else { "" };
        format!("{}{house}", reading.in_words(meta, table))
    };
    let over = |house: bool| {
        let those = all.impossible.iter().filter(move |it| it.reading.is_house(table) == house);
        those.filter_map(|Aside { reading, outcome, .. }| {
            let outcome = outcome.as_ref()?;
            let ends = ends(outcome.winner, outcome.reason);
            let name = named(reading);
            Some(format!("Under {name} the game is over before the first action, and {ends}."))
        })
    };
    lines.extend(over(false));
    for compared in &all.readings {
        let Compared { reading, changes, course, parting, .. } = compared;
        let name = named(reading);
        let from = match parting.how {
            PartingKind::Opening => "from the opening on".to_owned(),
            _ => format!("from ply {} on", parting.ply),
        };
        let maybe = maybe(course);
        let line = match &all.question {
            _ if compared.class == Class::FormOnly => {
                "the game is the same, in another form".to_owned()
            }
            _ if course.draws == Draws::Missing && course.answer != Some(Answered::Legal) => {
                stands(course)
            }
            Some(question) if course.draws == Draws::Missing => {
                let now = asked(question.ply, course);
                let later = course.violation.iter().any(|it| it.ply > question.ply);
                match later {
                    true => format!("{now}; {}", stands(course)),
                    false if changes.answer => format!("{now}; {UNDRAWN}"),
                    false => format!("{now}, and the game differs {from}; {UNDRAWN}"),
                }
            }
            Some(question)
                if changes.answer
                    && changes.result
                    && course.answer != Some(Answered::NotReached) =>
            {
                format!("{}; {}", asked(question.ply, course), result(course))
            }
            Some(question) if changes.answer => asked(question.ply, course),
            _ if changes.winner || changes.result || changes.legality || changes.fault => {
                stands(course)
            }
            _ => format!("the game differs {from}, but not in its result"),
        };
        let carried = match (compared.carried.len(), compared.carried.iter().any(|it| it.assumed)) {
            (0, _) => String::new(),
            (1, false) => " (1 line of the record is carried over)".to_owned(),
            (1, true) => " (1 line of the record is carried over, by assumption)".to_owned(),
            (lines, false) => format!(" ({lines} lines of the record are carried over)"),
            (lines, true) => {
                format!(" ({lines} lines of the record are carried over, some by assumption)")
            }
        };
        lines.push(format!("Under {name} {line}{carried}{maybe}."));
    }
    // What the book can bear comes before house rules.
    lines.extend(over(true));
    let count = |count: usize| match count {
        1 => "1 other reading".to_owned(),
        count => format!("{count} other readings"),
    };
    if !all.same.is_empty() {
        let makes = if all.same.len() == 1 { "makes" } else { "make" };
        lines.push(format!("{} {makes} no difference to this game.", count(all.same.len())));
    }
    let misfits = all.impossible.iter().filter(|it| it.outcome.is_none()).count();
    if misfits > 0 {
        let fits = if misfits == 1 { "does" } else { "do" };
        let size = count(misfits);
        lines.push(format!("{size} {fits} not fit the options or the position of the record."));
    }
    lines
}
