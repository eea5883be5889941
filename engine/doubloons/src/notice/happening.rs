//! What happens before the eyes of all, as it goes over the wire.
//!
//! Must not hold anything that is hidden from anybody.

use serde::{Deserialize, Serialize};

use super::details::{Cause, Effect, Failure, RouteLine};
use crate::action::{DealItem, Keyed, Player, StackOwner, Target, unset};
use crate::setup::GoodLists;
use crate::state::{Ending, Stage};
use crate::tables::{FavorUse, Kind, Mission, RoundEvent};
use umpire_core::board::hex::Hex;
use umpire_core::wire::present;

/// A fact that everybody learns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Fact))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Happening {
    /// The goods are thrown, and the game can begin.
    SetupDone {
        /// The lists of every city.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, GoodLists>))]
        goods: Keyed<u8, GoodLists>,
    },
    /// The event of a round.
    EventRolled {
        /// The throw.
        die: u32,
        /// What it means.
        event: RoundEvent,
    },
    /// The goods of a city are thrown late (DBD-R6).
    GoodsThrown {
        /// Which.
        city: u8,
        /// Its lists.
        goods: GoodLists,
    },
    /// A lasting effect begins.
    EffectStarted {
        /// What.
        effect: Effect,
        /// The last round; left out where it lasts for good.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        until: Option<u32>,
        /// Whose main turn of that round is the end; left out where the round is (DBD-R4).
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        main_turn_of: Option<Player>,
    },
    /// The city of a revolution is drawn; a neutral one stays as it is.
    Revolution {
        /// Which.
        city: u8,
    },
    /// A unit in the city of a plague lives on.
    PlagueSurvived {
        /// Its number.
        unit: u32,
        /// Its type.
        unit_type: Kind,
        /// Its throw.
        die: u32,
    },
    /// A lasting effect ends.
    EffectEnded {
        /// What.
        effect: Effect,
    },
    /// A unit comes into play.
    UnitCreated {
        /// Its number.
        unit: u32,
        /// Its type.
        unit_type: Kind,
        /// Its owner; neutral where left out.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        owner: Option<Player>,
        /// Where.
        at: Hex,
        /// What was paid.
        #[serde(default, skip_serializing_if = "unset")]
        price: u32,
        /// By the favour.
        #[serde(default, skip_serializing_if = "unset")]
        extra: bool,
    },
    /// A unit is destroyed.
    UnitDestroyed {
        /// Its number.
        unit: u32,
        /// Its type.
        unit_type: Kind,
        /// Why.
        cause: Cause,
        /// The die that decided it.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        die: Option<u32>,
    },
    /// A leader is captured, or a merchant overtaken.
    UnitCaptured {
        /// Its number.
        unit: u32,
        /// Its type.
        unit_type: Kind,
        /// By whom.
        by: Player,
    },
    /// A unit changes owner.
    UnitChangedOwner {
        /// Its number.
        unit: u32,
        /// The new owner; neutral where left out.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        owner: Option<Player>,
    },
    /// The bids are open, and paid.
    BidsRevealed {
        /// The bids.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, u32>))]
        bids: Keyed<Player, u32>,
        /// The die of the player who had a bonus.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        bonus: Option<u32>,
        /// Those who stay out of the trading session.
        away: Vec<Player>,
    },
    /// A player wins the favour.
    FavorWon {
        /// Who.
        player: Player,
        /// His total.
        total: u64,
    },
    /// The favour is used.
    FavorUsed {
        /// By whom.
        player: Player,
        /// What for.
        r#use: FavorUse,
        /// The die that is added to the next bid (DBD-R20).
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        die: Option<u32>,
    },
    /// The favour lapses unused.
    FavorLapsed {
        /// Who held it.
        player: Player,
    },
    /// A deal is offered.
    DealProposed {
        /// Its number.
        deal: u32,
        /// By whom.
        by: Player,
        /// What would change hands.
        items: Vec<DealItem>,
    },
    /// A party agrees to a deal.
    DealAccepted {
        /// Its number.
        deal: u32,
        /// Who.
        by: Player,
    },
    /// A deal is carried out.
    DealDone {
        /// Its number.
        deal: u32,
        /// What changes hands.
        items: Vec<DealItem>,
    },
    /// A deal is off.
    DealDead {
        /// Its number.
        deal: u32,
    },
    /// A treaty ends.
    TreatyEnded {
        /// The partners.
        between: [Player; 2],
    },
    /// A player leaves the trading session.
    SessionLeft {
        /// Who.
        player: Player,
    },
    /// A throw for the turn order.
    OrderThrown {
        /// Who threw what.
        dice: Vec<(Player, u32)>,
    },
    /// The order of the main turns.
    TurnOrder {
        /// First to last.
        order: Vec<Player>,
    },
    /// A main turn begins.
    MainTurnStarted {
        /// Whose.
        player: Player,
    },
    /// A phase begins.
    PhaseStarted {
        /// Which.
        phase: Stage,
    },
    /// Upkeep is paid.
    UpkeepPaid {
        /// By whom.
        player: Player,
        /// What was due.
        due: u32,
        /// What was paid.
        paid: u32,
        /// Units that must go.
        owed: u32,
    },
    /// Units go because upkeep was not paid.
    UnitsDisbanded {
        /// Whose.
        player: Player,
        /// Which.
        units: Vec<u32>,
    },
    /// Taxes come in.
    Taxes {
        /// To whom.
        player: Player,
        /// How much.
        gold: u32,
    },
    /// Routes pay.
    TradeRevenue {
        /// To whom.
        player: Player,
        /// How much.
        gold: u32,
    },
    /// Spies are paid and thrown for.
    SpyDice {
        /// By whom.
        player: Player,
        /// The dice.
        dice: Vec<u32>,
        /// How many came off.
        successes: u32,
    },
    /// What a success allows.
    MissionResult {
        /// To whom.
        player: Player,
        /// The throw.
        die: u32,
        /// What it means.
        mission: Mission,
    },
    /// A success is aimed.
    MissionAimed {
        /// By whom.
        player: Player,
        /// What.
        mission: Mission,
        /// At what.
        target: Target,
    },
    /// An agent looks for spies.
    AgentThrew {
        /// Which.
        agent: u32,
        /// The throw.
        die: u32,
    },
    /// A success comes to nothing.
    MissionFailed {
        /// Whose.
        player: Player,
        /// Why.
        why: Failure,
    },
    /// A mission goes through.
    MissionDone {
        /// Whose.
        player: Player,
        /// What.
        mission: Mission,
        /// At what.
        target: Target,
        /// Gold gained.
        gained: u32,
        /// Gold paid.
        paid: u32,
    },
    /// Units move.
    Moved {
        /// Whose.
        player: Player,
        /// Which.
        units: Vec<u32>,
        /// The hexes entered.
        path: Vec<Hex>,
    },
    /// Units go aboard.
    Embarked {
        /// Whose.
        player: Player,
        /// The galleon.
        ship: u32,
        /// Which.
        units: Vec<u32>,
    },
    /// Units land.
    Disembarked {
        /// Whose.
        player: Player,
        /// The galleon.
        ship: u32,
        /// Which.
        units: Vec<u32>,
        /// Where.
        to: Hex,
    },
    /// An attack is declared.
    AttackDeclared {
        /// By whom.
        player: Player,
        /// On what.
        target: Hex,
        /// Who takes part.
        units: Vec<u32>,
        /// Whose units alone defend (DBD-R61).
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        owner: Option<StackOwner>,
        /// Who is only aimed at beside them.
        #[serde(default, skip_serializing_if = "unset")]
        bystanders: Vec<u32>,
    },
    /// A step of a battle begins.
    BattleStep {
        /// Which; 0 where targets are declared for all of them (DBD-R62).
        step: u8,
    },
    /// Targets of a step.
    TargetsDeclared {
        /// Whether it is the attacker's side.
        attacking: bool,
        /// Who declared; by rule where left out.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        by: Option<Player>,
        /// Pairs of a unit and its target.
        targets: Vec<(u32, u32)>,
    },
    /// A die of a battle.
    BattleDie {
        /// Who throws.
        unit: u32,
        /// At whom.
        target: u32,
        /// The throw.
        die: u32,
        /// What is added.
        modifier: i8,
        /// Whether the target is destroyed.
        hit: bool,
    },
    /// A battle is over.
    BattleEnded {
        /// Where.
        at: Hex,
        /// Who took part in the attack and is left.
        left: Vec<u32>,
    },
    /// Victors enter.
    Advanced {
        /// Whose.
        player: Player,
        /// Which.
        units: Vec<u32>,
        /// Where.
        to: Hex,
    },
    /// A trade route opens.
    RouteOpened {
        /// The route.
        route: RouteLine,
        /// The merchant who opened it.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        merchant: Option<u32>,
    },
    /// A trade route ends.
    RouteEnded {
        /// The route.
        route: RouteLine,
    },
    /// A negotiation.
    DiplomacyRolled {
        /// Who.
        player: Player,
        /// For which city.
        city: u8,
        /// The throw; none by the favour.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        die: Option<u32>,
        /// Whether it succeeds.
        success: bool,
    },
    /// Control of a city changes.
    CityControl {
        /// Which.
        city: u8,
        /// From whom.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        from: Option<Player>,
        /// To whom.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        to: Option<Player>,
    },
    /// A player agrees to stop.
    AgreedToEnd {
        /// Who.
        player: Player,
    },
    /// A round ends.
    RoundEnded {
        /// Which.
        round: u32,
    },
    /// A player is out of the game.
    PlayerOut {
        /// Who.
        player: Player,
        /// Of his own will.
        resigned: bool,
    },
    /// The game is over.
    GameEnded {
        /// Who won.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        winner: Option<Player>,
        /// Why.
        reason: Ending,
    },
}
