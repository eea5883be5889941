//! The one dynamic seam: any game behind one trait, text in and text out.
//!
//! [`Of`] turns a typed [`Game`] into an [`AnyGame`]; service and command line see only that.
//! What a viewer may not know must not reach an answer made here: state, events, violation,
//! nearest actions, decision and sizes are computed from that viewer's knowledge.

use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::chance::seeded::Seeded;
use crate::chance::tape::{Both, Tape};
use crate::chance::{Ask, Chance, Entry, EntryOf, Halt};
use crate::digest::{Chain, Fingerprint, fingerprint};
use crate::dispute::compare::{self, Comparison, FaultOf, PlyMark, PrintComparison};
use crate::dispute::explain::{Account, Explanation, Steps, explain};
use crate::dispute::repair::{self, RepairBounds, Repairs};
use crate::dispute::why::{Bounds, WhyNot, why};
use crate::game::{
    Chapter, Drawn, Game, Group, Keep, Listing, Logged, Menu, Meta, Observer, Oddity, Outcome,
    Seat, Seats, Standing, Stop, Table,
};
use crate::record::{self, Claims, Fault, FaultCode, Malformed, RawRecord};
use crate::replay::{End, play_all};
use crate::rules::{Fact, Refusal, Rule, RuleEntry, RulingDef};
#[cfg(feature = "schema")]
use crate::schema::{
    GameAction, GameEvent, GameId, GameOptions, GameRange, GameReason, GameSeat, GameView,
};

/// The version of this engine, as answers give it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// How much a replay may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most actions a record may have.
    pub actions: usize,
    /// The most legal actions that are listed of one seat.
    pub listed: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { actions: 100_000, listed: usize::MAX }
    }
}

/// Optional parts of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Include {
    /// Every event.
    pub events: bool,
    /// The view after every ply.
    pub states: bool,
    /// The tape of all draws (referee only).
    pub tape: bool,
    /// The fingerprint and chain of every ply (referee only).
    pub fingerprints: bool,
    /// Per ply, the action, its events, and the clauses and facts behind them.
    pub explain: bool,
    /// The game's table, stretch by stretch (referee only).
    pub chapters: bool,
}

/// What is wanted of a replay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Query {
    /// Who looks.
    pub viewer: Observer,
    /// The ply whose state is wanted; the last good one where it is left out.
    pub ply: Option<u32>,
    /// Optional parts.
    pub include: Include,
    /// How much it may cost.
    pub limits: Limits,
}

impl Default for Query {
    fn default() -> Self {
        Query {
            viewer: Observer::Referee,
            ply: None,
            include: Include::default(),
            limits: Limits::default(),
        }
    }
}

/// How a record stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The game is over, every action was legal.
    Complete,
    /// Every action was legal, the game goes on.
    InProgress,
    /// An action is refused: the good prefix and the first violation.
    Illegal,
    /// The tape does not fit.
    BadChance,
}

impl Status {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::InProgress => "in_progress",
            Status::Illegal => "illegal",
            Status::BadChance => "bad_chance",
        }
    }
}

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
    pub facts: Vec<Fact>,
    /// At most five legal actions, the most alike first: of the seat that sent the action; where that
    /// seat may not act, the referee is told those of the seats that decide.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameAction>, max_items = 5))]
    pub nearest: Vec<Box<RawValue>>,
}

/// How a finished game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Ending))]
pub struct Ending {
    /// The winner's seat, where there is one.
    #[cfg_attr(feature = "schema", schema(value_type = Option<GameSeat>))]
    pub winner: Option<&'static str>,
    /// Why the game is over.
    #[cfg_attr(feature = "schema", schema(value_type = GameReason))]
    pub reason: &'static str,
}

/// Whether something the record says of itself is so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClaimCheck {
    /// The claim, a JSON pointer into the record.
    pub claim: String,
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
    /// The claims of the record, each checked.
    pub claims: Vec<ClaimCheck>,
}

/// What is to be decided, and by whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Decision))]
pub struct Pending {
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
    /// A stable name: `tape_leftover`, `seed_differs`, or one of the game's own about its setup.
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
    /// Number of actions accepted before the action that asked.
    pub ply: u32,
    /// The stream it was or would be drawn from.
    pub stream: &'static str,
    /// The clause that asked.
    pub rule: &'static str,
}

/// The fingerprint of one ply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlyPrint {
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

/// The answer to a replay.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Report))]
pub struct Report {
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
    /// Who looks: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The ply whose state is given.
    pub ply: u32,
    /// What the viewer knows of the state at that ply.
    #[cfg_attr(feature = "schema", schema(value_type = GameView))]
    pub state: Box<RawValue>,
    /// What is to be decided at that ply.
    pub decision: Pending,
    /// Every event the viewer learned of (`include=events`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameEvent>, required = false))]
    pub events: Option<Vec<Box<RawValue>>>,
    /// The view after every ply (`include=states`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub states: Option<Vec<PlyState>>,
    /// Every draw (`include=tape`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub tape: Option<Vec<TapeLine>>,
    /// The fingerprint of every ply (`include=fingerprints`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub fingerprints: Option<Vec<PlyPrint>>,
    /// Why each ply went as it did (`include=explain`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub explain: Option<Vec<Explanation>>,
    /// How the players stood at the end of each stretch of play (a round), up to that ply; empty
    /// for a game without such a table (`include=chapters`, referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub chapters: Option<Vec<Chapter>>,
    /// The fingerprint of the state at that ply (referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, pattern = "^[0-9a-f]{64}$", required = false))]
    pub fingerprint: Option<Fingerprint>,
    /// What a caller should know that is no fault.
    pub warnings: Vec<Warning>,
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
    /// Families of actions that differ in numbers, each with its bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameRange>, required = false))]
    pub ranges: Vec<Box<RawValue>>,
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
    pub decision: Pending,
    /// The legal actions, seat by seat; only those that the viewer may see.
    pub choices: Vec<Choices>,
}

