//! The location of a store: a file, or a database.
//!
//! This module must not contain SQL, and must not show a password.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::sqlite::SqliteStore;
use super::{Store, StoreError};

/// The location of a store.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// An SQLite file.
    File(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
    /// An address with an unknown scheme. Treating it as a file would create one for a typo.
    Unknown(String),
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        let address = path.to_str().and_then(|text| Some((text, scheme(text)?)));
        match address {
            Some((text, "postgres" | "postgresql")) => Place::Postgres(text.to_owned()),
            Some((text, _)) => Place::Unknown(text.to_owned()),
            None => Place::File(path.to_owned()),
        }
    }
}

/// The scheme of an address, before `://` (RFC 3986, 3.1). A single letter is a drive of a file
/// path.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_one = scheme.len() > 1
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it));
    is_one.then_some(scheme)
}

impl FromStr for Place {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Place::from(Path::new(text)))
    }
}

/// Shows an address without its user and password.
impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(to),
            Place::Postgres(address) | Place::Unknown(address) => {
                let (scheme, rest) = address.split_once("://").unwrap_or_default();
                let scheme = if scheme == "postgresql" { "postgres" } else { scheme };
                let rest = rest.split('?').next().unwrap_or_default();
                write!(to, "{scheme}://{}", rest.rsplit_once('@').map_or(rest, |(_, host)| host))
            }
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

impl Place {
    /// Opens or creates the store. Blocks.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`]; [`StoreError::Unavailable`] if the scheme is unknown, or if it
    /// is a database and this program was built without the feature `postgres`.
    pub fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(SqliteStore::open(path)?)),
            #[cfg(feature = "postgres")]
            Place::Postgres(address) => {
                Ok(Box::new(super::postgres::PostgresStore::open(address)?))
            }
            #[cfg(not(feature = "postgres"))]
            Place::Postgres(_) => Err(self.closed()),
            Place::Unknown(_) => Err(self.closed()),
        }
    }

    /// The error that this program cannot open that location.
    pub(super) fn closed(&self) -> StoreError {
        let why = match self {
            Place::Unknown(_) => {
                "not the address of a store; the address of a database begins with postgres://, anything else must be a path"
            }
            _ => "this build has no PostgreSQL support; build it with --features postgres",
        };
        StoreError::Unavailable(format!("{self}: {why}"))
    }

    /// The path of the file.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Place::File(path) => Some(path),
            Place::Postgres(_) | Place::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_a_file_and_shown_without_its_password() {
        let place = |text: &str| text.parse::<Place>().unwrap();
        assert_eq!(place("umpire.sqlite"), Place::File("umpire.sqlite".into()));
        assert_eq!(
            place("postgres/umpire.sqlite").file(),
            Some(Path::new("postgres/umpire.sqlite"))
        );
        let database = place("postgres://anna:a@b@db:5433/games?password=x");
        assert_eq!(
            (database.to_string(), database.file()),
            ("postgres://db:5433/games".to_owned(), None)
        );
        assert_eq!(format!("{:?}", place("postgresql:///games")), "postgres:///games");
    }

    #[test]
    fn an_address_that_is_mistyped_is_no_file() {
        for address in ["postgress://anna:secret@db/games", "sqlite://games", "POSTGRES://db"] {
            let place = Place::from(Path::new(address));
            assert_eq!((&place, place.file()), (&Place::Unknown(address.to_owned()), None));
            let Err(StoreError::Unavailable(why)) = place.open().map(|_| ()) else {
                panic!("{address} was opened")
            };
            assert!(why.contains("begins with postgres://") && !why.contains("secret"), "{why}");
        }
        for path in ["C://games.sqlite", "./a://b", "a b://c", "a/b://c", "://x", "a:b"] {
            assert_eq!(Place::from(Path::new(path)), Place::File(path.into()));
        }
    }
}
