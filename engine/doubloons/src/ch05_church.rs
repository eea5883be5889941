//! DBD-5 Church: sealed bids, the favour and its uses.
//!
//! Must not know the actions that a use is part of: DBD-5.8 is `ch16_diplomacy.rs`, DBD-5.11
//! `ch11_production.rs`, DBD-5.12 `ch12_spies.rs`.

use super::action::prince;
use super::action::{Bid, FavorFirst, Keyed, Player, UseFavor};
use super::ch01_terms::becomes_garrison;
use super::ch04_round::start_effect;
use super::ch19_validity::chance::{Stream, throw_die};
use super::event::Event;
use super::notice::{Effect, Happening};
use super::rulebook::{BonusTime, ChurchHold, FavorTime, Guards, LateLead, Rule, ZeroBids};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{SealedBid, Stage, State, Term, Unit};
use super::tables::{FavorUse, Kind};
use super::{Checked, Ctx, Refusal, Verdict, ch17_control, ch19_validity};
use umpire_core::rules::Cites;

/// DBD-5.1 A sealed bid of nothing up to all one's gold.
pub(super) fn check_bid(state: &State, bid: &Bid) -> Checked {
    // Who is not asked any more has bid.
    let stands = |refusal: Refusal| match state.bids[bid.player.index()] {
        Some(_) if state.stage == Stage::Bid => refusal.also(Rule::C5_2),
        _ => refusal,
    };
    ch19_validity::check_is_asked(state, bid.player, Stage::Bid).map_err(stands)?;
    let gold = state.gold(bid.player);
    if bid.amount > u64::from(gold) {
        let message = format!("{} bids {} and has {gold} gold", prince(bid.player), bid.amount);
        let refusal = Refusal::new(Rule::C5_1, "bid_above_gold", message).at("/amount");
        return Err(refusal.fact(format!("gold of {}", prince(bid.player)), gold));
    }
    Ok(())
}

/// DBD-5.2 A bid made stays made, and others see only that it was made.
pub(super) fn make_bid(ctx: &mut Ctx<'_>, bid: &Bid) -> Verdict {
    check_bid(ctx.state(), bid)?;
    let sealed = SealedBid { amount: bid.amount as u32, skip: bid.skip_trading };
    ctx.happen(Event::BidMade { player: bid.player, bid: sealed }, [Rule::C5_1, Rule::C5_2]);
    Ok(())
}

/// DBD-5.3 All bids are in: they are opened, and everybody pays.
pub(super) fn reveal_bids(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    let bonus_of = state.bonus.filter(|&player| state.playing.contains(player));
    let bonus = match (bonus_of, state.bonus_die) {
        (Some(_), 0) => Some(throw_die(ctx, Stream::BidBonus, 6, Rule::C5_5)?),
        (Some(_), die) => Some(die),
        (None, _) => None,
    };
    let mut bids = Vec::new();
    let mut totals = Vec::new();
    let mut away = Vec::new();
    for player in ctx.state().playing.iter() {
        let Some(sealed) = ctx.state().bids[player.index()] else { continue };
        let die = bonus.filter(|_| bonus_of == Some(player));
        bids.push((player, sealed.amount));
        totals.extend(total(ctx.setup(), sealed.amount, die).map(|total| (player, total)));
        away.extend(sealed.skip.then_some(player));
    }
    let bids = Keyed::new(bids);
    let winner = highest(&totals);
    let event = Happening::BidsRevealed { bids, bonus, away };
    let rules = Cites::from(Rule::C5_3);
    let rules = if bonus.is_some() { rules.and(Rule::C5_5) } else { rules };
    let rules = rules.and(Rule::C6_1);
    // Nothing else tells of a tie.
    let rules = if winner.is_none() { rules.and(Rule::C5_4).and(Rule::R19) } else { rules };
    ctx.happen(event.into(), rules);
    if let Some((player, total)) = winner {
        ctx.happen(Happening::FavorWon { player, total }.into(), Rule::C5_4);
    }
    Ok(())
}

/// DBD-5.4, DBD-5.5 What a bid comes to with the die; nothing where DBD-R19 does not count a bid of 0.
pub(super) fn total(setup: &Setup, bid: u32, die: Option<u32>) -> Option<u64> {
    let counts = bid > 0 || setup.rulings.zero_bids == ZeroBids::Count;
    counts.then(|| u64::from(bid) + u64::from(die.unwrap_or(0)))
}

