//! Uniform lanes: values that are equal in several consecutive iterations.
//!
//! With rounds of `k` iterations, a *lane* is the position of an iteration in its round. For a value computed in each
//! iteration, the analysis finds its value in lane `j`:
//!
//! | kind | example, with `k` = 8 | value in lane `j` |
//! |---|---|---|
//! | [`Lanes::Same`] | `i / 8`, `i / 16` | as in lane 0 |
//! | [`Lanes::Like`] | `a[i / 2]`, `c` of `c ^= x` | as in an earlier lane, unless `j` is the first of its kind |
//! | [`Lanes::Offset`] | `i % 16`, `i / 2`; `i / 8` in unaligned rounds | lane 0 plus a constant, without wrapping |
//! | [`Lanes::Fixed`] | `i % 8`, alternating constants, `a, b = b, a` of constants | a constant, equal in all rounds |
//! | [`Lanes::Residue`] | `i % 8`, where the start of `i` is unknown | known before the loop, equal in all rounds |
//! | [`Lanes::Steady`] | `i % 2 == 0` then, `a` of `a, b = b, a` | equal in all rounds, because its operands are |
//!
//! Needs that rounds begin with the iteration [`Rounds::first`], and that no later iteration is skipped. The results
//! hold wherever the value is not poison. If a lane that represents others (and is not fixed) is poison, the later
//! lanes are poison too. The examples are those of *LLVM Loop Opt Ideas*, "Uniform Lanes".
//!
//! | file | contents |
//! |---|---|
//! | `counters` | quotients and remainders of counters |
//! | `branches` | branches that are decided in each lane |
//! | `cycles` | phis that rotate their values |
//! | `derived` | alternating recurrences, and derived values |
//! | `memory` | loads and stores that other lanes make redundant |
//! | `known` | values that become constant after full unrolling |
//! | `spared` | instructions that a round need not execute |

mod branches;
mod counters;
mod cycles;
mod derived;
mod known;
mod memory;
mod spared;

pub(crate) use counters::{late_rounds, periods};
pub(crate) use known::known_in_each;
pub(crate) use memory::Accesses;
pub(crate) use spared::spared;

use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, Value};
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use counters::{narrow, quotient_or_remainder};
use cycles::in_turn;
use derived::{alternating, decided, of_lanes};
use rustc_hash::FxHashMap;

/// The grouping of iterations into rounds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The number of iterations in a round.
    pub factor: usize,
    /// The first iteration of the first round; earlier iterations are executed before the loop.
    pub first: usize,
}

impl Rounds {
    /// Rounds of `factor` iterations that begin with iteration 0.
    pub fn of(factor: usize) -> Self {
        Self { factor, first: 0 }
    }
}

/// The values of an instruction in the lanes of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// Equal in all lanes.
    Same,
    /// In each lane equal to the value in the given lane, the first of its kind.
    Like(Vec<usize>),
    /// In each lane the value of lane 0 plus the constant, without wrapping.
    Offset(Vec<Int>),
    /// In each lane a constant, equal in all rounds.
    Fixed(Vec<Int>),
    /// In each lane the remainder of a counter, equal in all rounds.
    Residue(Residue),
    /// In each lane equal in all rounds, because its operands are; and equal to the value in the given lane.
    Steady(Vec<usize>),
}

/// The remainder of a counter: `(start + (first + j) * step) op by` in lane `j`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Residue {
    /// The value of the counter in the first iteration.
    pub start: Value,
    /// The step of the counter per iteration.
    pub step: Int,
    /// The first iteration of the first round.
    pub first: usize,
    /// `and` or `urem`.
    pub op: BinaryOp,
    /// The right operand.
    pub by: Int,
}

impl Lanes {
    /// For each of `factor` lanes, the first lane with an equal value.
    pub(crate) fn leaders(&self, factor: usize) -> Vec<usize> {
        match self {
            Self::Same => vec![0; factor],
            Self::Like(leaders) | Self::Steady(leaders) => leaders.clone(),
            Self::Offset(values) | Self::Fixed(values) => first_of(values),
            Self::Residue(residue) => {
                let ahead = |j: usize| residue.ahead(j);
                first_of(&(0..factor).map(ahead).collect::<Vec<_>>())
            }
        }
    }
    /// Whether it is equal in all rounds.
    fn is_steady(&self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Residue(_) | Self::Steady(_))
    }
    /// How many of its computations in a round of `factor` iterations are redundant.
    pub(crate) fn spared(&self, factor: usize) -> u32 {
        if self.is_steady() {
            return factor as u32;
        }
        followers(&self.leaders(factor)) as u32
    }
}

impl Residue {
    /// The offset of lane `j` from the start, as far as the remainder depends on it.
    pub(crate) fn ahead(&self, j: usize) -> Int {
        let iteration = Int::new(self.step.width(), (self.first + j) as u128);
        let ahead = self.step.mul(iteration);
        if self.op == BinaryOp::And { ahead.and(self.by) } else { ahead }
    }
}

/// The lanes of the values computed by `insts` of `l`, in program order, in the given `rounds`. Values of no known
/// kind are omitted.
pub fn lanes(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    insts: &[Inst],
    rounds: Rounds,
) -> Vec<(Inst, Lanes)> {
    let factor = rounds.factor;
    let mut found: FxHashMap<Inst, Lanes> = FxHashMap::default();
    let mut in_order = Vec::new();
    let accesses = Accesses::of(scev, l);
    for &inst in insts {
        let kind = quotient_or_remainder(scev, l, inst, rounds)
            .or_else(|| narrow(scev, l, inst, rounds))
            .or_else(|| alternating(scev, l, inst, rounds))
            .or_else(|| in_turn(scev, l, inst, rounds))
            .or_else(|| decided(scev, inst, &found, factor))
            .or_else(|| of_lanes(scev, l, inst, &found, factor))
            .or_else(|| {
                let address = accesses.load_of_unwritten(scev, inst)?.as_inst()?;
                like(found.get(&address)?.leaders(factor))
            });
        if let Some(kind) = kind {
            found.insert(inst, kind.clone());
            in_order.push((inst, kind));
        }
    }
    in_order
}

/// For each lane, the first lane with an equal value.
fn first_of<T: PartialEq>(values: &[T]) -> Vec<usize> {
    values.iter().enumerate().map(|(j, v)| values.iter().position(|w| w == v).unwrap_or(j)).collect()
}

/// The number of lanes that equal an earlier one.
fn followers(leaders: &[usize]) -> usize {
    leaders.iter().enumerate().filter(|(j, leader)| j != *leader).count()
}

/// `Same` or `Like` for these leaders, if any lane equals an earlier one.
fn like(leaders: Vec<usize>) -> Option<Lanes> {
    if leaders.iter().all(|leader| *leader == 0) {
        return Some(Lanes::Same);
    }
    (followers(&leaders) > 0).then_some(Lanes::Like(leaders))
}
