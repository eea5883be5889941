//! Where the areas of the map lie in a picture: the sea below, the hills at the rim, the town within its wall.
//!
//! The printed map gives no geometry that we know; the places follow the sources of A.2 (the gates by the points of the
//! compass, the borough between two streams) so that no two links cross. Must hold nothing but data.

use umpire_core::scene::Point;

/// How wide and high the land and the sea are.
pub(crate) const WIDTH: i32 = 1450;
/// Where the sea begins.
pub(crate) const SHORE: i32 = 876;
/// How far it reaches.
pub(crate) const SEA: i32 = 1050;

/// How far the plate of an area, on which tokens stand and its name is written, reaches from its middle: to each side,
/// up and down.
pub(crate) const PLATE: [i32; 3] = [68, 44, 44];

/// The town wall, corner by corner.
pub(crate) const WALL: [Point; 12] = [
    [185, 385],
    [394, 362],
    [516, 162],
    [644, 162],
    [765, 238],
    [957, 238],
    [1021, 462],
    [1271, 462],
    [1271, 862],
    [215, 862],
    [215, 650],
    [185, 500],
];

/// The line of the shore, from the left to the right.
pub(crate) const BAY: [Point; 7] =
    [[40, 960], [150, 890], [420, 868], [725, 864], [1040, 868], [1290, 886], [1390, 950]];

/// The hills behind the town: where each rises, its peak, and where it ends.
#[rustfmt::skip]
pub(crate) const HILLS: [[Point; 3]; 6] = [
    [[-66, 160], [90, -60], [330, 230]],
    [[1180, 260], [1330, -20], [1450, 190]],
    [[180, 240], [420, 0], [660, 220]],
    [[820, 220], [1040, -30], [1260, 260]],
    [[540, 210], [760, 10], [980, 230]],
    [[1290, 470], [1420, 380], [1450, 420]],
];

/// Where the plain before the hills begins, from the left to the right.
pub(crate) const PLAIN: [Point; 6] =
    [[20, 440], [200, 500], [420, 450], [800, 520], [1180, 440], [1380, 560]];

/// Where trees stand.
#[rustfmt::skip]
pub(crate) const TREES: [Point; 12] = [
    [60, 200], [30, 330], [280, 240], [270, 330], [520, 60], [620, 80], [1110, 130], [1180, 90], [1390, 110],
    [1120, 340], [1390, 610], [40, 700],
];

/// Waves, from the shore on.
#[rustfmt::skip]
pub(crate) const WAVES: [Point; 9] = [
    [130, 116], [260, 70], [380, 120], [520, 60], [930, 70], [1060, 126], [1180, 66], [1300, 110], [560, 136],
];

/// The middle of each area.
#[rustfmt::skip]
const PLACES: [(&str, Point); 31] = [
    ("porta_saline", [304, 800]),
    ("imbarcadero", [548, 800]),
    ("fondaci", [778, 800]),
    ("piazza_da_basso", [893, 681]),
    ("stella", [1136, 675]),
    ("nagge", [1162, 800]),
    ("santi_gervasio", [292, 575]),
    ("corte", [471, 681]),
    ("carruggio", [676, 588]),
    ("rolecca", [804, 444]),
    ("porta_san_francesco", [983, 562]),
    ("san_francesco", [1175, 538]),
    ("porta_orti", [264, 446]),
    ("torre_civica", [432, 444]),
    ("santo_stefano", [599, 444]),
    ("ospedale", [692, 324]),
    ("porta_molinello", [893, 312]),
    ("porta_santantonio", [584, 214]),
    ("saline", [140, 752]),
    ("ponte_bolago", [58, 606]),
    ("orti", [152, 290]),
    ("sant_agostino", [394, 188]),
    ("cerisola", [740, 112]),
    ("fossato_monti", [1044, 238]),
    ("borzoli", [1226, 362]),
    ("seglio", [1316, 676]),
    ("san_nicola", [8, 450]),
    ("san_massimo", [215, 125]),
    ("crocetta", [932, 88]),
    ("monte_letho", [1316, 200]),
    ("sant_ambrogio", [1372, 510]),
];

