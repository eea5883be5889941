//! What one player could have written down of a game: the record as that player saw it, with everything else unknown.
//!
//! Must not put anything into it that the player was not told.

use serde_json::{Map, Value, json};

use super::hole::UNKNOWN;
use crate::chance::EntryOf;
use crate::game::{FullGame, Keep, Observer, Table, TableSetup};
use crate::record::{Fault, RawRecord};
use crate::replay::answer::raw;
use crate::replay::{End, Limits, load, run};

/// How often the player notes what is seen: after so many actions.
const EVERY: u32 = 10;

/// The sheet of a viewer: actions that the rules show are as they were, what the viewer drew is known, all else that fell and
/// was not told is unknown; every ten actions the view is noted.
///
/// # Errors
/// Why the text is no record of the game.
pub(crate) fn sheet<G: FullGame>(
    record: &RawRecord<'_>,
    viewer: Observer,
    limits: Limits<'_>,
) -> Result<Box<serde_json::value::RawValue>, Fault> {
    let loaded = load::<G>(record, limits)?;
    let actions = loaded.actions.clone();
    let mut noted: Vec<Value> = Vec::new();
    let name = crate::replay::answer::name_of(viewer, &G::META);
    let mut shown: Vec<Value> = Vec::new();
    let played = run(loaded, Keep::Log, &mut |table: &Table<G>| {
        let ply = table.ply();
        if ply > 0 && ply.is_multiple_of(EVERY) {
            let view = serde_json::to_value(table.view(viewer)).unwrap_or_default();
            noted.push(json!({"ply": ply, "viewer": name, "facts": view}));
        }
    })?;
    let plies = played.table.ply() as usize;
    for action in &actions[..plies.min(actions.len())] {
        shown.push(serde_json::to_value(action).unwrap_or_default());
    }
    let own = |side: &str| G::META.seat(side).is_some_and(|seat| viewer.sees(seat));
    let log = played.table.log();
    let tape = log.into_iter().flat_map(|log| &log.tape).map(|drawn| match &drawn.entry {
        EntryOf::Draw(draw) if !own(&draw.side) => {
            json!({"kind": "draw", "side": draw.side, "card": UNKNOWN})
        }
        EntryOf::Shuffle(order) => {
            let order_of: Vec<Value> = order.order.iter().map(|_| UNKNOWN.into()).collect();
            json!({"kind": "shuffle", "side": order.side, "order": order_of})
        }
        entry => serde_json::to_value(entry).unwrap_or_default(),
    });
    let mut sheet = Map::new();
    sheet.insert("format".to_owned(), crate::record::FORMAT.into());
    sheet.insert("game".to_owned(), G::META.id.into());
    let setup = played.table.setup();
    sheet.insert("ruleset".to_owned(), G::Setup::ruleset(setup).into());
    let options = G::Setup::options(setup);
    sheet.insert("options".to_owned(), serde_json::to_value(&options).unwrap_or_default());
    if let Some(players) = &record.players {
        sheet.insert("players".to_owned(), json!(players));
    }
    sheet.insert("chance".to_owned(), json!({"tape": tape.collect::<Vec<Value>>()}));
    sheet.insert("actions".to_owned(), Value::Array(shown));
    sheet.insert("checkpoints".to_owned(), Value::Array(noted));
    if let (End::Played, Some(outcome)) = (&played.end, played.table.outcome()) {
        let winner = outcome.winner.map(|seat| G::META.seat_name(seat));
        let claims = json!({"outcome": {"winner": winner, "reason": outcome.reason}});
        sheet.insert("claims".to_owned(), claims);
    }
    Ok(raw(&sheet))
}
