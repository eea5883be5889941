//! The OpenAPI document: the descriptions of the handlers, completed from the registry.
//!
//! Response types are described once with placeholders named `GAME.…` (see the engine's `schema`);
//! here they are copied for every registered game, and `Report` becomes the report of any game.
//! Examples are made by running the engine on a sample game, so they are always true. This module
//! must not name a game.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::{self, GAMES};
use umpire_engine::record::{Claims, FORMAT};
use umpire_engine::rules::editions;
use utoipa::OpenApi;

use super::{examples, infer, shape};
use crate::documents::description::PREFIX;
use crate::http::contract::{Contract, Security};
use crate::http::error::{Code, Problem};
use crate::routes;
use umpire_referee::parameters::Viewer;

/// Components that differ from game to game: one for each game, and one for any of them.
const PER_GAME: [(&str, &str); 21] = [
    ("GameRecord", "The record of a game: rules, chance and decisions."),
    (
        "StoredRecord",
        "The record of a game as it was stored: it may contain actions that the game does not have.",
    ),
    ("GameDetail", "A game with its options, rulings, actions and components."),
    ("Report", "The report of a replay."),
    ("Judgement", "The verdict on a record."),
    ("Legal", "The seats that have to decide, and every legal action."),
    ("Receipt", "The result of submitting a record."),
    ("EventList", "The events of a game."),
    ("Adjudication", "A settled dispute."),
    ("WhyNot", "Whether an action is legal, and why not."),
    ("Account", "Explanations of plies."),
    ("Repairs", "Repairs of a record."),
    ("Remedies", "Remedies for an illegal record."),
    ("Hint", "Advice for a seat."),
    ("Odds", "The possible outcomes of an action."),
    ("Simulation", "The results of a series of games."),
    ("Comparison", "A comparison of two records."),
    ("PrintComparison", "A comparison of a record with another engine's fingerprints."),
    ("Table", "A table at which a game is played."),
    ("NewTable", "A newly created table, with its tokens."),
    ("TableStep", "What happened at a table."),
];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Umpire",
        description = "A deterministic referee for board games. A record contains a whole game: \
            rules, chance and decisions. The referee replays it and says whether it is legal and, \
            if not, which clause of the rules it breaks.\n\n\
            Bodies are JSON in UTF-8 and read strictly: unknown fields and unknown parameters are errors. \
            An illegal record is a result (200), not an error. Errors are `application/problem+json` \
            with a stable `code`; `GET /v1/problems` lists all codes. A path that supports only other \
            methods returns 405 (`method_not_allowed`), any other path 404 (`not_found`).\n\n\
            Every response has the headers `Engine-Version` and `X-Request-Id`; a request id that you send is \
            used. Resources under a record's id never change and have a strong `ETag`.",
    ),
    servers((url = "/", description = "The server that serves this document.")),
    tags(
        (name = "referee", description = "Validate and replay records; nothing is stored."),
        (name = "disputes", description = "Settle disputes: readings, explanations, repairs."),
        (name = "analysis", description = "Winning chances, mistakes, luck, and advice."),
        (name = "tables", description = "Live games, played action by action, with spectators and hidden information."),
        (name = "records", description = "Stored records, identified by their content."),
        (name = "impacts", description = "What another reading of the rules changes in stored records."),
        (name = "games", description = "Games, their rules and their data."),
        (name = "documentation", description = "This document, and the meaning of problems."),
        (name = "operation", description = "For operators of the server."),
    ),
    paths(
        routes::replay::create_replay,
        routes::validate::create_validation,
        routes::legal_actions::list_legal_actions,
        routes::board::create_scene,
        routes::board::get_record_board,
        routes::board::get_record_scene,
        routes::page::get_oembed,
        routes::dispute::create_adjudication,
        routes::verdict::get_verdict,
        routes::verdict::delete_verdict,
        routes::verdict::get_verdict_key,
        routes::dispute::create_why_not,
        routes::dispute::create_explanation,
        routes::dispute::create_repair,
        routes::dispute::create_remedy,
        routes::dispute::create_comparison,
        routes::advice::create_hint,
        routes::advice::create_odds,
        routes::simulation::create_simulation,
        routes::simulation::get_simulation,
        routes::simulation::delete_simulation,
        routes::analysis::create_analysis,
        routes::analysis::get_analysis,
        routes::analysis::delete_analysis,
        routes::analysis::list_analysis_plies,
        routes::analysis::get_analysis_curve,
        routes::analysis::get_record_analysis,
        routes::table::create_table,
        routes::table::get_table,
        routes::kept::list_tables,
        routes::kept::list_verdicts,
        routes::table::delete_table,
        routes::table::list_table_legal_actions,
        routes::table_hint::get_table_hint,
        routes::table::list_table_events,
        routes::table::get_table_scene,
        routes::table::watch_table,
        routes::table_play::create_table_action,
        routes::table_play::create_table_undo,
        routes::table_play::create_table_draw,
        routes::table_play::create_table_seal,
        routes::precedent::list_precedents,
        routes::precedent::get_precedent,
        routes::record::create_record,
        routes::record::list_records,
        routes::stored::get_record,
        routes::record::delete_record,
        routes::stored::get_record_report,
        routes::stored::get_record_ply,
        routes::stored::list_record_events,
        routes::stored::list_record_legal_actions,
        routes::impact::create_impact,
        routes::impact::get_impact,
        routes::impact::delete_impact,
        routes::impact::list_impact_changes,
        routes::game::list_games,
        routes::game::get_game,
        routes::rule::list_rules,
        routes::rule::get_rule,
        routes::rule::get_compliance,
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
        umpire_engine::report::Report,
        umpire_engine::replay::answer::Judgement,
        umpire_engine::replay::answer::Legal,
        umpire_engine::dispute::readings::Adjudication,
        umpire_engine::dispute::why::WhyNot,
        umpire_engine::dispute::explain::Account,
        umpire_engine::dispute::repair::Repairs,
        umpire_engine::dispute::remedy::Remedies,
        umpire_engine::analysis::hint::Hint,
        umpire_engine::analysis::chances::Odds,
        umpire_engine::analysis::balance::Simulation,
        umpire_engine::analysis::review::Summary,
        umpire_engine::analysis::review::PlyAnalysis,
        umpire_engine::dispute::compare::Comparison,
        umpire_engine::dispute::compare::PrintComparison,
        crate::tables::answer::TableView,
        crate::tables::answer::StepView,
        crate::tables::create::NewTable,
        umpire_engine::chance::fair::Transcript,
        routes::game::GameDetail,
        routes::record::Receipt,
        routes::stored::EventList,
        routes::record::SubmissionSummary,
        routes::validate::ValidationSummary,
        crate::jobs::impact::ChangedRecord,
    )),
)]
struct Api;

