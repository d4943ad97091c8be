//! Checks that casts are valid (LangRef, "Conversion Operations").

use super::FindingKind;
use super::insts::One;
use crate::flags::CastFlags;
use crate::inst::CastOp;
use crate::types::{FloatKind, Type};

impl One<'_, '_, '_> {
    pub(super) fn cast(&mut self, op: CastOp, flags: CastFlags) {
        let nneg = matches!(op, CastOp::ZExt | CastOp::UiToFp);
        let fast = matches!(op, CastOp::FpTrunc | CastOp::FpExt);
        let set = [
            (flags.nneg && !nneg, "nneg"),
            (flags.nuw && op != CastOp::Trunc, "nuw"),
            (flags.nsw && op != CastOp::Trunc, "nsw"),
            (!flags.fast.is_empty() && !fast, "fast-math flags"),
        ];
        for (wrong, flag) in set {
            if wrong {
                self.report(FindingKind::Flag { flag });
            }
        }
        if !self.counts(1, 0) {
            return;
        }
        let (from, to) = (self.ty(0), self.data.ty);
        if let Err(why) = self.check_cast(op, from, to) {
            let (from, to) = (self.types().name(from), self.types().name(to));
            self.report(FindingKind::Cast { op: op.name(), from, to, why });
        }
    }

    fn check_cast(&self, op: CastOp, from: Type, to: Type) -> Result<(), &'static str> {
        let types = self.types();
        if op != CastOp::BitCast && types.shape(from) != types.shape(to) {
            return Err("both must be scalars or vectors of the same length");
        }
        match op {
            CastOp::Trunc => self.ints(from, to, |a, b| a > b, "the result must be a narrower integer"),
            CastOp::ZExt | CastOp::SExt => {
                self.ints(from, to, |a, b| a < b, "the result must be a wider integer")
            }
            CastOp::FpTrunc => self.floats(from, to, |a, b| a > b, "the result must be a narrower format"),
            CastOp::FpExt => self.floats(from, to, |a, b| a < b, "the result must be a wider format"),
            CastOp::FpToUi | CastOp::FpToSi => ensure(
                types.is_float_like(from) && types.is_int_like(to),
                "it goes from floating point to an integer",
            ),
            CastOp::UiToFp | CastOp::SiToFp => ensure(
                types.is_int_like(from) && types.is_float_like(to),
                "it goes from an integer to floating point",
            ),
            CastOp::PtrToInt => ensure(
                types.is_ptr_like(from) && types.is_int_like(to),
                "it goes from a pointer to an integer",
            ),
            CastOp::PtrToAddr => self.ptr_to_addr(from, to),
            CastOp::IntToPtr => ensure(
                types.is_int_like(from) && types.is_ptr_like(to),
                "it goes from an integer to a pointer",
            ),
            CastOp::BitCast => self.bitcast(from, to),
            CastOp::AddrSpaceCast => ensure(
                types.is_ptr_like(from)
                    && types.is_ptr_like(to)
                    && types.scalar(from).ptr_space() != types.scalar(to).ptr_space(),
                "it goes between pointers of different address spaces",
            ),
        }
    }

    fn ints(
        &self,
        from: Type,
        to: Type,
        rule: fn(u32, u32) -> bool,
        why: &'static str,
    ) -> Result<(), &'static str> {
        let bits = self.types().int_bits(from).zip(self.types().int_bits(to));
        ensure(bits.is_some_and(|(from, to)| rule(from, to)), why)
    }

    fn floats(
        &self,
        from: Type,
        to: Type,
        rule: fn(u32, u32) -> bool,
        why: &'static str,
    ) -> Result<(), &'static str> {
        let kinds = self.types().float_kind(from).zip(self.types().float_kind(to));
        let fits = |(from, to): (FloatKind, FloatKind)| rule(from.bits(), to.bits());
        ensure(kinds.is_some_and(fits), why)
    }

    fn ptr_to_addr(&self, from: Type, to: Type) -> Result<(), &'static str> {
        let width = self.types().scalar(from).ptr_space().map(|s| self.check.env.layout.index_bits(s));
        ensure(
            width.is_some() && width == self.types().int_bits(to),
            "it goes from a pointer to the integer as wide as its address",
        )
    }

    fn bitcast(&self, from: Type, to: Type) -> Result<(), &'static str> {
        let types = self.types();
        match (types.scalar(from).ptr_space(), types.scalar(to).ptr_space()) {
            (Some(a), Some(b)) => {
                let one = (1, false);
                ensure(a == b, "a pointer keeps its address space")?;
                let lanes = types.shape(from).unwrap_or(one) == types.shape(to).unwrap_or(one);
                ensure(lanes, "there must be as many pointers in the result")
            }
            (None, None) => {
                let bits = types.primitive_bits(from);
                ensure(
                    bits.is_some() && bits == types.primitive_bits(to),
                    "both must have the same number of bits",
                )
            }
            (Some(_), None) | (None, Some(_)) => Err("pointers are cast to pointers alone"),
        }
    }
}

fn ensure(holds: bool, why: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(why) }
}
