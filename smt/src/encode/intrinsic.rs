//! Intrinsics with known semantics, by family.

use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::Event;
use crate::term::{Bits, Term, Terms};
use backedge_ir::entity::Inst;
use backedge_ir::inst::CallView;
use backedge_ir::intrinsic::Intrinsic as I;

impl Encoder<'_, '_> {
    /// A call of an intrinsic.
    pub(crate) fn intrinsic(&mut self, inst: Inst, which: I, view: CallView<'_>) -> Encoded<Option<Sym>> {
        let args = view.args();
        match which {
            I::Abs | I::Ctlz | I::Cttz => self.with_poison_flag(which, view).map(Some),
            I::UMin | I::UMax | I::SMin | I::SMax | I::UAddSat | I::USubSat | I::SAddSat | I::SSubSat => {
                let (a, b) = (self.value(args[0])?, self.value(args[1])?);
                self.zip(&a, &b, &mut |e, a, b| Ok(e.pure(a, b, |t, x, y| two(t, which, x, y)))).map(Some)
            }
            I::UShlSat | I::SShlSat => {
                let (a, b) = (self.value(args[0])?, self.value(args[1])?);
                self.zip(&a, &b, &mut |e, a, b| Ok(e.shift_saturating(which == I::SShlSat, a, b))).map(Some)
            }
            I::UCmp | I::SCmp => self.three_way(inst, which == I::SCmp, view).map(Some),
            I::UAddWithOverflow
            | I::SAddWithOverflow
            | I::USubWithOverflow
            | I::SSubWithOverflow
            | I::UMulWithOverflow
            | I::SMulWithOverflow => self.with_overflow(which, view).map(Some),
            I::Ctpop | I::BSwap | I::BitReverse => {
                let a = self.value(args[0])?;
                self.each(&a, &mut |e, a| {
                    let a = e.used(a);
                    Ok(Scalar { bits: one(&mut e.w.terms, which, a.bits), ..a })
                })
                .map(Some)
            }
            I::FShl | I::FShr => self.funnel_shift(which == I::FShl, view).map(Some),
            I::Expect
            | I::ExpectWithProbability
            | I::SsaCopy
            | I::Annotation
            | I::PtrAnnotation
            | I::LaunderInvariantGroup
            | I::StripInvariantGroup
            | I::ThreadlocalAddress => self.value(args[0]).map(Some),
            I::Assume => self.assume(view).map(|()| None),
            I::Trap | I::UbsanTrap => self.trap(inst, which, view).map(|()| None),
            I::SideEffect => {
                self.w.side_effects[self.side.index()].push(self.path);
                Ok(None)
            }
            I::DoNothing
            | I::PseudoProbe
            | I::NoAliasScopeDecl
            | I::VarAnnotation
            | I::InvariantEnd
            | I::Prefetch
            | I::DbgDeclare
            | I::DbgValue
            | I::DbgAssign
            | I::DbgLabel => Ok(None),
            I::LifetimeStart => self.lifetime(view, true).map(|()| None),
            I::LifetimeEnd => self.lifetime(view, false).map(|()| None),
            I::Memset | I::MemsetInline => self.memset(view).map(|()| None),
            I::Memcpy | I::MemcpyInline | I::Memmove => self.memcpy(view, which == I::Memmove).map(|()| None),
            I::FAbs | I::CopySign => self.sign_intrinsic(view).map(Some),
            _ if is_float_function(which) => {
                let values: Encoded<Vec<Sym>> = args.iter().map(|a| self.value(*a)).collect();
                let fast = self.body.inst(inst).evaluated(view.info.fast);
                self.float_intrinsic(which, self.ty(args[0]), fast, &values?).map(Some)
            }
            I::FpToSiSat | I::FpToUiSat => {
                let value = self.value(args[0])?;
                let to = self.body.inst(inst).ty;
                let (of, result) = (self.spelled(self.ty(args[0])), self.spelled(to));
                let name = format!("{} of {of} to {result}", which.name());
                self.saturating(&name, to, &value).map(Some)
            }
            I::IsFpClass => self.is_fpclass(args[0], args[1]).map(Some),
            _ if is_of_vectors(which) => self.vector_intrinsic(inst, which, view),
            _ => Err(self.unsupported(&format!("the intrinsic `llvm.{}`", which.name()))),
        }
    }

