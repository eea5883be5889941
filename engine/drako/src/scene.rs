//! The view as a picture: the arena with its figures between the dragon's hand and mat above and the dwarves' below,
//! and what the last action did.
//!
//! Made of a view and of what its observer was told; must not look at a state.

use serde_json::json;

use super::Drako;
use super::action::{Dwarf, Figure, Side, Track, Use};
use super::art::ART;
use super::notice::Notice;
use super::setup::Setup;
use super::tables::TURN_ACTIONS;
use super::tables::board::{DIRECTIONS, HEXES};
use super::view::{CardsView, DeckView, View};
use umpire_core::board::hex::Hex;
use umpire_core::game::Picture;
use umpire_core::scene::{
    Anchor, Art, Bounds, CardSymbol, Form, Glyph, Line, Outline, Point, Role, Scene, Shape, Tint,
    between, corners_of, middle_of, rim::rim,
};

impl Picture for Drako {
    const ART: Option<&'static Art> = Some(&ART);

    /// The view as a picture.
    fn draw(setup: &Setup, view: &View, lately: &[Notice]) -> Scene {
        let (title, text) = (title(view), words(setup, view));
        let mut scene = Scene { title, text, art: Self::ART, ..Scene::default() };
        let board = &mut scene.shapes;
        arena(board);
        for hex in HEXES {
            let form = Form::Hex { at: place(hex), size: HEX, pointy: true, glyph: None };
            let shape =
                Shape::new(format!("hex:{},{}", hex.q, hex.r), hex.to_string(), Tint::Plain, form);
            board.push(shape.choosing(json!({"to": hex})));
        }
        board.extend(rim(&HEXES, HEX, true, WRITING));
        traces(board, view, lately);
        for &figure in Figure::ALL {
            board.extend(piece(setup, view, figure));
        }
        flames(board, view, lately);
        hits(board, view, lately);
        let part = |top: i32, height: i32| {
            let (left, width) = (-EDGE, 2 * EDGE);
            Bounds { left, top, width, height }
        };
        scene.region("board", "The arena", part(-HALF, 2 * HALF), 0);
        for (side, mat, hand) in
            [(Side::Dragon, -HALF - MAT, -HALF - MAT - HAND), (Side::Dwarves, HALF, HALF + MAT)]
        {
            let who = if side == Side::Dragon { "dragon" } else { "dwarves" };
            let from = scene.shapes.len();
            wounds_of(&mut scene.shapes, setup, view, side, mat);
            let name = format!("Wounds of the {who}");
            scene.region(&format!("tracks:{side}"), &name, part(mat, MAT), from);
            let from = scene.shapes.len();
            cards(&mut scene.shapes, setup, view, side, hand);
            let name = format!("Cards of the {who}");
            scene.region(&format!("hand:{side}"), &name, part(hand, HAND), from);
        }
        scene.bounds = part(-HALF - MAT - HAND, 2 * (HALF + MAT + HAND));
        scene
    }
}

/// From the middle of a hex to a corner.
const HEX: i32 = 40;
/// The left and the right edge of everything, and the upper and the lower one of the board.
const EDGE: i32 = 228;
const HALF: i32 = 200;
/// How high a side's mat and its hand are.
const MAT: i32 = 62;
const HAND: i32 = 124;
/// Width and height of a card.
const CARD: [i32; 2] = [66, 88];
/// Height of the letters.
const WRITING: i32 = 13;

/// The arena: its wall with the floor in it.
fn arena(board: &mut Vec<Shape>) {
    for (id, far, tint) in [("wall", 226, Tint::Wall), ("floor", 210, Tint::Sand)] {
        let outline = corners_of([0, 0], far, false).to_vec();
        board.push(Shape::new(id, "", tint, Form::Area { outline, round: false }));
    }
    // The joints between the stones of the wall.
    let [inner, outer] = [210, 226].map(|far| corners_of([0, 0], far, false));
    let mut joints = Vec::new();
    for side in 0..6 {
        let next = (side + 1) % 6;
        for part in 0..5 {
            let on = |ring: &[Point; 6]| {
                [0, 1].map(|axis| {
                    let (from, to) = (ring[side][axis], ring[next][axis]);
                    from + (to - from) * part / 5
                })
            };
            joints.push(vec![on(&inner), on(&outer)]);
        }
    }
    let form = Form::Lines { lines: joints, line: Line::Fine };
    board.push(Shape::new("joints", "", Tint::Ink, form));
}

