//! Bids: two secret hands, a secret bid of both for the first turn, then cards played for points.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::{
    ActionRange, Advice, CoreClauses, Ctx, Decision, Draft, Game, Invariants, Menu, Meta,
    NoOptions, Notation, Observer, Outcome, Paper, Picture, PlayerAction, Seat, Seats, Step, Story,
    Verdict,
};
use umpire_core::record::Malformed;
use umpire_core::rules::Refusal;

umpire_core::rulebook! {
    /// Clauses.
    pub enum Rule {
        clauses {
            C1_1 = "BID-1.1" ["" => "§Setup"] "Each seat is dealt two cards, unseen by the other.";
            C2_1 = "BID-2.1" ["" => "§Bid"] "Both bid in secret, zero to five; bids are shown together.";
            C2_2 = "BID-2.2" ["" => "§Bid"] "The higher bid moves first, north on a tie.";
            C3_1 = "BID-3.1" ["" => "§Turn"] "A turn is one card played for its points, or one drawn.";
            C3_2 = "BID-3.2" ["" => "§Turn"] "A card is played out of one's own hand.";
            C3_3 = "BID-3.3" ["" => "§Turn"] "Drawing needs a card in the deck and fewer than three in hand.";
            C4_1 = "BID-4.1" ["" => "§End"] "The game ends when a hand is empty; most points win.";
            C5_1 = "BID-5.1" ["" => "§Protocol"] "An action must fit the decision and come from a seat that decides.";
            C5_2 = "BID-5.2" ["" => "§Protocol"] "A rejected action changes nothing.";
            C6_1 = "BID-6.1" ["" => "§Chance"] "Only the deck is random.";
        }
        rulings {}
    }
}

/// A seat's name on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Seat 0.
    North,
    /// Seat 1.
    South,
}

const SIDES: [Side; 2] = [Side::North, Side::South];

/// A kind of card; worth one, two, three points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Card {
    /// One point.
    Low,
    /// Two points.
    Mid,
    /// Three points.
    High,
}

const CARDS: [Card; 3] = [Card::Low, Card::Mid, Card::High];
type Pile = [u8; 3];
const DECK: Pile = [3, 3, 3];

/// The truth.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Pile; 2],
    deck: Pile,
    bids: [Option<u8>; 2],
    mover: Option<u8>,
    points: [u8; 2],
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// A secret bid.
    Bid {
        /// Who.
        player: Side,
        /// How much.
        amount: u8,
    },
    /// A card played.
    Play {
        /// Who.
        player: Side,
        /// Which.
        card: Card,
    },
    /// A card drawn.
    Draw {
        /// Who.
        player: Side,
    },
}

/// All bids of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Range {
    /// Of 0 to `most`.
    Bid {
        /// Who bids.
        player: Side,
        /// The highest bid.
        most: u8,
    },
}

/// One fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A card went from the deck to a hand.
    Dealt(u8, u8),
    /// A seat bid in secret.
    Bid(u8, u8),
    /// The bids were shown.
    Shown([u8; 2]),
    /// A card was played.
    Played(u8, u8),
    /// The turn went to this seat.
    Turned(u8),
    /// The game ended.
    Ended,
}

/// A fact as an observer learns of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// A card went to a hand.
    Dealt {
        /// Whose.
        player: Side,
        /// Which, for those who may know.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// A seat bid in secret.
    Bid {
        /// Who.
        player: Side,
    },
    /// The bids.
    Shown {
        /// By seat.
        bids: [u8; 2],
    },
    /// A card was played.
    Played {
        /// By whom.
        player: Side,
        /// Which.
        card: Card,
    },
    /// Whose turn it is.
    Turned {
        /// Who.
        player: Side,
    },
    /// The game ended.
    Ended {},
}

/// Cards that an observer sees or only counts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cards {
    /// Seen: how many of each kind.
    Open([u8; 3]),
    /// Only counted.
    Closed(u8),
}

/// A bid that an observer sees, or only that it is there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bid {
    /// None yet.
    None,
    /// Made in secret.
    Made,
    /// Seen.
    Seen(u8),
}

/// What an observer knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// By seat.
    pub hands: [Cards; 2],
    /// The deck.
    pub deck: Cards,
    /// By seat.
    pub bids: [Bid; 2],
    /// The seat to move, once known.
    pub mover: Option<Side>,
    /// By seat.
    pub points: [u8; 2],
    /// Cards out of play.
    pub played: [u8; 3],
}

/// The game.
pub struct Bids;

