//! DRK-7 Attacks and reactions: who can be attacked, and how an attack is answered.
//!
//! Must not place a wound: chapter 8 does.

use super::action::{Block, Defend, Dwarf, Dwarves, Track, Use};
use super::ch01_terms::{check_lives, figure_dead};
use super::ch05_playing::spend::spend_card;
use super::event::{Event, PlayedCard, StrandList, strand_names};
use super::rulebook::{BlankPlay, Defences, EmptyFire, FireReach, NearShot, Rule};
use super::setup::{Cards, Deck, Setup};
use super::state::{Attack, State};
use super::tables::board::{Direction, Directions, Spot};
use super::{Checked, Ctx, Refusal, Verdict};
use umpire_core::rules::Cites;
use umpire_core::wire::Few;

/// DRK-7.1 Attacker and target of a close attack live and stand on adjacent hexes.
fn check_beside_dragon(state: &State, dwarf: Dwarf) -> Checked {
    let spot = check_lives(state, dwarf)?;
    if state.beside_dragon().contains(dwarf) {
        return Ok(());
    }
    let message = format!("{} and the dragon are not on neighbouring hexes", dwarf.title());
    Err(Refusal::new(Rule::C7_1, "not_adjacent", message).in_sight().also(Rule::R30).fact(
        format!("distance of {} and the dragon", dwarf.title()),
        spot.distance(state.dragon()),
    ))
}

/// DRK-7.1 with DRK-R30: whether a close attack, which names nobody then, may be played without
/// effect because nobody stands beside the dragon.
pub(super) fn is_blank_attack(setup: &Setup, state: &State) -> bool {
    setup.rulings.blank_play == BlankPlay::NoEffect && state.beside_dragon().is_empty()
}

/// DRK-7.2, DRK-7.3 One or two dwarves attack the adjacent dragon. Under DRK-R30 `no_effect` nobody
/// does, if nobody stands beside it.
pub(super) fn attack_dragon(
    ctx: &mut Ctx<'_>,
    card: PlayedCard,
    attackers: &Few<Dwarf, 2>,
) -> Verdict {
    let (most, clause) = match card.option {
        Use::OneAttack => (1, Rule::C7_2),
        _ => (2, Rule::C7_3),
    };
    if attackers.is_empty() && is_blank_attack(ctx.setup(), ctx.state()) {
        spend_card(ctx, card, [clause, Rule::C5_2, Rule::R30]);
        return Ok(());
    }
    if attackers.is_empty() || attackers.count() > most {
        let expected = if most == 1 { "one dwarf attacks" } else { "one or two dwarves attack" };
        let message = format!("{expected}, not {}", attackers.count());
        let refusal = Refusal::new(clause, "attacker_count", message)
            .in_sight()
            .at("/attackers")
            .fact("attackers", attackers.count())
            .fact("most attackers", most);
        let alone = attackers.is_empty() && ctx.state().beside_dragon().is_empty();
        return Err(if alone { refusal.also(Rule::R30) } else { refusal }.into());
    }
    if let [first, second] = attackers.as_slice()
        && first == second
    {
        let message = format!("{} is listed twice", first.title());
        return Err(Refusal::new(Rule::C7_3, "figure_listed_twice", message)
            .in_sight()
            .at("/attackers/1")
            .fact("attackers", format!("{first}, {second}"))
            .into());
    }
    for (at, &dwarf) in attackers.as_slice().iter().enumerate() {
        check_beside_dragon(ctx.state(), dwarf)
            .map_err(|refusal| refusal.at(format!("/attackers/{at}")))?;
    }
    let strands = attackers.as_slice().iter().copied().collect();
    if spend_card(ctx, card, [clause, Rule::C5_2, Rule::C7_1]) {
        declare_attack(ctx, card, strands, None, [clause, Rule::C7_7]);
    }
    Ok(())
}

/// What keeps the archer from shooting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NoShot {
    Dead,
    NotInLine,
    TooClose,
    LineBlocked(Dwarf),
}