fn place(hex: Hex) -> Point {
    middle_of(hex, HEX, true)
}

fn title(view: &View) -> String {
    if let Some(end) = view.outcome {
        let reason = end.reason.name().replace('_', " ");
        return format!("The {} won: {reason}", end.winner);
    }
    match view.turn {
        0 => "Before the first turn".to_owned(),
        turn => {
            let left = view.actions_left;
            let actions = if left == 1 { "action" } else { "actions" };
            format!("Turn {turn}: the {}, {left} {actions} left", view.side)
        }
    }
}

fn stands(view: &View, figure: Figure) -> Option<Hex> {
    match figure {
        Figure::Dragon => view.hexes.dragon,
        Figure::Fury => view.hexes.fury,
        Figure::Archery => view.hexes.archery,
        Figure::Net => view.hexes.net,
    }
}

fn wounds(view: &View, track: Track) -> u8 {
    let it = &view.wounds;
    match track {
        Track::Fury => it.fury,
        Track::Archery => it.archery,
        Track::Net => it.net,
        Track::Armour => it.armour,
        Track::Flight => it.flight,
        Track::Movement => it.movement,
        Track::Fire => it.fire,
    }
}

/// What can be seen, in sentences.
fn words(setup: &Setup, view: &View) -> String {
    let mut all = vec![format!("{}.", title(view))];
    for &figure in Figure::ALL {
        let name = if figure == Figure::Dragon { "The dragon" } else { figure.title() };
        match stands(view, figure) {
            Some(hex) => all.push(format!("{name} stands on {hex}.")),
            None if view.turn > 0 => all.push(format!("{name} is dead.")),
            None => {}
        }
    }
    for &track in Track::ALL {
        let count = wounds(view, track);
        if count > 0 {
            all.push(format!("{}: {count} of {} wounds.", heading(track), setup.spaces(track)));
        }
    }
    if view.netted {
        all.push("The net lies on the dragon.".to_owned());
    }
    all.join(" ")
}

fn heading(track: Track) -> &'static str {
    match track {
        Track::Fury => "Brald",
        Track::Archery => "Morin",
        Track::Net => "Urpen",
        Track::Armour => "Armour",
        Track::Flight => "Flight",
        Track::Movement => "Movement",
        Track::Fire => "Fire",
    }
}

fn tint(side: Side) -> Tint {
    Tint::of_seat(side.index())
}

fn glyph(figure: Figure) -> Glyph {
    match figure {
        Figure::Dragon => Glyph::Beast,
        Figure::Fury => Glyph::Axeman,
        Figure::Archery => Glyph::Crossbowman,
        Figure::Net => Glyph::Netman,
    }
}

/// A figure on the board, the net over the dragon.
fn piece(setup: &Setup, view: &View, figure: Figure) -> Vec<Shape> {
    let Some(hex) = stands(view, figure) else { return Vec::new() };
    let at = place(hex);
    let (side, size) = match figure {
        Figure::Dragon => (Side::Dragon, 62),
        _ => (Side::Dwarves, 50),
    };
    let form = |glyph, outline, size, label: &str| Form::Piece {
        at,
        size,
        outline,
        glyph: Some(glyph),
        label: label.to_owned(),
        badges: Vec::new(),
        count: 1,
        hidden: false,
    };
    let id = format!("figure:{figure}");
    let own = match figure.dwarf() {
        None => {
            let lost: Vec<&str> = view.lost.iter().map(|it| it.name()).collect();
            let lost = if lost.is_empty() {
                String::new()
            } else {
                format!(", without {}", lost.join(" and "))
            };
            let outline = Outline::of_seat(side.index());
            Shape::new(
                id,
                format!("the dragon on {hex}{lost}"),
                tint(side),
                form(glyph(figure), outline, size, ""),
            )
        }
        Some(dwarf) => {
            let track = Track::from(dwarf);
            let (had, of) = (wounds(view, track), setup.spaces(track));
            let title = format!("{} on {hex}, {had} of {of} wounds", figure.title());
            let outline = Outline::Shield;
            let form = form(glyph(figure), outline, size, "");
            Shape::new(id, title, tint(side), form).choosing(json!({
                "figure": dwarf, "target": dwarf, "attackers": dwarf, "against": dwarf
            }))
        }
    };
    let mut shapes = vec![own];
    if let Some(dwarf) = figure.dwarf() {
        let [x, y] = at;
        let form = Form::Label {
            at: [x, y + 38],
            size: WRITING,
            anchor: Anchor::Middle,
            text: dwarf.forename().to_owned(),
        };
        shapes.push(Shape::new(format!("name:{figure}"), "", Tint::Ink, form));
    }
    if figure == Figure::Dragon && view.netted {
        let net = form(Glyph::Net, Outline::Bare, 72, "");
        shapes.push(Shape::new("net", "the net on the dragon", Tint::Hill, net));
    }
    shapes
}

