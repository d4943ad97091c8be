//! Flags of instructions as facts of expressions, and the scopes of these facts.
//!
//! A result that is not poison did not wrap. Where poison would be UB ([`super::poison`]), that is a fact. It is
//! learned only in the strong form of P1 of docs/semantics.md, for every subset of the operands.
//!
//! For a recurrence `p = {s,+,x}` with `p' = p + x` as the value of the next iteration:
//! - if a poison `p'` would be UB in each iteration that reaches a latch, `p` does not wrap (P2 of docs/semantics.md):
//!   its value at arrival `i` is the result of `i` additions, each in such an iteration;
//! - if `p` is not poison at some point of iteration `i`, neither were the additions that computed it: poison in one of
//!   them would have propagated through all later ones. So proofs at conditional places give scoped facts;
//! - `{s+x,+,x}` does not wrap where `p'` is known not to be poison. There the sum `s + x` does not wrap either: it was
//!   computed in the first iteration. The fact about the sum has only that scope; the same sum elsewhere may wrap.
//!
//! Facts belong to the expression, which several phis may share; each is proved from one phi and true for all. A scoped
//! fact about a recurrence covers all arrivals up to the arrival of the point in scope.

use super::operation::Operation;
use super::poison::Scopes;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node, sort_operands};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_analysis::conditions::edge_dominates;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use smallvec::SmallVec;

const KINDS: [Flags; 2] = [Flags::NUW, Flags::NSW];
/// Limit on the number of additions between a phi and its next value: bounds the time for one phi. A longer chain gives
/// no flags.
const CHAIN: usize = 16;

