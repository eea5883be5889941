//! Stored sheets of settled disputes, as JSON, Markdown or a page, and the key that signs them.
//!
//! A sheet contains the whole record, so it is shown only to callers who may read whole records.
//! This module must not settle anything, and must not contain SQL.

use actix_web::dev::Payload;
use actix_web::http::header::{self, Accept, ETAG, Header, IfNoneMatch};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::ENGINE;

use super::jobs::id_in_path;
use crate::auth::names::PublicId;
use crate::documents::sheet::contents::Contents;
#[cfg(feature = "openapi")]
use crate::documents::sheet::seal::PublicKey;
use crate::documents::sheet::seal::Signature;
use crate::documents::sheet::{Document, html, markdown};
use crate::http::argument::{Here, here};
use crate::http::body::JSON;
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, Problem};
use crate::http::fixed::{Fixed, had_by, has_tag};
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::routes::access::{Caller, MayRead, MayWrite};
use crate::service::Service;
use crate::store::{RecordId, StoredVerdict};
use umpire_referee::query::{NoParameters, Pairs, Parameters};

/// The media type of Markdown.
pub const MARKDOWN: &str = "text/markdown";

/// The media type of an HTML page.
pub const HTML: &str = "text/html";

/// The sheet that a path names, whether or not it exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerdictAt {
    name: PublicId,
    id: RecordId,
}

impl VerdictAt {
    fn missing(&self) -> ApiError {
        ApiError::not_found(format!("unknown verdict {}", self.name))
    }
}

impl FromRequest for VerdictAt {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(id_in_path(request).map(|(name, id)| VerdictAt { name, id }))
    }
}

impl Demand for VerdictAt {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::BadId, Code::NotFound]);
    }
}

/// The format of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum VerdictForm {
    /// As JSON.
    Json,
    /// As Markdown.
    Markdown,
    /// As a page.
    Html,
}

/// Parameters for a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct FormParameters {
    /// `json`, `markdown` or `html`; by default the format that `Accept` prefers, or JSON.
    #[cfg_attr(feature = "openapi", param(value_type = Option<VerdictForm>, inline))]
    pub format: Option<VerdictForm>,
}

impl Parameters for FormParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let format = match pairs.take("format")?.as_deref() {
            None => None,
            Some("json") => Some(VerdictForm::Json),
            Some("markdown") => Some(VerdictForm::Markdown),
            Some("html") => Some(VerdictForm::Html),
            Some(other) => {
                return Err(Problem::parameter("format", other, "one of json, markdown, html"));
            }
        };
        Ok(FormParameters { format })
    }
}

/// What the caller already has, and which format it prefers.
#[derive(Debug)]
pub struct Wishes {
    had: IfNoneMatch,
    liked: VerdictForm,
}

impl FromRequest for Wishes {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        // A malformed header asks for nothing.
        let accepted = Accept::parse(request).map(|accepted| accepted.0).unwrap_or_default();
        let quality = |kind: &str| {
            let named = accepted.iter().filter(|one| one.item.essence_str() == kind);
            named.map(|one| one.quality).max().unwrap_or(header::Quality::ZERO)
        };
        let mut liked = (VerdictForm::Json, quality(JSON));
        // A format that is not named is never preferred: a client that accepts everything gets
        // JSON.
        for (form, kind) in [(VerdictForm::Html, HTML), (VerdictForm::Markdown, MARKDOWN)] {
            if quality(kind) > liked.1 {
                liked = (form, quality(kind));
            }
        }
        here(Ok(Wishes { had: had_by(request), liked: liked.0 }))
    }
}

impl Demand for Wishes {
    fn demand(contract: &mut Contract) {
        contract.cached = true;
    }
}

/// The sheet of a settled dispute, with its hash and signature.
#[derive(Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// The BLAKE3 hash of the canonical JSON (RFC 8785) of the sheet.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub blake3: String,
    /// The sheet.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::documents::sheet::Sheet))]
    pub sheet: (),
    /// The signature of the canonical JSON of the sheet; `null` if the server had no key when the
    /// sheet was stored.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub signature: Option<Signature>,
}

/// The generation of the entity tags: increased if the same engine version writes the same sheet
/// differently.
const TAGS: u32 = 2;

/// The document for a stored sheet.
fn document(stored: StoredVerdict) -> Result<Document, ApiError> {
    let damaged =
        |error| ApiError::internal(format!("the signature of a verdict is damaged: {error}"));
    let StoredVerdict { id, sheet, signature, .. } = stored;
    let signature = signature.as_deref().map(serde_json::from_str).transpose().map_err(damaged)?;
    Ok(Document { sheet, blake3: id.to_string(), signature })
}

/// The progress of a response about a sheet.
enum SheetResponse {
    /// The client already has it.
    Had,
    /// It is finished.
    Answer(String),
    /// The sheet is long: writing it needs its own turn on the CPU.
    Long(Document),
}

