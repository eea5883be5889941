//! The story of a game: what happens in plain English, one line each, as an observer learns of it.
//!
//! All but sealed bids is public, so every line but theirs is the same for everybody. Must not decide
//! what happened, only say it.

mod orders;
pub(crate) mod words;

use super::Doubloons;
use super::action::{Action, DealItem, Keyed, Player, Target, UnitTarget, prince};
use super::ch05_church::{highest, total};
use super::ch18_ends::standing_of_round;
use super::condition::condition;
use super::event::Event;
use super::notice::{Cause, Effect, Failure, Happening};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{Ending, SealedBid, Stage, State, Unit};
use super::tables::{Good, Kind, Mission, RoundEvent};
use super::view::View;
use orders::say;
use umpire_core::game::{Change, Chapter, Condition, Observer, Story};
use words::{Words, named};

impl Story for Doubloons {
    fn tell(setup: &Setup, event: &Event, about: &Vec<Known>, to: Observer) -> Option<String> {
        tell(setup, event, about, to)
    }

    fn describe_action(setup: &Setup, state: Option<&State>, action: &Action) -> Option<String> {
        Some(say(setup, state, action))
    }

    /// DBD-12.4 A mission is judged by what it does.
    fn is_leading(event: &Event) -> bool {
        matches!(event, Event::Public(Happening::MissionDone { .. }))
    }

    fn describe_change(setup: &Setup, change: Change<'_>) -> Condition {
        condition(setup, change)
    }

    fn strip_bookkeeping(view: &mut View) {
        view.put_books_aside();
    }

    fn differ_at_sight(one: &State, other: &State) -> bool {
        let stands = |unit: &Unit| (unit.id, unit.at);
        (one.round, one.gold) != (other.round, other.gold)
            || one.units.iter().map(stands).ne(other.units.iter().map(stands))
    }

    fn chapter(setup: &Setup, state: &State) -> Option<Chapter> {
        Some(standing_of_round(setup, state))
    }
}

/// What is known before a fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Known {
    /// A unit.
    Unit(u32, Kind, At),
    /// Whose bid the die is added to.
    Bonus(Player),
}

/// What a fact is about, as it was before it.
pub(super) fn about(state: &State, event: &Event) -> Vec<Known> {
    let Event::Public(happening) = event else { return Vec::new() };
    let known = |unit| {
        let it = state.unit(unit)?;
        Some(Known::Unit(unit, it.kind, it.at))
    };
    let units = met(happening).into_iter().filter_map(known);
    let bonus = match happening {
        Happening::BidsRevealed { bonus: Some(_), .. } => state.bonus,
        _ => None,
    };
    units.chain(bonus.map(Known::Bonus)).collect()
}

/// The units that a fact names by their numbers alone.
fn met(happening: &Happening) -> Vec<u32> {
    let of_deal = |items: &[DealItem]| {
        let unit =
            |item: &DealItem| if let DealItem::Unit(it) = item { Some(it.unit) } else { None };
        items.iter().filter_map(unit).collect()
    };
    match happening {
        Happening::UnitChangedOwner { unit, .. }
        | Happening::UnitCaptured { unit, .. }
        | Happening::UnitDestroyed { unit, .. }
        | Happening::PlagueSurvived { unit, .. }
        | Happening::AgentThrew { agent: unit, .. }
        | Happening::MissionAimed { target: Target::Unit(UnitTarget { unit }), .. }
        | Happening::MissionDone { target: Target::Unit(UnitTarget { unit }), .. } => vec![*unit],
        Happening::UnitsDisbanded { units, .. }
        | Happening::Moved { units, .. }
        | Happening::AttackDeclared { units, .. }
        | Happening::BattleEnded { left: units, .. }
        | Happening::Advanced { units, .. }
        | Happening::EffectStarted { effect: Effect::Held { units }, .. }
        | Happening::EffectEnded { effect: Effect::Held { units } }
        | Happening::EffectStarted { effect: Effect::Pinned { units }, .. }
        | Happening::EffectEnded { effect: Effect::Pinned { units } } => units.clone(),
        Happening::Embarked { ship, units, .. } | Happening::Disembarked { ship, units, .. } => {
            units.iter().copied().chain([*ship]).collect()
        }
        Happening::TargetsDeclared { targets, .. } => {
            targets.iter().flat_map(|&(one, other)| [one, other]).collect()
        }
        Happening::BattleDie { unit, target, .. } => vec![*unit, *target],
        Happening::RouteOpened { merchant, .. } => merchant.iter().copied().collect(),
        Happening::DealProposed { items, .. } | Happening::DealDone { items, .. } => of_deal(items),
        _ => Vec::new(),
    }
}

