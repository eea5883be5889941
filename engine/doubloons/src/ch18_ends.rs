//! DBD-18 Ends: who is out, who wins, and how a game stops.
//!
//! Must not know when a test is due (DBD-18.2): `sequence::settle` does.

use super::action::prince;
use super::action::{Action, Player, PlayerSet};
use super::ch06_trading::{end_treaty_by, kill_deals};
use super::ch17_control::{Turning, turn_neutral};
use super::notice::{Cause, Happening};
use super::rulebook::{Conquest, Exile, NobodyLeft, Rule, Victory};
use super::setup::Setup;
use super::state::{Ending, State};
use super::{Checked, Ctx, Refusal, Verdict, ch19_validity};
use umpire_core::game::{Chapter, Outcome, Standing, Tally};
use umpire_core::rules::Cites;

/// DBD-18.1 Who controls every city.
pub(super) fn lord_of_all(state: &State) -> Option<Player> {
    let lord = state.cities.first().and_then(|city| city.control);
    lord.filter(|_| state.cities.iter().all(|city| city.control == lord))
}

/// DBD-18.1 Whether it counts if somebody has every city after an action: always; with DBD-R103 read as `taken`, only where a city
/// can be gained otherwise than by a deal, by one who does not have all of them yet.
pub(super) fn counts_conquest(setup: &Setup, state: &State, action: &Action) -> bool {
    setup.rulings.conquest == Conquest::AnyWay
        || (!matches!(action, Action::RespondDeal(_)) && lord_of_all(state).is_none())
}

/// DBD-18.1 All cities, if that counts now; DBD-18.4 the last in the game; DBD-18.6 all agree. In that order.
pub(super) fn test_victory(ctx: &mut Ctx<'_>, taken: bool) {
    let (setup, state) = (ctx.setup(), ctx.state());
    let conquest = lord_of_all(state).filter(|_| taken);
    let mover = state.active.filter(|_| setup.rulings.nobody_left == NobodyLeft::Mover);
    let (winner, reason, rules) = if let Some(winner) = conquest {
        (Some(winner), Ending::Conquest, Cites::from([Rule::C18_1, Rule::C18_2, Rule::R103]))
    } else if state.playing.is_empty() {
        let reason = if mover.is_some() { Ending::LastPrince } else { Ending::Nobody };
        (mover, reason, [Rule::C18_4, Rule::R82].into())
    } else if state.playing.len() == 1 && setup.rulings.victory == Victory::LastWins {
        (state.playing.iter().next(), Ending::LastPrince, [Rule::C18_4, Rule::R78].into())
    } else if state.agreed.holds(state.playing) {
        (None, Ending::Agreed, [Rule::C18_6, Rule::R79].into())
    } else {
        return;
    };
    ctx.happen(Happening::GameEnded { winner, reason }.into(), rules);
}

/// DBD-18.3 Players with no city and no unit are out.
pub(super) fn eliminate_players(ctx: &mut Ctx<'_>) {
    let mut lords = PlayerSet::NONE;
    ctx.state().cities.iter().filter_map(|city| city.control).for_each(|it| lords.insert(it));
    // Who has a city is in by either reading.
    if lords.holds(ctx.state().playing) {
        return;
    }
    let mut owners = PlayerSet::NONE;
    ctx.state().units.iter().filter_map(|unit| unit.owner).for_each(|player| owners.insert(player));
    let exile = ctx.setup().rulings.exile;
    for player in ctx.state().playing.iter() {
        let out = match exile {
            Exile::NothingLeft => !lords.contains(player) && !owners.contains(player),
            Exile::NoCity => !lords.contains(player),
        };
        if out {
            // Who still has units is out by that reading alone.
            let rules = Cites::from(Rule::C18_3);
            let rules = if owners.contains(player) { rules.and(Rule::R77) } else { rules };
            remove_units(ctx, player, rules);
            put_out(ctx, player, false, rules.and(Rule::C1_11));
        }
    }
}

/// DBD-18.3, DBD-18.5 The units of a player who goes are removed.
fn remove_units(ctx: &mut Ctx<'_>, player: Player, rules: impl Into<Cites<Rule>>) {
    let rules = rules.into();
    let units: Vec<_> =
        ctx.state().units_of(Some(player)).map(|unit| (unit.id, unit.kind)).collect();
    for (unit, unit_type) in units {
        let event = Happening::UnitDestroyed { unit, unit_type, cause: Cause::OwnerOut, die: None };
        ctx.happen(event.into(), rules);
    }
}

/// DBD-18.3 His gold, treaties, deals and favours are gone; so are routes of his that DBD-R83 read as
/// `to_it` left him.
fn put_out(ctx: &mut Ctx<'_>, player: Player, resigned: bool, rules: impl Into<Cites<Rule>>) {
    kill_deals(ctx, player, Rule::C18_3);
    for partner in ctx.state().treaties[player.index()].iter() {
        end_treaty_by(ctx, player, partner, Rule::C18_3);
    }
    let routes = ctx.state().routes.iter().filter(|it| it.owner == player);
    let ended: Vec<_> = routes.copied().collect();
    for route in ended {
        let event = Happening::RouteEnded { route: route.into() };
        ctx.happen(event.into(), [Rule::C18_3, Rule::R83]);
    }
    ctx.happen(Happening::PlayerOut { player, resigned }.into(), rules);
}

