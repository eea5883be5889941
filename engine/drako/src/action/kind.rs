//! Kinds of cards, as records name them: `dg01`, `dw12`.
//!
//! Must not know which kinds a deck holds.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::names::Side;

/// A kind of card: `dg01` to `dg99` of the dragon, `dw01` to `dw99` of the dwarves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(u8);

const DWARF_KINDS: u8 = 100;

impl Default for Kind {
    fn default() -> Self {
        Kind(1)
    }
}

impl Kind {
    /// The kind of a side with a number from 1 to 99.
    pub(crate) const fn new(side: Side, number: u8) -> Kind {
        match side {
            Side::Dragon => Kind(number),
            Side::Dwarves => Kind(DWARF_KINDS + number),
        }
    }

    /// The side whose deck has such cards.
    pub fn side(self) -> Side {
        if self.0 < DWARF_KINDS { Side::Dragon } else { Side::Dwarves }
    }

    /// The number, 1 to 99.
    pub fn number(self) -> u8 {
        self.0 % DWARF_KINDS
    }

    fn parse(text: &str) -> Option<Kind> {
        let &[b'd', side, tens, ones] = text.as_bytes() else { return None };
        if !tens.is_ascii_digit() || !ones.is_ascii_digit() {
            return None;
        }
        let number = (tens - b'0') * 10 + (ones - b'0');
        match side {
            _ if number == 0 => None,
            b'g' => Some(Kind::new(Side::Dragon, number)),
            b'w' => Some(Kind::new(Side::Dwarves, number)),
            _ => None,
        }
    }

    fn letters(self) -> [u8; 4] {
        let side = if self.0 < DWARF_KINDS { b'g' } else { b'w' };
        [b'd', side, b'0' + self.number() / 10, b'0' + self.number() % 10]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().iter().try_for_each(|&letter| fmt::Write::write_char(to, letter.into()))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Four ASCII letters and digits, made a line above.
        to.serialize_str(std::str::from_utf8(&self.letters()).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl serde::de::Visitor<'_> for Reader {
            type Value = Kind;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a kind of card, `dg01` to `dg99` or `dw01` to `dw99`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Kind, E> {
                let unexpected = serde::de::Unexpected::Str(text);
                Kind::parse(text).ok_or_else(|| E::invalid_value(unexpected, &self))
            }
        }
        from.deserialize_str(Reader)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Kind {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::schema::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^d[gw](0[1-9]|[1-9][0-9])$"))
            .description(Some("A kind of card: `dg…` of the dragon, `dw…` of the dwarves."))
            .examples(["dg01"])
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Kind {
    fn name() -> std::borrow::Cow<'static, str> {
        "drako.Kind".into()
    }
}
