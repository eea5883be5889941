//! Parameters and answers that several routes share: who looks, which parts, how much.
//!
//! This module must not know any route.

use std::fmt::Display;

use actix_web::HttpRequest;
use actix_web::http::header;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::game::{Draft, Observer};
use umpire_engine::games::{self, GAMES};
use umpire_engine::replay::answer::LegalQuery;
use umpire_engine::replay::{self, Include};

use crate::access::Sight;
use crate::body::NDJSON;
use crate::config::Limits;
pub use crate::config::engine_limits;
use crate::error::{ApiError, Code, shorten};
use crate::json;
use crate::language::{Language, Voice};
use crate::query::{Pairs, Parameters};
use crate::referee::{Submission, UnknownFields};

/// The game of a path.
pub(super) fn game_at(id: &str) -> Result<&'static dyn AnyGame, ApiError> {
    games::find(id).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|game| game.meta().id).collect();
        ApiError::NotFound(format!(
            "there is no game {:?}; the games are {}",
            shorten(id),
            known.join(", ")
        ))
    })
}

/// Who may look, and who does where a request does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eyes {
    /// Everybody may be named; this one looks where nobody is.
    AnyOr(Observer),
    /// Only this viewer.
    Only(&'static str),
}

impl From<Observer> for Eyes {
    fn from(otherwise: Observer) -> Self {
        Eyes::AnyOr(otherwise)
    }
}

/// A caller's, at a stored record.
impl From<Sight> for Eyes {
    fn from(sight: Sight) -> Self {
        match sight {
            Sight::Whole => Eyes::AnyOr(STORED),
            Sight::Only(viewer) => Eyes::Only(viewer),
        }
    }
}

/// Who looks, by name: `referee`, `spectator` or a seat of some game; or nobody in particular.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Viewer(Option<String>);

/// Who looks at a record that is sent, where the request does not say: the caller has it all.
pub(crate) const SENT: Observer = Observer::Referee;

/// Who looks at a stored record, where the request does not say: the game may still go on, and
/// players may read it.
pub(crate) const STORED: Observer = Observer::Spectator;

impl Viewer {
    /// Every name that some game knows, each once.
    pub fn names() -> Vec<&'static str> {
        let mut names = vec!["referee", "spectator"];
        for seat in GAMES.iter().flat_map(|game| game.meta().seats) {
            if !names.contains(seat) {
                names.push(seat);
            }
        }
        names
    }

    pub(super) fn take(pairs: &mut Pairs) -> Result<Self, ApiError> {
        let names = Viewer::names();
        match pairs.take("viewer")? {
            Some(other) if !names.contains(&other.as_str()) => {
                let expected = format!("one of {}", names.join(", "));
                Err(ApiError::parameter("viewer", &other, expected))
            }
            name => Ok(Viewer(name)),
        }
    }

    /// The viewer of that name; nobody in particular where there is none.
    pub(super) fn named(name: Option<&str>) -> Self {
        Viewer(name.map(str::to_owned))
    }

    /// The viewer in a game: the one that the request names, or the one who looks where it names
    /// nobody.
    ///
    /// # Errors
    /// The game has no such seat, or the caller may not look with those eyes.
    pub(super) fn of(&self, game: &dyn AnyGame, eyes: Eyes) -> Result<Observer, ApiError> {
        let name = match (self.0.as_deref(), eyes) {
            (None, Eyes::AnyOr(observer)) => return Ok(observer),
            (None, Eyes::Only(own)) => own,
            (Some(name), Eyes::AnyOr(_)) => name,
            (Some(name), Eyes::Only(own)) => {
                Sight::Only(own).named(name)?;
                name
            }
        };
        game.viewer(name).ok_or_else(|| {
            let seats = game.meta().seats.join(", ");
            ApiError::NotFound(format!(
                "viewer {name:?} is no seat of {}; its seats are {seats}",
                game.meta().id
            ))
        })
    }
}

