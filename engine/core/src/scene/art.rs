//! What the pictures of a game have of their own: colours, and drawings of some glyphs.
//!
//! Must only hold data: the SVG writer decides where it is drawn.

use super::kinds::{Glyph, Tint};

/// A colour and what is written on it, as `0xRRGGBB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shade {
    /// The ground.
    pub fill: u32,
    /// What is written or drawn on it.
    pub on: u32,
}

/// The colours and drawings of a game.
#[derive(PartialEq, Eq, Debug)]
pub struct Art {
    /// Its name, which style sheets know it by: letters alone.
    pub name: &'static str,
    /// What lies under everything, and what is written there, by day and by night.
    pub ground: [Shade; 2],
    /// The shades of tints, by day and by night; the others are those of every game.
    pub colours: &'static [(Tint, [Shade; 2])],
    /// The drawings of glyphs; the others are those of every game.
    pub drawings: &'static [(Glyph, &'static [Stroke])],
}

/// A part of a drawing: how it is drawn, and its path in a square 24 units wide.
pub type Stroke = (Pen, &'static str);

/// How a part of a drawing is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pen {
    /// Filled with what is written on the ground of the shape.
    Over,
    /// Filled with the ground of the shape: a hole.
    Under,
    /// A line in what is written on the ground of the shape.
    Line,
    /// A fine line in it.
    Hair,
    /// A line in the ground of the shape.
    Groove,
    /// Filled with a colour.
    Tint(Tint),
}

impl Art {
    /// The shade of a tint, if it is the game's own: by day, or by night.
    pub fn shade(&self, tint: Tint, night: bool) -> Option<Shade> {
        let own = self.colours.iter().find(|(it, _)| *it == tint)?;
        Some(own.1[usize::from(night)])
    }

    /// The drawing of a glyph, if it is the game's own.
    pub fn drawing(&self, glyph: Glyph) -> Option<&'static [Stroke]> {
        self.drawings.iter().find(|(it, _)| *it == glyph).map(|(_, drawing)| *drawing)
    }
}