/// An event in one line, if it is worth one. `about` is what [`about`] found.
fn tell(setup: &Setup, event: &Event, about: &[Known], to: Observer) -> Option<String> {
    let find = |wanted| {
        about.iter().find_map(|it| match *it {
            Known::Unit(unit, kind, at) => (unit == wanted).then_some((kind, at)),
            Known::Bonus(_) => None,
        })
    };
    let words = Words { setup, find: &find };
    let text = match event {
        &Event::BidMade { player, bid: SealedBid { amount, skip } } => {
            let who = prince(player);
            match (to.sees(player.seat()), skip) {
                (false, _) => format!("{who} bids under seal"),
                (true, false) => format!("{who} bids {amount} gold under seal"),
                (true, true) => format!(
                    "{who} bids {amount} gold under seal and stays out of the trading session"
                ),
            }
        }
        Event::Public(happening) => {
            let holder = about.iter().find_map(|it| match *it {
                Known::Bonus(player) => Some(player),
                Known::Unit(..) => None,
            });
            public(&words, happening, holder)?
        }
    };
    Some(words::upper(text))
}

/// The bids, with the die that is added to one of them.
fn revealed(setup: &Setup, bids: &Keyed<Player, u32>, bonus: Option<(Player, u32)>) -> String {
    let die = |player| bonus.filter(|it| it.0 == player).map(|it| it.1);
    let all = bids.iter().map(|&(player, bid)| {
        let die = die(player).map_or(String::new(), |die| format!(" and {die} by the die"));
        format!("{}: {bid}{die}", prince(player))
    });
    let totals: Vec<(Player, u64)> = bids
        .iter()
        .filter_map(|&(player, bid)| total(setup, bid, die(player)).map(|total| (player, total)))
        .collect();
    let nobody = match (highest(&totals), totals.is_empty()) {
        (Some(_), _) => "",
        (None, false) => "; the highest bids are tied, so nobody wins the favour of the Church",
        (None, true) => "; nobody bids anything, so nobody wins the favour of the Church",
    };
    format!("the bids are open and paid; {}{nobody}", listed(all))
}

