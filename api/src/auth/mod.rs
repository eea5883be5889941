//! Who may do what: tokens and their scopes, secrets, and public names that reveal nothing.
//!
//! This room must not log, print or return a token.

pub mod names;
pub mod secrets;
pub mod tokens;
