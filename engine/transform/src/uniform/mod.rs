//! Uniform lanes: what is the same in several iterations that follow each other.
//!
//! With rounds of `k` iterations, a *lane* is the place of an iteration in its round. Of a value that is computed in
//! each iteration, it is asked what it is in lane `j`:
//!
//! | kind | example, with `k` = 8 | in lane `j` |
//! |---|---|---|
//! | [`Lanes::Same`] | `i / 8`, `i / 16` | as in lane 0 |
//! | [`Lanes::Like`] | `a[i / 2]`, `c` of `c ^= x` | as in another lane that comes before, if `j` is not the first of them |
//! | [`Lanes::Offset`] | `i % 16`, `i / 2`; `i / 8` if rounds begin elsewhere than at its multiples | as in lane 0, plus a constant of the lane, without wrapping |
//! | [`Lanes::Fixed`] | `i % 8`, `i % 2`, recurrences that alternate between constants, `a` of `a, b = b, a` from constants | a constant that does not change over the rounds |
//! | [`Lanes::Residue`] | `i % 8`, where `i` begins anywhere | something that is known in front of the loop, and does not change over the rounds |
//! | [`Lanes::Steady`] | `i % 2 == 0` then, `a` of `a, b = b, a` | the same, by what it is made of |
//!
//! Needs that rounds begin with the iteration that is named ([`Rounds::first`]), and that no iteration behind it is left
//! out. What is said is true wherever the value
//! is no poison; what is poison in a lane that stands for others, and not fixed, is so in the lanes behind it. The examples
//! are those of the loop notes' "uniform lanes".
//!
//! | file | what it holds |
//! |---|---|
//! | `counters` | quotients and remainders of counters |
//! | `branches` | branches that are decided in each lane |
//! | `cycles` | phis that take each other's values in turn |
//! | `derived` | recurrences that alternate, and what is made of other values |
//! | `memory` | loads and stores that other lanes make unnecessary |
//! | `known` | what is known in each iteration if all of them are put one after the other |
//! | `spared` | what a round need not execute |

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

/// How iterations are put together in rounds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// How many iterations a round has.
    pub factor: usize,
    /// The iteration with which the first of them begins: those before are executed in front of the loop.
    pub first: usize,
}

impl Rounds {
    /// Rounds of `factor` iterations from iteration 0 on.
    pub fn of(factor: usize) -> Self {
        Self { factor, first: 0 }
    }
}

/// What a value is in the lanes of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// The same in all lanes.
    Same,
    /// In each lane as in the lane named, which is the first of its kind.
    Like(Vec<usize>),
    /// In each lane that in lane 0 plus the constant, without wrapping.
    Offset(Vec<Int>),
    /// In each lane a constant that is the same in all rounds.
    Fixed(Vec<Int>),
    /// In each lane the remainder of a counter, the same in all rounds.
    Residue(Residue),
    /// In each lane the same in all rounds, by what it is computed from; and as in the lane named.
    Steady(Vec<usize>),
}

/// A remainder of a counter, which in lane `j` is `(start + (first + j) * step) op by`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Residue {
    /// The counter in the first iteration.
    pub start: Value,
    /// What is added to it in each.
    pub step: Int,
    /// The iteration with which rounds begin.
    pub first: usize,
    /// `and` or `urem`.
    pub op: BinaryOp,
    /// The right operand.
    pub by: Int,
}

impl Lanes {
    /// For each of `factor` lanes the first one that the value is the same in.
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
    /// Whether it does not change over the rounds.
    fn is_steady(&self) -> bool {
        matches!(self, Self::Fixed(_) | Self::Residue(_) | Self::Steady(_))
    }
    /// How many times in a round of `factor` iterations it need not be computed.
    pub(crate) fn spared(&self, factor: usize) -> u32 {
        if self.is_steady() {
            return factor as u32;
        }
        followers(&self.leaders(factor)) as u32
    }
}

impl Residue {
    /// By how much lane `j` is ahead of the start, as far as the remainder depends on it.
    pub(crate) fn ahead(&self, j: usize) -> Int {
        let iteration = Int::new(self.step.width(), (self.first + j) as u128);
        let ahead = self.step.mul(iteration);
        if self.op == BinaryOp::And { ahead.and(self.by) } else { ahead }
    }
}

/// What the values computed by `insts` of `l`, in the order of the text, are in the lanes of `rounds`, as far as it is one
/// of the kinds.
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
                let address = accesses.load_of_what_stays(scev, inst)?.as_inst()?;
                like(found.get(&address)?.leaders(factor))
            });
        if let Some(kind) = kind {
            found.insert(inst, kind.clone());
            in_order.push((inst, kind));
        }
    }
    in_order
}

/// For each lane the first one with an equal value.
fn first_of<T: PartialEq>(values: &[T]) -> Vec<usize> {
    values.iter().enumerate().map(|(j, v)| values.iter().position(|w| w == v).unwrap_or(j)).collect()
}

/// In how many lanes the value is that of another one.
fn followers(leaders: &[usize]) -> usize {
    leaders.iter().enumerate().filter(|(j, leader)| j != *leader).count()
}

/// Lanes that are like these ones, if any is like another.
fn like(leaders: Vec<usize>) -> Option<Lanes> {
    if leaders.iter().all(|leader| *leader == 0) {
        return Some(Lanes::Same);
    }
    (followers(&leaders) > 0).then_some(Lanes::Like(leaders))
}
