//! The invariants of part G over many games, and the stored whole games.
//!
//! The games are played by two scripted players with a plan, not at random; the invariants hold
//! for random play as well.

use std::sync::Arc;

use proptest::prelude::*;

use super::action::{Action, CardUse, Dwarf, Dwarves, Figure, Side, TRACKS, Track, Use};
use super::event::{Event, PlayedCard};
use super::position::{self, Position};
use super::rulebook::{
    FireReach, HandLimit, LastCard, OutOfTime, Rulings, StandingStill, StuckSide, ThirdAction,
};
use super::setup::{Cards, total};
use super::state::{Ending, Stage, State};
use super::tables::board::{DIRECTIONS, Spot};
use super::tables::{DECK, HAND_LIMIT};
use super::{Drako, Options, Rule, Setup, ch08_wounds, ch11_end};
use umpire_core::any_game::{AnyGame, Of};
use umpire_core::board::hex::Hex;
use umpire_core::chance::seeded::{Seeded, Stream, key};
use umpire_core::dispute::why::{Answer, Bounds};
use umpire_core::game::{Count, Game, Keep, Nth, Observer, Pick, Table};
use umpire_core::record::RawRecord;
use umpire_core::replay::Query;
use umpire_core::rules::RulingSet;

mod players;
mod strength;

/// Options with readings chosen at random: 0 for the defaults.
fn options(number: u32) -> Options {
    let mut rulings = serde_json::Map::new();
    let mut choice = Stream::new(key(&number.to_string()), "tests.options");
    for def in Rulings::DEFS.iter().filter(|_| number > 0) {
        let value = choice.uniform(def.values.len() as u32) as usize;
        rulings.insert(def.id.to_owned(), def.values[value].into());
    }
    let text = serde_json::json!({
        "placement": if number % 2 == 1 { "free" } else { "fixed" },
        "advanced_mulligan": number % 4 > 1,
        "rulings": rulings,
    });
    serde_json::from_value(text).expect("options made of known readings")
}

/// The setup of some options given as JSON.
fn setup_of(options: serde_json::Value) -> Arc<Setup> {
    let options = serde_json::from_value(options).expect("options");
    Arc::new(Setup::new(options).expect("printed data are accepted"))
}

fn setup(bits: u32) -> Arc<Setup> {
    Arc::new(Setup::new(options(bits)).expect("printed data are accepted"))
}

/// The action at a random place of the deciding side's list.
fn random_action(table: &Table<Drako>, words: &mut Stream) -> Option<Action> {
    let seat = table.decision().seats.iter().next()?;
    let mut count = Count::default();
    let _ = table.legal(seat, &mut count);
    let mut nth = Nth::new(words.uniform(count.actions as u32).into());
    let _ = table.legal(seat, &mut nth);
    nth.found
}

