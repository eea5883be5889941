//! The language in which an answer speaks to people.
//!
//! Ids, codes, facts and actions are data and the same in every language. What a game has no words for
//! stays English. This module must not know a sentence.

use std::collections::BTreeSet;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use serde_json::Value;
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::explain::Explanation;
use umpire_engine::games::GAMES;
use umpire_engine::replay::answer::{Choices, Cited, Verdict, Warning};
use umpire_engine::report::Report;
use umpire_engine::scene::Scene;

use crate::error::ApiError;
use crate::json;
use crate::query::Pairs;

/// The language of every sentence.
const ENGLISH: &str = "en";

/// The languages in which some game can be told, English among them.
pub fn known() -> BTreeSet<&'static str> {
    GAMES.iter().flat_map(|game| game.languages().iter().copied()).chain([ENGLISH]).collect()
}

/// The languages in which a game can be told, English first.
pub fn of(game: &dyn AnyGame) -> Vec<&'static str> {
    [ENGLISH].into_iter().chain(game.languages().iter().copied()).collect()
}

/// The language that a request asks for: one in which some game can be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Language(&'static str);

impl Language {
    /// The one in which everything is said where nothing else is asked for.
    pub const ENGLISH: Language = Language(ENGLISH);

    /// Takes the parameter `lang`; English where it is left out.
    ///
    /// # Errors
    /// No game can be told in it.
    pub fn take(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let Some(asked) = pairs.take("lang")? else { return Ok(Language::ENGLISH) };
        Language::named(&asked).ok_or_else(|| {
            let known: Vec<&str> = known().into_iter().collect();
            let expected = format!("one of {}", known.join(", "));
            ApiError::parameter("lang", &asked, expected)
        })
    }

    /// The language of that code, if some game can be told in it.
    pub fn named(code: &str) -> Option<Self> {
        known().get(code).copied().map(Language)
    }

    /// The voice of a game in the language, or in English if it has no other.
    pub fn of(self, game: &'static dyn AnyGame) -> Voice {
        let language = if game.languages().contains(&self.0) { self.0 } else { ENGLISH };
        Voice { game, language }
    }
}

/// The fields of answers that speak to people.
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

/// Fields that hold what was sent or could be sent.
const DATA: [&str; 7] = ["action", "actions", "claims", "meta", "options", "position", "record"];

/// What a game says, in one language.
#[derive(Clone, Copy)]
pub struct Voice {
    game: &'static dyn AnyGame,
    language: &'static str,
}

impl Voice {
    /// The header that tells which language it is.
    pub fn header(&self) -> (HeaderName, &'static str) {
        (header::CONTENT_LANGUAGE, self.language)
    }

    /// Whose it is.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// Whether it speaks English.
    pub fn is_english(&self) -> bool {
        self.language == ENGLISH
    }

    /// The answer with the header that tells which language it is.
    pub fn mark(&self, mut answer: HttpResponse) -> HttpResponse {
        let (name, language) = self.header();
        answer.headers_mut().insert(name, HeaderValue::from_static(language));
        answer
    }

    /// A sentence.
    fn say(&self, text: &mut String) {
        if let Some(said) = self.game.translate(self.language, text) {
            *text = said;
        }
    }

    /// How something would be, as a part of a sentence.
    fn say_phrase(&self, text: &mut String) {
        if let Some(said) = self.game.translate_phrase(self.language, text) {
            *text = said;
        }
    }

    /// A sentence that never varies: a clause, a question, a reading, a reason.
    pub fn fixed(&self, text: &'static str) -> &'static str {
        self.game.translate_fixed(self.language, text).unwrap_or(text)
    }

    /// The clauses that an answer cites.
    fn cited(&self, clauses: &mut [Cited]) {
        clauses.iter_mut().for_each(|clause| clause.gist = self.fixed(clause.gist));
    }

    /// A verdict: what is wrong.
    pub fn verdict(&self, verdict: &mut Verdict) {
        verdict.violation.iter_mut().for_each(|violation| self.say(&mut violation.message));
    }

    /// What a caller should know that is no fault.
    pub fn warnings(&self, warnings: &mut [Warning]) {
        warnings.iter_mut().for_each(|warning| self.say(&mut warning.message));
    }

    /// A report: its verdict, its explanations, what its events are in words.
    pub fn report(&self, report: &mut Report) {
        self.verdict(&mut report.verdict);
        report.explain.iter_mut().flatten().for_each(|ply| self.explanation(ply));
        self.warnings(&mut report.warnings);
        report.scene.iter_mut().for_each(|scene| self.scene(scene));
        report.texts.iter_mut().flatten().flatten().for_each(|text| self.say(text));
        report.legal.iter_mut().for_each(|choices| self.choices(choices));
    }

    /// A picture: its title, what is written on it, what its shapes are called.
    pub fn scene(&self, scene: &mut Scene) {
        if !self.is_english() {
            self.game.tell_scene(self.language, scene);
        }
    }

    /// Why a ply went as it did: events, clauses, facts.
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

    /// An answer in JSON: what its fields for people hold, as far as the game has it in the language. Data (ids, codes,
    /// values, actions, records) stay as they are.
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

    /// The fields of a value; `people`: whether it is one for people itself.
    fn fields(&self, value: &mut Value, people: bool) {
        match value {
            Value::String(text) if people => self.say_part(text),
            Value::Array(all) => all.iter_mut().for_each(|it| self.fields(it, people)),
            Value::Object(all) => {
                for (name, value) in all {
                    // What somebody sent, and what he could send, is data.
                    if !DATA.contains(&name.as_str()) {
                        self.fields(value, FOR_PEOPLE.contains(&name.as_str()));
                    }
                }
            }
            _ => {}
        }
    }

    /// A sentence, or a part of one, in the language; as it is where the game has none of it.
    pub fn said(&self, text: &str) -> String {
        let mut text = text.to_owned();
        self.say_part(&mut text);
        text
    }

    /// A sentence, or a part of one.
    fn say_part(&self, text: &mut String) {
        let said = self.game.translate(self.language, text);
        let said = said.or_else(|| self.game.translate_phrase(self.language, text));
        if let Some(said) = said {
            *text = said;
        }
    }

    /// Legal actions: what each is in words.
    pub fn choices(&self, choices: &mut [Choices]) {
        let texts = choices.iter_mut().filter_map(|it| it.texts.as_mut());
        texts.flatten().for_each(|text| self.say(text));
    }
}
