//! Series of games between programs: how often each seat and each player wins.
//!
//! A short series is answered at once; a long one is a job that can be polled, cancelled and resumed. This module must
//! not play: the engine does.

use std::borrow::Cow;
use std::sync::Arc;
use umpire_referee::questions::{read, seed_of, within_bounds};

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Deserialize;
use serde_json::value::RawValue;
use umpire_engine::analysis::balance::{Games, LONGEST, Series, play_all};
use umpire_engine::analysis::search::InTurn;
use umpire_engine::analysis::selfplay::Player;
use umpire_engine::any_game::AnyGame;
use umpire_engine::record::{Fault, FaultCode};

use super::jobs::{self, JobAt};
use crate::access::{Caller, MayRead, MayWrite, Writer};
use crate::body;
use crate::cpu::Claim;
use crate::error::{ApiError, Code, Problem, shorten};
use crate::jobs::pieces::PiecesRequest;
use crate::jobs::simulation::{SeriesOfGames, SimulationJob, SimulationTask, simulation_id};
use crate::query::Query;
use crate::sent::{Content, Sent};
use crate::service::Service;
use crate::store::RecordId;
use crate::store::jobs::JobKind;
use umpire_referee::query::{NoParameters, Pairs, Parameters};
use umpire_referee::{json, reading};

/// The maximum number of simulations of a searching player.
const MOST_SIMULATIONS: u32 = 20_000;

/// The maximum number of games of one request.
const MOST_GAMES: u32 = 10_000;

/// The maximum of games times simulations per action while the caller waits.
const MOST_AT_ONCE: u32 = 20_000;

/// What to do instead of a series that takes too long.
const INSTEAD: &str = "send it with ?job=true: then it is a job that is looked at";

/// A series of games between programs.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct SimulationRequest<'a> {
    /// The game.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::GameName))]
    game: Cow<'a, str>,
    /// The options of the games; the game's defaults if omitted.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "openapi", schema(value_type = crate::schemas::Options, required = false))]
    options: Option<&'a RawValue>,
    /// The players by seat: `random` (the default), `greedy` or `search:N`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false, value_type = std::collections::BTreeMap<String, crate::schemas::SimulatedPlayer>))]
    players: std::collections::BTreeMap<String, String>,
    /// Number of games.
    #[serde(default = "hundred")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10000, default = 100))]
    games: u32,
    /// The random seed of the series.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
    /// The number of actions after which a game is stopped; it then counts for the seats in first place.
    #[serde(default = "longest")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 5000, default = 5000))]
    longest: u32,
    /// Whether the players change seats: in game n, each player sits n seats further on.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    alternate: bool,
    /// Whether results with luck removed are wanted, too.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    luck: bool,
    /// Whether to replay the series, with the same deals, under every other edition and reading that the options allow.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    rulings: bool,
}

impl Content for SimulationRequest<'static> {
    const ERRORS: &'static [&'static [Code]] = &[&[
        Code::BadJson,
        Code::BadRecord,
        Code::UnknownGame,
        Code::BadOptions,
        Code::OptionsRefused,
    ]];
}

fn longest() -> u32 {
    *LONGEST.end()
}

fn hundred() -> u32 {
    100
}

/// The player of each seat.
fn players(
    game: &dyn AnyGame,
    named: &std::collections::BTreeMap<String, String>,
) -> Result<Vec<Player>, ApiError> {
    let meta = game.meta();
    let mut players = vec![Player::Random; meta.seats.len()];
    for (name, player) in named {
        let pointer = format!("/players/{}", umpire_engine::wire::escaped(name));
        let wrong = |detail: String| Fault::new(FaultCode::BadRecord, pointer.clone(), detail);
        let seat = meta.seat(name).ok_or_else(|| {
            wrong(format!("{:?} is no seat; {} are", shorten(name), meta.seats.join(", ")))
        })?;
        let player: Player = Player::read(player, MOST_SIMULATIONS).map_err(wrong)?;
        players[seat.index()] = player;
    }
    Ok(players)
}

/// How a series is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct SimulationParameters {
    /// Whether to start a job: the answer is then 202 at once, and `Location` names the series. This needs a token that may
    /// write.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub job: bool,
}

impl Parameters for SimulationParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(SimulationParameters { job: pairs.flag("job")? })
    }
}

/// A series that is ready to start, and its id.
struct Ready {
    games: Box<dyn Games>,
    task: SimulationTask,
    id: RecordId,
    /// Games times simulations per action.
    at_once: u32,
}

fn ready(text: &[u8]) -> Result<Ready, ApiError> {
    let request: SimulationRequest<'_> = read(text)?;
    within_bounds("games", request.games, MOST_GAMES)?;
    within_bounds("longest", request.longest, *LONGEST.end())?;
    let game = umpire_engine::games::find(&request.game).ok_or_else(|| {
        let detail = format!("there is no game {:?}", shorten(&request.game));
        Fault::new(FaultCode::UnknownGame, "/game", detail)
    })?;
    let players = players(game, &request.players)?;
    let names: Vec<String> = players.iter().map(Player::to_string).collect();
    let simulations = players.iter().map(|player| match player {
        Player::Search(simulations) => *simulations,
        Player::Random | Player::Greedy => 1,
    });
    let simulations = simulations.max().unwrap_or(1);
    let seed = seed_of(request.seed.as_deref())?;
    let mut flags = format!("{} {} {}", request.longest, request.alternate, request.luck);
    if request.rulings {
        flags.push_str(" rulings");
    }
    let options = request.options.map_or("", RawValue::get);
    let meta = game.meta();
    let parts =
        [&*meta.ruleset(), options, &names.join(" "), &request.games.to_string(), seed, &flags];
    let id = simulation_id(&parts);
    let games = game.series(Series {
        options: request.options.map(RawValue::to_owned),
        players,
        alternate: request.alternate,
        games: request.games,
        seed: seed.to_owned(),
        longest: request.longest,
        luck: request.luck,
        rulings: request.rulings,
    })?;
    let of = games.games();
    let at_once = of.saturating_mul(simulations);
    let task = SimulationTask { series_of: meta.id.to_owned(), seed: seed.to_owned(), of };
    Ok(Ready { games, task, id, at_once })
}

