//! The data of the game, each with its source: map, units, alarm track, cards, constants.
//!
//! Sources: `rb` is the rulebook (both editions), `rb en` and `rb it` one edition, `S1` to `S14`
//! a public page of [`PAGES`], `recon` a reconstruction. An owner of the printed game may bring
//! corrected data in a record's options; [`super::setup`] checks them. This module must hold
//! nothing but data, and a record's data take its place, never mix with it.

use serde::{Deserialize, Serialize};

use umpire_core::wire::{Name, present};

/// The two sides; also the seats, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Side))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The pirates, green.
    Pirates,
    /// The townspeople, blue.
    Rapalline,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Side; 2] = [Side::Pirates, Side::Rapalline];

    /// The name on the wire and on tapes.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Pirates => "pirates",
            Side::Rapalline => "rapalline",
        }
    }

    /// The other one.
    pub const fn other(self) -> Side {
        match self {
            Side::Pirates => Side::Rapalline,
            Side::Rapalline => Side::Pirates,
        }
    }

    /// The index in arrays of both.
    pub const fn at(self) -> usize {
        self as usize
    }
}

/// The kind of an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::AreaKind))]
#[serde(rename_all = "snake_case")]
pub enum AreaKind {
    /// Houses: roads join two towns.
    Town,
    /// Fields and slopes.
    Countryside,
    /// The way out.
    Hill,
}

impl AreaKind {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            AreaKind::Town => "town",
            AreaKind::Countryside => "countryside",
            AreaKind::Hill => "hill",
        }
    }
}

/// An area of the map. A link is given from both of its ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Area))]
#[serde(deny_unknown_fields)]
pub struct AreaData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// The kind.
    pub kind: AreaKind,
    /// Whether pirates may land here.
    #[serde(default)]
    pub coastal: bool,
    /// The areas that a road leads to.
    #[serde(default)]
    pub roads: Vec<Name>,
    /// The areas that a trail leads to.
    #[serde(default)]
    pub trails: Vec<Name>,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

/// What a unit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::UnitKind))]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// Dragut.
    Dragut,
    /// A pirate.
    Pirate,
    /// The Renegade.
    Renegade,
    /// Bartolomeo Maggiocco.
    Bartolomeo,
    /// Giulia Giudice.
    Giulia,
    /// The mayor.
    Mayor,
    /// The priest.
    Priest,
    /// The Arquebusier.
    Arquebusier,
    /// A soldier.
    Soldier,
    /// Boys.
    Boys,
    /// Men.
    Men,
    /// Women.
    Women,
}

impl UnitKind {
    /// The side of such a unit.
    pub const fn side(self) -> Side {
        match self {
            UnitKind::Dragut | UnitKind::Pirate | UnitKind::Renegade => Side::Pirates,
            _ => Side::Rapalline,
        }
    }
}

/// Where a unit begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Start))]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Aboard the galleys.
    AtSea,
    /// Beside the map, a replacement.
    Aside,
    /// In a town, by the Rapalline player's choice.
    Deployed,
    /// Held back.
    Reserve,
}

/// A unit counter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Unit))]
#[serde(deny_unknown_fields)]
pub struct UnitData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// What it is; it decides the side.
    pub kind: UnitKind,
    /// The combat value; none for the Arquebusier, the greater one for Bartolomeo.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, maximum = 20))]
    pub value: Option<u8>,
    /// Bartolomeo's lesser value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false, maximum = 20))]
    pub lesser_value: Option<u8>,
    /// Where it begins.
    pub start: Start,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

/// What becomes of a card after use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Life))]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// It leaves the game.
    Once,
    /// It goes back into its deck.
    Returns,
}

/// One effect of a card, for the turn in which it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Effect))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EffectData {
    /// The alarm moves on reveal.
    Alarm {
        /// Cases up, or down if negative.
        steps: i8,
    },
    /// The pool of a side changes.
    Pool {
        /// Whose pool.
        side: Side,
        /// Points more, or fewer if negative.
        points: i8,
    },
    /// The limit of every unit of a side changes.
    UnitLimit {
        /// Whose units.
        side: Side,
        /// Points more, or fewer if negative.
        points: i8,
    },
    /// Every pirate unit pays this on trails.
    PirateTrailCost {
        /// Points.
        cost: u8,
    },
    /// Each send costs this.
    SendCost {
        /// Points.
        cost: u8,
    },
    /// The Soldier in reserve enters at the start of the Rapalline phase.
    PlaceReserve {},
}

