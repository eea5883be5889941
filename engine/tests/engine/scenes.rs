//! What pictures promise, for every game and every viewer along whole games.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{FullGame, Observer, Visitor};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, load};
use umpire_engine::scene::art::Shade;
use umpire_engine::scene::{Bounds, Form, Region, Scene, Shape, Tint, palette, svg, text};

use crate::laws::drawn;
use crate::walk::{Walk, json, option_sets, walks};

/// What a viewer was told of the action before a ply.
fn lately<G: FullGame>(walk: &Walk<G>, ply: usize, viewer: Observer) -> Vec<G::Notice> {
    let log = walk.end.log().expect("walks keep a log");
    let last = log.events.iter().filter(|it| !it.opening && it.ply as usize + 1 == ply);
    last.filter_map(|it| G::announce(walk.end.setup(), &it.event, viewer)).collect()
}

/// Every picture of some random games: the scene, its view as JSON, and where it comes from.
fn each_picture<G: FullGame>(plies: usize, mut each: impl FnMut(&Scene, &Value, &str)) {
    let sets = option_sets::<G>();
    let step = (sets.len() / 6).max(1);
    let sets: Vec<String> = sets.into_iter().step_by(step).collect();
    for walk in walks::<G>(&sets, 1, 400) {
        for ply in walk.plies(plies) {
            for viewer in walk.viewers().into_iter().chain([Observer::Referee]) {
                let table = &walk.tables[ply];
                let view = table.view(viewer);
                let scene = G::draw(table.setup(), &view, &lately(&walk, ply, viewer));
                let origin = format!("{} {} ply {ply} to {viewer:?}", G::META.id, walk.options);
                each(&scene, &serde_json::to_value(&view).expect("views serialise"), &origin);
            }
        }
    }
}

