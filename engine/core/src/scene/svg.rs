//! The one writer of SVG.
//!
//! What it writes needs no script, no font and nothing from elsewhere, and names every shape (`id`, `<title>`) for
//! those who point at it or hear it read. Texts are escaped. Must not decide what is drawn where: that is the
//! scene's.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::art::{Art, Pen};
use super::palette;
use super::{
    Anchor, Bounds, CardSymbol, Form, Glyph, Ground, Line, Outline, Panel, Point, Scene, Shape,
    Tint, WRITING, corners_of,
};

/// Which colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Those that whoever looks has chosen for all pages.
    #[default]
    Auto,
    /// By day.
    Light,
    /// By night.
    Dark,
}

/// How a picture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether the picture carries its style sheet: yes for one by itself, no within a page that has it.
    pub style: bool,
    /// Which colours.
    pub theme: Theme,
    /// Whether the scene's tables stand beside the picture.
    pub tables: bool,
}

impl Default for Options {
    /// A picture by itself.
    fn default() -> Self {
        Options { style: true, theme: Theme::Auto, tables: true }
    }
}

/// The picture of a scene.
pub fn write(scene: &Scene, options: Options) -> String {
    let bounds = scene.bounds;
    let side = if options.tables { Side::of(&scene.tables, bounds) } else { Side::default() };
    let width = bounds.width + side.width;
    // Where the tables are left to a page, the legend is a region of its own, which is not as wide as the board.
    let narrow = if options.tables { bounds.width } else { bounds.width.min(LEGEND) };
    let key = Key::of(&scene.legend, Bounds { width: narrow, ..bounds });
    let height = (bounds.height + key.height).max(side.height);
    let mut out = String::with_capacity(256 * scene.shapes.len() + 8192);
    let theme = match options.theme {
        Theme::Auto => "",
        Theme::Light => " data-theme=\"light\"",
        Theme::Dark => " data-theme=\"dark\"",
    };
    let art = scene.art.map(|art| format!(" data-art=\"{}\"", art.name)).unwrap_or_default();
    let regions = regions(scene, &key);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\"{art}{regions}{theme} role=\"img\" \
         viewBox=\"{} {} {width} {height}\" aria-labelledby=\"scene-title scene-text\">\
         <title id=\"scene-title\">{}</title><desc id=\"scene-text\">{}</desc>",
        bounds.left,
        bounds.top,
        Escaped(&scene.title),
        Escaped(&scene.text)
    );
    if options.style {
        let _ = write!(out, "<style>{}</style>", palette::css_of(scene.art));
    }
    let mut stock = Stock::of(scene);
    stock
        .glyphs
        .extend(key.entries.iter().filter_map(|it| it.ground.glyph).map(|it| (it, key.line)));
    stock.write(&mut out);
    let Bounds { left, top, .. } = bounds;
    let _ = writeln!(
        out,
        "<rect class=\"ground\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
    );
    for it in &scene.shapes {
        shape(&mut out, it);
    }
    key.write(&mut out);
    side.write(&mut out);
    out.push_str("</svg>\n");
    out
}

/// How wide a legend is that is a region.
const LEGEND: i32 = 420;

/// The regions, for a page that lays each out by itself: their ids, titles and edges as JSON. The legend is one too.
fn regions(scene: &Scene, key: &Key<'_>) -> String {
    if scene.regions.is_empty() {
        return String::new();
    }
    let region = |id: &str, title: &str, bounds: Bounds| {
        let Bounds { left, top, width, height } = bounds;
        json!([id, title, [left, top, width, height]])
    };
    let own = scene.regions.iter().map(|it| region(&it.id, &it.title, it.bounds));
    let legend = (key.height > 0).then(|| {
        let Bounds { left, top, height, .. } = scene.bounds;
        let (top, width) = (top + height, key.width);
        region("legend", "", Bounds { left, top, width, height: key.height })
    });
    let all: Value = own.chain(legend).collect();
    let all = all.to_string().replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;");
    format!(" data-regions='{all}'")
}

/// How high the smallest letters are: those on pieces, cards and badges.
const LEAST: i32 = WRITING + 1;

/// What is drawn again and again, written once: the outline of a hex, and each picture in each of its sizes. The shapes
/// use it by its name.
struct Stock {
    hexes: BTreeSet<HexName>,
    glyphs: BTreeSet<(Glyph, i32)>,
    /// The outlines of pieces, and how wide they are.
    outlines: BTreeSet<(Outline, i32)>,
    art: Option<&'static Art>,
}

impl Stock {
    fn of(scene: &Scene) -> Stock {
        let (hexes, glyphs, outlines) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut stock = Stock { hexes, glyphs, outlines, art: scene.art };
        for shape in &scene.shapes {
            stock.hexes.extend(HexName::of(shape));
            if let Form::Piece { size, outline, .. } = shape.form
                && outline != Outline::Bare
            {
                stock.outlines.insert((outline, size));
            }
            let pictured = pictured(&shape.form);
            stock.glyphs.extend(pictured.into_iter().map(|(glyph, _, size)| (glyph, size)));
        }
        stock
    }

