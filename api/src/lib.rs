//! The Umpire service and the `umpire` command: everything around the engine that a client or an
//! operator uses.
//!
//! A tour: [`app`] assembles the service from [`routes`], one module per resource, each with its
//! requests and responses beside its handlers; [`error`] is the table of everything that can go
//! wrong; [`openapi`] describes the API; [`store`] keeps records; [`cli`] is the command line.
//! [`sheet`] writes a settled dispute as a document; [`impact`] finds out what another reading changes
//! in recorded games.
//!
//! This crate must not know a rule of any game, nor name one; it asks the referee
//! (`umpire_referee`).

pub mod access;
pub mod allowance;
pub mod app;
pub mod archive;
pub mod auth;
pub mod body;
pub mod cli;
#[cfg(feature = "arrow")]
pub mod columns;
pub mod config;
pub mod connections;
pub mod contract;
pub mod cost;
pub mod cpu;
pub mod curve;
pub mod description;
pub mod error;
pub mod fixed;
pub mod held;
pub mod hosts;
pub mod impact;
pub mod jobs;
pub mod metrics;
pub mod names;
pub mod ndjson;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod peer;
pub mod phrase;
pub mod query;
pub mod routes;
pub mod schemas;
pub mod secrets;
pub mod sent;
pub mod service;
pub mod sheet;
pub mod store;
pub mod tables;
pub mod threads;
pub mod when;
