//! The profitability of vectorizing a loop on a given machine: scalar cost against vector cost, per number of lanes.
//!
//! | contents | module |
//! |---|---|
//! | vector units | `vectors` |
//! | cost of an iteration and of a recipe | `inst` |
//!
//! Costs are in tenths of an instruction, like those of [`backedge_transform::cost`], and per iteration of the source,
//! so that they are comparable. The one-time cost before and after the vector loop is spread over the known or
//! estimated number of iterations. In a loop nest the instructions of inner loops are multiplied by the estimated trip
//! counts.

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

/// The maximum interleave count, in vectors per vector iteration: more parts need more registers and leave more
/// iterations to the scalar loop.
pub const MOST_PARTS: u32 = 4;
/// The cost of counting vector iterations, in tenths of an instruction: an addition, a comparison and a branch.
const COUNTING: u32 = 30;
/// The cost of comparing two ranges, including the computation of their bounds, in tenths of an instruction.
const CHECK: u32 = 60;
/// The cost of the trip count check, of computing the remainder, and of resuming the scalar loop, in tenths of an
/// instruction, without branches.
const FRAME: u32 = 80;
/// The number of branches of that code; the machine gives the cost of each.
const FRAME_BRANCHES: u32 = 4;

/// The cost for one number of lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The number of lanes of a vector; 1 for the scalar loop.
    pub lanes: u32,
    /// The interleave count.
    pub parts: u32,
    /// The cost of an iteration in the loop.
    pub iteration: u32,
    /// The one-time cost.
    pub once: u32,
    /// The cost of all known or estimated iterations together.
    pub total: u64,
    /// The number of iterations left for the scalar loop.
    pub rest: u64,
}

/// The costs considered, and the resulting choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The name of the machine.
    pub machine: &'static str,
    /// The number of iterations that the costs assume.
    pub trips: u64,
    /// The scalar loop, followed by the vector loops.
    pub rows: Vec<Row>,
    /// The row with the least total, by index; `None` if that is not less than the scalar loop's and no number of lanes
    /// is forced.
    pub chosen: Option<usize>,
    /// Whether the tail is folded.
    pub fold_tail: bool,
}

/// Forced parameters: `force-vector-width` and `force-vector-interleave`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Forced {
    /// The number of lanes.
    pub lanes: Option<u32>,
    /// The interleave count.
    pub parts: Option<u32>,
}

/// Computes the costs of a loop's plans.
pub fn weigh(
    scev: &mut ScalarEvolution<'_>,
    of: &Legality,
    plans: &Plans,
    machine: &Machine,
    forced: Forced,
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
        let once = once(of, machine, vectors, lanes);
        let wanted = forced.parts.unwrap_or_else(|| parts(of, vectors, lanes, most, known, body));
        // A smaller interleave count may leave fewer iterations, but would not hide the latency of reductions.
        let may_be_fewer = forced.parts.is_none() && collected(of) == 0;
        let fewer = (0..wanted.ilog2()).map(|n| 1 << n).filter(|_| may_be_fewer);
        let considered = fewer.chain([wanted]).filter(|parts| lanes.saturating_mul(*parts) <= most);
        let considered = considered.map(|parts| frame.row((lanes, parts), body, once));
        // For equal costs, take the largest interleave count.
        rows.extend(considered.rev().min_by_key(|row| row.total));
    }
    let is_forced = forced.lanes.is_some_and(|lanes| lanes >= 2);
    let better = rows.iter().enumerate().skip(1).min_by_key(|(_, row)| row.total);
    let chosen = better.filter(|(_, row)| is_forced || row.total < as_it_is.total).map(|(at, _)| at);
    Table { machine: machine.name, trips, rows, chosen, fold_tail: of.fold_tail }
}

/// The inputs common to all rows.
struct Frame<'f> {
    of: &'f Legality,
    /// The number of iterations to assume.
    trips: u64,
    /// The cost of a scalar iteration.
    scalar: u32,
    /// The minimum duration of an iteration.
    waits: u32,
    /// Whether parameters are forced; the remainder is then not vectorized again.
    is_forced: bool,
}

