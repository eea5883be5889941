//! How an event changes the state: the only place that changes it.
//!
//! Must not decide anything: whatever an event says has been judged by a chapter.

use super::Event;
use crate::action::{DealItem, Player, PlayerSet, Target};
use crate::notice::{Effect, Happening};
use crate::rulebook::{
    Attacks, Attempts, Batches, Bribe, Declaring, FavorUseCount, GarrisonTime, GoodsTime, Losses,
    Origins, Pace, Scarcities,
};
use crate::setup::map::At;
use crate::setup::{Setup, slots};
use crate::state::{
    CityGoods, Deal, Ended, FavorUses, Fight, Order, Remark, Route, Spying, Stage, State, Term,
    Unit,
};
use crate::tables::{FavorUse, GOODS, Good, Kind, Mission};
use umpire_core::board::hex::Hex;

/// Changes the state by one event.
pub(crate) fn apply(setup: &Setup, state: &mut State, event: &Event) {
    match event {
        Event::Public(event) => happen(setup, state, event),
        &Event::BidMade { player, bid } => state.bids[player.index()] = Some(bid),
    }
}

/// Changes the state by what happens before all.
fn happen(setup: &Setup, state: &mut State, event: &Happening) {
    match event {
        Happening::SetupDone { goods } => {
            for (city, lists) in goods.iter() {
                let city = &mut state.cities[usize::from(*city) - 1];
                city.supply = slots(&lists.supply).unwrap_or([0; GOODS]);
                city.demand = slots(&lists.demand).unwrap_or([0; GOODS]);
            }
            if setup.rulings.goods_time == GoodsTime::FirstReached {
                for (number, city) in (1..).zip(&mut state.cities) {
                    if goods.get(&number).is_none() {
                        city.goods = CityGoods::Unthrown;
                    }
                }
            }
            if setup.rulings.garrison_time == GarrisonTime::FirstMet {
                for (number, city) in (1..).zip(&mut state.cities) {
                    let stated = setup.stated.garrisons.get(&number).is_some();
                    city.garrison_unthrown = city.control.is_none() && !stated;
                }
            }
        }
        Happening::GoodsThrown { city, goods } => {
            let city = &mut state.cities[usize::from(*city) - 1];
            city.supply = slots(&goods.supply).unwrap_or([0; GOODS]);
            city.demand = slots(&goods.demand).unwrap_or([0; GOODS]);
            city.goods = CityGoods::Thrown;
        }
        Happening::EffectStarted { effect, until, main_turn_of } => {
            let term = Term { last: until.unwrap_or(0), of: *main_turn_of };
            if let Effect::Scarcity { good } = effect
                && setup.rulings.scarcities == Scarcities::EachDoubles
            {
                note_scarcity(state, *good, term);
            } else {
                mark(state, effect, |was| was.longer(term));
            }
        }
        Happening::EffectEnded { effect } => mark(state, effect, |_| Term::NONE),
        &Happening::UnitCreated { unit, unit_type, owner, at, price, extra } => {
            create(setup, state, Unit::new(unit, unit_type, owner, find(setup, at)), price, extra);
        }
        Happening::UnitDestroyed { unit, .. } | Happening::UnitCaptured { unit, .. } => {
            remove(state, *unit)
        }
        &Happening::UnitChangedOwner { unit, owner } => {
            if let Some(at) = state.index(unit) {
                state.units[at].owner = owner;
                state.units[at].origin = 0;
                note_origin(setup, state, at);
            }
        }
        Happening::BidsRevealed { bids, away, .. } => {
            for &(player, bid) in bids.iter() {
                pay(state, player, bid);
            }
            state.bids = [None; 6];
            state.unwon = Remark(true);
            state.bonus = None;
            state.bonus_die = 0;
            state.away = PlayerSet::NONE;
            away.iter().for_each(|&player| state.away.insert(player));
            state.stage = Stage::Trading;
        }
        &Happening::FavorWon { player, .. } => {
            state.favor = Some(player);
            state.unwon = Remark(false);
            state.away.remove(player);
        }
        &Happening::FavorUsed { player, r#use, die } => {
            match setup.rulings.favor_uses {
                FavorUseCount::One => state.favor = None,
                FavorUseCount::EachOnce => state.used.insert(r#use),
            }
            match r#use {
                FavorUse::First if state.stage == Stage::FavorFirst => {
                    let others = state.order.iter().filter(|&it| it != player);
                    state.order =
                        Order::new(&[player].into_iter().chain(others).collect::<Vec<_>>());
                }
                FavorUse::First => state.first = Some(player),
                FavorUse::BidBonus => {
                    state.bonus = Some(player);
                    state.bonus_die = die.unwrap_or(0);
                }
                _ => {}
            }
        }
        Happening::FavorLapsed { .. } => lose_favour(state),
        Happening::DealProposed { deal, by, items } => {
            let mut parties = PlayerSet::NONE;
            items.iter().flat_map(DealItem::between).for_each(|player| parties.insert(player));
            let mut agreed = PlayerSet::NONE;
            agreed.insert(*by);
            state.next_deal = deal + 1;
            state.deals.push(Deal {
                number: *deal,
                proposer: *by,
                parties,
                agreed,
                items: std::sync::Arc::new(items.clone()),
            });
        }
        Happening::DealAccepted { deal, by } => {
            if let Some(open) = state.deals.iter_mut().find(|open| open.number == *deal) {
                open.agreed.insert(*by);
            }
        }
        Happening::DealDone { deal, items } => {
            state.deals.retain(|open| open.number != *deal);
            items.iter().for_each(|item| hand_over(state, item));
        }
        Happening::DealDead { deal } => state.deals.retain(|open| open.number != *deal),
        &Happening::TreatyEnded { between: [a, b] } => {
            state.treaties[a.index()].remove(b);
            state.treaties[b.index()].remove(a);
        }
        Happening::SessionLeft { player } => state.away.insert(*player),
        Happening::TurnOrder { order } => {
            state.order = Order::new(order);
            state.first = None;
        }
        Happening::MainTurnStarted { player } => begin_turn(setup, state, *player),
        Happening::PhaseStarted { phase } => {
            state.stage = *phase;
            if *phase == Stage::TurnOrder {
                state.away = PlayerSet::NONE;
            }
            if *phase == Stage::Movement {
                let active = state.active;
                for unit in state.units.iter_mut().filter(|unit| unit.owner == active) {
                    unit.points = unit.kind.points();
                }
            }
        }
        &Happening::UpkeepPaid { player, paid, owed, .. } => {
            pay(state, player, paid);
            state.owed = owed;
            state.stage = if owed > 0 { Stage::Disband } else { Stage::Upkeep };
        }
        Happening::UnitsDisbanded { units, .. } => {
            units.iter().for_each(|&unit| remove(state, unit));
            state.owed = 0;
        }
        &Happening::Taxes { player, gold } | &Happening::TradeRevenue { player, gold } => {
            gain(state, player, gold);
        }
        Happening::SpyDice { player, dice, successes } => {
            pay(state, *player, dice.len() as u32);
            state.spied = setup.rulings.batches == Batches::One;
            state.spying =
                (*successes > 0).then_some(Spying { left: *successes, roll: 0, aim: None });
        }
        Happening::MissionResult { die, .. } => {
            if let Some(spying) = &mut state.spying {
                spying.left = spying.left.saturating_sub(1);
                spying.roll = *die as u8;
                spying.aim = None;
            }
            state.stage = Stage::SpyTarget;
        }
        &Happening::MissionAimed { mission, target, .. } => {
            if let Some(spying) = &mut state.spying {
                spying.aim = Some((mission, target));
            }
        }
        Happening::MissionFailed { .. } => end_mission(state),
        &Happening::MissionDone { player, mission, target, gained, paid } => {
            pay(state, player, paid);
            gain(state, player, gained);
            match (mission, target) {
                (Mission::Thievery, Target::Player(victim)) => pay(state, victim.player, gained),
                (Mission::Bribery, Target::Stack(stack)) if setup.rulings.bribe == Bribe::Owner => {
                    gain(state, stack.owner, paid);
                }
                _ => {}
            }
            end_mission(state);
        }
        Happening::Moved { units, path, .. } => {
            if setup.rulings.pace == Pace::Slowest {
                set_pace(state, units);
            }
            for &hex in path {
                let at = find(setup, hex);
                units.iter().for_each(|&unit| step(setup, state, unit, at));
            }
        }
        Happening::Embarked { ship, units, .. } => {
            let Some(at) = state.unit(*ship).map(|ship| ship.at) else { return };
            for unit in units {
                let Some(unit) = state.index(*unit).map(|at| &mut state.units[at]) else {
                    continue;
                };
                unit.points = unit.points.saturating_sub(1);
                unit.at = at;
                unit.aboard = *ship;
                unit.embarked = true;
                unit.moved |= unit.kind == Kind::Cannon;
            }
        }
        Happening::Disembarked { units, to, .. } => {
            let at = find(setup, *to);
            for &unit in units {
                if let Some(index) = state.index(unit) {
                    state.units[index].aboard = 0;
                }
                step(setup, state, unit, at);
            }
        }
        Happening::AttackDeclared { target, units, bystanders, owner, .. } => {
            for &unit in units {
                if let Some(at) = state.index(unit) {
                    state.units[at].attacked |= state.units[at].kind != Kind::Officer;
                    let from = state.units[at].at;
                    if setup.rulings.attacks != Attacks::AnyNumber
                        && !state.attacked_from.contains(&from)
                    {
                        state.attacked_from.push(from);
                    }
                }
            }
            state.attacked_from.sort_unstable();
            let mut units = units.clone();
            units.sort_unstable();
            state.fight = Some(Box::new(Fight {
                target: find(setup, *target),
                units,
                bystanders: bystanders.clone(),
                step: 0,
                declared: None,
                answered: Vec::new(),
                owner: *owner,
                hit: Vec::new(),
                thrown: false,
            }));
            state.stage = Stage::DeclareTargets;
        }
        Happening::BattleStep { step } => {
            if let Some(fight) = &mut state.fight {
                fight.step = *step;
                fight.thrown = false;
                // Targets of the whole battle are declared in its step 0.
                if *step == 0 || setup.rulings.declaring != Declaring::AllAtStart {
                    fight.declared = None;
                    fight.answered = Vec::new();
                }
            }
        }
        Happening::BattleDie { target, hit, .. } => {
            if let Some(fight) = &mut state.fight {
                fight.thrown = true;
                if setup.rulings.declaring != Declaring::AllAtStart {
                    fight.answered = Vec::new();
                }
                if *hit
                    && setup.rulings.losses == Losses::AfterBattle
                    && let Err(place) = fight.hit.binary_search(target)
                {
                    fight.hit.insert(place, *target);
                }
            }
        }
        Happening::TargetsDeclared { attacking, targets, .. } => {
            if let Some(fight) = &mut state.fight {
                match attacking {
                    true => fight.declared = Some(targets.clone()),
                    false => fight.answered.extend(targets),
                }
            }
        }
        Happening::BattleEnded { .. } => {
            state.fight = None;
            state.stage = Stage::Battle;
        }
        Happening::Advanced { units, to, .. } => {
            let at = find(setup, *to);
            for &unit in units {
                // Cargo that fought from a port goes ashore.
                if let Some(index) = state.index(unit) {
                    state.units[index].at = at;
                    state.units[index].aboard = 0;
                }
            }
        }
        Happening::RouteOpened { route, merchant } => {
            state.routes.push((*route).into());
            if let Some(at) = merchant.and_then(|merchant| state.index(merchant)) {
                state.units[at].origin = 0;
            }
        }
        Happening::RouteEnded { route } => {
            let route = Route::from(*route);
            if let Some(at) = state.routes.iter().position(|&it| it == route) {
                state.routes.remove(at);
            }
        }
        Happening::DiplomacyRolled { player, city, .. } => {
            pay(state, *player, 1);
            state.cities[usize::from(*city) - 1].negotiated = true;
        }
        &Happening::CityControl { city, to, .. } => {
            state.cities[usize::from(city) - 1].control = to;
            let at = setup.map.site(city).at;
            for index in 0..state.units.len() {
                if state.units[index].at == at {
                    note_origin(setup, state, index);
                }
            }
        }
        Happening::AgreedToEnd { player } => state.agreed.insert(*player),
        Happening::RoundEnded { .. } => end_round(setup, state),
        Happening::PlayerOut { player, .. } => leave(state, *player),
        &Happening::GameEnded { winner, reason } => {
            state.ended = Some(Ended { winner, reason });
            state.stage = Stage::GameOver;
            state.deals.clear();
            state.spying = None;
            state.fight = None;
            state.owed = 0;
            state.bids = [None; 6];
            state.away = PlayerSet::NONE;
            state.first = None;
        }
        Happening::EventRolled { .. }
        | Happening::Revolution { .. }
        | Happening::PlagueSurvived { .. }
        | Happening::OrderThrown { .. }
        | Happening::AgentThrew { .. } => {}
    }
}

