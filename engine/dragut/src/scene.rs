//! The view as a picture: the bay with its roads and trails, the tokens where they stand, the tracks and cards below.
//!
//! Made of a view and of what its observer was told; must not look at a state. Areas of a corrected map that the
//! printed one has not are laid in rows above it.

use std::collections::BTreeMap;

use serde_json::json;

use super::Dragut;
use super::action::Side;
use super::art::ART;
use super::notice::Notice;
use super::setup::ids::PLACES;
use super::setup::{AreaData, AreaKind, Setup};
use super::tables::layout::{
    self, BAY, HILLS, PLAIN, PLATE, SEA, SHORE, TREES, WALL, WAVES, WIDTH,
};
use super::view::{Commitment, Pile, View};
use umpire_core::game::Picture;
use umpire_core::scene::{
    Anchor, Art, Bounds, Form, Glyph, Line, Outline, Point, Role, Scene, Shape, Tint, between,
};
use umpire_core::wire::Name;

impl Picture for Dragut {
    const ART: Option<&'static Art> = Some(&ART);

    /// The view as a picture.
    fn draw(setup: &Setup, view: &View, lately: &[Notice]) -> Scene {
        let places = Places::of(setup);
        let title = title(view);
        let text = words(setup, view, &title);
        let mut scene = Scene { title, text, art: Self::ART, ..Scene::default() };
        let shapes = &mut scene.shapes;
        shapes.extend(ground(&places));
        shapes.extend(links(setup, &places));
        for area in setup.map.iter() {
            shapes.extend(place(&places, area));
        }
        shapes.extend(traces(&places, lately));
        let mut all = everybody(setup, view);
        tokens(shapes, view, &places, &mut all);
        shapes.extend(due(view, &places));
        shapes.extend(hits(&places, lately));
        let (left, width) = (LEFT, WIDTH - LEFT);
        let board = Bounds { left, top: places.top, width, height: SEA - places.top };
        scene.region("board", "The map", board, 0);
        let top = SEA + 12;
        let part = |column: i32, top: i32, height: i32| Bounds {
            left: LEFT + column * (STRIP + 14),
            top,
            width: STRIP,
            height,
        };
        for (column, side) in [(0, Side::Pirates), (1, Side::Rapalline)] {
            let bounds = part(column, top, HAND);
            let from = scene.shapes.len();
            cards(&mut scene.shapes, setup, view, side, [bounds.left, bounds.top]);
            let name = format!("Cards of the {}", side_name(side));
            scene.region(&format!("hand:{side}"), &name, bounds, from);
        }
        let bounds = part(2, top, HAND);
        let from = scene.shapes.len();
        tracks(&mut scene.shapes, setup, view, [bounds.left, bounds.top]);
        scene.region("tracks", "Alarm and Serraglio", bounds, from);
        let bounds = part(0, top + HAND + 12, SUPPLY);
        let from = scene.shapes.len();
        supply(&mut scene.shapes, all, [bounds.left, bounds.top]);
        scene.region("supply", "Beside the map", bounds, from);
        let low = top + HAND + 12 + SUPPLY;
        scene.bounds = Bounds::around([[LEFT, places.top], [WIDTH, low]], 10);
        scene
    }
}

/// How wide what lies beside the map is; how high the cards of a side and the places of those who are not on it are.
const STRIP: i32 = 496;
const HAND: i32 = 118;
const SUPPLY: i32 = 128;
/// How wide a token is, and how far it is from the next.
const TOKEN: i32 = 44;
const STEP: i32 = 45;
/// The left edge: areas reach a little beyond the origin of the layout.
const LEFT: i32 = -66;
/// How far above the middle of its area a token stands.
const RAISED: i32 = 20;
/// Height of the letters.
const WRITING: i32 = 15;

/// Where the areas lie.
struct Places {
    of: BTreeMap<Name, Point>,
    top: i32,
}

