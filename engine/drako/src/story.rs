//! What events tell, in words: one line of plain English each, as an observer learns of it.
//!
//! Must not say more of an event than its notice to that observer does.

use super::Drako;
use super::action::{Action, Block, CardUse, Dwarf, Dwarves, Figure, Kind, Play, Side, Track, Use};
use super::ch11_end;
use super::condition::condition;
use super::event::{Event, PlayedCard};
use super::rulebook::{EscapeMoment, LimitDiscards};
use super::setup::Setup;
use super::state::{Ending, State, owner_of_turn};
use super::tables::board::Direction;
use super::view::View;
use umpire_core::game::{Change, Condition, Observer, Story};

impl Story for Drako {
    fn tell(setup: &Setup, event: &Event, about: &Option<Side>, to: Observer) -> Option<String> {
        tell(setup, event, *about, to)
    }

    fn describe_action(setup: &Setup, _: Option<&State>, action: &Action) -> Option<String> {
        Some(say(setup, action))
    }

    /// How the turn and the wounds to be divided are counted matters only for what is decided next, which the state says
    /// (DRK-R13, R33).
    fn strip_bookkeeping(view: &mut View) {
        view.fury_turn = false;
        view.hits.clear();
    }

    fn describe_change(setup: &Setup, change: Change<'_>) -> Condition {
        condition(setup, change)
    }
}

/// Whose attack is going on, for the sentences that say who hits whom; who has cards left at the end, for the sentence
/// that says why it has come.
pub(super) fn about(state: &State, event: &Event) -> Option<Side> {
    match event {
        Event::AttackHit { .. } | Event::Awaited { .. } => {
            state.attack.map(|attack| match attack.option {
                Use::Attack | Use::Fire => Side::Dragon,
                _ => Side::Dwarves,
            })
        }
        Event::GameOver { .. } => (!state.holding(Side::Dwarves).is_out()).then_some(Side::Dwarves),
        _ => None,
    }
}