fn total(pile: Pile) -> u8 {
    pile.iter().sum()
}

fn minus(from: Pile, less: Pile) -> Option<Pile> {
    let mut left = from;
    for (left, less) in left.iter_mut().zip(less) {
        *left = left.checked_sub(less)?;
    }
    Some(left)
}

fn played(state: &State) -> Pile {
    let mut gone = DECK;
    for pile in [state.deck, state.hands[0], state.hands[1]] {
        gone = minus(gone, pile).unwrap_or_default();
    }
    gone
}

fn over(state: &State) -> bool {
    state.mover.is_some() && state.hands.iter().any(|&hand| total(hand) == 0)
}

fn may_draw(state: &State, seat: u8) -> Result<(), Refusal<Rule>> {
    if total(state.deck) == 0 || total(state.hands[usize::from(seat)]) > 2 {
        return Err(Refusal::new(Rule::C3_3, "no_draw", "no card can be drawn").public());
    }
    Ok(())
}

fn deal(ctx: &mut Ctx<'_, Bids>, seat: u8, rule: Rule) -> Verdict<Bids> {
    let names: Vec<String> = ["low", "mid", "high"].map(str::to_owned).to_vec();
    let side = Bids::META.seats[usize::from(seat)];
    let counts = ctx.state().deck;
    let what = What::Card { side, names: &names, counts: &counts };
    let row = ctx.draw(&Ask { stream: 0, what }, rule)?;
    ctx.happen(Event::Dealt(seat, row as u8), rule);
    Ok(())
}

/// Takes `count` cards out of the unseen ones, each equally likely.
fn hidden(unseen: &mut Pile, count: u8, chance: &mut dyn Chance) -> Result<Pile, Halt> {
    let mut pile = Pile::default();
    for _ in 0..count {
        let n = u32::from(total(*unseen));
        let mut pick = chance.answer(&Ask { stream: 0, what: What::Hidden { n } })?;
        for (row, left) in unseen.iter_mut().enumerate() {
            if pick < u32::from(*left) {
                *left -= 1;
                pile[row] += 1;
                break;
            }
            pick -= u32::from(*left);
        }
    }
    Ok(pile)
}

impl Game for Bids {
    const META: Meta = Meta {
        id: "bids",
        prefix: "BID",
        title: "Bids",
        version: 1,
        seats: &["north", "south"],
        sides: &[],
        editions: &[],
        invariants: Invariants::NONE,
        players: (2, 2),
        streams: &["bids.deck"],
        endings: &["won", "drawn"],
        ending_titles: &[],
        chapters: &[],
        tables: &[],
    };
    const CLAUSES: CoreClauses<Rule> =
        CoreClauses { rejection: Rule::C5_2, protocol: Rule::C5_2, tape: Rule::C6_1 };

    type Options = NoOptions;
    type Setup = ();
    type State = State;
    type Action = Action;
    type Range = Range;
    type Event = Event;
    type About = ();
    type Notice = Notice;
    type View = View;
    type Position = View;
    type Rule = Rule;

    fn start((): &()) -> State {
        State { hands: [[0; 3]; 2], deck: DECK, bids: [None; 2], mover: None, points: [0; 2] }
    }

    fn open(ctx: &mut Ctx<'_, Self>) -> Verdict<Self> {
        for seat in [0, 0, 1, 1] {
            deal(ctx, seat, Rule::C1_1)?;
        }
        Ok(())
    }

    fn load((): &(), position: View) -> Result<State, Refusal<Rule>> {
        let wrong =
            |number, text: &str| Refusal::new(Rule::C1_1, "bad_position", text).invariant(number);
        let View { hands, deck, bids, mover, points, played: gone } = position;
        let [Cards::Open(north), Cards::Open(south)] = hands else {
            return Err(wrong(1, "both hands must be open"));
        };
        let Cards::Open(deck) = deck else { return Err(wrong(1, "the deck must be open")) };
        let left = [north, south, deck, gone].into_iter().try_fold(DECK, minus);
        if left != Some([0; 3]) {
            return Err(wrong(2, "the cards are not those of the game"));
        }
        let bids = bids.map(|bid| match bid {
            Bid::Seen(amount) => Some(amount),
            Bid::None | Bid::Made => None,
        });
        let mover = mover.map(|side| side as u8);
        if mover.is_some() != bids.iter().all(Option::is_some)
            || bids.iter().flatten().any(|&amount| amount > 5)
            || points.iter().any(|&points| points > 18)
        {
            return Err(wrong(3, "bids and turn do not fit"));
        }
        Ok(State { hands: [north, south], deck, bids, mover, points })
    }

