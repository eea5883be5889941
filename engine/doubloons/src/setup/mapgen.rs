//! The map generator of part B.3: one sector of 60 degrees, drawn and turned, so that all home
//! seats are equal by construction.
//!
//! Every draw goes through one closure, 1 to n; the published vectors are tests. Must not change
//! for a known seed: that breaks every record with a generated map.

use super::map::{CityDoc, MapDoc, NEIGHBOURS, RowDoc};
use crate::action::Keyed;
use crate::tables::Terrain;
use umpire_core::board::hex::Hex;

/// Step 1: attempts before the reference map is used.
const ATTEMPTS: usize = 64;
/// The outermost ring.
const RADIUS: i64 = 11;
/// Step 2: a hex of ring k is land up to this number of ten.
const LAND: [u32; 9] = [10, 8, 7, 6, 5, 6, 6, 5, 4];

/// Draws a map. `draw(n)` gives a number from 1 to n.
pub(crate) fn generate<E>(mut draw: impl FnMut(u32) -> Result<u32, E>) -> Result<MapDoc, E> {
    for _ in 0..ATTEMPTS {
        if let Some((terrain, cities)) = attempt(&mut draw)? {
            return Ok(document(&terrain, &cities));
        }
    }
    Ok(MapDoc::reference().clone())
}

/// The hexes of rings `from` to `to` of the sector, in sector order.
fn sector(from: i64, to: i64) -> impl Iterator<Item = Hex> {
    (from..=to).flat_map(|ring| (0..ring).map(move |r| Hex::new(ring - r, r)))
}

/// Cells of a row, and rows: the disc with a margin, so that every hex has six neighbours.
const WIDTH: i64 = 2 * RADIUS + 3;
const CELLS: usize = (WIDTH * WIDTH) as usize;

/// A hex of the disc, by its place in the rectangle around it.
type Cell = usize;

/// How far the neighbours of a cell lie from it, in the order of B.1.
const STEPS: [isize; 6] = {
    let mut steps = [0; 6];
    let mut at = 0;
    while at < 6 {
        steps[at] = (NEIGHBOURS[at].r * WIDTH + NEIGHBOURS[at].q) as isize;
        at += 1;
    }
    steps
};

/// How far a cell lies from the middle.
const LENGTHS: [u8; CELLS] = {
    let mut lengths = [0; CELLS];
    let mut at = 0;
    while at < CELLS {
        let (q, r) = (at as i64 % WIDTH - RADIUS - 1, at as i64 / WIDTH - RADIUS - 1);
        lengths[at] = ((q.abs() + r.abs() + (q + r).abs()) / 2) as u8;
        at += 1;
    }
    lengths
};

const MIDDLE: Cell = CELLS / 2;

fn cell(hex: Hex) -> Cell {
    ((hex.r + RADIUS + 1) * WIDTH + hex.q + RADIUS + 1) as Cell
}

fn is_inside(cell: Cell) -> bool {
    i64::from(LENGTHS[cell]) <= RADIUS
}

/// The cells of some rings, in no order that matters.
fn rings(from: u8, to: u8) -> impl Iterator<Item = Cell> {
    (0..CELLS).filter(move |&cell| (from..=to).contains(&LENGTHS[cell]))
}

/// A value for every hex within the radius.
#[derive(Clone)]
struct Disc<T>([T; CELLS]);

impl<T: Copy> Disc<T> {
    fn new(value: T) -> Self {
        Disc([value; CELLS])
    }

    fn get(&self, hex: Hex) -> Option<T> {
        (hex.length() <= RADIUS as u32).then(|| self.0[cell(hex)])
    }

    fn set_all_turns(&mut self, hex: Hex, value: T) {
        for turned in turns(hex) {
            self.0[cell(turned)] = value;
        }
    }

    /// The neighbours of a hex of the disc.
    fn around(&self, cell: Cell) -> impl Iterator<Item = (Cell, T)> + '_ {
        STEPS
            .into_iter()
            .map(move |step| cell.wrapping_add_signed(step))
            .filter(|&next| is_inside(next))
            .map(|next| (next, self.0[next]))
    }
}

/// A hex and its five other rotations.
fn turns(hex: Hex) -> [Hex; 6] {
    let mut all = [hex; 6];
    for turn in 1..6 {
        all[turn] = all[turn - 1].turned();
    }
    all
}

/// The hexes of one row within the radius.
fn row(r: i64) -> impl Iterator<Item = Hex> {
    let (from, to) = ((-RADIUS).max(-RADIUS - r), RADIUS.min(RADIUS - r));
    (from..=to).map(move |q| Hex::new(q, r))
}

