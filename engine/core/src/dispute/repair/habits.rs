//! What a record's own actions tell of one that is missing from it: who writes what, in which form and how often.
//!
//! This module must not know what a field means, and decides only the order of what a replay shows to hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::Step;
use super::fields::leaves;

/// The most values of a key that are told apart in a form: a use or a player is one of a few, a unit one of many.
const FEW: usize = 6;
/// The most values that are remembered of a key.
const SEEN: usize = 64;
/// The most whole actions that are remembered.
const WHOLE: usize = 48;
/// The key that names what an action is.
const TYPE: &str = "type";

/// How the actions of a record are written.
pub(super) struct Habits<A> {
    /// Values seen under each key; items of lists have the key of their list.
    seen: BTreeMap<String, Vec<Value>>,
    /// How often each form was written.
    forms: BTreeMap<String, u32>,
    /// Different whole actions, those written most often first.
    whole: Vec<Arc<Step<A>>>,
}

impl<A> Habits<A> {
    /// What these actions have in common.
    pub(super) fn of(steps: &[Arc<Step<A>>]) -> Self {
        let mut all = Habits { seen: BTreeMap::new(), forms: BTreeMap::new(), whole: Vec::new() };
        let mut whole: BTreeMap<String, (u32, usize)> = BTreeMap::new();
        for (at, step) in steps.iter().enumerate() {
            let mut values = Vec::new();
            leaves(String::new(), "", &step.value, &mut values);
            for (_, key, value) in values {
                let known = all.seen.entry(key).or_default();
                if known.len() < SEEN && !known.contains(&value) {
                    known.push(value);
                }
            }
            if step.action.is_some() {
                whole.entry(step.value.to_string()).or_insert((0, at)).0 += 1;
            }
        }
        for step in steps.iter().filter(|step| step.action.is_some()) {
            *all.forms.entry(all.form(&step.value)).or_default() += 1;
        }
        let mut whole: Vec<(u32, usize)> = whole.into_values().collect();
        whole.sort_unstable_by_key(|&(count, at)| (std::cmp::Reverse(count), at));
        all.whole = whole.into_iter().take(WHOLE).map(|(_, at)| steps[at].clone()).collect();
        all
    }

    /// The values seen under a key.
    pub(super) fn under(&self, key: &str) -> &[Value] {
        self.seen.get(key).map_or(&[], Vec::as_slice)
    }

    /// Different actions of the record of one of these types.
    pub(super) fn written<'h>(
        &'h self,
        types: &'h BTreeSet<String>,
    ) -> impl Iterator<Item = &'h Arc<Step<A>>> {
        let of_type = |value: &Value| value[TYPE].as_str().is_some_and(|it| types.contains(it));
        self.whole.iter().filter(move |step| of_type(&step.value))
    }

    /// The form of an action: its type, which fields it has, how long their lists are, and the value of
    /// each that takes one of few.
    pub(super) fn form(&self, action: &Value) -> String {
        let mut values = Vec::new();
        leaves(String::new(), "", action, &mut values);
        let mut form = String::new();
        for (pointer, key, value) in values {
            form.push_str(&pointer);
            form.push(' ');
            if let Value::String(text) = &value
                && (key == TYPE || self.under(&key).len() <= FEW)
            {
                form.push_str(text);
            }
            form.push('\n');
        }
        form
    }

    /// How unlike the record an action of this form is that is one of so many: the more seldom the form was
    /// written, and the more of that form could have been meant, the more.
    pub(super) fn oddness(&self, form: &str, among: u32) -> u32 {
        let written = self.forms.get(form).copied().unwrap_or(0).min(4_000);
        // In steps of two, so that small differences decide nothing.
        let share = u64::from(among.max(1)) * 65_536 / u64::from(4 * written + 1);
        share.max(1).ilog2()
    }
}

/// The types of these actions.
pub(super) fn types<'v>(actions: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    actions.into_iter().filter_map(|it| it[TYPE].as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_often_written_and_is_alone_is_least_odd() {
        let step = |value: Value| Arc::new(Step { value, action: Some(()) });
        let ends = |player: &str| json!({"type": "end", "player": player});
        let moves = |unit: u32| json!({"type": "move", "player": "a", "unit": format!("u{unit}"), "by": [{"x": "y"}]});
        let mut steps: Vec<_> = (0..10).map(|unit| step(moves(unit))).collect();
        steps.extend((0..5).map(|_| step(ends("a"))));
        let habits = Habits::of(&steps);
        let odd = |value: &Value, among| habits.oddness(&habits.form(value), among);
        assert_eq!(habits.form(&moves(1)), habits.form(&moves(99)), "units are many");
        assert_ne!(habits.form(&ends("a")), habits.form(&ends("b")), "players are few");
        let mut nobody = moves(1);
        nobody["by"] = json!([]);
        assert!(odd(&nobody, 1) > odd(&moves(77), 1));
        assert!(odd(&ends("a"), 1) < odd(&moves(77), 10), "one of ten");
        assert!(odd(&moves(77), 1) < odd(&ends("a"), 1), "it was written more often");
        let ending = types([&ends("a")]);
        let written: Vec<_> = habits.written(&ending).map(|it| &it.value).collect();
        assert_eq!(written, [&ends("a")]);
    }
}
