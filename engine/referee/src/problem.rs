//! Why a question has no answer: one table of error codes, and problems as data.
//!
//! A problem is what the service sends as `application/problem+json` (RFC 9457), and what every
//! other door raises or prints. For each code the table holds the HTTP status, the title and an
//! explanation; the OpenAPI document and the problem pages are generated from it. This module must
//! not know any game, and must not treat an illegal record as an error: a verdict is a result.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::chances::NoAnswer;
use umpire_engine::analysis::hint::Unadvised;
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::answer::Unanswered;

/// Generates the enum of error codes and its table, one entry per code.
macro_rules! codes {
    ($( $variant:ident = $name:literal, $status:literal, $title:literal, $about:literal, $example:literal $(, at $pointer:literal)?; )*) => {
        /// The stable name of a kind of error.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $( #[doc = $title] $variant, )*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[ $( Code::$variant ),* ];

            /// The table entry of this code.
            pub fn entry(self) -> CodeEntry {
                match self {
                    $( Code::$variant => CodeEntry {
                        code: $name,
                        status: $status,
                        title: $title,
                        about: $about,
                        example: $example,
                        pointer: codes!(@pointer $($pointer)?),
                    }, )*
                }
            }
        }
    };
    (@pointer) => { None };
    (@pointer $pointer:literal) => { Some($pointer) };
}