/// One line of the story of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// Number of actions accepted before the action that caused it.
    pub ply: u32,
    /// Whether it happened before the first action: the game was dealt and opened.
    pub opening: bool,
    /// What happened, in plain words.
    pub text: String,
    /// The clauses it follows from, the deciding one first.
    pub rules: Vec<&'static str>,
    /// Where the deciding clause stands in the printed book of the edition in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<&'static str>,
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

/// Any game, behind one object-safe trait.
pub trait AnyGame: Send + Sync {
    /// The constants.
    fn meta(&self) -> &'static Meta;
    /// Clauses and rulings, in the order of the document.
    fn rules(&self) -> &'static [RuleEntry];
    /// The selectable rulings.
    fn rulings(&self) -> &'static [RulingDef];
    /// The default options, as JSON.
    fn options(&self) -> Box<RawValue>;
    /// The data behind the rules with their sources, as JSON.
    fn components(&self) -> Box<RawValue>;
    /// The verdict on a record.
    fn judge(&self, record: &RawRecord<'_>, limits: Limits) -> Result<Judgement, Fault>;
    /// The report of a replay.
    fn replay(&self, record: &RawRecord<'_>, query: &Query) -> Result<Report, Unanswered>;
    /// Why each ply went as it did, or the one that the query names (0 with the opening).
    fn explain(&self, record: &RawRecord<'_>, query: &Query) -> Result<Account, Unanswered>;
    /// Whether an action (JSON text) would be allowed at the query's ply, why not, and what would
    /// have to be otherwise.
    fn why(
        &self,
        record: &RawRecord<'_>,
        asked: &str,
        query: &Query,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered>;
    /// Who decides at a ply, and what is legal there.
    fn legal(
        &self,
        record: &RawRecord<'_>,
        query: &Query,
        count_only: bool,
    ) -> Result<Legal, Unanswered>;
    /// The story of a game as the referee saw it.
    fn story(&self, record: &RawRecord<'_>, limits: Limits) -> Result<Vec<Line>, Fault>;
    /// Settles a dispute: the record under its own readings and under others. The answer is the
    /// referee's.
    fn adjudicate(
        &self,
        record: &RawRecord<'_>,
        dispute: &crate::dispute::readings::Dispute<'_>,
        limits: Limits,
    ) -> Result<crate::dispute::readings::Adjudication, Unanswered>;
    /// Every rule that the record makes the engine cite: by an event, a draw, a decision or the
    /// violation. What a concordance is made of.
    fn cited(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault>;
    /// The smallest edits under which the most of an illegal record validates.
    fn repair(
        &self,
        record: &RawRecord<'_>,
        bounds: RepairBounds<'_>,
        limits: Limits,
    ) -> Result<Repairs, Fault>;
    /// Where two records of this game part.
    fn compare(&self, records: [&RawRecord<'_>; 2], limits: Limits) -> Result<Comparison, FaultOf>;
    /// Where a record parts from the fingerprints of another engine; `chain` if these are chain
    /// fingerprints.
    fn compare_prints(
        &self,
        record: &RawRecord<'_>,
        prints: &[PlyMark],
        chain: bool,
        limits: Limits,
    ) -> Result<PrintComparison, Fault>;
    /// The viewer of that name: `referee`, `spectator` or a seat.
    fn viewer(&self, name: &str) -> Option<Observer> {
        match name {
            "referee" => Some(Observer::Referee),
            "spectator" => Some(Observer::Spectator),
            seat => self.meta().seat(seat).map(Observer::Seat),
        }
    }
    /// The schemas of this game's wire types: for each of the names `Action`, `Range`, `Event`,
    /// `View`, `Options` and `Position`, its component, and all components they need.
    #[cfg(feature = "schema")]
    fn schemas(&self) -> crate::schema::GameSchemas;
}

/// A typed game as [`AnyGame`].
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// The game behind the seam.
    pub const fn new() -> Self {
        Of(PhantomData)
    }
}

impl<G> Default for Of<G> {
    fn default() -> Self {
        Of::new()
    }
}

/// Chance as a record gives it.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// A seed.
    Seed(Seeded),
    /// A tape.
    Tape(Tape<'a>),
    /// A tape, compared with a seed.
    Both(Box<Both<'a>>),
}

impl<'a> Source<'a> {
    /// The chance of a record, with the stream labels of its game.
    pub fn of(field: &'a record::ChanceField<'a>, labels: &'static [&'static str]) -> Self {
        let seeded = field.seed.as_deref().map(|seed| Seeded::new(seed, labels));
        let tape = field.tape.as_deref().map(Tape::new);
        match (tape, seeded) {
            (Some(tape), Some(seeded)) => Source::Both(Box::new(Both::new(tape, seeded))),
            (Some(tape), None) => Source::Tape(tape),
            (None, Some(seeded)) => Source::Seed(seeded),
            (None, None) => Source::Tape(Tape::new(&[])),
        }
    }

    /// The tape as far as it was used.
    pub fn tape(&self) -> Option<&Tape<'a>> {
        match self {
            Source::Seed(_) => None,
            Source::Tape(tape) => Some(tape),
            Source::Both(both) => Some(both.tape()),
        }
    }

    /// The same moment of chance with another tape, if it has one.
    pub(crate) fn on<'b>(&self, entries: &'b [EntryOf<'b>]) -> Source<'b> {
        match self {
            Source::Seed(seeded) => Source::Seed(seeded.clone()),
            Source::Tape(tape) => Source::Tape(tape.on(entries)),
            Source::Both(both) => Source::Both(Box::new(both.on(entries))),
        }
    }

    fn parted(&self) -> Option<usize> {
        match self {
            Source::Both(both) => both.parted(),
            Source::Seed(_) | Source::Tape(_) => None,
        }
    }

    fn inner(&mut self) -> &mut dyn Chance {
        match self {
            Source::Seed(seeded) => seeded,
            Source::Tape(tape) => tape,
            Source::Both(both) => both.as_mut(),
        }
    }
}

impl Chance for Source<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        self.inner().answer(ask)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.inner().order(ask)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.inner().known(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.inner().shuffle(ask)
    }
}

/// A record read with the types of its game, before the first action is played.
pub struct Loaded<'a, G: Game> {
    /// The setup.
    pub setup: Arc<G::Setup>,
    /// Chance, from its first entry.
    pub source: Source<'a>,
    /// The state of the position, if there is one.
    pub position: Option<G::State>,
    /// The actions that could be read.
    pub actions: Vec<G::Action>,
    /// What is wrong with the action behind them.
    pub malformed: Option<Malformed>,
}

/// Reads a record with the types of its game.
pub fn load<'a, G: Game>(
    record: &'a RawRecord<'a>,
    limits: Limits,
) -> Result<Loaded<'a, G>, Fault> {
    let meta = &G::META;
    if let Some(ruleset) = &record.ruleset
        && *ruleset != meta.ruleset()
    {
        let detail = format!("ruleset {ruleset:?} is unknown; {:?} is known", meta.ruleset());
        return Err(Fault::new(FaultCode::UnknownRuleset, "/ruleset", detail));
    }
    let options: G::Options = match record.options {
        Some(text) => record::read(text.get(), FaultCode::BadOptions, "/options")?,
        None => G::Options::default(),
    };
    let mut source = Source::of(&record.chance, meta.streams);
    let (setup, position) = prepare::<G>(options, record.position, &mut source)?;
    for name in record.players.iter().flatten().map(|(seat, _)| seat) {
        let seat = meta.seat(name);
        if !seat.is_some_and(|seat| G::players(&setup).contains(seat)) {
            let seats: Vec<_> = G::players(&setup).iter().map(|it| meta.seat_name(it)).collect();
            let (code, why) = match seat {
                Some(_) => (FaultCode::OptionsRefused, "is not in use under these options"),
                None => (FaultCode::BadRecord, "is no seat of this game"),
            };
            let detail = format!("{name:?} {why}; the seats in use are {}", seats.join(", "));
            let pointer = format!("/players/{}", record::escaped(name));
            return Err(Fault::new(code, pointer, detail));
        }
    }
    let record::Actions { list, malformed } = record::actions(record.actions, limits.actions)?;
    Ok(Loaded { setup, source, position, actions: list, malformed })
}

/// What a game makes of options, chance and the text of a position.
type Prepared<G> = (Arc<<G as Game>::Setup>, Option<<G as Game>::State>);

/// The setup under these options and this chance, and the state of the position on it.
pub(crate) fn prepare<G: Game>(
    options: G::Options,
    position: Option<&RawValue>,
    chance: &mut dyn Chance,
) -> Result<Prepared<G>, Fault> {
    let setup = G::setup(options, chance).map_err(|stop| match stop {
        Stop::Refused(refusal) => refused::<G>(FaultCode::OptionsRefused, "/options", &refusal),
        Stop::Halted { halt, .. } => {
            Fault::new(FaultCode::OptionsRefused, "/chance", halted::<G>(&halt, None).message)
        }
    })?;
    let load = |text: &RawValue| {
        let position = record::read(text.get(), FaultCode::BadPosition, "/position")?;
        G::load(&setup, position)
            .map_err(|refusal| refused::<G>(FaultCode::PositionRefused, "/position", &refusal))
    };
    let state = position.map(load).transpose()?;
    Ok((Arc::new(setup), state))
}

fn refused<G: Game>(code: FaultCode, base: &str, refusal: &Refusal<G::Rule>) -> Fault {
    let invariant =
        refusal.invariant.map(|number| format!("{} invariant {number}", G::META.prefix));
    let detail = match &invariant {
        Some(name) => format!("{} ({name}, {})", refusal.message, refusal.rule.id()),
        None => format!("{} ({})", refusal.message, refusal.rule.id()),
    };
    Fault {
        code,
        pointer: format!("{base}{}", refusal.pointer),
        detail,
        rule: Some(refusal.rule.id()),
        invariant,
    }
}

/// How a tape fault reads in a verdict.
pub(crate) struct Halted {
    pub(crate) code: &'static str,
    pub(crate) pointer: String,
    pub(crate) message: String,
    pub(crate) rules: Vec<String>,
}

pub(crate) fn halted<G: Game>(halt: &Halt, asked_by: Option<G::Rule>) -> Halted {
    let (code, pointer, message) = match halt {
        Halt::Mismatch { entry, asked, found } => (
            "tape_mismatch",
            format!("/chance/tape/{entry}"),
            format!("the rules ask for {asked} here, but {found}"),
        ),
        Halt::Exhausted { entries, asked } => (
            "tape_exhausted",
            format!("/chance/tape/{entries}"),
            format!("the rules ask for {asked} here, but the tape has no entry left"),
        ),
        Halt::NoSeed { asked } => (
            "no_seed",
            "/chance/seed".to_owned(),
            format!("the rules ask for {asked} here, and the record has no seed"),
        ),
        Halt::Open { .. } => {
            ("open_question", "/chance".to_owned(), "chance gave no answer".to_owned())
        }
    };
    let mut rules = vec![G::TAPE.id().to_owned()];
    if let Some(rule) = asked_by
        && rule != G::TAPE
    {
        rules.push(rule.id().to_owned());
    }
    Halted { code, pointer, message, rules }
}

/// A replay with all its parts, still typed.
pub(crate) struct Played<'a, G: Game> {
    pub(crate) table: Table<G>,
    pub(crate) source: Source<'a>,
    pub(crate) end: End<G::Rule>,
    /// Number of actions that the record holds and that could be read.
    pub(crate) sent: usize,
}

pub(crate) fn start<'a, G: Game>(
    loaded: &mut Loaded<'a, G>,
    keep: Keep,
) -> (Table<G>, Option<End<G::Rule>>) {
    begin(&loaded.setup, loaded.position.as_ref(), &mut loaded.source, keep)
}

/// A new game, or a loaded position, up to its first decision; where it cannot be opened, the
/// table before anything happened and why.
pub(crate) fn begin<G: Game>(
    setup: &Arc<G::Setup>,
    position: Option<&G::State>,
    chance: &mut dyn Chance,
    keep: Keep,
) -> (Table<G>, Option<End<G::Rule>>) {
    let begun = match position {
        None => Table::open(setup.clone(), chance, keep),
        Some(state) => Table::resume(setup.clone(), state.clone(), chance, keep),
    };
    begun.map_or_else(
        |stop| {
            let before = position.cloned().unwrap_or_else(|| G::start(setup));
            (Table::unopened(setup.clone(), before, keep), Some(stop.into()))
        },
        |table| (table, None),
    )
}

pub(crate) fn run<'a, G: Game>(
    loaded: Loaded<'a, G>,
    keep: Keep,
    each: impl FnMut(&Table<G>),
) -> Played<'a, G> {
    run_until(loaded, keep, each, || false).0
}

