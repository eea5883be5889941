//! The OpenAPI document, the page, and what problems mean.

use std::collections::BTreeSet;

use serde_json::Value;
use umpire_api::documents::description;
use umpire_api::http::error::Code;
use umpire_api::openapi::document as openapi;
use umpire_api::routes;
use umpire_engine::games::GAMES;

use crate::app::TestApp;

/// The document that is committed is the one that the handlers make, and the one that is served.
/// With `UMPIRE_WRITE_OPENAPI` set it is written anew.
#[test]
fn the_committed_document_is_the_one_that_the_handlers_make() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
    let made = openapi::text();
    if std::env::var_os("UMPIRE_WRITE_OPENAPI").is_some() {
        std::fs::write(path, &made).expect("the document can be written");
        return;
    }
    assert!(
        description::TEXT == made,
        "openapi/openapi.json is out of date: UMPIRE_WRITE_OPENAPI=1 cargo test -p umpire-api documents"
    );
}

#[test]
fn the_document_has_less_than_a_megabyte() {
    assert!(description::TEXT.len() < 1_000_000, "{} bytes", description::TEXT.len());
}

/// Pages that are no part of the interface.
const UNDOCUMENTED: [&str; 6] = [
    "to_docs",
    "get_docs",
    "get_reading_table",
    "get_page_file",
    "get_record_table",
    "get_record_embed",
];

#[test]
fn every_handler_is_described_by_its_own_contract() {
    let document = openapi::document();
    let paths = document["paths"].as_object().unwrap().values();
    let described: BTreeSet<&str> = paths
        .flat_map(|path| path.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    let contracts: BTreeSet<&str> = routes::contracts()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !UNDOCUMENTED.contains(name))
        .collect();
    assert_eq!(described, contracts);
}

/// Every token that an operation asks for is described, and no other; an operation that asks for one
/// can answer 401 and 403, and no other can.
#[test]
fn what_an_operation_asks_for_is_described() {
    let document = openapi::document();
    let schemes = &document["components"]["securitySchemes"];
    let described: BTreeSet<&str> =
        schemes.as_object().unwrap().keys().map(String::as_str).collect();
    let mut asked = BTreeSet::new();
    for operations in document["paths"].as_object().unwrap().values() {
        for operation in operations.as_object().unwrap().values() {
            let name = &operation["operationId"];
            let security = operation["security"].as_array().unwrap();
            for tokens in security {
                asked.extend(tokens.as_object().unwrap().keys().map(String::as_str));
            }
            for status in ["401", "403"] {
                assert_eq!(
                    operation["responses"][status].is_object(),
                    !security.is_empty(),
                    "{name} {status}"
                );
            }
        }
    }
    assert_eq!(asked, described);
}

#[actix_web::test]
async fn the_document_is_found_under_both_paths() {
    let app = TestApp::new();
    let one = app.get("/v1/openapi.json").await;
    assert_eq!(one.status, 200);
    assert_eq!(one.body, app.get("/openapi.json").await.body);
    assert_eq!(one.json()["openapi"], "3.1.0");
}

