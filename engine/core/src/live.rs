//! A game that grows: a table that is kept between actions.
//!
//! What it answers is what a replay of the same record answers; it only need not begin anew each time. All of it can
//! be made again from the record at any moment. Must not know a game, must not keep the text of a record, and must
//! not show a viewer more than a replay does.

use std::any::Any;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::analysis::hint::{self, Asked, Hint, Unadvised};
use crate::analysis::minds::Minds;
use crate::analysis::search::{Position, offered};
use crate::budget::Budget;
use crate::chance::source::Source;
use crate::chance::{Ask, Chance, Entry, Halt, What};
use crate::game::{
    FullGame, Keep, Log, Logged, Observer, PlayerAction, Seat, Standing, Table, TableSetup,
};
use crate::people::{People, Sentences, sentences};
use crate::record::{self, Fault, FaultCode, Malformed, RawRecord};
use crate::replay::answer::{
    ENGINE, Ending, Legal, LegalQuery, PendingDecision, Status, Violation, ending, event_line,
    name_of, pending, raw,
};
use crate::replay::tape_fault::TapeFault;
use crate::replay::verdict::{player_of, refusal_violation, seats_in_use, tape_violation};
use crate::replay::{End, Limits, Loaded, begin, load, malformed_at};
use crate::report::{Depiction, choices, stray};
#[cfg(feature = "schema")]
use crate::schema::{GameEvent, GameView};

mod disclosure;

pub use disclosure::Disclosed;

/// A game in progress of whatever game it is.
pub trait Live: Send + Sync {
    /// The seats in use, in seat order.
    fn seats(&self) -> Vec<&'static str>;
    /// The options in force, defaults included.
    fn options(&self) -> Box<RawValue>;
    /// Number of actions accepted so far.
    fn ply(&self) -> u32;
    /// What is to be decided.
    fn decision(&self) -> PendingDecision;
    /// Reads an action, so that it need not be read again to be played.
    ///
    /// # Errors
    /// The text is nothing that can stand among the actions of a record.
    fn read(&self, action: &RawValue) -> Result<SentAction, Fault>;
    /// Tries an action of this game, with what fell for it if chance comes from a tape. It is taken, or nothing has
    /// changed and the answer says why, as far as the sender may know.
    ///
    /// # Errors
    /// The action was read for another game.
    fn play(
        &mut self,
        action: &SentAction,
        fallen: Vec<Entry>,
        sender: Sender,
    ) -> Result<Tried, Fault>;
    /// What a seat knows now, to be thought about while the game may go on.
    fn seen_by(&self, seat: Seat) -> Box<dyn Seen>;
    /// How it stands, as a viewer knows it.
    fn look(&self, viewer: Observer) -> Look;
    /// What a viewer was told by the actions from ply `from` up to, but without, ply `to`; by the opening, too, where
    /// `from` is left out.
    fn tell(&self, viewer: Observer, from: Option<u32>, to: u32) -> Told;
    /// Who decides, and what is legal.
    ///
    /// # Errors
    /// [`FaultCode::Stopped`] once the budget is spent.
    fn legal(
        &self,
        viewer: Observer,
        wanted: LegalQuery<'_>,
        limits: Limits<'_>,
    ) -> Result<Legal, Fault>;
    /// What a program may choose between for a seat: legal actions, each once and at most so many, and whether no
    /// sensible one is left out. The same game gives the same list. Where something sensible can be done, nothing else is offered; of a
    /// range there are only some, those that the game proposes.
    fn offers(&self, seat: Seat, most: usize) -> (Vec<Box<RawValue>>, bool);
    /// What it looks like.
    fn depict(&self, viewer: Observer) -> Depiction;
    /// Whether taking back these actions, which were played from here on, would leave somebody with knowledge of
    /// something hidden, as far as `asker` can tell. The answer follows from what the asker knows: it is the same in
    /// every world that the asker cannot tell apart from this one.
    ///
    /// # Errors
    /// The actions cannot be played from here, or the budget is spent.
    fn disclosed(
        &self,
        actions: &[&RawValue],
        asker: Observer,
        budget: Budget<'_>,
    ) -> Result<Disclosed, Fault>;
}

/// An action that was read for a game; it need not be legal, nor well formed.
pub struct SentAction {
    text: Box<RawValue>,
    /// A `Result<G::Action, Malformed>` of the game that read it.
    typed: Box<dyn Any + Send + Sync>,
    /// The seat that it says it comes from.
    pub player: Option<&'static str>,
}

impl SentAction {
    /// The action as it was sent.
    pub fn text(&self) -> &RawValue {
        &self.text
    }
}

