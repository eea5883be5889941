//! Whether a record is legal, as a viewer may know it: the violation, the claims, the warnings.
//!
//! Must not tell a viewer what this viewer may not know.

use serde_json::value::RawValue;

use super::answer::{
    ClaimCheck, ENGINE, Judgement, Status, Verdict, Violation, Warning, ending, raw,
};
use super::evidence::hidden_left_out;
use super::nearest::nearest;
use super::tape_fault::{TapeFault, unused};
use super::{End, Limits, Loaded, Played, load, run};
use crate::chance::Halt;
use crate::chance::fair::Transcript;
use crate::digest::{Fingerprint, fingerprint};
use crate::game::{
    Game, Keep, Observer, Oddity, Outcome, Paper, PlayerAction, Seat, Table, TableSetup,
};
use crate::record::{self, Claims, Fault, RawRecord};
use crate::rules::{Refusal, Rule};
use crate::wire::escaped;

/// A tape fault at the table's ply, as a viewer may know it.
pub(crate) fn tape_violation<G: Game>(
    table: &Table<G>,
    halt: &Halt,
    rule: Option<G::Rule>,
    viewer: Observer,
) -> Violation {
    TapeFault::of::<G>(halt, rule).violation(table, viewer)
}

/// Entries left on the tape of a finished game, as a viewer may know it.
pub(crate) fn left_over<G: Game>(
    table: &Table<G>,
    entry: usize,
    left: usize,
    viewer: Observer,
) -> Violation {
    TapeFault::left_over::<G>(entry, left).violation(table, viewer)
}

/// The text of one element of `actions`, and the seat it says it comes from.
pub(crate) fn action_text<'a>(record: &RawRecord<'a>, at: usize) -> Option<&'a RawValue> {
    let all: Vec<&'a RawValue> = serde_json::from_str(record.actions.get()).ok()?;
    all.get(at).copied()
}

pub(crate) fn violation<G: Game>(
    record: &RawRecord<'_>,
    played: &Played<'_, G>,
    viewer: Observer,
) -> Option<Violation> {
    match &played.end {
        End::Played => None,
        End::Chance { halt, rule } => Some(tape_violation(&played.table, halt, *rule, viewer)),
        End::Refused(refusal) => {
            let sent = action_text(record, played.table.ply() as usize).map(RawValue::get);
            let sent = sent.unwrap_or("null");
            Some(refusal_violation(&played.table, refusal, sent, player_of::<G>(sent), viewer))
        }
    }
}

/// The clause by which a player is not told why his own action is refused: it was a guess
/// ([`PlayerAction::cite_guess`]). What everybody can see is told all the same.
fn guess<G: Game>(
    table: &Table<G>,
    refusal: &Refusal<G::Rule>,
    sent: &str,
    viewer: Observer,
) -> Option<G::Rule> {
    if viewer == Observer::Referee || refusal.public {
        return None;
    }
    let action: G::Action = record::action(sent).ok()?;
    G::Action::cite_guess(&action, table.setup(), table.state(), viewer)
}

/// The refusal of the action sent at the table's ply, as a viewer may know it. `seat` is the one that sent it: in a
/// record the one that the action names, if it does.
pub(crate) fn refusal_violation<G: Game>(
    table: &Table<G>,
    refusal: &Refusal<G::Rule>,
    sent: &str,
    seat: Option<Seat>,
    viewer: Observer,
) -> Violation {
    let ply = table.ply();
    let section = |rule: G::Rule| rule.entry().section(G::Setup::edition(table.setup()));
    let player = seat.map(|seat| G::META.seat_name(seat).to_owned());
    let own = match viewer {
        Observer::Referee => true,
        Observer::Spectator => false,
        Observer::Seat(viewer) => seat == Some(viewer),
    };
    if own && let Some(rule) = guess::<G>(table, refusal, sent, viewer) {
        return Violation {
            ply,
            pointer: format!("/actions/{ply}"),
            player,
            code: "undecidable".to_owned(),
            rule: rule.id().to_owned(),
            section: section(rule),
            rules: vec![rule.id().to_owned()],
            message: "cannot be decided from what this player may know".to_owned(),
            facts: Vec::new(),
            nearest: nearest(table, seat, sent, viewer),
        };
    }
    if own {
        let nearest = nearest(table, seat, sent, viewer);
        return Violation {
            ply,
            pointer: format!("/actions/{ply}{}", refusal.pointer),
            player,
            code: refusal.code.to_owned(),
            rule: refusal.rule.id().to_owned(),
            section: section(refusal.rule),
            rules: refusal.rules().into_iter().map(str::to_owned).collect(),
            message: refusal.message.clone(),
            facts: refusal.facts.clone(),
            nearest,
        };
    }
    // Others learn the fault if everybody could see it, and otherwise only that there is one.
    let (code, rule, message) = match refusal.public {
        true => (refusal.code, refusal.rule, refusal.message.as_str()),
        false => (
            "refused",
            G::CLAUSES.rejection,
            "the action is refused; why is told only to the player who sent it",
        ),
    };
    Violation {
        ply,
        pointer: format!("/actions/{ply}"),
        player,
        code: code.to_owned(),
        rule: rule.id().to_owned(),
        section: section(rule),
        rules: vec![rule.id().to_owned()],
        message: message.to_owned(),
        facts: Vec::new(),
        nearest: Vec::new(),
    }
}

