//! DBD-3 Setup: gold, militia, garrisons and goods.
//!
//! Must not know what comes after it: `sequence.rs` does. DBD-3.1 is `State::start` and `setup.rs`,
//! which gives the players their home cities; DBD-3.7 is checked there.

use super::action::{Keyed, Player};
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::Rule;
use super::setup::GoodLists;
use super::setup::map::At;
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
        let (count, rule) = match ctx.setup().stated.garrisons.get(&city) {
            Some(&stated) => (u32::from(stated), Rule::C3_7),
            None => (throw_die(ctx, Stream::Garrison, 6, Rule::C3_3)?, Rule::C3_3),
        };
        let at = ctx.setup().map.site(city).at;
        for _ in 0..count {
            raise_unit(ctx, Kind::Militia, None, at, rule);
        }
    }
    Ok(())
}

/// DBD-3.4 Three throws for what each city supplies, three for what it demands.
fn throw_goods(ctx: &mut Ctx<'_>) -> Verdict {
    let mut all = Vec::new();
    for city in 1..=ctx.setup().map.cities() {
        let lists = match ctx.setup().stated.goods.get(&city) {
            Some(stated) => stated.clone(),
            None => GoodLists { supply: throw_list(ctx)?, demand: throw_list(ctx)? },
        };
        all.push((city, lists));
    }
    let goods = Keyed::new(all);
    ctx.happen(Happening::SetupDone { goods }.into(), [Rule::C3_4, Rule::C3_5, Rule::C3_1]);
    Ok(())
}

/// DBD-3.5 A 19 gives nothing, a 20 two further throws at once.
fn throw_list(ctx: &mut Ctx<'_>) -> Result<Vec<Good>, Stop> {
    let mut list = Vec::new();
    let mut throws = 3;
    while throws > 0 {
        throws -= 1;
        match throw_die(ctx, Stream::Goods, 20, Rule::C3_4)? {
            20 => throws += 2,
            throw => list.extend(Good::of_throw(throw)),
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
