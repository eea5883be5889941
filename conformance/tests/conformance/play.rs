//! Fixtures as text to be read: the verdict of each, and the course of a whole game with what
//! every viewer learns of it.
//!
//! What is written here goes into snapshots, so it must be short, stable and in order.

use std::fmt::Write as _;

use serde_json::Value;
use umpire_conformance::fixture::{Case, Fixture, Parts};
use umpire_engine::any_game::AnyGame;
use umpire_engine::digest::fingerprint;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{Legal, LegalQuery, Violation};
use umpire_engine::replay::{Include, Query};
use umpire_engine::report::Report;
use umpire_engine::scene::{Scene, Shape};

use crate::json::changes;
use crate::run::{Answer, replay, unanswered};

/// The verdict on a fixture and on each of its tries, some lines of text.
pub fn verdict(case: &Case) -> String {
    let Some(fixture) = case.good() else { return format!("{}: unreadable\n", case.name) };
    let mut text = format!("{}\n  \"{}\"\n", case.name, fixture.title);
    answer(&replay(case.game, fixture.record.get()), "  ", &mut text);
    let Some(parts) = Parts::of(&fixture.record) else { return text };
    for attempt in &fixture.expect.tries {
        let action = attempt.action.get().split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(text, "  at {} {action}", attempt.ply);
        if !attempt.rulings.is_empty() {
            let mut rulings = attempt.rulings.clone();
            rulings.sort_keys();
            let _ = write!(text, " under {}", Value::from(rulings));
        }
        text.push('\n');
        match replay(case.game, &parts.attempt(attempt)) {
            Ok(report) if report.verdict.plies > attempt.ply => text.push_str("    accepted\n"),
            other => answer(&other, "    ", &mut text),
        }
    }
    text
}

fn answer(answer: &Answer, indent: &str, text: &mut String) {
    let report = match answer {
        Ok(report) => report,
        Err(found) => {
            let _ = writeln!(text, "{indent}{}", unanswered(found));
            return;
        }
    };
    let fingerprint = report.fingerprint.map(|it| it.to_string()).unwrap_or_default();
    let Report { verdict, warnings, .. } = report;
    let plies = verdict.plies;
    let _ =
        writeln!(text, "{indent}{} after {plies}, {}", verdict.status.name(), &fingerprint[..16]);
    if let Some(outcome) = &verdict.outcome {
        let winner = outcome.winner.unwrap_or("nobody");
        let _ = writeln!(text, "{indent}{winner} wins: {}", outcome.reason);
    }
    for claim in verdict.claims.iter().filter(|claim| !claim.holds) {
        let _ = writeln!(text, "{indent}{} is not so: {:?}", claim.claim, claim.actual);
    }
    if let Some(it) = &verdict.violation {
        violation(it, indent, text);
    }
    for warning in warnings {
        let _ = writeln!(text, "{indent}warning {}: {}", warning.code, warning.message);
    }
}

fn violation(it: &Violation, indent: &str, text: &mut String) {
    let Violation { pointer, code, rules, message, facts, nearest, .. } = it;
    let _ = writeln!(text, "{indent}{} {code} at {pointer}: {message}", rules.join(" "));
    for fact in facts {
        let _ = writeln!(text, "{indent}  {}: {}", fact.what, fact.is);
    }
    if let Some(first) = nearest.first() {
        let _ = writeln!(text, "{indent}  nearest: {}", first.get());
    }
}

