//! Texts and pictures that are kept or sent as a whole: records in the form in which they are stored,
//! verdict sheets, curves of analyses, archives as columns, the
//! description of the API.
//!
//! This room must not know HTTP, and must not store anything.

pub mod archive;
#[cfg(feature = "arrow")]
pub mod columns;
pub mod curve;
pub mod description;
pub mod phrase;
pub mod sheet;
