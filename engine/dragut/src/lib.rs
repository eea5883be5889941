//! Dragut, the sack of Rapallo, 4 July 1549: two players, English and Italian edition (rules
//! document `DRG`).
//!
//! [`Dragut`] is the table of contents: [`Dragut::decide`](Game::decide) leads from an action to the
//! chapter that decides it, `sequence.rs` from there to the next decision. Which functions and
//! fixtures show each clause: `snapshots/dragut/concordance.md`.
//!
//! | chapter | file | clauses of it that stand elsewhere |
//! |---|---|---|
//! | DRG-1 Terms | `ch01_terms.rs` | 1.2 to 1.5 `state.rs`; 1.4 `setup/map.rs` |
//! | DRG-2 Setup | `ch02_setup.rs` | 2.1 (when) `sequence.rs`; 2.2 `setup/worked_out.rs`; 2.6, 2.7 `state.rs` |
//! | DRG-3 The turn and its cards | `ch03_cards.rs` | 3.1 `sequence.rs`; 3.7 (cards) `event/apply.rs` |
//! | DRG-4 Points and phases | `ch04_points.rs` | 4.7 `ch07_captives.rs`; 4.8 (when), 4.9 `sequence.rs` |
//! | DRG-5 Movement | `ch05_movement.rs` | 5.6, 5.10 `ch10_special.rs`; 5.10 `ch07_captives.rs` |
//! | DRG-6 Combat | `ch06_combat.rs` | 6.2 (who) `ch13_protocol.rs`; 6.11, 6.12 `sequence.rs`; 6.9 (heirs) `event/apply.rs` |
//! | DRG-7 Captives | `ch07_captives.rs` | 7.1 `ch06_combat.rs`; 7.12 `event/apply.rs` |
//! | DRG-8 Alarm | `ch08_alarm.rs` | |
//! | DRG-9 Draws | `ch09_draws.rs` | 9.2 `ch07_captives.rs`; 9.3 `ch06_combat.rs`; 9.6 the core |
//! | DRG-10 Special units | `ch10_special.rs` | 10.1, 10.5 `ch05_movement.rs`; 10.2 `ch06_…`; 10.4 `ch07_…` |
//! | DRG-11 End | `ch11_end.rs` | 11.5 (when) the chapters that take units away, `sequence.rs`; 11.7 (when) `sequence.rs` |
//! | DRG-12 Information | `ch12_information.rs` | 12.1 `view.rs`; 12.3 (events) `notice.rs` |
//! | DRG-13 Protocol | `ch13_protocol.rs` | 13.5 `sequence.rs`; 13.6 the core |
//!
//! The editions differ in the default of three rulings (`setup::Edition::readings`) and in the
//! sections that `rulebook.rs` gives. Corrected data may bring areas, units and cards with ids of
//! their own; an id has at most 24 bytes, so that an action keeps it in place
//! ([`umpire_core::wire::Name`]) and the rules look it up.
//!
//! Nothing outside this folder and the registry names this game, and this folder names no other.

mod action;
mod advice;
mod art;
mod ch01_terms;
mod ch02_setup;
mod ch03_cards;
mod ch04_points;
mod ch05_movement;
mod ch06_combat;
mod ch07_captives;
mod ch08_alarm;
mod ch09_draws;
mod ch10_special;
mod ch11_end;
mod ch12_information;
mod ch13_protocol;
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
mod words;

use std::ops::ControlFlow;

pub use action::{Action, Range};
pub use event::Event;
pub use notice::Notice;
pub use position::{Memory, Position};
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use tables::components::Components;
pub use view::View;

