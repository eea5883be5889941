//! Examples for every operation, made by running the engine on a sample game.
//!
//! This module must not contain a handwritten response if the service can make one.

use std::collections::BTreeMap;
use umpire_referee::questions::rules::{GameList, RuleInfo, RuleList};

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use umpire_engine::analysis::balance::{Series, play_all};
use umpire_engine::analysis::chances::OddsQuery;
use umpire_engine::analysis::hint;
use umpire_engine::analysis::review::{Judged, Task};
use umpire_engine::analysis::search::InTurn;
use umpire_engine::analysis::selfplay::Player;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::dispute::compare::PlyMark;
use umpire_engine::dispute::readings::{Adjudication, Dispute, ReadingChoice};
use umpire_engine::dispute::repair::RepairBounds;
use umpire_engine::dispute::why::Bounds;
use umpire_engine::game::Observer;
use umpire_engine::games::GAMES;
use umpire_engine::record::Fault;
use umpire_engine::replay::answer::LegalQuery;
use umpire_engine::replay::{Include, Limits, Query};
use umpire_engine::report::Report;
use umpire_engine::scene::svg;

mod tables;

use crate::auth::names::Names;
use crate::auth::secrets::Secret;
use crate::documents::archive::{Accept, admit};
use crate::documents::curve::{self, Drawn};
use crate::documents::sheet::contents::Contents;
use crate::documents::sheet::seal::Key;
use crate::documents::sheet::{Document, Draft, html, markdown};
use crate::http::body::{JSON, NDJSON, SVG};
use crate::http::error::{Code, Problem};
use crate::http::ndjson::{Line, SummaryLine};
use crate::jobs::analysis::{AnalysisJob, AnalysisProgress};
use crate::jobs::change::{self, Found, ImpactChange, ImpactCounts, ImpactFilter};
use crate::jobs::impact::{ChangedRecord, Impact, ImpactProgress};
use crate::jobs::simulation::SimulationJob;
use crate::routes::game::GameDetail;
use crate::routes::impact::{ChangePage, ImpactRequest};
use crate::routes::kept::{ListedTable, ListedVerdict, TablePage, VerdictPage};
use crate::routes::page;
use crate::routes::precedent::PrecedentList;
use crate::routes::problem::{CodeInfo, CodeList};
use crate::routes::record::{Receipt, RecordPage, RecordSummary, SubmissionCounts};
use crate::routes::stored::EventList;
use crate::routes::validate::{ValidationCounts, judge_line};
use crate::store::jobs::JobState;
use crate::store::{Inserted, Listed};
use umpire_conformance::compliance::Compliance;
use umpire_conformance::{embedded, precedent};
use umpire_referee::language::Language;
use umpire_referee::parameters::JudgeParameters;
use umpire_referee::parameters::{SENT, STORED};
use umpire_referee::reading::{self, Submission, UnknownFields};

/// The seed of the sample games.
const SEED: &str = "umpire-example";

/// The actions in a sample game.
const PLIES: usize = 4;

