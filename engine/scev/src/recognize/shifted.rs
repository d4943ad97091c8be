//! Phis that hold the value of a function of the iteration number one iteration later: if the start is `f(0)` and the next value is
//! `f(i + 1)`, the phi is `f(i)`.

use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use backedge_analysis::LoopId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Limit on the number of parts of an expression to rewrite: bounds the time for one phi, which is a leaf beyond it.
const MOST_PARTS: usize = 256;

/// The iteration at which add recurrences of a loop are evaluated.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Iteration {
    /// The previous iteration.
    Before,
    /// The first iteration.
    First,
}

impl ScalarEvolution<'_> {
    /// The expression of a phi whose next value is `next`, a function of the iteration number alone, if it starts with
    /// `start`.
    pub(super) fn shifted(&mut self, l: LoopId, start: Expr, leaf: Expr, next: Expr) -> Option<Expr> {
        if !self.arena.has_add_rec(next) || !self.arena.all_parts(next, |e, _| e != leaf) {
            return None;
        }
        let before = self.at_iteration(next, l, Iteration::Before)?;
        let first = self.at_iteration(before, l, Iteration::First)?;
        (first == start).then_some(before)
    }
    /// `root` in the given iteration, if all its parts are invariant in `l` or functions of the iteration number.
    fn at_iteration(&mut self, root: Expr, l: LoopId, iteration: Iteration) -> Option<Expr> {
        let mut known: FxHashMap<Expr, Expr> = FxHashMap::default();
        let mut work = vec![root];
        while let Some(&expr) = work.last() {
            if known.contains_key(&expr) {
                work.pop();
                continue;
            }
            if known.len() > MOST_PARTS {
                return None;
            }
            if self.is_outside(expr, l) {
                known.insert(expr, expr);
                continue;
            }
            let node = self.node(expr);
            let new = match &node {
                Node::AddRec(of, operands) if *of == l => self.recurrence_at(l, operands, iteration),
                // A recurrence of an inner loop, or a leaf that changes.
                Node::AddRec(..) | Node::Unknown(_) | Node::Constant(_) | Node::CouldNotCompute => {
                    return None;
                }
                Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => {
                    let before = work.len();
                    work.extend(node.operands().iter().filter(|e| !known.contains_key(e)));
                    if work.len() > before {
                        continue;
                    }
                    let operands: SmallVec<[Expr; 4]> = node.operands().iter().map(|e| known[e]).collect();
                    self.rebuilt(expr, &node, &operands)
                }
            };
            known.insert(expr, new);
        }
        known.get(&root).copied()
    }
    fn recurrence_at(&mut self, l: LoopId, operands: &[Expr], iteration: Iteration) -> Expr {
        if iteration == Iteration::First {
            return operands[0];
        }
        // g(i) = f(i - 1): each difference of f is the sum of two differences of g.
        let mut differences: SmallVec<[Expr; 4]> = SmallVec::from_slice(operands);
        for k in (0..operands.len() - 1).rev() {
            differences[k] = self.sub(operands[k], differences[k + 1]);
        }
        self.add_rec(l, &differences)
    }
}
