//! Records with unknowns: whole games of the fixtures with parts hidden, left out or falsified.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::why::{self, Answer};
use umpire_engine::games;
use umpire_engine::partial::Partial;
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{Judgement, LegalQuery, Status};
use umpire_engine::replay::completion::Bounds;
use umpire_engine::replay::{Include, Limits, Query};

use crate::walk::{fixtures, json_files};

/// A whole game with the tape of all that fell.
struct Whole {
    name: String,
    game: &'static dyn AnyGame,
    record: Value,
}

/// The whole games of the fixtures, their chance as a tape.
fn whole_games() -> Vec<Whole> {
    let mut all = Vec::new();
    let folders = games::GAMES.iter().map(|game| fixtures(game.meta().id).join("games"));
    for path in folders.flat_map(|folder| json_files(&folder)) {
        let text = std::fs::read_to_string(&path).expect("a fixture can be read");
        let fixture: Value = serde_json::from_str(&text).expect("a fixture is JSON");
        let mut record = fixture["record"].clone();
        let game = games::find(record["game"].as_str().unwrap_or_default()).expect("a game");
        let sent = record.to_string();
        let read = RawRecord::read(sent.as_bytes()).expect("a record");
        let include = Include { tape: true, ..Include::default() };
        let report =
            game.replay(&read, &Query { include, ..Query::default() }).expect("it replays");
        let report = serde_json::to_value(&report).expect("a report is JSON");
        let entries = report["tape"].as_array().cloned().unwrap_or_default();
        let bare = entries.into_iter().map(|mut entry| {
            for note in ["ply", "opening", "stream", "rule"] {
                entry.as_object_mut().map(|it| it.remove(note));
            }
            entry
        });
        // A map that is drawn from the seed stays so.
        let generated = record["options"]["map"] == "generated";
        let seed = record["chance"].get("seed").cloned().filter(|_| generated);
        record["chance"] = json!({"tape": bare.collect::<Vec<Value>>()});
        if let Some(seed) = seed {
            record["chance"]["seed"] = seed;
        }
        mark_forced(game, &mut record);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.push(Whole { name, game, record });
    }
    all
}

/// What a draw that is the only legal action is noted with.
const FORCED: &str = "forced";

/// Notes at each draw that it is the only legal action, where it is.
fn mark_forced(game: &dyn AnyGame, record: &mut Value) {
    if !game.omissions().iter().any(|it| it.name == "forced_draws") {
        return;
    }
    let text = record.to_string();
    let read = RawRecord::read(text.as_bytes()).expect("a record");
    let actions = record["actions"].as_array_mut().expect("actions");
    for (ply, action) in actions.iter_mut().enumerate().filter(|(_, it)| it["type"] == "draw") {
        let query = Query { ply: Some(ply as u32), ..Query::default() };
        let legal = game.legal(&read, &query, LegalQuery::COUNT).expect("legal actions");
        if legal.choices.iter().map(|it| it.count).sum::<u64>() == 1 {
            action["note"] = FORCED.into();
        }
    }
}

/// Takes these notes away.
fn unmark_forced(record: &mut Value) {
    for action in record["actions"].as_array_mut().into_iter().flatten() {
        if action["note"] == FORCED {
            action.as_object_mut().map(|it| it.remove("note"));
        }
    }
}

fn judge(game: &dyn AnyGame, record: &Value) -> Judgement {
    let text = record.to_string();
    let partial = Partial::read(text.as_bytes()).expect("a record").expect("something is unknown");
    game.judge_partial(&partial, Bounds::default(), Limits::default()).expect("it is judged")
}

fn is_found(status: Status) -> bool {
    matches!(status, Status::Possible | Status::Complete | Status::InProgress)
}

/// Hides every card that was drawn, the order of every deck, and the dice that decide battles.
fn hide_chance(record: &mut Value) {
    for entry in record["chance"]["tape"].as_array_mut().into_iter().flatten() {
        match entry["kind"].as_str() {
            Some("draw") => entry["card"] = "?".into(),
            Some("shuffle") => {
                entry["order"].as_array_mut().into_iter().flatten().for_each(|it| *it = "?".into());
            }
            _ if entry["at"] == "battle" => entry["value"] = "?".into(),
            _ => {}
        }
    }
}

