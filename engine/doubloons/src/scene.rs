//! The view as a picture: the map with its cities, routes and stacks, tables of the players, goods and deals beside
//! it, and what the last action did.
//!
//! Made of a view and of what its observer was told; must not look at a state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::Doubloons;
use super::action::Player;
use super::action::prince;
use super::art::ART;
use super::notice::{Happening, Notice};
use super::setup::Setup;
use super::tables::{Kind, Terrain};
use super::view::{CityView, UnitView, View};
use umpire_core::board::hex::Hex;
use umpire_core::game::Picture;
use umpire_core::scene::{
    Anchor, Art, Bounds, CardSymbol, Form, Glyph, Ground, Line, Outline, Panel, Point, Role, Scene,
    Shape, Tint, between, corners_of, middle_of, rim::rim,
};

impl Picture for Doubloons {
    const ART: Option<&'static Art> = Some(&ART);

    /// The view as a picture.
    fn draw(setup: &Setup, view: &View, lately: &[Notice]) -> Scene {
        let places = &setup.map.places;
        let corners = places.iter().flat_map(|it| corners_of(middle(it.hex), HEX, true));
        let board = Bounds::around(corners, 12 + 2 * WRITING);
        let mut shapes = vec![sheet(board)];
        let (water, land): (Vec<_>, Vec<_>) = places.iter().partition(|it| wet(it.terrain));
        shapes.extend(water.iter().map(|it| ground(it.hex, it.terrain)));
        shapes.extend(rhumbs(board));
        shapes.extend(land.iter().map(|it| ground(it.hex, it.terrain)));
        let water: BTreeSet<Hex> = water.iter().map(|it| it.hex).collect();
        let land: Vec<Hex> = land.iter().map(|it| it.hex).collect();
        shapes.push(coast(&land, &water));
        let hexes: Vec<Hex> = places.iter().map(|it| it.hex).collect();
        shapes.extend(rim(&hexes, HEX, true, WRITING));
        shapes.extend(routes(setup, view));
        for (number, city) in view.cities.iter() {
            shapes.extend(town(setup, *number, city));
        }
        shapes.extend(traces(setup, view, lately));
        let stacks = stacks(view);
        for ((hex, owner), units) in &stacks {
            let others = stacks.range((*hex, None)..).take_while(|((at, _), _)| at == hex);
            let here: Vec<Option<Player>> = others.map(|((_, owner), _)| *owner).collect();
            shapes.push(stack(setup, *hex, *owner, &here, units));
        }
        shapes.extend(marks(setup, view, lately));
        let mut scene = Scene {
            title: title(view),
            text: words(setup, view),
            shapes,
            legend: legend(setup),
            tables: tables(setup, view),
            art: Self::ART,
            ..Scene::default()
        };
        scene.region("board", "The map", board, 0);
        let (left, top) = (board.left, board.top + board.height + 8);
        let tray = Bounds { left, top, width: TRAY[0], height: TRAY[1] };
        let from = scene.shapes.len();
        scene.shapes.extend(dice(view, lately, [left, top]));
        scene.region("dice", "Dice", tray, from);
        scene.bounds = Bounds { height: board.height + TRAY[1] + 8, ..board };
        scene
    }
}

/// From the middle of a hex to a corner.
const HEX: i32 = 50;
/// Height of the letters.
const WRITING: i32 = 21;

fn middle(hex: Hex) -> Point {
    middle_of(hex, HEX, true)
}

fn tint(owner: Option<Player>) -> Tint {
    owner.map_or(Tint::Neutral, |player| Tint::of_seat(player.index()))
}

fn title(view: &View) -> String {
    if let Some(ended) = view.ended {
        let reason = ended.reason.name().replace('_', " ");
        return match ended.winner {
            Some(winner) => format!("{} won: {reason}", prince(winner)),
            None => format!("The game is over: {reason}"),
        };
    }
    let phase = view.state.phase.name().replace('_', " ");
    match view.state.active {
        Some(player) => format!("Round {}, {phase}: {}", view.round, prince(player)),
        None => format!("Round {}, {phase}", view.round),
    }
}

