//! What is done at a table: actions, undos, the fair draw, its end.
//!
//! Each answer comes when what was done would survive a loss of power. This module must not show anybody what that
//! viewer may not know, and must not know a game.

use std::borrow::Cow;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::chance::EntryOf;
use umpire_engine::chance::fair::{FairStage, is_value};
use umpire_engine::live::{Disclosed, Sender, Tried};
use umpire_engine::record::{self, Fault, FaultCode};
use umpire_engine::replay::answer::Status;

use super::programs;
use super::seated::{AtTable, Comer, OVERTAKEN, Who, to_the_end};
use super::table::{LookParameters, StepParameters, answer};
use crate::archive::{Accept, admit};
use crate::body::JSON;
use crate::contract::{Contract, Demand};
use crate::cpu::Claim;
use crate::error::{ApiError, Code, shorten};
use crate::json;
use crate::query::{NoParameters, Query};
use crate::referee::canonical;
use crate::sent::{Content, Here, Sent, here};
use crate::service::Service;
use crate::tables::answer::{Sight, Since, StepView};
use crate::tables::journal::{Agreed, Draws, Part, Step, Taken};
use crate::tables::now;
use crate::tables::table::{Proposal, Table, Version};

/// What is sent to do something at a table.
const SENT_ERRORS: &[Code] = &[Code::BadJson, Code::BadRecord];

/// The longest name of a request, in bytes.
const LONGEST_KEY: usize = 200;

/// For which moment of a table a request is meant, and what its sender calls it.
#[derive(Clone, Debug)]
pub struct Meant {
    /// The moments that are named; none where there is no such header.
    at: Option<Moments>,
    key: Option<String>,
}

#[derive(Clone, Debug)]
enum Moments {
    Any,
    Some(Vec<String>),
}

impl FromRequest for Meant {
    type Error = ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = |name: &str| request.headers().get(name).map(|it| it.to_str().unwrap_or("?"));
        let at = text("if-match").map(|text| match text.trim() {
            "*" => Moments::Any,
            tags => Moments::Some(tags.split(',').map(|tag| version_of(tag).to_owned()).collect()),
        });
        let key = text("idempotency-key").map(|key| match key.len() {
            1..=LONGEST_KEY => Ok(key.to_owned()),
            _ => Err(ApiError::Parameter {
                name: "Idempotency-Key".into(),
                detail: format!("text of 1 to {LONGEST_KEY} characters is expected"),
            }),
        });
        here(key.transpose().map(|key| Meant { at, key }))
    }
}

impl Demand for Meant {
    fn demand(contract: &mut Contract) {
        contract.errors(&[Code::PreconditionRequired, Code::Stale, Code::BadParameter]);
    }
}

/// The version within a tag: what a cache or a compression adds to it does not count.
fn version_of(tag: &str) -> &str {
    let tag = tag.trim();
    let tag = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
    tag.split('-').next().unwrap_or(tag)
}

impl Meant {
    /// The moment that is meant, if an action may still be taken that is meant for it.
    ///
    /// # Errors
    /// None is named, or the table has moved on.
    fn check(&self, table: &Table, seat: Option<&str>) -> Result<Version, ApiError> {
        let present = table.version();
        let versions = match &self.at {
            None => return Err(ApiError::NoPrecondition { version: present.to_string() }),
            Some(Moments::Any) => return Ok(present),
            Some(Moments::Some(versions)) => versions,
        };
        let fits = |sent: &Version| {
            let beside = |seat| {
                sent.undos == present.undos
                    && sent.ply < present.ply
                    && table.still_asked(seat, sent.ply)
            };
            *sent == present || seat.is_some_and(beside)
        };
        let sent = versions.iter().filter_map(|text| text.parse::<Version>().ok()).find(fits);
        sent.ok_or_else(|| ApiError::Stale {
            sent: shorten(versions.first().map_or("", String::as_str)).into_owned(),
            version: present.to_string(),
        })
    }
}

