//! The options of each pending decision (part C.1). Must use the predicates of the chapters, so
//! that what is offered is what is accepted.

use std::ops::ControlFlow;

use super::Drako;
use super::action::{
    Action, AssignWounds, Block, DeclareFury, Defend, Discard, Draw, Dwarf, DwarfMove, EscapeNet,
    How, Kind, Mulligan, Place, Play, Side, Use, dwarves,
};
use super::board::{self, nth_place, places};
use super::setup::{IdlePlay, Setup};
use super::state::{Cards, Stage, State};
use super::{ch03_turns, ch04_drawing, ch05_playing, ch06_movement, ch07_attacks, ch08_wounds};
use super::{ch09_net, ch10_fury};
use crate::game::{Group, Menu};
use crate::wire::Few;

type Flow = ControlFlow<()>;
const GO_ON: Flow = ControlFlow::Continue(());

/// Lists what the deciding side may do.
pub(super) fn list<M: Menu<Drako>>(
    setup: &Setup,
    state: &State,
    player: Side,
    menu: &mut M,
) -> Flow {
    match state.stage {
        Stage::MulliganDragon | Stage::MulliganDwarves => [true, false]
            .into_iter()
            .try_for_each(|exchange| menu.action(Action::Mulligan(Mulligan { player, exchange }))),
        Stage::Placement => placements(setup, state, player, menu),
        Stage::Action => actions(setup, state, player, menu),
        Stage::Discard => {
            let excess = ch03_turns::excess(setup, state);
            let hand = state.holding(player).hand;
            let deck = setup.deck(player);
            if excess <= 2 {
                // The usual case: a draw gives at most two cards too many.
                return menu.group(&FewDiscards::new(player, &deck.kinds, &hand, excess == 2));
            }
            subsets(&deck.kinds, &hand, 0, excess, &mut Few::default(), &mut |cards| {
                menu.action(Action::Discard(Discard { player, cards }))
            })
        }
        Stage::Defend => {
            let strands = state.attack.map_or(0, |attack| attack.strands);
            let mut hand = state.holding(player).hand;
            blocks(setup, player, strands, &mut hand, Few::default(), menu)
        }
        Stage::AssignWounds => ch08_wounds::divisions(setup, state, state.to_assign)
            .map(|counts| counts.map(u32::from))
            .try_for_each(|[flight, movement, fire]| {
                menu.action(Action::AssignWounds(AssignWounds { player, flight, movement, fire }))
            }),
        Stage::Setup | Stage::GameOver => GO_ON,
    }
}

/// DRK-2.5 All placements.
fn placements<M: Menu<Drako>>(setup: &Setup, state: &State, player: Side, menu: &mut M) -> Flow {
    let dragon = state.dragon(setup);
    let free = board::ALL & !dragon.mask() & !dragon.neighbours();
    for fury in places(free) {
        for archery in places(free & !fury.mask()) {
            for net in places(free & !fury.mask() & !archery.mask()) {
                menu.action(Action::Place(Place {
                    player,
                    fury: fury.hex(),
                    archery: archery.hex(),
                    net: net.hex(),
                }))?;
            }
        }
    }
    GO_ON
}

