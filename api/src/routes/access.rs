//! The caller of a request, and proofs that they may read or write, as arguments of handlers.
//!
//! This module must not log, print or return a token.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};

use umpire_referee::parameters::{Eyes, STORED};

use crate::auth::names::PublicId;
use crate::auth::tokens::{Grant, SeatOf, Tokens};
use crate::http::contract::{Contract, Demand, Security};
use crate::http::error::ApiError;
use crate::http::peer::Peer;
use crate::service::Service;

/// Proof that the caller may store and delete, and start and cancel jobs.
#[derive(Clone, Copy, Debug)]
pub struct MayWrite(());

/// Whether the caller may store and delete, for a request that need not store anything.
#[derive(Clone, Debug)]
pub struct Writer(Result<(), ApiError>);

impl Writer {
    /// Checks that the caller may.
    ///
    /// # Errors
    /// No known token was sent, or its scope is insufficient.
    pub fn check(self) -> Result<MayWrite, ApiError> {
        self.0.map(|()| MayWrite(()))
    }
}

impl FromRequest for Writer {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Writer(may_write(request))))
    }
}

impl Demand for Writer {
    /// Only some requests store anything.
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Keeping);
    }
}

/// Proof that the caller may read all stored records wholly.
#[derive(Clone, Copy, Debug)]
pub struct MayRead(());

/// Proof that the caller may see what is kept of everybody: by a token with the scope `admin`.
#[derive(Clone, Copy, Debug)]
pub struct MayAdminister(());

/// Whether the caller may delete what others keep, by a token of this server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// A token that may.
    May,
    /// A token that may not.
    MayNot,
    /// No token of this server, or there are none.
    Nobody,
}

/// Proof that the caller may see the metrics.
#[derive(Clone, Copy, Debug)]
pub struct MayWatch(());

impl FromRequest for MayWrite {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(may_write(request).map(|()| MayWrite(())))
    }
}

impl FromRequest for MayAdminister {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let may = || {
            let refused =
                Err(ApiError::forbidden("only an admin token of this server may do this"));
            match standing(request, service(request)?.tokens.as_ref(), |_| true) {
                Standing::Unknown => Err(ApiError::unauthorized()),
                Standing::Holder(grant) if grant.read && grant.write && grant.metrics => Ok(()),
                Standing::Holder(_) | Standing::NotAsked => refused,
            }
        };
        ready(may().map(MayAdminister))
    }
}

impl Demand for MayAdminister {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Administering);
    }
}

impl FromRequest for Operator {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let standing = service(request).map(|it| standing(request, it.tokens.as_ref(), |_| true));
        ready(standing.map(|it| match it {
            Standing::Holder(grant) if grant.write => Operator::May,
            Standing::Holder(_) => Operator::MayNot,
            Standing::Unknown | Standing::NotAsked => Operator::Nobody,
        }))
    }
}

impl Demand for Operator {
    fn demand(_: &mut Contract) {}
}

impl FromRequest for MayRead {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let asked = Tokens::protect_reading;
        ready(check(request, asked, |grant| grant.read, NOT_ALL).map(|()| MayRead(())))
    }
}

impl FromRequest for MayWatch {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let (asked, refusal) = (Tokens::protect_metrics, "this token may not see the metrics");
        ready(check(request, asked, |grant| grant.metrics, refusal).map(|()| MayWatch(())))
    }
}

/// Why a caller that may look at some records may not have this.
const NOT_ALL: &str = "this token may not read all records";

/// Why a caller that is bound to a view may not have an analysis.
const NOT_YOUR_ANALYSIS: &str =
    "this token starts, shows and cancels only analyses of its own record for its own viewer";

/// Why a caller that may only look may not have an analysis made.
const NO_ANALYST: &str = "this token may not start or cancel analyses";

/// The standing of a caller with the tokens of a server.
enum Standing {
    /// No token is needed here.
    NotAsked,
    /// There is no token, or an unknown one.
    Unknown,
    /// The grant of the token that was sent.
    Holder(Arc<Grant>),
}

/// The standing of the caller; `asked` says whether a token is needed.
fn standing(
    request: &HttpRequest,
    tokens: Option<&Tokens>,
    asked: impl Fn(&Tokens) -> bool,
) -> Standing {
    match tokens {
        Some(tokens) if asked(tokens) => {
            tokens.of(request).map_or(Standing::Unknown, Standing::Holder)
        }
        _ => Standing::NotAsked,
    }
}

fn service(request: &HttpRequest) -> Result<&Data<Service>, ApiError> {
    let service = request.app_data::<Data<Service>>();
    service.ok_or_else(|| ApiError::internal("the service is not set up".to_owned()))
}

fn check(
    request: &HttpRequest,
    asked: impl Fn(&Tokens) -> bool,
    allowed: impl Fn(&Grant) -> bool,
    refusal: &'static str,
) -> Result<(), ApiError> {
    match standing(request, service(request)?.tokens.as_ref(), asked) {
        Standing::NotAsked => Ok(()),
        Standing::Unknown => Err(ApiError::unauthorized()),
        Standing::Holder(grant) if allowed(&grant) => Ok(()),
        Standing::Holder(_) => Err(ApiError::forbidden(refusal)),
    }
}

fn may_write(request: &HttpRequest) -> Result<(), ApiError> {
    let refusal = "this token may not store, delete, or start and cancel jobs";
    check(request, |_| true, |grant| grant.write, refusal)
}

impl Demand for MayWrite {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Writing);
    }
}

impl Demand for MayRead {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Reading);
    }
}

impl Demand for MayWatch {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Watching);
    }
}

