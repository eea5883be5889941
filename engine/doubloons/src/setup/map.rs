//! DBD-2 Map: the form in which a record holds one, its checks, and the reference map (part B).
//!
//! Every map is a reconstruction, because none was published. Must not know units or players.
//! DBD-2.7 holds by construction: no event changes a map.

mod doc;
pub(crate) mod oddities;

pub(crate) use doc::{CityDoc, MapDoc, RowDoc};

use std::sync::{Arc, OnceLock};

use crate::rulebook::Rule;
use crate::tables::Terrain;
use crate::{Checked, Refusal};
use umpire_core::board::hex::Hex;

/// The only version of the form.
const FORMAT: &str = "dbd-map/1";
/// The most cities that this engine handles.
const MOST_CITIES: usize = 100;
/// The most hexes that this engine handles.
const MOST_HEXES: usize = 10_000;
/// No hex lies further out than this.
const FARTHEST: i64 = 10_000;

/// The index of a hex on a map.
pub(crate) type At = u16;
/// The index of no hex.
pub(crate) const NOWHERE: At = At::MAX;

/// A hex of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where it is.
    pub hex: Hex,
    /// Its terrain.
    pub terrain: Terrain,
    /// The city that stands there, 0 for none.
    pub city: u8,
    /// Whether ships may enter: sea, or a port.
    pub open_to_ships: bool,
    /// The neighbours in the order of B.1; [`NOWHERE`] where there is none.
    pub around: [At; 6],
}

/// A city of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// Its hex.
    pub at: At,
    /// Whether it is a port.
    pub port: bool,
    /// Its number as a home city.
    pub seat: Option<u8>,
}

/// A checked map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// The hexes, by row and column.
    pub places: Vec<Place>,
    /// The cities; city 1 stands first.
    pub sites: Vec<Site>,
    /// The map as a record holds it.
    pub doc: MapDoc,
    /// Which hex lies where.
    grid: Grid,
}

/// The hexes within a rectangle, so that one is found at once. Nothing where they lie so far apart that it would
/// be mostly empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Grid {
    first: (i64, i64),
    width: usize,
    cells: Vec<At>,
}

impl Grid {
    /// The most cells for each hex.
    const SPARSE: usize = 8;

    fn of(places: &[Place]) -> Grid {
        let bounds = |of: fn(&Hex) -> i64| {
            let all = places.iter().map(|it| of(&it.hex));
            all.clone().min().zip(all.max())
        };
        let (Some((west, east)), Some((north, south))) = (bounds(|it| it.q), bounds(|it| it.r))
        else {
            return Grid::default();
        };
        // Nothing lies further than 10,000 from the middle, so this fits.
        let (width, height) = ((east - west + 1) as usize, (south - north + 1) as usize);
        if places.len() * Grid::SPARSE < width * height {
            return Grid::default();
        }
        let mut grid = Grid { first: (west, north), width, cells: vec![NOWHERE; width * height] };
        for (at, place) in places.iter().enumerate() {
            if let Some(cell) = grid.cell(place.hex) {
                grid.cells[cell] = at as At;
            }
        }
        grid
    }

    fn cell(&self, hex: Hex) -> Option<usize> {
        let column = usize::try_from(hex.q.checked_sub(self.first.0)?).ok()?;
        let row = usize::try_from(hex.r.checked_sub(self.first.1)?).ok()?;
        (column < self.width).then(|| row * self.width + column)
    }
}

/// B.1: the steps to the six neighbours, in order.
pub(crate) const NEIGHBOURS: [Hex; 6] = [
    Hex::new(1, 0),
    Hex::new(0, 1),
    Hex::new(-1, 1),
    Hex::new(-1, 0),
    Hex::new(0, -1),
    Hex::new(1, -1),
];

impl Map {
    /// Checks a map by DBD-2.1 to DBD-2.4.
    pub(crate) fn build(doc: MapDoc) -> Checked<Map> {
        check_heading(&doc)?;
        let places = check_hexes(&doc)?;
        let grid = Grid::of(&places);
        let mut map = Map { places, sites: Vec::new(), doc, grid };
        for at in 0..map.places.len() {
            for (side, step) in NEIGHBOURS.into_iter().enumerate() {
                let next = map.find(map.places[at].hex + step).unwrap_or(NOWHERE);
                map.places[at].around[side] = next;
            }
        }
        map.sites = check_sites(&map)?;
        for (number, site) in map.sites.iter().enumerate() {
            let place = &mut map.places[usize::from(site.at)];
            place.city = number as u8 + 1;
            place.open_to_ships = site.port;
        }
        Ok(map)
    }

    /// The reference map, worked out once: every record that names it shares it.
    pub(crate) fn reference() -> Checked<Arc<Map>> {
        static REFERENCE: OnceLock<Arc<Map>> = OnceLock::new();
        if let Some(map) = REFERENCE.get() {
            return Ok(map.clone());
        }
        let map = Arc::new(Map::build(MapDoc::reference().clone())?);
        Ok(REFERENCE.get_or_init(|| map).clone())
    }

