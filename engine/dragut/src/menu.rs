//! Legal actions (part C.1): what the deciding side may do, and how an action is written
//! canonically.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

mod deployments;
mod phase;

pub(super) use deployments::{covers, sample, steps};
pub(super) use phase::{PaidActions, has_paid_action, list_paid};

use std::ops::ControlFlow;

use super::action::{
    Action, ArquebusChoice, ChooseCard, ChooseDefender, DrawOffer, PlaceReserve, Relocate, Reward,
    Side,
};
use super::ch12_information::token_name;
use super::setup::Setup;
use super::state::{Stage, State};
use super::{Dragut, ch03_cards, ch06_combat, ch07_captives, ch10_special, ch13_protocol};
use phase::PhaseMenu;
use umpire_core::game::{Menu, Seat};

/// Lists what a seat may do; nothing if it does not decide. Units are named by id where the side
/// knows them; an opponent whose identity it does not have to know is named by token.
pub(super) fn list<M: Menu<Dragut>>(
    setup: &Setup,
    state: &State,
    seat: Seat,
    menu: &mut M,
) -> ControlFlow<()> {
    if !ch13_protocol::deciders(setup, state).contains(seat) {
        return ControlFlow::Continue(());
    }
    let player = Side::of_seat(seat);
    match state.stage {
        Stage::Deploy => menu.range(deployments::range(setup)),
        Stage::ChooseCards => list_cards(setup, state, player, menu),
        Stage::PiratePhase | Stage::RapallinePhase => {
            menu.group(&PhaseMenu { setup, state, side: player })
        }
        Stage::ChooseDefender => list_defenders(setup, state, player, menu),
        Stage::ArquebusChoice => [Reward::Alarm, Reward::Draw].into_iter().try_for_each(|choice| {
            menu.action(Action::ArquebusChoice(ArquebusChoice { player, choice }))
        }),
        Stage::DrawOffer => [true, false]
            .into_iter()
            .try_for_each(|accept| menu.action(Action::DrawOffer(DrawOffer { player, accept }))),
        Stage::Relocate => list_relocations(setup, state, player, menu),
        Stage::PlaceReserve => ch10_special::openings(setup, state).iter().try_for_each(|to| {
            let to = setup.area_id(to);
            menu.action(Action::PlaceReserve(PlaceReserve { player, to }))
        }),
        Stage::GameOver => ControlFlow::Continue(()),
    }
}

/// DRG-3.2 Each card in hand, and none.
fn list_cards<M: Menu<Dragut>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    for (row, &id) in setup.decks[player.index()].ids.iter().enumerate() {
        if ch03_cards::is_in_hand(state, player, row) {
            menu.action(Action::ChooseCard(ChooseCard { player, card: Some(id) }))?;
        }
    }
    menu.action(Action::ChooseCard(ChooseCard { player, card: None }))
}

/// DRG-6.2 Each free unit that defends.
fn list_defenders<M: Menu<Dragut>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    let fight = state.arrival.and_then(|arrival| ch06_combat::opponents(setup, state, arrival));
    let Some((_, defenders)) = fight else { return ControlFlow::Continue(()) };
    let choose = |unit| Action::ChooseDefender(ChooseDefender { player, unit });
    if defenders.iter().all(|unit| setup.side(unit) == player) {
        return defenders.iter().try_for_each(|unit| menu.action(choose(setup.unit_id(unit))));
    }
    // In the order of the tokens, which tells nothing about who it is.
    let numbers = defenders.iter().fold(0u32, |all, unit| all | 1 << state.token[unit.index()]);
    (0..32)
        .filter(|number| numbers >> number & 1 == 1)
        .try_for_each(|number| menu.action(choose(token_name(player.other(), number))))
}

/// DRG-7.9 Each freed unit into each nearest empty area.
fn list_relocations<M: Menu<Dragut>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    let Some(arrival) = state.arrival else { return ControlFlow::Continue(()) };
    let goals = ch07_captives::goals(setup, state, arrival.area);
    for unit in arrival.waiting.iter() {
        for to in goals.iter() {
            let (unit, to) = (setup.unit_id(unit), setup.area_id(to));
            menu.action(Action::Relocate(Relocate { player, unit, to }))?;
        }
    }
    ControlFlow::Continue(())
}

/// The same action with every unit named as the list of legal actions names it.
pub(super) fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
    let by_token = matches!(action, Action::ChooseDefender(_)).then(|| action.side().other());
    action.renamed(|name| {
        if let Some(unit) = ch13_protocol::unit_named(setup, state, name) {
            let side = setup.side(unit);
            *name = match by_token == Some(side) {
                true => token_name(side, state.token[unit.index()]),
                false => setup.unit_id(unit),
            };
        }
    })
}
