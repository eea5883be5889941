//! What the sentences of the story are made of: princes, cities, places, units, routes, deals by their names.
//!
//! Must not know an event or an action, nor what is hidden.

use crate::action::{DealItem, Player, Target, prince};
use crate::notice::{Effect, RouteLine};
use crate::setup::Setup;
use crate::setup::map::At;
use crate::tables::{Kind, Terrain};
use umpire_core::board::hex::Hex;

/// The words of one fact or action.
pub(super) struct Words<'a> {
    pub(super) setup: &'a Setup,
    /// What is known of a unit: its type and where it is.
    pub(super) find: &'a dyn Fn(u32) -> Option<(Kind, At)>,
}

impl Words<'_> {
    /// The name of a city; its number where the map has none of it.
    pub(super) fn city(&self, city: u8) -> String {
        let site = city.checked_sub(1).and_then(|at| self.setup.map.sites.get(usize::from(at)));
        site.map_or_else(|| format!("city {city}"), |site| site.name.clone())
    }

    /// A hex: the city on it, or what kind of land or sea it is, and its coordinates.
    pub(super) fn place(&self, hex: Hex) -> String {
        self.setup.map.find(hex).map_or_else(|| hex.to_string(), |at| self.here(at))
    }

    /// The same of a hex of the map.
    fn here(&self, at: At) -> String {
        let place = self.setup.map.place(at);
        match (place.city, place.terrain) {
            (0, Terrain::Water) => format!("the sea {}", place.hex),
            (0, Terrain::Reefs) => format!("the reefs {}", place.hex),
            (0, _) => place.hex.to_string(),
            (city, _) => format!("{} {}", self.city(city), place.hex),
        }
    }

    /// A unit by type and number: `lancers u12`.
    pub(super) fn unit(&self, unit: u32) -> String {
        let kind = (self.find)(unit).map(|(kind, _)| kind);
        kind.map_or_else(|| format!("u{unit}"), |kind| format!("{kind} u{unit}"))
    }

    /// Where a unit is, as ` in Portovena [3, 5]`; empty where that is not known.
    pub(super) fn where_is(&self, unit: u32) -> String {
        let at = (self.find)(unit).map(|(_, at)| at);
        at.map_or_else(String::new, |at| format!(" in {}", self.here(at)))
    }

    /// Where units come from, as ` from Portovena [3, 5]`; empty where they are not together.
    pub(super) fn from(&self, units: &[u32]) -> String {
        let mut all = units.iter().map(|&unit| (self.find)(unit).map(|(_, at)| at));
        match all.next().flatten() {
            Some(first) if all.all(|at| at == Some(first)) => {
                format!(" from {}", self.here(first))
            }
            _ => String::new(),
        }
    }

    /// Several units: each by type and number, those of one type together; `nobody` for none.
    pub(super) fn units(&self, units: &[u32]) -> String {
        let mut groups: Vec<(Option<Kind>, Vec<String>)> = Vec::new();
        for &unit in units {
            let kind = (self.find)(unit).map(|(kind, _)| kind);
            let number = format!("u{unit}");
            match groups.iter_mut().find(|(of, _)| *of == kind) {
                Some((_, numbers)) => numbers.push(number),
                None => groups.push((kind, vec![number])),
            }
        }
        let text = |(kind, numbers): &(Option<Kind>, Vec<String>)| match (kind, numbers.len()) {
            (Some(kind), 1) => format!("{kind} {}", numbers.join(", ")),
            (Some(kind), count) => format!("{count} {kind} ({})", numbers.join(", ")),
            (None, _) => numbers.join(", "),
        };
        match groups.as_slice() {
            [] => "nobody".to_owned(),
            groups => groups.iter().map(text).collect::<Vec<_>>().join(", "),
        }
    }

    /// A trade route: `the route of silk from Lyra to Portovena`.
    pub(super) fn route(&self, route: &RouteLine) -> String {
        let (from, to) = (self.city(route.from), self.city(route.to));
        format!("the route of {} from {from} to {to}", route.good)
    }

    /// A lasting effect.
    pub(super) fn effect(&self, effect: &Effect) -> String {
        match effect {
            Effect::NoIncome { city } => format!("{} earns nothing", self.city(*city)),
            Effect::NoRecruits { city } => format!("{} recruits nobody", self.city(*city)),
            Effect::Protected { city } => format!("{} is under protection", self.city(*city)),
            Effect::Master { city } => format!("a master settles in {}", self.city(*city)),
            Effect::Surplus { good } => format!("{good} earns nothing"),
            Effect::Scarcity { good } => format!("{good} earns double"),
            Effect::Held { units } => {
                format!("{}{} may not move nor attack", self.units(units), self.among(units))
            }
            Effect::Pinned { units } => {
                let (units, place) = (self.units(units), self.among(units));
                format!("{units}{place} may neither move nor attack, by order of the Church")
            }
        }
    }

    /// Where units are, as ` in Portovena [3, 5]`; empty where they are not together.
    fn among(&self, units: &[u32]) -> String {
        self.from(units).replacen(" from ", " in ", 1)
    }

    /// What a spy aims at.
    pub(super) fn target(&self, target: Target) -> String {
        match target {
            Target::Unit(it) => format!("{}{}", self.unit(it.unit), self.where_is(it.unit)),
            Target::Stack(it) => {
                format!("the stack of {} in {}", prince(it.owner), self.place(it.hex))
            }
            Target::City(it) => self.city(it.city),
            Target::Player(it) => prince(it.player),
        }
    }

    /// What a deal holds.
    pub(super) fn items(&self, items: &[DealItem]) -> String {
        let text = |item: &DealItem| match item {
            DealItem::Gold(it) => {
                format!("{} gold from {} to {}", it.amount, prince(it.from), prince(it.to))
            }
            DealItem::Unit(it) => {
                format!("{} from {} to {}", self.unit(it.unit), prince(it.from), prince(it.to))
            }
            DealItem::City(it) => {
                format!("{} from {} to {}", self.city(it.city), prince(it.from), prince(it.to))
            }
            DealItem::Favor(it) => {
                format!("the favour from {} to {}", prince(it.from), prince(it.to))
            }
            DealItem::Treaty(it) => {
                let [one, other] = it.between;
                format!("a treaty of {} and {}", prince(one), prince(other))
            }
            DealItem::Promise(it) => {
                format!("{} promises {}: {}", prince(it.from), prince(it.to), it.text)
            }
        };
        items.iter().map(text).collect::<Vec<_>>().join("; ")
    }
}

/// The same of an owner, who may be nobody.
pub(super) fn named(owner: Option<Player>) -> String {
    owner.map_or_else(|| "nobody".to_owned(), prince)
}

/// A sentence with a capital at its head.
pub(super) fn upper(text: String) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
