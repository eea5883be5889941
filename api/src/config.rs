//! What can be set: where to listen, where to store, who may write, and how much a request may
//! cost.
//!
//! This module must not open anything.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use umpire_engine::budget::Budget;
use umpire_engine::replay;

use crate::store::place::Place;

/// How `umpire serve` runs.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address and port to listen on. Any other than a loopback address needs `--public`.
    #[arg(long, value_name = "ADDRESS", env = "UMPIRE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Allow an address that other machines can reach.
    #[arg(long, env = "UMPIRE_PUBLIC")]
    pub public: bool,
    /// The SQLite file that records are stored in, made if it does not exist; or a PostgreSQL database that several
    /// servers may share, postgres://USER:PASSWORD@HOST:PORT/DATABASE. In UMPIRE_STORE nobody sees a password in the
    /// list of processes.
    #[arg(
        long,
        value_name = "STORE",
        env = "UMPIRE_STORE",
        hide_env_values = true,
        default_value = "umpire.sqlite"
    )]
    pub store: Place,
    /// The file that analyses are kept in, beside the store where it is left out. It may be deleted at any time:
    /// everything in it can be thought again. Where the store is a database, they are kept there, and no file is used.
    #[arg(long, value_name = "FILE", env = "UMPIRE_ANALYSES")]
    pub analyses: Option<PathBuf>,
    /// Seconds after which another server on the same database goes on with the jobs (impacts, analyses, series) of one
    /// that says nothing any more.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_LEASE_SECONDS", default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub lease_seconds: u32,
    /// Ask for a bearer token to store and delete records: a file with a token a line, its scopes
    /// before it (`umpire token new` makes them; blank lines and what follows # do not count).
    #[arg(long, value_name = "FILE", env = "UMPIRE_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,
    /// Ask for a token to read stored records and to see the metrics, too.
    #[arg(long, env = "UMPIRE_PROTECT_READING", requires = "token_file")]
    pub protect_reading: bool,
    /// Ask for a token to see the metrics, although everybody may read records.
    #[arg(long, env = "UMPIRE_PROTECT_METRICS", requires = "token_file")]
    pub protect_metrics: bool,
    /// Give records ids that tell nothing about what is hidden in them: the file holds the key, and
    /// is made if it does not exist. With another key every record has another id.
    #[arg(long, value_name = "FILE", env = "UMPIRE_PRIVATE_IDS", requires = "protect_reading")]
    pub private_ids: Option<PathBuf>,
    /// Sign the sheets of disputes that are kept: the file holds the key (`umpire verdict keygen` makes
    /// one). Without it they are not signed.
    #[arg(long, value_name = "FILE", env = "UMPIRE_SIGNING_KEY")]
    pub signing_key: Option<PathBuf>,
    /// An origin whose pages may call this service, or * for every origin. May be repeated.
    #[arg(long, value_name = "ORIGIN", env = "UMPIRE_CORS_ORIGIN", value_delimiter = ',')]
    pub cors_origin: Vec<String>,
    /// A name by which callers may address this service, as in the header Host, or * for every name.
    /// May be repeated. Names of this machine itself and plain addresses are always taken: a web
    /// page can only ask by a name of its own.
    #[arg(long, value_name = "NAME", env = "UMPIRE_HOST", value_delimiter = ',')]
    pub host: Vec<String>,
    /// The most requests a minute of one caller: of a known token or, without one, of an address (in
    /// IPv6, of a /64 network). No bound by default.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_REQUESTS_PER_MINUTE",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_per_minute: Option<u32>,
    /// The most seconds of the processor a minute of one caller. No bound by default.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_CPU_SECONDS_PER_MINUTE",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub cpu_seconds_per_minute: Option<u32>,
    /// Number of threads that answer requests; as many as there are processors by default.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_WORKERS",
        value_parser = clap::value_parser!(u16).range(1..=512))]
    pub workers: Option<u16>,
    /// The most connections at a time; as many as there may be open files for by default. Where
    /// there are more, those that have been idle for longest are closed.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_CONNECTIONS")]
    pub connections: Option<usize>,
    /// The most connections of one address (of one /64 network in IPv6); half of all by default.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_CONNECTIONS_PER_PEER")]
    pub connections_per_peer: Option<usize>,
    /// Seconds after which a connection is closed whose other end takes nothing of an answer.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_SEND_SECONDS", default_value_t = 60)]
    pub send_seconds: u64,
    /// Seconds that running requests get to finish when the service is told to stop.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_STOP_SECONDS", default_value_t = 30)]
    pub stop_seconds: u64,
    /// Seconds that the service still serves after SIGTERM, while /readyz says 503: so that who shares out
    /// requests sends none any more before the port closes.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_DRAIN_SECONDS", default_value_t = 0)]
    pub drain_seconds: u64,
    /// Write the log as JSON, a line per event.
    #[arg(long, env = "UMPIRE_LOG_JSON")]
    pub log_json: bool,
    /// How much a request may cost.
    #[command(flatten)]
    pub limits: Limits,
}

