//! `umpire serve`: the service, from start to graceful shutdown.
//!
//! This module must not know routes.

use std::any::Any;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::net::Shutdown;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::{Extensions, ServerHandle};
use actix_web::rt::net::TcpStream;
use actix_web::web::Data;
use futures_util::future::{Either, select};
use socket2::SockRef;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use super::shared::Exit;
use crate::app;
use crate::app::config::Config;
use crate::app::takeover;
use crate::auth::names;
use crate::auth::secrets::Secret;
use crate::auth::tokens::Tokens;
use crate::documents::sheet::seal::Key;
use crate::http::hosts::Hosts;
use crate::limits::allowance::{Allowances, Quota};
use crate::limits::connections::Connections;
use crate::service::{self, Service};
use crate::store::Store;
use crate::store::sqlite::SqliteJobs;

/// Runs the service until it is stopped.
pub(super) fn run(config: Config) -> Result<Exit, String> {
    if let Some(why) = config.refuse() {
        return Err(why);
    }
    start_log(config.log_json);
    let tokens = tokens(&config)?;
    let key = config.private_ids.as_deref().map(key_for_ids).transpose()?;
    let signing = config.signing_key.as_deref().map(Key::read).transpose()?.map(Arc::new);
    if config.public && tokens.is_none() {
        tracing::warn!(
            "everyone who can reach {} may read, store and delete records; use --token-file FILE to require a token",
            config.listen
        );
    }
    let _only = config.store.file().map(only_server).transpose()?;
    let store: Arc<dyn Store> = Arc::from(config.store.open().map_err(|error| error.to_string())?);
    let service = Service::new(store.clone(), config.limits, tokens, config.cors_origin.clone())
        .map_err(|error| format!("cannot set up metrics: {error}"))?;
    let service = match &key {
        Some(key) => service.with_private_ids(key),
        None => service,
    };
    let lease = Duration::from_secs(config.lease_seconds.into());
    let service = match (store.jobs(lease), config.analyses()) {
        (Some(board), file) => {
            if file.is_some() {
                tracing::warn!("jobs are stored in the database; --analyses is ignored");
            }
            service.with_board(board)
        }
        (None, Some(file)) => service.with_board(Arc::new(SqliteJobs::at(file))),
        (None, None) => service,
    };
    let quota = Quota { requests: config.requests_per_minute, cpu: config.cpu_seconds_per_minute };
    let service = Data::new(Service {
        signing,
        hosts: Hosts::new(&config.host),
        allowances: Allowances::new(quota),
        ..service
    });
    let result = actix_web::rt::System::new().block_on(listen(config, service.clone()));
    give_back(&service);
    service.tables.close();
    let closed = store.close().map_err(|error| error.to_string());
    result.and(closed).map(|()| Exit::Good)
}

/// Makes this process the only server of a store in a file, until the returned file is closed: another one would not see
/// what this one changes.
fn only_server(store: &Path) -> Result<Option<File>, String> {
    let mut name = store.as_os_str().to_owned();
    name.push(".lock");
    // A folder that does not exist is reported when the store is opened.
    let Ok(file) = File::options().create(true).truncate(false).write(true).open(name) else {
        return Ok(None);
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(format!(
            "another server uses {}; several servers can share a PostgreSQL database",
            store.display()
        )),
        Err(TryLockError::Error(error)) => {
            tracing::warn!(%error, "whether another server uses the store cannot be told");
            Ok(None)
        }
    }
}

/// Reads the tokens, if there is a token file, and logs how many of each kind there are.
fn tokens(config: &Config) -> Result<Option<Tokens>, String> {
    let Some(file) = &config.token_file else { return Ok(None) };
    let tokens = Tokens::read(file, config.protect_reading)?;
    let tokens = if config.protect_metrics { tokens.protecting_metrics() } else { tokens };
    tracing::info!(
        reading = if tokens.protect_reading() { "protected" } else { "open" },
        metrics = if tokens.protect_metrics() { "protected" } else { "open" },
        "{}",
        tokens.summary()
    );
    Ok(Some(tokens))
}

/// Rereads the token file whenever the process receives SIGHUP. An unusable file is logged and
/// changes nothing.
#[cfg(unix)]
fn read_tokens_on_hangup(config: &Config, service: &Data<Service>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    // Even without tokens, so that the signal never ends the process.
    let mut hangup = signal(SignalKind::hangup())?;
    let (file, service) = (config.token_file.clone(), service.clone());
    actix_web::rt::spawn(async move {
        while hangup.recv().await.is_some() {
            let (Some(file), Some(tokens)) = (&file, &service.tokens) else { continue };
            match tokens.read_again(file) {
                Ok(()) => tracing::info!("token file reread: {}", tokens.summary()),
                Err(why) => tracing::error!("token file not reread, tokens unchanged: {why}"),
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
fn read_tokens_on_hangup(_: &Config, _: &Data<Service>) -> io::Result<()> {
    Ok(())
}

/// The key for private ids; logs if a new one was created.
fn key_for_ids(file: &Path) -> Result<Secret, String> {
    let (key, new) = names::key(file)?;
    if new {
        tracing::warn!(
            "created {}: every record now has a new public id; keep this file",
            file.display()
        );
    }
    Ok(key)
}

/// The signals that stop the service.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// Received instead of dying when a file would grow beyond the limit of this process: the write then fails.
    _file_size: Option<tokio::signal::unix::Signal>,
}

/// `SIGXFSZ`, which has this number on Linux and macOS.
#[cfg(unix)]
const FILE_SIZE: i32 = 25;

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            _file_size: signal(SignalKind::from_raw(FILE_SIZE)).ok(),
        })
    }

    /// Waits for a signal. Returns whether the shutdown is graceful, which it is not after an
    /// interrupt (Ctrl-C) or a quit.
    async fn next(&mut self) -> bool {
        let (interrupt, quit) = (pin!(self.interrupt.recv()), pin!(self.quit.recv()));
        let terminate = pin!(self.terminate.recv());
        matches!(select(select(interrupt, quit), terminate).await, Either::Right(_))
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Signals)
    }

    async fn next(&mut self) -> bool {
        let _ = tokio::signal::ctrl_c().await;
        false
    }
}

