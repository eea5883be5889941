//! Draws an action within a range.
//!
//! Must not draw what the range does not cover.

use std::ops::ControlFlow;

use super::list::{Flow, GO, list};
use super::ranges::{Range, covers};
use crate::Doubloons;
use crate::action::{
    Action, Advance, Attack, Bid, CityItem, DealItem, DeclareTargets, Disband, Disembark, Embark,
    FavorItem, GoldItem, Move, Player, PromiseItem, ProposeDeal, Spy, TreatyItem, UnitItem,
};
use crate::ch01_terms::is_closed;
use crate::ch13_movement::{may_enter, walkers};
use crate::setup::Setup;
use crate::setup::map::At;
use crate::state::State;
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Menu;

/// Draws an action within a range.
pub(crate) fn sample(
    setup: &Setup,
    state: &State,
    range: &Range,
    chance: &mut dyn Chance,
) -> Result<Action, Halt> {
    Sampler { setup, state, chance }.of(range)
}

/// One sampling.
struct Sampler<'a> {
    setup: &'a Setup,
    state: &'a State,
    chance: &'a mut dyn Chance,
}

impl Sampler<'_> {
    /// How often a drawn action may turn out illegal before a listed one is taken.
    const TRIES: usize = 8;

    /// A number below `n`, which is at least 1.
    fn below(&mut self, n: usize) -> Result<usize, Halt> {
        let n = n.clamp(1, u32::MAX as usize) as u32;
        Ok(self.chance.answer(&Ask { stream: 0, what: What::Hidden { n } })? as usize)
    }

    /// A number up to `most`.
    fn up_to(&mut self, most: u32) -> Result<u32, Halt> {
        let n = most.saturating_add(1);
        self.chance.answer(&Ask { stream: 0, what: What::Hidden { n } })
    }

    /// One of these, if there is any.
    fn one<T: Copy>(&mut self, all: &[T]) -> Result<Option<T>, Halt> {
        if all.is_empty() {
            return Ok(None);
        }
        Ok(Some(all[self.below(all.len())?]))
    }

    /// `count` of these, in their order.
    fn some(&mut self, all: &[u32], count: usize) -> Result<Vec<u32>, Halt> {
        let mut left = all.to_vec();
        let mut some = Vec::with_capacity(count);
        while some.len() < count && !left.is_empty() {
            let at = self.below(left.len())?;
            some.push(left.swap_remove(at));
        }
        some.sort_unstable();
        Ok(some)
    }

    /// Any number of these, at least `least`.
    fn any(&mut self, all: &[u32], least: usize) -> Result<Vec<u32>, Halt> {
        let count = least + self.below((all.len() + 1).saturating_sub(least))?;
        self.some(all, count)
    }

    /// An action within the range.
    fn of(&mut self, range: &Range) -> Result<Action, Halt> {
        match range {
            Range::Bid { player, most } => {
                let amount = u64::from(self.up_to(*most)?);
                let skip_trading = self.below(2)? == 1;
                return Ok(Action::Bid(Bid { player: *player, amount, skip_trading }));
            }
            Range::Spy { player, most } => {
                let gold = 1 + u64::from(self.up_to(most.saturating_sub(1))?);
                return Ok(Action::Spy(Spy { player: *player, gold }));
            }
            Range::Disband { player, count, units } => {
                let units = self.some(units, *count as usize)?;
                return Ok(Action::Disband(Disband { player: *player, units }));
            }
            Range::DeclareTargets { player, units } => {
                let mut targets = Vec::with_capacity(units.len());
                for aims in units {
                    targets.extend(self.one(&aims.targets)?.map(|target| (aims.unit, target)));
                }
                let it = DeclareTargets { player: *player, targets, all: None };
                return Ok(Action::DeclareTargets(it));
            }
            _ => {}
        }
        for _ in 0..Self::TRIES {
            let action = match range {
                Range::ProposeDeal { player, parties, .. } => self.deal(*player, parties, range)?,
                Range::Move { player, units, .. } => self.walk(*player, units)?,
                Range::Embark { player, ship, units, room, .. } => {
                    let mut units = self.any(units, 1)?;
                    units.truncate(*room as usize);
                    Action::Embark(Embark { player: *player, ship: *ship, units })
                }
                Range::Disembark { player, ship, to, units } => {
                    let units = self.any(units, 1)?;
                    Action::Disembark(Disembark { player: *player, ship: *ship, units, to: *to })
                }
                Range::Attack { player, target, units, owner } => {
                    let units = self.any(units, 1)?;
                    let (player, target, owner) = (*player, *target, *owner);
                    Action::Attack(Attack { player, target, units, owner })
                }
                Range::Advance { player, units } => {
                    let units = self.any(units, 0)?;
                    Action::Advance(Advance { player: *player, units })
                }
                Range::Bid { .. }
                | Range::Spy { .. }
                | Range::Disband { .. }
                | Range::DeclareTargets { .. } => break,
            };
            if covers(self.setup, self.state, range, &action) {
                return Ok(action);
            }
        }
        Ok(self.listed(range))
    }

    /// The first listed action that lies in the range. Every range has one, except that of
    /// deals, in which a promise always lies.
    fn listed(&self, range: &Range) -> Action {
        struct First<'a> {
            setup: &'a Setup,
            state: &'a State,
            range: &'a Range,
            found: Option<Action>,
        }
        impl Menu<Doubloons> for First<'_> {
            fn action(&mut self, action: Action) -> Flow {
                if covers(self.setup, self.state, self.range, &action) {
                    self.found = Some(action);
                    return ControlFlow::Break(());
                }
                GO
            }

            fn range(&mut self, _: Range) -> Flow {
                GO
            }
        }
        let player = match range {
            Range::ProposeDeal { player, .. }
            | Range::Bid { player, .. }
            | Range::Disband { player, .. }
            | Range::Spy { player, .. }
            | Range::Move { player, .. }
            | Range::Embark { player, .. }
            | Range::Disembark { player, .. }
            | Range::Attack { player, .. }
            | Range::DeclareTargets { player, .. }
            | Range::Advance { player, .. } => *player,
        };
        let mut first = First { setup: self.setup, state: self.state, range, found: None };
        let _ = list(self.setup, self.state, player.seat(), &mut first);
        let other = match range {
            Range::ProposeDeal { parties, .. } => parties.iter().copied().find(|&it| it != player),
            _ => None,
        };
        let text = "peace".to_owned();
        let promise = PromiseItem { from: player, to: other.unwrap_or(player), text };
        let items = vec![DealItem::Promise(promise)];
        first.found.unwrap_or(Action::ProposeDeal(ProposeDeal { player, items }))
    }

    /// Some units of a hex on a random way.
    fn walk(&mut self, player: Player, units: &[u32]) -> Result<Action, Halt> {
        let (setup, state) = (self.setup, self.state);
        let units = self.any(units, 1)?;
        let mut walkers = walkers(setup, state, &units);
        let mut here = units.first().and_then(|&id| state.unit(id)).map_or(0, |unit| unit.at);
        let mut path = Vec::new();
        let closed = |military, at| is_closed(setup, state, player, military, at);
        loop {
            let open: Vec<At> = setup
                .map
                .around(here)
                .filter(|&next| may_enter(setup, &walkers, here, next, closed))
                .collect();
            let Some(next) = self.one(&open)? else { break };
            walkers.iter_mut().for_each(|it| it.pay(setup, next));
            path.push(setup.map.place(next).hex);
            here = next;
            if self.below(3)? == 0 {
                break;
            }
        }
        Ok(Action::Move(Move { player, units, path }))
    }

    /// One to three things that change hands.
    fn deal(&mut self, player: Player, parties: &[Player], range: &Range) -> Result<Action, Halt> {
        let Range::ProposeDeal { gold, units, cities, favor, treaties, .. } = range else {
            return Ok(self.listed(range));
        };
        let mut items = Vec::new();
        for _ in 0..=self.below(3)? {
            let others: Vec<Player> = parties.iter().copied().filter(|&it| it != player).collect();
            let Some(other) = self.one(&others)? else { break };
            let (from, to) = if self.below(2)? == 0 { (player, other) } else { (other, player) };
            let item = match self.below(6)? {
                0 => {
                    let most = gold.get(&from).copied().unwrap_or(0);
                    let amount = u64::from(self.up_to(most)?);
                    DealItem::Gold(GoldItem { from, to, amount })
                }
                1 => match self.one(units.get(&from).map_or(&[][..], Vec::as_slice))? {
                    Some(unit) => DealItem::Unit(UnitItem { from, to, unit }),
                    None => continue,
                },
                2 => match self.one(cities.get(&from).map_or(&[][..], Vec::as_slice))? {
                    Some(city) => DealItem::City(CityItem { from, to, city }),
                    None => continue,
                },
                3 if *favor == Some(from) => DealItem::Favor(FavorItem { from, to }),
                4 => match self.one(treaties)? {
                    Some(between) => DealItem::Treaty(TreatyItem { between }),
                    None => continue,
                },
                _ => DealItem::Promise(PromiseItem { from, to, text: "peace".to_owned() }),
            };
            items.push(item);
        }
        Ok(Action::ProposeDeal(ProposeDeal { player, items }))
    }
}
