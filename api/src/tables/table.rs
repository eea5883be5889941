//! One table in memory: the state that its journal leads to.
//!
//! It is rebuilt from its journal alone, so it can be dropped at any moment. This module must not store anything, must not know HTTP, and must not know a game.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::chance::Entry;
use umpire_engine::chance::fair::{FairDraw, FairPart, Transcript};
use umpire_engine::game::Observer;
use umpire_engine::games;
use umpire_engine::live::{Disclosed, Live, Sender, Tried};
use umpire_engine::record::{FORMAT, Fault, FaultCode};
use umpire_engine::replay::Limits;

use super::journal::{Agreed, Draws, FORM, Head, Part, Step, Taken};
use crate::store::when;
use crate::store::{StoredStep, StoredTable, TableId};
use umpire_referee::json;
use umpire_referee::reading::with_record;

/// A table in memory.
pub struct Table {
    /// Its id.
    pub id: TableId,
    /// What it was created as.
    pub head: Head,
    /// Its game.
    pub game: &'static dyn AnyGame,
    /// The game in progress; none while its seed is still being drawn.
    pub live: Option<Box<dyn Live>>,
    /// The number of steps in its journal.
    pub steps: u32,
    /// The number of undos.
    pub undos: u32,
    /// The pending request to take actions back.
    pub proposal: Option<Proposal>,
    /// The fair draw of its seed, if there is one.
    pub fair: Option<FairDraw>,
    /// The record that it became.
    pub sealed: Option<String>,
    /// The length of everything in its record but the actions, rounded up.
    head_length: usize,
    actions: Vec<Action>,
    keys: HashMap<String, u32>,
    /// For each seat that decides, the ply since which it has had the same decision to make.
    asked: BTreeMap<&'static str, (u32, &'static str)>,
}

/// An action that stands.
struct Action {
    text: Box<RawValue>,
    tape: Vec<Entry>,
    at: i64,
    /// How many bytes it adds to the record.
    length: usize,
}

/// More than what a record says of its table, beside what the table was created as.
const RECORD_EXTRA: usize = 4 << 10;

/// More than the separators and the time of an action.
const ACTION_EXTRA: usize = 24;

/// The source of a table's chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChanceKind {
    /// A seed of the server, secret until the table is sealed.
    Server,
    /// A seed that was given when the table was created.
    Seed,
    /// Dice and cards are entered by hand.
    Tape,
    /// A seed that all players have drawn together.
    Fair,
}

/// A pending request to take actions back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = UndoProposal))]
pub struct Proposal {
    /// The ply that the table would go back to.
    pub to: u32,
    /// The seats that agree.
    pub agreed: BTreeSet<String>,
    /// The seats that have not agreed yet.
    pub missing: BTreeSet<String>,
}

/// Why a table cannot be rebuilt from its journal, or why a step does not belong to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit(pub String);

impl From<Fault> for Unfit {
    fn from(fault: Fault) -> Self {
        Unfit(fault.to_string())
    }
}

impl Head {
    /// The part of a seat in a fair draw, if the seat is in use.
    fn part_of(&self, seat: &str) -> Option<FairPart> {
        match (self.seats.contains_key(seat), self.programs.contains_key(seat)) {
            (true, _) => Some(FairPart::of(seat)),
            (false, true) => Some(FairPart::of_program(seat)),
            (false, false) => None,
        }
    }
}

impl Table {
    /// A new table.
    ///
    /// # Errors
    /// The game cannot start like this.
    pub fn new(id: TableId, head: Head, limits: Limits<'_>) -> Result<Self, Fault> {
        let Some(game) = games::find(&head.game) else {
            let detail = format!("game {:?} is unknown", head.game);
            return Err(Fault::new(FaultCode::UnknownGame, "/game", detail));
        };
        let fair = match &head.chance {
            Draws::Fair(secret) => Some(FairDraw::new(
                id.to_string(),
                secret.clone(),
                game.meta().seats.iter().filter_map(|seat| head.part_of(seat)).collect(),
            )),
            _ => None,
        };
        let mut table = Table {
            id,
            head_length: json::text(&head).len() + RECORD_EXTRA,
            head,
            game,
            live: None,
            steps: 0,
            undos: 0,
            proposal: None,
            fair,
            sealed: None,
            actions: Vec::new(),
            keys: HashMap::new(),
            asked: BTreeMap::new(),
        };
        table.begin(limits)?;
        Ok(table)
    }

