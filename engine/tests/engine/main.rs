//! The tests of the engine over every game, in one binary: generic code is then compiled once for
//! each game instead of once for each file.

#![allow(unreachable_pub, reason = "the modules of a test share what they need")]

mod chance;
mod compare;
mod explain;
mod fuzz;
mod laws;
mod readings;
mod records;
mod repair;
mod tidy;
mod walk;
