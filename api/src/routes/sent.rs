//! Request bodies as arguments of handlers: a single JSON value, or records as NDJSON.
//!
//! This module must not parse JSON.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use actix_web::dev;
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{FromRequest, HttpRequest};

use crate::http::body::{self, Kind};
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code};
use crate::service::Service;
use umpire_referee::schemas::GameRecord;

/// The content of a body.
pub trait Content: 'static {
    /// What can be wrong with it, besides the transfer.
    const ERRORS: &'static [&'static [Code]];
}

/// What can be wrong with a record.
pub const RECORD_ERRORS: &[Code] = &[
    Code::BadJson,
    Code::BadRecord,
    Code::UnknownFormat,
    Code::UnknownGame,
    Code::UnknownRuleset,
    Code::BadOptions,
    Code::OptionsRefused,
    Code::BadPosition,
    Code::PositionRefused,
    Code::TooManyActions,
];

/// What can be wrong with any body.
const BODY_ERRORS: &[Code] =
    &[Code::UnsupportedMediaType, Code::BodyTooLarge, Code::RequestTimeout];

impl Content for GameRecord {
    const ERRORS: &'static [&'static [Code]] = &[RECORD_ERRORS];
}

/// The text of an `application/json` body that should contain a `T`; not parsed yet.
#[derive(Debug)]
pub struct Sent<T> {
    /// The bytes, within the size limit of the service.
    pub text: Bytes,
    of: PhantomData<fn() -> T>,
}

/// The body, or why there is none, once it has arrived.
type BodyFuture<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// The decompressed body of a request, still to be read.
fn unpacked(
    request: &HttpRequest,
    payload: &mut dev::Payload,
) -> Result<<Payload as FromRequest>::Future, ApiError> {
    let mut payload = body::unpacked(request.headers(), payload.take())?;
    Ok(Payload::from_request(request, &mut payload))
}

async fn whole(
    request: HttpRequest,
    payload: Result<Payload, actix_web::Error>,
) -> Result<Bytes, ApiError> {
    let payload = payload.map_err(broken)?;
    let Some(service) = request.app_data::<Data<Service>>() else {
        return Err(ApiError::internal("the service is not set up".to_owned()));
    };
    {
        let limits = &service.limits;
        body::read(request.headers(), payload, limits.max_body, limits.body_seconds).await
    }
}

/// The payload of a request cannot be extracted, which happens only if another argument took it.
fn broken(error: actix_web::Error) -> ApiError {
    ApiError::internal(format!("the body was already taken: {error}"))
}

impl<T: Content> FromRequest for Sent<T> {
    type Error = ApiError;
    type Future = BodyFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut dev::Payload) -> Self::Future {
        let (request, payload) = (request.clone(), unpacked(request, payload));
        Box::pin(async move {
            body::json_only(request.headers())?;
            Ok(Sent { text: whole(request, payload?.await).await?, of: PhantomData })
        })
    }
}

impl<T: Content> Demand for Sent<T> {
    fn demand(contract: &mut Contract) {
        T::ERRORS.iter().for_each(|codes| contract.errors(codes));
        contract.errors(BODY_ERRORS);
    }
}

/// A single record, or many as NDJSON.
pub enum Records {
    /// The text of a record, of type `application/json`.
    One(Bytes),
    /// Lines that are still arriving, of type `application/x-ndjson`.
    Lines(Payload),
}

impl FromRequest for Records {
    type Error = ApiError;
    type Future = BodyFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut dev::Payload) -> Self::Future {
        let (request, payload) = (request.clone(), unpacked(request, payload));
        Box::pin(async move {
            Ok(match body::kind(request.headers())? {
                Kind::Json => Records::One(whole(request, payload?.await).await?),
                Kind::Ndjson => Records::Lines(payload?.await.map_err(broken)?),
            })
        })
    }
}

impl Demand for Records {
    fn demand(contract: &mut Contract) {
        Sent::<GameRecord>::demand(contract);
    }
}
