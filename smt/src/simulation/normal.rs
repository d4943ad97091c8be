//! The rules by which terms become equal.
//!
//! Guarantees: each rule is exact: for all operands, poison and undef bits included, both sides of the rule have the
//! same possible results, also if the value is used several times. So a rule that drops an operation is limited to
//! operands without undef bits: the operation would have chosen these bits once for all uses.

use super::flags;
use super::term::{Op, Operands, Step, Term, Terms, Ty};
use backedge_ir::inst::{BinaryFlags, CastFlags, GepFlags, InstKind};
use backedge_ir::int::Int;
use backedge_ir::opcode::{BinaryOp, CastOp, FastMath, IntPredicate};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl Terms {
    /// The term with this operation, after the rules.
    pub(super) fn build(&mut self, op: Op, operands: Operands, ty: Ty) -> Term {
        match op {
            Op::Inst(kind) => self.compute(kind, operands, ty),
            Op::Gep { flags, steps } => self.gep(flags, &steps, operands, ty),
            Op::Load { size } => self.read(operands[0], operands[1], size, ty),
            Op::Store { size } => self.store(operands[0], operands[1], operands[2], size),
            op => self.raw(op, operands, ty),
        }
    }

    /// The result of an instruction that only computes.
    pub(super) fn compute(&mut self, kind: InstKind, mut operands: Operands, ty: Ty) -> Term {
        if operands.iter().any(|o| matches!(self.op(*o), Op::Poison)) && spreads_poison(&kind) {
            return self.raw(Op::Poison, [], ty);
        }
        let mut kind = kind;
        match &mut kind {
            InstKind::Binary(op, _) if op.is_commutative() => {
                self.sort(&mut operands);
            }
            InstKind::ICmp { pred, .. } if self.sort(&mut operands) => *pred = pred.swapped(),
            _ => {}
        }
        let folded = match &kind {
            InstKind::Binary(op, flags) => self.fold_binary(*op, *flags, &operands, ty),
            InstKind::ICmp { pred, samesign } => {
                let ints = self.as_int(operands[0]).zip(self.as_int(operands[1]));
                let ints = ints.filter(|(a, b)| !*samesign || a.bit(a.width() - 1) == b.bit(b.width() - 1));
                ints.map(|(a, b)| self.int(Int::bool(pred.holds(a, b))))
            }
            InstKind::Cast(op, flags) => self.fold_cast(*op, *flags, operands[0], ty),
            InstKind::Select(FastMath::NONE) => {
                self.as_int(operands[0]).map(|c| operands[if c.bits() == 1 { 1 } else { 2 }])
            }
            InstKind::Freeze => {
                let nature = self.nature(operands[0]);
                (!nature.undef && !nature.poison).then(|| operands[0])
            }
            _ => None,
        };
        folded.unwrap_or_else(|| self.raw(Op::Inst(kind), operands, ty))
    }

    /// Puts two operands in order: constants last. Returns whether they were swapped.
    fn sort(&self, operands: &mut Operands) -> bool {
        let key = |term: Term| (self.is_constant(term), term);
        let swap = operands.len() == 2 && key(operands[1]) < key(operands[0]);
        if swap {
            operands.swap(0, 1);
        }
        swap
    }

    fn fold_binary(&mut self, op: BinaryOp, flags: BinaryFlags, operands: &[Term], ty: Ty) -> Option<Term> {
        let right = self.as_int(operands[1])?;
        if let Some(left) = self.as_int(operands[0]) {
            return match value_of(op, flags, left, right)? {
                Some(value) => Some(self.int(value)),
                None => Some(self.raw(Op::Poison, [], ty)),
            };
        }
        if self.nature(operands[0]).undef {
            return None;
        }
        let (left, width) = (operands[0], right.width());
        let is_neutral = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor => right.bits() == 0,
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => right.bits() == 0,
            BinaryOp::Mul | BinaryOp::UDiv => right.bits() == 1,
            BinaryOp::And => right == Int::all_ones(width),
            BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => false,
        };
        if is_neutral {
            return Some(left);
        }
        if flags != BinaryFlags::default() {
            return (op == BinaryOp::Add).then(|| self.add_twice(flags, left, right, ty)).flatten();
        }
        match op {
            BinaryOp::Sub => Some(self.plus(left, right.neg())),
            BinaryOp::Add => {
                let (base, more) = self.split(left);
                (base != left).then(|| self.plus(base, more.add(right)))
            }
            _ => None,
        }
    }

    /// `(x + c) + d` with equal flags as one addition. It overflows exactly if one of the two does, because the constants
    /// have the same direction.
    fn add_twice(&mut self, flags: BinaryFlags, left: Term, d: Int, ty: Ty) -> Option<Term> {
        let node = self.get(left);
        let Op::Inst(InstKind::Binary(BinaryOp::Add, inner)) = &node.op else { return None };
        let c = self.as_int(node.operands[1]).filter(|_| *inner == flags && node.execution == 0)?;
        let same_way = c.signed() < 0 && d.signed() < 0 || c.signed() > 0 && d.signed() > 0;
        let fits = !(flags.nuw && c.add_overflows_unsigned(d) || flags.nsw && c.add_overflows_signed(d));
        if !fits || flags.nsw && !same_way {
            return None;
        }
        let base = node.operands[0];
        let sum = self.int(c.add(d));
        Some(self.compute(InstKind::Binary(BinaryOp::Add, flags), Operands::from_slice(&[base, sum]), ty))
    }
    fn fold_cast(&mut self, op: CastOp, flags: CastFlags, operand: Term, ty: Ty) -> Option<Term> {
        let to = self.bits(ty).filter(|bits| *bits <= Int::MAX_WIDTH)?;
        if let Some(value) = self.as_int(operand) {
            let value = match op {
                CastOp::ZExt if flags == CastFlags::default() => value.zext(to),
                CastOp::SExt => value.sext(to),
                CastOp::Trunc if flags == CastFlags::default() => value.trunc(to),
                _ => return None,
            };
            return Some(self.int(value));
        }
        // A truncation of an extension to the original width.
        let node = self.get(operand);
        match (&node.op, op) {
            (Op::Inst(InstKind::Cast(CastOp::ZExt | CastOp::SExt, inner)), CastOp::Trunc)
                if *inner == CastFlags::default() && flags == CastFlags::default() =>
            {
                let original = node.operands[0];
                (self.get(original).ty == ty && !self.nature(original).undef).then_some(original)
            }
            _ => None,
        }
    }

    /// `base` and `c` such that the integer is `base + c` without flags; the term itself and 0 in general.
    pub(super) fn split(&self, term: Term) -> (Term, Int) {
        let node = self.get(term);
        if let Op::Inst(InstKind::Binary(BinaryOp::Add, flags)) = &node.op
            && *flags == BinaryFlags::default()
            && node.execution == 0
            && let Some(c) = self.as_int(node.operands[1])
        {
            return (node.operands[0], c);
        }
        let bits = self.bits(node.ty).unwrap_or(1).min(Int::MAX_WIDTH);
        (term, Int::zero(bits))
    }
    /// `base` and `c` such that the integer, if it is not poison, is `base + c`.
    pub(super) fn parts(&self, term: Term) -> (Term, Int) {
        let node = self.get(term);
        if let Op::Inst(InstKind::Binary(BinaryOp::Add, _)) = &node.op
            && node.execution == 0
            && let Some(c) = self.as_int(node.operands[1])
        {
            return (node.operands[0], c);
        }
        self.split(term)
    }
    /// `base + c`.
    pub(super) fn plus(&mut self, base: Term, c: Int) -> Term {
        if c.bits() == 0 {
            return base;
        }
        let (c, ty) = (self.int(c), self.get(base).ty);
        let kind = InstKind::Binary(BinaryOp::Add, BinaryFlags::default());
        self.compute(kind, Operands::from_slice(&[base, c]), ty)
    }

    /// An address computation. Constant steps in the same direction are one step: the addresses between them lie
    /// between its ends.
    fn gep(&mut self, flags: GepFlags, steps: &[Step], operands: Operands, ty: Ty) -> Term {
        let mut new: Vec<Step> = Vec::with_capacity(steps.len());
        let mut kept = Operands::from_slice(&operands[..1]);
        let mut indices = operands[1..].iter();
        for step in steps {
            let step = match step {
                Step::Bytes(bytes) => Step::Bytes(*bytes),
                Step::Times(scale) => {
                    let index = *indices.next().expect("an operand for each step");
                    let bytes = self.as_int(index).filter(|i| i.width() <= 64).map(Int::signed);
                    let bytes = bytes.and_then(|i| i.checked_mul(i128::from(*scale)));
                    match bytes
                        .and_then(|bytes| i64::try_from(bytes).ok())
                        .filter(|b| b.unsigned_abs() < 1 << 40)
                    {
                        Some(bytes) => Step::Bytes(bytes),
                        None => {
                            kept.push(index);
                            Step::Times(*scale)
                        }
                    }
                }
            };
            match (step, new.last_mut()) {
                (Step::Bytes(0), _) => {}
                (Step::Bytes(more), Some(Step::Bytes(bytes))) if (more > 0) == (*bytes > 0) => *bytes += more,
                (step, _) => new.push(step),
            }
        }
        if new.is_empty() && !self.nature(kept[0]).undef && self.get(kept[0]).ty == ty {
            return kept[0];
        }
        self.raw(Op::Gep { flags, steps: new.into() }, kept, ty)
    }

    /// The comparison that a decision on `term` depends on, and whether the decision is the opposite. The condition is
    /// neither undef nor poison where a branch uses it, so `samesign` says nothing more.
    pub(super) fn decision(&mut self, term: Term) -> (Term, bool) {
        let mut term = term;
        let mut opposite = false;
        loop {
            let node = self.get(term).clone();
            match node.op {
                Op::Inst(InstKind::Binary(BinaryOp::Xor, _))
                    if self.as_int(node.operands[1]).is_some_and(|c| c == Int::bool(true)) =>
                {
                    term = node.operands[0];
                    opposite = !opposite;
                }
                Op::Inst(InstKind::ICmp { pred, .. }) => {
                    let (pred, right, inverse) = self.least(pred, node.operands[1]);
                    let kind = InstKind::ICmp { pred, samesign: false };
                    let operands = Operands::from_slice(&[node.operands[0], right]);
                    let found = self.compute(kind, operands, node.ty);
                    let is_open = node.execution != 0 && self.as_int(found).is_none();
                    let found = if is_open { self.nth(found, node.execution) } else { found };
                    return (found, opposite != inverse);
                }
                _ => return (term, opposite),
            }
        }
    }
    /// A comparison as one of few predicates, with its right operand, and whether it is the opposite.
    fn least(&mut self, pred: IntPredicate, right: Term) -> (IntPredicate, Term, bool) {
        use IntPredicate as P;
        let (pred, inverse) = match pred {
            P::Ne | P::Uge | P::Ule | P::Sge | P::Sle => (pred.inverse(), true),
            P::Eq | P::Ult | P::Ugt | P::Slt | P::Sgt => (pred, false),
        };
        let Some(c) = self.as_int(right) else { return (pred, right, inverse) };
        let one = Int::one(c.width());
        match pred {
            P::Ugt if c != Int::unsigned_max(c.width()) => (P::Ult, self.int(c.add(one)), !inverse),
            P::Sgt if c != Int::signed_max(c.width()) => (P::Slt, self.int(c.add(one)), !inverse),
            _ => (pred, right, inverse),
        }
    }

    /// The operation without flags or statements, and its operands; `None` for operations that have none.
    pub(super) fn without_flags(&self, term: Term) -> Option<(Op, Operands)> {
        let node = self.get(term);
        let op = match &node.op {
            Op::Inst(kind) => Op::Inst(flags::bare(kind)),
            Op::Gep { steps, .. } => Op::Gep { flags: GepFlags::default(), steps: steps.clone() },
            Op::Stated(_) => Op::Stated(Rc::from([])),
            _ => return None,
        };
        Some((op, node.operands.clone()))
    }
    /// The source's result of an instruction, or a term of the target that the result may be replaced with: the
    /// replacement has fewer flags, so it is less often poison and permits fewer results.
    pub(super) fn lowered(&mut self, term: Term, of_target: &FxHashMap<(Op, Operands), Vec<Term>>) -> Term {
        let node = self.get(term).clone();
        let Some(key) = self.without_flags(term) else { return term };
        let Some(candidates) = of_target.get(&key) else { return term };
        if candidates.contains(&term) {
            return term;
        }
        let fits = |other: &&Term| match (&self.get(**other).op, &node.op) {
            (Op::Inst(weaker), Op::Inst(kind)) => flags::has_fewer(weaker, kind),
            (Op::Gep { flags: weaker, .. }, Op::Gep { flags, .. }) => flags::gep_has_fewer(*weaker, *flags),
            (Op::Stated(weaker), Op::Stated(list)) => weaker.iter().all(|said| list.contains(said)),
            (_, Op::Stated(_)) => true,
            _ => false,
        };
        candidates.iter().find(fits).copied().unwrap_or(term)
    }
}

