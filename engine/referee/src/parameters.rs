//! Parameters that several questions share: viewers, parts of a report, languages, limits.
//!
//! This module must not know any question.

use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::game::{Draft, Observer};
use umpire_engine::games::GAMES;
use umpire_engine::replay::answer::LegalQuery;
use umpire_engine::replay::{self, Include};

use crate::language::Language;
use crate::limits::Limits;
use crate::problem::{Code, Problem};
use crate::query::{Pairs, Parameters};
use crate::reading::UnknownFields;

/// The viewers that a caller may choose, and the default one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// Any viewer, with this default.
    AnyOr(Observer),
    /// Only this viewer.
    Only(&'static str),
}

impl Eyes {
    /// Checks that the caller may see everything in a record.
    ///
    /// # Errors
    /// The caller is bound to a viewer.
    pub fn whole(self) -> Result<(), Problem> {
        match self {
            Eyes::AnyOr(_) => Ok(()),
            Eyes::Only(_) => Err(Problem::new(Code::Forbidden, NOT_WHOLE)),
        }
    }

    /// Checks that the caller may see a record as this viewer.
    ///
    /// # Errors
    /// The caller is bound to another viewer.
    pub fn named(self, viewer: &str) -> Result<(), Problem> {
        match self {
            Eyes::Only(own) if own == viewer => Ok(()),
            other => other.whole(),
        }
    }
}

impl From<Observer> for Eyes {
    fn from(otherwise: Observer) -> Self {
        Eyes::AnyOr(otherwise)
    }
}

/// A viewer by name: `referee`, `spectator` or a seat of some game; or the default one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Viewer(Option<String>);

/// Why a caller that is bound to a viewer is refused another one.
const NOT_WHOLE: &str = "this token shows the record to its own viewer only";

/// The default viewer of a record that is sent: the caller has all of it anyway.
pub const SENT: Observer = Observer::Referee;

/// The default viewer of a stored record: the game may still be in progress, and players may read
/// it.
pub const STORED: Observer = Observer::Spectator;

impl Viewer {
    /// The name of every viewer in any game, once each.
    pub fn names() -> Vec<&'static str> {
        let mut names = vec!["referee", "spectator"];
        for seat in GAMES.iter().flat_map(|game| game.meta().seats) {
            if !names.contains(seat) {
                names.push(seat);
            }
        }
        names
    }

    /// Takes the parameter `viewer`.
    ///
    /// # Errors
    /// No game has such a viewer.
    pub fn take(pairs: &mut Pairs) -> Result<Self, Problem> {
        let names = Viewer::names();
        match pairs.take("viewer")? {
            Some(other) if !names.contains(&other.as_str()) => {
                let expected = format!("one of {}", names.join(", "));
                Err(Problem::parameter("viewer", &other, expected))
            }
            name => Ok(Viewer(name)),
        }
    }

    /// The viewer with that name; `None` is the default one.
    pub fn named(name: Option<&str>) -> Self {
        Viewer(name.map(str::to_owned))
    }

    /// The viewer in a game: the one that the request names, or the default one.
    ///
    /// # Errors
    /// The game has no such seat, or the caller may not view the game like that.
    pub fn of(&self, game: &dyn AnyGame, eyes: Eyes) -> Result<Observer, Problem> {
        let name = match (self.0.as_deref(), eyes) {
            (None, Eyes::AnyOr(observer)) => return Ok(observer),
            (None, Eyes::Only(own)) => own,
            (Some(name), eyes) => {
                eyes.named(name)?;
                name
            }
        };
        game.viewer(name).ok_or_else(|| {
            let seats = game.meta().seats.join(", ");
            Problem::not_found(format!(
                "viewer {name:?} is not a seat of {}; expected one of {seats}",
                game.meta().id
            ))
        })
    }
}

/// An optional part of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(rename_all = "snake_case"))]
pub enum Part {
    /// Every event visible to the viewer.
    Events,
    /// The view after every ply.
    States,
    /// Every draw, as a tape (referee only).
    Tape,
    /// Fingerprint and chain of every ply (referee only).
    Fingerprints,
    /// For each ply, the action, its events, and the clauses and facts behind them.
    Explain,
    /// The standings of the players at the end of each chapter of the game (referee only).
    Chapters,
    /// The text of each event of `events`, and of each action of `legal`, as far as the viewer may
    /// know it.
    Text,
    /// The legal actions at the ply that the viewer may see, at most 10000 per seat.
    Legal,
    /// The board at the ply, as shapes.
    Scene,
}