/// The options of an own action.
fn actions<M: Menu<Drako>>(setup: &Setup, state: &State, player: Side, menu: &mut M) -> Flow {
    if ch04_drawing::can_draw(state) {
        menu.action(Action::Draw(Draw { player }))?;
    }
    let deck = setup.deck(player);
    let hand = &state.holding(player).hand;
    let idle = setup.rulings.idle_play == IdlePlay::Free || ch05_playing::must_idle(setup, state);
    let beside = state.beside_dragon(setup);
    let mut moves = MoveLists::default();
    for row in (0..deck.len()).filter(|&row| hand[row] > 0) {
        let card = deck.kinds[row];
        for &(option, value) in deck.shown(row) {
            let mut play = |how| menu.action(Action::Play(Play { player, card, how }));
            match option {
                Use::OneMove | Use::TwoMove => {
                    menu.group(&moves.of(setup, state, card, option, value))?;
                }
                Use::OneAttack => {
                    for dwarf in dwarves(beside) {
                        play(How::OneAttack { attackers: [dwarf].into_iter().collect() })?;
                    }
                }
                Use::TwoAttack => two_attacks(beside, &mut play)?,
                Use::Crossbow => {
                    if ch07_attacks::crossbow_fault(setup, state).is_none() {
                        play(How::Crossbow {})?;
                    }
                }
                Use::Net => {
                    if ch09_net::can_throw(state) {
                        play(How::Net {})?;
                    }
                }
                Use::Move => {
                    if ch06_movement::can_move(setup, state) {
                        let dragon = state.dragon(setup);
                        for to in places(State::reach(dragon, value, state.occupied())) {
                            play(How::Move { to: to.hex() })?;
                        }
                    }
                }
                Use::Flight => {
                    if ch06_movement::can_fly(setup, state) {
                        for to in places(ch06_movement::flight_reach(setup, state)) {
                            play(How::Flight { to: to.hex() })?;
                        }
                    }
                }
                Use::Attack => {
                    for target in dwarves(beside) {
                        play(How::Attack { target })?;
                    }
                }
                Use::Fire => {
                    let directions = ch07_attacks::fire_directions(setup, state);
                    for direction in (0..6).filter(|&it| directions >> it & 1 == 1) {
                        play(How::Fire { direction })?;
                    }
                }
                Use::Defense | Use::None => {}
            }
        }
        if idle {
            menu.action(Action::Play(Play { player, card, how: How::None {} }))?;
        }
    }
    if ch09_net::can_escape(state) {
        menu.action(Action::EscapeNet(EscapeNet { player }))?;
    }
    if ch10_fury::can_declare(setup, state) {
        menu.action(Action::DeclareFury(DeclareFury { player }))?;
    }
    GO_ON
}

fn two_attacks(beside: u8, play: &mut impl FnMut(How) -> Flow) -> Flow {
    for first in dwarves(beside) {
        play(How::TwoAttack { attackers: [first].into_iter().collect() })?;
        for second in dwarves(beside).filter(|second| second.index() > first.index()) {
            play(How::TwoAttack { attackers: [first, second].into_iter().collect() })?;
        }
    }
    GO_ON
}

/// What the moves of several cards have in common, worked out when first asked for: where each
/// dwarf can go with one step and with two, and how many moves that makes.
#[derive(Default)]
struct MoveLists {
    reach: [Option<[u32; 3]>; 3],
    counts: [[Option<u32>; 2]; 3],
}

impl MoveLists {
    /// The moves of a card.
    fn of<'a>(
        &mut self,
        setup: &Setup,
        state: &'a State,
        card: Kind,
        option: Use,
        value: u8,
    ) -> DwarfMoves<'a> {
        let value = value.min(2);
        let reach = *self.reach[usize::from(value)].get_or_insert_with(|| {
            let (occupied, dragon) = (state.occupied(), state.dragon(setup));
            Dwarf::ALL.map(|dwarf| match state.dwarf(dwarf) {
                Some(from) => ch06_movement::dwarf_reach(setup, from, value, occupied, dragon),
                None => 0,
            })
        });
        let mut moves = DwarfMoves { state, card, option, reach, count: 0 };
        let both = usize::from(option == Use::TwoMove);
        let count =
            self.counts[usize::from(value)][both].get_or_insert_with(|| moves.ways_in_all());
        moves.count = *count;
        moves
    }
}

/// All moves that one card allows the dwarves: none, one dwarf, and (two-dwarf moves, which
/// always have the value 1) ordered pairs.
struct DwarfMoves<'a> {
    state: &'a State,
    card: Kind,
    option: Use,
    /// Where each dwarf can go, his own hex included; nothing for the dead.
    reach: [u32; 3],
    count: u32,
}

