//! From a position to a state, through the invariants of part G.
//!
//! Must not repair anything: a position that breaks an invariant is refused, naming it. The
//! clauses are those that the invariants follow from.

use super::given::{GivenDeck, GivenHand, Position};
use crate::action::{Dwarf, Dwarves, Figure, Kind, Side, TRACKS, Track, Use};
use crate::rulebook::{
    ExchangeOrder, HandLimit, HitDivision, LimitDiscards, NetOfTheDead, Rule, ThirdAction, TwoHits,
};
use crate::setup::{Cards, Placement, Setup, free_starts, total};
use crate::state::{Stage, State};
use crate::tables::board::Spot;
use crate::tables::{CARDS_PER_DRAW, DECK, FIRST_TURN_ACTIONS, STARTING_HAND, TURN_ACTIONS};
use crate::view::Pile;
use crate::{Checked, Refusal};
use crate::{ch04_drawing, ch08_wounds};

/// The code of every refusal of a position.
pub(super) const CODE: &str = "bad_position";

/// Invariants 4, 5 and 10.
pub(super) fn load_wounds(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let given = &position.wounds;
    state.wounds = [
        given.fury,
        given.archery,
        given.net,
        given.armour,
        given.flight,
        given.movement,
        given.fire,
    ];
    for &track in Track::ALL {
        let (wounds, spaces) = (state.wounds_on(track), setup.spaces(track));
        if wounds > spaces {
            let why = format!("{track} has {wounds} wounds on {spaces} spaces");
            let pointer = format!("/wounds/{track}");
            return Err(Refusal::new(Rule::C8_2, CODE, why).at(pointer).invariant(4));
        }
    }
    let armour_full = state.free(setup, Track::Armour) == 0;
    if let Some(track) = Track::ABILITIES.into_iter().find(|&it| state.wounds_on(it) > 0)
        && !armour_full
    {
        let why = format!("{track} has wounds although the armour has free spaces");
        let pointer = format!("/wounds/{track}");
        return Err(Refusal::new(Rule::C8_3, CODE, why).at(pointer).invariant(5));
    }
    if state.fury_used && state.wounds_on(Track::Fury) == 0 {
        let why = "the fury marker is used, but its dwarf has no wound";
        return Err(Refusal::new(Rule::C10_2, CODE, why).at("/fury_used").invariant(10));
    }
    Ok(())
}

/// Invariant 1: what hands, decks and discards name, the deck has.
pub(super) fn load_cards(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    for side in Side::BOTH {
        let mut left = setup.deck(side).counts;
        let (hand, deck) = match side {
            Side::Dragon => (&position.hands.dragon, &position.decks.dragon),
            Side::Dwarves => (&position.hands.dwarves, &position.decks.dwarves),
        };
        let pointer = format!("/hands/{side}");
        let named = match hand {
            GivenHand::List(cards) => cards,
            GivenHand::View(view) => check_count(&view.cards, view.count, &pointer)?,
        };
        let holding = &mut state.cards[side.index()];
        holding.hand = take_named(setup, side, named, &mut left, &pointer)?;
        holding.held = total(&holding.hand) as u8;
        let pointer = format!("/decks/{side}");
        let (named, order) = match deck {
            GivenDeck::Order(order) => (order, order),
            GivenDeck::View(view) => (check_count(&view.cards, view.count, &pointer)?, &view.order),
        };
        holding.deck = take_named(setup, side, named, &mut left, &pointer)?;
        holding.left = total(&holding.deck) as u8;
        let mut in_deck = holding.deck;
        take_named(setup, side, order, &mut in_deck, &format!("{pointer}/order"))?;
        for (slot, &kind) in holding.order.iter_mut().zip(order) {
            *slot = setup.deck(side).row(kind).unwrap_or(0) as u8;
        }
        holding.known = order.len() as u8;
        if let Some(piles) = &position.discards {
            load_discards(setup, state, side, left, piles.get(side))?;
        }
    }
    Ok(())
}

