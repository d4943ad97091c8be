//! Loop dispositions of expressions, and availability at loop entry.

use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;

/// The behavior of an expression in a loop.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Disposition {
    /// The same value in all iterations of one execution of the loop.
    Invariant,
    /// A function of the iteration number.
    Computable,
    /// May change in unknown ways.
    Variant,
}

impl ScalarEvolution<'_> {
    /// The behavior of `expr` in `l`.
    pub fn disposition(&mut self, expr: Expr, l: LoopId) -> Disposition {
        for part in self.parts_unless(expr, |s, e| s.queries.dispositions.contains_key(&(e, l))) {
            let disposition = self.disposition_of_part(part, l);
            self.queries.dispositions.insert((part, l), disposition);
        }
        self.queries.dispositions[&(expr, l)]
    }

    fn disposition_of_part(&self, expr: Expr, l: LoopId) -> Disposition {
        let loops = &self.loops;
        let node = self.arena.node(expr);
        let of_operands = || {
            let known = node.operands().iter().map(|o| self.queries.dispositions[&(*o, l)]);
            known.max().unwrap_or(Disposition::Invariant)
        };
        match node {
            Node::Constant(_) => Disposition::Invariant,
            Node::CouldNotCompute => Disposition::Variant,
            Node::Unknown(Value::Arg(_) | Value::Const(_)) => Disposition::Invariant,
            Node::Unknown(Value::Inst(inst)) if loops.contains_inst(self.at.body, l, *inst) => {
                Disposition::Variant
            }
            Node::Unknown(Value::Inst(_)) => Disposition::Invariant,
            Node::AddRec(of, _) if *of == l => Disposition::Computable,
            // The recurrence restarts in each iteration of `l`, or starts after `l`.
            Node::AddRec(of, _) if self.dominators.dominates(loops.header(l), loops.header(*of)) => {
                Disposition::Variant
            }
            // The recurrence does not change while `l` runs.
            Node::AddRec(of, _) if loops.contains_loop(*of, l) => Disposition::Invariant,
            Node::AddRec(..) => match of_operands() {
                Disposition::Invariant => Disposition::Invariant,
                Disposition::Computable | Disposition::Variant => Disposition::Variant,
            },
            Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => of_operands(),
        }
    }

    /// Whether `expr` has the same value in all iterations of one execution of `l`.
    pub fn is_invariant(&mut self, expr: Expr, l: LoopId) -> bool {
        self.disposition(expr, l) == Disposition::Invariant
    }

    /// Whether all leaves of `expr` are defined before `l` is entered, so that it can be evaluated at the end of each
    /// entering block.
    pub fn is_available_at_entry(&mut self, expr: Expr, l: LoopId) -> bool {
        for part in self.parts_unless(expr, |s, e| s.queries.available.contains_key(&(e, l))) {
            let available = self.is_part_available(part, l);
            self.queries.available.insert((part, l), available);
        }
        self.queries.available[&(expr, l)]
    }

    fn is_part_available(&self, expr: Expr, l: LoopId) -> bool {
        let header = self.loops.header(l);
        let node = self.arena.node(expr);
        let here = match node {
            Node::CouldNotCompute => false,
            Node::Unknown(Value::Inst(inst)) => {
                self.at.body.block_of(*inst).is_some_and(|b| self.dominators.strictly_dominates(b, header))
            }
            Node::AddRec(of, _) => self.dominators.strictly_dominates(self.loops.header(*of), header),
            Node::Constant(_) | Node::Unknown(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => true,
        };
        here && node.operands().iter().all(|o| self.queries.available[&(*o, l)])
    }
}