/// Invariants 1, 3 to 9, 11, 15 and 17: what every state must hold.
fn check_state(setup: &Setup, state: &State, fresh: bool) {
    for side in Side::BOTH {
        let holding = state.holding(side);
        let all: Cards = {
            let mut all = state.discards(setup, side);
            for ((all, hand), deck) in all.iter_mut().zip(holding.hand).zip(holding.deck) {
                *all += hand + deck;
            }
            all
        };
        assert_eq!(all, setup.deck(side).counts, "G1");
        let counted = (total(&holding.hand), total(&holding.deck));
        assert_eq!((holding.in_hand(), holding.in_deck()), counted, "sizes kept beside the cards");
        if fresh {
            assert!(holding.in_deck().is_multiple_of(2) && holding.in_deck() <= DECK - 4, "G2");
        }
        if state.stage == Stage::Action && setup.rulings.hand_limit == HandLimit::AfterDraw {
            assert!(holding.in_hand() <= HAND_LIMIT, "G3");
        }
    }
    let spent = state.holding(Side::Dwarves).is_out();
    if spent && setup.rulings.last_card == LastCard::BeforeEffect {
        assert_eq!(state.ending, Some(Ending::CardsExhausted), "G17 under DRK-R2");
    }
    let fire = state.attack.filter(|attack| attack.option == Use::Fire);
    if setup.rulings.fire_reach == FireReach::FirstDwarf {
        assert!(fire.is_none_or(|attack| attack.strands.len() < 2), "DRK-7.6 under DRK-R7");
    }
    for &track in Track::ALL {
        assert!(state.wounds_on(track) <= setup.spaces(track), "G4");
    }
    assert!(state.wounds.iter().map(|&it| u32::from(it)).sum::<u32>() <= 25, "G4");
    if Track::ABILITIES.into_iter().any(|it| state.wounds_on(it) > 0) {
        assert_eq!(state.wounds_on(Track::Armour), 4, "G5");
    }
    let spots: Vec<_> = state.spots.iter().flatten().collect();
    for (at, spot) in spots.iter().enumerate() {
        assert!(!spots[..at].contains(spot), "G6");
    }
    if state.turn > 0 {
        let filled = ch08_wounds::filled(setup, state);
        assert_eq!(state.living(), Dwarves::ALL.minus(filled), "G6");
    }
    if state.stage == Stage::Action {
        let most = match (state.turn, state.fury_turn) {
            (1, _) => 1,
            (_, false) => 2,
            (_, true) => 3,
        };
        assert!(1 <= state.actions_left && state.actions_left <= most, "G7");
    }
    match state.ending {
        None => {
            assert!(!ch08_wounds::is_dragon_dead(setup, state), "G17");
            let own_turn = setup.rulings.last_card == LastCard::OwnTurn;
            if state.stage == Stage::Action && (!own_turn || state.mover() == Side::Dwarves) {
                assert!(!state.holding(Side::Dwarves).is_out(), "G15");
            }
            if state.stage == Stage::AssignWounds {
                let ways = ch08_wounds::divisions(setup, state, state.hits).count();
                assert!(ways >= 2, "G15");
            }
        }
        Some(ending) => {
            assert_eq!(state.stage, Stage::GameOver, "G17");
            let out = state.holding(Side::Dwarves).is_out();
            let dead = ch08_wounds::is_dragon_dead(setup, state);
            match ending {
                Ending::DragonKilled => assert!(dead, "G17"),
                Ending::DwarvesKilled => assert!(state.living().is_empty() && !dead, "G17"),
                Ending::CardsExhausted => {
                    assert!(!state.living().is_empty() && !dead, "G17");
                    if setup.rulings.out_of_time == OutOfTime::LastCard {
                        assert!(out || ch11_end::is_standstill(setup, state), "G17");
                    }
                }
            }
        }
    }
}

