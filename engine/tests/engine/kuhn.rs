//! A toy whose value is known from a paper: Kuhn poker. Its rules give that value, and search comes near it.

use umpire_engine::analysis::odds::outcomes;
use umpire_engine::analysis::search::{InTurn, Params, Position, search};
use umpire_engine::analysis::shares;
use umpire_engine::budget::Budget;
use umpire_engine::chance::seeded::Seeded;
use umpire_engine::game::{Game, Horizon, Keep, Observer, Seat, Table};
use umpire_testing::toys::kuhn::{Action, CARDS, Card, Kuhn, View};

/// How likely a seat bets with a card after what was done so far.
type Policy<'a> = &'a dyn Fn(Card, &[bool]) -> f64;

fn seated(view: &View) -> Table<Kuhn> {
    let state = Kuhn::load(&(), view.clone()).unwrap_or_else(|_| panic!("{view:?}"));
    let chance = &mut Seeded::new("kuhn", Kuhn::META.streams);
    Table::resume(().into(), state, chance, Keep::Nothing)
        .unwrap_or_else(|stop| panic!("{view:?}: {stop:?}"))
}

/// The deals, each as likely.
fn deals() -> impl Iterator<Item = View> {
    let pairs = CARDS.into_iter().flat_map(|one| CARDS.map(|other| [one, other]));
    pairs.filter(|[one, other]| one != other).map(|cards| View {
        cards: cards.map(Some),
        bets: Vec::new(),
        winner: None,
    })
}

/// What a table is worth to the first seat under two policies: every way to bet and every side of the die counted.
fn worth(table: &Table<Kuhn>, policies: [Policy<'_>; 2]) -> f64 {
    if let Some(outcome) = table.outcome() {
        return shares::of(
            &shares::of_outcome::<Kuhn>(table.setup(), table.state(), outcome),
            Seat(0),
        );
    }
    let seat = table.decision().seats.lowest().expect("somebody decides");
    let View { cards, bets, .. } = table.view(Observer::Seat(seat));
    let card = cards[seat.index()].expect("the own card");
    let bet = policies[seat.index()](card, &bets);
    let mut sum = 0.0;
    for action in table.actions(seat) {
        let chosen = if matches!(action, Action::Bet { .. }) { bet } else { 1.0 - bet };
        if chosen == 0.0 {
            continue;
        }
        for branch in outcomes(table, &action, 8).unwrap_or_else(|_| panic!("{action:?}")) {
            let chance = &mut Seeded::new("kuhn", Kuhn::META.streams);
            let next = Table::resume(().into(), branch.state, chance, Keep::Nothing);
            let next = next.unwrap_or_else(|stop| panic!("{stop:?}"));
            let odds = branch.odds.0 as f64 / branch.odds.1 as f64;
            sum += chosen * odds * worth(&next, policies);
        }
    }
    sum
}

/// The mean over all deals, in chips of the first seat.
fn chips(policies: [Policy<'_>; 2]) -> f64 {
    let sum: f64 = deals().map(|deal| worth(&seated(&deal), policies)).sum();
    4.0 * (sum / 6.0 - 0.5)
}

/// The first seat's best play of the paper, which bluffs with a third of its jacks.
fn first(card: Card, bets: &[bool]) -> f64 {
    match (card, bets.is_empty()) {
        (Card::Jack, true) => 1.0 / 3.0,
        (Card::King, _) => 1.0,
        (Card::Queen, false) => 2.0 / 3.0,
        (Card::Queen, true) | (Card::Jack, false) => 0.0,
    }
}

/// The second seat's.
fn second(card: Card, bets: &[bool]) -> f64 {
    match (card, bets) {
        (Card::King, _) => 1.0,
        (Card::Queen, [true]) | (Card::Jack, [false]) => 1.0 / 3.0,
        _ => 0.0,
    }
}

/// The best that one seat can do against a policy of the other, over all its plans: two decisions with each card.
fn best_response(seat: usize, against: Policy<'_>) -> f64 {
    let plans = (0..64u32).map(|plan| {
        let own = move |card: Card, bets: &[bool]| {
            let late = bets.len() > 1 || bets == [true];
            f64::from(plan >> (card as u32 * 2 + u32::from(late)) & 1)
        };
        chips(if seat == 0 { [&own, against] } else { [against, &own] })
    });
    if seat == 0 { plans.fold(f64::MIN, f64::max) } else { plans.fold(f64::MAX, f64::min) }
}

#[test]
fn kuhn_poker_is_worth_what_the_paper_says() {
    let value = -1.0 / 18.0;
    for found in [chips([&first, &second]), best_response(0, &second), best_response(1, &first)] {
        assert!((found - value).abs() < 1e-12, "{found}");
    }
}

/// How often search bets with a card after what was done so far, over some seeds.
fn bets_of_search(card: Card, bets: &[bool], simulations: u32, seeds: u32) -> f64 {
    let seat = Seat((bets.len() % 2) as u8);
    let mut deal = deals().find(|deal| deal.cards[seat.index()] == Some(card)).expect("a deal");
    deal.bets = bets.to_vec();
    let position = Position::of(&seated(&deal), Observer::Seat(seat));
    let count = (0..seeds).filter(|seed| {
        let seed = format!("kuhn {seed}");
        let params =
            Params { horizon: Horizon::Actions(10), ..Params::of::<Kuhn>(simulations, &seed) };
        let found = search(&position, Some(seat), params, Budget::UNLIMITED, &InTurn);
        let found = found.unwrap_or_else(|nothing| panic!("{nothing:?}"));
        matches!(found.best().map(|best| &best.action), Some(Action::Bet { .. }))
    });
    f64::from(count.count() as u32) / f64::from(seeds)
}

#[test]
fn search_never_takes_what_is_dominated_at_kuhn_poker() {
    for (card, bets, expected) in [
        // A king calls, a jack folds.
        (Card::King, &[true][..], 1.0),
        (Card::King, &[false, true], 1.0),
        (Card::Jack, &[true], 0.0),
        (Card::Jack, &[false, true], 0.0),
    ] {
        let found = bets_of_search(card, bets, 2_000, 24);
        assert!((found - expected).abs() < 1e-12, "{card:?} after {bets:?}: {found}");
    }
}

#[test]
fn search_comes_near_the_value_of_kuhn_poker() {
    let mut table = Vec::new();
    for card in CARDS {
        for bets in [&[][..], &[true], &[false], &[false, true]] {
            table.push(((card, bets.to_vec()), bets_of_search(card, bets, 1_000, 24)));
        }
    }
    let play = |card: Card, bets: &[bool]| {
        let found = table.iter().find(|((own, done), _)| (*own, &done[..]) == (card, bets));
        found.expect("an information set").1
    };
    let value = chips([&play, &play]);
    println!(
        "{table:?}\nself-play {value:.4}, best responses {:.4} {:.4}",
        best_response(0, &play),
        best_response(1, &play)
    );
    assert!((value + 1.0 / 18.0).abs() < 0.1, "{value}");
}
