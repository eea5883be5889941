//! What becomes of a record under one reading.
//!
//! This module must not compare readings.

use serde_json::value::RawValue;

use super::answer::{Answered, Course, Draws};
use super::case::{Case, OpenedTable};
use super::run::Run;
use crate::chance::Entry;
use crate::digest::fingerprint;
use crate::dispute::transcribe::Transcript;
use crate::game::{FullGame, Keep, Logged, Observer, Table};
use crate::record::{self};
use crate::replay::End;
use crate::replay::answer::{Status, ending};
use crate::replay::reading::ReadingChoice;
use crate::replay::verdict::{
    action_text, left_over, player_of, refusal_violation, tape_violation,
};
use crate::wire::NOTE;

impl<'a, G: FullGame> Case<'a, G> {
    /// What became of a replay.
    pub(super) fn course(&self, run: &Run<'_, G>, recorded: bool) -> Course {
        let Run { table, end, chance, hypothetical_from, .. } = run;
        let played = End::Played;
        let end = end.as_ref().unwrap_or(&played);
        let outcome = table.outcome();
        let mut violation = match end {
            End::Played => None,
            End::Refused(refusal) => {
                let sent = self.sent(table.ply());
                let seat = player_of::<G>(sent);
                Some(refusal_violation(table, refusal, sent, seat, Observer::Referee))
            }
            End::Chance { halt, rule } => {
                Some(tape_violation(table, halt, *rule, Observer::Referee))
            }
        };
        let mut status = match (end, outcome) {
            (End::Refused(_), _) => Status::Illegal,
            (End::Chance { .. }, _) => Status::BadChance,
            (End::Played, Some(_)) => Status::Complete,
            (End::Played, None) => Status::InProgress,
        };
        let left = chance.left();
        let used = matches!(end, End::Played) && left > 0;
        // Only the record as it stands can be blamed for a tape that is too long.
        if recorded && used && status == Status::Complete {
            status = Status::BadChance;
            let entry = self.tape.len() - left;
            violation = Some(left_over(table, entry, left, Observer::Referee));
        }
        let draws = match end {
            End::Chance { .. } => Draws::Missing,
            _ if hypothetical_from.is_some() => Draws::Hypothetical,
            _ if left > 0 => Draws::LeftOver,
            _ => Draws::Same,
        };
        let answer = self.asked.map(|(ply, _)| match (table.ply().cmp(&ply), end) {
            (std::cmp::Ordering::Greater, _) => Answered::Legal,
            (std::cmp::Ordering::Equal, End::Refused(_)) => Answered::Illegal,
            (std::cmp::Ordering::Equal, End::Chance { .. }) => self.by_its_rule(table),
            _ => Answered::NotReached,
        });
        Course {
            status,
            plies: table.ply(),
            violation,
            outcome: outcome.map(ending::<G>),
            draws,
            hypothetical_from: *hypothetical_from,
            answer,
            fingerprint: fingerprint(&table.view(Observer::Referee)),
        }
    }

    /// What became of a record that was carried over.
    pub(super) fn carried_course(&self, transcript: &Transcript<'_, G>) -> Course {
        let mut course = self.course(&transcript.run, false);
        let at = transcript.stuck.unwrap_or(self.actions.len());
        if let Some(violation) = &mut course.violation {
            let there = format!("/actions/{}", violation.ply);
            if let Some(rest) = violation.pointer.strip_prefix(&there) {
                violation.pointer = format!("/actions/{at}{rest}");
            }
            violation.ply = at as u32;
        }
        if self.asked.is_some() {
            course.answer = Some(transcript.answer.unwrap_or(Answered::NotReached));
        }
        course
    }