use action::Side;
use rulebook::Rulings;
use state::Ending;
use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{
    ActionRange, CoreClauses, Decision, Draft, Game, Menu, Meta, Observer, Oddity, Outcome,
    PlayerAction, Seat, Seats, SideName, Step, TableSetup,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{RulingDef, RulingSet};

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Dragut;

type Ctx<'a> = umpire_core::game::Ctx<'a, Dragut>;
type Refusal = umpire_core::rules::Refusal<Rule>;
type Checked<T = ()> = umpire_core::rules::Checked<Rule, T>;
type Verdict = umpire_core::game::Verdict<Dragut>;
type Stop = umpire_core::game::Stop<Rule>;

impl Game for Dragut {
    const META: Meta = Meta {
        id: "dragut",
        prefix: "DRG",
        title: "Dragut",
        version: 2,
        seats: &[Side::Pirates.name(), Side::Rapalline.name()],
        sides: &[SideName::Many(Side::Pirates.title()), SideName::Many(Side::Rapalline.title())],
        editions: &[("en", "the English edition"), ("it", "the Italian edition")],
        invariants: invariants::INVARIANTS,
        players: (2, 2),
        streams: &["dragut.pirate_deck", "dragut.rapalline_deck", "dragut.guesses"],
        endings: &[
            Ending::Serraglio.name(),
            Ending::NoRapalline.name(),
            Ending::NoPirates.name(),
            Ending::Unreachable.name(),
            Ending::Standstill.name(),
        ],
        ending_titles: &[
            (Ending::NoRapalline.name(), "no townspeople left"),
            (Ending::NoPirates.name(), "no pirates left"),
        ],
        chapters: &[
            "Terms",
            "Setup",
            "Turn and cards",
            "Action points",
            "Movement, landing, exit",
            "Combat",
            "Captives, Serraglio, liberation",
            "Alarm",
            "Draws",
            "Special units",
            "End of the game",
            "What is hidden",
            "Protocol",
        ],
        tables: &tables::components::OF_THE_RULES,
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C13_6, protocol: Rule::C13_2, tape: Rule::C9_6 };

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = Range;
    type Event = Event;
    type About = ();
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

    fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
        sequence::decision(setup, state)
    }

    fn refuse_malformed(setup: &Setup, state: &State, sent: &Malformed) -> Refusal {
        ch13_protocol::bad_fields(setup, state, sent)
    }

    fn decide(ctx: &mut Ctx<'_>, action: &Action) -> Verdict {
        ch13_protocol::check_protocol(ctx.setup(), ctx.state(), action)?;
        match action {
            Action::Deploy(it) => ch02_setup::deploy_units(ctx, it),
            Action::ChooseCard(it) => ch03_cards::commit_card(ctx, it),
            Action::Land(it) => ch05_movement::land_unit(ctx, it),
            Action::Move(it) => ch05_movement::move_unit(ctx, it),
            Action::Send(it) => ch07_captives::send_captive(ctx, it),
            Action::RaiseAlarm(_) => ch08_alarm::raise_alarm(ctx),
            Action::EndPhase(it) => ch04_points::end_by_choice(ctx, it),
            Action::ChooseDefender(it) => ch06_combat::fight_chosen(ctx, it),
            Action::ArquebusChoice(it) => ch06_combat::take_reward(ctx, it),
            Action::DrawOffer(it) => ch09_draws::answer_offer(ctx, it),
            Action::Relocate(it) => ch07_captives::relocate_unit(ctx, it),
            Action::PlaceReserve(it) => ch10_special::place_reserve(ctx, it),
        }?;
        sequence::go_on(ctx, action)
    }

    fn apply(setup: &Setup, state: &mut State, event: &Event) {
        event::apply::apply(setup, state, event);
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
        state.ended.map(ch11_end::outcome)
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::view(setup, state, to)
    }

    fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        notice::announce(setup, event, to)
    }
}

impl TableSetup<Dragut> for Setup {
    fn from_options(options: Options, _: &mut dyn Chance) -> Result<Setup, Stop> {
        Ok(Setup::new(options)?)
    }

    fn options(&self) -> Options {
        Setup::options(self)
    }

    fn players(&self) -> Seats {
        Seats::first(2)
    }

    fn edition(&self) -> &'static str {
        self.edition.name()
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
        self.given.version()
    }

    fn reread(options: &mut Options, edition: Option<&str>, picks: &[(usize, usize)]) {
        options.reread(edition, picks);
    }

    fn check_new_game(&self) -> Checked {
        ch02_setup::check_new_game(self)
    }

    fn oddities(&self) -> Vec<Oddity> {
        Setup::oddities(self)
    }

    fn components(&self) -> impl serde::Serialize {
        Components::of(self)
    }
}

impl PlayerAction<Dragut> for Action {
    fn seat(&self) -> Seat {
        self.side().seat()
    }

    fn canonicalize(&self, setup: &Setup, state: &State) -> Action {
        menu::canonical(setup, state, self)
    }

    fn redact(&self, setup: &Setup, state: &State) -> Action {
        notice::redacted(setup, state, self)
    }

    fn cite_guess(&self, setup: &Setup, state: &State, to: Observer) -> Option<Rule> {
        ch12_information::guess(setup, state, self, to)
    }
}

impl ActionRange<Dragut> for Range {
    fn sample(&self, _: &Setup, _: &State, chance: &mut dyn Chance) -> Result<Action, Halt> {
        menu::sample(self, chance)
    }

    fn covers(&self, _: &Setup, _: &State, action: &Action) -> bool {
        menu::covers(self, action)
    }

    fn steps(&self, _: &Setup, _: &State, draft: &Draft) -> Option<Vec<Step>> {
        menu::steps(self, draft)
    }
}

/// The game as the registry holds it.
pub static GAME: &dyn umpire_core::any_game::AnyGame = &umpire_core::any_game::Of::<Dragut>::new();
