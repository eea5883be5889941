//! The invariants of the rules document as laws of random play, and the stored whole games.

mod scripted;

use std::sync::Arc;

use umpire_core::chance::seeded::{Seeded, Stream as Words, key};
use umpire_core::digest::fingerprint;
use umpire_core::game::{Game, Keep, Listing, Observer, Stop, Table};
use umpire_core::record::RawRecord;
use umpire_core::replay::{Limits, load};

use super::action::Player;
use super::notice::Happening;
use super::state::{Stage, State};
use super::tables::{CARGO, Good, Kind, Terrain};
use super::{Action, Doubloons, Event, Options, Position, Range, Setup, ch15_routes, sequence};

fn setup(options: &str) -> Arc<Setup> {
    let options: Options = serde_json::from_str(options).unwrap();
    let mut chance = Seeded::new("invariants", Doubloons::META.streams);
    Arc::new(Doubloons::setup(options, &mut chance).unwrap())
}

/// What chooses in a random game.
struct Chooser(Words);

impl Chooser {
    fn below(&mut self, n: usize) -> usize {
        self.0.uniform(n as u32) as usize
    }
}

/// How often a random player may do anything at all, leaving the game included: once in so many
/// actions. Interrupts are rare, because they end games.
const RARELY: usize = 200;

/// A random action of a random seat that may act.
fn choose(table: &Table<Doubloons>, chooser: &mut Chooser, rarity: usize) -> Action {
    let asked: Vec<_> = table.decision().seats.iter().collect();
    let all: Vec<_> = table.may_act().iter().collect();
    let rare = chooser.below(rarity) == 0;
    let seats = if rare { &all } else { &asked };
    let seat = seats[chooser.below(seats.len())];
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = table.legal(seat, &mut listing);
    let range = chooser.below(3) == 0;
    if range && !listing.ranges.is_empty() {
        let range = &listing.ranges[chooser.below(listing.ranges.len())];
        let seed = format!("range {}", chooser.below(1 << 20));
        let mut chance = Seeded::new(&seed, Doubloons::META.streams);
        return Doubloons::sample(table.setup(), table.state(), range, &mut chance).unwrap();
    }
    if !rare {
        listing.actions.retain(|it| !matches!(it, Action::Resign(_) | Action::AgreeEnd(_)));
        if chooser.below(3) > 0 && listing.actions.len() > 4 {
            listing
                .actions
                .retain(|it| !matches!(it, Action::EndPhase(it) if it.through.is_some()));
        }
    }
    listing.actions.swap_remove(chooser.below(listing.actions.len()))
}

/// Plays a random game and shows every step.
fn play(
    options: &str,
    seed: &str,
    most: usize,
    each: impl FnMut(&Table<Doubloons>, &Table<Doubloons>, &Action),
) {
    play_on(options, seed, most, RARELY, each);
}

/// Plays a random game in which interrupts are as rare as said, and shows every step.
fn play_on(
    options: &str,
    seed: &str,
    most: usize,
    rarity: usize,
    mut each: impl FnMut(&Table<Doubloons>, &Table<Doubloons>, &Action),
) {
    let setup = setup(options);
    let mut chance = Seeded::new(seed, Doubloons::META.streams);
    let mut chooser = Chooser(Words::new(key(seed), "chooser"));
    let mut table = Table::<Doubloons>::open(setup, &mut chance, Keep::Log).unwrap();
    for _ in 0..most {
        if table.outcome().is_some() {
            break;
        }
        let action = choose(&table, &mut chooser, rarity);
        let before = table.clone();
        if let Err(stop) = table.play(&action, &mut chance) {
            panic!("{options} {seed}: offered {action:?}, but {stop:?}");
        }
        each(&before, &table, &action);
    }
}

const OPTIONS: [&str; 4] = [
    r#"{"players": 2}"#,
    r#"{"players": 3, "map": "generated"}"#,
    r#"{"players": 4}"#,
    r#"{"players": 6, "map": "generated"}"#,
];

