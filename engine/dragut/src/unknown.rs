//! What may be unknown or left out in a record of Dragut: cards that nobody has shown, choices that go without saying.
//!
//! Must not decide a rule, and must not draw a card.

use serde_json::Value;

use super::action::{Action, ChooseCard, DrawOffer, EndPhase, Side};
use super::setup::{Life, Setup};
use super::state::{NONE, Stage, State, count};
use super::{Dragut, ch09_draws};
use umpire_core::game::{Omission, Paper, Seat};

impl Paper for Dragut {
    const CARDS_ARE_UNSEEN: bool = true;

    fn assume_unseen(_: &Setup, state: &State, _: &Action) -> Option<State> {
        Some(unseen(state))
    }

    /// DRG-3.7 The card for once that is committed: it leaves the game before another can be.
    fn list_spent(setup: &Setup, action: &Action) -> Vec<String> {
        let Action::ChooseCard(ChooseCard { player, card: Some(name) }) = action else {
            return Vec::new();
        };
        let row = setup.card(*player, name);
        let life = row.and_then(|row| setup.decks[player.index()].life.get(usize::from(row)));
        let once = matches!(life, Some(Life::Once));
        if once { vec![name.as_str().to_owned()] } else { Vec::new() }
    }

    /// How many copies of a card a side has in its hand, its deck and in effect.
    fn count_stock(setup: &Setup, state: &State, seat: Seat, card: &str) -> Option<u32> {
        let side = Side::BOTH.into_iter().find(|side| side.seat() == seat)?;
        let names = &setup.decks[side.index()].names;
        let row = names.iter().position(|name| name.as_str() == card)?;
        let cards = &state.cards[side.index()];
        let played = u32::from(usize::from(cards.played) == row);
        Some(u32::from(cards.hand[row]) + u32::from(cards.deck[row]) + played)
    }

    fn omissions() -> &'static [Omission] {
        &OMISSIONS
    }

    fn fill_omission(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
        omitted(setup, state, omission)
    }

    /// The cards that may stand at a place of a position: in a hand, in effect, or out of the game.
    fn list_possible(setup: &Setup, place: &str) -> Vec<Value> {
        let mut parts = place.split('/').skip(1);
        let (pile, side) = (parts.next(), parts.next());
        let Some(side) = Side::BOTH.into_iter().find(|it| side == Some(it.name())) else {
            return Vec::new();
        };
        let names = setup.decks[side.index()].names.iter();
        let cards = names.map(|name| Value::from(name.as_str()));
        match pile {
            Some("hands" | "retired") => cards.collect(),
            Some("played") => cards.chain([Value::Null]).collect(),
            _ => Vec::new(),
        }
    }

    fn is_passive(action: &Action) -> bool {
        match action {
            Action::ChooseCard(it) => it.card.is_none(),
            Action::EndPhase(_) => true,
            Action::DrawOffer(it) => it.accept,
            _ => false,
        }
    }
}

/// What people leave out.
const OMISSIONS: [Omission; 3] = [
    Omission {
        name: "end_phase",
        gist: "the end of a phase that does not end by itself is put back (DRG-4.8)",
    },
    Omission {
        name: "no_card",
        gist: "a side of whose card nothing is written commits none (DRG-3.2)",
    },
    Omission {
        name: "declined_draws",
        gist: "an offered card of which nothing is written is declined (DRG-9.2, DRG-9.4)",
    },
];

/// The action that is meant where nothing is written.
fn omitted(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
    match (OMISSIONS.get(omission)?.name, state.stage) {
        ("end_phase", Stage::PiratePhase | Stage::RapallinePhase) => {
            Some(Action::EndPhase(EndPhase { player: state.phase? }))
        }
        ("no_card", Stage::ChooseCards) => {
            let open = |side: &Side| state.cards[side.index()].committed == NONE;
            let player = Side::BOTH.into_iter().find(open)?;
            Some(Action::ChooseCard(ChooseCard { player, card: None }))
        }
        ("declined_draws", Stage::DrawOffer) => {
            let player = ch09_draws::earner(setup, state);
            Some(Action::DrawOffer(DrawOffer { player, accept: false }))
        }
        _ => None,
    }
}

/// A state in which each card that nobody has shown is in the hand, and in the deck: what is refused there for a card is
/// refused wherever they lie. A pile that is empty stays so, which everybody sees.
fn unseen(state: &State) -> State {
    let mut loose = *state;
    for cards in &mut loose.cards {
        let (held, lying) = (count(&cards.hand) > 0, count(&cards.deck) > 0);
        for row in 0..cards.hand.len() {
            let all = cards.hand[row] + cards.deck[row];
            if held {
                cards.hand[row] = all;
            }
            if lying {
                cards.deck[row] = all;
            }
        }
    }
    loose
}