impl Part {
    const ALL: [(&'static str, Part); 9] = [
        ("events", Part::Events),
        ("states", Part::States),
        ("tape", Part::Tape),
        ("fingerprints", Part::Fingerprints),
        ("explain", Part::Explain),
        ("chapters", Part::Chapters),
        ("text", Part::Text),
        ("legal", Part::Legal),
        ("scene", Part::Scene),
    ];

    /// Takes the parameter `include` of a report.
    ///
    /// # Errors
    /// There is no such part.
    pub fn take(pairs: &mut Pairs) -> Result<Include, Problem> {
        let mut include = Include::default();
        for name in pairs.list("include") {
            match Part::ALL.iter().find(|(known, _)| *known == name) {
                Some((_, Part::Events)) => include.events = true,
                Some((_, Part::States)) => include.states = true,
                Some((_, Part::Tape)) => include.tape = true,
                Some((_, Part::Fingerprints)) => include.fingerprints = true,
                Some((_, Part::Explain)) => include.explain = true,
                Some((_, Part::Chapters)) => include.chapters = true,
                Some((_, Part::Text)) => include.text = true,
                Some((_, Part::Legal)) => include.legal = true,
                Some((_, Part::Scene)) => include.scene = true,
                None => {
                    let known = Part::ALL.map(|(name, _)| name).join(", ");
                    let expected = format!("a comma-separated list of {known}");
                    return Err(Problem::parameter("include", &name, expected));
                }
            }
        }
        Ok(include)
    }
}

/// Parameters of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct ReplayParameters {
    /// The ply whose state to return; the last legal one by default. Nothing after it is revealed:
    /// no event, no fault, no outcome, no claim.
    #[cfg_attr(feature = "schema", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "schema", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Optional parts of the report, separated by commas or as several `include` parameters.
    /// `tape`, `fingerprints` and `chapters` are for the referee only; `text` adds the texts of
    /// `events`, and of the actions of `legal` (`texts`).
    #[cfg_attr(feature = "schema", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline))]
    pub include: Include,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for ReplayParameters {
    /// No such ply or seat, or too many actions to return every state.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::TooManyActions];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(ReplayParameters {
            ply: pairs.number("ply", 0..=u32::MAX)?,
            viewer: Viewer::take(pairs)?,
            include: Part::take(pairs)?,
            lang: Language::take(pairs)?,
        })
    }
}

/// What to do about unknown fields of a record: the parameter `unknown_fields`.
pub fn unknown_fields(pairs: &mut Pairs) -> Result<UnknownFields, Problem> {
    match pairs.take("unknown_fields")?.as_deref() {
        None | Some("refuse") => Ok(UnknownFields::Refuse),
        Some("keep") => Ok(UnknownFields::Keep),
        Some(other) => Err(Problem::parameter("unknown_fields", other, "refuse or keep")),
    }
}

impl ReplayParameters {
    /// The engine query, with the viewers that the caller may choose.
    pub fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, Problem> {
        let mut bound = limits.engine(budget);
        bound.listed = LISTED;
        if self.include.states || self.include.explain {
            bound.actions = bound.actions.min(limits.states);
        }
        Ok(replay::Query {
            viewer: self.viewer.of(game, eyes.into())?,
            ply: self.ply,
            include: self.include,
            limits: bound,
        })
    }
}

/// An optional part of a list of legal actions, or of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(rename_all = "snake_case"))]
pub enum LegalPart {
    /// The text of each.
    Text,
}

impl LegalPart {
    /// Takes the parameter `include` of a list.
    ///
    /// # Errors
    /// There is no such part.
    pub fn take(pairs: &mut Pairs) -> Result<Vec<Self>, Problem> {
        let part = |name: String| match name.as_str() {
            "text" => Ok(LegalPart::Text),
            _ => Err(Problem::parameter("include", &name, "text")),
        };
        pairs.list("include").into_iter().map(part).collect()
    }
}