/// Whether an action goes without saying, by the name of what is left out.
fn goes_without_saying(game: &dyn AnyGame, action: &Value) -> bool {
    let of = |name: &str| game.omissions().iter().any(|it| it.name == name);
    match action["type"].as_str() {
        Some("draw") => of("forced_draws") && action["note"] == FORCED,
        Some("defend") => of("defend_none") && action["blocks"] == json!([]),
        Some("end_phase") => of("end_phase") && action.get("through").is_none(),
        Some("choose_card") => of("no_card") && action["card"].is_null(),
        Some("draw_offer") => of("declined_draws") && action["accept"] == json!(false),
        Some("favor_negate") => of("kept_favor") && action["use"] == json!(false),
        _ => false,
    }
}

/// Leaves out what goes without saying, but for the last action: without that nobody could tell how far the game went. And
/// says so.
fn leave_out(game: &dyn AnyGame, record: &mut Value) -> usize {
    let actions = record["actions"].as_array_mut().expect("actions");
    let before = actions.len();
    let last = actions.pop();
    actions.retain(|action| !goes_without_saying(game, action));
    actions.extend(last);
    let left_out = before - actions.len();
    record["omitted"] = game.omissions().iter().map(|it| it.name).collect::<Vec<_>>().into();
    left_out
}

#[test]
fn whole_games_with_hidden_decks_are_possible() {
    for Whole { name, game, mut record } in whole_games() {
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        let judged = judge(game, &record);
        let verdict = judged.verdict;
        let found = is_found(verdict.status) && verdict.witness.is_some();
        assert!(found, "{name}: {:?} after {}", verdict.status, verdict.plies);
        assert_eq!(
            verdict.plies as usize,
            record["actions"].as_array().map_or(0, Vec::len),
            "{name}"
        );
    }
}

/// Of a hidden deployment only the places of the counters are known, and of each unit what was shown later.
#[test]
fn whole_games_with_hidden_deployments_are_possible() {
    let mut all = 0;
    for Whole { name, game, mut record } in whole_games() {
        let mut hidden = 0;
        for action in record["actions"].as_array_mut().into_iter().flatten() {
            if action["type"] == "deploy" {
                for unit in action["placements"].as_array_mut().into_iter().flatten() {
                    unit["unit"] = "?".into();
                    hidden += 1;
                }
            }
        }
        if hidden == 0 {
            continue;
        }
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        let verdict = judge(game, &record).verdict;
        let at = format!("{:?} after {}: {:?}", verdict.status, verdict.plies, verdict.violation);
        assert!(is_found(verdict.status), "{name}: {at}");
        all += 1;
    }
    assert!(all > 5, "{all} games");
}

/// Forced draws as well: the cards of a hand were such that nothing could be done with them, and are found so.
#[test]
fn forced_draws_are_put_back_where_the_cards_allow_it() {
    let mut all = 0;
    for Whole { name, game, mut record } in whole_games() {
        let forced = |it: &Value| it["note"] == FORCED;
        if !record["actions"].as_array().is_some_and(|actions| actions.iter().any(forced)) {
            continue;
        }
        hide_chance(&mut record);
        leave_out(game, &mut record);
        let verdict = judge(game, &record).verdict;
        let at = format!("{:?} after {}: {:?}", verdict.status, verdict.plies, verdict.violation);
        assert!(is_found(verdict.status) && verdict.witness.is_some(), "{name}: {at}");
        all += 1;
    }
    assert!(all > 5, "{all} games");
}

#[test]
fn what_goes_without_saying_is_put_back() {
    let mut all = 0;
    for Whole { name, game, mut record } in whole_games() {
        hide_chance(&mut record);
        unmark_forced(&mut record);
        let left_out = leave_out(game, &mut record);
        all += left_out;
        let verdict = judge(game, &record).verdict;
        let at = format!("{:?} after {}: {:?}", verdict.status, verdict.plies, verdict.violation);
        assert!(is_found(verdict.status), "{name} ({left_out} left out): {at}");
    }
    assert!(all > 500, "{all} actions were left out");
}

/// How many cards of a kind a side has, by side and name.
fn copies(game: &dyn AnyGame) -> BTreeMap<(String, String), usize> {
    fn walk(
        value: &Value,
        side: &str,
        game: &dyn AnyGame,
        to: &mut BTreeMap<(String, String), usize>,
    ) {
        let text = |field: &str| value.get(field).and_then(Value::as_str);
        let number = |field: &str| value.get(field).and_then(Value::as_u64);
        let count = number("count").or(number("copies"));
        if let (Some(name), Some(count)) = (text("kind").or(text("id")), count) {
            let side = text("side").unwrap_or(side).to_owned();
            to.insert((side, name.to_owned()), count as usize);
        }
        for (key, field) in value.as_object().into_iter().flatten() {
            let seat = game.meta().seat(key).is_some();
            walk(field, if seat { key } else { side }, game, to);
        }
        value.as_array().into_iter().flatten().for_each(|item| walk(item, side, game, to));
    }
    let components: Value =
        serde_json::from_str(game.components(game.meta().version).get()).expect("components");
    let mut found = BTreeMap::new();
    walk(&components, "", game, &mut found);
    found
}

