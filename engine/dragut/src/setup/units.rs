//! The units of a record, checked and worked out: the arithmetic of A.1.
//!
//! Must not know where a unit is during a game.

use super::data::{Start, UnitData, UnitKind};
use super::faults::{CODE, check_id};
use super::ids::Unit;
use super::worked_out::Setup;
use crate::action::Side;
use crate::rulebook::Rule;
use crate::tables::units::{PIRATES, units};
use crate::tables::{NUMBER, UNITS};
use crate::{Checked, Refusal};
use umpire_core::wire::NameTable;

impl Setup {
    /// The arithmetic of A.1: the seven counters of the pirates as both editions give them, and
    /// 16 or 17 Rapalline units of which one Soldier is held back.
    pub(super) fn lay_units(&mut self, counters: &[UnitData]) -> Checked {
        check_number(counters)?;
        check_pirate_force(counters)?;
        for (at, data) in counters.iter().enumerate() {
            let pointer = format!("/units/{at}");
            check_id(&data.id, &format!("{pointer}/id"), "unit")?;
            if counters[..at].iter().any(|earlier| earlier.id == data.id) {
                let message = format!("{} is given twice", data.id);
                let pointer = format!("{pointer}/id");
                return Err(Refusal::new(Rule::C1_1, CODE, message).at(pointer));
            }
            self.unit_ids[at] = data.id;
            self.kinds[at] = data.kind;
            self.all.insert(Unit::at(at));
            if at < PIRATES {
                self.values[at] = data.value.unwrap_or(0);
            } else {
                self.lay_townsperson(Unit::at(at), data, pointer)?;
            }
        }
        self.check_townspeople(counters)?;
        self.unit_of = NameTable::new(&self.unit_ids[..counters.len()]);
        let mut by_id: Vec<Unit> = self.all.iter().collect();
        let ids = self.unit_ids;
        by_id.sort_unstable_by_key(|unit| ids[unit.index()]);
        self.by_id = by_id.into();
        Ok(())
    }

    /// One Rapalline unit: its side, its values, and where it starts.
    fn lay_townsperson(&mut self, unit: Unit, data: &UnitData, pointer: String) -> Checked {
        if data.kind.side() != Side::Rapalline {
            let message =
                format!("{} is an eighth unit of the pirates; A.1 has exactly 7", data.id);
            return Err(Refusal::new(Rule::C2_7, CODE, message).at(pointer));
        }
        self.rapalline.insert(unit);
        self.lay_value(unit, data, &pointer)?;
        self.lay_lesser_value(unit, data, &pointer)?;
        if data.kind == UnitKind::Giulia {
            self.giulia = unit;
        }
        self.lay_start(unit, data, &pointer)
    }

    /// DRG-6.4, DRG-6.8 Every unit has a value but the Arquebusier.
    fn lay_value(&mut self, unit: Unit, data: &UnitData, pointer: &str) -> Checked {
        match (data.kind, data.value) {
            (UnitKind::Arquebusier, None) => self.arquebusiers.insert(unit),
            (UnitKind::Arquebusier, Some(_)) => {
                let message = "the Arquebusier has no combat value";
                let pointer = format!("{pointer}/value");
                return Err(Refusal::new(Rule::C6_8, CODE, message).at(pointer));
            }
            (_, None) => {
                let message = format!("{} needs a combat value", data.id);
                return Err(Refusal::new(Rule::C6_4, CODE, message).at(pointer));
            }
            (_, Some(value)) if value > NUMBER => {
                let message = format!("the value of {} is above {NUMBER}", data.id);
                let pointer = format!("{pointer}/value");
                return Err(Refusal::new(Rule::C6_4, CODE, message).at(pointer));
            }
            (_, Some(value)) => self.values[unit.index()] = value,
        }
        Ok(())
    }

