//! Request errors: a problem, and what HTTP says beside it.
//!
//! Codes, titles and details are those of `umpire_referee::problem`; here are the problems that only
//! a service has. This module must not know any game.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde_json::value::RawValue;
use umpire_engine::record::Fault;
use umpire_referee::json;
pub use umpire_referee::problem::{Code, Problem, shorten};

/// The content codings accepted for request bodies, as sent in `Accept-Encoding` of a refusal.
pub const CODINGS: &str = "gzip, zstd";

/// The media type of an error body.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// The seconds after which an overloaded server may be asked again.
const AGAIN: u64 = 5;

/// Why a handler cannot answer a request.
#[derive(Clone, Debug)]
pub enum ApiError {
    /// What is sent to the caller.
    Problem(Problem),
    /// The path does not support the method; these it supports.
    Method(Problem, &'static str),
    /// The work exceeded the time limit of a request; a retry would, too.
    TookTooLong {
        /// The time limit in seconds.
        seconds: u64,
        /// What to do instead.
        instead: &'static str,
    },
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

    fn new(code: Code, detail: impl Into<String>) -> Self {
        ApiError::Problem(Problem::new(code, detail))
    }

    /// A parameter with an invalid value.
    pub fn parameter(name: &str, value: &str, expected: impl fmt::Display) -> Self {
        Problem::parameter(name, value, expected).into()
    }

    /// The resource does not exist.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Problem::not_found(detail).into()
    }

    /// An id is malformed.
    pub fn bad_id(detail: impl Into<String>) -> Self {
        ApiError::new(Code::BadId, detail)
    }

    /// The state of the table does not allow this.
    pub fn conflict(detail: impl Into<String>) -> Self {
        ApiError::new(Code::Conflict, detail)
    }

    /// The request is about an older version of the table than the present one.
    pub fn stale(sent: &str, version: String) -> Self {
        let problem =
            Problem::new(Code::Stale, format!("the table is at version {version}, not {sent}"));
        ApiError::at_version(problem, version)
    }

    /// The request does not say which version it is about.
    pub fn no_precondition(version: String) -> Self {
        let detail = format!(
            "If-Match is missing; send the version of the table that you saw, for example \"{version}\""
        );
        ApiError::at_version(Problem::new(Code::PreconditionRequired, detail), version)
    }

    /// An action is illegal at a table: why, as JSON, where and what in words.
    pub fn refused(
        violation: Box<RawValue>,
        pointer: String,
        message: String,
        version: String,
    ) -> Self {
        let mut problem = Problem::new(Code::ActionRefused, message);
        problem.pointer = Some(pointer.into());
        problem.violation = Some(violation);
        ApiError::at_version(problem, version)
    }

    fn at_version(mut problem: Problem, version: String) -> Self {
        problem.version = Some(version);
        problem.into()
    }

    /// The path does not support the method.
    pub fn method(sent: &str, allow: &'static str) -> Self {
        let detail = format!("this path does not support {sent}; expected one of {allow}");
        ApiError::Method(Problem::new(Code::MethodNotAllowed, detail), allow)
    }

    /// The media type of the body is not supported.
    pub fn media_type(detail: impl Into<String>) -> Self {
        ApiError::new(Code::UnsupportedMediaType, detail)
    }

    /// The body, or a line of it, is too large.
    pub fn too_large(what: &str, limit: usize) -> Self {
        Problem::too_large(what, limit).into()
    }

    /// Other responses use the memory for responses.
    pub fn no_memory() -> Self {
        let detail = "too many large responses are being sent; try again later";
        ApiError::unavailable(detail.to_owned())
    }

    /// The body arrived too slowly.
    pub fn too_slow(seconds: u64) -> Self {
        let detail = format!("the body was not complete after {seconds} seconds");
        ApiError::new(Code::RequestTimeout, detail)
    }

    /// A token is missing or wrong.
    pub fn unauthorized() -> Self {
        ApiError::new(Code::Unauthorized, Code::Unauthorized.entry().example)
    }

    /// The token is valid, but its scope does not allow this.
    pub fn forbidden(detail: &str) -> Self {
        ApiError::new(Code::Forbidden, detail)
    }

    /// The request is addressed to a host name that this server does not have.
    pub fn wrong_host(name: &str) -> Self {
        let detail = format!(
            "{name:?} is not a host name of this server; the operator can allow it with --host"
        );
        ApiError::new(Code::WrongHost, detail)
    }

    /// The caller has used up its rate limit.
    pub fn spent(what: &str, retry_after: u64) -> Self {
        let detail = format!("the limit of {what} is used up; try again in {retry_after} seconds");
        let mut problem = Problem::new(Code::TooManyRequests, detail);
        problem.retry_after = Some(retry_after);
        problem.into()
    }

    /// The server is unavailable for now.
    pub fn unavailable(detail: impl Into<String>) -> Self {
        let mut problem = Problem::new(Code::Unavailable, detail);
        problem.retry_after = Some(AGAIN);
        problem.into()
    }

    /// The server failed; the cause goes to the log, not to the caller.
    pub fn internal(cause: impl Into<String>) -> Self {
        Problem::internal(cause).into()
    }

    /// The code in the table.
    pub fn code(&self) -> Code {
        match self {
            ApiError::Problem(problem) | ApiError::Method(problem, _) => problem.code,
            ApiError::TookTooLong { .. } => Code::Unavailable,
        }
    }

    /// The problem to send to the caller.
    pub fn problem(&self) -> Problem {
        match self {
            ApiError::Problem(problem) | ApiError::Method(problem, _) => problem.clone(),
            ApiError::TookTooLong { seconds, instead } => {
                let detail =
                    format!("the work exceeded the time limit of {seconds} seconds; {instead}");
                Problem::new(Code::Unavailable, detail)
            }
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(to)
    }
}

impl std::error::Error for ApiError {}

/// Code that does not know HTTP gets the problem alone.
impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Self {
        error.problem()
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        ApiError::Problem(problem)
    }
}

macro_rules! by_problem {
    ($($kind:ty),*) => {
        $(impl From<$kind> for ApiError {
            fn from(why: $kind) -> Self {
                ApiError::Problem(why.into())
            }
        })*
    };
}

by_problem! {
    Fault,
    umpire_engine::analysis::chances::NoAnswer,
    umpire_engine::analysis::hint::Unadvised,
    umpire_engine::replay::answer::Unanswered
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        // Every status in the table is valid; a test checks them all.
        StatusCode::from_u16(self.code().entry().status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let problem = self.problem();
        if let Some(cause) = &problem.cause {
            tracing::error!(detail = cause, "internal error");
        }
        let mut answer = HttpResponse::build(self.status_code());
        answer.content_type(PROBLEM_JSON);
        if let ApiError::Method(_, allow) = self {
            answer.insert_header((header::ALLOW, HeaderValue::from_static(allow)));
        }
        if let Some(seconds) = problem.retry_after {
            answer.insert_header((header::RETRY_AFTER, seconds));
        }
        let header = match problem.code {
            Code::UnsupportedMediaType => Some((header::ACCEPT_ENCODING, CODINGS)),
            Code::Unauthorized => Some((header::WWW_AUTHENTICATE, "Bearer")),
            Code::Forbidden => {
                Some((header::WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\""))
            }
            _ => None,
        };
        if let Some(header) = header {
            answer.insert_header(header);
        }
        answer.body(json::text(&problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_a_status_of_http() {
        for code in Code::ALL {
            let status = ApiError::new(*code, "").status_code();
            assert_eq!(status.as_u16(), code.entry().status);
        }
    }
}