    /// The table of a journal.
    ///
    /// # Errors
    /// [`Unfit`] says what is wrong with it.
    pub fn of(stored: StoredTable, limits: Limits<'_>) -> Result<Self, Unfit> {
        let unread = |error: serde_json::Error| Unfit(format!("it cannot be read: {error}"));
        let head: Head = serde_json::from_str(&stored.head).map_err(unread)?;
        if head.form != FORM {
            return Err(Unfit(format!("its form is {}; {FORM} is known", head.form)));
        }
        // The actions that stand are played once, at the end.
        let mut table = Table::new(stored.id, head, limits)?;
        let live = table.live.take();
        for step in &stored.steps {
            let read: Step = serde_json::from_str(&step.text).map_err(unread)?;
            table.note(read);
        }
        match (live, table.actions.is_empty()) {
            (Some(live), true) => table.live = Some(live),
            _ => table.begin(limits)?,
        }
        Ok(table)
    }

    /// Opens the game, or opens it again, as far as its seed is known.
    fn begin(&mut self, limits: Limits<'_>) -> Result<(), Fault> {
        self.live = match self.seed_is_known() {
            true => Some(self.opened(self.actions.len(), limits)?),
            false => None,
        };
        self.asked.clear();
        self.note_asked(None);
        Ok(())
    }

    /// The game after so many of its actions.
    fn opened(&self, plies: usize, limits: Limits<'_>) -> Result<Box<dyn Live>, Fault> {
        let text = self.text(plies, false);
        with_record(text.get().as_bytes(), |submission| {
            submission.game.live(&submission.record, limits)
        })
    }

    fn seed_is_known(&self) -> bool {
        self.fair.as_ref().is_none_or(|draw| draw.transcript().is_some())
    }

    /// Applies a stored step, except to the game itself.
    fn note(&mut self, step: Step) {
        self.steps += 1;
        match step {
            Step::Action(Taken { action, at, tape, key }) => {
                self.keys.extend(key.map(|key| (key, self.actions.len() as u32)));
                let length = action.get().len() + json::text(&tape).len() + ACTION_EXTRA;
                self.actions.push(Action { text: action, tape, at, length });
                self.proposal = None;
            }
            Step::Agree(Agreed { to, seat }) => self.agree(to, seat),
            Step::Withdraw(seat) => self.withdraw(seat),
            Step::Undo(to) => {
                self.actions.truncate(to as usize);
                self.keys.retain(|_, ply| *ply < to);
                self.undos += 1;
                self.proposal = None;
            }
            Step::Commit(Part { seat, value }) => {
                self.fair.iter_mut().for_each(|draw| draw.commit(&seat, &value));
            }
            Step::Reveal(Part { seat, value }) => {
                self.fair.iter_mut().for_each(|draw| draw.reveal(&seat, &value));
            }
            Step::Without(seat) => self.fair.iter_mut().for_each(|draw| draw.leave_out(&seat)),
            Step::Seal(record) => self.sealed = Some(record),
        }
    }

    /// Applies a step. An action has already been played, by `actor`.
    ///
    /// # Errors
    /// The game cannot be opened as it stands then.
    pub fn take(
        &mut self,
        step: Step,
        actor: Option<&'static str>,
        limits: Limits<'_>,
    ) -> Result<(), Fault> {
        let again = matches!(step, Step::Undo(_));
        self.note(step);
        if again || (self.live.is_none() && self.seed_is_known()) {
            self.begin(limits)?;
        } else {
            self.note_asked(actor);
        }
        Ok(())
    }

    /// Applies a step that another server has stored, and says whether it was an action.
    ///
    /// # Errors
    /// The step does not fit. The table must not be used any more.
    pub fn follow(&mut self, kept: &StoredStep, limits: Limits<'_>) -> Result<bool, Unfit> {
        let step: Step = serde_json::from_str(&kept.text)
            .map_err(|error| Unfit(format!("it cannot be read: {error}")))?;
        let Step::Action(taken) = &step else {
            self.take(step, None, limits)?;
            return Ok(false);
        };
        let sender = Sender { seat: None, viewer: Observer::Referee };
        let live = self.live.as_mut().ok_or_else(|| Unfit("its game has not begun".to_owned()))?;
        let action = live.read(&taken.action)?;
        match live.play(&action, taken.tape.clone(), sender)? {
            Tried::Taken => {}
            Tried::Refused(_) => return Err(Unfit("an action in it is illegal".to_owned())),
        }
        self.take(step, action.player, limits)?;
        Ok(true)
    }