/// Examples by place: an operation's request, its responses by status, its parameters.
#[derive(Default)]
pub(super) struct Examples {
    requests: BTreeMap<(&'static str, &'static str), Map<String, Value>>,
    responses: BTreeMap<(&'static str, &'static str, &'static str), Map<String, Value>>,
    parameters: BTreeMap<(&'static str, &'static str), Value>,
}

/// Examples as the document contains them: each once, under its own name.
#[derive(Default)]
pub(super) struct Shown {
    /// The name of each example, by its text.
    names: BTreeMap<String, String>,
    /// The examples by name.
    pub(super) components: Map<String, Value>,
}

impl Shown {
    /// References to some examples, by their names in their place. `place` is the prefix of new
    /// names.
    pub(super) fn of(&mut self, place: &str, examples: &Map<String, Value>) -> Value {
        let mut shown = Map::new();
        for (name, example) in examples {
            let new = format!("{place}-{name}").replace('_', "-");
            let known = self.names.entry(example.to_string()).or_insert_with(|| {
                self.components.insert(new.clone(), example.clone());
                new
            });
            shown.insert(name.clone(), json!({"$ref": format!("#/components/examples/{known}")}));
        }
        Value::Object(shown)
    }
}

/// A problem with that code, including a real verdict if the code has one.
pub(super) fn problem(code: Code) -> Problem {
    let mut problem = code.example();
    if code == Code::RecordIllegal
        && let Some(game) = GAMES.first()
    {
        let record = illegal(*game);
        if let Ok(judgement) = reading::judge(record.get().as_bytes(), Limits::default()) {
            if let Some(violation) = &judgement.verdict.violation {
                problem.pointer = Some(violation.pointer.clone().into());
                problem.detail =
                    format!("{}; to store the record anyway, send accept=any", violation.message);
            }
            problem.verdict = serde_json::value::to_raw_value(&judgement).ok();
        }
    }
    problem
}

/// All examples.
pub(super) fn all(components: &Map<String, Value>) -> Examples {
    let mut all = Examples::default();
    for game in GAMES.iter() {
        all.add_game(*game, components);
    }
    all.add_impact();
    let one = |value: Value| Map::from_iter([("example".to_owned(), json!({"value": value}))]);
    all.responses.insert(("list_games", "200", JSON), one(value(&GameList::all())));
    let (origin, id) = ("https://umpire.example", "0".repeat(64));
    all.parameters.insert(("get_oembed", "url"), json!(format!("{origin}/t/{id}/17")));
    let embedding = page::embedding(origin, &id, Some(17), (640, 560));
    all.responses.insert(("get_oembed", "200", JSON), one(value(&embedding)));
    let mut problems = value(&CodeList::all());
    if let Some(list) = problems["problems"].as_array_mut() {
        list.truncate(3);
    }
    all.responses.insert(("list_problems", "200", JSON), one(problems));
    all.responses.insert(("get_problem", "200", JSON), one(value(&CodeInfo::of(Code::BadJson))));
    let document = json!({"openapi": "3.1.0", "info": {"title": "Umpire", "version": umpire_engine::replay::answer::ENGINE}, "paths": {}});
    all.responses.insert(("get_openapi", "200", JSON), one(document));
    all.responses.values_mut().for_each(leave_out_long);
    all
}

/// Of several examples of a response, leaves out those that would bloat the document; the shortest
/// one stays.
fn leave_out_long(examples: &mut Map<String, Value>) {
    const LONG: usize = 1_450;
    let shortest = examples.values().map(|example| example.to_string().len()).min();
    let most = shortest.unwrap_or(0).max(LONG);
    examples.retain(|_, example| example.to_string().len() <= most);
}

fn value<T: Serialize>(from: &T) -> Value {
    serde_json::to_value(from).unwrap_or_default()
}

/// A shortened game: the whole would bloat the document.
fn detail(game: &dyn AnyGame, components: &Map<String, Value>) -> Value {
    let mut detail = value(&GameDetail::described(game, components));
    for list in ["rulings", "actions"] {
        if let Some(list) = detail[list].as_array_mut() {
            list.truncate(1);
        }
    }
    detail["options_schema"] = json!({"type": "object"});
    if let Some(components) = detail["components"].as_object_mut() {
        let first = components.keys().next().cloned();
        components.retain(|name, _| Some(name) == first.as_ref());
    }
    detail
}

/// A report with only its first events.
fn in_short(report: Report) -> Report {
    let first = |mut events: Vec<_>| {
        events.truncate(4);
        events
    };
    Report { events: report.events.map(first), ..report }
}

/// A sample game with names and notes.
fn sample(game: &dyn AnyGame) -> Box<RawValue> {
    let plain = reading::sample(game, SEED, PLIES);
    let mut record: Value = serde_json::from_str(plain.get()).unwrap_or_default();
    let names = ["Anna", "Bruno", "Chiara", "Davide", "Elena", "Fabio"];
    let (_, most) = game.meta().players;
    let seats = game.meta().seats.iter().take(usize::from(most));
    let least = usize::from(game.meta().players.0);
    record["players"] = seats
        .take(least)
        .zip(names)
        .map(|(seat, name)| ((*seat).to_owned(), Value::from(name)))
        .collect();
    record["meta"] = json!({"event": "club night", "date": "2026-11-21"});
    serde_json::value::to_raw_value(&record).unwrap_or(plain)
}

/// A sample game with an invalid action after its end.
fn illegal(game: &dyn AnyGame) -> Box<RawValue> {
    let plain = reading::sample(game, SEED, 1);
    let mut record: Value = serde_json::from_str(plain.get()).unwrap_or_default();
    if let Some(actions) = record["actions"].as_array_mut() {
        actions.push(json!({"type": "pass the salt", "player": game.meta().seats.first()}));
    }
    serde_json::value::to_raw_value(&record).unwrap_or(plain)
}

impl Examples {
    fn add_game(&mut self, game: &'static dyn AnyGame, components: &Map<String, Value>) {
        let legal = sample(game);
        let illegal = illegal(game);
        for operation in [
            "create_replay",
            "create_scene",
            "list_legal_actions",
            "create_validation",
            "create_record",
        ] {
            self.request(operation, JSON, game, "", value(&legal));
        }
        self.request("create_validation", JSON, game, "-illegal", value(&illegal));
        self.incomplete(game, &legal);
        self.answers(game, &legal, &illegal);
        self.tables(game);
        self.disputes(game, &legal);
        self.precedents(game);
        self.lines(game, &legal, &illegal);
        self.response("get_game", "200", JSON, game, detail(game, components));
        // The whole rulebook would bloat the document.
        let mut rules = value(&RuleList::of(&Language::ENGLISH.of(game)));
        if let Some(list) = rules["rules"].as_array_mut() {
            list.truncate(3);
        }
        self.response("list_rules", "200", JSON, game, rules);
        if let Some(entry) = game.rules().first() {
            let rule = RuleInfo::find(&Language::ENGLISH.of(game), entry.id);
            self.response("get_rule", "200", JSON, game, value(&rule));
            self.parameters.entry(("get_rule", "id")).or_insert(json!(entry.id));
        }
        let mut table = value(&Compliance::of(game));
        if let Some(rulings) = table["rulings"].as_array_mut() {
            rulings.truncate(2);
        }
        self.response("get_compliance", "200", JSON, game, table);
        for operation in ["get_game", "list_rules", "get_rule", "get_compliance"] {
            self.parameters.entry((operation, "game")).or_insert(json!(game.meta().id));
        }
    }

