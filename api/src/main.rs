//! The `umpire` command. Everything is in the library; this file must hold no logic.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A request makes some hundred small things and drops them: a fifth of its time went into that.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    umpire_api::cli::main()
}