/// The document as JSON text with a final newline; short values are on one line.
pub fn text() -> String {
    let mut text = String::new();
    write(&document(), 0, &mut text);
    text.push('\n');
    text
}

/// Writes a value at a depth, on several lines if one would be too long.
fn write(value: &Value, depth: usize, to: &mut String) {
    const WIDTH: usize = 132;
    let line = value.to_string();
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(map) => {
            map.iter().map(|(name, part)| (format!("{}: ", json!(name)), part)).collect()
        }
        Value::Array(list) => list.iter().map(|part| (String::new(), part)).collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() || depth + line.len() <= WIDTH {
        return to.push_str(&line);
    }
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    to.push(open);
    for (at, (name, part)) in parts.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        to.push_str(&format!("{comma}\n{}{name}", " ".repeat(depth + 1)));
        write(part, depth + 1, to);
    }
    to.push_str(&format!("\n{}{close}", " ".repeat(depth)));
}

/// The document.
pub fn document() -> Value {
    let mut document = raw_document();
    document["components"]["schemas"] = shape::reachable(&document["paths"], components());
    document["components"]["headers"] = headers();
    document["components"]["securitySchemes"] = security_schemes();
    document["info"]["license"] = json!({
        "name": "MIT OR Apache-2.0",
        "identifier": "MIT OR Apache-2.0",
    });
    document["info"]["contact"] = json!({"name": "The operator of this server"});
    let examples = examples::all(components());
    let mut shown = examples::Shown::default();
    let contracts: BTreeMap<&str, Contract> = routes::contracts().into_iter().collect();
    for path in values(&mut document["paths"]) {
        for operation in values(path) {
            // A test checks that every handler has one.
            let id = operation["operationId"].as_str().unwrap_or_default();
            let contract = contracts.get(id).cloned().unwrap_or_default();
            complete(operation, &contract, &examples, &mut shown);
        }
    }
    document["components"]["examples"] = Value::Object(shown.components);
    share_errors(&mut document);
    document
}

