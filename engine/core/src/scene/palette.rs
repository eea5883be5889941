//! The colours: muted tints for the ground, the set of Okabe and Ito (2008), which people with any common kind of
//! colour blindness can tell apart, for the sides.
//!
//! Light and dark are two tables; a page takes [`css`], a picture by itself carries it. Colour means a side or a
//! ground and nothing else. This module must not say where a colour is used.

use std::fmt::Write as _;

use super::art::{Art, Shade};
use super::kinds::Tint;

const fn shade(fill: u32, on: u32) -> Shade {
    Shade { fill, on }
}

/// What lies under everything by day, and what is written there.
pub const LIGHT: Shade = shade(0xfcfbf7, INK);
/// The same by night.
pub const DARK: Shade = shade(0x16181b, CHALK);

const INK: u32 = 0x1f2328;
const CHALK: u32 = 0xf1f1ea;
const BLACK: u32 = 0x000000;
const WHITE: u32 = 0xffffff;

/// The shade of a tint by day.
pub const fn light(tint: Tint) -> Shade {
    match tint {
        Tint::Side1 => shade(0xd55e00, BLACK),
        Tint::Side2 => shade(0x0072b2, WHITE),
        Tint::Side3 => shade(0x009e73, BLACK),
        Tint::Side4 => shade(0xf0e442, BLACK),
        Tint::Side5 => shade(0xcc79a7, BLACK),
        Tint::Side6 => shade(0x56b4e9, BLACK),
        Tint::Neutral => shade(0xc9c6bf, BLACK),
        Tint::Ink => shade(INK, WHITE),
        Tint::Faint => shade(0x5f6368, WHITE),
        Tint::Strong => shade(0xb3261e, WHITE),
        Tint::Plain => shade(0xf2efd8, INK),
        Tint::Wood => shade(0xcfe0be, INK),
        Tint::Hill => shade(0xe6d3ae, INK),
        Tint::Mountain => shade(0xd0c8be, INK),
        Tint::Water => shade(0xcfe4f2, INK),
        Tint::Reef => shade(0xb4d2e6, INK),
        Tint::Sand => shade(0xf5e6bc, INK),
        Tint::Town => shade(0xe3c9b8, INK),
        Tint::Wall => shade(0xb9b2a8, INK),
        Tint::Paper => shade(0xfffdf6, INK),
    }
}

/// The shade of a tint by night. The sides stay as they are.
pub const fn dark(tint: Tint) -> Shade {
    match tint {
        Tint::Ink => shade(CHALK, 0x16181b),
        Tint::Faint => shade(0xa8adb3, 0x16181b),
        Tint::Strong => shade(0xff8a7a, 0x16181b),
        Tint::Plain => shade(0x3a3a2c, CHALK),
        Tint::Wood => shade(0x2c3d28, CHALK),
        Tint::Hill => shade(0x463a26, CHALK),
        Tint::Mountain => shade(0x44403b, CHALK),
        Tint::Water => shade(0x1e3443, CHALK),
        Tint::Reef => shade(0x27465a, CHALK),
        Tint::Sand => shade(0x4a4327, CHALK),
        Tint::Town => shade(0x4b382e, CHALK),
        Tint::Wall => shade(0x55504a, CHALK),
        Tint::Paper => shade(0x23262a, CHALK),
        _ => light(tint),
    }
}

/// The style sheet of pictures: the colours as variables for day and night, those of games with colours of their own
/// too, and what the classes of the SVG writer look like. A page that shows pictures includes it once.
pub fn css(arts: impl IntoIterator<Item = &'static Art>) -> String {
    let mut out = String::new();
    themed(&mut out, "", Tint::ALL, None);
    for art in arts {
        let own: Vec<Tint> = art.colours.iter().map(|(tint, _)| *tint).collect();
        themed(&mut out, &format!("[data-art={}]", art.name), &own, Some(art));
    }
    rules(&mut out);
    out
}

/// The style sheet that a picture by itself carries.
pub(super) fn css_of(art: Option<&Art>) -> String {
    let mut out = String::new();
    themed(&mut out, "", Tint::ALL, art);
    rules(&mut out);
    out
}

