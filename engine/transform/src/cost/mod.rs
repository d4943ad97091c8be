//! Cost model for copying parts of a loop on a given machine: unrolling by a factor, full unrolling, peeling and
//! splitting the iterations.
//!
//! Two benefits are weighed separately (*LLVM Loop Opt Ideas*, "Unroll Heuristics"):
//!
//! 1. *Direct simplification*: some copies have less to do. The work per iteration must decrease, and the code must
//!    stay within the smallest cache. If the code does not grow, this is always worthwhile.
//! 2. *Branch cost*: fewer branches are executed. Their cost depends mainly on the machine ([`Machine`]).
//!
//! Peeling and splitting leave a cheaper loop and add code that runs once: the savings over the known or usual number
//! of iterations must be worth the added instructions.
//!
//! Exits that rounds do not test (because an epilogue is required, or because they are counted) do not count for the
//! rounds. Profile data gives the number of iterations that share the cost. A function that is never called according
//! to its profile, or that must be small ([`Tight`]), may not grow.
//!
//! Costs are integers in tenths of an instruction, so that results are the same on every host.

mod keyed;
mod machine;
mod measure;
pub(crate) mod profile;

pub use machine::{MACHINES, Machine, Predictor};
pub(crate) use measure::{LoopCost, settled_by};

use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use std::fmt;

/// The costs of one iteration of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Iteration {
    /// Instructions that are not free, branches included; a call counts as more than one.
    pub size: u32,
    /// Conditional branches and switches, the latch's included.
    pub branches: u32,
    /// How many of the exits are not tested in rounds; the instructions that only they need are removed too.
    pub untested: u32,
    /// Instructions that only the untested exits need, branches included.
    pub for_tests: u32,
    /// The number of exits of the loop.
    pub exits: u32,
    /// The trip count, if known.
    pub trips: Option<u64>,
    /// The trip count that profile data predicts.
    pub expected: Option<u64>,
    /// Instructions of an iteration that are usually not executed, according to profile data.
    pub cold: u32,
    /// Branches of an iteration that are usually not executed.
    pub cold_branches: u32,
    /// Why the code must not grow, if it must not.
    pub tight: Option<Tight>,
}

/// Whether the function must be small, whatever else is requested.
pub fn is_optimized_for_size(env: &Env, func: FuncId) -> bool {
    let attrs = &env.funcs[func].attrs;
    [FlagAttr::OptSize, FlagAttr::MinSize].iter().any(|a| env.has_attr(attrs, *a))
}

/// Why code must not grow.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tight {
    /// Profile data says that the function is never called.
    NeverExecuted,
    /// The function is marked as rarely called (`cold`).
    Cold,
    /// The function must be small (`optsize`, `minsize`).
    ForSize,
}

impl Tight {
    /// Why the code of the function must not grow, if it must not. Explicit requests (metadata, pass parameters)
    /// bypass this.
    pub(crate) fn of(env: &Env, func: FuncId) -> Option<Self> {
        if is_optimized_for_size(env, func) {
            return Some(Self::ForSize);
        }
        let attrs = &env.funcs[func].attrs;
        match profile::entry_count(env, func) {
            Some(0) => Some(Self::NeverExecuted),
            Some(_) => None,
            None => env.has_attr(attrs, FlagAttr::Cold).then_some(Self::Cold),
        }
    }
}

impl fmt::Display for Tight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NeverExecuted => "never executed",
            Self::Cold => "the function is cold",
            Self::ForSize => "the function is to be small",
        })
    }
}

impl Iteration {
    /// The cost of `iterations` iterations with `size` instructions in total, `branches` of them branches, in tenths
    /// of an instruction. `own` branches only decide whether the loop continues.
    fn cost(self, machine: &Machine, iterations: usize, size: u32, branches: u32, own: u32) -> u32 {
        let seldom = self.cold.saturating_mul(iterations as u32);
        let executed = self.executed_branches(branches, iterations);
        size.saturating_sub(seldom) * 10 + machine.branches_cost(self, iterations, executed, own)
    }
    /// How many of the `branches` branches of `iterations` iterations are executed.
    fn executed_branches(self, branches: u32, iterations: usize) -> u32 {
        branches.saturating_sub(self.cold_branches.saturating_mul(iterations as u32))
    }
}

/// A candidate transform of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Rounds of this many iterations; 1 is the unchanged loop.
    Rounds(usize),
    /// This many straight-line copies, and no loop.
    Full(usize),
    /// This many iterations peeled off before the loop.
    Peeled(usize),
    /// The last iteration peeled off after the loop.
    PeeledLast,
    /// Two loops, one after the other.
    Split,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds(factor) => write!(f, "x{factor}"),
            Self::Full(trips) => write!(f, "all {trips}"),
            Self::Peeled(count) => write!(f, "peeled {count}"),
            Self::PeeledLast => f.write_str("peeled last"),
            Self::Split => f.write_str("split"),
        }
    }
}

