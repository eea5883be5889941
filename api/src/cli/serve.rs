//! `umpire serve`: the service, from start to a graceful stop.
//!
//! This module must not know routes.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::web::Data;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use super::shared::Exit;
use crate::app;
use crate::auth::Tokens;
use crate::config::Config;
use crate::service::Service;
use crate::store::Store;
use crate::store::sqlite::SqliteStore;

/// Runs the service until it is told to stop.
pub(super) fn run(config: Config) -> Result<Exit, String> {
    if let Some(why) = config.refuse() {
        return Err(why);
    }
    start_log(config.log_json);
    let tokens = match &config.token_file {
        Some(file) => Some(Tokens::read(file, config.protect_reading)?),
        None => None,
    };
    let store: Arc<dyn Store> =
        Arc::new(SqliteStore::open(&config.store).map_err(|error| error.to_string())?);
    let service = Service::new(store.clone(), config.limits, tokens, config.cors_origin.clone())
        .map_err(|error| format!("cannot set up metrics: {error}"))?;
    let service = Data::new(service);
    let result = actix_web::rt::System::new().block_on(listen(config, service.clone()));
    service.impacts.stop();
    let closed = store.close().map_err(|error| error.to_string());
    result.and(closed).map(|()| Exit::Good)
}

/// Starts the log. `RUST_LOG` says what is in it, as `level` or `target=level,…`; `info` where it is
/// not set.
fn start_log(json: bool) {
    let wanted = std::env::var("RUST_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let wanted = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let log = fmt::layer().with_writer(io::stderr);
    let log = match json {
        true => log.json().boxed(),
        false => log.boxed(),
    };
    // A second log in one process (in a test) is refused; the first one serves.
    let _ = registry().with(log.with_filter(wanted)).try_init();
}

async fn listen(config: Config, service: Data<Service>) -> Result<(), String> {
    let workers = config.workers.map_or(service.jobs, usize::from).clamp(1, 512);
    let server = HttpServer::new(move || app::build(service.clone()))
        .workers(workers)
        .keep_alive(Duration::from_secs(75))
        .client_request_timeout(Duration::from_secs(10))
        .client_disconnect_timeout(Duration::from_secs(5))
        .shutdown_timeout(config.stop_seconds)
        .bind(config.listen)
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    let addresses = server.addrs();
    // Who waits for the lines below may send a signal at once; the server listens to signals from its
    // first moment on, so it has one before they are printed.
    let server = actix_web::rt::spawn(server.run());
    tokio::task::yield_now().await;
    // Scripts read this line to learn the port where port 0 was asked for.
    for address in addresses {
        println!("listening on http://{address}");
    }
    let _ = io::stdout().flush();
    let ended = server.await.map_err(|error| format!("the service was lost: {error}"))?;
    ended.map_err(|error| format!("the service failed: {error}"))
}
