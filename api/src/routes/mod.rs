//! The routes, one module per resource, and what handlers share.
//!
//! Handlers stand beside their requests and answers. This module must not say SQL, must not name
//! a game, and must not answer an error with anything but a problem.

use actix_web::guard;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};
use serde::Serialize;
use umpire_engine::erased::{self, AnyGame, Include};
use umpire_engine::game::Observer;
use umpire_engine::games::{self, GAMES};
use utoipa::IntoParams;

use crate::body::JSON;
use crate::config::Limits;
use crate::error::{ApiError, shorten};
use crate::json;
use crate::query::{Pairs, Parameters};

pub mod dispute;
pub mod document;
pub mod game;
pub mod health;
pub mod impact;
pub mod legal_actions;
pub mod precedent;
pub mod problem;
pub mod record;
pub mod replay;
pub mod rule;
pub mod validate;

/// Mounts every route.
pub fn configure(config: &mut ServiceConfig) {
    // Routes are tried in this order: the busiest stand first.
    config
        .service(at("/v1/validate", "POST").route(web::post().to(validate::create_validation)))
        .service(at("/v1/replay", "POST").route(web::post().to(replay::create_replay)))
        .service(at("/v1/adjudicate", "POST").route(web::post().to(dispute::create_adjudication)))
        .service(at("/v1/why-not", "POST").route(web::post().to(dispute::create_why_not)))
        .service(at("/v1/explain", "POST").route(web::post().to(dispute::create_explanation)))
        .service(at("/v1/repair", "POST").route(web::post().to(dispute::create_repair)))
        .service(at("/v1/compare", "POST").route(web::post().to(dispute::create_comparison)))
        .service(at("/healthz", "GET, HEAD").route(get().to(health::get_health)))
        .service(at("/readyz", "GET, HEAD").route(get().to(health::get_readiness)))
        .service(at("/metrics", "GET, HEAD").route(get().to(health::get_metrics)))
        .service(at("/openapi.json", "GET, HEAD").route(get().to(document::get_openapi)))
        .service(at("/docs", "GET, HEAD").route(get().to(document::to_docs)))
        .service(at("/v1/openapi.json", "GET, HEAD").route(get().to(document::get_openapi)))
        .service(at("/v1/docs", "GET, HEAD").route(get().to(document::to_docs)))
        .service(at("/v1/docs/{file:.*}", "GET, HEAD").route(get().to(document::get_docs)))
        .service(at("/v1/problems", "GET, HEAD").route(get().to(problem::list_problems)))
        .service(at("/v1/problems/{code}", "GET, HEAD").route(get().to(problem::get_problem)))
        .service(at("/v1/games", "GET, HEAD").route(get().to(game::list_games)))
        .service(at("/v1/games/{game}", "GET, HEAD").route(get().to(game::get_game)))
        .service(at("/v1/games/{game}/rules", "GET, HEAD").route(get().to(rule::list_rules)))
        .service(at("/v1/games/{game}/rules/{id}", "GET, HEAD").route(get().to(rule::get_rule)))
        .service(
            at("/v1/games/{game}/precedents", "GET, HEAD")
                .route(get().to(precedent::list_precedents)),
        )
        .service(
            at("/v1/games/{game}/precedents/{name}", "GET, HEAD")
                .route(get().to(precedent::get_precedent)),
        )
        .service(
            at("/v1/legal-actions", "POST")
                .route(web::post().to(legal_actions::list_legal_actions)),
        )
        .service(
            at("/v1/records", "GET, HEAD, POST")
                .route(get().to(record::list_records))
                .route(web::post().to(record::create_record)),
        )
        .service(
            at("/v1/records/{id}", "GET, HEAD, DELETE")
                .route(get().to(record::get_record))
                .route(web::delete().to(record::delete_record)),
        )
        .service(
            at("/v1/records/{id}/report", "GET, HEAD").route(get().to(record::get_record_report)),
        )
        .service(
            at("/v1/records/{id}/plies/{ply}", "GET, HEAD").route(get().to(record::get_record_ply)),
        )
        .service(
            at("/v1/records/{id}/events", "GET, HEAD").route(get().to(record::list_record_events)),
        )
        .service(
            at("/v1/records/{id}/legal-actions", "GET, HEAD")
                .route(get().to(record::list_record_legal_actions)),
        )
        .service(at("/v1/impacts", "POST").route(web::post().to(impact::create_impact)))
        .service(
            at("/v1/impacts/{id}", "GET, HEAD, DELETE")
                .route(get().to(impact::get_impact))
                .route(web::delete().to(impact::delete_impact)),
        )
        .service(
            at("/v1/impacts/{id}/changes", "GET, HEAD")
                .route(get().to(impact::list_impact_changes)),
        )
        .default_service(web::to(nothing));
}

