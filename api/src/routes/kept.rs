//! Lists of what is stored besides records, for the operator of the server: tables and sheets, by player and age.
//!
//! Must not show what a table or a sheet hides from anybody but an admin, and no token.

use std::collections::BTreeMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, http::header};
use serde::{Deserialize, Serialize};
use umpire_engine::budget::Budget;
use umpire_referee::json;
use umpire_referee::problem::Problem;
use umpire_referee::query::{Pairs, Parameters};

use super::access::{Caller, MayAdminister};
use crate::auth::names::Names;
use crate::http::accept::next_page;
use crate::http::body;
use crate::http::error::{ApiError, Code};
use crate::http::query::Query;
use crate::limits::cpu::Claim;
use crate::service::Service;
use crate::store::name::folded;
use crate::store::when::{self, When};
use crate::store::{DEFAULT_PAGE, KeptTable, KeptVerdict, MAX_PAGE};

/// Of how many tables, or sheets, one request looks for those that match.
const MOST_LOOKED: u32 = 1_000;

/// How many are read together. Sheets may be long.
const TABLES_TOGETHER: u32 = 100;
const SHEETS_TOGETHER: u32 = 4;

/// Which tables or sheets to list.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct KeptParameters {
    /// Only those with a player of this name, at any seat, in any case.
    #[cfg_attr(feature = "openapi", param(max_length = 200))]
    pub player: Option<String>,
    /// Only those that nothing happened to since this time: RFC 3339, or milliseconds since 1970.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "2026-11-21T21:00:00Z"))]
    pub until: Option<When>,
    /// The maximum number on a page; 50 by default. A page may have fewer although there are more: `next` says so.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// The `next` of the previous page.
    #[cfg_attr(feature = "openapi", param(minimum = 1))]
    pub cursor: Option<u64>,
}

impl Parameters for KeptParameters {
    const ERRORS: &'static [Code] = &[];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(KeptParameters {
            player: pairs.text("player", 200)?,
            until: pairs.parsed("until", when::EXPECTED)?,
            limit: pairs.number("limit", 1..=MAX_PAGE)?,
            cursor: pairs.number("cursor", 1..=i64::MAX as u64)?,
        })
    }
}

/// A stored table in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedTable {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::TableName))]
    pub id: String,
    /// When it was created: RFC 3339, in UTC, with milliseconds.
    #[cfg_attr(feature = "openapi", schema(format = "date-time"))]
    pub created_at: String,
    /// When something last happened at it.
    #[cfg_attr(feature = "openapi", schema(format = "date-time"))]
    pub played_at: String,
    /// The game.
    pub game: String,
    /// Names by seat.
    pub players: BTreeMap<String, String>,
    /// Number of steps of its journal.
    pub steps: u32,
    /// The bytes of its journal.
    pub bytes: u64,
}

/// A page of stored tables.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TablePage {
    /// The tables, the newest first.
    pub tables: Vec<ListedTable>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next: Option<u64>,
}

/// A stored sheet in a list.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedVerdict {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::VerdictName))]
    pub id: String,
    /// When it was stored: RFC 3339, in UTC, with milliseconds.
    #[cfg_attr(feature = "openapi", schema(format = "date-time"))]
    pub created_at: String,
    /// The game.
    pub game: String,
    /// Names by seat.
    pub players: BTreeMap<String, String>,
    /// The bytes of the sheet.
    pub bytes: u64,
}

/// A page of stored sheets.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VerdictPage {
    /// The sheets, the newest first.
    pub verdicts: Vec<ListedVerdict>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next: Option<u64>,
}

/// Lists live tables.
///
/// For the operator of the server: only tokens with the scope `admin`. `DELETE /v1/tables/{id}` deletes one.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/tables", tag = "tables", operation_id = "list_tables",
    params(KeptParameters),
    responses((status = 200, description = "A page.", body = TablePage))
))]
pub async fn list_tables(
    _: MayAdminister,
    Caller(peer): Caller,
    request: HttpRequest,
    parameters: Query<KeptParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let (Query(asked), store) = (parameters, service.store.clone());
    let job = move |budget: Budget<'_>| {
        let page = |before, most| store.kept_tables(before, most);
        let (tables, next) = chosen(&asked, TABLES_TOGETHER, budget, page, ListedTable::of)?;
        Ok((json::text(&TablePage { tables, next }), next))
    };
    let (page, next) = service.cpu.run(Claim::heavy(peer), job).await?;
    Ok(answer(&request, page, next))
}

