//! What every part of the data must fulfil, and how what does not is refused.
//!
//! Must not know the parts.

use super::ids::PLACES;
use crate::rulebook::Rule;
use crate::{Checked, Refusal};
use umpire_core::wire::Name;

/// The code of every refusal of data.
pub(super) const CODE: &str = "data_refused";

/// DRG-13.3 An id of a record's own data is a word that names no place.
pub(super) fn check_id(id: &Name, at: &str, what: &str) -> Checked {
    let text = id.as_str();
    let fits = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    if fits && !PLACES.contains(&text) {
        return Ok(());
    }
    let message = format!(
        "{text:?} cannot be the id of {what}: it must be a word of lower-case letters, digits and _ that begins with a letter and names no other place"
    );
    Err(Refusal::new(Rule::C13_3, CODE, message).at(at))
}