codes! {
    BadJson = "bad_json", 400, "Invalid JSON",
        "The request body is not valid JSON (the detail gives line and column) or not valid UTF-8 (the detail gives the byte offset).",
        "this is no JSON: EOF while parsing an object at line 1 column 1";
    BadRecord = "bad_record", 422, "Invalid record",
        "A field of the record is missing, unknown, duplicated or of the wrong type, or the record has no canonical form and so cannot be stored (an action is nested too deeply or has a duplicate field).",
        "there is no field \"colour\" here; the fields are format, game, ruleset, options, players, chance, position, actions, claims, meta", at "/colour";
    UnknownFormat = "unknown_format", 422, "Unknown record format",
        "`format` is not `umpire/1`.",
        "format \"umpire/7\" is unknown; \"umpire/1\" is expected", at "/format";
    UnknownGame = "unknown_game", 422, "Unknown game",
        "`game` is not the id of a registered game; `GET /v1/games` lists them.",
        "game \"ludo\" is unknown", at "/game";
    UnknownRuleset = "unknown_ruleset", 422, "Unknown ruleset",
        "`ruleset` is not a released version of the game's rules.",
        "ruleset \"ludo@9\" is unknown; \"ludo@1\" is known", at "/ruleset";
    BadOptions = "bad_options", 422, "Invalid options",
        "`options` has the wrong type, or contains an unknown field, ruling or reading.",
        "there is no field \"speed\" here; the only field is rulings", at "/options/speed";
    OptionsRefused = "options_refused", 409, "Options break a rule",
        "`options` is well formed but breaks a rule; `rule` names the clause. Also sent if `players` names a seat that is not in use under the options, if a reading names an edition, ruling or value that the game does not have, or if the records to be compared are of different games.",
        "a deck of 37 cards; 38 are expected", at "/options";
    BadPosition = "bad_position", 422, "Invalid position",
        "`position` has the wrong type or contains an unknown field.",
        "a string is expected, not the number 1", at "/position";
    PositionRefused = "position_refused", 409, "Position breaks a rule",
        "`position` is well formed but breaks an invariant of the rules; `rule` and `invariant` name it.",
        "two figures stand on one hex", at "/position";
    TooManyActions = "too_many_actions", 422, "Too many actions",
        "The record has more actions than this server replays, or more than it replays when every state is included in the response.",
        "more than 20000 actions; this engine replays at most that many", at "/actions";
    BadParameter = "bad_parameter", 422, "Invalid query parameter",
        "A query parameter is unknown, given more than once, or has an invalid value; `parameter` names it.",
        "ply is \"last\"; expected an integer from 0 to 4294967295";
    BadId = "bad_id", 400, "Malformed id",
        "The id in the path is malformed.",
        "\"x\" is not an id; expected 64 lowercase hexadecimal digits";
    NotFound = "not_found", 404, "Not found",
        "The path, game, clause, record, ply or seat does not exist; the detail says which.",
        "unknown ply \"last\"; expected an integer";
    MethodNotAllowed = "method_not_allowed", 405, "Method not allowed",
        "The path exists but does not support this method; the header `Allow` lists the methods that it supports.",
        "this path does not support PATCH; expected one of GET, HEAD";
    UnsupportedMediaType = "unsupported_media_type", 415, "Unsupported media type",
        "`Content-Type` is missing or not supported here, or the body is compressed with something other than `gzip` or `zstd`.",
        "Content-Type is \"text/plain\"; expected application/json in UTF-8";
    BodyTooLarge = "body_too_large", 413, "Body too large",
        "The request body, or one line of it, exceeds the size limit of this server.",
        "the body exceeds the limit of 4194304 bytes";
    RequestTimeout = "request_timeout", 408, "Request timeout",
        "The request body did not arrive in time.",
        "the body was not complete after 30 seconds";
    WrongHost = "wrong_host", 421, "Unknown host name",
        "The header `Host` names neither this machine nor a host that the server was configured with (`--host`). This protects against DNS rebinding.",
        "\"attacker.example\" is not a host name of this server; the operator can allow it with --host";
    RecordIllegal = "record_illegal", 409, "Illegal record",
        "The record was not stored because it is illegal; `verdict` says why. To store an illegal record together with its verdict, send `accept=any`.",
        "the action at ply 3 is illegal; to store the record anyway, send accept=any", at "/actions/3";
    ActionRefused = "action_refused", 422, "Illegal action",
        "The action is illegal and the table has not changed; `violation` says why, in the same form as in a verdict. An illegal action in a record is a result (200), because the record contains it. A table contains only accepted actions, so here it is an error.",
        "a drop is not expected here";
    Conflict = "conflict", 409, "Conflicting table state",
        "The table has been closed and stored as a record, its seed is still being drawn (or already drawn), the action to take back revealed private information, or the idempotency key was already used for a different request. The detail says which.",
        "the table is closed: it was stored as a record";
    Stale = "stale", 412, "Stale table version",
        "`If-Match` does not match the current version of the table, and this seat is no longer asked for the same decision; `version` is the current version.",
        "the table is at version 42, not 41";
    PreconditionRequired = "precondition_required", 428, "If-Match required",
        "The header `If-Match` is missing. It names the version of the table that the action is meant for, so that an action is never applied twice or too late by accident.",
        "If-Match is missing; send the version of the table that you saw, for example \"41\"";
    Unauthorized = "unauthorized", 401, "Token required",
        "This request requires a bearer token, and none or an unknown one was sent.",
        "a valid token is required; send it as Authorization: Bearer …";
    Forbidden = "forbidden", 403, "Insufficient scope",
        "The token is valid, but its scope does not cover this request: it may only read, or only view certain records as one viewer. The response does not reveal whether a record outside the token's scope is stored.",
        "this token may not read all records; the scope read is required";
    TooManyRequests = "too_many_requests", 429, "Rate limit exceeded",
        "The token or address has used up its requests or its CPU time for this minute. `RateLimit` says what is left, `Retry-After` when to try again.",
        "the limit of 600 requests per minute is used up; try again in 3 seconds";
    Unavailable = "unavailable", 503, "Service unavailable",
        "The server is overloaded or cannot reach its store; the header `Retry-After` says when to try again. Also sent if the work exceeded the time limit of a request: then there is no `Retry-After`, because a retry would take just as long, and the detail says what to do instead.",
        "too many requests are in progress; try again later";
    Internal = "internal", 500, "Internal server error",
        "The server failed, not the request. Its log has more under the request id of this response.",
        "the server failed; look up the request id in its log";
}

