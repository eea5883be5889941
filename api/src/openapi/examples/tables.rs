//! Examples of tables: one is created for each game, and an action is played.
//!
//! This module must not store anything.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use umpire_engine::any_game::AnyGame;
use umpire_engine::chance::fair::commitment;
use umpire_engine::game::Observer;
use umpire_engine::live::{Sender, Told};
use umpire_engine::replay::Limits;

use super::{Examples, PLIES, SEED, value};
use crate::http::body::JSON;
use crate::routes::stored::EventList;
use crate::store::TableId;
use crate::tables::answer::{LegalWanted, Sight, Since};
use crate::tables::create::NewTable;
use crate::tables::journal::{Draws, FORM, Head, Step, Taken};
use crate::tables::table::Table;
use crate::tables::watch::event;
use umpire_referee::language::Language;
use umpire_referee::reading;

/// The time at which the example table was created.
const AT: i64 = 1_763_755_200_000;

/// The table of a game, before its first action.
fn table(game: &dyn AnyGame) -> Option<Table> {
    let head = Head {
        form: FORM,
        at: AT,
        game: game.meta().id.to_owned(),
        ruleset: game.meta().ruleset(),
        options: None,
        players: BTreeMap::new(),
        chance: Draws::Server(SEED.to_owned()),
        position: None,
        meta: BTreeMap::new(),
        host: String::new(),
        seats: BTreeMap::new(),
        programs: BTreeMap::new(),
        no_hints: false,
    };
    Table::new(TableId::from_bytes([0x2a; 16]), head, Limits::default()).ok()
}

impl Examples {
    /// The responses of a table of a game.
    pub(super) fn tables(&mut self, game: &'static dyn AnyGame) {
        let id = TableId::from_bytes([0x2a; 16]).to_string();
        for operation in [
            "get_table",
            "delete_table",
            "create_table_action",
            "list_table_legal_actions",
            "get_table_hint",
            "list_table_events",
            "get_table_scene",
            "watch_table",
            "create_table_undo",
            "create_table_draw",
            "create_table_seal",
        ] {
            self.parameters.entry((operation, "id")).or_insert(json!(id));
        }
        let seats = game.meta().seats;
        let players = json!({seats[0]: "Anna", seats[1]: {"search": 1000}});
        let request = json!({"game": game.meta().id, "players": players});
        self.request("create_table", JSON, game, "", request);
        self.request("create_table_undo", JSON, game, "", json!({"to": 1}));
        let part = commitment(&id, seats[0], &"0b".repeat(32));
        self.request("create_table_draw", JSON, game, "", json!({"commit": part}));
        // Tables are made from legal records, and samples are legal.
        let sample: Value =
            serde_json::from_str(reading::sample(game, SEED, PLIES).get()).unwrap_or_default();
        let first = &sample["actions"][0];
        self.request("create_table_action", JSON, game, "", json!({"action": first}));
        if let (Some(table), Ok(action)) = (table(game), serde_json::value::to_raw_value(first)) {
            self.played(game, table, action);
        }
    }

    fn played(&mut self, game: &'static dyn AnyGame, mut table: Table, action: Box<RawValue>) {
        let voice = Language::ENGLISH.of(game);
        let (viewer, limits) = (Observer::Spectator, Limits::default());
        let view = |table: &Table| value(&Sight { table, viewer, voice }.table());
        let token = |name: &str| format!("umpire_{name}_0123456789abcdef");
        let seats = game.meta().seats.iter().take(1);
        let made = NewTable {
            game: game.meta().id,
            host: token("host"),
            seats: seats.map(|seat| ((*seat).to_owned(), token(seat))).collect(),
            table: Sight { table: &table, viewer, voice }.table(),
        };
        self.response("create_table", "201", JSON, game, value(&made));
        let sight = Sight { table: &table, viewer, voice };
        let Some(known) = table.live.as_deref().map(|live| sight.known(live)) else { return };
        let (begun, opening) = (table.moment(), view(&table));
        let sender = Sender { seat: None, viewer };
        let taken = table.live.as_mut().map(|live| {
            let sent = live.read(&action)?;
            live.play(&sent, Vec::new(), sender)
        });
        let step = Step::Action(Taken { action, at: AT + 41_000, tape: Vec::new(), key: None });
        if !matches!(taken, Some(Ok(_))) || table.take(step, None, limits).is_err() {
            return;
        }
        for operation in
            ["get_table", "create_table_undo", "create_table_draw", "create_table_seal"]
        {
            self.response(operation, "200", JSON, game, view(&table));
        }
        let sight = Sight { table: &table, viewer, voice };
        let Some(live) = table.live.as_deref() else { return };
        let mut step = sight.step(live, Since::Known(&known));
        let frames = [event("table", begun, &opening), event("step", table.moment(), &step)];
        let frames: String = frames.iter().map(|frame| String::from_utf8_lossy(frame)).collect();
        self.response("watch_table", "200", "text/event-stream", game, frames.into());
        let wanted = LegalWanted { count_only: true, limit: 10, text: false };
        step.legal = sight.legal(live, &wanted, limits.budget).ok();
        step.legal_actions = Some(sight.link(None));
        self.response("create_table_action", "200", JSON, game, value(&step));
        if let Some(legal) = &step.legal {
            self.response("list_table_legal_actions", "200", JSON, game, value(legal));
        }
        let Told { mut events, mut texts } = live.tell(viewer, Some(0), 1);
        events.truncate(4);
        texts.truncate(4);
        let viewer = "spectator";
        let list = EventList { game: game.meta().id, viewer, plies: 1, events, texts: Some(texts) };
        self.response("list_table_events", "200", JSON, game, value(&list));
    }
}
