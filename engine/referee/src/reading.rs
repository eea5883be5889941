//! From the text of a record to a game that can be asked.
//!
//! Every door reads records by these functions, so that the same text means the same everywhere.
//! This module must not know a game, and must not answer a question.

use std::borrow::Cow;

use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::games::{self, GAMES};
use umpire_engine::live::Live;
use umpire_engine::partial::Partial;
pub use umpire_engine::partial::may_be_partial;
use umpire_engine::record::{Fault, FaultCode, RawRecord, Sieved};
use umpire_engine::replay::answer::{Judgement, Legal, LegalQuery, Line, Unanswered};
use umpire_engine::replay::completion::Bounds;
use umpire_engine::replay::{Limits, Query};
use umpire_engine::report::{Depiction, Report};
use umpire_engine::scene::targets;

use crate::problem::shorten;
use crate::record_id::{self, RecordId};

/// The maximum number of actions of a seat for which targets are found.
const MOST_MARKED: usize = 5_000;

/// The maximum number of actions of a record that is validated on the spot.
const INLINE_ACTIONS: usize = 2_000;

/// A record with a valid envelope, and its game.
pub struct Submission<'a> {
    /// Its text, with integers in plain form.
    pub text: &'a [u8],
    /// The record.
    pub record: RawRecord<'a>,
    /// Its game.
    pub game: &'static dyn AnyGame,
}

/// The text with integers in plain form, except in the record's `meta`.
///
/// JSON does not tell 55 from 55.0 or 5.5e1, and the canonical text of a record has 55; so a record
/// means the same before and after it is stored. Nearly every text is returned unchanged.
pub fn canonical(text: &[u8]) -> Cow<'_, [u8]> {
    // Some editors write a byte order mark, which RFC 8259 allows a reader to ignore.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if !may_have_fractions(text) {
        return Cow::Borrowed(text);
    }
    let kept = spans_of_meta(text);
    let mut kept = kept.iter().peekable();
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut in_string = false;
    while let Some(&byte) = text.get(at) {
        if let Some(span) = kept.next_if(|span| span.start == at) {
            out.extend_from_slice(&text[span.clone()]);
            at = span.end;
        } else if in_string {
            let escaped = usize::from(byte == b'\\' && at + 1 < text.len());
            out.extend_from_slice(&text[at..=at + escaped]);
            in_string = byte != b'"';
            at += 1 + escaped;
        } else if byte.is_ascii_digit() || byte == b'-' {
            let part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
            let end =
                text[at..].iter().position(|byte| !part(byte)).map_or(text.len(), |it| at + it);
            match whole(&text[at..end]) {
                Some(number) => out.extend_from_slice(number.to_string().as_bytes()),
                None => out.extend_from_slice(&text[at..end]),
            }
            at = end;
        } else {
            in_string = byte == b'"';
            out.push(byte);
            at += 1;
        }
    }
    Cow::Owned(out)
}

/// Whether a number in a text may have a fraction or an exponent.
fn may_have_fractions(text: &[u8]) -> bool {
    let next = text.get(1..).unwrap_or_default();
    let after_digit =
        |(one, next): (&u8, &u8)| one.is_ascii_digit() & ((*next == b'.') | (*next | 0x20 == b'e'));
    // Without branches, so that it costs next to nothing compared with parsing.
    if !text.iter().zip(next).fold(false, |found, pair| found | after_digit(pair)) {
        return false;
    }
    // Fingerprints match, too, but no number follows a letter or a quote.
    let mut places = text.iter().zip(next).enumerate().filter(|(_, pair)| after_digit(*pair));
    let begins = |end: usize| text[..end].iter().rposition(|byte| !byte.is_ascii_digit());
    places.any(|(at, _)| match begins(at).map(|before| text[before]) {
        None | Some(b'-' | b':' | b',' | b'[') => true,
        Some(byte) => byte.is_ascii_whitespace(),
    })
}

/// Where the `meta` of a record is in a text, and that of a record in the field `record`: it is
/// kept byte for byte.
fn spans_of_meta(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    #[derive(serde::Deserialize)]
    struct Around<'a> {
        #[serde(borrow)]
        meta: Option<&'a RawValue>,
        #[serde(borrow)]
        record: Option<&'a RawValue>,
    }
    // A borrowed part of a text points into it.
    let span = |part: &RawValue| {
        let start = part.get().as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        start..start + part.get().len()
    };
    let Ok(around) = serde_json::from_slice::<Around<'_>>(text) else { return Vec::new() };
    let inner = around.record.and_then(|it| serde_json::from_str::<Around<'_>>(it.get()).ok());
    let parts = [around.meta, inner.and_then(|it| it.meta)];
    let mut spans: Vec<_> = parts.into_iter().flatten().map(span).collect();
    spans.sort_by_key(|span| span.start);
    spans
}

