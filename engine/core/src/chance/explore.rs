//! Exploring chance: exact odds of any step, with no change to a game.
//!
//! An [`Explore`] answers a prefix of questions and stops at the first open one; because a step
//! runs on a copy, [`crate::analysis::odds`] can try every answer in turn. This module must not
//! draw anything at random.

use super::{Ask, Chance, Halt, What};

/// Answers from a list of chosen answers, then stops.
#[derive(Clone, Debug, Default)]
pub struct Explore {
    answers: Vec<u32>,
    at: usize,
}

impl Explore {
    /// Gives these answers in order (indices of possible answers), then stops.
    pub fn new(answers: Vec<u32>) -> Self {
        Explore { answers, at: 0 }
    }
}

impl Chance for Explore {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        let Some(&index) = self.answers.get(self.at) else {
            return Err(Halt::Open { weights: ask.weights() });
        };
        self.at += 1;
        Ok(match ask.what {
            What::Die { .. } => index + 1,
            What::Card { .. } | What::Among { .. } | What::Hidden { .. } => index,
        })
    }
}
