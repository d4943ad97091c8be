//! Flags of casts and comparisons: `nneg`, `nuw` and `nsw` of truncations, `samesign`. They hold because the operands
//! are masked, except where wrong flags are wanted. Some instructions occur twice, once without flags.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Writer<'_, '_> {
    /// Emits such a cast or comparison of a value of type `ty`.
    pub(super) fn flagged(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        if width < 3 {
            let other = self.operand(ty);
            return self.binary(BinaryOp::Or, other, other, BinaryFlags::default());
        }
        let value = if self.draw.bool() { self.recurring(ty) } else { None };
        let value = value.unwrap_or_else(|| self.operand(ty));
        match self.draw.below(5) {
            0 if width <= 32 => self.extended(value, width),
            1 => self.same_signed(value, width),
            2 | 3 => self.repeated(value, width),
            _ => self.truncated(value, width),
        }
    }
    /// A zero extension with `nneg`, and a value computed from it.
    fn extended(&mut self, value: Value, width: u32) -> Value {
        let value = self.below_unless_careless(value, Int::signed_max(width));
        let kind = InstKind::Cast(CastOp::ZExt, CastFlags { nneg: true, ..CastFlags::default() });
        let plain = InstKind::Cast(CastOp::ZExt, CastFlags::default());
        let wide = self.with_twin([kind, plain], Type::int(2 * width), &[value]);
        let op = self.draw.pick(&[BinaryOp::Mul, BinaryOp::Add, BinaryOp::Xor]);
        let product = self.binary(op, wide, wide, BinaryFlags::default());
        let narrow = self.resized(product, Type::int(width), CastOp::ZExt);
        self.push(narrow);
        narrow
    }
    /// A truncation with flags, and its extension.
    fn truncated(&mut self, value: Value, width: u32) -> Value {
        let narrow = self.draw.between(2, width as usize - 1) as u32;
        let value = self.below_unless_careless(value, Int::new(width, (1 << (narrow - 1)) - 1));
        let nuw = self.draw.bool();
        let flags = CastFlags { nuw, nsw: !nuw || self.draw.bool(), ..CastFlags::default() };
        let kinds = [flags, CastFlags::default()].map(|flags| InstKind::Cast(CastOp::Trunc, flags));
        let cut = self.with_twin(kinds, Type::int(narrow), &[value]);
        let up = self.draw.pick(&[CastOp::ZExt, CastOp::SExt]);
        let back = self.resized(cut, Type::int(width), up);
        self.push(back);
        back
    }
    /// A comparison with `samesign`, and a selection by it.
    fn same_signed(&mut self, left: Value, width: u32) -> Value {
        let ty = Type::int(width);
        let right = self.operand(ty);
        let careless = self.wants(Knob::WrongFlags, 35);
        let (mask, op) = match self.draw.bool() {
            true => (Int::signed_max(width), BinaryOp::And),
            false => (Int::signed_min(width), BinaryOp::Or),
        };
        let [left, right] = [left, right].map(|value| {
            let mask = self.editor.int(mask);
            if careless { value } else { self.binary(op, value, mask, BinaryFlags::default()) }
        });
        let pred = self.draw.pick(IntPredicate::ALL);
        let kinds = [true, false].map(|samesign| InstKind::ICmp { pred, samesign });
        let condition = self.with_twin(kinds, Type::I1, &[left, right]);
        let (yes, no) = (self.operand(ty), self.operand(ty));
        let chosen = self.at().select(condition, yes, no, "");
        self.push(chosen);
        chosen
    }
    /// Arithmetic with flags.
    fn repeated(&mut self, left: Value, width: u32) -> Value {
        let ty = Type::int(width);
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Mul, BinaryOp::Add]);
        // The sum and the product of two such numbers are nonnegative as signed numbers.
        let most = Int::new(width, (1 << ((width - 1) / 2)) - 1);
        let right = self.operand(ty);
        let [left, right] = [left, right].map(|value| self.below_unless_careless(value, most));
        let (nuw, both) = (self.draw.bool(), self.draw.bool());
        let flags = BinaryFlags { nuw: nuw || both, nsw: !nuw || both, ..BinaryFlags::default() };
        let kinds = [flags, BinaryFlags::default()].map(|flags| InstKind::Binary(op, flags));
        self.with_twin(kinds, ty, &[left, right])
    }
    /// `value` without bits above `mask`, except where a wrong flag is wanted.
    fn below_unless_careless(&mut self, value: Value, mask: Int) -> Value {
        if self.wants(Knob::WrongFlags, 35) {
            return value;
        }
        let mask = self.editor.int(mask);
        self.binary(BinaryOp::And, value, mask, BinaryFlags::default())
    }
    /// Emits the instruction of the first kind, and sometimes also that of the second one, in either order.
    fn with_twin(&mut self, [kind, other]: [InstKind; 2], ty: Type, operands: &[Value]) -> Value {
        let (twin, is_later) = (self.draw.chance(40), self.draw.bool());
        let mut emit = |kind: InstKind| {
            let inst = self.insert(InstData::new(kind, ty, operands.iter().copied(), []));
            self.push(inst.into());
            inst.into()
        };
        if twin && !is_later {
            emit(other.clone());
        }
        let value = emit(kind);
        if twin && is_later {
            emit(other);
        }
        value
    }
}