/// What the classes look like.
fn rules(out: &mut String) {
    for tint in Tint::ALL {
        let name = tint.name();
        let _ = write!(
            out,
            ".f-{name}{{fill:var(--{name})}}.o-{name}{{fill:var(--{name}-on)}}\
             .s-{name}{{stroke:var(--{name})}}.p-{name}{{stroke:var(--{name}-on)}}\
             .e-{name}{{--over:var(--{name}-on);--under:var(--{name})}}\
             .b-{name}{{--over:var(--{name});--under:var(--ground)}}"
        );
    }
    out.push_str(RULES);
}

/// The variables by day and by night of the pictures that a selector means.
fn themed(out: &mut String, which: &str, tints: &[Tint], art: Option<&Art>) {
    let [day, night] = [false, true].map(|night| {
        let (shared, ground) =
            if night { (dark as fn(Tint) -> Shade, DARK) } else { (light as _, LIGHT) };
        let ground = art.map_or(ground, |art| art.ground[usize::from(night)]);
        let own = |tint| art.and_then(|art| art.shade(tint, night));
        variables(tints, ground, |tint| own(tint).unwrap_or_else(|| shared(tint)))
    });
    let _ = write!(
        out,
        ".scene{which}{{{day}}}@media (prefers-color-scheme:dark){{\
         .scene{which}:not([data-theme=light]){{{night}}}}}.scene{which}[data-theme=dark]{{{night}}}"
    );
}

/// What the classes look like besides their colours.
const RULES: &str = "\
.scene{background:var(--ground);color:var(--ground-on);font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-variant-numeric:tabular-nums}\
:where(.scene text){fill:var(--ground-on);text-anchor:middle}\
.scene .start{text-anchor:start}.scene .end{text-anchor:end}\
.ground{fill:var(--ground)}\
.edge{stroke:var(--ground-on);stroke-width:1.2;stroke-linejoin:round}\
.rim{stroke:var(--ground-on);stroke-opacity:.35;stroke-width:1}\
.none{fill:none}\
.glyph,[class^=e-],[class^=b-]{fill:none;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}\
.soft{stroke-opacity:.45;fill-opacity:.45}.thin{stroke-width:1;stroke-opacity:.75}\
[class^=e-],[class^=b-]{stroke:var(--over)}\
.over{fill:var(--over);stroke:none}.under{fill:var(--under);stroke:none}\
.line,.groove,.hair{fill:none;stroke:var(--over);stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}.groove{stroke:var(--under)}.hair{stroke-width:.8}\
.shadow{fill:#000;fill-opacity:.28}.gloss{fill:none;stroke:#fff;stroke-opacity:.35;stroke-width:1.6}\
.solid,.dotted,.dashed,.broad,.arrow,.fine,.beads{fill:none;stroke-linecap:round;stroke-linejoin:round}\
.solid{stroke-width:3}.dotted{stroke-width:3;stroke-dasharray:.1 7}.dashed{stroke-width:2.4;stroke-dasharray:7 6}\
.fine{stroke-width:1;stroke-opacity:.45}.beads{stroke-width:5;stroke-dasharray:.1 13}\
.broad{stroke-width:5;stroke-opacity:.8}.arrow{stroke-width:4;stroke-opacity:.9}\
.mark{fill:none;stroke-width:3.4}.mark.from{stroke-dasharray:5 5}\
.mark.target{stroke-dasharray:2 5;stroke-linecap:round}\
.bold{font-weight:600}\
.scene .halo{paint-order:stroke;stroke:var(--ground);stroke-width:3.6;stroke-linejoin:round;stroke-opacity:.75}\
[data-choice]{cursor:pointer}\
";

fn variables(tints: &[Tint], ground: Shade, of: impl Fn(Tint) -> Shade) -> String {
    let mut out = format!("--ground:#{:06x};--ground-on:#{:06x}", ground.fill, ground.on);
    for tint in tints {
        let Shade { fill, on } = of(*tint);
        let name = tint.name();
        let _ = write!(out, ";--{name}:#{fill:06x};--{name}-on:#{on:06x}");
    }
    out
}