/// A map that was accepted: its terrain, and its cities with their ids in order.
type Drawn = (Disc<Terrain>, Vec<(Hex, bool)>);

/// Steps 2 to 7; `None` where the attempt fails.
fn attempt<E>(draw: &mut impl FnMut(u32) -> Result<u32, E>) -> Result<Option<Drawn>, E> {
    let land = smoothed(&raw_land(draw)?);
    let mut terrain = terrain(&land, draw)?;
    let sea = main_sea(&terrain);
    let coastal = |cell: Cell| sea.around(cell).any(|(_, main)| main);
    terrain.0[MIDDLE] = Terrain::City;
    let mut cities = Vec::with_capacity(25);
    cities.push(Hex::new(0, 0));
    let sites = [(6, true, 2), (3, true, 1), (3, true, 1), (3, false, 1)];
    for (first_ring, by_the_sea, least_land) in sites {
        let fits = |hex: &Hex| {
            let at = cell(*hex);
            let apart = |other: &Hex| 3 <= hex.distance(*other);
            terrain.0[at].is_open_land()
                && (!by_the_sea || coastal(at))
                && least_land <= terrain.around(at).filter(|it| it.1.is_open_land()).count()
                && turns(*hex)[1..].iter().all(apart)
                && cities.iter().all(apart)
        };
        let candidates: Vec<Hex> = sector(first_ring, 9).filter(fits).collect();
        if candidates.is_empty() {
            return Ok(None);
        }
        let site = candidates[draw(candidates.len() as u32)? as usize - 1];
        terrain.set_all_turns(site, Terrain::City);
        cities.extend(turns(site));
    }
    if !accepted(&terrain, &cities, coastal) {
        return Ok(None);
    }
    cities.rotate_left(1);
    let cities = cities.into_iter().map(|hex| (hex, coastal(cell(hex)))).collect();
    Ok(Some((terrain, cities)))
}

/// Step 2.
fn raw_land<E>(draw: &mut impl FnMut(u32) -> Result<u32, E>) -> Result<Disc<bool>, E> {
    let mut land = Disc::new(false);
    land.0[MIDDLE] = true;
    for hex in sector(1, 9) {
        let is_land = draw(10)? <= LAND[hex.length() as usize - 1];
        land.set_all_turns(hex, is_land);
    }
    Ok(land)
}

/// Step 3: one pass, all hexes at once.
fn smoothed(raw: &Disc<bool>) -> Disc<bool> {
    let mut land = raw.clone();
    for cell in rings(1, 9) {
        match raw.around(cell).filter(|&(_, land)| land).count() {
            0 | 1 => land.0[cell] = false,
            2 | 3 => {}
            _ => land.0[cell] = true,
        }
    }
    land
}

/// Step 4.
fn terrain<E>(
    land: &Disc<bool>,
    draw: &mut impl FnMut(u32) -> Result<u32, E>,
) -> Result<Disc<Terrain>, E> {
    let mut terrain = Disc::new(Terrain::Water);
    for hex in sector(1, 10) {
        let kind = match (land.get(hex) == Some(true), draw(10)?) {
            (true, 1..=5) => Terrain::Clear,
            (true, 6..=7) => Terrain::Rough,
            (true, 8..=9) => Terrain::Difficult,
            (true, _) => Terrain::Treacherous,
            (false, 1..=9) => Terrain::Water,
            (false, _) => Terrain::Reefs,
        };
        terrain.set_all_turns(hex, kind);
    }
    Ok(terrain)
}

/// Step 5: the sea that is connected with the outermost ring.
fn main_sea(terrain: &Disc<Terrain>) -> Disc<bool> {
    let mut sea = Disc::new(false);
    let mut open: Vec<Cell> = Vec::with_capacity(CELLS);
    open.extend(rings(RADIUS as u8, RADIUS as u8));
    for &cell in &open {
        sea.0[cell] = true;
    }
    while let Some(cell) = open.pop() {
        for (next, kind) in terrain.around(cell) {
            if kind.is_sea() && !sea.0[next] && next != MIDDLE {
                sea.0[next] = true;
                open.push(next);
            }
        }
    }
    sea
}

