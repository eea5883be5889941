//! `umpire play`: a game of a person against the computer, in the terminal.
//!
//! The person sees what its seat may know and chooses from the legal actions; every other seat is
//! played by a search that uses only what that seat may know. This module must not know a rule and
//! must not show anything that is hidden from the person's seat: the engine takes care of both.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::Path;

use clap::Args;
use serde_json::{Value, json};
use umpire_engine::analysis::hint::Asked;
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::{Observer, Seat};
use umpire_engine::record::Fault;
use umpire_engine::replay::Query;
use umpire_engine::replay::answer::{Legal, LegalQuery};

use super::choose::{Onward, choose};
use super::hint::Thought;
use super::shared::{Exit, game_named, limits, pretty, print};
use super::words;
use crate::cli::threads::Threads;
use umpire_referee::problem::Problem;
use umpire_referee::reading::{self, Submission};

/// The maximum number of actions listed at once.
const LISTED: usize = 40;

/// The game, and how to play it.
#[derive(Args, Debug)]
pub(super) struct Play {
    /// The game.
    game: String,
    /// The seat that you play.
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// The random seed.
    #[arg(long, value_name = "TEXT", default_value = "a game in the terminal")]
    game_seed: String,
    /// The options, in JSON.
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    #[command(flatten)]
    thought: Thought,
}

const HELP: &str = "  a number plays that action; text lists the actions that contain it; an action can be typed as JSON\n\
  c choose step by step   h hint   u undo   l list again   s FILE save   q quit\n";

/// Plays a game.
pub(super) fn run(args: &Play) -> Result<Exit, String> {
    let game = game_named(&args.game)?;
    let meta = game.meta();
    let seat = meta.seat(&args.seat).ok_or_else(|| {
        format!(
            "{} has no seat {:?}; expected one of {}",
            meta.id,
            args.seat,
            meta.seats.join(", ")
        )
    })?;
    let options: Option<Value> = match &args.options {
        Some(text) => Some(
            serde_json::from_str(text)
                .map_err(|error| format!("--options is not valid JSON: {error}"))?,
        ),
        None => None,
    };
    let mut record = json!({
        "format": umpire_engine::record::FORMAT,
        "game": meta.id,
        "chance": {"seed": args.game_seed},
        "actions": [],
    });
    if let Some(options) = options {
        record["options"] = options;
    }
    let mut match_ = Match { args, game, seat, record, shown: None };
    match_.run()
}

/// A game in progress.
struct Match<'a> {
    args: &'a Play,
    game: &'static dyn AnyGame,
    seat: Seat,
    record: Value,
    /// The last ply that was shown to the person; `None` at the start.
    shown: Option<u32>,
}

/// What the person wants to do.
enum Wish {
    Act(Value),
    Undo,
    Quit,
}

