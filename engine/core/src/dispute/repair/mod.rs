//! How an illegal record may be mended: the smallest edits under which the most of the rest
//! validates.
//!
//! Edits are searched around the first fault, then over the whole game, then two or three
//! together: an action too much, a missing one, two neighbours in the wrong order, one field, one
//! die or card. Every repair is shown to replay from scratch before it is proposed. This module
//! must not know any game, must not change a record by itself, and must not look at a clock: the
//! search is bounded by the actions it plays.

mod fields;
mod habits;
mod omitted;
pub(crate) mod search;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::patch::{Edit, Op, apply};
use crate::budget::Budget;
use crate::chance::source::Source;
use crate::chance::{Ask, Chance, Entry, EntryOf, Halt, What};
use crate::digest::fingerprint;
use crate::game::{FullGame, Game, Keep, Observer, Stop, Table};
use crate::people::{Sentences, sentences};
use crate::record::{self, Claims};
use crate::replay::answer::{ClaimCheck, Status, Violation};
use crate::replay::begin;
use crate::replay::evidence::{Evidence, LOOK};
use crate::replay::verdict::check_claims;
#[cfg(feature = "schema")]
use crate::schema::GameId;
use crate::wire::NOTE;

/// How far a search for repairs goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RepairBounds {
    /// The most repairs that are given.
    pub most: usize,
    /// The most edits that are tried together.
    pub edits: usize,
    /// The most actions that are played or listed. The replay that shows a repair to hold is not
    /// counted: there is one for each repair that is given, and a few more.
    pub work: u32,
}

impl Default for RepairBounds {
    fn default() -> Self {
        RepairBounds { most: 5, edits: 3, work: 200_000 }
    }
}

/// The first fault that a repaired record still has, in short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NextFault {
    /// The place in the edited record, a JSON pointer.
    pub pointer: String,
    /// The clause cited first.
    pub rule: String,
    /// What is wrong, in plain words.
    pub message: String,
}

impl NextFault {
    /// A fault in short.
    pub(super) fn of(fault: Violation) -> Self {
        NextFault { pointer: fault.pointer, rule: fault.rule, message: fault.message }
    }
}

/// One way to mend a record, shown by a replay.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Repair {
    /// The edits, a JSON Patch on the record, applied in order.
    pub edits: Vec<Edit>,
    /// The same in plain words.
    pub words: String,
    /// Whether the whole of the edited record validates.
    pub complete: bool,
    /// How the edited record stands.
    pub status: Status,
    /// Number of its actions that are accepted.
    pub plies: u32,
    /// Number of its actions.
    pub of: u32,
    /// The fault that is left, if one is.
    pub violation: Option<NextFault>,
    /// Whether everything that the record claims of itself, checkpoints included, then holds; `null`
    /// where it claims nothing.
    pub claims: Option<bool>,
}

/// The answer to a search for repairs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Repairs))]
pub struct Repairs {
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
    /// Its first fault; without one there is nothing to repair but what it states of itself.
    pub violation: Option<Violation>,
    /// What it claims of itself, or states in its checkpoints, and is not so. Of a legal record this is what
    /// is to be repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub findings: Vec<ClaimCheck>,
    /// What seems to have been left out throughout, and why it could not be filled in, in plain words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub omissions: Vec<String>,
    /// The repairs that get further than the record as it is, or make more of what it states hold, the
    /// best first.
    pub repairs: Vec<Repair>,
    /// Number of actions that were played or listed in the search.
    pub tried: u32,
    /// Whether the bounds ended the search before everything was tried.
    pub exhausted: bool,
}

sentences! {
    NextFault: message;
    Repair: words, violation;
    Repairs: violation, repairs;
}

/// The work done so far, and how much more may be.
struct Work<'b> {
    done: u32,
    cap: u32,
    bounds: RepairBounds,
    budget: Budget<'b>,
    out: bool,
    stopped: bool,
}

