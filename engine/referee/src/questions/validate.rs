//! The verdict on a record.

use umpire_engine::games;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::Judgement;

use crate::language::Voice;
use crate::parameters::JudgeParameters;
use crate::problem::Problem;
use crate::{json, reading};

/// The verdict on a record, in a language, and the voice of its texts.
///
/// # Errors
/// Why it cannot be validated.
pub fn judge(
    text: &[u8],
    limits: Limits<'_>,
    JudgeParameters { lang, unknown_fields }: JudgeParameters,
) -> Result<(Judgement, Option<Voice>), Problem> {
    let mut judgement = reading::judge_fields(text, unknown_fields, limits)?;
    let voice = games::find(judgement.game).map(|game| lang.of(game));
    if let Some(voice) = &voice {
        voice.verdict(&mut judgement.verdict);
        voice.warnings(&mut judgement.warnings);
    }
    Ok((judgement, voice))
}

/// The line of NDJSON about the record in that line, without the line end: its verdict, or why
/// there is none.
pub fn line(judged: &Result<Judgement, Problem>, number: u64) -> Vec<u8> {
    match judged {
        Ok(judgement) => json::text(judgement),
        Err(problem) => json::text(&problem.clone().in_line(number)),
    }
}
