//! What was done to a record that was carried over to another reading, line by line, as it goes over the wire.
//!
//! Must not carry anything over.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::replay::answer::Ending;

/// What was done to a decision when it was carried over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CarriedKind {
    /// The reading does not ask for it, and it only let things be; or does not know the field.
    Dropped,
    /// Only the reading asks for it.
    Filled,
    /// Another player decides it.
    Moved,
    /// It comes earlier than recorded.
    Reordered,
    /// The reading asks for it in another form.
    Restated,
}

/// What would have been with another value in the place of an assumed one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Otherwise))]
pub struct Otherwise {
    /// The action with the other value.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::GameAction))]
    pub is: Box<RawValue>,
    /// How the game would have ended, if it had.
    pub outcome: Option<Ending>,
    /// Whether the state at the end would have been another one.
    pub differs: bool,
}

/// One line of the record that was carried over to another reading.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = GAME::Carried))]
pub struct Carried {
    /// The place in the record as it stands, a JSON pointer; what is filled in stands before it.
    pub pointer: String,
    /// What was done.
    pub kind: CarriedKind,
    /// The clause that refuses the line as it stands; none where the game was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = String, required = false))]
    pub rule: Option<&'static str>,
    /// The action as recorded; `null` where there was none.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schema::GameAction>))]
    pub was: Option<Box<RawValue>>,
    /// The action under the reading; `null` where there is none.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::schema::GameAction>))]
    pub is: Option<Box<RawValue>>,
    /// Whether it could have been another: nobody was asked.
    pub assumed: bool,
    /// What would have been with another value in the place of the first assumed one; at most five are
    /// tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub otherwise: Vec<Otherwise>,
    /// The same in plain words.
    pub text: String,
}

impl Carried {
    /// Decks and dice were asked for in another order.
    pub(crate) fn chance() -> Self {
        Carried {
            pointer: "/chance".to_owned(),
            kind: CarriedKind::Reordered,
            rule: None,
            was: None,
            is: None,
            assumed: true,
            otherwise: Vec::new(),
            text:
                "each deck keeps the order in which its cards fell, each die that of its throws; \
                   cards that nobody saw are assumed to lie below the others"
                    .to_owned(),
        }
    }
}
