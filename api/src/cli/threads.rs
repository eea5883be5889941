//! Independent pieces of work on all processors, for the command line.
//!
//! The service does not use it: there, a request has a single processor, so that others get theirs.
//! This module must not know what the work is.

use rayon::prelude::*;
use umpire_engine::analysis::search::Spread;

/// All processors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threads;

impl Spread for Threads {
    fn each(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..pieces).into_par_iter().for_each(work);
    }
}
