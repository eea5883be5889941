//! DBD-16 Diplomacy: negotiations for neutral cities.
//!
//! Must not know how the favour is won.

use super::action::prince;
use super::action::{Diplomacy, Player};
use super::ch01_terms::stopped_by;
use super::ch03_setup::meet_garrison;
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Stage, State, Unit};
use super::tables::{FavorUse, Kind};
use super::{
    Checked, Ctx, Refusal, Verdict, ch05_church, ch11_production, ch17_control, ch19_validity,
};

/// DBD-16.1 to DBD-16.5 Whether a player may negotiate.
pub(super) fn check_diplomacy(setup: &Setup, state: &State, it: &Diplomacy) -> Checked {
    ch19_validity::check_city_exists(setup, it.city, "/city")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Diplomacy)?;
    if it.favor {
        ch05_church::check_holds_favour(state, it.player, FavorUse::Negotiate)?;
    }
    check_diplomat(setup, state, it)?;
    check_attempt(setup, state, it.city)?;
    check_price(state, it.player)
}

/// DBD-16.1 In a neutral city where an own diplomat stands who is not held.
fn check_diplomat(setup: &Setup, state: &State, it: &Diplomacy) -> Checked {
    let site = setup.map.site(it.city);
    if let Some(owner) = state.city(it.city).control {
        let message =
            format!("{} is not neutral, {owner} controls it", site.name, owner = prince(owner));
        return Err(Refusal::new(Rule::C16_1, "city_not_neutral", message).at("/city"));
    }
    let diplomats = || {
        let own = state.units_at(site.at).filter(|unit| unit.owner == Some(it.player));
        own.filter(|unit| unit.kind == Kind::Diplomat)
    };
    let waits = |unit: &Unit| ch11_production::must_wait(setup, unit);
    if diplomats().any(|unit| !state.is_idle(setup, unit) && !waits(unit)) {
        return Ok(());
    }
    // DBD-19.9 Somebody is there and may not act.
    if let Some(held) = diplomats().find(|unit| state.is_idle(setup, unit)) {
        let (message, rules) = stopped_by(setup, state, held);
        let refusal = Refusal::new(Rule::C16_1, "no_diplomat", message).at("/city");
        return Err(ch19_validity::decided_by(refusal, rules));
    }
    if let Some(fresh) = diplomats().find(|unit| waits(unit)) {
        let message = format!("{} was recruited this turn", fresh.title());
        let refusal = Refusal::new(Rule::C16_1, "no_diplomat", message).at("/city");
        return Err(refusal.also(Rule::C11_4).also(Rule::R39));
    }
    let message = format!("no diplomat of {} is in {}", prince(it.player), site.name);
    Err(Refusal::new(Rule::C16_1, "no_diplomat", message).at("/city"))
}

/// DBD-16.2 An attempt costs one gold.
fn check_price(state: &State, player: Player) -> Checked {
    if state.gold(player) >= 1 {
        return Ok(());
    }
    let message = format!("{player} has no gold to negotiate with", player = prince(player));
    Err(Refusal::new(Rule::C16_2, "no_gold_to_negotiate", message))
}

/// DBD-16.3 One attempt per city in a main turn.
fn check_attempt(setup: &Setup, state: &State, city: u8) -> Checked {
    if !state.city(city).negotiated {
        return Ok(());
    }
    let message = format!("{} has been negotiated for already", setup.map.site(city).name);
    let refusal = Refusal::new(Rule::C16_3, "negotiated_already", message).also(Rule::R75);
    Err(refusal.at("/city"))
}

/// DBD-16.2 One gold and a die; a 1 succeeds. DBD-16.5 By the favour no die is thrown.
pub(super) fn negotiate(ctx: &mut Ctx<'_>, it: &Diplomacy) -> Verdict {
    check_diplomacy(ctx.setup(), ctx.state(), it)?;
    let Diplomacy { player, city, favor } = *it;
    let (die, success) = if favor {
        let used = Happening::FavorUsed { player, r#use: FavorUse::Negotiate, die: None };
        ctx.happen(used.into(), [Rule::C5_8, Rule::C16_5, Rule::C5_6]);
        (None, true)
    } else {
        let throw = throw_die(ctx, Stream::Diplomacy, 6, Rule::C16_2)?;
        (Some(throw), throw == 1)
    };
    let event = Happening::DiplomacyRolled { player, city, die, success };
    match favor {
        true => ctx.happen(event.into(), [Rule::C16_5, Rule::C16_2, Rule::C16_1]),
        false => ctx.happen(event.into(), [Rule::C16_2, Rule::C16_1, Rule::C16_3]),
    }
    if success {
        meet_garrison(ctx, city)?;
        win_city(ctx, player, city);
    }
    Ok(())
}

/// DBD-16.4 The city and every neutral unit in it become the player's.
fn win_city(ctx: &mut Ctx<'_>, player: Player, city: u8) {
    ch17_control::pass_control(ctx, city, Some(player), [Rule::C16_4, Rule::C17_1, Rule::C17_3]);
    let at = ctx.setup().map.site(city).at;
    let neutral = ctx.state().units_at(at).filter(|unit| unit.owner.is_none());
    let joined: Vec<u32> = neutral.map(|unit| unit.id).collect();
    for unit in joined {
        ctx.happen(Happening::UnitChangedOwner { unit, owner: Some(player) }.into(), Rule::C16_4);
    }
}