/// What can be seen, in sentences.
fn words(setup: &Setup, view: &View) -> String {
    let mut all = vec![format!("{}.", title(view))];
    for (player, gold) in view.gold.iter() {
        let cities: Vec<String> = view
            .cities
            .iter()
            .filter(|(_, city)| city.control == Some(Some(*player)))
            .map(|(number, _)| city_name(setup, *number))
            .collect();
        let units = view.units.iter().filter(|unit| unit.owner == Some(*player)).count();
        let cities = if cities.is_empty() { "no city".to_owned() } else { cities.join(", ") };
        let player = prince(*player);
        all.push(format!("{player} has {gold} gold, {units} units, and holds {cities}."));
    }
    all.join(" ")
}

/// How a terrain is drawn.
fn look(terrain: Terrain) -> (Tint, Option<Glyph>) {
    match terrain {
        Terrain::Clear | Terrain::City => (Tint::Plain, None),
        Terrain::Rough => (Tint::Wood, Some(Glyph::Wood)),
        Terrain::Difficult => (Tint::Hill, Some(Glyph::Hill)),
        Terrain::Treacherous => (Tint::Mountain, Some(Glyph::Mountain)),
        Terrain::Water => (Tint::Water, None),
        Terrain::Reefs => (Tint::Reef, Some(Glyph::Reef)),
    }
}

/// The terrains of the map by name; those of cities aside, which have names of their own.
fn legend(setup: &Setup) -> Vec<Ground> {
    let mut all: Vec<Terrain> = setup.map.places.iter().map(|it| it.terrain).collect();
    all.sort_unstable();
    all.dedup();
    let named = all.into_iter().filter(|terrain| *terrain != Terrain::City);
    named
        .map(|terrain| {
            let (tint, glyph) = look(terrain);
            Ground { tint, glyph, text: terrain.name().replace('_', " ") }
        })
        .collect()
}

/// Whether a terrain is water.
fn wet(terrain: Terrain) -> bool {
    matches!(terrain, Terrain::Water | Terrain::Reefs)
}

/// The sheet that the map is drawn on.
fn sheet(bounds: Bounds) -> Shape {
    let Bounds { left, top, width, height } = bounds;
    let (right, low) = (left + width, top + height);
    let outline = vec![[left, top], [right, top], [right, low], [left, low]];
    Shape::new("sheet", "", Tint::Plain, Form::Area { outline, round: false })
}

/// The rhumb lines of a sea chart: from a wind rose, and from a place without one, in sixteen directions.
fn rhumbs(bounds: Bounds) -> [Shape; 2] {
    const EIGHTH: [Point; 5] = [[100, 0], [92, 38], [71, 71], [38, 92], [0, 100]];
    let Bounds { left, top, width, height } = bounds;
    let (right, low) = (left + width, top + height);
    let size = (width.min(height) / 7).max(60);
    let rose = [left + size * 7 / 10, low - size * 7 / 10];
    let mut lines = Vec::new();
    for [x, y] in [rose, [right - size, top + size]] {
        for [dx, dy] in EIGHTH {
            for [dx, dy] in [[dx, dy], [-dx, dy], [dx, -dy], [-dx, -dy]] {
                let reach = |from: i32, by: i32, least: i32, most: i32| match by {
                    0 => i32::MAX,
                    1.. => (most - from) * 100 / by,
                    _ => (least - from) * 100 / by,
                };
                let far = reach(x, dx, left, right).min(reach(y, dy, top, low));
                lines.push(vec![[x, y], [x + dx * far / 100, y + dy * far / 100]]);
            }
        }
    }
    lines.sort_unstable();
    lines.dedup();
    let form = Form::Lines { lines, line: Line::Fine };
    let drawn = Form::Drawing { at: rose, size, glyph: Glyph::Rose };
    [Shape::new("rhumbs", "", Tint::Faint, form), Shape::new("rose", "", Tint::Faint, drawn)]
}

