//! What a seat has seen stays known: along real games every world that an observer is thought to be in is
//! held against all that he was told, by witnesses that know nothing of how worlds are drawn.
//!
//! A witness hears the notices of one observer in order, as they go over the wire, and keeps what of them is
//! still true. The toys have nothing to remember but what a view shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::walk::{Chooser, fixtures, json_files, menu, option_sets};
use serde_json::Value;
use umpire_engine::analysis::minds::Minds;
use umpire_engine::analysis::random::Random;
use umpire_engine::analysis::search::{InTurn, Params, Position, pick, search};
use umpire_engine::budget::Budget;
use umpire_engine::chance::Chance;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{FullGame, Horizon, Keep, Log, Observer, Table, TableSetup};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, load};

laws! {
    /// No world that an observer is thought to be in contradicts what he was told, and he sees in it what he
    /// sees.
    worlds_fit_what_was_told;
    /// Two worlds that a seat cannot tell apart by what it sees and remembers give the same search.
    searches_use_what_is_known;
}

/// Somebody who heard what an observer was told.
trait Witness {
    /// The observer is told of a fact.
    fn hear(&mut self, told: &Value);
    /// The observer sees the table.
    fn see(&mut self, _view: &Value) {}
    /// What in a world, as the referee sees it, contradicts what was told. `truth` is the real world.
    fn objection(&self, world: &Value, truth: &Value) -> Option<String>;
}

/// Who has nothing to say beyond the view.
struct Silent;

impl Witness for Silent {
    fn hear(&mut self, _: &Value) {}

