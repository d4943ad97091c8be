//! Parses memory instructions: `alloca`, `load`, `store`, `getelementptr`, atomics, `fence`, `va_arg`.

use super::super::body::FnState;
use super::super::cursor::Parser;
use super::super::error::{PResult, invalid};
use super::super::lexer::Tok;
use crate::flags::GepFlags;
use crate::inst::{AllocaInfo, AtomicOrdering, CmpXchgInfo, InstData, InstKind, MemAccess, RmwOp};
use crate::int::Int;
use crate::types::Type;

impl<'s> Parser<'s> {
    pub(super) fn alloca(&mut self, f: &mut FnState) -> PResult<InstData> {
        let inalloca = self.eat_word("inalloca")?;
        let swifterror = self.eat_word("swifterror")?;
        let ty = self.memory_type()?;
        let mut info = AllocaInfo { ty, align: None, inalloca, swifterror };
        let mut space = 0;
        let mut count = None;
        let mut first = true;
        while self.eat_comma_before_operand()? {
            match self.tok {
                Tok::Word("align") => {
                    self.bump()?;
                    info.align = Some(self.alignment()?);
                }
                Tok::Word("addrspace") => {
                    self.bump()?;
                    space = self.addrspace_arg()?;
                }
                _ if first => {
                    let (value, ty, span) = self.spanned_value(f)?;
                    if !ty.is_int() {
                        return Err(self.bad_type(span, "the number of elements is an integer", ty));
                    }
                    count = Some(value);
                }
                _ => return Err(self.expected("'align' or 'addrspace'")),
            }
            first = false;
        }
        Ok(InstData::new(InstKind::Alloca(Box::new(info)), Type::ptr(space), count, []))
    }