/// The integer that a JSON number with a fraction or an exponent stands for.
fn whole(number: &[u8]) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.iter().all(|byte| !b".eE".contains(byte)) {
        return None;
    }
    // Leave malformed numbers for the parser to reject.
    let value: f64 = serde_json::from_slice(number).ok()?;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// Reads the envelope of a record, finds its game, and works with it.
///
/// # Errors
/// The text is not a record of a registered game, or the work fails.
pub fn with_record<T, E: From<Fault>>(
    text: &[u8],
    work: impl FnOnce(&Submission<'_>) -> Result<T, E>,
) -> Result<T, E> {
    with_fields(text, UnknownFields::Refuse, work)
}

/// What to do about unknown fields at the top level of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(rename_all = "snake_case"))]
pub enum UnknownFields {
    /// Reject them, so that a misspelt name is noticed.
    #[default]
    Refuse,
    /// Keep them as they are, and list them as warnings.
    Keep,
}

/// As [`with_record`], with a choice about unknown fields.
///
/// If the text is not a record but an object with one in its field `record` (a fixture, a response
/// of the service), that record is used; every pointer leads into it.
///
/// # Errors
/// As [`with_record`].
pub fn with_fields<T, E: From<Fault>>(
    text: &[u8],
    unknown: UnknownFields,
    work: impl FnOnce(&Submission<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let text = canonical(text);
    // Nearly every text is a record, and is parsed once.
    let fault = match RawRecord::read(&text) {
        Ok(record) => return work(&open(&text, record)?),
        Err(fault) => fault,
    };
    let inner = wrapped(&text);
    match unknown {
        UnknownFields::Refuse => {
            let inner = inner.ok_or(fault)?;
            work(&open(inner, RawRecord::read(inner)?)?)
        }
        UnknownFields::Keep => {
            let inner = inner.unwrap_or(&text);
            let sieved = Sieved::of(inner)?;
            work(&open(inner, sieved.read()?)?)
        }
    }
}

/// The text of the record in a text, with integers in plain form: its field `record` if it is not a
/// record itself.
pub fn meant(text: &[u8]) -> Cow<'_, [u8]> {
    let text = canonical(text);
    match wrapped(&text) {
        Some(inner) => Cow::Owned(inner.to_vec()),
        None => text,
    }
}

/// The record in the field `record` of an object that is not a record itself.
fn wrapped(text: &[u8]) -> Option<&[u8]> {
    #[derive(serde::Deserialize)]
    struct Around<'a> {
        format: Option<serde::de::IgnoredAny>,
        #[serde(borrow)]
        record: Option<&'a RawValue>,
    }
    let around: Around<'_> = serde_json::from_slice(text).ok()?;
    let record = around.record.filter(|it| around.format.is_none() && it.get().starts_with('{'))?;
    Some(record.get().as_bytes())
}

fn open<'a>(text: &'a [u8], record: RawRecord<'a>) -> Result<Submission<'a>, Fault> {
    // Serde would accept a list of a record's fields.
    if !text.trim_ascii_start().starts_with(b"{") {
        return Err(Fault::new(FaultCode::BadRecord, "", "the record is not a JSON object"));
    }
    let Some(game) = games::find(&record.game) else {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        let detail = format!(
            "unknown game {:?}; expected one of {}",
            shorten(&record.game),
            known.join(", ")
        );
        return Err(Fault::new(FaultCode::UnknownGame, "/game", detail));
    };
    Ok(Submission { text, record, game })
}

/// The verdict on a record, with a choice about unknown fields.
///
/// # Errors
/// Why it cannot be replayed.
pub fn judge_fields(
    text: &[u8],
    unknown: UnknownFields,
    limits: Limits<'_>,
) -> Result<Judgement, Fault> {
    match partial(text)? {
        Some((game, partial)) => game.judge_partial(&partial, Bounds::default(), limits),
        None => with_fields(text, unknown, |it| it.game.judge(&it.record, limits)),
    }
}

/// The verdict on a record, with or without unknowns.
pub fn judge(text: &[u8], limits: Limits<'_>) -> Result<Judgement, Fault> {
    judge_fields(text, UnknownFields::Refuse, limits)
}