/// Moves each error response to the components, because most operations share them.
fn share_errors(document: &mut Value) {
    let mut shared = serde_json::Map::new();
    for operation in values(&mut document["paths"]).flat_map(values) {
        let answers = operation["responses"].as_object_mut();
        let errors = answers.into_iter().flatten().filter(|(status, _)| status.as_str() >= "400");
        for (status, response) in errors {
            let names = (1..).map(|number| match number {
                1 => format!("problem-{status}"),
                _ => format!("problem-{status}-{number}"),
            });
            for name in names {
                if shared.get(&name).is_none_or(|had| had == response) {
                    let reference = json!({"$ref": format!("#/components/responses/{name}")});
                    shared.insert(name, std::mem::replace(response, reference));
                    break;
                }
            }
        }
    }
    document["components"]["responses"] = Value::Object(shared);
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
            "description": "The version of the engine.",
            "required": true,
            "schema": {"type": "string"},
            "example": umpire_engine::replay::answer::ENGINE,
        },
        "RequestId": {
            "description": "The id of the request: the one that was sent, or a generated one.",
            "required": true,
            "schema": {"type": "string"},
            "example": "9f8e7d6c5b4a3921-2a",
        },
        "ETag": {
            "description": "Identifies the exact bytes of the response.",
            "required": true,
            "schema": {"type": "string"},
            "example": "\"5a0c6a6b2d1e4f708192a3b4c5d6e7f8\"",
        },
        "CacheControl": {
            "description": "How long the response may be cached: records never change, replays of them are revalidated, and what changes only with the program is cached for some minutes.",
            "required": true,
            "schema": {"type": "string"},
            "example": "public, max-age=86400, immutable",
        },
        "RetryAfter": {
            "description": "The seconds to wait before a retry.",
            "required": true,
            "schema": {"type": "integer", "minimum": 1},
            "example": 5,
        },
        "RateLimit": {
            "description": "The rest of the caller's rate limit: `requests`, `cpu` (CPU seconds); `r` is what is left, `t` the seconds until it is fully restored. `RateLimit-Policy` gives the limits.",
            "required": true,
            "schema": {"type": "string"},
            "example": "\"requests\";r=0;t=60",
        },
    })
}

/// Adds to an operation what follows from the signature of its handler: errors, headers, security;
/// and its examples.
fn complete(
    operation: &mut Value,
    contract: &Contract,
    examples: &examples::Examples,
    shown: &mut examples::Shown,
) {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    // In the order of the table.
    for code in Code::ALL.iter().filter(|code| contract.errors.contains(code)) {
        by_status.entry(code.entry().status).or_default().push(*code);
    }
    for (status, codes) in by_status {
        operation["responses"][status.to_string()] = error_response(&codes, shown);
    }
    // Not by index, which would insert a `null` if an operation has no parameters.
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        // At a table the default is the viewer of the token, as its own description says.
        if parameter["name"] == "viewer" && contract.security != Security::Playing {
            default_viewer(parameter, contract.stored);
        }
        // Leave an absent header out, instead of setting it to `null`.
        if parameter["in"] == "header" && parameter["schema"]["type"].is_array() {
            parameter["schema"]["type"] = "string".into();
        }
    }
    if contract.cached {
        operation["responses"]["304"] = json!({"description": "Not modified (`If-None-Match`)."});
    }
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        let header = |name| json!({"$ref": format!("#/components/headers/{name}")});
        response["headers"]["Engine-Version"] = header("EngineVersion");
        response["headers"]["X-Request-Id"] = header("RequestId");
        if matches!(status.as_str(), "429" | "503") {
            response["headers"]["Retry-After"] = header("RetryAfter");
        }
        if status == "429" {
            response["headers"]["RateLimit"] = header("RateLimit");
        }
        if contract.cached && matches!(status.as_str(), "200" | "304") {
            response["headers"]["ETag"] = header("ETag");
            response["headers"]["Cache-Control"] = header("CacheControl");
        }
    }
    operation["security"] = security(contract.security);
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    examples.add_to(&id, operation, shown);
}