/// An optional part of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum Part {
    /// Every event that the viewer learns of.
    Events,
    /// The view after every ply.
    States,
    /// Every draw, as a tape (referee only).
    Tape,
    /// Fingerprint and chain of every ply (referee only).
    Fingerprints,
    /// Per ply, the action, its events, and the clauses and facts behind them.
    Explain,
    /// How the players stood at the end of each stretch of play (referee only).
    Chapters,
    /// Beside `events`, and beside the actions of `legal`, each in words, as far as the viewer learns of it.
    Text,
    /// The legal actions at the ply that the viewer may see, at most 10000 of a seat.
    Legal,
    /// What the game looks like at the ply, as shapes.
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

    pub(super) fn take(pairs: &mut Pairs) -> Result<Include, ApiError> {
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
                    let expected = format!("a list of {known}, separated by commas,");
                    return Err(ApiError::parameter("include", &name, expected));
                }
            }
        }
        Ok(include)
    }
}

/// What is wanted of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ReplayParameters {
    /// The ply whose state is wanted; the last good one where it is left out. Nothing that comes after it is told: no
    /// event, no fault, no outcome, no claim.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Optional parts of the report, separated by commas or in several `include`. `tape`, `fingerprints` and `chapters` are
    /// given to the referee only; `text` puts beside `events`, and beside the actions of `legal`, what each is in words
    /// (`texts`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<Part>>, style = Form, explode = false, inline))]
    pub include: Include,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for ReplayParameters {
    /// No such ply or seat; more actions than are answered with every state.
    const ERRORS: &'static [Code] = &[Code::NotFound, Code::TooManyActions];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(ReplayParameters {
            ply: pairs.number("ply", 0..=u32::MAX)?,
            viewer: Viewer::take(pairs)?,
            include: Part::take(pairs)?,
            lang: Language::take(pairs)?,
        })
    }
}

/// What becomes of unknown fields of a record: the parameter `unknown_fields`.
pub(super) fn unknown_fields(pairs: &mut Pairs) -> Result<UnknownFields, ApiError> {
    match pairs.take("unknown_fields")?.as_deref() {
        None | Some("refuse") => Ok(UnknownFields::Refuse),
        Some("keep") => Ok(UnknownFields::Keep),
        Some(other) => Err(ApiError::parameter("unknown_fields", other, "refuse or keep")),
    }
}

impl ReplayParameters {
    /// The engine's question, asked with these eyes.
    pub(super) fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, ApiError> {
        let mut bound = engine_limits(limits, budget);
        bound.listed = LISTED;
        if self.include.states || self.include.explain {
            bound.actions = bound.actions.min(limits.max_states);
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "snake_case"))]
pub enum LegalPart {
    /// Each in words.
    Text,
}

impl LegalPart {
    pub(super) fn take(pairs: &mut Pairs) -> Result<Vec<Self>, ApiError> {
        let part = |name: String| match name.as_str() {
            "text" => Ok(LegalPart::Text),
            _ => Err(ApiError::parameter("include", &name, "text")),
        };
        pairs.list("include").into_iter().map(part).collect()
    }
}

/// In which language an answer speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct LanguageParameters {
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for LanguageParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(LanguageParameters { lang: Language::take(pairs)? })
    }
}

/// How a record is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct JudgeParameters {
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
    /// What becomes of fields at the top of a record that nobody knows: `refuse` (the default) calls the record
    /// unreadable, `keep` judges the rest and lists them in `warnings` (`unknown_field`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<UnknownFields>, inline))]
    pub unknown_fields: UnknownFields,
}

impl Parameters for JudgeParameters {
    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
        Ok(JudgeParameters { lang: Language::take(pairs)?, unknown_fields: unknown_fields(pairs)? })
    }
}

