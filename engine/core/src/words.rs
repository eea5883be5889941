//! Sentences of a game in another language.
//!
//! A catalogue is a text: an English line, and below it, indented, the same in the other language.
//! `{…}` is a place; it bears the same name in both. `#` begins a remark. What stands in a place is
//! translated in its turn, and kept where the catalogue says nothing of it (a name, a number); a place
//! `{…!}` takes only what the catalogue knows, a place `{…=}` only what it has word for word, and `{…*}` also what is several sentences. A line after `- ` is a phrase, a part of a sentence: short
//! as phrases are, they would fit much that is none of theirs, so they are looked for in places alone.
//! A line after `= ` is a name, the same in every language. A place `{….}` of the other language takes over what stands
//! there as it is (an id, a value). A line after `+ ` says what two words become that come to stand side by side.
//! No other place reaches over the end of a sentence. This module must not know a game or a language.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// The sentences and words of one language.
#[derive(Clone, Debug)]
pub struct Catalogue {
    exact: BTreeMap<&'static str, &'static str>,
    /// Those with places, the one that says the most by itself first.
    templates: Vec<Template>,
    /// Names that are the same in every language.
    names: Vec<&'static str>,
    /// What words become that come to stand side by side, also at the head of a sentence.
    joints: Vec<(String, String)>,
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
        /// What the catalogue must know of what stands there.
        needs: Needs,
    },
}

/// What the catalogue must know of what stands in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    /// Nothing.
    Nothing,
    /// What it is in the language.
    Known,
    /// The same, word for word; it may be several sentences.
    Whole,
    /// Nothing, and it may be several sentences.
    Anything,
    /// In the other language: it is taken over as it is.
    AsItIs,
}

/// Where the text asked for stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Standing {
    /// It is a whole sentence.
    Whole,
    /// It is a part of one.
    Part,
}

/// What ends a sentence or its head; no place reaches over it.
const ENDS: [&str; 2] = [". ", ": "];

/// What stands between the parts of a text that is made of parts.
const MARKS: [&str; 6] = ["\n", ". ", "; ", ": ", " (", ", "];

/// What is said of any game, by language.
const FRAMES: [(&str, &str); 1] = [("it", include_str!("../words/it.words"))];

/// The longest text that is looked at, in bytes.
const LONGEST: usize = 1_000;

