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
use crate::observe::{Answered, EventKind, ObjectName, Seen};
use crate::outcome::Outcome;
use crate::trace::NoObserver;
use backedge_ir::entity::FuncId;
pub(crate) use compare::{Blind, call_of_its_own};
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
    /// The target ends, the source runs forever without having to make progress.
    #[error("target terminates where source does not")]
    SourceDoesNotTerminate,
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
    /// Neither run shows anything; how the source's was cut short.
    BothCutShort(Box<Outcome>),
    /// The source has more choices than the budget allows to try.
    SourceChoices,
    /// Undefined bits were fixed at a use in the source.
    UndefNarrowed,
    /// A run depends on where local objects lie.
    AddressesObserved,
    /// A run called a library function that is known and not modelled, or only one side reads it as one.
    Library(Arc<str>),
    /// The runs evaluate a mathematical function on different operands, whose accuracy LangRef leaves open.
    Accuracy(&'static str),
}

impl Reason {
    /// Whether a run showed nothing: most likely those that choose otherwise later on would not either.
    fn is_cut_short(&self) -> bool {
        match self {
            Self::SourceCutShort(_) | Self::TargetCutShort(_) | Self::BothCutShort(_) => true,
            Self::SourceChoices
            | Self::UndefNarrowed
            | Self::AddressesObserved
            | Self::Library(_)
            | Self::Accuracy(_) => false,
        }
    }
}

/// Why a run that ended so was compared with no other.
fn cut_short(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsupported { feature, .. } => format!("{feature} is not modelled"),
        Outcome::LimitExceeded(limit) => limit.to_string(),
        Outcome::OutOfFuel => "it takes more steps than a run may".to_owned(),
        Outcome::Returned(_)
        | Outcome::Ub { .. }
        | Outcome::DidNotReturn { .. }
        | Outcome::Diverges { .. } => outcome.name().to_owned(),
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceCutShort(outcome) => {
                write!(f, "the run of the source shows nothing: {}", cut_short(outcome))
            }
            Self::TargetCutShort(outcome) => {
                write!(f, "the run of the target shows nothing: {}", cut_short(outcome))
            }
            Self::BothCutShort(outcome) => {
                write!(f, "the runs of source and target show nothing: {}", cut_short(outcome))
            }
            Self::SourceChoices => f.write_str("the source has more choices than are tried"),
            Self::UndefNarrowed => {
                f.write_str("a choice for undef bits is made once for all uses of what is computed from it")
            }
            Self::Accuracy(name) => write!(f, "the accuracy of llvm.{name} is open"),
            Self::Library(name) => write!(f, "the library function @{name} is not modelled here"),
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
    /// Those that the source's run was given: the target's, and those to calls that the source alone makes.
    pub source_script: Arc<Vec<Answered>>,
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
        /// Whether a run of the target chose undefined bits once for several uses: there are runs in which each use sees
        /// other bits, so that `all_choices` is false.
        narrowed: bool,
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
pub(crate) fn call_refines(source: &EventKind, target: &EventKind, blind: Blind) -> Result<(), Mismatch> {
    compare::event(source, target, blind).map_err(|(mismatch, _)| mismatch)
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
            // The next sequence is the same but for the last choice.
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

/// Compares `source` and `target` on `input` where `chooser` decides the target's choices and the environment's.
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

/// What decides one run of the target, and which run of the source it is to be compared with first.
pub struct Drivers<'a> {
    /// The answers to the target's external calls, as far as they are known.
    pub answers: &'a Arc<Vec<Answered>>,
    /// Answers to calls that the source alone makes and that are no events. What nobody else calls may answer anything, as
    /// long as the same call is answered alike; those left out answer 0.
    pub source_answers: &'a [Answered],
    /// The target's choices, and the answers to calls beyond these.
    pub target: &'a mut dyn Chooser,
    /// Choices of the source that somebody thinks will match.
    pub source: Option<&'a mut dyn Chooser>,
}

impl fmt::Debug for Drivers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drivers").field("answers", &self.answers).finish_non_exhaustive()
    }
}

/// Compares one run of the target, decided by a witness, with the runs of the source: with the one that the witness
/// gives, if it does, then with one that chooses like the target, then with all.
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
    let told = Told { choices: recorder.answers(), script: given.clone(), source_script: script.clone() };
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
        return Ok(judge(first, (s, t), told, caveat));
    }
    search(source, input, (&script, budget), first, (t, told))
}

/// What the runs were told from outside.
struct Told {
    choices: Vec<u128>,
    script: Arc<Vec<Answered>>,
    source_script: Arc<Vec<Answered>>,
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
    let source_ub = source.outcome.ub().is_some();
    // A source that is undefined allows whatever the other runs do.
    let narrowed = target.narrowed_apart && !source_ub;
    Refinement::Refines { all_choices: target.choices == 0 && !narrowed, source_ub, narrowed }
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
    // What any of the source's runs leaves open is open: the mismatch has to be one for all of them.
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
                (None, Some((violated, s))) => judge(violated, (s, t), told, caveat),
                (None, None) => Refinement::Inconclusive(Reason::SourceChoices),
            });
        }
    }
    if let (None, Some((violated, s))) = (unknown.clone(), last)
        && let Refinement::Violates(violation) = judge(violated, (s, t), told, caveat)
    {
        return Ok(Refinement::Unmatched(violation));
    }
    Ok(Refinement::Inconclusive(match (unknown, first) {
        (Some(reason), _) | (None, Finding::Unknown(reason)) => reason,
        (None, Finding::Violated(..)) => caveat.reason().unwrap_or(Reason::SourceChoices),
    }))
}

/// What was approximated in runs, so that a mismatch of theirs shows nothing.
#[derive(Copy, Clone, Default)]
struct Caveat {
    narrowed: bool,
    observed_addresses: bool,
}

impl Caveat {
    fn of(source: &Run, target: &Run) -> Self {
        let observed_addresses = source.observed_addresses || target.observed_addresses;
        // Where the target shows undefined bits, one value of the source stands for as many as it can have.
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

/// A mismatch, unless something was approximated.
fn judge(finding: Finding, (source, target): (Run, Run), told: Told, caveat: Caveat) -> Refinement {
    match (finding, caveat.reason()) {
        (Finding::Unknown(reason), _) | (Finding::Violated(..), Some(reason)) => {
            Refinement::Inconclusive(reason)
        }
        (Finding::Violated(mismatch, point), None) => {
            let Told { choices: target_choices, script, source_script } = told;
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
