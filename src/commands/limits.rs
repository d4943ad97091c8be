//! Limits of a check, common to `tv` and `gate`.

use backedge_validate::check::{Options, Uninit};
use std::time::Duration;

/// The longest time limit in seconds.
const WEEK: u64 = 7 * 24 * 60 * 60;
/// The bound that is asked for first.
const BOUND: u32 = 4;
/// What it is raised to.
const MAX_BOUND: u32 = 64;
/// The most steps and runs: what takes days.
pub(crate) const MOST: u64 = 1_000_000_000_000;

/// What the solver may take, where it is asked for a verdict or a proof is checked.
#[derive(Debug, clap::Args)]
pub(crate) struct SolverLimits {
    /// Solver's budget per check, in Z3's resource units: the same on every machine
    // Zero would be no limit at all.
    #[arg(long, value_name = "UNITS", default_value_t = 20_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    rlimit: u32,
    /// Wall clock per stage of a check in seconds, encoding included, on top of the budget, which should decide; lower
    /// bounds that are tried share as much again, and a worker is killed after twice as much for one stage
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=WEEK))]
    timeout: u64,
    /// Solver's memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
}

impl SolverLimits {
    /// `options` with these.
    pub(crate) fn of(&self, options: Options) -> Options {
        let Self { rlimit, timeout, memory } = *self;
        Options { rlimit, timeout: Duration::from_secs(timeout), memory_mb: memory, ..options }
    }
}

/// Which inputs there are.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndefInputs {
    /// Assume that no argument and no byte of the initial memory is undef; verdicts name the assumption where it matters
    #[arg(long, alias = "disable-undef-input")]
    assume_no_undef: bool,
}

impl UndefInputs {
    /// Whether inputs may be undef.
    pub(crate) fn allowed(&self) -> bool {
        !self.assume_no_undef
    }
}

/// Limits and readings of a check.
#[derive(Debug, clap::Args)]
pub(crate) struct Limits {
    /// Backedges taken per entry of a loop, on paths that the solver looks at. Without this it is 4 at first, and is
    /// doubled up to --max-bound while a part of the budget lasts, for pairs that are not proved for all iterations
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    bound: Option<u32>,
    /// The bound up to which it is doubled; default: what --bound says, 64 without it
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_bound: Option<u32>,
    /// Where the budget does not suffice for the bound, lower ones are tried, down to this one
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    min_bound: u32,
    #[command(flatten)]
    solver: SolverLimits,
    /// What uninitialised memory holds
    #[arg(long, value_enum, default_value_t = UninitArg::Undef)]
    uninit: UninitArg,
    #[command(flatten)]
    undef: UndefInputs,
    /// Steps of one run in the interpreter
    #[arg(long, value_name = "STEPS", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    fuel: u64,
    /// Runs in the interpreter per check
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    runs: u64,
    /// Only run both sides: what no run refutes is inconclusive, unless all inputs were run
    #[arg(long)]
    no_solver: bool,
    /// Don't look for proofs for all iterations: loops get bounded verdicts
    #[arg(long)]
    no_induction: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum UninitArg {
    /// `undef`: LLVM's present rule
    Undef,
    /// poison: the rule planned, which Alive2 assumes
    Poison,
}

impl Limits {
    /// As the checker takes them. Bounds that are not in their order are an error; one that is not given gives way.
    pub(crate) fn options(&self) -> miette::Result<Options> {
        let named =
            [("--min-bound", Some(self.min_bound)), ("--bound", self.bound), ("--max-bound", self.max_bound)];
        let given = named.into_iter().filter_map(|(name, bound)| Some((name, bound?))).collect::<Vec<_>>();
        for pair in given.windows(2) {
            if let [(low_name, low), (high_name, high)] = pair
                && low > high
            {
                miette::bail!(
                    help = "--min-bound, --bound and --max-bound rise in this order",
                    "{low_name} {low} is more than {high_name} {high}"
                );
            }
        }
        let most = self.max_bound.or(self.bound).unwrap_or_else(|| MAX_BOUND.max(self.min_bound));
        let bound = self.bound.unwrap_or_else(|| BOUND.max(self.min_bound).min(most));
        Ok(self.solver.of(Options {
            bound,
            min_bound: self.min_bound,
            max_bound: most,
            uninit: match self.uninit {
                UninitArg::Undef => Uninit::Undef,
                UninitArg::Poison => Uninit::Poison,
            },
            undef_inputs: self.undef.allowed(),
            fuel: self.fuel,
            runs: self.runs,
            solver: !self.no_solver,
            induction: !self.no_induction,
            ..Options::default()
        }))
    }
}
