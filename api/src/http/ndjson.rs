//! NDJSON: splitting a stream into lines and answering it line by line.
//!
//! Lines are answered in order while the rest is still being read. Memory use is bounded, however
//! long the stream is. This module must not know what is in a line.

use std::collections::VecDeque;
use std::future::Future;
use std::time::Duration;

use actix_web::web::{Bytes, Payload};
use futures_util::TryFutureExt;
use futures_util::future::{Either, ready};
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;
use tokio::time::timeout;
use umpire_engine::record::{Fault, FaultCode};

use crate::http::error::{ApiError, Problem};
use umpire_referee::json;

/// One line of a stream.
#[derive(Debug)]
pub struct Line {
    /// Its number, starting from 1; blank lines count.
    pub number: u64,
    /// Its text without the line end, or why it was dropped.
    pub text: Result<Vec<u8>, Problem>,
}

/// The texts of the lines that were not dropped.
pub fn texts(lines: &[Line]) -> impl Iterator<Item = &[u8]> {
    lines.iter().filter_map(|line| line.text.as_deref().ok())
}

/// Splits a stream into lines. A line that is too long is dropped; a blank line is left out.
#[derive(Debug)]
pub struct Splitter {
    limit: usize,
    number: u64,
    line: Vec<u8>,
    skipping: bool,
}

impl Splitter {
    /// Splits into lines of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Splitter { limit, number: 0, line: Vec::new(), skipping: false }
    }

    /// Takes the next piece of the stream, and appends the completed lines.
    pub fn push(&mut self, mut piece: &[u8], lines: &mut Vec<Line>) {
        while let Some(end) = piece.iter().position(|&byte| byte == b'\n') {
            let (rest, next) = piece.split_at(end);
            self.add(rest);
            lines.extend(self.complete());
            piece = &next[1..];
        }
        self.add(piece);
    }

    /// The last line, if it has no line end.
    pub fn finish(&mut self) -> Option<Line> {
        self.complete()
    }

    /// The number of the current line.
    fn next(&self) -> u64 {
        self.number + 1
    }

    fn add(&mut self, piece: &[u8]) {
        if self.skipping || self.line.len() + piece.len() > self.limit {
            self.skipping = true;
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(piece);
        }
    }

    fn complete(&mut self) -> Option<Line> {
        self.number += 1;
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.skipping) {
            let text = Err(Problem::too_large("line", self.limit));
            return Some(Line { number: self.number, text });
        }
        let blank = line.iter().all(u8::is_ascii_whitespace);
        (!blank).then_some(Line { number: self.number, text: Ok(line) })
    }
}

/// The counts in the last line of a response.
pub trait Tally: Default + Serialize {
    /// Adds another count.
    fn add(&mut self, other: Self);
}

/// The last line of a response.
#[derive(Serialize)]
pub struct SummaryLine<T> {
    /// The counts.
    pub summary: T,
}

/// The limits for a stream.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The maximum length of a line.
    pub line: usize,
    /// The maximum pause.
    pub pause: Duration,
    /// The number of pieces processed at once.
    pub at_once: usize,
}

/// Answers a stream of lines; `work` turns some lines into the text of their responses.
pub fn answer<T, W, F>(
    payload: Payload,
    pace: Pace,
    work: W,
) -> impl Stream<Item = Result<Bytes, ApiError>>
where
    T: Tally + 'static,
    W: Fn(Vec<Line>) -> F + 'static,
    F: Future<Output = Result<(Vec<u8>, T), ApiError>> + 'static,
{
    let answered = pieces(payload, pace).map(move |piece| match piece {
        Ok(lines) => Either::Left(work(lines).map_err(|error| error.problem())),
        Err(broken) => Either::Right(ready(Err(broken))),
    });
    let pieces = Box::pin(answered.buffered(pace.at_once));
    stream::unfold(Some((pieces, T::default())), |state| async move {
        let (mut pieces, mut tally) = state?;
        match pieces.next().await {
            Some(Ok((text, counts))) => {
                tally.add(counts);
                Some((Ok(Bytes::from(text)), Some((pieces, tally))))
            }
            // Without a summary, so that a partial response is not taken for a complete one.
            Some(Err(problem)) => {
                let mut text = Vec::new();
                json::line(&mut text, &problem);
                Some((Ok(Bytes::from(text)), None))
            }
            None => {
                let mut text = Vec::new();
                json::line(&mut text, &SummaryLine { summary: tally });
                Some((Ok(Bytes::from(text)), None))
            }
        }
    })
    // An empty chunk would look like the end of a chunked body.
    .filter(|item| {
        let some = !matches!(item, Ok(text) if text.is_empty());
        ready(some)
    })
}

