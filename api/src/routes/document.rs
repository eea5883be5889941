//! The OpenAPI document.
//!
//! The page that shows it is in [`super::page`]. This module must not refer to another host.

use actix_web::HttpResponse;

use crate::documents::description;
use crate::http::body::JSON;
use crate::http::fixed::Fixed;
use crate::http::query::Query;
use umpire_referee::query::NoParameters;

/// The OpenAPI document.
///
/// OpenAPI version 3.1. Also available at `/openapi.json`.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/openapi.json", tag = "documentation", operation_id = "get_openapi",
    responses((status = 200, description = "The document.", body = umpire_referee::schemas::OpenApiDocument))
))]
pub async fn get_openapi(_: Query<NoParameters>, fixed: Fixed) -> HttpResponse {
    fixed.text(JSON, description::TEXT)
}