/// As [`run`], but ends with a fault when the flag of the record is raised.
pub(crate) fn run_on<'a, G: Game>(
    record: &RawRecord<'_>,
    loaded: Loaded<'a, G>,
    keep: Keep,
    each: impl FnMut(&Table<G>),
) -> Result<Played<'a, G>, Fault> {
    let stop = || record.stopped();
    match run_until(loaded, keep, each, stop) {
        (played, false) => Ok(played),
        (_, true) => {
            Err(Fault::new(FaultCode::Stopped, "", "the replay was stopped before its end"))
        }
    }
}

/// Plays a record up to its end, or until `stop` says so, which is asked now and then. Says
/// whether it was stopped.
fn run_until<'a, G: Game>(
    mut loaded: Loaded<'a, G>,
    keep: Keep,
    mut each: impl FnMut(&Table<G>),
    stop: impl Fn() -> bool,
) -> (Played<'a, G>, bool) {
    const STRETCH: usize = 64;
    let (mut table, failed) = start(&mut loaded, keep);
    each(&table);
    let Loaded { mut source, actions, malformed, .. } = loaded;
    let sent = actions.len();
    if let Some(end) = failed {
        return (Played { table, source, end, sent }, false);
    }
    let mut left = actions.as_slice();
    loop {
        if stop() {
            return (Played { table, source, end: End::Played, sent }, true);
        }
        let (stretch, rest) = left.split_at(left.len().min(STRETCH));
        let behind = malformed.as_ref().filter(|_| rest.is_empty());
        let end = play_all(&mut table, stretch, behind, &mut source, &mut each);
        if rest.is_empty() || !matches!(end, End::Played) {
            return (Played { table, source, end, sent }, false);
        }
        left = rest;
    }
}

