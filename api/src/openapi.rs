//! The OpenAPI document: what the handlers say of themselves, completed from the registry.
//!
//! Answers are described once with placeholders named `GAME.…` (see the engine's `schema`); here
//! they are copied for every registered game, and `Report` becomes any game's report. Examples
//! are made by running the engine on a sample game, so they cannot lie. This module must not name
//! a game.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::{Map, Value, json};
use umpire_engine::erased::{self, AnyGame};
use umpire_engine::games::GAMES;
use umpire_engine::record::{Claims, FORMAT};
use umpire_engine::rules::editions;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{OpenApi, PartialSchema, ToSchema};

use crate::error::{Code, Problem};
use crate::routes;

mod examples;
mod shape;

/// A JSON Schema, complete in itself.
#[derive(Clone, Debug, Serialize)]
pub struct JsonSchema(Value);

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
            markers!(@schema $name);
        )*
    };
    (@schema $name:ident) => {
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name(stringify!($name)).into()
            }
        }

        impl ToSchema for $name {}
    };
}

markers!(@schema JsonSchema);

// Each stands for the component of its name, which `shared` makes.
markers! {
    /// The record of any game.
    Record;
    /// The report on a record of any game.
    Report;
    /// The judgement on a record of any game.
    Judgement;
    /// The legal actions in a record of any game.
    Legal;
    /// The receipt for a record of any game.
    Receipt;
    /// The events of a record of any game.
    EventList;
    /// A dispute about a record of any game, settled.
    Adjudication;
    /// Whether an action in a record of any game is allowed, and why not.
    WhyNot;
    /// Why plies of a record of any game went as they did.
    Account;
    /// The repairs of a record of any game.
    Repairs;
    /// Two records of any game compared.
    Comparison;
    /// A record of any game compared with fingerprints.
    PrintComparison;
    /// Either comparison.
    AnyComparison;
    /// The id of a game.
    GameName;
    /// Somebody who looks.
    ViewerName;
    /// The id of a clause or ruling.
    RuleId;
    /// The name of a precedent.
    PrecedentName;
    /// The id of a stored record.
    RecordName;
    /// Records, one a line.
    RecordLines;
    /// Judgements and problems, one a line.
    ValidationLines;
    /// Receipts and problems, one a line.
    ReceiptLines;
    /// The id of an impact.
    ImpactName;
    /// Changed records, one a line.
    ChangeLines;
    /// An OpenAPI document.
    Document;
    /// Any JSON object.
    AnyObject;
    /// Any JSON value.
    AnyValue;
}