/// DBD-18.5 While any decision is awaited, but not within a mission or a battle.
pub(super) fn may_interrupt(state: &State, player: Player) -> bool {
    state.playing.contains(player) && !state.stage.is_under_way()
}

/// DBD-18.5 The player may act without being asked.
fn check_interrupt(state: &State, player: Player) -> Checked {
    if may_interrupt(state, player) {
        return Ok(());
    }
    if !state.playing.contains(player) {
        return Err(ch19_validity::misplaced(
            state,
            format!("{player} is out of the game", player = prince(player)),
        ));
    }
    let message = "a mission or a battle is under way".to_owned();
    Err(ch19_validity::misplaced(state, message).also(Rule::C18_5))
}

/// DBD-18.5 A player leaves: his cities turn neutral, his other units are removed.
pub(super) fn resign(ctx: &mut Ctx<'_>, player: Player) -> Verdict {
    check_interrupt(ctx.state(), player)?;
    let cities: Vec<u8> = ctx.state().controlled(Some(player)).collect();
    for city in cities {
        turn_neutral(ctx, city, Turning::Troops, Rule::C18_5)?;
    }
    remove_units(ctx, player, Rule::C18_5);
    put_out(ctx, player, true, [Rule::C18_5, Rule::C18_3]);
    Ok(())
}

/// DBD-18.6 Once a round; it cannot be taken back.
pub(super) fn check_agree(state: &State, player: Player) -> Checked {
    check_interrupt(state, player)?;
    if !state.agreed.contains(player) {
        return Ok(());
    }
    let message =
        format!("{player} has agreed to stop in this round already", player = prince(player));
    Err(Refusal::new(Rule::C18_6, "agreed_already", message))
}

/// DBD-18.6 All who are left agree within one round: the game stops without a winner.
pub(super) fn agree_to_end(ctx: &mut Ctx<'_>, player: Player) -> Verdict {
    check_agree(ctx.state(), player)?;
    ctx.happen(Happening::AgreedToEnd { player }.into(), Rule::C18_6);
    Ok(())
}

/// DBD-18.1, DBD-18.4, DBD-18.6 How the game ended.
pub(super) fn outcome(state: &State) -> Option<Outcome> {
    let ended = state.ended?;
    Some(Outcome { winner: ended.winner.map(Player::seat), reason: ended.reason.name() })
}

/// DBD-18.7 For information: cities, then gold.
fn ranking(setup: &Setup, state: &State) -> Vec<(Player, u8, u32, u32)> {
    let mut all: Vec<(Player, u32, u32)> =
        setup.all().map(|it| (it, state.cities_of(it), state.gold(it))).collect();
    all.sort_by_key(|&(player, cities, gold)| (std::cmp::Reverse((cities, gold)), player));
    let better = |cities, gold| all.iter().filter(|it| (it.1, it.2) > (cities, gold)).count();
    all.iter()
        .map(|&(it, cities, gold)| (it, better(cities, gold) as u8 + 1, cities, gold))
        .collect()
}

/// Whether the agreement of this player would stop the game now (DBD-18.6), and he alone stands first.
pub(super) fn stops_ahead(setup: &Setup, state: &State, player: Player) -> bool {
    let mut others = state.playing.iter().filter(|&other| other != player);
    let ahead = || {
        let ranking = ranking(setup, state);
        let mut first = ranking.iter().filter(|it| it.1 == 1).map(|it| it.0);
        first.next() == Some(player) && first.next().is_none()
    };
    others.all(|other| state.agreed.contains(other)) && ahead()
}

/// DBD-18.7 The places of all players, for information.
pub(super) fn standing(setup: &Setup, state: &State) -> Vec<Standing> {
    let row = |(player, place, cities, gold): (Player, u8, u32, u32)| {
        let counts = [("cities", cities), ("gold", gold)];
        let counts = counts.map(|(what, count)| Tally { what, count }).to_vec();
        Standing { player: player.name(), place, counts }
    };
    ranking(setup, state).into_iter().map(row).collect()
}

/// DBD-18.7 How all stand in a round, in seat order.
pub(super) fn standing_of_round(setup: &Setup, state: &State) -> Chapter {
    let mut rows: Vec<Standing> = Vec::new();
    for (player, place, cities, gold) in ranking(setup, state) {
        let units = state.units_of(Some(player)).count() as u32;
        let routes = state.routes.iter().filter(|it| it.owner == player).count() as u32;
        let counts = [("gold", gold), ("cities", cities), ("units", units), ("routes", routes)];
        let counts = counts.map(|(what, count)| Tally { what, count }).to_vec();
        rows.push(Standing { player: player.name(), place, counts });
    }
    rows.sort_by_key(|row| row.player);
    Chapter { name: "round", number: state.round, rows }
}
