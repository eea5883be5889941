//! Drako: a dragon against three dwarves (rules document `DRK`).
//!
//! [`Drako`] is the table of contents: [`Drako::decide`](Game::decide) leads from an action to the
//! chapter that decides it, `sequence.rs` from there to the next decision. Which functions and
//! fixtures show each clause: `snapshots/drako/concordance.md`.
//!
//! | chapter | file | clauses of it that stand elsewhere |
//! |---|---|---|
//! | DRK-1 Terms | `ch01_terms.rs` | 1.1, 1.6 `action/`; 1.3 `tables/board.rs`; 1.7 `state.rs` |
//! | DRK-2 Setup | `ch02_setup.rs` | 2.6 (who decides first), 2.7 `sequence.rs` |
//! | DRK-3 Turns | `ch03_turns.rs` | 3.1 to 3.6 `sequence.rs`; 3.8 `event.rs`; 3.9 the core |
//! | DRK-4 Drawing | `ch04_drawing.rs` | 4.2 (when) `sequence.rs` |
//! | DRK-5 Playing a card | `ch05_playing.rs` | 5.2 `event.rs` |
//! | DRK-6 Movement | `ch06_movement.rs` | |
//! | DRK-7 Attacks and reactions | `ch07_attacks.rs` | 7.10 `ch09_net.rs` |
//! | DRK-8 Wounds | `ch08_wounds.rs` | refusals: 8.5 `ch06_…`, `ch07_…`; 8.6 `ch01_…`; 8.8 `event.rs` |
//! | DRK-9 Net | `ch09_net.rs` | 9.2 `ch06_movement.rs`; 9.5 (R9) `ch08_wounds.rs` |
//! | DRK-10 Fury | `ch10_fury.rs` | 10.3 (its action) `sequence.rs` |
//! | DRK-11 End | `ch11_end.rs` | 11.4 (when), 11.7 `sequence.rs`; 11.6 `ch03_turns.rs`, `event.rs` |
//! | DRK-12 Visibility | `view.rs`, `notice.rs` | 12.2 (options) `sequence.rs` |
//! | DRK-13 Chance | `ch13_chance.rs` | 13.2 the core |
//!
//! Nothing outside this folder and the registry names this game, and this folder names no other.

mod action;
mod advice;
mod art;
mod ch01_terms;
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
mod ch13_chance;
mod condition;
mod event;
mod invariants;
mod menu;
mod notation;
mod notice;
mod position;
mod rulebook;
mod scene;
mod sequence;
mod setup;
mod state;
mod story;
mod tables;
#[cfg(test)]
mod tests;
mod unknown;
mod view;

use std::ops::ControlFlow;

pub use action::Action;
pub use event::Event;
pub use notice::Notice;
pub use position::Position;
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use tables::components::Components;
pub use view::View;

