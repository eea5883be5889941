//! Disputes over readings, checked against replays that know nothing of disputes.
//!
//! For random games of every registered game and for toys: what `adjudicate` says of a reading is
//! what a plain replay of the same record with that reading in its options says, and the ply
//! where they part is the first whose fingerprints differ.

use std::collections::{BTreeMap, BTreeSet};

use crate::walk::{usable, walk};
use serde_json::{Value, json};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::dispute::patch;
use umpire_engine::dispute::readings::{
    Adjudication, Answered, Changes, Class, Compared, Dispute, Draws, PartingKind, ReadingChoice,
};
use umpire_engine::game::Visitor;
use umpire_engine::game::{FullGame, Seat, TableSetup};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::PlyState;
use umpire_engine::replay::answer::{Unanswered, Violation};
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::report::Report;
use umpire_engine::rules::{Rule, editions};

const PLIES: usize = 120;

fn replay<G: FullGame>(text: &str) -> Result<Report, Unanswered> {
    let record = RawRecord::read(text.as_bytes())?;
    let include = Include { fingerprints: true, states: true, ..Include::default() };
    Of::<G>::new().replay(&record, &Query { include, ..Query::default() })
}

fn settle<G: FullGame>(text: &str, dispute: &Dispute<'_>) -> Adjudication {
    let record = RawRecord::read(text.as_bytes()).expect("a record");
    Of::<G>::new().adjudicate(&record, dispute, Limits::default()).expect("a settled dispute")
}

/// The record with a reading in its options.
fn under(record: &Value, reading: &ReadingChoice) -> String {
    let mut record = record.clone();
    for (id, value) in &reading.rulings {
        record["options"]["rulings"][id] = value.as_str().into();
    }
    if let Some(edition) = &reading.edition {
        record["options"]["edition"] = edition.as_str().into();
    }
    if let Some(ruleset) = &reading.ruleset {
        record["ruleset"] = ruleset.as_str().into();
    }
    record.to_string()
}

fn fingerprints(report: &Report) -> Vec<String> {
    let fingerprints = report.fingerprints.iter().flatten();
    fingerprints.map(|fingerprint| fingerprint.fingerprint.to_string()).collect()
}

/// The game at every ply, as far as it is anybody's at the table: without what only keeps books.
fn games<G: FullGame>(report: &Report) -> Vec<String> {
    let view = |state: &PlyState| {
        let mut view: G::View = serde_json::from_str(state.state.get()).expect("a view");
        G::strip_bookkeeping(&mut view);
        serde_json::to_string(&view).expect("JSON")
    };
    report.states.iter().flatten().map(view).collect()
}

fn state(report: &Report, ply: usize) -> Value {
    let state = report.states.iter().flatten().nth(ply).expect("the state of a ply");
    serde_json::from_str(state.state.get()).expect("JSON")
}