    fn write(&self, out: &mut String) {
        if self.hexes.is_empty() && self.glyphs.is_empty() && self.outlines.is_empty() {
            return;
        }
        out.push_str("<defs>");
        for name in &self.hexes {
            let HexName { size, pointy, grown } = *name;
            let id = if grown.is_some() { String::new() } else { format!(" id=\"{name}\"") };
            if grown.is_some() {
                let _ = write!(out, "<g id=\"{name}\">");
            }
            let _ = write!(out, "<path{id} class=\"rim\" d=\"");
            polyline(out, &corners_of([0, 0], size, pointy));
            out.push_str("\"/>");
            if let Some((glyph, tint)) = grown {
                used(out, glyph, [0, 0], size * 5 / 4, &format!("e-{} soft", tint.name()));
                out.push_str("</g>");
            }
        }
        for &(outline, size) in &self.outlines {
            // Its shadow, its body in the colour of the piece, and its rim.
            let _ = write!(out, "<g id=\"s-o-{}{size}\">", outline.name());
            let half = size / 2;
            outlined(out, [0, 2 + size / 30], half, outline, "shadow");
            outlined(out, [0, 0], half, outline, "edge");
            if size >= LARGE {
                outlined(out, [0, 0], half * 86 / 100, outline, "gloss");
            }
            out.push_str("</g>");
        }
        for &(glyph, size) in &self.glyphs {
            // Whole numbers: hundredths of the 24 units that a picture is wide.
            let scale = size * 100 / 24;
            let (name, whole, part) = (glyph.name(), scale / 100, scale % 100);
            let Some(drawing) = self.art.and_then(|art| art.drawing(glyph)) else {
                let _ = write!(
                    out,
                    "<path id=\"s-{name}{size}\" transform=\"scale({whole}.{part:02})\" d=\"{}\"/>",
                    strokes(glyph)
                );
                continue;
            };
            let _ = write!(out, "<g id=\"s-{name}{size}\" transform=\"scale({whole}.{part:02})\">");
            for (pen, path) in drawing {
                let _ = match pen {
                    Pen::Over => write!(out, "<path class=\"over\" d=\"{path}\"/>"),
                    Pen::Under => write!(out, "<path class=\"under\" d=\"{path}\"/>"),
                    Pen::Line => write!(out, "<path class=\"line\" d=\"{path}\"/>"),
                    Pen::Hair => write!(out, "<path class=\"hair\" d=\"{path}\"/>"),
                    Pen::Groove => write!(out, "<path class=\"groove\" d=\"{path}\"/>"),
                    Pen::Tint(tint) => {
                        write!(out, "<path class=\"f-{}\" d=\"{path}\"/>", tint.name())
                    }
                };
            }
            out.push_str("</g>");
        }
        out.push_str("</defs>");
    }
}

/// What a hex is called that is drawn again and again: its outline, and what grows on which ground.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HexName {
    /// From the middle to a corner.
    size: i32,
    /// Whether a corner points up.
    pointy: bool,
    grown: Option<(Glyph, Tint)>,
}

impl HexName {
    fn of(shape: &Shape) -> Option<HexName> {
        let Form::Hex { size, pointy, glyph, .. } = shape.form else { return None };
        Some(HexName { size, pointy, grown: glyph.map(|glyph| (glyph, shape.tint)) })
    }
}

impl std::fmt::Display for HexName {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "s-{}{}", if self.pointy { "hex" } else { "flat" }, self.size)?;
        self.grown.map_or(Ok(()), |(glyph, tint)| write!(to, "-{}-{}", glyph.name(), tint.name()))
    }
}

/// The pictures on a shape: where the middle of each is and how wide it is.
fn pictured(form: &Form) -> Vec<(Glyph, Point, i32)> {
    match *form {
        Form::Hex { at, size, glyph, .. } => {
            glyph.into_iter().map(|glyph| (glyph, at, size * 5 / 4)).collect()
        }
        Form::Drawing { at, size, glyph } => vec![(glyph, at, size)],
        Form::Piece { at: [x, y], size, glyph, ref label, hidden, .. } => {
            let glyph = if hidden { Some(Glyph::Unknown) } else { glyph };
            let spot = |glyph| match label.is_empty() {
                true => (glyph, [x, y], size * 8 / 10),
                false => (glyph, [x, y - size / 8], size * 6 / 10),
            };
            glyph.into_iter().map(spot).collect()
        }
        Form::Card { at: [x, y], size: [width, height], face: None, .. } => {
            let size = width.min(height) * 6 / 10;
            vec![(Glyph::Unknown, [x + width / 2, y + height / 2], size)]
        }
        Form::Card { at, size, ref symbols, .. } => {
            let rows = rows(at, size, symbols);
            rows.into_iter().flat_map(|row| row.pictures).collect()
        }
        Form::Track { at: [x, y], size, sign: Some(sign), struck, marker, .. } => {
            let middle = |number: u32| x + number as i32 * size + size / 2;
            let small = size * 8 / 10;
            let struck = (0..struck).map(|it| (sign, [middle(it), y + size / 2], small));
            // A marker stands above its box, so that what is written in it can be read.
            let marker = marker.map(|it| (sign, [middle(it), y - size * 4 / 10], small));
            struck.chain(marker).collect()
        }
        _ => Vec::new(),
    }
}

/// A row of symbols on a card.
struct Row<'a> {
    pictures: Vec<(Glyph, Point, i32)>,
    /// Where the value stands and how high it is.
    value: (Point, i32, &'a str),
}

/// The symbols of a card in rows below each other, each in its middle.
fn rows([x, y]: Point, [width, height]: Point, symbols: &[CardSymbol]) -> Vec<Row<'_>> {
    let high = (height - 12) / (symbols.len() as i32).max(1);
    let row =
        |(number, symbol): (usize, &'_ CardSymbol)| -> (Vec<(Glyph, Point, i32)>, Point, i32) {
            let count = symbol.times.max(1) as i32 + i32::from(!symbol.value.is_empty());
            let size = (high * 8 / 10).min((width - 10) / count).min(width / 2);
            let step = size * 95 / 100;
            let middle = y + 8 + high * number as i32 + high / 2;
            let left = x + width / 2 - step * (count - 1) / 2;
            let pictures = (0..symbol.times.max(1) as i32)
                .map(|it| (symbol.glyph, [left + it * step, middle], size))
                .collect();
            (pictures, [left + (count - 1) * step, middle + size / 3], size * 85 / 100)
        };
    symbols
        .iter()
        .enumerate()
        .map(|(number, symbol)| {
            let (pictures, at, size) = row((number, symbol));
            Row { pictures, value: (at, size, &symbol.value) }
        })
        .collect()
}

