//! Reading a value strictly, and knowing where it is wrong if it is.
//!
//! serde's derive also takes the fields of a struct in order from a list; on this wire a list in
//! the place of an object is a mistake, at every depth. And serde's errors do not say where they lie.
//! One wrapper around a deserializer sees to both, so that every type is compiled for one reader
//! alone. Where all is well the wrapper costs a pointer to each key. Must not accept anything that
//! serde's own derive would refuse.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor,
};

/// The field of free text that the outermost object may have beside those of its type.
pub const NOTE: &str = "note";

/// The most characters of a note.
pub const NOTE_MOST: usize = 4_000;

/// The way from a value to what is wrong in it; empty while nothing is.
#[derive(Debug, Default)]
pub struct Trail {
    /// The steps, the last one first, as they are learned on the way out of an error.
    steps: RefCell<Vec<Step>>,
    /// Whether the outermost object, which is still to come, may have a note.
    noted: Cell<bool>,
}

#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

impl Trail {
    /// A way into a value whose outermost object may have a [`NOTE`]: text that is held to its bounds
    /// and kept from the type.
    pub fn noted() -> Self {
        Trail { noted: Cell::new(true), ..Trail::default() }
    }

    /// The way as a JSON pointer.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.steps.borrow().iter().rev() {
            pointer.push('/');
            match step {
                Step::Key(key) => pointer.push_str(&escaped(key)),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }

    fn key<E>(&self, key: Option<Cow<'_, str>>) -> impl FnOnce(E) -> E {
        move |error| {
            if let Some(key) = key {
                self.steps.borrow_mut().push(Step::Key(key.into_owned()));
            }
            error
        }
    }
}

/// A name as a part of a JSON pointer.
pub fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Reads a value as its derive says, except that an object is never read from a list. After an
/// error, `trail` leads to what is wrong.
pub fn strict<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
    trail: &Trail,
) -> Result<T, D::Error> {
    T::deserialize(Strict { inner: from, trail })
}

/// A deserializer (or visitor, or seed) that makes everything below it strict, too.
struct Strict<'t, T> {
    inner: T,
    trail: &'t Trail,
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $kind:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* Strict { inner: visitor, trail: self.trail })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    /// An object, never a list.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(Strict { inner: visitor, trail: self.trail })
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($kind:ty);)*) => {$(
        fn $method<E: Error>(self, value: $kind) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<'_, V> {
    type Value = V::Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(to)
    }

    visit! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_char(char);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Strict { inner: from, trail: self.trail })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Strict { inner: from, trail: self.trail })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.trail.noted.set(false);
        self.inner.visit_seq(Elements { inner: seq, trail: self.trail, index: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let noted = self.trail.noted.take().then_some(false);
        self.inner.visit_map(Entries { inner: map, trail: self.trail, key: None, noted })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        // Enums of this wire are names or tagged objects; their content is read elsewhere.
        self.inner.visit_enum(data)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Strict { inner: from, trail: self.trail })
    }
}

/// The elements of a list.
struct Elements<'t, A> {
    inner: A,
    trail: &'t Trail,
    index: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let found = self.inner.next_element_seed(Strict { inner: seed, trail: self.trail });
        if found.is_err() {
            self.trail.steps.borrow_mut().push(Step::Index(self.index));
        }
        self.index += 1;
        found
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// The entries of an object. The last key is kept until its value is read.
struct Entries<'t, 'de, A> {
    inner: A,
    trail: &'t Trail,
    key: Option<Cow<'de, str>>,
    /// Where a note may stand: whether it has been read.
    noted: Option<bool>,
}

impl<'de, A: MapAccess<'de>> Entries<'_, 'de, A> {
    /// The next key that is not that of a note.
    fn beside_note<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        mut read: bool,
    ) -> Result<Option<S::Value>, A::Error> {
        loop {
            let Some(Text(key)) = self.inner.next_key()? else { return Ok(None) };
            if key != NOTE {
                self.key = Some(key.clone());
                return match key {
                    Cow::Borrowed(key) => seed.deserialize(BorrowedStrDeserializer::new(key)),
                    Cow::Owned(key) => seed.deserialize(StringDeserializer::new(key)),
                }
                .map(Some);
            }
            self.key = Some(key);
            if read {
                return Err(A::Error::duplicate_field(NOTE));
            }
            let Note(_) = self.inner.next_value()?;
            self.key = None;
            read = true;
            self.noted = Some(true);
        }
    }
}

/// Text, borrowed where that can be.
struct Text<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Reader)
    }
}

/// Free text of at most [`NOTE_MOST`] characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Note<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = match Text::deserialize(from)? {
            Text(text) if text.chars().count() <= NOTE_MOST => text,
            Text(text) => {
                let count = text.chars().count();
                let detail =
                    format!("a note has at most {NOTE_MOST} characters, and this has {count}");
                return Err(D::Error::custom(detail));
            }
        };
        Ok(Note(text))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.key = None;
        if let Some(read) = self.noted {
            let found = self.beside_note(seed, read);
            return found.map_err(|error| self.trail.key(self.key.take())(error));
        }
        let found = self.inner.next_key_seed(KeySeed { inner: seed, key: &mut self.key });
        found.map_err(|error| self.trail.key(self.key.take())(error))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let found = self.inner.next_value_seed(Strict { inner: seed, trail: self.trail });
        found.map_err(|error| self.trail.key(self.key.take())(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// A seed (or deserializer, or visitor) of a key that keeps its text.
struct KeySeed<'k, 'de, T> {
    inner: T,
    key: &'k mut Option<Cow<'de, str>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for KeySeed<'_, 'de, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(KeySeed { inner: from, key: self.key })
    }
}

macro_rules! forward_key {
    ($($method:ident($($argument:ident: $kind:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* KeySeed { inner: visitor, key: self.key })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for KeySeed<'_, 'de, D> {
    type Error = D::Error;

    forward_key! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for KeySeed<'_, 'de, V> {
    type Value = V::Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(to)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        *self.key = Some(Cow::Owned(text.to_owned()));
        self.inner.visit_str(text)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        *self.key = Some(Cow::Borrowed(text));
        self.inner.visit_borrowed_str(text)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        *self.key = Some(Cow::Owned(text.clone()));
        self.inner.visit_string(text)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        *self.key = Some(Cow::Owned(number.to_string()));
        self.inner.visit_u64(number)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(KeySeed { inner: from, key: self.key })
    }
}
