//! Generating the OpenAPI document (feature `openapi`): [`document`] assembles it, `examples` runs
//! the engine for it, `shape` corrects derived schemas, `infer` reads the schema of constant data
//! from the data.
//!
//! This module knows the routes; no route knows it. The service only serves the committed result
//! ([`crate::documents::description`]); a test compares the two.

pub mod document;
mod examples;
mod infer;
mod shape;
