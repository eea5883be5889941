//! How much work may still be done on one question, and whether anybody still waits for the answer.
//!
//! The engine has no clock: whoever has one raises the flag when the time is up or the caller has gone.
//! Every loop whose length a caller can choose asks [`Budget::spend`]; an answer is whole or none, so a
//! budget never changes what is answered. This module must not know what the work is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The work on one question: a flag that ends it, and units that may be used up. Copies share both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    stop: Option<&'a AtomicBool>,
    units: Option<&'a AtomicU64>,
}

/// Stands for units of which more were asked for than were left.
const GONE: u64 = u64::MAX;

/// The work is to end: the flag is raised, or the units are used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent;

impl<'a> Budget<'a> {
    /// Work without an end.
    pub const UNLIMITED: Budget<'static> = Budget { stop: None, units: None };

    /// Work until the flag is raised.
    pub const fn until(stop: &'a AtomicBool) -> Self {
        Budget { stop: Some(stop), units: None }
    }

    /// The same work, and at most so many units of it (below `u64::MAX`). A unit is about what it takes to play an action
    /// or to list one.
    #[must_use]
    pub const fn within(self, units: &'a AtomicU64) -> Self {
        Budget { units: Some(units), ..self }
    }

    /// Takes on so many units of work, if they may still be done.
    ///
    /// # Errors
    /// [`Spent`] once the flag is raised or fewer units are left; it then stays so.
    pub fn spend(&self, units: u64) -> Result<(), Spent> {
        if self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Spent);
        }
        let Some(left) = self.units else { return Ok(()) };
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
            GONE => None,
            left => Some(left.checked_sub(units).unwrap_or(GONE)),
        });
        match taken {
            Ok(left) if units <= left => Ok(()),
            _ => Err(Spent),
        }
    }

    /// Whether the work is to end: whether something could not be spent, or the flag is raised.
    pub fn is_spent(&self) -> bool {
        self.spend(0).is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_shared_and_run_out_for_good() {
        let units = AtomicU64::new(10);
        let budget = Budget::UNLIMITED.within(&units);
        let copy = budget;
        assert_eq!(budget.spend(6), Ok(()));
        assert_eq!(copy.spend(3), Ok(()));
        assert!(!budget.is_spent());
        assert_eq!(copy.spend(2), Err(Spent));
        assert_eq!(budget.spend(1), Err(Spent));
        assert!(budget.is_spent());
    }

    #[test]
    fn a_raised_flag_ends_the_work() {
        let flag = AtomicBool::new(false);
        let budget = Budget::until(&flag);
        assert_eq!(budget.spend(u64::MAX), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.spend(0), Err(Spent));
        assert!(Budget::UNLIMITED.spend(u64::MAX).is_ok());
    }
}
