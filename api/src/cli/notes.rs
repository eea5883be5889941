//! Notation on the command line: reading notes, and showing mistakes in their lines.
//!
//! This module must not know a command.

use std::fmt::Write as _;
use std::path::Path;

use umpire_engine::notation::Mistake;

/// A text that is not JSON and so may be notes.
pub(super) fn notes_of(text: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(text).ok()?;
    (!text.trim_start_matches('\u{feff}').trim_start().starts_with('{')).then_some(text)
}

/// Whether a first line looks like the start of notes rather than of NDJSON.
pub(super) fn begins_notes(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let line = line.trim_start_matches('\u{feff}').trim();
    let named = line.split_once(':').is_some_and(|(name, _)| {
        name.starts_with(|it: char| it.is_ascii_alphabetic()) && !name.contains(['"', '{'])
    });
    named || line.starts_with('#') || line.starts_with("--")
}

/// The maximum number of characters shown of a line.
const WIDE: usize = 100;

/// Renders mistakes with their positions, each with its line and a marker below it.
pub(super) fn render(file: &Path, text: &str, mistakes: &[Mistake]) -> String {
    let file = match file.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => file.display().to_string(),
    };
    let mut out = String::new();
    for mistake in mistakes {
        let _ = writeln!(out, "{file}:{mistake}");
        let line = text.lines().nth(mistake.line.saturating_sub(1)).unwrap_or_default();
        out += &marked(line, mistake.column);
    }
    out
}

/// A line with a marker below a column; a long line is cut around it.
pub(super) fn marked(line: &str, column: usize) -> String {
    let line = line.trim_start_matches('\u{feff}');
    let from = column.saturating_sub(WIDE / 2);
    let shown: Vec<char> = line.chars().skip(from).take(WIDE).collect();
    // Wide characters are kept as they are, so that the marker stays below its place.
    let before = shown.iter().take(column.saturating_sub(1 + from));
    let before: String = before.map(|&it| if it == '\t' { '\t' } else { ' ' }).collect();
    let shown: String = shown.into_iter().collect();
    format!("    {}\n    {before}^\n", shown.trim_end())
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn a_mark_stands_below_the_place() {
        assert_eq!(marked("abc def", 5), "    abc def\n        ^\n");
        assert_eq!(marked("\tx", 2), "    \tx\n    \t^\n");
        let long = marked(&"x".repeat(500), 300);
        let mut lines = long.lines();
        assert!(lines.next().unwrap().len() <= 104);
        assert_eq!(lines.next().unwrap().len(), 4 + 50);
    }
}
