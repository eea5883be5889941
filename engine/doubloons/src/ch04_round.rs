//! Chapter 4: the round: what runs by itself, the event, the end of a round.

use super::ch03_setup::raise;
use super::ch19_validity::chance::{Stream, among, die};
use super::notice::{Cause, Effect, Fact};
use super::rulebook::Rule;
use super::state::State;
use super::tables::{GOODS, Good, Kind, RoundEvent};
use super::{Ctx, Stop, Verdict, ch17_control};

/// 4.2 One die for all players.
pub(super) fn event(ctx: &mut Ctx<'_>) -> Verdict {
    let throw = die(ctx, Stream::Event, 6, Rule::C4_2)?;
    let event = RoundEvent::of_throw(throw);
    ctx.happen(Fact::EventRolled { die: throw, event }.into(), Rule::C4_2);
    match event {
        RoundEvent::Plague => plague(ctx),
        RoundEvent::Surplus => surplus(ctx),
        RoundEvent::Scarcity => scarcity(ctx),
        RoundEvent::Revolution => revolution(ctx),
        RoundEvent::Master => master(ctx),
        RoundEvent::Fortification => fortification(ctx),
    }
}

/// 4.3 A random city earns nothing this round and the next, and its units may die.
fn plague(ctx: &mut Ctx<'_>) -> Verdict {
    let city = random_city(ctx, false, Rule::C4_3)?;
    let until = Some(ctx.state().round.saturating_add(1));
    let effect = Effect::NoIncome { city };
    ctx.happen(Fact::EffectStarted { effect, until }.into(), [Rule::C4_3, Rule::C4_9]);
    let at = ctx.setup().map.site(city).at;
    let ill: Vec<(u32, Kind)> = ctx.state().units_at(at).map(|it| (it.id, it.kind)).collect();
    for (unit, unit_type) in ill {
        let throw = die(ctx, Stream::Plague, 6, Rule::C4_3)?;
        if throw <= 2 {
            let fact =
                Fact::UnitDestroyed { unit, unit_type, cause: Cause::Plague, die: Some(throw) };
            ctx.happen(fact.into(), Rule::C4_3);
        }
    }
    Ok(())
}

/// 4.4 A random good earns nothing this round and the next.
fn surplus(ctx: &mut Ctx<'_>) -> Verdict {
    let good = random_good(ctx, Rule::C4_4)?;
    let until = Some(ctx.state().round.saturating_add(1));
    let effect = Effect::Surplus { good };
    ctx.happen(Fact::EffectStarted { effect, until }.into(), [Rule::C4_4, Rule::C4_9]);
    Ok(())
}

/// 4.5 A random good earns double this round and the next.
fn scarcity(ctx: &mut Ctx<'_>) -> Verdict {
    let good = random_good(ctx, Rule::C4_5)?;
    let until = Some(ctx.state().round.saturating_add(1));
    let effect = Effect::Scarcity { good };
    ctx.happen(Fact::EffectStarted { effect, until }.into(), [Rule::C4_5, Rule::C4_9]);
    Ok(())
}

/// 4.6 A random city that is no home city turns neutral with all units of its controller there.
fn revolution(ctx: &mut Ctx<'_>) -> Verdict {
    let city = random_city(ctx, true, Rule::C4_6)?;
    if ctx.state().city(city).control.is_none() {
        return Ok(());
    }
    ch17_control::turn_neutral(ctx, city, ch17_control::Turning::Everybody, Rule::C4_6)
}

/// 4.7 A random city is taxed one higher for good.
fn master(ctx: &mut Ctx<'_>) -> Verdict {
    let city = random_city(ctx, false, Rule::C4_7)?;
    let effect = Effect::Master { city };
    ctx.happen(Fact::EffectStarted { effect, until: None }.into(), [Rule::C4_7, Rule::C4_9]);
    Ok(())
}

/// 4.8 A random city gains a militia.
fn fortification(ctx: &mut Ctx<'_>) -> Verdict {
    let city = random_city(ctx, false, Rule::C4_8)?;
    let owner = ctx.state().city(city).control;
    let at = ctx.setup().map.site(city).at;
    raise(ctx, Kind::Militia, owner, at, [Rule::C4_8, Rule::C4_9]);
    Ok(())
}

/// 4.9 Each eligible city is equally likely.
fn random_city(ctx: &mut Ctx<'_>, no_homes: bool, rule: Rule) -> Result<u8, Stop> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let eligible: Vec<u32> = (1..=setup.map.cities())
        .filter(|&city| !(no_homes && state.is_home(setup, city)))
        .map(u32::from)
        .collect();
    let index = among(ctx, Stream::EventCity, &eligible, rule)?;
    Ok(eligible.get(index as usize).map_or(1, |&city| city as u8))
}

/// 4.9 19 and 20 are thrown again.
fn random_good(ctx: &mut Ctx<'_>, rule: Rule) -> Result<Good, Stop> {
    loop {
        if let Some(good) = Good::of_throw(die(ctx, Stream::EventGood, 20, rule)?) {
            return Ok(good);
        }
    }
}

/// 4.10 An unused favour lapses, marks end, the round number rises.
pub(super) fn end(ctx: &mut Ctx<'_>) {
    if let Some(player) = ctx.state().favor {
        ctx.happen(Fact::FavorLapsed { player }.into(), Rule::C4_10);
    }
    let round = ctx.state().round;
    for effect in lapsing(ctx.state()) {
        ctx.happen(Fact::EffectEnded { effect }.into(), [Rule::C4_10, Rule::C1_3]);
    }
    ctx.happen(Fact::RoundEnded { round }.into(), Rule::C4_10);
}

fn lapsing(state: &State) -> Vec<Effect> {
    let over = |until: u32| until > 0 && until <= state.round;
    let mut effects = Vec::new();
    for (city, marks) in (1..).zip(&state.cities) {
        let all = [
            (marks.no_income_until, Effect::NoIncome { city }),
            (marks.no_recruit_until, Effect::NoRecruits { city }),
            (marks.protected_until, Effect::Protected { city }),
        ];
        effects.extend(all.into_iter().filter(|it| over(it.0)).map(|it| it.1));
    }
    for at in 0..GOODS {
        let good = Good::ALL[at];
        let marks = &state.goods[at];
        effects.extend(over(marks.surplus_until).then_some(Effect::Surplus { good }));
        effects.extend(over(marks.scarcity_until).then_some(Effect::Scarcity { good }));
    }
    let units: Vec<u32> =
        state.units.iter().filter(|it| over(it.held_until)).map(|it| it.id).collect();
    if !units.is_empty() {
        effects.push(Effect::Held { units });
    }
    effects
}
