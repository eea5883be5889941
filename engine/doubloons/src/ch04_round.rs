//! DBD-4 Round and events: the event of a round, and the end of a round.
//!
//! Must not lead on: DBD-4.1 is `sequence::run`.

use super::action::Player;
use super::ch03_setup::{meet_garrison, raise_unit};
use super::ch17_control::{Turning, turn_neutral};
use super::ch19_validity::chance::{Stream, draw_among, throw_die};
use super::notice::{Cause, Effect, Happening};
use super::rulebook::{EventCities, EventGoods, Plague, PlagueDice, RebelCities, Rebels, Rule};
use super::setup::Setup;
use super::state::{State, Term, Unit};
use super::tables::{GOODS, Good, Kind, RoundEvent};
use super::{Ctx, Stop, Verdict};
use umpire_core::rules::Cites;

/// DBD-4.2 One die for all players.
pub(super) fn throw_event(ctx: &mut Ctx<'_>) -> Verdict {
    let throw = throw_die(ctx, Stream::Event, 6, Rule::C4_2)?;
    let event = RoundEvent::of_throw(throw);
    ctx.happen(Happening::EventRolled { die: throw, event }.into(), Rule::C4_2);
    match event {
        RoundEvent::Plague => spread_plague(ctx),
        RoundEvent::Surplus => start_surplus(ctx),
        RoundEvent::Scarcity => start_scarcity(ctx),
        RoundEvent::Revolution => start_revolution(ctx),
        RoundEvent::Master => bring_master(ctx),
        RoundEvent::Fortification => fortify_city(ctx),
    }
}

/// DBD-4.3 A random city earns nothing this round and the next, and its units may die.
fn spread_plague(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(city) = draw_city(ctx, Draw::Any, Rule::C4_3)? else { return Ok(()) };
    meet_garrison(ctx, city)?;
    let term = ctx.state().term(ctx.setup(), ctx.state().city(city).control, true);
    start_effect(ctx, Effect::NoIncome { city }, term, [Rule::C4_3, Rule::C4_9]);
    let at = ctx.setup().map.site(city).at;
    let (setup, state) = (ctx.setup(), ctx.state());
    let ill = state.units_at(at).filter(|unit| may_fall_ill(setup, state, city, unit));
    let ill: Vec<(u32, Kind)> = ill.map(|it| (it.id, it.kind)).collect();
    let mut shared = None;
    for (unit, unit_type) in ill {
        // With DBD-R91 read as `one_die`, the first die decides for all.
        let throw = match shared {
            Some(throw) => throw,
            None => throw_die(ctx, Stream::Plague, 6, Rule::C4_3)?,
        };
        if ctx.setup().rulings.plague_dice == PlagueDice::One {
            shared = Some(throw);
        }
        if throw <= 2 {
            let event = Happening::UnitDestroyed {
                unit,
                unit_type,
                cause: Cause::Plague,
                die: Some(throw),
            };
            ctx.happen(event.into(), [Rule::C4_3, Rule::R12, Rule::R91]);
        } else {
            let event = Happening::PlagueSurvived { unit, unit_type, die: throw };
            ctx.happen(event.into(), [Rule::C4_3, Rule::R12, Rule::R91]);
        }
    }
    Ok(())
}

/// DBD-4.3 Whether a unit in the hex of a plague throws: everybody does, with DBD-R12 read
/// otherwise only the controller's units (in a neutral city neutral ones), or only troops.
fn may_fall_ill(setup: &Setup, state: &State, city: u8, unit: &Unit) -> bool {
    match setup.rulings.plague {
        Plague::Everyone => true,
        Plague::Controller => unit.owner == state.city(city).control,
        Plague::Troops => unit.is_military(),
    }
}

/// DBD-1.3 A lasting effect begins.
pub(super) fn start_effect(
    ctx: &mut Ctx<'_>,
    effect: Effect,
    term: Term,
    rules: impl Into<Cites<Rule>>,
) {
    let rules = rules.into();
    // Only another reading counts main turns.
    let rules = if term.of.is_some() { rules.and(Rule::R4) } else { rules };
    let started =
        Happening::EffectStarted { effect, until: Some(term.last), main_turn_of: term.of };
    ctx.happen(started.into(), rules);
}

/// DBD-4.4 A random good earns nothing this round and the next.
fn start_surplus(ctx: &mut Ctx<'_>) -> Verdict {
    let term = ctx.state().term(ctx.setup(), None, true);
    for good in draw_goods(ctx, Rule::C4_4)? {
        start_effect(ctx, Effect::Surplus { good }, term, [Rule::C4_4, Rule::C4_9]);
    }
    Ok(())
}

/// DBD-4.5 A random good earns double this round and the next.
fn start_scarcity(ctx: &mut Ctx<'_>) -> Verdict {
    let term = ctx.state().term(ctx.setup(), None, true);
    for good in draw_goods(ctx, Rule::C4_5)? {
        start_effect(ctx, Effect::Scarcity { good }, term, [Rule::C4_5, Rule::C4_9]);
    }
    Ok(())
}

/// DBD-4.6 A random city that is no home city turns neutral with all units of its controller there.
fn start_revolution(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(city) = draw_city(ctx, Draw::NoHome, Rule::C4_6)? else { return Ok(()) };
    ctx.happen(Happening::Revolution { city }.into(), [Rule::C4_6, Rule::C4_9, Rule::R15]);
    if ctx.state().city(city).control.is_none() {
        return Ok(());
    }
    let turning = match ctx.setup().rulings.rebels {
        Rebels::EveryUnit => Turning::Everybody,
        Rebels::Troops => Turning::Troops,
    };
    turn_neutral(ctx, city, turning, Rule::C4_6)
}

