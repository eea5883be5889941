//! Which other readings there are of a record's rules, and what they are called.
//!
//! This module must not play a record.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Meta, TableSetup};
use crate::record::{Fault, FaultCode};
use crate::rules::{Rule, RuleEntry, editions};
use crate::wire::escaped;

/// Another reading of the rules: a version of the ruleset, an edition, values of rulings, or several of them.
/// What it does not name stays as the record has it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = OtherReading))]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct ReadingChoice {
    /// The version of the ruleset, as a record names it. Its defaults and data replace those of the record's own;
    /// what the record's options state stays.
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset: Option<String>,
    /// The edition of the printed book.
    #[serde(default, deserialize_with = "crate::wire::present")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub edition: Option<String>,
    /// Values of selectable rulings by id.
    #[serde(default, deserialize_with = "crate::wire::string_map")]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rulings: BTreeMap<String, String>,
}

pub(crate) fn ruling(table: &'static [RuleEntry], id: &str) -> Option<&'static RuleEntry> {
    table.iter().find(|entry| entry.id == id)
}

/// Whether a value of a ruling is a house rule.
fn house(entry: Option<&'static RuleEntry>, value: &str) -> bool {
    entry.is_some_and(|entry| entry.house.contains(&value))
}

/// Refuses a reading that names an unknown edition, ruling or value.
pub(crate) fn check<G: Game>(readings: &[ReadingChoice]) -> Result<(), Fault> {
    for (at, reading) in readings.iter().enumerate() {
        let fault = |part: &str, detail: String| {
            let pointer = format!("/readings/{at}{part}");
            Err(Fault::new(FaultCode::OptionsRefused, pointer, detail))
        };
        if reading.is_empty() {
            return fault("", "a ruleset, an edition or a ruling is expected".to_owned());
        }
        if let Some(ruleset) =
            reading.ruleset.as_ref().filter(|it| G::META.version_of(it).is_none())
        {
            let known: Vec<String> = G::META.rulesets().collect();
            let detail =
                format!("{ruleset:?} is no ruleset of this game; there is {}", known.join(", "));
            return fault("/ruleset", detail);
        }
        let known = editions(G::Rule::TABLE);
        match &reading.edition {
            Some(edition) if !known.contains(&edition.as_str()) => {
                let detail = match known.is_empty() {
                    true => format!("{} has one edition", G::META.title),
                    false => format!("{edition:?} is no edition; there is {}", known.join(", ")),
                };
                return fault("/edition", detail);
            }
            _ => {}
        }
        for (id, value) in &reading.rulings {
            let part = format!("/rulings/{}", escaped(id));
            let Some(def) = G::Setup::rulings().iter().find(|def| def.id == id) else {
                return fault(
                    &part,
                    format!("{id:?} is no selectable ruling of {}", G::META.title),
                );
            };
            if !def.values.contains(&value.as_str()) {
                let values = def.values.join(", ");
                return fault(&part, format!("{id} has no reading {value:?}; it has {values}"));
            }
        }
    }
    Ok(())
}

impl ReadingChoice {
    /// The reading that is a version of the ruleset.
    pub(crate) fn of_ruleset(ruleset: String) -> Self {
        ReadingChoice { ruleset: Some(ruleset), ..ReadingChoice::default() }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.ruleset.is_none() && self.edition.is_none() && self.rulings.is_empty()
    }

    /// Lays the reading over options.
    pub(crate) fn lay_over<G: Game>(&self, options: &mut G::Options) {
        if let Some(version) = self.ruleset.as_deref().and_then(|it| G::META.version_of(it)) {
            G::Setup::set_version(options, version);
        }
        let pick = |(id, value): (&String, &String)| {
            let ruling = G::Setup::rulings().iter().position(|def| def.id == id)?;
            let value =
                G::Setup::rulings()[ruling].values.iter().position(|known| known == value)?;
            Some((ruling, value))
        };
        let picks: Vec<_> = self.rulings.iter().filter_map(pick).collect();
        G::Setup::reread(options, self.edition.as_deref(), &picks);
    }

    /// The reading in plain words.
    pub(crate) fn gist(&self, meta: &Meta, table: &'static [RuleEntry]) -> String {
        let mut parts = Vec::new();
        if let Some(ruleset) = &self.ruleset {
            parts.push(format!("the ruleset `{ruleset}`"));
        }
        if let Some(edition) = &self.edition {
            parts.push(format!("{} (`{edition}`)", meta.edition_title(edition)));
        }
        for (id, value) in &self.rulings {
            let house = if house(ruling(table, id), value) { "; a house rule" } else { "" };
            parts.push(format!("{id} = {value} ({}{house})", says(table, id, value)));
        }
        parts.join(", and ")
    }

    /// The reading for people, its ids in brackets: `“May figures pass through figures? through friends” (DRK-R5 =
    /// friends)`.
    pub(crate) fn in_words(&self, meta: &Meta, table: &'static [RuleEntry]) -> String {
        let ruleset = self.ruleset.iter().cloned();
        let edition = self.edition.iter().map(|edition| meta.edition_title(edition));
        let rulings = self
            .rulings
            .iter()
            .map(|(id, value)| format!("“{}” ({id} = {value})", says(table, id, value)));
        ruleset.chain(edition).chain(rulings).collect::<Vec<_>>().join(" and ")
    }

    /// Whether it takes a reading that the words of the book exclude.
    pub(crate) fn is_house(&self, table: &'static [RuleEntry]) -> bool {
        self.rulings.iter().any(|(id, value)| house(ruling(table, id), value))
    }

    /// The reading in a few words.
    pub fn name(&self) -> String {
        let ruleset = self.ruleset.iter().cloned();
        let edition = self.edition.iter().map(|edition| format!("the edition {edition}"));
        let rulings = self.rulings.iter().map(|(id, value)| format!("{id} = {value}"));
        ruleset.chain(edition).chain(rulings).collect::<Vec<_>>().join(" and ")
    }
}

/// The question of a ruling, answered by a reading.
fn says(table: &'static [RuleEntry], id: &str, value: &str) -> String {
    let entry = ruling(table, id);
    let reading =
        entry.and_then(|entry| entry.readings.iter().find(|reading| reading.value == value));
    let question = entry.map_or("", |entry| entry.gist);
    format!("{question} {}", reading.map_or("", |reading| reading.gist).trim_end_matches('.'))
}

/// Every other version of the ruleset, every other edition, and every other reading of every selectable ruling, one
/// at a time.
pub(crate) fn all_readings<G: Game>(setup: &G::Setup) -> Vec<ReadingChoice> {
    let own = G::Setup::ruleset(setup);
    let mut all: Vec<ReadingChoice> =
        G::META.rulesets().filter(|it| *it != own).map(ReadingChoice::of_ruleset).collect();
    for edition in editions(G::Rule::TABLE) {
        if edition != G::Setup::edition(setup) {
            all.push(ReadingChoice {
                edition: Some(edition.to_owned()),
                ..ReadingChoice::default()
            });
        }
    }
    for (ruling, def) in G::Setup::rulings().iter().enumerate() {
        let now = G::Setup::reading(setup, ruling);
        for (_, value) in def.values.iter().enumerate().filter(|&(value, _)| value != now) {
            let rulings = BTreeMap::from([(def.id.to_owned(), (*value).to_owned())]);
            all.push(ReadingChoice { rulings, ..ReadingChoice::default() });
        }
    }
    all
}

/// Readings without those that are named twice.
pub(crate) fn once(list: &[ReadingChoice]) -> Vec<ReadingChoice> {
    let mut once: Vec<ReadingChoice> = Vec::with_capacity(list.len());
    for reading in list {
        if !once.contains(reading) {
            once.push(reading.clone());
        }
    }
    once
}