/// The seat that a sent action names, even if nothing else of it can be read.
pub(crate) fn player_of<G: Game>(sent: &str) -> Option<Seat> {
    #[derive(serde::Deserialize)]
    struct Sender<'a> {
        #[serde(borrow)]
        player: std::borrow::Cow<'a, str>,
    }
    let sender: Sender<'_> = serde_json::from_str(sent).ok()?;
    G::META.seat(&sender.player)
}

/// The claims of a record about how it ends, each checked.
pub(crate) fn check_claims<G: Game>(
    claims: &Claims,
    status: Status,
    table: &Table<G>,
    fingerprint: Option<Fingerprint>,
) -> Vec<ClaimCheck> {
    let mut checks = Vec::new();
    let mut check = |claim: &str, claimed: Option<String>, actual: Option<String>| {
        let holds = claimed == actual;
        let claim = format!("/claims/{claim}");
        checks.push(ClaimCheck { claim, ply: None, claimed, actual, holds });
    };
    let outcome = table.outcome().map(ending::<G>);
    if let Some(claimed) = &claims.outcome {
        if let Some(winner) = &claimed.winner {
            let actual = outcome.as_ref().and_then(|it| it.winner).map(str::to_owned);
            check("outcome/winner", winner.clone(), actual);
        }
        if let Some(reason) = &claimed.reason {
            let actual = outcome.as_ref().map(|it| it.reason.to_owned());
            check("outcome/reason", Some(reason.clone()), actual);
        }
    }
    if let (Some(claimed), Some(fingerprint)) = (&claims.fingerprint, fingerprint) {
        check("fingerprint", Some(claimed.clone()), Some(fingerprint.to_string()));
    }
    if let Some(claimed) = &claims.status {
        check("status", Some(claimed.clone()), Some(status.name().to_owned()));
    }
    if let Some(claimed) = claims.plies {
        check("plies", Some(claimed.to_string()), Some(table.ply().to_string()));
    }
    checks
}

/// The names of the seats in use, in seat order.
pub(crate) fn seats_in_use<G: Game>(setup: &G::Setup) -> Vec<&'static str> {
    G::Setup::players(setup).iter().map(|seat| G::META.seat_name(seat)).collect()
}

/// Whether the seed of a record is the one that was drawn together, by the transcript of the draw.
fn check_fair<G: Game>(fair: &Transcript, record: &RawRecord<'_>, setup: &G::Setup) -> ClaimCheck {
    let claimed = record.chance.seed.as_deref().map(str::to_owned);
    let faults = fair.faults(&seats_in_use::<G>(setup));
    let actual = Some(faults.into_iter().next().unwrap_or_else(|| fair.seed()));
    let holds = claimed == actual;
    ClaimCheck { claim: "/chance/fair".to_owned(), ply: None, claimed, actual, holds }
}