/// What differs from game to game: a component of each game, and one that is any of them.
const PER_GAME: [(&str, &str); 12] = [
    ("Record", "The record of a game: rules, chance and decisions."),
    ("Report", "The answer to a replay."),
    ("Judgement", "The verdict on a record."),
    ("Legal", "Who decides, and every legal action."),
    ("Receipt", "What became of a record that was submitted."),
    ("EventList", "The events of a game."),
    ("Adjudication", "A dispute, settled."),
    ("WhyNot", "Whether an action is allowed, and why not."),
    ("Account", "Why plies went as they did."),
    ("Repairs", "Repairs of a record."),
    ("Comparison", "Two records compared."),
    ("PrintComparison", "A record compared with another engine's fingerprints."),
];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Umpire",
        description = "A deterministic referee for board games. A record holds the whole of a game: \
            rules, chance and decisions. The referee replays it, says whether it is legal and, \
            where it is not, which clause of the rules forbids it.\n\n\
            Bodies are JSON in UTF-8 and strict: unknown fields and unknown parameters are errors. \
            An illegal record is a result (200), not an error. Errors are `application/problem+json` \
            with a stable `code`; `GET /v1/problems` lists all codes. A path that takes other \
            methods answers 405 (`method_not_allowed`), any other path 404 (`not_found`).\n\n\
            Every answer carries `Engine-Version` and `X-Request-Id`; a request id that is sent is \
            kept. What is found under a record's id never changes and has a strong `ETag`.",
    ),
    servers((url = "/", description = "The server that this document comes from.")),
    tags(
        (name = "referee", description = "Records in, verdicts out; nothing is stored."),
        (name = "disputes", description = "What another reading would have changed, and why."),
        (name = "records", description = "Stored records, named by their content."),
        (name = "impacts", description = "What another reading of the rules changes in the stored records."),
        (name = "games", description = "Games, their rules and their data."),
        (name = "documentation", description = "This document, and what problems mean."),
        (name = "operation", description = "For those who run the server."),
    ),
    paths(
        routes::replay::create_replay,
        routes::validate::create_validation,
        routes::legal_actions::list_legal_actions,
        routes::dispute::create_adjudication,
        routes::dispute::create_why_not,
        routes::dispute::create_explanation,
        routes::dispute::create_repair,
        routes::dispute::create_comparison,
        routes::precedent::list_precedents,
        routes::precedent::get_precedent,
        routes::record::create_record,
        routes::record::list_records,
        routes::record::get_record,
        routes::record::delete_record,
        routes::record::get_record_report,
        routes::record::get_record_ply,
        routes::record::list_record_events,
        routes::record::list_record_legal_actions,
        routes::impact::create_impact,
        routes::impact::get_impact,
        routes::impact::delete_impact,
        routes::impact::list_impact_changes,
        routes::game::list_games,
        routes::game::get_game,
        routes::rule::list_rules,
        routes::rule::get_rule,
        routes::problem::list_problems,
        routes::problem::get_problem,
        routes::document::get_openapi,
        routes::health::get_health,
        routes::health::get_readiness,
        routes::health::get_metrics,
    ),
    components(schemas(
        Problem,
        Claims,
        umpire_engine::chance::Entry,
        erased::Report,
        erased::Judgement,
        erased::Legal,
        umpire_engine::dispute::readings::Adjudication,
        umpire_engine::dispute::why::WhyNot,
        umpire_engine::dispute::explain::Account,
        umpire_engine::dispute::repair::Repairs,
        umpire_engine::dispute::compare::Comparison,
        umpire_engine::dispute::compare::PrintComparison,
        routes::record::Receipt,
        routes::record::EventList,
        routes::record::SubmissionSummary,
        routes::validate::ValidationSummary,
        crate::impact::jobs::ChangedRecord,
    )),
)]
struct Api;

/// Errors that a request with a record in it can have.
const RECORD_ERRORS: &[Code] = &[
    Code::BadJson,
    Code::BadRecord,
    Code::UnknownFormat,
    Code::UnknownGame,
    Code::UnknownRuleset,
    Code::BadOptions,
    Code::OptionsRefused,
    Code::BadPosition,
    Code::PositionRefused,
    Code::TooManyActions,
    Code::BadParameter,
    Code::UnsupportedMediaType,
    Code::BodyTooLarge,
    Code::RequestTimeout,
    Code::Unavailable,
    Code::Internal,
];

/// Errors that a request about a stored record can have.
const STORED_ERRORS: &[Code] =
    &[Code::NotFound, Code::BadParameter, Code::Unauthorized, Code::Unavailable, Code::Internal];

/// Errors that a request to start an impact can have.
const IMPACT_ERRORS: &[Code] = &[
    Code::BadJson,
    Code::BadRecord,
    Code::OptionsRefused,
    Code::BadParameter,
    Code::UnsupportedMediaType,
    Code::BodyTooLarge,
    Code::RequestTimeout,
    Code::Unauthorized,
    Code::Unavailable,
    Code::Internal,
];

