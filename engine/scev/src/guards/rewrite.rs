//! Replacement of parts of expressions.

use super::ScalarEvolution;
use crate::expr::{Cast, Expr, Node};
use rustc_hash::FxHashMap;

/// Limit on the number of parts of an expression to rewrite: bounds the time of a query. A larger expression is left
/// unchanged.
const MOST_PARTS: usize = 1024;

impl ScalarEvolution<'_> {
    /// `root` with each part `e` replaced by `replace(e)` if that is `Some`, and otherwise rebuilt from its rewritten
    /// operands. Calls `replace` once per part, users before operands. `None` if there are too many parts.
    pub(crate) fn rewrite(
        &mut self,
        root: Expr,
        replace: &mut dyn FnMut(&mut Self, Expr) -> Option<Expr>,
    ) -> Option<Expr> {
        let mut done: FxHashMap<Expr, Option<Expr>> = FxHashMap::default();
        let mut work = vec![root];
        while let Some(&expr) = work.last() {
            match done.get(&expr) {
                Some(Some(_)) => {
                    work.pop();
                    continue;
                }
                None => {
                    if done.len() == MOST_PARTS {
                        return None;
                    }
                    let replaced = replace(self, expr);
                    done.insert(expr, replaced);
                    if replaced.is_none() {
                        work.extend_from_slice(self.arena.node(expr).operands());
                    }
                }
                Some(None) => {
                    let node = self.node(expr);
                    let operands: Vec<Expr> =
                        node.operands().iter().filter_map(|e| done.get(e).copied().flatten()).collect();
                    let new =
                        if operands == node.operands() { expr } else { self.rebuilt(expr, &node, &operands) };
                    done.insert(expr, Some(new));
                    work.pop();
                }
            }
        }
        done.get(&root).copied().flatten()
    }
    /// The operation of `expr` applied to other operands.
    pub(crate) fn rebuilt(&mut self, expr: Expr, node: &Node, operands: &[Expr]) -> Expr {
        let width = self.width(expr);
        match node {
            Node::Constant(_) | Node::Unknown(_) | Node::CouldNotCompute => expr,
            Node::Cast(Cast::Trunc, _) => self.trunc(operands[0], width),
            Node::Cast(Cast::ZExt, _) => self.zext(operands[0], width),
            Node::Cast(Cast::SExt, _) => self.sext(operands[0], width),
            Node::Cast(Cast::PtrToInt, _) => self.ptr_to_int(operands[0]),
            Node::NAry(op, _) if op.is_min_max() => self.min_max(*op, operands),
            Node::NAry(crate::NAry::Add, _) => self.add(operands),
            Node::NAry(..) => self.mul(operands),
            Node::UDiv(_) => self.udiv(operands[0], operands[1]),
            Node::AddRec(l, _) => self.add_rec(*l, operands),
        }
    }
}
