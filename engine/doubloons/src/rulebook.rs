//! The rulebook: every clause and every ruling, one line each, and the readings a record may pick.
//!
//! Ids are those of the rules document; the published text has no numbers, so its headings stand
//! as sections, and `reconstruction` marks what had to be laid down where the text is silent.
//! This module must not decide anything.

umpire_core::rulebook! {
    /// Clauses and rulings of Doubloons & Dragoons.
    pub enum Rule {
        clauses {
            C2_1 = "DBD-2.1" ["" => "reconstruction"] "A record names its map: `\"map\": \"reference\"`, `\"map\": \"generated\"`, or a whole map object (the table's own map).";
            C2_2 = "DBD-2.2" ["" => "reconstruction"] "Each hex appears once, with a known code; rows may be of any length and offset.";
            C2_3 = "DBD-2.3" ["" => "reconstruction"] "City ids are 1…n without gap, names differ, every city stands on a `C` hex and every `C` hex is a city.";
            C2_4 = "DBD-2.4" ["" => "reconstruction"] "`port` may be true only for a city beside at least one `~` or `x` hex. A city beside water may have `port` false.";
            C2_5 = "DBD-2.5" ["" => "reconstruction"] "Seats are different cities; `seats` has an entry with exactly as many seats as there are players, and at least one city is nobody's seat in use.";
            C2_6 = "DBD-2.6" ["" => "reconstruction"] "Warnings only, the map stays usable: two cities next to each other; a city no other city can reach by land or from port to port; a city with no open land beside it; fewer than 20 or more than 30 cities.";
            C2_7 = "DBD-2.7" ["" => "reconstruction"] "The map never changes during a game; only control of cities does.";
            C1_1 = "DBD-1.1" ["" => "§Setup"] "2 to 6 players, `p1`…`p6` in seat order.";
            C1_2 = "DBD-1.2" ["" => "reconstruction"] "Gold comes from and goes to an unlimited bank; no player's gold is ever below 0. Counters are unlimited.";
            C1_3 = "DBD-1.3" ["" => "§Round"] "A main turn is one player's nine phases; a round holds one main turn per player. A limit \"per turn\" counts within one main turn. An effect lasting \"this and the next turn\" lasts to the end of the next round, one lasting \"this turn\" to the end of this round.";
            C1_4 = "DBD-1.4" ["" => "§Units"] "Classes: leader, merchant, military = all other units, galleon and frigate included. Ship = caravel, galleon, frigate; all others are land units. At sea = in a water or reef hex.";
            C1_5 = "DBD-1.5" ["" => "§Stacking"] "A stack is all units of one owner in one hex, cargo included. One owner's units may stand together in any number.";
            C1_6 = "DBD-1.6" ["" => "§Movement, §Diplomacy"] "All other players' units are enemies, treaty or not. Neutral units belong to nobody: to military units they are enemies, to leaders and merchants they are not.";
            C1_7 = "DBD-1.7" ["" => "§Movement"] "A hex is closed to a unit if it holds (a) another player's unit that is not a leader, or (b) for a military unit, a neutral unit that is not a leader. R88 `open_market` excepts from (a): in a neutral city leaders and merchants ignore other players' merchants.";
            C1_8 = "DBD-1.8" ["" => "§Movement"] "When a player's military unit is in a hex with leaders of other players or neutral leaders, those leaders are captured: destroyed at once, and the captor gains nothing. Merchants are not captured; only under R86 `overtaken` are those destroyed too that without any unit entering (recruiting, bribery, change of control) come to share a hex with a player's military unit that is not their owner's. Neutral military units capture nobody.";
            C1_9 = "DBD-1.9" ["" => "§Church", "" => "§Spy"] "A pinned unit (Church, 5.9) may not move, embark, disembark, start or join an attack; a ship with it aboard may not move. A held unit (Sabotage, 12.11) moreover may not negotiate or open a route. Both still defend, cost upkeep, serve as garrison, govern and foil missions. Their galleon may be boarded and left by units that are neither; a unit that joins the stack later is neither. Under R85 `as_sabotage` the Church holds instead of pinning.";
            C1_10 = "DBD-1.10" ["" => "reconstruction"] "Units get ids 1, 2, 3, … in order of creation; ids are never reused and do not change with the owner.";
            C1_11 = "DBD-1.11" ["" => "reconstruction"] "After every action or automatic step is fully worked out, in this order: goods thrown late, capture (1.8), routes that end (15.8), eliminations (18.3), victory (18.1, then 18.4, then 18.6). A move of several hexes is one action: capture and occupation happen hex by hex (13.10), the rest once at its end.";
            C1_12 = "DBD-1.12" ["" => "reconstruction"] "Shared hexes: military units of several players in one hex, or of a player in a city he does not control, arise only under R87 `mixed_allowed`, R44 `city_stays`, R76 (not `any_military`) and R94 `passes`. Nobody has to go. Each owner's units are a stack of their own. Nobody may enter who could not by 1.7, the owners of units there included; all may leave. Leaders are captured by any other player's military unit there, on both sides at once. Units of one hex never attack each other (14.1). An attack from outside is on all but the attacker's own (14.8); those of his in the target hex neither throw nor are targets. Of the defenders, owners declare one after another in seat order, neutral units last; their dice fall by rising id. A city keeps its controller: he taxes and recruits there, only his units count for 5.13 and turn by 17.4, and a stranger wins it only by entering (17.2).";
            C3_1 = "DBD-3.1" ["" => "§Setup"] "The K-th player gets the K-th seat of the map's `seats` entry; the record may give another order or choice of different seats in `\"seats\": […]`. He controls that city, his home city. Seats not in use are ordinary neutral cities.";
            C3_2 = "DBD-3.2" ["" => "§Setup"] "Each player has 20 gold and, in seat order, receives 3 militia in his home city.";
            C3_3 = "DBD-3.3" ["" => "§Neutral"] "Then for each neutral city by rising id one D6: that many neutral militia stand in it. All can see them.";
            C3_4 = "DBD-3.4" ["" => "§Trade"] "Then for each city, the lowest id first: three throws of D20 on A.4 for what it supplies, then three for what it demands. Each good obtained is one slot; slots stay for the whole game.";
            C3_5 = "DBD-3.5" ["" => "§Trade"] "19 gives no slot. 20 is replaced by two more throws, worked out at once and by the same rule, so a list may have fewer or more than three slots.";
            C3_6 = "DBD-3.6" ["" => "§Trade"] "The same good may come twice on one list and may stand on both lists of a city.";
            C3_7 = "DBD-3.7" ["" => "reconstruction"] "A record may state garrisons and goods (`\"setup\": {\"garrisons\": {\"7\": 3}, \"goods\": {\"7\": {\"supply\": [\"silk\"], \"demand\": []}}}`); what it states is not thrown for. Garrisons only for neutral cities, 0 or more; lists of any length.";
            C4_1 = "DBD-4.1" ["" => "§Round"] "A round: event, church, trading session, turn order, main turns in that order, end of round.";
            C4_2 = "DBD-4.2" ["" => "§Events"] "One D6 on A.5 for all players. No decision is attached.";
            C4_3 = "DBD-4.3" ["" => "§Events"] "Plague. A random city (any) earns no income to the end of the next round. Then every unit in its hex, whoever owns it and cargo included, throws D6 by rising id and is destroyed on 1 or 2.";
            C4_4 = "DBD-4.4" ["" => "§Events"] "Surplus. A random good earns no route income to the end of the next round.";
            C4_5 = "DBD-4.5" ["" => "§Events"] "Scarcity. A random good earns double route income to the end of the next round.";
            C4_6 = "DBD-4.6" ["" => "§Events"] "Revolution. A random city among those that are not home cities (17.7): if a player controls it, it turns neutral by 17.4 together with every unit of that player in its hex. A city already neutral stays as it is.";
            C4_7 = "DBD-4.7" ["" => "§Events"] "Master. A random city (any) is taxed 1 higher for the rest of the game, for whoever controls it; several add up.";
            C4_8 = "DBD-4.8" ["" => "§Events"] "Fortification. A random city (any) gains one militia, owned by its controller or neutral.";
            C4_9 = "DBD-4.9" ["" => "§Events"] "Random city: each eligible city equally likely. Random good: D20 on A.4, 19 and 20 thrown again until a good comes up.";
            C4_10 = "DBD-4.10" ["" => "reconstruction"] "End of round: an unused favour lapses, marks that last to this round end, the round number rises.";
            C5_1 = "DBD-5.1" ["" => "§Church"] "Each player still in the game makes one sealed bid of 0 up to all his gold.";
            C5_2 = "DBD-5.2" ["" => "§Church"] "A bid made cannot be changed or taken back. Until the reveal others see only that it was made.";
            C5_3 = "DBD-5.3" ["" => "§Church"] "When all bids are in they are revealed together and every player pays his own, winner or not.";
            C5_4 = "DBD-5.4" ["" => "§Church"] "The one highest total wins the favour. If two or more share the highest total (also all at 0) nobody does: a reveal with such a tie cites this clause.";
            C5_5 = "DBD-5.5" ["" => "§Church"] "A player who took `bid_bonus` in the round before throws D6 after the reveal; it is added to his total and costs nothing. It is used up whatever happens.";
            C5_6 = "DBD-5.6" ["" => "§Church, §Trading"] "The favour is one use of A.6 in this round. The holder may hand it over in a deal before using it.";
            C5_7 = "DBD-5.7" ["" => "§Church"] "Interrupt uses may be played by the holder while any player is being asked in the states trading, production, spy, movement, battle, routes or diplomacy, never during a mission or a battle under way. It need not be the holder's own turn, and he may have left the session. Other use ids in `use_favor` are 19.2.";
            C5_8 = "DBD-5.8" ["" => "§Church"] "`negotiate`: see 16.5.";
            C5_9 = "DBD-5.9" ["" => "§Church"] "`hold_stack`: names a hex and another player with units there (else refused, 5.9); these units are pinned (1.9) to the end of the round, wherever they are.";
            C5_10 = "DBD-5.10" ["" => "§Church"] "`protect_city`: no attack may be declared on that city's hex until the end of the round. Entering it when open, spying and diplomacy stay allowed.";
            C5_11 = "DBD-5.11" ["" => "§Church"] "`extra_unit`: in his production phase the holder recruits one unit more than 11.1 allows in one city he controls; all else (price, port, arson) applies. It does not count against 11.1, so it may come before or after the ordinary one.";
            C5_12 = "DBD-5.12" ["" => "§Church"] "`negate`: see 12.7.";
            C5_13 = "DBD-5.13" ["" => "§Church, §Terrain"] "`make_neutral`: a city of another player that is not a home city (17.7) and has no garrison, or militia only, turns neutral by 17.4. What of the controller's units there is a garrison, R26 says.";
            C5_14 = "DBD-5.14" ["" => "§Church"] "`first`: only in the trading session; the holder leads this round's order without a throw.";
            C5_15 = "DBD-5.15" ["" => "§Church"] "`bid_bonus`: gives 5.5 in the next round only.";
            C6_1 = "DBD-6.1" ["" => "§Trading"] "Players act in any sequence. `end_phase` takes a player out for the rest of the session; it closes when all are out. A bid with `\"skip_trading\": true` takes the player out from the start, unless he wins the favour.";
            C6_2 = "DBD-6.2" ["" => "reconstruction"] "`propose_deal` lists items; every player named is a party. The proposer must be one of them (so the list is not empty) and agrees by proposing. All parties must still be in the session.";
            C6_3 = "DBD-6.3" ["" => "reconstruction"] "When the last other party accepts, everything changes hands in one moment or, if 6.5 or 6.6 fails just then, the acceptance is refused and the deal stays open. A refusal by any party, also one who had accepted, or withdrawal by the proposer, kills it; so does a party's leaving the session, and the end of the session. Accepting twice, or answering a deal one is not a party to: 19.3; the number of a deal not open: 19.2.";
            C6_4 = "DBD-6.4" ["" => "§Trading"] "Items: `gold`, `unit`, `city`, `favor`, `treaty`, `promise`. Giver and receiver (or the two of a treaty) differ; gold is 1 or more.";
            C6_5 = "DBD-6.5" ["" => "reconstruction"] "Each giver must hold what he gives before the deal: gold given in total ≤ his gold, own unit, own city, the unused favour. No thing twice in a deal, no treaty between players already friendly.";
            C6_6 = "DBD-6.6" ["" => "reconstruction"] "After the deal no ship may have cargo of another owner. Under R87 `no_mixed` moreover no hex may hold a military unit of one player together with any unit of another player, and no city a military unit that is not its controller's; under `mixed_allowed` they may (1.8, 1.12).";
            C6_7 = "DBD-6.7" ["" => "§Trading"] "A city passes by 17.3 without any unit not listed; any city may be given, home cities and the last one included. Units keep their marks.";
            C6_8 = "DBD-6.8" ["" => "§Trading"] "A promise is noted and never enforced. Nothing that should happen later is enforced.";
            C6_9 = "DBD-6.9" ["" => "§Routes"] "A treaty makes two players friendly (15.7) until one cancels it (`cancel_treaty`, trading session), declares an attack on a hex holding a unit of the other, or takes a city of the other by occupation. Cancelling a treaty that does not exist: refused, 6.9.";
            C7_1 = "DBD-7.1" ["" => "§Order"] "In seat order every player throws D10; main turns go from the highest to the lowest.";
            C7_2 = "DBD-7.2" ["" => "reconstruction"] "Equal players throw again among themselves, in seat order, the best-placed group first, until they differ; their places among the others do not change.";
            C7_3 = "DBD-7.3" ["" => "§Church"] "A player who used `first` comes before all and does not throw; the others do, even if only one is left.";
            C8_1 = "DBD-8.1" ["" => "§Main"] "Phases: upkeep, taxation, trade revenue (these run by themselves), production, spy, movement, battle, routes, diplomacy. `end_phase` with `\"through\": P` ends the current phase and all following ones up to P, which may not lie before the current one (else 19.3); in the trading session `through` is refused, 19.3. However the routes phase ends, 15.6 and 15.7 are carried out.";
            C8_2 = "DBD-8.2" ["" => "§Upkeep"] "Upkeep due = number of units the player owns, of every kind and place, divided by 5, rounded down.";
            C8_3 = "DBD-8.3" ["" => "§Upkeep"] "He must pay as much of it as his gold allows; nobody dismisses units otherwise.";
            C8_4 = "DBD-8.4" ["" => "§Upkeep"] "For each gold left unpaid he disbands exactly five units of his choice, at once.";
            C8_5 = "DBD-8.5" ["" => "reconstruction"] "Cargo of a ship disbanded at sea is lost as well (13.17) and counts towards the five only if he names it too.";
            C8_6 = "DBD-8.6" ["" => "§Upkeep"] "Gold is kept from round to round.";
            C9_1 = "DBD-9.1" ["" => "§Tax"] "Tax: 1 for each city he controls, 3 instead of 1 for his own home city.";
            C9_2 = "DBD-9.2" ["" => "§Events"] "+1 per Renaissance master in the city (4.7).";
            C9_3 = "DBD-9.3" ["" => "§Units"] "+1 if at least one of his governors is in the city.";
            C9_4 = "DBD-9.4" ["" => "§Events", "" => "§Spy"] "A city without income (4.3, 12.15) gives 0, bonuses included.";
            C10_1 = "DBD-10.1" ["" => "§Trade", "" => "§Routes"] "Each route he owns pays 1.";
            C10_2 = "DBD-10.2" ["" => "§Events"] "Its good under scarcity: 2 (never more); under surplus: 0, scarcity or not.";
            C10_3 = "DBD-10.3" ["" => "§Events", "" => "§Spy"] "Either end without income: 0.";
            C10_4 = "DBD-10.4" ["" => "§Main"] "A route pays first in the owner's next trade revenue phase after it was opened.";
            C11_1 = "DBD-11.1" ["" => "§Production"] "In each city he controls the player may recruit one unit per turn.";
            C11_2 = "DBD-11.2" ["" => "§Units"] "Any type of A.2, price paid at once; ships only in a port.";
            C11_3 = "DBD-11.3" ["" => "§Spy"] "Not in a city under arson (12.15), also not by `extra_unit`.";
            C11_4 = "DBD-11.4" ["" => "reconstruction"] "The unit stands in the city at once and may be used in the later phases of the same turn. A merchant takes the city as its origin.";
            C12_1 = "DBD-12.1" ["" => "§Spy"] "Any number of times the player pays n ≥ 1 gold he has and throws n D6 together; each 1 is a success.";
            C12_2 = "DBD-12.2" ["" => "§Spy"] "Successes are worked out one by one in the order thrown: D10 on A.7, choice, agents, favour, effect.";
            C12_3 = "DBD-12.3" ["" => "§Spy"] "On 10 he picks one of results 1–9. `mission` is given then and only then; a pass (`null`) may leave it out. A target of the wrong shape for the result: 19.2, judged after this.";
            C12_4 = "DBD-12.4" ["" => "§Spy"] "He picks the target after the D10, legal at that moment (A.7), or passes with `null`; with no legal target the success is lost.";
            C12_5 = "DBD-12.5" ["" => "§Spy"] "One's own units, cities and gold are never targets.";
            C12_6 = "DBD-12.6" ["" => "§Units", "" => "§Spy"] "Each agent in the target's hex that does not belong to the spying player throws D6 by rising id until one shows 1 or 2: the mission fails. Thievery has no hex.";
            C12_7 = "DBD-12.7" ["" => "§Church"] "If it has not failed and another player holds the unused favour, that player decides whether to spend it and make the mission fail (`negate`).";
            C12_8 = "DBD-12.8" ["" => "§Spy"] "Assassinate: the leader is destroyed.";
            C12_9 = "DBD-12.9" ["" => "§Spy"] "Set fire: the ship is destroyed, if it is in a city hex or in a hex with a land neighbour of any kind.";
            C12_10 = "DBD-12.10" ["" => "§Spy"] "Banditry, piracy: the caravan or caravel is destroyed; D6 gold from the bank.";
            C12_11 = "DBD-12.11" ["" => "§Spy"] "Sabotage: the units of the stack are held to the end of the next round.";
            C12_12 = "DBD-12.12" ["" => "§Spy"] "Bribery: the player pays the list prices of all units of the stack to the bank; all change owner where they stand, cargo included. If a military unit is among them and they stand in a city of their old owner, its control passes too. They keep their marks and may be used in the later phases of this turn.";
            C12_13 = "DBD-12.13" ["" => "§Spy"] "Revolt: as `make_neutral` (5.13).";
            C12_14 = "DBD-12.14" ["" => "§Spy"] "Thievery: D6; the victim loses that much or all he has, the player gains what was lost.";
            C12_15 = "DBD-12.15" ["" => "§Spy"] "Arson: no income (9.4, 10.3) and no recruiting in that city to the end of the next round.";
            C12_16 = "DBD-12.16" ["" => "reconstruction"] "The gold die of 3, 4 and 8 is thrown only if the mission goes through.";
            C13_1 = "DBD-13.1" ["" => "§Units"] "The player gives any number of orders; at the start of the phase each of his units has its full move. What is not used is lost.";
            C13_2 = "DBD-13.2" ["" => "§Movement"] "`move`: units of his in one hex, all ships or all land units not aboard, go along one path of neighbouring hexes, at least one; hexes may recur, the first one too. Cargo is not named: it goes with its ship (13.15).";
            C13_3 = "DBD-13.3" ["" => "§Movement"] "Each unit pays every hex from its own remaining points (A.1) and cannot enter what it cannot pay in full. A unit may take part in several orders.";
            C13_4 = "DBD-13.4" ["" => "§Terrain"] "Closed terrain cannot be entered (A.1). A ship's step has water or reefs on at least one side.";
            C13_5 = "DBD-13.5" ["" => "§Terrain"] "Dragoons and lancers enter difficult terrain only with all 4 points in hand and spend them all.";
            C13_6 = "DBD-13.6" ["" => "§Movement"] "No unit enters a closed hex (1.7), not even in passing.";
            C13_7 = "DBD-13.7" ["" => "§Units"] "Every order that moves, embarks or disembarks land military units must include an officer of the same owner taking the same way. Leaders, merchants and ships need none.";
            C13_8 = "DBD-13.8" ["" => "§Units"] "Militia never move, embark or disembark.";
            C13_9 = "DBD-13.9" ["" => "§Church", "" => "§Spy"] "Held and pinned units take no part (1.9).";
            C13_10 = "DBD-13.10" ["" => "§Movement"] "Entering takes effect hex by hex: capture (1.8), then occupation (17.2); the units may go on.";
            C13_11 = "DBD-13.11" ["" => "§Battle"] "A cannon that moved, embarked, disembarked, or whose ship moved with it aboard, counts as moved this turn.";
            C13_12 = "DBD-13.12" ["" => "reconstruction"] "`embark`: land units standing in one hex, not aboard, onto an own galleon that lies at sea beside their hex, or in the port hex where they stand. 1 point each.";
            C13_13 = "DBD-13.13" ["" => "reconstruction"] "`disembark`: from a galleon at sea into one neighbouring land hex, from a galleon in port into that port hex; each unit pays the cost of that hex (13.5 applies), the hex must be open to it, 13.10 applies. A unit not aboard that ship, or a water or reef hex named: 13.13; a peak: 13.4.";
            C13_14 = "DBD-13.14" ["" => "§Units"] "A galleon carries up to 4 land units, leaders and merchants counted; other ships carry none.";
            C13_15 = "DBD-13.15" ["" => "§Units"] "Cargo moves with its ship without using its own points and needs no officer for that.";
            C13_16 = "DBD-13.16" ["" => "reconstruction"] "At sea cargo does not fight and is not a target of an attack. In a city hex it counts as present like any other unit.";
            C13_17 = "DBD-13.17" ["" => "reconstruction"] "A ship destroyed at sea takes its cargo with it; in a city hex the cargo stays ashore.";
            C14_1 = "DBD-14.1" ["" => "§Battle"] "The player may declare any number of attacks, one after another. An attack names a target hex and his units taking part, each in a hex next to it (else 14.1); several hexes may combine.";
            C14_2 = "DBD-14.2" ["" => "§Battle"] "May take part: musketeers, pikemen, dragoons, lancers, cannon, galleons, frigates, and officers. Not: militia, other leaders, merchants, cargo at sea.";
            C14_3 = "DBD-14.3" ["" => "§Battle"] "Not: held or pinned units; cannon that moved this turn (13.11); units that already attacked this turn (officers may serve again).";
            C14_4 = "DBD-14.4" ["" => "§Battle"] "For every hex from which land units take part an own officer in that hex, neither held nor pinned, must be named. Ships need none.";
            C14_5 = "DBD-14.5" ["" => "§Battle"] "The target hex must hold a unit not his own. At least one named unit must be no officer, and every one of those must have a legal target there (14.9).";
            C14_6 = "DBD-14.6" ["" => "§Church"] "A city under `protect_city` cannot be attacked (5.10).";
            C14_7 = "DBD-14.7" ["" => "§Terrain"] "Effective type: in a city hex every unit except cannon counts as `garrison`; elsewhere a unit is what it is. This holds for attackers and defenders, ships in port included.";
            C14_8 = "DBD-14.8" ["" => "§Battle"] "Defenders are all units in the target hex that are not the attacker's, whoever owns them, except cargo at sea. Named units are the only ones they may aim at.";
            C14_9 = "DBD-14.9" ["" => "§Battle"] "Any unit may be aimed at, but at a ship at sea only cannon, musketeers, dragoons, galleons and frigates may aim, a garrison never.";
            C14_10 = "DBD-14.10" ["" => "§Battle"] "Seven steps in order: cannon; ships; garrison; musketeers; dragoons; pikemen; lancers. In its step every surviving unit of that effective type on both sides throws one D6 if it has a legal target; it may not hold back. Leaders and merchants never throw. The loss of an officer stops nobody.";
            C14_11 = "DBD-14.11" ["" => "§Battle"] "Targets of a step are declared before its dice, first the attacker's, then the defender's; each unit one target, several may share one. A side whose throwing units have one legal target each is not asked; a side that is asked gives every throwing unit exactly one target. Naming a unit that does not throw, a unit twice, or leaving one out: 14.11.";
            C14_12 = "DBD-14.12" ["" => "reconstruction"] "Neutral units aim by rule, in rising id, each at the legal target that comes first by: military before others; fewest neutral dice aimed at it in this step; higher modifier (14.13); higher cost; lower id.";
            C14_13 = "DBD-14.13" ["" => "§Battle"] "Die + 1 if A.3 applies, - 1 if the target stands in rough, difficult or city, - 2 if musketeers or dragoons aim at a ship at sea. 4 or more destroys. No natural result is special.";
            C14_14 = "DBD-14.14" ["" => "§Battle"] "All dice of a step, attacker's units by rising id and then the defender's, are thrown; then all hits are removed together. A unit destroyed in a step has thrown in it and throws no more.";
            C14_15 = "DBD-14.15" ["" => "§Battle"] "The battle is one pass through the steps; it ends early when a side has no unit left. Nobody retreats.";
            C14_16 = "DBD-14.16" ["" => "§Neutral"] "Nothing moves afterwards. An emptied city keeps its controller until someone enters it in a movement phase.";
            C15_1 = "DBD-15.1" ["" => "§Routes"] "A route joins one supply slot of a city with one demand slot of another city for the same good, has one owner, and uses both slots up while it lasts; no slot serves two routes.";
            C15_2 = "DBD-15.2" ["" => "reconstruction"] "The owner is the player who controlled the supply city when it was opened.";
            C15_3 = "DBD-15.3" ["" => "§Routes"] "`establish_route`: an own merchant, not held, in a neutral city; its origin is a city the player controls; a free supply slot of the good there, a free demand slot here. One route per merchant and arrival.";
            C15_4 = "DBD-15.4" ["" => "§Routes"] "A merchant's origin is the last city of its owner it was in (recruited there, entered, or there when the owner gained the city). Opening a route clears the origin; the merchant stays in play. A merchant that changes owner has no origin until it is in a city of its new owner.";
            C15_5 = "DBD-15.5" ["" => "reconstruction"] "The player opens his merchants' routes first, in any order.";
            C15_6 = "DBD-15.6" ["" => "§Routes"] "When he ends the phase, routes among his own cities open by themselves. For each good in A.4 order, with s and d the free supply and demand slots of each of his cities and S, D their sums, M = the least of S, D and, over his cities, (S - s) + (D - d). Take the supply slots by rising city id; give each the demand city of lowest id other than itself whose use leaves M one lower; if there is none, leave that slot.";
            C15_7 = "DBD-15.7" ["" => "§Routes"] "Then his remaining supply slots, by rising city id, take free demand slots of the same good in cities of friendly players, by seat order and city id; several goods of one city go in A.4 order. He owns these routes.";
            C15_8 = "DBD-15.8" ["" => "§Neutral"] "Every route at a city ends when the city changes controller, to or from neutral included. Routes between two players end with their treaty. Nobody can end a route at will.";
            C16_1 = "DBD-16.1" ["" => "§Diplomacy"] "`diplomacy`: in a neutral city where an own diplomat, not held, stands.";
            C16_2 = "DBD-16.2" ["" => "§Diplomacy"] "Costs 1 gold; D6; on 1 it succeeds.";
            C16_3 = "DBD-16.3" ["" => "§Diplomacy"] "One attempt per city in a main turn.";
            C16_4 = "DBD-16.4" ["" => "§Diplomacy"] "Success: the city and every neutral unit in its hex become the player's (17.3, 1.8). The diplomat stays. A garrison or none makes no difference.";
            C16_5 = "DBD-16.5" ["" => "§Church"] "With `\"favor\": true` the holder spends the favour; the gold is paid, no die is thrown, it succeeds.";
            C17_1 = "DBD-17.1" ["" => "§Neutral, §Trading"] "Control is gained by diplomacy, occupation, deal or bribery (12.12). It needs no unit to last.";
            C17_2 = "DBD-17.2" ["" => "§Neutral"] "Occupation: a military unit enters a city its owner does not control; the hex was not closed to it, so control is his at once. Leaders and merchants never occupy.";
            C17_3 = "DBD-17.3" ["" => "§Neutral"] "When control changes: routes at the city end (15.8); masters, slots and no-income marks stay with the city.";
            C17_4 = "DBD-17.4" ["" => "§Neutral", "" => "§Events"] "Turning neutral: nobody controls the city; the former controller's military units in its hex become neutral (by Revolution all his units there). His leaders and merchants otherwise stay his. If no neutral military unit is then there, D6 new neutral militia appear.";
            C17_5 = "DBD-17.5" ["" => "reconstruction"] "Neutral units defend, and do nothing else; they cost no upkeep.";
            C17_6 = "DBD-17.6" ["" => "reconstruction"] "A garrison destroyed in battle is not replaced.";
            C17_7 = "DBD-17.7" ["" => "§Setup"] "A city is a home city while the player it was given to at setup controls it. In anyone else's hands it is an ordinary city.";
            C18_1 = "DBD-18.1" ["" => "§Object"] "A player who controls every city on the map wins at that moment.";
            C18_2 = "DBD-18.2" ["" => "reconstruction"] "Checked at every point of 1.11, in every phase and in any player's turn, the trading session included.";
            C18_3 = "DBD-18.3" ["" => "reconstruction"] "A player with no city and no unit is eliminated: his gold goes to the bank, his treaties and deals end, a favour he holds or a `bid_bonus` he has coming is lost, he is asked nothing more (what the others were asked goes on without him); if it is his turn, it ends.";
            C18_4 = "DBD-18.4" ["" => "reconstruction"] "If only one player is left in the game, he wins (`last_prince`). If the last players go out in the same step, nobody wins (`nobody`, R82).";
            C18_5 = "DBD-18.5" ["" => "reconstruction"] "`resign`: while any decision is awaited, outside a mission or battle. By rising id his cities turn neutral (17.4); all his other units are removed, a sealed bid is void, a favour he holds is lost; then 18.3.";
            C18_6 = "DBD-18.6" ["" => "reconstruction"] "`agree_end` by every player left within one round ends the game without a winner; also if the last who had not agreed leaves the game. It cannot be taken back; a second one in a round is refused, 18.6.";
            C18_7 = "DBD-18.7" ["" => "reconstruction"] "A record that stops earlier is `incomplete`. With 18.6 and 18.7 a standing is given for information: cities, then gold.";
            C19_1 = "DBD-19.1" ["" => "reconstruction"] "After the end no action is accepted.";
            C19_2 = "DBD-19.2" ["" => "reconstruction"] "The action must be well formed: known type, fields present and of the right kind (a negative number never is), no others, ids and hexes exist. A list of units names none twice and, but for `advance`, at least one.";
            C19_3 = "DBD-19.3" ["" => "reconstruction"] "Type and player must fit the pending decision or be a permitted interrupt (18.5, 18.6). `use_favor` is judged by 5.6, 5.7 and its own clause instead.";
            C19_4 = "DBD-19.4" ["" => "reconstruction"] "These must be one's own: the units of `disband`, `move`, `embark`, `disembark` (the ship too), `attack`, `advance`; the city of `recruit`; the merchant of `establish_route`. Elsewhere the action's own clauses judge ownership.";
            C19_5 = "DBD-19.5" ["" => "reconstruction"] "With several faults the first is cited: 19.1, 19.2, 19.3, 19.4; then `bid` 5.1; `propose_deal` 6.2, 6.4, 6.5; `respond_deal` 6.5, 6.6; `cancel_treaty` 6.9; `pay_upkeep` 8.3; `disband` 8.4; `recruit` 11.3, 11.1, 11.2; `spy` 12.1; `spy_target` 12.3, 12.5, 12.4; `move` 13.8, 13.9, 13.2, 13.7, then per hex 13.4, 13.5, 13.3, 13.6; `embark` 13.8, 13.9, 13.12, 13.7, 13.14, 13.3; `disembark` 13.9, 13.13, 13.7, 13.4, 13.5, 13.3, 13.6; `attack` 14.2, 14.3, 14.1, 14.6, 14.4, 14.5; `declare_targets` 14.11, 14.9; `establish_route` 15.3; `diplomacy` 16.1, 16.3, 16.2; `advance` 14.16; `agree_end` 18.6. `end_route` is judged by 15.8, `establish_route` with `from` by 15.3. \"Per hex\": the first clause of the four that any unit breaks there, then the next hex of the path. A price above one's gold: 11.2, 12.1, 16.2. A favour use, also by `\"favor\": true`: 5.6 (not the holder, or used), 5.7 (time), its own clause, before the clauses of the action it is part of.";
            C19_6 = "DBD-19.6" ["" => "reconstruction"] "A decision with exactly one option resolves itself (`disband`, `declare_targets`); phases, bids, offers and choices one may pass never do.";
            C19_7 = "DBD-19.7" ["" => "reconstruction"] "A tape entry that is missing, of another chance point, or outside its domain is a tape error; entries left over are a warning.";
            C19_8 = "DBD-19.8" ["" => "reconstruction"] "A refused action changes nothing.";
            C19_9 = "DBD-19.9" ["" => "reconstruction"] "Cited first. Where a rule of play decides the point, it stands before the clause that 19.5 or 19.3 names, and the ruling beside it: for a unit that is held or pinned 1.9 and 5.9 or 12.11 (in 16.1 and 15.3 these come first); where the top bids tied 5.4; for `first` after the throw 5.14; for a `disband` that is not asked for 8.3; for a `null` target 12.4; for a closed hex 13.6, then 1.7 or 1.12; for a slot that a route of one's own uses 15.3, then 15.6 or 15.7; for missing plague dice 4.3.";
            C20_1 = "DBD-20.1" ["" => "§Church"] "Sealed bids are the only secret facts of the game; see part F.";
        }
        rulings {
            R1 = "DBD-R1" settles [C1_1] "How many players?"
                { "" => "2 to 6" }
                because "bids and deals need two, and six seats on 25 cities leave 19 to win";
            R2 = "DBD-R2" settles [C2_1] "No map is supplied?"
                { "" => "the reference map, a generated one, or the table's own" }
                because "the published text only wants hexes, about 25 cities, many by the sea";
            R3 = "DBD-R3" settles [C2_1, C2_4] "What is a port?"
                { "" => "a flag of the map, possible beside water" }
                because "the map decides, so that a lake or a bare coast need not be a harbour";
            R4 = "DBD-R4" settles [C1_3] "\"Turn\" in lasting effects?"
                { "rounds" => "rounds", "main_turns" => "the main turns of whoever is hit" }
                because "events come once a round, and the favour's round is called a turn";
            R5 = "DBD-R5" settles [C3_1] "Who gets which home city?"
                { "" => "the seats of the map in seat order, or as the record says" }
                because "a map can make its seats fair";
            R6 = "DBD-R6" settles [C3_4, C3_5] "When are goods thrown?"
                { "setup" => "at setup, for every city, supply and then demand", "first_reached" => "at setup for home cities only; for any other city when a player's unit first stands in it or a player first controls it" }
                because "the book says what each city produces and sets no time";
            R7 = "DBD-R7" settles [C3_6] "\"Doubles are allowed\"?"
                { "both" => "a good may repeat within a list and stand on both lists of a city", "within_list" => "a city does not demand what it supplies: such a throw is made again" }
                because "the sentence follows right after the goods that are demanded";
            R8 = "DBD-R8" settles [C3_3] "When is a neutral garrison thrown?"
                { "setup" => "at setup, open to all", "first_met" => "when the city is first attacked, or just before a plague, a fortification or a successful negotiation there; until then it counts as holding one militia" }
                because "events of the first round can already hit a garrison";
            R9 = "DBD-R9" settles [C1_2] "Are counters limited?"
                { "" => "no" }
                because "the chits are home-made";
            R10 = "DBD-R10" settles [C4_9] "Random city: among which?"
                { "all" => "among all cities of the map, unless the event says otherwise", "controlled" => "among the cities of players; if there is none, nothing is drawn" }
                because "the book limits the draw only once, to cities that are not homes";
            R11 = "DBD-R11" settles [C4_9] "Random good: 19 and 20?"
                { "again" => "19 and 20 are thrown again", "as_table" => "19 is no good, 20 is two further throws, and every good obtained is marked" }
                because "the event announces one good";
            R12 = "DBD-R12" settles [C4_3] "Plague victims?"
                { "everyone" => "every unit in the hex, of any owner and kind, cargo too", "controller" => "only the controller's", "troops" => "only troops" }
                house [ "controller", "troops" ]
                because "the plague makes no difference between people";
            R13 = "DBD-R13" settles [C10_3] "\"No income\": which routes?"
                { "either_end" => "routes with either end in the city", "supply_end" => "routes that the city supplies", "tax_only" => "taxes only" }
                because "a closed city neither sells nor buys";
            R14 = "DBD-R14" settles [C10_2] "Surplus and scarcity of one good together?"
                { "surplus_wins" => "surplus wins: the route pays nothing", "cancel_out" => "they cancel out: the route pays 1", "later_wins" => "the mark that ends later counts; if both end together, the surplus" }
                because "what earns nothing cannot be doubled";
            R15 = "DBD-R15" settles [C4_6] "Revolution: whose units turn neutral?"
                { "every_unit" => "all units of the city's prince there", "troops" => "only his military units there" }
                because "the book says the city and its units";
            R16 = "DBD-R16" settles [C3_1, C17_7] "Is a captured home city a home city?"
                { "own_hands" => "no, only in its own player's hands", "for_ever" => "yes: whoever holds it, the Church, events and spies spare it" }
                because "the book taxes \"your\" home city";
            R17 = "DBD-R17" settles [C4_7, C9_2] "Two masters in one city?"
                { "add_up" => "they add up", "once" => "only the first one counts" }
                because "each event grants its gold";
            R18 = "DBD-R18" settles [C17_4, C17_6] "Does a city that turns neutral get D6 militia?"
                { "roll" => "only if no military unit of its own is left there", "none" => "never", "always" => "always, also beside the units that are left" }
                because "neutral cities have a garrison";
            R19 = "DBD-R19" settles [C5_1, C5_4] "Bids: limits, ties?"
                { "zero_counts" => "0 is a bid; any tie at the top, even at 0, gives nobody the favour, and the gold is gone", "zero_void" => "a bid of 0 has no part in the comparison, bonus or not" }
                because "every bid is paid, and only one can be highest";
            R20 = "DBD-R20" settles [C5_5, C5_15] "+D6 on the next bid: when is it thrown?"
                { "after_reveal" => "after the bids of the next round are revealed, free of charge", "when_chosen" => "when the use is played, seen by all" }
                because "the book adds the die to the bid, so it falls with the bids";
            R21 = "DBD-R21" settles [C5_7] "When may the favour be used?"
                { "any_time" => "at any time of its round between actions", "own_turn" => "only in the trading session and in the holder's own main turn; stopping a mission stays possible" }
                because "it may be used in this round";
            R22 = "DBD-R22" settles [C1_5, C5_9] "What is a stack?"
                { "" => "all units of one owner in a hex", "" => "any group he names" }
                because "effects need a fixed set";
            R23 = "DBD-R23" settles [C5_10] "\"May not be attacked\": entered?"
                { "attack_only" => "only attacks are barred; entering an undefended city is movement", "entry_too" => "the city is closed to strangers' troops too" }
                because "an attack and a march are different things";
            R24 = "DBD-R24" settles [C5_11] "Extra unit: at what price?"
                { "paid" => "at its price", "free" => "free of charge" }
                because "only the limit of one is lifted";
            R25 = "DBD-R25" settles [C12_7] "Negating: whose mission?"
                { "any_mission" => "any other player's mission", "against_self" => "only a mission against the holder, his units, stacks or cities" }
                because "the book says a spy mission and names no victim";
            R26 = "DBD-R26" settles [C5_13] "\"No garrison (or militia only)\"?"
                { "literal" => "any unit of his that fights there as a garrison is one, militia apart: a governor or a caravan protects the city, a cannon does not", "military" => "any military unit of the city's prince but militia is a garrison", "any_unit" => "any unit of his but militia is one" }
                because "the book says what a garrison is: any unit but cannons";
            R27 = "DBD-R27" settles [C5_14, C7_3] "\"Win turn order roll\"?"
                { "no_throw" => "the holder goes first and does not throw", "throws" => "he throws with the others and goes first whatever he throws; nobody throws again for a tie with him" }
                because "a throw that is won needs no die";
            R28 = "DBD-R28" settles [C6_3, C6_8] "Which deals bind?"
                { "" => "what changes hands now is one indivisible exchange; promises never bind" }
                because "nobody can enforce what comes later";
            R29 = "DBD-R29" settles [C5_6, C6_4, C6_6, C6_7] "\"Anything of value\"?"
                { "" => "gold, units, cities, the unused favour, a treaty, a promise" }
                because "a hex must not end up mixed, by the rule of movement";
            R30 = "DBD-R30" settles [C6_9] "How does a friendship end?"
                { "treaty" => "a treaty ends when it is cancelled, and by an attack or an occupation", "until_cancelled" => "a treaty ends only when it is cancelled" }
                because "whoever makes war on a partner is no friend";
            R31 = "DBD-R31" settles [C7_1, C7_2] "Turn order: ties, the others' places?"
                { "descending" => "from the highest to the lowest throw; tied players throw again", "clockwise" => "only the highest throw counts; the others follow in seat order from that player" }
                because "the sister game ranks all throws";
            R32 = "DBD-R32" settles [C8_2] "Upkeep: rounding?"
                { "down" => "down, 1 per full five", "up" => "up" }
                because "it costs per five units, and three militia at the start cost nothing";
            R33 = "DBD-R33" settles [C8_2, C8_4] "Which units cost upkeep?"
                { "all" => "all, also ships, leaders, merchants, militia and cargo", "troops" => "only military units, and only they are disbanded" }
                house [ "troops" ]
                because "all units that a player controls are counted";
            R34 = "DBD-R34" settles [C8_3, C8_4] "Upkeep not paid?"
                { "five_per_gold" => "pay what you can; five units of your choice per unpaid gold", "minimum" => "as few as bring the due down to what was paid" }
                because "one gold keeps five";
            R35 = "DBD-R35" settles [C9_1] "Home city tax?"
                { "total_3" => "3 in all", "total_4" => "1 and 3 more" }
                because "bonuses are written with a plus, and this is not";
            R36 = "DBD-R36" settles [C9_3] "Several governors in a city?"
                { "one" => "+1 in all", "each" => "+1 each" }
                because "it is the city that yields it";
            R37 = "DBD-R37" settles [C10_4] "When does a new route pay?"
                { "next_phase" => "first in the owner's next trade revenue phase", "at_once" => "also when it opens" }
                because "revenue comes before routes in a turn";
            R38 = "DBD-R38" settles [C11_2] "Ships: built where?"
                { "ports" => "in ports only", "anywhere" => "in every city; a ship without water beside it stays there" }
                because "ships belong to the water";
            R39 = "DBD-R39" settles [C11_4] "May new units act at once?"
                { "at_once" => "yes", "next_turn" => "no, from the next turn on" }
                because "production precedes movement, and nothing forbids it";
            R40 = "DBD-R40" settles [C12_1] "Spy dice: all at once?"
                { "any_batches" => "as often as he likes", "one_batch" => "once in a main turn" }
                because "a die for every gold that is spent";
            R41 = "DBD-R41" settles [C12_4, C12_5] "May one target oneself?"
                { "others" => "never; neutral targets are allowed unless the result asks for an opponent", "anyone" => "yes, with the results that do not ask for an opponent" }
                because "spies are sent against others";
            R42 = "DBD-R42" settles [C12_9] "\"Adjacent to land\": in a city, too?"
                { "port_too" => "a ship in a city can burn, and one beside any land", "coast_only" => "only a ship beside land; not one in a city" }
                because "a ship in a city lies at the land";
            R43 = "DBD-R43" settles [C1_9, C12_11] "Sabotage: what is an \"action\"?"
                { "orders" => "what a player orders: moving, attacking, negotiating, opening routes; standing effects go on", "as_church" => "only moving and attacking", "services_too" => "also the work of governors and agents", "cargo_rides" => "the same orders, but a ship may move with a held or pinned unit aboard" }
                because "a hold stops orders, not presence";
            R44 = "DBD-R44" settles [C12_12] "Bribed troops in a city: what of the city?"
                { "city_follows" => "it passes to whoever bought troops in it", "city_stays" => "it stays with its prince, and the bought troops are strangers there" }
                because "whoever has the troops has the city";
            R45 = "DBD-R45" settles [C12_14] "Thievery beyond the victim's gold?"
                { "what_he_has" => "the spy gains what the victim loses", "bank_tops_up" => "the bank makes up the rest of the die" }
                because "one sum is lost and gained";
            R46 = "DBD-R46" settles [C12_3] "What may the player pick after a 10?"
                { "" => "one of 1 to 9, known target rules apply" }
                because "a choice is not a new mission";
            R47 = "DBD-R47" settles [C12_6] "Which agents, how many dice?"
                { "each_agent" => "every agent there that is not the spy's own throws until one foils the mission; thievery has no hex", "one_die" => "one die for a mission if any such agent is there" }
                because "each agent works by itself";
            R48 = "DBD-R48" settles [C13_7] "Does a lone unit need an officer?"
                { "every_unit" => "yes, every land military unit does", "groups_only" => "only two or more together" }
                because "otherwise units would simply go one by one";
            R49 = "DBD-R49" settles [C13_7, C14_4] "Do ships need an officer to move, to attack?"
                { "exempt" => "neither", "required" => "both" }
                because "a frigate cannot carry an officer, so it could never fight";
            R50 = "DBD-R50" settles [C13_3] "How fast is a stack?"
                { "own_points" => "each unit has its own points and may take part in several orders", "slowest" => "a unit moves once a turn, and the slowest unit of the order sets the pace" }
                because "the book gives every unit its own move";
            R51 = "DBD-R51" settles [C13_5] "Cavalry into difficult terrain?"
                { "full_four" => "all 4 points must be unspent", "spend_rest" => "enters with what is left and loses it" }
                because "the sister game says so";
            R52 = "DBD-R52" settles [C13_11, C13_8, C14_3] "Bracketed moves?"
                { "move_or_attack" => "a condition: a cannon either moves or attacks", "carried_only" => "cannon move only aboard a galleon" }
                because "a bracket marks a condition";
            R53 = "DBD-R53" settles [C1_6, C1_7] "Are neutrals \"enemy units\"? Are allies?"
                { "" => "to troops they are, to leaders and merchants they are not; every other player is an enemy" }
                because "diplomats and caravans must get in";
            R54 = "DBD-R54" settles [C1_8] "When are leaders captured?"
                { "always" => "at once, whenever they share a hex with another player's military unit", "on_entering" => "only when a military unit enters their hex", "order_end" => "at once, but not by units that only pass through" }
                because "the book says \"automatically\"";
            R55 = "DBD-R55" settles [C13_8] "Militia and ships?"
                { "never" => "militia never move in any way", "by_ship" => "militia may be carried from city to city by galleon" }
                because "they are a garrison and nothing else";
            R56 = "DBD-R56" settles [C13_12, C13_13] "Embarking, landing?"
                { "same_turn" => "at any coast or in port, both in one turn if points last", "next_turn" => "landing only in a later turn", "ports_only" => "only from and to the port in which the galleon lies" }
                because "nothing limits either to ports";
            R57 = "DBD-R57" settles [C13_14, C13_17] "A galleon's four places?"
                { "all_units" => "every land unit takes one, leaders too", "leaders_free" => "leaders take none" }
                house [ "leaders_free" ]
                because "where leaders are free, the author says so";
            R58 = "DBD-R58" settles [C14_7] "\"Any unit except cannon\" becomes a garrison: ships, leaders?"
                { "literal" => "literally all, though leaders and merchants still throw no dice", "ships_stay_ships" => "ships stay ships in port", "troops_only" => "only land military units; ships, leaders and merchants stay what they are" }
                because "else one caravel in port would keep every pikeman out";
            R59 = "DBD-R59" settles [C14_9] "May a garrison fire at ships?"
                { "never" => "no: it has no missile tag", "missile_inside" => "musketeers and dragoons inside may, at -2" }
                because "only cannon defend a city against a fleet";
            R60 = "DBD-R60" settles [C14_1, C14_3] "Must a whole stack attack; how often?"
                { "chosen" => "named units only; each unit once a turn", "whole_stack" => "everybody in the hex, all being targets" }
                because "attacks name their units";
            R61 = "DBD-R61" settles [C14_8] "Who defends?"
                { "everyone" => "everyone in the hex but the attacker's own units", "one_owner" => "the units of one owner, whom the attack names" }
                because "a hex is attacked, not a player";
            R62 = "DBD-R62" settles [C14_11] "Declaring targets: when, who first?"
                { "per_step" => "step by step, the attacker first", "all_at_start" => "for all steps at the start, the attacker first", "defender_first" => "step by step, the defender first" }
                because "targets can answer earlier losses";
            R63 = "DBD-R63" settles [C14_14] "When are losses removed?"
                { "each_step" => "after each step", "after_battle" => "after the last step; until then units that are hit go on" }
                house [ "after_battle" ]
                because "only equal arms throw at the same time";
            R64 = "DBD-R64" settles [C14_13] "Terrain -1: for whom?"
                { "both_sides" => "whoever is aimed at, attackers included", "defender_only" => "defenders only" }
                because "the ground covers whoever stands on it";
            R65 = "DBD-R65" settles [C14_15] "How long does a battle last?"
                { "one_pass" => "one pass through the steps, without a retreat", "to_the_end" => "the steps begin again while both sides have units and somebody can hit" }
                because "the steps are listed once";
            R66 = "DBD-R66" settles [C14_16] "Advance after battle?"
                { "none" => "none", "advance" => "victors enter at once" }
                because "entering is movement, which comes before battle";
            R67 = "DBD-R67" settles [C14_12] "Who aims for neutrals?"
                { "rule" => "a fixed rule", "warden" => "the next player in seat order" }
                because "no decision is needed, and every replay gives the same";
            R68 = "DBD-R68" settles [C13_16] "Cargo in battle?"
                { "out_at_sea" => "at sea it takes no part; in a city it is present", "fights" => "military cargo at sea throws, too, but is not a target" }
                because "aboard they are cargo";
            R69 = "DBD-R69" settles [C14_13] "Does a natural 6 always hit?"
                { "plain" => "no, only the sum counts", "six_hits" => "yes" }
                because "no exception is named";
            R70 = "DBD-R70" settles [C15_3, C15_4] "Is the merchant used up?"
                { "stays" => "no, but each route needs a new trip from an own city", "consumed" => "it is removed" }
                because "nothing removes it, but it must come from there";
            R71 = "DBD-R71" settles [C15_1, C15_3] "One supply for one demand: shared?"
                { "exclusive" => "a slot serves one route, whoever came first", "per_owner" => "a demand slot serves one route of each owner" }
                because "one supply satisfies one demand";
            R72 = "DBD-R72" settles [C15_6, C15_7] "Automatic routes: which pairs?"
                { "by_rule" => "as many as possible, then lowest ids, after those of merchants", "owner_first" => "the owner may open such routes himself first; the rule fills the rest" }
                because "they are established automatically";
            R73 = "DBD-R73" settles [C15_2, C15_7] "Friendly route: who earns?"
                { "supplier" => "the supplier, 1 gold in all", "both" => "both, 1 each" }
                because "a route has one owner";
            R74 = "DBD-R74" settles [C15_8, C17_3] "Which change of control ends routes?"
                { "every_change" => "every one", "neutral_only" => "only the gain of a neutral city; otherwise routes to the city go on, and those from it pass to its new prince" }
                because "a new prince makes new contracts";
            R75 = "DBD-R75" settles [C16_3] "One attempt \"per city per turn\"?"
                { "per_player" => "once in each player's main turn", "per_round" => "once in a round for all players" }
                because "a turn is a player's";
            R76 = "DBD-R76" settles [C14_16, C17_1, C17_2] "Military occupation: by whom?"
                { "any_military" => "by any military unit that enters, galleons and frigates too; no unit need stay", "land_only" => "by land military units only; ships that enter are strangers there", "foot_and_horse" => "by land military units other than cannon" }
                because "the book knows players' cities without a garrison";
            R77 = "DBD-R77" settles [C18_3] "Elimination?"
                { "nothing_left" => "no city and no unit", "no_city" => "as soon as no city is left; his units are removed" }
                because "units can win cities back";
            R78 = "DBD-R78" settles [C18_1, C18_4] "When is it won? All others gone?"
                { "last_wins" => "at once, on the last city; a sole survivor wins too", "cities_only" => "only cities count" }
                because "with nobody left there is nobody to stop him";
            R79 = "DBD-R79" settles [C18_5, C18_6] "Leaving, stopping?"
                { "" => "cities of one who resigns turn neutral; all may agree to stop, without a winner" }
                because "players may leave a table";
            R80 = "DBD-R80" settles [C20_1] "Is gold open?"
                { "" => "yes, only bids are called secret" }
                because "nothing else is hidden";
            R81 = "DBD-R81" settles [C11_3, C12_15] "Arson: does it stop the favour's recruit?"
                { "barred" => "yes", "favour_exempt" => "no" }
                because "the city cannot recruit";
            R82 = "DBD-R82" settles [C18_4] "Nobody is left?"
                { "nobody" => "nobody wins", "mover" => "the player whose turn it is wins if he is among the last to go" }
                house [ "mover" ]
                because "two lone fleets can sink each other";
            R83 = "DBD-R83" settles [C15_8, C17_3] "\"All current trade routes to the city cease\": which?"
                { "every" => "every route with an end there", "to_it" => "only those that lead to it" }
                because "a new master makes new contracts, whichever way the goods go";
            R84 = "DBD-R84" settles [C14_7, C13_2] "The garrison of the table does not move: may troops leave a city?"
                { "" => "yes, being a garrison is a state that is left by moving out" }
                because "recruits appear in cities and could never act otherwise";
            R85 = "DBD-R85" settles [C1_9, C5_9] "Does the Church's hold bar actions?"
                { "move_and_attack" => "no: the stack may neither move nor start an attack, but it may negotiate and open routes", "as_sabotage" => "yes: it holds a stack as sabotage does" }
                because "the Church is said to stop moving and attacking; only of sabotage is more said";
            R86 = "DBD-R86" settles [C1_8] "Merchants overtaken without an entry?"
                { "leaders_only" => "only leaders are lost; merchants stay", "overtaken" => "they are destroyed when another player's troops come to stand in their hex without entering it" }
                because "only leaders are said to be captured";
            R87 = "DBD-R87" settles [C1_12, C6_6] "May a deal leave a mixed hex?"
                { "mixed_allowed" => "yes: the units share the hex, and leaders among foreign troops are captured", "no_mixed" => "no: units that could not have entered may not be left" }
                because "units are traded without a condition, and only entering is forbidden";
            R88 = "DBD-R88" settles [C1_7] "Does another player's merchant in a neutral city bar leaders and merchants?"
                { "barred" => "yes, as in every other hex", "open_market" => "no" }
                because "a hex is open only if all enemies in it are leaders";
            R89 = "DBD-R89" settles [C1_8, C17_5] "Neutral leaders?"
                { "captured" => "troops that enter capture them", "spared" => "they stay neutral, and go to whoever wins the city by diplomacy" }
                because "to troops neutral units are enemies";
            R90 = "DBD-R90" settles [C8_3] "May one decline to pay upkeep?"
                { "must_pay" => "no: as much is paid as the gold allows", "may_decline" => "yes: the player chooses how much he pays" }
                because "the book says \"pay\"";
            R91 = "DBD-R91" settles [C4_3] "Plague: one die or one each?"
                { "each" => "each unit throws its own die", "one_die" => "one die decides for all" }
                because "units are destroyed, each by its roll";
            R92 = "DBD-R92" settles [C12_12] "Bribery: who is paid?"
                { "bank" => "the bank", "owner" => "the former owner of the units" }
                because "what a unit costs goes to the bank";
            R93 = "DBD-R93" settles [C12_1] "Two 1s in one throw of spies?"
                { "each_one" => "every 1 is a success", "one_per_throw" => "a throw has one success at most" }
                because "a 1 on a die is a roll on the table";
            R94 = "DBD-R94" settles [C1_6, C1_7, C17_2] "Is a treaty partner an enemy?"
                { "enemy" => "yes: a treaty changes trade and nothing else", "passes" => "no: partners may share hexes, capture nobody and take no city of each other" }
                because "the book gives friends trade and nothing else";
            R95 = "DBD-R95" settles [C15_7] "May one decline a friendly route?"
                { "always" => "no: friendly routes open by themselves", "by_choice" => "yes: only those open that the owner names" }
                because "the book says \"automatically\"";
            R96 = "DBD-R96" settles [C15_8] "May an owner end a route?"
                { "never" => "no", "owner_may" => "yes, in his own routes phase" }
                because "the book says when routes cease";
            R97 = "DBD-R97" settles [C13_7] "Do leaders and merchants need an officer?"
                { "exempt" => "no", "every_stack" => "yes, where two or more land units move together" }
                because "an officer commands soldiers";
            R98 = "DBD-R98" settles [C5_6] "The favour: one use or the list?"
                { "one_use" => "one use", "each_once" => "each use of the list once in the round" }
                because "the favour is one thing to be used";
            R99 = "DBD-R99" settles [C14_7] "Does a unit fight out of a city as a garrison?"
                { "garrison" => "yes", "own_arm" => "no: units that attack out of a city fight as what they are" }
                because "it counts as a garrison while it is there";
            R100 = "DBD-R100" settles [C15_4] "Where does a merchant originate?"
                { "last_city" => "in the last city of its owner that it was in", "recruited" => "only in the city in which it was recruited" }
                because "that is where its trip began";
            R101 = "DBD-R101" settles [C5_14] "\"Win turn order roll\": after the roll, too?"
                { "before" => "no, only in the trading session before it", "after_roll" => "yes: whoever still holds the favour is asked after the throw" }
                because "once thrown, the roll is lost";
            R102 = "DBD-R102" settles [C14_1, C14_3] "How many attacks a turn?"
                { "any_number" => "any number; each unit attacks once", "one_a_turn" => "one", "one_per_hex" => "one out of each hex" }
                because "the book limits no number";
            R103 = "DBD-R103" settles [C18_1] "Is a bought city conquered?"
                { "any_way" => "yes: whoever has all cities wins", "taken" => "no: the last city must be gained by occupation, diplomacy or bribery" }
                because "whoever has all cities has them";
            R104 = "DBD-R104" settles [C12_4] "May a success be passed on?"
                { "may_pass" => "yes", "must_target" => "no, if there is a legal target" }
                because "nothing forces a player to name a target";
            R105 = "DBD-R105" settles [C4_6] "Revolution: among which cities?"
                { "all" => "among all cities that are not homes", "controlled" => "among those of them that a player controls; if there is none, nothing is drawn" }
                because "the book says one random city that is not a home";
            R106 = "DBD-R106" settles [C12_2, C12_7] "A mission: favour or agents first?"
                { "after_agents" => "agents first", "before_agents" => "the favour first" }
                because "whoever is foiled needs no Church";
            R107 = "DBD-R107" settles [C4_5, C10_2] "A good that is twice scarce?"
                { "double" => "its routes pay double", "each_doubles" => "each scarcity in force doubles" }
                because "the book doubles the income, and says so twice";
        }
    }
}

