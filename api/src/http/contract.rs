//! What the signature of a handler says about its route: which errors it can return, whether it
//! requires a token, and whether its responses can be cached.
//!
//! Every extractor declares its part once, so the description of a route cannot forget what the
//! code requires: an argument without a [`Demand`] does not compile. This module must not know any
//! route.

use actix_web::web::{Data, Path};
use actix_web::{Handler, HttpRequest};

use crate::http::error::Code;

/// Whether a route requires a token, on a server that was started with tokens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Security {
    /// Never.
    #[default]
    None,
    /// If the request asks to store or to start something.
    Keeping,
    /// If the metrics are protected.
    Watching,
    /// To act at a table, or to view it as a seat: a token of that table.
    Playing,
    /// If reading is protected; a token for one viewer of the record is enough.
    Looking,
    /// If reading is protected.
    Reading,
    /// Always; a token for one viewer of the record is enough.
    Analysing,
    /// Always.
    Writing,
    /// Always, also on a server without tokens: there nobody may.
    Administering,
}

impl Security {
    /// The scopes of which a token must have one.
    pub fn scopes(self) -> &'static [&'static str] {
        match self {
            Security::None => &[],
            Security::Watching => &["metrics"],
            Security::Playing => &["table"],
            Security::Looking => &["read", "seat"],
            Security::Reading => &["read"],
            Security::Analysing => &["write", "seat"],
            Security::Keeping | Security::Writing => &["write"],
            Security::Administering => &["admin"],
        }
    }
}

/// What a route's handler requires and returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// The errors it can return, once each.
    pub errors: Vec<Code>,
    /// Whether it requires a token.
    pub security: Security,
    /// Whether it is about a stored record, which by default is shown as the spectator sees it.
    pub stored: bool,
    /// Whether its responses have an `ETag` and can be cached.
    pub cached: bool,
}

impl Contract {
    /// Adds errors.
    pub fn errors(&mut self, codes: &[Code]) {
        for code in codes {
            if !self.errors.contains(code) {
                self.errors.push(*code);
            }
        }
    }

    /// Requires a token: without one, or with an insufficient scope, the request is refused.
    pub fn protected(&mut self, security: Security) {
        self.errors(&[Code::Unauthorized, Code::Forbidden]);
        self.security = self.security.max(security);
    }

    /// The contract of a handler.
    pub fn of<H: Handler<Args>, Args: Demand>(_: H) -> Contract {
        let mut contract = Contract::default();
        Args::demand(&mut contract);
        contract
    }
}

/// What an argument of a handler requires.
pub trait Demand {
    /// Adds it to the contract of the handler.
    fn demand(contract: &mut Contract);
}

impl Demand for HttpRequest {
    fn demand(_: &mut Contract) {}
}

impl<T: 'static> Demand for Path<T> {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
    }
}

/// All handlers share the service: a request may use an unknown host name or exceed the rate limit,
/// and the server may be busy or fail.
impl<T: 'static> Demand for Data<T> {
    fn demand(contract: &mut Contract) {
        contract.errors(&[
            Code::WrongHost,
            Code::TooManyRequests,
            Code::Unavailable,
            Code::Internal,
        ]);
    }
}

macro_rules! demand_of_all {
    ($($argument:ident)*) => {
        impl<$($argument: Demand),*> Demand for ($($argument,)*) {
            fn demand(contract: &mut Contract) {
                let _ = &contract;
                $($argument::demand(contract);)*
            }
        }
    };
}

demand_of_all! {}
demand_of_all! { A }
demand_of_all! { A B }
demand_of_all! { A B C }
demand_of_all! { A B C D }
demand_of_all! { A B C D E }
demand_of_all! { A B C D E F }
demand_of_all! { A B C D E F G }

#[cfg(test)]
mod tests {
    use actix_web::HttpResponse;

    use super::*;

    #[test]
    fn a_contract_follows_from_the_arguments() {
        async fn handler(_: HttpRequest, _: Path<String>, _: Data<u8>) -> HttpResponse {
            HttpResponse::Ok().finish()
        }
        let contract = Contract::of(handler);
        let always = [Code::WrongHost, Code::TooManyRequests, Code::Unavailable, Code::Internal];
        assert_eq!(contract.errors, [[Code::NotFound].as_slice(), &always].concat());
        assert_eq!(contract.security, Security::None);
    }
}
