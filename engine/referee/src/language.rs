//! The language of the texts in a response.
//!
//! Ids, codes, facts and actions are data and the same in every language. Texts without a
//! translation stay in English. This module must not contain a sentence.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::explain::Explanation;
use umpire_engine::games::GAMES;
use umpire_engine::replay::answer::{Choices, Cited, Verdict, Warning};
use umpire_engine::report::Report;
use umpire_engine::scene::Scene;

use crate::json;
use crate::problem::Problem;
use crate::query::Pairs;

/// The source language of every sentence.
const ENGLISH: &str = "en";

/// The languages that some game is translated to, including English.
pub fn known() -> BTreeSet<&'static str> {
    GAMES.iter().flat_map(|game| game.languages().iter().copied()).chain([ENGLISH]).collect()
}

/// The languages of a game, English first.
pub fn of(game: &dyn AnyGame) -> Vec<&'static str> {
    [ENGLISH].into_iter().chain(game.languages().iter().copied()).collect()
}

/// The language that a request asks for; some game is translated to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Language(&'static str);

impl Language {
    /// The default language.
    pub const ENGLISH: Language = Language(ENGLISH);

    /// Takes the parameter `lang`; English by default.
    ///
    /// # Errors
    /// No game is translated to it.
    pub fn take(pairs: &mut Pairs) -> Result<Self, Problem> {
        let Some(asked) = pairs.take("lang")? else { return Ok(Language::ENGLISH) };
        Language::named(&asked).ok_or_else(|| {
            let known: Vec<&str> = known().into_iter().collect();
            let expected = format!("one of {}", known.join(", "));
            Problem::parameter("lang", &asked, expected)
        })
    }

    /// The language with that code, if some game is translated to it.
    pub fn named(code: &str) -> Option<Self> {
        known().get(code).copied().map(Language)
    }

    /// The voice of a game in the language, or in English if it is not translated.
    pub fn of(self, game: &'static dyn AnyGame) -> Voice {
        let language = if game.languages().contains(&self.0) { self.0 } else { ENGLISH };
        Voice { game, language }
    }
}

/// The fields of responses that contain text for people.
const FOR_PEOPLE: [&str; 12] = [
    "because",
    "detail",
    "gist",
    "instead",
    "message",
    "omissions",
    "question",
    "recorded",
    "summary",
    "text",
    "texts",
    "words",
];

/// Fields that contain actions or records, sent or to be sent.
const DATA: [&str; 7] = ["action", "actions", "claims", "meta", "options", "position", "record"];

/// The texts of a game in one language.
#[derive(Clone, Copy)]
pub struct Voice {
    game: &'static dyn AnyGame,
    language: &'static str,
}

impl Voice {
    /// The code of the language, for `Content-Language`.
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// The game.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Whether the language is English.
    pub fn is_english(&self) -> bool {
        self.language == ENGLISH
    }

    /// Translates a sentence.
    fn say(&self, text: &mut String) {
        if let Some(said) = self.game.translate(self.language, text) {
            *text = said;
        }
    }

    /// Translates a condition, as a part of a sentence.
    fn say_phrase(&self, text: &mut String) {
        if let Some(said) = self.game.translate_phrase(self.language, text) {
            *text = said;
        }
    }

    /// Translates a constant text: a clause, a question, a reading, a reason.
    pub fn fixed(&self, text: &'static str) -> &'static str {
        self.game.translate_fixed(self.language, text).unwrap_or(text)
    }

    /// Translates the clauses that a response cites.
    fn cited(&self, clauses: &mut [Cited]) {
        clauses.iter_mut().for_each(|clause| clause.gist = self.fixed(clause.gist));
    }

    /// Translates a verdict: its violation.
    pub fn verdict(&self, verdict: &mut Verdict) {
        verdict.violation.iter_mut().for_each(|violation| self.say(&mut violation.message));
    }

    /// Translates warnings.
    pub fn warnings(&self, warnings: &mut [Warning]) {
        warnings.iter_mut().for_each(|warning| self.say(&mut warning.message));
    }

    /// Translates a report: its verdict, its explanations, its events.
    pub fn report(&self, report: &mut Report) {
        self.verdict(&mut report.verdict);
        report.explain.iter_mut().flatten().for_each(|ply| self.explanation(ply));
        self.warnings(&mut report.warnings);
        report.scene.iter_mut().for_each(|scene| self.scene(scene));
        report.texts.iter_mut().flatten().flatten().for_each(|text| self.say(text));
        report.legal.iter_mut().for_each(|choices| self.choices(choices));
    }

    /// Translates a picture: its title, its labels, the names of its shapes.
    pub fn scene(&self, scene: &mut Scene) {
        if !self.is_english() {
            self.game.tell_scene(self.language, scene);
        }
    }

    /// Translates an explanation of a ply: events, clauses, facts.
    pub fn explanation(&self, ply: &mut Explanation) {
        ply.text.iter_mut().for_each(|text| self.say(text));
        let facts = ply.facts.iter_mut();
        facts.filter_map(|fact| fact.words.as_mut()).for_each(|words| self.say_phrase(words));
        for event in &mut ply.events {
            event.words.iter_mut().for_each(|words| self.say(words));
            self.cited(&mut event.clauses);
            let facts = event.facts.iter_mut();
            facts.filter_map(|fact| fact.words.as_mut()).for_each(|words| self.say_phrase(words));
        }
    }

    /// Translates a response in JSON: its fields for people, as far as there is a translation. Data
    /// (ids, codes, values, actions, records) stay as they are.
    pub fn answer(&self, text: Vec<u8>) -> Vec<u8> {
        if self.is_english() {
            return text;
        }
        match serde_json::from_slice(&text) {
            Ok(mut answer) => {
                self.fields(&mut answer, false);
                json::text(&answer)
            }
            Err(_) => text,
        }
    }

    /// Translates the fields of a value; `people`: whether it is itself a text for people.
    fn fields(&self, value: &mut Value, people: bool) {
        match value {
            Value::String(text) if people => self.say_part(text),
            Value::Array(all) => all.iter_mut().for_each(|it| self.fields(it, people)),
            Value::Object(all) => {
                for (name, value) in all {
                    // What was sent, or could be sent, is data.
                    if !DATA.contains(&name.as_str()) {
                        self.fields(value, FOR_PEOPLE.contains(&name.as_str()));
                    }
                }
            }
            _ => {}
        }
    }

    /// Translates a sentence, or a part of one; unchanged if there is no translation.
    pub fn said(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.say_part(&mut text);
        text
    }

    /// Translates a sentence, or a part of one.
    fn say_part(&self, text: &mut String) {
        let said = self.game.translate(self.language, text);
        let said = said.or_else(|| self.game.translate_phrase(self.language, text));
        if let Some(said) = said {
            *text = said;
        }
    }

    /// Translates the texts of legal actions.
    pub fn choices(&self, choices: &mut [Choices]) {
        let texts = choices.iter_mut().filter_map(|it| it.texts.as_mut());
        texts.flatten().for_each(|text| self.say(text));
    }
}