/// What one seat knows of a game at one moment.
pub trait Seen: Send {
    /// What the seat should do, from what it knows: the same as for the record of the game so far. `asked` cannot name
    /// another ply or seat.
    ///
    /// # Errors
    /// [`Unadvised`]: the game is over, the seat is not asked, or the budget is spent.
    fn hint(&self, asked: &Asked<'_>) -> Result<Hint, Unadvised>;
}

/// Who sends an action to a table, and with whose eyes he is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sender {
    /// The seat that is known to send it, whatever the action says; none where that is for the action to say.
    pub seat: Option<Seat>,
    /// Who is told what comes of it.
    pub viewer: Observer,
}

/// What became of an action.
#[derive(Clone, Debug)]
pub enum Tried {
    /// It was taken.
    Taken,
    /// It was not: by which clause, as in a verdict. Where chance has no answer, or has one too many, that is said
    /// as in a verdict, too.
    Refused(Box<Violation>),
}

/// How a game stands, as one viewer knows it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Look))]
pub struct Look {
    /// Number of accepted actions.
    pub ply: u32,
    /// `complete` once the game is over, `in_progress` until then.
    pub status: Status,
    /// How the game ended, if it is over.
    pub outcome: Option<Ending>,
    /// How the players stand while no rule names a winner, in games that have such a measure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub standing: Vec<Standing>,
    /// What is to be decided.
    pub decision: PendingDecision,
    /// What the viewer knows of the state.
    #[cfg_attr(feature = "schema", schema(value_type = GameView))]
    pub state: Box<RawValue>,
}

/// What a viewer was told.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Told))]
pub struct Told {
    /// The events, in order, with the clauses they follow from.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<GameEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// Each of them in words; `null` where the lines around it tell it.
    pub texts: Vec<Option<String>>,
}

sentences! { Told: texts; }

/// A table with its chance and its log, action by action.
pub(crate) struct Growing<G: FullGame> {
    table: Table<G>,
    /// The tape as far as it has fallen; empty where chance is a seed.
    tape: Vec<Entry>,
    /// The place in it, and the seed.
    source: Source<'static>,
    /// What everybody remembers by now.
    minds: Minds<G>,
    opening: Log<G>,
    /// What each accepted action caused.
    steps: Vec<Log<G>>,
    /// Who plays, for sentences.
    people: People<'static>,
}

/// Opens the table of a record, and plays its actions.
///
/// # Errors
/// The record cannot be replayed, chance gives no answer to its opening, or an action of it is refused.
pub(crate) fn live<G: FullGame>(
    record: &RawRecord<'_>,
    limits: Limits<'_>,
) -> Result<Box<dyn Live>, Fault> {
    let Loaded { setup, source, position, actions, malformed, budget, .. } =
        load::<G>(record, limits)?;
    let mut source = source;
    let (opened, end) = begin(&setup, position.as_ref(), &mut source, Keep::Log);
    if let Some(end) = end {
        let (at, detail) = match end {
            End::Chance { halt, rule } => {
                let violation = tape_violation(&opened, &halt, rule, Observer::Referee);
                (violation.pointer, violation.message)
            }
            End::Refused(refusal) => ("/position".to_owned(), refusal.message.clone()),
            End::Played => (String::new(), "it cannot be opened".to_owned()),
        };
        return Err(Fault::new(FaultCode::BadRecord, at, detail));
    }
    let opening = opened.log().cloned().unwrap_or_default();
    // Everybody sees a loaded position as it lies on the table.
    let mut minds = Minds::<G>::at(&setup, opened.state());
    if position.is_none() {
        minds = Minds::at(&*setup, &G::start(&setup));
        minds.hear(&setup, &opening.events);
    }
    let mut table = opened.bare();
    let mut steps = Vec::with_capacity(actions.len());
    for action in &actions {
        budget.spend(1)?;
        let step = table.play_logged(action, &mut source);
        let step = step.map_err(|_| not_legal(table.ply()))?;
        minds.hear(&setup, &step.events);
        steps.push(step);
    }
    if malformed.is_some() {
        return Err(not_legal(table.ply()));
    }
    let tape: Vec<Entry> =
        record.chance.tape.iter().flatten().map(|entry| entry.clone().owned()).collect();
    let source = source.on(&[]);
    let people = People::of::<G>(record.players.as_ref()).owned();
    Ok(Box::new(Growing::<G> { table, tape, source, minds, opening, steps, people }))
}

fn not_legal(ply: u32) -> Fault {
    let pointer = format!("/actions/{ply}");
    Fault::new(FaultCode::BadRecord, pointer, "a table can only go on from legal actions")
}

