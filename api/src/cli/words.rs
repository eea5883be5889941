//! Verdicts as text for people.
//!
//! This module must not decide anything; it only words what the engine found.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

use serde_json::{Map, Value};
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Chapter;
use umpire_engine::game::Step;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{
    ClaimCheck, Ending, PendingDecision, Status, Verdict, Violation, Warning,
};
use umpire_engine::replay::completion::{Proof, Witness};

pub(super) use crate::documents::phrase::{action, spaced};
use crate::documents::phrase::{object, short};
use umpire_referee::language::{self, Language, Voice};
use umpire_referee::problem::Problem;
use umpire_referee::reading::Submission;

/// The options for the next step of an action.
pub(super) fn choice(step: &Step) -> String {
    match (&step.values, step.least.zip(step.most)) {
        (Some(values), _) => {
            let values: Vec<&str> = values.iter().map(|value| value.get()).collect();
            values.join(" ")
        }
        (None, Some((least, most))) => format!("{least} to {most}"),
        (None, None) => "any text".to_owned(),
    }
}

/// A number of actions in words.
pub(super) fn actions(count: u32) -> String {
    match count {
        1 => "1 action".to_owned(),
        count => format!("{count} actions"),
    }
}

/// The status of a record, in one line.
pub(super) fn headline(game: &'static dyn AnyGame, ruleset: &str, verdict: &Verdict) -> String {
    local(game, &headline_in_english(game, ruleset, verdict))
}

fn headline_in_english(game: &dyn AnyGame, ruleset: &str, verdict: &Verdict) -> String {
    let plies = actions(verdict.plies);
    let title = |ending: &str| game.meta().ending_title(ending);
    match (verdict.status, &verdict.outcome) {
        (Status::Complete, Some(end)) => {
            let reason = title(end.reason);
            match end.winner {
                Some(winner) => {
                    format!(
                        "Legal: winner: {} ({reason}) after {plies}, by {ruleset}.",
                        spaced(winner)
                    )
                }
                None => format!("Legal: no winner ({reason}) after {plies}, by {ruleset}."),
            }
        }
        (Status::Complete | Status::InProgress, _) => {
            format!(
                "Legal so far: {plies} of {}, by {ruleset}; the game goes on.",
                game.meta().title
            )
        }
        (Status::Illegal, _) => format!("Illegal after {plies}, by {ruleset}."),
        (Status::BadChance, _) => format!("The tape does not fit after {plies}, by {ruleset}."),
        (Status::Possible, end) => {
            let assumed = verdict.witness.as_ref().map_or(0, |witness| witness.assumes.len());
            let end = match end {
                Some(Ending { winner: Some(winner), reason }) => {
                    format!("; however it was, winner: {} ({})", spaced(winner), title(reason))
                }
                Some(Ending { winner: None, reason }) => {
                    format!("; however it was, no winner ({})", title(reason))
                }
                None => String::new(),
            };
            match assumed {
                1 => format!(
                    "Possible: {plies}, by {ruleset}, if 1 thing was as it may have been{end}."
                ),
                _ => format!(
                    "Possible: {plies}, by {ruleset}, if {assumed} things were as they may have been{end}."
                ),
            }
        }
        (Status::Impossible, _) => {
            format!("Impossible after {plies}, by {ruleset}, whatever was not written down.")
        }
        (Status::Undecided, _) => {
            let are = if verdict.plies == 1 { "is" } else { "are" };
            format!(
                "Not decided, by {ruleset}: {plies} {are} possible, and what follows was not found out."
            )
        }
    }
}

/// Who is to decide, what, and by which clause; nothing once the game is over.
pub(super) fn to_decide(decision: &PendingDecision) -> Option<String> {
    let who: Vec<_> = decision.players.iter().map(|who| spaced(who)).collect();
    let what = spaced(decision.state);
    (!who.is_empty()).then(|| format!("{} ({what}, {})", who.join(", "), decision.rule))
}

