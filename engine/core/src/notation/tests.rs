//! The grammar on a made-up game: two cats and what they do.

use serde_json::{Value, json};

use super::*;
use crate::record::{Fault, FaultCode};

const CATS: Shape = Shape::Short(&[("G", "ginger"), ("T", "tabby")]);

static GRAMMAR: Grammar = Grammar {
    verbs: &[
        Verb::new(
            "leap",
            &[
                Part::Is("cats", Shape::List(&CATS)),
                Part::Word("to"),
                Part::Is("path", Shape::List(&Shape::Hex)),
            ],
        ),
        Verb::new(
            "pounce",
            &[Part::Any(
                "on",
                Shape::List(&Shape::Object(&[
                    Part::Is("cat", CATS),
                    Part::Arrow,
                    Part::Is("mouse", Shape::Name),
                ])),
            )],
        )
        .by(By::Other),
        Verb::new(
            "eat",
            &[
                Part::Is("mouse", Shape::OrNull("nothing", &Shape::Name)),
                Part::Flag("loudly", "purr"),
                Part::Led("with", "sauce", Shape::Number("s")),
            ],
        )
        .also(&["devour"]),
        Verb::new("wake", &[]).by(By::Seat("south")),
        Verb::new(
            "toy",
            &[
                Part::Is("name", Shape::Name),
                Part::Choice(
                    "use",
                    &[
                        Form { word: "chase", parts: &[Part::May("times", Shape::Number(""))] },
                        Form {
                            word: "bring",
                            parts: &[Part::Is("back", Shape::YesNo("back", "away"))],
                        },
                    ],
                ),
            ],
        )
        .by(By::Owner("name", &[("n_", "north"), ("s_", "south")])),
        Verb::new(
            "share",
            &[Part::Keyed(&[("G", "ginger"), ("T", "tabby")], Shape::Number(""), true)],
        ),
        Verb::new(
            "trade",
            &[Part::Is(
                "items",
                Shape::List(&Shape::OneOf(
                    Some("kind"),
                    &[
                        Form { word: "fish", parts: &[Part::Is("count", Shape::Number(""))] },
                        Form { word: "promise", parts: &[Part::Is("text", Shape::Text)] },
                    ],
                )),
            )],
        ),
    ],
};

fn check(text: &str) -> Result<(), Fault> {
    let action: Value = serde_json::from_str(text).unwrap();
    match action["mouse"].as_str() {
        Some("cheese") => Err(Fault::new(
            FaultCode::BadRecord,
            "/mouse",
            "\"cheese\" is unknown; a mouse is expected",
        )),
        _ => Ok(()),
    }
}

const CAT: Dialect = Dialect { game: "cat", seats: &["north", "south"], grammar: &GRAMMAR, check };

fn read(line: &str, turn: &mut Turn) -> Result<Value, Mistake> {
    read_action(CAT, line, turn).map(|text| serde_json::from_str(&text).unwrap())
}

/// What a line says of north, whichever way it says it.
#[track_caller]
fn says(line: &str, action: Value) {
    assert_eq!(read(line, &mut Turn::of("north")), Ok(action), "{line}");
}

#[test]
fn parts_stand_in_their_order_and_signs_may_be_left_out() {
    let leap = |cats: Value, path: Value| json!({"type": "leap", "player": "north", "cats": cats, "path": path});
    let both = leap(json!(["ginger", "tabby"]), json!([[1, -2], [0, 3]]));
    for line in [
        "leap [G,T] to 1,-2 0,3",
        "leap [ ginger, T ] 1,-2, 0,3",
        "leap [G T] to [1,-2] [0,3]",
        "leap [G,T] to [[1,-2],[0,3]]",
        "leap [G,T] to (1, \u{2212}2), (0, 3)",
        "north: leap [G,T] to [1,-2 0,3]",
        "n: leap cats=[G,T] path=[[1,-2],[0,3]]",
        "leap path=[1,-2 0,3] [G,T]",
        "leap [G,\n  T] to 1,-2 0,3",
    ] {
        says(line, both.clone());
    }
    says("leap G to 1,2", leap(json!(["ginger"]), json!([[1, 2]])));
    says("leap [] to []", leap(json!([]), json!([])));
}

