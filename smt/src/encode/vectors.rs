//! Intrinsics that combine, move or number the lanes of vectors, and masked memory accesses.
//!
//! Reductions run from the first lane to the last. Ordered reductions are defined this way, and for integers the order
//! is irrelevant. For floating-point numbers, `reassoc` allows other orders: the result is any function of all lanes.
//!
//! A mask decides per lane whether memory is accessed. LangRef defines masked accesses like a branch around each lane,
//! so a poison or undef mask lane is UB, as in the interpreter.

use crate::encode::float::Step;
use crate::encode::function::{Encoded, Encoder};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::OFFSET_BITS;
use crate::encode::{block_of, offset_of};
use crate::term::{Bits, Term};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CallView, FastMath, FloatBinaryOp, Value};
use backedge_ir::intrinsic::Intrinsic as I;
use backedge_ir::types::{Type, TypeKind};

/// The operands of a masked access and its alignment.
struct Masked {
    pointer: Value,
    mask: Vec<Scalar>,
    /// The stored values, or the values of lanes that are not loaded.
    value: Vec<Sym>,
    element: Type,
    bytes: u64,
    align: u64,
}

impl Encoder<'_, '_> {
    /// A call of a vector intrinsic; `None` if it has no result.
    pub(super) fn vector_intrinsic(
        &mut self,
        inst: Inst,
        which: I,
        view: CallView<'_>,
    ) -> Encoded<Option<Sym>> {
        let ty = self.body.inst(inst).ty;
        match which {
            I::MaskedLoad | I::MaskedGather => return self.masked_load(which, view).map(Some),
            I::MaskedStore | I::MaskedScatter => return self.masked_store(which, view).map(|()| None),
            _ => {}
        }
        let args: Encoded<Vec<Sym>> = view.args().iter().map(|a| self.value(*a)).collect();
        let args = args?;
        let value = match which {
            I::VectorReverse => Sym::List(self.members(&args[0])?.into_iter().rev().collect()),
            I::VectorInsert => self.insert_lanes(&args[0], &args[1], view.args()[2])?,
            I::VectorExtract => self.extract_lanes(ty, &args[0], view.args()[1])?,
            I::VectorSplice | I::VectorSpliceLeft | I::VectorSpliceRight => {
                self.splice(which, (&args[0], &args[1]), view.args()[2])?
            }
            I::StepVector => self.step_vector(ty)?,
            I::ActiveLaneMask => self.active_lanes(ty, &args[0], &args[1])?,
            I::CttzElts => self.first_lane(ty, &args[0], &args[1])?,
            I::VectorReduceFAdd
            | I::VectorReduceFMul
            | I::VectorReduceFMin
            | I::VectorReduceFMax
            | I::VectorReduceFMinimum
            | I::VectorReduceFMaximum => self.reduce_floats(inst, which, view, &args)?,
            _ => self.reduce(which, &args[0])?,
        };
        Ok(Some(value))
    }

    fn members(&self, value: &Sym) -> Encoded<Vec<Sym>> {
        match value {
            Sym::List(list) if !list.is_empty() => Ok(list.clone()),
            Sym::List(_) | Sym::Scalar(_) => Err(self.unsupported("a vector without elements")),
        }
    }
    fn lane_scalars(&self, value: &Sym) -> Encoded<Vec<Scalar>> {
        self.members(value).map(|list| list.iter().flat_map(Sym::scalars).collect())
    }
    fn constant_index(&self, index: Value) -> Encoded<i64> {
        let known = self.body.as_int(index).and_then(|i| i.to_i64());
        known.ok_or_else(|| self.unsupported("lanes at an index that is not constant"))
    }
    fn lane_count(&self, ty: Type) -> Encoded<usize> {
        let lanes = self.module.env.types.fixed_vector(ty).and_then(|(len, _)| usize::try_from(len).ok());
        lanes.ok_or_else(|| self.unsupported("a vector whose length is not fixed"))
    }

