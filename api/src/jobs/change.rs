//! What another reading of the rules, or another version of them, changes in a recorded game.
//!
//! One record at a time; whoever has many asks for each. With a reading, the record is compared
//! with itself under that reading; without one, what was said of it before (by the store, or by
//! its own claims) is compared with what this version of the rules gives. What comes out is the
//! referee's knowledge. This module must not read files, must not know HTTP, and must not name a
//! game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use umpire_engine::any_game::AnyGame;
use umpire_engine::dispute::readings::{
    Class, Compared, Course, Dispute, Draws, PartingKind, ReadingChoice,
};
use umpire_engine::games::{self, GAMES};
use umpire_engine::record::{Fault, FaultCode};
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{Cited, Judgement, Status};
use umpire_engine::{rules, wire};

use crate::http::error::{ApiError, shorten};
use crate::store::when::When;
use crate::store::{self, Filter, Summary};
use umpire_referee::reading::{self, Submission, UnknownFields};

/// The most sentences about one record.
const WORDS: usize = 4;

/// The most characters of a sentence.
const LENGTH: usize = 240;

/// Which stored records to look at. Fields that are set must all match, as in the list of records.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default, expecting = "an object")]
pub struct ImpactFilter {
    /// Only records of this game.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName, required = false))]
    pub game: Option<String>,
    /// Only records that are pinned to this ruleset.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_length = 64))]
    pub ruleset: Option<String>,
    /// Only records with a player of this name, at any seat, in upper or lower case.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_length = 200))]
    pub player: Option<String>,
    /// Only records that stand so.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Status, required = false))]
    pub status: Option<String>,
    /// Only records of games that this seat won.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_length = 64))]
    pub winner: Option<String>,
    /// Words, or beginnings of words, that all occur in the values of `meta`.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, max_length = 200))]
    pub text: Option<String>,
    /// Only records stored at this time or later: RFC 3339, or milliseconds since 1970.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, example = "2026-11-21T21:00:00Z"))]
    pub since: Option<When>,
    /// Only records stored before this time: RFC 3339, or milliseconds since 1970.
    #[serde(deserialize_with = "umpire_engine::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, required = false, example = "2026-11-21T21:00:00Z"))]
    pub until: Option<When>,
}

impl ImpactFilter {
    /// The store's question. `base` is the place of the filter, a JSON pointer.
    pub fn filter(self, base: &str) -> Result<Filter, Fault> {
        let wrong = |place: &str, detail: String| {
            Err(Fault::new(FaultCode::BadRecord, format!("{base}{place}"), detail))
        };
        let ImpactFilter { game, ruleset, player, status, winner, text, since, until } = self;
        if let Some(game) = &game
            && games::find(game).is_none()
        {
            return wrong("/game", format!("unknown game {:?}", shorten(game)));
        }
        for (place, text, most) in [
            ("/ruleset", &ruleset, 64),
            ("/player", &player, 200),
            ("/winner", &winner, 64),
            ("/text", &text, 200),
        ] {
            if text.as_ref().is_some_and(|text| text.chars().count() > most) {
                return wrong(place, format!("text of at most {most} characters is expected"));
            }
        }
        let status = match status.as_deref().map(str::parse) {
            None => None,
            Some(Ok(status)) => Some(status),
            Some(Err(error)) => {
                let error: store::StatusError = error;
                return wrong("/status", error.to_string());
            }
        };
        let filter = Filter {
            game,
            ruleset,
            player,
            status,
            winner,
            text,
            since: since.map(|When(time)| time),
            until: until.map(|When(time)| time),
            ..Filter::default()
        };
        Ok(filter)
    }
}

fn has_ruleset(game: &dyn AnyGame, ruleset: &str) -> bool {
    game.meta().version_of(ruleset).is_some()
}

fn has_edition(game: &dyn AnyGame, edition: &str) -> bool {
    rules::editions(game.rules()).contains(&edition)
}

fn values(game: &dyn AnyGame, ruling: &str) -> Option<&'static [&'static str]> {
    game.rulings().iter().find(|def| def.id == ruling).map(|def| def.values)
}

