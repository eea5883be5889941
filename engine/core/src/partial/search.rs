//! Follows a record through every way in which its unknowns may have been, action by action: a set of worlds, each of
//! which accepts all actions so far.
//!
//! As long as nothing is left out the set is all there is: then what no world accepts is impossible, and what every world
//! accepts is legal whatever it was. Where there are too many worlds the likeliest are kept; then only a proof of the
//! game's own ([`Paper::assume_unseen`](crate::game::Paper::assume_unseen)) shows that something is impossible. Must not know a game, and must not call anything
//! possible that a plain replay does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::case::{Case, Sent};
use super::exchange::exchanged;
use super::guess::{self, Guess};
use super::hole::{each, fits, has_unknown};
use super::scripts::Scripts;
use super::world::{Done, Step, World};
use crate::budget::Budget;
use crate::chance::Halt;
use crate::chance::seeded::Seeded;
use crate::digest::fingerprint;
use crate::game::{
    ActionRange, Draft, FullGame, Game, Listing, Observer, PlayerAction, Seat, Stop, Table,
};
use crate::record;
use crate::replay::evidence::LOOK;
use crate::replay::{End, malformed_at};
use crate::rules::Refusal;

/// The most actions that are put back before one of the record.
const PUT_BACK: usize = 64;

/// How many actions are put back, attempt by attempt, where the record can go on without them.
const LEFT_OUT: [usize; 4] = [1, 8, PUT_BACK, 0];

/// The attempt in which nothing is put back where the record can go on without it.
pub(super) const STRICT: u32 = 3;

/// How many worlds are made anew with other cards for an action of the record, attempt by attempt.
const EXCHANGED: [usize; 3] = [32, 128, 512];

/// The most legal actions of a seat that are looked at for those that fit what is written.
const LISTED: usize = 20_000;

/// The most ways to fill an action of a range in.
const FILLED: usize = 96;

/// The most ways in which chance may fall for one action that are all tried.
const FALLS: usize = 4096;

/// Worlds that accept what was tried, and those that do not.
type Layer<G> = (Vec<World<G>>, Vec<Death<G>>);

