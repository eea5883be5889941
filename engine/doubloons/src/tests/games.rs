//! The whole games of `fixtures/doubloons/games`, and the princes who play them.

use super::scripted::{self, Script, Stop};

/// A small map for a short war: two homes, three cities between them.
pub(super) const VALLEY: &str = r#"{"format": "dbd-map/1", "source": "made for whole games", "name": "The Valley", "coords": "axial",
    "legend": {".": "clear", "r": "rough", "d": "difficult", "~": "water", "C": "city"},
    "rows": [{"r": -3, "q": 0, "t": "...."}, {"r": -2, "q": -1, "t": ".r..."}, {"r": -1, "q": -2, "t": "..C.d."},
        {"r": 0, "q": -3, "t": "C..C..C"}, {"r": 1, "q": -3, "t": ".d..C."}, {"r": 2, "q": -3, "t": "...r~"}, {"r": 3, "q": -3, "t": "...~"}],
    "cities": [{"id": 1, "name": "Westgate", "q": -3, "r": 0, "port": false, "seat": 1},
        {"id": 2, "name": "Eastgate", "q": 3, "r": 0, "port": false, "seat": 2},
        {"id": 3, "name": "Midford", "q": 0, "r": 0, "port": false, "seat": null},
        {"id": 4, "name": "Northmill", "q": 0, "r": -1, "port": false, "seat": null},
        {"id": 5, "name": "Southmill", "q": 1, "r": 1, "port": false, "seat": null}],
    "seats": {"2": [1, 2]}}"#;

fn scripts() -> Vec<Script> {
    let valley = format!(r#"{{"players": 2, "map": {VALLEY}}}"#);
    let script = |name, title, options: &str, seed, stop, as_tape| Script {
        name,
        title,
        version: 1,
        options: options.to_owned(),
        seed,
        stop,
        as_tape,
    };
    vec![
        script(
            "G03-the-valley",
            "Two princes fight for a valley until one holds all of it.",
            &valley,
            "valley 1",
            Stop::Never,
            false,
        ),
        script(
            "G04-the-valley-at-a-table",
            "The war for the valley as a table wrote it down, die by die.",
            &valley,
            "valley 1",
            Stop::Never,
            true,
        ),
        script(
            "G05-the-valley-again",
            "Another war for the valley.",
            &valley,
            "valley 2",
            Stop::Never,
            false,
        ),
        script(
            "G06-two-on-the-rose",
            "Two princes on the reference map; the one who is behind resigns.",
            r#"{"players": 2}"#,
            "rose 2",
            Stop::Resign(9),
            false,
        ),
        script(
            "G07-three-on-the-rose",
            "Three princes; whoever is behind resigns until one is left.",
            r#"{"players": 3}"#,
            "rose 3",
            Stop::Resign(8),
            false,
        ),
        script(
            "G08-four-on-the-rose",
            "A long war of four princes, who agree to stop.",
            r#"{"players": 4}"#,
            "rose 4",
            Stop::Agree(26),
            false,
        ),
        script(
            "G09-six-on-a-generated-map",
            "Six princes on a generated map agree to stop.",
            r#"{"players": 6, "map": "generated"}"#,
            "rose 6",
            Stop::Agree(9),
            false,
        ),
        Script {
            version: 2,
            ..script(
                "G10-the-valley-by-doubloons-2",
                "The war for the valley by doubloons@2.",
                &valley,
                "valley 3",
                Stop::Never,
                false,
            )
        },
    ]
}

/// The whole games come out of the scripted princes as they are stored; with `UMPIRE_PLAY` set
/// they are written anew.
#[test]
fn whole_games_are_played_as_stored() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/doubloons/games");
    for script in scripts() {
        let path = folder.join(format!("{}.json", script.name));
        let played = scripted::fixture(&script);
        if std::env::var_os("UMPIRE_PLAY").is_some() {
            std::fs::write(&path, played.to_string()).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let stored: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(stored["record"]["actions"], played["record"]["actions"], "{}", script.name);
        assert_eq!(stored["expect"], played["expect"], "{}", script.name);
    }
}
