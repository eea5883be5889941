//! What holds in every state of a game, by the numbers of the rules document (part G). The laws test it, and a loaded
//! position that breaks one is refused by its id.
//!
//! Must not check anything: `position` does.

use umpire_core::game::Invariants;

/// The invariants of the rules document.
pub(super) const INVARIANTS: Invariants = Invariants { part: 'G', texts: TEXTS };

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "Per side deck + hand + discards = the 38 cards of A.4 / A.5, as multisets, at all times.",
    "Deck sizes: 34 after dealing, always even from a fresh start, never growing after turn 1 starts.",
    "In state `action` no hand exceeds 6 (with R14 = `after_draw`).",
    "0 ≤ wounds ≤ spaces on each of the 7 tracks; sum ≤ 25; no track ever falls.",
    "A marker on `flight`, `movement` or `fire` implies armour = 4.",
    "Living figures stand on distinct board hexes; a dwarf has a hex if and only if he lives (from turn 1 on).",
    "1 ≤ `actions_left` ≤ 3 in state `action`; 1 in turn 1; 3 only in the Fury turn; 0 in `late_fury`.",
    "Turn parity gives the side to move; the dragon's hex never changes in a dwarf turn, no dwarf's hex in a dragon turn except by death.",
    "While the net lies on the dragon its hex does not change; net and \"marker with the dwarves\" exclude each other.",
    "`fury_used` never goes back to false; `fury_declared` occurs at most once and adds exactly one wound.",
    "A lost ability is never used again: no `move` / `flight` / `fire` play after its `ability_lost` (DRK-R20 = `always`: none that moves).",
    "Each `play` moves exactly one card to the discards of its side, each block exactly one, `discard` exactly the excess; nothing else does.",
    "Damage: dragon wounds grow by min(sum of unblocked values, free spaces); each hit dwarf's by min(value, free spaces).",
    "Option soundness: every listed option is accepted; every other well-formed action is rejected with a clause and leaves the state byte-identical.",
    "In every non-final state at least one option exists; in state `action` the dwarves own a card in hand or deck (DRK-R2 = `own_turn`: in dwarf turns), in `defend` and `assign_wounds` the last one may be gone; `assign_wounds` is pending only with two or more divisions.",
    "Termination: at most 17 draws and 38 plays per side, so at most 55 dwarf actions and fewer than 60 turns; under DRK-R4 = `pass` fewer than 240.",
    "End: exactly one reason; `dragon_killed` ⇔ winner dwarves; with `cards_exhausted` (R1 = `last_card`) dwarf hand and deck are empty (not with 11.8), the dragon and a dwarf live.",
    "Replay: same seed and actions give the same state twice; the tape written by a seeded run replays to the same state.",
    "View soundness: states differing only in facts hidden from a viewer give that viewer identical views and event lists.",
    "Rotating or mirroring the whole board (with directions) changes nothing but coordinates (`placement: free`).",
];