/// Invariants 2, 4, 8 to 13: what no step may do.
fn check_step(setup: &Setup, before: &State, after: &State, events: &[Event]) {
    for &track in Track::ALL {
        let kept = before.wounds_on(track) <= after.wounds_on(track);
        assert!(kept, "G4: wounds are never removed");
    }
    let mut moved = [Vec::new(), Vec::new()];
    let mut turn_side = before.mover();
    let mut damage = [0u32; TRACKS];
    let mut hits = 0u32;
    let mut lost: Vec<Track> = Vec::new();
    let mut netted = before.netted;
    let fury_before = before.fury_used;
    for event in events {
        match *event {
            Event::TurnStarted { turn, .. } => {
                turn_side = if turn % 2 == 1 { Side::Dragon } else { Side::Dwarves };
            }
            Event::FigureMoved { figure, .. } => {
                let side = if figure == Figure::Dragon { Side::Dragon } else { Side::Dwarves };
                assert_eq!(side, turn_side, "G8");
                assert!(figure != Figure::Dragon || !netted, "G9");
            }
            Event::AttackDeclared { option, strands, .. } => {
                let named: Vec<Dwarf> = strands.into_iter().flatten().collect();
                let far = |it: &Dwarf| before.dwarf(*it).map(|at| at.distance(before.dragon()));
                let fire = option == Use::Fire;
                assert!(
                    if fire {
                        named.is_sorted_by_key(far)
                    } else {
                        named.is_sorted_by_key(|it| it.index())
                    },
                    "C.3"
                );
            }
            Event::NetPlaced => netted = true,
            Event::NetEscaped { .. } => netted = false,
            Event::CardPlayed(PlayedCard { side, row, option, .. }) => {
                moved[side.index()].push(row);
                let track = match option {
                    Use::Flight => Some(Track::Flight),
                    Use::Move => Some(Track::Movement),
                    Use::Fire => Some(Track::Fire),
                    _ => None,
                };
                let stands = setup.rulings.standing_still == StandingStill::Always
                    && after.dragon() == before.dragon()
                    && option != Use::Fire;
                let lost = track.is_some_and(|track| before.is_lost(setup, track));
                assert!(!lost || stands, "G11");
            }
            Event::AttackBlocked { side, row, .. } => moved[side.index()].push(row),
            Event::CardsDiscarded { side, cards } => {
                moved[side.index()].extend_from_slice(cards.as_slice());
                let over = before.holding(side).in_hand() - HAND_LIMIT;
                assert_eq!(cards.count(), over, "G12");
            }
            Event::WoundsPlaced { track, count, .. } => {
                damage[track.index()] += u32::from(count);
            }
            Event::AttackHit { value, .. } => hits += u32::from(value),
            Event::AbilityLost { track } => lost.push(track),
            Event::FuryDeclared => assert!(!fury_before, "G10"),
            _ => {}
        }
    }
    for side in Side::BOTH {
        let gone = total(&after.discards(setup, side)) as i64
            - total(&before.discards(setup, side)) as i64;
        assert_eq!(gone, moved[side.index()].len() as i64, "G12");
        assert!(after.turn < 1 || total(&after.holding(side).deck) <= DECK - 4, "G2");
        if before.turn > 0 {
            assert!(after.holding(side).in_deck() <= before.holding(side).in_deck(), "G2");
        }
    }
    if before.fury_used {
        assert!(after.fury_used, "G10");
    }
    let on_dragon: u32 = Track::DRAGON.map(|it| damage[it.index()]).iter().sum();
    if before.mover() == Side::Dwarves && (hits > 0 || before.unassigned() > 0) {
        let free: u32 = Track::DRAGON.map(|it| u32::from(before.free(setup, it))).iter().sum();
        let placed = on_dragon + u32::from(after.unassigned());
        assert_eq!(placed, (hits + u32::from(before.unassigned())).min(free), "G13");
    }
    for track in lost {
        assert!(after.is_lost(setup, track), "G11");
    }
}

/// Plays one game to its end with a chooser, checking every invariant at every ply.
fn check_game(
    setup: &Arc<Setup>,
    seed: &str,
    mut choose: impl FnMut(&Table<Drako>) -> Option<Action>,
) {
    let mut chance = Seeded::new(seed, Drako::META.streams);
    let mut table =
        Table::<Drako>::open(setup.clone(), &mut chance, Keep::Log).expect("a seed deals");
    check_state(setup, table.state(), true);
    let (mut draws, mut plays) = ([0, 0], [0, 0]);
    while let Some(action) = choose(&table) {
        let before = *table.state();
        let mark = table.log().map_or(0, |log| log.events.len());
        table.play(&action, &mut chance).expect("a listed action is accepted");
        let log = table.log().expect("the log is kept");
        let events: Vec<Event> = log.events[mark..].iter().map(|it| it.event).collect();
        check_state(setup, table.state(), true);
        check_step(setup, &before, table.state(), &events);
        match action {
            Action::Draw(it) => draws[it.player.index()] += 1,
            Action::Play(it) => plays[it.player.index()] += 1,
            _ => {}
        }
        check_position(setup, &table);
    }
    assert!(table.outcome().is_some(), "G15: only the end leaves no option");
    assert!(draws.iter().all(|&it| it <= 17) && plays.iter().all(|&it| it <= 38), "G16");
    let passes = setup.rulings.stuck_side == StuckSide::Pass;
    let most = if passes { 240 } else { 60 };
    assert!(table.state().turn < most, "G16: {} turns", table.state().turn);
    let ends = table.log().map_or(0, |log| {
        log.events.iter().filter(|it| matches!(it.event, Event::GameOver { .. })).count()
    });
    assert_eq!(ends, 1, "G17");
}

