//! Reading a whole record from notes: a head, what chance gave, and an action a line.
//!
//! Must not judge, and must not know which options or rulings a game has: it takes their names as they are.

use serde_json::{Map, Value, json};

use super::cursor::{Cursor, small};
use super::read::{self, seat};
use super::value::{self, string};
use super::{Dialect, Form, Mistake, Noted, Part, Shape, Turn};
use crate::record::FORMAT;

type Checked<T = ()> = Result<T, Mistake>;

/// The most mistakes that are told of one text.
const MOST: usize = 20;

/// What may stand before a colon at the beginning of a line.
pub(super) const KEYS: [&str; 12] = [
    "game", "ruleset", "players", "options", "seed", "tape", "position", "actions", "claims",
    "note", "meta", "omitted",
];

/// What may stand at the beginning of a line, with a name and `=` after it.
pub(super) const KEYED: [&str; 5] = ["option", "ruling", "meta", "chance", "field"];

/// What is so at a moment.
pub(super) const CHECKPOINT: &str = "checkpoint";

/// What an entry of a tape says of its kind.
pub(super) const KIND: &str = "kind";

/// The entries of a tape.
pub(super) const ENTRIES: &[Form] = &[
    Form { word: "draw", parts: &[Part::Is("side", Shape::Name), Part::Is("card", Shape::Name)] },
    Form {
        word: "shuffle",
        parts: &[Part::Is("side", Shape::Name), Part::Is("order", Shape::List(&Shape::Name))],
    },
    Form {
        word: "die",
        parts: &[Part::Is("at", Shape::Name), Part::Is("value", Shape::Number(""))],
    },
    Form {
        word: "dice",
        parts: &[Part::Is("at", Shape::Name), Part::Is("values", Shape::List(&Shape::Number("")))],
    },
];

/// What stands for itself before a line of the tape among the actions.
pub(super) const FELL: char = '*';

/// A tape with holes.
pub(super) const PARTIAL: &str = "partial";

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    #[default]
    Head,
    Tape,
    Actions,
}

#[derive(Default)]
struct Notes {
    section: Section,
    dialect: Option<Dialect>,
    turn: Turn,
    /// The fields of the record that are given as a whole.
    fields: Map<String, Value>,
    options: Option<Map<String, Value>>,
    rulings: Map<String, Value>,
    chance: Map<String, Value>,
    tape: Option<Vec<Value>>,
    partial: bool,
    meta: Option<Map<String, Value>>,
    checkpoints: Vec<Value>,
    actions: Vec<Value>,
    lines: Vec<usize>,
}

/// Reads notes.
pub(super) fn read(text: &str, games: &[Dialect]) -> Result<Noted, Vec<Mistake>> {
    let mut from = Cursor::new(text);
    let mut notes = Notes::default();
    let mut mistakes = Vec::new();
    loop {
        if let Err(mistake) = notes.line(&mut from, games) {
            mistakes.push(mistake);
            if mistakes.len() == MOST {
                break;
            }
        }
        if !from.next_line() {
            break;
        }
    }
    if notes.dialect.is_none() && mistakes.is_empty() {
        let message = "no line says which game it is: `game: …` is expected";
        mistakes.push(Mistake { line: 1, column: 1, message: message.to_owned() });
    }
    if mistakes.is_empty() { Ok(notes.noted()) } else { Err(mistakes) }
}

/// Skips a number in front of a move: `12.` or `12)`.
fn skip_number(from: &mut Cursor<'_>) {
    from.here();
    let rest = from.rest();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = &rest[digits..];
    let ends =
        after.starts_with(['.', ')']) && !after[1..].starts_with(|it: char| it.is_alphanumeric());
    if digits > 0 && ends {
        from.advance(digits + 1);
    }
}

/// The rest of a line as text: as it is, or between quotation marks.
fn text(from: &mut Cursor<'_>) -> Checked<String> {
    if from.rest().trim_start().starts_with('"') && from.peek() == Some('"') {
        let mut ahead = from.clone();
        if let Ok(text) = string(&mut ahead)
            && ahead.peek().is_none()
        {
            *from = ahead;
            return Ok(text);
        }
    }
    let (at, text) = from.line_before_comment();
    match text.is_empty() {
        true => Err(from.mistake(at, "text is expected here")),
        false => Ok(text.to_owned()),
    }
}

/// That nothing but a comment follows on the line.
fn ended(from: &mut Cursor<'_>) -> Checked {
    match from.peek() {
        None => Ok(()),
        Some(_) => {
            let found = from.found();
            Err(from.mistaken(format!("the line should end before {found}")))
        }
    }
}

