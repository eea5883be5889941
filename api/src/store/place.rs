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
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text)
                if ["postgres://", "postgresql://"].iter().any(|it| text.starts_with(it)) =>
            {
                Place::Postgres(text.to_owned())
            }
            _ => Place::File(path.to_owned()),
        }
    }
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
            Place::Postgres(address) => {
                let rest = address.split_once("://").map_or("", |(_, rest)| rest);
                let rest = rest.split('?').next().unwrap_or_default();
                write!(to, "postgres://{}", rest.rsplit_once('@').map_or(rest, |(_, host)| host))
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
    /// As for [`SqliteStore::open`]; [`StoreError::Unavailable`] where it lies in a database and this program was built
    /// without the feature `postgres`.
    pub fn open(&self) -> Result<Box<dyn Store>, StoreError> {
        match self {
            Place::File(path) => Ok(Box::new(SqliteStore::open(path)?)),
            #[cfg(feature = "postgres")]
            Place::Postgres(address) => {
                Ok(Box::new(super::postgres::PostgresStore::open(address)?))
            }
            #[cfg(not(feature = "postgres"))]
            Place::Postgres(_) => Err(self.left_out()),
        }
    }

    /// That this program cannot open a database.
    #[cfg(not(feature = "postgres"))]
    pub(super) fn left_out(&self) -> StoreError {
        StoreError::Unavailable(format!(
            "{self}: this program was built without PostgreSQL; build it with --features postgres"
        ))
    }

    /// The path of the file.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Place::File(path) => Some(path),
            Place::Postgres(_) => None,
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
}