    fn decision((): &(), state: &State) -> Decision<Rule> {
        if over(state) {
            let rule = Rule::C4_1;
            return Decision { seats: Seats::NONE, state: "over", rule, open: true };
        }
        match state.mover {
            Some(mover) => Decision {
                seats: Seats::one(Seat(mover)),
                state: "turn",
                rule: Rule::C3_1,
                open: false,
            },
            None => {
                let mut seats = Seats::NONE;
                for seat in 0..2u8 {
                    if state.bids[usize::from(seat)].is_none() {
                        seats = seats.with(Seat(seat));
                    }
                }
                Decision { seats, state: "bidding", rule: Rule::C2_1, open: false }
            }
        }
    }

    fn refuse_malformed((): &(), _: &State, sent: &Malformed) -> Refusal<Rule> {
        Refusal::new(Rule::C5_1, "bad_fields", sent.detail.clone()).public()
    }

    fn decide(ctx: &mut Ctx<'_, Self>, action: &Action) -> Verdict<Self> {
        let state = ctx.state();
        let refuse = |code, text| Err(Refusal::new(Rule::C5_1, code, text).public().into());
        if over(state) {
            return refuse("game_over", "the game is over");
        }
        if matches!(action, Action::Bid { .. }) != state.mover.is_none() {
            return refuse("wrong_phase", "not now");
        }
        let Seat(seat) = action.seat();
        if !Self::decision(&(), state).seats.contains(Seat(seat)) {
            return refuse("wrong_side", "not you");
        }
        match *action {
            Action::Bid { amount, .. } => {
                if amount > 5 {
                    let refusal = Refusal::new(Rule::C2_1, "bid_too_high", "at most five");
                    return Err(refusal.at("/amount").into());
                }
                ctx.happen(Event::Bid(seat, amount), Rule::C2_1);
                if let [Some(north), Some(south)] = ctx.state().bids {
                    ctx.happen(Event::Shown([north, south]), Rule::C2_1);
                    ctx.happen(Event::Turned(u8::from(north < south)), Rule::C2_2);
                }
                return Ok(());
            }
            Action::Play { card, .. } => {
                if ctx.state().hands[usize::from(seat)][card as usize] == 0 {
                    let refusal = Refusal::new(Rule::C3_2, "not_in_hand", "you hold no such card");
                    return Err(refusal.at("/card").into());
                }
                ctx.happen(Event::Played(seat, card as u8), Rule::C3_2);
            }
            Action::Draw { .. } => {
                may_draw(ctx.state(), seat)?;
                deal(ctx, seat, Rule::C3_3)?;
            }
        }
        match over(ctx.state()) {
            true => ctx.happen(Event::Ended, Rule::C4_1),
            false => ctx.happen(Event::Turned(1 - seat), Rule::C3_1),
        }
        Ok(())
    }

    fn apply((): &(), state: &mut State, event: &Event) {
        match *event {
            Event::Dealt(seat, row) => {
                state.deck[usize::from(row)] -= 1;
                state.hands[usize::from(seat)][usize::from(row)] += 1;
            }
            Event::Bid(seat, amount) => state.bids[usize::from(seat)] = Some(amount),
            Event::Shown(_) | Event::Ended => {}
            Event::Played(seat, row) => {
                state.hands[usize::from(seat)][usize::from(row)] -= 1;
                state.points[usize::from(seat)] += row + 1;
            }
            Event::Turned(seat) => state.mover = Some(seat),
        }
    }

    fn legal<M: Menu<Self>>((): &(), state: &State, seat: Seat, menu: &mut M) -> ControlFlow<()> {
        if !Self::decision(&(), state).seats.contains(seat) {
            return ControlFlow::Continue(());
        }
        let player = SIDES[usize::from(seat.0)];
        if state.mover.is_none() {
            return menu.range(Range::Bid { player, most: 5 });
        }
        for card in CARDS {
            if state.hands[usize::from(seat.0)][card as usize] > 0 {
                menu.action(Action::Play { player, card })?;
            }
        }
        if may_draw(state, seat.0).is_ok() {
            menu.action(Action::Draw { player })?;
        }
        ControlFlow::Continue(())
    }

    fn outcome((): &(), state: &State) -> Option<Outcome> {
        let [north, south] = state.points;
        over(state).then(|| match north.cmp(&south) {
            std::cmp::Ordering::Equal => Outcome { winner: None, reason: "drawn" },
            order => Outcome { winner: Some(Seat(u8::from(order.is_lt()))), reason: "won" },
        })
    }

