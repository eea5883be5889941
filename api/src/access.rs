//! Who calls, and proofs that a caller may read or write, as arguments of handlers.
//!
//! This module must not log, print or return a token.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};

use crate::auth::Tokens;
use crate::contract::{Contract, Demand, Security};
use crate::error::{ApiError, Code};
use crate::peer::Peer;
use crate::service::Service;

/// Proof that the caller may store and delete.
#[derive(Clone, Copy, Debug)]
pub struct MayWrite(());

/// Proof that the caller may read stored records.
#[derive(Clone, Copy, Debug)]
pub struct MayRead(());

impl FromRequest for MayWrite {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(check(request, |_| true).map(|()| MayWrite(())))
    }
}

impl FromRequest for MayRead {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(check(request, Tokens::protect_reading).map(|()| MayRead(())))
    }
}

fn check(request: &HttpRequest, needed: impl Fn(&Tokens) -> bool) -> Result<(), ApiError> {
    let Some(service) = request.app_data::<Data<Service>>() else {
        return Err(ApiError::Internal("the service is not set up".to_owned()));
    };
    match &service.tokens {
        Some(tokens) if needed(tokens) && !tokens.allow(request) => Err(ApiError::Unauthorized),
        _ => Ok(()),
    }
}

impl Demand for MayWrite {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::Unauthorized]);
        contract.security = contract.security.max(Security::Writing);
    }
}

impl Demand for MayRead {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::Unauthorized]);
        contract.security = contract.security.max(Security::Reading);
    }
}

/// Who calls, as far as turns and limits go: the address at the other end of the connection.
#[derive(Clone, Copy, Debug)]
pub struct Caller(pub Peer);

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Caller(Peer::of(request.peer_addr()))))
    }
}

impl Demand for Caller {
    fn demand(_: &mut Contract) {}
}

/// Whether the caller may read stored records, which only a request about one has to prove.
pub type Reader = Result<MayRead, ApiError>;

impl Demand for Reader {
    fn demand(contract: &mut Contract) {
        MayRead::demand(contract);
    }
}
