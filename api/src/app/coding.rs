//! Content codings of responses: which one a caller gets, and compressing what is long.
//!
//! A long response is compressed as a whole, when it is its turn among the other work: that takes a processor for some
//! milliseconds, and afterwards only the short form is kept. Streams are compressed piece by piece by the server. This module
//! must not look into a response.

use std::io::Write;

use actix_web::body::{BodySize, BoxBody, MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{self, AcceptEncoding, ContentEncoding, Encoding, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, ResponseError};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use umpire_engine::budget::Budget;

use crate::http::error::ApiError;
use crate::http::peer::Peer;
use crate::limits::cpu::Claim;
use crate::limits::held::{Holding, Part};
use crate::service::Service;

/// The content codings of responses.
///
/// Brotli is not one of them: its encoder takes more memory and time than all others for answers made on the fly.
pub(super) static CODINGS: [Encoding; 4] =
    [Encoding::identity(), Encoding::gzip(), Encoding::deflate(), Encoding::zstd()];

/// The content coding of the response to a request.
pub(super) fn negotiated(request: &ServiceRequest) -> Option<Encoding> {
    request.get_header::<AcceptEncoding>()?.negotiate(CODINGS.iter())
}

/// The memory that the encoder of a long response takes at most, in bytes, with its window and buffers.
pub(super) fn encoder_memory(coding: &Encoding) -> u64 {
    match coding {
        Encoding::Known(ContentEncoding::Identity) => 0,
        Encoding::Known(ContentEncoding::Zstd) => 4 << 20,
        _ => 512 << 10,
    }
}

/// Tells caches that another caller may get this response in another coding.
pub(super) fn vary_by_coding(headers: &mut header::HeaderMap) {
    let named = headers.get_all(header::VARY).filter_map(|names| names.to_str().ok());
    let mut named = named.flat_map(|names| names.split(',')).map(str::trim);
    if !named.any(|name| name == "*" || name.eq_ignore_ascii_case("accept-encoding")) {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
}

/// A strong entity tag identifies the exact bytes, so a compressed response needs its own tag; a
/// 304 carries the tag of the response that would have been sent.
pub(super) fn mark_coding(
    headers: &mut header::HeaderMap,
    status: StatusCode,
    negotiated: Option<Encoding>,
) {
    let coded = headers.get(header::CONTENT_ENCODING).and_then(|coding| coding.to_str().ok());
    let coding = match negotiated {
        Some(Encoding::Known(coding))
            if coded.is_none()
                && status == StatusCode::NOT_MODIFIED
                && coding != ContentEncoding::Identity =>
        {
            Some(coding.as_str().to_owned())
        }
        _ => coded.map(str::to_owned),
    };
    if status == StatusCode::NOT_MODIFIED {
        headers.remove(header::CONTENT_ENCODING);
    }
    let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    if let (Some(coding), Some(tag)) = (coding, tag)
        && let Some(open) = tag.strip_suffix('"')
        && let Ok(marked) = HeaderValue::from_str(&format!("{open}-{coding}\""))
    {
        headers.insert(header::ETAG, marked);
    }
}

/// The level at which zstd compresses a response: its default.
const ZSTD_LEVEL: i32 = 3;

/// Compresses a text in a coding of [`CODINGS`].
fn compressed(coding: ContentEncoding, text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut short = match coding {
        ContentEncoding::Zstd => zstd::bulk::compress(text, ZSTD_LEVEL)?,
        ContentEncoding::Deflate => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text)?;
            encoder.finish()?
        }
        _ => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(text)?;
            encoder.finish()?
        }
    };
    short.shrink_to_fit();
    Ok(short)
}

/// The coding in which a long response is compressed as a whole.
pub(super) fn whole_coding(coding: &Encoding) -> Option<ContentEncoding> {
    match coding {
        Encoding::Known(coding) if *coding != ContentEncoding::Identity => Some(*coding),
        _ => None,
    }
}

/// The response with its body compressed; `part` is the memory that it takes until then.
pub(super) async fn compress_in_turn<B: MessageBody + 'static>(
    service: &Service,
    coding: ContentEncoding,
    answer: ServiceResponse<B>,
    part: Part,
) -> ServiceResponse<BoxBody> {
    let (request, answer) = answer.into_parts();
    let (answer, body) = answer.into_parts();
    let peer = Peer::of(request.peer_addr());
    let short = async {
        let lost = || ApiError::internal("a response cannot be compressed".to_owned());
        let text = to_bytes(body).await.map_err(|_| lost())?;
        let job = move |_: Budget<'_>| compressed(coding, &text).map_err(|_| lost());
        let short = service.cpu.run(Claim::light(peer), job).await?;
        drop(part);
        let size = BodySize::Sized(short.len() as u64);
        let part = service.memory.part(size).map_err(|_| ApiError::no_memory())?;
        Ok::<_, ApiError>(Holding::new(Bytes::from(short), part))
    };
    let answer = match short.await {
        Ok(body) => {
            let mut answer = answer.set_body(body).map_into_boxed_body();
            let name = HeaderValue::from_static(coding.as_str());
            answer.headers_mut().insert(header::CONTENT_ENCODING, name);
            vary_by_coding(answer.headers_mut());
            answer
        }
        Err(error) => error.error_response(),
    };
    ServiceResponse::new(request, answer)
}
