//! DBD-12 Spy missions: dice, results, targets, agents, effects.
//!
//! Must not decide whether a mission waits for the favour: `sequence::follow_aim` does (DBD-12.7).

use super::action::prince;
use std::ops::ControlFlow;

use super::action::{
    CityTarget, FavorNegate, Player, PlayerTarget, Spy, SpyTarget, StackTarget, Target, UnitTarget,
};
use super::ch04_round::start_effect;
use super::ch05_church::{check_can_turn, hold_units};
use super::ch13_movement::boarding::cargo_lost;
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::{Cause, Effect, Failure, Happening};
use super::rulebook::{
    Agents, BribedCity, Burning, ChurchTurn, Homes, Negation, Passing, Rule, SpiedOn, SpyLuck,
    Theft,
};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Stage, State, Unit};
use super::tables::{FavorUse, Kind, Mission};
use super::{Checked, Ctx, Refusal, Stop, Verdict, ch05_church, ch17_control, ch19_validity};
use umpire_core::rules::Cites;

/// DBD-12.1 One gold or more, as far as he has it.
pub(super) fn check_spies(state: &State, it: &Spy) -> Checked {
    ch19_validity::check_is_asked(state, it.player, Stage::Spy)?;
    // Only under DBD-R40 = `one_batch`.
    if state.spied {
        let message = format!("{} has paid spies this turn", prince(it.player));
        return Err(Refusal::new(Rule::C12_1, "spied_already", message).also(Rule::R40));
    }
    let gold = state.gold(it.player);
    if 1 <= it.gold && it.gold <= u64::from(gold) {
        return Ok(());
    }
    let message = format!("{} pays {} for spies and has {gold} gold", prince(it.player), it.gold);
    let refusal = Refusal::new(Rule::C12_1, "bad_spy_gold", message).at("/gold");
    Err(refusal.fact(format!("gold of {}", prince(it.player)), gold))
}

/// DBD-12.1 A die for each gold; each 1 is a success.
pub(super) fn pay_spies(ctx: &mut Ctx<'_>, it: &Spy) -> Verdict {
    check_spies(ctx.state(), it)?;
    let mut dice = Vec::new();
    for _ in 0..it.gold {
        dice.push(throw_die(ctx, Stream::Spy, 6, Rule::C12_1)?);
    }
    let ones = dice.iter().filter(|&&throw| throw == 1).count() as u32;
    let successes = match ctx.setup().rulings.spy_luck {
        SpyLuck::EachOne => ones,
        SpyLuck::OnePerThrow => ones.min(1),
    };
    let rules = Cites::from(Rule::C12_1);
    // Another reading would count one of them.
    let rules = if ones > 1 { rules.and(Rule::R93) } else { rules };
    ctx.happen(Happening::SpyDice { player: it.player, dice, successes }.into(), rules);
    Ok(())
}

/// DBD-12.2 The next success: its result is thrown when its turn comes. DBD-12.4 Without a legal
/// target it is lost.
pub(super) fn work_out_success(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(player) = ctx.state().active else { return Ok(()) };
    let throw = throw_die(ctx, Stream::Mission, 10, Rule::C12_2)?;
    let mission = Mission::of_throw(throw);
    let event = Happening::MissionResult { player, die: throw, mission };
    ctx.happen(event.into(), Rule::C12_2);
    let (setup, state) = (ctx.setup(), ctx.state());
    let some = has_target(setup, state, player, mission);
    if !some {
        fail_mission(ctx, player, Failure::NoTarget, Rule::C12_4);
    }
    Ok(())
}

/// DBD-12.2 The success comes to nothing.
fn fail_mission(ctx: &mut Ctx<'_>, player: Player, why: Failure, rule: Rule) {
    ctx.happen(Happening::MissionFailed { player, why }.into(), [rule, Rule::C12_2]);
}

/// DBD-12.2 The mission goes through, and its gold changes hands.
fn finish_mission(
    ctx: &mut Ctx<'_>,
    player: Player,
    mission: Mission,
    target: Target,
    gained: u32,
    paid: u32,
    rules: impl Into<Cites<Rule>>,
) {
    ctx.happen(Happening::MissionDone { player, mission, target, gained, paid }.into(), rules);
}