/// An action for a table.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ActionRequest<'a> {
    /// The action, as a record has it.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Action))]
    action: &'a RawValue,
    /// What fell for it, in order, where what falls is entered by hand.
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
/// `If-Match` names the moment that the sender saw (`"41"`). Where the table has moved on since, the answer is 412 with
/// the present one; but who decides beside others, each for himself, may act on what he saw before they did. With an
/// `Idempotency-Key` the same request sent again is answered, and not taken twice. A refused action is an error here
/// (422 `action_refused`, with the violation of a verdict): it was not taken, so that there is nothing to judge. The
/// answer tells what the sender's seat saw happen, how its view has changed since (or the whole of it), who decides
/// now, and how many legal actions it has, with `include=legal` which.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/actions", tag = "tables", operation_id = "create_table_action",
    params(
        ("id" = crate::schemas::TableName, Path, description = "The id of a table."),
        ("If-Match" = String, Header, description = "The moment that the action is meant for: the `version` that was seen, in quotes; or `*`.", example = "\"41\""),
        ("Idempotency-Key" = Option<String>, Header, description = "A name for the request, of at most 200 characters. Sent again with the same action, it is answered as done.", example = "c0ffee"),
        StepParameters,
    ),
    request_body(content = ActionRequest, description = "The action.", content_type = "application/json"),
    responses((status = 200, description = "It was taken, and what happened.", body = crate::schemas::TableStep))
))]
pub async fn create_table_action(
    comer: Comer,
    meant: Meant,
    parameters: Query<StepParameters>,
    service: Data<Service>,
    sent: Sent<ActionRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let Query(parameters) = parameters;
    to_the_end(async move {
        let request: ActionRequest<'_> = read(&sent.text)?;
        loop {
            let at = comer.enter(&service).await?;
            match act(at, &meant, &request, parameters.clone()).await {
                // Another server was first: what was meant is looked at again, as the table stands now.
                Err(ApiError::Conflict(why)) if why == OVERTAKEN => {}
                done => return done,
            }
        }
    })
    .await
}

/// Reads what was sent.
fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    Ok(record::read(record::utf8(text)?, FaultCode::BadRecord, "")?)
}

async fn act(
    at: AtTable,
    meant: &Meant,
    request: &ActionRequest<'_>,
    parameters: StepParameters,
) -> Result<HttpResponse, ApiError> {
    at.taking_part()?;
    let table = at.table()?;
    let player = table.player_of(request.action);
    let name = match at.who {
        Who::Host => "host",
        Who::Seat(seat) if player.is_some_and(|player| player != seat) => {
            return Err(ApiError::Forbidden("this token plays for another seat"));
        }
        Who::Seat(seat) => seat,
        Who::Onlooker => return Err(ApiError::Unauthorized),
    };
    if player.is_some_and(|player| table.head.programs.contains_key(player)) {
        return Err(ApiError::Conflict("a program plays that seat".to_owned()));
    }
    let key = meant.key.as_ref().map(|key| format!("{name} {key}"));
    let viewer = at.viewer(parameters.viewer.as_deref())?;
    if let Some(key) = &key
        && let Some((ply, taken, fallen)) = table.keyed(key)
    {
        let tape = request.tape.iter().flatten();
        if !same(taken, request.action) || !tape.eq(fallen) {
            let detail = "this Idempotency-Key was used for another action";
            return Err(ApiError::Conflict(detail.to_owned()));
        }
        return step(at, viewer, SinceWhen::Again(ply), &parameters).await;
    }
    at.open()?;
    let seen = meant.check(table, player)?;
    if table.live.is_none() {
        let detail = "the seed of the game is still being drawn; see fair of the table";
        return Err(ApiError::Conflict(detail.to_owned()));
    }
    let most = at.service.limits.max_actions;
    if table.ply() as usize >= most {
        let detail = format!("the game has {most} actions, and more are not taken");
        return Err(Fault::new(FaultCode::TooManyActions, "/action", detail).into());
    }
    let tape: Vec<_> = request.tape.iter().flatten().map(|entry| entry.clone().owned()).collect();
    if !tape.is_empty() && !matches!(table.head.chance, Draws::Tape(_)) {
        let detail = "chance does not come from a tape at this table";
        return Err(Fault::new(FaultCode::BadRecord, "/tape", detail).into());
    }
    let taken = Taken { action: request.action.to_owned(), at: now(), tape, key };
    let (action, fallen) = (taken.action.clone(), taken.tape.clone());
    let lang = parameters.lang;
    let before = table.fallen();
    let seat = match at.who {
        Who::Seat(seat) => table.game.meta().seat(seat),
        Who::Host | Who::Onlooker => None,
    };
    let sender = Sender { seat, viewer };
    let play = move |table: &mut Table, _: umpire_engine::replay::Limits<'_>| {
        let voice = lang.of(table.game);
        let known = (seen == table.version()).then_some(());
        let known =
            known.and_then(|()| Some(Sight { table, viewer, voice }.known(table.live.as_deref()?)));
        let version = table.version().to_string();
        let Some(live) = &mut table.live else { return Err(not_begun()) };
        match live.play(&action, fallen, sender) {
            Ok(Tried::Taken) => Ok(known),
            Ok(Tried::Refused(mut violation)) => {
                violation.message = voice.said(&violation.message);
                Err(ApiError::Refused {
                    pointer: in_request(&violation.pointer, before),
                    message: violation.message.clone(),
                    violation: serde_json::value::to_raw_value(&violation)
                        .map_err(|error| ApiError::Internal(error.to_string()))?,
                    version,
                })
            }
            // The place is one of the only action of a list.
            Err(Fault { pointer, code, detail, rule, invariant }) => {
                let pointer = match pointer.strip_prefix("/actions/0") {
                    Some(below) => format!("/action{below}"),
                    None => "/action".to_owned(),
                };
                Err(Fault { pointer, code, detail, rule, invariant }.into())
            }
        }
    };
    let claim = Claim::light(at.peer);
    let (at, known) = at.work(claim, play).await?;
    let at = at.change(Step::Action(taken)).await?;
    programs::wake(&at);
    let since = known.map_or(SinceWhen::Since(seen.ply), |known| SinceWhen::Known(Box::new(known)));
    step(at, viewer, since, &parameters).await
}