/// What each token scope allows.
const SCOPES: [(&str, &str); 6] = [
    (
        "admin",
        "It allows everything; only such a token lists the tables and verdicts of everybody.",
    ),
    (
        "write",
        "It allows storing and deleting records and verdicts, starting and cancelling impacts, and everything that `read` allows.",
    ),
    (
        "read",
        "It allows reading all stored records in full, listing and exporting them, and viewing verdicts and impacts; required if reading is protected.",
    ),
    (
        "seat",
        "It allows viewing certain stored records, each as one viewer; required if reading is protected.",
    ),
    ("metrics", "It allows viewing the metrics; required if the metrics or reading are protected."),
    (TABLE, ""),
];

/// The scope of a table's own tokens.
const TABLE: &str = "table";

/// The kinds of tokens: one security scheme per scope, because bearer schemes have no scopes.
fn security_schemes() -> Value {
    let scheme = |(scope, opens): &(&str, &str)| {
        let own = "The token of a seat of the table, or of its host, as returned when the table was created. It allows acting, and \
                   viewing what that seat may know. Spectators need no token, unless reading is protected.";
        let description = format!(
            "A token with the scope `{scope}`, issued by the operator of the server. {opens} Only \
             servers that were started with tokens require any. Without a known token the response is \
             401, with insufficient scope it is 403."
        );
        let description = if *scope == TABLE { own.to_owned() } else { description };
        let scheme = json!({"type": "http", "scheme": "bearer", "description": description});
        (format!("{scope}_token"), scheme)
    };
    SCOPES.iter().map(scheme).collect::<Map<_, _>>().into()
}

/// The tokens that an operation accepts, of which one is enough, the most common first; an empty
/// requirement stands for servers without tokens.
fn security(security: Security) -> Value {
    let token = |scope: &&str| Value::from(Map::from_iter([(format!("{scope}_token"), json!([]))]));
    let tokens = security.scopes().iter().map(token);
    let none = (security != Security::None).then(|| json!({}));
    match security {
        Security::Administering => tokens.collect(),
        Security::Writing | Security::Analysing => tokens.chain(none).collect(),
        _ => none.into_iter().chain(tokens).collect(),
    }
}

/// Documents the default viewer.
fn default_viewer(parameter: &mut Value, stored: bool) {
    let (name, who) = match stored {
        true => {
            ("spectator", "The default is `spectator`, or the viewer that the token is bound to.")
        }
        false => ("referee", "The default is `referee`."),
    };
    let text = parameter["description"].as_str().unwrap_or_default();
    parameter["description"] = format!("{text} {who}").into();
    parameter["schema"]["default"] = name.into();
}

fn error_response(codes: &[Code], shown: &mut examples::Shown) -> Value {
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
            crate::http::error::PROBLEM_JSON: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": shown.of("problem", &named),
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
        for game in GAMES.iter() {
            for (name, schema) in games::schemas(game.meta().id) {
                all.insert(name, serde_json::to_value(schema).unwrap_or_default());
            }
            let id = game.meta().id;
            for (name, schema) in &templates {
                // A component that a game describes itself is only a placeholder among the
                // templates.
                all.entry(for_game(name, id)).or_insert_with(|| rename(schema, id));
            }
            all.insert(format!("{id}.GameRecord"), record(*game, "Action"));
            all.insert(format!("{id}.StoredRecord"), record(*game, "SentAction"));
            let sent = [reference(&format!("{id}.Action")), reference("MalformedAction")];
            let about = "Any value sent as an action: an action of the game, or anything else.";
            all.insert(format!("{id}.SentAction"), json!({"description": about, "anyOf": sent}));
            let data: Value = serde_json::from_str(game.components(game.meta().version).get())
                .unwrap_or_default();
            all.insert(format!("{id}.Components"), infer::schema(&data));
        }
        all.extend(shared());
        divide_requests(&mut all);
        choose_subject(&mut all);
        shape::tidy(&mut all);
        for game in GAMES.iter() {
            shape::add_notes(&mut all, &format!("{}.Action", game.meta().id));
        }
        let records = GAMES.iter().map(|game| format!("{}.GameRecord", game.meta().id));
        shape::close(&mut all, records.collect());
        name_readings(&mut all);
        shape::require(&mut all);
        all.into_iter().collect()
    })
}

