//! Canonical JSON (RFC 8785) of what is usual, written in one go.
//!
//! Must never write what the library would write otherwise: what is not certain is given up.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

pub(super) mod text;

/// Why the library has to write a value: numbers that are not whole or have more than 15 digits, keys beyond plain
/// ASCII, a key that stands twice, text that was not made by a `Serialize`.
#[derive(Debug)]
pub(super) struct Beyond;

impl fmt::Display for Beyond {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("not plain")
    }
}

impl std::error::Error for Beyond {}

impl ser::Error for Beyond {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Beyond
    }
}

/// Which bytes stand for themselves within a string: plain ASCII but quotes and backslashes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0x20;
    while byte < 0x7f {
        plain[byte] = byte != b'"' as usize && byte != b'\\' as usize;
        byte += 1;
    }
    plain
};

/// Room for the text of a usual view.
const USUAL: usize = 8192;

/// Numbers from here on are left to the library.
const LARGE: u64 = 1_000_000_000_000_000;

/// What is written.
pub(super) struct Writer {
    text: Vec<u8>,
    /// The fields of the objects that are open, the innermost last.
    fields: Vec<Field>,
    /// Where fields are put aside while they change places.
    aside: Vec<u8>,
}

/// A field of an object: where its key begins and ends, without quotes, and where its value ends.
#[derive(Clone, Copy)]
struct Field {
    key: usize,
    key_end: usize,
    end: usize,
}

/// A value in canonical JSON, where it is plain.
pub(super) fn write<V: Serialize + ?Sized>(value: &V) -> Result<Vec<u8>, Beyond> {
    let mut writer =
        Writer { text: Vec::with_capacity(USUAL), fields: Vec::new(), aside: Vec::new() };
    value.serialize(&mut writer)?;
    Ok(writer.text)
}