/// A kind of card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = dragut::Card))]
#[serde(deny_unknown_fields)]
pub struct CardData {
    /// The id: lower-case letters, digits and `_`, at most 24.
    pub id: Name,
    /// The name for people; the id where it is left out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub name: Option<String>,
    /// Whose deck it is in.
    pub side: Side,
    /// Number of copies.
    pub copies: u8,
    /// What becomes of it after use.
    pub life: Life,
    /// What it does.
    pub effects: Vec<EffectData>,
    /// Where the datum is from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

/// Units, at most (A.1).
pub const UNITS: usize = 24;
/// Areas, at most.
pub const AREAS: usize = 32;
/// Kinds of cards per deck, at most.
pub const KINDS: usize = 12;
/// Cards per deck, at most.
pub const CARDS: usize = 24;
/// Cases of the alarm track, at most.
pub const CASES: usize = 16;
/// Any other number of the data, at most.
pub const NUMBER: u8 = 20;
/// The Arquebusier's reduction, and the value below which nothing is left of a pirate (DRG-6.8).
/// It goes with the counters 6, 4 and 2 and is therefore no correctable constant.
pub const REDUCTION: u8 = 2;

/// The public pages that the sources name.
pub const PAGES: &[(&str, &str)] = &[
    ("S1", "lumacagames.altervista.org/dragut.html"),
    ("S2", "hellorapallo.it/cosa-vedere/porta-delle-saline"),
    ("S3", "parcoportofino.it/montallegro/la-storia-del-sentiero.html"),
    ("S4", "sergio2017.it/codadilupo/mare/rap2.htm"),
    ("S5", "sergio2017.it/codadilupo/mare/castello.htm; januapress.it/liguria_2 p. 71"),
    ("S6", "hellorapallo.it/cosa-vedere/ponte-di-annibale"),
    ("S7", "docslib.org/doc/3672558; it.wikipedia.org/wiki/Chiesa_di_San_Francesco_(Rapallo)"),
    ("S8", "welcometigullio.it/?p=507"),
    ("S9", "gazzettadisanta.eu/articoli/st_230604.html"),
    ("S10", "amezena.net/?p=6278"),
    ("S11", "rapallooutdoor.it/2018/05/14; portofinotrek.com (itineraries 46, 97)"),
    ("S12", "hellorapallo.it/en/my-rapallo/rapallo-of-sestieri/cerisola"),
    ("S13", "rapallooutdoor.it/2019/07/04"),
    ("S14", "sestiereseglio.org (sestieri page); it.wikipedia.org/wiki/Sestieri_(Rapallo)"),
];

/// A row of the area table: id, name, kind, coastal, roads, trails, source of the name.
type AreaRow = (
    &'static str,
    &'static str,
    AreaKind,
    bool,
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

use AreaKind::{Countryside, Hill, Town};

/// A.2: 18 towns, 8 countryside areas, 5 hills, 27 roads, 21 trails. The source is that of the
/// name; kinds, links and coastal flags are `recon`, except that the three coastal areas are the
/// three landings of `rb §0`.
#[rustfmt::skip]
const MAP: [AreaRow; 31] = [
    ("porta_saline", "Porta delle Saline", Town, true, &["imbarcadero", "santi_gervasio", "corte"], &["saline"], "rb §0; S2"),
    ("imbarcadero", "Imbarcadero", Town, true, &["porta_saline", "fondaci", "corte"], &[], "rb §0; S5"),
    ("fondaci", "Fondaci", Town, false, &["imbarcadero", "piazza_da_basso", "carruggio"], &[], "S4"),
    ("piazza_da_basso", "Piazza da basso", Town, false, &["fondaci", "rolecca", "porta_san_francesco"], &[], "S9"),
    ("stella", "Quartiere della Stella", Town, false, &["nagge", "porta_san_francesco", "san_francesco"], &[], "S5"),
    ("nagge", "Nagge", Town, true, &["stella"], &["seglio"], "rb §0; S5"),
    ("santi_gervasio", "Santi Gervasio e Protasio", Town, false, &["porta_saline", "corte", "porta_orti", "torre_civica"], &[], "S2"),
    ("corte", "Palazzo della Corte", Town, false, &["porta_saline", "imbarcadero", "santi_gervasio", "carruggio"], &[], "S4, S8"),
    ("carruggio", "Carruggio", Town, false, &["fondaci", "corte", "rolecca", "santo_stefano"], &[], "recon"),
    ("rolecca", "Rolecca", Town, false, &["piazza_da_basso", "carruggio", "porta_san_francesco", "ospedale", "porta_molinello"], &[], "S2"),
    ("porta_san_francesco", "Porta di San Francesco", Town, false, &["piazza_da_basso", "stella", "rolecca", "san_francesco"], &[], "S3"),
    ("san_francesco", "San Francesco", Town, false, &["stella", "porta_san_francesco"], &["borzoli"], "S7"),
    ("porta_orti", "Porta degli Orti", Town, false, &["santi_gervasio", "torre_civica"], &["orti"], "S2, S3"),
    ("torre_civica", "Torre civica", Town, false, &["santi_gervasio", "porta_orti", "santo_stefano"], &[], "S8"),
    ("santo_stefano", "Pieve di Santo Stefano", Town, false, &["carruggio", "torre_civica", "ospedale"], &[], "S8"),
    ("ospedale", "Ospedale di Sant'Antonio", Town, false, &["rolecca", "santo_stefano", "porta_molinello", "porta_santantonio"], &[], "S8"),
    ("porta_molinello", "Porta del Molinello", Town, false, &["rolecca", "ospedale"], &["fossato_monti"], "S2, S3"),
    ("porta_santantonio", "Porta di Sant'Antonio", Town, false, &["ospedale"], &["sant_agostino"], "S2, S3"),
    ("saline", "Le Saline", Countryside, false, &[], &["porta_saline", "ponte_bolago", "orti"], "S4"),
    ("ponte_bolago", "Ponte del Bolago", Countryside, false, &[], &["saline", "orti", "san_nicola"], "S6"),
    ("orti", "Gli Orti", Countryside, false, &[], &["porta_orti", "saline", "ponte_bolago", "sant_agostino", "san_massimo"], "S2, S3"),
    ("sant_agostino", "Sant'Agostino", Countryside, false, &[], &["porta_santantonio", "orti", "cerisola", "san_massimo"], "S3, S8"),
    ("cerisola", "Cerisola", Countryside, false, &[], &["sant_agostino", "fossato_monti", "crocetta"], "S12"),
    ("fossato_monti", "Fossato di Monti", Countryside, false, &[], &["porta_molinello", "cerisola", "borzoli", "crocetta"], "S2, S7"),
    ("borzoli", "Borzoli", Countryside, false, &[], &["san_francesco", "fossato_monti", "seglio", "monte_letho"], "S3, S14"),
    ("seglio", "Seglio", Countryside, false, &[], &["nagge", "borzoli", "sant_ambrogio"], "S11, S14"),
    ("san_nicola", "Colle San Nicola", Hill, false, &[], &["ponte_bolago"], "S4"),
    ("san_massimo", "San Massimo", Hill, false, &[], &["orti", "sant_agostino"], "S14"),
    ("crocetta", "La Crocetta", Hill, false, &[], &["cerisola", "fossato_monti"], "S3"),
    ("monte_letho", "Monte Letho", Hill, false, &[], &["borzoli"], "S10"),
    ("sant_ambrogio", "Sant'Ambrogio", Hill, false, &[], &["seglio"], "S11"),
];

/// A row of the unit table: id, name, kind, value, lesser value, start, source.
type UnitRow = (&'static str, &'static str, UnitKind, Option<u8>, Option<u8>, Start, &'static str);

/// A.1: 24 counters. The seven of the pirates come first, and theirs is the only order that is
/// fixed: see [`PIRATES`].
#[rustfmt::skip]
const COUNTERS: [UnitRow; UNITS] = [
    ("dragut_6", "Dragut", UnitKind::Dragut, Some(6), None, Start::AtSea, "rb §1, §2"),
    ("dragut_4", "Dragut (4)", UnitKind::Dragut, Some(4), None, Start::Aside, "rb en §2.1"),
    ("pirate_4a", "Pirate 4a", UnitKind::Pirate, Some(4), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_4b", "Pirate 4b", UnitKind::Pirate, Some(4), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_2a", "Pirate 2a", UnitKind::Pirate, Some(2), None, Start::AtSea, "rb it §2.2a"),
    ("pirate_2b", "Pirate 2b", UnitKind::Pirate, Some(2), None, Start::Aside, "rb en §2.1"),
    ("renegade", "the Renegade", UnitKind::Renegade, Some(2), None, Start::AtSea, "rb §1"),
    ("bartolomeo", "Bartolomeo", UnitKind::Bartolomeo, Some(5), Some(3), Start::Deployed, "rb §1.12"),
    ("giulia", "Giulia", UnitKind::Giulia, Some(1), None, Start::Deployed, "rb §1"),
    ("mayor", "the Mayor", UnitKind::Mayor, Some(1), None, Start::Deployed, "rb §1"),
    ("priest", "the Priest", UnitKind::Priest, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("arquebusier", "the Arquebusier", UnitKind::Arquebusier, None, None, Start::Deployed, "rb §1.14; count recon"),
    ("soldier_a", "Soldier a", UnitKind::Soldier, Some(3), None, Start::Deployed, "value rb §2.1; count recon"),
    ("soldier_b", "Soldier b", UnitKind::Soldier, Some(3), None, Start::Reserve, "value, held back rb §2.1; count recon"),
    ("boys_1", "Boys 1", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("boys_2", "Boys 2", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("boys_3", "Boys 3", UnitKind::Boys, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_1", "Men 1", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_2", "Men 2", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("men_3", "Men 3", UnitKind::Men, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_1", "Women 1", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_2", "Women 2", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_3", "Women 3", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
    ("women_4", "Women 4", UnitKind::Women, Some(1), None, Start::Deployed, "value rb §1; count recon"),
];

/// The counters of the pirates (DRG-2.7): id, value, start. Both editions together fix them, so
/// corrected data must bring just these, in this order, in front.
pub const PIRATES: usize = 7;

/// A.3: the value of each case and its source.
const TRACK: [(u8, &str); 7] = [
    (2, "rb §2"),
    (3, "recon"),
    (3, "recon"),
    (4, "recon"),
    (4, "recon"),
    (5, "recon"),
    (6, "recon"),
];

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

macro_rules! constants {
    ($( $(#[$doc:meta])* $field:ident = $value:literal, $source:literal; )*) => {
        /// A.4: the numbers of the rules.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Constants {
            $( $(#[$doc])* pub $field: u8, )*
        }

        impl Constants {
            /// Those of the document.
            pub const OURS: Constants = Constants { $( $field: $value ),* };
            /// Their names and sources, in order.
            pub const SOURCES: &'static [(&'static str, &'static str)] =
                &[ $( (stringify!($field), $source) ),* ];

            /// The values, in the order of [`Constants::SOURCES`].
            pub fn values(&self) -> Vec<u8> {
                vec![ $( self.$field ),* ]
            }

            /// These, with what a record corrects.
            #[must_use]
            pub fn corrected(mut self, by: &ConstantsData) -> Constants {
                $( self.$field = by.$field.unwrap_or(self.$field); )*
                self
            }
        }

        /// Corrected numbers of the rules; one left out keeps its value.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "schema", schema(as = dragut::Constants))]
        #[serde(deny_unknown_fields)]
        pub struct ConstantsData {
            $(
                $(#[$doc])*
                #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
                #[cfg_attr(feature = "schema", schema(nullable = false, minimum = 1, maximum = 20))]
                pub $field: Option<u8>,
            )*
        }
    };
}

constants! {
    /// Pirate points per turn.
    pirate_points = 3, "rb §3.2";
    /// Points per unit per turn.
    unit_points = 2, "rb §4";
    /// Landing.
    landing = 1, "rb §2, §5.2";
    /// A road, any unit.
    road = 1, "rb §5.2";
    /// A trail, Rapalline units and the Renegade.
    trail_light = 1, "rb §5.2";
    /// A trail, other pirates.
    trail_heavy = 2, "rb §5.2";
    /// Entering a hill.
    hill = 1, "recon (DRG-R35)";
    /// Raising the alarm.
    raise_alarm = 2, "rb §4.1";
    /// Sending a captive to the Serraglio.
    send = 2, "rb §4.2";
    /// Cards of the starting hand.
    starting_hand = 3, "rb §3.3";
    /// The target.
    target = 7, "rb §7";
    /// The target once Giulia has fled.
    target_giulia_fled = 8, "rb §7";
}

fn name(text: &str) -> Name {
    // Every id above is shorter than a name may be; a test reads them all.
    Name::new(text).unwrap_or_default()
}

fn names(ids: &[&str]) -> Vec<Name> {
    ids.iter().map(|id| name(id)).collect()
}

/// The map of A.2.
pub fn map() -> Vec<AreaData> {
    let area = |&(id, title, kind, coastal, roads, trails, source): &AreaRow| AreaData {
        id: name(id),
        name: Some(title.to_owned()),
        kind,
        coastal,
        roads: names(roads),
        trails: names(trails),
        source: Some(source.to_owned()),
    };
    MAP.iter().map(area).collect()
}

/// The units of A.1.
pub fn units() -> Vec<UnitData> {
    let unit = |&(id, title, kind, value, lesser_value, start, source): &UnitRow| UnitData {
        id: name(id),
        name: Some(title.to_owned()),
        kind,
        value,
        lesser_value,
        start,
        source: Some(source.to_owned()),
    };
    COUNTERS.iter().map(unit).collect()
}

/// The alarm track of A.3: value and source per case.
pub fn alarm_track() -> Vec<(u8, String)> {
    TRACK.iter().map(|&(points, source)| (points, source.to_owned())).collect()
}

/// The cards of A.5.
pub fn cards() -> Vec<CardData> {
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
