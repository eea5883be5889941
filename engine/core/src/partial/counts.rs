//! Cards that a record uses up more often than there are: impossible whatever was not written down.
//!
//! Counted before anything is followed: what is put back or unknown can only use up more. Must not know a game, and must
//! not count a card that may come back.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::case::{Case, Sent};
use super::world::World;
use crate::game::{FullGame, PlayerAction, Seat};

/// The first action that uses up a card of which none is left.
pub(super) struct TooMany {
    /// Its place in the record.
    pub(super) at: usize,
    /// Why it cannot be, for people.
    pub(super) words: String,
}

/// The first action of the record that uses up a card of which the actions before it have used up every copy.
pub(super) fn too_many<G: FullGame>(case: &Case<'_, G>, begin: &[World<G>]) -> Option<TooMany> {
    let mut used: BTreeMap<(Seat, String), (u32, Vec<usize>)> = BTreeMap::new();
    for (at, sent) in case.sent.iter().enumerate() {
        let Sent::Known(action) = sent else { continue };
        let seat = G::Action::seat(action);
        for card in G::list_spent(&case.setup, action) {
            let name = card.clone();
            let (left, places) = match used.entry((seat, card)) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let states = begin.iter().map(|world| world.table.state());
                    let stock = states
                        .filter_map(|it| G::count_stock(&case.setup, it, seat, &entry.key().1));
                    let Some(stock) = stock.max() else { continue };
                    entry.insert((stock, Vec::new()))
                }
            };
            places.push(at);
            if *left == 0 {
                let words = said(G::META.seat_name(seat), &name, places);
                return Some(TooMany { at, words });
            }
            *left -= 1;
        }
    }
    None
}

fn said(seat: &str, card: &str, places: &[usize]) -> String {
    let (seat, had) = (seat.replace('_', " "), places.len() - 1);
    let last = places[had];
    if had == 0 {
        return format!("action {last} uses up {card}, of which {seat} has none");
    }
    let list: Vec<String> = places[..had].iter().map(|at| format!("action {at}")).collect();
    let list = list.join(", ");
    format!("action {last} uses up {card}, of which {seat} has {had}, used up by {list}")
}