impl Places {
    fn of(setup: &Setup) -> Places {
        let (mut of, mut top) = (BTreeMap::new(), 30);
        let mut unknown = 0;
        for area in setup.map.iter() {
            let at = layout::place(area.id.as_str()).unwrap_or_else(|| {
                let at = [80 + 150 * (unknown % 9), -60 - 110 * (unknown / 9)];
                unknown += 1;
                at
            });
            top = top.min(at[1] - 60);
            of.insert(area.id, at);
        }
        Places { of, top }
    }

    fn at(&self, area: &Name) -> Option<Point> {
        self.of.get(area).copied()
    }
}

fn tint(side: Side) -> Tint {
    Tint::of_seat(side.index())
}

fn title(view: &View) -> String {
    if let Some(outcome) = &view.outcome {
        let why = why(&outcome.reason);
        return match outcome.winner {
            Some(winner) => format!("The {} won: {why}", side_name(winner)),
            None => format!("Nobody won: {why}"),
        };
    }
    let points = if view.pool == 1 { "point" } else { "points" };
    match view.phase {
        Some(side) => {
            format!(
                "Turn {}, phase of the {}: {} {points} left",
                view.turn,
                side_name(side),
                view.pool
            )
        }
        None if view.turn == 0 => "Before the first turn".to_owned(),
        None => format!("Turn {}", view.turn),
    }
}

/// Why the game is over.
fn why(reason: &Name) -> String {
    match reason.as_str() {
        "serraglio" => "the Serraglio is full".to_owned(),
        "no_rapalline" => "no townspeople are left to take".to_owned(),
        "no_pirates" => "no pirate is left".to_owned(),
        "unreachable" => "too few townspeople are left to take".to_owned(),
        "standstill" => "nobody can do anything any more".to_owned(),
        other => other.replace('_', " "),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Pirates => "pirates",
        Side::Rapalline => "townspeople",
    }
}

fn where_text(setup: &Setup, at: &Name) -> String {
    match setup.area(at) {
        Some(area) => setup.area_title(area),
        None => elsewhere(at.as_str()),
    }
}

/// Where somebody is who stands in no area.
fn elsewhere(at: &str) -> String {
    match at {
        "aside" => "set aside".to_owned(),
        "reserve" => "in reserve".to_owned(),
        "serraglio" => "in the Serraglio".to_owned(),
        "removed" => "out of the game".to_owned(),
        other => other.replace('_', " "),
    }
}

/// What can be seen, in sentences.
fn words(setup: &Setup, view: &View, title: &str) -> String {
    let mut all = vec![format!("{title}.")];
    let known = view.units.0.iter().map(|(id, unit)| {
        let captive = if unit.captive { " (captive)" } else { "" };
        (unit.at, format!("{}{captive}", setup.said_unit(id)))
    });
    let hidden = view.tokens.0.iter().map(|(token, it)| (it.at, token.to_string()));
    let mut places: BTreeMap<Name, Vec<String>> = BTreeMap::new();
    known.chain(hidden).for_each(|(at, text)| places.entry(at).or_default().push(text));
    for (at, units) in places {
        all.push(format!("{}: {}.", where_text(setup, &at), units.join(", ")));
    }
    all.join(" ")
}

/// A corner that is not rounded off.
fn sharp(at: Point) -> [Point; 3] {
    [at; 3]
}

