//! Drako: a dragon against three dwarves (rules document `DRK`).
//!
//! One file per chapter of the document, one function per deciding clause. [`Drako::decide`] is
//! the index: it leads from an action to its chapter. Nothing outside this folder and the
//! registry names this game, and this folder names no other.

mod action;
mod board;
mod ch02_setup;
mod ch03_turns;
mod ch04_drawing;
mod ch05_playing;
mod ch06_movement;
mod ch07_attacks;
mod ch08_wounds;
mod ch09_net;
mod ch10_fury;
mod ch11_end;
mod event;
mod legal;
mod notice;
mod position;
mod rulebook;
mod setup;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod view;

use std::ops::ControlFlow;

pub use action::Action;
pub use event::Event;
pub use notice::Notice;
pub use position::Position;
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use tables::Components;
pub use view::View;

use crate::chance::{Chance, Halt};
use crate::game::{self, Decision, Game, Menu, Meta, NoRange, Observer, Outcome, Seat, Seats};
use crate::record::Malformed;
use crate::rules::{Refusal, RulingDef, RulingSet};
use action::Side;
use state::Stage;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Drako;

type Ctx<'a> = game::Ctx<'a, Drako>;
type Verdict = game::Verdict<Drako>;
type Stop = game::Stop<Rule>;

/// The name of a pending decision (part C.1).
fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Setup => "setup",
        Stage::MulliganDragon => "mulligan_dragon",
        Stage::MulliganDwarves => "mulligan_dwarves",
        Stage::Placement => "placement",
        Stage::Action => "action",
        Stage::Discard => "discard",
        Stage::Defend => "defend",
        Stage::AssignWounds => "assign_wounds",
        Stage::GameOver => "game_over",
    }
}

impl Game for Drako {
    const META: Meta = Meta {
        id: "drako",
        prefix: "DRK",
        title: "Drako: a dragon against three dwarves",
        version: 1,
        seats: &["dragon", "dwarves"],
        players: (2, 2),
        streams: &["drako.dragon_deck", "drako.dwarf_deck"],
        endings: &["dragon_killed", "dwarves_killed", "cards_exhausted"],
    };
    const REJECTION: Rule = Rule::C3_9;
    const TAPE: Rule = Rule::C13_2;

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = NoRange;
    type Event = Event;
    type Notice = Notice;
    type View = View;
    type Position = Position;
    type Components = Components;
    type Rule = Rule;

    fn rulings() -> &'static [RulingDef] {
        setup::Rulings::DEFS
    }

    fn components(setup: &Setup) -> Components {
        Components::of(setup)
    }

    fn setup(options: Options, _: &mut dyn Chance) -> Result<Setup, Stop> {
        Ok(Setup::new(options)?)
    }

    fn options(setup: &Setup) -> Options {
        setup.options().clone()
    }

    fn players(_: &Setup) -> Seats {
        Seats::first(2)
    }

    fn start(setup: &Setup) -> State {
        State::new(setup)
    }

    fn open(ctx: &mut Ctx<'_>) -> Verdict {
        ch02_setup::open(ctx)
    }

    fn load(setup: &Setup, position: Position) -> Result<State, Refusal<Rule>> {
        position::load(setup, &position)
    }

    fn resume(ctx: &mut Ctx<'_>) -> Verdict {
        ch03_turns::resume(ctx)
    }

    fn decision(_: &Setup, state: &State) -> Decision<Rule> {
        let rule = match state.stage {
            Stage::Setup => Rule::C2_1,
            Stage::MulliganDragon | Stage::MulliganDwarves => Rule::C2_6,
            Stage::Placement => Rule::C2_5,
            Stage::Action => Rule::C3_3,
            Stage::Discard => Rule::C4_2,
            Stage::Defend => Rule::C7_7,
            Stage::AssignWounds => Rule::C8_4,
            Stage::GameOver => Rule::C11_6,
        };
        Decision {
            seats: state.decider().map_or(Seats::NONE, |side| Seats::one(side.seat())),
            state: stage_name(state.stage),
            rule,
            open: state.stage == Stage::AssignWounds,
        }
    }

    fn player(action: &Action) -> Seat {
        action.side().seat()
    }

    fn malformed(_: &Setup, state: &State, sent: &Malformed) -> Refusal<Rule> {
        ch03_turns::malformed(state, sent.detail.clone())
    }

    fn normal(_: &Setup, _: &State, action: &Action) -> Action {
        action.normal()
    }

    fn decide(ctx: &mut Ctx<'_>, action: &Action) -> Verdict {
        ch03_turns::check_protocol(ctx.setup(), ctx.state(), action)?;
        match action {
            Action::Mulligan(it) => ch02_setup::mulligan(ctx, it),
            Action::Place(it) => ch02_setup::place(ctx, it),
            Action::Draw(it) => ch04_drawing::draw(ctx, it),
            Action::Discard(it) => ch04_drawing::discard(ctx, it),
            Action::Play(it) => ch05_playing::play(ctx, it),
            Action::Defend(it) => ch07_attacks::defend(ctx, it),
            Action::AssignWounds(it) => ch08_wounds::assign(ctx, it),
            Action::EscapeNet(_) => ch09_net::escape(ctx),
            Action::DeclareFury(_) => ch10_fury::declare(ctx),
        }
    }

    fn apply(setup: &Setup, state: &mut State, event: &Event) {
        event::apply(setup, state, event);
    }

    fn legal<M: Menu<Self>>(
        setup: &Setup,
        state: &State,
        seat: Seat,
        menu: &mut M,
    ) -> ControlFlow<()> {
        match state.decider() {
            Some(side) if side.seat() == seat => legal::list(setup, state, side, menu),
            _ => ControlFlow::Continue(()),
        }
    }

    fn sample(_: &Setup, _: &State, range: &NoRange, _: &mut dyn Chance) -> Result<Action, Halt> {
        match *range {}
    }

    fn covers(_: &Setup, _: &State, range: &NoRange, _: &Action) -> bool {
        match *range {}
    }

    fn outcome(_: &Setup, state: &State) -> Option<Outcome> {
        state.ending.map(|ending| {
            let (side, reason, _) = event::winner(ending);
            Outcome { winner: Some(Side::seat(side)), reason }
        })
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::view(setup, state, to)
    }

    fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        notice::announce(setup, event, to)
    }

    fn tell(setup: &Setup, event: &Event) -> Option<String> {
        notice::tell(setup, event)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        position::determinize(setup, view, chance)
    }
}
