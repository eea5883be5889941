//! The options of a record, checked, and what they are worked out to: players, map, home cities,
//! rulings.
//!
//! Must not hold anything that changes during a game.

pub(super) mod map;
mod mapgen;
mod roads;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::action::{Keyed, Player};
use super::ch19_validity::chance::Stream;
use super::rulebook::{Cavalry, Rule, Rulings};
use super::tables::{GOODS, Good, Kind, Terrain};
use super::{Refusal, Stop};
use map::{Map, MapDoc};
use roads::Roads;
use umpire_core::chance::{Ask, Chance, What};
use umpire_core::game::Oddity;
use umpire_core::rules::Picks;
use umpire_core::wire::present;

/// The `options` of a record.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Options))]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The players: how many (2 to 6), or their names in seat order.
    #[serde(default)]
    pub players: Players,
    /// The map.
    #[serde(default)]
    pub map: MapChoice,
    /// The seats of the players on the map, in seat order, where they differ from the map's own.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub seats: Option<Vec<u8>>,
    /// What the table had already thrown at setup.
    #[serde(default)]
    pub setup: Stated,
    /// The readings of the selectable rulings.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Rulings, inline))]
    pub rulings: Picks<Rulings>,
}

/// The number of players, or their names in seat order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Players))]
#[serde(untagged, expecting = "a number of players, or a list of players is expected")]
pub enum Players {
    /// How many.
    Count(u8),
    /// `["p1", "p2"]` and so on.
    Names(Vec<Player>),
}

impl Default for Players {
    fn default() -> Self {
        Players::Count(2)
    }
}

/// DBD-2.1 The reference map, a generated one, or the table's own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MapChoice {
    /// `reference`.
    #[default]
    Reference,
    /// `generated`, from the seed.
    Generated,
    /// A map object.
    Own(Box<MapDoc>),
}

impl Serialize for MapChoice {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            MapChoice::Reference => to.serialize_str("reference"),
            MapChoice::Generated => to.serialize_str("generated"),
            MapChoice::Own(doc) => doc.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for MapChoice {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = MapChoice;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("\"reference\", \"generated\" or a map object")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<MapChoice, E> {
                match name {
                    "reference" => Ok(MapChoice::Reference),
                    "generated" => Ok(MapChoice::Generated),
                    other => Err(E::unknown_variant(other, &["reference", "generated"])),
                }
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                map: A,
            ) -> Result<MapChoice, A::Error> {
                let reader = serde::de::value::MapAccessDeserializer::new(map);
                MapDoc::deserialize(reader).map(|doc| MapChoice::Own(Box::new(doc)))
            }
        }
        from.deserialize_any(Reader)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for MapChoice {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
        OneOfBuilder::new()
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::String)
                    .enum_values(Some(["reference", "generated"])),
            )
            .item(utoipa::openapi::Ref::from_schema_name("doubloons.MapDocument"))
            .description(Some("The reference map, one generated from the seed, or the table's."))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for MapChoice {
    fn name() -> std::borrow::Cow<'static, str> {
        "doubloons.MapChoice".into()
    }

    fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
        use utoipa::PartialSchema;
        all.push(("doubloons.MapDocument".to_owned(), MapDoc::schema()));
        MapDoc::schemas(all);
    }
}

/// 3.7: what a record states instead of throwing for it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Stated))]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Militia in neutral cities, by city.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, u8>))]
    pub garrisons: Keyed<u8, u8>,
    /// Goods, by city.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, GoodLists>))]
    pub goods: Keyed<u8, GoodLists>,
}

/// The goods of a city.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::GoodLists))]
#[serde(deny_unknown_fields)]
pub struct GoodLists {
    /// What it supplies.
    pub supply: Vec<Good>,
    /// What it demands.
    pub demand: Vec<Good>,
}

/// The number of slots of each good.
pub(super) type Slots = [u8; GOODS];

/// The most slots of one good that this engine handles on one list.
pub(super) const MOST_SLOTS: usize = 200;

