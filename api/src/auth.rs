//! Bearer tokens: who may store, delete and, where that is protected, read records.
//!
//! Tokens are compared in constant time. This module must not log, print or return a token.

use std::fmt;
use std::path::Path;

use actix_web::HttpRequest;
use actix_web::http::header;
use subtle::{Choice, ConstantTimeEq};

/// The tokens that a server knows, as hashes, so that all are equally long.
#[derive(Clone)]
pub struct Tokens {
    known: Vec<[u8; 32]>,
    reading: bool,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Tokens({} known)", self.known.len())
    }
}

impl Tokens {
    /// Reads a file with a token a line. `reading` asks for a token to read, too.
    pub fn read(file: &Path, reading: bool) -> Result<Self, String> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("cannot read the token file {}: {error}", file.display()))?;
        let tokens = Tokens::parse(&text, reading);
        match tokens.known.is_empty() {
            true => Err(format!("the token file {} holds no token", file.display())),
            false => Ok(tokens),
        }
    }

    /// Why a token file must not be used: others than its owner and their group can read it.
    pub fn open_to_others(file: &Path) -> Option<String> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(file).ok()?.permissions().mode();
            if mode & 0o007 != 0 {
                let file = file.display();
                return Some(format!(
                    "the token file {file} can be read by everybody; chmod o= {file}"
                ));
            }
        }
        #[cfg(not(unix))]
        let _ = file;
        None
    }

    /// Reads tokens, one a line.
    pub fn parse(text: &str, reading: bool) -> Self {
        let lines = text.lines().map(str::trim);
        let tokens = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Tokens { known: tokens.map(|token| hash(token.as_bytes())).collect(), reading }
    }

    /// Whether a token is asked for to read, too.
    pub fn protect_reading(&self) -> bool {
        self.reading
    }

    /// Whether a request carries a known token. Takes equally long whichever token it is.
    pub fn allow(&self, request: &HttpRequest) -> bool {
        let sent = request.headers().get(header::AUTHORIZATION).map(|value| value.as_bytes());
        let Some((scheme, token)) = sent.and_then(|value| value.split_at_checked(7)) else {
            return false;
        };
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return false;
        }
        let sent = hash(token.trim_ascii());
        let mut found = Choice::from(0);
        for known in &self.known {
            found |= known.ct_eq(&sent);
        }
        found.into()
    }
}

fn hash(token: &[u8]) -> [u8; 32] {
    *blake3::hash(token).as_bytes()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_a_known_token_opens() {
        let tokens = Tokens::parse("# club\n\n  alpha  \nbeta\n", false);
        let allowed = |value: &str| {
            let request = TestRequest::default().insert_header((header::AUTHORIZATION, value));
            tokens.allow(&request.to_http_request())
        };
        for good in ["Bearer alpha", "bearer beta", "BEARER  alpha "] {
            assert!(allowed(good), "{good}");
        }
        for bad in
            ["", "Bearer", "Bearer ", "Bearer gamma", "Basic alpha", "alpha", "Bearer # club"]
        {
            assert!(!allowed(bad), "{bad}");
        }
        assert!(!tokens.allow(&TestRequest::default().to_http_request()));
    }

    #[test]
    fn tokens_are_never_printed() {
        assert_eq!(format!("{:?}", Tokens::parse("alpha", true)), "Tokens(1 known)");
    }
}
