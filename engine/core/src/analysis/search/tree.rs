//! The tree of one search: what was tried from each information set, and how it went.
//!
//! A node is what the searcher knows to have happened; an edge is an action of the seat that decides there.
//! Statistics belong to the edge, so that they gather over everything that may fall after it; which node comes
//! next depends on what the searcher sees fall. This module must not play anything.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::analysis::random::mix;
use crate::analysis::shares::Shares;
use crate::game::Seat;

/// A share from which on it is a win.
pub(super) const CERTAIN: f64 = 1.0 - 1e-9;

/// Which of two certain results a seat prefers, each its share and how long it takes: a win is better sooner, a loss later.
pub(super) fn better(one: (f64, u32), other: (f64, u32)) -> Ordering {
    let length = |(share, plies): (f64, u32)| {
        let plies = i64::from(plies);
        if share > 0.5 { -plies } else { plies }
    };
    one.0.total_cmp(&other.0).then(length(one).cmp(&length(other)))
}

/// What an action is worth for certain to the seat that takes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof<A> {
    /// Its share, from 0 to 1: a mean over what may fall.
    pub value: f64,
    /// After at most so many actions, this one included, the game is over, if the others do not shorten it.
    pub plies: u32,
    /// The action, and what follows if everybody does his best, up to the end of the game or to the first fall.
    pub line: Vec<A>,
}

impl<A> Proof<A> {
    /// Whether the seat wins for certain.
    pub fn is_win(&self) -> bool {
        self.value >= CERTAIN
    }
}

/// An action tried from a node.
#[derive(Clone, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// Of the action.
    pub(super) hash: u64,
    /// In how many simulations it was chosen.
    pub(super) visits: u32,
    /// Sum of the mover's shares.
    pub(super) total: f64,
    /// Sum of their squares.
    pub(super) squares: f64,
    /// What is added to that sum because sooner or later does matter a little.
    delay: f64,
    /// The node that it leads to, where no other table can stand at its own and nothing falls.
    pub(super) sure: Option<u32>,
    /// What it is worth for certain, by its place among [`Arena::proofs`].
    pub(super) proof: Option<u32>,
}

/// What of the edges of a node the choice rests on, a column for each number, so that the bounds of all edges are
/// reckoned in one go: nothing here is divided, no logarithm is taken and nothing branches.
#[derive(Clone, Debug, Default)]
pub(super) struct Promises {
    /// The mover's mean share; infinite without a visit.
    mean: Vec<f64>,
    /// One by the root of the visits; 0 without any.
    doubt: Vec<f64>,
    /// Logarithm of the visits of an edge that was refused; 0 of another.
    taken: Vec<f64>,
    /// Logarithm of the visits and the refusals of an edge that was refused; 0 of another.
    tried: Vec<f64>,
    /// How often an edge was tried in a world where it is not possible.
    refused: Vec<u32>,
}

impl Promises {
    fn grow(&mut self) {
        self.mean.push(f64::INFINITY);
        self.doubt.push(0.0);
        self.taken.push(0.0);
        self.tried.push(0.0);
        self.refused.push(0);
    }

    /// The bounds of all edges, in their order. How often an edge could have been chosen is reckoned from how often it
    /// was possible when it was tried: the share of the tries in which it was, of all visits (`all` is their
    /// logarithm), and no less often than it was taken.
    pub(super) fn bounds(&self, all: f64, exploration: f64, bounds: &mut Vec<f64>) {
        bounds.clear();
        let (mean, doubt) = (self.mean.iter(), self.doubt.iter());
        let (taken, tried) = (self.taken.iter(), self.tried.iter());
        bounds.extend(mean.zip(doubt).zip(taken.zip(tried)).map(
            |((mean, doubt), (taken, tried))| {
                let log = all + taken - tried;
                let log = if log > *taken { log } else { *taken };
                mean + exploration * log.sqrt() * doubt
            },
        ));
    }
}

