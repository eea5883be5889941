//! How actions are written by hand: the short form of the rules document, hexes as `3,4`, units as `20` or
//! `u20`.
//!
//! A table. Must not know a rule.

use crate::Doubloons;
use umpire_core::game::Notation;
use umpire_core::notation::{Form, Grammar, Part, Shape, Verb};

impl Notation for Doubloons {
    fn grammar() -> &'static Grammar {
        &GRAMMAR
    }
}

const UNIT: Shape = Shape::Number("u");
const NUMBER: Shape = Shape::Number("");
const CITY: Part = Part::Is("city", NUMBER);
const UNITS: Part = Part::Is("units", Shape::List(&UNIT));
const SHIP: Part = Part::Is("ship", UNIT);
const TO: Part = Part::Is("to", Shape::Hex);

/// `p1->p2`
const FROM_TO: [Part; 3] =
    [Part::Is("from", Shape::Name), Part::Arrow, Part::Is("to", Shape::Name)];

/// What changes hands: `gold 5 p1->p2`, `treaty p1->p2`, `promise p3->p1 "no attack"`.
const ITEMS: &[Form] = &[
    Form { word: "gold", parts: &[Part::Is("amount", NUMBER), FROM_TO[0], FROM_TO[1], FROM_TO[2]] },
    Form { word: "unit", parts: &[Part::Is("unit", UNIT), FROM_TO[0], FROM_TO[1], FROM_TO[2]] },
    Form { word: "city", parts: &[CITY, FROM_TO[0], FROM_TO[1], FROM_TO[2]] },
    Form { word: "favor", parts: &FROM_TO },
    Form {
        word: "treaty",
        parts: &[Part::Is("between", Shape::Tuple(&[Shape::Name, Shape::Name]))],
    },
    Form {
        word: "promise",
        parts: &[FROM_TO[0], FROM_TO[1], FROM_TO[2], Part::Is("text", Shape::Text)],
    },
];

/// What the favour of the Church is played for.
const USES: &[Form] = &[
    Form {
        word: "hold_stack",
        parts: &[Part::May("hex", Shape::Hex), Part::May("owner", Shape::Name)],
    },
    Form { word: "protect_city", parts: &[Part::May("city", NUMBER)] },
    Form { word: "make_neutral", parts: &[Part::May("city", NUMBER)] },
    Form { word: "first", parts: &[] },
    Form { word: "bid_bonus", parts: &[] },
];

/// What a spy's success is aimed at.
const TARGET: Shape = Shape::OrNull(
    "none",
    &Shape::OneOf(
        None,
        &[
            Form { word: "unit", parts: &[Part::Is("unit", UNIT)] },
            Form {
                word: "stack",
                parts: &[Part::Is("hex", Shape::Hex), Part::Is("owner", Shape::Name)],
            },
            Form { word: "city", parts: &[CITY] },
            Form { word: "player", parts: &[Part::Is("player", Shape::Name)] },
        ],
    ),
);

const DEAL: &[Part] =
    &[Part::Is("deal", NUMBER), Part::Is("accept", Shape::YesNo("accept", "reject"))];

/// The table.
static GRAMMAR: Grammar = Grammar {
    verbs: &[
        Verb::new("bid", &[Part::Is("amount", NUMBER), Part::Flag("skip", "skip_trading")]),
        Verb::new(
            "propose_deal",
            &[Part::Is("items", Shape::List(&Shape::OneOf(Some("kind"), ITEMS)))],
        )
        .also(&["propose"]),
        Verb::new("respond_deal", DEAL).also(&["respond"]),
        Verb::new("cancel_treaty", &[Part::Is("with", Shape::Name)]),
        Verb::new("use_favor", &[Part::Choice("use", USES)]),
        Verb::new("pay_upkeep", &[Part::Is("amount", NUMBER)]),
        Verb::new("disband", &[UNITS]),
        Verb::new(
            "recruit",
            &[CITY, Part::Is("unit_type", Shape::Name), Part::Flag("favor", "favor")],
        ),
        Verb::new("spy", &[Part::Is("gold", NUMBER)]),
        Verb::new(
            "spy_target",
            &[Part::Led("mission", "mission", NUMBER), Part::Is("target", TARGET)],
        ),
        Verb::new("favor_negate", &[Part::Is("use", Shape::YesNo("yes", "no"))]),
        Verb::new("favor_first", &[Part::Is("use", Shape::YesNo("yes", "no"))]),
        Verb::new("move", &[UNITS, Part::Word("by"), Part::Is("path", Shape::List(&Shape::Hex))]),
        Verb::new("embark", &[UNITS, Part::Word("on"), SHIP]),
        Verb::new("disembark", &[UNITS, Part::Word("from"), SHIP, Part::Word("to"), TO]),
        Verb::new("attack", &[Part::Is("target", Shape::Hex), Part::Word("with"), UNITS]),
        Verb::new(
            "declare_targets",
            &[
                Part::Led("all", "all", UNIT),
                Part::May("targets", Shape::List(&Shape::Tuple(&[UNIT, UNIT]))),
            ],
        )
        .also(&["aim"]),
        Verb::new("advance", &[UNITS]),
        Verb::new("establish_route", &[Part::Is("merchant", UNIT), Part::Is("good", Shape::Name)])
            .also(&["route"]),
        Verb::new("diplomacy", &[CITY, Part::Flag("favor", "favor")]),
        Verb::new("end_phase", &[Part::May("through", Shape::Name)]).also(&["end"]),
        Verb::new("resign", &[]),
        Verb::new("agree_end", &[]),
    ],
};
