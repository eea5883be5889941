//! The deployments as one range: too many to list.
//!
//! Must not know what a deployment must fulfil but by chapter 2 and the setup.

use serde_json::json;

use crate::action::{Action, Deploy, Placement, Range, RangeType, Side};
use crate::ch02_setup;
use crate::ch09_draws::GUESSES;
use crate::setup::Setup;
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::{Draft, Step};
use umpire_core::wire::Name;

/// DRG-2.3, DRG-2.4, DRG-2.5 Every legal deployment, described.
pub(super) fn range(setup: &Setup) -> Range {
    Range {
        r#type: RangeType::Deploy,
        player: Side::Rapalline,
        units: setup.deployable().iter().map(|unit| setup.unit_id(unit)).collect(),
        areas: setup.deployment_areas().iter().map(|area| setup.area_id(area)).collect(),
        most_per_area: ch02_setup::most_per_area(setup),
    }
}

/// A deployment within a range: each unit in turn into one of the towns that still take one.
pub(crate) fn sample(range: &Range, chance: &mut dyn Chance) -> Result<Action, Halt> {
    let mut open = range.areas.clone();
    let mut placements = Vec::with_capacity(range.units.len());
    for &unit in &range.units {
        let what = What::Hidden { n: open.len().max(1) as u32 };
        let pick = chance.answer(&Ask { stream: GUESSES, what })? as usize;
        let Some(&area) = open.get(pick) else { break };
        if range.most_per_area.is_some() {
            open.remove(pick);
        }
        placements.push(Placement { unit, area });
    }
    Ok(Action::Deploy(Deploy { player: range.player, placements }))
}

/// Whether an action lies within a range.
pub(crate) fn covers(range: &Range, action: &Action) -> bool {
    let Action::Deploy(sent) = action else { return false };
    let once = |unit: &Name| sent.placements.iter().filter(|it| it.unit == *unit).count() == 1;
    let most = |area: &Name| {
        let there = sent.placements.iter().filter(|it| it.area == *area).count();
        range.most_per_area.is_none_or(|most| there <= usize::from(most))
    };
    sent.player == range.player
        && sent.placements.len() == range.units.len()
        && range.units.iter().all(once)
        && sent.placements.iter().all(|it| range.areas.contains(&it.area))
        && range.areas.iter().all(most)
}

/// What may be chosen next of a deployment: a unit that has no town, then its town.
pub(crate) fn steps(range: &Range, draft: &Draft) -> Option<Vec<Step>> {
    let drafts = draft.members("placements")?;
    draft.has_only(&["placements"]).then_some(())?;
    let placed: Vec<Placement> = drafts.iter().map_while(Draft::whole).collect();
    let is_free = |area: &Name| {
        let there = placed.iter().filter(|it| it.area == *area).count();
        range.most_per_area.is_none_or(|most| there < usize::from(most))
    };
    let areas = || range.areas.iter().copied().filter(is_free);
    let is_left = |unit: &Name| placed.iter().all(|it| it.unit != *unit);
    let stands = |(at, it): (usize, &Placement)| {
        let most = range.most_per_area.map_or(usize::MAX, usize::from);
        range.units.contains(&it.unit)
            && range.areas.contains(&it.area)
            && placed[..at].iter().all(|before| before.unit != it.unit)
            && placed[..at].iter().filter(|before| before.area == it.area).count() < most
    };
    if !placed.iter().enumerate().all(stands) {
        return None;
    }
    let at = placed.len();
    let step = match &drafts[at..] {
        [] => {
            let units = range.units.iter().copied().filter(is_left);
            Step::values("/placements/-", units.map(|unit| json!({ "unit": unit })))
        }
        [open] => {
            let unit: Name = open.part("unit")??;
            let empty = open.part::<Name>("area")?.is_none();
            (empty && range.units.contains(&unit) && is_left(&unit)).then_some(())?;
            Step::values(format!("/placements/{at}/area"), areas())
        }
        _ => return None,
    };
    Some(step.into_iter().collect())
}