/// The errors of an operation.
fn errors_of(operation: &str) -> Vec<Code> {
    let lists: &[&[Code]] = match operation {
        "create_validation" => &[RECORD_ERRORS],
        "create_replay" | "list_legal_actions" => &[RECORD_ERRORS, &[Code::NotFound]],
        "create_adjudication"
        | "create_why_not"
        | "create_explanation"
        | "create_repair"
        | "create_comparison" => &[RECORD_ERRORS, &[Code::NotFound, Code::Unauthorized]],
        "create_record" => &[RECORD_ERRORS, &[Code::RecordIllegal, Code::Unauthorized]],
        "get_record_report" | "get_record_ply" | "list_record_events" => {
            &[STORED_ERRORS, &[Code::TooManyActions]]
        }
        "list_records" | "get_record" | "delete_record" | "list_record_legal_actions" => {
            &[STORED_ERRORS]
        }
        "create_impact" => &[IMPACT_ERRORS],
        "get_impact" | "delete_impact" | "list_impact_changes" => &[STORED_ERRORS],
        "get_game" | "list_rules" | "get_rule" | "get_problem" | "list_precedents"
        | "get_precedent" => &[&[Code::NotFound, Code::BadParameter]],
        "get_readiness" | "get_metrics" => {
            &[&[Code::BadParameter, Code::Unavailable, Code::Internal]]
        }
        "list_games" | "list_problems" | "get_openapi" | "get_health" => &[&[Code::BadParameter]],
        _ => &[],
    };
    lists.iter().flat_map(|list| list.iter().copied()).collect()
}

/// The document as pretty JSON text, with a line end.
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(&document()).unwrap_or_else(|_| "null".to_owned());
    text.push('\n');
    text
}

/// The document.
pub fn document() -> Value {
    let mut document = raw_document();
    document["components"]["schemas"] = shape::reachable(&document["paths"], components());
    document["components"]["headers"] = headers();
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token that the server's operator gave out. Asked for only where the server was started with tokens: to store and delete, to start and cancel impacts, and to read where reading is protected."
        }
    });
    document["info"]["license"] = json!({
        "name": "MIT OR Apache-2.0",
        "identifier": "MIT OR Apache-2.0",
    });
    document["info"]["contact"] = json!({"name": "The operator of this server"});
    let examples = examples::all();
    for path in values(&mut document["paths"]) {
        for operation in values(path) {
            complete(operation, &examples);
        }
    }
    document
}

fn raw_document() -> Value {
    serde_json::to_value(Api::openapi()).unwrap_or_default()
}

fn values(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(|map| map.values_mut())
}

fn headers() -> Value {
    json!({
        "EngineVersion": {
            "description": "The version of the engine that answered.",
            "required": true,
            "schema": {"type": "string"},
            "example": erased::ENGINE,
        },
        "RequestId": {
            "description": "The id of the request: the one that was sent, or a new one.",
            "required": true,
            "schema": {"type": "string"},
            "example": "9f8e7d6c5b4a3921-2a",
        },
        "ETag": {
            "description": "Names these very bytes.",
            "required": true,
            "schema": {"type": "string"},
            "example": "\"5a0c6a6b2d1e4f708192a3b4c5d6e7f8\"",
        },
        "CacheControl": {
            "description": "What is found under a record's id never changes.",
            "required": true,
            "schema": {"type": "string"},
            "example": "public, max-age=31536000, immutable",
        },
    })
}