#[test]
fn what_may_be_missing_is_missing_and_what_is_empty_is_empty() {
    says("eat m1", json!({"type": "eat", "player": "north", "mouse": "m1"}));
    says("devour nothing", json!({"type": "eat", "player": "north", "mouse": null}));
    says("eat \"nothing\"", json!({"type": "eat", "player": "north", "mouse": "nothing"}));
    says(
        "eat m1 loudly with s3",
        json!({"type": "eat", "player": "north", "mouse": "m1", "purr": true, "sauce": 3}),
    );
    says("pounce", json!({"type": "pounce", "player": "south", "on": []}));
    says(
        "pounce G->m1, T \u{2192} m2",
        json!({"type": "pounce", "player": "south", "on": [{"cat": "ginger", "mouse": "m1"}, {"cat": "tabby", "mouse": "m2"}]}),
    );
    says(
        "toy n_ball chase",
        json!({"type": "toy", "player": "north", "name": "n_ball", "use": "chase"}),
    );
    says(
        "toy n_ball bring away",
        json!({"type": "toy", "player": "north", "name": "n_ball", "use": "bring", "back": false}),
    );
    says("share T 1, G 2", json!({"type": "share", "player": "north", "tabby": 1, "ginger": 2}));
    says(
        "share T=1 ginger=2",
        json!({"type": "share", "player": "north", "tabby": 1, "ginger": 2}),
    );
    says(
        r#"trade fish 3, promise "no -> more, # ever""#,
        json!({"type": "trade", "player": "north", "items": [
            {"kind": "fish", "count": 3}, {"kind": "promise", "text": "no -> more, # ever"}]}),
    );
}

#[test]
fn what_nobody_knows_is_a_question_mark() {
    says("eat ?", json!({"type": "eat", "player": "north", "mouse": "?"}));
    says(
        "eat ?(m1|m2)",
        json!({"type": "eat", "player": "north", "mouse": {"one_of": ["m1", "m2"]}}),
    );
    says(
        "leap ?(G|[T,G]) to ?",
        json!({"type": "leap", "player": "north", "path": "?",
        "cats": {"one_of": [["ginger"], ["tabby", "ginger"]]}}),
    );
    says(
        "leap [?, G] to [?]",
        json!({"type": "leap", "player": "north", "cats": ["?", "ginger"], "path": ["?"]}),
    );
    says(
        "toy ? ?(chase|bring)",
        json!({"type": "toy", "player": "north", "name": "?",
        "use": {"one_of": ["chase", "bring"]}}),
    );
    says(
        "pounce [?->m1]",
        json!({"type": "pounce", "player": "south", "on": [{"cat": "?", "mouse": "m1"}]}),
    );
}

#[test]
fn notes_stand_at_the_end_of_a_line() {
    let noted = |note: &str| json!({"type": "wake", "player": "south", "note": note});
    says("wake # at last", noted("at last"));
    says("wake -- at last # really", noted("at last # really"));
    says("wake # \" at\\nlast \"", noted(" at\nlast "));
    says("wake #", json!({"type": "wake", "player": "south"}));
    says(
        r#"{"type": "purr", "player": 7} # a line in JSON"#,
        json!({"type": "purr", "player": 7, "note": "a line in JSON"}),
    );
}

/// Quotation marks, dashes and capitals as word processors and telephones make them.
#[test]
fn what_a_word_processor_makes_of_notes_is_read() {
    let noted = |note: &str| json!({"type": "wake", "player": "south", "note": note});
    says("Wake \u{2014} at last", noted("at last"));
    says("wake \u{2013} at last", noted("at last"));
    says(
        "Leap G 1,\u{2013}2",
        json!({"type": "leap", "player": "north", "cats": ["ginger"], "path": [[1, -2]]}),
    );
    says(
        "South: eat \u{201c}m one\u{201d}",
        json!({"type": "eat", "player": "south", "mouse": "m one"}),
    );
    let notes = "Game: Cat\nPlayers: North = \u{201e}Ada, the first\u{201c}, south = \u{ab}Bo\u{bb}\nTape:\n\
                 Draw north n_ball\nActions:\n1. North: Eat nothing\n";
    let read = read_record(notes, &[CAT]).expect("notes");
    let record: Value = serde_json::from_str(&read.record).expect("a record");
    assert_eq!(record["game"], "cat");
    assert_eq!(record["players"], json!({"north": "Ada, the first", "south": "Bo"}));
    assert_eq!(record["chance"]["tape"][0]["kind"], "draw");
    assert_eq!(
        record["actions"][0],
        json!({"type": "eat", "player": "north", "mouse": Value::Null})
    );
    // Such a mark that is part of a name stays one.
    let mut named = record;
    named["players"]["south"] = "\u{201c}Bo\u{201d}".into();
    let notes = write_record(&named.to_string(), &[CAT]).expect("notes");
    assert_eq!(read_record(&notes, &[CAT]).expect("notes").record, named.to_string());
}