    /// The sample game as noted by someone who did not see the draws, nor all of the last action.
    fn incomplete(&mut self, game: &dyn AnyGame, legal: &RawValue) {
        let mut record = value(&legal);
        record["chance"] = json!({"tape": {"partial": true}});
        record["omitted"] = game.omissions().iter().map(|it| it.name).collect();
        let last = record["actions"].as_array_mut().and_then(|all| all.last_mut());
        for (name, field) in last.and_then(Value::as_object_mut).into_iter().flatten() {
            if !["type", "player", "note"].contains(&name.as_str()) {
                *field = "?".into();
                break;
            }
        }
        self.request("create_validation", JSON, game, "-incomplete", record.clone());
        self.request("create_replay", JSON, game, "-incomplete", record);
    }

    /// The responses about one record.
    fn answers(&mut self, game: &dyn AnyGame, legal: &RawValue, illegal: &RawValue) {
        let _: Result<(), Fault> = reading::with_record(legal.get().as_bytes(), |submission| {
            let include = Include { events: true, ..Include::default() };
            let sent = Query { include, viewer: SENT, ..Query::default() };
            let stored = Query { viewer: STORED, ..sent };
            if let Ok(found) = submission.replay(&sent) {
                self.response("create_replay", "200", JSON, game, value(&found));
            }
            if let Ok(mut found) = submission.depict(&sent, false) {
                // A whole board would bloat the document.
                found.scene.shapes.truncate(2);
                found.scene.regions.truncate(1);
                found.scene.legend.clear();
                found.scene.text.clone_from(&found.scene.title);
                for operation in ["create_scene", "get_record_scene", "get_table_scene"] {
                    self.response(operation, "200", JSON, game, value(&found));
                }
                found.scene.tables.clear();
                let options = svg::Options { style: false, tables: false, ..Default::default() };
                let picture = Value::from(svg::write(&found.scene, options));
                for operation in ["create_scene", "get_record_board", "get_table_scene"] {
                    self.response(operation, "200", SVG, game, picture.clone());
                }
            }
            if let Ok(found) = submission.replay(&stored).map(in_short) {
                for operation in ["get_record_report", "get_record_ply"] {
                    self.response(operation, "200", JSON, game, value(&found));
                }
                self.response(
                    "list_record_events",
                    "200",
                    JSON,
                    game,
                    value(&EventList::of(found)),
                );
            }
            for (operation, query) in
                [("list_legal_actions", sent), ("list_record_legal_actions", stored)]
            {
                if let Ok(choices) = submission.legal(&query, LegalQuery::LIST) {
                    self.response(operation, "200", JSON, game, value(&choices));
                }
            }
            if let Ok(judgement) = submission.game.judge(&submission.record, Limits::default()) {
                self.response("create_validation", "200", JSON, game, value(&judgement));
            }
            if let Ok(judgement) = reading::judge(illegal.get().as_bytes(), Limits::default()) {
                let name = format!("{}-illegal", game.meta().id);
                self.named("create_validation", "200", JSON, name, value(&judgement));
            }
            Ok(())
        });
    }