/// Refuses a reading, of one game or of several, that says nothing, or that names a ruleset, edition,
/// ruling or value which no game has. `base` is the place of the reading, a JSON pointer.
pub fn check(reading: &ReadingChoice, base: &str) -> Result<(), Fault> {
    let fault = |place: String, detail: String| {
        Err(Fault::new(FaultCode::OptionsRefused, format!("{base}{place}"), detail))
    };
    if reading.is_empty() {
        return fault(String::new(), "a ruleset, an edition or a ruling is expected".to_owned());
    }
    if let Some(ruleset) = &reading.ruleset
        && !GAMES.iter().any(|game| has_ruleset(*game, ruleset))
    {
        let detail = format!("no game has a ruleset {:?}", shorten(ruleset));
        return fault("/ruleset".to_owned(), detail);
    }
    if let Some(edition) = &reading.edition
        && !GAMES.iter().any(|game| has_edition(*game, edition))
    {
        let detail = format!("no game has an edition {:?}", shorten(edition));
        return fault("/edition".to_owned(), detail);
    }
    for (id, value) in &reading.rulings {
        let place = format!("/rulings/{}", wire::escaped(id));
        let shown = shorten(id);
        let Some(values) = GAMES.iter().find_map(|game| values(*game, id)) else {
            return fault(place, format!("{shown:?} is no selectable ruling of any game"));
        };
        if !values.contains(&value.as_str()) {
            let value = shorten(value);
            let known = values.join(", ");
            return fault(place, format!("{shown} has no reading {value:?}; it has {known}"));
        }
    }
    Ok(())
}

/// The part of a reading that concerns a game.
fn part(reading: &ReadingChoice, game: &dyn AnyGame) -> Option<ReadingChoice> {
    let edition = reading.edition.clone().filter(|edition| has_edition(game, edition));
    let rulings = reading.rulings.iter().filter(|(id, _)| values(game, id).is_some());
    let rulings: BTreeMap<String, String> =
        rulings.map(|(id, value)| (id.clone(), value.clone())).collect();
    let ruleset = reading.ruleset.clone().filter(|ruleset| has_ruleset(game, ruleset));
    let part = ReadingChoice { ruleset, edition, rulings };
    (!part.is_empty()).then_some(part)
}

/// What changes in a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImpactKind {
    /// Who wins.
    Winner,
    /// Whether and how the game ends.
    Result,
    /// Whether the record is legal.
    Legality,
    /// It is refused all the same, but by another clause or at another action.
    Clause,
    /// Whether its draws fit: it stops at a draw that never happened, so nobody knows what would
    /// have become of it.
    Chance,
    /// None of these, but a state of the game.
    State,
    /// Only its form: the decisions, carried over, give the same course.
    Form,
    /// Its options or its position cannot be.
    Impossible,
    /// It can no longer be read.
    Unreadable,
}

impl ImpactKind {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ImpactKind::Winner => "winner",
            ImpactKind::Result => "result",
            ImpactKind::Legality => "legality",
            ImpactKind::Clause => "clause",
            ImpactKind::Chance => "chance",
            ImpactKind::State => "state",
            ImpactKind::Form => "form",
            ImpactKind::Impossible => "impossible",
            ImpactKind::Unreadable => "unreadable",
        }
    }
}

/// How a record stands, in short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImpactStand {
    /// Its status.
    pub status: Status,
    /// Number of accepted actions.
    pub plies: u32,
    /// The winner's seat.
    pub winner: Option<String>,
    /// Why the game is over.
    pub reason: Option<String>,
    /// The clause that refuses its next action.
    pub rule: Option<String>,
    /// The fingerprint of the last good state, where it is known.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub fingerprint: Option<String>,
}

impl ImpactStand {
    fn of_course(course: &Course) -> Self {
        ImpactStand {
            status: course.status,
            plies: course.plies,
            winner: course.outcome.as_ref().and_then(|end| end.winner).map(str::to_owned),
            reason: course.outcome.as_ref().map(|end| end.reason.to_owned()),
            rule: course.violation.as_ref().map(|it| it.rule.clone()),
            fingerprint: Some(course.fingerprint.to_string()),
        }
    }

    fn of_judgement(judgement: &Judgement) -> Self {
        let verdict = &judgement.verdict;
        ImpactStand {
            status: verdict.status,
            plies: verdict.plies,
            winner: verdict.outcome.as_ref().and_then(|end| end.winner).map(str::to_owned),
            reason: verdict.outcome.as_ref().map(|end| end.reason.to_owned()),
            rule: verdict.violation.as_ref().map(|it| it.rule.clone()),
            fingerprint: Some(judgement.fingerprint.to_string()),
        }
    }

    /// What the store says of a record.
    fn of_summary(summary: &Summary) -> Self {
        /// The parts of a kept judgement that count.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Kept {
            fingerprint: Option<String>,
            verdict: KeptVerdict,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct KeptVerdict {
            violation: Option<KeptViolation>,
        }
        #[derive(Deserialize)]
        struct KeptViolation {
            rule: String,
        }
        // The text may be of an older version; what it does not say is not compared.
        let kept: Kept = serde_json::from_str(&summary.verdict).unwrap_or_default();
        ImpactStand {
            status: summary.status.into(),
            plies: summary.plies,
            winner: summary.winner.clone(),
            reason: summary.reason.clone(),
            rule: kept.verdict.violation.map(|it| it.rule),
            fingerprint: kept.fingerprint,
        }
    }