#[test]
fn whose_action_it_is_follows_from_the_line_the_action_or_the_line_before() {
    let mut turn = Turn::default();
    let nobody = read("eat m1", &mut turn).unwrap_err();
    assert_eq!((nobody.line, nobody.column), (1, 1));
    assert!(nobody.message.contains("north:, south:"), "{nobody}");
    let mut who = |line: &str| {
        let action = read(line, &mut turn).unwrap_or_else(|mistake| panic!("{line}: {mistake}"));
        action["player"].as_str().unwrap().to_owned()
    };
    assert_eq!(who("north: eat m1"), "north");
    assert_eq!(who("eat m2"), "north");
    // An answer is the other's, and what only one seat does is that seat's; the turn stays.
    assert_eq!(who("pounce"), "south");
    assert_eq!(who("wake"), "south");
    assert_eq!(who("north: wake"), "north");
    assert_eq!(who("eat m3"), "north");
    // A thing that belongs to somebody says whose turn it is.
    assert_eq!(who("toy s_ball chase"), "south");
    assert_eq!(who("eat m4"), "south");
    assert_eq!(who("pounce"), "north");
    assert_eq!(who("s: toy n_ball chase"), "south");
}

#[test]
fn what_cannot_be_read_is_told_at_its_place() {
    for (line, column, what) in [
        (
            "jump G",
            1,
            "\"jump\" is not an action of cat; they are leap, pounce, eat, wake, toy, share, trade",
        ),
        ("north: jump G", 8, "\"jump\" is not an action"),
        ("", 1, "an action is expected, not the end of the line"),
        (
            "leap",
            5,
            "cats is missing: a list, each item one of G (ginger), T (tabby), is expected, not the end",
        ),
        ("leap [G] to 1", 14, "a hex, as 1,-2, is expected, not the end of the line"),
        ("leap [G] to (1,2]", 17, ") is expected after a hex, not \"]\""),
        ("leap [G to 1,2", 15, "] is expected"),
        ("eat m1 noisily", 8, "the line should end before \"noisily\""),
        ("eat m1 mouse=m2", 8, "mouse is given twice"),
        ("eat m1 with salt", 13, "a whole number is expected, not \"salt\""),
        ("eat  cheese", 6, "\"cheese\" is unknown; a mouse is expected"),
        ("eat mouse = cheese", 13, "\"cheese\" is unknown"),
        ("toy n_ball", 11, "use is one of chase, bring, not the end of the line"),
        ("toy n_ball throw", 12, "use is one of chase, bring, not \"throw\""),
        ("toy n_ball bring home", 18, "back or away is expected, not \"home\""),
        ("share T 1", 10, "ginger is missing: a whole number is expected"),
        ("share T 1 T 2", 11, "tabby is given twice"),
        ("trade fish 3, promise no", 23, "text between quotation marks is expected, not \"no\""),
        ("trade mice 3", 7, "one of fish, promise is expected, not \"mice\""),
        ("{\"type\": ", 1, "this is no JSON"),
    ] {
        let mistake = read(line, &mut Turn::of("north")).unwrap_err();
        assert_eq!((mistake.line, mistake.column), (1, column), "{line}: {mistake}");
        assert!(mistake.message.starts_with(what), "{line}: {mistake}");
    }
}