/// A list is counted whole, however long it is; only its first members are kept.
#[test]
fn seventy_thousand_attackers_are_reported_as_so_many() {
    let attackers = vec!["net"; 70_000];
    let text = serde_json::json!({
        "type": "play", "player": "dwarves", "card": "dw02", "use": "one_attack", "attackers": attackers,
    });
    let action: Action = serde_json::from_value(text).expect("an action");
    let Action::Play(play) = action else { panic!("{action:?}") };
    let crate::action::CardUse::OneAttack { attackers } = &play.used_for else {
        panic!("{play:?}")
    };
    assert_eq!((attackers.count(), attackers.as_slice().len()), (70_000, 2));
}

/// What everybody can see to forbid an attack forbids it to somebody who does not know the card: he is told so,
/// and of an attack that is well placed that it cannot be decided.
#[test]
fn an_attack_from_afar_is_illegal_even_with_the_card() {
    let why = |at: [i32; 2]| {
        let record = serde_json::json!({
            "format": "umpire/1", "game": "drako", "chance": {"tape": []}, "actions": [],
            "position": {
                "turn": 10, "actions_left": 2,
                "hexes": {"dragon": [0, 0], "fury": at, "archery": [-2, 0], "net": [-1, 2]},
                "hands": {"dragon": ["dg01"], "dwarves": ["dw03", "dw09"]},
                "decks": {"dragon": ["dg01"], "dwarves": ["dw01", "dw11"]},
            },
        });
        let text = record.to_string();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let action = r#"{"type": "play", "player": "dwarves", "card": "dw01", "use": "one_attack", "attackers": ["fury"]}"#;
        let viewer = Observer::Seat(Side::Dragon.seat());
        let query = Query { viewer, ..Query::default() };
        Of::<Drako>::new().why(&record, action, &query, &Bounds::default()).expect("an answer")
    };
    let afar = why([2, 0]);
    assert_eq!(afar.answer, Answer::Illegal, "{}", afar.message);
    assert!(afar.message.contains("Fury") || afar.message.contains("(fury)"), "{}", afar.message);
    assert_eq!(afar.clauses[0].id, "DRK-7.1");
    let near = why([1, 0]);
    assert_eq!(near.answer, Answer::Undecidable, "{}", near.message);
}

/// The referee's view is a position that gives the very same state, but for what no view shows: how the last action and
/// the last turn went.
fn check_position(setup: &Setup, table: &Table<Drako>) {
    let view = table.view(Observer::Referee);
    let mut again = position::load(setup, &Position::from(view)).expect("a view is a position");
    let state = *table.state();
    if setup.rulings.third_action == ThirdAction::Compulsory {
        again.fury_turn = state.fury_turn;
    }
    (again.last, again.turn_end, again.turn_before) =
        (state.last, state.turn_end, state.turn_before);
    assert!(again == state, "the referee's view gives back the state\n{again:?}\n{state:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_in_random_play(seed in any::<u64>(), bits in any::<u32>()) {
        let setup = setup(bits);
        let name = format!("random-{seed}");
        let mut words = Stream::new(key(&name), "choices");
        check_game(&setup, &name, |table| random_action(table, &mut words));
    }

    #[test]
    fn invariants_hold_between_scripted_players(seed in any::<u64>(), bits in any::<u32>()) {
        let setup = setup(bits);
        let name = format!("scripted-{seed}");
        let mut players = players::Players::new(&name);
        check_game(&setup, &name, |table| players.choose(table));
    }

    /// Invariant 20: a turned or mirrored board changes nothing but coordinates.
    #[test]
    fn turned_boards_play_the_same(seed in any::<u64>(), turns in 0usize..6, mirror in any::<bool>()) {
        let setup = setup_of(serde_json::json!({"placement": "free"}));
        let name = format!("turned-{seed}");
        let mut chances = [0; 2].map(|_| Seeded::new(&name, Drako::META.streams));
        let mut tables = chances.each_mut().map(|chance| {
            Table::<Drako>::open(setup.clone(), chance, Keep::Nothing).expect("a seed deals")
        });
        let mut words = Stream::new(key(&name), "choices");
        while let Some(action) = random_action(&tables[0], &mut words) {
            let other = turned(action, turns, mirror);
            tables[0].play(&action, &mut chances[0]).expect("listed");
            tables[1].play(&other, &mut chances[1]).expect("accepted on the turned board");
            let hexes = |table: &Table<Drako>| {
                table.state().spots.map(|spot| spot.map(Spot::hex))
            };
            let expected = hexes(&tables[0]).map(|hex| hex.map(|hex| turned_hex(hex, turns, mirror)));
            prop_assert_eq!(hexes(&tables[1]), expected);
            prop_assert_eq!(tables[0].outcome(), tables[1].outcome());
            prop_assert_eq!(tables[0].state().wounds, tables[1].state().wounds);
        }
    }
}

