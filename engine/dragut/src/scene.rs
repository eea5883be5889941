//! The view as a picture: the map with its roads and trails, the tokens where they stand, the tracks and cards below.
//!
//! Made of a view and of what its observer was told; must not look at a state. Areas of a corrected map that the
//! printed one has not are laid in rows above it.

use std::collections::BTreeMap;

use serde_json::json;

use super::Dragut;
use super::action::Side;
use super::notice::Notice;
use super::setup::ids::PLACES;
use super::setup::{AreaData, AreaKind, Setup};
use super::tables::layout::{self, PLATE, SEA, SHORE, WALL, WIDTH};
use super::view::{Commitment, Pile, View};
use umpire_core::game::Picture;
use umpire_core::scene::{
    Anchor, Bounds, Form, Glyph, Line, Outline, Panel, Point, Role, Scene, Shape, Tint, between,
};
use umpire_core::wire::Name;

impl Picture for Dragut {
    /// The view as a picture.
    fn draw(setup: &Setup, view: &View, lately: &[Notice]) -> Scene {
        let places = Places::of(setup);
        let mut shapes = ground();
        shapes.extend(links(setup, &places));
        for area in setup.map.iter() {
            shapes.extend(place(&places, area));
        }
        shapes.extend(traces(&places, lately));
        let low = tokens(&mut shapes, setup, view, &places);
        shapes.extend(hits(&places, lately));
        let low = below(&mut shapes, setup, view, low);
        let title = title(view);
        let text = words(setup, view, &title);
        let bounds = Bounds::around([[LEFT, places.top], [WIDTH, low]], 10);
        Scene { title, text, bounds, shapes, legend: Vec::new(), tables: tables(setup, view) }
    }
}

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

/// Land, sea, and the town within its wall.
fn ground() -> Vec<Shape> {
    let sea = vec![[LEFT, SHORE], [WIDTH, SHORE], [WIDTH, SEA], [LEFT, SEA]];
    let label = Form::Label {
        at: [16, SHORE + 24],
        size: WRITING,
        anchor: Anchor::Start,
        text: "The sea".to_owned(),
    };
    vec![
        Shape::new("sea", "", Tint::Water, Form::Area { outline: sea }),
        Shape::new("sea:name", "", Tint::Faint, label),
        Shape::new("wall", "", Tint::Sand, Form::Area { outline: WALL.to_vec() }),
    ]
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
    let form = Form::Area { outline };
    let coast = if area.coastal { ", on the coast" } else { "" };
    let mut shapes = vec![
        Shape::new(format!("area:{}", area.id), format!("{name} ({kind}{coast})"), tint, form)
            .choosing(json!({"area": area.id, "to": area.id})),
    ];
    if area.coastal {
        let (from, to) = ([x, SHORE + 16], [x, low]);
        let form = Form::Link { along: vec![from, to], line: Line::Dashed };
        shapes.insert(0, Shape::new(format!("landing:{}", area.id), "", Tint::Faint, form));
    }
    let lines = broken(&name);
    // One line stands in the middle of the lower half, two fill it.
    let first = if lines.len() > 1 { y + 19 } else { y + 28 };
    for (number, text) in lines.into_iter().enumerate() {
        let form = Form::Label {
            at: [x, first + 17 * number as i32],
            size: WRITING,
            anchor: Anchor::Middle,
            text,
        };
        shapes.push(Shape::new(format!("name:{}:{number}", area.id), "", Tint::Ink, form));
    }
    shapes
}

/// A long name in two lines, broken at the space next to its middle.
fn broken(name: &str) -> Vec<String> {
    const LONG: usize = 15;
    let middle = name.len() / 2;
    let spaces = name.char_indices().filter(|&(_, it)| it == ' ').map(|(at, _)| at);
    match spaces.min_by_key(|&at| at.abs_diff(middle)) {
        Some(at) if name.chars().count() > LONG => {
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
fn piece(token: Token, [x, y]: Point) -> Vec<Shape> {
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
            [x, y + TOKEN / 2 - 2],
            34,
            Outline::Bare,
            String::new(),
            false,
        );
        Shape::new(format!("chain:{}", token.id), "the chain of a captive", Tint::Ink, form)
    });
    let form = bare(None, [x, y], TOKEN, outline, token.label, token.hidden);
    let own = Shape::new(token.id, token.title, tint(token.side), form).choosing(token.choice);
    [own].into_iter().chain(chain).collect()
}

