//! DRK-7 Attacks and reactions: who can be attacked, and how an attack is answered.

use super::action::{Block, Defend, Dwarf, Kind, Side, Use, dwarves};
use super::ch05_playing::{self, Played, spend};
use super::ch06_movement::is_dead;
use super::event::{Event, named};
use super::rulebook::Rule;
use super::setup::{EmptyFire, NearShot, Setup};
use super::state::{Attack, Stage, State};
use super::tables::ARMOUR;
use super::{Ctx, Verdict, ch08_wounds};
use crate::rules::Refusal;
use crate::wire::Few;

/// The track of fire breathing.
pub(super) const FIRE: usize = ARMOUR + 3;

/// DRK-7.2, 7.3 One or two dwarves attack the neighbouring dragon.
pub(super) fn dwarves_attack(
    ctx: &mut Ctx<'_>,
    played: Played,
    attackers: &Few<Dwarf, 2>,
) -> Verdict {
    let (most, clause) = match played.option {
        Use::OneAttack => (1, Rule::C7_2),
        _ => (2, Rule::C7_3),
    };
    if attackers.is_empty() || attackers.count() > most {
        let expected = if most == 1 { "one dwarf attacks" } else { "one or two dwarves attack" };
        let message = format!("{expected}, not {}", attackers.count());
        return Err(Refusal::new(clause, "attacker_count", message)
            .at("/attackers")
            .fact("attackers", attackers.count())
            .fact("most attackers", most)
            .into());
    }
    if let [first, second] = attackers.as_slice()
        && first == second
    {
        let message = format!("{} is listed twice", first.name());
        return Err(Refusal::new(Rule::C7_3, "figure_listed_twice", message)
            .at("/attackers/1")
            .fact("attackers", [first, second].map(|it| it.name()).join(", "))
            .into());
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let mut strands = 0;
    for (at, &dwarf) in attackers.as_slice().iter().enumerate() {
        beside_dragon(setup, state, dwarf)
            .map_err(|refusal| refusal.at(format!("/attackers/{at}")))?;
        strands |= dwarf.mask();
    }
    spend(ctx, played, [Rule::C5_2, clause, Rule::C7_1]);
    declare(ctx, played, strands, None, [clause, Rule::C7_7])
}

/// DRK-7.1 Attacker and target stand next to each other, and live.
fn beside_dragon(setup: &Setup, state: &State, dwarf: Dwarf) -> Result<(), Refusal<Rule>> {
    let Some(place) = state.dwarf(dwarf) else { return Err(is_dead(dwarf)) };
    let distance = place.distance(state.dragon(setup));
    if distance == 1 {
        return Ok(());
    }
    let message = format!("{} and the dragon are not on neighbouring hexes", dwarf.name());
    Err(Refusal::new(Rule::C7_1, "not_adjacent", message)
        .also(Rule::R30)
        .fact(format!("distance of {} and the dragon", dwarf.name()), distance))
}

/// DRK-7.4 Why the crossbow cannot be shot, if it cannot.
pub(super) fn crossbow_fault(setup: &Setup, state: &State) -> Option<Rule> {
    let Some(archer) = state.dwarf(Dwarf::Archery) else { return Some(Rule::C8_6) };
    let dragon = state.dragon(setup);
    let near = setup.rulings.near_shot == NearShot::Forbid && archer.distance(dragon) < 2;
    match archer.between(dragon) {
        Some(between) if !near && state.within(between) == 0 => None,
        _ => Some(Rule::C7_4),
    }
}

/// DRK-7.4 The archer shoots along a free line.
pub(super) fn crossbow(ctx: &mut Ctx<'_>, played: Played) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(archer) = state.dwarf(Dwarf::Archery) else {
        return Err(is_dead(Dwarf::Archery).also(Rule::R30).at("/use").into());
    };
    let dragon = state.dragon(setup);
    let refuse = |code, message: String| {
        Refusal::new(Rule::C7_4, code, message)
            .at("/use")
            .fact("hex of archery", archer.hex())
            .fact("hex of the dragon", dragon.hex())
    };
    let Some(between) = archer.between(dragon) else {
        let message = "archery and the dragon are not in line".to_owned();
        return Err(refuse("not_in_line", message).also(Rule::C1_3).into());
    };
    if setup.rulings.near_shot == NearShot::Forbid && archer.distance(dragon) < 2 {
        let message = "the dragon is too close for the crossbow".to_owned();
        return Err(refuse("too_close", message).also(Rule::R18).into());
    }
    if let Some(shield) = dwarves(state.within(between)).next() {
        let message = format!("{} stands between archery and the dragon", shield.name());
        return Err(refuse("line_blocked", message).fact("between", shield.name()).into());
    }
    spend(ctx, played, [Rule::C5_2, Rule::C7_4]);
    let strands = Dwarf::Archery.mask();
    if archer.distance(dragon) == 1 {
        declare(ctx, played, strands, None, [Rule::C7_4, Rule::C7_7, Rule::R18])
    } else {
        declare(ctx, played, strands, None, [Rule::C7_4, Rule::C7_7])
    }
}

