//! Chapter 14: battle.

use umpire_core::board::hex::Hex;
use umpire_core::game::Verdict;
use umpire_core::rules::{Refusal, Rule as _, RulingSet};

use super::action::{Advance, Attack, DeclareTargets};
use super::ch06_trading::end_treaty;
use super::ch12_spies::drowning;
use super::ch13_movement::officer_aboard;
use super::map::At;
use super::notice::{Cause, Fact};
use super::rulebook::{
    CoastFire, Cover, Fleets, PortShips, Rule, Rulings, Stacks, Victors, Warden,
};
use super::setup::Setup;
use super::state::{Fight, Phase, State, Unit};
use super::tables::{Arm, HIT, Kind, STEPS, Terrain};
use super::wire::Player;
use super::{
    Doubloons, Halted, Refused, Step, Stream, begin, ch01_terms, ch11_production, ch17_control,
    ch19_validity, die, refuse,
};

/// A unit and its target.
pub(super) type Pair = (u32, u32);

/// 14.2 Troops but militia, warships and officers may take part; cargo at sea may not.
fn part_fault(setup: &Setup, state: &State, units: &[u32]) -> Result<(), Refused> {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        let message = if !may_fight(unit.kind) && unit.kind != Kind::Officer {
            format!("u{} is {}, which never attacks", unit.id, unit.kind)
        } else if State::is_stowed(setup, unit) {
            format!("u{} is cargo at sea", unit.id)
        } else {
            continue;
        };
        return refuse(Refusal::new(Rule::C14_2, "may_not_attack", message).at("/units"));
    }
    Ok(())
}

/// 14.2 The types that throw when they attack.
fn may_fight(kind: Kind) -> bool {
    kind.is_military() && kind != Kind::Militia
}

/// 14.3 Not what is held, no cannon that moved, nothing twice a turn but officers.
fn ready_fault(state: &State, units: &[u32]) -> Result<(), Refused> {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        let (code, what) = if state.is_held(unit) {
            ("held", "is held")
        } else if unit.kind == Kind::Cannon && unit.moved {
            ("cannon_moved", "is cannon and moved this turn")
        } else if unit.attacked && unit.kind != Kind::Officer {
            ("attacked_already", "has attacked this turn")
        } else {
            continue;
        };
        let message = format!("u{} {what}", unit.id);
        return refuse(Refusal::new(Rule::C14_3, code, message).at("/units"));
    }
    Ok(())
}

/// 14.1 Every unit stands next to the target. With DBD-R60 read as `whole_stack`, all who are
/// able must come.
fn reach_fault(setup: &Setup, state: &State, units: &[u32], target: At) -> Result<(), Refused> {
    for unit in units.iter().filter_map(|&id| state.unit(id)) {
        if !setup.map.adjacent(unit.at, target) {
            let message = format!("u{} is not next to the target", unit.id);
            return refuse(Refusal::new(Rule::C14_1, "not_adjacent", message).at("/units"));
        }
    }
    if setup.rulings.stacks == Stacks::Whole {
        for unit in units.iter().filter_map(|&id| state.unit(id)) {
            let mut stack = state.units_at(unit.at).filter(|it| it.owner == unit.owner);
            let able = |it: &&Unit| {
                !units.contains(&it.id)
                    && is_able(setup, state, it, target)
                    && is_led(setup, state, it)
            };
            let left = stack.find(able);
            if let Some(left) = left {
                let message = format!("u{} can attack and is left out", left.id);
                let refusal = Refusal::new(Rule::C14_1, "stack_divided", message);
                return refuse(refusal.also(Rule::R60).at("/units"));
            }
        }
    }
    Ok(())
}

/// Whether a unit could throw in an attack on that hex.
pub(super) fn is_able(setup: &Setup, state: &State, unit: &Unit, target: At) -> bool {
    let ids = [unit.id];
    may_fight(unit.kind)
        && !State::is_stowed(setup, unit)
        && ready(state, unit)
        && setup.map.adjacent(unit.at, target)
        && ch11_production::fresh_fault(setup, state, ids).is_ok()
        && has_target(setup, state, unit, target)
}

