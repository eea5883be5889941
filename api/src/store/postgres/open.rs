//! The schema of the database, and its connections.
//!
//! This module must not read or write a record, nor know the queries.

use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::super::StoreError;
use super::address::Address;
use super::faults::{lost, plain};
use super::query::Value;
use super::settings::Settings;

/// The migrations from an empty database to the current schema, in order. **Never edit a released
/// one:** add the next.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/postgres/001-all.sql"),
    include_str!("../migrations/postgres/002-jobs.sql"),
    include_str!("../migrations/postgres/003-words.sql"),
    include_str!("../migrations/postgres/004-payer.sql"),
];

/// The schema that contains everything.
pub(super) const SCHEMA: &str = "umpire";

/// Shared by every connection that writes, and held exclusively by a copy of the whole store.
const WRITING_LOCK: i64 = 0x554d_5052_0000_0003;

/// Held while the schema version is checked and migrated, so that only one of several servers does
/// it.
const FORM_LOCK: i64 = 0x554d_5052_0000_0001;

/// How many connections a server has for jobs.
const JOB_CONNECTIONS: usize = 2;

/// What every connection is set to.
const EVERYWHERE: [&str; 3] =
    ["search_path=umpire", "jit=off", "default_transaction_isolation=read\\ committed"];

/// Opens one connection with extra settings; its background task is spawned.
///
/// # Errors
/// [`StoreError::Unavailable`]: it cannot connect.
pub(super) async fn connect(
    address: &Address,
    settings: &[&str],
    within: std::time::Duration,
) -> Result<Client, StoreError> {
    let config = address.with(&[&EVERYWHERE, settings].concat());
    let connecting = tokio::time::timeout(within, config.connect(address.tls.clone()));
    let (client, connection) = connecting
        .await
        .map_err(|_| StoreError::Unavailable("the database does not answer".to_owned()))?
        .map_err(|error| plain(&error))?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection to the database ended");
        }
    });
    Ok(client)
}

/// The connections that read: opened on demand, up to a limit.
pub(super) fn pool(address: &Address, settings: Settings) -> Result<Pool, StoreError> {
    // A plan for the actual values costs little to make, and a generic one can cost much.
    let reading = [
        "plan_cache_mode=force_custom_plan",
        "statement_timeout=10s",
        "default_transaction_read_only=on",
    ];
    pool_of(address, settings, &reading, settings.readers)
}

/// The connections for jobs, opened on demand.
pub(super) fn pool_for_jobs(address: &Address, settings: Settings) -> Result<Pool, StoreError> {
    let writing =
        ["lock_timeout=5s", "statement_timeout=10s", "idle_in_transaction_session_timeout=15s"];
    pool_of(address, settings, &writing, JOB_CONNECTIONS)
}

fn pool_of(
    address: &Address,
    settings: Settings,
    own: &[&str],
    most: usize,
) -> Result<Pool, StoreError> {
    let config = address.with(&[&EVERYWHERE[..], own].concat());
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, address.tls.clone(), recycling);
    Pool::builder(manager)
        .max_size(most.max(1))
        .wait_timeout(Some(settings.busy_after))
        .create_timeout(Some(settings.connect_wait))
        .recycle_timeout(Some(settings.connect_wait))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// Why there is no connection for reading.
pub(super) fn no_connection(error: PoolError) -> StoreError {
    match error {
        PoolError::Timeout(TimeoutType::Wait) => StoreError::Busy,
        PoolError::Timeout(_) => StoreError::Unavailable("the database does not answer".to_owned()),
        PoolError::Backend(error) => plain(&error),
        other => StoreError::Unavailable(other.to_string()),
    }
}

/// Declares that this connection will write, for as long as it exists.
///
/// # Errors
/// [`StoreError::Unavailable`]: the whole store is being copied.
pub(super) async fn begin_writing(client: &Client) -> Result<(), StoreError> {
    let lock = "SELECT pg_try_advisory_lock_shared($1)";
    let row = client.query_one(lock, &[&WRITING_LOCK]).await.map_err(|error| plain(&error))?;
    match row.get(0) {
        true => Ok(()),
        false => Err(StoreError::Unavailable(
            "the whole store is being copied; writes are refused until the copy is complete"
                .to_owned(),
        )),
    }
}

