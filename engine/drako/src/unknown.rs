//! What may be unknown or left out in a record of Drako: cards that nobody has shown, answers that go without saying.
//!
//! Must not decide a rule, and must not draw a card.

use serde_json::Value;

use super::Drako;
use super::action::{
    Action, AssignWounds, CardUse, Defend, Draw, Figure, Kind, Mulligan, Pass, Play, Side, Use,
};
use super::setup::{Cards, Setup};
use super::state::{Stage, State};
use super::{ch03_turns, ch05_playing, ch07_attacks, ch10_fury};
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
                let mut all = Listing::<Drako> { actions: Vec::new(), ranges: Vec::new(), most: 2 };
                let more = Drako::legal(setup, state, seat, &mut all).is_break();
                let draw = Action::Draw(Draw { player });
                all.actions.retain(|action| !matches!(action, Action::Pass(_)));
                (!more && all.actions == [draw]).then_some(draw)
            }
            ("passes", Stage::Action | Stage::LateFury) => {
                let player = state.mover();
                ch03_turns::may_pass(setup, state).map(|_| Action::Pass(Pass { player }))
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

    /// Part C.4: a figure that is left out where others are named may be meant to be dead, and from turn 2 on all may have
    /// moved.
    fn list_doubtful(given: &Value, view: &Value) -> Vec<String> {
        let named = given["hexes"].as_object().filter(|named| !named.is_empty());
        let Some(named) = named else {
            let moved = view["turn"].as_u64().is_some_and(|turn| turn > 1);
            return Vec::from_iter(moved.then(|| "hexes".to_owned()));
        };
        let stands = |figure: &&Figure| !view["hexes"][figure.name()].is_null();
        let left_out = Figure::ALL.iter().filter(|figure| !named.contains_key(figure.name()));
        left_out.filter(stands).map(|figure| format!("hexes/{figure}")).collect()
    }

    /// A wasted card for a pass or for an option without effect, and back (DRK-R4, R8, R30, R31); one division or answer
    /// in several (DRK-R24, R32).
    fn restate(setup: &Setup, state: &State, action: &Action) -> Vec<(Action, Option<Action>)> {
        match action {
            Action::Play(play) if matches!(play.used_for, CardUse::None {}) => {
                let pass = Action::Pass(Pass { player: play.player });
                let deck = setup.deck(play.player);
                let options = deck.row(play.card).map_or(&[][..], |row| deck.options(row));
                let blank = options.iter().filter_map(|&(option, _)| blank_use(option));
                let blank = blank.map(|used_for| Action::Play(Play { used_for, ..*play }));
                blank.chain([pass]).map(|form| (form, None)).collect()
            }
            // A shot that a reading forbids would have hit: it is no card without effect.
            Action::Play(Play { used_for: CardUse::Crossbow {}, .. })
                if ch07_attacks::is_too_close(setup, state) =>
            {
                Vec::new()
            }
            Action::Play(play) => match blank_use(play.used_for.option()) {
                Some(blank) if blank == play.used_for => {
                    vec![(Action::Play(Play { used_for: CardUse::None {}, ..*play }), None)]
                }
                // Figures that cannot attack or be attacked are not named.
                Some(blank) => vec![(Action::Play(Play { used_for: blank, ..*play }), None)],
                None => Vec::new(),
            },
            // Where a card may be wasted; not the third action of a Fury turn, which a reading makes a duty (DRK-R13).
            Action::Pass(pass)
                if ch05_playing::has_no_use(setup, state, pass.player)
                    && !ch10_fury::is_third_action(state) =>
            {
                let (deck, hand) = (setup.deck(pass.player), state.holding(pass.player).hand);
                let wasted = (0..deck.len()).filter(|&row| hand[row] > 0).map(|row| {
                    let (player, card) = (pass.player, deck.kinds[row]);
                    Action::Play(Play { player, card, used_for: CardUse::None {} })
                });
                wasted.map(|form| (form, None)).collect()
            }
            Action::AssignWounds(it) => split_division(state, it),
            Action::Defend(it) => split_answer(setup, state, it),
            _ => Vec::new(),
        }
    }

    /// Two divisions or two answers in one (DRK-R24, R32).
    fn join(first: &Action, second: &Action) -> Option<Action> {
        match (first, second) {
            (Action::AssignWounds(one), Action::AssignWounds(two)) => {
                let sum = |one: u32, two: u32| one.saturating_add(two);
                Some(Action::AssignWounds(AssignWounds {
                    player: one.player,
                    flight: sum(one.flight, two.flight),
                    movement: sum(one.movement, two.movement),
                    fire: sum(one.fire, two.fire),
                }))
            }
            (Action::Defend(one), Action::Defend(two)) => {
                let blocks = one.blocks.as_slice().iter().chain(two.blocks.as_slice()).copied();
                Some(Action::Defend(Defend { player: one.player, blocks: blocks.collect() }))
            }
            _ => None,
        }
    }

    fn is_passive(action: &Action) -> bool {
        match action {
            Action::Mulligan(it) => !it.exchange,
            Action::Defend(it) => it.blocks.is_empty(),
            Action::Draw(_) | Action::Pass(_) => true,
            _ => false,
        }
    }
}

