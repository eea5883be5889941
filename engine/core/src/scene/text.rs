//! The one writer of pictures in characters, for terminals and mails: the board, a legend, hands, tracks, tables.
//!
//! At most [`WIDTH`] columns. Colours only where they are asked for. Must not decide what is drawn where: that is
//! the scene's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Form, Glyph, Panel, Point, Scene, Shape, Tint};

/// How many columns are used at most, by the board and by lines that can be broken.
pub const WIDTH: usize = 100;

/// The picture of a scene in lines of text. `colours` are those of ANSI terminals.
pub fn write(scene: &Scene, colours: bool) -> String {
    let mut out = format!("{}\n", scene.title);
    let board = Board::of(scene, colours);
    board.write(&mut out);
    let legend: Vec<String> = match board.cells.is_empty() {
        true => by_place(scene, colours),
        false => pieces(scene)
            .map(|piece| format!("{}  {}", paint(piece, &short(piece), colours), piece.title))
            .collect(),
    };
    section(&mut out, legend);
    section(&mut out, tracks(scene));
    section(&mut out, cards(scene));
    section(&mut out, marks(scene));
    for table in &scene.tables {
        section(&mut out, rows(table));
    }
    out
}

fn section(out: &mut String, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    out.push('\n');
    for line in lines.iter().flat_map(|line| folded(line)) {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn pieces(scene: &Scene) -> impl Iterator<Item = &Shape> {
    scene.shapes.iter().filter(|shape| matches!(shape.form, Form::Piece { .. }))
}

/// A piece in at most three characters: what is written on it, or how its name begins.
fn short(piece: &Shape) -> String {
    let Form::Piece { label, hidden, count, .. } = &piece.form else { return String::new() };
    if *hidden && label.is_empty() {
        return "?".to_owned();
    }
    let name = if label.is_empty() { &piece.title } else { label };
    let name = ["the ", "a ", "an "].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let word = name.split(|it: char| !it.is_alphanumeric()).find(|it| !it.is_empty());
    let most = if *count > 1 { 2 } else { 3 };
    let mut text: String = word.unwrap_or(name).chars().take(most).collect();
    if *count > 1 {
        let _ = write!(text, "{}", (*count).min(9));
    }
    text
}

/// A text in the colour of a shape.
fn paint(shape: &Shape, text: &str, colours: bool) -> String {
    let code = match shape.tint {
        Tint::Side1 => "31;1",
        Tint::Side2 => "34;1",
        Tint::Side3 => "32;1",
        Tint::Side4 => "33;1",
        Tint::Side5 => "35;1",
        Tint::Side6 => "36;1",
        Tint::Water | Tint::Reef => "34",
        Tint::Wood => "32",
        Tint::Hill | Tint::Mountain | Tint::Sand => "33",
        _ => return text.to_owned(),
    };
    if colours { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// The hexes of a scene in rows of characters.
struct Board {
    /// What stands in a cell, by line and column: its text, painted, and how many columns it takes.
    cells: BTreeMap<(usize, usize), (String, usize)>,
}

impl Board {
    fn of(scene: &Scene, colours: bool) -> Board {
        let hexes: Vec<(&Shape, Point, i32)> = scene
            .shapes
            .iter()
            .filter_map(|shape| match shape.form {
                Form::Hex { at, size, .. } => Some((shape, at, size)),
                _ => None,
            })
            .collect();
        let mut cells = BTreeMap::new();
        // Places that differ by less than this lie in one row.
        let near = hexes.first().map_or(1, |(_, _, size)| (size / 4).max(1));
        let line_up = |axis: usize| {
            let mut all: Vec<i32> = hexes.iter().map(|(_, at, _)| at[axis]).collect();
            all.sort_unstable();
            all.dedup_by(|next, last| *next - *last < near);
            all
        };
        let (columns, lines) = (line_up(0), line_up(1));
        // Two neighbours in a row are two columns of middles apart where the rows are shifted.
        let pitch = (WIDTH / columns.len().max(1)).clamp(2, 4);
        let index = |all: &[i32], value: i32| all.partition_point(|it| *it <= value + near / 2) - 1;
        for (hex, at, size) in &hexes {
            let (line, column) = (index(&lines, at[1]), index(&columns, at[0]));
            let within = |place: Point| {
                (place[0] - at[0]).abs() * 100 <= size * 86
                    && (place[1] - at[1]).abs() * 100 <= size * 86
            };
            let on: Vec<&Shape> =
                pieces(scene).filter(|piece| within(piece.form.place())).collect();
            let (text, wide) = match on.as_slice() {
                [] => {
                    let mark = ground(hex);
                    (paint(hex, mark, colours), mark.chars().count())
                }
                [one] => (paint(one, &short(one), colours), short(one).chars().count()),
                [one, rest @ ..] => {
                    let text = short(one).chars().take(2).collect::<String>();
                    let more = format!("+{}", rest.len().min(9));
                    let wide = text.chars().count() + more.len();
                    (paint(one, &text, colours) + &more, wide)
                }
            };
            cells.insert((line, column * pitch), (text, wide));
        }
        Board { cells }
    }

    fn write(&self, out: &mut String) {
        let (mut line, mut column) = (0, 0);
        if !self.cells.is_empty() {
            out.push('\n');
        }
        for (&(row, start), (text, wide)) in &self.cells {
            while line < row {
                out.push('\n');
                (line, column) = (line + 1, 0);
            }
            let gap = start.saturating_sub(column).max(usize::from(column > 0));
            out.extend(std::iter::repeat_n(' ', gap));
            out.push_str(text);
            column += gap + wide;
        }
        if !self.cells.is_empty() {
            out.push('\n');
        }
    }
}

/// A hex on which nothing stands, in one character.
fn ground(hex: &Shape) -> &'static str {
    match (&hex.form, hex.tint) {
        (Form::Hex { glyph: Some(Glyph::Wood), .. }, _) | (_, Tint::Wood) => "t",
        (Form::Hex { glyph: Some(Glyph::Mountain), .. }, _) | (_, Tint::Mountain) => "^",
        (Form::Hex { glyph: Some(Glyph::Hill), .. }, _) | (_, Tint::Hill) => "n",
        (_, Tint::Reef) => "x",
        (_, Tint::Water) => "~",
        _ => ".",
    }
}

/// Where there are no hexes: the places by name, with what stands on each.
fn by_place(scene: &Scene, colours: bool) -> Vec<String> {
    let places: Vec<(&Shape, Point)> = scene
        .shapes
        .iter()
        .filter(|shape| matches!(shape.form, Form::Area { .. } | Form::Disc { .. }))
        .filter(|shape| !shape.title.is_empty())
        .map(|shape| (shape, shape.form.place()))
        .collect();
    let far = |[ax, ay]: Point, [bx, by]: Point| {
        let (dx, dy) = (i64::from(ax - bx), i64::from(ay - by));
        dx * dx + dy * dy
    };
    // What lies further off belongs to no place: it is at sea, in a box beside the board.
    let near = i64::from(scene.bounds.width.max(scene.bounds.height)) / 10;
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut nowhere = Vec::new();
    for piece in pieces(scene) {
        let text = paint(piece, &piece.title, colours);
        let at = piece.form.place();
        let nearest = (0..places.len())
            .min_by_key(|&place| far(places[place].1, at))
            .filter(|&place| far(places[place].1, at) <= near * near);
        match nearest {
            Some(place) => found.entry(place).or_default().push(text),
            None => nowhere.push(text),
        }
    }
    let mut lines = Vec::new();
    for (place, pieces) in found {
        lines.push(format!("{}: {}", places[place].0.title, pieces.join("; ")));
    }
    if !nowhere.is_empty() {
        lines.push(format!("Elsewhere: {}", nowhere.join("; ")));
    }
    lines
}

fn tracks(scene: &Scene) -> Vec<String> {
    let track = |shape: &Shape| {
        let Form::Track { boxes, struck, marker, .. } = &shape.form else { return None };
        let mut line = format!("{}:", shape.title);
        for (number, text) in (0u32..).zip(boxes) {
            let held = if number < *struck { "x" } else { text.as_str() };
            let held = if held.is_empty() { " " } else { held };
            let _ = match *marker == Some(number) {
                true => write!(line, " ({held})"),
                false => write!(line, " [{held}]"),
            };
        }
        Some(line)
    };
    scene.shapes.iter().filter_map(track).collect()
}

fn cards(scene: &Scene) -> Vec<String> {
    let card = |shape: &Shape| match &shape.form {
        Form::Card { count, .. } if *count > 1 => Some(format!("{count} x {}", shape.title)),
        Form::Card { .. } => Some(shape.title.clone()),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    let all = scene.shapes.iter().filter_map(card);
    all.filter(|line| seen.insert(line.clone())).collect()
}

/// What the last action did, where it is said.
fn marks(scene: &Scene) -> Vec<String> {
    let of = |shape: &Shape| match shape.form {
        Form::Mark { .. } if !shape.title.is_empty() => Some(format!("* {}", shape.title)),
        _ => None,
    };
    scene.shapes.iter().filter_map(of).collect()
}

fn rows(table: &Panel) -> Vec<String> {
    let all = || std::iter::once(&table.heads).chain(&table.rows).filter(|row| !row.is_empty());
    let columns = all().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        all().filter_map(|row| row.get(column)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(text, &wide)| format!("{text:wide$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  "))
    };
    std::iter::once(table.title.clone()).chain(all().map(line)).collect()
}

/// A long line broken at its spaces; what follows is set in.
fn folded(line: &str) -> Vec<String> {
    let indent = line.chars().take_while(|it| *it == ' ').count();
    let mut lines = vec![" ".repeat(indent)];
    let mut wide = indent;
    for (number, word) in line.trim_start().split(' ').enumerate() {
        let long = seen(word);
        if number > 0 && wide + 1 + long > WIDTH {
            lines.push(" ".repeat(indent + 4));
            wide = indent + 4;
        } else if number > 0 {
            wide += 1;
            push(&mut lines, " ");
        }
        push(&mut lines, word);
        wide += long;
    }
    lines
}

fn push(lines: &mut [String], text: &str) {
    if let Some(last) = lines.last_mut() {
        last.push_str(text);
    }
}

/// How many columns a text takes, its colours aside.
fn seen(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().map_or(0, |it| it.chars().count());
    plain
        + parts
            .map(|it| it.split_once('m').map_or(0, |(_, rest)| rest.chars().count()))
            .sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hex::Hex;
    use crate::scene::{Bounds, Outline, middle_of};

    fn piece(at: Point, title: &str, label: &str, tint: Tint) -> Shape {
        let form = Form::Piece {
            at,
            size: 60,
            outline: Outline::Disc,
            glyph: None,
            label: label.to_owned(),
            badges: Vec::new(),
            count: 1,
            hidden: false,
        };
        Shape::new(format!("unit:{title}"), title, tint, form)
    }

    fn board(pointy: bool) -> Scene {
        let hexes = [[0, 0], [1, 0], [0, 1], [-1, 1]];
        let mut scene = Scene { title: "A board".to_owned(), ..Scene::default() };
        for [q, r] in hexes {
            let at = middle_of(Hex::new(q, r), 50, pointy);
            let form = Form::Hex { at, size: 50, pointy, glyph: None };
            scene.shapes.push(Shape::new(format!("hex:{q},{r}"), "", Tint::Plain, form));
        }
        let at = middle_of(Hex::new(1, 0), 50, pointy);
        scene.shapes.push(piece(at, "the beast", "B", Tint::Side1));
        scene
    }

    #[test]
    fn rows_of_hexes_are_shifted_as_they_lie() {
        assert_eq!(
            write(&board(true), false),
            "A board\n\n    .       B\n.       .\n\nB  the beast\n"
        );
        assert_eq!(
            write(&board(false), false),
            "A board\n\n    .\n.       B\n    .\n\nB  the beast\n"
        );
    }

    #[test]
    fn colours_come_only_where_they_are_asked_for() {
        assert!(!write(&board(true), false).contains('\u{1b}'));
        assert!(write(&board(true), true).contains("\u{1b}[31;1mB\u{1b}[0m"));
    }

    #[test]
    fn without_hexes_each_place_says_who_stands_there() {
        let area = |id: &str, x: i32| {
            let outline = vec![[x, 0], [x + 20, 0], [x + 20, 20], [x, 20]];
            Shape::new(format!("area:{id}"), id, Tint::Town, Form::Area { outline })
        };
        let mut scene = Scene { title: "Two places".to_owned(), ..Scene::default() };
        scene.bounds = Bounds { left: 0, top: 0, width: 400, height: 100 };
        scene.shapes = vec![area("gate", 0), area("quay", 100)];
        scene.shapes.push(piece([300, 40], "a ship", "3", Tint::Side1));
        scene.shapes.push(piece([112, 9], "four men", "4", Tint::Side2));
        scene.shapes.push(piece([108, 12], "two men", "2", Tint::Side2));
        assert_eq!(
            write(&scene, false),
            "Two places\n\nquay: four men; two men\nElsewhere: a ship\n"
        );
    }

    #[test]
    fn long_lines_are_broken() {
        let lines = folded(&"word ".repeat(60));
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(folded("  a  b"), ["  a  b"]);
        let painted = format!("{} end", "\u{1b}[31mred\u{1b}[0m ".repeat(23));
        assert_eq!(folded(&painted), [painted.as_str()]);
    }
}
