//! Records from the table: with unknowns, with entries missing, with what goes without saying left out; still judged.
//!
//! Such a record is *legal whatever it was* (as any other record: complete, or in progress), *possible* with a witness that
//! replays, *impossible* with a proof, or *undecided* within the bounds. Nothing is called possible that a plain replay of
//! its witness does not show, and nothing impossible that was not followed in every way, or refuted wherever unseen cards
//! may lie. This module must not know any game, and must not change how whole records are judged.

mod case;
mod counts;
mod exchange;
mod guess;
mod hole;
mod position;
mod scripts;
mod search;
mod sheet;
mod wants;
mod witness;
mod world;
mod written;

pub use hole::{ONE_OF, UNKNOWN};
pub(crate) use position::shows_part;
pub(crate) use sheet::sheet;
pub(crate) use witness::led_on;
pub use written::{Partial, may_be_partial};

use case::{Case, Sent};
use search::{Dead, Death, Enough, Reached, STRICT, Search, is_exhausted, nothing_fits};
use wants::Wants;
use world::World;

use crate::chance::source::Source;
use crate::digest::fingerprint;
use crate::game::{FullGame, Observer, Outcome, Table, TableSetup};
use crate::record::{Claims, Fault, FaultCode, Malformed, RawRecord, action};
use crate::replay::answer::{ENGINE, Judgement, Status, Verdict, Violation, Warning, ending, raw};
use crate::replay::completion::{Attempts, Bounds, Proof, ProofKind};
use crate::replay::evidence::Evidence;
use crate::replay::verdict::{check_claims, player_of, refusal_violation, tape_violation};
use crate::replay::{End, Limits, load};
use crate::rules::Rule;

/// How many worlds each attempt keeps; the last keeps as many as the bounds allow.
const WIDTHS: [usize; 3] = [48, 384, usize::MAX];

/// The memory for worlds, in bytes.
const WORLDS_MEMORY: usize = 64 << 20;

/// So many worlds are followed however large they are.
const LEAST_WORLDS: usize = 16;

/// What no way accepts, and how that is known.
struct Impossible {
    violation: Violation,
    proof: Proof,
}

/// What is to be known of a record before it is followed.
struct Prepared<'a, G: FullGame> {
    case: Case<'a, G>,
    begin: Vec<World<G>>,
    /// Whether these beginnings are all there are.
    all: bool,
    warnings: Vec<Warning>,
}

/// The verdict on a record with unknowns.
pub(crate) fn judge<G: FullGame>(
    partial: &Partial,
    bounds: Bounds,
    limits: Limits<'_>,
) -> Result<Judgement, Fault> {
    let record = RawRecord::read(partial.base.as_bytes())?;
    // Of what is unknown nobody could guess a fingerprint, how many actions there were counts those that were left out,
    // and what is unknown has no status.
    let claims =
        record.claims.clone().map(|claims| Claims { outcome: claims.outcome, ..Claims::default() });
    let holds = |table: &Table<G>| broken_claim(claims.as_ref(), table);
    let Prepared { case, begin, all, mut warnings } =
        prepare::<G>(partial, &record, &holds, limits)?;
    // Where it begins is not known in every way, there may be more cards than are counted.
    if let Some(too_many) = all.then(|| counts::too_many(&case, &begin)).flatten() {
        return used_up::<G>(partial, &too_many, bounds, limits);
    }
    let mut work = 0;
    let mut last: Option<Attempt<G>> = None;
    for (round, width) in WIDTHS.into_iter().enumerate() {
        let most = bounds.work / [16, 4, 1][round.min(2)];
        let width = width.min(bounds.worlds.max(1)).min(case.most_worlds);
        let attempt = attempt(&case, &begin, all, (width, round as u32), &mut work, most, limits);
        limits.budget.spend(0)?;
        let settled = attempt.as_ref().is_some_and(|it| is_settled(it));
        last = attempt.or(last);
        if settled || work >= bounds.work {
            break;
        }
    }
    let open = last.as_ref().is_none_or(|it| it.reached.worlds.is_empty() && !is_settled(it));
    if open && !case.omissions.is_empty() {
        // No way to go on was found. What was left out where the record could go on without it may be left aside.
        let most = work + bounds.work / 16;
        let width = case.most_worlds;
        let attempt = attempt(&case, &begin, all, (width, STRICT), &mut work, most, limits);
        limits.budget.spend(0)?;
        last = attempt.filter(|it| it.steady).or(last);
    }
    let verdict = verdict(&case, &record, last, work);
    let (verdict, print) = verdict;
    if let Some(at) = verdict.witness.as_ref().filter(|_| partial.position.is_some()) {
        warnings.extend(position::defaulted::<G>(&case.setup, partial, at));
    }
    Ok(Judgement {
        engine: ENGINE,
        game: G::META.id,
        ruleset: G::Setup::ruleset(&case.setup),
        options: raw(&G::Setup::options(&case.setup)),
        verdict,
        fingerprint: print,
        warnings,
    })
}

