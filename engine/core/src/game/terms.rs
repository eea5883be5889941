//! The terms in which every game speaks: who looks, how a game is called, who decides, how a game ends.
//!
//! Must not know any game, nor ask one.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::seat::{Seat, Seats};
use crate::rules::{Refusal, Rule};

/// A type that goes over the wire: plain serde both ways.
pub trait Wire: Serialize + DeserializeOwned + Send + Sync {}
impl<T: Serialize + DeserializeOwned + Send + Sync> Wire for T {}

/// Who looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observer {
    /// The referee, who sees everything.
    Referee,
    /// A player, who sees what the rules let that seat know.
    Seat(Seat),
    /// Somebody who sees only what is public.
    Spectator,
}

impl Observer {
    /// Whether this observer may see what belongs to `seat` alone.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Observer::Referee => true,
            Observer::Seat(own) => own == seat,
            Observer::Spectator => false,
        }
    }
}

/// What is constant about a game.
#[derive(Debug)]
pub struct Meta {
    /// The name in records and paths: `drako`.
    pub id: &'static str,
    /// The prefix of its rule ids: `DRK`.
    pub prefix: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The newest version of the rules, the number behind `@` in `drako@1`. Every version from 1 on is known
    /// for ever.
    pub version: u32,
    /// The names of all seats, in seat order.
    pub seats: &'static [&'static str],
    /// What the game's sentences call each seat, in seat order; if it is empty, they call it by its name.
    pub sides: &'static [SideName],
    /// The editions of its rulebook and what each is called: `the Italian edition`; empty for a game with one.
    pub editions: &'static [(&'static str, &'static str)],
    /// What holds in every state of a game.
    pub invariants: Invariants,
    /// The fewest and the most seats in use.
    pub players: (u8, u8),
    /// The labels of the random streams; an [`Ask`](crate::chance::Ask) names one by index.
    pub streams: &'static [&'static str],
    /// The ways in which a game can end, as [`Outcome::reason`] names them.
    pub endings: &'static [&'static str],
    /// What some endings are called in a sentence; the others are called by their names.
    pub ending_titles: &'static [(&'static str, &'static str)],
    /// What the chapters of its rules are called, chapter 1 first.
    pub chapters: &'static [&'static str],
    /// The tables of its rules, in the order of the document, and where in its components each stands.
    pub tables: &'static [Sheet],
}

/// A table of the rules: a number of the document, and what of a game's components stands under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The number, as the rules document has it: `A.3`.
    pub at: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The part of the components, a JSON pointer: an object, or a list of rows.
    pub of: &'static str,
    /// The columns that belong to the table; all of them where there are none here.
    pub columns: &'static [&'static str],
}

impl Sheet {
    /// A table with all that stands there.
    pub const fn whole(at: &'static str, title: &'static str, of: &'static str) -> Self {
        Sheet { at, title, of, columns: &[] }
    }
}

/// What holds in every state of a game, as the rules document numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invariants {
    /// The letter of the document's part, as in `DRK-G15`.
    pub part: char,
    /// The texts, number 1 first.
    pub texts: &'static [&'static str],
}

impl Invariants {
    /// None: for a game without a document.
    pub const NONE: Self = Invariants { part: 'I', texts: &[] };
}