/// DBD-4.7 A random city is taxed one higher for good.
fn bring_master(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(city) = draw_city(ctx, Draw::Any, Rule::C4_7)? else { return Ok(()) };
    let effect = Effect::Master { city };
    let started = Happening::EffectStarted { effect, until: None, main_turn_of: None };
    ctx.happen(started.into(), [Rule::C4_7, Rule::C4_9]);
    Ok(())
}

/// DBD-4.8 A random city gains a militia.
fn fortify_city(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(city) = draw_city(ctx, Draw::Any, Rule::C4_8)? else { return Ok(()) };
    meet_garrison(ctx, city)?;
    let owner = ctx.state().city(city).control;
    let at = ctx.setup().map.site(city).at;
    raise_unit(ctx, Kind::Militia, owner, at, [Rule::C4_8, Rule::C4_9]);
    Ok(())
}

/// DBD-4.9 Which cities an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Draw {
    /// Any.
    Any,
    /// Those that are no home cities.
    NoHome,
}

/// DBD-4.9 Each eligible city is equally likely; nothing is drawn where none is (DBD-R10, DBD-R105).
fn draw_city(ctx: &mut Ctx<'_>, among: Draw, rule: Rule) -> Result<Option<u8>, Stop> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let rebels = among == Draw::NoHome && setup.rulings.rebel_cities == RebelCities::Controlled;
    let controlled = setup.rulings.event_cities == EventCities::Controlled || rebels;
    let eligible: Vec<u32> = (1..=setup.map.cities())
        .filter(|&city| !(among == Draw::NoHome && state.is_home(setup, city)))
        .filter(|&city| !controlled || state.city(city).control.is_some())
        .map(u32::from)
        .collect();
    if eligible.is_empty() {
        return Ok(None);
    }
    let index = draw_among(ctx, Stream::EventCity, &eligible, rule)?;
    Ok(eligible.get(index as usize).map(|&city| city as u8))
}

/// DBD-4.9 19 and 20 are thrown again; with DBD-R11 read as `as_table`, a 19 gives nothing and a 20 two further throws.
fn draw_goods(ctx: &mut Ctx<'_>, rule: Rule) -> Result<Vec<Good>, Stop> {
    let mut goods = Vec::new();
    let mut throws = 1;
    while throws > 0 {
        throws -= 1;
        let throw = throw_die(ctx, Stream::EventGood, 20, rule)?;
        match (Good::of_throw(throw), ctx.setup().rulings.event_goods) {
            (Some(good), _) => goods.push(good),
            (None, EventGoods::Again) => throws += 1,
            (None, EventGoods::AsTable) => throws += if throw == 20 { 2 } else { 0 },
        }
    }
    Ok(goods)
}

/// DBD-1.3 with DBD-R4 read as `main_turns`: the main turn of a player is over, and with it what was
/// counted in his main turns.
pub(super) fn end_main_turn(ctx: &mut Ctx<'_>, player: Player) {
    for effect in lapsing_effects(ctx.state(), |term| term.of == Some(player)) {
        ctx.happen(Happening::EffectEnded { effect }.into(), [Rule::C1_3, Rule::R4]);
    }
}

/// DBD-4.10 An unused favour lapses, marks end, the round number rises.
pub(super) fn end_round(ctx: &mut Ctx<'_>) {
    if let Some(player) = ctx.state().favor {
        ctx.happen(Happening::FavorLapsed { player }.into(), Rule::C4_10);
    }
    let round = ctx.state().round;
    for effect in lapsing_effects(ctx.state(), |_| true) {
        ctx.happen(Happening::EffectEnded { effect }.into(), [Rule::C4_10, Rule::C1_3]);
    }
    ctx.happen(Happening::RoundEnded { round }.into(), Rule::C4_10);
}

/// DBD-4.10 What lasts to this round and no longer, of the terms that end now.
fn lapsing_effects(state: &State, ends: impl Fn(Term) -> bool) -> Vec<Effect> {
    let over = |term: Term| term.last > 0 && term.last <= state.round && ends(term);
    let mut effects = Vec::new();
    for (city, marks) in (1..).zip(&state.cities) {
        let all = [
            (marks.no_income, Effect::NoIncome { city }),
            (marks.no_recruits, Effect::NoRecruits { city }),
            (marks.protected, Effect::Protected { city }),
        ];
        effects.extend(all.into_iter().filter(|it| over(it.0)).map(|it| it.1));
    }
    for at in 0..GOODS {
        let good = Good::ALL[at];
        let marks = &state.goods[at];
        effects.extend(over(marks.surplus).then_some(Effect::Surplus { good }));
        effects.extend(over(marks.scarcity).then_some(Effect::Scarcity { good }));
    }
    let units: Vec<u32> = state.units.iter().filter(|it| over(it.held)).map(|it| it.id).collect();
    if !units.is_empty() {
        effects.push(Effect::Held { units });
    }
    let units: Vec<u32> = state.pins.iter().filter(|it| over(it.1)).map(|it| it.0).collect();
    if !units.is_empty() {
        effects.push(Effect::Pinned { units });
    }
    effects
}