/// DRK-7.4 The distance over which the archer shoots at the dragon, or what keeps him from it: the
/// first in the order of part C.5.
fn shot(setup: &Setup, state: &State) -> Result<u32, NoShot> {
    let archer = state.dwarf(Dwarf::Archery).ok_or(NoShot::Dead)?;
    let dragon = state.dragon();
    let between = archer.between(dragon).ok_or(NoShot::NotInLine)?;
    let distance = archer.distance(dragon);
    if setup.rulings.near_shot == NearShot::Forbid && distance < 2 {
        return Err(NoShot::TooClose);
    }
    match state.within(between).lowest() {
        Some(shield) => Err(NoShot::LineBlocked(shield)),
        None => Ok(distance),
    }
}

/// DRK-7.4 Whether the archer can shoot.
pub(super) fn can_shoot(setup: &Setup, state: &State) -> bool {
    shot(setup, state).is_ok()
}

/// DRK-7.4 with DRK-R30: whether a crossbow card may be played without effect, whatever keeps the
/// archer from shooting. That the dragon is too close is another matter (DRK-R18).
fn is_blank_shot(setup: &Setup, obstacle: NoShot) -> bool {
    setup.rulings.blank_play == BlankPlay::NoEffect && obstacle != NoShot::TooClose
}

/// DRK-7.4 Whether a crossbow card can be played, be it without effect.
pub(super) fn can_play_crossbow(setup: &Setup, state: &State) -> bool {
    shot(setup, state).map_or_else(|obstacle| is_blank_shot(setup, obstacle), |_| true)
}

/// DRK-7.4 Whether the dragon stands too close for a shot that would hit it otherwise (DRK-R18).
pub(super) fn is_too_close(setup: &Setup, state: &State) -> bool {
    shot(setup, state) == Err(NoShot::TooClose)
}

/// DRK-7.4 Why the archer cannot shoot.
fn no_shot(state: &State, obstacle: NoShot) -> Refusal {
    let refusal = |code, message: &str| {
        let refusal = Refusal::new(Rule::C7_4, code, message).in_sight();
        let archer = state.dwarf(Dwarf::Archery).map(Spot::hex);
        let refusal = archer
            .into_iter()
            .fold(refusal, |it, hex| it.fact(format!("hex of {}", Dwarf::Archery.title()), hex));
        refusal.fact("hex of the dragon", state.dragon().hex())
    };
    match obstacle {
        NoShot::Dead => figure_dead(Dwarf::Archery).also(Rule::R30),
        NoShot::NotInLine => {
            refusal("not_in_line", "Morin (archery) and the dragon are not in line")
                .also(Rule::C1_3)
                .also(Rule::R30)
        }
        NoShot::TooClose => {
            refusal("too_close", "the dragon is too close for the crossbow").also(Rule::R18)
        }
        NoShot::LineBlocked(shield) => {
            let message =
                format!("{} stands between Morin (archery) and the dragon", shield.title());
            refusal("line_blocked", &message).also(Rule::R30).fact("between", shield)
        }
    }
    .at("/use")
}

/// DRK-7.4 The archer shoots along a free line.
pub(super) fn shoot_crossbow(ctx: &mut Ctx<'_>, card: PlayedCard) -> Verdict {
    let distance = match shot(ctx.setup(), ctx.state()) {
        Ok(distance) => distance,
        Err(obstacle) if is_blank_shot(ctx.setup(), obstacle) => {
            spend_card(ctx, card, [Rule::C7_4, Rule::C5_2, Rule::R30]);
            return Ok(());
        }
        Err(obstacle) => return Err(no_shot(ctx.state(), obstacle).into()),
    };
    let rules = Cites::from([Rule::C7_4, Rule::C7_7]);
    let rules = if distance == 1 { rules.and(Rule::R18) } else { rules };
    if spend_card(ctx, card, [Rule::C7_4, Rule::C5_2]) {
        declare_attack(ctx, card, Dwarves::one(Dwarf::Archery), None, rules);
    }
    Ok(())
}

/// DRK-7.5 The dragon attacks one adjacent dwarf; nobody, where DRK-R30 `no_effect` allows it.
pub(super) fn attack_dwarf(ctx: &mut Ctx<'_>, card: PlayedCard, target: Option<Dwarf>) -> Verdict {
    // That nobody is named elsewhere is a fault of the form (DRK-3.7).
    let Some(target) = target else {
        spend_card(ctx, card, [Rule::C7_5, Rule::C5_2, Rule::R30]);
        return Ok(());
    };
    check_beside_dragon(ctx.state(), target).map_err(|refusal| refusal.at("/target"))?;
    if spend_card(ctx, card, [Rule::C7_5, Rule::C5_2, Rule::C7_1]) {
        declare_attack(ctx, card, Dwarves::one(target), None, [Rule::C7_5, Rule::C7_7]);
    }
    Ok(())
}

