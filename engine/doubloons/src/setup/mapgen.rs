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

/// A value for every hex within the radius.
#[derive(Clone)]
struct Disc<T>(Vec<T>);

impl<T: Copy> Disc<T> {
    const WIDTH: i64 = 2 * RADIUS + 1;

    fn new(value: T) -> Self {
        Disc(vec![value; (Self::WIDTH * Self::WIDTH) as usize])
    }

    fn index(hex: Hex) -> usize {
        ((hex.r + RADIUS) * Self::WIDTH + hex.q + RADIUS) as usize
    }

    fn get(&self, hex: Hex) -> Option<T> {
        (hex.length() <= RADIUS as u32).then(|| self.0[Self::index(hex)])
    }

    fn set(&mut self, hex: Hex, value: T) {
        self.0[Self::index(hex)] = value;
    }

    fn set_all_turns(&mut self, hex: Hex, value: T) {
        for turned in turns(hex) {
            self.set(turned, value);
        }
    }

    fn around(&self, hex: Hex) -> impl Iterator<Item = (Hex, T)> + '_ {
        NEIGHBOURS.into_iter().filter_map(move |step| Some((hex + step, self.get(hex + step)?)))
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

/// All hexes within the radius.
fn disc() -> impl Iterator<Item = Hex> {
    (-RADIUS..=RADIUS).flat_map(row)
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
    let coastal = |hex: Hex| sea.around(hex).any(|(_, main)| main);
    let middle = Hex::new(0, 0);
    terrain.set(middle, Terrain::City);
    let mut cities = vec![middle];
    let sites = [(6, true, 2), (3, true, 1), (3, true, 1), (3, false, 1)];
    for (first_ring, by_the_sea, least_land) in sites {
        let fits = |hex: &Hex| {
            let open = |hex| terrain.get(hex).is_some_and(Terrain::is_open_land);
            let all = turns(*hex);
            let apart = |other: &Hex| 3 <= hex.distance(*other);
            open(*hex)
                && (!by_the_sea || coastal(*hex))
                && least_land <= terrain.around(*hex).filter(|it| it.1.is_open_land()).count()
                && all[1..].iter().all(apart)
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
    let cities = cities.into_iter().map(|hex| (hex, coastal(hex))).collect();
    Ok(Some((terrain, cities)))
}

/// Step 2.
fn raw_land<E>(draw: &mut impl FnMut(u32) -> Result<u32, E>) -> Result<Disc<bool>, E> {
    let mut land = Disc::new(false);
    land.set(Hex::new(0, 0), true);
    for hex in sector(1, 9) {
        let is_land = draw(10)? <= LAND[hex.length() as usize - 1];
        land.set_all_turns(hex, is_land);
    }
    Ok(land)
}

/// Step 3: one pass, all hexes at once.
fn smoothed(raw: &Disc<bool>) -> Disc<bool> {
    let mut land = raw.clone();
    for hex in disc().filter(|hex| (1..=9).contains(&hex.length())) {
        match raw.around(hex).filter(|&(_, land)| land).count() {
            0 | 1 => land.set(hex, false),
            2 | 3 => {}
            _ => land.set(hex, true),
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
    let mut open: Vec<Hex> = disc().filter(|hex| hex.length() == RADIUS as u32).collect();
    for &hex in &open {
        sea.set(hex, true);
    }
    while let Some(hex) = open.pop() {
        for (next, kind) in terrain.around(hex) {
            if kind.is_sea() && sea.get(next) == Some(false) && next != Hex::new(0, 0) {
                sea.set(next, true);
                open.push(next);
            }
        }
    }
    sea
}

/// Step 7.
fn accepted(terrain: &Disc<Terrain>, cities: &[Hex], coastal: impl Fn(Hex) -> bool) -> bool {
    let by_land = |kind: Terrain| kind.is_open_land() || kind == Terrain::City;
    cities.iter().all(|&city| {
        if !terrain.around(city).any(|(_, kind)| kind.is_open_land()) {
            return false;
        }
        let mut seen = Disc::new(false);
        let mut open = vec![city];
        seen.set(city, true);
        while let Some(hex) = open.pop() {
            if terrain.get(hex) == Some(Terrain::City) && coastal(hex) {
                return true;
            }
            for (next, kind) in terrain.around(hex) {
                if by_land(kind) && seen.get(next) == Some(false) {
                    seen.set(next, true);
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
            let odd = crate::setup::map::oddities(&map);
            assert!(odd.iter().all(|(code, _)| *code != "city_without_land"), "{odd:?}");
        }
    }
}
