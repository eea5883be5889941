//! The numbers of the book: terrain (A.1), units (A.2), combat bonus (A.3), goods (A.4), events
//! (A.5), uses of the favour (A.6) and money (A.8).
//!
//! Must not hold anything that changes during a game.

pub(super) mod components;

umpire_core::names! {
    /// A.1: terrain.
    doubloons.Terrain as pub enum Terrain {
        /// Plains, roads, bridges.
        Clear = "clear",
        /// Forest, hills.
        Rough = "rough",
        /// Mountains, swamps.
        Difficult = "difficult",
        /// Peaks.
        Treacherous = "treacherous",
        /// Sea, lake, river.
        Water = "water",
        /// Reefs.
        Reefs = "reefs",
        /// A city.
        City = "city",
    }
}

impl Terrain {
    /// The code in the rows of a map.
    pub(super) const fn code(self) -> char {
        match self {
            Terrain::Clear => '.',
            Terrain::Rough => 'r',
            Terrain::Difficult => 'd',
            Terrain::Treacherous => 't',
            Terrain::Water => '~',
            Terrain::Reefs => 'x',
            Terrain::City => 'C',
        }
    }

    /// The terrain of a code.
    pub(super) fn of(code: char) -> Option<Terrain> {
        Terrain::ALL.iter().copied().find(|terrain| terrain.code() == code)
    }

    /// Water or reefs.
    pub(super) const fn is_sea(self) -> bool {
        matches!(self, Terrain::Water | Terrain::Reefs)
    }

    /// Land that a unit can stand on beside cities: clear, rough, difficult.
    pub(super) const fn is_open_land(self) -> bool {
        matches!(self, Terrain::Clear | Terrain::Rough | Terrain::Difficult)
    }

    /// What a land unit pays, `None` where land is closed to it (cavalry in difficult terrain is
    /// a rule of its own).
    pub(super) const fn land_cost(self) -> Option<u8> {
        match self {
            Terrain::Clear | Terrain::City => Some(1),
            Terrain::Rough | Terrain::Difficult => Some(2),
            Terrain::Treacherous | Terrain::Water | Terrain::Reefs => None,
        }
    }

    /// Taken off the die of whoever aims at a unit there.
    pub(super) const fn defence(self) -> i8 {
        match self {
            Terrain::Rough | Terrain::Difficult | Terrain::City => 1,
            _ => 0,
        }
    }
}

umpire_core::names! {
    /// A.2: types of unit.
    doubloons.UnitType as pub enum Kind {
        /// Infantry with missiles.
        Musketeers = "musketeers",
        /// Infantry with shock.
        Pikemen = "pikemen",
        /// Cavalry with missiles.
        Dragoons = "dragoons",
        /// Cavalry with shock.
        Lancers = "lancers",
        /// Moves or attacks, never both; never a garrison.
        Cannon = "cannon",
        /// Stays where it was raised.
        Militia = "militia",
        /// Lets land military units move and attack.
        Officer = "officer",
        /// Negotiates for neutral cities.
        Diplomat = "diplomat",
        /// Raises the tax of its city.
        Governor = "governor",
        /// May foil spy missions in its hex.
        Agent = "agent",
        /// Opens trade routes by land.
        Caravan = "caravan",
        /// Opens trade routes by sea.
        Caravel = "caravel",
        /// Carries up to four land units.
        Galleon = "galleon",
        /// A warship.
        Frigate = "frigate",
    }
}

impl Kind {
    /// The price of one.
    pub(super) const fn cost(self) -> u32 {
        match self {
            Kind::Lancers | Kind::Cannon => 6,
            Kind::Galleon | Kind::Frigate => 5,
            Kind::Musketeers | Kind::Pikemen | Kind::Dragoons => 4,
            Kind::Militia | Kind::Officer | Kind::Diplomat | Kind::Governor | Kind::Agent => 3,
            Kind::Caravan | Kind::Caravel => 2,
        }
    }

    /// The points of a full move.
    pub(super) const fn points(self) -> u8 {
        match self {
            Kind::Militia => 0,
            Kind::Musketeers | Kind::Pikemen | Kind::Cannon | Kind::Caravan | Kind::Caravel => 2,
            _ => 4,
        }
    }

