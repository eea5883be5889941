//! DBD-14.11, DBD-14.12 The targets of a step: who declares them, and how neutral units aim.
//!
//! Must not throw a die.

use super::super::action::prince;
use super::aim::{Field, Pair, Throws, attacking, defending, illegal_target};
use crate::action::{DeclareTargets, Player};
use crate::notice::Happening;
use crate::rulebook::{Declaring, Rule, Warden};
use crate::setup::Setup;
use crate::state::{Stage, State};
use crate::{Checked, Ctx, Refusal, ch19_validity};
use umpire_core::rules::Cites;

/// DBD-14.11 Whether a unit of a side has more than one legal target.
pub(super) fn has_choice(side: &Throws) -> bool {
    side.iter().any(|(_, legal)| legal.len() > 1)
}

/// DBD-19.6 The targets of a side without a choice.
pub(super) fn only_targets(side: &Throws) -> Vec<Pair> {
    side.iter().filter_map(|(unit, legal)| Some((*unit, *legal.first()?))).collect()
}

/// DBD-14.11 A side that declares targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The attacker's units.
    Attacker,
    /// The defending units of one owner, or neutral ones.
    Defender(Option<Player>),
}

impl Side {
    /// Who its units belong to.
    pub(super) fn owner(self, state: &State) -> Option<Player> {
        match self {
            Side::Attacker => state.active,
            Side::Defender(owner) => owner,
        }
    }
}

/// DBD-14.11 The targets of a side are known to all.
pub(super) fn note_targets(
    ctx: &mut Ctx<'_>,
    side: Side,
    by: Option<Player>,
    targets: Vec<Pair>,
    rules: [Rule; 2],
) {
    let attacking = side == Side::Attacker;
    let rules = Cites::from(rules);
    // Another reading would have them declared at another time.
    let rules = if targets.is_empty() { rules } else { rules.and(Rule::R62) };
    ctx.happen(Happening::TargetsDeclared { attacking, by, targets }.into(), rules);
}

/// DBD-14.11 A side that is to declare, with its throwing units and their legal targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declaration {
    pub(super) side: Side,
    pub(super) throws: Throws,
    /// Whether nobody declares after it.
    pub(super) last: bool,
}

/// DBD-14.11 The side that declares next: the attacker, then the defenders that throw, by owner in seat order, neutral ones last
/// (DBD-1.12); with DBD-R62 read as `defender_first` the attacker comes last. None once all have declared.
pub(super) fn next_declaration(setup: &Setup, state: &State) -> Option<Declaration> {
    let fight = state.fight.as_deref()?;
    let declares_now = match setup.rulings.declaring {
        Declaring::AllAtStart => fight.step == 0,
        Declaring::PerStep | Declaring::DefenderFirst => !fight.thrown,
    };
    if !declares_now {
        return None;
    }
    let defender_first = setup.rulings.declaring == Declaring::DefenderFirst;
    let attacker = || {
        let throws = || attacking(setup, state, fight, fight.step);
        let open = fight.declared.is_none();
        open.then(|| Declaration { side: Side::Attacker, throws: throws(), last: defender_first })
    };
    let defender = || {
        let mut throws = defending(setup, state, fight, fight.step);
        throws.retain(|it| fight.answered.iter().all(|pair| pair.0 != it.0));
        let owner_of = |id: u32| state.unit(id).and_then(|unit| unit.owner);
        let owners = throws.iter().map(|it| owner_of(it.0));
        let owner = owners.min_by_key(|owner| (owner.is_none(), *owner))?;
        let all = throws.len();
        throws.retain(|it| owner_of(it.0) == owner);
        let last = throws.len() == all && !defender_first;
        Some(Declaration { side: Side::Defender(owner), throws, last })
    };
    match defender_first {
        true => defender().or_else(attacker),
        false => attacker().or_else(defender),
    }
}

/// DBD-14.11 The side that is asked: its throwing units with their legal targets.
pub(crate) fn asked_side(setup: &Setup, state: &State) -> Throws {
    next_declaration(setup, state).map_or_else(Throws::new, |it| it.throws)
}

/// DBD-14.11 Who declares the targets of a side: its owner, or for neutral units whoever DBD-R67 names.
pub(super) fn side_asked(setup: &Setup, state: &State, side: Side) -> Option<Player> {
    side.owner(state).or_else(|| warden(setup, state))
}

/// DBD-14.11 Who declares the targets that are wanted now.
pub(crate) fn declarer(setup: &Setup, state: &State) -> Option<Player> {
    side_asked(setup, state, next_declaration(setup, state)?.side)
}

/// DBD-14.12 With DBD-R67 read as `warden`, the next player after the attacker aims for neutrals.
fn warden(setup: &Setup, state: &State) -> Option<Player> {
    if setup.rulings.warden == Warden::ByRule {
        return None;
    }
    next_after_attacker(state)
}

/// DBD-14.12 The player whom DBD-R67 read as `warden` means.
fn next_after_attacker(state: &State) -> Option<Player> {
    let attacker = state.active?.index();
    let seats = (1..6).map(|step| (attacker + step) % 6);
    seats.map(Player::at).find(|&player| state.playing.contains(player))
}

