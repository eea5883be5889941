//! The story of a game: one line of plain English per event, as an observer learns of it.
//!
//! Must not decide anything, nor say more of an event than its notice to that observer does.

pub(super) mod names;

use super::Dragut;
use super::action::{Action, Reward, Side};
use super::ch01_terms::place_name;
use super::ch04_points::MAMMA_LI_TURCHI;
use super::ch12_information::token_name;
use super::condition::condition;
use super::event::{AlarmCause, BartolomeoStand, DrawCause, Event, Who};
use super::rulebook::{LastPirates, Rule};
use super::setup::Setup;
use super::state::{Ending, NO_CARD, Place, State};
use super::view::View;
use super::words;
use names::{area_by_id, card_by_id, unit_by_id};
use umpire_core::game::{Change, Condition, Observer, Story};
use umpire_core::wire::Name;
use umpire_core::words::Catalogue;

impl Story for Dragut {
    fn tell(setup: &Setup, event: &Event, (): &(), to: Observer) -> Option<String> {
        tell(setup, event, to)
    }

    fn describe_action(setup: &Setup, _: Option<&State>, action: &Action) -> Option<String> {
        Some(say(setup, action))
    }

    /// C.5 A duel with Bartolomeo decides what a move comes to; a deployment is judged by where it puts units.
    fn is_leading(event: &Event) -> bool {
        matches!(event, Event::Duel { bartolomeo: Some(_), .. } | Event::Deployed { .. })
    }

    /// DRG-R35 is about hills, DRG-R44 about Giulia in the Serraglio, DRG-R4 about a Soldier who is not deployed, DRG-R40
    /// about the points of the Rapalline player, DRG-R41 about one card.
    fn bears_on(setup: &Setup, action: &Action, ruling: Rule) -> bool {
        let hill = |to: &Name| setup.area(to).is_some_and(|to| setup.hills.contains(to));
        match (ruling, action) {
            (Rule::R35, Action::Move(it)) => hill(&it.to),
            (Rule::R35, Action::Relocate(it)) => hill(&it.to),
            (Rule::R44, Action::Send(it)) => setup.unit(&it.unit) == Some(setup.giulia),
            (Rule::R41, Action::ChooseCard(it)) => {
                it.card.as_ref().is_some_and(|card| card.as_str() == MAMMA_LI_TURCHI)
            }
            (Rule::R40, _) => action.side() == Side::Rapalline,
            (Rule::R35 | Rule::R41 | Rule::R44, _) | (Rule::R4, Action::Deploy(_)) => false,
            _ => true,
        }
    }

    fn describe_change(setup: &Setup, change: Change<'_>) -> Condition {
        condition(setup, change)
    }

    fn strip_bookkeeping(view: &mut View) {
        view.put_books_aside();
    }

    fn languages() -> &'static [&'static str] {
        words::LANGUAGES
    }

    fn catalogue(language: &str) -> Option<&'static Catalogue> {
        words::catalogue(language)
    }
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn points(number: u8) -> String {
    match number {
        1 => "1 point".to_owned(),
        number => format!("{number} points"),
    }
}

