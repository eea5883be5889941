//! The caller of a request about a table, by their token.
//!
//! A token of a table is checked against what the table stores of it; spectators need none. This module must not log,
//! print or return a token.

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use blake3::Hash;

use crate::auth::tokens::{Bearer, bearer};
use crate::http::argument::{Here, here, segment};
use crate::http::contract::{Contract, Demand, Security};
use crate::http::error::{ApiError, Code, shorten};
use crate::http::peer::Peer;
use crate::routes::access::Reader;
use crate::service::Service;
use crate::store::TableId;
use crate::tables::missing;
use crate::tables::session::{TableSession, Who};

/// Somebody who comes to the table that a path names.
#[derive(Clone, Debug)]
pub struct Comer {
    /// The table.
    pub id: TableId,
    token: Option<Hash>,
    /// Whether the caller may read what is stored, where that is asked.
    reader: Reader,
    /// Who asks, as far as turns go.
    pub peer: Peer,
}

impl FromRequest for Comer {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Comer::of(request))
    }
}

impl Demand for Comer {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
        contract.protected(Security::Playing);
    }
}

impl Comer {
    fn of(request: &HttpRequest) -> Result<Self, ApiError> {
        let text = segment(request, "id");
        let wrong = |error| ApiError::not_found(format!("{:?}: {error}", shorten(text)));
        let id = text.parse::<TableId>().map_err(wrong)?;
        let token = match bearer(request) {
            Bearer::None => None,
            Bearer::Unclear => return Err(ApiError::unauthorized()),
            Bearer::Token(token) => Some(blake3::hash(token)),
        };
        let peer = Peer::of(request.peer_addr());
        Ok(Comer { id, token, reader: Reader::of(request), peer })
    }

    /// The table, which nobody else changes as long as the session is held.
    ///
    /// # Errors
    /// There is no such table, or the token does not belong to it.
    pub async fn enter(&self, service: &Data<Service>) -> Result<TableSession, ApiError> {
        let locked = service.tables.open(self.id, self.peer).await?;
        let Some(table) = locked.table.as_ref() else { return Err(missing(self.id)) };
        let own = self.token.as_ref().and_then(|token| Who::by_token(table, token));
        // A token of the server opens no seat, but whoever may read everything may look on.
        let who = match own {
            Some(who) => who,
            None => self.reader.everything().map(|()| Who::Onlooker)?,
        };
        Ok(TableSession { tables: service.tables.clone(), locked, who, peer: self.peer })
    }
}