    /// `fabs`, and `copysign`, which has a second operand.
    fn sign_intrinsic(&mut self, view: CallView<'_>) -> Encoded<Sym> {
        let args = view.args();
        let (ty, fast) = (self.ty(args[0]), view.info.fast);
        let magnitude = self.value(args[0])?;
        let value = match args.get(1) {
            None => {
                let magnitude = self.fast_operand(ty, &magnitude, fast);
                self.each(&magnitude, &mut |e, a| Ok(e.sign_of(a, None)))?
            }
            Some(sign) => {
                let sign = self.value(*sign)?;
                let magnitude = self.fast_operand(ty, &magnitude, fast);
                let sign = self.fast_operand(ty, &sign, fast);
                // The sign of a zero `sign` operand is open too.
                let sign = self.moved_float(ty, sign, fast);
                self.zip(&magnitude, &sign, &mut |e, a, b| Ok(e.sign_of(a, Some(b))))?
            }
        };
        Ok(self.moved_float(ty, value, fast))
    }
    fn pure(&mut self, a: Scalar, b: Scalar, f: impl FnOnce(&mut Terms, Term, Term) -> Term) -> Scalar {
        let (a, b) = (self.used(a), self.used(b));
        let bits = f(&mut self.w.terms, a.bits, b.bits);
        Scalar { bits, poison: self.w.terms.or(a.poison, b.poison), undef: a.undef }
    }
    /// `abs`, `ctlz`, `cttz`: poison for the signed minimum or for zero, if the second argument requests it.
    fn with_poison_flag(&mut self, which: I, view: CallView<'_>) -> Encoded<Sym> {
        let (a, flag) = (self.value(view.args()[0])?, self.scalar(view.args()[1])?);
        let flagged = self.w.terms.is_nonzero(flag.bits);
        self.each(&a, &mut |e, a| {
            let a = e.used(a);
            let terms = &mut e.w.terms;
            let width = terms.width(a.bits);
            let special = match which {
                I::Abs => Bits::signed_min(width),
                _ => Bits::zero(width),
            };
            let special = terms.constant(special);
            let special = terms.eq(a.bits, special);
            let bad = terms.and(flagged, special);
            let bits = one(terms, which, a.bits);
            Ok(Scalar { bits, ..a }.or_poison(terms, bad))
        })
    }
    fn with_overflow(&mut self, which: I, view: CallView<'_>) -> Encoded<Sym> {
        let (a, b) = (self.value(view.args()[0])?, self.value(view.args()[1])?);
        let value = self.zip(&a, &b, &mut |e, a, b| {
            Ok(e.pure(a, b, |t, x, y| match which {
                I::UAddWithOverflow | I::SAddWithOverflow => t.add(x, y),
                I::USubWithOverflow | I::SSubWithOverflow => t.sub(x, y),
                _ => t.mul(x, y),
            }))
        })?;
        let over = self.zip(&a, &b, &mut |e, a, b| {
            let over = e.pure(a, b, |t, x, y| {
                let over = match which {
                    I::UAddWithOverflow => t.uadd_overflows(x, y),
                    I::SAddWithOverflow => t.sadd_overflows(x, y),
                    I::USubWithOverflow => t.usub_overflows(x, y),
                    I::SSubWithOverflow => t.ssub_overflows(x, y),
                    I::UMulWithOverflow => t.umul_overflows(x, y),
                    _ => t.smul_overflows(x, y),
                };
                t.bool_to_bit(over)
            });
            Ok(Scalar { undef: e.w.terms.number(1, 0), ..over })
        })?;
        Ok(Sym::List(vec![value, over]))
    }
    fn three_way(&mut self, inst: Inst, signed: bool, view: CallView<'_>) -> Encoded<Sym> {
        let (a, b) = (self.value(view.args()[0])?, self.value(view.args()[1])?);
        let width = self.width(self.module.env.types.scalar(self.body.inst(inst).ty))?;
        self.zip(&a, &b, &mut |e, a, b| {
            let value = e.pure(a, b, |t, x, y| {
                let less = if signed { t.slt(x, y) } else { t.ult(x, y) };
                let equal = t.eq(x, y);
                let minus = t.constant(Bits::ones(width));
                let (zero, plus) = (t.number(width, 0), t.number(width, 1));
                let rest = t.ite(equal, zero, plus);
                t.ite(less, minus, rest)
            });
            Ok(Scalar { undef: e.w.terms.number(width, 0), ..value })
        })
    }
    fn shift_saturating(&mut self, signed: bool, a: Scalar, b: Scalar) -> Scalar {
        let (a, b) = (self.used(a), self.used(b));
        let terms = &mut self.w.terms;
        let width = terms.width(a.bits);
        let limit = terms.number(width, width.into());
        let too_much = terms.ule(limit, b.bits);
        let shifted = terms.shl(a.bits, b.bits);
        let (over, extreme) = if signed {
            let (min, max) =
                (terms.constant(Bits::signed_min(width)), terms.constant(Bits::signed_max(width)));
            let negative = terms.is_negative(a.bits);
            (terms.sshl_overflows(a.bits, b.bits), terms.ite(negative, min, max))
        } else {
            (terms.ushl_overflows(a.bits, b.bits), terms.constant(Bits::ones(width)))
        };
        let bits = terms.ite(over, extreme, shifted);
        let poison = terms.or_all([a.poison, b.poison, too_much]);
        Scalar { bits, poison, undef: a.undef }
    }
    fn funnel_shift(&mut self, left: bool, view: CallView<'_>) -> Encoded<Sym> {
        let args = view.args();
        let (a, b, amount) = (self.value(args[0])?, self.value(args[1])?, self.value(args[2])?);
        let mut pairs = Vec::new();
        let joined = self.zip(&a, &b, &mut |e, a, b| {
            let both = e.pure(a, b, |_, x, _| x);
            let high = both;
            let low = e.used(b);
            pairs.push((high, low));
            Ok(high)
        })?;
        let mut pairs = pairs.into_iter();
        self.zip(&joined, &amount, &mut |e, high, amount| {
            let (_, low) = pairs.next().expect("one pair per element");
            let amount = e.used(amount);
            let terms = &mut e.w.terms;
            let width = terms.width(high.bits);
            let modulus = terms.number(width, width.into());
            let by = terms.urem(amount.bits, modulus);
            let whole = terms.concat(high.bits, low.bits);
            let by = terms.zext(by, 2 * width);
            let bits = if left {
                let shifted = terms.shl(whole, by);
                terms.extract(shifted, 2 * width - 1, width)
            } else {
                let shifted = terms.lshr(whole, by);
                terms.extract(shifted, width - 1, 0)
            };
            let poison = terms.or_all([high.poison, low.poison, amount.poison]);
            Ok(Scalar { bits, poison, undef: high.undef })
        })
    }

