//! Every clause and ruling of Drako, one line each, and the readings that a record can choose.
//!
//! Gists are our own words; sections are those of the 2016 English rulebook. This table must not
//! decide anything: the chapters do, and cite it.

umpire_core::rulebook! {
    /// Clauses `DRK-n.m` and rulings `DRK-R…`.
    pub enum Rule {
        clauses {
            C1_1 = "DRK-1.1" ["" => "§Goal"] "Two sides, dragon and dwarves, one player each.";
            C1_2 = "DRK-1.2" ["" => "§Preparation"] "A living figure stands on one of the 19 hexes; there is no other hex.";
            C1_3 = "DRK-1.3" ["" => "§Dwarf cards, §Dragon cards"] "Neighbours are one step apart; a ray repeats one direction to the board's edge; in line means on a ray.";
            C1_4 = "DRK-1.4" ["" => "§Attack"] "A figure lives while one of its wound spaces is free; a dead one has no hex.";
            C1_5 = "DRK-1.5" ["" => "§Dragon cards"] "A hex holds at most one figure.";
            C1_6 = "DRK-1.6" [] "Cards of a kind are interchangeable; actions name the kind.";
            C1_7 = "DRK-1.7" ["" => "§Playing"] "A card is in its owner's deck, hand or discards; discards never come back.";
            C2_1 = "DRK-2.1" ["" => "§Preparation"] "Each side's 38 cards form its deck, in an order nobody knows.";
            C2_2 = "DRK-2.2" ["" => "§Preparation"] "Each side takes four cards as hand, the dragon first.";
            C2_3 = "DRK-2.3" ["" => "§Preparation"] "The dragon starts in the centre; no wounds, fury unused, the net with the dwarves.";
            C2_4 = "DRK-2.4" ["" => "§Preparation"] "With fixed placement the dwarves stand on their start hexes.";
            C2_5 = "DRK-2.5" ["" => "§Preparation"] "With free placement the dwarves choose three different hexes away from the dragon.";
            C2_6 = "DRK-2.6" ["" => "§Preparation"] "With the mulligan each side may once exchange its whole hand, the dragon first.";
            C2_7 = "DRK-2.7" ["" => "§Sequence"] "After that turn 1 starts.";
            C3_1 = "DRK-3.1" ["" => "§Sequence"] "Turns alternate: odd ones are the dragon's, even ones the dwarves'.";
            C3_2 = "DRK-3.2" ["" => "§Sequence"] "Turn 1 has one action, every later one two; Fury adds one.";
            C3_3 = "DRK-3.3" ["" => "§Sequence"] "An action is a draw or the play of one card.";
            C3_4 = "DRK-3.4" ["" => "§Sequence, §Dwarf mat"] "All actions of a turn must be used; nobody may pass, but where a reading allows it.";
            C3_5 = "DRK-3.5" ["" => "§Sequence"] "A dragon side without any card in hand and deck loses its remaining actions.";
            C3_6 = "DRK-3.6" ["" => "§Sequence"] "With no action left the turn ends and the other side's turn starts.";
            C3_7 = "DRK-3.7" [] "An action is well formed, fits the pending decision, and comes from the side that decides.";
            C3_8 = "DRK-3.8" ["" => "§Attack, §Drawing, §Dwarf mat"] "Defence, dividing wounds, discarding to the limit and declaring Fury use no action.";
            C3_9 = "DRK-3.9" [] "A rejected action changes nothing; the first of several faults is reported.";
            C4_1 = "DRK-4.1" ["" => "§Drawing"] "A draw takes two cards from one's own deck.";
            C4_2 = "DRK-4.2" ["" => "§Drawing"] "Whoever then holds more than six discards the excess at once.";
            C4_3 = "DRK-4.3" ["" => "§Drawing, §Playing"] "Drawing needs a card in the deck; nothing is ever shuffled back.";
            C4_4 = "DRK-4.4" ["" => "§Drawing"] "A full hand does not forbid drawing.";
            C5_1 = "DRK-5.1" ["" => "§Playing"] "A play names a card from one's hand and one option printed on it.";
            C5_2 = "DRK-5.2" ["" => "§Playing"] "The card is discarded as it is played; its effect uses the printed value.";
            C5_3 = "DRK-5.3" ["" => "§Dwarf cards, §Dragon cards"] "An option can be chosen only while its conditions hold.";
            C5_4 = "DRK-5.4" [] "A card is played for nothing only when the deck is empty and nothing else can be done.";
            C5_5 = "DRK-5.5" ["" => "§Attack, §Dwarf cards, §Dragon cards"] "The defence symbol answers an attack and is never an action.";
            C6_1 = "DRK-6.1" ["" => "§Move"] "A move of value n goes up to n steps between neighbouring hexes.";
            C6_2 = "DRK-6.2" ["" => "§Move"] "Fewer steps, or none, are allowed; the card is spent all the same.";
            C6_3 = "DRK-6.3" [] "Every hex entered is free; the destination is within n such steps.";
            C6_4 = "DRK-6.4" ["" => "§Dwarf cards"] "A one-dwarf move moves at most one living dwarf.";
            C6_5 = "DRK-6.5" ["" => "§Dwarf cards"] "A two-dwarf move moves at most two different living dwarves, in the order listed.";
            C6_6 = "DRK-6.6" ["" => "§Dragon cards, §Dragon mat, §Dwarf cards"] "The dragon moves with its movement ability and without the net on it.";
            C6_7 = "DRK-6.7" ["" => "§Dragon cards, §Dragon mat"] "Flight needs the flight ability and no net, and goes to any free hex.";
            C7_1 = "DRK-7.1" ["" => "§Dwarf cards, §Dragon cards"] "A close attack needs attacker and target on neighbouring hexes.";
            C7_2 = "DRK-7.2" ["" => "§Dwarf cards"] "A one-dwarf attack is made by exactly one living dwarf.";
            C7_3 = "DRK-7.3" ["" => "§Dwarf cards"] "A two-dwarf attack is made by one or two living dwarves at the same time, each with the full value.";
            C7_4 = "DRK-7.4" ["" => "§Dwarf cards"] "The crossbow is shot by the living archer in line with the dragon, past no dwarf.";
            C7_5 = "DRK-7.5" ["" => "§Dragon cards"] "The dragon's close attack hits exactly one living dwarf.";
            C7_6 = "DRK-7.6" ["" => "§Dragon cards, §Dwarf cards"] "Fire needs the fire ability and attacks every living dwarf on one ray.";
            C7_7 = "DRK-7.7" ["" => "§Attack"] "The other side answers all strands of an attack in one decision.";
            C7_8 = "DRK-7.8" ["" => "§Attack, §Dwarf cards, §Dragon cards"] "Each block spends another defence card on another strand and stops it.";
            C7_9 = "DRK-7.9" ["" => "§Attack, §Dwarf cards"] "Blocked strands vanish; all others wound at the same time.";
            C7_10 = "DRK-7.10" ["" => "§Dwarf cards"] "Throwing the net is no attack.";
            C8_1 = "DRK-8.1" ["" => "§Attack"] "A dwarf hit by value v takes v wounds.";
            C8_2 = "DRK-8.2" [] "Damage beyond the last free space is lost.";
            C8_3 = "DRK-8.3" ["" => "§Attack, §Dragon mat"] "The dragon's damage adds up and fills the armour first.";
            C8_4 = "DRK-8.4" ["" => "§Attack, §Dragon mat"] "The dwarves divide the rest among flight, movement and fire.";
            C8_5 = "DRK-8.5" ["" => "§Attack, §Dragon mat"] "An ability with all spaces filled is lost.";
            C8_6 = "DRK-8.6" ["" => "§Attack, §Dwarf mat"] "A dwarf with all spaces filled dies and leaves the board.";
            C8_7 = "DRK-8.7" ["" => "§Dragon mat"] "The dragon dies when all its spaces are filled.";
            C8_8 = "DRK-8.8" [] "Wounds are never removed.";
            C9_1 = "DRK-9.1" ["" => "§Dwarf cards"] "The net needs its thrower alive and the marker with the dwarves.";
            C9_2 = "DRK-9.2" ["" => "§Dwarf cards"] "A netted dragon neither moves nor flies.";
            C9_3 = "DRK-9.3" ["" => "§Dwarf cards"] "Leaving the net takes both actions of a turn.";
            C9_4 = "DRK-9.4" ["" => "§Dwarf cards"] "The marker then returns to the dwarves.";
            C9_5 = "DRK-9.5" [] "Nothing else removes the net.";
            C10_1 = "DRK-10.1" ["" => "§Dwarf mat"] "Fury is declared in an own turn while an action is left and its dwarf lives.";
            C10_2 = "DRK-10.2" ["" => "§Dwarf mat"] "Its dwarf takes one wound at once, which nothing stops and which may kill him.";
            C10_3 = "DRK-10.3" ["" => "§Dwarf mat"] "The turn then has three actions, by any dwarves.";
            C10_4 = "DRK-10.4" ["" => "§Dwarf mat"] "Once per game.";
            C11_1 = "DRK-11.1" ["" => "§Game end"] "The dragon is dead: the dwarves win.";
            C11_2 = "DRK-11.2" ["" => "§Game end"] "All dwarves are dead: the dragon wins.";
            C11_3 = "DRK-11.3" ["" => "§Game end, §Goal"] "The dwarves have no card left: the dragon wins.";
            C11_4 = "DRK-11.4" [] "Deaths are tested after all simultaneous wounds, cards when an action is settled.";
            C11_5 = "DRK-11.5" [] "The tests run in the order 11.1, 11.2, 11.3.";
            C11_6 = "DRK-11.6" [] "The end is immediate; no further action is accepted.";
            C11_7 = "DRK-11.7" ["" => "§Sequence"] "The dragon running out of cards ends nothing.";
            C11_8 = "DRK-11.8" ["" => "§Goal"] "Where a side that can use no card passes (DRK-R4) and the other can do nothing either, the dragon wins.";
            C12_1 = "DRK-12.1" ["" => "§Preparation"] "Hands and deck order are secret; all else is public.";
            C12_2 = "DRK-12.2" [] "A view shows nothing hidden from its viewer, nor options that would.";
            C13_1 = "DRK-13.1" ["" => "§Preparation"] "Only the order of the decks is random.";
            C13_2 = "DRK-13.2" [] "A recorded draw or order fits its side, its deck and the moment.";
        }
        rulings {
            R1 = "DRK-R1" settles [C11_3] "When are the dwarves out of time?"
                { "last_card" => "When the last card has left deck and hand.", "deck_empty" => "As soon as the draw deck is empty, whatever the hand." }
                because "The list of game ends is the operative text and speaks of the last card.";
            R2 = "DRK-R2" settles [C11_3, C11_4, C11_5] "Does the last card still work, and may it be a defence?"
                { "resolves" => "It resolves first; any use counts as the last card.", "before_effect" => "The game ends before its effect.", "own_turn" => "The end is looked for in the dwarves' turns only." }
                house [ "own_turn" ]
                because "The rulebook looks at the dragon after that card.";
            R3 = "DRK-R3" settles [C5_4, C5_5] "May a card be played for nothing?"
                { "forced_only" => "Only when nothing else can be done.", "free" => "Always, as an own action." }
                because "A played card uses one of its options; only movement may do nothing.";
            R4 = "DRK-R4" settles [C3_4, C5_4, C11_8] "Deck empty, cards in hand, none usable: waste one or pass?"
                { "waste" => "A card is wasted.", "dragon_pass" => "The dragon passes and keeps its cards; the dwarves waste one.", "pass" => "Both sides pass and keep their cards." }
                because "Passing is kept for a dragon without cards; wasting also makes every game end.";
            R5 = "DRK-R5" settles [C6_3] "May figures pass through figures?"
                { "none" => "Never.", "friends" => "Dwarves pass over dwarves.", "all" => "Every figure that walks passes over every other." }
                because "The later edition says so.";
            R6 = "DRK-R6" settles [C7_6] "May fire be breathed along an empty ray?"
                { "allow" => "Yes.", "forbid" => "Only with a living dwarf on the ray." }
                because "The symbol asks only for a direction.";
            R7 = "DRK-R7" settles [C7_6] "How far does fire reach, and do dwarves shield each other?"
                { "edge" => "To the board's edge, without shield.", "first_dwarf" => "To the first dwarf." }
                house [ "first_dwarf" ]
                because "All dwarves in the line are attacked; the printed example hits two.";
            R8 = "DRK-R8" settles [C9_1] "May the net be thrown at a netted dragon?"
                { "forbid" => "No.", "no_effect" => "Yes, the card is spent without effect." }
                because "The only marker is in use.";
            R9 = "DRK-R9" settles [C9_5] "The net's thrower dies while the dragon is netted: does the net stay?"
                { "stays" => "It stays.", "released" => "The dragon is free at once." }
                because "Only the two-action escape is described; the thrower must live only to throw.";
            R10 = "DRK-R10" settles [C9_3] "Must leaving the net take the whole turn?"
                { "whole_turn" => "Yes.", "any_time" => "No, with any action left; the turn then ends." }
                house [ "any_time" ]
                because "Two actions in one turn and nothing else.";
            R11 = "DRK-R11" settles [C10_1] "When is Fury declared?"
                { "any" => "At any time before the last action.", "turn_start" => "Before the first action of the turn.", "late" => "At any time in the turn, after the last action as well." }
                because "The current turn is declared; no moment is named.";
            R12 = "DRK-R12" settles [C10_2] "May Fury be declared with one free space?"
                { "allow" => "Yes, he dies of it.", "forbid" => "No." }
                because "No condition is given.";
            R13 = "DRK-R13" settles [C3_4, C10_3] "Is the third action compulsory?"
                { "optional" => "No, the dwarves may pass it.", "compulsory" => "Yes." }
                because "Two actions are the duty of a turn; of three it is said that the dwarves can take them.";
            R14 = "DRK-R14" settles [C4_2] "When is the hand limit applied?"
                { "after_draw" => "After each draw.", "turn_end" => "At the end of the turn." }
                house [ "turn_end" ]
                because "The limit stands in the rule on drawing.";
            R15 = "DRK-R15" settles [C4_3] "May one draw from a deck of none or one?"
                { "" => "None: no. One: one card is drawn." }
                because "An empty draw would be a hidden pass.";
            R16 = "DRK-R16" settles [C2_6] "Is the hand exchanged before or after placement?"
                { "before_placement" => "Before.", "after_placement" => "After." }
                because "Placement is made with the hand one starts with.";
            R17 = "DRK-R17" settles [C12_1] "Are cards discarded to the limit shown?"
                { "public" => "Yes.", "hidden" => "No, only their number." }
                because "Cards out of the game lie open; nothing orders secrecy.";
            R18 = "DRK-R18" settles [C7_4] "May the crossbow be shot at the neighbouring dragon?"
                { "allow" => "Yes.", "forbid" => "No, only from two steps on." }
                because "Neighbouring hexes are in line; no minimum is named.";
            R19 = "DRK-R19" settles [C6_7] "May the dragon fly to its own hex?"
                { "allow" => "Yes.", "forbid" => "No." }
                because "Cards played to move may move nothing.";
            R20 = "DRK-R20" settles [C9_2, C6_6, C6_7, C8_5] "May a netted or crippled dragon move zero steps?"
                { "forbid" => "No.", "netted" => "In the net, but not without the ability.", "always" => "In the net and without the ability." }
                house [ "always" ]
                because "The symbol works only if the dragon can walk or fly.";
            R21 = "DRK-R21" settles [C8_2] "Where does surplus damage go?"
                { "" => "It is lost." }
                because "Markers go to the target's own spaces.";
            R22 = "DRK-R22" settles [C3_5, C9_3] "A netted dragon without cards: escape or pass?"
                { "pass" => "It passes, and the net stays.", "may_escape" => "It leaves the net or passes, as it likes.", "frees" => "It passes, and a whole turn passed frees it." }
                because "No later effect is possible.";
            R23 = "DRK-R23" settles [C7_7] "Is a reaction asked for when no defence card is held?"
                { "" => "Yes." }
                because "Skipping it would reveal the hand.";
            R24 = "DRK-R24" settles [C8_3, C8_4] "Two hits at once: one division or two?"
                { "together" => "One common division.", "in_turn" => "One after the other." }
                because "They happen at the same time.";
            R25 = "DRK-R25" settles [C6_3, C6_5] "Do two dwarves moved by one card move in turn?"
                { "in_turn" => "One after the other.", "at_once" => "Both leave before either arrives, so they may change places." }
                because "Nothing says that they move at the same time.";
            R26 = "DRK-R26" settles [C8_6] "Are wound markers limited, do those of the dead return?"
                { "" => "No limit; they stay." }
                because "Every space can be filled with the markers of the box.";
            R27 = "DRK-R27" settles [C2_6] "Who exchanges the hand first?"
                { "dragon_first" => "The dragon.", "dwarves_first" => "The dwarves.", "" => "Both, secretly at once." }
                because "It is the order of play.";
            R28 = "DRK-R28" settles [C12_1] "Are the sizes of hands and decks public?"
                { "" => "Yes." }
                because "They lie on the table; only their contents are called secret.";
            R29 = "DRK-R29" settles [C10_4] "When does the fury marker go?"
                { "" => "At the declaration." }
                because "It cannot be used again either way.";
            R30 = "DRK-R30" settles [C5_3, C7_1, C7_2, C7_3, C7_4, C9_1] "May an attack, a shot or a net that cannot work be played without effect?"
                { "forbid" => "No.", "no_effect" => "Yes, if no dwarf makes it work; the card is spent." }
                because "The symbols require the neighbour, the line, the living dwarf.";
            R31 = "DRK-R31" settles [C3_4, C5_4] "A netted dragon with an empty deck and no usable card: must it leave the net?"
                { "escape" => "Yes, rather than waste a card or pass.", "choice" => "No, it may also waste a card or pass." }
                because "An action that can be used is not given up, and leaving the net uses both.";
            R32 = "DRK-R32" settles [C7_7, C7_8] "Are several strands answered all at once?"
                { "at_once" => "Yes, in one decision.", "one_by_one" => "No, strand by strand." }
                because "The defender of the printed example sees both attacks and chooses.";
            R33 = "DRK-R33" settles [C8_4] "May the wounds of one hit go to several abilities?"
                { "split" => "Yes, marker by marker.", "one_ability" => "No, a hit goes to one ability as far as it has room." }
                because "The dwarves decide where markers go, on spaces of various abilities.";
        }
    }
}