/// Components that belong to no game.
const SHARED: &[&str] = &[
    "Account",
    "Action",
    "ActionRequest",
    "ActionStep",
    "ActionType",
    "Adjudication",
    "AdjudicationRequest",
    "Adjusted",
    "Agreement",
    "Allowing",
    "AnalysisJob",
    "AnalysisName",
    "AnalysisPage",
    "AnalysisProgress",
    "AnalysisRequest",
    "AnalysisState",
    "AnalysisSummary",
    "Anchor",
    "Answer",
    "Answered",
    "AnyComparison",
    "AnyObject",
    "AnyValue",
    "Aside",
    "Asked",
    "Assumption",
    "Attempts",
    "Bounds",
    "CardSymbol",
    "CarriedKind",
    "Chance",
    "ChanceKind",
    "ChangeLines",
    "ChangePage",
    "ChangedRecord",
    "Changes",
    "Chapter",
    "Checkpoint",
    "Cited",
    "CitedRuling",
    "ClaimCheck",
    "ClaimedOutcome",
    "Claims",
    "ClassCounts",
    "Code",
    "CodeInfo",
    "CodeList",
    "Comparison",
    "ComparisonRequest",
    "Compliance",
    "ComplianceReading",
    "ComplianceRuling",
    "CurvePoint",
    "Depiction",
    "DrawRequest",
    "Draws",
    "Edit",
    "EditionDefaults",
    "Embedding",
    "EndOfGame",
    "EndingCount",
    "EventList",
    "ExplanationRequest",
    "Fact",
    "FairDraw",
    "FairDrawView",
    "FairPart",
    "FairStage",
    "GameDetail",
    "GameList",
    "GameName",
    "GameRecord",
    "GameSummary",
    "Glyph",
    "Ground",
    "Hex",
    "Hint",
    "HintRequest",
    "Impact",
    "ImpactCounts",
    "ImpactFilter",
    "ImpactKind",
    "ImpactName",
    "ImpactProgress",
    "ImpactRequest",
    "ImpactStand",
    "ImpactState",
    "JsonSchema",
    "Judgement",
    "KeptDispute",
    "LedgerLine",
    "Legal",
    "Lengths",
    "Line",
    "ListedTable",
    "ListedVerdict",
    "MalformedAction",
    "MissingDraw",
    "MissingKind",
    "MistakeClass",
    "Name",
    "NewTable",
    "NextFault",
    "Odds",
    "OddsRequest",
    "Op",
    "OpenApiDocument",
    "Options",
    "OtherDatum",
    "OtherDefault",
    "OtherReading",
    "Outline",
    "Panel",
    "PartialAction",
    "PartialChance",
    "PartialEntry",
    "PartialPosition",
    "PartialRecord",
    "PartialTape",
    "Parting",
    "PartingKind",
    "PatchOperation",
    "PlayerRange",
    "PlayerResult",
    "PlyAnalysis",
    "PlyLines",
    "PlyMark",
    "PlyPrint",
    "Position",
    "Possibility",
    "Precedent",
    "PrecedentAnswer",
    "PrecedentLink",
    "PrecedentList",
    "PrecedentName",
    "PrecedentOutcome",
    "PrecedentReading",
    "PrintComparison",
    "Problem",
    "ProgramSitter",
    "Proof",
    "ProofKind",
    "Reading",
    "ReadingClass",
    "Receipt",
    "ReceiptLines",
    "RecordLines",
    "RecordName",
    "RecordPage",
    "RecordPartingKind",
    "RecordSummary",
    "Region",
    "Remedies",
    "RemedyKind",
    "RemedyRequest",
    "Repair",
    "RepairRequest",
    "Repairs",
    "Report",
    "Role",
    "RuleId",
    "RuleInfo",
    "RuleKind",
    "RuleList",
    "RuleReading",
    "RulesetVersion",
    "RulingChoice",
    "Scene",
    "SeatChance",
    "SeatGain",
    "SeatLedger",
    "SeatPlay",
    "SeatResult",
    "SeatShift",
    "Section",
    "SentAction",
    "SentRecord",
    "SettledDispute",
    "Shape",
    "Share",
    "SheetLine",
    "SheetPrecedent",
    "SheetRule",
    "SimulatedPlayer",
    "SimulatedReading",
    "Simulation",
    "SimulationAnswer",
    "SimulationJob",
    "SimulationName",
    "SimulationRequest",
    "Sitter",
    "Standing",
    "StateFact",
    "Status",
    "StoredRecord",
    "StoredRecordLines",
    "StrayAction",
    "SubmissionCounts",
    "SubmissionSummary",
    "Table",
    "TableAt",
    "TableChance",
    "TableEvents",
    "TableName",
    "TablePage",
    "TableRequest",
    "TableSeat",
    "TableStep",
    "TableViewer",
    "Tally",
    "TapeDice",
    "TapeDie",
    "TapeDraw",
    "TapeEntry",
    "TapeLine",
    "TapeShuffle",
    "Tint",
    "UndoProposal",
    "UndoRequest",
    "Unknown",
    "ValidationCounts",
    "ValidationLines",
    "ValidationSummary",
    "Verdict",
    "VerdictKey",
    "VerdictName",
    "VerdictPage",
    "VerdictSheet",
    "VerdictSignature",
    "ViewerName",
    "Violation",
    "VoicedReading",
    "Warning",
    "WhyNot",
    "WhyNotRequest",
];

#[test]
fn every_component_belongs_to_a_game_or_is_shared() {
    let document = openapi::document();
    let ids: BTreeSet<_> = GAMES.iter().map(|game| game.meta().id).collect();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        match name.split_once('.') {
            Some((id, _)) => assert!(ids.contains(id), "{name}"),
            None => assert!(SHARED.contains(&name.as_str()), "{name}"),
        }
    }
    assert_eq!(openapi::clashes(), Vec::<String>::new());
}

/// Names that a language of front ends has itself: whoever makes types of the description would shadow them.
const TAKEN: [&str; 24] = [
    "Array",
    "Awaited",
    "Boolean",
    "Date",
    "Document",
    "Error",
    "Exclude",
    "Extract",
    "Function",
    "Iterator",
    "Map",
    "Number",
    "Object",
    "Omit",
    "Parameters",
    "Partial",
    "Pick",
    "Promise",
    "Proxy",
    "Readonly",
    "Record",
    "Required",
    "Set",
    "String",
];