/// A resource that answers other methods than `allow` with a problem.
fn at(path: &str, allow: &'static str) -> Resource {
    let refuse = move |request: HttpRequest| async move {
        let sent = shorten(request.method().as_str()).into_owned();
        Err::<HttpResponse, ApiError>(ApiError::Method { sent, allow })
    };
    web::resource(path).default_service(web::to(refuse))
}

/// A route for reading; a HEAD is a GET without the body.
fn get() -> Route {
    web::route().guard(guard::Any(guard::Get()).or(guard::Head()))
}

async fn nothing(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let path = shorten(request.path()).into_owned();
    Err(ApiError::NotFound(format!("there is no path {path:?}; /v1/openapi.json lists the paths")))
}

/// An answer in JSON.
fn json_answer<T: Serialize>(value: &T) -> HttpResponse {
    HttpResponse::Ok().content_type(JSON).body(json::text(value))
}

/// The game of a path.
fn game_at(id: &str) -> Result<&'static dyn AnyGame, ApiError> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        ApiError::NotFound(format!(
            "there is no game {:?}; the games are {}",
            shorten(id),
            known.join(", ")
        ))
    })
}

/// Who looks, by name: `referee`, `spectator` or a seat of some game; or nobody in particular.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Viewer(Option<String>);

/// Who looks at a record that is sent, where the request does not say: the caller has it all.
pub(crate) const SENT: Observer = Observer::Referee;

/// Who looks at a stored record, where the request does not say: the game may still go on, and
/// players may read it.
pub(crate) const STORED: Observer = Observer::Spectator;

impl Viewer {
    /// Every name that some game knows, each once.
    pub fn names() -> Vec<&'static str> {
        let mut names = vec!["referee", "spectator"];
        for seat in GAMES.iter().flat_map(|game| game.meta().seats) {
            if !names.contains(seat) {
                names.push(seat);
            }
        }
        names
    }

    fn take(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let names = Viewer::names();
        match pairs.take("viewer")? {
            Some(other) if !names.contains(&other.as_str()) => {
                let expected = format!("one of {}", names.join(", "));
                Err(ApiError::parameter("viewer", &other, expected))
            }
            name => Ok(Viewer(name)),
        }
    }

    /// The viewer in a game, or `otherwise` where the request does not say.
    fn of(&self, game: &dyn AnyGame, otherwise: Observer) -> Result<Observer, ApiError> {
        let Viewer(Some(name)) = self else { return Ok(otherwise) };
        game.viewer(name).ok_or_else(|| {
            let seats = game.meta().seats.join(", ");
            ApiError::NotFound(format!(
                "viewer {name:?} is no seat of {}; its seats are {seats}",
                game.meta().id
            ))
        })
    }
}

/// An optional part of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, utoipa::ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Part {
    /// Every event that the viewer learns of.
    Events,
    /// The view after every ply.
    States,
    /// Every draw, as a tape (referee only).
    Tape,
    /// Fingerprint and chain of every ply (referee only).
    Fingerprints,
    /// Per ply, the action, its events, and the clauses and facts behind them.
    Explain,
    /// How the players stood at the end of each stretch of play (referee only).
    Chapters,
}

