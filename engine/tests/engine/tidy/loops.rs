//! Loops over what a caller can make long: worlds, actions, shapes. Each asks the budget, or is listed here with the reason why
//! it need not.

use std::collections::BTreeSet;

use super::{Source, none, sources, words};

/// What a caller can make long.
const LONG: [&str; 9] = [
    "actions",
    "candidates",
    "completions",
    "legal",
    "offers",
    "samples",
    "shapes",
    "targets",
    "worlds",
];

/// As much work as to read or write the thing once: no rule is asked within the loop.
const ONE_PASS: &[&str] = &[
    "engine/core/src/dispute/repair/habits.rs types",
    "engine/core/src/dispute/repair/mod.rs changed",
    "engine/core/src/dispute/repair/mod.rs edits",
    "engine/core/src/dispute/repair/mod.rs moves",
    "engine/core/src/dispute/repair/omitted.rs words",
    "engine/core/src/dispute/transcribe.rs new",
    "engine/core/src/notation/read.rs tuple",
    "engine/core/src/notation/sheet.rs write",
    "engine/core/src/partial/mod.rs is_settled",
    "engine/core/src/partial/mod.rs verdict",
    "engine/core/src/partial/sheet.rs sheet",
    "engine/core/src/partial/wants.rs of",
    "engine/core/src/partial/written.rs read",
    "engine/core/src/report.rs say",
    "engine/core/src/scene/mod.rs each_text",
    "engine/core/src/scene/mod.rs region",
    "engine/core/src/scene/plan.rs of",
    "engine/core/src/scene/plan.rs places",
    "engine/core/src/scene/svg.rs of",
    "engine/core/src/scene/svg.rs write",
    "engine/core/src/scene/text.rs cards",
    "engine/core/src/scene/text.rs marks",
    "engine/core/src/scene/text.rs pieces",
    "engine/core/src/scene/text.rs tracks",
    "engine/referee/src/language.rs report",
];

/// Over a list of legal actions that ends at a number which no caller chooses.
const FEW: &[&str] = &[
    // Each turn asks the budget in `bounds`.
    "engine/core/src/analysis/search/solver.rs deepen",
    "engine/core/src/analysis/search/solver.rs follow",
    "engine/core/src/analysis/search/solver.rs interrupted",
    "engine/core/src/dispute/transcribe.rs answer_to",
    "engine/core/src/dispute/transcribe.rs demanded",
    "engine/core/src/dispute/transcribe.rs mend_fields",
    "engine/core/src/dispute/why/mod.rs nearest_in_all",
    "engine/core/src/live.rs offers",
    "engine/core/src/replay/nearest.rs most_alike",
    // The areas of water of a map.
    "engine/core/src/scene/plan.rs in_water",
];

/// Plays a record once more that was judged, or no longer part of one.
const JUDGED: &[&str] = &[
    "engine/core/src/dispute/readings/course.rs carried_record",
    "engine/core/src/dispute/readings/course.rs replay",
    "engine/core/src/dispute/transcribe.rs comes_to",
    "engine/core/src/dispute/transcribe.rs is_free",
];

/// No caller can ask for it.
const OURS: &[&str] = &["engine/core/src/analysis/perft.rs perft"];

/// The functions of a file that loop over something long and never name the budget, as `file function`.
fn unbounded(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let (mut name, mut loops, mut asks) = (String::new(), false, false);
    let mut close = |name: &str, loops: bool, asks: bool| {
        if loops && !asks {
            found.push(format!("{} {name}", source.path));
        }
    };
    for (_, code) in source.code() {
        let mut said = words(code).skip_while(|word| *word != "fn");
        if let (Some(_), Some(next)) = (said.next(), said.next()) {
            close(&name, loops, asks);
            (name, loops, asks) = (next.to_owned(), false, false);
        }
        let over = code.split_once(" in ").filter(|_| words(code).any(|word| word == "for"));
        let long = |part: &str| words(part).any(|word| LONG.contains(&word));
        let each = [".iter()", ".into_iter()", ".iter_mut()"].iter().any(|call| {
            code.match_indices(call)
                .any(|(at, _)| words(&code[..at]).last().is_some_and(|word| LONG.contains(&word)))
        });
        loops |= over.is_some_and(|(_, of)| long(of)) || each;
        asks |= words(code).any(|word| word.contains("budget") || word.contains("spend"));
    }
    close(&name, loops, asks);
    found
}

#[test]
fn loops_over_what_callers_make_long_ask_the_budget() {
    let sources = sources(&["engine/core/src", "engine/referee/src"]);
    let all: BTreeSet<String> =
        sources.iter().filter(|it| !it.tests_only()).flat_map(unbounded).collect();
    let listed: BTreeSet<String> =
        [ONE_PASS, FEW, JUDGED, OURS].into_iter().flatten().map(|it| (*it).to_owned()).collect();
    let new: Vec<String> = all.difference(&listed).cloned().collect();
    none(
        &new,
        "a loop over what a caller can make long asks the budget, or is listed with its reason",
    );
    let gone: Vec<String> = listed.difference(&all).cloned().collect();
    none(&gone, "these need not be listed any more");
}

#[test]
fn a_made_up_loop_without_a_budget_is_found() {
    let text = "fn one() {\n    for world in &self.worlds {\n    }\n}\n\
        fn two(budget: Budget) {\n    for world in worlds {\n        budget.spend();\n    }\n}\n\
        fn three() {\n    let all = shapes.iter().map(draw);\n}\n\
        fn four() {\n    for seat in seats {}\n}\n";
    let source = Source { path: "a.rs".to_owned(), text: text.to_owned() };
    assert_eq!(unbounded(&source), ["a.rs one", "a.rs three"]);
}
