//! The skeleton of a vector loop: the guard before it, its counter, the code after it, and the entry to the scalar
//! loop.
//!
//! ```text
//! preheader:   taken, checks          br enough and apart, vector.ph, scalar.ph
//! vector.ph:   n.vec, splats          br vector.body
//! vector.body: index …                br index.next == n.vec, middle.block, vector.body
//! middle.block: combine lanes         br scalar.ph, or br n == n.vec, exit, scalar.ph
//! scalar.ph:   phis of where to go on br loop
//! ```
//!
//! `n` is the number of iterations that can be vectorized: `taken`, or `taken + 1` if the latch is the only exiting
//! block and nothing else requires the scalar loop. If `taken + 1` wraps to 0, the vector loop is not entered. `n.vec`
//! is `n` rounded down to a multiple of the number of lanes of all parts. In the first case at least iteration `taken`
//! is left for the scalar loop; in the second case the scalar loop is skipped if no iteration is left.
//!
//! If the tail is folded, `n.vec` is `n` rounded up, and the vector loop is entered if that does not wrap. No iteration
//! is left after it, and live-outs are in the lane of iteration `n - 1`.

use super::body::Body;
use super::choose::{Choice, StepOf};
use super::early;
use super::emitted::{Emitted, Frame, Start, converted, value_at};
use super::tools::Tools;
use crate::legality::{Condition, HeaderPhi, Range, Source};
use crate::widen::Masked;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, GepFlags, InstData, InstKind, IntPredicate, MemAccess, Value,
};
use backedge_ir::int::Int;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;
use backedge_scev::Expr;
use backedge_scev::expand::Plan;
use rustc_hash::FxHashMap;

/// Emits the vector loop; returns its header.
pub(super) fn apply(editor: &mut Editor<'_>, choice: &Choice, tools: &Tools) -> Block {
    let form = &choice.legality.form;
    let count = Type::int(choice.count_bits);
    let all = choice.lanes * choice.parts;
    let taken = choice.taken.emit(editor);
    let checked = Checked::emit(editor, choice, taken);
    let inductions = inductions(editor, choice);
    let mut masked = FxHashMap::default();
    for access in &choice.legality.accesses {
        if let Some(Masked::Whole(plan)) = choice.addresses.masked.get(&access.inst) {
            masked.insert(access.inst, plan.emit(editor));
        }
    }
    masked.extend(choice.addresses.early.iter().map(|(inst, plan)| (*inst, plan.emit(editor))));
    let (n, enough) = enough(editor, choice, taken);
    let enter = checked.checks(editor, choice, enough);

    let [vector_ph, body, middle, scalar_ph] = ["vector.ph", "vector.body", "middle.block", "scalar.ph"]
        .map(|name| editor.add_block_before(form.header, Some(name)));
    let leaves = choice.legality.early.is_some();
    let rest = match (leaves, choice.legality.nest.is_some()) {
        (true, _) => editor.add_block_after(body, Some("vector.rest")),
        (false, true) => editor.add_block_after(body, Some("vector.latch")),
        (false, false) => body,
    };
    let n_vec = rounded(editor, choice, vector_ph, n, all);
    let frame = Frame { vector_ph, body, rest, middle, scalar_ph, taken, n, n_vec, count };
    let emitted = Body::emit(editor, choice, tools, frame, &inductions, masked);
    close(editor, choice, frame, &emitted);
    let after = After { choice, tools, frame, inductions: &inductions };
    let values = after.resume(editor, &emitted, middle, n_vec);
    after.store_deferred(editor, &emitted, &values);
    after.leave(editor, &emitted, &values);
    let mut from = if choice.legality.fold_tail { Vec::new() } else { vec![(middle, values)] };
    if let Some(before) = emitted.at_begin() {
        let left = editor.add_block_after(rest, Some("vector.early.exit"));
        if !early::leave(editor, choice, tools, frame, left, &emitted) {
            let index = emitted.index.into();
            from.push((left, after.resume(editor, &before, left, index)));
            Builder::new(editor, Position::End(left)).br(scalar_ph);
        }
    }
    after.enter_scalar(editor, &from);

    if let Some(old) = editor.body().terminator(form.preheader) {
        editor.remove(old);
    }
    Builder::new(editor, Position::End(form.preheader)).cond_br(enter, vector_ph, scalar_ph);
    body
}