/// A list of goods as numbers of slots; `None` where a good comes more often than
/// [`MOST_SLOTS`].
pub(super) fn slots(list: &[Good]) -> Option<Slots> {
    let mut slots = [0; GOODS];
    for &good in list {
        let slot = &mut slots[good as usize];
        if usize::from(*slot) == MOST_SLOTS {
            return None;
        }
        *slot += 1;
    }
    Some(slots)
}

/// Options, checked and worked out.
#[derive(Debug)]
pub struct Setup {
    /// The number of players.
    pub players: u8,
    /// The map.
    pub map: Arc<Map>,
    /// The map as the options name it.
    pub choice: MapChoice,
    /// The seats in use, in seat order.
    pub seats: Vec<u8>,
    /// The home cities, in seat order.
    pub homes: Vec<u8>,
    /// What is stated instead of thrown.
    pub stated: Stated,
    /// The readings in force.
    pub rulings: Rulings,
    /// The same as the options name them.
    pub picks: Picks<Rulings>,
    /// The roads, once they are asked for.
    roads: OnceLock<Roads>,
}

impl Setup {
    /// Checks options and works them out.
    pub(super) fn new(options: Options, chance: &mut dyn Chance) -> Result<Setup, Stop> {
        let Options { players, map: choice, seats, setup: stated, rulings } = options;
        let players = check_players(&players)?;
        let map = match &choice {
            MapChoice::Reference => Map::reference()?,
            MapChoice::Own(doc) => Arc::new(Map::build(MapDoc::clone(doc))?),
            MapChoice::Generated => {
                let doc = mapgen::generate(|n| {
                    let ask = Ask { stream: Stream::Map as u8, what: What::Hidden { n } };
                    chance.answer(&ask).map(|drawn| drawn + 1)
                });
                Arc::new(Map::build(doc?)?)
            }
        };
        let (seats, homes) = check_seats(&map, players, seats)?;
        check_stated(&map, &homes, &stated)?;
        let (picks, rulings) = (rulings.spelled_out(&rulings.readings()), rulings.readings());
        let roads = OnceLock::new();
        Ok(Setup { players, map, choice, seats, homes, stated, rulings, picks, roads })
    }

    /// The options in force, nothing left out.
    pub(super) fn options(&self) -> Options {
        Options {
            players: Players::Count(self.players),
            // A generated map is shown as it came out, so that a table can go on without the seed.
            map: match &self.choice {
                MapChoice::Generated => MapChoice::Own(Box::new(self.map.doc.clone())),
                other => other.clone(),
            },
            seats: Some(self.seats.clone()),
            setup: self.stated.clone(),
            rulings: self.picks.clone(),
        }
    }

    /// DBD-2.6 Warnings about the map.
    pub(super) fn oddities(&self) -> Vec<Oddity> {
        map::oddities::oddities(&self.map)
            .into_iter()
            .map(|(code, message)| Oddity {
                code,
                pointer: "/map".to_owned(),
                message: format!("{message} (DBD-2.6)"),
            })
            .collect()
    }

    /// The players, in seat order.
    pub(super) fn all(&self) -> impl Iterator<Item = Player> + use<> {
        Player::ALL.iter().copied().take(usize::from(self.players))
    }

    /// Whether that seat is in use.
    pub(super) fn has(&self, player: Player) -> bool {
        player.index() < usize::from(self.players)
    }

    /// DBD-13.3 What a unit with that many points left pays for a hex; `None` where the terrain is
    /// closed to it.
    pub(super) fn entry_cost(&self, kind: Kind, points: u8, terrain: Terrain) -> Option<u8> {
        if kind.is_ship() {
            return match terrain {
                Terrain::Water | Terrain::City => Some(1),
                Terrain::Reefs => Some(2),
                _ => None,
            };
        }
        if kind.is_cavalry() && terrain == Terrain::Difficult {
            return match self.rulings.cavalry {
                Cavalry::FullFour => Some(4),
                Cavalry::SpendRest => Some(points.max(1)),
            };
        }
        terrain.land_cost()
    }

    /// How far the hexes are from the cities by land. Worked out when it is first asked for: no rule does.
    pub(super) fn roads(&self) -> &Roads {
        self.roads.get_or_init(|| Roads::of(&self.map))
    }

