//! Race: roll a die as often as you dare, bank before a one falls, first to twenty wins.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use umpire_core::chance::{Ask, Chance, What};
use umpire_core::game::{
    Advice, CoreClauses, Ctx, Decision, Game, Invariants, Menu, Meta, NoRange, Notation, Observer,
    Outcome, Paper, Picture, PlayerAction, Seat, Seats, Stop, Story, TableSetup, Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::{Picks, Refusal, RulingDef, RulingSet};

umpire_core::rulebook! {
    /// Clauses and rulings.
    pub enum Rule {
        clauses {
            C1_1 = "RAC-1.1" ["" => "§Turn"] "The seats take turns; a turn is any number of rolls, then a bank.";
            C1_2 = "RAC-1.2" ["" => "§Turn"] "A roll adds to the turn's sum; a one loses sum and turn.";
            C1_3 = "RAC-1.3" ["" => "§Turn"] "Banking needs a sum.";
            C2_1 = "RAC-2.1" ["" => "§End"] "Whoever has banked twenty wins.";
            C2_2 = "RAC-2.2" ["" => "§End"] "After forty turns the game is drawn.";
            C3_1 = "RAC-3.1" ["" => "§Protocol"] "An action must be well formed and come from the seat to move.";
            C3_2 = "RAC-3.2" ["" => "§Protocol"] "A rejected action changes nothing.";
            C4_1 = "RAC-4.1" ["" => "§Chance"] "Only the die is random.";
        }
        rulings {
            R1 = "RAC-R1" settles [C2_1] "Must twenty be met exactly?"
                { "at_least" => "more is enough", "exact" => "banking beyond twenty is forbidden" } because "it is quicker";
        }
    }
}

umpire_core::rulings! {
    /// The readings in force.
    pub struct Rulings {
        /// RAC-R1.
        goal / "RAC-R1": Goal { AtLeast = "at_least", Exact = "exact" },
    }
    version 1 { goal: Goal::Exact }
}

/// The readings of a game, and how its options name them.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    rulings: Rulings,
    picks: Picks<Rulings>,
}

/// A seat's name on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Seat 0.
    Red,
    /// Seat 1.
    Blue,
}

/// The options.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The readings.
    pub rulings: Picks<Rulings>,
}

/// The truth.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    turn: u8,
    sum: u8,
    banked: [u8; 2],
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Rolls once.
    Roll {
        /// Who.
        player: Side,
    },
    /// Banks the sum.
    Bank {
        /// Who.
        player: Side,
    },
}

/// One fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The die showed this.
    Rolled(u8),
    /// The sum was banked.
    Banked,
    /// The next turn began.
    Turned,
}

/// A fact as everybody learns of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// The die showed this.
    Rolled {
        /// What it showed.
        value: u8,
    },
    /// The sum was banked.
    Banked {},
    /// The next turn began.
    Turned {},
}

/// What everybody knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The turn, from 0.
    pub turn: u8,
    /// The sum of the turn.
    pub sum: u8,
    /// What is banked, by seat.
    pub banked: [u8; 2],
}

/// The game.
pub struct Race;

const GOAL: u8 = 20;
const TURNS: u8 = 40;

fn side_to_move(state: &State) -> Seat {
    Seat(state.turn % 2)
}

fn over(state: &State) -> bool {
    state.turn >= TURNS || state.banked.iter().any(|&banked| banked >= GOAL)
}

fn may_bank(rulings: &Rulings, state: &State) -> Result<(), Refusal<Rule>> {
    if state.sum == 0 {
        let text = "there is nothing to bank";
        return Err(Refusal::new(Rule::C1_3, "nothing_to_bank", text).at("/type").public());
    }
    let total = state.banked[usize::from(side_to_move(state).0)] + state.sum;
    if rulings.goal == Goal::Exact && total > GOAL {
        let refusal = Refusal::new(Rule::C2_1, "beyond_goal", "that would be more than twenty");
        return Err(refusal.also(Rule::R1).fact("total", total).public());
    }
    Ok(())
}

impl Game for Race {
    const META: Meta = Meta {
        id: "race",
        prefix: "RAC",
        title: "Race",
        version: 2,
        seats: &["red", "blue"],
        sides: &[],
        editions: &[],
        invariants: Invariants::NONE,
        players: (2, 2),
        streams: &["race.die"],
        endings: &["reached", "tired"],
        ending_titles: &[],
        chapters: &[],
        tables: &[],
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C3_2, protocol: Rule::C3_2, tape: Rule::C4_1 };

    type Options = Options;
    type Setup = Setup;
    type State = State;
    type Action = Action;
    type Range = NoRange;
    type Event = Event;
    type About = ();
    type Notice = Notice;
    type View = View;
    type Position = View;
    type Rule = Rule;

    fn start(_: &Setup) -> State {
        State { turn: 0, sum: 0, banked: [0, 0] }
    }

    fn open(_: &mut Ctx<'_, Self>) -> Verdict<Self> {
        Ok(())
    }