/// The hills behind the town, the bay before it, and the town within its wall.
fn ground(places: &Places) -> Vec<Shape> {
    let area = |id: &str, tint: Tint, outline: Vec<Point>, round: bool| {
        Shape::new(id, "", tint, Form::Area { outline, round })
    };
    let drawn = |id: String, tint: Tint, at: Point, size: i32, glyph: Glyph| {
        Shape::new(id, "", tint, Form::Drawing { at, size, glyph })
    };
    let top = places.top;
    let mut shapes = vec![area(
        "land",
        Tint::Wood,
        vec![[LEFT, top], [WIDTH, top], [WIDTH, SEA], [LEFT, SEA]],
        false,
    )];
    for (number, [from, peak, to]) in HILLS.iter().enumerate() {
        let outline =
            [&sharp([from[0], top + 470])[..], &[*from, *peak, *to], &sharp([to[0], top + 470])]
                .concat();
        let outline =
            outline.into_iter().map(|[x, y]| [x.clamp(LEFT, WIDTH), y.max(top)]).collect();
        shapes.push(area(&format!("ridge:{number}"), Tint::Mountain, outline, true));
    }
    // The plain before them.
    let plain = [&sharp([LEFT, top + 440])[..], &PLAIN[..], &sharp([WIDTH, top + 470])].concat();
    let outline = [&plain[..], &sharp([WIDTH, SEA]), &sharp([LEFT, SEA])].concat();
    shapes.push(area("plain", Tint::Wood, outline, true));
    for (number, at) in TREES.iter().enumerate() {
        shapes.push(drawn(format!("trees:{number}"), Tint::Hill, *at, 44, Glyph::Wood));
    }
    // The beach, then the water: the same bay, a little further out.
    for (id, tint, out) in [("beach", Tint::Sand, 0), ("sea", Tint::Water, 16)] {
        let bay = BAY.map(|[x, y]| [x, y + out]);
        let outline = [
            &sharp([LEFT, SEA - 30 + out])[..],
            &bay[..],
            &sharp([WIDTH, SEA - 30 + out]),
            &sharp([WIDTH, SEA]),
            &sharp([LEFT, SEA]),
        ]
        .concat();
        shapes.push(area(id, tint, outline, true));
    }
    for (number, [x, y]) in WAVES.iter().enumerate() {
        let at = [*x, SHORE + y];
        shapes.push(drawn(format!("waves:{number}"), Tint::Reef, at, 52, Glyph::Waves));
    }
    shapes.push(drawn(
        "galleass".to_owned(),
        Tint::Faint,
        [WIDTH / 2, SHORE + 88],
        172,
        Glyph::Galley,
    ));
    let label = Form::Label {
        at: [40, SEA - 14],
        size: WRITING,
        anchor: Anchor::Start,
        text: "The sea".to_owned(),
    };
    shapes.push(Shape::new("sea:name", "", Tint::Faint, label));
    shapes.push(area("wall", Tint::Sand, WALL.to_vec(), false));
    let round = [&WALL[..], &WALL[..1]].concat();
    let form = Form::Lines { lines: vec![round], line: Line::Broad };
    shapes.push(Shape::new("wall:stones", "", Tint::Wall, form));
    for (number, [x, y]) in WALL.iter().enumerate() {
        shapes.push(drawn(format!("tower:{number}"), Tint::Wall, [*x, y - 8], 38, Glyph::Tower));
    }
    shapes
}

/// Roads and trails, each once.
fn links(setup: &Setup, places: &Places) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for area in setup.map.iter() {
        let ways = [(&area.roads, Line::Solid, "road"), (&area.trails, Line::Dotted, "trail")];
        for (others, line, kind) in ways {
            for other in others.iter().filter(|other| area.id < **other) {
                let (Some(from), Some(to)) = (places.at(&area.id), places.at(other)) else {
                    continue;
                };
                let id = format!("{kind}:{}:{other}", area.id);
                let form = Form::Link { along: vec![from, to], line };
                shapes.push(Shape::new(id, "", Tint::Faint, form));
            }
        }
    }
    shapes
}