/// Invariants 1 to 11, 13, 15, 21 and 29 of a state.
fn check_state(setup: &Setup, state: &State) {
    let ids: Vec<u32> = state.units.iter().map(|unit| unit.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "2: ids are unique and rise");
    assert!(ids.last().is_none_or(|&last| last < state.next_unit), "2: ids are not used again");
    for unit in &state.units {
        let place = setup.map.place(unit.at);
        let terrain = place.terrain;
        assert_ne!(terrain, Terrain::Treacherous, "3");
        if unit.kind.is_ship() {
            assert!(place.open_to_ships && unit.aboard == 0, "3, 5: {unit:?}");
        } else if unit.aboard == 0 {
            assert!(terrain.land_cost().is_some(), "3: {unit:?}");
        } else {
            let ship = state.unit(unit.aboard).expect("5: the ship is in play");
            assert_eq!((ship.kind, ship.at, ship.owner), (Kind::Galleon, unit.at, unit.owner), "5");
            assert!(state.cargo(ship.id).count() <= CARGO, "5");
        }
        if unit.kind == Kind::Militia {
            assert_eq!(terrain, Terrain::City, "4");
        }
        if unit.owner.is_none() {
            assert!(place.city > 0 && state.city(place.city).control.is_none(), "8: {unit:?}");
        }
        assert!(unit.owner.is_none_or(|owner| state.playing.contains(owner)), "18.3");
        assert!(unit.points <= unit.kind.points(), "15");
        if unit.is_military() {
            if place.city > 0 {
                assert_eq!(state.city(place.city).control, unit.owner, "6: {unit:?}");
            }
            for other in state.units_at(unit.at).filter(|other| other.owner != unit.owner) {
                assert!(!other.is_military(), "6");
                assert!(unit.owner.is_none(), "7: {unit:?} {other:?}");
            }
        }
    }
    for (at, route) in state.routes.iter().enumerate() {
        let (from, to) = (state.city(route.from), state.city(route.to));
        assert_ne!(route.from, route.to, "10");
        assert_eq!(from.control, Some(route.owner), "10");
        let good = route.good as usize;
        let before = &state.routes[..=at];
        let supply = before.iter().filter(|it| it.from == route.from && it.good == route.good);
        let demand = before.iter().filter(|it| it.to == route.to && it.good == route.good);
        assert!(supply.count() <= usize::from(from.supply[good]), "10");
        assert!(demand.count() <= usize::from(to.demand[good]), "10");
        let friendly =
            to.control.is_none_or(|it| it == route.owner || state.are_friends(route.owner, it));
        assert!(friendly, "11");
    }
    if matches!(state.stage, Stage::Bid) {
        assert_eq!(state.favor, None, "13: none survives a round end");
    }
    for player in setup.all() {
        let all = state.cities_of(player) as usize == state.cities.len();
        assert!(!all || state.ended.is_some(), "29");
        let nothing = state.cities_of(player) == 0 && state.units_of(Some(player)).count() == 0;
        assert!(!nothing || !state.playing.contains(player) || state.ended.is_some(), "18.3");
    }
    if state.stage.is_main() {
        let order: Vec<Player> = state.order.iter().collect();
        for player in state.playing.iter() {
            assert_eq!(order.iter().filter(|&&it| it == player).count(), 1, "21");
        }
    }
}

