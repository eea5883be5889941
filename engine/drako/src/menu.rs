//! Legal actions (part C.1): what the deciding side may do, and how an action is written
//! canonically.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

mod discards;
mod moves;

use std::ops::ControlFlow;

use super::Drako;
use super::action::{
    Action, AssignWounds, Block, CardUse, DeclareFury, Defend, Discard, Draw, Dwarves, EscapeNet,
    Mulligan, Pass, Place, Play, Side, Use,
};
use super::rulebook::TwoMoves;
use super::setup::{Cards, Setup, free_starts};
use super::state::{Stage, State};
use super::{ch03_turns, ch04_drawing, ch05_playing, ch06_movement, ch07_attacks, ch08_wounds};
use super::{ch09_net, ch10_fury};
use discards::{FewDiscards, subsets};
use moves::MoveLists;
use umpire_core::game::{Menu, Seat};
use umpire_core::wire::Few;

/// Lists what a seat may do; nothing if it does not decide.
pub(super) fn list<M: Menu<Drako>>(
    setup: &Setup,
    state: &State,
    seat: Seat,
    menu: &mut M,
) -> ControlFlow<()> {
    let Some(player) = state.decider().filter(|side| side.seat() == seat) else {
        return ControlFlow::Continue(());
    };
    match state.stage {
        Stage::MulliganDragon | Stage::MulliganDwarves => [true, false]
            .into_iter()
            .try_for_each(|exchange| menu.action(Action::Mulligan(Mulligan { player, exchange }))),
        Stage::Placement => list_placements(state, player, menu),
        Stage::Action => list_actions(setup, state, player, menu),
        Stage::Discard => list_discards(setup, state, player, menu),
        Stage::Defend => {
            let asked = |attack| ch07_attacks::asked_strands(setup, state, attack);
            let strands = state.attack.map_or(Dwarves::NONE, asked);
            let mut hand = state.holding(player).hand;
            list_defences(setup, player, strands, &mut hand, Few::default(), menu)
        }
        Stage::AssignWounds => ch08_wounds::divisions(setup, state, state.hits)
            .map(|counts| counts.map(u32::from))
            .try_for_each(|[flight, movement, fire]| {
                menu.action(Action::AssignWounds(AssignWounds { player, flight, movement, fire }))
            }),
        Stage::LateFury => {
            menu.action(Action::DeclareFury(DeclareFury { player }))?;
            menu.action(Action::Pass(Pass { player }))
        }
        Stage::Setup | Stage::GameOver => ControlFlow::Continue(()),
    }
}