/// The cards that leave a side for good with an action.
fn spent(action: &Value, once: &BTreeSet<String>) -> Vec<String> {
    let mut cards = Vec::new();
    let mut note = |value: &Value| cards.extend(value.as_str().map(str::to_owned));
    match action["type"].as_str() {
        Some("play") => note(&action["card"]),
        Some("discard") => action["cards"].as_array().into_iter().flatten().for_each(note),
        Some("defend") => {
            action["blocks"].as_array().into_iter().flatten().for_each(|it| note(&it["card"]));
        }
        Some("choose_card") => {
            note(&action["card"]);
            cards.retain(|card| once.contains(card));
        }
        _ => {}
    }
    cards
}

/// The cards that leave the game after use.
fn cards_for_once(game: &dyn AnyGame) -> BTreeSet<String> {
    fn walk(value: &Value, to: &mut BTreeSet<String>) {
        if value["life"] == "once" {
            to.extend(value["id"].as_str().map(str::to_owned));
        }
        value.as_object().into_iter().flatten().for_each(|(_, field)| walk(field, to));
        value.as_array().into_iter().flatten().for_each(|item| walk(item, to));
    }
    let components: Value =
        serde_json::from_str(game.components(game.meta().version).get()).expect("components");
    let mut found = BTreeSet::new();
    walk(&components, &mut found);
    found
}

/// Places where a card is played of which every copy is gone already, and that card.
fn impossible_cards(game: &dyn AnyGame, record: &Value) -> Vec<(usize, String)> {
    let once = cards_for_once(game);
    let mut left = copies(game);
    let mut found = Vec::new();
    for (at, action) in record["actions"].as_array().into_iter().flatten().enumerate() {
        let side = action["player"].as_str().unwrap_or_default();
        if action["card"].is_string() {
            let gone = left.iter().filter(|((of, _), count)| of == side && **count == 0);
            found.extend(gone.map(|((_, card), _)| (at, card.clone())));
        }
        for card in spent(action, &once) {
            if let Some(count) = left.get_mut(&(side.to_owned(), card)) {
                *count = count.saturating_sub(1);
            }
        }
    }
    found
}

/// How many of the cards that cannot have been played are proven impossible, of how many; all at the right action.
fn proven_cards(leaves_out: bool) -> (usize, usize) {
    let (mut proven, mut all) = (0, 0);
    for Whole { name, game, mut record } in whole_games() {
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        let places = impossible_cards(game, &record);
        // A few of each game, over the whole of it.
        for (at, card) in places.iter().step_by(places.len().div_ceil(6).max(1)) {
            let mut wrong = record.clone();
            wrong["actions"][*at]["card"] = card.as_str().into();
            let mut place = *at;
            if leaves_out {
                let before = wrong["actions"].as_array().into_iter().flatten().take(*at);
                place -= before.filter(|it| goes_without_saying(game, it)).count();
                leave_out(game, &mut wrong);
            }
            let verdict = judge(game, &wrong).verdict;
            all += 1;
            assert!(!is_found(verdict.status), "{name}: {card} at {at} is possible");
            if verdict.status == Status::Impossible {
                assert_eq!(verdict.plies as usize, place, "{name}: {card}");
                let violation = verdict.violation.expect("what is impossible is said");
                assert!(violation.pointer.starts_with(&format!("/actions/{place}")), "{name}");
                let proof = verdict.proof.expect("why it is impossible is said");
                let said = proof.words.iter().any(|words| words.contains(card.as_str()));
                assert!(said, "{name}: {:?}", proof.words);
                proven += 1;
            } else {
                println!("{name}: {card} at {place}: {:?} after {}", verdict.status, verdict.plies);
            }
        }
    }
    println!("{proven} of {all} are proven");
    (proven, all)
}

#[test]
fn a_card_too_many_is_proven_impossible_where_it_is_played() {
    let (proven, all) = proven_cards(false);
    assert!(all > 60, "{all} cards");
    assert!(proven * 100 >= all * 95, "{proven} of {all} are proven");
}

#[test]
fn a_card_too_many_is_proven_impossible_where_other_things_are_left_out() {
    let (proven, all) = proven_cards(true);
    assert!(all > 60, "{all} cards");
    assert!(proven * 100 >= all * 95, "{proven} of {all} are proven");
}

