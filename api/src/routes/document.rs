//! The OpenAPI document, and a page to read and try it, served from the binary.
//!
//! This module must not refer to another host.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use utoipa_swagger_ui::Config;

use crate::body::JSON;
use crate::description;
use crate::error::{ApiError, shorten};
use crate::query::{NoParameters, Query};

/// The OpenAPI document.
///
/// Version 3.1. Also found at `/openapi.json`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/openapi.json", tag = "documentation", operation_id = "get_openapi",
    responses((status = 200, description = "The document.", body = crate::schemas::Document))
))]
pub async fn get_openapi(_: Query<NoParameters>) -> HttpResponse {
    HttpResponse::Ok().content_type(JSON).body(description::TEXT)
}

/// Leads to the page.
pub async fn to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/v1/docs/")).finish()
}

/// The files of the page.
pub async fn get_docs(request: HttpRequest, file: Path<String>) -> Result<HttpResponse, ApiError> {
    let config = Arc::new(Config::new(["/v1/openapi.json"]).validator_url("none"));
    let found = utoipa_swagger_ui::serve(&file, config)
        .map_err(|error| ApiError::Internal(format!("the page cannot be made: {error}")))?;
    let Some(found) = found else {
        let path = shorten(request.path()).into_owned();
        return Err(ApiError::NotFound(format!("the page has no file {path:?}")));
    };
    let mut answer = HttpResponse::Ok();
    if found.gzpipped {
        answer.insert_header((header::CONTENT_ENCODING, "gzip"));
    }
    answer.insert_header((
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    ));
    Ok(answer.content_type(found.content_type).body(found.bytes.into_owned()))
}
