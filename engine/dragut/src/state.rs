//! The whole truth of a game of Dragut at one moment: plain old data, cheap to copy, no heap.
//!
//! Units and areas are small indices into the setup's tables; sets of them are bits. Changed only by
//! `event.rs`; a state is never written out, only views of it are. Must not decide a rule.

use super::action::Side;
pub(super) use super::setup::ids::{Area, Areas, Place, Unit, Units};
use super::setup::{FLEET, PIRATE_UNITS, Setup};
use super::tables::{CARDS, KINDS, UNITS};

umpire_core::names! {
    /// The pending decision, as part C.1 names it.
    dragut.Pending as pub enum Stage {
        /// The Rapalline player deploys.
        Deploy = "deploy",
        /// Both commit a card.
        ChooseCards = "choose_cards",
        /// A pirate action.
        PiratePhase = "pirate_phase",
        /// The next opponent.
        ChooseDefender = "choose_defender",
        /// The Arquebusier's reward.
        ArquebusChoice = "arquebus_choice",
        /// A card may be drawn.
        DrawOffer = "draw_offer",
        /// Where a freed unit goes.
        Relocate = "relocate",
        /// Where the Soldier in reserve enters.
        PlaceReserve = "place_reserve",
        /// A Rapalline action.
        RapallinePhase = "rapalline_phase",
        /// Nothing.
        GameOver = "game_over",
    }
}

impl Stage {
    /// What is to be done, in words.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Stage::Deploy => "the townspeople deploy",
            Stage::ChooseCards => "both choose a card",
            Stage::PiratePhase => "it is the phase of the pirates",
            Stage::ChooseDefender => "an opponent is to be named",
            Stage::ArquebusChoice => "a reward for the shot is to be chosen",
            Stage::DrawOffer => "a card may be drawn",
            Stage::Relocate => "a freed unit needs a place",
            Stage::PlaceReserve => "the Soldier in reserve is to enter",
            Stage::RapallinePhase => "it is the phase of the townspeople",
            Stage::GameOver => "the game is over",
        }
    }
}

/// No card, no commitment, no unit: for fields of one byte.
pub(super) const NONE: u8 = u8::MAX;
/// A commitment to play no card.
pub(super) const NO_CARD: u8 = u8::MAX - 1;

/// The cards of one side, by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Cards {
    /// In the deck.
    pub(super) deck: [u8; KINDS],
    /// In hand, a committed card included.
    pub(super) hand: [u8; KINDS],
    /// Out of the game.
    pub(super) retired: [u8; KINDS],
    /// In effect: a row, or [`NONE`].
    pub(super) played: u8,
    /// Committed: a row, [`NO_CARD`], or [`NONE`] before that.
    pub(super) committed: u8,
    /// The deck's order, top first, only under DRG-R27 = `bottom`.
    pub(super) order: [u8; CARDS],
}

impl Cards {
    /// All cards of a side in its deck.
    pub(super) fn new(setup: &Setup, side: Side) -> Cards {
        Cards {
            deck: setup.decks[side.index()].copies,
            hand: [0; KINDS],
            retired: [0; KINDS],
            played: NONE,
            committed: NONE,
            order: [0; CARDS],
        }
    }
}

/// The number of cards of a pile.
pub(super) fn count(pile: &[u8; KINDS]) -> u8 {
    pile.iter().sum()
}

/// A combat or liberation that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Arrival {
    /// The unit that arrived, as long as it is there and free.
    pub(super) unit: Option<Unit>,
    /// Where it came from.
    pub(super) from: Place,
    /// Where it arrived.
    pub(super) area: Area,
    /// The unit that frees captives without having arrived (DRG-R16, DRG-R18).
    pub(super) liberator: Option<Unit>,
    /// Freed units that are still to be placed; under DRG-R17 = `one_captive` the captives of whom one
    /// may be freed.
    pub(super) waiting: Units,
    /// Whether its one combat is over; kept only under DRG-R55 = `one`.
    pub(super) fought: bool,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ended {
    /// The winner; nobody only under DRG-R47.
    pub(super) winner: Option<Side>,
    /// Why.
    pub(super) reason: Ending,
}

umpire_core::names! {
    /// A way to end.
    dragut.Ending as pub enum Ending {
        /// The Serraglio holds the target.
        Serraglio = "serraglio",
        /// No Rapalline unit is on the map.
        NoRapalline = "no_rapalline",
        /// No pirate unit is in play.
        NoPirates = "no_pirates",
        /// The target is out of reach (DRG-R33).
        Unreachable = "unreachable",
        /// A turn has passed in which nobody had a decision.
        Standstill = "standstill",
    }
}

