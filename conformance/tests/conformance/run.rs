//! Running a fixture: everything that it expects, and everything that is wrong.
//!
//! Speaks to games through [`AnyGame`] alone, as the service does.

use serde_json::Value;
use std::collections::BTreeMap;
use umpire_engine::any_game::AnyGame;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{LegalQuery, Unanswered};
use umpire_engine::replay::{Include, Query};
use umpire_engine::report::Report;

use crate::json::missing;
use umpire_conformance::fixture::{Case, Check, Expect, ExpectedFault, Fixture, Kind, Parts, Try};

/// What a record comes to: a report, or why there is none.
pub type Answer = Result<Report, Unanswered>;

/// Replays the text of a record for the referee, with events.
pub fn replay(game: &dyn AnyGame, text: &str) -> Answer {
    let record = RawRecord::read(text.as_bytes())?;
    let include = Include { events: true, ..Include::default() };
    game.replay(&record, &Query { include, ..Query::default() })
}

/// Everything that is wrong with a fixture: how it is written, and what comes out otherwise than
/// expected.
pub fn faults(case: &Case) -> Vec<String> {
    let fixture = match &case.fixture {
        Ok(fixture) => fixture,
        Err(error) => return vec![format!("cannot be read: {error}")],
    };
    let mut faults = Vec::new();
    form(case, fixture, &mut faults);
    expectations(case.game, fixture, &mut faults);
    faults
}

fn form(case: &Case, fixture: &Fixture, faults: &mut Vec<String>) {
    let Fixture { title, shows, expect, .. } = fixture;
    let meta = case.game.meta();
    if !title.ends_with('.') || title.len() < 10 {
        faults.push(format!("the title is a sentence, not {title:?}"));
    }
    for id in shows {
        if case.game.rules().iter().all(|entry| entry.id != id) {
            faults.push(format!("shows {id}, which is no rule"));
        }
    }
    if let Some(mut twice) = repeated(shows) {
        faults.push(format!("shows {} twice", twice.remove(0)));
    }
    let named: Option<Value> = serde_json::from_str(fixture.record.get()).ok();
    if named.as_ref().and_then(|it| it["game"].as_str()) != Some(meta.id) {
        faults.push(format!("is no record of {}, the game of its folder", meta.id));
    }
    if empty(expect) {
        faults.push("expects nothing".to_owned());
    }
    match case.kind {
        Kind::Rule => {
            if shows.is_empty() {
                faults.push("shows nothing".to_owned());
            }
            if !well_named(&case.name, meta.prefix, shows) {
                faults.push("the name does not begin with what it shows".to_owned());
            }
        }
        Kind::Game => {
            if expect.status.as_deref() != Some("complete") || expect.outcome.is_none() {
                faults.push("a whole game expects `complete` and an outcome".to_owned());
            }
        }
    }
}

fn repeated(ids: &[String]) -> Option<Vec<String>> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    let twice: Vec<String> =
        sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|it| it[0].clone()).collect();
    (!twice.is_empty()).then_some(twice)
}

fn empty(expect: &Expect) -> bool {
    let Expect { status, plies, violation, outcome, fingerprint, claims, checks, tries, fault } =
        expect;
    status.is_none()
        && plies.is_none()
        && violation.is_none()
        && outcome.is_none()
        && fingerprint.is_none()
        && claims.is_empty()
        && checks.is_empty()
        && tries.is_empty()
        && fault.is_none()
}