/// Invariants 2, 12, 14, 16 to 20 and 22 of a step, read off its events.
fn check_step(before: &Table<Doubloons>, after: &Table<Doubloons>) {
    let skip = before.log().unwrap().events.len();
    let setup = after.setup();
    let mut created = 0;
    let mut destroyed = 0;
    let mut thrown: Vec<u32> = Vec::new();
    let mut fallen: Vec<u32> = Vec::new();
    for logged in &after.log().unwrap().events[skip..] {
        let Event::Public(fact) = &logged.event else { continue };
        match fact {
            Happening::UnitCreated { .. } => created += 1,
            Happening::UnitDestroyed { unit, .. } | Happening::UnitCaptured { unit, .. } => {
                destroyed += 1;
                fallen.push(*unit);
            }
            Happening::UnitsDisbanded { units, .. } => destroyed += units.len(),
            Happening::AttackDeclared { units, .. } => {
                thrown.clear();
                for &id in units {
                    let unit = before.state().unit(id).unwrap();
                    assert!(!before.state().is_held(unit), "16");
                    assert_ne!(unit.kind, Kind::Militia, "16");
                    assert!(!(unit.kind == Kind::Cannon && unit.moved), "16");
                    assert!(!unit.attacked || unit.kind == Kind::Officer, "16");
                }
            }
            Happening::BattleDie { unit, target, .. } => {
                assert!(!thrown.contains(unit), "18: one die a battle");
                assert!(!fallen.contains(unit), "17: what fell throws no more");
                let of = |id: u32| before.state().unit(id).unwrap();
                assert!(of(*unit).is_military(), "18");
                assert!(!fallen.contains(target), "18: the target is there");
                thrown.push(*unit);
            }
            Happening::BidsRevealed { bids, .. } => {
                for (player, bid) in bids.iter() {
                    assert!(*bid <= before.state().gold(*player), "19");
                }
            }
            Happening::DealDone { .. } => {
                let sum = |state: &State| state.gold.iter().map(|&it| u64::from(it)).sum::<u64>();
                let out = setup.all().any(|it| {
                    before.state().playing.contains(it) && !after.state().playing.contains(it)
                });
                if after.state().stage == Stage::Trading && !out {
                    assert_eq!(sum(before.state()), sum(after.state()), "20");
                }
            }
            _ => {}
        }
    }
    let (was, is) = (before.state().units.len(), after.state().units.len());
    assert_eq!(was + created, is + destroyed, "2: created = in play + destroyed");
    let routes_over = before.state().stage == Stage::Routes
        && after.state().stage == Stage::Diplomacy
        && before.state().active == after.state().active;
    if let (true, Some(active)) = (routes_over, after.state().active) {
        assert_eq!(ch15_routes::own_routes(setup, after.state(), active), [], "12");
    }
    for (city, marks) in after.state().cities.iter().enumerate() {
        let over = |until: u32| until == 0 || after.state().round <= until;
        let fresh = over(marks.no_income_until)
            && over(marks.no_recruit_until)
            && over(marks.protected_until);
        assert!(fresh, "22: {city}");
    }
}

#[test]
fn invariants_hold_in_random_play() {
    for options in OPTIONS {
        for seed in ["one", "two", "three"] {
            play(options, seed, 900, |before, after, action| {
                check_state(after.setup(), after.state());
                check_step(before, after);
                let _ = action;
            });
        }
    }
}

/// Every selectable reading, each by itself.
#[test]
fn invariants_hold_under_every_reading() {
    for ruling in Doubloons::rulings() {
        for value in &ruling.values[1..] {
            let options = format!(r#"{{"players": 3, "rulings": {{"{}": "{value}"}}}}"#, ruling.id);
            play(&options, ruling.id, 400, |before, after, _| {
                check_state(after.setup(), after.state());
                check_step(before, after);
            });
        }
    }
}

/// 23. What is checked after every step is at rest: checked again, nothing changes.
#[test]
fn a_settled_state_stays() {
    play(OPTIONS[2], "rest", 600, |_, after, _| {
        let mut state = after.state().clone();
        let mut none = umpire_core::chance::explore::Explore::default();
        let mut ctx = super::Ctx::new(after.setup(), &mut state, &mut none, None, 0);
        sequence::settle(&mut ctx);
        assert_eq!(&state, after.state());
    });
}

/// 24. A refused action changes nothing; actions of other states and players are refused.
#[test]
fn refused_actions_leave_no_trace() {
    let mut pool: Vec<Action> = Vec::new();
    play(OPTIONS[2], "refused", 500, |before, _, action| {
        for old in pool.iter().rev().take(6) {
            let mut table = before.clone();
            let mut chance = Seeded::new("try", Doubloons::META.streams);
            match table.play(old, &mut chance) {
                Ok(()) => {}
                Err(Stop::Refused(refusal)) => {
                    assert_eq!(table.state(), before.state());
                    let id = umpire_core::rules::Rule::id(refusal.rule);
                    assert!(id.starts_with("DBD-"), "26");
                }
                Err(stop) => panic!("{stop:?}"),
            }
        }
        pool.push(action.clone());
    });
}

/// 25. Bids in another order give the same state.
#[test]
fn bids_in_any_order_give_the_same_state() {
    let setup = setup(OPTIONS[2]);
    let mut states = Vec::new();
    for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
        let mut chance = Seeded::new("order", Doubloons::META.streams);
        let mut table =
            Table::<Doubloons>::open(setup.clone(), &mut chance, Keep::Nothing).unwrap();
        for at in order {
            let player = Player::at(at);
            let bid = super::action::Bid { player, amount: at as u64 * 3, skip_trading: at == 1 };
            table.play(&Action::Bid(bid), &mut chance).unwrap();
        }
        states.push(table.state().clone());
    }
    assert_eq!(states[0], states[1]);
    assert_eq!(states[0], states[2]);
}