/// Whether a unit has what 14.4 asks for: on land an officer of its hex who can be named; with
/// DBD-R49 read as `required`, at sea a ship of its hex that can and has one aboard.
fn is_led(setup: &Setup, state: &State, unit: &Unit) -> bool {
    let mut beside = state.units_at(unit.at).filter(|it| it.owner == unit.owner);
    if !unit.kind.is_ship() {
        return beside.any(|it| may_lead(setup, state, it));
    }
    let free = setup.rulings.fleets == Fleets::Exempt || !State::ground(setup, unit).is_sea();
    free || beside.any(|it| ready(state, it) && officer_aboard(state, it.id))
}

/// Whether an officer can be named in an attack for those of his hex.
pub(super) fn may_lead(setup: &Setup, state: &State, unit: &Unit) -> bool {
    unit.kind == Kind::Officer
        && !State::is_stowed(setup, unit)
        && !state.is_held(unit)
        && ch11_production::fresh_fault(setup, state, [unit.id]).is_ok()
}

fn ready(state: &State, unit: &Unit) -> bool {
    let spent = unit.attacked || (unit.kind == Kind::Cannon && unit.moved);
    !spent && !state.is_held(unit)
}

/// 14.6 A protected city cannot be attacked.
fn protection_fault(setup: &Setup, state: &State, target: At) -> Result<(), Refused> {
    let city = setup.map.place(target).city;
    if city == 0 || !state.in_force(state.city(city).protected_until) {
        return Ok(());
    }
    let message = format!("{} is under the protection of the Church", setup.map.site(city).name);
    let refusal = Refusal::new(Rule::C14_6, "city_protected", message).also(Rule::C5_10);
    refuse(refusal.at("/target"))
}

/// 14.4 Land units attack with an officer of their hex; with DBD-R49 read as `required`, ships
/// at sea with one aboard.
fn command_fault(setup: &Setup, state: &State, units: &[u32]) -> Result<(), Refused> {
    let all = || units.iter().filter_map(|&id| state.unit(id));
    let leads = |at: At| all().any(|unit| unit.at == at && unit.kind == Kind::Officer);
    if let Some(unit) = all().find(|unit| !unit.kind.is_ship() && !leads(unit.at)) {
        let hex = setup.map.place(unit.at).hex;
        let message = format!("no officer is named in {hex}, from where u{} attacks", unit.id);
        return refuse(Refusal::new(Rule::C14_4, "no_officer", message).at("/units"));
    }
    if setup.rulings.fleets == Fleets::Exempt {
        return Ok(());
    }
    let at_sea = |unit: &&Unit| unit.kind.is_ship() && State::ground(setup, unit).is_sea();
    let leads = |at: At| all().any(|unit| unit.at == at && officer_aboard(state, unit.id));
    if let Some(unit) = all().filter(at_sea).find(|unit| !leads(unit.at)) {
        let hex = setup.map.place(unit.at).hex;
        let message = format!("no galleon named in {hex} has an officer aboard");
        let refusal = Refusal::new(Rule::C14_4, "no_officer_aboard", message).also(Rule::R49);
        return refuse(refusal.at("/units"));
    }
    Ok(())
}

/// 14.5 Somebody is there, somebody throws, and all who throw have a legal target.
fn target_fault(
    setup: &Setup,
    state: &State,
    player: Player,
    units: &[u32],
    target: At,
) -> Result<(), Refused> {
    let hex = setup.map.place(target).hex;
    if !state.units_at(target).any(|unit| unit.owner != Some(player)) {
        let message = format!("nobody is to be attacked in {hex}");
        return refuse(Refusal::new(Rule::C14_5, "nobody_there", message).at("/target"));
    }
    let mut throwing = units
        .iter()
        .filter_map(|&id| state.unit(id))
        .filter(|unit| unit.kind != Kind::Officer)
        .peekable();
    if throwing.peek().is_none() {
        let message = "officers alone throw no dice".to_owned();
        return refuse(Refusal::new(Rule::C14_5, "nobody_throws", message).at("/units"));
    }
    if let Some(unit) = throwing.find(|unit| !has_target(setup, state, unit, target)) {
        let message = format!("u{} has no legal target in {hex}", unit.id);
        let refusal = Refusal::new(Rule::C14_5, "no_legal_target", message).also(Rule::C14_9);
        let there = state.units_at(target).filter(|it| it.owner != unit.owner);
        let open = there.filter(|it| !State::is_stowed(setup, it));
        let shaping = open.flat_map(|it| shaping(setup, unit, it));
        return refuse(shaping.fold(refusal.at("/units"), Refusal::also));
    }
    Ok(())
}

