//! A map without hexes in characters: its places by name where they lie, who stands in each below it, and the ways
//! between them.
//!
//! Must not know a game, nor choose what is written for a piece.

use super::{Form, Line, Point, Scene, Shape, Tint};

/// The most columns of a name.
const NAME: usize = 12;
/// How much higher a character is than wide, in tenths.
const HIGH: i32 = 21;

/// The places of a scene that have a name.
pub(super) fn places(scene: &Scene) -> Vec<(&Shape, Point)> {
    let place = |shape: &Shape| matches!(shape.form, Form::Area { .. } | Form::Disc { .. });
    let named = scene.shapes.iter().filter(|it| place(it) && it.id.starts_with("area:"));
    named.map(|shape| (shape, shape.form.place())).collect()
}

/// In which of some places something stands; in none where the next is too far off.
pub(super) fn home(scene: &Scene, places: &[(&Shape, Point)], [x, y]: Point) -> Option<usize> {
    let far = |place: usize| {
        let [px, py] = places[place].1;
        let (dx, dy) = (i64::from(px - x), i64::from(py - y));
        dx * dx + dy * dy
    };
    if in_water(scene, [x, y]) {
        return None;
    }
    // What lies further off belongs to no place: it is in a box beside the board.
    let near = i64::from(scene.bounds.width.max(scene.bounds.height)) / 10;
    (0..places.len()).min_by_key(|&it| far(it)).filter(|&it| far(it) <= near * near)
}

/// The map in cells of one character; an empty cell is covered by the text before it.
pub(super) struct Plan {
    cells: Vec<Vec<String>>,
}

/// Where a place is written.
#[derive(Clone, Debug)]
struct Spot {
    line: usize,
    left: usize,
    name: String,
    /// What stands there: each painted, and how many columns it takes.
    here: Vec<(String, usize)>,
}

impl Spot {
    fn wide(&self) -> usize {
        let here: usize = self.here.iter().map(|(_, wide)| wide + 1).sum();
        self.name.chars().count().max(here.saturating_sub(1))
    }

    fn high(&self) -> usize {
        if self.here.is_empty() { 1 } else { 2 }
    }

    /// Whether the two leave no column or line between them.
    fn touches(&self, other: &Spot) -> bool {
        self.left <= other.left + other.wide()
            && other.left <= self.left + self.wide()
            && self.line < other.line + other.high()
            && other.line < self.line + self.high()
    }

    fn middle(&self) -> [usize; 2] {
        [self.left + self.wide() / 2, self.line]
    }
}

impl Plan {
    /// The map of a scene with what is written for its pieces (where, painted, how wide), at most so many columns
    /// wide. Nothing where no ways lead from place to place.
    pub(super) fn of(scene: &Scene, marks: &[(Point, String, usize)], width: usize) -> Plan {
        let places = places(scene);
        let ways: Vec<([usize; 2], Line)> = scene
            .shapes
            .iter()
            .filter_map(|shape| match &shape.form {
                Form::Link { along, line: line @ (Line::Solid | Line::Dotted) } => {
                    let end = |at: Option<&Point>| home(scene, &places, *at?);
                    let (from, to) = (end(along.first())?, end(along.last())?);
                    (from != to).then_some(([from, to], *line))
                }
                _ => None,
            })
            .collect();
        if ways.is_empty() {
            return Plan { cells: Vec::new() };
        }
        let edge = |axis: usize, far: bool| {
            let all = places.iter().map(|(_, at)| at[axis]);
            if far { all.max() } else { all.min() }.unwrap_or(0)
        };
        let [left, top, right, low] =
            [edge(0, false), edge(1, false), edge(0, true), edge(1, true)];
        let across = (right - left).max(1);
        let inner = (width - NAME) as i32;
        let column = |x: i32| ((x - left) * (inner - 1) / across) as usize + NAME / 2;
        let line = |y: i32| ((y - top) * inner * 10 / across / HIGH) as usize;
        let mut here: Vec<Vec<(String, usize)>> = vec![Vec::new(); places.len()];
        let mut afloat = Vec::new();
        for (at, text, wide) in marks {
            match home(scene, &places, *at) {
                Some(place) => here[place].push((text.clone(), *wide)),
                None if in_water(scene, *at) => afloat.push((text.clone(), *wide)),
                None => {}
            }
        }
        let mut spots: Vec<Spot> = Vec::new();
        for ((shape, [x, y]), here) in places.iter().zip(here) {
            let mut spot = Spot {
                line: line(*y),
                left: 0,
                name: shortened(shape.title.split(" (").next().unwrap_or(&shape.title)),
                here: fitting(here, NAME),
            };
            let half = spot.wide() / 2;
            spot.left = column(*x).saturating_sub(half).min(width - spot.wide());
            let wanted = spot.line;
            let free =
                (0..8).flat_map(|far| [wanted + far, wanted.saturating_sub(far)]).find(|&line| {
                    let moved = Spot { line, ..spot.clone() };
                    spots.iter().all(|it| !it.touches(&moved))
                });
            spot.line = free.unwrap_or(wanted);
            spots.push(spot);
        }
        let lines = spots.iter().map(|it| it.line + it.high()).max().unwrap_or(0);
        let mut plan = Plan { cells: vec![vec![" ".to_owned(); width]; lines.max(line(low))] };
        for ([from, to], line) in &ways {
            plan.way(spots[*from].middle(), spots[*to].middle(), *line);
        }
        for spot in &spots {
            plan.spot(spot);
        }
        if scene.shapes.iter().any(is_water) {
            plan.water(&afloat, width);
        }
        plan
    }