    /// DBD-1.4 A leader.
    pub(super) const fn is_leader(self) -> bool {
        matches!(self, Kind::Officer | Kind::Diplomat | Kind::Governor | Kind::Agent)
    }

    /// DBD-1.4 A merchant.
    pub(super) const fn is_merchant(self) -> bool {
        matches!(self, Kind::Caravan | Kind::Caravel)
    }

    /// DBD-1.4 Military, ships of war included.
    pub(super) const fn is_military(self) -> bool {
        !self.is_leader() && !self.is_merchant()
    }

    /// DBD-1.4 A ship.
    pub(super) const fn is_ship(self) -> bool {
        matches!(self, Kind::Caravel | Kind::Galleon | Kind::Frigate)
    }

    /// A ship of war.
    pub(super) const fn is_warship(self) -> bool {
        matches!(self, Kind::Galleon | Kind::Frigate)
    }

    /// Cavalry.
    pub(super) const fn is_cavalry(self) -> bool {
        matches!(self, Kind::Dragoons | Kind::Lancers)
    }

    /// The arm as which it fights outside a city.
    pub(super) const fn field_arm(self) -> Arm {
        match self {
            Kind::Musketeers => Arm::Musketeers,
            Kind::Pikemen => Arm::Pikemen,
            Kind::Dragoons => Arm::Dragoons,
            Kind::Lancers => Arm::Lancers,
            Kind::Cannon => Arm::Cannon,
            Kind::Militia => Arm::Garrison,
            Kind::Galleon => Arm::Galleon,
            Kind::Frigate => Arm::Frigate,
            Kind::Caravel => Arm::Caravel,
            _ => Arm::Unarmed,
        }
    }
}

/// What a unit counts as in battle (its effective type).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    /// Step 1.
    Cannon,
    /// Step 2.
    Galleon,
    /// Step 2.
    Frigate,
    /// Step 3.
    Garrison,
    /// Step 4.
    Musketeers,
    /// Step 5.
    Dragoons,
    /// Step 6.
    Pikemen,
    /// Step 7.
    Lancers,
    /// A target only.
    Caravel,
    /// Leaders and caravans: targets only.
    Unarmed,
}

/// The steps of a battle.
pub(super) const BATTLE_STEPS: u8 = 7;

impl Arm {
    /// The step in which it throws; 0 for what never throws.
    pub(super) const fn step(self) -> u8 {
        match self {
            Arm::Cannon => 1,
            Arm::Galleon | Arm::Frigate => 2,
            Arm::Garrison => 3,
            Arm::Musketeers => 4,
            Arm::Dragoons => 5,
            Arm::Pikemen => 6,
            Arm::Lancers => 7,
            Arm::Caravel | Arm::Unarmed => 0,
        }
    }

    /// A.3: whether it has the bonus against that target.
    pub(super) const fn beats(self, target: Arm) -> bool {
        match self {
            Arm::Musketeers => matches!(target, Arm::Pikemen | Arm::Dragoons),
            Arm::Pikemen => matches!(target, Arm::Lancers),
            Arm::Dragoons => matches!(target, Arm::Pikemen),
            Arm::Lancers => matches!(target, Arm::Musketeers | Arm::Dragoons | Arm::Cannon),
            Arm::Cannon => matches!(target, Arm::Musketeers | Arm::Pikemen | Arm::Garrison),
            Arm::Frigate => matches!(target, Arm::Caravel | Arm::Galleon | Arm::Frigate),
            Arm::Garrison => matches!(target, Arm::Dragoons | Arm::Lancers),
            Arm::Galleon | Arm::Caravel | Arm::Unarmed => false,
        }
    }
}

umpire_core::names! {
    /// A.4: trade goods, in the order of the die.
    doubloons.Good as pub enum Good {
        /// 1.
        Silk = "silk",
        /// 2.
        Wine = "wine",
        /// 3.
        Spices = "spices",
        /// 4.
        Artwork = "artwork",
        /// 5.
        Dyes = "dyes",
        /// 6.
        Marble = "marble",
        /// 7.
        Silver = "silver",
        /// 8.
        Salt = "salt",
        /// 9.
        Candy = "candy",
        /// 10.
        Pearls = "pearls",
        /// 11.
        Perfume = "perfume",
        /// 12.
        Weapons = "weapons",
        /// 13.
        Clothing = "clothing",
        /// 14.
        Wool = "wool",
        /// 15.
        Mahogany = "mahogany",
        /// 16.
        Medicinals = "medicinals",
        /// 17.
        Glassware = "glassware",
        /// 18.
        Opium = "opium",
    }
}

