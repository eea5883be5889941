//! Pictures: what a view looks like, in shapes with names.
//!
//! A game draws its view as a [`Scene`]; one writer makes an SVG of it ([`svg`]), one a text for terminals and
//! mails ([`text`]). A scene is made of a view and of what its observer was told, so that nothing hidden
//! can be drawn. All lengths are whole numbers in units of the scene, all angles those of the shapes. This module
//! must not know a game, nor look at anything but the scene.

use serde::Serialize;
use serde_json::Value;

pub use art::Art;
pub use kinds::{Anchor, Glyph, Line, Outline, Role, Tint};

pub mod art;
mod kinds;
pub mod palette;
mod plan;
pub mod rim;
pub mod svg;
pub mod targets;
pub mod text;

/// A place in a scene: to the right and down, in its units.
pub type Point = [i32; 2];

/// How a [`Point`] is described.
#[cfg(feature = "schema")]
struct PointSchema;

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for PointSchema {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
        ArrayBuilder::new()
            .items(ObjectBuilder::new().schema_type(Type::Integer))
            .min_items(Some(2))
            .max_items(Some(2))
            .description(Some("To the right and down, in units of the scene."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for PointSchema {}

/// How big the smallest writing is, in units: a picture 400 units wide can be read on a telephone.
pub const WRITING: i32 = 12;

/// A picture of one view.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Scene {
    /// What is shown, in a few words: `Turn 3, the dragon to move`.
    pub title: String,
    /// The same for somebody who cannot see it: who stands where, in plain sentences.
    pub text: String,
    /// What of the plane is to be seen.
    pub bounds: Bounds,
    /// The parts of the plane, the board first: a page may lay each out by itself.
    pub regions: Vec<Region>,
    /// The shapes, those at the bottom first. Ids are given once. The `choice` of a shape (`{"to": [2, -1]}`) means
    /// every legal action that has, at any depth, one of its fields with this value or a list with it; `{"any": [..]}`
    /// stands for each of several values.
    pub shapes: Vec<Shape>,
    /// What the grounds are called that occur in it.
    pub legend: Vec<Ground>,
    /// What stands beside the picture in rows.
    pub tables: Vec<Panel>,
    /// The colours and drawings of the game, if it has its own.
    #[serde(skip)]
    pub art: Option<&'static Art>,
}

impl Scene {
    /// Makes a region of the shapes from a number on. The first region is the board: its shapes need no name of it.
    pub fn region(&mut self, id: &str, title: &str, bounds: Bounds, from: usize) {
        if !self.regions.is_empty() {
            self.shapes.iter_mut().skip(from).for_each(|it| id.clone_into(&mut it.region));
        }
        self.regions.push(Region { id: id.to_owned(), title: title.to_owned(), bounds });
    }

    /// Every text in it that speaks to people, one by one: `say` may put it into another language. Ids, choices and
    /// what is drawn where stay as they are.
    pub fn each_text(&mut self, mut say: impl FnMut(&mut String)) {
        let mut say = |text: &mut String| {
            if !text.is_empty() {
                say(text);
            }
        };
        say(&mut self.title);
        say(&mut self.text);
        self.regions.iter_mut().for_each(|it| say(&mut it.title));
        for shape in &mut self.shapes {
            say(&mut shape.title);
            match &mut shape.form {
                Form::Piece { label, badges, .. } => {
                    say(label);
                    badges.iter_mut().for_each(&mut say);
                }
                Form::Card { face: Some(lines), .. } | Form::Track { boxes: lines, .. } => {
                    lines.iter_mut().for_each(&mut say);
                }
                Form::Label { text, .. } => say(text),
                _ => {}
            }
        }
        self.legend.iter_mut().for_each(|it| say(&mut it.text));
        for table in &mut self.tables {
            say(&mut table.title);
            table.heads.iter_mut().chain(table.rows.iter_mut().flatten()).for_each(&mut say);
        }
    }
}

/// A part of the plane that belongs together: the board, a hand, a track.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Region {
    /// `board`, `hand:SEAT`, `score`, …
    pub id: String,
    /// Its name in words.
    pub title: String,
    /// Where it lies.
    pub bounds: Bounds,
}

/// What a ground is called, for the legend.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Ground {
    /// Its colour.
    pub tint: Tint,
    /// What grows or stands on it, besides its colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub glyph: Option<Glyph>,
    /// What it is called.
    pub text: String,
}

