//! The questions by name, for programs that embed the referee.
//!
//! Each is answered with the body that the service sends for the same request, within the default
//! limits. This module must not make an answer itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use umpire_engine::analysis::search::Spread;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::Judgement;

use crate::json;
use crate::limits::Limits;
use crate::parameters::{JudgeParameters, LanguageParameters};
use crate::problem::Problem;
use crate::query::{NoParameters, parameters};
use crate::questions::adjudicate::NoSheet;
use crate::questions::{
    Asked, NoShelf, adjudicate, analysis, compare, explain, hint, legal, odds, remedy, repair,
    replays, scene, validate, why,
};
use crate::reading;

/// The calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// `POST /v1/validate` with one record.
    Validate,
    /// `POST /v1/replay`.
    Replay,
    /// The field `state` of the response of `POST /v1/replay`.
    View,
    /// `POST /v1/legal-actions`.
    LegalActions,
    /// `POST /v1/scene`.
    Scene,
    /// `POST /v1/scene` with `Accept: image/svg+xml`.
    BoardSvg,
    /// `POST /v1/adjudicate`; nothing is stored.
    Adjudicate,
    /// `POST /v1/why-not`.
    Why,
    /// `POST /v1/explain`.
    Explain,
    /// `POST /v1/repair`.
    Repair,
    /// `POST /v1/remedy`.
    Remedy,
    /// `POST /v1/compare`.
    Compare,
    /// `POST /v1/hint`.
    Hint,
    /// `POST /v1/odds`.
    Odds,
    /// The result of a job of `POST /v1/analyses`: an object with its `summary` and its `plies`.
    Analyze,
}

impl Call {
    /// Every call, by its name.
    pub const ALL: [(&'static str, Call); 15] = [
        ("validate", Call::Validate),
        ("replay", Call::Replay),
        ("view", Call::View),
        ("legal_actions", Call::LegalActions),
        ("scene", Call::Scene),
        ("board_svg", Call::BoardSvg),
        ("adjudicate", Call::Adjudicate),
        ("why", Call::Why),
        ("explain", Call::Explain),
        ("repair", Call::Repair),
        ("remedy", Call::Remedy),
        ("compare", Call::Compare),
        ("hint", Call::Hint),
        ("odds", Call::Odds),
        ("analyze", Call::Analyze),
    ];

    /// The call with that name.
    pub fn named(name: &str) -> Option<Call> {
        Call::ALL.iter().find(|(known, _)| *known == name).map(|(_, call)| *call)
    }

    /// Whether it answers in milliseconds, if its record has no unknowns.
    pub fn is_quick(self) -> bool {
        matches!(
            self,
            Call::Validate
                | Call::Replay
                | Call::View
                | Call::LegalActions
                | Call::Scene
                | Call::BoardSvg
        )
    }
}

/// The answer to a call; `query` holds its parameters, `text` is the request. Long work that can be
/// done in pieces is done by `spread`.
///
/// # Errors
/// Whatever the service would send a problem for.
pub fn answer(
    call: Call,
    query: &str,
    text: &[u8],
    budget: Budget<'_>,
    spread: &dyn Spread,
) -> Result<Vec<u8>, Problem> {
    let limits = Limits::DEFAULT;
    if text.len() > limits.text {
        return Err(Problem::too_large("body", limits.text));
    }
    let asked = Asked { shelf: &NoShelf, limits, budget };
    let lang = || Ok::<_, Problem>(parameters::<LanguageParameters>(query)?.lang);
    let none = || parameters::<NoParameters>(query).map(drop);
    // As in the body of a request about a record.
    let body = || reading::canonical(text);
    guarded(|| match call {
        Call::Validate => {
            Ok(json::text(&validate::judge(text, asked.limits(), parameters(query)?)?.0))
        }
        Call::Replay => Ok(json::text(&replays::replay(&asked, text, &parameters(query)?)?.0)),
        Call::View => {
            let report = replays::replay(&asked, text, &parameters(query)?)?.0;
            Ok(report.state.get().as_bytes().to_vec())
        }
        Call::LegalActions => Ok(legal::legal(&asked, text, &parameters(query)?)?.0),
        Call::Scene => Ok(scene::scene(&asked, text, parameters(query)?, false)?.0),
        Call::BoardSvg => Ok(scene::scene(&asked, text, parameters(query)?, true)?.0),
        Call::Adjudicate => {
            let (answer, _) = adjudicate::adjudicate(&asked, &body(), lang()?, None::<NoSheet>)?;
            Ok(answer.0)
        }
        Call::Why => Ok(why::why(&asked, &body(), lang()?)?.0),
        Call::Explain => Ok(explain::explain(&asked, &body(), lang()?)?.0),
        Call::Repair => Ok(repair::repair(&asked, &body(), lang()?)?.0),
        Call::Remedy => Ok(remedy::remedy(&asked, &body(), lang()?)?.0),
        Call::Compare => none().and_then(|()| compare::compare(&asked, &body())),
        Call::Hint => none().and_then(|()| hint::hint(&asked, &body())),
        Call::Odds => none().and_then(|()| odds::odds(&asked, &body())),
        Call::Analyze => none().and_then(|()| analysis::analyze(&asked, &body(), spread)),
    })
}

/// Validates one record of many, as `POST /v1/validate` does with a line of NDJSON.
///
/// # Errors
/// Why it cannot be validated.
pub fn judge_one(
    text: &[u8],
    how: JudgeParameters,
    budget: Budget<'_>,
) -> Result<Judgement, Problem> {
    let limits = Limits::DEFAULT;
    if text.len() > limits.text {
        return Err(Problem::too_large("line", limits.text));
    }
    guarded(|| Ok(validate::judge(text, limits.engine(budget), how)?.0))
}

/// Does some work. If it panics, only this question fails, with an internal error.
///
/// # Errors
/// Those of the work.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    // A question owns what it works on, so a panic leaves nothing inconsistent behind.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Problem::internal()))
}