    fn load(_: &Setup, position: View) -> Result<State, Refusal<Rule>> {
        let View { turn, sum, banked } = position;
        let state = State { turn, sum, banked };
        if turn > TURNS || sum > 100 || banked.iter().any(|&banked| banked > 200) {
            let refusal = Refusal::new(Rule::C1_1, "bad_position", "no game gets there");
            return Err(refusal.invariant(1));
        }
        Ok(state)
    }

    fn decision(_: &Setup, state: &State) -> Decision<Rule> {
        let rule = if over(state) { Rule::C2_1 } else { Rule::C1_1 };
        let (seats, name) = match over(state) {
            true => (Seats::NONE, "over"),
            false => (Seats::one(side_to_move(state)), "roll_or_bank"),
        };
        Decision { seats, state: name, rule, open: true }
    }

    fn refuse_malformed(_: &Setup, _: &State, sent: &Malformed) -> Refusal<Rule> {
        Refusal::new(Rule::C3_1, "bad_fields", sent.detail.clone()).public()
    }

    fn decide(ctx: &mut Ctx<'_, Self>, action: &Action) -> Verdict<Self> {
        let state = ctx.state();
        if over(state) {
            return Err(Refusal::new(Rule::C2_1, "game_over", "the game is over").public().into());
        }
        if action.seat() != side_to_move(state) {
            return Err(Refusal::new(Rule::C3_1, "wrong_side", "not your turn").public().into());
        }
        match action {
            Action::Roll { .. } => {
                let what = What::Die { at: "roll", sides: 6 };
                let shown = ctx.draw(&Ask { stream: 0, what }, Rule::C1_2)? as u8;
                ctx.happen(Event::Rolled(shown), Rule::C1_2);
                if shown == 1 || ctx.state().sum > 60 {
                    ctx.happen(Event::Turned, [Rule::C1_2, Rule::C1_1]);
                }
            }
            Action::Bank { .. } => {
                may_bank(&ctx.setup().rulings, ctx.state())?;
                ctx.happen(Event::Banked, Rule::C1_3);
                if !over(ctx.state()) {
                    ctx.happen(Event::Turned, Rule::C1_1);
                }
            }
        }
        Ok(())
    }

    fn apply(_: &Setup, state: &mut State, event: &Event) {
        match event {
            Event::Rolled(1) => state.sum = 0,
            Event::Rolled(shown) => state.sum += shown,
            Event::Banked => {
                state.banked[usize::from(side_to_move(state).0)] += state.sum;
                state.sum = 0;
            }
            Event::Turned => {
                state.turn += 1;
                state.sum = 0;
            }
        }
    }

    fn legal<M: Menu<Self>>(
        setup: &Setup,
        state: &State,
        seat: Seat,
        menu: &mut M,
    ) -> ControlFlow<()> {
        if over(state) || seat != side_to_move(state) {
            return ControlFlow::Continue(());
        }
        let player = if seat == Seat(0) { Side::Red } else { Side::Blue };
        menu.action(Action::Roll { player })?;
        if may_bank(&setup.rulings, state).is_ok() {
            menu.action(Action::Bank { player })?;
        }
        ControlFlow::Continue(())
    }

    fn outcome(_: &Setup, state: &State) -> Option<Outcome> {
        let winner = state.banked.iter().position(|&banked| banked >= GOAL);
        match winner {
            Some(seat) => Some(Outcome { winner: Some(Seat(seat as u8)), reason: "reached" }),
            None => over(state).then_some(Outcome { winner: None, reason: "tired" }),
        }
    }

    fn view(_: &Setup, state: &State, _: Observer) -> View {
        View { turn: state.turn, sum: state.sum, banked: state.banked }
    }

    fn announce(_: &Setup, event: &Event, _: Observer) -> Option<Notice> {
        Some(match event {
            Event::Rolled(value) => Notice::Rolled { value: *value },
            Event::Banked => Notice::Banked {},
            Event::Turned => Notice::Turned {},
        })
    }
}

impl PlayerAction<Race> for Action {
    fn seat(&self) -> Seat {
        let (Action::Roll { player } | Action::Bank { player }) = self;
        Seat(*player as u8)
    }
}

impl TableSetup<Race> for Setup {
    fn from_options(options: Options, _: &mut dyn Chance) -> Result<Setup, Stop<Rule>> {
        let rulings = options.rulings.readings();
        Ok(Setup { rulings, picks: options.rulings.spelled_out(&rulings) })
    }

    fn options(&self) -> Options {
        Options { rulings: self.picks.clone() }
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
        self.picks.version().unwrap_or(Race::META.version)
    }

    fn reread(options: &mut Options, _: Option<&str>, picks: &[(usize, usize)]) {
        picks.iter().for_each(|&(ruling, value)| options.rulings.pick(ruling, value));
    }
}

impl Story for Race {
    fn tell(_: &Setup, event: &Event, (): &(), _: Observer) -> Option<String> {
        match event {
            Event::Rolled(value) => Some(format!("A {value} is rolled.")),
            Event::Banked => Some("The sum is banked.".to_owned()),
            Event::Turned => None,
        }
    }
}

impl Picture for Race {}

impl Notation for Race {}

impl Paper for Race {}

impl Advice for Race {
    type Memory = ();
}
