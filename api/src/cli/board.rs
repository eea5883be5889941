//! `umpire board`: what a game looks like, as a picture or in characters.
//!
//! This module must not draw anything: the engine does.

use std::io::IsTerminal;

use clap::{Args, ValueEnum};
use umpire_engine::scene::{svg, text};

use super::shared::{Exit, Input, limits, pretty, print, query, read, unanswered};
use super::words::voice;
use crate::error::ApiError;
use crate::referee;

/// What to draw.
#[derive(Args, Debug)]
pub(super) struct Board {
    #[command(flatten)]
    input: Input,
    /// Who looks: referee, spectator, or a seat.
    #[arg(long, value_name = "NAME", default_value = "referee")]
    viewer: String,
    /// Draw it after this many actions; at the last good ply where it is left out.
    #[arg(long, value_name = "NUMBER")]
    ply: Option<u32>,
    /// Draw in characters, at most 100 columns wide; so it is on a terminal, too.
    #[arg(long, conflicts_with = "svg")]
    text: bool,
    /// Write an SVG even on a terminal.
    #[arg(long)]
    svg: bool,
    /// Mark what can be chosen: the shapes that mean a legal action which the viewer may see.
    #[arg(long)]
    targets: bool,
    /// When characters are coloured.
    #[arg(long, value_enum, default_value = "auto")]
    colour: Colour,
    /// The colours of the SVG.
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
    /// As whoever looks has set.
    Auto,
    Light,
    Dark,
}

/// Draws the board.
pub(super) fn run(args: &Board) -> Result<Exit, String> {
    let text = read(&args.input.file)?;
    match answer(args, &text) {
        Ok((out, exit)) => print(out.as_bytes()).map(|()| exit),
        Err(error) => unanswered(&error, &args.input),
    }
}

fn answer(args: &Board, record: &[u8]) -> Result<(String, Exit), ApiError> {
    let terminal = std::io::stdout().is_terminal();
    referee::with_record(record, |submission| {
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