/// One line, if the event is worth one. Who the observer may not know is told by the counter alone (DRG-12.3).
pub(super) fn tell(setup: &Setup, event: &Event, to: Observer) -> Option<String> {
    let area = |area| setup.area_title(area);
    let own = |who: Who| to.sees(setup.side(who.unit).seat());
    let unit = |who: Who| match own(who) || who.open {
        true => setup.unit_title(who.unit),
        false => format!("counter {}", token_name(setup.side(who.unit), who.token)),
    };
    let card = |of: Side, row: u8| setup.card_title(of, row).to_owned();
    let line = match *event {
        Event::Shuffled { side: of, .. } => format!("The deck of {} is shuffled", of.title()),
        Event::Arrived { .. } | Event::Settled | Event::Awaited { .. } => return None,
        Event::Deployed { who, to } if own(who) || who.open => {
            let token = token_name(Side::Rapalline, who.token);
            format!("{} waits in {} as {token}", upper(&unit(who)), area(to))
        }
        Event::Deployed { who, to } => format!("{} waits in {}", upper(&unit(who)), area(to)),
        Event::CardDrawn { side: of, row, why } => {
            let why = match why {
                DrawCause::Start => "for the starting hand",
                DrawCause::Sent => "for the captive sent",
                DrawCause::Reward => "for the Arquebusier's shot",
                DrawCause::Earned => "for the success",
            };
            let card = if to.sees(of.seat()) { card(of, row) } else { "a card".to_owned() };
            format!("{} draw {card} {why}", upper(of.title()))
        }
        Event::DeckEmpty { side: of, .. } => {
            format!("The deck of {} is empty: no card", of.title())
        }
        Event::TurnStarted { turn } => format!("Turn {turn} begins"),
        Event::CardCommitted { side: of, .. } if !to.sees(of.seat()) => {
            format!("{} make their choice in secret", upper(of.title()))
        }
        Event::CardCommitted { side: of, row: NO_CARD } => {
            format!("{} choose no card", upper(of.title()))
        }
        Event::CardCommitted { side: of, row } => {
            format!("{} choose {} in secret", upper(of.title()), card(of, row))
        }
        Event::CardsRevealed { rows } => {
            let of = |of: Side| match rows[of.index()] {
                row if usize::from(row) < setup.decks[of.index()].ids.len() => face(setup, of, row),
                _ => "no card".to_owned(),
            };
            format!(
                "The choices are shown: {} by the pirates, {} by the townspeople",
                of(Side::Pirates),
                of(Side::Rapalline)
            )
        }
        Event::EffectVoid { side: of, row } => format!("{} changes nothing", card(of, row)),
        Event::AlarmChanged { from, to, cost, cause, .. } => {
            let why = match cause {
                AlarmCause::Card => " by a card".to_owned(),
                AlarmCause::Liberation | AlarmCause::Rescue { .. } => {
                    " for a freed captive".to_owned()
                }
                AlarmCause::Reward => " after the shot".to_owned(),
                AlarmCause::Action => format!(" for {}", points(cost)),
            };
            // DRG-8.1 The printed track shows values.
            let value = usize::from(to).checked_sub(1).and_then(|at| setup.track.get(at));
            let now = value.map_or(String::new(), |value| format!("; its value is {value}"));
            match from.cmp(&to) {
                std::cmp::Ordering::Less => {
                    format!("The alarm rises from {from} to {to}{why}{now}")
                }
                std::cmp::Ordering::Greater => {
                    format!("The alarm falls from {from} to {to}{why}{now}")
                }
                std::cmp::Ordering::Equal => format!("The alarm stays at {to}: the step is lost"),
            }
        }
        Event::PhaseStarted { side: of, pool } => {
            format!("{} have {}", upper(of.title()), points(pool))
        }
        Event::Landed { who, to, cost } => {
            format!("{} lands at {} for {}", upper(&unit(who)), area(to), points(cost))
        }
        Event::Moved { who, from, to, cost } => {
            let (from, to) = (area(from), area(to));
            format!("{} goes from {from} to {to} for {}", upper(&unit(who)), points(cost))
        }
        Event::Repelled { who, to, .. } => {
            let back = match to {
                Place::AT_SEA => "the sea".to_owned(),
                to => to.area().map_or_else(|| place_name(setup, to).to_string(), area),
            };
            format!("{} is thrown back to {back}", upper(&unit(who)))
        }
        Event::Duel { attacker, defender, values, area: here, bartolomeo } => {
            let value = |value: Option<u8>| value.map_or("a shot".to_owned(), |it| it.to_string());
            let (one, other) = (upper(&unit(attacker)), unit(defender));
            let (here, value, against) = (area(here), value(values[0]), value(values[1]));
            let duel = format!("{one} fights {other} at {here}: {value} against {against}");
            match bartolomeo.map(|stand| why_bartolomeo(setup, stand)) {
                Some(why) => format!("{duel}. {why}"),
                None => duel,
            }
        }
        Event::UnitCaptured { who, area: here, by } => {
            format!("{} is captured by {} at {}", upper(&unit(who)), unit(by), area(here))
        }
        Event::UnitEliminated { who, area: here, by } => {
            format!("{} falls to {} at {}", upper(&unit(who)), unit(by), area(here))
        }
        Event::UnitReduced { who, into, value, area: here } => {
            let (hit, here) = (upper(&unit(who)), area(here));
            match who.unit == into {
                true => format!("{hit} is hit at {here}: value {value} is left"),
                false => {
                    let into = setup.unit_title(into);
                    format!("{hit} is hit at {here}: value {value} is left and goes on as {into}")
                }
            }
        }
        Event::UnitWithdrawn { who, area: here } => {
            format!("{} fires at {} and leaves the game", upper(&unit(who)), area(here))
        }
        Event::UnitFled { who, area: here } => {
            format!("{} escapes to {}", upper(&unit(who)), area(here))
        }
        Event::TargetChanged { target } => format!("The pirates now need {target} captives"),
        Event::CaptiveSent { who, from, cost, escort, serraglio } => {
            let (sent, from, cost) = (upper(&unit(who)), area(from), points(cost));
            let so_far = serraglio;
            // A unit at sea has no counter to go by (DRG-R37).
            let known = |who: &Who| own(*who) || who.open || who.token > 0;
            match escort.filter(known).map(unit) {
                Some(by) => format!(
                    "{sent} is sent from {from} to the Serraglio by {by} for {cost}: {so_far} so far"
                ),
                None => format!(
                    "{sent} is sent from {from} to the Serraglio for {cost}: {so_far} so far"
                ),
            }
        }
        Event::UnitLiberated { who, area: here, by } => {
            format!("{} is freed by {} at {}", upper(&unit(who)), unit(by), area(here))
        }
        Event::UnitRelocated { who, to, .. } => {
            format!("{} runs to {}", upper(&unit(who)), area(to))
        }
        Event::Stayed { unit } if !to.sees(setup.side(unit).seat()) => return None,
        Event::Stayed { unit } => {
            format!("{} finds no empty area and stays", upper(&setup.unit_title(unit)))
        }
        Event::ReservePlaced { who, to } => {
            format!("{} comes to help at {}", upper(&unit(who)), area(to))
        }
        Event::DrawDeclined { side: of } => format!("{} draw no card", upper(of.title())),
        Event::PhaseEnded { side: of, left: 0 } => format!("The phase of {} ends", of.title()),
        Event::PhaseEnded { side: of, left } => {
            format!("The phase of {} ends; {} lost", of.title(), points(left))
        }
        Event::CardRetired { side: of, row } => format!("{} leaves the game", card(of, row)),
        Event::CardReturned { side: of, row } => {
            format!("{} goes back into the deck of {}", card(of, row), of.title())
        }
        Event::GameEnded { winner, reason } => {
            let why = match reason {
                Ending::Serraglio => "the Serraglio is full",
                Ending::NoRapalline => "no townspeople are left to take",
                Ending::NoPirates => match setup.rulings.last_pirates {
                    LastPirates::SeaCounts => "no pirate is left",
                    LastPirates::MapOnly => "no pirate is left on the map",
                },
                Ending::Unreachable => "too few townspeople are left to take",
                Ending::Standstill => "nobody can do anything any more",
            };
            match winner {
                Some(winner) => format!("{} win: {why}", upper(winner.title())),
                None => format!("Nobody wins: {why}"),
            }
        }
    };
    Some(line)
}