#[test]
fn what_is_written_is_short_where_it_can_be_and_whole_where_it_cannot() {
    let mut turn = Turn::default();
    for (action, line) in [
        (
            json!({"type": "leap", "player": "north", "cats": ["ginger"], "path": [[1, -2], [0, 3]]}),
            "north: leap [G] to 1,-2 0,3",
        ),
        (json!({"type": "pounce", "player": "south", "on": []}), "pounce"),
        (
            json!({"type": "pounce", "player": "north", "on": [{"cat": "tabby", "mouse": "m 1"}]}),
            "north: pounce T->\"m 1\"",
        ),
        (
            json!({"type": "eat", "player": "south", "mouse": "m1", "purr": true, "note": "so"}),
            "south: eat m1 loudly  # so",
        ),
        (
            json!({"type": "eat", "player": "south", "mouse": "m1", "purr": false}),
            "eat m1 purr=false",
        ),
        (
            json!({"type": "eat", "player": "south", "mouse": "m1", "salt": [1, "x"]}),
            "eat m1 salt=[1, x]",
        ),
        (json!({"type": "eat", "player": "south"}), r#"{"type":"eat","player":"south"}"#),
        (
            json!({"type": "eat", "player": "west", "mouse": "m1"}),
            r#"{"type":"eat","player":"west","mouse":"m1"}"#,
        ),
        (
            json!({"type": "toy", "player": "south", "name": "s_ball", "use": "chase", "times": 2}),
            "toy s_ball chase 2",
        ),
        (
            json!({"type": "toy", "player": "south", "name": "s_ball", "times": 2, "use": "bring", "back": "?"}),
            "toy s_ball bring ? times=2",
        ),
        (json!(7), "7"),
    ] {
        let mut again = turn.clone();
        let written = write_action(CAT, &action.to_string(), &mut turn).unwrap();
        assert_eq!(written, line);
        if action.is_object() {
            assert_eq!(read(&written, &mut again), Ok(action));
            assert_eq!(again, turn);
        }
    }
}

const NOTES: &str = "\
# Two cats on a Friday.
game: cat
players: north = Ada Byron, s = \"Bo, the elder\"   # at the window
ruling CAT-R5 = friends
option naps = [1, 2]
meta round = 3
meta place = \"the yard\"
note: it rained # from eight on
omitted: pounces, naps

tape:
draw north n_ball
dice yarn 3 4 ?
shuffle south s_ball ? s_bell ply=0

actions:
north:
1. eat m1 with 3
   * die yarn ?(5|6)
   pounce G->m1        # nobody saw it
2) eat m2

checkpoint {mice: {left: 3}}
3. south: toy s_ball chase
checkpoint 1 viewer=south {hand: [s_bell]}
claims: {outcome: {winner: north}}
";

#[test]
fn a_record_is_read_from_notes() {
    let noted = read_record(NOTES, &[CAT]).unwrap();
    let record: Value = serde_json::from_str(&noted.record).unwrap();
    let expected = json!({
        "format": "umpire/1",
        "game": "cat",
        "options": {"naps": [1, 2], "rulings": {"CAT-R5": "friends"}},
        "players": {"north": "Ada Byron", "south": "Bo, the elder"},
        "chance": {"tape": [
            {"kind": "draw", "side": "north", "card": "n_ball"},
            {"kind": "dice", "at": "yarn", "values": [3, 4, "?"]},
            {"kind": "shuffle", "side": "south", "order": ["s_ball", "?", "s_bell"], "ply": 0},
            {"kind": "die", "at": "yarn", "value": {"one_of": [5, 6]}},
        ]},
        "actions": [
            {"type": "eat", "player": "north", "mouse": "m1", "sauce": 3},
            {"type": "pounce", "player": "south", "on": [{"cat": "ginger", "mouse": "m1"}], "note": "nobody saw it"},
            {"type": "eat", "player": "north", "mouse": "m2"},
            {"type": "toy", "player": "south", "name": "s_ball", "use": "chase"},
        ],
        "claims": {"outcome": {"winner": "north"}},
        "checkpoints": [
            {"ply": 3, "facts": {"mice": {"left": 3}}},
            {"ply": 1, "viewer": "south", "facts": {"hand": ["s_bell"]}},
        ],
        "note": "it rained",
        "meta": {"round": 3, "place": "the yard"},
        "omitted": ["pounces", "naps"],
    });
    assert_eq!(record, expected);
    assert_eq!(noted.lines, [18, 20, 21, 24]);
    let names: Vec<&String> = record.as_object().unwrap().keys().collect();
    assert_eq!(names[..3], ["format", "game", "options"]);
}