/// Keeps everyone else from writing, for as long as the connection exists. Waits briefly for
/// writers that are just ending.
///
/// # Errors
/// [`StoreError::Unavailable`]: someone else is writing.
pub(super) async fn keep_others_out(client: &Client) -> Result<(), StoreError> {
    client.batch_execute("SET lock_timeout = '2s'").await.map_err(|error| plain(&error))?;
    let locked = client.execute("SELECT pg_advisory_lock($1)", &[&WRITING_LOCK]).await;
    locked.map_err(|error| match plain(&error) {
        StoreError::Busy => StoreError::Unavailable(
            "a server is writing to it, or it is already being copied; stop that first".to_owned(),
        ),
        other => other,
    })?;
    client.batch_execute("RESET lock_timeout").await.map_err(|error| plain(&error))
}

/// Whether the database contains a store of any version.
pub(super) async fn has_store(client: &Client) -> Result<bool, StoreError> {
    let known = "SELECT EXISTS (SELECT FROM pg_class \
                 WHERE relname = 'form' AND relnamespace = to_regnamespace($1))";
    let row = client.query_one(known, &[&SCHEMA]).await.map_err(|error| plain(&error))?;
    Ok(row.get(0))
}

/// Makes acknowledged writes durable. A stronger setting of the database is kept.
pub(super) async fn make_durable(client: &Client) -> Result<(), tokio_postgres::Error> {
    client
        .batch_execute(
            "SELECT set_config('synchronous_commit', 'on', false) \
             WHERE current_setting('synchronous_commit') IN ('off', 'local')",
        )
        .await
}

/// Migrates the database to the current schema, one server at a time.
///
/// # Errors
/// [`StoreError::Newer`]; [`StoreError::Corrupt`] if the schema belongs to another program.
pub(super) async fn prepare(client: &mut Client) -> Result<(), StoreError> {
    let plain = |error: tokio_postgres::Error| plain(&error);
    client.execute("SELECT pg_advisory_lock($1)", &[&FORM_LOCK]).await.map_err(plain)?;
    let prepared = migrate(client).await;
    client.execute("SELECT pg_advisory_unlock($1)", &[&FORM_LOCK]).await.map_err(plain)?;
    prepared
}

async fn migrate(client: &mut Client) -> Result<(), StoreError> {
    let plain = |error: tokio_postgres::Error| plain(&error);
    let known = "SELECT count(*) FILTER (WHERE relname = 'form'), count(*) FROM pg_class \
                 WHERE relnamespace = to_regnamespace($1)";
    let row = client.query_one(known, &[&SCHEMA]).await.map_err(plain)?;
    let (ours, all): (i64, i64) = (row.get(0), row.get(1));
    if ours == 0 && all > 0 {
        return Err(StoreError::Corrupt(format!("its schema {SCHEMA} belongs to another program")));
    }
    let version: i32 = match ours {
        0 => 0,
        _ => client.query_one("SELECT version FROM form", &[]).await.map_err(plain)?.get(0),
    };
    let version = usize::try_from(version).unwrap_or(usize::MAX);
    if version > MIGRATIONS.len() {
        return Err(StoreError::Newer(format!(
            "it has version {version}, but this program supports versions up to {}; use a newer program",
            MIGRATIONS.len()
        )));
    }
    if version == MIGRATIONS.len() {
        return Ok(());
    }
    let transaction = client.transaction().await.map_err(plain)?;
    if ours == 0 {
        let first = "CREATE SCHEMA IF NOT EXISTS umpire; \
                     CREATE TABLE form (version integer NOT NULL); INSERT INTO form VALUES (0);";
        transaction.batch_execute(first).await.map_err(plain)?;
    }
    for step in &MIGRATIONS[version..] {
        transaction.batch_execute(step).await.map_err(plain)?;
    }
    let now = i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX);
    transaction.execute("UPDATE form SET version = $1", &[&now]).await.map_err(plain)?;
    transaction.commit().await.map_err(plain)
}

/// Runs a query on one of the connections, as soon as one is free; retries on another one if it was
/// lost. The query must be safe to run twice.
pub(super) async fn rows(
    pool: &Pool,
    text: &str,
    values: &[Value],
) -> Result<Vec<Row>, StoreError> {
    let values: Vec<&(dyn ToSql + Sync)> =
        values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    let mut tries = 0;
    loop {
        let connection = pool.get().await.map_err(no_connection)?;
        let asked = async {
            let statement = connection.prepare_cached(text).await?;
            connection.query(&statement, &values).await
        };
        match asked.await {
            Ok(rows) => return Ok(rows),
            Err(error) if lost(&error) && tries < 2 => {
                tries += 1;
                drop(Object::take(connection));
            }
            Err(error) => return Err(plain(&error)),
        }
    }
}
