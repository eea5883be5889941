//! Reading an action by the table of its game.
//!
//! Parts stand in the order of the table; from the first `field=value` on, or in between, fields may be given
//! by name. Must not judge more than the form; what a field may hold, the game's own reader says.

use serde_json::{Map, Value};

use super::cursor::{Cursor, small};
use super::pattern::pattern;
use super::value::{self, or_unknown};
use super::{By, Dialect, Form, Mistake, Part, Shape, Turn, Verb};
use crate::wire::{NOTE, escaped};

type Fields = Map<String, Value>;
type Checked<T> = Result<T, Mistake>;

/// The field of the type, and that of the player.
pub(super) const TYPE: &str = "type";
pub(super) const PLAYER: &str = "player";

/// Reads one action, and nothing after it.
pub(super) fn only(dialect: Dialect, line: &str, turn: &mut Turn) -> Checked<String> {
    let mut from = Cursor::new(line);
    let action = action(dialect, &mut from, turn)?;
    if !from.rest().trim().is_empty() {
        return Err(from.mistaken("one action is expected, in one line"));
    }
    Ok(action.to_string())
}

/// Reads an action with its note, to the end of the line.
pub(super) fn action(dialect: Dialect, from: &mut Cursor<'_>, turn: &mut Turn) -> Checked<Value> {
    let before = turn.clone();
    let read = Reader { dialect, from, places: Vec::new() }.action(turn);
    if read.is_err() {
        *turn = before;
    }
    read
}

/// The seat that a word names, in full or by a beginning that no other has.
pub(super) fn seat(dialect: Dialect, word: &str) -> Option<&'static str> {
    let (seats, word) = (dialect.seats, &*small(word));
    let full = seats.iter().find(|seat| **seat == word);
    let begins = || {
        let mut fits = seats.iter().filter(|seat| !word.is_empty() && seat.starts_with(word));
        fits.next().filter(|_| fits.next().is_none())
    };
    full.or_else(begins).copied()
}