impl Notes {
    fn line(&mut self, from: &mut Cursor<'_>, games: &[Dialect]) -> Checked {
        let Some(sign) = from.peek() else { return Ok(()) };
        if sign == FELL {
            from.eat(FELL);
            return self.entry(from);
        }
        let at = from.here();
        let mut ahead = from.clone();
        let word = ahead.word().unwrap_or_default();
        let word = small(&word);
        if KEYS.contains(&&*word) && ahead.eat(':') {
            *from = ahead;
            return self.key(&word, at, from, games);
        }
        if word == CHECKPOINT && ahead.peek().is_some() {
            *from = ahead;
            return self.checkpoint(from);
        }
        if KEYED.contains(&&*word) {
            let quoted = ahead.at_quote();
            let named = value::key(&mut ahead).ok().filter(|_| ahead.eat('=') || quoted);
            if let Some(name) = named {
                *from = ahead;
                return self.keyed(&word, name, at, from);
            }
        }
        match self.section {
            Section::Tape => self.entry(from),
            Section::Head | Section::Actions => self.action(from),
        }
    }

    fn key(&mut self, key: &str, at: usize, from: &mut Cursor<'_>, games: &[Dialect]) -> Checked {
        let read = match key {
            "tape" => return self.tape(from),
            "actions" => {
                self.section = Section::Actions;
                return ended(from);
            }
            "game" => {
                let place = from.here();
                let game = text(from)?;
                let Some(dialect) = games.iter().find(|it| it.game == small(&game)) else {
                    let known: Vec<&str> = games.iter().map(|it| it.game).collect();
                    let message =
                        format!("{game:?} is no game here; they are {}", known.join(", "));
                    return Err(from.mistake(place, message));
                };
                self.dialect = Some(*dialect);
                Value::from(dialect.game)
            }
            "seed" => return self.chance(key, text(from)?.into(), at, from),
            "ruleset" | "note" => text(from)?.into(),
            "players" => self.players(from)?,
            "omitted" => {
                let mut names = Vec::new();
                while from.peek().is_some() {
                    names.push(Value::from(value::key(from)?));
                    from.eat(',');
                }
                Value::Array(names)
            }
            "options" => {
                self.options.get_or_insert_default();
                return match from.peek() {
                    None => Ok(()),
                    Some(_) => self.object(key, at, from),
                };
            }
            "meta" => return self.object(key, at, from),
            _ => value::read(from)?,
        };
        ended(from)?;
        self.field(key, read, at, from)
    }

    /// Takes all fields of an object into one that is put together of lines.
    fn object(&mut self, key: &str, at: usize, from: &mut Cursor<'_>) -> Checked {
        let place = from.here();
        let Value::Object(fields) = value::read(from)? else {
            return Err(from.mistake(place, format!("{key} is an object: {{…}} is expected")));
        };
        ended(from)?;
        let word = if key == "meta" { "meta" } else { "option" };
        if key == "meta" {
            self.meta.get_or_insert_default();
        }
        for (name, value) in fields {
            self.put(word, name, value, at, from)?;
        }
        Ok(())
    }

    fn tape(&mut self, from: &mut Cursor<'_>) -> Checked {
        self.section = Section::Tape;
        self.partial |= from.eat_word(PARTIAL);
        self.tape.get_or_insert_default();
        ended(from)
    }

    fn players(&mut self, from: &mut Cursor<'_>) -> Checked<Value> {
        let mut players = Map::new();
        while from.peek().is_some() {
            let at = from.here();
            let word = value::key(from)?;
            let full = self.dialect.and_then(|dialect| seat(dialect, &word));
            from.eat('=');
            let name = match from.at_quote() {
                true => string(from)?,
                false => {
                    let rest = from.rest();
                    let end = rest.find([',', '\n']).unwrap_or(rest.len());
                    let part = &rest[..end];
                    let end = part.find(" #").unwrap_or(part.len());
                    from.advance(end);
                    part[..end].trim().to_owned()
                }
            };
            if name.is_empty() {
                return Err(
                    from.mistaken(format!("the name of the player {word} is expected here"))
                );
            }
            let seat = full.map_or(word, str::to_owned);
            if players.insert(seat.clone(), Value::from(name)).is_some() {
                return Err(from.mistake(at, format!("{seat} is given twice")));
            }
            from.eat(',');
        }
        Ok(Value::Object(players))
    }

    /// A line with a name and a value.
    fn keyed(&mut self, word: &str, name: String, at: usize, from: &mut Cursor<'_>) -> Checked {
        from.eat('=');
        let value = value::read(from)?;
        ended(from)?;
        self.put(word, name, value, at, from)
    }

    fn put(
        &mut self,
        word: &str,
        name: String,
        value: Value,
        at: usize,
        from: &Cursor<'_>,
    ) -> Checked {
        let fields = match word {
            "option" => {
                let options = self.options.get_or_insert_default();
                match value {
                    // The rulings may be given in both ways.
                    Value::Object(rulings) if name == "rulings" && !rulings.is_empty() => {
                        for (id, reading) in rulings {
                            self.put("ruling", id, reading, at, from)?;
                        }
                        return Ok(());
                    }
                    value => {
                        return given_once(options, name, value, at, from);
                    }
                }
            }
            "ruling" => &mut self.rulings,
            "meta" => self.meta.get_or_insert_default(),
            "chance" => return self.chance(&name, value, at, from),
            _ => return self.field(&name, value, at, from),
        };
        given_once(fields, name, value, at, from)
    }

