//! The Umpire service and the `umpire` command: everything around the engine that a client or an
//! operator uses.
//!
//! A tour, in the order in which the rooms use each other: [`http`] reads requests and writes
//! problems; [`limits`] bounds what anybody may ask for; [`auth`] knows tokens and public names;
//! [`store`] keeps records, tables and jobs; [`jobs`] runs what takes long; [`documents`] makes
//! verdict sheets, curves and archives; [`tables`] has the use cases of live tables; [`service`] is
//! the state that handlers share; [`routes`] has one module per resource, each with its requests and
//! responses beside its handlers; [`app`] assembles the service; [`openapi`] describes it; [`cli`] is
//! the command line.
//!
//! This crate must not know a rule of any game, nor name one; it asks the referee
//! (`umpire_referee`).

pub mod app;
pub mod auth;
pub mod cli;
pub mod documents;
pub mod http;
pub mod jobs;
pub mod limits;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod routes;
pub mod service;
pub mod store;
pub mod tables;