/// Invariant 1: the discards are what is `left` of a side's cards.
fn load_discards(
    setup: &Setup,
    state: &mut State,
    side: Side,
    mut left: Cards,
    pile: &Pile,
) -> Checked {
    let pointer = format!("/discards/{side}");
    check_count(&pile.cards, pile.count, &pointer)?;
    let mut rest = left;
    take_named(setup, side, &pile.cards, &mut rest, &pointer)?;
    if rest != [0; DECK] {
        let why = format!("hand, deck and discards of the {side} are not its {DECK} cards");
        return Err(Refusal::new(Rule::C1_7, CODE, why).at(pointer).invariant(1));
    }
    let pointer = format!("{pointer}/unseen");
    state.cards[side.index()].unseen = take_named(setup, side, &pile.unseen, &mut left, &pointer)?;
    let shown = setup.rulings.limit_discards == LimitDiscards::Public;
    if shown && !pile.unseen.is_empty() {
        let why = "discards are public under this record's DRK-R17";
        return Err(Refusal::new(Rule::R17, CODE, why).at(pointer));
    }
    Ok(())
}

/// Invariant 1: as many cards are listed as are counted. Gives back the list.
fn check_count<'a>(cards: &'a Vec<Kind>, count: u8, pointer: &str) -> Checked<&'a Vec<Kind>> {
    if cards.len() == usize::from(count) {
        return Ok(cards);
    }
    let why = format!("count is {count}, but {} cards are listed", cards.len());
    let pointer = format!("{pointer}/count");
    Err(Refusal::new(Rule::C1_7, CODE, why).at(pointer).invariant(1))
}

/// Invariant 1: takes named cards from what is left of a side's cards.
fn take_named(
    setup: &Setup,
    side: Side,
    named: &[Kind],
    left: &mut Cards,
    pointer: &str,
) -> Checked<Cards> {
    let deck = setup.deck(side);
    let mut taken = [0; DECK];
    for (at, &kind) in named.iter().enumerate() {
        let Some(row) = deck.row_in(left, kind) else {
            let why = match deck.row(kind) {
                Some(_) => format!("{kind} is named more often than there are cards of it"),
                None => format!("{kind} is not a card of the {side}"),
            };
            let pointer = format!("{pointer}/{at}");
            return Err(Refusal::new(Rule::C1_7, CODE, why).at(pointer).invariant(1));
        };
        left[row] -= 1;
        taken[row] += 1;
    }
    Ok(taken)
}

/// Invariant 6: the living stand on different hexes of the board, the dead on none.
pub(super) fn load_spots(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let given = &position.hexes;
    let hexes = [given.dragon, given.fury, given.archery, given.net];
    let comes_later = setup.rulings.exchange_order == ExchangeOrder::BeforePlacement;
    let unplaced = state.stage.is_before_play()
        && setup.placement == Placement::Free
        && (comes_later || state.stage == Stage::Placement);
    let over = state.stage == Stage::GameOver;
    let dragon_dead = over && ch08_wounds::is_dragon_dead(setup, state);
    let filled = ch08_wounds::filled(setup, state);
    state.spots = [None; 4];
    for (&figure, hex) in Figure::ALL.iter().zip(hexes) {
        let pointer = format!("/hexes/{figure}");
        let (start, dead, unplaced) = match figure.dwarf() {
            None => (Spot::CENTRE, dragon_dead, false),
            Some(dwarf) => (setup.starts[dwarf.index()], filled.contains(dwarf), unplaced),
        };
        let spot = match hex {
            Some(Some(hex)) => Some(Spot::find(hex).ok_or_else(|| {
                let why = format!("{figure} stands on {hex}, which is not a hex of the board");
                Refusal::new(Rule::C1_2, CODE, why).at(&*pointer).invariant(6)
            })?),
            None if !dead && !unplaced => Some(start),
            None | Some(None) => None,
        };
        let Some(spot) = spot else {
            if dead || unplaced {
                continue;
            }
            let why = format!("{figure} lives, but has no hex");
            return Err(Refusal::new(Rule::C1_4, CODE, why).at(pointer).invariant(6));
        };
        let hex = spot.hex();
        if unplaced {
            let why = format!("{figure} stands on {hex} before the placement");
            return Err(Refusal::new(Rule::C2_5, CODE, why).at(pointer).invariant(6));
        }
        if dead {
            let why = format!("{figure} has all spaces filled, but stands on {hex}");
            return Err(Refusal::new(Rule::C8_6, CODE, why).at(pointer).invariant(6));
        }
        if let Some(other) = state.spots.iter().position(|&it| it == Some(spot)) {
            let why = format!("{figure} and {} both stand on {hex}", Figure::at(other));
            return Err(Refusal::new(Rule::C1_5, CODE, why).at(pointer).invariant(6));
        }
        state.spots[figure.index()] = Some(spot);
    }
    Ok(())
}

