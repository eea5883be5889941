//! DBD-6 Trading session: deals, treaties, promises.
//!
//! Must not lead on when the session closes: `sequence.rs` does.

use super::action::{CancelTreaty, DealItem, Player, ProposeDeal, RespondDeal, prince};
use super::notice::Happening;
use super::rulebook::{Friendship, Mixing, Rule};
use super::setup::Setup;
use super::state::{Deal, Stage, State};
use super::{Checked, Ctx, Refusal, Verdict, ch17_control, ch19_validity};

/// DBD-6.1 A player leaves the session.
pub(super) fn leave_session(ctx: &mut Ctx<'_>, player: Player) {
    ctx.happen(Happening::SessionLeft { player }.into(), Rule::C6_1);
    kill_deals(ctx, player, Rule::C6_3);
}

/// DBD-6.1 All are out: the session closes, and with it every deal.
pub(super) fn close_session(ctx: &mut Ctx<'_>) {
    let open: Vec<u32> = ctx.state().deals.iter().map(|deal| deal.number).collect();
    for deal in open {
        ctx.happen(Happening::DealDead { deal }.into(), Rule::C6_3);
    }
}

/// DBD-6.2 to DBD-6.5, DBD-19.3 Whether a deal may be offered.
pub(super) fn check_proposal(setup: &Setup, state: &State, it: &ProposeDeal) -> Checked {
    check_items_exist(setup, state, &it.items)?;
    ch19_validity::check_is_asked(state, it.player, Stage::Trading)?;
    check_parties(state, it.player, &it.items)?;
    check_items(&it.items)?;
    check_holdings(setup, state, &it.items)
}

/// DBD-19.2 Players, units and cities that a deal names exist.
fn check_items_exist(setup: &Setup, state: &State, items: &[DealItem]) -> Checked {
    for (at, item) in items.iter().enumerate() {
        check_partners_exist(setup, item, &format!("/items/{at}"))?;
        if let DealItem::Unit(it) = item {
            ch19_validity::check_unit_exists(state, it.unit, &format!("/items/{at}/unit"))?;
        }
    }
    Ok(())
}

/// DBD-19.2 The players of an item, and the city that it gives.
pub(super) fn check_partners_exist(setup: &Setup, item: &DealItem, at: &str) -> Checked {
    for player in item.between() {
        ch19_validity::check_player_exists(setup, player, at)?;
    }
    match item {
        DealItem::City(it) => {
            ch19_validity::check_city_exists(setup, it.city, &format!("{at}/city"))
        }
        _ => Ok(()),
    }
}

/// DBD-6.2 The proposer is a party, and every party is in the session.
fn check_parties(state: &State, proposer: Player, items: &[DealItem]) -> Checked {
    if !items.iter().any(|item| item.between().contains(&proposer)) {
        let message = format!("the deal does not name {proposer}, who proposes it");
        return Err(Refusal::new(Rule::C6_2, "proposer_no_party", message).at("/items"));
    }
    for (at, item) in items.iter().enumerate() {
        for party in item.between() {
            if !state.session().contains(party) {
                let message = format!("{party} is not in the trading session");
                let refusal = Refusal::new(Rule::C6_2, "party_absent", message);
                return Err(refusal.at(format!("/items/{at}")));
            }
        }
    }
    Ok(())
}

/// DBD-6.2 A deal is offered; the proposer agrees by proposing.
pub(super) fn propose_deal(ctx: &mut Ctx<'_>, it: &ProposeDeal) -> Verdict {
    check_proposal(ctx.setup(), ctx.state(), it)?;
    let deal = ctx.state().next_deal;
    let items = it.items.clone();
    ctx.happen(
        Happening::DealProposed { deal, by: it.player, items }.into(),
        [Rule::C6_2, Rule::C6_4],
    );
    Ok(())
}

/// DBD-6.3 The open deal of that number.
fn open_deal(state: &State, number: u32) -> Option<&Deal> {
    state.deals.iter().find(|deal| deal.number == number)
}

