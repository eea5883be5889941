//! What a game looks like: [`Picture`].
//!
//! Must not look at a state: a picture is made of a view, so that nothing hidden can be drawn.

use super::play::Game;
use crate::scene::{Art, Scene};

/// What a game looks like.
pub trait Picture: Game {
    /// The colours and drawings that its pictures have of their own.
    const ART: Option<&'static Art> = None;

    /// What a view looks like, with what its observer was told of the last action (`lately`) marked. It is made of
    /// nothing else, so that nothing hidden can be drawn; equal views and notices give equal scenes. By default an
    /// empty scene with the game's title.
    fn draw(_setup: &Self::Setup, _view: &Self::View, _lately: &[Self::Notice]) -> Scene {
        let title = Self::META.title.to_owned();
        Scene { text: title.clone(), title, ..Scene::default() }
    }
}
