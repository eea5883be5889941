//! A game that implements `Game` alone is refereed as any other: it obeys the laws that ask it for nothing else, is
//! replayed, judged, listed and looked at.
//!
//! Must not use a game with another face: that these tests compile is half of what they show.

use serde_json::json;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::digest::fingerprint;
use umpire_engine::game::{Count, Game, Keep, Observer, Seat, Table};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::answer::{Judgement, Status};
use umpire_engine::replay::{Limits, load, verdict};
use umpire_testing::toys::nim::{Action, Nim, Side, State};

use crate::laws::check;

#[test]
fn it_obeys_the_laws() {
    check::offered_is_accepted::<Nim>();
    check::counted_as_listed::<Nim>();
    check::accepted_was_offered::<Nim>();
    check::seed_and_tape_agree::<Nim>();
    check::events_make_the_state::<Nim>();
    check::wire_types_round_trip::<Nim>();
    check::wire_types_are_strict::<Nim>();
    check::random_play_ends::<Nim>();
}

fn judge(record: &serde_json::Value) -> Judgement {
    let text = record.to_string();
    let record = RawRecord::read(text.as_bytes()).expect("the envelope can be read");
    verdict::judge::<Nim>(&record, Limits::default()).expect("the record can be replayed")
}

fn take(player: &str, count: u8) -> serde_json::Value {
    json!({ "type": "take", "player": player, "count": count })
}

#[test]
fn its_records_are_judged() {
    let record = |actions: &[serde_json::Value]| {
        json!({
            "format": "umpire/1", "game": "nim", "chance": { "seed": "sticks" },
            "position": { "heap": 5, "mover": "left" }, "actions": actions,
        })
    };
    let begun = judge(&record(&[take("left", 1)]));
    assert_eq!((begun.verdict.status, begun.verdict.plies), (Status::InProgress, 1));
    let whole = judge(&record(&[take("left", 1), take("right", 3), take("left", 1)]));
    assert_eq!(whole.verdict.status, Status::Complete);
    assert_eq!(whole.verdict.outcome.expect("the game is over").winner, Some("left"));
    assert_ne!(whole.fingerprint, begun.fingerprint);
    let wrong = judge(&record(&[take("left", 1), take("right", 4)]));
    assert_eq!((wrong.verdict.status, wrong.verdict.plies), (Status::Illegal, 1));
    let violation = wrong.verdict.violation.expect("four sticks are too many");
    assert_eq!(
        (violation.rule.as_str(), violation.pointer.as_str()),
        ("NIM-2.1", "/actions/1/count")
    );
    assert_eq!(violation.nearest.len(), 3);
}

#[test]
fn its_records_are_replayed_listed_and_looked_at() {
    let text = json!({
        "format": "umpire/1", "game": "nim", "chance": { "tape": [{ "kind": "die", "at": "die", "value": 6 }] },
        "actions": [take("left", 2)],
    })
    .to_string();
    let record = RawRecord::read(text.as_bytes()).expect("the envelope can be read");
    let mut loaded = load::<Nim>(&record, Limits::default()).expect("the record can be loaded");
    let mut table = Table::<Nim>::open(loaded.setup.clone(), &mut loaded.source, Keep::Log)
        .expect("the tape makes the heap");
    for action in &loaded.actions {
        table.play(action, &mut loaded.source).expect("the action is legal");
    }
    assert_eq!(table.view(Observer::Spectator), State { heap: 14, mover: Side::Right });
    let right = |count| Action::Take { player: Side::Right, count };
    assert_eq!(table.actions(Seat(1)), [right(1), right(2), right(3)]);
    assert_eq!(table.actions(Seat(0)), []);
    let mut count = Count::default();
    let _ = table.legal(Seat(1), &mut count);
    assert_eq!(count.actions, 3);
    let log = table.log().expect("it was kept");
    let told = |at: usize| Nim::announce(&(), &log.events[at].event, Observer::Seat(Seat(1)));
    assert!(told(0).is_some() && told(1).is_some());
    let again =
        Table::<Nim>::open(loaded.setup, &mut Seeded::new("x", Nim::META.streams), Keep::Log)
            .expect("a seed makes the heap");
    let heap = again.view(Observer::Referee).heap;
    assert!((11..=16).contains(&heap), "{heap}");
    assert_ne!(
        fingerprint(&table.view(Observer::Referee)),
        fingerprint(&again.view(Observer::Referee))
    );
}
