//! The one dynamic seam: any game behind one trait, text in and text out.
//!
//! [`Of`] turns a typed [`Game`](crate::game::Game) into an [`AnyGame`]; service and command line see only that. This
//! module only forwards: what is asked of a game is answered by the rooms above it.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde_json::value::RawValue;

use crate::analysis::balance::{self, Games, Series};
use crate::analysis::chances::{self, NoAnswer, Odds, OddsQuery};
use crate::analysis::hint::{self, Asked, Hint, Unadvised};
use crate::analysis::review::{self, Analysis, Task};
use crate::chance::seeded::Seeded;
use crate::dispute::compare::{self, Comparison, FaultOf, PlyMark, PrintComparison};
use crate::dispute::explain::Account;
use crate::dispute::readings::{self, Adjudication, Dispute};
use crate::dispute::remedy::{self, Remedies};
use crate::dispute::repair::{self, RepairBounds, Repairs};
use crate::dispute::why::{Bounds, WhyNot, why};
use crate::game::{FullGame, Meta, Observer, Omission, TableSetup};
use crate::incomplete;
use crate::live::{self, Live};
use crate::notation::Dialect;
use crate::partial::{self, Partial};
use crate::people::{People, Sentences};
use crate::record::{self, Fault, RawRecord};
use crate::replay::answer::{Judgement, Legal, LegalQuery, Line, Unanswered, raw};
use crate::replay::completion;
use crate::replay::verdict;
use crate::replay::wanted::{self, Wanted};
use crate::replay::{self, Limits, Query};
use crate::report::{self, Depiction, Report, Said};
use crate::rules::{Rule, RuleEntry, RulingDef};
use crate::scene::{Art, Scene};

