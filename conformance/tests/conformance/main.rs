//! Runs every fixture of every game and guards every snapshot.
//!
//! Adding a case is adding a file. `UMPIRE_FORMAT=1` rewrites fixtures in canonical form,
//! `INSTA_UPDATE=always` rewrites snapshots; read the difference before committing it.

#![allow(unreachable_pub, reason = "the modules of a test share what they need")]

mod concordance;
mod disputes;
mod frozen;
mod golden;
mod json;
mod judged;
mod languages;
mod play;
mod readings;
mod run;
mod runner;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use umpire_conformance::compliance::Compliance;
use umpire_conformance::fixture::{Case, Kind};
use umpire_conformance::folders::{cases, cases_of, files, folder, root};
use umpire_conformance::precedent;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::Dispute;
use umpire_engine::game::SideName;
use umpire_engine::games::GAMES;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::Limits;

use crate::concordance::{Concordance, Waivers};
use crate::disputes::{Decided, precedents};
use crate::json::Json;
use crate::run::{faults, replay};

fn fail_with(found: &[String]) {
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_fixture_comes_out_as_it_expects() {
    let mut report = String::new();
    let mut failed = 0;
    for case in cases() {
        let found = faults(&case);
        if found.is_empty() {
            continue;
        }
        failed += 1;
        let _ = writeln!(report, "{}", case.place());
        for fault in found {
            let _ = writeln!(report, "    {fault}");
        }
    }
    assert!(failed == 0, "{failed} fixtures fail:\n{report}");
}

#[test]
fn every_game_has_fixtures() {
    let missing: Vec<String> = GAMES
        .iter()
        .filter(|game| cases_of(**game).is_empty())
        .map(|game| format!("{} has no fixtures", game.meta().id))
        .collect();
    fail_with(&missing);
}

#[test]
fn nothing_lies_among_the_fixtures_that_no_test_reads() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        for path in files(&folder(*game)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let known = [
                "rules",
                "games",
                "precedents",
                "waivers.json",
                "laws.json",
                "crowd.json",
                "judged.json",
            ];
            if !known.contains(&&*name) {
                found.push(format!("fixtures/{}/{name}", game.meta().id));
            }
        }
    }
    for case in cases() {
        if case.path.extension().is_none_or(|it| it != "json") {
            found.push(format!("{} is no .json file", case.path.display()));
        }
    }
    fail_with(&found);
}

/// Every JSON file of every game's fixtures.
fn json_files() -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    for game in GAMES.iter() {
        let folder = folder(*game);
        for name in ["waivers.json", "laws.json", "crowd.json", "judged.json"] {
            let path = folder.join(name);
            if path.exists() {
                all.push((format!("fixtures/{}/{name}", game.meta().id), path));
            }
        }
        all.extend(cases_of(*game).into_iter().map(|case| (case.place(), case.path)));
        all.extend(precedents(*game).into_iter().map(|it| (it.place(), it.path)));
    }
    all
}

#[test]
fn fixtures_are_written_in_canonical_form() {
    let rewrite = std::env::var_os("UMPIRE_FORMAT").is_some();
    let mut found = Vec::new();
    for (place, path) in json_files() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        match serde_json::from_str::<Json>(&text).map(|json| json.formatted()) {
            Err(error) => found.push(format!("{place}: {error}")),
            Ok(formatted) if formatted == text => {}
            Ok(formatted) if rewrite => {
                std::fs::write(&path, formatted).expect("a fixture can be rewritten");
            }
            Ok(formatted) => {
                let parting = golden::parting(&text, &formatted);
                found.push(format!("{place}: run with UMPIRE_FORMAT=1; {parting}"));
            }
        }
    }
    fail_with(&found);
}

/// The whole games of a game that end for that reason.
fn endings<'a>(cases: &'a [Case], reason: &str) -> Vec<&'a Case> {
    let games = cases.iter().filter(|case| case.kind == Kind::Game);
    let ends = |case: &&Case| {
        let outcome = case.good().and_then(|it| it.expect.outcome.as_ref());
        outcome.is_some_and(|it| it.reason == reason)
    };
    games.filter(ends).collect()
}

#[test]
fn every_way_to_end_has_two_whole_games() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        let cases = cases_of(*game);
        for reason in game.meta().endings {
            let count = endings(&cases, reason).len();
            if count < 2 {
                found.push(format!("{} {reason}: {count} whole games", game.meta().id));
            }
        }
    }
    fail_with(&found);
}

#[test]
fn a_seeded_game_is_also_there_as_a_table_game() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        let (mut seeded, mut taped) = (BTreeSet::new(), BTreeSet::new());
        for case in cases_of(*game).iter().filter(|case| case.kind == Kind::Game) {
            let Some(fixture) = case.good() else { continue };
            let record: Value = serde_json::from_str(fixture.record.get()).unwrap_or_default();
            let chance = &record["chance"];
            let report = replay(*game, fixture.record.get()).ok();
            let Some(fingerprint) = report.and_then(|it| it.fingerprint) else { continue };
            if chance["tape"].is_null() {
                seeded.insert(fingerprint);
            } else if chance["seed"].is_null() {
                taped.insert(fingerprint);
            }
        }
        if seeded.is_disjoint(&taped) {
            found.push(format!("{}: no game stands there both ways", game.meta().id));
        }
    }
    fail_with(&found);
}

