//! A verdict sheet as a self-contained page for printing.
//!
//! Maud escapes every text. The page contains no scripts and no URLs; the sheet itself is embedded
//! as JSON, so that the page can be verified. This module must not write unescaped text, except its
//! own style sheet and that JSON, in which every `<` is escaped.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::contents::{Case, Column, Contents, Pair, Rule, Step, UNSIGNED};
use super::{Document, IN_PAGE};

/// The style of the page.
const STYLE: &str = include_str!("page.css");

/// The content security policy of the page on a server: its own style sheet, identified by its
/// hash, and nothing else.
pub static POLICY: LazyLock<String> =
    LazyLock::new(|| format!("{}; frame-ancestors 'none'", *OWN_POLICY));

/// The same policy in the page itself, for when it is a file.
static OWN_POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
});

/// A picture of the board at the ply in question. It is not implemented yet, so there is none.
fn board_picture(_: &Document) -> Option<Markup> {
    None
}

fn pairs(name: &str, pairs: &[Pair]) -> Markup {
    html! {
        @if !pairs.is_empty() {
            section {
                h2 { (name) }
                dl { @for (what, says) in pairs { dt { (what) } dd { (says) } } }
            }
        }
    }
}

fn readings(contents: &Contents) -> Markup {
    html! {
        section {
            h2 { "The readings side by side" }
            table {
                thead { tr { th { "Reading" } th { "Effect on the record" } th { "Answer" } th { "Result" } } }
                tbody {
                    @for Column { reading, class, answer, result, .. } in &contents.columns {
                        tr { th scope="row" { (reading) } td { (class) } td { (answer) } td { (result) } }
                    }
                }
            }
            @for Column { reading, details, rules, .. } in &contents.columns {
                @if !details.is_empty() {
                    h3 { (reading) @if !rules.is_empty() { " " span.rules { "[" (rules.join(", ")) "]" } } }
                    ul { @for line in details { li { (line) } } }
                }
            }
            @for (name, gists) in [("No difference under", &contents.same), ("Not possible with this record", &contents.impossible)] {
                @if !gists.is_empty() {
                    h3 { (name) }
                    ul.many { @for gist in gists { li { (gist) } } }
                }
            }
        }
    }
}

fn rules(name: &str, rules: &[Rule]) -> Markup {
    html! {
        @if !rules.is_empty() {
            section {
                h2 { (name) }
                table {
                    tbody {
                        @for Rule { id, gist, section, because, readings, precedents } in rules {
                            tr {
                                th scope="row" { (id) @if !section.is_empty() { br; span.printed { "printed: " (section) } } }
                                td {
                                    (gist)
                                    @if !because.is_empty() { br; span.because { "because " (because) } }
                                    @if !readings.is_empty() { ul { @for reading in readings { li { (reading) } } } }
                                    @if !precedents.is_empty() { p.printed { "precedents: " (precedents.join(", ")) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn course(steps: &[Step]) -> Markup {
    html! {
        @if !steps.is_empty() {
            section {
                h2 { "The actions around it" }
                table {
                    tbody {
                        @for Step { ply, here, text, rules } in steps {
                            tr.here[*here] {
                                td.ply { (ply) @if *here { " →" } }
                                td { (text) @if !rules.is_empty() { " " span.rules { "[" (rules) "]" } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn precedents(cases: &[Case]) -> Markup {
    html! {
        @if !cases.is_empty() {
            section {
                h2 { "Precedents" }
                @for Case { name, title, question, reasoning, turns_on } in cases {
                    div.case {
                        h3 { (title) }
                        p { (question) }
                        p { (reasoning) }
                        p.printed { (name) @if !turns_on.is_empty() { " · " (turns_on) } }
                    }
                }
            }
        }
    }
}

/// A verdict sheet as a page.
pub fn write(document: &Document, contents: &Contents) -> String {
    // In JSON, `<` occurs only in texts, where it can be escaped.
    let json = document.json().replace('<', "\\u003c");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(*OWN_POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Verdict: " (contents.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kind { "Verdict" }
                    h1 { (contents.title) }
                    @if !contents.players.is_empty() {
                        p.players {
                            @for (at, (seat, name)) in contents.players.iter().enumerate() {
                                @if at > 0 { " · " }
                                (name) " (" (seat) ")"
                            }
                        }
                    }
                }
                section.summary { @for line in &contents.summary { p { (line) } } }
                @if let Some(picture) = board_picture(document) { figure { (picture) } }
                (pairs("The question", &contents.question))
                (readings(contents))
                (course(&contents.course))
                (rules("Rulings at this place", &contents.cited))
                @if !contents.behind.is_empty() {
                    section {
                        h3 { "Other rulings that apply" }
                        ul.many { @for line in &contents.behind { li { (line) } } }
                    }
                }
                (rules("Clauses and rulings", &contents.clauses))
                (precedents(&contents.precedents))
                (pairs("Notes of the record, not judged", &contents.notes))
                (pairs("Options in force", &contents.options))
                (pairs("Imprint", &contents.imprint))
                footer {
                    @match &contents.signature {
                        None => { p { (UNSIGNED) } }
                        Some((key, signature)) => {
                            p { "Signed with Ed25519 by the key " code { (key) } ":" }
                            p { code { (signature) } }
                        }
                    }
                    p { "This page contains the whole sheet. To verify it, run " code { "umpire verdict verify" } "." }
                }
                (PreEscaped(IN_PAGE.0)) (PreEscaped(json)) (PreEscaped(IN_PAGE.1))
            }
        }
    };
    page.into_string() + "\n"
}
