//! Chapter 16: diplomacy.

use super::action::{Diplomacy, Player};
use super::ch19_validity::chance::{Stream, die};
use super::notice::Fact;
use super::rulebook::{Recruits, Rule};
use super::setup::Setup;
use super::state::{Phase, State, Unit};
use super::tables::{FavorUse, Kind};
use super::{Checked, Ctx, Refusal, Verdict, ch05_church, ch17_control, ch19_validity};

/// 16.1 to 16.5 Whether a player may negotiate.
pub(super) fn fault(setup: &Setup, state: &State, it: &Diplomacy) -> Checked {
    ch19_validity::city_exists(setup, it.city, "/city")?;
    ch19_validity::asked_fault(state, it.player, Phase::Diplomacy)?;
    if it.favor {
        ch05_church::holder_fault(state, it.player)?;
    }
    place_fault(setup, state, it)?;
    attempt_fault(setup, state, it.city)?;
    price_fault(state, it.player)
}

/// 16.1 In a neutral city where an own diplomat stands who is not held.
fn place_fault(setup: &Setup, state: &State, it: &Diplomacy) -> Checked {
    let site = setup.map.site(it.city);
    if let Some(owner) = state.city(it.city).control {
        let message = format!("{} is not neutral, {owner} controls it", site.name);
        return Err(Refusal::new(Rule::C16_1, "city_not_neutral", message).at("/city"));
    }
    let waits = setup.rulings.recruits == Recruits::NextTurn;
    let mut diplomats = state
        .units_at(site.at)
        .filter(|unit| unit.owner == Some(it.player) && unit.kind == Kind::Diplomat);
    let idle = |unit: &Unit| state.is_held(unit) || (waits && unit.fresh);
    if diplomats.any(|unit| !idle(unit)) {
        return Ok(());
    }
    let message = format!("no diplomat of {} can negotiate in {}", it.player, site.name);
    Err(Refusal::new(Rule::C16_1, "no_diplomat", message).at("/city"))
}

/// 16.3 One attempt per city in a main turn.
fn attempt_fault(setup: &Setup, state: &State, city: u8) -> Checked {
    if !state.city(city).negotiated {
        return Ok(());
    }
    let message = format!("{} has been negotiated for already", setup.map.site(city).name);
    let refusal = Refusal::new(Rule::C16_3, "negotiated_already", message).also(Rule::R75);
    Err(refusal.at("/city"))
}

/// 16.2 An attempt costs one gold.
fn price_fault(state: &State, player: Player) -> Checked {
    if state.gold(player) >= 1 {
        return Ok(());
    }
    let message = format!("{player} has no gold to negotiate with");
    Err(Refusal::new(Rule::C16_2, "no_gold_to_negotiate", message))
}

/// 16.2 One gold and a die; a 1 succeeds. 16.5 By the favour no die is thrown.
pub(super) fn negotiate(ctx: &mut Ctx<'_>, it: &Diplomacy) -> Verdict {
    fault(ctx.setup(), ctx.state(), it)?;
    let Diplomacy { player, city, favor } = *it;
    let (die, success) = if favor {
        let used = Fact::FavorUsed { player, r#use: FavorUse::Negotiate };
        ctx.happen(used.into(), [Rule::C5_8, Rule::C16_5, Rule::C5_6]);
        (None, true)
    } else {
        let throw = die(ctx, Stream::Diplomacy, 6, Rule::C16_2)?;
        (Some(throw), throw == 1)
    };
    let fact = Fact::DiplomacyRolled { player, city, die, success };
    match favor {
        true => ctx.happen(fact.into(), [Rule::C16_5, Rule::C16_2, Rule::C16_1]),
        false => ctx.happen(fact.into(), [Rule::C16_2, Rule::C16_1, Rule::C16_3]),
    }
    if success {
        join(ctx, player, city);
    }
    Ok(())
}

/// 16.4 The city and every neutral unit in it become the player's.
fn join(ctx: &mut Ctx<'_>, player: Player, city: u8) {
    ch17_control::pass(ctx, city, Some(player), [Rule::C16_4, Rule::C17_1, Rule::C17_3]);
    let at = ctx.setup().map.site(city).at;
    let neutral = ctx.state().units_at(at).filter(|unit| unit.owner.is_none());
    let joined: Vec<u32> = neutral.map(|unit| unit.id).collect();
    for unit in joined {
        ctx.happen(Fact::UnitChangedOwner { unit, owner: Some(player) }.into(), Rule::C16_4);
    }
}