    /// A dispute about one record, and its settlement.
    fn disputes(&mut self, game: &dyn AnyGame, legal: &RawValue) {
        let _: Result<(), Fault> = reading::with_record(legal.get().as_bytes(), |submission| {
            let sent = json!({"record": value(&legal)});
            self.request("create_adjudication", JSON, game, "", sent);
            // The whole response would bloat the document.
            if let Ok(mut settled) = submission.game.adjudicate(
                &submission.record,
                &Dispute::default(),
                Limits::default(),
            ) {
                precedent::link(&mut settled);
                settled.cited.truncate(1);
                settled.readings.sort_by_key(|it| value(it).to_string().len());
                settled.readings.truncate(1);
                settled.same.truncate(2);
                self.response("create_adjudication", "200", JSON, game, value(&settled));
                self.verdicts(game, submission, &settled);
            }
            let wrong = json!({"type": "pass the salt", "player": game.meta().seats.first()});
            let sent = json!({"record": value(&legal), "action": &wrong});
            self.request("create_why_not", JSON, game, "", sent);
            let bounds = Bounds { loads: 50, pairs: 0, ..Bounds::default() };
            if let Ok(why) =
                game.why(&submission.record, &wrong.to_string(), &Query::default(), &bounds)
            {
                self.response("create_why_not", "200", JSON, game, value(&why));
            }
            let sent = json!({"record": value(&legal), "ply": 1});
            self.request("create_explanation", JSON, game, "", sent);
            let first = Query { ply: Some(1), ..Query::default() };
            if let Ok(found) = game.explain(&submission.record, &first) {
                self.response("create_explanation", "200", JSON, game, value(&found));
            }
            self.mending(game, legal);
            // These are long, and alike for all games: those of one game are enough.
            if GAMES.first().is_some_and(|first| first.meta().id == game.meta().id) {
                self.advice(game, submission, legal);
            }
            Ok(())
        });
    }

