//! Brute-force execution: if a condition depends only on constants and header phis, evaluates it iteration by iteration
//! until it leaves the loop.
//!
//! A poison value may be evaluated to any number: values that depend on it are poison too, and a branch on it is UB.
//! This argument fails at a `freeze`, so nothing that depends on one is evaluated.
//!
//! Shift recurrences `x >> k` and `x << k` with an unknown start become constant after at most as many steps as there
//! are bits. If the condition leaves the loop then, that number of steps is a maximum.

use super::Limit;
use super::condition::{Condition, Exit};
use crate::ScalarEvolution;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_analysis::values::{Facts, evaluate};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{BinaryOp, IntPredicate};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

/// Limit on the number of instructions evaluated per iteration: bounds the work of an execution together with the limit
/// on iterations.
const MOST_INSTS: usize = 64;

/// A header phi: its current constant value, and the value of its next iteration if it is followed.
pub(crate) struct Known {
    pub(crate) now: Int,
    pub(crate) next: Option<Value>,
}

/// The values to evaluate in each iteration.
#[derive(Default)]
pub(crate) struct Plan {
    /// Header phis, each with its next value.
    phis: Vec<(Inst, Option<Value>)>,
    /// The other instructions, operands before users.
    insts: Vec<Inst>,
    /// All phis and instructions in the plan.
    planned: FxHashSet<Inst>,
    /// The known values of this iteration: constants, phis, and evaluated instructions.
    values: FxHashMap<Value, Int>,
}

impl Plan {
    /// The number of values evaluated per iteration.
    pub(crate) fn size(&self) -> usize {
        self.planned.len()
    }
    /// The header phis.
    pub(crate) fn phis(&self) -> impl Iterator<Item = Inst> + '_ {
        self.phis.iter().map(|(phi, _)| *phi)
    }
    /// `value` in this iteration, if it is known.
    pub(crate) fn value(&self, value: Value) -> Option<Int> {
        self.values.get(&value).copied()
    }
    /// Advances to the next iteration: the phis take their next values.
    pub(crate) fn advance(&mut self) {
        let next: Vec<Option<Int>> =
            self.phis.iter().map(|(_, next)| next.and_then(|n| self.value(n))).collect();
        for (i, next) in next.into_iter().enumerate() {
            let phi = self.phis[i].0;
            self.set(phi, next);
        }
    }
    fn set(&mut self, inst: Inst, value: Option<Int>) {
        match value {
            Some(value) => self.values.insert(inst.into(), value),
            None => self.values.remove(&inst.into()),
        };
    }
    /// Shrinks the plan to the given numbers of phis and instructions.
    fn shorten(&mut self, phis: usize, insts: usize) {
        let dropped = self.phis.drain(phis..).map(|(phi, _)| phi).chain(self.insts.drain(insts..));
        for inst in dropped {
            self.planned.remove(&inst);
            self.values.remove(&inst.into());
        }
    }
}