/// One entry of the table of codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    /// The stable name.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The kind of error in two to five words.
    pub title: &'static str,
    /// When the error is sent, in full sentences.
    pub about: &'static str,
    /// An example of a detail.
    pub example: &'static str,
    /// The pointer that goes with the example.
    pub pointer: Option<&'static str>,
}

impl Code {
    /// The code with that name.
    pub fn parse(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.entry().code == name)
    }

    /// An example of a problem with this code.
    pub fn example(self) -> Problem {
        let entry = self.entry();
        let mut problem = Problem::new(self, entry.example);
        problem.pointer = entry.pointer.map(Cow::Borrowed);
        problem.parameter = (self == Code::BadParameter).then(|| "ply".to_owned());
        problem
    }
}

impl From<FaultCode> for Code {
    fn from(code: FaultCode) -> Self {
        match code {
            FaultCode::BadJson => Code::BadJson,
            FaultCode::BadRecord => Code::BadRecord,
            FaultCode::UnknownFormat => Code::UnknownFormat,
            FaultCode::UnknownGame => Code::UnknownGame,
            FaultCode::UnknownRuleset => Code::UnknownRuleset,
            FaultCode::BadOptions => Code::BadOptions,
            FaultCode::OptionsRefused => Code::OptionsRefused,
            FaultCode::BadPosition => Code::BadPosition,
            FaultCode::PositionRefused => Code::PositionRefused,
            FaultCode::TooManyActions => Code::TooManyActions,
            FaultCode::Stopped => Code::Unavailable,
        }
    }
}

/// Why a question has no answer (RFC 9457).
///
/// It is behind a pointer, so that results stay small; its fields are those of [`Details`].
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Details>);

/// Why a request failed (RFC 9457).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Details {
    /// A link to the page that explains the code.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schema(format = "uri-reference"))]
    pub kind: String,
    /// The kind of error in a few words.
    pub title: &'static str,
    /// The HTTP status.
    #[cfg_attr(feature = "schema", schema(minimum = 400, maximum = 599))]
    pub status: u16,
    /// The stable name of the kind of error.
    pub code: Code,
    /// What is wrong with this request: what was found, where, what was expected, and what to do.
    pub detail: String,
    /// The field at fault, as a JSON pointer into the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub pointer: Option<Cow<'static, str>>,
    /// The query parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub parameter: Option<String>,
    /// The clause that the options or the position break.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub rule: Option<&'static str>,
    /// The invariant that the position breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub invariant: Option<String>,
    /// The line of an NDJSON body, starting from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = u64, minimum = 1, required = false))]
    pub line: Option<u64>,
    /// Why the action is illegal at a table, in the same form as in a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Violation, required = false))]
    pub violation: Option<Box<RawValue>>,
    /// The current version of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub version: Option<String>,
    /// The verdict on a record that was not stored because it is illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schemas::Judgement, required = false))]
    pub verdict: Option<Box<RawValue>>,
    /// When to try again, in seconds; the service sends it as a header.
    #[serde(skip)]
    pub retry_after: Option<u64>,
    /// Why the referee or the service failed: for a log, never for the caller.
    #[serde(skip)]
    pub cause: Option<String>,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Problem {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        Details::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Problem {
    fn name() -> Cow<'static, str> {
        "Problem".into()
    }

    fn schemas(to: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>) {
        Details::schemas(to);
    }
}

impl Deref for Problem {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Problem {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

impl Problem {
    /// A problem with only a detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let entry = code.entry();
        Problem(Box::new(Details {
            kind: format!("/v1/problems/{}", entry.code),
            title: entry.title,
            status: entry.status,
            code,
            detail: detail.into(),
            pointer: None,
            parameter: None,
            rule: None,
            invariant: None,
            line: None,
            violation: None,
            version: None,
            verdict: None,
            retry_after: None,
            cause: None,
        }))
    }