impl DwarfMoves<'_> {
    fn action(&self, moves: &[(Dwarf, board::Place)]) -> Action {
        let moves = moves.iter().map(|&(figure, to)| DwarfMove { figure, to: to.hex() }).collect();
        let how = match self.option {
            Use::OneMove => How::OneMove { moves },
            _ => How::TwoMove { moves },
        };
        Action::Play(Play { player: Side::Dwarves, card: self.card, how })
    }

    /// No move, one dwarf's moves, and the pairs'.
    fn ways_in_all(&self) -> u32 {
        let singles: u32 = self.reach.iter().map(|reach| reach.count_ones()).sum();
        let pairs: u32 = self.pairs().map(|(first, second)| self.ways(first, second)).sum();
        1 + singles + pairs
    }

    /// Ordered pairs of different living dwarves, for a two-dwarf move.
    fn pairs(&self) -> impl Iterator<Item = (Dwarf, Dwarf)> {
        let both = self.option == Use::TwoMove;
        Dwarf::ALL.into_iter().filter(move |_| both).flat_map(move |first| {
            Dwarf::ALL.into_iter().filter_map(move |second| {
                let living = self.reach[first.index()] != 0 && self.reach[second.index()] != 0;
                (first != second && living).then_some((first, second))
            })
        })
    }

    /// Where the second of a pair can go in one step once the first stands on `to`.
    fn second(&self, first: Dwarf, to: board::Place, second: Dwarf) -> u32 {
        let (Some(left), Some(from)) = (self.state.dwarf(first), self.state.dwarf(second)) else {
            return 0;
        };
        let occupied = self.state.occupied() & !left.mask() | to.mask();
        State::reach(from, 1, occupied)
    }

    /// How many ways a pair has to move: for each hex of the first the second has its free
    /// neighbours and its own hex, less the first's new hex if that is one of the neighbours.
    fn ways(&self, first: Dwarf, second: Dwarf) -> u32 {
        let (Some(left), Some(from)) = (self.state.dwarf(first), self.state.dwarf(second)) else {
            return 0;
        };
        let reach = self.reach[first.index()];
        let others = self.state.occupied() & !left.mask();
        let free = (from.neighbours() & !others).count_ones() + 1;
        reach.count_ones() * free - (reach & from.neighbours()).count_ones()
    }
}

impl Group<Action> for DwarfMoves<'_> {
    fn count(&self) -> u64 {
        u64::from(self.count)
    }

    fn nth(&self, at: u64) -> Action {
        let mut left = at as u32;
        if left == 0 {
            return self.action(&[]);
        }
        left -= 1;
        for dwarf in Dwarf::ALL {
            let reach = self.reach[dwarf.index()];
            if left < reach.count_ones() {
                return self.action(&[(dwarf, nth_place(reach, left))]);
            }
            left -= reach.count_ones();
        }
        for (first, second) in self.pairs() {
            let ways = self.ways(first, second);
            if left >= ways {
                left -= ways;
                continue;
            }
            for to in places(self.reach[first.index()]) {
                let reach = self.second(first, to, second);
                if left < reach.count_ones() {
                    return self.action(&[(first, to), (second, nth_place(reach, left))]);
                }
                left -= reach.count_ones();
            }
        }
        self.action(&[])
    }

    fn each(&self, to: &mut dyn FnMut(Action) -> Flow) -> Flow {
        to(self.action(&[]))?;
        for dwarf in Dwarf::ALL {
            for place in places(self.reach[dwarf.index()]) {
                to(self.action(&[(dwarf, place)]))?;
            }
        }
        for (first, second) in self.pairs() {
            for place in places(self.reach[first.index()]) {
                for end in places(self.second(first, place, second)) {
                    to(self.action(&[(first, place), (second, end)]))?;
                }
            }
        }
        GO_ON
    }
}

/// DRK-4.2 All ways to discard one card of a hand, or two.
struct FewDiscards {
    player: Side,
    /// The kinds held, in canonical order, and whether two or more of each are held.
    held: [(Kind, bool); super::tables::DECK],
    kinds: usize,
    two: bool,
}