    fn chance(&mut self, name: &str, value: Value, at: usize, from: &Cursor<'_>) -> Checked {
        given_once(&mut self.chance, name.to_owned(), value, at, from)
    }

    fn field(&mut self, name: &str, value: Value, at: usize, from: &Cursor<'_>) -> Checked {
        given_once(&mut self.fields, name.to_owned(), value, at, from)
    }

    fn checkpoint(&mut self, from: &mut Cursor<'_>) -> Checked {
        let mut fields = Map::new();
        let number = from.next_word().and_then(|word| serde_json::from_str::<u32>(&word).ok());
        match number {
            Some(_) if from.next_name().is_none() => {
                from.word();
            }
            _ => {}
        }
        let ply = number.map_or_else(|| Value::from(self.actions.len()), Value::from);
        fields.insert("ply".to_owned(), ply);
        while from.peek().is_some() {
            let at = from.here();
            let (name, value) = match from.next_name() {
                None => ("facts".to_owned(), value::read(from)?),
                Some(_) => {
                    let name = value::key(from)?;
                    from.eat('=');
                    (name, value::read(from)?)
                }
            };
            if name == "facts" && !value.is_object() {
                return Err(from.mistake(at, "the facts are an object: {…} is expected"));
            }
            given_once(&mut fields, name, value, at, from)?;
            from.eat(',');
        }
        self.checkpoints.push(Value::Object(fields));
        Ok(())
    }

    fn known(&self, from: &mut Cursor<'_>) -> Checked<Dialect> {
        let message = "a line `game: …` is expected before this: which game is it?";
        self.dialect.ok_or_else(|| from.mistaken(message))
    }

    /// What chance gave.
    fn entry(&mut self, from: &mut Cursor<'_>) -> Checked {
        let dialect = self.known(from)?;
        let entry = match from.peek() {
            Some('{') => value::read(from)?,
            _ => read::tagged(dialect, from, KIND, ENTRIES)?,
        };
        ended(from)?;
        self.tape.get_or_insert_default().push(entry);
        Ok(())
    }

    fn action(&mut self, from: &mut Cursor<'_>) -> Checked {
        let dialect = self.known(from)?;
        skip_number(from);
        let mut ahead = from.clone();
        if let Some(seat) = read::prefix(dialect, &mut ahead)
            && ahead.peek().is_none()
        {
            self.turn = Turn::of(seat);
            *from = ahead;
            return Ok(());
        }
        if from.peek().is_none() {
            return Err(from.mistaken("an action is expected after its number"));
        }
        let line = from.line();
        let action = read::action(dialect, from, &mut self.turn)?;
        self.actions.push(action);
        self.lines.push(line);
        Ok(())
    }

    fn noted(mut self) -> Noted {
        let mut take = |name: &str| self.fields.shift_remove(name);
        let format = take("format").unwrap_or_else(|| FORMAT.into());
        let mut fields = vec![("format", Some(format))];
        for name in ["game", "ruleset"] {
            fields.push((name, take(name)));
        }
        let mut options = self.options;
        if !self.rulings.is_empty() {
            let rulings = Value::Object(self.rulings);
            options.get_or_insert_default().insert("rulings".to_owned(), rulings);
        }
        fields.push(("options", take("options").or(options.map(Value::Object))));
        fields.push(("players", take("players")));
        let mut chance = self.chance;
        match self.tape {
            Some(tape) if self.partial => {
                chance.insert("tape".to_owned(), json!({PARTIAL: true, "entries": tape}));
            }
            Some(tape) => drop(chance.insert("tape".to_owned(), Value::Array(tape))),
            // Whoever notes no chance saw none.
            None if chance.is_empty() => drop(chance.insert("tape".to_owned(), json!([]))),
            None => {}
        }
        fields.push(("chance", Some(take("chance").unwrap_or(Value::Object(chance)))));
        fields.push(("position", take("position")));
        fields.push(("actions", Some(Value::Array(self.actions))));
        fields.push(("claims", take("claims")));
        let checkpoints = (!self.checkpoints.is_empty()).then_some(Value::Array(self.checkpoints));
        fields.push(("checkpoints", take("checkpoints").or(checkpoints)));
        fields.push(("note", take("note")));
        fields.push(("meta", take("meta").or(self.meta.map(Value::Object))));
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let record: Map<String, Value> = fields.chain(self.fields).collect();
        Noted { record: Value::Object(record).to_string(), lines: self.lines }
    }
}

fn given_once(
    fields: &mut Map<String, Value>,
    name: String,
    value: Value,
    at: usize,
    from: &Cursor<'_>,
) -> Checked {
    match fields.contains_key(&name) {
        true => Err(from.mistake(at, format!("{name} is given twice"))),
        false => {
            fields.insert(name, value);
            Ok(())
        }
    }
}
