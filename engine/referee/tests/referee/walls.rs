//! What the crate must not depend on, and who must not depend on the service.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

fn cargo(arguments: &[&str]) -> String {
    let told = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--locked")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8(told.stdout).expect("cargo writes UTF-8")
}

/// The names of everything that a package is built from for a target, itself included; not what
/// runs on the machine that builds, nor what its tests need.
fn parts(package: &str, target: &str) -> BTreeSet<String> {
    let tree = cargo(&[
        "tree",
        "--package",
        package,
        "--target",
        target,
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The packages that bring code of another language, and those that ask an operating system.
fn bound() -> BTreeSet<String> {
    const SYSTEM: [&str; 9] = [
        "actix-web",
        "getrandom",
        "libc",
        "mio",
        "nix",
        "rustix",
        "socket2",
        "tokio",
        "windows-sys",
    ];
    // It says only that there may be one of them.
    const ALONE: [&str; 1] = ["rayon-core"];
    let all: Value = serde_json::from_str(&cargo(&["metadata", "--format-version", "1"]))
        .expect("cargo writes JSON");
    let packages = all["packages"].as_array().expect("the packages");
    let linked = packages.iter().filter(|it| !it["links"].is_null());
    let linked = linked.filter_map(|it| it["name"].as_str()).filter(|name| !ALONE.contains(name));
    linked.chain(SYSTEM).map(str::to_owned).collect()
}

#[test]
fn the_referee_needs_nothing_that_a_browser_does_not_have() {
    let parts = parts("umpire-referee", "wasm32-unknown-unknown");
    assert!(parts.contains("umpire-core") && parts.contains("serde_json"), "{parts:?}");
    assert!(!parts.contains("umpire-api"));
    let bound = bound();
    let found: Vec<_> = parts.intersection(&bound).collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(bound.contains("libsqlite3-sys"), "{bound:?}");
}

#[test]
fn the_python_package_does_not_link_the_service() {
    let parts = parts("umpire-python", "x86_64-unknown-linux-gnu");
    assert!(parts.contains("umpire-referee") && parts.contains("pyo3"), "{parts:?}");
    for service in ["umpire-api", "actix-web", "rusqlite"] {
        assert!(!parts.contains(service), "{service}");
    }
}