/// Lists the editions, rulings and values in the schema of a reading, which may be about the
/// rulings of several games at once.
fn name_readings(all: &mut BTreeMap<String, Value>) {
    let editions: std::collections::BTreeSet<&str> =
        GAMES.iter().flat_map(|game| editions(game.rules())).collect();
    // The readings of a game are described once, and left open there: its options allow these
    // only, and another reading those of all games.
    let mut rulings = Vec::new();
    for game in GAMES.iter() {
        let id = game.meta().id;
        let Some(options) = all.get_mut(&format!("{id}.Options")) else { continue };
        let here = reference(&format!("{id}.Rulings"));
        let only = json!({"allOf": [here], "unevaluatedProperties": false});
        let mut own = std::mem::replace(&mut options["properties"]["rulings"], only);
        if let Some(own) = own.as_object_mut() {
            own.remove("additionalProperties");
        }
        all.insert(format!("{id}.Rulings"), own);
        rulings.push(here);
    }
    let Some(schema) = all.get_mut("OtherReading") else { return };
    schema["minProperties"] = 1.into();
    schema["properties"]["edition"]["enum"] = json!(editions);
    let of = &mut schema["properties"]["rulings"];
    let about = &of["description"];
    *of = json!({"description": about, "allOf": rulings, "unevaluatedProperties": false});
}

/// Splits a request that names a game into one per game, with its options, its positions and its
/// seats.
fn divide_requests(all: &mut BTreeMap<String, Value>) {
    let ids: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
    for (name, description) in [
        ("TableRequest", "A table to create."),
        ("SimulationRequest", "A series of games between programs to play."),
    ] {
        let Some(request) = all.get(name).cloned() else { continue };
        for game in GAMES.iter() {
            let id = game.meta().id;
            let mut own = request.clone();
            shape::redirect(&mut own, &|target| match target {
                "GameName" => Some(format!("{id}.Id")),
                "Options" | "Position" => Some(format!("{id}.{target}")),
                _ => None,
            });
            let players = &mut own["properties"]["players"];
            let who = players["additionalProperties"].clone();
            let seats = game.meta().seats.iter().map(|seat| ((*seat).to_owned(), who.clone()));
            *players = json!({
                "type": "object",
                "description": players["description"],
                "properties": seats.collect::<Map<_, _>>(),
                "additionalProperties": false,
            });
            all.insert(format!("{id}.{name}"), own);
        }
        all.insert(name.to_owned(), any_game(&ids, name, description));
    }
}