/// DRK-7.6 The dwarves whom fire in a direction attacks: every living one on the dragon's ray,
/// under DRK-R7 `first_dwarf` the nearest.
pub(super) fn fire_strands(setup: &Setup, state: &State, direction: Direction) -> Dwarves {
    let on_ray = state.within(state.dragon().ray(direction));
    match setup.rulings.fire_reach {
        FireReach::Edge => on_ray,
        FireReach::FirstDwarf => {
            let distance = |dwarf| state.dwarf(dwarf).map(|spot| spot.distance(state.dragon()));
            on_ray.iter().min_by_key(|&dwarf| distance(dwarf)).map_or(Dwarves::NONE, Dwarves::one)
        }
    }
}

/// DRK-7.6 The directions in which fire may be breathed; none without the ability (DRK-8.5). Under
/// DRK-R6 `forbid` a dwarf must be on the ray.
pub(super) fn fire_directions(setup: &Setup, state: &State) -> Directions {
    if state.is_lost(setup, Track::Fire) {
        return Directions::NONE;
    }
    match setup.rulings.empty_fire {
        EmptyFire::Allow => Directions::ALL,
        EmptyFire::Forbid => {
            let hits = |&it: &Direction| !fire_strands(setup, state, it).is_empty();
            Directions::ALL.iter().filter(hits).collect()
        }
    }
}

/// DRK-7.6 Fire may be breathed in a direction.
fn check_fire(setup: &Setup, state: &State, direction: Direction) -> Checked {
    if fire_directions(setup, state).contains(direction) {
        return Ok(());
    }
    if state.is_lost(setup, Track::Fire) {
        return Err(Refusal::new(Rule::C8_5, "ability_lost", "the dragon has lost its fire")
            .in_sight()
            .also(Rule::C7_6)
            .at("/use")
            .fact("wounds on fire", state.wounds_on(Track::Fire))
            .fact("spaces of fire", setup.spaces(Track::Fire)));
    }
    let message = format!("no dwarf stands in direction {} of the dragon", direction.number());
    Err(Refusal::new(Rule::C7_6, "no_target", message)
        .in_sight()
        .also(Rule::R6)
        .at("/direction")
        .fact("hex of the dragon", state.dragon().hex()))
}

/// DRK-7.6 Fire attacks every living dwarf on one ray, whoever stands in front; under DRK-R7
/// `first_dwarf` only him who does.
pub(super) fn breathe_fire(ctx: &mut Ctx<'_>, card: PlayedCard, direction: u8) -> Verdict {
    let direction = Direction::at(direction.into());
    check_fire(ctx.setup(), ctx.state(), direction)?;
    let strands = fire_strands(ctx.setup(), ctx.state(), direction);
    let ruling = if strands.is_empty() { Rule::R6 } else { Rule::R7 };
    if spend_card(ctx, card, [Rule::C7_6, Rule::C5_2]) {
        declare_attack(ctx, card, strands, Some(direction), [Rule::C7_6, Rule::C7_7, ruling]);
    }
    Ok(())
}

/// DRK-7.7 The attack is declared with all its strands.
fn declare_attack(
    ctx: &mut Ctx<'_>,
    card: PlayedCard,
    strands: Dwarves,
    direction: Option<Direction>,
    rules: impl Into<Cites<Rule>>,
) {
    let PlayedCard { option, value, .. } = card;
    let attack = Attack { option, value, strands, answered: Dwarves::NONE };
    let strands = strand_order(ctx.state(), attack);
    ctx.happen(Event::AttackDeclared { option, value, strands, direction }, rules);
}

/// DRK-7.7 The strands of an attack in the order of part C.3: dwarf attacks as the dwarves are
/// listed, fire from near to far.
pub(super) fn strand_order(state: &State, attack: Attack) -> StrandList {
    let mut order = [None; 3];
    for (slot, dwarf) in order.iter_mut().zip(attack.strands.iter()) {
        *slot = Some(dwarf);
    }
    if attack.option == Use::Fire {
        let distance = |dwarf| state.dwarf(dwarf).map(|spot| spot.distance(state.dragon()));
        order.sort_by_key(|slot| slot.and_then(distance).unwrap_or(u32::MAX));
    }
    order
}

