//! An expression as seen from a loop, or from outside of all loops: what has run out before is taken at its last value.

use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, Node};
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_ir::opcode::IntPredicate;
use smallvec::SmallVec;

impl ScalarEvolution<'_> {
    /// `expr` as seen from `scope` (`None`: from outside of all loops). A recurrence of a loop that `scope` is not in
    /// has run out there: it is replaced by its value at the last iteration, if that is known.
    pub fn at_scope(&mut self, expr: Expr, scope: Option<LoopId>) -> Expr {
        let epoch = self.facts.epoch();
        let known = |s: &Self, e| s.queries.at_scope.get(&(e, scope)).is_some_and(|(at, _)| *at == epoch);
        for part in self.parts_unless(expr, known) {
            let seen = self.part_at_scope(part, scope, epoch);
            self.queries.at_scope.insert((part, scope), (epoch, seen));
        }
        self.queries.at_scope[&(expr, scope)].1
    }

    /// The value that `value`, computed in `l`, has when `l` is left, as an expression that is defined outside;
    /// [`Node::CouldNotCompute`] if that is not known.
    pub fn exit_value(&mut self, value: Value, l: LoopId) -> Expr {
        let Some(expr) = self.expr(value) else { return self.could_not_compute() };
        let left = self.at_scope(expr, self.loops.parent(l));
        if self.is_invariant(left, l) { left } else { self.could_not_compute() }
    }

    fn part_at_scope(&mut self, expr: Expr, scope: Option<LoopId>, epoch: u64) -> Expr {
        let node = self.node(expr);
        let operands: SmallVec<[Expr; 4]> = node
            .operands()
            .iter()
            .map(|o| {
                self.queries.at_scope.get(&(*o, scope)).filter(|(at, _)| *at == epoch).map_or(*o, |k| k.1)
            })
            .collect();
        let same = operands.as_slice() == node.operands();
        match node {
            Node::Constant(_) | Node::CouldNotCompute => expr,
            Node::Unknown(Value::Inst(inst)) => self.left_behind(inst, scope).unwrap_or(expr),
            Node::Unknown(_) => expr,
            Node::AddRec(l, _) => {
                let rebuilt = if same { expr } else { self.rebuilt_recurrence(expr, l, &operands) };
                self.last_value(rebuilt, scope)
            }
            _ if same => expr,
            Node::Cast(cast, _) => {
                let width = self.width(expr);
                match cast {
                    Cast::Trunc => self.trunc(operands[0], width),
                    Cast::ZExt => self.zext(operands[0], width),
                    Cast::SExt => self.sext(operands[0], width),
                    Cast::PtrToInt => self.ptr_to_int(operands[0]),
                }
            }
            Node::NAry(crate::NAry::Add, _) => self.add(&operands),
            Node::NAry(crate::NAry::Mul, _) => self.mul(&operands),
            Node::NAry(op, _) => self.min_max(op, &operands),
            Node::UDiv(_) => self.udiv(operands[0], operands[1]),
        }
    }

    /// The recurrence `expr` with other operands. What does not wrap for one start may for another; that it does not
    /// come back to a value it had does not depend on the start.
    fn rebuilt_recurrence(&mut self, expr: Expr, l: LoopId, operands: &[Expr]) -> Expr {
        if operands.iter().skip(1).any(|o| !self.is_invariant(*o, l)) || !self.is_invariant(operands[0], l) {
            return expr;
        }
        self.add_rec(l, operands)
    }

    /// `expr` at the last iteration if it is a recurrence of a loop that `scope` is outside of.
    fn last_value(&mut self, expr: Expr, scope: Option<LoopId>) -> Expr {
        let Node::AddRec(l, operands) = self.node(expr) else { return expr };
        if scope.is_some_and(|s| self.loops.contains_loop(l, s)) {
            return expr;
        }
        let taken = self.backedge_taken(l);
        let last = self.evaluate_at(&operands, taken);
        if self.is_could_not_compute(last) { expr } else { last }
    }

    /// What a phi of the header of a loop directly inside `scope` is when the loop has been left.
    fn left_behind(&mut self, phi: Inst, scope: Option<LoopId>) -> Option<Expr> {
        let body = self.at.body;
        let block = body.block_of(phi).filter(|_| body.inst(phi).kind.is_phi())?;
        let l = self.loops.with_header(block).filter(|l| self.loops.parent(*l) == scope)?;
        let taken = self.backedge_taken(l);
        if self.is_could_not_compute(taken) {
            return None;
        }
        let from = |inside: bool| {
            let mut values = body.inst(phi).incoming().filter(|(_, b)| self.loops.contains(l, *b) == inside);
            let (first, _) = values.next()?;
            values.all(|(v, _)| v == first).then_some(first)
        };
        let (start, back) = (from(false)?, from(true)?);
        if self.as_constant(taken).is_some_and(|n| n.is_zero()) {
            return self.expr(start);
        }
        // Taken at least once, the phi is what the backedge brought, if that is always the same.
        let zero = self.int(self.width(taken), 0);
        let is_left = self.loops.is_invariant(body, l, back) && self.is_known(IntPredicate::Ne, taken, zero);
        if is_left { self.expr(back) } else { None }
    }
}
