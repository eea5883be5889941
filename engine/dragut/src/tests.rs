//! The invariants of part H over many random games in both editions and under every selectable
//! reading, the data against the document, and who learns what.

use std::sync::Arc;

use super::action::{Action, Side};
use super::event::Event;
use super::position::{self, load};
use super::rulebook::{Fleeing, Rule, Rulings, RunOut, SidesGone};
use super::setup::{AreaData, AreaKind, DRAGUT_4, PIRATE_2B, PIRATE_UNITS, Setup};
use super::state::{Place, Stage, State, count};
use super::view::Pile;
use super::{Dragut, Options, ch02_setup, ch11_end, ch13_protocol, menu, notice, tables};
use umpire_core::chance::seeded::{Seeded, Stream, key};
use umpire_core::game::{ActionRange, Game, Keep, Listing, Logged, Observer, Seat, Table};
use umpire_core::rules::{Rule as _, RulingSet};

mod players;
mod strength;
mod words;

fn setup(options: &serde_json::Value) -> Arc<Setup> {
    setup_of(Dragut::META.version, options)
}

fn setup_of(version: u32, options: &serde_json::Value) -> Arc<Setup> {
    let mut options: Options = serde_json::from_value(options.clone()).expect("known options");
    options.rulings.set_version(version);
    Arc::new(Setup::new(options).expect("the data of the document hold"))
}

