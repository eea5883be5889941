//! The problem codes and their meaning: the target of the `type` link of a problem.
//!
//! This module must not contain a list of codes; the table in [`crate::http::error`] is the only one.

use actix_web::HttpResponse;
use actix_web::web::Path;
use serde::Serialize;

use crate::http::error::{ApiError, Code, Problem, shorten};
use crate::http::fixed::Fixed;
use crate::http::query::Query;
use umpire_referee::query::NoParameters;

/// The meaning of a code.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodeInfo {
    /// The stable name.
    code: Code,
    /// The HTTP status.
    #[cfg_attr(feature = "openapi", schema(minimum = 400, maximum = 599))]
    status: u16,
    /// The kind of error in a few words.
    title: &'static str,
    /// When the error is sent.
    about: &'static str,
    /// An example.
    example: Problem,
}

impl CodeInfo {
    /// The table entry of a code.
    pub fn of(code: Code) -> Self {
        let entry = code.entry();
        CodeInfo {
            code,
            status: entry.status,
            title: entry.title,
            about: entry.about,
            example: code.example(),
        }
    }
}

/// Every code.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodeList {
    /// The codes, in the order of the table.
    problems: Vec<CodeInfo>,
}

impl CodeList {
    /// The whole table.
    pub fn all() -> Self {
        CodeList { problems: Code::ALL.iter().copied().map(CodeInfo::of).collect() }
    }
}

/// Lists all problem codes.
///
/// A single table contains every `code` that a response of this service can have.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/problems", tag = "documentation", operation_id = "list_problems",
    responses((status = 200, description = "The table of codes.", body = CodeList))
))]
pub async fn list_problems(_: Query<NoParameters>, fixed: Fixed) -> HttpResponse {
    fixed.json(&CodeList::all())
}

/// Explains a problem code.
///
/// The `type` link of every problem points here.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/problems/{code}", tag = "documentation", operation_id = "get_problem",
    params(("code" = Code, Path, description = "The code of a problem.", example = "bad_json")),
    responses((status = 200, description = "The meaning of the code.", body = CodeInfo))
))]
pub async fn get_problem(
    code: Path<String>,
    _: Query<NoParameters>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    match Code::parse(&code) {
        Some(code) => Ok(fixed.json(&CodeInfo::of(code))),
        None => Err(ApiError::not_found(format!("unknown problem code {:?}", shorten(&code)))),
    }
}