/// The values that run-time checks compare, computed before the loop.
struct Checked {
    /// The number of backedges taken, in the type of counts.
    taken: Value,
    /// The start of each range.
    starts: Vec<Value>,
    /// The additional distances of inner loops for each range, in the index width of the range.
    walks: Vec<Vec<Value>>,
    /// The number of each condition.
    numbers: Vec<Value>,
}

impl Checked {
    fn emit(editor: &mut Editor<'_>, choice: &Choice, taken: Value) -> Self {
        let place = Position::BeforeTerminator(choice.legality.form.preheader);
        let starts = choice.starts.iter().map(|(plan, _)| plan.emit(editor)).collect();
        let mut known: FxHashMap<Expr, Value> = FxHashMap::default();
        // Emit each expression once, so that the checked value is the value used, even if it is frozen.
        let mut once = |editor: &mut Editor<'_>, expr: Expr, plan: &Plan| match known.get(&expr) {
            Some(value) => *value,
            None => {
                let value = plan.emit(editor);
                known.insert(expr, value);
                value
            }
        };
        let numbers = choice.conditions.iter().map(|(c, plan)| once(editor, c.value, plan)).collect();
        let mut walks: Vec<Vec<Value>> = Vec::new();
        let ranges = choice.legality.dependences.checks.iter().flat_map(|checks| &checks.ranges);
        for ((range, plans), (_, bits)) in ranges.zip(&choice.walks).zip(&choice.starts) {
            let mut all = Vec::new();
            for (walk, (step, taken)) in range.walks.iter().zip(plans) {
                let step = once(editor, walk.step, step);
                let taken = once(editor, walk.taken, taken);
                let from = editor.body().ty(taken).int_bits().unwrap_or(*bits);
                let taken = converted(editor, place, taken, from, *bits);
                let none = BinaryFlags::default();
                all.push(Builder::new(editor, place).binary(BinaryOp::Mul, taken, step, none, ""));
            }
            walks.push(all);
        }
        Self { taken, starts, walks, numbers }
    }
    /// `enough`, combined with the run-time checks.
    fn checks(&self, editor: &mut Editor<'_>, choice: &Choice, enough: Value) -> Value {
        let Some(checks) = &choice.legality.dependences.checks else { return enough };
        let place = Position::BeforeTerminator(choice.legality.form.preheader);
        let mut enter = enough;
        let mut and = |editor: &mut Editor<'_>, condition: Value| {
            let mut at = Builder::new(editor, place);
            enter = at.binary(BinaryOp::And, enter, condition, BinaryFlags::default(), "");
        };
        for (condition, number) in checks.conditions.iter().zip(&self.numbers) {
            let holds = is_within(editor, choice, condition, *number);
            and(editor, holds);
        }
        let mut ends = Vec::new();
        for (number, range) in checks.ranges.iter().enumerate().take(self.starts.len()) {
            if let Some(most) = range.most_taken {
                let most = editor.int(most);
                let fits = Builder::new(editor, place).icmp(IntPredicate::Ule, self.taken, most, "");
                and(editor, fits);
            }
            let (low, last) = self.ends_of(editor, choice, range, number);
            let in_order = Builder::new(editor, place).icmp(IntPredicate::Uge, last, low, "");
            and(editor, in_order);
            ends.push((low, last));
        }
        for (a, b) in &checks.pairs {
            let (Some(x), Some(y)) = (ends.get(*a).copied(), ends.get(*b).copied()) else { continue };
            let mut at = Builder::new(editor, place);
            let before = at.icmp(IntPredicate::Ult, x.1, y.0, "");
            let after = at.icmp(IntPredicate::Ult, y.1, x.0, "");
            let apart = at.binary(BinaryOp::Or, before, after, BinaryFlags::default(), "apart");
            and(editor, apart);
        }
        enter
    }
    /// The addresses of the first and the last byte of `range`, which has that number.
    fn ends_of(
        &self,
        editor: &mut Editor<'_>,
        choice: &Choice,
        range: &Range,
        number: usize,
    ) -> (Value, Value) {
        let place = Position::BeforeTerminator(choice.legality.form.preheader);
        let bits = choice.starts[number].1;
        let stride = editor.int(Int::new(bits, range.step.unsigned_abs().into()));
        let zero = editor.int(Int::zero(bits));
        let from = editor.int(Int::from_i128(bits, range.from));
        let own = editor.int(Int::from_i128(bits, range.to - range.from));
        let none = BinaryFlags::default();
        let taken = converted(editor, place, self.taken, choice.count_bits, bits);
        let mut at = Builder::new(editor, place);
        let walked = at.binary(BinaryOp::Mul, taken, stride, none, "");
        let mut extent = at.binary(BinaryOp::Add, walked, own, none, "");
        for walk in self.walks.get(number).into_iter().flatten() {
            extent = at.binary(BinaryOp::Add, extent, *walk, none, "");
        }
        let back = if range.step < 0 { at.binary(BinaryOp::Sub, zero, walked, none, "") } else { zero };
        let offset = at.binary(BinaryOp::Add, from, back, none, "");
        let low = at.gep(Type::I8, self.starts[number], &[offset], GepFlags::default(), "");
        (low, at.gep(Type::I8, low, &[extent], GepFlags::default(), ""))
    }
}

