//! Disputes: a record under other readings, why an action is illegal, how a record may be repaired,
//! where two records diverge.
//!
//! A record is sent, or named by the id under which it is stored. This module must not decide
//! anything, the referee does; and it must store nothing but the sheet of a dispute, if requested.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Data;
use umpire_engine::budget::Budget;
use umpire_engine::dispute::readings::{Adjudication, Dispute};
use umpire_referee::language::Language;
use umpire_referee::parameters::{Eyes, LanguageParameters};
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::questions::adjudicate::{AdjudicationRequest, adjudicate};
use umpire_referee::questions::compare::{ComparisonRequest, compare};
use umpire_referee::questions::explain::{ExplanationRequest, explain};
use umpire_referee::questions::remedy::{RemedyRequest, remedy};
use umpire_referee::questions::repair::{RepairRequest, repair};
use umpire_referee::questions::why::{WhyNotRequest, why};
use umpire_referee::questions::{Answer, Asked, Shelf, within};
use umpire_referee::reading::Submission;
use umpire_referee::{json, reading};

use super::stored::Seen;
use crate::documents::sheet::{Document, Draft};
use crate::http::body;
use crate::http::error::{ApiError, Code, Problem};
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::routes::access::{Caller, Reader, WholeReader, Writer};
use crate::routes::sent::{Content, RECORD_ERRORS, Sent};
use crate::service::Service;
use crate::store::{Inserted, NewVerdict};

/// What can be wrong with a request about a record, sent or stored.
pub(super) const SUBJECT_ERRORS: &[&[Code]] = &[RECORD_ERRORS, &[Code::NotFound]];

macro_rules! about_a_record {
    ($($request:ident)*) => {
        $(impl Content for $request<'static> {
            const ERRORS: &'static [&'static [Code]] = SUBJECT_ERRORS;
        })*
    };
}

about_a_record! {
    AdjudicationRequest WhyNotRequest ExplanationRequest RepairRequest RemedyRequest ComparisonRequest
}

/// The records of the store, as one caller may read them.
struct Shelved<'a> {
    service: &'a Service,
    reader: Reader,
}

impl Shelf for Shelved<'_> {
    fn find(&self, id: &str, whole: bool) -> Result<(String, Eyes), Problem> {
        let seen = Seen::by(&self.reader, &self.service.names, id)?;
        if whole {
            seen.eyes.whole()?;
        }
        Ok((seen.find(self.service)?.record, seen.eyes))
    }
}

/// Runs a job for a request in JSON.
pub(super) async fn done<T, R: Send + 'static>(
    Caller(peer): Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<R, Problem> + Send + 'static,
) -> Result<R, ApiError> {
    let shared = service.clone();
    let text = sent.text;
    let job = move |budget: Budget<'_>| {
        let shelf = Shelved { service: &shared, reader };
        let asked = Asked { shelf: &shelf, limits: shared.limits.referee(), budget };
        Ok(work(&asked, &reading::canonical(&text))?)
    };
    service.cpu.run(Claim::heavy(peer), job).await
}

/// Answers a request in JSON with a job.
pub(super) async fn job<T>(
    caller: Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<Vec<u8>, Problem> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let answer = done(caller, sent, reader, service, work).await?;
    Ok(HttpResponse::Ok().content_type(body::JSON).body(answer))
}

/// The same, for responses with a language.
async fn spoken<T>(
    caller: Caller,
    sent: Sent<T>,
    reader: Reader,
    service: Data<Service>,
    work: impl FnOnce(&Asked<'_>, &[u8]) -> Result<Answer, Problem> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let (answer, voice) = done(caller, sent, reader, service, work).await?;
    Ok(body::spoken(HttpResponse::Ok().content_type(body::JSON).body(answer), &voice))
}

/// Whether to store the sheet of a dispute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct KeepParameters {
    /// Store the verdict sheet of the dispute under its own id. It contains the whole record. If
    /// the server requires tokens, the scope `write` is needed.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub keep: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used. A
    /// stored sheet is always in English.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for KeepParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(KeepParameters { keep: pairs.flag("keep")?, lang: Language::take(pairs)? })
    }
}