/// DBD-6.3 Whether one more party makes the deal complete.
fn is_last(deal: &Deal) -> bool {
    deal.agreed.len() + 1 == deal.parties.len()
}

/// DBD-6.3 Deals end with the leaving of a party.
pub(super) fn kill_deals(ctx: &mut Ctx<'_>, player: Player, rule: Rule) {
    let deals = ctx.state().deals.iter().filter(|deal| deal.parties.contains(player));
    let dead: Vec<u32> = deals.map(|deal| deal.number).collect();
    for deal in dead {
        ctx.happen(Happening::DealDead { deal }.into(), rule);
    }
}

/// DBD-6.3 Whether an answer to a deal is possible.
pub(super) fn check_response(setup: &Setup, state: &State, it: &RespondDeal) -> Checked {
    let Some(deal) = open_deal(state, it.deal) else {
        let message = format!("no deal {} is open", it.deal);
        return Err(ch19_validity::ill_formed(state, message, "/deal").also(Rule::C6_3));
    };
    ch19_validity::check_is_asked(state, it.player, Stage::Trading)?;
    if !deal.parties.contains(it.player) {
        let message = format!("{} is not a party to deal {}", prince(it.player), it.deal);
        return Err(Refusal::new(Rule::C19_3, "no_answer_due", message)
            .also(Rule::C6_3)
            .at("/deal"));
    }
    if it.accept && deal.agreed.contains(it.player) {
        let message = format!("{} agrees to deal {} already", it.player, it.deal);
        return Err(Refusal::new(Rule::C19_3, "no_answer_due", message)
            .also(Rule::C6_3)
            .at("/deal"));
    }
    if it.accept && is_last(deal) {
        check_holdings(setup, state, &deal.items)?;
        check_mixing(setup, state, &deal.items)?;
    }
    Ok(())
}

/// DBD-6.3 The last acceptance carries the deal out, a refusal or withdrawal kills it.
pub(super) fn answer_deal(ctx: &mut Ctx<'_>, it: &RespondDeal) -> Verdict {
    check_response(ctx.setup(), ctx.state(), it)?;
    if !it.accept {
        ctx.happen(Happening::DealDead { deal: it.deal }.into(), Rule::C6_3);
        return Ok(());
    }
    let carried_out = open_deal(ctx.state(), it.deal).filter(|deal| is_last(deal)).cloned();
    ctx.happen(Happening::DealAccepted { deal: it.deal, by: it.player }.into(), Rule::C6_3);
    if let Some(deal) = carried_out {
        carry_out_deal(ctx, &deal);
    }
    Ok(())
}

/// DBD-6.3 Everything changes hands in one moment. DBD-6.7 A city passes without any unit not
/// listed. DBD-6.8 A promise is noted.
fn carry_out_deal(ctx: &mut Ctx<'_>, deal: &Deal) {
    let items = deal.items.clone();
    let done = Happening::DealDone { deal: deal.number, items: items.to_vec() };
    ctx.happen(done.into(), [Rule::C6_3, Rule::C6_5, Rule::C6_6, Rule::C6_8]);
    for item in items.iter() {
        match item {
            DealItem::Unit(it) => {
                let event = Happening::UnitChangedOwner { unit: it.unit, owner: Some(it.to) };
                ctx.happen(event.into(), [Rule::C6_3, Rule::C6_7]);
            }
            DealItem::City(it) => {
                ch17_control::pass_control(ctx, it.city, Some(it.to), [Rule::C6_7, Rule::C17_3]);
            }
            _ => {}
        }
    }
}

/// DBD-6.4 Giver and receiver differ, and gold is 1 or more.
fn check_items(items: &[DealItem]) -> Checked {
    for (at, item) in items.iter().enumerate() {
        let [from, to] = item.between();
        if from == to {
            let message = format!("{from} cannot deal with himself");
            let refusal = Refusal::new(Rule::C6_4, "deal_with_oneself", message);
            return Err(refusal.at(format!("/items/{at}")));
        }
        if let DealItem::Gold(gold) = item
            && gold.amount == 0
        {
            let message = "gold in a deal is 1 or more".to_owned();
            let refusal = Refusal::new(Rule::C6_4, "no_gold_given", message);
            return Err(refusal.at(format!("/items/{at}/amount")));
        }
    }
    Ok(())
}

