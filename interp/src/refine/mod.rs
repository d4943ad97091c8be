//! Compares a source with a target on one input: does the source allow every behavior of the target?
//!
//! For each sequence of the target's choices there must be a matching one of the source's. External functions are the
//! same on both sides: the same call gets the same answer in both runs. The source is tried with the most likely
//! choices first; if they do not match, all its choices are tried within a budget. A mismatch counts only if all
//! choices were tried and nothing was approximated ([`Reason`]).

mod compare;
mod events;
mod mismatch;

pub(crate) use compare::call_of_its_own;
pub(crate) use events::{Blind, call_refines, same_call};
pub(crate) use mismatch::Finding;
pub use mismatch::{Mismatch, Point, Reason};

use crate::chooser::{Chooser, EnumeratingChooser, FixedEnvironment, RecordingChooser, ReplayChooser};
use crate::exec::machine::{Machine, Run};
use crate::input::{Input, InputError};
use crate::observe::{Answered, Seen};
use crate::trace::NoObserver;
use backedge_ir::entity::FuncId;
use std::fmt;
use std::sync::Arc;

/// Where two runs on the same input and environment diverge, if the source run does not allow the target run. Other
/// choices on either side might match; [`refine`] tries them.
pub fn divergence(source: &Run, target: &Run) -> Option<(Mismatch, Point)> {
    match compare::runs(source, target) {
        Err(Finding::Violated(mismatch, point)) => Some((mismatch, point)),
        Ok(()) | Err(Finding::Unknown(_)) => None,
    }
}

/// A mismatch with the data needed to reproduce it.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The kind of mismatch.
    pub mismatch: Mismatch,
    /// Where the runs differ.
    pub point: Point,
    /// The choices of the target's run, in order.
    pub target_choices: Vec<u128>,
    /// Answers to external calls that the target's run was given in advance.
    pub script: Arc<Vec<Answered>>,
    /// Answers given to the source's run: the target's, and those to calls that only the source makes.
    pub source_script: Arc<Vec<Answered>>,
    /// A run of the source.
    pub source: Run,
    /// The run of the target.
    pub target: Run,
}

/// The result of a comparison on one input.
#[derive(Clone, PartialEq, Debug)]
pub enum Refinement {
    /// The source allows all runs of the target that were tried.
    Refines {
        /// Whether they were all runs of the target, in the environments tried.
        all_choices: bool,
        /// Whether the source has UB, so that the comparison says little about the target.
        source_ub: bool,
        /// Whether a run of the target fixed undefined bits once for several uses. In other runs each use may see
        /// different bits, so `all_choices` is false.
        narrowed: bool,
    },
    /// The source does not allow a run of the target.
    Violates(Box<Violation>),
    /// No tried choice of the source allows the run; untried ones remain.
    Unmatched(Box<Violation>),
    /// The comparison is inconclusive.
    Inconclusive(Reason),
}

/// A function with a machine to run it.
#[derive(Debug)]
pub struct Side<'a, 'p> {
    /// The machine.
    pub machine: &'a mut Machine<'p>,
    /// The function.
    pub func: FuncId,
}

/// Limits on the number of runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Maximum number of choice sequences of the target.
    pub target_runs: u32,
    /// Maximum number of choice sequences of the source for each of the target's.
    pub source_runs: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { target_runs: 64, source_runs: 256 }
    }
}

/// Compares `source` and `target` on `input` for all choices of the target within the budget, including the
/// environment's.
pub fn refine(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    budget: Budget,
) -> Result<Refinement, InputError> {
    let mut choices = EnumeratingChooser::new();
    let (mut source_ub, mut narrowed) = (true, false);
    let mut unknown = None;
    for _ in 0..budget.target_runs.max(1) {
        match refine_with(source, target, input, &mut choices, budget)? {
            Refinement::Refines { source_ub: ub, narrowed: more, .. } => {
                source_ub &= ub;
                narrowed |= more;
            }
            Refinement::Violates(violation) => return Ok(Refinement::Violates(violation)),
            Refinement::Unmatched(_) => unknown = unknown.or(Some(Reason::SourceChoices)),
            // The next sequence differs only in the last choice, so it would be cut short as well.
            Refinement::Inconclusive(reason) if reason.is_cut_short() => {
                return Ok(Refinement::Inconclusive(unknown.unwrap_or(reason)));
            }
            Refinement::Inconclusive(reason) => unknown = unknown.or(Some(reason)),
        }
        if !choices.advance() {
            return Ok(match unknown {
                Some(reason) => Refinement::Inconclusive(reason),
                None => Refinement::Refines { all_choices: !narrowed, source_ub, narrowed },
            });
        }
    }
    Ok(match unknown {
        Some(reason) => Refinement::Inconclusive(reason),
        None => Refinement::Refines { all_choices: false, source_ub, narrowed },
    })
}