/// Whether a number, computed before the loop, is in bounds.
fn is_within(editor: &mut Editor<'_>, choice: &Choice, condition: &Condition, number: Value) -> Value {
    let place = Position::BeforeTerminator(choice.legality.form.preheader);
    let bits = editor.body().ty(number).int_bits().unwrap_or(64);
    let others = u128::from(choice.lanes * choice.parts - 1);
    let low = u128::from(condition.low) + u128::from(condition.per_lane) * others;
    let [low, high] = [low, u128::from(condition.high)].map(|bound| editor.int(Int::new(bits, bound)));
    let mut at = Builder::new(editor, place);
    let below = at.icmp(IntPredicate::Ule, number, high, "");
    if editor.body().as_int(low).is_some_and(Int::is_zero) {
        return below;
    }
    let mut at = Builder::new(editor, place);
    let above = at.icmp(IntPredicate::Uge, number, low, "far.enough");
    at.binary(BinaryOp::And, above, below, BinaryFlags::default(), "")
}

/// The starts and steps of inductions. Non-constant starts are frozen, because all iterations derive from one start
/// value.
fn inductions(editor: &mut Editor<'_>, choice: &Choice) -> Vec<Start> {
    let mut all = Vec::new();
    for (phi, step) in &choice.steps {
        let Some(HeaderPhi::Induction(induction)) = choice.legality.phi(*phi) else { continue };
        let step = match step {
            StepOf::Known(step) => editor.int(*step),
            StepOf::Plan(plan) => plan.emit(editor),
        };
        let is_known = editor.body().as_int(induction.start).is_some();
        let place = Position::BeforeTerminator(choice.legality.form.preheader);
        let start = match is_known {
            true => induction.start,
            false => Builder::new(editor, place).freeze(induction.start, ""),
        };
        all.push(Start { phi: *phi, start, step });
    }
    all
}

/// `n` rounded to a multiple of `all` iterations.
fn rounded(editor: &mut Editor<'_>, choice: &Choice, block: Block, n: Value, all: u32) -> Value {
    let less_one = Int::new(choice.count_bits, u128::from(all - 1));
    let of_all = Int::new(choice.count_bits, u128::from(all));
    let [mask, less_one, of_all] = [less_one.not(), less_one, of_all].map(|n| editor.int(n));
    let mut at = Builder::new(editor, Position::End(block));
    let from = match choice.legality.fold_tail {
        true => {
            at.binary(BinaryOp::Add, n, less_one, BinaryFlags { nuw: true, ..BinaryFlags::default() }, "")
        }
        false => n,
    };
    let none = BinaryFlags::default();
    if all.is_power_of_two() {
        return at.binary(BinaryOp::And, from, mask, none, "n.vec");
    }
    let rest = at.binary(BinaryOp::URem, from, of_all, none, "n.mod");
    at.binary(BinaryOp::Sub, from, rest, none, "n.vec")
}