/// The place of the highest of some numbers, the first among equals; `None` where nothing is above −∞.
pub(super) fn highest(numbers: &[f64]) -> Option<usize> {
    let mut lanes = [f64::NEG_INFINITY; 8];
    let mut chunks = numbers.chunks_exact(8);
    for chunk in &mut chunks {
        for (lane, &it) in lanes.iter_mut().zip(chunk) {
            *lane = if it > *lane { it } else { *lane };
        }
    }
    let most = lanes.iter().chain(chunks.remainder());
    let most = most.fold(f64::NEG_INFINITY, |most, &it| if it > most { it } else { most });
    let found = numbers.iter().position(|&it| it == most);
    found.filter(|_| most > f64::NEG_INFINITY)
}

/// What the searcher knows to have happened.
#[derive(Clone, Debug)]
pub(super) struct Node<A> {
    pub(super) visits: u32,
    pub(super) edges: Vec<Edge<A>>,
    /// Beside each edge.
    pub(super) promises: Promises,
    /// Whether there is nothing left to try.
    pub(super) exhausted: bool,
    /// Whether a line came by at which no other table can stand here.
    pub(super) sole: bool,
    /// Whether there is an edge for every legal action, and no other table can stand here.
    pub(super) complete: bool,
    /// How many edges are proven.
    proven: u32,
    /// What it is worth for certain, by its place among [`Arena::proofs`].
    pub(super) proof: Option<u32>,
    /// Which of the tables that the search keeps stands here.
    pub(super) kept: Option<u32>,
    /// The edges by the hash of their action.
    index: Vec<(u64, u32)>,
    /// The next nodes by what leads there, and the edge that first led there.
    next: Vec<(u64, u32, u32)>,
}

