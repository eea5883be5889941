//! The 19 hexes of Drako and their geometry, worked out at compile time (A.1, DRK-1.2, 1.3).
//!
//! Hexes are numbered 0 to 18 row by row. Must not know figures.

use umpire_core::board::hex::Hex;

/// Number of hexes.
pub(crate) const SIZE: usize = 19;

/// The hexes, row by row (S2, S3, S4 for number and shape; the coordinates are ours).
pub(crate) const HEXES: [Hex; SIZE] = {
    let mut hexes = [Hex::new(0, 0); SIZE];
    let mut at = 0;
    let mut r = -2;
    while r <= 2 {
        let mut q = -2;
        while q <= 2 {
            if Hex::new(q, r).length() <= 2 {
                hexes[at] = Hex::new(q, r);
                at += 1;
            }
            q += 1;
        }
        r += 1;
    }
    hexes
};

/// The steps of the directions 0 to 5.
pub(crate) const DIRECTIONS: [Hex; 6] = [
    Hex::new(1, 0),
    Hex::new(1, -1),
    Hex::new(0, -1),
    Hex::new(-1, 0),
    Hex::new(-1, 1),
    Hex::new(0, 1),
];

/// One of the six directions: an index into [`DIRECTIONS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Direction(u8);

impl Direction {
    /// The number on the wire, 0 to 5.
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The direction of a number below 6.
    pub(crate) const fn at(index: usize) -> Direction {
        Direction(index as u8)
    }
}

umpire_core::set_of! {
    /// A set of directions.
    pub(crate) struct Directions(u8) of Direction;
}

impl Directions {
    /// All six.
    pub(crate) const ALL: Directions = Directions::first(DIRECTIONS.len());
}

/// A hex of the board: an index into [`HEXES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot(u8);

umpire_core::set_of! {
    /// A set of hexes of the board.
    pub(crate) struct Spots(u32) of Spot;
}

impl Spots {
    /// The whole board.
    pub(crate) const ALL: Spots = Spots::first(SIZE);

    /// The neighbours of each hex of the set; the set itself is not left out.
    pub(crate) fn around(self) -> Spots {
        self.iter().fold(Spots::NONE, |all, spot| all.or(spot.neighbours()))
    }
}

impl Spot {
    /// The centre.
    pub(crate) const CENTRE: Spot = Spot(SIZE as u8 / 2);

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The hex of a number below [`SIZE`].
    pub(crate) const fn at(index: usize) -> Spot {
        Spot(index as u8)
    }

    /// Where a hex lies on the board, if it does (DRK-1.2).
    pub(crate) const fn find(hex: Hex) -> Option<Spot> {
        let (q, r) = (hex.q.wrapping_add(2) as u64, hex.r.wrapping_add(2) as u64);
        if q > 4 || r > 4 {
            return None;
        }
        BY_HEX[r as usize][q as usize]
    }

    /// Its coordinates.
    pub(crate) const fn hex(self) -> Hex {
        HEXES[self.index()]
    }

    /// The adjacent hexes (DRK-1.3).
    pub(crate) fn neighbours(self) -> Spots {
        NEIGHBOURS[self.index()]
    }

    /// The hexes in one direction up to the board's edge, this one left out (DRK-1.3).
    pub(crate) fn ray(self, direction: Direction) -> Spots {
        RAYS[self.index()][direction.index()]
    }

    /// The hexes strictly between this one and another; nothing if the two are not in line
    /// (DRK-1.3).
    pub(crate) fn between(self, other: Spot) -> Option<Spots> {
        BETWEEN[self.index()][other.index()]
    }

    /// The distance in steps (DRK-1.3).
    pub(crate) fn distance(self, other: Spot) -> u32 {
        self.hex().distance(other.hex())
    }
}

const BY_HEX: [[Option<Spot>; 5]; 5] = {
    let mut table = [[None; 5]; 5];
    let mut at = 0;
    while at < SIZE {
        table[(HEXES[at].r + 2) as usize][(HEXES[at].q + 2) as usize] = Some(Spot::at(at));
        at += 1;
    }
    table
};

/// The hex one step on, if it is on the board.
const fn next(hex: Hex, direction: usize) -> Option<Spot> {
    let step = DIRECTIONS[direction];
    Spot::find(Hex::new(hex.q + step.q, hex.r + step.r))
}

const NEIGHBOURS: [Spots; SIZE] = {
    let mut table = [Spots::NONE; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            if let Some(spot) = next(HEXES[at], direction) {
                table[at].insert(spot);
            }
            direction += 1;
        }
        at += 1;
    }
    table
};

const RAYS: [[Spots; DIRECTIONS.len()]; SIZE] = {
    let mut table = [[Spots::NONE; DIRECTIONS.len()]; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let mut hex = HEXES[at];
            while let Some(spot) = next(hex, direction) {
                table[at][direction].insert(spot);
                hex = spot.hex();
            }
            direction += 1;
        }
        at += 1;
    }
    table
};

const BETWEEN: [[Option<Spots>; SIZE]; SIZE] = {
    let mut table = [[None; SIZE]; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let mut hex = HEXES[at];
            let mut passed = Spots::NONE;
            while let Some(spot) = next(hex, direction) {
                table[at][spot.index()] = Some(passed);
                passed.insert(spot);
                hex = spot.hex();
            }
            direction += 1;
        }
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_one_centre_six_inner_and_twelve_outer_hexes() {
        let ring = |n| HEXES.iter().filter(|hex| hex.length() == n).count();
        assert_eq!((ring(0), ring(1), ring(2)), (1, 6, 12));
        assert_eq!(Spot::CENTRE.hex(), Hex::new(0, 0));
    }

    #[test]
    fn neighbours_are_the_hexes_at_distance_one() {
        for a in Spots::ALL.iter() {
            for b in Spots::ALL.iter() {
                assert_eq!(a.neighbours().contains(b), a.distance(b) == 1);
            }
        }
    }

    #[test]
    fn corners_are_in_line_with_the_centre_and_edge_middles_are_not() {
        for (q, r) in [(2, 0), (0, 2), (-2, 2), (-2, 0), (0, -2), (2, -2)] {
            assert!(Spot::CENTRE.between(Spot::find(Hex::new(q, r)).unwrap()).is_some());
        }
        for (q, r) in [(1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1)] {
            assert!(Spot::CENTRE.between(Spot::find(Hex::new(q, r)).unwrap()).is_none());
        }
    }

    #[test]
    fn a_hex_off_the_board_has_no_spot() {
        for (q, r) in [(3, -1), (2, 1), (i64::MAX, 0), (0, i64::MIN), (1 << 32, 0), (0, -1 << 32)] {
            assert_eq!(Spot::find(Hex::new(q, r)), None);
        }
        for spot in Spots::ALL.iter() {
            assert_eq!(Spot::find(spot.hex()), Some(spot));
        }
    }
}
