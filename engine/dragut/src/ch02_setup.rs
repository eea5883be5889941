//! DRG-2: setup. Alarm counter, pirate force, deployment, starting hands.
//!
//! Must not decide anything about turns.

use super::action::{Action, Deploy, Placement, Range, RangeType};
use super::ch13_protocol::{self as ch13, Checked, refuse};
use super::event::{Event, Who, Why};
use super::rulebook::{Deployment, Hands, Returned, Rule};
use super::setup::{FLEET, PIRATE_UNITS, Setup};
use super::state::{Area, Areas, Cards, NONE, Place, State, Step, Unit, Units};
use super::tables::{CARDS, KINDS, Side, UNITS};
use super::{Cx, ch03_cards, ch09_draws};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Verdict;
use umpire_core::wire::Name;

/// DRG-2.1, 2.2, 2.6, 2.7: the counter on case 1, the fleet at sea, two counters aside, the
/// Rapalline units off the map, everything hidden.
pub fn start(setup: &Setup) -> State {
    let mut place = [Place::REMOVED; UNITS];
    for unit in setup.all {
        place[unit.at()] = if FLEET.contains(unit) {
            Place::AT_SEA
        } else if PIRATE_UNITS.contains(unit) {
            Place::ASIDE
        } else {
            Place::RESERVE
        };
    }
    let cards = |side: Side| Cards {
        deck: setup.decks[side.at()].copies,
        hand: [0; KINDS],
        retired: [0; KINDS],
        played: NONE,
        committed: NONE,
        order: [0; CARDS],
    };
    State {
        place,
        spent: [0; UNITS],
        token: [0; UNITS],
        captive: Units::NONE,
        revealed: Units::NONE,
        fought: Units::NONE,
        freed: Units::NONE,
        weakened: Units::NONE,
        cards: [cards(Side::Pirates), cards(Side::Rapalline)],
        turn: 0,
        step: Step::Deploy,
        phase: None,
        pool: 0,
        case: 1,
        read_case: 0,
        raised: false,
        owes_choice: false,
        owes_draw: false,
        arrival: None,
        ended: None,
    }
}

/// DRG-2.1: hands come before deployment only under DRG-R2 = `before`. Part D, C3: an order of
/// the decks (DRG-R27 = `bottom`) comes first of all.
pub fn open(ctx: &mut Cx<'_>) -> Verdict<super::Dragut> {
    if ctx.setup().rulings.returned == Returned::Bottom {
        for side in Side::BOTH {
            ch09_draws::shuffle(ctx, side)?;
        }
    }
    if ctx.setup().rulings.hands == Hands::Before {
        starting_hands(ctx)?;
    }
    ctx.happen(Event::Asked { step: Step::Deploy }, Rule::C2_1);
    Ok(())
}

/// DRG-2.3 to DRG-2.5: the deployment, then the hands and turn 1.
pub fn deploy(ctx: &mut Cx<'_>, sent: &Deploy) -> Verdict<super::Dragut> {
    let setup = ctx.setup();
    let placed = read(setup, ctx.state(), &sent.placements)?;
    c2_3_every_unit_once(setup, &placed)?;
    c2_4_towns_only(setup, &placed)?;
    c2_5_one_per_area(setup, &placed)?;
    // DRG-12.2: tokens in the order of the area table, inside one area in the order listed.
    let mut number = 0;
    for area in setup.areas {
        for &(unit, _) in placed.iter().filter(|&&(_, to)| to == area) {
            number += 1;
            let who = Who { unit, token: number, open: false };
            ctx.happen(Event::Deployed { who, to: area }, [Rule::C2_3, Rule::C2_6, Rule::C12_2]);
        }
    }
    if setup.rulings.hands == Hands::After {
        starting_hands(ctx)?;
    }
    ch03_cards::start_turn(ctx, 1)
}

/// DRG-2.8: three cards each, the pirates all three first.
fn starting_hands(ctx: &mut Cx<'_>) -> Verdict<super::Dragut> {
    for side in Side::BOTH {
        for _ in 0..ctx.setup().constants.starting_hand {
            ch09_draws::draw(ctx, side, Why::Start)?;
        }
    }
    Ok(())
}

fn read(setup: &Setup, state: &State, list: &[Placement]) -> Checked<Vec<(Unit, Area)>> {
    let mut placed = Vec::with_capacity(list.len().min(UNITS));
    for (index, &Placement { unit, area }) in list.iter().enumerate() {
        let at = |field: &str| format!("/placements/{index}/{field}");
        let unit = ch13::unit_at(setup, state, &unit, Side::Rapalline, || at("unit"))?;
        let area = ch13::area_at(setup, &area, || at("area"))?;
        placed.push((unit, area));
    }
    Ok(placed)
}