/// An area with its name below it.
fn place(places: &Places, area: &AreaData) -> Vec<Shape> {
    let Some([x, y]) = places.at(&area.id) else { return Vec::new() };
    let name = area.name.clone().unwrap_or_else(|| area.id.as_str().replace('_', " "));
    let [side, up, down] = PLATE;
    let [left, top, right, low] = [x - side, y - up, x + side, y + down];
    let (tint, kind, outline) = match area.kind {
        AreaKind::Town => {
            let outline = vec![[left, top], [right, top], [right, low], [left, low]];
            (Tint::Town, "in the town", outline)
        }
        AreaKind::Countryside => {
            let outline = vec![
                [left + 14, top],
                [right - 14, top],
                [right, top + 14],
                [right, low - 14],
                [right - 14, low],
                [left + 14, low],
                [left, low - 14],
                [left, top + 14],
            ];
            (Tint::Plain, "in the country", outline)
        }
        AreaKind::Hill => {
            let outline = vec![
                [left, low],
                [left, y - 8],
                [x - 40, top],
                [x + 40, top],
                [right, y - 8],
                [right, low],
            ];
            (Tint::Hill, "a hill", outline)
        }
    };
    let form = Form::Area { outline, round: false };
    let landmark = landmark(area.id.as_str(), area.kind);
    let coast = if area.coastal { ", on the coast" } else { "" };
    let mut shapes = vec![
        Shape::new(format!("area:{}", area.id), format!("{name} ({kind}{coast})"), tint, form)
            .choosing(json!({"area": area.id, "to": area.id})),
        Shape::new(
            format!("landmark:{}", area.id),
            "",
            if tint == Tint::Town { Tint::Wall } else { Tint::Faint },
            Form::Drawing { at: [x, y - 16], size: 46, glyph: landmark },
        ),
    ];
    if area.coastal {
        let (from, to) = ([x, SHORE + 16], [x, low]);
        let form = Form::Link { along: vec![from, to], line: Line::Dashed };
        shapes.insert(0, Shape::new(format!("landing:{}", area.id), "", Tint::Faint, form));
    }
    let lines = broken(&name, 15);
    // One line stands in the middle of the lower half, two fill it.
    let first = if lines.len() > 1 { y + 19 } else { y + 28 };
    let form = Form::Label {
        at: [x, first],
        size: WRITING,
        anchor: Anchor::Middle,
        text: lines.join("\n"),
    };
    shapes.push(Shape::new(format!("name:{}", area.id), "", Tint::Ink, form));
    shapes
}

/// The drawing of an empty area.
fn landmark(id: &str, kind: AreaKind) -> Glyph {
    let is = |part: &str| id.starts_with(part);
    match kind {
        _ if is("imbarcadero") => Glyph::Anchor,
        _ if is("saline") || is("ponte") => Glyph::Waves,
        _ if is("porta") || is("torre") => Glyph::Tower,
        _ if is("san") => Glyph::Church,
        AreaKind::Town => Glyph::Town,
        AreaKind::Countryside => Glyph::Field,
        AreaKind::Hill => Glyph::Hill,
    }
}

/// The longest name that stands in one line of a card.
const CARD_NAME: usize = 13;

/// A long name in two lines, broken at the space next to its middle.
fn broken(name: &str, long: usize) -> Vec<String> {
    let middle = name.len() / 2;
    let spaces = name.char_indices().filter(|&(_, it)| it == ' ').map(|(at, _)| at);
    match spaces.min_by_key(|&at| at.abs_diff(middle)) {
        Some(at) if name.chars().count() > long => {
            vec![name[..at].to_owned(), name[at + 1..].to_owned()]
        }
        _ => vec![name.to_owned()],
    }
}

/// A unit that is drawn: what it is called, whose it is, what is known of it.
struct Token {
    id: String,
    title: String,
    side: Side,
    label: String,
    captive: bool,
    hidden: bool,
    choice: serde_json::Value,
}

fn points_spent(points: u8) -> String {
    let word = if points == 1 { "point" } else { "points" };
    format!(", {points} {word} spent")
}

