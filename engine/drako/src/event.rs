//! What can happen in Drako, and how it changes the state: the only place that changes it.
//!
//! An event carries all that its change and its announcement need. Must not decide anything.

use super::action::{Dwarf, Dwarves, Figure, Side, Track, Use};
use super::rulebook::LimitDiscards;
use super::setup::Setup;
use super::state::{Attack, Ending, LastAction, Stage, State, TurnEnd};
use super::tables::board::{Direction, Spot};
use super::tables::{DECK, STARTING_HAND};
use umpire_core::wire::Few;

/// The strands of an attack in their order; as many places as there are strands are taken.
pub(super) type StrandList = [Option<Dwarf>; 3];

/// A card as it is played: whose, which, what for and with what value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedCard {
    /// By whom.
    pub side: Side,
    /// The card's row.
    pub row: u8,
    /// What for.
    pub option: Use,
    /// The printed value, 0 for none.
    pub value: u8,
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A deck is mixed; its order is known as far as a record gives it.
    DeckShuffled {
        /// Whose.
        side: Side,
        /// The known order as rows, top first.
        order: Few<u8, DECK>,
    },
    /// A hand is dealt.
    HandDealt {
        /// To whom.
        side: Side,
        /// The cards as rows, in the order dealt.
        cards: Few<u8, { STARTING_HAND as usize }>,
    },
    /// A hand goes back into its deck.
    HandExchanged {
        /// Whose.
        side: Side,
    },
    /// A hand is kept.
    HandKept {
        /// Whose.
        side: Side,
    },
    /// The dwarves are put on the board.
    FiguresPlaced {
        /// The hexes of `fury`, `archery`, `net`.
        spots: [Spot; 3],
    },
    /// A turn starts.
    TurnStarted {
        /// Its number.
        turn: u16,
        /// Its actions.
        actions: u8,
    },
    /// Cards are drawn by an action.
    CardsDrawn {
        /// By whom.
        side: Side,
        /// The cards as rows, in order.
        cards: Few<u8, 2>,
    },
    /// Cards are discarded to the limit.
    CardsDiscarded {
        /// By whom.
        side: Side,
        /// The cards as rows.
        cards: Few<u8, DECK>,
    },
    /// A card is played.
    CardPlayed(PlayedCard),
    /// A figure moves.
    FigureMoved {
        /// Who.
        figure: Figure,
        /// From where.
        from: Spot,
        /// To where.
        to: Spot,
    },
    /// The net lies on the dragon.
    NetPlaced,
    /// The net returns to the dwarves.
    NetEscaped {
        /// Whether it came off because its thrower died.
        released: bool,
    },
    /// An attack is declared.
    AttackDeclared {
        /// The option played.
        option: Use,
        /// The value of each strand.
        value: u8,
        /// The strands: the dwarves in the order listed, those in a fire from near to far.
        strands: StrandList,
        /// The direction of fire.
        direction: Option<Direction>,
    },
    /// A strand is stopped by a card.
    AttackBlocked {
        /// Who defends.
        side: Side,
        /// The strand.
        strand: Dwarf,
        /// The card's row.
        row: u8,
    },
    /// A strand hits.
    AttackHit {
        /// The strand.
        strand: Dwarf,
        /// Its value.
        value: u8,
    },
    /// Wounds are placed on a track.
    WoundsPlaced {
        /// The track.
        track: Track,
        /// How many.
        count: u8,
        /// How many lie there now.
        total: u8,
    },
    /// An ability of the dragon is lost.
    AbilityLost {
        /// Its track.
        track: Track,
    },
    /// A dwarf dies.
    DwarfKilled {
        /// Who.
        dwarf: Dwarf,
        /// Where he stood.
        at: Spot,
    },
    /// Fury is declared.
    FuryDeclared,
    /// The dragon loses its remaining actions.
    ForcedPass {
        /// How many.
        actions: u8,
    },
    /// A side gives up its remaining actions.
    TurnPassed {
        /// Which.
        side: Side,
        /// How many.
        actions: u8,
    },
    /// A turn ends.
    TurnEnded {
        /// Its number.
        turn: u16,
    },
    /// The game is over.
    GameOver {
        /// Why.
        ending: Ending,
    },
    /// A decision is awaited. Announced to nobody: the state shows it.
    Awaited {
        /// Which.
        stage: Stage,
        /// Wounds to be divided, if that is what is awaited, hit by hit.
        hits: [u8; 2],
        /// The strand that was answered without a block, if others are to be answered.
        unblocked: Option<Dwarf>,
    },
}

