//! What may be unknown or left out in a record of Drako: cards that nobody has shown, answers that go without saying.
//!
//! Must not decide a rule, and must not draw a card.

use serde_json::Value;

use super::Drako;
use super::action::{Action, CardUse, Defend, Draw, Kind, Mulligan, Side};
use super::setup::{Cards, Setup};
use super::state::{Stage, State};
use umpire_core::game::{Game, Idle, Listing, Omission, Paper, Seat};
use umpire_core::wire::Few;

impl Paper for Drako {
    const CARDS_ARE_UNSEEN: bool = true;

    fn assume_unseen(setup: &Setup, state: &State, action: &Action) -> Option<State> {
        Some(unseen(setup, state, action))
    }

    fn list_spent(_: &Setup, action: &Action) -> Vec<String> {
        spends(action)
    }

    /// How many copies of a card lie in a side's hand and deck.
    fn count_stock(setup: &Setup, state: &State, seat: Seat, card: &str) -> Option<u32> {
        let side = Side::BOTH.into_iter().find(|side| side.seat() == seat)?;
        let row = setup.deck(side).names.iter().position(|name| name.as_str() == card)?;
        let holding = state.holding(side);
        Some(u32::from(holding.hand[row]) + u32::from(holding.deck[row]))
    }

    fn omissions() -> &'static [Omission] {
        &OMISSIONS
    }

    /// The action that is meant where nothing is written.
    fn fill_omission(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
        match (OMISSIONS.get(omission)?.name, state.stage) {
            ("defend_none", Stage::Defend) => {
                let player = state.mover().other();
                Some(Action::Defend(Defend { player, blocks: Few::default() }))
            }
            ("forced_draws", Stage::Action) => {
                let (player, seat) = (state.mover(), state.mover().seat());
                let mut all = Listing::<Drako> { actions: Vec::new(), ranges: Vec::new(), most: 1 };
                let more = Drako::legal(setup, state, seat, &mut all).is_break();
                let draw = Action::Draw(Draw { player });
                (!more && all.actions == [draw]).then_some(draw)
            }
            ("kept_hands", Stage::MulliganDragon) => Some(kept(Side::Dragon)),
            ("kept_hands", Stage::MulliganDwarves) => Some(kept(Side::Dwarves)),
            _ => None,
        }
    }

    /// The action that may be meant where nobody knows the cards: a draw is forced where all cards in the hand may be such
    /// that nothing can be done with them (DRK-5.4).
    fn fill_omission_unseen(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
        let forced =
            OMISSIONS.get(omission)?.name == "forced_draws" && state.stage == Stage::Action;
        if !forced {
            return Self::fill_omission(setup, state, omission);
        }
        let idle = useless(setup, state)?;
        let player = state.mover();
        (state.holding(player).in_hand() <= usize::from(idle.iter().sum::<u8>()))
            .then_some(Action::Draw(Draw { player }))
    }

    /// The cards that may be in a hand from which a draw is forced: nothing can be done with them (DRK-3.4, DRK-5.4).
    fn list_idle(setup: &Setup, state: &State, omission: usize) -> Option<Idle> {
        let forced =
            OMISSIONS.get(omission)?.name == "forced_draws" && state.stage == Stage::Action;
        let useless = useless(setup, state).filter(|_| forced)?;
        let player = state.mover();
        let names = setup.deck(player).names.iter().zip(useless);
        let cards = names.filter(|(_, count)| *count > 0).map(|(name, _)| name.to_string());
        Some(Idle { side: player.name(), cards: cards.collect() })
    }

    /// The cards that may stand at a place of a position: in a hand, or in a deck.
    fn list_possible(setup: &Setup, place: &str) -> Vec<Value> {
        let mut parts = place.split('/').skip(1);
        let (pile, side) = (parts.next(), parts.next());
        let pile = matches!(pile, Some("hands" | "decks"));
        let Some(side) = Side::BOTH.into_iter().find(|it| side == Some(it.name())).filter(|_| pile)
        else {
            return Vec::new();
        };
        setup.deck(side).names.iter().map(|name| name.as_str().into()).collect()
    }

    fn is_passive(action: &Action) -> bool {
        match action {
            Action::Mulligan(it) => !it.exchange,
            Action::Defend(it) => it.blocks.is_empty(),
            Action::Draw(_) => true,
            _ => false,
        }
    }
}

/// What people leave out.
const OMISSIONS: [Omission; 3] = [
    Omission {
        name: "defend_none",
        gist: "an attack that nobody answers: a defence without blocks is put back (DRK-7.7)",
    },
    Omission {
        name: "forced_draws",
        gist: "a draw where nothing else can be done is put back (DRK-3.4)",
    },
    Omission {
        name: "kept_hands",
        gist: "a side that keeps its hand before play: that it does not exchange it is put back (DRK-2.6)",
    },
];

/// Of each card that nobody has shown how many there are, if nothing can be done with it now; nothing at all where
/// something else than a draw can be done without a card, or a draw cannot.
fn useless(setup: &Setup, state: &State) -> Option<Cards> {
    let player = state.mover();
    let draw = Action::Draw(Draw { player });
    let loose = unseen(setup, state, &draw);
    let mut all = Listing::<Drako> { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
    let _ = Drako::legal(setup, &loose, player.seat(), &mut all);
    let (deck, mut idle) = (setup.deck(player), loose.holding(player).hand);
    for action in &all.actions {
        match action {
            Action::Draw(_) => {}
            Action::Play(play) => {
                let row = deck.row(play.card);
                row.into_iter().for_each(|row| idle[row] = 0);
            }
            _ => return None,
        }
    }
    all.actions.contains(&draw).then_some(idle)
}

/// DRK-4.2, DRK-5.2, DRK-7.7 The cards that are discarded with an action; no card comes back (DRK-4.3).
fn spends(action: &Action) -> Vec<String> {
    match action {
        Action::Play(play) => vec![play.card.to_string()],
        Action::Discard(it) => it.cards.as_slice().iter().map(Kind::to_string).collect(),
        Action::Defend(it) => it.blocks.as_slice().iter().map(|it| it.card.to_string()).collect(),
        _ => Vec::new(),
    }
}

fn kept(player: Side) -> Action {
    Action::Mulligan(Mulligan { player, exchange: false })
}

/// A state in which each card that nobody has shown is in the hand, and in the deck: what is refused there for a card is
/// refused wherever they lie. For a card that is played for nothing because no other can be used (DRK-5.4) it is the only
/// one in the hand.
fn unseen(setup: &Setup, state: &State, action: &Action) -> State {
    let idle = match action {
        Action::Play(play) if matches!(play.used_for, CardUse::None {}) => Some(play),
        _ => None,
    };
    let mut loose = *state;
    for (side, holding) in Side::BOTH.into_iter().zip(&mut loose.cards) {
        for row in 0..holding.hand.len() {
            let all = holding.hand[row] + holding.deck[row] + holding.unseen[row];
            // A pile that is empty stays so, which everybody sees.
            if holding.held > 0 {
                holding.hand[row] = all;
            }
            if holding.left > 0 {
                holding.deck[row] = all;
            }
        }
        if let Some(play) = idle.filter(|play| play.player == side) {
            let own = setup.deck(side).row(play.card);
            let others = holding.hand.iter_mut().enumerate().filter(|(row, _)| Some(*row) != own);
            others.for_each(|(_, count)| *count = 0);
        }
        (holding.held, holding.left) = (holding.hand.iter().sum(), holding.deck.iter().sum());
    }
    loose
}
