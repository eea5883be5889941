//! What several routes read from the headers, and say about pages of a list.
//!
//! This module must not know any route.

use std::fmt::Display;

use actix_web::HttpRequest;
use actix_web::http::header;

use crate::http::body::NDJSON;

/// Whether the caller prefers NDJSON to JSON.
pub fn wants_ndjson(request: &HttpRequest) -> bool {
    wants(request, NDJSON)
}

/// Whether the caller prefers this format to JSON.
pub fn wants(request: &HttpRequest, format: &str) -> bool {
    use header::Header;
    // A malformed header asks for nothing.
    let accepted = header::Accept::parse(request).map(|accepted| accepted.0).unwrap_or_default();
    let quality = |kind: &str| {
        let of_kind = accepted.iter().filter(|one| one.item.essence_str() == kind);
        of_kind.map(|one| one.quality).max().unwrap_or(header::Quality::ZERO)
    };
    let (asked, json) = (quality(format), quality("application/json"));
    asked > header::Quality::ZERO && asked >= json
}

/// The header `Link` to the next page of a list: the same query with this value of a parameter.
pub fn next_page(request: &HttpRequest, name: &str, value: impl Display) -> String {
    let rest = request.query_string().split('&');
    let rest = rest.filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
    let rest: String = rest.map(|pair| format!("{pair}&")).collect();
    // Drop whatever would end the URL early.
    let rest = rest.replace('>', "%3E").replace('"', "%22");
    format!("<{}?{rest}{name}={value}>; rel=\"next\"", request.path())
}
