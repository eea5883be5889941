//! The analysis of a record: at every ply the chances, what the decision was worth, and what was luck.
//!
//! Each ply is a piece of work by itself and depends on nothing but the record, the parameters and its number,
//! so that a run can be stopped and gone on with, and spread over threads, without a byte of difference. A
//! decision is judged from what its player could know; what open cards would have shown stands apart as
//! hindsight. This module must not call a mistake what two standard errors do not show.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::course::Course;
use super::hint::{Advice, SeatChance, advice, chances, rounded};
use super::ledger;
use super::lines::{self, Replayed};
use super::search::{Found, InTurn, Nothing, Params, Position, Ranked, search};
use super::shares::{SEATS, Shares, of_outcome};
use crate::budget::{Budget, Spent};
use crate::game::{Count, FullGame, Game, Observer, PlayerAction, Seat, Table, TableSetup};
use crate::people::{People, Sentences, sentences};
use crate::record::{Fault, RawRecord};
use crate::replay::Limits;
use crate::replay::answer::{ENGINE, name_of, raw};
#[cfg(feature = "schema")]
use crate::schema::{GameAction, GameSeat};

/// What an analysis is to do. The same record, parameters and engine give the same bytes.
#[derive(Clone, Debug)]
pub struct Task {
    /// Number of simulations for each chance of the curve; the decisions get as many for each action compared.
    pub simulations: u32,
    /// What makes this analysis another than one with another seed.
    pub seed: String,
    /// Who reads it. The referee is told everything; a seat what it could know, and its own decisions.
    pub viewer: Observer,
}

/// How a decision is called, by what it lost. The steps are those of the field (.1, .2, .3 on a scale from −1 to 1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MistakeClass))]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Lost at least 0.05 of the chance to win.
    Inaccuracy,
    /// Lost at least 0.10.
    Mistake,
    /// Lost at least 0.15.
    Blunder,
}

impl Class {
    /// The class of a loss with this standard error; none within two of them.
    pub fn of(loss: f64, error: f64) -> Option<Class> {
        if loss <= 2.0 * error {
            return None;
        }
        match loss {
            loss if loss >= 0.15 => Some(Class::Blunder),
            loss if loss >= 0.10 => Some(Class::Mistake),
            loss if loss >= 0.05 => Some(Class::Inaccuracy),
            _ => None,
        }
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }
}

/// The chances of all seats, as somebody sees them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = CurvePoint))]
pub struct Chances {
    /// What is known to whom: `public` (what everybody knows), a seat, or `hindsight` (all cards open).
    pub perspective: &'static str,
    /// The chance of each seat in use.
    pub chances: Vec<SeatChance>,
    /// The standard error of the deciding seat's chance; 0 for a finished game.
    pub error: f64,
    /// Number of simulations; 0 for a finished game.
    pub budget: u32,
}

/// What open cards would have shown. Nobody could know it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Hindsight))]
pub struct Hindsight {
    /// What would have been best.
    pub best: Advice,
    /// The chance of what was played.
    pub chance: f64,
    /// Number of simulations of that chance, and of that of the best.
    pub budget: u32,
    /// What it lost: the chance of the best less that of what was played, at least 0.
    pub loss: f64,
    /// The standard error of the loss.
    pub error: f64,
}

/// What a decision was worth to the seat that took it, from what it could know.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Review))]
pub struct Review {
    /// Who decided.
    #[cfg_attr(feature = "schema", schema(value_type = GameSeat))]
    pub player: &'static str,
    /// What was played.
    #[cfg_attr(feature = "schema", schema(value_type = GameAction))]
    pub action: Box<RawValue>,
    /// The same in plain words.
    pub text: Option<String>,
    /// Whether it was the only legal action; nothing else is then said.
    pub forced: bool,
    /// The chance of what was played, looked at by itself; `null` where it was forced.
    pub chance: Option<f64>,
    /// The standard error of that chance.
    pub error: Option<f64>,
    /// Number of simulations of that look; `null` where it was forced.
    pub budget: Option<u32>,
    /// The best actions that search found, at most three, as search ranks them. The first, and what was played, were looked
    /// at again by themselves: their chances and `visits` are those of that look. The others stand as search found them.
    pub best: Vec<Advice>,
    /// What was lost: the chance of the first of `best` less that of what was played, at least 0.
    pub loss: f64,
    /// The standard error of the loss.
    pub loss_error: f64,
    /// How such a loss is called; nothing within two standard errors.
    pub class: Option<Class>,
    /// What made the difference, in plain words; replayed before it was said.
    pub why: Option<String>,
    /// What open cards would have shown (referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub hindsight: Option<Hindsight>,
}