/// Compares `source` and `target` on `input`; `chooser` resolves the choices of the target and of the environment.
pub fn refine_with(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    chooser: &mut dyn Chooser,
    budget: Budget,
) -> Result<Refinement, InputError> {
    refine_driven(
        source,
        target,
        input,
        Drivers { answers: &Arc::default(), source_answers: &[], target: chooser, source: None },
        budget,
    )
}

/// Inputs that determine one run of the target, and the first run of the source to compare it with.
pub struct Drivers<'a> {
    /// Known answers to the target's external calls.
    pub answers: &'a Arc<Vec<Answered>>,
    /// Answers to non-event calls that only the source makes. Such a call may get any answer, as long as equal calls
    /// get equal answers; omitted answers are 0.
    pub source_answers: &'a [Answered],
    /// The target's choices, and answers to further calls.
    pub target: &'a mut dyn Chooser,
    /// Choices of the source that are likely to match.
    pub source: Option<&'a mut dyn Chooser>,
}

impl fmt::Debug for Drivers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drivers").field("answers", &self.answers).finish_non_exhaustive()
    }
}

/// Compares one run of the target, determined by a witness, with runs of the source: first the run given by the
/// witness, if any, then one that chooses like the target, then all.
pub fn refine_driven(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    drivers: Drivers<'_>,
    budget: Budget,
) -> Result<Refinement, InputError> {
    let given = drivers.answers;
    let mut recorder = RecordingChooser::new(drivers.target);
    let t = target.machine.run_with(target.func, input, given, &mut recorder, &mut NoObserver)?;
    let script: Arc<Vec<Answered>> =
        Arc::new(t.answers.iter().chain(drivers.source_answers).cloned().collect());
    let run_answers =
        RunAnswers { choices: recorder.answers(), script: given.clone(), source_script: script.clone() };
    if let Some(witness) = drivers.source {
        let mut witness = FixedEnvironment { inner: witness };
        let s = source.machine.run_with(source.func, input, &script, &mut witness, &mut NoObserver)?;
        if compare::runs(&s, &t).is_ok() {
            return Ok(accepted(&s, &t));
        }
    }
    // The target's own choices are the best guess for the source's.
    let mut guess = FixedEnvironment { inner: ReplayChooser::new(own_choices(&recorder)) };
    let s = source.machine.run_with(source.func, input, &script, &mut guess, &mut NoObserver)?;
    let first = match compare::runs(&s, &t) {
        Ok(()) => return Ok(accepted(&s, &t)),
        Err(finding) => finding,
    };
    let is_cut_short = matches!(&first, Finding::Unknown(reason) if reason.is_cut_short());
    if s.choices == s.environment_choices || is_cut_short {
        let caveat = Caveat::of(&s, &t);
        return Ok(judge(first, s, t, run_answers, caveat));
    }
    search(source, input, budget, first, t, run_answers)
}

/// The environment's part of the runs.
struct RunAnswers {
    choices: Vec<u128>,
    script: Arc<Vec<Answered>>,
    source_script: Arc<Vec<Answered>>,
}

/// The program's own choices, without the environment's.
fn own_choices<C>(recorder: &RecordingChooser<C>) -> Vec<u128> {
    recorder
        .log
        .iter()
        .filter(|(choice, _)| !choice.kind.is_environment())
        .map(|(_, answer)| *answer)
        .collect()
}

