//! Who stood better, what was a mistake, what was luck: an analysis, piece by piece.
//!
//! A piece is a ply. Whoever has them done, one after the other or on many processors, sums them up
//! at the end.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::analysis::review::{Analysis, Judged, Task};
use umpire_engine::analysis::search::Spread;
use umpire_engine::budget::Budget;
use umpire_engine::game::Observer;
use umpire_engine::record::Fault;

use super::{Asked, MOST_SIMULATIONS, read, seed_of, viewer, within, within_bounds};
use crate::json;
use crate::limits::Limits;
use crate::parameters::Eyes;
use crate::problem::Problem;
use crate::reading::{self, Submission, UnknownFields};

/// A record to analyse.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct AnalysisRequest<'a> {
    /// The record; or give the `id` of a stored one.
    #[serde(borrow, default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::GameRecord>, nullable = false))]
    pub record: Option<&'a RawValue>,
    /// The id of a stored record, instead of `record`.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::RecordName>, nullable = false))]
    id: Option<Cow<'a, str>>,
    /// The viewer: `referee`, `spectator` or a seat. The referee gets everything, including hindsight and luck; a seat gets
    /// what it could know, and its own decisions.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schemas::ViewerName>, nullable = false, default = "referee"))]
    viewer: Option<Cow<'a, str>>,
    /// The number of simulations for each chance: the budget.
    #[serde(default = "usual")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 20000, default = 1000))]
    simulations: u32,
    /// The random seed.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false, max_length = 200, default = "umpire"))]
    seed: Option<Cow<'a, str>>,
}

/// The default number of simulations.
pub const USUAL: u32 = 1000;

fn usual() -> u32 {
    USUAL
}

/// The work on an analysis.
pub struct Plies(pub Box<dyn Analysis>);

impl Plies {
    /// The number of pieces.
    pub fn pieces(&self) -> u32 {
        self.0.plies() + 1
    }

    /// The analysis of a ply, as JSON. The same piece always gives the same text.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn piece(&self, ply: u32, budget: Budget<'_>) -> Result<String, Problem> {
        Ok(json::string(&self.0.ply(ply, budget).map_err(Fault::from)?))
    }

    /// What all pieces, given in order, come to, as JSON.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn sum<'p>(
        &self,
        pieces: impl IntoIterator<Item = &'p str>,
        budget: Budget<'_>,
    ) -> Result<String, Problem> {
        let judged: Vec<Judged> = pieces.into_iter().filter_map(Judged::read).collect();
        Ok(json::string(&self.0.summary(&judged, budget).map_err(Fault::from)?))
    }
}

/// What is needed to do the work of an analysis elsewhere.
#[derive(Serialize, Deserialize)]
pub struct StoredAnalysis<'a> {
    /// The record.
    #[serde(borrow)]
    pub record: Option<&'a RawValue>,
    /// Who reads it.
    pub viewer: &'a str,
    /// Number of simulations for each chance.
    pub simulations: u32,
    /// The seed.
    pub seed: Cow<'a, str>,
}

impl StoredAnalysis<'_> {
    /// The work.
    ///
    /// # Errors
    /// The record is missing or cannot be replayed, or has no such viewer.
    pub fn resume(self, limits: &Limits, budget: Budget<'_>) -> Result<Plies, Problem> {
        let record =
            self.record.ok_or_else(|| Problem::internal("a stored analysis has no record"))?;
        let limits = limits.engine(budget);
        reading::with_fields(record.get().as_bytes(), UnknownFields::Keep, |submission| {
            let viewer =
                viewer(submission.game, Some(self.viewer), Eyes::AnyOr(Observer::Referee))?;
            let (simulations, seed) = (self.simulations, self.seed.into_owned());
            let task = Task { simulations, seed, viewer };
            Ok(Plies(submission.game.analysis(&submission.record, &task, limits)?))
        })
    }
}

/// Prepares the analysis of a request and passes it on. `allowed` sees the request before its record
/// is read.
///
/// # Errors
/// The request cannot be read or is not allowed, its record cannot be replayed, or `then` fails.
pub fn prepare<T>(
    asked: &Asked<'_>,
    text: &[u8],
    allowed: impl FnOnce(&AnalysisRequest<'_>) -> Result<(), Problem>,
    then: impl FnOnce(&Submission<'_>, Task, Plies) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let request: AnalysisRequest<'_> = read(text)?;
    allowed(&request)?;
    within_bounds("simulations", request.simulations, MOST_SIMULATIONS)?;
    let seed = seed_of(request.seed.as_deref())?;
    asked.view_of(request.record, request.id.as_deref(), |submission, eyes| {
        // Whoever may read whole records is told everything unless it asks for less.
        let viewer = match (request.viewer.as_deref(), eyes) {
            (None, Eyes::AnyOr(_)) => Observer::Referee,
            (named, eyes) => viewer(submission.game, named, eyes)?,
        };
        let task = Task { simulations: request.simulations, seed: seed.to_owned(), viewer };
        let analysis = submission
            .game
            .analysis(&submission.record, &task, asked.limits())
            .map_err(|fault| within(fault, "/record"))?;
        then(submission, task, Plies(analysis))
    })
}

/// The result of the analysis of a request: an object with its `summary` and its `plies`.
///
/// # Errors
/// As [`prepare`], or the budget is spent.
pub fn analyze(asked: &Asked<'_>, text: &[u8], spread: &dyn Spread) -> Result<Vec<u8>, Problem> {
    prepare(
        asked,
        text,
        |_| Ok(()),
        |_, _, work| {
            let plies: Vec<OnceLock<Result<String, Problem>>> =
                (0..work.pieces()).map(|_| OnceLock::new()).collect();
            let budget = asked.budget;
            spread.each(plies.len(), &|ply| {
                plies[ply].get_or_init(|| work.piece(ply as u32, budget));
            });
            let plies = plies.into_iter().map(|it| {
                it.into_inner().unwrap_or_else(|| Err(Problem::internal("a ply was not analysed")))
            });
            let plies = plies.collect::<Result<Vec<String>, Problem>>()?;
            let summary = work.sum(plies.iter().map(String::as_str), asked.budget)?;
            Ok(format!("{{\"summary\":{summary},\"plies\":[{}]}}", plies.join(",")).into_bytes())
        },
    )
}
