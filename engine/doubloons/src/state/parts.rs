//! The parts of a state: units, cities, routes, deals, a spy action, a battle.
//!
//! Must not decide a rule.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::stage::Ending;
use crate::action::{DealItem, Player, PlayerSet, StackOwner, Target};
use crate::setup::Slots;
use crate::setup::map::At;
use crate::tables::{GOODS, Good, Kind, Mission};

/// The order of the main turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Order {
    seats: [Option<Player>; 6],
}

impl Order {
    /// An order of at most six players.
    pub(crate) fn new(players: &[Player]) -> Self {
        let mut seats = [None; 6];
        for (slot, &player) in seats.iter_mut().zip(players) {
            *slot = Some(player);
        }
        Order { seats }
    }

    /// The players, first to last.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Player> + '_ {
        self.seats.iter().filter_map(|&it| it)
    }
}

/// A sealed bid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SealedBid {
    /// The gold.
    pub amount: u32,
    /// Whether the bidder stays out of the trading session.
    pub skip: bool,
}

/// Something that only refusals tell of and no view shows: states that differ in it alone are the same.
#[derive(Clone, Copy, Debug)]
pub struct Remark(pub bool);

impl PartialEq for Remark {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Remark {}

impl Hash for Remark {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// DBD-1.3 How long a mark lasts: to the end of a round, or of a player's main turn in it. Packed, for
/// every unit has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(Rust, packed)]
pub struct Term {
    /// The last round, 0 for no mark.
    pub last: u32,
    /// Whose main turn of that round is the end; kept only under DBD-R4 = `main_turns`.
    pub of: Option<Player>,
}

impl Term {
    /// No mark.
    pub(crate) const NONE: Term = Term { last: 0, of: None };

    /// To the end of a round.
    pub(crate) const fn round(last: u32) -> Term {
        Term { last, of: None }
    }

    /// The longer of two terms; a round ends after every main turn of it.
    pub(crate) fn longer(self, other: Term) -> Term {
        let key = |it: Term| (it.last, it.of.is_none());
        if key(other) > key(self) { other } else { self }
    }
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// Its number.
    pub id: u32,
    /// How long it is held.
    pub held: Term,
    /// The galleon it is aboard, 0 for none.
    pub aboard: u32,
    /// Its hex.
    pub at: At,
    /// Its type.
    pub kind: Kind,
    /// Its owner; neutral where there is none.
    pub owner: Option<Player>,
    /// Points left.
    pub points: u8,
    /// A merchant's origin, 0 for none.
    pub origin: u8,
    /// The city that recruited a merchant, 0 for none; kept only under DBD-R100 = `recruited`.
    pub recruited_in: u8,
    /// A cannon that counts as moved this turn.
    pub moved: bool,
    /// It has attacked this turn.
    pub attacked: bool,
    /// It was recruited this turn.
    pub fresh: bool,
    /// It embarked this turn.
    pub embarked: bool,
}

impl Unit {
    /// Its type and its number: `cavalry u12`.
    pub(crate) fn title(&self) -> String {
        format!("{} u{}", self.kind, self.id)
    }

    /// A new unit without marks.
    pub(crate) fn new(id: u32, kind: Kind, owner: Option<Player>, at: At) -> Unit {
        Unit {
            id,
            held: Term::NONE,
            aboard: 0,
            at,
            kind,
            owner,
            points: kind.points(),
            origin: 0,
            recruited_in: 0,
            moved: false,
            attacked: false,
            fresh: false,
            embarked: false,
        }
    }

    /// Military, leader or merchant: military.
    pub(crate) fn is_military(&self) -> bool {
        self.kind.is_military()
    }
}

/// Whether the goods of a city are thrown (DBD-R6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CityGoods {
    /// They are.
    Thrown,
    /// They are still to be thrown.
    Unthrown,
    /// They are to be thrown now: a unit has been there. Never so while somebody is asked.
    Reached,
}

/// What changes about a city.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct City {
    /// Who controls it; neutral where nobody does.
    pub control: Option<Player>,
    /// Renaissance masters.
    pub masters: u32,
    /// How long it is without income.
    pub no_income: Term,
    /// How long it is without recruiting.
    pub no_recruits: Term,
    /// How long it is under protection.
    pub protected: Term,
    /// Something was recruited here this turn.
    pub recruited: bool,
    /// Somebody negotiated here this turn (or round).
    pub negotiated: bool,
    /// Supply slots.
    pub supply: Slots,
    /// Demand slots.
    pub demand: Slots,
    /// Whether its goods are thrown (DBD-R6).
    pub goods: CityGoods,
    /// Its garrison is still to be thrown (DBD-R8).
    pub garrison_unthrown: bool,
}

impl City {
    /// A city of nobody, without goods.
    pub(crate) fn neutral() -> City {
        City {
            control: None,
            masters: 0,
            no_income: Term::NONE,
            no_recruits: Term::NONE,
            protected: Term::NONE,
            recruited: false,
            negotiated: false,
            supply: [0; GOODS],
            demand: [0; GOODS],
            goods: CityGoods::Thrown,
            garrison_unthrown: false,
        }
    }
}

/// A trade route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Route {
    /// What is traded.
    pub good: Good,
    /// The supply city.
    pub from: u8,
    /// The demand city.
    pub to: u8,
    /// Who earns.
    pub owner: Player,
}

/// Marks on a good.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GoodMarks {
    /// How long there is a surplus.
    pub surplus: Term,
    /// How long there is a scarcity.
    pub scarcity: Term,
}

/// An open deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    /// Its number within the round.
    pub number: u32,
    /// Who proposed it.
    pub proposer: Player,
    /// Everybody named.
    pub parties: PlayerSet,
    /// Those who agree.
    pub agreed: PlayerSet,
    /// What changes hands.
    pub items: Arc<Vec<DealItem>>,
}

/// A spy action being worked out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spying {
    /// Successes still to come after this one.
    pub left: u32,
    /// The D10 of the success under way, 0 for none.
    pub roll: u8,
    /// What was chosen, once it is.
    pub aim: Option<(Mission, Target)>,
}

/// A battle being worked out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fight {
    /// The attacked hex.
    pub target: At,
    /// The named units that are left, by id.
    pub units: Vec<u32>,
    /// Targets beside them that throw nothing (DBD-R60), by id.
    pub bystanders: Vec<u32>,
    /// The step, 1 to 7; 0 before the first.
    pub step: u8,
    /// The attacker's targets of this step, once they are declared.
    pub declared: Option<Vec<(u32, u32)>>,
    /// The defenders' targets that are declared while others are still asked.
    pub answered: Vec<(u32, u32)>,
    /// Whose units alone defend (DBD-R61).
    pub owner: Option<StackOwner>,
    /// Units that are hit and still there (DBD-R63).
    pub hit: Vec<u32>,
    /// Whether the dice of this step are thrown. Never so while somebody is asked.
    pub thrown: bool,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ended {
    /// Who won.
    pub winner: Option<Player>,
    /// Why it is over.
    pub reason: Ending,
}
