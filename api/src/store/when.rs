//! Times as they are received and sent: RFC 3339, in UTC, with milliseconds.
//!
//! This module must not read a clock.

use std::fmt;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use crate::store::LAST_TIME;

/// A time as milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When(pub i64);

/// The text of a time, such as `2026-11-22T21:13:54.123Z`. A time outside the years 0 to 9999
/// becomes the first or last one that has such a text.
pub fn text(milliseconds: i64) -> String {
    let first = -62_167_219_200_000;
    let nanoseconds = i128::from(milliseconds.clamp(first, LAST_TIME)) * 1_000_000;
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds);
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, of_day) = (time.date(), time.time());
    let (hour, minute, second, milli) = of_day.as_hms_milli();
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

impl Serialize for When {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&text(self.0))
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TimeVisitor)
    }
}

/// Parses a time in either format.
struct TimeVisitor;

impl Visitor<'_> for TimeVisitor {
    type Value = When;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(EXPECTED)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<When, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<When, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<When, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// The expected format of a time.
pub const EXPECTED: &str = "a time such as 2026-11-21T21:00:00Z, or milliseconds since 1970 (at least 100000000000: \
                            a smaller number is probably in seconds)";

/// The first number that is taken for milliseconds, in March 1973. As seconds it would be in the year 5138.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;

/// The text is not a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoTime;

impl std::str::FromStr for When {
    type Err = NoTime;

    /// Parses RFC 3339 with any offset, or a number of milliseconds since 1970, from 1973 up to the year
    /// 9999: a smaller number is taken for a mistake, because Unix time is usually in seconds. A fraction of a
    /// millisecond is rounded up.
    fn from_str(text: &str) -> Result<Self, NoTime> {
        let milliseconds = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: i64 = text.parse().map_err(|_| NoTime)?;
            Some(number).filter(|number| *number >= FIRST_MILLISECONDS).ok_or(NoTime)?
        } else {
            // In a query, an unescaped plus sign is a space.
            let text = match text.contains(['T', 't']) {
                true => text.replace(' ', "+"),
                false => text.to_owned(),
            };
            let time = OffsetDateTime::parse(&text, &Rfc3339).map_err(|_| NoTime)?;
            let time = time.checked_to_offset(UtcOffset::UTC).ok_or(NoTime)?;
            let nanoseconds = time.unix_timestamp_nanos();
            let whole = nanoseconds.div_euclid(1_000_000);
            let up = i128::from(nanoseconds.rem_euclid(1_000_000) > 0);
            i64::try_from(whole + up).map_err(|_| NoTime)?
        };
        (0..=LAST_TIME).contains(&milliseconds).then_some(When(milliseconds)).ok_or(NoTime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_with_milliseconds_and_read_back() {
        for (milliseconds, told) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_795_294_800_007, "2026-11-21T21:00:00.007Z"),
            (LAST_TIME, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(text(milliseconds), told);
            assert_eq!(told.parse(), Ok(When(milliseconds)));
            if milliseconds > 0 {
                assert_eq!(milliseconds.to_string().parse(), Ok(When(milliseconds)));
            }
        }
        assert_eq!(text(i64::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(text(i64::MIN), "0000-01-01T00:00:00.000Z");
    }

    #[test]
    fn offsets_and_parts_of_a_millisecond_are_read() {
        for same in [
            "2026-11-21T22:00:00.0061+01:00",
            "2026-11-21T22:00:00.0061 01:00",
            "2026-11-21T21:00:00.007000000Z",
            "2026-11-21t21:00:00.007z",
        ] {
            assert_eq!(same.parse(), Ok(When(1_795_294_800_007)), "{same}");
        }
        for bad in [
            "",
            "-1",
            "yesterday",
            "2026-11-21",
            "2026-13-01T00:00:00Z",
            "253402300800000",
            "0",
            "1795294800",
            "99999999999",
            "1969-12-31T23:59:59Z",
            "2026-11-21T21:00:00",
        ] {
            assert_eq!(bad.parse::<When>(), Err(NoTime), "{bad}");
        }
    }
}