/// What was found of parts of one text, so that none is looked for twice.
type Memo<'a> = RefCell<BTreeMap<(&'a str, Standing, u8), Option<String>>>;

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
    /// The catalogue of a game: its text, and what is said in that language of any game; or what is wrong with
    /// a text and in which line.
    pub fn of(language: &str, text: &'static str) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue::read(text)?;
        if let Some((_, frame)) = FRAMES.iter().find(|(it, _)| *it == language) {
            let frame = Catalogue::read(frame)?;
            // Where both have it, the game says it.
            for (english, other) in frame.exact {
                catalogue.exact.entry(english).or_insert(other);
            }
            let known = |it: &Template| catalogue.templates.iter().any(|own| own.from == it.from);
            // What is said of any game stands around what the game says, so it is looked for first.
            let mut all: Vec<Template> =
                frame.templates.into_iter().filter(|it| !known(it)).collect();
            all.append(&mut catalogue.templates);
            catalogue.templates = all;
            catalogue.joints.extend(frame.joints);
        }
        Ok(catalogue)
    }

    /// The catalogue in a text, or what is wrong with it and in which line.
    pub fn read(text: &'static str) -> Result<Catalogue, String> {
        let mut catalogue = Catalogue {
            exact: BTreeMap::new(),
            templates: Vec::new(),
            names: Vec::new(),
            joints: Vec::new(),
        };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        while let Some((number, line)) = lines.next() {
            if line.starts_with(' ') {
                return Err(format!("line {number} translates nothing"));
            }
            if let Some(name) = line.strip_prefix("= ") {
                catalogue.names.push(name);
                continue;
            }
            let phrase = line.strip_prefix("- ");
            let english = phrase.unwrap_or(line);
            let other = lines.next().and_then(|(_, line)| line.strip_prefix("  "));
            let other = other.ok_or_else(|| format!("line {number} is not translated"))?;
            if let Some(words) = line.strip_prefix("+ ") {
                catalogue.joints.push((words.to_owned(), other.to_owned()));
                catalogue.joints.push((capital(words), capital(other)));
                continue;
            }
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

    /// A sentence in the language, or several; `None` where the catalogue has none of it, or it is longer than any
    /// sentence.
    pub fn translate(&self, text: &str) -> Option<String> {
        if text.len() > LONGEST {
            return None;
        }
        let memo = Memo::default();
        let found = self.render(text, Standing::Whole, DEPTH, &memo);
        found.or_else(|| self.sentences(text, &memo)).map(|said| self.join(said))
    }

    /// A part of a sentence in the language; `None` where the catalogue has none of it.
    pub fn phrase(&self, text: &str) -> Option<String> {
        if text.len() > LONGEST {
            return None;
        }
        self.render(text, Standing::Part, DEPTH, &Memo::default()).map(|said| self.join(said))
    }

    /// Words that have come to stand side by side as the language has them (`di i` is `dei`).
    fn join(&self, mut text: String) -> String {
        let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        for (words, joined) in &self.joints {
            let open = words.ends_with(char::is_alphanumeric);
            let mut from = 0;
            while let Some(at) = text[from..].find(words).map(|at| from + at) {
                let end = at + words.len();
                // Not within a word.
                if is_letter(text[..at].chars().next_back())
                    || open && is_letter(text[end..].chars().next())
                {
                    from = end;
                    continue;
                }
                text.replace_range(at..end, joined);
                from = at + joined.len();
            }
        }
        text
    }

    /// A text that is made of parts, as those of pictures are: the whole, or each of its sentences and of what stands
    /// between marks by itself. What the catalogue has none of is kept and put beside `missing`, but for numbers, places
    /// and what is called by a number.
    pub fn piecewise(&self, text: &str, missing: &mut Vec<String>) -> String {
        self.pieces(text, &MARKS, missing)
    }

    fn pieces(&self, text: &str, marks: &[&str], missing: &mut Vec<String>) -> String {
        let called_by_number = |word: &str| word.chars().any(|it| it.is_ascii_digit());
        if !text.chars().any(char::is_alphabetic) || (called_by_number(text) && !text.contains(' '))
        {
            return text.to_owned();
        }
        // What ends or closes it is not part of it.
        let bare = text.trim_end_matches(['.', ')']);
        let (text, end) = text.split_at(bare.len());
        if self.is_name(text) {
            return text.to_owned() + end;
        }
        if let Some(said) = self.translate(text) {
            return said + end;
        }
        let Some((mark, marks)) = marks.split_first() else {
            // A phrase is looked for last: short as it is, it would fit much that is made of parts.
            return self.phrase(text).unwrap_or_else(|| {
                missing.push(text.to_owned());
                text.to_owned()
            }) + end;
        };
        let parts: Vec<String> =
            text.split(mark).map(|part| self.pieces(part, marks, missing)).collect();
        parts.join(mark) + end
    }

    /// Whether a text is one of the names, or some words of one that follow each other.
    fn is_name(&self, text: &str) -> bool {
        let text = format!(" {text} ");
        self.names.iter().any(|name| format!(" {name} ").contains(&text))
    }

    /// Whether so many bytes of a text from a place on are the inside of a name.
    fn lies_within_a_name(&self, text: &str, at: usize, length: usize) -> bool {
        self.names.iter().any(|name| {
            let mut places = text.match_indices(name).map(|(start, _)| start);
            places.any(|start| start < at && at + length < start + name.len())
        })
    }

    /// Several sentences, each by itself, if all are known.
    fn sentences<'a>(&self, text: &'a str, memo: &Memo<'a>) -> Option<String> {
        let (first, rest) = text.split_once(". ")?;
        let first = self.render(first, Standing::Whole, DEPTH, memo)?;
        let rest = self.render(rest, Standing::Whole, DEPTH, memo);
        let rest = rest.or_else(|| self.sentences(text.split_once(". ")?.1, memo))?;
        Some(format!("{first}. {rest}"))
    }

    fn render<'a>(
        &self,
        text: &'a str,
        standing: Standing,
        depth: u8,
        memo: &Memo<'a>,
    ) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        // Whatever else a name may look like.
        if self.names.contains(&text) {
            return Some(text.to_owned());
        }
        if let Some(found) = memo.borrow().get(&(text, standing, depth)) {
            return found.clone();
        }
        let found = self.lookup(text).or_else(|| {
            let fitting = |it: &&Template| standing == Standing::Part || !it.phrase;
            self.templates.iter().filter(fitting).find_map(|template| {
                let mut places = BTreeMap::new();
                self.fits(&template.from, text, &mut places, depth, memo)
                    .then(|| self.fill(&template.to, &places, depth, memo))
            })
        });
        let found = found.map(|found| match text.chars().next() {
            Some(first) if first.is_uppercase() => capital(&found),
            _ => found,
        });
        memo.borrow_mut().insert((text, standing, depth), found.clone());
        found
    }

    /// What stands in the catalogue as it is, a capital at its head or not.
    fn lookup(&self, text: &str) -> Option<String> {
        let mut chars = text.chars();
        let lower: String = chars.next()?.to_lowercase().chain(chars).collect();
        let found = self.exact.get(text).or_else(|| self.exact.get(lower.as_str()))?;
        Some((*found).to_owned())
    }

    fn fill<'a>(
        &self,
        parts: &[Part],
        places: &BTreeMap<&'static str, &'a str>,
        depth: u8,
        memo: &Memo<'a>,
    ) -> String {
        let mut out = String::new();
        for part in parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Place { name, needs: Needs::AsItIs } => {
                    out.push_str(places.get(name).copied().unwrap_or_default());
                }
                Part::Place { name, .. } => {
                    let text = places.get(name).copied().unwrap_or_default();
                    // A place in the middle of a sentence begins with no capital of its own.
                    let known = self
                        .lookup(text)
                        .or_else(|| self.render(text, Standing::Part, depth, memo))
                        .or_else(|| self.sentences(text, memo));
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
        memo: &Memo<'a>,
    ) -> bool {
        match parts {
            [] => text.is_empty(),
            [Part::Text(start), rest @ ..] => text
                .strip_prefix(start)
                .is_some_and(|text| self.fits(rest, text, places, depth, memo)),
            [Part::Place { name, needs }, rest @ ..] => {
                let mut holds = |end: usize| {
                    let (place, after) = text.split_at(end);
                    let known = || match needs {
                        Needs::Nothing | Needs::Anything | Needs::AsItIs => true,
                        Needs::Known => self.render(place, Standing::Part, depth, memo).is_some(),
                        Needs::Whole => self.exact.contains_key(place),
                    };
                    let fits = self.fits(rest, after, places, depth, memo) && known();
                    if fits {
                        places.insert(*name, place);
                    }
                    fits
                };
                // No place reaches over the end of a sentence.
                let reach = ENDS.iter().filter_map(|end| Some(text.find(end)? + 1)).min();
                let bound = matches!(needs, Needs::Nothing | Needs::Known);
                let reach = reach.filter(|_| bound).unwrap_or(text.len());
                match rest {
                    // A place that ends the text holds what is left of it.
                    [] => reach == text.len() && !text.is_empty() && holds(text.len()),
                    [Part::Text(next), ..] => text
                        .match_indices(next)
                        .map(|(at, _)| at)
                        .filter(|&at| at > 0)
                        .take_while(|&at| at <= reach)
                        .filter(|&at| !self.lies_within_a_name(text, at, next.len()))
                        .any(holds),
                    _ => (1..=reach).filter(|&at| text.is_char_boundary(at)).any(holds),
                }
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
        let (name, needs) = match name.as_bytes().last() {
            Some(b'!') => (&name[..name.len() - 1], Needs::Known),
            Some(b'=') => (&name[..name.len() - 1], Needs::Whole),
            Some(b'*') => (&name[..name.len() - 1], Needs::Anything),
            Some(b'.') => (&name[..name.len() - 1], Needs::AsItIs),
            _ => (name, Needs::Nothing),
        };
        parts.push(Part::Place { name, needs });
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
    fn words_side_by_side_become_one_and_values_stay() {
        let text = "{who} draws from {whose}\n  {who} pesca da {whose}\n{id} = {value}\n  {id.} = {value.}\nthe deck\n  il mazzo\nyes\n  sì\n+ da il\n  dal\n";
        let words = Catalogue::read(text).expect("a catalogue");
        let say = |text| words.translate(text);
        assert_eq!(say("Ada draws from the deck").as_deref(), Some("Ada pesca dal mazzo"));
        // Not within a word.
        assert_eq!(say("Ada il draws from Illa").as_deref(), Some("Ada il pesca da Illa"));
        assert_eq!(say("R1 = yes").as_deref(), Some("R1 = yes"));
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
        // A name is none, whatever it looks like.
        let text = "{who} plays {card}\n  {who} gioca {card}\n- {who} in {place}\n  {who} a {place}\n= Wind in sails\n";
        let words = Catalogue::read(text).expect("a catalogue");
        let said = words.translate("Tom plays Wind in sails");
        assert_eq!(said.as_deref(), Some("Tom gioca Wind in sails"));
        let text = "{who} plays {card}\n  {who} gioca {card}\n- {who} in {place}\n  {who} a {place}\n- {card} ({does!})\n  {card} ({does})\n1 mouse\n  1 topo\n= Wind in sails\n";
        let words = Catalogue::read(text).expect("a catalogue");
        let said = words.translate("Tom plays Wind in sails (1 mouse)");
        assert_eq!(said.as_deref(), Some("Tom gioca Wind in sails (1 topo)"));
        let said = words.translate("Tom plays cats in boots");
        assert_eq!(said.as_deref(), Some("Tom gioca cats a boots"));
    }

    #[test]
    fn what_is_made_of_parts_is_told_part_by_part() {
        let words = Catalogue::read(TEXT).expect("a catalogue");
        let mut missing = Vec::new();
        let text = "The cat (3 mice). Rapallo: the cat, the dog, [0, -1], u7; 4 mice.";
        let told = words.piecewise(text, &mut missing);
        assert_eq!(told, "Il gatto (3 topi). Rapallo: il gatto, the dog, [0, -1], u7; 4 topi.");
        assert_eq!(missing, ["Rapallo", "the dog"]);
        let words = Catalogue::read("= Santa Maria di Rapallo\n").expect("a catalogue");
        let mut missing = Vec::new();
        words.piecewise("Rapallo: Santa Maria (di Rapallo), aria", &mut missing);
        assert_eq!(missing, ["aria"]);
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