/// The verdict on a record of which an action uses up a card that is used up: that of what stands before it, if that
/// cannot be either.
fn used_up<G: FullGame>(
    partial: &Partial,
    too_many: &counts::TooMany,
    bounds: Bounds,
    limits: Limits<'_>,
) -> Result<Judgement, Fault> {
    let at = too_many.at;
    let mut judged = judge::<G>(&partial.clone().before(at), bounds, limits)?;
    let verdict = &mut judged.verdict;
    if verdict.proof.is_some() {
        return Ok(judged);
    }
    let witness = verdict.witness.take().filter(|_| verdict.plies as usize == at);
    let led =
        witness.map(|it| witness::led_on::<G>(*it, partial, at, limits.budget)).transpose()?;
    let refused = led.and_then(|led| witness::refused::<G>(&led, partial, at, limits.budget));
    let mut words = vec![too_many.words.clone()];
    words.extend(refused.as_ref().map(|refused| refused.message.clone()));
    let seat = partial.action(at).and_then(|it| player_of::<G>(&it.to_string()));
    let refused = refused.unwrap_or_else(|| Violation {
        ply: at as u32,
        pointer: format!("/actions/{at}"),
        player: seat.map(|seat| G::META.seat_name(seat).to_owned()),
        code: "used_up".to_owned(),
        rule: G::CLAUSES.protocol.id().to_owned(),
        section: None,
        rules: vec![G::CLAUSES.protocol.id().to_owned()],
        message: too_many.words.clone(),
        facts: Vec::new(),
        nearest: Vec::new(),
    });
    verdict.status = Status::Impossible;
    verdict.plies = at as u32;
    verdict.outcome = None;
    verdict.standing = Vec::new();
    verdict.claims = Vec::new();
    verdict.violation = Some(refused);
    verdict.proof = Some(Box::new(Proof { kind: ProofKind::Counted, at: at as u32, words }));
    Ok(judged)
}

/// Reads a record with the types of its game.
fn prepare<'a, G: FullGame>(
    partial: &'a Partial,
    record: &RawRecord<'_>,
    claims: &'a dyn Fn(&Table<G>) -> Option<String>,
    limits: Limits<'_>,
) -> Result<Prepared<'a, G>, Fault> {
    let loaded = load::<G>(record, limits)?;
    let omissions = partial.omitted.iter().enumerate().map(|(at, name)| {
        G::omissions().iter().position(|known| known.name == name).ok_or_else(|| {
            let known: Vec<&str> = G::omissions().iter().map(|known| known.name).collect();
            let detail =
                format!("{name:?} is unknown; what may be left out is {}", known.join(", "));
            Fault::new(FaultCode::BadRecord, format!("/omitted/{at}"), detail)
        })
    });
    let omissions = omissions.collect::<Result<Vec<usize>, Fault>>()?;
    if partial.actions.len() > limits.actions {
        let detail = format!(
            "more than {most} actions; this engine replays at most that many",
            most = limits.actions
        );
        return Err(Fault::new(FaultCode::TooManyActions, "/actions", detail));
    }
    let sent = partial.actions.iter().map(|value| {
        if hole::has_unknown(&without_note(value)) {
            return Sent::Open;
        }
        let text = value.to_string();
        match action::<G::Action>(&text) {
            Ok(action) => Sent::Known(action),
            Err(fault) => Sent::Malformed(Malformed::new(&text, fault)),
        }
    });
    let seeded = match &loaded.source {
        Source::Both(_) => record.chance.seed.as_deref(),
        Source::Seed(_) | Source::Tape(_) => None,
    };
    let seeded = seeded.map(|seed| crate::chance::seeded::Seeded::new(seed, G::META.streams));
    let mut evidence = Evidence::of::<G>(record)?;
    let fingerprints = evidence.forget_fingerprints()
        || record.claims.as_ref().is_some_and(|claims| claims.fingerprint.is_some());
    let case = Case {
        setup: loaded.setup,
        partial,
        sent: sent.collect(),
        omissions,
        evidence,
        wants: Wants::of(partial),
        seeded,
        most_worlds: most_worlds(partial),
        claims,
    };
    let (begin, all, mut warnings) = position::beginnings(&case, limits.budget)?;
    if fingerprints {
        let message = "fingerprints are not looked at where something is unknown".to_owned();
        warnings.push(Warning { code: "fingerprint_ignored", pointer: String::new(), message });
    }
    Ok(Prepared { case, begin, all, warnings })
}

