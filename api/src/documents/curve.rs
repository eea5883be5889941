//! The curve of winning chances, for a terminal and as SVG.
//!
//! This module must not compute a chance; it draws the results of an analysis. The only texts of a
//! record in the picture are the names of seats.

use std::fmt::Write as _;

use serde::Deserialize;
use umpire_engine::analysis::review::{Class, PlyAnalysis, Summary};

use umpire_referee::json;

/// The maximum width of the curve in a terminal, in characters.
const COLUMNS: usize = 100;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The perspective that is drawn: public information.
const DRAWN: &str = "public";

/// The name of the perspective for people.
const SEEN_BY: &str = "from public information";

/// The drawn part of an analysis.
pub struct Drawn {
    ruleset: String,
    last: u32,
    /// Number of simulations per chance.
    budget: u32,
    plies: Vec<Ply>,
}

#[derive(Deserialize)]
struct Ply {
    ply: u32,
    curve: Vec<SeatCurve>,
    decision: Option<Decision>,
}

#[derive(Deserialize)]
struct SeatCurve {
    perspective: String,
    chances: Vec<SeatChance>,
    error: f64,
}

#[derive(Deserialize)]
struct SeatChance {
    player: String,
    chance: f64,
}

#[derive(Deserialize)]
struct Decision {
    player: String,
    class: Option<Class>,
    loss: f64,
}

impl Drawn {
    /// From a fresh analysis.
    pub fn of(summary: &Summary, plies: &[PlyAnalysis]) -> Self {
        let texts: Vec<Vec<u8>> = plies.iter().map(json::text).collect();
        Drawn::read(&json::text(summary), &texts)
    }

    /// From a stored analysis: its summary, and its plies in order. Unreadable plies are left out.
    pub fn read(summary: &[u8], plies: &[impl AsRef<[u8]>]) -> Self {
        #[derive(Deserialize, Default)]
        struct Whole {
            ruleset: String,
            plies: u32,
            budget: u32,
        }
        let whole: Whole = serde_json::from_slice(summary).unwrap_or_default();
        let plies = plies.iter().filter_map(|text| serde_json::from_slice(text.as_ref()).ok());
        Drawn {
            ruleset: whole.ruleset,
            last: whole.plies,
            budget: whole.budget,
            plies: plies.collect(),
        }
    }
}

/// The winning chances of a seat at each ply, with their errors.
struct Line<'a> {
    player: &'a str,
    points: Vec<(u32, f64, f64)>,
}

fn lines(plies: &[Ply]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for ply in plies {
        let Some(seen) = ply.curve.iter().find(|it| it.perspective == DRAWN) else { continue };
        for seat in &seen.chances {
            let point = (ply.ply, seat.chance, seen.error);
            match lines.iter_mut().find(|line| line.player == seat.player) {
                Some(line) => line.points.push(point),
                None => lines.push(Line { player: &seat.player, points: vec![point] }),
            }
        }
    }
    lines
}

/// The mark of a mistake class.
fn mark(class: Class) -> &'static str {
    match class {
        Class::Inaccuracy => "?!",
        Class::Mistake => "?",
        Class::Blunder => "??",
    }
}

/// A line of blocks per seat, and below it the plies at which its decisions lost something.
pub fn text(drawn: &Drawn) -> String {
    let plies = &drawn.plies;
    let mut out = String::new();
    let lines = lines(plies);
    if let Some(line) = lines.first() {
        let squares: f64 = line.points.iter().map(|point| point.2 * point.2).sum();
        let error = (squares / line.points.len().max(1) as f64).sqrt();
        let _ = writeln!(
            out,
            "Chances {SEEN_BY}, {} simulations each, ± {:.0} % (one standard error):",
            drawn.budget,
            (error * 100.0).max(1.0)
        );
    }
    for line in lines {
        let columns = line.points.len().min(COLUMNS);
        let at = |ply: usize| ply * columns / line.points.len().max(1);
        let mut sums = vec![(0.0, 0u32); columns];
        for (number, point) in line.points.iter().enumerate() {
            sums[at(number)].0 += point.1;
            sums[at(number)].1 += 1;
        }
        let blocks: String = sums
            .iter()
            .map(|&(sum, count)| {
                let chance = sum / f64::from(count.max(1));
                BLOCKS[((chance * 8.0) as usize).min(7)]
            })
            .collect();
        let last = line.points.last().map_or(0.0, |point| point.1);
        let first = line.points.first().map_or(0.0, |point| point.1);
        let _ = writeln!(
            out,
            "{:>12} {:3.0} % {blocks} {:3.0} %",
            line.player,
            first * 100.0,
            last * 100.0
        );
        let mut marks = vec![' '; columns];
        let worst = |number: usize| {
            let review = plies.get(number)?.decision.as_ref()?;
            review.class.filter(|_| review.player == line.player)
        };
        let mut classes: Vec<Option<Class>> = vec![None; columns];
        for number in 0..line.points.len() {
            let class = worst(number);
            if class > classes[at(number)] {
                classes[at(number)] = class;
            }
        }
        for (slot, class) in marks.iter_mut().zip(classes) {
            *slot = match class {
                None => ' ',
                Some(Class::Inaccuracy) => '!',
                Some(Class::Mistake) => '?',
                Some(Class::Blunder) => '‽',
            };
        }
        let marks: String = marks.into_iter().collect();
        if !marks.trim().is_empty() {
            let _ = writeln!(out, "{:>18} {}", "", marks.trim_end());
        }
    }
    out
}