/// Settles a dispute.
///
/// Replays the record under its own readings and under others. For each reading it says whether the
/// record is legal and how the game ends and, if it makes a difference, at which action and by
/// which clauses it diverges from the record's own reading. `summary` can be read aloud. The draws
/// stay as they happened. The response is for the referee: it shows everything.
///
/// With `keep=true` the verdict sheet is stored, signed if the server has a key, and available at
/// `/v1/verdicts/{id}`. The response then has its id as `verdict`, and is sent only after the sheet
/// is durable. The same dispute settled by the same engine has the same id.
///
/// For a record with unknowns (see `POST /v1/validate`), `completions` says for each reading
/// whether the record is legal regardless of the unknown values, possible, impossible or undecided.
/// It also says how the game ends in every completion, if that can be shown, or else in the one
/// that was found. Everything else is about that one, `completions.witness`. No sheet of it is
/// stored.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/adjudicate", tag = "disputes", operation_id = "create_adjudication",
    params(KeepParameters),
    request_body(content = AdjudicationRequest, description = "A record, and what is in dispute.", content_type = "application/json"),
    responses(
        (status = 200, description = "The settled dispute; with `keep=true`, its sheet was already stored.", body = umpire_referee::schemas::SettledDispute),
        (status = 201, description = "The settled dispute; its sheet was stored now.", body = umpire_referee::schemas::KeptDispute, headers(("Location" = String, description = "Where the sheet is."))),
    )
))]
pub async fn create_adjudication(
    caller: Caller,
    WholeReader(reader): WholeReader,
    writer: Writer,
    parameters: Query<KeepParameters>,
    service: Data<Service>,
    sent: Sent<AdjudicationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let Query(KeepParameters { keep, lang }) = parameters;
    if keep {
        writer.check()?;
    }
    let shared = service.clone();
    let settled = done(caller, sent, reader, service.clone(), move |asked, text| {
        let sheet = |it: &Submission<'_>, dispute: &Dispute<'_>, settled: &Adjudication| {
            let draft = Draft::of(it, dispute, settled, asked.limits());
            let draft = draft.map_err(|fault| within(fault, "/record"))?;
            let signature = Document::of(&draft, shared.signing.as_deref()).signature;
            let signature = signature.map(|it| json::string(&it));
            Ok(NewVerdict { id: draft.id, sheet: draft.text, signature })
        };
        adjudicate(asked, text, lang, keep.then_some(sheet))
    });
    let ((mut answer, voice), verdict) = settled.await?;
    let Some(verdict) = verdict else {
        return Ok(body::spoken(HttpResponse::Ok().content_type(body::JSON).body(answer), &voice));
    };
    let name = service.names.outside(&verdict.id);
    let inserted = service.store.insert_verdict(verdict).await?;
    let mut kept = match inserted {
        Inserted::New => HttpResponse::Created(),
        Inserted::Existing => HttpResponse::Ok(),
    };
    kept.insert_header((header::LOCATION, format!("/v1/verdicts/{name}")));
    // The response is a non-empty object: replace its last brace with one more field.
    answer.pop();
    answer.extend_from_slice(format!(",\"verdict\":\"{name}\"}}").as_bytes());
    Ok(body::spoken(kept.content_type(body::JSON).body(answer), &voice))
}

/// Explains whether an action is legal, and why not.
///
/// Returns all clauses that forbid the action, the facts behind them, the smallest changes of the
/// position that would allow it (found by trying), and the nearest legal actions. A seat or the
/// spectator gets an answer only from what that viewer may know; if that is not enough, the answer
/// is `undecidable`.
///
/// In a record with unknowns (see `POST /v1/validate`) the action is `legal` or `illegal` if it is
/// so regardless of the unknown values, `possible` with a `witness` that ends with it, or
/// `undecidable` within the limits. The action may contain unknowns, too. Only the referee may ask.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/why-not", tag = "disputes", operation_id = "create_why_not",
    params(LanguageParameters),
    request_body(content = WhyNotRequest, description = "A record, and an action.", content_type = "application/json"),
    responses((status = 200, description = "Whether it is legal, and why not.", body = umpire_referee::schemas::WhyNot))
))]
pub async fn create_why_not(
    caller: Caller,
    reader: Reader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<WhyNotRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| why(asked, text, lang)).await
}