/// The middle of an area of the printed map.
pub(crate) fn place(id: &str) -> Option<Point> {
    PLACES.iter().find(|(it, _)| *it == id).map(|&(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::map::map;

    fn links() -> Vec<[(String, Point); 2]> {
        let mut all = Vec::new();
        for area in map(1) {
            let from = (area.id.to_string(), place(area.id.as_str()).expect("a place"));
            for other in area.roads.iter().chain(&area.trails) {
                let to = (other.to_string(), place(other.as_str()).expect("a place"));
                // Each is listed from both ends.
                if from.0 < to.0 {
                    all.push([from.clone(), to]);
                }
            }
        }
        all
    }

    /// On which side of the line from `a` to `b` a place lies.
    fn side(a: Point, b: Point, c: Point) -> i64 {
        let [dx, dy] = [i64::from(b[0] - a[0]), i64::from(b[1] - a[1])];
        (dx * i64::from(c[1] - a[1]) - dy * i64::from(c[0] - a[0])).signum()
    }

    /// The edges of a plate: left, top, right, bottom.
    fn plate([x, y]: Point) -> [i32; 4] {
        let [side, up, down] = PLATE;
        [x - side, y - up, x + side, y + down]
    }

    #[test]
    fn every_area_lies_somewhere_and_no_two_plates_touch() {
        assert_eq!(map(1).len(), PLACES.len());
        for area in map(1) {
            assert!(place(area.id.as_str()).is_some(), "{}", area.id);
        }
        for (number, (one, a)) in PLACES.iter().enumerate() {
            for (other, b) in &PLACES[number + 1..] {
                let (a, b) = (plate(*a), plate(*b));
                let apart =
                    (0..2).any(|axis| a[axis] >= b[axis + 2] + 6 || b[axis] >= a[axis + 2] + 6);
                assert!(apart, "{one} and {other}: {a:?}, {b:?}");
            }
        }
    }

    #[test]
    fn no_two_links_cross() {
        let links = links();
        assert_eq!(links.len(), 48);
        for (number, [a, b]) in links.iter().enumerate() {
            for [c, d] in &links[number + 1..] {
                if [&c.0, &d.0].iter().any(|it| **it == a.0 || **it == b.0) {
                    continue;
                }
                let apart = side(a.1, b.1, c.1) * side(a.1, b.1, d.1) < 0
                    && side(c.1, d.1, a.1) * side(c.1, d.1, b.1) < 0;
                assert!(!apart, "{} - {} crosses {} - {}", a.0, b.0, c.0, d.0);
            }
        }
    }

    #[test]
    fn no_link_runs_over_the_plate_of_another_area() {
        for [(one, a), (other, b)] in links() {
            for (id, c) in &PLACES {
                if *id == one || *id == other {
                    continue;
                }
                let [left, top, right, low] = plate(*c);
                // Walks along the link in small steps.
                for step in 0..=400 {
                    let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * step / 400);
                    let within = (left..=right).contains(&at[0]) && (top..=low).contains(&at[1]);
                    assert!(!within, "{one} - {other} runs over {id} at {at:?}");
                }
            }
        }
    }

    #[test]
    fn the_town_lies_within_the_wall_and_the_land_without() {
        let inside = |[x, y]: Point| {
            let mut within = false;
            for (number, [ax, ay]) in WALL.iter().enumerate() {
                let [bx, by] = WALL[(number + 1) % WALL.len()];
                if (*ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
                    within = !within;
                }
            }
            within
        };
        for area in map(1) {
            let at = place(area.id.as_str()).expect("a place");
            let town = area.kind == crate::setup::AreaKind::Town;
            assert_eq!(inside(at), town, "{}", area.id);
            assert!((0..WIDTH).contains(&at[0]) && (0..SHORE).contains(&at[1]), "{}", area.id);
            if town {
                let [left, top, right, low] = plate(at);
                for corner in [[left, top], [right, top], [right, low], [left, low]] {
                    assert!(inside(corner), "{} at {corner:?}", area.id);
                }
            }
        }
    }
}
