//! Names of OpenAPI components, for the types that questions take and answer with.
//!
//! Each stands for the component of the same name, which the document generates. This module must
//! not know what the components contain.

use serde::Serialize;
use serde_json::Value;
#[cfg(feature = "schema")]
use utoipa::openapi::{Ref, RefOr, Schema};
#[cfg(feature = "schema")]
use utoipa::{PartialSchema, ToSchema};

/// A self-contained JSON Schema.
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
        #[cfg(feature = "schema")]
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name(stringify!($name)).into()
            }
        }

        #[cfg(feature = "schema")]
        impl ToSchema for $name {}
    };
}

markers!(@schema JsonSchema);

markers! {
    /// The record of any game.
    GameRecord;
    /// The record of any game, complete or with unknowns.
    SentRecord;
    /// A record of any game as it was stored.
    StoredRecord;
    /// The report on a record of any game.
    Report;
    /// The verdict on a record of any game.
    Judgement;
    /// The legal actions in a record of any game.
    Legal;
    /// The receipt for a record of any game.
    Receipt;
    /// The events of a record of any game.
    EventList;
    /// A settled dispute about a record of any game.
    Adjudication;
    /// A settled dispute with the id of its stored sheet.
    KeptDispute;
    /// Either, depending on whether the sheet was stored.
    SettledDispute;
    /// Whether an action in a record of any game is legal, and why not.
    WhyNot;
    /// Why plies of a record of any game went as they did.
    Account;
    /// The repairs of a record of any game.
    Repairs;
    /// The remedies of a record of any game.
    Remedies;
    /// Advice for a seat in a record of any game.
    Hint;
    /// The possible outcomes of an action in a record of any game.
    Odds;
    /// Simulated games between programs.
    Simulation;
    /// The analysis of a ply of any game.
    PlyAnalysis;
    /// Two records of any game compared.
    Comparison;
    /// A record of any game compared with fingerprints.
    PrintComparison;
    /// Either comparison.
    AnyComparison;
    /// The id of a game.
    GameName;
    /// A viewer.
    ViewerName;
    /// The id of a clause or ruling.
    RuleId;
    /// The name of a precedent.
    PrecedentName;
    /// The id of a stored record.
    RecordName;
    /// Records as NDJSON.
    RecordLines;
    /// Stored records as NDJSON.
    StoredRecordLines;
    /// Verdicts and problems as NDJSON.
    ValidationLines;
    /// Receipts and problems as NDJSON.
    ReceiptLines;
    /// The id of a stored verdict.
    VerdictName;
    /// The id of an impact.
    ImpactName;
    /// The id of an analysis.
    AnalysisName;
    /// The id of a series of games.
    SimulationName;
    /// A series of games, or the job that plays it.
    SimulationAnswer;
    /// The analysis of plies as NDJSON.
    PlyLines;
    /// A table of any game.
    Table;
    /// A newly created table of any game.
    NewTable;
    /// What happened at a table of any game.
    TableStep;
    /// The id of a table.
    TableName;
    /// A viewer of a table.
    TableViewer;
    /// Server-sent events of a table.
    TableEvents;
    /// Who plays a seat of a table.
    Sitter;
    /// Who plays a seat in a series of games.
    SimulatedPlayer;
    /// An action of any game.
    Action;
    /// The options of any game.
    Options;
    /// The first fault of a record of any game.
    Violation;
    /// Changed records as NDJSON.
    ChangeLines;
    /// An OpenAPI document.
    OpenApiDocument;
    /// A game, with its options and components.
    GameDetail;
    /// The position of any game.
    Position;
    /// An operation of a JSON Patch.
    PatchOperation;
    /// Any value sent as an action.
    SentAction;
    /// Any JSON object.
    AnyObject;
    /// Any JSON value.
    AnyValue;
}