/// Sums and products of instructions.
impl ScalarEvolution<'_> {
    /// `l + r`; `value` is poison if `flags` do not hold.
    pub(super) fn flagged_sum(&mut self, value: Value, l: Expr, r: Expr, flags: Flags) -> Expr {
        let sum = self.add(&[l, r]);
        for scope in self.scopes_for(value, sum, flags) {
            if scope == Scope::Defining {
                self.add_flagged(&[l, r], flags);
            }
            self.learn_sum(sum, [l, r], flags, scope);
        }
        sum
    }
    /// `l * r`; `value` is poison if `flags` do not hold.
    pub(super) fn flagged_product(&mut self, value: Value, l: Expr, r: Expr, flags: Flags) -> Expr {
        let product = self.mul(&[l, r]);
        for scope in self.scopes_for(value, product, flags) {
            if scope == Scope::Defining {
                self.mul_flagged(&[l, r], flags);
            }
            self.learn_product(product, [l, r], flags, scope);
        }
        product
    }
    fn scopes_for(&mut self, value: Value, expr: Expr, flags: Flags) -> Scopes {
        match value.as_inst() {
            Some(inst) if !flags.is_empty() && self.as_constant(expr).is_none() => self.scopes_of(inst, expr),
            _ => Scopes::new(),
        }
    }
    fn flags_in(&self, expr: Expr, scope: Scope) -> Flags {
        match scope {
            Scope::Defining => self.flags(expr),
            Scope::From(block) => self.flags_at(expr, block),
        }
    }

    /// Learns facts of `sum` from the fact that adding `parts` does not wrap in the scope.
    pub(super) fn learn_sum(&mut self, sum: Expr, parts: [Expr; 2], flags: Flags, scope: Scope) {
        match self.node(sum) {
            Node::NAry(NAry::Add, operands) => {
                for kind in KINDS {
                    if flags.contains(kind) && self.adds_up(&operands, parts, kind, scope) {
                        self.learn(sum, kind, scope);
                    }
                }
            }
            Node::AddRec(_, operands) if operands.len() == 2 => {
                self.learn_moved(sum, [operands[0], operands[1]], parts, flags, scope);
            }
            _ => {}
        }
    }
    /// Whether `operands` are those of `parts`, flattened where the parts do not wrap, and no partial sum wraps if the
    /// whole sum does not.
    fn adds_up(&mut self, operands: &[Expr], parts: [Expr; 2], kind: Flags, scope: Scope) -> bool {
        let mut all: SmallVec<[Expr; 8]> = SmallVec::new();
        for part in parts {
            match self.arena.as_nary(NAry::Add, part) {
                Some(inner) if self.flags_in(part, scope).contains(kind) => all.extend_from_slice(inner),
                _ => all.push(part),
            }
        }
        let mut constant = Int::zero(self.width(parts[0]));
        let mut exact = true;
        all.retain(|e| {
            let Some(c) = self.arena.as_constant(*e) else { return true };
            let overflows = match kind {
                Flags::NUW => constant.add_overflows_unsigned(c),
                _ => constant.add_overflows_signed(c),
            };
            exact &= !overflows;
            constant = constant.add(c);
            false
        });
        if !exact {
            return false;
        }
        if !constant.is_zero() {
            all.push(self.constant(constant));
        }
        sort_operands(&self.arena, &mut all);
        let mut sorted: SmallVec<[Expr; 8]> = SmallVec::from_slice(operands);
        sort_operands(&self.arena, &mut sorted);
        all == sorted && (kind == Flags::NUW || all.len() == 2 || self.have_one_sign(&all))
    }
    fn have_one_sign(&mut self, all: &[Expr]) -> bool {
        let ranges: SmallVec<[_; 8]> = all.iter().map(|e| self.signed_range(*e)).collect();
        ranges.iter().all(|r| r.signed_min().is_some_and(|m| !m.is_negative()))
            || ranges.iter().all(|r| r.signed_max().is_some_and(|m| m.is_negative() || m.is_zero()))
    }
    /// Learns facts of `moved`, the recurrence `{start,+,step}`, if it is a recurrence that does not wrap plus an
    /// invariant, and that addition does not wrap.
    fn learn_moved(
        &mut self,
        moved: Expr,
        [start, step]: [Expr; 2],
        [a, b]: [Expr; 2],
        flags: Flags,
        scope: Scope,
    ) {
        let Some((l, _)) = self.arena.as_add_rec(moved) else { return };
        let (from, by) = if self.is_affine(a, l) { (a, b) } else { (b, a) };
        let Some((_, operands)) = self.arena.as_add_rec(from).filter(|(of, _)| *of == l) else { return };
        let &[from_start, from_step] = &operands[..] else { return };
        if from_step != step || !self.is_outside(by, l) || self.add(&[from_start, by]) != start {
            return;
        }
        let known = self.flags_in(from, scope);
        for kind in KINDS {
            if !flags.contains(kind) || !known.contains(kind) {
                continue;
            }
            // As unsigned, a sum that does not wrap now did not wrap before. As signed, each iteration must have
            // computed the sum.
            if kind == Flags::NUW || self.is_each_time(scope, l) {
                self.learn(moved, kind, scope);
                self.learn_start(l, start, [from_start, by], kind, scope);
            }
        }
    }
    /// Whether each iteration of `l` reaches the scope of a fact about a recurrence of `l`.
    pub(crate) fn is_each_time(&self, scope: Scope, l: LoopId) -> bool {
        match scope {
            Scope::Defining => true,
            Scope::From(block) => self.dominates_latches(block, l),
        }
    }
    fn dominates_latches(&self, block: Block, l: LoopId) -> bool {
        self.loops.latches(&self.cfg, l).iter().all(|latch| self.dominators.dominates(block, *latch))
    }
    /// Learns that the start of a recurrence of `l` was added without wrapping. The scope is that of the recurrence's
    /// fact; for the defining scope it begins at the header.
    fn learn_start(&mut self, l: LoopId, start: Expr, parts: [Expr; 2], flags: Flags, scope: Scope) {
        let scope = match scope {
            Scope::Defining => self.scope_of_entry(self.loops.header(l), start),
            Scope::From(_) => scope,
        };
        self.learn_sum(start, parts, flags, scope);
    }

    /// Learns facts of `product` from the fact that multiplying `parts` does not wrap in the scope.
    fn learn_product(&mut self, product: Expr, [a, b]: [Expr; 2], flags: Flags, scope: Scope) {
        match self.node(product) {
            Node::NAry(NAry::Mul, operands) => {
                let mut sorted = [a, b];
                sort_operands(&self.arena, &mut sorted);
                for kind in KINDS {
                    let same = operands[..] == sorted || self.is_product_of(&operands, a, b, kind, scope);
                    if flags.contains(kind) && same {
                        self.learn(product, kind, scope);
                    }
                }
            }
            Node::AddRec(l, operands) if operands.len() == 2 => {
                let (from, by) = if self.is_affine(a, l) { (a, b) } else { (b, a) };
                let Some((_, parts)) = self.arena.as_add_rec(from).filter(|(of, _)| *of == l) else { return };
                let &[start, step] = &parts[..] else { return };
                let follows = self.is_outside(by, l)
                    && self.mul(&[start, by]) == operands[0]
                    && self.mul(&[step, by]) == operands[1];
                if !follows {
                    return;
                }
                let known = self.flags_in(from, scope).and(flags);
                if known.nuw() {
                    self.learn(product, Flags::NUW, scope);
                }
                // The start is exact at the first arrival if the product is computed there; the step must be exact by
                // itself.
                let exact = |part: Expr| match (self.arena.as_constant(part), self.arena.as_constant(by)) {
                    (Some(part), Some(by)) => !part.mul_overflows_signed(by),
                    _ => false,
                };
                let exact_start = exact(start) || self.is_each_time(scope, l);
                if known.nsw() && exact_start && exact(step) {
                    self.learn(product, Flags::NSW, scope);
                }
                self.strengthen(product);
            }
            _ => {}
        }
    }
    /// Whether `operands` are a constant and a value that result from `a * b`, where `a` is a non-wrapping product of a
    /// constant and that value, and `b` is a constant.
    fn is_product_of(&self, operands: &[Expr], a: Expr, b: Expr, kind: Flags, scope: Scope) -> bool {
        let parts = self.arena.as_nary(NAry::Mul, a).filter(|_| self.flags_in(a, scope).contains(kind));
        let (Some([c, x]), Some(by)) = (parts.map(|p| &p[..]), self.as_constant(b)) else { return false };
        let Some(c) = self.as_constant(*c) else { return false };
        let overflows = match kind {
            Flags::NUW => c.mul_overflows_unsigned(by),
            _ => c.mul_overflows_signed(by),
        };
        !overflows && matches!(operands, [d, y] if self.as_constant(*d) == Some(c.mul(by)) && y == x)
    }
}

