//! What holds in every state of a game, by the numbers of the rules document (part H). The laws test it, and a loaded
//! position that breaks one is refused by its id.
//!
//! Must not check anything: `position` does.

use umpire_core::game::Invariants;

/// The invariants of the rules document.
pub(super) const INVARIANTS: Invariants = Invariants { part: 'H', texts: TEXTS };

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "Every unit of A.1 is in exactly one place of DRG-1.1; `serraglio`, `fled`, `removed` never lose a unit.",
    "At most 5 pirate units in play; `dragut_4` and `pirate_2b` are in play only after an Arquebusier has been removed; at most one `unit_reduced` per Arquebusier.",
    "Per side: deck + hand + played this turn + out of the game = the cards of its deck; each id keeps its number of copies.",
    "Alarm case between 1 and the last case. Target is 7 or 8 and never falls; the Serraglio count never falls.",
    "Pool ≥ 0; under DRG-R10 = `phase_start`, points spent + pool left = pool at phase start.",
    "No unit's points spent in a turn exceed its limit; they are 0 when a turn starts.",
    "No pirate is ever in a hill; no unit of any side is in a hill when a decision is pending.",
    "Outside an unfinished arrival no area holds free units of both sides (not under DRG-R55 = `one`).",
    "Captives are Rapalline, revealed, never the Arquebusier; they change area only by `unit_relocated` or `captive_sent`.",
    "A duel never has equal values; the product \"pirate value even, Rapalline value odd\" holds in every duel without the Arquebusier.",
    "Pirates win if and only if the Serraglio holds at least the target at the end (not under DRG-R47 = `more_saved`).",
    "Each draw follows exactly one of: setup, send, Arquebusier choice, pirate elimination, hill exit. Without those no hand grows.",
    "Option soundness: every option listed for a pending decision is accepted; every other well-formed action is rejected, cites a clause, and leaves the state byte-identical.",
    "No pending decision has exactly one option, except phases and `draw_offer`.",
    "Replay: seed + actions gives the same state hash twice; the tape written by a seeded run replays to the same hash.",
    "View soundness: two states that differ only in facts hidden from a viewer give that viewer identical views.",
    "`it` with DRG-R1 = `one` and DRG-R24 = `optional` (in `dragut@1` also DRG-R26 = `apply`) equals `en` on every input, citations apart.",
    "On every map that A.2 admits, 1 to 17 hold.",
    "Bartolomeo's value is 5 only in the pirate phase with Giulia neither fled nor in the Serraglio.",
    "At `game_over` no decision is pending and the reason matches DRG-11.2, 11.3, 11.4 in that order, or DRG-11.7 or R33.",
    "No two turns in a row pass without a decision (DRG-11.7).",
    "`dragut@1` and `dragut@2` differ on no input that states edition, every ruling and the map.",
];
