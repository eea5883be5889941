//! Request errors: one enum of failures and one table of error codes.
//!
//! Errors are sent as `application/problem+json` (RFC 9457). For each code the table holds the
//! status, the title and an explanation; the OpenAPI document and the problem pages are generated
//! from it. This module must not know any game, and must not treat an illegal record as an error: a
//! verdict is a result.

use std::borrow::Cow;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::chances::NoAnswer;
use umpire_engine::analysis::hint::Unadvised;
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::answer::Unanswered;

use crate::allowance::Spent;
use crate::json;
use crate::store::StoreError;

/// The content codings accepted for request bodies, as sent in `Accept-Encoding` of a refusal.
pub const CODINGS: &str = "gzip, zstd";

/// The media type of an error body.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Generates the enum of error codes and its table, one entry per code.
macro_rules! codes {
    ($( $variant:ident = $name:literal, $status:literal, $title:literal, $about:literal, $example:literal $(, at $pointer:literal)?; )*) => {
        /// The stable name of a kind of error.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
        "there is no ply \"last\"";
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

/// Why a request failed (RFC 9457).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A link to the page that explains the code.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schema(format = "uri-reference"))]
    pub kind: String,
    /// The kind of error in a few words.
    pub title: &'static str,
    /// The HTTP status.
    #[cfg_attr(feature = "openapi", schema(minimum = 400, maximum = 599))]
    pub status: u16,
    /// The stable name of the kind of error.
    pub code: Code,
    /// What is wrong with this request: what was found, where, what was expected, and what to do.
    pub detail: String,
    /// The field at fault, as a JSON pointer into the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub pointer: Option<Cow<'static, str>>,
    /// The query parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub parameter: Option<String>,
    /// The clause that the options or the position break.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub rule: Option<&'static str>,
    /// The invariant that the position breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub invariant: Option<String>,
    /// The line of an NDJSON body, starting from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u64, minimum = 1, required = false))]
    pub line: Option<u64>,
    /// Why the action is illegal at a table, in the same form as in a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Violation, required = false))]
    pub violation: Option<Box<RawValue>>,
    /// The current version of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub version: Option<String>,
    /// The verdict on a record that was not stored because it is illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Judgement, required = false))]
    pub verdict: Option<Box<RawValue>>,
}

impl Problem {
    /// A problem with only a detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let entry = code.entry();
        Problem {
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
        }
    }
}