fn names(found: &[(String, serde_json::Value)]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

/// The printed map, on which areas that a line joins touch each other, too.
fn map_with_borders() -> Vec<AreaData> {
    let mut map = tables::map::map(Dragut::META.version);
    for area in &mut map {
        area.touches = area.roads.iter().chain(&area.trails).copied().collect();
    }
    map
}

/// Whether a game can begin under these options.
fn can_begin(options: &serde_json::Value) -> bool {
    let options: Options = serde_json::from_value(options.clone()).expect("known options");
    Setup::new(options).is_ok_and(|setup| ch02_setup::check_new_game(&setup).is_ok())
}

/// Both editions with every reading by itself, as far as the map can bear it.
fn option_sets() -> Vec<serde_json::Value> {
    let mut sets = Vec::new();
    for edition in ["en", "it"] {
        sets.push(serde_json::json!({ "edition": edition }));
        for def in Rulings::DEFS {
            for value in def.values {
                let mut options =
                    serde_json::json!({ "edition": edition, "rulings": { def.id: value } });
                if *value == "touching" {
                    options["map"] = serde_json::to_value(map_with_borders()).expect("JSON");
                }
                sets.push(options);
            }
        }
    }
    let all = sets.len();
    sets.retain(can_begin);
    // The borough has too few towns for one unit each.
    assert_eq!(sets.len(), all - 1);
    sets
}

/// Readings of all rulings at once, drawn at random.
fn random_options(words: &mut Stream) -> serde_json::Value {
    let mut pick = |of: usize| words.uniform(of as u32) as usize;
    let edition = ["en", "it"][pick(2)];
    let rulings = Rulings::DEFS.iter().map(|def| (def.id, def.values[pick(def.values.len())]));
    let rulings: std::collections::BTreeMap<_, _> = rulings.collect();
    serde_json::json!({ "edition": edition, "rulings": rulings, "map": map_with_borders() })
}

fn random_action(table: &Table<Dragut>, words: &mut Stream) -> Option<Action> {
    let seats: Vec<Seat> = table.decision().seats.iter().collect();
    let seat = *seats.get(words.uniform(seats.len().max(1) as u32) as usize)?;
    let mut list = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = table.legal(seat, &mut list);
    if let Some(range) = list.ranges.first() {
        let mut chance = Seeded::new(&words.word().to_string(), Dragut::META.streams);
        return range.sample(table.setup(), table.state(), &mut chance).ok();
    }
    // The phases last longer if they are seldom ended by choice.
    let mut at = words.uniform(list.actions.len().max(1) as u32) as usize;
    if matches!(list.actions.get(at), Some(Action::EndPhase(_))) {
        at = words.uniform(list.actions.len().max(1) as u32) as usize;
    }
    list.actions.into_iter().nth(at)
}

/// Plays a random game and shows every step.
fn watch(
    options: &serde_json::Value,
    name: &str,
    mut each: impl FnMut(&Table<Dragut>, &Table<Dragut>, &[Logged<Dragut>]),
) {
    let setup = setup(options);
    let mut chance = Seeded::new(name, Dragut::META.streams);
    let mut words = Stream::new(key(name), "choices");
    let mut table = Table::<Dragut>::open(setup, &mut chance, Keep::Log).expect("a seed deals");
    // Under DRG-R52 = `both` pirates who are alone can move for ever.
    let endless = table.setup().rulings.sides_gone == SidesGone::Both;
    let mut plies = 0;
    while let Some(action) = random_action(&table, &mut words) {
        let before = table.bare();
        let mark = table.log().expect("a log").events.len();
        table.play(&action, &mut chance).expect("a listed action is accepted");
        each(&before, &table, &table.log().expect("a log").events[mark..]);
        plies += 1;
        if endless && plies == 600 {
            return;
        }
        assert!(plies < 3000, "{options} {name} does not end");
    }
    assert!(table.outcome().is_some());
}

#[test]
fn invariants_hold_in_random_games_under_every_reading() {
    for (index, options) in option_sets().iter().enumerate() {
        for round in 0..2 {
            let mut reduced = 0;
            watch(options, &format!("invariants-{index}-{round}"), |before, after, events| {
                check_state(after.setup(), after.state(), options);
                check_step(before, after, events);
                let reductions =
                    events.iter().filter(|it| matches!(it.event, Event::UnitReduced { .. }));
                reduced += reductions.count();
                // Invariant 2: at most one reduction per game.
                assert!(reduced <= 1, "{options}");
            });
        }
    }
}

#[test]
fn invariants_hold_in_random_games_under_random_readings_of_all_rulings() {
    let mut words = Stream::new(key("all rulings at once"), "readings");
    let mut played = 0;
    for round in 0..200 {
        let options = random_options(&mut words);
        if can_begin(&options) {
            played += 1;
            watch(&options, &format!("readings-{round}"), |before, after, events| {
                check_state(after.setup(), after.state(), &options);
                check_step(before, after, events);
            });
        }
    }
    assert!(played > 120, "only {played} games");
}

/// Invariants 1 to 9, 14, 19 and 20 of one state.
fn check_state(setup: &Setup, state: &State, options: &serde_json::Value) {
    if let Err(refusal) = position::check_state(setup, state) {
        panic!("{options}: {}: {:?}\n{state:?}", refusal.message, refusal.invariant);
    }
    for side in Side::BOTH {
        let cards = &state.cards[side.index()];
        let played = u8::from(usize::from(cards.played) < setup.decks[side.index()].ids.len());
        let all = count(&cards.deck) + count(&cards.hand) + count(&cards.retired) + played;
        assert_eq!(all, 10);
    }
    let used = |unit: super::state::Unit| state.place[unit.index()] != Place::ASIDE;
    let shot = setup.arquebusiers.iter().any(|it| state.place[it.index()] == Place::REMOVED);
    assert!(shot || (!used(DRAGUT_4) && !used(PIRATE_2B)));
    // DRG-12.4: whoever has fled is known anyway.
    let kept = state.at(Place::FLED).and(state.revealed);
    assert!(setup.rulings.fleeing == Fleeing::GiuliaOnly || kept.is_empty());
    // Invariant 19.
    let giulia = state.place[setup.giulia.index()];
    let lost = giulia == Place::FLED || giulia == Place::SERRAGLIO;
    let strong = state.phase == Some(Side::Pirates) && !lost;
    let value = super::ch06_combat::value(setup, state, setup.bartolomeo);
    assert_eq!(value, if strong { 5 } else { 3 });
    // Invariant 20 and the other half of 14: the phases have something to do.
    match (state.stage, state.phase) {
        (Stage::GameOver, _) => assert!(ch13_protocol::deciders(setup, state).is_empty()),
        (Stage::PiratePhase | Stage::RapallinePhase, Some(side)) => {
            assert!(menu::has_paid_action(setup, state, side));
        }
        _ => {}
    }
}

/// Invariants 1, 4, 5, 6, 9, 10, 11 and 12 of one step.
fn check_step(before: &Table<Dragut>, after: &Table<Dragut>, events: &[Logged<Dragut>]) {
    let (setup, was, is) = (after.setup(), before.state(), after.state());
    let last = [Place::SERRAGLIO, Place::FLED, Place::REMOVED];
    for unit in setup.all.iter() {
        let place = was.place[unit.index()];
        assert!(!last.contains(&place) || is.place[unit.index()] == place, "{unit:?} came back");
    }
    assert!(ch11_end::target(setup, is) >= ch11_end::target(setup, was));
    assert!(is.at(Place::SERRAGLIO).len() >= was.at(Place::SERRAGLIO).len());
    let mut earned = 0i32;
    let mut drawn = 0i32;
    let mut waiting = i32::from(was.owes_draw) + i32::from(was.owes_choice);
    for Logged { event, rules, .. } in events {
        assert!(!rules.as_slice().is_empty());
        match *event {
            Event::Duel { attacker, values: [Some(a), Some(b)], .. } => {
                let pirate = PIRATE_UNITS.contains(attacker.unit);
                let (pirate, townsman) = if pirate { (a, b) } else { (b, a) };
                assert!(pirate % 2 == 0 && townsman % 2 == 1, "invariant 10");
            }
            Event::UnitFled { .. } => earned += 1,
            Event::UnitEliminated { who, .. } if PIRATE_UNITS.contains(who.unit) => earned += 1,
            Event::UnitWithdrawn { .. } => earned += 1,
            Event::CaptiveSent { .. } => earned += 1,
            Event::Deployed { .. } | Event::Shuffled { .. } => waiting = i32::MAX / 2,
            Event::CardDrawn { .. } => drawn += 1,
            Event::TurnStarted { .. } => {}
            Event::GameEnded { winner, .. } => {
                let full = is.at(Place::SERRAGLIO).len();
                let target = usize::from(ch11_end::target(setup, is));
                let more_saved = setup.rulings.run_out == RunOut::MoreSaved;
                let won = winner == Some(Side::Pirates);
                assert!(more_saved || won == (full >= target), "invariant 11");
            }
            _ => {}
        }
    }
    assert!(drawn <= earned + waiting, "invariant 12: {drawn} draws");
    if is.stage == Stage::ChooseCards && was.stage != Stage::ChooseCards {
        assert_eq!(is.spent, [0; tables::UNITS], "invariant 6");
    }
}

/// Invariant 5: under the default reading points spent and points left are those of the start.
#[test]
fn no_point_appears_or_vanishes_within_a_phase() {
    for round in 0..10 {
        let mut pool = 0u32;
        watch(&serde_json::json!({}), &format!("points-{round}"), |_, after, events| {
            let mut spent = 0u32;
            for Logged { event, .. } in events {
                match *event {
                    Event::PhaseStarted { pool: start, .. } => (pool, spent) = (start.into(), 0),
                    Event::Moved { cost, .. }
                    | Event::Landed { cost, .. }
                    | Event::CaptiveSent { cost, .. }
                    | Event::AlarmChanged { cost, .. } => spent += u32::from(cost),
                    Event::PhaseEnded { left, .. } => assert_eq!(pool, spent + u32::from(left)),
                    _ => {}
                }
                if matches!(event, Event::PhaseEnded { .. }) {
                    (pool, spent) = (0, 0);
                }
            }
            pool -= spent;
            assert_eq!(pool, u32::from(after.state().pool));
        });
    }
}

/// Invariant 17: the Italian edition with the three English readings is the English edition.
#[test]
fn the_italian_edition_with_the_english_readings_is_the_english_one() {
    let as_english = serde_json::json!({ "edition": "it", "rulings": {
        "DRG-R1": "one", "DRG-R24": "optional", "DRG-R26": "apply" } });
    let mut italian = None;
    for round in 0..12 {
        let name = format!("editions-{round}");
        let english = record_of(&serde_json::json!({}), &name);
        assert_eq!(english, record_of(&as_english, &name));
        italian = Some(record_of(&serde_json::json!({ "edition": "it" }), &name));
        if italian.as_ref() != Some(&english) {
            return;
        }
    }
    panic!("twelve games and no difference between the editions: {italian:?}");
}

/// Every state of a random game with its events, as text.
fn record_of(options: &serde_json::Value, name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    watch(options, name, |_, after, events| {
        let logged: Vec<_> = events.iter().map(|it| (it.event, it.rules)).collect();
        lines.push(format!("{:?} {logged:?}", after.state()));
    });
    lines
}

#[test]
fn the_data_are_those_of_the_document() {
    let setup = setup(&serde_json::json!({}));
    let kinds = |kind: AreaKind| setup.map.iter().filter(|it| it.kind == kind).count();
    assert_eq!(
        (
            setup.map.len(),
            kinds(AreaKind::Town),
            kinds(AreaKind::Countryside),
            kinds(AreaKind::Hill)
        ),
        (31, 18, 8, 5)
    );
    let roads: usize = setup.map.iter().map(|it| it.roads.len()).sum();
    let trails: usize = setup.map.iter().map(|it| it.trails.len()).sum();
    assert_eq!((roads / 2, trails / 2), (27, 21));
    assert_eq!((setup.all.len(), setup.rapalline.len(), setup.deployable().len()), (24, 17, 16));
    let coasts = [1, 2].map(|version| setup_of(version, &serde_json::json!({})).coast.len());
    assert_eq!(coasts, [3, 5]);
    for side in Side::BOTH {
        assert_eq!(count(&setup.decks[side.index()].copies), 10);
    }
    // The shortest ways out, as the document gives them.
    let out = |id: &str| {
        let area = setup.area(&umpire_core::wire::Name::new(id).expect("short")).expect("an area");
        setup.rings[area.index()].iter().position(|ring| !ring.and(setup.hills).is_empty())
    };
    assert_eq!((out("nagge"), out("porta_orti"), out("fondaci")), (Some(2), Some(2), Some(5)));
    // Every id has kept its text, and data of a record may be the data themselves.
    let again = Options {
        map: Some(tables::map::map(Dragut::META.version)),
        units: Some(tables::units::units()),
        cards: Some(tables::cards::cards()),
        alarm_track: Some(setup.track.to_vec()),
        ..Options::default()
    };
    assert!(Setup::new(again).is_ok());
}

#[test]
fn every_rule_names_its_sections_in_both_editions_or_in_none() {
    for rule in Rule::all() {
        let editions: Vec<_> = rule.entry().sections.iter().map(|it| it.edition).collect();
        assert!(editions.is_empty() || editions == ["en", "it"], "{}", rule.id());
    }
    let selectable: Vec<_> =
        Rule::all().iter().map(|it| it.entry()).filter(|entry| entry.selectable()).collect();
    assert_eq!(selectable.len(), Rulings::DEFS.len());
    for (entry, def) in selectable.iter().zip(Rulings::DEFS) {
        let values: Vec<_> =
            entry.readings.iter().map(|it| it.value).filter(|it| !it.is_empty()).collect();
        assert_eq!((entry.id, values.as_slice()), (def.id, def.values));
    }
}

/// DRG-R42 Under `giulia_only` a fled unit keeps its secret, Giulia does not.
#[test]
fn only_giulia_is_shown_under_the_other_reading() {
    let position = serde_json::json!({
        "state": "rapalline_phase", "pool": 3,
        "units": { "women_1": { "at": "fled" }, "giulia": { "at": "fled" } },
    });
    for (reading, shown) in [("all", true), ("giulia_only", false)] {
        let setup = setup(&serde_json::json!({ "rulings": { "DRG-R42": reading } }));
        let position = serde_json::from_value(position.clone()).expect("a position");
        let state = load(&setup, &position).unwrap_or_else(|it| panic!("{}", it.message));
        for viewer in [Observer::Seat(Seat(0)), Observer::Spectator] {
            let view = serde_json::to_value(Dragut::view(&setup, &state, viewer)).expect("a view");
            assert_eq!(view["units"]["women_1"].is_object(), shown);
            assert!(view["units"]["giulia"].is_object());
        }
    }
}

/// Part E, line by line: what each viewer sees of a state with everything in it.
#[test]
fn views_show_what_part_e_says() {
    let setup = setup(&serde_json::json!({}));
    let position = serde_json::from_value(serde_json::json!({
        "state": "choose_cards",
        "units": { "pirate_4a": { "at": "corte" }, "women_1": { "at": "corte", "captive": true },
                   "men_1": { "at": "fled" }, "men_2": { "at": "serraglio" },
                   "renegade": { "at": "removed" } },
        "hands": { "pirates": ["guida", "panico"], "rapalline": ["animo"] },
        "committed": { "pirates": { "card": "guida" }, "rapalline": false },
    }))
    .expect("a position");
    let state = load(&setup, &position).unwrap_or_else(|it| panic!("{}", it.message));
    let see = |viewer| Dragut::view(&setup, &state, viewer);
    let text = |viewer| serde_json::to_value(see(viewer)).expect("a view");
    let [pirates, rapalline] = [0, 1].map(|seat| text(Observer::Seat(Seat(seat))));
    let spectator = text(Observer::Spectator);
    for (view, own_pirates, own_town) in
        [(&pirates, true, false), (&rapalline, false, true), (&spectator, false, false)]
    {
        for public in ["women_1", "men_1", "men_2", "renegade", "dragut_4", "soldier_b"] {
            assert!(view["units"][public].is_object(), "{public}");
        }
        assert_eq!(view["units"]["pirate_4a"].is_object(), own_pirates);
        assert_eq!(view["units"]["dragut_6"].is_object(), own_pirates);
        assert_eq!(view["tokens"]["P1"]["at"] == "corte", !own_pirates);
        assert_eq!(view["at_sea"].is_null(), own_pirates);
        assert_eq!(view["units"]["giulia"].is_object(), own_town);
        assert_eq!(view["hands"]["pirates"].is_array(), own_pirates);
        assert_eq!(view["hands"]["rapalline"].is_array(), own_town);
        assert_eq!(view["committed"]["pirates"] == true, !own_pirates);
        assert_eq!(view["committed"]["rapalline"], false);
        assert!(view["decks"]["pirates"].is_number());
    }
    assert_eq!(spectator["at_sea"], 3);
    assert_eq!(see(Observer::Referee).hands.rapalline, Pile::Open(vec![setup.decks[1].ids[2]]));
}

/// A landing, a drawn card and a duel as each viewer learns of them.
#[test]
fn events_are_redacted_like_views() {
    let options = serde_json::json!({});
    let mut seen = [0; 3];
    for round in 0..4 {
        watch(&options, &format!("redaction-{round}"), |_, after, events| {
            let setup = after.setup();
            for Logged { event, .. } in events {
                let announced = |viewer| {
                    serde_json::to_value(notice::announce(setup, event, viewer)).expect("JSON")
                };
                let [pirates, rapalline] = [0, 1].map(|seat| announced(Observer::Seat(Seat(seat))));
                let spectator = announced(Observer::Spectator);
                match *event {
                    Event::Landed { who, .. } => {
                        seen[0] += 1;
                        assert_eq!(pirates["unit"], setup.unit_id(who.unit).as_str());
                        assert_eq!(rapalline["unit"], rapalline["token"]);
                        assert_eq!(spectator, rapalline);
                    }
                    Event::CardDrawn { side, .. } => {
                        seen[1] += 1;
                        assert_eq!(pirates["card"].is_null(), side == Side::Rapalline);
                        assert_eq!(rapalline["card"].is_null(), side == Side::Pirates);
                        assert!(spectator["card"].is_null());
                    }
                    Event::Duel { .. } => {
                        seen[2] += 1;
                        assert_eq!(pirates, rapalline);
                        assert_eq!(pirates, spectator);
                    }
                    _ => {}
                }
            }
        });
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
    assert_eq!(Side::of_seat(Seat(1)), Side::Rapalline);
}

/// A story has a line for every event that somebody learns of.
#[test]
fn every_event_that_is_announced_has_a_line() {
    for round in 0..4 {
        watch(&serde_json::json!({}), &format!("story-{round}"), |_, after, events| {
            for Logged { event, .. } in events {
                for to in [Observer::Referee, Observer::Spectator, Observer::Seat(Seat(0))] {
                    let line = super::story::tell(after.setup(), event, to);
                    let announced = notice::announce(after.setup(), event, to);
                    assert!(announced.is_none() || line.is_some(), "{event:?} to {to:?}");
                }
            }
        });
    }
}

/// Events and refusals cite the section of the edition in force; the id is the same.
#[test]
fn answers_cite_the_section_of_the_edition() {
    use umpire_core::any_game::{AnyGame, Of};
    use umpire_core::record::RawRecord;
    use umpire_core::replay::{Include, Query};
    for (edition, turn, soldier) in [("en", "2.2", "5.1"), ("it", "2.2b", "5.1")] {
        let record = serde_json::json!({
            "format": "umpire/1", "game": "dragut", "options": { "edition": edition },
            "chance": { "tape": [] },
            "position": { "state": "pirate_phase", "pool": 3,
                          "units": { "pirate_4a": { "at": "orti" } } },
            "actions": [{ "type": "end_phase", "player": "pirates" },
                        { "type": "end_phase", "player": "rapalline" },
                        { "type": "move", "player": "pirates", "unit": "pirate_4a",
                          "to": "san_massimo" }],
        })
        .to_string();
        let record = RawRecord::read(record.as_bytes()).expect("a record");
        let include = Include { events: true, ..Include::default() };
        let query = Query { include, ..Query::default() };
        let report = Of::<Dragut>::new().replay(&record, &query).expect("a report");
        let violation = report.verdict.violation.expect("a refusal");
        assert_eq!((violation.rule.as_str(), violation.section), ("DRG-5.5", Some(soldier)));
        let events = report.events.expect("events");
        let begins = events.iter().find(|it| it.get().contains("turn_started")).expect("a turn");
        let begins: serde_json::Value = serde_json::from_str(begins.get()).expect("JSON");
        assert_eq!((&begins["rule"], &begins["section"]), (&"DRG-3.1".into(), &turn.into()));
    }
}

/// A table at a position, with a log.
fn at(options: serde_json::Value, position: serde_json::Value) -> Table<Dragut> {
    let setup = setup(&options);
    let position = serde_json::from_value(position).expect("a position");
    let state = load(&setup, &position).expect("a sound position");
    let mut none = Seeded::new("", Dragut::META.streams);
    match Table::resume(setup, state, &mut none, Keep::Log) {
        Ok(table) => table,
        Err(stop) => panic!("{stop:?}"),
    }
}

fn play(table: &mut Table<Dragut>, action: serde_json::Value) {
    let action = serde_json::from_value(action).expect("an action");
    let mut chance = Seeded::new("", Dragut::META.streams);
    if let Err(stop) = table.play(&action, &mut chance) {
        panic!("{action:?}: {stop:?}");
    }
}

/// DRG-3.5 Cards that cancel each other are void by DRG-R28, a step beyond the track by DRG-8.4.
#[test]
fn a_void_card_cites_why_its_steps_are_lost() {
    let voids = |case: u8, pirates: &str, rapalline: &str| -> Vec<Vec<&'static str>> {
        let options = serde_json::json!({ "rulings": { "DRG-R28": "net" } });
        let mut table = at(
            options,
            serde_json::json!({ "state": "choose_cards", "alarm_case": case,
                "hands": { "pirates": [pirates], "rapalline": [rapalline] } }),
        );
        for (player, card) in [("pirates", pirates), ("rapalline", rapalline)] {
            let action =
                serde_json::json!({ "type": "choose_card", "player": player, "card": card });
            play(&mut table, action);
        }
        let events = &table.log().expect("a log").events;
        let void = events.iter().filter(|it| matches!(it.event, Event::EffectVoid { .. }));
        void.map(|it| it.rules.as_slice().iter().map(|rule| rule.id()).collect()).collect()
    };
    let cancelled = vec!["DRG-3.5", "DRG-R28"];
    assert_eq!(voids(1, "buonanotte", "campana"), [cancelled.clone(), cancelled]);
    let last = setup(&serde_json::json!({})).cases();
    assert_eq!(voids(last, "guida", "campana"), [vec!["DRG-3.5", "DRG-8.4"]]);
}

/// DRG-R13, DRG-R16 A defender who is removed together with the attacker frees nobody.
#[test]
fn who_is_removed_is_no_liberator() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/dragut/rules/R13-who-is-removed-frees-nobody.json"
    );
    let text = std::fs::read_to_string(path).expect("a fixture");
    let record = &serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["record"];
    let mut table = at(record["options"].clone(), record["position"].clone());
    play(&mut table, record["actions"][0].clone());
    let arrival = table.state().arrival.expect("the combat is not settled yet");
    assert_eq!(arrival.liberator, None);
}