fn turned_hex(hex: Hex, turns: usize, mirror: bool) -> Hex {
    // Swapping q and r mirrors the board along one of its axes.
    let mut hex = if mirror { Hex::new(hex.r, hex.q) } else { hex };
    for _ in 0..turns {
        hex = hex.turned();
    }
    hex
}

fn turned(action: Action, turns: usize, mirror: bool) -> Action {
    let mut action = action;
    let turn = |hex: &mut Hex| *hex = turned_hex(*hex, turns, mirror);
    match &mut action {
        Action::Place(it) => {
            [&mut it.fury, &mut it.archery, &mut it.net].map(turn).into_iter().for_each(|()| {})
        }
        Action::Play(it) => match &mut it.used_for {
            CardUse::Move { to } | CardUse::Flight { to } => turn(to),
            CardUse::OneMove { moves } | CardUse::TwoMove { moves } => {
                *moves = moves
                    .as_slice()
                    .iter()
                    .map(|it| {
                        let mut step = *it;
                        turn(&mut step.to);
                        step
                    })
                    .collect();
            }
            CardUse::Fire { direction } => {
                let step = DIRECTIONS[usize::from(*direction)];
                let step = turned_hex(step, turns, mirror);
                let found = DIRECTIONS.iter().position(|&it| it == step);
                *direction = found.expect("a turned direction is a direction") as u8;
            }
            _ => {}
        },
        _ => {}
    }
    action
}

/// Invariant 16 at its edge: both sides do nothing but draw and waste cards.
#[test]
fn a_game_of_idlers_ends() {
    let setup = setup_of(serde_json::json!({"rulings": {"DRK-R3": "free"}}));
    check_game(&setup, "idlers", |table| {
        let seat = table.decision().seats.iter().next()?;
        let all = table.actions(seat);
        let idle = all
            .iter()
            .find(|it| matches!(it, Action::Play(play) if play.used_for == CardUse::None {}));
        all.iter().find(|it| matches!(it, Action::Draw(_))).or(idle).or(all.first()).copied()
    });
}

/// A pick is one of the listed actions, and every one of them gets picked.
#[test]
fn picks_come_from_the_whole_list() {
    let setup = setup_of(serde_json::json!({"placement": "free", "advanced_mulligan": true}));
    let mut chance = Seeded::new("picks", Drako::META.streams);
    let mut table = Table::<Drako>::open(setup, &mut chance, Keep::Nothing).expect("a seed deals");
    let mut words = Stream::new(key("picks"), "choices");
    for _ in 0..40 {
        let Some(seat) = table.decision().seats.iter().next() else { break };
        let all = table.actions(seat);
        let mut met = vec![0u32; all.len()];
        for seed in 0..all.len() as u64 * 24 {
            let mut pick = Pick::new(seed);
            let _ = table.legal(seat, &mut pick);
            assert_eq!(pick.actions, all.len() as u64);
            let place = all.iter().position(|action| Some(*action) == pick.found);
            met[place.expect("picked from the list")] += 1;
        }
        assert!(met.iter().all(|&times| times > 0), "{met:?}");
        let action = random_action(&table, &mut words).expect("something is legal");
        table.play(&action, &mut chance).expect("a listed action is accepted");
    }
}

/// Every reading that can be selected is a line of the rulebook, with the same values.
#[test]
fn readings_and_rulebook_agree() {
    use umpire_core::rules::Rule as _;
    for def in Rulings::DEFS {
        let entry = Rule::TABLE.iter().find(|entry| entry.id == def.id).expect("in the rulebook");
        let values = entry.readings.iter().map(|reading| reading.value);
        let selectable: Vec<_> = values.filter(|value| !value.is_empty()).collect();
        assert_eq!(selectable, def.values, "{}", def.id);
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<State>() <= 512, "{} bytes", size_of::<State>());
    assert!(size_of::<Action>() <= 96, "{} bytes", size_of::<Action>());
}
