//! What a dispute says of the clauses behind a course: every ruling that a replay cites has its voice,
//! and `why` and `adjudicate` judge an action alike.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use umpire_engine::any_game::{AnyGame, Of};
use umpire_engine::dispute::readings::{Answered, Dispute};
use umpire_engine::dispute::why::{Answer, Bounds};
use umpire_engine::game::{FullGame, Observer, Visitor};
use umpire_engine::record::RawRecord;
use umpire_engine::replay::{Limits, Query};
use umpire_engine::rules::{Rule, RuleKind};

use crate::walk::{Chooser, Pool, menu, walk, walks};

/// How often each ruling is cited in the log of a game.
fn cited<G: FullGame>(game: &crate::walk::Walk<G>) -> BTreeMap<&'static str, u32> {
    let log = game.end.log().expect("walks keep a log");
    let events = log.events.iter().map(|logged| logged.rules.as_slice().to_vec());
    let draws = log.tape.iter().map(|drawn| vec![drawn.rule]);
    let mut counts = BTreeMap::new();
    for rules in events.chain(draws) {
        let rulings = rules.iter().filter(|rule| rule.entry().kind == RuleKind::Ruling);
        for id in rulings.map(|rule| rule.id()).collect::<BTreeSet<_>>() {
            *counts.entry(id).or_default() += 1;
        }
    }
    counts
}

#[derive(Default)]
struct EveryVoice {
    rulings: usize,
}

impl Visitor for EveryVoice {
    fn game<G: FullGame>(&mut self) {
        for number in 0..6 {
            let game = walk::<G>("{}", &format!("voices {number}"), 120);
            let text = game.record(game.actions.len(), &game.seed_chance());
            let record = RawRecord::read(text.as_bytes()).expect("a record");
            let dispute = Dispute { readings: Some(&[]), ..Dispute::default() };
            let settled = Of::<G>::new().adjudicate(&record, &dispute, Limits::default());
            let settled = settled.expect("a settled dispute");
            let voiced = settled.cited.iter().filter(|ruling| ruling.times > 0);
            let voiced: BTreeMap<&str, u32> = voiced.map(|it| (it.id, it.times)).collect();
            assert_eq!(voiced, cited(&game), "{}", G::META.id);
            let options: Value = serde_json::from_str(settled.options.get()).expect("JSON");
            for ruling in &settled.cited {
                self.rulings += 1;
                let in_force: Vec<_> = ruling.readings.iter().filter(|it| it.in_force).collect();
                assert_eq!(in_force.len(), 1, "{ruling:?}");
                let chosen = &options["rulings"][ruling.id];
                if chosen.is_string() {
                    assert_eq!(chosen, in_force[0].value);
                }
                // What can be chosen runs, and what cannot does not, but for the one in force.
                for reading in &ruling.readings {
                    let chosen = !reading.value.is_empty() && chosen.is_string();
                    assert_eq!(reading.runs, chosen || reading.in_force, "{ruling:?}");
                }
                assert!(!ruling.question.is_empty() && !ruling.settles.is_empty(), "{ruling:?}");
            }
        }
    }
}

#[test]
fn every_ruling_behind_a_course_has_its_voice() {
    let mut law = EveryVoice::default();
    crate::walk::every_game(&mut law);
    assert!(law.rulings > 50, "{}", law.rulings);
}

#[derive(Default)]
struct OneJudge {
    legal: usize,
    illegal: usize,
    without_draw: usize,
}

impl Visitor for OneJudge {
    /// The record is one of a table, and says nothing of what the action would draw.
    fn game<G: FullGame>(&mut self) {
        let games = walks::<G>(&["{}".to_owned()], 3, 60);
        let pool = Pool::of(&games);
        let mut chooser = Chooser::new("one judge");
        let of = Of::<G>::new();
        for game in &games {
            for ply in game.plies(8) {
                let table = &game.tables[ply];
                let Some(seat) = table.decision().seats.iter().next() else { continue };
                let Some(action) = menu(table, seat).pick(table, &mut chooser) else { continue };
                let action = serde_json::to_value(&action).expect("JSON");
                let log = game.end.log().expect("walks keep a log");
                let drawn = log.tape.iter().filter(|it| it.opening || (it.ply as usize) < ply);
                let drawn: Vec<_> = drawn.map(|it| &it.entry).collect();
                let tape = json!({"tape": drawn}).to_string();
                let text = game.record(ply, &tape);
                let record = RawRecord::read(text.as_bytes()).expect("a record");
                for asked in [action.clone(), pool.mutated(&action, &mut chooser)] {
                    let sent = serde_json::value::to_raw_value(&asked).expect("JSON");
                    let dispute =
                        Dispute { action: Some(&sent), readings: Some(&[]), ..Dispute::default() };
                    let settled = of.adjudicate(&record, &dispute, Limits::default());
                    let settled = settled.expect("a settled dispute");
                    let question = settled.question.expect("a question");
                    let bounds = Bounds { loads: 1, pairs: 0, worlds: 1 };
                    let query = Query { viewer: Observer::Referee, ..Query::default() };
                    let why = of.why(&record, sent.get(), &query, &bounds).expect("an answer");
                    let legal = why.answer == Answer::Legal;
                    let answer = if legal { Answered::Legal } else { Answered::Illegal };
                    assert_eq!(question.answer, answer, "{} {asked} in {text}", G::META.id);
                    let stopped = settled.recorded.plies as usize == ply;
                    self.without_draw += usize::from(legal && stopped);
                    if legal {
                        self.legal += 1;
                        assert!(!why.clauses.is_empty(), "{} {asked}", G::META.id);
                        assert!(why.message.contains(why.clauses[0].id), "{}", why.message);
                        let line = &settled.summary[0];
                        assert!(line.contains("is legal"), "{line}");
                        assert!(stopped || line.contains("legal by"), "{line}");
                    } else {
                        self.illegal += 1;
                        let rule = &settled.recorded.violation.expect("a violation").rule;
                        assert_eq!(*rule, why.violations[0].rule);
                        assert_eq!(why.clauses[0].id, *rule);
                    }
                }
            }
        }
    }
}

#[test]
fn why_and_adjudicate_judge_an_action_alike() {
    let mut law = OneJudge::default();
    crate::walk::every_game(&mut law);
    let OneJudge { legal, illegal, without_draw } = law;
    assert!(legal > 40 && illegal > 20 && without_draw > 3, "{legal} {illegal} {without_draw}");
}
