//! The application: its parts, and the middleware that every request passes through.
//!
//! Here every response gets a request id and the engine's version, and is counted and logged. This
//! module must not log a body, a token, a seed or a query string.

mod coding;
pub mod config;
pub mod takeover;

use std::time::Instant;

use actix_cors::Cors;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, AcceptEncoding, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode, Version};
use actix_web::middleware::{Compress, Condition, Next, from_fn};
use actix_web::web::Data;
use actix_web::{App, Error, HttpMessage, ResponseError};
use futures_util::future::OptionFuture;
use umpire_engine::replay::answer::ENGINE;

use self::coding::{
    CODINGS, compress_in_turn, encoder_memory, mark_coding, negotiated, vary_by_coding,
    whole_coding,
};
use crate::http::error::{ApiError, shorten};
use crate::http::peer::Peer;
use crate::limits::allowance::{Account, Allowances, Holder, Spent};
use crate::limits::connections::Connection;
use crate::limits::cost::{Cost, Costly};
use crate::limits::held::{Attended, Full, Holding, HungUp};
use crate::routes;
use crate::service::Service;

/// The maximum length of a path.
const MAX_PATH: usize = 2 << 10;

static ENGINE_VERSION: HeaderName = HeaderName::from_static("engine-version");
static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
static RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
static RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
static IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The request id that the caller sent, if it is valid.
fn sent_id(request: &ServiceRequest) -> Option<HeaderValue> {
    let value = request.headers().get(&REQUEST_ID)?;
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let bytes = value.as_bytes();
    (!bytes.is_empty() && bytes.len() <= 64 && bytes.iter().all(fits)).then(|| value.clone())
}

/// The origins whose pages may call the service.
fn cors(origins: &[String]) -> Cors {
    let cors = Cors::default()
        .allowed_methods(["GET", "HEAD", "POST", "DELETE"])
        .allowed_headers([header::CONTENT_TYPE, header::AUTHORIZATION, header::IF_NONE_MATCH])
        .allowed_headers([REQUEST_ID.clone(), HeaderName::from_static("traceparent")])
        .allowed_headers([header::IF_MATCH, HeaderName::from_static("idempotency-key")])
        .allowed_header(HeaderName::from_static("last-event-id"))
        .expose_headers([&ENGINE_VERSION, &REQUEST_ID, &header::ETAG, &header::LOCATION])
        .expose_headers([&header::RETRY_AFTER, &header::LINK, &SERVER_TIMING])
        .expose_headers([&RATE_LIMIT, &RATE_LIMIT_POLICY, &IDEMPOTENCY_REPLAYED])
        .max_age(3600);
    origins.iter().fold(cors, |cors, origin| match origin.as_str() {
        "*" => cors.allow_any_origin().send_wildcard(),
        origin => cors.allowed_origin(origin),
    })
}

/// Builds the application: all routes and the middleware.
pub fn build(
    service: Data<Service>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let cors = Condition::new(!service.origins.is_empty(), cors(&service.origins));
    App::new()
        .app_data(service)
        .configure(routes::configure)
        .wrap(from_fn(within_bounds))
        .wrap(Compress::default())
        .wrap(cors)
        .wrap(from_fn(around))
}

/// Handles a request only if its caller is within its rate limit, and sends the response only if
/// there is memory for it until it was sent. Pages of other origins may read both refusals.
async fn within_bounds(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let service = request.app_data::<Data<Service>>().cloned();
    let spent = request.extensions_mut().remove::<Spent>();
    if let Some(spent) = spent {
        let refused =
            request.into_response(ApiError::spent(&spent.what, spent.retry_after).error_response());
        return Ok(refused.map_into_right_body());
    }
    let coding = negotiated(&request);
    let answer = next.call(request).await?;
    let Some(service) = service else {
        return Ok(answer.map_into_right_body().map_into_left_body());
    };
    let coding = coding.filter(|_| !answer.headers().contains_key(header::CONTENT_ENCODING));
    let coding = coding.as_ref();
    let (size, encoder) = (answer.response().body().size(), coding.map_or(0, encoder_memory));
    let whole = coding.and_then(whole_coding).filter(|_| matches!(size, BodySize::Sized(_)));
    match (service.memory.part_with(size, encoder), whole) {
        (Ok(None), _) => Ok(answer.map_into_right_body().map_into_left_body()),
        (Ok(Some(part)), Some(coding)) => {
            Ok(compress_in_turn(&service, coding, answer, part).await.map_into_right_body())
        }
        (Ok(Some(part)), None) => {
            let answer = answer.map_body(|_, body| Holding::new(body, part));
            Ok(answer.map_into_left_body().map_into_left_body())
        }
        (Err(Full), _) => {
            let refused = answer.into_response(ApiError::no_memory().error_response());
            Ok(refused.map_into_right_body())
        }
    }
}

