//! DRG-13 The protocol: what any action must fulfil before its own chapter looks at it.
//!
//! Must not decide anything about the game itself.

use super::action::{Action, Side};
use super::ch12_information::{token_letter, token_name};
use super::rulebook::{Opponent, Relocator, Rule};
use super::setup::Setup;
use super::state::{Area, Ending, NONE, Stage, State, Unit};
use super::{Checked, Refusal, ch09_draws};
use umpire_core::game::Seats;
use umpire_core::record::Malformed;
use umpire_core::wire::Name;

/// DRG-13.1, DRG-13.2 The game goes on, and type and player fit the pending decision.
pub(super) fn check_protocol(setup: &Setup, state: &State, action: &Action) -> Checked {
    check_not_over(state)?;
    check_type(setup, state, action.name(), Some(action.side()))?;
    check_player(setup, state, action.side())
}

/// DRG-13.1 Nothing after the end.
fn check_not_over(state: &State) -> Checked {
    let Some(ended) = state.ended else { return Ok(()) };
    let by = match ended.reason {
        Ending::Serraglio => Rule::C11_2,
        Ending::NoRapalline => Rule::C11_3,
        Ending::NoPirates => Rule::C11_4,
        Ending::Unreachable => Rule::R33,
        Ending::Standstill => Rule::C11_7,
    };
    Err(Refusal::new(Rule::C13_1, "game_over", "the game is over").also(by).public())
}

/// DRG-13.2 Who decides now (part C.1).
pub(super) fn deciders(setup: &Setup, state: &State) -> Seats {
    let one = |side: Side| Seats::one(side.seat());
    match state.stage {
        Stage::Deploy | Stage::ArquebusChoice | Stage::PlaceReserve | Stage::RapallinePhase => {
            one(Side::Rapalline)
        }
        Stage::DrawOffer => one(ch09_draws::earner(setup, state)),
        Stage::PiratePhase => one(Side::Pirates),
        Stage::ChooseCards => Side::BOTH
            .into_iter()
            .filter(|side| state.cards[side.index()].committed == NONE)
            .fold(Seats::NONE, |seats, side| seats.with(side.seat())),
        Stage::ChooseDefender => match state.arrival.and_then(|arrival| arrival.unit) {
            Some(attacker) => one(chooser(setup, attacker)),
            None => Seats::NONE,
        },
        Stage::Relocate => one(relocator(setup)),
        Stage::GameOver => Seats::NONE,
    }
}

/// DRG-6.2 Who names the opponent: the attacker, or under DRG-R12 = `defender` the other side.
fn chooser(setup: &Setup, attacker: Unit) -> Side {
    match setup.rulings.opponent {
        Opponent::Attacker => setup.side(attacker),
        Opponent::Defender => setup.side(attacker).other(),
    }
}

/// DRG-7.9 Who picks (DRG-R20).
fn relocator(setup: &Setup) -> Side {
    match setup.rulings.relocator {
        Relocator::Rapalline => Side::Rapalline,
        Relocator::Pirates => Side::Pirates,
    }
}

/// DRG-13.2 The types of action that a decision takes.
const fn types(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Deploy => &["deploy"],
        Stage::ChooseCards => &["choose_card"],
        Stage::PiratePhase => &["land", "move", "send", "end_phase"],
        Stage::RapallinePhase => &["move", "raise_alarm", "end_phase"],
        Stage::ChooseDefender => &["choose_defender"],
        Stage::ArquebusChoice => &["arquebus_choice"],
        Stage::DrawOffer => &["draw_offer"],
        Stage::Relocate => &["relocate"],
        Stage::PlaceReserve => &["place_reserve"],
        Stage::GameOver => &[],
    }
}