impl<A> Default for Node<A> {
    fn default() -> Self {
        Node {
            visits: 0,
            edges: Vec::new(),
            promises: Promises::default(),
            exhausted: false,
            sole: false,
            complete: false,
            proven: 0,
            proof: None,
            kept: None,
            index: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl<A> Node<A> {
    /// One more simulation went by an edge and was worth this much to who decided.
    ///
    /// `delay` is added to it where edges are chosen between, and nowhere else.
    pub(super) fn count(&mut self, edge: usize, share: f64, delay: f64, logs: &Logs) {
        let it = &mut self.edges[edge];
        it.visits += 1;
        it.total += share;
        it.squares += share * share;
        it.delay += delay;
        let visits = f64::from(it.visits);
        if it.proof.is_none() {
            self.promises.mean[edge] = (it.total + it.delay) / visits;
            self.promises.doubt[edge] = 1.0 / visits.sqrt();
        }
        self.weigh(edge, logs);
    }

    /// It is proven what an edge is worth to who decides: nothing of it is in doubt any more.
    pub(super) fn prove(&mut self, edge: usize, proof: u32, share: f64) {
        self.edges[edge].proof = Some(proof);
        self.promises.mean[edge] = share;
        self.promises.doubt[edge] = 0.0;
        self.proven += 1;
    }

    /// Whether everything that was tried is proven, and something was.
    pub(super) fn is_settled(&self) -> bool {
        self.proven > 0 && self.proven as usize == self.edges.len()
    }

    /// The nodes that were reached by an edge.
    pub(super) fn after(&self, edge: usize) -> impl Iterator<Item = usize> {
        let by = move |it: &&(u64, u32, u32)| it.2 as usize == edge;
        self.next.iter().filter(by).map(|it| it.1 as usize)
    }

    /// The edge that was taken most often, if it was taken at least so often.
    pub(super) fn favourite(&self, least: u32) -> Option<usize> {
        let most = |best: usize, edge: usize| {
            if self.edges[edge].visits > self.edges[best].visits { edge } else { best }
        };
        let edge = (0..self.edges.len()).reduce(most)?;
        (self.edges[edge].visits >= least).then_some(edge)
    }

    /// An edge was tried in a world where it is not possible.
    pub(super) fn refuse(&mut self, edge: usize, logs: &Logs) {
        self.promises.refused[edge] += 1;
        self.weigh(edge, logs);
    }

    fn weigh(&mut self, edge: usize, logs: &Logs) {
        let (visits, refused) = (self.edges[edge].visits, self.promises.refused[edge]);
        if refused > 0 {
            self.promises.taken[edge] = logs.of(visits);
            self.promises.tried[edge] = logs.of(visits + refused);
        }
    }
}

impl<A: Hash + Eq> Node<A> {
    /// The edge of an action, if it was tried.
    pub(super) fn find(&self, hash: u64, action: &A) -> Option<usize> {
        let mut at = self.index.partition_point(|&(other, _)| other < hash);
        while let Some(&(other, edge)) = self.index.get(at)
            && other == hash
        {
            if self.edges[edge as usize].action == *action {
                return Some(edge as usize);
            }
            at += 1;
        }
        None
    }

    /// A new edge. Gives back its place.
    pub(super) fn grow(&mut self, hash: u64, action: A) -> usize {
        let edge = self.edges.len();
        let at = self.index.partition_point(|&(other, _)| other < hash);
        self.index.insert(at, (hash, edge as u32));
        self.edges.push(Edge {
            action,
            hash,
            visits: 0,
            total: 0.0,
            squares: 0.0,
            delay: 0.0,
            sure: None,
            proof: None,
        });
        self.promises.grow();
        edge
    }
}

/// What a node is worth for certain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proven {
    pub(super) shares: Shares,
    /// After at most so many actions the game is over.
    pub(super) plies: u32,
}

/// The nodes of a search; the first is where it begins.
#[derive(Clone, Debug)]
pub(super) struct Arena<A> {
    pub(super) nodes: Vec<Node<A>>,
    pub(super) proofs: Vec<Proven>,
    /// Who searches, where more than two play.
    pub(super) of_several: Option<Seat>,
}

impl<A> Arena<A> {
    pub(super) fn new() -> Self {
        Arena { nodes: vec![Node::default()], proofs: Vec::new(), of_several: None }
    }

    /// A new node that nothing leads to: where another tree begins.
    pub(super) fn plant(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    /// The node that a key leads to from another by an edge, and whether it is new.
    pub(super) fn next(&mut self, from: usize, edge: usize, key: u64) -> (usize, bool) {
        if let Some(next) = self.known(from, key) {
            return (next, false);
        }
        let node = self.plant();
        self.lead(from, edge, key, node);
        (node, true)
    }

    /// The node that a key leads to from another, if it leads anywhere.
    pub(super) fn known(&self, from: usize, key: u64) -> Option<usize> {
        let next = &self.nodes[from].next;
        let at = next.partition_point(|&(other, _, _)| other < key);
        next.get(at).filter(|it| it.0 == key).map(|it| it.1 as usize)
    }

    /// A key that led nowhere leads to a node from now on.
    pub(super) fn lead(&mut self, from: usize, edge: usize, key: u64, to: usize) {
        let next = &mut self.nodes[from].next;
        let at = next.partition_point(|&(other, _, _)| other < key);
        next.insert(at, (key, to as u32, edge as u32));
    }

    /// The game is over at a node.
    pub(super) fn end(&mut self, node: usize, it: Proven) {
        if self.nodes[node].proof.is_none() {
            self.nodes[node].proof = Some(self.proofs.len() as u32);
            self.proofs.push(it);
        }
    }

    /// What an edge is worth for certain.
    pub(super) fn of_edge(&self, node: usize, edge: usize) -> Option<Proven> {
        Some(self.proofs[self.nodes[node].edges[edge].proof? as usize])
    }

    /// What a node is worth for certain.
    pub(super) fn of_node(&self, node: usize) -> Option<Proven> {
        Some(self.proofs[self.nodes[node].proof? as usize])
    }

    /// An edge is worth so much for certain; `delay` is added where edges are chosen between. Whether its node is certain,
    /// too, now.
    pub(super) fn prove(
        &mut self,
        (node, edge, mover): (usize, usize, Seat),
        it: Proven,
        delay: f64,
    ) -> bool {
        if self.nodes[node].edges[edge].proof.is_none() {
            let place = self.proofs.len() as u32;
            self.proofs.push(it);
            self.nodes[node].prove(edge, place, it.shares[mover.index()] + delay);
        }
        self.settle(node, mover)
    }

    /// Whether a node is worth something for certain: who decides there wins by an edge, or all there are are proven. Where
    /// several play, what the others seek is not known: then all their edges must be worth the same to the searcher.
    pub(super) fn settle(&mut self, node: usize, mover: Seat) -> bool {
        let at = &self.nodes[node];
        let of = |proof: u32| self.proofs[proof as usize];
        let worth = |proof: u32| (of(proof).shares[mover.index()], of(proof).plies);
        let proofs = || at.edges.iter().filter_map(|edge| edge.proof);
        let Some(best) = proofs().max_by(|&one, &other| better(worth(one), worth(other))) else {
            return false;
        };
        let all = at.complete && at.is_settled();
        let certain = match self.of_several.filter(|&seat| seat != mover) {
            Some(seat) => {
                let share = |proof: u32| of(proof).shares[seat.index()];
                all && proofs().all(|it| share(it) == share(best))
            }
            None => all || worth(best).0 >= CERTAIN,
        };
        if certain {
            self.nodes[node].proof = Some(best);
        }
        certain
    }

    /// What an edge where the search begins is worth to a seat for certain, and what follows if everybody does his best, up
    /// to the end or to the first fall.
    pub(super) fn proof(&self, edge: usize, seat: Seat) -> Option<Proof<A>>
    where
        A: Clone,
    {
        let proven = self.of_edge(0, edge)?;
        let mut line = Vec::new();
        let (mut node, mut edge) = (0, edge);
        loop {
            let it = &self.nodes[node].edges[edge];
            line.push(it.action.clone());
            let Some(next) = it.sure else { break };
            node = next as usize;
            let Some(best) = self.nodes[node].proof else { break };
            let is_best = |it: &Edge<A>| it.proof == Some(best);
            let Some(next) = self.nodes[node].edges.iter().position(is_best) else { break };
            edge = next;
        }
        Some(Proof { value: proven.shares[seat.index()], plies: proven.plies, line })
    }

    /// The line that was looked at most often: actions from the first node on, each taken at least so often.
    pub(super) fn line(&self, least: u32) -> Vec<A>
    where
        A: Clone,
    {
        let mut line = Vec::new();
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            let Some(edge) = node.favourite(least) else { return line };
            line.push(node.edges[edge].action.clone());
            let Some(next) = node.after(edge).reduce(|best, next| {
                if self.nodes[next].visits > self.nodes[best].visits { next } else { best }
            }) else {
                return line;
            };
            at = next;
        }
    }
}

/// The standard deviation of shares, counted as if a 0 and a 1 had come before the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deviation {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Default for Deviation {
    fn default() -> Self {
        Deviation { count: 2.0, sum: 1.0, squares: 1.0 }
    }
}

impl Deviation {
    pub(super) fn count(&mut self, share: f64) {
        self.count += 1.0;
        self.sum += share;
        self.squares += share * share;
    }

