//! Floating point. Operations that only move, compare or test bits are exact. Arithmetic is an opaque function of the
//! operands' bits, one per operation and format, and of the evaluation's choices ([`super::evaluation`]). A refutation
//! that depends on such a result is confirmed by running the code, or is not reported.

use crate::encode::evaluation::{Core, Format, Operation, is_nan, order};
use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::term::Term;
use backedge_ir::inst::{CallView, CastFlags, CastOp, FastMath, FloatBinaryOp, FloatPredicate, Value};
use backedge_ir::intrinsic::Intrinsic as I;
use backedge_ir::types::{FloatKind, Type, TypeKind};

/// Number of exponent and fraction bits, for IEEE interchange formats and similar ones.
fn shape(kind: FloatKind) -> Option<Format> {
    match kind {
        FloatKind::Half => Some((5, 10)),
        FloatKind::BFloat => Some((8, 7)),
        FloatKind::Float => Some((8, 23)),
        FloatKind::Double => Some((11, 52)),
        FloatKind::Fp128 => Some((15, 112)),
        FloatKind::X86Fp80 | FloatKind::PpcFp128 => None,
    }
}

impl Encoder<'_, '_> {
    fn format(&self, ty: Type) -> Option<Format> {
        self.kind(ty).and_then(shape)
    }
    fn kind(&self, ty: Type) -> Option<FloatKind> {
        match self.module.env.types.scalar(ty).kind() {
            TypeKind::Float(kind) => Some(kind),
            _ => None,
        }
    }
    /// The name of a type's scalar type, used in operation keys so that they agree between modules.
    pub(crate) fn spelled(&self, ty: Type) -> String {
        let types = &self.module.env.types;
        backedge_ir::print::type_to_string(types, types.scalar(ty))
    }
    /// Whether some choice of the undef bits makes the value a NaN, and whether some choice makes it an infinity.
    fn nan_and_infinity(&mut self, kind: FloatKind, s: Scalar) -> Option<(Term, Term)> {
        let (exponent, fraction) = shape(kind)?;
        let terms = &mut self.w.terms;
        let fixed = terms.bv_not(s.undef);
        let (low, high) = (terms.bv_and(s.bits, fixed), terms.bv_or(s.bits, s.undef));
        let ones = terms.constant(crate::term::Bits::ones(exponent));
        let part = terms.extract(high, fraction + exponent - 1, fraction);
        let special = terms.eq(part, ones);
        let most = terms.extract(high, fraction - 1, 0);
        let nonzero = terms.is_nonzero(most);
        let least = terms.extract(low, fraction - 1, 0);
        let some = terms.is_nonzero(least);
        let zero = terms.not(some);
        Some((terms.and(special, nonzero), terms.and(special, zero)))
    }
    /// Poison if the value is of a class in `excluded`, numbered as in `llvm.is.fpclass`, or has undef bits.
    pub(crate) fn poison_of_classes(&mut self, ty: Type, value: Sym, excluded: u128) -> Encoded<Sym> {
        if excluded == 0 {
            return Ok(value);
        }
        let format = self.kind(ty).and_then(shape);
        let (exponent, fraction) =
            format.ok_or_else(|| self.unsupported("nofpclass on a type of this kind"))?;
        Ok(value.map(&mut |s| {
            let of_class = self.is_of_class(s.bits, (exponent, fraction), excluded);
            let undef = s.has_undef(&mut self.w.terms);
            let bad = self.w.terms.or(of_class, undef);
            s.or_poison(&mut self.w.terms, bad)
        }))
    }
    fn is_of_class(&mut self, bits: Term, (exponent, fraction): (u32, u32), classes: u128) -> Term {
        let terms = &mut self.w.terms;
        let field = |terms: &mut crate::term::Terms, high, low| {
            let part = terms.extract(bits, high, low);
            terms.is_nonzero(part)
        };
        let negative = field(terms, exponent + fraction, exponent + fraction);
        let positive = terms.not(negative);
        let quiet = field(terms, fraction - 1, fraction - 1);
        let signaling = terms.not(quiet);
        let part = terms.extract(bits, exponent + fraction - 1, fraction);
        let ones = terms.constant(crate::term::Bits::ones(exponent));
        let special = terms.eq(part, ones);
        let biased = terms.is_nonzero(part);
        let small = terms.not(biased);
        let plain = terms.not(special);
        let some = field(terms, fraction - 1, 0);
        let none = terms.not(some);
        let nan = terms.and(special, some);
        let (infinite, normal) = (terms.and(special, none), terms.and(plain, biased));
        let (subnormal, zero) = (terms.and(small, some), terms.and(small, none));
        // The order is that of the mask's bits.
        let all = [
            (nan, signaling),
            (nan, quiet),
            (infinite, negative),
            (normal, negative),
            (subnormal, negative),
            (zero, negative),
            (zero, positive),
            (subnormal, positive),
            (normal, positive),
            (infinite, positive),
        ];
        let mut found = terms.bool(false);
        for (i, (kind, side)) in all.into_iter().enumerate() {
            if classes >> i & 1 == 1 {
                let here = terms.and(kind, side);
                found = terms.or(found, here);
            }
        }
        found
    }
    /// Poison if `value` violates `nnan` or `ninf`, or might violate it after a choice of its undef bits at the next
    /// use.
    pub(crate) fn with_fast_math(&mut self, ty: Type, value: Sym, fast: FastMath) -> Sym {
        let Some(kind) = self.kind(ty).filter(|_| !fast.is_empty()) else { return value };
        value.map(&mut |s| self.fast_scalar(kind, s, fast))
    }
    /// An operand of an operation with these flags. Its undef bits are chosen before the flags are checked.
    pub(crate) fn fast_operand(&mut self, ty: Type, value: &Sym, fast: FastMath) -> Sym {
        if fast.is_empty() {
            return value.clone();
        }
        let value = value.map(&mut |s| self.used(s));
        self.with_fast_math(ty, value, fast)
    }
    fn fast_scalar(&mut self, kind: FloatKind, s: Scalar, fast: FastMath) -> Scalar {
        let Some((nan, infinity)) = self.nan_and_infinity(kind, s) else { return s };
        let mut s = s;
        if fast.contains(FastMath::NNAN) {
            s = s.or_poison(&mut self.w.terms, nan);
        }
        if fast.contains(FastMath::NINF) {
            s = s.or_poison(&mut self.w.terms, infinity);
        }
        s
    }
    /// The value of a `phi`, `select` or `fneg` with these flags, or the result of a call.
    pub(crate) fn moved_float(&mut self, ty: Type, value: Sym, fast: FastMath) -> Sym {
        let Some(ty) = self.module.env.types.fast_math_type(ty).filter(|_| !fast.is_empty()) else {
            return value;
        };
        let key = format!("sign of zero {}", self.spelled(ty));
        let value = value.map(&mut |s| self.open_sign(&key, fast, s));
        self.with_fast_math(ty, value, fast)
    }
    /// The result of a call of a function that is not an intrinsic. LangRef, "Fast-Math Flags": poison if `nnan` or
    /// `ninf` excludes an argument or the result. The callee sees the sign of a zero argument.
    pub(super) fn fast_call(
        &mut self,
        view: CallView<'_>,
        fast: FastMath,
        ty: Type,
        result: Sym,
    ) -> Encoded<Sym> {
        if fast.is_empty() {
            return Ok(result);
        }
        if !self.module.env.types.scalar(ty).is_float() {
            return Err(self.unsupported("fast-math flags of a call whose result is an aggregate"));
        }
        let mut poison = self.w.terms.bool(false);
        for &arg in view.args() {
            let ty = self.ty(arg);
            let excludes = fast.contains(FastMath::NNAN) || fast.contains(FastMath::NINF);
            if let (Some(kind), true) = (self.kind(ty), excludes) {
                let Sym::Scalar(arg) = self.value(arg)? else {
                    return Err(self.unsupported("fast-math flags of a call with a vector of floats"));
                };
                if shape(kind).is_none() {
                    return Err(self.unsupported("fast-math flags of a call with an uncommon format"));
                }
                let arg = self.fast_scalar(kind, arg, fast);
                poison = self.w.terms.or(poison, arg.poison);
            }
        }
        let key = format!("call {}", self.spelled(ty));
        let result = result.map(&mut |s| {
            let s = self.open_result((&key, fast), &[s.bits], s);
            s.or_poison(&mut self.w.terms, poison)
        });
        Ok(self.moved_float(ty, result, fast))
    }

