//! Whether the source's run allows the target's run.
//!
//! A poison bit of the source may be anything in the target; an undefined bit may be anything but poison. A source with
//! UB allows everything from the UB on, but its earlier events must be kept.

use super::events::{Blind, Checked, event, memory, seen};
use super::mismatch::{Finding, Mismatch, Point, Reason};
use crate::exec::machine::Run;
use crate::observe::{Answered, Event, EventKind, Seen, Stream};
use crate::outcome::{Exit, Outcome, UbKind};

/// Compares two runs on the same input and environment.
///
/// A failed allocation in the source excuses nothing by itself if all allocations of the target succeeded: the source
/// may not choose its own UB. A difference after a library function that is not modelled is inconclusive.
pub(super) fn runs(source: &Run, target: &Run) -> Result<(), Finding> {
    match without_library(source, target) {
        Ok(()) if is_self_made(source, target) => {
            Err(Finding::Violated(Mismatch::SourceMoreDefined, Point::End))
        }
        Err(Finding::Violated(mismatch, point)) => Err(match source.library.open(&target.library) {
            Some(name) => Finding::Unknown(Reason::Library(name.clone())),
            None if let Some(name) = source.library.inexact(&target.library) => {
                Finding::Unknown(Reason::Accuracy(name))
            }
            None if may_be_same_stream(source, target, &point) => {
                Finding::Unknown(Reason::Library("stdout".into()))
            }
            // LangRef calls such an overflow UB, but marks the intrinsic `speculatable`, which contradicts it.
            None if target.outcome.ub() == Some(UbKind::FixedPointOverflow) => {
                Finding::Unknown(Reason::TargetCutShort(Box::new(target.outcome.clone())))
            }
            None => Finding::Violated(mismatch, point),
        }),
        other => other,
    }
}

/// Whether the source has UB after a failed allocation while no allocation of the target failed.
pub(super) fn is_self_made(source: &Run, target: &Run) -> bool {
    source.outcome.ub().is_some() && source.library.failed && !target.library.failed
}

/// Whether one side writes to standard output by name and the other to a stream that may be standard output.
fn may_be_same_stream(source: &Run, target: &Run, point: &Point) -> bool {
    let stream = |run: &Run| match run.events.get(point.event()?).map(|e| &e.kind) {
        Some(EventKind::Output { stream, .. }) => Some(matches!(stream, Stream::Standard)),
        _ => None,
    };
    matches!((stream(source), stream(target)), (Some(a), Some(b)) if a != b)
}

fn without_library(source: &Run, target: &Run) -> Result<(), Finding> {
    let violated = |(mismatch, point)| Finding::Violated(mismatch, point);
    let events = required_events(source);
    // The source reached these events without UB, even if it has UB later.
    let lacks_events = || {
        let is_undefined = target.outcome.ub().is_some();
        let mismatch = if is_undefined { Mismatch::SourceMoreDefined } else { Mismatch::Events };
        violated((mismatch, Point::Event(target.events.len())))
    };
    if source.outcome.shows_nothing() {
        // The source's events so far are certain, however the run continues.
        prefix(events, &target.events).map_err(violated)?;
        if !target.outcome.shows_nothing() && events.len() > target.events.len() {
            return Err(lacks_events());
        }
        let outcome = Box::new(source.outcome.clone());
        let both = target.outcome.shows_nothing();
        let reason = if both { Reason::BothCutShort(outcome) } else { Reason::SourceCutShort(outcome) };
        return Err(Finding::Unknown(reason));
    }
    prefix(events, &target.events).map_err(violated)?;
    if target.outcome.shows_nothing() && target.events.len() <= events.len() {
        if source.outcome.ub().is_some() && target.events.len() == events.len() {
            return Ok(());
        }
        return Err(Finding::Unknown(Reason::TargetCutShort(Box::new(target.outcome.clone()))));
    }
    if events.len() > target.events.len() {
        return Err(lacks_events());
    }
    if source.outcome.ub().is_some() {
        return Ok(());
    }
    if call_of_its_own(source, target).is_some() {
        return Err(violated((Mismatch::SourceMoreDefined, Point::End)));
    }
    if target.events.len() > events.len() {
        return Err(violated((Mismatch::Events, Point::Event(events.len()))));
    }
    endings(source, target).map_err(violated)
}

/// The events of the source that the target must have. UB that is certain to occur may occur earlier, but not before
/// an event that might have prevented it. A run that was cut short may reach UB later.
fn required_events(source: &Run) -> &[Event] {
    if source.outcome.ub().is_none() && !source.outcome.shows_nothing() {
        return &source.events;
    }
    let last = source.events.iter().rposition(|e| e.firm);
    &source.events[..last.map_or(0, |i| i + 1)]
}

/// A non-event call that the target makes and the source does not, if the callee may have UB for those arguments: in
/// some environment it does.
pub(crate) fn call_of_its_own<'r>(source: &Run, target: &'r Run) -> Option<&'r Answered> {
    let is_made = |t: &Answered| {
        let mut all = source.answers.iter();
        all.any(|s| event(&s.call, &t.call, Blind::Either).is_ok())
    };
    target.answers.iter().find(|t| !t.is_event && !t.speculatable && !is_made(t))
}

/// Compares the events that both runs have, pairwise.
fn prefix(source: &[Event], target: &[Event]) -> Checked {
    for (i, (s, t)) in source.iter().zip(target).enumerate() {
        event(&s.kind, &t.kind, Blind::Source).map_err(|(mismatch, _)| (mismatch, Point::Event(i)))?;
    }
    Ok(())
}

fn endings(source: &Run, target: &Run) -> Checked {
    match (&source.outcome, &target.outcome) {
        (_, Outcome::Ub { .. }) => Err((Mismatch::SourceMoreDefined, Point::End)),
        (Outcome::Returned(_), Outcome::Returned(_)) => {
            if let (Some(s), Some(t)) = (&source.returned, &target.returned) {
                seen(s, t).map_err(|m| (m, Point::Return))?;
            }
            memory(&source.memory, &target.memory, Blind::No)
        }
        // Nobody reads memory after a call that never ends; the call's event records the memory that the call sees.
        // LangRef: a trap accesses no memory of the program.
        (
            Outcome::DidNotReturn { exit: Exit::Looped, .. },
            Outcome::DidNotReturn { exit: Exit::Looped, .. },
        ) => Ok(()),
        (
            Outcome::DidNotReturn { exit: Exit::Trapped(s), .. },
            Outcome::DidNotReturn { exit: Exit::Trapped(t), .. },
        ) => {
            if s == t {
                Ok(())
            } else {
                Err((Mismatch::Events, Point::End))
            }
        }
        (Outcome::DidNotReturn { exit: s, .. }, Outcome::DidNotReturn { exit: t, .. }) if s == t => {
            match (&source.thrown, &target.thrown) {
                (Some(s), Some(t)) => seen(s, t).map_err(|m| (m, Point::End))?,
                (None, None) | (Some(Seen::Poison), None) => {}
                (Some(_), None) | (None, Some(_)) => return Err((Mismatch::Value, Point::End)),
            }
            memory(&source.memory, &target.memory, Blind::No)
        }
        (Outcome::Diverges { .. }, Outcome::Diverges { .. }) => Ok(()),
        (_, Outcome::Diverges { .. }) => Err((Mismatch::TargetDoesNotTerminate, Point::End)),
        // A diverging source that must make progress has UB and does not get here.
        (Outcome::Diverges { .. }, _) => Err((Mismatch::SourceDoesNotTerminate, Point::End)),
        _ => Err((Mismatch::Ending, Point::End)),
    }
}
