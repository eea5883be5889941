//! Creating a table: its game, its seats and their tokens, and the source of its chance.
//!
//! A table is stored durably before it is acknowledged. This module must not know HTTP or a game.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use umpire_engine::budget::Budget;
use umpire_engine::chance::EntryOf;
use umpire_engine::game::Observer;
use umpire_engine::record::{self, Fault, FaultCode};
use umpire_engine::{games, replay};

use super::answer::{Sight, TableView};
use super::journal::{Draws, FORM, Head, stored_text};
use super::session::{TableSession, Who, to_the_end};
use super::table::Table;
use super::{Tables, now};
use crate::auth::secrets::Secret;
use crate::auth::tokens;
use crate::http::error::{ApiError, shorten};
use crate::http::peer::Peer;
use crate::limits::cpu::Claim;
use crate::store::{Inserted, TableId};
use umpire_referee::json;
use umpire_referee::language::Language;

/// A table to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TableRequest<'a> {
    /// The game.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_referee::schemas::GameName))]
    game: Cow<'a, str>,
    /// The version of the game's ruleset, as a record names it. By default the newest.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    ruleset: Option<Cow<'a, str>>,
    /// The options, as a record has them.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_referee::schemas::Options>, nullable = false))]
    options: Option<&'a RawValue>,
    /// The players by seat: a name of at most 200 characters, or `{"search": 1000}` for a program with that many simulations.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<BTreeMap<String, umpire_referee::schemas::Sitter>>, nullable = false))]
    players: Option<BTreeMap<String, Sitter>>,
    /// The source of chance. By default the server draws a seed and keeps it secret.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    chance: Option<TableChance<'a>>,
    /// The position that the game starts from, as a record has it.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<umpire_referee::schemas::Position>, nullable = false))]
    position: Option<&'a RawValue>,
    /// Free text, stored with the record; at most 16 KiB.
    #[serde(default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    meta: Option<BTreeMap<String, String>>,
    /// Whether seats may ask for hints (`GET …/hint`).
    #[serde(default = "yes")]
    #[cfg_attr(feature = "openapi", schema(default = true))]
    hints: bool,
}

fn yes() -> bool {
    true
}

/// The player of a seat.
#[derive(Debug)]
pub enum Sitter {
    /// A person of this name.
    Name(String),
    /// A program.
    Program(ProgramSitter),
}

/// Read by hand, so that an error points to its place: an untagged enum only says that no variant matches.
impl<'de> Deserialize<'de> for Sitter {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> serde::de::Visitor<'de> for Reader {
            type Value = Sitter;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("a name, or {\"search\": a number}")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Sitter, E> {
                Ok(Sitter::Name(name.to_owned()))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Sitter, A::Error> {
                let fields = serde::de::value::MapAccessDeserializer::new(map);
                ProgramSitter::deserialize(fields).map(Sitter::Program)
            }
        }
        from.deserialize_any(Reader)
    }
}

/// A program that plays a seat.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ProgramSitter {
    /// The number of simulations for each decision.
    search: u32,
}

/// The maximum number of simulations of a program at a table.
const MOST_SIMULATIONS: u32 = 20_000;

/// The maximum length of a player's name at a table, in characters.
const LONGEST_NAME: usize = 200;

/// The maximum length of the `meta` of a table, names and values together, in bytes.
const LONGEST_META: usize = 16 << 10;

/// The source of a table's chance: at most one of the fields.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(max_properties = 1))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct TableChance<'a> {
    /// This seed. Anybody who knows it knows all hidden cards.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, nullable = false))]
    seed: Option<Cow<'a, str>>,
    /// Dice and cards are entered by hand: here those before the first action, later those of each action. No program can
    /// play at such a table.
    #[serde(borrow, default, deserialize_with = "umpire_engine::wire::present")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<umpire_engine::chance::Entry>>, nullable = false))]
    tape: Option<Vec<EntryOf<'a>>>,
    /// A seed that all players draw together (`POST /v1/tables/{id}/draw`).
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(default = false))]
    fair: bool,
}

/// A created table. The tokens are shown only here.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = GAME::NewTable))]
pub struct NewTable {
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = umpire_engine::schema::GameId))]
    pub game: &'static str,
    /// The token of the host, who sees everything, may act for every seat, and decides what nobody else may.
    pub host: String,
    /// The token of each seat that no program plays.
    pub seats: BTreeMap<String, String>,
    /// The table as the spectator sees it.
    pub table: TableView,
}

impl Tables {
    /// Creates the table of a request, and lets its programs start.
    ///
    /// # Errors
    /// The request cannot be read, no game can begin so, or the table cannot be stored.
    pub async fn create(
        self: &Arc<Self>,
        request: actix_web::web::Bytes,
        peer: Peer,
    ) -> Result<NewTable, ApiError> {
        let limits = self.limits;
        let prepare = move |budget: Budget<'_>| {
            let request: TableRequest<'_> =
                record::read(record::utf8(&request)?, FaultCode::BadRecord, "")?;
            let Prepared { table, host, seats } =
                Prepared::from_request(request, limits.engine(budget))?;
            let voice = Language::ENGLISH.of(table.game);
            let view = Sight { table: &table, viewer: Observer::Spectator, voice }.table();
            let made = NewTable { game: table.game.meta().id, host, seats, table: view };
            Ok((table, made))
        };
        let (table, made) = self.cpu.run(Claim::heavy(peer), prepare).await?;
        let tables = self.clone();
        to_the_end(async move {
            let (id, head) = (table.id, json::string(&table.head));
            if tables.store.insert_table(id, head).await? == Inserted::Existing {
                return Err(ApiError::internal("two tables drew the same id".to_owned()));
            }
            let mut locked = tables.lock(id).await;
            *locked.table = Some(table);
            locked.weigh();
            TableSession { tables, locked, who: Who::Host, peer }.wake_programs();
            Ok(made)
        })
        .await
    }
}