/// Why a handler cannot answer a request.
#[derive(Clone, Debug)]
pub enum ApiError {
    /// The record cannot be replayed.
    Fault(Fault),
    /// The record is illegal, and the request did not ask to store it anyway.
    Illegal {
        /// Its verdict, as JSON.
        verdict: Box<RawValue>,
        /// Where the violation is.
        pointer: String,
        /// What is wrong.
        message: String,
    },
    /// An action is illegal at a table.
    Refused {
        /// Why, as JSON.
        violation: Box<RawValue>,
        /// Where the violation is.
        pointer: String,
        /// What is wrong.
        message: String,
        /// The current version of the table.
        version: String,
    },
    /// The state of the table does not allow this.
    Conflict(String),
    /// The request is about an older version of the table.
    Stale {
        /// The version that the request is about.
        sent: String,
        /// The current version.
        version: String,
    },
    /// The request does not say which version it is about.
    NoPrecondition {
        /// The current version.
        version: String,
    },
    /// A query parameter is invalid.
    Parameter {
        /// Its name.
        name: Cow<'static, str>,
        /// What is wrong and what was expected.
        detail: String,
    },
    /// An id is malformed.
    BadId(String),
    /// The resource does not exist.
    NotFound(String),
    /// The path does not support the method.
    Method {
        /// The method.
        sent: String,
        /// The methods that the path supports.
        allow: &'static str,
    },
    /// The media type of the body is not supported.
    MediaType(String),
    /// The body, or a line of it, is too large.
    TooLarge {
        /// What is too large: `body` or `line`.
        what: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// The body arrived too slowly.
    TooSlow {
        /// The time limit in seconds.
        seconds: u64,
    },
    /// A token is missing or wrong.
    Unauthorized,
    /// The token is valid, but its scope does not allow this.
    Forbidden(&'static str),
    /// The request is addressed to a host name that this server does not have.
    WrongHost(String),
    /// The caller has used up its rate limit.
    Spent(Spent),
    /// The server is unavailable for now.
    Unavailable(String),
    /// The work exceeded the time limit of a request; a retry would, too.
    TookTooLong {
        /// The time limit in seconds.
        seconds: u64,
        /// What to do instead.
        instead: &'static str,
    },
    /// The server failed; the text goes to the log, not to the caller.
    Internal(String),
}

impl ApiError {
    /// The same error; if the work took too long, with what to do instead of this request.
    #[must_use]
    pub fn instead(self, instead: &'static str) -> Self {
        match self {
            ApiError::TookTooLong { seconds, .. } => ApiError::TookTooLong { seconds, instead },
            other => other,
        }
    }

    /// A parameter with an invalid value.
    pub fn parameter(name: &'static str, value: &str, expected: impl fmt::Display) -> Self {
        let shown = shorten(value);
        ApiError::Parameter {
            name: Cow::Borrowed(name),
            detail: format!("{name} is {shown:?}; expected {expected}"),
        }
    }

    /// The code in the table.
    pub fn code(&self) -> Code {
        match self {
            ApiError::Fault(fault) => fault.code.into(),
            ApiError::Illegal { .. } => Code::RecordIllegal,
            ApiError::Refused { .. } => Code::ActionRefused,
            ApiError::Conflict(_) => Code::Conflict,
            ApiError::Stale { .. } => Code::Stale,
            ApiError::NoPrecondition { .. } => Code::PreconditionRequired,
            ApiError::Parameter { .. } => Code::BadParameter,
            ApiError::BadId(_) => Code::BadId,
            ApiError::NotFound(_) => Code::NotFound,
            ApiError::Method { .. } => Code::MethodNotAllowed,
            ApiError::MediaType(_) => Code::UnsupportedMediaType,
            ApiError::TooLarge { .. } => Code::BodyTooLarge,
            ApiError::TooSlow { .. } => Code::RequestTimeout,
            ApiError::Unauthorized => Code::Unauthorized,
            ApiError::Forbidden(_) => Code::Forbidden,
            ApiError::WrongHost(_) => Code::WrongHost,
            ApiError::Spent(_) => Code::TooManyRequests,
            ApiError::Unavailable(_) | ApiError::TookTooLong { .. } => Code::Unavailable,
            ApiError::Internal(_) => Code::Internal,
        }
    }

    /// The problem to send to the caller.
    pub fn problem(&self) -> Problem {
        let code = self.code();
        let mut problem = Problem::new(code, "");
        match self {
            ApiError::Fault(fault) => {
                problem.detail.clone_from(&fault.detail);
                problem.pointer = Some(Cow::Owned(fault.pointer.clone()));
                problem.rule = fault.rule;
                problem.invariant.clone_from(&fault.invariant);
            }
            ApiError::Illegal { verdict, pointer, message } => {
                problem.detail = format!("{message}; to store the record anyway, send accept=any");
                problem.pointer = Some(Cow::Owned(pointer.clone()));
                problem.verdict = Some(verdict.clone());
            }
            ApiError::Refused { violation, pointer, message, version } => {
                problem.detail.clone_from(message);
                problem.pointer = Some(Cow::Owned(pointer.clone()));
                problem.violation = Some(violation.clone());
                problem.version = Some(version.clone());
            }
            ApiError::Stale { sent, version } => {
                problem.detail = format!("the table is at version {version}, not {sent}");
                problem.version = Some(version.clone());
            }
            ApiError::NoPrecondition { version } => {
                problem.detail = format!(
                    "If-Match is missing; send the version of the table that you saw, for example \"{version}\""
                );
                problem.version = Some(version.clone());
            }
            ApiError::Parameter { name, detail } => {
                problem.detail.clone_from(detail);
                problem.parameter = Some(name.clone().into_owned());
            }
            ApiError::BadId(detail)
            | ApiError::Conflict(detail)
            | ApiError::NotFound(detail)
            | ApiError::MediaType(detail)
            | ApiError::Unavailable(detail) => problem.detail.clone_from(detail),
            ApiError::WrongHost(name) => {
                problem.detail = format!(
                    "{name:?} is not a host name of this server; the operator can allow it with --host"
                );
            }
            ApiError::Spent(Spent { what, retry_after }) => {
                problem.detail =
                    format!("the limit of {what} is used up; try again in {retry_after} seconds");
            }
            ApiError::Method { sent, allow } => {
                problem.detail =
                    format!("this path does not support {sent}; expected one of {allow}");
            }
            ApiError::TooLarge { what, limit } => {
                problem.detail = format!("the {what} exceeds the limit of {limit} bytes");
            }
            ApiError::TooSlow { seconds } => {
                problem.detail = format!("the body was not complete after {seconds} seconds");
            }
            ApiError::TookTooLong { seconds, instead } => {
                problem.detail =
                    format!("the work exceeded the time limit of {seconds} seconds; {instead}");
            }
            ApiError::Unauthorized => code.entry().example.clone_into(&mut problem.detail),
            ApiError::Forbidden(detail) => (*detail).clone_into(&mut problem.detail),
            ApiError::Internal(_) => code.entry().example.clone_into(&mut problem.detail),
        }
        problem
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

impl fmt::Display for ApiError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApiError::Internal(detail) => to.write_str(detail),
            other => to.write_str(&other.problem().detail),
        }
    }
}

impl std::error::Error for ApiError {}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        ApiError::Fault(fault)
    }
}