/// DBD-14.12 How neutral units aim: troops first, then the least aimed at, the higher modifier, the
/// dearer, the lower id. Where targets are declared for all steps (DBD-R62), in the order of the steps.
pub(super) fn aim_by_rule(setup: &Setup, state: &State, side: &Throws) -> Vec<Pair> {
    let named = state.fight.as_deref().map_or(&[][..], |fight| &fight.units);
    let field = Field::new(setup, named);
    let mut in_order: Vec<&(u32, Vec<u32>)> = side.iter().collect();
    in_order.sort_by_key(|it| state.unit(it.0).map(|unit| field.arm(unit).step()));
    let mut pairs: Vec<Pair> = Vec::with_capacity(side.len());
    for (id, legal) in in_order {
        let Some(unit) = state.unit(*id) else { continue };
        let in_step = |other: u32| {
            state.unit(other).is_some_and(|it| field.arm(it).step() == field.arm(unit).step())
        };
        let best = legal.iter().filter_map(|&target| state.unit(target)).min_by_key(|target| {
            let aimed = |pair: &&Pair| pair.1 == target.id && in_step(pair.0);
            let aimed = pairs.iter().filter(aimed).count();
            let modifier = field.modifier(unit, target, true);
            let cost = std::cmp::Reverse(target.kind.cost());
            (!target.is_military(), aimed, -modifier, cost, target.id)
        });
        pairs.extend(best.map(|target| (*id, target.id)));
    }
    pairs
}

/// DBD-14.11 and DBD-14.9 The pairs that a declaration stands for. `all` is for the throwing units that
/// are not listed; where every one is, it is not judged.
fn check_declaration(
    setup: &Setup,
    state: &State,
    side: &Throws,
    it: &DeclareTargets,
) -> Checked<Vec<Pair>> {
    let legal_of = |unit: u32| side.iter().find(|it| it.0 == unit).map(|it| &it.1);
    for (at, &(unit, target)) in it.targets.iter().enumerate() {
        ch19_validity::check_unit_exists(state, unit, &format!("/targets/{at}/0"))?;
        ch19_validity::check_unit_exists(state, target, &format!("/targets/{at}/1"))?;
    }
    for (at, &(unit, _)) in it.targets.iter().enumerate() {
        if legal_of(unit).is_none() {
            let message = format!("{} does not throw in this step", state.unit_title(unit));
            return Err(Refusal::new(Rule::C14_11, "does_not_throw", message).at("/targets"));
        }
        if it.targets[..at].iter().any(|earlier| earlier.0 == unit) {
            let message = format!("{} is named twice", state.unit_title(unit));
            return Err(Refusal::new(Rule::C14_11, "two_targets", message).at("/targets"));
        }
    }
    let mut pairs = Vec::with_capacity(side.len());
    for (unit, legal) in side {
        let listed = it.targets.iter().find(|pair| pair.0 == *unit);
        match (listed, it.all) {
            (Some(&pair), _) => pairs.push(pair),
            (None, Some(all)) if legal.contains(&all) => pairs.push((*unit, all)),
            _ => {
                let message = format!("{} throws and has no target", state.unit_title(*unit));
                return Err(Refusal::new(Rule::C14_11, "no_target_named", message).at("/targets"));
            }
        }
    }
    for &(unit, target) in &it.targets {
        if legal_of(unit).is_some_and(|legal| !legal.contains(&target)) {
            let asked = next_declaration(setup, state).map(|it| it.side);
            let defends = asked != Some(Side::Attacker);
            return Err(illegal_target(setup, state, &[unit], target, defends));
        }
    }
    Ok(pairs)
}

/// DBD-14.11 Whether targets may be declared so.
pub(crate) fn check_targets(
    setup: &Setup,
    state: &State,
    it: &DeclareTargets,
) -> Checked<Vec<Pair>> {
    for unit in it.targets.iter().flat_map(|pair| [pair.0, pair.1]).chain(it.all) {
        ch19_validity::check_unit_exists(state, unit, "/targets")?;
    }
    if let Err(refusal) = check_is_declarer(setup, state, it.player) {
        let wardens = is_wardens(setup, state, it);
        return Err(if wardens { refusal.also(Rule::C14_12).also(Rule::R67) } else { refusal });
    }
    check_declaration(setup, state, &asked_side(setup, state), it)
}

/// DBD-19.3 Whether the player is the one who is asked for targets.
fn check_is_declarer(setup: &Setup, state: &State, player: Player) -> Checked {
    ch19_validity::check_is_asked(state, player, Stage::DeclareTargets)?;
    if declarer(setup, state) == Some(player) {
        return Ok(());
    }
    Err(ch19_validity::misplaced(
        state,
        format!("{player} is not asked for targets", player = prince(player)),
    ))
}

/// DBD-14.12 Whether it is by DBD-R67 that the player is not asked: another aims for the neutral units that
/// throw now; or he would have aimed for them, and they have aimed by rule (DBD-14.12).
fn is_wardens(setup: &Setup, state: &State, it: &DeclareTargets) -> bool {
    let fight = state.fight.as_deref();
    if setup.rulings.warden == Warden::Player {
        return state.stage == Stage::DeclareTargets
            && next_declaration(setup, state).is_some_and(|it| it.side == Side::Defender(None));
    }
    let aimed = |&(unit, target): &Pair| {
        let (Some(unit), Some(target)) = (state.unit(unit), state.unit(target)) else {
            return false;
        };
        unit.owner.is_none()
            && target.owner == state.active
            && setup.map.adjacent(unit.at, target.at)
            && fight.is_none_or(|fight| {
                let field = Field::new(setup, &fight.units);
                fight.target == unit.at && field.arm(unit).step() < fight.step
            })
    };
    matches!(state.stage, Stage::Battle | Stage::DeclareTargets)
        && next_after_attacker(state) == Some(it.player)
        && !it.targets.is_empty()
        && it.targets.iter().all(aimed)
}
