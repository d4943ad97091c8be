//! Parses `call`, `invoke` and `callbr`. The callee is resolved after the arguments have determined the function type,
//! so an intrinsic may be called without a declaration, as LLVM allows.

use super::super::attributes::AttrPlace;
use super::super::body::{FnState, LocalKey};
use super::super::constants::must_model;
use super::super::cursor::Parser;
use super::super::error::{PResult, ParseError, ParseErrorKind, unmodelled};
use super::super::lexer::Tok;
use super::super::spans::Span;
use super::Read;
use crate::attr::{AttrList, FlagAttr};
use crate::constant::{ConstData, Constant, GlobalRef, MetadataConst};
use crate::editor::Editor;
use crate::inline_asm::InlineAsm;
use crate::inst::{Bundle, CallInfo, InstData, InstKind, TailKind, Value};
use crate::intrinsic::Intrinsic;
use crate::opcode::FastMath;
use crate::types::Type;

/// The callee as spelled.
enum Callee<'s> {
    Global(Tok<'s>, Span),
    Local(LocalKey<'s>, Span),
    Value(Value),
    Asm(InlineAsm, Span),
}

/// The part of a call before its arguments.
struct CallHead<'s> {
    tail: TailKind,
    fast: FastMath,
    cc: Box<str>,
    ret_attrs: AttrList,
    addrspace: Option<u32>,
    /// The result type, or the whole function type.
    ty: Type,
    ty_span: Span,
    callee: Callee<'s>,
}

struct Args {
    values: Vec<Value>,
    attrs: Vec<AttrList>,
    spans: Vec<Span>,
}

impl<'s> Parser<'s> {
    pub(super) fn call(&mut self, f: &mut FnState, tail: TailKind, start: Span) -> PResult<Read> {
        let head = self.call_head(f, tail)?;
        if let Callee::Global(Tok::GlobalName(name), _) = head.callee
            && name.text.starts_with(b"llvm.dbg.")
            && let Ok(text) = std::str::from_utf8(name.text)
            && let Some(intrinsic) = Intrinsic::from_function_name(text).filter(|i| i.is_debug())
        {
            self.debug_call(f, intrinsic, start)?;
            return Ok(Read::Done);
        }
        let (info, ret, operands) = self.call_rest(f, head)?;
        Ok(Read::Inst(InstData::new(InstKind::Call(Box::new(info)), ret, operands, [])))
    }
    pub(super) fn invoke(&mut self, f: &mut FnState) -> PResult<InstData> {
        let head = self.call_head(f, TailKind::None)?;
        let (info, ret, operands) = self.call_rest(f, head)?;
        self.expect_word("to")?;
        let normal = self.block_ref(f)?;
        self.expect_word("unwind")?;
        let unwind = self.block_ref(f)?;
        Ok(InstData::new(InstKind::Invoke(Box::new(info)), ret, operands, [normal, unwind]))
    }
    pub(super) fn call_br(&mut self, f: &mut FnState) -> PResult<InstData> {
        let span = self.span;
        let head = self.call_head(f, TailKind::None)?;
        if !matches!(head.callee, Callee::Asm(..)) {
            return Err(unmodelled(span, "callbr of something else than inline assembly"));
        }
        let (info, ret, operands) = self.call_rest(f, head)?;
        let returns = self.env.has_attr(&info.fn_attrs, FlagAttr::WillReturn);
        if returns || self.env.memory_effects(&info.fn_attrs).is_some() {
            return Err(unmodelled(span, "callbr with attributes that restrict its effects"));
        }
        self.expect_word("to")?;
        let mut blocks = vec![self.block_ref(f)?];
        blocks.extend(self.labels(f)?);
        Ok(InstData::new(InstKind::CallBr(Box::new(info)), ret, operands, blocks))
    }

