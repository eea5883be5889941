//! `umpire serve`: the service, from start to a graceful stop.
//!
//! This module must not know routes.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::web::Data;
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
    let workers = config.workers.unwrap_or(service.jobs).max(1);
    let server = HttpServer::new(move || app::build(service.clone()))
        .workers(workers)
        .keep_alive(Duration::from_secs(75))
        .client_request_timeout(Duration::from_secs(10))
        .client_disconnect_timeout(Duration::from_secs(5))
        .shutdown_timeout(config.stop_seconds)
        .bind(config.listen)
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    // Scripts read this line to learn the port where port 0 was asked for.
    for address in server.addrs() {
        println!("listening on http://{address}");
    }
    let _ = io::stdout().flush();
    server.run().await.map_err(|error| format!("the service failed: {error}"))
}
