//! A fair draw: a seed to which everybody at a table gave a part, and which nobody could choose.
//!
//! Everybody, the server too, draws a secret of 32 bytes and first shows only its hash, the commitment. Once all
//! commitments are there, the players open their secrets, the server last; the seed is the hash of all of them. Who
//! opens last cannot know the seed beforehand, because the server's secret is still closed; the server cannot choose
//! one, because its commitment was there first.
//!
//! It protects against a stacked deck. It does not protect against a server that looks into hands: the server knows the
//! seed as soon as the players have opened their secrets. The exact texts that are hashed are given in
//! `docs/records.md`, with test vectors; they must not change.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::digest::Fingerprint;

/// What every text that is hashed begins with.
const PROTOCOL: &str = "umpire fair draw 1";

/// The name under which the server takes part; no seat has it.
pub const SERVER: &str = "server";

/// The commitment to a secret: SHA-256 of four lines, in lower-case hexadecimal digits.
///
/// ```
/// let secret = "00".repeat(32);
/// let one = umpire_core::chance::fair::commitment("a table", "a seat", &secret);
/// assert_eq!(one.len(), 64);
/// assert_ne!(one, umpire_core::chance::fair::commitment("a table", "another seat", &secret));
/// ```
pub fn commitment(table: &str, who: &str, secret: &str) -> String {
    hash(&format!("{PROTOCOL} commitment\n{table}\n{who}\n{secret}\n"))
}

fn hash(text: &str) -> String {
    Fingerprint(Sha256::digest(text.as_bytes()).into()).to_string()
}

/// Whether a text is a secret or a commitment: 64 lower-case hexadecimal digits.
pub fn is_value(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

/// What one of those who took part did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FairPart))]
#[serde(deny_unknown_fields)]
pub struct FairPart {
    /// `server`, or a seat.
    pub who: String,
    /// The commitment: 64 lower-case hexadecimal digits; `null` for a seat that gave none and was left out.
    pub commitment: Option<String>,
    /// The secret behind it: 64 lower-case hexadecimal digits; `null` for a seat that did not open it and was left
    /// out.
    pub secret: Option<String>,
    /// Whether a program plays the seat: it gives no part, nobody waits for it, and the seed does not name it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub program: bool,
}

impl FairPart {
    /// The part of a seat that somebody plays, before anything is given.
    pub fn of(seat: impl Into<String>) -> Self {
        FairPart { who: seat.into(), commitment: None, secret: None, program: false }
    }

    /// That of a seat that a program plays.
    pub fn of_program(seat: impl Into<String>) -> Self {
        FairPart { program: true, ..FairPart::of(seat) }
    }
}

/// Everything that is needed to check a fair draw. The `chance` of a record may carry it as `fair`, beside the seed
/// that it gives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FairDraw))]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// The table at which it was drawn; no secret of one table does for another.
    pub table: String,
    /// Who took part: the server first, then all seats that are in use, in seat order. A seat that was left out stands
    /// there without a secret, one that a program plays with `program`.
    pub parts: Vec<FairPart>,
}

impl Transcript {
    /// The seed that the secrets give.
    pub fn seed(&self) -> String {
        let mut text = format!("{PROTOCOL} seed\n{}\n", self.table);
        for FairPart { who, secret, .. } in self.parts.iter().filter(|part| !part.program) {
            let _ = writeln!(text, "{who} {}", secret.as_deref().unwrap_or("-"));
        }
        format!("chacha20:{}", hash(&text))
    }

    /// What is wrong with it in a game with these seats in use, in seat order, if anything is: each line names who.
    ///
    /// The transcript must name exactly them: whoever could add a name, leave a seat out or change the order could try
    /// seed after seed until he likes one.
    pub fn faults(&self, seats: &[&str]) -> Vec<String> {
        let mut faults = Vec::new();
        let first = self.parts.first();
        if !first.is_some_and(|part| part.who == SERVER && part.secret.is_some() && !part.program) {
            faults.push("the server must come first, with its secret".to_owned());
        }
        if !self.parts.iter().any(|part| part.who != SERVER && part.secret.is_some()) {
            faults.push("no player took part: the server alone drew the seed".to_owned());
        }
        let mut named = BTreeSet::new();
        for part in &self.parts {
            let who = part.who.as_str();
            if who != SERVER && !seats.contains(&who) {
                faults.push(format!("{} is no seat that is in use", quoted(who)));
            } else if !named.insert(who) {
                faults.push(format!("{who} stands there twice"));
            } else {
                faults.extend(part.fault(&self.table));
            }
        }
        let missing = seats.iter().filter(|seat| !named.contains(**seat));
        faults.extend(missing.map(|seat| {
            format!("{seat} is missing: a seat that gave nothing stands there as left out")
        }));
        let known = self.parts.iter().map(|part| part.who.as_str());
        let known: Vec<&str> = known.filter(|who| seats.contains(who)).collect();
        if faults.is_empty() && known != seats {
            faults.push(format!("the seats stand there out of order: {}", known.join(", ")));
        }
        faults
    }
}

