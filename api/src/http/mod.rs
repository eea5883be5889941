//! What HTTP asks of every request: media types, bodies, query strings, lines, host names, errors as
//! `application/problem+json`, and what a handler's arguments say about its route.
//!
//! This room must not know a record, a store or a route.

pub mod accept;
pub mod argument;
pub mod body;
pub mod contract;
pub mod error;
pub mod fixed;
pub mod hosts;
pub mod ndjson;
pub mod peer;
pub mod query;
