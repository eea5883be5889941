//! What events tell whom: what an observer learns of each (DRK-12.1, part E).
//!
//! Must not show a card that is hidden from the observer: cards are open or closed by
//! construction.

use serde::{Deserialize, Serialize};

use super::action::{Ability, Dwarf, Figure, Kind, Side, Track, Use};
use super::ch11_end;
use super::event::{Event, PlayedCard};
use super::rulebook::LimitDiscards;
use super::setup::Setup;
use super::state::{Ending, owner_of_turn};
use super::tables::board::Direction;
use super::view::{CardsView, ClosedCards, OpenCards};
use umpire_core::board::hex::Hex;
use umpire_core::game::Observer;

/// What one observer learns of a fact.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Notice))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// A deck was mixed.
    DeckShuffled {
        /// Whose.
        side: Side,
    },
    /// A hand was dealt.
    HandDealt {
        /// To whom.
        side: Side,
        /// The cards, in the order dealt.
        cards: CardsView,
    },
    /// A hand went back into its deck.
    HandExchanged {
        /// Whose.
        side: Side,
    },
    /// A hand was kept.
    HandKept {
        /// Whose.
        side: Side,
    },
    /// The dwarves were put on the board.
    FiguresPlaced {
        /// Brald's hex.
        fury: Hex,
        /// Morin's hex.
        archery: Hex,
        /// Urpen's hex.
        net: Hex,
    },
    /// A turn started.
    TurnStarted {
        /// Its number.
        turn: u16,
        /// Whose.
        side: Side,
        /// Its actions.
        actions: u8,
    },
    /// Cards were drawn.
    CardsDrawn {
        /// By whom.
        side: Side,
        /// The cards, in order.
        cards: CardsView,
    },
    /// Cards were discarded to the limit.
    CardsDiscarded {
        /// By whom.
        side: Side,
        /// The cards.
        cards: CardsView,
    },
    /// A card was played.
    CardPlayed {
        /// By whom.
        side: Side,
        /// The card.
        card: Kind,
        /// What for.
        #[serde(rename = "use")]
        option: Use,
        /// The printed value; left out where the option has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        value: Option<u8>,
    },
    /// A figure moved.
    FigureMoved {
        /// Who.
        figure: Figure,
        /// From where.
        from: Hex,
        /// To where.
        to: Hex,
    },
    /// The net was thrown.
    NetPlaced {},
    /// The net came off.
    NetEscaped {
        /// Whether it came off because its thrower died (DRK-R9).
        released: bool,
    },
    /// An attack was declared.
    AttackDeclared {
        /// The option played.
        #[serde(rename = "use")]
        option: Use,
        /// The value of each strand.
        value: u8,
        /// The strands.
        strands: Vec<Dwarf>,
        /// The direction of fire.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        direction: Option<u8>,
    },
    /// A strand was stopped.
    AttackBlocked {
        /// Who defended.
        side: Side,
        /// The strand.
        strand: Dwarf,
        /// The card spent.
        card: Kind,
    },
    /// A strand hit.
    AttackHit {
        /// The strand.
        strand: Dwarf,
        /// Its value.
        value: u8,
    },
    /// Wounds were placed.
    WoundsPlaced {
        /// On which track.
        track: Track,
        /// How many.
        count: u8,
        /// How many lie there now.
        total: u8,
    },
    /// An ability was lost.
    AbilityLost {
        /// Which.
        ability: Ability,
    },
    /// A dwarf died.
    DwarfKilled {
        /// Who.
        figure: Dwarf,
        /// Where he stood.
        at: Hex,
    },
    /// Fury was declared.
    FuryDeclared {},
    /// The dragon lost its remaining actions.
    ForcedPass {
        /// How many.
        actions: u8,
    },
    /// A side gave up its remaining actions.
    TurnPassed {
        /// Which.
        side: Side,
        /// How many.
        actions: u8,
    },
    /// A turn ended.
    TurnEnded {
        /// Its number.
        turn: u16,
    },
    /// The game ended.
    GameOver {
        /// Who won.
        winner: Side,
        /// Why.
        reason: Ending,
    },
}

/// What an observer learns of an event (part E, DRK-12.1), if anything.
pub(super) fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
    let secret = |side: Side, rows: &[u8], shown: bool| {
        if shown {
            let cards = rows.iter().map(|&row| setup.deck(side).kind(row)).collect();
            CardsView::Open(OpenCards { count: rows.len() as u8, cards })
        } else {
            CardsView::Closed(ClosedCards { count: rows.len() as u8 })
        }
    };
    Some(match *event {
        Event::Awaited { .. } => return None,
        Event::DeckShuffled { side, .. } => Notice::DeckShuffled { side },
        Event::HandDealt { side, cards } => {
            let cards = secret(side, cards.as_slice(), to.sees(side.seat()));
            Notice::HandDealt { side, cards }
        }
        Event::HandExchanged { side } => Notice::HandExchanged { side },
        Event::HandKept { side } => Notice::HandKept { side },
        Event::FiguresPlaced { spots: [fury, archery, net] } => {
            Notice::FiguresPlaced { fury: fury.hex(), archery: archery.hex(), net: net.hex() }
        }
        Event::TurnStarted { turn, actions } => {
            Notice::TurnStarted { turn, side: owner_of_turn(turn), actions }
        }
        Event::CardsDrawn { side, cards } => {
            let cards = secret(side, cards.as_slice(), to.sees(side.seat()));
            Notice::CardsDrawn { side, cards }
        }
        Event::CardsDiscarded { side, cards } => {
            let open = setup.rulings.limit_discards == LimitDiscards::Public;
            let cards = secret(side, cards.as_slice(), open || to.sees(side.seat()));
            Notice::CardsDiscarded { side, cards }
        }
        Event::CardPlayed(PlayedCard { side, row, option, value }) => {
            let value = (value > 0).then_some(value);
            Notice::CardPlayed { side, card: setup.deck(side).kind(row), option, value }
        }
        Event::FigureMoved { figure, from, to } => {
            Notice::FigureMoved { figure, from: from.hex(), to: to.hex() }
        }
        Event::NetPlaced => Notice::NetPlaced {},
        Event::NetEscaped { released } => Notice::NetEscaped { released },
        Event::AttackDeclared { option, value, strands, direction } => {
            let strands = strands.into_iter().flatten().collect();
            let direction = direction.map(Direction::number);
            Notice::AttackDeclared { option, value, strands, direction }
        }
        Event::AttackBlocked { side, strand, row } => {
            Notice::AttackBlocked { side, strand, card: setup.deck(side).kind(row) }
        }
        Event::AttackHit { strand, value } => Notice::AttackHit { strand, value },
        Event::WoundsPlaced { track, count, total } => Notice::WoundsPlaced { track, count, total },
        Event::AbilityLost { track } => {
            let ability = Ability::ALL.iter().copied().find(|&it| Track::from(it) == track)?;
            Notice::AbilityLost { ability }
        }
        Event::DwarfKilled { dwarf, at } => Notice::DwarfKilled { figure: dwarf, at: at.hex() },
        Event::FuryDeclared => Notice::FuryDeclared {},
        Event::ForcedPass { actions } => Notice::ForcedPass { actions },
        Event::TurnPassed { side, actions } => Notice::TurnPassed { side, actions },
        Event::TurnEnded { turn } => Notice::TurnEnded { turn },
        Event::GameOver { ending } => {
            Notice::GameOver { winner: ch11_end::winner(ending), reason: ending }
        }
    })
}