    fn insert_lanes(&mut self, whole: &Sym, part: &Sym, at: Value) -> Encoded<Sym> {
        let (mut whole, part) = (self.members(whole)?, self.members(part)?);
        let at = self.constant_index(at)?;
        let end = usize::try_from(at).ok().and_then(|at| Some((at, at.checked_add(part.len())?)));
        match end.filter(|(_, end)| *end <= whole.len()) {
            Some((at, end)) => whole[at..end].clone_from_slice(&part),
            None => {
                let yes = self.w.terms.bool(true);
                let poisoned = whole.iter().map(|v| v.map(&mut |s| s.or_poison(&mut self.w.terms, yes)));
                whole = poisoned.collect();
            }
        }
        Ok(Sym::List(whole))
    }
    fn extract_lanes(&mut self, ty: Type, whole: &Sym, at: Value) -> Encoded<Sym> {
        let (whole, len) = (self.members(whole)?, self.lane_count(ty)?);
        let at = usize::try_from(self.constant_index(at)?).ok();
        match at.and_then(|at| whole.get(at..at.checked_add(len)?)) {
            Some(lanes) => Ok(Sym::List(lanes.to_vec())),
            None => self.poison_of(ty),
        }
    }
    /// The lanes of both vectors, concatenated, from an index on. The index counts from the end of the first vector if
    /// it is negative or if the intrinsic is `right`.
    fn splice(&mut self, which: I, (a, b): (&Sym, &Sym), at: Value) -> Encoded<Sym> {
        let (mut both, more) = (self.members(a)?, self.members(b)?);
        let len = both.len();
        both.extend(more);
        let at = i128::from(self.constant_index(at)?);
        let from = match which {
            I::VectorSpliceRight => len as i128 - at,
            I::VectorSplice if at < 0 => len as i128 + at,
            _ => at,
        };
        let from = usize::try_from(from).ok().filter(|from| *from <= len);
        match from.and_then(|from| both.get(from..from + len)) {
            Some(lanes) => Ok(Sym::List(lanes.to_vec())),
            None => {
                let yes = self.w.terms.bool(true);
                Ok(a.map(&mut |s| s.or_poison(&mut self.w.terms, yes)))
            }
        }
    }
    fn step_vector(&mut self, ty: Type) -> Encoded<Sym> {
        let width = self.width(self.module.env.types.scalar(ty))?;
        let lanes = (0..self.lane_count(ty)?).map(|lane| {
            let bits = Bits::new(width.max(64), lane as u128).extract(width - 1, 0);
            let bits = self.w.terms.constant(bits);
            Scalar::defined(&mut self.w.terms, bits).into()
        });
        Ok(Sym::List(lanes.collect()))
    }
    /// Mask of the lanes whose number, counted from `first` without wrapping, is below `end`.
    fn active_lanes(&mut self, ty: Type, first: &Sym, end: &Sym) -> Encoded<Sym> {
        let (Sym::Scalar(first), Sym::Scalar(end)) = (first, end) else {
            return Err(self.unsupported("a mask of active lanes between vectors"));
        };
        let (first, end) = (self.used(*first), self.used(*end));
        let width = self.w.terms.width(first.bits) + 64;
        let poison = self.w.terms.or(first.poison, end.poison);
        let (from, to) = (self.w.terms.zext(first.bits, width), self.w.terms.zext(end.bits, width));
        let undef = self.w.terms.number(1, 0);
        let mut lanes = Vec::new();
        for lane in 0..self.lane_count(ty)? {
            let lane = self.w.terms.number(width, lane as u128);
            let at = self.w.terms.add(from, lane);
            let below = self.w.terms.ult(at, to);
            let bits = self.w.terms.bool_to_bit(below);
            lanes.push(Scalar { bits, poison, undef }.into());
        }
        Ok(Sym::List(lanes))
    }
    /// `llvm.experimental.cttz.elts`: the first nonzero lane. A poison lane at any position makes the result poison.
    fn first_lane(&mut self, ty: Type, vector: &Sym, flag: &Sym) -> Encoded<Sym> {
        let lanes = self.lane_scalars(vector)?;
        let width = self.width(ty)?;
        let Sym::Scalar(flag) = flag else { return Err(self.unsupported("a flag that is a vector")) };
        if width < 64 && lanes.len() as u64 >= 1 << width {
            return Err(
                self.unsupported("`llvm.experimental.cttz.elts` of more lanes than its type can count")
            );
        }
        let mut poison = self.w.terms.bool(false);
        let number = |e: &mut Self, n: usize| {
            let bits = Bits::new(width.max(64), n as u128).extract(width - 1, 0);
            e.w.terms.constant(bits)
        };
        let mut first = number(self, lanes.len());
        let mut any = self.w.terms.bool(false);
        for (at, lane) in lanes.iter().enumerate().rev() {
            let lane = self.used(*lane);
            poison = self.w.terms.or(poison, lane.poison);
            let set = self.w.terms.is_nonzero(lane.bits);
            let here = number(self, at);
            first = self.w.terms.ite(set, here, first);
            any = self.w.terms.or(any, set);
        }
        let none = self.w.terms.not(any);
        let forbidden = self.w.terms.is_nonzero(flag.bits);
        let bad = self.w.terms.and(none, forbidden);
        let poison = self.w.terms.or_all([poison, bad, flag.poison]);
        Ok(Scalar { bits: first, poison, undef: self.w.terms.number(width, 0) }.into())
    }