/// DRG-10.3 Which of his two values Bartolomeo has, and why.
fn why_bartolomeo(setup: &Setup, stand: BartolomeoStand) -> String {
    let who = upper(&setup.unit_title(setup.bartolomeo));
    let (strong, weak) = (setup.values[setup.bartolomeo.index()], setup.lesser);
    match stand {
        BartolomeoStand::Strong => format!("{who} is worth {strong} in the phase of the pirates"),
        BartolomeoStand::OwnPhase => {
            format!("{who} is worth {weak} in the phase of the townspeople")
        }
        BartolomeoStand::GiuliaLost => {
            format!(
                "{who} is worth {weak} since {} has left the map",
                setup.unit_title(setup.giulia)
            )
        }
    }
}

/// A card by name, with what it does (DRG-3.4).
fn face(setup: &Setup, side: Side, row: u8) -> String {
    let deck = &setup.decks[side.index()];
    let title = setup.card_title(side, row);
    let Some(effect) = deck.effects.get(usize::from(row)) else { return title.to_owned() };
    let mut parts = Vec::new();
    if effect.alarm != 0 {
        let steps = effect.alarm.unsigned_abs();
        parts.push(match effect.alarm > 0 {
            true => format!("the alarm rises by {steps}"),
            false => format!("the alarm falls by {steps}"),
        });
    }
    for of in Side::BOTH {
        let (pool, limit) = (effect.pool[of.index()], effect.limit[of.index()]);
        if pool != 0 {
            let count = points(pool.unsigned_abs());
            parts.push(match pool > 0 {
                true => format!("{count} more for {}", of.title()),
                false => format!("{count} less for {}", of.title()),
            });
        }
        if limit != 0 {
            let count = points(limit.unsigned_abs());
            parts.push(match limit > 0 {
                true => format!("{count} more for each counter of {}", of.title()),
                false => format!("{count} less for each counter of {}", of.title()),
            });
        }
    }
    parts.extend(effect.trail.map(|cost| format!("a trail costs every pirate {}", points(cost))));
    parts.extend(effect.send.map(|cost| format!("each captive sent costs {}", points(cost))));
    if effect.reserve {
        parts.push("the reserve comes to help".to_owned());
    }
    match parts.is_empty() {
        true => title.to_owned(),
        false => format!("{title} ({})", parts.join(", ")),
    }
}