/// DRG-13.2 A type of action fits the pending decision. The clause that bars it from a side, or says that
/// nobody is asked, is cited, too.
fn check_type(setup: &Setup, state: &State, kind: &str, side: Option<Side>) -> Checked {
    let pending = state.stage;
    if types(pending).contains(&kind) {
        return Ok(());
    }
    let name = kind.replace('_', " ");
    let message = format!("{name:?} does not fit now: {}", pending.words());
    let refused = |rule, message| {
        let refusal = Refusal::new(rule, "wrong_action", message).at("/type");
        refusal.fact("pending decision", pending).public()
    };
    let Some(side) = side else { return Err(refused(Rule::C13_2, message)) };
    if kind == "draw_offer" && !ch09_draws::may_decline(setup, side) {
        let clause = ch09_draws::earned_by(side);
        let message = format!("{} are not asked whether they draw", side.title());
        return Err(refused(clause, message).also(Rule::R24).also(Rule::C13_2));
    }
    let refusal = refused(Rule::C13_2, message);
    Err(match clause_of_the_other_side(kind, side) {
        Some(clause) => refusal.also(clause),
        None => cite_phase(state, side, refusal),
    })
}

/// DRG-5.7, DRG-7.4, DRG-8.5 The clause by which a type of action belongs to the other side alone.
fn clause_of_the_other_side(kind: &str, side: Side) -> Option<Rule> {
    match (side, kind) {
        (Side::Pirates, "raise_alarm") => Some(Rule::C8_5),
        (Side::Rapalline, "land") => Some(Rule::C5_7),
        (Side::Rapalline, "send") => Some(Rule::C7_4),
        _ => None,
    }
}

/// DRG-3.1 A side that acts in the phase of the other one is told of the order of the turn.
fn cite_phase(state: &State, side: Side, refusal: Refusal) -> Refusal {
    let phase = match state.stage {
        Stage::PiratePhase => Side::Pirates,
        Stage::RapallinePhase => Side::Rapalline,
        _ => return refusal,
    };
    if phase == side { refusal } else { refusal.also(Rule::C3_1) }
}

/// DRG-13.2 A player decides now.
fn check_player(setup: &Setup, state: &State, side: Side) -> Checked {
    let pending = state.stage;
    let deciders = deciders(setup, state);
    if deciders.contains(side.seat()) {
        return Ok(());
    }
    let committed = pending == Stage::ChooseCards;
    let message = match committed {
        true => format!("{} have committed already", side.title()),
        false => format!("{} do not decide now ({})", side.title(), pending.words()),
    };
    let refusal = cite_phase(state, side, wrong_player(setup, state, message));
    Err(if committed { refusal.also(Rule::C3_2) } else { refusal })
}

/// DRG-13.2 The refusal of a player who does not decide now.
fn wrong_player(setup: &Setup, state: &State, message: String) -> Refusal {
    let deciders = deciders(setup, state);
    let names: Vec<_> = deciders.iter().map(|seat| Side::of_seat(seat).name()).collect();
    Refusal::new(Rule::C13_2, "wrong_player", message)
        .at("/player")
        .fact("who decides", names.join(", "))
        .public()
}

/// DRG-13.3 An action whose fields cannot be read; faults that its type and player show come first.
/// A type that is none fits no decision, nor does a player who is none (DRG-13.2).
pub(super) fn bad_fields(setup: &Setup, state: &State, sent: &Malformed) -> Refusal {
    let checked = check_not_over(state).and_then(|()| {
        if let Some(kind) = sent.kind.as_deref() {
            check_type(setup, state, kind, sent.player.as_deref().and_then(Side::parse))?;
        }
        let Some(player) = sent.player.as_deref() else { return Ok(()) };
        match Side::parse(player) {
            Some(side) => check_player(setup, state, side),
            None => {
                let message = format!("{player:?} is not a player of the game");
                Err(wrong_player(setup, state, message))
            }
        }
    });
    match checked {
        Err(refusal) => refusal,
        Ok(()) => Refusal::new(Rule::C13_3, "malformed", sent.detail.clone()),
    }
}

