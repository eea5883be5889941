//! Dragut, the sack of Rapallo, 4 July 1549: two players, English and Italian edition.
//!
//! Clause and ruling ids are those of the rules document (`DRG-…`). One file per chapter, one
//! function per deciding clause, in the order of the document:
//!
//! | chapter | file | what |
//! |---|---|---|
//! | DRG-1 | [`state`] | terms: places, free and captive, linked, empty |
//! | DRG-2 | [`ch02_setup`] | setup and deployment |
//! | DRG-3 | [`ch03_cards`] | the turn and its cards |
//! | DRG-4 | [`ch04_points`] | points, limits, phases |
//! | DRG-5 | [`ch05_movement`] | movement, landing, exit |
//! | DRG-6 | [`ch06_combat`] | combat, and what is pending until an arrival is resolved |
//! | DRG-7 | [`ch07_captives`] | captives, Serraglio, liberation |
//! | DRG-8 | [`ch08_alarm`] | the alarm |
//! | DRG-9 | [`ch09_draws`] | draws |
//! | DRG-10 | [`ch10_special`] | special units |
//! | DRG-11 | [`ch11_end`] | the end |
//! | DRG-12 | [`ch12_information`] | who knows what; views are built in [`view`] |
//! | DRG-13 | [`ch13_protocol`] | protocol |
//!
//! The editions differ in the default of three rulings ([`setup::Edition::readings`]) and in the
//! sections that [`rulebook`] gives. Corrected data may bring areas, units and cards with ids of
//! their own; an id has at most 24 bytes, so that an action keeps it in place
//! ([`umpire_core::wire::Name`]) and the rules look it up.

pub mod action;
pub mod ch02_setup;
pub mod ch03_cards;
pub mod ch04_points;
pub mod ch05_movement;
pub mod ch06_combat;
pub mod ch07_captives;
pub mod ch08_alarm;
pub mod ch09_draws;
pub mod ch10_special;
pub mod ch11_end;
pub mod ch12_information;
pub mod ch13_protocol;
pub mod event;
pub mod invariants;
pub mod notice;
pub mod rulebook;
pub mod setup;
pub mod state;
pub mod story;
pub mod tables;
pub mod view;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use action::Action;
use ch13_protocol::refuse;
use event::Event;
use notice::{Notice, seat, token_name};
use rulebook::{Rule, Rulings};
use setup::{Components, Options, Setup};
use state::{NONE, Reason, State, Step};
use tables::Side;
use view::{Position, View};