fn has_target(setup: &Setup, state: &State, unit: &Unit, target: At) -> bool {
    let mut others = state.units_at(target).filter(|it| it.owner != unit.owner);
    others.any(|it| !State::is_stowed(setup, it) && may_aim(setup, unit, it))
}

/// 14.1 to 14.6 Whether an attack may be declared.
pub(super) fn attack_fault(setup: &Setup, state: &State, it: &Attack) -> Result<(), Refused> {
    ch19_validity::units_exist(state, &it.units)?;
    let target = ch19_validity::hex_exists(setup, it.target, "/target")?;
    ch19_validity::asked_fault(state, it.player, Phase::Battle)?;
    ch19_validity::units_own(state, it.player, &it.units)?;
    ch11_production::fresh_fault(setup, state, it.units.iter().copied())?;
    part_fault(setup, state, &it.units)?;
    ready_fault(state, &it.units)?;
    reach_fault(setup, state, &it.units, target)?;
    protection_fault(setup, state, target)?;
    command_fault(setup, state, &it.units)?;
    target_fault(setup, state, it.player, &it.units, target)
}

/// 14.1 An attack names a hex and the units that take part. A treaty with anybody there ends.
pub(super) fn attack(ctx: &mut Step<'_>, it: &Attack) -> Verdict<Doubloons> {
    attack_fault(ctx.setup(), ctx.state(), it)?;
    let (setup, state) = (ctx.setup(), ctx.state());
    let target = setup.map.find(it.target).unwrap_or(0);
    let mut victims: Vec<Player> = state.units_at(target).filter_map(|unit| unit.owner).collect();
    victims.dedup();
    let bystanders = bystanders(setup, state, it);
    let declared = Fact::AttackDeclared {
        player: it.player,
        target: it.target,
        units: it.units.clone(),
        bystanders,
    };
    ctx.happen(declared.into(), [Rule::C14_1, Rule::C14_2, Rule::C14_4, Rule::C14_5]);
    for victim in victims {
        end_treaty(ctx, it.player, victim);
    }
    next_step(ctx, 1)
}

/// 14.1 With DBD-R60 read as `whole_stack`, all others of the hexes used are targets too.
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

/// 14.7 The effective type: in a city everything but cannon is a garrison.
fn arm(setup: &Setup, unit: &Unit) -> Arm {
    arm_by(&setup.rulings, setup, unit)
}

fn arm_by(rulings: &Rulings, setup: &Setup, unit: &Unit) -> Arm {
    let stays = unit.kind.is_ship() && rulings.port_ships == PortShips::StayShips;
    if State::ground(setup, unit) == Terrain::City && unit.kind != Kind::Cannon && !stays {
        return Arm::Garrison;
    }
    unit.kind.field_arm()
}

/// 14.8 Those who may be aimed at in the attacked hex: not the attacker's, no cargo at sea.
pub(super) fn defenders<'a>(
    setup: &'a Setup,
    state: &'a State,
    fight: &Fight,
) -> impl Iterator<Item = &'a Unit> {
    let attacker = state.active;
    let there = state.units_at(fight.target).filter(move |unit| unit.owner != attacker);
    there.filter(|unit| !State::is_stowed(setup, unit))
}

/// 14.8 Those of the attacker who may be aimed at: the named units alone.
fn attackers<'a>(state: &'a State, fight: &'a Fight) -> impl Iterator<Item = &'a Unit> {
    let named = fight.units.iter().chain(&fight.bystanders);
    named.filter_map(|&id| state.unit(id))
}

/// Whether a unit is a ship that counts as at sea.
fn is_afloat(rulings: &Rulings, setup: &Setup, unit: &Unit) -> bool {
    unit.kind.is_ship()
        && (State::ground(setup, unit).is_sea() || rulings.port_ships == PortShips::StayShips)
}