/// What is wrong: the clause, the facts, and the nearest legal actions.
pub(super) fn violation(submission: &Submission<'_>, violation: &Violation) -> String {
    let mut text = String::new();
    let nearest: Vec<&str> = violation.nearest.iter().map(|nearest| nearest.get()).collect();
    let spoken = spoken(submission, &nearest, None);
    let who = violation.player.as_deref().map(|who| format!(" ({})", spaced(who)));
    let message = local(submission.game, &violation.message);
    let _ = writeln!(text, "  {}{}: {message}", violation.pointer, who.unwrap_or_default());
    for id in &violation.rules {
        let entry = submission.game.rules().iter().find(|entry| entry.id == *id);
        let section = entry.and_then(|entry| entry.section(spoken.edition));
        let gist = entry.map_or("", |entry| entry.gist);
        let _ = writeln!(text, "  {}", clause(submission.game, id, section, gist));
    }
    for fact in &violation.facts {
        let _ = writeln!(text, "  - {}: {}", fact.what, fact.is);
    }
    if !violation.nearest.is_empty() {
        let _ = writeln!(text, "  Legal instead:");
        for nearest in &spoken.actions {
            let _ = writeln!(text, "    {nearest}");
        }
    }
    text
}

/// What is wrong with a record that cannot be examined further because something in it is unknown.
pub(super) fn violation_alone(game: &'static dyn AnyGame, violation: &Violation) -> String {
    let who = violation.player.as_deref().map(|who| format!(" ({})", spaced(who)));
    let message = local(game, &violation.message);
    let mut text = format!("  {}{}: {message}\n", violation.pointer, who.unwrap_or_default());
    for id in &violation.rules {
        let entry = game.rules().iter().find(|entry| entry.id == *id);
        let gist = entry.map_or("", |entry| entry.gist);
        let _ = writeln!(text, "  {}", clause(game, id, violation.section, gist));
    }
    text
}

/// What is assumed about the unknowns, or why nothing is consistent.
pub(super) fn unknowns(verdict: &Verdict) -> String {
    let found = verdict.proof.is_none();
    let mut text = assumed(verdict.witness.as_deref().filter(|_| found));
    text.push_str(&proven(verdict.proof.as_deref()));
    if let (None, None, Some(tried)) = (&verdict.witness, &verdict.proof, &verdict.tried) {
        let _ = writeln!(text, "  {} actions were tried", tried.actions);
    }
    text
}

/// The assumptions of a completion.
pub(super) fn assumed(witness: Option<&Witness>) -> String {
    /// The maximum number of assumptions that are listed.
    const MOST: usize = 12;
    let mut text = String::new();
    if let Some(witness) = witness {
        let (needed, others): (Vec<_>, Vec<_>) =
            witness.assumes.iter().partition(|it| it.needed_at.is_some() || it.pointer.is_none());
        let shown = if needed.is_empty() { &others } else { &needed };
        for assumed in shown.iter().take(MOST) {
            let _ = writeln!(text, "  if {}", assumed.text);
        }
        let left = witness.assumes.len().saturating_sub(shown.len().min(MOST));
        if left > 0 {
            let _ =
                writeln!(text, "  and {left} more; --json shows them all, and the whole record");
        }
    }
    text
}

/// Why nothing is consistent.
pub(super) fn proven(proof: Option<&Proof>) -> String {
    let words = proof.into_iter().flat_map(|proof| &proof.words);
    words.map(|words| format!("  - {words}\n")).collect()
}

/// The language of the output.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Sets the language of the output, if some game is translated to it.
pub(super) fn speak(language: &str) -> Result<(), String> {
    let found = Language::named(language).ok_or_else(|| {
        let known: Vec<&str> = language::known().into_iter().collect();
        format!("no game is translated to {language:?}; expected one of {}", known.join(", "))
    })?;
    LANGUAGE.get_or_init(|| found);
    Ok(())
}

/// The voice of a game in that language.
pub(super) fn voice(game: &'static dyn AnyGame) -> Voice {
    LANGUAGE.get().copied().unwrap_or(Language::ENGLISH).of(game)
}