    /// At most a half.
    pub(super) fn get(&self) -> f64 {
        let mean = self.sum / self.count;
        (self.squares / self.count - mean * mean).max(0.0).sqrt()
    }
}

/// Natural logarithms of whole numbers, worked out once.
pub(super) struct Logs(Vec<f64>);

impl Logs {
    /// Those up to `most`, at most 65,536 of them.
    pub(super) fn up_to(most: u32) -> Self {
        Logs((0..=most.min(65_536)).map(|n| libm::log(f64::from(n.max(1)))).collect())
    }

    /// The logarithm of a number; 0 for 0.
    pub(super) fn of(&self, n: u32) -> f64 {
        match self.0.get(n as usize) {
            Some(&log) => log,
            None => libm::log(f64::from(n)),
        }
    }
}

/// A hash of an action or a state. Only ever compared, never ordered by: what is chosen does not depend on it.
pub(super) fn hash_of(it: &impl Hash) -> u64 {
    let mut hasher = Packed { hash: 0, word: 0, bits: 0 };
    it.hash(&mut hasher);
    hasher.finish()
}

/// Takes what comes bit by bit into whole words, and a word at a time into the hash: most of a state is small numbers,
/// and to stir after each of them took a quarter of a search.
struct Packed {
    hash: u64,
    /// What waits to be a whole word, from the lowest bit on.
    word: u64,
    /// How many bits wait, at most 63.
    bits: u32,
}

impl Packed {
    /// Odd, and about as many bits set as not.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Takes a number of so many bits, 1 to 64.
    #[inline]
    fn take(&mut self, value: u64, bits: u32) {
        self.word |= value << self.bits;
        let all = self.bits + bits;
        if all < 64 {
            self.bits = all;
            return;
        }
        self.stir(self.word);
        self.bits = all - 64;
        self.word = if self.bits == 0 { 0 } else { value >> (bits - self.bits) };
    }