/// What everybody learns; `holder` is whose bid a die is added to.
fn public(words: &Words<'_>, happening: &Happening, holder: Option<Player>) -> Option<String> {
    Some(match happening {
        Happening::GoodsThrown { city, goods } => {
            let names = |list: &[Good]| match list {
                [] => "nothing".to_owned(),
                list => listed(list.iter().map(Good::to_string)),
            };
            let (supply, demand) = (names(&goods.supply), names(&goods.demand));
            format!("{} supplies {supply} and demands {demand}", words.city(*city))
        }
        Happening::SetupDone { .. } => {
            "the goods of every city are thrown; the game begins".to_owned()
        }
        Happening::EventRolled { event, die } => {
            format!("the event of the round, with a {die}: {}", event_text(*event))
        }
        Happening::EffectStarted { effect, until, main_turn_of } => {
            let until = match (until, main_turn_of) {
                (None, _) => String::new(),
                (Some(round), None) => format!(" up to round {round}"),
                (Some(round), Some(player)) => {
                    format!(" up to the main turn of {} in round {round}", prince(*player))
                }
            };
            format!("{}{until}", words.effect(effect))
        }
        Happening::EffectEnded { effect } => format!("no longer: {}", words.effect(effect)),
        Happening::Revolution { city } => {
            format!("a revolution breaks out in {}", words.city(*city))
        }
        Happening::BidsRevealed { bids, bonus, .. } => {
            revealed(words.setup, bids, holder.zip(*bonus))
        }
        Happening::FavorWon { player, total } => {
            format!("{} wins the favour of the Church with {total}", prince(*player))
        }
        Happening::FavorUsed { player, r#use, die } => {
            let die = die.map_or(String::new(), |die| format!(", and throws a {die} for it"));
            format!("{} uses the favour {}{die}", prince(*player), r#use.purpose())
        }
        Happening::FavorLapsed { player } => format!("the favour of {} lapses", prince(*player)),
        Happening::OrderThrown { dice } => {
            let dice = dice.iter().map(|(player, die)| format!("{}: {die}", prince(*player)));
            format!("throws for the turn order; {}", listed(dice))
        }
        Happening::TurnOrder { order } => {
            let order = order.iter().map(|&player| prince(player));
            format!("the turn order is {}", listed(order))
        }
        Happening::MainTurnStarted { player } => format!("{} begins a main turn", prince(*player)),
        Happening::PhaseStarted { phase } => phase_text(*phase)?.to_owned(),
        Happening::UpkeepPaid { player, due, paid, owed } => match owed {
            0 => format!("{} pays {paid} gold of upkeep", prince(*player)),
            owed => {
                format!("{} pays {paid} of {due} upkeep; {owed} units must go", prince(*player))
            }
        },
        Happening::UnitsDisbanded { player, units } => {
            format!("{} disbands {}", prince(*player), words.units(units))
        }
        Happening::Taxes { player, gold } => {
            format!("{} takes {gold} gold in taxes", prince(*player))
        }
        Happening::TradeRevenue { player, gold } => {
            format!("routes bring {} {gold} gold", prince(*player))
        }
        Happening::RouteOpened { route, merchant } => {
            let with = merchant.map_or(String::new(), |it| format!(" by {}", words.unit(it)));
            format!("{} opens {}{with}", prince(route.owner), words.route(route))
        }
        Happening::RouteEnded { route } => {
            format!("{} loses {}", prince(route.owner), words.route(route))
        }
        Happening::DiplomacyRolled { player, city, die, success } => {
            let result = if *success { "and succeeds" } else { "in vain" };
            let by = die.map_or("by the favour".to_owned(), |die| format!("with a {die}"));
            format!("{} negotiates for {} {by}, {result}", prince(*player), words.city(*city))
        }
        Happening::CityControl { city, from, to } => {
            format!("{} passes from {} to {}", words.city(*city), named(*from), named(*to))
        }
        Happening::AgreedToEnd { player } => format!("{} agrees to stop the game", prince(*player)),
        Happening::RoundEnded { round } => format!("round {round} ends"),
        Happening::PlayerOut { player, resigned: true } => format!("{} resigns", prince(*player)),
        Happening::PlayerOut { player, resigned: false } => {
            format!("{} is out of the game", prince(*player))
        }
        Happening::GameEnded { winner, reason } => match (winner, reason) {
            (Some(player), Ending::Conquest) => {
                format!("{} holds every city and wins", prince(*player))
            }
            (Some(player), _) => format!("{} is the last prince and wins", prince(*player)),
            (None, Ending::Agreed) => "all agree to stop; nobody wins".to_owned(),
            (None, _) => "nobody is left; nobody wins".to_owned(),
        },
        Happening::DealProposed { .. }
        | Happening::DealAccepted { .. }
        | Happening::DealDone { .. }
        | Happening::DealDead { .. }
        | Happening::TreatyEnded { .. }
        | Happening::SessionLeft { .. } => trading(words, happening)?,
        Happening::SpyDice { .. }
        | Happening::MissionResult { .. }
        | Happening::MissionAimed { .. }
        | Happening::AgentThrew { .. }
        | Happening::MissionFailed { .. }
        | Happening::MissionDone { .. } => spying(words, happening)?,
        Happening::PlagueSurvived { .. }
        | Happening::UnitCreated { .. }
        | Happening::UnitDestroyed { .. }
        | Happening::UnitCaptured { .. }
        | Happening::UnitChangedOwner { .. }
        | Happening::Moved { .. }
        | Happening::Embarked { .. }
        | Happening::Disembarked { .. }
        | Happening::AttackDeclared { .. }
        | Happening::BattleStep { .. }
        | Happening::TargetsDeclared { .. }
        | Happening::BattleDie { .. }
        | Happening::BattleEnded { .. }
        | Happening::Advanced { .. } => fighting(words, happening)?,
    })
}

/// What happens in the trading session.
fn trading(words: &Words<'_>, happening: &Happening) -> Option<String> {
    Some(match happening {
        Happening::DealProposed { deal, by, items } => {
            format!("{} proposes deal {deal}: {}", prince(*by), words.items(items))
        }
        Happening::DealAccepted { deal, by } => format!("{} agrees to deal {deal}", prince(*by)),
        Happening::DealDone { deal, items } => {
            format!("deal {deal} is done: {}", words.items(items))
        }
        Happening::DealDead { deal } => format!("deal {deal} is off"),
        Happening::TreatyEnded { between: [a, b] } => {
            format!("the treaty of {} and {} ends", prince(*a), prince(*b))
        }
        Happening::SessionLeft { player } => {
            format!("{} leaves the trading session", prince(*player))
        }
        _ => return None,
    })
}

/// What spies do.
fn spying(words: &Words<'_>, happening: &Happening) -> Option<String> {
    Some(match happening {
        Happening::SpyDice { player, dice, successes } => format!(
            "{} pays {} gold for spies, who throw {}: {successes} succeed",
            prince(*player),
            dice.len(),
            listed(dice.iter().map(u32::to_string)),
        ),
        Happening::MissionResult { player, die, mission } => {
            format!("a spy of {} throws {die}: {}", prince(*player), mission_text(*mission))
        }
        Happening::MissionAimed { player, mission, target } => {
            let (who, mission) = (prince(*player), mission_text(*mission));
            format!("{who} aims {mission} at {}", words.target(*target))
        }
        Happening::AgentThrew { agent, die } => format!("{} throws {die}", words.unit(*agent)),
        Happening::MissionFailed { player, why } => {
            let who = prince(*player);
            match why {
                Failure::NoTarget => format!("the spy of {who} finds no target"),
                Failure::Passed => format!("{who} lets the success pass"),
                Failure::Agent => format!("an agent foils the spy of {who}"),
                Failure::Negated => format!("the Church stops the spy of {who}"),
            }
        }
        Happening::MissionDone { player, mission, target, gained, paid } => {
            let gold = match (mission, gained, paid) {
                (Mission::Bribery, _, paid) => format!(" for {paid} gold"),
                (_, 0, _) => String::new(),
                (_, gained, _) => format!(", {gained} gold gained"),
            };
            let (who, mission) = (prince(*player), mission_text(*mission));
            format!("{mission} by {who} against {} goes through{gold}", words.target(*target))
        }
        _ => return None,
    })
}

/// What units do, and what is done to them.
fn fighting(words: &Words<'_>, happening: &Happening) -> Option<String> {
    Some(match happening {
        Happening::PlagueSurvived { unit, unit_type, die } => {
            let place = words.where_is(*unit);
            format!("{unit_type} u{unit}{place} throws {die} and survives the plague")
        }
        Happening::UnitCreated { unit, unit_type, owner, at, price, extra } => {
            let (place, favor) = (words.place(*at), if *extra { " by the favour" } else { "" });
            match (owner, price) {
                (Some(player), 0) => {
                    format!("{} gains {unit_type} u{unit} in {place}{favor}", prince(*player))
                }
                (Some(player), price) => {
                    let who = prince(*player);
                    format!("{who} recruits {unit_type} u{unit} in {place} for {price} gold{favor}")
                }
                (None, _) => format!("neutral {unit_type} u{unit} appears in {place}"),
            }
        }
        Happening::UnitDestroyed { unit, unit_type, cause, die } => {
            let die = die.map_or(String::new(), |die| format!(" with a {die}"));
            let why = match cause {
                Cause::Plague => "dies of the plague",
                Cause::Battle => "is destroyed",
                Cause::Drowned => "drowns",
                Cause::Mission => "falls to a spy",
                Cause::OwnerOut => "leaves with its owner",
                Cause::Consumed => "settles at the end of its route",
            };
            format!("{unit_type} u{unit}{} {why}{die}", words.where_is(*unit))
        }
        Happening::UnitCaptured { unit, unit_type, by } => {
            format!("{} captures {unit_type} u{unit}{}", prince(*by), words.where_is(*unit))
        }
        Happening::UnitChangedOwner { unit, owner } => match owner {
            Some(player) => format!("{} is now of {}", words.unit(*unit), prince(*player)),
            None => format!("{} turns neutral", words.unit(*unit)),
        },
        Happening::Moved { player, units, path } => {
            let from = words.from(units);
            let to = path.last().map_or(String::new(), |&hex| format!(" to {}", words.place(hex)));
            format!("{} moves {}{from}{to}", prince(*player), words.units(units))
        }
        Happening::Embarked { player, ship, units } => {
            let from = words.from(units);
            let ship = words.unit(*ship);
            format!("{} takes {}{from} aboard {ship}", prince(*player), words.units(units))
        }
        Happening::Disembarked { player, ship, units, to } => {
            let (ship, to) = (words.unit(*ship), words.place(*to));
            format!("{} lands {} from {ship} in {to}", prince(*player), words.units(units))
        }
        Happening::AttackDeclared { player, target, units, .. } => {
            let from = words.from(units);
            let (at, units) = (words.place(*target), words.units(units));
            format!("{} attacks {at} with {units}{from}", prince(*player))
        }
        Happening::TargetsDeclared { targets, .. } if targets.is_empty() => return None,
        Happening::TargetsDeclared { targets, .. } => {
            let pair = |&(one, other): &(u32, u32)| {
                format!("{} at {}", words.unit(one), words.unit(other))
            };
            format!("aimed: {}", listed(targets.iter().map(pair)))
        }
        Happening::BattleDie { unit, target, die, modifier, hit } => {
            let result = if *hit { "a hit" } else { "a miss" };
            let (unit, target) = (words.unit(*unit), words.unit(*target));
            match modifier {
                0 => format!("{unit} throws {die} at {target}: {result}"),
                _ => format!("{unit} throws {die}{modifier:+} at {target}: {result}"),
            }
        }
        Happening::BattleEnded { at, left } => match left.len() {
            0 => format!("the battle for {} is over; no attacker is left", words.place(*at)),
            _ => format!(
                "the battle for {} is over; of the attackers there remain {}",
                words.place(*at),
                words.units(left)
            ),
        },
        Happening::Advanced { player, units, to } => {
            format!("{} enters {} with {}", prince(*player), words.place(*to), words.units(units))
        }
        _ => return None,
    })
}

/// What begins with a phase; nothing of those in which what is paid, thrown or asked tells of it.
fn phase_text(phase: Stage) -> Option<&'static str> {
    match phase {
        Stage::FavorNegate => Some("the Church is asked"),
        Stage::FavorFirst => Some("the Church is asked who goes first"),
        Stage::PayUpkeep => Some("upkeep is due"),
        Stage::Spy => Some("on to the spies"),
        Stage::Movement => Some("on to movement"),
        Stage::Battle => Some("on to battle"),
        Stage::Routes => Some("on to the trade routes"),
        Stage::Diplomacy => Some("on to diplomacy"),
        _ => None,
    }
}

/// An event of the round and what it brings (A.5).
fn event_text(event: RoundEvent) -> &'static str {
    match event {
        RoundEvent::Plague => "plague; a city earns nothing, and its units may die",
        RoundEvent::Surplus => "surplus; a good earns nothing",
        RoundEvent::Scarcity => "scarcity; a good earns double",
        RoundEvent::Revolution => "revolution; a city turns neutral",
        RoundEvent::Master => "a master; a city is taxed 1 higher",
        RoundEvent::Fortification => "fortification; a city receives militia",
    }
}

/// A mission of a spy in words (A.7).
fn mission_text(mission: Mission) -> &'static str {
    match mission {
        Mission::Assassinate => "assassination",
        Mission::SetFire => "setting fire to a ship",
        Mission::Banditry => "banditry",
        Mission::Piracy => "piracy",
        Mission::Sabotage => "sabotage",
        Mission::Bribery => "bribery",
        Mission::Revolt => "a revolt",
        Mission::Thievery => "thievery",
        Mission::Arson => "arson",
        Mission::Choose => "a mission of one's choice",
    }
}

/// Several things, one after the other.
fn listed(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join(", ")
}