/// Text for an XML document.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for part in self.0.split_inclusive(['&', '<', '>', '"']) {
            let mark = part.chars().next_back().filter(|mark| "&<>\"".contains(*mark));
            let text = &part[..part.len() - mark.map_or(0, char::len_utf8)];
            // Control characters have no place in XML.
            text.chars().filter(|it| !it.is_control()).try_for_each(|it| to.write_char(it))?;
            match mark {
                Some('&') => to.write_str("&amp;")?,
                Some('<') => to.write_str("&lt;")?,
                Some('>') => to.write_str("&gt;")?,
                Some(_) => to.write_str("&quot;")?,
                None => {}
            }
        }
        Ok(())
    }
}

fn shape(out: &mut String, shape: &Shape) {
    let _ = write!(out, "<g data-id=\"{}\"", Escaped(&shape.id));
    if !shape.region.is_empty() {
        let _ = write!(out, " data-region=\"{}\"", Escaped(&shape.region));
    }
    // A page may treat these differently: labels keep their size, cards turn over.
    match shape.form {
        Form::Label { .. } => out.push_str(" class=\"label\""),
        Form::Card { .. } => out.push_str(" class=\"card\""),
        _ => {}
    }
    if let Some(choice) = &shape.choice {
        // Within single quotes, so that those of JSON stand as they are.
        let choice = grouped(choice).to_string().replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(out, " data-choice='{}'", choice.replace('\'', "&#39;"));
    }
    out.push('>');
    if !shape.title.is_empty() {
        let _ = write!(out, "<title>{}</title>", Escaped(&shape.title));
    }
    form(out, shape);
    out.push_str("</g>\n");
}

/// A choice whose fields of the same value share it, their names beside each other: `{"path to": [0, -2]}`.
fn grouped(choice: &Value) -> Value {
    let Value::Object(fields) = choice else { return choice.clone() };
    let mut groups: Vec<(String, &Value)> = Vec::new();
    for (name, value) in fields {
        match groups.iter_mut().find(|(_, own)| *own == value) {
            Some((names, _)) => {
                names.push(' ');
                names.push_str(name);
            }
            None => groups.push((name.clone(), value)),
        }
    }
    groups.into_iter().map(|(names, value)| (names, value.clone())).collect()
}

fn form(out: &mut String, shape: &Shape) {
    let tint = shape.tint.name();
    match &shape.form {
        Form::Hex { at: [x, y], .. } => {
            if let Some(name) = HexName::of(shape) {
                let _ =
                    write!(out, "<use href=\"#{name}\" class=\"f-{tint}\" x=\"{x}\" y=\"{y}\"/>");
            }
        }
        Form::Area { outline, round: false } => polygon(out, outline, &format!("f-{tint} rim")),
        Form::Area { outline, round: true } => {
            let _ = write!(out, "<path class=\"f-{tint} rim\" d=\"");
            rounded(out, outline);
            out.push_str("\"/>");
        }
        Form::Drawing { .. } => glyphs(out, &shape.form, &format!("b-{tint}")),
        Form::Lines { lines, line } => {
            let _ = write!(out, "<path class=\"{} s-{tint}\" d=\"", line.name());
            for along in lines {
                open(out, along);
            }
            out.push_str("\"/>");
        }
        Form::Disc { at: [x, y], radius } => {
            let _ = write!(
                out,
                "<circle class=\"f-{tint} edge\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"
            );
        }
        Form::Link { along, line } => link(out, along, *line, tint),
        Form::Piece { .. } => piece(out, &shape.form, tint),
        Form::Card { .. } => card(out, &shape.form, tint),
        Form::Track { .. } => track(out, &shape.form, tint),
        Form::Frame { at: [x, y], size: [width, height] } => {
            let _ = write!(
                out,
                "<rect class=\"f-{tint} rim\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\" rx=\"8\"/>"
            );
        }
        Form::Label { at: [x, y], size, anchor, text } => {
            for (number, line) in text.lines().enumerate() {
                let at = [*x, y + number as i32 * size * 9 / 8];
                label(out, at, *size, *anchor, line, &format!("f-{tint} halo"));
            }
        }
        Form::Mark { at: [x, y], size, role } => {
            let _ = write!(
                out,
                "<circle class=\"mark {} s-{tint}\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>",
                role.name(),
                size / 2
            );
        }
    }
}

fn polygon(out: &mut String, corners: &[Point], class: &str) {
    let _ = write!(out, "<path class=\"{class}\" d=\"");
    polyline(out, corners);
    out.push_str("\"/>");
}

/// A closed line from corner to corner.
fn polyline(out: &mut String, corners: &[Point]) {
    // From corner to corner, which takes a third less than the places themselves.
    let mut last = [0, 0];
    for (number, [x, y]) in corners.iter().enumerate() {
        let (right, down) = (x - last[0], y - last[1]);
        let lead = match number {
            0 => "M",
            1 => "l",
            _ if right < 0 => "",
            _ => " ",
        };
        let between = if down < 0 { "" } else { " " };
        let _ = write!(out, "{lead}{right}{between}{down}");
        last = [*x, *y];
    }
    out.push('z');
}