/// Everybody, by place: the units that the observer knows, then the tokens.
fn everybody(setup: &Setup, view: &View) -> BTreeMap<Name, Vec<Token>> {
    let mut all: BTreeMap<Name, Vec<Token>> = BTreeMap::new();
    for (id, unit) in &view.units.0 {
        let name = setup.said_unit(id);
        let side = setup.unit(id).map_or(Side::Rapalline, |unit| setup.side(unit));
        let mut title = name.clone();
        match unit.value {
            Some(value) => title.push_str(&format!(", value {value}")),
            None => title.push_str(", no value"),
        }
        for (on, what) in [
            (unit.captive, ", captive"),
            (!unit.captive && unit.revealed, ", face up"),
            (!unit.revealed && !unit.captive, ", face down"),
            (unit.weakened, ", weakened"),
        ] {
            if on {
                title.push_str(what);
            }
        }
        if unit.spent > 0 {
            title.push_str(&points_spent(unit.spent));
        }
        title.push_str(&format!(", {}", where_text(setup, &unit.at)));
        let mut label = name.strip_prefix("the ").unwrap_or(&name).to_owned();
        if let Some(value) = unit.value {
            label.push_str(&format!("\n{value}"));
        }
        let mut choice = json!({"unit": id, "units": id});
        if let Some(token) = unit.token {
            choice = json!({"unit": id, "units": id, "token": token});
        }
        let (captive, hidden) = (unit.captive, false);
        let token = Token { id: format!("unit:{id}"), title, side, label, captive, hidden, choice };
        all.entry(unit.at).or_default().push(token);
    }
    for (token, it) in &view.tokens.0 {
        let mut title = format!("{token}, face down");
        if it.spent > 0 {
            title.push_str(&points_spent(it.spent));
        }
        title.push_str(&format!(", {}", where_text(setup, &it.at)));
        let shape = Token {
            id: format!("token:{token}"),
            title,
            side: it.side,
            label: token.to_string(),
            captive: false,
            hidden: true,
            choice: json!({"unit": token}),
        };
        all.entry(it.at).or_default().push(shape);
    }
    all
}

/// A token, and the chain of one that is captive.
fn piece(token: Token, [x, y]: Point, wide: i32) -> Vec<Shape> {
    let bare = |glyph, at, size, outline, label, hidden| Form::Piece {
        at,
        size,
        outline,
        glyph,
        label,
        badges: Vec::new(),
        count: 1,
        hidden,
    };
    let outline = match token.side {
        Side::Pirates => Outline::Disc,
        Side::Rapalline => Outline::Square,
    };
    let chain = token.captive.then(|| {
        let form = bare(
            Some(Glyph::Chain),
            [x, y + wide / 2 - 2],
            wide * 3 / 4,
            Outline::Bare,
            String::new(),
            false,
        );
        Shape::new(format!("chain:{}", token.id), "the chain of a captive", Tint::Ink, form)
    });
    // Without a value, the picture says whose it is.
    let picture = match token.side {
        _ if token.label.contains('\n') || token.hidden => None,
        Side::Pirates => Some(Glyph::Raider),
        Side::Rapalline => Some(Glyph::Townsman),
    };
    let form = bare(picture, [x, y], wide, outline, token.label, token.hidden);
    let own = Shape::new(token.id, token.title, tint(token.side), form).choosing(token.choice);
    [own].into_iter().chain(chain).collect()
}

/// Tokens of a width in a row about a middle, closer together where there is little room.
fn row(shapes: &mut Vec<Shape>, here: Vec<Token>, [x, y]: Point, room: i32, wide: i32) {
    let gaps = here.len().saturating_sub(1) as i32;
    let step = if gaps == 0 { 0 } else { (wide + 1).min((room - wide) / gaps) };
    for (number, token) in here.into_iter().enumerate() {
        shapes.extend(piece(token, [x - gaps * step / 2 + number as i32 * step, y], wide));
    }
}

