//! Bearer tokens and the scopes of each.
//!
//! A token file has one token per line: `SCOPE… SECRET # comment`. The secret is written in plain
//! text or, better, as `blake3:` and its hash, so that the file alone gives no access. A line
//! without a scope is of the original format and allows everything. This module must not log, print
//! or return a secret, nor put anything that may be one in an error.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use actix_web::HttpRequest;
use actix_web::http::header;
use umpire_engine::games::GAMES;

use crate::auth::names::PublicId;
use crate::auth::secrets::{self, Secret};

/// How errors refer to the file.
pub const TOKEN_FILE: &str = "the token file";

/// The prefix of every token that is generated here, so that people and secret scanners recognise
/// one in the wrong place.
pub const PREFIX: &str = "umpire_";

/// The prefix of the hash of a secret.
const HASHED: &str = "blake3:";

/// The scopes that a line of the file can have, as errors list them.
const SCOPES: &str =
    "admin, write, read, metrics, or seat=VIEWER@RECORD (a seat or `spectator`, and a record id)";

/// The fewest characters of a secret that stands alone in its line, and so allows everything.
const SHORTEST: usize = 16;

/// One viewer of one record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatOf {
    /// The public id of the record.
    pub record: PublicId,
    /// A seat of some game, or `spectator`.
    pub viewer: &'static str,
}

/// What the holder of a token may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grant {
    /// Read, list and export all records in full, and view impacts.
    pub read: bool,
    /// Store and delete records, start and cancel impacts. Write access implies read access:
    /// whether a record is new, and which id it gets, reveals what is stored.
    pub write: bool,
    /// View the metrics.
    pub metrics: bool,
    /// View these records, each as this one viewer.
    pub seats: Vec<SeatOf>,
}

impl Grant {
    /// The grant of a token without a scope.
    fn all() -> Self {
        Grant { read: true, write: true, metrics: true, seats: Vec::new() }
    }

    /// Adds a scope.
    fn add(&mut self, scope: &str) -> Result<(), String> {
        match scope {
            "admin" => *self = Grant { seats: std::mem::take(&mut self.seats), ..Grant::all() },
            "write" => (self.read, self.write) = (true, true),
            "read" => self.read = true,
            "metrics" => self.metrics = true,
            other => match other.strip_prefix("seat=") {
                Some(seat) => self.add_seat(seat)?,
                None => return Err(format!("every word but the last must be a scope: {SCOPES}")),
            },
        }
        Ok(())
    }

    fn add_seat(&mut self, seat: &str) -> Result<(), String> {
        let (viewer, record) =
            seat.split_once('@').ok_or("a seat must be written as seat=VIEWER@RECORD")?;
        let viewer = viewer_named(viewer).ok_or_else(|| {
            let known: Vec<&str> = viewers().collect();
            format!("unknown viewer; expected one of {}", known.join(", "))
        })?;
        let record: PublicId = record.parse().map_err(|error| format!("{error}"))?;
        if self.seats.iter().any(|known| known.record == record) {
            return Err("a record is named twice; use a separate token for each viewer".to_owned());
        }
        self.seats.push(SeatOf { record, viewer });
        Ok(())
    }
}

/// Every viewer that a token can be bound to, once each.
fn viewers() -> impl Iterator<Item = &'static str> {
    let mut names = vec!["spectator"];
    for seat in GAMES.iter().flat_map(|game| game.meta().seats) {
        if !names.contains(seat) {
            names.push(seat);
        }
    }
    names.into_iter()
}

/// The viewer with that name, if a token can be bound to it. The referee is excluded: it would see
/// everything.
pub fn viewer_named(name: &str) -> Option<&'static str> {
    viewers().find(|known| *known == name)
}

/// A line of a token file.
struct Line {
    hash: [u8; 32],
    grant: Grant,
}