impl ScalarEvolution<'_> {
    /// The limit of the condition, if execution finds the first iteration in which it leaves the loop.
    pub(super) fn execute_to_exit(&mut self, exit: &Exit, condition: Condition) -> Limit {
        if exit.scope != Some(exit.l) {
            return Limit::UNKNOWN;
        }
        let mut plan = Plan::default();
        let planned = self
            .extend_plan(&mut plan, exit.l, condition.value, &mut |this, phi| this.header_phi(exit.l, phi));
        if !planned || plan.phis.is_empty() {
            return Limit::UNKNOWN;
        }
        for iteration in 0..self.limits.brute_force {
            self.iterate(&mut plan);
            let Some(value) = plan.value(condition.value) else { return Limit::UNKNOWN };
            if value.is_one() == condition.leaves_if {
                let count = Int::new(32, u128::from(iteration));
                return Limit::exact(self.constant(count), count);
            }
            plan.advance();
        }
        Limit::UNKNOWN
    }
    /// Evaluates the planned instructions. The value of an instruction with UB becomes unknown.
    pub(crate) fn iterate(&self, plan: &mut Plan) {
        for i in 0..plan.insts.len() {
            let inst = plan.insts[i];
            let value = self.computed(plan, inst);
            plan.set(inst, value);
        }
    }
    fn computed(&self, plan: &Plan, inst: Inst) -> Option<Int> {
        if let Some(overflows) = self.overflow_bit(plan, inst) {
            return Some(Int::bool(overflows));
        }
        let facts = evaluate::instruction(self.at, inst, &mut |index| {
            let operand = evaluate::operand_of(self.at, inst, index)?;
            plan.value(operand).map(Facts::constant)
        })?;
        facts.as_constant().filter(|_| !facts.is_none())
    }

    /// Whether arithmetic on known operands overflows, if the instruction extracts an overflow bit.
    fn overflow_bit(&self, plan: &Plan, inst: Inst) -> Option<bool> {
        use Intrinsic as I;
        let data = self.body().inst(inst);
        if !matches!(&data.kind, InstKind::ExtractValue(path) if path[..] == [1]) {
            return None;
        }
        let call = self.body().inst(data.operands[0].as_inst()?).call()?;
        let [a, b] = [1, usize::MAX]
            .map(|i| evaluate::operand_of(self.at, inst, i).and_then(|v| plan.values.get(&v).copied()));
        let (a, b) = (a?, b?);
        Some(match called_intrinsic(self.at.env, self.body(), call)? {
            I::UAddWithOverflow => a.add_overflows_unsigned(b),
            I::SAddWithOverflow => a.add_overflows_signed(b),
            I::USubWithOverflow => a.sub_overflows_unsigned(b),
            I::SSubWithOverflow => a.sub_overflows_signed(b),
            I::UMulWithOverflow => a.mul_overflows_unsigned(b),
            I::SMulWithOverflow => a.mul_overflows_signed(b),
            _ => return None,
        })
    }

    /// Adds the values that `root` in `l` depends on, if these are header phis and constants alone. Returns whether
    /// that succeeded; if not, the plan is unchanged. `header` returns the values of a header phi.
    pub(crate) fn extend_plan(
        &mut self,
        plan: &mut Plan,
        l: LoopId,
        root: Value,
        header: &mut dyn FnMut(&mut Self, Inst) -> Option<Known>,
    ) -> bool {
        let (phis, insts) = (plan.phis.len(), plan.insts.len());
        let planned = self.plan_all(plan, l, root, header).is_some();
        if !planned {
            plan.shorten(phis, insts);
        }
        planned
    }
    fn plan_all(
        &mut self,
        plan: &mut Plan,
        l: LoopId,
        root: Value,
        header: &mut dyn FnMut(&mut Self, Inst) -> Option<Known>,
    ) -> Option<()> {
        let before = plan.size();
        let mut work = vec![(root, false)];
        while let Some((value, operands_done)) = work.pop() {
            if let Some(inst) = value.as_inst().filter(|i| operands_done && plan.planned.insert(*i)) {
                plan.insts.push(inst);
                continue;
            }
            let inst = value.as_inst().filter(|i| self.loops.contains_inst(self.body(), l, *i));
            let Some(inst) = inst else {
                if plan.value(value).is_none() {
                    let constant = self.known_integer(value)?;
                    plan.values.insert(value, constant);
                }
                continue;
            };
            if plan.planned.contains(&inst) {
                continue;
            }
            if plan.size() - before + work.len() > MOST_INSTS {
                return None;
            }
            if self.body().inst(inst).kind.is_phi() {
                let known = header(self, inst)?;
                plan.values.insert(value, known.now);
                plan.phis.push((inst, known.next));
                plan.planned.insert(inst);
                work.extend(known.next.map(|next| (next, false)));
                continue;
            }
            if !is_computed(&self.body().inst(inst).kind) {
                return None;
            }
            work.push((value, true));
            let data = self.body().inst(inst);
            let operands: SmallVec<[usize; 4]> = match &data.kind {
                // The two operands of the arithmetic intrinsic whose result it reads.
                InstKind::ExtractValue(_) => smallvec![1, usize::MAX],
                InstKind::Call(info) => (0..info.arg_count()).collect(),
                _ => (0..data.operands.len()).collect(),
            };
            for index in operands {
                work.push((evaluate::operand_of(self.at, inst, index)?, false));
            }
        }
        Some(())
    }
    fn known_integer(&mut self, value: Value) -> Option<Int> {
        if let Value::Const(c) = value {
            return evaluate::constant(self.at, c)?.as_constant();
        }
        let expr = self.expr(value)?;
        self.as_constant(expr)
    }
    /// The initial value of a header phi of the loop, and its next value.
    pub(crate) fn header_phi(&mut self, l: LoopId, phi: Inst) -> Option<Known> {
        if self.body().block_of(phi) != Some(self.header(l)) {
            return None;
        }
        let (mut first, mut next) = (None, None);
        for (value, from) in self.body().inst(phi).incoming() {
            let slot = if self.loops.contains(l, from) { &mut next } else { &mut first };
            if slot.is_some_and(|known| known != value) {
                return None;
            }
            *slot = Some(value);
        }
        Some(Known { now: self.known_integer(first?)?, next: Some(next?) })
    }

    /// A maximum for a comparison of a shift recurrence (with unknown start) with a constant.
    pub(super) fn shift_recurrence_max(
        &mut self,
        exit: &Exit,
        stays: IntPredicate,
        operands: [Value; 2],
    ) -> Limit {
        if exit.scope != Some(exit.l) {
            return Limit::UNKNOWN;
        }
        let limit = self.shifted_against(exit.l, stays, operands[0], operands[1]);
        limit
            .or_else(|| self.shifted_against(exit.l, stays.swapped(), operands[1], operands[0]))
            .unwrap_or(Limit::UNKNOWN)
    }
    fn shifted_against(
        &mut self,
        l: LoopId,
        stays: IntPredicate,
        left: Value,
        right: Value,
    ) -> Option<Limit> {
        let right = self.known_integer(right)?;
        let body = self.body();
        // The compared value is the phi itself, or the shifted phi.
        let shift_of = |value: Value| {
            let inst = value.as_inst()?;
            let InstKind::Binary(op @ (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr), _) =
                body.inst(inst).kind
            else {
                return None;
            };
            let by = body.as_int(body.inst(inst).operands[1])?;
            Some((op, body.inst(inst).operands[0], by))
        };
        let phi = left.as_inst().filter(|i| body.inst(*i).kind.is_phi());
        let phi = phi.or_else(|| shift_of(left)?.1.as_inst())?;
        if body.block_of(phi) != Some(self.header(l)) {
            return None;
        }
        let mut latches = body.inst(phi).incoming().filter(|(_, from)| self.loops.contains(l, *from));
        let (next, _) = latches.next()?;
        if latches.any(|(other, _)| other != next) || left != Value::Inst(phi) && left != next {
            return None;
        }
        let (op, of, by) = shift_of(next)?;
        if of != Value::Inst(phi) || by.is_zero() || by.bits() >= u128::from(by.width()) {
            return None;
        }
        let width = by.width();
        let zero = Int::zero(width);
        let rests: &[Int] = if op == BinaryOp::AShr { &[zero, Int::all_ones(width)] } else { &[zero] };
        let rests: Vec<Int> = match self.start_sign(l, phi) {
            Some(negative) if op == BinaryOp::AShr => vec![rests[usize::from(negative)]],
            _ => rests.to_vec(),
        };
        if rests.iter().any(|rest| stays.holds(*rest, right)) {
            return None;
        }
        let steps = u128::from(width).div_ceil(by.bits());
        Some(Limit::max(Int::new(width, steps)))
    }
    fn start_sign(&mut self, l: LoopId, phi: Inst) -> Option<bool> {
        let starts: Vec<Value> = self
            .body()
            .inst(phi)
            .incoming()
            .filter(|(_, from)| !self.loops.contains(l, *from))
            .map(|(value, _)| value)
            .collect();
        let [start] = starts[..] else { return None };
        let start = self.expr(start)?;
        self.entry_sign(start, l)
    }
}

/// Whether the result of such an instruction depends only on its operands, and is poison if a used operand is.
fn is_computed(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary(..)
            | InstKind::Cast(..)
            | InstKind::ICmp { .. }
            | InstKind::Select(_)
            | InstKind::Call(_)
            | InstKind::ExtractValue(_)
    )
}