/// The middleware around every request.
async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    let Some(service) = request.app_data::<Data<Service>>().cloned() else {
        return Err(ApiError::internal("the service is not set up".to_owned()).into());
    };
    let running = service.metrics.begin();
    let connection = request.conn_data::<Connection>().cloned();
    let busy = connection.as_ref().map(Connection::begin);
    let id = sent_id(&request).unwrap_or_else(|| service.ids.next());
    let mut request = request;
    let old = request.version() < Version::HTTP_11;
    let coding = request.get_header::<AcceptEncoding>();
    // HTTP/1.0 has no chunks, which compressed responses use.
    if old || coding.is_some_and(|coding| coding.negotiate(CODINGS.iter()).is_none()) {
        // A client that accepts no coding, not even identity, is treated as if it had not said so.
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let coding = negotiated(&request);
    let tells_times = tells_times(&service, &request);
    let (account, spent) = ask_allowance(&service, &request);
    let cost = Cost::new(account.clone(), service.metrics.clone());
    let refused = match service.hosts.foreign(&request) {
        Some(name) => Some(ApiError::wrong_host(&shorten(&name))),
        None if request.path().len() > MAX_PATH => {
            Some(ApiError::not_found(format!("the path exceeds the limit of {MAX_PATH} bytes")))
        }
        None => None,
    };
    if let Some(spent) = spent {
        request.extensions_mut().insert(spent);
    }
    let mut answer = if let Some(error) = refused {
        request.into_response(error.error_response()).map_into_right_body()
    } else {
        let gone = connection.clone().map(Connection::gone);
        let answer = tokio::select! {
            biased;
            answer = cost.clone().within(next.call(request)) => answer?,
            Some(()) = OptionFuture::from(gone) => return Err(HungUp.into()),
        };
        match refused_preflight(&answer) {
            // The same as if no origin were allowed.
            true => {
                let sent = answer.request().method().to_string();
                let error = ApiError::method(&sent, CORS_METHODS);
                answer.into_response(error.error_response()).map_into_right_body()
            }
            false => answer.map_into_left_body(),
        }
    };
    let status = answer.status();
    let route = answer.request().match_pattern();
    let route = route.as_deref().unwrap_or("unknown");
    let method = answer.request().method();
    let reading = matches!(*method, Method::GET | Method::HEAD);
    let method = if KNOWN_METHODS.contains(&method.as_str()) { method.as_str() } else { "other" };
    let took = begun.elapsed();
    service.metrics.answered(method, route, status.as_str(), took);
    tracing::info!(
        id = id.to_str().unwrap_or("?"),
        method,
        route,
        status = status.as_u16(),
        microseconds = took.as_micros() as u64,
        "request"
    );
    let headers = answer.headers_mut();
    headers.insert(ENGINE_VERSION.clone(), HeaderValue::from_static(ENGINE));
    headers.insert(REQUEST_ID.clone(), id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if tells_times {
        let times = HeaderValue::from_str(&cost.server_timing(took));
        times.into_iter().for_each(|times| drop(headers.insert(SERVER_TIMING.clone(), times)));
    }
    if let Some(account) = account {
        tell_allowance(headers, &service.allowances, &account);
    }
    mark_coding(headers, status, coding);
    if reading {
        vary_by_coding(headers);
    }
    if old && matches!(answer.response().body().size(), BodySize::Stream) {
        // The end of such a response is the end of the connection.
        let head = answer.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
    let long = matches!(answer.response().body().size(), BodySize::Stream);
    let connection = connection.filter(|_| long);
    Ok(answer.map_body(|_, body| {
        Attended::new(Holding::new(Costly::new(body, cost), (running, busy)), connection)
    }))
}

/// Whether a caller may see how long the work took. Not if reading is protected and the caller may
/// not read everything, because the work on a view depends on what is hidden in it.
fn tells_times(service: &Service, request: &ServiceRequest) -> bool {
    service
        .tokens
        .as_ref()
        .filter(|tokens| tokens.protect_reading())
        .is_none_or(|tokens| tokens.of(request.request()).is_some_and(|grant| grant.read))
}

/// Paths that are exempt from rate limits, so that monitoring is never locked out.
const UNBOUNDED: [&str; 2] = ["/healthz", "/readyz"];

/// The account of a caller, and whether it is used up; `None` if there are no limits.
fn ask_allowance(service: &Service, request: &ServiceRequest) -> (Option<Account>, Option<Spent>) {
    if !service.allowances.is_set() || UNBOUNDED.contains(&request.path()) {
        return (None, None);
    }
    let token = service.tokens.as_ref().and_then(|tokens| tokens.which(request.request()));
    let holder = match token {
        Some(token) => Holder::Token(token),
        None => Holder::Address(Peer::of(request.peer_addr())),
    };
    let (account, taken) = service.allowances.ask(holder, Instant::now());
    (Some(account), taken.err())
}

/// Adds the rate limit headers.
fn tell_allowance(headers: &mut header::HeaderMap, allowances: &Allowances, account: &Account) {
    let values =
        [(&RATE_LIMIT_POLICY, allowances.policy()), (&RATE_LIMIT, account.header(Instant::now()))];
    for (name, value) in values {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name.clone(), value);
        }
    }
}

/// The methods allowed to pages of an allowed origin.
const CORS_METHODS: &str = "GET, HEAD, POST, DELETE";

/// Whether this is the plain text with which the middleware refuses a preflight request.
fn refused_preflight<B>(answer: &ServiceResponse<B>) -> bool {
    answer.request().method() == Method::OPTIONS
        && answer.status() == StatusCode::BAD_REQUEST
        && !answer.headers().contains_key(header::CONTENT_TYPE)
}

const KNOWN_METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
