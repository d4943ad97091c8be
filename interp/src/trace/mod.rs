//! Traces: the steps of a run, and why it ended as it did.
//!
//! - [`Observer`] receives each step; [`Recorder`] keeps them, with iteration counters ([`At`]).
//! - [`Recorder::finish`] builds a [`Trace`]: text, JSON lines ([`Trace::to_json_lines`]), and the [`Explanation`] of
//!   UB, poison and undefined bits.
//! - [`side_by_side`] aligns two traces.

mod access;
mod align;
#[expect(clippy::wildcard_enum_match_arm, reason = "few instructions need words of their own")]
mod cause;
#[expect(clippy::wildcard_enum_match_arm, reason = "few instructions need words of their own")]
mod chain;
#[expect(clippy::wildcard_enum_match_arm, reason = "few instructions need words of their own")]
mod explain;
mod json;
mod loops;
mod observer;
#[expect(clippy::wildcard_enum_match_arm, reason = "few instructions need words of their own")]
mod record;
mod rules;
mod steps;
mod story;
#[expect(clippy::wildcard_enum_match_arm, reason = "few instructions need words of their own")]
mod text;
mod words;
mod writers;

pub(crate) use access::lane_addresses;
pub use align::{Aligned, IterationAt, Row, RowAt, RowKind, side_by_side};
pub use cause::{Cause, CauseKind};
pub use chain::{Bad, Via};
pub use explain::{Explanation, Link, Story, Struck, Subject};
pub use json::SCHEMA;
pub(crate) use loops::{Counters, LoopMap};
pub use observer::{Done, Entry, NoObserver, Observer};
pub use record::Recorder;
pub use rules::Section;
pub use steps::{At, Iterations, Step, What};
pub use text::Detail;

use crate::Run;
use crate::exec::machine::Machine;
use crate::input::Input;
use crate::observe::Event;
use crate::outcome::Outcome;
use backedge_ir::entity::FuncId;
use std::collections::VecDeque;
use words::Words;

/// A recorded run.
#[derive(Debug)]
pub struct Trace<'p> {
    words: Words<'p>,
    /// The first steps, in order.
    pub head: Vec<Step>,
    /// Number of steps dropped between the first and the last ones.
    pub dropped: u64,
    /// The last steps, in order.
    pub tail: VecDeque<Step>,
    /// Observable events in order.
    pub events: Vec<Event>,
    /// Why it ended as it did.
    pub explanation: Explanation,
    /// How the run ended.
    pub outcome: Outcome,
    /// How the run ended, as text.
    pub ending: String,
    /// Number of executed instructions.
    pub steps: u64,
}

impl<'p> Recorder<'p> {
    /// Builds the trace of the run of `func` on `input` that `machine` has just finished and this recorder has
    /// observed.
    pub fn finish(mut self, machine: &Machine<'p>, func: FuncId, input: &Input, run: &Run) -> Trace<'p> {
        let module = self.program.module;
        let words = Words::new(module, machine.memory(), &self.allocas);
        let explanation = explain::explain(&mut self, &words, machine.memory(), run, input);
        Trace {
            head: self.kept.head,
            dropped: self.kept.dropped,
            tail: self.kept.tail,
            events: run.events.clone(),
            explanation,
            outcome: run.outcome.clone(),
            ending: crate::text::outcome_text(module, func, &run.outcome),
            steps: run.steps,
            words,
        }
    }
}

impl Trace<'_> {
    /// The steps as lines, without the step that caused UB.
    pub fn lines(&self, detail: Detail) -> Vec<String> {
        let line = |step| text::line(&self.words, step, detail);
        let mut lines: Vec<String> = self.head.iter().map(line).collect();
        if self.dropped > 0 {
            lines.push(format!("… {} more steps", self.dropped));
        }
        lines.extend(self.tail.iter().map(line));
        lines
    }
    /// The step that caused UB, as a line.
    pub fn struck(&self) -> Option<String> {
        let ub = self.explanation.ub.as_ref()?;
        let depth = ub.at.as_ref().map_or(0, |at| at.depth);
        Some(format!("{}  {} => undefined behaviour [{}]", "  ".repeat(depth), ub.inst, ub.kind.name()))
    }
    /// Steps, events, outcome and explanation as text.
    pub fn to_text(&self, detail: Detail) -> String {
        let mut lines = self.lines(detail);
        lines.extend(self.struck());
        for (i, event) in self.events.iter().enumerate() {
            lines.push(format!("event {i}: {}", crate::text::event_text(&event.kind)));
        }
        lines.push(format!("{} ({} steps)", self.ending, self.steps));
        lines.extend(self.explanation.lines());
        lines.join("\n") + "\n"
    }
}