impl<G: FullGame> Growing<G> {
    /// What the actions of these plies caused; the opening before them where no first one is named.
    fn logs(&self, from: Option<u32>, to: u32) -> impl Iterator<Item = &Logged<G>> {
        let opening = from.is_none().then_some(&self.opening);
        let end = (to as usize).min(self.steps.len());
        let steps = &self.steps[(from.unwrap_or(0) as usize).min(end)..end];
        opening.into_iter().chain(steps).flat_map(|log| &log.events)
    }
}

/// Chance that keeps in mind whose deck was asked last, if it was a deck.
struct Noting<'a> {
    source: Source<'a>,
    side: Option<String>,
}

impl Noting<'_> {
    fn note(&mut self, ask: &Ask<'_>) {
        self.side = match ask.what {
            What::Card { side, .. } => Some(side.to_owned()),
            What::Die { .. } | What::Among { .. } | What::Hidden { .. } => None,
        };
    }
}

impl Chance for Noting<'_> {
    fn answer(&mut self, ask: &Ask<'_>) -> Result<u32, Halt> {
        self.note(ask);
        self.source.answer(ask)
    }

    fn order(&mut self, ask: &Ask<'_>) -> Result<Option<Vec<u32>>, Halt> {
        self.note(ask);
        self.source.order(ask)
    }

    fn known(&mut self, ask: &Ask<'_>, row: u32) {
        self.source.known(ask, row);
    }

    fn shuffle(&mut self, ask: &Ask<'_>) -> Result<Vec<u32>, Halt> {
        self.note(ask);
        self.source.shuffle(ask)
    }
}

/// Reads an action as strictly as one of a record. Only a faulty one is read a second time, as the one element of a list
/// of actions, so that its pointer says where it would stand.
fn read<G: FullGame>(action: &RawValue) -> Result<Result<G::Action, Malformed>, Fault> {
    if let Ok(typed) = record::action(action.get()) {
        return Ok(Ok(typed));
    }
    let list = RawValue::from_string(format!("[{}]", action.get()))
        .map_err(|error| Fault::new(FaultCode::BadJson, "", error.to_string()))?;
    let record::Actions { list, malformed } = record::actions::<G::Action>(&list, 1)?;
    match (list.into_iter().next(), malformed) {
        (Some(action), _) => Ok(Ok(action)),
        (None, Some(malformed)) => Ok(Err(malformed)),
        (None, None) => Err(Fault::new(FaultCode::BadRecord, "", "there is no action")),
    }
}

/// What a seat knows of a table.
struct SeatView<G: FullGame> {
    table: Table<G>,
    seat: Seat,
    position: Position<G>,
    people: People<'static>,
}

impl<G: FullGame> Seen for SeatView<G> {
    fn hint(&self, asked: &Asked<'_>) -> Result<Hint, Unadvised> {
        let hint = hint::advised(&self.table, &self.position, self.seat, asked)?;
        Ok(self.people.named(hint))
    }
}