/// Events name hexes of the map.
fn find(setup: &Setup, hex: Hex) -> At {
    setup.map.find(hex).unwrap_or(0)
}

/// Gold comes from the bank.
fn gain(state: &mut State, player: Player, gold: u32) {
    let purse = &mut state.gold[player.index()];
    *purse = purse.saturating_add(gold);
}

/// DBD-1.2 Gold goes to the bank; nobody has less than none.
fn pay(state: &mut State, player: Player, gold: u32) {
    let purse = &mut state.gold[player.index()];
    *purse = purse.saturating_sub(gold);
}

/// An effect begins, or ends.
fn mark(state: &mut State, effect: &Effect, change: impl Fn(Term) -> Term) {
    let at = |city: u8| usize::from(city) - 1;
    let set = |term: &mut Term| *term = change(*term);
    match effect {
        Effect::NoIncome { city } => set(&mut state.cities[at(*city)].no_income),
        Effect::NoRecruits { city } => set(&mut state.cities[at(*city)].no_recruits),
        Effect::Protected { city } => set(&mut state.cities[at(*city)].protected),
        Effect::Master { city } => {
            let masters = &mut state.cities[at(*city)].masters;
            *masters = masters.saturating_add(1);
        }
        Effect::Surplus { good } => set(&mut state.goods[*good as usize].surplus),
        Effect::Scarcity { good } => set(&mut state.goods[*good as usize].scarcity),
        Effect::Held { units } => {
            for &unit in units {
                if let Some(at) = state.index(unit) {
                    set(&mut state.units[at].held);
                }
            }
        }
        Effect::Pinned { units } => {
            for &unit in units {
                let term = change(state.pin(unit));
                state.pins.retain(|pin| pin.0 != unit);
                if term != Term::NONE {
                    state.pins.push((unit, term));
                }
            }
            state.pins.sort_unstable_by_key(|pin| pin.0);
        }
    }
}