/// Which stored records the caller may see, and as which viewer. A request need not be about a stored record.
#[derive(Clone, Debug)]
pub struct Reader(Result<Shelf, ApiError>);

/// The records that a reader may see.
#[derive(Clone, Debug)]
enum Shelf {
    /// All records, completely.
    All,
    /// Only those of the grant, each as one viewer.
    Some(Arc<Grant>),
}

impl Reader {
    /// The reader of a request.
    pub fn of(request: &HttpRequest) -> Self {
        let shelf = || {
            let tokens = service(request)?.tokens.as_ref();
            match standing(request, tokens, Tokens::protect_reading) {
                Standing::NotAsked => Ok(Shelf::All),
                Standing::Unknown => Err(ApiError::unauthorized()),
                Standing::Holder(grant) if grant.read => Ok(Shelf::All),
                Standing::Holder(grant) => Ok(Shelf::Some(grant)),
            }
        };
        Reader(shelf())
    }

    /// As which viewer the caller may see the record of this name. A malformed name names no record.
    ///
    /// # Errors
    /// No known token was sent, or it is not bound to this record. The error is the same whether or not the record exists
    /// and the name is well formed.
    pub fn sight(&self, name: &str) -> Result<Eyes, ApiError> {
        match &self.0 {
            Err(error) => Err(error.clone()),
            Ok(Shelf::All) => Ok(Eyes::AnyOr(STORED)),
            Ok(Shelf::Some(grant)) => {
                let name: Option<PublicId> = name.parse().ok();
                let seat = grant.seats.iter().find(|seat| name == Some(seat.record));
                let seat = seat.ok_or(ApiError::forbidden(NOT_ALL))?;
                Ok(Eyes::Only(seat.viewer))
            }
        }
    }
}

impl Reader {
    /// Checks that the caller may read everything in the store.
    ///
    /// # Errors
    /// No known token was sent, or its scope is insufficient.
    pub fn everything(&self) -> Result<(), ApiError> {
        match &self.0 {
            Err(error) => Err(error.clone()),
            Ok(Shelf::All) => Ok(()),
            Ok(Shelf::Some(_)) => Err(ApiError::forbidden(NOT_ALL)),
        }
    }
}

/// Checks that a grant is bound to this record and viewer.
fn bound(grant: &Grant, record: &str, viewer: &str) -> Result<(), ApiError> {
    let record: Option<PublicId> = record.parse().ok();
    let own = |seat: &&SeatOf| Some(seat.record) == record && seat.viewer == viewer;
    match grant.seats.iter().find(own) {
        Some(_) => Ok(()),
        None => Err(ApiError::forbidden(NOT_YOUR_ANALYSIS)),
    }
}

impl Reader {
    /// Checks that the caller may see the analysis of this record for this viewer. If there is none, only callers who may
    /// see any analysis pass, so the others do not learn whether it exists.
    ///
    /// # Errors
    /// No known token was sent, or it is bound to another view.
    pub fn analysis(&self, of: Option<(&str, &str)>) -> Result<(), ApiError> {
        match (&self.0, of) {
            (Err(error), _) => Err(error.clone()),
            (Ok(Shelf::All), _) => Ok(()),
            (Ok(Shelf::Some(grant)), Some((record, viewer))) => bound(grant, record, viewer),
            (Ok(Shelf::Some(_)), None) => Err(ApiError::forbidden(NOT_YOUR_ANALYSIS)),
        }
    }
}

/// Which analyses the caller may start and cancel: all, or those of the views that its token is bound to.
#[derive(Clone, Debug)]
pub struct Analyst(Reader);

impl Analyst {
    /// Checks that the caller may start or cancel an analysis of this record for this viewer; like [`Reader::analysis`].
    ///
    /// # Errors
    /// The token is bound to another view.
    pub fn check(&self, of: Option<(&str, &str)>) -> Result<(), ApiError> {
        self.0.analysis(of)
    }

    /// Checks that the caller may analyse any record they send. A token that is bound to a view must name its
    /// record by id: if a record that it sends were compared with the stored one, it could try out every hidden card.
    ///
    /// # Errors
    /// The token is bound to a view.
    pub fn any_record(&self) -> Result<(), ApiError> {
        self.0.analysis(None)
    }
}

impl FromRequest for Analyst {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let shelf = || match standing(request, service(request)?.tokens.as_ref(), |_| true) {
            Standing::NotAsked => Ok(Shelf::All),
            Standing::Unknown => Err(ApiError::unauthorized()),
            Standing::Holder(grant) if grant.write => Ok(Shelf::All),
            Standing::Holder(grant) if !grant.seats.is_empty() => Ok(Shelf::Some(grant)),
            Standing::Holder(_) => Err(ApiError::forbidden(NO_ANALYST)),
        };
        ready(shelf().map(|shelf| Analyst(Reader(Ok(shelf)))))
    }
}

impl Demand for Analyst {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Analysing);
    }
}

impl FromRequest for Reader {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Reader::of(request)))
    }
}

impl Demand for Reader {
    fn demand(contract: &mut Contract) {
        contract.protected(Security::Looking);
    }
}

/// The caller, for turns and limits: the address at the other end of the connection.
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

/// [`Reader`], for answers that reveal everything in a record: a caller who may only see it as one viewer is refused.
#[derive(Clone, Debug)]
pub struct WholeReader(pub Reader);

impl FromRequest for WholeReader {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(WholeReader(Reader::of(request))))
    }
}

impl Demand for WholeReader {
    fn demand(contract: &mut Contract) {
        MayRead::demand(contract);
    }
}
