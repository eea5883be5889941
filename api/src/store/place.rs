//! Where records are kept, by its name: a file, or a database.
//!
//! This module must not say SQL, and must not show a password.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::sqlite::SqliteStore;
use super::{Store, StoreError};

/// Where records are kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// In an SQLite file.
    File(PathBuf),
    /// In a PostgreSQL database, by its address.
    Postgres(String),
    /// Nowhere: the address of something that is not known. A file would be made for a word that is mistyped.
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

/// What stands before `://` in an address (RFC 3986, 3.1). One letter is the drive of a file.
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

/// Of an address neither the password nor the user.
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
    /// Opens the store, or makes it. Blocks.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`]; [`StoreError::Unavailable`] where it is nowhere, or lies in a database and this program
    /// was built without the feature `postgres`.
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

    /// That this program cannot open a database that lies there, or anything.
    pub(super) fn closed(&self) -> StoreError {
        let why = match self {
            Place::Unknown(_) => {
                "no store has such an address; that of a database begins with postgres://, and a file has a path"
            }
            _ => "this program was built without PostgreSQL; build it with --features postgres",
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