/// A closed line that runs from the middle of a side to that of the next, around the corner between them.
fn rounded(out: &mut String, corners: &[Point]) {
    let Some(last) = corners.last() else { return };
    let middle = |a: &Point, b: &Point| [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    for (number, corner) in corners.iter().enumerate() {
        if number == 0 {
            let [x, y] = middle(last, corner);
            let _ = write!(out, "M{x} {y}");
        }
        let [x, y] = middle(corner, corners.get(number + 1).unwrap_or(&corners[0]));
        let _ = write!(out, "Q{} {} {x} {y}", corner[0], corner[1]);
    }
    out.push('z');
}

/// A line from place to place.
fn open(out: &mut String, along: &[Point]) {
    let mut last = [0, 0];
    for (number, [x, y]) in along.iter().enumerate() {
        let lead = if number == 0 { "M" } else { "l" };
        let _ = write!(out, "{lead}{} {}", x - last[0], y - last[1]);
        last = [*x, *y];
    }
}

fn link(out: &mut String, along: &[Point], line: Line, tint: &str) {
    let _ = write!(out, "<path class=\"{} s-{tint}\" d=\"", line.name());
    match along {
        // Where there are three places it bends: the second pulls at the line.
        [[ax, ay], [bx, by], [cx, cy]] => {
            let _ = write!(out, "M{ax} {ay}Q{bx} {by} {cx} {cy}");
        }
        _ => open(out, along),
    }
    if line == Line::Arrow
        && let [.., from, to] = along
    {
        let head = arrow_head(*from, *to);
        let _ = write!(out, "M{} {}", head[0][0], head[0][1]);
        for [x, y] in &head[1..] {
            let _ = write!(out, "L{x} {y}");
        }
    }
    out.push_str("\"/>");
}

/// The three places of an arrow's head that comes from one place to another.
fn arrow_head(from: Point, to: Point) -> [Point; 3] {
    const LONG: i64 = 14;
    let (dx, dy) = (i64::from(from[0] - to[0]), i64::from(from[1] - to[1]));
    let length = (dx * dx + dy * dy).unsigned_abs().isqrt().max(1) as i64;
    let at = |along: i64, across: i64| {
        let x = (dx * along - dy * across) / length;
        let y = (dy * along + dx * across) / length;
        [to[0] + x as i32, to[1] + y as i32]
    };
    [at(LONG, LONG * 2 / 3), to, at(LONG, -LONG * 2 / 3)]
}

/// From which width on a piece has a rim of its own.
const LARGE: i32 = 40;

fn piece(out: &mut String, form: &Form, tint: &str) {
    let Form::Piece { at, size, outline, glyph: picture, label: name, badges, count, hidden } =
        form
    else {
        return;
    };
    let ([x, y], half) = (*at, size / 2);
    if *outline != Outline::Bare {
        let name = outline.name();
        let _ =
            write!(out, "<use href=\"#s-o-{name}{size}\" class=\"f-{tint}\" x=\"{x}\" y=\"{y}\"/>");
    }
    let on = format!("o-{tint}");
    let pen = match outline {
        Outline::Bare => format!("b-{tint} thin"),
        _ => format!("e-{tint}"),
    };
    glyphs(out, form, &pen);
    let class = if *outline == Outline::Bare { format!("f-{tint}") } else { on };
    // Long names are written smaller, so that they stay on the piece.
    let fit = |text: &str, height: i32| {
        height.min(size * 16 / 10 / text.chars().count().max(1) as i32 + 2)
    };
    let class = format!("{class} bold");
    match (name.split_once('\n'), picture.is_some() || *hidden) {
        (Some((name, value)), _) => {
            let name = &shortened(name);
            let fit = |text: &str, height: i32| {
                height.min(size * 14 / 10 / text.chars().count().max(1) as i32 + 2)
            };
            let at = [x, y - half * 3 / 10];
            label(out, at, fit(name, LEAST), Anchor::Middle, name, &class);
            let at = [x, y + half * 6 / 10];
            label(out, at, fit(value, size * 46 / 100), Anchor::Middle, value, &class);
        }
        _ if name.is_empty() => {}
        (None, true) => {
            let height = fit(name, (size / 4).max(LEAST));
            label(out, [x, y + half * 8 / 10], height, Anchor::Middle, name, &class);
        }
        (None, false) => {
            let name = &shortened(name);
            let height = fit(name, size * 2 / 5);
            label(out, [x, y + size / 7], height, Anchor::Middle, name, &class);
        }
    }
    let small = (size * 4 / 10).max(LEAST);
    if *count > 1 {
        badge(out, [x + half, y - half], small, &count.to_string());
    }
    for (number, text) in badges.iter().enumerate() {
        badge(out, [x + half, y + half - number as i32 * (small + 2)], small, text);
    }
}

/// A name that fits on a piece beside a value: all of a short one, else how it begins with what tells it from others
/// of its kind.
fn shortened(name: &str) -> String {
    const LONG: usize = 6;
    if name.chars().count() <= LONG {
        return name.to_owned();
    }
    let (word, rest) = match name.rsplit_once(' ') {
        Some((word, rest)) if rest.chars().count() <= 2 => (word, format!(" {rest}")),
        _ => (name, String::new()),
    };
    let begin: String = word.chars().take(LONG - 1 - rest.chars().count()).collect();
    format!("{}.{rest}", begin.trim_end())
}

fn badge(out: &mut String, [x, y]: Point, size: i32, text: &str) {
    let width = size * 7 / 10 * text.chars().count() as i32 + size * 2 / 3;
    let _ = write!(
        out,
        "<rect class=\"f-paper edge\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{}\" rx=\"{}\"/>",
        x - width / 2,
        y - size * 2 / 3,
        size * 4 / 3,
        size / 2
    );
    label(out, [x, y + size / 3], size, Anchor::Middle, text, "o-paper bold");
}

fn outlined(out: &mut String, [x, y]: Point, half: i32, outline: Outline, class: &str) {
    match outline {
        Outline::Bare => {}
        Outline::Disc => {
            let _ = write!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{half}\"/>");
        }
        Outline::Square => {
            let _ = write!(
                out,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                x - half,
                y - half,
                2 * half,
                2 * half,
                half / 3
            );
        }
        Outline::Diamond => {
            let far = half * 5 / 4;
            polygon(out, &[[x, y - far], [x + far, y], [x, y + far], [x - far, y]], class);
        }
        Outline::Triangle => {
            let (top, low) = (y - half * 5 / 4, y + half * 8 / 10);
            polygon(out, &[[x, top], [x + half * 5 / 4, low], [x - half * 5 / 4, low]], class);
        }
        Outline::Hexagon => polygon(out, &corners_of([x, y], half * 11 / 10, true), class),
        Outline::Banner => {
            let (left, right, top, low) = (x - half, x + half, y - half, y + half * 5 / 4);
            polygon(
                out,
                &[[left, top], [right, top], [right, low], [x, y + half * 4 / 5], [left, low]],
                class,
            );
        }
        Outline::Shield => {
            let (left, right, top) = (x - half, x + half, y - half);
            let _ = write!(
                out,
                "<path class=\"{class}\" d=\"M{left} {top}H{right}V{y}Q{right} {} {x} {}Q{left} {} \
                 {left} {y}Z\"/>",
                y + half * 3 / 4,
                y + half * 6 / 5,
                y + half * 3 / 4
            );
        }
    }
}