/// The sides of the land that water lies on.
fn coast(land: &[Hex], water: &BTreeSet<Hex>) -> Shape {
    // The neighbour across each side, from the upper right corner on.
    const ACROSS: [[i64; 2]; 6] = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]];
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for hex in land {
        let corners = corners_of(middle(*hex), HEX, true);
        for (side, [q, r]) in ACROSS.iter().enumerate() {
            if water.contains(&Hex::new(hex.q + q, hex.r + r)) {
                let (from, to) = (corners[side], corners[(side + 1) % 6]);
                match lines.last_mut().filter(|it| it.last() == Some(&from)) {
                    Some(line) => line.push(to),
                    None => lines.push(vec![from, to]),
                }
            }
        }
    }
    Shape::new("coast", "", Tint::Faint, Form::Lines { lines, line: Line::Solid })
}

/// How wide and high the tray of the dice is.
const TRAY: [i32; 2] = [360, 60];

/// The dice of the last action.
fn dice(view: &View, lately: &[Notice], [left, top]: Point) -> Vec<Shape> {
    let owner = |unit: u32| view.units.iter().find(|it| it.id == unit).and_then(|it| it.owner);
    let mut thrown: Vec<(Option<Player>, u32, bool)> = Vec::new();
    for notice in lately {
        let Notice::Public(happening) = notice else { continue };
        match happening {
            Happening::EventRolled { die, .. } => thrown.push((None, *die, false)),
            Happening::OrderThrown { dice } => {
                thrown.extend(dice.iter().map(|(player, die)| (Some(*player), *die, false)));
            }
            Happening::SpyDice { player, dice, .. } => {
                thrown.extend(dice.iter().map(|die| (Some(*player), *die, false)));
            }
            Happening::BattleDie { unit, die, hit, .. } => {
                thrown.push((owner(*unit), *die, *hit));
            }
            Happening::DiplomacyRolled { player, die: Some(die), success, .. } => {
                thrown.push((Some(*player), *die, *success));
            }
            _ => {}
        }
    }
    const DIE: i32 = 40;
    let form = Form::Label {
        at: [left + 10, top + 36],
        size: 16,
        anchor: Anchor::Start,
        text: "Dice".to_owned(),
    };
    let mut shapes = vec![Shape::new("dice", "", Tint::Ink, form)];
    let step = (DIE + 8).min((TRAY[0] - 80 - DIE) / (thrown.len() as i32 - 1).max(1));
    for (number, (owner, die, hit)) in thrown.into_iter().enumerate() {
        let at = [left + 66 + number as i32 * step, top + 10];
        let pips = [Glyph::Die1, Glyph::Die2, Glyph::Die3, Glyph::Die4, Glyph::Die5, Glyph::Die6];
        let pips = (die as usize).checked_sub(1).and_then(|it| pips.get(it));
        let symbol = |glyph: &Glyph| CardSymbol { glyph: *glyph, times: 1, value: String::new() };
        let form = Form::Card {
            at,
            size: [DIE, DIE],
            face: Some(vec![die.to_string()]),
            symbols: pips.map(symbol).into_iter().collect(),
            count: 1,
        };
        let whose =
            owner.map_or_else(|| "a die".to_owned(), |it| format!("a die of {}", prince(it)));
        let hit = if hit { ", a success" } else { "" };
        let title = format!("{whose}: {die}{hit}");
        shapes.push(Shape::new(format!("die:{number}"), title, tint(owner), form));
    }
    shapes
}

fn ground(hex: Hex, terrain: Terrain) -> Shape {
    let (tint, glyph) = look(terrain);
    let form = Form::Hex { at: middle(hex), size: HEX, pointy: true, glyph };
    let id = format!("hex:{},{}", hex.q, hex.r);
    Shape::new(id, format!("{hex} {}", terrain.name()), tint, form)
        .choosing(json!({"path": hex, "to": hex, "target": hex, "hex": hex}))
}