impl Writer {
    fn number(&mut self, number: u64) -> Result<(), Beyond> {
        if number >= LARGE {
            return Err(Beyond);
        }
        match u8::try_from(number) {
            Ok(digit @ 0..=9) => self.text.push(b'0' + digit),
            _ => self.text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()),
        }
        Ok(())
    }

    /// A string of plain ASCII between quotes; `false`, with nothing written, where it is another.
    fn plain(&mut self, string: &str) -> bool {
        let plain = string.bytes().all(|it| PLAIN[usize::from(it)]);
        if plain {
            self.text.reserve(string.len() + 2);
            self.text.push(b'"');
            self.text.extend_from_slice(string.as_bytes());
            self.text.push(b'"');
        }
        plain
    }

    fn string(&mut self, string: &str) -> Result<(), Beyond> {
        if self.plain(string) {
            return Ok(());
        }
        // Both write the short escapes, `\u00xx` in lower case for the other control characters, and all else as it is.
        serde_json::to_writer(&mut self.text, string).map_err(|_| Beyond)
    }

    /// Puts the fields of an object that begins here in the order of their keys. Gives up where a key stands twice.
    fn sort(&mut self, begin: usize, first: usize) -> Result<(), Beyond> {
        let Writer { text, fields, aside } = self;
        let fields = &mut fields[first..];
        let key = |it: &Field| &text[it.key..it.key_end];
        fields.sort_unstable_by(|a, b| key(a).cmp(key(b)));
        if fields.windows(2).any(|pair| key(&pair[0]) == key(&pair[1])) {
            return Err(Beyond);
        }
        aside.clear();
        aside.extend_from_slice(&text[begin..]);
        let mut to = begin;
        for (nth, field) in fields.iter().enumerate() {
            if nth > 0 {
                text[to] = b',';
                to += 1;
            }
            // With the quote before the key.
            let field = &aside[field.key - 1 - begin..field.end - begin];
            text[to..to + field.len()].copy_from_slice(field);
            to += field.len();
        }
        Ok(())
    }

    /// An object with one field.
    fn variant<V: Serialize + ?Sized>(&mut self, name: &str, value: &V) -> Result<(), Beyond> {
        self.opened(name)?;
        value.serialize(&mut *self)?;
        self.text.push(b'}');
        Ok(())
    }

    /// The beginning of an object with one field, up to its value.
    fn opened(&mut self, name: &str) -> Result<(), Beyond> {
        self.text.push(b'{');
        self.key(name)?;
        self.text.push(b':');
        Ok(())
    }

    fn key(&mut self, name: &str) -> Result<(), Beyond> {
        if self.plain(name) { Ok(()) } else { Err(Beyond) }
    }

    /// The key of a map: what is no string stands between quotes.
    fn name<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Beyond> {
        let begin = self.text.len();
        key.serialize(&mut *self)?;
        match &self.text[begin..] {
            [b'"', within @ .., b'"'] if within.iter().all(|&it| PLAIN[usize::from(it)]) => Ok(()),
            [b'-' | b'0'..=b'9' | b't' | b'f', ..] => {
                self.text.insert(begin, b'"');
                self.text.push(b'"');
                Ok(())
            }
            _ => Err(Beyond),
        }
    }

    fn list(&mut self, closing: &'static [u8]) -> List<'_> {
        self.text.push(b'[');
        List { writer: self, begun: false, closing }
    }

    fn object(&mut self, closing: &'static [u8]) -> Object<'_> {
        self.text.push(b'{');
        let begin = self.text.len();
        let first = self.fields.len();
        Object { writer: self, begin, first, rising: true, key: begin..begin, closing }
    }
}

/// Numbers that are written as wider ones are.
macro_rules! wider {
    ($($name:ident $from:ty, $to:ident);*) => {$(
        fn $name(self, value: $from) -> Result<(), Beyond> {
            self.$to(value.into())
        }
    )*};
}

impl<'a> Serializer for &'a mut Writer {
    type Ok = ();
    type Error = Beyond;
    type SerializeSeq = List<'a>;
    type SerializeTuple = List<'a>;
    type SerializeTupleStruct = List<'a>;
    type SerializeTupleVariant = List<'a>;
    type SerializeMap = Object<'a>;
    type SerializeStruct = Object<'a>;
    type SerializeStructVariant = Object<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Beyond> {
        self.text.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i64(self, value: i64) -> Result<(), Beyond> {
        if value < 0 {
            self.text.push(b'-');
        }
        self.number(value.unsigned_abs())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Beyond> {
        self.number(value)
    }

    wider! {
        serialize_i8 i8, serialize_i64;
        serialize_i16 i16, serialize_i64;
        serialize_i32 i32, serialize_i64;
        serialize_u8 u8, serialize_u64;
        serialize_u16 u16, serialize_u64;
        serialize_u32 u32, serialize_u64
    }

    fn serialize_f32(self, _: f32) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_f64(self, _: f64) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_char(self, value: char) -> Result<(), Beyond> {
        self.string(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Beyond> {
        self.string(value)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Beyond> {
        Err(Beyond)
    }

    fn serialize_none(self) -> Result<(), Beyond> {
        self.serialize_unit()
    }

    fn serialize_some<V: Serialize + ?Sized>(self, value: &V) -> Result<(), Beyond> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Beyond> {
        self.text.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Beyond> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<(), Beyond> {
        self.string(name)
    }

    fn serialize_newtype_struct<V: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &V,
    ) -> Result<(), Beyond> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<V: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &V,
    ) -> Result<(), Beyond> {
        self.variant(name, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a>, Beyond> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'a>, Beyond> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a>, Beyond> {
        Ok(self.list(b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<List<'a>, Beyond> {
        self.opened(name)?;
        Ok(self.list(b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'a>, Beyond> {
        Ok(self.object(b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Object<'a>, Beyond> {
        // By such names serde_json hands itself text that is written already.
        if name.starts_with('$') { Err(Beyond) } else { Ok(self.object(b"}")) }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Object<'a>, Beyond> {
        self.opened(name)?;
        Ok(self.object(b"}}"))
    }
}

/// A list that is being written.
pub(super) struct List<'a> {
    writer: &'a mut Writer,
    begun: bool,
    closing: &'static [u8],
}

impl List<'_> {
    fn add<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), Beyond> {
        if self.begun {
            self.writer.text.push(b',');
        }
        self.begun = true;
        value.serialize(&mut *self.writer)
    }

    #[expect(clippy::unnecessary_wraps, reason = "what serde asks for")]
    fn close(self) -> Result<(), Beyond> {
        self.writer.text.extend_from_slice(self.closing);
        Ok(())
    }
}

/// What is a list to JSON, by the name of its trait and of the method that adds to it.
macro_rules! lists {
    ($($name:ident $add:ident),*) => {$(
        impl ser::$name for List<'_> {
            type Ok = ();
            type Error = Beyond;

            fn $add<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), Beyond> {
                self.add(value)
            }

            fn end(self) -> Result<(), Beyond> {
                self.close()
            }
        }
    )*};
}

lists! {
    SerializeSeq serialize_element, SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field
}

/// An object that is being written.
pub(super) struct Object<'a> {
    writer: &'a mut Writer,
    /// Where it begins, after the brace, and which of the open fields is its first.
    begin: usize,
    first: usize,
    /// So far each key stands before the next.
    rising: bool,
    /// Where the last key stands, without its quotes.
    key: std::ops::Range<usize>,
    closing: &'static [u8],
}

impl Object<'_> {
    /// Goes on to a key that `write` writes.
    fn next(
        &mut self,
        write: impl FnOnce(&mut Writer) -> Result<(), Beyond>,
    ) -> Result<(), Beyond> {
        let writer = &mut *self.writer;
        let another = writer.fields.len() > self.first;
        if another {
            writer.text.push(b',');
        }
        let begin = writer.text.len() + 1;
        write(writer)?;
        let key = begin..writer.text.len() - 1;
        self.rising &= !another || writer.text[self.key.clone()] < writer.text[key.clone()];
        self.key = key;
        writer.text.push(b':');
        Ok(())
    }

    fn value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), Beyond> {
        self.value_by(|writer| value.serialize(writer))
    }

    /// The value of the last key, by what writes it.
    fn value_by(
        &mut self,
        write: impl FnOnce(&mut Writer) -> Result<(), Beyond>,
    ) -> Result<(), Beyond> {
        write(&mut *self.writer)?;
        let Writer { text, fields, .. } = &mut *self.writer;
        fields.push(Field { key: self.key.start, key_end: self.key.end, end: text.len() });
        Ok(())
    }

    fn close(self) -> Result<(), Beyond> {
        if !self.rising {
            self.writer.sort(self.begin, self.first)?;
        }
        self.writer.fields.truncate(self.first);
        self.writer.text.extend_from_slice(self.closing);
        Ok(())
    }
}

impl ser::SerializeMap for Object<'_> {
    type Ok = ();
    type Error = Beyond;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Beyond> {
        self.next(|writer| writer.name(key))
    }

    fn serialize_value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<(), Beyond> {
        self.value(value)
    }

    fn end(self) -> Result<(), Beyond> {
        self.close()
    }
}

/// What is an object with names that are known, by the name of its trait.
macro_rules! structs {
    ($($name:ident),*) => {$(
        impl ser::$name for Object<'_> {
            type Ok = ();
            type Error = Beyond;

            fn serialize_field<V: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &V,
            ) -> Result<(), Beyond> {
                self.next(|writer| writer.key(key))?;
                self.value(value)
            }

            fn end(self) -> Result<(), Beyond> {
                self.close()
            }
        }
    )*};
}

structs! { SerializeStruct, SerializeStructVariant }
