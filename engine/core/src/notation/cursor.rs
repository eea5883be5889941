//! A place in a text that is read from front to back, by words and signs.
//!
//! Knows lines, columns, comments, and where a bracket is open. Must not know what the words mean.

use std::borrow::Cow;

use super::Mistake;

/// A place in a text.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// How many brackets are open: within them a line goes on over its end.
    open: usize,
}

/// Whether something can stand in a name that is not quoted.
fn in_name(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '.')
}

/// The minus of a keyboard, that of a typesetter, and the dash that a word processor makes of it.
const MINUS: [char; 3] = ['-', '\u{2212}', EN_DASH];

/// What word processors make of `--`.
const EN_DASH: char = '\u{2013}';
const EM_DASH: char = '\u{2014}';

/// The quotation marks of word processors, and how each may be closed.
const QUOTES: [(char, &[char]); 5] = [
    ('\u{201c}', &['\u{201d}']),
    ('\u{201d}', &['\u{201d}']),
    ('\u{201e}', &['\u{201c}', '\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
    ('\u{bb}', &['\u{ab}', '\u{bb}']),
];

/// A word without the capital that a telephone gives the first of a line.
pub(super) fn small(word: &str) -> Cow<'_, str> {
    let mut rest = word.chars();
    match rest.next().is_some_and(|it| it.is_ascii_uppercase()) && rest.as_str().len() > 1 {
        true if rest.all(|it| !it.is_ascii_uppercase()) => word.to_ascii_lowercase().into(),
        _ => word.into(),
    }
}

/// Whether a text begins with a quotation mark of a word processor.
pub(super) fn is_typeset(text: &str) -> bool {
    text.starts_with(|it| QUOTES.iter().any(|(open, _)| *open == it))
}

impl<'a> Cursor<'a> {
    /// The beginning of a text.
    pub(super) fn new(text: &'a str) -> Self {
        // Some editors put the mark of UTF-8 in front.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Cursor { text, at, open: 0 }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Where it stands, after blanks.
    pub(super) fn here(&mut self) -> usize {
        self.skip();
        self.at
    }

    /// Goes on by so many bytes, which must end between two characters.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// A mistake at a place.
    pub(super) fn mistake(&self, at: usize, message: impl Into<String>) -> Mistake {
        let before = &self.text[..at.min(self.text.len())];
        let begin = before.rfind('\n').map_or(0, |it| it + 1);
        Mistake {
            line: before.matches('\n').count() + 1,
            column: before[begin..].trim_start_matches('\u{feff}').chars().count() + 1,
            message: message.into(),
        }
    }

    /// A mistake here.
    pub(super) fn mistaken(&mut self, message: impl Into<String>) -> Mistake {
        let at = self.here();
        self.mistake(at, message)
    }

    /// The number of the line, from 1.
    pub(super) fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    /// Skips blanks; within brackets, ends of lines and comments, too.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = |sign: char| sign != '\n' && sign.is_whitespace();
            self.at += rest.len() - rest.trim_start_matches(blank).len();
            if self.open == 0 {
                return;
            }
            let rest = self.rest();
            if rest.starts_with('\n') {
                self.at += 1;
            } else if rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// What begins a note here, if one does.
    pub(super) fn note_mark(&self) -> Option<&'a str> {
        let rest = self.rest();
        let mut signs = rest.chars();
        let length = match (signs.next()?, signs.next()) {
            ('#', _) => 1,
            ('-', Some('-')) => 2,
            (EM_DASH, _) => EM_DASH.len_utf8(),
            (EN_DASH, next) if next.is_none_or(char::is_whitespace) => EN_DASH.len_utf8(),
            _ => return None,
        };
        Some(&rest[..length]).filter(|_| self.open == 0)
    }

    /// The next sign of the line; nothing at its end, and where a note begins.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.skip();
        if self.note_mark().is_some() {
            return None;
        }
        self.rest().chars().next().filter(|&sign| sign != '\n')
    }

    /// Takes a sign, if it is the next.
    pub(super) fn eat(&mut self, sign: char) -> bool {
        let is = self.peek() == Some(sign);
        if is {
            self.at += sign.len_utf8();
        }
        is
    }

    /// Takes an arrow, if it is next.
    pub(super) fn eat_arrow(&mut self) -> bool {
        self.skip();
        let arrow = ["->", "=>", "\u{2192}"].into_iter().find(|it| self.rest().starts_with(it));
        self.at += arrow.map_or(0, str::len);
        arrow.is_some()
    }

    /// Takes an opening bracket, if it is next: until it is closed, lines go on over their ends.
    pub(super) fn open(&mut self, bracket: char) -> bool {
        let is = self.eat(bracket);
        self.open += usize::from(is);
        is
    }

    /// Takes a closing bracket, if it is next.
    pub(super) fn close(&mut self, bracket: char) -> bool {
        let is = self.eat(bracket);
        self.open -= usize::from(is && self.open > 0);
        is
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.open
    }

    /// Takes a bare word or number.
    pub(super) fn word(&mut self) -> Option<Cow<'a, str>> {
        self.peek()?;
        let rest = self.rest();
        let mut end = 0;
        for (at, sign) in rest.char_indices() {
            let next = rest[at + sign.len_utf8()..].chars().next();
            let digit = next.is_some_and(|next| next.is_ascii_digit());
            // A sign stands before a number, and in one that has an exponent.
            let exponent = rest[..at].strip_suffix(['e', 'E']).is_some_and(|front| {
                let front = front.trim_start_matches(MINUS);
                !front.is_empty() && front.bytes().all(|it| it.is_ascii_digit() || it == b'.')
            });
            let signed = digit && (at == 0 || exponent) && (MINUS.contains(&sign) || sign == '+');
            // A stroke within a word: `2026-11-21`.
            let within = sign == '-' && at > 0 && next.is_some_and(char::is_alphanumeric);
            if !in_name(sign) && !signed && !within {
                break;
            }
            end = at + sign.len_utf8();
        }
        if end == 0 {
            return None;
        }
        self.at += end;
        let word = &rest[..end];
        match word.contains(&MINUS[1..]) {
            true => Some(Cow::Owned(word.replace(&MINUS[1..], "-"))),
            false => Some(Cow::Borrowed(word)),
        }
    }

    /// Whether a quotation mark is next.
    pub(super) fn at_quote(&mut self) -> bool {
        self.peek() == Some('"') || (self.peek().is_some() && is_typeset(self.rest()))
    }

    /// Takes text between quotation marks of a word processor, if it is next and ends on this line: as it stands.
    pub(super) fn typeset(&mut self) -> Option<&'a str> {
        self.peek()?;
        let rest = self.rest();
        let (open, close) = QUOTES.iter().find(|(open, _)| rest.starts_with(*open))?;
        let inner = &rest[open.len_utf8()..];
        let inner = &inner[..inner.find('\n').unwrap_or(inner.len())];
        let (at, sign) = inner.char_indices().find(|(_, sign)| close.contains(sign))?;
        self.at += open.len_utf8() + at + sign.len_utf8();
        Some(&inner[..at])
    }

    /// The next word, without taking it.
    pub(super) fn next_word(&self) -> Option<Cow<'a, str>> {
        self.clone().word()
    }

    /// Takes a word, if it is the next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let mut ahead = self.clone();
        let is = ahead.word().is_some_and(|it| it == word);
        if is {
            *self = ahead;
        }
        is
    }

    /// The name before a sign of equality, if there is one: not taken.
    pub(super) fn next_name(&self) -> Option<Cow<'a, str>> {
        let mut ahead = self.clone();
        let name = ahead.word()?;
        (ahead.eat('=') && !ahead.rest().starts_with('>')).then_some(name)
    }

    /// Takes the rest of the line up to a comment, without blanks around it; and where it began.
    pub(super) fn line_before_comment(&mut self) -> (usize, &'a str) {
        let from = self.here();
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        // A comment begins at the line's beginning, or after a blank.
        let signs = [line.find(" #"), line.find("\t#"), line.starts_with('#').then_some(0)];
        let end = signs.into_iter().flatten().min().unwrap_or(line.len());
        self.at += line.len();
        (from, line[..end].trim_end())
    }

    /// Takes the rest of the line, without blanks around it.
    pub(super) fn line_to_end(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.len();
        line.trim()
    }

    /// Goes to the next line; false at the end of the text.
    pub(super) fn next_line(&mut self) -> bool {
        self.open = 0;
        let rest = self.rest();
        match rest.find('\n') {
            Some(end) => self.at += end + 1,
            None => self.at = self.text.len(),
        }
        self.at < self.text.len()
    }

    /// What stands here, for a message: a word, or a sign.
    pub(super) fn found(&mut self) -> String {
        match self.peek() {
            None => "the end of the line".to_owned(),
            Some(sign) => match self.next_word() {
                Some(word) => format!("{word:?}"),
                None => format!("{:?}", sign.to_string()),
            },
        }
    }
}
