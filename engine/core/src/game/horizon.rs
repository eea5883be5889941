//! How far a line of play is followed before it is estimated.
//!
//! Must not know how lines are played.

/// Where a line that is thought out ends, if the game does not end before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// After so many actions from the position; below a deep tree it is played on for half as many.
    Actions(u32),
    /// Before the first turn whose number ([`crate::game::Advice::turn`]) is higher by more than `after` than that at hand, or
    /// after `most` actions.
    ///
    /// What the next turns answer is found out for all lines together: in a tree for each turn, through which every line
    /// goes whatever was done before. So every action is answered equally well; a reply of its own would be thought out
    /// less after an action that is looked at less or lets dice fall, which then seems better than it is.
    Turns {
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

    /// The first turn that a line which begins in this one does not look into any more.
    pub fn until(self, turn: u32) -> Option<u32> {
        match self {
            Horizon::Actions(_) => None,
            Horizon::Turns { after, .. } => Some(turn.saturating_add(1).saturating_add(after)),
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
        let horizon = Horizon::Turns { after: 1, most: 80 };
        assert_eq!([0, 79, 80, 90].map(|gone| horizon.left(gone)), [80, 1, 0, 0]);
        assert_eq!([0, 7, u32::MAX].map(|it| horizon.until(it)), [2, 9, u32::MAX].map(Some));
    }
}
