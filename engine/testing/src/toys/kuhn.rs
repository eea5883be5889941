//! Kuhn poker (1950): three cards, one to each seat, one bet; what the first seat loses under best play is
//! known: a chip in eighteen deals.
//!
//! A game of this engine is won or lost, so the chips are staked at the end: a die of four sides gives the game
//! to the first seat with the chance (2 + its chips) in 4. Under best play it wins 1/2 − 1/72 of all games.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::{
    Advice, CoreClauses, Ctx, Decision, Game, Invariants, Menu, Meta, NoOptions, NoRange, Notation,
    Observer, Outcome, Paper, Picture, PlayerAction, Seat, Seats, Story, Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::Refusal;

umpire_core::rulebook! {
    /// Clauses.
    pub enum Rule {
        clauses {
            C1_1 = "KUH-1.1" ["" => "§Deal"] "Each seat puts in a chip and is dealt one of three cards, unseen by the other.";
            C2_1 = "KUH-2.1" ["" => "§Bet"] "The seats bet a chip or pass in turn; a pass after a bet folds, any second bet calls.";
            C3_1 = "KUH-3.1" ["" => "§End"] "Who folds loses his chips; else the higher card takes all.";
            C3_2 = "KUH-3.2" ["" => "§End"] "A die of four sides gives the game to the first seat where it shows at most two and its chips.";
            C4_1 = "KUH-4.1" ["" => "§Protocol"] "An action must fit the decision and come from the seat that decides.";
            C5_1 = "KUH-5.1" ["" => "§Chance"] "Only the deal and the die are random.";
        }
        rulings {}
    }
}

/// A seat's name on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Seat 0.
    First,
    /// Seat 1.
    Second,
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// A card; the later is the higher.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Card {
    /// The lowest.
    Jack,
    /// The middle one.
    Queen,
    /// The highest.
    King,
}

/// All cards.
pub const CARDS: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

/// The truth.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    cards: [Option<Card>; 2],
    /// Whether each action so far was a bet.
    bets: Vec<bool>,
    winner: Option<u8>,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// No chip: a check, or a fold after a bet.
    Pass {
        /// Who.
        player: Side,
    },
    /// A chip: a bet, or a call after one.
    Bet {
        /// Who.
        player: Side,
    },
}

/// One fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A card went to a seat.
    Dealt(u8, Card),
    /// A seat passed, or bet.
    Acted(bool),
    /// The game was given to a seat.
    Won(u8),
}

/// A fact as an observer learns of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// A card went to a seat.
    Dealt {
        /// Which, for those who may know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A seat passed, or bet.
    Acted {
        /// Whether it bet.
        bet: bool,
    },
    /// The game was given to a seat.
    Won {
        /// Who.
        player: Side,
    },
}

/// What an observer knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The cards that the observer sees, by seat.
    pub cards: [Option<Card>; 2],
    /// Whether each action so far was a bet.
    pub bets: Vec<bool>,
    /// Who won.
    pub winner: Option<Side>,
}

/// The game.
pub struct Kuhn;

/// The chips that the first seat has won, once the betting is over.
fn chips([first, second]: [Card; 2], bets: &[bool]) -> Option<i8> {
    let stake = match bets {
        [true, false] | [false, true, false] => return Some(if bets[0] { 1 } else { -1 }),
        [false, false] => 1,
        [true, true] | [false, true, true] => 2,
        _ => return None,
    };
    Some(if first > second { stake } else { -stake })
}

/// The seat that decides.
fn mover(state: &State) -> Option<u8> {
    state.winner.is_none().then_some((state.bets.len() % 2) as u8)
}

impl Game for Kuhn {
    const META: Meta = Meta {
        id: "kuhn",
        prefix: "KUH",
        title: "Kuhn poker",
        version: 1,
        seats: &["first", "second"],
        sides: &[],
        editions: &[],
        invariants: Invariants::NONE,
        players: (2, 2),
        streams: &["kuhn.deck", "kuhn.die"],
        endings: &["won"],
        ending_titles: &[],
        chapters: &[],
        tables: &[],
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C4_1, protocol: Rule::C4_1, tape: Rule::C5_1 };

    type Options = NoOptions;
    type Setup = ();
    type State = State;
    type Action = Action;
    type Range = NoRange;
    type Event = Event;
    type About = ();
    type Notice = Notice;
    type View = View;
    type Position = View;
    type Rule = Rule;

    fn start((): &()) -> State {
        State::default()
    }

    fn open(ctx: &mut Ctx<'_, Self>) -> Verdict<Self> {
        let names: Vec<String> = ["jack", "queen", "king"].map(str::to_owned).to_vec();
        for seat in 0..2 {
            let taken = ctx.state().cards;
            let counts = CARDS.map(|card| u8::from(!taken.contains(&Some(card))));
            let side = Self::META.seats[usize::from(seat)];
            let what = What::Card { side, names: &names, counts: &counts };
            let row = ctx.draw(&Ask { stream: 0, what }, Rule::C1_1)?;
            ctx.happen(Event::Dealt(seat, CARDS[row as usize]), Rule::C1_1);
        }
        Ok(())
    }

