//! What can be done about a record that is not legal: three remedies, each with what it makes of the game.
//!
//! Back up to before the fault; leave what was played and go on from there; or mend the record by the
//! smallest edit that helps. Which of them is right is for people to say. This module must not know any
//! game, must not choose, and must not tell of an effect that a replay did not show.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::patch::{Edit, apply};
use super::repair::search::{rebuilt, repair};
use super::repair::{NextFault, Repair, RepairBounds, keeping_notes};
use crate::game::{FullGame, Keep, Observer};
use crate::people::{Sentences, sentences};
use crate::record::{Fault, FaultCode, RawRecord};
use crate::replay::answer::{ENGINE, Ending, PendingDecision, Status, Violation, pending, raw};
use crate::replay::verdict::verdict;
use crate::replay::{Limits, load, run};
#[cfg(feature = "schema")]
use crate::schema::{GameId, RecordOfGame};

/// Which remedy it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RemedyKind {
    /// The game goes back to before the fault; what was played from there on is void.
    BackUp,
    /// What was played stands, and the game goes on from there.
    PlayOn,
    /// The record is mended by the smallest edit that helps.
    Mend,
}

/// What a remedy makes of the game, as a replay shows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::RemedyEffect))]
pub struct Effect {
    /// How the record then stands.
    pub status: Status,
    /// Number of its actions that are accepted.
    pub plies: u32,
    /// Number of its actions.
    pub of: u32,
    /// How the game then ends, if it is over.
    pub outcome: Option<Ending>,
    /// What is then to be decided, and by whom.
    pub decision: PendingDecision,
    /// The fault that is left, if one is.
    pub violation: Option<NextFault>,
}

/// One remedy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Remedy))]
pub struct Remedy {
    /// Which one.
    pub kind: RemedyKind,
    /// What is done, in plain words; or why it is not possible.
    pub words: String,
    /// The edits of the record, a JSON Patch; empty where the remedy is not possible or is a `record`.
    pub edits: Vec<Edit>,
    /// The record from which the game goes on, where it begins at a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = RecordOfGame, required = false))]
    pub record: Option<Box<RawValue>>,
    /// What comes of it; `null` where it is not possible.
    pub effect: Option<Effect>,
}

/// The remedies of a record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Remedies))]
pub struct Remedies {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// How the record stands as it is.
    pub status: Status,
    /// Number of its actions that are accepted.
    pub plies: u32,
    /// Its first fault; without one nothing is to be remedied.
    pub violation: Option<Violation>,
    /// The three remedies, or none for a legal record.
    pub remedies: Vec<Remedy>,
}

sentences! {
    Effect: violation;
    Remedies: violation, remedies;
    Remedy: words, effect;
}

/// What a replay of an edited record gives; nothing if it cannot be replayed.
///
/// # Errors
/// [`FaultCode::Stopped`] where the budget ends before the replay.
fn effect<G: FullGame>(record: &Value, limits: Limits<'_>) -> Result<Option<Effect>, Fault> {
    let text = record.to_string();
    let of = record.get("actions").and_then(Value::as_array).map_or(0, Vec::len) as u32;
    let replayed = RawRecord::read(text.as_bytes()).and_then(|record| {
        let played = run(load::<G>(&record, limits)?, Keep::Nothing, &mut |_| {})?;
        let decision = pending(&played.table);
        Ok((verdict(&record, &played, None, Observer::Referee).0, decision))
    });
    let (verdict, decision) = match replayed {
        Ok(replayed) => replayed,
        Err(fault) if fault.code == FaultCode::Stopped => return Err(fault),
        Err(_) => return Ok(None),
    };
    Ok(Some(Effect {
        status: verdict.status,
        plies: verdict.plies,
        of,
        outcome: verdict.outcome,
        decision,
        violation: verdict.violation.map(NextFault::of),
    }))
}

fn not_possible(kind: RemedyKind, words: impl Into<String>) -> Remedy {
    Remedy { kind, words: words.into(), edits: Vec::new(), record: None, effect: None }
}

/// The record cut off before its fault.
fn back_up<G: FullGame>(record: &Value, ply: usize, limits: Limits<'_>) -> Result<Remedy, Fault> {
    let kind = RemedyKind::BackUp;
    let of = record.get("actions").and_then(Value::as_array).map_or(0, Vec::len);
    // The last one goes first, so that each place is still that of the record as it stands.
    let edits: Vec<Edit> =
        (ply..of).rev().map(|at| Edit::remove(format!("/actions/{at}"))).collect();
    if edits.is_empty() {
        return Ok(not_possible(
            kind,
            "no action is to be taken back: the fault is behind the last",
        ));
    }
    let words = match edits.len() {
        1 => format!("take back the action at ply {ply}, and go on from before it"),
        count => format!(
            "go back to before the action at ply {ply}: it and the {} after it are void",
            count - 1
        ),
    };
    let effect = match apply(record, &edits) {
        Some(edited) => effect::<G>(&edited, limits)?,
        None => None,
    };
    Ok(Remedy { kind, words, edits, record: None, effect })
}