/// Verdict and warnings as a viewer may know them.
pub(crate) fn verdict<G: Game>(
    record: &RawRecord<'_>,
    played: &Played<'_, G>,
    fingerprint: Option<Fingerprint>,
    viewer: Observer,
) -> (Verdict, Vec<Warning>) {
    let referee = viewer == Observer::Referee;
    let outcome = played.table.outcome();
    let mut warnings: Vec<Warning> = G::Setup::oddities(played.table.setup())
        .into_iter()
        .map(|Oddity { code, pointer, message }| Warning {
            code,
            pointer: format!("/options{pointer}"),
            message,
        })
        .collect();
    // What nobody knows may tell of anything: only the referee learns that it is there.
    warnings.extend(record.unknown.iter().filter(|_| referee).map(|name| Warning {
        code: "unknown_field",
        pointer: format!("/{}", escaped(name)),
        message:
            "nobody knows this field of a record; it is kept, and nothing is made of it".to_owned(),
    }));
    let mut violation = violation(record, played, viewer);
    let mut status = match (&played.end, outcome) {
        (End::Refused(_), _) => Status::Illegal,
        (End::Chance { .. }, _) => Status::BadChance,
        (End::Played, Some(_)) => Status::Complete,
        (End::Played, None) => Status::InProgress,
    };
    // What lies on the tape of a game that is looked at in part is for the rest of it.
    let tape = played.source.tape().filter(|_| !played.cut);
    let rest = tape.and_then(|tape| Some((tape.rest()?, tape.left())));
    if let (End::Played, Some((entry, left))) = (&played.end, rest) {
        if outcome.is_some() {
            status = Status::BadChance;
            violation = Some(left_over(&played.table, entry, left, viewer));
        } else if referee {
            let pointer = format!("/chance/tape/{entry}");
            warnings.push(Warning { code: "tape_leftover", pointer, message: unused(left) });
        }
    }
    if let (true, Some(entry)) = (referee, played.source.parted()) {
        warnings.push(Warning {
            code: "seed_differs",
            pointer: format!("/chance/tape/{entry}"),
            message: "the seed would have drawn otherwise here; the tape rules".to_owned(),
        });
    }
    // Claims are about the end of the record.
    let mut claims = match &record.claims {
        Some(claims) if !played.cut => {
            check_claims(claims, status, &played.table, fingerprint.filter(|_| referee))
        }
        _ => Vec::new(),
    };
    if referee {
        let fair = record.chance.fair.as_ref();
        claims.extend(fair.map(|fair| check_fair::<G>(fair, record, played.table.setup())));
        claims.extend(played.checks.iter().cloned());
    }
    let verdict = Verdict {
        status,
        plies: played.table.ply(),
        violation,
        outcome: outcome.map(ending::<G>),
        standing: match outcome {
            Some(Outcome { winner: Some(_), .. }) => Vec::new(),
            _ => G::standing(played.table.setup(), played.table.state()),
        },
        claims,
        witness: None,
        proof: None,
        tried: None,
    };
    (verdict, warnings)
}

/// The verdict on a record.
///
/// # Errors
/// The record cannot be replayed at all.
pub fn judge<G: Game>(record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Judgement, Fault> {
    judge_loaded(record, load::<G>(record, limits)?)
}

/// The verdict on a record of a game played at a table: it warns of what was left out of a position and nobody saw.
pub(crate) fn judge_on_paper<G: Paper>(
    record: &RawRecord<'_>,
    limits: Limits<'_>,
) -> Result<Judgement, Fault> {
    let loaded = load::<G>(record, limits)?;
    let defaulted = match (record.position, &loaded.position) {
        (Some(given), Some(state)) => {
            let given = serde_json::from_str(given.get()).unwrap_or_default();
            hidden_left_out::<G>(&loaded.setup, state, &given)
        }
        _ => Vec::new(),
    };
    let mut judgement = judge_loaded(record, loaded)?;
    judgement.warnings.extend(defaulted);
    Ok(judgement)
}

fn judge_loaded<G: Game>(
    record: &RawRecord<'_>,
    loaded: Loaded<'_, G>,
) -> Result<Judgement, Fault> {
    let played = run(loaded, Keep::Nothing, &mut |_| {})?;
    let fingerprint = fingerprint(&played.table.view(Observer::Referee));
    let (verdict, warnings) = verdict(record, &played, Some(fingerprint), Observer::Referee);
    Ok(Judgement {
        engine: ENGINE,
        game: G::META.id,
        ruleset: played.table.ruleset(),
        options: raw(&G::Setup::options(played.table.setup())),
        verdict,
        fingerprint,
        warnings,
    })
}
