//! The questions by name, for programs that embed the referee.
//!
//! Each is answered with the body that the service sends for the same request, within the default
//! limits. This module must not make an answer itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use umpire_engine::analysis::search::Spread;
use umpire_engine::budget::Budget;
use umpire_engine::record;
use umpire_engine::replay::answer::Judgement;

use crate::json;
use crate::limits::Limits;
use crate::parameters::{JudgeParameters, LanguageParameters, RulesParameters};
use crate::problem::Problem;
use crate::query::{NoParameters, parameters};
use crate::questions::adjudicate::NoSheet;
use crate::questions::rules::{GameList, RuleList};
use crate::questions::{
    Asked, NoShelf, adjudicate, analysis, compare, explain, hint, legal, notes, odds, remedy,
    repair, replays, rules, scene, simulation, validate, why,
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
    /// `POST /v1/simulations`.
    Simulate,
    /// The result of a job of `POST /v1/analyses`: an object with its `summary` and its `plies`.
    Analyze,
    /// `GET /v1/games`; the text is empty.
    Games,
    /// `GET /v1/games/{game}/rules`; the text is the id of the game.
    Rules,
    /// `GET /v1/games/{game}/rules/{id}`; the text is `GAME/ID`.
    Rule,
    /// The record that notes stand for: what `umpire record --from` prints.
    RecordOfNotes,
    /// The notes of a record: what `umpire record --to-notes` prints.
    NotesOfRecord,
    /// The canonical text of a record, whose BLAKE3 hash is its id.
    Canonical,
}

impl Call {
    /// Every call, by its name.
    pub const ALL: [(&'static str, Call); 22] = [
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
        ("simulate", Call::Simulate),
        ("analyze", Call::Analyze),
        ("games", Call::Games),
        ("rules", Call::Rules),
        ("rule", Call::Rule),
        ("record_of_notes", Call::RecordOfNotes),
        ("notes_of_record", Call::NotesOfRecord),
        ("canonical", Call::Canonical),
    ];

    /// The call with that name.
    pub fn named(name: &str) -> Option<Call> {
        Call::ALL.iter().find(|(known, _)| *known == name).map(|(_, call)| *call)
    }

    /// Whether it answers in milliseconds, if its record has no unknowns.
    pub fn is_quick(self) -> bool {
        use Call::*;
        matches!(
            self,
            Validate
                | Replay
                | View
                | LegalActions
                | Scene
                | BoardSvg
                | Games
                | Rules
                | Rule
                | RecordOfNotes
                | NotesOfRecord
                | Canonical
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
        Call::Simulate => {
            none()?;
            simulation::simulate(&body(), budget, spread)
        }
        Call::Games => none().map(|()| json::text(&GameList::all())),
        Call::Rules => {
            let RulesParameters { lang, text: words } = parameters(query)?;
            let voice = lang.of(rules::game(record::utf8(text)?)?);
            Ok(json::text(&match words {
                Some(words) => RuleList::about(&voice, &words),
                None => RuleList::of(&voice),
            }))
        }
        Call::Rule => {
            let (game, id) = record::utf8(text)?.split_once('/').unwrap_or_default();
            let voice = lang()?.of(rules::game(game)?);
            Ok(json::text(&rules::rule(&voice, id)?))
        }
        Call::RecordOfNotes => none().and_then(|()| notes::record_of(text)),
        Call::NotesOfRecord => none().and_then(|()| notes::notes_of(text)),
        Call::Canonical => none().and_then(|()| {
            Ok(reading::with_record(text, |it| Ok::<_, Problem>(it.canonical()?.1))?.into_bytes())
        }),
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
pub fn guarded<T, E: From<Problem>>(work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // A question owns what it works on, so a panic leaves nothing inconsistent behind.
    let failed = |_| Err(Problem::internal("the work panicked").into());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(failed)
}
