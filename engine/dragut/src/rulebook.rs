//! Every clause and ruling of the rules document, once: id, section in both printed editions,
//! gist, readings.
//!
//! Ids are printed to users and never renumbered. The Italian book numbers two paragraphs 2.2:
//! `2.2a` is the one about alarm counter and pirate force, `2.2b` the turn sequence. This module
//! must not decide anything.

use umpire_core::{rulebook, rulings};

rulebook! {
    /// Clauses and rulings of the game.
    pub enum Rule {
        clauses {
            C1_1 = "DRG-1.1" ["en" => "1, 2.1, 4.2, 5.2, 6", "it" => "1, 2.2a, 4.2, 5.2, 6"] "A unit is always in exactly one place: at sea, aside, in reserve, in an area, in the Serraglio, fled or removed; the last three are final.";
            C1_2 = "DRG-1.2" ["en" => "6", "it" => "6"] "A Rapalline unit in an area is free or captive; a pirate unit in an area is always free.";
            C1_3 = "DRG-1.3" ["en" => "2.1, 6", "it" => "2.2a, 6"] "Each unit on the map is hidden or revealed; captives are always revealed.";
            C1_4 = "DRG-1.4" ["en" => "5.1, 6.1", "it" => "5.1, 6.1"] "Two areas are linked when a road or trail joins them; an area is empty when no unit of either side is in it, captives included.";
            C1_5 = "DRG-1.5" [] "A pirate unit is in play while it is at sea or on the map.";

            C2_1 = "DRG-2.1" ["en" => "2.1, 3.3", "it" => "2.1, 2.2a, 3.3"] "Setup runs in this order: alarm counter, pirate force, Rapalline deployment, starting hands, then turn 1.";
            C2_2 = "DRG-2.2" ["en" => "2.1", "it" => "2.2a"] "The alarm counter starts on the first case or, under another reading, on the first case of value 2.";
            C2_3 = "DRG-2.3" ["en" => "2.1", "it" => "2.1"] "The Rapalline player deploys in one action every Rapalline unit except the one Soldier that stays in reserve, each once.";
            C2_4 = "DRG-2.4" ["en" => "2.1", "it" => "2.1"] "Every deployed unit goes to a town area.";
            C2_5 = "DRG-2.5" ["en" => "2.1", "it" => "2.1"] "English edition: at most one deployed unit per area. Italian edition: no such limit.";
            C2_6 = "DRG-2.6" ["en" => "2.1", "it" => "2.2a"] "Deployed units and pirate units at sea are hidden.";
            C2_7 = "DRG-2.7" ["en" => "2.1", "it" => "2.2a"] "The pirate force is fixed: Dragut (6), two Pirates of value 4, one of value 2 and the Renegade at sea; Dragut (4) and one Pirate of value 2 aside.";
            C2_8 = "DRG-2.8" ["en" => "3.3", "it" => "3.3"] "Each side then draws its starting hand from its own deck, the pirates all their cards first.";

            C3_1 = "DRG-3.1" ["en" => "2.2", "it" => "2.2b"] "A turn is: card choice, reveal, pirate phase, Rapalline phase, clean-up.";
            C3_2 = "DRG-3.2" ["en" => "2.2, 3.3", "it" => "2.2b, 3.3"] "Each player secretly commits one card of their hand or none, in either order and for good; an empty hand commits none by itself.";
            C3_3 = "DRG-3.3" ["en" => "2.2, 3.3", "it" => "2.2b, 3.3"] "When both have committed, both choices are revealed together.";
            C3_4 = "DRG-3.4" ["en" => "3.3", "it" => "3.3"] "The pirate card takes effect first, then the Rapalline card; alarm changes happen at once, all other effects last until the end of the turn.";
            C3_5 = "DRG-3.5" ["en" => "2.2, 3.3", "it" => "2.2b, 3.3"] "A card that can change nothing may still be played; its effect is void.";
            C3_6 = "DRG-3.6" ["en" => "3, 4", "it" => "3, 4"] "Changes of pool and limit add up; neither goes below 0.";
            C3_7 = "DRG-3.7" ["en" => "3.3", "it" => "3.3"] "At clean-up a played card leaves the game or re-enters its deck in random position, as its life cycle says; until then it is in neither hand nor deck.";
            C3_8 = "DRG-3.8" ["en" => "2.2, 3", "it" => "2.2b, 3"] "At most one card per player per turn; there is no hand limit.";

            C4_1 = "DRG-4.1" ["en" => "3.2", "it" => "3.2"] "The pirate pool is 3 at the start of the pirate phase, before card effects.";
            C4_2 = "DRG-4.2" ["en" => "3, 3.2", "it" => "3, 3.2"] "Card effects on the pirate pool apply; with DRG-R26 read as `ignore` (by `dragut@1` in the Italian edition) the pool is always 3 and such an effect is void.";
            C4_3 = "DRG-4.3" ["en" => "2.2, 3.1, 5", "it" => "2.2b, 3.1, 5"] "The Rapalline pool is the value of the alarm case at the start of the Rapalline phase, plus card effects; later alarm changes do not alter it.";
            C4_4 = "DRG-4.4" ["en" => "4", "it" => "4"] "An action that costs more than the pool is illegal; otherwise its cost leaves the pool at once.";
            C4_5 = "DRG-4.5" ["en" => "4, 5.2", "it" => "4, 5.2"] "Moves and landings also count against the unit, which may spend at most 2 points over the turn, changed only by cards.";
            C4_6 = "DRG-4.6" ["en" => "4", "it" => "4"] "Points left at the end of a phase are lost.";
            C4_7 = "DRG-4.7" ["en" => "4.1, 4.2", "it" => "4.1, 4.2"] "Sending and raising the alarm are paid from the pool only and use no unit's allowance.";
            C4_8 = "DRG-4.8" ["en" => "2.2", "it" => "2.2b"] "A phase ends when its player ends it, and by itself when the pool is 0 or no legal action is left, once nothing is pending.";
            C4_9 = "DRG-4.9" ["en" => "4", "it" => "4"] "Within a phase actions come in any order and may switch freely between units.";

            C5_1 = "DRG-5.1" ["en" => "4.1, 4.2, 5.2", "it" => "4.1, 4.2, 5.2"] "One move takes one free unit of the phase player from its area to a linked area.";
            C5_2 = "DRG-5.2" ["en" => "5.2", "it" => "5.2"] "A road costs 1; a trail costs 1 for the Renegade and every Rapalline unit, 2 for other pirates; entering a hill costs a Rapalline unit 1.";
            C5_3 = "DRG-5.3" ["en" => "4", "it" => "4"] "A unit may act several times in a phase while pool and limit allow, also after winning a combat.";
            C5_4 = "DRG-5.4" [] "Any number of units of one side may share an area.";
            C5_5 = "DRG-5.5" ["en" => "5.1", "it" => "5.1"] "A pirate unit cannot enter a hill.";
            C5_6 = "DRG-5.6" ["en" => "5.2", "it" => "5.2"] "A Rapalline unit that enters a hill is revealed and has fled: safe for good and never back.";
            C5_7 = "DRG-5.7" ["en" => "2.1, 5.2", "it" => "2.2a, 5.2"] "A pirate unit at sea may land in any coastal area for 1 point from turn 1 on; none has to land, and none goes back to sea.";
            C5_8 = "DRG-5.8" ["en" => "5, 6, 6.1", "it" => "5, 6, 6.1"] "Arriving among free enemies starts combat at once; a Rapalline arrival without free enemies frees captives.";
            C5_9 = "DRG-5.9" ["en" => "6, 6.1", "it" => "6, 6.1"] "Captives neither block nor fight.";
            C5_10 = "DRG-5.10" ["en" => "6.1", "it" => "6.1"] "Forced relocation and reserve entry are no moves: no points, no allowance, no combat.";

            C6_1 = "DRG-6.1" ["en" => "5, 6", "it" => "5, 6"] "Combat is between the arriving unit and the free enemies in the area, and is finished before any other action.";
            C6_2 = "DRG-6.2" ["en" => "6", "it" => "6"] "Combat is one against one: the phase player names the next opponent, a last one is taken by itself, until the attacker is gone or no free enemy is left.";
            C6_3 = "DRG-6.3" ["en" => "6", "it" => "6"] "Both fighters are revealed.";
            C6_4 = "DRG-6.4" ["en" => "1.12, 6", "it" => "1.12, 6"] "The higher value wins.";
            C6_5 = "DRG-6.5" [] "On equal values, possible only with corrected units, the attacker goes back where it came from and its points stay spent.";
            C6_6 = "DRG-6.6" ["en" => "6", "it" => "6"] "If the Rapalline unit wins, the pirate unit is removed.";
            C6_7 = "DRG-6.7" ["en" => "6", "it" => "6"] "If the pirate wins, the Rapalline unit becomes captive in that area, whether it attacked or defended.";
            C6_8 = "DRG-6.8" ["en" => "1.14, 6", "it" => "1.14, 6"] "The Arquebusier is never compared: it is removed and the pirate loses 2, so that a value of 2 is removed and a greater one replaced.";
            C6_9 = "DRG-6.9" ["en" => "1.14, 6", "it" => "6"] "The replacement takes over the area, the points spent this turn and, if it was attacking, the attack; the replaced counter leaves the game.";
            C6_10 = "DRG-6.10" ["en" => "1.14, 3.1, 3.3, 6", "it" => "1.14, 3.1, 3.3, 6"] "After the Arquebusier's shot the Rapalline player chooses: alarm +1, or draw a card; with an empty deck the alarm is forced.";
            C6_11 = "DRG-6.11" [] "Order inside a duel: reveal, result, end check, Arquebusier choice, draw for elimination, next duel; after the last duel, liberation.";
            C6_12 = "DRG-6.12" [] "When the whole action is resolved, free units revealed in it turn hidden again.";
            C6_13 = "DRG-6.13" ["en" => "5", "it" => "5"] "A surviving attacker stays in the area it entered.";

            C7_1 = "DRG-7.1" ["en" => "4.2, 6, 6.1", "it" => "4.2, 6, 6.1"] "A captive stays, revealed, in the area where it lost, guarded or not.";
            C7_2 = "DRG-7.2" ["en" => "6", "it" => "6"] "A captive cannot move, be moved, act or fight.";
            C7_3 = "DRG-7.3" [] "An area can hold any number of captives.";
            C7_4 = "DRG-7.4" ["en" => "4.2", "it" => "4.2"] "A send names one captive on the map.";
            C7_5 = "DRG-7.5" ["en" => "4.2", "it" => "4.2"] "For a send at least one pirate unit must be in the captive's area or in one linked to it; the sea is not an area.";
            C7_6 = "DRG-7.6" ["en" => "4.2", "it" => "4.2"] "A sent captive goes to the Serraglio for good for 2 points; then the end is tested, then the pirates draw a card.";
            C7_7 = "DRG-7.7" ["en" => "6.1", "it" => "6.1"] "A Rapalline unit that has arrived, is still there and free, and finds no pirate left, frees every captive in the area and is revealed.";
            C7_8 = "DRG-7.8" ["en" => "1.12, 3.1, 6.1", "it" => "1.12, 3.1, 6.1"] "Per freed unit the alarm rises by 1, or by 2 if Bartolomeo frees; all freed units are released, then moved.";
            C7_9 = "DRG-7.9" ["en" => "6.1", "it" => "6.1"] "Each freed unit goes to a nearest empty area, ties and order chosen by the Rapalline player, emptiness read anew after each one.";
            C7_10 = "DRG-7.10" ["en" => "5.1, 6.1", "it" => "5.1, 6.1"] "Hills count as areas for a freed unit; one that goes to a hill flees.";
            C7_11 = "DRG-7.11" ["en" => "4, 6.1", "it" => "4, 6.1"] "A freed unit is free, hidden again from the end of the action, keeps the points spent this turn and may act with the rest.";
            C7_12 = "DRG-7.12" ["en" => "6, 6.1", "it" => "6, 6.1"] "Winning as defender frees nobody; an unguarded captive waits until a Rapalline unit arrives.";

            C8_1 = "DRG-8.1" ["en" => "3.1, 5", "it" => "3.1, 5"] "The alarm counter stands on one case of the track.";
            C8_2 = "DRG-8.2" ["en" => "3.1, 4.1", "it" => "3.1, 4.1"] "The alarm rises by liberation, by the Arquebusier's choice, by a bell or the geese, and by the raise action.";
            C8_3 = "DRG-8.3" ["en" => "3.1", "it" => "3.1"] "The alarm falls by a card of the pirates.";
            C8_4 = "DRG-8.4" [] "Steps beyond the first or last case are lost.";
            C8_5 = "DRG-8.5" ["en" => "4.1", "it" => "4.1"] "The Rapalline player may raise the alarm by one case for 2 points as often as points allow, but not on the last case.";

            C9_1 = "DRG-9.1" ["en" => "3.3", "it" => "3.3"] "A draw takes one random card of the side's own deck into its hand, unseen by others.";
            C9_2 = "DRG-9.2" ["en" => "3.3, 4.2", "it" => "3.3, 4.2"] "The pirates draw one card for each unit sent; they must.";
            C9_3 = "DRG-9.3" ["en" => "1.14, 3.3", "it" => "1.14, 3.3"] "The Rapalline player draws one card if that is chosen after the Arquebusier's shot.";
            C9_4 = "DRG-9.4" ["en" => "3.3, 6", "it" => "3.3, 6"] "The Rapalline player draws one card for each pirate unit removed in combat and for each unit reaching a hill: may decline (English edition), must draw (Italian edition).";
            C9_5 = "DRG-9.5" [] "From an empty deck nothing is drawn and nothing is offered.";
            C9_6 = "DRG-9.6" [] "A recorded draw must name the drawing side and a card now in its deck.";

            C10_1 = "DRG-10.1" ["en" => "1.11, 5.2", "it" => "1.11, 5.2"] "Trails cost the Renegade 1.";
            C10_2 = "DRG-10.2" ["en" => "1.14, 6", "it" => "1.14, 6"] "The Arquebusier fights by its shot alone; freeing unguarded captives it acts like any other unit.";
            C10_3 = "DRG-10.3" ["en" => "1.12, 1.13", "it" => "1.12, 1.13"] "Bartolomeo is worth 5 in the pirate phase and 3 in the Rapalline phase, and always 3 once Giulia has fled or is in the Serraglio.";
            C10_4 = "DRG-10.4" ["en" => "1.12, 3.1, 6.1", "it" => "1.12, 3.1, 6.1"] "Bartolomeo as liberator raises the alarm by 2 per freed unit.";
            C10_5 = "DRG-10.5" ["en" => "1.13, 7", "it" => "1.13, 7"] "When Giulia flees the target becomes 8 at once; in the Serraglio she counts as one and the target stays 7.";
            C10_6 = "DRG-10.6" ["en" => "1", "it" => "1"] "Dragut has no ability beyond its value.";
            C10_7 = "DRG-10.7" [] "Giorgio Devoto: at the start of the Rapalline phase the Soldier in reserve must enter, hidden, an empty countryside area; if that cannot be, the card is void.";

            C11_1 = "DRG-11.1" ["en" => "7, 1.13", "it" => "7, 1.13"] "The target is 7 units in the Serraglio, 8 if Giulia has fled.";
            C11_2 = "DRG-11.2" ["en" => "7, 2.2", "it" => "7, 2.2b"] "The pirates win as soon as the Serraglio holds the target or more.";
            C11_3 = "DRG-11.3" ["en" => "2.2, 7", "it" => "2.2b, 7"] "If no Rapalline unit, free or captive, is on the map, the Rapalline player wins; the reserve does not count.";
            C11_4 = "DRG-11.4" ["en" => "2.2, 7", "it" => "2.2b, 7"] "If no pirate unit is in play, the Rapalline player wins, whatever captives remain.";
            C11_5 = "DRG-11.5" ["en" => "2.2", "it" => "2.2b"] "The three ends are tested in this order each time a send, an escape or a duel has taken units away, before any draw or choice that follows; what was pending is dropped.";
            C11_6 = "DRG-11.6" ["en" => "2.2", "it" => "2.2b"] "There is no turn limit, no drawn game, and no early end when the target is out of reach.";

            C11_7 = "DRG-11.7" [] "If a turn passes in which nobody had a decision, every later turn would be the same: the game ends at clean-up, and the Rapalline player wins.";

            C12_1 = "DRG-12.1" [] "There are four views: pirates, rapalline, spectator (public facts only), referee (everything).";
            C12_2 = "DRG-12.2" [] "Public tokens: R1 on for deployed units in the order of the area table, the next one for the reserve Soldier, P1 on in order of landing; a replacement inherits the token, and a field naming a unit takes id or token. For a player it is undecidable whether an action is legal that names an enemy by a hidden id.";
            C12_3 = "DRG-12.3" [] "A view shows identity and value of the viewer's own and of revealed units; of others only side, token, area and points spent. Events are redacted the same way.";
            C12_4 = "DRG-12.4" [] "Fleeing units, captives, Serraglio, removed units, pools, alarm, sizes of hands and decks, retired cards and whether a player has committed are public; cards in hand, deck order, unrevealed choices and drawn cards are not.";

            C13_1 = "DRG-13.1" [] "After the end no action is accepted.";
            C13_2 = "DRG-13.2" [] "Type and player of an action must fit the pending decision; an unknown one fits none.";
            C13_3 = "DRG-13.3" [] "Ids and values must exist, belong to the side the field asks for and, for a choice of opponent, be among the options.";
            C13_4 = "DRG-13.4" [] "With several faults the first of the stated order is cited.";
            C13_5 = "DRG-13.5" [] "A decision with exactly one option resolves itself; this never applies to the two phases nor to the offer of a draw.";
            C13_6 = "DRG-13.6" [] "A rejected action changes nothing.";
        }
        rulings {
            R1 = "DRG-R1" settles [C2_5] "How many units may be deployed in one area?" { "one" => "one", "unlimited" => "any number" } because "by edition, each text as written; the Italian edition is silent";
            R2 = "DRG-R2" settles [C2_1] "Are hands drawn before or after deployment?" { "after" => "after", "before" => "before" } because "the order of the sections";
            R3 = "DRG-R3" settles [C2_7] "Which Dragut starts?" { "" => "the one of value 6", "" => "free choice" } because "the 4 is named as left out";
            R4 = "DRG-R4" settles [C2_3, C10_7] "How does the Soldier in reserve enter?" { "by_card" => "by a card", "never" => "never: a card that calls it is void", "" => "as a replacement" } because "both editions hold it back, and only a card can bring it";
            R5 = "DRG-R5" settles [C1_1] "Why are there 25 stands for 24 units?" { "" => "24 units and the alarm counter", "" => "23 units, the counter and a spare" } because "every unit has a stand, one more is needed; changed through the unit data";
            R6 = "DRG-R6" settles [C5_7] "Where is landing allowed?" { "by_the_sea" => "in any area by the sea", "three_named" => "only in the three named landing places" } because "the rule speaks of areas by the sea; the story names three places";
            R7 = "DRG-R7" settles [C5_7] "Must all pirates land at once, and may they leave again?" { "" => "free timing, no return", "" => "forced on turn 1" } because "three points cannot land five units";
            R8 = "DRG-R8" settles [C11_4] "No pirate is on the map before the first landing: is that an end?" { "sea_counts" => "units at sea keep the game alive", "map_only" => "from the first landing on it is" } because "otherwise the game ends at the start";
            R9 = "DRG-R9" settles [C4_7] "Does a send use a unit's two points?" { "player" => "no", "unit" => "yes, those of a pirate nearby" } because "the text lets the player send and only asks for a pirate's presence";
            R10 = "DRG-R10" settles [C4_3] "When is the Rapalline pool read?" { "phase_start" => "at the start of their phase", "turn_start" => "right after the reveal", "live" => "continuously" } because "one figure per turn, read when it is first needed, so that changes in the pirate phase count";
            R11 = "DRG-R11" settles [C5_4, C2_5] "May units of one side share an area?" { "free" => "yes", "one_per_area" => "one free unit per area, at deployment too" } because "there is no prohibition, and the Italian deployment allows it";
            R12 = "DRG-R12" settles [C6_2] "Who names the next of several defenders?" { "attacker" => "the attacker", "defender" => "their owner" } because "the phase player takes all decisions of the phase";
            R13 = "DRG-R13" settles [C6_5] "What happens on equal values?" { "return" => "the attacker goes back", "defender_wins" => "the defender wins", "both_removed" => "both leave the game" } because "nobody has the higher value; cannot occur with the values as printed";
            R14 = "DRG-R14" settles [C5_3] "May a unit move on after combat?" { "allowed" => "yes", "stops" => "not this turn" } house [ "stops" ] because "only the limit of points is stated";
            R15 = "DRG-R15" settles [C6_12] "Do revealed survivors hide again?" { "hide_again" => "yes", "stay_revealed" => "no" } because "only captives are said to stay visible";
            R16 = "DRG-R16" settles [C7_12] "Is a captive freed by a friend who wins as defender in its area?" { "arrival" => "no, only by an arrival", "also_defence" => "yes" } because "the text speaks of entering";
            R17 = "DRG-R17" settles [C7_8] "How far does the alarm rise when several captives are freed at once?" { "per_unit" => "once per freed unit", "per_entry" => "once per arrival", "one_captive" => "once, and only one captive is freed" } because "both editions count each freed unit";
            R18 = "DRG-R18" settles [C7_7] "Does the Arquebusier free captives when its shot removes the last guard?" { "no" => "no", "yes" => "yes" } because "it has left the game and is not in the area";
            R19 = "DRG-R19" settles [C7_10] "Is a hill a possible nearest empty area?" { "include" => "yes", "exclude" => "no" } because "hills are areas and always empty";
            R20 = "DRG-R20" settles [C7_9] "Who picks among equally near areas?" { "rapalline" => "the Rapalline player", "pirates" => "the pirates" } house [ "pirates" ] because "the owner of the unit picks";
            R21 = "DRG-R21" settles [C7_9] "Does the nearest area regard pirates on the way?" { "ignore_units" => "no", "avoid_pirates" => "yes, ways through pirates do not count" } because "it is a flight without points or combat";
            R22 = "DRG-R22" settles [C7_9] "What if no area is empty?" { "" => "the unit stays", "" => "it is captured again" } because "cannot occur while hills count";
            R23 = "DRG-R23" settles [C7_11] "May a freed unit move in the same turn?" { "yes" => "yes, with unspent points", "no" => "no" } house [ "no" ] because "it is free";
            R24 = "DRG-R24" settles [C9_2, C9_4] "Are draws optional?" { "optional" => "those of the Rapalline player are", "mandatory" => "no", "all_optional" => "those of both sides are" } because "by edition: the English one says can, against a must for the pirates; the Italian one states each draw plainly";
            R25 = "DRG-R25" settles [C9_5] "What if a deck is empty?" { "" => "nothing is drawn", "" => "retired cards are shuffled in" } because "nothing provides for it";
            R26 = "DRG-R26" settles [C4_2] "Do cards change the pirate pool?" { "apply" => "yes", "ignore" => "no" } because "both editions let cards change the points of the players; the Italian one also says always 3";
            R27 = "DRG-R27" settles [C3_7] "Where do returned cards go?" { "shuffle" => "to a random position of the deck", "bottom" => "under the deck" } because "a card is only said to rejoin the deck";
            R28 = "DRG-R28" settles [C3_4] "In which order do two cards take effect?" { "pirates_first" => "pirates first", "rapalline_first" => "Rapalline first", "net" => "alarm steps are summed" } because "pirates first, as in the turn";
            R29 = "DRG-R29" settles [C8_4, C8_5] "What of alarm steps beyond the ends?" { "" => "lost, and forbidden as a paid action", "" => "always forbidden", "" => "the track wraps around" } because "lost for effects, forbidden where points would be paid for nothing";
            R30 = "DRG-R30" settles [C8_5] "May the alarm be raised more than once a phase?" { "unlimited" => "as points allow", "once" => "once" } because "no limit is stated";
            R31 = "DRG-R31" settles [C11_5] "When is the end tested?" { "immediate" => "at once", "end_of_turn" => "after the Rapalline phase" } because "play lasts until the condition is met";
            R32 = "DRG-R32" settles [C11_3] "Do captives count as units on the map?" { "yes" => "yes", "no" => "no" } because "they are on the map";
            R33 = "DRG-R33" settles [C11_6] "Does the game end when the target is out of reach?" { "no" => "no, play on", "yes" => "yes, the Rapalline player wins at once" } house [ "yes" ] because "only two endings are named";
            R34 = "DRG-R34" settles [C5_2] "What is a step's price taken from?" { "line" => "the line", "destination" => "the area entered: countryside 2, town 1, the Renegade 1" } because "both editions price the line where they list the costs";
            R35 = "DRG-R35" settles [C5_2] "What does entering a hill cost?" { "" => "1", "" => "2" } because "every Rapalline entry of the cost row is 1; changed through the constants";
            R36 = "DRG-R36" settles [C7_5] "What does adjacent mean for a send?" { "linked" => "linked by a line", "touching" => "touching on the printed map" } because "areas are joined by lines, and no other nearness is known";
            R37 = "DRG-R37" settles [C7_5] "Are units at sea near a captive on the coast?" { "no" => "no", "yes" => "yes" } because "the sea is not an area";
            R38 = "DRG-R38" settles [C6_9] "What has a reduced pirate spent this turn?" { "inherits" => "what it had spent; with no counter left its value is tracked without one", "fresh" => "nothing: its replacement starts fresh" } because "it is the same unit, weaker";
            R39 = "DRG-R39" settles [C6_9, C6_11] "What if the Arquebusier stands in a group?" { "" => "only it leaves and the attack goes on", "" => "the attack stops" } because "duels are one against one and opposing units cannot stay together";
            R40 = "DRG-R40" settles [C4_1, C4_3] "What of the wrong cross-references?" { "" => "misprints, read as intended", "" => "literal" } because "literally the English Rapalline player would get the pirates' points and actions";
            R41 = "DRG-R41" settles [C3_4] "Whose card is Mamma li turchi, and what does it do?" { "" => "the pirates'; it lowers the Rapalline limit", "" => "a Rapalline card" } because "the panic hinders the townspeople; changed through the deck data";
            R42 = "DRG-R42" settles [C5_6, C12_4] "Is a fleeing unit shown?" { "all" => "always", "giulia_only" => "only Giulia; of others the token alone" } because "the target and Bartolomeo depend on it";
            R43 = "DRG-R43" settles [C6_10] "May a player decline both rewards of the Arquebusier?" { "" => "no", "" => "yes" } because "not drawing means raising";
            R44 = "DRG-R44" settles [C10_5] "Does Giulia herself count when sent?" { "" => "yes", "" => "no" } because "any unit in the Serraglio counts";
            R45 = "DRG-R45" settles [C7_5] "May a captive be sent while a free Rapalline unit stands beside it?" { "legal" => "yes", "blocked" => "no" } house [ "blocked" ] because "the text asks only for a pirate in or next to the area";
            R46 = "DRG-R46" settles [C3_5] "May a card be played that can change nothing?" { "" => "yes", "" => "no" } because "playing is a free choice";
            R47 = "DRG-R47" settles [C11_3, C11_4, C11_7] "Who wins when a side has run out?" { "rapalline" => "the Rapalline player unless the target is met", "nobody" => "nobody", "more_saved" => "whoever saved or sent more units" } house [ "more_saved" ] because "the pirates' aim is the target, the others' aim is to prevent it";
            R48 = "DRG-R48" settles [C5_8] "May a unit attack a stronger one?" { "" => "yes", "" => "no" } because "entering is never forbidden by value, and values are hidden";
            R49 = "DRG-R49" settles [C2_2] "Where does the alarm counter start?" { "first_two" => "on the first case of value 2", "first_case" => "on the first case" } house [ "first_case" ] because "both books name the value, and an owner's track need not begin with it";
            R50 = "DRG-R50" settles [C2_4] "Where does the Rapalline player deploy?" { "town" => "in any town area", "borough" => "only inside the gates" } because "the English text says town areas, and the Italian one calls the whole town the borough elsewhere";
            R51 = "DRG-R51" settles [C6_10, C9_4] "How many cards does a shot that removes the pirate earn?" { "both" => "the reward and the draw", "one_card" => "one card at most" } because "the text names two occasions for a card, and each gives its own";
            R52 = "DRG-R52" settles [C11_3, C11_4] "Does the game end when one side has no units left, or only when both have none?" { "either" => "when one side has none", "both" => "only when both have none" } because "with one side gone nothing is left to play for";
            R53 = "DRG-R53" settles [C1_4, C7_9] "When is an area empty for a freed unit?" { "no_unit" => "when no unit is in it", "no_free_unit" => "when no free unit is in it", "no_pirate" => "when no pirate is in it" } house [ "no_pirate" ] because "that is what the word means";
            R54 = "DRG-R54" settles [C7_4] "May a captive be sent in the turn of its capture?" { "at_once" => "yes", "next_turn" => "no, only in a later turn" } because "the text asks only for a captive";
            R55 = "DRG-R55" settles [C6_2] "How many combats does one entry lead to?" { "all" => "one after the other until no free enemy is left", "one" => "one; the survivors of both sides share the area" } because "while an enemy is left the area is not won";
        }
    }
}