/// DRG-12.2 Who names an enemy by a hidden id is not told whether it is there; by its token, and
/// for the referee, the same action is judged.
#[test]
fn an_enemy_named_by_a_hidden_id_is_undecidable() {
    use umpire_core::any_game::{AnyGame as _, Of};
    use umpire_core::dispute::why::Bounds;
    use umpire_core::record::RawRecord;
    use umpire_core::replay::Query;

    let text = |actions: serde_json::Value| {
        serde_json::json!({
            "format": "umpire/1", "game": "dragut", "chance": {"tape": []},
            "position": {"state": "pirate_phase", "pool": 3, "units": {
                "pirate_4b": {"at": "fondaci"},
                "soldier_a": {"at": "carruggio", "token": "R1"},
                "women_1": {"at": "carruggio", "token": "R2"},
                "women_2": {"at": "corte", "token": "R3"}}},
            "actions": actions,
        })
        .to_string()
    };
    let go = serde_json::json!(
        {"type": "move", "player": "pirates", "unit": "pirate_4b", "to": "carruggio"});
    let pirates = Observer::Seat(Side::Pirates.seat());
    let judge = |action: &serde_json::Value, viewer: Observer| {
        let text = text(serde_json::json!([go]));
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let query = Query { viewer, ply: Some(1), ..Query::default() };
        let bounds = Bounds::default();
        let answer = Of::<Dragut>::new().why(&record, &action.to_string(), &query, &bounds);
        let answer = serde_json::to_value(answer.expect("an answer")).expect("JSON");
        let clauses = answer["clauses"].to_string().contains("DRG-12.2");
        (answer["answer"].as_str().expect("a word").to_owned(), clauses)
    };
    let choose = |unit: &str| serde_json::json!({"type": "choose_defender", "player": "pirates", "unit": unit});
    let ruled = |answer: &str, clause: bool| (answer.to_owned(), clause);
    for (unit, truth) in [("women_1", "legal"), ("women_2", "illegal")] {
        assert_eq!(judge(&choose(unit), pirates), ruled("undecidable", true), "{unit}");
        assert_eq!(judge(&choose(unit), Observer::Referee), ruled(truth, false), "{unit}");
    }
    assert_eq!(judge(&choose("R2"), pirates), ruled("legal", false));
    assert_eq!(judge(&choose("R3"), pirates), ruled("illegal", false));
    // What everybody sees comes first: no captive is sent while an opponent is to be named.
    let send = serde_json::json!({"type": "send", "player": "pirates", "unit": "women_2"});
    assert_eq!(judge(&send, pirates).0, "illegal");

    // Nor does the verdict of a record tell its sender more.
    let text = text(serde_json::json!([go, choose("women_2")]));
    let record = RawRecord::read(text.as_bytes()).expect("a record");
    let violation = |viewer: Observer| {
        let report = Of::<Dragut>::new().replay(&record, &Query { viewer, ..Query::default() });
        let violation = report.expect("a report").verdict.violation.expect("a violation");
        (violation.code, violation.rule)
    };
    assert_eq!(violation(pirates), ("undecidable".to_owned(), "DRG-12.2".to_owned()));
    let truth = ("not_an_option".to_owned(), "DRG-13.3".to_owned());
    assert_eq!(violation(Observer::Referee), truth);
}

