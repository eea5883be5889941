//! `umpire board`: draws the board as an SVG or as text.
//!
//! This module must not draw anything: the engine does.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use umpire_engine::scene::{svg, text};

use super::shared::{Exit, Input, limits, pretty, print_painted, query, read, unanswered};
use super::words::voice;
use umpire_referee::problem::Problem;
use umpire_referee::reading;

/// What to draw.
#[derive(Args, Debug)]
pub(super) struct Board {
    #[command(flatten)]
    input: Input,
    /// The viewer: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// Draw the board after this many actions; by default at the last legal state.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Draw with characters, at most 100 columns wide; this is the default on a terminal.
    #[arg(long, conflicts_with = "svg")]
    text: bool,
    /// Print an SVG even on a terminal.
    #[arg(long)]
    svg: bool,
    /// Mark the shapes that belong to legal actions visible to the viewer.
    #[arg(long)]
    targets: bool,
    /// When to colour text output.
    #[arg(long, value_enum, default_value = "auto")]
    colour: Colour,
    /// The colour theme of the SVG.
    #[arg(long, value_enum, default_value = "auto")]
    theme: Theme,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Theme {
    /// As the viewing program prefers.
    Auto,
    Light,
    Dark,
}

/// Draws the board.
pub(super) fn run(args: &Board) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print_painted(&out).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Board, record: &[u8]) -> Result<(String, Exit), Problem> {
    let terminal = std::io::stdout().is_terminal();
    reading::with_record(record, |submission| {
        let mut query = query(submission.game, &args.viewer, args.ply)?;
        query.limits = limits();
        let mut depicted = submission.depict(&query, args.targets)?;
        voice(submission.game).scene(&mut depicted.scene);
        let exit = Exit::from(depicted.status);
        let out = if args.input.json {
            pretty(&depicted)
        } else if args.text || (terminal && !args.svg) {
            let colours = match args.colour {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
            };
            text::write(&depicted.scene, colours)
        } else {
            let theme = match args.theme {
                Theme::Auto => svg::Theme::Auto,
                Theme::Light => svg::Theme::Light,
                Theme::Dark => svg::Theme::Dark,
            };
            svg::write(&depicted.scene, svg::Options { theme, ..svg::Options::default() })
        };
        Ok((out, exit))
    })
}
