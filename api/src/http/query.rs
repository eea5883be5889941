//! Query parameters as an argument of handlers.
//!
//! This module must not know any route.

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use umpire_referee::query::{Parameters, parameters};

use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code};

/// The query parameters of a route, read strictly.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Parameters> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parameters(request.query_string()).map(Query).map_err(ApiError::from))
    }
}

impl<T: Parameters> Demand for Query<T> {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::BadParameter]);
        contract.errors(T::ERRORS);
    }
}