/// 14.9 Anybody may be aimed at, but ships at sea only by cannon, missiles and warships.
fn may_aim(setup: &Setup, unit: &Unit, target: &Unit) -> bool {
    may_aim_by(&setup.rulings, setup, unit, target)
}

fn may_aim_by(rulings: &Rulings, setup: &Setup, unit: &Unit, target: &Unit) -> bool {
    if !is_afloat(rulings, setup, target) {
        return true;
    }
    match arm_by(rulings, setup, unit) {
        Arm::Cannon | Arm::Musketeers | Arm::Dragoons | Arm::Galleon | Arm::Frigate => true,
        Arm::Garrison => rulings.coast_fire == CoastFire::MissileInside && has_missiles(unit),
        _ => false,
    }
}

/// The rulings by another reading of which a unit could aim at another.
fn shaping(setup: &Setup, unit: &Unit, target: &Unit) -> impl Iterator<Item = Rule> {
    let now = setup.rulings;
    let could = move |other: Rulings| may_aim_by(&other, setup, unit, target);
    [Rule::R58, Rule::R59].into_iter().filter(move |rule| now.others(rule.id()).any(could))
}

fn has_missiles(unit: &Unit) -> bool {
    matches!(unit.kind, Kind::Musketeers | Kind::Dragoons)
}

/// 14.13 What is added to the die.
pub(super) fn modifier(setup: &Setup, unit: &Unit, target: &Unit, at_attacker: bool) -> i8 {
    let bonus = i8::from(arm(setup, unit).beats(arm(setup, target)));
    let covered = !(at_attacker && setup.rulings.cover == Cover::DefenderOnly);
    let cover = if covered { State::ground(setup, target).defence() } else { 0 };
    let afloat = is_afloat(&setup.rulings, setup, target);
    let range = if has_missiles(unit) && afloat { 2 } else { 0 };
    bonus - cover - range
}

/// One side of a step: its throwing units, by rising id, each with its legal targets.
pub(super) type Throws = Vec<(u32, Vec<u32>)>;

/// 14.10 The attacker's units that throw in a step.
pub(super) fn attacking(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let side = fight.units.iter().filter_map(|&id| state.unit(id));
    let targets: Vec<&Unit> = defenders(setup, state, fight).collect();
    throws(setup, side, &targets, step)
}

/// 14.10 The defender's units that throw in a step.
pub(super) fn defending(setup: &Setup, state: &State, fight: &Fight, step: u8) -> Throws {
    let mut targets: Vec<&Unit> = attackers(state, fight).collect();
    targets.sort_unstable_by_key(|unit| unit.id);
    throws(setup, defenders(setup, state, fight), &targets, step)
}

fn throws<'a>(
    setup: &Setup,
    side: impl Iterator<Item = &'a Unit>,
    targets: &[&Unit],
    step: u8,
) -> Throws {
    let in_step = side.filter(|unit| unit.is_military() && arm(setup, unit).step() == step);
    let aims = in_step.map(|unit| {
        let legal = targets.iter().filter(|target| may_aim(setup, unit, target));
        (unit.id, legal.map(|target| target.id).collect::<Vec<_>>())
    });
    aims.filter(|(_, legal)| !legal.is_empty()).collect()
}

/// 14.10 The next step in which anybody throws. 14.15 It is over after the last, or when a side
/// has no unit left.
fn next_step(ctx: &mut Step<'_>, from: u8) -> Verdict<Doubloons> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    let both =
        attackers(state, fight).next().is_some() && defenders(setup, state, fight).next().is_some();
    let thrown = |step: &u8| {
        !attacking(setup, state, fight, *step).is_empty()
            || !defending(setup, state, fight, *step).is_empty()
    };
    match (from..=STEPS).find(|step| both && thrown(step)) {
        Some(step) => {
            ctx.happen(Fact::BattleStep { step }.into(), Rule::C14_10);
            go_on(ctx)
        }
        None => {
            finish(ctx);
            Ok(())
        }
    }
}

