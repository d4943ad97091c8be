//! Features of single long-running affine loops that other affine loops mostly do not have: loop-carried values, an
//! exit that depends on memory contents, and stores of the results.

use super::affine::Plan;
use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, IntPredicate, Value};
use backedge_ir::types::Type;

/// The phis of a loop other than its counter and its sum.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Carried {
    /// Phi with the value loaded in the previous iteration.
    pub(super) handed: Option<Value>,
    /// The value loaded for the next iteration, if it was loaded at the start of this one.
    pub(super) loaded: Option<Value>,
    /// Phi with the last selected value.
    pub(super) selected: Option<Value>,
    /// Recurrence of the element type, wider than the counter; with its step.
    pub(super) wider: Option<(Value, Value)>,
}

impl Writer<'_, '_> {
    /// Creates the phis, with constant start values. `full_range` is whether the counter runs through most of its values.
    pub(super) fn begin_carried(&mut self, plan: &Plan, full_range: bool, from: Block) -> Carried {
        let ty = plan.element();
        let wider = full_range.then(|| {
            self.aside(|this| {
                let (start, step) = (this.constant(ty), this.few_steps(ty));
                (this.at().phi(ty, &[(start, from)], ""), step)
            })
        });
        if !plan.is_long() {
            return Carried { wider, ..Carried::default() };
        }
        let mut phi = |percent: usize| {
            self.wants(Knob::LongLoops, percent).then(|| {
                let start = self.constant(ty);
                self.at().phi(ty, &[(start, from)], "")
            })
        };
        Carried { handed: phi(30), loaded: None, selected: phi(40), wider }
    }
    /// Sometimes loads the value for the next iteration before all other code of the iteration.
    pub(super) fn load_early(&mut self, plan: &Plan, counters: &[Value], carried: &mut Carried) {
        if carried.handed.is_some() && self.draw.chance(60) {
            carried.loaded = Some(self.element_of(plan, counters));
        }
    }
    /// Computes the next values of the phis.
    pub(super) fn end_carried(
        &mut self,
        plan: &Plan,
        counters: &[Value],
        carried: Carried,
    ) -> impl Iterator<Item = (Value, Value)> + use<> {
        let ty = plan.element();
        let handed = carried.handed.map(|phi| {
            let next = carried.loaded;
            (phi, next.unwrap_or_else(|| self.element_of(plan, counters)))
        });
        let selected = carried.selected.map(|phi| {
            // The condition depends on memory contents, or holds only in the first iterations.
            let is_it = if self.draw.chance(30) {
                self.early(counters)
            } else {
                let (seen, asked) = (self.element_of(plan, counters), self.constant(ty));
                let pred = self.draw.pick(&[IntPredicate::Ne, IntPredicate::Slt, IntPredicate::Eq]);
                self.icmp(pred, seen, asked)
            };
            let taken = if self.draw.bool() { self.element_of(plan, counters) } else { self.constant(ty) };
            (phi, self.at().select(is_it, taken, phi, ""))
        });
        let wider = carried
            .wider
            .map(|(phi, step)| (phi, self.at().binary(BinaryOp::Add, phi, step, BinaryFlags::default(), "")));
        handed.into_iter().chain(selected).chain(wider)
    }
    /// Sometimes emits an exit that depends on memory contents; returns whether it did.
    pub(super) fn data_exit(&mut self, plan: &Plan, counters: &[Value], after: Block) -> bool {
        let leaves = self.wants(Knob::LongLoops, 30);
        if leaves {
            let (mut seen, asked) = (self.element_of(plan, counters), self.constant(plan.element()));
            let pred = self.draw.pick(&[IntPredicate::Eq, IntPredicate::Ult, IntPredicate::Sgt]);
            if self.wants(Knob::ComputedExits, 60) {
                seen = self.aside(|this| this.flagged_later(seen, counters[0]));
            }
            let stops = self.icmp(pred, seen, asked);
            let on = self.new_block("on");
            self.at().cond_br(stops, after, on);
            self.block = on;
        }
        leaves
    }
    /// A value computed from `seen`, poison where a sum overflows or where the counter is large.
    fn flagged_later(&mut self, seen: Value, counter: Value) -> Value {
        let ty = self.editor.body().ty(seen);
        let nuw = self.draw.bool();
        let flags = BinaryFlags { nuw, nsw: !nuw || self.draw.bool(), ..BinaryFlags::default() };
        if self.draw.chance(40) {
            let by = self.constant(ty);
            return self.at().binary(BinaryOp::Add, seen, by, flags, "");
        }
        let width = ty.int_bits().unwrap_or(8);
        let counter = self.resized(counter, ty, CastOp::ZExt);
        let by = self.draw.between(1, width as usize - 1) as i128;
        let by = self.int(width, by);
        let shifted = self.at().binary(BinaryOp::Shl, counter, by, flags, "");
        let op = self.draw.pick(&[BinaryOp::And, BinaryOp::Xor, BinaryOp::Add]);
        self.at().binary(op, seen, shifted, BinaryFlags::default(), "")
    }
    /// Loads an array element and converts it to the element type of the first array.
    fn element_of(&mut self, plan: &Plan, counters: &[Value]) -> Value {
        let value = self.affine_load(plan, counters);
        self.resized(value, plan.element(), CastOp::SExt)
    }
    /// Stores the results of a loop one after another.
    pub(super) fn store_results(&mut self, plan: &Plan, results: [Option<Value>; 3]) {
        let Some(base) = plan.first_base() else { return };
        for (at, value) in (0i128..).zip(results.into_iter().flatten()) {
            let place = self.int(64, at * 8);
            let place = self.at().gep(Type::I8, base, &[place], GepFlags::default(), "");
            self.at().store(value, place, Some(1));
        }
    }
}
