//! The `umpire` command. Everything is in the library; this file must hold no logic.

use std::process::ExitCode;

fn main() -> ExitCode {
    umpire_api::cli::main()
}