use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{
    Ctx, Decision, Game, Menu, Meta, Observer, Outcome, Seat, Seats, Stop, Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{Refusal, RulingDef, RulingSet};
use umpire_core::wire::Name;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Dragut;

/// The context in which its rules run.
pub type Cx<'a> = Ctx<'a, Dragut>;

impl Game for Dragut {
    const META: Meta = Meta {
        id: "dragut",
        prefix: "DRG",
        title: "Dragut",
        version: 1,
        seats: &["pirates", "rapalline"],
        players: (2, 2),
        streams: &["dragut.pirate_deck", "dragut.rapalline_deck", "dragut.guesses"],
        endings: &[
            Reason::Serraglio.name(),
            Reason::NoRapalline.name(),
            Reason::NoPirates.name(),
            Reason::Unreachable.name(),
        ],
    };
    const REJECTION: Rule = Rule::C13_6;
    const TAPE: Rule = Rule::C9_6;

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = action::Range;
    type Event = Event;
    type Notice = Notice;
    type View = View;
    type Position = Position;
    type Components = Components;
    type Rule = Rule;

    fn rulings() -> &'static [RulingDef] {
        Rulings::DEFS
    }

    fn reading(setup: &Setup, ruling: usize) -> usize {
        setup.rulings.get(ruling)
    }

    fn reread(options: &mut Options, edition: Option<&str>, picks: &[(usize, usize)]) {
        options.reread(edition, picks);
    }

    fn components(setup: &Setup) -> Components {
        setup::components(setup)
    }

    fn setup(options: Options, _: &mut dyn Chance) -> Result<Setup, Stop<Rule>> {
        Ok(Setup::new(options)?)
    }

    fn options(setup: &Setup) -> Options {
        setup.options()
    }

    fn edition(setup: &Setup) -> &'static str {
        setup.edition.name()
    }

    fn players(_: &Setup) -> Seats {
        Seats::first(2)
    }

    fn start(setup: &Setup) -> State {
        ch02_setup::start(setup)
    }

    fn open(ctx: &mut Cx<'_>) -> Verdict<Self> {
        ch02_setup::open(ctx)
    }

    fn load(setup: &Setup, position: Position) -> Result<State, Refusal<Rule>> {
        view::load(setup, &position)
    }

    fn resume(ctx: &mut Cx<'_>) -> Verdict<Self> {
        match ctx.state().step {
            Step::ChooseCards => ch03_cards::choices(ctx),
            Step::PiratePhase | Step::RapallinePhase => ch04_points::resume(ctx),
            _ => Ok(()),
        }
    }

    fn decision(setup: &Setup, state: &State) -> Decision<Rule> {
        let (rule, open) = match state.step {
            Step::Deploy => (Rule::C2_3, true),
            Step::ChooseCards => (Rule::C3_2, false),
            Step::PiratePhase | Step::RapallinePhase => (Rule::C4_9, false),
            Step::ChooseDefender => (Rule::C6_2, false),
            Step::ArquebusChoice => (Rule::C6_10, true),
            Step::DrawOffer => (Rule::C9_4, true),
            Step::Relocate => (Rule::C7_9, true),
            Step::PlaceReserve => (Rule::C10_7, true),
            Step::GameOver => (Rule::C13_1, true),
        };
        Decision { seats: deciders(setup, state), state: state.step.name(), rule, open }
    }

    fn player(action: &Action) -> Seat {
        seat(action.player())
    }

    fn malformed(setup: &Setup, state: &State, sent: &Malformed) -> Refusal<Rule> {
        let side = sent.player.as_deref().and_then(|name| Self::META.seat(name)).map(side_of);
        let checked = ch13_protocol::c13_1_not_over(state).and_then(|()| {
            match (sent.kind.as_deref(), side) {
                (Some(kind), Some(side)) if ch13_protocol::is_type(kind) => {
                    ch13_protocol::c13_2_fits_type(setup, state, kind, side)
                }
                _ => Ok(()),
            }
        });
        match checked {
            Err(refusal) => refusal,
            Ok(()) => refuse(Rule::C13_3, "malformed", sent.detail.clone(), ""),
        }
    }

    fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
        canonical(setup, state, action)
    }

    fn redacted(setup: &Setup, state: &State, action: &Action) -> Action {
        redacted(setup, state, action)
    }

    fn decide(ctx: &mut Cx<'_>, action: &Action) -> Verdict<Self> {
        ch13_protocol::c13_1_not_over(ctx.state())?;
        ch13_protocol::c13_2_fits(ctx.setup(), ctx.state(), action)?;
        match action {
            Action::Deploy(sent) => ch02_setup::deploy(ctx, sent),
            Action::ChooseCard(sent) => ch03_cards::choose(ctx, sent),
            Action::Land(sent) => ch05_movement::land(ctx, sent),
            Action::Move(sent) => ch05_movement::move_unit(ctx, sent),
            Action::Send(sent) => ch07_captives::send(ctx, sent),
            Action::RaiseAlarm(sent) => ch08_alarm::raise(ctx, sent),
            Action::EndPhase(sent) => ch04_points::end_phase(ctx, sent),
            Action::ChooseDefender(sent) => ch06_combat::choose_defender(ctx, sent),
            Action::ArquebusChoice(sent) => ch06_combat::arquebus_choice(ctx, sent),
            Action::DrawOffer(sent) => ch09_draws::draw_offer(ctx, sent),
            Action::Relocate(sent) => ch07_captives::relocate(ctx, sent),
            Action::PlaceReserve(sent) => ch10_special::place_reserve(ctx, sent),
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
        if !deciders(setup, state).contains(seat) {
            return ControlFlow::Continue(());
        }
        list(setup, state, side_of(seat), menu)
    }

    fn sample(
        _: &Setup,
        _: &State,
        range: &action::Range,
        chance: &mut dyn Chance,
    ) -> Result<Action, Halt> {
        ch02_setup::sample(range, view::GUESSES, chance)
    }

    fn covers(_: &Setup, _: &State, range: &action::Range, action: &Action) -> bool {
        ch02_setup::covers(range, action)
    }

    fn outcome(_: &Setup, state: &State) -> Option<Outcome> {
        let ended = state.ended?;
        Some(Outcome { winner: Some(seat(ended.winner)), reason: ended.reason.name() })
    }

    fn view(setup: &Setup, state: &State, to: Observer) -> View {
        view::view(setup, state, to)
    }

    fn announce(setup: &Setup, event: &Event, to: Observer) -> Option<Notice> {
        notice::announce(setup, event, to)
    }

    fn tell(setup: &Setup, event: &Event) -> Option<String> {
        story::tell(setup, event)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        view::determinize(setup, view, chance)
    }
}