    /// The seat that an action says it comes from.
    pub fn player_of(&self, action: &RawValue) -> Option<&'static str> {
        #[derive(serde::Deserialize)]
        struct Sender {
            player: String,
        }
        let sender: Sender = serde_json::from_str(action.get()).ok()?;
        let seat = self.game.meta().seat(&sender.player)?;
        Some(self.game.meta().seat_name(seat))
    }

    /// Notes since when each seat has had the decision that it has now. For a seat that has just acted it is new.
    fn note_asked(&mut self, actor: Option<&'static str>) {
        let Some(live) = &self.live else { return };
        let decision = live.decision();
        let before = std::mem::take(&mut self.asked);
        for seat in decision.players {
            let same = before.get(seat).filter(|(_, state)| *state == decision.state);
            let since =
                same.filter(|_| actor != Some(seat)).map_or(live.ply(), |(since, _)| *since);
            self.asked.insert(seat, (since, decision.state));
        }
    }

    /// Whether a seat may still act on what it saw at a ply: since then, only others have made their part of the same
    /// decision.
    pub fn still_asked(&self, seat: &str, ply: u32) -> bool {
        self.asked.get(seat).is_some_and(|(since, _)| *since <= ply)
    }

    /// The source of its chance.
    pub fn chance(&self) -> ChanceKind {
        match self.head.chance {
            Draws::Server(_) => ChanceKind::Server,
            Draws::Seed(_) => ChanceKind::Seed,
            Draws::Tape(_) => ChanceKind::Tape,
            Draws::Fair(_) => ChanceKind::Fair,
        }
    }

    /// Number of actions that stand.
    pub fn ply(&self) -> u32 {
        self.actions.len() as u32
    }

    /// The current moment, as streams name it.
    pub fn moment(&self) -> Moment {
        // Only then the version tells all about it.
        let plain = self.live.is_some() && self.proposal.is_none() && self.sealed.is_none();
        Moment { version: self.version(), steps: (!plain).then_some(self.steps) }
    }

    /// The length of its record so far, in bytes, rounded up.
    pub fn length(&self) -> usize {
        self.head_length + self.actions.iter().map(|action| action.length).sum::<usize>()
    }

    /// The number of tape entries so far, at a table whose dice and cards are entered by hand.
    pub fn fallen(&self) -> usize {
        match &self.head.chance {
            Draws::Tape(first) => {
                first.len() + self.actions.iter().map(|action| action.tape.len()).sum::<usize>()
            }
            Draws::Server(_) | Draws::Seed(_) | Draws::Fair(_) => 0,
        }
    }

    /// The version: the ply, and the number of undos.
    pub fn version(&self) -> Version {
        Version { ply: self.ply(), undos: self.undos }
    }

    /// The action that was taken under this idempotency key: its ply, its text, and what fell for it.
    pub fn keyed(&self, key: &str) -> Option<(u32, &RawValue, &[Entry])> {
        let ply = *self.keys.get(key)?;
        let action = self.actions.get(ply as usize)?;
        Some((ply, &*action.text, &action.tape))
    }

    /// Notes that a seat agrees.
    fn agree(&mut self, to: u32, seat: String) {
        let concerned = self.concerned(to);
        let mut agreed = match self.proposal.take() {
            Some(proposal) if proposal.to == to => proposal.agreed,
            _ => BTreeSet::new(),
        };
        agreed.insert(seat);
        let missing = concerned.difference(&agreed).cloned().collect();
        self.proposal = Some(Proposal { to, agreed, missing });
    }

    /// Notes that a seat withdraws its request.
    fn withdraw(&mut self, seat: String) {
        if let Some(proposal) = &mut self.proposal
            && proposal.agreed.remove(&seat)
        {
            proposal.missing.insert(seat);
        }
        self.proposal = self.proposal.take().filter(|proposal| !proposal.agreed.is_empty());
    }

    /// The seats that must agree before actions are taken back: those that have acted since then and those that decide
    /// now. Programs always agree.
    pub fn concerned(&self, to: u32) -> BTreeSet<String> {
        let since = self.actions.iter().skip(to as usize);
        let acted = since.filter_map(|action| self.player_of(&action.text));
        let asked = self.asked.keys().copied();
        let people = acted.chain(asked).filter(|seat| !self.head.programs.contains_key(*seat));
        people.map(str::to_owned).collect()
    }

    /// Whether going back to a ply would leave somebody with knowledge of something hidden, as far as `asker` can tell.
    ///
    /// # Errors
    /// The budget is spent; nothing else for a table that is whole.
    pub fn disclosed(
        &self,
        to: u32,
        asker: Observer,
        limits: Limits<'_>,
    ) -> Result<Disclosed, Fault> {
        let undone = &self.actions[(to as usize).min(self.actions.len())..];
        if undone.iter().any(|action| !action.tape.is_empty()) {
            return Ok(Disclosed::Draw);
        }
        let back = self.opened(to as usize, limits)?;
        let undone: Vec<&RawValue> = undone.iter().map(|action| &*action.text).collect();
        back.disclosed(&undone, asker, limits.budget)
    }

    /// The seed, if there is one and it is known.
    fn seed(&self) -> Option<String> {
        match &self.head.chance {
            Draws::Server(seed) | Draws::Seed(seed) => Some(seed.clone()),
            Draws::Tape(_) => None,
            Draws::Fair(_) => Some(self.transcript()?.seed()),
        }
    }

    /// The transcript of the fair draw, once it is finished.
    pub fn transcript(&self) -> Option<Transcript> {
        self.fair.as_ref()?.transcript()
    }

    /// The record so far, as it is stored: with the times of its actions, and the transcript of a fair draw.
    pub fn record(&self) -> Box<RawValue> {
        self.text(self.actions.len(), true)
    }

    fn text(&self, plies: usize, whole: bool) -> Box<RawValue> {
        #[derive(Serialize)]
        struct Record<'a> {
            format: &'static str,
            game: &'a str,
            ruleset: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            options: Option<&'a RawValue>,
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            players: &'a BTreeMap<String, String>,
            chance: Chance,
            #[serde(skip_serializing_if = "Option::is_none")]
            position: Option<&'a RawValue>,
            actions: Vec<&'a RawValue>,
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            meta: BTreeMap<String, String>,
        }
        #[derive(Serialize)]
        struct Chance {
            #[serde(skip_serializing_if = "Option::is_none")]
            seed: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            tape: Option<Vec<Entry>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            fair: Option<Transcript>,
        }
        let actions = &self.actions[..plies.min(self.actions.len())];
        let tape = match &self.head.chance {
            Draws::Tape(first) => {
                let fallen = actions.iter().flat_map(|action| &action.tape);
                Some(first.iter().chain(fallen).cloned().collect())
            }
            _ => None,
        };
        let fair = self.transcript().filter(|_| whole);
        let chance = Chance { seed: self.seed(), tape, fair };
        let mut meta = self.head.meta.clone();
        if whole {
            let times: Vec<String> =
                actions.iter().map(|action| (action.at - self.head.at).to_string()).collect();
            meta.insert("table".to_owned(), self.id.to_string());
            meta.insert("started_at".to_owned(), when::text(self.head.at));
            meta.insert("action_milliseconds".to_owned(), times.join(" "));
            if self.undos > 0 {
                meta.insert("undos".to_owned(), self.undos.to_string());
            }
        }
        let record = Record {
            format: FORMAT,
            game: &self.head.game,
            ruleset: &self.head.ruleset,
            options: self.head.options.as_deref(),
            players: &self.head.players,
            chance,
            position: self.head.position.as_deref(),
            actions: actions.iter().map(|action| &*action.text).collect(),
            meta,
        };
        // Strings, numbers and JSON texts always serialise.
        serde_json::value::to_raw_value(&record).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }
}