    pub(crate) fn fneg(&mut self, ty: Type, fast: FastMath, operand: Value) -> Encoded<Sym> {
        let value = self.value(operand)?;
        let value = self.fast_operand(ty, &value, fast);
        let negated = self.each(&value, &mut |e, s| {
            let s = e.used(s);
            let width = e.w.terms.width(s.bits);
            let sign = e.w.terms.constant(crate::term::Bits::signed_min(width));
            Ok(Scalar { bits: e.w.terms.bv_xor(s.bits, sign), ..s })
        })?;
        Ok(self.moved_float(ty, negated, fast))
    }
    pub(crate) fn float_binary(
        &mut self,
        ty: Type,
        op: FloatBinaryOp,
        fast: FastMath,
        left: Value,
        right: Value,
    ) -> Encoded<Sym> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (left, right) = (self.fast_operand(ty, &left, fast), self.fast_operand(ty, &right, fast));
        let key = format!("{} {}", op.name(), self.spelled(ty));
        let commutes = matches!(op, FloatBinaryOp::FAdd | FloatBinaryOp::FMul);
        let op = self.operation(ty, fast, &key, Core::Propagates, commutes)?;
        let value = self.zip(&left, &right, &mut |e, a, b| Ok(e.evaluate(&op, &[a, b])))?;
        Ok(self.with_fast_math(ty, value, fast))
    }
    /// The operation `key` on scalars of type `ty` whose result has the same type.
    fn operation<'k>(
        &mut self,
        ty: Type,
        fast: FastMath,
        key: &'k str,
        core: Core,
        commutes: bool,
    ) -> Encoded<Operation<'k>> {
        let width = self.width(self.module.env.types.scalar(ty))?;
        let format = self.format(ty);
        Ok(Operation { key, core, format, from: format, width, fast, commutes })
    }
    pub(crate) fn fcmp(
        &mut self,
        pred: FloatPredicate,
        fast: FastMath,
        left: Value,
        right: Value,
    ) -> Encoded<Sym> {
        let ty = self.ty(left);
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (left, right) = (self.fast_operand(ty, &left, fast), self.fast_operand(ty, &right, fast));
        let Some(format) = self.format(ty) else {
            return Err(self.unsupported("a comparison of floats of an uncommon format"));
        };
        let key = format!("fcmp {} {}", pred.name(), self.spelled(ty));
        self.zip(&left, &right, &mut |e, a, b| {
            let (a, b) = (e.used(a), e.used(b));
            let result = e.fcmp_scalar(pred, format, a, b);
            Ok(Scalar { bits: e.unless_flushed((&key, format), &[a.bits, b.bits], result.bits), ..result })
        })
    }
    fn fcmp_scalar(&mut self, pred: FloatPredicate, format: Format, a: Scalar, b: Scalar) -> Scalar {
        let terms = &mut self.w.terms;
        let (nan_a, nan_b) = (is_nan(terms, format, a.bits), is_nan(terms, format, b.bits));
        let (less, equal) = order(terms, a.bits, b.bits);
        let other = terms.or(less, equal);
        let greater = terms.not(other);
        let unordered = terms.or(nan_a, nan_b);
        let (below, above, same, none) = relation(pred);
        let mut holds = terms.bool(false);
        for (wanted, case) in [(below, less), (above, greater), (same, equal)] {
            if wanted {
                holds = terms.or(holds, case);
            }
        }
        let without = terms.bool(none);
        let holds = terms.ite(unordered, without, holds);
        let poison = terms.or(a.poison, b.poison);
        Scalar { bits: terms.bool_to_bit(holds), poison, undef: terms.number(1, 0) }
    }
    pub(crate) fn float_cast(
        &mut self,
        op: CastOp,
        flags: CastFlags,
        value: Scalar,
        from: Type,
        to: Type,
    ) -> Encoded<Scalar> {
        let width = self.width(to)?;
        let fast = flags.fast;
        let value = match self.kind(from) {
            Some(kind) if !fast.is_empty() => self.fast_scalar(kind, value, fast),
            _ => value,
        };
        let key = format!("{} {} {}", op.name(), self.spelled(from), self.spelled(to));
        let (format, source) = (self.format(to), self.format(from));
        let between_floats = matches!(op, CastOp::FpTrunc | CastOp::FpExt);
        let mut result = if between_floats {
            let core = if format.is_some() && source.is_some() { Core::Propagates } else { Core::Opaque };
            let op = Operation { key: &key, core, format, from: source, width, fast, commutes: false };
            self.evaluate(&op, &[value])
        } else {
            let exact = self.opaque(&key, value, width);
            if self.kind(to).is_some() { self.open_result((&key, fast), &[value.bits], exact) } else { exact }
        };
        if matches!(op, CastOp::FpToSi | CastOp::FpToUi) {
            // Poison if the value does not fit; that condition is also an opaque function of the operand.
            let fits = self.opaque(&format!("{key} fits"), value, 1).bits;
            let fits = self.w.terms.is_nonzero(fits);
            let bad = self.w.terms.not(fits);
            result = result.or_poison(&mut self.w.terms, bad);
        }
        if flags.nneg {
            let negative = self.w.terms.is_negative(value.bits);
            result = result.or_poison(&mut self.w.terms, negative);
        }
        if let Some(kind) = self.kind(to) {
            result = self.fast_scalar(kind, result, fast);
        }
        Ok(result)
    }
    /// A conversion without open choices.
    fn opaque(&mut self, key: &str, value: Scalar, width: u32) -> Scalar {
        let value = self.used(value);
        let bits = self.w.opaque_float(key, &[value.bits], width, false);
        Scalar { bits, poison: value.poison, undef: self.w.terms.number(width, 0) }
    }
    /// `llvm.fptosi.sat` and `llvm.fptoui.sat`.
    pub(crate) fn saturating(&mut self, key: &str, to: Type, value: &Sym) -> Encoded<Sym> {
        let width = self.width(self.module.env.types.scalar(to))?;
        self.each(value, &mut |e, s| Ok(e.opaque(key, s, width)))
    }
    /// `llvm.is.fpclass`.
    pub(crate) fn is_fpclass(&mut self, operand: Value, mask: Value) -> Encoded<Sym> {
        let classes = self.body.as_int(mask).map(|mask| mask.bits());
        let format = self.format(self.ty(operand));
        let (Some(classes), Some(format)) = (classes, format) else {
            return Err(self.unsupported("`llvm.is.fpclass` of this type"));
        };
        let value = self.value(operand)?;
        self.each(&value, &mut |e, s| {
            let s = e.used(s);
            let found = e.is_of_class(s.bits, format, classes);
            let bits = e.w.terms.bool_to_bit(found);
            Ok(Scalar { bits, undef: e.w.terms.number(1, 0), ..s })
        })
    }
    /// A floating-point intrinsic whose result has its operands' type.
    pub(crate) fn float_intrinsic(
        &mut self,
        which: I,
        ty: Type,
        fast: FastMath,
        args: &[Sym],
    ) -> Encoded<Sym> {
        let key = format!("{} {}", which.name(), self.spelled(ty));
        let (core, commutes) = core_of(which);
        let args: Vec<Sym> = args.iter().map(|a| self.fast_operand(ty, a, fast)).collect();
        let op = self.operation(ty, fast, &key, core, commutes)?;
        let value = self.lanes_of(ty, &args, &mut |e, scalars| Ok(e.evaluate(&op, scalars)))?;
        Ok(self.with_fast_math(ty, value, fast))
    }
    /// Applies `f` to the scalars of each lane of the operands.
    fn lanes_of(
        &mut self,
        ty: Type,
        args: &[Sym],
        f: &mut dyn FnMut(&mut Self, &[Scalar]) -> Encoded<Scalar>,
    ) -> Encoded<Sym> {
        let mut lane = 0;
        self.build(ty, &mut |e, _| {
            let mut scalars = Vec::new();
            for arg in args {
                scalars.push(match arg {
                    Sym::Scalar(s) => *s,
                    Sym::List(list) => match list.get(lane) {
                        Some(Sym::Scalar(s)) => *s,
                        Some(Sym::List(_)) | None => return Err(e.unsupported("a vector of another length")),
                    },
                });
            }
            lane += 1;
            f(e, &scalars)
        })
    }
    /// One step of a reduction in lane order.
    pub(super) fn reduction_step(
        &mut self,
        which: Step,
        ty: Type,
        fast: FastMath,
        args: [Sym; 2],
    ) -> Encoded<Sym> {
        match which {
            Step::Intrinsic(which) => self.float_intrinsic(which, ty, fast, &args),
            Step::Binary(op) => {
                let [a, b] = args.map(|a| self.fast_operand(ty, &a, fast));
                let key = format!("{} {}", op.name(), self.spelled(ty));
                let op = self.operation(ty, fast, &key, Core::Propagates, true)?;
                let value = self.zip(&a, &b, &mut |e, a, b| Ok(e.evaluate(&op, &[a, b])))?;
                Ok(self.with_fast_math(ty, value, fast))
            }
        }
    }
    /// `fabs` and `copysign`, which only change the sign bit.
    pub(crate) fn sign_of(&mut self, magnitude: Scalar, sign: Option<Scalar>) -> Scalar {
        let magnitude = self.used(magnitude);
        let width = self.w.terms.width(magnitude.bits);
        let terms = &mut self.w.terms;
        let rest = terms.constant(crate::term::Bits::signed_max(width));
        let bits = terms.bv_and(magnitude.bits, rest);
        let Some(sign) = sign else { return Scalar { bits, ..magnitude } };
        let sign = self.used(sign);
        let terms = &mut self.w.terms;
        let top = terms.constant(crate::term::Bits::signed_min(width));
        let top = terms.bv_and(sign.bits, top);
        Scalar { bits: terms.bv_or(bits, top), poison: terms.or(magnitude.poison, sign.poison), ..magnitude }
    }
}