/// The language of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct LanguageParameters {
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for LanguageParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(LanguageParameters { lang: Language::take(pairs)? })
    }
}

/// Which rules to list.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct RulesParameters {
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
    /// List only clauses and rulings in whose texts all these words occur, whole or as a part of a word, in any
    /// language of the game.
    #[cfg_attr(feature = "schema", param(max_length = 200, example = "hand limit"))]
    pub text: Option<String>,
}

impl Parameters for RulesParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(RulesParameters { lang: Language::take(pairs)?, text: pairs.text("text", 200)? })
    }
}

/// How to validate a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct JudgeParameters {
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
    /// What to do about unknown fields at the top level of a record: `refuse` (the default) rejects
    /// the record, `keep` validates the rest and lists them in `warnings` (`unknown_field`).
    #[cfg_attr(feature = "schema", param(value_type = Option<UnknownFields>, inline))]
    pub unknown_fields: UnknownFields,
}

impl Parameters for JudgeParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(JudgeParameters { lang: Language::take(pairs)?, unknown_fields: unknown_fields(pairs)? })
    }
}

/// Parameters of a list of legal actions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct LegalParameters {
    /// The ply whose legal actions to list; the last legal one by default.
    #[cfg_attr(feature = "schema", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "schema", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Count the actions instead of listing them.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub count_only: bool,
    /// The maximum number of actions to list per seat. `count` is exact regardless, and `truncated`
    /// says whether there are more.
    #[cfg_attr(feature = "schema", param(value_type = Option<usize>, minimum = 1, maximum = 100000, default = 10000))]
    pub limit: usize,
    /// The part of an action chosen so far, a JSON object; `{}` for nothing yet. Then only actions
    /// that start with it are listed, and `next` says how they continue.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, max_length = 4096, example = "{}"))]
    pub partial: Option<Draft>,
    /// Optional parts: `text` adds the text of each action of each seat (`texts`).
    #[cfg_attr(feature = "schema", param(value_type = Option<Vec<LegalPart>>, style = Form, explode = false, inline))]
    pub include: Vec<LegalPart>,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

/// The default maximum number of legal actions listed per seat. The lists of real games have some
/// hundreds.
pub const LISTED: usize = 10_000;

/// The maximum number of legal actions per seat that a request may ask for.
pub const MOST_LISTED: usize = 100_000;

impl Parameters for LegalParameters {
    /// No such ply or seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        Ok(LegalParameters {
            ply: pairs.number("ply", 0..=u32::MAX)?,
            viewer: Viewer::take(pairs)?,
            count_only: pairs.flag("count_only")?,
            limit: pairs.number("limit", 1..=MOST_LISTED)?.unwrap_or(LISTED),
            partial: partial(pairs)?,
            include: LegalPart::take(pairs)?,
            lang: Language::take(pairs)?,
        })
    }
}

/// The part of an action chosen so far: the parameter `partial`.
pub fn partial(pairs: &mut Pairs) -> Result<Option<Draft>, Problem> {
    let text = pairs.text("partial", LONGEST_DRAFT)?;
    let read = |text: String| {
        let expected =
            |why| Problem::parameter("partial", &text, format_args!("a JSON object ({why})"));
        Draft::read(&text).map_err(expected)
    };
    text.map(read).transpose()
}

/// The maximum length of the parameter `partial`, in characters. A query string has 8 KiB; a deal
/// of thirty items needs two.
const LONGEST_DRAFT: usize = 4_096;

impl LegalParameters {
    /// What is asked of the engine.
    pub fn wanted(&self) -> LegalQuery<'_> {
        LegalQuery {
            count_only: self.count_only,
            partial: self.partial.as_ref(),
            text: self.include.contains(&LegalPart::Text),
        }
    }

    /// The engine query, with the viewers that the caller may choose.
    pub fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, Problem> {
        Ok(replay::Query {
            viewer: self.viewer.of(game, eyes.into())?,
            ply: self.ply,
            include: Include::default(),
            limits: replay::Limits { listed: self.limit, ..limits.engine(budget) },
        })
    }
}
