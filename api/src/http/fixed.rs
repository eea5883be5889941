//! Responses that stay the same until the program changes: descriptions, rules, files of the pages.
//!
//! Each has an entity tag of its bytes, may be cached for some minutes, and is not sent again to a
//! client that has it. This module must not know what is in a response.

use std::sync::OnceLock;

use actix_web::dev::Payload;
use actix_web::http::header::{self, EntityTag, Header, IfNoneMatch};
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use serde::Serialize;
use umpire_engine::any_game::AnyGame;
use umpire_engine::games::GAMES;

use crate::http::argument::{Here, here};
use crate::http::body::JSON;
use crate::http::contract::{Contract, Demand};
use umpire_referee::json;

/// How long a cache may use such a response without revalidation; a new version of the program may
/// change it.
pub const KEPT: &str = "public, max-age=300";

/// The version of a fixed response that the client already has, by `If-None-Match`.
#[derive(Debug)]
pub struct Fixed(IfNoneMatch);

impl FromRequest for Fixed {
    type Error = crate::http::error::ApiError;
    type Future = Here<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        here(Ok(Fixed(had_by(request))))
    }
}

impl Demand for Fixed {
    fn demand(contract: &mut Contract) {
        contract.cached = true;
    }
}

/// Parses `If-None-Match`. A malformed header matches nothing.
pub fn had_by(request: &HttpRequest) -> IfNoneMatch {
    IfNoneMatch::parse(request).unwrap_or_else(|_| IfNoneMatch::Items(Vec::new()))
}

/// Whether the client has the response with that tag, however it was compressed.
pub fn has_tag(had: &IfNoneMatch, tag: &str) -> bool {
    matches!(had, IfNoneMatch::Items(tags) if tags.iter().any(|it| plain(it) == tag))
}

/// A tag without the suffix that compression adds.
fn plain(tag: &EntityTag) -> &str {
    tag.tag().split_once('-').map_or(tag.tag(), |(plain, _)| plain)
}

impl Fixed {
    /// Responds with a value.
    pub fn json<T: Serialize>(&self, value: &T) -> HttpResponse {
        self.text(JSON, json::text(value))
    }

    /// Responds with a text of that media type.
    pub fn text(&self, kind: &str, text: impl Into<Bytes>) -> HttpResponse {
        self.coded(kind, None, text.into())
    }

    /// Responds with bytes of that media type, and their content coding if any.
    pub fn coded(&self, kind: &str, coding: Option<&'static str>, bytes: Bytes) -> HttpResponse {
        let tag = blake3::hash(&bytes).to_hex().as_str()[..32].to_owned();
        let had = self.0 == IfNoneMatch::Any || has_tag(&self.0, &tag);
        let mut answer = if had { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        answer
            .insert_header((header::ETAG, format!("\"{tag}\"")))
            .insert_header((header::CACHE_CONTROL, KEPT));
        if let Some(coding) = coding {
            answer.insert_header((header::CONTENT_ENCODING, coding));
        }
        match had {
            true => answer.finish(),
            false => answer.content_type(kind).body(bytes),
        }
    }
}

/// A text for each registered game, made when it is first needed.
#[derive(Debug)]
pub struct PerGame {
    texts: OnceLock<Vec<(&'static str, OnceLock<Bytes>)>>,
    make: fn(&'static dyn AnyGame) -> Vec<u8>,
}

impl PerGame {
    /// Texts made by this function.
    pub const fn new(make: fn(&'static dyn AnyGame) -> Vec<u8>) -> Self {
        PerGame { texts: OnceLock::new(), make }
    }

    /// The text for a game.
    pub fn of(&self, game: &'static dyn AnyGame) -> Bytes {
        let id = game.meta().id;
        let empty = || GAMES.iter().map(|game| (game.meta().id, OnceLock::new())).collect();
        let made = || Bytes::from((self.make)(game));
        let slot = self.texts.get_or_init(empty).iter().find(|(known, _)| *known == id);
        slot.map_or_else(made, |(_, text)| text.get_or_init(made).clone())
    }
}