/// The side of a seat.
pub fn side_of(seat: Seat) -> Side {
    if seat.0 == 0 { Side::Pirates } else { Side::Rapalline }
}

/// Who decides now (part C.1).
pub fn deciders(setup: &Setup, state: &State) -> Seats {
    let one = |side: Side| Seats::one(seat(side));
    match state.step {
        Step::Deploy
        | Step::ArquebusChoice
        | Step::DrawOffer
        | Step::PlaceReserve
        | Step::RapallinePhase => one(Side::Rapalline),
        Step::PiratePhase => one(Side::Pirates),
        Step::ChooseCards => Side::BOTH
            .into_iter()
            .filter(|side| state.cards[side.at()].committed == NONE)
            .fold(Seats::NONE, |seats, side| seats.with(seat(side))),
        Step::ChooseDefender => match state.arrival.and_then(|arrival| arrival.unit) {
            Some(attacker) => one(ch06_combat::chooser(setup, attacker)),
            None => Seats::NONE,
        },
        Step::Relocate => one(ch07_captives::relocator(setup)),
        Step::GameOver => Seats::NONE,
    }
}

/// The same action with every unit named anew.
fn renamed(action: &Action, mut name: impl FnMut(&mut Name)) -> Action {
    let mut action = action.clone();
    match &mut action {
        Action::Deploy(sent) => sent.placements.iter_mut().for_each(|it| name(&mut it.unit)),
        Action::Land(sent) => name(&mut sent.unit),
        Action::Move(sent) => name(&mut sent.unit),
        Action::Send(sent) => {
            name(&mut sent.unit);
            sent.escort.iter_mut().for_each(name);
        }
        Action::ChooseDefender(sent) => name(&mut sent.unit),
        Action::Relocate(sent) => name(&mut sent.unit),
        Action::ChooseCard(_)
        | Action::RaiseAlarm(_)
        | Action::EndPhase(_)
        | Action::ArquebusChoice(_)
        | Action::DrawOffer(_)
        | Action::PlaceReserve(_) => {}
    }
    action
}

/// The same action with every unit named as the list of legal actions names it.
fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
    let token = matches!(action, Action::ChooseDefender(_)).then_some(action.player().other());
    renamed(action, |name| {
        if let Some(unit) = ch13_protocol::named(setup, state, name) {
            let side = setup.side(unit);
            *name = match token == Some(side) {
                true => token_name(side, state.token[unit.at()]),
                false => setup.unit_id(unit),
            };
        }
    })
}