impl Work<'_> {
    /// Takes so much work on, if it may still be done.
    fn spend(&mut self, work: u32) -> Option<()> {
        if self.stopped || self.cap.saturating_sub(self.done) < work {
            self.out = true;
            return None;
        }
        self.done += work;
        self.stopped = self.budget.spend(work.into()).is_err();
        Some(())
    }

    /// Lets the next stage use this share, in hundredths, of what is left below `outer`.
    fn share(&mut self, outer: u32, percent: u32) {
        let left = u64::from(outer.saturating_sub(self.done));
        let share = left * u64::from(percent.min(100)) / 100;
        self.cap = self.done + share as u32;
    }
}

/// An element of `actions`, whether it can be read or not; its note stays where it is.
struct Step<A> {
    value: Value,
    action: Option<A>,
}

impl<A: for<'de> serde::Deserialize<'de>> Step<A> {
    fn read(text: &str) -> Self {
        let mut value: Value = serde_json::from_str(text).unwrap_or_default();
        if let Value::Object(fields) = &mut value {
            fields.remove(NOTE);
        }
        Step { value, action: record::action(text).ok() }
    }

    fn of(value: Value) -> Option<Self> {
        let action = record::action(&value.to_string()).ok()?;
        Some(Step { value, action: Some(action) })
    }
}

type Steps<G> = Vec<Arc<Step<<G as Game>::Action>>>;

/// One edit of a script.
#[derive(Clone)]
enum Change<A> {
    /// The action at `from` goes to `to`.
    Shift { from: usize, to: usize },
    /// An action goes.
    Take { at: usize, twice: bool },
    /// An action comes.
    Put { at: usize, step: Arc<Step<A>> },
    /// One field of an action becomes another: the edit, its path below the action.
    Set { at: usize, edit: Edit, step: Arc<Step<A>> },
    /// An action becomes another.
    Write { at: usize, step: Arc<Step<A>> },
    /// An entry of the tape becomes another: the edit, its path below the entry.
    Fall { at: usize, edit: Edit, entry: Entry },
    /// Two entries of the tape change places.
    Exchange { at: usize },
    /// An entry of the tape comes.
    Feed { at: usize, entry: Entry },
    /// An entry of the tape goes.
    Skip { at: usize },
    /// Everything of one kind that was never written comes, each at its place among what is then there.
    Fill(Arc<Filling<A>>),
}

/// What was left out throughout.
struct Filling<A> {
    actions: Vec<(usize, Arc<Step<A>>)>,
    entries: Vec<(usize, Entry)>,
    words: String,
}

impl<A> Change<A> {
    /// The place of its kind among the others: what happens most easily at a table comes first.
    fn kind(&self) -> u8 {
        match self {
            Change::Shift { from, to } if from.abs_diff(*to) == 1 => 0,
            Change::Take { twice: true, .. } => 0,
            Change::Set { .. } => 1,
            Change::Fall { .. } | Change::Exchange { .. } => 2,
            Change::Put { .. } | Change::Feed { .. } | Change::Fill(_) => 3,
            Change::Take { .. } | Change::Skip { .. } => 4,
            Change::Shift { .. } => 5,
            Change::Write { .. } => 6,
        }
    }

    fn place(&self) -> usize {
        match *self {
            Change::Fill(ref all) => {
                let first = all.actions.first().map(|(at, _)| *at);
                first.or(all.entries.first().map(|(at, _)| *at)).unwrap_or(0)
            }
            Change::Shift { to: at, .. }
            | Change::Take { at, .. }
            | Change::Put { at, .. }
            | Change::Set { at, .. }
            | Change::Write { at, .. }
            | Change::Fall { at, .. }
            | Change::Exchange { at }
            | Change::Feed { at, .. }
            | Change::Skip { at } => at,
        }
    }

    /// How many actions from the fault on are accepted only because the edit is about them.
    fn forces(&self, fault: usize) -> usize {
        match *self {
            Change::Take { at, .. } | Change::Set { at, .. } | Change::Write { at, .. } => {
                usize::from(at == fault)
            }
            Change::Shift { from, to } if from.min(to) == fault => from.abs_diff(to),
            _ => 0,
        }
    }

    /// How many edits it counts for: one rule that fills in a lot comes after every single edit.
    fn edits_made(&self) -> usize {
        if matches!(self, Change::Fill(_)) { 2 } else { 1 }
    }

