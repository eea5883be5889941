//! `umpire record --play`: takes down a game move by move while it is played at a table.
//!
//! Reads lines from any reader and writes to any writer. The engine says what is legal and which
//! draws are needed; from the first unknown value on, it says whether what was taken down is
//! possible. This module must not know a rule, and must not fill anything in.

use std::fmt::Write as _;
use std::io::{BufRead, Write};
use std::path::Path;

use serde_json::{Map, Value, json};
use umpire_engine::any_game::AnyGame;
use umpire_engine::game::Observer;
use umpire_engine::notation::{self, Dialect, Mistake, Turn};
use umpire_engine::replay::Query;
use umpire_engine::replay::answer::{Judgement, Legal, LegalQuery, Status};
use umpire_engine::replay::completion::Bounds;
use umpire_engine::replay::wanted::{Wanted, WantedOf};
use umpire_engine::scene::text;

use super::notes::marked;
use super::shared::{Exit, limits, pretty};
use super::words;
use umpire_referee::problem::Problem;
use umpire_referee::questions::notes::dialects;
use umpire_referee::reading::{self, Submission};

/// The maximum number of actions listed at once.
const LISTED: usize = 40;

/// The maximum number of actions of a seat that are collected for numbering.
const GATHERED: usize = 5_000;

const HELP: &str = "\
  type an action in the notation, or the number of a listed one; for the notation: how
  ? lists the legal actions, ? TEXT those that contain TEXT
  undo          take back the last entry
  note TEXT     a note on the last action, or on the record before the first
  show          the board
  save FILE     write the record, as notes if FILE ends in .txt
  quit
";

/// The start of the game.
pub(super) enum Start {
    /// A new game.
    New {
        /// The seed; by default chance comes from the table.
        seed: Option<String>,
        /// The options, in the format of a record.
        options: Option<Value>,
    },
    /// A game in progress.
    Record(Value),
}

/// A game that is being taken down.
pub(super) struct Taking<R, W> {
    game: &'static dyn AnyGame,
    dialect: Dialect,
    input: R,
    out: W,
    /// The record so far; its tape, if any, is a list.
    record: Value,
    /// The number of actions and tape entries before each entry, for undo.
    steps: Vec<(usize, usize)>,
    turn: Turn,
    /// The last ply whose events were shown; `None` at the start.
    heard: Option<u32>,
    /// Whether there are entries that have not been saved.
    unsaved: bool,
    /// Whether tape entries may be missing anywhere: once something is unknown, the user is no
    /// longer asked for draws.
    open: bool,
}

/// The limits of each look at a record with unknowns.
const LOOK: Bounds = Bounds { work: 400_000, worlds: 128 };

/// What to do after a line.
enum Next {
    /// Something changed: look at the game again.
    Look,
    /// Ask again.
    Ask,
    /// Quit.
    Quit,
}

/// The state of the record.
enum Standing {
    /// A seat has to decide, or the game is over.
    Legal(Box<Legal>),
    /// A draw is needed.
    Wanted(Wanted),
    /// Something in it is unknown: it is only possible or impossible.
    Unknown,
}

impl<R: BufRead, W: Write> Taking<R, W> {
    /// Starts taking down a game.
    ///
    /// # Errors
    /// The game does not exist.
    pub(super) fn new(
        game: &'static dyn AnyGame,
        start: Start,
        input: R,
        out: W,
    ) -> Result<Self, String> {
        let mut open = false;
        let record = match start {
            Start::Record(record) if record["game"] != game.meta().id => {
                return Err(format!("the record is not of {}", game.meta().id));
            }
            Start::Record(mut record) => {
                open = take_tape(&mut record);
                record
            }
            Start::New { seed, options } => {
                let mut record = json!({
                    "format": umpire_engine::record::FORMAT,
                    "game": game.meta().id,
                    "ruleset": game.meta().ruleset(),
                });
                if let Some(options) = options {
                    record["options"] = options;
                }
                record["chance"] = match seed {
                    Some(seed) => json!({"seed": seed}),
                    None => json!({"tape": []}),
                };
                record["actions"] = json!([]);
                record
            }
        };
        let dialect = game.dialect();
        let (steps, turn) = (Vec::new(), Turn::default());
        let (heard, unsaved) = (None, false);
        Ok(Taking { game, dialect, input, out, record, steps, turn, heard, unsaved, open })
    }