/// 27. Views of two players differ only in bids that are not revealed.
#[test]
fn only_sealed_bids_are_hidden() {
    play(OPTIONS[1], "views", 400, |_, after, _| {
        let spectator = after.view(Observer::Spectator);
        for player in after.setup().all() {
            let mut view = after.view(Observer::Seat(player.seat()));
            view.bids = spectator.bids.clone();
            assert_eq!(view, spectator);
        }
        if after.state().stage != Stage::Bid {
            assert_eq!(after.view(Observer::Referee), spectator);
        }
    });
}

/// The referee's view of a state is a position that gives the same state back.
fn check_position(name: &str, table: &Table<Doubloons>) {
    let view = table.view(Observer::Referee);
    let text = serde_json::to_string(&view).unwrap();
    let position: Position = serde_json::from_str(&text).unwrap();
    let state = match Doubloons::load(table.setup(), position) {
        Ok(state) => state,
        Err(refusal) => panic!("{name}: {}: {} in {text}", refusal.pointer, refusal.message),
    };
    assert_eq!(&state, table.state(), "{name}");
    let mut none = umpire_core::chance::explore::Explore::default();
    let setup = table.setup().clone();
    let resumed = Table::<Doubloons>::resume(setup, state, &mut none, Keep::Nothing).unwrap();
    assert_eq!(resumed.state(), table.state(), "{name}");
    assert_eq!(resumed.outcome(), table.outcome(), "{name}");
    assert_eq!(fingerprint(&resumed.view(Observer::Referee)), fingerprint(&view), "{name}");
    let over = table.state().stage == Stage::GameOver;
    assert_eq!(over, table.outcome().is_some(), "{name}");
}

#[test]
fn every_view_is_a_position() {
    for (options, seed) in [(OPTIONS[0], "a"), (OPTIONS[2], "b"), (OPTIONS[3], "c")] {
        play(options, seed, 700, |_, after, _| check_position(seed, after));
    }
}

/// Short games in which many leave or agree to stop, up to their end.
#[test]
fn every_view_up_to_the_end_is_a_position() {
    let mut ended = 0;
    for options in OPTIONS {
        for seed in ["d", "e", "f", "g", "h", "i"] {
            play_on(options, seed, 300, 12, |_, after, _| {
                check_position(seed, after);
                ended += usize::from(after.outcome().is_some());
            });
        }
    }
    assert!(ended > 12, "{ended} games came to an end");
}