/// The tokens in their areas and at sea; they are taken out of `all`.
fn tokens(
    shapes: &mut Vec<Shape>,
    view: &View,
    places: &Places,
    all: &mut BTreeMap<Name, Vec<Token>>,
) {
    // Three stand side by side, others above them; a crowd stands closer, in two lines that stay in its area.
    for (at, [x, y]) in &places.of {
        let Some(mut here) = all.remove(at) else { continue };
        let abreast = here.len().div_ceil(2).max(3);
        let mut line = 0;
        while !here.is_empty() {
            let rest = here.split_off(here.len().min(abreast));
            row(shapes, here, [*x, y - RAISED - line * STEP], 2 * PLATE[0], TOKEN);
            (here, line) = (rest, line + 1);
        }
    }
    let afloat = [WIDTH / 2, SHORE + 122];
    let at_sea: Vec<Name> = all.keys().filter(|at| at.as_str() == "at_sea").copied().collect();
    for here in at_sea.iter().filter_map(|at| all.remove(at)) {
        row(shapes, here, afloat, WIDTH - 300, TOKEN);
    }
    if let Some(count) = view.at_sea.filter(|&count| count > 0) {
        let form = Form::Piece {
            at: afloat,
            size: TOKEN + 6,
            outline: Outline::Disc,
            glyph: None,
            label: String::new(),
            badges: Vec::new(),
            count: u32::from(count),
            hidden: true,
        };
        let title = match count {
            1 => "1 pirate at sea".to_owned(),
            _ => format!("{count} pirates at sea"),
        };
        shapes.push(Shape::new("at_sea", title, tint(Side::Pirates), form));
    }
}

/// Those who are not on the map, each in a place that is kept for them, under its name.
fn supply(shapes: &mut Vec<Shape>, all: BTreeMap<Name, Vec<Token>>, [left, top]: Point) {
    const SMALL: i32 = 34;
    // In the order of the places: aside, in reserve, in the Serraglio, fled, out of the game.
    const SLOTS: [(&str, i32, i32, [i32; 2]); 5] = [
        ("Aside", 300, 0, [60, 120]),
        ("Reserve", 8, 0, [86, 190]),
        ("Serraglio", 8, 1, [86, 190]),
        ("Fled", 300, 1, [60, 120]),
        ("Out of the game", 8, 2, [136, 340]),
    ];
    for (slot, (name, x, line, _)) in SLOTS.iter().enumerate() {
        let form = Form::Label {
            at: [left + x, top + 26 + line * 42],
            size: WRITING,
            anchor: Anchor::Start,
            text: (*name).to_owned(),
        };
        shapes.push(Shape::new(format!("slot:{slot}"), "", Tint::Ink, form));
    }
    for (at, here) in all {
        let slot = PLACES.iter().skip(1).position(|it| *it == at.as_str());
        let (_, x, line, [name, room]) =
            SLOTS[slot.unwrap_or(SLOTS.len() - 1).min(SLOTS.len() - 1)];
        let gaps = here.len().saturating_sub(1) as i32;
        let wide = (gaps * (SMALL + 1)).min(room - SMALL) + SMALL;
        let at = [left + x + name + wide / 2, top + 21 + line * 42];
        row(shapes, here, at, room, SMALL);
    }
}

fn arrow(id: String, title: &str, tint: Tint, from: Point, to: Point) -> Shape {
    // From token to token.
    let [from, to] = [from, to].map(|[x, y]| [x, y - RAISED]);
    let along = between(from, to, [30, 30]).to_vec();
    Shape::new(id, title, tint, Form::Link { along, line: Line::Arrow })
}

