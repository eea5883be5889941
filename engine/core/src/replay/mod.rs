//! Replaying a record: reading it with the types of its game, opening the table, and the one run
//! that plays the good prefix up to the first fault and can be stopped.
//!
//! Generic over the game; this module must not repair anything and must not try an action after
//! a fault.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::budget::Budget;
use crate::chance::source::Source;
use crate::chance::{Chance, Halt};
use crate::game::{Game, Keep, Observer, Stop, Table, TableSetup};
use crate::record::{self, Fault, FaultCode, Malformed, RawRecord};
use crate::rules::{Refusal, Rule};
use crate::wire;

pub mod answer;
pub mod completion;
pub(crate) mod evidence;
pub(crate) mod nearest;
pub mod reading;
mod status;
pub(crate) mod tape_fault;
pub mod verdict;
pub mod wanted;

use answer::ClaimCheck;
use evidence::{Evidence, LOOK};
use tape_fault::TapeFault;

/// How a replay ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End<R> {
    /// Every action was accepted.
    Played,
    /// The action at the table's ply is refused.
    Refused(Refusal<R>),
    /// Chance gave no answer while the action at the table's ply was carried out.
    Chance {
        /// Why.
        halt: Box<Halt>,
        /// The clause that asked.
        rule: Option<R>,
    },
}

impl<R> From<Stop<R>> for End<R> {
    fn from(stop: Stop<R>) -> Self {
        match stop {
            Stop::Refused(refusal) => End::Refused(refusal),
            Stop::Chance { halt, rule } => End::Chance { halt, rule },
        }
    }
}

/// The refusal of something that is no action of the game, at the place where it is wrong.
pub(crate) fn malformed_at<G: Game>(table: &Table<G>, fault: &Malformed) -> Refusal<G::Rule> {
    let mut refusal = G::refuse_malformed(table.setup(), table.state(), fault);
    if refusal.pointer.is_empty() {
        refusal.pointer.clone_from(&fault.pointer);
    }
    refusal
}

/// How much a replay may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most actions a record may have.
    pub actions: usize,
    /// The most legal actions that are listed of one seat.
    pub listed: usize,
    /// The most bytes that the states, the events or the explanations of a report may have together.
    pub part: usize,
    /// How much work it may be, and who may end it. What is not done then gives no answer but the
    /// fault [`FaultCode::Stopped`].
    pub budget: Budget<'a>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { actions: 100_000, listed: usize::MAX, part: usize::MAX, budget: Budget::UNLIMITED }
    }
}

/// Room for one part of a report.
pub(crate) struct Room {
    what: &'static str,
    taken: usize,
    most: usize,
}

impl Room {
    /// All the room that there is for `what`.
    pub(crate) fn new(what: &'static str, limits: Limits<'_>) -> Self {
        Room { what, taken: 0, most: limits.part }
    }

    /// Takes so many bytes of it.
    ///
    /// # Errors
    /// There is not so much left.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        self.taken = self.taken.saturating_add(bytes);
        if self.taken <= self.most {
            return Ok(());
        }
        let Room { what, most, .. } = self;
        let detail = format!(
            "the {what} have more than {most} bytes together, which are not included; ask for single plies"
        );
        Err(Fault::new(FaultCode::TooManyActions, "/actions", detail))
    }
}

/// Optional parts of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Include {
    /// Every event.
    pub events: bool,
    /// Beside the events, each in words.
    pub text: bool,
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
    /// The legal actions that the viewer may see, at the ply.
    pub legal: bool,
    /// What it looks like, at the ply.
    pub scene: bool,
}

/// What is wanted of a replay.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Who looks.
    pub viewer: Observer,
    /// The ply whose state is wanted; the last good one where it is left out. What the record says after it is not
    /// looked at, but by an explanation, which is about the action there.
    pub ply: Option<u32>,
    /// Optional parts.
    pub include: Include,
    /// How much it may cost.
    pub limits: Limits<'a>,
}

impl Default for Query<'_> {
    fn default() -> Self {
        Query {
            viewer: Observer::Referee,
            ply: None,
            include: Include::default(),
            limits: Limits::default(),
        }
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
    /// What is wrong with the action after them.
    pub malformed: Option<Malformed>,
    /// What the record states of moments of its game.
    pub(crate) evidence: Evidence,
    /// How much work it may be to play them.
    pub budget: Budget<'a>,
    /// Whether actions of the record were left out ([`Loaded::cut`]).
    pub(crate) cut: bool,
}