/// The operation that a reduction applies to two values.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Binary(FloatBinaryOp),
    Intrinsic(I),
}

/// The deterministic part of an intrinsic, and whether it commutes in its first two operands.
fn core_of(which: I) -> (Core, bool) {
    match which {
        I::FMulAdd => (Core::MulAdd, true),
        I::FMa => (Core::Propagates, true),
        I::MinNum | I::MaxNum | I::MinimumNum | I::MaximumNum | I::Minimum | I::Maximum => {
            (Core::MinMax(which), true)
        }
        I::Pow => (Core::Opaque, false),
        _ => (Core::Propagates, false),
    }
}

/// The truth of a predicate for the relations (less, greater, equal, unordered).
fn relation(pred: FloatPredicate) -> (bool, bool, bool, bool) {
    match pred {
        FloatPredicate::False => (false, false, false, false),
        FloatPredicate::Oeq => (false, false, true, false),
        FloatPredicate::Ogt => (false, true, false, false),
        FloatPredicate::Oge => (false, true, true, false),
        FloatPredicate::Olt => (true, false, false, false),
        FloatPredicate::Ole => (true, false, true, false),
        FloatPredicate::One => (true, true, false, false),
        FloatPredicate::Ord => (true, true, true, false),
        FloatPredicate::Ueq => (false, false, true, true),
        FloatPredicate::Ugt => (false, true, false, true),
        FloatPredicate::Uge => (false, true, true, true),
        FloatPredicate::Ult => (true, false, false, true),
        FloatPredicate::Ule => (true, false, true, true),
        FloatPredicate::Une => (true, true, false, true),
        FloatPredicate::Uno => (false, false, false, true),
        FloatPredicate::True => (true, true, true, true),
    }
}
