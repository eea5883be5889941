//! Doubloons & Dragoons: merchant princes trade, bribe and fight on a hex map until one of them
//! holds every city.
//!
//! One file per chapter of the rules document, in its order; [`Doubloons::decide`] is the index
//! from actions to chapters. Everything is public but sealed bids.

mod action;
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
mod event;
mod menu;
mod notice;
mod position;
mod rulebook;
mod setup;
mod state;
mod story;
mod tables;
#[cfg(test)]
mod tests;
mod view;

use std::ops::ControlFlow;

use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{
    Chapter, Decision, Game, Menu, Meta, Observer, Oddity, Outcome, Seat, Seats, Standing, Tally,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{Cites, RulingDef, RulingSet};

pub use action::Action;
pub use event::Event;
pub use menu::Range;
pub use notice::Notice;
pub use position::Position;
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use tables::Components;
pub use view::View;

use action::{Player, SEATS};
use notice::Fact;
use state::Phase;

/// The game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubloons;

type Ctx<'a> = umpire_core::game::Ctx<'a, Doubloons>;
type Refusal = umpire_core::rules::Refusal<Rule>;
type Checked<T = ()> = umpire_core::rules::Checked<Rule, T>;
type Verdict = umpire_core::game::Verdict<Doubloons>;
type Stop = umpire_core::game::Stop<Rule>;

/// A phase begins.
fn begin(ctx: &mut Ctx<'_>, phase: Phase, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Fact::PhaseStarted { phase }.into(), rules);
}

impl Game for Doubloons {
    const META: Meta = Meta {
        id: "doubloons",
        prefix: "DBD",
        title: "Doubloons & Dragoons",
        version: 1,
        seats: &SEATS,
        players: (2, 6),
        streams: ch19_validity::chance::STREAMS,
        endings: &["conquest", "last_prince", "agreed", "nobody"],
    };
    const REJECTION: Rule = Rule::C19_8;
    const TAPE: Rule = Rule::C19_7;

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = Range;
    type Event = Event;
    type Notice = Notice;
    type View = View;
    type Position = Position;
    type Components = Components;
    type Rule = Rule;

    fn rulings() -> &'static [RulingDef] {
        rulebook::Rulings::DEFS
    }

    fn components(setup: &Setup) -> Components {
        tables::Components::of(setup)
    }

    fn setup(options: Options, chance: &mut dyn Chance) -> Result<Setup, Stop> {
        Setup::new(options, chance)
    }

    fn options(setup: &Setup) -> Options {
        setup.options()
    }

    fn oddities(setup: &Setup) -> Vec<Oddity> {
        setup.oddities()
    }

    fn players(setup: &Setup) -> Seats {
        Seats::first(setup.players.into())
    }

    fn start(setup: &Setup) -> State {
        let mut state = State::new(setup);
        for player in setup.all() {
            state.gold[player.index()] = tables::START_GOLD;
        }
        state
    }

    fn open(ctx: &mut Ctx<'_>) -> Verdict {
        ch03_setup::lay_out(ctx)?;
        ch04_round::go_on(ctx)
    }

    fn load(setup: &Setup, position: Position) -> Checked<State> {
        position::load(setup, position)
    }

    fn resume(ctx: &mut Ctx<'_>) -> Verdict {
        ch01_terms::settle(ctx);
        if ctx.state().phase == Phase::DeclareTargets {
            ch14_battle::go_on(ctx)?;
            ch01_terms::settle(ctx);
        }
        ch04_round::go_on(ctx)
    }

    fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
        let rule = match state.phase {
            Phase::Bid => Rule::C5_1,
            Phase::Trading => Rule::C6_1,
            Phase::Disband => Rule::C8_4,
            Phase::Production => Rule::C11_1,
            Phase::Spy => Rule::C12_1,
            Phase::SpyTarget => Rule::C12_4,
            Phase::FavorNegate => Rule::C12_7,
            Phase::Movement => Rule::C13_1,
            Phase::Battle => Rule::C14_1,
            Phase::DeclareTargets => Rule::C14_11,
            Phase::Advance => Rule::C14_16,
            Phase::Routes => Rule::C15_5,
            Phase::Diplomacy => Rule::C16_1,
            Phase::GameOver => Rule::C19_1,
            Phase::Event | Phase::TurnOrder | Phase::Upkeep => Rule::C4_1,
        };
        let seats = ch19_validity::deciders(setup, state).seats();
        Decision { seats, state: state.phase.name(), rule, open: true }
    }

    fn interrupts(_: &Setup, state: &State) -> Seats {
        if state.ended.is_some() || state.phase.is_under_way() {
            return Seats::NONE;
        }
        state.playing.seats()
    }

    fn player(action: &Action) -> Seat {
        action.player().seat()
    }

    fn malformed(_: &Setup, state: &State, sent: &Malformed) -> Refusal {
        ch19_validity::ill_formed(state, sent.detail.clone(), "")
    }

    fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
        menu::canonical(setup, state, action)
    }

    fn decide(ctx: &mut Ctx<'_>, action: &Action) -> Verdict {
        ch19_validity::ended_fault(ctx.state())?;
        ch19_validity::player_exists(ctx.setup(), action.player(), "/player")?;
        match action {
            Action::Bid(it) => {
                ch19_validity::asked_fault(ctx.state(), it.player, Phase::Bid)?;
                ch05_church::bid(ctx, it)?;
            }
            Action::ProposeDeal(it) => ch06_trading::propose(ctx, it)?,
            Action::RespondDeal(it) => ch06_trading::respond(ctx, it)?,
            Action::CancelTreaty(it) => ch06_trading::cancel(ctx, it)?,
            Action::UseFavor(it) => ch05_church::use_favor(ctx, it)?,
            Action::Disband(it) => ch08_upkeep::disband(ctx, it)?,
            Action::Recruit(it) => ch11_production::recruit(ctx, it)?,
            Action::Spy(it) => ch12_spies::spy(ctx, it)?,
            Action::SpyTarget(it) => ch12_spies::aim(ctx, it)?,
            Action::FavorNegate(it) => ch12_spies::negate(ctx, it)?,
            Action::Move(it) => ch13_movement::march(ctx, it)?,
            Action::Embark(it) => ch13_movement::embark(ctx, it)?,
            Action::Disembark(it) => ch13_movement::disembark(ctx, it)?,
            Action::Attack(it) => ch14_battle::attack(ctx, it)?,
            Action::DeclareTargets(it) => ch14_battle::declare(ctx, it)?,
            Action::Advance(it) => ch14_battle::advance(ctx, it)?,
            Action::EstablishRoute(it) => ch15_routes::establish(ctx, it)?,
            Action::Diplomacy(it) => ch16_diplomacy::negotiate(ctx, it)?,
            Action::EndPhase(it) => ch08_upkeep::end_phase(ctx, it)?,
            Action::Resign(it) => ch18_ends::resign(ctx, it.player)?,
            Action::AgreeEnd(it) => ch18_ends::agree(ctx, it.player)?,
        }
        ch01_terms::settle(ctx);
        if let Action::Disband(_) = action {
            ch08_upkeep::after_disband(ctx);
        }
        ch04_round::go_on(ctx)
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
        match Player::of(seat) {
            Some(player) => menu::list(setup, state, player, menu),
            None => ControlFlow::Continue(()),
        }
    }

    fn sample(
        setup: &Setup,
        state: &State,
        range: &Range,
        chance: &mut dyn Chance,
    ) -> Result<Action, Halt> {
        menu::sample(setup, state, range, chance)
    }

    fn covers(setup: &Setup, state: &State, range: &Range, action: &Action) -> bool {
        menu::covers(setup, state, range, action)
    }

    fn outcome(_: &Setup, state: &State) -> Option<Outcome> {
        ch18_ends::outcome(state)
    }

    fn standing(setup: &Setup, state: &State) -> Vec<Standing> {
        let ranking = ch18_ends::ranking(setup, state);
        let row = |(player, place, cities, gold): (Player, u8, u32, u32)| Standing {
            player: player.name(),
            place,
            counts: vec![
                Tally { what: "cities", count: cities },
                Tally { what: "gold", count: gold },
            ],
        };
        ranking.into_iter().map(row).collect()
    }

    fn chapter(setup: &Setup, state: &State) -> Option<Chapter> {
        let mut rows: Vec<Standing> = Vec::new();
        for (player, place, cities, gold) in ch18_ends::ranking(setup, state) {
            let units = state.units_of(Some(player)).count() as u32;
            let routes = state.routes.iter().filter(|it| it.owner == player).count() as u32;
            let counts = [("gold", gold), ("cities", cities), ("units", units), ("routes", routes)];
            let counts = counts.map(|(what, count)| Tally { what, count }).to_vec();
            rows.push(Standing { player: player.name(), place, counts });
        }
        rows.sort_by_key(|row| row.player);
        Some(Chapter { name: "round", number: state.round, rows })
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::of(setup, state, to)
    }

    fn announce(_: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        Some(event.notice(to))
    }

    fn tell(setup: &Setup, event: &Event) -> Option<String> {
        story::tell(setup, event)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        position::determinize(setup, view, chance)
    }
}

/// The game behind the seam.
pub static GAME: &dyn umpire_core::any_game::AnyGame =
    &umpire_core::any_game::Of::<Doubloons>::new();