/// What is wanted of a list of legal actions.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct LegalParameters {
    /// The ply whose legal actions are wanted; the last good one where it is left out.
    #[cfg_attr(feature = "openapi", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// Who looks: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (what is public). A seat of another game is not found.
    #[cfg_attr(feature = "openapi", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Count the actions instead of listing them.
    #[cfg_attr(feature = "openapi", param(value_type = Option<bool>))]
    pub count_only: bool,
    /// The most actions to list for one seat. `count` is exact all the same, and `truncated` says
    /// whether there are more.
    #[cfg_attr(feature = "openapi", param(value_type = Option<usize>, minimum = 1, maximum = 100000, default = 10000))]
    pub limit: usize,
    /// What is chosen of an action so far, a JSON object; `{}` for nothing yet. Then only actions that begin so are
    /// listed, and `next` says how they go on.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, max_length = 4096, example = "{}"))]
    pub partial: Option<Draft>,
    /// Optional parts: `text` gives, beside the actions of each seat, what each is in words (`texts`).
    #[cfg_attr(feature = "openapi", param(value_type = Option<Vec<LegalPart>>, style = Form, explode = false, inline))]
    pub include: Vec<LegalPart>,
    /// The language of what is said to people: `en`, or one in which some game can be told. A game that has
    /// not that language answers in English; `Content-Language` says which it is.
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

/// The most legal actions that are listed of a seat where a request does not say. The lists of
/// real games have some hundreds.
pub(super) const LISTED: usize = 10_000;

/// The most legal actions of a seat that a request may ask for.
pub(super) const MOST_LISTED: usize = 100_000;

impl Parameters for LegalParameters {
    /// No such ply or seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, ApiError> {
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

/// What is chosen of an action so far: the parameter `partial`.
pub(super) fn partial(pairs: &mut Pairs) -> Result<Option<Draft>, ApiError> {
    let text = pairs.text("partial", LONGEST_DRAFT)?;
    let read = |text: String| {
        let expected =
            |why| ApiError::parameter("partial", &text, format_args!("a JSON object ({why})"));
        Draft::read(&text).map_err(expected)
    };
    text.map(read).transpose()
}

/// The longest part of an action in a parameter, in characters. A query has 8 KiB; a deal of thirty things needs two.
const LONGEST_DRAFT: usize = 4_096;

impl LegalParameters {
    /// The answer with what is asked for beside it, as JSON, and its voice.
    ///
    /// # Errors
    /// The record cannot be replayed, or has no such ply.
    pub(super) fn answer(
        &self,
        submission: &Submission<'_>,
        query: &replay::Query<'_>,
    ) -> Result<(Vec<u8>, Voice), ApiError> {
        let voice = self.lang.of(submission.game);
        let wanted = LegalQuery {
            count_only: self.count_only,
            partial: self.partial.as_ref(),
            text: self.include.contains(&LegalPart::Text),
        };
        let mut legal = submission.legal(query, wanted)?;
        voice.choices(&mut legal.choices);
        Ok((json::text(&legal), voice))
    }

    /// The engine's question, asked with these eyes.
    pub(super) fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, ApiError> {
        Ok(replay::Query {
            viewer: self.viewer.of(game, eyes.into())?,
            ply: self.ply,
            include: Include::default(),
            limits: replay::Limits { listed: self.limit, ..engine_limits(limits, budget) },
        })
    }
}

/// Whether the caller asks for a JSON value a line, and would not rather have JSON.
pub(super) fn wants_ndjson(request: &HttpRequest) -> bool {
    wants(request, NDJSON)
}

/// Whether the caller asks for this format, and would not rather have JSON.
pub(super) fn wants(request: &HttpRequest, format: &str) -> bool {
    use header::Header;
    // What cannot be read asks for nothing.
    let accepted = header::Accept::parse(request).map(|accepted| accepted.0).unwrap_or_default();
    let quality = |kind: &str| {
        let of_kind = accepted.iter().filter(|one| one.item.essence_str() == kind);
        of_kind.map(|one| one.quality).max().unwrap_or(header::Quality::ZERO)
    };
    let (asked, json) = (quality(format), quality("application/json"));
    asked > header::Quality::ZERO && asked >= json
}

/// The header `Link` that leads to the next page of a list: the same question, from that value of a
/// parameter on.
pub(super) fn next_page(request: &HttpRequest, name: &str, value: impl Display) -> String {
    let rest = request.query_string().split('&');
    let rest = rest.filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
    let rest: String = rest.map(|pair| format!("{pair}&")).collect();
    // What would end the address early is not left in it.
    let rest = rest.replace('>', "%3E").replace('"', "%22");
    format!("<{}?{rest}{name}={value}>; rel=\"next\"", request.path())
}