/// What an explanation needs of a record before it is played.
fn steps_of<G: Game>(loaded: &Loaded<'_, G>) -> Steps<G> {
    let begin = loaded.position.clone().unwrap_or_else(|| G::start(&loaded.setup));
    Steps::new(begin, loaded.actions.clone())
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

pub(crate) fn pending<G: Game>(table: &Table<G>) -> Pending {
    pending_at::<G>(table.setup(), table.state())
}

pub(crate) fn pending_at<G: Game>(setup: &G::Setup, state: &G::State) -> Pending {
    let decision = G::decision(setup, state);
    Pending {
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

/// The legal actions most like the one that was sent: of the seat that sent it, or, told to the
/// referee alone, of those who decide instead.
pub(crate) fn nearest<G: Game>(
    table: &Table<G>,
    seat: Option<Seat>,
    sent: &str,
    viewer: Observer,
) -> Vec<Box<RawValue>> {
    let sent: serde_json::Value = serde_json::from_str(sent).unwrap_or_default();
    let seats = match seat.filter(|&seat| table.may_act().contains(seat)) {
        Some(seat) => Seats::one(seat),
        None if viewer == Observer::Referee => table.decision().seats,
        None => Seats::NONE,
    };
    let mut all: Vec<G::Action> =
        seats.iter().flat_map(|seat| most_alike(table, seat, &sent).take(NEAREST)).collect();
    all.sort_by_cached_key(|action| unlike(&sent, action));
    all.iter().take(NEAREST).map(raw).collect()
}

/// The most legal actions that stand beside a refusal.
pub(crate) const NEAREST: usize = 5;

/// The first few thousand legal actions of a seat, those most like the one that was sent first.
pub(crate) fn most_alike<G: Game>(
    table: &Table<G>,
    seat: Seat,
    sent: &serde_json::Value,
) -> impl Iterator<Item = G::Action> + use<G> {
    const LOOK_AT: usize = 5000;
    let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LOOK_AT };
    let _ = table.legal(seat, &mut listing);
    listing.actions.sort_by_cached_key(|action| unlike(sent, action));
    listing.actions.into_iter()
}

/// A key that sorts the most alike actions first.
fn unlike<A: Serialize>(sent: &serde_json::Value, action: &A) -> std::cmp::Reverse<u32> {
    let value = serde_json::to_value(action).unwrap_or_default();
    std::cmp::Reverse(likeness(sent, &value))
}

/// How alike two values are: equal fields count, the same type of action most.
pub(crate) fn likeness(a: &serde_json::Value, b: &serde_json::Value) -> u32 {
    use serde_json::Value;
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => a
            .iter()
            .filter_map(|(key, value)| {
                let weight = if key == "type" { 100 } else { 10 };
                Some(weight * likeness(value, b.get(key)?) / 10)
            })
            .sum(),
        (Value::Array(a), Value::Array(b)) if !a.is_empty() && !b.is_empty() => {
            let same: u32 = a.iter().zip(b).map(|(a, b)| likeness(a, b)).sum();
            same / a.len().max(b.len()) as u32
        }
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => 10u32.saturating_sub(a.abs_diff(b).min(10) as u32 * 2),
            _ => 0,
        },
        (a, b) => u32::from(a == b) * 10,
    }
}