/// The course of a game: per ply the action, the events and what changed, each line with those
/// who learn of it, and how many actions are legal.
pub fn playthrough(case: &Case, fixture: &Fixture) -> String {
    let game = case.game;
    let meta = game.meta();
    let mut text = format!("{}\n{}\n", case.name, fixture.title);
    let Some(parts) = Parts::of(&fixture.record) else { return text };
    let viewers: Vec<&str> =
        ["referee"].into_iter().chain(meta.seats.iter().copied()).chain(["spectator"]).collect();
    let mut rendered = Vec::new();
    for name in &viewers {
        rendered.push(learned(game, fixture, &parts, name).unwrap_or_default());
    }
    let plies = rendered[0].len();
    for ply in 0..plies {
        let action = ply.checked_sub(1).and_then(|at| parts.actions.get(at));
        let action = action.map(|it| it.get().split_whitespace().collect::<Vec<_>>().join(" "));
        let _ = writeln!(text, "\n== {ply} {}", action.unwrap_or_else(|| meta.title.to_owned()));
        let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
        for (name, rendered) in viewers.iter().zip(&rendered) {
            for line in rendered.get(ply).into_iter().flatten() {
                match lines.iter_mut().find(|(had, names)| had == line && !names.contains(name)) {
                    Some((_, names)) => names.push(name),
                    None => lines.push((line, vec![name])),
                }
            }
        }
        for (line, names) in lines {
            let names =
                if names.len() == viewers.len() { "all".to_owned() } else { names.join(", ") };
            let _ = writeln!(text, "[{names}] {line}");
        }
        text.push_str(&menu(game, &parts, ply));
    }
    text
}

/// What a whole game looks like at its opening, in its middle and at its end: to the referee in full, once in
/// characters, and in the middle to the others, where it looks otherwise to them.
pub fn pictures(case: &Case, fixture: &Fixture) -> String {
    let mut text = format!("{}\n{}\n", case.name, fixture.title);
    let Some(parts) = Parts::of(&fixture.record) else { return text };
    let last = parts.actions.len() as u32;
    for ply in [0, last / 2, last] {
        let Some(all) = depicted(case.game, fixture, "referee", ply) else { continue };
        let _ = writeln!(text, "\n== {ply}, to the referee: {}", all.title);
        let _ = writeln!(text, "{}\n{}\n{:?}", all.text, characters(&all), all.bounds);
        let shown: Vec<String> = all.shapes.iter().map(shape).collect();
        text.push_str(&shown.concat());
        if ply != last / 2 {
            continue;
        }
        for seat in case.game.meta().seats.iter().copied().chain(["spectator"]) {
            let Some(scene) = depicted(case.game, fixture, seat, ply) else { continue };
            let other: Vec<String> = scene.shapes.iter().map(shape).collect();
            let _ = writeln!(text, "\n== {ply}, to {seat}: {}", scene.title);
            let lines = |from: &[String], without: &[String], mark: &str| -> String {
                let only = from.iter().filter(|line| !without.contains(line));
                only.map(|line| format!("{mark} {line}")).collect()
            };
            text.push_str(&lines(&shown, &other, "-"));
            text.push_str(&lines(&other, &shown, "+"));
        }
    }
    text
}

fn depicted(game: &dyn AnyGame, fixture: &Fixture, viewer: &str, ply: u32) -> Option<Scene> {
    let record = RawRecord::read(fixture.record.get().as_bytes()).ok()?;
    let viewer = game.viewer(viewer)?;
    let query = Query { viewer, ply: Some(ply), ..Query::default() };
    game.depict(&record, &query).ok().map(|it| it.scene)
}

/// A scene in characters, set in.
fn characters(scene: &Scene) -> String {
    let written = umpire_engine::scene::text::write(scene, false);
    written.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect()
}

/// A shape in one line.
fn shape(shape: &Shape) -> String {
    let mut value = serde_json::to_value(shape).expect("shapes serialise");
    let mut take = |key: &str| {
        let taken = value.as_object_mut().and_then(|it| it.shift_remove(key));
        taken
            .map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned))
            .unwrap_or_default()
    };
    let (id, title, tint, form) = (take("id"), take("title"), take("tint"), take("form"));
    format!("{id} \"{title}\" {tint} {form} {value}\n")
}

