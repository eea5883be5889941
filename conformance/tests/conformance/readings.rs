//! Every value of every selectable ruling has a fixture that comes out otherwise under the values beside it.
//!
//! Must not know what a ruling is about.

use serde_json::Value;
use umpire_conformance::fixture::Case;
use umpire_conformance::folders::cases_of;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;

use crate::run::{faults, replay};

/// The games of which every reading is shown so, by the prefix of their rules.
const WHOLE: [&str; 1] = ["DRK"];

/// The reading that is in force in a fixture, if its record can be replayed.
fn in_force(case: &Case, ruling: &str) -> Option<String> {
    let report = replay(case.game, case.good()?.record.get()).ok()?;
    let options: Value = serde_json::from_str(report.options.get()).ok()?;
    options["rulings"][ruling].as_str().map(str::to_owned)
}

/// The same fixture with another reading.
fn under(case: &Case, ruling: &str, value: &str) -> Option<Case> {
    let mut text: Value = serde_json::from_str(&case.text).ok()?;
    text["record"]["options"]["rulings"][ruling] = value.into();
    Some(Case::read(case.game, case.kind, case.path.clone(), text.to_string()))
}

fn readings_without_a_fixture(game: &'static dyn AnyGame) -> Vec<String> {
    let cases = cases_of(game);
    let mut without = Vec::new();
    for def in game.rulings() {
        let shows = |case: &&Case| {
            case.good().is_some_and(|it| it.shows.iter().any(|shown| shown == def.id))
        };
        let shown: Vec<(&Case, Option<String>)> =
            cases.iter().filter(shows).map(|case| (case, in_force(case, def.id))).collect();
        for pair in def.values.windows(2) {
            for (value, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let own = shown.iter().filter(|(_, read)| read.as_deref() == Some(value));
                let mut told = own.filter_map(|(case, _)| under(case, def.id, other));
                if !told.any(|case| !faults(&case).is_empty()) {
                    without.push(format!("{} = {value} is not told from {other}", def.id));
                }
            }
        }
    }
    without
}

#[test]
fn every_reading_has_a_fixture_of_its_own() {
    for game in GAMES.iter().filter(|game| WHOLE.contains(&game.meta().prefix)) {
        let without = readings_without_a_fixture(*game);
        assert!(without.is_empty(), "{}", without.join("\n"));
    }
}