fn snapshot(game: &dyn AnyGame, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots").join(game.meta().id));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The whole games shown ply by ply: the first of each way to end.
fn shown<'a>(game: &dyn AnyGame, cases: &'a [Case]) -> Vec<&'a Case> {
    let first = |reason: &&str| endings(cases, reason).into_iter().next();
    game.meta().endings.iter().filter_map(first).collect()
}

#[test]
fn every_precedent_is_decided_as_before() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        for decided in precedents(*game) {
            let place = decided.place();
            found.extend(decided.faults().iter().map(|fault| format!("{place}: {fault}")));
        }
    }
    fail_with(&found);
}

#[test]
fn every_game_has_ten_precedents_and_one_of_them_turns_on_a_ruling() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        let all = precedents(*game);
        let turns = |on: bool| {
            let on =
                |it: &&Decided| it.precedent.as_ref().is_ok_and(|it| it.ruling.is_some() == on);
            all.iter().filter(on).count()
        };
        if all.len() < 10 || turns(true) == 0 || turns(false) == 0 {
            let id = game.meta().id;
            found.push(format!("{id}: {} by rulings, {} by clauses", turns(true), turns(false)));
        }
    }
    fail_with(&found);
}

/// Of whole games, other readings are said to make what they make: most do not touch a game, or only its
/// form.
/// Rulings that change only what others see of a game that is the same: a precedent tells the
/// referee's game, so their fixtures show them.
const ONLY_SEEN: [&str; 1] = ["DRG-R42"];

#[test]
fn every_selectable_ruling_has_a_precedent() {
    for game in GAMES.iter() {
        let of = precedent::embedded(game.meta().id).iter();
        let decided: Vec<&str> = of.filter_map(|it| it.ruling.as_deref()).collect();
        let selectable = game.rules().iter().filter(|entry| entry.selectable());
        let without: Vec<&str> = selectable
            .map(|entry| entry.id)
            .filter(|id| !ONLY_SEEN.contains(id) && decided.iter().all(|decided| decided != id))
            .collect();
        assert!(without.is_empty(), "no precedent turns on {}", without.join(", "));
    }
}

#[test]
fn every_precedent_is_named_where_its_ruling_is_cited() {
    let (mut found, mut named) = (Vec::new(), 0);
    for game in GAMES.iter() {
        for decided in precedents(*game) {
            let Ok(precedent) = &decided.precedent else { continue };
            let Some(id) = precedent.ruling.as_deref() else { continue };
            let Ok(mut settled) = decided.settle(precedent) else { continue };
            precedent::link(&mut settled);
            let ruling = settled.cited.iter().find(|ruling| ruling.id == id);
            // What parts the readings may lie in plies where nothing cites the ruling.
            let Some(ruling) = ruling else { continue };
            if ruling.precedents.iter().any(|link| link.name == decided.name) {
                named += 1;
            } else {
                found.push(format!("{}: {id} does not name it", decided.place()));
            }
        }
    }
    fail_with(&found);
    assert!(named > 30, "only {named} are named");
}

#[test]
fn whole_games_come_to_the_same_under_other_readings() {
    for game in GAMES.iter() {
        let classes = disputes::classes(*game);
        assert!(classes.contains("identical"), "{classes}");
        snapshot(*game, "readings", &classes);
    }
}

#[test]
fn a_summary_says_what_its_body_does_and_what_is_answered_when_it_is_asked_otherwise() {
    let mut found = Vec::new();
    let mut compared = judged::Counts::default();
    for game in GAMES.iter() {
        for case in cases_of(*game).iter().filter(|case| case.kind == Kind::Rule) {
            let Ok(fixture) = &case.fixture else { continue };
            let faults = judged::faults(*game, fixture.record.get(), &mut compared);
            found.extend(faults.into_iter().map(|fault| format!("{}: {fault}", case.name)));
        }
    }
    fail_with(&found);
    assert!(compared.winners > 20 && compared.forms > 20 && compared.asked > 200, "{compared:?}");
    assert!(compared.others * 5 < compared.asked, "{compared:?}");
}

#[test]
fn disputes_that_were_answered_wrongly_once_are_answered_as_the_rules_have_it() {
    let (mut disputes, mut found) = (0, Vec::new());
    for game in GAMES.iter() {
        let Ok(text) = std::fs::read_to_string(folder(*game).join("judged.json")) else { continue };
        let (count, faults) = judged::judged_wrongly(*game, &text);
        disputes += count;
        found.extend(faults);
    }
    fail_with(&found);
    assert!(disputes >= 12, "{disputes} disputes");
}

