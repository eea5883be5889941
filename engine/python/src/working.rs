//! How work is done: on all processors, without the interpreter's lock, until it ends or somebody presses Ctrl-C.
//!
//! This module must not know what the work is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use umpire_referee::{Budget, Spread};

/// How often it is looked whether somebody has pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The threads of one process.
type Owned = Option<(u32, Arc<ThreadPool>)>;

/// The threads on which everything is done. A process that was forked from one that has some has none of them, so that it
/// makes its own.
static THREADS: Mutex<Owned> = Mutex::new(None);

fn threads() -> PyResult<Arc<ThreadPool>> {
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((of, pool)) = &*threads
        && *of == process
    {
        return Ok(pool.clone());
    }
    let pool = ThreadPoolBuilder::new().thread_name(|at| format!("umpire-{at}")).build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let pool = Arc::new(pool);
    // To end the threads of another process would be to wait for them.
    if let Some(before) = threads.replace((process, pool.clone())) {
        std::mem::forget(before);
    }
    Ok(pool)
}

/// All processors, for work in pieces.
pub(crate) struct Threads;

impl Spread for Threads {
    fn each(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).into_par_iter().for_each(work);
    }
}

/// Does work on all processors without the interpreter's lock.
///
/// # Errors
/// A signal handler raised an exception, `KeyboardInterrupt` say; the work is given up then.
pub(crate) fn until_interrupted<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Budget<'_>) -> T + Send,
) -> PyResult<T> {
    let pool = threads()?;
    let stop = AtomicBool::new(false);
    let (sender, done) = bounded(1);
    std::thread::scope(|scope| {
        let stop = &stop;
        scope.spawn(move || {
            // Who has gone wants no answer.
            let _ = sender.send(pool.install(|| work(Budget::until(stop))));
        });
        let mut interrupted = None;
        // The thread is waited for in any case: what it works on is borrowed.
        loop {
            match py.detach(|| done.recv_timeout(LOOK)) {
                Ok(found) => {
                    return match interrupted {
                        None => Ok(found),
                        Some(error) => Err(error),
                    };
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work was lost"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stop.store(true, Ordering::Relaxed);
                        interrupted.get_or_insert(error);
                    }
                }
            }
        }
    })
}