/// DBD-5.4 The one highest total wins; a tie at the top leaves nobody.
pub(super) fn highest(totals: &[(Player, u64)]) -> Option<(Player, u64)> {
    let top = totals.iter().map(|it| it.1).max()?;
    let mut best = totals.iter().filter(|it| it.1 == top);
    let first = best.next().copied();
    first.filter(|_| best.next().is_none())
}

/// DBD-5.6 Whether a player holds the favour and can still use it so.
pub(super) fn holds_favour(state: &State, player: Player, r#use: FavorUse) -> bool {
    state.favor == Some(player) && !state.used.contains(r#use)
}

/// DBD-5.6, DBD-19.9 Only the holder of the unused favour may use it; if nobody won it, that is said first; with DBD-R98 read as `each_once`, each use once.
pub(super) fn check_holds_favour(state: &State, player: Player, r#use: FavorUse) -> Checked {
    if holds_favour(state, player, r#use) {
        return Ok(());
    }
    if state.favor == Some(player) {
        let message = format!(
            "{player} has used the favour {} this round",
            r#use.purpose(),
            player = prince(player)
        );
        let refusal = Refusal::new(Rule::C5_6, "favor_used", message).also(Rule::R98);
        return Err(refusal.fact("use of the favour", r#use));
    }
    if state.unwon.0 {
        let message = "nobody won the favour in this round: no bid was the only highest one";
        let refusal = Refusal::new(Rule::C5_4, "no_favor", message);
        return Err(refusal
            .also(Rule::R19)
            .also(Rule::C5_6)
            .fact("holder of the favour", "nobody"));
    }
    let message =
        format!("{player} does not hold an unused favour of the Church", player = prince(player));
    let holder = state.favor.map_or("nobody", Player::name);
    let refusal =
        Refusal::new(Rule::C5_6, "no_favor", message).fact("holder of the favour", holder);
    // Of a position that is given nobody knows whether the top bids were tied.
    Err(match state.favor {
        Some(_) => refusal,
        None => refusal.also(Rule::C5_4).also(Rule::R19),
    })
}

/// DBD-5.7 An interrupt: while somebody is asked, but not within a mission or a battle; with DBD-R21 read as `own_turn` only in the
/// trading session and the holder's own main turn.
fn check_favour_time(setup: &Setup, state: &State, player: Player) -> Checked {
    let own = setup.rulings.favor_time == FavorTime::AnyTime || state.active == Some(player);
    if state.stage == Stage::Trading || (own && Stage::OWN_PHASES.contains(&state.stage)) {
        return Ok(());
    }
    let message = match own {
        true => format!("the favour cannot be played in the state {}", state.stage),
        false => format!(
            "it is not the main turn of {player}, who holds the favour",
            player = prince(player)
        ),
    };
    let refusal = Refusal::new(Rule::C5_7, "favor_not_now", message).fact("state", state.stage);
    Err(if own { refusal } else { refusal.also(Rule::R21) })
}

/// DBD-5.7 What `use_favor` asks for, with the fields that belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FavourPlay {
    /// The units of a player in a hex are held.
    Hold(At, Player),
    /// A city is protected.
    Protect(u8),
    /// A city turns neutral.
    Neutral(u8),
    /// The holder goes first.
    First,
    /// The holder's next bid has a bonus.
    Bonus,
}

/// DBD-19.2 The fields of each use.
fn check_fields(setup: &Setup, state: &State, it: &UseFavor) -> Checked<FavourPlay> {
    match (it.r#use, it.hex, it.owner, it.city) {
        (FavorUse::HoldStack, Some(hex), Some(owner), None) => {
            ch19_validity::check_player_exists(setup, owner, "/owner")?;
            Ok(FavourPlay::Hold(ch19_validity::check_hex_exists(setup, hex, "/hex")?, owner))
        }
        (FavorUse::ProtectCity | FavorUse::MakeNeutral, None, None, Some(city)) => {
            ch19_validity::check_city_exists(setup, city, "/city")?;
            Ok(match it.r#use {
                FavorUse::ProtectCity => FavourPlay::Protect(city),
                _ => FavourPlay::Neutral(city),
            })
        }
        (FavorUse::First, None, None, None) => Ok(FavourPlay::First),
        (FavorUse::BidBonus, None, None, None) => Ok(FavourPlay::Bonus),
        (FavorUse::Negotiate | FavorUse::ExtraUnit | FavorUse::Negate, ..) => {
            let message = format!("{} is not a use that is played by itself", it.r#use);
            Err(ch19_validity::ill_formed(state, message, "/use"))
        }
        (other, ..) => {
            let message = format!("the fields do not fit the use {other}");
            Err(ch19_validity::ill_formed(state, message, "/use"))
        }
    }
}

/// DBD-5.7 The holder may play the favour so. Gives back what is asked for.
pub(super) fn check_use(setup: &Setup, state: &State, it: &UseFavor) -> Checked<FavourPlay> {
    let asked = check_fields(setup, state, it)?;
    check_holds_favour(state, it.player, it.r#use)?;
    check_favour_time(setup, state, it.player)?;
    match asked {
        FavourPlay::Hold(at, owner) => check_hold(setup, state, it.player, at, owner)?,
        FavourPlay::Neutral(city) => check_can_turn(setup, state, it.player, city, Rule::C5_13)?,
        FavourPlay::First => check_can_lead(state)?,
        FavourPlay::Protect(_) | FavourPlay::Bonus => {}
    }
    Ok(asked)
}

/// DBD-5.7 The holder plays the favour between other actions.
pub(super) fn use_favour(ctx: &mut Ctx<'_>, it: &UseFavor) -> Verdict {
    let asked = check_use(ctx.setup(), ctx.state(), it)?;
    let thrown = ctx.setup().rulings.bonus_time == BonusTime::WhenChosen;
    let die = match asked {
        FavourPlay::Bonus if thrown => Some(throw_die(ctx, Stream::BidBonus, 6, Rule::C5_5)?),
        _ => None,
    };
    let used = Happening::FavorUsed { player: it.player, r#use: it.r#use, die };
    let rule = match asked {
        FavourPlay::Hold(..) => Rule::C5_9,
        FavourPlay::Protect(_) => Rule::C5_10,
        FavourPlay::Neutral(_) => Rule::C5_13,
        FavourPlay::First => Rule::C5_14,
        FavourPlay::Bonus => Rule::C5_15,
    };
    ctx.happen(used.into(), [rule, Rule::C5_7, Rule::C5_6]);
    match asked {
        FavourPlay::Hold(at, owner) => hold_stack(ctx, at, owner),
        FavourPlay::Protect(city) => protect_city(ctx, city),
        FavourPlay::Neutral(city) => {
            let turning = ch17_control::Turning::Troops;
            ch17_control::turn_neutral(ctx, city, turning, Rule::C5_13)?;
        }
        FavourPlay::First | FavourPlay::Bonus => {}
    }
    Ok(())
}

/// DBD-5.9 A hex and another player with units there.
fn check_hold(setup: &Setup, state: &State, player: Player, at: At, owner: Player) -> Checked {
    if owner != player && state.units_at(at).any(|unit| unit.owner == Some(owner)) {
        return Ok(());
    }
    let hex = setup.map.place(at).hex;
    let message = if owner == player {
        "the stack must be another player's".to_owned()
    } else {
        format!("{owner} has no unit in {hex}", owner = prince(owner))
    };
    Err(Refusal::new(Rule::C5_9, "no_stack_to_hold", message).at("/hex"))
}

/// DBD-5.9 The units are pinned to the end of the round, wherever they are; with DBD-R85 read as `as_sabotage` they are held.
fn hold_stack(ctx: &mut Ctx<'_>, at: At, owner: Player) {
    let term = ctx.state().term(ctx.setup(), Some(owner), false);
    match ctx.setup().rulings.church_hold {
        ChurchHold::AsSabotage => hold_units(ctx, at, owner, term, Rule::C5_9),
        ChurchHold::MoveAndAttack => pin_units(ctx, at, owner, term),
    }
}

/// DBD-1.9 Pins every unit of an owner in a hex; a longer mark stays.
fn pin_units(ctx: &mut Ctx<'_>, at: At, owner: Player, term: Term) {
    let state = ctx.state();
    let stack = state.units_at(at).filter(|unit| unit.owner == Some(owner));
    let longer = |unit: &&Unit| state.pin(unit.id).longer(term) != state.pin(unit.id);
    let units: Vec<u32> = stack.filter(longer).map(|unit| unit.id).collect();
    if !units.is_empty() {
        let rules = [Rule::C5_9, Rule::C1_9, Rule::C1_5, Rule::R85];
        start_effect(ctx, Effect::Pinned { units }, term, rules);
    }
}

/// DBD-1.9 Holds every unit of an owner in a hex; a longer hold stays.
pub(super) fn hold_units(ctx: &mut Ctx<'_>, at: At, owner: Player, term: Term, rule: Rule) {
    let stack = ctx.state().units_at(at).filter(|unit| unit.owner == Some(owner));
    let units: Vec<u32> =
        stack.filter(|unit| unit.held.longer(term) != unit.held).map(|unit| unit.id).collect();
    if !units.is_empty() {
        let rules = Cites::from([rule, Rule::C1_9, Rule::C1_5]);
        // Another reading of the Church's hold would only pin them, another one of sabotage would, too.
        let ruling = if rule == Rule::C5_9 { Rule::R85 } else { Rule::R43 };
        start_effect(ctx, Effect::Held { units }, term, rules.and(ruling));
    }
}

/// DBD-5.10 No attack on the city until the end of the round.
fn protect_city(ctx: &mut Ctx<'_>, city: u8) {
    let term = ctx.state().term(ctx.setup(), ctx.state().city(city).control, false);
    start_effect(ctx, Effect::Protected { city }, term, Rule::C5_10);
}

/// DBD-5.13 A city of another player, no home city, without troops of its controller but militia.
pub(super) fn check_can_turn(
    setup: &Setup,
    state: &State,
    player: Player,
    city: u8,
    rule: Rule,
) -> Checked {
    let name = &setup.map.site(city).name;
    let message = match state.city(city).control {
        None => format!("{name} is neutral already"),
        Some(owner) if owner == player => {
            format!("{name} is {player}'s own", player = prince(player))
        }
        Some(owner) if state.is_home(setup, city) => {
            let message = match setup.home(owner) == city {
                true => format!("{name} is the home city of {owner}", owner = prince(owner)),
                false => format!("{name} is a home city, whoever holds it"),
            };
            return Err(Refusal::new(rule, "city_cannot_turn", message)
                .at("/city")
                .also(Rule::C17_7)
                .also(Rule::R16));
        }
        Some(owner) => {
            let at = setup.map.site(city).at;
            let mut there = state.units_at(at).filter(|unit| unit.owner == Some(owner));
            let Some(unit) = there.find(|unit| is_guard(setup, unit)) else { return Ok(()) };
            let message = format!("{} guards {name}", unit.title());
            return Err(Refusal::new(rule, "city_cannot_turn", message)
                .at("/city")
                .also(Rule::R26));
        }
    };
    Err(Refusal::new(rule, "city_cannot_turn", message).at("/city"))
}

/// DBD-5.13 Whether a unit of the controller is a garrison that keeps its city from turning: troops
/// but militia are; with DBD-R26 read as `any_unit`, every other unit is too, and read as `literal` every one that fights
/// there as a garrison (DBD-14.7).
fn is_guard(setup: &Setup, unit: &Unit) -> bool {
    let counts = match setup.rulings.guards {
        Guards::Military => unit.is_military(),
        Guards::AnyUnit => true,
        Guards::Literal => becomes_garrison(&setup.rulings, unit.kind),
    };
    counts && unit.kind != Kind::Militia
}

/// DBD-5.14 Only in the trading session.
fn check_can_lead(state: &State) -> Checked {
    if state.stage == Stage::Trading {
        return Ok(());
    }
    let message = "the turn order is thrown already".to_owned();
    let refusal = Refusal::new(Rule::C5_14, "too_late_to_lead", message).also(Rule::R101);
    Err(refusal.fact("state", state.stage))
}

/// DBD-5.14 With DBD-R101 read as `after_roll`, who is asked after the throw: the holder, unless he or another leads already.
pub(super) fn may_lead_late(setup: &Setup, state: &State) -> Option<Player> {
    let holder = state.favor.filter(|&it| holds_favour(state, it, FavorUse::First))?;
    let late = setup.rulings.late_lead == LateLead::AfterRoll && state.playing.contains(holder);
    late.then_some(holder)
}

/// DBD-5.14 The holder goes first after the throw, or leaves the order as it is.
pub(super) fn lead_late(ctx: &mut Ctx<'_>, it: &FavorFirst) -> Verdict {
    ch19_validity::check_is_asked(ctx.state(), it.player, Stage::FavorFirst)?;
    if it.r#use {
        let used = Happening::FavorUsed { player: it.player, r#use: FavorUse::First, die: None };
        ctx.happen(used.into(), [Rule::C5_14, Rule::R101, Rule::C7_3]);
    }
    Ok(())
}
