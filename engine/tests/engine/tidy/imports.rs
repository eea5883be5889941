//! Which file of a crate uses which other, read from its `use` lines and paths.
//!
//! A reader of text, not of Rust: it knows `use` trees, paths that begin with `crate`, `super` or
//! `self`, and paths that begin with a child module. It must not know any crate.

use std::collections::{BTreeMap, BTreeSet};

/// The modules of a crate: their path from the root, and the code of their file without comments
/// and unit tests.
pub(super) type Modules = BTreeMap<Vec<String>, String>;

/// The module of a file, by its path below `src`; nothing for the root of the crate.
pub(super) fn module_of(path: &str) -> Option<Vec<String>> {
    let path = path.strip_suffix(".rs")?;
    if ["lib", "main"].contains(&path) {
        return None;
    }
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some(path.split('/').map(str::to_owned).collect())
}

/// The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn flatten(before: &[String], tree: &str, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    if let Some(inside) = tree.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let (mut depth, mut start) = (0_usize, 0);
        for (at, sign) in inside.char_indices() {
            match sign {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    flatten(before, &inside[start..at], found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return flatten_last(before, &inside[start..], found);
    }
    let with = |name: &str| [before, &[name.trim().to_owned()]].concat();
    match tree.split_once("::") {
        Some((first, rest)) => flatten(&with(first), rest, found),
        None => {
            let name = tree.split(" as ").next().unwrap_or_default();
            found.push(if name == "self" { before.to_vec() } else { with(name) });
        }
    }
}

fn flatten_last(before: &[String], rest: &str, found: &mut Vec<Vec<String>>) {
    if !rest.trim().is_empty() {
        flatten(before, rest, found);
    }
}

/// Whether a sign can be part of a path.
fn in_path(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == ':'
}

/// Every path that the code of a module names.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = String::new();
    let mut left = code;
    while let Some(at) = left.find("use ") {
        let own_word = !left[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let (front, behind) = left.split_at(at + 4);
        rest.push_str(front);
        left = behind;
        if own_word && let Some((tree, after)) = behind.split_once(';') {
            flatten(&[], tree, &mut found);
            left = after;
        }
    }
    rest.push_str(left);
    let words = rest.split(|sign| !in_path(sign)).filter(|word| word.contains("::"));
    found.extend(words.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>()));
    found
}

/// The modules that each module uses, itself left out.
pub(super) fn uses(modules: &Modules) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let of = |(module, code): (&Vec<String>, &String)| {
        let used = paths(code).into_iter().filter_map(|path| {
            let mut from: Vec<String> = Vec::new();
            let mut names = path.as_slice();
            match names.first()?.as_str() {
                "crate" => names = &names[1..],
                "super" | "self" => {
                    from.clone_from(module);
                    while let Some((first @ ("super" | "self"), rest)) =
                        names.split_first().map(|(first, rest)| (first.as_str(), rest))
                    {
                        if first == "super" {
                            from.pop();
                        }
                        names = rest;
                    }
                }
                _ => from.clone_from(module),
            }
            let whole = [from.as_slice(), names].concat();
            // The longest beginning that is a module is what is used of.
            (1..=whole.len())
                .rev()
                .map(|end| whole[..end].to_vec())
                .find(|it| modules.contains_key(it))
        });
        (module.clone(), used.filter(|used| used != module).collect())
    };
    modules.iter().map(of).collect()
}

/// The modules that stand in a circle of uses, or between two.
pub(super) fn circle(modules: &Modules) -> Vec<String> {
    let mut left = uses(modules);
    loop {
        // Who uses nobody that is left, or is used by nobody, stands in no circle.
        let used: BTreeSet<Vec<String>> = left.values().flatten().cloned().collect();
        let names: BTreeSet<Vec<String>> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|name, uses| used.contains(name) && uses.iter().any(|it| names.contains(it)));
        let names: BTreeSet<Vec<String>> = left.keys().cloned().collect();
        left.values_mut().for_each(|uses| uses.retain(|it| names.contains(it)));
        if left.len() == before {
            break;
        }
    }
    let shown = |(name, uses): (&Vec<String>, &BTreeSet<Vec<String>>)| {
        let uses: Vec<String> = uses.iter().map(|it| it.join("::")).collect();
        format!("{} uses {}", name.join("::"), uses.join(", "))
    };
    left.iter().map(shown).collect()
}

#[test]
fn a_made_up_crate_with_a_circle_is_found_out() {
    let made_up = |files: &[(&str, &str)]| -> Modules {
        let module = |(path, code): &(&str, &str)| Some((module_of(path)?, (*code).to_owned()));
        files.iter().filter_map(module).collect()
    };
    let straight = made_up(&[
        ("lib.rs", "use crate::house::door::Key;"),
        ("wood.rs", "fn plank() {}"),
        ("house/mod.rs", "mod door;\nmod roof;\nfn build() { door::hang(); }"),
        ("house/door.rs", "use crate::{wood::{self, plank}};"),
        ("house/roof.rs", "fn lay() { super::door::hang(); crate::wood::plank() }"),
    ]);
    assert_eq!(circle(&straight), [""; 0]);
    let used = uses(&straight);
    let of = |name: &str| used[&name.split("::").map(str::to_owned).collect::<Vec<_>>()].len();
    assert_eq!((of("house"), of("house::door"), of("house::roof"), of("wood")), (1, 1, 2, 0));
    let mut round = straight;
    round.insert(vec!["wood".to_owned()], "use super::house::roof;".to_owned());
    assert_eq!(
        circle(&round),
        ["house::door uses wood", "house::roof uses house::door, wood", "wood uses house::roof"]
    );
    let up = made_up(&[("a/mod.rs", "mod b; use b::B; struct A;"), ("a/b.rs", "use super::A;")]);
    assert_eq!(circle(&up), ["a uses a::b", "a::b uses a"]);
    let parts = made_up(&[
        ("a.rs", "mod b;\nmod c;\npub use c::C;"),
        ("a/b.rs", "use super::c::C; use crate::Root;"),
        ("a/c.rs", "struct C;"),
    ]);
    assert_eq!(circle(&parts), [""; 0]);
    let mut round = parts;
    round.insert(vec!["a".to_owned(), "c".to_owned()], "use crate::a::C;".to_owned());
    assert_eq!(circle(&round), ["a uses a::c", "a::c uses a"]);
}
