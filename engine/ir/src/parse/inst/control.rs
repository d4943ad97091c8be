//! Parses `landingpad` and the terminators except those in `call`.

use super::super::body::FnState;
use super::super::cursor::Parser;
use super::super::error::{PResult, invalid};
use super::super::lexer::Tok;
use crate::entity::Block;
use crate::inst::{InstData, InstKind, LandingClause};
use crate::types::{Compound, Type};
use rustc_hash::FxHashSet;

impl<'s> Parser<'s> {
    pub(super) fn ret(&mut self, f: &mut FnState) -> PResult<InstData> {
        let span = self.span;
        let ty = self.ty()?;
        let found_span = self.since(span);
        if ty != f.ret {
            return Err(self.wrong_type(found_span, f.ret, ty));
        }
        if ty == Type::VOID {
            return Ok(InstData::new(InstKind::Ret, Type::VOID, [], []));
        }
        let value = self.value(f, ty)?;
        Ok(InstData::new(InstKind::Ret, Type::VOID, [value], []))
    }
    pub(super) fn br(&mut self, f: &mut FnState) -> PResult<InstData> {
        if self.at_word("label") {
            let target = self.block_ref(f)?;
            return Ok(InstData::new(InstKind::Br, Type::VOID, [], [target]));
        }
        let (cond, ty, span) = self.spanned_value(f)?;
        if ty != Type::I1 {
            return Err(self.bad_type(span, "the condition of a branch is an i1", ty));
        }
        self.expect(b',')?;
        let if_true = self.block_ref(f)?;
        self.expect(b',')?;
        let if_false = self.block_ref(f)?;
        Ok(InstData::new(InstKind::CondBr, Type::VOID, [cond], [if_true, if_false]))
    }
    pub(super) fn switch(&mut self, f: &mut FnState) -> PResult<InstData> {
        let (cond, ty, span) = self.spanned_value(f)?;
        if !ty.is_int() {
            return Err(self.bad_type(span, "a switch is over an integer", ty));
        }
        self.expect(b',')?;
        let mut blocks = vec![self.block_ref(f)?];
        let mut operands = vec![cond];
        let mut seen = FxHashSet::default();
        self.expect(b'[')?;
        while !self.at(b']') {
            let start = self.span;
            let case_ty = self.body_type()?;
            if case_ty != ty {
                return Err(self.wrong_type(self.since(start), ty, case_ty));
            }
            let span = self.span;
            if !matches!(self.tok, Tok::Int(_) | Tok::Word("true" | "false" | "zeroinitializer")) {
                return Err(self.expected("an integer constant"));
            }
            let value = self.value(f, ty)?;
            if !seen.insert(value) {
                return Err(invalid(span, "a switch has each case value once"));
            }
            operands.push(value);
            self.expect(b',')?;
            blocks.push(self.block_ref(f)?);
        }
        self.bump()?;
        Ok(InstData::new(InstKind::Switch, Type::VOID, operands, blocks))
    }
    pub(super) fn indirect_br(&mut self, f: &mut FnState) -> PResult<InstData> {
        let address = self.pointer(f)?;
        self.expect(b',')?;
        let blocks = self.labels(f)?;
        Ok(InstData::new(InstKind::IndirectBr, Type::VOID, [address], blocks))
    }
    /// Parses `[label %a, …]`.
    pub(super) fn labels(&mut self, f: &mut FnState) -> PResult<Vec<Block>> {
        self.expect(b'[')?;
        let mut blocks = Vec::new();
        if self.eat(b']')? {
            return Ok(blocks);
        }
        loop {
            blocks.push(self.block_ref(f)?);
            if !self.eat(b',')? {
                self.expect(b']')?;
                return Ok(blocks);
            }
        }
    }
    pub(super) fn resume(&mut self, f: &mut FnState) -> PResult<InstData> {
        let value = self.typed_value(f)?;
        Ok(InstData::new(InstKind::Resume, Type::VOID, [value], []))
    }
    pub(super) fn landing_pad(&mut self, f: &mut FnState) -> PResult<InstData> {
        let ty = self.body_type()?;
        let cleanup = self.eat_word("cleanup")?;
        let (mut clauses, mut operands) = (Vec::new(), Vec::new());
        loop {
            let clause = match self.tok {
                Tok::Word("catch") => LandingClause::Catch,
                Tok::Word("filter") => LandingClause::Filter,
                _ => break,
            };
            self.bump()?;
            let (value, ty, span) = self.spanned_value(f)?;
            let array = matches!(self.env.types.compound(ty), Some(Compound::Array { .. }));
            if array != (clause == LandingClause::Filter) {
                return Err(self.bad_type(span, "a filter takes an array, a catch takes none", ty));
            }
            clauses.push(clause);
            operands.push(value);
        }
        let kind = InstKind::LandingPad { cleanup, clauses: clauses.into() };
        Ok(InstData::new(kind, ty, operands, []))
    }
}
