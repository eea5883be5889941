//! DRG-10 Special units.
//!
//! Must not decide a combat.

use super::action::{PlaceReserve, Side};
use super::ch04_points::effects_in_force;
use super::event::{BartolomeoStand, Event, Who};
use super::rulebook::{Fleeing, ReserveEntry, Rule};
use super::setup::Setup;
use super::state::{Area, Areas, Place, State, Unit};
use super::{Checked, Ctx, Refusal, Verdict, ch11_end, ch13_protocol};
use umpire_core::rules::Cites;

// DRG-10.1 is `ch05_movement::trail_cost`; DRG-10.2 is `ch06_combat::shoot`.

/// DRG-10.3 Which of his two values Bartolomeo has now, and why.
pub(super) fn bartolomeo_stand(setup: &Setup, state: &State) -> BartolomeoStand {
    let giulia = state.place[setup.giulia.index()];
    if giulia == Place::FLED || giulia == Place::SERRAGLIO {
        BartolomeoStand::GiuliaLost
    } else if state.phase == Some(Side::Pirates) {
        BartolomeoStand::Strong
    } else {
        BartolomeoStand::OwnPhase
    }
}

/// DRG-10.3 Bartolomeo's value.
pub(super) fn bartolomeo_value(setup: &Setup, state: &State) -> u8 {
    match bartolomeo_stand(setup, state) {
        BartolomeoStand::Strong => setup.values[setup.bartolomeo.index()],
        BartolomeoStand::OwnPhase | BartolomeoStand::GiuliaLost => setup.lesser,
    }
}

// DRG-10.4 is `ch07_captives::liberate`; DRG-10.5 is also `ch11_end::target`; DRG-10.6 needs nothing.

/// DRG-5.6, DRG-10.5 A unit that enters a hill is revealed and has fled; then the end is tested.
pub(super) fn flee(ctx: &mut Ctx<'_>, unit: Unit, hill: Area) {
    let setup = ctx.setup();
    let mut who = Who::now(ctx.state(), unit);
    who.open |= unit == setup.giulia || setup.rulings.fleeing == Fleeing::All;
    ctx.happen(Event::UnitFled { who, area: hill }, [Rule::C5_6, Rule::C12_4]);
    if unit == setup.giulia {
        let target = setup.constants.target_giulia_fled;
        ctx.happen(Event::TargetChanged { target }, [Rule::C10_5, Rule::C11_1]);
    }
    ch11_end::test_at_once(ctx);
}

/// DRG-10.7 The side whose card calls the Soldier in reserve.
pub(super) fn caller_of_reserve(setup: &Setup, state: &State) -> Option<Side> {
    let effects = effects_in_force(setup, state);
    Side::BOTH.into_iter().find(|side| effects[side.index()].reserve)
}

/// DRG-10.7 Where the Soldier may enter; nowhere if it is not in reserve, or under DRG-R4 = `never`.
pub(super) fn openings(setup: &Setup, state: &State) -> Areas {
    let waits = state.place[setup.reserve.index()] == Place::RESERVE;
    match setup.rulings.reserve_entry {
        ReserveEntry::ByCard if waits => state.empty_areas(setup).and(setup.countryside),
        ReserveEntry::ByCard | ReserveEntry::Never => Areas::NONE,
    }
}

/// DRG-10.7 The Soldier in reserve enters, hidden.
pub(super) fn enter_reserve(ctx: &mut Ctx<'_>, to: Area) {
    let setup = ctx.setup();
    let who = Who { unit: setup.reserve, token: setup.reserve_token(), open: false };
    let event = Event::ReservePlaced { who, to };
    ctx.happen(event, [Rule::C10_7, Rule::C5_10, Rule::C12_2]);
}

/// DRG-10.7 The Soldier in reserve cannot enter: the card that calls it is void.
pub(super) fn void_call(ctx: &mut Ctx<'_>, side: Side) {
    let row = ctx.state().cards[side.index()].played;
    let rules = Cites::from([Rule::C3_5, Rule::C10_7]);
    let never = ctx.setup().rulings.reserve_entry == ReserveEntry::Never;
    ctx.happen(Event::EffectVoid { side, row }, if never { rules.and(Rule::R4) } else { rules });
}

/// DRG-10.7 The player chooses where the Soldier in reserve enters.
pub(super) fn place_reserve(ctx: &mut Ctx<'_>, sent: &PlaceReserve) -> Verdict {
    let to = ch13_protocol::check_area(ctx.setup(), &sent.to)?;
    check_opening(ctx.setup(), ctx.state(), to)?;
    enter_reserve(ctx, to);
    Ok(())
}

/// DRG-10.7 The area is an empty countryside area.
fn check_opening(setup: &Setup, state: &State, to: Area) -> Checked {
    if openings(setup, state).contains(to) {
        return Ok(());
    }
    let kind = setup.kind(to);
    let what = format!("kind of {}", setup.area_id(to));
    let to = setup.area_title(to);
    let message = format!("the Soldier cannot enter in {to}: it is not an empty countryside area");
    Err(Refusal::new(Rule::C10_7, "not_empty_countryside", message)
        .at("/to")
        .fact(what, kind)
        .public())
}