struct BodyReader {
    payload: Payload,
    splitter: Splitter,
    ready: VecDeque<Piece>,
    over: bool,
}

/// Lines that arrived together, or why the body ended early.
type Piece = Result<Vec<Line>, Problem>;

/// The lines of a body, in pieces.
fn pieces(payload: Payload, pace: Pace) -> impl Stream<Item = Piece> {
    let splitter = Splitter::new(pace.line);
    let start = BodyReader { payload, splitter, ready: VecDeque::new(), over: false };
    stream::unfold(start, move |mut reading| async move {
        loop {
            if let Some(lines) = reading.ready.pop_front() {
                return Some((lines, reading));
            }
            if reading.over {
                return None;
            }
            let mut lines = Vec::new();
            let mut broken = None;
            match timeout(pace.pause, reading.payload.next()).await {
                Ok(Some(Ok(chunk))) => reading.splitter.push(&chunk, &mut lines),
                Ok(None) => {
                    lines.extend(reading.splitter.finish());
                    reading.over = true;
                }
                Ok(Some(Err(error))) => {
                    let detail = format!(
                        "the body ended early in line {}: {error}",
                        reading.splitter.next()
                    );
                    broken = Some(ApiError::from(Fault::new(FaultCode::BadJson, "", detail)));
                }
                Err(_) => {
                    broken = Some(ApiError::too_slow(pace.pause.as_secs()));
                }
            }
            if !lines.is_empty() {
                reading.ready.push_back(Ok(lines));
            }
            if let Some(error) = broken {
                let line = reading.splitter.next();
                reading.ready.push_back(Err(error.problem().in_line(line)));
                reading.over = true;
            }
        }
    })
}

/// The text of a record on one line. Only `meta` can contain line ends.
pub fn one_line(text: String) -> Vec<u8> {
    let mut text = text.into_bytes();
    text.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pieces: &[&str], limit: usize) -> Vec<(u64, Option<String>)> {
        let mut splitter = Splitter::new(limit);
        let mut lines = Vec::new();
        for piece in pieces {
            splitter.push(piece.as_bytes(), &mut lines);
        }
        lines.extend(splitter.finish());
        let shown =
            |line: Line| (line.number, line.text.ok().map(|text| String::from_utf8(text).unwrap()));
        lines.into_iter().map(shown).collect()
    }

    #[test]
    fn lines_are_the_same_however_the_stream_is_cut() {
        let expected =
            vec![(1, Some("ab".to_owned())), (3, Some("c".to_owned())), (5, Some("d".to_owned()))];
        let text = "ab\n\nc\n  \r\nd";
        assert_eq!(split(&[text], 10), expected);
        let bytes: Vec<String> = text.chars().map(String::from).collect();
        let bytes: Vec<&str> = bytes.iter().map(String::as_str).collect();
        assert_eq!(split(&bytes, 10), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        assert_eq!(split(&["abcdef", "gh\nok\n"], 4), [(1, None), (2, Some("ok".to_owned()))]);
    }

    #[test]
    fn nothing_has_no_lines() {
        assert_eq!(split(&[], 4), []);
        assert_eq!(split(&["\n\n"], 4), []);
    }
}