impl<G: FullGame> Live for Growing<G> {
    fn seats(&self) -> Vec<&'static str> {
        seats_in_use::<G>(self.table.setup())
    }

    fn options(&self) -> Box<RawValue> {
        raw(&G::Setup::options(self.table.setup()))
    }

    fn ply(&self) -> u32 {
        self.table.ply()
    }

    fn decision(&self) -> PendingDecision {
        pending(&self.table)
    }

    fn read(&self, action: &RawValue) -> Result<SentAction, Fault> {
        let typed = read::<G>(action)?;
        let player = match &typed {
            Ok(action) => Some(action.seat()),
            Err(_) => player_of::<G>(action.get()),
        };
        let player = player.map(|seat| G::META.seat_name(seat));
        Ok(SentAction { text: action.to_owned(), typed: Box::new(typed), player })
    }

    fn seen_by(&self, seat: Seat) -> Box<dyn Seen> {
        let table = self.table.bare();
        let memory = self.minds.of_seat(seat);
        let position = Position::remembered(&table, Observer::Seat(seat), memory);
        Box::new(SeatView { table, seat, position, people: self.people.clone() })
    }

    fn play(
        &mut self,
        action: &SentAction,
        fallen: Vec<Entry>,
        sender: Sender,
    ) -> Result<Tried, Fault> {
        let refused = |violation, people: &People<'_>| {
            Ok(Tried::Refused(Box::new(people.named::<Violation>(violation))))
        };
        let Sender { seat, viewer } = sender;
        let seat = seat.or_else(|| G::META.seat(action.player?));
        let sent = action.text.get();
        let Some(typed) = action.typed.downcast_ref::<Result<G::Action, Malformed>>() else {
            let detail = "this action was read for another game";
            return Err(Fault::new(FaultCode::BadRecord, "", detail));
        };
        let typed = match typed {
            Ok(action) => action,
            Err(malformed) => {
                let refusal = malformed_at(&self.table, malformed);
                let violation = refusal_violation(&self.table, &refusal, sent, seat, viewer);
                return refused(violation, &self.people);
            }
        };
        let before = self.tape.len();
        self.tape.extend(fallen);
        // Chance is asked by a copy, which is forgotten with an action that is refused.
        let mut chance = Noting { source: self.source.on(&self.tape), side: None };
        let state = self.table.bare();
        let played = self.table.play_logged(typed, &mut chance);
        let Noting { source, side } = chance;
        let rest = source.tape().and_then(|tape| Some((tape.rest()?, tape.left())));
        // Whoever entered it himself is told what does not fit, as far as it is his.
        let tell = |fault: TapeFault, side: Option<&str>, table: &Table<G>| match seat {
            Some(seat) if viewer == Observer::Seat(seat) => {
                fault.told_to_sender::<G>(side, seat).whole(table)
            }
            _ => fault.violation(table, viewer),
        };
        let violation = match (played, rest) {
            (Ok(step), None) => {
                self.source = source.on(&[]);
                self.minds.hear(self.table.setup(), &step.events);
                self.steps.push(step);
                return Ok(Tried::Taken);
            }
            (Ok(_), Some((entry, left))) => {
                let violation = tell(TapeFault::too_much::<G>(entry, left), None, &state);
                self.table = state;
                violation
            }
            (Err(stop), _) => match stop.into() {
                End::Refused(refusal) => {
                    refusal_violation(&self.table, &refusal, sent, seat, viewer)
                }
                End::Chance { halt, rule } => {
                    tell(TapeFault::of::<G>(&halt, rule), side.as_deref(), &self.table)
                }
                // Playing a single action never ends so.
                End::Played => return Ok(Tried::Taken),
            },
        };
        self.tape.truncate(before);
        refused(violation, &self.people)
    }

    fn look(&self, viewer: Observer) -> Look {
        let table = &self.table;
        let outcome = table.outcome();
        Look {
            ply: table.ply(),
            status: if outcome.is_some() { Status::Complete } else { Status::InProgress },
            outcome: outcome.map(ending::<G>),
            standing: match outcome {
                Some(outcome) if outcome.winner.is_some() => Vec::new(),
                _ => G::standing(table.setup(), table.state()),
            },
            decision: pending(table),
            state: raw(&table.view(viewer)),
        }
    }

    fn tell(&self, viewer: Observer, from: Option<u32>, to: u32) -> Told {
        let setup = self.table.setup();
        let mut news = Told::default();
        for logged in self.logs(from, to) {
            if let Some(line) = event_line::<G>(setup, logged, viewer) {
                news.events.push(line);
                news.texts.push(logged.tell(setup, viewer));
            }
        }
        self.people.named(news)
    }

    fn legal(
        &self,
        viewer: Observer,
        wanted: LegalQuery<'_>,
        limits: Limits<'_>,
    ) -> Result<Legal, Fault> {
        let table = &self.table;
        let choices = choices(table, viewer, wanted, limits)?;
        let stray = stray(table, viewer, wanted, &choices, limits)?;
        Ok(Legal {
            engine: ENGINE,
            game: G::META.id,
            ruleset: table.ruleset(),
            viewer: name_of(viewer, &G::META),
            status: if table.outcome().is_some() { Status::Complete } else { Status::InProgress },
            ply: table.ply(),
            decision: pending(table),
            choices: self.people.named(choices),
            stray,
            missing: None,
        })
    }

    fn offers(&self, seat: Seat, most: usize) -> (Vec<Box<RawValue>>, bool) {
        let (actions, whole) = offered(&self.table, seat, most);
        (actions.iter().map(raw).collect(), whole)
    }

    fn depict(&self, viewer: Observer) -> Depiction {
        let table = &self.table;
        let last = self.steps.last().into_iter().flat_map(|log| &log.events);
        let lately: Vec<G::Notice> =
            last.filter_map(|it| G::announce(table.setup(), &it.event, viewer)).collect();
        Depiction {
            engine: ENGINE,
            game: G::META.id,
            ruleset: table.ruleset(),
            viewer: name_of(viewer, &G::META),
            status: if table.outcome().is_some() { Status::Complete } else { Status::InProgress },
            ply: table.ply(),
            scene: G::draw(table.setup(), &table.view(viewer), &lately),
        }
    }

    fn disclosed(
        &self,
        actions: &[&RawValue],
        asker: Observer,
        budget: Budget<'_>,
    ) -> Result<Disclosed, Fault> {
        let typed =
            actions.iter().map(|action| read::<G>(action)?.map_err(|_| not_legal(self.ply())));
        let typed: Vec<G::Action> = typed.collect::<Result<_, Fault>>()?;
        disclosure::disclosed(&self.table, &typed, asker, self.minds.of(asker), budget)
    }
}