/// DRK-7.5 The dragon attacks one neighbouring dwarf.
pub(super) fn dragon_attacks(ctx: &mut Ctx<'_>, played: Played, target: Dwarf) -> Verdict {
    beside_dragon(ctx.setup(), ctx.state(), target).map_err(|refusal| refusal.at("/target"))?;
    spend(ctx, played, [Rule::C5_2, Rule::C7_5, Rule::C7_1]);
    declare(ctx, played, target.mask(), None, [Rule::C7_5, Rule::C7_7])
}

/// The directions in which fire may be breathed, as a set; none without the ability.
pub(super) fn fire_directions(setup: &Setup, state: &State) -> u8 {
    if state.lost(setup, FIRE) {
        return 0;
    }
    match setup.rulings.empty_fire {
        EmptyFire::Allow => 0b11_1111,
        EmptyFire::Forbid => {
            let dragon = state.dragon(setup);
            (0..6).filter(|&it| state.within(dragon.ray(it)) != 0).fold(0, |set, it| set | 1 << it)
        }
    }
}

/// DRK-7.6 Fire attacks every living dwarf on one ray, whoever stands in front.
pub(super) fn fire(ctx: &mut Ctx<'_>, played: Played, direction: u8) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    if state.lost(setup, FIRE) {
        return Err(Refusal::new(Rule::C8_5, "ability_lost", "the dragon has lost its fire")
            .also(Rule::C7_6)
            .at("/use")
            .fact("wounds on fire", state.wounds[FIRE])
            .fact("spaces of fire", setup.spaces[FIRE])
            .into());
    }
    let strands = state.within(state.dragon(setup).ray(usize::from(direction)));
    if strands == 0 && setup.rulings.empty_fire == EmptyFire::Forbid {
        let message = format!("no dwarf stands in direction {direction} of the dragon");
        return Err(Refusal::new(Rule::C7_6, "no_target", message)
            .also(Rule::R6)
            .at("/direction")
            .fact("hex of the dragon", state.dragon(setup).hex())
            .into());
    }
    spend(ctx, played, [Rule::C5_2, Rule::C7_6]);
    let ruling = if strands == 0 { Rule::R6 } else { Rule::R7 };
    declare(ctx, played, strands, Some(direction), [Rule::C7_6, Rule::C7_7, ruling])
}