/// An event in one line of plain English, if there is something to tell. `about` is what [`about`] found.
fn tell(setup: &Setup, event: &Event, about: Option<Side>, to: Observer) -> Option<String> {
    // Cards as they are known to the observer: by name, or how many.
    let some = |side: Side, rows: &[u8], open: bool| match open || to.sees(side.seat()) {
        true => cards(setup, side, rows),
        false => plural(rows.len() as u8, "card"),
    };
    Some(match *event {
        Event::TurnEnded { .. } => return None,
        Event::Awaited { unblocked, .. } => {
            let of = if about == Some(Side::Dragon) { "on" } else { "of" };
            format!("The attack {of} {} is not blocked.", unblocked?.forename())
        }
        Event::DeckShuffled { side, .. } => format!("The deck of the {side} is mixed."),
        Event::HandDealt { side, cards: dealt } => format!(
            "{} {} {}.",
            name(side),
            verb(side, "is dealt", "are dealt"),
            some(side, dealt.as_slice(), false)
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
            format!("Turn {turn}: the {side}, with {}.", plural(actions, "action"))
        }
        Event::CardsDrawn { side, cards: drawn } => format!(
            "{} {} {}.",
            name(side),
            verb(side, "draws", "draw"),
            some(side, drawn.as_slice(), false)
        ),
        Event::CardsDiscarded { side, cards: list } => format!(
            "{} {} {} to the hand limit.",
            name(side),
            verb(side, "discards", "discard"),
            some(side, list.as_slice(), setup.rulings.limit_discards == LimitDiscards::Public)
        ),
        Event::CardPlayed(PlayedCard { side, row, option, value }) => {
            let value = if value > 0 { format!(" {value}") } else { String::new() };
            let play = verb(side, "plays", "play");
            let card = card(setup, side, row);
            format!("{} {play} {card} for {}{value}.", name(side), option.purpose())
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
            let names: Vec<&str> = strands.into_iter().flatten().map(Dwarf::forename).collect();
            let who = names.join(" and ");
            match (option, direction.map(Direction::number)) {
                (Use::Fire, Some(direction)) if who.is_empty() => {
                    format!("Fire in direction {direction} meets nobody.")
                }
                (Use::Fire, Some(direction)) => {
                    format!("Fire in direction {direction} attacks {who} with {value}.")
                }
                (Use::Attack, _) => format!("The dragon attacks {who} with {value}."),
                (Use::Crossbow, _) => format!("{who} shoots at the dragon with {value}."),
                _ if names.len() > 1 => {
                    format!("{who} attack the dragon with {value} each.")
                }
                _ => format!("{who} attacks the dragon with {value}."),
            }
        }
        Event::AttackBlocked { side, strand, row } => format!(
            "{} {} the attack {} {} with {}.",
            name(side),
            verb(side, "blocks", "block"),
            if side == Side::Dragon { "of" } else { "on" },
            strand.forename(),
            card(setup, side, row)
        ),
        Event::AttackHit { strand, value } => {
            let strand = strand.forename();
            match about {
                Some(Side::Dragon) => format!("The dragon hits {strand} for {value}."),
                Some(Side::Dwarves) => format!("{strand} hits the dragon for {value}."),
                None => format!("The strand of {strand} hits for {value}."),
            }
        }
        Event::WoundsPlaced { track, count, total } => {
            let (marks, spaces) = (plural(count, "wound"), setup.spaces(track));
            match dwarf(track) {
                Some(dwarf) => format!("{} takes {marks}: {total} of {spaces}.", dwarf.forename()),
                None => format!("The dragon takes {marks} on {track}: {total} of {spaces}."),
            }
        }
        Event::AbilityLost { track } => format!("The dragon loses its {track}."),
        Event::DwarfKilled { dwarf, at } => {
            format!("{} dies on {}.", person(dwarf.into()), at.hex())
        }
        Event::FuryDeclared => "The dwarves declare Fury: one action more.".to_owned(),
        Event::ForcedPass { actions } => {
            format!("The dragon has no card left and loses {}.", plural(actions, "action"))
        }
        Event::TurnPassed { side, actions: 0 } => {
            format!("{} {} Fury.", name(side), verb(side, "does not declare", "do not declare"))
        }
        Event::TurnPassed { side, actions } => {
            let (pass, give) = (verb(side, "passes", "pass"), verb(side, "gives up", "give up"));
            format!("{} {pass} and {give} {}.", name(side), plural(actions, "action"))
        }
        Event::GameOver { ending } => {
            let side = ch11_end::winner(ending);
            let why = match ending {
                Ending::DragonKilled => "the dragon is dead",
                Ending::DwarvesKilled => "all dwarves are dead",
                Ending::CardsExhausted if about.is_some() => "the dwarves are out of time",
                Ending::CardsExhausted => "the dwarves have no card left",
            };
            format!("{} {}: {why}.", name(side), verb(side, "wins", "win"))
        }
    })
}

/// A card that is played, with what it does.
fn say_play(setup: &Setup, play: &Play) -> String {
    let option = play.used_for.option();
    let who = name(play.player);
    let deck = setup.deck(play.card.side());
    let found = deck.row(play.card).and_then(|row| {
        deck.options(row).iter().find(|(offered, _)| *offered == option).map(|(_, value)| *value)
    });
    let card = match found {
        Some(value) if value > 0 => format!("{} ({} {value})", play.card, option.purpose()),
        _ => format!("{} ({})", play.card, option.purpose()),
    };
    match &play.used_for {
        CardUse::OneMove { moves } | CardUse::TwoMove { moves } => match moves.as_slice() {
            [] => format!("{who} {} {card} and stay", verb(play.player, "plays", "play")),
            [first, rest @ ..] => {
                let first = format!("{} moves to {}", first.figure.forename(), first.to);
                let rest =
                    rest.iter().map(|it| format!(", then {} to {}", it.figure.forename(), it.to));
                format!("{first}{} with {card}", rest.collect::<String>())
            }
        },
        CardUse::OneAttack { attackers } | CardUse::TwoAttack { attackers } => {
            let names: Vec<_> = attackers.as_slice().iter().map(|it| it.forename()).collect();
            match names.as_slice() {
                [] => format!("Nobody attacks the dragon with {card}"),
                [one] => format!("{one} attacks the dragon with {card}"),
                all => format!("{} attack the dragon with {card}", all.join(" and ")),
            }
        }
        CardUse::Crossbow {} => format!("Morin shoots at the dragon with {card}"),
        CardUse::Net {} => format!("Urpen throws the net with {card}"),
        CardUse::Move { to } => format!("The dragon moves to {to} with {card}"),
        CardUse::Flight { to } => format!("The dragon flies to {to} with {card}"),
        CardUse::Attack { target } => {
            let target = target.map_or("nobody", Dwarf::forename);
            format!("The dragon attacks {target} with {card}")
        }
        CardUse::Fire { direction } => {
            format!("The dragon breathes fire in direction {direction} with {card}")
        }
        CardUse::Defense {} | CardUse::None {} => {
            let play_verb = verb(play.player, "plays", "play");
            format!("{who} {play_verb} {} for {}", play.card, option.purpose())
        }
    }
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
        other => other.title(),
    }
}

