//! The words of a text, exactly as the full-text search of SQLite sees them.
//!
//! Both kinds of store must find the same records, so any text but plain ASCII is split by SQLite's
//! own tokenizer, which folds case and accents. This module must not use a database that stores
//! anything.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rusqlite::Connection;

use super::super::row::asked;

/// The maximum length of a word in bytes: SQLite cuts longer ones.
const LONGEST_WORD: usize = 32_768;

/// The maximum number of bytes of a word in the index; the rest is compared with the text.
const INDEXED_BYTES: usize = 255;

/// The maximum number of bytes of all words of a record in the index.
const MOST_INDEXED: usize = 64 << 10;

/// Replaces the words of a record in the index if there are too many: every search matches it.
const ALL: &str = "\u{1}";

thread_local! {
    static TOKENIZER: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<String> {
    if text.is_ascii() {
        let words = text.split(|part: char| !part.is_ascii_alphanumeric());
        let cut = |word: &str| word[..word.len().min(LONGEST_WORD)].to_ascii_lowercase();
        return words.filter(|word| !word.is_empty()).map(cut).collect();
    }
    // An in-memory tokenizer fails only if memory runs out; a record without words is still found
    // in other ways.
    TOKENIZER.with_borrow_mut(|kept| tokenized(kept, text)).unwrap_or_default()
}

fn tokenized(kept: &mut Option<Connection>, text: &str) -> rusqlite::Result<Vec<String>> {
    let tokenizer = match kept {
        Some(tokenizer) => tokenizer,
        none => {
            let connection = Connection::open_in_memory()?;
            connection.execute_batch(
                "CREATE VIRTUAL TABLE text USING fts5 (value, content = '', \
                 tokenize = 'unicode61 remove_diacritics 2');
                 CREATE VIRTUAL TABLE word USING fts5vocab ('text', 'instance');",
            )?;
            none.insert(connection)
        }
    };
    tokenizer.prepare_cached("INSERT INTO text (rowid, value) VALUES (1, ?)")?.execute((text,))?;
    let words = tokenizer
        .prepare_cached("SELECT term FROM word ORDER BY \"offset\"")?
        .query_map((), |row| row.get(0))?
        .collect();
    tokenizer.prepare_cached("INSERT INTO text (text) VALUES ('delete-all')")?.execute(())?;
    words
}

/// The indexed form of a word.
fn indexed(word: &str) -> &str {
    let mut end = word.len().min(INDEXED_BYTES);
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    &word[..end]
}

/// The stored words of a record: all in order, each after a space; and the distinct indexed forms,
/// separated by spaces. `None` if there are no words.
pub(super) fn kept(text: &str) -> Option<(String, String)> {
    let words = words(text);
    if words.is_empty() {
        return None;
    }
    let mut all = String::with_capacity(text.len() + 1);
    for word in &words {
        all.push(' ');
        all.push_str(word);
    }
    let distinct: BTreeSet<&str> = words.iter().map(|word| indexed(word)).collect();
    let index = match distinct.iter().map(|word| word.len()).sum::<usize>() > MOST_INDEXED {
        true => ALL.to_owned(),
        false => distinct.into_iter().collect::<Vec<_>>().join(" "),
    };
    Some((all, index))
}

/// The search terms of a filter's text.
pub(super) struct Wanted {
    /// The query for the index: its results include every match.
    pub(super) index: String,
    /// The texts that must all occur in the words of a record.
    pub(super) parts: Vec<String>,
}

/// The search terms of a filter's text; `None` if it does not filter. Text with a word without
/// letters matches nothing, so there is nothing to query (`Err`).
pub(super) fn wanted(text: &str) -> Result<Option<Wanted>, ()> {
    let mut parts = BTreeSet::new();
    let mut index = BTreeSet::new();
    for asked in asked(text) {
        let words = words(asked);
        let Some((last, before)) = words.split_last() else { return Err(()) };
        parts.insert(words.iter().flat_map(|word| [" ", word]).collect::<String>());
        index.extend(before.iter().map(|word| format!("'{}'", indexed(word))));
        index.insert(format!("'{}':*", indexed(last)));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let index = index.into_iter().collect::<Vec<_>>().join(" & ");
    Ok(Some(Wanted { index: format!("({index}) | '{ALL}'"), parts: parts.into_iter().collect() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_the_same_words_by_both_ways() {
        for text in
            ["", "Club night 12", "a-b_c'D", "  x\n\t9z ", "%like_ this%; DROP", &"ab ".repeat(900)]
        {
            let by_sqlite = tokenized(&mut None, text).unwrap();
            assert_eq!(words(text), by_sqlite, "{text:?}");
        }
        let long = "y".repeat(40_000);
        assert_eq!(words(&long), tokenized(&mut None, &long).unwrap());
    }

    #[test]
    fn case_and_accents_do_not_count() {
        assert_eq!(words("Été à ORLÉANS, o\u{301}"), ["ete", "a", "orleans", "o"]);
        assert_eq!(words("半荘戦 東風🐉x"), ["半荘戦", "東風", "x"]);
        // The tokenizer is used again, and remembers nothing.
        assert_eq!(words("é"), ["e"]);
    }

    #[test]
    fn what_is_asked_is_a_beginning_and_never_an_operator() {
        let asked = |text: &str| wanted(text).unwrap().map(|it| (it.index, it.parts));
        assert_eq!(asked(" \t"), None);
        let (index, parts) = asked("O'Brien hel hel").unwrap();
        assert_eq!(index, format!("('brien':* & 'hel':* & 'o') | '{ALL}'"));
        assert_eq!(parts, [" hel", " o brien"]);
        assert!(wanted("🐉").is_err() && wanted("-").is_err());
    }

    #[test]
    fn too_many_words_are_kept_and_not_indexed() {
        let many: String = (0..20_000).map(|number| format!("w{number} ")).collect();
        let (all, index) = kept(&many).unwrap();
        assert_eq!((index.as_str(), all.matches(' ').count()), (ALL, 20_000));
        assert_eq!(kept("- 🐉"), None);
    }
}