/// Changes the state by one event: the only function that does.
pub(super) fn apply(setup: &Setup, state: &mut State, event: &Event) {
    match *event {
        Event::DeckShuffled { side, order } => {
            let holding = &mut state.cards[side.index()];
            let known = order.as_slice();
            holding.order[..known.len()].copy_from_slice(known);
            holding.order[known.len()..].fill(0);
            (holding.next, holding.known) = (0, known.len() as u8);
        }
        Event::HandDealt { side, cards } => take(state, side, cards.as_slice()),
        Event::HandExchanged { side } => {
            let holding = &mut state.cards[side.index()];
            holding.hand = [0; DECK];
            holding.deck = setup.deck(side).counts;
            (holding.held, holding.left) = (0, DECK as u8);
        }
        Event::HandKept { .. } | Event::AbilityLost { .. } => {}
        Event::FiguresPlaced { spots } => {
            for (dwarf, spot) in Dwarves::ALL.iter().zip(spots) {
                state.spots[Figure::from(dwarf).index()] = Some(spot);
            }
        }
        Event::TurnStarted { turn, actions } => {
            (state.turn, state.actions_left) = (turn, actions);
            state.stage = Stage::Action;
            state.attack = None;
            state.hits = [0; 2];
            state.turn_before = if state.fury_turn { TurnEnd::FuryUsedUp } else { state.turn_end };
            state.turn_end = TurnEnd::UsedUp;
            state.fury_turn = false;
        }
        Event::CardsDrawn { side, cards } => {
            take(state, side, cards.as_slice());
            state.actions_left -= 1;
            state.last = LastAction::Other;
        }
        Event::CardsDiscarded { side, cards } => {
            let hidden = setup.rulings.limit_discards == LimitDiscards::Hidden;
            let holding = &mut state.cards[side.index()];
            for &row in cards.as_slice() {
                holding.hand[usize::from(row)] -= 1;
                holding.held -= 1;
                holding.unseen[usize::from(row)] += u8::from(hidden);
            }
        }
        Event::CardPlayed(PlayedCard { side, row, option, .. }) => {
            spend(state, side, row);
            state.actions_left -= 1;
            let net = option == Use::Net;
            state.last = if net { LastAction::NetThrown } else { LastAction::Other };
        }
        Event::FigureMoved { figure, to, .. } => state.spots[figure.index()] = Some(to),
        Event::NetPlaced => state.netted = true,
        Event::NetEscaped { released } => {
            state.netted = false;
            if !released {
                state.actions_left = 0;
                if state.turn_end == TurnEnd::UsedUp {
                    state.turn_end = TurnEnd::Escaped;
                }
            }
        }
        Event::AttackDeclared { option, value, strands, .. } => {
            let strands = strands.into_iter().flatten().collect();
            state.attack = Some(Attack { option, value, strands, answered: Dwarves::NONE });
        }
        Event::AttackBlocked { side, strand, row } => {
            spend(state, side, row);
            if let Some(attack) = &mut state.attack {
                attack.strands.remove(strand);
            }
        }
        Event::AttackHit { strand, .. } => {
            if let Some(attack) = &mut state.attack {
                attack.strands.remove(strand);
            }
        }
        Event::WoundsPlaced { track, total, .. } => state.wounds[track.index()] = total,
        Event::DwarfKilled { dwarf, .. } => state.spots[Figure::from(dwarf).index()] = None,
        Event::FuryDeclared => {
            (state.fury_used, state.fury_turn) = (true, true);
            state.actions_left += 1;
            state.last = LastAction::FuryDeclared;
        }
        Event::ForcedPass { .. } => {
            state.actions_left = 0;
            state.turn_end = TurnEnd::Passed { netted: state.netted };
        }
        Event::TurnPassed { .. } => {
            state.actions_left = 0;
            state.last = LastAction::Other;
        }
        Event::TurnEnded { .. } => {}
        Event::GameOver { ending } => {
            state.ending = Some(ending);
            state.stage = Stage::GameOver;
            state.actions_left = 0;
            if ending == Ending::DragonKilled {
                state.spots[Figure::Dragon.index()] = None;
            }
            state.attack = None;
            state.hits = [0; 2];
        }
        Event::Awaited { stage, hits, unblocked } => {
            (state.stage, state.hits) = (stage, hits);
            let goes_on = match stage {
                Stage::Defend => true,
                Stage::AssignWounds => state.attack.is_some_and(|it| !it.strands.is_empty()),
                _ => false,
            };
            state.attack = state.attack.filter(|_| goes_on);
            if let Some(attack) = &mut state.attack {
                unblocked.into_iter().for_each(|strand| attack.answered.insert(strand));
                if stage == Stage::AssignWounds {
                    attack.answered = Dwarves::NONE;
                }
            }
        }
    }
}

/// A card leaves the hand for the discards.
fn spend(state: &mut State, side: Side, row: u8) {
    let holding = &mut state.cards[side.index()];
    holding.hand[usize::from(row)] -= 1;
    holding.held -= 1;
}

/// Cards leave the deck for the hand; a known order moves on with them.
fn take(state: &mut State, side: Side, cards: &[u8]) {
    let holding = &mut state.cards[side.index()];
    for &row in cards {
        holding.deck[usize::from(row)] -= 1;
        holding.hand[usize::from(row)] += 1;
        holding.left -= 1;
        holding.held += 1;
        if holding.next < holding.known {
            holding.order[usize::from(holding.next)] = 0;
            holding.next += 1;
        }
    }
    if holding.next == holding.known {
        (holding.next, holding.known) = (0, 0);
    }
}

/// The names of strands, in their order.
pub(super) fn strand_names(strands: StrandList) -> Vec<&'static str> {
    strands.into_iter().flatten().map(Dwarf::name).collect()
}