/// DBD-10.2 With DBD-R107 read as `each_doubles`, every scarcity of a good counts: the longest is its mark, the others stand
/// beside it.
fn note_scarcity(state: &mut State, good: Good, term: Term) {
    let had = state.goods[good as usize].scarcity;
    state.goods[good as usize].scarcity = had.longer(term);
    if state.in_force(had) {
        let shorter = if had.longer(term) == had { term } else { had };
        state.more_scarcities.push((good, shorter.last));
        state.more_scarcities.sort_unstable();
    }
}

/// DBD-13.3 With DBD-R50 read as `slowest`, the points of all who set out fall to the fewest that any of them has.
fn set_pace(state: &mut State, units: &[u32]) {
    let all = units.iter().filter_map(|&unit| state.unit(unit));
    let pace = all.map(|unit| unit.points).min().unwrap_or(0);
    for &unit in units {
        // An order of several parts sets out once.
        let (Err(place), Some(at)) = (state.marched.binary_search(&unit), state.index(unit)) else {
            continue;
        };
        state.marched.insert(place, unit);
        state.units[at].points = pace;
    }
}

/// DBD-11.2 A unit comes into play; one that is paid for, or raised by the favour, is recruited.
fn create(setup: &Setup, state: &mut State, mut unit: Unit, price: u32, extra: bool) {
    state.next_unit = state.next_unit.max(unit.id.saturating_add(1));
    let city = setup.map.place(unit.at).city;
    if let (Some(player), true) = (unit.owner, price > 0 || extra) {
        pay(state, player, price);
        unit.fresh = true;
        if !extra && city > 0 {
            state.cities[usize::from(city) - 1].recruited = true;
        }
        if setup.rulings.origins == Origins::Recruited && unit.kind.is_merchant() {
            unit.recruited_in = city;
        }
    }
    // DBD-R8: what is thrown late appears now.
    if unit.owner.is_none() && city > 0 {
        state.cities[usize::from(city) - 1].garrison_unthrown = false;
    }
    state.units.push(unit);
    note_origin(setup, state, state.units.len() - 1);
}

