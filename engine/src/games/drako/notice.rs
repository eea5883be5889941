//! What an observer learns of a fact, and the story that the referee can tell.
//!
//! Must not show a card that is hidden from the observer: cards are open or closed by
//! construction.

use serde::{Deserialize, Serialize};

use super::action::{Dwarf, Figure, Kind, Side, Use};
use super::board::Place;
use super::event::{Event, named, track_name, winner};
use super::setup::{LimitDiscards, Setup};
use super::tables::{DECK, Deck};
use super::view::{Ability, CardsView, ClosedCards, EndReason, OpenCards};
use crate::board::hex::Hex;
use crate::game::Observer;

/// A wound track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = drako::Track))]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// Brald's.
    Fury,
    /// Morin's.
    Archery,
    /// Urpen's.
    Net,
    /// The dragon's armour.
    Armour,
    /// The dragon's flight.
    Flight,
    /// The dragon's movement.
    Movement,
    /// The dragon's fire breathing.
    Fire,
}

const TRACKS: [Track; 7] = [
    Track::Fury,
    Track::Archery,
    Track::Net,
    Track::Armour,
    Track::Flight,
    Track::Movement,
    Track::Fire,
];

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
        reason: EndReason,
    },
}

fn rows(deck: &Deck, rows: &[u8]) -> Vec<Kind> {
    rows.iter().map(|&row| deck.kinds[usize::from(row).min(DECK - 1)]).collect()
}

/// What an observer learns of a fact (part E).
pub(super) fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
    let secret = |side: Side, cards: &[u8], seen: bool| {
        if seen {
            let cards = rows(setup.deck(side), cards);
            CardsView::Open(OpenCards { count: cards.len() as u8, cards })
        } else {
            CardsView::Closed(ClosedCards { count: cards.len() as u8 })
        }
    };
    let kind = |side: Side, row: u8| setup.deck(side).kinds[usize::from(row)];
    Some(match *event {
        Event::Awaited { .. } => return None,
        Event::DeckShuffled { side, .. } => Notice::DeckShuffled { side },
        Event::HandDealt { side, cards } => {
            let cards = secret(side, cards.as_slice(), to.sees(side.seat()));
            Notice::HandDealt { side, cards }
        }
        Event::HandExchanged { side } => Notice::HandExchanged { side },
        Event::HandKept { side } => Notice::HandKept { side },
        Event::FiguresPlaced { places: [fury, archery, net] } => {
            Notice::FiguresPlaced { fury: fury.hex(), archery: archery.hex(), net: net.hex() }
        }
        Event::TurnStarted { turn, actions } => {
            let side = if turn % 2 == 1 { Side::Dragon } else { Side::Dwarves };
            Notice::TurnStarted { turn, side, actions }
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
        Event::CardPlayed { side, row, option, value } => {
            let value = (value > 0).then_some(value);
            Notice::CardPlayed { side, card: kind(side, row), option, value }
        }
        Event::FigureMoved { figure, from, to } => {
            Notice::FigureMoved { figure, from: from.hex(), to: to.hex() }
        }
        Event::NetPlaced => Notice::NetPlaced {},
        Event::NetEscaped { released } => Notice::NetEscaped { released },
        Event::AttackDeclared { option, value, strands, direction } => {
            let strands = strands.into_iter().flatten().collect();
            Notice::AttackDeclared { option, value, strands, direction }
        }
        Event::AttackBlocked { side, strand, row } => {
            Notice::AttackBlocked { side, strand, card: kind(side, row) }
        }
        Event::AttackHit { strand, value } => Notice::AttackHit { strand, value },
        Event::WoundsPlaced { track, count, total } => {
            let track = TRACKS[usize::from(track).min(TRACKS.len() - 1)];
            Notice::WoundsPlaced { track, count, total }
        }
        Event::AbilityLost { track } => {
            let ability = Ability::ALL.into_iter().find(|it| it.track() == usize::from(track))?;
            Notice::AbilityLost { ability }
        }
        Event::DwarfKilled { dwarf, at } => Notice::DwarfKilled { figure: dwarf, at: at.hex() },
        Event::FuryDeclared => Notice::FuryDeclared {},
        Event::ForcedPass { actions } => Notice::ForcedPass { actions },
        Event::TurnEnded { turn } => Notice::TurnEnded { turn },
        Event::GameOver { ending } => {
            let (winner, _, _) = winner(ending);
            Notice::GameOver { winner, reason: ending.into() }
        }
    })
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Dragon => "The dragon",
        Side::Dwarves => "The dwarves",
    }
}

fn verb(side: Side, one: &'static str, many: &'static str) -> &'static str {
    match side {
        Side::Dragon => one,
        Side::Dwarves => many,
    }
}

fn person(figure: Figure) -> &'static str {
    match figure {
        Figure::Dragon => "The dragon",
        Figure::Fury => "Brald (fury)",
        Figure::Archery => "Morin (archery)",
        Figure::Net => "Urpen (net)",
    }
}

