//! Arithmetic statements.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

const SIMPLE: [BinaryOp; 8] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Xor,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Add,
    BinaryOp::Shl,
];
const DIVISIONS: [BinaryOp; 4] = [BinaryOp::UDiv, BinaryOp::URem, BinaryOp::SDiv, BinaryOp::SRem];
const MIN_MAX: [&str; 4] = ["umin", "umax", "smin", "smax"];

impl Writer<'_, '_> {
    /// Computes a value of one of the program's types and adds it to the scope.
    pub(super) fn compute(&mut self) -> Value {
        let ty = self.int_type();
        if self.wants(Knob::FarSums, 12) {
            return self.aside(|this| this.far_sum(ty));
        }
        if self.wants(Knob::OtherFlags, 12) {
            return self.aside(|this| this.flagged(ty));
        }
        if self.wants(Knob::BitIntrinsics, 12) {
            return self.aside(|this| this.of_bits(ty));
        }
        match self.draw.below(14) {
            0 if self.wants(Knob::Freeze, 60) => self.frozen(ty),
            1 | 2 if self.wants(Knob::Divisions, 60) => self.division(ty),
            3 if self.wants(Knob::Selects, 70) => self.selection(ty),
            10 | 11 if self.wants(Knob::Lanes, 60) => self.lane(ty),
            12 if self.wants(Knob::Associative, 80) => self.associated(ty),
            4 if self.wants(Knob::Intrinsics, 80) => self.of_intrinsic(ty),
            5 if self.wants(Knob::Casts, 80) => self.cast(ty),
            6 | 7 if self.knobs.has(Knob::Flags) => self.with_flags(ty),
            8 | 9 if self.wants(Knob::Repeats, 80) => self.repeat(),
            _ => {
                let op = self.draw.pick(&SIMPLE);
                self.operation(op, ty)
            }
        }
    }
    /// Emits `op` with operands of type `ty`; a shift amount is usually less than the width.
    fn operation(&mut self, op: BinaryOp, ty: Type) -> Value {
        let left = self.operand(ty);
        let right = match op {
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.amount(ty),
            _ => self.operand(ty),
        };
        let flags = self.careless_flags(op);
        self.recent.push((op, left, right));
        self.binary(op, left, right, flags)
    }
    /// A shift amount, usually less than the width.
    pub(super) fn amount(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        if self.knobs.has(Knob::WrongFlags) && self.draw.chance(20) {
            return self.operand(ty);
        }
        let amount = self.draw.below(width as usize) as i128;
        self.int(width, amount)
    }
    /// Flags that may not hold, or none.
    pub(super) fn careless_flags(&mut self, op: BinaryOp) -> BinaryFlags {
        if !self.wants(Knob::WrongFlags, 35) {
            return BinaryFlags::default();
        }
        let (wrap, exact, disjoint) = op.allowed_flags();
        BinaryFlags {
            nuw: wrap && self.draw.bool(),
            nsw: wrap && self.draw.bool(),
            exact: exact && self.draw.bool(),
            disjoint: disjoint && self.draw.bool(),
        }
    }
    /// An operation with flags that hold because its operands are masked.
    fn with_flags(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        if width < 3 || !self.wants(Knob::Flags, 80) {
            return self.operation(BinaryOp::Add, ty);
        }
        let (low, high) = ((1 << (width / 2)) - 1, ((1_i128 << width) - 1) << (width / 2));
        let (left, right) = (self.operand(ty), self.operand(ty));
        let mask = self.int(width, low);
        let left = self.binary(BinaryOp::And, left, mask, BinaryFlags::default());
        match self.draw.below(4) {
            0 => {
                let right = self.binary(BinaryOp::And, right, mask, BinaryFlags::default());
                // Both operands are less than 2^(width/2), so for three bits and above the sum is at most SMAX.
                let flags = BinaryFlags { nuw: true, nsw: true, ..BinaryFlags::default() };
                self.binary(BinaryOp::Add, left, right, flags)
            }
            1 => {
                let mask = self.int(width, high);
                let right = self.binary(BinaryOp::And, right, mask, BinaryFlags::default());
                let flags = BinaryFlags { disjoint: true, ..BinaryFlags::default() };
                self.binary(BinaryOp::Or, left, right, flags)
            }
            2 => {
                let one = self.int(width, 1);
                let flags = BinaryFlags { nuw: true, nsw: width > 3, ..BinaryFlags::default() };
                self.binary(BinaryOp::Shl, left, one, flags)
            }
            _ => {
                let one = self.int(width, 1);
                let nuw = BinaryFlags { nuw: true, ..BinaryFlags::default() };
                let double = self.binary(BinaryOp::Shl, left, one, nuw);
                let flags = BinaryFlags { exact: true, ..BinaryFlags::default() };
                let op = self.draw.pick(&[BinaryOp::LShr, BinaryOp::UDiv]);
                let by = if op == BinaryOp::LShr { one } else { self.int(width, 2) };
                self.binary(op, double, by, flags)
            }
        }
    }
    fn frozen(&mut self, ty: Type) -> Value {
        let value = self.operand(ty);
        let value = self.at().freeze(value, "");
        self.push(value);
        value
    }
    /// A loop-invariant division, which is UB if the divisor is 0.
    fn invariant_division(&mut self, ty: Type) -> Value {
        let op = self.draw.pick(&DIVISIONS);
        let (left, right) = (self.invariant(ty), self.invariant(ty));
        self.binary(op, left, right, BinaryFlags::default())
    }
    /// A division, mostly with a nonzero divisor, and mostly with a positive one if it is signed.
    fn division(&mut self, ty: Type) -> Value {
        if self.draw.chance(15) {
            return self.invariant_division(ty);
        }
        let op = self.draw.pick(&DIVISIONS);
        let left = if self.draw.chance(30) { self.recurring(ty) } else { None };
        let left = left.unwrap_or_else(|| self.operand(ty));
        let mut right = self.operand(ty);
        let width = ty.int_bits().unwrap_or(1);
        if width < 2 {
            return self.operation(BinaryOp::Or, ty);
        }
        let by_constant = self.draw.chance(15);
        if by_constant {
            let by = self.draw.pick(&[-3, -2, 3, 2]);
            right = self.int(width.max(3), by);
            right = self.resized(right, ty, CastOp::SExt);
        }
        if !by_constant && !self.draw.chance(10) {
            let (mask, one) = (self.int(width, (1 << (width - 1)) - 1), self.int(width, 1));
            right = self.at().binary(BinaryOp::And, right, mask, BinaryFlags::default(), "");
            right = self.at().binary(BinaryOp::Or, right, one, BinaryFlags::default(), "");
        }
        let flags = self.careless_flags(op);
        self.binary(op, left, right, flags)
    }
    /// A recurrence or another value divided by a constant.
    pub(super) fn lane(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        if width < 3 {
            return self.operation(BinaryOp::And, ty);
        }
        let left = match self.draw.below(4) {
            0 | 1 => self.counting(ty),
            2 => self.recurring(ty),
            _ => None,
        };
        let left = left.unwrap_or_else(|| self.operand(ty));
        let (op, by) = match self.draw.below(5) {
            0 => (BinaryOp::UDiv, self.draw.pick(&[2, 4, 3, 6])),
            1 => (BinaryOp::URem, self.draw.pick(&[4, 2, 3])),
            2 | 3 => (BinaryOp::LShr, self.draw.pick(&[1, 2])),
            _ => (BinaryOp::And, self.draw.pick(&[3, 1])),
        };
        let by = self.int(width, by);
        self.binary(op, left, by, BinaryFlags::default())
    }
    /// `(x + a) + b` with loop-invariant `a` and `b`, or `(x * a) / a`.
    fn associated(&mut self, ty: Type) -> Value {
        let left = self.recurring(ty).unwrap_or_else(|| self.operand(ty));
        let (a, b) = (self.invariant(ty), self.invariant(ty));
        if ty.int_bits().unwrap_or(1) > 2 && self.wants(Knob::Divisions, 40) {
            let by = self.draw.pick(&[3, 2, -1, 5]);
            let by = self.int(ty.int_bits().unwrap_or(8), by);
            let flags = self.careless_flags(BinaryOp::Mul);
            let product = self.binary(BinaryOp::Mul, left, by, flags);
            let op = self.draw.pick(&[BinaryOp::UDiv, BinaryOp::URem]);
            return self.binary(op, product, by, BinaryFlags::default());
        }
        let op = self.draw.pick(&[BinaryOp::Add, BinaryOp::Add, BinaryOp::Mul]);
        let nsw = self.wants(Knob::Flags, 60);
        let flags = BinaryFlags { nsw, ..BinaryFlags::default() };
        let inner = self.binary(op, left, a, flags);
        self.recent.push((op, left, a));
        self.binary(op, inner, b, flags)
    }
    /// `((x | SMIN) + SMAX) + 1`, where no addition wraps, but the sum of the constants does.
    fn far_sum(&mut self, ty: Type) -> Value {
        let width = ty.int_bits().unwrap_or(1);
        if width < 2 {
            return self.operation(BinaryOp::Or, ty);
        }
        let value = self.recurring(ty).unwrap_or_else(|| self.operand(ty));
        let [least, mut by, mut more] =
            [Int::signed_min(width), Int::signed_max(width), Int::one(width)].map(|n| self.editor.int(n));
        if self.draw.bool() {
            (by, more) = (more, by);
        }
        let nsw = BinaryFlags { nsw: true, ..BinaryFlags::default() };
        let value = self.binary(BinaryOp::Or, value, least, BinaryFlags::default());
        let value = self.binary(BinaryOp::Add, value, by, nsw);
        self.binary(BinaryOp::Add, value, more, nsw)
    }
    fn selection(&mut self, ty: Type) -> Value {
        let condition = self.condition();
        let (left, right) = (self.operand(ty), self.operand(ty));
        let value = self.at().select(condition, left, right, "");
        self.push(value);
        value
    }
    fn of_intrinsic(&mut self, ty: Type) -> Value {
        const SATURATING: [&str; 4] = ["uadd.sat", "usub.sat", "sadd.sat", "ssub.sat"];
        let (left, right) = (self.operand(ty), self.operand(ty));
        let value = match self.draw.below(6) {
            0..=3 => {
                let name = self.draw.pick(&MIN_MAX);
                self.intrinsic(name, &[left, right], None)
            }
            4 => {
                let name = self.draw.pick(&SATURATING);
                self.intrinsic(name, &[left, right], None)
            }
            _ => {
                let poison = self.knobs.has(Knob::WrongFlags) && self.draw.bool();
                self.intrinsic("abs", &[left], Some(poison))
            }
        };
        self.push(value);
        value
    }
    /// The minimum or maximum of two values.
    pub(super) fn min_max(&mut self, left: Value, right: Value) -> Value {
        let name = self.draw.pick(&MIN_MAX);
        self.intrinsic(name, &[left, right], None)
    }
    fn cast(&mut self, to: Type) -> Value {
        let width = self.draw.pick(&[8, 16, 32, 64, 4, 1]);
        let value = self.operand(to);
        let up = self.draw.pick(&[CastOp::ZExt, CastOp::SExt]);
        let value = self.resized(value, Type::int(width), up);
        self.push(value);
        value
    }
    /// Repeats an earlier operation if its operands are in scope.
    fn repeat(&mut self) -> Value {
        if !self.recent.is_empty() {
            let at = self.draw.below(self.recent.len());
            let (op, left, right) = self.recent[at];
            let visible = |v: Value| v.as_inst().is_none() || self.scope.iter().any(|(_, s)| *s == v);
            if visible(left) && visible(right) {
                let flags = self.careless_flags(op);
                return self.binary(op, left, right, flags);
            }
        }
        let ty = self.int_type();
        self.operation(BinaryOp::Add, ty)
    }
}