    fn objection(&self, _: &Value, _: &Value) -> Option<String> {
        None
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// A number of each card.
type Pile = BTreeMap<String, i32>;

fn pile(cards: &Value) -> Pile {
    let mut pile = Pile::new();
    for card in cards.as_array().into_iter().flatten().filter_map(Value::as_str) {
        *pile.entry(card.to_owned()).or_default() += 1;
    }
    pile
}

fn put(pile: &mut Pile, card: &str, by: i32) {
    let count = pile.entry(card.to_owned()).or_default();
    *count += by;
    if *count == 0 {
        pile.remove(card);
    }
}

/// Tokens, cards that go back: who was seen under which token, who paid what for a trail, and which hands are possible at all.
struct AtRapallo {
    units: BTreeMap<String, String>,
    /// Steps, from and to, of which the price tells the Renegade.
    telling: BTreeSet<(String, String)>,
    /// Such steps without a card: who went, and what was paid.
    trails: Vec<(String, u64)>,
    guided: bool,
    decks: [Pile; 2],
    /// Every hand that is possible, by side.
    hands: [BTreeSet<Pile>; 2],
}

const CORSAIRS: [&str; 2] = ["pirates", "rapalline"];

impl AtRapallo {
    /// `by_area`: whether prices go by the area that is entered, and not by the line.
    fn new(components: &Value, by_area: bool) -> Self {
        let list = |key: &str| components[key].as_array().cloned().unwrap_or_default();
        let mut decks = [Pile::new(), Pile::new()];
        for card in list("cards") {
            let side = usize::from(text(&card, "side") != CORSAIRS[0]);
            put(&mut decks[side], text(&card, "id"), card["copies"].as_i64().unwrap_or(0) as i32);
        }
        let map = list("map");
        let is = |id: &Value, kind: &str| {
            map.iter().any(|area| area["id"] == *id && text(area, "kind") == kind)
        };
        let mut telling = BTreeSet::new();
        for area in &map {
            let lines = |key: &str| area[key].as_array().cloned().unwrap_or_default();
            let trails = lines("trails").into_iter().filter(|to| !by_area || is(to, "countryside"));
            let roads = lines("roads").into_iter().filter(|to| by_area && is(to, "countryside"));
            for to in trails.chain(roads) {
                let to = to.as_str().unwrap_or_default().to_owned();
                telling.insert((text(area, "id").to_owned(), to));
            }
        }
        AtRapallo {
            units: BTreeMap::new(),
            telling,
            trails: Vec::new(),
            guided: false,
            decks,
            hands: [BTreeSet::from([Pile::new()]), BTreeSet::from([Pile::new()])],
        }
    }

    fn draw(&mut self, side: usize, card: Option<&str>) {
        let mut more = BTreeSet::new();
        for hand in &self.hands[side] {
            for (drawn, &copies) in &self.decks[side] {
                let held = hand.get(drawn).copied().unwrap_or(0);
                if held < copies && card.is_none_or(|card| card == drawn) {
                    let mut hand = hand.clone();
                    put(&mut hand, drawn, 1);
                    more.insert(hand);
                }
            }
        }
        self.hands[side] = more;
    }

    fn show(&mut self, side: usize, card: &str) {
        put(&mut self.decks[side], card, -1);
        let had = self.hands[side].iter().filter(|hand| hand.contains_key(card)).cloned();
        self.hands[side] = had
            .map(|mut hand| {
                put(&mut hand, card, -1);
                hand
            })
            .collect();
    }
}

impl Witness for AtRapallo {
    fn hear(&mut self, told: &Value) {
        for (unit, token) in
            [("unit", "token"), ("attacker", "attacker_token"), ("defender", "defender_token")]
        {
            let (unit, token) = (text(told, unit), text(told, token));
            if !token.is_empty() && unit != token {
                self.units.insert(token.to_owned(), unit.to_owned());
            }
        }
        let side = usize::from(text(told, "side") != CORSAIRS[0]);
        match text(told, "type") {
            "unit_reduced" => {
                let (old, new) = (text(told, "unit"), text(told, "into"));
                self.units.values_mut().filter(|unit| *unit == old).for_each(|unit| {
                    new.clone_into(unit);
                });
            }
            "moved" if text(told, "token").starts_with('P') && !self.guided => {
                let step = (text(told, "from").to_owned(), text(told, "to").to_owned());
                let paid = told["cost"].as_u64().unwrap_or(0);
                if self.telling.contains(&step) && paid > 0 {
                    self.trails.push((text(told, "token").to_owned(), paid));
                }
            }
            "card_drawn" => self.draw(side, told["card"].as_str()),
            "cards_revealed" => {
                self.guided = text(told, "pirates") == "guida";
                for (side, name) in CORSAIRS.iter().enumerate() {
                    if let Some(card) = told[*name].as_str() {
                        self.show(side, card);
                    }
                }
            }
            "card_returned" => put(&mut self.decks[side], text(told, "card"), 1),
            _ => {}
        }
    }

    fn see(&mut self, view: &Value) {
        for (unit, shown) in view["units"].as_object().into_iter().flatten() {
            if let Some(token) = shown["token"].as_str() {
                self.units.insert(token.to_owned(), unit.clone());
            }
        }
    }

    fn objection(&self, world: &Value, _: &Value) -> Option<String> {
        let units = world["units"].as_object()?;
        let under = |token: &str| {
            let found = units.iter().find(|(_, shown)| text(shown, "token") == token);
            found.map(|(unit, _)| unit.as_str())
        };
        for (token, unit) in &self.units {
            if under(token) != Some(unit) {
                return Some(format!("{token} is {unit}, not {:?}", under(token)));
            }
        }
        for (token, paid) in &self.trails {
            // A renegade that was lost on the way is named by what was told of the loss.
            let light = under(token) == Some("renegade");
            if light != (*paid == 1) {
                return Some(format!("{token} paid {paid}, and is {:?}", under(token)));
            }
        }
        for (side, name) in CORSAIRS.iter().enumerate() {
            let hand = pile(&world["hands"][name]);
            if !self.hands[side].contains(&hand) {
                return Some(format!("the {name} cannot hold {hand:?}"));
            }
        }
        None
    }
}

/// Cards that never go back: the cards that were seen are spent, and the own hand is what came into it and did not leave.
#[derive(Default)]
struct InTheLair {
    spent: [Pile; 2],
    /// The hands whose cards were told; nothing of the others.
    hands: [Option<Pile>; 2],
}

const LAIR: [&str; 2] = ["dragon", "dwarves"];

impl Witness for InTheLair {
    fn hear(&mut self, told: &Value) {
        let side = usize::from(text(told, "side") != LAIR[0]);
        match text(told, "type") {
            kind @ ("hand_dealt" | "cards_drawn") => {
                let Some(cards) = told["cards"]["cards"].as_array() else { return };
                let hand = self.hands[side].get_or_insert_default();
                if kind == "hand_dealt" {
                    hand.clear();
                }
                cards.iter().filter_map(Value::as_str).for_each(|card| put(hand, card, 1));
            }
            "cards_discarded" => {
                for card in told["cards"]["cards"].as_array().into_iter().flatten() {
                    let card = card.as_str().unwrap_or_default();
                    put(&mut self.spent[side], card, 1);
                    self.hands[side].as_mut().into_iter().for_each(|hand| put(hand, card, -1));
                }
            }
            "card_played" | "attack_blocked" => {
                let card = text(told, "card");
                put(&mut self.spent[side], card, 1);
                self.hands[side].as_mut().into_iter().for_each(|hand| put(hand, card, -1));
            }
            _ => {}
        }
    }

    fn objection(&self, world: &Value, truth: &Value) -> Option<String> {
        for (side, name) in LAIR.iter().enumerate() {
            let of = |world: &Value, what: &str| pile(&world[what][name]["cards"]);
            let all = |world: &Value| {
                let mut all = Pile::new();
                for what in ["hands", "decks", "discards"] {
                    of(world, what).iter().for_each(|(card, &count)| put(&mut all, card, count));
                }
                all
            };
            if all(world) != all(truth) {
                return Some(format!("other cards of the {name}"));
            }
            let discards = of(world, "discards");
            for (card, count) in &self.spent[side] {
                if discards.get(card).is_none_or(|lying| lying < count) {
                    return Some(format!("the {name} have spent {card} {count} times"));
                }
            }
            let hand = of(world, "hands");
            if self.hands[side].as_ref().is_some_and(|known| *known != hand) {
                return Some(format!("the {name} do not hold {hand:?}"));
            }
        }
        None
    }
}

/// Sealed bids: everything is open but the sealed bids of others, which never exceed what the bidder has.
#[derive(Default)]
struct InTheChurch {
    /// The last bid of each player, where it was told.
    bids: BTreeMap<String, Value>,
}

impl Witness for InTheChurch {
    fn hear(&mut self, told: &Value) {
        if text(told, "type") == "bid_made" {
            self.bids.insert(text(told, "player").to_owned(), told["bid"].clone());
        }
    }

    fn objection(&self, world: &Value, truth: &Value) -> Option<String> {
        let (mut here, mut there) = (world.clone(), truth.clone());
        let bids = [&mut here, &mut there].map(|view| view["bids"].take());
        if here != there {
            return Some("something open is another".to_owned());
        }
        let mut players = bids.iter().map(|bids| {
            bids.as_object().into_iter().flatten().map(|(name, _)| name).collect::<Vec<_>>()
        });
        if players.next() != players.next() {
            return Some("others have bid".to_owned());
        }
        for (player, bid) in bids[0].as_object().into_iter().flatten() {
            if bid["amount"].as_u64() > world["gold"][player].as_u64() {
                return Some(format!("{player} bids more than he has"));
            }
            let told = self.bids.get(player).filter(|told| !told.is_null());
            if told.is_some_and(|told| told["amount"] != bid["amount"]) {
                return Some(format!("{player} has made another bid"));
            }
        }
        None
    }
}

/// The witness of an observer at the beginning of a game.
fn witness<G: FullGame>(setup: &G::Setup) -> Box<dyn Witness> {
    let Some(kind) = crate::laws::witness::<G>() else { return Box::new(Silent) };
    match kind.as_str() {
        "tokens_and_hands" => {
            let components =
                serde_json::to_value(G::Setup::components(setup)).expect("data serialise");
            let options = serde_json::to_value(G::Setup::options(setup)).expect("options");
            let mut readings = options["rulings"].as_object().into_iter().flatten();
            let by_area = readings.any(|(_, value)| value == "destination");
            Box::new(AtRapallo::new(&components, by_area))
        }
        "hands" => Box::<InTheLair>::default(),
        "bids" => Box::<InTheChurch>::default(),
        other => panic!("{}: {other} is no witness", G::META.id),
    }
}

/// A game with everybody who hears of it.
struct Session<G: FullGame> {
    origin: String,
    table: Table<G>,
    minds: Minds<G>,
    all: Vec<(Observer, Box<dyn Witness>)>,
}

/// What was found in a session.
#[derive(Default)]
struct Count {
    /// Worlds that were held against what was told.
    worlds: usize,
    /// Worlds drawn from the present view alone that contradict what was told.
    forgetful: usize,
}

impl<G: FullGame> Session<G> {
    fn open(origin: String, setup: std::sync::Arc<G::Setup>, chance: &mut dyn Chance) -> Self {
        let minds = Minds::at(&*setup, &G::start(&setup));
        let seats = G::Setup::players(&setup).iter().map(Observer::Seat);
        let all = seats.chain([Observer::Spectator]);
        let all = all.map(|to| (to, witness::<G>(&setup))).collect();
        let opened = Table::<G>::open(setup, chance, Keep::Log);
        let table = opened.unwrap_or_else(|stop| panic!("{origin}: {stop:?}"));
        let mut session = Session { origin, table: table.bare(), minds, all };
        session.tell(table.log().expect("it was kept"));
        session
    }

    fn tell(&mut self, log: &Log<G>) {
        let setup = self.table.setup();
        self.minds.hear(setup, &log.events);
        for (to, witness) in &mut self.all {
            for fact in &log.events {
                if let Some(notice) = G::announce(setup, &fact.event, *to) {
                    witness.hear(&serde_json::to_value(&notice).expect("a notice"));
                }
            }
            witness.see(&serde_json::to_value(self.table.view(*to)).expect("a view"));
        }
    }

    fn play(&mut self, action: &G::Action, chance: &mut dyn Chance) -> bool {
        let Ok(log) = self.table.play_logged(action, chance) else { return false };
        self.tell(&log);
        true
    }

    fn check(&self, worlds: usize, count: &mut Count) {
        let (setup, state) = (self.table.setup(), self.table.state());
        let whole = |state: &G::State| {
            serde_json::to_value(G::view(setup, state, Observer::Referee)).expect("a view")
        };
        let truth = whole(state);
        for (to, witness) in &self.all {
            let origin = format!("{} ply {}, {to:?}", self.origin, self.table.ply());
            assert_eq!(witness.objection(&truth, &truth), None, "{origin}: of the truth");
            let (view, memory) = (self.table.view(*to), self.minds.of(*to));
            let mut dealt = None;
            for number in 0..worlds {
                let mut random = Random::new(&origin, number as u64);
                let mut again = random;
                let world = G::imagine(setup, &view, &memory, &mut random)
                    .unwrap_or_else(|halt| panic!("{origin}: {halt:?}"));
                assert!(G::view(setup, &world, *to) == view, "{origin}: the view is another");
                let dealt = dealt.get_or_insert_with(|| world.clone());
                let redealt = G::redeal(setup, &view, &memory, dealt, &mut again);
                let redealt = redealt.unwrap_or_else(|halt| panic!("{origin}: {halt:?}"));
                assert!(redealt == world, "{origin}: world {number} is dealt in another way");
                assert!(again == random, "{origin}: world {number} asks chance for something else");
                let objection = witness.objection(&whole(&world), &truth);
                assert_eq!(objection, None, "{origin}: world {number}");
                count.worlds += 1;
            }
            let world = G::determinize(setup, &view, &mut Random::new(&origin, 0));
            let world = world.unwrap_or_else(|halt| panic!("{origin}: {halt:?}"));
            count.forgetful += usize::from(witness.objection(&whole(&world), &truth).is_some());
        }
    }
}

mod check {
    use super::*;

    /// Games from the beginning under many options, half of the decisions sensible and half any.
    fn played<G: FullGame>(each: &mut dyn FnMut(&Session<G>)) {
        let sets = option_sets::<G>();
        let step = (sets.len() / 12).max(1);
        let few = std::iter::repeat_n(&sets[0], 4).chain(sets[1..].iter().step_by(step));
        for (number, options) in few.enumerate() {
            let name = format!("memory {number}");
            let mut chance = Seeded::new(&name, G::META.streams);
            let options: G::Options = serde_json::from_str(options).expect("options");
            let Ok(setup) = G::Setup::from_options(options, &mut chance) else { continue };
            let origin = format!("{} {name}", G::META.id);
            let mut session = Session::<G>::open(origin, setup.into(), &mut chance);
            let (mut random, mut chooser) = (Random::new(&name, 0), Chooser::new(&name));
            while session.table.ply() < 160
                && let Some(seat) = session.table.decision().seats.lowest()
            {
                each(&session);
                let sensible = pick(&session.table, seat, &mut random);
                let any = menu(&session.table, seat).pick(&session.table, &mut chooser);
                let any =
                    any.filter(|it| G::prior(session.table.setup(), session.table.state(), it) > 0);
                let action = any.filter(|_| chooser.below(2) == 0).or(sensible).expect("an action");
                assert!(session.play(&action, &mut chance), "{name}: {action:?}");
            }
        }
    }

    /// The stored games that begin at the beginning.
    fn stored<G: FullGame>(each: &mut dyn FnMut(&Session<G>)) {
        for file in json_files(&fixtures(G::META.id).join("games")) {
            let text = std::fs::read_to_string(&file).expect("a fixture can be read");
            let fixture: Value = serde_json::from_str(&text).expect("a fixture is JSON");
            let text = fixture["record"].to_string();
            let Ok(record) = RawRecord::read(text.as_bytes()) else { continue };
            let Ok(loaded) = load::<G>(&record, Limits::default()) else { continue };
            if loaded.position.is_some() {
                continue;
            }
            let mut source = loaded.source;
            let name = file.display().to_string();
            let mut session = Session::<G>::open(name, loaded.setup, &mut source);
            for action in &loaded.actions {
                each(&session);
                if !session.play(action, &mut source) {
                    break;
                }
            }
        }
    }

    pub(super) fn worlds_fit_what_was_told<G: FullGame>() {
        let registered = umpire_engine::games::find(G::META.id).is_some();
        let mut count = Count::default();
        let mut moments = 0;
        let mut look = |session: &Session<G>| {
            moments += 1;
            if moments % 7 == 0 || !registered {
                session.check(4, &mut count);
            }
        };
        played::<G>(&mut look);
        stored::<G>(&mut look);
        let Count { worlds, forgetful } = count;
        println!("{}: {worlds} worlds, {forgetful} contradictions without memory", G::META.id);
        assert!(worlds >= if registered { 3_500 } else { 100 }, "{}: {worlds}", G::META.id);
        // Where there is something to remember, the view alone does not do.
        assert_eq!(forgetful > 0, Minds::<G>::NEEDED, "{}", G::META.id);
    }

    pub(super) fn searches_use_what_is_known<G: FullGame>() {
        let (mut compared, mut moments) = (0, 0);
        played::<G>(&mut |session| {
            moments += 1;
            if moments % 5 != 0 && umpire_engine::games::find(G::META.id).is_some() {
                return;
            }
            let table = &session.table;
            let seat = table.decision().seats.lowest().expect("somebody decides");
            let (to, setup) = (Observer::Seat(seat), table.setup());
            let memory = session.minds.of_seat(seat);
            let origin = format!("{} ply {}", session.origin, table.ply());
            let chance = &mut Random::new(&origin, 0);
            let state = G::imagine(setup, &table.view(to), &memory, chance).expect("a world");
            let other = Table::<G>::resume(setup.clone(), state, chance, Keep::Nothing)
                .unwrap_or_else(|stop| panic!("{origin}: {stop:?}"));
            let found = [table, &other].map(|table| {
                let position = Position::remembered(table, to, memory.clone());
                let params = Params { horizon: Horizon::Actions(20), ..Params::of::<G>(8, "law") };
                search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn)
            });
            assert_eq!(found[0], found[1], "{origin}");
            compared += usize::from(found[0].is_ok());
        });
        let least = if umpire_engine::games::find(G::META.id).is_some() { 200 } else { 10 };
        assert!(compared >= least, "{}: only {compared} moments", G::META.id);
    }
}