/// Invariants 7, 8, 15 and 16: the turn, its side and its actions.
pub(super) fn load_turn(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    if state.stage.is_before_play() {
        check_before_play(setup, state, position)?;
        return check_untouched(setup, state);
    }
    if state.turn == 1 && (state.netted || state.fury_used) {
        let why = "in turn 1 the dwarves have not done anything yet";
        return Err(Refusal::new(Rule::C3_1, CODE, why).at("/turn").invariant(8));
    }
    if state.stage == Stage::Setup {
        let why = "a position stands at a decision, or at the end";
        return Err(Refusal::new(Rule::C2_7, CODE, why).at("/state").invariant(15));
    }
    if state.turn == 0 {
        let why = "turns are counted from 1";
        return Err(Refusal::new(Rule::C3_1, CODE, why).at("/turn").invariant(8));
    }
    if u32::from(state.turn) + turns_to_come(state) > u32::from(u16::MAX) {
        let why = format!("from turn {} on the turns would run past {}", state.turn, u16::MAX);
        return Err(Refusal::new(Rule::C3_1, CODE, why).at("/turn").invariant(16));
    }
    load_actions_left(setup, state, position)?;
    if let Some(side) = position.side
        && side != state.mover()
    {
        let why = format!("turn {} belongs to the {}", state.turn, state.mover());
        return Err(Refusal::new(Rule::C3_1, CODE, why).at("/side").invariant(8));
    }
    Ok(())
}

/// Invariant 7: the actions left are those that the turn and the pending decision allow.
fn load_actions_left(setup: &Setup, state: &mut State, position: &Position) -> Checked {
    let fresh = if state.turn == 1 { FIRST_TURN_ACTIONS } else { TURN_ACTIONS };
    let fury_turn = state.fury_used && state.mover() == Side::Dwarves;
    check_fury_turn(setup, position, fury_turn)?;
    // The marker's turn may be the present one: then three actions in all.
    let more = u8::from(fury_turn && position.fury_turn != Some(false));
    let waits = setup.rulings.hand_limit == HandLimit::TurnEnd;
    let (least, most) = match state.stage {
        Stage::Action => (1, fresh + more),
        // The end forfeits what is left (DRK-11.6), and a limit that waits comes after it (R14), as
        // a late Fury does (R11).
        Stage::GameOver | Stage::LateFury => (0, 0),
        Stage::Discard if waits => (0, 0),
        _ => (0, fresh - 1 + more),
    };
    let left = position.actions_left.unwrap_or(fresh.min(most));
    state.actions_left = left;
    // Left out, it follows from more actions than any other turn has left.
    let otherwise = if state.stage == Stage::Action { fresh } else { fresh - 1 };
    state.fury_turn = position.fury_turn.unwrap_or(left > otherwise);
    if left < least || most < left {
        let possible = match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        let why = format!("{} left, but {possible} can be", are_actions(left));
        return Err(Refusal::new(Rule::C3_2, CODE, why).at("/actions_left").invariant(7));
    }
    Ok(())
}

/// Invariants 7 and 10: a position says that Fury was declared in its turn only where that matters
/// (DRK-R13), and can be.
fn check_fury_turn(setup: &Setup, position: &Position, possible: bool) -> Checked {
    let Some(given) = position.fury_turn else { return Ok(()) };
    let pointer = "/fury_turn";
    if setup.rulings.third_action != ThirdAction::Optional {
        let why = "whether Fury was declared in this turn is stated only if DRK-R13 is optional";
        return Err(Refusal::new(Rule::R13, CODE, why).at(pointer));
    }
    if given && !possible {
        let why = "Fury is declared in a turn of the dwarves, and uses its marker up";
        return Err(Refusal::new(Rule::C10_1, CODE, why).at(pointer).invariant(10));
    }
    Ok(())
}

