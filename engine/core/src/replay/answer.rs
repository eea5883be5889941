//! What answers say: verdicts, decisions, legal actions and what stands in reports, as they go over
//! the wire.
//!
//! Plain data for one viewer. This module must not decide what a viewer may know, and must not
//! replay anything.

use serde::Serialize;
use serde_json::value::RawValue;

use super::completion::{Attempts, Proof, Witness};
pub use super::status::{Ending, Status};
use crate::chance::Entry;
use crate::digest::Fingerprint;
use crate::game::{
    Draft, Drawn, Game, Logged, Meta, Observer, Outcome, Standing, Step, Stray, Table, TableSetup,
};
use crate::people::{Sentences, sentences};
use crate::record::Fault;
use crate::rules::{Evidence, Rule, RuleEntry};
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameId, GameOptions, GameRange, GameSeat, GameView};

/// The version of this engine, as answers give it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// The first fault of a record, and the clause it breaks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Violation))]
pub struct Violation {
    /// Number of actions accepted before it.
    pub ply: u32,
    /// The place in the record, a JSON pointer.
    pub pointer: String,
    /// The seat that sent the action; `null` for a tape fault.
    pub player: Option<String>,
    /// A stable name of the kind of fault.
    pub code: String,
    /// The clause cited first.
    pub rule: String,
    /// Where that clause stands in the printed book of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub section: Option<&'static str>,
    /// Every violated clause that is cheap to find, and the rulings that shaped them.
    pub rules: Vec<String>,
    /// What is wrong, in plain words.
    pub message: String,
    /// The facts that made the clause refuse.
    pub facts: Vec<Evidence>,
    /// At most five legal actions, the most alike first: of the seat that sent the action; where that
    /// seat may not act, the referee is told those of the seats that decide.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameAction>, max_items = 5))]
    pub nearest: Vec<Box<RawValue>>,
}

/// Whether something the record says of itself is so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClaimCheck {
    /// The claim, a JSON pointer into the record.
    pub claim: String,
    /// For a checkpoint, the moment of which it speaks: number of actions accepted before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false, minimum = 0))]
    pub ply: Option<u32>,
    /// What the record says; `null` for a claimed game without a winner.
    pub claimed: Option<String>,
    /// What the replay gives; `null` where there is nothing.
    pub actual: Option<String>,
    /// Whether they agree.
    pub holds: bool,
}

/// Whether a record is legal, and what became of the game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Verdict))]
pub struct Verdict {
    /// How the record stands.
    pub status: Status,
    /// Number of accepted actions.
    pub plies: u32,
    /// The first fault, if there is one.
    pub violation: Option<Violation>,
    /// How the game ended, if it is over.
    pub outcome: Option<Ending>,
    /// How the players stand while no rule names a winner; for information, in games that have
    /// such a measure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub standing: Vec<Standing>,
    /// The claims of the record, each checked; then, for the referee alone, its checkpoints, value by
    /// value. What is not so is a finding, whatever the status.
    pub claims: Vec<ClaimCheck>,
    /// Of a record with unknowns: one way in which everything may have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub witness: Option<Box<Witness>>,
    /// Of a record with unknowns: why nothing fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub proof: Option<Box<Proof>>,
    /// Of a record with unknowns: what was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub tried: Option<Attempts>,
}

/// What is to be decided, and by whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Decision))]
pub struct PendingDecision {
    /// The seats that decide; nobody when the game is over.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameSeat>))]
    pub players: Vec<&'static str>,
    /// The pending state, as the rules document names it.
    pub state: &'static str,
    /// The clause that asks.
    pub rule: &'static str,
    /// Further seats that may act although nobody asks them (to resign, for example).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameSeat>, required = false))]
    pub interrupts: Vec<&'static str>,
}

/// Something a caller should know that is no fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Warning {
    /// A stable name: `tape_leftover`, `seed_differs`, `unknown_field`, or one of the game's own about its setup.
    pub code: &'static str,
    /// The place in the record, a JSON pointer.
    pub pointer: String,
    /// In plain words.
    pub message: String,
}

/// A draw of the replay as a tape entry, with the stream and the clause that asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TapeLine {
    /// The entry, as a record's tape takes it, which ignores what stands beside it.
    #[serde(flatten)]
    pub entry: Entry,
    /// Number of actions accepted before the action that asked; 0 for the opening.
    pub ply: u32,
    /// It was asked before the first action: in the deal, or on loading a position. Left out
    /// otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub opening: bool,
    /// The stream it was or would be drawn from.
    pub stream: &'static str,
    /// The clause that asked.
    pub rule: &'static str,
}

/// The fingerprint of one ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PlyPrint))]
pub struct PlyFingerprint {
    /// Number of accepted actions.
    pub ply: u32,
    /// BLAKE3 of the referee's view in canonical JSON.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub fingerprint: Fingerprint,
    /// The fingerprint chain up to here.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub chain: Fingerprint,
}

