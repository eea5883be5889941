//! One question, one answer: a summary and its body, and a record asked about as a whole and at its last action.
//!
//! Must not judge a record: what is compared is what the engine says.

use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{Adjudication, Class, Compared, Dispute, Draws};
use umpire_engine::partial::Partial;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::Limits;
use umpire_engine::replay::completion::Bounds;

/// How much was compared.
#[derive(Default, Debug)]
pub struct Counts {
    /// Readings that change the winner.
    pub winners: usize,
    /// Readings under which a record is the same game in another form.
    pub forms: usize,
    /// Readings of records that were asked about at their last action as well.
    pub asked: usize,
    /// Those of them that make another decision of that action.
    pub others: usize,
}

/// Where the answers about a record contradict each other. A record that cannot be settled has none.
pub fn faults(game: &'static dyn AnyGame, text: &str, counts: &mut Counts) -> Vec<String> {
    let Ok(record) = RawRecord::read(text.as_bytes()) else { return Vec::new() };
    let settle = |dispute: &Dispute<'_>| game.adjudicate(&record, dispute, Limits::default()).ok();
    let Some(whole) = settle(&Dispute::default()) else { return Vec::new() };
    let mut faults = summary_faults(game, &record, &whole, counts);
    let plies = whole.recorded.plies;
    if whole.recorded.violation.is_some() || plies == 0 {
        return faults;
    }
    let Some(asked) = settle(&Dispute { ply: Some(plies - 1), ..Dispute::default() }) else {
        faults.push("cannot be asked about at its last action".to_owned());
        return faults;
    };
    faults.extend(summary_faults(game, &record, &asked, counts));
    for one in &whole.readings {
        let name = one.reading.name();
        let Some(other) = asked.readings.iter().find(|it| it.reading == one.reading) else {
            faults.push(format!("{name} differs only in the whole record"));
            continue;
        };
        counts.asked += 1;
        let end = |it: &Compared| it.course.outcome.as_ref().map(|end| (end.winner, end.reason));
        // Under the reading another player decides, or the decision comes later or not at all: the action asked about is illegal.
        if is_another_decision(one, plies - 1) && other.class == Class::Illegal {
            counts.others += 1;
            continue;
        }
        if (one.class, end(one)) != (other.class, end(other)) {
            let (one, two) = ((one.class, end(one)), (other.class, end(other)));
            faults.push(format!("{name}: {one:?} as a whole, {two:?} at the last action"));
        }
    }
    faults
}

/// Whether a reading makes another decision of the action at a ply, or none.
fn is_another_decision(compared: &Compared, ply: u32) -> bool {
    let carried = serde_json::to_value(&compared.carried).unwrap_or_default();
    let lines = carried.as_array().into_iter().flatten();
    lines.filter(|line| line["pointer"] == format!("/actions/{ply}")).any(|line| {
        let (was, is) = (&line["was"], &line["is"]);
        !was.is_null() && (is["player"] != was["player"] || line["kind"] == "reordered")
    })
}

/// Where the lines of a summary are not what the readings below it are.
fn summary_faults(
    game: &'static dyn AnyGame,
    record: &RawRecord<'_>,
    all: &Adjudication,
    counts: &mut Counts,
) -> Vec<String> {
    let mut faults = Vec::new();
    // Beside the readings stand the record's own, and those under which nothing can be played any more.
    let compared = |line: &String| all.readings.iter().any(|it| line.contains(&it.reading.name()));
    let over = |line: &&String| {
        line.contains(" the game is over before the first action, and ") && !compared(line)
    };
    let lines = all.summary.iter().skip(1).filter(|line| line.starts_with("Under ") && !over(line));
    let lines: Vec<&String> = lines.collect();
    if lines.len() != all.readings.len() {
        faults.push(format!("{} lines for {} readings", lines.len(), all.readings.len()));
    }
    for (line, compared) in lines.into_iter().zip(&all.readings) {
        let in_form = line.contains("the game is the same, in another form");
        if in_form != (compared.class == Class::FormOnly) {
            faults.push(format!("{:?} is called: {line}", compared.class));
        }
        counts.forms += usize::from(in_form);
        let missing = line.contains("needs a draw that never happened");
        if missing && compared.course.draws != Draws::Missing {
            faults.push(format!("nothing is missing: {line}"));
        }
        let winner = compared.course.outcome.as_ref().and_then(|end| end.winner);
        if let (true, Some(winner)) = (compared.changes.winner, winner) {
            counts.winners += 1;
            let name = record.players.as_ref().and_then(|names| names.get(winner));
            let wins = game.meta().wins(winner, name.map(String::as_str));
            if !line.contains(&wins) {
                faults.push(format!("not said: {wins}: {line}"));
            }
        }
        let refused = |it: &String| it.starts_with("refused under this reading");
        if compared.course.violation.is_none() && compared.parting.words.iter().any(refused) {
            faults.push(format!("a body that refuses what is legal: {line}"));
        }
    }
    faults
}

/// A dispute that people had, and what is read aloud to them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DisputeCase {
    title: String,
    record: Box<RawValue>,
    /// The action in question, in place of what follows the record.
    action: Option<Box<RawValue>>,
    /// The place of the action in question, if it is the record's own.
    ply: Option<u32>,
    /// The clause by which the record itself is refused.
    refused_by: Option<String>,
    /// Parts of lines that are said, each in one line.
    says: Vec<String>,
    /// What no line says.
    #[serde(default)]
    never: Vec<String>,
}

/// Where what is read aloud is not what `judged.json` of a game wants; and how many disputes it holds.
pub fn judged_wrongly(game: &'static dyn AnyGame, text: &str) -> (usize, Vec<String>) {
    let all: Vec<DisputeCase> = serde_json::from_str(text).expect("disputes");
    let mut faults = Vec::new();
    for DisputeCase { title, record, action, ply, refused_by, says, never } in &all {
        let text = record.get().as_bytes();
        let dispute = Dispute { action: action.as_deref(), ply: *ply, ..Dispute::default() };
        let partial = Partial::read(text).expect("a record").filter(Partial::is_open);
        let limits = Limits::default();
        let (settled, judged) = match &partial {
            Some(partial) => (
                game.adjudicate_partial(partial, &dispute, limits),
                game.judge_partial(partial, Bounds::default(), limits),
            ),
            None => {
                let record = RawRecord::read(text).expect("a record");
                (game.adjudicate(&record, &dispute, limits), game.judge(&record, limits))
            }
        };
        let lines = match settled {
            Ok(settled) => settled.summary,
            Err(fault) => {
                faults.push(format!("{title} {fault:?}"));
                continue;
            }
        };
        let violation = judged.expect("a verdict").verdict.violation;
        let rule = violation.map(|violation| violation.rule);
        if refused_by.is_some() && rule != *refused_by {
            faults.push(format!("{title} refused by {rule:?}, not by {refused_by:?}"));
        }
        let said = |part: &&String| lines.iter().any(|line| line.contains(part.as_str()));
        let missing = says.iter().filter(|part| !said(part)).map(|part| (part, "not said"));
        let wrong = never.iter().filter(said).map(|part| (part, "said"));
        faults.extend(missing.chain(wrong).map(|(part, how)| format!("{title} {how}: {part}")));
    }
    (all.len(), faults)
}
