//! Where the game stands, and what is under way: bids, deals, a mission, a battle.
//!
//! Must not repair anything, like `table.rs`.

use super::super::action::prince;
use std::ops::ControlFlow;

use super::data::Position;
use super::table::{check_in_game, check_number, check_players, check_reading};
use crate::action::{DealItem, Player, PlayerSet};
use crate::rulebook::{Declaring, Defenders, Losses, Rule};
use crate::setup::Setup;
use crate::state::{Deal, Ended, Fight, Order, SealedBid, Spying, Stage, State};
use crate::tables::{BATTLE_STEPS, Kind, Mission};
use crate::view::{BattleView, BidLine, BidView, DealView, EndedView, MissionView, StateView};
use crate::{
    Checked, Refusal, ch05_church, ch06_trading, ch08_upkeep, ch12_spies, ch14_battle,
    ch19_validity,
};

/// Phase, active player and order.
pub(super) fn load_phase(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    let StateView { phase: stage, active, ref order, .. } = it.state;
    let listed = check_players(setup, order, "/state/order")?;
    state.stage = stage;
    let bad_turn = |message: String, at: &'static str| {
        Refusal::new(Rule::C19_2, "bad_turn", message).at(at).invariant(21).public()
    };
    match (active, stage.is_main()) {
        (Some(player), true) => check_in_game(setup, state, player, "/state/active")?,
        (None, true) => {
            return Err(bad_turn(format!("the state {stage} needs a player"), "/state/active"));
        }
        (Some(_), false) if stage != Stage::GameOver => {
            return Err(bad_turn(
                format!("nobody is active in the state {stage}"),
                "/state/active",
            ));
        }
        _ => {}
    }
    state.active = active;
    if stage.is_main() && listed.is_empty() {
        let players: Vec<Player> = state.playing.iter().collect();
        state.order = Order::new(&players);
    } else {
        let complete = listed.holds(state.playing);
        let thrown = stage.is_main() || stage == Stage::FavorFirst;
        if thrown && !complete {
            return Err(bad_turn("the order leaves a player out".to_owned(), "/state/order"));
        }
        if !thrown && stage != Stage::GameOver && !listed.is_empty() {
            let message = format!(
                "the turn order of a round is thrown after its trading session, so there is none in \
                 the state {stage}"
            );
            return Err(bad_turn(message, "/state/order").also(Rule::C7_1));
        }
        state.order = Order::new(order);
    }
    match (stage == Stage::GameOver, it.ended) {
        (true, Some(EndedView { winner, reason })) => {
            winner.map_or(Ok(()), |it| ch19_validity::check_player_exists(setup, it, "/ended"))?;
            state.ended = Some(Ended { winner, reason });
        }
        (false, None) => {}
        _ => {
            let message = "the state game_over and an end go together".to_owned();
            return Err(Refusal::new(Rule::C19_2, "bad_end", message).at("/ended").public());
        }
    }
    Ok(())
}

/// Bids, deals, unpaid upkeep, missions and battles that are under way.
pub(super) fn load_pending(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    let misplaced = |what: &str, at: &'static str| {
        let message = format!("{what} does not fit the state {}", it.state.phase);
        Refusal::new(Rule::C19_2, "does_not_fit_the_state", message).at(at).public()
    };
    let stage = it.state.phase;
    if !it.bids.is_empty() && stage != Stage::Bid {
        return Err(misplaced("a bid", "/bids"));
    }
    if (!it.away.is_empty() || !it.deals.is_empty()) && stage != Stage::Trading {
        return Err(misplaced("a trading session", "/deals"));
    }
    for &(player, bid) in it.bids.iter() {
        let at = format!("/bids/{player}");
        check_in_game(setup, state, player, &at)?;
        let BidView::Open(BidLine { amount, skip_trading }) = bid else {
            let message = "a position holds the referee's view, with every bid".to_owned();
            return Err(Refusal::new(Rule::C19_2, "sealed_bid", message).at(at).public());
        };
        if amount > state.gold(player) {
            let message = format!("{player} bids {amount} and has less", player = prince(player));
            return Err(Refusal::new(Rule::C19_2, "bid_above_gold", message)
                .at(at)
                .invariant(1)
                .public());
        }
        state.bids[player.index()] = Some(SealedBid { amount, skip: skip_trading });
    }
    state.next_deal = check_number(it.next_deal.max(1), "/next_deal")?;
    for (at, given) in it.deals.iter().enumerate() {
        load_deal(setup, state, given, &format!("/deals/{at}"))?;
    }
    if (it.disband > 0) != (stage == Stage::Disband) {
        return Err(misplaced("the number of units to disband", "/disband"));
    }
    state.owed = it.disband;
    if stage == Stage::PayUpkeep && !ch08_upkeep::may_decline(setup, state) {
        return Err(misplaced("a choice of upkeep", "/state/phase").also(Rule::R90));
    }
    if stage == Stage::FavorFirst && ch05_church::may_lead_late(setup, state).is_none() {
        return Err(misplaced("the lead after the throw", "/state/phase").also(Rule::R101));
    }
    match (matches!(stage, Stage::SpyTarget | Stage::FavorNegate), it.mission) {
        (true, Some(given)) => load_mission(setup, state, given)?,
        (false, None) => {}
        _ => return Err(misplaced("a mission", "/mission")),
    }
    match (matches!(stage, Stage::DeclareTargets | Stage::Advance), &it.battle) {
        (true, Some(given)) => load_battle(setup, state, given),
        (false, None) => Ok(()),
        _ => Err(misplaced("a battle", "/battle")),
    }
}