/// 14.11 Targets are declared before the dice, first the attacker's, then the defender's. A side
/// without a choice is not asked.
pub(super) fn go_on(ctx: &mut Step<'_>) -> Verdict<Doubloons> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    if fight.declared.is_none() {
        let ours = attacking(setup, state, fight, fight.step);
        if has_choice(&ours) {
            return Ok(());
        }
        let by = state.active;
        declared(ctx, true, by, only_targets(&ours), [Rule::C14_11, Rule::C19_6]);
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(fight) = state.fight.as_deref() else { return Ok(()) };
    let theirs = defending(setup, state, fight, fight.step);
    if !has_choice(&theirs) {
        let by = theirs.first().and_then(|it| state.unit(it.0)).and_then(|unit| unit.owner);
        let pairs = only_targets(&theirs);
        declared(ctx, false, by, pairs.clone(), [Rule::C14_11, Rule::C19_6]);
        return throw(ctx, &pairs);
    }
    if declarer(setup, state).is_some() {
        return Ok(());
    }
    let pairs = aim_by_rule(setup, state, &theirs);
    declared(ctx, false, None, pairs.clone(), [Rule::C14_12, Rule::C14_11]);
    throw(ctx, &pairs)
}

fn has_choice(side: &Throws) -> bool {
    side.iter().any(|(_, legal)| legal.len() > 1)
}

fn only_targets(side: &Throws) -> Vec<Pair> {
    side.iter().filter_map(|(unit, legal)| Some((*unit, *legal.first()?))).collect()
}

fn declared(
    ctx: &mut Step<'_>,
    attacking: bool,
    by: Option<Player>,
    targets: Vec<Pair>,
    rules: [Rule; 2],
) {
    if attacking || !targets.is_empty() {
        ctx.happen(Fact::TargetsDeclared { attacking, by, targets }.into(), rules);
    }
}

/// The side that is asked: its throwing units with their legal targets.
pub(super) fn asked_side(setup: &Setup, state: &State) -> Throws {
    match state.fight.as_deref() {
        None => Throws::new(),
        Some(fight) if fight.declared.is_none() => attacking(setup, state, fight, fight.step),
        Some(fight) => defending(setup, state, fight, fight.step),
    }
}

/// 14.11 Who declares the targets that are wanted now: the attacker, the owner of the defenders
/// that throw, or for neutral ones whoever DBD-R67 names.
pub(super) fn declarer(setup: &Setup, state: &State) -> Option<Player> {
    let fight = state.fight.as_deref()?;
    if fight.declared.is_none() {
        return state.active;
    }
    let side = defending(setup, state, fight, fight.step);
    let owner = state.unit(side.first()?.0)?.owner;
    owner.or_else(|| ch19_validity::warden(setup, state))
}

/// 14.12 How neutral units aim: troops first, then the least aimed at, the higher modifier, the
/// dearer, the lower id.
fn aim_by_rule(setup: &Setup, state: &State, side: &Throws) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(side.len());
    for (id, legal) in side {
        let Some(unit) = state.unit(*id) else { continue };
        let best = legal.iter().filter_map(|&target| state.unit(target)).min_by_key(|target| {
            let aimed = pairs.iter().filter(|pair| pair.1 == target.id).count();
            let modifier = modifier(setup, unit, target, true);
            let cost = std::cmp::Reverse(target.kind.cost());
            (!target.is_military(), aimed, -modifier, cost, target.id)
        });
        pairs.extend(best.map(|target| (*id, target.id)));
    }
    pairs
}

