//! Which shapes can be chosen: those that mean one of the actions that are legal.
//!
//! This module must not decide what is legal, nor know a game: it compares what a shape fills in with what actions have.

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Form, Role, Scene, Shape, Tint};

/// Whether a choice means an action: at any depth the action has one of its fields, with its value or with a list that
/// holds the value. Of `{"any": [..]}` one is enough.
fn means(choice: &Value, action: &Value) -> bool {
    match action {
        Value::Object(fields) => fields.iter().any(|(name, value)| {
            choice.get(name).is_some_and(|wanted| fills(wanted, value)) || means(choice, value)
        }),
        Value::Array(items) => items.iter().any(|item| means(choice, item)),
        _ => false,
    }
}

fn fills(wanted: &Value, value: &Value) -> bool {
    match wanted.get("any").and_then(Value::as_array) {
        Some(any) => any.iter().any(|one| fills(one, value)),
        None => wanted == value || value.as_array().is_some_and(|items| items.contains(wanted)),
    }
}

/// Marks every shape that means one of the actions (JSON texts). The marks lie on top, in the order of their shapes.
pub fn mark<'a>(scene: &mut Scene, actions: impl Iterator<Item = &'a RawValue>) {
    let read = |action: &RawValue| serde_json::from_str(action.get()).ok();
    let actions: Vec<Value> = actions.filter_map(read).collect();
    let meant = |shape: &&Shape| {
        let choice = shape.choice.as_ref();
        choice.is_some_and(|choice| actions.iter().any(|action| means(choice, action)))
    };
    let target = |shape: &Shape| {
        let form =
            Form::Mark { at: shape.form.place(), size: reach(&shape.form), role: Role::Target };
        Shape::new(format!("target:{}", shape.id), shape.title.clone(), Tint::Strong, form)
    };
    let marks: Vec<Shape> = scene.shapes.iter().filter(meant).map(target).collect();
    scene.shapes.extend(marks);
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

    use super::means;

    #[test]
    fn a_choice_means_what_has_its_value_at_any_depth() {
        let action =
            json!({"type": "move", "unit": 7, "path": [[1, 0], [2, 0]], "with": [{"to": [3, 0]}]});
        for choice in [
            json!({"unit": 7}),
            json!({"path": [2, 0]}),
            json!({"to": [3, 0], "unit": 9}),
            json!({"unit": {"any": [1, 7]}}),
        ] {
            assert!(means(&choice, &action), "{choice}");
        }
        for choice in
            [json!({"unit": 8}), json!({"path": [3, 0]}), json!({}), json!({"unit": {"any": []}})]
        {
            assert!(!means(&choice, &action), "{choice}");
        }
    }
}
