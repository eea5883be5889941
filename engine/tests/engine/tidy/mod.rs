//! The rules that the tree itself must obey: what may be named where, which room may use which, and
//! what may not be written at all. Each test catches one smell; adding a game must not touch this
//! file.

mod imports;
mod loops;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;
use umpire_engine::rules::RuleKind;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Rust file: its path from the root, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The code in front of its unit tests, line by line, without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        lines.enumerate().map(|(at, line)| (at + 1, without_comment(line)))
    }

    /// Whether the file holds tests alone.
    fn tests_only(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }
}

fn without_comment(line: &str) -> &str {
    match line.find("//") {
        // The two strokes of an address are no comment.
        Some(at) if !line[..at].ends_with(':') => &line[..at],
        _ => line,
    }
}

/// Every Rust file below some folders of the repository.
fn sources<S: AsRef<str>>(folders: &[S]) -> Vec<Source> {
    let mut open: Vec<PathBuf> =
        folders.iter().map(|folder| root().join(folder.as_ref())).collect();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name == "target") {
                continue;
            }
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|entry| entry.path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source can be read");
            let path = path.strip_prefix(root()).expect("a path below the root");
            let path = path.to_string_lossy().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
    found.sort_by(|one, two| one.path.cmp(&two.path));
    found
}

/// The source folders of the games.
fn games() -> Vec<String> {
    GAMES.iter().map(|game| format!("engine/{}/src", game.meta().id)).collect()
}

/// The source folders of the engine: the core, the registry, and the games.
fn engine() -> Vec<String> {
    ["engine/core/src", "engine/src"].map(str::to_owned).into_iter().chain(games()).collect()
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| !word.is_empty())
}

#[track_caller]
fn none(found: &[String], because: &str) {
    assert!(found.is_empty(), "{because}:\n{}", found.join("\n"));
}

/// What a game may be called: its id and the names in its title.
fn names(game: &dyn AnyGame) -> BTreeSet<String> {
    let title = words(game.meta().title);
    let proper = title.filter(|word| word.len() > 3 && word.starts_with(char::is_uppercase));
    [game.meta().id.to_owned()].into_iter().chain(proper.map(str::to_lowercase)).collect()
}

#[test]
fn no_game_is_named_outside_its_folder() {
    let mut found = Vec::new();
    let generic = [
        "engine/core",
        "engine/src",
        "engine/tests",
        "engine/testing",
        "engine/fuzz",
        "api/src",
        "conformance",
    ];
    for source in sources(&generic) {
        let file = source.path.rsplit('/').next().unwrap_or_default().to_owned();
        for game in GAMES.iter() {
            let id = game.meta().id;
            let own = source.path == "engine/src/lib.rs"
                || (source.path.starts_with("api/") && source.tests_only())
                || file.starts_with(id);
            if own {
                continue;
            }
            let names = names(*game);
            for (line, code) in source.code() {
                let code = code.to_lowercase();
                if let Some(name) = names.iter().find(|name| code.contains(name.as_str())) {
                    found.push(format!("{}:{line} names {name}", source.path));
                }
            }
        }
    }
    none(&found, "a game is named only in its folder, the registry, fixtures and docs");
}

