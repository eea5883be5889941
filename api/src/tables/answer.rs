//! What a viewer is shown of a table: its state, and what happened.
//!
//! Everything here is what one viewer may know. This module must not change a table, and must not know a game.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::chance::fair::{FairPart, FairStage};
use umpire_engine::game::{Draft, Observer, Standing, Stray};
use umpire_engine::live::{Live, Look, Told};
use umpire_engine::record::Fault;
use umpire_engine::replay::Limits;
use umpire_engine::replay::answer::{Ending, Legal, LegalQuery, PendingDecision, Status};

use super::table::{ChanceKind, Proposal, Table, Version};
use umpire_referee::language::Voice;

/// The state of a table as one viewer knows it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::Table))]
pub struct TableView {
    /// Its id.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::TableName))]
    pub id: String,
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    pub game: &'static str,
    /// The ruleset, pinned when the table was created.
    pub ruleset: String,
    /// The options in force, defaults included; `null` while the seed is still being drawn.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_engine::schema::GameOptions>))]
    pub options: Option<Box<RawValue>>,
    /// The seats, in seat order, and their players.
    pub seats: Vec<SeatView>,
    /// Where chance comes from.
    pub chance: ChanceKind,
    /// Whether seats may ask for hints.
    pub hints: bool,
    /// The fair draw of the seed, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub fair: Option<FairView>,
    /// When the table was created: RFC 3339, in UTC.
    #[cfg_attr(feature = "openapi", schema(format = "date-time"))]
    pub created_at: String,
    /// The viewer: `referee`, `spectator`, or a seat.
    pub viewer: &'static str,
    /// The version: the number of actions and, after the first undo, the number of undos (`41`, later `38.1`). `If-Match`
    /// takes it.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]+([.][0-9]+)?$"))]
    pub version: String,
    /// The state of the game; `null` while its seed is still being drawn.
    pub now: Option<Look>,
    /// The legal actions that the viewer may see (`include=legal`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub legal: Option<Legal>,
    /// The pending request to take actions back, if there is one.
    pub undo: Option<Proposal>,
    /// The id of the record that the table became; the table is then closed.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_referee::schemas::RecordName>))]
    pub record: Option<String>,
}

/// A seat of a table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TableSeat))]
pub struct SeatView {
    /// The seat.
    pub seat: String,
    /// The player's name, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub name: Option<String>,
    /// The number of simulations of the program that plays the seat, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub search: Option<u32>,
}

/// The public state of a fair draw.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = FairDrawView))]
pub struct FairView {
    /// The stage of the draw.
    pub stage: FairStage,
    /// The server's commitment, made before all others.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub server: String,
    /// The parts of the seats so far.
    pub parts: Vec<FairPart>,
    /// The seats whose part is missing.
    pub missing: Vec<String>,
}

/// What happened at a table since a version, as far as one viewer learned of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::TableStep))]
pub struct StepView {
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    pub game: &'static str,
    /// The version that `patch` starts from, if there is a `patch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub since: Option<String>,
    /// The current version of the table.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]+([.][0-9]+)?$"))]
    pub version: String,
    /// The number of actions that stand.
    pub ply: u32,
    /// How the game stands: `in_progress` or `complete`.
    pub status: Status,
    /// How it ended, if it is over.
    pub outcome: Option<Ending>,
    /// The standings, in games that have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub standing: Vec<Standing>,
    /// What is to be decided.
    pub decision: PendingDecision,
    /// The events that the viewer learned, in order, with the clauses that they follow from.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<umpire_engine::schema::GameEvent>))]
    pub events: Vec<Box<RawValue>>,
    /// Each event in words; `null` if the lines around it already say it.
    pub texts: Vec<Option<String>>,
    /// How the viewer's state has changed since then: a JSON Patch (RFC 6902).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<umpire_referee::schemas::PatchOperation>, required = false))]
    pub patch: Option<json_patch::Patch>,
    /// Everything that the viewer knows, if there is no `patch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameView, required = false))]
    pub state: Option<Box<RawValue>>,
    /// The legal actions that the viewer may see, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub legal: Option<Legal>,
    /// The path that lists them, if they are only counted here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub legal_actions: Option<String>,
}

/// The viewer of a game in progress.
pub struct Sight<'a> {
    /// The table.
    pub table: &'a Table,
    /// The viewer.
    pub viewer: Observer,
    /// The language.
    pub voice: Voice,
}

/// What a viewer knew at a moment, to find out later what has changed.
#[derive(Clone, Debug)]
pub struct Known {
    /// The moment.
    pub version: Version,
    /// The state: its text, which takes a tenth of the memory that a tree takes.
    pub state: Box<RawValue>,
}

/// The name of a viewer.
pub fn name_of(game: &dyn AnyGame, viewer: Observer) -> &'static str {
    match viewer {
        Observer::Referee => "referee",
        Observer::Spectator => "spectator",
        Observer::Seat(seat) => game.meta().seat_name(seat),
    }
}