    /// The hex of that place on the map.
    pub(crate) fn find(&self, hex: Hex) -> Option<At> {
        if !self.grid.cells.is_empty() {
            let at = *self.grid.cells.get(self.grid.cell(hex)?)?;
            return (at != NOWHERE).then_some(at);
        }
        let key = (hex.r, hex.q);
        let at = self.places.binary_search_by_key(&key, |it| (it.hex.r, it.hex.q)).ok()?;
        Some(at as At)
    }

    /// A hex.
    pub(crate) fn place(&self, at: At) -> &Place {
        &self.places[usize::from(at)]
    }

    /// The neighbours of a hex, in the order of B.1.
    pub(crate) fn around(&self, at: At) -> impl Iterator<Item = At> + '_ {
        self.place(at).around.iter().copied().filter(|&next| next != NOWHERE)
    }

    /// Whether two hexes are neighbours.
    pub(crate) fn adjacent(&self, a: At, b: At) -> bool {
        self.place(a).around.contains(&b)
    }

    /// The number of cities.
    pub(crate) fn cities(&self) -> u8 {
        self.sites.len() as u8
    }

    /// A city by its number.
    pub(crate) fn site(&self, city: u8) -> &Site {
        &self.sites[usize::from(city) - 1]
    }

    /// The city of that seat.
    pub(crate) fn seat(&self, seat: u8) -> Option<u8> {
        let at = self.sites.iter().position(|site| site.seat == Some(seat))?;
        Some(at as u8 + 1)
    }

    /// DBD-12.9 A hex beside land of any kind.
    pub(crate) fn beside_land(&self, at: At) -> bool {
        self.around(at).any(|next| !self.place(next).terrain.is_sea())
    }
}

/// DBD-2.1 The form of a map.
fn check_heading(doc: &MapDoc) -> Checked {
    if doc.format != FORMAT {
        let message = format!("the map's format {:?} is unknown; {FORMAT:?} is known", doc.format);
        return Err(Refusal::new(Rule::C2_1, "bad_map", message).at("/map/format").public());
    }
    if doc.coords != "axial" {
        let message = format!("coordinates {:?} are unknown; \"axial\" is known", doc.coords);
        return Err(Refusal::new(Rule::C2_1, "bad_map", message).at("/map/coords").public());
    }
    for (code, terrain) in doc.legend.iter() {
        if Terrain::of(*code) != Some(*terrain) {
            let message = format!("the code {code:?} does not stand for {terrain}");
            return Err(Refusal::new(Rule::C2_2, "unknown_terrain", message)
                .at("/map/legend")
                .public());
        }
    }
    Ok(())
}

/// DBD-2.2 Each hex once, with a known code.
fn check_hexes(doc: &MapDoc) -> Checked<Vec<Place>> {
    let length: usize = doc.rows.iter().map(|row| row.t.len()).sum();
    let mut named = Vec::with_capacity(length.min(MOST_HEXES));
    for (row, RowDoc { r, q, t }) in doc.rows.iter().enumerate() {
        for (column, code) in t.chars().enumerate() {
            let hex = Hex::new(i64::from(*q) + column as i64, (*r).into());
            if FARTHEST < hex.q.abs().max(hex.r.abs()) {
                let message = format!("hex {hex} lies more than {FARTHEST} from the middle");
                return Err(Refusal::new(Rule::C2_2, "hex_too_far", message)
                    .at(format!("/map/rows/{row}"))
                    .public());
            }
            let Some(terrain) = Terrain::of(code) else {
                let message = format!("hex {hex} has the unknown code {code:?}");
                return Err(Refusal::new(Rule::C2_2, "unknown_terrain", message)
                    .at(format!("/map/rows/{row}/t"))
                    .public());
            };
            if named.len() == MOST_HEXES {
                let message = format!("the map has more than {MOST_HEXES} hexes");
                return Err(Refusal::new(Rule::C2_2, "map_too_large", message)
                    .at("/map/rows")
                    .public());
            }
            named.push((hex, row, terrain));
        }
    }
    named.sort_by_key(|&(hex, row, _)| (hex.r, hex.q, row));
    for pair in named.windows(2) {
        let [(hex, first, _), (other, second, _)] = pair else { continue };
        if hex == other {
            let message = format!("hex {hex} is named twice, by rows {first} and {second}");
            return Err(Refusal::new(Rule::C2_2, "hex_named_twice", message)
                .at(format!("/map/rows/{second}"))
                .public());
        }
    }
    Ok(named
        .into_iter()
        .map(|(hex, _, terrain)| Place {
            hex,
            terrain,
            city: 0,
            open_to_ships: terrain.is_sea(),
            around: [NOWHERE; 6],
        })
        .collect())
}

