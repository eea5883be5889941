//! Chapter 7: the order of the main turns.

use umpire_core::game::Verdict;

use super::notice::Fact;
use super::rulebook::Rule;
use super::wire::Player;
use super::{Doubloons, Halted, Step, Stream, die};

/// 7.1 Everybody throws; the highest goes first. 7.3 A player who leads by favour does not throw.
pub(super) fn throw(ctx: &mut Step<'_>) -> Verdict<Doubloons> {
    let state = ctx.state();
    let first = state.first.filter(|&player| state.playing.has(player));
    let others: Vec<Player> =
        state.playing.iter().filter(|&player| Some(player) != first).collect();
    let mut groups = ranked(ctx, &others, Rule::C7_1)?;
    while let Some(at) = groups.iter().position(|group| group.len() > 1) {
        let again = again(ctx, &groups[at])?;
        groups.splice(at..=at, again);
    }
    let order: Vec<Player> = first.into_iter().chain(groups.into_iter().flatten()).collect();
    let fact = Fact::TurnOrder { order };
    match first {
        Some(_) => ctx.happen(fact.into(), [Rule::C7_1, Rule::C7_3]),
        None => ctx.happen(fact.into(), Rule::C7_1),
    }
    Ok(())
}

/// 7.2 Equal players throw again among themselves, in seat order.
fn again(ctx: &mut Step<'_>, tied: &[Player]) -> Result<Vec<Vec<Player>>, Halted> {
    ranked(ctx, tied, Rule::C7_2)
}

/// Throws for each player, in seat order, and ranks them; equal ones share a group.
fn ranked(ctx: &mut Step<'_>, players: &[Player], rule: Rule) -> Result<Vec<Vec<Player>>, Halted> {
    let mut dice = Vec::with_capacity(players.len());
    for &player in players {
        dice.push((player, die(ctx, Stream::TurnOrder, 10, rule)?));
    }
    let mut ranks = dice.clone();
    if !dice.is_empty() {
        ctx.happen(Fact::OrderThrown { dice }.into(), rule);
    }
    ranks.sort_by_key(|&(_, throw)| std::cmp::Reverse(throw));
    let groups = ranks.chunk_by(|a, b| a.1 == b.1);
    Ok(groups.map(|group| group.iter().map(|it| it.0).collect()).collect())
}
