//! How an action within a range is put together, choice by choice.
//!
//! Must not hold a rule: whether what is offered leads anywhere is asked of the chapters.

use serde_json::json;

use super::ranges::{Range, covers};
use crate::action::{
    Action, Advance, Attack, DealItem, Disembark, Embark, Move, Player, PromiseItem, ProposeDeal,
};
use crate::ch13_movement;
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::State;
use crate::tables::Kind;
use umpire_core::board::hex::Hex;
use umpire_core::game::{Draft, Step};

/// What may be chosen next of an action of a range; `None` where nothing in the range begins so.
pub(crate) fn steps(
    setup: &Setup,
    state: &State,
    range: &Range,
    draft: &Draft,
) -> Option<Vec<Step>> {
    Builder { setup, state, range, draft }.steps()
}

/// An action that is being put together.
#[derive(Clone, Copy)]
struct Builder<'a> {
    setup: &'a Setup,
    state: &'a State,
    range: &'a Range,
    draft: &'a Draft,
}

impl Builder<'_> {
    fn steps(self) -> Option<Vec<Step>> {
        match self.range {
            Range::Bid { most, .. } => self.bid(*most),
            Range::Spy { most, .. } => {
                self.only(&["gold"])?;
                let gold: Option<u64> = self.draft.part("gold")?;
                let step = Step::number("/gold", 1, u64::from(*most));
                is_open_or(gold, |it| (1..=u64::from(*most)).contains(&it))?;
                Some(step.filter(|_| gold.is_none()).into_iter().collect())
            }
            Range::Disband { count, units, .. } => {
                self.only(&["units"])?;
                let chosen = self.units(units)?;
                let left = chosen.len() < *count as usize;
                let more = rest(units, &chosen).filter(|_| left);
                Some(Step::values("/units/-", more).into_iter().collect())
            }
            Range::ProposeDeal { .. } => self.deal(),
            Range::Move { player, units, .. } => self.walk(*player, units),
            Range::Embark { player, ship, units, .. } => {
                self.only(&["ship", "units"])?;
                let given = |units: &[u32]| {
                    Action::Embark(Embark { player: *player, ship: *ship, units: units.to_vec() })
                };
                let mut steps = self.fixed("ship", *ship)?;
                steps.extend(self.group(units, &|units| self.fits(&given(units)))?);
                Some(steps)
            }
            Range::Disembark { player, ship, to, units } => {
                self.only(&["ship", "to", "units"])?;
                let given = |units: &[u32]| {
                    let units = units.to_vec();
                    Action::Disembark(Disembark { player: *player, ship: *ship, units, to: *to })
                };
                let mut steps = self.fixed("ship", *ship)?;
                steps.extend(self.fixed("to", *to)?);
                steps.extend(self.group(units, &|units| self.fits(&given(units)))?);
                Some(steps)
            }
            Range::Attack { player, target, units, owner } => {
                self.only(&["target", "units", "owner"])?;
                let given = |units: &[u32]| {
                    let units = units.to_vec();
                    let (player, target, owner) = (*player, *target, *owner);
                    Action::Attack(Attack { player, target, units, owner })
                };
                let mut steps = self.fixed("target", *target)?;
                match owner {
                    Some(owner) => steps.extend(self.fixed("owner", *owner)?),
                    None => self.only(&["target", "units"])?,
                }
                steps.extend(self.group(units, &|units| self.fits(&given(units)))?);
                Some(steps)
            }
            Range::DeclareTargets { units, .. } => {
                self.only(&["targets", "all"])?;
                let aims: Option<Vec<(u32, u32)>> = self.draft.part("targets")?;
                let aims = aims.unwrap_or_default();
                let open = units.iter().filter(|it| aims.iter().all(|aim| aim.0 != it.unit));
                let pairs = open.clone().flat_map(|it| it.targets.iter().map(|&to| (it.unit, to)));
                let legal = |&(unit, to): &(u32, u32)| {
                    units.iter().any(|it| it.unit == unit && it.targets.contains(&to))
                };
                let once = |at: usize| aims[..at].iter().all(|it| it.0 != aims[at].0);
                if !aims.iter().all(legal) || !(0..aims.len()).all(once) {
                    return None;
                }
                let mut steps: Vec<Step> = Step::values("/targets/-", pairs).into_iter().collect();
                let first = open.clone().next().map_or(&[][..], |it| &it.targets);
                let shared = |to: &u32| open.clone().all(|it| it.targets.contains(to));
                let shared: Vec<u32> = first.iter().copied().filter(shared).collect();
                if self.draft.part::<u32>("all")?.is_none() {
                    steps.extend(Step::values("/all", shared));
                }
                Some(steps)
            }
            Range::Advance { player, units } => {
                self.only(&["units"])?;
                let given = |units: &[u32]| {
                    Action::Advance(Advance { player: *player, units: units.to_vec() })
                };
                let chosen: Option<Vec<u32>> = self.draft.part("units")?;
                let mut steps: Vec<Step> = Vec::new();
                if chosen.is_none() && self.fits(&given(&[])) {
                    steps.extend(Step::values("/units", [json!([])]));
                }
                steps.extend(self.group(units, &|units| self.fits(&given(units)))?);
                Some(steps)
            }
        }
    }

    /// Whether nothing else is chosen.
    fn only(self, keys: &[&str]) -> Option<()> {
        self.draft.has_only(keys).then_some(())
    }

    /// Whether the range covers an action.
    fn fits(self, action: &Action) -> bool {
        covers(self.setup, self.state, self.range, action)
    }

    /// A field that has one value throughout the range.
    fn fixed<T: serde::de::DeserializeOwned + serde::Serialize + PartialEq>(
        self,
        key: &str,
        value: T,
    ) -> Option<Vec<Step>> {
        match self.draft.part::<T>(key)? {
            None => Some(Step::values(format!("/{key}"), [value]).into_iter().collect()),
            Some(chosen) => (chosen == value).then(Vec::new),
        }
    }

    /// The units chosen so far: each of the range, and once.
    fn units(self, all: &[u32]) -> Option<Vec<u32>> {
        let chosen: Vec<u32> = self.draft.part("units")?.unwrap_or_default();
        let once = |(at, unit): (usize, &u32)| all.contains(unit) && !chosen[..at].contains(unit);
        chosen.iter().enumerate().all(once).then_some(chosen)
    }

    /// One more unit that can be part of a legal group with those chosen.
    fn group(self, all: &[u32], legal: &dyn Fn(&[u32]) -> bool) -> Option<Vec<Step>> {
        let chosen = self.units(all)?;
        let grows = |unit: &u32| self.can_become_legal(all, &with(&chosen, *unit), legal);
        let more: Vec<u32> = rest(all, &chosen).filter(grows).collect();
        Some(Step::values("/units/-", more).into_iter().collect())
    }

    /// Whether a group is legal, or is so with more units of the range: somebody who leads it, or all of its hexes.
    fn can_become_legal(self, all: &[u32], group: &[u32], legal: &dyn Fn(&[u32]) -> bool) -> bool {
        let hex = |unit: u32| self.state.unit(unit).map(|it| it.at);
        let leads = |unit: &u32| {
            let unit = self.state.unit(*unit);
            unit.is_some_and(|it| it.kind == Kind::Officer || it.kind.is_warship())
        };
        if legal(group) || rest(all, group).filter(leads).any(|it| legal(&with(group, it))) {
            return true;
        }
        let mut hexes: Vec<At> = group.iter().filter_map(|&unit| hex(unit)).collect();
        hexes.sort_unstable();
        hexes.dedup();
        // From each hex somebody who leads those of it, where they need one.
        let mut led = group.to_vec();
        for at in &hexes {
            let here = |unit: &u32| hex(*unit) == Some(*at);
            let own: Vec<u32> = group.iter().copied().filter(here).collect();
            let mut leaders = rest(all, group).filter(here).filter(leads);
            if !legal(&own) {
                led.extend(leaders.find(|&it| legal(&with(&own, it))));
            }
        }
        if led.len() > group.len() && legal(&led) {
            return true;
        }
        let of_these = |unit: &u32| hex(*unit).is_some_and(|it| hexes.contains(&it));
        let whole: Vec<u32> = all.iter().copied().filter(of_these).collect();
        legal(&whole)
    }

    /// Gold up to all, and whether the trading is skipped.
    fn bid(self, most: u32) -> Option<Vec<Step>> {
        self.only(&["amount", "skip_trading"])?;
        let amount: Option<u64> = self.draft.part("amount")?;
        is_open_or(amount, |it| it <= u64::from(most))?;
        let skip: Option<bool> = self.draft.part("skip_trading")?;
        let amount = Step::number("/amount", 0, u64::from(most)).filter(|_| amount.is_none());
        let skip = Step::values("/skip_trading", [false, true]).filter(|_| skip.is_none());
        Some(amount.into_iter().chain(skip).collect())
    }

    /// Units of the stack first, then hex after hex.
    fn walk(self, player: Player, all: &[u32]) -> Option<Vec<Step>> {
        self.only(&["units", "path"])?;
        let Builder { setup, state, .. } = self;
        let chosen = self.units(all)?;
        let path: Vec<Hex> = self.draft.part("path")?.unwrap_or_default();
        let hex = |at: At| setup.map.place(at).hex;
        let goes = |units: &[u32], path: &[Hex]| {
            let it = Move { player, units: units.to_vec(), path: path.to_vec() };
            ch13_movement::check_move(setup, state, &it).is_ok()
        };
        if !path.is_empty() && !goes(&chosen, &path) {
            return None;
        }
        let start = |units: &[u32]| units.first().and_then(|&it| state.unit(it)).map(|it| it.at);
        let end = match path.last() {
            Some(&last) => setup.map.find(last),
            None => start(&chosen),
        };
        let around = |at: At| setup.map.around(at).map(hex);
        let onward = end.into_iter().flat_map(around).filter(|&next| {
            let longer: Vec<Hex> = path.iter().copied().chain([next]).collect();
            goes(&chosen, &longer)
        });
        let onward: Vec<Hex> = onward.collect();
        let sets_out = |units: &[u32]| {
            start(units).into_iter().flat_map(around).any(|next| goes(units, &[next]))
        };
        let mut steps: Vec<Step> = Vec::new();
        if path.is_empty() {
            steps.extend(self.group(all, &sets_out)?);
        }
        steps.extend(Step::values("/path/-", onward));
        Some(steps)
    }

    /// Item after item: what kind, who gives, who receives, what.
    fn deal(self) -> Option<Vec<Step>> {
        self.only(&["items"])?;
        let Range::ProposeDeal { player, parties, gold, units, cities, favor, treaties } =
            self.range
        else {
            return None;
        };
        let drafts = self.draft.members("items")?;
        let mut items: Vec<DealItem> = Vec::new();
        let mut open: Option<&Draft> = None;
        for draft in &drafts {
            // Only the last one may be open.
            if open.is_some() {
                return None;
            }
            match draft.whole::<DealItem>() {
                Some(item) => items.push(item),
                None => open = Some(draft),
            }
        }
        let given = |test: &dyn Fn(&DealItem) -> bool| items.iter().any(test);
        let gold_of = |party: Player| {
            let paid = items.iter().map(|item| match item {
                DealItem::Gold(it) if it.from == party => it.amount,
                _ => 0,
            });
            let all = u64::from(gold.get(&party).copied().unwrap_or(0));
            all.saturating_sub(paid.fold(0, u64::saturating_add))
        };
        let units_of = |party: Player| -> Vec<u32> {
            let free =
                |unit: &u32| !given(&|item| matches!(item, DealItem::Unit(it) if it.unit == *unit));
            units.get(&party).into_iter().flatten().copied().filter(free).collect()
        };
        let cities_of = |party: Player| -> Vec<u8> {
            let free =
                |city: &u8| !given(&|item| matches!(item, DealItem::City(it) if it.city == *city));
            cities.get(&party).into_iter().flatten().copied().filter(free).collect()
        };
        let favor = favor.filter(|_| !given(&|item| matches!(item, DealItem::Favor(_))));
        let treaties: Vec<[Player; 2]> = {
            let same = |a: [Player; 2], b: [Player; 2]| a == b || a == [b[1], b[0]];
            let free = |pair: &[Player; 2]| {
                !given(&|item| matches!(item, DealItem::Treaty(it) if same(it.between, *pair)))
            };
            treaties.iter().copied().filter(free).collect()
        };
        let givers = |kind: &str| -> Vec<Player> {
            let gives = |&party: &Player| match kind {
                "gold" => gold_of(party) > 0,
                "unit" => !units_of(party).is_empty(),
                "city" => !cities_of(party).is_empty(),
                "favor" => favor == Some(party),
                "promise" => true,
                _ => false,
            };
            parties.iter().copied().filter(gives).collect()
        };
        let Some(draft) = open else {
            // What is there must stand; that the proposer is a party may come later.
            let to = parties.iter().copied().find(|it| it != player)?;
            let promise = PromiseItem { from: *player, to, text: String::new() };
            let rest = items.iter().cloned().chain([DealItem::Promise(promise)]);
            let proposal = ProposeDeal { player: *player, items: rest.collect() };
            self.fits(&Action::ProposeDeal(proposal)).then_some(())?;
            let mut kinds: Vec<&str> = ["gold", "unit", "city", "favor", "promise"].to_vec();
            kinds.retain(|kind| !givers(kind).is_empty());
            if !treaties.is_empty() {
                kinds.push("treaty");
            }
            let kinds = kinds.into_iter().map(|kind| json!({ "kind": kind }));
            return Some(Step::values("/items/-", kinds).into_iter().collect());
        };
        let at = |key: &str| format!("/items/{}/{key}", items.len());
        let kind: String = draft.part("kind")??;
        if kind == "treaty" {
            return Some(Step::values(at("between"), treaties).into_iter().collect());
        }
        let givers = givers(&kind);
        let Some(from) = draft.part::<Player>("from")? else {
            return Some(Step::values(at("from"), givers).into_iter().collect());
        };
        givers.contains(&from).then_some(())?;
        let others = parties.iter().copied().filter(|&it| it != from);
        let Some(to) = draft.part::<Player>("to")? else {
            return Some(Step::values(at("to"), others).into_iter().collect());
        };
        (to != from && parties.contains(&to)).then_some(())?;
        let step = match kind.as_str() {
            "gold" => Step::number(at("amount"), 1, gold_of(from)),
            "unit" => Step::values(at("unit"), units_of(from)),
            "city" => Step::values(at("city"), cities_of(from)),
            "promise" => Some(Step::text(at("text"))),
            _ => None,
        };
        Some(step.into_iter().collect())
    }
}

/// Whether a number is not chosen yet, or can stand.
fn is_open_or(chosen: Option<u64>, can_stand: impl Fn(u64) -> bool) -> Option<()> {
    chosen.is_none_or(can_stand).then_some(())
}

/// Those that are not chosen.
fn rest<'a>(all: &'a [u32], chosen: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    all.iter().copied().filter(move |it| !chosen.contains(it))
}

/// A group and one more.
fn with(group: &[u32], unit: u32) -> Vec<u32> {
    group.iter().copied().chain([unit]).collect()
}
