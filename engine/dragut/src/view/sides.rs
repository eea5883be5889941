//! Two containers of views and positions: something for each side, and something for each name.
//!
//! Must not know what they hold.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::action::Side;
use umpire_core::wire::Name;

/// Something for each side.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BySide<T> {
    /// The pirates'.
    #[serde(default)]
    pub pirates: T,
    /// The Rapalline player's.
    #[serde(default)]
    pub rapalline: T,
}

impl<T> BySide<T> {
    pub(crate) fn of(mut each: impl FnMut(Side) -> T) -> BySide<T> {
        BySide { pirates: each(Side::Pirates), rapalline: each(Side::Rapalline) }
    }

    pub(crate) fn get(&self, side: Side) -> &T {
        match side {
            Side::Pirates => &self.pirates,
            Side::Rapalline => &self.rapalline,
        }
    }
}

/// An object whose keys are ids or tokens, in alphabetical order; a key given twice is refused
/// while reading.
#[derive(Clone, PartialEq, Debug)]
pub struct Named<T>(pub Vec<(Name, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named(Vec::new())
    }
}

impl<T> Named<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for Reader<T> {
            type Value = Named<T>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object of ids")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                use serde::de::Error;
                let mut all = Vec::new();
                while let Some(name) = map.next_key::<Name>()? {
                    if all.iter().any(|&(had, _)| had == name) {
                        return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                    }
                    all.push((name, map.next_value()?));
                }
                Ok(Named(all))
            }
        }
        from.deserialize_map(Reader(std::marker::PhantomData))
    }
}