/// The text of one element of `actions`, and the seat it says it comes from.
pub(crate) fn element<'a>(record: &RawRecord<'a>, at: usize) -> Option<&'a RawValue> {
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
        End::Halted { halt, rule } => Some(unfit(&played.table, halt, *rule, viewer)),
        End::Refused(refusal) => {
            let sent = element(record, played.table.ply() as usize).map(RawValue::get);
            Some(forbidden(&played.table, refusal, sent.unwrap_or("null"), viewer))
        }
    }
}

/// A tape fault at the table's ply, as a viewer may know it.
pub(crate) fn unfit<G: Game>(
    table: &Table<G>,
    halt: &Halt,
    rule: Option<G::Rule>,
    viewer: Observer,
) -> Violation {
    tape_fault(table, halted::<G>(halt, rule), viewer)
}

fn unused(left: usize) -> String {
    let entries = if left == 1 { "entry is" } else { "entries are" };
    format!("{left} tape {entries} left over")
}

/// Entries left on the tape of a finished game, as a viewer may know it.
pub(crate) fn left_over<G: Game>(
    table: &Table<G>,
    entry: usize,
    left: usize,
    viewer: Observer,
) -> Violation {
    let told = Halted {
        code: "tape_leftover",
        pointer: format!("/chance/tape/{entry}"),
        message: format!("{}, and the game is over", unused(left)),
        rules: vec![G::TAPE.id().to_owned()],
    };
    tape_fault(table, told, viewer)
}

fn tape_fault<G: Game>(table: &Table<G>, told: Halted, viewer: Observer) -> Violation {
    let told = match viewer {
        Observer::Referee => told,
        Observer::Spectator | Observer::Seat(_) => Halted {
            pointer: "/chance".to_owned(),
            message: "the tape does not fit the game".to_owned(),
            rules: vec![G::TAPE.id().to_owned()],
            ..told
        },
    };
    Violation {
        ply: table.ply(),
        pointer: told.pointer,
        player: None,
        code: told.code.to_owned(),
        rule: G::TAPE.id().to_owned(),
        section: G::TAPE.entry().section(G::edition(table.setup())),
        rules: told.rules,
        message: told.message,
        facts: Vec::new(),
        nearest: Vec::new(),
    }
}