/// How many worlds there is memory for: each takes about as many bytes as the position that it begins with.
fn most_worlds(partial: &Partial) -> usize {
    let length = partial.position.as_ref().map_or(0, |position| position.to_string().len());
    (WORLDS_MEMORY / length.max(1)).max(LEAST_WORLDS)
}

fn without_note(value: &serde_json::Value) -> serde_json::Value {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.remove(crate::wire::NOTE);
    }
    value
}

/// The first thing that a record claims of its end and is not so at a table.
fn broken_claim<G: FullGame>(claims: Option<&Claims>, table: &Table<G>) -> Option<String> {
    let status = if table.outcome().is_some() { Status::Complete } else { Status::InProgress };
    let checks = check_claims(claims?, status, table, None);
    let broken = checks.into_iter().find(|check| !check.holds)?;
    let shown = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    Some(format!("{} is {} and not {}", broken.claim, shown(broken.actual), shown(broken.claimed)))
}

/// What came of an attempt.
struct Attempt<G: FullGame> {
    reached: Reached<G>,
    exact: bool,
    seen: bool,
    whatever: bool,
    /// Refuted wherever unseen cards lie.
    refuted: bool,
    /// Refused for one reason, however much was left out before.
    steady: bool,
}

impl<G: FullGame> Attempt<G> {
    /// Whether nothing that was not followed could have gone on.
    fn is_proof(&self) -> bool {
        self.exact || self.refuted || self.steady
    }
}

fn attempt<G: FullGame>(
    case: &Case<'_, G>,
    begin: &[World<G>],
    all: bool,
    (width, round): (usize, u32),
    work: &mut u64,
    most: u64,
    limits: Limits<'_>,
) -> Option<Attempt<G>> {
    let mut search = Search::new(case, (width, round), work, most, limits.budget);
    search.exact = all;
    search.seen = all || G::CARDS_ARE_UNSEEN;
    let reached = search.run(begin.to_vec()).ok()?;
    let (exact, seen, whatever) = (search.exact, search.seen, search.whatever);
    let steady = exact && search.needed_only && reached.is_steady();
    let exact = exact && !search.needed_only;
    // `seen` holds only where all that died was refuted.
    let refuted = reached.worlds.is_empty() && !exact && seen && reached.at < case.sent.len();
    Some(Attempt { reached, exact, seen, whatever, refuted, steady })
}

/// Whether another attempt could say more.
fn is_settled<G: FullGame>(attempt: &Attempt<G>) -> bool {
    match attempt.reached.worlds.is_empty() {
        true => attempt.is_proof(),
        false => {
            let found = attempt.reached.worlds.iter().any(|world| !world.loose);
            found && (attempt.exact || !attempt.whatever)
        }
    }
}

/// The verdict by what the last attempt came to.
fn verdict<G: FullGame>(
    case: &Case<'_, G>,
    record: &RawRecord<'_>,
    attempt: Option<Attempt<G>>,
    work: u64,
) -> (Verdict, crate::digest::Fingerprint) {
    let nothing = Verdict {
        status: Status::Undecided,
        plies: 0,
        violation: None,
        outcome: None,
        standing: Vec::new(),
        claims: Vec::new(),
        witness: None,
        proof: None,
        tried: None,
    };
    let tried = |plies: usize, exhausted: bool| {
        Some(Attempts { actions: work, plies: plies as u32, exhausted })
    };
    let blank = crate::digest::Fingerprint([0; 32]);
    let Some(attempt) = attempt else {
        return (Verdict { tried: tried(0, true), ..nothing }, blank);
    };
    let mut sure = attempt.reached.worlds.iter().filter(|world| !world.loose);
    let found = sure.find_map(|world| witness::verified(case, record, world));
    if let Some((witness, print)) = found {
        let certain = attempt.exact && attempt.whatever;
        let outcomes = attempt.reached.worlds.iter().map(|world| world.table.outcome());
        let outcome = common(outcomes).filter(|_| attempt.exact || attempt.seen);
        let verdict = Verdict {
            status: if certain { witness.status } else { Status::Possible },
            plies: case.sent.len() as u32,
            outcome: outcome.map(ending::<G>),
            witness: Some(Box::new(witness)),
            tried: tried(case.sent.len(), !attempt.exact),
            ..nothing
        };
        return (verdict, print);
    }
    let plies = match attempt.reached.worlds.is_empty() {
        true => attempt.reached.at,
        false => attempt.reached.sure,
    };
    let print = attempt
        .reached
        .deaths
        .first()
        .map_or(blank, |death| fingerprint(&death.world.table.view(Observer::Referee)));
    let proven = (attempt.reached.worlds.is_empty() && attempt.is_proof())
        .then(|| impossible(case, &attempt))
        .flatten();
    let Some(Impossible { violation, proof }) = proven else {
        let verdict = Verdict { plies: plies as u32, tried: tried(plies, true), ..nothing };
        return (verdict, print);
    };
    // That nothing is left on a tape that is whole is a fault of the tape, as it always is.
    let chance = attempt.reached.deaths.iter().all(|death| is_exhausted(&death.why));
    let verdict = Verdict {
        status: if chance { Status::BadChance } else { Status::Impossible },
        plies: plies as u32,
        violation: Some(violation),
        proof: Some(Box::new(proof)),
        tried: tried(plies, !attempt.exact),
        ..nothing
    };
    (verdict, print)
}

