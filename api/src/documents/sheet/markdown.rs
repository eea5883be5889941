//! A verdict sheet as Markdown.
//!
//! This module must not write a text of a record without [`escaped`].

use std::fmt::Write;

use super::contents::{Column, Contents, Pair, Rule, Step, UNSIGNED};

/// Escapes a text so that it is literal anywhere in a line of Markdown.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    let start = text.trim_start();
    // It would start a list or a heading.
    let digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let mark = start.as_bytes().get(digits);
    let list = match digits {
        0 => matches!(mark, Some(b'-' | b'+' | b'=')),
        _ => matches!(mark, Some(b'.' | b')')),
    };
    for (at, byte) in start.char_indices() {
        let special = matches!(byte, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '#' | '$' | '@' | '!' | '^' | '{' | '}')
            || (at == digits && list)
            // Some readers turn plain URLs into links.
            || (byte == ':' && start[at..].starts_with("://"))
            || (byte == '.' && start[..at].to_ascii_lowercase().ends_with("www"));
        if special {
            out.push('\\');
        }
        out.push(if byte.is_control() { ' ' } else { byte });
    }
    out
}

fn heading(out: &mut String, text: &str) {
    let _ = writeln!(out, "\n## {text}\n");
}

fn list(out: &mut String, name: &str, pairs: &[Pair]) {
    if !pairs.is_empty() {
        heading(out, name);
    }
    for (what, says) in pairs {
        let _ = writeln!(out, "- **{}:** {}", escaped(what), escaped(says));
    }
}

fn readings(out: &mut String, contents: &Contents) {
    heading(out, "The readings side by side");
    let _ = writeln!(out, "| reading | effect on the record | answer | result |");
    let _ = writeln!(out, "|---|---|---|---|");
    for Column { reading, class, answer, result, .. } in &contents.columns {
        let cells = [reading, class, answer, result].map(|cell| escaped(cell));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    for Column { reading, details, rules, .. } in &contents.columns {
        if details.is_empty() {
            continue;
        }
        let by = if rules.is_empty() { String::new() } else { format!("[{}]", rules.join(", ")) };
        let _ = writeln!(out, "\n**{}** {}\n", escaped(reading), escaped(&by));
        for line in details {
            let _ = writeln!(out, "- {}", escaped(line));
        }
    }
    for (name, gists) in [
        ("No difference under:", &contents.same),
        ("Not possible with this record:", &contents.impossible),
    ] {
        if gists.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{name}\n");
        for gist in gists {
            let _ = writeln!(out, "- {}", escaped(gist));
        }
    }
}

fn rules(out: &mut String, name: &str, rules: &[Rule]) {
    if !rules.is_empty() {
        heading(out, name);
    }
    for Rule { id, gist, section, because, readings, precedents } in rules {
        let printed = if section.is_empty() { String::new() } else { format!("({section}) ") };
        let _ = writeln!(out, "- **{}** {}{}", escaped(id), escaped(&printed), escaped(gist));
        if !because.is_empty() {
            let _ = writeln!(out, "  - because {}", escaped(because));
        }
        for reading in readings {
            let _ = writeln!(out, "  - reading: {}", escaped(reading));
        }
        if !precedents.is_empty() {
            let _ = writeln!(out, "  - precedents: {}", escaped(&precedents.join(", ")));
        }
    }
}

/// A verdict sheet as Markdown.
pub fn write(contents: &Contents) -> String {
    let mut out = format!("# Verdict: {}\n", escaped(&contents.title));
    let _ = writeln!(out);
    for line in &contents.summary {
        let _ = writeln!(out, "> {}\n>", escaped(line));
    }
    list(&mut out, "Players", &contents.players);
    list(&mut out, "The question", &contents.question);
    readings(&mut out, contents);
    if !contents.course.is_empty() {
        heading(&mut out, "The actions around it");
    }
    for Step { ply, here, text, rules } in &contents.course {
        let mark = if *here { "**→** " } else { "" };
        let by =
            if rules.is_empty() { String::new() } else { format!(" \\[{}\\]", escaped(rules)) };
        let _ = writeln!(out, "- {mark}ply {}: {}{by}", escaped(ply), escaped(text));
    }
    rules(&mut out, "Rulings at this place", &contents.cited);
    if !contents.behind.is_empty() {
        let _ = writeln!(out, "\nOther rulings that apply:\n");
    }
    for line in &contents.behind {
        let _ = writeln!(out, "- {}", escaped(line));
    }
    rules(&mut out, "Clauses and rulings", &contents.clauses);
    if !contents.precedents.is_empty() {
        heading(&mut out, "Precedents");
    }
    for case in &contents.precedents {
        let _ = writeln!(
            out,
            "- **{}** (`{}`; {})",
            escaped(&case.title),
            code(&case.name),
            escaped(&case.turns_on)
        );
        let _ = writeln!(out, "  - {}", escaped(&case.question));
        let _ = writeln!(out, "  - {}", escaped(&case.reasoning));
    }
    list(&mut out, "Notes of the record, not judged", &contents.notes);
    list(&mut out, "Options in force", &contents.options);
    list(&mut out, "Imprint", &contents.imprint);
    let _ = writeln!(out);
    match &contents.signature {
        None => out.push_str(UNSIGNED),
        Some((key, signature)) => {
            let _ = write!(
                out,
                "Signed with Ed25519 by the key `{}`: `{}`",
                code(key),
                code(signature)
            );
        }
    }
    out.push('\n');
    out
}

/// A text in backticks, in which nothing can be escaped.
fn code(text: &str) -> String {
    text.replace('`', "'")
}