/// What a viewer learns, ply by ply: the fingerprint, events, and changes of the view.
fn learned(
    game: &dyn AnyGame,
    fixture: &Fixture,
    parts: &Parts,
    name: &str,
) -> Option<Vec<Vec<String>>> {
    let viewer = game.viewer(name)?;
    let include = Include { events: true, states: true, fingerprints: true, ..Include::default() };
    let query = Query { viewer, include, ..Query::default() };
    let ask = |text: &str| {
        let record = RawRecord::read(text.as_bytes()).ok()?;
        game.replay(&record, &query).ok()
    };
    let report = ask(fixture.record.get())?;
    // The opening has ply 0 like the first action, so count what a record without actions tells.
    let opening = ask(&parts.text(0, None, &Default::default()))?.events?.len();
    let mut plies: Vec<Vec<String>> = Vec::new();
    let mut before = Value::Null;
    for (ply, state) in report.states?.iter().enumerate() {
        let mut lines = Vec::new();
        if let Some(fingerprint) =
            report.fingerprints.as_ref().and_then(|fingerprints| fingerprints.get(ply))
        {
            let (state, chain) =
                (fingerprint.fingerprint.to_string(), fingerprint.chain.to_string());
            lines.push(format!("fingerprint {} chain {}", &state[..16], &chain[..16]));
        }
        for (at, event) in report.events.iter().flatten().enumerate() {
            let value: Value = serde_json::from_str(event.get()).unwrap_or_default();
            let caused = if at < opening { 0 } else { value["ply"].as_u64().unwrap_or(0) + 1 };
            if caused == ply as u64 {
                lines.push(render_event(value));
            }
        }
        let mut state: Value = serde_json::from_str(state.state.get()).unwrap_or_default();
        // Keys in one order, whatever another crate's features make of objects.
        state.sort_all_objects();
        lines.extend(changes(&before, &state).iter().map(|line| match ply {
            0 => line.trim_start_matches(": null -> ").to_owned(),
            _ => line.clone(),
        }));
        before = state;
        plies.push(lines);
    }
    Some(plies)
}

/// An event in short: its type, what it says, the clauses it follows from.
fn render_event(mut event: Value) -> String {
    let Some(fields) = event.as_object_mut() else { return String::new() };
    fields.remove("ply");
    let kind = fields.remove("type").unwrap_or_default();
    let rule = fields.remove("rule").unwrap_or_default();
    let rules = match fields.remove("rules") {
        Some(Value::Array(rules)) => rules,
        _ => vec![rule],
    };
    let rules: Vec<&str> = rules.iter().filter_map(Value::as_str).collect();
    // In canonical form, whatever order another crate's features give to objects.
    let text = umpire_engine::digest::canonical(&event);
    let rest = match event.as_object().is_none_or(serde_json::Map::is_empty) {
        true => String::new(),
        false => format!(" {}", String::from_utf8_lossy(&text)),
    };
    format!("* {}{rest} by {}", kind.as_str().unwrap_or("?"), rules.join(", "))
}

/// Who decides, how many actions are legal of each type, and a short print of all of them.
fn menu(game: &dyn AnyGame, parts: &Parts, ply: usize) -> String {
    let record_text = parts.text(ply, None, &Default::default());
    let Ok(record) = RawRecord::read(record_text.as_bytes()) else { return String::new() };
    let Ok(legal) = game.legal(&record, &Query::default(), LegalQuery::LIST) else {
        return String::new();
    };
    let Legal { decision, choices, .. } = legal;
    let mut text = format!("{} ({})", decision.state, decision.rule);
    for choice in choices {
        let mut types: Vec<(String, u32)> = Vec::new();
        let actions: Vec<Value> = choice
            .actions
            .iter()
            .flatten()
            .map(|action| serde_json::from_str(action.get()).unwrap_or_default())
            .collect();
        for value in &actions {
            let kind = value["type"].as_str().unwrap_or("?");
            let name = match value["use"].as_str() {
                Some(of) => format!("{kind} {of}"),
                None => kind.to_owned(),
            };
            match types.iter_mut().find(|(had, _)| *had == name) {
                Some((_, count)) => *count += 1,
                None => types.push((name, 1)),
            }
        }
        let types: Vec<String> =
            types.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let fingerprint = fingerprint(&actions).to_string();
        let _ = write!(text, "; {}: {} {}", choice.player, types.join(", "), &fingerprint[..8]);
        for range in &choice.ranges {
            let _ = write!(text, " range {}", range.get());
        }
    }
    text.push('\n');
    text
}