/// A moment of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Number of actions that stand.
    pub ply: u32,
    /// The number of undos.
    pub undos: u32,
}

impl std::fmt::Display for Version {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.undos {
            0 => write!(to, "{}", self.ply),
            undos => write!(to, "{}.{undos}", self.ply),
        }
    }
}

/// A moment of a table, as streams name it: its version (`41`), followed by the number of its steps (`41-44`) if the
/// version does not identify the moment: while the seed is being drawn, while an undo is pending, and once the table is
/// a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The version.
    pub version: Version,
    /// The number of steps, if the version does not suffice.
    pub steps: Option<u32>,
}

impl std::fmt::Display for Moment {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.steps {
            None => self.version.fmt(to),
            Some(steps) => write!(to, "{}-{steps}", self.version),
        }
    }
}

impl std::str::FromStr for Moment {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (version, steps) = match text.split_once('-') {
            Some((version, steps)) => (version, Some(number(steps)?)),
            None => (text, None),
        };
        Ok(Moment { version: version.parse()?, steps })
    }
}

/// A number written in digits only.
fn number(text: &str) -> Result<u32, ()> {
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().map_err(|_| ()),
        false => Err(()),
    }
}

impl std::str::FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (ply, undos) = text.split_once('.').unwrap_or((text, "0"));
        Ok(Version { ply: number(ply)?, undos: number(undos)? })
    }
}