/// How many dice that cannot have fallen are proven impossible at their entries, of how many.
fn proven_dice(leaves_out: bool) -> (usize, usize) {
    let (mut proven, mut all) = (0, 0);
    for Whole { name, game, mut record } in whole_games() {
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        if leaves_out {
            leave_out(game, &mut record);
        }
        let entries = record["chance"]["tape"].as_array().cloned().unwrap_or_default();
        let dice: Vec<usize> = (0..entries.len())
            .filter(|&at| entries[at]["kind"] == "die" && entries[at]["value"].is_number())
            .collect();
        for &at in dice.iter().step_by(dice.len().div_ceil(4).max(1)) {
            let mut wrong = record.clone();
            wrong["chance"]["tape"][at]["value"] = json!(21);
            let verdict = judge(game, &wrong).verdict;
            all += 1;
            assert!(!is_found(verdict.status), "{name}: 21 at {at} is possible");
            if verdict.status == Status::Impossible {
                let violation = verdict.violation.expect("what is impossible is said");
                let said = format!("{name}: {} {:?}", violation.message, verdict.proof);
                assert_eq!(violation.pointer, format!("/chance/tape/{at}/value"), "{said}");
                proven += 1;
            } else {
                println!("{name}: 21 at {at}: {:?} after {}", verdict.status, verdict.plies);
            }
        }
    }
    println!("{proven} of {all} are proven");
    (proven, all)
}

#[test]
fn a_die_that_cannot_have_fallen_is_proven_impossible() {
    for leaves_out in [false, true] {
        let (proven, all) = proven_dice(leaves_out);
        assert!(all > 20, "{all} dice");
        assert!(proven * 100 >= all * 95, "{proven} of {all} are proven");
    }
}

/// A stream of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % (n.max(1) as u64)) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Hides parts of a legal game at random.
fn hide_at_random(game: &dyn AnyGame, record: &mut Value, random: &mut Random) {
    let share = [2, 4, 10, 40][random.below(4)];
    let mut tape = record["chance"]["tape"].as_array().cloned().unwrap_or_default();
    match random.below(4) {
        0 => {
            tape.retain(|_| !random.one_in(share));
            record["chance"]["tape"] = json!({"partial": true, "entries": tape});
        }
        1 => record["chance"]["tape"] = json!({"partial": true}),
        2 => {
            tape.iter_mut().filter(|_| random.one_in(share)).for_each(|it| *it = "?".into());
            record["chance"]["tape"] = tape.into();
        }
        _ => {
            for entry in &mut tape {
                for field in ["card", "value"] {
                    if entry.get(field).is_some() && random.one_in(share) {
                        let known = entry[field].clone();
                        let few = json!({"one_of": [known, 1, 2]});
                        let few = if field == "card" { json!({"one_of": [known]}) } else { few };
                        entry[field] = if random.one_in(3) { few } else { "?".into() };
                    }
                }
            }
            record["chance"]["tape"] = tape.into();
        }
    }
    if random.one_in(2) {
        let actions = record["actions"].as_array_mut().expect("actions");
        let most = 1 + random.below(6);
        for _ in 0..most {
            let at = random.below(actions.len());
            let Some(fields) = actions[at].as_object_mut() else { continue };
            let keys: Vec<String> = fields.keys().filter(|it| *it != "type").cloned().collect();
            if !keys.is_empty() {
                fields.insert(keys[random.below(keys.len())].clone(), "?".into());
            }
        }
    }
    if random.one_in(3) {
        leave_out(game, record);
    }
    if record.get("omitted").is_none() {
        record["omitted"] = json!([]);
    }
    let open = record["chance"]["tape"].get("partial").is_some();
    let actions = record["actions"].as_array_mut().expect("actions");
    let kept = 1 + random.below(actions.len().max(1));
    if open && random.one_in(2) {
        actions.truncate(kept);
        record.as_object_mut().map(|it| it.remove("claims"));
    }
}

/// How many times parts of a legal game are hidden; ten thousand where that is asked for.
fn rounds() -> usize {
    #[allow(clippy::disallowed_methods, reason = "how much a test does is no rule of a game")]
    let asked = std::env::var("UMPIRE_HIDE").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(60)
}

