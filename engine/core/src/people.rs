//! The names of those who play, in sentences that call a seat by its number.
//!
//! Must not know a game: what stands for a seat in its sentences is a [`SideName::Person`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::game::{Game, SideName};
use crate::rules::Evidence;

/// What stands for seats in sentences, and who sits there.
#[derive(Clone)]
pub(crate) struct People<'a>(Vec<(&'static str, Cow<'a, str>)>);

impl<'a> People<'a> {
    /// Those that a record names, where the game's sentences can bear their names. Of a name is left out what could
    /// upset a terminal or turn a sentence round.
    pub(crate) fn of<G: Game>(players: Option<&'a BTreeMap<String, String>>) -> Self {
        let sides = G::META.seats.iter().zip(G::META.sides);
        let name = |(seat, side): (&&'static str, &SideName)| {
            let SideName::Person(person) = side else { return None };
            let name = players?.get(*seat).map(|name| plain(name))?;
            (!name.trim().is_empty()).then_some((*person, name))
        };
        People(sides.filter_map(name).collect())
    }

    /// A sentence with the names in it.
    pub(crate) fn name(&self, text: String) -> String {
        if self.0.iter().all(|(person, _)| !text.contains(person)) {
            return text;
        }
        let mut named = String::with_capacity(text.len());
        let mut rest = text.as_str();
        // Once over it: a name may be like what stands for another seat.
        while let Some((at, person, name)) = self
            .0
            .iter()
            .filter_map(|(person, name)| Some((rest.find(person)?, *person, name)))
            .min_by_key(|(at, ..)| *at)
        {
            named.push_str(&rest[..at]);
            named.push_str(name);
            rest = &rest[at + person.len()..];
        }
        named.push_str(rest);
        named
    }

    /// An answer with the names in its sentences. It must not have them yet: a name may be like what stands for another seat.
    pub(crate) fn named<T: Sentences>(&self, mut answer: T) -> T {
        if !self.0.is_empty() {
            answer.sentences(&mut |text| *text = self.name(std::mem::take(text)));
        }
        answer
    }

    /// The same for longer than the record is at hand.
    pub(crate) fn owned(self) -> People<'static> {
        let owned = |(person, name): (_, Cow<'a, str>)| (person, name.into_owned().into());
        People(self.0.into_iter().map(owned).collect())
    }
}

/// What has sentences that may call a player by the number of the seat.
pub(crate) trait Sentences {
    /// Hands each of them over.
    fn sentences(&mut self, each: &mut dyn FnMut(&mut String));
}

impl Sentences for String {
    fn sentences(&mut self, each: &mut dyn FnMut(&mut String)) {
        each(self);
    }
}

impl<T: Sentences> Sentences for Box<T> {
    fn sentences(&mut self, each: &mut dyn FnMut(&mut String)) {
        (**self).sentences(each);
    }
}

impl<T: Sentences> Sentences for Option<T> {
    fn sentences(&mut self, each: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|one| one.sentences(each));
    }
}

impl<T: Sentences> Sentences for Vec<T> {
    fn sentences(&mut self, each: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|one| one.sentences(each));
    }
}

/// Says which fields of an answer have sentences.
macro_rules! sentences {
    ($($answer:ty: $($field:ident),+;)+) => {$(
        impl Sentences for $answer {
            fn sentences(&mut self, each: &mut dyn FnMut(&mut String)) {
                $(self.$field.sentences(each);)+
            }
        }
    )+};
}
pub(crate) use sentences;

sentences! { Evidence: what; }

/// A name without what could upset a terminal, or turn the sentence around it: control characters and directions.
fn plain(name: &str) -> Cow<'_, str> {
    let hidden = |it: char| {
        it.is_control()
            || matches!(it, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
    };
    match name.contains(hidden) {
        true => name.chars().filter(|it| !hidden(*it)).collect::<String>().into(),
        false => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::People;

    #[test]
    fn a_name_stands_once_where_its_seat_is_named() {
        let people = People(vec![("Prince 1", "Prince 2".into()), ("Prince 2", "Zoë".into())]);
        let text = "Prince 2 attacks Prince 1 and Prince 3".to_owned();
        assert_eq!(people.name(text), "Zoë attacks Prince 2 and Prince 3");
        assert_eq!(people.name("nobody".to_owned()), "nobody");
    }
}
