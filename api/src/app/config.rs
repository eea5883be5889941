//! Configuration: where to listen, where to store, who may write, and how much a request may cost.
//!
//! This module must not open anything.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::limits::Limits;
use crate::store::place::Place;

/// The configuration of `umpire serve`.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on. Any address but a loopback one requires `--public`.
    #[arg(long, value_name = "ADDRESS", env = "UMPIRE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Allow listening on an address that other machines can reach.
    #[arg(long, env = "UMPIRE_PUBLIC")]
    pub public: bool,
    /// The store: an SQLite file, which is created if it does not exist, or a PostgreSQL database
    /// that several servers can share, postgres://USER:PASSWORD@HOST:PORT/DATABASE. Set it in
    /// UMPIRE_STORE to keep a password out of the process list.
    #[arg(
        long,
        value_name = "STORE",
        env = "UMPIRE_STORE",
        hide_env_values = true,
        default_value = "umpire.sqlite"
    )]
    pub store: Place,
    /// The file for analyses; by default it is next to the store. It may be deleted at any time:
    /// everything in it can be recomputed. If the store is a database, analyses are stored there
    /// instead.
    #[arg(long, value_name = "FILE", env = "UMPIRE_ANALYSES")]
    pub analyses: Option<PathBuf>,
    /// Seconds without a heartbeat after which the jobs of a server (impacts, analyses, series) are
    /// taken over by another server on the same database.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_LEASE_SECONDS", default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub lease_seconds: u32,
    /// Require a bearer token to store and delete records. The file has one token per line,
    /// preceded by its scopes (`umpire token new` generates them); blank lines and comments after #
    /// are ignored.
    #[arg(long, value_name = "FILE", env = "UMPIRE_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,
    /// Also require a token to read stored records and to view the metrics.
    #[arg(long, env = "UMPIRE_PROTECT_READING", requires = "token_file")]
    pub protect_reading: bool,
    /// Require a token to view the metrics, while everyone may read records.
    #[arg(long, env = "UMPIRE_PROTECT_METRICS", requires = "token_file")]
    pub protect_metrics: bool,
    /// Give records public ids that reveal nothing about hidden parts of the record. The file
    /// contains the key, and is created if it does not exist. A different key gives every record a
    /// different id.
    #[arg(long, value_name = "FILE", env = "UMPIRE_PRIVATE_IDS", requires = "protect_reading")]
    pub private_ids: Option<PathBuf>,
    /// Sign the verdict sheets that are stored, with the key in this file (`umpire verdict keygen`
    /// generates one). By default they are not signed.
    #[arg(long, value_name = "FILE", env = "UMPIRE_SIGNING_KEY")]
    pub signing_key: Option<PathBuf>,
    /// An origin whose pages may call this service, or * for every origin. May be repeated.
    #[arg(long, value_name = "ORIGIN", env = "UMPIRE_CORS_ORIGIN", value_delimiter = ',')]
    pub cors_origin: Vec<String>,
    /// A host name by which clients may address this service (header Host), or * for any name. May
    /// be repeated. The names of this machine and IP addresses are always accepted. This protects
    /// against DNS rebinding.
    #[arg(long, value_name = "NAME", env = "UMPIRE_HOST", value_delimiter = ',')]
    pub host: Vec<String>,
    /// The maximum number of requests per minute and caller: a token or, without one, an address
    /// (in IPv6, a /64 network). Unlimited by default.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_REQUESTS_PER_MINUTE",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_per_minute: Option<u32>,
    /// The maximum CPU seconds per minute and caller. Unlimited by default.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_CPU_SECONDS_PER_MINUTE",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub cpu_seconds_per_minute: Option<u32>,
    /// Number of worker threads; by default the number of processors.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_WORKERS",
        value_parser = clap::value_parser!(u16).range(1..=512))]
    pub workers: Option<u16>,
    /// The maximum number of open connections; by default as many as the limit on open files
    /// allows. Beyond it, the connections that have been idle longest are closed.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_CONNECTIONS")]
    pub connections: Option<usize>,
    /// The maximum number of connections per address (in IPv6, per /64 network); by default half of
    /// all.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_CONNECTIONS_PER_PEER")]
    pub connections_per_peer: Option<usize>,
    /// Seconds after which a connection is closed if its peer does not read the response.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_SEND_SECONDS", default_value_t = 60)]
    pub send_seconds: u64,
    /// Seconds that running requests get to finish during shutdown.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_STOP_SECONDS", default_value_t = 30)]
    pub stop_seconds: u64,
    /// Seconds to keep serving after SIGTERM while /readyz returns 503, so that a load balancer
    /// stops sending requests before the port closes.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_DRAIN_SECONDS", default_value_t = 0)]
    pub drain_seconds: u64,
    /// Days after which a live table is deleted if nothing has happened at it. By default all are kept.
    #[arg(long, value_name = "DAYS", env = "UMPIRE_TABLE_DAYS",
        value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub table_days: Option<u32>,
    /// Write the log as JSON, one event per line.
    #[arg(long, env = "UMPIRE_LOG_JSON")]
    pub log_json: bool,
    /// Limits on the cost of a request.
    #[command(flatten)]
    pub limits: Limits,
}

impl Config {
    /// The file for analyses, if they are kept in one.
    pub fn analyses(&self) -> Option<PathBuf> {
        let beside = || {
            let mut name = self.store.file()?.as_os_str().to_owned();
            name.push(".analyses");
            Some(name.into())
        };
        self.analyses.clone().or_else(beside)
    }

    /// Why this configuration must not be used, if so.
    pub fn refuse(&self) -> Option<String> {
        let outside = !self.listen.ip().is_loopback() && !self.public;
        outside.then(|| {
            format!(
                "{} can be reached from other machines; add --public to allow that",
                self.listen
            )
        })
    }
}
