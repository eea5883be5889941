//! The board of a record, as a scene or as a picture.

use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::replay;
use umpire_engine::report::Depiction;
use umpire_engine::scene::svg::{self, Theme};

use super::{Answer, Asked};
use crate::json;
use crate::language::{Language, Voice};
use crate::limits::Limits;
use crate::parameters::{Eyes, SENT, Viewer};
use crate::problem::{Code, Problem};
use crate::query::{Pairs, Parameters};
use crate::reading::{self, Submission};

/// The colour theme of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(rename_all = "snake_case"))]
pub enum ThemeName {
    /// The browser's preference.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ThemeName {
    /// Takes the parameter `theme`.
    ///
    /// # Errors
    /// There is no such theme.
    pub fn take(pairs: &mut Pairs) -> Result<Theme, Problem> {
        match pairs.take("theme")?.as_deref() {
            None | Some("auto") => Ok(Theme::Auto),
            Some("light") => Ok(Theme::Light),
            Some("dark") => Ok(Theme::Dark),
            Some(other) => Err(Problem::parameter("theme", other, "auto, light or dark")),
        }
    }
}

/// The viewer, and how to draw the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct BoardParameters {
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "schema", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// The colours of the SVG: `light`, `dark`, or `auto` for the browser's preference.
    #[cfg_attr(feature = "schema", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Leave the style sheet out of the SVG, for a page that already contains it.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub bare: bool,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for BoardParameters {
    /// No such seat.
    const ERRORS: &'static [Code] = &[Code::NotFound];

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let (viewer, theme) = (Viewer::take(pairs)?, ThemeName::take(pairs)?);
        let (bare, targets) = (pairs.flag("bare")?, pairs.flag("targets")?);
        Ok(BoardParameters { viewer, theme, bare, targets, lang: Language::take(pairs)? })
    }
}

impl BoardParameters {
    /// The engine query, with the viewers that the caller may choose.
    ///
    /// # Errors
    /// There is no such seat, or the caller may not view the game like that.
    pub fn query<'a>(
        &self,
        game: &dyn AnyGame,
        eyes: impl Into<Eyes>,
        ply: Option<u32>,
        limits: &Limits,
        budget: Budget<'a>,
    ) -> Result<replay::Query<'a>, Problem> {
        Ok(replay::Query {
            viewer: self.viewer.of(game, eyes.into())?,
            ply,
            limits: limits.engine(budget),
            ..replay::Query::default()
        })
    }

    /// The board, in the requested language.
    ///
    /// # Errors
    /// The record cannot be replayed, or has no such ply.
    pub fn depict(
        &self,
        submission: &Submission<'_>,
        query: &replay::Query<'_>,
    ) -> Result<(Depiction, Voice), Problem> {
        let mut depicted = submission.depict(query, self.targets)?;
        let voice = self.lang.of(submission.game);
        voice.scene(&mut depicted.scene);
        Ok((depicted, voice))
    }

    /// The options of the SVG.
    pub fn options(&self) -> svg::Options {
        svg::Options { style: !self.bare, theme: self.theme, tables: !self.bare }
    }
}

/// The viewer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct SightParameters {
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "schema", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for SightParameters {
    const ERRORS: &'static [Code] = BoardParameters::ERRORS;

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let (viewer, targets) = (Viewer::take(pairs)?, pairs.flag("targets")?);
        Ok(SightParameters { viewer, targets, lang: Language::take(pairs)? })
    }
}

/// The viewer, the ply, and how to draw the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "schema", into_params(parameter_in = Query))]
pub struct SceneParameters {
    /// Draw the board after this many actions; by default at the last legal state.
    #[cfg_attr(feature = "schema", param(maximum = 4294967295u32))]
    pub ply: Option<u32>,
    /// The viewer: `referee` (everything), a seat (what that player may know), or `spectator`
    /// (public information). A seat of another game gives 404.
    #[cfg_attr(feature = "schema", param(value_type = Option<crate::schemas::ViewerName>, inline))]
    pub viewer: Viewer,
    /// The colours of the SVG: `light`, `dark`, or `auto` for the browser's preference.
    #[cfg_attr(feature = "schema", param(value_type = Option<ThemeName>, inline))]
    pub theme: Theme,
    /// Leave the style sheet out of the SVG, for a page that already contains it.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub bare: bool,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[cfg_attr(feature = "schema", param(value_type = Option<bool>))]
    pub targets: bool,
    /// The language of texts for people: `en`, or one that some game is translated to. A game
    /// without that language answers in English; `Content-Language` says which one was used.
    #[cfg_attr(feature = "schema", param(value_type = Option<String>, example = "it"))]
    pub lang: Language,
}

impl Parameters for SceneParameters {
    const ERRORS: &'static [Code] = BoardParameters::ERRORS;

    fn read(pairs: &mut Pairs) -> Result<Self, Problem> {
        let ply = pairs.number("ply", 0..=u32::MAX)?;
        let BoardParameters { viewer, theme, bare, targets, lang } = BoardParameters::read(pairs)?;
        Ok(SceneParameters { ply, viewer, theme, bare, targets, lang })
    }
}

/// The board of a record that was sent; `drawn` as an SVG, else as JSON.
///
/// # Errors
/// The record cannot be replayed, or has no such ply or seat.
pub fn scene(
    asked: &Asked<'_>,
    text: &[u8],
    parameters: SceneParameters,
    drawn: bool,
) -> Result<Answer, Problem> {
    let SceneParameters { ply, viewer, theme, bare, targets, lang } = parameters;
    reading::with_record(text, |submission| {
        let board = BoardParameters { viewer, theme, bare, targets, lang };
        let query = board.query(submission.game, SENT, ply, &asked.limits, asked.budget)?;
        let (depicted, voice) = board.depict(submission, &query)?;
        let text = match drawn {
            true => svg::write(&depicted.scene, board.options()).into_bytes(),
            false => json::text(&depicted),
        };
        Ok((text, voice))
    })
}
