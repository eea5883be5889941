//! Where the areas of the map lie in a picture: the sea below, the hills at the rim, the town within its wall.
//!
//! The printed map gives no geometry that we know; the places follow the sources of A.2 (the gates by the points of the
//! compass, the borough between two streams) so that no two links cross. Must hold nothing but data.

use umpire_core::scene::Point;

/// How wide and high the land and the sea are.
pub(crate) const WIDTH: i32 = 1080;
/// Where the sea begins.
pub(crate) const SHORE: i32 = 700;
/// How far it reaches.
pub(crate) const SEA: i32 = 800;

/// The town wall, corner by corner.
pub(crate) const WALL: [Point; 12] = [
    [190, 300],
    [300, 290],
    [395, 130],
    [495, 130],
    [590, 190],
    [740, 190],
    [790, 370],
    [985, 370],
    [985, 690],
    [150, 690],
    [150, 520],
    [110, 400],
];

/// The middle of each area.
#[rustfmt::skip]
const PLACES: [(&str, Point); 31] = [
    ("porta_saline", [230, 640]),
    ("imbarcadero", [420, 640]),
    ("fondaci", [600, 640]),
    ("piazza_da_basso", [690, 545]),
    ("stella", [880, 540]),
    ("nagge", [900, 640]),
    ("santi_gervasio", [220, 460]),
    ("corte", [360, 545]),
    ("carruggio", [520, 470]),
    ("rolecca", [620, 355]),
    ("porta_san_francesco", [760, 450]),
    ("san_francesco", [910, 430]),
    ("porta_orti", [190, 355]),
    ("torre_civica", [330, 355]),
    ("santo_stefano", [460, 355]),
    ("ospedale", [530, 250]),
    ("porta_molinello", [690, 250]),
    ("porta_santantonio", [440, 180]),
    ("saline", [105, 600]),
    ("ponte_bolago", [40, 480]),
    ("orti", [105, 240]),
    ("sant_agostino", [300, 150]),
    ("cerisola", [570, 90]),
    ("fossato_monti", [800, 190]),
    ("borzoli", [960, 290]),
    ("seglio", [1030, 540]),
    ("san_nicola", [30, 365]),
    ("san_massimo", [160, 100]),
    ("crocetta", [720, 70]),
    ("monte_letho", [1010, 160]),
    ("sant_ambrogio", [1035, 420]),
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
        for area in map() {
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

    #[test]
    fn every_area_lies_somewhere_and_no_two_near_each_other() {
        assert_eq!(map().len(), PLACES.len());
        for area in map() {
            assert!(place(area.id.as_str()).is_some(), "{}", area.id);
        }
        for (number, (one, a)) in PLACES.iter().enumerate() {
            for (other, b) in &PLACES[number + 1..] {
                let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
                assert!(dx * dx + dy * dy >= 88 * 88, "{one} and {other}: {dx}, {dy}");
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
    fn no_link_runs_through_an_area() {
        for [(one, a), (other, b)] in links() {
            for (id, c) in &PLACES {
                if *id == one || *id == other {
                    continue;
                }
                // The distance of the place from the link, by the height of the triangle.
                let along = |p: Point, q: Point| {
                    let [dx, dy] = [i64::from(q[0] - p[0]), i64::from(q[1] - p[1])];
                    (dx, dy)
                };
                let ((dx, dy), (ex, ey)) = (along(a, b), along(a, *c));
                let (dot, length) = (dx * ex + dy * ey, dx * dx + dy * dy);
                if (0..=length).contains(&dot) {
                    let cross = dx * ey - dy * ex;
                    assert!(cross * cross >= 30 * 30 * length, "{one} - {other} runs over {id}");
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
        for area in map() {
            let at = place(area.id.as_str()).expect("a place");
            let town = area.kind == crate::setup::AreaKind::Town;
            assert_eq!(inside(at), town, "{}", area.id);
            assert!((0..WIDTH).contains(&at[0]) && (0..SHORE).contains(&at[1]), "{}", area.id);
        }
    }
}