    /// The city a player was given at setup.
    pub(super) fn home(&self, player: Player) -> u8 {
        self.homes.get(player.index()).copied().unwrap_or(0)
    }
}

/// DBD-1.1 Two to six players.
fn check_players(players: &Players) -> Result<u8, Stop> {
    let count = match players {
        Players::Count(count) => usize::from(*count),
        Players::Names(names) => {
            let in_order = names.iter().zip(Player::ALL).all(|(given, seat)| given == seat);
            if !in_order {
                let message = "players are listed from p1 on, in seat order".to_owned();
                return Err(Refusal::new(Rule::C1_1, "bad_players", message)
                    .at("/players")
                    .public()
                    .into());
            }
            names.len()
        }
    };
    if !(2..=6).contains(&count) {
        let message = format!("{count} players cannot play; 2 to 6 can");
        return Err(Refusal::new(Rule::C1_1, "bad_players", message)
            .at("/players")
            .public()
            .into());
    }
    Ok(count as u8)
}

/// DBD-2.5 and DBD-3.1 The seats in use and their cities.
fn check_seats(
    map: &Map,
    players: u8,
    chosen: Option<Vec<u8>>,
) -> Result<(Vec<u8>, Vec<u8>), Stop> {
    let (seats, rule, at) = match chosen {
        Some(seats) => (seats, Rule::C3_1, "/seats"),
        None => {
            let Some(seats) = map.doc.seats.get(&players) else {
                let message = format!("the map has no entry of seats for {players} players");
                return Err(Refusal::new(Rule::C2_5, "no_seats", message)
                    .at("/map/seats")
                    .public()
                    .into());
            };
            (seats.clone(), Rule::C2_5, "/map/seats")
        }
    };
    if seats.len() != usize::from(players) {
        let message = format!("{} seats are named for {players} players", seats.len());
        return Err(Refusal::new(rule, "wrong_seats", message).at(at).public().into());
    }
    let mut homes: Vec<u8> = Vec::with_capacity(seats.len());
    for &seat in &seats {
        let Some(city) = map.seat(seat) else {
            let message = format!("no city of the map has seat {seat}");
            return Err(Refusal::new(rule, "no_such_seat", message).at(at).public().into());
        };
        if homes.contains(&city) {
            let message = format!("seat {seat} is named twice");
            return Err(Refusal::new(rule, "seat_twice", message).at(at).public().into());
        }
        homes.push(city);
    }
    if homes.len() == map.sites.len() {
        let message = "every city is somebody's home; one at least must be nobody's".to_owned();
        return Err(Refusal::new(Rule::C2_5, "no_city_to_win", message)
            .at("/map/cities")
            .public()
            .into());
    }
    Ok((seats, homes))
}

/// DBD-3.7 Garrisons only in neutral cities, goods of cities that exist.
fn check_stated(map: &Map, homes: &[u8], stated: &Stated) -> Result<(), Stop> {
    let exists = |city: u8| (1..=map.cities()).contains(&city);
    for &(city, _) in stated.garrisons.iter() {
        let at = format!("/setup/garrisons/{city}");
        if !exists(city) {
            let message = format!("the map has no city {city}");
            return Err(Refusal::new(Rule::C3_7, "no_such_city", message).at(at).public().into());
        }
        if homes.contains(&city) {
            let message = format!("city {city} is a home city; garrisons are for neutral cities");
            return Err(Refusal::new(Rule::C3_7, "garrison_at_home", message)
                .at(at)
                .public()
                .into());
        }
    }
    for (city, lists) in stated.goods.iter() {
        let at = format!("/setup/goods/{city}");
        if !exists(*city) {
            let message = format!("the map has no city {city}");
            return Err(Refusal::new(Rule::C3_7, "no_such_city", message).at(at).public().into());
        }
        if slots(&lists.supply).is_none() || slots(&lists.demand).is_none() {
            let message = format!("a list has more than {MOST_SLOTS} slots of one good");
            return Err(Refusal::new(Rule::C3_7, "too_many_slots", message).at(at).public().into());
        }
    }
    Ok(())
}