/// What would have to be otherwise is said in the words of the table, and not in those of a record.
#[test]
fn no_condition_shows_the_inside_of_a_record() {
    use umpire_core::any_game::{AnyGame as _, Of};
    use umpire_core::dispute::why::Bounds;
    use umpire_core::record::RawRecord;
    use umpire_core::replay::Query;

    let asked = [
        // A captive out of reach, too few points, and a unit that has spent some.
        (
            serde_json::json!({"state": "pirate_phase", "pool": 3, "units": {
                "pirate_2a": {"at": "corte"}, "women_2": {"at": "rolecca", "captive": true}}}),
            serde_json::json!({"type": "send", "player": "pirates", "unit": "women_2"}),
        ),
        (
            serde_json::json!({"state": "rapalline_phase", "pool": 1, "alarm_case": 3}),
            serde_json::json!({"type": "raise_alarm", "player": "rapalline"}),
        ),
        (
            serde_json::json!({"state": "pirate_phase", "pool": 3, "units": {
                "pirate_4a": {"at": "orti", "spent": 1}}}),
            serde_json::json!(
                {"type": "move", "player": "pirates", "unit": "pirate_4a", "to": "saline"}),
        ),
    ];
    for (position, action) in asked {
        let text = serde_json::json!({
            "format": "umpire/1", "game": "dragut", "chance": {"tape": []},
            "position": position, "actions": [],
        });
        let text = text.to_string();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let (query, bounds) = (Query::default(), Bounds::default());
        let why = Of::<Dragut>::new().why(&record, &action.to_string(), &query, &bounds);
        let why = serde_json::to_value(why.expect("an answer")).expect("JSON").to_string();
        assert!(!why.contains("would have to go"), "{why}");
    }
}

