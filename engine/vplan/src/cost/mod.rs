//! What it is worth to vectorize a loop, on a given machine: scalar against vector, per number of lanes.
//!
//! | what | module |
//! |---|---|
//! | the vector units | `vectors` |
//! | what an iteration, and what a recipe costs | `inst` |
//!
//! Costs are in tenths of an instruction, as those of [`backedge_transform::cost`], and per iteration of the source, so
//! that they can be compared. What is done once, in front of the vector loop and behind it, is shared by the iterations
//! that there are, or usually are. Of a loop with loops in it what is in these counts as often as they usually go round.

mod inst;
mod vectors;

pub use inst::of_recipe;
pub use vectors::{VECTORS, Vectors};

use crate::legality::{HeaderPhi, Legality, Source};
use crate::widen::Plans;
use backedge_scev::ScalarEvolution;
use backedge_transform::cost::{Machine, USUAL_TRIPS};
use inst::{of_plan, of_scalar};
use std::fmt;

/// The numbers of lanes that are considered.
pub const WIDTHS: [u32; 4] = [2, 4, 8, 16];
/// How many parts are interleaved at most.
pub const MOST_PARTS: u32 = 4;
/// What counting vectors costs: an addition, a comparison and a branch.
const COUNTING: u32 = 30;
/// One comparison of two ranges, with what it takes to compute their ends.
const CHECK: u32 = 60;
/// Finding out whether there are iterations enough, how many are left, and going on with these.
const FRAME: u32 = 80;
/// How many branches that takes.
const FRAME_BRANCHES: u32 = 4;

/// One number of lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// How many lanes a vector has; 1 for the loop as it is.
    pub lanes: u32,
    /// How many vectors are interleaved.
    pub parts: u32,
    /// What an iteration costs in the loop.
    pub iteration: u32,
    /// What is done once.
    pub once: u32,
    /// What all iterations cost together that there are, or usually are.
    pub total: u64,
    /// How many of them are left to the scalar loop.
    pub rest: u64,
}

/// What was weighed, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// For which machine.
    pub machine: &'static str,
    /// For how many iterations.
    pub trips: u64,
    /// The loop as it is, then vectors.
    pub rows: Vec<Row>,
    /// What is worth it, if anything is: an index of a row.
    pub chosen: Option<usize>,
    /// Whether iterations that make no whole vector are made of vectors too.
    pub fold_tail: bool,
}

/// What is asked for instead of being chosen: `force-vector-width` and `force-vector-interleave`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Forced {
    /// The number of lanes.
    pub lanes: Option<u32>,
    /// The number of interleaved vectors.
    pub parts: Option<u32>,
}

/// Weighs the plans of a loop.
pub fn weigh(
    scev: &mut ScalarEvolution<'_>,
    of: &Legality,
    plans: &Plans,
    (machine, forced): (&Machine, Forced),
) -> Table {
    let vectors = Vectors::of(machine);
    let (known, trips) = trips(scev, of);
    let waits = waits(of, vectors);
    let scalar = of_scalar(scev, of, machine).max(waits);
    let as_it_is = Row {
        lanes: 1,
        parts: 1,
        iteration: scalar,
        once: 0,
        total: u64::from(scalar).saturating_mul(trips),
        rest: trips,
    };
    let mut rows = vec![as_it_is];
    let most = of.dependences.most_lanes.unwrap_or(u32::MAX);
    let frame = Frame { of, trips, scalar, waits, is_forced: forced != Forced::default() };
    for plan in &plans.all {
        let lanes = plan.lanes;
        let body = of_plan(scev, of, machine, plan);
        let once = once(of, (machine, vectors), lanes);
        let wanted = forced.parts.unwrap_or_else(|| parts(of, vectors, (lanes, most), known, body));
        // Fewer may leave fewer iterations; but what is collected would wait for itself.
        let may_be_fewer = forced.parts.is_none() && collected(of) == 0;
        let fewer = (0..wanted.ilog2()).map(|n| 1 << n).filter(|_| may_be_fewer);
        let considered = fewer.chain([wanted]).filter(|parts| lanes.saturating_mul(*parts) <= most);
        let considered = considered.map(|parts| frame.row((lanes, parts), body, once));
        // Of equal ones the most.
        rows.extend(considered.rev().min_by_key(|row| row.total));
    }
    let is_forced = forced.lanes.is_some_and(|lanes| lanes >= 2);
    let better = rows.iter().enumerate().skip(1).min_by_key(|(_, row)| row.total);
    let chosen = better.filter(|(_, row)| is_forced || row.total < as_it_is.total).map(|(at, _)| at);
    Table { machine: machine.name, trips, rows, chosen, fold_tail: of.fold_tail }
}

