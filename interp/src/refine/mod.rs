//! Compares a source with a target on one input: is everything that the target does allowed by the source?
//!
//! For each sequence of the target's choices there has to be one of the source's. External functions are the same on
//! both sides: what one run was answered, the other is answered when it asks the same. The source is tried with the
//! choices that come first; where these don't do, all of its choices are tried within a budget. A mismatch counts only
//! if all of them were tried, and if nothing was approximated on the way ([`Reason`]).

mod compare;

use crate::chooser::{Chooser, EnumeratingChooser, FixedEnvironment, RecordingChooser, ReplayChooser};
use crate::exec::machine::{Machine, Run};
use crate::input::{Input, InputError};
use crate::observe::{Answered, EventKind, ObjectName};
use crate::outcome::Outcome;
use crate::trace::NoObserver;
use backedge_ir::entity::FuncId;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// How a target fails to refine its source. The words are those that users of Alive2 know.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Error)]
pub enum Mismatch {
    /// A defined value differs.
    #[error("value mismatch")]
    Value,
    /// A value is poison in the target only.
    #[error("target is more poisonous than source")]
    MorePoisonous,
    /// A value is undef in the target only.
    #[error("target's return value is more undefined")]
    MoreUndefined,
    /// The target has undefined behaviour, the source has not.
    #[error("source is more defined than target")]
    SourceMoreDefined,
    /// Memory that others can see differs.
    #[error("mismatch in memory")]
    Memory,
    /// Calls or volatile accesses differ.
    #[error("mismatch in observable events")]
    Events,
    /// The source ends, the target runs forever.
    #[error("target does not terminate")]
    TargetDoesNotTerminate,
    /// They end in different ways.
    #[error("target ends in another way than source")]
    Ending,
}

/// Where two runs part.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// At the n-th event, from 0.
    Event(usize),
    /// In the returned value.
    Return,
    /// At a byte of an object.
    Memory(ObjectName, u64),
    /// In how they end.
    End,
}

impl Point {
    /// The number of the event, if it is at one.
    pub fn event(&self) -> Option<usize> {
        if let Self::Event(number) = self { Some(*number) } else { None }
    }
}

/// Where two runs on the same input and environment part: what the second did is not allowed by the first. Other
/// choices of either might do better; [`refine`] tries them.
pub fn divergence(source: &Run, target: &Run) -> Option<(Mismatch, Point)> {
    match compare::runs(source, target) {
        Err(Finding::Violated(mismatch, point)) => Some((mismatch, point)),
        Ok(()) | Err(Finding::Unknown(_)) => None,
    }
}

/// Why nothing is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The source's run shows nothing.
    SourceCutShort(Box<Outcome>),
    /// The target's run shows nothing.
    TargetCutShort(Box<Outcome>),
    /// The source has more choices than the budget allows to try.
    SourceChoices,
    /// Undefined bits were fixed at a use in the source.
    UndefNarrowed,
    /// A run depends on where local objects lie.
    AddressesObserved,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceCutShort(outcome) => write!(f, "the run of the source shows nothing: {outcome:?}"),
            Self::TargetCutShort(outcome) => write!(f, "the run of the target shows nothing: {outcome:?}"),
            Self::SourceChoices => f.write_str("the source has more choices than are tried"),
            Self::UndefNarrowed => {
                f.write_str("a choice for undef bits is made once for all uses of what is computed from it")
            }
            Self::AddressesObserved => f.write_str("a run depends on where local objects lie"),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Finding {
    Violated(Mismatch, Point),
    Unknown(Reason),
}

/// A mismatch with all that is needed to see it again.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// What is wrong.
    pub mismatch: Mismatch,
    /// Where.
    pub point: Point,
    /// The choices of the target's run, in order.
    pub target_choices: Vec<u128>,
    /// The answers to external calls that the target's run was given beforehand.
    pub script: Arc<Vec<Answered>>,
    /// A run of the source.
    pub source: Run,
    /// The run of the target.
    pub target: Run,
}

/// The result of comparing on one input.
#[derive(Clone, PartialEq, Debug)]
pub enum Refinement {
    /// The runs of the target that were tried are allowed.
    Refines {
        /// Whether these were all of them, in the environments that were tried.
        all_choices: bool,
        /// Whether the source has undefined behaviour, so that little was asked of the target.
        source_ub: bool,
    },
    /// One is not.
    Violates(Box<Violation>),
    /// One is not allowed by any choice of the source that was tried; others are left.
    Unmatched(Box<Violation>),
    /// It can't be said.
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

/// How much is tried.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Sequences of the target's choices.
    pub target_runs: u32,
    /// Sequences of the source's choices for each of these.
    pub source_runs: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Self { target_runs: 64, source_runs: 256 }
    }
}

/// Whether the call `target` is allowed in place of the call `source`.
pub(crate) fn call_refines(source: &EventKind, target: &EventKind) -> Result<(), Mismatch> {
    compare::event(source, target).map_err(|(mismatch, _)| mismatch)
}