impl Part {
    const ALL: [(&'static str, Part); 6] = [
        ("events", Part::Events),
        ("states", Part::States),
        ("tape", Part::Tape),
        ("fingerprints", Part::Fingerprints),
        ("explain", Part::Explain),
        ("chapters", Part::Chapters),
    ];

    fn take(pairs: &mut Pairs) -> Result<Include, ApiError> {
        let mut include = Include::default();
        let Some(list) = pairs.take("include")? else { return Ok(include) };
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match Part::ALL.iter().find(|(known, _)| *known == name) {
                Some((_, Part::Events)) => include.events = true,
                Some((_, Part::States)) => include.states = true,
                Some((_, Part::Tape)) => include.tape = true,
                Some((_, Part::Fingerprints)) => include.fingerprints = true,
                Some((_, Part::Explain)) => include.explain = true,
                Some((_, Part::Chapters)) => include.chapters = true,
                None => {
                    let known = Part::ALL.map(|(name, _)| name).join(", ");
                    let expected = format!("a list of {known}, parted by commas,");
                    return Err(ApiError::parameter("include", name, expected));
                }
            }
        }
        Ok(include)
    }
}

/// What is wanted of a replay.
#[derive(Clone, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReplayParameters {
    /// The ply whose state is wanted; the last good one where it is left out.
    #[param(maximum = 4294967295u32)]
    pub ply: Option<u32>,
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[param(value_type = Option<crate::openapi::ViewerName>, inline)]
    pub viewer: Viewer,
    /// Optional parts of the report, parted by commas. `tape`, `fingerprints` and `chapters` are
    /// given to the referee only.
    #[param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline)]
    pub include: Include,
}

impl Parameters for ReplayParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(ReplayParameters {
            ply: pairs.number("ply", 0..=u32::MAX)?,
            viewer: Viewer::take(pairs)?,
            include: Part::take(pairs)?,
        })
    }
}

impl ReplayParameters {
    /// The engine's question; `otherwise` looks where the request does not say who does.
    fn query(
        &self,
        game: &dyn AnyGame,
        otherwise: Observer,
        limits: &Limits,
    ) -> Result<erased::Query, ApiError> {
        let mut bound = engine_limits(limits);
        if self.include.states || self.include.explain {
            bound.actions = bound.actions.min(limits.max_states);
        }
        Ok(erased::Query {
            viewer: self.viewer.of(game, otherwise)?,
            ply: self.ply,
            include: self.include,
            limits: bound,
        })
    }
}

/// What is wanted of a list of legal actions.
#[derive(Clone, PartialEq, Eq, Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LegalParameters {
    /// The ply whose legal actions are wanted; the last good one where it is left out.
    #[param(maximum = 4294967295u32)]
    pub ply: Option<u32>,
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[param(value_type = Option<crate::openapi::ViewerName>, inline)]
    pub viewer: Viewer,
    /// Count the actions instead of listing them.
    #[param(value_type = Option<bool>)]
    pub count_only: bool,
    /// The most actions to list for one seat. `count` is exact all the same, and `truncated` says
    /// whether there are more.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 100000, default = 10000)]
    pub limit: usize,
}

/// The most legal actions that are listed of a seat where a request does not say. The lists of
/// real games have some hundreds.
const LISTED: usize = 10_000;

/// The most legal actions of a seat that a request may ask for.
const MOST_LISTED: usize = 100_000;

impl Parameters for LegalParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(LegalParameters {
            ply: pairs.number("ply", 0..=u32::MAX)?,
            viewer: Viewer::take(pairs)?,
            count_only: pairs.flag("count_only")?,
            limit: pairs.number("limit", 1..=MOST_LISTED)?.unwrap_or(LISTED),
        })
    }
}

impl LegalParameters {
    /// The engine's question; `otherwise` looks where the request does not say who does.
    fn query(
        &self,
        game: &dyn AnyGame,
        otherwise: Observer,
        limits: &Limits,
    ) -> Result<erased::Query, ApiError> {
        Ok(erased::Query {
            viewer: self.viewer.of(game, otherwise)?,
            ply: self.ply,
            include: Include::default(),
            limits: erased::Limits { listed: self.limit, ..engine_limits(limits) },
        })
    }
}

/// How much a replay may cost.
fn engine_limits(limits: &Limits) -> erased::Limits {
    erased::Limits { actions: limits.max_actions, ..erased::Limits::default() }
}
