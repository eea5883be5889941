//! Nim: a die makes the heap, one to three sticks are taken in turn, the last stick wins.
//!
//! It implements [`Game`] alone: all that a game needs to be refereed. Must not implement any of its other faces.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use umpire_core::chance::{Ask, What};
use umpire_core::game::{
    CoreClauses, Ctx, Decision, Game, Invariants, Menu, Meta, NoOptions, NoRange, Observer,
    Outcome, PlayerAction, Seat, Seats, Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::Refusal;

umpire_core::rulebook! {
    /// Clauses.
    pub enum Rule {
        clauses {
            C1_1 = "NIM-1.1" ["" => "§Heap"] "The heap has ten sticks and as many as a die of six sides shows.";
            C2_1 = "NIM-2.1" ["" => "§Turn"] "The seats take one to three sticks in turn, never more than there are.";
            C3_1 = "NIM-3.1" ["" => "§End"] "Whoever takes the last stick wins.";
            C4_1 = "NIM-4.1" ["" => "§Protocol"] "An action must be well formed and come from the seat to move; a rejected one changes nothing.";
        }
        rulings {}
    }
}

/// A seat's name on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Seat 0.
    Left,
    /// Seat 1.
    Right,
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// The most sticks of a heap.
const MOST: u8 = 16;

/// The truth, which everybody sees.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The sticks that are left.
    pub heap: u8,
    /// Who moves; once the heap is empty, who lost.
    pub mover: Side,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Takes sticks.
    Take {
        /// Who.
        player: Side,
        /// How many.
        count: u8,
    },
}

/// One fact, which everybody learns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The heap was made.
    Heaped {
        /// Of so many sticks.
        count: u8,
    },
    /// Sticks were taken, and the other seat moves.
    Taken {
        /// How many.
        count: u8,
    },
}

/// The game.
pub struct Nim;

fn check_count(state: &State, count: u8) -> Result<(), Refusal<Rule>> {
    if (1..=state.heap.min(3)).contains(&count) {
        return Ok(());
    }
    let message = format!("{count} sticks cannot be taken from a heap of {}", state.heap);
    let refusal = Refusal::new(Rule::C2_1, "bad_count", message).at("/count");
    Err(refusal.fact("sticks left", state.heap).public())
}

impl Game for Nim {
    const META: Meta = Meta {
        id: "nim",
        prefix: "NIM",
        title: "Nim",
        version: 1,
        seats: &["left", "right"],
        sides: &[],
        editions: &[],
        invariants: Invariants::NONE,
        players: (2, 2),
        streams: &["nim.die"],
        endings: &["last_stick"],
        ending_titles: &[],
        chapters: &[],
        tables: &[],
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C4_1, protocol: Rule::C4_1, tape: Rule::C1_1 };

    type Options = NoOptions;
    type Setup = ();
    type State = State;
    type Action = Action;
    type Range = NoRange;
    type Event = Event;
    type About = ();
    type Notice = Event;
    type View = State;
    type Position = State;
    type Rule = Rule;

    fn start((): &()) -> State {
        State { heap: 0, mover: Side::Left }
    }

    fn open(ctx: &mut Ctx<'_, Self>) -> Verdict<Self> {
        let what = What::Die { at: "die", sides: 6 };
        let shown = ctx.draw(&Ask { stream: 0, what }, Rule::C1_1)? as u8;
        ctx.happen(Event::Heaped { count: 10 + shown }, Rule::C1_1);
        Ok(())
    }

    fn load((): &(), position: State) -> Result<State, Refusal<Rule>> {
        if position.heap > MOST {
            let refusal = Refusal::new(Rule::C1_1, "bad_position", "no heap is as big");
            return Err(refusal.at("/heap").invariant(1));
        }
        Ok(position)
    }

    fn decision((): &(), state: &State) -> Decision<Rule> {
        let (seats, name, rule) = match state.heap {
            0 => (Seats::NONE, "over", Rule::C3_1),
            _ => (Seats::one(Seat(state.mover as u8)), "take", Rule::C2_1),
        };
        Decision { seats, state: name, rule, open: true }
    }

    fn refuse_malformed((): &(), _: &State, sent: &Malformed) -> Refusal<Rule> {
        Refusal::new(Rule::C4_1, "bad_fields", sent.detail.clone()).public()
    }

    fn decide(ctx: &mut Ctx<'_, Self>, action: &Action) -> Verdict<Self> {
        let Action::Take { player, count } = *action;
        let state = ctx.state();
        if state.heap == 0 || player != state.mover {
            return Err(Refusal::new(Rule::C4_1, "wrong_side", "not your turn").public().into());
        }
        check_count(state, count)?;
        let rules = if count == state.heap { Rule::C3_1 } else { Rule::C2_1 };
        ctx.happen(Event::Taken { count }, rules);
        Ok(())
    }

    fn apply((): &(), state: &mut State, event: &Event) {
        match *event {
            Event::Heaped { count } => state.heap = count,
            Event::Taken { count } => {
                state.heap -= count;
                state.mover = SIDES[1 - state.mover as usize];
            }
        }
    }

    fn legal<M: Menu<Self>>((): &(), state: &State, seat: Seat, menu: &mut M) -> ControlFlow<()> {
        let player = SIDES[seat.index()];
        if player == state.mover {
            for count in 1..=state.heap.min(3) {
                menu.action(Action::Take { player, count })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome((): &(), state: &State) -> Option<Outcome> {
        let winner = Some(Seat(1 - state.mover as u8));
        (state.heap == 0).then_some(Outcome { winner, reason: "last_stick" })
    }

    fn view((): &(), state: &State, _: Observer) -> State {
        state.clone()
    }

    fn announce((): &(), event: &Event, _: Observer) -> Option<Event> {
        Some(event.clone())
    }
}

impl PlayerAction<Nim> for Action {
    fn seat(&self) -> Seat {
        let Action::Take { player, .. } = self;
        Seat(*player as u8)
    }
}