/// An action in one line. A unit that is named by its token keeps that name.
fn say(setup: &Setup, action: &Action) -> String {
    let area = |id: &Name| area_by_id(setup, id.as_str());
    let unit = |id: &Name| unit_by_id(setup, id.as_str());
    let who = upper(action.side().title());
    match action {
        Action::Deploy(it) => {
            let list = it.placements.iter();
            let list = list.map(|it| format!("{} in {}", unit(&it.unit), area(&it.area)));
            let list: Vec<String> = list.collect();
            if list.is_empty() {
                format!("{who} place nobody")
            } else {
                format!("{who} place {}", list.join(", "))
            }
        }
        Action::ChooseCard(it) => match it.card {
            Some(card) => format!("{who} choose {}", card_by_id(setup, card.as_str())),
            None => format!("{who} choose no card"),
        },
        Action::Land(it) => format!("{who} land {} at {}", unit(&it.unit), area(&it.to)),
        Action::Move(it) => format!("{who} move {} to {}", unit(&it.unit), area(&it.to)),
        Action::Send(it) => match &it.escort {
            Some(escort) => {
                format!("{who} send {} to the Serraglio by {}", unit(&it.unit), unit(escort))
            }
            None => format!("{who} send {} to the Serraglio", unit(&it.unit)),
        },
        Action::RaiseAlarm(_) => format!("{who} raise the alarm"),
        Action::EndPhase(_) => format!("{who} end their phase"),
        Action::ChooseDefender(it) => format!("{who} name {} to fight next", unit(&it.unit)),
        Action::ArquebusChoice(it) => match it.choice {
            Reward::Draw => format!("{who} take a card for the shot"),
            Reward::Alarm => format!("{who} raise the alarm for the shot"),
        },
        Action::DrawOffer(it) if it.accept => format!("{who} draw a card"),
        Action::DrawOffer(_) => format!("{who} draw no card"),
        Action::Relocate(it) => format!("{who} let {} run to {}", unit(&it.unit), area(&it.to)),
        Action::PlaceReserve(it) => format!("{who} bring the reserve to {}", area(&it.to)),
    }
}
