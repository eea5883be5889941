//! Laws of this game, played out at random.
