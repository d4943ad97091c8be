//! Leaves of an expression that make it poison in some iterations and not in others.
//!
//! `{s,+,x}` is `s` in the first iteration, even where `x` is poison; written as `s + n·x` it is poison then. So where an
//! expression is computed in another way than by the recurrence, the steps must be no poison, or poison must be there
//! in the first iteration too. The same holds of a phi that follows another recurrence, such as `x = k - x`.

use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};
use rustc_hash::FxHashSet;

/// Whether poison of any leaf of `expr` is poison of the value whenever that is computed, or can't be before `at`; or, of
/// the value at the arrival of a loop with that count, is poison of the count.
pub(crate) fn all_spread(
    scev: &mut ScalarEvolution<'_>,
    expr: Expr,
    arrival: Option<(LoopId, Expr)>,
    at: Inst,
) -> bool {
    let (of, count) = arrival.unzip();
    let is_later = count.and_then(|n| scev.as_constant(n)).is_some_and(|n| !n.is_zero());
    let mut always = Leaves { of, is_later, ..Leaves::default() };
    let mut later = always.collect(scev, expr);
    if let Some(count) = count {
        always.collect(scev, count);
    }
    let mut at_times = Leaves { of, is_later, ..Leaves::default() };
    while let Some(expr) = later.pop() {
        if at_times.seen.contains(&expr) {
            continue;
        }
        later.extend(at_times.collect(scev, expr));
    }
    at_times.values.iter().all(|v| {
        always.values.contains(v) || is_guaranteed_defined(scev.at, *v, Some(at), Defined::NotPoison)
    })
}

#[derive(Default)]
struct Leaves {
    values: FxHashSet<Value>,
    seen: FxHashSet<Expr>,
    /// The loop of which it is about one arrival.
    of: Option<LoopId>,
    /// That is not the first.
    is_later: bool,
}

impl Leaves {
    /// Adds the leaves whose poison is always poison of `expr`; returns the parts of which that is not so.
    fn collect(&mut self, scev: &mut ScalarEvolution<'_>, expr: Expr) -> Vec<Expr> {
        let mut at_times = Vec::new();
        let mut work = vec![expr];
        while let Some(next) = work.pop() {
            if !self.seen.insert(next) {
                continue;
            }
            match scev.node(next) {
                Node::Unknown(value) => {
                    self.values.insert(value);
                    if let Some((first, later)) = self.of.and_then(|l| scev.sources(value, l)) {
                        work.push(first);
                        if self.is_later { &mut work } else { &mut at_times }.extend(later);
                    }
                }
                Node::AddRec(_, operands) | Node::NAry(NAry::UMinSeq, operands) => {
                    work.push(operands[0]);
                    at_times.extend_from_slice(&operands[1..]);
                }
                node => work.extend_from_slice(node.operands()),
            }
        }
        at_times
    }
}