umpire_core::rulings! {
    /// The readings of the selectable rulings.
    pub struct Rulings {
        /// DRK-R1: when the dwarves are out of time.
        out_of_time / "DRK-R1": OutOfTime { LastCard = "last_card", DeckEmpty = "deck_empty" },
        /// DRK-R2: whether the dwarves' last card still works.
        last_card / "DRK-R2": LastCard { Resolves = "resolves", BeforeEffect = "before_effect", OwnTurn = "own_turn" },
        /// DRK-R3: whether a card may be played for nothing.
        idle_play / "DRK-R3": IdlePlay { ForcedOnly = "forced_only", Free = "free" },
        /// DRK-R4: what a side does that can neither draw nor use a card.
        stuck_side / "DRK-R4": StuckSide { Waste = "waste", DragonPass = "dragon_pass", Pass = "pass" },
        /// DRK-R5: whether figures pass over figures.
        pass_through / "DRK-R5": PassThrough { None = "none", Friends = "friends", All = "all" },
        /// DRK-R6: whether fire may be breathed along an empty ray.
        empty_fire / "DRK-R6": EmptyFire { Allow = "allow", Forbid = "forbid" },
        /// DRK-R7: how far fire reaches.
        fire_reach / "DRK-R7": FireReach { Edge = "edge", FirstDwarf = "first_dwarf" },
        /// DRK-R8: whether a net card may be played while the net lies on the dragon.
        second_net / "DRK-R8": SecondNet { Forbid = "forbid", NoEffect = "no_effect" },
        /// DRK-R9: whether the net outlives its thrower.
        net_of_the_dead / "DRK-R9": NetOfTheDead { Stays = "stays", Released = "released" },
        /// DRK-R10: whether leaving the net takes the whole turn.
        escape_moment / "DRK-R10": EscapeMoment { WholeTurn = "whole_turn", AnyTime = "any_time" },
        /// DRK-R11: when Fury is declared.
        fury_moment / "DRK-R11": FuryMoment { Any = "any", TurnStart = "turn_start", Late = "late" },
        /// DRK-R12: whether Fury may kill.
        lethal_fury / "DRK-R12": LethalFury { Allow = "allow", Forbid = "forbid" },
        /// DRK-R13: whether the third action of a Fury turn must be used.
        third_action / "DRK-R13": ThirdAction { Optional = "optional", Compulsory = "compulsory" },
        /// DRK-R14: when the hand limit is applied.
        hand_limit / "DRK-R14": HandLimit { AfterDraw = "after_draw", TurnEnd = "turn_end" },
        /// DRK-R16: whether hands are exchanged before placement.
        exchange_order / "DRK-R16": ExchangeOrder { BeforePlacement = "before_placement", AfterPlacement = "after_placement" },
        /// DRK-R17: whether cards discarded to the limit are shown.
        limit_discards / "DRK-R17": LimitDiscards { Public = "public", Hidden = "hidden" },
        /// DRK-R18: whether the crossbow may be shot at the neighbouring dragon.
        near_shot / "DRK-R18": NearShot { Allow = "allow", Forbid = "forbid" },
        /// DRK-R19: whether the dragon may fly to its own hex.
        flight_in_place / "DRK-R19": FlightInPlace { Allow = "allow", Forbid = "forbid" },
        /// DRK-R20: whether a dragon that cannot leave its hex may move zero steps.
        standing_still / "DRK-R20": StandingStill { Forbid = "forbid", Netted = "netted", Always = "always" },
        /// DRK-R22: what a netted dragon without cards does.
        netted_and_out / "DRK-R22": NettedAndOut { Pass = "pass", MayEscape = "may_escape", Frees = "frees" },
        /// DRK-R24: whether two hits on the dragon are divided together.
        two_hits / "DRK-R24": TwoHits { Together = "together", InTurn = "in_turn" },
        /// DRK-R25: whether two dwarves moved by one card move in turn.
        two_moves / "DRK-R25": TwoMoves { InTurn = "in_turn", AtOnce = "at_once" },
        /// DRK-R27: who exchanges the hand first.
        first_exchange / "DRK-R27": FirstExchange { DragonFirst = "dragon_first", DwarvesFirst = "dwarves_first" },
        /// DRK-R30: whether an option that cannot work may be played without effect.
        blank_play / "DRK-R30": BlankPlay { Forbid = "forbid", NoEffect = "no_effect" },
        /// DRK-R31: whether a dragon that can use no card has to leave the net.
        last_resort / "DRK-R31": LastResort { Escape = "escape", Choice = "choice" },
        /// DRK-R32: whether several strands are answered in one decision.
        defences / "DRK-R32": Defences { AtOnce = "at_once", OneByOne = "one_by_one" },
        /// DRK-R33: whether the wounds of one hit may go to several abilities.
        hit_division / "DRK-R33": HitDivision { Split = "split", OneAbility = "one_ability" },
    }
    version 1 { third_action: ThirdAction::Compulsory }
}

#[cfg(feature = "schema")]
umpire_core::rulings_schema!(Rulings);
