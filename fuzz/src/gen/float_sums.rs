//! Floating-point sums and products over all iterations of an affine nest. Most results are not exact, so that they
//! depend on the order of the iterations; some operations have fast-math flags.

use super::affine::Plan;
use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::inst::{CastFlags, CastOp, FastMath, FloatBinaryOp, InstData, InstKind, Value};
use backedge_ir::types::{FloatKind, Type};

/// The type of the sums.
const FLOAT: Type = Type::float(FloatKind::Float);
/// The integers of the same size.
const BITS: Type = Type::int(32);

impl Writer<'_, '_> {
    /// The start value of a sum over an affine nest, if it has one.
    pub(super) fn float_start(&mut self) -> Option<Value> {
        self.wants(Knob::FloatSums, 35).then(|| {
            self.aside(|this| {
                let start = this.draw.pick(&[0.0, 1.0, -0.0, 16_777_216.0, 0.1]);
                this.float(start)
            })
        })
    }
    fn float(&mut self, value: f32) -> Value {
        self.editor.constant(Constant { ty: FLOAT, data: ConstData::Float(value.to_bits().into()) }).into()
    }
    /// Continues the sum with a value of the current iteration.
    pub(super) fn add_to_float(&mut self, plan: &Plan, counters: &[Value], total: Value) -> Value {
        self.aside(|this| {
            let number = if this.draw.chance(60) {
                this.affine_load(plan, counters)
            } else {
                this.draw.pick(counters)
            };
            let to = this.draw.pick(&[CastOp::SiToFp, CastOp::UiToFp]);
            let kind = InstKind::Cast(to, CastFlags::default());
            let value = this.insert(InstData::new(kind, FLOAT, [number], [])).into();
            let by = this.draw.pick(&[0.1, 1.0e7, -0.3, 1.5]);
            let by = this.float(by);
            let flags = this.fast_math();
            let scaled = this.float_binary(FloatBinaryOp::FMul, flags, [value, by]);
            let op = this.draw.pick(&[
                FloatBinaryOp::FAdd,
                FloatBinaryOp::FAdd,
                FloatBinaryOp::FSub,
                FloatBinaryOp::FMul,
            ]);
            let flags = this.fast_math();
            let operands = match op {
                FloatBinaryOp::FAdd if this.draw.bool() => [scaled, total],
                _ => [total, scaled],
            };
            this.float_binary(op, flags, operands)
        })
    }
    fn fast_math(&mut self) -> FastMath {
        if !self.draw.chance(35) {
            return FastMath::NONE;
        }
        let no_values = FastMath::NNAN.union(FastMath::NINF);
        self.draw.pick(&[
            FastMath::NSZ,
            no_values,
            FastMath::NINF,
            FastMath::CONTRACT,
            FastMath::REASSOC,
            FastMath::FAST,
        ])
    }
    fn float_binary(&mut self, op: FloatBinaryOp, flags: FastMath, operands: [Value; 2]) -> Value {
        self.insert(InstData::new(InstKind::FloatBinary(op, flags), FLOAT, operands, [])).into()
    }
    /// The bits of a sum as an integer, which comes into scope.
    pub(super) fn float_result(&mut self, total: Value) {
        self.aside(|this| {
            let kind = InstKind::Cast(CastOp::BitCast, CastFlags::default());
            let bits = this.insert(InstData::new(kind, BITS, [total], [])).into();
            let ty = this.int_type();
            this.push(bits);
            let folded = this.resized(bits, ty, CastOp::ZExt);
            this.push(folded);
        });
    }
}