    /// Where an action more (or one less) stands after it, one after the other.
    fn moves(&self) -> Vec<(u32, i32)> {
        match self {
            Change::Put { at, .. } => vec![(*at as u32, 1)],
            Change::Take { at, .. } => vec![(*at as u32, -1)],
            Change::Fill(all) => all.actions.iter().map(|(at, _)| (*at as u32, 1)).collect(),
            _ => Vec::new(),
        }
    }

    /// What is stated of the game, where its moments are after the change.
    fn evidence(&self, before: &Evidence) -> Evidence {
        let moves = self.moves();
        moves.into_iter().fold(before.clone(), |all, (at, by)| all.moved(at, by))
    }

    /// Every edit of the record: of its actions or its tape, and of the plies of its checkpoints.
    fn edits(&self, before: &Evidence) -> Vec<Edit> {
        let mut edits = match self {
            Change::Fill(all) => {
                let put = |(at, step): &(usize, Arc<Step<A>>)| {
                    Edit::add(format!("/actions/{at}"), step.value.clone())
                };
                let fed = |(at, entry): &(usize, Entry)| {
                    Edit::add(format!("/chance/tape/{at}"), entry_value(entry))
                };
                all.actions.iter().map(put).chain(all.entries.iter().map(fed)).collect()
            }
            one => vec![one.edit()],
        };
        let was: BTreeMap<usize, u32> = before.places().collect();
        let mut moved: Vec<(usize, u32)> = self.evidence(before).places().collect();
        moved.retain(|(at, ply)| was.get(at) != Some(ply));
        moved.sort_unstable();
        edits.extend(
            moved
                .into_iter()
                .map(|(at, ply)| Edit::replace(format!("/checkpoints/{at}/ply"), ply.into())),
        );
        edits
    }

    /// The one edit of actions or tape.
    fn edit(&self) -> Edit {
        let action = |at: &usize| format!("/actions/{at}");
        let entry = |at: &usize| format!("/chance/tape/{at}");
        let below = |base: String, edit: &Edit| Edit {
            op: edit.op,
            path: format!("{base}{}", edit.path),
            from: None,
            value: edit.value.clone(),
        };
        match self {
            Change::Shift { from, to } => Edit::shift(action(from), action(to)),
            Change::Take { at, .. } => Edit::remove(action(at)),
            Change::Put { at, step } => Edit::add(action(at), step.value.clone()),
            Change::Set { at, edit, .. } => below(action(at), edit),
            Change::Write { at, step } => Edit::replace(action(at), step.value.clone()),
            Change::Fall { at, edit, .. } => below(entry(at), edit),
            Change::Exchange { at } => Edit::shift(entry(&(at + 1)), entry(at)),
            Change::Feed { at, entry: new } => Edit::add(entry(at), entry_value(new)),
            Change::Skip { at } => Edit::remove(entry(at)),
            // Several edits, made in `edits`: this one changes nothing.
            Change::Fill(_) => Edit::shift(String::new(), String::new()),
        }
    }
}

fn entry_value(entry: &EntryOf<'_>) -> Value {
    serde_json::to_value(entry).unwrap_or_default()
}

/// The same edits of a record, but an action in whose place another comes leaves it its note.
pub(super) fn keeping_notes(record: &Value, edits: Vec<Edit>) -> Vec<Edit> {
    let whole = |edit: &Edit| {
        let at = edit.path.strip_prefix("/actions/").unwrap_or("/");
        edit.op == Op::Replace && !at.contains('/')
    };
    if !edits.iter().any(whole) {
        return edits;
    }
    let mut now = record.clone();
    let mut kept = Vec::with_capacity(edits.len());
    for mut edit in edits {
        let note = now.pointer(&edit.path).and_then(|old| old.get(NOTE)).cloned();
        if let (true, Some(note), Some(Value::Object(new))) = (whole(&edit), note, &mut edit.value)
        {
            new.entry(NOTE).or_insert(note);
        }
        if let Some(next) = apply(&now, std::slice::from_ref(&edit)) {
            now = next;
        }
        kept.push(edit);
    }
    kept
}