impl Match<'_> {
    fn run(&mut self) -> Result<Exit, String> {
        let mut input = io::stdin().lock();
        loop {
            let legal = self.asked(|submission| {
                let viewer = Observer::Seat(self.seat);
                let query = Query { viewer, ..Query::default() };
                Ok(submission.game.legal(&submission.record, &query, LegalQuery::LIST)?)
            })?;
            self.tell(&legal)?;
            let own = self.args.seat.as_str();
            if legal.decision.players.is_empty() {
                let verdict = self.asked(|submission| {
                    let judged = submission.game.judge(&submission.record, limits())?;
                    Ok(words::headline(submission.game, &judged.ruleset, &judged.verdict))
                })?;
                print(format!("{verdict}\n").as_bytes())?;
                return Ok(Exit::Good);
            }
            if legal.decision.players.contains(&own) {
                match self.wish(&mut input, &legal)? {
                    Wish::Act(action) => self.push(action),
                    Wish::Undo => self.undo(),
                    Wish::Quit => return Ok(Exit::Good),
                }
            } else {
                let other = self.game.meta().seat(legal.decision.players[0]);
                let action = self.advised(other)?.into_iter().next().map(|(action, _)| action);
                self.push(action.ok_or("the search found no action")?);
            }
        }
    }

    fn actions(&mut self) -> Option<&mut Vec<Value>> {
        self.record["actions"].as_array_mut()
    }

    fn push(&mut self, action: Value) {
        if let Some(actions) = self.actions() {
            actions.push(action);
        }
    }

    /// Takes back everything since the person's last decision, and that decision.
    fn undo(&mut self) {
        let own = self.args.seat.clone();
        if let Some(actions) = self.actions() {
            while let Some(last) = actions.pop() {
                if last["player"] == own.as_str() {
                    break;
                }
            }
            self.shown = u32::try_from(actions.len()).ok();
        }
    }

    /// Asks the engine about the record so far.
    fn asked<T>(
        &self,
        work: impl FnOnce(&Submission<'_>) -> Result<T, Problem>,
    ) -> Result<T, String> {
        let text = self.record.to_string();
        let asked: Result<T, MoveError> =
            reading::with_record(text.as_bytes(), |submission| work(submission).map_err(MoveError));
        asked.map_err(|MoveError(error)| words::problem(&error))
    }

    /// The actions that the search suggests for a seat, the best first, each with a line about it.
    fn advised(&self, seat: Option<Seat>) -> Result<Vec<(Value, String)>, String> {
        self.asked(|submission| {
            let asked = Asked {
                ply: None,
                seat,
                simulations: self.args.thought.simulations,
                seed: &self.args.thought.seed,
                most: 3,
                limits: limits(),
                spread: &Threads,
            };
            let hint = submission.game.hint(&submission.record, &asked)?;
            let texts: Vec<&str> = hint.actions.iter().map(|advice| advice.action.get()).collect();
            let spoken = words::spoken(submission, &texts, None);
            let lines = hint.actions.iter().zip(spoken.actions);
            Ok(lines
                .map(|(advice, text)| {
                    let action = serde_json::from_str(advice.action.get()).unwrap_or_default();
                    (action, format!("{:.2} ± {:.2}  {text}", advice.chance, advice.error))
                })
                .collect())
        })
    }

    /// Shows what happened since the last time.
    fn tell(&mut self, legal: &Legal) -> Result<(), String> {
        let from = self.shown;
        let lines = self.asked(|submission| {
            let viewer = Observer::Seat(self.seat);
            Ok(submission.game.news(&submission.record, viewer, from, limits())?)
        })?;
        let mut out = String::new();
        for news in lines {
            let text = words::local(self.game, &news);
            let _ = writeln!(out, "  {text}");
        }
        self.shown = Some(legal.ply);
        print(out.as_bytes())
    }

    /// Prompts the person until it wants something that changes the game.
    fn wish(&self, input: &mut impl BufRead, legal: &Legal) -> Result<Wish, String> {
        let own = legal.choices.iter().find(|choices| choices.player == self.args.seat);
        let texts: Vec<&str> = own
            .and_then(|choices| choices.actions.as_ref())
            .map_or_else(Vec::new, |actions| actions.iter().map(|action| action.get()).collect());
        let spoken =
            self.asked(|submission| Ok(words::spoken(submission, &texts, None).actions))?;
        let what = words::spaced(legal.decision.state);
        // If nothing can be listed, start choosing step by step at once.
        if texts.is_empty() {
            print(format!("You are to decide ({what}):\n").as_bytes())?;
            if let Some(action) = self.chosen(input)? {
                return Ok(Wish::Act(action));
            }
        }
        let mut filter = String::new();
        let mut listed = true;
        loop {
            let mut out = String::new();
            if listed {
                let _ = writeln!(out, "You are to decide ({what}):");
                let fits = |text: &&String| text.to_lowercase().contains(&filter);
                let shown: Vec<(usize, &String)> =
                    spoken.iter().enumerate().filter(|(_, text)| fits(text)).collect();
                for (at, text) in shown.iter().take(LISTED) {
                    let _ = writeln!(out, "{:>5}  {text}", at + 1);
                }
                if shown.len() > LISTED {
                    let _ = writeln!(
                        out,
                        "       … and {} more; type text to filter them",
                        shown.len() - LISTED
                    );
                }
                if own.is_some_and(|choices| !choices.ranges.is_empty()) {
                    let _ = writeln!(
                        out,
                        "       others differ only in numbers: c chooses one step by step"
                    );
                }
            }
            out.push_str("> ");
            print(out.as_bytes())?;
            io::stdout().flush().map_err(|error| error.to_string())?;
            let mut line = String::new();
            let read = input.read_line(&mut line).map_err(|error| error.to_string())?;
            if read == 0 {
                return Ok(Wish::Quit);
            }
            listed = false;
            match line.trim() {
                "q" => return Ok(Wish::Quit),
                "u" => return Ok(Wish::Undo),
                "" | "?" => print(HELP.as_bytes())?,
                "l" => {
                    filter.clear();
                    listed = true;
                }
                "c" => match self.chosen(input)? {
                    Some(action) => return Ok(Wish::Act(action)),
                    None => listed = true,
                },
                "h" => {
                    for (_, line) in self.advised(Some(self.seat))? {
                        print(format!("  {line}\n").as_bytes())?;
                    }
                }
                typed => {
                    if let Some(file) = typed.strip_prefix("s ") {
                        self.save(Path::new(file.trim()))?;
                    } else if typed.starts_with('{') {
                        match self.try_typed(typed) {
                            Ok(action) => return Ok(Wish::Act(action)),
                            Err(why) => print(format!("  {why}\n").as_bytes())?,
                        }
                    } else if let Ok(number) = typed.parse::<usize>() {
                        match number.checked_sub(1).and_then(|at| texts.get(at)) {
                            Some(text) => {
                                return Ok(Wish::Act(
                                    serde_json::from_str(text).unwrap_or_default(),
                                ));
                            }
                            None => print(b"  no action has this number\n")?,
                        }
                    } else {
                        filter = typed.to_lowercase();
                        listed = true;
                    }
                }
            }
        }
    }

    /// Builds an action step by step.
    fn chosen(&self, input: &mut impl BufRead) -> Result<Option<Value>, String> {
        choose(input, &self.args.seat, |draft| {
            self.asked(|submission| {
                let query = Query { viewer: Observer::Seat(self.seat), ..Query::default() };
                let wanted = LegalQuery { partial: Some(draft), ..LegalQuery::COUNT };
                let legal = submission.game.legal(&submission.record, &query, wanted)?;
                let own = legal.choices.into_iter().find(|it| it.player == self.args.seat);
                Ok(own.map_or(Onward { whole: false, steps: Vec::new() }, |own| Onward {
                    whole: own.complete == Some(true),
                    steps: own.next.unwrap_or_default(),
                }))
            })
        })
    }

    /// Parses an action, and says why it is illegal if it is.
    fn try_typed(&self, typed: &str) -> Result<Value, String> {
        let action: Value = serde_json::from_str(typed)
            .map_err(|error| format!("not a number, a command, or valid JSON: {error}"))?;
        let mut with = self.record.clone();
        if let Some(actions) = with["actions"].as_array_mut() {
            actions.push(action.clone());
        }
        let judged = reading::judge(with.to_string().as_bytes(), limits())
            .map_err(|fault| fault.to_string())?;
        match judged.verdict.violation {
            None => Ok(action),
            Some(violation) => Err(format!("{} ({})", violation.message, violation.rule)),
        }
    }

    fn save(&self, file: &Path) -> Result<(), String> {
        match std::fs::write(file, pretty(&self.record)) {
            Ok(()) => print(format!("  saved as {}\n", file.display()).as_bytes()),
            Err(error) => print(format!("  cannot write {}: {error}\n", file.display()).as_bytes()),
        }
    }
}

/// Why the engine returned no answer.
struct MoveError(Problem);

impl From<Fault> for MoveError {
    fn from(fault: Fault) -> Self {
        MoveError(fault.into())
    }
}
