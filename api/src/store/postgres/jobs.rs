//! The job board in a PostgreSQL database, which servers share.
//!
//! A server takes a row with `FOR UPDATE SKIP LOCKED`, so that two servers that look at once take two rows; every write
//! names the number of its lease. This module must not put a value into the text of a statement, and must not use any
//! clock but that of the database.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::super::StoreError;
use super::super::jobs::{
    JobBoard, JobKind, JobState, JobTakeover, JobUpdate, Lease, NewJob, PutOutcome, StoredJob,
    state_columns,
};
use super::faults::plain;
use super::open;
use super::query::{Value, column};
use super::thread::Thread;

/// Held while a job is put on the board, so that not more run than may.
const LOCK: &str = "SELECT pg_advisory_xact_lock(6147086208158105604)";

/// What was acknowledged is on the disk. Where the database promises more, it stays so.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', true) \
     WHERE current_setting('synchronous_commit') IN ('off', 'local')";

const STANDS: &str = "UPDATE job SET used = nextval('job_used') WHERE id = $1 RETURNING state";

const RUNNING: &str =
    "SELECT count(*) FROM job WHERE state = 0 AND (kind = 0) = ($1::smallint = 0)";

const PUT: &str = "INSERT INTO job (kind, state, attempts, lease, lease_until, heartbeat, used, id, owner, version, request, payer) \
     VALUES ($1, 0, CASE WHEN $2::boolean THEN 1 ELSE 0 END, 1, \
             CASE WHEN $2 THEN now() + $3::bigint * interval '1 millisecond' ELSE '-infinity' END, \
             now(), nextval('job_used'), $4, $5, $6, $7, $8) \
     ON CONFLICT (id) DO UPDATE SET state = 0, attempts = excluded.attempts, lease = job.lease + 1, \
       lease_until = excluded.lease_until, heartbeat = now(), owner = excluded.owner, version = excluded.version, \
       request = excluded.request, payer = excluded.payer, problem = NULL \
     RETURNING lease";

const MAKE_ROOM: &str = "DELETE FROM job WHERE state <> 0 AND number IN ( \
       SELECT number FROM job WHERE (kind = 0) = ($1::smallint = 0) ORDER BY state = 0 DESC, used DESC OFFSET $2::bigint)";

/// What [`job`] reads.
macro_rules! columns {
    () => {
        "kind, state, version, request, progress, \
         (SELECT count(*) FROM job_part WHERE job = number)::integer, result, problem"
    };
}

const FIND: &str = concat!("SELECT ", columns!(), " FROM job WHERE id = $1");

const PARTS: &str = "SELECT p.part, p.text FROM job_part p JOIN job j ON j.number = p.job \
     WHERE j.id = $1 AND p.part >= $2 ORDER BY p.part LIMIT $3";

const NUMBERS: &str =
    "SELECT p.part FROM job_part p JOIN job j ON j.number = p.job WHERE j.id = $1 ORDER BY p.part";

/// Saves an update by the server that holds the lease.
const SAVE: &str = "WITH held AS ( \
       UPDATE job SET state = $3::smallint, progress = coalesce($4::text, progress), result = coalesce($5::text, result), problem = $6::text, \
                      attempts = 1, owner = CASE WHEN $3::smallint = 0 THEN owner END, payer = CASE WHEN $3::smallint = 0 THEN payer END \
       WHERE id = $1 AND lease = $2 AND state = 0 RETURNING number), \
     kept AS ( \
       INSERT INTO job_part (job, part, text) \
       SELECT held.number, p.part, p.text FROM held, unnest($7::integer[], $8::text[]) AS p (part, text) \
       ON CONFLICT DO NOTHING) \
     SELECT 1 FROM held";

const BEAT: &str = "UPDATE job SET heartbeat = now(), lease_until = now() + $3::bigint * interval '1 millisecond' \
     FROM unnest($1::bytea[], $2::bigint[]) AS h (id, lease) \
     WHERE job.id = h.id AND job.lease = h.lease AND job.state = 0 RETURNING job.id, job.lease";