/// A number for a seat that may be negative.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SeatGain))]
pub struct SeatGain {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// What was gained, from −1 to 1.
    pub gain: f64,
}

/// What a ply added to the ledger, all cards open.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LedgerLine))]
pub struct LedgerLine {
    /// The worth of the table before the action, all cards open: the game's own estimate, or the mean of a few playouts in a
    /// game without one. It is no chance that was searched.
    pub before: Vec<SeatChance>,
    /// The standard error of that worth, or the most that it can be; 0 where it is the game's estimate, which follows from
    /// the table without sampling.
    pub before_error: f64,
    /// The mean after the action over what could have fallen, less that.
    pub skill: Vec<SeatGain>,
    /// The worth after what did fall, less that mean.
    pub luck: Vec<SeatGain>,
    /// In how many ways it could have fallen, all counted; `null` where they were sampled.
    pub ways: Option<u32>,
    /// The standard error of the luck, and of the skill, from sampling; 0 where all ways are counted.
    pub error: f64,
}

/// What an analysis says of one ply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::PlyAnalysis))]
pub struct PlyAnalysis {
    /// Number of actions accepted before it.
    pub ply: u32,
    /// The chances at that ply, from each perspective that the reader may have.
    pub curve: Vec<Chances>,
    /// The decision that was taken there; `null` after the last action and for what the reader may not know.
    pub decision: Option<Review>,
    /// Skill and luck of the ply (referee only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(required = false, nullable = false))]
    pub ledger: Option<LedgerLine>,
}

/// The ledger of a seat.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SeatLedger))]
pub struct SeatLedger {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// What the game was worth before it was opened.
    pub start: f64,
    /// The standard error of that, from openings that were sampled.
    pub start_error: f64,
    /// The opening and all draws.
    pub luck: f64,
    /// The standard error of that, and of `adjusted`, from openings and falls that were sampled.
    pub luck_error: f64,
    /// All decisions of all seats.
    pub skill: f64,
    /// The standard error of that, from falls that were sampled.
    pub skill_error: f64,
    /// Start + luck + skill: the result, or the worth of the last table where the game is not over.
    pub result: f64,
    /// The result less all luck.
    pub adjusted: f64,
}

/// How a seat decided.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = SeatPlay))]
pub struct SeatPlay {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// Number of decisions that were not forced.
    pub decisions: u32,
    /// The mean loss of one.
    pub mean_loss: f64,
    /// The standard error of that mean, from the errors of the losses.
    pub mean_loss_error: f64,
    /// Number of inaccuracies.
    pub inaccuracies: u32,
    /// Number of mistakes.
    pub mistakes: u32,
    /// Number of blunders.
    pub blunders: u32,
}

/// What an analysis says of the whole record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = AnalysisSummary))]
pub struct Summary {
    /// The version of the engine.
    pub engine: &'static str,
    /// The game.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub game: &'static str,
    /// The rules that were applied.
    pub ruleset: String,
    /// Who reads it.
    pub viewer: &'static str,
    /// Number of accepted actions.
    pub plies: u32,
    /// Number of simulations for each chance.
    pub budget: u32,
    /// The seed of the analysis.
    pub seed: String,
    /// How each seat decided; only those whose decisions the reader may know.
    pub play: Vec<SeatPlay>,
    /// Luck and skill of each seat (referee only).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub ledger: Vec<SeatLedger>,
}

/// What a summary needs of a decision.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Judged {
    player: String,
    forced: bool,
    loss: f64,
    loss_error: f64,
    class: Option<Class>,
}

impl Judged {
    /// What a summary needs of a ply, if a decision was judged there.
    pub fn of(ply: &PlyAnalysis) -> Option<Judged> {
        let Review { player, forced, loss, loss_error, class, .. } = ply.decision.as_ref()?;
        Some(Judged {
            player: (*player).to_owned(),
            forced: *forced,
            loss: *loss,
            loss_error: *loss_error,
            class: *class,
        })
    }