/// What a piece stands for: that of its id, or, where it stands for many, those of its choice.
fn stands_for(shape: &Shape, key: &str) -> Vec<String> {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let own = shape.id.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
    let choice = shape.choice.as_ref().and_then(|choice| choice.get(key)?.get("any"));
    match (&shape.form, choice) {
        (Form::Piece { count: 2.., .. }, Some(Value::Array(all))) => {
            all.iter().map(plain).collect()
        }
        (Form::Piece { .. }, _) => own.map(str::to_owned).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The names of what a view lists: the keys of an object, the `id` of each item of a list.
fn listed(view: &Value, pointer: &str) -> Vec<String> {
    match view.pointer(pointer) {
        Some(Value::Object(of)) => {
            of.iter().filter(|(_, it)| !it.is_null()).map(|(name, _)| name.clone()).collect()
        }
        Some(Value::Array(of)) => of.iter().map(|it| it["id"].to_string()).collect(),
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct OnceEach {
    units: usize,
}

impl Visitor for OnceEach {
    fn game<G: FullGame>(&mut self) {
        let drawn = drawn::<G>();
        each_picture::<G>(25, |scene, view, origin| {
            let mut ids = BTreeSet::new();
            for shape in &scene.shapes {
                assert!(!shape.id.is_empty() && ids.insert(&shape.id), "{origin}: {}", shape.id);
            }
            for each in &drawn {
                let mut there: Vec<String> =
                    scene.shapes.iter().flat_map(|shape| stands_for(shape, &each.r#as)).collect();
                let mut wanted = listed(view, &each.of);
                there.sort();
                wanted.sort();
                assert_eq!(there, wanted, "{origin}");
                self.units += wanted.len();
            }
        });
    }
}

#[test]
fn every_unit_of_a_view_is_drawn_once() {
    let mut law = OnceEach::default();
    umpire_engine::games::visit(&mut law);
    assert!(law.units > 10_000, "{}", law.units);
}

/// The places that a shape cannot do without.
fn places(form: &Form) -> Vec<[i32; 2]> {
    let far = |[x, y]: [i32; 2], [dx, dy]: [i32; 2]| vec![[x, y], [x + dx, y + dy]];
    match form {
        Form::Hex { at, .. }
        | Form::Disc { at, .. }
        | Form::Piece { at, .. }
        | Form::Label { at, .. }
        | Form::Drawing { at, .. }
        | Form::Mark { at, .. } => vec![*at],
        Form::Area { outline, .. } => outline.clone(),
        Form::Link { along, .. } => along.clone(),
        Form::Lines { lines, .. } => lines.concat(),
        Form::Card { at, size, .. } | Form::Frame { at, size } => far(*at, *size),
        Form::Track { at, size, boxes, .. } => far(*at, [size * boxes.len() as i32, *size]),
    }
}

#[derive(Default)]
struct InSight {
    shapes: usize,
}

impl Visitor for InSight {
    fn game<G: FullGame>(&mut self) {
        each_picture::<G>(12, |scene, _, origin| {
            assert!(!scene.title.is_empty() && scene.text.ends_with('.'), "{origin}: {scene:?}");
            for shape in &scene.shapes {
                self.shapes += 1;
                for place in places(&shape.form) {
                    assert!(scene.bounds.holds(place), "{origin}: {} at {place:?}", shape.id);
                }
                // Whoever cannot see it, or does not know the picture, has its name.
                let named = !shape.title.is_empty() || shape.choice.is_none();
                let told = !matches!(shape.form, Form::Piece { .. } | Form::Card { .. });
                assert!(named && (told || !shape.title.is_empty()), "{origin}: {}", shape.id);
                if let Form::Label { size, .. } = &shape.form {
                    assert!(*size >= umpire_engine::scene::WRITING, "{origin}: {}", shape.id);
                }
            }
            for table in &scene.tables {
                let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0);
                assert!(table.heads.len() <= columns.max(1), "{origin}: {}", table.title);
            }
            for line in text::write(scene, false).lines() {
                assert!(line.chars().count() <= 100, "{origin}: {line}");
                assert!(!line.contains('\u{1b}'), "{origin}: {line}");
            }
        });
    }
}

#[test]
fn shapes_lie_in_sight_and_have_names_and_lines_are_short() {
    let mut law = InSight::default();
    umpire_engine::games::visit(&mut law);
    assert!(law.shapes > 20_000, "{}", law.shapes);
}

#[derive(Default)]
struct NoSecrets {
    alike: usize,
    differ: usize,
}

impl Visitor for NoSecrets {
    /// A world that the viewer could be in has the same picture, whatever is hidden in it.
    fn game<G: FullGame>(&mut self) {
        for walk in walks::<G>(&["{}".to_owned()], 4, 300) {
            for ply in walk.plies(30) {
                let table = &walk.tables[ply];
                for viewer in walk.viewers() {
                    let mut chance = Seeded::new("pictures", G::META.streams);
                    let view = table.view(viewer);
                    let other = G::determinize(table.setup(), &view, &mut chance).expect("a world");
                    let lately = lately(&walk, ply, viewer);
                    let told = G::draw(table.setup(), &view, &lately);
                    let other_view = G::view(table.setup(), &other, viewer);
                    let there = G::draw(table.setup(), &other_view, &lately);
                    assert_eq!(told, there, "{} ply {ply} to {viewer:?}", G::META.id);
                    let options = svg::Options::default();
                    assert_eq!(svg::write(&told, options), svg::write(&there, options));
                    self.alike += 1;
                    let all = G::draw(table.setup(), &table.view(Observer::Referee), &[]);
                    self.differ += usize::from(all.shapes != told.shapes);
                }
            }
        }
    }
}

#[test]
fn pictures_show_what_the_viewer_knows() {
    let mut law = NoSecrets::default();
    umpire_engine::games::visit(&mut law);
    let NoSecrets { alike, differ } = law;
    assert!(alike > 600 && differ > 300, "{alike} and {differ}");
}

/// The most bytes of a picture.
const MOST: usize = 150_000;

#[derive(Default)]
struct Small {
    most: usize,
}

impl Visitor for Small {
    fn game<G: FullGame>(&mut self) {
        each_picture::<G>(6, |scene, view, origin| {
            let bytes = svg::write(scene, svg::Options::default()).len();
            let units = listed(view, "/units").len();
            assert!(bytes < MOST, "{origin}: {bytes} bytes, {units} units");
            assert!(json(scene).len() < 200_000, "{origin}");
            self.most = self.most.max(bytes);
        });
    }
}

#[test]
fn pictures_are_small() {
    let mut law = Small::default();
    umpire_engine::games::visit(&mut law);
    eprintln!("the largest has {} bytes", law.most);
}

struct Crowded;

impl Visitor for Crowded {
    /// Two hundred units, half of them each by itself, on the largest map.
    fn game<G: FullGame>(&mut self) {
        let root = env!("CARGO_MANIFEST_DIR");
        let path = format!("{root}/../fixtures/{}/crowd.json", G::META.id);
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let crowd: Value = serde_json::from_str(&text).expect("JSON");
        let text = crowd["record"].to_string();
        let record = RawRecord::read(text.as_bytes()).expect("a record");
        let mut loaded = load::<G>(&record, Limits::default()).expect("a game");
        let state = loaded.position.take().expect("a position");
        let view = G::view(&loaded.setup, &state, Observer::Referee);
        let mut scene = G::draw(&loaded.setup, &view, &[]);
        let stacks = |shape: &&Shape| ["unit:", "stack:"].iter().any(|it| shape.id.starts_with(it));
        let there: Vec<Shape> = scene.shapes.iter().filter(stacks).cloned().collect();
        assert!(there.len() >= 50, "{}", there.len());
        // As many more as two hundred want, each by itself.
        let value = serde_json::to_value(&view).expect("views serialise");
        let more = there.iter().cycle().take(200 - listed(&value, "/units").len()).cloned();
        for (number, mut shape) in more.enumerate() {
            shape.id = format!("unit:{}", 1_000 + number);
            if let Form::Piece { count, .. } = &mut shape.form {
                *count = 1;
            }
            scene.shapes.push(shape);
        }
        let bytes = svg::write(&scene, svg::Options::default()).len();
        eprintln!("{}: {bytes} bytes with 200 units", G::META.id);
        assert!(bytes < MOST, "{}: {bytes} bytes with 200 units", G::META.id);
    }
}

#[test]
fn pictures_of_crowds_are_small() {
    umpire_engine::games::visit(&mut Crowded);
}

/// How bright a colour is (WCAG 2.2, relative luminance).
fn luminance(colour: u32) -> f64 {
    let part = |shift: u32| {
        let part = f64::from(colour >> shift & 0xff) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
}

fn contrast(a: u32, b: u32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The colours of a table of shades, whoever drew it.
fn can_be_read(name: &str, ground: Shade, of: impl Fn(Tint) -> Shade) {
    assert!(contrast(ground.fill, ground.on) >= 7.0, "{name}");
    for &tint in Tint::ALL {
        let shade = of(tint);
        let on = contrast(shade.fill, shade.on);
        assert!(on >= 4.5, "{name} {}: {on:.2}", tint.name());
    }
    // What is written in these stands on the ground or on a land.
    let lands = [Tint::Plain, Tint::Wood, Tint::Water, Tint::Sand, Tint::Town, Tint::Paper];
    for tint in [Tint::Ink, Tint::Faint, Tint::Strong] {
        let on = contrast(of(tint).fill, ground.fill);
        assert!(on >= 4.5, "{name} {}: {on:.2}", tint.name());
    }
    for land in lands {
        let on = contrast(of(Tint::Ink).fill, of(land).fill);
        assert!(on >= 4.5, "{name} {}: {on:.2}", land.name());
    }
}

#[test]
fn everything_written_can_be_read() {
    assert!((contrast(0, 0xffffff) - 21.0).abs() < 1e-9);
    can_be_read("day", palette::LIGHT, palette::light);
    can_be_read("night", palette::DARK, palette::dark);
    for art in umpire_engine::games::GAMES.iter().filter_map(|game| game.art()) {
        let day = |tint| art.shade(tint, false).unwrap_or_else(|| palette::light(tint));
        can_be_read(art.name, art.ground[0], day);
        let night = |tint| art.shade(tint, true).unwrap_or_else(|| palette::dark(tint));
        can_be_read(&format!("{} by night", art.name), art.ground[1], night);
    }
}

#[derive(Default)]
struct InRegions {
    regions: usize,
    beside: usize,
}

impl Visitor for InRegions {
    /// A page may lay out each region by itself: none overlaps another, and every shape lies in its own.
    fn game<G: FullGame>(&mut self) {
        each_picture::<G>(12, |scene, _, origin| {
            let regions = &scene.regions;
            assert_eq!(regions.first().map(|it| it.id.as_str()), Some("board"), "{origin}");
            for (number, region) in regions.iter().enumerate() {
                let Bounds { left, top, width, height } = region.bounds;
                assert!(!region.title.is_empty(), "{origin}: {}", region.id);
                let (right, low) = (left + width, top + height);
                assert!(
                    scene.bounds.holds([left, top]) && scene.bounds.holds([right, low]),
                    "{origin}: {} in {:?}",
                    region.id,
                    scene.bounds
                );
                for Region { id, bounds, .. } in &regions[number + 1..] {
                    let apart = left >= bounds.left + bounds.width
                        || bounds.left >= right
                        || top >= bounds.top + bounds.height
                        || bounds.top >= low;
                    assert!(apart && *id != region.id, "{origin}: {id} and {}", region.id);
                }
                self.regions += 1;
            }
            for shape in &scene.shapes {
                let own = if shape.region.is_empty() { "board" } else { &shape.region };
                let region = regions.iter().find(|it| it.id == own);
                let Some(region) = region else { panic!("{origin}: {} in no region", shape.id) };
                for place in places(&shape.form) {
                    assert!(region.bounds.holds(place), "{origin}: {} out of {own}", shape.id);
                }
                self.beside += usize::from(own != "board");
            }
        });
    }
}

#[test]
fn every_shape_lies_in_its_region() {
    let mut law = InRegions::default();
    umpire_engine::games::visit(&mut law);
    assert!(law.regions > 300 && law.beside > 3_000, "{} and {}", law.regions, law.beside);
}

#[derive(Default)]
struct Still {
    games: usize,
}

impl Visitor for Still {
    /// Whoever steps through a game sees the board stay where it is.
    fn game<G: FullGame>(&mut self) {
        for walk in walks::<G>(&["{}".to_owned()], 3, 400) {
            for viewer in walk.viewers().into_iter().chain([Observer::Referee]) {
                let mut bounds = BTreeSet::new();
                for ply in walk.plies(40) {
                    let table = &walk.tables[ply];
                    let scene =
                        G::draw(table.setup(), &table.view(viewer), &lately(&walk, ply, viewer));
                    let Bounds { left, top, width, height } = scene.bounds;
                    bounds.insert([left, top, width, height]);
                }
                assert_eq!(bounds.len(), 1, "{} to {viewer:?}: {bounds:?}", G::META.id);
                self.games += 1;
            }
        }
    }
}

#[test]
fn the_board_stays_where_it_is() {
    let mut law = Still::default();
    umpire_engine::games::visit(&mut law);
    assert!(law.games >= 20, "{}", law.games);
}

#[derive(Default)]
struct OneKey {
    keys: usize,
}

impl Visitor for OneKey {
    /// What is written on a board of hexes stands for one thing, and is told below it.
    fn game<G: FullGame>(&mut self) {
        each_picture::<G>(12, |scene, _, origin| {
            let hexes =
                scene.shapes.iter().filter(|it| matches!(it.form, Form::Hex { .. })).count();
            if hexes == 0 {
                return;
            }
            let text = text::write(scene, false);
            let mut parts = text.split("\n\n").skip(1);
            let (board, legend) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
            let own = legend.lines().filter(|line| !line.starts_with(' '));
            let told: Vec<&str> = own.filter_map(|line| line.split_whitespace().next()).collect();
            let keys: BTreeSet<&str> = told.iter().copied().collect();
            assert_eq!(keys.len(), told.len(), "{origin}:\n{text}");
            let on_board: Vec<&str> = board
                .split_whitespace()
                .filter(|it| !it.contains(',') && it.chars().any(char::is_alphanumeric))
                .filter(|it| it.len() > 1)
                .collect();
            for key in &on_board {
                assert!(keys.contains(key), "{origin}: {key}\n{text}");
            }
            self.keys += on_board.len();
        });
    }
}

#[test]
fn a_key_stands_for_one_thing() {
    let mut law = OneKey::default();
    umpire_engine::games::visit(&mut law);
    assert!(law.keys > 1_000, "{}", law.keys);
}