/// A sheet in that format.
fn written(form: VerdictForm, document: &Document) -> Result<String, ApiError> {
    let contents = || {
        let damaged = |error| ApiError::internal(format!("a verdict is damaged: {error}"));
        Contents::of(document).map_err(damaged)
    };
    Ok(match form {
        VerdictForm::Json => document.json(),
        VerdictForm::Markdown => markdown::write(&contents()?),
        VerdictForm::Html => html::write(document, &contents()?),
    })
}

/// Shows the sheet of a settled dispute.
///
/// Contains the question, the readings side by side, the clauses with their sections, the actions
/// around the ply, precedents, options and versions, and the whole record: as JSON, which never
/// changes, as Markdown, or as a page for printing. `POST /v1/adjudicate?keep=true` stores one.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/verdicts/{id}", tag = "disputes", operation_id = "get_verdict",
    params(("id" = umpire_referee::schemas::VerdictName, Path, description = "The id of a verdict."), FormParameters),
    responses((status = 200, description = "The sheet.", content(
        (Verdict = "application/json"), (String = "text/markdown"), (String = "text/html"))))
))]
pub async fn get_verdict(
    _: MayRead,
    Caller(peer): Caller,
    at: VerdictAt,
    parameters: Query<FormParameters>,
    service: Data<Service>,
    wishes: Wishes,
) -> Result<HttpResponse, ApiError> {
    let form = parameters.format.unwrap_or(wishes.liked);
    let shared = service.clone();
    let find = move |_: Budget<'_>| {
        let found = shared.store.find_verdict(&at.id)?.ok_or_else(|| at.missing())?;
        let tag = shared.names.tag(&format!("{ENGINE}\n{TAGS}\n{form:?}\nverdict\n"), &found.sheet);
        if wishes.had == IfNoneMatch::Any || has_tag(&wishes.had, &tag) {
            return Ok((tag, SheetResponse::Had));
        }
        let document = document(found)?;
        let short = document.sheet.len() <= shared.limits.inline_bytes;
        let found = match short || form == VerdictForm::Json {
            true => SheetResponse::Answer(written(form, &document)?),
            false => SheetResponse::Long(document),
        };
        Ok((tag, found))
    };
    let (tag, found) = service.cpu.run(Claim::light(peer), find).await?;
    let text = match found {
        SheetResponse::Had => None,
        SheetResponse::Answer(text) => Some(text),
        SheetResponse::Long(document) => {
            let write = move |_: Budget<'_>| written(form, &document);
            Some(service.cpu.run(Claim::heavy(peer), write).await?)
        }
    };
    let guarded = service.tokens.is_some();
    let scope = if guarded { "private" } else { "public" };
    let (kind, kept) = match form {
        VerdictForm::Json => (JSON, format!("{scope}, max-age=86400, immutable")),
        // Another version may write the same sheet otherwise.
        VerdictForm::Markdown => ("text/markdown; charset=utf-8", format!("{scope}, no-cache")),
        VerdictForm::Html => ("text/html; charset=utf-8", format!("{scope}, no-cache")),
    };
    let mut answer = match text {
        Some(_) => HttpResponse::Ok(),
        None => HttpResponse::NotModified(),
    };
    answer
        .insert_header((ETAG, format!("\"{tag}\"")))
        .insert_header((header::CACHE_CONTROL, kept))
        .append_header((header::VARY, "accept"));
    if guarded {
        answer.append_header((header::VARY, "authorization"));
    }
    if form == VerdictForm::Html {
        answer.insert_header((header::CONTENT_SECURITY_POLICY, html::POLICY.as_str()));
    }
    match text {
        Some(text) => Ok(answer.content_type(kind).body(text)),
        None => Ok(answer.finish()),
    }
}

/// Deletes the sheet of a settled dispute.
///
/// The record that it is about is not deleted, if it is stored; and a sheet is not deleted with its
/// record.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/verdicts/{id}", tag = "disputes", operation_id = "delete_verdict",
    params(("id" = umpire_referee::schemas::VerdictName, Path, description = "The id of a verdict.")),
    responses((status = 204, description = "The sheet was deleted."))
))]
pub async fn delete_verdict(
    _: MayWrite,
    at: VerdictAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    match service.store.delete_verdict(&at.id).await? {
        true => Ok(HttpResponse::NoContent().finish()),
        false => Err(at.missing()),
    }
}

/// Shows the key that signs verdicts.
///
/// The public key, with which anyone can verify the signature of a sheet. 404 if the server does
/// not sign verdicts.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/verdicts/key", tag = "disputes", operation_id = "get_verdict_key",
    responses((status = 200, description = "The key.", body = PublicKey))
))]
pub async fn get_verdict_key(
    _: Query<NoParameters>,
    service: Data<Service>,
    fixed: Fixed,
    _: KeyMayBeMissing,
) -> Result<HttpResponse, ApiError> {
    match &service.signing {
        Some(key) => Ok(fixed.json(&key.public())),
        None => Err(ApiError::not_found("this server does not sign verdicts".to_owned())),
    }
}

/// The response may be that there is no key.
#[derive(Clone, Copy, Debug)]
pub struct KeyMayBeMissing;

impl FromRequest for KeyMayBeMissing {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Ok(KeyMayBeMissing))
    }
}

impl Demand for KeyMayBeMissing {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::NotFound]);
    }
}