/// A part of the plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Bounds {
    /// The left edge.
    pub left: i32,
    /// The upper edge.
    pub top: i32,
    /// How wide it is, at least 1.
    pub width: i32,
    /// How high it is, at least 1.
    pub height: i32,
}

impl Bounds {
    /// The least part that holds some places, with a margin around it.
    pub fn around(places: impl IntoIterator<Item = Point>, margin: i32) -> Bounds {
        let mut edges: Option<[i32; 4]> = None;
        for [x, y] in places {
            let [left, top, right, bottom] = edges.unwrap_or([x, y, x, y]);
            edges = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
        }
        let [left, top, right, bottom] = edges.unwrap_or_default();
        Bounds {
            left: left - margin,
            top: top - margin,
            width: (right - left + 2 * margin).max(1),
            height: (bottom - top + 2 * margin).max(1),
        }
    }

    /// Whether a place lies in it.
    pub fn holds(&self, [x, y]: Point) -> bool {
        (self.left..=self.left + self.width).contains(&x)
            && (self.top..=self.top + self.height).contains(&y)
    }
}

/// A table beside the picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Panel {
    /// What it is a table of.
    pub title: String,
    /// What stands over the columns; empty where nothing needs to.
    pub heads: Vec<String>,
    /// The rows, each as long as the longest.
    pub rows: Vec<Vec<String>>,
}

/// One thing that is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Shape {
    /// Its id, the same in every scene of a game: `unit:50`.
    pub id: String,
    /// Its name in words.
    pub title: String,
    /// Its colour.
    pub tint: Tint,
    /// Its region, if not the board.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub region: String,
    /// What choosing it fills into an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>, nullable = false))]
    pub choice: Option<Value>,
    /// What it looks like.
    #[serde(flatten)]
    pub form: Form,
}

impl Shape {
    /// A shape that nothing chooses.
    pub fn new(id: impl Into<String>, title: impl Into<String>, tint: Tint, form: Form) -> Self {
        let region = String::new();
        Shape { id: id.into(), title: title.into(), tint, region, choice: None, form }
    }

    /// The same with what choosing it fills into an action.
    #[must_use]
    pub fn choosing(mut self, choice: impl Serialize) -> Self {
        self.choice = serde_json::to_value(choice).ok();
        self
    }
}