/// 14.11 and 14.9 The pairs that a declaration stands for.
fn declaration(
    setup: &Setup,
    state: &State,
    side: &Throws,
    it: &DeclareTargets,
) -> Result<Vec<Pair>, Refused> {
    let no = |rule, code, message: String| refuse(Refusal::new(rule, code, message).at("/targets"));
    let legal_of = |unit: u32| side.iter().find(|it| it.0 == unit).map(|it| &it.1);
    for (at, &(unit, target)) in it.targets.iter().enumerate() {
        ch19_validity::unit_exists(state, unit, &format!("/targets/{at}/0"))?;
        ch19_validity::unit_exists(state, target, &format!("/targets/{at}/1"))?;
    }
    for (at, &(unit, _)) in it.targets.iter().enumerate() {
        if legal_of(unit).is_none() {
            let message = format!("u{unit} does not throw in this step");
            no(Rule::C14_11, "does_not_throw", message)?;
        }
        if it.targets[..at].iter().any(|earlier| earlier.0 == unit) {
            no(Rule::C14_11, "two_targets", format!("u{unit} is named twice"))?;
        }
    }
    let mut pairs = Vec::with_capacity(side.len());
    for (unit, legal) in side {
        let listed = it.targets.iter().find(|pair| pair.0 == *unit);
        match (listed, it.all) {
            (Some(&pair), _) => pairs.push(pair),
            (None, Some(all)) if legal.contains(&all) => pairs.push((*unit, all)),
            _ => no(Rule::C14_11, "no_target_named", format!("u{unit} throws and has no target"))?,
        }
    }
    for &(unit, target) in &it.targets {
        if legal_of(unit).is_some_and(|legal| !legal.contains(&target)) {
            refuse(illegal_target(setup, state, &[unit], target))?;
        }
    }
    if let Some(all) = it.all
        && side.iter().all(|(_, legal)| !legal.contains(&all))
    {
        let throwing: Vec<u32> = side.iter().map(|it| it.0).collect();
        refuse(illegal_target(setup, state, &throwing, all))?;
    }
    Ok(pairs)
}

/// 14.9 None of these units may aim at that one.
fn illegal_target(setup: &Setup, state: &State, units: &[u32], target: u32) -> Refusal<Rule> {
    let message = match units {
        [unit] => format!("u{unit} may not aim at u{target}"),
        _ => format!("nobody may aim at u{target}"),
    };
    let refusal = Refusal::new(Rule::C14_9, "illegal_target", message).at("/targets");
    let (Some(fight), Some(target)) = (state.fight.as_deref(), state.unit(target)) else {
        return refusal;
    };
    let mut units = units.iter().filter_map(|&id| state.unit(id));
    let defends = fight.declared.is_some();
    if defends && is_left_out(setup, state, fight, target) {
        // Under the other reading of DBD-R60 all of that stack are targets.
        let refusal = refusal.also(Rule::C14_8);
        let aims = units.any(|unit| may_aim(setup, unit, target));
        return if aims { refusal.also(Rule::R60) } else { refusal };
    }
    let side: Vec<u32> = if defends {
        attackers(state, fight).map(|unit| unit.id).collect()
    } else {
        defenders(setup, state, fight).map(|unit| unit.id).collect()
    };
    if !side.contains(&target.id) {
        return refusal.also(Rule::C14_8);
    }
    units.flat_map(|unit| shaping(setup, unit, target)).fold(refusal, Refusal::also)
}

/// 14.8 Whether a unit stands with named ones and takes no part, and DBD-R60 alone says so.
fn is_left_out(setup: &Setup, state: &State, fight: &Fight, unit: &Unit) -> bool {
    setup.rulings.stacks == Stacks::Chosen
        && unit.owner == state.active
        && !State::is_stowed(setup, unit)
        && !fight.units.contains(&unit.id)
        && fight.units.iter().filter_map(|&id| state.unit(id)).any(|named| named.at == unit.at)
}

/// 14.11 Whether targets may be declared so.
pub(super) fn targets_fault(
    setup: &Setup,
    state: &State,
    it: &DeclareTargets,
) -> Result<Vec<Pair>, Refused> {
    for unit in it.targets.iter().flat_map(|pair| [pair.0, pair.1]).chain(it.all) {
        ch19_validity::unit_exists(state, unit, "/targets")?;
    }
    if let Err(refusal) = declarer_fault(setup, state, it.player) {
        let wardens = is_wardens(setup, state, it);
        return refuse(if wardens { refusal.also(Rule::C14_12).also(Rule::R67) } else { refusal });
    }
    declaration(setup, state, &asked_side(setup, state), it)
}

/// 19.3 Whether the player is the one who is asked for targets.
fn declarer_fault(setup: &Setup, state: &State, player: Player) -> Result<(), Refused> {
    ch19_validity::asked_fault(state, player, Phase::DeclareTargets)?;
    if declarer(setup, state) == Some(player) {
        return Ok(());
    }
    refuse(ch19_validity::misplaced(state, format!("{player} is not asked for targets")))
}

