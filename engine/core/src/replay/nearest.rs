//! The legal actions most like one that was refused.
//!
//! Must not tell a viewer of an action that this viewer may not know to be legal.

use serde::Serialize;
use serde_json::value::RawValue;

use super::answer::raw;
use crate::game::{Game, Listing, Observer, Seat, Seats, Table};

/// The most legal actions that stand beside a refusal.
pub(crate) const NEAREST: usize = 5;

/// The legal actions most like the one that was sent: of the seat that sent it, or, told to the
/// referee alone, of those who decide instead.
pub(crate) fn nearest<G: Game>(
    table: &Table<G>,
    seat: Option<Seat>,
    sent: &str,
    viewer: Observer,
) -> Vec<Box<RawValue>> {
    let sent: serde_json::Value = serde_json::from_str(sent).unwrap_or_default();
    let seats = match seat.filter(|&seat| table.may_act().contains(seat)) {
        Some(seat) => Seats::one(seat),
        None if viewer == Observer::Referee => table.decision().seats,
        None => Seats::NONE,
    };
    let mut all: Vec<G::Action> =
        seats.iter().flat_map(|seat| most_alike(table, seat, &sent).take(NEAREST)).collect();
    all.sort_by_cached_key(|action| least_similar(&sent, action));
    all.iter().take(NEAREST).map(raw).collect()
}

/// The first few thousand legal actions of a seat, those most like the one that was sent first.
pub(crate) fn most_alike<G: Game>(
    table: &Table<G>,
    seat: Seat,
    sent: &serde_json::Value,
) -> impl Iterator<Item = G::Action> + use<G> {
    const LOOK_AT: usize = 5000;
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LOOK_AT };
    let _ = table.legal(seat, &mut listing);
    listing.actions.sort_by_cached_key(|action| least_similar(sent, action));
    listing.actions.into_iter()
}

/// A key that sorts the most alike actions first.
fn least_similar<A: Serialize>(sent: &serde_json::Value, action: &A) -> std::cmp::Reverse<u32> {
    let value = serde_json::to_value(action).unwrap_or_default();
    std::cmp::Reverse(similarity(sent, &value))
}

/// How alike two values are: equal fields count, the same type of action most.
pub(crate) fn similarity(a: &serde_json::Value, b: &serde_json::Value) -> u32 {
    use serde_json::Value;
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => a
            .iter()
            .filter_map(|(key, value)| {
                let weight = if key == "type" { 100 } else { 10 };
                Some(weight * similarity(value, b.get(key)?) / 10)
            })
            .sum(),
        (Value::Array(a), Value::Array(b)) if !a.is_empty() && !b.is_empty() => {
            let same: u32 = a.iter().zip(b).map(|(a, b)| similarity(a, b)).sum();
            same / a.len().max(b.len()) as u32
        }
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => 10u32.saturating_sub(a.abs_diff(b).min(10) as u32 * 2),
            _ => 0,
        },
        (a, b) => u32::from(a == b) * 10,
    }
}
