//! What may be unknown or left out in a record of Drako: cards that nobody has shown, answers that go without saying.
//!
//! Must not decide a rule, and must not draw a card.

use serde_json::Value;

use super::Drako;
use super::action::{Action, CardUse, Defend, Draw, Mulligan, Side};
use super::setup::Setup;
use super::state::{Stage, State};
use umpire_core::game::{Game, Listing, Omission};
use umpire_core::wire::Few;

/// What people leave out.
pub(super) const OMISSIONS: [Omission; 3] = [
    Omission {
        name: "defend_none",
        gist: "an attack that nobody answers: a defence without blocks is put back (DRK-7.7)",
        in_sight: true,
    },
    Omission {
        name: "forced_draws",
        gist: "a draw where nothing else can be done is put back (DRK-3.4)",
        in_sight: false,
    },
    Omission {
        name: "kept_hands",
        gist: "a side that keeps its hand before play: that it does not exchange it is put back (DRK-2.6)",
        in_sight: true,
    },
];

/// The action that is meant where nothing is written.
pub(super) fn omitted(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
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

fn kept(player: Side) -> Action {
    Action::Mulligan(Mulligan { player, exchange: false })
}

/// A state in which each card that nobody has shown is in the hand, and in the deck: what is refused there for a card is
/// refused wherever they lie. For a card that is played for nothing because no other can be used (DRK-5.4) it is the only
/// one in the hand.
pub(super) fn unseen(setup: &Setup, state: &State, action: &Action) -> State {
    let idle = match action {
        Action::Play(play) if matches!(play.used_for, CardUse::None {}) => Some(play),
        _ => None,
    };
    let mut loose = *state;
    for (side, holding) in Side::BOTH.into_iter().zip(&mut loose.cards) {
        for row in 0..holding.hand.len() {
            let all = holding.hand[row] + holding.deck[row] + holding.unseen[row];
            (holding.hand[row], holding.deck[row]) = (all, all);
        }
        if let Some(play) = idle.filter(|play| play.player == side) {
            let own = setup.deck(side).row(play.card);
            let others = holding.hand.iter_mut().enumerate().filter(|(row, _)| Some(*row) != own);
            others.for_each(|(_, count)| *count = 0);
        }
    }
    loose
}

/// The cards that may stand at a place of a position: in a hand, or in a deck.
pub(super) fn possible_there(setup: &Setup, place: &str) -> Vec<Value> {
    let mut parts = place.split('/').skip(1);
    let (pile, side) = (parts.next(), parts.next());
    let pile = matches!(pile, Some("hands" | "decks"));
    let Some(side) = Side::BOTH.into_iter().find(|it| side == Some(it.name())).filter(|_| pile)
    else {
        return Vec::new();
    };
    setup.deck(side).names.iter().map(|name| name.as_str().into()).collect()
}
