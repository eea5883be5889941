//! The OpenAPI document, and a page to read and try it, served from the binary.
//!
//! This module must not refer to another host.

use std::sync::Arc;

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::Config;

use crate::body::JSON;
use crate::description;
use crate::error::{ApiError, shorten};
use crate::fixed::Fixed;
use crate::query::{NoParameters, Query};

/// The OpenAPI document.
///
/// Version 3.1. Also found at `/openapi.json`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/openapi.json", tag = "documentation", operation_id = "get_openapi",
    responses((status = 200, description = "The document.", body = crate::schemas::Document))
))]
pub async fn get_openapi(_: Query<NoParameters>, fixed: Fixed) -> HttpResponse {
    fixed.text(JSON, description::TEXT)
}

/// Leads to the page.
pub async fn to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/v1/docs/")).finish()
}

/// The files of the page.
pub async fn get_docs(
    request: HttpRequest,
    file: Path<String>,
    fixed: Fixed,
) -> Result<HttpResponse, ApiError> {
    let config = Arc::new(Config::new(["/v1/openapi.json"]).validator_url("none"));
    let found = utoipa_swagger_ui::serve(&file, config)
        .map_err(|error| ApiError::Internal(format!("the page cannot be made: {error}")))?;
    let Some(found) = found else {
        let path = shorten(request.path()).into_owned();
        return Err(ApiError::NotFound(format!("the page has no file {path:?}")));
    };
    let coding = found.gzpipped.then_some("gzip");
    let mut answer = fixed.coded(&found.content_type, coding, found.bytes.into_owned().into());
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, PAGE_POLICY);
    Ok(answer)
}

/// What the page may load, and that no other page may hold it.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
);
