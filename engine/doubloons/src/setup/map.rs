//! DBD-2 Map: the form in which a record holds one, its checks, and the reference map (part B).
//!
//! Every map is a reconstruction, because none was published. Must not know units or players.
//! DBD-2.7 holds by construction: no event changes a map.

use serde::{Deserialize, Serialize};

use crate::action::Keyed;
use crate::rulebook::Rule;
use crate::tables::Terrain;
use crate::{Checked, Refusal};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// The reference map, as a record would hold it.
const REFERENCE: &str = include_str!("map.json");
/// The only version of the form.
const FORMAT: &str = "dbd-map/1";
/// The most cities that this engine handles.
const MOST_CITIES: usize = 100;
/// The most hexes that this engine handles.
const MOST_HEXES: usize = 10_000;
/// No hex lies further out than this.
const FARTHEST: i32 = 10_000;

/// A map as a record holds it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Map))]
#[serde(deny_unknown_fields)]
pub struct MapDoc {
    /// `dbd-map/1`.
    pub format: String,
    /// Where the map comes from.
    pub source: String,
    /// Its name.
    pub name: String,
    /// Something about it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub description: Option<String>,
    /// `axial`.
    pub coords: String,
    /// The distance of the outermost hexes from [0, 0].
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub radius: Option<u32>,
    /// The terrain behind each code.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::LetterKey, Terrain>))]
    pub legend: Keyed<char, Terrain>,
    /// The hexes.
    pub rows: Vec<RowDoc>,
    /// The cities.
    pub cities: Vec<CityDoc>,
    /// The seats in use, by number of players.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, Vec<u8>>))]
    pub seats: Keyed<u8, Vec<u8>>,
}

/// A run of hexes from west to east.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::MapRow))]
#[serde(deny_unknown_fields)]
pub struct RowDoc {
    /// The row.
    pub r: i32,
    /// The column of the first hex.
    pub q: i32,
    /// The code of each hex.
    pub t: String,
}

/// A city of a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::MapCity))]
#[serde(deny_unknown_fields)]
pub struct CityDoc {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The column.
    pub q: i32,
    /// The row.
    pub r: i32,
    /// Whether ships enter and are built there.
    pub port: bool,
    /// Its number as a home city.
    #[serde(default)]
    pub seat: Option<u8>,
}

impl MapDoc {
    /// The reference map.
    pub(crate) fn reference() -> MapDoc {
        // The file is part of the engine and read by a test.
        serde_json::from_str(REFERENCE).expect("the embedded reference map is well formed")
    }
}

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
        let mut map = Map { places: check_hexes(&doc)?, sites: Vec::new(), doc };
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

    /// The hex of that place on the map.
    pub(crate) fn find(&self, hex: Hex) -> Option<At> {
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
    let mut named: Vec<(Hex, usize, Terrain)> = Vec::new();
    for (row, RowDoc { r, q, t }) in doc.rows.iter().enumerate() {
        for (column, code) in t.chars().enumerate() {
            let hex = Hex::new(q.saturating_add(column as i32), *r);
            if FARTHEST < hex.q.saturating_abs().max(hex.r.saturating_abs()) {
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
            let message = format!("city {} is none of 1 to {count}", city.id);
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
        let hex = Hex::new(city.q, city.r);
        let place = map.find(hex);
        let Some(place) = place.filter(|&it| map.place(it).terrain == Terrain::City) else {
            let message = format!("city {} stands on {hex}, which is no city hex", city.id);
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

/// The number of the connected part that each hex belongs to, among hexes that `is_part`.
fn connected_parts(map: &Map, is_part: impl Fn(&Place) -> bool) -> Vec<Option<u16>> {
    let mut part = vec![None; map.places.len()];
    let mut count = 0;
    for start in 0..map.places.len() {
        if part[start].is_some() || !is_part(&map.places[start]) {
            continue;
        }
        let mut open = vec![start];
        part[start] = Some(count);
        while let Some(at) = open.pop() {
            for next in map.around(at as At).map(usize::from) {
                if part[next].is_none() && is_part(&map.places[next]) {
                    part[next] = Some(count);
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    part
}

/// DBD-2.6 What is odd about a map although it can be used: a code and plain words for each.
pub(crate) fn oddities(map: &Map) -> Vec<(&'static str, String)> {
    let mut odd = Vec::new();
    let name = |city: usize| format!("city {} ({})", city + 1, map.sites[city].name);
    for (later, site) in map.sites.iter().enumerate() {
        for (earlier, other) in map.sites[..later].iter().enumerate() {
            if map.adjacent(site.at, other.at) {
                let message = format!("{} lies next to {}", name(earlier), name(later));
                odd.push(("cities_adjacent", message));
            }
        }
    }
    let land = connected_parts(map, |it| it.terrain.is_open_land() || it.terrain == Terrain::City);
    let sea = connected_parts(map, |it| it.terrain.is_sea());
    let seas = |city: usize| {
        let port = map.sites[city].port;
        let around = map.around(map.sites[city].at).filter(move |_| port);
        around.filter_map(|at| sea[usize::from(at)]).collect::<Vec<_>>()
    };
    for (city, site) in map.sites.iter().enumerate() {
        let own = seas(city);
        let reached = map.sites.iter().enumerate().any(|(other, there)| {
            let by_land = land[usize::from(there.at)] == land[usize::from(site.at)];
            other != city && (by_land || seas(other).iter().any(|sea| own.contains(sea)))
        });
        if !reached {
            let message = format!(
                "{} cannot be reached from any other, neither by land nor from port to port",
                name(city)
            );
            odd.push(("city_unreachable", message));
        }
        if !map.around(site.at).any(|at| map.place(at).terrain.is_open_land()) {
            odd.push(("city_without_land", format!("{} has no open land beside it", name(city))));
        }
    }
    let count = map.sites.len();
    if !(20..=30).contains(&count) {
        odd.push(("city_count", format!("the map has {count} cities; 20 to 30 play best")));
    }
    odd
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
        let doc = MapDoc::reference();
        assert_eq!(
            rows_digest(&doc),
            "9a7dcea0d6a96fe2f00d3af035c6109ee9d7b5f26a664d046a90d13602a236c4"
        );
        let map = Map::build(doc).unwrap();
        assert_eq!(map.places.len(), 397);
        assert_eq!(map.sites.len(), 25);
        assert_eq!(map.sites.iter().filter(|site| site.port).count(), 18);
        assert_eq!(oddities(&map), []);
    }

    #[test]
    fn the_reference_map_repeats_itself_under_a_turn() {
        let map = Map::build(MapDoc::reference()).unwrap();
        for place in &map.places {
            let turned = map.find(place.hex.turned()).unwrap();
            assert_eq!(map.place(turned).terrain, place.terrain);
        }
    }
}