/// The whole truth at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where each unit is.
    pub(super) place: [Place; UNITS],
    /// Points each unit has spent this turn.
    pub(super) spent: [u8; UNITS],
    /// Token numbers, 0 for none.
    pub(super) token: [u8; UNITS],
    /// Captives.
    pub(super) captive: Units,
    /// Units whose identity everybody sees.
    pub(super) revealed: Units,
    /// Units that fought this turn; kept only under DRG-R14 = `stops`.
    pub(super) fought: Units,
    /// Units freed this turn; kept only under DRG-R23 = `no`.
    pub(super) freed: Units,
    /// Units captured this turn; kept only under DRG-R54 = `next_turn`.
    pub(super) caught: Units,
    /// Pirates of less value than their counter shows (DRG-R38).
    pub(super) weakened: Units,
    /// The cards of both sides.
    pub(super) cards: [Cards; 2],
    /// The turn, 0 before the first.
    pub(super) turn: u32,
    /// The pending decision.
    pub(super) stage: Stage,
    /// Whose phase it is.
    pub(super) phase: Option<Side>,
    /// Points left in the phase.
    pub(super) pool: u8,
    /// The alarm case, the first being 1.
    pub(super) case: u8,
    /// The case read right after the reveal; kept only under DRG-R10 = `turn_start`.
    pub(super) read_case: u8,
    /// Whether the alarm was raised by action this phase; kept only under DRG-R30 = `once`.
    pub(super) raised: bool,
    /// The Arquebusier's reward is still to be chosen.
    pub(super) owes_choice: bool,
    /// A draw is still to be made or offered.
    pub(super) owes_draw: bool,
    /// The combat or liberation that is not finished.
    pub(super) arrival: Option<Arrival>,
    /// Whether a pirate unit has landed; kept only under DRG-R8 = `map_only`.
    pub(super) landed: bool,
    /// Whether nobody has had a decision yet this turn.
    pub(super) idle: bool,
    /// How the game ended.
    pub(super) ended: Option<Ended>,
}

impl State {
    /// DRG-2.2, DRG-2.6, DRG-2.7 The counter on its first case, the fleet at sea, two counters aside, the
    /// Rapalline units off the map, everything hidden.
    pub(super) fn new(setup: &Setup) -> State {
        let mut place = [Place::REMOVED; UNITS];
        for unit in setup.all.iter() {
            place[unit.index()] = if FLEET.contains(unit) {
                Place::AT_SEA
            } else if PIRATE_UNITS.contains(unit) {
                Place::ASIDE
            } else {
                Place::RESERVE
            };
        }
        State {
            place,
            spent: [0; UNITS],
            token: [0; UNITS],
            captive: Units::NONE,
            revealed: Units::NONE,
            fought: Units::NONE,
            freed: Units::NONE,
            caught: Units::NONE,
            weakened: Units::NONE,
            cards: Side::BOTH.map(|side| Cards::new(setup, side)),
            turn: 0,
            stage: Stage::Deploy,
            phase: None,
            pool: 0,
            case: setup.start_case().unwrap_or(1),
            read_case: 0,
            raised: false,
            owes_choice: false,
            owes_draw: false,
            arrival: None,
            landed: false,
            idle: false,
            ended: None,
        }
    }

    /// All units in a place.
    pub(super) fn at(&self, place: Place) -> Units {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let wanted = u64::from_le_bytes([place.0; 8]);
        self.gather(|eight| {
            // A byte is 0 where the place is the one wanted; only there the top bit is set.
            let other = eight ^ wanted;
            !(((other & LOW) + LOW) | other | LOW)
        })
    }

    /// All units on the map.
    pub(super) fn on_map(&self) -> Units {
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
        Units::from_bits(found)
    }

    /// DRG-1.2 The free units of a side in an area.
    pub(super) fn free_in(&self, setup: &Setup, side: Side, area: Area) -> Units {
        self.at(Place::on(area)).and(setup.units_of(side)).minus(self.captive)
    }

    /// DRG-1.2 The captives in an area.
    pub(super) fn captives_in(&self, area: Area) -> Units {
        self.at(Place::on(area)).and(self.captive)
    }

    /// The areas where some of these units are.
    pub(super) fn areas_of(&self, units: Units) -> Areas {
        units.iter().filter_map(|unit| self.place[unit.index()].area()).collect()
    }

    /// DRG-1.4 Areas in which no unit of either side is, captives included.
    pub(super) fn empty_areas(&self, setup: &Setup) -> Areas {
        setup.areas.minus(self.areas_of(setup.all))
    }

    /// DRG-1.5 Pirate units at sea or on the map.
    pub(super) fn pirates_in_play(&self) -> Units {
        self.on_map().or(self.at(Place::AT_SEA)).and(PIRATE_UNITS)
    }

    /// The unit with a token.
    pub(super) fn by_token(&self, setup: &Setup, side: Side, number: u8) -> Option<Unit> {
        setup.units_of(side).iter().find(|unit| number > 0 && self.token[unit.index()] == number)
    }
}