    /// What a record claims of itself; what it does not claim is as it is now.
    fn of_claims(submission: &Submission<'_>, now: &ImpactStand) -> Option<Self> {
        let claims = submission.record.claims.as_ref()?;
        let mut stand = now.clone();
        if let Some(status) = &claims.status {
            stand.status = status.parse::<store::Status>().map_or(stand.status, Status::from);
        }
        if let Some(outcome) = &claims.outcome {
            if let Some(winner) = &outcome.winner {
                stand.winner.clone_from(winner);
            }
            if let Some(reason) = &outcome.reason {
                stand.reason = Some(reason.clone());
            }
        }
        if let Some(fingerprint) = &claims.fingerprint {
            stand.fingerprint = Some(fingerprint.clone());
        }
        stand.plies = claims.plies.unwrap_or(stand.plies);
        Some(stand)
    }

    fn legal(&self) -> bool {
        matches!(self.status, Status::Complete | Status::InProgress)
    }
}

/// What changes in one record, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImpactChange {
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    pub game: String,
    /// What changes, the gravest first.
    pub changes: Vec<ImpactKind>,
    /// What the reading makes of the record, by meaning; `null` where no reading is asked about.
    pub class: Option<Class>,
    /// The ply of the first action that goes otherwise, where that is known.
    pub ply: Option<u32>,
    /// How the two part there; `null` where two versions of the rules are compared.
    pub how: Option<PartingKind>,
    /// The ruling and the clauses behind it.
    pub rules: Vec<Cited>,
    /// How the record stands, or stood.
    pub before: ImpactStand,
    /// How it would stand, or stands now; `null` where it cannot be.
    pub after: Option<ImpactStand>,
    /// The ply from which on draws come from the record's seed because they never happened; what
    /// follows is hypothetical.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub hypothetical_from: Option<u32>,
    /// What differs there, in plain words.
    #[cfg_attr(feature = "openapi", schema(max_items = 4))]
    pub words: Vec<String>,
}

/// What became of the question for one record.
#[derive(Clone, Debug)]
pub enum Found {
    /// The reading is about other games, or nothing was said of the record before.
    NotConcerned,
    /// Nothing changes.
    Unchanged(Option<Class>),
    /// Something changes.
    Changed(Box<ImpactChange>),
}

/// How many records change how. A record of which several things change counts under each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ImpactCounts {
    /// All records that were looked at.
    pub records: u64,
    /// Those in which nothing changes.
    pub unchanged: u64,
    /// Those in which something changes.
    pub changed: u64,
    /// Those with another winner.
    pub winner: u64,
    /// Those with another result.
    pub result: u64,
    /// Those that are legal one way and illegal the other.
    pub legality: u64,
    /// Those refused by another clause or at another action.
    pub clause: u64,
    /// Those that stop at a draw which never happened.
    pub chance: u64,
    /// Those in which only a state changes.
    pub state: u64,
    /// Those that change in their form only.
    pub form: u64,
    /// Those whose options or position cannot be.
    pub impossible: u64,
    /// Those that the question does not concern.
    pub not_concerned: u64,
    /// Those that cannot be read.
    pub unreadable: u64,
    /// How many are of each class.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub classes: ClassCounts,
}

impl ImpactCounts {
    /// Counts one record.
    pub fn count(&mut self, found: Option<&Found>) {
        self.records += 1;
        let change = match found {
            None => return self.unreadable += 1,
            Some(Found::NotConcerned) => return self.not_concerned += 1,
            Some(Found::Unchanged(class)) => {
                self.classes.count(*class);
                return self.unchanged += 1;
            }
            Some(Found::Changed(change)) => change,
        };
        self.changed += 1;
        self.classes.count(change.class);
        for kind in &change.changes {
            match kind {
                ImpactKind::Winner => self.winner += 1,
                ImpactKind::Result => self.result += 1,
                ImpactKind::Legality => self.legality += 1,
                ImpactKind::Clause => self.clause += 1,
                ImpactKind::Chance => self.chance += 1,
                ImpactKind::State => self.state += 1,
                ImpactKind::Form => self.form += 1,
                ImpactKind::Impossible => self.impossible += 1,
                ImpactKind::Unreadable => {}
            }
        }
    }