rulings! {
    /// The readings in force.
    pub struct Rulings {
        /// Units per area at deployment.
        deployment / "DRG-R1": Deployment { One = "one", Unlimited = "unlimited" },
        /// Hands before or after deployment.
        hands / "DRG-R2": Hands { After = "after", Before = "before" },
        /// How the Soldier in reserve enters.
        reserve_entry / "DRG-R4": ReserveEntry { ByCard = "by_card", Never = "never" },
        /// Where pirates land.
        landing / "DRG-R6": Landing { ByTheSea = "by_the_sea", ThreeNamed = "three_named" },
        /// Which pirates keep the game alive.
        last_pirates / "DRG-R8": LastPirates { SeaCounts = "sea_counts", MapOnly = "map_only" },
        /// Whose points a send uses.
        send_points / "DRG-R9": SendPoints { Player = "player", Unit = "unit" },
        /// When the Rapalline pool is read.
        pool_read / "DRG-R10": PoolRead { PhaseStart = "phase_start", TurnStart = "turn_start", Live = "live" },
        /// Own units in one area.
        sharing / "DRG-R11": Sharing { Free = "free", OnePerArea = "one_per_area" },
        /// Who names the next defender.
        opponent / "DRG-R12": Opponent { Attacker = "attacker", Defender = "defender" },
        /// Equal values.
        equal / "DRG-R13": Equal { Return = "return", DefenderWins = "defender_wins", BothRemoved = "both_removed" },
        /// Moving on after combat.
        after_combat / "DRG-R14": AfterCombat { Allowed = "allowed", Stops = "stops" },
        /// Whether survivors hide again.
        survivors / "DRG-R15": Survivors { HideAgain = "hide_again", StayRevealed = "stay_revealed" },
        /// Whether a winning defender frees captives.
        defence / "DRG-R16": Defence { Arrival = "arrival", AlsoDefence = "also_defence" },
        /// How liberation raises the alarm.
        liberation / "DRG-R17": Liberation { PerUnit = "per_unit", PerEntry = "per_entry", OneCaptive = "one_captive" },
        /// Whether the arriving Arquebusier's shot frees captives.
        shot / "DRG-R18": Shot { No = "no", Yes = "yes" },
        /// Hills as goals of a relocation.
        hills / "DRG-R19": Hills { Include = "include", Exclude = "exclude" },
        /// Who relocates freed units.
        relocator / "DRG-R20": Relocator { Rapalline = "rapalline", Pirates = "pirates" },
        /// How distance is measured.
        distance / "DRG-R21": Distance { IgnoreUnits = "ignore_units", AvoidPirates = "avoid_pirates" },
        /// Whether a freed unit may move in the same turn.
        freed_moves / "DRG-R23": FreedMoves { Yes = "yes", No = "no" },
        /// Which draws are optional.
        draws / "DRG-R24": Draws { Optional = "optional", Mandatory = "mandatory", AllOptional = "all_optional" },
        /// Whether cards change the pirate pool.
        pirate_pool / "DRG-R26": PiratePool { Apply = "apply", Ignore = "ignore" },
        /// Where returned cards go.
        returned / "DRG-R27": Returned { Shuffle = "shuffle", Bottom = "bottom" },
        /// The order of two cards.
        card_order / "DRG-R28": CardOrder { PiratesFirst = "pirates_first", RapallineFirst = "rapalline_first", Net = "net" },
        /// Raise actions per phase.
        raises / "DRG-R30": Raises { Unlimited = "unlimited", Once = "once" },
        /// When the end is tested.
        end_test / "DRG-R31": EndTest { Immediate = "immediate", EndOfTurn = "end_of_turn" },
        /// Whether captives keep the game alive.
        captives_count / "DRG-R32": CaptivesCount { Yes = "yes", No = "no" },
        /// Whether an unreachable target ends the game.
        unreachable / "DRG-R33": Unreachable { No = "no", Yes = "yes" },
        /// What a step's price is taken from.
        cost_basis / "DRG-R34": CostBasis { Line = "line", Destination = "destination" },
        /// What is adjacent for a send.
        nearness / "DRG-R36": Nearness { Linked = "linked", Touching = "touching" },
        /// Whether pirates at sea are near a captive on the coast.
        from_sea / "DRG-R37": FromSea { No = "no", Yes = "yes" },
        /// What a reduced pirate has spent.
        reduced / "DRG-R38": Reduced { Inherits = "inherits", Fresh = "fresh" },
        /// Who is shown when fleeing.
        fleeing / "DRG-R42": Fleeing { All = "all", GiuliaOnly = "giulia_only" },
        /// A send while a free Rapalline unit stands beside the captive.
        beside_friend / "DRG-R45": BesideFriend { Legal = "legal", Blocked = "blocked" },
        /// Who wins when a side has run out.
        run_out / "DRG-R47": RunOut { Rapalline = "rapalline", Nobody = "nobody", MoreSaved = "more_saved" },
        /// Where the alarm counter starts.
        start_case / "DRG-R49": StartCase { FirstTwo = "first_two", FirstCase = "first_case" },
        /// Where the Rapalline player deploys.
        deployed_in / "DRG-R50": DeployedIn { Town = "town", Borough = "borough" },
        /// Cards for a shot that removes the pirate.
        shot_cards / "DRG-R51": ShotCards { Both = "both", OneCard = "one_card" },
        /// Whether one side without units ends the game.
        sides_gone / "DRG-R52": SidesGone { Either = "either", Both = "both" },
        /// When an area is empty for a freed unit.
        empty_of / "DRG-R53": EmptyOf { Units = "no_unit", FreeUnits = "no_free_unit", Pirates = "no_pirate" },
        /// A send in the turn of the capture.
        soonest_send / "DRG-R54": SoonestSend { AtOnce = "at_once", NextTurn = "next_turn" },
        /// Combats of one entry.
        combats / "DRG-R55": Combats { All = "all", One = "one" },
    }
    version 1 { start_case: StartCase::FirstCase }
}

#[cfg(feature = "schema")]
umpire_core::rulings_schema!(Rulings);