/// Games dealt from a seed and written as table games.
fn records<G: FullGame>(games: usize) -> Vec<Value> {
    let record = |number: usize| {
        let game = walk::<G>("{}", &format!("readings {number}"), PLIES);
        let chance = format!(r#"{{"tape":{}}}"#, game.tape(0));
        serde_json::from_str(&game.record(game.actions.len(), &chance)).expect("a record")
    };
    (0..games).map(record).collect()
}

#[derive(Default)]
struct SameAsAReplay {
    differing: usize,
    same: usize,
    /// Readings under which the record is refused as well, elsewhere or otherwise.
    refused_otherwise: usize,
    missing: usize,
    /// Notes of lines that were carried over.
    notes: usize,
    /// How many records were carried over to what end.
    classes: BTreeMap<Class, usize>,
}

impl SameAsAReplay {
    /// Every line of a carried-over record that stood in the record has its note; what was filled in has none.
    fn notes_are_kept(&mut self, carried: &str, compared: &Compared) {
        let carried: Value = serde_json::from_str(carried).expect("a record");
        assert_eq!(carried["note"], "all of it");
        let actions = carried["actions"].as_array().expect("a list");
        let noted: Vec<&str> = actions.iter().filter_map(|it| it["note"].as_str()).collect();
        let filled = compared.carried.iter().filter(|it| it.was.is_none() && it.is.is_some());
        assert_eq!(actions.len() - noted.len(), filled.count(), "{:?}", compared.carried);
        let different: BTreeSet<&str> = noted.iter().copied().collect();
        assert_eq!(different.len(), noted.len());
        self.notes += noted.len();
    }

    /// A record that is carried over is one that a plain replay plays to the same end.
    fn carried_over<G: FullGame>(
        &mut self,
        name: &str,
        base: &Report,
        compared: &Compared,
    ) -> Option<Report> {
        if compared.carried.is_empty() {
            assert!(compared.record.is_none(), "{name}");
            assert_ne!(compared.class, Class::FormOnly, "{name}");
            return None;
        }
        for line in &compared.carried {
            assert!(!line.text.is_empty() && line.pointer.starts_with('/'), "{name} {line:?}");
            assert_eq!(line.assumed, line.text.contains("assumed"), "{name} {line:?}");
        }
        *self.classes.entry(compared.class).or_default() += 1;
        let carried = compared.record.as_ref().expect("a record was asked for");
        let other = replay::<G>(carried.get()).expect("a report");
        assert_eq!(other.fingerprint, Some(compared.course.fingerprint), "{name}");
        self.notes_are_kept(carried.get(), compared);
        let same = games::<G>(base).last() == games::<G>(&other).last()
            && base.verdict.outcome == other.verdict.outcome;
        match compared.class {
            Class::FormOnly => {
                assert!(same, "{name}");
                let Changes { winner, result, legality, .. } = compared.changes;
                assert!(![winner, result, legality].contains(&true), "{name}");
            }
            Class::Parts => assert!(!same || compared.course.hypothetical_from.is_some(), "{name}"),
            Class::Illegal => assert!(other.verdict.violation.is_some(), "{name}"),
            Class::MissingChance => {}
            other => panic!("{name}: {other:?}"),
        }
        Some(other)
    }

    /// What a reading changes is what two plain replays differ in.
    fn changes_are_true(
        &mut self,
        base: &Report,
        other: &Report,
        settled: &Adjudication,
        at: usize,
    ) {
        let compared = &settled.readings[at];
        let changes = compared.changes;
        let lines = settled.summary.iter().filter(|line| line.starts_with("Under "));
        let line = lines.skip(1).nth(at).expect("a line for each reading");
        if compared.course.draws == Draws::Missing {
            let Changes { winner, result, legality, answer, fault } = changes;
            assert!(![winner, result, legality, answer, fault].contains(&true), "{compared:?}");
            assert!(line.contains("needs a draw that never happened"), "{line}");
            self.missing += 1;
            return;
        }
        let fault = |report: &Report| {
            let fault = report.verdict.violation.clone();
            let fault = fault.filter(|it| it.code != "tape_leftover");
            fault.map(|it| (it.ply, it.rule, it.code))
        };
        let (one, mut two) = (fault(base), fault(other));
        // The place of a fault is that in the record as it stood.
        if let (Some((ply, ..)), Some(rendered), false) =
            (&mut two, &compared.course.violation, compared.carried.is_empty())
        {
            *ply = rendered.ply;
        }
        assert_eq!(changes.legality, one.is_some() != two.is_some(), "{compared:?}");
        let otherwise = one.is_some() && two.is_some() && one != two;
        assert_eq!(changes.fault, otherwise, "{compared:?}");
        assert_eq!(changes.result, base.verdict.outcome != other.verdict.outcome);
        if otherwise {
            self.refused_otherwise += 1;
            let rendered = compared.course.violation.as_ref().expect("a violation");
            let told = line.contains(&rendered.message) && line.contains(&rendered.rule);
            // Where the game is over sooner, that is said instead.
            assert!(told || compared.course.outcome.is_some(), "{line}");
        }
    }
}

impl Visitor for SameAsAReplay {
    fn game<G: FullGame>(&mut self) {
        let mut all = records::<G>(4);
        // Every line has a note, and keeps it where it is carried over.
        for record in &mut all {
            record["note"] = "all of it".into();
            for (at, action) in
                record["actions"].as_array_mut().expect("a list").iter_mut().enumerate()
            {
                action["note"] = at.to_string().into();
            }
        }
        // The same with something at the end that no reading allows.
        let mut refused = all.clone();
        for record in &mut refused {
            let nonsense = json!({"type": "pass the salt", "player": G::META.seat_name(Seat(0)), "note": "salt"});
            record["actions"].as_array_mut().expect("a list").push(nonsense);
        }
        all.extend(refused);
        for record in all {
            let text = record.to_string();
            let base = replay::<G>(&text).expect("a report");
            let settled = settle::<G>(&text, &Dispute { records: true, ..Dispute::default() });
            assert_eq!(settled.recorded.status, base.verdict.status);
            assert_eq!(settled.recorded.fingerprint, base.fingerprint.expect("the referee's"));
            for (at, compared) in settled.readings.iter().enumerate() {
                let plain = replay::<G>(&under(&record, &compared.reading)).expect("a report");
                let name = format!("{} {:?}", G::META.id, compared.reading);
                self.differing += 1;
                let other = match self.carried_over::<G>(&name, &base, compared) {
                    Some(carried) => {
                        carried_parts_there(&name, &base, &carried, compared);
                        carried
                    }
                    None => {
                        if compared.carried.is_empty() {
                            parts_there::<G>(&name, &base, &plain, compared);
                        }
                        plain
                    }
                };
                // A game that ends sooner leaves draws over: a fault of a record, none of a reading.
                if compared.course.draws != Draws::LeftOver {
                    assert_eq!(compared.course.status, other.verdict.status, "{name}");
                }
                assert_eq!(compared.course.plies, other.verdict.plies, "{name}");
                assert_eq!(compared.course.outcome, other.verdict.outcome, "{name}");
                if let (Some(one), Some(two)) =
                    (&compared.course.violation, &other.verdict.violation)
                    && two.code != "tape_leftover"
                {
                    assert_eq!(one.rule, two.rule, "{name}");
                    // What is carried over has its places in the record as it stood.
                    assert!(one.pointer == two.pointer || !compared.carried.is_empty(), "{name}");
                }
                self.changes_are_true(&base, &other, &settled, at);
            }
            for aside in &settled.same {
                let other = replay::<G>(&under(&record, &aside.reading)).expect("a report");
                self.same += 1;
                assert!(games::<G>(&base) == games::<G>(&other), "{:?}", aside.reading);
                let (one, two) = (fingerprints(&base), fingerprints(&other));
                assert_eq!(one.last() == two.last(), aside.bookkeeping.is_empty(), "{aside:?}");
                assert_eq!(base.verdict.status, other.verdict.status, "{:?}", aside.reading);
            }
            for aside in &settled.impossible {
                assert!(replay::<G>(&under(&record, &aside.reading)).is_err(), "{aside:?}");
            }
        }
    }
}

/// Two replays part where the dispute says, and its patch leads from the one to the other.
fn parts_there<G: FullGame>(name: &str, base: &Report, other: &Report, compared: &Compared) {
    let (one, two) = (fingerprints(base), fingerprints(other));
    let first = games::<G>(base).iter().zip(&games::<G>(other)).position(|(one, two)| one != two);
    let parting = &compared.parting;
    let ply = parting.ply as usize;
    let (at_one, at_two) = match parting.how {
        PartingKind::Opening => {
            assert_eq!(first, Some(0), "{name}");
            (0, 0)
        }
        PartingKind::State => {
            assert_eq!(first, Some(ply + 1), "{name}");
            (ply + 1, ply + 1)
        }
        // The opening itself asks for what never happened.
        PartingKind::Chance if first == Some(0) => {
            assert_eq!((ply, two.len()), (0, 1), "{name}");
            (0, 0)
        }
        PartingKind::Refused | PartingKind::Chance => {
            assert_eq!((first, two.len()), (None, ply + 1), "{name}");
            (ply + 1, ply)
        }
        PartingKind::Allowed => {
            assert_eq!((first, one.len()), (None, ply + 1), "{name}");
            (ply, ply + 1)
        }
        PartingKind::OtherClause => {
            assert_eq!((one.len(), two.len()), (ply + 1, ply + 1), "{name}");
            (ply, ply)
        }
    };
    let (before, after) = (state(base, at_one), state(other, at_two));
    match parting.how {
        // Without its draws nothing is known of the other state.
        PartingKind::Chance => assert!(parting.difference.is_empty(), "{name}"),
        _ => {
            let edits = [parting.difference.as_slice(), &parting.bookkeeping].concat();
            assert_eq!(patch::apply(&before, &edits), Some(after), "{name}");
        }
    }
    assert_eq!(parting.fingerprints[0].to_string(), one[at_one], "{name}");
    assert_eq!(parting.fingerprints[1].to_string(), two[at_two], "{name}");
    for id in compared.reading.rulings.keys() {
        assert!(parting.rules.iter().any(|cited| cited.id == id), "{name}: not named");
    }
}

/// A record that was carried over parts from the recorded course where the dispute says, and the patch leads from the one
/// to the other; one that is the same game parts nowhere.
fn carried_parts_there(name: &str, base: &Report, carried: &Report, compared: &Compared) {
    let parting = &compared.parting;
    if compared.class == Class::FormOnly {
        assert!(parting.difference.is_empty() && parting.words.is_empty(), "{name}");
        return;
    }
    let (one, two) = (fingerprints(base), fingerprints(carried));
    let ply = parting.ply as usize;
    let [before, after] = parting.fingerprints.each_ref().map(ToString::to_string);
    let Some(at_one) = [ply + 1, ply].into_iter().find(|&at| one.get(at) == Some(&before)) else {
        panic!("{name}: the recorded course has no such state at ply {ply}");
    };
    let Some(at_two) = two.iter().position(|it| *it == after) else {
        panic!("{name}: the course that was carried over has no such state");
    };
    if parting.how != PartingKind::Chance {
        let edits = [parting.difference.as_slice(), &parting.bookkeeping].concat();
        let patched = patch::apply(&state(base, at_one), &edits);
        assert_eq!(patched, Some(state(carried, at_two)), "{name}");
    }
    for id in compared.reading.rulings.keys() {
        assert!(parting.rules.iter().any(|cited| cited.id == id), "{name}: not named");
    }
}

#[test]
fn a_reading_is_what_a_replay_under_it_is() {
    let mut law = SameAsAReplay::default();
    crate::walk::every_game(&mut law);
    assert!(law.differing > 50 && law.same > 50, "{} and {}", law.differing, law.same);
    assert!(law.refused_otherwise > 5, "{}", law.refused_otherwise);
    assert!(law.missing > 0, "no reading asked for other draws");
    assert!(law.notes > 50, "{} notes were carried over", law.notes);
}

struct SeedsGoOn(usize);

impl Visitor for SeedsGoOn {
    fn game<G: FullGame>(&mut self) {
        for number in 0..6 {
            let game = walk::<G>("{}", &format!("seeds {number}"), PLIES);
            let seeded = game.record(game.actions.len(), &game.seed_chance());
            let tape = format!(r#"{{"tape":{}}}"#, game.tape(0));
            let taped = game.record(game.actions.len(), &tape);
            let by_seed = settle::<G>(&seeded, &Dispute::default());
            let by_tape = settle::<G>(&taped, &Dispute::default());
            assert_eq!(by_seed.recorded.fingerprint, by_tape.recorded.fingerprint);
            // What is carried over takes its draws in another order and stops elsewhere.
            let stops = |it: &&Compared| it.course.draws == Draws::Missing && it.carried.is_empty();
            for stopped in by_tape.readings.iter().filter(stops) {
                assert_eq!(stopped.course.hypothetical_from, None);
                let code = stopped.course.violation.as_ref().map(|it| it.code.as_str());
                let known = ["tape_exhausted", "tape_mismatch", "no_seed"];
                assert!(code.is_some_and(|code| known.contains(&code)), "{code:?}");
                // The same record with its seed goes on from there, and says so.
                let found = by_seed.readings.iter().find(|it| it.reading == stopped.reading);
                let found = found.expect("the same reading makes a difference");
                assert_ne!(found.course.draws, Draws::Missing);
                assert_eq!(found.course.hypothetical_from, Some(stopped.course.plies));
                let line = by_seed.summary.iter().find(|line| {
                    line.contains("so hypothetically")
                        && line
                            .contains(&format!("from a seed from ply {} on", stopped.course.plies))
                });
                assert!(line.is_some(), "{:?}", by_seed.summary);
                self.0 += 1;
                // So does the table game with a seed given for the purpose.
                let dispute = Dispute { seed: Some("given"), ..Dispute::default() };
                let given = settle::<G>(&taped, &dispute);
                let found = given.readings.iter().find(|it| it.reading == stopped.reading);
                let found = found.expect("the same reading makes a difference");
                assert_eq!(found.course.hypothetical_from, Some(stopped.course.plies));
            }
        }
    }
}

#[test]
fn a_draw_that_never_happened_stops_a_reading_or_comes_from_a_seed() {
    let mut law = SeedsGoOn(0);
    crate::walk::every_game(&mut law);
    assert!(law.0 > 0, "no reading asked for other draws");
}

struct Recorded {
    stopped: usize,
    further: usize,
}

impl Visitor for Recorded {
    /// Whatever a dispute may draw on, the record itself stands as a plain verdict says, and a
    /// reading that has not parted from it does not get further.
    fn game<G: FullGame>(&mut self) {
        for number in 0..4 {
            let game = walk::<G>("{}", &format!("recorded {number}"), PLIES);
            let tape: Vec<Value> = serde_json::from_str(&game.tape(0)).expect("a tape");
            for keep in [0, tape.len() / 2, tape.len().saturating_sub(1), tape.len()] {
                let mut longer = tape[..keep].to_vec();
                longer.extend(tape.last().cloned());
                for tape in [&tape[..keep], &longer] {
                    let chance = json!({"tape": tape, "seed": game.seed}).to_string();
                    let text = game.record(game.actions.len(), &chance);
                    let raw = RawRecord::read(text.as_bytes()).expect("a record");
                    let verdict = match Of::<G>::new().judge(&raw, Limits::default()) {
                        Ok(judgement) => judgement.verdict,
                        Err(fault) => panic!("{}: {fault}", G::META.id),
                    };
                    for seed in [None, Some("another")] {
                        let settled = settle::<G>(&text, &Dispute { seed, ..Dispute::default() });
                        let recorded = &settled.recorded;
                        assert_eq!(recorded.status, verdict.status, "{text}");
                        assert_eq!(recorded.plies, verdict.plies, "{text}");
                        assert_eq!(recorded.outcome, verdict.outcome, "{text}");
                        let code = |it: &Violation| (it.code.clone(), it.pointer.clone());
                        let (one, two) = (&recorded.violation, &verdict.violation);
                        assert_eq!(one.as_ref().map(code), two.as_ref().map(code), "{text}");
                        assert_eq!(recorded.hypothetical_from, None);
                        self.stopped += usize::from(recorded.draws == Draws::Missing);
                        for compared in &settled.readings {
                            let Some(from) = compared.course.hypothetical_from else { continue };
                            self.further += 1;
                            let parted = compared.parting.ply;
                            assert!(from < recorded.plies.max(1) || from > parted, "{compared:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_seed_mends_the_tape_of_the_record_itself() {
    let mut law = Recorded { stopped: 0, further: 0 };
    crate::walk::every_game(&mut law);
    assert!(law.stopped > 0 && law.further > 0, "{} and {}", law.stopped, law.further);
}

struct Questions;

impl Visitor for Questions {
    fn game<G: FullGame>(&mut self) {
        let game = walk::<G>("{}", "questions", 40);
        let record = game.record(game.actions.len(), &game.seed_chance());
        let raw = RawRecord::read(record.as_bytes()).expect("a record");
        let of = Of::<G>::new();
        for ply in [0, game.actions.len() / 2, game.actions.len() - 1] {
            let ask = |action: &Value| {
                let text = serde_json::value::to_raw_value(action).expect("JSON");
                let dispute = Dispute {
                    ply: Some(ply as u32),
                    action: Some(&text),
                    readings: Some(&[]),
                    ..Dispute::default()
                };
                let settled = of.adjudicate(&raw, &dispute, Limits::default()).expect("settled");
                assert!(settled.summary[0].contains(&format!("at ply {ply}")));
                (settled.question.expect("a question").answer, settled.recorded)
            };
            let action = serde_json::to_value(&game.actions[ply]).expect("JSON");
            assert_eq!(ask(&action).0, Answered::Legal);
            let (answer, course) = ask(&json!({"type": "pass the salt", "player": "nobody"}));
            assert_eq!(answer, Answered::Illegal);
            assert_eq!(course.plies as usize, ply);
            assert_eq!(course.violation.expect("a violation").ply as usize, ply);
            // Asked about as it is recorded, the action is legal and the game goes on after it.
            let dispute =
                Dispute { ply: Some(ply as u32), readings: Some(&[]), ..Default::default() };
            let settled = of.adjudicate(&raw, &dispute, Limits::default()).expect("settled");
            assert_eq!(settled.question.expect("a question").answer, Answered::Legal);
            assert_eq!(settled.recorded.plies as usize, game.actions.len());
        }
        let beyond = Dispute { ply: Some(1000), ..Dispute::default() };
        let found = of.adjudicate(&raw, &beyond, Limits::default());
        assert!(matches!(found, Err(Unanswered::NoSuchPly { asked: 1000, .. })));
        let unknown = [
            ReadingChoice { edition: Some("of the moon".to_owned()), ..ReadingChoice::default() },
            ReadingChoice {
                rulings: [("X".to_owned(), "y".to_owned())].into(),
                ..ReadingChoice::default()
            },
            ReadingChoice::default(),
        ];
        for reading in unknown {
            let dispute = Dispute { readings: Some(&[reading]), ..Dispute::default() };
            let found = of.adjudicate(&raw, &dispute, Limits::default());
            let Err(Unanswered::Fault(fault)) = found else { panic!("no fault") };
            assert!(fault.pointer.starts_with("/readings/0"), "{fault:?}");
        }
    }
}

#[test]
fn a_question_is_answered_at_its_ply() {
    crate::walk::every_game(&mut Questions);
}

/// Every reading of every ruling, and every edition, laid over the options of a record.
#[derive(Default)]
struct Reread {
    readings: usize,
    editions: usize,
}

impl Visitor for Reread {
    fn game<G: FullGame>(&mut self) {
        let setup = |options| match G::Setup::from_options(
            options,
            &mut Seeded::new("reread", G::META.streams),
        ) {
            Ok(setup) => setup,
            Err(_) => panic!("{}: a setup without data of its own", G::META.id),
        };
        for (ruling, def) in G::Setup::rulings().iter().enumerate() {
            for value in (0..def.values.len()).chain([0]) {
                let mut options = G::Options::default();
                // The later pick takes the place of the earlier one.
                G::Setup::reread(&mut options, None, &[(ruling, 0), (ruling, value)]);
                if !usable::<G>(&serde_json::to_string(&options).expect("options")) {
                    continue; // The game's own data cannot bear it.
                }
                let setup = setup(options);
                assert_eq!(
                    G::Setup::reading(&setup, ruling),
                    value,
                    "{} = {}",
                    def.id,
                    def.values[value]
                );
                let written = serde_json::to_value(G::Setup::options(&setup)).expect("options");
                assert_eq!(written["rulings"][def.id], def.values[value]);
                self.readings += 1;
            }
        }
        let editions = editions(G::Rule::TABLE);
        for edition in editions.iter().chain(editions.first()) {
            let mut options = G::Options::default();
            G::Setup::reread(&mut options, Some(edition), &[]);
            assert_eq!(G::Setup::edition(&setup(options)), *edition);
            self.editions += 1;
        }
    }
}

/// A game that forgets to lay another reading over its options is found here.
#[test]
fn another_reading_is_laid_over_the_options() {
    let mut law = Reread::default();
    umpire_engine::games::visit(&mut law);
    law.game::<umpire_testing::toys::race::Race>();
    assert!(law.readings > 150 && law.editions >= 3, "{} {}", law.readings, law.editions);
}