/// Whether it is by DBD-R67 that the player is not asked: another aims for the neutral units that
/// throw now; or he would have aimed for them, and they have aimed by rule (14.12).
fn is_wardens(setup: &Setup, state: &State, it: &DeclareTargets) -> bool {
    let fight = state.fight.as_deref();
    if setup.rulings.warden == Warden::Player {
        let neutral = |id: u32| state.unit(id).is_some_and(|unit| unit.owner.is_none());
        return state.phase == Phase::DeclareTargets
            && fight.is_some_and(|fight| fight.declared.is_some())
            && asked_side(setup, state).first().is_some_and(|it| neutral(it.0));
    }
    let aimed = |&(unit, target): &Pair| {
        let (Some(unit), Some(target)) = (state.unit(unit), state.unit(target)) else {
            return false;
        };
        unit.owner.is_none()
            && target.owner == state.active
            && setup.map.adjacent(unit.at, target.at)
            && fight
                .is_none_or(|fight| fight.target == unit.at && arm(setup, unit).step() < fight.step)
    };
    matches!(state.phase, Phase::Battle | Phase::DeclareTargets)
        && ch19_validity::next_after_attacker(state) == Some(it.player)
        && !it.targets.is_empty()
        && it.targets.iter().all(aimed)
}

/// 14.11 One side has declared; the other follows, or the dice are thrown.
pub(super) fn declare(ctx: &mut Step<'_>, it: &DeclareTargets) -> Verdict<Doubloons> {
    let pairs = targets_fault(ctx.setup(), ctx.state(), it)?;
    let first = ctx.state().fight.as_deref().is_some_and(|fight| fight.declared.is_none());
    let by = Some(it.player);
    declared(ctx, first, by, pairs.clone(), [Rule::C14_11, Rule::C14_9]);
    if first { go_on(ctx) } else { throw(ctx, &pairs) }
}

/// 14.14 All dice of the step, the attacker's and then the defender's; then all hits are removed
/// together.
fn throw(ctx: &mut Step<'_>, theirs: &[Pair]) -> Verdict<Doubloons> {
    let Some(fight) = ctx.state().fight.as_deref() else { return Ok(()) };
    let step = fight.step;
    let ours = fight.declared.clone().unwrap_or_default();
    let mut hits = Vec::new();
    let sides = ours.iter().map(|it| (it, false)).chain(theirs.iter().map(|it| (it, true)));
    for (&(unit, target), at_attacker) in sides {
        if shoot(ctx, unit, target, at_attacker)? && !hits.contains(&target) {
            hits.push(target);
        }
    }
    for unit in hits {
        destroy(ctx, unit);
    }
    next_step(ctx, step + 1)
}

/// 14.13 A die with its modifier; 4 or more destroys.
fn shoot(ctx: &mut Step<'_>, unit: u32, target: u32, at_attacker: bool) -> Result<bool, Halted> {
    let throw = die(ctx, Stream::Battle, 6, Rule::C14_10)?;
    let (setup, state) = (ctx.setup(), ctx.state());
    let modifier = match (state.unit(unit), state.unit(target)) {
        (Some(unit), Some(target)) => modifier(setup, unit, target, at_attacker),
        _ => 0,
    };
    let hit = throw as i8 + modifier >= HIT;
    let fact = Fact::BattleDie { unit, target, die: throw, modifier, hit };
    ctx.happen(fact.into(), [Rule::C14_13, Rule::C14_7, Rule::C14_14]);
    Ok(hit)
}

/// 14.14 A hit unit is removed, at sea with its cargo (13.17).
fn destroy(ctx: &mut Step<'_>, unit: u32) {
    let Some(unit_type) = ctx.state().unit(unit).map(|unit| unit.kind) else { return };
    let drowned = drowning(ctx.setup(), ctx.state(), unit);
    let fact = Fact::UnitDestroyed { unit, unit_type, cause: Cause::Battle, die: None };
    ctx.happen(fact.into(), [Rule::C14_13, Rule::C14_14]);
    for (unit, unit_type) in drowned {
        let fact = Fact::UnitDestroyed { unit, unit_type, cause: Cause::Drowned, die: None };
        ctx.happen(fact.into(), Rule::C13_17);
    }
}