/// A step that is carried out with chance as it is given.
type Carried<'s, G> =
    dyn Fn(&World<G>, &mut Guess<'_>) -> Result<Table<G>, Stop<<G as Game>::Rule>> + 's;

/// Why a world goes no further.
pub(super) enum Dead<R> {
    /// The rules or chance ended it.
    End(End<R>),
    /// No legal action is what is written.
    NothingFits,
    /// A checkpoint or a claim is not so.
    NotSo(String),
}

/// A world that goes no further.
pub(super) struct Death<G: FullGame> {
    pub(super) world: World<G>,
    pub(super) why: Dead<G::Rule>,
}

impl<G: FullGame> Death<G> {
    /// Why it is refused, if the reason lies in the action itself.
    fn own_reason(&self) -> Option<(G::Rule, &str, &str)> {
        match &self.why {
            Dead::End(End::Refused(refusal)) if !G::CLAUSES.is_misplaced(refusal) => {
                Some((refusal.rule, refusal.code, &refusal.message))
            }
            _ => None,
        }
    }
}

/// The refusals of one action for what it is, once the decision that it belongs to is due.
struct OwnRefusals<G: FullGame> {
    /// Those behind the fewest actions that were put back.
    first: Vec<Death<G>>,
    put: usize,
    /// How many there are, and whether all of them give the same reason.
    count: usize,
    unanimous: bool,
}

impl<G: FullGame> Default for OwnRefusals<G> {
    fn default() -> Self {
        OwnRefusals { first: Vec::new(), put: 0, count: 0, unanimous: true }
    }
}

impl<G: FullGame> OwnRefusals<G> {
    fn collect(&mut self, deaths: &[Death<G>], put: usize) {
        for death in deaths {
            let Some(reason) = death.own_reason() else { continue };
            self.count += 1;
            match self.first.first() {
                Some(first) => self.unanimous &= first.own_reason() == Some(reason),
                None => self.put = put,
            }
            if self.put == put
                && let Dead::End(End::Refused(refusal)) = &death.why
            {
                let (world, why) = (death.world.clone(), End::Refused(refusal.clone()));
                self.first.push(Death { world, why: Dead::End(why) });
            }
        }
    }

    /// Whether the action was refused again and again, for one reason: then it does not matter how much was left out.
    fn is_steady(&self) -> bool {
        self.unanimous && self.count > 1
    }
}

/// An attempt: how many worlds are kept, and what is known of those that are not.
pub(super) struct Search<'c, 'a, G: FullGame> {
    case: &'c Case<'a, G>,
    width: usize,
    /// Which attempt it is: later ones try other things.
    round: u32,
    work: &'c mut u64,
    most: u64,
    budget: Budget<'a>,
    /// Every world there is is kept.
    pub(super) exact: bool,
    /// Apart from those in which something was left out although the record could go on.
    pub(super) needed_only: bool,
    /// Of all that people at the table could tell apart, something is kept.
    pub(super) seen: bool,
    /// No world was lost: whatever was unknown, the record goes on.
    pub(super) whatever: bool,
    /// Worlds may differ in what people at the table see.
    branched: bool,
    /// Where an action of the record was tried: in which worlds, and whether it could be.
    nodes: Vec<Node<G>>,
    /// How many worlds may still be made anew with other cards for this action.
    exchanges: usize,
}

/// A world in which an action of the record was tried.
struct Node<G: FullGame> {
    world: World<G>,
    /// How many actions were put back before.
    put: usize,
    played: bool,
}

/// How far an attempt came.
pub(super) struct Reached<G: FullGame> {
    /// The worlds that accept everything.
    pub(super) worlds: Vec<World<G>>,
    /// Where none does: the action that none accepts (the number of actions for the end of the record), and those that
    /// came so far.
    pub(super) at: usize,
    /// How many actions are accepted by a world that is no mere stand-in.
    pub(super) sure: usize,
    pub(super) deaths: Vec<Death<G>>,
}

impl<G: FullGame> Reached<G> {
    /// Whether no world goes on, and all of them for one reason that lies in the action itself.
    pub(super) fn is_steady(&self) -> bool {
        let first = self.deaths.first().and_then(Death::own_reason);
        let unanimous = first.is_some() && self.deaths.iter().all(|it| it.own_reason() == first);
        self.worlds.is_empty() && unanimous
    }
}

/// The work is to end.
pub(super) struct Enough;

impl<'c, 'a, G: FullGame> Search<'c, 'a, G> {
    pub(super) fn new(
        case: &'c Case<'a, G>,
        (width, round): (usize, u32),
        work: &'c mut u64,
        most: u64,
        budget: Budget<'a>,
    ) -> Self {
        let (exact, seen, whatever, branched) = (true, true, true, false);
        Search {
            case,
            width,
            round,
            work,
            most,
            budget,
            exact,
            needed_only: false,
            seen,
            whatever,
            branched,
            nodes: Vec::new(),
            exchanges: 0,
        }
    }

    fn spend(&mut self, units: u64) -> Result<(), Enough> {
        *self.work += units;
        match *self.work <= self.most && self.budget.spend(units).is_ok() {
            true => Ok(()),
            false => Err(Enough),
        }
    }

    /// Follows the record from these worlds, on which the table is not opened yet.
    pub(super) fn run(&mut self, begin: Vec<World<G>>) -> Result<Reached<G>, Enough> {
        let (mut layer, mut deaths) = (Vec::new(), Vec::new());
        let fan = self.fan(begin.len());
        for world in begin {
            self.open(&world, fan, &mut layer, &mut deaths)?;
        }
        layer = self.settle(layer, &mut deaths, 0)?;
        let mut sure = 0;
        for at in 0..self.case.sent.len() {
            if layer.is_empty() {
                return Ok(Reached { worlds: layer, at: at.saturating_sub(1), sure, deaths });
            }
            // Of an action that is asked about only those ways count in which everything before it was legal.
            self.whatever |= self.case.partial.asked == Some(at);
            (layer, deaths) = self.follow(layer, at)?;
            if layer.is_empty() {
                return Ok(Reached { worlds: layer, at, sure, deaths });
            }
            if layer.iter().any(|world| !world.loose) {
                sure = at + 1;
            }
        }
        let end = self.case.sent.len();
        if !layer.is_empty() {
            (layer, deaths) = self.close(layer)?;
        }
        Ok(Reached { worlds: layer, at: end, sure, deaths })
    }

    /// How many ways of chance are tried for each of so many worlds.
    fn fan(&self, worlds: usize) -> usize {
        match worlds {
            0 | 1 => FALLS,
            many => (self.width * 4 / many).clamp(4, FALLS),
        }
    }

    /// Opens the table of a world in every way.
    fn open(
        &mut self,
        world: &World<G>,
        fan: usize,
        layer: &mut Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
    ) -> Result<(), Enough> {
        let setup = self.case.setup.clone();
        let position = world.position.clone();
        let begin = |_: &World<G>, chance: &mut Guess<'_>| {
            let keep = crate::game::Keep::Nothing;
            match &position {
                None => Table::open(setup.clone(), chance, keep),
                Some(state) => Table::resume(setup.clone(), (**state).clone(), chance, keep),
            }
        };
        self.each_fall(world, 0, fan, &begin, &|| Done::Begun, layer, deaths)
    }

    /// Carries out an action of the record in every world.
    fn follow(&mut self, layer: Vec<World<G>>, at: usize) -> Result<Layer<G>, Enough> {
        let fan = self.fan(layer.len());
        let (mut next, mut deaths) = (Vec::new(), Vec::new());
        self.nodes.clear();
        self.exchanges = 0;
        for world in &layer {
            self.reach(world, at, fan, &mut next, &mut deaths)?;
            self.bound(&mut next)?;
        }
        if !self.exact && !next.iter().any(|world| !world.loose) {
            // With these cards it cannot be: with others, perhaps.
            self.exchanges = EXCHANGED[(self.round as usize).min(2)];
            for world in layer.iter().filter(|world| !world.loose) {
                if self.exchanges > 0 {
                    self.reach(world, at, fan, &mut next, &mut Vec::new())?;
                    self.bound(&mut next)?;
                }
            }
        }
        if !self.exact && self.seen && self.nodes.iter().any(|node| !node.played) {
            self.seen = self.explain(at)?;
        }
        let next = self.settle(next, &mut deaths, at as u32 + 1)?;
        Ok((next, deaths))
    }

    /// Whether those worlds in which an action could not be would not accept it whatever cards nobody has seen: of
    /// everything that people can tell apart either something went on, or nothing can.
    fn explain(&mut self, at: usize) -> Result<bool, Enough> {
        if matches!(self.case.sent.get(at), Some(Sent::Malformed(_))) {
            // What is no action of the game is none anywhere.
            return Ok(true);
        }
        if !G::CARDS_ARE_UNSEEN {
            return Ok(false);
        }
        let nodes = std::mem::take(&mut self.nodes);
        let mut classes: BTreeMap<Option<[u8; 32]>, (bool, usize)> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            let same_class = !self.branched && node.put == 0;
            if !same_class {
                self.spend(8)?;
            }
            let class = (!same_class).then(|| seen_by_all(&node.world.table));
            classes.entry(class).or_insert((false, index)).0 |= node.played;
        }
        for (_, index) in classes.into_values().filter(|(played, _)| !played) {
            if !self.refuted(&nodes[index].world, at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an action of the record cannot be in this world, as it stands, whatever cards nobody has seen lie where.
    fn refuted(&mut self, world: &World<G>, at: usize) -> Result<bool, Enough> {
        let action = match self.case.sent.get(at) {
            Some(Sent::Known(action)) => action,
            _ => return Ok(false),
        };
        let setup = self.case.setup.clone();
        let Some(state) = G::assume_unseen(&setup, world.table.state(), action) else {
            return Ok(false);
        };
        let mut open = world.clone();
        open.table = Table::at(setup, state, world.table.ply());
        let (mut next, mut deaths) = (Vec::new(), Vec::new());
        let before = (self.exact, self.seen, self.whatever, self.branched);
        self.exact = true;
        self.play(&open, at, FALLS / 8, &mut next, &mut deaths)?;
        let certain = self.exact && next.is_empty();
        (self.exact, self.seen, self.whatever, self.branched) = before;
        Ok(certain)
    }

    /// Carries out an action of the record in a world; where it cannot be, with what was left out before it.
    fn reach(
        &mut self,
        world: &World<G>,
        at: usize,
        fan: usize,
        next: &mut Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
    ) -> Result<(), Enough> {
        let mut level = vec![(world.clone(), 0)];
        let (accepted, earlier) = (next.len(), deaths.len());
        let mut own = OwnRefusals::default();
        for put in 0..=PUT_BACK {
            let mut more_open: Vec<(World<G>, usize)> = Vec::new();
            let mut keys = BTreeSet::new();
            for (world, more) in level {
                let (before, dead, whatever) = (next.len(), deaths.len(), self.whatever);
                self.play(&world, at, fan, next, deaths)?;
                let played = before < next.len();
                if more == 0 && !played && !world.loose {
                    own.collect(&deaths[dead..], put);
                }
                if self.seen && G::CARDS_ARE_UNSEEN {
                    self.nodes.push(Node { world: world.clone(), put, played });
                }
                self.branched |= played && more > 0;
                if more > 0 {
                    // That something else was left out does not hold is no loss.
                    deaths.truncate(dead);
                    self.whatever = whatever;
                }
                // Where the action can be, something may have been left out all the same.
                let more = more + usize::from(played || more > 0);
                if put == PUT_BACK || more > LEFT_OUT[(self.round as usize).min(3)] {
                    let settled = put == PUT_BACK && next.len() == accepted && own.is_steady();
                    if !settled && self.can_put_back(&world) {
                        let aside = self.round == STRICT && more > 0;
                        self.needed_only |= aside;
                        (self.exact, self.seen) = (self.exact && aside, false);
                    }
                    continue;
                }
                let mut misfits = Vec::new();
                let back = self.put_back(&world, at, fan, !played, &mut misfits)?;
                let refused = |it: &Death<G>| matches!(it.why, Dead::End(End::Refused(_)));
                let refused = !played && deaths[dead..].iter().all(refused);
                if refused && back.is_empty() && more == 0 && !misfits.is_empty() {
                    // What should have been put back needs what did not fall: that says more.
                    deaths.truncate(dead);
                    deaths.append(&mut misfits);
                }
                self.branched |= back.iter().any(|world| world.loose);
                if back.iter().any(|world| !world.loose) && !played {
                    // What could be put back does not end here; but where the tape has something else, that is kept.
                    let mut late = deaths.split_off(dead);
                    late.retain(|death| is_mismatch(&death.why));
                    deaths.append(&mut late);
                    self.whatever = whatever;
                }
                for mut world in back {
                    world.rank += 2 * u32::from(more > 0);
                    if keys.insert(world.key()) {
                        more_open.push((world, more));
                    }
                }
                self.bound(next)?;
                if more_open.len() > self.width.saturating_mul(2) {
                    more_open = self.thin(more_open, self.width, |(world, more)| (world, *more))?;
                }
            }
            level = self.thin(more_open, self.width, |(world, more)| (world, *more))?;
        }
        if next.len() == accepted && !own.first.is_empty() {
            // What goes without saying was done; the action is refused for what it is.
            deaths.truncate(earlier);
            deaths.append(&mut own.first);
        }
        Ok(())
    }

    /// Keeps the likeliest where there are far more worlds than are followed, so that memory has a bound.
    fn bound(&mut self, next: &mut Vec<World<G>>) -> Result<(), Enough> {
        let least = FALLS.min(self.case.most_worlds);
        let most = self.width.saturating_mul(2).clamp(least, 4 * FALLS);
        if next.len() > 2 * most {
            let mut keys = BTreeSet::new();
            next.retain(|world| keys.insert(world.key()));
            *next = self.thin(std::mem::take(next), most, |world| (world, 0))?;
        }
        Ok(())
    }

    /// As many worlds as there is room for: of everything that people can tell apart the likeliest, then the likeliest of
    /// the rest. What only stands for others goes where there is another that looks the same.
    fn thin<T>(
        &mut self,
        mut all: Vec<T>,
        most: usize,
        of: impl Fn(&T) -> (&World<G>, usize),
    ) -> Result<Vec<T>, Enough> {
        let loose = all.iter().any(|it| of(it).0.loose);
        if all.len() <= most && !loose {
            return Ok(all);
        }
        self.exact &= all.len() <= most;
        all.sort_by_cached_key(|it| {
            let (world, more) = of(it);
            (world.loose, more, world.rank, world.key())
        });
        if !self.branched {
            all.truncate(most);
            return Ok(all);
        }
        if !G::CARDS_ARE_UNSEEN || !self.seen {
            self.seen = false;
            all.retain(|it| !of(it).0.loose);
            all.truncate(most);
            return Ok(all);
        }
        let mut classes = BTreeSet::new();
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for it in all {
            self.spend(8)?;
            let world = of(&it).0;
            match classes.insert(seen_by_all(&world.table)) {
                true => first.push(it),
                false if world.loose => {}
                false => rest.push(it),
            }
        }
        self.seen &= first.len() <= most;
        first.extend(rest);
        first.truncate(most);
        Ok(first)
    }

    /// Whether something may have been left out here.
    fn can_put_back(&self, world: &World<G>) -> bool {
        let case = self.case;
        let mut omissions = case.omissions.iter();
        omissions.any(|&it| G::fill_omission_unseen(&case.setup, world.table.state(), it).is_some())
    }

    /// What comes of the actions that may have been left out here; and where another die or card lies on the tape than one
    /// of them needs. Where the record cannot go on without them (`needed`), the cards may have been others.
    fn put_back(
        &mut self,
        world: &World<G>,
        at: usize,
        fan: usize,
        needed: bool,
        misfits: &mut Vec<Death<G>>,
    ) -> Result<Vec<World<G>>, Enough> {
        let (case, whatever) = (self.case, self.whatever);
        let mut back = Vec::new();
        for &omission in &case.omissions {
            let state = world.table.state();
            let certain = G::fill_omission(&case.setup, state, omission);
            if certain.is_none() && self.exact {
                continue;
            }
            let unseen = || G::fill_omission_unseen(&case.setup, state, omission);
            let loose = world.loose || certain.is_none();
            let Some(action) = certain.or_else(unseen) else { continue };
            let value = Arc::new(serde_json::to_value(&action).unwrap_or_default());
            let done = || Done::PutBack {
                at,
                action: value.clone(),
                omission: G::omissions()[omission].name,
            };
            let mut deaths = Vec::new();
            if loose && needed && !world.loose && self.exchanges > 0 {
                self.exchanges -= 1;
                self.spend(at as u64)?;
                if let Some(other) = exchanged(case, world, omission, at) {
                    self.try_action(&other, &action, at, fan, &done, &mut back, &mut deaths)?;
                }
            }
            // Where not every world is kept, this one stands for those that look the same.
            if !loose || (self.seen && G::CARDS_ARE_UNSEEN) {
                let from = back.len();
                self.try_action(world, &action, at, fan, &done, &mut back, &mut deaths)?;
                back[from..].iter_mut().for_each(|world| world.loose = loose);
            }
            misfits.extend(deaths.into_iter().filter(|death| is_mismatch(&death.why)));
        }
        self.whatever = whatever;
        Ok(back)
    }

    /// Carries out the action of the record at a place.
    fn play(
        &mut self,
        world: &World<G>,
        at: usize,
        fan: usize,
        next: &mut Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
    ) -> Result<(), Enough> {
        let case = self.case;
        match &case.sent[at] {
            Sent::Known(action) => {
                let done = || Done::Played { at, filled: None };
                self.try_action(world, action, at, fan, &done, next, deaths)
            }
            Sent::Malformed(fault) => {
                let refusal = malformed_at(&world.table, fault);
                self.dies(world, Dead::End(End::Refused(refusal)), deaths);
                Ok(())
            }
            Sent::Open => {
                let written = &case.partial.actions[at];
                let few = each(written, FILLED);
                let (before, dead, whatever) = (next.len(), deaths.len(), self.whatever);
                let fitting = match &few {
                    Some(few) => few.iter().filter_map(read_again::<G>).collect(),
                    None => self.fitting(world, written)?,
                };
                if fitting.is_empty() {
                    self.dies(world, Dead::NothingFits, deaths);
                }
                // What fits may depend on cards nobody has seen, and everybody sees what it is. Where not every world is
                // kept, something that others would see may be missing from here on.
                self.branched = true;
                self.seen &= self.exact;
                let fan = (fan / fitting.len().max(1)).max(2);
                for (index, (action, value)) in fitting.into_iter().enumerate() {
                    let value = Arc::new(value);
                    let done = || Done::Played { at, filled: Some(value.clone()) };
                    let from = next.len();
                    self.try_action(world, &action, at, fan, &done, next, deaths)?;
                    for world in &mut next[from..] {
                        world.rank += index as u32;
                    }
                }
                if few.is_some() && before < next.len() {
                    // Of the few that it may have been, those that are refused it was not.
                    let refused = |it: &Death<G>| matches!(it.why, Dead::End(End::Refused(_)));
                    let mut kept = deaths.split_off(dead);
                    kept.retain(|it| !refused(it));
                    self.whatever = whatever && kept.is_empty();
                    deaths.append(&mut kept);
                }
                Ok(())
            }
        }
    }

    fn dies(&mut self, world: &World<G>, why: Dead<G::Rule>, deaths: &mut Vec<Death<G>>) {
        const KEPT: usize = 512;
        self.whatever = false;
        if deaths.len() < KEPT {
            deaths.push(Death { world: world.clone(), why });
        }
    }

    /// The legal actions that may be what is written.
    fn fitting(
        &mut self,
        world: &World<G>,
        written: &Value,
    ) -> Result<Vec<(G::Action, Value)>, Enough> {
        let mut found: Vec<(G::Action, Value)> = Vec::new();
        let player = written.get("player").filter(|it| !has_unknown(it)).and_then(Value::as_str);
        let seats: Vec<Seat> = match player {
            Some(name) => G::META.seat(name).into_iter().collect(),
            None => world.table.may_act().iter().collect(),
        };
        let may = world.table.may_act();
        for seat in seats.into_iter().filter(|&seat| may.contains(seat)) {
            let mut listing = Listing { actions: Vec::new(), ranges: Vec::new(), most: LISTED };
            if world.table.legal(seat, &mut listing).is_break() {
                (self.exact, self.seen) = (false, false);
            }
            self.spend(1 + listing.actions.len() as u64 * 2)?;
            for action in listing.actions {
                let value = serde_json::to_value(&action).unwrap_or_default();
                if fits(written, &value) {
                    found.push((action, value));
                }
            }
            for range in &listing.ranges {
                self.fill(world, seat, range, written, &mut found)?;
            }
        }
        Ok(found)
    }

    /// The actions of a range that may be what is written: put together choice by choice, or like a sample.
    fn fill(
        &mut self,
        world: &World<G>,
        seat: Seat,
        range: &G::Range,
        written: &Value,
        found: &mut Vec<(G::Action, Value)>,
    ) -> Result<(), Enough> {
        let (setup, state) = (&self.case.setup.clone(), world.table.state());
        let kind = serde_json::to_value(range).unwrap_or_default();
        let named = |field: &str| written.get(field).filter(|it| !has_unknown(it)).cloned();
        if let (Some(wanted), Some(is)) = (named("type"), kind.get("type"))
            && wanted != *is
        {
            return Ok(());
        }
        let keep = |value: Value, found: &mut Vec<(G::Action, Value)>| {
            let Ok(action) = record::action::<G::Action>(&value.to_string()) else { return };
            let own =
                G::Action::seat(&action) == seat && G::Range::covers(range, setup, state, &action);
            if own && fits(written, &value) && found.iter().all(|(had, _)| *had != action) {
                found.push((action, value));
            }
        };
        let mut tried = 0;
        let mut open = vec![draft_of(written, &kind, G::META.seat_name(seat))];
        while let Some(draft) = open.pop() {
            tried += 1;
            if tried > FILLED * 4 {
                (self.exact, self.seen) = (false, false);
                break;
            }
            self.spend(2)?;
            if let Some(value) = draft.whole::<Value>() {
                keep(value, found);
            }
            let steps = G::Range::steps(range, setup, state, &draft).unwrap_or_default();
            for step in steps {
                let wanted = written.pointer(&step.pointer);
                if wanted.is_none() {
                    continue;
                }
                open.extend(step.some(FILLED).into_iter().filter_map(|value| {
                    let known: Value = serde_json::from_str(value.get()).ok()?;
                    let fits = wanted.is_some_and(|written| fits(written, &known));
                    if fits { draft.with(&step.pointer, &value).ok() } else { None }
                }));
            }
        }
        // What is put together of many parts: like a sample, where nothing else is written.
        for number in 0..FILLED / 4 {
            let seed = format!("partial {} {number}", self.round);
            let mut chance = Seeded::new(&seed, G::META.streams);
            let Ok(sample) = G::Range::sample(range, setup, state, &mut chance) else { continue };
            let sample = serde_json::to_value(&sample).unwrap_or_default();
            self.spend(2)?;
            if let Some(value) = overlaid(written, &sample) {
                (self.exact, self.seen) = (false, false);
                keep(value, found);
            }
        }
        Ok(())
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one action, in which world, how often, and where its results go"
    )]
    fn try_action(
        &mut self,
        world: &World<G>,
        action: &G::Action,
        at: usize,
        fan: usize,
        done: &dyn Fn() -> Done,
        next: &mut Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
    ) -> Result<(), Enough> {
        let play = |world: &World<G>, chance: &mut Guess<'_>| {
            let mut table = world.table.clone();
            table.play(action, chance).map(|()| table)
        };
        let mut world = world.clone();
        if matches!(done(), Done::Played { .. }) {
            self.case.wants.spend(at, &mut world.held);
        }
        self.each_fall(&world, at, fan, &play, done, next, deaths)
    }

    /// Carries out a step in every way in which chance may fall, or the likeliest.
    #[allow(
        clippy::too_many_arguments,
        reason = "one step, from where, how often, and where its results go"
    )]
    fn each_fall(
        &mut self,
        world: &World<G>,
        at: usize,
        fan: usize,
        step: &Carried<'_, G>,
        done: &dyn Fn() -> Done,
        next: &mut Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
    ) -> Result<(), Enough> {
        let case = self.case;
        // Whether what was never on the table is legal does not depend on what it would draw.
        let played = matches!(done(), Done::Played { .. });
        let free = case.partial.asked == Some(at) && played;
        let tape = case.partial.tape.as_ref();
        let about = guess::Table { tape, wants: &case.wants, hidden: false, free };
        let mut scripts = Scripts::new(fan.min(case.most_worlds), self.round);
        let ply = at as u32;
        // What an action names is a reason to draw it before: in the opening, or by what is put back.
        let place = (at + usize::from(played), ply, world.entry);
        while let Some(script) = scripts.next() {
            self.spend(1)?;
            let (seeded, held) = (world.seeded.clone(), world.held.clone());
            let mut chance = Guess::new(&about, &script, place, seeded, held);
            let result = step(world, &mut chance);
            let Guess { entry, seeded, held, choices, taken, fallen, endless, .. } = chance;
            if endless {
                (self.exact, self.seen) = (false, false);
            }
            let rank = world.rank + taken.iter().sum::<u32>();
            match result {
                Ok(table) => {
                    let step = Step { before: world.trail.clone(), done: done(), fallen };
                    next.push(World {
                        table,
                        position: world.position.clone(),
                        entry,
                        seeded,
                        held,
                        rank,
                        loose: world.loose,
                        trail: Some(Arc::new(step)),
                    });
                }
                Err(stop) => {
                    let dead = World { entry, rank, ..world.clone() };
                    self.dies(&dead, Dead::End(stop.into()), deaths);
                }
            }
            if free {
                return Ok(());
            }
            scripts.note(&choices, taken);
        }
        self.branched |= scripts.branched(G::CARDS_ARE_UNSEEN);
        if !scripts.all {
            self.exact = false;
            self.seen &= G::CARDS_ARE_UNSEEN && scripts.cards_only;
        }
        Ok(())
    }

    /// Holds the worlds against what the record states of this moment, and keeps as many as there is room for.
    fn settle(
        &mut self,
        layer: Vec<World<G>>,
        deaths: &mut Vec<Death<G>>,
        ply: u32,
    ) -> Result<Vec<World<G>>, Enough> {
        let stated = self.case.evidence.count(ply);
        let mut kept: Vec<World<G>> = Vec::with_capacity(layer.len().min(self.width * 2));
        let mut keys = BTreeSet::new();
        let mut lost = false;
        for world in layer {
            if stated > 0 {
                self.spend(u64::from(LOOK * stated))?;
                if self.case.evidence.broken(&world.table, ply) > 0 {
                    lost = true;
                    let why = Dead::NotSo(self.case.evidence.first_at(ply));
                    self.dies(&world, why, deaths);
                    continue;
                }
            }
            if keys.insert(world.key()) {
                kept.push(world);
            }
        }
        if lost && !self.exact {
            // Whether other cards would have been as stated is not known.
            self.seen = false;
        }
        self.thin(kept, self.width, |world| (world, 0))
    }

    /// Ends the worlds: what was left out at the end is put back where the record claims more, and nothing may be left on
    /// the tape of a game that is over.
    fn close(&mut self, layer: Vec<World<G>>) -> Result<Layer<G>, Enough> {
        let (mut ended, mut deaths) = (Vec::new(), Vec::new());
        let at = self.case.sent.len();
        let fan = self.fan(layer.len());
        let mut open: Vec<(World<G>, usize)> = layer.into_iter().map(|it| (it, 0)).collect();
        while let Some((world, put)) = open.pop() {
            self.spend(1)?;
            let tape = self.case.partial.tape.as_ref();
            let tape = tape.filter(|_| !self.case.partial.part);
            let left = tape.map_or(0, |tape| tape.entries.len().saturating_sub(world.entry));
            let why = match (world.table.outcome(), left) {
                (Some(_), 1..) => {
                    Some(format!("{left} entries are left on the tape, and the game is over"))
                }
                _ => (self.case.claims)(&world.table),
            };
            let Some(why) = why else {
                ended.push(world);
                continue;
            };
            let back = match put {
                0..PUT_BACK => self.put_back(&world, at, fan, true, &mut Vec::new())?,
                _ => Vec::new(),
            };
            match back.is_empty() {
                true => self.dies(&world, Dead::NotSo(why), &mut deaths),
                false => open.extend(back.into_iter().map(|world| (world, put + 1))),
            }
            if open.len() > self.width.saturating_mul(4) {
                (self.exact, self.seen) = (false, false);
                open.sort_by_cached_key(|(world, _)| std::cmp::Reverse((world.rank, world.key())));
                open.drain(..self.width);
            }
        }
        if !deaths.is_empty() && !self.exact {
            self.seen = false;
        }
        ended.sort_by_cached_key(|world| (world.rank, world.key()));
        Ok((ended, deaths))
    }
}