/// The number of goods.
pub(super) const GOODS: usize = 18;

impl Good {
    /// The good of a throw of D20, if it is one.
    pub(super) fn of_throw(throw: u32) -> Option<Good> {
        Good::ALL.get((throw as usize).checked_sub(1)?).copied()
    }
}

umpire_core::names! {
    /// A.5: events.
    doubloons.RoundEvent as pub enum RoundEvent {
        /// 1.
        Plague = "plague",
        /// 2.
        Surplus = "surplus",
        /// 3.
        Scarcity = "scarcity",
        /// 4.
        Revolution = "revolution",
        /// 5.
        Master = "master",
        /// 6.
        Fortification = "fortification",
    }
}

impl RoundEvent {
    /// The event of a throw of D6.
    pub(super) fn of_throw(throw: u32) -> RoundEvent {
        let at = (throw as usize).wrapping_sub(1);
        RoundEvent::ALL.get(at).copied().unwrap_or(RoundEvent::Fortification)
    }
}

umpire_core::names! {
    /// A.6: the uses of the favour.
    doubloons.FavorUse as pub enum FavorUse {
        /// A diplomacy attempt succeeds without a die.
        Negotiate = "negotiate",
        /// A stack may neither move nor attack.
        HoldStack = "hold_stack",
        /// A city may not be attacked.
        ProtectCity = "protect_city",
        /// One recruit more.
        ExtraUnit = "extra_unit",
        /// A spy mission fails.
        Negate = "negate",
        /// A rival's city turns neutral.
        MakeNeutral = "make_neutral",
        /// The holder leads the turn order.
        First = "first",
        /// A die on the next bid.
        BidBonus = "bid_bonus",
    }
}

impl FavorUse {
    /// What it is used for, in words.
    pub(super) const fn purpose(self) -> &'static str {
        match self {
            FavorUse::Negotiate => "to win a negotiation",
            FavorUse::HoldStack => "to hold a stack",
            FavorUse::ProtectCity => "to protect a city",
            FavorUse::ExtraUnit => "to recruit one unit more",
            FavorUse::Negate => "to stop a spy",
            FavorUse::MakeNeutral => "to turn a city",
            FavorUse::First => "to go first",
            FavorUse::BidBonus => "to raise the next bid",
        }
    }
}

umpire_core::names! {
    /// A.7: the results of a spy's success.
    doubloons.Mission as pub enum Mission {
        /// 1.
        Assassinate = "assassinate",
        /// 2.
        SetFire = "set_fire",
        /// 3.
        Banditry = "banditry",
        /// 4.
        Piracy = "piracy",
        /// 5.
        Sabotage = "sabotage",
        /// 6.
        Bribery = "bribery",
        /// 7.
        Revolt = "revolt",
        /// 8.
        Thievery = "thievery",
        /// 9.
        Arson = "arson",
        /// 10.
        Choose = "choose",
    }
}

impl Mission {
    /// The result of a throw of D10, or of a choice.
    pub(super) fn of_throw(throw: u32) -> Mission {
        let at = (throw as usize).wrapping_sub(1);
        Mission::ALL.get(at).copied().unwrap_or(Mission::Choose)
    }

    /// The number of the result.
    pub(super) const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// Gold at the start (A.8, DBD-3.2).
pub(super) const START_GOLD: u32 = 20;
/// Militia in a home city at the start (A.8, DBD-3.2).
pub(super) const START_MILITIA: usize = 3;
/// Units per gold of upkeep (DBD-8.2).
pub(super) const UPKEEP_UNITS: u32 = 5;
/// The most gold of a player, and the highest number of a unit or a deal, that a position may name:
/// far beyond every game, and few enough dice for one payment to spies.
pub(super) const MOST: u32 = 100_000;

/// The places aboard a galleon (DBD-13.14).
pub(super) const CARGO: usize = 4;
/// A die that destroys (DBD-14.13).
pub(super) const HIT: i8 = 4;
