//! Geometry and sets without game words. Must not know any game, nor anything that moves.

pub mod hex;
pub mod set;