    /// Adds other records.
    pub fn add(&mut self, other: Self) {
        self.records += other.records;
        self.unchanged += other.unchanged;
        self.changed += other.changed;
        self.winner += other.winner;
        self.result += other.result;
        self.legality += other.legality;
        self.clause += other.clause;
        self.chance += other.chance;
        self.state += other.state;
        self.form += other.form;
        self.impossible += other.impossible;
        self.not_concerned += other.not_concerned;
        self.unreadable += other.unreadable;
        self.classes.add(other.classes);
    }
}

/// How many records are of each class under a reading; none where rules are compared with what was
/// said before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClassCounts {
    /// The same course, by the same clauses.
    pub identical: u64,
    /// The same course, by other clauses.
    pub other_clause: u64,
    /// The decisions, carried over, give the same course.
    pub form_only: u64,
    /// The rule changes the course.
    pub parts: u64,
    /// A decision cannot be carried over.
    pub illegal: u64,
    /// Something is needed that never happened.
    pub missing_chance: u64,
    /// The reading cannot be run.
    pub not_run: u64,
}

impl ClassCounts {
    /// Counts one record, if it has a class.
    fn count(&mut self, class: Option<Class>) {
        let Some(class) = class else { return };
        *match class {
            Class::Identical => &mut self.identical,
            Class::OtherClause => &mut self.other_clause,
            Class::FormOnly => &mut self.form_only,
            Class::Parts => &mut self.parts,
            Class::Illegal => &mut self.illegal,
            Class::MissingChance => &mut self.missing_chance,
            Class::NotRun => &mut self.not_run,
        } += 1;
    }

    /// Adds other records.
    fn add(&mut self, other: Self) {
        self.identical += other.identical;
        self.other_clause += other.other_clause;
        self.form_only += other.form_only;
        self.parts += other.parts;
        self.illegal += other.illegal;
        self.missing_chance += other.missing_chance;
        self.not_run += other.not_run;
    }

    /// Each class in words with its count, those that occur.
    pub fn words(&self) -> Vec<String> {
        let all = [
            (self.identical, "identical"),
            (self.other_clause, "by another clause"),
            (self.form_only, "form only"),
            (self.parts, "part"),
            (self.illegal, "illegal"),
            (self.missing_chance, "without a draw"),
            (self.not_run, "not run"),
        ];
        let occur = all.into_iter().filter(|(count, _)| *count > 0);
        occur.map(|(count, what)| format!("{count} {what}")).collect()
    }
}

/// What changes in a record: under a reading, or, without one, since `kept` was said of it.
pub fn of(
    text: &[u8],
    kept: Option<&Summary>,
    reading: Option<&ReadingChoice>,
    limits: Limits<'_>,
) -> Result<Found, ApiError> {
    // What is kept was let in with what it holds.
    let unknown = if kept.is_some() { UnknownFields::Keep } else { UnknownFields::Refuse };
    reading::with_fields(text, unknown, |submission| match reading {
        Some(reading) => under(submission, reading, limits),
        None => since(submission, kept, limits),
    })
}

/// What changes under a reading.
fn under(
    submission: &Submission<'_>,
    reading: &ReadingChoice,
    limits: Limits<'_>,
) -> Result<Found, ApiError> {
    let Some(reading) = part(reading, submission.game) else { return Ok(Found::NotConcerned) };
    let readings = [reading];
    let dispute = Dispute { readings: Some(&readings), brief: true, ..Dispute::default() };
    let settled = submission.game.adjudicate(&submission.record, &dispute, limits)?;
    let before = ImpactStand::of_course(&settled.recorded);
    if let Some(aside) = settled.impossible.into_iter().next() {
        let [ReadingChoice { rulings, .. }] = &readings;
        return Ok(Found::Changed(Box::new(ImpactChange {
            game: settled.game.to_owned(),
            changes: vec![ImpactKind::Impossible],
            class: Some(Class::NotRun),
            ply: None,
            how: None,
            rules: cited(submission.game, rulings.keys().map(String::as_str)),
            before,
            after: None,
            hypothetical_from: None,
            words: vec![cut(aside.gist)],
        })));
    }
    let Some(compared) = settled.readings.into_iter().next() else {
        let class = settled.same.first().map(|aside| aside.class);
        return Ok(Found::Unchanged(class));
    };
    let Compared { class, changes, course, parting, .. } = compared;
    let mut kinds = Vec::new();
    if course.draws == Draws::Missing {
        kinds.push(ImpactKind::Chance);
    } else {
        let found = [
            (changes.winner, ImpactKind::Winner),
            (changes.result, ImpactKind::Result),
            (changes.legality, ImpactKind::Legality),
            (changes.fault, ImpactKind::Clause),
        ];
        kinds.extend(found.into_iter().filter(|(is, _)| *is).map(|(_, kind)| kind));
    }
    if kinds.is_empty() {
        kinds.push(match class {
            Class::FormOnly => ImpactKind::Form,
            _ => ImpactKind::State,
        });
    }
    Ok(Found::Changed(Box::new(ImpactChange {
        game: settled.game.to_owned(),
        changes: kinds,
        class: Some(class),
        ply: Some(parting.ply),
        how: Some(parting.how),
        rules: parting.rules,
        before,
        after: Some(ImpactStand::of_course(&course)),
        hypothetical_from: course.hypothetical_from,
        words: parting.words.into_iter().take(WORDS).map(cut).collect(),
    })))
}