    pub(super) fn load(&mut self, f: &mut FnState) -> PResult<InstData> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let ty = self.memory_type()?;
        self.expect(b',')?;
        let pointer = self.pointer(f)?;
        let mut access = MemAccess { volatile, ..MemAccess::default() };
        self.access(atomic, &mut access, AtomicOrdering::Release)?;
        Ok(InstData::new(InstKind::Load(Box::new(access)), ty, [pointer], []))
    }
    pub(super) fn store(&mut self, f: &mut FnState) -> PResult<InstData> {
        let atomic = self.eat_word("atomic")?;
        let volatile = self.eat_word("volatile")?;
        let (value, ty, span) = self.spanned_value(f)?;
        if !self.is_sized(ty) {
            return Err(self.bad_type(span, "a type with a size is wanted", ty));
        }
        self.expect(b',')?;
        let pointer = self.pointer(f)?;
        let mut access = MemAccess { volatile, ..MemAccess::default() };
        self.access(atomic, &mut access, AtomicOrdering::Acquire)?;
        Ok(InstData::new(InstKind::Store(Box::new(access)), Type::VOID, [value, pointer], []))
    }
    /// Parses `[syncscope(…)] [ordering] [, align n]` of a load or store, which can't have the ordering `forbidden`.
    fn access(&mut self, atomic: bool, access: &mut MemAccess, forbidden: AtomicOrdering) -> PResult<()> {
        if atomic {
            access.syncscope = self.syncscope()?;
            let span = self.span;
            let ordering = self.ordering()?;
            if ordering == forbidden || ordering == AtomicOrdering::AcqRel {
                return Err(invalid(span, "a load can't release, a store can't acquire"));
            }
            access.ordering = Some(ordering);
        }
        if self.eat_comma_before_operand()? {
            self.expect_word("align")?;
            access.align = Some(self.alignment()?);
        } else if atomic {
            return Err(self.expected("', align': an atomic access needs an alignment"));
        }
        Ok(())
    }
    fn syncscope(&mut self) -> PResult<Option<Box<str>>> {
        if !self.eat_word("syncscope")? {
            return Ok(None);
        }
        self.expect(b'(')?;
        let scope = self.string("the name of a synchronization scope")?;
        self.expect(b')')?;
        Ok(Some(scope.into()))
    }
    fn ordering(&mut self) -> PResult<AtomicOrdering> {
        let Tok::Word(word) = self.tok else { return Err(self.expected("an ordering such as 'seq_cst'")) };
        let Some(ordering) = AtomicOrdering::from_name(word) else {
            return Err(self.expected("an ordering such as 'seq_cst'"));
        };
        self.bump()?;
        Ok(ordering)
    }

    pub(super) fn gep(&mut self, f: &mut FnState) -> PResult<InstData> {
        let mut flags = GepFlags::default();
        loop {
            match self.tok {
                Tok::Word("inbounds") => flags.inbounds = true,
                Tok::Word("nusw") => flags.nusw = true,
                Tok::Word("nuw") => flags.nuw = true,
                _ => break,
            }
            self.bump()?;
        }
        let start = self.span;
        let source = self.memory_type()?;
        self.expect(b',')?;
        let (base, base_ty, _) = self.spanned_value(f)?;
        let mut operands = vec![base];
        let mut types = vec![base_ty];
        while self.eat_comma_before_operand()? {
            let (index, ty, _) = self.spanned_value(f)?;
            operands.push(index);
            types.push(ty);
        }
        let body = &f.body;
        let field = |i: usize| {
            let c = operands[i].as_const()?;
            let element = body.consts().lane(c);
            body.consts().as_int(element).and_then(Int::to_u64)
        };
        let ty = self.gep_type(source, &types, field, self.since(start))?;
        Ok(InstData::new(InstKind::Gep { source, flags }, ty, operands, []))
    }

    pub(super) fn fence(&mut self) -> PResult<InstData> {
        let scope = self.syncscope()?;
        let span = self.span;
        let ordering = self.ordering()?;
        if matches!(ordering, AtomicOrdering::Unordered | AtomicOrdering::Monotonic) {
            return Err(invalid(span, "a fence is at least acquire or release"));
        }
        Ok(InstData::new(InstKind::Fence(ordering, scope), Type::VOID, [], []))
    }
    pub(super) fn atomic_rmw(&mut self, f: &mut FnState) -> PResult<InstData> {
        let volatile = self.eat_word("volatile")?;
        let Tok::Word(word) = self.tok else { return Err(self.expected("an operation such as 'add'")) };
        let Some(op) = RmwOp::from_name(word) else {
            return Err(self.expected("an operation such as 'add'"));
        };
        self.bump()?;
        let pointer = self.pointer(f)?;
        self.expect(b',')?;
        let (value, ty, span) = self.spanned_value(f)?;
        op.check_type(ty, self.env.types.scalar(ty)).map_err(|takes| self.bad_type(span, takes, ty))?;
        let syncscope = self.syncscope()?;
        let order_span = self.span;
        let ordering = self.ordering()?;
        if ordering == AtomicOrdering::Unordered {
            return Err(invalid(order_span, "an atomicrmw is at least monotonic"));
        }
        let mut access = MemAccess { align: None, volatile, ordering: Some(ordering), syncscope };
        if self.eat_comma_before_operand()? {
            self.expect_word("align")?;
            access.align = Some(self.alignment()?);
        }
        Ok(InstData::new(InstKind::AtomicRmw(op, Box::new(access)), ty, [pointer, value], []))
    }
    pub(super) fn cmpxchg(&mut self, f: &mut FnState) -> PResult<InstData> {
        let weak = self.eat_word("weak")?;
        let volatile = self.eat_word("volatile")?;
        let pointer = self.pointer(f)?;
        self.expect(b',')?;
        let (expected, ty, span) = self.spanned_value(f)?;
        if !ty.is_int() && !ty.is_ptr() {
            return Err(self.bad_type(span, "a cmpxchg is of integers or pointers", ty));
        }
        self.expect(b',')?;
        let new_span = self.span;
        let new_ty = self.body_type()?;
        if new_ty != ty {
            return Err(self.wrong_type(self.since(new_span), ty, new_ty));
        }
        let new = self.value(f, ty)?;
        let syncscope = self.syncscope()?;
        let order_span = self.span;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        let weak_order = AtomicOrdering::Unordered;
        if success == weak_order
            || failure == weak_order
            || matches!(failure, AtomicOrdering::Release | AtomicOrdering::AcqRel)
        {
            return Err(invalid(self.since(order_span), "these orderings are not for a cmpxchg"));
        }
        let mut access = MemAccess { align: None, volatile, ordering: Some(success), syncscope };
        if self.eat_comma_before_operand()? {
            self.expect_word("align")?;
            access.align = Some(self.alignment()?);
        }
        let result = self.env.types.structure(&[ty, Type::I1], false);
        let info = CmpXchgInfo { weak, access, failure };
        Ok(InstData::new(InstKind::CmpXchg(Box::new(info)), result, [pointer, expected, new], []))
    }
    pub(super) fn va_arg(&mut self, f: &mut FnState) -> PResult<InstData> {
        let list = self.pointer(f)?;
        self.expect(b',')?;
        let ty = self.body_type()?;
        Ok(InstData::new(InstKind::VaArg, ty, [list], []))
    }
}