impl Line {
    /// Reads a line; `None` if it is blank or a comment.
    fn read(text: &str) -> Result<Option<Self>, String> {
        let words: Vec<&str> =
            text.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        let Some((secret, scopes)) = words.split_last() else { return Ok(None) };
        let mut grant = if scopes.is_empty() { Grant::all() } else { Grant::default() };
        if Grant::default().add(secret).is_ok() || secret.starts_with("seat=") {
            return Err("the last word is a scope; the secret must come last".to_owned());
        }
        for scope in scopes {
            grant.add(scope)?;
        }
        let hash = match secret.strip_prefix(HASHED) {
            // A line with a single short word is probably from another kind of file.
            None if scopes.is_empty() && secret.len() < SHORTEST => {
                return Err(format!(
                    "a token without a scope needs at least {SHORTEST} characters; is this a token file?"
                ));
            }
            None => hash(secret.as_bytes()),
            Some(hex) => *blake3::Hash::from_hex(hex)
                .map_err(|_| format!("expected 64 hexadecimal digits after {HASHED}"))?
                .as_bytes(),
        };
        Ok(Some(Line { hash, grant }))
    }
}

/// Grants by the keyed hash of their token; the key is secret. The time of a lookup therefore
/// reveals nothing about tokens: neither how much of two hashes agrees, which would help to guess a
/// short token, nor which token it was.
type GrantMap = HashMap<[u8; 32], Arc<Grant>>;

/// The tokens that a server knows.
#[derive(Clone)]
pub struct Tokens {
    known: Arc<RwLock<GrantMap>>,
    key: [u8; 32],
    secret: Secret,
    reading: bool,
    metrics: bool,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Tokens({} known)", self.len())
    }
}

/// The purpose of the key of the lookup.
const FOR_SEARCH: &str = "umpire 2026-11-22 search for tokens";

impl Tokens {
    /// Reads a token file. With `reading`, reading and the metrics require a token, too.
    ///
    /// # Errors
    /// A plain message with path and line that says why the file cannot be used; never a secret.
    pub fn read(file: &Path, reading: bool) -> Result<Self, String> {
        let tokens = Tokens::parse("", reading)?;
        tokens.read_again(file)?;
        Ok(tokens)
    }

    /// Rereads a token file, which replaces all tokens.
    ///
    /// # Errors
    /// As for [`Tokens::read`]; the tokens then stay as they were.
    pub fn read_again(&self, file: &Path) -> Result<(), String> {
        let text = secrets::read(file, TOKEN_FILE)?;
        let named = |why| format!("{TOKEN_FILE} {}: {why}", file.display());
        let known = known(&text, &self.key, self.reading).map_err(named)?;
        if known.is_empty() {
            return Err(format!("{TOKEN_FILE} {} contains no token", file.display()));
        }
        // Nothing panics while it holds this lock.
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Parses the text of a token file, as [`Tokens::read`] does; it may contain no token.
    ///
    /// # Errors
    /// A plain message with the line: it is malformed, repeats the token of another line, or binds
    /// a token to a seat although everyone may read.
    pub fn parse(text: &str, reading: bool) -> Result<Self, String> {
        let secret = Secret::random()?;
        let key = secret.derive(FOR_SEARCH);
        let known = Arc::new(RwLock::new(known(text, &key, reading)?));
        Ok(Tokens { known, key, secret, reading, metrics: reading })
    }

    /// The number of tokens.
    fn len(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The same tokens, with the metrics protected although everyone may read.
    #[must_use]
    pub fn protecting_metrics(self) -> Self {
        Tokens { metrics: true, ..self }
    }

    /// Whether reading requires a token.
    pub fn protect_reading(&self) -> bool {
        self.reading
    }

    /// Whether the metrics require a token.
    pub fn protect_metrics(&self) -> bool {
        self.metrics
    }

    /// A secret that lives as long as this process, for keys that must not leak.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The grant of the token that a request carries; `None` if it carries no token, an unknown
    /// one, or more than one.
    pub fn of(&self, request: &HttpRequest) -> Option<Arc<Grant>> {
        self.find(request).map(|(_, grant)| grant)
    }

    /// The hash of the token that a request carries, if the token is known. The hash is the same
    /// however the header is written, and on every server that knows the token.
    pub fn which(&self, request: &HttpRequest) -> Option<[u8; 32]> {
        self.find(request).map(|(hash, _)| hash)
    }

    /// Whether a token with that hash is known.
    pub fn knows(&self, hash: &[u8; 32]) -> bool {
        self.grant(hash).is_some()
    }

    fn find(&self, request: &HttpRequest) -> Option<([u8; 32], Arc<Grant>)> {
        let Bearer::Token(token) = bearer(request) else { return None };
        let hash = hash(token);
        self.grant(&hash).map(|grant| (hash, grant))
    }

    fn grant(&self, hash: &[u8; 32]) -> Option<Arc<Grant>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&place(&self.key, hash)).cloned()
    }