/// A sentence of a game, or a part of one, in that language; in English if there is no translation.
pub(super) fn local(game: &'static dyn AnyGame, text: &str) -> String {
    voice(game).said(text)
}

/// A clause in one line, with its place in the rulebook: `DRK-6.3 §Movement  A move of n …`.
pub(super) fn clause(
    game: &'static dyn AnyGame,
    id: &str,
    section: Option<&str>,
    gist: &str,
) -> String {
    let gist = local(game, gist);
    match section.map(printed) {
        Some(section) => format!("{id} {section}  {gist}"),
        None => format!("{id}  {gist}"),
    }
}

/// A place in a rulebook: `§3.2`, `§Movement`.
pub(super) fn printed(section: &str) -> String {
    match section.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("§{section}"),
        false => section.to_owned(),
    }
}

/// Actions as text.
pub(super) struct Spoken {
    /// The edition in force, empty for a game with only one.
    pub(super) edition: &'static str,
    /// One line per action.
    pub(super) actions: Vec<String>,
}

/// Actions (as JSON) in the words of their game, at a ply or at the end of the record; anything
/// without a wording stays as in the JSON.
pub(super) fn spoken(submission: &Submission<'_>, actions: &[&str], ply: Option<u32>) -> Spoken {
    let said = submission.game.say(&submission.record, actions, ply, Limits::default());
    let (edition, said) = said.map_or(("", Vec::new()), |said| (said.edition, said.actions));
    let mut said = said.into_iter();
    let line = |text: &&str| {
        let said = said.next().flatten().map(|said| local(submission.game, &said));
        said.unwrap_or_else(|| action(text))
    };
    Spoken { edition, actions: actions.iter().map(line).collect() }
}

/// Claims of the record that do not hold.
pub(super) fn findings(claims: &[ClaimCheck], legal: bool) -> String {
    let mut text = String::new();
    let broken = claims.iter().filter(|claim| !claim.holds);
    if legal && broken.clone().next().is_some() {
        let _ = writeln!(text, "  The record is legal, but its claims do not hold:");
    }
    for claim in broken {
        let said = claim.claimed.as_deref().unwrap_or("nothing");
        let is = claim.actual.as_deref().unwrap_or("nothing");
        let _ = match claim.ply {
            Some(ply) if claim.claim.ends_with("/ply") => writeln!(
                text,
                "  The record claims something after {} ({}), but has only {} that are legal.",
                actions(ply),
                claim.claim,
                claim
                    .actual
                    .as_deref()
                    .and_then(|it| it.parse().ok())
                    .map_or(is.to_owned(), actions),
            ),
            Some(ply) => writeln!(
                text,
                "  After {} the record claims {said} in {}; it is {is}.",
                actions(ply),
                claim.claim
            ),
            None => writeln!(text, "  The record claims {said} in {}; it is {is}.", claim.claim),
        };
    }
    text
}

/// Claims that do not hold, and warnings.
pub(super) fn remarks(verdict: &Verdict, warnings: &[Warning]) -> String {
    let mut text = findings(&verdict.claims, verdict.violation.is_none());
    for warning in warnings {
        let place = match warning.pointer.as_str() {
            "" => String::new(),
            pointer => format!(" ({pointer})"),
        };
        let _ = writeln!(text, "  Note: {}{place}.", warning.message);
    }
    text
}