fn card(out: &mut String, form: &Form, tint: &str) {
    let Form::Card { at: [x, y], size: [width, height], face, symbols, count } = form else {
        return;
    };
    let mut rect = |class: &str, x: i32, y: i32, width: i32, height: i32, radius: i32| {
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{radius}\"/>"
        );
    };
    let ground = if face.is_some() { "paper" } else { tint };
    // What lies below, for several.
    if *count > 1 {
        rect(&format!("f-{ground} edge"), x + 3, y + 3, *width, *height, 7);
    }
    rect("shadow", *x, y + 2, *width, *height, 7);
    rect(&format!("f-{ground} edge"), *x, *y, *width, *height, 7);
    match face {
        None => {
            rect("gloss", x + 4, y + 4, width - 8, height - 8, 4);
            glyphs(out, form, &format!("e-{tint}"));
        }
        Some(lines) => {
            // A low one is a die or a counter: the whole of it has the colour.
            let (high, radius) = if *height > 48 { (7, 5) } else { (height - 2, 6) };
            rect(&format!("f-{tint}"), x + 1, y + 1, width - 2, high, radius);
            let ink = if *height > 48 { "paper" } else { tint };
            if symbols.is_empty() {
                for (number, line) in lines.iter().enumerate() {
                    let class = format!("o-{ink}{}", if number == 0 { " bold" } else { "" });
                    let at = [x + 6, y + 24 + number as i32 * (LEAST + 6)];
                    label(out, at, LEAST, Anchor::Start, line, &class);
                }
            }
            for (number, row) in rows([*x, *y], [*width, *height], symbols).iter().enumerate() {
                for (glyph, [left, middle], size) in &row.pictures {
                    used(out, *glyph, [*left, *middle], *size, &format!("e-{ink}"));
                }
                let (at, size, text) = row.value;
                label(out, at, size, Anchor::Middle, text, "o-paper bold");
                if number > 0 {
                    let line = y + 8 + (height - 12) / symbols.len() as i32 * number as i32;
                    let (left, right) = (x + 8, x + width - 8);
                    let _ =
                        write!(out, "<path class=\"fine p-paper\" d=\"M{left} {line}H{right}\"/>");
                }
            }
        }
    }
    if *count > 1 {
        badge(out, [x + width - 4, y + 2], LEAST, &format!("{count}"));
    }
}

fn track(out: &mut String, form: &Form, tint: &str) {
    let Form::Track { at: [x, y], size, boxes, struck, marker, sign } = form else { return };
    for (number, text) in (0u32..).zip(boxes) {
        let left = x + number as i32 * size;
        // The box of a marker with a picture is full.
        let on = sign.is_some() && *marker == Some(number);
        let ground = if on { tint } else { "paper" };
        let _ = write!(
            out,
            "<rect class=\"f-{ground} edge\" x=\"{left}\" y=\"{y}\" width=\"{size}\" \
             height=\"{size}\" rx=\"{}\"/>",
            size / 6
        );
        if !text.is_empty() {
            let at = [left + size / 2, y + size * 7 / 10];
            label(out, at, (size / 2).max(LEAST), Anchor::Middle, text, &format!("o-{ground}"));
        }
        if number < *struck && sign.is_none() {
            let (a, b) = (size / 5, size * 4 / 5);
            let _ = write!(
                out,
                "<path class=\"glyph p-paper\" d=\"M{} {}L{} {}M{} {}L{} {}\"/>",
                left + a,
                y + a,
                left + b,
                y + b,
                left + b,
                y + a,
                left + a,
                y + b
            );
        }
        if *marker == Some(number) && sign.is_none() {
            let _ = write!(
                out,
                "<circle class=\"mark selected s-{tint}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                left + size / 2,
                y + size / 2,
                size * 2 / 5
            );
        }
    }
    glyphs(out, form, "b-strong");
}

fn label(out: &mut String, [x, y]: Point, size: i32, anchor: Anchor, text: &str, class: &str) {
    // Most writings have their middle at their place: those say nothing of it.
    let end = match anchor {
        Anchor::Start => " start",
        Anchor::Middle => "",
        Anchor::End => " end",
    };
    let _ = write!(
        out,
        "<text class=\"{class}{end}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>",
        Escaped(text)
    );
}

/// The pictures on a shape.
fn glyphs(out: &mut String, form: &Form, pen: &str) {
    for (glyph, at, size) in pictured(form) {
        used(out, glyph, at, size, pen);
    }
}

/// A picture out of the stock.
fn used(out: &mut String, glyph: Glyph, [x, y]: Point, size: i32, pen: &str) {
    let _ = write!(
        out,
        "<use href=\"#s-{}{size}\" class=\"{pen}\" x=\"{}\" y=\"{}\"/>",
        glyph.name(),
        x - size / 2,
        y - size / 2
    );
}

