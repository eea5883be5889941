//! Doubloons & Dragoons: merchant princes trade, bribe and fight on a hex map until one of them
//! holds every city (rules document `DBD`). Everything is public but sealed bids.
//!
//! [`Doubloons`] is the table of contents: [`Doubloons::decide`](Game::decide) leads from an action
//! to the chapter that decides it, `sequence.rs` from there to the next decision. Which functions
//! and fixtures show each clause: `snapshots/doubloons/concordance.md`.
//!
//! | chapter | file | clauses of it that stand elsewhere |
//! |---|---|---|
//! | DBD-1 General terms | `ch01_terms.rs` | 1.1 `setup.rs`; 1.4 `tables.rs`; 1.5 `state.rs`; 1.9 (who holds) `ch05_church.rs`; 1.10 `ch03_setup.rs`; 1.11 `sequence.rs` |
//! | DBD-2 Map | `setup/map.rs` | 2.1 (which map), 2.5 `setup.rs` |
//! | DBD-3 Setup | `ch03_setup.rs` | 3.1 `setup.rs`, `state.rs`; 3.7 (what may be stated) `setup.rs` |
//! | DBD-4 Round and events | `ch04_round.rs` | 4.1 `sequence.rs` |
//! | DBD-5 Church | `ch05_church.rs` | 5.8 `ch16_…`; 5.11 `ch11_…`; 5.12 `ch12_…` |
//! | DBD-6 Trading session | `ch06_trading.rs` | 6.9 (war ends treaties) `ch13_…`, `ch14_…` |
//! | DBD-7 Turn order | `ch07_order.rs` | |
//! | DBD-8 Main turn, upkeep | `ch08_upkeep.rs` | 8.1 (the next phase) `sequence.rs` |
//! | DBD-9 Taxation | `ch09_taxes.rs` | |
//! | DBD-10 Trade revenue | `ch10_revenue.rs` | |
//! | DBD-11 Production | `ch11_production.rs` | |
//! | DBD-12 Spy missions | `ch12_spies.rs` | 12.7 (who is asked) `sequence.rs` |
//! | DBD-13 Movement | `ch13_movement.rs` | 13.3 (prices) `setup.rs`; 13.16 `state.rs`; 13.12 to 13.17 in the folder |
//! | DBD-14 Battle | `ch14_battle.rs` | 14.7 to 14.16 in the folder |
//! | DBD-15 Trade routes | `ch15_routes.rs` | 15.4 `event/apply.rs`; 15.8 `ch06_…`, `ch17_…` |
//! | DBD-16 Diplomacy | `ch16_diplomacy.rs` | |
//! | DBD-17 Control of cities | `ch17_control.rs` | 17.7 `state.rs` |
//! | DBD-18 Ends | `ch18_ends.rs` | 18.2 `sequence.rs` |
//! | DBD-19 Validity | `ch19_validity.rs` | 19.6 `sequence.rs`, `ch14_battle/steps.rs`; 19.8 the core |
//! | DBD-20 Information | `view.rs`, `notice.rs` | |
//!
//! Nothing outside this folder and the registry names this game, and this folder names no other.

mod action;
mod advice;
mod art;
mod ch01_terms;
mod ch03_setup;
mod ch04_round;
mod ch05_church;
mod ch06_trading;
mod ch07_order;
mod ch08_upkeep;
mod ch09_taxes;
mod ch10_revenue;
mod ch11_production;
mod ch12_spies;
mod ch13_movement;
mod ch14_battle;
mod ch15_routes;
mod ch16_diplomacy;
mod ch17_control;
mod ch18_ends;
mod ch19_validity;
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

