//! Sentences of a game in another language.
//!
//! A catalogue is a text: an English line, and below it, indented, the same in the other language.
//! `{…}` is a place; it bears the same name in both. `#` begins a remark. What stands in a place is
//! translated in its turn, and kept where the catalogue says nothing of it (a name, a number); a place
//! `{…!}` takes only what the catalogue knows. A line after `- ` is a phrase, a part of a sentence: short
//! as phrases are, they would fit much that is none of theirs, so they are looked for in places alone.
//! No place reaches over the end of a sentence. This module must not know a game or a language.

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
    /// A part of a sentence, never a whole one.
    phrase: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Text(&'static str),
    Place {
        name: &'static str,
        /// Whether the catalogue must know what stands there.
        known: bool,
    },
}

/// Where the text asked for stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// It is a whole sentence.
    Whole,
    /// It is a part of one.
    Part,
}

/// What ends a sentence or its head; no place reaches over it.
const ENDS: [&str; 2] = [". ", ": "];

/// How deep phrases may stand within each other.
const DEPTH: u8 = 8;

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
        while let Some((number, line)) = lines.next() {
            if line.starts_with(' ') {
                return Err(format!("line {number} translates nothing"));
            }
            let phrase = line.strip_prefix("- ");
            let english = phrase.unwrap_or(line);
            let other = lines.next().and_then(|(_, line)| line.strip_prefix("  "));
            let other = other.ok_or_else(|| format!("line {number} is not translated"))?;
            if !english.contains('{') {
                if catalogue.exact.insert(english, other).is_some() {
                    return Err(format!("line {number} stands there twice"));
                }
                continue;
            }
            let template =
                Template { from: parts(english), to: parts(other), phrase: phrase.is_some() };
            let has = |name: &str| {
                let mut from = template.from.iter();
                from.any(|part| matches!(part, Part::Place { name: it, .. } if *it == name))
            };
            let unknown = |part: &&Part| matches!(part, Part::Place { name, .. } if !has(name));
            if let Some(part) = template.to.iter().find(unknown) {
                return Err(format!("line {number} has no place for {part:?}"));
            }
            if catalogue.templates.iter().any(|it| it.from == template.from) {
                return Err(format!("line {number} stands there twice"));
            }
            catalogue.templates.push(template);
        }
        catalogue.templates.sort_by_key(|template| std::cmp::Reverse(template.weight()));
        Ok(catalogue)
    }

    /// What the catalogue says of a text that it has word for word, places none.
    pub fn fixed(&self, text: &str) -> Option<&'static str> {
        self.exact.get(text).copied()
    }

    /// A sentence in the language, or several; `None` where the catalogue has none of it.
    pub fn translate(&self, text: &str) -> Option<String> {
        self.render(text, Standing::Whole, DEPTH).or_else(|| self.sentences(text))
    }

    /// A part of a sentence in the language; `None` where the catalogue has none of it.
    pub fn phrase(&self, text: &str) -> Option<String> {
        self.render(text, Standing::Part, DEPTH)
    }

    /// Several sentences, each by itself, if all are known.
    fn sentences(&self, text: &str) -> Option<String> {
        let (first, rest) = text.split_once(". ")?;
        let first = self.render(first, Standing::Whole, DEPTH)?;
        Some(format!("{first}. {}", self.translate(rest)?))
    }

    fn render(&self, text: &str, standing: Standing, depth: u8) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let found = self.lookup(text).or_else(|| {
            let fitting = |it: &&Template| standing == Standing::Part || !it.phrase;
            self.templates.iter().filter(fitting).find_map(|template| {
                let mut places = BTreeMap::new();
                self.fits(&template.from, text, &mut places, depth)
                    .then(|| self.fill(&template.to, &places, depth))
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

    fn fill(&self, parts: &[Part], places: &BTreeMap<&'static str, &str>, depth: u8) -> String {
        let mut out = String::new();
        for part in parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Place { name, .. } => {
                    let text = places.get(name).copied().unwrap_or_default();
                    // A place in the middle of a sentence begins with no capital of its own.
                    let known =
                        self.lookup(text).or_else(|| self.render(text, Standing::Part, depth));
                    out.push_str(&known.unwrap_or_else(|| text.to_owned()));
                }
            }
        }
        out
    }

    /// Whether a text is made like these parts, and what then stands in its places, each as short as
    /// can be.
    fn fits<'a>(
        &self,
        parts: &[Part],
        text: &'a str,
        places: &mut BTreeMap<&'static str, &'a str>,
        depth: u8,
    ) -> bool {
        match parts {
            [] => text.is_empty(),
            [Part::Text(start), rest @ ..] => {
                text.strip_prefix(start).is_some_and(|text| self.fits(rest, text, places, depth))
            }
            [Part::Place { name, known }, rest @ ..] => {
                let ends = text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]);
                for end in ends.filter(|&end| end > 0) {
                    let (place, after) = text.split_at(end);
                    if ENDS.iter().any(|it| place.contains(it)) {
                        return false;
                    }
                    if self.fits(rest, after, places, depth)
                        && (!known || self.render(place, Standing::Part, depth).is_some())
                    {
                        places.insert(*name, place);
                        return true;
                    }
                }
                false
            }
        }
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
        let known = name.strip_suffix('!');
        parts.push(Part::Place { name: known.unwrap_or(name), known: known.is_some() });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::Catalogue;

    const TEXT: &str = "# Cats\nthe cat\n  il gatto\n- {n} mice\n  {n} topi\n{who} eats {what} at {place}\n  a {place} {who} mangia {what}\n{who} eats {what}\n  {who} mangia {what}\n";

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
    fn no_place_reaches_over_the_end_of_a_sentence() {
        let words = Catalogue::read(TEXT).expect("a catalogue");
        assert_eq!(words.translate("Listen: the cat eats 3 mice"), None);
        // Two sentences are told one by one, and only where both are known.
        let both = words.translate("Tom eats the cat. The cat eats 3 mice");
        assert_eq!(both.as_deref(), Some("Tom mangia il gatto. Il gatto mangia 3 topi"));
        assert_eq!(words.translate("Tom eats the cat. The dog barks"), None);
    }

    #[test]
    fn phrases_are_looked_for_in_places_alone() {
        let text = "{who} sits {where!}\n  {who} siede {where}\n- in {place}\n  a {place}\n";
        let words = Catalogue::read(text).expect("a catalogue");
        assert_eq!(words.translate("in Rapallo"), None);
        assert_eq!(words.phrase("in Rapallo").as_deref(), Some("a Rapallo"));
        assert_eq!(words.translate("Tom sits in Rapallo").as_deref(), Some("Tom siede a Rapallo"));
        // What such a place holds must be known.
        assert_eq!(words.translate("Tom sits idle"), None);
    }

    #[test]
    fn a_catalogue_with_a_hole_is_none() {
        assert!(Catalogue::read("the cat\nthe dog\n  il cane\n").is_err());
        assert!(Catalogue::read("the cat\n  il gatto\nthe cat\n  la gatta\n").is_err());
        assert!(Catalogue::read("{a} eats\n  {b} mangia\n").is_err());
        assert!(Catalogue::read("{a} eats\n  {a} mangia\n{a} eats\n  {a} divora\n").is_err());
        assert!(Catalogue::read("  il gatto\n").is_err());
    }
}
