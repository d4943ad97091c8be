//! Emits affine addresses of array elements, and loads from them.

use super::plan::{Array, Plan};
use crate::generate::knobs::Knob;
use crate::generate::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, GepFlags, Value};
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    pub(in crate::generate) fn affine_load(&mut self, plan: &Plan, counters: &[Value]) -> Value {
        let any = self.draw.below(plan.arrays.len());
        let array = &plan.arrays[if self.draw.chance(60) { plan.arrays.len() - 1 } else { any }];
        let (place, align) = self.place(plan, array, counters);
        self.load(array.ty, place, align)
    }
    /// An address in an array and its alignment, in bounds if the counters have their intended ranges.
    pub(super) fn place(&mut self, plan: &Plan, array: &Array, counters: &[Value]) -> (Value, Option<u64>) {
        let mut by = match self.draw.below(10) {
            0 => array.by.iter().rev().copied().collect(),
            1 => self.strides(plan, array.count),
            _ => array.by.clone(),
        };
        plan.fit(&mut by, array.count);
        by.truncate(counters.len());
        let (low, high) = plan.span(&by);
        let unknown = plan.unknown.filter(|_| high - low + 1 < array.count && self.draw.chance(30));
        let (low, high) = (-low, array.count - 1 - high - i128::from(unknown.is_some()));
        let offset = if self.draw.chance(15) {
            low + self.draw.below((high - low + 1) as usize) as i128
        } else {
            let apart: i128 = by.iter().map(|by| by * self.draw.pick(&[0, 0, 1, -1])).sum();
            // Or one of the elements in between.
            let between = if plan.is_long() && by[0] > 1 { self.draw.pick(&[0, 0, 1, -1]) } else { 0 };
            i128::midpoint(low, high) + apart + between
        };
        let offset = offset.clamp(low, high);
        // Rows of an array of arrays, if all coefficients are nonnegative.
        let rows = by[0] > 1 && offset >= 0 && by.iter().all(|c| *c >= 0) && self.draw.chance(35);
        let inbounds = self.wants(Knob::Flags, 50);
        let flags = GepFlags { inbounds, nusw: inbounds, nuw: inbounds && self.draw.bool() };
        let place = if rows {
            let row = self.env.types.array(by[0] as u64, array.ty);
            let first = self.resized(counters[0], Type::I64, CastOp::ZExt);
            by[0] = 0;
            let rest = self.index(plan, &by, counters, offset, unknown);
            self.at().gep(row, array.base.pointer, &[first, rest], flags, "")
        } else {
            let index = self.index(plan, &by, counters, offset, unknown);
            self.at().gep(array.ty, array.base.pointer, &[index], flags, "")
        };
        (place, array.align)
    }
    /// A linear combination of counters in 64 bits, possibly computed in a narrower type and then extended.
    pub(super) fn index(
        &mut self,
        plan: &Plan,
        by: &[i128],
        counters: &[Value],
        offset: i128,
        unknown: Option<Value>,
    ) -> Value {
        let width = self.draw.pick(&[64, 64, 64, 32, 8]);
        let ty = Type::int(width);
        // All partial sums are small, and nonnegative if all terms are.
        let is_up = offset >= 0 && by.iter().all(|c| *c >= 0);
        let right = width > 8 && self.wants(Knob::Flags, 50);
        let holds = BinaryFlags { nsw: right, nuw: right && is_up, ..BinaryFlags::default() };
        let mut sum = None;
        for ((by, counter), level) in by.iter().zip(counters).zip(&plan.levels) {
            if *by == 0 {
                continue;
            }
            let up = if level.is_small() && self.draw.bool() { CastOp::SExt } else { CastOp::ZExt };
            let mut term = self.resized(*counter, ty, up);
            let careless = self.careless_flags(BinaryOp::Add);
            let flags = BinaryFlags { nsw: holds.nsw | careless.nsw, nuw: holds.nuw | careless.nuw, ..holds };
            if *by != 1 {
                let by = self.int(width, *by);
                term = self.at().binary(BinaryOp::Mul, term, by, flags, "");
            }
            sum = Some(match sum {
                Some(sum) => self.at().binary(BinaryOp::Add, sum, term, flags, ""),
                None => term,
            });
        }
        let offset = self.int(width, offset);
        let index = match sum {
            Some(sum) => self.at().binary(BinaryOp::Add, sum, offset, holds, ""),
            None => offset,
        };
        let up = if self.draw.bool() { CastOp::SExt } else { CastOp::ZExt };
        let index = self.resized(index, Type::I64, up);
        match unknown {
            Some(unknown) => self.at().binary(BinaryOp::Add, index, unknown, BinaryFlags::default(), ""),
            None => index,
        }
    }
}