/// The first signal stops the service; a graceful stop first keeps serving as "not ready" for some
/// seconds, then lets running requests finish. A second signal stops at once. Either way,
/// acknowledged writes are on disk.
async fn stop_by_signal(
    mut signals: Signals,
    server: ServerHandle,
    service: Data<Service>,
    drain: u64,
) {
    let mut graceful = signals.next().await;
    // Give back jobs at once that other servers can continue.
    let given = service::ask(&service, |service| {
        give_back(service);
        Ok(())
    });
    // A database that does not answer must not delay the shutdown.
    if tokio::time::timeout(GIVING_BACK, given).await.is_err() {
        tracing::warn!(
            "the database does not answer; jobs are taken over when their lease expires"
        );
    }
    if graceful && drain > 0 {
        service.draining.store(true, Ordering::Relaxed);
        tracing::info!("not ready; draining for {drain} seconds");
        let over = pin!(tokio::time::sleep(Duration::from_secs(drain)));
        let again = pin!(signals.next());
        graceful = matches!(select(over, again).await, Either::Left(_));
    }
    // Event streams never end by themselves.
    service.tables.close();
    tracing::info!(graceful, "stopping; a second signal aborts running requests");
    actix_web::rt::spawn(server.stop(graceful));
    signals.next().await;
    tracing::warn!("stopped by a second signal");
    std::process::exit(1);
}

/// Stops all jobs, and gives them back so that other servers take them at once. Blocks.
fn give_back(service: &Service) {
    if let Err(error) = service.runner.stop() {
        tracing::warn!(%error, "jobs cannot be given back; they are taken over after their lease");
    }
}

/// How long shutdown waits for jobs to be given back.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// Connections accepted beyond the maximum until others are closed for them.
const SLACK: usize = 32;

/// Starts the log. `RUST_LOG` selects its contents, as `level` or `target=level,…`; the default is
/// `info`.
fn start_log(json: bool) {
    let wanted = std::env::var("RUST_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let wanted = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let log = fmt::layer().with_writer(io::stderr);
    let log = match json {
        true => log.json().boxed(),
        false => log.boxed(),
    };
    // A second log in one process (in a test) is refused; the first one is used.
    let _ = registry().with(log.with_filter(wanted)).try_init();
}

async fn listen(config: Config, service: Data<Service>) -> Result<(), String> {
    let workers = config.workers.map_or(service.jobs, usize::from).clamp(1, 512);
    let patience = Duration::from_secs(config.send_seconds.max(1));
    let connections =
        Arc::new(Connections::new(config.connections, config.connections_per_peer, patience));
    let metrics = service.metrics.clone();
    let admit = {
        let connections = connections.clone();
        move |stream: &dyn Any, about: &mut Extensions| {
            let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
            // A connection that cannot be registered is closed.
            match connections.admit(stream) {
                Ok(connection) => drop(about.insert(connection)),
                Err(_) => drop(SockRef::from(stream).shutdown(Shutdown::Both)),
            }
            let (open, shed) = connections.count();
            metrics.connected(open, shed);
        }
    };
    read_tokens_on_hangup(&config, &service)
        .map_err(|error| format!("cannot wait for signals: {error}"))?;
    service.tables.follow_others();
    if let Some(days) = config.table_days {
        service.tables.expire(days);
    }
    takeover::follow(&service);
    let shared = service.clone();
    let server = HttpServer::new(move || app::build(shared.clone()))
        .workers(workers)
        .on_connect(admit)
        // The accepting thread must not pause while a connection could still make room.
        .max_connections((connections.room() + SLACK).div_ceil(workers))
        // A peer that closes its writing end is gone: do not work for a caller that hung up.
        .h1_allow_half_closed(false)
        .keep_alive(Duration::from_secs(75))
        .client_request_timeout(Duration::from_secs(10))
        .client_disconnect_timeout(Duration::from_secs(5))
        .shutdown_timeout(config.stop_seconds)
        .disable_signals()
        .bind(config.listen)
        .map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    let addresses = server.addrs();
    // Listen for signals first: a script may send one as soon as it sees the lines below.
    let signals = Signals::listen().map_err(|error| format!("cannot wait for signals: {error}"))?;
    let server = server.run();
    actix_web::rt::spawn(stop_by_signal(
        signals,
        server.handle(),
        service.clone(),
        config.drain_seconds,
    ));
    let server = actix_web::rt::spawn(server);
    tokio::task::yield_now().await;
    // Scripts read this line to learn the port if they asked for port 0.
    for address in addresses {
        println!("listening on http://{address}");
    }
    let _ = io::stdout().flush();
    let ended = server.await.map_err(|error| format!("the service thread was lost: {error}"))?;
    ended.map_err(|error| format!("the service failed: {error}"))
}
