//! Encodes integer arithmetic, comparisons and casts, with poison-generating flags and immediate UB.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::pointer::{block_of, offset_of};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS};
use crate::term::{Bits, Term, Terms};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, IntPredicate, Value};
use backedge_ir::types::{Type, TypeKind};

impl Encoder<'_, '_> {
    /// Integer arithmetic on values of type `ty`.
    pub(crate) fn binary(
        &mut self,
        ty: Type,
        op: BinaryOp,
        flags: BinaryFlags,
        left: Value,
        right: Value,
    ) -> Encoded<Sym> {
        debug_assert!(!ty.is_float());
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.zip(&left, &right, &mut |e, a, b| Ok(e.binary_scalar(op, flags, a, b)))
    }
    /// Integer arithmetic on scalars. If undef bits describe the results for all choices of the operands' undef bits,
    /// nothing is chosen here. Otherwise the operands' undef bits are chosen here, once for all uses of the result.
    pub(crate) fn binary_scalar(&mut self, op: BinaryOp, flags: BinaryFlags, a: Scalar, b: Scalar) -> Scalar {
        if !self.is_defined(a) || !self.is_defined(b) {
            if let Some(result) = super::undef::bitwise(&mut self.w.terms, op, flags, a, b) {
                return result;
            }
            let open = match op {
                // A fully undef operand makes the result fully undef, whatever the other operand is.
                BinaryOp::Add | BinaryOp::Sub => Some(super::undef::any_whole(&mut self.w.terms, a, b)),
                BinaryOp::Mul => Some(super::undef::whole_times_odd(&mut self.w.terms, a, b)),
                BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr
                    if flags == BinaryFlags::default() && self.is_defined(b) =>
                {
                    return self.shift_undef(op, a, b);
                }
                _ => None,
            };
            if let Some(open) = open {
                let fixed = self.binary_defined(op, flags, a, b);
                let terms = &mut self.w.terms;
                let width = terms.width(a.bits);
                let (ones, zero) = (terms.constant(Bits::ones(width)), terms.number(width, 0));
                return Scalar { undef: terms.ite(open, ones, zero), ..fixed };
            }
        }
        self.binary_defined(op, flags, a, b)
    }
    /// A shift by a known amount moves undef bits along. Copies of an undef sign bit are equal, so the sign bit is
    /// chosen.
    fn shift_undef(&mut self, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
        let mut rest = a.undef;
        let mut a = a;
        if op == BinaryOp::AShr {
            let width = self.w.terms.width(a.bits);
            let sign = self.w.terms.constant(Bits::signed_min(width));
            let open_sign = self.w.terms.bv_and(a.undef, sign);
            a.bits = self.used(Scalar { undef: open_sign, ..a }).bits;
            let others = self.w.terms.bv_not(sign);
            rest = self.w.terms.bv_and(a.undef, others);
        }
        a.undef = b.undef;
        let fixed = self.binary_defined(op, BinaryFlags::default(), a, b);
        let moved = if op == BinaryOp::AShr { BinaryOp::LShr } else { op };
        Scalar { undef: operate(&mut self.w.terms, moved, rest, b.bits), ..fixed }
    }
    fn binary_defined(&mut self, op: BinaryOp, flags: BinaryFlags, a: Scalar, b: Scalar) -> Scalar {
        let (a, b) = (self.used(a), self.used(b));
        if op.is_division() {
            self.division_ub(op, a, b);
        }
        let terms = &mut self.w.terms;
        let bits = operate(terms, op, a.bits, b.bits);
        let mut poison = terms.or(a.poison, b.poison);
        for violated in violations(terms, op, flags, a.bits, b.bits) {
            poison = terms.or(poison, violated);
        }
        Scalar { bits, poison, undef: a.undef }
    }
    fn is_defined(&self, a: Scalar) -> bool {
        self.w.terms.as_bits(a.undef).is_some_and(Bits::is_zero)
    }
    /// UB if the divisor is poison or zero, or if the signed quotient overflows.
    fn division_ub(&mut self, op: BinaryOp, a: Scalar, b: Scalar) {
        self.ub(b.poison);
        let nonzero = self.w.terms.is_nonzero(b.bits);
        let zero = self.w.terms.not(nonzero);
        self.ub(zero);
        if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
            // A poison dividend yields poison, not UB.
            let overflow = self.w.terms.sdiv_overflows(a.bits, b.bits);
            let not_poison = self.w.terms.not(a.poison);
            let bad = self.w.terms.and(not_poison, overflow);
            self.ub(bad);
        }
    }

    /// `icmp`.
    pub(crate) fn icmp(
        &mut self,
        pred: IntPredicate,
        samesign: bool,
        left: Value,
        right: Value,
    ) -> Encoded<Sym> {
        let scalar = self.module.env.types.scalar(self.ty(left));
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.zip(&left, &right, &mut |e, a, b| {
            if scalar.is_int() && !samesign && !(e.is_defined(a) && e.is_defined(b)) {
                return Ok(super::undef::compare(&mut e.w.terms, pred, a, b));
            }
            let (a, b) = (e.used(a), e.used(b));
            let (x, y) = match scalar.kind() {
                TypeKind::Ptr(_) => e.comparable(pred, samesign, a.bits, b.bits),
                _ => (a.bits, b.bits),
            };
            let terms = &mut e.w.terms;
            let holds = compare(terms, pred, x, y);
            let mut poison = terms.or(a.poison, b.poison);
            if samesign {
                let (na, nb) = (terms.is_negative(x), terms.is_negative(y));
                let differ = terms.xor(na, nb);
                poison = terms.or(poison, differ);
            }
            let bits = terms.bool_to_bit(holds);
            Ok(Scalar { bits, poison, undef: terms.number(1, 0) })
        })
    }
    /// Two pointers as integers that compare alike: offsets if the blocks are surely the same, else addresses.
    /// `samesign` refers to the signs of the addresses.
    fn comparable(&mut self, pred: IntPredicate, samesign: bool, a: Term, b: Term) -> (Term, Term) {
        let (block_a, block_b) = (block_of(&mut self.w.terms, a), block_of(&mut self.w.terms, b));
        let (offset_a, offset_b) = (offset_of(&mut self.w.terms, a), offset_of(&mut self.w.terms, b));
        if !samesign && block_a == block_b && matches!(pred, IntPredicate::Eq | IntPredicate::Ne) {
            let bits = self.w.layout.address_bits;
            return (self.w.terms.truncate(offset_a, bits), self.w.terms.truncate(offset_b, bits));
        }
        let (x, y) = (self.w.address_of(a), self.w.address_of(b));
        let bits = self.w.layout.address_bits;
        (self.w.terms.truncate(x, bits), self.w.terms.truncate(y, bits))
    }

    /// Casts of integers, pointers and floats.
    pub(crate) fn cast(&mut self, op: CastOp, flags: CastFlags, operand: Value, to: Type) -> Encoded<Sym> {
        let from = self.ty(operand);
        let value = self.value(operand)?;
        self.cast_value(op, flags, &value, from, to)
    }
    /// A cast of a value of type `from`.
    pub(crate) fn cast_value(
        &mut self,
        op: CastOp,
        flags: CastFlags,
        value: &Sym,
        from: Type,
        to: Type,
    ) -> Encoded<Sym> {
        if op == CastOp::BitCast {
            return self.bitcast(value, from, to);
        }
        let types = &self.module.env.types;
        if self.module.env.layout.converts_non_integral(types, op, from, to) {
            return Err(self.unsupported("a conversion of a non-integral pointer"));
        }
        let (from, to) = (types.scalar(from), types.scalar(to));
        self.each(value, &mut |e, s| e.cast_scalar(op, flags, s, from, to))
    }
    fn cast_scalar(
        &mut self,
        op: CastOp,
        flags: CastFlags,
        value: Scalar,
        from: Type,
        to: Type,
    ) -> Encoded<Scalar> {
        let width = self.width(to)?;
        if !self.is_defined(value) && flags == CastFlags::default() {
            let terms = &mut self.w.terms;
            let (bits, undef) = match op {
                CastOp::Trunc => (terms.truncate(value.bits, width), terms.truncate(value.undef, width)),
                CastOp::ZExt => (terms.zext(value.bits, width), terms.zext(value.undef, width)),
                _ => (value.bits, value.undef),
            };
            if matches!(op, CastOp::Trunc | CastOp::ZExt) {
                return Ok(Scalar { bits, undef, ..value });
            }
        }
        if op == CastOp::SExt {
            return Ok(self.sign_extend(value, width));
        }
        let value = self.used(value);
        let terms = &mut self.w.terms;
        let mut poison = value.poison;
        let bits = match op {
            CastOp::Trunc => {
                let small = terms.truncate(value.bits, width);
                let old = terms.width(value.bits);
                if flags.nuw {
                    let back = terms.zext(small, old);
                    let lost = terms.ne(back, value.bits);
                    poison = terms.or(poison, lost);
                }
                if flags.nsw {
                    let back = terms.sext(small, old);
                    let lost = terms.ne(back, value.bits);
                    poison = terms.or(poison, lost);
                }
                small
            }
            CastOp::ZExt => {
                if flags.nneg {
                    let negative = terms.is_negative(value.bits);
                    poison = terms.or(poison, negative);
                }
                terms.zext(value.bits, width)
            }
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let address = self.w.address_of(value.bits);
                let address = self.w.terms.truncate(address, self.w.layout.address_bits);
                self.w.terms.zext_or_truncate(address, width)
            }
            CastOp::IntToPtr => {
                let address = terms.zext_or_truncate(value.bits, self.w.layout.address_bits);
                self.pointer_from_address(address)
            }
            CastOp::AddrSpaceCast => self.address_space_cast(value.bits, from, to),
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::UiToFp
            | CastOp::SiToFp => return self.float_cast(op, flags, value, from, to),
            CastOp::BitCast | CastOp::SExt => unreachable!("dealt with before"),
        };
        let undef = self.w.terms.number(width, 0);
        Ok(Scalar { bits, poison, undef })
    }
    /// Copies of an undef sign bit are equal, so the sign bit is chosen. The other bits are unchanged.
    fn sign_extend(&mut self, value: Scalar, width: u32) -> Scalar {
        let old = self.w.terms.width(value.bits);
        let sign = self.w.terms.constant(Bits::signed_min(old));
        let open_sign = self.w.terms.bv_and(value.undef, sign);
        let signed = self.used(Scalar { undef: open_sign, ..value });
        let terms = &mut self.w.terms;
        let rest = terms.bv_not(sign);
        let undef = terms.bv_and(value.undef, rest);
        Scalar { bits: terms.sext(signed.bits, width), undef: terms.zext(undef, width), ..value }
    }
    /// Reinterprets scalars of the same width directly, and vectors through their bytes.
    fn bitcast(&mut self, value: &Sym, from: Type, to: Type) -> Encoded<Sym> {
        if from == to {
            return Ok(value.clone());
        }
        match value {
            Sym::Scalar(_) if self.width(to).is_ok() => Ok(value.clone()),
            _ if !self.is_whole_bytes(from) || !self.is_whole_bytes(to) => self.bitcast_bits(value, to),
            _ => {
                let bytes = self.value_bytes(from, value)?;
                self.of_bytes(to, &bytes)
            }
        }
    }

    /// Whether each element of the type has a whole number of bytes.
    fn is_whole_bytes(&self, ty: Type) -> bool {
        let scalar = self.module.env.types.scalar(ty);
        scalar.is_ptr() || self.width(scalar).is_ok_and(|width| width.is_multiple_of(8))
    }
    /// Reinterprets values bit by bit. The first element takes the lowest bits, or the highest bits on big-endian
    /// targets.
    fn bitcast_bits(&mut self, value: &Sym, to: Type) -> Encoded<Sym> {
        let mut scalars = value.scalars();
        let big_endian = self.w.layout.big_endian;
        if big_endian {
            scalars.reverse();
        }
        let mut whole: Option<[Term; 3]> = None;
        for s in scalars {
            let terms = &mut self.w.terms;
            let width = terms.width(s.bits);
            let (ones, zero) = (terms.constant(Bits::ones(width)), terms.number(width, 0));
            let parts = [s.bits, terms.ite(s.poison, ones, zero), s.undef];
            whole = Some(match whole {
                None => parts,
                Some(low) => std::array::from_fn(|i| terms.concat(parts[i], low[i])),
            });
        }
        let whole = whole.ok_or_else(|| self.unsupported("a vector without elements"))?;
        let width = self.w.terms.width(whole[0]);
        let mut at = 0;
        self.build(to, &mut |e, ty| {
            let part = e.width(ty)?;
            let low = if big_endian { width.checked_sub(at + part) } else { Some(at) };
            let Some(low) = low.filter(|low| low + part <= width) else {
                return Err(e.unsupported("a bitcast between different widths"));
            };
            at += part;
            let terms = &mut e.w.terms;
            let [bits, poison, undef] = whole.map(|term| terms.extract(term, low + part - 1, low));
            Ok(Scalar { bits, poison: terms.is_nonzero(poison), undef })
        })
    }
    /// LangRef does not define the result of a cast between address spaces. The encoding uses an opaque function of the
    /// pointer and of both address spaces.
    fn address_space_cast(&mut self, pointer: Term, from: Type, to: Type) -> Term {
        let space = |ty: Type| ty.ptr_space().unwrap_or(0);
        let key = format!("addrspacecast {} to {}", space(from), space(to));
        self.w
            .approximate("the result of a cast between address spaces is an opaque function of the pointer");
        let bits = self.w.opaque_op(&key, &[pointer], POINTER_BITS, false);
        let fact = self.w.points_outside_own(bits);
        self.w.axioms.push(fact);
        bits
    }

    /// `pointer` plus `delta` bytes, in the index width.
    pub(crate) fn move_pointer(&mut self, pointer: Term, delta: Term) -> Term {
        let (block, offset) = (block_of(&mut self.w.terms, pointer), offset_of(&mut self.w.terms, pointer));
        let delta = self.w.terms.sext(delta, OFFSET_BITS);
        let offset = self.w.terms.add(offset, delta);
        let offset = self.w.wrapped_offset(offset);
        debug_assert_eq!(self.w.terms.width(block), BLOCK_BITS);
        self.w.terms.concat(block, offset)
    }
}

