//! The map of a record, checked and worked out: kinds, links, prices and distances of the areas.
//!
//! Must not know who is where.

use std::sync::Arc;

use super::data::{AreaData, AreaKind};
use super::faults::{CODE, check_id};
use super::ids::{Area, Areas};
use super::worked_out::Setup;
use crate::rulebook::{CostBasis, DeployedIn, Landing, Nearness, Rule};
use crate::tables::AREAS;
use crate::{Checked, Refusal};
use umpire_core::game::Oddity;
use umpire_core::wire::{Name, NameTable};

/// DRG-1.4 The ids of the areas, each given once.
pub(super) fn check_area_ids(map: &[AreaData]) -> Checked<NameTable> {
    if map.len() > AREAS {
        let message = format!("the map has {} areas; {AREAS} are possible", map.len());
        return Err(Refusal::new(Rule::C1_4, CODE, message).at("/map"));
    }
    for (at, data) in map.iter().enumerate() {
        let pointer = format!("/map/{at}/id");
        check_id(&data.id, &pointer, "an area")?;
        if map[..at].iter().any(|earlier| earlier.id == data.id) {
            let message = format!("{} is given twice", data.id);
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer));
        }
    }
    let ids: Vec<Name> = map.iter().map(|data| data.id).collect();
    Ok(NameTable::new(&ids))
}

impl Setup {
    /// Invariant 18: what the clauses take for granted of a map, and no more (A.2): every line from both
    /// of its ends, one line between two areas, and somewhere to land.
    pub(super) fn lay_map(&mut self, map: &[AreaData]) -> Checked {
        for (at, data) in map.iter().enumerate() {
            self.lay_area(at, data);
        }
        for (at, data) in map.iter().enumerate() {
            for (index, id) in data.roads.iter().enumerate() {
                let to = self.lay_link((at, data), id, format!("/map/{at}/roads/{index}"))?;
                self.roads[at].insert(to);
            }
            for (index, id) in data.trails.iter().enumerate() {
                self.lay_link((at, data), id, format!("/map/{at}/trails/{index}"))?;
            }
            for (index, id) in data.touches.iter().enumerate() {
                self.lay_border((at, data), id, format!("/map/{at}/touches/{index}"))?;
            }
        }
        self.check_both_ends()?;
        for area in self.areas.iter() {
            self.measure(area);
            self.price_links(area);
            let rings = &self.rings[area.index()];
            let distance = rings.iter().position(|ring| ring.meets(self.hills));
            self.to_hills[area.index()] = distance.unwrap_or(AREAS) as u8;
        }
        self.check_marks()
    }

    /// The kind of an area and its marks.
    fn lay_area(&mut self, at: usize, data: &AreaData) {
        let area = Area::at(at);
        self.area_ids[at] = data.id;
        match data.kind {
            AreaKind::Town => self.towns.insert(area),
            AreaKind::Countryside => self.countryside.insert(area),
            AreaKind::Hill => self.hills.insert(area),
        }
        let marks = [
            (data.coastal, &mut self.coast),
            (data.landing, &mut self.landings),
            (data.borough, &mut self.borough),
        ];
        for (_, areas) in marks.into_iter().filter(|(marked, _)| *marked) {
            areas.insert(area);
        }
    }

    /// DRG-1.4 One end of a line: to another area, and the only line between the two.
    fn lay_link(
        &mut self,
        (at, data): (usize, &AreaData),
        id: &Name,
        pointer: String,
    ) -> Checked<Area> {
        let from = data.id;
        let Some(other) = self.area(id) else {
            let message = format!("{from} is linked to {id}, which is not an area of the map");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        };
        if other.index() == at || self.links[at].contains(other) {
            let message =
                format!("the link from {from} to {id} is given twice or joins an area to itself");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        }
        self.links[at].insert(other);
        Ok(other)
    }

    /// DRG-R36 One end of a border: with another area, given once.
    fn lay_border(
        &mut self,
        (at, data): (usize, &AreaData),
        id: &Name,
        pointer: String,
    ) -> Checked {
        let from = data.id;
        let other = self.area(id).filter(|other| other.index() != at);
        let Some(other) = other.filter(|other| !self.touches[at].contains(*other)) else {
            let message = format!(
                "{from} cannot touch {id}: it is not another area of the map, or is given twice"
            );
            return Err(Refusal::new(Rule::R36, CODE, message).at(pointer).invariant(18));
        };
        self.touches[at].insert(other);
        Ok(())
    }

    /// DRG-1.4, DRG-5.2 A road, a trail and a border are given from both of their ends.
    fn check_both_ends(&self) -> Checked {
        for area in self.areas.iter() {
            for other in self.links[area.index()].iter() {
                let (from, to) = (self.area_id(area), self.area_id(other));
                let back = self.links[other.index()].contains(area);
                let road = self.roads[area.index()].contains(other);
                let message = if !back {
                    format!("{from} is linked to {to}, but {to} is not linked to {from}")
                } else if road != self.roads[other.index()].contains(area) {
                    format!(
                        "the line between {from} and {to} is a road from one end and a trail from the other"
                    )
                } else {
                    continue;
                };
                return Err(Refusal::new(Rule::C1_4, CODE, message)
                    .at(format!("/map/{}", area.index()))
                    .invariant(18));
            }
            for other in self.touches[area.index()].iter() {
                if !self.touches[other.index()].contains(area) {
                    let (from, to) = (self.area_id(area), self.area_id(other));
                    let message = format!("{from} touches {to}, but {to} does not touch {from}");
                    return Err(Refusal::new(Rule::R36, CODE, message)
                        .at(format!("/map/{}", area.index()))
                        .invariant(18));
                }
            }
        }
        Ok(())
    }