/// The estimated result of a candidate transform.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The candidate.
    pub what: What,
    /// Cost per iteration, in tenths of an instruction.
    pub dynamic: u32,
    /// Branches executed per iteration, in tenths.
    pub branches: u32,
    /// Code size in instructions, of the loop or its replacement.
    pub size: u32,
    /// Instructions saved because they are uniform or decided: per round, or per iteration.
    pub spared: u32,
}

/// The candidates that were weighed, and the choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The machine of the cost model.
    pub machine: &'static str,
    /// Why the code must not grow, if it must not.
    pub tight: Option<Tight>,
    /// The unchanged loop, followed by the candidates.
    pub rows: Vec<Row>,
    /// The best worthwhile candidate, if any.
    pub chosen: Option<What>,
}

/// The unroll factors considered for every loop.
pub const FACTORS: [usize; 3] = [2, 4, 8];
/// Minimum relative cost reduction per iteration through saved instructions, in percent: smaller savings do not justify
/// larger code.
const LEAST_GAIN: u32 = 10;
/// Minimum relative cost reduction per iteration for each doubling of the copies, in percent: each doubling doubles the
/// code.
const LEAST_STEP: u32 = 12;
/// Cost of counting rounds, in instructions: an addition, a comparison and a branch.
const COUNTING: u32 = 3;
/// Assumed trip count of a loop without any information, in iterations: one-time costs are spread over it.
pub const USUAL_TRIPS: u64 = 32;

/// Maximum number of copies for full unrolling if some of them may not be executed: code of copies that do not run is
/// in vain.
const MOST_BOUND: usize = 8;

/// A transform after which the iterations of a loop have less to do.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Relief {
    /// The transform.
    pub what: What,
    /// Instructions saved per iteration, branches included.
    pub spared: u32,
    /// Branches among the saved instructions.
    pub branches: u32,
    /// Instructions added.
    pub added: u32,
    /// The number of iterations in which nothing is saved.
    pub as_before: u64,
}

/// Savings of a round because lanes are uniform or decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Spared {
    /// Instructions, branches included.
    pub instructions: u32,
    /// Branches among them.
    pub branches: u32,
}

/// Weighs unrolling by each factor, in increasing order; `rounds` has the savings of a round for each factor.
pub fn weigh(machine: &Machine, iteration: Iteration, rounds: &[(usize, Spared)]) -> Table {
    let before = as_it_is(machine, iteration);
    let mut rows = vec![before];
    let mut chosen: Option<(usize, Row)> = None;
    for &(factor, spared) in rounds {
        let row = row(machine, iteration, factor, spared);
        rows.push(row);
        let trips = known_trips(iteration);
        let fits = row.size as usize <= machine.cache && trips.is_none_or(|trips| trips >= factor as u64 * 2);
        // Larger code must gain enough over the next smaller factor: its cost for other code is not modelled here.
        let better = chosen.is_none_or(|(smaller, c)| {
            let doublings = (factor / smaller).ilog2();
            let cheaper =
                (0..doublings).fold(c.dynamic, |cost, _| cost * (100 - LEAST_STEP) / 100) >= row.dynamic;
            // Fewer branches are a reason on some machines only.
            let spares_more = u64::from(row.spared) * smaller as u64 > u64::from(c.spared) * factor as u64;
            cheaper && (spares_more || machine.favors_fewer_branches(iteration, before, factor, row))
        });
        let grows = row.size > before.size;
        if fits
            && better
            && !(grows && iteration.tight.is_some())
            && is_worth_it(machine, iteration, before, factor, row)
        {
            chosen = Some((factor, row));
        }
    }
    Table { machine: machine.name, tight: iteration.tight, rows, chosen: chosen.map(|(_, row)| row.what) }
}

/// Full unrolling of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Straight {
    /// The number of copies.
    pub trips: usize,
    /// Whether exactly `trips` iterations run, not just at most.
    pub always: bool,
    /// Instructions of an iteration that become constant in each copy, without those that count or leave.
    pub folded: u32,
}

/// Weighs full unrolling. Code that grows must fit the smallest cache and lower the cost per iteration; copies that
/// may not be executed must be few.
pub fn weigh_full(machine: &Machine, iteration: Iteration, straight: Straight) -> Table {
    let Straight { trips, always, folded } = straight;
    let before = as_it_is(machine, iteration);
    let counting = iteration.for_tests.min(iteration.size);
    let per_copy = iteration.size.saturating_sub(counting).saturating_sub(folded);
    let branches = iteration.branches.saturating_sub(iteration.untested);
    let row = Row {
        what: What::Full(trips),
        // The number of remaining branches matters more than one iteration more or less.
        dynamic: iteration.cost(machine, 1, per_copy, branches, 0),
        branches: iteration.executed_branches(branches, 1) * 10,
        size: per_copy.saturating_mul(u32::try_from(trips).unwrap_or(u32::MAX)),
        spared: folded,
    };
    let gains = row.dynamic < before.dynamic;
    let simplifies = folded * 10 * 100 >= LEAST_GAIN * before.dynamic;
    let fits =
        row.size as usize <= machine.cache && (always || trips <= MOST_BOUND) && iteration.tight.is_none();
    let likes = || machine.favors_full_unrolling(iteration, branches, trips, always);
    let worth = row.size <= before.size || fits && gains && (simplifies || likes());
    let chosen = worth.then_some(row.what);
    Table { machine: machine.name, tight: iteration.tight, rows: vec![before, row], chosen }
}