/// Adds to an operation what is the same for all: errors, headers, security and examples.
fn complete(operation: &mut Value, examples: &examples::Examples) {
    let Some(id) = operation["operationId"].as_str().map(str::to_owned) else { return };
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in errors_of(&id) {
        by_status.entry(code.entry().status).or_default().push(code);
    }
    for (status, codes) in by_status {
        operation["responses"][status.to_string()] = error_response(&codes);
    }
    let stored = operation["tags"][0] == "records";
    // Not by index, which would make a `null` where an operation has no parameters.
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if parameter["name"] == "viewer" {
            default_viewer(parameter, stored);
        }
    }
    let first = operation.get("parameters").and_then(|all| all.get(0));
    let about_one = first.is_some_and(|parameter| parameter["name"] == "id");
    let cached = about_one && stored && id != "delete_record";
    if cached {
        operation["responses"]["304"] =
            json!({"description": "The caller has the answer already (`If-None-Match`)."});
    }
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        let header = |name| json!({"$ref": format!("#/components/headers/{name}")});
        response["headers"]["Engine-Version"] = header("EngineVersion");
        response["headers"]["X-Request-Id"] = header("RequestId");
        if cached && matches!(status.as_str(), "200" | "304") {
            response["headers"]["ETag"] = header("ETag");
            response["headers"]["Cache-Control"] = header("CacheControl");
        }
    }
    operation["security"] = match id.as_str() {
        "create_record" | "delete_record" | "create_impact" | "delete_impact" => {
            json!([{"token": []}, {}])
        }
        _ if stored || matches!(operation["tags"][0].as_str(), Some("disputes" | "impacts")) => {
            json!([{}, {"token": []}])
        }
        _ => json!([]),
    };
    examples.add_to(&id, operation);
}

/// Says who looks where a request does not say.
fn default_viewer(parameter: &mut Value, stored: bool) {
    let (name, who) = match stored {
        true => ("spectator", "Where it is left out, the `spectator` looks."),
        false => ("referee", "Where it is left out, the `referee` looks."),
    };
    let text = parameter["description"].as_str().unwrap_or_default();
    parameter["description"] = format!("{text} {who}").into();
    parameter["schema"]["default"] = name.into();
}

fn error_response(codes: &[Code]) -> Value {
    let titles: Vec<_> = codes.iter().map(|code| code.entry().title).collect();
    let named: Map<String, Value> = codes
        .iter()
        .map(|code| {
            let entry = code.entry();
            let value = serde_json::to_value(examples::problem(*code)).unwrap_or_default();
            (entry.code.to_owned(), json!({"summary": entry.title, "value": value}))
        })
        .collect();
    json!({
        "description": format!("{}.", titles.join(". ")),
        "content": {
            crate::error::PROBLEM_JSON: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": named,
            }
        }
    })
}

/// The component schemas.
pub fn components() -> &'static Map<String, Value> {
    static COMPONENTS: OnceLock<Map<String, Value>> = OnceLock::new();
    COMPONENTS.get_or_init(|| {
        let mut all = BTreeMap::new();
        let mut raw = raw_document();
        let raw = std::mem::take(&mut raw["components"]["schemas"]);
        let (templates, plain): (Vec<_>, Vec<_>) = match raw {
            Value::Object(map) => map.into_iter().partition(|(name, _)| name.starts_with("GAME.")),
            _ => Default::default(),
        };
        all.extend(plain);
        for game in GAMES {
            for (name, schema) in game.schemas() {
                all.insert(name, serde_json::to_value(schema).unwrap_or_default());
            }
            let id = game.meta().id;
            for (name, schema) in &templates {
                // What a game describes itself is only a placeholder among the templates.
                all.entry(for_game(name, id)).or_insert_with(|| rename(schema, id));
            }
            all.insert(format!("{id}.Record"), record(*game));
        }
        all.extend(shared());
        name_readings(&mut all);
        choose_subject(&mut all);
        shape::tidy(&mut all);
        let records = GAMES.iter().map(|game| format!("{}.Record", game.meta().id));
        shape::close(&mut all, records.collect());
        all.into_iter().collect()
    })
}

/// Says in the schema of a reading which editions, rulings and values there are.
fn name_readings(all: &mut BTreeMap<String, Value>) {
    let editions: std::collections::BTreeSet<&str> =
        GAMES.iter().flat_map(|game| editions(game.rules())).collect();
    let defs = GAMES.iter().flat_map(|game| game.rulings());
    let rulings: Map<String, Value> = defs
        .map(|def| (def.id.to_owned(), json!({"type": "string", "enum": def.values})))
        .collect();
    let Some(schema) = all.get_mut("OtherReading") else { return };
    schema["minProperties"] = 1.into();
    schema["properties"]["edition"]["enum"] = json!(editions);
    let of = &mut schema["properties"]["rulings"];
    *of = json!({
        "type": "object",
        "description": of["description"],
        "properties": rulings,
        "additionalProperties": false,
    });
}

