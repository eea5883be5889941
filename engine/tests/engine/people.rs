//! Players are called by their names, in whatever is answered, over every game whose sentences can bear names.

laws! {
    /// No sentence of any answer calls a player by the number of the seat, if the record says who sits there.
    players_are_called_by_their_names;
}

mod check {
    use serde_json::{Value, json};
    use umpire_engine::analysis::hint::Asked;
    use umpire_engine::analysis::search::InTurn;
    use umpire_engine::any_game::{AnyGame, Of};
    use umpire_engine::dispute::readings::Dispute;
    use umpire_engine::dispute::repair::RepairBounds;
    use umpire_engine::dispute::why::Bounds;
    use umpire_engine::game::{FullGame, Observer, SideName, TableSetup};
    use umpire_engine::live::{Sender, Tried};
    use umpire_engine::record::RawRecord;
    use umpire_engine::replay::answer::LegalQuery;
    use umpire_engine::replay::{Include, Limits, Query};

    use crate::walk::{option_sets, walks};

    const NAMES: [&str; 6] = ["Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio"];

    /// An answer as text; empty for an error.
    fn text<T: serde::Serialize, E>(answer: Result<T, E>) -> String {
        answer.map_or_else(|_| String::new(), |it| serde_json::to_string(&it).expect("JSON"))
    }

    pub(super) fn players_are_called_by_their_names<G: FullGame>() {
        let persons: Vec<&str> = G::META
            .sides
            .iter()
            .filter_map(|side| match side {
                SideName::Person(person) => Some(*person),
                SideName::One(_) | SideName::Many(_) => None,
            })
            .collect();
        if persons.is_empty() {
            return;
        }
        let mut named = 0;
        for walk in walks::<G>(&option_sets::<G>()[..2], 1, 160) {
            let whole = walk.record(walk.actions.len(), &walk.seed_chance());
            let mut record: Value = serde_json::from_str(&whole).expect("JSON");
            let seats = G::Setup::players(walk.end.setup());
            let seats = seats.iter().map(|seat| G::META.seat_name(seat));
            record["players"] =
                seats.zip(NAMES).map(|(seat, name)| (seat.to_owned(), json!(name))).collect();
            let mut all: Vec<(&str, String)> = Vec::new();
            answers::<G>(&record, &mut all);
            // One action too many, and one too few.
            let actions = record["actions"].as_array().expect("actions").clone();
            let mut twice = record.clone();
            twice["actions"]
                .as_array_mut()
                .expect("actions")
                .insert(actions.len() / 2, actions[0].clone());
            answers::<G>(&twice, &mut all);
            let mut short = record.clone();
            short["actions"].as_array_mut().expect("actions").remove(actions.len() / 3);
            answers::<G>(&short, &mut all);
            for (what, answer) in all {
                for person in &persons {
                    let at = answer.find(person);
                    let around = at.map(|at| answer[at.saturating_sub(80)..].chars().take(160));
                    assert!(at.is_none(), "{what}: {:?}", around.map(|it| it.collect::<String>()));
                }
                named += usize::from(NAMES.iter().any(|name| answer.contains(name)));
            }
        }
        assert!(named > 20, "{}: {named}", G::META.id);
    }

    /// Everything that is answered about a record.
    fn answers<G: FullGame>(record: &Value, all: &mut Vec<(&'static str, String)>) {
        let game = Of::<G>::new();
        let (whole, limits) = (record.to_string(), Limits::default());
        let raw = RawRecord::read(whole.as_bytes()).expect("a record");
        let include =
            Include { events: true, explain: true, legal: true, text: true, ..Include::default() };
        let query = Query { include, ..Query::default() };
        let mut report =
            serde_json::to_value(game.replay(&raw, &query).expect("a report")).expect("JSON");
        report.as_object_mut().expect("an object").remove("scene");
        all.push(("replay", report.to_string()));
        all.push(("judge", text(game.judge(&raw, limits).map(|it| it.verdict))));
        all.push(("explain", text(game.explain(&raw, &Query::default()))));
        let worded = LegalQuery { text: true, ..LegalQuery::LIST };
        all.push(("legal", text(game.legal(&raw, &Query::default(), worded))));
        all.push(("story", text(game.story(&raw, Observer::Referee, limits))));
        all.push(("news", text(game.news(&raw, Observer::Spectator, Some(3), limits))));
        let action = record["actions"][0].to_string();
        let said = game.say(&raw, &[&action], None, limits).expect("words");
        all.push(("say", format!("{:?}", said.actions)));
        all.push(("why", text(game.why(&raw, &action, &Query::default(), &Bounds::default()))));
        all.push(("adjudicate", text(game.adjudicate(&raw, &Dispute::default(), limits))));
        all.push(("repair", text(game.repair(&raw, RepairBounds::default(), limits))));
        all.push(("remedy", text(game.remedy(&raw, limits))));
        let mut other = record.clone();
        other["actions"].as_array_mut().expect("actions").truncate(20);
        let other = other.to_string();
        let other = RawRecord::read(other.as_bytes()).expect("a record");
        all.push(("compare", text(game.compare([&raw, &other], limits).map_err(|it| it.fault))));
        let asked = Asked {
            ply: Some(12),
            seat: None,
            simulations: 30,
            seed: "names",
            most: 5,
            limits,
            spread: &InTurn,
        };
        all.push(("hint", text(game.hint(&raw, &asked))));
        let Ok(mut live) = game.live(&other, limits) else { return };
        let ply = live.ply();
        all.push(("tell", text::<_, ()>(Ok(live.tell(Observer::Referee, None, ply)))));
        all.push(("live legal", text(live.legal(Observer::Referee, worded, limits))));
        let sent = serde_json::value::RawValue::from_string(action).expect("JSON");
        let sent = live.read(&sent).expect("an action");
        let sender = Sender { seat: None, viewer: Observer::Referee };
        if let Ok(Tried::Refused(violation)) = live.play(&sent, Vec::new(), sender) {
            all.push(("refused", text::<_, ()>(Ok(violation))));
        }
    }
}