/// DBD-12.3 The result a player may work with: the one thrown, or after a 10 one he picks.
fn check_choice(state: &State, it: &SpyTarget) -> Checked<Option<Mission>> {
    let roll = state.spying.map_or(0, |spying| spying.roll);
    let thrown = Mission::of_throw(u32::from(roll));
    match (thrown, it.mission) {
        (Mission::Choose, Some(number @ 1..=9)) => Ok(Some(Mission::of_throw(u32::from(number)))),
        (Mission::Choose, Some(other)) => {
            let message = format!("{other} is not one of the results 1 to 9");
            Err(Refusal::new(Rule::C12_3, "bad_choice", message).at("/mission").fact("die", roll))
        }
        (Mission::Choose, None) if it.target.is_none() => Ok(None),
        (Mission::Choose, None) => {
            Err(Refusal::new(Rule::C12_3, "no_choice", "after a 10 a result is chosen")
                .at("/mission")
                .fact("die", roll))
        }
        (_, Some(_)) => {
            let message = format!("the result is {thrown}, not a choice");
            Err(Refusal::new(Rule::C12_3, "nothing_to_choose", message)
                .at("/mission")
                .fact("die", roll))
        }
        (_, None) => Ok(Some(thrown)),
    }
}

/// DBD-12.3 to DBD-12.5 Whether a success may be aimed so.
pub(super) fn check_aim(setup: &Setup, state: &State, it: &SpyTarget) -> Checked {
    match it.target {
        Some(Target::Unit(it)) => ch19_validity::check_unit_exists(state, it.unit, "/target/unit")?,
        Some(Target::Stack(it)) => {
            ch19_validity::check_hex_exists(setup, it.hex, "/target/hex")?;
            ch19_validity::check_player_exists(setup, it.owner, "/target/owner")?;
        }
        Some(Target::City(it)) => ch19_validity::check_city_exists(setup, it.city, "/target/city")?,
        Some(Target::Player(it)) => {
            ch19_validity::check_player_exists(setup, it.player, "/target/player")?;
        }
        None => {}
    }
    ch19_validity::check_is_asked(state, it.player, Stage::SpyTarget)?;
    match (check_choice(state, it)?, it.target) {
        (Some(mission), Some(target)) => check_target(setup, state, it.player, mission, target),
        (mission, _) => check_pass(setup, state, it.player, mission.unwrap_or(Mission::Choose)),
    }
}

/// DBD-12.4 A success may be passed on; with DBD-R104 read as `must_target` only where it has no legal target.
fn check_pass(setup: &Setup, state: &State, player: Player, mission: Mission) -> Checked {
    if setup.rulings.passing == Passing::MayPass || !has_target(setup, state, player, mission) {
        return Ok(());
    }
    let message = format!("{mission} has a legal target and cannot be passed on");
    Err(Refusal::new(Rule::C12_4, "target_wanted", message).also(Rule::R104).at("/target"))
}

/// DBD-12.4 and DBD-12.5 Whether something is a legal target of a result.
fn check_target(
    setup: &Setup,
    state: &State,
    player: Player,
    mission: Mission,
    target: Target,
) -> Checked {
    let fits = match target {
        Target::Unit(_) => (1..=4).contains(&mission.number()),
        Target::Stack(_) => matches!(mission, Mission::Sabotage | Mission::Bribery),
        Target::City(_) => matches!(mission, Mission::Revolt | Mission::Arson),
        Target::Player(_) => mission == Mission::Thievery,
    };
    if !fits {
        let message = format!("the target does not fit {mission}");
        return Err(ch19_validity::ill_formed(state, message, "/target"));
    }
    check_not_own(setup, state, player, mission, target)?;
    check_legal(setup, state, player, mission, target)
}

/// DBD-12.5 Whether a result may be aimed at oneself: never, or with DBD-R41 read as `anyone` where it is not for an opponent.
fn may_be_own(setup: &Setup, mission: Mission) -> bool {
    let opponent = matches!(mission, Mission::Bribery | Mission::Revolt | Mission::Thievery);
    setup.rulings.spied_on == SpiedOn::Anyone && !opponent
}

