//! The invariants of part H as laws of random play, and the stored whole games.

mod games;
mod invariants;
mod listing;
mod scripted;
mod strength;

use std::sync::Arc;

use super::action::Player;
use super::state::{Stage, State};
use super::tables::Good;
use super::{Action, Doubloons, Options, Position, Setup, ch15_routes, sequence};
use games::VALLEY;
use invariants::{check_state, check_step};
use umpire_core::any_game::{AnyGame, Of};
use umpire_core::chance::seeded::{Seeded, Stream as Words, key};
use umpire_core::digest::fingerprint;
use umpire_core::game::{
    ActionRange, Game, Keep, Listing, Observer, Seat, Stop, Table, TableSetup,
};
use umpire_core::record::RawRecord;
use umpire_core::replay::{Limits, load};

pub(crate) fn setup(options: &str) -> Arc<Setup> {
    let options: Options = serde_json::from_str(options).unwrap();
    let mut chance = Seeded::new("invariants", Doubloons::META.streams);
    Arc::new(Setup::new(options, &mut chance).unwrap())
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
        return range.sample(table.setup(), table.state(), &mut chance).unwrap();
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
    for ruling in Setup::rulings() {
        for value in &ruling.values[1..] {
            let options = format!(r#"{{"players": 3, "rulings": {{"{}": "{value}"}}}}"#, ruling.id);
            play(&options, ruling.id, 400, |before, after, _| {
                check_state(after.setup(), after.state());
                check_step(before, after);
            });
        }
    }
}

/// Options with a random reading of every ruling at once.
fn any_readings(seed: &str) -> String {
    let mut chooser = Chooser(Words::new(key(seed), "readings"));
    let picks = Setup::rulings().iter().map(|ruling| {
        let value = ruling.values[chooser.below(ruling.values.len())];
        format!("\"{}\": \"{value}\"", ruling.id)
    });
    format!(r#"{{"players": 3, "rulings": {{{}}}}}"#, picks.collect::<Vec<_>>().join(", "))
}

/// All readings at once, each drawn at random.
#[test]
fn invariants_hold_under_any_readings() {
    for seed in 0..24 {
        let seed = format!("any {seed}");
        play_on(&any_readings(&seed), &seed, 500, 100, |before, after, _| {
            check_state(after.setup(), after.state());
            check_step(before, after);
            check_position(&seed, after);
        });
    }
}

/// 23. What is checked after every step is at rest: checked again, nothing changes.
#[test]
fn a_settled_state_stays() {
    play(OPTIONS[2], "rest", 600, |_, after, _| {
        let mut state = after.state().clone();
        let mut none = umpire_core::chance::explore::Explore::default();
        let mut ctx = super::Ctx::new(after.setup(), &mut state, &mut none, None, 0);
        sequence::settle(&mut ctx, true).unwrap();
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
    for ruling in Setup::rulings() {
        for value in &ruling.values[1..] {
            let options = format!(r#"{{"players": 3, "rulings": {{"{}": "{value}"}}}}"#, ruling.id);
            play_on(&options, ruling.id, 200, 60, |_, after, _| check_position(ruling.id, after));
        }
    }
}

/// DBD-6.3 A deal stays open when what it offers has left the game with another player.
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
        events.any(|logged| logged.tell(table.setup(), Observer::Spectator).is_some())
    };
    let mut note = |before: &Table<Doubloons>, after: &Table<Doubloons>, action: &Action| {
        if !is_told(after, before.log().unwrap().events.len()) {
            let events = &after.log().unwrap().events[before.log().unwrap().events.len()..];
            let events: Vec<_> = events.iter().map(|logged| &logged.event).collect();
            silent.push(format!("{action:?}: {events:?}"));
        }
    };
    for options in OPTIONS {
        play(options, "told", 500, &mut note);
        play_on(options, "told", 200, 12, &mut note);
    }
    for ruling in Setup::rulings() {
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

/// DBD-15.6 As many routes as possible: compared with trying everything on small cases.
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

/// DBD-2.6 Odd maps are warned of and stay usable.
#[test]
fn odd_maps_are_warned_of() {
    let odd = setup(&format!(r#"{{"players": 2, "map": {VALLEY}}}"#));
    let codes: Vec<_> = Setup::oddities(&odd).into_iter().map(|it| it.code).collect();
    assert_eq!(codes, ["cities_adjacent", "city_count"]);
    assert_eq!(Setup::oddities(&setup(OPTIONS[0])), []);
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

/// A list that no game comes to is refused before anything is made of it.
#[test]
fn a_position_with_endless_lists_is_refused() {
    let unit =
        |id: usize| serde_json::json!({"type": "galleon", "id": id, "owner": "p1", "at": [9, 0]});
    for (list, length, entry) in [
        ("units", 4_001, unit as fn(usize) -> serde_json::Value),
        ("treaties", 1_001, |_| serde_json::json!(["p1", "p2"])),
        (
            "routes",
            1_001,
            |_| serde_json::json!({"owner": "p1", "good": "silk", "from": 1, "to": 2}),
        ),
    ] {
        let position = |length: usize| {
            let entries: Vec<_> = (1..=length).map(entry).collect();
            let position =
                serde_json::json!({"round": 3, "state": {"phase": "trading"}, list: entries});
            let position: Position =
                serde_json::from_value(position).expect("the form of a position");
            crate::position::load(&setup("{}"), &position)
        };
        let refused = position(length).expect_err("too many entries");
        assert_eq!(
            (refused.code, refused.pointer.as_str()),
            ("too_many_entries", &*format!("/{list}"))
        );
        let fewer = position(length - 1).err().map(|refused| refused.code);
        assert_ne!(fewer, Some("too_many_entries"), "{list}");
    }
}

/// Sentences bear the names of the players that a record names, to each viewer as he learns of it.
#[test]
fn a_story_names_its_players() {
    let text = r#"{"format":"umpire/1","game":"doubloons","players":{"p1":"Anna"},"chance":{"seed":"a"},
        "actions":[{"type":"bid","player":"p1","amount":3},{"type":"bid","player":"p2","amount":2}]}"#;
    let record = RawRecord::read(text.as_bytes()).expect("a record");
    let game = Of::<Doubloons>::new();
    let lines = |viewer| -> Vec<String> {
        let story = game.story(&record, viewer, Limits::default()).expect("a story");
        story.into_iter().filter(|line| !line.opening).map(|line| line.text).collect()
    };
    let bids = |viewer| lines(viewer).into_iter().take(2).collect::<Vec<_>>();
    assert_eq!(
        bids(Observer::Referee),
        ["Anna bids 3 gold under seal", "Prince 2 bids 2 gold under seal"]
    );
    assert_eq!(
        bids(Observer::Seat(Seat(0))),
        ["Anna bids 3 gold under seal", "Prince 2 bids under seal"]
    );
    assert_eq!(bids(Observer::Spectator), ["Anna bids under seal", "Prince 2 bids under seal"]);
}
