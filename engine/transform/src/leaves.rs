//! Leaves of an expression that make it poison in some iterations only.
//!
//! `{s,+,x}` is `s` in the first iteration, even if `x` is poison; `s + n·x` is poison then. So an expression may be
//! computed in another way than by its recurrence only if its steps are not poison, or if poison of a step already
//! reaches the first iteration. The same holds for a phi that follows another recurrence, such as `x = k - x`.

use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};
use rustc_hash::FxHashSet;

/// Whether rewriting `expr` is safe with respect to poison of its leaves. Poison of each leaf must always propagate
/// to the value, or be impossible at `at`. For the value at the arrival of a loop with a given count, poison of the
/// leaf may instead propagate to the count.
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
    /// The loop whose arrival is considered.
    of: Option<LoopId>,
    /// Whether the arrival is not the first one.
    is_later: bool,
}

impl Leaves {
    /// Adds the leaves whose poison always makes `expr` poison; returns the subexpressions for which this does not
    /// hold.
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