/// The view after one ply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::PlyState))]
pub struct PlyState {
    /// Number of accepted actions.
    pub ply: u32,
    /// What the viewer knows of the state.
    #[cfg_attr(feature = "schema", schema(value_type = GameView))]
    pub state: Box<RawValue>,
}

/// A clause with its gist.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Cited {
    /// The id.
    pub id: &'static str,
    /// The rule in our words.
    pub gist: &'static str,
    /// Where it stands in the printed book of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub section: Option<&'static str>,
}

/// Clauses and rulings with their gists in the book of an edition, each once.
pub fn cite(entries: impl IntoIterator<Item = &'static RuleEntry>, edition: &str) -> Vec<Cited> {
    let mut all: Vec<Cited> = Vec::new();
    for entry in entries {
        if all.iter().all(|had| had.id != entry.id) {
            all.push(Cited { id: entry.id, gist: entry.gist, section: entry.section(edition) });
        }
    }
    all
}

/// The verdict on a record, without any state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Judgement))]
pub struct Judgement {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// The options in force, defaults included.
    #[cfg_attr(feature = "schema", schema(value_type = GameOptions))]
    pub options: Box<RawValue>,
    /// Whether the record is legal, and what became of the game.
    pub verdict: Verdict,
    /// The fingerprint of the last good state.
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
    pub fingerprint: Fingerprint,
    /// What a caller should know that is no fault.
    pub warnings: Vec<Warning>,
}

/// The legal actions of one seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Choices))]
pub struct Choices {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = GameSeat))]
    pub player: &'static str,
    /// Number of legal actions, listed or not; ranges are not counted.
    pub count: u64,
    /// Whether there are more actions than are listed here.
    pub truncated: bool,
    /// The actions, the first ones where there are too many; left out with `count_only`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameAction>, required = false))]
    pub actions: Option<Vec<Box<RawValue>>>,
    /// What each of these actions is in words, in their order, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub texts: Option<Vec<String>>,
    /// Families of actions that differ in numbers, each with its bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameRange>, required = false))]
    pub ranges: Vec<Box<RawValue>>,
    /// Whether what is chosen of an action (`partial`) is a legal action as it is; there only with that. Then the
    /// actions and ranges above are those that begin so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub complete: Option<bool>,
    /// What may be chosen next: each leads, choice by choice, to a legal action. There with `complete`; empty where
    /// nothing is left to choose, and where no legal action begins so (`stray` says why).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub next: Option<Vec<Step>>,
}

/// What is wanted of the legal actions.
#[derive(Clone, Copy, Default, Debug)]
pub struct LegalQuery<'a> {
    /// Count them instead of listing them.
    pub count_only: bool,
    /// Only those that begin so, and how they go on.
    pub partial: Option<&'a Draft>,
    /// Each in words beside it.
    pub text: bool,
}

impl LegalQuery<'_> {
    /// All of them.
    pub const LIST: Self = LegalQuery { count_only: false, partial: None, text: false };
    /// Their number.
    pub const COUNT: Self = LegalQuery { count_only: true, partial: None, text: false };
}

/// Who decides, and every legal action the viewer may see.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Legal))]
pub struct Legal {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = GameId))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// How the record stands; with `illegal` or `bad_chance` the answer is about the last good
    /// state.
    pub status: Status,
    /// The ply whose legal actions are given.
    pub ply: u32,
    /// What is to be decided there.
    pub decision: PendingDecision,
    /// The legal actions, seat by seat; only those that the viewer may see.
    pub choices: Vec<Choices>,
    /// Where what is chosen of an action (`partial`) leaves the legal ones, if none begins so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub stray: Option<Stray>,
    /// What the rules ask of chance there, if the tape of the record ends before it. Only for the referee, and only without
    /// `ply`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub missing: Option<MissingDraw>,
}

/// A draw or roll that the rules ask for, and that the tape does not contain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MissingDraw {
    /// The number of actions before the one that asks for it.
    pub ply: u32,
    /// The clause that asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub rule: Option<&'static str>,
    /// The kind of the tape entry; `seed` if only a seed can provide it.
    pub kind: MissingKind,
    /// The side whose deck it is, or the chance point of a die; nothing for a seed.
    pub of: String,
    /// The kinds of cards in the deck: each once for a draw, each as often as it is there for a shuffle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub cards: Vec<String>,
    /// The numbers that the die can show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub values: Vec<u32>,
}

/// The kind of a tape entry that is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum MissingKind {
    /// A card of a deck.
    Draw,
    /// The order of a deck.
    Shuffle,
    /// A die.
    Die,
    /// Something that only a seed can provide.
    Seed,
}

