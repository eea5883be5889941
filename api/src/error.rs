//! Everything that can go wrong with a request: one enum and one table.
//!
//! An answer with an error is `application/problem+json` (RFC 9457). The table says for each code
//! its status, its title and what it means, and the OpenAPI document and the problem pages are
//! made of it. This module must not know any game, and must not call an illegal record an error:
//! a verdict is a result.

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

/// How a body may be compressed, as the header `Accept-Encoding` of a refusal says it.
pub const CODINGS: &str = "gzip, zstd";

/// The media type of an error.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Makes the enum of codes and its table: one entry, one code.
macro_rules! codes {
    ($( $variant:ident = $name:literal, $status:literal, $title:literal, $about:literal, $example:literal $(, at $pointer:literal)?; )*) => {
        /// A stable name for a kind of error.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $( #[doc = $title] $variant, )*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[ $( Code::$variant ),* ];

            /// What the table says of this code.
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
    BadJson = "bad_json", 400, "The body is no JSON",
        "The body is not valid JSON (the detail names the line and column), or not valid UTF-8 (it names the byte).",
        "this is no JSON: EOF while parsing an object at line 1 column 1";
    BadRecord = "bad_record", 422, "The JSON is no record",
        "A field of the record is missing, unknown, given twice or of the wrong type, or the record has no canonical form to be stored in (an action that is nested too deeply, or has a field twice).",
        "there is no field \"colour\" here; the fields are format, game, ruleset, options, players, chance, position, actions, claims, meta", at "/colour";
    UnknownFormat = "unknown_format", 422, "The record's format is unknown",
        "`format` is not `umpire/1`.",
        "format \"umpire/7\" is unknown; \"umpire/1\" is expected", at "/format";
    UnknownGame = "unknown_game", 422, "The game is unknown",
        "`game` is not the id of a registered game; `GET /v1/games` lists them.",
        "game \"ludo\" is unknown", at "/game";
    UnknownRuleset = "unknown_ruleset", 422, "The ruleset is unknown",
        "`ruleset` is no released version of that game's rules.",
        "ruleset \"ludo@9\" is unknown; \"ludo@1\" is known", at "/ruleset";
    BadOptions = "bad_options", 422, "The options cannot be read",
        "`options` has a wrong type, an unknown field, an unknown ruling or an unknown reading.",
        "there is no field \"speed\" here; the only field is rulings", at "/options/speed";
    OptionsRefused = "options_refused", 409, "The rules refuse the options",
        "`options` is well formed, but its data break a rule; `rule` names the clause. Or `players` names a seat that is not in use under the options, or a reading names an edition, ruling or value that the game does not have, or records of two games are to be compared.",
        "a deck of 37 cards; 38 are expected", at "/options";
    BadPosition = "bad_position", 422, "The position cannot be read",
        "`position` has a wrong type or an unknown field.",
        "a string is expected, not the number 1", at "/position";
    PositionRefused = "position_refused", 409, "The rules refuse the position",
        "`position` is well formed, but breaks an invariant of the rules; `rule` and `invariant` name it.",
        "two figures stand on one hex", at "/position";
    TooManyActions = "too_many_actions", 422, "The record has too many actions",
        "The record has more actions than this server replays, or more than it replays with every state in the answer.",
        "more than 20000 actions; this engine replays at most that many", at "/actions";
    BadParameter = "bad_parameter", 422, "A query parameter is wrong",
        "A query parameter is unknown, given twice, or has a value that it cannot have; `parameter` names it.",
        "ply is \"last\"; a whole number from 0 to 4294967295 is expected";
    BadId = "bad_id", 400, "The id is none",
        "The id in the path has not the form of one.",
        "\"x\" is no id: 64 lower-case hexadecimal digits are expected";
    NotFound = "not_found", 404, "There is nothing here",
        "The path, the game, the clause, the record, the ply or the seat does not exist. The detail says which.",
        "there is no clause \"XYZ-99\" in this game";
    MethodNotAllowed = "method_not_allowed", 405, "The path does not take this method",
        "The path exists, but not with this method; the header `Allow` lists those that it takes.",
        "this path takes GET and HEAD, not PATCH";
    UnsupportedMediaType = "unsupported_media_type", 415, "The body's type is not taken",
        "The `Content-Type` is missing or not taken here, or the body is compressed in another way than `gzip` or `zstd`.",
        "Content-Type is \"text/plain\"; application/json is expected";
    BodyTooLarge = "body_too_large", 413, "The body is too large",
        "The body, or one line of it, has more bytes than this server reads.",
        "the body is longer than 4194304 bytes";
    RequestTimeout = "request_timeout", 408, "The body came too slowly",
        "The body was not sent in time.",
        "the body was not complete after 30 seconds";
    WrongHost = "wrong_host", 421, "The server does not answer to this name",
        "The header `Host` names neither this machine nor a name that the server was started with (`--host`). So no web page can ask by a name of its own that it makes lead here.",
        "this server does not answer to the name \"attacker.example\"";
    RecordIllegal = "record_illegal", 409, "The record is illegal",
        "The record is not stored because it is illegal; `verdict` says why. With `accept=any` it is stored all the same, together with its verdict.",
        "the action at ply 3 is refused; send accept=any to store the record for a dispute", at "/actions/3";
    ActionRefused = "action_refused", 422, "The rules refuse the action",
        "The action was not taken at the table, and nothing has changed; `violation` says why, as a verdict does. Where a record is judged, an illegal action is a result (200): there the record holds it. A table holds only what was taken, so that here it is an error.",
        "drop is no action that is asked for here";
    Conflict = "conflict", 409, "The table is not in a state for this",
        "The table has become a record, its seed is still being drawn (or drawn already), what is to be taken back told somebody something, or the name of the request was used for another one. The detail says which.",
        "the table is closed: it became a record";
    Stale = "stale", 412, "The table has moved on",
        "`If-Match` names another moment than the present one, and this seat is not asked what it was asked then; `version` is the present one.",
        "the table is at 42, not at 41";
    PreconditionRequired = "precondition_required", 428, "The request must say what it is about",
        "The header `If-Match` is missing: it names the moment of the table that the action is meant for, so that no action is taken by accident twice or too late.",
        "send If-Match with the version that you saw, \"41\" say";
    Unauthorized = "unauthorized", 401, "A token is needed",
        "This server asks for a bearer token for this request, and none, or a wrong one, was sent.",
        "send a known token as Authorization: Bearer …";
    Forbidden = "forbidden", 403, "The token does not reach so far",
        "The token that was sent is known, but not for this: it may only read, or only look at certain records as one viewer. Whether a record is stored that it has nothing to do with is not said.",
        "this token may not read all records";
    TooManyRequests = "too_many_requests", 429, "The caller has had its share",
        "The token or the address has had as many requests, or as much time of the processor, as this server gives one caller a minute. `RateLimit` says what is left, `Retry-After` when to try again.",
        "600 requests a minute are given to one caller, and they are used up; try again after 3 seconds";
    Unavailable = "unavailable", 503, "The server cannot do this now",
        "Too much is going on, or the store cannot be reached: the header `Retry-After` says when to try again. Or the work took longer than this server gives a request: then there is no `Retry-After`, because the same request would take as long again, and the detail says what to do instead.",
        "too many requests are being worked on";
    Internal = "internal", 500, "The server failed",
        "A fault of the server, not of the request. The log has more under the request id of the answer.",
        "the server failed; its log says more under this request id";
}

/// One line of the table of codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    /// The stable name.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The kind of error in a few words.
    pub title: &'static str,
    /// When it is sent, in full sentences.
    pub about: &'static str,
    /// A detail as it may be sent.
    pub example: &'static str,
    /// The pointer that goes with the example.
    pub pointer: Option<&'static str>,
}