/// What went where: below the tokens.
fn traces(places: &Places, lately: &[Notice]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (number, notice) in lately.iter().enumerate() {
        let id = format!("went:{number}");
        let way = match notice {
            Notice::Landed { to, .. } => {
                places.at(to).map(|[x, y]| (Tint::Side1, [x, SHORE + 40], [x, y]))
            }
            Notice::Moved { from, to, .. } => match (places.at(from), places.at(to)) {
                (Some(from), Some(to)) => Some((Tint::Strong, from, to)),
                (Some([x, y]), None) => Some((Tint::Strong, [x, y], [x, SHORE + 40])),
                _ => None,
            },
            Notice::UnitRelocated { from, to, .. } => match (places.at(from), places.at(to)) {
                (Some(from), Some(to)) => Some((Tint::Strong, from, to)),
                _ => None,
            },
            Notice::CaptiveSent { from, .. } => {
                places.at(from).map(|[x, y]| (Tint::Strong, [x, y], [x, SHORE + 40]))
            }
            _ => None,
        };
        shapes.extend(way.map(|(tint, from, to)| arrow(id, "", tint, from, to)));
    }
    shapes
}

/// Where something was decided: above the tokens.
fn hits(places: &Places, lately: &[Notice]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for notice in lately {
        let (area, role, what) = match notice {
            Notice::Duel { area, .. } => (area, Role::Hit, "a fight"),
            Notice::UnitCaptured { area, .. } => (area, Role::Hit, "a capture"),
            Notice::UnitEliminated { area, .. } => (area, Role::Hit, "a death"),
            Notice::UnitLiberated { area, .. } => (area, Role::To, "freed"),
            Notice::UnitFled { area, .. } => (area, Role::To, "away over the hill"),
            Notice::ReservePlaced { to, .. }
            | Notice::Landed { to, .. }
            | Notice::Moved { to, .. } => (to, Role::To, "arrived"),
            _ => continue,
        };
        let Some(at) = places.at(area) else { continue };
        let id = format!("mark:{area}:{}", what.replace(' ', "_"));
        if shapes.iter().all(|it| it.id != id) {
            let form = Form::Mark { at: [at[0], at[1] - RAISED], size: 76, role };
            shapes.push(Shape::new(id, what, Tint::Strong, form));
        }
    }
    shapes
}

/// Where a fight has to be fought next.
fn due(view: &View, places: &Places) -> Option<Shape> {
    let area = view.arrival.as_ref()?.area;
    let [x, y] = places.at(&area)?;
    let form = Form::Mark { at: [x, y - RAISED], size: 84, role: Role::Selected };
    Some(Shape::new("due", "a fight is due here", Tint::Strong, form))
}

/// The alarm with its bell, and how many are in the Serraglio.
fn tracks(shapes: &mut Vec<Shape>, setup: &Setup, view: &View, [left, top]: Point) {
    const BOX: i32 = 36;
    let label = |id: &str, y: i32, text: &str| {
        let at = [left + 8, y];
        let form = Form::Label { at, size: WRITING, anchor: Anchor::Start, text: text.to_owned() };
        Shape::new(id, "", Tint::Ink, form)
    };
    let sent = view.units.0.iter().filter(|(_, unit)| unit.at.as_str() == "serraglio").count();
    let cases: Vec<String> = setup.track.iter().map(u8::to_string).collect();
    let room = STRIP - 100;
    let fit = |boxes: usize| BOX.min(room / (boxes as i32).max(1));
    shapes.push(label("alarm:name", top + 54, "Alarm"));
    let title = format!("alarm on case {} of {}", view.alarm_case, cases.len());
    let marker = u32::from(view.alarm_case).checked_sub(1);
    let form = Form::Track {
        at: [left + 92, top + 32],
        size: fit(cases.len()),
        boxes: cases,
        struck: 0,
        marker,
        sign: Some(Glyph::Bell),
    };
    shapes.push(Shape::new("alarm", title, Tint::Strong, form));
    shapes.push(label("serraglio:name", top + 98, "Serraglio"));
    let title = format!("{sent} of {} in the Serraglio", view.target);
    let boxes = vec![String::new(); usize::from(view.target)];
    let form = Form::Track {
        at: [left + 92, top + 76],
        size: fit(boxes.len()),
        boxes,
        struck: sent as u32,
        marker: None,
        sign: Some(Glyph::Chain),
    };
    shapes.push(Shape::new("serraglio", title, tint(Side::Pirates), form));
}