#[test]
fn the_registry_holds_every_folder() {
    let entries = std::fs::read_dir(root().join("engine")).expect("the engine's folder").flatten();
    let folders: BTreeSet<String> = entries
        .filter(|entry| entry.path().join("src/rulebook.rs").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let ids: BTreeSet<String> = GAMES.iter().map(|game| game.meta().id.to_owned()).collect();
    assert_eq!(folders, ids);
    assert_eq!(ids.len(), GAMES.len(), "an id is given twice");
}

/// The files of a game, chapters aside. What one of them holds is said in `docs/architecture.md`.
const FILES: [&str; 21] = [
    "action",
    "advice",
    "art",
    "condition",
    "event",
    "invariants",
    "lib",
    "menu",
    "notation",
    "notice",
    "position",
    "rulebook",
    "scene",
    "sequence",
    "setup",
    "state",
    "story",
    "tables",
    "tests",
    "unknown",
    "view",
];

/// A file that a game has where it can be told in other languages than English.
const OTHER_LANGUAGES: &str = "words";

/// Where the files of a game differ from those of every game: the paths are below its `src`.
fn other_files(game: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let chapter = |name: &str| {
        let name = name.as_bytes();
        matches!(name, [b'c', b'h', a, b, b'_', ..] if a.is_ascii_digit() && b.is_ascii_digit())
    };
    let tops: BTreeSet<&str> = paths.iter().filter_map(|path| path.strip_suffix(".rs")).collect();
    let tops: BTreeSet<&str> = tops.into_iter().filter(|path| !path.contains('/')).collect();
    let mut found = Vec::new();
    for name in FILES.iter().filter(|name| !tops.contains(*name)) {
        found.push(format!("{game} has no {name}.rs"));
    }
    let known = |name: &&&str| FILES.contains(*name) || **name == OTHER_LANGUAGES || chapter(name);
    for name in tops.iter().filter(|name| !known(name)) {
        found.push(format!("{game} has {name}.rs, which no other game has"));
    }
    let folders = paths.iter().filter_map(|path| path.split_once('/').map(|(folder, _)| folder));
    for folder in folders.collect::<BTreeSet<_>>() {
        if !tops.contains(folder) {
            found.push(format!("{game} has the parts {folder}/ of no file {folder}.rs"));
        }
    }
    found
}

#[test]
fn every_game_has_the_same_files() {
    let mut found = Vec::new();
    for (game, folder) in GAMES.iter().zip(games()) {
        let below = |path: String| path.strip_prefix(&format!("{folder}/")).map(str::to_owned);
        let paths = sources(&[&folder]).into_iter().filter_map(|it| below(it.path)).collect();
        found.extend(other_files(game.meta().id, &paths));
    }
    none(&found, "who knows one game finds everything in the next one");
}

/// What follows an action is decided in one place, so a chapter leads on to nothing.
#[test]
fn no_chapter_decides_what_follows_it() {
    let mut found = Vec::new();
    for source in sources(&games()) {
        let chapter = source.path.split("/src/").nth(1).is_some_and(|path| path.starts_with("ch"));
        for (line, code) in source.code().filter(|_| chapter) {
            if words(code).any(|word| word == "sequence") {
                found.push(format!("{}:{line} uses sequence.rs", source.path));
            }
        }
    }
    none(&found, "a chapter carries out its decision and does not know what comes after it");
}

/// Words that meant two things or none, and what says it now.
const OLD_NAMES: [(&str, &str); 16] = [
    ("Opened", "OpenedTable, Submission"),
    ("How", "PartingKind, CardUse, …"),
    ("Fact", "Evidence, Event, ViewChange"),
    ("Halted", "TapeFault"),
    ("Steady", "RecordedChance"),
    ("Ran", "Run"),
    ("Last", "LastStep"),
    ("Cx", "Ctx"),
    ("holder_fault", "check_holds_favour"),
    ("asked_fault", "check_is_asked"),
    ("c4_4_pool", "check_pool"),
    ("unfit", "tape_violation"),
    ("told", "render"),
    ("prints", "fingerprints"),
    ("alike", "same_for_referee"),
    ("unlike", "similarity, edit_cost"),
];

/// The old names in a file, outside of comments and texts.
fn old_names(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    // A name of the description stays as long as the interface does.
    let promised = |code: &str| code.contains("schema(as =");
    for (line, code) in source.code().filter(|(_, code)| !promised(code)) {
        // Texts stand between quotes: every second part.
        for part in code.split('"').step_by(2) {
            for (old, new) in OLD_NAMES.iter().filter(|(old, _)| words(part).any(|it| it == *old)) {
                found.push(format!("{}:{line} says {old}; now: {new}", source.path));
            }
        }
    }
    found
}

#[test]
fn no_name_of_old_comes_back() {
    let all = ["engine", "api/src", "conformance/src"].map(str::to_owned);
    let sources = sources(&all).into_iter().filter(|it| !it.path.contains("/tests/"));
    let found: Vec<String> = sources.flat_map(|source| old_names(&source)).collect();
    none(&found, "a name says one thing");
}

/// The rooms of the core: each uses only those in front of it.
const ROOMS: [&str; 21] = [
    "budget",
    "words",
    "rules",
    "wire",
    "digest",
    "schema",
    "board",
    "chance",
    "record",
    "notation",
    "scene",
    "game",
    "people",
    "replay",
    "partial",
    "analysis",
    "dispute",
    "report",
    "incomplete",
    "live",
    "any_game",
];

/// The rooms of the service, in the order in which they use each other.
const SERVICE: [&str; 12] = [
    "http",
    "limits",
    "auth",
    "store",
    "jobs",
    "documents",
    "tables",
    "service",
    "routes",
    "app",
    "openapi",
    "cli",
];

/// The rooms behind its own that a file uses, by its path below the source folder of its crate.
fn climbs(rooms: &[&str], path: &str, source: &Source) -> Vec<String> {
    let place = |name: &str| rooms.iter().position(|room| *room == name);
    let room = path.split(['/', '.']).next().unwrap_or_default();
    if ["lib", "main"].contains(&room) {
        return Vec::new();
    }
    let Some(own) = place(room) else { return vec![format!("{path} lies in no room")] };
    let mut found = Vec::new();
    for (line, code) in source.code() {
        for used in code.split("crate::").skip(1) {
            let used = words(used).next().unwrap_or_default();
            if place(used).is_some_and(|used| used > own) {
                found.push(format!("{path}:{line} uses {used}"));
            }
        }
    }
    found
}

#[test]
fn each_room_uses_only_those_in_front_of_it() {
    for (folder, rooms) in [("engine/core/src", &ROOMS[..]), ("api/src", &SERVICE)] {
        let all = sources(&[folder]);
        let path = |source: &Source| source.path[folder.len() + 1..].to_owned();
        let found: Vec<String> = all.iter().flat_map(|it| climbs(rooms, &path(it), it)).collect();
        none(&found, &format!("a room of {folder} uses one behind it"));
    }
    // So that a newcomer sees the house from the listing.
    let top = std::fs::read_dir(root().join("api/src")).expect("the rooms").count();
    assert!(top <= 14, "{top} entries at the top of api/src");
}

/// The source folders of the crates of the workspace.
fn crates() -> Vec<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let (_, members) = manifest.split_once("members = [").expect("the members");
    let (members, _) = members.split_once(']').expect("the end of the members");
    members.split('"').skip(1).step_by(2).map(|path| format!("{path}/src")).collect()
}