/// A value in few words: text as it is, everything else as JSON, cut where it gets long.
fn short(value: &Value) -> String {
    const MOST: usize = 120;
    let text = match value {
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

/// An action in few words: `move by pirates (to orti, unit p4)`.
fn say(value: &Value) -> String {
    let Value::Object(fields) = value else { return short(value) };
    let field = |name: &str| fields.get(name).map(short);
    let mut words = field("type").or_else(|| field("kind")).unwrap_or_else(|| "?".to_owned());
    if let Some(player) = field("player") {
        words.push_str(" by ");
        words.push_str(&player);
    }
    let rest: BTreeMap<&String, &Value> = fields
        .iter()
        .filter(|(name, _)| !["type", "kind", "player", NOTE].contains(&name.as_str()))
        .collect();
    if !rest.is_empty() {
        let rest: Vec<String> =
            rest.iter().map(|(name, value)| format!("{name} {}", short(value))).collect();
        words = format!("{words} ({})", rest.join(", "));
    }
    short(&Value::String(words))
}

/// What an edit below a value says of one of its fields.
fn say_field(old: &Value, edit: &Edit) -> String {
    let field = edit.path.trim_start_matches('/');
    let was = old.pointer(&edit.path).map(short);
    let is = edit.value.as_ref().map(short);
    match (edit.op, is, was) {
        (Op::Replace, Some(is), Some(was)) if field.is_empty() => {
            format!("was meant to be {is}, not {was}")
        }
        (Op::Replace, Some(is), Some(was)) => {
            format!("`{field}` was meant to be {is}, not {was}")
        }
        (Op::Remove, _, Some(was)) => format!("`{field}` ({was}) is too much"),
        (_, Some(is), _) => format!("`{field}` is missing: {is}"),
        _ => format!("`{field}` is wrong"),
    }
}

/// What came of playing a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    plies: usize,
    /// Actions that were not accepted.
    left: usize,
    /// Whether there is no fault.
    whole: bool,
    /// Entries left over on the tape, where there is no fault.
    over: usize,
    /// How much of what the record states of itself is not so, as far as the run went.
    broken: u32,
}

/// The order of repairs: the smallest is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank {
    faulty: bool,
    left: usize,
    broken: u32,
    edits: usize,
    over: usize,
    kind: u8,
    distance: usize,
    edit_cost: u32,
    number: u32,
}

/// A repair found, not yet shown.
struct Found<A> {
    rank: Rank,
    /// The script it changes.
    of: usize,
    change: Change<A>,
}

/// A moment of a script: the table, and the chance that goes on from there, without its tape.
struct Spot<G: FullGame> {
    table: Table<G>,
    source: Source<'static>,
}

/// What a draw could have been: an entry's place, and every entry that would fit there.
struct Asked {
    entry: usize,
    within: usize,
    options: Vec<Entry>,
}

/// The most entries that are noted as fit for one draw.
const MOST_OPTIONS: usize = 400;

/// Listens to what is asked of a tape.
struct Listener<'s, 't> {
    source: &'s mut Source<'t>,
    asked: &'s mut Vec<Asked>,
}

impl Chance for Listener<'_, '_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        if let Some((entry, within)) = self.source.tape().map(|tape| tape.place()) {
            let first = u32::from(matches!(ask.what, What::Die { .. }));
            let fits = ask.weights().into_iter().take(MOST_OPTIONS).zip(first..);
            let fits = fits.filter(|&(weight, _)| weight > 0);
            let options = fits.filter_map(|(_, answer)| ask.entry(answer)).collect();
            self.asked.push(Asked { entry, within, options });
        }
        self.source.answer(ask)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.source.order(ask)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.source.known(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.source.shuffle(ask)
    }
}

/// What all scripts of a record begin with.
struct Base<G: FullGame> {
    setup: Arc<G::Setup>,
    /// Chance after the setup.
    source: Source<'static>,
    position: Option<G::State>,
    /// What the record claims of its end.
    claims: Option<Claims>,
}

impl<G: FullGame> Base<G> {
    fn begin(&self, chance: &mut dyn Chance) -> Option<Table<G>> {
        match begin(&self.setup, self.position.as_ref(), chance, Keep::Nothing) {
            (table, None) => Some(table),
            (_, Some(_)) => None,
        }
    }
}