/// The table of a game: one line per chapter and player, in columns.
pub(super) fn table(chapters: &[Chapter], players: Option<&BTreeMap<String, String>>) -> String {
    let Some(first) = chapters.first() else { return String::new() };
    let whats: Vec<&str> =
        first.rows.first().into_iter().flat_map(|row| &row.counts).map(|it| it.what).collect();
    let head = [first.name, "player"].into_iter().chain(whats.iter().copied());
    let mut lines: Vec<Vec<String>> = vec![head.map(spaced).collect()];
    for chapter in chapters {
        for (at, row) in chapter.rows.iter().enumerate() {
            // The number is printed once, so that a chapter is seen as a block.
            let number = if at == 0 { chapter.number.to_string() } else { String::new() };
            let player = match players.and_then(|players| players.get(row.player)) {
                Some(name) => format!("{name} ({})", spaced(row.player)),
                None => spaced(row.player),
            };
            let count = |what| row.counts.iter().find(|it| it.what == what).map(|it| it.count);
            let counts = whats.iter().map(|&what| count(what));
            let counts = counts.map(|it| it.map_or("-".to_owned(), |it| it.to_string()));
            lines.push([number, player].into_iter().chain(counts).collect());
        }
    }
    let wide = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(wide).collect();
    let mut text = String::new();
    for line in &lines {
        for (at, (cell, wide)) in line.iter().zip(&widths).enumerate() {
            // Names are left-aligned, numbers right-aligned.
            let _ = match at {
                0 => write!(text, "{cell:>wide$}"),
                1 => write!(text, "  {cell:<wide$}"),
                _ => write!(text, "  {cell:>wide$}"),
            };
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

/// An event in one short line: `card played, card dg09, side dragon, use flight`.
pub(super) fn event(text: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(text) else { return text.to_owned() };
    let kind = match fields.shift_remove("type") {
        Some(Value::String(kind)) => spaced(&kind),
        _ => "?".to_owned(),
    };
    // The line shows these fields in its own way.
    for shown in ["ply", "rule", "rules", "section"] {
        fields.shift_remove(shown);
    }
    fields.retain(|_, value| !value.is_null());
    match fields.is_empty() {
        true => kind,
        false => format!("{kind}, {}", object(&fields)),
    }
}

/// A view as an outline: one line per field, nested fields below, whatever is short enough on one
/// line, and repeated items with their count.
pub(super) fn outline(text: &str) -> String {
    let mut out = String::new();
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    lines(&value, 1, &mut out);
    out
}

fn lines(value: &Value, depth: usize, out: &mut String) {
    const WIDE: usize = 90;
    let indent = 2 * depth;
    let mut line = |name: &str, value: &Value| {
        let short = counted(value);
        let fits = indent + name.len() + short.chars().count() < WIDE;
        let flat = !matches!(value, Value::Object(_) | Value::Array(_));
        if fits || flat {
            let _ = writeln!(out, "{:indent$}{name}: {short}", "");
        } else {
            let _ = writeln!(out, "{:indent$}{name}:", "");
            lines(value, depth + 1, out);
        }
    };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| line(&spaced(name), value));
        }
        Value::Array(items) if items.iter().all(|it| !it.is_object()) => {
            let _ = writeln!(out, "{:indent$}{}", "", counted(value));
        }
        Value::Array(items) => items.iter().for_each(|item| line("-", item)),
        other => {
            let _ = writeln!(out, "{:indent$}{}", "", short(other));
        }
    }
}

/// Like [`short`], but repeated items in a list are shown once with their count.
fn counted(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let runs = items.chunk_by(|one, other| one == other);
            let runs = runs.map(|run| match run.len() {
                1 => short(&run[0]),
                count => format!("{count} x {}", short(&run[0])),
            });
            runs.collect::<Vec<_>>().join(", ")
        }
        Value::Object(fields) => {
            let shown = fields.iter().map(|(name, it)| format!("{} {}", spaced(name), counted(it)));
            shown.collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) if items.iter().all(Value::is_object) => {
            // Each item by its values alone: the names are all the same.
            let one = |item: &Value| {
                let values = item.as_object().into_iter().flat_map(Map::values);
                values.map(counted).collect::<Vec<_>>().join(" ")
            };
            items.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        other => short(other),
    }
}