    /// Advice for a seat, the odds of an action, and an analysis, each with a small budget.
    fn advice(&mut self, game: &dyn AnyGame, submission: &Submission<'_>, legal: &RawValue) {
        const SIMULATIONS: u32 = 50;
        let record = value(&legal);
        let sent = json!({"record": &record, "simulations": SIMULATIONS, "most": 2});
        self.request("create_hint", JSON, game, "", sent);
        let asked = hint::Asked {
            ply: None,
            seat: None,
            simulations: SIMULATIONS,
            seed: SEED,
            most: 2,
            limits: Limits::default(),
            spread: &InTurn,
        };
        if let Ok(found) = game.hint(&submission.record, &asked) {
            self.response("create_hint", "200", JSON, game, value(&found));
            self.response("get_table_hint", "200", JSON, game, value(&found));
        }
        let last = record["actions"].as_array().and_then(|all| Some((all.last()?, all.len() - 1)));
        if let Some((action, ply)) = last {
            let sent = json!({"record": &record, "ply": ply, "action": action});
            self.request("create_odds", JSON, game, "", sent);
            let query = Query { ply: Some(ply as u32), ..Query::default() };
            let text = action.to_string();
            let asked = OddsQuery { query, action: &text };
            if let Ok(mut found) = game.odds(&submission.record, &asked) {
                found.possibilities.truncate(2);
                self.response("create_odds", "200", JSON, game, value(&found));
            }
        }
        self.series(game);
        let sent = json!({"record": &record, "simulations": SIMULATIONS});
        self.request("create_analysis", JSON, game, "", sent);
        let task =
            Task { simulations: SIMULATIONS, seed: SEED.to_owned(), viewer: Observer::Referee };
        let Ok(analysis) = game.analysis(&submission.record, &task, Limits::default()) else {
            return;
        };
        let Ok(first) = analysis.ply(0, Budget::UNLIMITED) else { return };
        let judged: Vec<Judged> = Judged::of(&first).into_iter().collect();
        let Ok(summary) = analysis.summary(&judged, Budget::UNLIMITED) else { return };
        let of = analysis.plies() + 1;
        let done = AnalysisJob {
            id: "0".repeat(64),
            game: game.meta().id.to_owned(),
            record: "1".repeat(64),
            viewer: "referee".to_owned(),
            simulations: SIMULATIONS,
            seed: SEED.to_owned(),
            state: JobState::Done,
            progress: AnalysisProgress { done: of, of },
            summary: serde_json::value::to_raw_value(&summary).ok(),
            problem: None,
        };
        let progress = AnalysisProgress { done: 0, of };
        let state = JobState::Running;
        let running = AnalysisJob { state, progress, summary: None, ..done.clone() };
        self.response("create_analysis", "202", JSON, game, value(&running));
        for (operation, status) in
            [("create_analysis", "200"), ("get_analysis", "200"), ("get_record_analysis", "200")]
        {
            self.response(operation, status, JSON, game, value(&done));
        }
        let mut line = Vec::new();
        umpire_referee::json::line(&mut line, &first);
        self.response("list_analysis_plies", "200", NDJSON, game, text(line));
        let curve = Drawn::of(&summary, std::slice::from_ref(&first));
        self.response("get_analysis_curve", "200", SVG, game, json!(curve::svg(&curve)));
        let page = json!({"plies": [value(&first)], "next": 1});
        self.response("list_analysis_plies", "200", JSON, game, page);
        for operation in
            ["get_analysis", "delete_analysis", "list_analysis_plies", "get_analysis_curve"]
        {
            self.parameters.insert((operation, "id"), json!(done.id));
        }
    }

    /// A short series of games, and the same as a job.
    fn series(&mut self, game: &dyn AnyGame) {
        let sent = json!({"game": game.meta().id, "games": 2});
        self.request("create_simulation", JSON, game, "", sent);
        let series = Series {
            options: None,
            players: vec![Player::Random; game.meta().seats.len()],
            alternate: false,
            games: 2,
            seed: SEED.to_owned(),
            longest: 5_000,
            luck: false,
            rulings: false,
        };
        let Ok(games) = game.series(series) else { return };
        let Ok(counted) = play_all(&*games, Budget::UNLIMITED, &InTurn, &|| {}) else { return };
        let found = games.sum(&counted);
        self.response("create_simulation", "200", JSON, game, value(&found));
        let done = SimulationJob {
            id: "0".repeat(64),
            game: game.meta().id.to_owned(),
            seed: SEED.to_owned(),
            state: JobState::Done,
            progress: AnalysisProgress { done: 2, of: 2 },
            simulation: serde_json::value::to_raw_value(&found).ok(),
            problem: None,
        };
        let progress = AnalysisProgress { done: 0, of: 2 };
        let state = JobState::Running;
        let running = SimulationJob { state, progress, simulation: None, ..done.clone() };
        self.response("create_simulation", "202", JSON, game, value(&running));
        // The results of the games are in the example of the short series.
        self.response("get_simulation", "200", JSON, game, value(&running));
        for operation in ["get_simulation", "delete_simulation"] {
            self.parameters.insert((operation, "id"), json!(done.id));
        }
    }

