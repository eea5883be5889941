//! DBD-14 Battle: who may attack what (DBD-14.1 to DBD-14.6).
//!
//! Must not judge targets or throw dice: the parts of this chapter do.

mod aim;
mod end;
mod steps;
mod targets;

pub(super) use aim::{Field, Named, attacking, defending};
pub(super) use end::{advance_victors, check_advance, finish_battle, may_advance, victors};
pub(super) use steps::{
    begin_step, declare_targets, is_due, next_pass, next_step, remove_hit_units, work_out_step,
};
pub(super) use targets::{asked_side, check_targets, declarer};

use super::action::{Attack, Player, StackOwner};
use super::ch01_terms::{has_garrison_to_come, stopped_by};
use super::ch03_setup::meet_garrison;
use super::ch06_trading::break_treaty;
use super::ch13_movement::{officer_aboard, smallest_group};
use super::notice::Happening;
use super::rulebook::{Attacks, Cargo, Defenders, Fleets, Rule, Stacks};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Stage, State, Unit};
use super::tables::Kind;
use super::{Checked, Ctx, Refusal, Verdict, ch11_production, ch19_validity};

/// DBD-14.1 to DBD-14.6 Whether an attack may be declared.
pub(super) fn check_attack(setup: &Setup, state: &State, it: &Attack) -> Checked {
    ch19_validity::check_units_exist(state, &it.units)?;
    let target = ch19_validity::check_hex_exists(setup, it.target, "/target")?;
    let owner = check_owner(setup, state, it)?;
    ch19_validity::check_is_asked(state, it.player, Stage::Battle)?;
    ch19_validity::check_own_units(state, it.player, &it.units)?;
    ch11_production::check_not_fresh(setup, state, it.units.iter().copied())?;
    check_may_take_part(setup, state, &it.units)?;
    check_ready(setup, state, &it.units)?;
    let strike = Strike { target, owner };
    check_reach(setup, state, &it.units, strike)?;
    check_not_protected(setup, state, target)?;
    check_command(setup, state, &it.units)?;
    check_target(setup, state, it.player, &it.units, strike)
}

/// A hex that is attacked, and whose units there alone, where DBD-R61 is read as `one_owner`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strike {
    pub(super) target: At,
    pub(super) owner: Named,
}

