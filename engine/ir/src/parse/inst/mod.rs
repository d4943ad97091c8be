//! Parses instructions: the result's name, the opcode, and attachments. Families of opcodes have separate files.

mod aggregate;
mod arith;
mod call;
mod control;
mod memory;

use super::body::{FnState, LocalKey};
use super::cursor::Parser;
use super::error::{PResult, ParseError, ParseErrorKind, unmodelled};
use super::lexer::Tok;
use super::spans::Span;
use crate::entity::Block;
use crate::flags::BinaryFlags;
use crate::inst::{BinaryOp, CastOp, InstData, InstKind, TailKind, Value};
use crate::opcode::{FastMath, FloatBinaryOp};
use crate::types::Type;

/// The result of parsing an opcode.
pub(crate) enum Read {
    /// An instruction.
    Inst(InstData),
    /// A call of a debug intrinsic that was converted to a record or dropped.
    Done,
}

impl<'s> Parser<'s> {
    /// Parses one instruction and appends it to `block`; returns whether it is a terminator.
    pub(crate) fn instruction(&mut self, f: &mut FnState, block: Block) -> PResult<bool> {
        let start = self.span;
        let result = self.local_key();
        if result.is_some() {
            self.bump()?;
            self.expect(b'=')?;
        }
        let Tok::Word(word) = self.tok else {
            return Err(match self.tok {
                Tok::Punct(b'}') | Tok::Label(_) => {
                    self.expected("an instruction: the block has no terminator yet")
                }
                _ => self.expected("an instruction"),
            });
        };
        let opcode_span = self.span;
        self.bump()?;
        let data = match self.opcode(f, word, opcode_span)? {
            Read::Inst(data) => data,
            Read::Done => return Ok(false),
        };
        self.finish(f, block, result, start, data)
    }
    fn finish(
        &mut self,
        f: &mut FnState,
        block: Block,
        result: Option<LocalKey<'s>>,
        start: Span,
        mut data: InstData,
    ) -> PResult<bool> {
        while self.eat(b',')? {
            if !matches!(self.tok, Tok::MdName(_)) {
                return Err(self.expected("metadata such as !dbg"));
            }
            data.metadata.push(self.attachment()?);
        }
        let ends = data.kind.is_terminator();
        self.place(f, block, result, start, data)?;
        Ok(ends)
    }

    fn opcode(&mut self, f: &mut FnState, word: &'s str, span: Span) -> PResult<Read> {
        if let Some(op) = BinaryOp::from_name(word) {
            return self.binary(f, op).map(Read::Inst);
        }
        if let Some(op) = CastOp::from_name(word) {
            return self.cast(f, op).map(Read::Inst);
        }
        if let Some(op) = FloatBinaryOp::from_name(word) {
            return self.float_binary(f, op).map(Read::Inst);
        }
        let data = match word {
            "call" => return self.call(f, TailKind::None, span),
            "tail" | "musttail" | "notail" => {
                self.expect_word("call")?;
                let tail = TailKind::from_name(word).unwrap_or(TailKind::None);
                return self.call(f, tail, span);
            }
            "ret" => self.ret(f),
            "br" => self.br(f),
            "switch" => self.switch(f),
            "unreachable" => Ok(InstData::new(InstKind::Unreachable, Type::VOID, [], [])),
            "invoke" => self.invoke(f),
            "indirectbr" => self.indirect_br(f),
            "callbr" => self.call_br(f),
            "resume" => self.resume(f),
            "landingpad" => self.landing_pad(f),
            "phi" => self.phi(f),
            "select" => self.select(f),
            "freeze" => self.freeze(f),
            "icmp" => self.icmp(f),
            "fcmp" => self.fcmp(f),
            "fneg" => self.fneg(f),
            "alloca" => self.alloca(f),
            "load" => self.load(f),
            "store" => self.store(f),
            "getelementptr" => self.gep(f),
            "fence" => self.fence(),
            "atomicrmw" => self.atomic_rmw(f),
            "cmpxchg" => self.cmpxchg(f),
            "va_arg" => self.va_arg(f),
            "extractvalue" => self.extract_value(f),
            "insertvalue" => self.insert_value(f),
            "extractelement" => self.extract_element(f),
            "insertelement" => self.insert_element(f),
            "shufflevector" => self.shuffle_vector(f),
            "catchswitch" | "catchpad" | "catchret" | "cleanuppad" | "cleanupret" => {
                Err(unmodelled(span, word))
            }
            _ => {
                let kind = ParseErrorKind::UnknownInstruction(word.into());
                Err(ParseError::new(span, kind, "LLVM has no instruction with this name").into())
            }
        };
        data.map(Read::Inst)
    }

    // Flags and small parts.

    /// Parses the integer flags that `op` allows.
    pub(crate) fn binary_flags(&mut self, op: BinaryOp) -> PResult<BinaryFlags> {
        let (wrap, exact, disjoint) = op.allowed_flags();
        let mut flags = BinaryFlags::default();
        loop {
            match self.tok {
                Tok::Word("nuw") if wrap => flags.nuw = true,
                Tok::Word("nsw") if wrap => flags.nsw = true,
                Tok::Word("exact") if exact => flags.exact = true,
                Tok::Word("disjoint") if disjoint => flags.disjoint = true,
                _ => return Ok(flags),
            }
            self.bump()?;
        }
    }
    pub(crate) fn fast_math(&mut self) -> PResult<FastMath> {
        let mut flags = FastMath::NONE;
        while let Tok::Word(word) = self.tok
            && let Some(flag) = FastMath::from_name(word)
        {
            flags = flags.union(flag);
            self.bump()?;
        }
        Ok(flags)
    }
    /// Parses `type value`; returns the value, its type and its span.
    pub(crate) fn spanned_value(&mut self, f: &mut FnState) -> PResult<(Value, Type, Span)> {
        let start = self.span;
        let value = self.typed_value(f)?;
        Ok((value, f.body.ty(value), self.since(start)))
    }
    /// Parses `ptr value`.
    pub(crate) fn pointer(&mut self, f: &mut FnState) -> PResult<Value> {
        let (value, ty, span) = self.spanned_value(f)?;
        if !ty.is_ptr() {
            return Err(self.bad_type(span, "a pointer is wanted", ty));
        }
        Ok(value)
    }
    /// The result type of a comparison of values of type `ty`.
    pub(crate) fn bool_like(&mut self, ty: Type) -> Type {
        match self.env.types.fixed_vector(ty) {
            Some((len, _)) => self.env.types.vector(len, Type::I1),
            None => Type::I1,
        }
    }
}
