//! What is listed: likely actions one by one, and the ranges that describe all the rest.
//!
//! Must not list what a chapter refuses.

use std::ops::ControlFlow;

use super::ranges::Range;
use crate::action::{
    Action, Advance, AgreeEnd, Bid, DeclareTargets, Diplomacy, Disband, EndPhase, EndRoute,
    EstablishRoute, FavorFirst, FavorNegate, PayUpkeep, Player, Recruit, Resign, Spy, SpyTarget,
    StackOwner, Through, UseFavor,
};
use crate::setup::Setup;
use crate::state::{Stage, State};
use crate::tables::{FavorUse, Good, Kind, Mission};
use crate::{
    Doubloons, ch05_church, ch08_upkeep, ch11_production, ch12_spies, ch14_battle, ch15_routes,
    ch16_diplomacy, ch18_ends, sequence,
};
use umpire_core::game::{Menu, Seat};

pub(super) type Flow = ControlFlow<()>;
pub(super) const GO: Flow = ControlFlow::Continue(());

/// Lists what a seat may do.
pub(crate) fn list<M: Menu<Doubloons>>(
    setup: &Setup,
    state: &State,
    seat: Seat,
    menu: &mut M,
) -> Flow {
    let Some(player) = Player::of(seat) else { return GO };
    if state.ended.is_some() || !state.playing.contains(player) {
        return GO;
    }
    let lister = Lister { setup, state, player };
    if sequence::deciders(setup, state).contains(player) {
        lister.list_asked(menu)?;
    }
    lister.list_interrupts(menu)
}

/// One listing.
#[derive(Clone, Copy)]
pub(super) struct Lister<'a> {
    pub(super) setup: &'a Setup,
    pub(super) state: &'a State,
    pub(super) player: Player,
}

