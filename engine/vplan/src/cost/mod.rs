//! What it is worth to vectorize a loop, on a given machine: scalar against vector, per number of lanes.
//!
//! | what | module |
//! |---|---|
//! | the vector units | `vectors` |
//! | of which instructions one lane is enough | `single` |
//! | what an instruction costs | `inst` |
//!
//! Costs are in tenths of an instruction, as those of [`backedge_transform::cost`], and per iteration of the source, so
//! that they can be compared. What is done once, in front of the vector loop and behind it, is shared by the iterations
//! that there are, or usually are. Of a loop with loops in it what is in these counts as often as they usually go round.

mod inst;
mod single;
mod vectors;

pub use single::{Needed, needed};
pub use vectors::{VECTORS, Vectors};

use crate::legality::{HeaderPhi, Legality, Source};
use backedge_scev::ScalarEvolution;
use backedge_transform::cost::{Machine, USUAL_TRIPS};
use inst::{of_scalar, of_vector};
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

/// Weighs the numbers of lanes that memory allows.
pub fn weigh(scev: &mut ScalarEvolution<'_>, of: &Legality, machine: &Machine, forced: Forced) -> Table {
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
    let widths = forced.lanes.map_or(WIDTHS.to_vec(), |lanes| vec![lanes]);
    for lanes in widths.into_iter().filter(|lanes| *lanes >= 2 && *lanes <= most) {
        let body = of_vector(scev, of, (machine, vectors), lanes);
        let once = once(of, (machine, vectors), lanes);
        let parts = forced.parts.unwrap_or_else(|| parts(of, vectors, (lanes, most), known, body));
        if parts.checked_mul(lanes).is_none_or(|all| all > most) {
            continue;
        }
        let all = lanes.saturating_mul(parts);
        let per_round = body.saturating_mul(parts).saturating_add(COUNTING).max(waits.saturating_mul(all));
        let iteration = per_round / all;
        let (rounds, rest) = split(of, trips, all);
        let total = [
            u64::from(per_round).saturating_mul(rounds),
            u64::from(scalar).saturating_mul(rest),
            u64::from(once),
        ];
        let total = total.into_iter().fold(0, u64::saturating_add);
        rows.push(Row { lanes, parts, iteration, once, total, rest });
    }
    let is_forced = forced.lanes.is_some_and(|lanes| lanes >= 2);
    let better = rows.iter().enumerate().skip(1).min_by_key(|(_, row)| row.total);
    let chosen = better.filter(|(_, row)| is_forced || row.total < as_it_is.total).map(|(at, _)| at);
    Table { machine: machine.name, trips, rows, chosen, fold_tail: of.fold_tail }
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

/// How many vectors are interleaved: enough to hide that what is collected waits for itself, or that a short loop mostly
/// counts, as long as registers and iterations last.
fn parts(of: &Legality, vectors: &Vectors, (lanes, most): (u32, u32), known: Option<u64>, body: u32) -> u32 {
    /// Loops with more in a vector have enough to do.
    const SMALL: u32 = 200;
    let collects = |phi: &HeaderPhi| matches!(phi, HeaderPhi::Reduction(r) if !r.in_order);
    let collected = of.phis.iter().filter(|(_, phi)| collects(phi)).count();
    let collected = u32::try_from(collected).unwrap_or(u32::MAX);
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