/// A table that is ready to be stored, and its tokens.
struct Prepared {
    table: Table,
    host: String,
    seats: BTreeMap<String, String>,
}

impl Prepared {
    fn from_request(
        request: TableRequest<'_>,
        limits: replay::Limits<'_>,
    ) -> Result<Self, ApiError> {
        let TableRequest { game, ruleset, options, players, chance, position, meta, hints } =
            request;
        let chance = chance.unwrap_or_default();
        let given = [chance.seed.is_some(), chance.tape.is_some(), chance.fair];
        if given.iter().filter(|given| **given).count() > 1 {
            let detail = "one of seed, tape and fair is expected, or none";
            return Err(Fault::new(FaultCode::BadRecord, "/chance", detail).into());
        }
        let random = || Secret::random().map_err(ApiError::internal);
        let mut head = Head {
            form: FORM,
            at: now(),
            game: game.clone().into_owned(),
            ruleset: String::new(),
            options: options.map(stored_text),
            players: BTreeMap::new(),
            // To see which seats there are, and whether it can begin at all.
            chance: match (&chance.seed, &chance.tape) {
                (Some(seed), _) => Draws::Seed(seed.clone().into_owned()),
                (_, Some(tape)) => Draws::Tape(tape.iter().map(|it| it.clone().owned()).collect()),
                _ => Draws::Server(format!("chacha20:{}", random()?.reveal())),
            },
            position: position.map(stored_text),
            meta: meta.unwrap_or_default(),
            host: String::new(),
            seats: BTreeMap::new(),
            programs: BTreeMap::new(),
            no_hints: !hints,
        };
        let meta_length: usize = head.meta.iter().map(|(name, text)| name.len() + text.len()).sum();
        if meta_length > LONGEST_META {
            let detail = format!("expected at most {LONGEST_META} bytes; these are {meta_length}");
            return Err(Fault::new(FaultCode::BadRecord, "/meta", detail).into());
        }
        for (seat, sitter) in players.into_iter().flatten() {
            match sitter {
                Sitter::Name(name) if name.chars().count() > LONGEST_NAME => {
                    let detail = format!("expected at most {LONGEST_NAME} characters");
                    let at = format!("/players/{}", umpire_engine::wire::escaped(&seat));
                    return Err(Fault::new(FaultCode::BadRecord, at, detail).into());
                }
                Sitter::Name(name) => drop(head.players.insert(seat, name)),
                Sitter::Program(ProgramSitter { search }) => {
                    if !(1..=MOST_SIMULATIONS).contains(&search) {
                        let detail = format!("a number from 1 to {MOST_SIMULATIONS} is expected");
                        let at = format!("/players/{}/search", umpire_engine::wire::escaped(&seat));
                        return Err(Fault::new(FaultCode::BadRecord, at, detail).into());
                    }
                    head.players.insert(seat.clone(), format!("search:{search}"));
                    head.programs.insert(seat, search);
                }
            }
        }
        if let (Draws::Tape(_), Some(seat)) = (&head.chance, head.programs.keys().next()) {
            let detail =
                "a program cannot say what falls: where that is entered by hand, people play";
            let at = format!("/players/{}", umpire_engine::wire::escaped(seat));
            return Err(Fault::new(FaultCode::BadRecord, at, detail).into());
        }
        head.ruleset = match ruleset {
            // An unknown one is refused where the game begins.
            Some(ruleset) => ruleset.into_owned(),
            None => game_at_field(&game)?,
        };
        let mut id = [0; 16];
        id.copy_from_slice(&random()?.bytes()[..16]);
        let id = TableId::from_bytes(id);
        let trial = Table::new(id, head.clone(), limits)?;
        let used = trial.live.as_ref().map(|live| live.seats()).unwrap_or_default();
        let token = || tokens::new_token().map_err(ApiError::internal);
        let kept = |token: &str| blake3::hash(token.as_bytes()).to_hex().to_string();
        let (host, _) = token()?;
        head.host = kept(&host);
        let mut seats = BTreeMap::new();
        for seat in used.iter().filter(|seat| !head.programs.contains_key(**seat)) {
            let (token, _) = token()?;
            head.seats.insert((*seat).to_owned(), kept(&token));
            seats.insert((*seat).to_owned(), token);
        }
        if chance.fair {
            if seats.is_empty() {
                let detail = "a fair draw needs a seat that no program plays";
                return Err(Fault::new(FaultCode::BadRecord, "/chance/fair", detail).into());
            }
            head.chance = Draws::Fair(random()?.reveal());
        }
        Ok(Prepared { table: Table::new(id, head, limits)?, host, seats })
    }
}

/// The newest ruleset of the game of that name.
fn game_at_field(name: &str) -> Result<String, ApiError> {
    let unknown = || {
        let known: Vec<&str> = games::GAMES.iter().map(|game| game.meta().id).collect();
        let known = known.join(", ");
        let detail = format!("unknown game {:?}; expected one of {known}", shorten(name));
        Fault::new(FaultCode::UnknownGame, "/game", detail)
    };
    Ok(games::find(name).ok_or_else(unknown)?.meta().ruleset())
}
