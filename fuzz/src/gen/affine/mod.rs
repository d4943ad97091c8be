//! Generates nests of counted loops over memory at affine addresses, as input for nest transforms: perfect and
//! imperfect nests of depth 2 and 3. Also generates single loops with many iterations for the vectorizer (`long`).
//!
//! The generator decides everything before it writes code: the trip count of each loop, and the stride of each loop
//! in each array (`a[i * c1 + j * c2 + c0]`), so that addresses are in bounds if the bounds have their intended
//! values. Accesses to one array mostly differ by a few iterations, because dependences and their distances determine
//! which transforms are legal.

mod addresses;
mod plan;
mod statements;

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, Value};
use backedge_ir::types::Type;
use plan::{Bound, EXTENTS, Level};

pub(super) use plan::Plan;

impl Writer<'_, '_> {
    /// Whether the scope has memory that a nest can access.
    pub(super) fn has_arrays(&self) -> bool {
        self.bases.iter().any(|base| !base.moves)
    }
    /// Generates an affine nest.
    pub(super) fn affine_nest(&mut self) {
        let mark = self.mark();
        let depth = match self.wants_mostly(Knob::LongLoops, 45) {
            true => 1,
            false if self.draw.chance(35) => 3,
            false => 2,
        };
        let overwrites = depth > 1 && self.wants(Knob::Overwrites, 50);
        let mut plan =
            Plan { levels: Vec::new(), arrays: Vec::new(), unknown: None, overwrites, sums: false };
        for level in 0..depth {
            let next = self.level(EXTENTS[depth - 1], level.checked_sub(1).map(|at| &plan.levels[at]));
            plan.levels.push(next);
        }
        for _ in 0..self.draw.between(1, 2) {
            let array = self.array(&plan);
            plan.arrays.push(array);
        }
        if self.wants(Knob::SymbolicBounds, 12) {
            let (ty, one) = (Type::int(self.widths[0]), self.int(64, 1));
            let value = self.operand(ty);
            let value = self.resized(value, Type::I64, CastOp::ZExt);
            plan.unknown = Some(self.at().binary(BinaryOp::And, value, one, BinaryFlags::default(), ""));
        }
        plan.sums = depth > 1 && self.wants(Knob::NestSums, 40);
        let zero = self.int(plan.element().int_bits().unwrap_or(8), 0);
        let total = if plan.sums { Some(zero) } else { self.float_start() };
        let total = self.affine_loop(&plan, &mut Vec::new(), total);
        self.cut(mark);
        match total {
            Some(total) if plan.sums => self.push(total),
            Some(total) => self.float_result(total),
            None => {}
        }
    }