/// DBD-6.2, DBD-6.3 An open deal.
fn load_deal(setup: &Setup, state: &mut State, given: &DealView, at: &str) -> Checked {
    for (place, item) in given.items.iter().enumerate() {
        ch06_trading::check_partners_exist(setup, item, &format!("{at}/items/{place}"))?;
        // A unit may have left the game since it was offered: the deal is open (DBD-6.3), in vain.
        if let DealItem::Unit(it) = item
            && !(1..state.next_unit).contains(&it.unit)
        {
            let message = format!("there was never a unit u{}", it.unit);
            return Err(Refusal::new(Rule::C19_2, "bad_unit_id", message)
                .at(format!("{at}/items/{place}/unit"))
                .invariant(2)
                .public());
        }
    }
    let mut parties = PlayerSet::NONE;
    given.items.iter().flat_map(DealItem::between).for_each(|player| parties.insert(player));
    let agreed = check_players(setup, &given.agreed, at)?;
    let last = state.deals.last().map_or(0, |deal| deal.number);
    let sound = parties.holds(agreed)
        && agreed.contains(given.proposer)
        && agreed.len() < parties.len()
        && given.items.iter().all(|item| item.between()[0] != item.between()[1])
        && state.session().holds(parties)
        && last < given.deal
        && given.deal < state.next_deal;
    if !sound {
        let message = format!("deal {} cannot be open so", given.deal);
        return Err(Refusal::new(Rule::C19_2, "bad_deal", message).at(at.to_owned()).public());
    }
    state.deals.push(Deal {
        number: given.deal,
        proposer: given.proposer,
        parties,
        agreed,
        items: std::sync::Arc::new(given.items.clone()),
    });
    Ok(())
}

/// DBD-12.2 to DBD-12.7 A success that is aimed, or about to be.
fn load_mission(setup: &Setup, state: &mut State, given: MissionView) -> Checked {
    let aim = given.mission.zip(given.target);
    let asked = state.stage == Stage::FavorNegate;
    let held =
        || given.target.is_some_and(|it| ch12_spies::church_asked(setup, state, it).is_some());
    let thrown = Mission::of_throw(u32::from(given.die));
    let fits = (1..=10).contains(&given.die)
        && given.mission.is_some() == asked
        && aim.is_some() == asked
        && (!asked || held())
        && aim.is_none_or(|aim| aim.0 == thrown || thrown == Mission::Choose);
    let bad_mission = || {
        Refusal::new(Rule::C19_2, "bad_mission", "the mission cannot stand so")
            .at("/mission")
            .public()
    };
    if !fits {
        return Err(bad_mission());
    }
    state.spying = Some(Spying { left: given.left, roll: given.die, aim });
    let legal = match (aim, state.active) {
        // DBD-12.4 Without a legal target nobody is asked.
        (None, Some(player)) => ch12_spies::has_target(setup, state, player, thrown),
        (Some((mission, target)), Some(player)) => {
            let mut found = false;
            let _ = ch12_spies::each_target(setup, state, player, mission, |it| {
                found |= it == target;
                ControlFlow::Continue(())
            });
            found
        }
        _ => true,
    };
    if legal { Ok(()) } else { Err(bad_mission()) }
}