/// The result of an operation without UB. An oversized shift yields 0 or copies of the sign bit.
fn operate(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::UDiv => terms.udiv(a, b),
        BinaryOp::SDiv => terms.sdiv(a, b),
        BinaryOp::URem => terms.urem(a, b),
        BinaryOp::SRem => terms.srem(a, b),
        BinaryOp::Shl => terms.shl(a, b),
        BinaryOp::LShr => terms.lshr(a, b),
        BinaryOp::AShr => terms.ashr(a, b),
        BinaryOp::And => terms.bv_and(a, b),
        BinaryOp::Or => terms.bv_or(a, b),
        BinaryOp::Xor => terms.bv_xor(a, b),
    }
}

/// The conditions under which the result is poison.
fn violations(terms: &mut Terms, op: BinaryOp, flags: BinaryFlags, a: Term, b: Term) -> Vec<Term> {
    let mut all = Vec::new();
    if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
        let width = terms.width(a);
        let limit = terms.number(width, width.into());
        all.push(terms.ule(limit, b));
    }
    if flags.nuw {
        match op {
            BinaryOp::Add => all.push(terms.uadd_overflows(a, b)),
            BinaryOp::Sub => all.push(terms.usub_overflows(a, b)),
            BinaryOp::Mul => all.push(terms.umul_overflows(a, b)),
            BinaryOp::Shl => all.push(terms.ushl_overflows(a, b)),
            _ => {}
        }
    }
    if flags.nsw {
        match op {
            BinaryOp::Add => all.push(terms.sadd_overflows(a, b)),
            BinaryOp::Sub => all.push(terms.ssub_overflows(a, b)),
            BinaryOp::Mul => all.push(terms.smul_overflows(a, b)),
            BinaryOp::Shl => all.push(terms.sshl_overflows(a, b)),
            _ => {}
        }
    }
    if flags.exact {
        let lost = match op {
            BinaryOp::UDiv => terms.urem(a, b),
            BinaryOp::SDiv => terms.srem(a, b),
            _ => {
                let down = terms.lshr(a, b);
                let back = terms.shl(down, b);
                terms.bv_xor(a, back)
            }
        };
        all.push(terms.is_nonzero(lost));
    }
    if flags.disjoint {
        let common = terms.bv_and(a, b);
        all.push(terms.is_nonzero(common));
    }
    all
}

/// Whether `a pred b` holds.
pub(crate) fn compare(terms: &mut Terms, pred: IntPredicate, a: Term, b: Term) -> Term {
    match pred {
        IntPredicate::Eq => terms.eq(a, b),
        IntPredicate::Ne => terms.ne(a, b),
        IntPredicate::Ugt => terms.ult(b, a),
        IntPredicate::Uge => terms.ule(b, a),
        IntPredicate::Ult => terms.ult(a, b),
        IntPredicate::Ule => terms.ule(a, b),
        IntPredicate::Sgt => terms.slt(b, a),
        IntPredicate::Sge => terms.sle(b, a),
        IntPredicate::Slt => terms.slt(a, b),
        IntPredicate::Sle => terms.sle(a, b),
    }
}
