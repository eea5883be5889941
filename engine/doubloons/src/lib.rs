//! Doubloons & Dragoons: merchant princes trade, bribe and fight on a hex map until one of them
//! holds every city.
//!
//! One file per chapter of the rules document, in its order; [`Doubloons::decide`] is the index
//! from actions to chapters. Everything is public but sealed bids.

mod action;
mod apply;
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
mod components;
mod event;
mod map;
mod mapgen;
mod notice;
mod options;
mod rulebook;
mod setup;
mod state;
mod story;
mod tables;
#[cfg(test)]
mod tests;
mod view;
mod wire;

use std::ops::ControlFlow;

use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::{
    Chapter, Ctx, Decision, Game, Menu, Meta, Observer, Oddity, Outcome, Seat, Seats, Standing,
    Stop, Tally, Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{Cites, Refusal, RulingDef, RulingSet};

pub use action::Action;
pub use components::Components;
pub use event::Event;
pub use notice::{Fact, Notice};
pub use options::Range;
pub use rulebook::Rule;
pub use setup::{Options, Setup};
pub use state::State;
pub use view::{Position, View};

use state::{Phase, PlayerSet};
use wire::{Player, SEATS};

/// The game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doubloons;

/// The context in which the rules run.
type Step<'a> = Ctx<'a, Doubloons>;
/// Why a step cannot be.
type Halted = Stop<Rule>;
/// Why an action is refused.
type Refused = Refusal<Rule>;

/// Refuses.
fn refuse<T>(refusal: Refusal<Rule>) -> Result<T, Refused> {
    Err(refusal)
}

/// The chance points of part E; each is a stream of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    Garrison = 1,
    Goods,
    Event,
    EventCity,
    EventGood,
    Plague,
    NewGarrison,
    BidBonus,
    TurnOrder,
    Spy,
    Mission,
    Agent,
    MissionGold,
    Battle,
    Diplomacy,
}

impl Stream {
    /// The name on a tape: the label without the game.
    fn name(self) -> &'static str {
        let label = setup::STREAMS[self as usize];
        label.split_once('.').map_or(label, |it| it.1)
    }
}

/// Throws a die.
fn die(ctx: &mut Step<'_>, stream: Stream, sides: u32, rule: Rule) -> Result<u32, Halted> {
    let what = What::Die { at: stream.name(), sides };
    ctx.draw(&Ask { stream: stream as u8, what }, rule)
}

/// Picks one of some numbers; gives its index.
fn among(ctx: &mut Step<'_>, stream: Stream, values: &[u32], rule: Rule) -> Result<u32, Halted> {
    let what = What::Among { at: stream.name(), values };
    ctx.draw(&Ask { stream: stream as u8, what }, rule)
}

/// A phase begins.
fn begin(ctx: &mut Step<'_>, phase: Phase, rules: impl Into<Cites<Rule>>) {
    ctx.happen(Fact::PhaseStarted { phase }.into(), rules);
}

fn seats(players: PlayerSet) -> Seats {
    players.iter().fold(Seats::NONE, |seats, player| seats.with(player.seat()))
}

impl Game for Doubloons {
    const META: Meta = Meta {
        id: "doubloons",
        prefix: "DBD",
        title: "Doubloons & Dragoons",
        version: 1,
        seats: &SEATS,
        players: (2, 6),
        streams: setup::STREAMS,
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

    fn reading(setup: &Setup, ruling: usize) -> usize {
        setup.rulings.get(ruling)
    }

    fn reread(options: &mut Options, _: Option<&str>, picks: &[(usize, usize)]) {
        picks.iter().for_each(|&(ruling, value)| options.rulings.pick(ruling, value));
    }

    fn components(setup: &Setup) -> Components {
        components::of(setup)
    }

    fn setup(options: Options, chance: &mut dyn Chance) -> Result<Setup, Stop<Rule>> {
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

    fn open(ctx: &mut Step<'_>) -> Verdict<Doubloons> {
        ch03_setup::lay_out(ctx)?;
        ch04_round::go_on(ctx)
    }

    fn load(setup: &Setup, position: Position) -> Result<State, Refusal<Rule>> {
        view::load(setup, position)
    }

    fn resume(ctx: &mut Step<'_>) -> Verdict<Doubloons> {
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
        let seats = seats(ch19_validity::deciders(setup, state));
        Decision { seats, state: state.phase.name(), rule, open: true }
    }

    fn interrupts(_: &Setup, state: &State) -> Seats {
        if state.ended.is_some() || state.phase.is_under_way() {
            return Seats::NONE;
        }
        seats(state.playing)
    }

    fn player(action: &Action) -> Seat {
        action.player().seat()
    }

    fn malformed(_: &Setup, state: &State, sent: &Malformed) -> Refusal<Rule> {
        ch19_validity::ill_formed(state, sent.detail.clone(), "")
    }

    fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
        options::canonical(setup, state, action)
    }

    fn decide(ctx: &mut Step<'_>, action: &Action) -> Verdict<Doubloons> {
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
        apply::apply(setup, state, event);
    }

    fn legal<M: Menu<Self>>(
        setup: &Setup,
        state: &State,
        seat: Seat,
        menu: &mut M,
    ) -> ControlFlow<()> {
        match Player::of(seat) {
            Some(player) => options::list(setup, state, player, menu),
            None => ControlFlow::Continue(()),
        }
    }

    fn sample(
        setup: &Setup,
        state: &State,
        range: &Range,
        chance: &mut dyn Chance,
    ) -> Result<Action, Halt> {
        options::sample(setup, state, range, chance)
    }

    fn covers(setup: &Setup, state: &State, range: &Range, action: &Action) -> bool {
        options::covers(setup, state, range, action)
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
        view::determinize(setup, view, chance)
    }
}

/// The game behind the seam.
pub static GAME: &dyn umpire_core::any_game::AnyGame =
    &umpire_core::any_game::Of::<Doubloons>::new();
