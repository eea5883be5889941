//! The weights of all seats of a game in one row, those that seats share once.
//!
//! Must not change a weight.

use umpire_engine::game::{FullGame, Seat, Table};

/// Where the weights of each seat stand in the row.
pub(crate) struct Layout {
    /// Where those of a seat begin, by its index.
    pub(crate) begins: Vec<usize>,
    /// How many there are of all seats.
    pub(crate) size: usize,
    counts: Vec<usize>,
}

impl Layout {
    /// That of a game at so many seats.
    pub(crate) fn of<G: FullGame>(seats: usize) -> Self {
        let weights = |seat| G::weights(Seat::at(seat));
        let (mut begins, mut size) = (Vec::new(), 0);
        for seat in 0..seats {
            match (0..seat).find(|&other| std::ptr::eq(weights(other), weights(seat))) {
                Some(other) => begins.push(begins[other]),
                None => {
                    begins.push(size);
                    size += weights(seat).len();
                }
            }
        }
        Layout { begins, size, counts: (0..seats).map(|seat| weights(seat).len()).collect() }
    }

    /// Those of each seat.
    pub(crate) fn seats<'a, T>(&self, row: &'a [T]) -> Vec<&'a [T]> {
        let seats = self.begins.iter().zip(&self.counts);
        seats.map(|(&begin, &count)| &row[begin..begin + count]).collect()
    }

    /// Prints a row as it stands in the game's source.
    #[allow(clippy::print_stdout, reason = "a tool speaks to whoever runs it")]
    pub(crate) fn print<G: FullGame>(&self, row: &[i32]) {
        for (seat, weights) in self.seats(row).into_iter().enumerate() {
            if !self.begins[..seat].contains(&self.begins[seat]) {
                let name = G::META.seat_name(Seat::at(seat)).to_uppercase();
                println!("static {name}: [i32; {}] = {weights:?};", weights.len());
            }
        }
    }
}

/// What the game counts for a seat.
pub(crate) fn features<G: FullGame>(table: &Table<G>, seat: Seat) -> Vec<f64> {
    let mut features = Vec::new();
    G::features(table.setup(), table.state(), seat, &mut features);
    features.into_iter().map(f64::from).collect()
}