/// The rows of a table in columns, or its numbered entries; `None` for any other shape. A missing
/// cell is shown as `-`.
pub(super) fn rows(value: &Value) -> Option<String> {
    const WIDE: usize = 140;
    let rows = value.as_array()?;
    if rows.iter().all(Value::is_string) {
        let entries = rows.iter().enumerate();
        return Some(entries.map(|(at, it)| format!("{:>4}  {}\n", at + 1, short(it))).collect());
    }
    let rows: Vec<&Map<String, Value>> =
        rows.iter().map(Value::as_object).collect::<Option<_>>()?;
    let mut names: Vec<&String> = Vec::new();
    for name in rows.iter().flat_map(|row| row.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // The source is the least interesting.
    names.sort_by_key(|name| *name == "source");
    let mut lines = vec![names.iter().map(|name| spaced(name)).collect::<Vec<_>>()];
    for row in rows {
        let cell = |name: &&String| row.get(*name).map_or("-".to_owned(), counted);
        lines.push(names.iter().map(cell).collect());
    }
    let text = columns(&lines);
    (!lines[0].is_empty() && text.lines().all(|line| line.chars().count() <= WIDE)).then_some(text)
}

/// Aligns cells in columns, text left-aligned.
fn columns(lines: &[Vec<String>]) -> String {
    let wide = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        let cells =
            line.iter().enumerate().map(|(at, cell)| format!("{cell:<wide$}", wide = wide(at)));
        let _ = writeln!(text, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}

/// Why there is no result.
pub(super) fn problem(problem: &Problem) -> String {
    match problem.pointer.as_deref().filter(|pointer| !pointer.is_empty()) {
        Some(pointer) => format!("{pointer}: {}", problem.detail),
        None => problem.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use umpire_engine::game::{Chapter, Standing, Tally};

    use super::{action, event, outline, table};

    #[test]
    fn an_action_reads_as_words() {
        let text = r#"{"type":"move_to","player":"the_cat","hex":{"q":1,"r":-2},"via":["a_b"]}"#;
        assert_eq!(action(text), "the cat: move to, hex (q 1, r -2), via [a b]");
        assert_eq!(action(r#"{"type":"pass","player":"cat"}"#), "cat: pass");
        assert_eq!(action("7"), "7");
    }

    #[test]
    fn an_event_reads_as_words() {
        let text = r#"{"ply":3,"type":"card_drawn","side":"the_cat","card":null,"rule":"CAT-1.1"}"#;
        assert_eq!(event(text), "card drawn, side the cat");
        assert_eq!(event(r#"{"type":"night_falls","ply":3}"#), "night falls");
    }

    #[test]
    fn a_view_reads_as_an_outline() {
        let long: Vec<String> = (0..20).map(|at| format!("mouse_{at}")).collect();
        let view = serde_json::json!({
            "turn": 3, "the_end": null, "asleep": false, "hole": [1, -2], "bag": [],
            "hand": {"cat": ["milk", "milk", "fish"], "mouse": {"count": 2}}, "mice": long,
        });
        let expected = "  asleep: no
  bag: none
  hand: cat 2 x milk, fish, mouse count 2
  hole: [1, -2]
  mice:
    mouse 0, mouse 1, mouse 2, mouse 3, mouse 4, mouse 5, mouse 6, mouse 7, mouse 8, mouse 9, \
mouse 10, mouse 11, mouse 12, mouse 13, mouse 14, mouse 15, mouse 16, mouse 17, mouse 18, mouse 19
  the end: nothing
  turn: 3
";
        assert_eq!(sorted(&outline(&view.to_string())), sorted(expected));
    }

    /// The lines in a fixed order: whether JSON keeps the order of fields depends on other enabled
    /// features.
    fn sorted(text: &str) -> Vec<&str> {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn a_table_has_a_line_for_each_stretch_and_player() {
        let row = |player, place, count| Standing {
            player,
            place,
            counts: vec![Tally { what: "stolen_cheese", count }],
        };
        let chapters = [
            Chapter { name: "night", number: 9, rows: vec![row("cat", 1, 7), row("mouse", 2, 0)] },
            Chapter { name: "night", number: 10, rows: vec![row("cat", 1, 120)] },
        ];
        let players = [("mouse".to_owned(), "Zoë".to_owned())].into();
        let expected = "\
night  player       stolen cheese
    9  cat                      7
       Zoë (mouse)              0
   10  cat                    120

";
        assert_eq!(table(&chapters, Some(&players)), expected);
        assert_eq!(table(&[], None), "");
    }
}