fn not_begun() -> ApiError {
    ApiError::Conflict("the game has not begun".to_owned())
}

/// Whether two texts are the same JSON value, however they are written.
fn same(one: &RawValue, other: &RawValue) -> bool {
    let value = |text: &RawValue| {
        serde_json::from_slice::<serde_json::Value>(&canonical(text.get().as_bytes())).ok()
    };
    one.get() == other.get() || value(one).is_some_and(|it| Some(it) == value(other))
}

/// Where in the request something is that is at this place of a record with the action at its end, on whose tape so
/// many entries had fallen before.
fn in_request(pointer: &str, fallen: usize) -> String {
    if let Some(below) = pointer.strip_prefix("/actions/") {
        return format!("/action{}", below.trim_start_matches(|it: char| it.is_ascii_digit()));
    }
    match pointer.strip_prefix("/chance/tape/").and_then(|at| at.parse::<usize>().ok()) {
        Some(at) => format!("/tape/{}", at.saturating_sub(fallen)),
        None => "/tape".to_owned(),
    }
}

/// Since when the answer to an action tells what happened.
enum SinceWhen {
    /// The sender knew that.
    Known(Box<crate::tables::answer::Known>),
    /// The sender has seen that many actions.
    Since(u32),
    /// The action was taken before, as that one.
    Again(u32),
}