    /// The record as it was carried over to a reading, with the draws in the order in which it asks
    /// for them.
    pub(super) fn carried_record(
        &'a self,
        reading: &ReadingChoice,
        transcript: &Transcript<'_, G>,
    ) -> Option<Box<RawValue>> {
        let OpenedTable { mut table, mut chance, .. } = self.open_carried(reading, Keep::Log)?;
        for action in &transcript.actions {
            table.play(action, &mut chance).ok()?;
        }
        let tape: Vec<&Entry> = table.log()?.tape.iter().map(|drawn| &drawn.entry).collect();
        let mut draws = serde_json::json!({ "tape": tape });
        if let Some(seed) = self.record.chance.seed.as_deref() {
            draws["seed"] = seed.into();
        }
        let mut actions = serde_json::to_value(&transcript.actions).ok()?;
        for (at, note) in record::notes(self.record.actions) {
            let place = transcript.places.iter().position(|it| *it == Some(at));
            if let Some(action) = place.and_then(|place| actions.get_mut(place)) {
                action[NOTE] = note.into();
            }
        }
        // What was not carried over stands at the end as it was sent.
        let rest = match (transcript.stuck, &self.malformed) {
            (Some(at), _) => Some(at),
            (None, malformed) => malformed.as_ref().map(|_| self.actions.len()),
        };
        if let (Some(list), Some(rest)) = (actions.as_array_mut(), rest) {
            let sent = (rest..).map_while(|at| action_text(self.record, at));
            list.extend(sent.filter_map(|text| serde_json::from_str(text.get()).ok()));
        }
        let mut record = serde_json::json!({
            "format": "umpire/1",
            "game": G::META.id,
            "ruleset": table.ruleset(),
            "options": self.options(reading),
            "chance": draws,
            "actions": actions,
        });
        if let Some(position) = self.record.position {
            record["position"] = serde_json::from_str(position.get()).ok()?;
        }
        if let Some(players) = &self.record.players {
            record["players"] = serde_json::to_value(players).ok()?;
        }
        if let Some(note) = &self.record.note {
            record[NOTE] = (*note.0).into();
        }
        RawValue::from_string(record.to_string()).ok()
    }

    /// Plays on, from an opening or later, up to so many of the record's actions; the last of them is the last step.
    /// `go_on`: before which of them a seed may answer draws that never happened.
    pub(super) fn last(
        &self,
        from: OpenedTable<'_, G>,
        plies: usize,
        go_on: impl Fn(u32) -> bool,
    ) -> LastStep<G> {
        let actions = &self.actions[..plies.min(self.actions.len())];
        let before = actions.len().saturating_sub(1);
        LastStep::replay(from, actions, before, go_on)
    }
}

/// The last step of a replay, with what it caused.
pub(super) struct LastStep<G: FullGame> {
    pub(super) table: Table<G>,
    /// If a draw is missing, the table at that moment.
    pub(super) halfway: Option<Box<Table<G>>>,
    pub(super) rendered: Vec<String>,
    /// Each event and its clauses.
    pub(super) cited: Vec<(String, Vec<G::Rule>)>,
    pub(super) end: Option<End<G::Rule>>,
}

impl<G: FullGame> LastStep<G> {
    /// Plays actions, from an opening or those that are left later; those behind the first `before` are the last step.
    /// `go_on`: before which of them a seed may answer draws that never happened.
    pub(super) fn replay(
        mut from: OpenedTable<'_, G>,
        actions: &[G::Action],
        before: usize,
        go_on: impl Fn(u32) -> bool,
    ) -> Self {
        let mut end = from.failed.take();
        let (mut rendered, mut cited) = (Vec::new(), Vec::new());
        let mut halfway: Option<Box<Table<G>>> = None;
        for (at, action) in actions.iter().enumerate().skip(from.table.ply() as usize) {
            if end.is_some() {
                break;
            }
            from.chance.go_on = go_on(at as u32);
            if at < before {
                end = from.table.play(action, &mut from.chance).err().map(End::from);
                continue;
            }
            let table = &mut from.table;
            let log = match table.play_logged_to_draw(action, &mut from.chance, Some(&mut halfway))
            {
                Ok(log) => Some(log),
                Err(stop) => {
                    end = Some(stop.into());
                    halfway.as_deref().and_then(Table::log).cloned()
                }
            };
            for logged in log.iter().flat_map(|log| &log.events) {
                let Logged { event, rules, .. } = logged;
                cited.push((format!("{event:?}"), rules.as_slice().to_vec()));
                rendered.extend(logged.tell(from.table.setup(), Observer::Referee));
            }
        }
        LastStep { table: from.table, halfway, rendered, cited, end }
    }
}