/// DRK-7.7 The attack is declared, and the other side is asked for one answer to all of it,
/// unless its hand is empty or there is no strand.
fn declare(
    ctx: &mut Ctx<'_>,
    played: Played,
    strands: u8,
    direction: Option<u8>,
    rules: impl Into<crate::rules::Cites<Rule>>,
) -> Verdict {
    let Played { side, option, value, .. } = played;
    let order = strand_order(ctx.setup(), ctx.state(), Attack { option, value, strands });
    ctx.happen(Event::AttackDeclared { option, value, strands: order, direction }, rules);
    if strands == 0 || ctx.state().holding(side.other()).in_hand() == 0 {
        return ch08_wounds::resolve(ctx);
    }
    let awaited = Event::Awaited { stage: Stage::Defend, to_assign: 0 };
    ctx.happen(awaited, [Rule::C7_7, Rule::C3_8, Rule::R23]);
    Ok(())
}

/// The strands of an attack in the order of events: dwarf attacks as the dwarves are listed,
/// fire from near to far.
pub(super) fn strand_order(setup: &Setup, state: &State, attack: Attack) -> [Option<Dwarf>; 3] {
    let mut order = [None; 3];
    for (slot, dwarf) in order.iter_mut().zip(dwarves(attack.strands)) {
        *slot = Some(dwarf);
    }
    if attack.option == Use::Fire {
        let dragon = state.dragon(setup);
        let distance = |dwarf: Dwarf| state.dwarf(dwarf).map(|place| place.distance(dragon));
        order.sort_by_key(|slot| slot.map_or(u32::MAX, |it| distance(it).unwrap_or(u32::MAX)));
    }
    order
}

/// DRK-7.8 Each block spends another defence card against another strand. As with plays, no fault
/// is public: each would show something of the hand.
pub(super) fn defend(ctx: &mut Ctx<'_>, action: &Defend) -> Verdict {
    let (setup, state, side) = (ctx.setup(), ctx.state(), action.player);
    let (deck, mut hand) = (setup.deck(side), state.holding(side).hand);
    let Some(attack) = state.attack else { return ch08_wounds::resolve(ctx) };
    let mut blocks: [Option<u8>; 3] = [None; 3];
    for (at, &Block { card, against }) in action.blocks.as_slice().iter().enumerate() {
        let row = match deck.row(side, card) {
            Some(row) if hand[row] > 0 => row,
            _ => return Err(no_card(setup, state, side, card, at)),
        };
        hand[row] -= 1;
        if deck.value(row, Use::Defense).is_none() {
            let message = format!("{card} does not show defense");
            return Err(Refusal::new(Rule::C7_8, "option_not_on_card", message)
                .at(format!("/blocks/{at}/card"))
                .fact(format!("options of {card}"), ch05_playing::shown(setup, side, row))
                .into());
        }
        let field = || format!("/blocks/{at}/against");
        if attack.strands & against.mask() == 0 {
            let message = format!("no strand of the attack is named {}", against.name());
            return Err(Refusal::new(Rule::C7_8, "no_such_attack", message)
                .at(field())
                .fact("strands", named(strand_order(setup, state, attack)).join(", "))
                .into());
        }
        if blocks[against.index()].replace(row as u8).is_some() {
            let message = format!("the strand {} is blocked twice", against.name());
            return Err(Refusal::new(Rule::C7_8, "already_blocked", message)
                .at(field())
                .fact("strands", named(strand_order(setup, state, attack)).join(", "))
                .into());
        }
    }
    for strand in strand_order(setup, state, attack).into_iter().flatten() {
        if let Some(row) = blocks[strand.index()] {
            ctx.happen(Event::AttackBlocked { side, strand, row }, [Rule::C7_8, Rule::C7_9]);
        }
    }
    ch08_wounds::resolve(ctx)
}

fn no_card(setup: &Setup, state: &State, side: Side, card: Kind, at: usize) -> super::Stop {
    let message = format!("{card} is not in the hand of the {}, or not that often", side.name());
    Refusal::new(Rule::C5_1, "card_not_in_hand", message)
        .also(Rule::C7_8)
        .at(format!("/blocks/{at}/card"))
        .fact("hand", super::view::listed(setup.deck(side), &state.holding(side).hand))
        .into()
}
