//! What can happen in Dragut, and how it changes the state: the only place that changes it.
//!
//! An [`Event`] is the whole truth and never goes out; what an observer learns of it is built by
//! `notice.rs`. Must not decide anything.

pub(super) mod apply;

use super::action::Side;
use super::state::{Area, Ending, Place, Stage, State, Unit, Units};
use super::tables::CARDS;

/// A unit in an event: its token, and whether everybody knows who it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Who {
    /// The unit.
    pub unit: Unit,
    /// Its token's number, 0 for none.
    pub token: u8,
    /// Whether its identity is public.
    pub open: bool,
}

impl Who {
    /// The unit as it is known now.
    pub(super) fn now(state: &State, unit: Unit) -> Who {
        Who { unit, token: state.token[unit.index()], open: state.revealed.contains(unit) }
    }

    /// The unit, shown to everybody.
    pub(super) fn shown(state: &State, unit: Unit) -> Who {
        Who { unit, token: state.token[unit.index()], open: true }
    }
}

/// Why a card is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawCause {
    /// The starting hand.
    Start,
    /// A unit was sent.
    Sent,
    /// The Arquebusier's reward.
    Reward,
    /// A pirate was removed, or a unit reached a hill.
    Earned,
}

/// Why the alarm moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlarmCause {
    /// A card, or two whose steps are summed.
    Card,
    /// Freed units.
    Liberation,
    /// Captives of whom one may be freed (DRG-R17 = `one_captive`).
    Rescue {
        /// Who frees it.
        by: Who,
        /// The captives.
        captives: Units,
    },
    /// The Arquebusier's reward.
    Reward,
    /// The raise action.
    Action,
}

/// Which of his two values Bartolomeo has (DRG-10.3), and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BartolomeoStand {
    /// The greater one, in the pirate phase.
    Strong,
    /// The lesser one, in the Rapalline phase.
    OwnPhase,
    /// The lesser one: Giulia has fled or is in the Serraglio.
    GiuliaLost,
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A deck lies in this order (DRG-R27).
    Shuffled {
        /// Whose.
        side: Side,
        /// The order as rows, top first.
        order: [u8; CARDS],
    },
    /// A unit was put into a town.
    Deployed {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
    },
    /// A card was drawn.
    CardDrawn {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
        /// Why.
        why: DrawCause,
    },
    /// A card should have been drawn, but the deck is empty.
    DeckEmpty {
        /// Whose.
        side: Side,
        /// Why.
        why: DrawCause,
    },
    /// A turn begins.
    TurnStarted {
        /// Its number.
        turn: u32,
    },
    /// A side committed a card or none.
    CardCommitted {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// Both choices are shown.
    CardsRevealed {
        /// The pirates' and the Rapalline card, or none.
        rows: [u8; 2],
    },
    /// A card changes nothing.
    EffectVoid {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// The alarm moves, or its steps are lost.
    AlarmChanged {
        /// Where it was.
        from: u8,
        /// Where it goes.
        to: u8,
        /// The steps it should have moved.
        steps: i8,
        /// Points paid.
        cost: u8,
        /// The pool then.
        pool: u8,
        /// Why.
        cause: AlarmCause,
    },
    /// A phase begins.
    PhaseStarted {
        /// Whose.
        side: Side,
        /// The pool then.
        pool: u8,
    },
    /// A pirate landed.
    Landed {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
        /// Points paid.
        cost: u8,
    },
    /// A unit moved.
    Moved {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Area,
        /// Points paid.
        cost: u8,
    },
    /// A unit arrived among enemies or captives: combat or liberation follows.
    Arrived {
        /// The unit.
        unit: Unit,
        /// Where it was.
        from: Place,
        /// Where.
        area: Area,
    },
    /// An attacker of equal value goes back.
    Repelled {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Place,
    },
    /// Two units fight; no value for the Arquebusier.
    Duel {
        /// The unit that arrived.
        attacker: Who,
        /// The unit that was there.
        defender: Who,
        /// Their values.
        values: [Option<u8>; 2],
        /// Where.
        area: Area,
        /// Why Bartolomeo has his value, if he fights.
        bartolomeo: Option<BartolomeoStand>,
    },
    /// A Rapalline unit lost.
    UnitCaptured {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A unit was removed in combat.
    UnitEliminated {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A pirate lost value, and its counter is replaced if there is one.
    UnitReduced {
        /// The unit.
        who: Who,
        /// The counter that takes its place.
        into: Unit,
        /// The value left.
        value: u8,
        /// Where.
        area: Area,
    },
    /// The Arquebusier left after its shot.
    UnitWithdrawn {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
    },
    /// A unit reached a hill.
    UnitFled {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
    },
    /// The target is another one.
    TargetChanged {
        /// Units to send.
        target: u8,
    },
    /// A captive went to the Serraglio.
    CaptiveSent {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Points paid.
        cost: u8,
        /// The unit that paid (DRG-R9).
        escort: Option<Who>,
        /// Units in the Serraglio then.
        serraglio: u8,
    },
    /// A captive was freed.
    UnitLiberated {
        /// The unit.
        who: Who,
        /// Where.
        area: Area,
        /// The other unit.
        by: Who,
    },
    /// A freed unit found a place.
    UnitRelocated {
        /// The unit.
        who: Who,
        /// Where it was.
        from: Area,
        /// Where it goes.
        to: Area,
    },
    /// A freed unit found none and stays.
    Stayed {
        /// The unit.
        unit: Unit,
    },
    /// The Soldier in reserve entered.
    ReservePlaced {
        /// The unit.
        who: Who,
        /// Where it goes.
        to: Area,
    },
    /// A draw was declined.
    DrawDeclined {
        /// Whose.
        side: Side,
    },
    /// An arrival is resolved; survivors hide.
    Settled,
    /// A phase ended.
    PhaseEnded {
        /// Whose.
        side: Side,
        /// Points lost.
        left: u8,
    },
    /// A played card left the game.
    CardRetired {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// A played card went back.
    CardReturned {
        /// Whose.
        side: Side,
        /// The card.
        row: u8,
    },
    /// The game is over.
    GameEnded {
        /// The winner, if anybody is.
        winner: Option<Side>,
        /// Why.
        reason: Ending,
    },
    /// A decision is pending.
    Awaited {
        /// Which.
        stage: Stage,
    },
}