/// Whether a record is so small and without unknowns that validating it costs less than handing it
/// to another thread. A record has at most as many actions as braces.
pub fn is_small(text: &[u8], inline_bytes: usize) -> bool {
    // Unknowns can multiply the work.
    text.len() <= inline_bytes
        && !may_be_partial(text)
        && memchr::memchr_iter(b'{', text).count() <= INLINE_ACTIONS
}

/// Whether records that arrived together are so few and small that validating them costs less than
/// handing them to another thread. More is part of a long body, which is worth several processors.
pub fn are_small<'a>(mut texts: impl Iterator<Item = &'a [u8]>, inline_bytes: usize) -> bool {
    let mut left = inline_bytes / 4;
    texts.all(|text| {
        let small = is_small(text, left);
        left = left.saturating_sub(text.len());
        small
    })
}

/// A record with unknowns or omissions, and its game; `None` for any other text.
///
/// # Errors
/// What is wrong with the unknowns in it.
pub fn partial(text: &[u8]) -> Result<Option<(&'static dyn AnyGame, Partial)>, Fault> {
    if !may_be_partial(text) {
        return Ok(None);
    }
    let text = canonical(text);
    let found = match Partial::read(&text)? {
        None => wrapped(&text).map_or(Ok(None), Partial::read)?,
        found => found,
    };
    let Some(partial) = found else { return Ok(None) };
    let Some(game) = games::find(&partial.game) else { return Ok(None) };
    let seen = || partial.position().is_some_and(|position| game.shows_part(&position));
    Ok((partial.is_open() || seen()).then_some((game, partial)))
}

impl Submission<'_> {
    /// The id of the record, and its canonical text with `meta` as it was sent.
    ///
    /// # Errors
    /// It has no canonical form, or names no ruleset of its game.
    pub fn canonical(&self) -> Result<(RecordId, String), Fault> {
        let meta = self.record.meta.as_ref().map(|meta| meta.text);
        record_id::canonical(self.text, &self.game.meta().ruleset(), meta)
    }

    /// The report of its replay.
    pub fn replay(&self, query: &Query<'_>) -> Result<Report, Unanswered> {
        self.game.replay(&self.record, query)
    }

    /// Who decides, and which actions are legal.
    pub fn legal(&self, query: &Query<'_>, wanted: LegalQuery<'_>) -> Result<Legal, Unanswered> {
        self.game.legal(&self.record, query, wanted)
    }

    /// The board; with `targets`, also which shapes belong to legal actions that the viewer may
    /// see.
    pub fn depict(&self, query: &Query<'_>, targets: bool) -> Result<Depiction, Unanswered> {
        let mut depicted = self.game.depict(&self.record, query)?;
        if targets {
            let limits = Limits { listed: MOST_MARKED, ..query.limits };
            let legal = self.legal(&Query { limits, ..*query }, LegalQuery::LIST)?;
            mark(&mut depicted, &legal, query.limits.budget)?;
        }
        Ok(depicted)
    }

    /// The story of the game as a viewer learned it.
    pub fn story(&self, viewer: Observer, limits: Limits<'_>) -> Result<Vec<Line>, Fault> {
        self.game.story(&self.record, viewer, limits)
    }
}

/// Marks the shapes that belong to legal actions.
fn mark(depicted: &mut Depiction, legal: &Legal, budget: Budget<'_>) -> Result<(), Fault> {
    let actions = legal.choices.iter().flat_map(|choices| choices.actions.iter().flatten());
    targets::mark(&mut depicted.scene, actions.map(|action| &**action), budget)?;
    Ok(())
}

/// The board of a game in progress, as [`Submission::depict`] gives that of a record.
///
/// # Errors
/// The budget is spent.
pub fn depict(
    live: &dyn Live,
    viewer: Observer,
    targets: bool,
    limits: Limits<'_>,
) -> Result<Depiction, Fault> {
    let mut depicted = live.depict(viewer);
    if targets {
        let limits = Limits { listed: MOST_MARKED, ..limits };
        let legal = live.legal(viewer, LegalQuery::LIST, limits)?;
        mark(&mut depicted, &legal, limits.budget)?;
    }
    Ok(depicted)
}

/// A record of a game by the newest version of its rules, with these actions. `options` are JSON.
pub fn compose(
    game: &dyn AnyGame,
    seed: &str,
    options: Option<Box<RawValue>>,
    actions: &[Box<RawValue>],
) -> Box<RawValue> {
    composed(game, game.meta().version, Some(seed), options, actions)
}