/// Recurrences.
impl ScalarEvolution<'_> {
    /// Learns the facts of the recurrence of `phi` that follow from the flags of its additions.
    pub(super) fn learn_recurrence(&mut self, phi: Inst, expr: Expr) {
        let Some(incoming) = self.incoming(phi) else { return };
        let l = incoming.l;
        if !self.is_affine(expr, l) {
            return;
        }
        let Some((_, operands)) = self.arena.as_add_rec(expr) else { return };
        let (start, step) = (operands[0], operands[1]);
        let mut steps: SmallVec<[Value; 2]> = incoming.back.iter().map(|(v, _)| *v).collect();
        steps.sort_unstable();
        steps.dedup();
        let mut flags = Flags::NW.with(Flags::BOTH);
        for value in &steps {
            flags = flags.and(self.flags_of_steps(phi, l, *value));
        }
        if flags.is_empty() {
            return self.learn_checked_recurrence(phi, expr, [start, step], &steps);
        }
        self.values.phi_flags.insert(phi, flags);

        let proven = incoming.back.iter().all(|(value, latch)| {
            let proofs = value.as_inst().map(|i| self.undefined_by(i)).unwrap_or_default();
            proofs
                .iter()
                .any(|p| self.at.body.block_of(*p).is_some_and(|b| self.dominators.dominates(b, *latch)))
        });
        let scopes = if proven { Scopes::from_slice(&[Scope::Defining]) } else { self.scopes_of(phi, expr) };
        for scope in scopes {
            self.learn(expr, flags, scope);
        }
        let next_start = self.add(&[start, step]);
        let next = self.add_rec(l, &[next_start, step]);
        for inst in steps.iter().filter_map(|v| v.as_inst()) {
            for scope in self.scopes_of(inst, next) {
                self.learn_next(l, next, [start, step], flags, scope);
            }
        }
    }
    /// Learns that `next`, the next value of `{start,+,step}`, does not wrap in the scope.
    fn learn_next(&mut self, l: LoopId, next: Expr, parts: [Expr; 2], flags: Flags, scope: Scope) {
        if self.is_affine(next, l) {
            self.learn(next, flags, scope);
        }
        let start = self.add(&parts);
        self.learn_start(l, start, parts, flags, scope);
    }
    /// The flags of the recurrence from `phi` to `value` that hold if no poison occurs.
    fn flags_of_steps(&mut self, phi: Inst, l: LoopId, value: Value) -> Flags {
        let mut flags = Flags::NW.with(Flags::BOTH);
        let mut value = value;
        // With several steps, their sum is exact as unsigned; as signed it is if the steps are constants of one sign.
        let mut total: Option<Int> = None;
        let mut taken = 0;
        for _ in 0..CHAIN {
            if value == Value::Inst(phi) {
                return flags;
            }
            let (of, step, step_flags) = match self.operation(value) {
                Operation::Same(of) => {
                    value = of;
                    continue;
                }
                Operation::Binary(op, f, [a, b]) => {
                    let no_wrap = Flags::new(f.nuw, f.nsw);
                    let invariant = |v| self.loops.is_invariant(self.at.body, l, v);
                    let (of, step) = if invariant(b) { (a, b) } else { (b, a) };
                    let Some(step) = self.found(step) else { return Flags::NONE };
                    match op {
                        BinaryOp::Add => (of, step, no_wrap.with(implied(no_wrap))),
                        BinaryOp::Or if f.disjoint => (of, step, Flags::BOTH.with(Flags::NW)),
                        BinaryOp::Sub if of == a => (of, step, self.flags_of_subtraction(step, no_wrap)),
                        _ => return Flags::NONE,
                    }
                }
                Operation::Address(source, f, operands) => {
                    let Some(base) = self.expr_type(self.at.body.ty(operands[0])) else { return Flags::NONE };
                    let Some(offset) = self.address_offset(value, source, f, &operands[1..], base.width)
                    else {
                        return Flags::NONE;
                    };
                    let nusw = if f.nusw || f.inbounds { Flags::NW } else { Flags::NONE };
                    (operands[0], offset.sum, offset.flags.with(implied(offset.flags)).with(nusw))
                }
                _ => return Flags::NONE,
            };
            flags = flags.and(step_flags);
            if taken > 0 || of != Value::Inst(phi) {
                let sum = match (total, self.as_constant(step)) {
                    (None, Some(step)) if taken == 0 => Some(step),
                    (Some(t), Some(s))
                        if t.is_negative() == s.is_negative() && !t.add_overflows_signed(s) =>
                    {
                        Some(t.add(s))
                    }
                    _ => None,
                };
                if sum.is_none() {
                    flags = flags.and(Flags::NUW);
                }
                total = sum;
            }
            value = of;
            taken += 1;
        }
        Flags::NONE
    }
    /// The flags of the recurrence that adds `-step`, given the flags of the subtraction of `step`.
    fn flags_of_subtraction(&mut self, step: Expr, flags: Flags) -> Flags {
        let min = Int::signed_min(self.width(step));
        let signed = flags.nsw() && !self.signed_range(step).contains(min);
        let mut known = if signed { Flags::NSW.with(Flags::NW) } else { Flags::NONE };
        if flags.nuw() {
            // The recurrence covers at most the distance from the start down to zero.
            known = known.with(Flags::NW);
        }
        known
    }
}