/// A record's actions and tape, as they are or with edits, and what came of playing them.
struct Script<'r, G: FullGame> {
    steps: Steps<G>,
    tape: Vec<EntryOf<'r>>,
    /// Whether there is a tape.
    taped: bool,
    edits: Vec<Edit>,
    words: Vec<String>,
    /// Moments: the last ones each, those before here and there.
    spots: Vec<Spot<G>>,
    /// The place on the tape before each ply, and at the fault.
    places: Vec<(usize, usize)>,
    asked: Vec<Asked>,
    /// The place below the action at the fault that a clause points at.
    pointer: String,
    /// What the record states of moments of the game.
    evidence: Evidence,
    /// How much of that is not so up to each ply, and including it.
    broken: Vec<u32>,
    run: Run,
}

/// What a script is held against while it is played on.
struct Held<'h> {
    claims: Option<&'h Claims>,
    evidence: &'h Evidence,
    /// How much is not so already.
    broken: u32,
    /// From how much on it is not worth going on.
    most: u32,
}

/// Behind a stretch of actions: how far it went.
fn go_on<'s, G: FullGame>(
    work: &mut Work<'_>,
    mut table: Table<G>,
    mut source: Source<'_>,
    steps: impl Iterator<Item = &'s Arc<Step<G::Action>>>,
    of: usize,
    held: &Held<'_>,
) -> Option<Run>
where
    G::Action: 's,
{
    let mut whole = true;
    let mut broken = held.broken;
    for step in steps {
        work.spend(1)?;
        let played = step.action.as_ref().map(|action| table.play(action, &mut source));
        if !matches!(played, Some(Ok(()))) {
            whole = false;
            break;
        }
        broken += stated(work, held.evidence, &table, table.ply())?;
        if broken >= held.most {
            let plies = table.ply() as usize;
            return Some(Run { plies, left: of - plies, whole: false, over: 0, broken });
        }
    }
    Some(run_of(&table, &source, of, whole, &Held { broken, ..*held }))
}

/// How much of what is stated of the moment `ply` is not so of this table.
fn stated<G: FullGame>(
    work: &mut Work<'_>,
    evidence: &Evidence,
    table: &Table<G>,
    ply: u32,
) -> Option<u32> {
    match evidence.count(ply) {
        0 => Some(0),
        count => {
            work.spend(LOOK * count)?;
            Some(evidence.broken(table, ply))
        }
    }
}

fn run_of<G: FullGame>(
    table: &Table<G>,
    source: &Source<'_>,
    of: usize,
    played: bool,
    held: &Held<'_>,
) -> Run {
    let over = source.tape().map_or(0, |tape| tape.left());
    let plies = table.ply() as usize;
    let whole = played && (over == 0 || table.outcome().is_none());
    let mut broken = held.broken;
    if whole {
        broken += held.evidence.unreached(table.ply());
        if let Some(claims) = held.claims {
            let status = match table.outcome() {
                Some(_) => Status::Complete,
                None => Status::InProgress,
            };
            let claimed = claims.fingerprint.as_ref();
            let print = claimed.map(|_| fingerprint(&table.view(Observer::Referee)));
            let checks = check_claims(claims, status, table, print);
            broken += checks.iter().filter(|check| !check.holds).count() as u32;
        }
    }
    Run { plies, left: of - plies, whole, over: if whole { over } else { 0 }, broken }
}

