//! Reading wire types once, and strictly.
//!
//! serde buffers an internally tagged enum before it knows the variant, which costs more than
//! the reading itself. [`tagged!`](crate::tagged) reads the tag first and hands the rest of the
//! object straight to the variant; only an object whose tag does not stand first is buffered.
//! This module must not accept anything that serde's own strict derive would refuse.

mod names;
mod reader;

use serde::de::{Deserialize, Deserializer, Error, MapAccess};

pub use reader::{NOTE, NOTE_MOST, Note, Trail, escaped, strict};

/// A field that may be missing but not `null`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A key of an object, as far as a reader needs it: the tag, or the text of another key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    /// It is the tag.
    Tag,
    /// It is another key.
    Other(String),
}

/// Reads a key and compares it with a tag without keeping its text.
#[derive(Clone, Copy, Debug)]
pub struct KeyReader(pub &'static str);

impl<'de> serde::de::DeserializeSeed<'de> for KeyReader {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Key, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl serde::de::Visitor<'_> for KeyReader {
    type Value = Key;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        Ok(if key == self.0 { Key::Tag } else { Key::Other(key.to_owned()) })
    }
}

/// Reads the value of a tag as its place in a list of names.
#[derive(Clone, Copy, Debug)]
pub struct NameReader(pub &'static [&'static str]);

impl<'de> serde::de::DeserializeSeed<'de> for NameReader {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_str(self)
    }
}

impl serde::de::Visitor<'_> for NameReader {
    type Value = usize;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let known = self.0.iter().position(|&known| known == name);
        known.ok_or_else(|| E::unknown_variant(name, self.0))
    }
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
                    match map.next_key_seed($crate::wire::KeyReader($tag))? {
                        None => Err(A::Error::missing_field($tag)),
                        Some($crate::wire::Key::Tag) => {
                            let at = map.next_value_seed($crate::wire::NameReader(NAMES))?;
                            let rest = MapAccessDeserializer::new(map);
                            match NAMES[at] {
                                $( $value => serde::Deserialize::deserialize(rest).map($name::$variant), )*
                                other => Err(A::Error::unknown_variant(other, NAMES)),
                            }
                        }
                        Some($crate::wire::Key::Other(first)) => {
                            let (value, fields) = $crate::wire::buffered($tag, first, &mut map)?;
                            let fields = serde_json::Value::Object(fields);
                            match value.as_str() {
                                $( $value => serde::Deserialize::deserialize(fields).map($name::$variant).map_err(A::Error::custom), )*
                                other => Err(A::Error::unknown_variant(other, NAMES)),
                            }
                        }
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
    count: u32,
}

impl<T: Copy + Default, const N: usize> Default for Few<T, N> {
    fn default() -> Self {
        Few { items: [T::default(); N], count: 0 }
    }
}

impl<T: Copy + Default, const N: usize> Few<T, N> {
    /// Adds an item; beyond `N` it is only counted.
    pub fn push(&mut self, item: T) {
        if let Some(slot) = self.items.get_mut(self.count as usize) {
            *slot = item;
        }
        self.count = self.count.saturating_add(1);
    }

    /// The items kept.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..self.count().min(N)]
    }

    /// Sorts the items kept, equal ones staying in their order.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let kept = self.count().min(N);
        self.items[..kept].sort_by_key(key);
    }

    /// Number of items named, kept or not.
    pub fn count(&self) -> usize {
        self.count as usize
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

/// A short name kept in place: an id of a record's own data (an area, a unit, a card) that is
/// looked up later, so that reading costs no memory and an unknown id is refused by a clause
/// instead of ending the reading. At most 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Name {
    bytes: [u8; Name::MOST],
}

impl Name {
    /// The most bytes a name may have.
    pub const MOST: usize = 24;

    /// The name, if the text is short enough and holds nothing but printable ASCII.
    pub const fn new(text: &str) -> Option<Name> {
        let text = text.as_bytes();
        if text.len() > Name::MOST {
            return None;
        }
        let mut bytes = [0; Name::MOST];
        let mut at = 0;
        while at < text.len() {
            if !(text[at].is_ascii_graphic() || text[at] == b' ') {
                return None;
            }
            bytes[at] = text[at];
            at += 1;
        }
        Some(Name { bytes })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(Name::MOST);
        // The bytes came from a string, cut nowhere.
        std::str::from_utf8(&self.bytes[..end]).unwrap_or("")
    }

    /// The first byte, 0 in the empty name.
    pub const fn first(&self) -> u8 {
        self.bytes[0]
    }

    /// A number that spreads names over a table; the same on every platform.
    pub const fn spread(&self) -> u64 {
        let (words, _) = self.bytes.as_chunks::<8>();
        let [one, two, three] = [
            u64::from_le_bytes(words[0]),
            u64::from_le_bytes(words[1]),
            u64::from_le_bytes(words[2]),
        ];
        let mixed = one ^ two.rotate_left(21) ^ three.rotate_left(42);
        (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(self.as_str())
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.as_str(), to)
    }
}

impl serde::Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl serde::de::Visitor<'_> for Reader {
            type Value = Name;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(to, "an id of at most {} printable ASCII characters", Name::MOST)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Name, E> {
                Name::new(text)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        from.deserialize_str(Reader)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Name {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
        ObjectBuilder::new()
            .schema_type(SchemaType::new(Type::String))
            .description(Some("An id."))
            .max_length(Some(Name::MOST))
            .pattern(Some("^[ -~]*$"))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Name {}

/// A table from names to indices with constant look-up time, for at most 127 names.
#[derive(Clone, Debug)]
pub struct NameTable {
    slots: [(Name, u8); 256],
}

impl NameTable {
    const EMPTY: u8 = u8::MAX;

    /// The table of names in order; a name given twice has the index of its first place, names
    /// beyond the 127th have none.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n Name>) -> Self {
        let mut table = NameTable { slots: [(Name::default(), NameTable::EMPTY); 256] };
        for (index, name) in names.into_iter().take(127).enumerate() {
            let at = table.slot(name);
            if table.slots[at].1 == NameTable::EMPTY {
                table.slots[at] = (*name, index as u8);
            }
        }
        table
    }

    /// The index of a name.
    pub fn get(&self, name: &Name) -> Option<u8> {
        let (_, index) = self.slots[self.slot(name)];
        (index != NameTable::EMPTY).then_some(index)
    }

    /// The slot of a name, or the free slot where it belongs. There is always a free one.
    fn slot(&self, name: &Name) -> usize {
        let mut at = (name.spread() >> 56) as usize;
        while self.slots[at].1 != NameTable::EMPTY && self.slots[at].0 != *name {
            at = (at + 1) % 256;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    /// Nothing beyond what is kept costs memory, and all is counted.
    #[test]
    fn a_long_list_is_counted_to_its_end() {
        let text = format!("[0{}]", ",1".repeat(69_999));
        let few: Few<u8, 2> = serde_json::from_str(&text).expect("a list");
        assert_eq!((few.as_slice(), few.count()), (&[0, 1][..], 70_000));
    }
}