/// DBD-15.4 A merchant in a city of its owner has that city as origin.
fn note_origin(setup: &Setup, state: &mut State, index: usize) {
    let usual = state.usual_origin(setup, &state.units[index]);
    if usual > 0 {
        state.units[index].origin = usual;
    }
}

/// A unit leaves play; cargo of a ship lost in port is ashore.
fn remove(state: &mut State, id: u32) {
    let Some(at) = state.index(id) else { return };
    let unit = state.units.remove(at);
    state.pins.retain(|pin| pin.0 != id);
    state.marched.retain(|&it| it != id);
    if unit.kind == Kind::Galleon {
        state.units.iter_mut().filter(|it| it.aboard == id).for_each(|it| it.aboard = 0);
    }
    if let Some(fight) = &mut state.fight {
        fight.units.retain(|&it| it != id);
        fight.bystanders.retain(|&it| it != id);
        fight.hit.retain(|&it| it != id);
    }
}

/// DBD-6.3 What changes hands by itself in a deal.
fn hand_over(state: &mut State, item: &DealItem) {
    match item {
        DealItem::Gold(it) => {
            let amount = it.amount as u32;
            pay(state, it.from, amount);
            gain(state, it.to, amount);
        }
        DealItem::Favor(it) => state.favor = Some(it.to),
        DealItem::Treaty(it) => {
            let [a, b] = it.between;
            state.treaties[a.index()].insert(b);
            state.treaties[b.index()].insert(a);
        }
        // Units and cities change hands by facts of their own; a promise changes nothing.
        DealItem::Unit(_) | DealItem::City(_) | DealItem::Promise(_) => {}
    }
}

