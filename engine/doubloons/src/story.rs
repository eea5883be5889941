//! The story of a game: what happens in plain English, one line each.
//!
//! Must not decide what happened, only say it.

use super::action::{Action, DealItem, Player, Target};
use super::event::Event;
use super::notice::{Cause, Effect, Failure, Happening};
use super::setup::Setup;
use super::state::{Ending, SealedBid, Stage};
use super::tables::{FavorUse, Mission};
use umpire_core::board::hex::Hex;

/// An event in one line, if it is worth one.
pub(super) fn tell(setup: &Setup, event: &Event) -> Option<String> {
    let event = match event {
        &Event::BidMade { player, bid: SealedBid { amount, skip } } => {
            let stays = if skip { " and stays out of the trading session" } else { "" };
            return Some(format!("{player} bids {amount} gold under seal{stays}"));
        }
        Event::Public(event) => event,
    };
    let city = |city: u8| setup.map.site(city).name.as_str();
    let owner = |owner: Option<Player>| owner.map_or("nobody", Player::name);
    let text = match event {
        Happening::SetupDone { .. } => {
            "the goods of every city are thrown; the game begins".to_owned()
        }
        Happening::EventRolled { event, .. } => format!("the event of the round is {event}"),
        Happening::EffectStarted { effect, until, main_turn_of } => {
            let until = match (until, main_turn_of) {
                (None, _) => String::new(),
                (Some(round), None) => format!(" up to round {round}"),
                (Some(round), Some(player)) => {
                    format!(" up to the main turn of {player} in round {round}")
                }
            };
            format!("{}{until}", effect_text(setup, effect))
        }
        Happening::EffectEnded { effect } => format!("no longer: {}", effect_text(setup, effect)),
        Happening::Revolution { city: at } => format!("a revolution breaks out in {}", city(*at)),
        Happening::PlagueSurvived { unit, unit_type, die } => {
            format!("u{unit} {unit_type} throws {die} and survives the plague")
        }
        Happening::UnitCreated { unit, unit_type, owner: of, at, price, .. } => {
            let place = setup.map.find(*at).map_or(0, |at| setup.map.place(at).city);
            let name = if place > 0 { city(place).to_owned() } else { at.to_string() };
            match (of, price) {
                (Some(player), 0) => format!("{player} gains u{unit} {unit_type} in {name}"),
                (Some(player), price) => {
                    format!("{player} recruits u{unit} {unit_type} in {name} for {price} gold")
                }
                (None, _) => format!("neutral u{unit} {unit_type} appears in {name}"),
            }
        }
        Happening::UnitDestroyed { unit, unit_type, cause, .. } => {
            let why = match cause {
                Cause::Plague => "dies of the plague",
                Cause::Battle => "is destroyed",
                Cause::Drowned => "drowns",
                Cause::Mission => "falls to a spy",
                Cause::OwnerOut => "leaves with its owner",
                Cause::Consumed => "settles at the end of its route",
            };
            format!("u{unit} {unit_type} {why}")
        }
        Happening::UnitCaptured { unit, unit_type, by } => {
            format!("{by} captures u{unit} {unit_type}")
        }
        Happening::UnitChangedOwner { unit, owner: Some(player) } => {
            format!("u{unit} is {player}'s now")
        }
        Happening::UnitChangedOwner { unit, owner: None } => format!("u{unit} turns neutral"),
        Happening::BidsRevealed { bids, .. } => {
            let bids: Vec<_> = bids.iter().map(|(player, bid)| format!("{player} {bid}")).collect();
            format!("the bids are open and paid: {}", bids.join(", "))
        }
        Happening::FavorWon { player, total } => {
            format!("{player} wins the favour of the Church with {total}")
        }
        Happening::FavorUsed { player, r#use } => {
            format!("{player} uses the favour {}", favor_text(*r#use))
        }
        Happening::FavorLapsed { player } => format!("the favour of {player} lapses"),
        Happening::DealProposed { deal, by, items } => {
            format!("{by} proposes deal {deal}: {}", items_text(setup, items))
        }
        Happening::DealAccepted { deal, by } => format!("{by} agrees to deal {deal}"),
        Happening::DealDone { deal, items } => {
            format!("deal {deal} is done: {}", items_text(setup, items))
        }
        Happening::DealDead { deal } => format!("deal {deal} is off"),
        Happening::TreatyEnded { between: [a, b] } => format!("the treaty of {a} and {b} ends"),
        Happening::SessionLeft { player } => format!("{player} leaves the trading session"),
        Happening::OrderThrown { dice } => {
            let dice: Vec<_> = dice.iter().map(|(player, die)| format!("{player} {die}")).collect();
            format!("throws for the turn order: {}", dice.join(", "))
        }
        Happening::TurnOrder { order } => {
            let order: Vec<_> = order.iter().map(|player| player.name()).collect();
            format!("the turn order is {}", order.join(", "))
        }
        Happening::MainTurnStarted { player } => format!("{player} begins a main turn"),
        Happening::PhaseStarted { phase: Stage::FavorNegate } => "the Church is asked".to_owned(),
        Happening::PhaseStarted { phase } => match phase {
            Stage::Spy => "on to the spies".to_owned(),
            Stage::Movement => "on to movement".to_owned(),
            Stage::Battle => "on to battle".to_owned(),
            Stage::Routes => "on to the trade routes".to_owned(),
            Stage::Diplomacy => "on to diplomacy".to_owned(),
            // What is paid, thrown or asked there tells of the others.
            _ => return None,
        },
        Happening::BattleStep { .. } => return None,
        Happening::UpkeepPaid { player, due, paid, owed } => match owed {
            0 => format!("{player} pays {paid} gold of upkeep"),
            owed => format!("{player} pays {paid} of {due} upkeep; {owed} units must go"),
        },
        Happening::UnitsDisbanded { player, units } => {
            format!("{player} disbands {}", units_text(units))
        }
        Happening::Taxes { player, gold } => format!("{player} takes {gold} gold in taxes"),
        Happening::TradeRevenue { player, gold } => format!("routes bring {player} {gold} gold"),
        Happening::SpyDice { player, dice, successes } => {
            format!("{player} pays {} gold for spies, {successes} succeed", dice.len())
        }
        Happening::MissionResult { player, die, mission } => {
            format!("a spy of {player} throws {die}: {mission}")
        }
        Happening::MissionAimed { player, mission, target } => {
            format!("{player} aims {mission} at {}", target_text(setup, *target))
        }
        Happening::AgentThrew { agent, die } => format!("agent u{agent} throws {die}"),
        Happening::MissionFailed { player, why } => match why {
            Failure::NoTarget => format!("the spy of {player} finds no target"),
            Failure::Passed => format!("{player} lets the success pass"),
            Failure::Agent => format!("an agent foils the spy of {player}"),
            Failure::Negated => format!("the Church stops the spy of {player}"),
        },
        Happening::MissionDone { player, mission, gained, paid, .. } => {
            let gold = match (mission, gained, paid) {
                (Mission::Bribery, _, paid) => format!(" for {paid} gold"),
                (_, 0, _) => String::new(),
                (_, gained, _) => format!(", {gained} gold gained"),
            };
            format!("{mission} by {player} goes through{gold}")
        }
        Happening::Moved { units, path, .. } => {
            let to = path.last().map_or(String::new(), ToString::to_string);
            format!(
                "{} to {to}",
                units_text(units) + if units.len() == 1 { " moves" } else { " move" }
            )
        }
        Happening::Embarked { ship, units, .. } => format!("{} board u{ship}", units_text(units)),
        Happening::Disembarked { ship, units, to, .. } => {
            format!("{} land in {to} from u{ship}", units_text(units))
        }
        Happening::AttackDeclared { player, target, units, .. } => {
            format!("{player} attacks {target} with {}", units_text(units))
        }
        Happening::TargetsDeclared { targets, .. } => {
            if targets.is_empty() {
                return None;
            }
            let pairs: Vec<_> = targets.iter().map(|(a, b)| format!("u{a} at u{b}")).collect();
            format!("aimed: {}", pairs.join(", "))
        }
        Happening::BattleDie { unit, target, die, modifier, hit } => {
            let result = if *hit { "a hit" } else { "a miss" };
            format!("u{unit} throws {die} at u{target}, {die}{modifier:+}: {result}")
        }
        Happening::BattleEnded { at, left } => match left.len() {
            0 => format!("the battle for {at} is over; no attacker is left"),
            _ => format!(
                "the battle for {at} is over; of the attackers {} is left",
                units_text(left)
            ),
        },
        Happening::Advanced { units, to, .. } => format!("{} enter {to}", units_text(units)),
        Happening::RouteOpened { route, .. } => {
            let (from, to) = (city(route.from), city(route.to));
            format!("{} opens a route of {} from {from} to {to}", route.owner, route.good)
        }
        Happening::RouteEnded { route } => {
            let (from, to) = (city(route.from), city(route.to));
            format!("the route of {} from {from} to {to} ends", route.good)
        }
        Happening::DiplomacyRolled { player, city: at, die, success } => {
            let result = if *success { "and succeeds" } else { "in vain" };
            match die {
                Some(die) => {
                    format!("{player} negotiates for {} with a {die}, {result}", city(*at))
                }
                None => format!("{player} negotiates for {} by favour, {result}", city(*at)),
            }
        }
        Happening::CityControl { city: at, from, to } => {
            format!("{} passes from {} to {}", city(*at), owner(*from), owner(*to))
        }
        Happening::AgreedToEnd { player } => format!("{player} agrees to stop the game"),
        Happening::RoundEnded { round } => format!("round {round} ends"),
        Happening::PlayerOut { player, resigned: true } => format!("{player} resigns"),
        Happening::PlayerOut { player, resigned: false } => format!("{player} is out of the game"),
        Happening::GameEnded { winner, reason } => match (winner, reason) {
            (Some(player), Ending::Conquest) => format!("{player} holds every city and wins"),
            (Some(player), _) => format!("{player} is the last prince and wins"),
            (None, Ending::Agreed) => "all agree to stop; nobody wins".to_owned(),
            (None, _) => "nobody is left; nobody wins".to_owned(),
        },
    };
    Some(text)
}

/// An action in one line.
pub(super) fn say(setup: &Setup, action: &Action) -> String {
    let who = action.player();
    match action {
        Action::Bid(it) => {
            let stays = if it.skip_trading { " and stays out of the trading session" } else { "" };
            format!("{who} bids {} gold under seal{stays}", it.amount)
        }
        Action::ProposeDeal(it) => {
            format!("{who} proposes a deal: {}", items_text(setup, &it.items))
        }
        Action::RespondDeal(it) => {
            let answer = if it.accept { "agrees to" } else { "refuses" };
            format!("{who} {answer} deal {}", it.deal)
        }
        Action::CancelTreaty(it) => format!("{who} ends the treaty with {}", it.with),
        Action::UseFavor(it) => {
            let owner = it.owner.map_or(String::new(), |owner| format!(" of {owner}"));
            let hex = it.hex.map_or(String::new(), |hex| format!(" in {hex}"));
            let city = it.city.map(|at| format!(": {}", city_name(setup, at)));
            let city = city.unwrap_or_default();
            format!("{who} uses the favour {}{owner}{hex}{city}", favor_text(it.r#use))
        }
        Action::Recruit(it) => {
            let favor = if it.favor { " by the favour" } else { "" };
            format!("{who} recruits {} in {}{favor}", it.unit_type, city_name(setup, it.city))
        }
        Action::Spy(it) => format!("{who} pays {} gold for spies", it.gold),
        Action::SpyTarget(it) => {
            let mission = it.mission.map_or(String::new(), |it| format!(" with result {it}"));
            match it.target {
                Some(target) => {
                    format!("{who} aims a spy{mission} at {}", target_text(setup, target))
                }
                None => format!("{who} lets the spy's success{mission} pass"),
            }
        }
        Action::FavorNegate(it) if it.r#use => format!("{who} stops the spy by the favour"),
        Action::FavorNegate(_) => format!("{who} lets the spy go on"),
        Action::EstablishRoute(it) => {
            format!("{who} opens a route of {} with merchant u{}", it.good, it.merchant)
        }
        Action::Diplomacy(it) => {
            let favor = if it.favor { " by the favour" } else { "" };
            format!("{who} negotiates for {}{favor}", city_name(setup, it.city))
        }
        Action::EndPhase(it) => match it.through {
            Some(through) => format!("{who} ends the phase, and all up to {through}"),
            None => format!("{who} ends the phase"),
        },
        Action::Resign(_) => format!("{who} resigns"),
        Action::AgreeEnd(_) => format!("{who} agrees to stop the game"),
        Action::Disband(_)
        | Action::Move(_)
        | Action::Embark(_)
        | Action::Disembark(_)
        | Action::Attack(_)
        | Action::DeclareTargets(_)
        | Action::Advance(_) => say_order(setup, action),
    }
}

/// An order to units in one line.
fn say_order(setup: &Setup, action: &Action) -> String {
    let who = action.player();
    match action {
        Action::Disband(it) => format!("{who} disbands {}", group_text(&it.units)),
        Action::Move(it) => {
            let way: Vec<String> = it.path.iter().map(|&hex| hex_text(setup, hex)).collect();
            match way.split_last() {
                None => format!("{who} moves {} nowhere", group_text(&it.units)),
                Some((to, [])) => format!("{who} moves {} to {to}", group_text(&it.units)),
                Some((to, way)) => {
                    let way = way.join(", ");
                    format!("{who} moves {} by {way} to {to}", group_text(&it.units))
                }
            }
        }
        Action::Embark(it) => format!("{who} takes {} aboard u{}", group_text(&it.units), it.ship),
        Action::Disembark(it) => {
            let to = hex_text(setup, it.to);
            format!("{who} lands {} from u{} in {to}", group_text(&it.units), it.ship)
        }
        Action::Attack(it) => {
            let at = hex_text(setup, it.target);
            format!("{who} attacks {at} with {}", group_text(&it.units))
        }
        Action::DeclareTargets(it) => {
            let mut pairs: Vec<_> =
                it.targets.iter().map(|(unit, at)| format!("u{unit} at u{at}")).collect();
            pairs.extend(it.all.map(|at| format!("all others at u{at}")));
            match pairs.is_empty() {
                true => format!("{who} aims nobody"),
                false => format!("{who} aims {}", pairs.join(", ")),
            }
        }
        Action::Advance(it) => format!("{who} advances with {}", group_text(&it.units)),
        _ => format!("{who} acts"),
    }
}

/// The name of a city; its number where the map has none of it.
fn city_name(setup: &Setup, city: u8) -> String {
    let site = city.checked_sub(1).and_then(|at| setup.map.sites.get(usize::from(at)));
    site.map_or_else(|| format!("city {city}"), |site| site.name.clone())
}

/// A hex, with the city on it.
fn hex_text(setup: &Setup, hex: Hex) -> String {
    match setup.map.find(hex).map_or(0, |at| setup.map.place(at).city) {
        0 => hex.to_string(),
        city => format!("{} {hex}", city_name(setup, city)),
    }
}

/// Units by number, or that there are none.
fn group_text(units: &[u32]) -> String {
    match units.is_empty() {
        true => "nobody".to_owned(),
        false => units_text(units),
    }
}

/// What the favour is used for.
fn favor_text(purpose: FavorUse) -> &'static str {
    match purpose {
        FavorUse::Negotiate => "to win a negotiation",
        FavorUse::HoldStack => "to hold a stack",
        FavorUse::ProtectCity => "to protect a city",
        FavorUse::ExtraUnit => "to recruit one unit more",
        FavorUse::Negate => "to stop a spy",
        FavorUse::MakeNeutral => "to turn a city",
        FavorUse::First => "to go first",
        FavorUse::BidBonus => "to raise the next bid",
    }
}

/// Units by number.
fn units_text(units: &[u32]) -> String {
    let names: Vec<_> = units.iter().map(|unit| format!("u{unit}")).collect();
    names.join(", ")
}

/// An effect in words.
fn effect_text(setup: &Setup, effect: &Effect) -> String {
    let city = |city: u8| setup.map.site(city).name.as_str();
    match effect {
        Effect::NoIncome { city: at } => format!("{} earns nothing", city(*at)),
        Effect::NoRecruits { city: at } => format!("{} recruits nobody", city(*at)),
        Effect::Protected { city: at } => format!("{} is under protection", city(*at)),
        Effect::Master { city: at } => format!("a master settles in {}", city(*at)),
        Effect::Surplus { good } => format!("{good} earns nothing"),
        Effect::Scarcity { good } => format!("{good} earns double"),
        Effect::Held { units } => format!("{} held", units_text(units)),
    }
}

/// A target in words.
fn target_text(setup: &Setup, target: Target) -> String {
    match target {
        Target::Unit(it) => format!("u{}", it.unit),
        Target::Stack(it) => format!("the stack of {} in {}", it.owner, it.hex),
        Target::City(it) => city_name(setup, it.city),
        Target::Player(it) => it.player.to_string(),
    }
}

/// What a deal holds, in words.
fn items_text(setup: &Setup, items: &[DealItem]) -> String {
    let texts: Vec<_> = items
        .iter()
        .map(|item| match item {
            DealItem::Gold(it) => format!("{} gold from {} to {}", it.amount, it.from, it.to),
            DealItem::Unit(it) => format!("u{} from {} to {}", it.unit, it.from, it.to),
            DealItem::City(it) => {
                format!("{} from {} to {}", city_name(setup, it.city), it.from, it.to)
            }
            DealItem::Favor(it) => format!("the favour from {} to {}", it.from, it.to),
            DealItem::Treaty(it) => format!("a treaty of {} and {}", it.between[0], it.between[1]),
            DealItem::Promise(it) => format!("{} promises {}: {}", it.from, it.to, it.text),
        })
        .collect();
    texts.join("; ")
}
