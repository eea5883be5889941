//! The names of things in records: sides, figures, wound tracks, what a card is played for.
//!
//! Each is a table of wire names. Must not know a rule.

use umpire_core::game::Seat;
use umpire_core::names;

names! {
    /// A side, which is also the seat.
    drako.Side as pub enum Side {
        /// The player of the dragon.
        Dragon = "dragon",
        /// The player of the three dwarves.
        Dwarves = "dwarves",
    }
}

impl Side {
    /// Both sides, in seat order.
    pub(crate) const BOTH: [Side; 2] = [Side::Dragon, Side::Dwarves];

    /// The seat in which its player sits.
    pub(crate) fn seat(self) -> Seat {
        Seat::at(self.index())
    }

    /// The opponent.
    pub(crate) fn other(self) -> Side {
        match self {
            Side::Dragon => Side::Dwarves,
            Side::Dwarves => Side::Dragon,
        }
    }
}

names! {
    /// A dwarf, named by his ability. Also the name of a strand of an attack.
    #[derive(Default)]
    drako.Dwarf as pub enum Dwarf {
        /// Brald.
        #[default]
        Fury = "fury",
        /// Morin.
        Archery = "archery",
        /// Urpen.
        Net = "net",
    }
}

impl Dwarf {
    /// What he is called.
    pub(crate) const fn forename(self) -> &'static str {
        match self {
            Dwarf::Fury => "Brald",
            Dwarf::Archery => "Morin",
            Dwarf::Net => "Urpen",
        }
    }

    /// What he is called, with his name in a record.
    pub(crate) fn title(self) -> &'static str {
        Figure::from(self).title()
    }
}

umpire_core::set_of! {
    /// A set of dwarves, or of the strands of an attack that are named after them.
    pub struct Dwarves(u8) of Dwarf;
}

impl Dwarves {
    /// All three.
    pub(crate) const ALL: Dwarves = Dwarves::first(Dwarf::ALL.len());
}

names! {
    /// A figure.
    drako.Figure as pub enum Figure {
        /// The dragon.
        Dragon = "dragon",
        /// Brald.
        Fury = "fury",
        /// Morin.
        Archery = "archery",
        /// Urpen.
        Net = "net",
    }
}

impl Figure {
    /// The dwarf that the figure is, if it is one.
    pub(crate) fn dwarf(self) -> Option<Dwarf> {
        match self {
            Figure::Dragon => None,
            Figure::Fury => Some(Dwarf::Fury),
            Figure::Archery => Some(Dwarf::Archery),
            Figure::Net => Some(Dwarf::Net),
        }
    }
}

impl Figure {
    /// What it is called, a dwarf with his name in a record.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Figure::Dragon => "the dragon",
            Figure::Fury => "Brald (fury)",
            Figure::Archery => "Morin (archery)",
            Figure::Net => "Urpen (net)",
        }
    }
}

impl From<Dwarf> for Figure {
    fn from(dwarf: Dwarf) -> Figure {
        match dwarf {
            Dwarf::Fury => Figure::Fury,
            Dwarf::Archery => Figure::Archery,
            Dwarf::Net => Figure::Net,
        }
    }
}

names! {
    /// A wound track.
    drako.Track as pub enum Track {
        /// Brald's.
        Fury = "fury",
        /// Morin's.
        Archery = "archery",
        /// Urpen's.
        Net = "net",
        /// The dragon's armour.
        Armour = "armour",
        /// The dragon's flight.
        Flight = "flight",
        /// The dragon's movement.
        Movement = "movement",
        /// The dragon's fire breathing.
        Fire = "fire",
    }
}

/// Number of wound tracks.
pub(crate) const TRACKS: usize = Track::ALL.len();

impl Track {
    /// The dragon's, the armour first.
    pub(crate) const DRAGON: [Track; 4] =
        [Track::Armour, Track::Flight, Track::Movement, Track::Fire];

    /// Those whose wounds take an ability from the dragon (DRK-8.5).
    pub(crate) const ABILITIES: [Track; 3] = [Track::Flight, Track::Movement, Track::Fire];
}

impl From<Dwarf> for Track {
    fn from(dwarf: Dwarf) -> Track {
        match dwarf {
            Dwarf::Fury => Track::Fury,
            Dwarf::Archery => Track::Archery,
            Dwarf::Net => Track::Net,
        }
    }
}

names! {
    /// An ability that the dragon can lose.
    drako.Ability as pub enum Ability {
        /// Flying.
        Flight = "flight",
        /// Walking.
        Movement = "movement",
        /// Breathing fire.
        Fire = "fire",
    }
}

impl From<Ability> for Track {
    fn from(ability: Ability) -> Track {
        match ability {
            Ability::Flight => Track::Flight,
            Ability::Movement => Track::Movement,
            Ability::Fire => Track::Fire,
        }
    }
}

names! {
    /// What a card is played for.
    drako.Use as pub enum Use {
        /// One dwarf moves.
        OneMove = "one_move",
        /// Up to two dwarves move.
        TwoMove = "two_move",
        /// One dwarf attacks.
        OneAttack = "one_attack",
        /// Up to two dwarves attack.
        TwoAttack = "two_attack",
        /// The archer shoots.
        Crossbow = "crossbow",
        /// The net is thrown.
        Net = "net",
        /// The dragon moves.
        Move = "move",
        /// The dragon flies.
        Flight = "flight",
        /// The dragon attacks.
        Attack = "attack",
        /// The dragon breathes fire.
        Fire = "fire",
        /// An attack is stopped; only in a reaction.
        Defense = "defense",
        /// Nothing (DRK-5.4).
        None = "none",
    }
}

impl Use {
    /// What a card is played for, in words.
    pub(crate) const fn purpose(self) -> &'static str {
        match self {
            Use::OneMove => "a dwarf's move",
            Use::TwoMove => "two dwarves' move",
            Use::OneAttack => "a dwarf's attack",
            Use::TwoAttack => "two dwarves' attack",
            Use::Crossbow => "the crossbow",
            Use::Net => "the net",
            Use::Move => "a move",
            Use::Flight => "flight",
            Use::Attack => "an attack",
            Use::Fire => "fire",
            Use::Defense => "defence",
            Use::None => "nothing",
        }
    }
}
