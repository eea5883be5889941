//! The trading session.
//!
//! Must use the predicates of the chapters, so that what is offered is what is accepted.

use super::list::{Flow, GO, Lister};
use super::ranges::Range;
use crate::action::{Action, CancelTreaty, Keyed, Player, RespondDeal};
use crate::{Doubloons, ch06_trading};
use umpire_core::game::Menu;

impl Lister<'_> {
    /// DBD-6.1 to DBD-6.9 Answers, treaties to be cancelled, and deals by their bounds.
    pub(super) fn list_deals<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        for deal in &state.deals {
            for accept in [true, false] {
                let it = RespondDeal { player, deal: deal.number, accept };
                if ch06_trading::check_response(setup, state, &it).is_ok() {
                    menu.action(Action::RespondDeal(it))?;
                }
            }
        }
        for with in setup.all() {
            let it = CancelTreaty { player, with };
            if ch06_trading::check_cancel(setup, state, &it).is_ok() {
                menu.action(Action::CancelTreaty(it))?;
            }
        }
        let parties: Vec<Player> = state.session().iter().collect();
        if parties.len() < 2 {
            return GO;
        }
        let ids = |party| state.units_of(Some(party)).map(|unit| unit.id).collect();
        let cities = |party| state.controlled(Some(party)).collect();
        let mut treaties = Vec::new();
        for (at, &a) in parties.iter().enumerate() {
            let strangers = parties[at + 1..].iter().filter(|&&b| !state.are_friends(a, b));
            treaties.extend(strangers.map(|&b| [a, b]));
        }
        menu.range(Range::ProposeDeal {
            player,
            gold: Keyed::new(parties.iter().map(|&it| (it, state.gold(it))).collect()),
            units: Keyed::new(parties.iter().map(|&it| (it, ids(it))).collect()),
            cities: Keyed::new(parties.iter().map(|&it| (it, cities(it))).collect()),
            favor: state.favor.filter(|holder| parties.contains(holder)),
            treaties,
            parties,
        })
    }
}