/// The strokes of a picture, 24 units wide and high.
const fn strokes(glyph: Glyph) -> &'static str {
    match glyph {
        Glyph::Beast => {
            "M3 19C6 19 8 17 8 14L4 6L10 9L12 5L14 9L20 6L16 14C16 17 18 19 21 19M8 14C10 12 14 12 16 14M10 \
             17L12 20L14 17M10.5 11V11.1M13.5 11V11.1"
        }
        Glyph::Axe => "M7 21L16 6M12 4C16 2 20 5 20 9C17 9 14 8 12 4ZM12 4C9 4 8 6 9 9L14 12",
        Glyph::Bow => "M5 4C14 4 20 10 20 19M5 4L20 19M4 20L15 9M15 9H11M15 9V13",
        Glyph::Net => "M4 4H20V20H4ZM4 9.3H20M4 14.6H20M9.3 4V20M14.6 4V20",
        Glyph::Sword => "M20 3L9 14M20 3L14 4L7 12M20 3L19 9L11 16M5 12L12 19M8 16L4 20",
        Glyph::Foot => {
            "M12 7A2.5 2.5 0 1 0 12 2A2.5 2.5 0 1 0 12 7M12 7V14M12 14L8 21M12 14L16 21M7 10H17"
        }
        Glyph::Horse => {
            "M6 21V14C6 9 9 6 13 5L14 3L16 5C19 7 20 10 19 12L15 11C14 14 16 16 16 21ZM14.5 8V8.1"
        }
        Glyph::Gun => "M3 10L17 6L18 9L6 14M8 20A3.5 3.5 0 1 0 8 13A3.5 3.5 0 1 0 8 20M11 17L21 20",
        Glyph::Ship => "M3 16H21L18 21H6ZM12 16V3M12 4C17 6 18 10 17 13H12M12 6C8 8 7 11 7 13H12",
        Glyph::Galley => {
            "M2 13C8 16 16 16 22 12L19 18H6ZM6 17L4 21M10 18L8 22M14 18L12 22M18 17L16 21M12 13V3L18 8L12 10"
        }
        Glyph::Crown => "M4 18H20M4 18L3 8L8 12L12 5L16 12L21 8L20 18",
        Glyph::Church => "M12 2V8M9.5 4.5H14.5M6 21V13L12 8L18 13V21ZM10 21V16H14V21",
        Glyph::Town => {
            "M3 21V11L7 8L11 11V21M11 21V7L15 4L19 7V21M3 21H21M6 14V14.1M15 10V10.1M15 15V15.1"
        }
        Glyph::Tower => "M7 21V9H17V21ZM6 9V4H8.5V6H10.7V4H13.3V6H15.5V4H18V9ZM10.5 21V16H13.5V21",
        Glyph::Anchor => {
            "M12 7A2 2 0 1 0 12 3A2 2 0 1 0 12 7M12 7V21M8 10H16M4 14C4 19 8 21 12 21C16 21 20 19 20 14"
        }
        Glyph::Wood => "M7 18V15M7 15L3 15L7 6L11 15ZM16 20V16M16 16L11.5 16L16 6L20.5 16Z",
        Glyph::Hill => "M2 18C5 11 9 11 12 18M10 15C13 8 18 8 22 18",
        Glyph::Mountain => "M2 20L9 6L13 13L16 9L22 20M7 10L9 12L11 10",
        Glyph::Reef => "M4 17L7 11L10 17M11 14L14 8L18 14M3 20C6 18 8 22 11 20C14 18 16 22 21 20",
        Glyph::Waves => "M3 9C6 7 8 11 11 9C14 7 16 11 21 9M3 15C6 13 8 17 11 15C14 13 16 17 21 15",
        Glyph::Flame => {
            "M12 2C13 7 18 9 18 15A6 6 0 0 1 6 15C6 12 8 11 8 8C10 9 11 11 11 12C13 10 13 6 12 2Z"
        }
        Glyph::Chain => {
            "M5 12A4 3 0 1 1 13 12A4 3 0 1 1 5 12M11 12A4 3 0 1 1 19 12A4 3 0 1 1 11 12"
        }
        Glyph::Bell => {
            "M5 18H19L17 15V10C17 6 15 4 12 4C9 4 7 6 7 10V15ZM10 20C10.5 21.5 13.5 21.5 14 20M12 2V4"
        }
        Glyph::Coin => {
            "M12 21A9 9 0 1 0 12 3A9 9 0 1 0 12 21M12 7V17M9 9H13.5A2 2 0 0 1 13.5 13H10.5A2 2 0 0 0 10.5 17"
        }
        Glyph::Eye => "M2 12C6 5 18 5 22 12C18 19 6 19 2 12ZM12 15A3 3 0 1 0 12 9A3 3 0 1 0 12 15",
        Glyph::Boot => "M8 3V14C8 17 5 17 5 20H20C20 17 17 16 14 15V3Z",
        Glyph::Blade => "M19 3L9 13L11 15L21 5V3ZM6 12L12 18M8 16L4 20",
        Glyph::Wing => {
            "M3 6C9 4 16 5 21 10C19 10 17 10 16 11C17 12 17 13 16 14C14 13 13 14 12 15C12 16 12 17 11 18C7 16 4 12 3 6Z"
        }
        Glyph::Shield => "M4 4H20V11C20 16 16 19 12 21C8 19 4 16 4 11Z",
        Glyph::Bolt => "M3 21L18 6M18 6L12 6.5M18 6L17.5 12M6 14L4 18M10 18L6 20M20 4L21 3",
        Glyph::Drop => "M12 3C14 8 18 11 18 15A6 6 0 0 1 6 15C6 11 10 8 12 3Z",
        Glyph::Axeman => {
            "M9 9A3 3 0 1 0 9 3A3 3 0 1 0 9 9M4 21V14C4 11 14 11 14 14V21M18 21V5M18 5C21 5 22 8 21 11L18 10"
        }
        Glyph::Crossbowman => {
            "M9 9A3 3 0 1 0 9 3A3 3 0 1 0 9 9M4 21V14C4 11 14 11 14 14V21M14 14L21 7M16 5C21 5 22 8 22 12"
        }
        Glyph::Netman => {
            "M9 9A3 3 0 1 0 9 3A3 3 0 1 0 9 9M4 21V14C4 11 14 11 14 14V21M15 5H22V15H15ZM18.5 5V15M15 10H22"
        }
        Glyph::Raider => "M6 10C6 4 18 4 18 10ZM8 10C8 16 16 16 16 10M4 21C5 16 19 16 20 21",
        Glyph::Townsman => "M12 12A4 4 0 1 0 12 4A4 4 0 1 0 12 12M4 21C5 14 19 14 20 21",
        Glyph::Wagon => {
            "M3 12C3 7 7 4 12 4C17 4 21 7 21 12ZM2 12V16H22V12M7 21A2.5 2.5 0 1 0 7 16A2.5 2.5 0 1 0 7 21M17 21A2.5 2.5 0 1 0 17 16A2.5 2.5 0 1 0 17 21"
        }
        Glyph::Field => "M3 19H21M4 14.5H20M3 10H21M5 5.5H19",
        Glyph::Rose => {
            "M12 2L14 10L22 12L14 14L12 22L10 14L2 12L10 10ZM6 6L10 10M18 6L14 10M6 18L10 14M18 18L14 14"
        }
        Glyph::Die1 => "M4 4H20V20H4ZM12 12V12.1",
        Glyph::Die2 => "M4 4H20V20H4ZM8 8V8.1M16 16V16.1",
        Glyph::Die3 => "M4 4H20V20H4ZM8 8V8.1M12 12V12.1M16 16V16.1",
        Glyph::Die4 => "M4 4H20V20H4ZM8 8V8.1M16 16V16.1M16 8V8.1M8 16V16.1",
        Glyph::Die5 => "M4 4H20V20H4ZM8 8V8.1M16 16V16.1M16 8V8.1M8 16V16.1M12 12V12.1",
        Glyph::Die6 => "M4 4H20V20H4ZM8 8V8.1M16 16V16.1M16 8V8.1M8 16V16.1M8 12V12.1M16 12V12.1",
        Glyph::Unknown => "M8 9C8 3.5 16.5 3.5 16.5 9C16.5 12.5 12 12 12 16M12 20V20.1",
    }
}

