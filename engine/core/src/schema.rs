//! Placeholders in the OpenAPI schemas of answers (feature `schema`).
//!
//! Answers are the same for all games but for the types of a game's own. They are written once
//! with placeholders named `GAME.…`; the description makes one copy per game by putting the game's
//! id in that place. This module must not know any game.

use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! placeholder {
    ($($(#[$doc:meta])* $name:ident = $component:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name;

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    utoipa::openapi::Ref::from_schema_name($component).into()
                }
            }

            impl ToSchema for $name {
                fn name() -> std::borrow::Cow<'static, str> {
                    $component.into()
                }
            }
        )*
    };
}

placeholder! {
    /// Stands for a game's action.
    GameAction = "GAME.Action";
    /// Stands for a game's range.
    GameRange = "GAME.Range";
    /// Stands for a game's event as an observer learns of it.
    GameEvent = "GAME.Event";
    /// Stands for a game's view.
    GameView = "GAME.View";
    /// Stands for the data behind a game's rules.
    GameComponents = "GAME.Components";
    /// Stands for a game's options.
    GameOptions = "GAME.Options";
    /// Stands for the names of a game's seats.
    GameSeat = "GAME.Seat";
    /// Stands for the ways in which a game can end.
    GameReason = "GAME.Reason";
    /// Stands for the game's id.
    GameId = "GAME.Id";
    /// Stands for anything that was sent as a game's action.
    SentAction = "GAME.SentAction";
    /// Stands for the record of any game.
    AnyRecord = "GameRecord";
    /// Stands for the record of any game, whole or as far as it is known.
    SentRecord = "SentRecord";
    /// Stands for the record of a game.
    RecordOfGame = "GAME.GameRecord";
    /// Stands for any JSON object.
    AnyObject = "AnyObject";
    /// Stands for any JSON value.
    AnyValue = "AnyValue";
}
