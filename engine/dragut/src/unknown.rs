//! What may be unknown or left out in a record of Dragut: cards that nobody has shown, choices that go without saying.
//!
//! Must not decide a rule, and must not draw a card.

use serde_json::Value;

use super::action::{Action, ChooseCard, DrawOffer, EndPhase, Side};
use super::setup::Setup;
use super::state::{NONE, Stage, State, count};
use umpire_core::game::Omission;

/// What people leave out.
pub(super) const OMISSIONS: [Omission; 3] = [
    Omission {
        name: "end_phase",
        gist: "the end of a phase that does not end by itself is put back (DRG-4.8)",
        in_sight: true,
    },
    Omission {
        name: "no_card",
        gist: "a side of whose card nothing is written commits none (DRG-3.2)",
        in_sight: true,
    },
    Omission {
        name: "declined_draws",
        gist: "an offered card of which nothing is written is declined (DRG-9.4)",
        in_sight: true,
    },
];

/// The action that is meant where nothing is written.
pub(super) fn omitted(state: &State, omission: usize) -> Option<Action> {
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
            let player = Side::Rapalline;
            Some(Action::DrawOffer(DrawOffer { player, accept: false }))
        }
        _ => None,
    }
}

/// A state in which each card that nobody has shown is in the hand, and in the deck: what is refused there for a card is
/// refused wherever they lie. A pile that is empty stays so, which everybody sees.
pub(super) fn unseen(state: &State) -> State {
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

/// The cards that may stand at a place of a position: in a hand, in effect, or out of the game.
pub(super) fn possible_there(setup: &Setup, place: &str) -> Vec<Value> {
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
