//! The routes: which path supports which method, and which handler answers it.
//!
//! There is one module per resource, with requests and responses beside their handlers. This module
//! only lists; it answers only that a path or a method does not exist.

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, guard};

use crate::http::contract::Contract;
use crate::http::error::{ApiError, shorten};

pub mod access;
pub mod advice;
pub mod analysis;
pub mod board;
pub mod dispute;
pub mod document;
pub mod game;
pub mod health;
pub mod impact;
pub mod jobs;
pub mod kept;
pub mod legal_actions;
pub mod page;
pub mod precedent;
pub mod problem;
pub mod record;
pub mod replay;
pub mod rule;
pub mod seated;
pub mod sent;
pub mod simulation;
pub mod stored;
pub mod table;
pub mod table_hint;
pub mod table_play;
pub mod validate;
pub mod verdict;

/// Mounts a table of routes, and collects the contract of each handler.
macro_rules! routes {
    ($($path:literal { $($method:ident $module:ident::$handler:ident),+ $(,)? })*) => {
        /// Mounts every route. They are matched in the order of the table.
        pub fn configure(config: &mut ServiceConfig) {
            $(config.service(
                web::resource($path)
                    $(.route(routes!(@route $method).to($module::$handler)))+
                    .default_service(refuse(concat!($(routes!(@name $method), ", "),+))),
            );)*
            config.default_service(web::to(nothing));
        }

        /// The contract of every handler, by its name.
        pub fn contracts() -> Vec<(&'static str, Contract)> {
            vec![$($((stringify!($handler), Contract::of($module::$handler))),+),*]
        }
    };
    // A HEAD is a GET without the body.
    (@route get) => { web::route().guard(guard::Any(guard::Get()).or(guard::Head())) };
    (@route post) => { web::post() };
    (@route delete) => { web::delete() };
    (@name get) => { "GET, HEAD" };
    (@name post) => { "POST" };
    (@name delete) => { "DELETE" };
}

routes! {
    // A fixed path is matched by comparison, but every other one that is tried costs a pattern
    // match. So fixed paths come first, and the busiest of each kind before the others.
    "/v1/validate" { post validate::create_validation }
    "/v1/records" { get record::list_records, post record::create_record }
    "/v1/tables" { get kept::list_tables, post table::create_table }
    "/v1/replay" { post replay::create_replay }
    "/v1/legal-actions" { post legal_actions::list_legal_actions }
    "/readyz" { get health::get_readiness }
    "/healthz" { get health::get_health }
    "/v1/adjudicate" { post dispute::create_adjudication }
    "/v1/why-not" { post dispute::create_why_not }
    "/v1/explain" { post dispute::create_explanation }
    "/v1/repair" { post dispute::create_repair }
    "/v1/remedy" { post dispute::create_remedy }
    "/v1/compare" { post dispute::create_comparison }
    "/v1/scene" { post board::create_scene }
    "/v1/hint" { post advice::create_hint }
    "/v1/odds" { post advice::create_odds }
    "/v1/simulations" { post simulation::create_simulation }
    "/metrics" { get health::get_metrics }
    "/openapi.json" { get document::get_openapi }
    "/docs" { get page::to_docs }
    "/v1/openapi.json" { get document::get_openapi }
    "/v1/docs" { get page::to_docs }
    "/v1/docs/" { get page::get_docs }
    "/" { get page::get_reading_table }
    "/v1/oembed" { get page::get_oembed }
    "/v1/problems" { get problem::list_problems }
    "/v1/games" { get game::list_games }
    "/v1/verdicts" { get kept::list_verdicts }
    "/v1/verdicts/key" { get verdict::get_verdict_key }
    "/v1/analyses" { post analysis::create_analysis }
    "/v1/impacts" { post impact::create_impact }
    "/v1/tables/{id}/actions" { post table_play::create_table_action }
    "/v1/tables/{id}" { get table::get_table, delete table::delete_table }
    "/v1/tables/{id}/stream" { get table::watch_table }
    "/v1/tables/{id}/legal-actions" { get table::list_table_legal_actions }
    "/v1/records/{id}" { get stored::get_record, delete record::delete_record }
    "/v1/tables/{id}/hint" { get table_hint::get_table_hint }
    "/v1/tables/{id}/events" { get table::list_table_events }
    "/v1/tables/{id}/scene" { get table::get_table_scene }
    "/v1/tables/{id}/undo" { post table_play::create_table_undo }
    "/v1/tables/{id}/draw" { post table_play::create_table_draw }
    "/v1/tables/{id}/seal" { post table_play::create_table_seal }
    "/v1/records/{id}/report" { get stored::get_record_report }
    "/v1/records/{id}/plies/{ply}" { get stored::get_record_ply }
    "/v1/records/{id}/plies/{ply}/board.svg" { get board::get_record_board }
    "/v1/records/{id}/plies/{ply}/scene" { get board::get_record_scene }
    "/v1/records/{id}/events" { get stored::list_record_events }
    "/v1/records/{id}/legal-actions" { get stored::list_record_legal_actions }
    "/v1/records/{id}/analysis" { get analysis::get_record_analysis }
    "/v1/simulations/{id}" { get simulation::get_simulation, delete simulation::delete_simulation }
    "/table/{file}" { get page::get_page_file }
    "/t/{id}" { get page::get_record_table }
    "/t/{id}/{ply}" { get page::get_record_table }
    "/embed/{id}" { get page::get_record_embed }
    "/embed/{id}/{ply}" { get page::get_record_embed }
    "/v1/problems/{code}" { get problem::get_problem }
    "/v1/games/{game}" { get game::get_game }
    "/v1/games/{game}/rules" { get rule::list_rules }
    "/v1/games/{game}/rules/{id}" { get rule::get_rule }
    "/v1/games/{game}/compliance" { get rule::get_compliance }
    "/v1/games/{game}/precedents" { get precedent::list_precedents }
    "/v1/games/{game}/precedents/{name}" { get precedent::get_precedent }
    "/v1/verdicts/{id}" { get verdict::get_verdict, delete verdict::delete_verdict }
    "/v1/analyses/{id}" { get analysis::get_analysis, delete analysis::delete_analysis }
    "/v1/analyses/{id}/curve.svg" { get analysis::get_analysis_curve }
    "/v1/analyses/{id}/plies" { get analysis::list_analysis_plies }
    "/v1/impacts/{id}" { get impact::get_impact, delete impact::delete_impact }
    "/v1/impacts/{id}/changes" { get impact::list_impact_changes }
}

/// Answers a method that a path does not support. `methods`: the supported ones, each followed by a
/// comma and a space.
fn refuse(methods: &'static str) -> actix_web::Route {
    web::to(move |request: HttpRequest| async move {
        let sent = shorten(request.method().as_str()).into_owned();
        let allow = methods.trim_end_matches(", ");
        Err::<HttpResponse, ApiError>(ApiError::method(&sent, allow))
    })
}

async fn nothing(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let path = shorten(request.path()).into_owned();
    Err(ApiError::not_found(format!("unknown path {path:?}; /v1/openapi.json lists all paths")))
}
