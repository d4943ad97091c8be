//! Parses arithmetic, comparisons, casts, `select`, `phi`, `freeze`.

use super::super::body::FnState;
use super::super::cursor::Parser;
use super::super::error::PResult;
use super::super::lexer::Tok;
use crate::flags::CastFlags;
use crate::inst::{BinaryOp, CastOp, InstData, InstKind};
use crate::opcode::{FastMath, FloatBinaryOp, FloatPredicate, IntPredicate};
use crate::types::Type;
use smallvec::SmallVec;

impl<'s> Parser<'s> {
    pub(super) fn binary(&mut self, f: &mut FnState, op: BinaryOp) -> PResult<InstData> {
        let flags = self.binary_flags(op)?;
        let (left, ty, span) = self.spanned_value(f)?;
        if !self.env.types.scalar(ty).is_int() {
            return Err(self.bad_type(span, "integers or vectors of them are wanted", ty));
        }
        self.expect(b',')?;
        let right = self.value(f, ty)?;
        Ok(InstData::new(InstKind::Binary(op, flags), ty, [left, right], []))
    }
    pub(super) fn float_binary(&mut self, f: &mut FnState, op: FloatBinaryOp) -> PResult<InstData> {
        let flags = self.fast_math()?;
        let (left, ty, span) = self.spanned_value(f)?;
        if !self.env.types.scalar(ty).is_float() {
            return Err(self.bad_type(span, "floating-point numbers or vectors of them are wanted", ty));
        }
        self.expect(b',')?;
        let right = self.value(f, ty)?;
        Ok(InstData::new(InstKind::FloatBinary(op, flags), ty, [left, right], []))
    }
    pub(super) fn fneg(&mut self, f: &mut FnState) -> PResult<InstData> {
        let flags = self.fast_math()?;
        let (value, ty, span) = self.spanned_value(f)?;
        if !self.env.types.scalar(ty).is_float() {
            return Err(self.bad_type(span, "floating-point numbers or vectors of them are wanted", ty));
        }
        Ok(InstData::new(InstKind::FNeg(flags), ty, [value], []))
    }
    pub(super) fn cast(&mut self, f: &mut FnState, op: CastOp) -> PResult<InstData> {
        let mut flags = CastFlags::default();
        loop {
            match (self.tok, op) {
                (Tok::Word("nneg"), CastOp::ZExt | CastOp::UiToFp) => flags.nneg = true,
                (Tok::Word("nuw"), CastOp::Trunc) => flags.nuw = true,
                (Tok::Word("nsw"), CastOp::Trunc) => flags.nsw = true,
                _ => break,
            }
            self.bump()?;
        }
        if matches!(op, CastOp::FpTrunc | CastOp::FpExt) {
            flags.fast = self.fast_math()?;
        }
        let (value, from, span) = self.spanned_value(f)?;
        self.expect_word("to")?;
        let to = self.body_type()?;
        self.check_cast(op, from, to, span)?;
        Ok(InstData::new(InstKind::Cast(op, flags), to, [value], []))
    }
    pub(super) fn icmp(&mut self, f: &mut FnState) -> PResult<InstData> {
        let samesign = self.eat_word("samesign")?;
        let Tok::Word(word) = self.tok else { return Err(self.expected("a predicate such as 'eq'")) };
        let Some(pred) = IntPredicate::from_name(word) else {
            return Err(self.expected("a predicate such as 'eq'"));
        };
        self.bump()?;
        let (left, ty, span) = self.spanned_value(f)?;
        let scalar = self.env.types.scalar(ty);
        if !scalar.is_int() && !scalar.is_ptr() {
            return Err(self.bad_type(span, "integers, pointers or vectors of them are wanted", ty));
        }
        self.expect(b',')?;
        let right = self.value(f, ty)?;
        let result = self.bool_like(ty);
        Ok(InstData::new(InstKind::ICmp { pred, samesign }, result, [left, right], []))
    }
    pub(super) fn fcmp(&mut self, f: &mut FnState) -> PResult<InstData> {
        let flags = self.fast_math()?;
        let Tok::Word(word) = self.tok else { return Err(self.expected("a predicate such as 'oeq'")) };
        let Some(pred) = FloatPredicate::from_name(word) else {
            return Err(self.expected("a predicate such as 'oeq'"));
        };
        self.bump()?;
        let (left, ty, span) = self.spanned_value(f)?;
        if !self.env.types.scalar(ty).is_float() {
            return Err(self.bad_type(span, "floating-point numbers or vectors of them are wanted", ty));
        }
        self.expect(b',')?;
        let right = self.value(f, ty)?;
        let result = self.bool_like(ty);
        Ok(InstData::new(InstKind::FCmp(pred, flags), result, [left, right], []))
    }
    /// Checks that fast-math flags are only on operations with a floating-point result.
    fn check_fast(&self, flags: FastMath, ty: Type, span: super::super::spans::Span) -> PResult<()> {
        if flags.is_empty() || self.env.types.fast_math_type(ty).is_some() {
            return Ok(());
        }
        Err(self.bad_type(span, "fast-math flags need a floating-point result", ty))
    }
    pub(super) fn select(&mut self, f: &mut FnState) -> PResult<InstData> {
        let start = self.span;
        let flags = self.fast_math()?;
        let (cond, cond_ty, cond_span) = self.spanned_value(f)?;
        self.expect(b',')?;
        let (left, ty, _) = self.spanned_value(f)?;
        self.expect(b',')?;
        let right_span = self.span;
        let right_ty = self.body_type()?;
        if right_ty != ty {
            return Err(self.wrong_type(self.since(right_span), ty, right_ty));
        }
        let right = self.value(f, ty)?;
        if cond_ty != Type::I1 && cond_ty != self.bool_like(ty) {
            let what = "the condition of a select is an i1, or a vector of i1 as long as the values";
            return Err(self.bad_type(cond_span, what, cond_ty));
        }
        self.check_fast(flags, ty, start)?;
        Ok(InstData::new(InstKind::Select(flags), ty, [cond, left, right], []))
    }
    pub(super) fn phi(&mut self, f: &mut FnState) -> PResult<InstData> {
        let start = self.span;
        let flags = self.fast_math()?;
        let ty = self.body_type()?;
        self.check_fast(flags, ty, start)?;
        let mut values: SmallVec<[_; 4]> = SmallVec::new();
        let mut blocks: SmallVec<[_; 4]> = SmallVec::new();
        if self.at(b'[') {
            loop {
                self.expect(b'[')?;
                values.push(self.value(f, ty)?);
                self.expect(b',')?;
                blocks.push(self.bare_block_ref(f)?);
                self.expect(b']')?;
                if !self.eat_comma_before_operand()? {
                    break;
                }
            }
        }
        Ok(InstData::new(InstKind::Phi(flags), ty, values, blocks))
    }
    pub(super) fn freeze(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (value, ty, _) = self.spanned_value(f)?;
        Ok(InstData::new(InstKind::Freeze, ty, [value], []))
    }
}
