//! Independent pieces of work, spread over the cores of a machine.
//!
//! Must not know what is worked at.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of 0 … `count` − 1, on every core.
pub(crate) fn on_every_core<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let some = || {
            let take = || next.fetch_add(1, Ordering::Relaxed);
            let own = std::iter::repeat_with(take).take_while(|&at| at < count);
            own.map(|at| (at, work(at))).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(some)).collect();
        threads
            .into_iter()
            .flat_map(|it| it.join().unwrap_or_else(|it| resume_unwind(it)))
            .collect()
    });
    done.sort_by_key(|it| it.0);
    done.into_iter().map(|it| it.1).collect()
}