/// What changed since something was said of the record.
fn since(
    submission: &Submission<'_>,
    kept: Option<&Summary>,
    limits: Limits<'_>,
) -> Result<Found, ApiError> {
    if kept.is_none() && submission.record.claims.is_none() {
        return Ok(Found::NotConcerned);
    }
    let judgement = submission.game.judge(&submission.record, limits)?;
    let after = ImpactStand::of_judgement(&judgement);
    let before = match kept {
        Some(summary) => Some(ImpactStand::of_summary(summary)),
        None => ImpactStand::of_claims(submission, &after),
    };
    let Some(before) = before else { return Ok(Found::NotConcerned) };
    let changes = kinds(&before, &after);
    if changes.is_empty() {
        return Ok(Found::Unchanged(None));
    }
    // Where one of them stops earlier, the next action is the first that goes otherwise.
    let parts = before.plies != after.plies || before.legal() != after.legal();
    let mut named: Vec<&str> = Vec::new();
    if let Some(violation) = &judgement.verdict.violation {
        named.extend(violation.rules.iter().map(String::as_str));
    }
    named.extend(before.rule.as_deref());
    let words = judgement.verdict.violation.iter().map(|it| cut(it.message.clone())).collect();
    Ok(Found::Changed(Box::new(ImpactChange {
        game: judgement.game.to_owned(),
        changes,
        class: None,
        ply: parts.then_some(before.plies.min(after.plies)),
        how: None,
        rules: cited(submission.game, named),
        before,
        after: Some(after),
        hypothetical_from: None,
        words,
    })))
}

/// What differs between two stands, the gravest first.
fn kinds(before: &ImpactStand, after: &ImpactStand) -> Vec<ImpactKind> {
    let over = |stand: &ImpactStand| (stand.status == Status::Complete, stand.reason.clone());
    let tape = |stand: &ImpactStand| stand.status == Status::BadChance;
    let refused = |stand: &ImpactStand| stand.status == Status::Illegal;
    let place = |stand: &ImpactStand| (stand.rule.clone(), stand.plies);
    let found = [
        (before.winner != after.winner, ImpactKind::Winner),
        (over(before) != over(after), ImpactKind::Result),
        (before.legal() != after.legal(), ImpactKind::Legality),
        (refused(before) && refused(after) && place(before) != place(after), ImpactKind::Clause),
        (tape(before) != tape(after), ImpactKind::Chance),
    ];
    let mut kinds: Vec<ImpactKind> =
        found.into_iter().filter(|(is, _)| *is).map(|(_, kind)| kind).collect();
    let fingerprints = [&before.fingerprint, &after.fingerprint];
    let state = matches!(fingerprints, [Some(one), Some(two)] if one != two);
    if kinds.is_empty() && (state || before.plies != after.plies) {
        kinds.push(ImpactKind::State);
    }
    kinds
}

/// Clauses and rulings by id, each once; what this version does not know is left out.
fn cited<'a>(game: &dyn AnyGame, ids: impl IntoIterator<Item = &'a str>) -> Vec<Cited> {
    let entry = |id| game.rules().iter().find(|entry| entry.id == id);
    umpire_engine::replay::answer::cite(ids.into_iter().filter_map(entry), "")
}

/// A record that could be read when it was stored and cannot be read now.
pub fn unreadable(summary: &Summary, error: &ApiError) -> ImpactChange {
    ImpactChange {
        game: summary.game.clone(),
        changes: vec![ImpactKind::Unreadable],
        class: None,
        ply: None,
        how: None,
        rules: Vec::new(),
        before: ImpactStand::of_summary(summary),
        after: None,
        hypothetical_from: None,
        words: vec![cut(error.problem().to_string())],
    }
}

/// The beginning of a sentence.
fn cut(text: String) -> String {
    match text.char_indices().nth(LENGTH) {
        None => text,
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