impl<'r, G: FullGame> Script<'r, G> {
    /// Plays a script from the start and keeps its moments.
    fn play(
        base: &Base<G>,
        work: &mut Work<'_>,
        steps: Steps<G>,
        tape: Vec<EntryOf<'r>>,
        taped: bool,
        evidence: Evidence,
    ) -> Option<Self> {
        const RECENT: usize = 64;
        let stride = (steps.len() / 256).max(1);
        let (mut sparse, mut recent) = (Vec::new(), VecDeque::new());
        let (mut places, mut asked) = (Vec::new(), Vec::new());
        let mut pointer = String::new();
        let mut run = Run { plies: 0, left: steps.len(), whole: false, over: 0, broken: 0 };
        let mut broken = Vec::with_capacity(steps.len() + 1);
        {
            let mut source = base.source.on(&tape);
            let place = |source: &Source<'_>| source.tape().map_or((0, 0), |tape| tape.place());
            let mut listener = Listener { source: &mut source, asked: &mut asked };
            work.spend(1)?;
            if let Some(mut table) = base.begin(&mut listener) {
                let mut whole = true;
                for at in 0..=steps.len() {
                    places.push(place(&source));
                    let before = broken.last().copied().unwrap_or(0);
                    broken.push(before + stated(work, &evidence, &table, table.ply())?);
                    let spot = Spot { table: table.clone(), source: source.on(&[]) };
                    recent.push_back(spot);
                    if recent.len() > RECENT
                        && let Some(spot) = recent.pop_front()
                        && (spot.table.ply() as usize).is_multiple_of(stride)
                    {
                        sparse.push(spot);
                    }
                    let Some(step) = steps.get(at) else { break };
                    work.spend(1)?;
                    let mut listener = Listener { source: &mut source, asked: &mut asked };
                    let played = step.action.as_ref().map(|it| table.play(it, &mut listener));
                    if !matches!(played, Some(Ok(()))) {
                        if let Some(Err(Stop::Refused(refusal))) = played {
                            pointer = refusal.into_parts().pointer;
                        }
                        whole = false;
                        break;
                    }
                }
                let held = Held {
                    claims: base.claims.as_ref(),
                    evidence: &evidence,
                    broken: broken.last().copied().unwrap_or(0),
                    most: u32::MAX,
                };
                run = run_of(&table, &source, steps.len(), whole, &held);
            }
        }
        sparse.extend(recent);
        let (edits, words) = (Vec::new(), Vec::new());
        Some(Script {
            steps,
            tape,
            taped,
            edits,
            words,
            spots: sparse,
            places,
            asked,
            pointer,
            evidence,
            broken,
            run,
        })
    }

    /// The ply from which one looks back: of the first fault, or, where all is legal, of the first thing
    /// that is not as stated.
    fn fault(&self) -> usize {
        match self.run.whole {
            false => self.run.plies,
            true => self.broken.iter().position(|&it| it > 0).unwrap_or(self.run.plies),
        }
    }

    /// What a change that is played from before this ply (`None` for the opening) is held against.
    fn held<'h>(
        &self,
        evidence: &'h Evidence,
        claims: Option<&'h Claims>,
        ply: Option<u32>,
    ) -> Held<'h> {
        let before = ply.and_then(|ply| self.broken.get(ply as usize));
        // A record that is legal as it is must come nearer to what it states.
        let most = if self.run.whole { self.run.broken } else { u32::MAX };
        Held { claims, evidence, broken: before.copied().unwrap_or(0), most }
    }

    /// The moment before a ply that was reached.
    fn spot(&self, work: &mut Work<'_>, ply: usize) -> Option<Spot<G>> {
        let after = self.spots.partition_point(|spot| spot.table.ply() as usize <= ply);
        let from = self.spots.get(after.checked_sub(1)?)?;
        let mut table = from.table.clone();
        let mut source = from.source.on(&self.tape);
        for step in self.steps.get(table.ply() as usize..ply)? {
            work.spend(1)?;
            table.play(step.action.as_ref()?, &mut source).ok()?;
        }
        Some(Spot { table, source: source.on(&[]) })
    }

    /// The last ply before which an entry is whole, `None` for the opening.
    fn ply_of(&self, entry: usize) -> Option<usize> {
        self.places.partition_point(|&place| place <= (entry, 0)).checked_sub(1)
    }

    fn changed(&self, change: &Change<G::Action>) -> (Steps<G>, Vec<EntryOf<'r>>) {
        let (mut steps, mut tape) = (self.steps.clone(), self.tape.clone());
        match change {
            Change::Shift { from, to } => {
                let step = steps.remove(*from);
                steps.insert(*to, step);
            }
            Change::Take { at, .. } => drop(steps.remove(*at)),
            Change::Put { at, step } => steps.insert(*at, step.clone()),
            Change::Fill(all) => {
                all.actions.iter().for_each(|(at, step)| steps.insert(*at, step.clone()));
                change_tape(&mut tape, change);
            }
            Change::Set { at, step, .. } | Change::Write { at, step } => {
                steps[*at] = step.clone();
            }
            _ => change_tape(&mut tape, change),
        }
        (steps, tape)
    }

    fn say(&self, change: &Change<G::Action>) -> String {
        let action = |at: usize| self.steps.get(at).map(|it| say(&it.value)).unwrap_or_default();
        let entry = |at: usize| self.tape.get(at).map(entry_value).unwrap_or_default();
        match change {
            Change::Shift { from, to } if *from == to + 1 => {
                format!("swap the actions at plies {to} and {from}")
            }
            Change::Shift { from, to } => {
                format!("the action at ply {from} belongs at ply {to}: {}", action(*from))
            }
            Change::Take { at, twice: true } => {
                format!("take out the action at ply {at}, which is there twice: {}", action(*at))
            }
            Change::Take { at, .. } => format!("take out the action at ply {at}: {}", action(*at)),
            Change::Put { at, step } => {
                format!("put in an action before the one at ply {at}: {}", say(&step.value))
            }
            Change::Set { at, edit, .. } => {
                let old = self.steps.get(*at).map(|step| &step.value);
                format!("the action at ply {at}: {}", say_field(old.unwrap_or(&Value::Null), edit))
            }
            Change::Write { at, step } => {
                format!(
                    "the action at ply {at} was meant to be {}, not {}",
                    say(&step.value),
                    action(*at)
                )
            }
            Change::Fall { at, edit, .. } => {
                format!("entry {at} of the tape: {}", say_field(&entry(*at), edit))
            }
            Change::Exchange { at } => format!("swap the entries {at} and {} of the tape", at + 1),
            Change::Feed { at, entry } => {
                format!("put in an entry of the tape before {at}: {}", say(&entry_value(entry)))
            }
            Change::Fill(all) => all.words.clone(),
            Change::Skip { at } => {
                format!("take out entry {at} of the tape: {}", say(&entry(*at)))
            }
        }
    }
}