    /// Emits the loop inside the loops of `counters`, with all its inner loops. Continues the sum over all iterations
    /// from `total`, and returns it.
    fn affine_loop(
        &mut self,
        plan: &Plan,
        counters: &mut Vec<Value>,
        mut total: Option<Value>,
    ) -> Option<Value> {
        self.loop_count += 1;
        let level = &plan.levels[counters.len()];
        let ty = Type::int(level.width);
        let (start, bound) = self.affine_range(level, counters.last().copied());
        let innermost = counters.len() + 1 == plan.levels.len();
        let often = if plan.is_long() { 50 } else { 20 };
        let sum = (innermost && self.wants(Knob::Reductions, often)).then(|| plan.arrays[0].ty);
        let from = self.block;
        let (header, after) = (self.new_block("loop"), self.new_block("after"));
        self.at().br(header);
        self.block = header;
        let counter = self.at().phi(ty, &[(start, from)], "");
        total = total.map(|start| {
            let ty = self.editor.body().ty(start);
            self.at().phi(ty, &[(start, from)], "")
        });
        let total_phi = total;
        let sum = sum.map(|ty| {
            let start = self.constant(ty);
            self.at().phi(ty, &[(start, from)], "")
        });
        let mut carried = self.begin_carried(plan, level.full_range, from);
        counters.push(counter);
        if level.top {
            let body = self.new_block("body");
            self.exit_or_body(level, counter, bound, (body, after));
            self.block = body;
        }
        let mark = self.mark();
        carried.handed.into_iter().chain(carried.wider.map(|w| w.0)).for_each(|phi| self.push(phi));
        let leaves = plan.is_long() && self.data_exit(plan, counters, after);
        self.load_early(plan, counters, &mut carried);
        if innermost {
            let often: &[usize] = if plan.is_long() { &[1, 2, 3, 5] } else { &[1, 1, 2, 3] };
            for _ in 0..self.draw.pick(often) {
                self.affine_statement(plan, counters);
            }
            total = total.map(|total| self.add_to_total(plan, counters, total));
        } else {
            total = self.inside(plan, counters, total);
        }
        let summed = sum.map(|sum| self.add_to_sum(plan, counters, sum));
        let carries = self.end_carried(plan, counters, carried);
        self.cut(mark);
        let step = self.int(level.width, level.step);
        let next = self.at().binary(BinaryOp::Add, counter, step, level.flags, "");
        if level.top {
            self.at().br(header);
        } else {
            self.exit_or_body(level, next, bound, (header, after));
        }
        let carries = carries.map(|(phi, value)| (Some(phi), Some(value)));
        for (phi, value) in
            [(Some(counter), Some(next)), (sum, summed), (total_phi, total)].into_iter().chain(carries)
        {
            if let (Some(phi), Some(value)) = (phi.and_then(Value::as_inst), value) {
                self.editor.add_incoming(phi, value, self.block);
            }
        }
        counters.pop();
        self.block = after;
        let end = if level.top || leaves { sum } else { summed };
        if plan.is_long() {
            self.store_results(plan, [end, carried.handed, carried.selected]);
        } else if let Some(value) = end {
            let (place, align) = self.place(plan, &plan.arrays[0], counters);
            self.at().store(value, place, align);
        }
        if self.wants(Knob::DirectUses, 6) {
            self.push(counter);
        }
        if level.top || leaves { total_phi } else { total }
    }
    /// Combines the sum of the innermost loop with a loaded value or with its counter.
    fn add_to_sum(&mut self, plan: &Plan, counters: &[Value], sum: Value) -> Value {
        let value = self.affine_load(plan, counters);
        let value = self.resized(value, plan.arrays[0].ty, CastOp::SExt);
        if self.wants(Knob::Flags, 40) {
            return self.swing(sum, counters[counters.len() - 1]);
        }
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Xor, BinaryOp::Mul]);
        self.at().binary(op, sum, value, BinaryFlags::default(), "")
    }
    /// Adds a number to the sum over all iterations of the innermost loop's nest.
    fn add_to_total(&mut self, plan: &Plan, counters: &[Value], total: Value) -> Value {
        if !plan.sums {
            return self.add_to_float(plan, counters, total);
        }
        let (level, counter) = (&plan.levels[counters.len() - 1], counters[counters.len() - 1]);
        if level.alternates() {
            return self.swing(total, counter);
        }
        let ty = self.editor.body().ty(total);
        let value = self.resized(counter, ty, CastOp::ZExt);
        if self.aside(|this| this.draw.chance(20)) {
            return self.aside(|this| this.min_max(total, value));
        }
        self.at().binary(BinaryOp::Add, total, value, BinaryFlags::default(), "")
    }
    /// The start and the bound of a loop's counter.
    fn affine_range(&mut self, level: &Level, outer: Option<Value>) -> (Value, Value) {
        let (start, bound) = (self.int(level.width, level.start), self.int(level.width, level.end()));
        match (level.bound, outer) {
            (Bound::Value(value), _) => (start, value),
            (Bound::UpTo, Some(outer)) => (start, outer),
            (Bound::DownFrom, Some(outer)) => (outer, bound),
            _ => (start, bound),
        }
    }
    fn exit_or_body(&mut self, level: &Level, value: Value, bound: Value, (on, out): (Block, Block)) {
        if self.wants(Knob::ExitFirst, 30) {
            let stops = self.at().icmp(level.pred.inverse(), value, bound, "");
            self.at().cond_br(stops, out, on);
            return;
        }
        let goes_on = self.at().icmp(level.pred, value, bound, "");
        self.at().cond_br(goes_on, on, out);
    }
    /// Emits the body of a loop that contains loops. Continues the sum over all iterations from `total`, and returns it.
    fn inside(&mut self, plan: &Plan, counters: &mut Vec<Value>, mut total: Option<Value>) -> Option<Value> {
        if self.wants(Knob::BesideLoops, 20) {
            self.affine_statement(plan, counters);
        }
        total = self.affine_loop(plan, counters, total);
        if self.wants(Knob::Neighbours, 60) || plan.overwrites {
            total = self.affine_loop(plan, counters, total);
        }
        if self.wants(Knob::BesideLoops, 20) {
            self.affine_statement(plan, counters);
        }
        total
    }
}