/// DBD-6.5 Each giver holds what he gives, nothing is given twice, no treaty between friends.
pub(super) fn check_holdings(setup: &Setup, state: &State, items: &[DealItem]) -> Checked {
    let mut given = [0u64; 6];
    for (at, item) in items.iter().enumerate() {
        if items[..at].iter().any(|earlier| same_thing(earlier, item)) {
            let message = "the same thing is in the deal twice";
            return Err(Refusal::new(Rule::C6_5, "given_twice", message).at(format!("/items/{at}")));
        }
        match item {
            DealItem::Gold(it) => {
                let sum = &mut given[it.from.index()];
                *sum = sum.saturating_add(it.amount);
                let gold = state.gold(it.from);
                if *sum > u64::from(gold) {
                    let message = format!("{} gives {sum} gold and has {gold}", prince(it.from));
                    return Err(Refusal::new(Rule::C6_5, "gold_not_held", message)
                        .at(format!("/items/{at}")));
                }
            }
            DealItem::Unit(it) => {
                if state.unit(it.unit).is_none_or(|unit| unit.owner != Some(it.from)) {
                    let message = format!("{} is not {}'s", state.unit_title(it.unit), it.from);
                    return Err(Refusal::new(Rule::C6_5, "unit_not_held", message)
                        .at(format!("/items/{at}")));
                }
            }
            DealItem::City(it) => {
                if state.city(it.city).control != Some(it.from) {
                    let message =
                        format!("{} does not control {}", it.from, setup.map.site(it.city).name);
                    return Err(Refusal::new(Rule::C6_5, "city_not_held", message)
                        .at(format!("/items/{at}")));
                }
            }
            DealItem::Favor(it) => {
                if state.favor != Some(it.from) {
                    let message = format!("{} does not hold the favour", it.from);
                    return Err(Refusal::new(Rule::C6_5, "favor_not_held", message)
                        .at(format!("/items/{at}")));
                }
            }
            DealItem::Treaty(it) => {
                let [a, b] = it.between;
                if state.are_friends(a, b) {
                    let message = format!("{a} and {b} have a treaty already");
                    return Err(Refusal::new(Rule::C6_5, "treaty_exists", message)
                        .at(format!("/items/{at}")));
                }
            }
            DealItem::Promise(_) => {}
        }
    }
    Ok(())
}

/// DBD-6.5 Whether two items give the same thing.
fn same_thing(a: &DealItem, b: &DealItem) -> bool {
    match (a, b) {
        (DealItem::Unit(a), DealItem::Unit(b)) => a.unit == b.unit,
        (DealItem::City(a), DealItem::City(b)) => a.city == b.city,
        (DealItem::Favor(_), DealItem::Favor(_)) => true,
        (DealItem::Treaty(a), DealItem::Treaty(b)) => {
            a.between == b.between || a.between == [b.between[1], b.between[0]]
        }
        _ => false,
    }
}

