//! The whole truth at one moment: plain old data, cheap to copy, no heap.
//!
//! Units and areas are small indices into the setup's tables; sets of them are bits. Nothing here
//! may be serialised: what goes out is built by [`super::view`].

use super::setup::{PIRATE_UNITS, Setup};
use super::tables::{CARDS, KINDS, Side, UNITS};

macro_rules! bits {
    ($(#[$idoc:meta])* $item:ident, $(#[$sdoc:meta])* $set:ident, $iter:ident) => {
        $(#[$idoc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $item(pub u8);

        impl $item {
            /// The index into tables.
            pub const fn at(self) -> usize {
                self.0 as usize
            }
        }

        $(#[$sdoc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $set(pub u32);

        impl $set {
            /// None.
            pub const NONE: $set = $set(0);

            /// Just one.
            pub const fn one(item: $item) -> $set {
                $set(1 << item.0)
            }

            /// The first `count`, at most 32.
            pub const fn first(count: usize) -> $set {
                $set(((1u64 << count) - 1) as u32)
            }

            /// Whether it is in the set.
            pub const fn contains(self, item: $item) -> bool {
                self.0 >> item.0 & 1 == 1
            }

            /// Whether none is.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// How many are.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Adds one.
            pub fn insert(&mut self, item: $item) {
                self.0 |= 1 << item.0;
            }

            /// Takes one out.
            pub fn remove(&mut self, item: $item) {
                self.0 &= !(1 << item.0);
            }

            /// All but one.
            #[must_use]
            pub const fn without(self, item: $item) -> $set {
                $set(self.0 & !(1 << item.0))
            }

            /// Those in either.
            #[must_use]
            pub const fn or(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }

            /// Those in both.
            #[must_use]
            pub const fn and(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }

            /// Those in this but not in the other.
            #[must_use]
            pub const fn minus(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }

            /// The lowest, if there is one.
            pub const fn lowest(self) -> Option<$item> {
                if self.0 == 0 { None } else { Some($item(self.0.trailing_zeros() as u8)) }
            }

            /// The one that `skip` others precede in rising order.
            pub fn nth(self, skip: usize) -> Option<$item> {
                let mut left = self.0;
                for _ in 0..skip.min(32) {
                    left &= left.wrapping_sub(1);
                }
                $set(left).lowest()
            }

            /// In rising order.
            pub fn iter(self) -> $iter {
                $iter(self.0)
            }
        }

        impl IntoIterator for $set {
            type Item = $item;
            type IntoIter = $iter;

            fn into_iter(self) -> $iter {
                self.iter()
            }
        }

        /// The members of a set in rising order.
        #[derive(Clone, Debug)]
        pub struct $iter(u32);

        impl Iterator for $iter {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                let item = $set(self.0).lowest()?;
                self.0 &= self.0 - 1;
                Some(item)
            }
        }
    };
}

bits! {
    /// A unit: an index into the unit table.
    Unit,
    /// A set of units.
    Units, UnitsIter
}

bits! {
    /// An area: an index into the area table.
    Area,
    /// A set of areas.
    Areas, AreasIter
}

/// Where a unit is (DRG-1.1): an area, or one of six other places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place(pub u8);

impl Place {
    /// Aboard the galleys.
    pub const AT_SEA: Place = Place(64);
    /// Beside the map, a replacement.
    pub const ASIDE: Place = Place(65);
    /// Held back, or not deployed yet.
    pub const RESERVE: Place = Place(66);
    /// Taken away for good.
    pub const SERRAGLIO: Place = Place(67);
    /// Safe for good.
    pub const FLED: Place = Place(68);
    /// Out of the game.
    pub const REMOVED: Place = Place(69);

    /// The place on the map.
    pub const fn on(area: Area) -> Place {
        Place(area.0)
    }

    /// The area, if it is one.
    pub const fn area(self) -> Option<Area> {
        if self.0 < 64 { Some(Area(self.0)) } else { None }
    }
}

/// The pending decision (part C.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The Rapalline player deploys.
    Deploy,
    /// Both commit a card.
    ChooseCards,
    /// A pirate action.
    PiratePhase,
    /// The next opponent.
    ChooseDefender,
    /// The Arquebusier's reward.
    ArquebusChoice,
    /// A card may be drawn.
    DrawOffer,
    /// Where a freed unit goes.
    Relocate,
    /// Where the Soldier in reserve enters.
    PlaceReserve,
    /// A Rapalline action.
    RapallinePhase,
    /// Nothing.
    GameOver,
}

impl Step {
    /// All, in the order of the document.
    pub const ALL: [Step; 10] = [
        Step::Deploy,
        Step::ChooseCards,
        Step::PiratePhase,
        Step::ChooseDefender,
        Step::ArquebusChoice,
        Step::DrawOffer,
        Step::Relocate,
        Step::PlaceReserve,
        Step::RapallinePhase,
        Step::GameOver,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Step::Deploy => "deploy",
            Step::ChooseCards => "choose_cards",
            Step::PiratePhase => "pirate_phase",
            Step::ChooseDefender => "choose_defender",
            Step::ArquebusChoice => "arquebus_choice",
            Step::DrawOffer => "draw_offer",
            Step::Relocate => "relocate",
            Step::PlaceReserve => "place_reserve",
            Step::RapallinePhase => "rapalline_phase",
            Step::GameOver => "game_over",
        }
    }
}

/// No card, no commitment, no unit: for fields of one byte.
pub const NONE: u8 = u8::MAX;
/// A commitment to play no card.
pub const NO_CARD: u8 = u8::MAX - 1;

