//! Coordinates at the rim of a board of hexes.
//!
//! Must not know a game, nor draw over a hex.

use std::collections::BTreeMap;

use super::{Anchor, Form, Point, Shape, Tint, middle_of};
use crate::board::hex::Hex;

/// The coordinates of a board of hexes, written just outside it: the second at the left of each row, the first above
/// the line of hexes that has it. `size` is that from the middle of a hex to a corner, `letters` the height of what is
/// written.
pub fn rim(hexes: &[Hex], size: i32, pointy: bool, letters: i32) -> Vec<Shape> {
    let (mut rows, mut lines) = (BTreeMap::new(), BTreeMap::new());
    for hex in hexes {
        let row = rows.entry(hex.r).or_insert(hex.q);
        *row = hex.q.min(*row);
        let line = lines.entry(hex.q).or_insert(hex.r);
        *line = hex.r.min(*line);
    }
    let label = |id: String, at: Point, anchor: Anchor, text: String| {
        let form = Form::Label { at, size: letters, anchor, text };
        Shape::new(id, "", Tint::Faint, form)
    };
    let mut shapes = Vec::new();
    for (r, q) in rows {
        let [x, y] = middle_of(Hex::new(q, r), size, pointy);
        let far = if pointy { size * 866 / 1000 } else { size };
        let at = [x - far - letters / 4, y + letters / 3];
        shapes.push(label(format!("rim:r:{r}"), at, Anchor::End, format!("r {r}")));
    }
    for (q, r) in lines {
        let [x, y] = middle_of(Hex::new(q, r), size, pointy);
        // Over the side that leads to the next of the line, which is not there.
        let (right, up) =
            if pointy { (-size * 433 / 1000, size * 3 / 4) } else { (0, size * 866 / 1000) };
        let at = [x + right, y - up - letters / 4];
        let anchor = if pointy { Anchor::End } else { Anchor::Middle };
        shapes.push(label(format!("rim:q:{q}"), at, anchor, format!("q {q}")));
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_stand_outside_the_board_and_apart() {
        let hexes: Vec<Hex> = (-3..=3)
            .flat_map(|q: i64| (-3..=3).map(move |r: i64| Hex::new(q, r)))
            .filter(|hex| (hex.q + hex.r).abs() <= 3)
            .collect();
        for pointy in [true, false] {
            let shapes = rim(&hexes, 50, pointy, 14);
            assert_eq!(shapes.len(), 14);
            let places: Vec<Point> = shapes.iter().map(|it| it.form.place()).collect();
            for (number, place) in places.iter().enumerate() {
                for hex in &hexes {
                    let [x, y] = middle_of(*hex, 50, pointy);
                    let near = (x - place[0]).abs().max((y - place[1]).abs());
                    assert!(near >= 34, "{} on {hex}", shapes[number].id);
                }
                let apart =
                    |other: &Point| (place[0] - other[0]).abs() + (place[1] - other[1]).abs();
                assert!(places[..number].iter().all(|it| apart(it) >= 14), "{}", shapes[number].id);
            }
        }
    }
}