/// DBD-1.3 A main turn begins: what counts within a turn counts anew.
fn begin_turn(setup: &Setup, state: &mut State, player: Player) {
    state.active = Some(player);
    state.marched.clear();
    state.attacked_from.clear();
    state.spied = false;
    for unit in &mut state.units {
        unit.points = unit.kind.points();
        unit.moved = false;
        unit.attacked = false;
        unit.fresh = false;
        unit.embarked = false;
    }
    for city in &mut state.cities {
        city.recruited = false;
        if setup.rulings.attempts == Attempts::PerPlayer {
            city.negotiated = false;
        }
    }
}

/// DBD-12.2 The success is done; the next one follows, if any is left.
fn end_mission(state: &mut State) {
    state.stage = Stage::Spy;
    match &mut state.spying {
        Some(spying) if spying.left > 0 => {
            spying.roll = 0;
            spying.aim = None;
        }
        _ => state.spying = None,
    }
}

/// A unit enters a neighbouring hex and pays for it; cargo comes along.
fn step(setup: &Setup, state: &mut State, id: u32, to: At) {
    let Some(index) = state.index(id) else { return };
    let unit = &mut state.units[index];
    let terrain = setup.map.place(to).terrain;
    let price = setup.entry_cost(unit.kind, unit.points, terrain).unwrap_or(0);
    unit.points = unit.points.saturating_sub(price);
    unit.at = to;
    unit.moved |= unit.kind == Kind::Cannon;
    let city = setup.map.place(to).city;
    if city > 0 {
        let city = &mut state.cities[usize::from(city) - 1];
        if city.goods == CityGoods::Unthrown {
            city.goods = CityGoods::Reached;
        }
    }
    let unit = &state.units[index];
    if unit.kind == Kind::Galleon {
        for cargo in state.units.iter_mut().filter(|it| it.aboard == id) {
            cargo.at = to;
            cargo.moved |= cargo.kind == Kind::Cannon;
        }
        for at in 0..state.units.len() {
            if state.units[at].aboard == id {
                note_origin(setup, state, at);
            }
        }
    }
    note_origin(setup, state, index);
}

/// DBD-4.10 The round is over.
fn end_round(setup: &Setup, state: &mut State) {
    state.round = state.round.saturating_add(1);
    state.stage = Stage::Event;
    state.active = None;
    state.order = Order::default();
    state.agreed = PlayerSet::NONE;
    state.away = PlayerSet::NONE;
    state.first = None;
    state.unwon = Remark(false);
    state.next_deal = 1;
    let round = state.round;
    state.more_scarcities.retain(|it| round <= it.1);
    if setup.rulings.attempts == Attempts::PerRound {
        state.cities.iter_mut().for_each(|city| city.negotiated = false);
    }
}

/// DBD-18.3 A player is out of the game.
fn leave(state: &mut State, player: Player) {
    if state.active == Some(player) {
        state.owed = 0;
    }
    state.playing.remove(player);
    state.agreed.remove(player);
    state.away.remove(player);
    state.gold[player.index()] = 0;
    state.bids[player.index()] = None;
    state.treaties[player.index()] = PlayerSet::NONE;
    state.treaties.iter_mut().for_each(|partners| partners.remove(player));
    if state.favor == Some(player) {
        lose_favour(state);
    }
    if state.bonus == Some(player) {
        (state.bonus, state.bonus_die) = (None, 0);
    }
    if state.first == Some(player) {
        state.first = None;
    }
}

/// DBD-4.10, DBD-18.3 The favour is gone, whatever was left of it.
fn lose_favour(state: &mut State) {
    state.favor = None;
    state.used = FavorUses::NONE;
}
