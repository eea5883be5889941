//! What events tell, in words: one line of plain English each, as the referee saw it.
//!
//! Hides nothing, so it must not be shown to a player during a game.

use super::action::{Figure, Kind, Side, Use};
use super::ch11_end;
use super::event::{Event, PlayedCard, strand_names};
use super::rulebook::EscapeMoment;
use super::setup::Setup;
use super::state::{Ending, owner_of_turn};
use super::tables::board::Direction;

/// An event in one line of plain English, if there is something to tell.
pub(super) fn tell(setup: &Setup, event: &Event) -> Option<String> {
    Some(match *event {
        Event::Awaited { .. } | Event::TurnEnded { .. } => return None,
        Event::DeckShuffled { side, .. } => format!("The deck of the {side} is mixed."),
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
        Event::FiguresPlaced { spots: [fury, archery, net] } => format!(
            "Brald starts on {}, Morin on {}, Urpen on {}.",
            fury.hex(),
            archery.hex(),
            net.hex()
        ),
        Event::TurnStarted { turn, actions } => {
            let side = owner_of_turn(turn);
            format!("Turn {turn}: the {side}, {}.", plural(actions, "action"))
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
        Event::CardPlayed(PlayedCard { side, row, option, value }) => {
            let card = setup.deck(side).kind(row);
            let value = if value > 0 { format!(" {value}") } else { String::new() };
            let play = verb(side, "plays", "play");
            format!("{} {play} {card} for {}{value}.", name(side), purpose(option))
        }
        Event::FigureMoved { figure, from, to } => {
            format!("{} goes from {} to {}.", person(figure), from.hex(), to.hex())
        }
        Event::NetPlaced => "The net is thrown over the dragon.".to_owned(),
        Event::NetEscaped { released: false } => match setup.rulings.escape_moment {
            EscapeMoment::WholeTurn => "The dragon spends its turn leaving the net.".to_owned(),
            EscapeMoment::AnyTime => {
                "The dragon spends what is left of its turn leaving the net.".to_owned()
            }
        },
        Event::NetEscaped { released: true } => "The net falls off the dragon.".to_owned(),
        Event::AttackDeclared { option, value, strands, direction } => {
            let who = strand_names(strands).join(" and ");
            match (option, direction.map(Direction::number)) {
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
            strand,
            setup.deck(side).kind(row)
        ),
        Event::AttackHit { strand, value } => {
            format!("The strand {strand} is not blocked and hits with {value}.")
        }
        Event::WoundsPlaced { track, count, total } => {
            let spaces = setup.spaces(track);
            format!("{} on {track}: {total} of {spaces}.", plural(count, "wound"))
        }
        Event::AbilityLost { track } => format!("The dragon loses {track}."),
        Event::DwarfKilled { dwarf, at } => {
            format!("{} dies on {}.", person(dwarf.into()), at.hex())
        }
        Event::FuryDeclared => "The dwarves declare Fury: one action more.".to_owned(),
        Event::ForcedPass { actions } => {
            format!("The dragon has no card left and loses {}.", plural(actions, "action"))
        }
        Event::GameOver { ending } => {
            let side = ch11_end::winner(ending);
            let why = match ending {
                Ending::DragonKilled => "the dragon is dead",
                Ending::DwarvesKilled => "all dwarves are dead",
                Ending::CardsExhausted => "the dwarves have no card left",
            };
            format!("{} {}: {why}.", name(side), verb(side, "wins", "win"))
        }
    })
}

/// A side at the head of a sentence.
fn name(side: Side) -> &'static str {
    match side {
        Side::Dragon => "The dragon",
        Side::Dwarves => "The dwarves",
    }
}

/// The verb that fits a side.
fn verb(side: Side, one: &'static str, many: &'static str) -> &'static str {
    match side {
        Side::Dragon => one,
        Side::Dwarves => many,
    }
}

/// A figure at the head of a sentence.
fn person(figure: Figure) -> &'static str {
    match figure {
        Figure::Dragon => "The dragon",
        Figure::Fury => "Brald (fury)",
        Figure::Archery => "Morin (archery)",
        Figure::Net => "Urpen (net)",
    }
}

/// What a card is played for.
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

fn cards(setup: &Setup, side: Side, rows: &[u8]) -> String {
    let names: Vec<String> =
        rows.iter().map(|&row| setup.deck(side).kind(row).to_string()).collect();
    names.join(", ")
}

/// A card with what it can do: `dw01 (a dwarf's move 2 or a dwarf's attack 1)`.
pub(super) fn card_face(setup: &Setup, kind: Kind) -> String {
    let deck = setup.deck(kind.side());
    let Some(row) = deck.row(kind) else { return kind.to_string() };
    let uses = deck.options(row).iter().map(|&(option, value)| match value {
        0 => purpose(option).to_owned(),
        value => format!("{} {value}", purpose(option)),
    });
    let uses: Vec<String> = uses.collect();
    format!("{kind} ({})", uses.join(" or "))
}