/// DRG-13.3, DRG-12.2 The unit of that id or token, of the side that the field `unit` asks for.
pub(super) fn check_unit(setup: &Setup, state: &State, name: &Name, side: Side) -> Checked<Unit> {
    check_unit_at(setup, state, name, side, || "/unit".to_owned())
}

/// DRG-13.3, DRG-12.2 The unit of that id or token, of the side that a field asks for.
pub(super) fn check_unit_at(
    setup: &Setup,
    state: &State,
    name: &Name,
    side: Side,
    pointer: impl Fn() -> String,
) -> Checked<Unit> {
    let Some(unit) = unit_named(setup, state, name) else {
        let message = format!("{:?} is not a unit of the game", name.as_str());
        return Err(Refusal::new(Rule::C13_3, "unknown_unit", message).at(pointer()));
    };
    if setup.side(unit) == side {
        return Ok(unit);
    }
    let message = format!("{} is not a unit of {}", setup.said_unit(name), side.title());
    Err(Refusal::new(Rule::C13_3, "wrong_side", message).at(pointer()))
}

/// DRG-12.2 The unit of that id or token, whose ever it is.
pub(super) fn unit_named(setup: &Setup, state: &State, name: &Name) -> Option<Unit> {
    match name.first() {
        first @ (b'P' | b'R') => unit_of_token(setup, state, name, first),
        _ => setup.unit(name),
    }
}

fn unit_of_token(setup: &Setup, state: &State, name: &Name, letter: u8) -> Option<Unit> {
    let side = Side::BOTH.into_iter().find(|&side| token_letter(side) == letter)?;
    let number = name.as_str().get(1..)?.parse().ok()?;
    let unit = state.by_token(setup, side, number)?;
    (token_name(side, number) == *name).then_some(unit)
}

/// DRG-13.3 The area of that id, in the field `to`.
pub(super) fn check_area(setup: &Setup, name: &Name) -> Checked<Area> {
    check_area_at(setup, name, || "/to".to_owned())
}

/// DRG-13.3 The area of that id, in a field.
pub(super) fn check_area_at(
    setup: &Setup,
    name: &Name,
    pointer: impl Fn() -> String,
) -> Checked<Area> {
    setup.area(name).ok_or_else(|| {
        let message = format!("{:?} is not an area of the map", name.as_str());
        Refusal::new(Rule::C13_3, "unknown_area", message).in_sight().at(pointer())
    })
}

/// DRG-13.3 The card of that id in a side's deck.
pub(super) fn check_card(setup: &Setup, side: Side, name: &Name) -> Checked<u8> {
    if let Some(row) = setup.card(side, name) {
        return Ok(row);
    }
    let (code, message) = match setup.card(side.other(), name) {
        Some(row) => {
            let title = setup.card_title(side.other(), row);
            ("wrong_side", format!("{title} is not a card of {}", side.title()))
        }
        None => ("unknown_card", format!("{:?} is not a card of the game", name.as_str())),
    };
    Err(Refusal::new(Rule::C13_3, code, message).in_sight().at("/card"))
}

/// DRG-13.4 Of several faults the first is cited, and the others are named beside it. Faults are
/// noted in the order of the clause.
#[derive(Default)]
pub(super) struct Faults {
    first: Option<Refusal>,
}

impl Faults {
    /// Notes the outcome of one check.
    pub(super) fn note(&mut self, checked: Checked) {
        let Err(refusal) = checked else { return };
        self.first = Some(match self.first.take() {
            None => refusal,
            Some(first) => first.also(refusal.rule),
        });
    }

    /// The first fault, if there was one.
    pub(super) fn first(self) -> Checked {
        self.first.map_or(Ok(()), Err)
    }
}

// DRG-13.5 is `sequence.rs` and `ch03_cards::commit_empty_hands`; DRG-13.6 is `Dragut::CLAUSES.rejection`:
// the core puts the state back.
