//! The tree of one search: what was tried from each information set, and how it went.
//!
//! A node is what the searcher knows to have happened; an edge is an action of the seat that decides there.
//! Statistics belong to the edge, so that they gather over everything that may fall after it; which node comes
//! next depends on what the searcher sees fall. This module must not play anything.

use std::hash::{Hash, Hasher};

use crate::analysis::random::mix;

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
}

/// What of an edge the choice rests on, ready to be compared: nothing here is divided and no root drawn while
/// edges are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    /// The mover's mean share.
    pub(super) mean: f64,
    /// One by the root of the visits; infinite without any.
    pub(super) doubt: f64,
    /// As of the edge.
    pub(super) visits: u32,
    /// How often the edge was tried in a world where it is not possible.
    pub(super) refused: u32,
}

/// What the searcher knows to have happened.
#[derive(Clone, Debug)]
pub(super) struct Node<A> {
    pub(super) visits: u32,
    pub(super) edges: Vec<Edge<A>>,
    /// Beside each edge.
    pub(super) promises: Vec<Promise>,
    /// Whether there is nothing left to try.
    pub(super) exhausted: bool,
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
            promises: Vec::new(),
            exhausted: false,
            index: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl<A> Node<A> {
    /// One more simulation went by an edge and was worth this much to who decided.
    pub(super) fn count(&mut self, edge: usize, share: f64) {
        let it = &mut self.edges[edge];
        it.visits += 1;
        it.total += share;
        it.squares += share * share;
        let visits = f64::from(it.visits);
        let promise = &mut self.promises[edge];
        promise.mean = it.total / visits;
        promise.doubt = 1.0 / visits.sqrt();
        promise.visits = it.visits;
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
        self.edges.push(Edge { action, hash, visits: 0, total: 0.0, squares: 0.0 });
        let doubt = f64::INFINITY;
        self.promises.push(Promise { mean: 0.0, doubt, visits: 0, refused: 0 });
        edge
    }
}

/// The nodes of a search; the first is where it begins.
#[derive(Clone, Debug)]
pub(super) struct Arena<A> {
    pub(super) nodes: Vec<Node<A>>,
}

impl<A> Arena<A> {
    pub(super) fn new() -> Self {
        Arena { nodes: vec![Node::default()] }
    }

    /// The node that a key leads to from another by an edge, and whether it is new.
    pub(super) fn next(&mut self, from: usize, edge: usize, key: u64) -> (usize, bool) {
        let next = &self.nodes[from].next;
        let at = next.partition_point(|&(other, _, _)| other < key);
        match next.get(at) {
            Some(&(other, node, _)) if other == key => (node as usize, false),
            _ => {
                let node = self.nodes.len();
                self.nodes[from].next.insert(at, (key, node as u32, edge as u32));
                self.nodes.push(Node::default());
                (node, true)
            }
        }
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
            let most = |best: usize, edge: usize| {
                if node.edges[edge].visits > node.edges[best].visits { edge } else { best }
            };
            let Some(edge) = (0..node.edges.len()).reduce(most) else { return line };
            if node.edges[edge].visits < least {
                return line;
            }
            line.push(node.edges[edge].action.clone());
            let after = node.next.iter().filter(|&&(_, _, by)| by as usize == edge);
            let Some(next) = after.map(|&(_, next, _)| next as usize).reduce(|best, next| {
                if self.nodes[next].visits > self.nodes[best].visits { next } else { best }
            }) else {
                return line;
            };
            at = next;
        }
    }
}

/// A hash of an action. Only ever compared, never ordered by: what is chosen does not depend on it.
pub(super) fn hash_of(action: &impl Hash) -> u64 {
    let mut hasher = Words(0);
    action.hash(&mut hasher);
    hasher.finish()
}

struct Words(u64);

impl Hasher for Words {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = mix(self.0, u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.0 = mix(self.0, u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = mix(self.0, u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0, value);
    }

    fn write_usize(&mut self, value: usize) {
        self.0 = mix(self.0, value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.0 = mix(self.0, value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_key_leads_to_one_node() {
        let mut arena: Arena<u32> = Arena::new();
        assert_eq!(arena.next(0, 0, 50), (1, true));
        assert_eq!(arena.next(0, 0, 20), (2, true));
        assert_eq!(arena.next(0, 0, 50), (1, false));
        assert_eq!(arena.next(1, 0, 20), (3, true));
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
