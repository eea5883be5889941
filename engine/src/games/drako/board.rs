//! The 19 hexes of Drako and their geometry, worked out at compile time (A.1, DRK-1.2, 1.3).
//!
//! Hexes are numbered 0 to 18 row by row; sets of hexes are bit masks. Must not know figures.

use crate::board::hex::Hex;

/// Number of hexes.
pub(super) const SIZE: usize = 19;

/// The hexes, row by row.
pub(super) const HEXES: [Hex; SIZE] = {
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
pub(super) const DIRECTIONS: [Hex; 6] = [
    Hex::new(1, 0),
    Hex::new(1, -1),
    Hex::new(0, -1),
    Hex::new(-1, 0),
    Hex::new(-1, 1),
    Hex::new(0, 1),
];

/// A place on the board: an index into [`HEXES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(u8);

impl Place {
    /// The place of a hex, if it is on the board (DRK-1.2).
    pub(super) const fn of(hex: Hex) -> Option<Place> {
        let mut at = 0;
        while at < SIZE {
            if HEXES[at].q == hex.q && HEXES[at].r == hex.r {
                return Some(Place(at as u8));
            }
            at += 1;
        }
        None
    }

    /// The same, by table: for reading actions.
    pub(super) fn find(hex: Hex) -> Option<Place> {
        let (q, r) = (hex.q.wrapping_add(2) as u32, hex.r.wrapping_add(2) as u32);
        if q > 4 || r > 4 {
            return None;
        }
        let at = BY_HEX[r as usize][q as usize];
        (at != NOWHERE).then_some(Place(at))
    }

    /// The hex.
    pub(super) fn hex(self) -> Hex {
        HEXES[self.index()]
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The set that holds just this place.
    pub(super) fn mask(self) -> u32 {
        1 << self.0
    }

    /// The neighbouring places (DRK-1.3).
    pub(super) fn neighbours(self) -> u32 {
        NEIGHBOURS[self.index()]
    }

    /// The places behind this one in a direction, to the board's edge (DRK-1.3).
    pub(super) fn ray(self, direction: usize) -> u32 {
        RAYS[self.index()][direction]
    }

    /// The places strictly between this and another in line with it; nothing if they are not in
    /// line.
    pub(super) fn between(self, other: Place) -> Option<u32> {
        let mask = BETWEEN[self.index()][other.index()];
        (mask != NOT_IN_LINE).then_some(mask)
    }

    /// The distance in steps.
    pub(super) fn distance(self, other: Place) -> u32 {
        self.hex().distance(other.hex())
    }
}

/// The places of a set, in order.
pub(super) fn places(mut set: u32) -> impl Iterator<Item = Place> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let at = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(Place(at))
    })
}

/// The place at position `nth` of a set; the first where the set has fewer.
pub(super) fn nth_place(mut set: u32, nth: u32) -> Place {
    for _ in 0..nth {
        set &= set.wrapping_sub(1);
    }
    Place((set.trailing_zeros() as u8).min(SIZE as u8 - 1))
}

/// The neighbours of a whole set, the set itself not excluded.
pub(super) fn around(set: u32) -> u32 {
    places(set).fold(0, |all, place| all | place.neighbours())
}

/// All places.
pub(super) const ALL: u32 = (1 << SIZE) - 1;

const NOWHERE: u8 = u8::MAX;
const NOT_IN_LINE: u32 = u32::MAX;

const BY_HEX: [[u8; 5]; 5] = {
    let mut table = [[NOWHERE; 5]; 5];
    let mut at = 0;
    while at < SIZE {
        table[(HEXES[at].r + 2) as usize][(HEXES[at].q + 2) as usize] = at as u8;
        at += 1;
    }
    table
};

const fn step(hex: Hex, direction: usize) -> Hex {
    Hex::new(hex.q + DIRECTIONS[direction].q, hex.r + DIRECTIONS[direction].r)
}

const NEIGHBOURS: [u32; SIZE] = {
    let mut table = [0; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < 6 {
            if let Some(Place(next)) = Place::of(step(HEXES[at], direction)) {
                table[at] |= 1 << next;
            }
            direction += 1;
        }
        at += 1;
    }
    table
};

const RAYS: [[u32; 6]; SIZE] = {
    let mut table = [[0; 6]; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < 6 {
            let mut hex = step(HEXES[at], direction);
            while let Some(Place(next)) = Place::of(hex) {
                table[at][direction] |= 1 << next;
                hex = step(hex, direction);
            }
            direction += 1;
        }
        at += 1;
    }
    table
};

const BETWEEN: [[u32; SIZE]; SIZE] = {
    let mut table = [[NOT_IN_LINE; SIZE]; SIZE];
    let mut at = 0;
    while at < SIZE {
        let mut direction = 0;
        while direction < 6 {
            let mut hex = step(HEXES[at], direction);
            let mut passed = 0;
            while let Some(Place(next)) = Place::of(hex) {
                table[at][next as usize] = passed;
                passed |= 1 << next;
                hex = step(hex, direction);
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
    }

    #[test]
    fn neighbours_are_the_hexes_at_distance_one() {
        for a in places(ALL) {
            for b in places(ALL) {
                assert_eq!(a.neighbours() & b.mask() != 0, a.distance(b) == 1);
            }
        }
    }

    #[test]
    fn corners_are_in_line_with_the_centre_and_edge_middles_are_not() {
        let centre = Place::find(Hex::new(0, 0)).unwrap();
        for (q, r) in [(2, 0), (0, 2), (-2, 2), (-2, 0), (0, -2), (2, -2)] {
            assert!(centre.between(Place::find(Hex::new(q, r)).unwrap()).is_some());
        }
        for (q, r) in [(1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1)] {
            assert!(centre.between(Place::find(Hex::new(q, r)).unwrap()).is_none());
        }
    }

    #[test]
    fn a_hex_off_the_board_has_no_place() {
        for (q, r) in [(3, -1), (2, 1), (i32::MAX, 0), (0, i32::MIN)] {
            assert_eq!(Place::find(Hex::new(q, r)), None);
            assert_eq!(Place::of(Hex::new(q, r)), None);
        }
    }
}
