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
    pub q: i64,
    /// The row.
    pub r: i64,
}

impl Hex {
    /// The hex `[q, r]`.
    pub const fn new(q: i64, r: i64) -> Self {
        Hex { q, r }
    }

    /// The distance from `[0, 0]`: the least number of steps between neighbours.
    pub const fn length(self) -> u32 {
        let third = self.q.wrapping_add(self.r).unsigned_abs();
        let sum = self.q.unsigned_abs().wrapping_add(self.r.unsigned_abs()).wrapping_add(third);
        let half = sum / 2;
        if half > u32::MAX as u64 { u32::MAX } else { half as u32 }
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

/// How far out a hex may be named: one that lies further out than any board is a hex off the board.
const FARTHEST: i64 = u32::MAX as i64;

/// One coordinate, as far out as one may be named.
struct Coordinate(i64);

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        use serde::de::{Error, Unexpected};
        let given = i64::deserialize(from)?;
        if (-FARTHEST..=FARTHEST).contains(&given) {
            return Ok(Coordinate(given));
        }
        let wanted = "a whole number from -4294967295 to 4294967295";
        Err(D::Error::invalid_value(Unexpected::Signed(given), &wanted))
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
                let Coordinate(q) =
                    seq.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let Coordinate(r) =
                    seq.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
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
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
        let whole = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(-FARTHEST))
            .maximum(Some(FARTHEST));
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
    fn a_hex_far_out_is_a_hex() {
        for q in [-FARTHEST, -1 << 31, 1 << 31, FARTHEST] {
            let read: Hex = serde_json::from_str(&format!("[{q}, 0]")).unwrap();
            assert_eq!(read, Hex::new(q, 0));
            assert_eq!(u64::from(read.length()), q.unsigned_abs());
        }
        for text in ["[4294967296, 0]", "[0, -4294967296]", "[0]", "[0, 0, 0]", "[1.5, 0]"] {
            assert!(serde_json::from_str::<Hex>(text).is_err(), "{text}");
        }
    }

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