fn purpose(option: Use) -> &'static str {
    match option {
        Use::OneMove => "a dwarf's move",
        Use::TwoMove => "two dwarves' move",
        Use::OneAttack => "a dwarf's attack",
        Use::TwoAttack => "two dwarves' attack",
        Use::Crossbow => "the crossbow",
        Use::Net => "the net",
        Use::Move => "a move",
        Use::Flight => "flight",
        Use::Attack => "an attack",
        Use::Fire => "fire",
        Use::Defense => "defence",
        Use::None => "nothing",
    }
}

fn plural(count: u8, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn cards(setup: &Setup, side: Side, list: &[u8]) -> String {
    let names: Vec<String> = rows(setup.deck(side), list).iter().map(Kind::to_string).collect();
    names.join(", ")
}

/// A fact in one line of plain English.
pub(super) fn tell(setup: &Setup, event: &Event) -> Option<String> {
    let hex = |place: Place| place.hex();
    Some(match *event {
        Event::Awaited { .. } | Event::TurnEnded { .. } => return None,
        Event::DeckShuffled { side, .. } => format!("The deck of the {} is mixed.", side.name()),
        Event::HandDealt { side, cards: dealt } => format!(
            "{} {} {}.",
            name(side),
            verb(side, "is dealt", "are dealt"),
            cards(setup, side, dealt.as_slice())
        ),
        Event::HandExchanged { side } => {
            format!("{} {} the whole hand.", name(side), verb(side, "exchanges", "exchange"))
        }
        Event::HandKept { side } => {
            format!("{} {} the hand.", name(side), verb(side, "keeps", "keep"))
        }
        Event::FiguresPlaced { places: [fury, archery, net] } => format!(
            "Brald starts on {}, Morin on {}, Urpen on {}.",
            hex(fury),
            hex(archery),
            hex(net)
        ),
        Event::TurnStarted { turn, actions } => {
            let side = if turn % 2 == 1 { "the dragon" } else { "the dwarves" };
            format!("Turn {turn}: {side}, {}.", plural(actions, "action"))
        }
        Event::CardsDrawn { side, cards: drawn } => format!(
            "{} {} {}.",
            name(side),
            verb(side, "draws", "draw"),
            cards(setup, side, drawn.as_slice())
        ),
        Event::CardsDiscarded { side, cards: list } => format!(
            "{} {} {} to the hand limit.",
            name(side),
            verb(side, "discards", "discard"),
            cards(setup, side, list.as_slice())
        ),
        Event::CardPlayed { side, row, option, value } => {
            let card = setup.deck(side).kinds[usize::from(row)];
            let value = if value > 0 { format!(" {value}") } else { String::new() };
            let play = verb(side, "plays", "play");
            format!("{} {play} {card} for {}{value}.", name(side), purpose(option))
        }
        Event::FigureMoved { figure, from, to } => {
            format!("{} goes from {} to {}.", person(figure), hex(from), hex(to))
        }
        Event::NetPlaced => "The net is thrown over the dragon.".to_owned(),
        Event::NetEscaped { released: false } => {
            "The dragon spends its turn leaving the net.".to_owned()
        }
        Event::NetEscaped { released: true } => "The net falls off the dragon.".to_owned(),
        Event::AttackDeclared { option, value, strands, direction } => {
            let who = named(strands).join(" and ");
            match (option, direction) {
                (Use::Fire, Some(direction)) if who.is_empty() => {
                    format!("Fire in direction {direction} meets nobody.")
                }
                (Use::Fire, Some(direction)) => {
                    format!("Fire in direction {direction} attacks {who} with {value}.")
                }
                (Use::Attack, _) => format!("The dragon attacks {who} with {value}."),
                _ => format!("The dragon is attacked by {who} with {value}."),
            }
        }
        Event::AttackBlocked { side, strand, row } => format!(
            "{} {} the strand {} with {}.",
            name(side),
            verb(side, "blocks", "block"),
            strand.name(),
            setup.deck(side).kinds[usize::from(row)]
        ),
        Event::AttackHit { strand, value } => {
            format!("The strand {} is not blocked and hits with {value}.", strand.name())
        }
        Event::WoundsPlaced { track, count, total } => {
            let spaces = setup.spaces[usize::from(track)];
            format!("{} on {}: {total} of {spaces}.", plural(count, "wound"), track_name(track))
        }
        Event::AbilityLost { track } => format!("The dragon loses {}.", track_name(track)),
        Event::DwarfKilled { dwarf, at } => {
            format!("{} dies on {}.", person(dwarf.into()), hex(at))
        }
        Event::FuryDeclared => "The dwarves declare Fury: one action more.".to_owned(),
        Event::ForcedPass { actions } => {
            format!("The dragon has no card left and loses {}.", plural(actions, "action"))
        }
        Event::GameOver { ending } => {
            let (side, reason, _) = winner(ending);
            let why = match reason {
                "dragon_killed" => "the dragon is dead",
                "dwarves_killed" => "all dwarves are dead",
                _ => "the dwarves have no card left",
            };
            format!("{} {}: {why}.", name(side), verb(side, "wins", "win"))
        }
    })
}