const TAKE: &str = concat!(
    "UPDATE job SET owner = $1, lease = lease + 1, attempts = attempts + 1, heartbeat = now(), \
       lease_until = now() + $2::bigint * interval '1 millisecond' \
     WHERE number = ( \
       SELECT number FROM job WHERE state = 0 AND lease_until < now() \
         AND (version = $3 OR greatest(lease_until, heartbeat) < now() - $2::bigint * interval '1 millisecond') \
       ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED) \
     RETURNING ",
    columns!(),
    ", id, lease, attempts, payer"
);

const GIVE_BACK: &str = "UPDATE job SET owner = NULL, lease = job.lease + 1, lease_until = '-infinity', heartbeat = now(), \
       attempts = greatest(attempts - 1, 0) \
     FROM unnest($1::bytea[], $2::bigint[]) AS h (id, lease) \
     WHERE job.id = h.id AND job.lease = h.lease AND job.state = 0 RETURNING 1";

const CANCEL: &str = "UPDATE job SET state = 2, owner = NULL, payer = NULL, lease = lease + 1 WHERE id = $1 AND state = 0 RETURNING 1";

const FORGET: &str = "DELETE FROM job WHERE id = $1 AND state <> 0 RETURNING 1";

/// The jobs of a database.
pub(super) struct Board {
    pool: Pool,
    thread: Arc<Thread>,
    /// Tells this server from others.
    mark: String,
    lease: Duration,
}

impl Board {
    pub(super) fn new(pool: Pool, thread: Arc<Thread>, mark: String, lease: Duration) -> Self {
        Board { pool, thread, mark, lease }
    }

    fn lease_milliseconds(&self) -> i64 {
        i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX)
    }

    /// Asks by one of the connections. Every statement here may be asked twice, so where the connection was lost it is
    /// asked by another one.
    fn rows(&self, text: &'static str, values: Vec<Value>) -> Result<Vec<Row>, StoreError> {
        let pool = self.pool.clone();
        self.thread.wait(async move { open::rows(&pool, text, &values).await })
    }

    fn any(&self, text: &'static str, values: Vec<Value>) -> Result<bool, StoreError> {
        Ok(!self.rows(text, values)?.is_empty())
    }
}

