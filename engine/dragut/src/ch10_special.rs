//! DRG-10: special units. The Renegade's trails are in DRG-5, the Arquebusier's shot in DRG-6,
//! Bartolomeo's alarm in DRG-7, Giulia's target in DRG-5 and DRG-11.
//!
//! Must not decide a combat.

use super::action::PlaceReserve;
use super::ch03_cards::in_force;
use super::ch13_protocol::{self as ch13, refuse};
use super::event::{Event, Who};
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Area, Areas, Place, State, Step};
use super::tables::Side;
use super::{Cx, Dragut, ch04_points};
use umpire_core::game::Verdict;

/// DRG-10.3: Bartolomeo's value.
pub fn c10_3_bartolomeo(setup: &Setup, state: &State) -> u8 {
    let giulia = state.place[setup.giulia.at()];
    let lost = giulia == Place::FLED || giulia == Place::SERRAGLIO;
    if state.phase == Some(Side::Pirates) && !lost {
        setup.values[setup.bartolomeo.at()]
    } else {
        setup.lesser
    }
}

/// DRG-10.7: where the Soldier in reserve may enter.
pub fn openings(setup: &Setup, state: &State) -> Areas {
    state.empty_areas(setup).and(setup.countryside)
}

/// DRG-10.7: the Soldier in reserve enters at the start of the Rapalline phase if a card says so.
/// Says whether the Rapalline player has to choose where.
pub fn c10_7_reserve(ctx: &mut Cx<'_>) -> Result<bool, umpire_core::game::Stop<Rule>> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let effects = in_force(setup, state);
    let Some(side) = Side::BOTH.into_iter().find(|side| effects[side.at()].reserve) else {
        return Ok(false);
    };
    let held = state.place[setup.reserve.at()] == Place::RESERVE;
    let openings = openings(setup, state);
    match openings.lowest() {
        Some(area) if held && openings.len() == 1 => {
            enter(ctx, area);
            Ok(false)
        }
        Some(_) if held => {
            ctx.happen(Event::Asked { step: Step::PlaceReserve }, Rule::C10_7);
            Ok(true)
        }
        _ => {
            let row = state.cards[side.at()].played;
            ctx.happen(Event::EffectVoid { side, row }, [Rule::C3_5, Rule::C10_7]);
            Ok(false)
        }
    }
}

fn enter(ctx: &mut Cx<'_>, to: Area) {
    let setup = ctx.setup();
    let who = Who { unit: setup.reserve, token: setup.reserve_token(), open: false };
    let event = Event::ReservePlaced { who, to };
    ctx.happen(event, [Rule::C10_7, Rule::C5_10, Rule::C12_2]);
}

/// DRG-10.7: the player chooses where.
pub fn place_reserve(ctx: &mut Cx<'_>, sent: &PlaceReserve) -> Verdict<Dragut> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let to = ch13::area(setup, &sent.to)?;
    if !openings(setup, state).contains(to) {
        let kind = setup.kind(to).name();
        let to = setup.area_id(to);
        let message = format!("the Soldier cannot enter in {to}: it is no empty countryside area");
        let refusal = refuse(Rule::C10_7, "not_empty_countryside", message, "/to").public();
        return Err(refusal.fact(format!("kind of {to}"), kind).into());
    }
    enter(ctx, to);
    ch04_points::resume(ctx)
}