/// DRG-2.3: every Rapalline unit but the Soldier in reserve, each once.
fn c2_3_every_unit_once(setup: &Setup, placed: &[(Unit, Area)]) -> Checked<()> {
    let mut seen = Units::NONE;
    for (index, &(unit, _)) in placed.iter().enumerate() {
        let id = setup.unit_id(unit);
        let at = format!("/placements/{index}/unit");
        if unit == setup.reserve {
            let message = format!("{id} stays in reserve");
            return Err(refuse(Rule::C2_3, "reserve_unit", message, at));
        }
        if seen.contains(unit) {
            let message = format!("{id} is deployed twice");
            return Err(refuse(Rule::C2_3, "unit_twice", message, at));
        }
        seen.insert(unit);
    }
    match setup.deployable().minus(seen).lowest() {
        None => Ok(()),
        Some(left) => {
            let message = format!("{} is not deployed", setup.unit_id(left));
            let mut refusal = refuse(Rule::C2_3, "unit_missing", message, "/placements");
            refusal = refusal.fact("units deployed", seen.len());
            Err(refusal.fact("units to deploy", setup.deployable().len()))
        }
    }
}

/// DRG-2.4: towns only.
fn c2_4_towns_only(setup: &Setup, placed: &[(Unit, Area)]) -> Checked<()> {
    for (index, &(unit, area)) in placed.iter().enumerate() {
        if !setup.towns.contains(area) {
            let (id, to) = (setup.unit_id(unit), setup.area_id(area));
            let message = format!("{id} cannot be deployed in {to}: only towns take units");
            let at = format!("/placements/{index}/area");
            let refusal = refuse(Rule::C2_4, "not_a_town", message, at);
            return Err(refusal.fact(format!("kind of {to}"), setup.kind(area).name()));
        }
    }
    Ok(())
}

/// DRG-2.5: at most one unit per area, unless DRG-R1 = `unlimited`.
fn c2_5_one_per_area(setup: &Setup, placed: &[(Unit, Area)]) -> Checked<()> {
    if setup.rulings.deployment == Deployment::Unlimited {
        return Ok(());
    }
    let mut taken = Areas::NONE;
    for (index, &(unit, area)) in placed.iter().enumerate() {
        if taken.contains(area) {
            let (id, to) = (setup.unit_id(unit), setup.area_id(area));
            let message = format!("{id} cannot be deployed in {to}: another unit is there");
            let at = format!("/placements/{index}/area");
            let refusal = refuse(Rule::C2_5, "town_taken", message, at);
            let there = placed.iter().filter(|&&(_, other)| other == area).count();
            return Err(refusal.fact(format!("units deployed in {to}"), there).also(Rule::R1));
        }
        taken.insert(area);
    }
    Ok(())
}

/// Every legal deployment (DRG-2.3 to DRG-2.5), described.
pub fn range(setup: &Setup) -> Range {
    Range {
        r#type: RangeType::Deploy,
        player: Side::Rapalline,
        units: setup.deployable().iter().map(|unit| setup.unit_id(unit)).collect(),
        areas: setup.towns.iter().map(|area| setup.area_id(area)).collect(),
        most_per_area: (setup.rulings.deployment == Deployment::One).then_some(1),
    }
}

/// A deployment within a range: each unit in turn into one of the towns that still take one.
pub fn sample(range: &Range, stream: u8, chance: &mut dyn Chance) -> Result<Action, Halt> {
    let mut open = range.areas.clone();
    let mut placements = Vec::with_capacity(range.units.len());
    for &unit in &range.units {
        let what = What::Hidden { n: open.len().max(1) as u32 };
        let pick = chance.answer(&Ask { stream, what })? as usize;
        let Some(&area) = open.get(pick) else { break };
        if range.most_per_area.is_some() {
            open.remove(pick);
        }
        placements.push(Placement { unit, area });
    }
    Ok(Action::Deploy(Deploy { player: range.player, placements }))
}

/// Whether an action lies within a range.
pub fn covers(range: &Range, action: &Action) -> bool {
    let Action::Deploy(sent) = action else { return false };
    let once = |unit: &Name| sent.placements.iter().filter(|it| it.unit == *unit).count() == 1;
    let most = |area: &Name| {
        let there = sent.placements.iter().filter(|it| it.area == *area).count();
        range.most_per_area.is_none_or(|most| there <= usize::from(most))
    };
    sent.player == range.player
        && sent.placements.len() == range.units.len()
        && range.units.iter().all(once)
        && sent.placements.iter().all(|it| range.areas.contains(&it.area))
        && range.areas.iter().all(most)
}