/// The cards of one side, by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cards {
    /// In the deck.
    pub deck: [u8; KINDS],
    /// In hand, a committed card included.
    pub hand: [u8; KINDS],
    /// Out of the game.
    pub retired: [u8; KINDS],
    /// In effect: a row, or [`NONE`].
    pub played: u8,
    /// Committed: a row, [`NO_CARD`], or [`NONE`] before that.
    pub committed: u8,
    /// The deck's order, top first, only under DRG-R27 = `bottom`.
    pub order: [u8; CARDS],
}

/// The number of cards of a pile.
pub fn count(pile: &[u8; KINDS]) -> u8 {
    pile.iter().sum()
}

/// A combat or liberation that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrival {
    /// The unit that arrived, as long as it is there and free.
    pub unit: Option<Unit>,
    /// Where it came from.
    pub from: Place,
    /// Where it arrived.
    pub area: Area,
    /// The unit that frees captives without having arrived (DRG-R16, DRG-R18).
    pub liberator: Option<Unit>,
    /// Freed units that are still to be placed.
    pub waiting: Units,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ended {
    /// The winner.
    pub winner: Side,
    /// Why.
    pub reason: Reason,
}

/// A way to end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The Serraglio holds the target.
    Serraglio,
    /// No Rapalline unit is on the map.
    NoRapalline,
    /// No pirate unit is in play.
    NoPirates,
    /// The target is out of reach (DRG-R33).
    Unreachable,
}

impl Reason {
    /// All.
    pub const ALL: [Reason; 4] =
        [Reason::Serraglio, Reason::NoRapalline, Reason::NoPirates, Reason::Unreachable];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Serraglio => "serraglio",
            Reason::NoRapalline => "no_rapalline",
            Reason::NoPirates => "no_pirates",
            Reason::Unreachable => "unreachable",
        }
    }
}

/// The whole truth at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where each unit is.
    pub place: [Place; UNITS],
    /// Points each unit has spent this turn.
    pub spent: [u8; UNITS],
    /// Token numbers, 0 for none.
    pub token: [u8; UNITS],
    /// Captives.
    pub captive: Units,
    /// Units whose identity everybody sees.
    pub revealed: Units,
    /// Units that fought this turn; kept only under DRG-R14 = `stops`.
    pub fought: Units,
    /// Units freed this turn; kept only under DRG-R23 = `no`.
    pub freed: Units,
    /// Pirates of less value than their counter shows (DRG-R38).
    pub weakened: Units,
    /// The cards of both sides.
    pub cards: [Cards; 2],
    /// The turn, 0 before the first.
    pub turn: u32,
    /// The pending decision.
    pub step: Step,
    /// Whose phase it is.
    pub phase: Option<Side>,
    /// Points left in the phase.
    pub pool: u8,
    /// The alarm case, the first being 1.
    pub case: u8,
    /// The case read right after the reveal; kept only under DRG-R10 = `turn_start`.
    pub read_case: u8,
    /// Whether the alarm was raised by action this phase; kept only under DRG-R30 = `once`.
    pub raised: bool,
    /// The Arquebusier's reward is still to be chosen.
    pub owes_choice: bool,
    /// A Rapalline draw is still to be made or offered.
    pub owes_draw: bool,
    /// The combat or liberation that is not finished.
    pub arrival: Option<Arrival>,
    /// How the game ended.
    pub ended: Option<Ended>,
}

impl State {
    /// All units in a place.
    pub fn at(&self, place: Place) -> Units {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let wanted = u64::from_le_bytes([place.0; 8]);
        self.gather(|eight| {
            // A byte is 0 where the place is the one wanted; only there the top bit is set.
            let other = eight ^ wanted;
            !(((other & LOW) + LOW) | other | LOW)
        })
    }

    /// All units on the map.
    pub fn on_map(&self) -> Units {
        // Places off the map are 64 and above, areas are below.
        self.gather(|eight| !(eight << 1))
    }

    /// The units whose top bit is set when eight places at a time have been looked at.
    fn gather(&self, look: impl Fn(u64) -> u64) -> Units {
        const TOP: u64 = 0x8080_8080_8080_8080;
        let mut found = 0;
        for (at, eight) in self.place.chunks_exact(8).enumerate() {
            let bytes: [u8; 8] = std::array::from_fn(|index| eight[index].0);
            let marks = (look(u64::from_le_bytes(bytes)) & TOP) >> 7;
            // Brings the eight lowest bits of the bytes together.
            found |= (marks.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * at)) as u32;
        }
        Units(found)
    }

    /// The free units of a side in an area (DRG-1.2).
    pub fn free_in(&self, setup: &Setup, side: Side, area: Area) -> Units {
        self.at(Place::on(area)).and(setup.units_of(side)).minus(self.captive)
    }

    /// The captives in an area.
    pub fn captives_in(&self, area: Area) -> Units {
        self.at(Place::on(area)).and(self.captive)
    }

    /// The areas where some of these units are.
    pub fn areas_of(&self, units: Units) -> Areas {
        units.iter().filter_map(|unit| self.place[unit.at()].area()).fold(
            Areas::NONE,
            |mut areas, area| {
                areas.insert(area);
                areas
            },
        )
    }

    /// DRG-1.4: areas in which no unit of either side is, captives included.
    pub fn empty_areas(&self, setup: &Setup) -> Areas {
        setup.areas.minus(self.areas_of(setup.all))
    }

    /// DRG-1.5: pirate units at sea or on the map.
    pub fn pirates_in_play(&self) -> Units {
        self.on_map().or(self.at(Place::AT_SEA)).and(PIRATE_UNITS)
    }

    /// The unit with a token.
    pub fn by_token(&self, setup: &Setup, side: Side, number: u8) -> Option<Unit> {
        setup.units_of(side).iter().find(|unit| number > 0 && self.token[unit.at()] == number)
    }
}
