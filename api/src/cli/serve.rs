//! `umpire serve`: the service, from start to a graceful stop.
//!
//! This module must not know routes.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::web::Data;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::EnvFilter;

use super::Exit;
use crate::app::{self, Service};
use crate::auth::Tokens;
use crate::config::Config;
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

fn start_log(json: bool) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // A second log in one process (in a test) is refused; the first one serves.
    let _ = match json {
        true => log.json().try_init(),
        false => log.try_init(),
    };
}

async fn listen(config: Config, service: Data<Service>) -> Result<(), String> {
    let workers = config.workers.map_or(service.jobs, usize::from).clamp(1, 512);
    let server = HttpServer::new(move || app::build(service.clone()))
        .workers(workers)
        .keep_alive(Duration::from_secs(75))
        .client_request_timeout(Duration::from_secs(10))
        .client_disconnect_timeout(Duration::from_secs(5))
        .shutdown_timeout(config.stop_seconds)
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    // Who waits for the line below may send a signal at once.
    let told = Told::listen().map_err(|error| format!("cannot listen to signals: {error}"))?;
    // Scripts read this line to learn the port where port 0 was asked for.
    for address in server.addrs() {
        println!("listening on http://{address}");
    }
    let _ = io::stdout().flush();
    let server = server.run();
    let handle = server.handle();
    let stop = actix_web::rt::spawn(async move {
        let graceful = told.heard().await;
        handle.stop(graceful).await;
    });
    let ended = server.await.map_err(|error| format!("the service failed: {error}"));
    stop.abort();
    ended
}

/// The signals that end the service.
#[cfg(unix)]
struct Told {
    interrupt: Signal,
    terminate: Signal,
    quit: Signal,
}

#[cfg(unix)]
impl Told {
    fn listen() -> io::Result<Self> {
        Ok(Told {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// Waits for a signal. Whether running requests are to be finished: not after an interrupt
    /// (Ctrl-C) or a quit.
    async fn heard(mut self) -> bool {
        tokio::select! {
            _ = self.terminate.recv() => true,
            _ = self.interrupt.recv() => false,
            _ = self.quit.recv() => false,
        }
    }
}

/// The signals that end the service: where there are none, Ctrl-C.
#[cfg(not(unix))]
struct Told;

#[cfg(not(unix))]
impl Told {
    #[allow(clippy::unnecessary_wraps, reason = "as elsewhere")]
    fn listen() -> io::Result<Self> {
        Ok(Told)
    }

    async fn heard(self) -> bool {
        let _ = tokio::signal::ctrl_c().await;
        false
    }
}