    /// The same from the text of a [`PlyAnalysis`].
    pub fn read(text: &str) -> Option<Judged> {
        #[derive(Deserialize)]
        struct Ply {
            decision: Option<Judged>,
        }
        serde_json::from_str::<Ply>(text).ok()?.decision
    }
}

/// An analysis that can be done ply by ply, of any game.
pub trait Analysis: Send + Sync {
    /// Number of accepted actions; there is one more ply to analyse than that.
    fn plies(&self) -> u32;
    /// The analysis of one ply, from 0 to [`Analysis::plies`].
    ///
    /// # Errors
    /// [`Spent`], where the budget ends.
    fn ply(&self, ply: u32, budget: Budget<'_>) -> Result<PlyAnalysis, Spent>;
    /// What all plies come to, given the decisions that were judged.
    ///
    /// # Errors
    /// [`Spent`], where the budget ends.
    fn summary(&self, judged: &[Judged], budget: Budget<'_>) -> Result<Summary, Spent>;
}

/// The analysis of a record, ready to be done.
///
/// # Errors
/// The fault of a record that cannot be replayed.
pub(crate) fn analysis<G: FullGame>(
    record: &RawRecord<'_>,
    task: &Task,
    limits: Limits<'_>,
) -> Result<Box<dyn Analysis>, Fault> {
    let course = Course::<G>::of(record, limits)?;
    let people = People::of::<G>(record.players.as_ref()).owned();
    Ok(Box::new(Analyst { course, task: task.clone(), people }))
}

sentences! { Review: text, best, why; }

/// Chances, and the search they come from.
type Looked<G> = (Chances, Option<Found<<G as Game>::Action>>);

struct Analyst<G: FullGame> {
    course: Course<G>,
    task: Task,
    people: People<'static>,
}

impl<G: FullGame> Analysis for Analyst<G> {
    fn plies(&self) -> u32 {
        self.course.plies()
    }

    fn ply(&self, ply: u32, budget: Budget<'_>) -> Result<PlyAnalysis, Spent> {
        let Some(table) = self.course.at(ply) else {
            return Ok(PlyAnalysis { ply, curve: Vec::new(), decision: None, ledger: None });
        };
        let played = self.course.actions.get(ply as usize);
        let mut own = None;
        let mut curve = Vec::new();
        for perspective in self.perspectives() {
            let mover = played.map(G::Action::seat);
            let (chances, found) = self.chances(table, perspective, mover, budget)?;
            if mover.map(Observer::Seat) == Some(perspective) {
                own = found;
            }
            curve.push(chances);
        }
        let decision = match (played, own) {
            (Some(action), own) if self.may_review(G::Action::seat(action)) => {
                Some(self.review(table, action, own, budget)?)
            }
            _ => None,
        };
        let referee = self.task.viewer == Observer::Referee;
        let ledger = match (played, self.course.at(ply + 1)) {
            (Some(action), Some(after)) if referee => {
                Some(self.ledger_line(table, action, after, budget)?)
            }
            _ => None,
        };
        Ok(PlyAnalysis { ply, curve, decision: self.people.named(decision), ledger })
    }

    fn summary(&self, judged: &[Judged], budget: Budget<'_>) -> Result<Summary, Spent> {
        let setup = self.course.setup();
        let seats = G::Setup::players(setup);
        let play = seats.iter().filter(|&seat| self.may_review(seat));
        let play = play.map(|seat| seat_play(G::META.seat_name(seat), judged)).collect();
        let ledger = match self.task.viewer {
            Observer::Referee => self.ledger(budget)?,
            _ => Vec::new(),
        };
        Ok(Summary {
            engine: ENGINE,
            game: G::META.id,
            ruleset: G::Setup::ruleset(setup),
            viewer: name_of(self.task.viewer, &G::META),
            plies: self.course.plies(),
            budget: self.task.simulations,
            seed: self.task.seed.clone(),
            play,
            ledger,
        })
    }
}

/// How a seat decided, added up.
fn seat_play(player: &'static str, judged: &[Judged]) -> SeatPlay {
    let own: Vec<&Judged> = judged.iter().filter(|it| it.player == player && !it.forced).collect();
    let count = |class| own.iter().filter(|it| it.class == Some(class)).count() as u32;
    let lost: f64 = own.iter().map(|it| it.loss).sum();
    let squares: f64 = own.iter().map(|it| it.loss_error * it.loss_error).sum();
    SeatPlay {
        player,
        decisions: own.len() as u32,
        mean_loss: rounded(lost / f64::from(own.len().max(1) as u32)),
        mean_loss_error: rounded(squares.sqrt() / f64::from(own.len().max(1) as u32)),
        inaccuracies: count(Class::Inaccuracy),
        mistakes: count(Class::Mistake),
        blunders: count(Class::Blunder),
    }
}

impl<G: FullGame> Analyst<G> {
    /// From whose knowledge the curve is drawn.
    fn perspectives(&self) -> Vec<Observer> {
        let seats = G::Setup::players(self.course.setup()).iter().map(Observer::Seat);
        match self.task.viewer {
            Observer::Referee => {
                [Observer::Spectator].into_iter().chain(seats).chain([Observer::Referee]).collect()
            }
            Observer::Seat(_) => vec![Observer::Spectator, self.task.viewer],
            Observer::Spectator => vec![Observer::Spectator],
        }
    }

    fn may_review(&self, seat: Seat) -> bool {
        self.task.viewer.sees(seat)
    }

    /// A table of the course as somebody knows it who was there from the beginning.
    fn position(&self, table: &Table<G>, observer: Observer) -> Position<G> {
        let known = self.course.position(table.ply(), observer);
        known.unwrap_or_else(|| Position::of(table, observer))
    }

    /// A search of this analysis: `what` tells it from the others of the same ply.
    fn search(
        &self,
        position: &Position<G>,
        seat: Option<Seat>,
        simulations: u32,
        what: &str,
        budget: Budget<'_>,
    ) -> Result<Option<Found<G::Action>>, Spent> {
        let seed = format!("{} {what}", self.task.seed);
        let params = Params::of::<G>(simulations, &seed);
        match search(position, seat, params, budget, &InTurn) {
            Ok(found) => Ok(Some(found)),
            Err(Nothing::Stopped) => Err(Spent),
            Err(Nothing::Over | Nothing::NotAsked | Nothing::NoWorld) => Ok(None),
        }
    }

    fn chances(
        &self,
        table: &Table<G>,
        perspective: Observer,
        mover: Option<Seat>,
        budget: Budget<'_>,
    ) -> Result<Looked<G>, Spent> {
        let name = match perspective {
            Observer::Spectator => "public",
            Observer::Referee => "hindsight",
            Observer::Seat(seat) => G::META.seat_name(seat),
        };
        let setup = table.setup();
        if let Some(outcome) = table.outcome() {
            let shares = of_outcome::<G>(setup, table.state(), outcome);
            let chances = chances::<G>(setup, &shares);
            return Ok((Chances { perspective: name, chances, error: 0.0, budget: 0 }, None));
        }
        // Who decides first is looked at, unless the record says who did.
        let seat = mover.filter(|&seat| table.decision().seats.contains(seat));
        let position = self.position(table, perspective);
        let what = format!("{} {name}", table.ply());
        let found = self.search(&position, seat, self.task.simulations, &what, budget)?;
        let (shares, error, budget) = match &found {
            Some(found) => (found.value(), found.error(), found.simulations),
            None => (super::shares::equal(G::Setup::players(setup)), 0.5, 0),
        };
        let chances = chances::<G>(setup, &shares);
        Ok((Chances { perspective: name, chances, error: rounded(error), budget }, found))
    }

    fn review(
        &self,
        table: &Table<G>,
        action: &G::Action,
        found: Option<Found<G::Action>>,
        budget: Budget<'_>,
    ) -> Result<Review, Spent> {
        let seat = G::Action::seat(action);
        let setup = table.setup();
        let mut count = Count::default();
        let _ = table.legal(seat, &mut count);
        let mut review = Review {
            player: G::META.seat_name(seat),
            action: raw(action),
            text: G::describe_action(setup, Some(table.state()), action),
            forced: count.actions == 1 && count.ranges == 0,
            chance: None,
            error: None,
            budget: None,
            best: Vec::new(),
            loss: 0.0,
            loss_error: 0.0,
            class: None,
            why: None,
            hindsight: None,
        };
        let position = self.position(table, Observer::Seat(seat));
        let Some(found) = found.filter(|_| !review.forced) else { return Ok(review) };
        review.best = found.actions.iter().take(3).map(|it| advice::<G>(table, seat, it)).collect();
        let Some(best) = found.best() else { return Ok(review) };
        let canonical = G::Action::canonicalize(action, setup, table.state());
        let same = G::Action::canonicalize(&best.action, setup, table.state()) == canonical;
        let looked = |only: &G::Action, from: &Position<G>, what: &str| {
            let position = from.only(vec![only.clone()]);
            let what = format!("{} {what}", table.ply());
            self.search(&position, Some(seat), self.task.simulations, &what, budget)
        };
        let Some(own) = looked(action, &position, "played")? else { return Ok(review) };
        let Some(played) = own.best() else { return Ok(review) };
        review.chance = Some(rounded(played.shares[seat.index()]));
        review.error = Some(rounded(played.error));
        review.budget = Some(own.simulations);
        // What is listed is what was looked at again, so that the loss is the difference of two chances that are shown.
        for (listed, ranked) in review.best.iter_mut().zip(&found.actions) {
            if G::Action::canonicalize(&ranked.action, setup, table.state()) == canonical {
                *listed = advice::<G>(table, seat, played);
            }
        }
        if !same && let Some(other) = looked(&best.action, &position, "best")? {
            let (loss, error) = loss(&other, &own, seat);
            review.class = Class::of(loss, error);
            (review.loss, review.loss_error) = (rounded(loss.max(0.0)), rounded(error));
            if let (Some(listed), Some(again)) = (review.best.first_mut(), other.best()) {
                *listed = advice::<G>(table, seat, again);
            }
            if review.class.is_some() {
                review.why = self.why(&position, table, &other, &own, seat);
            }
        }
        if self.task.viewer == Observer::Referee {
            let open = Position::of(table, Observer::Referee);
            let what = format!("{} open", table.ply());
            let all = self.search(&open, Some(seat), self.task.simulations, &what, budget)?;
            if let Some(best) = all.as_ref().and_then(Found::best)
                && let Some(other) = looked(&best.action, &open, "open best")?
                && let Some(own) = looked(action, &open, "open played")?
            {
                let same = G::Action::canonicalize(&best.action, setup, table.state()) == canonical;
                // Two looks at one action differ by chance alone: then one is told.
                let other = if same { &own } else { &other };
                let (loss, error) = if same { (0.0, 0.0) } else { loss(other, &own, seat) };
                review.hindsight = other.best().zip(own.best()).map(|(best, own)| Hindsight {
                    best: advice::<G>(table, seat, best),
                    chance: rounded(own.shares[seat.index()]),
                    budget: own.visits,
                    loss: rounded(loss.max(0.0)),
                    error: rounded(error),
                });
            }
        }
        Ok(review)
    }

    /// What made the difference between two actions, told from lines that were replayed.
    fn why(
        &self,
        position: &Position<G>,
        table: &Table<G>,
        best: &Found<G::Action>,
        played: &Found<G::Action>,
        seat: Seat,
    ) -> Option<String> {
        let seed = format!("{} {} lines", self.task.seed, table.ply());
        let lines = [best, played].map(|found| lines::replay(position, &found.line, &seed));
        let [Some(good), Some(bad)] = lines else { return None };
        let keeps = |found: &Found<G::Action>| {
            let ranked: Option<&Ranked<G::Action>> = found.best();
            let share = |it: &Ranked<G::Action>| it.shares[seat.index()];
            ranked.map(|it| match it.proof {
                Some(_) => format!("{:.2} for certain", share(it)),
                None => format!("{:.2} ± {:.2}", share(it), it.error),
            })
        };
        let [win, other] = [best, played].map(|it| it.best().and_then(|it| it.proof.as_ref()));
        let thrown_away = win.filter(|it| it.is_win()).map_or(String::new(), |win| {
            let plies = match win.plies {
                1 => "one action".to_owned(),
                more => format!("{more} actions"),
            };
            match other {
                Some(_) => format!("This threw away a forced win in {plies}. "),
                None => format!("There was a forced win in {plies}. "),
            }
        });
        let tell = |line: &Replayed, other: &Replayed| {
            let reply = line.said.get(1).cloned().flatten();
            let mut parts: Vec<String> = lines::difference(line, other)
                .into_iter()
                .take(2)
                .map(|it| format!("{} ({})", it.text.trim_end_matches('.'), it.rule))
                .collect();
            parts.extend(reply.map(|reply| format!("what most likely follows: {reply}")));
            match parts.is_empty() {
                true => "nothing that follows is likelier than the rest".to_owned(),
                false => parts.join("; "),
            }
        };
        Some(format!(
            "{thrown_away}{} keeps {}: {}. What was played, {}, keeps {}: {}.",
            good.said.first()?.as_ref()?,
            keeps(best)?,
            tell(&good, &bad),
            bad.said.first()?.as_ref()?,
            keeps(played)?,
            tell(&bad, &good),
        ))
    }

    fn ledger_line(
        &self,
        table: &Table<G>,
        action: &G::Action,
        after: &Table<G>,
        budget: Budget<'_>,
    ) -> Result<LedgerLine, Spent> {
        let step = ledger::step(table, action, after, &self.task.seed, budget)?;
        let setup = table.setup();
        let gains = |shares: &Shares| {
            let line = |seat: Seat| SeatGain {
                player: G::META.seat_name(seat),
                gain: rounded(shares[seat.index()]),
            };
            G::Setup::players(setup).iter().map(line).collect()
        };
        Ok(LedgerLine {
            before: chances::<G>(setup, &ledger::worth_at(table, &self.task.seed)),
            before_error: rounded(ledger::worth_error(table)),
            skill: gains(&step.skill),
            luck: gains(&step.luck),
            ways: (step.ways > 0).then_some(step.ways),
            error: rounded(step.error),
        })
    }

    fn ledger(&self, budget: Budget<'_>) -> Result<Vec<SeatLedger>, Spent> {
        let sums = ledger_of(&self.course, &self.task.seed, budget)?;
        let line = |seat: Seat| {
            let at = seat.index();
            // Rounded so that the numbers that are shown add up.
            let [start, luck, result] =
                [sums.start, sums.luck, sums.result].map(|it| rounded(it[at]));
            SeatLedger {
                player: G::META.seat_name(seat),
                start,
                start_error: rounded(sums.start_error),
                luck,
                luck_error: rounded(sums.luck_error),
                skill: rounded(result - start - luck),
                skill_error: rounded(sums.skill_error),
                result,
                adjusted: rounded(result - luck),
            }
        };
        Ok(G::Setup::players(self.course.setup()).iter().map(line).collect())
    }
}

/// What the better of two actions is ahead of the other, as their chances are shown, and the standard error of that.
fn loss<A>(best: &Found<A>, played: &Found<A>, seat: Seat) -> (f64, f64) {
    let (Some(best), Some(played)) = (best.best(), played.best()) else { return (0.0, 0.0) };
    let ahead = rounded(best.shares[seat.index()]) - rounded(played.shares[seat.index()]);
    (ahead, (best.error * best.error + played.error * played.error).sqrt())
}

/// The ledger of a course, added up by seat.
pub(super) struct Sums {
    pub(super) start: Shares,
    pub(super) luck: Shares,
    /// What is neither start nor luck is skill: the sum of what every ply added.
    pub(super) result: Shares,
    /// Standard errors, the largest of all seats: of the start, of the luck, of the skill.
    pub(super) start_error: f64,
    pub(super) luck_error: f64,
    pub(super) skill_error: f64,
}

/// Adds up the ledger of a course.
///
/// # Errors
/// [`Spent`], where the budget ends.
pub(super) fn ledger_of<G: FullGame>(
    course: &Course<G>,
    seed: &str,
    budget: Budget<'_>,
) -> Result<Sums, Spent> {
    let first = &course.tables[0];
    let (start, start_error) = ledger::start(first, course.opened, seed, budget)?;
    let opened = ledger::worth_at(first, seed);
    let mut luck: Shares = std::array::from_fn(|at| opened[at] - start[at]);
    let (mut skill, mut squares) = ([0.0; SEATS], 0.0);
    for (action, tables) in course.actions.iter().zip(course.tables.windows(2)) {
        let step = ledger::step(&tables[0], action, &tables[1], seed, budget)?;
        squares += step.error * step.error;
        for at in 0..SEATS {
            luck[at] += step.luck[at];
            skill[at] += step.skill[at];
        }
    }
    let result = course.tables.last().map_or(opened, |last| ledger::worth_at(last, seed));
    for at in 0..SEATS {
        let sum = start[at] + luck[at] + skill[at];
        debug_assert!((sum - result[at]).abs() < 1e-9, "the ledger adds up: {sum}, {}", result[at]);
    }
    let luck_error = (start_error * start_error + squares).sqrt();
    let skill_error = squares.sqrt();
    Ok(Sums { start, luck, result, start_error, luck_error, skill_error })
}