    /// What is asked for does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Problem::new(Code::NotFound, detail)
    }

    /// A parameter with an invalid value.
    pub fn parameter(name: &str, value: &str, expected: impl fmt::Display) -> Self {
        let shown = shorten(value);
        Problem::of_parameter(name, format!("{name} is {shown:?}; expected {expected}"))
    }

    /// Something is wrong with a parameter.
    pub fn of_parameter(name: &str, detail: impl Into<String>) -> Self {
        let mut problem = Problem::new(Code::BadParameter, detail);
        problem.parameter = Some(name.to_owned());
        problem
    }

    /// A text is too long; `what` is `body` or `line`, the limit is in bytes.
    pub fn too_large(what: &str, limit: usize) -> Self {
        Problem::new(Code::BodyTooLarge, format!("the {what} exceeds the limit of {limit} bytes"))
    }

    /// The referee failed, not the request. The cause is for a log; the caller gets a fixed text.
    pub fn internal(cause: impl Into<String>) -> Self {
        let mut problem = Problem::new(Code::Internal, Code::Internal.entry().example);
        problem.cause = Some(cause.into());
        problem
    }

    /// The same problem, with the line of an NDJSON text that has it, starting from 1.
    #[must_use]
    pub fn in_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.cause.as_ref().unwrap_or(&self.detail))
    }
}

impl std::error::Error for Problem {}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let mut problem = Problem::new(fault.code.into(), fault.detail);
        problem.pointer = Some(Cow::Owned(fault.pointer));
        problem.rule = fault.rule;
        problem.invariant = fault.invariant;
        problem
    }
}

impl From<Unanswered> for Problem {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Fault(fault) => fault.into(),
            Unanswered::NoSuchPly { asked, plies } => Problem::not_found(format!(
                "the record has no ply {asked}; its plies are 0 to {plies}"
            )),
        }
    }
}

impl From<Unadvised> for Problem {
    fn from(unadvised: Unadvised) -> Self {
        match unadvised {
            Unadvised::Unanswered(unanswered) => unanswered.into(),
            Unadvised::Over => {
                Problem::not_found("no seat has to decide at this ply: the game is over")
            }
            Unadvised::NotAsked { deciders } => Problem::not_found(format!(
                "that seat does not decide at this ply; expected {}",
                deciders.join(", ")
            )),
            Unadvised::NoWorld => {
                Problem::not_found("no position is consistent with what the seat knows")
            }
        }
    }
}

impl From<NoAnswer> for Problem {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Unanswered(unanswered) => unanswered.into(),
            NoAnswer::Illegal { rule, message } => {
                let detail = format!("the action is illegal at this ply: {message} ({rule})");
                Fault::new(FaultCode::BadRecord, "/action", detail).into()
            }
        }
    }
}

/// Shortens a value that a caller sent, so that error messages stay short.
pub fn shorten(value: &str) -> Cow<'_, str> {
    const MOST: usize = 80;
    match value.char_indices().nth(MOST) {
        None => Cow::Borrowed(value),
        Some((at, _)) => Cow::Owned(format!("{}…", &value[..at])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_at_most_28_codes_each_with_the_status_of_an_error() {
        assert!(Code::ALL.len() <= 28, "{}", Code::ALL.len());
        for code in Code::ALL {
            let entry = code.entry();
            assert!((400..600).contains(&entry.status), "{}", entry.code);
            assert_eq!(Code::parse(entry.code), Some(*code));
            assert_eq!(serde_json::to_value(code).unwrap(), entry.code);
        }
    }

    #[test]
    fn a_long_value_is_shown_in_part() {
        assert_eq!(shorten("short"), "short");
        assert_eq!(shorten(&"é".repeat(500)).chars().count(), 81);
    }
}