/// Weighs transforms that take work out of the iterations. Chooses the cheapest one that is worth the code it adds.
pub fn weigh_reliefs(machine: &Machine, iteration: Iteration, reliefs: &[Relief]) -> Table {
    let before = as_it_is(machine, iteration);
    let mut rows = vec![before];
    let mut chosen: Option<Row> = None;
    for relief in reliefs {
        let branches = iteration.branches.saturating_sub(relief.branches);
        let left = iteration.size.saturating_sub(relief.spared);
        let row = Row {
            what: relief.what,
            dynamic: iteration.cost(machine, 1, left, branches, iteration.exits),
            branches: iteration.executed_branches(branches, 1) * 10,
            size: iteration.size.saturating_add(relief.added),
            spared: relief.spared,
        };
        rows.push(row);
        let with = known_trips(iteration).unwrap_or(USUAL_TRIPS).saturating_sub(relief.as_before);
        let gain = u64::from(before.dynamic.saturating_sub(row.dynamic));
        let pays = gain > 0 && gain.saturating_mul(with) >= u64::from(relief.added) * 10;
        let fits = relief.added as usize <= machine.cache && iteration.tight.is_none();
        if pays && fits && chosen.is_none_or(|c| row.dynamic < c.dynamic) {
            chosen = Some(row);
        }
    }
    Table { machine: machine.name, tight: iteration.tight, rows, chosen: chosen.map(|row| row.what) }
}

fn as_it_is(machine: &Machine, iteration: Iteration) -> Row {
    Row {
        what: What::Rounds(1),
        dynamic: iteration.cost(machine, 1, iteration.size, iteration.branches, iteration.exits),
        branches: iteration.executed_branches(iteration.branches, 1) * 10,
        size: iteration.size,
        spared: 0,
    }
}

/// The trip count if it is known, or predicted by profile data.
fn known_trips(iteration: Iteration) -> Option<u64> {
    [iteration.trips, iteration.expected].into_iter().flatten().min()
}

fn row(machine: &Machine, iteration: Iteration, factor: usize, spared: Spared) -> Row {
    let k = factor as u32;
    let per_copy = iteration.size.saturating_sub(iteration.for_tests);
    let size = (per_copy * k).saturating_sub(spared.instructions) + COUNTING;
    let tested = (iteration.branches - iteration.untested.min(iteration.branches)) * k;
    let branches = tested.saturating_sub(spared.branches) + 1;
    let own = iteration.exits.saturating_sub(iteration.untested).saturating_mul(k).saturating_add(1);
    let dynamic = iteration.cost(machine, factor, size, branches, own) / k;
    let branches = iteration.executed_branches(branches, factor) * 10 / k;
    Row { what: What::Rounds(factor), dynamic, branches, size, spared: spared.instructions }
}

fn is_worth_it(machine: &Machine, iteration: Iteration, before: Row, factor: usize, row: Row) -> bool {
    if row.dynamic >= before.dynamic {
        return false;
    }
    // Direct simplification: saved instructions count, removed branches do not.
    let gain = row.spared * 10 / factor as u32 * 100 / before.dynamic.max(1);
    let simplifies = row.spared > 0 && (row.size <= before.size || gain >= LEAST_GAIN);
    simplifies || machine.favors_fewer_branches(iteration, before, factor, row)
}

impl fmt::Display for Table {
    /// One line: cost per iteration, branches per iteration and size of each row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "weighed for {}", self.machine)?;
        self.tight.map_or(Ok(()), |tight| write!(f, ", {tight}"))?;
        f.write_str(":")?;
        for row in &self.rows {
            let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
            let mark = if self.chosen == Some(row.what) { "*" } else { "" };
            write!(
                f,
                " {}{mark} cost {} branches {} size {}",
                row.what,
                tenths(row.dynamic),
                tenths(row.branches),
                row.size
            )?;
            if row.spared > 0 {
                write!(f, " spared {}", row.spared)?;
            }
            f.write_str(";")?;
        }
        write!(f, " best {}", self.best())?;
        let cheaper = |row: &Row| self.rows.first().is_some_and(|before| row.dynamic < before.dynamic);
        if self.chosen.is_some() || !self.rows.iter().any(cheaper) {
            return Ok(());
        }
        f.write_str(" (what costs less per iteration spares too little for its size)")
    }
}

impl Table {
    /// The best candidate, in words.
    fn best(&self) -> String {
        match self.chosen {
            Some(What::Rounds(factor)) => format!("by {factor}"),
            Some(what) => what.to_string(),
            None => "as it is".to_owned(),
        }
    }
}