/// What people leave out.
const OMISSIONS: [Omission; 4] = [
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
    Omission {
        name: "passes",
        gist: "a pass that is legal before the other side's turn is put back (DRK-3.4)",
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
            Action::Draw(_) | Action::Pass(_) => {}
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

/// An option that names nobody and nothing, as it is played where it has no effect (DRK-R8, R30).
fn blank_use(option: Use) -> Option<CardUse> {
    Some(match option {
        Use::OneAttack => CardUse::OneAttack { attackers: Few::default() },
        Use::TwoAttack => CardUse::TwoAttack { attackers: Few::default() },
        Use::Attack => CardUse::Attack { target: None },
        Use::Crossbow => CardUse::Crossbow {},
        Use::Net => CardUse::Net {},
        _ => return None,
    })
}

/// The parts of a division of more wounds than are divided now (DRK-R24 `in_turn`): what is divided now, as much of it
/// as there is on one ability, and the rest.
fn split_division(state: &State, whole: &AssignWounds) -> Vec<(Action, Option<Action>)> {
    let counts = [whole.flight, whole.movement, whole.fire];
    let due = u32::from(state.unassigned());
    let division = |[flight, movement, fire]: [u32; 3]| {
        Action::AssignWounds(AssignWounds { player: whole.player, flight, movement, fire })
    };
    let part = |first: usize| {
        let (mut now, mut rest, mut left) = ([0; 3], counts, due);
        for at in [first, (first + 1) % 3, (first + 2) % 3] {
            now[at] = counts[at].min(left);
            (rest[at], left) = (counts[at] - now[at], left - now[at]);
        }
        (division(now), Some(division(rest)))
    };
    let more = counts.iter().map(|&count| u64::from(count)).sum::<u64>() > due.into();
    if more { (0..3).map(part).collect() } else { Vec::new() }
}

/// The parts of an answer to more strands than are asked for now (DRK-R32 `one_by_one`).
fn split_answer(setup: &Setup, state: &State, whole: &Defend) -> Vec<(Action, Option<Action>)> {
    let Some(attack) = state.attack else { return Vec::new() };
    let asked = ch07_attacks::asked_strands(setup, state, attack);
    if asked == attack.strands {
        return Vec::new();
    }
    let answer = |now: bool| {
        let blocks = whole.blocks.as_slice().iter().copied();
        let blocks = blocks.filter(|block| asked.contains(block.against) == now).collect();
        Action::Defend(Defend { player: whole.player, blocks })
    };
    vec![(answer(true), Some(answer(false)))]
}

fn kept(player: Side) -> Action {
    Action::Mulligan(Mulligan { player, exchange: false })
}

/// A state in which each card that nobody has shown is in the hand, and in the deck: what is refused there for a card is
/// refused wherever they lie. For a card that is played for nothing because no other can be used (DRK-5.4) it is the only
/// one in the hand; for a pass, which no card may stand in the way of (DRK-R4), only those are that cannot be used.
fn unseen(setup: &Setup, state: &State, action: &Action) -> State {
    let stays = |side: Side, row: usize| match action {
        Action::Play(play) if matches!(play.used_for, CardUse::None {}) && play.player == side => {
            setup.deck(side).row(play.card) == Some(row)
        }
        Action::Pass(pass) if pass.player == side => {
            ch05_playing::find_option(setup, state, side, row).is_none()
        }
        _ => true,
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
        let rows = 0..setup.deck(side).len();
        rows.filter(|&row| !stays(side, row)).for_each(|row| holding.hand[row] = 0);
        (holding.held, holding.left) = (holding.hand.iter().sum(), holding.deck.iter().sum());
    }
    loose
}