/// Requires requests about a record, sent or stored, to name exactly one of the two.
fn choose_subject(all: &mut BTreeMap<String, Value>) {
    for (_, schema) in all.iter_mut().filter(|(name, _)| name.ends_with("Request")) {
        let has = |field: &str| schema.pointer(&format!("/properties/{field}")).is_some();
        if !schema.is_object() || !has("record") || !has("id") {
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

/// Names of components that would be generated more than once with different content: by two games,
/// or by a game and a template.
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
    let own = GAMES.iter().flat_map(|game| games::schemas(game.meta().id));
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

/// The schema of a game's record, with actions of that component.
fn record(game: &dyn AnyGame, action: &str) -> Value {
    let meta = game.meta();
    let id = meta.id;
    let seat = |name: &&str| ((*name).to_owned(), json!({"type": "string"}));
    let seats: Map<String, Value> = meta.seats.iter().map(seat).collect();
    let own = |name: &str| reference(&format!("{id}.{name}"));
    json!({
        "type": "object",
        "description": format!("The record of a game of {}: rules, chance and decisions.", meta.title),
        "required": ["format", "game", "chance", "actions"],
        // A stored record may have unknown fields, if they were accepted (`unknown_fields`).
        "additionalProperties": action != "Action",
        "properties": {
            "format": {
                "type": "string",
                "description": "The version of this format.",
                "enum": [FORMAT],
            },
            "game": own("Id"),
            "ruleset": {
                "type": "string",
                "description": "Game and version of its rules; filled in when the record is stored.",
                "enum": meta.rulesets().collect::<Vec<_>>(),
            },
            "options": own("Options"),
            "players": {
                "type": "object",
                "description": "Names by seat, for display and search only. A seat that is not in use under the options (the fifth of a game for two) is rejected as `bad_record`; an action of such a seat is illegal.",
                "additionalProperties": false,
                "properties": seats,
            },
            "chance": reference("Chance"),
            "position": match action {
                "Action" => json!({
                    "description": "Start from this position instead of a new game.",
                    "$ref": own("Position")["$ref"],
                }),
                _ => json!({
                    "description": "The position that the game started from, if it was not a new game.",
                    "oneOf": [own("Position"), {"type": "null"}],
                }),
            },
            "actions": {
                "type": "array",
                "description": "The decisions, in order. Each may have a `note` beside its fields: text of at most 4000 characters that is stored, shown to the referee, and never judged.",
                "items": own(action),
            },
            "claims": reference("Claims"),
            "checkpoints": {
                "type": "array",
                "description": "What the record states about the game at certain plies. Checkpoints are checked like claims and reported in the verdict's `claims`, to the referee only; one that does not hold is a finding, and evidence for `POST /v1/repair`.",
                "maxItems": 1000,
                "items": reference("Checkpoint"),
                "example": [{"ply": 1, "fingerprint": "0".repeat(64)}],
            },
            "note": {
                "type": "string",
                "description": "Free text, stored as it is, shown to the referee, and never judged.",
                "maxLength": 4000,
                "example": "Played at the club; the clock was stopped once.",
            },
            "meta": {
                "type": "object",
                "description": "Metadata of the record, stored byte for byte and never judged: scalars, or lists and objects of them, at most 4 levels deep and 1000 values per entry.",
                "additionalProperties": true,
            },
        },
    })
}

/// The components that do not depend on a game; the constant ones are in a file.
fn shared() -> Vec<(String, Value)> {
    const CONSTANT: &str = include_str!("shared.json");
    let ids: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
    let mut all: Vec<(String, Value)> = PER_GAME
        .iter()
        .map(|(name, description)| ((*name).to_owned(), any_game(&ids, name, description)))
        .collect();
    for (name, description) in [
        ("Action", "An action of any game, as in a record."),
        ("Options", "The options of any game, as in a record."),
        ("Position", "A starting position of any game."),
        ("PlyAnalysis", "The analysis of one ply, in any game."),
        ("SentAction", "Any value sent as an action, in any game."),
        ("Violation", "Why an action is illegal, in any game."),
    ] {
        let of_each: Vec<Value> = ids.iter().map(|id| reference(&format!("{id}.{name}"))).collect();
        all.push((name.to_owned(), json!({"description": description, "anyOf": of_each})));
    }
    all.push((
        "SentRecord".to_owned(),
        json!({
            "description": "The record of any game, complete or with unknowns.",
            "anyOf": [reference("GameRecord"), reference("PartialRecord")],
        }),
    ));
    // The file is JSON; the test that compares the document parses it.
    let mut constant: Map<String, Value> = serde_json::from_str(CONSTANT).unwrap_or_default();
    let names = GAMES.iter().flat_map(|game| game.omissions()).map(|it| it.name);
    let names: std::collections::BTreeSet<&str> = names.collect();
    constant["PartialRecord"]["properties"]["omitted"]["items"]["enum"] = json!(names);
    constant["GameName"]["enum"] = json!(ids);
    constant["ViewerName"]["enum"] = json!(Viewer::names());
    all.extend(constant);
    all
}

/// The component for any game.
fn any_game(ids: &[&str], name: &str, description: &str) -> Value {
    let of = |id: &&str| format!("{id}.{name}");
    let alternatives: Vec<Value> = ids.iter().map(|id| reference(&of(id))).collect();
    // A game names itself in its own field.
    let tag = if name == "GameDetail" { "id" } else { "game" };
    let mapping: Map<String, Value> =
        ids.iter().map(|id| ((*id).to_owned(), format!("{PREFIX}{}", of(id)).into())).collect();
    json!({
        "description": description,
        "oneOf": alternatives,
        "discriminator": {"propertyName": tag, "mapping": mapping},
    })
}