    /// An integer reduction.
    fn reduce(&mut self, which: I, vector: &Sym) -> Encoded<Sym> {
        let lanes = self.lane_scalars(vector)?;
        let (mut bits, mut poison) = (None, self.w.terms.bool(false));
        for lane in lanes {
            let lane = self.used(lane);
            poison = self.w.terms.or(poison, lane.poison);
            bits = Some(match bits {
                None => lane.bits,
                Some(sum) => self.combined(which, sum, lane.bits)?,
            });
        }
        let bits = bits.ok_or_else(|| self.unsupported("a vector without elements"))?;
        let width = self.w.terms.width(bits);
        Ok(Scalar { bits, poison, undef: self.w.terms.number(width, 0) }.into())
    }
    fn combined(&mut self, which: I, a: Term, b: Term) -> Encoded<Term> {
        let t = &mut self.w.terms;
        Ok(match which {
            I::VectorReduceAdd => t.add(a, b),
            I::VectorReduceMul => t.mul(a, b),
            I::VectorReduceAnd => t.bv_and(a, b),
            I::VectorReduceOr => t.bv_or(a, b),
            I::VectorReduceXor => t.bv_xor(a, b),
            I::VectorReduceUMin | I::VectorReduceUMax | I::VectorReduceSMin | I::VectorReduceSMax => {
                let signed = matches!(which, I::VectorReduceSMin | I::VectorReduceSMax);
                let less = if signed { t.slt(a, b) } else { t.ult(a, b) };
                let least = matches!(which, I::VectorReduceUMin | I::VectorReduceSMin);
                if least { t.ite(less, a, b) } else { t.ite(less, b, a) }
            }
            _ => return Err(self.unsupported(&format!("the intrinsic `llvm.{}`", which.name()))),
        })
    }
    /// A floating-point reduction: the scalar operation lane by lane, or any function of all lanes if the flags allow
    /// it.
    fn reduce_floats(&mut self, inst: Inst, which: I, view: CallView<'_>, args: &[Sym]) -> Encoded<Sym> {
        let fast: FastMath = self.body.inst(inst).evaluated(view.info.fast);
        let (step, vector) = match which {
            I::VectorReduceFAdd => (Step::Binary(FloatBinaryOp::FAdd), 1),
            I::VectorReduceFMul => (Step::Binary(FloatBinaryOp::FMul), 1),
            I::VectorReduceFMin => (Step::Intrinsic(I::MinNum), 0),
            I::VectorReduceFMax => (Step::Intrinsic(I::MaxNum), 0),
            I::VectorReduceFMinimum => (Step::Intrinsic(I::Minimum), 0),
            _ => (Step::Intrinsic(I::Maximum), 0),
        };
        let element = self.module.env.types.scalar(self.ty(view.args()[vector]));
        let mut lanes = self.members(&args[vector])?.into_iter();
        let first = if vector == 1 { Some(args[0].clone()) } else { lanes.next() };
        let mut value = first.ok_or_else(|| self.unsupported("a vector without elements"))?;
        let rewriting = [FastMath::REASSOC, FastMath::CONTRACT, FastMath::ARCP, FastMath::AFN];
        let in_order = rewriting.into_iter().fold(fast, FastMath::without);
        for lane in lanes {
            value = self.reduction_step(step, element, in_order, [value, lane])?;
        }
        let scalars = args.iter().flat_map(Sym::scalars).map(|s| self.used(s).bits);
        let operands: Vec<Term> = scalars.collect();
        let key = format!("{} {}", which.name(), self.spelled(element));
        Ok(value.map(&mut |s| self.open_result((&key, fast), &operands, s)))
    }

