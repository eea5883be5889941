//! Changing a live table: actions, undos, the fair draw, sealing.
//!
//! Every change is stored durably before it is acknowledged. The use cases are in `tables`; this module only speaks HTTP.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::chance::EntryOf;
use umpire_engine::record::{self, Fault, FaultCode};

use super::seated::Comer;
use super::table::{LookParameters, StepParameters, answer};
use crate::http::argument::{Here, here};
use crate::http::body::JSON;
use crate::http::contract::{Contract, Demand};
use crate::http::error::{ApiError, Code, Problem};
use crate::http::query::Query;
use crate::routes::sent::{Content, Sent};
use crate::service::Service;
use crate::tables::act::{ActionSent, Moments, Precondition};
use crate::tables::draw::DrawPart;
use crate::tables::session::OVERTAKEN;
use umpire_referee::query::NoParameters;

/// What can be wrong with the body of a change.
const SENT_ERRORS: &[Code] = &[Code::BadJson, Code::BadRecord];

/// The maximum length of an `Idempotency-Key`, in bytes.
const LONGEST_KEY: usize = 200;

impl FromRequest for Precondition {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let sent = |name: &str| request.headers().get(name).map(|it| it.to_str().ok());
        let at = sent("if-match").map(|text| match text.unwrap_or_default().trim() {
            "*" => Moments::Any,
            tags => Moments::Some(tags.split(',').map(|tag| version_of(tag).to_owned()).collect()),
        });
        // Two keys that are not ASCII must not be taken for the same one.
        let key = sent("idempotency-key").map(|key| match key {
            Some(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(key.to_owned()),
            _ => Err(ApiError::from(Problem::of_parameter(
                "Idempotency-Key",
                format!("expected 1 to {LONGEST_KEY} ASCII characters"),
            ))),
        });
        here(key.transpose().map(|key| Precondition { at, key }))
    }
}

impl Demand for Precondition {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::PreconditionRequired, Code::Stale, Code::BadParameter]);
    }
}

/// The version in a tag, without what caches or compression add to it.
fn version_of(tag: &str) -> &str {
    let tag = tag.trim();
    let tag = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
    tag.split('-').next().unwrap_or(tag)
}

/// An action for a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ActionRequest<'a> {
    /// The action, as a record has it.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::Action))]
    action: &'a RawValue,
    /// The dice and cards that fell for it, in order, at a table whose chance is entered by hand.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<umpire_engine::chance::Entry>>, nullable = false))]
    tape: Option<Vec<EntryOf<'a>>>,
}

impl Content for ActionRequest<'static> {
    const ERRORS: &'static [&'static [Code]] =
        &[SENT_ERRORS, &[Code::ActionRefused, Code::Conflict, Code::TooManyActions]];
}

/// Takes an action at a table.
///
/// `If-Match` names the version that the sender last saw (`"41"`). If the table has moved on since then, the answer is
/// 412 with the current version; seats that decide at the same time may still act on what they saw before the others
/// did. A request repeated with the same `Idempotency-Key` is answered and not taken twice. A refused action is an error
/// here (422 `action_refused`, with the violation of a verdict), because it was not taken. The answer has the events that
/// the sender's seat learned, how its view has changed (or the whole view), who decides now, and the number of legal
/// actions, or the list with `include=legal`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/actions", tag = "tables", operation_id = "create_table_action",
    params(
        ("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."),
        ("If-Match" = String, Header, description = "The `version` that the sender last saw, in quotes; or `*`.", example = "\"41\""),
        ("Idempotency-Key" = Option<String>, Header, description = "A name for the request, of at most 200 characters. If it is repeated with the same action, the answer is repeated and the action is not taken twice.", example = "c0ffee"),
        StepParameters,
    ),
    request_body(content = ActionRequest, description = "The action.", content_type = "application/json"),
    responses((status = 200, description = "It was taken, and what happened.", body = umpire_referee::schemas::TableStep))
))]
pub async fn create_table_action(
    comer: Comer,
    precondition: Precondition,
    parameters: Query<StepParameters>,
    service: Data<Service>,
    sent: Sent<ActionRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let Query(StepParameters { viewer, legal, lang }) = parameters;
    let ActionRequest { action, tape } = read(&sent.text)?;
    let tape = tape.into_iter().flatten().map(EntryOf::owned).collect();
    let action = action.to_owned();
    let longest_record = service.limits.max_body;
    let sent =
        Arc::new(ActionSent { action, tape, precondition, viewer, lang, legal, longest_record });
    let answer = loop {
        match comer.enter(&service).await?.act(&sent).await {
            // Another server was first: the action is looked at again, as the table stands now.
            Err(error) if error.to_string() == OVERTAKEN => {}
            done => break done?,
        }
    };
    let mut response = HttpResponse::Ok();
    if answer.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(response
        .insert_header((header::ETAG, format!("\"{}\"", answer.version)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_LANGUAGE, answer.voice.language()))
        .content_type(JSON)
        .body(answer.text))
}

