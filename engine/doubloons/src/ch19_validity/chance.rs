//! DBD-19.7 Chance: the points of part E, each a stream of its own, and its dice.
//!
//! Must not know what a die decides.

use crate::rulebook::Rule;
use crate::{Ctx, Stop};
use umpire_core::chance::{Ask, What};

/// The random streams, by index.
pub(crate) const STREAMS: &[&str] = &[
    "doubloons.map",
    "doubloons.garrison",
    "doubloons.goods",
    "doubloons.event",
    "doubloons.event_city",
    "doubloons.event_good",
    "doubloons.plague",
    "doubloons.new_garrison",
    "doubloons.bid_bonus",
    "doubloons.turn_order",
    "doubloons.spy",
    "doubloons.mission",
    "doubloons.agent",
    "doubloons.mission_gold",
    "doubloons.battle",
    "doubloons.diplomacy",
];

/// The chance points of part E; each is a stream of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    Map,
    Garrison,
    Goods,
    Event,
    EventCity,
    EventGood,
    Plague,
    NewGarrison,
    BidBonus,
    TurnOrder,
    Spy,
    Mission,
    Agent,
    MissionGold,
    Battle,
    Diplomacy,
}

impl Stream {
    /// The name on a tape: the label without the game.
    pub(crate) fn name(self) -> &'static str {
        let label = STREAMS[self as usize];
        label.split_once('.').map_or(label, |it| it.1)
    }
}

/// Throws a die.
pub(crate) fn throw_die(
    ctx: &mut Ctx<'_>,
    stream: Stream,
    sides: u32,
    rule: Rule,
) -> Result<u32, Stop> {
    let what = What::Die { at: stream.name(), sides };
    ctx.draw(&Ask { stream: stream as u8, what }, rule)
}

/// Picks one of some numbers; gives its index.
pub(crate) fn draw_among(
    ctx: &mut Ctx<'_>,
    stream: Stream,
    values: &[u32],
    rule: Rule,
) -> Result<u32, Stop> {
    let what = What::Among { at: stream.name(), values };
    ctx.draw(&Ask { stream: stream as u8, what }, rule)
}
