//! The interface of an oracle: the question it answers, and how it judges a program.
//!
//! An oracle is a unit struct in a file of its own that implements [`Oracle`]; its findings implement
//! [`Evidence`](super::Evidence).

use super::Finding;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_pipeline::pass::Pipeline;
use backedge_validate::check::{Options, Side};

/// An oracle.
pub trait Oracle: Sync {
    /// The question that the oracle answers, in one line.
    fn question(&self) -> &'static str;
    /// The judgment, by its subject.
    fn judge(&self) -> Judge;
    /// The share of programs that the oracle examines by default, from 0 to 1.
    fn share(&self) -> f64 {
        1.0 / 16.0
    }
    /// Whether the oracle needs the solver's library.
    fn needs_solver(&self) -> bool {
        false
    }
    /// Whether the oracle works with an external optimizer.
    fn suits_commands(&self) -> bool {
        false
    }
}

/// How an oracle judges a program, by the subject of the judgment. Campaigns ask the oracles in the order of the
/// variants, and oracles with the same subject in the order of the list.
#[derive(Copy, Clone, Debug)]
pub enum Judge {
    /// The source module.
    Module(fn(&Module) -> Result<(), Finding>),
    /// A function of the source module.
    Function(fn(&FunctionCase<'_>) -> Result<(), Finding>),
    /// Passes that the oracle itself runs over a function of the source module.
    OwnPasses(fn(&FunctionCase<'_>) -> Vec<Finding>),
    /// A function and the result of passes.
    Pair(fn(&PairCase<'_>, &mut Work) -> Result<(), Finding>),
    /// A pipeline, run several times over a function.
    Pipeline(fn(&PipelineCase<'_>) -> Result<(), Finding>),
}

impl Judge {
    /// Whether the judgment depends on the pipeline under test.
    pub fn needs_pipeline(self) -> bool {
        match self {
            Self::Module(_) | Self::Function(_) | Self::OwnPasses(_) => false,
            Self::Pair(_) | Self::Pipeline(_) => true,
        }
    }
}

/// A function to judge.
#[derive(Copy, Clone)]
pub struct FunctionCase<'a> {
    /// The module that contains the function.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
    /// A number for the oracle's own choices, determined by the program's seed and a salt. Each oracle has its own
    /// salts.
    pub number: &'a dyn Fn(u64) -> u64,
}

/// A function and the result of passes.
#[derive(Copy, Clone, Debug)]
pub struct PairCase<'a> {
    /// The function before the passes.
    pub source: Side<'a>,
    /// The function after the passes.
    pub target: Side<'a>,
    /// Limits for runs.
    pub runs: Limits,
    /// Limits for the solver.
    pub proof: &'a Options,
}

/// Limits of the runs on one pair.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Number of inputs.
    pub runs: u64,
    /// Maximum number of steps per run.
    pub fuel: u64,
    /// Whether inputs may be undef.
    pub undef_inputs: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { runs: 16, fuel: 1_000, undef_inputs: true }
    }
}

impl Limits {
    /// Converts the limits to options of a check without a solver.
    pub fn options(self) -> Options {
        let Self { runs, fuel, undef_inputs } = self;
        let plain = Options::default();
        Options { runs, in_order: 4, at_random: 2, fuel, undef_inputs, solver: false, ..plain }
    }
}

/// A pipeline and a function.
#[derive(Copy, Clone, Debug)]
pub struct PipelineCase<'a> {
    /// The module that contains the function.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
    /// The pipeline.
    pub pipeline: &'a Pipeline,
}

/// Counters of the work of oracles on pairs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Pairs of runs.
    pub executions: u64,
    /// Pairs of runs whose source is defined.
    pub defined: u64,
    /// Solver queries about whole pairs.
    pub proofs: u64,
    /// Pairs without an observation, or with an inconclusive solver result.
    pub inconclusive: u64,
}
