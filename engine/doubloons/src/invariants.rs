//! What holds in every state of a game, by the numbers of the rules document (part H). The laws test it, and a loaded
//! position that breaks one is refused by its id.
//!
//! Must not check anything: `position` does.

use umpire_core::game::Invariants;

/// The invariants of the rules document.
pub(super) const INVARIANTS: Invariants = Invariants { part: 'H', texts: TEXTS };

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "No player's gold is ever negative; gold changes only by bids, deals, upkeep, taxes, routes, recruiting, spying, mission gold, bribery, diplomacy, elimination.",
    "Units created = units in play + units destroyed; ids unique and rising.",
    "Every unit stands on an existing hex that is not treacherous; land units not aboard on land or city, ships on water, reefs or a port (R38 `anywhere`: or any city).",
    "Militia stand only in the city hex where they were created (R55 `by_ship`: in a city hex or aboard).",
    "A unit aboard has the hex and the owner of its galleon; at most 4 aboard (R57 `leaders_free`: leaders apart); frigates, caravels and land units carry nothing; no ship is aboard.",
    "No hex holds military units of two owners (neutral counts as one); a military unit in a city belongs to the city's controller, or is neutral in a neutral city; except where 1.12 allows it.",
    "No player's military unit shares a hex with a leader not his own (except under R54, R89, R94).",
    "Neutral units stand only in neutral cities (R89 `spared`: leaders also elsewhere).",
    "Each city has at most one controller; the sum of cities per player plus neutral cities is the number of cities.",
    "A route joins two different cities, its good is on the supply and the demand list, no slot is used twice, its owner controls the supply city (under R83 = `to_it`: controlled it when the route opened; the routes of an eliminated player end, 18.3). R74 `neutral_only` frees routes of this and of 11, R71 `per_owner` counts a demand slot once per owner.",
    "The demand city of a route is neutral, its owner's, or a treaty partner's.",
    "After every `routes` phase no further own pair of free slots exists for the active player (15.6).",
    "At most one favour exists; it is used at most once (R98: each use once); none survives a round end.",
    "At most one unit per city and main turn is recruited, one more with the favour.",
    "Points spent by a unit in a turn never exceed its move.",
    "No held or pinned unit, no militia, no moved cannon is in any `attack_declared`; no unit but officers twice in a turn.",
    "A unit destroyed in a step has thrown in that step if it was its own and it had a legal target; it throws in no later step (R63 `after_battle` apart).",
    "At most one die per unit and pass of a battle; leaders and merchants never throw; every die in a battle has a target alive at the start of its step.",
    "Bids: sum paid = sum bid; with a tie at the top no favour exists.",
    "A deal changes everything or nothing; the total gold of the players is unchanged by it.",
    "Turn order, when made, is a permutation of the players in the game.",
    "Marks end at the round named; with no mark active no city earns 0 tax.",
    "After every action 1.11 is at rest: applying it again changes nothing.",
    "A refused action leaves the state hash unchanged.",
    "Seed + actions give the same hash twice; the tape of a seeded run gives the same hash; permuting bids of one round gives the same hash.",
    "Every option an engine lists is accepted; every action not listed is refused with a clause id.",
    "Views of two players differ only in unrevealed bids.",
    "Generated maps: rotation by 60° maps terrain and city set onto themselves; every city passes B.3 step 7.",
    "Once a player controls all cities the game is over in the same step (R103 `taken` apart).",
];
