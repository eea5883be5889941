//! The service put together: its parts, and what every request passes through.
//!
//! Every answer gets a request id and the engine's version here, is counted and logged. This
//! module must not log a body, a token, a seed or a query.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_cors::Cors;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, AcceptEncoding, Encoding, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Compress, Condition, Next, from_fn};
use actix_web::web::Data;
use actix_web::{App, Error, HttpMessage, ResponseError};
use tokio::sync::Semaphore;
use umpire_engine::erased::ENGINE;

use crate::auth::Tokens;
use crate::config::Limits;
use crate::cpu::Cpu;
use crate::error::ApiError;
use crate::impact::jobs::Jobs;
use crate::metrics::Metrics;
use crate::ndjson::Pace;
use crate::routes;
use crate::store::Store;

/// The longest path.
const MAX_PATH: usize = 2 << 10;

/// How many exports go on at once.
const EXPORTS: usize = 4;

static ENGINE_VERSION: HeaderName = HeaderName::from_static("engine-version");
static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The parts of the service that handlers share.
pub struct Service {
    /// How much a request may cost.
    pub limits: Limits,
    /// Work for the processor.
    pub cpu: Cpu,
    /// How many jobs go on at once.
    pub jobs: usize,
    /// Numbers for operators.
    pub metrics: Metrics,
    /// Who may write; everybody where there are no tokens.
    pub tokens: Option<Tokens>,
    /// Origins whose pages may call.
    pub origins: Vec<String>,
    /// Where records are kept.
    pub store: Arc<dyn Store>,
    /// Places for exports.
    pub exports: Arc<Semaphore>,
    /// Impacts that run or ran.
    pub impacts: Jobs,
    ids: RequestIds,
}

impl Service {
    /// A service on a store.
    pub fn new(
        store: Arc<dyn Store>,
        limits: Limits,
        tokens: Option<Tokens>,
        origins: Vec<String>,
    ) -> Result<Self, prometheus::Error> {
        let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let queue = Duration::from_secs(limits.queue_seconds);
        let work = Duration::from_secs(limits.work_seconds);
        Ok(Service {
            limits,
            cpu: Cpu::new(jobs, queue, work),
            jobs,
            metrics: Metrics::new()?,
            tokens,
            origins,
            store,
            exports: Arc::new(Semaphore::new(EXPORTS)),
            impacts: Jobs::new(jobs),
            ids: RequestIds::default(),
        })
    }

    /// How NDJSON bodies are answered.
    pub fn pace(&self) -> Pace {
        Pace {
            line: self.limits.max_body,
            pause: Duration::from_secs(self.limits.body_seconds),
            at_once: self.jobs + 1,
        }
    }

    fn cors(&self) -> Cors {
        let cors = Cors::default()
            .allowed_methods(["GET", "HEAD", "POST", "DELETE"])
            .allowed_headers([header::CONTENT_TYPE, header::AUTHORIZATION, header::IF_NONE_MATCH])
            .allowed_header(REQUEST_ID.clone())
            .expose_headers([&ENGINE_VERSION, &REQUEST_ID, &header::ETAG, &header::LOCATION])
            .max_age(3600);
        self.origins.iter().fold(cors, |cors, origin| match origin.as_str() {
            "*" => cors.allow_any_origin().send_wildcard(),
            origin => cors.allowed_origin(origin),
        })
    }
}

/// Names requests: unlike each other, and unlike those before a restart.
struct RequestIds {
    start: u64,
    count: AtomicU64,
}

impl Default for RequestIds {
    fn default() -> Self {
        // The standard library's hasher is seeded at random, which is all that is needed here.
        RequestIds { start: RandomState::new().build_hasher().finish(), count: AtomicU64::new(0) }
    }
}

impl RequestIds {
    fn next(&self) -> HeaderValue {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let id = format!("{:016x}-{count:x}", self.start);
        HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("?"))
    }
}

/// The request id that a caller sent, if it is one.
fn sent_id(request: &ServiceRequest) -> Option<HeaderValue> {
    let value = request.headers().get(&REQUEST_ID)?;
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let bytes = value.as_bytes();
    (!bytes.is_empty() && bytes.len() <= 64 && bytes.iter().all(fits)).then(|| value.clone())
}

/// The application: all routes, and what every request passes through.
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
    let cors = Condition::new(!service.origins.is_empty(), service.cors());
    App::new()
        .app_data(service)
        .configure(routes::configure)
        .wrap(Compress::default())
        .wrap(cors)
        .wrap(from_fn(around))
}

/// What happens around every request.
async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    let Some(service) = request.app_data::<Data<Service>>().cloned() else {
        return Err(ApiError::Internal("the service is not set up".to_owned()).into());
    };
    let _running = service.metrics.begin();
    let id = sent_id(&request).unwrap_or_else(|| service.ids.next());
    let mut request = request;
    let coding = request.get_header::<AcceptEncoding>();
    if coding.is_some_and(|coding| coding.negotiate(CODINGS.iter()).is_none()) {
        // Who takes no coding at all, not even none, is answered as if nothing was said.
        request.headers_mut().remove(header::ACCEPT_ENCODING);
    }
    let mut answer = if request.path().len() > MAX_PATH {
        let error = ApiError::NotFound(format!("no path here is longer than {MAX_PATH} bytes"));
        request.into_response(error.error_response()).map_into_right_body()
    } else {
        let answer = next.call(request).await?;
        match refused_preflight(&answer) {
            // As where no origin is allowed at all.
            true => {
                let sent = answer.request().method().to_string();
                let error = ApiError::Method { sent, allow: CORS_METHODS };
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
    mark_coding(headers);
    if reading {
        vary_by_coding(headers);
    }
    Ok(answer)
}

/// The codings that answers can have.
static CODINGS: [Encoding; 5] = [
    Encoding::identity(),
    Encoding::brotli(),
    Encoding::gzip(),
    Encoding::deflate(),
    Encoding::zstd(),
];

/// What pages of an allowed origin may do.
const CORS_METHODS: &str = "GET, HEAD, POST, DELETE";

/// Whether this is the plain text with which the middleware refuses a page.
fn refused_preflight<B>(answer: &ServiceResponse<B>) -> bool {
    answer.request().method() == Method::OPTIONS
        && answer.status() == StatusCode::BAD_REQUEST
        && !answer.headers().contains_key(header::CONTENT_TYPE)
}

const KNOWN_METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// A cache must know that another caller may get this answer in another coding.
fn vary_by_coding(headers: &mut header::HeaderMap) {
    let named = headers.get_all(header::VARY).filter_map(|names| names.to_str().ok());
    let mut named = named.flat_map(|names| names.split(',')).map(str::trim);
    if !named.any(|name| name == "*" || name.eq_ignore_ascii_case("accept-encoding")) {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
}

/// A strong entity tag names the very bytes, so a compressed answer needs one of its own.
fn mark_coding(headers: &mut header::HeaderMap) {
    let coding = headers.get(header::CONTENT_ENCODING).and_then(|coding| coding.to_str().ok());
    let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    if let (Some(coding), Some(tag)) = (coding, tag)
        && let Some(open) = tag.strip_suffix('"')
        && let Ok(marked) = HeaderValue::from_str(&format!("{open}-{coding}\""))
    {
        headers.insert(header::ETAG, marked);
    }
}