/// DBD-14.8 Whose units in a hex an attack of a player can be on: one after another, neutral ones first.
fn owners_there(setup: &Setup, state: &State, player: Player, at: At) -> Vec<Option<Player>> {
    let there = state.units_at(at).map(|unit| unit.owner).filter(|&it| it != Some(player));
    let to_come = has_garrison_to_come(setup, state, at).then_some(None);
    let mut owners: Vec<Option<Player>> = there.chain(to_come).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

/// DBD-14.8 The attacks on a hex that can be told apart: one, or with DBD-R61 read as `one_owner` one for each owner there.
pub(super) fn strikes(setup: &Setup, state: &State, player: Player, target: At) -> Vec<Strike> {
    match setup.rulings.defenders {
        Defenders::Everyone => vec![Strike { target, owner: None }],
        Defenders::OneOwner => {
            let owners = owners_there(setup, state, player, target).into_iter();
            owners.map(|owner| Strike { target, owner: Some(owner) }).collect()
        }
    }
}

/// DBD-19.2, DBD-14.8 Whose units are attacked: with DBD-R61 read as `one_owner`, those of the owner who is named, or of the only one
/// there; otherwise nobody is named.
pub(super) fn check_owner(setup: &Setup, state: &State, it: &Attack) -> Checked<Named> {
    let refuse = |message: &str| {
        let refusal = ch19_validity::ill_formed(state, message.to_owned(), "/owner");
        Err(refusal.also(Rule::R61))
    };
    match (setup.rulings.defenders, it.owner) {
        (Defenders::Everyone, None) => Ok(None),
        (Defenders::Everyone, Some(_)) => {
            refuse("an attack is on everybody in the hex and names no owner")
        }
        (Defenders::OneOwner, Some(owner)) => Ok(Some(owner.player())),
        (Defenders::OneOwner, None) => {
            let at = setup.map.find(it.target).unwrap_or(0);
            match owners_there(setup, state, it.player, at)[..] {
                [] => Ok(None),
                [owner] => Ok(Some(owner)),
                _ => refuse("several owners have units in the hex; the attack names one of them"),
            }
        }
    }
}

/// DBD-14.1 An attack names a hex and the units that take part. A treaty with anybody there ends.
pub(super) fn declare_attack(ctx: &mut Ctx<'_>, it: &Attack) -> Verdict {
    check_attack(ctx.setup(), ctx.state(), it)?;
    let (setup, state) = (ctx.setup(), ctx.state());
    let target = setup.map.find(it.target).unwrap_or(0);
    let owner = check_owner(setup, state, it)?;
    let attacked = state.units_at(target).filter(|it| aim::is_attacked(it, state.active, owner));
    let mut victims: Vec<Player> = attacked.filter_map(|unit| unit.owner).collect();
    victims.dedup();
    let bystanders = bystanders(setup, state, it);
    let declared = Happening::AttackDeclared {
        player: it.player,
        target: it.target,
        units: it.units.clone(),
        owner: owner.map(StackOwner::of),
        bystanders,
    };
    ctx.happen(declared.into(), [Rule::C14_1, Rule::C14_2, Rule::C14_4, Rule::C14_5]);
    for victim in victims {
        break_treaty(ctx, it.player, victim);
    }
    meet_garrison(ctx, ctx.setup().map.place(target).city)
}

/// DBD-14.1 With DBD-R60 read as `whole_stack`, all others of the hexes used are targets too.
fn bystanders(setup: &Setup, state: &State, it: &Attack) -> Vec<u32> {
    if setup.rulings.stacks == Stacks::Chosen {
        return Vec::new();
    }
    let used = |at: At| it.units.iter().filter_map(|&id| state.unit(id)).any(|unit| unit.at == at);
    let stacks = state.units_of(Some(it.player)).filter(|unit| used(unit.at));
    stacks
        .filter(|unit| !it.units.contains(&unit.id) && !State::is_stowed(setup, unit))
        .map(|unit| unit.id)
        .collect()
}

/// DBD-14.1 Every unit stands next to the target. With DBD-R60 read as `whole_stack`, all who are
/// able must come.
fn check_reach(setup: &Setup, state: &State, units: &[u32], strike: Strike) -> Checked {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        if !setup.map.adjacent(unit.at, strike.target) {
            let message = format!("{} is not next to the target", unit.title());
            return Err(Refusal::new(Rule::C14_1, "not_adjacent", message).at("/units"));
        }
    }
    if setup.rulings.stacks == Stacks::Whole {
        for unit in units.iter().filter_map(|&id| state.unit(id)) {
            let mut stack = state.units_at(unit.at).filter(|it| it.owner == unit.owner);
            let able = |it: &&Unit| {
                !units.contains(&it.id)
                    && is_able(setup, state, it, strike)
                    && is_led(setup, state, it)
            };
            let left = stack.find(able);
            if let Some(left) = left {
                let message = format!("{} can attack and is left out", left.title());
                let refusal = Refusal::new(Rule::C14_1, "stack_divided", message);
                return Err(refusal.also(Rule::R60).at("/units"));
            }
        }
    }
    Ok(())
}

/// DBD-14.1, DBD-14.2, DBD-14.3, DBD-14.5 Whether a unit could throw in an attack on that hex.
pub(super) fn is_able(setup: &Setup, state: &State, unit: &Unit, strike: Strike) -> bool {
    unit.kind != Kind::Officer
        && is_free(setup, state, unit)
        && setup.map.adjacent(unit.at, strike.target)
        && has_target(setup, state, unit, strike)
}

/// DBD-14.2, DBD-14.3, DBD-11.4 Whether a unit could be named in an attack.
fn is_free(setup: &Setup, state: &State, unit: &Unit) -> bool {
    may_take_part(setup, unit)
        && unready(setup, state, unit).is_none()
        && !ch11_production::must_wait(setup, unit)
}

/// DBD-14.2 Whether a unit may take part in an attack.
fn may_take_part(setup: &Setup, unit: &Unit) -> bool {
    let stays_out = setup.rulings.cargo == Cargo::OutAtSea && State::is_stowed(setup, unit);
    may_attack(unit.kind) && !stays_out
}