/// Tokens in a row about a middle, closer together where there is little room.
fn row(shapes: &mut Vec<Shape>, here: Vec<Token>, [x, y]: Point, room: i32) {
    let gaps = here.len().saturating_sub(1) as i32;
    let step = if gaps == 0 { 0 } else { STEP.min((room - TOKEN) / gaps) };
    for (number, token) in here.into_iter().enumerate() {
        shapes.extend(piece(token, [x - gaps * step / 2 + number as i32 * step, y]));
    }
}

/// The tokens: in their areas, at sea, and below the sea those that are elsewhere, each in a place that is kept for
/// them. Gives back the lower edge.
fn tokens(shapes: &mut Vec<Shape>, setup: &Setup, view: &View, places: &Places) -> i32 {
    let mut all = everybody(setup, view);
    // Three stand side by side, others above them; a crowd stands closer, in two lines that stay in its area.
    for (at, [x, y]) in &places.of {
        let Some(mut here) = all.remove(at) else { continue };
        let abreast = here.len().div_ceil(2).max(3);
        let mut line = 0;
        while !here.is_empty() {
            let rest = here.split_off(here.len().min(abreast));
            row(shapes, here, [*x, y - RAISED - line * STEP], 2 * PLATE[0]);
            (here, line) = (rest, line + 1);
        }
    }
    let afloat = [WIDTH / 2, SHORE + 62];
    for (at, here) in all {
        if at.as_str() == "at_sea" {
            row(shapes, here, afloat, WIDTH - 300);
            continue;
        }
        let slot =
            PLACES.iter().skip(1).position(|it| *it == at.as_str()).unwrap_or(PLACES.len() - 1);
        let (left, y, wide) = slot_at(slot);
        let room = wide - NAME_OF_SLOT - 20;
        let wide = (here.len().saturating_sub(1) as i32 * STEP).min(room - TOKEN) + TOKEN;
        row(shapes, here, [left + NAME_OF_SLOT + wide / 2, y + 24], room);
    }
    // Always there, whoever is known to stand in it.
    for (slot, text) in
        ["Aside", "Reserve", "Serraglio", "Fled", "Out of the game"].into_iter().enumerate()
    {
        let (left, y, _) = slot_at(slot);
        let form = Form::Label {
            at: [left, y + 29],
            size: WRITING,
            anchor: Anchor::Start,
            text: text.to_owned(),
        };
        shapes.push(Shape::new(format!("slot:{slot}"), "", Tint::Ink, form));
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
    slot_at(4).1 + STEP + 8
}

/// How wide what is kept for a place beside the map is, left and right, and what is kept for its name.
const SLOTS: [i32; 2] = [(WIDTH - LEFT) * 2 / 3, (WIDTH - LEFT) / 3];
const NAME_OF_SLOT: i32 = 130;

/// Where what is kept for a place beside the map begins, and how wide it is: where many gather has the most.
fn slot_at(slot: usize) -> (i32, i32, i32) {
    // In the order of the places: aside, in reserve, in the Serraglio, fled, out of the game.
    const AT: [(usize, i32); 5] = [(1, 0), (0, 0), (1, 1), (0, 1), (0, 2)];
    let (column, row) = AT[slot.min(AT.len() - 1)];
    let left = LEFT + 14 + if column == 0 { 0 } else { SLOTS[0] };
    (left, SEA + 12 + row * (STEP + 6), SLOTS[column])
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

/// The alarm, the Serraglio and the cards, below everything. Gives back the lower edge.
fn below(shapes: &mut Vec<Shape>, setup: &Setup, view: &View, top: i32) -> i32 {
    let label = |id: &str, x: i32, y: i32, text: String| {
        let form = Form::Label { at: [x, y], size: WRITING, anchor: Anchor::Start, text };
        Shape::new(id, "", Tint::Ink, form)
    };
    let sent = view.units.0.iter().filter(|(_, unit)| unit.at.as_str() == "serraglio").count();
    let cases: Vec<String> = setup.track.iter().map(u8::to_string).collect();
    shapes.push(label("alarm:name", LEFT + 14, top + 26, "Alarm".to_owned()));
    let title = format!("alarm on case {} of {}", view.alarm_case, cases.len());
    let marker = u32::from(view.alarm_case).checked_sub(1);
    let form = Form::Track { at: [20, top + 4], size: 34, boxes: cases, struck: 0, marker };
    shapes.push(Shape::new("alarm", title, Tint::Strong, form));
    shapes.push(label("serraglio:name", 400, top + 26, "Serraglio".to_owned()));
    let title = format!("{sent} of {} in the Serraglio", view.target);
    let boxes = vec![String::new(); usize::from(view.target)];
    let form =
        Form::Track { at: [490, top + 4], size: 34, boxes, struck: sent as u32, marker: None };
    shapes.push(Shape::new("serraglio", title, tint(Side::Pirates), form));
    let mut low = top + 56;
    for side in [Side::Pirates, Side::Rapalline] {
        low = cards(shapes, setup, view, side, low);
    }
    low
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
fn cards(shapes: &mut Vec<Shape>, setup: &Setup, view: &View, side: Side, top: i32) -> i32 {
    const CARD: Point = [142, 62];
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
                lying.push(Lying { face: Some(broken(&title)), card: Some(*card), ..held });
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
            let face = Some([vec!["Chosen".to_owned()], broken(&title)].concat());
            lying.push(Lying { face, ..lies(id, format!("committed: {title}")) });
        }
        Some(Commitment::Made(true)) => {
            lying.push(lies(id, format!("what the {} have chosen", side_name(side))));
        }
        _ => {}
    }
    if let Some(card) = view.played.get(side) {
        let title = name(card);
        let face = Some([vec!["In effect".to_owned()], broken(&title)].concat());
        lying.push(Lying { face, ..lies(format!("played:{side}"), format!("{title}, in effect")) });
    }
    let left = match view.decks.get(side) {
        Pile::Open(cards) => cards.len(),
        Pile::Closed(count) => usize::from(*count),
    };
    let who = match side {
        Side::Pirates => "Pirates",
        Side::Rapalline => "Townspeople",
    };
    let gone = view.retired.get(side).len();
    let text = format!("{who}: {left} cards in the deck, {gone} out of the game");
    let form =
        Form::Label { at: [LEFT + 14, top + 18], size: WRITING, anchor: Anchor::Start, text };
    shapes.push(Shape::new(format!("cards:{side}"), "", Tint::Ink, form));
    let mut y = top + 28;
    let rows = lying.len().div_ceil(10).max(1);
    for (number, card) in lying.into_iter().enumerate() {
        let Lying { id, title, face, count, card } = card;
        let (row, column) = (number as i32 / 10, number as i32 % 10);
        let at = [LEFT + 14 + column * (CARD[0] + 8), y + row * (CARD[1] + 8)];
        let form = Form::Card { at, size: CARD, face, count };
        let mut shape = Shape::new(id, title, tint(side), form);
        if let Some(card) = card {
            shape = shape.choosing(json!({"card": card}));
        }
        shapes.push(shape);
    }
    y += rows as i32 * (CARD[1] + 8);
    y + 4
}

/// What stands beside the picture.
fn tables(setup: &Setup, view: &View) -> Vec<Panel> {
    let row = |what: &str, value: String| vec![what.to_owned(), value];
    let sent = view.units.0.iter().filter(|(_, unit)| unit.at.as_str() == "serraglio").count();
    let mut rows = vec![
        row("Turn", view.turn.to_string()),
        row("Points left", view.pool.to_string()),
        row("Alarm", format!("case {} of {}", view.alarm_case, setup.cases())),
        row("Serraglio", format!("{sent} / {}", view.target)),
    ];
    if let Some(arrival) = &view.arrival {
        rows.push(row("Fight in", where_text(setup, &arrival.area)));
    }
    vec![Panel { title: "State".to_owned(), heads: Vec::new(), rows }]
}