/// The ending that all have in common.
fn common(mut outcomes: impl Iterator<Item = Option<Outcome>>) -> Option<Outcome> {
    let first = outcomes.next()??;
    outcomes.all(|outcome| outcome == Some(first)).then_some(first)
}

/// What no way accepts, and how that is known.
fn impossible<G: FullGame>(case: &Case<'_, G>, attempt: &Attempt<G>) -> Option<Impossible> {
    let Reached { at, deaths, .. } = &attempt.reached;
    let at = *at;
    // The likeliest, and of as likely ones the one in which more fell, says most.
    let order = |world: &World<G>| (world.loose, world.rank, std::cmp::Reverse(world.entry));
    let death = deaths.iter().min_by_key(|death| order(&death.world))?;
    let violation = violation(case, death, at);
    let mut words = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    for death in deaths {
        let reason = self::violation(case, death, at).message;
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    words.extend(witness::counted(case, at, &death.world));
    let ways = deaths.len();
    words.push(match ways {
        _ if attempt.steady => {
            "it is refused for this reason however often what goes without saying is put back before it"
                .to_owned()
        }
        _ if !attempt.exact => {
            "it cannot be, wherever the cards lie that nobody has shown".to_owned()
        }
        1 => "the one way in which everything else may have been ends here".to_owned(),
        _ => format!("all {ways} ways in which everything else may have been end here"),
    });
    const MOST: usize = 5;
    let more = reasons.len().saturating_sub(MOST);
    reasons.truncate(MOST);
    words.extend(reasons);
    if more > 0 {
        words.push(format!("and {more} further reasons"));
    }
    let kind =
        if attempt.exact || attempt.steady { ProofKind::Exhausted } else { ProofKind::Unseen };
    Some(Impossible { violation, proof: Proof { kind, at: at as u32, words } })
}

/// The fault at which a world ends, at its place in the record.
fn violation<G: FullGame>(case: &Case<'_, G>, death: &Death<G>, at: usize) -> Violation {
    let table = &death.world.table;
    let sent = case.partial.actions.get(at).map(ToString::to_string);
    let sent = sent.as_deref().unwrap_or("null");
    let mut violation = match &death.why {
        Dead::End(End::Refused(refusal)) => {
            refusal_violation(table, refusal, sent, player_of::<G>(sent), Observer::Referee)
        }
        Dead::End(End::Chance { halt, rule }) => {
            tape_violation(table, halt, *rule, Observer::Referee)
        }
        Dead::End(End::Played) | Dead::NothingFits => refusal_violation(
            table,
            &nothing_fits(table),
            sent,
            player_of::<G>(sent),
            Observer::Referee,
        ),
        Dead::NotSo(what) => Violation {
            ply: table.ply(),
            pointer: String::new(),
            player: None,
            code: "not_so".to_owned(),
            rule: G::CLAUSES.rejection.id().to_owned(),
            section: None,
            rules: vec![G::CLAUSES.rejection.id().to_owned()],
            message: format!("the record says otherwise: {what}"),
            facts: Vec::new(),
            nearest: Vec::new(),
        },
    };
    let actual = format!("/actions/{}", table.ply());
    if let Some(below) = violation
        .pointer
        .strip_prefix(&actual)
        .filter(|below| below.is_empty() || below.starts_with('/'))
    {
        violation.pointer = format!("/actions/{at}{below}");
    }
    if let Some(below) = violation.pointer.strip_prefix("/chance/tape/") {
        let entries = case.partial.tape.as_ref().map(|tape| &tape.entries);
        let entry = below.parse::<usize>().ok().and_then(|at| entries?.get(at));
        if let Some(entry) = entry {
            violation.pointer.clone_from(&entry.pointer);
        }
    }
    violation.ply = at as u32;
    violation
}

impl From<Enough> for Fault {
    fn from(_: Enough) -> Self {
        Fault::from(crate::budget::Spent)
    }
}
