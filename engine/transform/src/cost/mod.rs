//! What it is worth to copy parts of a loop, on a given machine: to have several iterations in one round, to have all of
//! them one after the other, to peel some of them, to split the loop in two.
//!
//! Two reasons speak for it, and are weighed apart (the loop notes' "unroll heuristics"):
//!
//! 1. *Direct simplification*: in some copies there is less to do. What is computed per iteration must fall, and the code
//!    must not leave the smallest cache. Where the code does not even grow, it is always worth it.
//! 2. *Branch cost*: fewer branches are executed. What these cost depends on the machine ([`Machine`]) more than on
//!    anything else.
//!
//! Peeling and splitting leave a loop that has less to do, and cost code that is executed once: what is saved over the
//! iterations that there are, or usually are, must be worth as many instructions as are added.
//!
//! Exits that are not tested in the rounds (because an epilogue is required, or because they are counted) are not
//! counted for the rounds. Profile data says how many iterations there are to share the cost among. Nothing is worth that
//! the code of a function grows which is never called by profile data, or is to be small ([`Tight`]).
//!
//! Costs are in tenths of an instruction, so that everything is the same on every machine that this runs on.

mod keyed;
mod machine;
mod measure;
pub(crate) mod profile;

pub use machine::{MACHINES, Machine, Predictor};
pub(crate) use measure::{settled_by, size_and_iteration};

use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::FuncId;
use backedge_ir::module::Env;
use std::fmt;

/// What a loop does in an iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Iteration {
    /// Instructions that cost something, branches included, and calls as more than one.
    pub size: u32,
    /// Conditional branches and switches, the latch's included.
    pub branches: u32,
    /// How many of these are exits that rounds don't test; the instructions that they alone need go too.
    pub untested: u32,
    /// Instructions that only exits need which rounds don't test, branches included.
    pub for_tests: u32,
    /// How many exits the loop has.
    pub exits: u32,
    /// How many iterations there are, if that is known.
    pub trips: Option<u64>,
    /// How many iterations profile data says there are.
    pub expected: Option<u64>,
    /// How many of the instructions profile data says are usually not executed.
    pub cold: u32,
    /// How many of the branches.
    pub cold_branches: u32,
    /// Why nothing is worth that the code grows, if it is so.
    pub tight: Option<Tight>,
}

/// Whether the function is to be small, whatever is asked for.
pub fn is_to_be_small(env: &Env, func: FuncId) -> bool {
    let attrs = &env.funcs[func].attrs;
    [FlagAttr::OptSize, FlagAttr::MinSize].iter().any(|a| env.has_attr(attrs, *a))
}

/// Why code must not grow.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tight {
    /// Profile data says that the function is never called.
    NeverExecuted,
    /// The function is said to be seldom called (`cold`).
    Cold,
    /// The function is to be small (`optsize`, `minsize`).
    ForSize,
}

impl Tight {
    /// Whether the code of the function must not grow. What is asked for by metadata or a parameter does not ask this.
    pub(crate) fn of(env: &Env, func: FuncId) -> Option<Self> {
        if is_to_be_small(env, func) {
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
    /// What executing so many iterations costs, in tenths of an instruction, if they have `size` instructions together, of
    /// which some are `branches`; `own` of these decide nothing but whether the loop goes on.
    fn cost(self, machine: &Machine, iterations: usize, size: u32, (branches, own): (u32, u32)) -> u32 {
        let seldom = self.cold.saturating_mul(iterations as u32);
        let executed = self.executed_branches(branches, iterations);
        size.saturating_sub(seldom) * 10 + machine.branches_cost(self, iterations, (executed, own))
    }
    /// How many of `branches`, those of so many iterations, are executed.
    fn executed_branches(self, branches: u32, iterations: usize) -> u32 {
        branches.saturating_sub(self.cold_branches.saturating_mul(iterations as u32))
    }
}

/// What could be made of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Rounds of so many iterations; of one, it stays as it is.
    Rounds(usize),
    /// That many iterations one after the other, and no loop.
    Full(usize),
    /// That many iterations in front of it.
    Peeled(usize),
    /// The last iteration behind it.
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

/// What something that could be made of a loop would come to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// What it is.
    pub what: What,
    /// What an iteration costs, in tenths of an instruction.
    pub dynamic: u32,
    /// Branches executed per iteration, in tenths.
    pub branches: u32,
    /// How many instructions there are, in the loop or instead of it.
    pub size: u32,
    /// Instructions that are spared since they are uniform or decided: of a round, or of an iteration.
    pub spared: u32,
}

/// What was weighed, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// For which machine.
    pub machine: &'static str,
    /// Why the code must not grow, if it is so.
    pub tight: Option<Tight>,
    /// The loop as it is, and what was considered.
    pub rows: Vec<Row>,
    /// What is worth it, if anything is.
    pub chosen: Option<What>,
}

/// The numbers of iterations that are considered for a round of any loop.
pub const FACTORS: [usize; 3] = [2, 4, 8];
/// How much less an iteration must cost for what is spared in it, in hundredths.
const LEAST_GAIN: u32 = 10;
/// How much less an iteration must cost for twice as many copies, in hundredths.
const LEAST_STEP: u32 = 12;
/// What counting rounds costs: an addition, a comparison and a branch.
const COUNTING: u32 = 3;
/// How many iterations a loop makes of which nothing is known.
pub const USUAL_TRIPS: u64 = 32;

/// How many copies of an iteration are made if there may be fewer iterations.
const MOST_BOUND: usize = 8;

/// Something by which the iterations of a loop have less to do.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Relief {
    /// What is made of the loop.
    pub what: What,
    /// Instructions that an iteration need not execute then, branches included.
    pub spared: u32,
    /// How many of these are branches.
    pub branches: u32,
    /// How many instructions are added.
    pub added: u32,
    /// In how many iterations nothing is spared.
    pub as_before: u64,
}