/// How much a request may cost.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest body, and the longest line of an NDJSON body, in bytes.
    #[arg(long, value_name = "BYTES", env = "UMPIRE_MAX_BODY", default_value_t = Limits::DEFAULT.max_body)]
    pub max_body: usize,
    /// The most actions of a record.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_MAX_ACTIONS", default_value_t = Limits::DEFAULT.max_actions)]
    pub max_actions: usize,
    /// The most actions of a record that is answered with the state after each.
    #[arg(long, value_name = "NUMBER", env = "UMPIRE_MAX_STATES", default_value_t = Limits::DEFAULT.max_states)]
    pub max_states: usize,
    /// The longest body that is worked on at once instead of on a thread of its own, in bytes.
    #[arg(long, value_name = "BYTES", env = "UMPIRE_INLINE_BYTES", default_value_t = Limits::DEFAULT.inline_bytes)]
    pub inline_bytes: usize,
    /// Seconds that the work on one request may take.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_WORK_SECONDS", default_value_t = Limits::DEFAULT.work_seconds)]
    pub work_seconds: u64,
    /// Seconds that a request waits for its turn.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_QUEUE_SECONDS", default_value_t = Limits::DEFAULT.queue_seconds)]
    pub queue_seconds: u64,
    /// Seconds that a body may take to come in, and an NDJSON body may pause.
    #[arg(long, value_name = "SECONDS", env = "UMPIRE_BODY_SECONDS", default_value_t = Limits::DEFAULT.body_seconds)]
    pub body_seconds: u64,
    /// Memory for all long answers together that are still being sent, in MiB.
    #[arg(long, value_name = "MIB", env = "UMPIRE_ANSWER_MEMORY", default_value_t = Limits::DEFAULT.answer_memory)]
    pub answer_memory: u64,
}

impl Limits {
    /// The limits where nothing else is said.
    pub const DEFAULT: Limits = Limits {
        max_body: 4 << 20,
        max_actions: 20_000,
        max_states: 2_000,
        inline_bytes: 64 << 10,
        work_seconds: 20,
        queue_seconds: 5,
        body_seconds: 30,
        answer_memory: 256,
    };
}

/// How much a replay may cost.
pub fn engine_limits<'a>(limits: &Limits, budget: Budget<'a>) -> replay::Limits<'a> {
    replay::Limits { actions: limits.max_actions, budget, ..replay::Limits::default() }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

impl Config {
    /// The file that analyses are kept in, if they are.
    pub fn analyses(&self) -> Option<PathBuf> {
        let beside = || {
            let mut name = self.store.file()?.as_os_str().to_owned();
            name.push(".analyses");
            Some(name.into())
        };
        self.analyses.clone().or_else(beside)
    }

    /// Why this configuration must not be used, if it must not.
    pub fn refuse(&self) -> Option<String> {
        let outside = !self.listen.ip().is_loopback() && !self.public;
        outside.then(|| {
            format!(
                "{} can be reached by other machines; add --public if that is what you want",
                self.listen
            )
        })
    }
}