fn change_tape<A>(tape: &mut Vec<EntryOf<'_>>, change: &Change<A>) {
    match change {
        Change::Fall { at, entry, .. } => tape[*at] = entry.clone(),
        Change::Exchange { at } => tape.swap(*at, at + 1),
        Change::Feed { at, entry } => tape.insert(*at, entry.clone()),
        Change::Skip { at } => drop(tape.remove(*at)),
        Change::Fill(all) => {
            all.entries.iter().for_each(|(at, entry)| tape.insert(*at, entry.clone()));
        }
        Change::Shift { .. }
        | Change::Take { .. }
        | Change::Put { .. }
        | Change::Set { .. }
        | Change::Write { .. } => {}
    }
}

/// The entry that gives another answer, and the edit below the old entry that makes it.
fn other_entry(old: &EntryOf<'_>, within: usize, new: &Entry) -> Option<(Edit, Entry)> {
    if old == new {
        return None;
    }
    let whole = || Some((Edit::replace("", entry_value(new)), new.clone()));
    match (old, new) {
        (EntryOf::Draw(old), EntryOf::Draw(it)) if old.side == it.side => {
            Some((Edit::replace("/card", Value::from(&*it.card)), new.clone()))
        }
        (EntryOf::Draw(old), EntryOf::Draw(it)) if old.card == it.card => {
            Some((Edit::replace("/side", Value::from(&*it.side)), new.clone()))
        }
        (EntryOf::Die(old), EntryOf::Die(it)) if old.at == it.at => {
            Some((Edit::replace("/value", it.value.into()), new.clone()))
        }
        (EntryOf::Die(old), EntryOf::Die(it)) if old.value == it.value => {
            Some((Edit::replace("/at", Value::from(&*it.at)), new.clone()))
        }
        (EntryOf::Dice(old), EntryOf::Die(it)) if old.at == it.at => {
            let mut dice = old.clone();
            let value = dice.values.get_mut(within)?;
            if *value == it.value {
                return None;
            }
            *value = it.value;
            let edit = Edit::replace(format!("/values/{within}"), it.value.into());
            Some((edit, EntryOf::Dice(dice).owned()))
        }
        (EntryOf::Dice(_), _) if within > 0 => None,
        _ => whole(),
    }
}