/// What a round need not execute since lanes are uniform or decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Spared {
    /// Instructions, branches included.
    pub instructions: u32,
    /// How many of these are branches.
    pub branches: u32,
}

/// Weighs rounds for a loop: numbers of iterations, from the smallest on, each with what a round of so many spares.
pub fn weigh(machine: &Machine, iteration: Iteration, rounds: &[(usize, Spared)]) -> Table {
    let before = as_it_is(machine, iteration);
    let mut rows = vec![before];
    let mut chosen: Option<(usize, Row)> = None;
    for &(factor, spared) in rounds {
        let row = row(machine, iteration, factor, spared);
        rows.push(row);
        let trips = known_trips(iteration);
        let fits = row.size as usize <= machine.cache && trips.is_none_or(|trips| trips >= factor as u64 * 2);
        // The larger the code, the more it must give over the next smaller: what it takes from others is not seen here.
        let better = chosen.is_none_or(|(smaller, c)| {
            let doublings = (factor / smaller).ilog2();
            let cheaper =
                (0..doublings).fold(c.dynamic, |cost, _| cost * (100 - LEAST_STEP) / 100) >= row.dynamic;
            // Fewer branches are a reason on some machines only.
            let spares_more = u64::from(row.spared) * smaller as u64 > u64::from(c.spared) * factor as u64;
            cheaper && (spares_more || machine.likes_fewer_branches(iteration, before, (factor, row)))
        });
        let grows = row.size > before.size;
        if fits
            && better
            && !(grows && iteration.tight.is_some())
            && is_worth_it(machine, iteration, before, (factor, row))
        {
            chosen = Some((factor, row));
        }
    }
    Table { machine: machine.name, tight: iteration.tight, rows, chosen: chosen.map(|(_, row)| row.what) }
}

/// All iterations of a loop one after the other.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Straight {
    /// How many copies that is.
    pub trips: usize,
    /// Whether there are always that many iterations, and not only never more.
    pub always: bool,
    /// How many instructions of an iteration are known in each, those aside that count or leave.
    pub folded: u32,
}

/// Weighs putting all iterations one after the other. Code that grows must fit into the smallest cache, and each
/// iteration must cost less; copies that may not be executed at all must be few.
pub fn weigh_full(machine: &Machine, iteration: Iteration, straight: Straight) -> Table {
    let Straight { trips, always, folded } = straight;
    let before = as_it_is(machine, iteration);
    let counting = iteration.for_tests.min(iteration.size);
    let per_copy = iteration.size.saturating_sub(counting).saturating_sub(folded);
    let branches = iteration.branches.saturating_sub(iteration.untested);
    let row = Row {
        what: What::Full(trips),
        // What is left of the branches decides more than whether there is one iteration more.
        dynamic: iteration.cost(machine, 1, per_copy, (branches, 0)),
        branches: iteration.executed_branches(branches, 1) * 10,
        size: per_copy.saturating_mul(u32::try_from(trips).unwrap_or(u32::MAX)),
        spared: folded,
    };
    let gains = row.dynamic < before.dynamic;
    let simplifies = folded * 10 * 100 >= LEAST_GAIN * before.dynamic;
    let fits =
        row.size as usize <= machine.cache && (always || trips <= MOST_BOUND) && iteration.tight.is_none();
    let likes = || machine.likes_no_loop(iteration, branches, (trips, always));
    let worth = row.size <= before.size || fits && gains && (simplifies || likes());
    let chosen = worth.then_some(row.what);
    Table { machine: machine.name, tight: iteration.tight, rows: vec![before, row], chosen }
}

/// Weighs what takes work out of the iterations. The cheapest of them is chosen that is worth what it adds.
pub fn weigh_reliefs(machine: &Machine, iteration: Iteration, reliefs: &[Relief]) -> Table {
    let before = as_it_is(machine, iteration);
    let mut rows = vec![before];
    let mut chosen: Option<Row> = None;
    for relief in reliefs {
        let branches = iteration.branches.saturating_sub(relief.branches);
        let left = iteration.size.saturating_sub(relief.spared);
        let row = Row {
            what: relief.what,
            dynamic: iteration.cost(machine, 1, left, (branches, iteration.exits)),
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
        dynamic: iteration.cost(machine, 1, iteration.size, (iteration.branches, iteration.exits)),
        branches: iteration.executed_branches(iteration.branches, 1) * 10,
        size: iteration.size,
        spared: 0,
    }
}

/// How many iterations there are as far as that is known, or said by profile data.
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
    let dynamic = iteration.cost(machine, factor, size, (branches, own)) / k;
    let branches = iteration.executed_branches(branches, factor) * 10 / k;
    Row { what: What::Rounds(factor), dynamic, branches, size, spared: spared.instructions }
}

fn is_worth_it(machine: &Machine, iteration: Iteration, before: Row, (factor, row): (usize, Row)) -> bool {
    if row.dynamic >= before.dynamic {
        return false;
    }
    // Direct simplification: what is spared counts, not that branches are.
    let gain = row.spared * 10 / factor as u32 * 100 / before.dynamic.max(1);
    let simplifies = row.spared > 0 && (row.size <= before.size || gain >= LEAST_GAIN);
    simplifies || machine.likes_fewer_branches(iteration, before, (factor, row))
}

impl fmt::Display for Table {
    /// One line: cost per iteration, branches per iteration and size, for each number of iterations.
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
    /// What is best, in words.
    fn best(&self) -> String {
        match self.chosen {
            Some(What::Rounds(factor)) => format!("by {factor}"),
            Some(what) => what.to_string(),
            None => "as it is".to_owned(),
        }
    }
}
