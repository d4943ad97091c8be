//! Limits of a check, shared by `tv` and `gate`.

use backedge_validate::check::{Options, Uninit};
use std::time::Duration;

/// The maximum time limit, in seconds.
const WEEK: u64 = 7 * 24 * 60 * 60;
/// The default initial bound, in backedges per entry of a loop: the same as in `backedge_smt`.
const BOUND: u32 = 4;
/// The default maximum bound, in backedges per entry of a loop: the bound is doubled up to it while the budget lasts.
const MAX_BOUND: u32 = 64;
/// The maximum number of steps and runs, which would take days.
pub(crate) const MOST: u64 = 1_000_000_000_000;

/// Solver limits, for verdicts and for checking proofs.
#[derive(Debug, clap::Args)]
pub(crate) struct SolverLimits {
    /// Solver budget per check, in Z3's resource units, which are the same on every machine
    // Zero would mean no limit.
    #[arg(long, value_name = "UNITS", default_value_t = 20_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    rlimit: u32,
    /// Wall-clock seconds per stage of a check, including encoding, as a backstop to the budget; attempts with lower
    /// bounds share the same amount again, and a worker is killed after twice this time for one stage
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=WEEK))]
    timeout: u64,
    /// Like --timeout, in milliseconds, as in alive-tv
    #[arg(long, value_name = "MS", conflicts_with = "timeout", value_parser = clap::value_parser!(u64).range(1..=1000 * WEEK))]
    smt_to: Option<u64>,
    /// Solver memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
}

impl SolverLimits {
    /// Applies these limits to `options`.
    pub(crate) fn of(&self, options: Options) -> Options {
        let Self { rlimit, timeout, smt_to, memory } = *self;
        let timeout = smt_to.map_or(Duration::from_secs(timeout), Duration::from_millis);
        Options { rlimit, timeout, memory_mb: memory, ..options }
    }
}

/// Assumptions about inputs.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct UndefInputs {
    /// Assume that no argument and no byte of the initial memory is undef; verdicts state the assumption if it
    /// matters
    #[arg(long, alias = "disable-undef-input")]
    assume_no_undef: bool,
}

impl UndefInputs {
    /// Whether inputs may be undef.
    pub(crate) fn allowed(&self) -> bool {
        !self.assume_no_undef
    }
}

/// Assumptions about poison in inputs.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PoisonInputs {
    /// Assume that no argument and no byte of the initial memory is poison; verdicts state the assumption if it
    /// matters
    #[arg(long, alias = "disable-poison-input")]
    assume_no_poison: bool,
}

impl PoisonInputs {
    /// Whether inputs may be poison.
    pub(crate) fn allowed(&self) -> bool {
        !self.assume_no_poison
    }
}

/// Limits and options of a check.
#[derive(Debug, clap::Args)]
pub(crate) struct Limits {
    /// Maximum number of backedges taken per entry of a loop, on the paths that the solver examines. The default is
    /// 4, doubled up to --max-bound while part of the budget remains, for pairs without a proof for all iterations
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    bound: Option<u32>,
    /// The maximum bound after doubling; default: the value of --bound, or 64 without it
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_bound: Option<u32>,
    /// The minimum bound: lower bounds are tried if the budget does not suffice
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    min_bound: u32,
    #[command(flatten)]
    solver: SolverLimits,
    /// Contents of uninitialized memory
    #[arg(long, value_enum, default_value_t = UninitArg::Undef)]
    uninit: UninitArg,
    #[command(flatten)]
    undef: UndefInputs,
    #[command(flatten)]
    poison: PoisonInputs,
    /// Maximum number of steps per run in the interpreter
    #[arg(long, value_name = "STEPS", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    fuel: u64,
    /// Number of runs in the interpreter per check
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    runs: u64,
    /// Only run both sides: pairs without a refutation are inconclusive, unless all inputs were run
    #[arg(long)]
    no_solver: bool,
    /// Don't search for proofs for all iterations: loops get bounded verdicts
    #[arg(long)]
    no_induction: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum UninitArg {
    /// undef: LLVM's current rule
    Undef,
    /// poison: the planned rule, which Alive2 assumes
    Poison,
}

impl Limits {
    /// Sets the bound, and with it the maximum bound unless that is given.
    pub(crate) fn set_bound(&mut self, bound: u32) {
        self.bound = Some(bound);
    }

    /// Converts to the checker's options. Given bounds that are out of order are an error; a default bound is
    /// adjusted.
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
            poison_inputs: self.poison.allowed(),
            fuel: self.fuel,
            runs: self.runs,
            solver: !self.no_solver,
            induction: !self.no_induction,
            ..Options::default()
        }))
    }
}