/// Any game, behind one object-safe trait.
pub trait AnyGame: Send + Sync {
    /// The constants.
    fn meta(&self) -> &'static Meta;
    /// Clauses and rulings, in the order of the document.
    fn rules(&self) -> &'static [RuleEntry];
    /// The selectable rulings.
    fn rulings(&self) -> &'static [RulingDef];
    /// The languages beside English in which the game's sentences can be told, by their ISO 639 codes.
    fn languages(&self) -> &'static [&'static str];
    /// A sentence of the game in one of these languages; `None` where it has none of it.
    fn translate(&self, language: &str, text: &str) -> Option<String>;
    /// A sentence that never varies (a clause, a reading) in one of these languages.
    fn translate_fixed(&self, language: &str, text: &str) -> Option<&'static str>;
    /// A part of a sentence of the game, a condition say, in one of these languages.
    fn translate_phrase(&self, language: &str, text: &str) -> Option<String>;
    /// Puts the texts of a picture into one of these languages; gives back the parts that it has none of, which stay
    /// as they are.
    fn tell_scene(&self, language: &str, scene: &mut Scene) -> Vec<String>;
    /// How the actions of the game are written by hand.
    fn dialect(&self) -> Dialect;
    /// The default options, as JSON.
    fn options(&self) -> Box<RawValue>;
    /// The data behind the rules in a version of the ruleset, with their sources, as JSON.
    fn components(&self, version: u32) -> Box<RawValue>;
    /// The reading of each selectable ruling, in their order, that a version of the ruleset has by default: in an
    /// edition, else in the first.
    fn defaults(&self, version: u32, edition: Option<&str>) -> Vec<&'static str>;
    /// The seats that are in use under the options of a record, in seat order.
    fn seats(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault>;
    /// The verdict on a record.
    fn judge(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Judgement, Fault>;
    /// The verdict on a record with unknowns.
    fn judge_partial(
        &self,
        partial: &Partial,
        bounds: completion::Bounds,
        limits: Limits<'_>,
    ) -> Result<Judgement, Fault>;
    /// Whether a position (JSON text) is what one viewer saw, so that parts of it are hidden.
    fn shows_part(&self, position: &str) -> bool;
    /// What people may leave out of records.
    fn omissions(&self) -> &'static [Omission];
    /// What one player could have written down of a game.
    fn sheet(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        limits: Limits<'_>,
    ) -> Result<Box<RawValue>, Fault>;
    /// The report of a replay.
    fn replay(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Report, Unanswered>;
    /// Why each ply went as it did, or the one that the query names (0 with the opening).
    fn explain(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Account, Unanswered>;
    /// Whether an action (JSON text) would be allowed at the query's ply, why not, and what would
    /// have to be otherwise.
    fn why(
        &self,
        record: &RawRecord<'_>,
        asked: &str,
        query: &Query<'_>,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered>;
    /// Who decides at a ply, and what is legal there.
    fn legal(
        &self,
        record: &RawRecord<'_>,
        query: &Query<'_>,
        wanted: LegalQuery<'_>,
    ) -> Result<Legal, Unanswered>;
    /// What chance has to say next for the record's last action, or its opening, to go on; nothing where the tape
    /// lacks nothing.
    fn wanted(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Option<Wanted>, Fault>;
    /// What the game looks like at the query's ply.
    fn depict(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Depiction, Unanswered>;
    /// The story of a game as a viewer learned of it.
    fn story(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        limits: Limits<'_>,
    ) -> Result<Vec<Line>, Fault>;
    /// What a viewer learned since a ply, a line each; from the opening on, where none is named.
    fn news(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        since: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Vec<String>, Fault>;
    /// Actions (JSON texts) in words, as they would be taken at a ply or where the record ends, and the edition in
    /// force.
    fn say(
        &self,
        record: &RawRecord<'_>,
        actions: &[&str],
        ply: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Said, Fault>;
    /// Settles a dispute: the record under its own readings and under others. The answer is the
    /// referee's.
    fn adjudicate(
        &self,
        record: &RawRecord<'_>,
        dispute: &Dispute<'_>,
        limits: Limits<'_>,
    ) -> Result<Adjudication, Unanswered>;
    /// The report of a replay of a record with unknowns: of one completion of it.
    fn replay_partial(&self, partial: &Partial, query: &Query<'_>) -> Result<Report, Unanswered>;
    /// Whether an action (JSON text, with unknowns or without) would be allowed in a record with unknowns.
    fn why_partial(
        &self,
        partial: &Partial,
        asked: &str,
        query: &Query<'_>,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered>;
    /// Settles a dispute about a record with unknowns.
    fn adjudicate_partial(
        &self,
        partial: &Partial,
        dispute: &Dispute<'_>,
        limits: Limits<'_>,
    ) -> Result<Adjudication, Unanswered>;
    /// Every rule that the record makes the engine cite: by an event, a draw, a decision or the
    /// violation. What a concordance is made of.
    fn cited(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault>;
    /// The smallest edits under which the most of an illegal record validates.
    fn repair(
        &self,
        record: &RawRecord<'_>,
        bounds: RepairBounds,
        limits: Limits<'_>,
    ) -> Result<Repairs, Fault>;
    /// What can be done about an illegal record, and what each remedy makes of the game.
    fn remedy(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Remedies, Fault>;
    /// Where two records of this game part.
    fn compare(
        &self,
        records: [&RawRecord<'_>; 2],
        limits: Limits<'_>,
    ) -> Result<Comparison, FaultOf>;
    /// Where a record parts from the fingerprints of another engine; `chain` if these are chain
    /// fingerprints.
    fn compare_prints(
        &self,
        record: &RawRecord<'_>,
        fingerprints: &[PlyMark],
        chain: bool,
        limits: Limits<'_>,
    ) -> Result<PrintComparison, Fault>;
    /// The table of a record, to be played on. Its actions must be legal.
    fn live(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Box<dyn Live>, Fault>;
    /// What a seat should do at a ply, from what it knows.
    fn hint(&self, record: &RawRecord<'_>, asked: &Asked<'_>) -> Result<Hint, Unadvised>;
    /// What can happen after an action, and how likely.
    fn odds(&self, record: &RawRecord<'_>, asked: &OddsQuery<'_>) -> Result<Odds, NoAnswer>;
    /// A series of games between programs.
    fn series(&self, series: Series) -> Result<Box<dyn Games>, Fault>;
    /// The analysis of a record, ready to be done ply by ply.
    fn analysis(
        &self,
        record: &RawRecord<'_>,
        task: &Task,
        limits: Limits<'_>,
    ) -> Result<Box<dyn Analysis>, Fault>;
    /// The colours and drawings that its pictures have of their own.
    fn art(&self) -> Option<&'static Art>;
    /// The viewer of that name: `referee`, `spectator` or a seat.
    fn viewer(&self, name: &str) -> Option<Observer> {
        match name {
            "referee" => Some(Observer::Referee),
            "spectator" => Some(Observer::Spectator),
            seat => self.meta().seat(seat).map(Observer::Seat),
        }
    }
}

/// A typed game as [`AnyGame`].
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// The game behind the seam.
    pub const fn new() -> Self {
        Of(PhantomData)
    }
}

impl<G> Default for Of<G> {
    fn default() -> Self {
        Of::new()
    }
}

impl<G: FullGame> AnyGame for Of<G> {
    fn meta(&self) -> &'static Meta {
        const { &G::META }
    }

    fn rules(&self) -> &'static [RuleEntry] {
        G::Rule::TABLE
    }

    fn rulings(&self) -> &'static [RulingDef] {
        G::Setup::rulings()
    }

    fn languages(&self) -> &'static [&'static str] {
        G::languages()
    }

    fn translate(&self, language: &str, text: &str) -> Option<String> {
        G::catalogue(language)?.translate(text)
    }

    fn translate_fixed(&self, language: &str, text: &str) -> Option<&'static str> {
        G::catalogue(language)?.fixed(text)
    }

    fn translate_phrase(&self, language: &str, text: &str) -> Option<String> {
        G::catalogue(language)?.phrase(text)
    }

    fn tell_scene(&self, language: &str, scene: &mut Scene) -> Vec<String> {
        let mut missing = Vec::new();
        let Some(catalogue) = G::catalogue(language) else { return missing };
        // Many shapes say the same.
        let mut said: BTreeMap<String, String> = BTreeMap::new();
        scene.each_text(|text| {
            let known = said.get(text.as_str()).cloned();
            let other = known.unwrap_or_else(|| {
                let other = catalogue.piecewise(text, &mut missing);
                said.insert(text.clone(), other.clone());
                other
            });
            *text = other;
        });
        missing
    }

    fn dialect(&self) -> Dialect {
        Dialect {
            game: G::META.id,
            seats: G::META.seats,
            grammar: G::grammar(),
            check: |text| record::action::<G::Action>(text).map(drop),
        }
    }

    fn options(&self) -> Box<RawValue> {
        match default_setup::<G>(G::META.version, None) {
            Some(setup) => raw(&G::Setup::options(&setup)),
            None => raw(&G::Options::default()),
        }
    }

    fn components(&self, version: u32) -> Box<RawValue> {
        match default_setup::<G>(version, None) {
            Some(setup) => raw(&G::Setup::components(&setup)),
            None => RawValue::NULL.to_owned(),
        }
    }

    fn defaults(&self, version: u32, edition: Option<&str>) -> Vec<&'static str> {
        let setup = default_setup::<G>(version, edition);
        let reading = |(at, def): (usize, &RulingDef)| {
            let value = setup.as_ref().map_or(0, |setup| setup.reading(at));
            def.values.get(value).copied().unwrap_or("")
        };
        G::Setup::rulings().iter().enumerate().map(reading).collect()
    }

    fn seats(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault> {
        let loaded = replay::load::<G>(record, Limits::default())?;
        Ok(verdict::seats_in_use::<G>(&loaded.setup))
    }

    fn judge(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Judgement, Fault> {
        Ok(named::<G, _>(record, verdict::judge_on_paper::<G>(record, limits)?))
    }

    fn judge_partial(
        &self,
        partial: &Partial,
        bounds: completion::Bounds,
        limits: Limits<'_>,
    ) -> Result<Judgement, Fault> {
        Ok(named_in_part::<G, _>(partial, partial::judge::<G>(partial, bounds, limits)?))
    }

    fn shows_part(&self, position: &str) -> bool {
        partial::shows_part::<G>(position)
    }

    fn omissions(&self) -> &'static [Omission] {
        G::omissions()
    }

    fn sheet(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        limits: Limits<'_>,
    ) -> Result<Box<RawValue>, Fault> {
        partial::sheet::<G>(record, viewer, limits)
    }

    fn replay(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Report, Unanswered> {
        Ok(named::<G, _>(record, report::replay::<G>(record, query)?))
    }

    fn explain(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Account, Unanswered> {
        Ok(named::<G, _>(record, report::account::<G>(record, query)?))
    }

    fn why(
        &self,
        record: &RawRecord<'_>,
        asked: &str,
        query: &Query<'_>,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered> {
        Ok(named::<G, _>(record, why::<G>(record, asked, query, bounds)?))
    }

    fn legal(
        &self,
        record: &RawRecord<'_>,
        query: &Query<'_>,
        wanted: LegalQuery<'_>,
    ) -> Result<Legal, Unanswered> {
        Ok(named::<G, _>(record, report::legal::<G>(record, query, wanted)?))
    }

    fn wanted(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Option<Wanted>, Fault> {
        wanted::wanted::<G>(record, limits)
    }

    fn depict(&self, record: &RawRecord<'_>, query: &Query<'_>) -> Result<Depiction, Unanswered> {
        report::depict::<G>(record, query)
    }

    fn art(&self) -> Option<&'static Art> {
        G::ART
    }

    fn story(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        limits: Limits<'_>,
    ) -> Result<Vec<Line>, Fault> {
        Ok(named::<G, _>(record, report::story::<G>(record, viewer, limits)?))
    }

    fn news(
        &self,
        record: &RawRecord<'_>,
        viewer: Observer,
        since: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Vec<String>, Fault> {
        Ok(named::<G, _>(record, report::news::<G>(record, viewer, since, limits)?))
    }

    fn say(
        &self,
        record: &RawRecord<'_>,
        actions: &[&str],
        ply: Option<u32>,
        limits: Limits<'_>,
    ) -> Result<Said, Fault> {
        Ok(named::<G, _>(record, report::say::<G>(record, actions, ply, limits)?))
    }

    fn adjudicate(
        &self,
        record: &RawRecord<'_>,
        dispute: &Dispute<'_>,
        limits: Limits<'_>,
    ) -> Result<Adjudication, Unanswered> {
        Ok(named::<G, _>(record, readings::adjudicate::<G>(record, dispute, limits)?))
    }

    fn replay_partial(&self, partial: &Partial, query: &Query<'_>) -> Result<Report, Unanswered> {
        Ok(named_in_part::<G, _>(partial, incomplete::replay::<G>(partial, query)?))
    }

    fn why_partial(
        &self,
        partial: &Partial,
        asked: &str,
        query: &Query<'_>,
        bounds: &Bounds,
    ) -> Result<WhyNot, Unanswered> {
        Ok(named_in_part::<G, _>(partial, incomplete::why::<G>(partial, asked, query, bounds)?))
    }

    fn adjudicate_partial(
        &self,
        partial: &Partial,
        dispute: &Dispute<'_>,
        limits: Limits<'_>,
    ) -> Result<Adjudication, Unanswered> {
        Ok(named_in_part::<G, _>(partial, incomplete::adjudicate::<G>(partial, dispute, limits)?))
    }

    fn cited(&self, record: &RawRecord<'_>) -> Result<Vec<&'static str>, Fault> {
        report::cited::<G>(record)
    }

    fn repair(
        &self,
        record: &RawRecord<'_>,
        bounds: RepairBounds,
        limits: Limits<'_>,
    ) -> Result<Repairs, Fault> {
        Ok(named::<G, _>(record, repair::search::repair::<G>(record, bounds, limits)?))
    }

    fn remedy(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Remedies, Fault> {
        Ok(named::<G, _>(record, remedy::remedy::<G>(record, limits)?))
    }

    fn compare(
        &self,
        records: [&RawRecord<'_>; 2],
        limits: Limits<'_>,
    ) -> Result<Comparison, FaultOf> {
        Ok(named::<G, _>(records[0], compare::records::<G>(records, limits)?))
    }

    fn compare_prints(
        &self,
        record: &RawRecord<'_>,
        fingerprints: &[PlyMark],
        chain: bool,
        limits: Limits<'_>,
    ) -> Result<PrintComparison, Fault> {
        Ok(named::<G, _>(record, compare::fingerprints::<G>(record, fingerprints, chain, limits)?))
    }

    fn live(&self, record: &RawRecord<'_>, limits: Limits<'_>) -> Result<Box<dyn Live>, Fault> {
        live::live::<G>(record, limits)
    }

    fn hint(&self, record: &RawRecord<'_>, asked: &Asked<'_>) -> Result<Hint, Unadvised> {
        Ok(named::<G, _>(record, hint::hint::<G>(record, asked)?))
    }

    fn odds(&self, record: &RawRecord<'_>, asked: &OddsQuery<'_>) -> Result<Odds, NoAnswer> {
        Ok(named::<G, _>(record, chances::odds::<G>(record, asked)?))
    }

    fn series(&self, series: Series) -> Result<Box<dyn Games>, Fault> {
        balance::series::<G>(series)
    }

    fn analysis(
        &self,
        record: &RawRecord<'_>,
        task: &Task,
        limits: Limits<'_>,
    ) -> Result<Box<dyn Analysis>, Fault> {
        review::analysis::<G>(record, task, limits)
    }
}

/// An answer with the names of a record's players in its sentences.
fn named<G: FullGame, T: Sentences>(record: &RawRecord<'_>, answer: T) -> T {
    People::of::<G>(record.players.as_ref()).named(answer)
}

/// The same for a record in which something is unknown.
fn named_in_part<G: FullGame, T: Sentences>(partial: &Partial, answer: T) -> T {
    People::of::<G>(partial.players().as_ref()).named(answer)
}

/// What is played by the default options of a version of the ruleset, in an edition.
fn default_setup<G: FullGame>(version: u32, edition: Option<&str>) -> Option<G::Setup> {
    let mut seeded = Seeded::new("", G::META.streams);
    let mut options = G::Options::default();
    G::Setup::set_version(&mut options, version);
    G::Setup::reread(&mut options, edition, &[]);
    G::Setup::from_options(options, &mut seeded).ok()
}