    /// Takes down the game until the user quits.
    ///
    /// # Errors
    /// Input or output fails, or the record is of another game.
    pub(super) fn run(mut self) -> Result<Exit, String> {
        self.say("Taking down a game; type help for the commands.\n")?;
        loop {
            let standing = self.standing()?;
            let next = match standing {
                Standing::Legal(legal) => {
                    self.news(legal.ply)?;
                    self.decide(&legal)?
                }
                Standing::Wanted(wanted) => self.fallen(&wanted)?,
                Standing::Unknown => self.unjudged()?,
            };
            if let Next::Quit = next {
                return Ok(Exit::Good);
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|error| format!("cannot write: {error}"))
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self, prompt: &str) -> Result<Option<String>, String> {
        self.say(&format!("{prompt}> "))?;
        let mut line = String::new();
        let read = self.input.read_line(&mut line).map_err(|error| error.to_string())?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    /// Asks the engine about the record so far.
    fn asked<T>(
        &self,
        work: impl FnOnce(&Submission<'_>) -> Result<T, Problem>,
    ) -> Result<T, String> {
        let text = self.record.to_string();
        reading::with_record(text.as_bytes(), work).map_err(|error| words::problem(&error))
    }

    fn count(&self, of: &str) -> usize {
        self.record.pointer(of).and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn push(&mut self, to: &str, value: Value) {
        let step = (self.count("/actions"), self.count("/chance/tape"));
        if let Some(list) = self.record.pointer_mut(to).and_then(Value::as_array_mut) {
            list.push(value);
            self.steps.push(step);
            self.unsaved = true;
        }
    }

    /// Takes back the last entry; returns whether there was one.
    fn pop(&mut self) -> bool {
        let Some((actions, entries)) = self.steps.pop() else { return false };
        for (list, length) in [("/actions", actions), ("/chance/tape", entries)] {
            if let Some(list) = self.record.pointer_mut(list).and_then(Value::as_array_mut) {
                list.truncate(length);
            }
        }
        self.unsaved = true;
        true
    }

    /// Whether something in the record is unknown.
    fn unknown(&self) -> bool {
        let parts = ["/actions", "/chance", "/position", "/omitted"].into_iter();
        self.open || parts.filter_map(|part| self.record.pointer(part)).any(is_unknown)
    }

    /// The record as it is saved: if something is unknown, tape entries may be missing.
    fn saved(&self) -> Value {
        let mut record = self.record.clone();
        if self.unknown()
            && let Some(entries) =
                record.pointer("/chance/tape").filter(|it| it.is_array()).cloned()
        {
            record["chance"]["tape"] = json!({"partial": true, "entries": entries});
        }
        record
    }

    /// The judgement on a record with unknowns, within small limits.
    fn supposed(&self) -> Result<Judgement, String> {
        let text = self.saved().to_string();
        let judged = match reading::partial(text.as_bytes()) {
            Ok(Some((game, partial))) => game.judge_partial(&partial, LOOK, limits()),
            Ok(None) => reading::judge(text.as_bytes(), limits()),
            Err(fault) => Err(fault),
        };
        judged.map_err(|fault| words::problem(&fault.into()))
    }

    /// Shows the status of the record, and who decides in the completion that was found. Returns
    /// whether the record is possible.
    fn look(&mut self) -> Result<bool, String> {
        let Judgement { ruleset, verdict, .. } = match self.supposed() {
            Ok(judgement) => judgement,
            Err(why) => return self.say(&format!("  {why}\n")).map(|()| true),
        };
        let mut out = format!("{}\n", words::headline(self.game, &ruleset, &verdict));
        if let Some(violation) = &verdict.violation {
            out.push_str(&words::violation_alone(self.game, violation));
        }
        out.push_str(&words::proven(verdict.proof.as_deref()));
        if let Some(witness) = &verdict.witness {
            let text = witness.record.get().as_bytes();
            let legal: Result<Legal, Problem> =
                reading::with_record(
                    text,
                    |it| Ok(it.legal(&Query::default(), LegalQuery::COUNT)?),
                );
            if let Ok(legal) = legal
                && let Some((first, more)) = legal.decision.players.split_first()
            {
                let who = more
                    .iter()
                    .fold(words::spaced(first), |who, it| who + ", " + &words::spaced(it));
                let what = words::spaced(legal.decision.state);
                let rule = legal.decision.rule;
                let _ = writeln!(out, "To decide, if that is how it was: {who} ({what}, {rule}).");
            }
        }
        self.say(&out)?;
        Ok(Exit::from(verdict.status) != Exit::Illegal)
    }

    fn standing(&self) -> Result<Standing, String> {
        if self.unknown() {
            return Ok(Standing::Unknown);
        }
        self.asked(|submission| {
            let record = &submission.record;
            if let Some(wanted) = submission.game.wanted(record, limits())? {
                return Ok(Standing::Wanted(wanted));
            }
            let mut bound = limits();
            bound.listed = GATHERED;
            let query = Query { limits: bound, ..Query::default() };
            Ok(Standing::Legal(Box::new(submission.game.legal(
                record,
                &query,
                LegalQuery::LIST,
            )?)))
        })
    }

    /// Shows what happened since the last time.
    fn news(&mut self, ply: u32) -> Result<(), String> {
        if self.heard == Some(ply) {
            return Ok(());
        }
        let from = self.heard.filter(|heard| *heard < ply);
        let lines = match (self.heard, from) {
            // Something was taken back: the events before it are already known.
            (Some(_), None) => Vec::new(),
            _ => self.asked(|submission| {
                Ok(submission.game.news(&submission.record, Observer::Referee, from, limits())?)
            })?,
        };
        let mut out = String::new();
        for news in lines {
            let _ = writeln!(out, "  {}", words::local(self.game, &news));
        }
        self.heard = Some(ply);
        self.say(&out)
    }

    /// Runs a command that is available at any time; `None` if the line is something else.
    fn command(&mut self, line: Option<&str>) -> Result<Option<Next>, String> {
        let Some(line) = line else { return Ok(Some(Next::Quit)) };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let next = match (word, rest.is_empty()) {
            ("", _) | ("help", true) => self.say(HELP).map(|()| Next::Ask)?,
            ("how", true) => {
                let lines = notation::usage(self.dialect);
                let lines: String = lines.iter().map(|it| format!("  {it}\n")).collect();
                self.say(&lines).map(|()| Next::Ask)?
            }
            ("undo", true) => match self.pop() {
                true => Next::Look,
                false => self.say("  there is nothing to take back\n").map(|()| Next::Ask)?,
            },
            ("note", false) => {
                self.note(rest);
                self.say("  noted\n").map(|()| Next::Ask)?
            }
            ("show", true) => {
                let board = self.asked(|submission| {
                    Ok(text::write(&submission.depict(&Query::default(), false)?.scene, false))
                });
                let board = board.unwrap_or_else(|why| format!("  {why}\n"));
                self.say(&board).map(|()| Next::Ask)?
            }
            ("save", false) => self.save(Path::new(rest)).map(|()| Next::Ask)?,
            ("quit", true) if self.unsaved => {
                self.unsaved = false;
                let warning = "  the game is not saved; save FILE, or quit again to discard it\n";
                self.say(warning).map(|()| Next::Ask)?
            }
            ("quit", true) => Next::Quit,
            _ => return Ok(None),
        };
        Ok(Some(next))
    }

    fn note(&mut self, note: &str) {
        let last = self.record["actions"].as_array_mut().and_then(|actions| actions.last_mut());
        match last {
            Some(Value::Object(action)) => drop(action.insert("note".to_owned(), json!(note))),
            _ => self.record["note"] = json!(note),
        }
        self.unsaved = true;
    }

    fn save(&mut self, file: &Path) -> Result<(), String> {
        let as_notes = file.extension().is_some_and(|end| end == "txt");
        let text = match as_notes {
            true => notation::write_record(&self.saved().to_string(), &dialects()),
            false => Ok(pretty(&self.saved())),
        };
        let saved = text.and_then(|text| {
            std::fs::write(file, text)
                .map_err(|error| format!("cannot write {}: {error}", file.display()))
        });
        match saved {
            Ok(()) => {
                self.unsaved = false;
                self.say(&format!("  saved as {}\n", file.display()))
            }
            Err(why) => self.say(&format!("  {why}\n")),
        }
    }

    /// Prompts for an action until something changes.
    fn decide(&mut self, legal: &Legal) -> Result<Next, String> {
        let players = &legal.decision.players;
        if players.is_empty() {
            let verdict = self.asked(|submission| {
                let judged = submission.game.judge(&submission.record, limits())?;
                Ok(words::headline(submission.game, &judged.ruleset, &judged.verdict))
            })?;
            self.say(&format!("{verdict}\n"))?;
        } else {
            let who: Vec<String> = players.iter().map(|it| words::spaced(it)).collect();
            let (who, what) = (who.join(", "), words::spaced(legal.decision.state));
            self.say(&format!("To decide: {who} ({what}, {}).\n", legal.decision.rule))?;
        }
        let own = match players.as_slice() {
            [one] => Some(*one),
            _ => None,
        };
        let choices = legal.choices.iter().flat_map(|choices| choices.actions.iter().flatten());
        let texts: Vec<&str> = choices.map(|action| action.get()).collect();
        let prompt = own.unwrap_or(self.dialect.game);
        loop {
            let line = self.line(prompt)?;
            if let Some(next) = self.command(line.as_deref())? {
                match next {
                    Next::Ask => continue,
                    next => return Ok(next),
                }
            }
            let line = line.unwrap_or_default();
            if let Some(filter) = line.strip_prefix('?') {
                self.list(&texts, filter.trim(), legal)?;
                continue;
            }
            let action = match line.parse::<usize>() {
                Ok(number) => match number.checked_sub(1).and_then(|at| texts.get(at)) {
                    Some(text) => serde_json::from_str(text).unwrap_or_default(),
                    None => {
                        self.say("  no action has this number; ? lists the legal actions\n")?;
                        continue;
                    }
                },
                Err(_) => match self.read(&line, own) {
                    Ok(action) => action,
                    Err(mistake) => {
                        let shown =
                            format!("{}  {}\n", marked(&line, mistake.column), mistake.message);
                        self.say(&shown)?;
                        continue;
                    }
                },
            };
            if self.take(action)? {
                return Ok(Next::Look);
            }
        }
    }

    /// Parses an action; by default it is that of the seat that has to decide.
    fn read(&self, line: &str, own: Option<&str>) -> Result<Value, Mistake> {
        let prefixed = line.split_once(':').is_some_and(|(front, _)| {
            let front = front.trim();
            !front.is_empty() && self.dialect.seats.iter().any(|seat| seat.starts_with(front))
        });
        let front = match own {
            Some(seat) if !prefixed && !line.starts_with('{') => format!("{seat}: "),
            _ => String::new(),
        };
        let read =
            notation::read_action(self.dialect, &format!("{front}{line}"), &mut self.turn.clone());
        let read = read.map_err(|mistake| {
            let column = mistake.column.saturating_sub(front.chars().count()).max(1);
            Mistake { column, ..mistake }
        })?;
        Ok(serde_json::from_str(&read).unwrap_or_default())
    }

    /// Takes an action down if it is legal; returns whether it is.
    fn take(&mut self, action: Value) -> Result<bool, String> {
        if let Some(player) = action["player"].as_str() {
            self.turn = Turn::of(player);
        }
        self.push("/actions", action.clone());
        if is_unknown(&action) {
            return Ok(true);
        }
        let refused = self.asked(|submission| {
            let judged = submission.game.judge(&submission.record, limits())?;
            Ok(match (&judged.verdict.status, &judged.verdict.violation) {
                (Status::Illegal, Some(violation)) => Some(words::violation(submission, violation)),
                _ => None,
            })
        });
        match refused {
            Ok(None) => Ok(true),
            Ok(Some(why)) | Err(why) => {
                self.pop();
                self.say(&format!("{}\n", why.trim_end()))?;
                Ok(false)
            }
        }
    }

    fn list(&mut self, texts: &[&str], filter: &str, legal: &Legal) -> Result<(), String> {
        let filter = filter.to_lowercase();
        let mut out = String::new();
        let mut more = 0;
        let mut shown = 0;
        for (at, text) in texts.iter().enumerate() {
            let line = notation::write_action(self.dialect, text, &mut Turn::default());
            let line = line.unwrap_or_default();
            if !line.to_lowercase().contains(&filter) {
                continue;
            }
            if shown == LISTED {
                more += 1;
                continue;
            }
            shown += 1;
            let _ = writeln!(out, "{:>5}  {line}", at + 1);
        }
        if more > 0 {
            let _ = writeln!(out, "       … and {more} more; ? TEXT filters them");
        }
        if shown == 0 && !texts.is_empty() {
            let _ = writeln!(out, "       no legal action contains that");
        }
        if legal.choices.iter().any(|choices| !choices.ranges.is_empty()) {
            let _ = writeln!(
                out,
                "       others differ only in numbers or places; type how for the notation"
            );
        }
        self.say(&out)
    }

    /// Asks for the result of a draw.
    fn fallen(&mut self, wanted: &Wanted) -> Result<Next, String> {
        let clause = wanted.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        let what = match &wanted.what {
            WantedOf::Card { side, .. } => format!("Which card did {side} draw?"),
            WantedOf::Order { side, cards } => {
                format!(
                    "What is the order of the deck of {side}, {} cards from the top?",
                    cards.len()
                )
            }
            WantedOf::Die { at, values } => {
                let range = match values.as_slice() {
                    [1, .., last] if values.len() == *last as usize => format!("1 to {last}"),
                    values => values.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
                };
                format!("What did the die for {} show, {range}?", words::spaced(at))
            }
            WantedOf::Seed => {
                return Err("this game needs a seed: --seed".to_owned());
            }
        };
        self.say(&format!("{what}{clause}\n"))?;
        loop {
            let line = self.line("fell")?;
            if let Some(next) = self.command(line.as_deref())? {
                match next {
                    Next::Ask => continue,
                    next => return Ok(next),
                }
            }
            let line = line.unwrap_or_default();
            match entry(&wanted.what, &line) {
                Ok(entry) => {
                    self.push("/chance/tape", entry);
                    return Ok(Next::Look);
                }
                Err(why) => self.say(&format!("  {why}\n"))?,
            }
        }
    }

    /// Takes down actions of a game in which something is unknown; impossible ones are rejected.
    fn unjudged(&mut self) -> Result<Next, String> {
        self.say("Something is unknown. Type an action, or * and the result of a draw; what was not seen may be left out.\n")?;
        self.look()?;
        loop {
            let line = self.line("possible")?;
            if let Some(next) = self.command(line.as_deref())? {
                match next {
                    Next::Ask => continue,
                    Next::Look if self.unknown() => {
                        self.look()?;
                        continue;
                    }
                    next => return Ok(next),
                }
            }
            let line = line.unwrap_or_default();
            let read = match line.strip_prefix('*') {
                Some(fell) => self.free_entry(fell).map(|entry| ("/chance/tape", entry)),
                None => {
                    let mut turn = self.turn.clone();
                    let read = notation::read_action(self.dialect, &line, &mut turn);
                    read.map(|text| {
                        self.turn = turn;
                        ("/actions", serde_json::from_str(&text).unwrap_or_default())
                    })
                }
            };
            match read {
                Ok((to, value)) => {
                    self.push(to, value);
                    if !self.look()? {
                        self.pop();
                        self.say("  so it was not taken down\n")?;
                    }
                }
                Err(mistake) => {
                    self.say(&format!("{}  {}\n", marked(&line, mistake.column), mistake.message))?;
                }
            }
        }
    }

    /// Parses the result of a draw, as in notes.
    fn free_entry(&self, text: &str) -> Result<Value, Mistake> {
        let notes = format!("game: {}\n*{text}\n", self.dialect.game);
        let noted = notation::read_record(&notes, &[self.dialect]).map_err(|mistakes| {
            let first = mistakes.into_iter().next();
            first.unwrap_or(Mistake {
                line: 1,
                column: 1,
                message: "this is not a tape entry".to_owned(),
            })
        })?;
        let record: Value = serde_json::from_str(&noted.record).unwrap_or_default();
        Ok(record.pointer("/chance/tape/0").cloned().unwrap_or_default())
    }
}

/// The tape entry for an answer to a question.
fn entry(wanted: &WantedOf, line: &str) -> Result<Value, String> {
    let unknown = ["unknown", "?"].contains(&line);
    match wanted {
        WantedOf::Card { side, left } => match unknown || left.iter().any(|card| card == line) {
            true => {
                let card = if unknown { "?" } else { line };
                Ok(json!({"kind": "draw", "side": side, "card": card}))
            }
            false => Err(format!(
                "the deck has no {line:?}; it has {}; type unknown if nobody knows",
                left.join(", ")
            )),
        },
        WantedOf::Order { side, cards } => {
            if unknown {
                return Ok(json!({"kind": "shuffle", "side": side, "order": "?"}));
            }
            let order: Vec<&str> = line.split([' ', ',']).filter(|card| !card.is_empty()).collect();
            let mut given = order.clone();
            let mut deck: Vec<&str> = cards.iter().map(String::as_str).collect();
            given.sort_unstable();
            deck.sort_unstable();
            match given == deck {
                true => Ok(json!({"kind": "shuffle", "side": side, "order": order})),
                false => Err(format!(
                    "expected each card of the deck once: {}; type unknown if nobody knows",
                    cards.join(" ")
                )),
            }
        }
        WantedOf::Die { at, values } => match line.parse::<u32>() {
            _ if unknown => Ok(json!({"kind": "die", "at": at, "value": "?"})),
            Ok(value) if values.contains(&value) => {
                Ok(json!({"kind": "die", "at": at, "value": value}))
            }
            _ => Err(format!("the die cannot show {line:?}; type unknown if nobody knows")),
        },
        WantedOf::Seed => Err("only a seed can provide that".to_owned()),
    }
}

/// Converts the tape of a record to a list in which entries may be missing; returns whether it was
/// one.
fn take_tape(record: &mut Value) -> bool {
    let Some(tape) = record.pointer_mut("/chance/tape").filter(|it| it.is_object()) else {
        return false;
    };
    *tape = tape.get("entries").cloned().unwrap_or_else(|| json!([]));
    true
}

/// Whether a value contains an unknown.
fn is_unknown(value: &Value) -> bool {
    let within = |fields: &Map<String, Value>| {
        let named = fields.iter().filter(|(name, _)| *name != "note");
        fields.contains_key("one_of") || named.map(|it| it.1).any(is_unknown)
    };
    match value {
        Value::String(text) => text == "?",
        Value::Array(items) => items.iter().any(is_unknown),
        Value::Object(fields) => within(fields),
        _ => false,
    }
}