fn city_name(setup: &Setup, city: u8) -> String {
    let site = city.checked_sub(1).and_then(|at| setup.map.sites.get(usize::from(at)));
    site.map_or_else(|| format!("city {city}"), |site| site.name.clone())
}

fn city_hex(setup: &Setup, city: u8) -> Option<Hex> {
    let site = setup.map.sites.get(usize::from(city.checked_sub(1)?))?;
    Some(setup.map.place(site.at).hex)
}

/// A city with its name, its owner's colour, and what befell it.
fn town(setup: &Setup, number: u8, city: &CityView) -> Vec<Shape> {
    let (Some(hex), Some(site)) =
        (city_hex(setup, number), setup.map.sites.get(usize::from(number) - 1))
    else {
        return Vec::new();
    };
    let [x, y] = middle(hex);
    let owner = city.control.flatten();
    let held =
        owner.map_or_else(|| "held by nobody".to_owned(), |it| format!("held by {}", prince(it)));
    let mut words = vec![format!("{} {hex}, {held}", site.name)];
    let goods = |list: &[super::tables::Good]| {
        let names: Vec<String> = list.iter().map(|good| good.name().replace('_', " ")).collect();
        names.join(", ")
    };
    if !city.supply.is_empty() {
        words.push(format!("supplies {}", goods(&city.supply)));
    }
    if !city.demand.is_empty() {
        words.push(format!("demands {}", goods(&city.demand)));
    }
    let mut badges = Vec::new();
    for (until, badge, what) in [
        (city.no_income_until, "0", "no income"),
        (city.no_recruit_until, "×", "no recruits"),
        (city.protected_until, "†", "protected"),
    ] {
        if until > 0 {
            badges.push(badge.to_owned());
            words.push(format!("{what} up to round {until}"));
        }
    }
    if city.masters > 0 {
        badges.push("M".repeat(city.masters.min(3) as usize));
        words.push(format!("{} Renaissance masters", city.masters));
    }
    let form = Form::Piece {
        at: [x, y - 12],
        size: 46,
        outline: Outline::Banner,
        glyph: Some(if site.port { Glyph::Anchor } else { Glyph::Town }),
        label: String::new(),
        badges,
        count: 1,
        hidden: false,
    };
    let name = Form::Label {
        at: [x, y + 44],
        size: WRITING,
        anchor: Anchor::Middle,
        text: site.name.clone(),
    };
    vec![
        Shape::new(format!("city:{number}"), words.join("; "), tint(owner), form)
            .choosing(json!({"city": number})),
        Shape::new(format!("name:{number}"), "", Tint::Ink, name),
    ]
}

/// The routes, each in the colour of who earns; those between the same cities beside each other.
fn routes(setup: &Setup, view: &View) -> Vec<Shape> {
    let mut lines: BTreeMap<(u8, u8), i32> = BTreeMap::new();
    let mut shapes = Vec::new();
    for (number, route) in view.routes.iter().enumerate() {
        let (Some(from), Some(to)) = (city_hex(setup, route.from), city_hex(setup, route.to))
        else {
            continue;
        };
        let pair = (route.from.min(route.to), route.from.max(route.to));
        let nth = lines.entry(pair).or_default();
        *nth += 1;
        let (from, to) = (middle(from), middle(to));
        // It bends to one side, the second to the other, and further with each.
        let side = if *nth % 2 == 0 { -1 } else { 1 } * (30 + 18 * (*nth / 2));
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length = i64::from(dx).pow(2) + i64::from(dy).pow(2);
        let length = (length.unsigned_abs().isqrt() as i32).max(1);
        let bend = [
            (from[0] + to[0]) / 2 - dy * side / length,
            (from[1] + to[1]) / 2 + dx * side / length,
        ];
        let good = route.good.name().replace('_', " ");
        let title = format!(
            "{}'s route: {good} from {} to {}",
            prince(route.owner),
            city_name(setup, route.from),
            city_name(setup, route.to)
        );
        let form = Form::Link { along: vec![from, bend, to], line: Line::Beads };
        shapes.push(Shape::new(format!("route:{number}"), title, tint(Some(route.owner)), form));
    }
    shapes
}