use rulebook::Rulings;
use umpire_core::chance::Chance;
use umpire_core::game::{
    CoreClauses, Decision, Game, Menu, Meta, NoRange, Observer, Outcome, PlayerAction, Seat, Seats,
    SideName, TableSetup,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{RulingDef, RulingSet};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Drako;

type Ctx<'a> = umpire_core::game::Ctx<'a, Drako>;
type Refusal = umpire_core::rules::Refusal<Rule>;
type Checked<T = ()> = umpire_core::rules::Checked<Rule, T>;
type Verdict = umpire_core::game::Verdict<Drako>;
type Stop = umpire_core::game::Stop<Rule>;

impl Game for Drako {
    const META: Meta = Meta {
        id: "drako",
        prefix: "DRK",
        title: "Drako: a dragon against three dwarves",
        version: 2,
        seats: &["dragon", "dwarves"],
        sides: &[SideName::One("the dragon"), SideName::Many("the dwarves")],
        editions: &[],
        invariants: invariants::INVARIANTS,
        players: (2, 2),
        streams: &["drako.dragon_deck", "drako.dwarf_deck"],
        endings: &["dragon_killed", "dwarves_killed", "cards_exhausted"],
        ending_titles: &[],
        chapters: &[
            "Terms",
            "Setup",
            "Turns and protocol",
            "Drawing",
            "Playing a card",
            "Movement",
            "Attacks and reactions",
            "Wounds",
            "The net",
            "Fury",
            "End of the game",
            "What is hidden",
            "Chance",
        ],
        tables: &tables::components::OF_THE_RULES,
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C3_9, protocol: Rule::C3_7, tape: Rule::C13_2 };

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = NoRange;
    type Event = Event;
    type About = Option<action::Side>;
    type Notice = Notice;
    type View = View;
    type Position = Position;
    type Rule = Rule;

    fn start(setup: &Setup) -> State {
        State::new(setup)
    }

    fn open(ctx: &mut Ctx<'_>) -> Verdict {
        ch02_setup::set_up(ctx)?;
        sequence::begin(ctx)
    }

    fn load(setup: &Setup, position: Position) -> Checked<State> {
        position::load(setup, &position)
    }

    fn resume(ctx: &mut Ctx<'_>) -> Verdict {
        sequence::resume(ctx)
    }

    fn decision(_: &Setup, state: &State) -> Decision<Rule> {
        sequence::decision(state)
    }

    fn refuse_malformed(_: &Setup, state: &State, sent: &Malformed) -> Refusal {
        ch03_turns::bad_fields(state, &sent.detail)
    }

    fn decide(ctx: &mut Ctx<'_>, action: &Action) -> Verdict {
        ch03_turns::check_protocol(ctx.setup(), ctx.state(), action)?;
        match action {
            Action::Mulligan(it) => ch02_setup::exchange_hand(ctx, it),
            Action::Place(it) => ch02_setup::place_dwarves(ctx, it),
            Action::Draw(it) => ch04_drawing::draw_cards(ctx, it),
            Action::Discard(it) => ch04_drawing::discard_cards(ctx, it),
            Action::Play(it) => ch05_playing::play_card(ctx, it),
            Action::Defend(it) => ch07_attacks::block_strands(ctx, it),
            Action::AssignWounds(it) => ch08_wounds::assign_wounds(ctx, it),
            Action::EscapeNet(_) => ch09_net::escape_net(ctx),
            Action::DeclareFury(_) => ch10_fury::declare_fury(ctx),
            Action::Pass(it) => ch03_turns::pass_turn(ctx, it),
        }?;
        sequence::go_on(ctx, action)
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
        menu::list(setup, state, seat, menu)
    }

    fn outcome(_: &Setup, state: &State) -> Option<Outcome> {
        state.ending.map(ch11_end::outcome)
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::view(setup, state, to)
    }

    fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        notice::announce(setup, event, to)
    }

    fn about(_: &Setup, state: &State, event: &Event) -> Option<action::Side> {
        story::about(state, event)
    }
}

impl TableSetup<Drako> for Setup {
    fn from_options(options: Options, _: &mut dyn Chance) -> Result<Setup, Stop> {
        Ok(Setup::new(options)?)
    }

    fn options(&self) -> Options {
        Setup::options(self).clone()
    }

    fn players(&self) -> Seats {
        Seats::first(2)
    }

    fn rulings() -> &'static [RulingDef] {
        Rulings::DEFS
    }

    fn reading(&self, ruling: usize) -> usize {
        self.rulings.get(ruling)
    }

    fn set_version(options: &mut Options, version: u32) {
        options.rulings.set_version(version);
    }

    fn version(&self) -> u32 {
        Setup::options(self).rulings.version().unwrap_or(Drako::META.version)
    }

    fn reread(options: &mut Options, _: Option<&str>, picks: &[(usize, usize)]) {
        picks.iter().for_each(|&(ruling, value)| options.rulings.pick(ruling, value));
    }

    fn components(&self) -> impl serde::Serialize {
        Components::of(self)
    }
}

impl PlayerAction<Drako> for Action {
    fn seat(&self) -> Seat {
        self.side().seat()
    }

    fn canonicalize(&self, setup: &Setup, _: &State) -> Action {
        menu::canonical(setup, self)
    }
}

/// The game as the registry holds it.
pub static GAME: &dyn umpire_core::any_game::AnyGame = &umpire_core::any_game::Of::<Drako>::new();