/// What an action came to.
async fn step(
    at: AtTable,
    viewer: umpire_engine::game::Observer,
    since: SinceWhen,
    parameters: &StepParameters,
) -> Result<HttpResponse, ApiError> {
    let StepParameters { lang, legal, .. } = *parameters;
    let named = parameters.viewer.clone();
    let claim = Claim::light(at.peer);
    let again = matches!(since, SinceWhen::Again(_));
    let show = move |table: &mut Table, limits: umpire_engine::replay::Limits<'_>| {
        let voice = lang.of(table.game);
        let sight = Sight { table, viewer, voice };
        let Some(live) = table.live.as_deref() else { return Err(not_begun()) };
        let mut view: StepView = match &since {
            SinceWhen::Known(known) => sight.step(live, Since::Known(known)),
            SinceWhen::Since(ply) | SinceWhen::Again(ply) => sight.step(live, Since::Ply(*ply)),
        };
        view.legal = Some(sight.legal(live, &legal, limits.budget)?);
        view.legal_actions = legal.count_only.then(|| sight.link(named.as_deref()));
        Ok((json::text(&view), table.version(), voice))
    };
    let (_, (text, version, voice)) = at.work(claim, show).await?;
    let mut answer = HttpResponse::Ok();
    if again {
        answer.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(answer
        .insert_header((header::ETAG, format!("\"{version}\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(voice.header())
        .content_type(JSON)
        .body(text))
}

/// What is to be taken back.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct UndoRequest {
    /// The ply that the table goes back to: so many actions stay. `null` withdraws what the seat wished before.
    #[serde(deserialize_with = "Deserialize::deserialize")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    to: Option<u32>,
}

impl Content for UndoRequest {
    const ERRORS: &'static [&'static [Code]] = &[SENT_ERRORS, &[Code::Conflict]];
}

/// Takes actions back, or agrees to that.
///
/// All seats are asked that have acted since then, and those that decide now; once the last of them has sent the same,
/// it is done. Where chance was asked since, or somebody learned by it what he did not know, players cannot take it
/// back (409): only the host can, and does so at once. A seat that says the same again changes nothing; with
/// `{"to": null}` it withdraws what it wished.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/undo", tag = "tables", operation_id = "create_table_undo",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table.")),
    request_body(content = UndoRequest, description = "How far.", content_type = "application/json"),
    responses((status = 200, description = "It is done, or the others are still asked: `undo` of the table says whom.", body = crate::schemas::Table))
))]
pub async fn create_table_undo(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<UndoRequest>,
) -> Result<HttpResponse, ApiError> {
    to_the_end(async move {
        let UndoRequest { to } = read(&sent.text)?;
        let at = comer.enter(&service).await?;
        at.taking_part()?;
        at.open()?;
        let table = at.table()?;
        let Some(to) = to else { return withdraw(at).await };
        let plies = table.ply();
        if to >= plies {
            let detail = match plies {
                0 => "no action has been taken: there is nothing to take back".to_owned(),
                _ => format!("a number below {plies} is expected: there are so many actions"),
            };
            return Err(Fault::new(FaultCode::BadRecord, "/to", detail).into());
        }
        let Who::Seat(seat) = at.who else {
            let at = at.change(Step::Undo(to)).await?;
            programs::wake(&at);
            return answer(at, LookParameters::default()).await;
        };
        let wished = |known: &Proposal| known.to == to && known.agreed.contains(seat);
        if table.proposal.as_ref().is_some_and(wished) {
            // It has said so already.
            return answer(at, LookParameters::default()).await;
        }
        let concerned = table.concerned(to);
        if !concerned.contains(seat) {
            return Err(ApiError::Conflict(
                "your seat has neither acted since then nor is it asked".to_owned(),
            ));
        }
        let claim = Claim::heavy(at.peer);
        let asker = at.viewer(None)?;
        let (at, disclosed) =
            at.work(claim, move |table, limits| Ok(table.disclosed(to, asker, limits)?)).await?;
        match disclosed {
            Disclosed::Nothing => {}
            Disclosed::Draw => {
                let detail = "chance was asked since then; only the host can take it back";
                return Err(ApiError::Conflict(detail.to_owned()));
            }
            Disclosed::Secret => {
                let detail = "somebody learned something by it; only the host can take it back";
                return Err(ApiError::Conflict(detail.to_owned()));
            }
        }
        let known = at.table()?.proposal.as_ref().filter(|known| known.to == to);
        let agreed =
            |other: &String| other == seat || known.is_some_and(|it| it.agreed.contains(other));
        let done = concerned.iter().all(agreed);
        let step = match done {
            true => Step::Undo(to),
            false => Step::Agree(Agreed { to, seat: seat.to_owned() }),
        };
        let at = at.change(step).await?;
        programs::wake(&at);
        answer(at, LookParameters::default()).await
    })
    .await
}

/// Withdraws what a seat wished to take back; nothing where it wished nothing.
async fn withdraw(at: AtTable) -> Result<HttpResponse, ApiError> {
    let wishing = |seat: &&str| {
        at.table().is_ok_and(|table| {
            table.proposal.as_ref().is_some_and(|known| known.agreed.contains(*seat))
        })
    };
    let seat = match at.who {
        Who::Seat(seat) => Some(seat).filter(wishing),
        Who::Host | Who::Onlooker => None,
    };
    let at = match seat {
        Some(seat) => at.change(Step::Withdraw(seat.to_owned())).await?,
        None => at,
    };
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
    /// The seat without whose part the draw goes on; only the host may say so.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    without: Option<Cow<'a, str>>,
}

impl Content for DrawRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[SENT_ERRORS, &[Code::Conflict]];
}