/// The units by hex and owner; neutral ones stand first.
fn stacks(view: &View) -> BTreeMap<(Hex, Option<Player>), Vec<&UnitView>> {
    let mut all: BTreeMap<(Hex, Option<Player>), Vec<&UnitView>> = BTreeMap::new();
    for unit in &view.units {
        all.entry((unit.at, unit.owner)).or_default().push(unit);
    }
    all
}

fn unit_text(unit: &UnitView) -> String {
    let mut text = unit.kind.to_string();
    for (on, what) in [
        (unit.attacked, "has attacked"),
        (unit.fresh, "recruited this turn"),
        (unit.held_until > 0, "held"),
        (unit.pinned_until > 0, "pinned by the Church"),
    ] {
        if on {
            text.push_str(&format!(" ({what})"));
        }
    }
    if let Some(points) = unit.points {
        text.push_str(&format!(" ({points} points left)"));
    }
    if unit.aboard.is_some() {
        text.push_str(" (aboard)");
    }
    text
}

fn stack(
    setup: &Setup,
    hex: Hex,
    owner: Option<Player>,
    here: &[Option<Player>],
    units: &[&UnitView],
) -> Shape {
    let [x, y] = middle(hex);
    let nth = here.iter().position(|it| *it == owner).unwrap_or(0) as i32;
    let city = setup.map.find(hex).map_or(0, |at| setup.map.place(at).city) > 0;
    let (at, size) = match (city, here.len()) {
        (true, _) => ([x + [28, -28, 28, -28][nth as usize % 4], y + 12 - 36 * (nth / 2)], 36),
        (false, 1) => ([x, y], 52),
        (false, _) => {
            let at = [[-20, -12], [20, -12], [-20, 18], [20, 18]][nth as usize % 4];
            ([x + at[0], y + at[1] + 8 * (nth / 4)], 32)
        }
    };
    // Those of whom the same is known are counted.
    let mut texts: Vec<(String, u32)> = Vec::new();
    for text in units.iter().map(|unit| unit_text(unit)) {
        match texts.iter_mut().find(|(other, _)| *other == text) {
            Some((_, count)) => *count += 1,
            None => texts.push((text, 1)),
        }
    }
    let texts: Vec<String> = texts
        .into_iter()
        .map(|(text, count)| if count > 1 { format!("{count} × {text}") } else { text })
        .collect();
    let whose = owner.map_or_else(|| ", neutral".to_owned(), |it| format!(" of {}", prince(it)));
    let title = format!("{}{whose}, on {hex}", texts.join(", "));
    let id = match units {
        [one] => format!("unit:{}", one.id),
        _ => {
            let name = owner.map_or_else(|| "neutral".to_owned(), |it| it.to_string());
            format!("stack:{},{}:{name}", hex.q, hex.r)
        }
    };
    let ids: Vec<u32> = units.iter().map(|unit| unit.id).collect();
    let mut form = Form::Piece {
        at,
        size,
        outline: owner.map_or(Outline::Square, |it| Outline::of_seat(it.index())),
        glyph: Some(glyph(units)),
        label: String::new(),
        badges: Vec::new(),
        count: units.len() as u32,
        hidden: false,
    };
    if let (Form::Piece { badges, .. }, true) =
        (&mut form, units.iter().any(|unit| unit.held_until > 0 || unit.pinned_until > 0))
    {
        badges.push("held".to_owned());
    }
    let ids = match ids.as_slice() {
        [one] => json!(one),
        many => json!({ "any": many }),
    };
    let choice = json!({"units": ids, "unit": ids, "ship": ids, "merchant": ids, "diplomat": ids});
    Shape::new(id, title, tint(owner), form).choosing(choice)
}

