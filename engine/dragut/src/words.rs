//! The languages in which the game can be told.
//!
//! Must not hold a sentence: English ones stand where they are said, others in `words/`.

use std::sync::LazyLock;

use umpire_core::words::Catalogue;

/// The languages beside English.
pub(super) const LANGUAGES: &[&str] = &["it"];

static ITALIAN: LazyLock<Option<Catalogue>> =
    LazyLock::new(|| Catalogue::of("it", include_str!("../words/it.words")).ok());

/// The catalogue of a language.
pub(super) fn catalogue(language: &str) -> Option<&'static Catalogue> {
    match language {
        "it" => ITALIAN.as_ref(),
        _ => None,
    }
}