/// Against whom a mission is; nobody for what is neutral.
fn owner_of(state: &State, target: Target) -> Option<Player> {
    match target {
        Target::Unit(it) => state.unit(it.unit).and_then(|unit| unit.owner),
        Target::Stack(it) => Some(it.owner),
        Target::City(it) => state.city(it.city).control,
        Target::Player(it) => Some(it.player),
    }
}

/// DBD-12.5 One's own units, cities and gold are never targets.
fn check_not_own(
    setup: &Setup,
    state: &State,
    player: Player,
    mission: Mission,
    target: Target,
) -> Checked {
    let owner = owner_of(state, target);
    if owner != Some(player) || may_be_own(setup, mission) {
        return Ok(());
    }
    let message = "nobody spies on himself".to_owned();
    Err(Refusal::new(Rule::C12_5, "own_target", message).also(Rule::R41).at("/target"))
}

/// DBD-12.4 What the table of results allows.
fn check_legal(
    setup: &Setup,
    state: &State,
    player: Player,
    mission: Mission,
    target: Target,
) -> Checked {
    match target {
        Target::Unit(it) => {
            let Some(unit) = state.unit(it.unit) else { return Ok(()) };
            if !is_prey(mission, unit.kind) {
                let message = format!("{} is not a target of {mission}", unit.title());
                return Err(
                    Refusal::new(Rule::C12_4, "wrong_kind_of_target", message).at("/target")
                );
            }
            if mission == Mission::SetFire && !can_burn(setup, unit.at) {
                let message = match setup.map.place(unit.at).city {
                    0 => format!("no land lies beside {}", unit.title()),
                    _ => format!("{} lies in a city", unit.title()),
                };
                return Err(Refusal::new(Rule::C12_4, "ship_on_open_sea", message)
                    .also(Rule::C12_9)
                    .also(Rule::R42)
                    .at("/target"));
            }
        }
        Target::Stack(it) => {
            let Some(at) = setup.map.find(it.hex) else { return Ok(()) };
            let stack = || state.units_at(at).filter(|unit| unit.owner == Some(it.owner));
            if stack().next().is_none() {
                let message = format!("{} has no unit in {}", it.owner, it.hex);
                return Err(Refusal::new(Rule::C12_4, "no_such_stack", message).at("/target"));
            }
            if mission == Mission::Bribery {
                let city = setup.map.place(at).city;
                if city > 0 && is_at_home(setup, state, it.owner, city) {
                    let message = format!("{} is at home there", it.owner);
                    return Err(Refusal::new(Rule::C12_4, "stack_at_home", message)
                        .also(Rule::R16)
                        .at("/target"));
                }
                let (price, gold) = (list_price(state, at, it.owner), state.gold(player));
                if price > u64::from(gold) {
                    let message = format!(
                        "the stack costs {price}, {player} has {gold} gold",
                        player = prince(player)
                    );
                    return Err(Refusal::new(Rule::C12_4, "bribe_too_dear", message).at("/target"));
                }
            }
        }
        Target::City(it) if mission == Mission::Revolt => {
            check_can_turn(setup, state, player, it.city, Rule::C12_4).map_err(|mut refusal| {
                refusal.also.push(Rule::C12_13);
                refusal.pointer = "/target/city".to_owned();
                refusal
            })?;
        }
        Target::City(it) => {
            if state.is_home(setup, it.city) {
                let name = &setup.map.site(it.city).name;
                let message = format!("{name} is a home city");
                return Err(Refusal::new(Rule::C12_4, "home_city", message)
                    .also(Rule::R16)
                    .at("/target"));
            }
        }
        Target::Player(it) => {
            if !state.playing.contains(it.player) {
                let message = format!("{} is out of the game", prince(it.player));
                return Err(Refusal::new(Rule::C12_4, "player_is_out", message).at("/target"));
            }
        }
    }
    Ok(())
}