/// The picture of what leads a stack: ships, then who fights, then who leads.
fn glyph(units: &[&UnitView]) -> Glyph {
    let lead = units.iter().map(|unit| unit.kind).min_by_key(|kind| match kind {
        Kind::Frigate => 0,
        Kind::Galleon => 1,
        Kind::Caravel => 2,
        Kind::Cannon => 3,
        Kind::Dragoons | Kind::Lancers => 4,
        Kind::Musketeers | Kind::Pikemen => 5,
        Kind::Militia => 6,
        Kind::Officer | Kind::Governor | Kind::Diplomat => 7,
        Kind::Agent => 8,
        Kind::Caravan => 9,
    });
    match lead {
        Some(Kind::Frigate | Kind::Galleon) => Glyph::Ship,
        Some(Kind::Caravel) => Glyph::Galley,
        Some(Kind::Cannon) => Glyph::Gun,
        Some(Kind::Dragoons | Kind::Lancers) => Glyph::Horse,
        Some(Kind::Musketeers | Kind::Pikemen) => Glyph::Sword,
        Some(Kind::Militia) => Glyph::Foot,
        Some(Kind::Officer | Kind::Governor | Kind::Diplomat) => Glyph::Crown,
        Some(Kind::Agent) => Glyph::Eye,
        Some(Kind::Caravan) | None => Glyph::Wagon,
    }
}

fn where_of(view: &View, unit: u32) -> Option<Hex> {
    view.units.iter().find(|it| it.id == unit).map(|it| it.at)
}

/// The ways that units went and the attacks: below the stacks.
fn traces(setup: &Setup, view: &View, lately: &[Notice]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (number, notice) in lately.iter().enumerate() {
        let Notice::Public(happening) = notice else { continue };
        match happening {
            Happening::Moved { player, path, .. } if path.len() > 1 => {
                for (step, pair) in path.windows(2).enumerate() {
                    let last = step + 2 == path.len();
                    let (from, to) = (middle(pair[0]), middle(pair[1]));
                    let line = if last { Line::Arrow } else { Line::Solid };
                    let to = if last { between(from, to, [0, 26])[1] } else { to };
                    let form = Form::Link { along: vec![from, to], line };
                    let id = format!("moved:{number}:{step}");
                    shapes.push(Shape::new(id, "", tint(Some(*player)), form));
                }
            }
            Happening::AttackDeclared { target, units, .. } => {
                let from = units.iter().find_map(|&unit| where_of(view, unit));
                if let Some(from) = from.filter(|from| from != target) {
                    let along = between(middle(from), middle(*target), [22, 24]).to_vec();
                    let form = Form::Link { along, line: Line::Arrow };
                    shapes.push(Shape::new(format!("attack:{number}"), "", Tint::Strong, form));
                }
            }
            Happening::RouteOpened { route, .. } => {
                let ends = [route.from, route.to].map(|city| city_hex(setup, city));
                if let [Some(from), Some(to)] = ends {
                    let along = between(middle(from), middle(to), [24, 26]).to_vec();
                    let form = Form::Link { along, line: Line::Arrow };
                    shapes.push(Shape::new(format!("opened:{number}"), "", Tint::Strong, form));
                }
            }
            _ => {}
        }
    }
    shapes
}