/// The work on a series that another server started, from the text of its request.
///
/// # Errors
/// It is not what was stored.
pub fn resume(text: &str) -> Result<SeriesOfGames, ApiError> {
    Ok(SeriesOfGames(ready(text.as_bytes())?.games))
}

/// Plays a series of games between programs.
///
/// The result says how often each seat and each player wins (with a 95 % interval), how games end and how long they are,
/// and with `rulings` what each other reading changes. The same request gives the same answer on every machine. At most
/// 20,000 games times simulations per action are played at once, within the time limit of any request. With `job=true`
/// the series is a job: its id follows from its request, so the same request finds it, running or done, and resumes it
/// if it was cancelled. If too many jobs are running, the answer is 503.
#[cfg_attr(feature = "openapi", utoipa::path(
    post, path = "/v1/simulations", tag = "analysis", operation_id = "create_simulation",
    params(SimulationParameters),
    request_body(content = SimulationRequest, description = "A game, and who plays it.", content_type = "application/json"),
    responses(
        (status = 200, description = "What became of the games; with `job=true`, a job that is done, or runs already.", body = crate::schemas::SimulationAnswer),
        (status = 202, description = "The job runs.", body = crate::jobs::simulation::SimulationJob, headers(("Location" = String, description = "Where the job is."))),
    )
))]
pub async fn create_simulation(
    Caller(peer): Caller,
    writer: Writer,
    parameters: Query<SimulationParameters>,
    service: Data<Service>,
    sent: Sent<SimulationRequest<'static>>,
) -> Result<HttpResponse, ApiError> {
    let text = sent.text;
    if !parameters.job {
        let job = move |budget: umpire_engine::budget::Budget<'_>| {
            let Ready { games, at_once, .. } = ready(&reading::canonical(&text))?;
            if at_once > MOST_AT_ONCE {
                let detail = format!(
                    "games, under all readings, times simulations of an action is {at_once}, and at most {MOST_AT_ONCE} are played at once; {INSTEAD}"
                );
                return Err(Fault::new(FaultCode::BadRecord, "/games", detail).into());
            }
            let counted = play_all(&*games, budget, &InTurn, &|| {})?;
            Ok(json::text(&games.sum(&counted)))
        };
        let answer = service.cpu.run(Claim::heavy(peer), job).await;
        let answer = answer.map_err(|error| error.instead(INSTEAD))?;
        return Ok(HttpResponse::Ok().content_type(body::JSON).body(answer));
    }
    writer.check()?;
    let job = move |_: umpire_engine::budget::Budget<'_>| {
        let text = reading::canonical(&text);
        let Ready { games, task, id, .. } = ready(&text)?;
        let sent: &RawValue = read(&text)?;
        Ok((id, json::string(&PiecesRequest { task, sent }), SeriesOfGames(games)))
    };
    let (id, request, work) = service.cpu.run(Claim::heavy(peer), job).await?;
    let new = jobs::start(&service, JobKind::Simulation, id, request, Arc::new(work)).await?;
    let at = JobAt { name: service.names.outside(&id), id };
    let job = find(at, &service).await?;
    Ok(jobs::started(new, format!("/v1/simulations/{}", at.name), &job))
}

async fn find(at: JobAt, service: &Data<Service>) -> Result<SimulationJob, ApiError> {
    let job = at.find(service, JobKind::Simulation).await?.ok_or_else(|| missing(at))?;
    SimulationJob::from_stored(at.name.to_string(), &job)
}

fn missing(at: JobAt) -> ApiError {
    ApiError::not_found(format!(
        "there is no series {}; those not asked for in a long time are forgotten",
        at.name
    ))
}

/// Returns a series.
///
/// Once all games have been played, with the results.
#[cfg_attr(feature = "openapi", utoipa::path(
    get, path = "/v1/simulations/{id}", tag = "analysis", operation_id = "get_simulation",
    params(("id" = crate::schemas::SimulationName, Path, description = "The id of a series.")),
    responses((status = 200, description = "How the job stands.", body = crate::jobs::simulation::SimulationJob))
))]
pub async fn get_simulation(
    _: MayRead,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    Ok(jobs::shown(&find(at, &service).await?))
}

/// Cancels or deletes a series.
///
/// A running one is cancelled and keeps the games played so far, and the same request resumes it. A finished one is
/// deleted.
#[cfg_attr(feature = "openapi", utoipa::path(
    delete, path = "/v1/simulations/{id}", tag = "analysis", operation_id = "delete_simulation",
    params(("id" = crate::schemas::SimulationName, Path, description = "The id of a series.")),
    responses((status = 204, description = "It is cancelled or forgotten."))
))]
pub async fn delete_simulation(
    _: MayWrite,
    at: JobAt,
    _: Query<NoParameters>,
    service: Data<Service>,
) -> Result<HttpResponse, ApiError> {
    find(at, &service).await?;
    jobs::delete(&service, at.id.as_bytes().to_vec(), missing(at)).await
}
