//! The one writer of pictures in characters, for terminals and mails: the board, a legend, hands, tracks, tables.
//!
//! At most [`WIDTH`] columns. Colours only where they are asked for. Must not decide what is drawn where: that is
//! the scene's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::plan::{self, Plan};
use super::{Form, Glyph, Outline, Panel, Point, Scene, Shape, Tint};

/// How many columns are used at most, by the board and by lines that can be broken.
pub const WIDTH: usize = 100;

/// The picture of a scene in lines of text. `colours` are those of ANSI terminals.
pub fn write(scene: &Scene, colours: bool) -> String {
    let mut out = format!("{}\n", scene.title);
    let board = Board::of(scene, colours);
    if board.cells.is_empty() {
        let mut keys = Keys::default();
        let all: Vec<(&Shape, String)> =
            pieces(scene).filter(|it| !lies_over(it)).map(|it| (it, keys.of_one(it))).collect();
        let painted = |(piece, key): &(&Shape, String)| (paint(piece, key, colours), seen(key));
        let marks: Vec<(Point, String, usize)> = all
            .iter()
            .map(|it| {
                let (text, wide) = painted(it);
                (it.0.form.place(), text, wide)
            })
            .collect();
        let plan = Plan::of(scene, &marks, WIDTH).write();
        if !plan.is_empty() {
            out.push('\n');
            out.push_str(&plan);
        }
        section(&mut out, by_place(scene, &all, colours));
    } else {
        board.write(&mut out);
        section(&mut out, board.legend);
        section(&mut out, board.grounds);
    }
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

/// What is written for pieces, each but once: at most [`LONG`] characters.
#[derive(Default)]
struct Keys {
    taken: BTreeSet<String>,
}

/// The most characters of a key.
const LONG: usize = 3;

impl Keys {
    /// The first of some keys that nothing has; a number where all are taken.
    fn take(&mut self, wanted: impl Iterator<Item = String>) -> String {
        let numbers = (1..).map(|number: u32| format!("#{number}"));
        let mut all = wanted.filter(|key| !key.is_empty()).chain(numbers);
        let free = all.find(|key| !self.taken.contains(key)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }

    /// What is written for one piece: what is written on it, or how its name begins.
    fn of_one(&mut self, piece: &Shape) -> String {
        let Form::Piece { label, hidden, count, .. } = &piece.form else { return String::new() };
        let many = if *count > 1 { count.min(&9).to_string() } else { String::new() };
        if *hidden && label.is_empty() {
            return self.take([format!("?{many}")].into_iter());
        }
        let name = if label.is_empty() { &piece.title } else { label };
        let name = name.lines().next().unwrap_or_default();
        let most = LONG - many.len();
        self.take(initials(name, most).into_iter().map(|it| it + &many))
    }

    /// What is written for the pieces of one hex: the owner and the number of those that stand in stacks; where they
    /// stand in a place with a name, this, and how many they are.
    fn of_hex(&mut self, on: &[&Shape]) -> String {
        let [first, rest @ ..] = on else { return String::new() };
        if let Some(owner) = stack(first) {
            let count = of_all(on);
            let count = if count > 9 { "+".to_owned() } else { count.to_string() };
            let more = if rest.is_empty() { "" } else { "+" };
            let letters = ('a'..='z').chain('0'..='9').map(String::from);
            let all = [more.to_owned()].into_iter().chain(letters);
            return self.take(all.map(|it| format!("{owner}{count}{it}")));
        }
        match of_all(rest) {
            0 => self.of_one(first),
            count => {
                let Form::Piece { label, .. } = &first.form else { return String::new() };
                let name = if label.is_empty() { &first.title } else { label };
                let count = if count > 9 { "+".to_owned() } else { count.to_string() };
                self.take(initials(name, LONG - 1).into_iter().map(|it| it + &count))
            }
        }
    }
}

/// Whether a piece only lies over another.
fn lies_over(piece: &Shape) -> bool {
    matches!(piece.form, Form::Piece { outline: Outline::Bare, .. })
}

/// How many stand there, those aside that only lie over another.
fn of_all(pieces: &[&Shape]) -> u32 {
    let count = |piece: &&Shape| match piece.form {
        Form::Piece { outline: Outline::Bare, .. } => 0,
        Form::Piece { count, .. } => count,
        _ => 0,
    };
    pieces.iter().map(count).sum()
}

/// The letter of the owner of a stack; none where it is no stack, or has a name.
fn stack(piece: &Shape) -> Option<char> {
    let Form::Piece { label, .. } = &piece.form else { return None };
    let several = ["unit:", "stack:"].iter().any(|it| piece.id.starts_with(it));
    if !label.is_empty() || !several {
        return None;
    }
    let sides = Tint::ALL.iter().zip('A'..).take_while(|(tint, _)| tint.is_side());
    sides.filter(|(tint, _)| **tint == piece.tint).map(|(_, letter)| letter).next().or(Some('N'))
}

/// Short forms of a name, the one that says the most first: how it begins, or the first letters of its words.
fn initials(name: &str, most: usize) -> Vec<String> {
    let name = ["the ", "a ", "an "].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let head = name.split([',', ';', '(', '[']).next().unwrap_or(name);
    let words: Vec<Vec<char>> = head
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .map(|it| it.chars().collect())
        .collect();
    let Some(first) = words.first() else { return Vec::new() };
    let mut all = Vec::new();
    // A name that ends in a number, or in a letter of its own, keeps that.
    if let [_, .., last] = words.as_slice()
        && last.len() < most
        && (last.len() == 1 || last.iter().any(char::is_ascii_digit))
    {
        let begin = first.iter().take(most - last.len());
        all.push(begin.chain(last).collect());
    }
    all.push(first.iter().take(most).collect());
    let letters: Vec<char> = words.concat();
    for last in 1..letters.len() {
        if most < 3 {
            all.push(letters[..1].iter().chain(&letters[last..=last]).collect());
        }
        for second in (1..last).filter(|_| most > 2) {
            all.push([letters[0], letters[second], letters[last]].iter().collect());
        }
    }
    all.extend(('1'..='9').map(|it| {
        let begin: String = first.iter().take(most - 1).collect();
        begin + &it.to_string()
    }));
    all
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
    /// What stands before each line: the coordinates of its first hex.
    heads: BTreeMap<usize, String>,
    /// What is written on the board, and what it stands for.
    legend: Vec<String>,
    /// The grounds that are seen.
    grounds: Vec<String>,
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
        let index = |all: &[i32], value: i32| all.partition_point(|it| *it <= value + near / 2) - 1;
        let pointy =
            hexes.iter().all(|(hex, _, _)| matches!(hex.form, Form::Hex { pointy: true, .. }));
        let mut heads = BTreeMap::new();
        let mut first: BTreeMap<usize, i32> = BTreeMap::new();
        for (hex, at, _) in hexes.iter().filter(|_| pointy) {
            let line = index(&lines, at[1]);
            let left = first.entry(line).or_insert(i32::MAX);
            if at[0] < *left {
                *left = at[0];
                let name = hex.id.strip_prefix("hex:").unwrap_or_default();
                heads.insert(line, name.to_owned());
            }
        }
        let mut margin = heads.values().map(String::len).max().map_or(0, |it| it + 1);
        // Two neighbours in a row are two columns of middles apart where the rows are shifted.
        let room = |margin: usize| (WIDTH - margin - LONG) / columns.len().saturating_sub(1).max(1);
        if room(margin) < 2 {
            heads.clear();
            margin = 0;
        }
        let pitch = room(margin).clamp(2, 4);
        let mut keys = Keys::default();
        let mut legend = Vec::new();
        let mut grounds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut placed: BTreeSet<&str> = BTreeSet::new();
        for (hex, at, size) in &hexes {
            let (line, column) = (index(&lines, at[1]), index(&columns, at[0]));
            let within = |place: Point| {
                (place[0] - at[0]).abs() * 100 <= size * 86
                    && (place[1] - at[1]).abs() * 100 <= size * 86
            };
            let on: Vec<&Shape> = pieces(scene)
                .filter(|piece| within(piece.form.place()) && placed.insert(&piece.id))
                .collect();
            let (text, wide) = match on.as_slice() {
                [] => {
                    let mark = ground(hex);
                    let own = |it: &&super::Ground| {
                        let Form::Hex { glyph, .. } = hex.form else { return false };
                        it.tint == hex.tint && it.glyph == glyph
                    };
                    let names = grounds.entry(mark).or_default();
                    for it in scene.legend.iter().filter(own) {
                        if !names.contains(&it.text.as_str()) {
                            names.push(&it.text);
                        }
                    }
                    (paint(hex, mark, colours), mark.chars().count())
                }
                [first, ..] => {
                    let key = keys.of_hex(&on);
                    let titles: Vec<&str> = on.iter().map(|it| it.title.as_str()).collect();
                    let painted = paint(first, &key, colours);
                    let gap = " ".repeat(LONG.saturating_sub(key.chars().count()));
                    legend.push(format!("{painted}{gap}  {}", titles.join("; ")));
                    (painted, key.chars().count())
                }
            };
            cells.insert((line, margin + column * pitch), (text, wide));
        }
        for piece in pieces(scene).filter(|piece| !placed.contains(piece.id.as_str())) {
            legend.push(piece.title.clone());
        }
        let grounds: Vec<String> = grounds
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(mark, names)| format!("{mark} {}", names.join(", ")))
            .collect();
        let grounds = if grounds.is_empty() { Vec::new() } else { vec![grounds.join("   ")] };
        Board { cells, heads, legend, grounds }
    }

    fn write(&self, out: &mut String) {
        let mut line = None;
        let mut column = 0;
        if !self.cells.is_empty() {
            out.push('\n');
        }
        for (&(row, start), (text, wide)) in &self.cells {
            if line != Some(row) {
                if line.is_some() {
                    out.push('\n');
                }
                let head = self.heads.get(&row).map_or("", String::as_str);
                out.push_str(head);
                (line, column) = (Some(row), head.len());
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
fn by_place(scene: &Scene, all: &[(&Shape, String)], colours: bool) -> Vec<String> {
    let places = plan::places(scene);
    let mut found: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut nowhere = Vec::new();
    for (piece, key) in all {
        let home = plan::home(scene, &places, piece.form.place());
        // Where it is stands before it.
        let own = home.map(|place| places[place].0.title.split(" (").next().unwrap_or_default());
        let title = own.and_then(|name| piece.title.strip_suffix(name)?.strip_suffix(", "));
        let title = title.unwrap_or(&piece.title);
        let text = format!("{} {title}", paint(piece, key, colours));
        match home {
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
            "A board\n\n0,0      .       B\n-1,1 .       .\n\nB    the beast\n"
        );
        assert_eq!(
            write(&board(false), false),
            "A board\n\n    .\n.       B\n    .\n\nB    the beast\n"
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
            Shape::new(format!("area:{id}"), id, Tint::Town, Form::Area { outline, round: false })
        };
        let mut scene = Scene { title: "Two places".to_owned(), ..Scene::default() };
        scene.bounds = Bounds { left: 0, top: 0, width: 400, height: 100 };
        scene.shapes = vec![area("gate", 0), area("quay", 100)];
        scene.shapes.push(piece([300, 40], "a ship", "3", Tint::Side1));
        scene.shapes.push(piece([112, 9], "four men", "4", Tint::Side2));
        scene.shapes.push(piece([108, 12], "two men", "2", Tint::Side2));
        assert_eq!(
            write(&scene, false),
            "Two places\n\nquay: 4 four men; 2 two men\nElsewhere: 3 a ship\n"
        );
    }

    #[test]
    fn no_two_things_have_one_key() {
        let mut keys = Keys::default();
        let named = |title: &str, label: &str| piece([0, 0], title, label, Tint::Side2);
        let mut of = |title: &str, label: &str| keys.of_one(&named(title, label));
        assert_eq!(of("Boys 1, value 2", "Boys 1"), "Bo1");
        assert_eq!(of("Boys 2, value 2", "Boys 2"), "Bo2");
        assert_eq!(of("Rapallo [0, 1]", ""), "Rap");
        assert_eq!(of("Rapita [0, 2]", ""), "Rai");
        let many: BTreeSet<String> = (0..60).map(|_| of("Rapallo", "")).collect();
        assert_eq!(many.len(), 60);
        assert!(many.iter().all(|key| key.chars().count() <= LONG), "{many:?}");
    }

    #[test]
    fn stacks_are_written_with_their_owner_and_their_number() {
        let mut scene = board(true);
        let stack = |id: &str, hex: Hex, count: u32, tint: Tint| {
            let mut shape = piece(middle_of(hex, 50, true), "p1's u1, u2", "", tint);
            shape.id = format!("stack:{id}");
            if let Form::Piece { count: it, .. } = &mut shape.form {
                *it = count;
            }
            shape
        };
        scene.shapes.push(stack("1", Hex::new(0, 0), 2, Tint::Side1));
        scene.shapes.push(stack("2", Hex::new(0, 1), 2, Tint::Side1));
        scene.shapes.push(stack("3", Hex::new(-1, 1), 12, Tint::Neutral));
        scene.legend.push(super::super::Ground {
            tint: Tint::Plain,
            glyph: None,
            text: "clear".to_owned(),
        });
        let text = write(&scene, false);
        assert!(text.contains("0,0      A2      B\n-1,1 N+      A2a\n"), "{text}");
        assert!(text.contains("\nA2a  p1's u1, u2\n"), "{text}");
        // Nothing is seen of that ground.
        assert!(!text.contains("clear"), "{text}");
        scene.shapes.retain(|shape| shape.id != "stack:2");
        assert!(write(&scene, false).ends_with("\n\n. clear\n"));
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