/// A value as an action of the game, if it is one.
fn read_again<G: FullGame>(value: &Value) -> Option<(G::Action, Value)> {
    let action = record::action::<G::Action>(&value.to_string()).ok()?;
    Some((action, value.clone()))
}

/// What people at the table can tell a state by.
fn seen_by_all<G: FullGame>(table: &Table<G>) -> [u8; 32] {
    fingerprint(&table.view(Observer::Spectator)).0
}

/// What is known of an action of a range: the fields that are written down whole.
fn draft_of(written: &Value, range: &Value, player: &str) -> Draft {
    let mut fields = serde_json::Map::new();
    for (key, value) in written.as_object().into_iter().flatten() {
        if !has_unknown(value) && key != crate::wire::NOTE {
            fields.insert(key.clone(), value.clone());
        }
    }
    if let Some(kind) = range.get("type") {
        fields.entry("type").or_insert_with(|| kind.clone());
    }
    fields.entry("player").or_insert_with(|| player.into());
    Draft::of(fields)
}

/// What is written, with its unknowns as they are in a sample; a value that is written down elsewhere in a list is not
/// used twice there.
fn overlaid(written: &Value, sample: &Value) -> Option<Value> {
    if !has_unknown(written) {
        return Some(written.clone());
    }
    if let Some(values) = super::hole::one_of(written) {
        return values.contains(sample).then(|| sample.clone());
    }
    match (written, sample) {
        (Value::Object(fields), Value::Object(like)) => {
            let mut whole = serde_json::Map::new();
            for (key, written) in fields.iter().filter(|(key, _)| *key != crate::wire::NOTE) {
                whole.insert(key.clone(), overlaid(written, like.get(key)?)?);
            }
            (whole.len() == like.len()).then_some(Value::Object(whole))
        }
        (Value::Array(items), Value::Array(like)) if items.len() == like.len() => {
            overlaid_list(items, like)
        }
        (Value::String(_), _) => Some(sample.clone()),
        _ => None,
    }
}

