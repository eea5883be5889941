//! Reading request bodies: media type, decompression, size limit, timeout.
//!
//! A body that announces its length is refused before it is read if it is too long; any other is
//! refused as soon as it exceeds the limit. This module must not parse JSON.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::dev;
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::web::{Bytes, BytesMut, Payload};
use async_compression::tokio::bufread::{GzipDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use futures_util::StreamExt;
use tokio::io::AsyncRead;
use tokio::time::timeout;
use tokio_util::io::{ReaderStream, StreamReader};
use umpire_referee::language::Voice;

use crate::http::error::{ApiError, CODINGS, shorten};

/// The media type of a single JSON value.
pub const JSON: &str = "application/json";

/// The media type of newline-delimited JSON.
pub const NDJSON: &str = "application/x-ndjson";

/// The media type of a picture.
pub const SVG: &str = "image/svg+xml";

/// The response with the header that names the language of its texts.
pub fn spoken(mut response: HttpResponse, voice: &Voice) -> HttpResponse {
    let language = HeaderValue::from_static(voice.language());
    response.headers_mut().insert(header::CONTENT_LANGUAGE, language);
    response
}

/// The format of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A single JSON value.
    Json,
    /// One JSON value per line.
    Ndjson,
}

/// The format of the body according to the headers.
pub fn kind(headers: &HeaderMap) -> Result<Kind, ApiError> {
    kind_of(headers, &format!("{JSON} or {NDJSON}, in UTF-8"))
}

fn kind_of(headers: &HeaderMap, expected: &str) -> Result<Kind, ApiError> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        return Err(ApiError::media_type(format!("Content-Type is missing; expected {expected}")));
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
        _ => Err(ApiError::media_type(format!(
            "Content-Type is {:?}; expected {expected}",
            shorten(text)
        ))),
    }
}

/// Accepts only a single JSON value.
pub fn json_only(headers: &HeaderMap) -> Result<(), ApiError> {
    let expected = format!("{JSON} in UTF-8");
    match kind_of(headers, &expected)? {
        Kind::Json => Ok(()),
        Kind::Ndjson => {
            Err(ApiError::media_type(format!("Content-Type is {NDJSON}; expected {expected}")))
        }
    }
}

/// The largest `zstd` window that we accept: 8 MiB, which levels up to 19 use.
const WINDOW_LOG: u32 = 23;

/// The largest piece of decompressed data that is passed on at once.
const PIECE: usize = 16 << 10;

/// Decompresses a body according to its `Content-Encoding`. It is decompressed piece by piece as it
/// is read, so that a decompression bomb ends at the reader's limit.
///
/// # Errors
/// [`ApiError::media_type`] if its content coding is not supported.
pub fn unpacked(headers: &HeaderMap, payload: dev::Payload) -> Result<dev::Payload, ApiError> {
    let mut codings = headers.get_all(header::CONTENT_ENCODING);
    let coding = codings.next().map(|value| value.to_str().unwrap_or("?").to_ascii_lowercase());
    let several = codings.next().is_some();
    let came = Rc::new(Cell::new(0));
    let packed = |payload: dev::Payload| {
        let came = came.clone();
        let other = |error: PayloadError| io::Error::other(error.to_string());
        StreamReader::new(payload.map(move |piece| {
            came.set(came.get() + piece.as_ref().map_or(0, |piece| piece.len() as u64));
            piece.map_err(other)
        }))
    };
    let reader: Pin<Box<dyn AsyncRead>> = match coding.as_deref() {
        None | Some("identity") if !several => return Ok(payload),
        Some("gzip" | "x-gzip") if !several => {
            let mut reader = GzipDecoder::new(packed(payload));
            reader.multiple_members(true);
            Box::pin(reader)
        }
        Some("zstd") if !several => {
            let bound = [DParameter::window_log_max(WINDOW_LOG)];
            let mut reader = ZstdDecoder::with_params(packed(payload), &bound);
            reader.multiple_members(true);
            Box::pin(reader)
        }
        _ => {
            let coding = coding.unwrap_or_default();
            return Err(ApiError::media_type(format!(
                "Content-Encoding is {:?}{}; expected one of {CODINGS}, or none",
                shorten(&coding),
                if several { " and more" } else { "" },
            )));
        }
    };
    let pieces = ReaderStream::with_capacity(reader, PIECE);
    let mut gone = 0;
    let pieces = pieces.then(move |piece| {
        let piece = piece.map_err(PayloadError::Io).and_then(|piece| {
            gone += piece.len() as u64;
            match gone > SLACK + SWELLS * came.get() {
                true => Err(PayloadError::Io(io::Error::other(TOO_MUCH))),
                false => Ok(piece),
            }
        });
        let turn = gone % TURN < PIECE as u64;
        async move {
            if turn {
                tokio::task::yield_now().await;
            }
            piece
        }
    });
    Ok(dev::Payload::Stream { payload: Box::pin(pieces) })
}

