//! The names of those who play, in sentences that call a seat by its number.
//!
//! Must not know a game: what stands for a seat in its sentences is a [`SideName::Person`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::dispute::explain::Explanation;
use crate::dispute::readings::{Adjudication, Compared};
use crate::dispute::why::WhyNot;
use crate::game::{Game, SideName};
use crate::record::RawRecord;
use crate::replay::answer::{Choices, Violation};

/// What stands for seats in sentences, and who sits there.
pub(crate) struct People<'a>(Vec<(&'static str, Cow<'a, str>)>);

impl<'a> People<'a> {
    /// Those that a record names, where the game's sentences can bear their names. What could upset a terminal is left
    /// out of a name.
    pub(crate) fn of<G: Game>(record: &'a RawRecord<'_>) -> Self {
        let named = |players: &'a BTreeMap<String, String>| {
            let sides = G::META.seats.iter().zip(G::META.sides);
            let name = |(seat, side): (&&'static str, &SideName)| {
                let SideName::Person(person) = side else { return None };
                let name = players.get(*seat).filter(|name| !name.trim().is_empty())?;
                Some((*person, plain(name)))
            };
            sides.filter_map(name).collect()
        };
        People(record.players.as_ref().map_or_else(Vec::new, named))
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

    fn name_in(&self, text: &mut String) {
        *text = self.name(std::mem::take(text));
    }

    /// Explanations with the names in them.
    pub(crate) fn explanations(&self, plies: &mut [Explanation]) {
        for ply in plies {
            ply.text.iter_mut().for_each(|text| self.name_in(text));
            let events = ply.events.iter_mut().filter_map(|event| event.words.as_mut());
            events.for_each(|words| self.name_in(words));
        }
    }

    /// A refusal with the names in its message.
    pub(crate) fn violation(&self, violation: &mut Option<Violation>) {
        violation.iter_mut().for_each(|violation| self.name_in(&mut violation.message));
    }

    /// Why an action is refused, with the names in it.
    pub(crate) fn why(&self, why: &mut WhyNot) {
        self.name_in(&mut why.message);
        why.violations.iter_mut().for_each(|violation| self.name_in(&mut violation.message));
        why.changes.iter_mut().for_each(|change| self.name_in(&mut change.words));
    }

    /// A dispute with the names in its sentences.
    pub(crate) fn adjudication(&self, all: &mut Adjudication) {
        all.summary.iter_mut().for_each(|line| self.name_in(line));
        self.violation(&mut all.recorded.violation);
        for Compared { course, parting, .. } in &mut all.readings {
            self.violation(&mut course.violation);
            let lines = parting.recorded.iter_mut().chain(&mut parting.instead);
            lines.chain(&mut parting.words).for_each(|line| self.name_in(line));
        }
    }

    /// Legal actions with the names in their words.
    pub(crate) fn choices(&self, choices: &mut [Choices]) {
        let texts = choices.iter_mut().filter_map(|it| it.texts.as_mut());
        texts.flatten().for_each(|text| self.name_in(text));
    }
}

fn plain(name: &str) -> Cow<'_, str> {
    match name.chars().any(char::is_control) {
        true => name.chars().filter(|it| !it.is_control()).collect::<String>().into(),
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
