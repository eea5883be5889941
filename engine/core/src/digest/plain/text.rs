//! JSON text brought to its canonical form in one pass.
//!
//! Must only be given text that is JSON, and must give up what it is not certain of.

use serde::Serialize;

use super::{Beyond, PLAIN, Writer};

/// The deepest that lists and objects may lie in each other within the value of a field, as serde_json reads it.
const DEEPEST: usize = 126;

/// A text that is JSON, in canonical form, where it is plain. A name that stands twice in an object is beyond it.
pub(crate) fn write(text: &str) -> Result<Vec<u8>, Beyond> {
    let fields = Vec::with_capacity(16);
    let mut to = Writer { text: Vec::with_capacity(text.len()), fields, aside: Vec::new() };
    let mut from = Reader { text: text.as_bytes(), at: 0 };
    from.value(&mut to, 0)?;
    match from.peek() {
        None => Ok(to.text),
        Some(_) => Err(Beyond),
    }
}

/// A text, and how far it was read.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Whether that is the byte; then it is passed.
    fn pass(&mut self, byte: u8) -> bool {
        let passed = self.peek() == Some(byte);
        self.at += usize::from(passed);
        passed
    }

    fn value(&mut self, to: &mut Writer, depth: usize) -> Result<(), Beyond> {
        match self.peek().ok_or(Beyond)? {
            b'"' => self.string(to),
            b'-' | b'0'..=b'9' => self.number(to),
            b'[' | b'{' if depth == DEEPEST => Err(Beyond),
            b'[' => self.list(to, depth + 1),
            b'{' => self.object(to, depth + 1),
            _ => self.word(to),
        }
    }

    fn list(&mut self, to: &mut Writer, depth: usize) -> Result<(), Beyond> {
        self.at += 1;
        to.text.push(b'[');
        let mut begun = false;
        while !self.pass(b']') {
            if begun {
                if !self.pass(b',') {
                    return Err(Beyond);
                }
                to.text.push(b',');
            }
            begun = true;
            self.value(to, depth)?;
        }
        to.text.push(b']');
        Ok(())
    }

    fn object(&mut self, to: &mut Writer, depth: usize) -> Result<(), Beyond> {
        self.at += 1;
        let mut object = to.object(b"}");
        let mut begun = false;
        while !self.pass(b'}') {
            if begun && !self.pass(b',') {
                return Err(Beyond);
            }
            begun = true;
            object.next(|to| self.key(to))?;
            if !self.pass(b':') {
                return Err(Beyond);
            }
            object.value_by(|to| self.value(to, depth))?;
        }
        object.close()
    }

    /// A key of plain ASCII.
    fn key(&mut self, to: &mut Writer) -> Result<(), Beyond> {
        if self.peek() != Some(b'"') {
            return Err(Beyond);
        }
        let length = self.text[self.at + 1..].iter().position(|&it| !PLAIN[usize::from(it)]);
        let end = self.at + 1 + length.ok_or(Beyond)?;
        if self.text[end] != b'"' {
            return Err(Beyond);
        }
        to.text.extend_from_slice(&self.text[self.at..=end]);
        self.at = end + 1;
        Ok(())
    }

    /// A string: as it stands, but for what stands in it in another spelling.
    fn string(&mut self, to: &mut Writer) -> Result<(), Beyond> {
        let begin = self.at;
        let mut escapes = false;
        self.at += 1;
        loop {
            match self.text.get(self.at).ok_or(Beyond)? {
                b'"' => break,
                b'\\' => {
                    escapes = true;
                    self.at += 2;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let string = &self.text[begin..self.at];
        match escapes {
            true => to.string(&serde_json::from_slice::<String>(string).map_err(|_| Beyond)?),
            false => {
                to.text.extend_from_slice(string);
                Ok(())
            }
        }
    }

    /// A whole number.
    fn number(&mut self, to: &mut Writer) -> Result<(), Beyond> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|it| b"-+.eE0123456789".contains(it)).count();
        self.at += length;
        // What has a fraction, an exponent or too many digits is no such number.
        let number = std::str::from_utf8(&rest[..length]).map_err(|_| Beyond)?;
        number.parse::<i64>().map_err(|_| Beyond)?.serialize(to)
    }

    /// `true`, `false` or `null`.
    fn word(&mut self, to: &mut Writer) -> Result<(), Beyond> {
        let rest = &self.text[self.at..];
        let words = [&b"true"[..], b"false", b"null"];
        let word = words.into_iter().find(|word| rest.starts_with(word)).ok_or(Beyond)?;
        to.text.extend_from_slice(word);
        self.at += word.len();
        Ok(())
    }
}
