//! Which answers chance is to give, attempt by attempt, where the record does not say: all of them where they are few.
//!
//! Must not know what is asked.

use super::guess::Choice;

/// The scripts that chance is to follow, one after the other: all of them where they are few, else the likeliest, each
/// with one or a few answers otherwise, and some at random.
pub(super) struct Scripts {
    next: Option<Vec<u32>>,
    queue: Vec<Vec<u32>>,
    left: usize,
    round: u32,
    begun: bool,
    widest: usize,
    /// All ways were tried.
    pub(super) all: bool,
    /// Whether every choice was about a card.
    pub(super) cards_only: bool,
    chose: bool,
    in_order: bool,
}

impl Scripts {
    pub(super) fn new(most: usize, round: u32) -> Self {
        Scripts {
            next: Some(Vec::new()),
            queue: Vec::new(),
            left: most,
            round,
            begun: false,
            widest: most,
            all: true,
            cards_only: true,
            chose: false,
            in_order: true,
        }
    }

    pub(super) fn next(&mut self) -> Option<Vec<u32>> {
        let next = self.next.take().or_else(|| self.queue.pop())?;
        if self.left == 0 {
            self.all = false;
            return None;
        }
        self.left -= 1;
        Some(next)
    }

    /// Whether people at the table may see the difference.
    pub(super) fn branched(&self, unseen: bool) -> bool {
        self.chose && !(unseen && self.cards_only)
    }

    /// What was chosen along the last script.
    pub(super) fn note(&mut self, choices: &[Choice], mut taken: Vec<u32>) {
        self.chose |= !choices.is_empty();
        self.cards_only &= choices.iter().all(|choice| choice.card);
        if !self.begun {
            self.begun = true;
            let ways =
                choices.iter().fold(1_usize, |all, it| all.saturating_mul(it.options as usize));
            if ways > self.widest {
                self.in_order = false;
                self.all = false;
                self.queue = some_scripts(choices, self.widest, self.round);
                return;
            }
        }
        if !self.in_order {
            return;
        }
        while let Some(last) = taken.pop() {
            let at = taken.len();
            if last + 1 < choices[at].options {
                taken.push(last + 1);
                self.next = Some(taken);
                return;
            }
        }
    }
}

/// Some of too many scripts, the likeliest last: the first answer throughout but for one; two answers, one up to a place and
/// the other from there on; and some at random.
fn some_scripts(choices: &[Choice], most: usize, round: u32) -> Vec<Vec<u32>> {
    let options: Vec<u32> = choices.iter().map(|choice| choice.options).collect();
    let mut scripts: Vec<Vec<u32>> = Vec::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64 ^ u64::from(round);
    let mut below = |n: u32| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ((random >> 33) % u64::from(n.max(1))) as u32
    };
    for _ in 0..most / 4 {
        scripts.push(options.iter().map(|&n| below(n)).collect());
    }
    let same = options.windows(2).all(|pair| pair[0] == pair[1]);
    if same && choices.iter().all(|choice| !choice.card) {
        let n = options.first().copied().unwrap_or(1);
        for one in 0..n {
            for other in (0..n).filter(|&other| other != one) {
                for place in 1..options.len() {
                    let mut script = vec![one; place];
                    script.resize(options.len(), other);
                    scripts.push(script);
                }
            }
        }
        scripts.extend((1..n).map(|one| vec![one; options.len()]));
    }
    for (at, &n) in options.iter().enumerate() {
        for pick in (1..n.min(4 + 4 * round)).rev() {
            let mut script = vec![0; at];
            script.push(pick);
            scripts.push(script);
        }
    }
    let from = scripts.len().saturating_sub(most);
    scripts.split_off(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(options: &[u32], most: usize) -> (Vec<Vec<u32>>, bool) {
        let mut scripts = Scripts::new(most, 0);
        let mut seen = Vec::new();
        while let Some(script) = scripts.next() {
            let choices: Vec<Choice> =
                options.iter().map(|&options| Choice { options, card: false }).collect();
            let pick = |at: usize| script.get(at).copied().unwrap_or(0).min(options[at] - 1);
            let taken: Vec<u32> = (0..options.len()).map(pick).collect();
            seen.push(taken.clone());
            scripts.note(&choices, taken);
        }
        (seen, scripts.all)
    }

    #[test]
    fn few_ways_are_all_walked_once() {
        let (mut seen, all) = walk(&[2, 3], 6);
        assert!(all);
        assert_eq!(seen.len(), 6);
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 6);
        assert_eq!(walk(&[], 1), (vec![vec![]], true));
    }

    #[test]
    fn too_many_ways_are_walked_in_part_and_it_is_said() {
        let (seen, all) = walk(&[6; 8], 200);
        assert!(!all);
        assert!(seen.len() > 100 && seen.len() <= 200);
        // Any number of dice that show a six.
        for sixes in 1..8 {
            assert!(seen.iter().any(|it| it.iter().filter(|&&die| die == 5).count() == sixes));
        }
    }
}