#[test]
fn nothing_that_happened_is_called_impossible() {
    let games: Vec<Whole> = whole_games();
    let mut random = Random(0x5eed_0fd1_ce01);
    let mut found = 0;
    let rounds = rounds();
    for round in 0..rounds {
        let Whole { name, game, record } = &games[random.below(games.len())];
        let mut hidden = record.clone();
        hide_at_random(*game, &mut hidden, &mut random);
        let text = hidden.to_string();
        let partial = Partial::read(text.as_bytes()).expect("a record").expect("partial");
        let bounds = Bounds { work: 20_000, worlds: 256 };
        let judged = game.judge_partial(&partial, bounds, Limits::default()).expect("it is judged");
        let verdict = judged.verdict;
        let said = || {
            format!("round {round}, {name}: {:?}, {:?}\n{text}", verdict.violation, verdict.proof)
        };
        assert!(
            !matches!(verdict.status, Status::Impossible | Status::Illegal | Status::BadChance),
            "{}",
            said()
        );
        found += usize::from(is_found(verdict.status));
    }
    assert!(found * 3 > rounds, "{found} of {rounds} were found possible");
    println!("{found} of {rounds} were found possible");
}

#[test]
fn what_one_player_wrote_down_is_possible() {
    let mut judged = 0;
    for Whole { name, game, record } in whole_games() {
        let text = record.to_string();
        let read = RawRecord::read(text.as_bytes()).expect("a record");
        for seat in game.meta().seats {
            let Some(viewer) = game.viewer(seat) else { continue };
            // A seat that is not in use has nothing to write.
            let Ok(sheet) = game.sheet(&read, viewer, Limits::default()) else { continue };
            let partial = Partial::read(sheet.get().as_bytes()).expect("a sheet is a record");
            let Some(partial) = partial.filter(Partial::is_open) else { continue };
            let bounds = Bounds::default();
            let verdict =
                game.judge_partial(&partial, bounds, Limits::default()).expect("judged").verdict;
            let at =
                format!("{:?} after {}: {:?}", verdict.status, verdict.plies, verdict.violation);
            assert!(is_found(verdict.status), "{name}, {seat}: {at}");
            judged += 1;
        }
    }
    assert!(judged > 40, "{judged} sheets");
}

/// What was played was legal: it is never refused where it is asked about, whatever else is unknown, and a game is told by
/// its witness.
#[test]
fn what_was_played_is_not_refused_when_it_is_asked_about() {
    let (mut found, mut asked) = (0, 0);
    for Whole { name, game, mut record } in whole_games() {
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        let text = record.to_string();
        let partial = Partial::read(text.as_bytes()).expect("a record").expect("partial");
        let plies = partial.plies();
        for ply in [plies / 3, plies.saturating_sub(1)] {
            let action = record["actions"][ply].to_string();
            let query = Query { ply: Some(ply as u32), ..Query::default() };
            let bounds = why::Bounds { loads: 50, pairs: 0, ..why::Bounds::default() };
            let answer = game.why_partial(&partial, &action, &query, &bounds).expect("an answer");
            assert_ne!(answer.answer, Answer::Illegal, "{name} at {ply}: {}", answer.message);
            let witness = answer.witness.expect("a completion");
            let whole = RawRecord::read(witness.record.get().as_bytes()).expect("a record");
            let judged = game.judge(&whole, Limits::default()).expect("it is judged").verdict;
            assert!(judged.violation.is_none(), "{name} at {ply}: {:?}", judged.violation);
            asked += 1;
            found += usize::from(answer.answer != Answer::Undecidable);
        }
        // Of a game that is half noted, no more is told than there is.
        let ply = plies as u32 / 2;
        let query = Query { ply: Some(ply), ..Query::default() };
        let report = game.replay_partial(&partial, &query).expect("a report");
        assert_eq!((report.ply, report.verdict.plies, report.verdict.outcome), (ply, ply, None));
    }
    assert!(found * 10 >= asked * 9, "{found} of {asked} are found");
}

/// What holds in every completion is said only where it does: no other completion that is found ends otherwise.
#[test]
fn an_outcome_of_every_completion_is_that_of_the_game() {
    let mut shown = 0;
    for Whole { name, game, mut record } in whole_games() {
        let winner = record["claims"]["outcome"]["winner"].clone();
        record.as_object_mut().map(|it| it.remove("claims"));
        hide_chance(&mut record);
        record["omitted"] = json!([]);
        let verdict = judge(game, &record).verdict;
        let Some(every) = verdict.outcome else { continue };
        let whole = verdict.witness.expect("a completion");
        assert_eq!(whole.outcome.as_ref(), Some(&every), "{name}");
        if let Some(winner) = winner.as_str() {
            assert_eq!(every.winner, Some(winner), "{name}");
            shown += 1;
        }
    }
    assert!(shown > 5, "of {shown} games the winner is known");
}