/// The modules of a crate, by its source folder.
fn modules(folder: &str) -> imports::Modules {
    let module = |source: Source| {
        let path = source.path.strip_prefix(folder)?.trim_start_matches('/');
        let code: Vec<&str> = source.code().map(|(_, code)| code).collect();
        Some((imports::module_of(path)?, code.join("\n")))
    };
    sources(&[folder]).into_iter().filter_map(module).collect()
}

#[test]
fn no_file_of_a_crate_uses_one_that_uses_it() {
    let (mut found, mut files) = (Vec::new(), 0);
    for folder in crates() {
        let modules = modules(&folder);
        files += modules.len();
        found.extend(imports::circle(&modules).iter().map(|line| format!("{folder}: {line}")));
    }
    assert!(files > 450, "{files} files");
    none(&found, "a circle of imports");
}

#[test]
fn games_are_described_in_full() {
    let mut prefixes = BTreeSet::new();
    for game in GAMES.iter() {
        let meta = game.meta();
        let id = meta.id;
        assert!(prefixes.insert(meta.prefix), "{id}: another game has the prefix {}", meta.prefix);
        assert!(meta.prefix.bytes().all(|it| it.is_ascii_uppercase()), "{id}: {}", meta.prefix);
        assert!(meta.version >= 1 && !meta.title.is_empty(), "{id}");
        let (least, most) = meta.players;
        assert!(1 <= least && least <= most && usize::from(most) <= meta.seats.len(), "{id}");
        for list in [meta.seats, meta.streams, meta.endings] {
            let names: BTreeSet<&str> = list.iter().copied().collect();
            assert_eq!(names.len(), list.len(), "{id}: {list:?} names something twice");
        }
        assert!(!meta.endings.is_empty(), "{id} has no end");
        for seat in meta.seats {
            assert!(!["referee", "spectator"].contains(seat), "{id}: {seat} is no seat");
        }
        for stream in meta.streams {
            assert!(stream.starts_with(&format!("{id}.")), "{id}: stream {stream}");
        }
    }
}

