//! The pending decision of a position, through the invariants that it must keep.
//!
//! Must not repair anything, like `invariants.rs`.

use super::given::Position;
use super::invariants::{CODE, discarded_rows};
use crate::action::{Dwarf, Dwarves, Side, Track, Use};
use crate::ch05_playing::spend::is_cut_off;
use crate::rulebook::{Defences, FuryMoment, HandLimit, Rule, TwoHits};
use crate::setup::Setup;
use crate::state::{Attack, Ending, Stage, State};
use crate::tables::{CARDS_PER_DRAW, HAND_LIMIT, TURN_ACTIONS};
use crate::view::{AttackView, Strand};
use crate::{Checked, Refusal};
use crate::{ch04_drawing, ch07_attacks, ch08_wounds, ch10_fury, ch11_end};
use umpire_core::rules::EndOfGame;

/// Invariants 3, 15 and 17: what the pending decision needs.
pub(super) fn load_pending(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    check_hands(setup, state)?;
    check_not_cut_off(setup, state)?;
    match state.stage {
        Stage::Action => check_cards_last(setup, state),
        Stage::LateFury => {
            check_cards_last(setup, state)?;
            let late = setup.rulings.fury_moment == FuryMoment::Late;
            if late && ch10_fury::can_declare(setup, state) {
                return Ok(());
            }
            let why = "Fury cannot be declared after the last action of this turn";
            Err(Refusal::new(Rule::C10_1, CODE, why).at("/state").invariant(15))
        }
        Stage::Discard if ch04_drawing::excess(state) == 0 => {
            let why = format!("nobody discards with at most {HAND_LIMIT} cards in hand");
            Err(Refusal::new(Rule::C4_2, CODE, why).at("/state").invariant(15))
        }
        Stage::Defend => load_attack(setup, state, position),
        Stage::AssignWounds => load_division(setup, state, position),
        Stage::GameOver => load_ending(setup, state, position),
        Stage::Setup
        | Stage::Discard
        | Stage::MulliganDragon
        | Stage::MulliganDwarves
        | Stage::Placement => Ok(()),
    }
}

/// Invariant 3: no hand exceeds the limit but that of the side to move, by what it can have drawn:
/// one draw where the limit is applied at once, a whole Fury turn's draws where it waits.
fn check_hands(setup: &Setup, state: &State) -> Checked {
    for side in Side::BOTH {
        let per_draw = usize::from(CARDS_PER_DRAW);
        let drawn = match (setup.rulings.hand_limit, side == state.mover()) {
            (_, false) => 0,
            (HandLimit::AfterDraw, true) => match state.stage {
                Stage::Discard => per_draw,
                _ => 0,
            },
            (HandLimit::TurnEnd, true) => per_draw * usize::from(TURN_ACTIONS + 1),
        };
        let held = state.holding(side).in_hand();
        // A finished game may have ended in the middle of anything.
        if held > HAND_LIMIT + drawn && state.stage != Stage::GameOver {
            let why = format!("the {side} hold {held} cards");
            let pointer = format!("/hands/{side}");
            return Err(Refusal::new(Rule::C4_2, CODE, why).at(pointer).invariant(3));
        }
    }
    Ok(())
}

/// DRK-11.3 The dragon has won.
const OUT_OF_TIME: EndOfGame = EndOfGame { winner: Some("dragon"), reason: "cards_exhausted" };

/// Invariant 15: the dwarves are not out of time while an action is awaited (DRK-11.3).
fn check_cards_last(setup: &Setup, state: &State) -> Checked {
    if !ch11_end::is_out_of_time(setup, state) || !ch11_end::is_card_test_due(setup, state) {
        return Ok(());
    }
    if state.holding(Side::Dwarves).is_out() {
        let why = "the dwarves own no card in hand or deck, so the game is over";
        let refusal = Refusal::new(Rule::C11_3, CODE, why).at("/hands/dwarves");
        return Err(refusal.invariant(15).ends_game(OUT_OF_TIME));
    }
    let why = "under this reading the game is over, for the dwarves' deck is empty";
    Err(Refusal::new(Rule::R1, CODE, why).at("/decks/dwarves").invariant(15).ends_game(OUT_OF_TIME))
}

