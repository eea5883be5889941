//! DBD-2.1 A map as a record holds it (part B.1), and the reference map (part B.2).
//!
//! Must not judge a map: `map.rs` does.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::action::Keyed;
use crate::tables::Terrain;
use umpire_core::wire::present;

/// The reference map, as a record would hold it.
const REFERENCE: &str = include_str!("reference.json");

/// A map as a record holds it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::MapDocument))]
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
    pub(crate) fn reference() -> &'static MapDoc {
        static READ: OnceLock<MapDoc> = OnceLock::new();
        READ.get_or_init(|| {
            // The file is part of the engine and read by a test.
            serde_json::from_str(REFERENCE).expect("the embedded reference map is well formed")
        })
    }
}
