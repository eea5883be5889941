//! The board of jobs: it keeps the same promises in a file and in a database.

use std::sync::Arc;

use tempfile::TempDir;
use umpire_api::store::jobs::{
    JobBoard, JobEnd, JobKind, JobState, JobUpdate, LEASE, Lease, NewJob, PutOutcome,
};
use umpire_api::store::sqlite::SqliteJobs;

/// An empty board, and the folder of its file.
fn board() -> (Arc<dyn JobBoard>, TempDir) {
    let folder = TempDir::new().unwrap();
    let shared = crate::store(&folder.path().join("records.sqlite")).jobs(LEASE);
    let file = folder.path().join("jobs");
    (shared.unwrap_or_else(|| Arc::new(SqliteJobs::at(file))), folder)
}

fn new(number: u8, kind: JobKind) -> NewJob {
    NewJob {
        id: vec![number; 32],
        kind,
        version: "one".to_owned(),
        request: format!("{{\"number\":{number}}}"),
        payer: None,
        lease: true,
        most_running: 4,
        most_kept: 6,
    }
}

fn leased(board: &dyn JobBoard, job: NewJob) -> Lease {
    match board.put(job).unwrap() {
        PutOutcome::Leased(lease) => lease,
        other => panic!("{other:?}"),
    }
}

fn part(number: u32, text: &str) -> JobUpdate {
    let parts = vec![(number, text.to_owned())];
    JobUpdate { progress: Some(format!("\"{text}\"")), parts, end: None }
}

fn end(end: JobEnd) -> JobUpdate {
    JobUpdate { end: Some(end), ..JobUpdate::default() }
}

const ID: [u8; 32] = [1; 32];

#[test]
fn what_is_saved_stays_over_cancelling_and_is_written_under_the_last_lease_only() {
    let (board, _folder) = board();
    assert_eq!(board.find(&ID).unwrap(), None);
    assert!(!board.cancel(&ID).unwrap() && !board.forget(&ID).unwrap());
    let first = leased(&*board, new(1, JobKind::Analysis));
    assert_eq!(board.put(new(1, JobKind::Analysis)).unwrap(), PutOutcome::Exists);
    assert!(board.save(&first, part(2, "two")).unwrap());
    assert!(board.save(&first, part(0, "nought")).unwrap());
    let shown = board.find(&ID).unwrap().unwrap();
    assert_eq!((shown.kind, shown.state, shown.parts), (JobKind::Analysis, JobState::Running, 2));
    assert_eq!(shown.progress.as_deref(), Some("\"nought\""));
    assert_eq!((&*shown.version, &*shown.request), ("one", "{\"number\":1}"));
    assert_eq!(board.beat(std::slice::from_ref(&first)).unwrap(), std::slice::from_ref(&first));
    // A running job cannot be deleted; a cancelled one is written by nobody.
    assert!(!board.forget(&ID).unwrap());
    assert!(board.cancel(&ID).unwrap() && !board.cancel(&ID).unwrap());
    assert!(!board.save(&first, part(1, "late")).unwrap());
    assert!(board.beat(std::slice::from_ref(&first)).unwrap().is_empty());
    assert_eq!(board.find(&ID).unwrap().unwrap().state, JobState::Cancelled);
    // It is resumed under the next lease.
    let next = leased(&*board, new(1, JobKind::Analysis));
    assert!(next.number > first.number);
    assert!(!board.save(&first, end(JobEnd::Done(Some("\"late\"".to_owned())))).unwrap());
    board.give_back(std::slice::from_ref(&first)).unwrap();
    board.abandon(&first);
    assert_eq!(board.numbers(&ID).unwrap(), [0, 2]);
    let again =
        JobUpdate { parts: vec![(2, "other".into()), (3, "three".into())], ..Default::default() };
    assert!(board.save(&next, again).unwrap());
    let parts = board.parts(&ID, 1, 9).unwrap();
    assert_eq!(parts, [(2, "two".to_owned()), (3, "three".to_owned())]);
    assert_eq!(board.parts(&ID, 0, 1).unwrap(), [(0, "nought".to_owned())]);
    assert!(board.save(&next, end(JobEnd::Done(Some("\"sum\"".to_owned())))).unwrap());
    // A job that is done is written by nobody, and not started again.
    assert!(!board.save(&next, part(4, "late")).unwrap());
    assert_eq!(board.put(new(1, JobKind::Analysis)).unwrap(), PutOutcome::Exists);
    let shown = board.find(&ID).unwrap().unwrap();
    assert_eq!((shown.state, shown.result.as_deref()), (JobState::Done, Some("\"sum\"")));
    assert!(!board.cancel(&ID).unwrap() && board.forget(&ID).unwrap());
    assert!(!board.forget(&ID).unwrap() && board.numbers(&ID).unwrap().is_empty());
}

#[test]
fn a_failed_job_says_why_until_it_is_resumed() {
    let (board, _folder) = board();
    let lease = leased(&*board, new(1, JobKind::Simulation));
    assert!(board.save(&lease, part(0, "nought")).unwrap());
    assert!(board.save(&lease, end(JobEnd::Failed("\"why\"".to_owned()))).unwrap());
    let shown = board.find(&ID).unwrap().unwrap();
    assert_eq!((shown.state, shown.problem.as_deref()), (JobState::Failed, Some("\"why\"")));
    leased(&*board, new(1, JobKind::Simulation));
    let shown = board.find(&ID).unwrap().unwrap();
    assert_eq!((shown.state, shown.problem, shown.parts), (JobState::Running, None, 1));
}

#[test]
fn what_runs_and_what_is_stored_is_bounded() {
    let (board, _folder) = board();
    for number in 1..=4 {
        let kind = if number % 2 == 0 { JobKind::Analysis } else { JobKind::Simulation };
        leased(&*board, new(number, kind));
    }
    assert_eq!(board.put(new(5, JobKind::Simulation)).unwrap(), PutOutcome::Full);
    assert_eq!(board.put(new(5, JobKind::Analysis)).unwrap(), PutOutcome::Full);
    assert_eq!(board.find(&[5; 32]).unwrap(), None);
    leased(&*board, new(6, JobKind::Impact));
    // What has ended makes room; the least recently requested is removed first, and what runs stays.
    for number in 2..=4 {
        assert!(board.cancel(&[number; 32]).unwrap());
    }
    for number in 10..15 {
        let lease = leased(&*board, new(number, JobKind::Analysis));
        assert!(board.save(&lease, end(JobEnd::Failed("{}".to_owned()))).unwrap());
    }
    let stored = |number: &u8| board.find(&[*number; 32]).unwrap().is_some();
    let all: Vec<u8> = (1..15).filter(stored).collect();
    assert_eq!(all, [1, 6, 10, 11, 12, 13, 14]);
    leased(&*board, new(10, JobKind::Analysis));
    leased(&*board, new(15, JobKind::Simulation));
    let all: Vec<u8> = (1..16).filter(stored).collect();
    assert_eq!(all, [1, 6, 10, 12, 13, 14, 15], "impacts count apart");
}
