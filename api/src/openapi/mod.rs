//! Making the OpenAPI document (feature `openapi`): [`document`] puts it together, `examples` runs
//! the engine for it, `shape` makes schemas say what the types accept, `infer` reads the schema of data from the data.
//!
//! Knows the routes; no route knows it. The service shows the committed result
//! ([`crate::description`]); a test compares the two.

pub mod document;
mod examples;
mod infer;
mod shape;
