//! A.2: the areas of the map and their links.
//!
//! Must hold nothing but data.

use super::{name, names};
use crate::setup::data::{AreaData, AreaKind};

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
/// name; kinds, links and coastal flags are `recon`, except that the three landings of `rb §0` are
/// coastal.
#[rustfmt::skip]
const MAP: [AreaRow; 31] = [
    ("porta_saline", "Porta delle Saline", Town, true, &["imbarcadero", "santi_gervasio", "corte"], &["saline"], "rb §0; S2"),
    ("imbarcadero", "Imbarcadero", Town, true, &["porta_saline", "fondaci", "corte"], &[], "rb §0; S5"),
    ("fondaci", "Fondaci", Town, false, &["imbarcadero", "piazza_da_basso", "carruggio"], &[], "S4"),
    ("piazza_da_basso", "Piazza da basso", Town, false, &["fondaci", "rolecca", "porta_san_francesco"], &[], "S9"),
    ("stella", "Quartiere della Stella", Town, true, &["nagge", "porta_san_francesco", "san_francesco"], &[], "S5"),
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
    ("saline", "Le Saline", Countryside, true, &[], &["porta_saline", "ponte_bolago", "orti"], "S4"),
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

/// The landing places that both books name (A.2); `dragut@1` knows no other coast.
const LANDINGS: [&str; 3] = ["porta_saline", "imbarcadero", "nagge"];
/// The towns outside the five gates (A.2).
const OUTSIDE_THE_GATES: [&str; 3] = ["stella", "nagge", "san_francesco"];

/// The map of A.2 in a version of the ruleset.
pub(crate) fn map(version: u32) -> Vec<AreaData> {
    let area = |&(id, title, kind, coastal, roads, trails, source): &AreaRow| AreaData {
        id: name(id),
        name: Some(title.to_owned()),
        kind,
        coastal: coastal && (version > 1 || LANDINGS.contains(&id)),
        landing: LANDINGS.contains(&id),
        borough: kind == Town && !OUTSIDE_THE_GATES.contains(&id),
        roads: names(roads),
        trails: names(trails),
        touches: Vec::new(),
        source: Some(source.to_owned()),
    };
    MAP.iter().map(area).collect()
}