/// Takes part in the fair draw of the seed.
///
/// First each seat commits itself to a secret, then each opens it; the server opens its own last, and the game begins.
/// `docs/records.md` says what is hashed. Where a seat does not go on, the host may go on without it; the record names
/// it.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/draw", tag = "tables", operation_id = "create_table_draw",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table.")),
    request_body(content = DrawRequest, description = "The part.", content_type = "application/json"),
    responses((status = 200, description = "It was taken.", body = crate::schemas::Table))
))]
pub async fn create_table_draw(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<DrawRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    to_the_end(async move {
        let request: DrawRequest<'_> = read(&sent.text)?;
        let at = comer.enter(&service).await?;
        at.taking_part()?;
        let step = part(&at, &request)?;
        let at = at.change(step).await?;
        programs::wake(&at);
        answer(at, LookParameters::default()).await
    })
    .await
}

/// The step that a part of a fair draw is, if it comes in its turn.
fn part(at: &AtTable, request: &DrawRequest<'_>) -> Result<Step, ApiError> {
    let conflict = |detail: &str| ApiError::Conflict(detail.to_owned());
    let wrong =
        |field: &str, detail: &str| ApiError::from(Fault::new(FaultCode::BadRecord, field, detail));
    let table = at.table()?;
    let Some(draw) = &table.fair else {
        return Err(conflict("the seed of this table is not drawn by its players"));
    };
    let stage = draw.stage();
    if stage == FairStage::Drawn {
        return Err(conflict("the seed is drawn already"));
    }
    let seat = match at.who {
        Who::Seat(seat) => Ok(seat),
        _ => Err(ApiError::Forbidden("only the token of a seat may do this")),
    };
    let value = |field: &str, text: &str| match is_value(text) {
        true => Ok(text.to_owned()),
        false => Err(wrong(&format!("/{field}"), "64 lower-case hexadecimal digits are expected")),
    };
    match (&request.commit, &request.reveal, &request.without) {
        (Some(text), None, None) => {
            let (seat, value) = (seat?, value("commit", text)?);
            if stage != FairStage::Committing || !draw.missing().contains(&seat) {
                return Err(conflict("this seat has committed itself, and cannot do so again"));
            }
            Ok(Step::Commit(Part { seat: seat.to_owned(), value }))
        }
        (None, Some(text), None) => {
            let (seat, value) = (seat?, value("reveal", text)?);
            if stage != FairStage::Revealing || !draw.missing().contains(&seat) {
                return Err(conflict(
                    "secrets are opened once all commitments are there, each once",
                ));
            }
            if !draw.fits(seat, &value) {
                return Err(wrong("/reveal", "this is not the secret of the commitment"));
            }
            Ok(Step::Reveal(Part { seat: seat.to_owned(), value }))
        }
        (None, None, Some(other)) => {
            at.hosting()?;
            if !draw.missing().contains(&&**other) {
                return Err(conflict("the draw does not wait for that seat"));
            }
            if !draw.giving().any(|part| part.who != **other) {
                return Err(conflict("somebody must take part"));
            }
            Ok(Step::Without(other.clone().into_owned()))
        }
        _ => Err(wrong("", "one of commit, reveal and without is expected")),
    }
}

/// Makes a record of a table.
///
/// The table is closed, and its record stored: the same, under the same id, as if it had been submitted. With its seed
/// everybody can see what was hidden, so only the host may do so before the game is over. The times of the actions are
/// kept in `meta`, the transcript of a fair draw in `chance`.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/tables/{id}/seal", tag = "tables", operation_id = "create_table_seal",
    params(("id" = crate::schemas::TableName, Path, description = "The id of a table.")),
    responses((status = 200, description = "It is a record now, or was already.", body = crate::schemas::Table))
))]
pub async fn create_table_seal(
    comer: Comer,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    to_the_end(async move {
        let at = comer.enter(&service).await?;
        at.taking_part()?;
        if at.table()?.sealed.is_some() {
            return answer(at, LookParameters::default()).await;
        }
        let claim = Claim::heavy(at.peer);
        let host = at.who == Who::Host;
        let prepare = move |table: &mut Table, limits: umpire_engine::replay::Limits<'_>| {
            let Some(live) = &table.live else { return Err(not_begun()) };
            let look = live.look(umpire_engine::game::Observer::Spectator);
            if look.status != Status::Complete && !host {
                return Err(ApiError::Forbidden("only the host may end a game that is not over"));
            }
            admit(table.record().get().as_bytes(), limits, Accept::Legal)
        };
        let (at, prepared) = at.work(claim, prepare).await?;
        let id = prepared.record.id;
        at.service.store.insert(vec![prepared.record]).await?;
        let name = at.service.names.outside(&id).to_string();
        let at = at.change(Step::Seal(name)).await?;
        answer(at, LookParameters::default()).await
    })
    .await
}