    fn way(&mut self, from: [usize; 2], to: [usize; 2], line: Line) {
        let (dx, dy) = (to[0] as i32 - from[0] as i32, to[1] as i32 - from[1] as i32);
        let steps = dx.abs().max(dy.abs());
        let mark = match line {
            Line::Dotted => ".",
            _ if dy.abs() * 4 <= dx.abs() => "-",
            _ if dx.abs() * 3 <= dy.abs() => "|",
            _ if (dx > 0) == (dy > 0) => "\\",
            _ => "/",
        };
        for step in 1..steps {
            let (x, y) = (from[0] as i32 + dx * step / steps, from[1] as i32 + dy * step / steps);
            if let Some(cell) = self.cells.get_mut(y as usize).and_then(|it| it.get_mut(x as usize))
            {
                mark.clone_into(cell);
            }
        }
    }

    /// Puts a text in one cell and covers those that follow.
    fn put(&mut self, line: usize, left: usize, text: &str, wide: usize) {
        let Some(cells) = self.cells.get_mut(line) else { return };
        for (number, cell) in cells.iter_mut().skip(left).take(wide).enumerate() {
            *cell = if number == 0 { text.to_owned() } else { String::new() };
        }
    }

    fn spot(&mut self, spot: &Spot) {
        let wide = spot.wide();
        // A column free on each side.
        for line in spot.line..spot.line + spot.high() {
            for column in spot.left.saturating_sub(1)..=spot.left + wide {
                self.put(line, column, " ", 1);
            }
        }
        let long = spot.name.chars().count();
        self.put(spot.line, spot.left + (wide - long) / 2, &spot.name, long);
        let taken: usize = spot.here.iter().map(|(_, wide)| wide + 1).sum();
        let mut at = spot.left + (wide + 1).saturating_sub(taken) / 2;
        for (text, wide) in &spot.here {
            self.put(spot.line + 1, at, text, *wide);
            at += wide + 1;
        }
    }

    /// The water below the land, with what is afloat.
    fn water(&mut self, afloat: &[(String, usize)], width: usize) {
        let begin = self.cells.len();
        self.cells.extend([vec!["~".to_owned(); width], vec!["~".to_owned(); width]]);
        let taken: usize = afloat.iter().map(|(_, wide)| wide + 1).sum();
        let mut at = width.saturating_sub(taken) / 2;
        for (text, wide) in afloat {
            self.put(begin, at, text, *wide);
            self.put(begin, at + wide, " ", 1);
            at += wide + 1;
        }
    }

    /// The lines of the map.
    pub(super) fn write(&self) -> String {
        let mut out = String::new();
        for line in &self.cells {
            out.push_str(line.concat().trim_end());
            out.push('\n');
        }
        out
    }
}