#[test]
fn states_and_events_are_never_serialised() {
    let mut found = Vec::new();
    for source in sources(&games()) {
        if !source.path.ends_with("/state.rs") && !source.path.ends_with("/event.rs") {
            continue;
        }
        for (line, code) in source.code() {
            if words(code).any(|word| ["Serialize", "Deserialize", "serde"].contains(&word)) {
                found.push(format!("{}:{line} {}", source.path, code.trim()));
            }
        }
    }
    none(&found, "a secret is never removed from a whole state, because no state is ever written");
}

#[test]
fn every_module_says_what_it_is_for() {
    let mut found = Vec::new();
    for source in sources(&["engine", "api", "conformance"]) {
        let first = source.text.lines().next().unwrap_or_default();
        if !first.starts_with("//! ") || first.len() < 16 {
            found.push(source.path);
        }
    }
    none(&found, "modules that do not begin with a sentence of documentation");
}

#[test]
fn the_engine_has_no_clock_no_hash_order_and_no_floats() {
    const BANNED: [&str; 4] = ["HashMap", "HashSet", "SystemTime", "Instant"];
    const FLOATS: [&str; 2] = ["f32", "f64"];
    let mut found = Vec::new();
    for source in sources(&engine()) {
        // What is estimated is a float, and nothing is estimated elsewhere.
        let analysis = source.path.starts_with("engine/core/src/analysis/");
        let banned = |word: &&str| BANNED.contains(word) || (FLOATS.contains(word) && !analysis);
        for (line, code) in source.code() {
            // What writes canonical text is handed floats by serde, and has no name for them.
            let code = match source.path == "engine/core/src/digest/plain.rs" {
                true => code.replace("_: f32", "_").replace("_: f64", "_"),
                false => code.to_owned(),
            };
            if let Some(word) = words(&code).find(banned) {
                found.push(format!("{}:{line} {word}", source.path));
            }
        }
    }
    none(&found, "the engine is the same everywhere");
}

#[test]
fn public_signatures_are_typed() {
    // The reader of wire types needs the untyped form for a tag that does not stand first, and a
    // JSON Patch is about any value, as is a change of the facts that a game puts into words.
    const UNTYPED: [&str; 3] = [
        "engine/core/src/wire/mod.rs",
        "engine/core/src/dispute/patch.rs",
        "engine/core/src/game/condition.rs",
    ];
    let mut found = Vec::new();
    for source in sources(&engine()) {
        if UNTYPED.contains(&source.path.as_str()) {
            continue;
        }
        let mut signature: Option<(usize, String)> = None;
        for (line, code) in source.code() {
            let begins = code.trim_start().starts_with("pub ") && code.contains("fn ");
            if begins {
                signature = Some((line, String::new()));
            }
            let Some((start, text)) = &mut signature else { continue };
            text.push_str(code);
            if !code.contains('{') && !code.contains(';') {
                continue;
            }
            let head = text.split('{').next().unwrap_or_default();
            if words(head).any(|word| word == "Value") {
                found.push(format!("{}:{start} {}", source.path, head.trim()));
            }
            signature = None;
        }
    }
    none(&found, "`serde_json::Value` in a public signature of the engine");
}