/// Invariant 15 under DRK-R2 `before_effect`: once the dwarves' last card has left their
/// hand the game is over.
fn check_not_cut_off(setup: &Setup, state: &State) -> Checked {
    let unfinished = matches!(state.stage, Stage::Defend | Stage::AssignWounds);
    if !unfinished || !is_cut_off(setup, state) {
        return Ok(());
    }
    let why = "under this reading the game is over, for the dwarves' last card has left their hand";
    Err(Refusal::new(Rule::R2, CODE, why).at("/hands/dwarves").invariant(15).ends_game(OUT_OF_TIME))
}

/// Invariants 6 and 15: a pending attack is one that a card among the discards allows here.
fn load_attack(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let Some(given) = &position.attack else {
        let why = "a defence answers an attack";
        return Err(Refusal::new(Rule::C7_7, CODE, why).at("/attack").invariant(15));
    };
    let attack = read_attack(given);
    let Attack { value, strands, .. } = attack;
    let same = given.strands.iter().all(|it| it.value == value);
    let listed_once = strands.len() == given.strands.len();
    let deck = setup.deck(state.mover());
    let shows = |row| deck.value(row, attack.option) == Some(value);
    let printed = discarded_rows(setup, state, state.mover()).any(shows);
    let possible = is_possible(setup, state, attack) && is_answered_in_order(setup, state, attack);
    if !possible || !same || !listed_once || strands.is_empty() || !printed {
        let why = "no such attack can be pending in this position";
        return Err(Refusal::new(Rule::C7_7, CODE, why).at("/attack").invariant(15));
    }
    if !strands.minus(state.living()).is_empty() {
        let why = "a dead dwarf has no strand";
        return Err(Refusal::new(Rule::C8_6, CODE, why).at("/attack/strands").invariant(6));
    }
    if !ch07_attacks::is_answered(state, attack) {
        let why = "nobody is asked to defend with an empty hand";
        return Err(Refusal::new(Rule::C7_7, CODE, why).at("/state").invariant(15));
    }
    state.attack = Some(attack);
    Ok(())
}

/// The attack that a position gives.
fn read_attack(given: &AttackView) -> Attack {
    let dwarves = |it: &mut dyn Iterator<Item = &Strand>| it.map(|strand| strand.strand).collect();
    Attack {
        option: given.option,
        value: given.strands.first().map_or(0, |strand| strand.value),
        strands: dwarves(&mut given.strands.iter()),
        answered: dwarves(&mut given.strands.iter().filter(|strand| strand.answered)),
    }
}

/// DRK-7.7 Strands are answered before others only under DRK-R32 `one_by_one`, and in their order.
fn is_answered_in_order(setup: &Setup, state: &State, attack: Attack) -> bool {
    let order = ch07_attacks::strand_order(state, attack);
    let answered = order.iter().flatten().map(|&strand| attack.answered.contains(strand));
    attack.answered.is_empty()
        || setup.rulings.defences == Defences::OneByOne && answered.is_sorted_by(|a, b| a >= b)
}

/// DRK-7.1 to DRK-7.6 Whether the side to move can have declared such an attack from where the
/// figures stand.
fn is_possible(setup: &Setup, state: &State, attack: Attack) -> bool {
    let Attack { option, strands, .. } = attack;
    let beside = strands.minus(state.beside_dragon()).is_empty();
    let side = match option {
        Use::OneAttack | Use::TwoAttack | Use::Crossbow => Side::Dwarves,
        _ => Side::Dragon,
    };
    let fits = match option {
        Use::OneAttack | Use::Attack => strands.len() == 1 && beside,
        Use::TwoAttack => strands.len() <= 2 && beside,
        Use::Crossbow => {
            strands == Dwarves::one(Dwarf::Archery) && ch07_attacks::can_shoot(setup, state)
        }
        Use::Fire => ch07_attacks::fire_directions(setup, state).iter().any(|direction| {
            let all = ch07_attacks::fire_strands(setup, state, direction);
            all == strands || is_rest(setup, state, Attack { strands: all, ..attack }, strands)
        }),
        _ => false,
    };
    fits && state.mover() == side
}

/// DRK-7.7 with DRK-R32 `one_by_one`: whether these strands are what is left of an attack of which some
/// have been blocked, which come before the next to be answered.
fn is_rest(setup: &Setup, state: &State, whole: Attack, left: Dwarves) -> bool {
    let order = ch07_attacks::strand_order(state, whole);
    let mut later = order
        .iter()
        .flatten()
        .skip_while(|&&strand| !left.contains(strand) || whole.answered.contains(strand));
    let one_by_one = setup.rulings.defences == Defences::OneByOne;
    one_by_one && left.minus(whole.strands).is_empty() && later.all(|&it| left.contains(it))
}