/// So many actions, with the verb that fits.
fn are_actions(count: u8) -> String {
    match count {
        1 => "1 action is".to_owned(),
        _ => format!("{count} actions are"),
    }
}

/// Invariants 7 and 8 before turn 1: a setup decision is one that the options ask for.
fn check_before_play(setup: &Setup, state: &State, position: &Position) -> Checked {
    let asked = match state.stage {
        Stage::Placement => setup.placement == Placement::Free,
        _ => setup.mulligan,
    };
    if state.turn != 0 || !asked {
        let why = "this decision is not asked for at this turn under these options";
        return Err(Refusal::new(Rule::C2_7, CODE, why).at("/state").invariant(8));
    }
    if let Some(left) = position.actions_left.filter(|&left| left > 0) {
        let why = format!("{} left, but turn 1 has not started", are_actions(left));
        return Err(Refusal::new(Rule::C2_7, CODE, why).at("/actions_left").invariant(7));
    }
    if let (Some(side), Some(decider)) = (position.side, state.decider())
        && side != decider
    {
        let why = format!("the {decider} decide here");
        return Err(Refusal::new(Rule::C2_7, CODE, why).at("/side").invariant(8));
    }
    Ok(())
}

/// Invariants 2, 4 and 8 before turn 1: nothing has happened but the dealing, so there is no
/// wound, no marker, four cards are in each hand and the others in the deck.
fn check_untouched(setup: &Setup, state: &State) -> Checked {
    if state.wounds != [0; TRACKS] || state.netted || state.fury_used {
        let why = "before turn 1 there are no wounds, and both markers are unused";
        return Err(Refusal::new(Rule::C2_3, CODE, why).at("/wounds").invariant(4));
    }
    if state.dragon() != Spot::CENTRE {
        let why = "before turn 1 the dragon stands in the centre";
        return Err(Refusal::new(Rule::C2_3, CODE, why).at("/hexes/dragon").invariant(8));
    }
    for dwarf in Dwarves::ALL.iter() {
        let Some(spot) = state.dwarf(dwarf) else { continue };
        let (pointer, hex) = (format!("/hexes/{dwarf}"), spot.hex());
        let why = format!("{dwarf} cannot start on {hex}");
        match setup.placement {
            Placement::Fixed if spot != setup.starts[dwarf.index()] => {
                return Err(Refusal::new(Rule::C2_4, CODE, why).at(pointer).invariant(8));
            }
            Placement::Free if !free_starts(Spot::CENTRE).contains(spot) => {
                return Err(Refusal::new(Rule::C2_5, CODE, why).at(pointer).invariant(8));
            }
            Placement::Fixed | Placement::Free => {}
        }
    }
    for side in Side::BOTH {
        let holding = state.holding(side);
        if holding.in_hand() != usize::from(STARTING_HAND)
            || holding.in_hand() + holding.in_deck() != DECK
        {
            let why = format!(
                "before turn 1 the {side} hold {STARTING_HAND} cards, the others are in the deck"
            );
            let pointer = format!("/hands/{side}");
            return Err(Refusal::new(Rule::C2_2, CODE, why).at(pointer).invariant(2));
        }
    }
    Ok(())
}

/// Invariant 16 as far as a position can break it: the most turns that can follow. The dwarves, who
/// must not run out of cards, have a draw for every two cards of their deck and a play for every
/// card, and take at least one of them a turn. That no new game comes to turn 60 follows from the
/// same; a position may stand at any turn, for nothing tells where its game began.
fn turns_to_come(state: &State) -> u32 {
    let dwarves = state.holding(Side::Dwarves);
    let draws = dwarves.in_deck().div_ceil(usize::from(CARDS_PER_DRAW));
    let actions = draws + dwarves.in_deck() + dwarves.in_hand();
    2 * actions as u32 + u32::from(state.mover() == Side::Dragon)
}