/// The tables beside the picture.
#[derive(Default)]
struct Side {
    width: i32,
    height: i32,
    /// Where a text stands, whether it is a head, and the text.
    cells: Vec<(Point, bool, String)>,
}

impl Side {
    fn of(tables: &[Panel], bounds: Bounds) -> Side {
        let mut side = Side::default();
        if tables.is_empty() {
            return side;
        }
        // As big beside a wide picture as beside a narrow one.
        let size = Side::writing(bounds);
        let (line, gap) = (size * 3 / 2, size);
        let left = bounds.left + bounds.width + gap;
        let mut y = bounds.top + gap + size;
        let mut widest = 0;
        for table in tables {
            side.cells.push(([left, y], true, table.title.clone()));
            widest = widest.max(written(&table.title, size));
            y += line;
            let rows = || std::iter::once(&table.heads).chain(&table.rows);
            let columns = rows().map(Vec::len).max().unwrap_or(0);
            let width = |column: usize| {
                let cells = rows().filter_map(|row| row.get(column));
                cells.map(|text| written(text, size)).max().unwrap_or(0) + gap
            };
            let mut starts = vec![left];
            (0..columns).for_each(|it| starts.push(starts[it] + width(it)));
            widest = widest.max(starts[columns] - left);
            for (number, row) in rows().enumerate().filter(|(_, row)| !row.is_empty()) {
                for (text, x) in row.iter().zip(&starts) {
                    side.cells.push(([*x, y], number == 0, text.clone()));
                }
                y += line;
            }
            y += gap / 2;
        }
        side.width = widest + 2 * gap;
        side.height = y - bounds.top;
        side
    }

    /// How high the letters are.
    fn writing(bounds: Bounds) -> i32 {
        (bounds.width / 60).max(WRITING)
    }

    fn write(&self, out: &mut String) {
        let Some(([_, first], _, _)) = self.cells.first() else { return };
        let _ = write!(out, "<g data-id=\"tables\">");
        // The first line is as far below the edge as two of its letters are high.
        let size = self.cells.iter().map(|([_, y], _, _)| y - first).find(|it| *it > 0);
        let size = size.map_or(WRITING, |line| line * 2 / 3);
        for (at, head, text) in &self.cells {
            label(out, *at, size, Anchor::Start, text, if *head { "f-ink bold" } else { "f-ink" });
        }
        out.push_str("</g>\n");
    }
}

/// What the grounds are called, below the picture.
#[derive(Default)]
struct Key<'a> {
    width: i32,
    height: i32,
    /// How wide and high the sample of a ground is.
    line: i32,
    entries: Vec<Entry<'a>>,
}

/// A ground in the legend.
struct Entry<'a> {
    /// The upper left corner of its sample.
    at: Point,
    ground: &'a Ground,
}

impl Key<'_> {
    fn of(legend: &[Ground], bounds: Bounds) -> Key<'_> {
        if legend.is_empty() {
            return Key::default();
        }
        let size = Side::writing(bounds);
        let (line, gap) = (size * 3 / 2, size);
        let (mut x, mut y) = (bounds.left + gap, bounds.top + bounds.height + gap / 2);
        let mut entries = Vec::new();
        for ground in legend {
            let wide = line + gap / 2 + written(&ground.text, size) + gap;
            if x + wide > bounds.left + bounds.width && x > bounds.left + gap {
                (x, y) = (bounds.left + gap, y + line + gap / 2);
            }
            entries.push(Entry { at: [x, y], ground });
            x += wide;
        }
        let height = y + line + gap / 2 - bounds.top - bounds.height;
        Key { width: bounds.width, height, line, entries }
    }

    fn write(&self, out: &mut String) {
        if self.entries.is_empty() {
            return;
        }
        let line = self.line;
        out.push_str("<g data-id=\"legend\">");
        for Entry { at: [x, y], ground } in &self.entries {
            let tint = ground.tint.name();
            let _ = write!(
                out,
                "<rect class=\"f-{tint} rim\" x=\"{x}\" y=\"{y}\" width=\"{line}\" height=\"{line}\"/>"
            );
            if let Some(glyph) = ground.glyph {
                let _ = write!(
                    out,
                    "<use href=\"#s-{}{line}\" class=\"e-{tint} soft\" x=\"{x}\" y=\"{y}\"/>",
                    glyph.name()
                );
            }
            let at = [x + line * 4 / 3, y + line * 3 / 4];
            label(out, at, line * 2 / 3, Anchor::Start, &ground.text, "f-ink");
        }
        out.push_str("</g>\n");
    }
}

