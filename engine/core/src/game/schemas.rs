//! The OpenAPI schemas of a game's wire types (feature `schema`).
//!
//! Must not know any game.

use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::play::Game;

/// The components of one game, each under its final name (`drako.View`).
pub type GameSchemas = Vec<(String, RefOr<Schema>)>;

/// What every event carries beside what happened.
#[derive(ToSchema)]
#[schema(as = EventFrame)]
#[allow(dead_code, reason = "exists for its schema; the wire form is written by `replay::answer`")]
struct EventFrame {
    /// Number of actions before the one that caused it; 0 for the opening.
    ply: u32,
    /// Whether it happened before the first action; otherwise left out.
    #[schema(required = false)]
    opening: bool,
    /// The deciding clause.
    rule: String,
    /// Its section in the printed edition.
    #[schema(required = false, nullable = false)]
    section: Option<String>,
    /// All clauses, the deciding one first; left out where there is one.
    #[schema(required = false)]
    rules: Vec<String>,
}

/// Collects the components of a game: its own types under their own names, and
/// `<game>.Action`, `.Range`, `.Event`, `.View`, `.Options`, `.Position`, `.Seat`, `.Reason` and
/// `.Id`, which the placeholders stand for.
pub fn of<G>() -> GameSchemas
where
    G: Game<
            Action: ToSchema,
            Range: ToSchema,
            View: ToSchema,
            Options: ToSchema,
            Position: ToSchema,
            Notice: ToSchema,
        >,
{
    let mut all = GameSchemas::new();
    let id = G::META.id;
    collect::<G::Action>(&mut all, id, "Action");
    collect::<G::Range>(&mut all, id, "Range");
    collect::<G::View>(&mut all, id, "View");
    collect::<G::Options>(&mut all, id, "Options");
    collect::<G::Position>(&mut all, id, "Position");
    collect::<G::Notice>(&mut all, id, "Notice");
    all.push(("EventFrame".to_owned(), EventFrame::schema()));
    let event = AllOfBuilder::new()
        .item(Ref::from_schema_name("EventFrame"))
        .item(Ref::from_schema_name(format!("{id}.Notice")))
        .description(Some("What a viewer learns of one fact, and the clauses it follows from."));
    all.push((format!("{id}.Event"), event.into()));
    all.push((format!("{id}.Seat"), names("A seat of the game.", G::META.seats)));
    all.push((format!("{id}.Reason"), names("A way in which the game ends.", G::META.endings)));
    all.push((format!("{id}.Id"), names("The game.", &[id])));
    all
}

fn names(description: &str, values: &[&'static str]) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(values.iter().copied()))
        .into()
}

fn collect<T: ToSchema>(all: &mut GameSchemas, game: &str, name: &str) {
    T::schemas(all);
    let component = format!("{game}.{name}");
    // A type that already has that very name is its own component.
    all.push((component, <T as PartialSchema>::schema()));
}