/// DRK-2.5 All placements.
fn list_placements<M: Menu<Drako>>(state: &State, player: Side, menu: &mut M) -> ControlFlow<()> {
    let free = free_starts(state.dragon());
    for fury in free.iter() {
        for archery in free.without(fury).iter() {
            for net in free.without(fury).without(archery).iter() {
                let (fury, archery, net) = (fury.hex(), archery.hex(), net.hex());
                menu.action(Action::Place(Place { player, fury, archery, net }))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// DRK-3.3 What can be done with an action of one's turn.
fn list_actions<M: Menu<Drako>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    if ch04_drawing::can_draw(state) {
        menu.action(Action::Draw(Draw { player }))?;
    }
    list_plays(setup, state, player, menu)?;
    if ch09_net::can_escape(setup, state) {
        menu.action(Action::EscapeNet(EscapeNet { player }))?;
    }
    if ch10_fury::can_declare(setup, state) {
        menu.action(Action::DeclareFury(DeclareFury { player }))?;
    }
    if ch03_turns::may_pass(setup, state).is_some() {
        menu.action(Action::Pass(Pass { player }))?;
    }
    ControlFlow::Continue(())
}

/// DRK-5.1 The plays of each card in hand, option by option.
fn list_plays<M: Menu<Drako>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    let (deck, hand) = (setup.deck(player), &state.holding(player).hand);
    let for_nothing = ch05_playing::can_play_for_nothing(setup, state);
    let mut moves = MoveLists::default();
    for row in (0..deck.len()).filter(|&row| hand[row] > 0) {
        let card = deck.kinds[row];
        let play = |used_for| Action::Play(Play { player, card, used_for });
        for &(option, value) in deck.options(row) {
            match option {
                Use::OneMove | Use::TwoMove => {
                    menu.group(&moves.of(setup, state, card, option, value))?;
                }
                _ => list_option(setup, state, option, value, &mut |it| menu.action(play(it)))?,
            }
        }
        if for_nothing {
            menu.action(play(CardUse::None {}))?;
        }
    }
    ControlFlow::Continue(())
}

/// DRK-5.3 The plays of one option that is no dwarves' move.
fn list_option(
    setup: &Setup,
    state: &State,
    option: Use,
    value: u8,
    play: &mut impl FnMut(CardUse) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let blank = ch07_attacks::is_blank_attack(setup, state);
    match option {
        Use::OneAttack if blank => play(CardUse::OneAttack { attackers: Few::default() }),
        Use::TwoAttack if blank => play(CardUse::TwoAttack { attackers: Few::default() }),
        Use::Attack if blank => play(CardUse::Attack { target: None }),
        Use::OneAttack => state
            .beside_dragon()
            .iter()
            .try_for_each(|dwarf| play(CardUse::OneAttack { attackers: few([dwarf]) })),
        Use::TwoAttack => list_two_attacks(state.beside_dragon(), play),
        Use::Crossbow if ch07_attacks::can_play_crossbow(setup, state) => {
            play(CardUse::Crossbow {})
        }
        Use::Net if ch09_net::can_play_net(setup, state) => play(CardUse::Net {}),
        Use::Move => {
            let reach = ch06_movement::walk_reach(setup, state, value);
            reach.iter().try_for_each(|to| play(CardUse::Move { to: to.hex() }))
        }
        Use::Flight => {
            let reach = ch06_movement::flight_reach(setup, state);
            reach.iter().try_for_each(|to| play(CardUse::Flight { to: to.hex() }))
        }
        Use::Attack => {
            let mut targets = state.beside_dragon().iter();
            targets.try_for_each(|target| play(CardUse::Attack { target: Some(target) }))
        }
        Use::Fire => ch07_attacks::fire_directions(setup, state)
            .iter()
            .try_for_each(|it| play(CardUse::Fire { direction: it.number() })),
        _ => ControlFlow::Continue(()),
    }
}

/// DRK-7.3 One attacker, or two in the canonical order.
fn list_two_attacks(
    beside: Dwarves,
    play: &mut impl FnMut(CardUse) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut later = beside;
    for first in beside.iter() {
        later.remove(first);
        play(CardUse::TwoAttack { attackers: few([first]) })?;
        for second in later.iter() {
            play(CardUse::TwoAttack { attackers: few([first, second]) })?;
        }
    }
    ControlFlow::Continue(())
}

fn few<T: Copy + Default, const N: usize>(items: impl IntoIterator<Item = T>) -> Few<T, N> {
    items.into_iter().collect()
}

/// DRK-4.2 All sets of cards of the size of the excess.
fn list_discards<M: Menu<Drako>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    let excess = ch04_drawing::excess(state);
    let (kinds, hand) = (&setup.deck(player).kinds, &state.holding(player).hand);
    if excess <= 2 {
        // The usual case: a draw gives at most two cards too many.
        return menu.group(&FewDiscards::new(player, kinds, hand, excess == 2));
    }
    subsets(kinds, hand, 0, excess, &mut Few::default(), &mut |cards| {
        menu.action(Action::Discard(Discard { player, cards }))
    })
}

/// DRK-7.8 All sets of blocks, strand by strand.
fn list_defences<M: Menu<Drako>>(
    setup: &Setup,
    player: Side,
    strands: Dwarves,
    hand: &mut Cards,
    chosen: Few<Block, 4>,
    menu: &mut M,
) -> ControlFlow<()> {
    let Some(strand) = strands.lowest() else {
        return menu.action(Action::Defend(Defend { player, blocks: chosen }));
    };
    let rest = strands.without(strand);
    list_defences(setup, player, rest, hand, chosen, menu)?;
    let deck = setup.deck(player);
    for row in 0..deck.len() {
        if ch07_attacks::can_block(deck, hand, row) {
            let mut with = chosen;
            with.push(Block { card: deck.kinds[row], against: strand });
            hand[row] -= 1;
            let flow = list_defences(setup, player, rest, hand, with, menu);
            hand[row] += 1;
            flow?;
        }
    }
    ControlFlow::Continue(())
}

/// The same decision with its sets in canonical order: discarded cards, blocks and attackers, and
/// under DRK-R25 `at_once` the moves of two dwarves.
pub(super) fn canonical(setup: &Setup, action: &Action) -> Action {
    let mut action = *action;
    match &mut action {
        Action::Discard(it) => it.cards.sort_by_key(|kind| *kind),
        Action::Defend(it) => it.blocks.sort_by_key(|block| (block.against, block.card)),
        Action::Play(Play { used_for: CardUse::TwoAttack { attackers }, .. }) => {
            attackers.sort_by_key(|dwarf| *dwarf);
        }
        Action::Play(Play { used_for: CardUse::TwoMove { moves }, .. })
            if setup.rulings.two_moves == TwoMoves::AtOnce =>
        {
            moves.sort_by_key(|step| step.figure);
        }
        _ => {}
    }
    action
}