impl Sight<'_> {
    /// What the viewer knows now.
    pub fn known(&self, live: &dyn Live) -> Known {
        Known { version: self.table.version(), state: live.look(self.viewer).state }
    }

    /// What happened since then: as a patch of what the viewer knew, or with the whole state since a ply.
    pub fn step(&self, live: &dyn Live, since: Since<'_>) -> StepView {
        let Look { ply, status, outcome, standing, decision, state } = live.look(self.viewer);
        let (from, known) = match since {
            Since::Known(known) => (known.version.ply, Some(known)),
            Since::Ply(ply) => (ply, None),
        };
        let Told { events, mut texts } = live.tell(self.viewer, Some(from), ply);
        if !self.voice.is_english() {
            texts.iter_mut().flatten().for_each(|text| *text = self.voice.said(text));
        }
        let known = known.filter(|known| known.version.undos == self.table.undos);
        let patch = known.and_then(|known| {
            let value = |text: &RawValue| serde_json::from_str::<Value>(text.get()).ok();
            let patch = json_patch::diff(&value(&known.state)?, &value(&state)?);
            // What is longer than the whole helps nobody.
            let length = serde_json::to_string(&patch).map_or(usize::MAX, |text| text.len());
            (length < state.get().len()).then_some(patch)
        });
        StepView {
            game: self.table.game.meta().id,
            since: known.filter(|_| patch.is_some()).map(|known| known.version.to_string()),
            version: self.table.version().to_string(),
            ply,
            status,
            outcome,
            standing,
            decision,
            events,
            texts,
            state: patch.is_none().then_some(state),
            patch,
            legal: None,
            legal_actions: None,
        }
    }

    /// The path of the viewer's legal actions; it names the viewer if that is not the token's own.
    pub fn link(&self, named: Option<&str>) -> String {
        let viewer = named.map(|name| format!("?viewer={name}")).unwrap_or_default();
        format!("/v1/tables/{}/legal-actions{viewer}", self.table.id)
    }

    /// The legal actions that the viewer may see, listed up to a limit or only counted.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn legal(
        &self,
        live: &dyn Live,
        wanted: &LegalWanted,
        budget: Budget<'_>,
    ) -> Result<Legal, Fault> {
        self.legal_from(live, wanted, None, budget)
    }

    /// The legal actions that start with a draft, and how they continue.
    ///
    /// # Errors
    /// The budget is spent.
    pub fn legal_from(
        &self,
        live: &dyn Live,
        wanted: &LegalWanted,
        partial: Option<&Draft>,
        budget: Budget<'_>,
    ) -> Result<Legal, Fault> {
        let limits = Limits { listed: wanted.limit, budget, ..Limits::default() };
        let asked = LegalQuery { count_only: wanted.count_only, partial, text: wanted.text };
        let mut legal = live.legal(self.viewer, asked, limits)?;
        // A seat asks what it can do, not what others can.
        if let Observer::Seat(seat) = self.viewer {
            let own = self.table.game.meta().seat_name(seat);
            legal.choices.retain(|choices| choices.player == own);
            if let Some(draft) = partial.filter(|_| legal.choices.is_empty()) {
                legal.stray.get_or_insert_with(|| Stray::player(draft, std::iter::once(own)));
            }
        }
        self.voice.choices(&mut legal.choices);
        Ok(legal)
    }

    /// The state of the table.
    pub fn table(&self) -> TableView {
        let Table { id, head, game, live, proposal, fair, sealed, .. } = self.table;
        let live = live.as_deref();
        let seats = live.map_or_else(
            || {
                let named = |seat: &&&str| {
                    head.seats.contains_key(**seat) || head.programs.contains_key(**seat)
                };
                game.meta().seats.iter().filter(named).copied().collect()
            },
            Live::seats,
        );
        let seat = |seat: &str| SeatView {
            seat: seat.to_owned(),
            name: head.players.get(seat).cloned(),
            search: head.programs.get(seat).copied(),
        };
        TableView {
            id: id.to_string(),
            game: game.meta().id,
            ruleset: head.ruleset.clone(),
            options: live.map(Live::options),
            seats: seats.into_iter().map(seat).collect(),
            chance: self.table.chance(),
            hints: !head.no_hints,
            fair: fair.as_ref().map(|draw| FairView {
                stage: draw.stage(),
                server: draw.server(),
                parts: draw.parts().to_vec(),
                missing: draw.missing().into_iter().map(str::to_owned).collect(),
            }),
            created_at: crate::store::when::text(head.at),
            viewer: name_of(*game, self.viewer),
            version: self.table.version().to_string(),
            now: live.map(|live| live.look(self.viewer)),
            legal: None,
            undo: proposal.clone(),
            record: sealed.clone(),
        }
    }
}

/// The moment from which events are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Since<'a> {
    /// Since the viewer knew this.
    Known(&'a Known),
    /// Since this many actions.
    Ply(u32),
}

/// Which form of the legal actions is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegalWanted {
    /// Only count them.
    pub count_only: bool,
    /// The maximum number to list for each seat.
    pub limit: usize,
    /// Add each of them in words.
    pub text: bool,
}