/// Invariant 15: wounds to be divided, in two or more ways, that a card among the discards leaves.
fn load_division(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let rest = position.to_assign.unwrap_or(0);
    let hits = match position.hits.as_slice() {
        [] => [rest, 0],
        &[one] => [one, 0],
        &[one, two] => [one, two],
        _ => [0, 0],
    };
    if u32::from(hits[0]) + u32::from(hits[1]) != u32::from(rest) {
        let why = format!("the hits do not leave {rest} wounds to divide");
        return Err(Refusal::new(Rule::C8_4, CODE, why).at("/hits").invariant(15));
    }
    let to_come = position.attack.as_ref().map(read_attack);
    if let Some(attack) = to_come {
        let printed = discarded_rows(setup, state, Side::Dwarves)
            .any(|row| setup.deck(Side::Dwarves).value(row, attack.option) == Some(attack.value));
        let fits = attack.option == Use::TwoAttack
            && attack.strands.len() == 1
            && attack.answered.is_empty()
            && rest <= attack.value
            && is_possible(setup, state, attack);
        if !fits || !printed {
            let why = "no such hit can be yet to come in this position";
            return Err(Refusal::new(Rule::C7_9, CODE, why).at("/attack").invariant(15));
        }
    }
    let most = most_damage(setup, state);
    if rest > most {
        let why = format!("no card that was played leaves {rest} wounds to divide, at most {most}");
        return Err(Refusal::new(Rule::C8_4, CODE, why).at("/to_assign").invariant(15));
    }
    let possible = rest > 0
        && state.mover() == Side::Dwarves
        && state.free(setup, Track::Armour) == 0
        && ch08_wounds::divisions(setup, state, hits).nth(1).is_some();
    if !possible {
        let why = "wounds are divided only where two or more divisions are possible";
        return Err(Refusal::new(Rule::C8_4, CODE, why).at("/to_assign").invariant(15));
    }
    (state.hits, state.attack) = (hits, to_come);
    Ok(())
}

/// The most damage of one attack by a card among the dwarves' discards.
fn most_damage(setup: &Setup, state: &State) -> u8 {
    let deck = setup.deck(Side::Dwarves);
    let strands = match setup.rulings.two_hits {
        TwoHits::Together => state.living().len().min(2) as u8,
        TwoHits::InTurn => 1,
    };
    let attacks = [(Use::OneAttack, 1), (Use::TwoAttack, strands), (Use::Crossbow, 1)];
    discarded_rows(setup, state, Side::Dwarves)
        .flat_map(|row| attacks.map(|(option, times)| (deck.value(row, option), times)))
        .filter_map(|(value, times)| Some(value?.saturating_mul(times)))
        .max()
        .unwrap_or(0)
}

/// Invariant 17: a finished game has ended in a way that the position shows.
fn load_ending(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let Some(outcome) = position.outcome else {
        let why = "a finished game has an outcome";
        return Err(Refusal::new(Rule::C11_6, CODE, why).at("/outcome").invariant(17));
    };
    let ending = outcome.reason;
    let dragon_dead = ch08_wounds::is_dragon_dead(setup, state);
    let dwarves_dead = state.living().is_empty();
    let (holds, clause) = match ending {
        Ending::DragonKilled => (dragon_dead && state.mover() == Side::Dwarves, Rule::C11_1),
        Ending::DwarvesKilled => (dwarves_dead && !dragon_dead, Rule::C11_2),
        Ending::CardsExhausted => {
            let out = ch11_end::is_out_of_time(setup, state);
            let still = ch11_end::is_standstill(setup, state);
            ((out || still) && !dwarves_dead && !dragon_dead, Rule::C11_3)
        }
    };
    let cut_off = is_cut_off(setup, state) && ending != Ending::CardsExhausted;
    if !holds || cut_off || outcome.winner != ch11_end::winner(ending) {
        let why = format!("the game cannot have ended so in this position: {ending}");
        return Err(Refusal::new(clause, CODE, why).at("/outcome").invariant(17));
    }
    state.ending = Some(ending);
    Ok(())
}