/// A list of things: each field that is unknown takes the sample's values of that field that are not written down in
/// another thing.
fn overlaid_list(items: &[Value], like: &[Value]) -> Option<Value> {
    let objects = items.iter().all(Value::is_object) && like.iter().all(Value::is_object);
    if !objects {
        let whole = items.iter().zip(like).map(|(item, like)| overlaid(item, like));
        return whole.collect::<Option<Vec<_>>>().map(Value::Array);
    }
    let mut whole: Vec<Value> = items.to_vec();
    let keys: BTreeSet<&String> =
        like.iter().filter_map(Value::as_object).flat_map(|it| it.keys()).collect();
    for key in keys {
        let known: Vec<&Value> =
            items.iter().filter_map(|item| item.get(key)).filter(|it| !has_unknown(it)).collect();
        let mut values: Vec<&Value> = like.iter().filter_map(|it| it.get(key)).collect();
        for known in known {
            if let Some(at) = values.iter().position(|value| *value == known) {
                values.remove(at);
            }
        }
        for item in &mut whole {
            let Some(place) = item.get_mut(key).filter(|it| has_unknown(it)) else { continue };
            let at = values.iter().position(|value| fits(place, value))?;
            *place = values.remove(at).clone();
        }
    }
    Some(Value::Array(whole))
}

/// Whether chance ended a world because nothing was left on the tape.
pub(super) fn is_exhausted<R>(why: &Dead<R>) -> bool {
    matches!(why, Dead::End(End::Chance { halt, .. }) if matches!(**halt, Halt::Exhausted { .. }))
}

/// Whether chance ended a world because something else lies on the tape.
fn is_mismatch<R>(why: &Dead<R>) -> bool {
    matches!(why, Dead::End(End::Chance { halt, .. }) if matches!(**halt, Halt::Mismatch { .. }))
}

/// The refusal of what is no legal action, for people.
pub(super) fn nothing_fits<G: FullGame>(table: &Table<G>) -> Refusal<G::Rule> {
    let mut refusal = Refusal::new(
        G::CLAUSES.protocol,
        "nothing_fits",
        "no legal action is what is written here, whatever its unknowns are",
    );
    refusal.add(table.decision().rule);
    refusal
}
