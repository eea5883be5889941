//! DBD-7 Turn order: who has the first main turn, who the last.
//!
//! Must not start a turn.

use super::action::Player;
use super::ch19_validity::chance::{Stream, throw_die};
use super::notice::Happening;
use super::rulebook::Rule;
use super::{Ctx, Stop, Verdict};

/// DBD-7.1 Everybody throws; the highest goes first. DBD-7.3 A player who leads by favour does not
/// throw.
pub(super) fn throw_order(ctx: &mut Ctx<'_>) -> Verdict {
    let state = ctx.state();
    let first = state.first.filter(|&player| state.playing.contains(player));
    let others: Vec<Player> =
        state.playing.iter().filter(|&player| Some(player) != first).collect();
    let mut groups = throw_ranks(ctx, &others, Rule::C7_1)?;
    while let Some(at) = groups.iter().position(|group| group.len() > 1) {
        let again = throw_again(ctx, &groups[at])?;
        groups.splice(at..=at, again);
    }
    let order: Vec<Player> = first.into_iter().chain(groups.into_iter().flatten()).collect();
    let event = Happening::TurnOrder { order };
    match first {
        Some(_) => ctx.happen(event.into(), [Rule::C7_1, Rule::C7_3]),
        None => ctx.happen(event.into(), Rule::C7_1),
    }
    Ok(())
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