    /// DRG-5.7, DRG-R6, DRG-R36, DRG-R50 The map has what the readings in force ask for.
    pub(super) fn check_marks(&self) -> Checked {
        let rulings = &self.rulings;
        let missing = if self.landing_areas().is_empty() {
            match rulings.landing {
                Landing::ByTheSea => (Rule::C5_7, "no area is coastal: the pirates could not land"),
                Landing::ThreeNamed => (Rule::R6, "no area of the map is marked as a landing"),
            }
        } else if rulings.deployed_in == DeployedIn::Borough && self.borough.is_empty() {
            (Rule::R50, "no area of the map is marked as inside the gates")
        } else if rulings.nearness == Nearness::Touching
            && self.touches.iter().all(|areas| areas.is_empty())
        {
            (Rule::R36, "the map does not say which areas touch each other")
        } else {
            return Ok(());
        };
        Err(Refusal::new(missing.0, CODE, missing.1).at("/map"))
    }

    /// DRG-1.4, DRG-5.2 What is likely a slip in a record's own map, although the game can be played on it.
    pub(crate) fn oddities(&self) -> Vec<Oddity> {
        let mut found = Vec::new();
        if self.given.map.is_none() {
            return found;
        }
        let mut add = |code, pointer: String, message: String| {
            found.push(Oddity { code, pointer, message });
        };
        for area in self.areas.iter() {
            let (id, pointer) = (self.area_id(area), format!("/map/{}", area.index()));
            if self.links[area.index()].is_empty() {
                let message = format!("no road or trail leads to {id} (DRG-1.4)");
                add("area_without_line", pointer.clone(), message);
            }
            let out = self.roads[area.index()].minus(self.towns);
            if self.towns.contains(area)
                && let Some(other) = out.lowest()
            {
                let other = self.area_id(other);
                let message = format!("a road leads out of town, from {id} to {other} (DRG-5.2)");
                add("road_out_of_town", pointer, message);
            }
        }
        let start = self.areas.lowest().unwrap_or(Area::at(0));
        let reached = self.rings[start.index()].iter().fold(Areas::NONE, |all, ring| all.or(*ring));
        if let Some(lost) = self.areas.minus(reached).lowest() {
            let (from, to) = (self.area_id(start), self.area_id(lost));
            let message =
                format!("the map is in several parts: no way leads from {from} to {to} (DRG-1.4)");
            add("map_in_parts", "/map".to_owned(), message);
        }
        found
    }

    /// A refusal that rests on a line of the map says where the lines are from.
    pub(crate) fn cite_source_of_lines(&self, refusal: Refusal) -> Refusal {
        self.cite_source(refusal, "which areas are linked")
    }

    /// A refusal that rests on the coast of the map says where the coast is from.
    pub(crate) fn cite_source_of_coast(&self, refusal: Refusal) -> Refusal {
        self.cite_source(refusal, "which areas are by the sea")
    }

    /// A refusal that rests on the gates of the town says where they are from.
    pub(crate) fn cite_source_of_gates(&self, refusal: Refusal) -> Refusal {
        self.cite_source(refusal, "which areas are inside the gates")
    }

    /// Where a datum of the map is from, if the map is not the record's own.
    fn cite_source(&self, refusal: Refusal, datum: &str) -> Refusal {
        match self.given.map {
            Some(_) => refusal,
            None => refusal.fact(datum, "a reconstruction: neither rulebook prints the map"),
        }
    }

    /// DRG-5.2 The links of an area by price: by the line, or by the area entered under DRG-R34 =
    /// `destination`.
    pub(super) fn price_links(&mut self, from: Area) {
        let links = self.links[from.index()];
        let near = links.minus(self.hills);
        let easy = match self.rulings.cost_basis {
            CostBasis::Line => near.and(self.roads[from.index()]),
            CostBasis::Destination => near.and(self.towns),
        };
        self.steps[from.index()] = [easy, near.minus(easy), links.and(self.hills)];
    }

    /// DRG-7.9 The areas around one by distance.
    fn measure(&mut self, from: Area) {
        let (mut reached, mut ring) = (Areas::one(from), Areas::one(from));
        for distance in 0..AREAS {
            Arc::make_mut(&mut self.rings)[from.index()][distance] = ring;
            ring = self.around(ring).minus(reached);
            if ring.is_empty() {
                break;
            }
            reached = reached.or(ring);
        }
    }

    /// DRG-1.4 The areas linked to some.
    pub(crate) fn around(&self, areas: Areas) -> Areas {
        areas.iter().fold(Areas::NONE, |all, area| all.or(self.links[area.index()]))
    }
}