/// Says of requests about a record, sent or stored, that they name one of the two.
fn choose_subject(all: &mut BTreeMap<String, Value>) {
    for schema in all.values_mut() {
        let has = |field: &str| schema.pointer(&format!("/properties/{field}")).is_some();
        if !schema.is_object() || !has("record") || !has("id") || has("status") {
            continue;
        }
        let one_of = |fields: &[&str]| -> Value {
            let one = |field: &&str| json!({"required": [field]});
            json!({"oneOf": fields.iter().map(one).collect::<Vec<_>>()})
        };
        let subject = one_of(&["record", "id"]);
        schema["allOf"] = match has("other") {
            true => json!([subject, one_of(&["other", "other_id", "fingerprints"])]),
            false => json!([subject]),
        };
    }
}

/// Names of components that are made more than once with different content: by two games, or by
/// a game and a template.
pub fn clashes() -> Vec<String> {
    let mut seen: BTreeMap<String, Value> = BTreeMap::new();
    let mut clashes = Vec::new();
    let raw = raw_document();
    let templates = raw["components"]["schemas"].as_object().into_iter().flatten();
    let copies =
        templates.filter(|(name, _)| name.starts_with("GAME.")).flat_map(|(name, schema)| {
            let copy = |game: &&dyn AnyGame| {
                let id = game.meta().id;
                (for_game(name, id), rename(schema, id))
            };
            GAMES.iter().map(copy).collect::<Vec<_>>()
        });
    let own = GAMES.iter().flat_map(|game| game.schemas());
    let own = own.map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default()));
    for (name, schema) in copies.chain(own) {
        let own_name = |schema: &Value| schema["$ref"] == format!("#/components/schemas/{name}");
        match seen.get(&name) {
            Some(other) if *other != schema && !own_name(&schema) && !own_name(other) => {
                clashes.push(name);
            }
            _ => drop(seen.insert(name, schema)),
        }
    }
    clashes
}

fn for_game(name: &str, id: &str) -> String {
    name.replacen("GAME.", &format!("{id}."), 1)
}

