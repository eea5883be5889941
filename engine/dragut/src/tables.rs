//! The printed data of the game, each with its source: map, units, alarm track, cards, constants.
//!
//! Sources: `rb` is the rulebook (both editions), `rb en` and `rb it` one edition, `S1` to `S14`
//! a public page of [`PAGES`], `recon` a reconstruction. An owner of the printed game may bring
//! corrected data in a record's options; `setup.rs` checks them. Must hold nothing but data, and a
//! record's data take its place, never mix with it.

pub(super) mod cards;
pub(super) mod components;
mod constants;
pub(super) mod layout;
pub(super) mod map;
pub(super) mod units;

pub(super) use constants::{Constants, ConstantsData};

use umpire_core::wire::Name;

/// Units, at most (A.1).
pub(super) const UNITS: usize = 24;
/// Areas, at most (A.2).
pub(super) const AREAS: usize = 64;
/// Kinds of cards per deck, at most.
pub(super) const KINDS: usize = 12;
/// Cards per deck, at most.
pub(super) const CARDS: usize = 24;
/// Cases of the alarm track, at most.
pub(super) const CASES: usize = 16;
/// Any other number of the data, at most.
pub(super) const NUMBER: u8 = 20;
/// The Arquebusier's reduction, and the value below which nothing is left of a pirate (DRG-6.8).
/// It goes with the counters 6, 4 and 2 and is therefore no correctable constant.
pub(super) const REDUCTION: u8 = 2;

/// The public pages that the sources name.
pub(super) const PAGES: &[(&str, &str)] = &[
    ("S1", "lumacagames.altervista.org/dragut.html"),
    ("S2", "hellorapallo.it/cosa-vedere/porta-delle-saline"),
    ("S3", "parcoportofino.it/montallegro/la-storia-del-sentiero.html"),
    ("S4", "sergio2017.it/codadilupo/mare/rap2.htm"),
    ("S5", "sergio2017.it/codadilupo/mare/castello.htm; januapress.it/liguria_2 p. 71"),
    ("S6", "hellorapallo.it/cosa-vedere/ponte-di-annibale"),
    ("S7", "docslib.org/doc/3672558; it.wikipedia.org/wiki/Chiesa_di_San_Francesco_(Rapallo)"),
    ("S8", "welcometigullio.it/?p=507"),
    ("S9", "gazzettadisanta.eu/articoli/st_230604.html"),
    ("S10", "amezena.net/?p=6278"),
    ("S11", "rapallooutdoor.it/2018/05/14; portofinotrek.com (itineraries 46, 97)"),
    ("S12", "hellorapallo.it/en/my-rapallo/rapallo-of-sestieri/cerisola"),
    ("S13", "rapallooutdoor.it/2019/07/04"),
    ("S14", "sestiereseglio.org (sestieri page); it.wikipedia.org/wiki/Sestieri_(Rapallo)"),
];

/// A.3: the value of each case and its source.
const TRACK: [(u8, &str); 7] = [
    (2, "rb §2"),
    (3, "recon"),
    (3, "recon"),
    (4, "recon"),
    (4, "recon"),
    (5, "recon"),
    (6, "recon"),
];

/// An id of the tables.
fn name(text: &str) -> Name {
    // Every id of the tables is shorter than a name may be; a test reads them all.
    Name::new(text).unwrap_or_default()
}

/// Ids of the tables.
fn names(ids: &[&str]) -> Vec<Name> {
    ids.iter().map(|id| name(id)).collect()
}

/// The alarm track of A.3: value and source per case.
pub(super) fn alarm_track() -> Vec<(u8, String)> {
    TRACK.iter().map(|&(points, source)| (points, source.to_owned())).collect()
}