impl Code {
    /// The code of that name.
    pub fn parse(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.entry().code == name)
    }

    /// A problem as it may be sent.
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
    /// A link to what the code means.
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
    /// What is wrong with this request: the path, the value, and what was expected.
    pub detail: String,
    /// The field at fault, a JSON pointer into the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub pointer: Option<Cow<'static, str>>,
    /// The query parameter at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub parameter: Option<String>,
    /// The clause that refuses options or position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub rule: Option<&'static str>,
    /// The invariant that a position breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub invariant: Option<String>,
    /// The line of an NDJSON body, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u64, minimum = 1, required = false))]
    pub line: Option<u64>,
    /// Why the rules refuse an action at a table: the same as in a verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Violation, required = false))]
    pub violation: Option<Box<RawValue>>,
    /// The present moment of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false))]
    pub version: Option<String>,
    /// The verdict on a record that is not stored because it is illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Judgement, required = false))]
    pub verdict: Option<Box<RawValue>>,
}

impl Problem {
    /// A problem with nothing but a detail.
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

/// Why a handler gives no answer.
#[derive(Clone, Debug)]
pub enum ApiError {
    /// The record cannot be replayed.
    Fault(Fault),
    /// The record is illegal, and nobody said that it shall be stored all the same.
    Illegal {
        /// Its judgement, as JSON.
        verdict: Box<RawValue>,
        /// The place of the violation.
        pointer: String,
        /// What is wrong.
        message: String,
    },
    /// The rules refuse an action at a table.
    Refused {
        /// Why, as JSON.
        violation: Box<RawValue>,
        /// The place of the violation.
        pointer: String,
        /// What is wrong.
        message: String,
        /// The present moment of the table.
        version: String,
    },
    /// A table is not in a state for this.
    Conflict(String),
    /// A table has moved on.
    Stale {
        /// The moment that the request is about.
        sent: String,
        /// The present one.
        version: String,
    },
    /// A request does not say which moment it is about.
    NoPrecondition {
        /// The present one.
        version: String,
    },
    /// A query parameter is wrong.
    Parameter {
        /// Its name.
        name: Cow<'static, str>,
        /// What is wrong and what was expected.
        detail: String,
    },
    /// An id has not the form of one.
    BadId(String),
    /// Nothing is there.
    NotFound(String),
    /// The path does not take the method.
    Method {
        /// The method.
        sent: String,
        /// What the path takes.
        allow: &'static str,
    },
    /// The body is of a type that is not taken.
    MediaType(String),
    /// The body, or a line of it, is too long.
    TooLarge {
        /// What is too long: `body` or `line`.
        what: &'static str,
        /// The most bytes.
        limit: usize,
    },
    /// The body came too slowly.
    TooSlow {
        /// The seconds it may take.
        seconds: u64,
    },
    /// A token is missing or wrong.
    Unauthorized,
    /// The token is known, but does not allow this.
    Forbidden(&'static str),
    /// The server does not answer to the name that the request is addressed to.
    WrongHost(String),
    /// The caller has had what it may have a minute.
    Spent(Spent),
    /// The server cannot do this now.
    Unavailable(String),
    /// The work took longer than a request may: the same request again would, too.
    TookTooLong {
        /// The seconds it may take.
        seconds: u64,
        /// What to do instead.
        instead: &'static str,
    },
    /// The server failed; the text goes to the log, not to the caller.
    Internal(String),
}

impl ApiError {
    /// The same error, where it is one of work that took too long, with what to do instead of this request.
    #[must_use]
    pub fn instead(self, instead: &'static str) -> Self {
        match self {
            ApiError::TookTooLong { seconds, .. } => ApiError::TookTooLong { seconds, instead },
            other => other,
        }
    }