/// Lists sheets of settled disputes.
///
/// For the operator of the server: only tokens with the scope `admin`. `DELETE /v1/verdicts/{id}` deletes one.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/verdicts", tag = "disputes", operation_id = "list_verdicts",
    params(KeptParameters),
    responses((status = 200, description = "A page.", body = VerdictPage))
))]
pub async fn list_verdicts(
    _: MayAdminister,
    Caller(peer): Caller,
    request: HttpRequest,
    parameters: Query<KeptParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    let (Query(asked), store, names) = (parameters, service.store.clone(), service.names.clone());
    let job = move |budget: Budget<'_>| {
        let page = |before, most| store.kept_verdicts(before, most);
        let listed =
            |kept: KeptVerdict, asked: &KeptParameters| ListedVerdict::of(&names, kept, asked);
        let (verdicts, next) = chosen(&asked, SHEETS_TOGETHER, budget, page, listed)?;
        Ok((json::text(&VerdictPage { verdicts, next }), next))
    };
    let (page, next) = service.cpu.run(Claim::heavy(peer), job).await?;
    Ok(answer(&request, page, next))
}

fn answer(request: &HttpRequest, page: Vec<u8>, next: Option<u64>) -> HttpResponse {
    let mut answer = HttpResponse::Ok();
    answer.content_type(body::JSON).insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(next) = next {
        answer.insert_header((header::LINK, next_page(request, "cursor", next)));
    }
    answer.body(page)
}

/// Those that match, as they are listed, and where the next ones begin. `page` gives those with a number below one.
fn chosen<T, L>(
    asked: &KeptParameters,
    together: u32,
    budget: Budget<'_>,
    page: impl Fn(i64, u32) -> Result<Vec<(i64, T)>, crate::store::StoreError>,
    listed: impl Fn(T, &KeptParameters) -> Option<L>,
) -> Result<(Vec<L>, Option<u64>), ApiError> {
    let most = asked.limit.unwrap_or(DEFAULT_PAGE) as usize;
    let mut before = asked.cursor.map_or(i64::MAX, u64::cast_signed);
    let mut found = Vec::new();
    for _ in 0..MOST_LOOKED.div_ceil(together) {
        let some = page(before, together)?;
        let last = some.len() < together as usize;
        for (number, one) in some {
            budget.spend(1).map_err(umpire_engine::record::Fault::from)?;
            before = number;
            found.extend(listed(one, asked));
            if found.len() == most {
                return Ok((found, Some(before.cast_unsigned())));
            }
        }
        if last {
            return Ok((found, None));
        }
    }
    Ok((found, Some(before.cast_unsigned())))
}

impl KeptParameters {
    fn fit(&self, players: &BTreeMap<String, String>, touched: i64) -> bool {
        let named = |wanted: &String| {
            let wanted = folded(wanted);
            players.values().any(|name| folded(name) == wanted)
        };
        self.player.as_ref().is_none_or(named) && self.until.is_none_or(|When(time)| touched < time)
    }
}

/// What is read of the description of a table, and of a record.
#[derive(Deserialize, Default)]
struct Described {
    #[serde(default)]
    game: String,
    #[serde(default)]
    players: Option<BTreeMap<String, String>>,
}

impl ListedTable {
    fn of(kept: KeptTable, asked: &KeptParameters) -> Option<Self> {
        // One that cannot be read is listed, too, so that it can be deleted.
        let Described { game, players } = serde_json::from_str(&kept.head).unwrap_or_default();
        let players = players.unwrap_or_default();
        asked.fit(&players, kept.played_at).then(|| ListedTable {
            id: kept.id.to_string(),
            created_at: when::text(kept.created_at),
            played_at: when::text(kept.played_at),
            game,
            players,
            steps: kept.steps,
            bytes: kept.bytes,
        })
    }
}

impl ListedVerdict {
    fn of(names: &Names, kept: KeptVerdict, asked: &KeptParameters) -> Option<Self> {
        #[derive(Deserialize, Default)]
        struct Sheet {
            #[serde(default)]
            record: Described,
        }
        // A damaged one is listed, too, so that it can be deleted.
        let text = kept.sheet.unwrap_or_default();
        let Sheet { record } = serde_json::from_str(&text).unwrap_or_default();
        let players = record.players.unwrap_or_default();
        asked.fit(&players, kept.created_at).then(|| ListedVerdict {
            id: names.outside(&kept.id).to_string(),
            created_at: when::text(kept.created_at),
            game: record.game,
            players,
            bytes: text.len() as u64,
        })
    }
}