/// The dwarf whose wounds a track counts.
fn dwarf(track: Track) -> Option<Dwarf> {
    Dwarves::ALL.iter().find(|&dwarf| Track::from(dwarf) == track)
}

/// A card by name, with what stands on it.
fn card(setup: &Setup, side: Side, row: u8) -> String {
    let deck = setup.deck(side);
    deck.face(deck.kind(row))
}

fn plural(count: u8, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn cards(setup: &Setup, side: Side, rows: &[u8]) -> String {
    let names: Vec<String> = rows.iter().map(|&row| card(setup, side, row)).collect();
    match names.is_empty() {
        true => "no card".to_owned(),
        false => names.join(", "),
    }
}

/// An action in one line.
fn say(setup: &Setup, action: &Action) -> String {
    let who = name(action.side());
    match action {
        Action::Mulligan(it) if it.exchange => {
            format!("{who} {} the whole hand", verb(it.player, "exchanges", "exchange"))
        }
        Action::Mulligan(it) => format!("{who} {} the hand", verb(it.player, "keeps", "keep")),
        Action::Place(it) => {
            format!("Brald starts on {}, Morin on {}, Urpen on {}", it.fury, it.archery, it.net)
        }
        Action::Draw(it) => format!("{who} {} two cards", verb(it.player, "draws", "draw")),
        Action::Discard(it) => {
            let list: Vec<String> = it.cards.as_slice().iter().map(Kind::to_string).collect();
            let list = if list.is_empty() { "nothing".to_owned() } else { list.join(", ") };
            format!("{who} {} {list}", verb(it.player, "discards", "discard"))
        }
        Action::Play(it) => say_play(setup, it),
        Action::Defend(it) if it.blocks.as_slice().is_empty() => {
            format!("{who} {} not defend", verb(it.player, "does", "do"))
        }
        Action::Defend(it) => {
            let block = |block: &Block| {
                format!("the strand of {} with {}", block.against.forename(), block.card)
            };
            let list: Vec<String> = it.blocks.as_slice().iter().map(block).collect();
            format!("{who} {} {}", verb(it.player, "blocks", "block"), list.join(" and "))
        }
        Action::AssignWounds(it) => {
            let parts = [("flight", it.flight), ("movement", it.movement), ("fire", it.fire)];
            let parts = parts.iter().filter(|(_, count)| *count > 0);
            let parts: Vec<_> = parts.map(|(track, count)| format!("{count} on {track}")).collect();
            match parts.is_empty() {
                true => format!("{who} put no wound anywhere"),
                false => format!("{who} put wounds on the dragon: {}", parts.join(", ")),
            }
        }
        Action::EscapeNet(it) => format!("{who} {} the net", verb(it.player, "leaves", "leave")),
        Action::DeclareFury(it) => {
            format!("{who} {} Fury", verb(it.player, "declares", "declare"))
        }
        Action::Pass(it) => format!("{who} {}", verb(it.player, "passes", "pass")),
    }
}