/// Where the last action did something: above the stacks.
fn marks(setup: &Setup, view: &View, lately: &[Notice]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (number, notice) in lately.iter().enumerate() {
        let Notice::Public(happening) = notice else { continue };
        let mark = match happening {
            Happening::Moved { player, units, path } => path.last().map(|to| {
                let units = if units.len() == 1 { "a unit" } else { "units" };
                (*to, Role::To, format!("{} moved {units} to {to}", prince(*player)))
            }),
            Happening::Disembarked { player, to, .. } => {
                Some((*to, Role::To, format!("{} landed on {to}", prince(*player))))
            }
            Happening::Advanced { player, to, .. } => {
                Some((*to, Role::To, format!("{} entered {to}", prince(*player))))
            }
            Happening::Embarked { player, ship, .. } => where_of(view, *ship)
                .map(|hex| (hex, Role::To, format!("{} went aboard", prince(*player)))),
            Happening::AttackDeclared { player, target, .. } => {
                Some((*target, Role::Hit, format!("{} attacks {target}", prince(*player))))
            }
            Happening::UnitCreated { unit_type, at, .. } => {
                Some((*at, Role::To, format!("{unit_type} came into play on {at}")))
            }
            Happening::CityControl { city, to, .. } => city_hex(setup, *city).map(|hex| {
                let who = to.map_or_else(|| "nobody".to_owned(), prince);
                (hex, Role::To, format!("{} is now held by {who}", city_name(setup, *city)))
            }),
            Happening::Revolution { city, .. } => city_hex(setup, *city).map(|hex| {
                (hex, Role::Hit, format!("a revolution in {}", city_name(setup, *city)))
            }),
            _ => None,
        };
        if let Some((hex, role, title)) = mark {
            let form = Form::Mark { at: middle(hex), size: 2 * HEX - 14, role };
            shapes.push(Shape::new(format!("mark:{number}"), title, Tint::Strong, form));
        }
    }
    shapes
}

/// What stands beside the map.
fn tables(setup: &Setup, view: &View) -> Vec<Panel> {
    let players = view.gold.iter().map(|(player, gold)| {
        let cities =
            view.cities.iter().filter(|(_, city)| city.control == Some(Some(*player))).count();
        let units = view.units.iter().filter(|unit| unit.owner == Some(*player)).count();
        let mut notes = Vec::new();
        if view.gone.contains(player) {
            notes.push("out");
        }
        if view.favor.holder == Some(*player) {
            notes.push("favour");
        }
        if view.state.active == Some(*player) {
            notes.push("to move");
        }
        if view.bids.get(player).is_some() {
            notes.push("has bid");
        }
        let row = [prince(*player), gold.to_string(), cities.to_string(), units.to_string()];
        row.into_iter().chain([notes.join(", ")]).collect::<Vec<String>>()
    });
    let heads = ["", "gold", "cities", "units", ""].map(str::to_owned).to_vec();
    let mut all = vec![Panel { title: "Players".to_owned(), heads, rows: players.collect() }];
    let mut more = |title: &str, rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            all.push(Panel { title: title.to_owned(), heads: Vec::new(), rows });
        }
    };
    let treaties =
        view.treaties.iter().map(|[a, b]| vec![format!("{} and {}", prince(*a), prince(*b))]);
    more("Treaties", treaties.collect());
    let routes = view.routes.iter().map(|route| {
        let (from, to) = (city_name(setup, route.from), city_name(setup, route.to));
        vec![prince(route.owner), route.good.name().replace('_', " "), format!("{from} to {to}")]
    });
    more("Routes", routes.collect());
    let goods = view.goods.iter().map(|(good, marks)| {
        let mut words = Vec::new();
        if marks.surplus_until > 0 {
            words.push(format!("surplus up to round {}", marks.surplus_until));
        }
        if marks.scarcity_until.last() > 0 {
            words.push(format!("scarce up to round {}", marks.scarcity_until.last()));
        }
        vec![good.name().replace('_', " "), words.join(", ")]
    });
    more("Goods", goods.collect());
    let deals = view.deals.iter().map(|deal| {
        let agreed: Vec<String> = deal.agreed.iter().map(|it| prince(*it)).collect();
        vec![format!("{}", deal.deal), format!("by {}", prince(deal.proposer)), agreed.join(", ")]
    });
    more("Deals (agreed)", deals.collect());
    all
}