/// What a game's sentences call a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideName {
    /// A player, for whom the name in a record can stand: `Prince 1`.
    Person(&'static str),
    /// What the seat plays, one figure: `the dragon`.
    One(&'static str),
    /// What the seat plays, several figures: `the dwarves`.
    Many(&'static str),
}

impl Meta {
    /// The id of an invariant: `DRK-G15`.
    pub fn invariant_id(&self, number: u8) -> String {
        format!("{}-{}{number}", self.prefix, self.invariants.part)
    }

    /// The id and the text of every invariant.
    pub fn invariants(&self) -> impl Iterator<Item = (String, &'static str)> {
        let numbered = (1u8..).zip(self.invariants.texts);
        numbered.map(|(number, text)| (self.invariant_id(number), *text))
    }

    /// What an ending is called: `dragon killed`.
    pub fn ending_title(&self, ending: &str) -> String {
        let known = self.ending_titles.iter().find(|(id, _)| *id == ending);
        known.map_or_else(|| ending.replace('_', " "), |(_, title)| (*title).to_owned())
    }

    /// What an edition is called.
    pub fn edition_title(&self, edition: &str) -> String {
        let known = self.editions.iter().find(|(id, _)| *id == edition);
        known.map_or_else(|| format!("the edition {edition}"), |(_, title)| (*title).to_owned())
    }

    fn side(&self, seat: &str) -> Option<&SideName> {
        self.sides.get(usize::from(self.seat(seat)?.0))
    }

    /// Whether the name of a seat's player can stand for the seat in every sentence.
    pub(crate) fn is_person(&self, seat: &str) -> bool {
        matches!(self.side(seat), Some(SideName::Person(_)))
    }

    /// Who wins, by the name in a record if there is one: `the dwarves win`, `Anna (the dwarves) wins`, and for a person
    /// `Anna wins`.
    pub fn wins(&self, seat: &str, name: Option<&str>) -> String {
        let (side, verb) = match self.side(seat) {
            Some(SideName::Person(title) | SideName::One(title)) => ((*title).to_owned(), "wins"),
            Some(SideName::Many(title)) => ((*title).to_owned(), "win"),
            None => (seat.replace('_', " "), "wins"),
        };
        match name {
            Some(name) if self.is_person(seat) => format!("{name} wins"),
            Some(name) => format!("{name} ({side}) wins"),
            None => format!("{side} {verb}"),
        }
    }

    /// The seat of that name.
    pub fn seat(&self, name: &str) -> Option<Seat> {
        let at = self.seats.iter().position(|&seat| seat == name)?;
        u8::try_from(at).ok().map(Seat)
    }

    /// The name of a seat of this game.
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.seats.get(usize::from(seat.0)).copied().unwrap_or("?")
    }

    /// The newest ruleset in the form `drako@1`: the one of a record that names none.
    pub fn ruleset(&self) -> String {
        self.ruleset_of(self.version)
    }

    /// The ruleset of a version, in the same form.
    pub fn ruleset_of(&self, version: u32) -> String {
        format!("{}@{version}", self.id)
    }

    /// Every known ruleset, the oldest first.
    pub fn rulesets(&self) -> impl Iterator<Item = String> {
        (1..=self.version).map(|version| self.ruleset_of(version))
    }

    /// The version of a known ruleset.
    pub fn version_of(&self, ruleset: &str) -> Option<u32> {
        (1..=self.version).find(|&version| self.ruleset_of(version) == ruleset)
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner, where there is one.
    pub winner: Option<Seat>,
    /// One of [`Meta::endings`].
    pub reason: &'static str,
}

/// How one seat stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// The place; equal players share one.
    pub place: u8,
    /// What was counted, the most important first.
    pub counts: Vec<Tally>,
}

/// One thing that was counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Tally {
    /// What: `cities`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub what: &'static str,
    /// How many.
    pub count: u32,
}

/// One stretch of play (a round) in a table of the whole game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Chapter {
    /// What it is called: `round`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: &'static str,
    /// Its number.
    pub number: u32,
    /// How each seat stands at its end (or now, if it is not over).
    pub rows: Vec<Standing>,
}

/// Something odd about a setup that is no fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oddity {
    /// A stable snake_case name.
    pub code: &'static str,
    /// The place below the options, a JSON pointer.
    pub pointer: String,
    /// In plain words.
    pub message: String,
}

/// A kind of action that people leave out of records because it goes without saying.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Omission {
    /// The name in `omitted` of a record: `end_phase`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: &'static str,
    /// What is put back, and where, in one sentence.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub gist: &'static str,
}

/// The cards with which something goes without saying.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Idle {
    /// The side whose hand it is.
    pub side: &'static str,
    /// The names of those cards that may be in the hand, each once.
    pub cards: Vec<String>,
}

/// What is to be decided now, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision<R> {
    /// Who may decide; nobody when the game is over.
    pub seats: Seats,
    /// The name of the pending state in the rules document.
    pub state: &'static str,
    /// The clause that asks.
    pub rule: R,
    /// Whether everybody may see the options, not just those who decide.
    pub open: bool,
}

/// The weight of an action that is neither good nor bad at sight.
pub const PRIOR: u32 = 16;

/// The clauses that the core cites by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreClauses<R> {
    /// A rejected action changes nothing; cited to those who may not learn more about a refusal.
    pub rejection: R,
    /// An action must fit what is to be decided. What it refuses also cites the clause that asks for that decision.
    pub protocol: R,
    /// A tape must fit the game.
    pub tape: R,
}

impl<R: Rule> CoreClauses<R> {
    /// Whether an action is refused only because something else is to be decided, or by somebody else.
    pub fn is_misplaced(&self, refusal: &Refusal<R>) -> bool {
        refusal.all().any(|rule| rule == self.protocol)
    }
}

/// The range type of a game in which every legal action is listed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoRange {}

/// The options of a game without any.
#[derive(Clone, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct NoOptions {}
