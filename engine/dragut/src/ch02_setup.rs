//! DRG-2 Setup: pirate force, deployment, starting hands.
//!
//! Must not decide anything about turns.

use super::action::{Deploy, Placement, Side};
use super::event::{DrawCause, Event, Who};
use super::rulebook::{DeployedIn, Deployment, Hands, Returned, Rule};
use super::setup::Setup;
use super::state::{Area, Areas, State, Unit, Units};
use super::tables::UNITS;
use super::{Checked, Ctx, Refusal, Verdict, ch09_draws, ch13_protocol};

/// DRG-2.1 What comes before the deployment: hands only under DRG-R2 = `before`. Part D, C3: an
/// order of the decks (DRG-R27 = `bottom`) comes first of all.
pub(super) fn set_up(ctx: &mut Ctx<'_>) -> Verdict {
    if ctx.setup().rulings.returned == Returned::Bottom {
        for side in Side::BOTH {
            ch09_draws::shuffle_deck(ctx, side)?;
        }
    }
    if ctx.setup().rulings.hands == Hands::Before {
        deal_hands(ctx)?;
    }
    Ok(())
}

// DRG-2.2 (where), 2.6 and 2.7 are `State::new`.

/// DRG-2.2, DRG-2.4, DRG-2.5 What a game needs that begins with its setup: a start for the alarm
/// counter, and room for everybody who is deployed.
pub(super) fn check_new_game(setup: &Setup) -> Checked {
    check_start(setup)?;
    check_room(setup)
}

/// DRG-2.2 The track has a case where the counter starts.
pub(super) fn check_start(setup: &Setup) -> Checked {
    if setup.start_case().is_some() {
        return Ok(());
    }
    let message = "no case of the alarm track is worth 2, so the counter has no start";
    Err(Refusal::new(Rule::C2_2, "data_refused", message).at("/alarm_track").also(Rule::R49))
}

/// DRG-2.4, DRG-2.5 There are enough areas to deploy in.
pub(super) fn check_room(setup: &Setup) -> Checked {
    let (open, one_each) = (setup.deployment_areas().len(), most_per_area(setup).is_some());
    let needed = if one_each { setup.deployable().len() } else { 1 };
    if open >= needed {
        return Ok(());
    }
    let open = match open {
        1 => "1 area".to_owned(),
        open => format!("{open} areas"),
    };
    let message = format!("only {open} can be deployed in; {needed} are needed");
    let rule = if one_each { Rule::C2_5 } else { Rule::C2_4 };
    let mut refusal = Refusal::new(rule, "data_refused", message).at("/map");
    if one_each {
        refusal = refusal.also(Rule::R1);
    }
    if setup.rulings.deployed_in == DeployedIn::Borough {
        refusal = refusal.also(Rule::R50);
    }
    Err(refusal)
}

/// DRG-2.3, DRG-2.4, DRG-2.5 The deployment, and the hands after it.
pub(super) fn deploy_units(ctx: &mut Ctx<'_>, sent: &Deploy) -> Verdict {
    let setup = ctx.setup();
    let placed = check_named(setup, ctx.state(), &sent.placements)?;
    check_every_unit(setup, &placed)?;
    check_towns(setup, &placed)?;
    check_most_per_area(setup, &placed)?;
    // DRG-12.2 Tokens in the order of the area table, inside one area in the order listed.
    let mut number = 0;
    for area in setup.areas.iter() {
        for &(unit, _) in placed.iter().filter(|&&(_, to)| to == area) {
            number += 1;
            let who = Who { unit, token: number, open: false };
            let rules = [Rule::C2_3, Rule::C2_4, Rule::C2_5, Rule::R50, Rule::C2_6, Rule::C12_2];
            ctx.happen(Event::Deployed { who, to: area }, rules);
        }
    }
    if setup.rulings.hands == Hands::After {
        deal_hands(ctx)?;
    }
    Ok(())
}