    fn view((): &(), state: &State, to: Observer) -> View {
        let cards = |pile, open| if open { Cards::Open(pile) } else { Cards::Closed(total(pile)) };
        let bid = |seat: u8| match state.bids[usize::from(seat)] {
            None => Bid::None,
            Some(amount) if state.mover.is_some() || to.sees(Seat(seat)) => Bid::Seen(amount),
            Some(_) => Bid::Made,
        };
        View {
            hands: [
                cards(state.hands[0], to.sees(Seat(0))),
                cards(state.hands[1], to.sees(Seat(1))),
            ],
            deck: cards(state.deck, to == Observer::Referee),
            bids: [bid(0), bid(1)],
            mover: state.mover.map(|seat| SIDES[usize::from(seat)]),
            points: state.points,
            played: played(state),
        }
    }

    fn announce((): &(), event: &Event, to: Observer) -> Option<Notice> {
        let side = |seat: u8| SIDES[usize::from(seat)];
        Some(match *event {
            Event::Dealt(seat, row) => {
                let card = to.sees(Seat(seat)).then(|| CARDS[usize::from(row)]);
                Notice::Dealt { player: side(seat), card }
            }
            Event::Bid(seat, _) => Notice::Bid { player: side(seat) },
            Event::Shown(bids) => Notice::Shown { bids },
            Event::Played(seat, row) => {
                Notice::Played { player: side(seat), card: CARDS[usize::from(row)] }
            }
            Event::Turned(seat) => Notice::Turned { player: side(seat) },
            Event::Ended => Notice::Ended {},
        })
    }
}

impl PlayerAction<Bids> for Action {
    fn seat(&self) -> Seat {
        let (Action::Bid { player, .. } | Action::Play { player, .. } | Action::Draw { player }) =
            self;
        Seat(*player as u8)
    }
}

impl ActionRange<Bids> for Range {
    fn sample(&self, (): &(), _: &State, chance: &mut dyn Chance) -> Result<Action, Halt> {
        let Range::Bid { player, most } = *self;
        let what = What::Hidden { n: u32::from(most) + 1 };
        let amount = chance.answer(&Ask { stream: 0, what })? as u8;
        Ok(Action::Bid { player, amount })
    }

    fn covers(&self, (): &(), _: &State, action: &Action) -> bool {
        let Range::Bid { player: bidder, most } = *self;
        match *action {
            Action::Bid { player, amount } => player == bidder && amount <= most,
            Action::Play { .. } | Action::Draw { .. } => false,
        }
    }

    fn steps(&self, (): &(), _: &State, draft: &Draft) -> Option<Vec<Step>> {
        let Range::Bid { most, .. } = *self;
        draft.has_only(&["amount"]).then_some(())?;
        match draft.part::<u8>("amount")? {
            None => Some(Step::number("/amount", 0, most.into()).into_iter().collect()),
            Some(amount) => (amount <= most).then(Vec::new),
        }
    }
}

impl Story for Bids {
    fn tell((): &(), event: &Event, (): &(), to: Observer) -> Option<String> {
        match to {
            Observer::Referee => Some(format!("{event:?}")),
            _ => Self::announce(&(), event, to).map(|notice| format!("{notice:?}")),
        }
    }
}

impl Picture for Bids {}

impl Notation for Bids {}

impl Paper for Bids {}

impl Advice for Bids {
    type Memory = ();

    fn determinize((): &(), view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        let mut unseen = minus(DECK, view.played).unwrap_or_default();
        for cards in view.hands.iter().chain([&view.deck]) {
            if let Cards::Open(pile) = cards {
                unseen = minus(unseen, *pile).unwrap_or_default();
            }
        }
        let mut fill = |cards: &Cards| match cards {
            Cards::Open(pile) => Ok(*pile),
            Cards::Closed(count) => hidden(&mut unseen, *count, chance),
        };
        let hands = [fill(&view.hands[0])?, fill(&view.hands[1])?];
        let deck = fill(&view.deck)?;
        let mut bids = [None; 2];
        for (bid, known) in bids.iter_mut().zip(&view.bids) {
            *bid = match known {
                Bid::None => None,
                Bid::Seen(amount) => Some(*amount),
                Bid::Made => {
                    Some(chance.answer(&Ask { stream: 0, what: What::Hidden { n: 6 } })? as u8)
                }
            };
        }
        let mover = view.mover.map(|side| side as u8);
        Ok(State { hands, deck, bids, mover, points: view.points })
    }
}