impl From<Unanswered> for ApiError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Fault(fault) => ApiError::Fault(fault),
            Unanswered::NoSuchPly { asked, plies } => ApiError::NotFound(format!(
                "the record has no ply {asked}; its plies are 0 to {plies}"
            )),
        }
    }
}

impl From<Unadvised> for ApiError {
    fn from(unadvised: Unadvised) -> Self {
        match unadvised {
            Unadvised::Unanswered(unanswered) => unanswered.into(),
            Unadvised::Over => {
                ApiError::NotFound("no seat has to decide at this ply: the game is over".to_owned())
            }
            Unadvised::NotAsked { deciders } => ApiError::NotFound(format!(
                "that seat does not decide at this ply; expected {}",
                deciders.join(", ")
            )),
            Unadvised::NoWorld => {
                ApiError::NotFound("no position is consistent with what the seat knows".to_owned())
            }
        }
    }
}

impl From<NoAnswer> for ApiError {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Unanswered(unanswered) => unanswered.into(),
            NoAnswer::Illegal { rule, message } => {
                let detail = format!("the action is illegal at this ply: {message} ({rule})");
                ApiError::Fault(Fault::new(FaultCode::BadRecord, "/action", detail))
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy | StoreError::Unavailable(_) => {
                tracing::warn!(%error, "store");
                ApiError::Unavailable("the store is unavailable; try again later".to_owned())
            }
            StoreError::Rejected(_) => {
                ApiError::Fault(Fault::new(FaultCode::BadRecord, "", error.to_string()))
            }
            StoreError::Cursor => ApiError::NotFound(error.to_string()),
            StoreError::Corrupt(_) | StoreError::Newer(_) => ApiError::Internal(error.to_string()),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        // Every status in the table is valid; a test checks them all.
        StatusCode::from_u16(self.code().entry().status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        if let ApiError::Internal(detail) = self {
            tracing::error!(detail, "internal error");
        }
        let mut answer = HttpResponse::build(self.status_code());
        answer.content_type(PROBLEM_JSON);
        match self {
            ApiError::Method { allow, .. } => {
                answer.insert_header((header::ALLOW, HeaderValue::from_static(allow)));
            }
            ApiError::MediaType(_) => {
                answer.insert_header((header::ACCEPT_ENCODING, CODINGS));
            }
            ApiError::Unauthorized => {
                answer.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
            }
            ApiError::Forbidden(_) => {
                answer.insert_header((
                    header::WWW_AUTHENTICATE,
                    "Bearer error=\"insufficient_scope\"",
                ));
            }
            ApiError::Spent(Spent { retry_after, .. }) => {
                answer.insert_header((header::RETRY_AFTER, *retry_after));
            }
            ApiError::Unavailable(_) => {
                answer.insert_header((header::RETRY_AFTER, "5"));
            }
            _ => {}
        }
        answer.body(json::text(&self.problem()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_at_most_28_codes_each_with_a_real_status() {
        assert!(Code::ALL.len() <= 28, "{}", Code::ALL.len());
        for code in Code::ALL {
            let entry = code.entry();
            let status = StatusCode::from_u16(entry.status).unwrap();
            assert!(status.is_client_error() || status.is_server_error(), "{}", entry.code);
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