/// DBD-12.12 Whether a player's units are at home in a city: in the home city that he holds; with DBD-R16 read as `for_ever` in the
/// one that he was given, and in any home city that he holds.
fn is_at_home(setup: &Setup, state: &State, owner: Player, city: u8) -> bool {
    let holds = state.city(city).control == Some(owner);
    match setup.rulings.homes {
        Homes::OwnHands => setup.home(owner) == city && holds,
        Homes::ForEver => setup.home(owner) == city || (holds && state.is_home(setup, city)),
    }
}

/// DBD-12.4 The kinds of unit that a result is about.
fn is_prey(mission: Mission, kind: Kind) -> bool {
    match mission {
        Mission::Assassinate => kind.is_leader(),
        Mission::SetFire => kind.is_ship(),
        Mission::Banditry => kind == Kind::Caravan,
        Mission::Piracy => kind == Kind::Caravel,
        _ => false,
    }
}

/// DBD-12.4 Shows every legal target of a result.
pub(super) fn each_target(
    setup: &Setup,
    state: &State,
    player: Player,
    mission: Mission,
    mut each: impl FnMut(Target) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut consider = |target: Target| {
        if check_target(setup, state, player, mission, target).is_ok() {
            each(target)?;
        }
        ControlFlow::Continue(())
    };
    match mission {
        Mission::Assassinate | Mission::SetFire | Mission::Banditry | Mission::Piracy => {
            let fits = |unit: &&Unit| is_prey(mission, unit.kind);
            for unit in state.units.iter().filter(fits) {
                consider(Target::Unit(UnitTarget { unit: unit.id }))?;
            }
        }
        Mission::Sabotage | Mission::Bribery => {
            let own = may_be_own(setup, mission);
            for (at, owner) in state.stacks(setup).filter(|it| own || it.1 != player) {
                let hex = setup.map.place(at).hex;
                consider(Target::Stack(StackTarget { hex, owner }))?;
            }
        }
        Mission::Revolt | Mission::Arson => {
            for city in 1..=setup.map.cities() {
                consider(Target::City(CityTarget { city }))?;
            }
        }
        Mission::Thievery => {
            for player in setup.all() {
                consider(Target::Player(PlayerTarget { player }))?;
            }
        }
        Mission::Choose => {}
    }
    ControlFlow::Continue(())
}

/// DBD-12.4 Whether a result of the die has a legal target; after a 10, any mission of one's
/// choice.
pub(super) fn has_target(setup: &Setup, state: &State, player: Player, mission: Mission) -> bool {
    if mission == Mission::Choose {
        return Mission::ALL[..9].iter().any(|&it| has_target(setup, state, player, it));
    }
    each_target(setup, state, player, mission, |_| ControlFlow::Break(())).is_break()
}

/// DBD-12.4 The target is picked, or the success passed on.
pub(super) fn aim_mission(ctx: &mut Ctx<'_>, it: &SpyTarget) -> Verdict {
    check_aim(ctx.setup(), ctx.state(), it)?;
    let (Some(mission), Some(target)) = (check_choice(ctx.state(), it)?, it.target) else {
        fail_mission(ctx, it.player, Failure::Passed, Rule::C12_4);
        return Ok(());
    };
    let event = Happening::MissionAimed { player: it.player, mission, target };
    ctx.happen(event.into(), [Rule::C12_4, Rule::C12_3]);
    match ctx.setup().rulings.church_turn {
        ChurchTurn::AfterAgents => meet_agents(ctx, it.player, target).map(|_| ()),
        ChurchTurn::BeforeAgents => Ok(()),
    }
}

/// DBD-12.6 Whether agents foil the mission: it comes to nothing.
fn meet_agents(ctx: &mut Ctx<'_>, player: Player, target: Target) -> Result<bool, Stop> {
    let foiled = ask_agents(ctx, player, target)?;
    if foiled {
        fail_mission(ctx, player, Failure::Agent, Rule::C12_6);
    }
    Ok(foiled)
}