/// DBD-14.2 The types that may take part in an attack.
fn may_attack(kind: Kind) -> bool {
    kind == Kind::Officer || (kind.is_military() && kind != Kind::Militia)
}

/// DBD-14.2 Troops but militia, warships and officers may take part; cargo at sea may not.
fn check_may_take_part(setup: &Setup, state: &State, units: &[u32]) -> Checked {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        if may_take_part(setup, unit) {
            continue;
        }
        if may_attack(unit.kind) {
            let message = format!("{} is cargo at sea", unit.title());
            let refusal = Refusal::new(Rule::C14_2, "may_not_attack", message).at("/units");
            return Err(refusal.also(Rule::C13_16).also(Rule::R68));
        }
        let message = format!("{} never attacks", unit.title());
        return Err(Refusal::new(Rule::C14_2, "may_not_attack", message).at("/units"));
    }
    Ok(())
}

/// DBD-14.3 What can keep a unit out of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unready {
    Held,
    Moved,
    Attacked,
    /// The attacks that DBD-R102 allows are made.
    Spent,
}

/// DBD-14.3 What keeps a unit out of an attack now, if anything.
fn unready(setup: &Setup, state: &State, unit: &Unit) -> Option<Unready> {
    let spent = || match setup.rulings.attacks {
        Attacks::AnyNumber => false,
        Attacks::OneATurn => !state.attacked_from.is_empty(),
        Attacks::OnePerHex => state.attacked_from.contains(&unit.at),
    };
    if state.is_stopped(unit) {
        Some(Unready::Held)
    } else if unit.kind == Kind::Cannon && unit.moved {
        Some(Unready::Moved)
    } else if unit.attacked && unit.kind != Kind::Officer {
        Some(Unready::Attacked)
    } else if spent() {
        Some(Unready::Spent)
    } else {
        None
    }
}

/// DBD-14.3 Not what is held or pinned, no cannon that moved, nothing twice a turn but officers.
fn check_ready(setup: &Setup, state: &State, units: &[u32]) -> Checked {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        let Some(why) = unready(setup, state, unit) else { continue };
        let title = unit.title();
        let (code, message, also): (_, _, &[Rule]) = match why {
            Unready::Held => {
                let (message, rules) = stopped_by(setup, state, unit);
                ("held", message, rules)
            }
            Unready::Moved => (
                "cannon_moved",
                format!("{title} moved this turn and is a cannon"),
                &[Rule::C13_11, Rule::R52],
            ),
            Unready::Attacked => {
                ("attacked_already", format!("{title} has attacked this turn"), &[Rule::R60])
            }
            Unready::Spent => (
                "attack_spent",
                format!("the attack of {title} is made for this turn"),
                &[Rule::R102],
            ),
        };
        let refusal = Refusal::new(Rule::C14_3, code, message).at("/units");
        return Err(also.iter().copied().fold(refusal, Refusal::also));
    }
    Ok(())
}

/// DBD-14.4 Whether a unit could be led: on land an officer of its hex who can be named; with
/// DBD-R49 read as `required`, at sea a ship of its hex that can and has one aboard.
fn is_led(setup: &Setup, state: &State, unit: &Unit) -> bool {
    let mut beside = state.units_at(unit.at).filter(|it| it.owner == unit.owner);
    if !unit.kind.is_ship() {
        return beside.any(|it| may_lead(setup, state, it));
    }
    let free = setup.rulings.fleets == Fleets::Exempt || !State::ground(setup, unit).is_sea();
    let ready = |it: &&Unit| it.kind.is_warship() && is_free(setup, state, it);
    let group: Vec<&Unit> = beside.filter(ready).collect();
    free || group.len() < smallest_group(setup)
        || group.iter().any(|ship| officer_aboard(state, ship.id))
}

/// DBD-14.4 Whether an officer can be named in an attack for those of his hex.
pub(super) fn may_lead(setup: &Setup, state: &State, unit: &Unit) -> bool {
    unit.kind == Kind::Officer && is_free(setup, state, unit)
}