/// DBD-6.6 What must not be after a deal: a mixed hex, foreign troops in a city, foreign cargo.
pub(super) fn check_mixing(setup: &Setup, state: &State, items: &[DealItem]) -> Checked {
    // Who will own what: worked out once, for a deal may be long and a hex full.
    let mut owners: Vec<Option<Player>> = state.units.iter().map(|unit| unit.owner).collect();
    let mut cities: Vec<(u8, Player)> = Vec::new();
    for item in items {
        match item {
            DealItem::Unit(it) => {
                if let Some(at) = state.index(it.unit) {
                    owners[at] = Some(it.to);
                }
            }
            DealItem::City(it) => cities.push((it.city, it.to)),
            _ => {}
        }
    }
    let owner = |id: u32| state.index(id).map(|at| owners[at]);
    let control = |city: u8| {
        let given = cities.iter().find(|given| given.0 == city).map(|given| given.1);
        given.or(state.city(city).control)
    };
    for (unit, holder) in state.units.iter().zip(&owners) {
        let Some(holder) = *holder else { continue };
        if unit.aboard != 0 && owner(unit.aboard) != Some(Some(holder)) {
            let message = format!("{} would be cargo of another owner's ship", unit.title());
            return Err(Refusal::new(Rule::C6_6, "foreign_cargo", message)
                .also(Rule::R29)
                .at("/items"));
        }
        // With DBD-R87 read as `mixed_allowed`, units of several owners may share a hex (DBD-1.12).
        if !unit.is_military() || setup.rulings.mixing == Mixing::MixedAllowed {
            continue;
        }
        let place = setup.map.place(unit.at);
        if place.city > 0 && control(place.city) != Some(holder) {
            let name = &setup.map.site(place.city).name;
            let message = format!("{} would stand in {name}, a city not its owner's", unit.title());
            return Err(Refusal::new(Rule::C6_6, "foreign_troops_in_city", message)
                .also(Rule::R87)
                .at("/items"));
        }
        let mut beside = state.units.iter().zip(&owners).filter(|(other, _)| other.at == unit.at);
        let other = beside.find(|(_, owner)| owner.is_some_and(|it| it != holder));
        if let Some((other, _)) = other {
            let message = format!(
                "{} and {} would share {} under two owners",
                unit.title(),
                other.title(),
                place.hex
            );
            return Err(Refusal::new(Rule::C6_6, "mixed_hex", message)
                .also(Rule::R87)
                .at("/items"));
        }
    }
    Ok(())
}

/// DBD-6.9 Only a treaty that exists can be cancelled.
pub(super) fn check_cancel(setup: &Setup, state: &State, it: &CancelTreaty) -> Checked {
    ch19_validity::check_player_exists(setup, it.with, "/with")?;
    ch19_validity::check_is_asked(state, it.player, Stage::Trading)?;
    if state.are_friends(it.player, it.with) {
        return Ok(());
    }
    let message = format!("{} and {} have no treaty", it.player, it.with);
    Err(Refusal::new(Rule::C6_9, "no_treaty", message).at("/with"))
}

/// DBD-6.9 A treaty ends when one of the two cancels it.
pub(super) fn cancel_treaty(ctx: &mut Ctx<'_>, it: &CancelTreaty) -> Verdict {
    check_cancel(ctx.setup(), ctx.state(), it)?;
    end_treaty(ctx, it.player, it.with);
    Ok(())
}

/// DBD-6.9 An attack or an occupation breaks a treaty, unless DBD-R30 is read as `until_cancelled`.
pub(super) fn break_treaty(ctx: &mut Ctx<'_>, a: Player, b: Player) {
    if ctx.setup().rulings.friendship == Friendship::UntilWar {
        end_treaty_by(ctx, a, b, Rule::C6_9);
    }
}

/// DBD-6.9 A treaty ends, and with it the routes between the two (DBD-15.8).
fn end_treaty(ctx: &mut Ctx<'_>, a: Player, b: Player) {
    end_treaty_by(ctx, a, b, Rule::C6_9);
}

/// DBD-6.9, DBD-18.3 A treaty ends by a clause, and with it the routes between the two.
pub(super) fn end_treaty_by(ctx: &mut Ctx<'_>, a: Player, b: Player, rule: Rule) {
    if !ctx.state().are_friends(a, b) {
        return;
    }
    ctx.happen(Happening::TreatyEnded { between: [a, b] }.into(), rule);
    let between = |owner: Player, demand: Option<Player>| {
        (owner == a && demand == Some(b)) || (owner == b && demand == Some(a))
    };
    let state = ctx.state();
    let routes = state.routes.iter().filter(|it| between(it.owner, state.city(it.to).control));
    let ended: Vec<_> = routes.copied().collect();
    for route in ended {
        ctx.happen(Happening::RouteEnded { route: route.into() }.into(), [Rule::C15_8, rule]);
    }
}