fn accepted(source: &Run, target: &Run) -> Refinement {
    let source_ub = source.outcome.ub().is_some();
    // A source with UB allows every other run of the target too.
    let narrowed = target.narrowed_apart && !source_ub;
    Refinement::Refines { all_choices: target.choices == 0 && !narrowed, source_ub, narrowed }
}

/// Tries all choices of the source.
fn search(
    source: &mut Side<'_, '_>,
    input: &Input,
    budget: Budget,
    first: Finding,
    t: Run,
    run_answers: RunAnswers,
) -> Result<Refinement, InputError> {
    let script = &run_answers.source_script;
    let mut choices = FixedEnvironment { inner: EnumeratingChooser::new() };
    // A caveat on any source run makes the result inconclusive: the mismatch must hold for all source runs.
    let (mut unknown, mut caveat, mut last) = (None, Caveat::default(), None);
    for _ in 0..budget.source_runs {
        let s = source.machine.run_with(source.func, input, script, &mut choices, &mut NoObserver)?;
        caveat = caveat.or(Caveat::of(&s, &t));
        match compare::runs(&s, &t) {
            Ok(()) => return Ok(accepted(&s, &t)),
            Err(Finding::Unknown(reason)) => unknown = unknown.or(Some(reason)),
            Err(violated @ Finding::Violated(..)) => {
                if last.is_none() || !compare::is_self_made(&s, &t) {
                    last = Some((violated, s));
                }
            }
        }
        if !choices.inner.advance() {
            return Ok(match (unknown, last) {
                (Some(reason), _) => Refinement::Inconclusive(reason),
                (None, Some((violated, s))) => judge(violated, s, t, run_answers, caveat),
                (None, None) => Refinement::Inconclusive(Reason::SourceChoices),
            });
        }
    }
    if let (None, Some((violated, s))) = (unknown.clone(), last)
        && let Refinement::Violates(violation) = judge(violated, s, t, run_answers, caveat)
    {
        return Ok(Refinement::Unmatched(violation));
    }
    Ok(Refinement::Inconclusive(match (unknown, first) {
        (Some(reason), _) | (None, Finding::Unknown(reason)) => reason,
        (None, Finding::Violated(..)) => caveat.reason().unwrap_or(Reason::SourceChoices),
    }))
}

/// Approximations in the runs that make a mismatch inconclusive.
#[derive(Copy, Clone, Default)]
struct Caveat {
    narrowed: bool,
    observed_addresses: bool,
}

impl Caveat {
    fn of(source: &Run, target: &Run) -> Self {
        let observed_addresses = source.observed_addresses || target.observed_addresses;
        // If the target returns undefined bits, a narrowed source value represents several possible values.
        let narrowed =
            source.narrowed_apart || source.narrowed && target.returned.as_ref().is_some_and(has_undef);
        Self { narrowed, observed_addresses }
    }
    fn or(self, other: Self) -> Self {
        Self {
            narrowed: self.narrowed || other.narrowed,
            observed_addresses: self.observed_addresses || other.observed_addresses,
        }
    }
    fn reason(self) -> Option<Reason> {
        match self {
            Self { narrowed: true, .. } => Some(Reason::UndefNarrowed),
            Self { observed_addresses: true, .. } => Some(Reason::AddressesObserved),
            Self { .. } => None,
        }
    }
}

fn has_undef(seen: &Seen) -> bool {
    match seen {
        Seen::Bits(cube) => !cube.is_known(),
        Seen::Agg(members) => members.iter().any(has_undef),
        Seen::Poison | Seen::Ptr(..) | Seen::Address(_) => false,
    }
}

/// Reports a mismatch, unless something was approximated.
fn judge(finding: Finding, source: Run, target: Run, run_answers: RunAnswers, caveat: Caveat) -> Refinement {
    match (finding, caveat.reason()) {
        (Finding::Unknown(reason), _) | (Finding::Violated(..), Some(reason)) => {
            Refinement::Inconclusive(reason)
        }
        (Finding::Violated(mismatch, point), None) => {
            let RunAnswers { choices: target_choices, script, source_script } = run_answers;
            Refinement::Violates(Box::new(Violation {
                mismatch,
                point,
                target_choices,
                script,
                source_script,
                source,
                target,
            }))
        }
    }
}