/// Decompression yields to other tasks after this many bytes.
const TURN: u64 = 256 << 10;

/// The largest ratio of decompressed to received bytes, plus some slack: without a bound, a few
/// compressed bytes could become hours of lines.
const SWELLS: u64 = 200;
const SLACK: u64 = 8 << 20;
const TOO_MUCH: &str = "it decompresses to more than 200 times its size";

/// Reads a whole body, of at most so many bytes and within so many seconds.
pub async fn read(
    headers: &HeaderMap,
    mut payload: Payload,
    limit: usize,
    seconds: u64,
) -> Result<Bytes, ApiError> {
    let too_large = || ApiError::too_large("body", limit);
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let reading = async {
        let mut body = BytesMut::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|error| {
                ApiError::from(umpire_engine::record::Fault::new(
                    umpire_engine::record::FaultCode::BadJson,
                    "",
                    format!("the body ended early or cannot be decompressed: {error}"),
                ))
            })?;
            if body.len() + chunk.len() > limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    };
    match timeout(Duration::from_secs(seconds), reading).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::too_slow(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;
    use crate::http::error::Code;

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
    }

    /// The result of reading a body that is sent with that content coding.
    async fn unpack(
        coding: &'static str,
        sent: Vec<u8>,
        max_body: usize,
    ) -> Result<Bytes, ApiError> {
        let headers = headers(&[("content-encoding", coding)]);
        let request = actix_web::test::TestRequest::default().set_payload(sent);
        let (request, mut payload) = request.to_http_parts();
        let mut payload = unpacked(&headers, dev::Payload::take(&mut payload))?;
        let payload = <Payload as actix_web::FromRequest>::from_request(&request, &mut payload);
        let payload = payload.await.unwrap();
        read(&headers, payload, max_body, 30).await
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut packed, text).unwrap();
        packed.finish().unwrap()
    }

    #[actix_web::test]
    async fn a_compressed_body_is_unpacked_and_a_swelling_one_is_not() {
        let text = "one and the same, and ".repeat(10_000).into_bytes();
        let zstd = |text: &[u8]| zstd::encode_all(text, 19).unwrap();
        for (coding, packed) in [
            ("gzip", gzip(&text)),
            ("X-GZIP", gzip(&text)),
            ("zstd", zstd(&text)),
            ("identity", text.clone()),
        ] {
            assert_eq!(unpack(coding, packed, 1 << 20).await.unwrap(), text, "{coding}");
        }
        // Several members form one body.
        let two = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(unpack("gzip", two, 100).await.unwrap(), "one two");
        let much = vec![b' '; 64 << 20];
        for (coding, bomb) in [("gzip", gzip(&much)), ("zstd", zstd(&much))] {
            assert!(bomb.len() < 1 << 17);
            let refused = unpack(coding, bomb, 1 << 20).await.unwrap_err();
            assert_eq!(refused.code(), Code::BodyTooLarge, "{coding}");
        }
        // Even without a limit on the whole, as for a stream of lines, the ratio is bounded.
        for (coding, bomb) in [("gzip", gzip(&much)), ("zstd", zstd(&much))] {
            let refused = unpack(coding, bomb, 1 << 30).await.unwrap_err();
            assert_eq!(refused.code(), Code::BadJson, "{coding}");
            assert!(refused.to_string().contains("200 times"), "{refused}");
        }
        for (coding, broken) in
            [("gzip", text.clone()), ("zstd", text.clone()), ("gzip", gzip(&text)[..40].to_vec())]
        {
            assert_eq!(unpack(coding, broken, 1 << 20).await.unwrap_err().code(), Code::BadJson);
        }
        for unknown in ["br", "deflate", "gzip, gzip", "?"] {
            let refused = unpack(unknown, text.clone(), 1 << 20).await.unwrap_err();
            assert_eq!(refused.code(), Code::UnsupportedMediaType, "{unknown}");
        }
    }

    #[actix_web::test]
    async fn a_window_larger_than_ours_is_refused_before_it_is_kept() {
        let mut packed = zstd::Encoder::new(Vec::new(), 19).unwrap();
        packed.window_log(27).unwrap();
        std::io::Write::write_all(&mut packed, b"a few bytes").unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(unpack("zstd", packed, 100).await.unwrap_err().code(), Code::BadJson);
    }
}