impl<G: Game> Loaded<'_, G> {
    /// Leaves out what comes after so many actions, if anything does: it is not played, and nothing is said of it.
    pub(crate) fn cut(mut self, plies: Option<u32>) -> Self {
        let kept = plies.map_or(usize::MAX, |plies| plies as usize);
        let more = self.actions.len() > kept;
        if more || (self.actions.len() == kept && self.malformed.is_some()) {
            self.actions.truncate(kept);
            self.malformed = None;
            self.evidence.forget_beyond(plies.unwrap_or(u32::MAX));
            self.cut = true;
        }
        self
    }
}

/// Reads a record with the types of its game.
pub fn load<'a, G: Game>(
    record: &'a RawRecord<'a>,
    limits: Limits<'a>,
) -> Result<Loaded<'a, G>, Fault> {
    let meta = &G::META;
    let options = options_of::<G>(record.ruleset.as_deref(), record.options)?;
    let chance = &record.chance;
    let mut source = Source::new(chance.seed.as_deref(), chance.tape.as_deref(), meta.streams);
    let (setup, position) = prepare::<G>(options, record.position, &mut source)?;
    for name in record.players.iter().flatten().map(|(seat, _)| seat) {
        let seat = meta.seat(name);
        if !seat.is_some_and(|seat| G::Setup::players(&setup).contains(seat)) {
            let seats: Vec<_> =
                G::Setup::players(&setup).iter().map(|it| meta.seat_name(it)).collect();
            let (code, why) = match seat {
                Some(_) => (FaultCode::OptionsRefused, "is not in use under these options"),
                None => (FaultCode::BadRecord, "is no seat of this game"),
            };
            let detail = format!("{name:?} {why}; the seats in use are {}", seats.join(", "));
            let pointer = format!("/players/{}", wire::escaped(name));
            return Err(Fault::new(code, pointer, detail));
        }
    }
    let record::Actions { list, malformed } = record::actions(record.actions, limits.actions)?;
    let evidence = Evidence::of::<G>(record)?;
    let budget = limits.budget;
    Ok(Loaded { setup, source, position, actions: list, malformed, evidence, budget, cut: false })
}

/// The options of a record, under the defaults of the ruleset that it names, or of the newest.
pub(crate) fn options_of<G: Game>(
    ruleset: Option<&str>,
    options: Option<&RawValue>,
) -> Result<G::Options, Fault> {
    let meta = &G::META;
    let version = match ruleset {
        None => meta.version,
        Some(ruleset) => meta.version_of(ruleset).ok_or_else(|| {
            let known: Vec<_> = meta.rulesets().map(|known| format!("{known:?}")).collect();
            let (last, others) = known.split_last().map_or(("", &[][..]), |(it, all)| (it, all));
            let known = match others {
                [] => format!("{last} is known"),
                others => format!("{} and {last} are known", others.join(", ")),
            };
            let detail = format!("ruleset {ruleset:?} is unknown; {known}");
            Fault::new(FaultCode::UnknownRuleset, "/ruleset", detail)
        })?,
    };
    let mut options = match options {
        Some(text) => record::read(text.get(), FaultCode::BadOptions, "/options")?,
        None => G::Options::default(),
    };
    G::Setup::set_version(&mut options, version);
    Ok(options)
}

/// What a game makes of options, chance and the text of a position.
type Prepared<G> = (Arc<<G as Game>::Setup>, Option<<G as Game>::State>);

/// The setup under these options and this chance, and the state of the position on it.
pub(crate) fn prepare<G: Game>(
    options: G::Options,
    position: Option<&RawValue>,
    chance: &mut dyn Chance,
) -> Result<Prepared<G>, Fault> {
    let options_refused =
        |refusal: &Refusal<G::Rule>| refused::<G>(FaultCode::OptionsRefused, "/options", refusal);
    let setup = G::Setup::from_options(options, chance).map_err(|stop| match stop {
        Stop::Refused(refusal) => options_refused(&refusal),
        Stop::Chance { halt, .. } => Fault::new(
            FaultCode::OptionsRefused,
            "/chance",
            TapeFault::of::<G>(&halt, None).message,
        ),
    })?;
    let load = |text: &RawValue| {
        let position = record::read(text.get(), FaultCode::BadPosition, "/position")?;
        G::load(&setup, position).map_err(|refusal| position_refused::<G>(&refusal))
    };
    let state = position.map(load).transpose()?;
    if state.is_none() {
        setup.check_new_game().map_err(|refusal| options_refused(&refusal))?;
    }
    Ok((Arc::new(setup), state))
}

