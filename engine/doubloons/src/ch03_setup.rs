//! DBD-3 Setup: gold, militia, garrisons and goods.
//!
//! Must not know what comes after it: `sequence.rs` does. DBD-3.1 is `State::start` and `setup.rs`,
//! which gives the players their home cities; DBD-3.7 is checked there.

use super::action::{Keyed, Player};
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::{Doubles, GarrisonTime, GoodsTime, Rule};
use super::setup::GoodLists;
use super::setup::map::At;
use super::state::CityGoods;
use super::tables::{Good, Kind, START_MILITIA};
use super::{Ctx, Stop, Verdict};
use umpire_core::rules::Cites;

/// DBD-3.1 to DBD-3.7 Everything up to round 1.
pub(super) fn set_up(ctx: &mut Ctx<'_>) -> Verdict {
    raise_militia(ctx);
    raise_garrisons(ctx)?;
    throw_goods(ctx)
}

/// DBD-3.2 Each player receives three militia in his home city.
fn raise_militia(ctx: &mut Ctx<'_>) {
    for player in ctx.setup().all() {
        let at = ctx.setup().map.site(ctx.setup().home(player)).at;
        for _ in 0..START_MILITIA {
            raise_unit(ctx, Kind::Militia, Some(player), at, Rule::C3_2);
        }
    }
}

/// DBD-3.3 A die for the militia of each neutral city, unless the record states it (DBD-3.7).
fn raise_garrisons(ctx: &mut Ctx<'_>) -> Verdict {
    let neutral: Vec<u8> = ctx.state().controlled(None).collect();
    for city in neutral {
        match ctx.setup().stated.garrisons.get(&city) {
            Some(&stated) => raise_garrison(ctx, city, u32::from(stated), Rule::C3_7),
            None if ctx.setup().rulings.garrison_time == GarrisonTime::FirstMet => {}
            None => throw_garrison(ctx, city, Rule::C3_3)?,
        }
    }
    Ok(())
}

/// DBD-3.3 A die for the militia of a city.
fn throw_garrison(ctx: &mut Ctx<'_>, city: u8, rules: impl Into<Cites<Rule>>) -> Verdict {
    let count = throw_die(ctx, Stream::Garrison, 6, Rule::C3_3)?;
    raise_garrison(ctx, city, count, rules);
    Ok(())
}

/// DBD-3.3 Neutral militia appear in a city.
fn raise_garrison(ctx: &mut Ctx<'_>, city: u8, count: u32, rules: impl Into<Cites<Rule>>) {
    let (at, rules) = (ctx.setup().map.site(city).at, rules.into());
    for _ in 0..count {
        raise_unit(ctx, Kind::Militia, None, at, rules);
    }
}

/// DBD-3.3 With DBD-R8 read as `first_met`, the garrison of a city is thrown when it is met.
pub(super) fn meet_garrison(ctx: &mut Ctx<'_>, city: u8) -> Verdict {
    match city > 0 && ctx.state().city(city).garrison_unthrown {
        true => throw_garrison(ctx, city, [Rule::C3_3, Rule::R8]),
        false => Ok(()),
    }
}

/// DBD-3.4 Three throws for what each city supplies, three for what it demands; with DBD-R6 read as `first_reached`
/// for home cities alone.
fn throw_goods(ctx: &mut Ctx<'_>) -> Verdict {
    let mut all = Vec::new();
    for city in 1..=ctx.setup().map.cities() {
        let late = ctx.setup().rulings.goods_time == GoodsTime::FirstReached;
        let lists = match ctx.setup().stated.goods.get(&city) {
            Some(stated) => stated.clone(),
            None if late && !ctx.setup().homes.contains(&city) => continue,
            None => throw_lists(ctx)?,
        };
        all.push((city, lists));
    }
    let goods = Keyed::new(all);
    ctx.happen(Happening::SetupDone { goods }.into(), [Rule::C3_4, Rule::C3_5, Rule::C3_1]);
    Ok(())
}

/// DBD-3.4 With DBD-R6 read as `first_reached`, goods are thrown where a player's unit has been or a player is in control.
pub(super) fn throw_late_goods(ctx: &mut Ctx<'_>) -> Verdict {
    if ctx.setup().rulings.goods_time == GoodsTime::Setup {
        return Ok(());
    }
    for city in 1..=ctx.setup().map.cities() {
        let (here, at) = (ctx.state().city(city), ctx.setup().map.site(city).at);
        let met = || ctx.state().units_at(at).any(|unit| unit.owner.is_some());
        let due = match here.goods {
            CityGoods::Thrown => false,
            CityGoods::Unthrown => here.control.is_some() || met(),
            CityGoods::Reached => true,
        };
        if due {
            let goods = throw_lists(ctx)?;
            let event = Happening::GoodsThrown { city, goods };
            ctx.happen(event.into(), [Rule::C3_4, Rule::C3_5, Rule::R6]);
        }
    }
    Ok(())
}

/// DBD-3.4 What a city supplies, then what it demands. DBD-3.6 With DBD-R7 read as `within_list`, it does not demand what it
/// supplies.
fn throw_lists(ctx: &mut Ctx<'_>) -> Result<GoodLists, Stop> {
    let supply = throw_list(ctx, &[])?;
    let demand = match ctx.setup().rulings.doubles {
        Doubles::Both => throw_list(ctx, &[])?,
        Doubles::WithinList => throw_list(ctx, &supply)?,
    };
    Ok(GoodLists { supply, demand })
}

/// DBD-3.5 A 19 gives nothing, a 20 two further throws at once. What is barred is thrown again.
fn throw_list(ctx: &mut Ctx<'_>, barred: &[Good]) -> Result<Vec<Good>, Stop> {
    let mut list = Vec::new();
    let mut throws = 3;
    while throws > 0 {
        throws -= 1;
        match throw_die(ctx, Stream::Goods, 20, Rule::C3_4)? {
            20 => throws += 2,
            throw => match Good::of_throw(throw) {
                Some(good) if barred.contains(&good) => throws += 1,
                good => list.extend(good),
            },
        }
    }
    Ok(list)
}

/// DBD-1.10 A new unit has the next number.
pub(super) fn raise_unit(
    ctx: &mut Ctx<'_>,
    kind: Kind,
    owner: Option<Player>,
    at: At,
    rules: impl Into<Cites<Rule>>,
) {
    let unit = ctx.state().next_unit;
    let at = ctx.setup().map.place(at).hex;
    let event = Happening::UnitCreated { unit, unit_type: kind, owner, at, price: 0, extra: false };
    ctx.happen(event.into(), rules);
}