/// DRG-12.3: the same action with the token in place of an id that not everybody knows.
fn redacted(setup: &Setup, state: &State, action: &Action) -> Action {
    renamed(action, |name| {
        if let Some(unit) = ch13_protocol::named(setup, state, name)
            && !ch12_information::public(setup, state, unit)
            && state.token[unit.at()] > 0
        {
            *name = token_name(setup.side(unit), state.token[unit.at()]);
        }
    })
}

/// The legal actions of a side that decides. Units are named by id where the side knows them;
/// an opponent whose identity it does not have to know is named by token.
fn list<M: Menu<Dragut>>(
    setup: &Setup,
    state: &State,
    side: Side,
    menu: &mut M,
) -> ControlFlow<()> {
    use action::{
        ArquebusChoice, ChooseCard, ChooseDefender, DrawOffer, PlaceReserve, Relocate, Reward,
    };
    let player = side;
    match state.step {
        Step::Deploy => menu.range(ch02_setup::range(setup)),
        Step::ChooseCards => {
            for (&id, &copies) in
                setup.decks[side.at()].ids.iter().zip(&state.cards[side.at()].hand)
            {
                if copies > 0 {
                    menu.action(Action::ChooseCard(ChooseCard { player, card: Some(id) }))?;
                }
            }
            menu.action(Action::ChooseCard(ChooseCard { player, card: None }))
        }
        Step::PiratePhase | Step::RapallinePhase => {
            menu.group(&ch04_points::PhaseMenu { setup, state, side })
        }
        Step::ChooseDefender => {
            let Some(arrival) = state.arrival else { return ControlFlow::Continue(()) };
            let Some((_, defenders)) = ch06_combat::opponents(setup, state, arrival) else {
                return ControlFlow::Continue(());
            };
            if defenders.iter().all(|unit| setup.side(unit) == side) {
                for unit in defenders {
                    let unit = setup.unit_id(unit);
                    menu.action(Action::ChooseDefender(ChooseDefender { player, unit }))?;
                }
                return ControlFlow::Continue(());
            }
            // In the order of the tokens, which tells nothing about who it is.
            let mut numbers = 0u32;
            for unit in defenders {
                numbers |= 1 << state.token[unit.at()];
            }
            for number in (0..32).filter(|number| numbers >> number & 1 == 1) {
                let unit = token_name(side.other(), number);
                menu.action(Action::ChooseDefender(ChooseDefender { player, unit }))?;
            }
            ControlFlow::Continue(())
        }
        Step::ArquebusChoice => {
            for choice in [Reward::Alarm, Reward::Draw] {
                menu.action(Action::ArquebusChoice(ArquebusChoice { player, choice }))?;
            }
            ControlFlow::Continue(())
        }
        Step::DrawOffer => {
            for accept in [true, false] {
                menu.action(Action::DrawOffer(DrawOffer { player, accept }))?;
            }
            ControlFlow::Continue(())
        }
        Step::Relocate => {
            let Some(arrival) = state.arrival else { return ControlFlow::Continue(()) };
            let goals = ch07_captives::c7_9_nearest(setup, state, arrival.area);
            for unit in arrival.waiting {
                for to in goals {
                    menu.action(Action::Relocate(Relocate {
                        player,
                        unit: setup.unit_id(unit),
                        to: setup.area_id(to),
                    }))?;
                }
            }
            ControlFlow::Continue(())
        }
        Step::PlaceReserve => {
            for to in ch10_special::openings(setup, state) {
                let to = setup.area_id(to);
                menu.action(Action::PlaceReserve(PlaceReserve { player, to }))?;
            }
            ControlFlow::Continue(())
        }
        Step::GameOver => ControlFlow::Continue(()),
    }
}

/// The game behind the seam.
pub static GAME: &dyn umpire_core::any_game::AnyGame = &umpire_core::any_game::Of::<Dragut>::new();
