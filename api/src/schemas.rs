//! Names of components of the OpenAPI document, for the types that handlers take and give.
//!
//! Each stands for the component of its name, which the document makes. This module must not know
//! what the components are.

use serde::Serialize;
use serde_json::Value;
#[cfg(feature = "openapi")]
use utoipa::openapi::{Ref, RefOr, Schema};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

/// A JSON Schema, complete in itself.
#[derive(Clone, Debug, Serialize)]
pub struct JsonSchema(pub Value);

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
            markers!(@schema $name);
        )*
    };
    (@schema $name:ident) => {
        #[cfg(feature = "openapi")]
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name(stringify!($name)).into()
            }
        }

        #[cfg(feature = "openapi")]
        impl ToSchema for $name {}
    };
}

markers!(@schema JsonSchema);

markers! {
    /// The record of any game.
    GameRecord;
    /// The record of any game, whole or as far as it is known.
    SentRecord;
    /// A record of any game as it was stored.
    StoredRecord;
    /// The report on a record of any game.
    Report;
    /// The judgement on a record of any game.
    Judgement;
    /// The legal actions in a record of any game.
    Legal;
    /// The receipt for a record of any game.
    Receipt;
    /// The events of a record of any game.
    EventList;
    /// A dispute about a record of any game, settled.
    Adjudication;
    /// The same with the id of its sheet.
    KeptDispute;
    /// Either, by whether the sheet was kept.
    SettledDispute;
    /// Whether an action in a record of any game is allowed, and why not.
    WhyNot;
    /// Why plies of a record of any game went as they did.
    Account;
    /// The repairs of a record of any game.
    Repairs;
    /// The remedies of a record of any game.
    Remedies;
    /// What a seat should do in a record of any game.
    Hint;
    /// What can come of an action in a record of any game.
    Odds;
    /// Games of any game between programs.
    Simulation;
    /// What an analysis says of one ply of any game.
    PlyAnalysis;
    /// Two records of any game compared.
    Comparison;
    /// A record of any game compared with fingerprints.
    PrintComparison;
    /// Either comparison.
    AnyComparison;
    /// The id of a game.
    GameName;
    /// Somebody who looks.
    ViewerName;
    /// The id of a clause or ruling.
    RuleId;
    /// The name of a precedent.
    PrecedentName;
    /// The id of a stored record.
    RecordName;
    /// Records, one a line.
    RecordLines;
    /// Stored records, one a line.
    StoredRecordLines;
    /// Judgements and problems, one a line.
    ValidationLines;
    /// Receipts and problems, one a line.
    ReceiptLines;
    /// The id of a kept verdict.
    VerdictName;
    /// The id of an impact.
    ImpactName;
    /// The id of an analysis.
    AnalysisName;
    /// The id of a series of games.
    SimulationName;
    /// A series of games, or the job that plays it.
    SimulationAnswer;
    /// What an analysis says of plies, one a line.
    PlyLines;
    /// A table of any game.
    Table;
    /// A table that was made, of any game.
    NewTable;
    /// What happened at a table of any game.
    TableStep;
    /// The id of a table.
    TableName;
    /// Somebody who looks at a table.
    TableViewer;
    /// Server-sent events of a table.
    TableEvents;
    /// Who sits at a seat of a table.
    Sitter;
    /// Who plays a seat in a series of games.
    SimulatedPlayer;
    /// An action of any game.
    Action;
    /// The options of any game.
    Options;
    /// The first fault of a record of any game.
    Violation;
    /// Changed records, one a line.
    ChangeLines;
    /// An OpenAPI document.
    OpenApiDocument;
    /// A game, with its options and components.
    GameDetail;
    /// The position of any game.
    Position;
    /// An operation of a JSON Patch.
    PatchOperation;
    /// Anything that was sent as an action of any game.
    SentAction;
    /// Any JSON object.
    AnyObject;
    /// Any JSON value.
    AnyValue;
}
