//! Sentences of a game in another language.
//!
//! A catalogue is a text: an English line, and below it, indented, the same in the other language.
//! `{…}` is a place; it bears the same name in both. `#` begins a remark. What stands in a place is
//! translated in its turn, and kept where the catalogue says nothing of it (a name, a number). This module
//! must not know a game or a language.

use std::collections::BTreeMap;

/// The sentences and words of one language.
#[derive(Clone, Debug)]
pub struct Catalogue {
    exact: BTreeMap<&'static str, &'static str>,
    /// Those with places, the one that says the most by itself first.
    templates: Vec<Template>,
}

#[derive(Clone, Debug)]
struct Template {
    from: Vec<Part>,
    to: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Text(&'static str),
    Place(&'static str),
}

impl Template {
    /// How many bytes of it are no place.
    fn weight(&self) -> usize {
        let text = |part: &Part| if let Part::Text(text) = part { text.len() } else { 0 };
        self.from.iter().map(text).sum()
    }
}

impl Catalogue {
    /// The catalogue in a text, or what is wrong with it and in which line.
    pub fn read(text: &'static str) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue { exact: BTreeMap::new(), templates: Vec::new() };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        while let Some((number, english)) = lines.next() {
            if english.starts_with(' ') {
                return Err(format!("line {number} translates nothing"));
            }
            let other = lines.next().and_then(|(_, line)| line.strip_prefix("  "));
            let other = other.ok_or_else(|| format!("line {number} is not translated"))?;
            if !english.contains('{') {
                if catalogue.exact.insert(english, other).is_some() {
                    return Err(format!("line {number} stands there twice"));
                }
                continue;
            }
            let template = Template { from: parts(english), to: parts(other) };
            let unknown =
                |part: &&Part| matches!(part, Part::Place(_)) && !template.from.contains(part);
            if let Some(part) = template.to.iter().find(unknown) {
                return Err(format!("line {number} has no place for {part:?}"));
            }
            catalogue.templates.push(template);
        }
        catalogue.templates.sort_by_key(|template| std::cmp::Reverse(template.weight()));
        Ok(catalogue)
    }

    /// A sentence in the language; `None` where the catalogue has none of it.
    pub fn translate(&self, text: &str) -> Option<String> {
        let found = self.lookup(text).or_else(|| {
            self.templates.iter().find_map(|template| {
                let mut places = BTreeMap::new();
                fits(&template.from, text, &mut places).then(|| self.fill(&template.to, &places))
            })
        })?;
        match text.chars().next() {
            Some(first) if first.is_uppercase() => Some(capital(&found)),
            _ => Some(found),
        }
    }

    /// What stands in the catalogue as it is, a capital at its head or not.
    fn lookup(&self, text: &str) -> Option<String> {
        let mut chars = text.chars();
        let lower: String = chars.next()?.to_lowercase().chain(chars).collect();
        let found = self.exact.get(text).or_else(|| self.exact.get(lower.as_str()))?;
        Some((*found).to_owned())
    }

    fn fill(&self, parts: &[Part], places: &BTreeMap<&'static str, &str>) -> String {
        let mut out = String::new();
        for part in parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Place(name) => {
                    let text = places.get(name).copied().unwrap_or_default();
                    // A place in the middle of a sentence begins with no capital of its own.
                    let known = self.lookup(text).or_else(|| self.translate(text));
                    out.push_str(&known.unwrap_or_else(|| text.to_owned()));
                }
            }
        }
        out
    }
}

/// The text with a capital at its head.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn parts(line: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((text, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        parts.push(Part::Place(name));
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

/// Whether a text is made like these parts, and what then stands in its places, each as short as can be.
fn fits<'a>(parts: &[Part], text: &'a str, places: &mut BTreeMap<&'static str, &'a str>) -> bool {
    match parts {
        [] => text.is_empty(),
        [Part::Text(start), rest @ ..] => {
            text.strip_prefix(start).is_some_and(|text| fits(rest, text, places))
        }
        [Part::Place(name), rest @ ..] => {
            let ends = text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]);
            for end in ends.filter(|&end| end > 0) {
                if fits(rest, &text[end..], places) {
                    places.insert(*name, &text[..end]);
                    return true;
                }
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Catalogue;

    const TEXT: &str = "# Cats\nthe cat\n  il gatto\n{n} mice\n  {n} topi\n{who} eats {what} at {place}\n  a {place} {who} mangia {what}\n{who} eats {what}\n  {who} mangia {what}\n";

    #[test]
    fn sentences_are_translated_with_what_stands_in_their_places() {
        let words = Catalogue::read(TEXT).expect("a catalogue");
        let say = |text| words.translate(text);
        assert_eq!(say("The cat eats 3 mice").as_deref(), Some("Il gatto mangia 3 topi"));
        assert_eq!(
            say("Tom eats the cat at Rapallo").as_deref(),
            Some("A Rapallo Tom mangia il gatto")
        );
        assert_eq!(say("The dog barks"), None);
    }

    #[test]
    fn a_catalogue_with_a_hole_is_none() {
        assert!(Catalogue::read("the cat\nthe dog\n  il cane\n").is_err());
        assert!(Catalogue::read("the cat\n  il gatto\nthe cat\n  la gatta\n").is_err());
        assert!(Catalogue::read("{a} eats\n  {b} mangia\n").is_err());
        assert!(Catalogue::read("  il gatto\n").is_err());
    }
}