fn is_water(shape: &Shape) -> bool {
    shape.tint == Tint::Water && matches!(shape.form, Form::Area { .. })
}

/// Whether a point lies within the least box around some water.
fn in_water(scene: &Scene, [x, y]: Point) -> bool {
    scene.shapes.iter().filter(|it| is_water(it)).any(|shape| {
        let Form::Area { outline, .. } = &shape.form else { return false };
        let [xs, ys] = [0, 1].map(|axis| outline.iter().map(move |corner| corner[axis]));
        let within = |value: i32, least: Option<i32>, most: Option<i32>| {
            least.is_some_and(|it| it <= value) && most.is_some_and(|it| value <= it)
        };
        within(x, xs.clone().min(), xs.max()) && within(y, ys.clone().min(), ys.max())
    })
}

/// As many as have room, and how many are left out.
fn fitting(here: Vec<(String, usize)>, most: usize) -> Vec<(String, usize)> {
    let taken = |all: &[(String, usize)]| all.iter().map(|(_, wide)| wide + 1).sum::<usize>();
    if taken(&here) <= most + 1 {
        return here;
    }
    let all = here.len();
    let mut kept = here;
    while kept.len() > 1 && taken(&kept) + 3 > most + 1 {
        kept.pop();
    }
    let more = format!("+{}", all - kept.len());
    let wide = more.len();
    kept.push((more, wide));
    kept
}

/// A name in few columns: all of it, or its last word after the first letters of the others.
fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    let words: Vec<&str> = name.split(' ').collect();
    let Some((last, others)) = words.split_last() else { return String::new() };
    let begin: String =
        others.iter().filter_map(|word| word.chars().next()).flat_map(|it| [it, '.']).collect();
    (begin + last).chars().take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Bounds;

    fn area(id: &str, title: &str, [x, y]: Point) -> Shape {
        let outline = vec![[x - 9, y - 9], [x + 9, y - 9], [x + 9, y + 9], [x - 9, y + 9]];
        Shape::new(format!("area:{id}"), title, Tint::Town, Form::Area { outline, round: false })
    }

    fn way(id: &str, from: Point, to: Point, line: Line) -> Shape {
        Shape::new(id, "", Tint::Faint, Form::Link { along: vec![from, to], line })
    }

    #[test]
    fn places_lie_where_they_are_with_who_stands_there() {
        let (gate, quay, hill) = ([0, 0], [800, 0], [400, 150]);
        let sea = vec![[0, 300], [800, 300], [800, 400], [0, 400]];
        let scene = Scene {
            bounds: Bounds { left: -20, top: -20, width: 840, height: 440 },
            shapes: vec![
                Shape::new("sea", "", Tint::Water, Form::Area { outline: sea, round: false }),
                area("gate", "the old northern Gate (in the town)", gate),
                area("quay", "Quay", quay),
                area("hill", "Hill", hill),
                way("road:1", gate, quay, Line::Solid),
                way("trail:1", gate, hill, Line::Dotted),
            ],
            ..Scene::default()
        };
        let marks: Vec<(Point, String, usize)> =
            [("B1", [10, 5]), ("B2", [-10, 5]), ("S", [400, 350])]
                .map(|(text, at)| (at, text.to_owned(), text.len()))
                .to_vec();
        let lines = Plan::of(&scene, &marks, 60).write();
        assert_eq!(
            lines,
            " t.o.n.Gate -------------------------------------- Quay\n   B1 B2    ......\n                  \
             ......\n                        .....\n                           Hill\n\
             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~S ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\
             ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
        );
    }

    #[test]
    fn without_ways_there_is_no_map() {
        let scene = Scene { shapes: vec![area("gate", "Gate", [0, 0])], ..Scene::default() };
        assert_eq!(Plan::of(&scene, &[], 60).write(), "");
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let six: Vec<(String, usize)> = (1..=6).map(|it| (format!("B{it}"), 2)).collect();
        let names: Vec<String> = fitting(six, 12).into_iter().map(|(text, _)| text).collect();
        assert_eq!(names, ["B1", "B2", "B3", "+3"]);
    }
}