/// Why a position is refused.
pub(crate) fn position_refused<G: Game>(refusal: &Refusal<G::Rule>) -> Fault {
    refused::<G>(FaultCode::PositionRefused, "/position", refusal)
}

fn refused<G: Game>(code: FaultCode, base: &str, refusal: &Refusal<G::Rule>) -> Fault {
    let invariant = refusal.invariant.map(|number| G::META.invariant_id(number));
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
        end_of_game: refusal.end_of_game.map(Box::new),
    }
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

/// A replay that has ended, with all its parts, still typed.
pub(crate) struct Played<'a, G: Game> {
    pub(crate) table: Table<G>,
    pub(crate) source: Source<'a>,
    pub(crate) end: End<G::Rule>,
    /// Number of actions that the record holds and that could be read.
    pub(crate) sent: usize,
    /// What the record states of moments of its game, checked.
    pub(crate) checks: Vec<ClaimCheck>,
    /// Whether actions of the record were left out.
    pub(crate) cut: bool,
}

/// A record on its table, as far as it has been played.
pub(crate) struct Replay<'a, G: Game> {
    budget: Budget<'a>,
    pub(crate) table: Table<G>,
    pub(crate) source: Source<'a>,
    pub(crate) actions: Vec<G::Action>,
    malformed: Option<Malformed>,
    evidence: Evidence,
    checks: Vec<ClaimCheck>,
    cut: bool,
    /// Why it goes no further.
    pub(crate) end: Option<End<G::Rule>>,
}

impl<'a, G: Game> Replay<'a, G> {
    /// Opens the table of a record.
    pub(crate) fn open(loaded: Loaded<'a, G>, keep: Keep) -> Self {
        let Loaded { setup, mut source, position, actions, malformed, evidence, budget, cut } =
            loaded;
        let (table, end) = begin(&setup, position.as_ref(), &mut source, keep);
        let mut checks = Vec::new();
        if end.is_none() {
            evidence.look(&table, &mut checks);
        }
        Replay { budget, table, source, actions, malformed, evidence, checks, cut, end }
    }

    /// Plays the next action; whether there was one and it was accepted. Ends with the fault
    /// [`FaultCode::Stopped`] once the budget is spent.
    pub(crate) fn step(&mut self) -> Result<bool, Fault> {
        if self.end.is_some() {
            return Ok(false);
        }
        self.budget.spend(1)?;
        self.end = match (self.actions.get(self.table.ply() as usize), &self.malformed) {
            (Some(action), _) => match self.table.play(action, &mut self.source) {
                Ok(()) => {
                    self.budget.spend((LOOK * self.evidence.count(self.table.ply())).into())?;
                    self.evidence.look(&self.table, &mut self.checks);
                    return Ok(true);
                }
                Err(stop) => Some(stop.into()),
            },
            (None, Some(fault)) => Some(End::Refused(malformed_at(&self.table, fault))),
            (None, None) => Some(End::Played),
        };
        Ok(false)
    }

    /// Plays to the end. `each` sees the table after every accepted action.
    pub(crate) fn finish(
        mut self,
        each: &mut dyn FnMut(&Table<G>),
    ) -> Result<Played<'a, G>, Fault> {
        while self.step()? {
            each(&self.table);
        }
        self.budget.spend(0)?;
        let Replay { table, source, actions, evidence, mut checks, cut, end, .. } = self;
        evidence.beyond(table.ply(), &mut checks);
        let end = end.unwrap_or(End::Played);
        Ok(Played { table, source, end, sent: actions.len(), checks, cut })
    }
}

/// Plays a record up to its end: the one run behind every answer. `each` sees the table once it is
/// opened and after every accepted action.
pub(crate) fn run<'a, G: Game>(
    loaded: Loaded<'a, G>,
    keep: Keep,
    each: &mut dyn FnMut(&Table<G>),
) -> Result<Played<'a, G>, Fault> {
    let replay = Replay::open(loaded, keep);
    each(&replay.table);
    replay.finish(each)
}