    /// The first precedent of a game.
    fn precedents(&mut self, game: &dyn AnyGame) {
        let mut list = PrecedentList::of(game, None);
        list.precedents.truncate(1);
        self.response("list_precedents", "200", JSON, game, value(&list));
        if let Some(first) = list.precedents.first() {
            self.response("get_precedent", "200", JSON, game, value(first));
            self.parameters.entry(("get_precedent", "name")).or_insert(json!(first.name));
            if let Some(clause) = first.clauses.first() {
                self.parameters.entry(("list_precedents", "clause")).or_insert(json!(clause));
            }
        }
        for operation in ["list_precedents", "get_precedent"] {
            self.parameters.entry((operation, "game")).or_insert(json!(game.meta().id));
        }
    }

    /// A record with a surplus action and its repair, and a comparison with the original.
    fn mending(&mut self, game: &dyn AnyGame, legal: &RawValue) {
        let mut twice: Value = value(&legal);
        if let Some(actions) = twice["actions"].as_array_mut()
            && let Some(last) = actions.last().cloned()
        {
            actions.push(last);
        }
        self.request("create_repair", JSON, game, "", json!({"record": &twice, "most": 1}));
        let text = twice.to_string();
        let _: Result<(), Fault> = reading::with_record(legal.get().as_bytes(), |one| {
            reading::with_record(text.as_bytes(), |two| {
                let bounds = RepairBounds { most: 1, edits: 1, ..RepairBounds::default() };
                if let Ok(found) = game.repair(&two.record, bounds, Limits::default()) {
                    self.response("create_repair", "200", JSON, game, value(&found));
                }
                self.request("create_remedy", JSON, game, "", json!({"record": &twice}));
                if let Ok(found) = game.remedy(&two.record, Limits::default()) {
                    self.response("create_remedy", "200", JSON, game, value(&found));
                }
                let sent = json!({"record": value(&legal), "other": &twice});
                self.request("create_comparison", JSON, game, "", sent);
                if let Ok(found) = game.compare([&one.record, &two.record], Limits::default()) {
                    self.response("create_comparison", "200", JSON, game, value(&found));
                }
                let fingerprints = json!([{"ply": 1, "fingerprint": "0".repeat(64)}]);
                let sent = json!({"record": value(&legal), "fingerprints": &fingerprints});
                self.request("create_comparison", JSON, game, "-fingerprints", sent);
                let marks: Vec<PlyMark> = serde_json::from_value(fingerprints).unwrap_or_default();
                if let Ok(found) =
                    game.compare_prints(&one.record, &marks, false, Limits::default())
                {
                    let name = format!("{}-fingerprints", game.meta().id);
                    self.named("create_comparison", "200", JSON, name, value(&found));
                }
                Ok(())
            })
        });
    }

    /// The responses about stored records, and to records as NDJSON.
    fn lines(&mut self, game: &dyn AnyGame, legal: &RawValue, illegal: &RawValue) {
        let limits = Limits::default();
        let Ok(prepared) = admit(legal.get().as_bytes(), limits, Accept::Legal) else {
            return;
        };
        let kept: Value = serde_json::from_str(&prepared.record.record).unwrap_or_default();
        self.response("get_record", "200", JSON, game, kept);
        let id = prepared.record.id.to_string();
        let listed = Listed {
            id: prepared.record.id,
            created_at: 1_795_294_800_000,
            summary: prepared.record.summary.clone(),
            meta_bytes: 0,
        };
        let page =
            RecordPage { records: vec![RecordSummary::of(&Names::open(), listed)], next: None };
        self.response("list_records", "200", JSON, game, value(&page));
        let kept = format!("{}\n", prepared.record.record);
        self.response("list_records", "200", NDJSON, game, kept.into());
        for operation in STORED_OPERATIONS {
            self.parameters.entry((operation, "id")).or_insert(json!(id));
        }
        for operation in ["get_record_ply", "get_record_board", "get_record_scene"] {
            self.parameters.entry((operation, "ply")).or_insert(json!(2));
        }

        let sent = format!("{}\n{}\nnonsense\n", legal.get(), illegal.get());
        // There is no example of a request: tools that replay examples cannot send NDJSON.
        let mut verdicts = Vec::new();
        let mut counts = ValidationCounts::default();
        for (number, text) in (1..).zip(sent.lines()) {
            let line = Line { number, text: Ok(text.as_bytes().to_vec()) };
            let plainly =
                JudgeParameters { lang: Language::ENGLISH, unknown_fields: UnknownFields::Refuse };
            let judged = judge_line(line, limits, plainly, &mut verdicts);
            counts.count(judged.map(|judged| judged.stands));
        }
        umpire_referee::json::line(&mut verdicts, &SummaryLine { summary: counts });
        self.response("create_validation", "200", NDJSON, game, text(verdicts));

        let names = Names::open();
        let (id, judgement) = (prepared.record.id, prepared.judgement);
        let again = Receipt::of(&names, &id, judgement.clone(), Inserted::Existing);
        self.response("create_record", "200", JSON, game, value(&again));
        let receipt = Receipt::of(&names, &id, judgement, Inserted::New);
        self.response("create_record", "201", JSON, game, value(&receipt));
        let mut receipts = Vec::new();
        umpire_referee::json::line(&mut receipts, &receipt);
        for (number, text) in (1..).zip(sent.lines()).skip(1) {
            if let Err(error) = admit(text.as_bytes(), limits, Accept::Legal) {
                umpire_referee::json::line(&mut receipts, &error.problem().in_line(number));
            }
        }
        let summary = SubmissionCounts { records: 3, new: 1, existing: 0, refused: 1, failed: 1 };
        umpire_referee::json::line(&mut receipts, &SummaryLine { summary });
        self.response("create_record", "200", NDJSON, game, text(receipts));
    }

