//! How actions are written by hand: the short form of the rules document.
//!
//! A table. Must not know a rule.

use crate::Drako;
use umpire_core::game::Notation;
use umpire_core::notation::{By, Form, Grammar, Part, Shape, Verb};

impl Notation for Drako {
    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }
}

/// The dwarves by a letter, or by their names in a record.
const DWARF: Shape = Shape::Short(DWARVES);

const DWARVES: &[(&str, &str)] = &[("F", "fury"), ("A", "archery"), ("N", "net")];

/// Whose a card is.
const OWNERS: &[(&str, &str)] = &[("dg", "dragon"), ("dw", "dwarves")];

/// `N->1,-1, A->2,-1`
const MOVES: &[Part] = &[Part::Any(
    "moves",
    Shape::List(&Shape::Object(&[
        Part::Is("figure", DWARF),
        Part::Arrow,
        Part::Is("to", Shape::Hex),
    ])),
)];

/// `[F, N]`
const ATTACKERS: &[Part] = &[Part::Is("attackers", Shape::List(&DWARF))];

/// `1,0`
const TO: &[Part] = &[Part::Is("to", Shape::Hex)];

const USES: &[Form] = &[
    Form { word: "one_move", parts: MOVES },
    Form { word: "two_move", parts: MOVES },
    Form { word: "one_attack", parts: ATTACKERS },
    Form { word: "two_attack", parts: ATTACKERS },
    Form { word: "crossbow", parts: &[] },
    Form { word: "net", parts: &[] },
    Form { word: "move", parts: TO },
    Form { word: "flight", parts: TO },
    Form { word: "attack", parts: &[Part::May("target", DWARF)] },
    Form { word: "fire", parts: &[Part::Is("direction", Shape::Number(""))] },
    Form { word: "defense", parts: &[] },
    Form { word: "none", parts: &[] },
];

/// `dg10->F, dg04->N`
const BLOCKS: Shape = Shape::List(&Shape::Object(&[
    Part::Is("card", Shape::Name),
    Part::Arrow,
    Part::Is("against", DWARF),
]));

/// The dragon's abilities.
const ABILITIES: &[(&str, &str)] =
    &[("flight", "flight"), ("movement", "movement"), ("fire", "fire")];

const DWARVES_ALONE: By = By::Seat("dwarves");

/// The table.
static GRAMMAR: Grammar = Grammar {
    verbs: &[
        Verb::new("mulligan", &[Part::Is("exchange", Shape::YesNo("yes", "no"))]),
        Verb::new("place", &[Part::Keyed(DWARVES, Shape::Hex, true)]).by(DWARVES_ALONE),
        Verb::new("draw", &[]),
        Verb::new("discard", &[Part::Is("cards", Shape::List(&Shape::Name))])
            .by(By::Owner("cards", OWNERS)),
        Verb::new("play", &[Part::Is("card", Shape::Name), Part::Choice("use", USES)])
            .by(By::Owner("card", OWNERS)),
        Verb::new("defend", &[Part::Any("blocks", BLOCKS)]).by(By::Other).also(&["block"]),
        Verb::new("assign_wounds", &[Part::Keyed(ABILITIES, Shape::Number(""), false)])
            .by(DWARVES_ALONE)
            .also(&["wounds"]),
        Verb::new("escape_net", &[]).by(By::Seat("dragon")),
        Verb::new("declare_fury", &[]).by(DWARVES_ALONE),
        Verb::new("pass", &[]),
    ],
};
