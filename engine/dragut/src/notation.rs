//! How actions are written by hand: the short form of the rules document.
//!
//! A table. Must not know a rule, nor which units, areas and cards there are: a record may have its own.

use crate::Dragut;
use umpire_core::game::Notation;
use umpire_core::notation::{By, Grammar, Part, Shape, Verb};

impl Notation for Dragut {
    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }
}

/// `women_1 -> fondaci`
const UNIT_TO: &[Part] = &[Part::Is("unit", Shape::Name), Part::Arrow, Part::Is("to", Shape::Name)];

const UNIT: Part = Part::Is("unit", Shape::Name);

/// `boys_1->corte, giulia->fondaci`
const PLACEMENTS: Part = Part::Is(
    "placements",
    Shape::List(&Shape::Object(&[
        Part::Is("unit", Shape::Name),
        Part::Arrow,
        Part::Is("area", Shape::Name),
    ])),
);

/// Only the townspeople do that, or nearly so.
const TOWN: By = By::Seat("rapalline");

/// The table.
static GRAMMAR: Grammar = Grammar {
    verbs: &[
        Verb::new("deploy", &[PLACEMENTS]).by(TOWN),
        Verb::new("choose_card", &[Part::Is("card", Shape::OrNull("none", &Shape::Name))])
            .also(&["card", "commit"]),
        Verb::new("land", UNIT_TO).by(By::Seat("pirates")),
        Verb::new("move", UNIT_TO),
        Verb::new("send", &[UNIT, Part::Led("with", "escort", Shape::Name)])
            .by(By::Seat("pirates")),
        Verb::new("raise_alarm", &[]).by(TOWN),
        Verb::new("end_phase", &[]).also(&["end"]),
        Verb::new("choose_defender", &[UNIT]),
        Verb::new("arquebus_choice", &[Part::Is("choice", Shape::Name)]).by(TOWN),
        Verb::new("draw_offer", &[Part::Is("accept", Shape::YesNo("accept", "decline"))]).by(TOWN),
        Verb::new("relocate", UNIT_TO).by(TOWN),
        Verb::new("place_reserve", &[Part::Is("to", Shape::Name)]).by(TOWN),
    ],
};