/// Arithmetic with overflow that is checked by a branch.
impl ScalarEvolution<'_> {
    /// Learns facts of `result`, the arithmetic result of `op` with overflow, from branches on the overflow bit.
    pub(super) fn learn_from_overflow(
        &mut self,
        value: Value,
        result: Expr,
        op: BinaryOp,
        signed: bool,
        [l, r]: [Expr; 2],
    ) {
        let kind = if signed { Flags::NSW } else { Flags::NUW };
        for block in self.unless_overflow(value) {
            let scope = Scope::From(block);
            match op {
                BinaryOp::Add => self.learn_sum(result, [l, r], kind, scope),
                BinaryOp::Mul => self.learn_product(result, [l, r], kind, scope),
                BinaryOp::Sub if self.flags_of_subtraction(r, kind).nsw() => {
                    let negated = self.neg(r);
                    self.learn_sum(result, [l, negated], Flags::NSW, scope);
                }
                _ => {}
            }
        }
    }
    /// The blocks that are entered only if the operation with arithmetic result `value` did not overflow.
    fn unless_overflow(&self, value: Value) -> SmallVec<[Block; 2]> {
        let body = self.at.body;
        let mut blocks = SmallVec::new();
        let Some(inst) = value.as_inst() else { return blocks };
        let aggregate = body.inst(inst).operands[0];
        for extract in body.uses(aggregate).iter().map(|u| u.user) {
            if !matches!(&body.inst(extract).kind, InstKind::ExtractValue(path) if **path == [1]) {
                continue;
            }
            for branch in body.uses(extract.into()).iter().map(|u| u.user) {
                let (InstKind::CondBr, Some(from)) = (&body.inst(branch).kind, body.block_of(branch)) else {
                    continue;
                };
                let to = body.inst(branch).successors()[1];
                if edge_dominates(&self.cfg, &self.dominators, from, to, to) {
                    blocks.push(to);
                }
            }
        }
        blocks
    }
    /// Learns the facts of a recurrence whose steps are checked for overflow before each backedge.
    fn learn_checked_recurrence(&mut self, phi: Inst, expr: Expr, parts: [Expr; 2], steps: &[Value]) {
        let &[value] = steps else { return };
        let Operation::Overflow(op, signed, [a, b]) = self.operation(value) else { return };
        let Some((l, _)) = self.arena.as_add_rec(expr) else { return };
        let kind = if signed { Flags::NSW } else { Flags::NUW };
        let of_phi = a == Value::Inst(phi) || op == BinaryOp::Add && b == Value::Inst(phi);
        let kind = match op {
            BinaryOp::Add if of_phi => kind.with(implied(kind)),
            BinaryOp::Sub if of_phi => match self.found(b) {
                Some(step) => self.flags_of_subtraction(step, kind),
                None => return,
            },
            _ => return,
        };
        let checked = self.unless_overflow(value);
        let Some(block) = checked.into_iter().find(|b| self.dominates_latches(*b, l)) else { return };
        self.learn(expr, kind, Scope::Defining);
        let start = self.add(&parts);
        let next = self.add_rec(l, &[start, parts[1]]);
        self.learn_next(l, next, parts, kind, Scope::From(block));
    }
}

/// The self-wrap flag that the other flags imply for a recurrence.
fn implied(flags: Flags) -> Flags {
    if flags.is_empty() { Flags::NONE } else { Flags::NW }
}