use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{
    ActionRange, CoreClauses, Decision, Draft, Game, Menu, Meta, Observer, Oddity, Outcome,
    PlayerAction, Seat, Seats, SideName, Standing, Step, TableSetup,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{RulingDef, RulingSet};

pub use action::Action;
pub use event::Event;
pub use menu::Range;
pub use notice::Notice;
pub use position::Position;
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use tables::components::Components;
pub use view::View;

use action::SEATS;
use rulebook::Rulings;

/// The game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubloons;

type Ctx<'a> = umpire_core::game::Ctx<'a, Doubloons>;
type Refusal = umpire_core::rules::Refusal<Rule>;
type Checked<T = ()> = umpire_core::rules::Checked<Rule, T>;
type Verdict = umpire_core::game::Verdict<Doubloons>;
type Stop = umpire_core::game::Stop<Rule>;

impl Game for Doubloons {
    const META: Meta = Meta {
        id: "doubloons",
        prefix: "DBD",
        title: "Doubloons & Dragoons",
        version: 2,
        seats: &SEATS,
        sides: &[
            SideName::Person("Prince 1"),
            SideName::Person("Prince 2"),
            SideName::Person("Prince 3"),
            SideName::Person("Prince 4"),
            SideName::Person("Prince 5"),
            SideName::Person("Prince 6"),
        ],
        editions: &[],
        invariants: invariants::INVARIANTS,
        players: (2, 6),
        streams: ch19_validity::chance::STREAMS,
        endings: &["conquest", "last_prince", "agreed", "nobody"],
        ending_titles: &[],
        chapters: &[
            "Terms",
            "The map",
            "Setup",
            "Round and events",
            "Favour of the Church",
            "Trading session",
            "Turn order",
            "Main turn and upkeep",
            "Taxation",
            "Trade revenue",
            "Production",
            "Spy missions",
            "Movement",
            "Battle",
            "Trade routes",
            "Diplomacy",
            "Control of cities",
            "Ends",
            "Protocol",
            "What is hidden",
        ],
        tables: &tables::components::OF_THE_RULES,
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C19_8, protocol: Rule::C19_3, tape: Rule::C19_7 };

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = Range;
    type Event = Event;
    type About = Vec<story::Known>;
    type Notice = Notice;
    type View = View;
    type Position = Position;
    type Rule = Rule;

    fn start(setup: &Setup) -> State {
        State::start(setup)
    }

    fn open(ctx: &mut Ctx<'_>) -> Verdict {
        ch03_setup::set_up(ctx)?;
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

    fn interrupts(_: &Setup, state: &State) -> Seats {
        sequence::interrupts(state)
    }

    fn refuse_malformed(_: &Setup, state: &State, sent: &Malformed) -> Refusal {
        ch19_validity::ill_formed(state, sent.detail.clone(), "")
    }

    fn decide(ctx: &mut Ctx<'_>, action: &Action) -> Verdict {
        ch19_validity::check_protocol(ctx.setup(), ctx.state(), action)?;
        let taken = ch18_ends::counts_conquest(ctx.setup(), ctx.state(), action);
        match action {
            Action::Bid(it) => ch05_church::make_bid(ctx, it),
            Action::ProposeDeal(it) => ch06_trading::propose_deal(ctx, it),
            Action::RespondDeal(it) => ch06_trading::answer_deal(ctx, it),
            Action::CancelTreaty(it) => ch06_trading::cancel_treaty(ctx, it),
            Action::UseFavor(it) => ch05_church::use_favour(ctx, it),
            Action::PayUpkeep(it) => ch08_upkeep::pay_chosen(ctx, it),
            Action::Disband(it) => ch08_upkeep::disband_chosen(ctx, it),
            Action::Recruit(it) => ch11_production::recruit_unit(ctx, it),
            Action::Spy(it) => ch12_spies::pay_spies(ctx, it),
            Action::SpyTarget(it) => ch12_spies::aim_mission(ctx, it),
            Action::FavorNegate(it) => ch12_spies::negate_mission(ctx, it),
            Action::FavorFirst(it) => ch05_church::lead_late(ctx, it),
            Action::Move(it) => ch13_movement::move_units(ctx, it),
            Action::Embark(it) => ch13_movement::boarding::embark_units(ctx, it),
            Action::Disembark(it) => ch13_movement::boarding::disembark_units(ctx, it),
            Action::Attack(it) => ch14_battle::declare_attack(ctx, it),
            Action::DeclareTargets(it) => ch14_battle::declare_targets(ctx, it),
            Action::Advance(it) => ch14_battle::advance_victors(ctx, it),
            Action::EstablishRoute(it) => ch15_routes::establish_route(ctx, it),
            Action::EndRoute(it) => ch15_routes::end_route(ctx, it),
            Action::Diplomacy(it) => ch16_diplomacy::negotiate(ctx, it),
            Action::EndPhase(it) => ch08_upkeep::end_phase(ctx, it),
            Action::Resign(it) => ch18_ends::resign(ctx, it.player),
            Action::AgreeEnd(it) => ch18_ends::agree_to_end(ctx, it.player),
        }?;
        sequence::go_on(ctx, action, taken)
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
        ch18_ends::outcome(state)
    }

    fn standing(setup: &Setup, state: &State) -> Vec<Standing> {
        ch18_ends::standing(setup, state)
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::view(setup, state, to)
    }

    fn announce(_: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        Some(notice::announce(event, to))
    }

    fn about(_: &Setup, state: &State, event: &Event) -> Vec<story::Known> {
        story::about(state, event)
    }
}

impl TableSetup<Doubloons> for Setup {
    fn from_options(options: Options, chance: &mut dyn Chance) -> Result<Setup, Stop> {
        Setup::new(options, chance)
    }

    fn options(&self) -> Options {
        Setup::options(self)
    }

    fn players(&self) -> Seats {
        Seats::first(self.players.into())
    }

    fn oddities(&self) -> Vec<Oddity> {
        Setup::oddities(self)
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
        self.picks.version().unwrap_or(Doubloons::META.version)
    }

    fn reread(options: &mut Options, _: Option<&str>, picks: &[(usize, usize)]) {
        picks.iter().for_each(|&(ruling, value)| options.rulings.pick(ruling, value));
    }

    fn components(&self) -> impl serde::Serialize {
        Components::of(self)
    }
}

impl PlayerAction<Doubloons> for Action {
    fn seat(&self) -> Seat {
        self.player().seat()
    }

    fn canonicalize(&self, setup: &Setup, state: &State) -> Action {
        menu::canonical(setup, state, self)
    }
}

impl ActionRange<Doubloons> for Range {
    fn sample(
        &self,
        setup: &Setup,
        state: &State,
        chance: &mut dyn Chance,
    ) -> Result<Action, Halt> {
        menu::sample(setup, state, self, chance)
    }

    fn covers(&self, setup: &Setup, state: &State, action: &Action) -> bool {
        menu::covers(setup, state, self, action)
    }

    fn steps(&self, setup: &Setup, state: &State, draft: &Draft) -> Option<Vec<Step>> {
        menu::steps(setup, state, self, draft)
    }
}

/// The game as the registry holds it.
pub static GAME: &dyn umpire_core::any_game::AnyGame =
    &umpire_core::any_game::Of::<Doubloons>::new();