/// Step 7.
fn accepted(terrain: &Disc<Terrain>, cities: &[Hex], coastal: impl Fn(Cell) -> bool) -> bool {
    let by_land = |kind: Terrain| kind.is_open_land() || kind == Terrain::City;
    let mut open: Vec<Cell> = Vec::with_capacity(CELLS);
    cities.iter().all(|&city| {
        let city = cell(city);
        if !terrain.around(city).any(|(_, kind)| kind.is_open_land()) {
            return false;
        }
        let mut seen = Disc::new(false);
        open.clear();
        open.push(city);
        seen.0[city] = true;
        while let Some(cell) = open.pop() {
            if terrain.0[cell] == Terrain::City && coastal(cell) {
                return true;
            }
            for (next, kind) in terrain.around(cell) {
                if by_land(kind) && !seen.0[next] {
                    seen.0[next] = true;
                    open.push(next);
                }
            }
        }
        false
    })
}

/// Step 8.
fn document(terrain: &Disc<Terrain>, cities: &[(Hex, bool)]) -> MapDoc {
    let reference = MapDoc::reference();
    let rows = (-RADIUS..=RADIUS)
        .map(|r| {
            let codes = row(r).filter_map(|hex| terrain.get(hex)).map(Terrain::code).collect();
            // No hex lies further out than the radius.
            let q = row(r).next().map_or(0, |hex| hex.q);
            RowDoc { r: r as i32, q: q as i32, t: codes }
        })
        .collect();
    let cities = cities
        .iter()
        .zip(&reference.cities)
        .map(|(&(hex, port), named)| CityDoc {
            q: hex.q as i32,
            r: hex.r as i32,
            port,
            ..named.clone()
        })
        .collect();
    MapDoc {
        name: "A generated map".to_owned(),
        description: None,
        radius: Some(RADIUS as u32),
        legend: Keyed::new(Terrain::ALL.iter().map(|&it| (it.code(), it)).collect()),
        rows,
        cities,
        format: reference.format.clone(),
        source: reference.source.clone(),
        coords: reference.coords.clone(),
        seats: reference.seats.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::map::Map;
    use crate::setup::map::tests::rows_digest;

    /// The word source of the published vectors.
    struct XorShift {
        x: u32,
        draws: usize,
    }

    impl XorShift {
        fn draw(&mut self, n: u32) -> Result<u32, std::convert::Infallible> {
            self.draws += 1;
            let bound = (1u64 << 32) / u64::from(n) * u64::from(n);
            loop {
                self.x ^= self.x << 13;
                self.x ^= self.x >> 17;
                self.x ^= self.x << 5;
                if u64::from(self.x) < bound {
                    return Ok(self.x % n + 1);
                }
            }
        }
    }

    fn check(x: u32, draws: usize, sites: [(i32, i32); 4], middle_row: &str, digest: &str) {
        let mut words = XorShift { x, draws: 0 };
        let Ok(doc) = generate(|n| words.draw(n));
        assert_eq!(words.draws, draws);
        for (site, (q, r)) in sites.into_iter().enumerate() {
            let city = &doc.cities[6 * site];
            assert_eq!((city.q, city.r), (q, r), "site {site}");
        }
        assert_eq!(doc.rows[11].t, middle_row);
        assert_eq!(rows_digest(&doc), digest);
        assert_eq!(doc.cities.iter().filter(|city| city.port).count(), 18);
        Map::build(doc).unwrap();
    }

    #[test]
    fn the_first_published_vector() {
        check(
            1,
            104,
            [(2, 6), (7, 1), (5, 4), (4, 0)],
            "~~~.rrrCr..C..rCrrr.~~~",
            "494ba880915322779b81660fc610c0bbd53843369d09c3fe469550710b8e9667",
        );
    }

    #[test]
    fn the_second_published_vector() {
        check(
            2_463_534_242,
            513,
            [(3, 5), (5, 1), (8, 1), (3, 0)],
            "~xdd.d..CddCddC..d.ddx~",
            "6aeb520b3685b6cebcabda0248738b3670e2c705eb3e777f1dc683024c58b5a7",
        );
    }

    #[test]
    fn generated_maps_repeat_themselves_and_keep_their_cities_alive() {
        for seed in 1..60 {
            let mut words = XorShift { x: seed * 7919, draws: 0 };
            let Ok(doc) = generate(|n| words.draw(n));
            let map = Map::build(doc).unwrap();
            for place in &map.places {
                let turned = map.find(place.hex.turned()).unwrap();
                assert_eq!(map.place(turned).terrain, place.terrain);
                assert_eq!(map.place(turned).city == 0, place.city == 0);
            }
            let odd = crate::setup::map::oddities::oddities(&map);
            assert!(odd.iter().all(|(code, _)| *code != "city_without_land"), "{odd:?}");
        }
    }
}
