//! Selects, and phis that merge the two sides of a branch, as minima, maxima and similar expressions.

use super::operation::Operation;
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_analysis::conditions::edge_dominates;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// Limit on the number of expressions visited in search of an operand of a minimum: bounds the time for one select.
const MOST_MINIMA: usize = 64;

impl ScalarEvolution<'_> {
    /// `phi`, which is not in a header, as a select between its values from the two sides of the branch above.
    pub(super) fn merge_operation(&self, phi: Inst, block: Block) -> Option<Operation> {
        let body = self.at.body;
        let data = body.inst(phi);
        let mut incoming = data.incoming();
        let (Some((a, from_a)), Some((b, from_b)), None) =
            (incoming.next(), incoming.next(), incoming.next())
        else {
            return None;
        };
        // All blocks must be in one iteration of all surrounding loops.
        let around = self.loops.innermost(block);
        if [from_a, from_b].iter().any(|f| self.loops.innermost(*f) != around) {
            return None;
        }
        let above = self.dominators.idom(block)?;
        let branch = body.terminator(above)?;
        let branch_data = body.inst(branch);
        if !matches!(branch_data.kind, InstKind::CondBr) || self.loops.innermost(above) != around {
            return None;
        }
        let &[yes, no] = branch_data.successors() else { return None };
        let comes_by = |way: Block, from: Block| {
            if from == above {
                // Directly over the edge.
                way == block && yes != no
            } else {
                edge_dominates(&self.cfg, &self.dominators, above, way, from)
            }
        };
        let condition = branch_data.operands[0];
        if comes_by(yes, from_a) && comes_by(no, from_b) {
            Some(Operation::Select { condition, arms: [a, b] })
        } else if comes_by(no, from_a) && comes_by(yes, from_b) {
            Some(Operation::Select { condition, arms: [b, a] })
        } else {
            None
        }
    }

    /// `condition ? arms[0] : arms[1]`.
    pub(super) fn recognized_select(
        &mut self,
        value: Value,
        condition: Value,
        arms: [Value; 2],
    ) -> Option<Expr> {
        let [yes, no] = arms.map(|v| self.operand(v));
        // The arms of a merge must be available above the branch.
        if let Some(inst) = value.as_inst()
            && self.at.body.inst(inst).kind.is_phi()
        {
            let block = self.at.body.block_of(inst)?;
            if [yes, no].into_iter().any(|e| !self.is_defined_above(e, block)) {
                return None;
            }
        }
        if yes == no {
            return Some(yes);
        }
        if let Some(truth) = self.at.body.as_int(condition) {
            return Some(if truth.is_zero() { no } else { yes });
        }
        if self.width(yes) == 1 && !self.ty(yes).is_pointer() {
            return self.select_of_bits(condition, yes, no);
        }
        let inst = condition.as_inst()?;
        let data = self.at.body.inst(inst);
        let InstKind::ICmp { pred, .. } = data.kind else { return None };
        self.expr_type(self.at.body.ty(data.operands[0]))?;
        let [l, r] = [data.operands[0], data.operands[1]].map(|v| self.operand(v));
        self.select_by_compare(pred, [l, r], [yes, no])
    }
    /// `i1` selects with a constant arm: `c ? x : C` is `C + umin_seq(c, x - C)`.
    fn select_of_bits(&mut self, condition: Value, yes: Expr, no: Expr) -> Option<Expr> {
        let chosen = self.operand(condition);
        let (chosen, constant, other) = if self.as_constant(no).is_some() {
            (chosen, no, yes)
        } else {
            self.as_constant(yes)?;
            (self.not(chosen), yes, no)
        };
        let difference = self.sub(other, constant);
        let least = self.min_max(NAry::UMinSeq, &[chosen, difference]);
        Some(self.add(&[constant, least]))
    }
    /// `l pred r ? yes : no`.
    pub(super) fn select_by_compare(
        &mut self,
        pred: IntPredicate,
        [l, r]: [Expr; 2],
        [yes, no]: [Expr; 2],
    ) -> Option<Expr> {
        use IntPredicate as P;
        let (pred, [l, r], [yes, no]) = match pred {
            // Normalize to the greater operand first.
            P::Slt | P::Sle | P::Ult | P::Ule => (pred.swapped(), [r, l], [yes, no]),
            P::Eq => (P::Ne, [l, r], [no, yes]),
            _ => (pred, [l, r], [yes, no]),
        };
        match pred {
            P::Ne => self.select_by_zero([l, r], [yes, no]),
            _ => self.extreme(pred.is_signed(), [l, r], [yes, no]),
        }
    }
    /// `l > r ? yes : no`, or with `>=`: a maximum if the arms are the operands plus a common difference; a minimum if
    /// the arms are exchanged.
    fn extreme(&mut self, signed: bool, compared: [Expr; 2], [yes, no]: [Expr; 2]) -> Option<Expr> {
        let (width, ty) = (self.width(yes), self.ty(yes));
        if self.width(compared[0]) > width {
            return None;
        }
        let (max, min) = if signed { (NAry::SMax, NAry::SMin) } else { (NAry::UMax, NAry::UMin) };
        if ty.is_pointer() {
            // With different bases, only the operands themselves can be compared.
            return match compared {
                _ if compared == [yes, no] => Some(self.min_max(max, &compared)),
                _ if compared == [no, yes] => Some(self.min_max(min, &compared)),
                _ => None,
            };
        }
        let is_plain =
            |e: Expr| self.ty(e).space.is_none_or(|space| !self.at.env.layout.is_non_integral(space));
        if !compared.into_iter().all(is_plain) {
            return None;
        }
        let [l, r] = compared.map(|e| {
            let e = self.ptr_to_int(e);
            if signed { self.sext(e, width) } else { self.zext(e, width) }
        });
        for (op, [a, b]) in [(max, [yes, no]), (min, [no, yes])] {
            let (above, below) = (self.sub(a, l), self.sub(b, r));
            if above == below {
                let extreme = self.min_max(op, &[l, r]);
                return Some(self.add(&[extreme, above]));
            }
        }
        None
    }
    /// Whether `least` is an unsigned minimum with the operand `part`, possibly in nested minima.
    fn is_least_of(&self, least: Expr, part: Expr) -> bool {
        let mut work = vec![least];
        for _ in 0..MOST_MINIMA {
            let Some(next) = work.pop() else { return false };
            if let Node::NAry(NAry::UMin | NAry::UMinSeq, operands) = self.arena.node(next) {
                if operands.contains(&part) {
                    return true;
                }
                work.extend_from_slice(operands);
            }
        }
        false
    }
    /// `l != r ? yes : no`.
    fn select_by_zero(&mut self, [l, r]: [Expr; 2], [yes, no]: [Expr; 2]) -> Option<Expr> {
        // If the operands are equal, either arm is correct.
        if ([l, r] == [yes, no] || [r, l] == [yes, no]) && !self.ty(yes).is_pointer() {
            return Some(yes);
        }
        if !self.as_constant(r).is_some_and(Int::is_zero)
            || self.ty(l).is_pointer()
            || self.ty(yes).is_pointer()
        {
            return None;
        }
        // The operand of a zero extension is zero exactly if the extension is.
        let mut l = l;
        while let Some(of) = self.arena.as_cast(Cast::ZExt, l) {
            l = of;
        }
        // x != 0 ? min(.., x, ..) : 0
        if self.as_constant(no).is_some_and(Int::is_zero) && self.is_least_of(yes, l) {
            return Some(self.min_max(NAry::UMinSeq, &[l, yes]));
        }
        let width = self.width(yes);
        if self.width(l) > width {
            return None;
        }
        // x != 0 ? x + y : C + y is max(x, C) + y for C <= 1.
        let x = self.zext(l, width);
        let above = self.sub(yes, x);
        let least = self.sub(no, above);
        if self.as_constant(least).is_some_and(|c| c.bits() <= 1) {
            let most = self.min_max(NAry::UMax, &[x, least]);
            return Some(self.add(&[most, above]));
        }
        None
    }
}