/// What all rows are made with.
struct Frame<'f> {
    of: &'f Legality,
    /// How many iterations are reckoned with.
    trips: u64,
    /// What one of them costs as it is.
    scalar: u32,
    /// How long one takes at least.
    waits: u32,
    /// Whether something is asked for: nothing is made of what is left then.
    is_forced: bool,
}

impl Frame<'_> {
    /// What `body`, for one part, comes to with so many lanes and parts.
    fn row(&self, (lanes, parts): (u32, u32), body: u32, once: u32) -> Row {
        let round = |parts: u32| {
            let least = self.waits.saturating_mul(lanes.saturating_mul(parts));
            body.saturating_mul(parts).saturating_add(COUNTING).max(least)
        };
        let all = lanes.saturating_mul(parts);
        let (rounds, rest) = split(self.of, self.trips, all);
        let in_rounds = u64::from(round(parts)).saturating_mul(rounds);
        let of_rest = u64::from(self.scalar).saturating_mul(rest);
        // Of what interleaved vectors leave, single ones are made, if that is worth it.
        let is_plain = !self.of.fold_tail && self.of.nest.is_none() && !self.is_forced;
        let of_rest = if parts > 1 && is_plain {
            let (rounds, rest) = split(self.of, rest, lanes);
            let single = u64::from(round(1)).saturating_mul(rounds);
            let scalar = u64::from(self.scalar).saturating_mul(rest);
            of_rest.min(single.saturating_add(scalar).saturating_add(u64::from(once)))
        } else {
            of_rest
        };
        let total = in_rounds.saturating_add(of_rest).saturating_add(u64::from(once));
        Row { lanes, parts, iteration: round(parts) / all, once, total, rest }
    }
}

/// How many iterations there are, if that is known; and how many are reckoned with.
fn trips(scev: &mut ScalarEvolution<'_>, of: &Legality) -> (Option<u64>, u64) {
    let exact = scev.as_constant(of.exits.taken).and_then(|taken| taken.to_u64());
    let most = scev.unsigned_max(of.exits.taken).to_u64();
    let plus_one = |taken: u64| taken.saturating_add(1);
    let known = exact.map(plus_one);
    let usual = most.map_or(USUAL_TRIPS, |most| plus_one(most).min(USUAL_TRIPS));
    (known, known.unwrap_or(usual))
}

/// How many rounds of `all` iterations are made of `trips`, and how many iterations are left.
fn split(of: &Legality, trips: u64, all: u32) -> (u64, u64) {
    let all = u64::from(all.max(1));
    if of.fold_tail {
        return (trips.div_ceil(all), 0);
    }
    let in_vectors = if of.needs_scalar() { trips.saturating_sub(1) } else { trips };
    let rounds = in_vectors / all;
    (rounds, trips.saturating_sub(rounds.saturating_mul(all)))
}

