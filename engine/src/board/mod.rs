//! Geometry without game words. Must not know any game, nor anything that moves.

pub mod hex;