/// Explains a ply.
///
/// Returns a tree: the action, its events, the clauses behind each, and the facts of the state that
/// it depends on or changes, with their values before and after. It shows only what the viewer may
/// know. For all plies at once, use the part `explain` of a report.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/explain", tag = "disputes", operation_id = "create_explanation",
    params(LanguageParameters),
    request_body(content = ExplanationRequest, description = "A record, and a ply.", content_type = "application/json"),
    responses((status = 200, description = "The explanation.", body = umpire_referee::schemas::Account))
))]
pub async fn create_explanation(
    caller: Caller,
    reader: Reader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<ExplanationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| explain(asked, text, lang)).await
}

/// Proposes repairs of a record that is illegal, or whose claims do not hold.
///
/// Returns the smallest edits (an action removed, added, moved or changed in one field; a die or
/// card changed) that make the most of the rest legal, the best first. Each is given as a JSON
/// Patch and as text, and verified by a replay. Nothing is changed: a person decides what really
/// happened. The claims of the record and its `checkpoints` are evidence: repairs under which they
/// hold come first, and in a legal record they can reveal dice and cards that are possible but
/// wrong. A detail that was omitted throughout (a response that changes nothing) is one repair. The
/// work is limited; `exhausted` says that the limit was reached.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/repair", tag = "disputes", operation_id = "create_repair",
    params(LanguageParameters),
    request_body(content = RepairRequest, description = "A record.", content_type = "application/json"),
    responses((status = 200, description = "The repairs.", body = umpire_referee::schemas::Repairs))
))]
pub async fn create_repair(
    caller: Caller,
    WholeReader(reader): WholeReader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<RepairRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| repair(asked, text, lang)).await
}

/// Lists the remedies for an illegal record.
///
/// Returns three remedies, each with its effect on the game, as shown by a replay: the game goes
/// back to before the violation (`back_up`); what was played stands, and the game continues from
/// the position that the record states after it, or as if the most similar legal action had been
/// played (`play_on`); or the record is repaired by the smallest edit that helps (`mend`). A remedy
/// that is not possible says why. Nothing is changed: people decide. A legal record needs no
/// remedy.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/remedy", tag = "disputes", operation_id = "create_remedy",
    params(LanguageParameters),
    request_body(content = RemedyRequest, description = "A record.", content_type = "application/json"),
    responses((status = 200, description = "The remedies.", body = umpire_referee::schemas::Remedies))
))]
pub async fn create_remedy(
    caller: Caller,
    WholeReader(reader): WholeReader,
    parameters: Query<LanguageParameters>,
    service: Data<Service>,
    sent: Sent<RemedyRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let lang = parameters.lang;
    spoken(caller, sent, reader, service, move |asked, text| remedy(asked, text, lang)).await
}

/// Finds where two records diverge.
///
/// Returns the first ply whose states differ, the cause (the deal, the decision, the dice, the
/// rules) and the difference of the states, as a JSON Patch and as text. Instead of a second
/// record, another engine can send `fingerprints` of a few plies: the response then says which ply
/// to `ask` for next, and the place is found by binary search.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/compare", tag = "disputes", operation_id = "create_comparison",
    request_body(content = ComparisonRequest, description = "Two records, or a record and fingerprints.", content_type = "application/json"),
    responses((status = 200, description = "Where they diverge.", body = umpire_referee::schemas::AnyComparison))
))]
pub async fn create_comparison(
    caller: Caller,
    WholeReader(reader): WholeReader,
    _: Query<NoParameters>,
    service: Data<Service>,
    sent: Sent<ComparisonRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    job(caller, sent, reader, service, compare).await
}