    /// The sheet of a dispute that is stored.
    fn verdicts(
        &mut self,
        game: &dyn AnyGame,
        submission: &Submission<'_>,
        settled: &Adjudication,
    ) {
        let dispute = Dispute::default();
        let Ok(draft) = Draft::of(submission, &dispute, settled, Limits::default()) else { return };
        let key = Secret::parse(&"07".repeat(32)).map(|secret| Key::of(&secret));
        let document = Document::of(&draft, key.as_ref());
        let first = GAMES.first().filter(|first| first.meta().id == game.meta().id);
        let Some(one) = first else { return };
        let mut kept = value(settled);
        kept["verdict"] = json!(draft.id.to_string());
        self.response("create_adjudication", "201", JSON, *one, kept);
        let shown: Value = serde_json::from_str(&document.json()).unwrap_or_default();
        self.response("get_verdict", "200", JSON, *one, shown);
        if let Ok(contents) = Contents::of(&document) {
            self.response(
                "get_verdict",
                "200",
                "text/markdown",
                *one,
                markdown::write(&contents).into(),
            );
            let page = html::write(&document, &contents);
            self.response("get_verdict", "200", "text/html", *one, page.into());
        }
        if let Some(key) = &key {
            self.response("get_verdict_key", "200", JSON, *one, value(&key.public()));
        }
        for operation in ["get_verdict", "delete_verdict"] {
            self.parameters.insert((operation, "id"), json!(draft.id.to_string()));
        }
        let at = crate::store::when::text(1_795_294_800_000);
        let listed = ListedVerdict {
            id: draft.id.to_string(),
            created_at: at.clone(),
            game: game.meta().id.to_owned(),
            players: BTreeMap::from([(game.meta().seats[0].to_owned(), "Anna".to_owned())]),
            bytes: document.json().len() as u64,
        };
        let players = listed.players.clone();
        let page = VerdictPage { verdicts: vec![listed], next: None };
        self.response("list_verdicts", "200", JSON, *one, value(&page));
        let listed = ListedTable {
            id: "2a".repeat(16),
            created_at: at.clone(),
            played_at: at,
            game: game.meta().id.to_owned(),
            players,
            steps: 12,
            bytes: 2_048,
        };
        let page = TablePage { tables: vec![listed], next: Some(3) };
        self.response("list_tables", "200", JSON, *one, value(&page));
    }