/// DBD-2.3 and DBD-2.4 Cities.
fn check_sites(map: &Map) -> Checked<Vec<Site>> {
    let doc = &map.doc;
    if MOST_CITIES < doc.cities.len() {
        let message = format!("the map has more than {MOST_CITIES} cities");
        return Err(Refusal::new(Rule::C2_3, "map_too_large", message).at("/map/cities").public());
    }
    let mut sites: Vec<Option<Site>> = vec![None; doc.cities.len()];
    for (at, city) in doc.cities.iter().enumerate() {
        let pointer = |field: &str| format!("/map/cities/{at}{field}");
        let count = doc.cities.len();
        let slot = (city.id as usize).checked_sub(1).and_then(|id| sites.get_mut(id));
        let Some(slot) = slot else {
            let message = format!("city {} is not one of 1 to {count}", city.id);
            return Err(Refusal::new(Rule::C2_3, "bad_city_id", message)
                .at(pointer("/id"))
                .public());
        };
        if slot.is_some() {
            let message = format!("city {} is named twice", city.id);
            return Err(Refusal::new(Rule::C2_3, "bad_city_id", message)
                .at(pointer("/id"))
                .public());
        }
        let hex = Hex::new(city.q.into(), city.r.into());
        let place = map.find(hex);
        let Some(place) = place.filter(|&it| map.place(it).terrain == Terrain::City) else {
            let message = format!("city {} stands on {hex}, which is not a city hex", city.id);
            return Err(Refusal::new(Rule::C2_3, "city_off_its_hex", message)
                .at(pointer(""))
                .public());
        };
        if city.port && !map.around(place).any(|next| map.place(next).terrain.is_sea()) {
            let message = format!("city {} is a port, but no water or reefs lie beside", city.id);
            return Err(Refusal::new(Rule::C2_4, "port_without_water", message)
                .at(pointer("/port"))
                .public());
        }
        let site = Site { name: city.name.clone(), at: place, port: city.port, seat: city.seat };
        *slot = Some(site);
    }
    let sites: Vec<Site> = sites.into_iter().flatten().collect();
    for (later, site) in sites.iter().enumerate() {
        for (earlier, other) in sites[..later].iter().enumerate() {
            let (a, b) = (earlier + 1, later + 1);
            if site.name == other.name {
                let message = format!("cities {a} and {b} are both called {:?}", site.name);
                return Err(Refusal::new(Rule::C2_3, "city_name_twice", message)
                    .at("/map/cities")
                    .public());
            }
            if site.at == other.at {
                let message = format!("cities {a} and {b} stand on the same hex");
                return Err(Refusal::new(Rule::C2_3, "city_off_its_hex", message)
                    .at("/map/cities")
                    .public());
            }
            if site.seat.is_some() && site.seat == other.seat {
                let message = format!("cities {a} and {b} have the same seat number");
                return Err(Refusal::new(Rule::C2_5, "seat_twice", message)
                    .at("/map/cities")
                    .public());
            }
        }
    }
    let nameless = map.places.iter().enumerate().find(|&(at, place)| {
        place.terrain == Terrain::City && sites.iter().all(|site| usize::from(site.at) != at)
    });
    if let Some((_, place)) = nameless {
        let message = format!("hex {} is a city hex, but no city stands there", place.hex);
        return Err(Refusal::new(Rule::C2_3, "city_hex_without_city", message)
            .at("/map/cities")
            .public());
    }
    Ok(sites)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    pub(crate) fn rows_digest(doc: &MapDoc) -> String {
        let rows: Vec<&str> = doc.rows.iter().map(|row| row.t.as_str()).collect();
        let digest = Sha256::digest(rows.join("\n").as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_reference_map_is_the_documents() {
        let doc = MapDoc::reference().clone();
        assert_eq!(
            rows_digest(&doc),
            "9a7dcea0d6a96fe2f00d3af035c6109ee9d7b5f26a664d046a90d13602a236c4"
        );
        let map = Map::build(doc).unwrap();
        assert_eq!(map.places.len(), 397);
        assert_eq!(map.sites.len(), 25);
        assert_eq!(map.sites.iter().filter(|site| site.port).count(), 18);
        assert_eq!(super::oddities::oddities(&map), []);
    }

    #[test]
    fn every_hex_is_found_on_a_dense_map_and_on_a_scattered_one() {
        let mut doc = MapDoc::reference().clone();
        for far in [0, 9_000] {
            if far > 0 {
                doc.rows.push(RowDoc { r: far, q: -far, t: ".".to_owned() });
            }
            let map = Map::build(doc.clone()).unwrap();
            assert_eq!(map.grid.cells.is_empty(), far > 0);
            for (at, place) in map.places.iter().enumerate() {
                assert_eq!(map.find(place.hex), Some(at as At));
            }
            for off in
                [Hex::new(12, 0), Hex::new(11, 11), Hex::new(-30, 5), Hex::new(i64::MIN, i64::MAX)]
            {
                assert_eq!(map.find(off), None);
            }
        }
    }

    #[test]
    fn the_reference_map_repeats_itself_under_a_turn() {
        let map = Map::build(MapDoc::reference().clone()).unwrap();
        for place in &map.places {
            let turned = map.find(place.hex.turned()).unwrap();
            assert_eq!(map.place(turned).terrain, place.terrain);
        }
    }
}
