//! How a tape that does not fit reads in a verdict.
//!
//! Must not tell a viewer what has fallen unseen.

use super::answer::Violation;
use crate::chance::Halt;
use crate::game::{Game, Observer, Seat, Table, TableSetup};
use crate::rules::Rule;

/// How a tape fault reads in a verdict.
pub(crate) struct TapeFault {
    pub(crate) code: &'static str,
    pub(crate) pointer: String,
    pub(crate) message: String,
    pub(crate) rules: Vec<String>,
}

impl TapeFault {
    /// Chance gave no answer to a question of the rules.
    pub(crate) fn of<G: Game>(halt: &Halt, asked_by: Option<G::Rule>) -> Self {
        let (code, pointer, message) = match halt {
            Halt::Mismatch { entry, asked, found } => (
                "tape_mismatch",
                format!("/chance/tape/{entry}"),
                format!("the rules ask for {asked} here, but {found}"),
            ),
            Halt::Exhausted { entries, asked } => (
                "tape_exhausted",
                format!("/chance/tape/{entries}"),
                format!("the rules ask for {asked} here, but nothing more is recorded"),
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
        let asked_by = asked_by.filter(|&rule| rule != G::CLAUSES.tape);
        let rules = std::iter::once(G::CLAUSES.tape).chain(asked_by);
        TapeFault { code, pointer, message, rules: rules.map(|it| it.id().to_owned()).collect() }
    }

    /// Entries are left on the tape of a finished game.
    pub(super) fn left_over<G: Game>(entry: usize, left: usize) -> Self {
        TapeFault {
            code: "tape_leftover",
            pointer: format!("/chance/tape/{entry}"),
            message: format!("{}, and the game is over", unused(left)),
            rules: vec![G::CLAUSES.tape.id().to_owned()],
        }
    }

    /// More fell for an action than it asks for.
    pub(crate) fn too_much<G: Game>(entry: usize, left: usize) -> Self {
        let message = format!("{}: the action asks for no more", unused(left));
        TapeFault { message, ..TapeFault::left_over::<G>(entry, left) }
    }

    /// As whoever entered what falls for his own action is told it: the place on the whole tape aside, which others
    /// have written too. Of a draw that is another side's he learns only that there is one.
    pub(crate) fn told_to_sender<G: Game>(self, side: Option<&str>, sender: Seat) -> Self {
        let own = side.is_none_or(|side| side == G::META.seat_name(sender));
        let message = match own {
            true => self.message,
            false => {
                "the rules ask for a draw here that is not this player's; the host can enter it"
                    .to_owned()
            }
        };
        TapeFault { pointer: "/chance".to_owned(), message, ..self }
    }

    /// The violation at the table's ply, as a viewer may know it.
    pub(crate) fn violation<G: Game>(self, table: &Table<G>, viewer: Observer) -> Violation {
        match viewer {
            Observer::Referee => self.whole(table),
            Observer::Spectator | Observer::Seat(_) => {
                let (pointer, message) = ("/chance", "the tape does not fit the game");
                let rules = vec![G::CLAUSES.tape.id().to_owned()];
                let shown = TapeFault {
                    pointer: pointer.to_owned(),
                    message: message.to_owned(),
                    rules,
                    ..self
                };
                shown.whole(table)
            }
        }
    }

    /// The violation at the table's ply, with all that this says.
    pub(crate) fn whole<G: Game>(self, table: &Table<G>) -> Violation {
        Violation {
            ply: table.ply(),
            pointer: self.pointer,
            player: None,
            code: self.code.to_owned(),
            rule: G::CLAUSES.tape.id().to_owned(),
            section: G::CLAUSES.tape.entry().section(G::Setup::edition(table.setup())),
            rules: self.rules,
            message: self.message,
            facts: Vec::new(),
            nearest: Vec::new(),
        }
    }
}

pub(super) fn unused(left: usize) -> String {
    let entries = if left == 1 { "entry is" } else { "entries are" };
    format!("{left} tape {entries} left over")
}
