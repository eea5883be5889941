//! The map of a record, checked and worked out: kinds, links, prices and distances of the areas.
//!
//! Must not know who is where.

use std::sync::Arc;

use super::data::{AreaData, AreaKind};
use super::faults::{CODE, check_id};
use super::ids::{Area, Areas};
use super::worked_out::Setup;
use crate::rulebook::{CostBasis, Rule};
use crate::tables::AREAS;
use crate::{Checked, Refusal};
use umpire_core::wire::{Name, NameTable};

/// The fewest towns of a map: each unit that is deployed has its own (DRG-2.5).
const FEWEST_TOWNS: usize = 16;

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
    /// Invariant 18: links symmetric, a road if and only if both ends are towns, the map
    /// connected without hills, each hill linked only to countryside, at least 16 towns.
    pub(super) fn lay_map(&mut self, map: &[AreaData]) -> Checked {
        for (at, data) in map.iter().enumerate() {
            self.lay_area(at, data)?;
        }
        for (at, data) in map.iter().enumerate() {
            for (index, id) in data.roads.iter().enumerate() {
                self.lay_link((at, data), id, true, format!("/map/{at}/roads/{index}"))?;
            }
            for (index, id) in data.trails.iter().enumerate() {
                self.lay_link((at, data), id, false, format!("/map/{at}/trails/{index}"))?;
            }
        }
        self.check_both_ends()?;
        if self.towns.len() < FEWEST_TOWNS {
            let towns = self.towns.len();
            let message = format!("the map has {towns} towns; at least {FEWEST_TOWNS} are needed");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at("/map").invariant(18));
        }
        if self.coast.is_empty() {
            let message = "no area is coastal: the pirates could not land";
            return Err(Refusal::new(Rule::C5_7, CODE, message).at("/map"));
        }
        for area in self.areas.iter() {
            self.measure(area);
            self.price_links(area);
            let rings = &self.rings[area.index()];
            let distance = rings.iter().position(|ring| ring.meets(self.hills));
            self.to_hills[area.index()] = distance.unwrap_or(AREAS) as u8;
        }
        self.check_connected()?;
        self.check_hills_linked()
    }

    /// DRG-5.5 The kind of an area; a hill is not by the sea.
    fn lay_area(&mut self, at: usize, data: &AreaData) -> Checked {
        let area = Area::at(at);
        self.area_ids[at] = data.id;
        match data.kind {
            AreaKind::Town => self.towns.insert(area),
            AreaKind::Countryside => self.countryside.insert(area),
            AreaKind::Hill => self.hills.insert(area),
        }
        if data.coastal {
            if data.kind == AreaKind::Hill {
                let message = format!(
                    "{} is a hill by the sea: pirates would land in it, and no pirate may enter a hill",
                    data.id
                );
                let pointer = format!("/map/{at}/coastal");
                return Err(Refusal::new(Rule::C5_5, CODE, message).at(pointer));
            }
            self.coast.insert(area);
        }
        Ok(())
    }

    /// DRG-1.4 One end of a link: to another area, given once, a road between towns and nowhere
    /// else, from a hill only to countryside.
    fn lay_link(
        &mut self,
        (at, data): (usize, &AreaData),
        id: &Name,
        road: bool,
        pointer: String,
    ) -> Checked {
        let from = data.id;
        let Some(other) = self.area(id) else {
            let message = format!("{from} is linked to {id}, which is no area of the map");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        };
        if other.index() == at || self.links[at].contains(other) {
            let message =
                format!("the link from {from} to {id} is given twice or joins an area to itself");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        }
        self.links[at].insert(other);
        let towns = data.kind == AreaKind::Town && self.towns.contains(other);
        if towns != road {
            let line = if road { "road" } else { "trail" };
            let message = format!(
                "a {line} joins {from} and {id}: a link is a road if and only if both ends are towns"
            );
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        }
        if data.kind == AreaKind::Hill && !self.countryside.contains(other) {
            let message = format!("the hill {from} is linked to {id}: hills join only countryside");
            return Err(Refusal::new(Rule::C1_4, CODE, message).at(pointer).invariant(18));
        }
        if road {
            self.roads[at].insert(other);
        }
        Ok(())
    }

    /// DRG-1.4 A link is given from both of its ends.
    fn check_both_ends(&self) -> Checked {
        for area in self.areas.iter() {
            for other in self.links[area.index()].iter() {
                if !self.links[other.index()].contains(area) {
                    let (from, to) = (self.area_id(area), self.area_id(other));
                    let message =
                        format!("{from} is linked to {to}, but {to} is not linked to {from}");
                    return Err(Refusal::new(Rule::C1_4, CODE, message)
                        .at(format!("/map/{}", area.index()))
                        .invariant(18));
                }
            }
        }
        Ok(())
    }

    /// DRG-1.4 Without hills the map is in one part.
    fn check_connected(&self) -> Checked {
        let inland = self.areas.minus(self.hills);
        let start = inland.lowest().unwrap_or(Area::at(0));
        let (mut reached, mut edge) = (Areas::one(start), Areas::one(start));
        while !edge.is_empty() {
            edge = self.around(edge).and(inland).minus(reached);
            reached = reached.or(edge);
        }
        if reached == inland {
            return Ok(());
        }
        let lost = inland.minus(reached).lowest().unwrap_or(start);
        let (from, to) = (self.area_id(start), self.area_id(lost));
        let message =
            format!("the map is not connected without hills: no way leads from {from} to {to}");
        Err(Refusal::new(Rule::C1_4, CODE, message).at("/map").invariant(18))
    }

    /// DRG-1.4 A hill is linked to something.
    fn check_hills_linked(&self) -> Checked {
        for hill in self.hills.iter() {
            if self.links[hill.index()].is_empty() {
                let message = format!("the hill {} is linked to nothing", self.area_id(hill));
                return Err(Refusal::new(Rule::C1_4, CODE, message)
                    .at(format!("/map/{}", hill.index()))
                    .invariant(18));
            }
        }
        Ok(())
    }

    /// DRG-5.2 The links of an area by price: by the line, or by the area entered under DRG-R34 =
    /// `destination`.
    pub(super) fn price_links(&mut self, from: Area) {
        let links = self.links[from.index()];
        let near = links.minus(self.hills);
        let easy = match self.rulings.cost_basis {
            CostBasis::Line => self.roads[from.index()],
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
            reached = reached.or(ring);
        }
    }

    /// DRG-1.4 The areas linked to some.
    pub(crate) fn around(&self, areas: Areas) -> Areas {
        areas.iter().fold(Areas::NONE, |all, area| all.or(self.links[area.index()]))
    }
}