    /// DRG-10.3 Bartolomeo has a lesser value, and nobody else.
    fn lay_lesser_value(&mut self, unit: Unit, data: &UnitData, pointer: &str) -> Checked {
        match (data.kind, data.lesser_value) {
            (UnitKind::Bartolomeo, Some(value)) if value <= NUMBER => {
                (self.bartolomeo, self.lesser) = (unit, value);
                Ok(())
            }
            (UnitKind::Bartolomeo, _) => {
                let message = format!("Bartolomeo needs a lesser value of at most {NUMBER}");
                Err(Refusal::new(Rule::C10_3, CODE, message).at(pointer))
            }
            (_, Some(_)) => {
                let message = "only Bartolomeo has a lesser value";
                let pointer = format!("{pointer}/lesser_value");
                Err(Refusal::new(Rule::C10_3, CODE, message).at(pointer))
            }
            (_, None) => Ok(()),
        }
    }

    /// DRG-2.3 A Rapalline unit starts deployed; a Soldier may be held in reserve.
    fn lay_start(&mut self, unit: Unit, data: &UnitData, pointer: &str) -> Checked {
        match data.start {
            Start::Deployed => {}
            Start::Reserve if data.kind == UnitKind::Soldier => self.reserve = unit,
            Start::Reserve => {
                let message = "only a Soldier is held in reserve";
                let pointer = format!("{pointer}/start");
                return Err(Refusal::new(Rule::C2_3, CODE, message).at(pointer));
            }
            Start::AtSea | Start::Aside => {
                let message =
                    format!("{} is not a pirate: it starts deployed or in reserve", data.id);
                let pointer = format!("{pointer}/start");
                return Err(Refusal::new(Rule::C1_1, CODE, message).at(pointer));
            }
        }
        Ok(())
    }

    /// A.1: one Bartolomeo, one Giulia, an Arquebusier, one Soldier in reserve, 16 or 17 in all.
    fn check_townspeople(&self, counters: &[UnitData]) -> Checked {
        for (name, kind) in [("Bartolomeo", UnitKind::Bartolomeo), ("Giulia", UnitKind::Giulia)] {
            let count = counters.iter().filter(|data| data.kind == kind).count();
            if count != 1 {
                let message = format!("there is exactly one {name}, not {count}");
                return Err(Refusal::new(Rule::C10_3, CODE, message).at("/units"));
            }
        }
        if self.arquebusiers.is_empty() {
            let message = "there is no Arquebusier";
            return Err(Refusal::new(Rule::C6_8, CODE, message).at("/units"));
        }
        let held = counters.iter().filter(|data| data.start == Start::Reserve).count();
        if held != 1 {
            let message = format!("exactly one Soldier is held in reserve, not {held}");
            return Err(Refusal::new(Rule::C2_3, CODE, message).at("/units"));
        }
        if self.rapalline.len() != 17 && self.rapalline.len() != 16 {
            let message = format!(
                "there are {} Rapalline units; A.1 has 17 (16 under the other reading of DRG-R5)",
                self.rapalline.len()
            );
            return Err(Refusal::new(Rule::C1_1, CODE, message).at("/units").also(Rule::R5));
        }
        Ok(())
    }
}

/// A.1: the number of units.
fn check_number(counters: &[UnitData]) -> Checked {
    if (PIRATES..=UNITS).contains(&counters.len()) {
        return Ok(());
    }
    let message = format!(
        "there are {} units; A.1 has {UNITS}: 7 of the pirates and 17 of the Rapalline side (16 under the other reading of DRG-R5)",
        counters.len()
    );
    Err(Refusal::new(Rule::C1_1, CODE, message).at("/units").also(Rule::R5))
}

/// DRG-2.7 The pirate force is fixed.
fn check_pirate_force(counters: &[UnitData]) -> Checked {
    for (at, (data, ours)) in counters.iter().zip(&units()).take(PIRATES).enumerate() {
        let same = data.id == ours.id
            && data.kind == ours.kind
            && data.value == ours.value
            && data.lesser_value.is_none()
            && data.start == ours.start;
        if !same {
            let message = format!(
                "unit {at} must be {} of value {}: both editions together fix the pirate force",
                ours.id,
                ours.value.unwrap_or(0)
            );
            return Err(Refusal::new(Rule::C2_7, CODE, message).at(format!("/units/{at}")));
        }
    }
    Ok(())
}