impl Lister<'_> {
    /// What the player may decide because he is asked.
    fn list_asked<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        match state.stage {
            Stage::Bid => {
                for skip_trading in [false, true] {
                    menu.action(Action::Bid(Bid { player, amount: 0, skip_trading }))?;
                }
                menu.range(Range::Bid { player, most: state.gold(player) })?;
            }
            Stage::Trading => self.list_deals(menu)?,
            Stage::FavorFirst => {
                for r#use in [false, true] {
                    menu.action(Action::FavorFirst(FavorFirst { player, r#use }))?;
                }
            }
            Stage::PayUpkeep => {
                for amount in (0..=u64::from(ch08_upkeep::most_upkeep(setup, state))).rev() {
                    menu.action(Action::PayUpkeep(PayUpkeep { player, amount }))?;
                }
            }
            Stage::Disband => {
                let kept = ch08_upkeep::kept_units(setup, state, Some(player));
                let units: Vec<u32> = kept.map(|it| it.id).collect();
                let kept = units.len().saturating_sub(state.owed as usize);
                menu.action(Action::Disband(Disband { player, units: units[kept..].to_vec() }))?;
                menu.range(Range::Disband { player, count: state.owed, units })?;
            }
            Stage::Production => self.list_recruits(menu)?,
            Stage::Spy => {
                let most = state.gold(player);
                let it = Spy { player, gold: 1 };
                if ch12_spies::check_spies(state, &it).is_ok() {
                    menu.action(Action::Spy(it))?;
                    menu.range(Range::Spy { player, most })?;
                }
            }
            Stage::SpyTarget => self.list_missions(menu)?,
            Stage::FavorNegate => {
                for r#use in [false, true] {
                    menu.action(Action::FavorNegate(FavorNegate { player, r#use }))?;
                }
            }
            Stage::Movement => self.list_orders(menu)?,
            Stage::Battle => self.list_attacks(menu)?,
            Stage::DeclareTargets => self.list_targets(menu)?,
            Stage::Advance => {
                let units: Vec<u32> =
                    ch14_battle::victors(setup, state).iter().map(|it| it.id).collect();
                for units in [Vec::new(), units.clone()] {
                    let it = Advance { player, units };
                    if ch14_battle::check_advance(setup, state, &it).is_ok() {
                        menu.action(Action::Advance(it))?;
                    }
                }
                menu.range(Range::Advance { player, units })?;
            }
            Stage::Routes => self.list_routes(menu)?,
            Stage::Diplomacy => {
                for city in 1..=setup.map.cities() {
                    for favor in [false, true] {
                        let it = Diplomacy { player, city, favor };
                        if ch16_diplomacy::check_diplomacy(setup, state, &it).is_ok() {
                            menu.action(Action::Diplomacy(it))?;
                        }
                    }
                }
            }
            Stage::Event | Stage::TurnOrder | Stage::Upkeep | Stage::GameOver => {}
        }
        let ends = std::iter::once(None).chain(Through::ALL.iter().copied().map(Some));
        for through in ends {
            let it = EndPhase { player, through };
            if ch08_upkeep::check_end_phase(state, &it).is_ok() {
                menu.action(Action::EndPhase(it))?;
            }
        }
        GO
    }

    /// DBD-15.3, DBD-15.8 Routes of merchants, those that need none (DBD-R72, DBD-R95), and those that may be ended (DBD-R96).
    fn list_routes<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let mut open = |it: EstablishRoute| match ch15_routes::check_route(setup, state, &it) {
            Ok(_) => menu.action(Action::EstablishRoute(it)),
            Err(_) => GO,
        };
        for unit in state.units_of(Some(player)).filter(|it| it.kind.is_merchant()) {
            for &good in Good::ALL {
                let merchant = Some(unit.id);
                open(EstablishRoute { player, merchant, from: None, to: None, good })?;
            }
        }
        if ch15_routes::may_choose(setup) {
            for from in state.controlled(Some(player)) {
                for to in 1..=setup.map.cities() {
                    for &good in Good::ALL {
                        let (from, to) = (Some(from), Some(to));
                        open(EstablishRoute { player, merchant: None, from, to, good })?;
                    }
                }
            }
        }
        let own = state.routes.iter().enumerate().filter(|it| it.1.owner == player);
        for (at, route) in own {
            let it = EndRoute { player, from: route.from, to: route.to, good: route.good };
            let first = !state.routes[..at].contains(route);
            if first && ch15_routes::check_end(setup, state, &it).is_ok() {
                menu.action(Action::EndRoute(it))?;
            }
        }
        GO
    }

    /// DBD-5.7, DBD-18.5 and DBD-18.6 What nobody asks for.
    fn list_interrupts<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { state, player, .. } = self;
        if state.favor == Some(player) {
            self.list_favours(menu)?;
        }
        if ch18_ends::may_interrupt(state, player) {
            menu.action(Action::Resign(Resign { player }))?;
        }
        if ch18_ends::check_agree(state, player).is_ok() {
            menu.action(Action::AgreeEnd(AgreeEnd { player }))?;
        }
        GO
    }

    /// DBD-5.7 What the favour can be played for.
    fn list_favours<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let plain = UseFavor { player, r#use: FavorUse::First, hex: None, owner: None, city: None };
        let mut offer = |it: UseFavor| match ch05_church::check_use(setup, state, &it) {
            Ok(_) => menu.action(Action::UseFavor(it)),
            Err(_) => GO,
        };
        for r#use in [FavorUse::First, FavorUse::BidBonus] {
            offer(UseFavor { r#use, ..plain.clone() })?;
        }
        for city in 1..=setup.map.cities() {
            for r#use in [FavorUse::ProtectCity, FavorUse::MakeNeutral] {
                offer(UseFavor { r#use, city: Some(city), ..plain.clone() })?;
            }
        }
        for (at, owner) in state.stacks(setup) {
            offer(UseFavor {
                r#use: FavorUse::HoldStack,
                hex: Some(setup.map.place(at).hex),
                owner: Some(owner),
                ..plain.clone()
            })?;
        }
        GO
    }

    /// DBD-11.1 What can be recruited where.
    fn list_recruits<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        for city in state.controlled(Some(player)) {
            for &unit_type in Kind::ALL {
                for favor in [false, true] {
                    let it = Recruit { player, city, unit_type, favor };
                    if ch11_production::check_recruit(setup, state, &it).is_ok() {
                        menu.action(Action::Recruit(it))?;
                    }
                }
            }
        }
        GO
    }

    /// DBD-12.3, DBD-12.4 What a success can be aimed at, and passing it on.
    fn list_missions<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let roll = state.spying.map_or(0, |spying| spying.roll);
        let thrown = Mission::of_throw(u32::from(roll));
        let chosen = if thrown == Mission::Choose { &Mission::ALL[..9] } else { &[thrown][..] };
        for &mission in chosen {
            let number = (thrown == Mission::Choose).then_some(mission.number());
            ch12_spies::each_target(setup, state, player, mission, |target| {
                let it = SpyTarget { player, mission: number, target: Some(target) };
                menu.action(Action::SpyTarget(it))
            })?;
            if number.is_some() {
                self.list_pass(number, menu)?;
            }
        }
        self.list_pass(None, menu)
    }

    /// DBD-12.4 Passing a success on.
    fn list_pass<M: Menu<Doubloons>>(self, mission: Option<u8>, menu: &mut M) -> Flow {
        let it = SpyTarget { player: self.player, mission, target: None };
        match ch12_spies::check_aim(self.setup, self.state, &it) {
            Ok(()) => menu.action(Action::SpyTarget(it)),
            Err(_) => GO,
        }
    }
}

/// The same decision with its units by rising number, every target by itself, and the owner who is attacked.
pub(crate) fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
    match action {
        Action::DeclareTargets(it) => match ch14_battle::check_targets(setup, state, it) {
            Ok(targets) => {
                Action::DeclareTargets(DeclareTargets { player: it.player, targets, all: None })
            }
            Err(_) => action.clone(),
        },
        // DBD-R61 Whose units are attacked, also where there is only one owner.
        Action::Attack(it) => {
            let owner = ch14_battle::check_owner(setup, state, it).ok().flatten();
            let mut sorted = it.clone();
            sorted.units.sort_unstable();
            sorted.owner = owner.map(StackOwner::of).or(it.owner);
            Action::Attack(sorted)
        }
        _ => action.sorted(),
    }
}