fn link(along: Vec<Point>, line: Line) -> Form {
    Form::Link { along, line }
}

/// What went where, and who attacked whom: below the figures.
fn traces(board: &mut Vec<Shape>, view: &View, lately: &[Notice]) {
    let at = |figure: Figure| stands(view, figure).map(place);
    for (number, notice) in lately.iter().enumerate() {
        match notice {
            Notice::FigureMoved { figure, from, to } => {
                let name = figure.title();
                let (from, to) = (place(*from), place(*to));
                let mark = Form::Mark { at: from, size: 50, role: Role::From };
                board.push(Shape::new(format!("from:{number}"), "", tint_of(*figure), mark));
                let title = format!("{name} moved");
                let form = link(between(from, to, [0, 30]).to_vec(), Line::Arrow);
                board.push(Shape::new(format!("moved:{number}"), title, tint_of(*figure), form));
            }
            Notice::AttackDeclared { option: Use::Fire, direction: Some(direction), .. } => {
                let Some(from) = view.hexes.dragon else { continue };
                let Some(&last) = ray(from, *direction).last() else { continue };
                // To the rim of the last hex, so that it is seen on both sides of who stands there.
                let [[x, y], [fx, fy]] = [place(last), place(from)];
                let far = i32::try_from(from.distance(last)).unwrap_or(1).max(1);
                let end = [x + (x - fx) * 9 / (20 * far), y + (y - fy) * 9 / (20 * far)];
                let form = link(between(place(from), end, [24, 0]).to_vec(), Line::Broad);
                board.push(Shape::new(format!("fire:{number}"), "fire", Tint::Strong, form));
            }
            Notice::AttackDeclared { option, strands, .. } => {
                for &dwarf in strands {
                    let (Some(dragon), Some(dwarf_at)) = (at(Figure::Dragon), at(dwarf.into()))
                    else {
                        continue;
                    };
                    let (along, title) = match option {
                        Use::Attack => (
                            vec![dragon, dwarf_at],
                            format!("the dragon attacks {}", dwarf.forename()),
                        ),
                        _ => (
                            vec![dwarf_at, dragon],
                            format!("{} attacks the dragon", dwarf.forename()),
                        ),
                    };
                    let id = format!("attack:{number}:{dwarf}");
                    let along = between(along[0], along[1], [24, 26]).to_vec();
                    board.push(Shape::new(id, title, Tint::Strong, link(along, Line::Arrow)));
                }
            }
            _ => {}
        }
    }
}

/// The hexes over which fire goes, from near to far.
fn ray(from: Hex, direction: u8) -> Vec<Hex> {
    let step = DIRECTIONS[usize::from(direction).min(DIRECTIONS.len() - 1)];
    let next = |hex: &Hex| Some(*hex + step).filter(|it| HEXES.contains(it));
    std::iter::successors(next(&from), next).collect()
}

/// A flame on every hex that the fire of the last action went over: above the figures.
fn flames(board: &mut Vec<Shape>, view: &View, lately: &[Notice]) {
    for (number, notice) in lately.iter().enumerate() {
        let Notice::AttackDeclared { option: Use::Fire, direction: Some(direction), .. } = notice
        else {
            continue;
        };
        let Some(from) = view.hexes.dragon else { continue };
        for hex in ray(from, *direction) {
            let [x, y] = place(hex);
            // Beside a figure, not over its face.
            let stood = Figure::ALL.iter().any(|&figure| stands(view, figure) == Some(hex));
            let (at, size) = if stood { ([x + 25, y - 25], 24) } else { ([x, y], 34) };
            let form = Form::Piece {
                at,
                size,
                outline: Outline::Disc,
                glyph: Some(Glyph::Flame),
                label: String::new(),
                badges: Vec::new(),
                count: 1,
                hidden: false,
            };
            let id = format!("flame:{number}:{},{}", hex.q, hex.r);
            board.push(Shape::new(id, format!("fire on {hex}"), Tint::Strong, form));
        }
    }
}

