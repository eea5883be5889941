//! The view as a picture: the map with its cities, routes and stacks, tables of the players, goods and deals beside
//! it, and what the last action did.
//!
//! Made of a view and of what its observer was told; must not look at a state.

use std::collections::BTreeMap;

use serde_json::json;

use super::Doubloons;
use super::action::Player;
use super::notice::{Happening, Notice};
use super::setup::Setup;
use super::tables::{Kind, Terrain};
use super::view::{CityView, UnitView, View};
use umpire_core::board::hex::Hex;
use umpire_core::game::Picture;
use umpire_core::scene::{
    Anchor, Bounds, Form, Glyph, Ground, Line, Outline, Panel, Point, Role, Scene, Shape, Tint,
    between, corners_of, middle_of, rim::rim,
};

impl Picture for Doubloons {
    /// The view as a picture.
    fn draw(setup: &Setup, view: &View, lately: &[Notice]) -> Scene {
        let mut shapes: Vec<Shape> = Vec::new();
        for place in &setup.map.places {
            shapes.push(ground(place.hex, place.terrain));
        }
        let hexes: Vec<Hex> = setup.map.places.iter().map(|it| it.hex).collect();
        shapes.extend(rim(&hexes, HEX, true, WRITING));
        let corners = setup.map.places.iter().flat_map(|it| corners_of(middle(it.hex), HEX, true));
        let bounds = Bounds::around(corners, 12 + 2 * WRITING);
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
        Scene {
            title: title(view),
            text: words(setup, view),
            bounds,
            shapes,
            legend: legend(setup),
            tables: tables(setup, view),
        }
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
            Some(winner) => format!("{winner} won: {reason}"),
            None => format!("The game is over: {reason}"),
        };
    }
    let phase = view.state.phase.name().replace('_', " ");
    match view.state.active {
        Some(player) => format!("Round {}, {phase}: {player}", view.round),
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
    let held = owner.map_or_else(|| "held by nobody".to_owned(), |it| format!("held by {it}"));
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
        size: 50,
        outline: Outline::Square,
        glyph: Some(if site.port { Glyph::Anchor } else { Glyph::Town }),
        label: String::new(),
        badges,
        count: 1,
        hidden: false,
    };
    let name = Form::Label {
        at: [x, y + 46],
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
            route.owner,
            city_name(setup, route.from),
            city_name(setup, route.to)
        );
        let form = Form::Link { along: vec![from, bend, to], line: Line::Broad };
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
    let mut text = format!("u{} {}", unit.id, unit.kind);
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
    if let Some(ship) = unit.aboard {
        text.push_str(&format!(" (aboard u{ship})"));
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
    let whose = owner.map_or_else(|| "neutral".to_owned(), |it| format!("{it}'s"));
    let texts: Vec<String> = units.iter().map(|unit| unit_text(unit)).collect();
    let title = format!("{whose} {} on {hex}", texts.join(", "));
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
        Some(Kind::Caravan) | None => Glyph::Coin,
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
                (*to, Role::To, format!("{player} moved {units} to {to}"))
            }),
            Happening::Disembarked { player, to, .. } => {
                Some((*to, Role::To, format!("{player} landed on {to}")))
            }
            Happening::Advanced { player, to, .. } => {
                Some((*to, Role::To, format!("{player} entered {to}")))
            }
            Happening::Embarked { player, ship, .. } => where_of(view, *ship)
                .map(|hex| (hex, Role::To, format!("{player} went aboard u{ship}"))),
            Happening::AttackDeclared { player, target, .. } => {
                Some((*target, Role::Hit, format!("{player} attacks {target}")))
            }
            Happening::UnitCreated { unit, unit_type, at, .. } => {
                Some((*at, Role::To, format!("u{unit} {unit_type} came into play on {at}")))
            }
            Happening::CityControl { city, to, .. } => city_hex(setup, *city).map(|hex| {
                let who = to.map_or_else(|| "nobody".to_owned(), |it| it.to_string());
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
        let row = [player.to_string(), gold.to_string(), cities.to_string(), units.to_string()];
        row.into_iter().chain([notes.join(", ")]).collect::<Vec<String>>()
    });
    let heads = ["", "gold", "cities", "units", ""].map(str::to_owned).to_vec();
    let mut all = vec![Panel { title: "Players".to_owned(), heads, rows: players.collect() }];
    let mut more = |title: &str, rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            all.push(Panel { title: title.to_owned(), heads: Vec::new(), rows });
        }
    };
    let treaties = view.treaties.iter().map(|[a, b]| vec![format!("{a} and {b}")]);
    more("Treaties", treaties.collect());
    let routes = view.routes.iter().map(|route| {
        let (from, to) = (city_name(setup, route.from), city_name(setup, route.to));
        vec![
            route.owner.to_string(),
            route.good.name().replace('_', " "),
            format!("{from} to {to}"),
        ]
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
        let agreed: Vec<String> = deal.agreed.iter().map(Player::to_string).collect();
        vec![format!("{}", deal.deal), format!("by {}", deal.proposer), agreed.join(", ")]
    });
    more("Deals (agreed)", deals.collect());
    all
}