umpire_core::rulings! {
    /// The readings in force.
    pub struct Rulings {
        /// What lasting effects are counted in.
        lasting / "DBD-R4": Lasting { Rounds = "rounds", MainTurns = "main_turns" },
        /// When goods are thrown.
        goods_time / "DBD-R6": GoodsTime { Setup = "setup", FirstReached = "first_reached" },
        /// Whether a city may demand what it supplies.
        doubles / "DBD-R7": Doubles { Both = "both", WithinList = "within_list" },
        /// When a neutral garrison is thrown.
        garrison_time / "DBD-R8": GarrisonTime { Setup = "setup", FirstMet = "first_met" },
        /// Among which cities an event draws.
        event_cities / "DBD-R10": EventCities { All = "all", Controlled = "controlled" },
        /// What 19 and 20 mean for the good of an event.
        event_goods / "DBD-R11": EventGoods { Again = "again", AsTable = "as_table" },
        /// Whom a plague may kill.
        plague / "DBD-R12": Plague { Everyone = "everyone", Controller = "controller", Troops = "troops" },
        /// Which routes earn nothing where a city has no income.
        no_income / "DBD-R13": Income { EitherEnd = "either_end", SupplyEnd = "supply_end", TaxOnly = "tax_only" },
        /// What a route pays under surplus and scarcity.
        clash / "DBD-R14": Clash { SurplusWins = "surplus_wins", CancelOut = "cancel_out", LaterWins = "later_wins" },
        /// Whose units turn neutral by a revolution.
        rebels / "DBD-R15": Rebels { EveryUnit = "every_unit", Troops = "troops" },
        /// Whether a captured home city is one.
        homes / "DBD-R16": Homes { OwnHands = "own_hands", ForEver = "for_ever" },
        /// Whether masters add up.
        masters / "DBD-R17": Masters { AddUp = "add_up", Once = "once" },
        /// Whether a city that turns neutral gets militia.
        turned / "DBD-R18": TurnedCity { Roll = "roll", Nothing = "none", Always = "always" },
        /// Whether 0 is a bid.
        zero_bids / "DBD-R19": ZeroBids { Count = "zero_counts", Void = "zero_void" },
        /// When the die on the next bid is thrown.
        bonus_time / "DBD-R20": BonusTime { AfterReveal = "after_reveal", WhenChosen = "when_chosen" },
        /// When the favour may be used.
        favor_time / "DBD-R21": FavorTime { AnyTime = "any_time", OwnTurn = "own_turn" },
        /// What protection of a city bars.
        protection / "DBD-R23": Protection { AttackOnly = "attack_only", EntryToo = "entry_too" },
        /// What the recruit of the favour costs.
        extra_price / "DBD-R24": ExtraPrice { Paid = "paid", Free = "free" },
        /// Whose mission the favour stops.
        negation / "DBD-R25": Negation { AnyMission = "any_mission", AgainstSelf = "against_self" },
        /// What guards a city from turning neutral.
        guards / "DBD-R26": Guards { Literal = "literal", Military = "military", AnyUnit = "any_unit" },
        /// Whether the player who leads by favour throws.
        leading / "DBD-R27": Leading { NoThrow = "no_throw", Throws = "throws" },
        /// What ends a treaty.
        friendship / "DBD-R30": Friendship { UntilWar = "treaty", UntilCancelled = "until_cancelled" },
        /// How the throws rank the players.
        ranking / "DBD-R31": Ranking { Descending = "descending", Clockwise = "clockwise" },
        /// How upkeep is rounded.
        upkeep / "DBD-R32": UpkeepRounding { Down = "down", Up = "up" },
        /// Which units cost upkeep.
        kept_units / "DBD-R33": KeptUnits { All = "all", Troops = "troops" },
        /// How many units go where upkeep is not paid.
        unpaid / "DBD-R34": Unpaid { FivePerGold = "five_per_gold", Minimum = "minimum" },
        /// What a home city is taxed.
        home_tax / "DBD-R35": HomeTax { TotalThree = "total_3", TotalFour = "total_4" },
        /// What several governors are worth.
        governors / "DBD-R36": Governors { One = "one", Each = "each" },
        /// When a new route pays.
        first_pay / "DBD-R37": FirstPay { NextPhase = "next_phase", AtOnce = "at_once" },
        /// Where ships are built.
        shipyards / "DBD-R38": Shipyards { Ports = "ports", Anywhere = "anywhere" },
        /// When a recruit may act.
        recruits / "DBD-R39": Recruits { AtOnce = "at_once", NextTurn = "next_turn" },
        /// How often spies are paid.
        batches / "DBD-R40": Batches { Any = "any_batches", One = "one_batch" },
        /// Whether a mission may be aimed at oneself.
        spied_on / "DBD-R41": SpiedOn { Others = "others", Anyone = "anyone" },
        /// Which ships can burn.
        burning / "DBD-R42": Burning { PortToo = "port_too", CoastOnly = "coast_only" },
        /// What sabotage stops.
        sabotage / "DBD-R43": Sabotage { Orders = "orders", AsChurch = "as_church", ServicesToo = "services_too", CargoRides = "cargo_rides" },
        /// What becomes of the city of bribed troops.
        bribed_city / "DBD-R44": BribedCity { Follows = "city_follows", Stays = "city_stays" },
        /// What a thief gains.
        theft / "DBD-R45": Theft { WhatHeHas = "what_he_has", BankTopsUp = "bank_tops_up" },
        /// How many agents throw.
        agents / "DBD-R47": Agents { Each = "each_agent", OneDie = "one_die" },
        /// Who needs an officer to move.
        officers / "DBD-R48": Officers { EveryUnit = "every_unit", GroupsOnly = "groups_only" },
        /// Whether ships need an officer.
        fleets / "DBD-R49": Fleets { Exempt = "exempt", Required = "required" },
        /// How fast a stack is.
        pace / "DBD-R50": Pace { OwnPoints = "own_points", Slowest = "slowest" },
        /// How cavalry enters difficult terrain.
        cavalry / "DBD-R51": Cavalry { FullFour = "full_four", SpendRest = "spend_rest" },
        /// How cannon move.
        guns / "DBD-R52": Guns { MoveOrAttack = "move_or_attack", CarriedOnly = "carried_only" },
        /// When leaders are captured.
        capture / "DBD-R54": Capture { Always = "always", OnEntering = "on_entering", OrderEnd = "order_end" },
        /// Whether militia go aboard.
        militia / "DBD-R55": MilitiaMoves { Never = "never", ByShip = "by_ship" },
        /// When cargo may land.
        landing / "DBD-R56": Landing { SameTurn = "same_turn", NextTurn = "next_turn", PortsOnly = "ports_only" },
        /// Who takes a place aboard.
        places / "DBD-R57": Places { AllUnits = "all_units", LeadersFree = "leaders_free" },
        /// What a ship in port is in battle.
        port_ships / "DBD-R58": PortShips { Literal = "literal", StayShips = "ships_stay_ships", TroopsOnly = "troops_only" },
        /// Whether a garrison may fire at ships.
        coast_fire / "DBD-R59": CoastFire { Never = "never", MissileInside = "missile_inside" },
        /// Whether a whole stack must attack.
        stacks / "DBD-R60": Stacks { Chosen = "chosen", Whole = "whole_stack" },
        /// Who defends a hex.
        defenders / "DBD-R61": Defenders { Everyone = "everyone", OneOwner = "one_owner" },
        /// When targets are declared.
        declaring / "DBD-R62": Declaring { PerStep = "per_step", AllAtStart = "all_at_start", DefenderFirst = "defender_first" },
        /// When losses are removed.
        losses / "DBD-R63": Losses { EachStep = "each_step", AfterBattle = "after_battle" },
        /// Whom terrain covers.
        cover / "DBD-R64": Cover { BothSides = "both_sides", DefenderOnly = "defender_only" },
        /// How long a battle lasts.
        battle_length / "DBD-R65": BattleLength { OnePass = "one_pass", ToTheEnd = "to_the_end" },
        /// Whether victors may enter.
        victors / "DBD-R66": Victors { Stay = "none", Advance = "advance" },
        /// Who aims for neutral units.
        warden / "DBD-R67": Warden { ByRule = "rule", Player = "warden" },
        /// Whether cargo fights at sea.
        cargo / "DBD-R68": Cargo { OutAtSea = "out_at_sea", Fights = "fights" },
        /// Whether a natural 6 always hits.
        naturals / "DBD-R69": Naturals { Plain = "plain", SixHits = "six_hits" },
        /// Whether a route uses up its merchant.
        merchants / "DBD-R70": Merchants { Stay = "stays", Consumed = "consumed" },
        /// Whether a demand slot is shared.
        sharing / "DBD-R71": Sharing { Exclusive = "exclusive", PerOwner = "per_owner" },
        /// Who chooses automatic routes.
        own_routes / "DBD-R72": OwnRoutes { ByRule = "by_rule", OwnerFirst = "owner_first" },
        /// Who earns by a friendly route.
        friends / "DBD-R73": Friends { Supplier = "supplier", Both = "both" },
        /// Which change of control ends routes.
        new_prince / "DBD-R74": NewPrince { EveryChange = "every_change", NeutralOnly = "neutral_only" },
        /// How often a city may be negotiated for.
        attempts / "DBD-R75": Attempts { PerPlayer = "per_player", PerRound = "per_round" },
        /// Who occupies a city.
        occupation / "DBD-R76": Occupation { AnyMilitary = "any_military", LandOnly = "land_only", FootAndHorse = "foot_and_horse" },
        /// When a player is out.
        exile / "DBD-R77": Exile { NothingLeft = "nothing_left", NoCity = "no_city" },
        /// Whether a sole survivor wins.
        victory / "DBD-R78": Victory { LastWins = "last_wins", CitiesOnly = "cities_only" },
        /// Whether arson stops the recruit of the favour.
        arson / "DBD-R81": Arson { Barred = "barred", FavourExempt = "favour_exempt" },
        /// Who wins when nobody is left.
        nobody_left / "DBD-R82": NobodyLeft { Nobody = "nobody", Mover = "mover" },
        /// Which routes end when a city changes hands.
        ceasing / "DBD-R83": CeasingRoutes { Every = "every", ToIt = "to_it" },
        /// What the hold of the Church stops.
        church_hold / "DBD-R85": ChurchHold { MoveAndAttack = "move_and_attack", AsSabotage = "as_sabotage" },
        /// Who is lost where troops come to stand without entering.
        bystanders / "DBD-R86": Bystanders { LeadersOnly = "leaders_only", Overtaken = "overtaken" },
        /// Whether a deal may leave a mixed hex.
        mixing / "DBD-R87": Mixing { MixedAllowed = "mixed_allowed", NoMixed = "no_mixed" },
        /// Whether merchants close a neutral city to leaders and merchants.
        markets / "DBD-R88": Markets { Barred = "barred", Open = "open_market" },
        /// Whether neutral leaders are captured.
        neutral_leaders / "DBD-R89": NeutralLeaders { Captured = "captured", Spared = "spared" },
        /// Whether upkeep may be declined.
        paying / "DBD-R90": Paying { MustPay = "must_pay", MayDecline = "may_decline" },
        /// How many dice a plague has.
        plague_dice / "DBD-R91": PlagueDice { Each = "each", One = "one_die" },
        /// Who is paid a bribe.
        bribe / "DBD-R92": Bribe { Bank = "bank", Owner = "owner" },
        /// How many successes a throw of spies has.
        spy_luck / "DBD-R93": SpyLuck { EachOne = "each_one", OnePerThrow = "one_per_throw" },
        /// Whether treaty partners are enemies.
        partners / "DBD-R94": Partners { Enemy = "enemy", Passes = "passes" },
        /// Whether friendly routes open by themselves.
        friendly_routes / "DBD-R95": FriendlyRoutes { Always = "always", ByChoice = "by_choice" },
        /// Whether an owner may end a route.
        ending_routes / "DBD-R96": EndingRoutes { Never = "never", OwnerMay = "owner_may" },
        /// Whether leaders and merchants need an officer.
        escort / "DBD-R97": Escort { Exempt = "exempt", EveryStack = "every_stack" },
        /// How often the favour is used.
        favor_uses / "DBD-R98": FavorUseCount { One = "one_use", EachOnce = "each_once" },
        /// As what units attack out of a city.
        sorties / "DBD-R99": Sorties { Garrison = "garrison", OwnArm = "own_arm" },
        /// Where merchants originate.
        origins / "DBD-R100": Origins { LastCity = "last_city", Recruited = "recruited" },
        /// Whether the turn order may be led after the throw.
        late_lead / "DBD-R101": LateLead { Before = "before", AfterRoll = "after_roll" },
        /// How many attacks there are in a turn.
        attacks / "DBD-R102": Attacks { AnyNumber = "any_number", OneATurn = "one_a_turn", OnePerHex = "one_per_hex" },
        /// Whether a bought city counts as conquered.
        conquest / "DBD-R103": Conquest { AnyWay = "any_way", Taken = "taken" },
        /// Whether a success may be passed on.
        passing / "DBD-R104": Passing { MayPass = "may_pass", MustTarget = "must_target" },
        /// Among which cities a revolution draws.
        rebel_cities / "DBD-R105": RebelCities { All = "all", Controlled = "controlled" },
        /// Whether agents or the favour come first.
        church_turn / "DBD-R106": ChurchTurn { AfterAgents = "after_agents", BeforeAgents = "before_agents" },
        /// What several scarcities of a good are worth.
        scarcities / "DBD-R107": Scarcities { Double = "double", EachDoubles = "each_doubles" },
    }
    version 1 {
        guards: Guards::Military,
        church_hold: ChurchHold::AsSabotage,
        bystanders: Bystanders::Overtaken,
        mixing: Mixing::NoMixed,
        markets: Markets::Open,
    }
}

#[cfg(feature = "schema")]
umpire_core::rulings_schema!(Rulings);