/// DBD-12.7 The player who decides about a mission that is aimed: another one who holds the favour; with DBD-R25 read as
/// `against_self` only if the mission is against him.
pub(super) fn church_asked(setup: &Setup, state: &State, target: Target) -> Option<Player> {
    let holder = state.favor.filter(|&it| ch05_church::holds_favour(state, it, FavorUse::Negate));
    let holder = holder.filter(|&holder| Some(holder) != state.active)?;
    let asked =
        setup.rulings.negation == Negation::AnyMission || owner_of(state, target) == Some(holder);
    asked.then_some(holder)
}

/// DBD-12.6 Each agent in the target's hex that is not the spy's throws, until one foils; with DBD-R47 read as `one_die`, one die
/// is thrown for all of them.
fn ask_agents(ctx: &mut Ctx<'_>, player: Player, target: Target) -> Result<bool, Stop> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let at = match target {
        Target::Unit(it) => state.unit(it.unit).map(|unit| unit.at),
        Target::Stack(it) => setup.map.find(it.hex),
        Target::City(it) => Some(setup.map.site(it.city).at),
        Target::Player(_) => None,
    };
    let Some(at) = at else { return Ok(false) };
    let agents = state.units_at(at).filter(|it| it.kind == Kind::Agent && it.owner != Some(player));
    let watches = |agent: &&Unit| !state.is_off_duty(setup, agent);
    let mut agents: Vec<u32> = agents.filter(watches).map(|agent| agent.id).collect();
    if setup.rulings.agents == Agents::OneDie {
        agents.truncate(1);
    }
    for agent in agents {
        let throw = throw_die(ctx, Stream::Agent, 6, Rule::C12_6)?;
        ctx.happen(Happening::AgentThrew { agent, die: throw }.into(), Rule::C12_6);
        if throw <= 2 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// DBD-12.7 Another player who holds the favour may make the mission fail.
pub(super) fn negate_mission(ctx: &mut Ctx<'_>, it: &FavorNegate) -> Verdict {
    ch19_validity::check_is_asked(ctx.state(), it.player, Stage::FavorNegate)?;
    let Some(player) = ctx.state().active else { return Ok(()) };
    if it.r#use {
        let used = Happening::FavorUsed { player: it.player, r#use: FavorUse::Negate, die: None };
        ctx.happen(used.into(), [Rule::C5_12, Rule::C12_7]);
        fail_mission(ctx, player, Failure::Negated, Rule::C12_7);
    }
    Ok(())
}

/// DBD-12.8 to DBD-12.15 The effect of a mission that goes through; with DBD-R106 read as `before_agents`, agents come only now.
pub(super) fn carry_out_mission(
    ctx: &mut Ctx<'_>,
    player: Player,
    mission: Mission,
    target: Target,
) -> Verdict {
    if ctx.setup().rulings.church_turn == ChurchTurn::BeforeAgents
        && meet_agents(ctx, player, target)?
    {
        return Ok(());
    }
    match (mission, target) {
        (Mission::Assassinate, Target::Unit(it)) => {
            finish_mission(ctx, player, mission, target, 0, 0, Rule::C12_8);
            destroy_target(ctx, it.unit, Rule::C12_8);
        }
        (Mission::SetFire, Target::Unit(it)) => {
            finish_mission(ctx, player, mission, target, 0, 0, Rule::C12_9);
            destroy_target(ctx, it.unit, Rule::C12_9);
        }
        (Mission::Banditry | Mission::Piracy, Target::Unit(it)) => {
            let gained = throw_booty(ctx)?;
            finish_mission(ctx, player, mission, target, gained, 0, Rule::C12_10);
            destroy_target(ctx, it.unit, Rule::C12_10);
        }
        (Mission::Sabotage, Target::Stack(it)) => {
            finish_mission(ctx, player, mission, target, 0, 0, Rule::C12_11);
            sabotage_stack(ctx, it);
        }
        (Mission::Bribery, Target::Stack(it)) => bribe_stack(ctx, player, it),
        (Mission::Revolt, Target::City(it)) => {
            finish_mission(ctx, player, mission, target, 0, 0, Rule::C12_13);
            ch17_control::turn_neutral(ctx, it.city, ch17_control::Turning::Troops, Rule::C12_13)?;
        }
        (Mission::Thievery, Target::Player(it)) => {
            let die = throw_booty(ctx)?;
            let gained = match ctx.setup().rulings.theft {
                Theft::WhatHeHas => die.min(ctx.state().gold(it.player)),
                Theft::BankTopsUp => die,
            };
            finish_mission(ctx, player, mission, target, gained, 0, Rule::C12_14);
        }
        (Mission::Arson, Target::City(it)) => {
            finish_mission(ctx, player, mission, target, 0, 0, Rule::C12_15);
            burn_city(ctx, it.city);
        }
        _ => fail_mission(ctx, player, Failure::NoTarget, Rule::C12_4),
    }
    Ok(())
}

/// DBD-12.8 to DBD-12.10 The target is destroyed; DBD-13.17 says what becomes of cargo.
fn destroy_target(ctx: &mut Ctx<'_>, unit: u32, rule: Rule) {
    let Some(unit_type) = ctx.state().unit(unit).map(|unit| unit.kind) else { return };
    let drowned = cargo_lost(ctx.setup(), ctx.state(), unit);
    let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::Mission, die: None };
    ctx.happen(event.into(), rule);
    for (unit, unit_type) in drowned {
        let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::Drowned, die: None };
        ctx.happen(event.into(), Rule::C13_17);
    }
}