/// The refusal of the action sent at the table's ply, as a viewer may know it.
pub(crate) fn forbidden<G: Game>(
    table: &Table<G>,
    refusal: &Refusal<G::Rule>,
    sent: &str,
    viewer: Observer,
) -> Violation {
    let ply = table.ply();
    let section = |rule: G::Rule| rule.entry().section(G::edition(table.setup()));
    let seat = player_of::<G>(sent);
    let player = seat.map(|seat| G::META.seat_name(seat).to_owned());
    let own = match viewer {
        Observer::Referee => true,
        Observer::Spectator => false,
        Observer::Seat(viewer) => seat == Some(viewer),
    };
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
            G::REJECTION,
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

fn check_claims<G: Game>(
    claims: &Claims,
    status: Status,
    played: &Played<'_, G>,
    print: Option<Fingerprint>,
) -> Vec<ClaimCheck> {
    let mut checks = Vec::new();
    let mut check = |claim: &str, claimed: Option<String>, actual: Option<String>| {
        let holds = claimed == actual;
        checks.push(ClaimCheck { claim: format!("/claims/{claim}"), claimed, actual, holds });
    };
    let outcome = played.table.outcome().map(ending::<G>);
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
    if let (Some(claimed), Some(print)) = (&claims.fingerprint, print) {
        check("fingerprint", Some(claimed.clone()), Some(print.to_string()));
    }
    if let Some(claimed) = &claims.status {
        check("status", Some(claimed.clone()), Some(status.name().to_owned()));
    }
    if let Some(claimed) = claims.plies {
        check("plies", Some(claimed.to_string()), Some(played.table.ply().to_string()));
    }
    checks
}

/// Verdict and warnings as a viewer may know them.
pub(crate) fn verdict<G: Game>(
    record: &RawRecord<'_>,
    played: &Played<'_, G>,
    print: Option<Fingerprint>,
    viewer: Observer,
) -> (Verdict, Vec<Warning>) {
    let referee = viewer == Observer::Referee;
    let outcome = played.table.outcome();
    let mut warnings: Vec<Warning> = G::oddities(played.table.setup())
        .into_iter()
        .map(|Oddity { code, pointer, message }| Warning {
            code,
            pointer: format!("/options{pointer}"),
            message,
        })
        .collect();
    let mut violation = violation(record, played, viewer);
    let mut status = match (&played.end, outcome) {
        (End::Refused(_), _) => Status::Illegal,
        (End::Halted { .. }, _) => Status::BadChance,
        (End::Played, Some(_)) => Status::Complete,
        (End::Played, None) => Status::InProgress,
    };
    let rest = played.source.tape().and_then(|tape| Some((tape.rest()?, tape.left())));
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
    let claims = match &record.claims {
        Some(claims) => check_claims(claims, status, played, print.filter(|_| referee)),
        None => Vec::new(),
    };
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
    };
    (verdict, warnings)
}

/// One event as an observer learns of it.
#[derive(Serialize)]
struct EventLine<'a, N> {
    ply: u32,
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
    let section = logged.rules.first().entry().section(G::edition(setup));
    Some(raw(&EventLine { ply: logged.ply, notice, rule: rules[0], section, rules: &rules }))
}

pub(crate) fn tape_line<G: Game>(drawn: &Drawn<G::Rule>) -> TapeLine {
    TapeLine {
        entry: drawn.entry.clone(),
        ply: drawn.ply,
        stream: G::META.streams.get(usize::from(drawn.stream)).copied().unwrap_or(""),
        rule: drawn.rule.id(),
    }
}