impl FewDiscards {
    fn new(player: Side, kinds: &[Kind], hand: &Cards, two: bool) -> Self {
        let mut held = [(Kind::default(), false); super::tables::DECK];
        let mut count = 0;
        for (&kind, &copies) in kinds.iter().zip(hand) {
            if copies > 0 {
                held[count] = (kind, copies > 1);
                count += 1;
            }
        }
        FewDiscards { player, held, kinds: count, two }
    }

    fn action(&self, cards: &[Kind]) -> Action {
        let cards = cards.iter().copied().collect();
        Action::Discard(Discard { player: self.player, cards })
    }

    fn held(&self) -> &[(Kind, bool)] {
        &self.held[..self.kinds]
    }
}

impl Group<Action> for FewDiscards {
    fn count(&self) -> u64 {
        let kinds = self.kinds as u64;
        if self.two {
            let doubles = self.held().iter().filter(|(_, double)| *double).count() as u64;
            kinds * kinds.saturating_sub(1) / 2 + doubles
        } else {
            kinds
        }
    }

    fn nth(&self, at: u64) -> Action {
        let mut left = at as usize;
        for (place, &(kind, double)) in self.held().iter().enumerate() {
            if !self.two {
                if left == 0 {
                    return self.action(&[kind]);
                }
                left -= 1;
                continue;
            }
            let others = &self.held()[place + 1..];
            if left < others.len() + usize::from(double) {
                let second =
                    if double && left == 0 { kind } else { others[left - usize::from(double)].0 };
                return self.action(&[kind, second]);
            }
            left -= others.len() + usize::from(double);
        }
        self.action(&[])
    }

    fn each(&self, to: &mut dyn FnMut(Action) -> Flow) -> Flow {
        for (place, &(kind, double)) in self.held().iter().enumerate() {
            if !self.two {
                to(self.action(&[kind]))?;
                continue;
            }
            if double {
                to(self.action(&[kind, kind]))?;
            }
            for &(second, _) in &self.held()[place + 1..] {
                to(self.action(&[kind, second]))?;
            }
        }
        GO_ON
    }
}

/// DRK-4.2 All sub-multisets of a hand of a given size, cards in canonical order.
fn subsets<const N: usize>(
    kinds: &[Kind],
    hand: &Cards,
    row: usize,
    size: usize,
    chosen: &mut Few<Kind, N>,
    to: &mut dyn FnMut(Few<Kind, N>) -> Flow,
) -> Flow {
    if size == 0 {
        return to(*chosen);
    }
    let Some(&kind) = kinds.get(row) else { return GO_ON };
    if hand[row..].iter().map(|&copies| usize::from(copies)).sum::<usize>() < size {
        return GO_ON;
    }
    let mut with = *chosen;
    subsets(kinds, hand, row + 1, size, &mut with.clone(), to)?;
    for count in 1..=usize::from(hand[row]).min(size) {
        with.push(kind);
        subsets(kinds, hand, row + 1, size - count, &mut with.clone(), to)?;
    }
    GO_ON
}

/// DRK-7.8 All sets of blocks, strand by strand.
fn blocks<M: Menu<Drako>>(
    setup: &Setup,
    player: Side,
    strands: u8,
    hand: &mut Cards,
    chosen: Few<Block, 4>,
    menu: &mut M,
) -> Flow {
    let Some(strand) = dwarves(strands).next() else {
        return menu.action(Action::Defend(Defend { player, blocks: chosen }));
    };
    let rest = strands & !strand.mask();
    blocks(setup, player, rest, hand, chosen, menu)?;
    let deck = setup.deck(player);
    for row in 0..deck.len() {
        if hand[row] > 0 && deck.value(row, Use::Defense).is_some() {
            let mut with = chosen;
            with.push(Block { card: deck.kinds[row], against: strand });
            hand[row] -= 1;
            let flow = blocks(setup, player, rest, hand, with, menu);
            hand[row] += 1;
            flow?;
        }
    }
    GO_ON
}