#[test]
fn a_record_is_the_same_after_notes() {
    for record in [
        serde_json::from_str(&read_record(NOTES, &[CAT]).unwrap().record).unwrap(),
        json!({"format": "umpire/1", "game": "cat", "chance": {"seed": "x"}, "actions": []}),
        json!({"format": "umpire/7", "game": "cat", "ruleset": "cat@1", "options": {}, "players": {},
            "chance": {"seed": " \"x\" # y", "tape": [], "fair": {"table": "1"}}, "meta": {}, "checkpoints": [],
            "position": {"a b": [null, 1.5]}, "note": "two\nlines", "omitted": "?", "strange": {"": 1},
            "actions": [{"type": "eat"}, {"note": 5}]}),
        json!({"format": "umpire/1", "game": "cat", "players": {"north": "A, B", "south": "\"x\""},
            "chance": {"tape": {"partial": true, "entries": [{"kind": "omen"}]}}, "actions": [],
            "options": {"rulings": {}}, "claims": null}),
    ] {
        let notes = write_record(&record.to_string(), &[CAT]).unwrap();
        let noted = read_record(&notes, &[CAT]).unwrap_or_else(|it| panic!("{notes}\n{it:?}"));
        assert_eq!(serde_json::from_str::<Value>(&noted.record).unwrap(), record, "{notes}");
    }
}

#[test]
fn every_mistake_of_notes_is_told_with_its_place() {
    let notes = "game: dog\ngame: cat\nseed:\nnorth: eat m1\n  jump\n\nplayers: north\ntape:\ndraw north\nthrow 3\nactions:\neat cheese\noption x 3\nfield game = 7\n";
    let mistakes = read_record(notes, &[CAT]).unwrap_err();
    let listed: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    let expected = [
        "1:7: \"dog\" is no game here; they are cat",
        "3:6: text is expected here",
        "5:3: \"jump\" is not an action of cat; they are",
        "7:15: the name of the player north is expected here",
        "9:11: card is missing: a name is expected, not the end of the line",
        "10:1: one of draw, shuffle, die, dice is expected, not \"throw\"",
        "12:5: \"cheese\" is unknown; a mouse is expected",
        "13:1: \"option\" is not an action",
        "14:1: game is given twice",
    ];
    assert_eq!(listed.len(), expected.len(), "{listed:#?}");
    for (listed, expected) in listed.iter().zip(expected) {
        assert!(listed.starts_with(expected), "{listed}");
    }
    let nameless = read_record("north: eat m1\n", &[CAT]).unwrap_err();
    assert!(nameless[0].message.contains("which game is it?"), "{nameless:?}");
    assert!(read_record("", &[CAT]).unwrap_err()[0].message.contains("game:"));
    assert_eq!(read_record(&"jump\n".repeat(50), &[CAT]).unwrap_err().len(), 20);
}

#[test]
fn a_game_without_a_table_is_written_field_by_field() {
    let plain = Dialect { grammar: &Grammar::PLAIN, ..CAT };
    let action = json!({"type": "leap", "player": "south", "far": true, "over": ["a b", {"x": 1}]});
    let mut turn = Turn::default();
    let line = write_action(plain, &action.to_string(), &mut turn).unwrap();
    assert_eq!(line, r#"south: leap far=true over=["a b", {x: 1}]"#);
    let read = read_action(plain, &line, &mut Turn::default()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read).unwrap(), action);
    assert!(usage(plain).is_empty());
}

#[test]
fn how_actions_are_written_can_be_told() {
    let usage = usage(CAT);
    assert_eq!(usage[0], "leap [CAT, …] to [q,r, …]");
    assert!(usage.contains(&"toy NAME chase (TIMES)".to_owned()), "{usage:?}");
    assert!(usage.contains(&"wake".to_owned()), "{usage:?}");
}