/// `7.8-…` and `R05-…` begin with something shown; `W03b-…` and `G06-…` are places of the rules
/// document. Behind the dash stands a sentence in kebab case.
fn well_named(name: &str, prefix: &str, shows: &[String]) -> bool {
    let Some((front, sentence)) = name.split_once('-') else { return false };
    let kebab = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    if sentence.is_empty() || !sentence.chars().all(kebab) {
        return false;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if let Some(number) = front.strip_prefix('R').filter(|it| digits(it)) {
        let id = format!("{prefix}-R{}", number.trim_start_matches('0'));
        return shows.contains(&id);
    }
    if front.split_once('.').is_some_and(|(one, two)| digits(one) && digits(two)) {
        return shows.contains(&format!("{prefix}-{front}"));
    }
    let place = front.strip_prefix(|it: char| it.is_ascii_uppercase());
    place.is_some_and(|rest| {
        let letters = rest.trim_start_matches(|it: char| it.is_ascii_digit());
        letters.len() < rest.len() && letters.chars().all(|it| it.is_ascii_lowercase())
    })
}

fn expectations(game: &dyn AnyGame, fixture: &Fixture, faults: &mut Vec<String>) {
    let expect = &fixture.expect;
    let report = match (replay(game, fixture.record.get()), &expect.fault) {
        (Err(found), Some(expected)) => {
            fault(expected, &found, faults);
            if expect.status.is_some() || !expect.checks.is_empty() || !expect.tries.is_empty() {
                faults.push("expects more of a record that cannot be replayed".to_owned());
            }
            return;
        }
        (Err(found), None) => {
            faults.push(format!("cannot be replayed: {}", unanswered(&found)));
            return;
        }
        (Ok(report), Some(expected)) => {
            let found = report.verdict.status.name();
            faults.push(format!("fault: expected {}, but it is {found}", expected.code));
            return;
        }
        (Ok(report), None) => report,
    };
    verdict(expect, &report, faults);
    let Some(parts) = Parts::of(&fixture.record) else {
        faults.push("the record cannot be taken apart".to_owned());
        return;
    };
    for expected in &expect.checks {
        check(game, &parts, report.verdict.plies, expected, faults);
    }
    for (at, attempt) in expect.tries.iter().enumerate() {
        let mut found = Vec::new();
        tried(game, &parts, report.verdict.plies, attempt, &mut found);
        let action = attempt.action.get().split_whitespace().collect::<Vec<_>>().join(" ");
        faults.extend(
            found.iter().map(|it| format!("try {at} at ply {}: {it}; {action}", attempt.ply)),
        );
    }
}

fn fault(expected: &ExpectedFault, found: &Unanswered, faults: &mut Vec<String>) {
    let Unanswered::Fault(found) = found else {
        faults.push(unanswered(found));
        return;
    };
    let code = serde_json::to_value(found.code).unwrap_or_default();
    same("fault.code", &Value::from(expected.code.as_str()), &code, faults);
    if let Some(number) = &expected.invariant {
        let named = found.invariant.as_deref().unwrap_or("none");
        // `DRK-G6`, of which a fixture names the number.
        let ends = |it: &str| it.split_once('-').is_some_and(|(_, id)| id[1..] == **number);
        if !ends(named) {
            faults.push(format!("fault.invariant: expected {number}, found {named} ({found})"));
        }
    }
    if let Some(rule) = &expected.rule
        && found.rule != Some(rule.as_str())
    {
        faults.push(format!("fault.rule: expected {rule}, found {:?}", found.rule));
    }
}

/// Why there is no report, in one line.
pub fn unanswered(found: &Unanswered) -> String {
    match found {
        Unanswered::Fault(fault) => {
            let code = serde_json::to_value(fault.code).unwrap_or_default();
            format!("{} {fault}", code.as_str().unwrap_or("?"))
        }
        Unanswered::NoSuchPly { asked, plies } => format!("no ply {asked}, there are {plies}"),
    }
}

fn same(what: &str, expected: &Value, found: &Value, faults: &mut Vec<String>) {
    if expected != found {
        faults.push(format!("{what}: expected {expected}, found {found}"));
    }
}

/// The violation of a report in one line, to be put behind another fault.
fn because(report: &Report) -> String {
    match &report.verdict.violation {
        None => String::new(),
        Some(it) => {
            format!(" (ply {} {}: {} {}: {})", it.ply, it.pointer, it.rule, it.code, it.message)
        }
    }
}

fn verdict(expect: &Expect, report: &Report, faults: &mut Vec<String>) {
    let found = &report.verdict;
    if let Some(status) = &expect.status
        && status != found.status.name()
    {
        let (name, why) = (found.status.name(), because(report));
        faults.push(format!("status: expected {status}, found {name}{why}"));
    }
    if let Some(plies) = expect.plies {
        same("plies", &plies.into(), &found.plies.into(), faults);
    }
    match (&expect.violation, &found.violation) {
        (None, _) => {}
        (Some(_), None) => faults.push("violation: expected one, found none".to_owned()),
        (Some(expected), Some(violation)) => {
            let text = |it: &Option<String>| it.clone().map(Value::from);
            for (what, expected, found) in [
                ("ply", expected.ply.map(Value::from), Value::from(violation.ply)),
                ("code", text(&expected.code), violation.code.as_str().into()),
                ("rule", text(&expected.rule), violation.rule.as_str().into()),
                ("pointer", text(&expected.pointer), violation.pointer.as_str().into()),
            ] {
                if let Some(expected) = expected {
                    same(&format!("violation.{what}"), &expected, &found, faults);
                }
            }
            for rule in expected.rules.iter().filter(|it| !violation.rules.contains(it)) {
                faults.push(format!("violation.rules: {rule} is not in {:?}", violation.rules));
            }
        }
    }
    if let Some(expected) = &expect.outcome {
        match &found.outcome {
            None => faults.push(format!("outcome: expected {}, found none", expected.reason)),
            Some(outcome) => {
                let winner = |it: Option<&str>| Value::from(it);
                let (one, two) = (expected.winner.as_deref(), outcome.winner);
                same("outcome.winner", &winner(one), &winner(two), faults);
                let (one, two) = (expected.reason.as_str(), outcome.reason);
                same("outcome.reason", &one.into(), &two.into(), faults);
            }
        }
    }
    if let Some(expected) = &expect.fingerprint {
        let found = report.fingerprint.map(|it| it.to_string()).unwrap_or_default();
        same("fingerprint", &expected.as_str().into(), &found.into(), faults);
    }
    if !expect.claims.is_empty() {
        let found = found.claims.iter().map(|it| (it.claim.clone(), it.holds));
        let found: BTreeMap<String, bool> = found.collect();
        same("claims", &serde_json::json!(expect.claims), &serde_json::json!(found), faults);
    }
}

fn types(report: &Report) -> Vec<String> {
    let events = report.events.iter().flatten();
    let parsed = events.filter_map(|it| serde_json::from_str::<Value>(it.get()).ok());
    parsed.map(|it| it["type"].as_str().unwrap_or("?").to_owned()).collect()
}

fn check(game: &dyn AnyGame, parts: &Parts, plies: u32, check: &Check, faults: &mut Vec<String>) {
    let at = check.ply;
    let mut say = |text: String| faults.push(format!("check at ply {at}: {text}"));
    if check.state.is_none()
        && check.decision.is_none()
        && check.events.is_none()
        && check.legal_count.is_none()
        && check.views.is_empty()
        && check.hidden.is_empty()
        && check.listed.is_empty()
    {
        say("looks at nothing".to_owned());
    }
    if at > plies {
        say(format!("only {plies} plies are good"));
        return;
    }
    let prefix = |plies: u32| parts.text(plies as usize, None, &Default::default());
    let text = prefix(at);
    let report = match replay(game, &text) {
        Ok(report) => report,
        Err(found) => {
            say(unanswered(&found));
            return;
        }
    };
    if let Some(expected) = &check.state {
        let state = serde_json::from_str(report.state.get()).unwrap_or_default();
        missing(expected, &state).into_iter().for_each(|it| say(format!("state{it}")));
    }
    if let Some(expected) = &check.decision {
        let found = &report.decision;
        if let Some(players) = &expected.players
            && *players != found.players
        {
            say(format!("players: expected {players:?}, found {:?}", found.players));
        }
        if let Some(state) = &expected.state
            && *state != found.state
        {
            say(format!("decision: expected {state}, found {}", found.state));
        }
    }
    if let Some(expected) = &check.events {
        let before = match at.checked_sub(1).map(|before| replay(game, &prefix(before))) {
            Some(Ok(report)) => types(&report).len(),
            Some(Err(_)) | None => 0,
        };
        let found = types(&report).split_off(before);
        let mut rest = found.iter();
        if let Some(first) = expected.iter().find(|name| !rest.any(|it| it == *name)) {
            say(format!("events: no {first} where expected in {found:?}"));
        }
    }
    let viewed = |name: &str| -> Result<(Value, u64), String> {
        let viewer = game.viewer(name).ok_or_else(|| format!("{name} is no viewer"))?;
        let record = RawRecord::read(text.as_bytes()).map_err(|it| it.to_string())?;
        let query = Query { viewer, ..Query::default() };
        let report = game.replay(&record, &query).map_err(|it| unanswered(&it))?;
        let legal = game.legal(&record, &query, LegalQuery::COUNT).map_err(|it| unanswered(&it))?;
        let state = serde_json::from_str(report.state.get()).unwrap_or_default();
        Ok((state, legal.choices.iter().map(|it| it.count).sum()))
    };
    let mut count = |name: &str, expected: u64, what: String| match viewed(name) {
        Ok((_, count)) if count == expected => {}
        Ok((_, count)) => say(format!("{what}: expected {expected}, found {count}")),
        Err(error) => say(error),
    };
    if let Some(expected) = check.legal_count {
        count("referee", expected, "legal_count".to_owned());
    }
    for (name, &expected) in &check.listed {
        count(name, expected, format!("listed to {name}"));
    }
    for (name, expected) in &check.views {
        match viewed(name) {
            Ok((state, _)) => {
                missing(expected, &state).into_iter().for_each(|it| say(format!("{name}{it}")));
            }
            Err(error) => say(error),
        }
    }
    for (name, pointers) in &check.hidden {
        let (state, whole) = match (viewed(name), viewed("referee")) {
            (Ok((state, _)), Ok((whole, _))) => (state, whole),
            (Err(error), _) | (_, Err(error)) => {
                say(error);
                continue;
            }
        };
        for pointer in pointers {
            if whole.pointer(pointer).is_none() {
                say(format!("hidden: there is no {pointer}, not even for the referee"));
            }
            if let Some(seen) = state.pointer(pointer) {
                say(format!("hidden: {name} sees {pointer}: {seen}"));
            }
        }
    }
}

fn tried(game: &dyn AnyGame, parts: &Parts, plies: u32, attempt: &Try, faults: &mut Vec<String>) {
    if attempt.refused.is_some() == attempt.accepted {
        faults.push("is either `refused` or `\"accepted\": true`".to_owned());
        return;
    }
    if attempt.refused.is_some() && attempt.state.is_some() {
        faults.push("a refused action leads to no state".to_owned());
    }
    if attempt.ply > plies {
        faults.push(format!("only {plies} plies are good"));
        return;
    }
    let report = match replay(game, &parts.attempt(attempt)) {
        Ok(report) => report,
        Err(found) => {
            faults.push(unanswered(&found));
            return;
        }
    };
    let found = &report.verdict;
    let why = because(&report);
    if found.plies < attempt.ply {
        faults.push(format!("the actions before it are refused{why}"));
        return;
    }
    match (&attempt.refused, &found.violation) {
        (Some(_), _) if found.plies > attempt.ply => {
            faults.push("expected a refusal, but it is accepted".to_owned());
        }
        (Some(expected), Some(violation)) => {
            let (one, two) = (&expected.rule, &violation.rule);
            if one != two || expected.code != violation.code {
                let expected = format!("{one} {}", expected.code);
                faults.push(format!("expected {expected}, but{why}"));
            }
        }
        (Some(_), None) => faults.push("expected a refusal, found no violation".to_owned()),
        (None, _) if found.plies == attempt.ply => {
            faults.push(format!("expected to be accepted, but{why}"));
        }
        (None, _) => {
            let state = serde_json::from_str(report.state.get()).unwrap_or_default();
            let expected = attempt.state.iter();
            faults
                .extend(expected.flat_map(|it| missing(it, &state)).map(|it| format!("state{it}")));
        }
    }
}
