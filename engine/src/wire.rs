//! Reading wire types once, and strictly.
//!
//! serde buffers an internally tagged enum before it knows the variant, which costs more than
//! the reading itself. [`tagged!`](crate::tagged) reads the tag first and hands the rest of the
//! object straight to the variant; only an object whose tag does not stand first is buffered.
//! This module must not accept anything that serde's own strict derive would refuse.

use serde::de::{Deserialize, Deserializer, Error, MapAccess};

/// A field that may be missing but not `null`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Collects the rest of an object whose tag did not come first. Returns the tag and the other
/// fields.
pub fn buffered<'de, A: MapAccess<'de>>(
    tag: &'static str,
    first: String,
    map: &mut A,
) -> Result<(String, serde_json::Map<String, serde_json::Value>), A::Error> {
    let mut fields = serde_json::Map::new();
    let mut found = None;
    let mut key = Some(first);
    while let Some(name) = key {
        if name == tag {
            if found.replace(map.next_value::<String>()?).is_some() {
                return Err(A::Error::custom(format_args!("duplicate field `{tag}`")));
            }
        } else {
            let value = map.next_value()?;
            if fields.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
        }
        key = map.next_key()?;
    }
    match found {
        Some(found) => Ok((found, fields)),
        None => Err(A::Error::missing_field(tag)),
    }
}

/// Implements `Deserialize` for an internally tagged enum of newtype variants, reading each
/// object once when the tag stands first. Variants must deny unknown fields themselves.
#[macro_export]
macro_rules! tagged {
    (impl Deserialize<$life:lifetime> for $name:ident<$life2:lifetime> by $tag:literal as $what:literal { $( $value:literal => $variant:ident ),* $(,)? }) => {
        impl<'de: $life, $life> serde::Deserialize<'de> for $name<$life> {
            $crate::tagged!(@body $name, $name<$life>, [$life], $tag, $what, $( $value => $variant ),*);
        }
    };
    (impl Deserialize for $name:ident by $tag:literal as $what:literal { $( $value:literal => $variant:ident ),* $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $name {
            $crate::tagged!(@body $name, $name, ['static], $tag, $what, $( $value => $variant ),*);
        }
    };
    (@body $name:ident, $full:ty, [$life:lifetime], $tag:literal, $what:literal, $( $value:literal => $variant:ident ),*) => {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            use serde::de::{Error, MapAccess, value::MapAccessDeserializer};

            struct Reader<'r>(std::marker::PhantomData<&'r ()>);

            impl<'de: 'r, 'r> serde::de::Visitor<'de> for Reader<'r> {
                type Value = $crate::tagged!(@named $name, [$life], 'r);

                fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    to.write_str(concat!($what, ", an object with `", $tag, "`"))
                }

                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                    const NAMES: &[&str] = &[ $( $value ),* ];
                    let first = match map.next_key::<std::borrow::Cow<'de, str>>()? {
                        None => return Err(A::Error::missing_field($tag)),
                        Some(first) => first,
                    };
                    if first == $tag {
                        let value = map.next_value::<std::borrow::Cow<'de, str>>()?;
                        return match &*value {
                            $( $value => serde::Deserialize::deserialize(MapAccessDeserializer::new(map)).map($name::$variant), )*
                            other => Err(A::Error::unknown_variant(other, NAMES)),
                        };
                    }
                    let (value, fields) = $crate::wire::buffered($tag, first.into_owned(), &mut map)?;
                    let fields = serde_json::Value::Object(fields);
                    match value.as_str() {
                        $( $value => serde::Deserialize::deserialize(fields).map($name::$variant).map_err(A::Error::custom), )*
                        other => Err(A::Error::unknown_variant(other, NAMES)),
                    }
                }
            }
            from.deserialize_map(Reader(std::marker::PhantomData))
        }
    };
    (@named $name:ident, ['static], $r:lifetime) => { $name };
    (@named $name:ident, [$life:lifetime], $r:lifetime) => { $name<$r> };
}

/// A short list read from the wire: keeps the first `N` items and counts on, so that an
/// over-long list is refused by a rule and costs no memory. In a schema it is a plain list:
/// annotate the field with `schema(value_type = Vec<T>)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Few<T, const N: usize> {
    items: [T; N],
    count: u8,
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Few { items: [T::default(); N], count: 0 }
    }
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Adds an item; beyond `N` it is only counted (up to 255).
    pub fn push(&mut self, item: T) {
        if let Some(slot) = self.items.get_mut(usize::from(self.count)) {
            *slot = item;
        }
        self.count = self.count.saturating_add(1);
    }

    /// The items kept.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..usize::from(self.count).min(N)]
    }

    /// Sorts the items kept, equal ones staying in their order.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let kept = self.count().min(N);
        self.items[..kept].sort_by_key(key);
    }

    /// Number of items named, kept or not.
    pub fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether no item was named.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Few<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut few = Few::default();
        for item in items {
            few.push(item);
        }
        few
    }
}

impl<T: Copy + Default + serde::Serialize, const N: usize> serde::Serialize for Few<T, N> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.as_slice())
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for Few<T, N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<T, const N: usize>(std::marker::PhantomData<T>);
        impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> serde::de::Visitor<'de>
            for Reader<T, N>
        {
            type Value = Few<T, N>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("a list")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<Self::Value, A::Error> {
                let mut few = Few::default();
                while let Some(item) = seq.next_element()? {
                    few.push(item);
                }
                Ok(few)
            }
        }
        from.deserialize_seq(Reader(std::marker::PhantomData))
    }
}

/// A map from strings to strings whose keys are all different.
pub fn string_map<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<std::collections::BTreeMap<String, String>, D::Error> {
    struct Reader;
    impl<'de> serde::de::Visitor<'de> for Reader {
        type Value = std::collections::BTreeMap<String, String>;

        fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            to.write_str("an object of strings")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = std::collections::BTreeMap::new();
            while let Some((key, value)) = map.next_entry::<String, String>()? {
                if all.contains_key(&key) {
                    return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
                }
                all.insert(key, value);
            }
            Ok(all)
        }
    }
    from.deserialize_map(Reader)
}