    /// Takes a number that is small nearly always: a discriminant, a length.
    #[inline]
    fn take_small(&mut self, value: u64) {
        match value {
            0..=254 => self.take(value, 8),
            _ => {
                self.take(255, 8);
                self.take(value, 64);
            }
        }
    }

    #[inline]
    fn stir(&mut self, word: u64) {
        let product = u128::from(self.hash ^ word ^ Self::FACTOR) * u128::from(Self::FACTOR);
        self.hash = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Packed {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.take(u64::from_le_bytes(word), chunk.len() as u32 * 8);
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.take(u64::from(value), 8);
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.take(u64::from(value), 16);
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.take(u64::from(value), 32);
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.take(value, 64);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.take_small(value as u64);
    }

    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.take_small(value as u64);
    }

    fn finish(&self) -> u64 {
        mix(self.hash ^ u64::from(self.bits), self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_depends_on_every_number_its_place_and_its_width() {
        // Numbers of several widths after 0 to 8 bytes, so that each ends before, at and behind the end of a word.
        let of = |before: usize, change: usize| {
            let mut parts = (vec![7_u8; before], 1_u16, 2_u32, 3_u64, Some(false), vec![0_u8; 300]);
            match change {
                1 => parts.1 += 1,
                2 => parts.2 |= 1 << 31,
                3 => parts.3 |= 1 << 63,
                4 => parts.4 = None,
                5 => parts.5[299] = 1,
                6 => parts.5.push(0),
                7 => parts.0.iter_mut().take(1).for_each(|it| *it = 8),
                _ => {}
            }
            hash_of(&parts)
        };
        let all: Vec<u64> = (0..9)
            .flat_map(|it| (0..8).map(move |change| (it, change)))
            .map(|(before, change)| of(before, change))
            .collect();
        let different: std::collections::BTreeSet<u64> = all.iter().copied().collect();
        // Without a byte before there is none to change.
        assert_eq!(different.len(), all.len() - 1);
        assert_eq!(of(0, 7), of(0, 0));
        assert_ne!(hash_of(&[0_u8; 7]), hash_of(&[0_u8; 8]));
    }

    #[test]
    fn an_edge_is_found_by_its_action_even_where_hashes_are_equal() {
        let mut node: Node<u32> = Node::default();
        for action in [5, 3, 9] {
            node.grow(7, action);
        }
        node.grow(1, 4);
        assert_eq!([5, 3, 9].map(|action| node.find(7, &action)), [Some(0), Some(1), Some(2)]);
        assert_eq!((node.find(1, &4), node.find(7, &4), node.find(2, &4)), (Some(3), None, None));
    }

    /// The bound as it is defined, edge by edge.
    fn bound(all: f64, visits: u32, refused: u32, mean: f64) -> f64 {
        let log = |n: u32| libm::log(f64::from(n.max(1)));
        let often = match refused {
            0 => all,
            times => (all + log(visits) - log(visits + times)).max(log(visits)),
        };
        match visits {
            0 => f64::INFINITY,
            visits => mean + 0.7 * often.sqrt() * (1.0 / f64::from(visits).sqrt()),
        }
    }

    #[test]
    fn the_bounds_of_all_edges_are_those_of_each() {
        let logs = Logs::up_to(100);
        let mut node: Node<u32> = Node::default();
        for edge in 0..37_usize {
            node.grow(edge as u64, edge as u32);
            for turn in 0..edge * 5 % 23 {
                node.count(
                    edge,
                    f64::from((turn as u32 * 7 + edge as u32) % 10) / 10.0,
                    0.0,
                    &logs,
                );
            }
            (0..edge % 4).for_each(|_| node.refuse(edge, &logs));
        }
        let all = logs.of(90);
        let mut bounds = Vec::new();
        node.promises.bounds(all, 0.7, &mut bounds);
        let each: Vec<f64> = (0..37)
            .map(|edge| {
                let it = &node.edges[edge];
                let mean = it.total / f64::from(it.visits);
                bound(all, it.visits, node.promises.refused[edge], mean)
            })
            .collect();
        assert_eq!(bounds, each);
    }

    #[test]
    fn a_deviation_begins_at_a_half_and_becomes_that_of_what_came() {
        let mut spread = Deviation::default();
        assert_eq!(spread.get(), 0.5);
        (0..1000).for_each(|turn| spread.count(if turn % 2 == 0 { 0.4 } else { 0.6 }));
        assert!((spread.get() - 0.1).abs() < 0.01, "{spread:?}");
        (0..100_000).for_each(|_| spread.count(0.4));
        assert!(spread.get() < 0.02, "{spread:?}");
    }

    #[test]
    fn the_highest_is_the_first_of_those_that_are() {
        let numbers: Vec<f64> = (0..29).map(|it| f64::from(it * 5 % 11)).collect();
        assert_eq!(highest(&numbers), numbers.iter().position(|&it| it == 10.0));
        assert_eq!(highest(&[1.0, f64::INFINITY, f64::INFINITY]), Some(1));
        assert_eq!(highest(&[f64::NEG_INFINITY; 9]), None);
        assert_eq!(highest(&[]), None);
    }

    #[test]
    fn a_key_leads_to_one_node() {
        let mut arena: Arena<u32> = Arena::new();
        assert_eq!(arena.next(0, 0, 50), (1, true));
        assert_eq!(arena.next(0, 0, 20), (2, true));
        assert_eq!(arena.next(0, 0, 50), (1, false));
        assert_eq!(arena.next(1, 0, 20), (3, true));
        assert_eq!((arena.known(0, 20), arena.known(0, 30)), (Some(2), None));
        arena.lead(0, 0, 30, 2);
        assert_eq!((arena.known(0, 20), arena.known(0, 30)), (Some(2), Some(2)));
        assert_eq!((arena.next(0, 0, 30), arena.next(0, 0, 50)), ((2, false), (1, false)));
    }

    #[test]
    fn the_line_follows_what_was_visited_most() {
        let mut arena: Arena<u32> = Arena::new();
        for (action, visits) in [(1, 4), (2, 9)] {
            let edge = arena.nodes[0].grow(u64::from(action), action);
            arena.nodes[0].edges[edge].visits = visits;
        }
        let (node, _) = arena.next(0, 1, 50);
        let edge = arena.nodes[node].grow(7, 7);
        arena.nodes[node].edges[edge].visits = 5;
        assert_eq!(arena.line(5), [2, 7]);
        assert_eq!(arena.line(6), [2]);
        assert!(arena.line(10).is_empty());
    }
}