    /// A parameter whose value is none of those it can have.
    pub fn parameter(name: &'static str, value: &str, expected: impl fmt::Display) -> Self {
        let shown = shorten(value);
        ApiError::Parameter {
            name: Cow::Borrowed(name),
            detail: format!("{name} is {shown:?}; {expected} is expected"),
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

    /// What the caller is told.
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
                problem.detail =
                    format!("{message}; send accept=any to store the record for a dispute");
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
                problem.detail = format!("the table is at {version}, not at {sent}");
                problem.version = Some(version.clone());
            }
            ApiError::NoPrecondition { version } => {
                problem.detail =
                    format!("send If-Match with the version that you saw, \"{version}\" say");
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
                problem.detail = format!("this server does not answer to the name {name:?}");
            }
            ApiError::Spent(Spent { what, retry_after }) => {
                problem.detail = format!(
                    "{what} are given to one caller, and they are used up; try again after {retry_after} seconds"
                );
            }
            ApiError::Method { sent, allow } => {
                problem.detail = format!("this path takes {allow}, not {sent}");
            }
            ApiError::TooLarge { what, limit } => {
                problem.detail = format!("the {what} is longer than {limit} bytes");
            }
            ApiError::TooSlow { seconds } => {
                problem.detail = format!("the body was not complete after {seconds} seconds");
            }
            ApiError::TookTooLong { seconds, instead } => {
                problem.detail = format!("the work took longer than {seconds} seconds; {instead}");
            }
            ApiError::Unauthorized => code.entry().example.clone_into(&mut problem.detail),
            ApiError::Forbidden(detail) => (*detail).clone_into(&mut problem.detail),
            ApiError::Internal(_) => code.entry().example.clone_into(&mut problem.detail),
        }
        problem
    }
}

/// The beginning of a value that a caller sent, so that an error is never as long as its cause.
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
                "the record has no ply {asked}; it has the plies 0 to {plies}"
            )),
        }
    }
}

impl From<Unadvised> for ApiError {
    fn from(unadvised: Unadvised) -> Self {
        match unadvised {
            Unadvised::Unanswered(unanswered) => unanswered.into(),
            Unadvised::Over => {
                ApiError::NotFound("nobody decides there: the game is over".to_owned())
            }
            Unadvised::NotAsked { deciders } => ApiError::NotFound(format!(
                "that seat does not decide there; {} does",
                deciders.join(", ")
            )),
            Unadvised::NoWorld => {
                ApiError::NotFound("no position fits what the seat knows".to_owned())
            }
        }
    }
}

impl From<NoAnswer> for ApiError {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Unanswered(unanswered) => unanswered.into(),
            NoAnswer::Illegal { rule, message } => {
                let detail = format!("the action is illegal there: {message} ({rule})");
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
                ApiError::Unavailable("the store cannot be used right now".to_owned())
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
        // Every status in the table is a valid one; a test goes through them.
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
