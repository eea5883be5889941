//! Reading request bodies: of the right type, not too long, not too slow.
//!
//! What is too long is refused before it is read where its length is announced, and as soon as it
//! is too long where it is not. This module must not read JSON.

use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::config::Limits;
use crate::error::{ApiError, shorten};

/// The media type of one JSON value.
pub const JSON: &str = "application/json";

/// The media type of a JSON value a line.
pub const NDJSON: &str = "application/x-ndjson";

/// What a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One JSON value.
    Json,
    /// A JSON value a line.
    Ndjson,
}

/// What the headers say that the body is.
pub fn kind(headers: &HeaderMap) -> Result<Kind, ApiError> {
    let coding = headers.get(header::CONTENT_ENCODING).map(|value| value.as_bytes());
    if coding.is_some_and(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
        let detail = "the body is compressed; send it as it is, without Content-Encoding";
        return Err(ApiError::MediaType(detail.to_owned()));
    }
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        let detail = format!("Content-Type is missing; {JSON} is expected");
        return Err(ApiError::MediaType(detail));
    };
    let text = value.to_str().unwrap_or("?");
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or("").to_ascii_lowercase();
    let utf8 = parts.all(|part| match part.to_ascii_lowercase().strip_prefix("charset=") {
        Some(charset) => matches!(charset.trim_matches('"'), "utf-8" | "utf8" | "us-ascii"),
        None => true,
    });
    match essence.as_str() {
        JSON if utf8 => Ok(Kind::Json),
        NDJSON if utf8 => Ok(Kind::Ndjson),
        _ => Err(ApiError::MediaType(format!(
            "Content-Type is {:?}; {JSON} in UTF-8 is expected",
            shorten(text)
        ))),
    }
}

/// Takes only one JSON value.
pub fn json_only(headers: &HeaderMap) -> Result<(), ApiError> {
    match kind(headers)? {
        Kind::Json => Ok(()),
        Kind::Ndjson => {
            Err(ApiError::MediaType(format!("Content-Type is {NDJSON}; {JSON} is expected here")))
        }
    }
}

/// Reads a whole body.
pub async fn read(
    headers: &HeaderMap,
    mut payload: Payload,
    limits: &Limits,
) -> Result<Bytes, ApiError> {
    let limit = limits.max_body;
    let too_large = || ApiError::TooLarge { what: "body", limit };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let reading = async {
        let mut body = BytesMut::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|error| {
                ApiError::Fault(umpire_engine::record::Fault::new(
                    umpire_engine::record::FaultCode::BadJson,
                    "",
                    format!("the body broke off: {error}"),
                ))
            })?;
            if body.len() + chunk.len() > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    };
    match timeout(Duration::from_secs(limits.body_seconds), reading).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::TooSlow { seconds: limits.body_seconds }),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        pairs.collect()
    }

    #[test]
    fn a_media_type_is_taken_in_any_case_and_in_utf8_only() {
        let of = |value| kind(&headers(&[("content-type", value)]));
        for json in ["application/json", "Application/JSON; charset=UTF-8", "application/json;x=y"]
        {
            assert_eq!(of(json).unwrap(), Kind::Json, "{json}");
        }
        assert_eq!(of("application/x-ndjson").unwrap(), Kind::Ndjson);
        for bad in ["", "text/plain", "application/json; charset=latin1", "application/jsonp"] {
            assert!(of(bad).is_err(), "{bad}");
        }
        assert!(kind(&headers(&[])).is_err());
        let packed = [("content-type", "application/json"), ("content-encoding", "gzip")];
        assert!(kind(&headers(&packed)).is_err());
    }
}