#[test]
fn nothing_is_left_open_and_nothing_panics_by_habit() {
    let mut found = Vec::new();
    for source in sources(&["engine", "api", "conformance"]) {
        let product = source.path.starts_with("api/src/")
            || engine().iter().any(|crate_| source.path.starts_with(crate_.as_str()));
        for (line, code) in source.code() {
            // The words are put together here so that this file does not find itself.
            for name in ["todo", "unimplemented", "dbg"] {
                if code.contains(&format!("{name}!(")) {
                    found.push(format!("{}:{line} {name}!", source.path));
                }
            }
            if product && !source.tests_only() && code.contains(&[".unwrap", "()"].concat()) {
                found.push(format!("{}:{line} unwrap", source.path));
            }
        }
    }
    none(&found, "open ends, or panics without the invariant that rules them out");
}

#[test]
fn the_top_of_the_tree_is_as_agreed() {
    const AGREED: [&str; 14] = [
        "Cargo.toml",
        "Cargo.lock",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "README.md",
        "api",
        "conformance",
        "docs",
        "engine",
        "examples",
        "fixtures",
        "openapi",
        "snapshots",
        "target",
    ];
    let entries = std::fs::read_dir(root()).expect("the root").flatten();
    let found: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !AGREED.contains(&name.as_str()))
        .filter(|name| !name.starts_with('.') && !name.starts_with("LICENSE"))
        .filter(|name| !name.ends_with(".toml") && !name.contains(".sqlite"))
        .collect();
    none(&found, "top-level entries beside the agreed ones");
}

/// `XYZ-4.12` for a clause, `XYZ-R7` for a ruling.
fn well_formed(id: &str, prefix: &str, kind: RuleKind) -> bool {
    let number = |text: &str| {
        !text.is_empty() && !text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit())
    };
    let Some(rest) = id.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-')) else {
        return false;
    };
    match kind {
        RuleKind::Clause => {
            rest.split_once('.').is_some_and(|(one, two)| number(one) && number(two))
        }
        RuleKind::Ruling => rest.strip_prefix('R').is_some_and(number),
    }
}

#[test]
fn rule_ids_are_unique_and_well_formed() {
    for game in GAMES.iter() {
        let mut ids = BTreeSet::new();
        for entry in game.rules() {
            assert!(ids.insert(entry.id), "{} is given twice", entry.id);
            assert!(well_formed(entry.id, game.meta().prefix, entry.kind), "{}", entry.id);
            assert!(is_sentence(entry.gist, entry.kind), "{}: {:?}", entry.id, entry.gist);
        }
    }
}

/// Whether a gist is a whole sentence: of a clause one that says something, of a ruling one that asks, however short
/// the document asks it.
fn is_sentence(gist: &str, kind: RuleKind) -> bool {
    let (end, words) = match kind {
        RuleKind::Clause => ('.', 3),
        RuleKind::Ruling => ('?', 1),
    };
    let start = |first: char| first.is_uppercase() || first.is_numeric() || "`+\"".contains(first);
    let head = gist.chars().next().is_some_and(start);
    head && gist.ends_with(end) && gist.split(' ').count() >= words
}

/// Whether a text says something in a few words at least, and in those of nobody's program.
fn has_meaning(text: &str) -> bool {
    text.trim() == text
        && text.chars().any(char::is_alphanumeric)
        && !text.contains(['_', '{', '`'])
}

#[test]
fn rulings_settle_clauses_and_give_a_reason() {
    for game in GAMES.iter() {
        let clauses: BTreeSet<&str> = game
            .rules()
            .iter()
            .filter(|entry| entry.kind == RuleKind::Clause)
            .map(|entry| entry.id)
            .collect();
        for entry in game.rules().iter().filter(|entry| entry.kind == RuleKind::Ruling) {
            let id = entry.id;
            assert!(!entry.settles.is_empty(), "{id} settles nothing");
            for settled in entry.settles {
                assert!(clauses.contains(settled), "{id} settles {settled}, which is no clause");
            }
            assert!(!entry.readings.is_empty(), "{id} has no reading");
            assert!(has_meaning(entry.because), "{id} has no reason");
            assert!(entry.readings.len() > 1 || !entry.selectable(), "{id} leaves no choice");
            let meanings: BTreeSet<&str> = entry.readings.iter().map(|it| it.gist).collect();
            assert!(meanings.iter().all(|it| has_meaning(it)), "{id}: {meanings:?}");
            assert_eq!(meanings.len(), entry.readings.len(), "{id}: two readings mean the same");
            let values: BTreeSet<&str> = entry.readings.iter().map(|it| it.value).collect();
            let named = entry.readings.iter().filter(|it| !it.value.is_empty()).count();
            let unnamed = usize::from(named < entry.readings.len());
            assert_eq!(values.len(), named + unnamed, "{id}: a value is given twice");
        }
    }
}