/// An empty record of a game by a known version of its rules, with a seed or else an empty tape. `options` are JSON.
pub fn blank(
    game: &dyn AnyGame,
    version: u32,
    seed: Option<&str>,
    options: Option<Box<RawValue>>,
) -> Box<RawValue> {
    composed(game, version, seed, options, &[])
}

fn composed(
    game: &dyn AnyGame,
    version: u32,
    seed: Option<&str>,
    options: Option<Box<RawValue>>,
    actions: &[Box<RawValue>],
) -> Box<RawValue> {
    #[derive(serde::Serialize)]
    struct Fields<'a> {
        format: &'static str,
        game: &'static str,
        ruleset: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        options: Option<Box<RawValue>>,
        chance: Chance<'a>,
        actions: &'a [Box<RawValue>],
    }
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Chance<'a> {
        Seed(&'a str),
        Tape([(); 0]),
    }
    let meta = game.meta();
    let fields = Fields {
        format: umpire_engine::record::FORMAT,
        game: meta.id,
        ruleset: meta.ruleset_of(version),
        options,
        chance: seed.map_or(Chance::Tape([]), Chance::Seed),
        actions,
    };
    // A struct of strings and JSON texts always serialises.
    serde_json::value::to_raw_value(&fields).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A legal record of a game, some actions long: each time the seat that decides takes a legal
/// action, a different one from ply to ply. Used in documentation and tests.
pub fn sample(game: &dyn AnyGame, seed: &str, plies: usize) -> Box<RawValue> {
    let mut actions: Vec<Box<RawValue>> = Vec::new();
    loop {
        let record = compose(game, seed, None, &actions);
        if actions.len() >= plies {
            return record;
        }
        let legal = with_record(record.get().as_bytes(), |submission| {
            submission.legal(&Query::default(), LegalQuery::LIST)
        });
        let found = legal.ok().and_then(|legal| {
            let choices = legal.choices.into_iter().find_map(|choices| choices.actions)?;
            let at = actions.len() % choices.len().max(1);
            choices.into_iter().nth(at)
        });
        match found {
            Some(action) => actions.push(action),
            None => return record,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{are_small, canonical, is_small, may_have_fractions};

    #[test]
    fn lines_are_small_together_and_not_one_by_one() {
        let line = [b' '; 100];
        let small = |lines: usize| are_small((0..lines).map(|_| &line[..]), 1200);
        assert!(small(0) && small(3) && !small(4));
        // Each of them alone is small, but a line of many actions is not.
        assert!(is_small(&line, 1200));
        assert!(!are_small([&[b'{'; 2001][..]].into_iter(), 1 << 20));
    }

    #[test]
    fn a_whole_number_is_written_as_one() {
        let check = |from: &str, to: &str| {
            assert_eq!(String::from_utf8_lossy(&canonical(from.as_bytes())), to, "{from}");
        };
        check("[55.0, 5.5e1, -0.0, 1E2, -3.00]", "[55, 55, 0, 100, -3]");
        check(r#"{"a 1.0": "2.0 \" 3.0 \\", "b": 4.0}"#, r#"{"a 1.0": "2.0 \" 3.0 \\", "b": 4}"#);
        let meta =
            r#"{"meta": {"a": 1.0, "b": [2e1]}, "record": {"meta": 3.0, "x": 4.0}, "y": 5.0}"#;
        check(meta, r#"{"meta": {"a": 1.0, "b": [2e1]}, "record": {"meta": 3.0, "x": 4}, "y": 5}"#);
        for same in ["[1.5, 1e999, 1e-3, 2.e1, 01.0, 9e99, 12]", r#""1.0"#, "1.", "-", r#""1.0\"#] {
            check(same, same);
        }
    }

    /// A number is found wherever one can be; lookalikes within strings cost nothing.
    #[test]
    fn fractions_are_looked_for_where_numbers_begin() {
        for text in
            ["1.0", "-1.0", "[1e1]", "{\"a\":2.0}", "[3,1E1]", "[\n10.0]", "[\t1.0 ]", "[-12e2]"]
        {
            assert!(may_have_fractions(text.as_bytes()), "{text}");
        }
        for text in [r#"{"fingerprint":"5e1b2e33.a9E"}"#, "[1, 2]", "", "1", "é1é.0", r#""v1.2""#]
        {
            assert!(!may_have_fractions(text.as_bytes()), "{text}");
        }
    }
}