/// What comes of a record under a reading: the verdict, or why it cannot be replayed.
fn verdict_under(record: &serde_json::Value, ruling: &str, value: &str) -> String {
    use umpire_core::any_game::{AnyGame as _, Of};
    use umpire_core::record::RawRecord;
    use umpire_core::replay::Query;

    let mut record = record.clone();
    record["options"]["rulings"][ruling] = value.into();
    let text = record.to_string();
    let record = RawRecord::read(text.as_bytes()).expect("a record");
    match Of::<Dragut>::new().replay(&record, &Query::default()) {
        Ok(report) => format!("{:?} {:?}", report.verdict, report.fingerprint),
        Err(fault) => format!("{fault:?}"),
    }
}

/// Every value of every ruling has a fixture of its own, which comes out otherwise under another value.
#[test]
fn every_value_has_a_fixture_that_another_value_decides_otherwise() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/dragut/rules");
    let mut shown: Vec<(&str, &str)> = Vec::new();
    for file in std::fs::read_dir(folder).expect("the fixtures") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a fixture");
        let fixture: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let record = &fixture["record"];
        let options = match &record["options"] {
            serde_json::Value::Null => Ok(Options::default()),
            options => serde_json::from_value(options.clone()),
        };
        let Some(own) = options.ok().and_then(|it| Setup::new(it).ok()) else { continue };
        for (at, def) in Rulings::DEFS.iter().enumerate() {
            let value = def.values[own.rulings.get(at)];
            let shows = fixture["shows"].as_array().expect("a list").iter().any(|it| it == def.id);
            if !shows || shown.contains(&(def.id, value)) {
                continue;
            }
            let verdict = verdict_under(record, def.id, value);
            let others = def.values.iter().filter(|other| **other != value);
            if others.into_iter().any(|other| verdict_under(record, def.id, other) != verdict) {
                shown.push((def.id, value));
            }
        }
    }
    let all = Rulings::DEFS.iter().flat_map(|def| def.values.iter().map(|value| (def.id, *value)));
    let missing: Vec<_> = all.filter(|pair| !shown.contains(pair)).collect();
    assert_eq!(missing, []);
}