/// A card of a side, or some that cannot be told apart.
struct Lying {
    id: String,
    title: String,
    /// What is read on it, line by line, where it lies open.
    face: Option<Vec<String>>,
    count: u32,
    /// Which card choosing it means.
    card: Option<Name>,
}

/// A side's cards in a row: those in hand, the one committed, the one in effect.
fn cards(shapes: &mut Vec<Shape>, setup: &Setup, view: &View, side: Side, [left, top]: Point) {
    const CARD: Point = [124, 76];
    let name = |card: &Name| {
        let row = setup.card(side, card);
        row.map_or_else(|| card.to_string(), |row| setup.card_title(side, row).to_owned())
    };
    let lies = |id: String, title: String| Lying { id, title, face: None, count: 1, card: None };
    let mut lying: Vec<Lying> = Vec::new();
    match view.hands.get(side) {
        Pile::Open(all) => {
            for (number, card) in all.iter().enumerate() {
                let title = name(card);
                let held = lies(format!("card:{side}:{number}"), format!("{title}, in hand"));
                let face = Some(broken(&title, CARD_NAME));
                lying.push(Lying { face, card: Some(*card), ..held });
            }
        }
        Pile::Closed(0) => {}
        Pile::Closed(count) => {
            let title = format!("{count} cards in the hand of the {}", side_name(side));
            let count = u32::from(*count);
            lying.push(Lying { count, ..lies(format!("card:{side}:hidden"), title) });
        }
    }
    let id = format!("committed:{side}");
    match view.committed.as_ref().map(|both| both.get(side)) {
        Some(Commitment::Open(choice)) => {
            let title = choice.card.as_ref().map_or_else(|| "no card".to_owned(), name);
            let face = Some([vec!["Chosen".to_owned()], broken(&title, CARD_NAME)].concat());
            lying.push(Lying { face, ..lies(id, format!("committed: {title}")) });
        }
        Some(Commitment::Made(true)) => {
            lying.push(lies(id, format!("what the {} have chosen", side_name(side))));
        }
        _ => {}
    }
    if let Some(card) = view.played.get(side) {
        let title = name(card);
        let face = Some([vec!["In effect".to_owned()], broken(&title, CARD_NAME)].concat());
        lying.push(Lying { face, ..lies(format!("played:{side}"), format!("{title}, in effect")) });
    }
    let held = match view.decks.get(side) {
        Pile::Open(cards) => cards.len(),
        Pile::Closed(count) => usize::from(*count),
    };
    let who = match side {
        Side::Pirates => "Pirates",
        Side::Rapalline => "Townspeople",
    };
    let gone = view.retired.get(side).len();
    let text = format!("{who}: {held} cards in the deck, {gone} out of the game");
    let form = Form::Label { at: [left + 8, top + 20], size: WRITING, anchor: Anchor::Start, text };
    shapes.push(Shape::new(format!("cards:{side}"), "", Tint::Ink, form));
    // Many lie over each other.
    let gaps = (lying.len() as i32 - 1).max(1);
    let step = (CARD[0] + 6).min((STRIP - 20 - CARD[0]) / gaps);
    for (number, card) in lying.into_iter().enumerate() {
        let Lying { id, title, face, count, card } = card;
        let at = [left + 8 + number as i32 * step, top + 32];
        let form = Form::Card { at, size: CARD, face, symbols: Vec::new(), count };
        let mut shape = Shape::new(id, title, tint(side), form);
        if let Some(card) = card {
            shape = shape.choosing(json!({"card": card}));
        }
        shapes.push(shape);
    }
}
