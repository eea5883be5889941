//! Strict reading of query parameters.
//!
//! A parameter that is unknown, given twice or invalid is an error that names it. This module must
//! not know any route.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::problem::{Code, Problem, shorten};

/// The longest query string.
pub const MAX_QUERY: usize = 8 << 10;

/// The parameters of a request that have not been read yet.
#[derive(Debug)]
pub struct Pairs {
    left: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Pairs {
    /// Splits a query string.
    pub fn parse(query: &str) -> Result<Self, Problem> {
        if query.len() > MAX_QUERY {
            let detail = format!("the query string exceeds the limit of {MAX_QUERY} bytes");
            return Err(Problem::of_parameter("", detail));
        }
        let left = serde_urlencoded::from_str(query).map_err(|error| {
            Problem::of_parameter("", format!("the query string is malformed: {error}"))
        })?;
        Ok(Pairs { left, known: Vec::new() })
    }

    /// Takes the value of a parameter.
    pub fn take(&mut self, name: &'static str) -> Result<Option<String>, Problem> {
        self.known.push(name);
        let Some(at) = self.left.iter().position(|(key, _)| key == name) else { return Ok(None) };
        let (_, value) = self.left.swap_remove(at);
        match self.left.iter().any(|(key, _)| key == name) {
            true => Err(Problem::of_parameter(name, format!("{name} is given more than once"))),
            false => Ok(Some(value)),
        }
    }

    /// Takes the items of a list: separated by commas, or given as several parameters.
    pub fn list(&mut self, name: &'static str) -> Vec<String> {
        self.known.push(name);
        let (taken, left) =
            std::mem::take(&mut self.left).into_iter().partition(|(key, _)| key == name);
        self.left = left;
        let taken: Vec<(String, String)> = taken;
        let parts = taken.iter().flat_map(|(_, list)| list.split(',')).map(str::trim);
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// Takes an integer.
    pub fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &mut self,
        name: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match value.parse::<T>() {
            Ok(number) if digits && range.contains(&number) => Ok(Some(number)),
            _ => Err(Problem::parameter(
                name,
                &value,
                format_args!("an integer from {} to {}", range.start(), range.end()),
            )),
        }
    }

    /// Takes `true` or `false`; `false` if it is left out.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Problem> {
        match self.take(name)?.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(Problem::parameter(name, other, "true or false")),
        }
    }

    /// Takes a value that can be parsed; `expected` describes a valid value.
    pub fn parsed<T: FromStr>(
        &mut self,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.take(name)? else { return Ok(None) };
        let parsed = value.parse().map_err(|_| Problem::parameter(name, &value, expected))?;
        Ok(Some(parsed))
    }

    /// Takes free text up to a maximum length.
    pub fn text(&mut self, name: &'static str, most: usize) -> Result<Option<String>, Problem> {
        let value = self.take(name)?;
        match value {
            Some(long) if long.chars().count() > most => Err(Problem::parameter(
                name,
                &long,
                format_args!("text of at most {most} characters"),
            )),
            value => Ok(value),
        }
    }

    /// Rejects parameters that were not read.
    pub fn finish(self) -> Result<(), Problem> {
        let Some((name, _)) = self.left.into_iter().next() else { return Ok(()) };
        let name = shorten(&name).into_owned();
        let detail = match self.known.as_slice() {
            [] => format!("unknown parameter {name:?}; this path takes none"),
            known => format!("unknown parameter {name:?}; expected {}", known.join(", ")),
        };
        Err(Problem::of_parameter(&name, detail))
    }
}

/// The query parameters of a route.
pub trait Parameters: Sized + 'static {
    /// What can go wrong beyond the form of the parameters.
    const ERRORS: &'static [Code] = &[];

    /// Takes the parameters that the route knows.
    fn read(pairs: &mut Pairs) -> Result<Self, Problem>;
}

/// A route without parameters.
#[derive(Clone, Copy, Debug)]
pub struct NoParameters;

impl Parameters for NoParameters {
    fn read(_: &mut Pairs) -> Result<Self, Problem> {
        Ok(NoParameters)
    }
}

/// Reads the whole query string.
///
/// # Errors
/// A parameter is unknown, given twice, or invalid.
pub fn parameters<T: Parameters>(query: &str) -> Result<T, Problem> {
    let mut pairs = Pairs::parse(query)?;
    let parameters = T::read(&mut pairs)?;
    pairs.finish()?;
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(query: &str, read: impl Fn(&mut Pairs) -> Result<(), Problem>) -> String {
        let mut pairs = Pairs::parse(query).unwrap();
        let result = read(&mut pairs).and_then(|()| pairs.finish());
        result.unwrap_err().to_string()
    }

    #[test]
    fn what_is_wrong_is_named() {
        let ply = |pairs: &mut Pairs| pairs.number::<u32>("ply", 0..=u32::MAX).map(drop);
        assert!(fault("ply=x", ply).starts_with("ply is \"x\"; expected an integer"));
        assert!(fault("ply=%2B1", ply).starts_with("ply is \"+1\""));
        assert!(fault("ply=", ply).starts_with("ply is \"\""));
        assert!(fault("ply=4294967296", ply).starts_with("ply is"));
        assert_eq!(fault("ply=1&ply=1", ply), "ply is given more than once");
        assert_eq!(fault("plies=1", ply), "unknown parameter \"plies\"; expected ply");
        assert_eq!(fault("x=1", |_| Ok(())), "unknown parameter \"x\"; this path takes none");
        let flag = |pairs: &mut Pairs| pairs.flag("count_only").map(drop);
        assert_eq!(fault("count_only=1", flag), "count_only is \"1\"; expected true or false");
    }
}
