//! What two lines of play come to, in words: the reply that each invites, and what then happens by which
//! clause.
//!
//! Every line that is told was replayed in a world that the mover could be in; what cannot be replayed is not
//! told. Must not look at the true state.

use super::random::Random;
use super::search::Position;
use crate::game::FullGame;
use crate::rules::Rule;

/// How many worlds are tried until a line can be replayed.
const WORLDS: u32 = 48;
/// How many actions of a line are told: the action itself and the reply.
const TOLD: usize = 2;

/// One thing that happens on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Happening {
    pub(super) text: String,
    pub(super) rule: &'static str,
}

/// A line that was replayed.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Replayed {
    /// The actions in words, each as it was taken where it stands, as far as they were replayed.
    pub(super) said: Vec<Option<String>>,
    /// What happened after each of them.
    pub(super) happened: Vec<Vec<Happening>>,
}

/// Replays a line from a position, as far into it as some world allows, at least its first action.
pub(super) fn replay<G: FullGame>(
    position: &Position<G>,
    line: &[G::Action],
    seed: &str,
) -> Option<Replayed> {
    let line = &line[..line.len().min(TOLD)];
    let mut random = Random::new(seed, 0x11e5);
    let mut longest: Option<Replayed> = None;
    for _ in 0..WORLDS {
        let Some((mut table, _)) = position.world(&mut random) else { continue };
        let mut replayed = Replayed { said: Vec::new(), happened: Vec::new() };
        for action in line {
            let said = G::describe_action(table.setup(), Some(table.state()), action);
            let Ok(log) = table.play_logged(action, &mut random) else { break };
            let happened = log.events.iter().filter_map(|logged| {
                let text = logged.tell(table.setup(), position.searcher())?;
                Some(Happening { text, rule: logged.rules.first().id() })
            });
            replayed.happened.push(happened.collect());
            replayed.said.push(said);
        }
        let longer = replayed.said.len() > longest.as_ref().map_or(0, |it| it.said.len());
        if longer {
            let done = replayed.said.len() == line.len();
            longest = Some(replayed);
            if done {
                break;
            }
        }
    }
    longest
}

/// What happens on one line and not on the other, at the first step where there is any such thing.
pub(super) fn difference<'a>(line: &'a Replayed, other: &Replayed) -> Vec<&'a Happening> {
    let empty = Vec::new();
    for (at, happened) in line.happened.iter().enumerate() {
        let there = other.happened.get(at).unwrap_or(&empty);
        let only: Vec<&Happening> = happened.iter().filter(|it| !there.contains(it)).collect();
        if !only.is_empty() {
            return only;
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(steps: &[&[&str]]) -> Replayed {
        let happening = |text: &&str| Happening { text: (*text).to_owned(), rule: "TOY-1" };
        let happened = steps.iter().map(|step| step.iter().map(happening).collect()).collect();
        Replayed { said: vec![None; steps.len()], happened }
    }

    #[test]
    fn a_difference_is_told_from_the_first_step_that_has_one() {
        let (one, two) = (line(&[&["a"], &["b", "c"]]), line(&[&["a"], &["c", "d"]]));
        let texts = |found: Vec<&Happening>| -> Vec<String> {
            found.into_iter().map(|it| it.text.clone()).collect()
        };
        assert_eq!(texts(difference(&one, &two)), ["b"]);
        assert_eq!(texts(difference(&two, &one)), ["d"]);
        assert!(difference(&one, &one).is_empty());
        assert_eq!(texts(difference(&one, &line(&[&["x"]]))), ["a"]);
    }
}