    fn masked(&mut self, which: I, view: CallView<'_>) -> Encoded<Masked> {
        let args = view.args();
        let stores = matches!(which, I::MaskedStore | I::MaskedScatter);
        // The alignment is an operand (up to LLVM 21) or an attribute of the pointer.
        let old = args.len() == 4;
        let at = usize::from(stores);
        let align = match old {
            true => self.constant_index(args[at + 1])?.unsigned_abs(),
            false => self.alignment_of(view, at),
        };
        let align = if align.is_power_of_two() { align } else { 1 };
        let mask_at = at + 1 + usize::from(old);
        let value_at = if stores { 0 } else { mask_at + 1 };
        let (mask, value) = (self.value(args[mask_at])?, self.value(args[value_at])?);
        let (mask, value) = (self.lane_scalars(&mask)?, self.members(&value)?);
        let element = self.module.env.types.scalar(self.ty(args[value_at]));
        let bytes = self.store_size(element)?;
        let is_whole = match element.kind() {
            TypeKind::Ptr(_) => true,
            _ => u64::from(self.width(element)?) == bytes * 8,
        };
        if !is_whole {
            return Err(self.unsupported("a masked access of elements that are not whole bytes"));
        }
        Ok(Masked { pointer: args[at], mask, value, element, bytes, align })
    }
    /// The condition under which a lane is accessed, its address, and whether a read sees its contents. Checks the access
    /// under that condition.
    fn masked_lane(&mut self, of: &Masked, lane: usize, write: bool) -> Encoded<(Term, Term, Term)> {
        let no_lane = || self.unsupported("a mask of another length");
        let mask = *of.mask.get(lane).ok_or_else(no_lane)?;
        let undef = mask.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(mask.poison, undef);
        self.ub(bad);
        let enabled = self.w.terms.is_nonzero(mask.bits);
        let saved = self.path;
        self.path = self.w.terms.and(saved, enabled);
        let pointer = self.value(of.pointer)?;
        let natural = 1 << of.bytes.trailing_zeros().min(63);
        let (address, align) = match &pointer {
            Sym::List(list) => match list.get(lane) {
                Some(Sym::Scalar(address)) => (*address, of.align),
                Some(Sym::List(_)) | None => return Err(self.unsupported("a pointer of another shape")),
            },
            Sym::Scalar(base) => {
                // The whole access must be aligned as stated if any lane is accessed.
                self.check_masked_base(*base, of.align);
                let by = self.w.terms.number(OFFSET_BITS, u128::from(of.bytes) * lane as u128);
                let bits = self.move_pointer(base.bits, by);
                (Scalar { bits, ..*base }, of.align.min(natural))
            }
        };
        let bytes = self.w.terms.number(OFFSET_BITS, of.bytes.into());
        let alive = self.check_access(address, bytes, align, write);
        let seen = self.check_allowed(of.pointer, address.bits, write)?;
        let alive = self.w.terms.and(alive, seen);
        let disabled = self.w.terms.not(enabled);
        let skipped = self.w.terms.and(saved, disabled);
        self.path = self.w.terms.or(self.path, skipped);
        Ok((enabled, address.bits, alive))
    }
    fn check_masked_base(&mut self, base: Scalar, align: u64) {
        let undef = base.has_undef(&mut self.w.terms);
        let bad = self.w.terms.or(base.poison, undef);
        self.ub(bad);
        let (block, offset) =
            (block_of(&mut self.w.terms, base.bits), offset_of(&mut self.w.terms, base.bits));
        let aligned = self.is_aligned(block, offset, align);
        let misaligned = self.w.terms.not(aligned);
        self.ub(misaligned);
    }
    fn masked_load(&mut self, which: I, view: CallView<'_>) -> Encoded<Sym> {
        let of = self.masked(which, view)?;
        let mut lanes = Vec::with_capacity(of.value.len());
        for (lane, rest) in of.value.iter().enumerate() {
            let (enabled, address, alive) = self.masked_lane(&of, lane, false)?;
            let loaded = self.load(of.element, address)?;
            let dead = self.w.terms.not(alive);
            let loaded = loaded.map(&mut |s| s.or_poison(&mut self.w.terms, dead));
            lanes.push(Sym::ite(&mut self.w.terms, enabled, &loaded, rest));
        }
        Ok(Sym::List(lanes))
    }
    /// If several lanes have the same address, the last one takes effect.
    fn masked_store(&mut self, which: I, view: CallView<'_>) -> Encoded<()> {
        let of = self.masked(which, view)?;
        for (lane, value) in of.value.iter().enumerate() {
            let (enabled, address, _) = self.masked_lane(&of, lane, true)?;
            for (at, byte) in self.value_bytes(of.element, value)?.into_iter().enumerate() {
                self.write_byte(address, at as u64, byte, Some(enabled));
            }
        }
        Ok(())
    }
}