/// Whether a poison operand makes the result poison.
fn spreads_poison(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary(..)
            | InstKind::FloatBinary(..)
            | InstKind::FNeg(_)
            | InstKind::Cast(..)
            | InstKind::ICmp { .. }
            | InstKind::FCmp(..)
    )
}

/// The result of integer arithmetic: `None` if undefined, `Some(None)` if poison.
fn value_of(op: BinaryOp, flags: BinaryFlags, a: Int, b: Int) -> Option<Option<Int>> {
    let lost = match op {
        BinaryOp::Add => flags.nuw && a.add_overflows_unsigned(b) || flags.nsw && a.add_overflows_signed(b),
        BinaryOp::Sub => flags.nuw && a.sub_overflows_unsigned(b) || flags.nsw && a.sub_overflows_signed(b),
        BinaryOp::Mul => flags.nuw && a.mul_overflows_unsigned(b) || flags.nsw && a.mul_overflows_signed(b),
        BinaryOp::Shl => flags.nuw && a.shl_loses_unsigned(b) || flags.nsw && a.shl_loses_signed(b),
        BinaryOp::LShr => flags.exact && !a.lshr_is_exact(b),
        BinaryOp::AShr => flags.exact && !a.ashr_is_exact(b),
        BinaryOp::UDiv => flags.exact && b.bits() != 0 && !a.udiv_is_exact(b),
        BinaryOp::SDiv => flags.exact && a.check_signed_division(b).is_ok() && !a.sdiv_is_exact(b),
        BinaryOp::Or => flags.disjoint && !a.is_disjoint(b),
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => false,
    };
    let value = match op {
        BinaryOp::Add => Some(a.add(b)),
        BinaryOp::Sub => Some(a.sub(b)),
        BinaryOp::Mul => Some(a.mul(b)),
        BinaryOp::UDiv => Some(a.udiv(b)?),
        BinaryOp::SDiv => Some(a.sdiv(b)?),
        BinaryOp::URem => Some(a.urem(b)?),
        BinaryOp::SRem => Some(a.srem(b)?),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::LShr => a.lshr(b),
        BinaryOp::AShr => a.ashr(b),
        BinaryOp::And => Some(a.and(b)),
        BinaryOp::Or => Some(a.or(b)),
        BinaryOp::Xor => Some(a.xor(b)),
    };
    Some(value.filter(|_| !lost))
}
