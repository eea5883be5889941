//! Objects with typed keys on the wire: numbers, letters, players, goods.
//!
//! Must not know what stands under a key.

use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::players::Player;
use crate::tables::{Good, Terrain};

/// A key of an object on the wire.
pub trait Key: Sized + PartialEq {
    /// Reads the key.
    fn parse(text: &str) -> Option<Self>;
    /// Writes the key.
    fn write(&self) -> String;
}

impl Key for u8 {
    fn parse(text: &str) -> Option<Self> {
        let value: u8 = text.parse().ok()?;
        (value.to_string() == text).then_some(value)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Key for char {
    fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let first = chars.next()?;
        chars.next().is_none().then_some(first)
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Key for Good {
    fn parse(text: &str) -> Option<Self> {
        Good::parse(text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

impl Key for Player {
    fn parse(text: &str) -> Option<Self> {
        Player::parse(text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

impl Key for Terrain {
    fn parse(text: &str) -> Option<Self> {
        Terrain::parse(text)
    }

    fn write(&self) -> String {
        self.name().to_owned()
    }
}

/// The schema of a key that is a number.
#[cfg(feature = "schema")]
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, utoipa::ToSchema)]
#[schema(as = doubloons::NumberKey, pattern = "^(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$")]
pub(crate) struct NumberKey(String);

/// The schema of a key that is one letter.
#[cfg(feature = "schema")]
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, utoipa::ToSchema)]
#[schema(as = doubloons::LetterKey, min_length = 1, max_length = 1)]
pub(crate) struct LetterKey(String);

/// An object with typed keys, each at most once. In a schema it is a map: annotate the field
/// with `schema(value_type = …)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keyed<K, V>(Vec<(K, V)>);

impl<K, V> Default for Keyed<K, V> {
    fn default() -> Self {
        Keyed(Vec::new())
    }
}

impl<K: Key, V> Keyed<K, V> {
    /// An object of these entries, whose keys differ.
    pub(crate) fn new(entries: Vec<(K, V)>) -> Self {
        Keyed(entries)
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.iter().find(|(had, _)| had == key).map(|(_, value)| value)
    }

    /// The entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.0.iter()
    }

    /// Whether there is no entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Key, V: Serialize> Serialize for Keyed<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key.write(), value)))
    }
}

impl<'de, K: Key, V: Deserialize<'de>> Deserialize<'de> for Keyed<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<K, V>(std::marker::PhantomData<(K, V)>);
        impl<'de, K: Key, V: Deserialize<'de>> serde::de::Visitor<'de> for Reader<K, V> {
            type Value = Keyed<K, V>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries: Vec<(K, V)> = Vec::new();
                while let Some(text) = map.next_key::<std::borrow::Cow<'de, str>>()? {
                    let Some(key) = K::parse(&text) else {
                        return Err(A::Error::custom(format_args!("the key {text:?} is unknown")));
                    };
                    if entries.iter().any(|(had, _)| *had == key) {
                        return Err(A::Error::custom(format_args!("duplicate field `{text}`")));
                    }
                    entries.push((key, map.next_value()?));
                }
                Ok(Keyed(entries))
            }
        }
        from.deserialize_map(Reader(std::marker::PhantomData))
    }
}

/// A field that must be given but may be `null`.
pub(crate) fn nullable<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// Whether a mark is not set; such fields are left out of views.
pub(crate) fn unset<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