fn tint_of(figure: Figure) -> Tint {
    tint(if figure == Figure::Dragon { Side::Dragon } else { Side::Dwarves })
}

/// Who was hit: above the figures.
fn hits(board: &mut Vec<Shape>, view: &View, lately: &[Notice]) {
    for (number, notice) in lately.iter().enumerate() {
        let hit = match notice {
            Notice::WoundsPlaced { track, count, .. } => {
                let dwarf = Dwarf::ALL.iter().find(|&&dwarf| Track::from(dwarf) == *track);
                let figure = dwarf.map_or(Figure::Dragon, |&dwarf| dwarf.into());
                let wounds = if *count == 1 { "wound" } else { "wounds" };
                let title = format!("{} took {count} {wounds}", figure.title());
                stands(view, figure).map(|hex| (hex, title))
            }
            Notice::DwarfKilled { figure, at } => {
                Some((*at, format!("{} was killed", figure.forename())))
            }
            _ => None,
        };
        if let Some((hex, title)) = hit {
            let form = Form::Mark { at: place(hex), size: 64, role: Role::Hit };
            board.push(Shape::new(format!("hit:{number}"), title, Tint::Strong, form));
        }
    }
}

fn label(id: String, at: Point, anchor: Anchor, text: String) -> Shape {
    Shape::new(id, "", Tint::Ink, Form::Label { at, size: WRITING, anchor, text })
}

/// A side's mat: for each thing that can be wounded its picture, its name, and a box for each wound. What is lost is
/// grey.
fn wounds_of(board: &mut Vec<Shape>, setup: &Setup, view: &View, side: Side, top: i32) {
    let (drawn, indent) = if side == Side::Dragon { (30, 40) } else { (40, 52) };
    let (tracks, glyph): (&[Track], fn(Track) -> Glyph) = match side {
        Side::Dragon => (&Track::DRAGON, |track| match track {
            Track::Flight => Glyph::Wing,
            Track::Movement => Glyph::Boot,
            Track::Fire => Glyph::Flame,
            _ => Glyph::Shield,
        }),
        Side::Dwarves => (&[Track::Fury, Track::Archery, Track::Net], |track| match track {
            Track::Fury => Glyph::Axeman,
            Track::Archery => Glyph::Crossbowman,
            _ => Glyph::Netman,
        }),
    };
    let wide = 2 * (EDGE - 6) / tracks.len() as i32;
    for (number, &track) in tracks.iter().enumerate() {
        let [x, y] = [-EDGE + 8 + wide * number as i32, top];
        let (spaces, struck) = (setup.spaces(track), wounds(view, track));
        let lost = struck >= spaces;
        let tint = if lost { Tint::Neutral } else { tint(side) };
        let form = Form::Drawing { at: [x + drawn / 2, y + 32], size: drawn, glyph: glyph(track) };
        board.push(Shape::new(format!("mat:{track}"), "", tint, form));
        let mut name = heading(track).to_owned();
        if track == Track::Fury && view.fury_used {
            name.push_str(", fury used up");
        }
        board.push(label(format!("mat:{track}:name"), [x + indent, y + 22], Anchor::Start, name));
        let size = ((wide - indent - 4) / i32::from(spaces.max(1))).min(20);
        let form = Form::Track {
            at: [x + indent, y + 29],
            size,
            boxes: vec![String::new(); usize::from(spaces)],
            struck: u32::from(struck),
            marker: None,
            sign: Some(Glyph::Drop),
        };
        let dead = if lost && side == Side::Dwarves { ", dead" } else { "" };
        let title = format!("{}, {struck} of {spaces} wounds{dead}", heading(track));
        let mut shape = Shape::new(format!("track:{track}"), title, tint, form);
        if Track::ABILITIES.contains(&track) {
            shape = shape.choosing(json!({ (track.name()): 1 }));
        }
        board.push(shape);
    }
}

/// The different cards of a hand with their numbers; the number alone where they are not known.
fn hand(view: &View, side: Side) -> Vec<(Option<super::action::Kind>, u32)> {
    match view.hands.get(side) {
        CardsView::Open(open) => {
            let mut all: Vec<(Option<super::action::Kind>, u32)> = Vec::new();
            for &kind in &open.cards {
                match all.last_mut() {
                    Some((Some(last), count)) if *last == kind => *count += 1,
                    _ => all.push((Some(kind), 1)),
                }
            }
            all
        }
        CardsView::Closed(closed) if closed.count > 0 => vec![(None, u32::from(closed.count))],
        CardsView::Closed(_) => Vec::new(),
    }
}

