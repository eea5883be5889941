//! Cards that a record uses up more often than there are: impossible whatever was not written down.
//!
//! Counted before anything is followed: what is put back or unknown can only use up more. Must not know a game, and must
//! not count a card that may come back.

use std::collections::BTreeMap;

use super::search::{Case, Sent};
use super::world::World;
use crate::game::{Game, Seat};

/// The first action that uses up a card of which none is left.
pub(super) struct TooMany {
    /// Its place in the record.
    pub(super) at: usize,
    /// Why it cannot be, for people.
    pub(super) words: String,
}

/// The first action of the record that uses up a card of which the actions before it have used up every copy.
pub(super) fn too_many<G: Game>(case: &Case<'_, G>, begin: &[World<G>]) -> Option<TooMany> {
    let mut used: BTreeMap<(Seat, String), (u32, Vec<usize>)> = BTreeMap::new();
    for (at, sent) in case.sent.iter().enumerate() {
        let Sent::Known(action) = sent else { continue };
        let seat = G::player(action);
        for card in G::spends(&case.setup, action) {
            let states = begin.iter().map(|world| world.table.state());
            let stock = || states.filter_map(|it| G::stock(&case.setup, it, seat, &card)).max();
            let (left, places) = match used.get_mut(&(seat, card.clone())) {
                Some(used) => used,
                None => {
                    let Some(stock) = stock() else { continue };
                    used.entry((seat, card.clone())).or_insert((stock, Vec::new()))
                }
            };
            places.push(at);
            if *left == 0 {
                let words = said(G::META.seat_name(seat), &card, places);
                return Some(TooMany { at, words });
            }
            *left -= 1;
        }
    }
    None
}

fn said(seat: &str, card: &str, places: &[usize]) -> String {
    let seat = seat.replace('_', " ");
    let (Some((last, before)), all) = (places.split_last(), places.len() - 1) else {
        return String::new();
    };
    let list = before.iter().map(|at| format!("action {at}")).collect::<Vec<_>>().join(", ");
    match all {
        0 => format!("action {last} uses up {card}, of which {seat} has none"),
        1 => format!("action {last} uses up {card}, of which {seat} has 1, used up by {list}"),
        all => {
            format!("action {last} uses up {card}, of which {seat} has {all}, used up by {list}")
        }
    }
}
