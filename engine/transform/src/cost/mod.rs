//! What it is worth to have several iterations in one round of a loop, on a given machine.
//!
//! Two reasons speak for it, and are weighed apart (the loop notes' "unroll heuristics"):
//!
//! 1. *Direct simplification*: in some copies there is less to do. What is computed per iteration must fall, and the code
//!    must not leave the smallest cache. Where the code does not even grow, it is always worth it.
//! 2. *Branch cost*: fewer branches are executed. What these cost depends on the machine ([`Machine`]) more than on
//!    anything else.
//!
//! Exits that are not tested in the rounds (because an epilogue is required, or because they are counted) are not
//! counted for the rounds. Profile data says how many iterations there are to share the cost among.
//!
//! Costs are in tenths of an instruction, so that everything is the same on every machine that this runs on.

mod machine;

pub use machine::{MACHINES, Machine, Predictor};

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
}

/// What rounds of some number of iterations would come to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// How many iterations a round makes.
    pub factor: usize,
    /// What an iteration costs, in tenths of an instruction.
    pub dynamic: u32,
    /// Branches executed per iteration, in tenths.
    pub branches: u32,
    /// How many instructions there are in the loop.
    pub size: u32,
    /// Instructions of a round that are spared because lanes are uniform or decided.
    pub spared: u32,
}

/// What was weighed, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// For which machine.
    pub machine: &'static str,
    /// The loop as it is, and the numbers of iterations that were considered.
    pub rows: Vec<Row>,
    /// The number that is worth it, if one is.
    pub chosen: Option<usize>,
}

/// The numbers of iterations that are considered for a round.
pub const FACTORS: [usize; 3] = [2, 4, 8];
/// How much less an iteration must cost for what is spared in it, in hundredths.
const LEAST_GAIN: u32 = 10;
/// How much less an iteration must cost for twice as many copies, in hundredths.
const LEAST_STEP: u32 = 12;
/// What counting rounds costs: an addition, a comparison and a branch.
const COUNTING: u32 = 3;

/// Weighs the factors for a loop. `spared` says how many instructions of a round of so many iterations are spared.
pub fn weigh(machine: &Machine, iteration: Iteration, spared: impl Fn(usize) -> u32) -> Table {
    let before = Row {
        factor: 1,
        dynamic: iteration.size * 10 + machine.branch_cost(iteration, 1) * iteration.branches,
        branches: iteration.branches * 10,
        size: iteration.size,
        spared: 0,
    };
    let mut rows = vec![before];
    let mut chosen: Option<Row> = None;
    for factor in FACTORS {
        let row = row(machine, iteration, factor, spared(factor));
        rows.push(row);
        let too_many = [iteration.trips, iteration.expected].into_iter().flatten().min();
        let fits =
            row.size as usize <= machine.cache && too_many.is_none_or(|trips| trips >= factor as u64 * 2);
        // The larger the code, the more it must give over the next smaller: what it takes from others is not seen here.
        let better = chosen.is_none_or(|c| {
            let doublings = (factor / c.factor).ilog2();
            (0..doublings).fold(c.dynamic, |cost, _| cost * (100 - LEAST_STEP) / 100) >= row.dynamic
        });
        if fits && better && is_worth_it(machine, iteration, before, row) {
            chosen = Some(row);
        }
    }
    Table { machine: machine.name, rows, chosen: chosen.map(|row| row.factor) }
}

fn row(machine: &Machine, iteration: Iteration, factor: usize, spared: u32) -> Row {
    let k = factor as u32;
    let per_copy = iteration.size.saturating_sub(iteration.for_tests);
    let size = (per_copy * k).saturating_sub(spared) + COUNTING;
    let branches = (iteration.branches - iteration.untested.min(iteration.branches)) * k + 1;
    let cost = size * 10 + machine.branch_cost(iteration, factor) * branches;
    Row { factor, dynamic: cost / k, branches: branches * 10 / k, size, spared }
}

fn is_worth_it(machine: &Machine, iteration: Iteration, before: Row, row: Row) -> bool {
    if row.dynamic >= before.dynamic {
        return false;
    }
    // Direct simplification: what is spared counts, not that branches are.
    let gain = row.spared * 10 / row.factor as u32 * 100 / before.dynamic.max(1);
    let simplifies = row.spared > 0 && (row.size <= before.size || gain >= LEAST_GAIN);
    simplifies || machine.likes_fewer_branches(iteration, before, row)
}

impl fmt::Display for Table {
    /// One line: cost per iteration, branches per iteration and size, for each number of iterations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "weighed for {}:", self.machine)?;
        for row in &self.rows {
            let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
            let mark = if self.chosen == Some(row.factor) { "*" } else { "" };
            write!(
                f,
                " x{}{mark} cost {} branches {} size {}",
                row.factor,
                tenths(row.dynamic),
                tenths(row.branches),
                row.size
            )?;
            if row.spared > 0 {
                write!(f, " spared {}", row.spared)?;
            }
            f.write_str(";")?;
        }
        match self.chosen {
            Some(factor) => write!(f, " best by {factor}"),
            None => f.write_str(" best as it is"),
        }
    }
}