impl<G: Game> AnyGame for Of<G> {
    fn meta(&self) -> &'static Meta {
        const { &G::META }
    }

    fn rules(&self) -> &'static [RuleEntry] {
        G::Rule::TABLE
    }

    fn rulings(&self) -> &'static [RulingDef] {
        G::rulings()
    }

    fn options(&self) -> Box<RawValue> {
        match default_setup::<G>() {
            Some(setup) => raw(&G::options(&setup)),
            None => raw(&G::Options::default()),
        }
    }

    fn components(&self) -> Box<RawValue> {
        match default_setup::<G>() {
            Some(setup) => raw(&G::components(&setup)),
            None => RawValue::NULL.to_owned(),
        }
    }

    fn judge(&self, record: &RawRecord<'_>, limits: Limits) -> Result<Judgement, Fault> {
        let loaded = load::<G>(record, limits)?;
        let played = run_on(record, loaded, Keep::Nothing, |_| {})?;
        let print = fingerprint(&played.table.view(Observer::Referee));
        let (verdict, warnings) = verdict(record, &played, Some(print), Observer::Referee);
        Ok(Judgement {
            engine: ENGINE,
            game: G::META.id,
            ruleset: G::META.ruleset(),
            options: raw(&G::options(played.table.setup())),
            verdict,
            fingerprint: print,
            warnings,
        })
    }

    fn replay(&self, record: &RawRecord<'_>, query: &Query) -> Result<Report, Unanswered> {
        let loaded = load::<G>(record, query.limits)?;
        let Query { viewer, include, .. } = *query;
        let referee = viewer == Observer::Referee;
        let keep = if include.events || include.explain || (include.tape && referee) {
            Keep::Log
        } else {
            Keep::Nothing
        };
        let mut states = include.states.then(Vec::new);
        let mut prints = (include.fingerprints && referee).then(Vec::new);
        let mut chapters = (include.chapters && referee).then(Vec::new);
        let mut chain = Chain::default();
        let mut asked: Option<Table<G>> = None;
        let mut steps = include.explain.then(|| steps_of(&loaded));
        let played = run_on(record, loaded, keep, |table| {
            if query.ply == Some(table.ply()) {
                asked = Some(table.bare());
            }
            if let Some(steps) = &mut steps {
                steps.note(table);
            }
            if let Some(chapters) = &mut chapters
                && query.ply.is_none_or(|ply| table.ply() <= ply)
            {
                note_chapter(chapters, table);
            }
            if let Some(states) = &mut states {
                states.push(PlyState { ply: table.ply(), state: raw(&table.view(viewer)) });
            }
            if let Some(prints) = &mut prints {
                let fingerprint = fingerprint(&table.view(Observer::Referee));
                let chain = chain.add(fingerprint);
                prints.push(PlyPrint { ply: table.ply(), fingerprint, chain });
            }
        })?;
        let shown = match (query.ply, asked) {
            (None, _) => played.table.bare(),
            (Some(_), Some(table)) => table,
            (Some(asked), None) => {
                return Err(Unanswered::NoSuchPly { asked, plies: played.table.ply() });
            }
        };
        let last = fingerprint(&played.table.view(Observer::Referee));
        let (verdict, warnings) = verdict(record, &played, Some(last), viewer);
        let table = &played.table;
        let log = table.log();
        let events = log.filter(|_| include.events).map(|log| {
            let line = |logged| event_line::<G>(table.setup(), logged, viewer);
            log.events.iter().filter_map(line).collect()
        });
        let tape = log
            .filter(|_| include.tape && referee)
            .map(|log| log.tape.iter().map(tape_line::<G>).collect());
        Ok(Report {
            engine: ENGINE,
            game: G::META.id,
            ruleset: G::META.ruleset(),
            options: raw(&G::options(table.setup())),
            verdict,
            viewer: name_of(viewer, self.meta()),
            ply: shown.ply(),
            state: raw(&shown.view(viewer)),
            decision: pending(&shown),
            events,
            states,
            tape,
            fingerprints: prints,
            explain: steps.map(|steps| explain(table, &steps, viewer, None)),
            chapters,
            fingerprint: referee.then(|| fingerprint(&shown.view(Observer::Referee))),
            warnings,
        })
    }

    fn explain(&self, record: &RawRecord<'_>, query: &Query) -> Result<Account, Unanswered> {
        let loaded = load::<G>(record, query.limits)?;
        let mut steps = steps_of(&loaded);
        let played = run(loaded, Keep::Log, |table| steps.note(table));
        let explanations = explain(&played.table, &steps, query.viewer, query.ply);
        match query.ply {
            Some(asked) if explanations.is_empty() => {
                Err(Unanswered::NoSuchPly { asked, plies: played.table.ply() })
            }
            _ => Ok(Account {
                engine: ENGINE,
                game: G::META.id,
                ruleset: G::META.ruleset(),
                viewer: name_of(query.viewer, self.meta()),
                explanations,
            }),
        }
    }

    fn why(
        &self,
        record: &RawRecord<'_>,
        asked: &str,
        query: &Query,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered> {
        why::<G>(record, asked, query, bounds)
    }

    fn legal(
        &self,
        record: &RawRecord<'_>,
        query: &Query,
        count_only: bool,
    ) -> Result<Legal, Unanswered> {
        let loaded = load::<G>(record, query.limits)?;
        let mut asked: Option<Table<G>> = None;
        let played = run_on(record, loaded, Keep::Nothing, |table| {
            if query.ply == Some(table.ply()) {
                asked = Some(table.bare());
            }
        })?;
        let (verdict, _) = verdict(record, &played, None, query.viewer);
        let table = match (query.ply, asked) {
            (None, _) => played.table,
            (Some(_), Some(table)) => table,
            (Some(asked), None) => {
                return Err(Unanswered::NoSuchPly { asked, plies: played.table.ply() });
            }
        };
        let decision = table.decision();
        let mut choices = Vec::new();
        for seat in table.may_act().iter() {
            if decision.open || query.viewer.sees(seat) {
                let most = (!count_only).then_some(query.limits.listed);
                choices.push(choices_of(&table, seat, most));
            }
        }
        Ok(Legal {
            engine: ENGINE,
            game: G::META.id,
            ruleset: G::META.ruleset(),
            viewer: name_of(query.viewer, self.meta()),
            status: verdict.status,
            ply: table.ply(),
            decision: pending(&table),
            choices,
        })
    }

    fn story(&self, record: &RawRecord<'_>, limits: Limits) -> Result<Vec<Line>, Fault> {
        // The first table that is shown is the opened one.
        let mut dealt = None;
        let played = run(load::<G>(record, limits)?, Keep::Log, |table| {
            dealt = dealt.or(table.log().map(|log| log.events.len()));
        });
        let table = &played.table;
        let lines = table.log().map(|log| log.events.iter()).into_iter().flatten();
        Ok(lines
            .enumerate()
            .filter_map(|(at, logged)| {
                let opening = dealt.is_some_and(|dealt| at < dealt);
                let text = G::tell(table.setup(), &logged.event)?;
                let rules = logged.rules.as_slice().iter().map(|rule| rule.id()).collect();
                let edition = G::edition(table.setup());
                let section = logged.rules.first().entry().section(edition);
                Some(Line { ply: logged.ply, opening, text, rules, section })
            })
            .collect())
    }

    fn adjudicate(
        &self,
        record: &RawRecord<'_>,
        dispute: &crate::dispute::readings::Dispute<'_>,
        limits: Limits,
    ) -> Result<crate::dispute::readings::Adjudication, Unanswered> {
        crate::dispute::readings::adjudicate::<G>(record, dispute, limits)
    }

    fn cited(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault> {
        let loaded = load::<G>(record, Limits::default())?;
        let mut rules: std::collections::BTreeSet<&'static str> = std::collections::BTreeSet::new();
        let played = run(loaded, Keep::Log, |table| {
            rules.insert(table.decision().rule.id());
        });
        if let Some(log) = played.table.log() {
            rules.extend(log.events.iter().flat_map(|it| it.rules.as_slice()).map(|it| it.id()));
            rules.extend(log.tape.iter().map(|drawn| drawn.rule.id()));
        }
        match &played.end {
            End::Played => {}
            End::Refused(refusal) => rules.extend(refusal.rules()),
            End::Halted { rule, .. } => {
                rules.insert(G::TAPE.id());
                rules.extend(rule.map(|rule| rule.id()));
            }
        }
        if played.sent > 0 && played.source.tape().is_some_and(|tape| tape.left() > 0) {
            rules.insert(G::TAPE.id());
        }
        Ok(rules.into_iter().collect())
    }

    fn repair(
        &self,
        record: &RawRecord<'_>,
        bounds: RepairBounds<'_>,
        limits: Limits,
    ) -> Result<Repairs, Fault> {
        let stop = || record.stopped();
        let stop = bounds.stop.unwrap_or(&stop);
        repair::repair::<G>(record, RepairBounds { stop: Some(stop), ..bounds }, limits)
    }

    fn compare(&self, records: [&RawRecord<'_>; 2], limits: Limits) -> Result<Comparison, FaultOf> {
        compare::records::<G>(records, limits)
    }

    fn compare_prints(
        &self,
        record: &RawRecord<'_>,
        prints: &[PlyMark],
        chain: bool,
        limits: Limits,
    ) -> Result<PrintComparison, Fault> {
        compare::prints::<G>(record, prints, chain, limits)
    }

    #[cfg(feature = "schema")]
    fn schemas(&self) -> crate::schema::GameSchemas {
        crate::schema::of::<G>()
    }
}

/// Puts the line of the table for this moment in its place: a later moment of the same stretch
/// of play replaces an earlier one.
fn note_chapter<G: Game>(chapters: &mut Vec<Chapter>, table: &Table<G>) {
    let Some(chapter) = G::chapter(table.setup(), table.state()) else { return };
    match chapters.last_mut() {
        Some(last) if (last.name, last.number) == (chapter.name, chapter.number) => *last = chapter,
        _ => chapters.push(chapter),
    }
}

fn default_setup<G: Game>() -> Option<G::Setup> {
    let mut seeded = Seeded::new("", G::META.streams);
    G::setup(G::Options::default(), &mut seeded).ok()
}

/// The legal actions of a seat: at most so many listed, or only counted.
pub(crate) fn choices_of<G: Game>(table: &Table<G>, seat: Seat, most: Option<usize>) -> Choices {
    let mut choices = Choices {
        player: G::META.seat_name(seat),
        count: 0,
        truncated: false,
        actions: most.map(|_| Vec::new()),
        ranges: Vec::new(),
    };
    let _ = table.legal(seat, &mut Chosen { choices: &mut choices, most: most.unwrap_or(0) });
    let listed = choices.actions.as_ref().map(|all| all.len() as u64);
    choices.truncated = listed.is_some_and(|listed| listed < choices.count);
    choices
}

/// A menu that writes down actions up to a bound, counts all of them, and keeps every range.
struct Chosen<'a> {
    choices: &'a mut Choices,
    most: usize,
}

impl<G: Game> Menu<G> for Chosen<'_> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.choices.count += 1;
        if let Some(actions) = &mut self.choices.actions
            && actions.len() < self.most
        {
            actions.push(raw(&action));
        }
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        self.choices.ranges.push(raw(&range));
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let full = self.choices.actions.as_ref().is_none_or(|all| all.len() >= self.most);
        if full {
            self.choices.count += group.count();
            return ControlFlow::Continue(());
        }
        group.each(&mut |action| Menu::<G>::action(self, action))
    }
}