/// Compares `source` and `target` on `input`; all choices of the target within the budget, the environment's among
/// them.
pub fn refine(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    budget: Budget,
) -> Result<Refinement, InputError> {
    let mut choices = EnumeratingChooser::new();
    let mut source_ub = true;
    let mut unknown = None;
    for _ in 0..budget.target_runs.max(1) {
        match refine_with(source, target, input, &mut choices, budget)? {
            Refinement::Refines { source_ub: ub, .. } => source_ub &= ub,
            Refinement::Violates(violation) => return Ok(Refinement::Violates(violation)),
            Refinement::Unmatched(_) => unknown = unknown.or(Some(Reason::SourceChoices)),
            Refinement::Inconclusive(reason) => unknown = unknown.or(Some(reason)),
        }
        if !choices.advance() {
            return Ok(match unknown {
                Some(reason) => Refinement::Inconclusive(reason),
                None => Refinement::Refines { all_choices: true, source_ub },
            });
        }
    }
    Ok(match unknown {
        Some(reason) => Refinement::Inconclusive(reason),
        None => Refinement::Refines { all_choices: false, source_ub },
    })
}

/// Compares `source` and `target` on `input` where `chooser` decides the target's choices and the environment's.
pub fn refine_with(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    chooser: &mut dyn Chooser,
    budget: Budget,
) -> Result<Refinement, InputError> {
    refine_answered(source, target, input, &Arc::default(), chooser, budget)
}

/// [`refine_with`], in an environment that gives the answers of `given` to the target's external calls.
pub fn refine_answered(
    source: &mut Side<'_, '_>,
    target: &mut Side<'_, '_>,
    input: &Input,
    given: &Arc<Vec<Answered>>,
    chooser: &mut dyn Chooser,
    budget: Budget,
) -> Result<Refinement, InputError> {
    let mut recorder = RecordingChooser::new(chooser);
    let t = target.machine.run_with(target.func, input, given, &mut recorder, &mut NoObserver)?;
    let told = Told { choices: recorder.answers(), script: given.clone() };
    let script = Arc::new(t.answers.clone());
    // The target's own choices are the best guess for the source's.
    let mut guess = FixedEnvironment { inner: ReplayChooser::new(own_choices(&recorder)) };
    let s = source.machine.run_with(source.func, input, &script, &mut guess, &mut NoObserver)?;
    let first = match compare::runs(&s, &t) {
        Ok(()) => return Ok(accepted(&s, &t)),
        Err(finding) => finding,
    };
    if s.choices == s.environment_choices {
        return Ok(judge(first, s, t, told));
    }
    search(source, input, (&script, budget), first, (t, told))
}

/// What the target's run was told from outside.
struct Told {
    choices: Vec<u128>,
    script: Arc<Vec<Answered>>,
}

/// The choices that are the program's, not the environment's.
fn own_choices<C>(recorder: &RecordingChooser<C>) -> Vec<u128> {
    recorder
        .log
        .iter()
        .filter(|(choice, _)| !choice.kind.is_environment())
        .map(|(_, answer)| *answer)
        .collect()
}

fn accepted(source: &Run, target: &Run) -> Refinement {
    Refinement::Refines { all_choices: target.choices == 0, source_ub: source.outcome.ub().is_some() }
}

/// Tries all choices of the source.
fn search(
    source: &mut Side<'_, '_>,
    input: &Input,
    (script, budget): (&Arc<Vec<Answered>>, Budget),
    first: Finding,
    (t, told): (Run, Told),
) -> Result<Refinement, InputError> {
    let mut choices = FixedEnvironment { inner: EnumeratingChooser::new() };
    let mut last = None;
    for _ in 0..budget.source_runs {
        let s = source.machine.run_with(source.func, input, script, &mut choices, &mut NoObserver)?;
        match compare::runs(&s, &t) {
            Ok(()) => return Ok(accepted(&s, &t)),
            Err(Finding::Unknown(reason)) => return Ok(Refinement::Inconclusive(reason)),
            Err(violated) if !choices.inner.advance() => return Ok(judge(violated, s, t, told)),
            Err(violated) => last = Some((violated, s)),
        }
    }
    Ok(match (first, last) {
        (Finding::Unknown(reason), _) => Refinement::Inconclusive(reason),
        (Finding::Violated(..), None) => Refinement::Inconclusive(Reason::SourceChoices),
        (Finding::Violated(..), Some((finding, s))) => match judge(finding, s, t, told) {
            Refinement::Violates(violation) => Refinement::Unmatched(violation),
            other @ (Refinement::Refines { .. } | Refinement::Unmatched(_) | Refinement::Inconclusive(_)) => {
                other
            }
        },
    })
}

/// A mismatch, unless something was approximated.
fn judge(finding: Finding, source: Run, target: Run, told: Told) -> Refinement {
    match finding {
        Finding::Unknown(reason) => Refinement::Inconclusive(reason),
        Finding::Violated(..) if source.narrowed => Refinement::Inconclusive(Reason::UndefNarrowed),
        Finding::Violated(..) if source.observed_addresses || target.observed_addresses => {
            Refinement::Inconclusive(Reason::AddressesObserved)
        }
        Finding::Violated(mismatch, point) => {
            let Told { choices: target_choices, script } = told;
            Refinement::Violates(Box::new(Violation {
                mismatch,
                point,
                target_choices,
                script,
                source,
                target,
            }))
        }
    }
}
