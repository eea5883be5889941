//! Units, areas and places as the rules name them: small indices into the tables, and sets of them as bits.
//!
//! Must not know what stands at an index.

/// A unit: an index into the unit table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(pub(crate) u8);

impl Unit {
    /// The index into tables.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The unit at an index of the table.
    pub(crate) const fn at(index: usize) -> Unit {
        Unit(index as u8)
    }
}

umpire_core::set_of! {
    /// A set of units.
    pub struct Units(u32) of Unit;
}

/// An area: an index into the area table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Area(pub(crate) u8);

impl Area {
    /// The index into tables.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The area at an index of the table.
    pub(crate) const fn at(index: usize) -> Area {
        Area(index as u8)
    }
}

umpire_core::set_of! {
    /// A set of areas.
    pub(crate) struct Areas(u64) of Area;
}

/// DRG-1.1 Where a unit is: an area, or one of six other places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(pub(crate) u8);

impl Place {
    /// Aboard the galleys.
    pub(crate) const AT_SEA: Place = Place(64);
    /// Beside the map, a replacement.
    pub(crate) const ASIDE: Place = Place(65);
    /// Held back, or not deployed yet.
    pub(crate) const RESERVE: Place = Place(66);
    /// Taken away for good.
    pub(crate) const SERRAGLIO: Place = Place(67);
    /// Safe for good.
    pub(crate) const FLED: Place = Place(68);
    /// Out of the game.
    pub(crate) const REMOVED: Place = Place(69);

    /// The place on the map.
    pub(crate) const fn on(area: Area) -> Place {
        Place(area.0)
    }

    /// The area, if it is one.
    pub(crate) const fn area(self) -> Option<Area> {
        if self.0 < 64 { Some(Area(self.0)) } else { None }
    }
}

/// The words that name a place that is no area (DRG-1.1), in the order of [`Place`].
pub(crate) const PLACES: [&str; 6] = ["at_sea", "aside", "reserve", "serraglio", "fled", "removed"];

/// Dragut, value 6.
pub(crate) const DRAGUT_6: Unit = Unit(0);
/// Dragut's replacement, value 4.
pub(crate) const DRAGUT_4: Unit = Unit(1);
/// A pirate of value 4.
pub(crate) const PIRATE_4A: Unit = Unit(2);
/// Another.
pub(crate) const PIRATE_4B: Unit = Unit(3);
/// The pirates' replacement, value 2.
pub(crate) const PIRATE_2B: Unit = Unit(5);
/// The Renegade.
pub(crate) const RENEGADE: Unit = Unit(6);
/// All pirate counters.
pub(crate) const PIRATE_UNITS: Units = Units::from_bits(0b111_1111);
/// The pirates that start at sea.
pub(crate) const FLEET: Units = Units::from_bits(0b101_1101);