/// 14.15 The battle is over; 14.16 nothing moves, unless DBD-R66 is read as `advance`.
fn finish(ctx: &mut Step<'_>) {
    if may_advance(ctx.setup(), ctx.state()) {
        begin(ctx, Phase::Advance, [Rule::C14_16, Rule::R66]);
    } else {
        end(ctx, [Rule::C14_15, Rule::C14_16]);
    }
}

fn end(ctx: &mut Step<'_>, rules: [Rule; 2]) {
    let Some(fight) = ctx.state().fight.as_deref() else { return };
    let at = ctx.setup().map.place(fight.target).hex;
    let left = fight.units.clone();
    ctx.happen(Fact::BattleEnded { at, left }.into(), rules);
}

/// 14.16 Those who may enter an emptied hex: survivors that took part, no ships, no cannon.
pub(super) fn victors<'a>(setup: &Setup, state: &'a State) -> Vec<&'a Unit> {
    let Some(fight) = state.fight.as_deref() else { return Vec::new() };
    if setup.map.place(fight.target).terrain.land_cost().is_none() {
        return Vec::new();
    }
    let left = fight.units.iter().filter_map(|&id| state.unit(id));
    left.filter(|unit| !unit.kind.is_ship() && unit.kind != Kind::Cannon).collect()
}

/// 14.16 Asked only where no unit of others but leaders is left, and an officer survives.
pub(super) fn may_advance(setup: &Setup, state: &State) -> bool {
    let Some(fight) = state.fight.as_deref() else { return false };
    let mut others = state.units_at(fight.target).filter(|unit| unit.owner != state.active);
    setup.rulings.victors == Victors::Advance
        && others.all(|unit| unit.kind.is_leader())
        && victors(setup, state).iter().any(|unit| unit.kind == Kind::Officer)
}

/// 14.16 Victors, with an officer among them if any is military.
pub(super) fn advance_fault(setup: &Setup, state: &State, it: &Advance) -> Result<(), Refused> {
    ch19_validity::units_differ(state, &it.units)?;
    ch19_validity::asked_fault(state, it.player, Phase::Advance)?;
    ch19_validity::units_own(state, it.player, &it.units)?;
    let no = |code, message: String| {
        refuse(Refusal::new(Rule::C14_16, code, message).also(Rule::R66).at("/units"))
    };
    let victors = victors(setup, state);
    for &id in &it.units {
        if victors.iter().all(|unit| unit.id != id) {
            no("no_victor", format!("u{id} cannot enter after this battle"))?;
        }
    }
    let named = || victors.iter().filter(|unit| it.units.contains(&unit.id));
    if named().any(|it| it.is_military()) && !named().any(|it| it.kind == Kind::Officer) {
        no("no_officer", "troops enter with an officer".to_owned())?;
    }
    Ok(())
}

/// 14.16 They enter free of charge; capture and occupation as in 13.10.
pub(super) fn advance(ctx: &mut Step<'_>, it: &Advance) -> Verdict<Doubloons> {
    advance_fault(ctx.setup(), ctx.state(), it)?;
    let Some(target) = ctx.state().fight.as_deref().map(|fight| fight.target) else {
        return Ok(());
    };
    let to: Hex = ctx.setup().map.place(target).hex;
    let troops = it.units.iter().any(|&id| ctx.state().unit(id).is_some_and(Unit::is_military));
    if !it.units.is_empty() {
        let fact = Fact::Advanced { player: it.player, units: it.units.clone(), to };
        ctx.happen(fact.into(), [Rule::C14_16, Rule::R66]);
    }
    if troops {
        ch01_terms::capture(ctx, [Rule::C1_8, Rule::C13_10]);
        let city = ctx.setup().map.place(target).city;
        if city > 0 && ctx.state().city(city).control != Some(it.player) {
            ch17_control::occupy(ctx, it.player, city);
        }
    }
    end(ctx, [Rule::C14_15, Rule::R66]);
    Ok(())
}