/// What is done once in front of the vector loop and behind it.
fn once(of: &Legality, (machine, vectors): (&Machine, &Vectors), lanes: u32) -> u32 {
    let checks = of.dependences.checks.as_ref();
    let checks = checks.map_or(0, |c| u32::try_from(c.pairs.len() + c.conditions.len()).unwrap_or(u32::MAX));
    let halvings = lanes.max(2).ilog2();
    let collected = of.phis.iter().filter(|(_, phi)| !matches!(phi, HeaderPhi::Induction(_))).count();
    let combined =
        u32::try_from(collected).unwrap_or(u32::MAX).saturating_mul(halvings * (vectors.shuffle + 10));
    let taken_out = of.live_outs.iter().filter(|out| out.source == Source::LastLane).count();
    let taken_out = u32::try_from(taken_out).unwrap_or(u32::MAX).saturating_mul(vectors.lane);
    [checks.saturating_mul(CHECK), combined, taken_out, FRAME, machine.branch * FRAME_BRANCHES]
        .into_iter()
        .fold(0, u32::saturating_add)
}

/// How long an iteration takes at least, in a vector too: of a sum that is made in order each addition waits for the one
/// before it.
fn waits(of: &Legality, vectors: &Vectors) -> u32 {
    let in_order = of.phis.iter().any(|(_, phi)| matches!(phi, HeaderPhi::Reduction(r) if r.in_order));
    if in_order { vectors.wait } else { 0 }
}

/// How many phis collect in lanes.
fn collected(of: &Legality) -> u32 {
    let collects = |phi: &HeaderPhi| matches!(phi, HeaderPhi::Reduction(r) if !r.in_order);
    let collected = of.phis.iter().filter(|(_, phi)| collects(phi)).count();
    u32::try_from(collected).unwrap_or(u32::MAX)
}

/// How many vectors are interleaved: enough to hide that what is collected waits for itself, or that a short loop mostly
/// counts, as long as registers and iterations last.
fn parts(of: &Legality, vectors: &Vectors, (lanes, most): (u32, u32), known: Option<u64>, body: u32) -> u32 {
    /// Loops with more in a vector have enough to do.
    const SMALL: u32 = 200;
    let collected = collected(of);
    if waits(of, vectors) > 0 || of.exits.uncounted().next().is_some() || of.nest.is_some() {
        return 1;
    }
    let wanted = match collected {
        0 if body < SMALL => 2,
        0 => 1,
        _ => vectors.latency,
    };
    let fit = vectors.registers / 2 / (collected + 1).max(1);
    let mut parts = wanted.min(fit).clamp(1, MOST_PARTS);
    // What is interleaved is made in whole rounds.
    while parts > 1 && (parts * lanes > most || known.is_some_and(|n| n < u64::from(parts * lanes) * 2)) {
        parts /= 2;
    }
    1 << parts.ilog2()
}

impl Table {
    /// The row that is worth it.
    pub fn best(&self) -> Option<&Row> {
        self.rows.get(self.chosen?)
    }
    /// How much less all iterations cost together then than as they are.
    pub fn saving(&self) -> u64 {
        let as_it_is = self.rows.first().map_or(0, |row| row.total);
        as_it_is.saturating_sub(self.total().unwrap_or(as_it_is))
    }
    /// What all iterations cost together if what is worth it is done.
    pub fn total(&self) -> Option<u64> {
        self.best().or(self.rows.first()).map(|row| row.total)
    }
}

impl fmt::Display for Table {
    /// One line: the cost of an iteration and what is done once, for each number of lanes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "weighed for {} and {} iterations:", self.machine, self.trips)?;
        for (at, row) in self.rows.iter().enumerate() {
            let tenths = |n: u32| format!("{}.{}", n / 10, n % 10);
            let mark = if self.chosen == Some(at) { "*" } else { "" };
            let (iteration, once) = (tenths(row.iteration), tenths(row.once));
            write!(f, " {}x{}{mark} cost {iteration} once {once};", row.lanes, row.parts)?;
        }
        match self.best() {
            Some(row) => {
                let tail = if self.fold_tail { ", tail folded" } else { "" };
                write!(f, " best by {} lanes, {} interleaved{tail}", row.lanes, row.parts)
            }
            None => f.write_str(" best as it is"),
        }
    }
}