impl Frame<'_> {
    /// The cost with the given numbers of lanes and parts, if one part costs `body`.
    fn row(&self, (lanes, parts): (u32, u32), body: u32, once: u32) -> Row {
        let round = |parts: u32| {
            let least = self.waits.saturating_mul(lanes.saturating_mul(parts));
            body.saturating_mul(parts).saturating_add(COUNTING).max(least)
        };
        let all = lanes.saturating_mul(parts);
        let (rounds, rest) = split(self.of, self.trips, all);
        let in_rounds = u64::from(round(parts)).saturating_mul(rounds);
        let of_rest = u64::from(self.scalar).saturating_mul(rest);
        // The remainder of an interleaved loop is vectorized again without interleaving if profitable.
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

/// The number of iterations if it is known, and the number to assume.
fn trips(scev: &mut ScalarEvolution<'_>, of: &Legality) -> (Option<u64>, u64) {
    let exact = scev.as_constant(of.exits.taken).and_then(|taken| taken.to_u64());
    let most = scev.unsigned_max(of.exits.taken).to_u64();
    let plus_one = |taken: u64| taken.saturating_add(1);
    let known = exact.map(plus_one);
    let usual = most.map_or(USUAL_TRIPS, |most| plus_one(most).min(USUAL_TRIPS));
    (known, known.unwrap_or(usual))
}

/// The number of vector iterations of size `all` in `trips`, and the number of remaining iterations.
fn split(of: &Legality, trips: u64, all: u32) -> (u64, u64) {
    let all = u64::from(all.max(1));
    if of.fold_tail {
        return (trips.div_ceil(all), 0);
    }
    let in_vectors = if of.needs_scalar() { trips.saturating_sub(1) } else { trips };
    let rounds = in_vectors / all;
    (rounds, trips.saturating_sub(rounds.saturating_mul(all)))
}

/// The one-time cost before and after the vector loop.
fn once(of: &Legality, machine: &Machine, vectors: &Vectors, lanes: u32) -> u32 {
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

/// The minimum duration of an iteration, also in vectors: each addition of an in-order reduction waits for the previous
/// one.
fn waits(of: &Legality, vectors: &Vectors) -> u32 {
    let in_order = of.phis.iter().any(|(_, phi)| matches!(phi, HeaderPhi::Reduction(r) if r.in_order));
    if in_order { vectors.wait } else { 0 }
}

/// The number of reductions that accumulate in lanes.
fn collected(of: &Legality) -> u32 {
    let collects = |phi: &HeaderPhi| matches!(phi, HeaderPhi::Reduction(r) if !r.in_order);
    let collected = of.phis.iter().filter(|(_, phi)| collects(phi)).count();
    u32::try_from(collected).unwrap_or(u32::MAX)
}

/// The interleave count: enough to hide the latency of reductions or the counting overhead of a short loop, within the
/// limits of registers and iterations.
fn parts(of: &Legality, vectors: &Vectors, lanes: u32, most: u32, known: Option<u64>, body: u32) -> u32 {
    /// Limit for the cost of the body of a vector iteration, in tenths of an instruction, above which counting overhead
    /// is negligible.
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
    // Interleaving needs at least two full vector iterations.
    while parts > 1 && (parts * lanes > most || known.is_some_and(|n| n < u64::from(parts * lanes) * 2)) {
        parts /= 2;
    }
    1 << parts.ilog2()
}

impl Table {
    /// The most profitable row.
    pub fn best(&self) -> Option<&Row> {
        self.rows.get(self.chosen?)
    }
    /// The cost over all iterations that the best choice saves compared with the scalar loop.
    pub fn saving(&self) -> u64 {
        let as_it_is = self.rows.first().map_or(0, |row| row.total);
        as_it_is.saturating_sub(self.total().unwrap_or(as_it_is))
    }
    /// The cost of all iterations with the best choice.
    pub fn total(&self) -> Option<u64> {
        self.best().or(self.rows.first()).map(|row| row.total)
    }
}

impl fmt::Display for Table {
    /// Prints one line: the cost of an iteration and the one-time cost, for each number of lanes.
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
