//! A.5: the cards of both decks.
//!
//! Must hold nothing but data.

use super::name;
use crate::action::Side;
use crate::setup::data::{CardData, EffectData, Life};

/// A row of the card table: id, name, side, copies, life, effect, source.
type CardRow = (&'static str, &'static str, Side, u8, Life, EffectData, &'static str);

use EffectData::{Alarm, PirateTrailCost, PlaceReserve, Pool, SendCost, UnitLimit};
use Side::{Pirates, Rapalline};

/// A.5: both decks, ten cards each. The order is the canonical order of draws.
#[rustfmt::skip]
const DECKS: [CardRow; 13] = [
    ("campana", "Campana", Rapalline, 2, Life::Returns, Alarm { steps: 1 }, "name, effect rb §3.1; copies, life recon"),
    ("oche_di_rapallo", "Oche di Rapallo", Rapalline, 1, Life::Once, Alarm { steps: 1 }, "name, effect rb §3.1; copies, life recon"),
    ("animo", "Animo, Rapallini!", Rapalline, 2, Life::Returns, Pool { side: Rapalline, points: 1 }, "recon (rb §3)"),
    ("mare_grosso", "Mare grosso", Rapalline, 1, Life::Once, Pool { side: Pirates, points: -1 }, "recon (rb en §3)"),
    ("giorgio_devoto", "Giorgio Devoto", Rapalline, 1, Life::Once, PlaceReserve {}, "recon; name S5"),
    ("gambe_in_spalla", "Gambe in spalla", Rapalline, 2, Life::Returns, UnitLimit { side: Rapalline, points: 1 }, "recon (rb §4)"),
    ("porte_sbarrate", "Porte sbarrate", Rapalline, 1, Life::Once, UnitLimit { side: Pirates, points: -1 }, "recon (rb §4)"),
    ("buonanotte", "Buonanotte!", Pirates, 2, Life::Returns, Alarm { steps: -1 }, "name, direction rb §3.1; amount recon"),
    ("mamma_li_turchi", "Mamma li turchi", Pirates, 2, Life::Returns, UnitLimit { side: Rapalline, points: -1 }, "name rb §3; effect rb it §3; side, amount recon (DRG-R41)"),
    ("vento_in_poppa", "Vento in poppa", Pirates, 2, Life::Returns, Pool { side: Pirates, points: 1 }, "recon (rb §3)"),
    ("panico", "Panico", Pirates, 1, Life::Once, Pool { side: Rapalline, points: -1 }, "recon (rb en §3)"),
    ("guida", "La guida del Rinnegato", Pirates, 2, Life::Returns, PirateTrailCost { cost: 1 }, "recon (rb §3)"),
    ("scialuppe", "Scialuppe a riva", Pirates, 1, Life::Once, SendCost { cost: 1 }, "recon"),
];

/// The cards of A.5.
pub(crate) fn cards() -> Vec<CardData> {
    let card = |&(id, title, side, copies, life, effect, source): &CardRow| CardData {
        id: name(id),
        name: Some(title.to_owned()),
        side,
        copies,
        life,
        effects: vec![effect],
        source: Some(source.to_owned()),
    };
    DECKS.iter().map(card).collect()
}
