//! DBD-13.3 to DBD-13.6 What it takes to enter a hex. The price of a hex is `Setup::entry_cost`.
//!
//! Must not know what happens there.

use crate::action::Player;
use crate::ch01_terms::{closing_rules, is_occupied};
use crate::rulebook::{Cavalry, Pace, Rule};
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::{State, Unit};
use crate::tables::{Kind, Terrain};
use crate::{Checked, Refusal};

/// A unit on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker {
    /// Its type.
    pub kind: Kind,
    /// Its number.
    pub id: u32,
    /// Points left.
    pub points: u8,
}

impl Walker {
    /// Its type and its number.
    fn title(&self) -> String {
        format!("{} u{}", self.kind, self.id)
    }

    /// A unit about to move.
    pub(crate) fn new(unit: &Unit) -> Walker {
        Walker { kind: unit.kind, id: unit.id, points: unit.points }
    }

    /// Pays for a hex it may enter.
    pub(crate) fn pay(&mut self, setup: &Setup, to: At) {
        let price = setup.entry_cost(self.kind, self.points, setup.map.place(to).terrain);
        self.points = self.points.saturating_sub(price.unwrap_or(0));
    }
}

/// DBD-13.3 to DBD-13.6 Whether a group may enter a hex. What is closed to leaders and merchants is closed to troops.
pub(crate) fn may_enter(
    setup: &Setup,
    walkers: &[Walker],
    from: At,
    to: At,
    closed: impl Fn(bool, At) -> bool,
) -> bool {
    let warlike = walkers.iter().any(|it| it.kind.is_military());
    let able = walkers.iter().all(|it| {
        !bars_terrain(setup, it.kind, from, to)
            && !bars_cavalry(setup, it, to)
            && !bars_points(setup, it, to)
    });
    able && !closed(warlike, to)
}

/// DBD-13.3 Each unit pays every hex in full from its own points.
fn bars_points(setup: &Setup, walker: &Walker, to: At) -> bool {
    let price = setup.entry_cost(walker.kind, walker.points, setup.map.place(to).terrain);
    // Militia that are carried have no points and need none (DBD-R55).
    price.is_none_or(|price| walker.points < price && walker.kind != Kind::Militia)
}

/// DBD-13.4 Closed terrain; a ship's step has water or reefs on at least one side.
fn bars_terrain(setup: &Setup, kind: Kind, from: At, to: At) -> bool {
    let (here, there) = (setup.map.place(from), setup.map.place(to));
    if kind.is_ship() {
        !there.open_to_ships || !(here.terrain.is_sea() || there.terrain.is_sea())
    } else {
        there.terrain.land_cost().is_none()
    }
}

/// DBD-13.5 Cavalry enters difficult terrain only with all four points in hand.
fn bars_cavalry(setup: &Setup, walker: &Walker, to: At) -> bool {
    setup.rulings.cavalry == Cavalry::FullFour
        && walker.kind.is_cavalry()
        && setup.map.place(to).terrain == Terrain::Difficult
        && walker.points < 4
}

/// DBD-13.3 to DBD-13.6 Why a unit cannot enter a hex, if it cannot; clauses in the order of
/// DBD-19.5.
pub(crate) fn barring_clause(
    setup: &Setup,
    walker: &Walker,
    from: At,
    to: At,
    closed: &dyn Fn(bool, At) -> bool,
) -> Option<Rule> {
    if bars_terrain(setup, walker.kind, from, to) {
        return Some(Rule::C13_4);
    }
    if bars_cavalry(setup, walker, to) {
        return Some(Rule::C13_5);
    }
    if bars_points(setup, walker, to) {
        return Some(Rule::C13_3);
    }
    closed(walker.kind.is_military(), to).then_some(Rule::C13_6)
}

/// DBD-13.4, DBD-13.5, DBD-13.3, DBD-13.6 in that order: the first clause that any unit breaks at a
/// hex.
pub(super) fn check_hex(
    setup: &Setup,
    state: &State,
    player: Player,
    walkers: &[Walker],
    from: At,
    to: At,
    closed: &dyn Fn(bool, At) -> bool,
) -> Checked {
    let bars = || {
        walkers
            .iter()
            .filter_map(|it| barring_clause(setup, it, from, to, closed).map(|rule| (rule, it)))
    };
    const ORDER: [Rule; 4] = [Rule::C13_4, Rule::C13_5, Rule::C13_3, Rule::C13_6];
    let place = |rule: Rule| ORDER.iter().position(|&it| it == rule);
    let Some((rule, walker)) = bars().min_by_key(|it| place(it.0)) else { return Ok(()) };
    let hex = setup.map.place(to).hex;
    let terrain = setup.map.place(to).terrain;
    let mounted = walker.kind.is_cavalry() && terrain == Terrain::Difficult;
    let closing;
    let (code, also, message): (_, &[Rule], _) = match rule {
        Rule::C13_4 => {
            ("terrain_closed", &[], format!("{terrain} is closed to {}", walker.title()))
        }
        Rule::C13_5 => {
            let message = format!(
                "{} needs all 4 points for {terrain} and has {}",
                walker.title(),
                walker.points
            );
            ("cavalry_needs_full_points", &[Rule::R51], message)
        }
        Rule::C13_3 => {
            let message =
                format!("{} has {} points, too few for {terrain}", walker.title(), walker.points);
            let slow: &[Rule] = match setup.rulings.pace {
                Pace::OwnPoints => &[],
                Pace::Slowest => &[Rule::R50],
            };
            ("too_few_points", if mounted { &[Rule::R51] } else { slow }, message)
        }
        _ if is_occupied(setup, state, player, walker.kind.is_military(), to) => {
            let message = format!("{hex} is closed to {} by what stands there", walker.title());
            closing = closing_rules(setup, state, player, walker.kind.is_military(), to);
            ("hex_closed", &closing, message)
        }
        _ => {
            let city = &setup.map.site(setup.map.place(to).city).name;
            let message =
                format!("the Church protects {city}, and its gates are shut to {}", walker.title());
            ("hex_closed", &[Rule::R23, Rule::C5_10], message)
        }
    };
    let refusal = Refusal::new(rule, code, format!("{message} ({hex})"));
    let refusal = also.iter().copied().fold(refusal, Refusal::also);
    let refusal = refusal.fact(format!("terrain of {hex}"), terrain);
    Err(refusal.fact(format!("points of {}", walker.title()), walker.points))
}