/// The number of iterations to vectorize, and whether they suffice for one vector iteration; for a folded tail, whether
/// rounding up does not overflow.
fn enough(editor: &mut Editor<'_>, choice: &Choice, taken: Value) -> (Value, Value) {
    let bits = choice.count_bits;
    let one = editor.int(Int::one(bits));
    let all = Int::new(bits, u128::from(choice.lanes * choice.parts));
    // `taken + 1 + (all - 1)` must not exceed the maximum of the type.
    let most = editor.int(Int::all_ones(bits).sub(all));
    let all = editor.int(all);
    let mut at = Builder::new(editor, Position::BeforeTerminator(choice.legality.form.preheader));
    let n = match choice.legality.needs_scalar() {
        true => taken,
        false => at.binary(BinaryOp::Add, taken, one, BinaryFlags::default(), "n"),
    };
    let enough = match choice.legality.fold_tail {
        true => at.icmp(IntPredicate::Ule, taken, most, "max.iters.check"),
        false => at.icmp(IntPredicate::Uge, n, all, "min.iters.check"),
    };
    (n, enough)
}

/// Emits the counter and the latch branch.
fn close(editor: &mut Editor<'_>, choice: &Choice, frame: Frame, emitted: &Emitted) {
    let bits = choice.count_bits;
    let all = editor.int(Int::new(bits, u128::from(choice.lanes * choice.parts)));
    let zero = editor.int(Int::zero(bits));
    Builder::new(editor, Position::End(frame.vector_ph)).br(frame.body);
    let mut at = Builder::new(editor, Position::End(frame.rest));
    // The counter stops at `n.vec`, so it does not wrap.
    let flags = BinaryFlags { nuw: true, ..BinaryFlags::default() };
    let next = at.binary(BinaryOp::Add, emitted.index.into(), all, flags, "index.next");
    let done = at.icmp(IntPredicate::Eq, next, frame.n_vec, "vector.done");
    at.cond_br(done, frame.middle, frame.body);
    editor.add_incoming(emitted.index, zero, frame.vector_ph);
    editor.add_incoming(emitted.index, next, frame.rest);
}

/// Emits the code after the vector loop.
#[derive(Copy, Clone)]
struct After<'a> {
    choice: &'a Choice,
    tools: &'a Tools,
    frame: Frame,
    inductions: &'a [Start],
}