#[test]
fn a_player_who_is_called_like_another_seat_wins_by_his_own_name() {
    let mut asked = 0;
    for game in GAMES.iter() {
        let meta = game.meta();
        let people: Vec<(&str, &str)> = meta
            .seats
            .iter()
            .zip(meta.sides)
            .filter_map(|(seat, side)| match side {
                SideName::Person(person) => Some((*seat, *person)),
                SideName::One(_) | SideName::Many(_) => None,
            })
            .collect();
        for case in cases_of(*game).iter().filter(|case| case.kind == Kind::Game) {
            let Ok(fixture) = &case.fixture else { continue };
            let mut record: Value = serde_json::from_str(fixture.record.get()).expect("JSON");
            let winner = |text: &str| {
                let record = RawRecord::read(text.as_bytes()).ok()?;
                game.judge(&record, Limits::default()).ok()?.verdict.outcome?.winner
            };
            let Some(winner) = winner(fixture.record.get()) else { continue };
            let Some((other, called)) = people.iter().find(|(seat, _)| *seat != winner) else {
                continue;
            };
            record["players"] = serde_json::json!({winner: called, *other: "Zo\u{eb}"});
            let text = record.to_string();
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let alone = Dispute { readings: Some(&[]), ..Dispute::default() };
            let settled = game.adjudicate(&record, &alone, Limits::default()).expect("an answer");
            let wins = format!(", and {called} wins (");
            assert!(settled.summary[0].contains(&wins), "{}: {:?}", case.name, settled.summary);
            asked += 1;
        }
    }
    assert!(asked > 5, "{asked}");
}

#[test]
fn disputes_are_settled_in_the_same_words() {
    for game in GAMES.iter() {
        let rendered: Vec<String> = precedents(*game).iter().map(Decided::render).collect();
        if !rendered.is_empty() {
            snapshot(*game, "disputes", &rendered.join("\n"));
        }
    }
}

#[test]
fn verdicts_are_as_before() {
    for game in GAMES.iter() {
        let cases = cases_of(*game);
        for (kind, name) in [(Kind::Rule, "verdicts_rules"), (Kind::Game, "verdicts_games")] {
            let of_kind: Vec<String> =
                cases.iter().filter(|case| case.kind == kind).map(play::verdict).collect();
            if !of_kind.is_empty() {
                snapshot(*game, name, &of_kind.join("\n"));
            }
        }
    }
}

#[test]
fn whole_games_play_as_before() {
    for game in GAMES.iter() {
        let cases = cases_of(*game);
        for case in shown(*game, &cases) {
            let Some(fixture) = case.good() else { continue };
            let text = play::playthrough(case, fixture);
            snapshot(*game, &format!("playthrough_{}", case.name), &text);
        }
    }
}

#[test]
fn games_look_as_before() {
    for game in GAMES.iter() {
        let cases = cases_of(*game);
        let Some(case) = shown(*game, &cases).into_iter().next() else { continue };
        let Some(fixture) = case.good() else { continue };
        snapshot(*game, "scenes", &play::pictures(case, fixture));
    }
}

#[test]
fn every_rule_is_shown_and_every_prohibition_refuses() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        let waivers = Waivers::of(*game).expect("waivers can be read");
        let concordance = Concordance::of(*game, &cases_of(*game));
        found.extend(concordance.faults(&waivers));
    }
    fail_with(&found);
}

#[test]
fn the_concordance_is_up_to_date() {
    let mut found = Vec::new();
    for game in GAMES.iter() {
        let waivers = Waivers::of(*game).expect("waivers can be read");
        let concordance = Concordance::of(*game, &cases_of(*game));
        let folder = root().join("snapshots").join(game.meta().id);
        for (name, text) in [
            ("concordance.md", concordance.text(&waivers)),
            ("concordance.json", concordance.json()),
            ("compliance.md", Compliance::of(*game).markdown()),
        ] {
            found.extend(golden::compare(&folder.join(name), &text).err());
        }
    }
    fail_with(&found);
}

#[test]
fn no_snapshot_is_left_behind() {
    let mut expected: BTreeSet<PathBuf> = BTreeSet::new();
    for game in GAMES.iter() {
        let folder = root().join("snapshots").join(game.meta().id);
        let cases = cases_of(*game);
        let has = |kind| cases.iter().any(|case| case.kind == kind);
        expected.extend(
            ["concordance.md", "concordance.json", "compliance.md"].map(|name| folder.join(name)),
        );
        expected.extend(has(Kind::Rule).then(|| folder.join("verdicts_rules.snap")));
        expected.extend(has(Kind::Game).then(|| folder.join("verdicts_games.snap")));
        let settled = !precedents(*game).is_empty();
        expected.extend(settled.then(|| folder.join("disputes.snap")));
        expected.insert(folder.join("readings.snap"));
        expected.insert(folder.join("scenes.snap"));
        let plays = shown(*game, &cases);
        let name = |case: &&Case| folder.join(format!("playthrough_{}.snap", case.name));
        expected.extend(plays.iter().map(name));
    }
    let mut found = Vec::new();
    for folder in files(&root().join("snapshots")) {
        let there = if folder.is_dir() { files(&folder) } else { vec![folder] };
        for path in there {
            // A pending snapshot belongs to a failed run, which says so itself.
            let pending = path.extension().is_some_and(|it| it == "new");
            if !pending && !expected.contains(&path) {
                found.push(format!("{} belongs to no test", path.display()));
            }
        }
    }
    fail_with(&found);
}
