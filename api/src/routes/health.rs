//! Liveness, readiness, and metrics of the service.
//!
//! For operators; not part of the versioned API. This module must not touch records.

use std::sync::atomic::Ordering;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, http::header};

use tokio::time::timeout;

use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::routes::access::MayWatch;
use crate::service::Service;
use umpire_referee::query::NoParameters;

/// Liveness probe.
///
/// Responds as soon as the server handles requests at all.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/healthz", tag = "operation", operation_id = "get_health",
    responses((status = 200, description = "The process is alive.", body = String, content_type = "text/plain", example = "ok\n"))
))]
pub async fn get_health(_: Query<NoParameters>) -> HttpResponse {
    plain("ok\n".to_owned())
}

/// Readiness probe.
///
/// Checks the store; a load balancer should send no requests while this fails.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/readyz", tag = "operation", operation_id = "get_readiness",
    responses((status = 200, description = "The server is ready.", body = String, content_type = "text/plain", example = "ready\n"))
))]
pub async fn get_readiness(
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    // It is draining: it keeps serving for some seconds (`--drain-seconds`).
    if service.draining.load(Ordering::Relaxed) {
        return Err(ApiError::unavailable("the service is shutting down".to_owned()));
    }
    let patience = Duration::from_secs(service.limits.queue_seconds);
    match timeout(patience, service.store.ready()).await {
        Ok(ready) => ready?,
        Err(_) => return Err(ApiError::unavailable("the store does not answer".to_owned())),
    }
    Ok(plain("ready\n".to_owned()))
}

/// Metrics.
///
/// In the Prometheus text format. The metrics reveal how many of the submitted records were already
/// stored, so if reading is protected, they require a token as well.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/metrics", tag = "operation", operation_id = "get_metrics",
    responses((status = 200, description = "The metrics.", body = String, content_type = "text/plain",
        example = "# HELP umpire_http_requests_running Requests in progress.\n# TYPE umpire_http_requests_running gauge\numpire_http_requests_running 1\n"))
))]
pub async fn get_metrics(
    _: MayWatch,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    service.metrics.damaged(service.store.damaged());
    let text = service.metrics.text().map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(plain(text))
}

fn plain(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(text)
}
