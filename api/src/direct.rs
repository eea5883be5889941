//! The responses of the routes without a server, for programs that embed this crate.
//!
//! Responses are made by the same functions as those of the service, with the same limits, so both
//! are the same bytes. This module must not open a socket or a store, and must not make a response
//! itself.

use rayon::prelude::*;
use umpire_engine::budget::Budget;
use umpire_engine::replay::answer::Judgement;

use crate::config::Limits;
use crate::error::ApiError;
use crate::jobs::analysis::Plies;
use crate::jobs::pieces::Pieces;
use crate::query::{NoParameters, Query};
use crate::routes::dispute::{self, Asked};
use crate::routes::parameters::{JudgeParameters, LanguageParameters, engine_limits};
use crate::routes::{analysis, board, legal_actions, replay as replays, validate};
use crate::{cpu, json, ndjson, referee};

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
    /// `POST /v1/scene` with `Accept: image/svg+xml`.
    BoardSvg,
    /// `POST /v1/adjudicate`; nothing is stored.
    Adjudicate,
    /// `POST /v1/why-not`.
    Why,
    /// `POST /v1/repair`.
    Repair,
    /// The result of a job of `POST /v1/analyses`: an object with its `summary` and its `plies`,
    /// computed on all processors.
    Analyze,
}

impl Call {
    const ALL: [(&'static str, Call); 9] = [
        ("validate", Call::Validate),
        ("replay", Call::Replay),
        ("view", Call::View),
        ("legal_actions", Call::LegalActions),
        ("board_svg", Call::BoardSvg),
        ("adjudicate", Call::Adjudicate),
        ("why", Call::Why),
        ("repair", Call::Repair),
        ("analyze", Call::Analyze),
    ];

    /// The call with that name.
    pub fn named(name: &str) -> Option<Call> {
        Call::ALL.iter().find(|(known, _)| *known == name).map(|(_, call)| *call)
    }
}

/// The response body of a call; `query` holds its parameters, `text` is the request body.
///
/// # Errors
/// Whatever the service would send a problem for.
pub fn answer(
    call: Call,
    query: &str,
    text: &[u8],
    budget: Budget<'_>,
) -> Result<Vec<u8>, ApiError> {
    let limits = Limits::DEFAULT;
    let longest = limits.max_body;
    if text.len() > longest {
        return Err(ApiError::TooLarge { what: "body", limit: longest });
    }
    // As in the body of a request about a record.
    let about = || (Asked::apart(limits, budget), referee::canonical(text));
    cpu::here(|| match call {
        Call::Validate => Ok(json::text(&judge(text, Query::of(query)?.0, budget)?)),
        Call::Replay | Call::View => {
            let parameters = Query::of(query)?.0;
            let (report, _) = replays::reported(text, &parameters, &limits, budget)?;
            Ok(match call {
                Call::View => report.state.get().as_bytes().to_vec(),
                _ => json::text(&report),
            })
        }
        Call::LegalActions => {
            Ok(legal_actions::listed(text, &Query::of(query)?.0, &limits, budget)?.0)
        }
        Call::BoardSvg => Ok(board::shown(text, Query::of(query)?.0, true, &limits, budget)?.0),
        Call::Adjudicate => {
            let lang = Query::<LanguageParameters>::of(query)?.lang;
            let (asked, text) = about();
            Ok(dispute::settle(&asked, &text, false, lang)?.answer)
        }
        Call::Why => {
            let lang = Query::<LanguageParameters>::of(query)?.lang;
            let (asked, text) = about();
            Ok(dispute::why_not(&asked, &text, lang)?.0)
        }
        Call::Repair => {
            let lang = Query::<LanguageParameters>::of(query)?.lang;
            let (asked, text) = about();
            Ok(dispute::mend(&asked, &text, lang)?.0)
        }
        Call::Analyze => {
            Query::<NoParameters>::of(query)?;
            let (asked, text) = about();
            analysis::prepared(
                &asked,
                &text,
                |_| Ok(()),
                |_, _, analysis| analysed(&Plies(analysis), budget),
            )
        }
    })
}

/// The result of an analysis.
fn analysed(work: &Plies, budget: Budget<'_>) -> Result<Vec<u8>, ApiError> {
    let plies = (0..work.pieces()).into_par_iter();
    let plies = plies.map(|ply| Ok((ply, work.piece(ply, budget)?)));
    let plies = plies.collect::<Result<Vec<(u32, String)>, ApiError>>()?;
    let mut text = format!("{{\"summary\":{},\"plies\":[", work.sum(&plies, budget)?);
    for (ply, found) in &plies {
        text.push_str(if *ply == 0 { "" } else { "," });
        text.push_str(found);
    }
    text.push_str("]}");
    Ok(text.into_bytes())
}

/// Validates a record.
///
/// # Errors
/// Why it cannot be validated.
pub fn judge(text: &[u8], how: JudgeParameters, budget: Budget<'_>) -> Result<Judgement, ApiError> {
    let limits = engine_limits(&Limits::DEFAULT, budget);
    cpu::here(|| Ok(validate::judge(text, limits, how)?.0))
}

/// Validates one record of many, as `POST /v1/validate` does with a line of NDJSON.
///
/// # Errors
/// Why it cannot be validated.
pub fn judge_one(
    text: &[u8],
    how: JudgeParameters,
    budget: Budget<'_>,
) -> Result<Judgement, ApiError> {
    let limit = Limits::DEFAULT.max_body;
    if text.len() > limit {
        return Err(ApiError::TooLarge { what: "line", limit });
    }
    judge(text, how, budget)
}

/// How to validate records, from the parameters of `POST /v1/validate`.
///
/// # Errors
/// A parameter is unknown, given twice, or invalid.
pub fn how(query: &str) -> Result<JudgeParameters, ApiError> {
    Ok(Query::of(query)?.0)
}

/// The NDJSON line that the service returns for the record in that line, without the line end.
pub fn line(judged: &Result<Judgement, ApiError>, number: u64) -> Vec<u8> {
    match judged {
        Ok(judgement) => json::text(judgement),
        Err(error) => json::text(&ndjson::problem(error, number)),
    }
}
