//! What lies beside the map: round, gold, treaties, favour, marks, players who are gone.
//!
//! Must not repair anything: a position that breaks an invariant is refused, naming it.

use super::super::action::prince;
use super::data::Position;
use crate::action::{Player, PlayerSet};
use crate::rulebook::{Attacks, Batches, BonusTime, FavorUseCount, Rule, Scarcities};
use crate::setup::Setup;
use crate::state::{Stage, State, Term};
use crate::tables::MOST;
use crate::view::{FavorView, GoodView, Rounds};
use crate::{Checked, Refusal, ch19_validity};

/// Round, gold, treaties, favour, marks on goods, players who are gone.
pub(super) fn load_table(setup: &Setup, state: &mut State, it: &Position) -> Checked {
    if it.round == 0 {
        return Err(Refusal::new(Rule::C19_2, "bad_round", "rounds count from 1")
            .at("/round")
            .public());
    }
    state.round = it.round;
    for gone in check_players(setup, &it.gone, "/gone")?.iter() {
        state.playing.remove(gone);
    }
    for &(player, gold) in it.gold.iter() {
        ch19_validity::check_player_exists(setup, player, "/gold")?;
        if gold > 0 && !state.playing.contains(player) {
            let message = format!("{player} is gone and has {gold} gold", player = prince(player));
            return Err(Refusal::new(Rule::C19_2, "gone_with_gold", message)
                .at(format!("/gold/{player}"))
                .invariant(1)
                .public());
        }
        if gold > MOST {
            let message = format!("no player has {gold} gold; {MOST} at most");
            return Err(Refusal::new(Rule::C19_2, "too_much_gold", message)
                .at(format!("/gold/{player}"))
                .invariant(1)
                .public());
        }
        state.gold[player.index()] = gold;
    }
    for (at, &[a, b]) in it.treaties.iter().enumerate() {
        let pointer = format!("/treaties/{at}");
        for player in [a, b] {
            check_in_game(setup, state, player, &pointer)?;
        }
        if a == b || state.are_friends(a, b) {
            let message = format!("{a} and {b} cannot have this treaty");
            return Err(Refusal::new(Rule::C19_2, "bad_treaty", message).at(pointer).public());
        }
        state.treaties[a.index()].insert(b);
        state.treaties[b.index()].insert(a);
    }
    let mark = |until: u32| if until < it.round { Term::NONE } else { Term::round(until) };
    for (good, GoodView { surplus_until, scarcity_until }) in it.goods.iter() {
        let marks = &mut state.goods[*good as usize];
        marks.surplus = mark(*surplus_until);
        let mut rounds = match scarcity_until {
            Rounds::One(round) => vec![*round],
            Rounds::Several(rounds) => rounds.clone(),
        };
        if rounds.len() != 1 {
            let on = setup.rulings.scarcities == Scarcities::EachDoubles;
            check_reading(on, Rule::R107, || format!("/goods/{good}/scarcity_until"))?;
        }
        rounds.retain(|&until| it.round <= until);
        rounds.sort_unstable();
        marks.scarcity = mark(rounds.pop().unwrap_or(0));
        state.more_scarcities.extend(rounds.into_iter().map(|until| (*good, until)));
    }
    state.more_scarcities.sort_unstable();
    let FavorView { holder, ref used, bid_bonus, bonus, first } = it.favor;
    if !used.is_empty() {
        let on = setup.rulings.favor_uses == FavorUseCount::EachOnce && holder.is_some();
        check_reading(on, Rule::R98, || "/favor/used".to_owned())?;
        used.iter().for_each(|&it| state.used.insert(it));
    }
    if bonus > 0 {
        let on = setup.rulings.bonus_time == BonusTime::WhenChosen && bid_bonus.is_some();
        check_reading(on && bonus <= 6, Rule::R20, || "/favor/bonus".to_owned())?;
        state.bonus_die = bonus;
    }
    if it.state.spied {
        let on = setup.rulings.batches == Batches::One;
        check_reading(on, Rule::R40, || "/state/spied".to_owned())?;
        state.spied = true;
    }
    for (at, &hex) in it.state.attacked_from.iter().enumerate() {
        let pointer = || format!("/state/attacked_from/{at}");
        check_reading(setup.rulings.attacks != Attacks::AnyNumber, Rule::R102, pointer)?;
        state.attacked_from.push(ch19_validity::check_hex_exists(setup, hex, &pointer())?);
    }
    state.attacked_from.sort_unstable();
    state.attacked_from.dedup();
    for player in [holder, bid_bonus, first].into_iter().flatten() {
        check_in_game(setup, state, player, "/favor")?;
    }
    let stage = it.state.phase;
    if holder.is_some() && matches!(stage, Stage::Event | Stage::Bid) {
        let message = format!("nobody holds the favour in the state {stage}");
        return Err(Refusal::new(Rule::C19_2, "favor_too_early", message)
            .at("/favor/holder")
            .invariant(13)
            .public());
    }
    if first.is_some() && (stage != Stage::Trading && stage != Stage::TurnOrder) {
        let message = format!("the turn order is not open in the state {stage}");
        return Err(Refusal::new(Rule::C19_2, "favor_too_late", message)
            .at("/favor/first")
            .invariant(13)
            .public());
    }
    (state.favor, state.bonus, state.first) = (holder, bid_bonus, first);
    state.agreed = check_players(setup, &it.agreed, "/agreed")?;
    state.away = check_players(setup, &it.away, "/away")?;
    for player in state.agreed.iter().chain(state.away.iter()) {
        check_in_game(setup, state, player, "/agreed")?;
    }
    Ok(())
}

/// A field that only another reading of a ruling uses is refused.
pub(super) fn check_reading(on: bool, ruling: Rule, at: impl Fn() -> String) -> Checked {
    if on {
        return Ok(());
    }
    let message = "only another reading uses this field".to_owned();
    let refusal = Refusal::new(Rule::C19_2, "field_of_another_reading", message);
    Err(refusal.also(ruling).at(at()).public())
}

/// A player who plays and is still in the game.
pub(super) fn check_in_game(setup: &Setup, state: &State, player: Player, at: &str) -> Checked {
    ch19_validity::check_player_exists(setup, player, at)?;
    if state.playing.contains(player) {
        return Ok(());
    }
    Err(Refusal::new(
        Rule::C19_2,
        "player_is_out",
        format!("{player} is out of the game", player = prince(player)),
    )
    .at(at.to_owned())
    .public())
}

/// Players of this table, none twice.
pub(super) fn check_players(setup: &Setup, players: &[Player], at: &str) -> Checked<PlayerSet> {
    let mut set = PlayerSet::NONE;
    for &player in players {
        ch19_validity::check_player_exists(setup, player, at)?;
        if set.contains(player) {
            let message = format!("{player} is named twice", player = prince(player));
            return Err(Refusal::new(Rule::C19_2, "player_twice", message)
                .at(at.to_owned())
                .public());
        }
        set.insert(player);
    }
    Ok(set)
}

/// Invariant 2: the next number of a unit or a deal, which some more can follow.
pub(super) fn check_number(next: u32, at: &str) -> Checked<u32> {
    if next <= MOST {
        return Ok(next);
    }
    let message = format!("{next} is next; no game comes to more than {MOST}");
    Err(Refusal::new(Rule::C19_2, "number_too_high", message)
        .at(at.to_owned())
        .invariant(2)
        .public())
}