    /// An impact: the first fixture in which another reading of a ruling changes something.
    fn add_impact(&mut self) {
        let Some((game, id, reading, change)) = first_change() else { return };
        let mut counts = ImpactCounts::default();
        counts.count(Some(&Found::Changed(Box::new(change.clone()))));
        let filter = ImpactFilter { game: Some(game.meta().id.to_owned()), ..Default::default() };
        let asked =
            ImpactRequest { reading: Some(reading.clone()), filter: filter.clone(), after: None };
        self.request("create_impact", JSON, game, "", value(&asked));
        let running = Impact {
            id: "5d1c90e7a2b34f68".to_owned(),
            engine: umpire_engine::replay::answer::ENGINE.to_owned(),
            state: JobState::Running,
            reading: Some(reading),
            filter,
            progress: ImpactProgress::default(),
            counts: ImpactCounts::default(),
            next: None,
            truncated: false,
            problem: None,
        };
        self.response("create_impact", "202", JSON, game, value(&running));
        let progress = ImpactProgress { looked: 1, of: Some(1) };
        let done = Impact { state: JobState::Done, progress, counts, ..running };
        self.response("get_impact", "200", JSON, game, value(&done));
        let changed = ChangedRecord { id, change };
        let mut line = Vec::new();
        umpire_referee::json::line(&mut line, &changed);
        self.response("list_impact_changes", "200", NDJSON, game, text(line));
        let changed = serde_json::value::to_raw_value(&changed).into_iter().collect();
        let page = ChangePage { changes: changed, next: None };
        self.response("list_impact_changes", "200", JSON, game, value(&page));
        for operation in ["get_impact", "delete_impact", "list_impact_changes"] {
            self.parameters.insert((operation, "id"), json!(done.id));
        }
    }

    fn request(
        &mut self,
        operation: &'static str,
        media: &'static str,
        game: &dyn AnyGame,
        suffix: &str,
        value: Value,
    ) {
        let name = format!("{}{suffix}", game.meta().id);
        self.requests.entry((operation, media)).or_default().insert(name, json!({"value": value}));
    }

    fn response(
        &mut self,
        operation: &'static str,
        status: &'static str,
        media: &'static str,
        game: &dyn AnyGame,
        value: Value,
    ) {
        self.named(operation, status, media, game.meta().id.to_owned(), value);
    }

    fn named(
        &mut self,
        operation: &'static str,
        status: &'static str,
        media: &'static str,
        name: String,
        value: Value,
    ) {
        let all = self.responses.entry((operation, status, media)).or_default();
        all.insert(name, json!({"value": value}));
    }

    /// Puts the examples of an operation in their places, as references to `all`, in which each
    /// example exists once.
    pub(super) fn add_to(&self, id: &str, operation: &mut Value, all: &mut Shown) {
        for ((of, media), examples) in &self.requests {
            if *of == id {
                let shown = all.of(&format!("{id}-request"), examples);
                operation["requestBody"]["content"][*media]["examples"] = shown;
            }
        }
        for ((of, status, media), examples) in &self.responses {
            if *of == id {
                let lines = if *media == NDJSON { "-lines" } else { "" };
                let shown = all.of(&format!("{id}-{status}{lines}"), examples);
                operation["responses"][*status]["content"][*media]["examples"] = shown;
            }
        }
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap_or("").to_owned();
            let own = self.parameters.iter().find(|((of, named), _)| *of == id && *named == name);
            if let Some((_, example)) = own {
                parameter["example"] = example.clone();
            }
        }
    }
}

/// A fixture that another reading changes: its game, its record id, the reading, the change.
fn first_change() -> Option<(&'static dyn AnyGame, String, ReadingChoice, ImpactChange)> {
    let limits = Limits::default();
    for game in GAMES.iter() {
        for record in embedded::records(game.meta().id) {
            for def in game.rulings() {
                for other in def.values {
                    let rulings = BTreeMap::from([(def.id.to_owned(), (*other).to_owned())]);
                    let reading = ReadingChoice { rulings, ..ReadingChoice::default() };
                    let found = change::of(record.get().as_bytes(), None, Some(&reading), limits);
                    let Ok(Found::Changed(change)) = found else { continue };
                    let admitted = admit(record.get().as_bytes(), limits, Accept::Any).ok()?;
                    return Some((*game, admitted.record.id.to_string(), reading, *change));
                }
            }
        }
    }
    None
}

/// The operations with a record id in their path.
const STORED_OPERATIONS: [&str; 9] = [
    "get_record",
    "get_record_analysis",
    "delete_record",
    "get_record_report",
    "get_record_ply",
    "get_record_board",
    "get_record_scene",
    "list_record_events",
    "list_record_legal_actions",
];

fn text(bytes: Vec<u8>) -> Value {
    Value::from(String::from_utf8(bytes).unwrap_or_default())
}
