//! Arguments of handlers that are available at once.
//!
//! This module must not know any route.

use std::future::{Ready, ready};

use actix_web::HttpRequest;

use super::error::ApiError;

/// The named part of a path.
pub fn segment<'a>(request: &'a HttpRequest, name: &str) -> &'a str {
    request.match_info().get(name).unwrap_or_default()
}

/// An argument of a handler that is available at once.
pub type Here<T> = Ready<Result<T, ApiError>>;

/// Makes a [`Here`].
pub fn here<T>(found: Result<T, ApiError>) -> Here<T> {
    ready(found)
}