    /// The number of tokens, in total and per kind, as a line for people.
    pub fn summary(&self) -> String {
        let mut counts = [("admin", 0), ("write", 0), ("read", 0), ("seat", 0), ("metrics", 0)];
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        for grant in known.values() {
            let kind = match &**grant {
                Grant { write: true, metrics: true, .. } => 0,
                Grant { write: true, .. } => 1,
                Grant { read: true, .. } => 2,
                Grant { seats, .. } if !seats.is_empty() => 3,
                Grant { .. } => 4,
            };
            counts[kind].1 += 1;
        }
        let counts = counts.iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts.map(|(kind, count)| format!("{count} {kind}")).collect();
        let tokens = if known.len() == 1 { "token" } else { "tokens" };
        format!("{} {tokens}: {}", known.len(), counts.join(", "))
    }
}

/// The token in the headers of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bearer<'a> {
    /// None.
    None,
    /// More than one, or not a bearer token.
    Unclear,
    /// A token, known or not.
    Token(&'a [u8]),
}

/// The bearer token of a request. Two tokens count as none, because a proxy might look at the other
/// one.
pub fn bearer(request: &HttpRequest) -> Bearer<'_> {
    let mut all = request.headers().get_all(header::AUTHORIZATION);
    let Some(sent) = all.next() else { return Bearer::None };
    match sent.as_bytes().split_at_checked(7) {
        Some((scheme, token))
            if all.next().is_none() && scheme.eq_ignore_ascii_case(b"bearer ") =>
        {
            Bearer::Token(token.trim_ascii())
        }
        _ => Bearer::Unclear,
    }
}

/// Parses the tokens of a token file.
fn known(text: &str, key: &[u8; 32], reading: bool) -> Result<GrantMap, String> {
    let mut known = GrantMap::new();
    let mut lines: HashMap<[u8; 32], usize> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let at = |why| format!("line {number}: {why}");
        if line.contains(|it: char| it.is_control() && it != '\t') {
            return Err(at("it has control characters; the file may be damaged".to_owned()));
        }
        let Some(Line { hash, grant }) = Line::read(line).map_err(at)? else { continue };
        if !reading && !grant.seats.is_empty() {
            let why = "a seat token has no effect while everyone may read; add --protect-reading";
            return Err(at(why.to_owned()));
        }
        match lines.entry(hash) {
            Entry::Occupied(first) => {
                return Err(at(format!("duplicate of the token in line {}", first.get())));
            }
            Entry::Vacant(place) => place.insert(number),
        };
        known.insert(place(key, &hash), Arc::new(grant));
    }
    Ok(known)
}

/// The stored hash of a token. Tokens are random, so the hash cannot be reversed by guessing.
fn hash(token: &[u8]) -> [u8; 32] {
    *blake3::hash(token).as_bytes()
}