#[test]
fn every_view_under_every_reading_is_a_position() {
    for ruling in Doubloons::rulings() {
        for value in &ruling.values[1..] {
            let options = format!(r#"{{"players": 3, "rulings": {{"{}": "{value}"}}}}"#, ruling.id);
            play_on(&options, ruling.id, 200, 60, |_, after, _| check_position(ruling.id, after));
        }
    }
}

/// 6.3 A deal stays open when what it offers has left the game with another player.
#[test]
fn a_deal_in_vain_stays_open() {
    let actions = [
        r#"{"type": "propose_deal", "player": "p2", "items": [{"kind": "unit", "from": "p2", "to": "p3", "unit": 20}]}"#,
        r#"{"type": "propose_deal", "player": "p2", "items": [{"kind": "unit", "from": "p2", "to": "p1", "unit": 20}]}"#,
        r#"{"type": "respond_deal", "player": "p1", "deal": 2, "accept": true}"#,
        r#"{"type": "resign", "player": "p1"}"#,
    ];
    let position = r#"{"state": {"phase": "trading"},
        "units": [{"id": 20, "type": "diplomat", "owner": "p2", "at": [4, 4]}]}"#;
    let setup = setup(OPTIONS[2]);
    let state = Doubloons::load(&setup, serde_json::from_str(position).unwrap()).unwrap();
    let mut chance = Seeded::new("vain", Doubloons::META.streams);
    let mut table = Table::<Doubloons>::resume(setup, state, &mut chance, Keep::Nothing).unwrap();
    for action in actions {
        table.play(&serde_json::from_str(action).unwrap(), &mut chance).unwrap();
    }
    assert!(table.state().unit(20).is_none());
    assert_eq!(table.state().deals.len(), 1);
    check_position("a deal in vain", &table);
}

/// Every accepted action leaves at least one line in the story of the game.
#[test]
fn every_action_is_told() {
    let mut silent: Vec<String> = Vec::new();
    let is_told = |table: &Table<Doubloons>, from: usize| {
        let mut events = table.log().unwrap().events[from..].iter();
        events.any(|logged| Doubloons::tell(table.setup(), &logged.event).is_some())
    };
    let mut note = |before: &Table<Doubloons>, after: &Table<Doubloons>, action: &Action| {
        if !is_told(after, before.log().unwrap().events.len()) {
            let events = &after.log().unwrap().events[before.log().unwrap().events.len()..];
            let facts: Vec<_> = events.iter().map(|logged| &logged.event).collect();
            silent.push(format!("{action:?}: {facts:?}"));
        }
    };
    for options in OPTIONS {
        play(options, "told", 500, &mut note);
        play_on(options, "told", 200, 12, &mut note);
    }
    for ruling in Doubloons::rulings() {
        for value in &ruling.values[1..] {
            let options = format!(r#"{{"players": 3, "rulings": {{"{}": "{value}"}}}}"#, ruling.id);
            play(&options, "told", 200, &mut note);
        }
    }
    silent.sort();
    assert!(
        silent.is_empty(),
        "{} actions, among them {:#?}",
        silent.len(),
        silent.iter().take(20).collect::<Vec<_>>()
    );
}

/// 15.6 As many routes as possible: compared with trying everything on small cases.
#[test]
fn as_many_routes_as_possible_open() {
    fn most(slots: &[(u32, u32)]) -> u32 {
        let mut best = 0;
        for from in 0..slots.len() {
            if slots[from].0 == 0 {
                continue;
            }
            for to in 0..slots.len() {
                if to != from && slots[to].1 > 0 {
                    let mut rest = slots.to_vec();
                    rest[from].0 -= 1;
                    rest[to].1 -= 1;
                    best = best.max(1 + most(&rest));
                }
            }
            let mut rest = slots.to_vec();
            rest[from].0 -= 1;
            return best.max(most(&rest));
        }
        best
    }
    let setup = setup(OPTIONS[0]);
    let mut chooser = Chooser(Words::new(key("routes"), "chooser"));
    for _ in 0..300 {
        let mut state = State::new(&setup);
        let mut slots = Vec::new();
        for city in [0, 6, 12, 18] {
            let (supply, demand) = (chooser.below(3) as u8, chooser.below(3) as u8);
            state.cities[city].control = Some(Player::P1);
            state.cities[city].supply[Good::Wool as usize] = supply;
            state.cities[city].demand[Good::Wool as usize] = demand;
            slots.push((u32::from(supply), u32::from(demand)));
        }
        let routes = ch15_routes::own_routes(&setup, &state, Player::P1);
        assert_eq!(routes.len() as u32, most(&slots), "{slots:?}");
    }
}

/// A small map for a short war: two homes, three cities between them.
const VALLEY: &str = r#"{"format": "dbd-map/1", "source": "made for whole games", "name": "The Valley", "coords": "axial",
    "legend": {".": "clear", "r": "rough", "d": "difficult", "~": "water", "C": "city"},
    "rows": [{"r": -3, "q": 0, "t": "...."}, {"r": -2, "q": -1, "t": ".r..."}, {"r": -1, "q": -2, "t": "..C.d."},
        {"r": 0, "q": -3, "t": "C..C..C"}, {"r": 1, "q": -3, "t": ".d..C."}, {"r": 2, "q": -3, "t": "...r~"}, {"r": 3, "q": -3, "t": "...~"}],
    "cities": [{"id": 1, "name": "Westgate", "q": -3, "r": 0, "port": false, "seat": 1},
        {"id": 2, "name": "Eastgate", "q": 3, "r": 0, "port": false, "seat": 2},
        {"id": 3, "name": "Midford", "q": 0, "r": 0, "port": false, "seat": null},
        {"id": 4, "name": "Northmill", "q": 0, "r": -1, "port": false, "seat": null},
        {"id": 5, "name": "Southmill", "q": 1, "r": 1, "port": false, "seat": null}],
    "seats": {"2": [1, 2]}}"#;

