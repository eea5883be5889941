//! Hexes in axial coordinates, written `[q, r]` on the wire.
//!
//! Whole numbers only: the hex crates of the ecosystem are made for drawing and bring floats,
//! which the engine does not allow. Must not know which hexes exist on which board.

use std::fmt;
use std::ops::Add;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A hex, or a step between two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Hex {
    /// The column.
    pub q: i32,
    /// The row.
    pub r: i32,
}

impl Hex {
    /// The hex `[q, r]`.
    pub const fn new(q: i32, r: i32) -> Self {
        Hex { q, r }
    }

    /// The distance from `[0, 0]`: the least number of steps between neighbours.
    pub const fn length(self) -> u32 {
        let third = self.q.wrapping_add(self.r).unsigned_abs() as u64;
        let sum = self.q.unsigned_abs() as u64 + self.r.unsigned_abs() as u64 + third;
        (sum / 2) as u32
    }

    /// The distance to another hex. Both lie on a board, so nothing overflows there; far away
    /// it wraps.
    pub const fn distance(self, other: Hex) -> u32 {
        Hex::new(self.q.wrapping_sub(other.q), self.r.wrapping_sub(other.r)).length()
    }

    /// Turned by 60 degrees about `[0, 0]`: (q, r) becomes (−r, q + r).
    #[must_use]
    pub const fn turned(self) -> Hex {
        Hex::new(self.r.wrapping_neg(), self.q.wrapping_add(self.r))
    }
}

impl Add for Hex {
    type Output = Hex;

    fn add(self, step: Hex) -> Hex {
        Hex::new(self.q.wrapping_add(step.q), self.r.wrapping_add(step.r))
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{}, {}]", self.q, self.r)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.q, self.r).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = Hex;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a hex, [q, r]")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Hex, A::Error> {
                use serde::de::{Error, IgnoredAny};
                let q = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let r = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
                if seq.next_element::<IgnoredAny>()?.is_some() {
                    return Err(A::Error::invalid_length(3, &self));
                }
                Ok(Hex { q, r })
            }
        }
        from.deserialize_seq(Reader)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Hex {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{
            ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, Type,
        };
        let whole = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(i32::MIN))
            .maximum(Some(i32::MAX));
        ArrayBuilder::new()
            .items(whole)
            .min_items(Some(2))
            .max_items(Some(2))
            .description(Some("A hex in axial coordinates: [q, r]."))
            .examples([serde_json::json!([0, 0])])
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Hex {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_turns_lead_back() {
        let mut hex = Hex::new(3, -1);
        for _ in 0..6 {
            assert_eq!(hex.length(), 3);
            hex = hex.turned();
        }
        assert_eq!(hex, Hex::new(3, -1));
    }
}
