//! DRG-13: the protocol. What any action must fulfil before its own chapter looks at it.
//!
//! Must not decide anything about the game itself.

use super::action::Action;
use super::notice::{seat, token_name};
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::{Area, State, Step, Unit};
use super::tables::Side;
use super::{deciders, side_of};
use umpire_core::rules::Refusal;
use umpire_core::wire::Name;

/// A check: something, or the refusal.
pub type Checked<T> = Result<T, Refusal<Rule>>;

/// A refusal of one clause.
#[cold]
pub fn refuse(
    rule: Rule,
    code: &'static str,
    message: impl Into<String>,
    pointer: impl Into<String>,
) -> Refusal<Rule> {
    Refusal::new(rule, code, message).at(pointer)
}

/// DRG-13.4: of several faults the first is cited, and the others are named beside it. Faults are
/// noted in the order of the clause.
#[derive(Default)]
pub struct Faults {
    first: Option<Refusal<Rule>>,
}

impl Faults {
    /// Notes the outcome of one check.
    pub fn note(&mut self, checked: Checked<()>) {
        let Err(refusal) = checked else { return };
        self.first = Some(match self.first.take() {
            None => refusal,
            Some(first) => first.also(refusal.rule),
        });
    }

    /// The first fault, if there was one.
    pub fn first(self) -> Checked<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// DRG-13.1: nothing after the end.
pub fn c13_1_not_over(state: &State) -> Checked<()> {
    if state.ended.is_none() {
        return Ok(());
    }
    Err(refuse(Rule::C13_1, "game_over", "the game is over", "").public())
}

/// DRG-13.2: type and player fit the pending decision.
pub fn c13_2_fits(setup: &Setup, state: &State, action: &Action) -> Checked<()> {
    c13_2_fits_type(setup, state, action.name(), action.player())
}

/// The types of action that a decision takes.
const fn types(step: Step) -> &'static [&'static str] {
    match step {
        Step::Deploy => &["deploy"],
        Step::ChooseCards => &["choose_card"],
        Step::PiratePhase => &["land", "move", "send", "end_phase"],
        Step::RapallinePhase => &["move", "raise_alarm", "end_phase"],
        Step::ChooseDefender => &["choose_defender"],
        Step::ArquebusChoice => &["arquebus_choice"],
        Step::DrawOffer => &["draw_offer"],
        Step::Relocate => &["relocate"],
        Step::PlaceReserve => &["place_reserve"],
        Step::GameOver => &[],
    }
}

/// Whether there is such a type of action at all.
pub fn is_type(kind: &str) -> bool {
    Step::ALL.iter().any(|&step| types(step).contains(&kind))
}

/// The same by the type's name.
pub fn c13_2_fits_type(setup: &Setup, state: &State, kind: &str, side: Side) -> Checked<()> {
    let fits = types(state.step).contains(&kind);
    let pending = state.step.name();
    if !fits {
        let message = format!("{kind} is no action of the pending decision {pending}");
        let refusal = refuse(Rule::C13_2, "wrong_action", message, "/type").public();
        return Err(refusal.fact("pending decision", pending));
    }
    if deciders(setup, state).contains(seat(side)) {
        return Ok(());
    }
    let committed = state.step == Step::ChooseCards;
    let message = match committed {
        true => format!("the {} have committed already", side.name()),
        false => format!("the {} do not decide now ({pending})", side.name()),
    };
    let refusal = refuse(Rule::C13_2, "wrong_player", message, "/player").public();
    let names: Vec<_> = deciders(setup, state).iter().map(|seat| side_of(seat).name()).collect();
    let refusal = refusal.fact("who decides", names.join(", "));
    Err(if committed { refusal.also(Rule::C3_2) } else { refusal })
}

/// DRG-13.3, 12.2: the unit of that id or token, of the side that the field asks for.
pub fn unit(setup: &Setup, state: &State, name: &Name, side: Side) -> Checked<Unit> {
    unit_at(setup, state, name, side, || "/unit".to_owned())
}

/// The same for another field.
pub fn unit_at(
    setup: &Setup,
    state: &State,
    name: &Name,
    side: Side,
    at: impl Fn() -> String,
) -> Checked<Unit> {
    let Some(unit) = named(setup, state, name) else {
        let message = format!("{:?} is no unit of the game", name.as_str());
        return Err(refuse(Rule::C13_3, "unknown_unit", message, at()));
    };
    if setup.side(unit) == side {
        return Ok(unit);
    }
    let message = format!("{name} is no unit of the {}", side.name());
    Err(refuse(Rule::C13_3, "wrong_side", message, at()))
}

/// DRG-12.2: the unit of that id or token, whose ever it is.
pub fn named(setup: &Setup, state: &State, name: &Name) -> Option<Unit> {
    match name.first() {
        first @ (b'P' | b'R') => by_token(setup, state, name, first),
        _ => setup.unit(name),
    }
}

fn by_token(setup: &Setup, state: &State, name: &Name, letter: u8) -> Option<Unit> {
    let side = Side::BOTH.into_iter().find(|side| side.token_letter() == letter)?;
    let number = name.as_str().get(1..)?.parse().ok()?;
    let unit = state.by_token(setup, side, number)?;
    (token_name(side, number) == *name).then_some(unit)
}

/// DRG-13.3: the area of that id, in the field `to`.
pub fn area(setup: &Setup, name: &Name) -> Checked<Area> {
    area_at(setup, name, || "/to".to_owned())
}

/// The same for another field.
pub fn area_at(setup: &Setup, name: &Name, at: impl Fn() -> String) -> Checked<Area> {
    setup.area(name).ok_or_else(|| {
        let message = format!("{:?} is no area of the map", name.as_str());
        refuse(Rule::C13_3, "unknown_area", message, at())
    })
}

/// DRG-13.3: the card of that id in a side's deck.
pub fn card(setup: &Setup, side: Side, name: &Name) -> Checked<u8> {
    if let Some(row) = setup.card(side, name) {
        return Ok(row);
    }
    let (code, message) = match setup.card(side.other(), name) {
        Some(_) => ("wrong_side", format!("{name} is no card of the {}", side.name())),
        None => ("unknown_card", format!("{:?} is no card of the game", name.as_str())),
    };
    Err(refuse(Rule::C13_3, code, message, "/card"))
}