/// DBD-14.4 Land units attack with an officer of their hex; with DBD-R49 read as `required`, ships
/// at sea with one aboard, unless one ship alone needs none (DBD-R48).
fn check_command(setup: &Setup, state: &State, units: &[u32]) -> Checked {
    let all = || units.iter().filter_map(|&id| state.unit(id));
    let leads = |at: At| all().any(|unit| unit.at == at && unit.kind == Kind::Officer);
    if let Some(unit) = all().find(|unit| !unit.kind.is_ship() && !leads(unit.at)) {
        let hex = setup.map.place(unit.at).hex;
        let message = format!("no officer is named in {hex}, from where {} attacks", unit.title());
        return Err(Refusal::new(Rule::C14_4, "no_officer", message).at("/units"));
    }
    if setup.rulings.fleets == Fleets::Exempt {
        return Ok(());
    }
    let at_sea = |unit: &&Unit| unit.kind.is_ship() && State::ground(setup, unit).is_sea();
    let group = |at: At| all().filter(at_sea).filter(|unit| unit.at == at).count();
    let leads = |at: At| all().any(|unit| unit.at == at && officer_aboard(state, unit.id));
    let bound = |unit: &&Unit| group(unit.at) >= smallest_group(setup) && !leads(unit.at);
    if let Some(unit) = all().filter(at_sea).find(bound) {
        let hex = setup.map.place(unit.at).hex;
        let message = format!("no galleon named in {hex} has an officer aboard");
        let refusal = Refusal::new(Rule::C14_4, "no_officer_aboard", message).also(Rule::R49);
        return Err(refusal.at("/units"));
    }
    Ok(())
}

/// DBD-14.5 Whether a unit has a legal target in the attacked hex.
fn has_target(setup: &Setup, state: &State, unit: &Unit, strike: Strike) -> bool {
    let Strike { target, owner } = strike;
    let named = [unit.id];
    let field = Field::new(setup, &named);
    let mut others = state.units_at(target).filter(|it| aim::is_attacked(it, unit.owner, owner));
    others.any(|it| !State::is_stowed(setup, it) && field.may_aim(unit, it))
        || (owner.is_none_or(|owner| owner.is_none()) && has_garrison_to_come(setup, state, target))
}

/// DBD-14.5 Somebody is there, somebody throws, and all who throw have a legal target.
fn check_target(
    setup: &Setup,
    state: &State,
    player: Player,
    units: &[u32],
    strike: Strike,
) -> Checked {
    let Strike { target, owner } = strike;
    let hex = setup.map.place(target).hex;
    let to_come =
        owner.is_none_or(|owner| owner.is_none()) && has_garrison_to_come(setup, state, target);
    let attacked = |unit: &Unit| aim::is_attacked(unit, Some(player), owner);
    if !to_come && !state.units_at(target).any(attacked) {
        let message = format!("nobody is to be attacked in {hex}");
        return Err(Refusal::new(Rule::C14_5, "nobody_there", message).at("/target"));
    }
    let mut throwing = units
        .iter()
        .filter_map(|&id| state.unit(id))
        .filter(|unit| unit.kind != Kind::Officer)
        .peekable();
    if throwing.peek().is_none() {
        let message = "officers alone throw no dice".to_owned();
        return Err(Refusal::new(Rule::C14_5, "nobody_throws", message).at("/units"));
    }
    if let Some(unit) = throwing.find(|unit| !has_target(setup, state, unit, strike)) {
        let message = format!("{} has no legal target in {hex}", unit.title());
        let refusal = Refusal::new(Rule::C14_5, "no_legal_target", message).also(Rule::C14_9);
        let there = state.units_at(target).filter(|it| aim::is_attacked(it, unit.owner, owner));
        let open = there.filter(|it| !State::is_stowed(setup, it));
        let named = [unit.id];
        let field = Field::new(setup, &named);
        let shaping = open.flat_map(|it| field.shaping_rulings(unit, it));
        return Err(shaping.fold(refusal.at("/units"), Refusal::also));
    }
    Ok(())
}

/// DBD-14.6 A protected city cannot be attacked.
fn check_not_protected(setup: &Setup, state: &State, target: At) -> Checked {
    let city = setup.map.place(target).city;
    if city == 0 || !state.in_force(state.city(city).protected) {
        return Ok(());
    }
    let message = format!("{} is under the protection of the Church", setup.map.site(city).name);
    let refusal = Refusal::new(Rule::C14_6, "city_protected", message).also(Rule::C5_10);
    Err(refusal.at("/target"))
}
