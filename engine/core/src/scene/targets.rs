//! Which shapes can be chosen: those that mean one of the actions that are legal.
//!
//! This module must not decide what is legal, nor know a game: it compares what a shape fills in with what actions have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Form, Role, Scene, Shape, Tint};
use crate::budget::{Budget, Spent};
use crate::digest::canonical;

/// What choices can fill in: the values that some action has in a field of a name, at any depth, and what the lists
/// there hold, each in canonical JSON.
#[derive(Default)]
struct Fields(BTreeMap<String, BTreeSet<Vec<u8>>>);

impl Fields {
    fn add(&mut self, action: &Value) {
        match action {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let values = self.0.entry(name.clone()).or_default();
                    values.extend(value.as_array().into_iter().flatten().map(canonical));
                    values.insert(canonical(value));
                    self.add(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            _ => {}
        }
    }

    /// Whether a choice means one of the actions: that has one of its fields, with its value or with a list that holds
    /// the value. Of `{"any": [..]}` one is enough.
    fn have(&self, choice: &Value) -> bool {
        let mut fields = choice.as_object().into_iter().flatten();
        fields.any(|(name, wanted)| {
            self.0.get(name).is_some_and(|values| Self::are_filled(values, wanted))
        })
    }

    fn are_filled(values: &BTreeSet<Vec<u8>>, wanted: &Value) -> bool {
        match wanted.get("any").and_then(Value::as_array) {
            Some(any) => any.iter().any(|one| Self::are_filled(values, one)),
            None => values.contains(&canonical(wanted)),
        }
    }
}

/// Marks every shape that means one of the actions (JSON texts). The marks lie on top, in the order of their shapes.
///
/// # Errors
/// The budget is spent.
pub fn mark<'a>(
    scene: &mut Scene,
    actions: impl Iterator<Item = &'a RawValue>,
    budget: Budget<'_>,
) -> Result<(), Spent> {
    let mut fields = Fields::default();
    for action in actions {
        budget.spend(1)?;
        serde_json::from_str(action.get()).iter().for_each(|action| fields.add(action));
    }
    let meant = |shape: &&Shape| shape.choice.as_ref().is_some_and(|choice| fields.have(choice));
    let target = |shape: &Shape| {
        let form =
            Form::Mark { at: shape.form.place(), size: reach(&shape.form), role: Role::Target };
        let id = format!("target:{}", shape.id);
        let mark = Shape::new(id, shape.title.clone(), Tint::Strong, form);
        Shape { region: shape.region.clone(), ..mark }
    };
    let marks: Vec<Shape> = scene.shapes.iter().filter(meant).map(target).collect();
    scene.shapes.extend(marks);
    Ok(())
}

/// The least width of a mark.
const LEAST: i32 = 24;

/// How wide a mark around a shape is.
fn reach(form: &Form) -> i32 {
    let around = match form {
        Form::Hex { size, .. } => size * 4 / 3,
        Form::Disc { radius, .. } => radius * 2 + 8,
        Form::Piece { size, .. } => size + 8,
        Form::Track { size, .. } => *size,
        _ => LEAST,
    };
    around.max(LEAST)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Fields;

    #[test]
    fn a_choice_means_what_has_its_value_at_any_depth() {
        let mut fields = Fields::default();
        let action =
            json!({"type": "move", "unit": 7, "path": [[1, 0], [2, 0]], "with": [{"to": [3, 0]}]});
        fields.add(&action);
        for choice in [
            json!({"unit": 7}),
            json!({"path": [2, 0]}),
            json!({"to": [3, 0], "unit": 9}),
            json!({"unit": {"any": [1, 7]}}),
        ] {
            assert!(fields.have(&choice), "{choice}");
        }
        for choice in
            [json!({"unit": 8}), json!({"path": [3, 0]}), json!({}), json!({"unit": {"any": []}})]
        {
            assert!(!fields.have(&choice), "{choice}");
        }
    }
}