#[test]
fn selectable_rulings_are_those_of_the_rulebook() {
    for game in GAMES.iter() {
        let table: Vec<(&str, Vec<&str>)> = game
            .rules()
            .iter()
            .filter(|entry| entry.selectable())
            .map(|entry| {
                let values = entry.readings.iter().map(|reading| reading.value);
                (entry.id, values.filter(|value| !value.is_empty()).collect())
            })
            .collect();
        let mut selectable: Vec<(&str, Vec<&str>)> =
            game.rulings().iter().map(|def| (def.id, def.values.to_vec())).collect();
        selectable.sort_by_key(|(id, _)| table.iter().position(|(had, _)| had == id));
        assert_eq!(selectable, table, "{}", game.meta().id);
    }
}

#[test]
fn the_tests_of_this_file_can_fail() {
    assert_eq!(without_comment("let a = 1; // drop"), "let a = 1; ");
    assert_eq!(without_comment(r#"let a = "http://x";"#), r#"let a = "http://x";"#);
    assert!(is_sentence("A unit moves once.", RuleKind::Clause));
    assert!(!is_sentence("A unit moves once.", RuleKind::Ruling));
    assert!(!is_sentence("a unit moves once.", RuleKind::Clause));
    assert!(!is_sentence("Units.", RuleKind::Clause));
    assert!(has_meaning("at once") && !has_meaning("") && !has_meaning("at_once"));
    assert!(well_formed("XYZ-4.12", "XYZ", RuleKind::Clause));
    assert!(!well_formed("XYZ-4.02", "XYZ", RuleKind::Clause));
    assert!(!well_formed("ABC-4.2", "XYZ", RuleKind::Clause));
    assert!(well_formed("XYZ-R7", "XYZ", RuleKind::Ruling));
    assert!(!well_formed("XYZ-7", "XYZ", RuleKind::Ruling));
    assert!(sources(&engine()).len() > 100);
    for folder in engine().into_iter().chain(["api/src".to_owned(), "conformance/src".to_owned()]) {
        assert!(crates().contains(&folder), "{folder} is a member of the workspace");
    }
    let made_up = |text: &str| Source { path: String::new(), text: text.to_owned() };
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    let same: BTreeSet<String> = FILES.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(other_files("ludo", &same), [""; 0]);
    let mut other: BTreeSet<String> =
        paths(&["ch03_dice.rs", "options.rs", "view/hands.rs", "map/sea.rs"]);
    other.extend(same.into_iter().filter(|name| name != "menu.rs"));
    assert_eq!(
        other_files("ludo", &other),
        [
            "ludo has no menu.rs",
            "ludo has options.rs, which no other game has",
            "ludo has the parts map/ of no file map.rs"
        ]
    );
    let old = made_up("let how = \"How\"; // How\nenum How { Ran }\n");
    assert_eq!(old_names(&old).len(), 2);
    let climbing = made_up("use crate::rules::Rule;\nuse crate::report::Report;\n");
    assert_eq!(climbs(&ROOMS, "dispute/why.rs", &climbing), ["dispute/why.rs:2 uses report"]);
    assert_eq!(climbs(&ROOMS, "any_game.rs", &climbing), [""; 0]);
    assert_eq!(climbs(&ROOMS, "attic.rs", &climbing), ["attic.rs lies in no room"]);
}
