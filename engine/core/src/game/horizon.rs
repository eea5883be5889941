//! How far a line of play is followed before it is estimated.
//!
//! Must not know how lines are played.

/// Where a line that is thought out ends, if the game does not end before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// After so many actions from the position; below a deep tree it is played on for half as many.
    Actions(u32),
    /// Before the first turn whose number ([`crate::game::Game::turn`]) is higher by more than `after` than that at hand, or
    /// after `most` actions.
    Turns {
        /// For how many turns after the one at hand, if no number is left out, search decides; then it is played on at first
        /// sight. A reply that is thought out should be thought out after every action: search looks at it less often
        /// after one that lets dice fall, which then seems better than it is.
        decided: u32,
        /// How many turns after the one at hand, if no number is left out.
        after: u32,
        /// The bound of the actions.
        most: u32,
    },
}

impl Horizon {
    /// How many actions are left at most to a line that has gone so many down a tree.
    pub fn left(self, gone: u32) -> u32 {
        match self {
            Horizon::Actions(most) => most.saturating_sub(gone).max(most / 2),
            Horizon::Turns { most, .. } => most.saturating_sub(gone),
        }
    }

    /// The turns of a line that begins in this one: that from which on it is played on at first sight, and that which is not
    /// looked into any more.
    pub fn until(self, turn: u32) -> Option<[u32; 2]> {
        match self {
            Horizon::Actions(_) => None,
            Horizon::Turns { decided, after, .. } => {
                let next = turn.saturating_add(1);
                Some([decided.min(after), after].map(|turns| next.saturating_add(turns)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_line_of_actions_is_played_on_for_half_as_many() {
        let horizon = Horizon::Actions(12);
        assert_eq!([0, 4, 6, 7, 50].map(|gone| horizon.left(gone)), [12, 8, 6, 6, 6]);
        assert_eq!(horizon.until(3), None);
    }

    #[test]
    fn a_line_of_turns_ends_before_a_turn_or_at_its_bound() {
        let horizon = Horizon::Turns { decided: 0, after: 1, most: 80 };
        assert_eq!([0, 79, 80, 90].map(|gone| horizon.left(gone)), [80, 1, 0, 0]);
        assert_eq!([0, 7].map(|turn| horizon.until(turn)), [Some([1, 2]), Some([8, 9])]);
        assert_eq!(horizon.until(u32::MAX), Some([u32::MAX; 2]));
        let decided = Horizon::Turns { decided: 3, after: 1, most: 80 };
        assert_eq!(decided.until(0), Some([2, 2]));
    }
}
