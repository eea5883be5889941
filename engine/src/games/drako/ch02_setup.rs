//! DRK-2 Setup: decks, hands, mulligan, placement. Must not know what happens in a turn but
//! that turn 1 follows.

use super::action::{Dwarf, Mulligan, Place, Side};
use super::board;
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{ExchangeOrder, Placement};
use super::state::Stage;
use super::tables::{CARDS_PER_DRAW, STARTING_HAND};
use super::{Ctx, Verdict, ch03_turns};
use crate::chance::{Ask, What};
use crate::rules::Refusal;
use crate::wire::Few;

/// DRK-2.1 to 2.7 Everything before the first decision.
pub(super) fn open(ctx: &mut Ctx<'_>) -> Verdict {
    for side in Side::BOTH {
        shuffle(ctx, side)?;
        deal(ctx, side)?;
    }
    let setup = ctx.setup();
    if setup.placement == Placement::Fixed {
        let placed = Event::FiguresPlaced { places: setup.start_places };
        ctx.happen(placed, [Rule::C2_4, Rule::C2_3]);
    }
    go_on(ctx, 0)
}

/// The setup decisions in their order (DRK-2.6, DRK-R16).
fn order(setup: &super::setup::Setup) -> [Option<Stage>; 3] {
    let mulligans =
        [Stage::MulliganDragon, Stage::MulliganDwarves].map(|it| setup.mulligan.then_some(it));
    let placement = (setup.placement == Placement::Free).then_some(Stage::Placement);
    match setup.rulings.exchange_order {
        ExchangeOrder::BeforePlacement => [mulligans[0], mulligans[1], placement],
        ExchangeOrder::AfterPlacement => [placement, mulligans[0], mulligans[1]],
    }
}

/// Awaits the first setup decision from a place in the order on, or starts turn 1 (DRK-2.7).
fn go_on(ctx: &mut Ctx<'_>, from: usize) -> Verdict {
    let next = order(ctx.setup()).into_iter().skip(from).flatten().next();
    match next {
        Some(stage) => {
            let awaited = Event::Awaited { stage, to_assign: 0 };
            match stage {
                Stage::Placement => ctx.happen(awaited, [Rule::C2_5, Rule::R16]),
                _ => ctx.happen(awaited, [Rule::C2_6, Rule::R16, Rule::R27]),
            }
            Ok(())
        }
        None => ch03_turns::start_turn(ctx, 1),
    }
}

fn after(ctx: &mut Ctx<'_>, stage: Stage) -> Verdict {
    let done = order(ctx.setup()).iter().position(|&it| it == Some(stage));
    go_on(ctx, done.map_or(3, |at| at + 1))
}

/// DRK-2.1 A side's deck is mixed; a record may give its order.
fn shuffle(ctx: &mut Ctx<'_>, side: Side) -> Verdict {
    let setup = ctx.setup();
    let deck = setup.deck(side);
    let counts = ctx.state().holding(side).deck;
    let what = What::Card { side: side.name(), names: &deck.names, counts: &counts[..deck.len()] };
    let given = ctx.order(&Ask { stream: side as u8, what }, Rule::C13_1)?;
    let order = given.unwrap_or_default().into_iter().map(|row| row as u8).collect();
    ctx.happen(Event::DeckShuffled { side, order }, [Rule::C2_1, Rule::C13_1]);
    Ok(())
}

/// DRK-2.2 Four cards to a hand.
fn deal(ctx: &mut Ctx<'_>, side: Side) -> Verdict {
    let cards = take(ctx, side, STARTING_HAND, Rule::C2_2)?;
    ctx.happen(Event::HandDealt { side, cards }, [Rule::C2_2, Rule::C13_1]);
    Ok(())
}

/// Cards off the top of a deck: from the known order, else drawn from what is left (part D).
pub(super) fn take<const N: usize>(
    ctx: &mut Ctx<'_>,
    side: Side,
    count: u8,
    rule: Rule,
) -> Result<Few<u8, N>, super::Stop> {
    let deck = ctx.setup().deck(side);
    let holding = ctx.state().holding(side);
    let (mut counts, order) = (holding.deck, holding.order);
    let mut left = holding.left;
    let (mut next, known) = (usize::from(holding.next), usize::from(holding.known));
    let mut cards = Few::default();
    for _ in 0..count {
        if left == 0 {
            break;
        }
        let names = &deck.names;
        let what = What::Card { side: side.name(), names, counts: &counts[..deck.len()] };
        let ask = Ask { stream: side as u8, what };
        let row = if next < known {
            let row = order[next];
            next += 1;
            ctx.known(&ask, row.into());
            row
        } else {
            ctx.draw(&ask, rule)? as u8
        };
        counts[usize::from(row)] -= 1;
        left -= 1;
        cards.push(row);
    }
    Ok(cards)
}

/// A `draw` action's cards.
pub(super) fn take_two(ctx: &mut Ctx<'_>, side: Side) -> Result<Few<u8, 2>, super::Stop> {
    take(ctx, side, CARDS_PER_DRAW, Rule::C4_1)
}

/// DRK-2.6 Once, before play, a side may exchange its whole hand.
pub(super) fn mulligan(ctx: &mut Ctx<'_>, action: &Mulligan) -> Verdict {
    let side = action.player;
    if action.exchange {
        ctx.happen(Event::HandExchanged { side }, Rule::C2_6);
        shuffle(ctx, side)?;
        deal(ctx, side)?;
    } else {
        ctx.happen(Event::HandKept { side }, Rule::C2_6);
    }
    let stage = ctx.state().stage;
    after(ctx, stage)
}

/// DRK-2.5 Free placement: three different hexes on the board, away from the dragon.
pub(super) fn place(ctx: &mut Ctx<'_>, action: &Place) -> Verdict {
    let dragon = ctx.state().dragon(ctx.setup());
    let hexes = [action.fury, action.archery, action.net];
    let mut places = [dragon; 3];
    let field = |at: usize| format!("/{}", Dwarf::ALL[at].name());
    for (at, &hex) in hexes.iter().enumerate() {
        let Some(place) = board::Place::find(hex) else {
            let message = format!("{hex} is no hex of the board");
            return Err(Refusal::new(Rule::C1_2, "off_board", message)
                .at(field(at))
                .fact("distance from the centre", hex.length())
                .public()
                .into());
        };
        places[at] = place;
    }
    for (at, &place) in places.iter().enumerate() {
        let distance = place.distance(dragon);
        if distance < 2 {
            let name = Dwarf::ALL[at].name();
            let message = format!("{name} cannot start on {}, next to the dragon", place.hex());
            return Err(Refusal::new(Rule::C2_5, "adjacent_to_dragon", message)
                .at(field(at))
                .fact("distance from the dragon", distance)
                .public()
                .into());
        }
    }
    for at in 1..3 {
        if let Some(before) = places[..at].iter().position(|&place| place == places[at]) {
            let (name, other) = (Dwarf::ALL[at].name(), Dwarf::ALL[before].name());
            let message = format!("{name} cannot start on {} beside {other}", places[at].hex());
            return Err(Refusal::new(Rule::C1_5, "hex_occupied", message)
                .at(field(at))
                .also(Rule::C2_5)
                .fact(format!("figure on {}", places[at].hex()), other)
                .public()
                .into());
        }
    }
    ctx.happen(Event::FiguresPlaced { places }, [Rule::C2_5, Rule::C2_3]);
    after(ctx, Stage::Placement)
}