    /// A trap ends the program: it is an event that does not return.
    fn trap(&mut self, inst: Inst, which: I, view: CallView<'_>) -> Encoded<()> {
        // LangRef: the kind of `llvm.ubsantrap` is encoded in the trap instruction, so that crashes can be
        // distinguished.
        let args: Encoded<Vec<Sym>> = view.args().iter().map(|kind| self.value(*kind)).collect();
        let args = args?;
        let after = self.w.fresh_trace();
        let never = self.w.terms.bool(false);
        self.w.add_event(Event {
            side: self.side,
            inst,
            happens: self.path,
            before: self.memory.trace,
            callee: which.name().into(),
            promises: Vec::new(),
            args,
            // LangRef: a trap's memory effects are those of the target's trap only, so stores before the trap are not
            // observed.
            memory: None,
            touched: None,
            found: None,
            after: Some(after),
            result: None,
            returns: never,
            throws: never,
            by_history: false,
            leaves: None,
            speculatable: true,
            allocas: Vec::new(),
        });
        self.memory.trace = after;
        self.stop_unless(never, after);
        Ok(())
    }
}

/// Intrinsics that combine, move or number lanes, and masked accesses.
fn is_of_vectors(which: I) -> bool {
    matches!(
        which,
        I::MaskedLoad
            | I::MaskedStore
            | I::MaskedGather
            | I::MaskedScatter
            | I::VectorReduceAdd
            | I::VectorReduceMul
            | I::VectorReduceAnd
            | I::VectorReduceOr
            | I::VectorReduceXor
            | I::VectorReduceUMin
            | I::VectorReduceUMax
            | I::VectorReduceSMin
            | I::VectorReduceSMax
            | I::VectorReduceFAdd
            | I::VectorReduceFMul
            | I::VectorReduceFMin
            | I::VectorReduceFMax
            | I::VectorReduceFMinimum
            | I::VectorReduceFMaximum
            | I::VectorReverse
            | I::VectorInsert
            | I::VectorExtract
            | I::VectorSplice
            | I::VectorSpliceLeft
            | I::VectorSpliceRight
            | I::StepVector
            | I::ActiveLaneMask
            | I::CttzElts
    )
}