fn scripts() -> Vec<scripted::Script> {
    use scripted::{Script, Stop};
    let valley = format!(r#"{{"players": 2, "map": {VALLEY}}}"#);
    let script = |name, title, options: &str, seed, stop, as_tape| Script {
        name,
        title,
        options: options.to_owned(),
        seed,
        stop,
        as_tape,
    };
    vec![
        script(
            "G03-the-valley",
            "Two princes fight for a valley until one holds all of it.",
            &valley,
            "valley 1",
            Stop::Never,
            false,
        ),
        script(
            "G04-the-valley-at-a-table",
            "The war for the valley as a table wrote it down, die by die.",
            &valley,
            "valley 1",
            Stop::Never,
            true,
        ),
        script(
            "G05-the-valley-again",
            "Another war for the valley.",
            &valley,
            "valley 2",
            Stop::Never,
            false,
        ),
        script(
            "G06-two-on-the-rose",
            "Two princes on the reference map; the one who is behind resigns.",
            r#"{"players": 2}"#,
            "rose 2",
            Stop::Resign(9),
            false,
        ),
        script(
            "G07-three-on-the-rose",
            "Three princes; whoever is behind resigns until one is left.",
            r#"{"players": 3}"#,
            "rose 3",
            Stop::Resign(8),
            false,
        ),
        script(
            "G08-four-on-the-rose",
            "A long war of four princes, who agree to stop.",
            r#"{"players": 4}"#,
            "rose 4",
            Stop::Agree(26),
            false,
        ),
        script(
            "G09-six-on-a-generated-map",
            "Six princes on a generated map agree to stop.",
            r#"{"players": 6, "map": "generated"}"#,
            "rose 6",
            Stop::Agree(9),
            false,
        ),
    ]
}

/// The whole games come out of the scripted princes as they are stored; with `UMPIRE_PLAY` set
/// they are written anew.
#[test]
fn whole_games_are_played_as_stored() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/doubloons/games");
    for script in scripts() {
        let path = folder.join(format!("{}.json", script.name));
        let played = scripted::fixture(&script);
        if std::env::var_os("UMPIRE_PLAY").is_some() {
            std::fs::write(&path, played.to_string()).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stored["record"]["actions"], played["record"]["actions"], "{}", script.name);
        assert_eq!(stored["expect"], played["expect"], "{}", script.name);
    }
}