impl FairPart {
    /// What is wrong with it at a table.
    fn fault(&self, table: &str) -> Option<String> {
        let FairPart { who, commitment: given, secret, program } = self;
        match (given, secret) {
            (None, None) => None,
            _ if *program => Some(format!("a program plays {who}, and gave a part all the same")),
            (None, Some(_)) => Some(format!("{who} opened a secret without a commitment")),
            (Some(given), None) => {
                (!is_value(given)).then(|| format!("the commitment of {who} is none"))
            }
            (Some(given), Some(secret)) => (!is_value(secret)
                || *given != commitment(table, who, secret))
            .then(|| format!("the secret of {who} is not the one of its commitment")),
        }
    }
}

/// A name that may be anything, in quotes, and cut where it is long.
fn quoted(name: &str) -> String {
    const LONGEST: usize = 40;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &name[..end]),
        None => format!("{name:?}"),
    }
}

/// A fair draw that is under way.
#[derive(Clone, Debug)]
pub struct FairDraw {
    table: String,
    secret: String,
    parts: Vec<FairPart>,
    left_out: Vec<String>,
}

/// How far a fair draw has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FairStage {
    /// Some seats have not committed themselves yet.
    Committing,
    /// All have; some have not opened their secrets yet.
    Revealing,
    /// The seed is drawn.
    Drawn,
}

impl FairDraw {
    /// A draw at a table for these seats, which have given nothing yet, with the server's secret.
    pub fn new(table: String, secret: String, parts: Vec<FairPart>) -> Self {
        FairDraw { table, secret, parts, left_out: Vec::new() }
    }

    /// The server's commitment.
    pub fn server(&self) -> String {
        commitment(&self.table, SERVER, &self.secret)
    }

    /// The seats' parts so far: a secret is shown once it was opened.
    pub fn parts(&self) -> &[FairPart] {
        &self.parts
    }

    /// How far it has come.
    pub fn stage(&self) -> FairStage {
        let waits = |done: fn(&FairPart) -> bool| self.giving().any(|part| !done(part));
        if waits(|part| part.commitment.is_some()) {
            FairStage::Committing
        } else if waits(|part| part.secret.is_some()) {
            FairStage::Revealing
        } else {
            FairStage::Drawn
        }
    }

    /// The seats for which it waits.
    pub fn missing(&self) -> Vec<&str> {
        let stage = self.stage();
        let waits = |part: &&FairPart| match stage {
            FairStage::Committing => part.commitment.is_none(),
            FairStage::Revealing => part.secret.is_none(),
            FairStage::Drawn => false,
        };
        self.giving().filter(waits).map(|part| part.who.as_str()).collect()
    }

    /// The parts that count: not those of seats that are left out, or that a program plays.
    pub fn giving(&self) -> impl Iterator<Item = &FairPart> {
        self.parts.iter().filter(|part| !part.program && !self.left_out.contains(&part.who))
    }

    fn part(&mut self, seat: &str) -> Option<&mut FairPart> {
        self.parts.iter_mut().find(|part| part.who == seat)
    }

    /// Takes the commitment of a seat.
    pub fn commit(&mut self, seat: &str, value: &str) {
        if let Some(part) = self.part(seat) {
            part.commitment = Some(value.to_owned());
        }
    }

    /// Takes the secret of a seat.
    pub fn reveal(&mut self, seat: &str, value: &str) {
        if let Some(part) = self.part(seat) {
            part.secret = Some(value.to_owned());
        }
    }

    /// Goes on without a seat: what it has given does not count.
    pub fn leave_out(&mut self, seat: &str) {
        if let Some(part) = self.part(seat) {
            part.secret = None;
            self.left_out.push(seat.to_owned());
        }
    }

    /// Whether a secret is the one that a seat committed itself to.
    pub fn fits(&self, seat: &str, secret: &str) -> bool {
        let given = self.parts.iter().find(|part| part.who == seat);
        let given = given.and_then(|part| part.commitment.as_deref());
        given == Some(commitment(&self.table, seat, secret).as_str())
    }

    /// The transcript, once everything is there.
    pub fn transcript(&self) -> Option<Transcript> {
        if self.stage() != FairStage::Drawn {
            return None;
        }
        let (commitment, secret) = (Some(self.server()), Some(self.secret.clone()));
        let server = FairPart { commitment, secret, ..FairPart::of(SERVER) };
        let parts = std::iter::once(server).chain(self.parts.iter().cloned()).collect();
        Some(Transcript { table: self.table.clone(), parts })
    }
}
