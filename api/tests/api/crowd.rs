//! Records with a large crowd on the table, which are short to send and long to work on.

use serde_json::{Value, json};

/// The record of a crowd, with so many of whatever its position lists by number; none if the game has none.
pub(crate) fn crowd(id: &str, most: usize) -> Option<Value> {
    let path = format!("{}/../fixtures/{id}/crowd.json", env!("CARGO_MANIFEST_DIR"));
    let mut record = serde_json::from_slice::<Value>(&std::fs::read(path).ok()?).unwrap();
    let mut record = record["record"].take();
    let lists = record["position"].as_object_mut().unwrap().values_mut();
    for list in lists.filter_map(Value::as_array_mut).filter(|list| list[0]["id"].is_u64()) {
        let few = list.clone();
        for number in list.len()..most {
            let mut one = few[number % few.len()].clone();
            one["id"] = json!(number + 1);
            list.push(one);
        }
    }
    Some(record)
}

/// A record whose bids nobody noted, on a table with a crowd: as many worlds, each as large.
pub(crate) fn many_worlds(id: &str, units: usize) -> Option<Value> {
    let mut record = crowd(id, units)?;
    let order = record["position"]["state"]["order"].as_array()?.clone();
    record["position"]["state"] = json!({"phase": "bid"});
    record["chance"] = json!({"tape": []});
    let bid = |player| json!({"type": "bid", "player": player, "amount": "?"});
    record["actions"] = order.into_iter().map(bid).collect();
    Some(record)
}