/// How wide a text is, at most, in letters of this height.
fn written(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 6 / 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::palette;
    use serde_json::json;

    #[test]
    fn what_people_wrote_cannot_break_the_picture() {
        let form = Form::Disc { at: [0, 0], radius: 5 };
        let shape = Shape::new("a\"b", "<script>&\u{7}", Tint::Plain, form);
        let scene = Scene {
            title: "A & B".to_owned(),
            shapes: vec![shape.choosing(json!({"to": "<\"x\">"}))],
            ..Scene::default()
        };
        let text = write(&scene, Options { style: false, ..Options::default() });
        assert!(text.contains("<title>&lt;script&gt;&amp;</title>"), "{text}");
        assert!(text.contains("data-id=\"a&quot;b\""), "{text}");
        assert!(text.contains(r#"data-choice='{"to":"&lt;\"x\">"}'"#));
        assert!(text.contains(">A &amp; B</title>"), "{text}");
        assert!(!text.contains("<script") && !text.contains("<style"), "{text}");
    }

    #[test]
    fn a_picture_carries_its_colours_or_leaves_them_to_the_page() {
        let scene = Scene::default();
        assert!(write(&scene, Options::default()).contains(&palette::css_of(None)));
        let plain = write(&scene, Options { style: false, ..Options::default() });
        assert!(!plain.contains("--side1"));
        let dark = Options { theme: Theme::Dark, ..Options::default() };
        assert!(write(&scene, dark).contains("data-theme=\"dark\""));
    }

    #[test]
    fn long_names_are_shortened_and_stay_apart() {
        for (name, short) in [
            ("Boys 1", "Boys 1"),
            ("Pirate 4a", "Pi.4a"),
            ("Women 10", "Wo.10"),
            ("Arquebusier", "Arque."),
        ] {
            let got = shortened(name);
            assert_eq!(got.replace(' ', ""), short.replace(' ', ""), "{name}");
            assert!(got.chars().count() <= 8, "{got}");
        }
    }

    #[test]
    fn what_is_drawn_often_is_written_once() {
        let hex = |id: &str, x: i32| {
            let form = Form::Hex { at: [x, 0], size: 50, pointy: true, glyph: Some(Glyph::Wood) };
            Shape::new(id, id, Tint::Wood, form)
        };
        let scene =
            Scene { shapes: vec![hex("hex:0,0", 0), hex("hex:1,0", 86)], ..Scene::default() };
        let text = write(&scene, Options { style: false, ..Options::default() });
        assert_eq!(text.matches("<path ").count(), 2, "{text}");
        for (name, times) in [("s-hex50-wood-wood", 2), ("s-wood62", 1)] {
            assert_eq!(text.matches(&format!(" id=\"{name}\"")).count(), 1, "{text}");
            assert_eq!(text.matches(&format!("href=\"#{name}\"")).count(), times, "{text}");
        }
        assert!(text.contains("data-id=\"hex:1,0\"><title>hex:1,0</title>"), "{text}");
    }

    #[test]
    fn fields_of_one_value_share_it() {
        let choice = json!({"unit": {"any": [1, 2]}, "to": [0, 1], "ship": {"any": [1, 2]}});
        assert_eq!(grouped(&choice).to_string(), r#"{"unit ship":{"any":[1,2]},"to":[0,1]}"#);
        assert_eq!(grouped(&json!({})).to_string(), "{}");
    }

    #[test]
    fn grounds_are_named_below_the_picture() {
        let grounds = ["clear", "rough and stony", "water"];
        let legend =
            grounds.map(|text| Ground { tint: Tint::Plain, glyph: None, text: text.to_owned() });
        let bounds = Bounds { left: 0, top: 0, width: 160, height: 100 };
        let scene = Scene { bounds, legend: legend.to_vec(), ..Scene::default() };
        let key = Key::of(&scene.legend, bounds);
        assert!(key.entries.iter().all(|it| it.at[1] > 100 && it.at[0] < 160));
        assert!(key.entries[1].at[1] > key.entries[0].at[1]);
        let text = write(&scene, Options::default());
        assert!(text.contains(">rough and stony</text>") && text.contains("data-id=\"legend\""));
        assert!(text.contains(&format!("viewBox=\"0 0 160 {}\"", 100 + key.height)), "{text}");
    }

    #[test]
    fn an_arrow_ends_where_it_points() {
        let head = arrow_head([0, 0], [100, 0]);
        assert_eq!(head, [[86, 9], [100, 0], [86, -9]].map(|[x, y]: [i32; 2]| [x, -y]));
        assert_eq!(arrow_head([5, 5], [5, 5])[1], [5, 5]);
    }

    #[test]
    fn tables_stand_beside_the_picture_and_not_on_it() {
        let rows = vec![vec!["p1".to_owned(), "12".to_owned()]];
        let table = Panel { title: "Gold".to_owned(), heads: Vec::new(), rows };
        let bounds = Bounds { left: -10, top: -10, width: 300, height: 20 };
        let scene = Scene { bounds, tables: vec![table], ..Scene::default() };
        let side = Side::of(&scene.tables, bounds);
        assert!(side.cells.iter().all(|([x, _], _, _)| *x > 290), "{:?}", side.cells);
        let text = write(&scene, Options::default());
        assert!(text.contains(">Gold</text>") && text.contains(">12</text>"), "{text}");
        let alone = write(&scene, Options { tables: false, ..Options::default() });
        assert!(!alone.contains("Gold") && alone.contains("viewBox=\"-10 -10 300 20\""));
    }
}