/// Invariant 17: a game that is not over has a living dragon and a living dwarf.
pub(super) fn check_alive(setup: &Setup, state: &State) -> Checked {
    if state.stage == Stage::GameOver || state.stage.is_before_play() {
        return Ok(());
    }
    if ch08_wounds::is_dragon_dead(setup, state) {
        let why = "the dragon is dead";
        return Err(Refusal::new(Rule::C11_1, CODE, why).at("/wounds").invariant(17));
    }
    if state.living().is_empty() {
        let why = "all dwarves are dead";
        return Err(Refusal::new(Rule::C11_2, CODE, why).at("/wounds").invariant(17));
    }
    Ok(())
}

/// Invariants 2, 9 and 12: decks that the dealing left, a net that was thrown and lies on the
/// dragon.
pub(super) fn check_played(setup: &Setup, state: &State) -> Checked {
    for side in Side::BOTH {
        let dealt = DECK - usize::from(STARTING_HAND);
        let left = state.holding(side).in_deck();
        if state.turn > 0 && left > dealt {
            let why = format!("{left} cards are in the deck of the {side}; {dealt} after dealing");
            let pointer = format!("/decks/{side}");
            return Err(Refusal::new(Rule::C2_2, CODE, why).at(pointer).invariant(2));
        }
    }
    if !state.netted {
        return Ok(());
    }
    let throws = |row| setup.deck(Side::Dwarves).value(row, Use::Net).is_some();
    if !discarded_rows(setup, state, Side::Dwarves).any(throws) {
        let why = "the net lies on the dragon, but no card that throws it has been played";
        return Err(Refusal::new(Rule::C5_2, CODE, why).at("/netted").invariant(12));
    }
    let released = setup.rulings.net_of_the_dead == NetOfTheDead::Released;
    if released && state.dwarf(Dwarf::Net).is_none() {
        let why = "under this reading the net comes off when its thrower dies";
        return Err(Refusal::new(Rule::R9, CODE, why).at("/netted").invariant(9));
    }
    Ok(())
}

/// The rows of a side's cards of which at least one lies among its discards.
pub(super) fn discarded_rows(
    setup: &Setup,
    state: &State,
    side: Side,
) -> impl Iterator<Item = usize> {
    let discards = state.discards(setup, side);
    (0..setup.deck(side).len()).filter(move |&row| discards[row] > 0)
}

/// What a position says beside what it must agrees with the rest: invariants 11, 12, 15 and 17.
pub(super) fn check_agreement(setup: &Setup, state: &State, position: &Position) -> Checked {
    if let Some(given) = &position.lost
        && *given != ch08_wounds::lost_abilities(setup, state)
    {
        let why = "these are not the abilities whose spaces are all filled";
        return Err(Refusal::new(Rule::C8_5, CODE, why).at("/lost").invariant(11));
    }
    let excess = ch04_drawing::excess(state) as u8;
    if let Some(given) = position.to_discard
        && (state.stage != Stage::Discard || given != excess)
    {
        let why = format!("{given} cards are not what is to be discarded");
        return Err(Refusal::new(Rule::C4_2, CODE, why).at("/to_discard").invariant(12));
    }
    let hits_to_come =
        state.stage == Stage::AssignWounds && setup.rulings.two_hits == TwoHits::InTurn;
    if position.attack.is_some() && state.stage != Stage::Defend && !hits_to_come {
        let why = "no answer to an attack is pending";
        return Err(Refusal::new(Rule::C7_7, CODE, why).at("/attack").invariant(15));
    }
    if position.to_assign.is_some() && state.stage != Stage::AssignWounds {
        let why = "no division of wounds is pending";
        return Err(Refusal::new(Rule::C8_4, CODE, why).at("/to_assign").invariant(15));
    }
    let by_hits = setup.rulings.hit_division == HitDivision::OneAbility;
    let divided = by_hits && state.stage == Stage::AssignWounds;
    if !divided && !position.hits.is_empty() {
        let why = "wounds are listed by hits only if DRK-R33 is one_ability and they are divided";
        return Err(Refusal::new(Rule::R33, CODE, why).at("/hits"));
    }
    if position.outcome.is_some() && state.stage != Stage::GameOver {
        let why = "the game is not over";
        return Err(Refusal::new(Rule::C11_6, CODE, why).at("/outcome").invariant(17));
    }
    Ok(())
}
