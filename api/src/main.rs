//! The `umpire` command. Everything is in the library; this file must hold no logic.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A request makes hundreds of small allocations; a fifth of its time went into them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    umpire_api::cli::main()
}
