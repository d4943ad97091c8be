//! Intrinsics on the bits of integers, and arithmetic with an overflow bit.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Emits such an intrinsic on values of type `ty`.
    pub(super) fn of_bits(&mut self, ty: Type) -> Value {
        let left = if self.draw.bool() { self.recurring(ty) } else { None };
        let left = left.unwrap_or_else(|| self.operand(ty));
        let right = self.operand(ty);
        let value = match self.draw.below(8) {
            0 => self.intrinsic("ctpop", &[left], None),
            1 => self.intrinsic("bitreverse", &[left], None),
            2 | 3 => {
                let name = self.draw.pick(&["cttz", "ctlz"]);
                let zero_is_poison = self.wants(Knob::WrongFlags, 40);
                self.intrinsic(name, &[left], Some(zero_is_poison))
            }
            4 => {
                let (name, by) = (self.draw.pick(&["fshl", "fshr"]), self.amount(ty));
                self.intrinsic(name, &[left, right, by], None)
            }
            _ => return self.with_overflow(ty, [left, right]),
        };
        self.push(value);
        value
    }
    /// Emits arithmetic with an overflow bit, whose two results come into scope.
    fn with_overflow(&mut self, ty: Type, operands: [Value; 2]) -> Value {
        let base = self.draw.pick(&["uadd", "sadd", "usub", "ssub", "umul", "smul"]);
        let both = self.env.types.structure(&[ty, Type::I1], false);
        let name = format!("llvm.{base}.with.overflow.i{}", ty.int_bits().unwrap_or(1));
        let func = self.declare(&name, both, &[ty, ty], Vec::new());
        let call = self.call(func, &operands);
        let [value, _] = [(0, ty), (1, Type::I1)].map(|(at, ty)| {
            let kind = InstKind::ExtractValue([at].into());
            let part = Value::from(self.insert(InstData::new(kind, ty, [call.into()], [])));
            self.push(part);
            part
        });
        value
    }
}