/// The seat in front of a colon, if the line begins so; it is taken.
pub(super) fn prefix(dialect: Dialect, from: &mut Cursor<'_>) -> Option<&'static str> {
    let mut ahead = from.clone();
    let word = ahead.word()?;
    if !ahead.eat(':') {
        return None;
    }
    let seat = seat(dialect, &word)?;
    *from = ahead;
    Some(seat)
}

/// Reads an object by one of some forms, the word of which is the value of its field `tag`, and what else is given
/// by name.
pub(super) fn tagged(
    dialect: Dialect,
    from: &mut Cursor<'_>,
    tag: &'static str,
    forms: &'static [Form],
) -> Checked<Value> {
    let mut reader = Reader { dialect, from, places: Vec::new() };
    let mut fields = match reader.one_of(Some(tag), forms, "", true)? {
        Value::Object(fields) => fields,
        other => return Ok(other),
    };
    reader.named(&[], &mut fields)?;
    Ok(Value::Object(fields))
}

struct Reader<'r, 'a> {
    dialect: Dialect,
    from: &'r mut Cursor<'a>,
    /// Where the value of each pointer stands.
    places: Vec<(String, usize)>,
}

impl Reader<'_, '_> {
    fn action(&mut self, turn: &mut Turn) -> Checked<Value> {
        if self.from.peek() == Some('{') {
            let mut action = self.json()?;
            self.note(&mut action)?;
            return Ok(Value::Object(action));
        }
        let prefix = prefix(self.dialect, self.from);
        let begin = self.from.here();
        let Some(word) = self.from.word() else {
            let found = self.from.found();
            return Err(self.from.mistaken(format!("an action is expected, not {found}")));
        };
        let verb = self.verb(&word, begin)?;
        let parts = verb.map_or(&[][..], |verb| verb.parts);
        let mut fields = Fields::new();
        self.parts(parts, parts, &mut fields, "", true)?;
        self.named(parts, &mut fields)?;
        if self.from.peek().is_some() {
            let found = self.from.found();
            return Err(self.from.mistaken(format!("the line should end before {found}")));
        }
        let by = verb.map_or(By::Turn, |verb| verb.by);
        let player = match fields.shift_remove(PLAYER) {
            Some(player) => player,
            None => self.player(by, &fields, prefix, turn, begin)?.into(),
        };
        let kind = verb.map_or(&*word, |verb| verb.word);
        let head = [(TYPE.to_owned(), Value::from(kind)), (PLAYER.to_owned(), player)];
        let mut action: Fields = head.into_iter().chain(fields).collect();
        self.check(&action, begin)?;
        self.note(&mut action)?;
        Ok(Value::Object(action))
    }

    /// An action in JSON, as it is.
    fn json(&mut self) -> Checked<Fields> {
        let at = self.from.here();
        let mut values = serde_json::Deserializer::from_str(self.from.rest()).into_iter::<Fields>();
        let read = values.next();
        let length = values.byte_offset();
        match read {
            Some(Ok(action)) => {
                self.from.advance(length);
                Ok(action)
            }
            Some(Err(error)) => Err(self.from.mistake(at, format!("this is no JSON: {error}"))),
            None => Err(self.from.mistake(at, "an action is expected")),
        }
    }

    fn verb(&self, word: &str, at: usize) -> Checked<Option<&'static Verb>> {
        let verbs = self.dialect.grammar.verbs;
        let typed = small(word);
        let fits = |verb: &&Verb| verb.word == typed || verb.also.contains(&&*typed);
        match verbs.iter().find(fits) {
            None if !verbs.is_empty() => {
                let known: Vec<&str> = verbs.iter().map(|verb| verb.word).collect();
                let known = known.join(", ");
                let message =
                    format!("{word:?} is not an action of {}; they are {known}", self.dialect.game);
                Err(self.from.mistake(at, message))
            }
            verb => Ok(verb),
        }
    }

    /// Whose the action is.
    fn player(
        &self,
        by: By,
        fields: &Fields,
        prefix: Option<&'static str>,
        turn: &mut Turn,
        at: usize,
    ) -> Checked<String> {
        let own = inferred(self.dialect, by, fields, turn);
        let player = prefix.map(str::to_owned).or(own).ok_or_else(|| {
            let seats: Vec<String> = self.dialect.seats.iter().map(|it| format!("{it}:")).collect();
            let message =
                format!("whose action is it? Begin the line with one of {}", seats.join(", "));
            self.from.mistake(at, message)
        })?;
        turned(by, &player, turn);
        Ok(player)
    }

    /// What the game's own reader says of an action in which everything is known.
    fn check(&self, action: &Fields, begin: usize) -> Checked<()> {
        let action = Value::Object(action.clone());
        if value::has_unknown(&action) {
            return Ok(());
        }
        (self.dialect.check)(&action.to_string()).map_err(|fault| {
            let fits = |place: &&(String, usize)| fault.pointer.starts_with(&place.0);
            let place = self.places.iter().filter(fits).max_by_key(|place| place.0.len());
            self.from.mistake(place.map_or(begin, |place| place.1), fault.detail)
        })
    }

    /// The note at the end of the line, if there is one.
    fn note(&mut self, action: &mut Fields) -> Checked<()> {
        if let Some(note) = note(self.from)?
            && action.insert(NOTE.to_owned(), Value::from(note)).is_some()
        {
            return Err(self.from.mistaken("the action has a note already"));
        }
        Ok(())
    }

    /// Reads parts in their order. `all` are those among which a name is looked up: only at the top of an action
    /// may fields be given by name. `last` is whether nothing comes after these parts.
    fn parts(
        &mut self,
        parts: &'static [Part],
        all: &'static [Part],
        fields: &mut Fields,
        path: &str,
        last: bool,
    ) -> Checked<()> {
        let top = path.is_empty();
        for (at, part) in parts.iter().enumerate() {
            if top {
                self.named(all, fields)?;
            }
            let last = last && at + 1 == parts.len();
            let given = |field: &str| fields.contains_key(field);
            match *part {
                Part::Word(word) => {
                    self.from.eat_word(word);
                }
                Part::Arrow => {
                    self.from.eat_arrow();
                }
                Part::Flag(word, field) => {
                    if !given(field) && self.from.next_name().is_none() && self.from.eat_word(word)
                    {
                        fields.insert(field.to_owned(), Value::from(true));
                    }
                }
                Part::Led(word, field, shape) => {
                    if !given(field) && self.from.next_name().is_none() && self.from.eat_word(word)
                    {
                        self.field(field, &shape, fields, path, last)?;
                    }
                }
                Part::Is(field, _) | Part::May(field, _) | Part::Any(field, _) if given(field) => {}
                Part::Is(field, shape) => {
                    if !self.more(top) {
                        return Err(self.missing(field, &shape));
                    }
                    self.field(field, &shape, fields, path, last)?;
                }
                Part::May(field, shape) => {
                    if self.more(top) {
                        self.field(field, &shape, fields, path, last)?;
                    }
                }
                Part::Any(field, shape) => match self.more(top) {
                    true => self.field(field, &shape, fields, path, last)?,
                    false => drop(fields.insert(field.to_owned(), Value::Array(Vec::new()))),
                },
                Part::Choice(field, forms) => self.choice(field, forms, all, fields, path, last)?,
                Part::Keyed(names, shape, all_of_them) => {
                    self.keyed(names, &shape, fields, path)?;
                    let missing = names.iter().find(|name| !fields.contains_key(name.1));
                    if let (true, Some((_, field))) = (all_of_them, missing) {
                        return Err(self.missing(field, &shape));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether something stands here that can be a part of the line: no name of a field, nothing that closes.
    fn more(&mut self, top: bool) -> bool {
        let sign = self.from.peek();
        let closes = matches!(sign, None | Some(',' | ']' | ')' | '}' | '|' | ';'));
        let named = top && self.from.next_name().is_some();
        !(closes || named)
    }

    fn missing(&mut self, field: &str, shape: &Shape) -> Mistake {
        let found = self.from.found();
        self.from
            .mistaken(format!("{field} is missing: {} is expected, not {found}", expected(shape)))
    }

    /// Reads the value of a field.
    fn field(
        &mut self,
        field: &str,
        shape: &Shape,
        fields: &mut Fields,
        path: &str,
        last: bool,
    ) -> Checked<()> {
        let path = format!("{path}/{}", escaped(field));
        let value = self.shape(shape, &path, last)?;
        fields.insert(field.to_owned(), value);
        Ok(())
    }

    fn choice(
        &mut self,
        field: &str,
        forms: &'static [Form],
        all: &'static [Part],
        fields: &mut Fields,
        path: &str,
        last: bool,
    ) -> Checked<()> {
        if !fields.contains_key(field) {
            let at = self.from.here();
            let found = self.from.found();
            let known = || forms.iter().map(|form| form.word).collect::<Vec<_>>().join(", ");
            let path = format!("{path}/{}", escaped(field));
            self.places.push((path, at));
            let read = or_unknown(self.from, &mut |from| match from.word() {
                Some(word) if forms.iter().any(|form| form.word == small(&word)) => {
                    Ok(Value::from(&*small(&word)))
                }
                _ => Err(from.mistake(at, format!("{field} is one of {}, not {found}", known()))),
            })?;
            fields.insert(field.to_owned(), read);
        }
        let word = fields[field].as_str();
        match forms.iter().find(|form| word == Some(form.word)) {
            Some(form) => self.parts(form.parts, all, fields, path, last),
            None => Ok(()),
        }
    }

    /// Fields behind their names, in any order.
    fn keyed(
        &mut self,
        names: &'static [(&'static str, &'static str)],
        shape: &Shape,
        fields: &mut Fields,
        path: &str,
    ) -> Checked<()> {
        loop {
            let mut ahead = self.from.clone();
            let at = ahead.here();
            let Some(word) = ahead.word() else { return Ok(()) };
            let name = names.iter().find(|name| name.0 == word || name.1 == word);
            let Some((_, field)) = name else { return Ok(()) };
            *self.from = ahead;
            if fields.contains_key(*field) {
                return Err(self.from.mistake(at, format!("{field} is given twice")));
            }
            let _ = self.from.eat('=') || self.from.eat_arrow();
            self.field(field, shape, fields, path, false)?;
            self.from.eat(',');
        }
    }

    /// Reads fields that are given by name, as long as there are any.
    fn named(&mut self, parts: &'static [Part], fields: &mut Fields) -> Checked<()> {
        while let Some(name) = self.from.next_name() {
            let at = self.from.here();
            self.from.word();
            self.from.eat('=');
            let (field, shape) = match shape_of(parts, &name) {
                Some((field, shape)) => (field, Some(shape)),
                None => (&*name, None),
            };
            if field == TYPE || fields.contains_key(field) {
                return Err(self.from.mistake(at, format!("{field} is given twice")));
            }
            match shape {
                Some(shape) => self.field(field, &shape, fields, "", false)?,
                None => {
                    self.places.push((format!("/{}", escaped(field)), self.from.here()));
                    let value = value::read(self.from)?;
                    fields.insert(field.to_owned(), value);
                }
            }
            self.from.eat(',');
        }
        Ok(())
    }

    /// Reads a value of a shape; the whole of it may be unknown.
    fn shape(&mut self, shape: &Shape, path: &str, last: bool) -> Checked<Value> {
        let at = self.from.here();
        self.places.push((path.to_owned(), at));
        if self.from.peek() == Some('?') && !self.begins_with_unknown(shape) {
            let (dialect, places) = (self.dialect, &mut self.places);
            return or_unknown(self.from, &mut |from| {
                let mut reader = Reader { dialect, from, places: std::mem::take(places) };
                let value = reader.known(shape, path, false);
                *places = reader.places;
                value
            });
        }
        self.known(shape, path, last)
    }

    /// Whether it is the first part of what stands here that is unknown, and not the whole: `?->1,2`.
    fn begins_with_unknown(&self, shape: &Shape) -> bool {
        let rest = self.from.rest();
        let after = match rest.strip_prefix("?(") {
            Some(within) => within.split_once(')').map_or("", |(_, after)| after),
            None => rest.strip_prefix('?').unwrap_or_default(),
        };
        let mut ahead = Cursor::new(after);
        matches!(shape, Shape::Object(_) | Shape::Tuple(_)) && ahead.eat_arrow()
    }

    fn known(&mut self, shape: &Shape, path: &str, last: bool) -> Checked<Value> {
        match *shape {
            Shape::Name => self.name(shape).map(Value::from),
            Shape::Short(names) => {
                let word = self.name(shape)?;
                let name = names.iter().find(|name| name.0 == word);
                Ok(Value::from(name.map_or(word, |name| name.1.to_owned())))
            }
            Shape::Number(letters) => self.number(letters, shape),
            Shape::Hex => self.hex(shape),
            Shape::YesNo(yes, no) => {
                let mut ahead = self.from.clone();
                let word = ahead.word().unwrap_or_default();
                let is = [yes, "true", "yes"].contains(&&*word);
                if !is && ![no, "false", "no"].contains(&&*word) {
                    return Err(self.unexpected(shape));
                }
                *self.from = ahead;
                Ok(Value::from(is))
            }
            Shape::OrNull(word, inner) => match self.from.eat_word(word) {
                true => Ok(Value::Null),
                false => self.known(inner, path, last),
            },
            Shape::List(item) => self.list(item, path, last),
            Shape::Tuple(items) => self.tuple(items, path),
            Shape::Object(parts) => {
                let mut fields = Fields::new();
                self.parts(parts, &[], &mut fields, path, last)?;
                Ok(Value::Object(fields))
            }
            Shape::OneOf(tag, forms) => self.one_of(tag, forms, path, last),
            Shape::Text => match self.from.at_quote() {
                true => value::string(self.from).map(Value::from),
                false => Err(self.unexpected(shape)),
            },
        }
    }

    fn unexpected(&mut self, shape: &Shape) -> Mistake {
        let found = self.from.found();
        self.from.mistaken(format!("{} is expected, not {found}", expected(shape)))
    }

    /// A word, or text between quotation marks.
    fn name(&mut self, shape: &Shape) -> Checked<String> {
        if self.from.at_quote() {
            return value::string(self.from);
        }
        match self.from.word() {
            Some(word) => Ok(word.into_owned()),
            None => Err(self.unexpected(shape)),
        }
    }

    fn number(&mut self, letters: &str, shape: &Shape) -> Checked<Value> {
        let mut ahead = self.from.clone();
        let word = ahead.word().unwrap_or_default();
        let digits = word.trim_start_matches(|sign| letters.contains(sign));
        // The letters stand before the number or not at all.
        match serde_json::from_str::<Value>(digits) {
            Ok(number) if number.is_i64() || number.is_u64() => {
                *self.from = ahead;
                Ok(number)
            }
            _ => Err(self.unexpected(shape)),
        }
    }

    fn hex(&mut self, shape: &Shape) -> Checked<Value> {
        let bracket = [('[', ']'), ('(', ')')].into_iter().find(|pair| self.from.open(pair.0));
        let q = self.number("", shape)?;
        self.from.eat(',');
        let r = self.number("", shape)?;
        if let Some((_, end)) = bracket
            && !self.from.close(end)
        {
            let found = self.from.found();
            return Err(self.from.mistaken(format!("{end} is expected after a hex, not {found}")));
        }
        Ok(Value::Array(vec![q, r]))
    }

    /// A list: one item, or some in brackets; at the end of the line any number of both.
    fn list(&mut self, item: &Shape, path: &str, last: bool) -> Checked<Value> {
        let mut items = Vec::new();
        loop {
            if self.from.open('[') {
                while !self.from.close(']') {
                    if self.from.peek().is_none() {
                        return Err(self.from.mistaken("] is expected: the list does not end"));
                    }
                    self.item(item, path, &mut items)?;
                }
            } else {
                self.item(item, path, &mut items)?;
            }
            if !last || !(self.from.eat(',') || self.more(true)) {
                return Ok(Value::Array(items));
            }
        }
    }

    fn item(&mut self, item: &Shape, path: &str, items: &mut Vec<Value>) -> Checked<()> {
        let path = format!("{path}/{}", items.len());
        items.push(self.shape(item, &path, false)?);
        if self.from.depth() > 0 {
            self.from.eat(',');
        }
        Ok(())
    }

    fn tuple(&mut self, shapes: &[Shape], path: &str) -> Checked<Value> {
        let bracket = self.from.open('[');
        let mut items = Vec::new();
        for (at, shape) in shapes.iter().enumerate() {
            if at > 0 {
                let _ = self.from.eat_arrow() || self.from.eat(',');
            }
            items.push(self.shape(shape, &format!("{path}/{at}"), false)?);
        }
        if bracket && !self.from.close(']') {
            let found = self.from.found();
            return Err(self.from.mistaken(format!("] is expected, not {found}")));
        }
        Ok(Value::Array(items))
    }

    fn one_of(
        &mut self,
        tag: Option<&str>,
        forms: &'static [Form],
        path: &str,
        last: bool,
    ) -> Checked<Value> {
        let at = self.from.here();
        let found = self.from.found();
        let word = self.from.word().unwrap_or_default();
        let Some(form) = forms.iter().find(|form| form.word == small(&word)) else {
            let known: Vec<&str> = forms.iter().map(|form| form.word).collect();
            let message = format!("one of {} is expected, not {found}", known.join(", "));
            return Err(self.from.mistake(at, message));
        };
        let mut fields = Fields::new();
        if let Some(tag) = tag {
            fields.insert(tag.to_owned(), Value::from(form.word));
        }
        self.parts(form.parts, &[], &mut fields, path, last)?;
        Ok(Value::Object(fields))
    }
}

/// Whose an action is where its line does not say.
pub(super) fn inferred(dialect: Dialect, by: By, fields: &Fields, turn: &Turn) -> Option<String> {
    let current = turn.0.clone();
    match by {
        By::Turn => current,
        By::Seat(seat) => Some(seat.to_owned()),
        By::Other => {
            let [one, other] = dialect.seats else { return current };
            current.map(|seat| if seat == *one { *other } else { *one }.to_owned())
        }
        By::Owner(field, owners) => {
            // Of a list the first says it.
            let named = fields.get(field).map(|it| it.get(0).unwrap_or(it));
            let name = named.and_then(Value::as_str).unwrap_or_default();
            let owner = owners.iter().find(|owner| name.starts_with(owner.0));
            owner.map(|owner| owner.1.to_owned()).or(current)
        }
    }
}

/// Whose turn it is after an action.
pub(super) fn turned(by: By, player: &str, turn: &mut Turn) {
    if let By::Turn | By::Owner(..) = by {
        turn.0 = Some(player.to_owned());
    }
}

/// The field of a name, or of a short name, and its shape.
fn shape_of(parts: &'static [Part], name: &str) -> Option<(&'static str, Shape)> {
    parts.iter().find_map(|part| match *part {
        Part::Is(field, shape)
        | Part::May(field, shape)
        | Part::Any(field, shape)
        | Part::Led(_, field, shape) => (field == name).then_some((field, shape)),
        Part::Choice(_, forms) => forms.iter().find_map(|form| shape_of(form.parts, name)),
        Part::Keyed(names, shape, _) => {
            let found = names.iter().find(|it| it.0 == name || it.1 == name);
            found.map(|it| (it.1, shape))
        }
        Part::Flag(..) | Part::Word(_) | Part::Arrow => None,
    })
}

/// What a value of a shape looks like, in words.
pub(super) fn expected(shape: &Shape) -> String {
    match *shape {
        Shape::Name => "a name".to_owned(),
        Shape::Short(names) => {
            let both = |name: &(&str, &str)| match name.0 == name.1 {
                true => name.1.to_owned(),
                false => format!("{} ({})", name.0, name.1),
            };
            format!("one of {}", names.iter().map(both).collect::<Vec<_>>().join(", "))
        }
        Shape::Number(_) => "a whole number".to_owned(),
        Shape::Hex => "a hex, as 1,-2,".to_owned(),
        Shape::YesNo(yes, no) => format!("{yes} or {no}"),
        Shape::OrNull(word, inner) => format!("{}, or {word},", expected(inner)),
        Shape::List(item) => format!("a list, each item {},", expected(item)),
        Shape::Tuple(items) => format!("a list of {}", items.len()),
        Shape::Object(parts) => pattern(parts),
        Shape::OneOf(_, forms) => {
            let words: Vec<&str> = forms.iter().map(|form| form.word).collect();
            format!("one of {}", words.join(", "))
        }
        Shape::Text => "text between quotation marks".to_owned(),
    }
}

/// Takes the note at the end of a line, if there is one.
pub(super) fn note(from: &mut Cursor<'_>) -> Checked<Option<String>> {
    from.peek();
    let Some(mark) = from.note_mark() else { return Ok(None) };
    from.advance(mark.len());
    let at = from.here();
    let text = from.line_to_end();
    let note = match serde_json::from_str::<String>(text) {
        Ok(quoted) => quoted,
        Err(_) => text.to_owned(),
    };
    match note.is_empty() && text.is_empty() {
        // A mark alone says nothing.
        true => Ok(None),
        false if note.chars().count() > crate::wire::NOTE_MOST => {
            let most = crate::wire::NOTE_MOST;
            Err(from.mistake(at, format!("a note has at most {most} characters")))
        }
        false => Ok(Some(note)),
    }
}
