//! Exit conditions: decomposes the terminator of an exiting block into conditions.
//!
//! `and`, `or` and their `select` forms combine two conditions. If either alone leaves the loop, the exit count is the
//! minimum of both counts; the minimum is sequential for a `select`, whose second condition may be poison in an
//! iteration in which the first leaves. If both must hold at once, the count is known only if both have the same count:
//! neither held in an earlier iteration.

use super::condition::{Condition, Exit, Test};
use super::{Limit, least_constant};
use crate::ScalarEvolution;
use crate::expr::Expr;
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::{Stops, called_intrinsic};
use backedge_analysis::range::{ConstantRange, exact_icmp_region};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::FxHashMap;

/// Limit on the nesting depth of conditions (`and`, `or`, `select`): bounds the recursion. The count of an exit with a
/// deeper condition is unknown.
const DEPTH: u32 = 24;
/// Limit on the number of switch cases that leave the loop: each is solved by itself. With more, the count is unknown.
const MOST_CASES: usize = 16;

impl ScalarEvolution<'_> {
    /// The limit of the exiting block `block` of `l`. `only`: it is the only exiting block.
    pub(super) fn exit_limit(&mut self, l: LoopId, block: Block, only: bool, always_passed: bool) -> Limit {
        let Some(terminator) = self.body().terminator(block) else { return Limit::UNKNOWN };
        let scope = self.loops.innermost(block);
        let mut exit = Exit { l, scope, always_passed, memo: FxHashMap::default() };
        let data = self.body().inst(terminator);
        match &data.kind {
            InstKind::CondBr => {
                let leaves = [0, 1].map(|i| !self.loops.contains(l, data.blocks[i]));
                let dead = !data.blocks.iter().any(|to| self.is_live_exit(l, *to));
                let only = only && !dead;
                let value = data.operands[0];
                match leaves {
                    [true, true] => self.at_once(1),
                    [false, false] => Limit::UNKNOWN,
                    [leaves_if, _] if dead => {
                        let whole = Condition { value, leaves_if, controls: false, binds: true };
                        Limit { never: true, ..self.condition(&mut exit, whole, 0) }
                    }
                    [leaves_if, _] => {
                        let whole = Condition { value, leaves_if, controls: only, binds: true };
                        let limit = self.condition(&mut exit, whole, 0);
                        // Parts that become true in different iterations may be true together in an iteration that
                        // execution finds.
                        if limit.exact.is_some() || limit.never {
                            limit
                        } else {
                            self.execute_to_exit(&exit, whole).or(limit)
                        }
                    }
                }
            }
            InstKind::Switch => self.switch_limit(&exit, terminator, only),
            _ => Limit::UNKNOWN,
        }
    }

    /// Whether `to` is outside of `l` and is not immediately UB: an edge to `unreachable` is never taken.
    pub(super) fn is_live_exit(&self, l: LoopId, to: Block) -> bool {
        !self.loops.contains(l, to) && {
            let stops = self.at.get::<Stops>();
            let undefined = |stop: Inst| matches!(self.body().inst(stop).kind, InstKind::Unreachable);
            !stops.first(to).is_some_and(undefined)
        }
    }

    /// The number of the first iteration of `l` in which `left pred right` does not hold: in all earlier iterations it
    /// holds if its operands are not poison. If the loop does not reach that iteration, the result may be any number
    /// that the loop does not reach. The comparison need not control an exit, nor be executed in each iteration. `None`
    /// also if the comparison is known to hold in all iterations.
    pub fn first_failure(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> Option<Expr> {
        let header = self.header(l);
        let scope = Some(l);
        let exit = Exit { l, scope, always_passed: false, memo: FxHashMap::default() };
        let limit =
            self.within(Some(header), |this| this.compared(&exit, Test::new(l, pred, left, right, false)));
        limit.exact.filter(|_| !limit.never)
    }

    fn condition(&mut self, exit: &mut Exit, condition: Condition, depth: u32) -> Limit {
        let Condition { value, leaves_if, controls, binds } = condition;
        if let Some(constant) = self.body().as_int(value) {
            return if constant.is_one() == leaves_if { self.at_once(1) } else { Limit::NEVER };
        }
        let Some(inst) = value.as_inst() else { return self.truth(exit, condition) };
        if depth == DEPTH {
            return Limit::UNKNOWN;
        }
        let key = (value, [leaves_if, controls, binds]);
        if let Some(known) = exit.memo.get(&key) {
            return *known;
        }
        let limit = self.condition_of(exit, condition, inst, depth);
        exit.memo.insert(key, limit);
        limit
    }

    fn condition_of(&mut self, exit: &mut Exit, condition: Condition, inst: Inst, depth: u32) -> Limit {
        let body = self.body();
        let data = body.inst(inst);
        let constant = |index: usize| body.as_int(data.operands[index]).map(Int::is_one);
        let two = |and, sequential, left: usize, right: usize| {
            Some((and, sequential, [data.operands[left], data.operands[right]]))
        };
        let parts = match &data.kind {
            InstKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), _) => {
                two(*op == BinaryOp::And, false, 0, 1)
            }
            InstKind::Select(_) if constant(2) == Some(false) => two(true, true, 0, 1),
            InstKind::Select(_) if constant(1) == Some(true) => two(false, true, 0, 2),
            InstKind::Binary(BinaryOp::Xor, _) => {
                let negated = [(0, 1), (1, 0)].into_iter().find(|(_, by)| constant(*by) == Some(true));
                if let Some((of, _)) = negated {
                    let value = data.operands[of];
                    let inner = Condition { value, leaves_if: !condition.leaves_if, ..condition };
                    return self.condition(exit, inner, depth + 1);
                }
                None
            }
            _ => None,
        };
        if let Some((and, _, parts)) = parts {
            // `and` with true, `or` with false: the other operand.
            let neutral = |v: Value| body.as_int(v).is_some_and(|c| c.is_one() == and);
            let other =
                if neutral(parts[0]) { Some(parts[1]) } else { neutral(parts[1]).then_some(parts[0]) };
            if let Some(value) = other {
                return self.condition(exit, Condition { value, ..condition }, depth + 1);
            }
        }
        let Some((and, sequential, operands)) = parts else {
            let limit = match &data.kind {
                InstKind::ICmp { pred, .. } => self.comparison(exit, condition, *pred, inst),
                InstKind::ExtractValue(path) if path[..] == [1] => self.overflow(exit, condition, inst),
                _ => self.truth(exit, condition),
            };
            return if limit.is_known() { limit } else { self.execute_to_exit(exit, condition) };
        };
        // Neither operand decides alone: if either suffices, the other one may leave first; if both must hold, the loop
        // may continue past the iteration in which one of them holds.
        let either = and != condition.leaves_if;
        let part = |value, binds| Condition { value, controls: false, binds, ..condition };
        let a = self.condition(exit, part(operands[0], condition.binds), depth + 1);
        // If either operand leaves, the `select` evaluates its second operand whenever the loop continues. If both must
        // hold, it may skip the second operand.
        let binds = condition.binds && (either || !sequential);
        let b = self.condition(exit, part(operands[1], binds), depth + 1);
        if either { self.either(a, b, sequential) } else { Self::both(a, b) }
    }

    /// The limit of an exit that is taken as soon as one of two conditions becomes true.
    fn either(&mut self, a: Limit, b: Limit, sequential: bool) -> Limit {
        if a.never {
            return b;
        }
        if b.never {
            return a;
        }
        let exact = a.exact.zip(b.exact).and_then(|(a, b)| self.least(&[a, b], sequential));
        let symbolic_max = match (a.symbolic_max, b.symbolic_max) {
            (Some(a), Some(b)) => self.least(&[a, b], sequential),
            // In an iteration in which the first condition leaves, the second condition, and so its bound, may be
            // poison.
            (None, Some(_)) if sequential => None,
            (a, b) => a.or(b),
        };
        let constant_max = match (a.constant_max, b.constant_max) {
            (Some(a), Some(b)) => Some(least_constant(a, b)),
            (a, b) => a.or(b),
        };
        Limit { exact, constant_max, symbolic_max: exact.or(symbolic_max), max_or_zero: false, never: false }
    }
    /// The limit of an exit that is taken when two conditions are true at once.
    fn both(a: Limit, b: Limit) -> Limit {
        if a.never || b.never {
            Limit::NEVER
        } else if a.exact.is_some() && a.exact == b.exact {
            a.or(b)
        } else {
            Limit::UNKNOWN
        }
    }

    fn comparison(&mut self, exit: &Exit, condition: Condition, pred: IntPredicate, inst: Inst) -> Limit {
        let data = self.body().inst(inst);
        let stays = if condition.leaves_if { pred.inverse() } else { pred };
        let [a, b] = [data.operands[0], data.operands[1]];
        let (Some(left), Some(right)) = (self.value_in(exit, a), self.value_in(exit, b)) else {
            return Limit::UNKNOWN;
        };
        let mut test = Test::new(exit.l, stays, left, right, condition.controls);
        if condition.binds && exit.always_passed {
            test.flags =
                [(a, left), (b, right)].map(|(value, expr)| self.flags_when_reached(exit.l, value, expr));
        }
        let limit = self.compared(exit, test);
        if limit.is_known() {
            return limit;
        }
        let limit = self.execute_to_exit(exit, condition);
        if limit.is_known() { limit } else { self.shift_recurrence_max(exit, stays, [a, b]) }
    }
    /// Flags of `expr`, a recurrence that is a header phi or its increment, in the iterations in which the exit is
    /// reached. They follow from the flags of the increment: its value is not poison in such an iteration, nor in
    /// earlier iterations.
    fn flags_when_reached(&mut self, l: LoopId, value: Value, expr: Expr) -> Flags {
        let Some(flags) = self.increment_of(l, value) else { return Flags::NONE };
        let Some((of, &[start, step])) = self.arena.as_add_rec(expr).map(|(l, operands)| (l, &operands[..]))
        else {
            return Flags::NONE;
        };
        if of != l {
            return Flags::NONE;
        }
        // An increment of a non-negative value that does not wrap as signed does not wrap as unsigned either.
        let rises = flags.nsw()
            && self.entry_sign(start, l) == Some(false)
            && self.entry_sign(step, l) == Some(false);
        flags.with(Flags::new(rises, false))
    }
    /// The flags of the `add` or `getelementptr` that computes the next value of a header phi, if `value` is that phi
    /// or that increment.
    fn increment_of(&self, l: LoopId, value: Value) -> Option<Flags> {
        let body = self.body();
        let is_header_phi =
            |i: &Inst| body.inst(*i).kind.is_phi() && body.block_of(*i) == Some(self.header(l));
        let given = value.as_inst()?;
        let phi = if is_header_phi(&given) {
            given
        } else {
            body.inst(given).operands.iter().filter_map(|v| v.as_inst()).find(is_header_phi)?
        };
        let mut next = body.inst(phi).incoming().filter(|(_, from)| self.loops.contains(l, *from));
        let (first, _) = next.next()?;
        let add = first.as_inst().filter(|_| next.all(|(other, _)| other == first))?;
        if given != phi && given != add || !body.inst(add).operands.contains(&phi.into()) {
            return None;
        }
        match body.inst(add).kind {
            InstKind::Binary(BinaryOp::Add, flags) => Some(Flags::new(flags.nuw, flags.nsw)),
            InstKind::Gep { flags, .. } => Some(Flags::new(flags.nuw, false)),
            _ => None,
        }
    }
    /// The expression of `value` at the exit.
    fn value_in(&mut self, exit: &Exit, value: Value) -> Option<Expr> {
        let expr = self.expr(value)?;
        let expr = self.compared_at_scope(exit.l, expr, exit.scope);
        let expr = if self.ty(expr).is_pointer() { self.address(expr)? } else { expr };
        (!self.is_could_not_compute(expr)).then_some(expr)
    }
    /// The integer that a comparison of pointers sees, if it equals the index part of the pointer and the address space
    /// is integral.
    pub fn address(&mut self, pointer: Expr) -> Option<Expr> {
        let space = self.ty(pointer).space?;
        let all = self.at.env.layout.pointer(space).bits == self.width(pointer);
        let all = all && !self.at.env.layout.is_non_integral(space);
        all.then(|| self.ptr_to_int(pointer))
    }

    /// A condition that is not a comparison: compares its value with a constant.
    fn truth(&mut self, exit: &Exit, condition: Condition) -> Limit {
        let Some(value) = self.value_in(exit, condition.value) else { return Limit::UNKNOWN };
        let stay = self.constant(Int::bool(!condition.leaves_if));
        self.compared(exit, Test::new(exit.l, IntPredicate::Eq, value, stay, condition.controls))
    }

    /// The overflow bit of arithmetic with a constant: a comparison with the bounds within which the arithmetic does
    /// not overflow.
    fn overflow(&mut self, exit: &Exit, condition: Condition, inst: Inst) -> Limit {
        let body = self.body();
        let call = body.inst(inst).operands[0].as_inst().and_then(|i| body.inst(i).call());
        let Some(call) = call else { return Limit::UNKNOWN };
        let arithmetic =
            called_intrinsic(self.at.env, body, call).and_then(Intrinsic::arithmetic_with_overflow);
        let Some((op, signed)) = arithmetic else { return Limit::UNKNOWN };
        let [mut left, mut right] = [call.args()[0], call.args()[1]];
        if op.is_commutative() && body.as_int(left).is_some() {
            std::mem::swap(&mut left, &mut right);
        }
        let Some(by) = body.as_int(right) else { return Limit::UNKNOWN };
        let Some(left) = self.value_in(exit, left) else { return Limit::UNKNOWN };
        // Exact for a constant operand, since the region is an interval.
        let region = ConstantRange::guaranteed_no_wrap_region(op, ConstantRange::constant(by), signed);
        let region = if condition.leaves_if { region } else { region.inverse() };
        self.while_within(exit, left, region, condition.controls)
    }

    /// The limit of an exit that stays in the loop while `value` lies in `range`.
    fn while_within(&mut self, exit: &Exit, value: Expr, range: ConstantRange, controls: bool) -> Limit {
        if range.is_full() {
            return Limit::NEVER;
        }
        if range.is_empty() {
            return self.at_once(range.width());
        }
        let (pred, bound, offset) = match range.as_icmp() {
            Some((pred, bound)) => (pred, bound, Int::zero(range.width())),
            None => (IntPredicate::Ult, range.upper().sub(range.lower()), range.lower().neg()),
        };
        debug_assert!(
            offset.is_zero() || exact_icmp_region(pred, bound).size_less_one() == range.size_less_one()
        );
        let offset = self.constant(offset);
        let moved = self.add(&[value, offset]);
        let bound = self.constant(bound);
        self.compared(exit, Test::new(exit.l, pred, moved, bound, controls))
    }

    /// The limit of a switch with some targets outside of the loop.
    fn switch_limit(&mut self, exit: &Exit, switch: Inst, only: bool) -> Limit {
        let body = self.body();
        let data = body.inst(switch);
        let Some(value) = self.value_in(exit, data.operands[0]) else { return Limit::UNKNOWN };
        let width = self.width(value);
        let cases: Option<Vec<(Int, Block)>> = data.operands[1..]
            .iter()
            .zip(&data.blocks[1..])
            .map(|(v, b)| Some((body.as_int(*v)?, *b)))
            .collect();
        let Some(cases) = cases else { return Limit::UNKNOWN };
        let default_leaves = self.is_live_exit(exit.l, data.blocks[0]);
        // The case values whose direction differs from that of the default; only these decide.
        let special: Vec<Int> = cases
            .iter()
            .filter(|(_, to)| self.is_live_exit(exit.l, *to) != default_leaves)
            .map(|(case, _)| *case)
            .collect();
        if default_leaves {
            let range = special
                .iter()
                .fold(ConstantRange::empty(width), |all, case| all.union(ConstantRange::constant(*case)));
            let whole = range.size_less_one().map(|n| n + 1) == Some(special.len() as u128);
            if whole || special.is_empty() {
                return self.while_within(exit, value, range, only);
            }
            return Limit::UNKNOWN;
        }
        if special.len() > MOST_CASES {
            return Limit::UNKNOWN;
        }
        let single = only && special.len() == 1;
        let mut limit: Option<Limit> = None;
        for case in special {
            let case = self.constant(case);
            let one = self.compared(exit, Test::new(exit.l, IntPredicate::Ne, value, case, single));
            limit = Some(match limit {
                Some(before) => self.either(before, one, false),
                None => one,
            });
        }
        limit.unwrap_or(Limit::NEVER)
    }
}