/// DBD-14.1, DBD-14.10, DBD-14.16 A battle under way.
fn load_battle(setup: &Setup, state: &mut State, given: &BattleView) -> Checked {
    let bad_battle = |message: &'static str, at: &'static str| {
        Refusal::new(Rule::C19_2, "bad_battle", message).at(at).public()
    };
    let target = ch19_validity::check_hex_exists(setup, given.target, "/battle/target")?;
    let rises = |ids: &[u32]| ids.windows(2).all(|pair| pair[0] < pair[1]);
    let own = |id: u32| {
        let unit = state.unit(id).filter(|unit| unit.owner == state.active);
        unit.is_some_and(|unit| setup.map.adjacent(unit.at, target))
    };
    if !rises(&given.units) || !rises(&given.bystanders) {
        return Err(bad_battle("units are listed by rising number", "/battle/units"));
    }
    let militia = |id: &u32| state.unit(*id).is_some_and(|unit| unit.kind == Kind::Militia);
    if given.units.iter().any(militia) {
        return Err(bad_battle("militia does not attack", "/battle/units"));
    }
    if given.units.iter().any(|id| given.bystanders.contains(id)) {
        return Err(bad_battle("a unit takes part and does not", "/battle/bystanders"));
    }
    if !given.units.iter().chain(&given.bystanders).all(|&id| own(id)) {
        return Err(bad_battle(
            "a unit of the attacker stands next to the attacked hex",
            "/battle/units",
        ));
    }
    let all_at_start = setup.rulings.declaring == Declaring::AllAtStart;
    let asked_in = if all_at_start { 0..=0 } else { 1..=BATTLE_STEPS };
    if !asked_in.contains(&given.step) && state.stage != Stage::Advance {
        return Err(bad_battle("steps count from 1 to 7", "/battle/step"));
    }
    if let Some(owner) = given.owner {
        let on = setup.rulings.defenders == Defenders::OneOwner && owner.player() != state.active;
        check_reading(on, Rule::R61, || "/battle/owner".to_owned())?;
    }
    let stands = |&id: &u32| state.unit(id).is_some();
    if !given.hit.is_empty() {
        let on = setup.rulings.losses == Losses::AfterBattle;
        check_reading(on, Rule::R63, || "/battle/hit".to_owned())?;
        if !rises(&given.hit) || !given.hit.iter().all(stands) {
            return Err(bad_battle(
                "units that are hit are there, by rising number",
                "/battle/hit",
            ));
        }
    }
    let fight = Fight {
        target,
        units: given.units.clone(),
        bystanders: given.bystanders.clone(),
        step: given.step,
        declared: None,
        answered: Vec::new(),
        owner: given.owner,
        hit: given.hit.clone(),
        thrown: false,
    };
    if state.stage == Stage::DeclareTargets {
        if let Some(pairs) = &given.declared {
            let side = ch14_battle::attacking(setup, state, &fight, given.step);
            let fits = side.len() == pairs.len()
                && side.iter().zip(pairs).all(|((unit, legal), &(named, target))| {
                    *unit == named && legal.contains(&target)
                });
            if !fits {
                return Err(bad_battle(
                    "every unit that throws has a legal target",
                    "/battle/declared",
                ));
            }
        }
        let side = ch14_battle::defending(setup, state, &fight, given.step);
        let fits = given.answered.iter().enumerate().all(|(at, &(named, target))| {
            let once = given.answered[..at].iter().all(|pair| pair.0 != named);
            once && side.iter().any(|(unit, legal)| *unit == named && legal.contains(&target))
        });
        if !fits {
            return Err(bad_battle(
                "every unit that throws has a legal target",
                "/battle/answered",
            ));
        }
    }
    state.fight = Some(Box::new(Fight {
        declared: given.declared.clone(),
        answered: given.answered.clone(),
        ..fight
    }));
    if state.stage == Stage::Advance && !ch14_battle::may_advance(setup, state) {
        return Err(bad_battle(
            "nobody is asked whether to enter the attacked hex",
            "/battle/target",
        ));
    }
    Ok(())
}