/// DBD-12.9 A ship burns in a city hex (unless DBD-R42 is read as `coast_only`), or beside land of any kind.
fn can_burn(setup: &Setup, at: At) -> bool {
    match setup.map.place(at).city {
        0 => setup.map.beside_land(at),
        _ => setup.rulings.burning == Burning::PortToo,
    }
}

/// DBD-12.11 The units of the stack are held to the end of the next round.
fn sabotage_stack(ctx: &mut Ctx<'_>, it: StackTarget) {
    let term = ctx.state().term(ctx.setup(), Some(it.owner), true);
    if let Some(at) = ctx.setup().map.find(it.hex) {
        hold_units(ctx, at, it.owner, term, Rule::C12_11);
    }
}

/// DBD-12.12 All units of the stack change owner where they stand; with troops, their city follows.
fn bribe_stack(ctx: &mut Ctx<'_>, player: Player, it: StackTarget) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let Some(at) = setup.map.find(it.hex) else { return };
    let paid = list_price(state, at, it.owner).min(u64::from(u32::MAX)) as u32;
    let stack = state.units_at(at).filter(|unit| unit.owner == Some(it.owner));
    let bought: Vec<(u32, bool)> = stack.map(|unit| (unit.id, unit.is_military())).collect();
    let city = setup.map.place(at).city;
    let follows = setup.rulings.bribed_city == BribedCity::Follows
        && city > 0
        && bought.iter().any(|unit| unit.1)
        && state.city(city).control == Some(it.owner);
    let rules = [Rule::C12_12, Rule::R92];
    finish_mission(ctx, player, Mission::Bribery, Target::Stack(it), 0, paid, rules);
    for (unit, _) in bought {
        let event = Happening::UnitChangedOwner { unit, owner: Some(player) };
        ctx.happen(event.into(), Rule::C12_12);
    }
    if follows {
        let rules = [Rule::C12_12, Rule::C17_1, Rule::R44];
        ch17_control::pass_control(ctx, city, Some(player), rules);
    }
}

/// DBD-12.12 The list prices of all units of the stack.
fn list_price(state: &State, at: At, owner: Player) -> u64 {
    let stack = state.units_at(at).filter(|unit| unit.owner == Some(owner));
    stack.map(|unit| u64::from(unit.kind.cost())).sum()
}

/// DBD-12.15 No income and no recruiting to the end of the next round.
fn burn_city(ctx: &mut Ctx<'_>, city: u8) {
    let term = ctx.state().term(ctx.setup(), ctx.state().city(city).control, true);
    for effect in [Effect::NoIncome { city }, Effect::NoRecruits { city }] {
        start_effect(ctx, effect, term, Rule::C12_15);
    }
}

/// DBD-12.16 The gold die is thrown only if the mission goes through.
fn throw_booty(ctx: &mut Ctx<'_>) -> Result<u32, Stop> {
    throw_die(ctx, Stream::MissionGold, 6, Rule::C12_16)
}