/// Floating-point functions whose result has the type of their operands; modelled as opaque functions of the operands.
pub(crate) fn is_float_function(which: I) -> bool {
    matches!(
        which,
        I::FMa
            | I::FMulAdd
            | I::Sqrt
            | I::Floor
            | I::Ceil
            | I::FTrunc
            | I::Rint
            | I::NearbyInt
            | I::Round
            | I::RoundEven
            | I::MinNum
            | I::MaxNum
            | I::Minimum
            | I::Maximum
            | I::MinimumNum
            | I::MaximumNum
            | I::Pow
            | I::Exp
            | I::Exp2
            | I::Log
            | I::Log2
            | I::Log10
            | I::Sin
            | I::Cos
            | I::Exp10
            | I::Tan
            | I::ASin
            | I::ACos
            | I::ATan
            | I::ATan2
            | I::SinH
            | I::CosH
            | I::TanH
    )
}

/// The result of a unary intrinsic.
pub(crate) fn one(t: &mut Terms, which: I, a: Term) -> Term {
    let width = t.width(a);
    match which {
        I::Abs => {
            let (negative, opposite) = (t.is_negative(a), t.bv_neg(a));
            t.ite(negative, opposite, a)
        }
        I::Ctpop => {
            let mut sum = t.number(width, 0);
            for i in 0..width {
                let bit = t.extract(a, i, i);
                let bit = t.zext(bit, width);
                sum = t.add(sum, bit);
            }
            sum
        }
        I::Ctlz | I::Cttz => {
            let mut count = t.number(width, width.into());
            for i in 0..width {
                // The last set bit in this order determines the count.
                let (at, zeros) =
                    if which == I::Ctlz { (i, width - 1 - i) } else { (width - 1 - i, width - 1 - i) };
                let set = t.bit(a, at);
                let zeros = t.number(width, zeros.into());
                count = t.ite(set, zeros, count);
            }
            count
        }
        I::BSwap => reverse(t, a, 8),
        I::BitReverse => reverse(t, a, 1),
        _ => unreachable!("not of one operand"),
    }
}

/// The groups of `size` bits in reverse order.
fn reverse(t: &mut Terms, a: Term, size: u32) -> Term {
    let count = t.width(a) / size;
    let mut result = t.extract(a, size - 1, 0);
    for i in 1..count {
        let group = t.extract(a, i * size + size - 1, i * size);
        result = t.concat(result, group);
    }
    result
}

/// The result of a binary intrinsic.
fn two(t: &mut Terms, which: I, a: Term, b: Term) -> Term {
    let width = t.width(a);
    let extremes = (Bits::signed_min(width), Bits::signed_max(width));
    match which {
        I::UMin | I::UMax => {
            let less = t.ult(a, b);
            if which == I::UMin { t.ite(less, a, b) } else { t.ite(less, b, a) }
        }
        I::SMin | I::SMax => {
            let less = t.slt(a, b);
            if which == I::SMin { t.ite(less, a, b) } else { t.ite(less, b, a) }
        }
        I::UAddSat => {
            let (over, sum, most) = (t.uadd_overflows(a, b), t.add(a, b), t.constant(Bits::ones(width)));
            t.ite(over, most, sum)
        }
        I::USubSat => {
            let (over, difference, least) = (t.usub_overflows(a, b), t.sub(a, b), t.number(width, 0));
            t.ite(over, least, difference)
        }
        I::SAddSat | I::SSubSat => {
            let (over, value) = if which == I::SAddSat {
                (t.sadd_overflows(a, b), t.add(a, b))
            } else {
                (t.ssub_overflows(a, b), t.sub(a, b))
            };
            // On overflow, the sign of the result is that of the first operand.
            let (least, most) = (t.constant(extremes.0), t.constant(extremes.1));
            let negative = t.is_negative(a);
            let extreme = t.ite(negative, least, most);
            t.ite(over, extreme, value)
        }
        _ => unreachable!("not of two operands"),
    }
}