    fn call_head(&mut self, f: &mut FnState, tail: TailKind) -> PResult<CallHead<'s>> {
        let fast = self.fast_math()?;
        let cc = self.calling_convention()?;
        let ret_attrs = self.attributes(AttrPlace::Value)?;
        let addrspace = self.opt_addrspace()?;
        let type_span = self.span;
        let ty = self.ty()?;
        let ty_span = self.since(type_span);
        let ret = self.env.types.signature(ty).map_or(ty, |s| s.0);
        self.modelled_type(ty_span, ret)?;
        let span = self.span;
        let callee = match self.tok {
            Tok::Word("asm") => Callee::Asm(self.inline_asm()?, self.since(span)),
            tok @ (Tok::GlobalName(_) | Tok::GlobalId(_)) => {
                self.bump()?;
                Callee::Global(tok, span)
            }
            Tok::LocalName(name) => {
                self.bump()?;
                Callee::Local(LocalKey::Name(name), span)
            }
            Tok::LocalId(id) => {
                self.bump()?;
                Callee::Local(LocalKey::Number(id), span)
            }
            Tok::Word(_) => {
                let space = addrspace.unwrap_or(self.env.layout.program_space);
                Callee::Value(self.value(f, Type::ptr(space))?)
            }
            _ => return Err(self.expected("what is called")),
        };
        Ok(CallHead { tail, fast, cc, ret_attrs, addrspace, ty, ty_span, callee })
    }

    /// Parses a call from the arguments on; returns the call, its result type and its operands.
    fn call_rest(&mut self, f: &mut FnState, head: CallHead<'s>) -> PResult<(CallInfo, Type, Vec<Value>)> {
        let open = self.span;
        let args = self.call_args(f)?;
        let fn_attrs = self.attributes(AttrPlace::Function)?;
        let mut operands = args.values;
        let fn_ty = match self.env.types.signature(head.ty) {
            Some(_) => head.ty,
            None => {
                if head.ty != Type::VOID && !self.is_first_class(head.ty) {
                    return Err(self.bad_type(
                        head.ty_span,
                        "a type that a call can give is wanted",
                        head.ty,
                    ));
                }
                let types: Vec<Type> = operands.iter().map(|v| f.body.ty(*v)).collect();
                self.env.types.function(head.ty, &types, false)
            }
        };
        self.check_args(f, fn_ty, &operands, &args.spans, open)?;
        let bundles = if self.at(b'[') { self.bundles(f, &mut operands)? } else { Vec::new() };
        let callee = self.callee(f, head.callee, fn_ty, head.addrspace)?;
        operands.push(callee);
        let ret = self.env.types.signature(fn_ty).map_or(Type::VOID, |s| s.0);
        let info = CallInfo {
            tail: head.tail,
            cc: head.cc,
            ret_attrs: head.ret_attrs,
            fn_ty,
            addrspace: head.addrspace,
            arg_attrs: args.attrs,
            fn_attrs,
            bundles,
            fast: head.fast,
        };
        Ok((info, ret, operands))
    }
    /// Parses `asm [sideeffect] [alignstack] [inteldialect] [unwind] "text", "constraints"`.
    fn inline_asm(&mut self) -> PResult<InlineAsm> {
        self.bump()?;
        let mut asm = InlineAsm {
            sideeffect: self.eat_word("sideeffect")?,
            alignstack: self.eat_word("alignstack")?,
            inteldialect: self.eat_word("inteldialect")?,
            unwind: self.eat_word("unwind")?,
            ..InlineAsm::default()
        };
        asm.text = self.string("the text of inline assembly")?.into();
        self.expect(b',')?;
        asm.constraints = self.string("the constraints of inline assembly")?.into();
        Ok(asm)
    }
    fn callee(
        &mut self,
        f: &mut FnState,
        callee: Callee<'s>,
        fn_ty: Type,
        addrspace: Option<u32>,
    ) -> PResult<Value> {
        let wanted = Type::ptr(addrspace.unwrap_or(self.env.layout.program_space));
        match callee {
            Callee::Value(value) => Ok(value),
            Callee::Asm(asm, span) => {
                let func = asm.function(&mut self.env, fn_ty);
                self.adopt_function(func, span);
                let ty = self.env.address_type(GlobalRef::Func(func));
                Ok(f.editor().consts().global(ty, GlobalRef::Func(func)).into())
            }
            Callee::Local(key, span) => self.local_value(f, key, span, wanted),
            Callee::Global(tok, span) => {
                let global = self.global_of_token(tok, span, Some(fn_ty))?;
                let ty = self.env.address_type(global);
                if ty != wanted {
                    return Err(self.mismatch(span, wanted, ty).into());
                }
                Ok(Editor::new(&mut f.body).consts().global(ty, global).into())
            }
        }
    }

    fn call_args(&mut self, f: &mut FnState) -> PResult<Args> {
        self.expect(b'(')?;
        let mut args = Args { values: Vec::new(), attrs: Vec::new(), spans: Vec::new() };
        if self.eat(b')')? {
            return Ok(args);
        }
        loop {
            let start = self.span;
            if self.tok == Tok::Ellipsis {
                return Err(unmodelled(start, "musttail calls that pass on variable arguments"));
            }
            let ty = self.body_type()?;
            if ty == Type::METADATA {
                args.values.push(self.metadata_operand(f)?);
                args.attrs.push(AttrList::default());
            } else {
                if ty == Type::LABEL {
                    return Err(self.bad_type(
                        self.since(start),
                        "a type that an argument can have is wanted",
                        ty,
                    ));
                }
                args.attrs.push(self.attributes(AttrPlace::Value)?);
                args.values.push(self.value(f, ty)?);
            }
            args.spans.push(self.since(start));
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(args)
    }
    /// Parses the operand after `metadata`.
    fn metadata_operand(&mut self, f: &mut FnState) -> PResult<Value> {
        let span = self.span;
        let data = match self.tok {
            Tok::Bang | Tok::MdName(_) => MetadataConst::Node(self.node_ref().map_err(must_model)?),
            _ => {
                let ty = self.body_type()?;
                if self.local_key().is_some() {
                    return Err(unmodelled(span, "metadata operands that refer to local values"));
                }
                MetadataConst::Const(self.constant(Editor::new(&mut f.body).consts(), ty)?)
            }
        };
        let constant = Constant { ty: Type::METADATA, data: ConstData::Metadata(data) };
        Ok(f.editor().constant(constant).into())
    }

    fn check_args(
        &self,
        f: &FnState,
        fn_ty: Type,
        values: &[Value],
        spans: &[Span],
        open: Span,
    ) -> PResult<()> {
        let Some((_, params, vararg)) = self.env.types.signature(fn_ty) else { return Ok(()) };
        for (param, (value, span)) in params.iter().zip(values.iter().zip(spans)) {
            let found = f.body.ty(*value);
            if found != *param {
                return Err(self.mismatch(*span, *param, found).into());
            }
        }
        let fits = if vararg { values.len() >= params.len() } else { values.len() == params.len() };
        if fits {
            return Ok(());
        }
        let what = format!("a call with {} arguments where {} are wanted", values.len(), params.len());
        let kind = ParseErrorKind::Invalid(what.into());
        Err(ParseError::new(self.since(open), kind, "these arguments").into())
    }
    /// Parses `[ "tag"(operands), … ]`.
    fn bundles(&mut self, f: &mut FnState, operands: &mut Vec<Value>) -> PResult<Vec<Bundle>> {
        self.expect(b'[')?;
        let mut bundles = Vec::new();
        loop {
            let tag = self.string("the tag of an operand bundle")?.into();
            self.expect(b'(')?;
            let before = operands.len();
            if !self.at(b')') {
                loop {
                    let span = self.span;
                    let ty = self.body_type()?;
                    if ty == Type::METADATA {
                        return Err(unmodelled(span, "metadata in operand bundles"));
                    }
                    operands.push(self.value(f, ty)?);
                    if !self.eat(b',')? {
                        break;
                    }
                }
            }
            self.expect(b')')?;
            bundles.push(Bundle { tag, len: (operands.len() - before) as u32 });
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b']')?;
        Ok(bundles)
    }
}