/// What a line of a story is to its reader. It follows from what the event is called, in every game alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A turn or round begins or ends (`turn_started`, `main_turn_started`, `round_ended`): there is a gap in the
    /// story.
    Turn,
    /// It only says how far it is (`phase_started`, `step_ended`): lines that are nothing else can be folded.
    Phase,
    /// Something happens.
    Event,
}

impl Moment {
    /// The moment that a notice (JSON) tells of.
    pub(crate) fn of(notice: &str) -> Self {
        /// What says what kind of event it is.
        #[derive(serde::Deserialize)]
        struct Tag<'a> {
            #[serde(rename = "type")]
            kind: &'a str,
        }
        let Ok(Tag { kind }) = serde_json::from_str(notice) else { return Moment::Event };
        let Some(what) = kind.strip_suffix("_started").or_else(|| kind.strip_suffix("_ended"))
        else {
            return Moment::Event;
        };
        match what.rsplit('_').next() {
            Some("turn" | "round") => Moment::Turn,
            Some("phase" | "step" | "stage") => Moment::Phase,
            _ => Moment::Event,
        }
    }
}

/// One line of the story of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// Number of actions accepted before the action that caused it.
    pub ply: u32,
    /// Whether it happened before the first action: the game was dealt and opened.
    pub opening: bool,
    /// What kind of moment it is.
    pub moment: Moment,
    /// What happened, in plain words.
    pub text: String,
    /// The clauses it follows from, the deciding one first.
    pub rules: Vec<&'static str>,
    /// Where the deciding clause stands in the printed book of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<&'static str>,
}

sentences! {
    Choices: texts;
    Judgement: verdict;
    Legal: choices;
    Line: text;
    Verdict: violation, witness, proof;
    Violation: message, facts;
}

/// Why a report could not be given.
#[derive(Clone, PartialEq, Debug)]
pub enum Unanswered {
    /// The record cannot be replayed.
    Fault(Fault),
    /// The record has no such ply.
    NoSuchPly {
        /// The ply asked for.
        asked: u32,
        /// Number of accepted actions.
        plies: u32,
    },
}

impl From<Fault> for Unanswered {
    fn from(fault: Fault) -> Self {
        Unanswered::Fault(fault)
    }
}

pub(crate) fn name_of(viewer: Observer, meta: &'static Meta) -> &'static str {
    match viewer {
        Observer::Referee => "referee",
        Observer::Spectator => "spectator",
        Observer::Seat(seat) => meta.seat_name(seat),
    }
}

pub(crate) fn ending<G: Game>(outcome: Outcome) -> Ending {
    Ending { winner: outcome.winner.map(|seat| G::META.seat_name(seat)), reason: outcome.reason }
}

pub(crate) fn pending<G: Game>(table: &Table<G>) -> PendingDecision {
    pending_at::<G>(table.setup(), table.state())
}

pub(crate) fn pending_at<G: Game>(setup: &G::Setup, state: &G::State) -> PendingDecision {
    let decision = G::decision(setup, state);
    PendingDecision {
        players: decision.seats.iter().map(|seat| G::META.seat_name(seat)).collect(),
        state: decision.state,
        rule: decision.rule.id(),
        interrupts: G::interrupts(setup, state)
            .iter()
            .filter(|&seat| !decision.seats.contains(seat))
            .map(|seat| G::META.seat_name(seat))
            .collect(),
    }
}

pub(crate) fn raw<T: Serialize>(value: &T) -> Box<RawValue> {
    // Wire types are plain structs, enums, lists and string-keyed maps: serialising them into
    // memory cannot fail. Should one ever, the answer shows null instead of ending the process.
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// One event as an observer learns of it.
#[derive(Serialize)]
struct EventLine<'a, N> {
    ply: u32,
    /// Whether it happened before the first action.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    opening: bool,
    #[serde(flatten)]
    notice: N,
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'static str>,
    #[serde(skip_serializing_if = "more_is_none")]
    rules: &'a [&'static str],
}

fn more_is_none(rules: &&[&'static str]) -> bool {
    rules.len() < 2
}

pub(crate) fn event_line<G: Game>(
    setup: &G::Setup,
    logged: &Logged<G>,
    viewer: Observer,
) -> Option<Box<RawValue>> {
    let notice = G::announce(setup, &logged.event, viewer)?;
    let rules: Vec<&'static str> = logged.rules.as_slice().iter().map(|rule| rule.id()).collect();
    let section = logged.rules.first().entry().section(G::Setup::edition(setup));
    let (ply, opening) = (logged.ply, logged.opening);
    Some(raw(&EventLine { ply, opening, notice, rule: rules[0], section, rules: &rules }))
}

pub(crate) fn tape_line<G: Game>(drawn: &Drawn<G::Rule>) -> TapeLine {
    TapeLine {
        entry: drawn.entry.clone(),
        ply: drawn.ply,
        opening: drawn.opening,
        stream: G::META.streams.get(usize::from(drawn.stream)).copied().unwrap_or(""),
        rule: drawn.rule.id(),
    }
}
