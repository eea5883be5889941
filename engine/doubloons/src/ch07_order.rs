//! DBD-7 Turn order: who has the first main turn, who the last.
//!
//! Must not start a turn.

use super::action::Player;
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::{Leading, Ranking, Rule};
use super::state::State;
use super::{Ctx, Stop, Verdict};

/// DBD-7.1 Everybody throws; the highest goes first. DBD-7.3 A player who leads by favour does not
/// throw.
pub(super) fn throw_order(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    let first = state.first.filter(|&player| state.playing.contains(player));
    let order = match ctx.setup().rulings.ranking {
        Ranking::Descending => throw_places(ctx, first)?,
        Ranking::Clockwise => {
            let leader = match first {
                Some(first) => first,
                None => throw_leader(ctx)?,
            };
            in_seat_order(ctx.state(), leader)
        }
    };
    let event = Happening::TurnOrder { order };
    match first {
        Some(_) => ctx.happen(event.into(), [Rule::C7_1, Rule::C7_3]),
        None => ctx.happen(event.into(), Rule::C7_1),
    }
    Ok(())
}

/// DBD-7.1 From the highest throw to the lowest. DBD-7.3 Who leads by favour comes first and does not throw; with DBD-R27 read as
/// `throws` he does, and leads whatever it shows.
fn throw_places(ctx: &mut Ctx<'_>, first: Option<Player>) -> Result<Vec<Player>, Stop> {
    let throws = ctx.setup().rulings.leading == Leading::Throws;
    let all = ctx.state().playing.iter();
    let all: Vec<Player> = all.filter(|&player| throws || Some(player) != first).collect();
    let mut groups = throw_ranks(ctx, &all, Rule::C7_1)?;
    groups.iter_mut().for_each(|group| group.retain(|&player| Some(player) != first));
    groups.retain(|group| !group.is_empty());
    while let Some(at) = groups.iter().position(|group| group.len() > 1) {
        let again = throw_again(ctx, &groups[at])?;
        groups.splice(at..=at, again);
    }
    Ok(first.into_iter().chain(groups.into_iter().flatten()).collect())
}

/// DBD-7.1 With DBD-R31 read as `clockwise`, the highest throw; who is tied for it throws again.
fn throw_leader(ctx: &mut Ctx<'_>) -> Result<Player, Stop> {
    let mut top: Vec<Player> = ctx.state().playing.iter().collect();
    let mut rule = Rule::C7_1;
    loop {
        let ranks = throw_ranks(ctx, &top, rule)?;
        match ranks.into_iter().next() {
            Some(group) if group.len() > 1 => (top, rule) = (group, Rule::C7_2),
            Some(group) => return Ok(group[0]),
            // Somebody is always in the game.
            None => return Ok(Player::P1),
        }
    }
}

/// DBD-7.1 The players in seat order, going round from one of them.
fn in_seat_order(state: &State, leader: Player) -> Vec<Player> {
    let seats = (0..6).map(|step| Player::at((leader.index() + step) % 6));
    seats.filter(|&player| state.playing.contains(player)).collect()
}

/// DBD-7.2 Equal players throw again among themselves, in seat order.
fn throw_again(ctx: &mut Ctx<'_>, tied: &[Player]) -> Result<Vec<Vec<Player>>, Stop> {
    throw_ranks(ctx, tied, Rule::C7_2)
}

/// DBD-7.1, DBD-7.2 Throws for each player, in seat order, and ranks them; equal ones share a group.
fn throw_ranks(
    ctx: &mut Ctx<'_>,
    players: &[Player],
    rule: Rule,
) -> Result<Vec<Vec<Player>>, Stop> {
    let mut dice = Vec::with_capacity(players.len());
    for &player in players {
        dice.push((player, throw_die(ctx, Stream::TurnOrder, 10, rule)?));
    }
    let mut ranks = dice.clone();
    if !dice.is_empty() {
        ctx.happen(Happening::OrderThrown { dice }.into(), rule);
    }
    ranks.sort_by_key(|&(_, throw)| std::cmp::Reverse(throw));
    let groups = ranks.chunk_by(|a, b| a.1 == b.1);
    Ok(groups.map(|group| group.iter().map(|it| it.0).collect()).collect())
}