/// A copy of a template for one game.
fn rename(schema: &Value, id: &str) -> Value {
    match schema {
        Value::Object(map) => {
            let field = |(name, value): (&String, &Value)| {
                let target = value.as_str().filter(|_| name == "$ref");
                let value = match target {
                    Some(target) => Value::from(target.replacen("/GAME.", &format!("/{id}."), 1)),
                    None => rename(value, id),
                };
                (name.clone(), value)
            };
            Value::Object(map.iter().map(field).collect())
        }
        Value::Array(items) => items.iter().map(|item| rename(item, id)).collect(),
        other => other.clone(),
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The schema of a game's record, as it is posted.
fn record(game: &dyn AnyGame) -> Value {
    let meta = game.meta();
    let id = meta.id;
    let seat = |name: &&str| ((*name).to_owned(), json!({"type": "string"}));
    let seats: Map<String, Value> = meta.seats.iter().map(seat).collect();
    let own = |name: &str| reference(&format!("{id}.{name}"));
    json!({
        "type": "object",
        "description": format!("The record of a game of {}: rules, chance and decisions.", meta.title),
        "required": ["format", "game", "chance", "actions"],
        "additionalProperties": false,
        "properties": {
            "format": {
                "type": "string",
                "description": "Version of this shape.",
                "enum": [FORMAT],
            },
            "game": own("Id"),
            "ruleset": {
                "type": "string",
                "description": "Game and version of its rules; filled in on storing.",
                "enum": [meta.ruleset()],
            },
            "options": own("Options"),
            "players": {
                "type": "object",
                "description": "Names by seat, for display and search only. A seat that the options leave out of use (the fifth of a game for two) is refused as `bad_record`; an action of such a seat is illegal.",
                "additionalProperties": false,
                "properties": seats,
            },
            "chance": reference("Chance"),
            "position": {
                "description": "Start from this position instead of a new game.",
                "oneOf": [own("Position"), {"type": "null"}],
            },
            "actions": {
                "type": "array",
                "description": "The decisions, in order.",
                "items": {
                    "anyOf": [own("Action"), reference("MalformedAction")],
                },
            },
            "claims": reference("Claims"),
            "meta": {
                "type": "object",
                "description": "Free text, kept as it is.",
                "additionalProperties": {"type": "string"},
            },
        },
    })
}

/// The components that are not tied to one game.
fn shared() -> Vec<(String, Value)> {
    let ids: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
    let mut all: Vec<(String, Value)> = PER_GAME
        .iter()
        .map(|(name, description)| {
            let of = |id: &&str| format!("{id}.{name}");
            let alternatives: Vec<Value> = ids.iter().map(|id| reference(&of(id))).collect();
            let mapping: Map<String, Value> = ids
                .iter()
                .map(|id| ((*id).to_owned(), format!("#/components/schemas/{}", of(id)).into()))
                .collect();
            let schema = json!({
                "description": description,
                "oneOf": alternatives,
                "discriminator": {"propertyName": "game", "mapping": mapping},
            });
            ((*name).to_owned(), schema)
        })
        .collect();
    let lines = |description: &str, kinds: &[&str]| {
        let kinds: Vec<Value> = kinds.iter().map(|kind| reference(kind)).collect();
        let line = match kinds.as_slice() {
            [one] => one.clone(),
            _ => json!({"anyOf": kinds}),
        };
        json!({
            "type": "string",
            "description": description,
            "contentMediaType": crate::body::NDJSON,
            "contentSchema": line,
        })
    };
    let more = [
        (
            "AnyComparison",
            json!({
                "description": "Two records compared, or a record and another engine's fingerprints.",
                "anyOf": [reference("Comparison"), reference("PrintComparison")],
            }),
        ),
        ("GameName", json!({"type": "string", "description": "The id of a game.", "enum": ids})),
        (
            "ViewerName",
            json!({
                "type": "string",
                "description": "Somebody who looks: `referee`, `spectator`, or a seat of the game.",
                "enum": routes::Viewer::names(),
            }),
        ),
        (
            "PrecedentName",
            json!({
                "type": "string",
                "description": "The name of a precedent.",
                "pattern": "^[a-z0-9-]{1,100}$",
            }),
        ),
        (
            "RuleId",
            json!({
                "type": "string",
                "description": "The id of a clause or ruling.",
                "pattern": "^[A-Z]{3}-[A-Za-z0-9.]{1,16}$",
            }),
        ),
        (
            "RecordName",
            json!({
                "type": "string",
                "description": "The id of a stored record: BLAKE3 of its canonical JSON, in hexadecimal digits.",
                "pattern": "^[0-9a-f]{64}$",
            }),
        ),
        (
            "ImpactName",
            json!({
                "type": "string",
                "description": "The id of an impact.",
                "pattern": "^[0-9a-f]{16}$",
            }),
        ),
        (
            "Chance",
            json!({
                "type": "object",
                "description": "Where draws and dice come from: a seed, a tape of what really happened, or both; then the tape rules and is compared with the seed.",
                "additionalProperties": false,
                "minProperties": 1,
                "properties": {
                    "seed": {
                        "type": "string",
                        "description": "`chacha20:` and 64 hexadecimal digits are the key itself; any other text is hashed.",
                    },
                    "tape": {
                        "type": "array",
                        "description": "What was drawn and rolled, in order. The `tape` of a report can stand here as it is: `ply`, `stream` and `rule` beside an entry are checked for their types, kept and otherwise ignored.",
                        "items": reference("TapeEntry"),
                    },
                },
            }),
        ),
        (
            "MalformedAction",
            json!({
                "description": "Anything else. Accepted here and refused by the rules: the verdict is `illegal` and cites the clause that says what an action is.",
            }),
        ),
        ("RecordLines", lines("Records, one a line.", &["Record"])),
        (
            "ValidationLines",
            lines(
                "For each line, in order, a `Judgement` or, with its line number, a `Problem`; at the end a `ValidationSummary`.",
                &["Judgement", "Problem", "ValidationSummary"],
            ),
        ),
        (
            "ReceiptLines",
            lines(
                "For each line, in order, a `Receipt` or, with its line number, a `Problem`; at the end a `SubmissionSummary`.",
                &["Receipt", "Problem", "SubmissionSummary"],
            ),
        ),
        ("ChangeLines", lines("Changed records, one a line.", &["ChangedRecord"])),
        ("Document", json!({"type": "object", "description": "An OpenAPI 3.1 document."})),
        (
            "JsonSchema",
            json!({"type": "object", "description": "A JSON Schema (2020-12), complete in itself."}),
        ),
        (
            "AnyObject",
            json!({"type": "object", "description": "A JSON object whose fields differ from game to game."}),
        ),
        ("AnyValue", json!({"description": "A JSON value whose form differs from game to game."})),
    ];
    all.extend(more.map(|(name, schema)| (name.to_owned(), schema)));
    all
}

/// The schema of a component of a game (`Options`, `Action`) with all that it refers to.
pub fn standalone(game: &dyn AnyGame, name: &str) -> JsonSchema {
    alone(reference(&format!("{}.{name}", game.meta().id)))
}

/// The types of action of a game, each with its schema.
pub fn action_types(game: &dyn AnyGame) -> Vec<(String, JsonSchema)> {
    let Some(action) = components().get(&format!("{}.Action", game.meta().id)) else {
        return Vec::new();
    };
    let mut types = Vec::new();
    collect_types(action, &mut types);
    types.into_iter().map(|(name, schema)| (name, alone(schema))).collect()
}

/// Appends the types of action that a schema stands for. A type whose actions have several
/// shapes is one type.
fn collect_types(schema: &Value, to: &mut Vec<(String, Value)>) {
    let schema = resolved(schema);
    match (type_names(schema).as_slice(), schema["oneOf"].as_array()) {
        ([name], _) => to.push((name.clone(), schema.clone())),
        (_, Some(alternatives)) => alternatives.iter().for_each(|one| collect_types(one, to)),
        (names, None) => {
            if names.is_empty() {
                tracing::error!(%schema, "an action has no type");
            }
            to.extend(names.iter().map(|name| (name.clone(), schema.clone())));
        }
    }
}

/// Every value that `type` has in the objects that a schema stands for, each once.
fn type_names(schema: &Value) -> Vec<String> {
    let schema = resolved(schema);
    let tag = &schema["properties"]["type"];
    let own = tag["enum"].as_array().into_iter().flatten().chain(tag.get("const"));
    let mut names: Vec<String> = own.filter_map(Value::as_str).map(str::to_owned).collect();
    for parts in ["oneOf", "anyOf", "allOf"] {
        names.extend(schema[parts].as_array().into_iter().flatten().flat_map(type_names));
    }
    names.sort();
    names.dedup();
    names
}

/// The component that a schema refers to, or the schema itself.
fn resolved(schema: &Value) -> &Value {
    let target = schema["$ref"].as_str().and_then(shape::target);
    target.and_then(|name| components().get(name)).map_or(schema, resolved)
}

/// A schema with all that it refers to in place.
fn alone(mut schema: Value) -> JsonSchema {
    shape::inline(&mut schema, components(), &mut Vec::new());
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    JsonSchema(schema)
}