/// DRG-13.3 The units and areas that a deployment names.
fn check_named(setup: &Setup, state: &State, list: &[Placement]) -> Checked<Vec<(Unit, Area)>> {
    let mut placed = Vec::with_capacity(list.len().min(UNITS));
    for (index, &Placement { unit, area }) in list.iter().enumerate() {
        let pointer = |field: &str| format!("/placements/{index}/{field}");
        let side = Side::Rapalline;
        let unit = ch13_protocol::check_unit_at(setup, state, &unit, side, || pointer("unit"))?;
        let area = ch13_protocol::check_area_at(setup, &area, || pointer("area"))?;
        placed.push((unit, area));
    }
    Ok(placed)
}

/// DRG-2.3 Every Rapalline unit but the Soldier in reserve, each once.
fn check_every_unit(setup: &Setup, placed: &[(Unit, Area)]) -> Checked {
    let mut seen = Units::NONE;
    for (index, &(unit, _)) in placed.iter().enumerate() {
        let id = setup.unit_title(unit);
        let pointer = format!("/placements/{index}/unit");
        if unit == setup.reserve {
            let message = format!("{id} stays in reserve");
            return Err(Refusal::new(Rule::C2_3, "reserve_unit", message).at(pointer));
        }
        if seen.contains(unit) {
            let message = format!("{id} is deployed twice");
            return Err(Refusal::new(Rule::C2_3, "unit_twice", message).at(pointer));
        }
        seen.insert(unit);
    }
    match setup.deployable().minus(seen).lowest() {
        None => Ok(()),
        Some(left) => {
            let message = format!("{} is not deployed", setup.unit_title(left));
            Err(Refusal::new(Rule::C2_3, "unit_missing", message)
                .at("/placements")
                .fact("units deployed", seen.len())
                .fact("units to deploy", setup.deployable().len()))
        }
    }
}

/// DRG-2.4 Towns only, under DRG-R50 = `borough` those inside the gates.
fn check_towns(setup: &Setup, placed: &[(Unit, Area)]) -> Checked {
    let open = setup.deployment_areas();
    for (index, &(unit, area)) in placed.iter().enumerate() {
        if setup.towns.contains(area) && !open.contains(area) {
            let (id, to) = (setup.unit_title(unit), setup.area_title(area));
            let message = format!("{id} cannot be deployed in {to}: it lies outside the gates");
            let refusal = Refusal::new(Rule::C2_4, "outside_the_gates", message)
                .at(format!("/placements/{index}/area"))
                .also(Rule::R50);
            return Err(setup.cite_source_of_gates(refusal));
        }
        if !open.contains(area) {
            let (id, to) = (setup.unit_title(unit), setup.area_title(area));
            let message = format!("{id} cannot be deployed in {to}: only towns take units");
            return Err(Refusal::new(Rule::C2_4, "not_a_town", message)
                .at(format!("/placements/{index}/area"))
                .fact(format!("kind of {to}"), setup.kind(area)));
        }
    }
    Ok(())
}

/// DRG-2.5 The most units that an area takes; none is set under DRG-R1 = `unlimited`.
pub(super) fn most_per_area(setup: &Setup) -> Option<u8> {
    (setup.rulings.deployment == Deployment::One).then_some(1)
}

/// DRG-2.5 No area takes more units than the most.
fn check_most_per_area(setup: &Setup, placed: &[(Unit, Area)]) -> Checked {
    if most_per_area(setup).is_none() {
        return Ok(());
    }
    let mut taken = Areas::NONE;
    for (index, &(unit, area)) in placed.iter().enumerate() {
        if taken.contains(area) {
            let (id, to) = (setup.unit_title(unit), setup.area_title(area));
            let message = format!("{id} cannot be deployed in {to}: another unit is there");
            let there = placed.iter().filter(|&&(_, other)| other == area).count();
            return Err(Refusal::new(Rule::C2_5, "town_taken", message)
                .at(format!("/placements/{index}/area"))
                .fact(format!("units deployed in {to}"), there)
                .also(Rule::R1));
        }
        taken.insert(area);
    }
    Ok(())
}

/// DRG-2.8 Three cards each, the pirates all three first.
fn deal_hands(ctx: &mut Ctx<'_>) -> Verdict {
    for side in Side::BOTH {
        for _ in 0..ctx.setup().constants.starting_hand {
            ch09_draws::draw_card(ctx, side, DrawCause::Start)?;
        }
    }
    Ok(())
}