impl After<'_> {
    /// The resume value of each header phi in the scalar loop after `made` vectorized iterations, computed at the end of
    /// `block`.
    fn resume(
        &self,
        editor: &mut Editor<'_>,
        emitted: &Emitted,
        block: Block,
        made: Value,
    ) -> Vec<(Inst, Value)> {
        let Self { choice, tools, inductions, .. } = *self;
        let mut values = Vec::new();
        for (phi, kind) in &choice.legality.phis {
            let place = Position::End(block);
            let value = match kind {
                // With a folded tail no scalar loop resumes.
                HeaderPhi::Induction(_) | HeaderPhi::FirstOrder(_) if choice.legality.fold_tail => continue,
                HeaderPhi::Induction(_) => inductions
                    .iter()
                    .find(|i| i.phi == *phi)
                    .map(|induction| value_at(editor, place, *induction, made)),
                HeaderPhi::Reduction(r) => emitted.collected(editor, place, tools, *phi, r),
                HeaderPhi::Selection(s) => emitted.selected(editor, place, tools, *phi, s),
                HeaderPhi::FirstOrder(_) => emitted.recurrence_next(editor, place, *phi, choice.lanes),
            };
            let ty = editor.body().inst(*phi).ty;
            let value = value.unwrap_or_else(|| editor.poison(ty));
            values.push((*phi, value));
        }
        values
    }
    /// Stores the final values of reductions that the source stores in each iteration.
    fn store_deferred(&self, editor: &mut Editor<'_>, emitted: &Emitted, values: &[(Inst, Value)]) {
        let Self { choice, frame, .. } = *self;
        for (store, at, phi) in &emitted.deferred {
            let align = choice.legality.access(*store).map(|access| access.align);
            let Some((_, value)) = values.iter().find(|(p, _)| p == phi) else { continue };
            let kind = InstKind::Store(Box::new(MemAccess { align, ..MemAccess::default() }));
            editor
                .insert_new(Position::End(frame.middle), InstData::new(kind, Type::VOID, [*value, *at], []));
        }
    }
    /// The value of an induction in the last iteration of the vector loop, or its next value; computed in the middle block.
    fn end_of(&self, editor: &mut Editor<'_>, phi: Inst, is_next: bool) -> Option<Value> {
        let Self { choice, frame, inductions, .. } = *self;
        let place = Position::End(frame.middle);
        let induction = inductions.iter().find(|i| i.phi == phi)?;
        let mut index = if choice.legality.fold_tail { frame.n } else { frame.n_vec };
        if !is_next {
            let one = editor.int(Int::one(choice.count_bits));
            index = Builder::new(editor, place).binary(BinaryOp::Sub, index, one, BinaryFlags::default(), "");
        }
        Some(value_at(editor, place, *induction, index))
    }
    /// Emits the end of the middle block: to the exit if no iteration is left, otherwise to the scalar loop.
    fn leave(&self, editor: &mut Editor<'_>, emitted: &Emitted, values: &[(Inst, Value)]) {
        let Self { choice, frame, .. } = *self;
        let of = &choice.legality;
        let exit = of.exits.all.iter().find(|e| e.from == of.form.latch).filter(|_| !of.needs_scalar());
        let Some(exit) = exit else {
            Builder::new(editor, Position::End(frame.middle)).br(frame.scalar_ph);
            return;
        };
        let place = Position::End(frame.middle);
        let is_in_lane = of.live_outs.iter().any(|out| out.source == Source::LastLane);
        let last = (of.fold_tail && is_in_lane).then(|| self.last_of_round(editor));
        for out in of.live_outs.iter().filter(|out| out.from == exit.from) {
            let value = match out.source {
                Source::Invariant | Source::Scalar => Some(out.value),
                Source::Collected(phi) => values.iter().find(|(p, _)| *p == phi).map(|(_, v)| *v),
                Source::Induction(phi) => self.end_of(editor, phi, false),
                Source::InductionEnd(phi) => self.end_of(editor, phi, true),
                Source::LastLane => match last {
                    Some(at) => emitted.lane_at(editor, place, out.value, choice.lanes, at),
                    None => emitted.last_lane(editor, place, out.value, choice.lanes),
                },
            };
            let ty = editor.body().inst(out.phi).ty;
            let value = value.unwrap_or_else(|| editor.poison(ty));
            editor.add_incoming(out.phi, value, frame.middle);
        }
        let mut at = Builder::new(editor, place);
        if of.fold_tail {
            at.br(exit.to);
            return;
        }
        let none_left = at.icmp(IntPredicate::Eq, frame.n, frame.n_vec, "cmp.n");
        at.cond_br(none_left, exit.to, frame.scalar_ph);
    }
    /// The lane of the last iteration, counted from the first lane of its vector iteration.
    fn last_of_round(&self, editor: &mut Editor<'_>) -> Value {
        let Self { choice, frame, .. } = *self;
        let all = editor.int(Int::new(choice.count_bits, u128::from(choice.lanes * choice.parts)));
        let none = BinaryFlags::default();
        let mut at = Builder::new(editor, Position::End(frame.middle));
        let begun = at.binary(BinaryOp::Sub, frame.n_vec, all, none, "");
        at.binary(BinaryOp::Sub, frame.taken, begun, none, "last.lane")
    }
    /// Connects the scalar loop to its predecessors: it begins, or resumes after the vector loop. `from` has the resume
    /// values for each predecessor.
    fn enter_scalar(&self, editor: &mut Editor<'_>, from: &[(Block, Vec<(Inst, Value)>)]) {
        let Self { choice, frame, .. } = *self;
        let form = &choice.legality.form;
        for (phi, _) in &choice.legality.phis {
            let Some(start) = editor.body().incoming_from(*phi, form.preheader) else { continue };
            let ty = editor.body().inst(*phi).ty;
            let of_phi = |values: &[(Inst, Value)]| values.iter().find(|(p, _)| p == phi).map(|(_, v)| *v);
            let (mut values, mut blocks) = (vec![start], vec![form.preheader]);
            for (block, of_block) in from {
                values.extend(of_phi(of_block));
                blocks.push(*block);
            }
            let data = InstData::new(InstKind::Phi(FastMath::NONE), ty, values, blocks);
            let merged = editor.insert_new(Position::AfterPhis(frame.scalar_ph), data);
            editor.set_name(merged, "resume");
            editor.remove_all_incoming(*phi, &[form.preheader]);
            editor.add_incoming(*phi, merged.into(), frame.scalar_ph);
        }
        Builder::new(editor, Position::End(frame.scalar_ph)).br(form.header);
    }
}
