//! The schemas of what each side has: [`BySide`](super::BySide) is generic and has none of its own.
//!
//! Must not be used for anything but its schemas.

#![allow(dead_code, reason = "these exist for their schemas")]

use super::parts::{Commitment, Pile};
use umpire_core::wire::Name;

#[derive(utoipa::ToSchema)]
#[schema(as = dragut::Piles)]
pub(crate) struct Piles {
    /// The pirates' cards.
    pirates: Pile,
    /// The Rapalline player's cards.
    rapalline: Pile,
}

#[derive(utoipa::ToSchema)]
#[schema(as = dragut::CardLists)]
pub(crate) struct CardLists {
    /// The pirates' cards.
    pirates: Vec<Name>,
    /// The Rapalline player's cards.
    rapalline: Vec<Name>,
}

#[derive(utoipa::ToSchema)]
#[schema(as = dragut::CardPair)]
pub(crate) struct CardPair {
    /// The pirates' card.
    pirates: Option<Name>,
    /// The Rapalline player's card.
    rapalline: Option<Name>,
}

#[derive(utoipa::ToSchema)]
#[schema(as = dragut::Commitments)]
pub(crate) struct Commitments {
    /// The pirates' choice.
    pirates: Commitment,
    /// The Rapalline player's choice.
    rapalline: Commitment,
}