/// Reads a request body.
fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
}

/// How far to go back.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct UndoRequest {
    /// The ply to go back to, that is, the number of actions that stay. `null` withdraws the seat's request.
    #[serde(deserialize_with = "Deserialize::deserialize")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    to: Option<u32>,
}

impl Content for UndoRequest {
    const ERRORS: &'static [&'static [Code]] = &[SENT_ERRORS, &[Code::Conflict]];
}

/// Takes actions back, or agrees to that.
///
/// Every seat that has acted since then, or must decide now, has to agree; the last agreement does it. If chance was
/// asked since then, or somebody learned something hidden, players cannot take it back (409): only the host can, and does
/// so at once. Whether somebody did follows from what the asking seat knows. Repeating a request changes nothing;
/// `{"to": null}` withdraws it.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/undo", tag = "tables", operation_id = "create_table_undo",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table.")),
    request_body(content = UndoRequest, description = "How far.", content_type = "application/json"),
    responses((status = 200, description = "It is done, or the others are still asked: `undo` of the table says whom.", body = umpire_referee::schemas::Table))
))]
pub async fn create_table_undo(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<UndoRequest>,
) -> Result<HttpResponse, ApiError> {
    let UndoRequest { to } = read(&sent.text)?;
    let at = comer.enter(&service).await?.take_back(to).await?;
    answer(at, LookParameters::default()).await
}

/// A part of a fair draw: exactly one of the fields.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(min_properties = 1, max_properties = 1))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct DrawRequest<'a> {
    /// The commitment of the sender's seat: 64 lower-case hexadecimal digits.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{64}$"))]
    commit: Option<Cow<'a, str>>,
    /// The secret behind it: 64 lower-case hexadecimal digits.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{64}$"))]
    reveal: Option<Cow<'a, str>>,
    /// The seat to go on without; host only.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    without: Option<Cow<'a, str>>,
}

impl Content for DrawRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[SENT_ERRORS, &[Code::Conflict]];
}

/// Takes part in the fair draw of the seed.
///
/// First each seat commits to a secret, then each reveals it; the server reveals its own last, and the game begins.
/// `docs/records.md` says what is hashed. If a seat does not continue, the host may go on without it; the record names it.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/draw", tag = "tables", operation_id = "create_table_draw",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table.")),
    request_body(content = DrawRequest, description = "The part.", content_type = "application/json"),
    responses((status = 200, description = "It was taken.", body = umpire_referee::schemas::Table))
))]
pub async fn create_table_draw(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<DrawRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let part = part(read(&sent.text)?)?;
    let at = comer.enter(&service).await?.draw(&part).await?;
    answer(at, LookParameters::default()).await
}

/// The part of a fair draw that a request is.
fn part(request: DrawRequest<'_>) -> Result<DrawPart, ApiError> {
    let DrawRequest { commit, reveal, without } = request;
    match (commit, reveal, without) {
        (Some(text), None, None) => Ok(DrawPart::Commit(text.into_owned())),
        (None, Some(text), None) => Ok(DrawPart::Reveal(text.into_owned())),
        (None, None, Some(seat)) => Ok(DrawPart::Without(seat.into_owned())),
        _ => {
            let detail = "one of commit, reveal and without is expected";
            Err(Fault::new(FaultCode::BadRecord, "", detail).into())
        }
    }
}

/// Makes a record of a table.
///
/// Closes the table and stores its record, under the same id as if it had been submitted. The seed reveals everything that
/// was hidden, so only the host may do this before the game is over. The times of the actions are kept in `meta`, the
/// transcript of a fair draw in `chance`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/seal", tag = "tables", operation_id = "create_table_seal",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table.")),
    responses((status = 200, description = "It is a record now, or was already.", body = umpire_referee::schemas::Table))
))]
pub async fn create_table_seal(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let at = comer.enter(&service).await?.seal(&service.names).await?;
    answer(at, LookParameters::default()).await
}