/// A side's cards: a line on its deck and discards, and its hand below.
fn cards(board: &mut Vec<Shape>, setup: &Setup, view: &View, side: Side, top: i32) {
    let deck = match view.decks.get(side) {
        DeckView::Whole(whole) => whole.count,
        DeckView::Open(open) => open.count,
        DeckView::Closed(closed) => closed.count,
    };
    let away = view.discards.get(side).count;
    let who = if side == Side::Dragon { "Dragon" } else { "Dwarves" };
    let held: u32 = hand(view, side).iter().map(|(_, count)| count).sum();
    let text = format!("{who}: hand {held}, deck {deck}, discard {away}");
    board.push(label(format!("cards:{side}"), [-EDGE + 8, top + 18], Anchor::Start, text));
    if view.side == side {
        pips(board, view, [EDGE - 16, top + 13]);
    }
    // Many lie over each other.
    let hand = hand(view, side);
    let gaps = (hand.len() as i32 - 1).max(1);
    let step = (CARD[0] + 6).min((2 * EDGE - 24 - CARD[0]) / gaps);
    for (number, (kind, count)) in hand.into_iter().enumerate() {
        let at = [-EDGE + 8 + number as i32 * step, top + 28];
        let (face, symbols) = kind.map(|kind| face(setup, side, kind)).unzip();
        let symbols = symbols.unwrap_or_default();
        let title = match kind {
            Some(kind) => format!("{}, in the hand of the {side}", setup.deck(side).uses(kind)),
            None => format!("{count} cards in the hand of the {side}"),
        };
        let form = Form::Card { at, size: CARD, face, symbols, count };
        let name = kind.map_or_else(|| "hidden".to_owned(), |kind| kind.to_string());
        let mut shape = Shape::new(format!("card:{side}:{name}"), title, tint(side), form);
        if let Some(kind) = kind {
            shape = shape.choosing(json!({"card": kind, "cards": kind}));
        }
        board.push(shape);
    }
}

/// A dot for each action of the turn, from the right: those that are left are full.
fn pips(board: &mut Vec<Shape>, view: &View, [x, y]: Point) {
    if view.turn == 0 || view.outcome.is_some() {
        return;
    }
    let left = view.actions_left;
    let of = left.max(TURN_ACTIONS);
    for number in 0..of {
        let at = [x - 20 * i32::from(of - 1 - number), y];
        let (title, tint) = match number < left {
            true => ("an action left", tint(view.side)),
            false => ("an action taken", Tint::Paper),
        };
        board.push(Shape::new(
            format!("action:{number}"),
            title,
            tint,
            Form::Disc { at, radius: 7 },
        ));
    }
}

/// What stands on a card: what it can be played for, in words and in pictures.
fn face(setup: &Setup, side: Side, kind: super::action::Kind) -> (Vec<String>, Vec<CardSymbol>) {
    let deck = setup.deck(side);
    let Some(row) = deck.row(kind) else { return (Vec::new(), Vec::new()) };
    let shown = deck.options(row).iter().map(|&(option, value)| {
        let (what, times, glyph) = match option {
            Use::OneMove | Use::Move => ("move", 1, Glyph::Boot),
            Use::TwoMove => ("move", 2, Glyph::Boot),
            Use::OneAttack | Use::Attack => ("attack", 1, Glyph::Blade),
            Use::TwoAttack => ("attack", 2, Glyph::Blade),
            Use::Crossbow => ("crossbow", 1, Glyph::Bolt),
            Use::Net => ("net", 1, Glyph::Net),
            Use::Flight => ("flight", 1, Glyph::Wing),
            Use::Fire => ("fire", 1, Glyph::Flame),
            Use::Defense => ("defence", 1, Glyph::Shield),
            Use::None => ("nothing", 1, Glyph::Unknown),
        };
        let value = if value > 0 { value.to_string() } else { String::new() };
        let twice = if times > 1 { "2 × " } else { "" };
        let line = format!("{twice}{what} {value}").trim_end().to_owned();
        (line, CardSymbol { glyph, times, value })
    });
    shown.unzip()
}