/// A job as it is stored.
fn job(row: &Row) -> Result<StoredJob, StoreError> {
    Ok(StoredJob {
        kind: JobKind::from_number(column(row, 0)?)?,
        state: JobState::from_number(column(row, 1)?)?,
        version: column(row, 2)?,
        request: column(row, 3)?,
        progress: column(row, 4)?,
        parts: column::<i32>(row, 5)?.cast_unsigned(),
        result: column(row, 6)?,
        problem: column(row, 7)?,
    })
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Leases as two columns.
fn columns_of(leases: &[Lease]) -> (Vec<Vec<u8>>, Vec<i64>) {
    leases.iter().map(|lease| (lease.id.clone(), lease.number)).unzip()
}

impl JobBoard for Board {
    fn lease(&self) -> Option<Duration> {
        Some(self.lease)
    }

    fn put(&self, new: NewJob) -> Result<PutOutcome, StoreError> {
        let pool = self.pool.clone();
        let (lease, kind) = (self.lease_milliseconds(), new.kind.number());
        let owner = new.lease.then(|| self.mark.clone());
        self.thread.wait(async move {
            let mut connection = pool.get().await.map_err(open::no_connection)?;
            let put = async {
                let transaction = connection.transaction().await?;
                transaction.query(LOCK, &[]).await?;
                transaction.query(DURABLE, &[]).await?;
                let there = transaction.query_opt(STANDS, &[&new.id]).await?;
                if there.is_some_and(|row| row.get::<_, i16>(0) < 2) {
                    transaction.commit().await?;
                    return Ok(PutOutcome::Exists);
                }
                let run: i64 = transaction.query_one(RUNNING, &[&kind]).await?.get(0);
                if run >= i64::from(new.most_running) {
                    return Ok(PutOutcome::Full);
                }
                let values: [&(dyn ToSql + Sync); 8] = [
                    &kind,
                    &new.lease,
                    &lease,
                    &new.id,
                    &owner,
                    &new.version,
                    &new.request,
                    &new.payer,
                ];
                let number: i64 = transaction.query_one(PUT, &values).await?.get(0);
                transaction.execute(MAKE_ROOM, &[&kind, &i64::from(new.most_kept)]).await?;
                transaction.commit().await?;
                Ok(match new.lease {
                    true => PutOutcome::Leased(Lease { id: new.id, number }),
                    false => PutOutcome::Queued,
                })
            };
            put.await.map_err(|error| plain(&error))
        })
    }

    fn find(&self, id: &[u8]) -> Result<Option<StoredJob>, StoreError> {
        self.rows(FIND, vec![Box::new(id.to_vec())])?.first().map(job).transpose()
    }

    fn parts(&self, id: &[u8], from: u32, most: u32) -> Result<Vec<(u32, String)>, StoreError> {
        let values: Vec<Value> =
            vec![Box::new(id.to_vec()), Box::new(signed(from)), Box::new(i64::from(most))];
        let rows = self.rows(PARTS, values)?;
        rows.iter()
            .map(|row| Ok((column::<i32>(row, 0)?.cast_unsigned(), column(row, 1)?)))
            .collect()
    }

    fn numbers(&self, id: &[u8]) -> Result<Vec<u32>, StoreError> {
        let rows = self.rows(NUMBERS, vec![Box::new(id.to_vec())])?;
        rows.iter().map(|row| Ok(column::<i32>(row, 0)?.cast_unsigned())).collect()
    }

    fn save(&self, lease: &Lease, update: JobUpdate) -> Result<bool, StoreError> {
        let (state, result, problem) = state_columns(update.end);
        let (numbers, texts): (Vec<i32>, Vec<String>) =
            update.parts.into_iter().map(|(number, text)| (signed(number), text)).unzip();
        let values: Vec<Value> = vec![
            Box::new(lease.id.clone()),
            Box::new(lease.number),
            Box::new(state.number()),
            Box::new(update.progress),
            Box::new(result),
            Box::new(problem),
            Box::new(numbers),
            Box::new(texts),
        ];
        self.any(SAVE, values)
    }

    fn beat(&self, leases: &[Lease]) -> Result<Vec<Lease>, StoreError> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        let (ids, numbers) = columns_of(leases);
        let lease = self.lease_milliseconds();
        let rows = self.rows(BEAT, vec![Box::new(ids), Box::new(numbers), Box::new(lease)])?;
        rows.iter().map(|row| Ok(Lease { id: column(row, 0)?, number: column(row, 1)? })).collect()
    }

    fn take(&self, version: &str) -> Result<Option<JobTakeover>, StoreError> {
        let values: Vec<Value> = vec![
            Box::new(self.mark.clone()),
            Box::new(self.lease_milliseconds()),
            Box::new(version.to_owned()),
        ];
        let rows = self.rows(TAKE, values)?;
        let Some(row) = rows.first() else { return Ok(None) };
        Ok(Some(JobTakeover {
            job: job(row)?,
            lease: Lease { id: column(row, 8)?, number: column(row, 9)? },
            attempts: column::<i32>(row, 10)?.cast_unsigned(),
            payer: column(row, 11)?,
        }))
    }

    fn give_back(&self, leases: &[Lease]) -> Result<(), StoreError> {
        if leases.is_empty() {
            return Ok(());
        }
        let (ids, numbers) = columns_of(leases);
        self.rows(GIVE_BACK, vec![Box::new(ids), Box::new(numbers)]).map(drop)
    }

    fn cancel(&self, id: &[u8]) -> Result<bool, StoreError> {
        self.any(CANCEL, vec![Box::new(id.to_vec())])
    }

    fn forget(&self, id: &[u8]) -> Result<bool, StoreError> {
        self.any(FORGET, vec![Box::new(id.to_vec())])
    }
}