/// The game goes on from the position that the record itself states after the fault.
fn from_checkpoint<G: FullGame>(
    record: &Value,
    ply: usize,
    entry: Option<usize>,
    limits: Limits<'_>,
) -> Result<Option<Remedy>, Fault> {
    let list = record.get("checkpoints").and_then(Value::as_array);
    let mut stated: Vec<(u64, &Value)> = list
        .into_iter()
        .flatten()
        .filter(|one| matches!(one.get("viewer").and_then(Value::as_str), None | Some("referee")))
        .filter_map(|one| Some((one.get("ply")?.as_u64()?, one.get("facts")?)))
        .filter(|(at, _)| *at > ply as u64)
        .collect();
    stated.sort_by_key(|(at, _)| *at);
    let tape = record.pointer("/chance/tape").and_then(Value::as_array);
    let (Some(tape), Some(entry)) = (tape, entry) else { return Ok(None) };
    let actions = record.get("actions").and_then(Value::as_array);
    for (at, facts) in stated {
        let Some(rest) = actions.and_then(|all| all.get(at as usize..)) else { continue };
        let mut best: Option<(Effect, Value)> = None;
        // How much of the tape fell in between nobody recorded: what fits the rest best is taken.
        for from in entry..=tape.len().min(entry + MOST_ENTRIES) {
            let mut on = record.clone();
            on["position"] = facts.clone();
            on["actions"] = rest.into();
            on["chance"] = serde_json::json!({"tape": tape.get(from..).unwrap_or_default()});
            if let Some(fields) = on.as_object_mut() {
                fields.remove("checkpoints");
                fields.remove("claims");
            }
            let Some(found) = effect::<G>(&on, limits)? else { break };
            let better = best.as_ref().is_none_or(|(had, _)| {
                (found.violation.is_none(), found.plies) > (had.violation.is_none(), had.plies)
            });
            if better {
                best = Some((found, on));
            }
        }
        if let Some((effect, on)) = best {
            return Ok(Some(Remedy {
                kind: RemedyKind::PlayOn,
                words: format!(
                    "leave it as it was played, and go on from the position that the record states after \
                     {at} actions"
                ),
                edits: Vec::new(),
                record: Some(raw(&on)),
                effect: Some(effect),
            }));
        }
    }
    Ok(None)
}

/// The most entries of a tape that may have fallen between a fault and the position stated after it.
const MOST_ENTRIES: usize = 64;

/// What was played stands: at the position that the record states, or as the legal action most like it.
fn play_on<G: FullGame>(
    record: &Value,
    violation: &Violation,
    entry: Option<usize>,
    limits: Limits<'_>,
) -> Result<Remedy, Fault> {
    let kind = RemedyKind::PlayOn;
    let ply = violation.ply as usize;
    if violation.player.is_none() {
        return Ok(not_possible(
            kind,
            "not possible: what fell there is not known, and nothing says what would have come of it",
        ));
    }
    if let Some(remedy) = from_checkpoint::<G>(record, ply, entry, limits)? {
        return Ok(remedy);
    }
    let mut best: Option<(Effect, Edit, &RawValue)> = None;
    for nearest in &violation.nearest {
        let value = serde_json::from_str(nearest.get()).unwrap_or_default();
        let edit = Edit::replace(format!("/actions/{ply}"), value);
        let Some(edit) = keeping_notes(record, vec![edit]).pop() else { continue };
        let Some(edited) = apply(record, std::slice::from_ref(&edit)) else { continue };
        let Some(found) = effect::<G>(&edited, limits)? else { continue };
        let better = best.as_ref().is_none_or(|(had, ..)| {
            (found.violation.is_none(), found.plies) > (had.violation.is_none(), had.plies)
        });
        if found.plies as usize > ply && better {
            best = Some((found, edit, nearest));
        }
    }
    let Some((effect, edit, nearest)) = best else {
        return Ok(not_possible(
            kind,
            "not possible: the rules do not say what an illegal action does, none that is like it is legal, \
             and the record states no position after it; put one into `checkpoints`",
        ));
    };
    Ok(Remedy {
        kind,
        words: format!(
            "leave it, as if it had been {} that was played: the rules do not say what an illegal action does, \
             and of the legal ones most like it this one fits best",
            nearest.get()
        ),
        edits: vec![edit],
        record: None,
        effect: Some(effect),
    })
}

/// The smallest edit that helps.
fn mend<G: FullGame>(
    record: &RawRecord<'_>,
    base: &Value,
    limits: Limits<'_>,
) -> Result<Remedy, Fault> {
    let kind = RemedyKind::Mend;
    let found = repair::<G>(record, RepairBounds::default(), limits)?;
    let Some(Repair { edits, words, .. }) = found.repairs.into_iter().next() else {
        return Ok(not_possible(kind, "no small edit was found that gets further"));
    };
    let effect = match apply(base, &edits) {
        Some(edited) => effect::<G>(&edited, limits)?,
        None => None,
    };
    Ok(Remedy { kind, words, edits, record: None, effect })
}

/// Finds the remedies of a record: what [`AnyGame::remedy`](crate::any_game::AnyGame::remedy) does.
pub(crate) fn remedy<G: FullGame>(
    record: &RawRecord<'_>,
    limits: Limits<'_>,
) -> Result<Remedies, Fault> {
    let played = run(load::<G>(record, limits)?, Keep::Nothing, &mut |_| {})?;
    // The place on the tape where the action stopped.
    let entry = played.source.tape().map(|tape| tape.place().0);
    let (verdict, _) = verdict(record, &played, None, Observer::Referee);
    let mut remedies = Vec::new();
    if let Some(violation) = &verdict.violation {
        let base = rebuilt(record);
        remedies.push(back_up::<G>(&base, violation.ply as usize, limits)?);
        remedies.push(play_on::<G>(&base, violation, entry, limits)?);
        remedies.push(mend::<G>(record, &base, limits)?);
    }
    Ok(Remedies {
        engine: ENGINE,
        game: G::META.id,
        ruleset: played.table.ruleset(),
        status: verdict.status,
        plies: verdict.plies,
        violation: verdict.violation,
        remedies,
    })
}