/// What a shape looks like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = scene::Form))]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Form {
    /// A hex of a board.
    Hex {
        /// Its middle.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// From the middle to a corner.
        size: i32,
        /// Whether a corner points up.
        pointy: bool,
        /// What grows or stands on it, besides its colour.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        glyph: Option<Glyph>,
    },
    /// A piece of land, a building, a sea.
    Area {
        /// Its corners in turn.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<PointSchema>, inline))]
        outline: Vec<Point>,
        /// Whether its corners are rounded off.
        #[serde(skip_serializing_if = "is_false")]
        #[cfg_attr(feature = "schema", schema(required = false))]
        round: bool,
    },
    /// Ornament.
    Drawing {
        /// Its middle.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// How wide it is.
        size: i32,
        /// What it shows.
        glyph: Glyph,
    },
    /// Several lines of one kind: a coast, a grid.
    Lines {
        /// Each from place to place.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<PointSchema>>, inline))]
        lines: Vec<Vec<Point>>,
        /// How they are drawn.
        line: Line,
    },
    /// A round place.
    Disc {
        /// Its middle.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// From the middle to its rim.
        radius: i32,
    },
    /// A road, a route, the way that something went.
    Link {
        /// Where it leads along: two places, or three where it bends.
        #[cfg_attr(feature = "schema", schema(value_type = Vec<PointSchema>, inline))]
        along: Vec<Point>,
        /// How it is drawn.
        line: Line,
    },
    /// Something that stands on the board.
    Piece {
        /// Its middle.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// How wide it is.
        size: i32,
        /// Its outline: sides differ in it as well as in colour.
        outline: Outline,
        /// Its picture, where it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        glyph: Option<Glyph>,
        /// Its name or its value in short, or both in two lines; empty where the picture says it all.
        label: String,
        /// What else there is to be known of it, in short.
        badges: Vec<String>,
        /// How many of them stand here; 1 for one alone.
        count: u32,
        /// Whether the observer does not know what it is.
        hidden: bool,
    },
    /// A card.
    Card {
        /// Its upper left corner.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// Its width and height.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        size: Point,
        /// What stands on it, line by line; none for one that lies face down.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        face: Option<Vec<String>>,
        /// The same in pictures, if they say it all.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "schema", schema(required = false))]
        symbols: Vec<CardSymbol>,
        /// How many such cards lie here; 1 for one alone.
        count: u32,
    },
    /// Boxes in a row of which some are struck through, or on one of which a marker stands.
    Track {
        /// The upper left corner of the first box.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// How wide a box is.
        size: i32,
        /// What stands in each box; empty for nothing.
        boxes: Vec<String>,
        /// How many are struck through, from the first.
        struck: u32,
        /// On which the marker stands, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        marker: Option<u32>,
        /// What strikes a box, or what the marker is; a cross and a ring without.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        sign: Option<Glyph>,
    },
    /// A frame around things that belong together: a hand, a reserve.
    Frame {
        /// Its upper left corner.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// Its width and height.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        size: Point,
    },
    /// Writing.
    Label {
        /// Where it begins, ends or has its middle, on the line that it stands on.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// How high the letters are, at least [`WRITING`].
        size: i32,
        /// Which end is at the place.
        anchor: Anchor,
        /// What it says, line by line.
        text: String,
    },
    /// Something to be looked at: where the last action came from, where it went, whom it hit.
    Mark {
        /// Its middle.
        #[cfg_attr(feature = "schema", schema(value_type = PointSchema, inline))]
        at: Point,
        /// How wide it is.
        size: i32,
        /// What it says.
        role: Role,
    },
}

/// A line of a card in pictures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CardSymbol {
    /// What it is about.
    pub glyph: Glyph,
    /// How often the picture stands there.
    pub times: u32,
    /// How much of it; empty for nothing.
    pub value: String,
}

/// For fields that are left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(it: &bool) -> bool {
    !*it
}

impl Form {
    /// Where it is: its middle, or the middle of its first corners.
    pub fn place(&self) -> Point {
        match self {
            Form::Hex { at, .. }
            | Form::Disc { at, .. }
            | Form::Piece { at, .. }
            | Form::Label { at, .. }
            | Form::Drawing { at, .. }
            | Form::Mark { at, .. } => *at,
            Form::Card { at: [x, y], size: [width, height], .. }
            | Form::Frame { at: [x, y], size: [width, height] } => [x + width / 2, y + height / 2],
            Form::Track { at: [x, y], size, boxes, .. } => {
                [x + size * boxes.len() as i32 / 2, y + size / 2]
            }
            Form::Area { outline: corners, .. } | Form::Link { along: corners, .. } => {
                middle_among(corners.iter())
            }
            Form::Lines { lines, .. } => middle_among(lines.iter().flatten()),
        }
    }
}

fn middle_among<'a>(places: impl Iterator<Item = &'a Point>) -> Point {
    let (sum, count) =
        places.fold(([0, 0], 0), |([x, y], count), it| ([x + it[0], y + it[1]], count + 1));
    sum.map(|it| it / count.max(1))
}

/// The middle of a hex in axial coordinates, where neighbours are two `across` (from the middle to the middle of a
/// side) apart and `size` is that from the middle to a corner.
pub fn middle_of(hex: crate::board::hex::Hex, size: i32, pointy: bool) -> Point {
    let (q, r) = (hex.q as i32, hex.r as i32);
    // Half the distance of two neighbours is √3/2 of the size.
    let across = |halves: i32| halves * size * 866 / 1000;
    if pointy {
        [across(2 * q + r), r * size * 3 / 2]
    } else {
        [q * size * 3 / 2, across(2 * r + q)]
    }
}