/// 2.6 Odd maps are warned of and stay usable.
#[test]
fn odd_maps_are_warned_of() {
    let odd = setup(&format!(r#"{{"players": 2, "map": {VALLEY}}}"#));
    let codes: Vec<_> = Doubloons::oddities(&odd).into_iter().map(|it| it.code).collect();
    assert_eq!(codes, ["cities_adjacent", "city_count"]);
    assert_eq!(Doubloons::oddities(&setup(OPTIONS[0])), []);
}

/// The bytes of a state, its lists included.
fn bytes(state: &State) -> usize {
    size_of::<State>()
        + size_of_val(state.units.as_slice())
        + size_of_val(state.cities.as_slice())
        + size_of_val(state.routes.as_slice())
}

/// The crowded position that the benchmark copies: a hundred units on 25 cities.
#[test]
fn a_crowd_has_the_bytes_that_its_file_says() {
    #[derive(serde::Deserialize)]
    struct Crowd<'a> {
        bytes: usize,
        #[serde(borrow)]
        record: &'a serde_json::value::RawValue,
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path.join("../../fixtures/doubloons/crowd.json")).unwrap();
    let crowd: Crowd<'_> = serde_json::from_str(&text).unwrap();
    let record = RawRecord::read(crowd.record.get().as_bytes()).unwrap();
    let mut loaded = load::<Doubloons>(&record, Limits::default()).unwrap();
    let state = loaded.position.take().unwrap();
    assert_eq!((state.units.len(), state.cities.len()), (100, 25));
    let source = &mut loaded.source;
    let mut table = Table::<Doubloons>::resume(loaded.setup, state, source, Keep::Nothing).unwrap();
    let found = bytes(table.state());
    println!("a hundred units on 25 cities: {found} bytes");
    if cfg!(target_pointer_width = "64") {
        assert_eq!(found, crowd.bytes);
    }
    assert!(found < 16 * 1024);
    table.play(&loaded.actions[0], source).unwrap();
}

/// A state with a hundred units on 25 cities stays small.
#[test]
fn a_full_map_stays_small() {
    let mut largest = 0;
    play(OPTIONS[2], "size", 900, |_, after, _| {
        let state = after.state();
        largest = largest.max(bytes(state));
        assert!(size_of::<super::state::Unit>() <= 24);
    });
    assert!(largest + 100 * 24 < 16 * 1024, "{largest} bytes");
}

/// The ranges that are offered at a position.
fn ranges(position: &str) -> Vec<Range> {
    let setup = setup(OPTIONS[0]);
    let state = Doubloons::load(&setup, serde_json::from_str(position).unwrap()).unwrap();
    let mut chance = Seeded::new("ranges", Doubloons::META.streams);
    let table = Table::<Doubloons>::resume(setup, state, &mut chance, Keep::Nothing).unwrap();
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = table.legal(table.decision().seats.iter().next().unwrap(), &mut listing);
    listing.ranges
}

/// 13.9 Who is held is in no range; 14.4 an officer of any hex next to the target may come along.
#[test]
fn ranges_name_those_who_can() {
    let aboard = r#"{"round": 3, "state": {"phase": "movement", "active": "p1"}, "units": [
        {"id": 20, "type": "galleon", "owner": "p1", "at": [3, 6]},
        {"id": 21, "type": "musketeers", "owner": "p1", "at": [3, 6], "aboard": 20, "held_until": 4},
        {"id": 22, "type": "officer", "owner": "p1", "at": [3, 6], "aboard": 20}]}"#;
    let landing: Vec<_> = ranges(aboard)
        .into_iter()
        .filter_map(|range| match range {
            Range::Disembark { units, .. } => Some(units),
            _ => None,
        })
        .collect();
    assert!(!landing.is_empty() && landing.iter().all(|units| units == &[22]), "{landing:?}");
    let attack = r#"{"round": 3, "state": {"phase": "battle", "active": "p1"}, "units": [
        {"id": 20, "type": "cannon", "owner": "p1", "at": [2, 5]},
        {"id": 21, "type": "officer", "owner": "p1", "at": [2, 5]},
        {"id": 22, "type": "officer", "owner": "p1", "at": [4, 4]},
        {"id": 30, "type": "caravan", "owner": "p2", "at": [3, 4]}]}"#;
    let attacks = ranges(attack).into_iter().find_map(|range| match range {
        Range::Attack { units, .. } => Some(units),
        _ => None,
    });
    assert_eq!(attacks, Some(vec![20, 21, 22]));
}