    fn load((): &(), position: View) -> Result<State, Refusal<Rule>> {
        let View { cards, bets, winner } = position;
        let wrong = || Refusal::new(Rule::C1_1, "bad_position", "not a deal of this game");
        let [Some(first), Some(second)] = cards else { return Err(wrong().invariant(1)) };
        let over = chips([first, second], &bets).is_some();
        if first == second || bets.len() > 3 || over != winner.is_some() {
            return Err(wrong().invariant(2));
        }
        Ok(State { cards, bets, winner: winner.map(|side| side as u8) })
    }

    fn decision((): &(), state: &State) -> Decision<Rule> {
        let seats = mover(state).map_or(Seats::NONE, |seat| Seats::one(Seat(seat)));
        let name = if seats.is_empty() { "over" } else { "bet" };
        Decision { seats, state: name, rule: Rule::C2_1, open: true }
    }

    fn refuse_malformed((): &(), _: &State, sent: &Malformed) -> Refusal<Rule> {
        Refusal::new(Rule::C4_1, "bad_fields", sent.detail.clone()).public()
    }

    fn decide(ctx: &mut Ctx<'_, Self>, action: &Action) -> Verdict<Self> {
        if mover(ctx.state()) != Some(action.seat().0) {
            return Err(Refusal::new(Rule::C4_1, "wrong_side", "not you").public().into());
        }
        ctx.happen(Event::Acted(matches!(action, Action::Bet { .. })), Rule::C2_1);
        if let [Some(first), Some(second)] = ctx.state().cards
            && let Some(chips) = chips([first, second], &ctx.state().bets)
        {
            let what = What::Die { at: "stake", sides: 4 };
            let shown = ctx.draw(&Ask { stream: 1, what }, Rule::C3_2)?;
            let first = shown as i8 <= 2 + chips;
            ctx.happen(Event::Won(u8::from(!first)), [Rule::C3_1, Rule::C3_2]);
        }
        Ok(())
    }

    fn apply((): &(), state: &mut State, event: &Event) {
        match *event {
            Event::Dealt(seat, card) => state.cards[usize::from(seat)] = Some(card),
            Event::Acted(bet) => state.bets.push(bet),
            Event::Won(seat) => state.winner = Some(seat),
        }
    }

    fn legal<M: Menu<Self>>((): &(), state: &State, seat: Seat, menu: &mut M) -> ControlFlow<()> {
        if mover(state) == Some(seat.0) {
            let player = SIDES[seat.index()];
            menu.action(Action::Pass { player })?;
            menu.action(Action::Bet { player })?;
        }
        ControlFlow::Continue(())
    }

    fn outcome((): &(), state: &State) -> Option<Outcome> {
        state.winner.map(|seat| Outcome { winner: Some(Seat(seat)), reason: "won" })
    }

    fn view((): &(), state: &State, to: Observer) -> View {
        let card = |seat: u8| state.cards[usize::from(seat)].filter(|_| to.sees(Seat(seat)));
        View {
            cards: [card(0), card(1)],
            bets: state.bets.clone(),
            winner: state.winner.map(|seat| SIDES[usize::from(seat)]),
        }
    }

    fn announce((): &(), event: &Event, to: Observer) -> Option<Notice> {
        Some(match *event {
            Event::Dealt(seat, card) => {
                Notice::Dealt { card: Some(card).filter(|_| to.sees(Seat(seat))) }
            }
            Event::Acted(bet) => Notice::Acted { bet },
            Event::Won(seat) => Notice::Won { player: SIDES[usize::from(seat)] },
        })
    }
}

impl PlayerAction<Kuhn> for Action {
    fn seat(&self) -> Seat {
        let (Action::Pass { player } | Action::Bet { player }) = self;
        Seat(*player as u8)
    }
}

impl Story for Kuhn {
    fn tell((): &(), event: &Event, (): &(), to: Observer) -> Option<String> {
        match to {
            Observer::Referee => Some(format!("{event:?}")),
            _ => Self::announce(&(), event, to).map(|notice| format!("{notice:?}")),
        }
    }
}

impl Picture for Kuhn {}

impl Notation for Kuhn {}

impl Paper for Kuhn {}

impl Advice for Kuhn {
    type Memory = ();

    fn determinize((): &(), view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        let mut cards = view.cards;
        for seat in 0..2 {
            if cards[seat].is_none() {
                let left: Vec<Card> =
                    CARDS.into_iter().filter(|&card| !cards.contains(&Some(card))).collect();
                let what = What::Hidden { n: left.len() as u32 };
                let pick = chance.answer(&Ask { stream: 0, what })?;
                cards[seat] = left.get(pick as usize).copied();
            }
        }
        let winner = view.winner.map(|side| side as u8);
        Ok(State { cards, bets: view.bets.clone(), winner })
    }
}