/// The key under which the grant of a token is found.
fn place(key: &[u8; 32], hash: &[u8; 32]) -> [u8; 32] {
    *blake3::keyed_hash(key, hash).as_bytes()
}

/// A new token, and its entry in a token file.
///
/// # Errors
/// The system has no random numbers.
pub fn new_token() -> Result<(String, String), String> {
    let token = format!("{PREFIX}{}", Secret::random()?.reveal());
    let kept = format!("{HASHED}{}", blake3::hash(token.as_bytes()).to_hex());
    Ok((token, kept))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    fn grant(tokens: &Tokens, value: &str) -> Option<Grant> {
        let request = TestRequest::default().insert_header((header::AUTHORIZATION, value));
        tokens.of(&request.to_http_request()).map(|grant| (*grant).clone())
    }

    fn seat() -> &'static str {
        GAMES[0].meta().seats[0]
    }

    #[test]
    fn only_a_known_token_opens() {
        let tokens = Tokens::parse("# club\n\n  admin alpha  \nadmin beta\n", false).unwrap();
        for good in ["Bearer alpha", "bearer beta", "BEARER  alpha "] {
            assert_eq!(grant(&tokens, good), Some(Grant::all()), "{good}");
        }
        for bad in
            ["", "Bearer", "Bearer ", "Bearer gamma", "Basic alpha", "alpha", "Bearer # club"]
        {
            assert_eq!(grant(&tokens, bad), None, "{bad}");
        }
        assert!(tokens.of(&TestRequest::default().to_http_request()).is_none());
    }

    /// A proxy might look at the other one.
    #[test]
    fn two_tokens_are_none() {
        let tokens = Tokens::parse("admin alpha\nadmin beta\n", false).unwrap();
        for pair in [["alpha", "beta"], ["alpha", "gamma"], ["gamma", "alpha"], ["alpha", "alpha"]]
        {
            let mut request = TestRequest::default();
            for token in pair {
                request = request.append_header((header::AUTHORIZATION, format!("Bearer {token}")));
            }
            assert!(tokens.which(&request.to_http_request()).is_none(), "{pair:?}");
        }
    }

    #[test]
    fn a_line_says_what_its_token_allows() {
        let other = ID.replace('0', "f");
        let text = format!(
            "alpha-of-anna-and-bo # Anna\nadmin b#1\nwrite c # writes\nread d\nmetrics e\nread metrics f\n\
             seat={}@{ID} seat=spectator@{other} g#\n",
            seat()
        );
        let tokens = Tokens::parse(&text, true).unwrap();
        let of = |token: &str| grant(&tokens, &format!("Bearer {token}")).unwrap();
        assert_eq!(of("alpha-of-anna-and-bo"), Grant::all());
        assert_eq!(of("b#1"), Grant::all());
        assert_eq!(of("c"), Grant { read: true, write: true, ..Grant::default() });
        assert_eq!(of("d"), Grant { read: true, ..Grant::default() });
        assert_eq!(of("e"), Grant { metrics: true, ..Grant::default() });
        assert_eq!(of("f"), Grant { read: true, metrics: true, ..Grant::default() });
        let seats = vec![
            SeatOf { record: ID.parse().unwrap(), viewer: seat() },
            SeatOf { record: other.parse().unwrap(), viewer: "spectator" },
        ];
        assert_eq!(of("g#"), Grant { seats, ..Grant::default() });
        assert_eq!(tokens.summary(), "7 tokens: 2 admin, 1 write, 2 read, 1 seat, 1 metrics");
        assert_eq!(Tokens::parse("admin a", false).unwrap().summary(), "1 token: 1 admin");
        // Any word is not a token yet.
        assert!(Tokens::parse("README", false).unwrap_err().contains("is this a token file?"));
    }

    #[test]
    fn a_new_token_opens_by_its_hash_alone() {
        let (token, kept) = new_token().unwrap();
        assert!(token.starts_with(PREFIX) && token.len() == PREFIX.len() + 64, "{token}");
        assert!(!kept.contains(&token[PREFIX.len()..]));
        let tokens = Tokens::parse(&format!("read {kept}"), false).unwrap();
        assert!(grant(&tokens, &format!("Bearer {token}")).is_some());
        // The hash itself is not a token.
        assert!(grant(&tokens, &format!("Bearer {kept}")).is_none());
        assert_ne!(new_token().unwrap().0, token);
    }

    #[test]
    fn what_cannot_be_understood_is_refused_by_its_line_without_a_word_of_it() {
        let hashed = format!("{HASHED}{}", blake3::hash(b"hidden-one").to_hex());
        for (lines, expected) in [
            ("hidden-one read", "line 1: the last word is a scope; the secret must come last"),
            ("read", "line 1: the last word is a scope; the secret must come last"),
            ("\nhidden-one hidden-two", "line 2: every word but the last must be a scope: admin, "),
            ("seat=hidden-one", "line 1: the last word is a scope"),
            ("seat=hidden-one hidden-two", "line 1: a seat must be written as seat=VIEWER@RECORD"),
            ("seat=referee@ID hidden-two", "line 1: unknown viewer; expected one of spectator, "),
            ("seat=spectator@hidden-one hidden-two", "line 1: a record id is 64 lowercase"),
            ("seat=spectator@ID seat=SEAT@ID hidden-two", "line 1: a record is named twice"),
            ("blake3:hidden-one", "line 1: expected 64 hexadecimal digits after blake3:"),
            (
                "admin alpha\nread hidden-one\nadmin hidden-one",
                "line 3: duplicate of the token in line 2",
            ),
            (&format!("admin hidden-one\n{hashed}"), "line 2: duplicate of the token in line 1"),
        ] {
            let text = lines.replace("ID", ID).replace("SEAT", seat());
            let refused = Tokens::parse(&text, true).unwrap_err();
            assert!(refused.starts_with(expected), "{lines}: {refused}");
            assert!(!refused.contains("hidden"), "{refused}");
        }
    }

    #[test]
    fn a_seat_is_bound_only_where_reading_is_protected() {
        let text = format!("seat=spectator@{ID} alpha");
        assert!(Tokens::parse(&text, true).is_ok());
        let refused = Tokens::parse(&text, false).unwrap_err();
        assert!(refused.ends_with("add --protect-reading"), "{refused}");
    }

    #[test]
    fn a_file_is_read_again_wholly_or_not_at_all() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("tokens");
        let write = |text: &str| {
            let _ = std::fs::remove_file(&file);
            secrets::append(&file, TOKEN_FILE, text, |_| Ok(())).unwrap();
        };
        write("read alpha\nread beta");
        let tokens = Tokens::read(&file, true).unwrap();
        let shared = tokens.clone();
        let known = |token: &str| grant(&shared, &format!("Bearer {token}")).is_some();
        for bad in ["read gamma\nreed delta", "# none"] {
            write(bad);
            assert!(tokens.read_again(&file).is_err());
            assert!(known("alpha") && known("beta") && !known("gamma"));
        }
        write("read beta\nread gamma");
        tokens.read_again(&file).unwrap();
        assert!(!known("alpha") && known("beta") && known("gamma"));
    }

    #[test]
    fn metrics_are_protected_with_reading_or_by_themselves() {
        let protected = |reading| Tokens::parse("admin alpha", reading).unwrap();
        assert!(!protected(false).protect_metrics() && protected(true).protect_metrics());
        let alone = protected(false).protecting_metrics();
        assert!(alone.protect_metrics() && !alone.protect_reading());
    }

    #[test]
    fn tokens_are_never_printed() {
        let tokens = Tokens::parse("admin alpha", true).unwrap();
        assert_eq!(format!("{tokens:?}"), "Tokens(1 known)");
    }
}