#[test]
fn no_component_has_a_name_that_a_language_has() {
    let document = openapi::document();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let own = name.rsplit('.').next().unwrap();
        assert!(!TAKEN.contains(&own), "{name}");
    }
}

/// What may be sent as an action is one of the game; only what was stored or asked about may be anything.
#[test]
fn actions_are_typed_where_they_are_sent() {
    let document = openapi::document();
    let schemas = &document["components"]["schemas"];
    let reference = |name: &str| format!("#/components/schemas/{name}");
    for id in GAMES.iter().map(|game| game.meta().id) {
        let items = |of: &str| {
            schemas[format!("{id}.{of}")]["properties"]["actions"]["items"]["$ref"].clone()
        };
        assert_eq!(items("GameRecord"), reference(&format!("{id}.Action")));
        assert_eq!(items("StoredRecord"), reference(&format!("{id}.SentAction")));
    }
    for request in ["ActionRequest", "AdjudicationRequest", "OddsRequest", "WhyNotRequest"] {
        assert_eq!(
            schemas[request]["properties"]["action"]["$ref"],
            reference("Action"),
            "{request}"
        );
    }
}

/// Calls `each` on every object in a value.
fn walk(value: &Value, each: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            each(map);
            map.values().for_each(|value| walk(value, each));
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, each)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = openapi::document();
    walk(&document, &mut |map| {
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
            assert!(!target.contains("GAME"), "{target}");
            // What a component is called leads to what it is: generators of clients follow it for ever otherwise.
            let mut names = BTreeSet::from([target]);
            let mut next = document.pointer(pointer).unwrap();
            while let Some(target) = next.get("$ref").and_then(Value::as_str) {
                assert!(names.insert(target), "{target} leads to itself");
                next = document.pointer(target.strip_prefix('#').unwrap()).unwrap();
            }
        }
    });
}

#[test]
fn every_operation_is_described_and_has_examples() {
    let document = openapi::document();
    let mut codes = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let name = format!("{method} {path}");
            for field in ["operationId", "summary", "description"] {
                assert!(operation[field].as_str().is_some_and(|text| !text.is_empty()), "{name}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["description"].is_string(), "{name} {parameter}");
            }
            let request = &operation["requestBody"]["content"]["application/json"];
            let answers = operation["responses"].as_object().unwrap();
            if method == "post" && operation["requestBody"].is_object() {
                assert!(!request["examples"].as_object().unwrap().is_empty(), "{name}");
            }
            for (status, answer) in answers {
                let answer = match answer["$ref"].as_str() {
                    Some(shared) => document.pointer(&shared[1..]).unwrap(),
                    None => answer,
                };
                for (media, content) in answer["content"].as_object().into_iter().flatten() {
                    let some = content["examples"].is_object() || !content["example"].is_null();
                    assert!(some, "{name} {status} {media}");
                    for (_, example) in content["examples"].as_object().into_iter().flatten() {
                        let name = example["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                        let example = &document["components"]["examples"][name];
                        assert!(!example["value"].is_null(), "{name}");
                        codes.insert(example["value"]["code"].as_str().unwrap_or("").to_owned());
                    }
                }
            }
        }
    }
    for code in Code::ALL {
        let name = code.entry().code;
        // The one code that belongs to no operation, because its path has no such operation.
        assert!(codes.contains(name) || name == "method_not_allowed", "{name}");
    }
}

#[actix_web::test]
async fn the_page_is_served_without_another_host() {
    let app = TestApp::new();
    assert_eq!(app.get("/docs").await.header("location"), "/v1/docs/");
    let page = app.get("/v1/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let script = app.get("/table/docs.js").await;
    assert!(String::from_utf8_lossy(&script.body).contains("/v1/openapi.json"));
}

#[actix_web::test]
async fn the_type_of_every_problem_leads_to_what_it_means() {
    let app = TestApp::new();
    let all = app.get("/v1/problems").await.json();
    assert_eq!(all["problems"].as_array().unwrap().len(), Code::ALL.len());
    for code in Code::ALL {
        let answer = app.get(&code.example().kind).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["code"], code.entry().code);
    }
}

mod errors {
    use super::*;

    #[actix_web::test]
    async fn what_is_not_there_is_not_found() {
        let app = TestApp::new();
        app.get("/v1/docs/nothing.js").await.problem(404, "not_found");
        app.get("/v1/problems/nothing").await.problem(404, "not_found");
    }
}