/// DRK-7.7 Whether the other side is asked for an answer: unless its hand is empty or there is no
/// strand left to answer. That it holds no defence card does not matter (DRK-R23).
pub(super) fn is_answered(state: &State, attack: Attack) -> bool {
    let open = attack.strands.minus(attack.answered);
    !open.is_empty() && state.holding(state.mover().other()).in_hand() > 0
}

/// DRK-7.7 The strands that the pending answer can block: all, under DRK-R32 `one_by_one` the next.
pub(super) fn asked_strands(setup: &Setup, state: &State, attack: Attack) -> Dwarves {
    match setup.rulings.defences {
        Defences::AtOnce => attack.strands,
        Defences::OneByOne => {
            let mut order = strand_order(state, attack).into_iter().flatten();
            let next = order.find(|&strand| !attack.answered.contains(strand));
            next.map_or(Dwarves::NONE, Dwarves::one)
        }
    }
}

/// DRK-7.8 Whether the hand holds a card of a row, and it shows defense.
pub(super) fn can_block(deck: &Deck, hand: &Cards, row: usize) -> bool {
    hand[row] > 0 && deck.value(row, Use::Defense).is_some()
}

/// DRK-7.8 Each block spends another defence card against another strand. As with plays, no fault
/// is public: each would show something of the hand.
pub(super) fn block_strands(ctx: &mut Ctx<'_>, action: &Defend) -> Verdict {
    let (state, side) = (ctx.state(), action.player);
    let Some(attack) = state.attack else { return Ok(()) };
    let (deck, mut hand) = (ctx.setup().deck(side), state.holding(side).hand);
    let asked = asked_strands(ctx.setup(), state, attack);
    let order = strand_order(state, Attack { strands: asked, ..attack });
    let mut blocks: [Option<u8>; 3] = [None; 3];
    for (at, &Block { card, against }) in action.blocks.as_slice().iter().enumerate() {
        let Some(row) = deck.row_in(&hand, card) else {
            let message =
                format!("{} is not in the hand of the {side}, or not that often", deck.face(card));
            return Err(Refusal::new(Rule::C5_1, "card_not_in_hand", message)
                .also(Rule::C7_8)
                .at(format!("/blocks/{at}/card"))
                .fact("hand", deck.cards_text(&state.holding(side).hand))
                .into());
        };
        if !can_block(deck, &hand, row) {
            let message = format!("{} does not show defence", deck.face(card));
            return Err(Refusal::new(Rule::C7_8, "option_not_on_card", message)
                .at(format!("/blocks/{at}/card"))
                .fact(format!("options of {card}"), deck.options_text(row))
                .into());
        }
        hand[row] -= 1;
        if !asked.contains(against) {
            let message = format!("no strand of the attack is that of {}", against.title());
            let refusal = Refusal::new(Rule::C7_8, "no_such_attack", message)
                .in_sight()
                .at(format!("/blocks/{at}/against"))
                .fact("strands", strand_names(order).join(", "));
            let later = attack.strands.contains(against);
            return Err(if later { refusal.also(Rule::R32) } else { refusal }.into());
        }
        if blocks[against.index()].replace(row as u8).is_some() {
            let message = format!("the strand of {} is blocked twice", against.title());
            return Err(Refusal::new(Rule::C7_8, "already_blocked", message)
                .in_sight()
                .at(format!("/blocks/{at}/against"))
                .fact("strands", strand_names(order).join(", "))
                .into());
        }
    }
    for strand in order.into_iter().flatten() {
        if let Some(row) = blocks[strand.index()] {
            ctx.happen(Event::AttackBlocked { side, strand, row }, [Rule::C7_8, Rule::C7_9]);
        }
    }
    Ok(())
}

/// DRK-7.9 The strands that are not blocked hit, all at the same time. Gives them back in their
/// order.
pub(super) fn land_hits(ctx: &mut Ctx<'_>, attack: Attack) -> StrandList {
    let strands = strand_order(ctx.state(), attack);
    for strand in strands.into_iter().flatten() {
        let hit = Event::AttackHit { strand, value: attack.value };
        ctx.happen(hit, Rule::C7_9);
    }
    strands
}

// DRK-7.10: `ch09_net::throw_net` declares no attack.
