//! Hints at a table: what the asking seat should do, from what that seat knows and nothing else.
//!
//! Others may go on while the search runs. This module must not give a seat's hint to anybody else.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Data;
use umpire_engine::analysis::hint::Asked;
use umpire_engine::analysis::search::InTurn;
use umpire_engine::budget::Budget;
use umpire_engine::replay::Limits;
use umpire_referee::questions::{MOST_SIMULATIONS, SEED};

use super::advice::INSTEAD_AT_TABLE;
use super::seated::Comer;
use crate::http::body;
use crate::http::error::{ApiError, Code, Problem};
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::service::Service;
use crate::tables::session::{Who, not_begun};
use crate::tables::table::Table;
use umpire_referee::json;
use umpire_referee::query::{Pairs, Parameters};

/// The budget of a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct TableHintParameters {
    /// The number of simulations; 1000 by default.
    #[cfg_attr(feature = "openapi", param(value_type = Option<u32>, minimum = 1, maximum = 20000))]
    pub simulations: u32,
    /// The maximum number of actions to list; 5 by default.
    #[cfg_attr(feature = "openapi", param(value_type = Option<u32>, minimum = 1, maximum = 100))]
    pub most: u32,
    /// The random seed.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub seed: Option<String>,
}

impl Parameters for TableHintParameters {
    /// It is not the seat's turn, the game has not begun, or the table was created without hints.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::Conflict];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(TableHintParameters {
            simulations: pairs.number("simulations", 1..=MOST_SIMULATIONS)?.unwrap_or(1000),
            most: pairs.number("most", 1..=100)?.unwrap_or(5),
            seed: pairs.text("seed", 200)?,
        })
    }
}

/// Advises a seat at a table.
///
/// The best actions for the seat whose token asks, as for `POST /v1/hint`, from what that seat knows and nothing else. Only
/// the seat itself gets them. A table created with `hints: false` gives none.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables/{id}/hint", tag = "tables", operation_id = "get_table_hint",
    params(("id" = umpire_referee::schemas::TableName, Path, description = "The id of a table."), TableHintParameters),
    responses((status = 200, description = "The best actions.", body = umpire_referee::schemas::Hint))
))]
pub async fn get_table_hint(
    comer: Comer,
    parameters: Query<TableHintParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let Query(TableHintParameters { simulations, most, seed }) = parameters;
    let at = comer.enter(&service).await?;
    at.who.taking_part()?;
    let Who::Seat(seat) = at.who else {
        return Err(ApiError::forbidden("only the token of a seat gets hints, for its own seat"));
    };
    let table = at.table()?;
    if table.head.no_hints {
        let detail = "this table was created without hints".to_owned();
        return Err(ApiError::conflict(detail));
    }
    let seat = table.game.meta().seat(seat).ok_or_else(not_begun)?;
    let look = move |table: &Table, _: Limits<'_>| {
        Ok(table.live.as_deref().ok_or_else(not_begun)?.seen_by(seat))
    };
    // Others may go on while it thinks.
    let (_, seen) = at.work(Claim::light(comer.peer), look).await?;
    let limits = service.limits;
    let think = move |budget: Budget<'_>| {
        let asked = Asked {
            ply: None,
            seat: Some(seat),
            simulations,
            seed: seed.as_deref().unwrap_or(SEED),
            most: most as usize,
            limits: limits.engine(budget),
            spread: &InTurn,
        };
        Ok::<_, ApiError>(json::text(&seen.hint(&asked)?))
    };
    let hint = service.cpu.run(Claim::heavy(comer.peer), think).await;
    let hint = hint.map_err(|error| error.instead(INSTEAD_AT_TABLE))?;
    Ok(HttpResponse::Ok()
        .content_type(body::JSON)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(hint))
}