/// The line from one place to another, shortened at its beginning and at its end: an arrow between two pieces. Where
/// nothing would be left of it, it is not shortened.
pub fn between(from: Point, to: Point, [after, before]: [i32; 2]) -> [Point; 2] {
    let (dx, dy) = (i64::from(to[0] - from[0]), i64::from(to[1] - from[1]));
    let length = (dx * dx + dy * dy).unsigned_abs().isqrt() as i64;
    if length <= i64::from(after + before) {
        return [from, to];
    }
    let along =
        |at: i64| [from[0] + (dx * at / length) as i32, from[1] + (dy * at / length) as i32];
    [along(after.into()), along(length - i64::from(before))]
}

/// The corners of a hex in turn.
pub fn corners_of([x, y]: Point, size: i32, pointy: bool) -> [Point; 6] {
    let (near, far) = (size / 2, size * 866 / 1000);
    let corners = [[0, -size], [far, -near], [far, near], [0, size], [-far, near], [-far, -near]];
    corners.map(|[a, b]| if pointy { [x + a, y + b] } else { [x + b, y + a] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hex::Hex;

    #[test]
    fn neighbouring_hexes_touch_along_a_side() {
        for pointy in [true, false] {
            let own = corners_of(middle_of(Hex::new(0, 0), 100, pointy), 100, pointy);
            for step in [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]] {
                let there = middle_of(Hex::new(step[0], step[1]), 100, pointy);
                let next = corners_of(there, 100, pointy);
                let close =
                    |a: &Point, b: &Point| (a[0] - b[0]).abs() <= 2 && (a[1] - b[1]).abs() <= 2;
                let shared = own.iter().filter(|a| next.iter().any(|b| close(a, b))).count();
                assert_eq!(shared, 2, "{step:?}, pointy {pointy}");
            }
        }
    }

    #[test]
    fn every_text_is_said() {
        let piece = Form::Piece {
            at: [0, 0],
            size: 20,
            outline: Outline::Disc,
            glyph: None,
            label: "e".to_owned(),
            badges: vec!["f".to_owned(), String::new()],
            count: 1,
            hidden: false,
        };
        let face = Some(vec!["h".to_owned()]);
        let card = Form::Card { at: [0, 0], size: [9, 9], face, symbols: Vec::new(), count: 1 };
        let shapes = vec![
            Shape::new("unit:1", "d", Tint::Ink, piece),
            Shape::new("card:1", "g", Tint::Ink, card),
        ];
        let table = |text: &str| Panel {
            title: text.to_owned(),
            heads: vec![text.to_owned()],
            rows: vec![vec![text.to_owned()]],
        };
        let ground = Ground { tint: Tint::Wood, glyph: None, text: "i".to_owned() };
        let mut scene = Scene {
            title: "b".to_owned(),
            text: "c".to_owned(),
            shapes,
            legend: vec![ground],
            tables: vec![table("j")],
            ..Scene::default()
        };
        let mut said = String::new();
        scene.each_text(|text| {
            said.push_str(text);
            text.insert(0, '*');
        });
        assert_eq!(said, "bcdefghijjj");
        let all = serde_json::to_string(&scene).unwrap_or_default();
        assert_eq!(all.matches("\"*").count(), 11, "{all}");
        assert!(all.contains("\"unit:1\""));
    }

    #[test]
    fn a_line_is_shortened_at_both_ends() {
        assert_eq!(between([0, 0], [100, 0], [10, 20]), [[10, 0], [80, 0]]);
        assert_eq!(between([0, 50], [0, 0], [5, 0]), [[0, 45], [0, 0]]);
        assert_eq!(between([0, 0], [3, 4], [3, 3]), [[0, 0], [3, 4]]);
    }

    #[test]
    fn bounds_hold_what_they_were_made_of() {
        let places = [[3, -5], [-20, 8], [4, 40]];
        let bounds = Bounds::around(places, 6);
        assert_eq!(bounds, Bounds { left: -26, top: -11, width: 36, height: 57 });
        assert!(places.iter().all(|&place| bounds.holds(place)));
        assert!(!bounds.holds([11, 0]) && !bounds.holds([0, -12]));
    }
}