const WIDE: f64 = 800.0;
const HIGH: f64 = 300.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 16.0;

/// The curve as a self-contained SVG: for each seat a line with a band of two standard errors, in
/// light or dark mode like the page, with a title and a description for screen readers.
pub fn svg(drawn: &Drawn) -> String {
    let plies = &drawn.plies;
    let lines = lines(plies);
    let last = f64::from(drawn.last.max(1));
    let x = |ply: u32| LEFT + f64::from(ply) / last * WIDE;
    let y = |chance: f64| TOP + (1.0 - chance) * HIGH;
    let mut out = String::new();
    let (width, height) = (LEFT + WIDE + 130.0, TOP + HIGH + 40.0);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-labelledby=\"title desc\">\
<title id=\"title\">Winning chances {SEEN_BY}, {}</title><desc id=\"desc\">{} simulations per chance. ",
        drawn.ruleset, drawn.budget
    );
    for line in &lines {
        if let (Some(first), Some(end)) = (line.points.first(), line.points.last()) {
            let _ = write!(
                out,
                "{}: {:.0} % at the start, {:.0} % after {} actions. ",
                line.player,
                first.1 * 100.0,
                end.1 * 100.0,
                end.0
            );
        }
    }
    out.push_str(STYLE);
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let at = y(share);
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{LEFT:.1} {at:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.0} %</text>",
            LEFT + WIDE,
            LEFT - 6.0,
            at + 4.0,
            share * 100.0
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let class = number % 6;
        let mut band = String::new();
        let edge = |sign: f64, point: &(u32, f64, f64)| {
            (x(point.0), y((point.1 + sign * 2.0 * point.2).clamp(0.0, 1.0)))
        };
        let there = line.points.iter().map(|point| edge(1.0, point));
        let back = line.points.iter().rev().map(|point| edge(-1.0, point));
        for (at, (x, y)) in there.chain(back).enumerate() {
            let _ = write!(band, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
        }
        let mut path = String::new();
        for (at, point) in line.points.iter().enumerate() {
            let (x, y) = (x(point.0), y(point.1));
            let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
        }
        let _ = write!(
            out,
            "<path class=\"band s{class}\" d=\"{band}Z\"/><path class=\"line s{class}\" d=\"{path}\"/>"
        );
        if let Some(end) = line.points.last() {
            let _ = write!(
                out,
                "<text class=\"name s{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x(end.0) + 6.0,
                y(end.1).clamp(TOP + 4.0, TOP + HIGH) + 4.0,
                line.player.replace('_', " ")
            );
        }
        for ply in plies {
            let Some(review) = ply.decision.as_ref().filter(|it| it.player == line.player) else {
                continue;
            };
            let Some(class_of) = review.class else { continue };
            let chance = line.points.iter().find(|point| point.0 == ply.ply).map_or(0.5, |it| it.1);
            let _ = write!(
                out,
                "<g class=\"mark s{class}\"><title>After {} actions: {}, lost {:.2}</title><circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
                ply.ply,
                class_of.name(),
                review.loss,
                x(ply.ply),
                y(chance),
                x(ply.ply),
                y(chance) - 7.0,
                mark(class_of)
            );
        }
    }
    let _ = writeln!(
        out,
        "<text x=\"{LEFT:.1}\" y=\"{:.1}\">0</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} actions</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">Chances {SEEN_BY}, {} simulations each</text></svg>",
        TOP + HIGH + 20.0,
        LEFT + WIDE,
        TOP + HIGH + 20.0,
        drawn.last,
        LEFT + WIDE / 2.0,
        TOP + HIGH + 20.0,
        drawn.budget
    );
    out
}

/// The end of the description, and the styles: the colours can be told apart by colour-blind
/// readers.
const STYLE: &str = "The bands are two standard errors wide.</desc><style>\
svg{background:#fff;color:#1b1b1b;font:12px system-ui,sans-serif}\
text{fill:currentColor}.grid{stroke:currentColor;stroke-opacity:.15;fill:none}\
.line{fill:none;stroke-width:2;stroke:var(--c)}.band{fill:var(--c);fill-opacity:.15;stroke:none}\
.name{fill:var(--c);font-weight:600}.mark circle{fill:var(--c)}\
.s0{--c:#0072b2}.s1{--c:#d55e00}.s2{--c:#009e73}.s3{--c:#cc79a7}.s4{--c:#b07d00}.s5{--c:#5b5b5b}\
@media (prefers-color-scheme:dark){svg{background:#16181c;color:#e8e8e8}\
.s0{--c:#56b4e9}.s1{--c:#ff9a52}.s2{--c:#3ddbab}.s3{--c:#f0a6cf}.s4{--c:#f0e442}.s5{--c:#bdbdbd}}\
</style>";
