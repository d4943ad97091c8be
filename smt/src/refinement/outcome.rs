//! The answers of a check: the outcome, its assumptions, why a question is undecided, and what the check cost.

use crate::encode::function::{Halt, Unsupported};
use crate::encode::world::{Approximation, World};
use crate::limits::Exhausted;
use crate::refinement::Witness;
use crate::solver::{Cost, SolverError, UnknownReason};
use backedge_ir::entity::Block;
use std::fmt;
use thiserror::Error;

/// The answer.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The source allows every run of the target.
    Refines {
        /// The bound on iterations; `None` if no run exceeds it, so that the answer holds for all runs.
        bound: Option<u32>,
        /// The blocks and edges that no run within the bound reaches.
        unreached: Unreached,
        /// Assumptions about inputs beyond the attributes.
        assumed: Vec<InputAssumption>,
    },
    /// The source does not allow some run of the target. Running the witness must confirm it.
    Refuted {
        /// The kind of failure.
        failure: Failure,
        /// The run.
        witness: Box<Witness>,
        /// Whether the target fails for all choices of the source. If not, it fails for the choices that were tried.
        all_choices: bool,
        /// The outcome without undef inputs, if the failing run needs an undef input.
        otherwise: Option<Box<Outcome>>,
    },
    /// The source has UB in every run before it passes the bound.
    Vacuous,
    /// Not decided.
    Inconclusive(Reason),
}

/// An assumption of a proof about inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputAssumption {
    /// No argument and no byte of the initial memory is poison.
    NoPoisonInputs,
    /// No argument and no byte of the initial memory is `undef`.
    NoUndefInputs,
}

impl Outcome {
    /// Adds an assumption to all answers that are proofs, as the first one.
    pub(super) fn assume(&mut self, assumption: InputAssumption) {
        match self {
            Self::Refines { assumed, .. } => assumed.insert(0, assumption),
            Self::Refuted { otherwise: Some(otherwise), .. } => otherwise.assume(assumption),
            Self::Refuted { otherwise: None, .. } | Self::Vacuous | Self::Inconclusive(_) => {}
        }
    }
}

/// Why a question is undecided.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The two functions cannot be compared.
    Mismatch(Mismatch),
    /// A feature is not modelled.
    Unsupported(Unsupported),
    /// The solver gave up on the query with this name.
    Solver(&'static str, UnknownReason),
    /// The solver misbehaved.
    Broken(SolverError),
    /// Every defined run exceeds the bound on at least one side.
    PastBound {
        /// The bound on iterations.
        bound: u32,
    },
    /// The target uses undef bits in a way for which the model only covers a single choice.
    UndefChosenOnce,
    /// The source loads a pointer with some, but not all, bits undef; the model treats all of its bits as undef.
    PartlyUndefPointer,
    /// The formula is too large for the solver.
    TooLarge {
        /// Number of terms of the formula, or of its part when it was given up.
        terms: usize,
        /// The bound with which the formula is too large.
        bound: u32,
    },
    /// The time limit was reached outside the solver.
    Time,
}

/// The outcome of a check with its cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub outcome: Outcome,
    /// The cost of the queries.
    pub cost: Cost,
    /// The approximations of the model: a refutation may be due to one of them, a proof is not.
    pub approximations: Vec<Approximation>,
    /// Whether a library function that [`LibraryModel::Bytes`] models was treated as unknown.
    pub unknown_library: bool,
}

impl Report {
    pub(super) fn new(outcome: Outcome, cost: Cost, world: World) -> Self {
        let World { approximations, library_is_unknown: unknown_library, .. } = world;
        Self { outcome, cost, approximations, unknown_library }
    }
}

/// The reason to report for a function that could not be encoded.
pub(crate) fn halted(halt: Halt, world: &World) -> Reason {
    match halt {
        Halt::Unsupported(unsupported) => Reason::Unsupported(unsupported),
        Halt::Exhausted(limit) => exhausted(limit, world),
    }
}

/// The reason to report for a limit reached outside the solver.
pub(crate) fn exhausted(limit: Exhausted, world: &World) -> Reason {
    match limit {
        Exhausted::Time => Reason::Time,
        Exhausted::Terms => Reason::TooLarge { terms: world.terms.len(), bound: world.repeated.into() },
    }
}

/// The kind of refinement failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// The target has UB where the source has none.
    MoreDefined,
    /// Calls or other observable events differ, or one of them returns and the other does not.
    EventMismatch,
    /// The target returns poison where the source does not.
    MorePoisonous,
    /// The results differ.
    ValueMismatch,
    /// The memory that the caller sees differs at the end.
    MemoryMismatch,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MoreDefined => "source is more defined than target",
            Self::EventMismatch => "event mismatch",
            Self::MorePoisonous => "target is more poisonous than source",
            Self::ValueMismatch => "value mismatch",
            Self::MemoryMismatch => "mismatch in memory",
        })
    }
}

impl Failure {
    /// The name of the query for this failure.
    pub(crate) fn query(self) -> &'static str {
        match self {
            Self::MoreDefined => "UB of the target",
            Self::EventMismatch => "events",
            Self::MorePoisonous => "poison of the result",
            Self::ValueMismatch => "value of the result",
            Self::MemoryMismatch => "final memory",
        }
    }
}

/// Why two functions cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Mismatch {
    /// The types of parameters or results differ.
    #[error("the functions differ in the types of their parameters or result")]
    Signature,
    /// The data layouts of the modules differ.
    #[error("the modules differ in data layout")]
    DataLayout,
}

/// An edge between blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Source of the edge.
    pub from: Block,
    /// Destination of the edge.
    pub to: Block,
}

/// Blocks and edges not reached by any run found within the bound in which the source has no UB, in text order. Blocks
/// that are unreachable in the CFG are not listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unreached {
    /// Blocks of the source.
    pub source_blocks: Vec<Block>,
    /// Edges of the source between blocks that are reached.
    pub source_edges: Vec<Edge>,
    /// Blocks of the target.
    pub target_blocks: Vec<Block>,
    /// Edges of the target between blocks that are reached.
    pub target_edges: Vec<Edge>,
    /// Blocks of the source that only runs past the bound reach, so that the target may behave differently there.
    pub beyond_blocks: Vec<Block>,
    /// Edges of the source that only such runs take.
    pub beyond_edges: Vec<Edge>,
    /// A side that exceeds the bound in runs in which the other side ends at once.
    pub apart: Option<Apart>,
}

/// Runs in which one side ends without completing a cycle and the other side exceeds the bound. Nothing was compared in
/// these runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// The source exceeds the bound, in a cycle that is not known to terminate.
    Source,
    /// The target exceeds the bound.
    Target,
}
