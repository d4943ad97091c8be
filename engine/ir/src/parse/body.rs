//! Parses function bodies: blocks, results, local names and numbers.
//!
//! A value or block may be used before its definition. A forward reference reserves it with the type of its first use,
//! and the definition must agree. Numbers may be skipped but must not decrease, as in LLVM. This file checks only
//! textual order; the verifier checks dominance and the agreement of phis with predecessors.

use super::cursor::Parser;
use super::deferred::BodyWork;
use super::error::{PResult, ParseError, ParseErrorKind, Stop, Warning, invalid};
use super::lexer::{RawName, Tok};
use super::names;
use super::spans::Span;
use super::toplevel::local_spelling;
use crate::body::{Body, Local};
use crate::editor::{Editor, Position};
use crate::entity::{Arg, Block, EntityId, Inst};
use crate::inst::{InstData, Value};
use crate::module::Code;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A local name or number as spelled.
#[derive(Clone, Copy)]
pub(crate) enum LocalKey<'s> {
    Name(RawName<'s>),
    Number(u32),
}

impl LocalKey<'_> {
    pub(crate) fn spelling(self) -> String {
        match self {
            Self::Name(name) => local_spelling(name),
            Self::Number(number) => format!("%{number}"),
        }
    }
}

/// A forward reference.
struct Pending {
    span: Span,
    name: Box<str>,
}

/// The state while a body is parsed.
pub(crate) struct FnState {
    pub(crate) ret: Type,
    pub(crate) body: Body,
    numbers: FxHashMap<u32, Local>,
    next_number: u32,
    pending: FxHashMap<Local, Pending>,
    arg_spans: Vec<Span>,
    block_spans: Vec<Span>,
    inst_spans: Vec<Span>,
    /// Debug records to insert before the next non-phi instruction.
    pub(crate) records: Vec<(InstData, Span)>,
}

impl FnState {
    pub(crate) fn editor(&mut self) -> Editor<'_> {
        Editor::new(&mut self.body)
    }
    pub(crate) fn set_inst_span(&mut self, index: usize, span: Span) {
        set_at(&mut self.inst_spans, index, span);
    }
    fn span_of(&self, local: Local) -> Span {
        if let Some(pending) = self.pending.get(&local) {
            return pending.span;
        }
        let list = match local {
            Local::Arg(arg) => self.arg_spans.get(arg.index()),
            Local::Block(block) => self.block_spans.get(block.index()),
            Local::Inst(inst) => self.inst_spans.get(inst.index()),
        };
        list.copied().unwrap_or_default()
    }
    fn find(&self, key: LocalKey<'_>) -> Option<Local> {
        match key {
            LocalKey::Name(name) => self.body.local(&names::canonical(name)),
            LocalKey::Number(number) => self.numbers.get(&number).copied(),
        }
    }
}

fn set_at(list: &mut Vec<Span>, index: usize, span: Span) {
    if index >= list.len() {
        list.resize(index + 1, Span::default());
    }
    list[index] = span;
}

impl<'s> Parser<'s> {
    /// Parses a body that was skipped in the first phase.
    pub(crate) fn body(&mut self, work: BodyWork<'s>) -> PResult<()> {
        match self.modelled_body(&work) {
            Ok(state) => {
                let spans = &mut self.spans.funcs[work.func];
                spans.blocks = state.block_spans;
                spans.insts = state.inst_spans;
                self.code[work.func] = Code::Body(Box::new(state.body));
                Ok(())
            }
            Err(stop) => match *stop {
                Stop::Unmodelled(warning) => self.opaque_body(&work, warning),
                Stop::Error(_) => Err(stop),
            },
        }
    }
    /// Lexes a body that is kept as text, so that lexical errors are still reported.
    fn opaque_body(&mut self, work: &BodyWork<'s>, warning: Warning) -> PResult<()> {
        self.depth = 0;
        self.jump(work.open)?;
        while (self.span.start as usize) < work.close {
            match self.tok {
                Tok::Bang => {
                    let bang = self.span;
                    self.bump()?;
                    if matches!(self.tok, Tok::Int(_)) {
                        let number = self.number_u32("the number of a metadata node")?;
                        self.md_mention(number, self.since(bang));
                    }
                }
                Tok::Word("blockaddress") => self.note_carried_address()?,
                Tok::Eof => break,
                _ => self.bump()?,
            }
        }
        self.make_opaque(work.func, warning);
        Ok(())
    }

    fn modelled_body(&mut self, work: &BodyWork<'s>) -> PResult<FnState> {
        let params = work.params.iter().map(|p| (p.ty, p.span));
        for (ty, span) in std::iter::once(work.ret).chain(params) {
            self.modelled_type(span, ty)?;
            self.modelled_value(span, ty)?;
        }
        let mut f = FnState {
            ret: work.ret.0,
            body: Body::default(),
            numbers: FxHashMap::default(),
            next_number: 0,
            pending: FxHashMap::default(),
            arg_spans: Vec::new(),
            block_spans: Vec::new(),
            inst_spans: Vec::new(),
            records: Vec::new(),
        };
        self.arguments(&mut f, work)?;
        self.jump(work.open)?;
        self.bump()?;
        if self.at(b'}') {
            return Err(self.expected("a block: a function's body has at least one"));
        }
        while !self.at(b'}') {
            if matches!(self.tok, Tok::Word("uselistorder" | "uselistorder_bb")) {
                self.body_use_list_order()?;
                continue;
            }
            self.block(&mut f)?;
        }
        let first = f.pending.values().min_by_key(|p| p.span);
        if let Some(pending) = first {
            let kind = ParseErrorKind::Undefined { what: "local", name: pending.name.clone() };
            return Err(ParseError::new(pending.span, kind, "nothing in this function defines it").into());
        }
        f.body.shrink_to_fit();
        f.block_spans.shrink_to_fit();
        f.inst_spans.shrink_to_fit();
        Ok(f)
    }
    fn body_use_list_order(&mut self) -> PResult<()> {
        let start = self.span;
        while !self.at(b'{') && self.tok != Tok::Eof {
            self.bump()?;
        }
        self.skip_balanced("a use list order")?;
        self.warnings.push(Warning { span: self.since(start), feature: "uselistorder (dropped)".into() });
        Ok(())
    }

    fn arguments(&mut self, f: &mut FnState, work: &BodyWork<'s>) -> PResult<()> {
        for (index, param) in work.params.iter().enumerate() {
            f.arg_spans.push(param.span);
            let local = Local::Arg(Arg::from_index(index));
            match param.name {
                Some(name) => {
                    let name = self.checked_name(name, param.span)?;
                    if let Some(first) = f.body.local(&name) {
                        return Err(duplicate("argument", &name, param.span, f.span_of(first)));
                    }
                    f.editor().add_arg(param.ty, Some(&name));
                }
                None => {
                    self.take_number(f, "argument", param.number, param.span, local)?;
                    f.editor().add_arg(param.ty, None);
                }
            }
        }
        Ok(())
    }
    fn checked_name<'n>(&self, name: RawName<'n>, span: Span) -> PResult<Cow<'n, str>> {
        let text = names::canonical(name);
        if text.contains("\\00") {
            return Err(invalid(span, "a name has no zero byte"));
        }
        Ok(text)
    }
    /// Assigns the next number to an unnamed local, or the spelled number if that is not smaller.
    fn take_number(
        &self,
        f: &mut FnState,
        what: &'static str,
        spelled: Option<u32>,
        span: Span,
        local: Local,
    ) -> PResult<()> {
        let number = self.check_number(f, what, spelled, span)?;
        f.numbers.insert(number, local);
        f.next_number = number.saturating_add(1);
        Ok(())
    }
    fn check_number(
        &self,
        f: &FnState,
        what: &'static str,
        spelled: Option<u32>,
        span: Span,
    ) -> PResult<u32> {
        let number = spelled.unwrap_or(f.next_number);
        if number < f.next_number {
            let kind = ParseErrorKind::WrongNumber { what, expected: f.next_number, found: number };
            let mut error = ParseError::new(span, kind, "this number is too small");
            if let Some(first) = f.numbers.get(&number) {
                error = error.with_second(f.span_of(*first), "this has the number");
            }
            return Err(error.into());
        }
        Ok(number)
    }

    // Blocks.

    fn block(&mut self, f: &mut FnState) -> PResult<()> {
        let span = self.span;
        let key = match self.tok {
            Tok::Label(raw) => {
                let label = LocalKey::of_label(raw, span)?;
                self.bump()?;
                Some(label)
            }
            _ => None,
        };
        let block = self.define_block(f, key, span)?;
        loop {
            if let Tok::Hash = self.tok {
                self.debug_record(f)?;
                continue;
            }
            if self.instruction(f, block)? {
                return Ok(());
            }
        }
    }
    /// Defines the block that begins here.
    fn define_block(&mut self, f: &mut FnState, key: Option<LocalKey<'s>>, span: Span) -> PResult<Block> {
        let (known, number) = match key {
            Some(LocalKey::Name(name)) => (f.body.local(&self.checked_name(name, span)?), None),
            Some(LocalKey::Number(number)) => {
                let number = self.check_number(f, "label", Some(number), span)?;
                (f.numbers.get(&number).copied(), Some(number))
            }
            None => (f.numbers.get(&f.next_number).copied(), Some(f.next_number)),
        };
        let block = match known {
            Some(local @ Local::Block(block)) if f.pending.remove(&local).is_some() => block,
            Some(other) => {
                let name = key.map_or(format!("%{}", f.next_number), LocalKey::spelling);
                let name = name.strip_prefix('%').unwrap_or(&name);
                return Err(duplicate("block", name, span, f.span_of(other)));
            }
            None => match key {
                Some(LocalKey::Name(name)) => f.editor().create_block(Some(&names::canonical(name))),
                _ => f.editor().create_block(None),
            },
        };
        if let Some(number) = number {
            f.numbers.insert(number, Local::Block(block));
            f.next_number = number.saturating_add(1);
        }
        f.editor().append_block(block);
        set_at(&mut f.block_spans, block.index(), span);
        Ok(block)
    }
    /// Parses `label %name`: a block, possibly a forward reference.
    pub(crate) fn block_ref(&mut self, f: &mut FnState) -> PResult<Block> {
        self.expect_word("label")?;
        self.bare_block_ref(f)
    }
    /// Parses `%name` as a block.
    pub(crate) fn bare_block_ref(&mut self, f: &mut FnState) -> PResult<Block> {
        let span = self.span;
        let Some(key) = self.local_key() else { return Err(self.expected("a block such as %name")) };
        self.bump()?;
        match f.find(key) {
            Some(Local::Block(block)) => Ok(block),
            Some(other) => {
                let what = format!("'{}' is no block", key.spelling());
                let error = ParseError::new(span, ParseErrorKind::Invalid(what.into()), "used as a block");
                Err(error.with_second(f.span_of(other), "this is a value").into())
            }
            None => {
                let block = match key {
                    LocalKey::Name(name) => {
                        let name = self.checked_name(name, span)?;
                        f.editor().create_block(Some(&name))
                    }
                    LocalKey::Number(number) => {
                        self.check_number(f, "label", Some(number), span)?;
                        let block = f.editor().create_block(None);
                        f.numbers.insert(number, Local::Block(block));
                        block
                    }
                };
                let pending = Pending { span, name: key.spelling().into() };
                f.pending.insert(Local::Block(block), pending);
                Ok(block)
            }
        }
    }

    // Values.

    /// The key of the local that the current token names.
    pub(crate) fn local_key(&self) -> Option<LocalKey<'s>> {
        match self.tok {
            Tok::LocalName(name) => Some(LocalKey::Name(name)),
            Tok::LocalId(id) => Some(LocalKey::Number(id)),
            _ => None,
        }
    }
    /// Parses a value of type `ty`.
    pub(crate) fn value(&mut self, f: &mut FnState, ty: Type) -> PResult<Value> {
        let Some(key) = self.local_key() else {
            self.modelled_value(self.span, ty)?;
            let mut editor = Editor::new(&mut f.body);
            return Ok(self.constant(editor.consts(), ty)?.into());
        };
        let span = self.span;
        self.bump()?;
        self.local_value(f, key, span, ty)
    }
    /// Resolves the local named at `span`, which must have type `ty`.
    pub(crate) fn local_value(
        &mut self,
        f: &mut FnState,
        key: LocalKey<'s>,
        span: Span,
        ty: Type,
    ) -> PResult<Value> {
        let local = f.find(key);
        let value = match local {
            Some(Local::Inst(inst)) => Value::Inst(inst),
            Some(Local::Arg(arg)) => Value::Arg(arg),
            Some(local @ Local::Block(_)) => {
                let what = format!("'{}' is a block", key.spelling());
                let error = ParseError::new(span, ParseErrorKind::Invalid(what.into()), "used as a value");
                return Err(error.with_second(f.span_of(local), "this is a block").into());
            }
            None => return Ok(self.reserve(f, key, ty, span)?.into()),
        };
        let found = f.body.ty(value);
        if found != ty {
            let error = self.mismatch(span, ty, found);
            let second = local.map_or(span, |l| f.span_of(l));
            return Err(error.with_second(second, "its type is given here").into());
        }
        Ok(value)
    }
    fn reserve(&mut self, f: &mut FnState, key: LocalKey<'s>, ty: Type, span: Span) -> PResult<Inst> {
        let inst = match key {
            LocalKey::Name(name) => {
                let name = self.checked_name(name, span)?;
                let mut editor = f.editor();
                let inst = editor.reserve(ty);
                editor.set_name(inst, &name);
                inst
            }
            LocalKey::Number(number) => {
                if number < f.next_number {
                    let kind = ParseErrorKind::Undefined { what: "local", name: key.spelling().into() };
                    let label = "numbers from here on are larger";
                    return Err(ParseError::new(span, kind, label).into());
                }
                let inst = f.editor().reserve(ty);
                f.numbers.insert(number, Local::Inst(inst));
                inst
            }
        };
        f.pending.insert(Local::Inst(inst), Pending { span, name: key.spelling().into() });
        Ok(inst)
    }
    /// Parses `type value` with a modelled type.
    pub(crate) fn typed_value(&mut self, f: &mut FnState) -> PResult<Value> {
        let span = self.span;
        let ty = self.body_type()?;
        if matches!(ty, Type::LABEL | Type::METADATA) {
            return Err(self.bad_type(self.since(span), "a type that a value can have is wanted", ty));
        }
        self.value(f, ty)
    }

    /// Appends an instruction to `block` under its name or number.
    pub(crate) fn place(
        &mut self,
        f: &mut FnState,
        block: Block,
        result: Option<LocalKey<'s>>,
        result_span: Span,
        data: InstData,
    ) -> PResult<()> {
        let span = self.since(result_span);
        let position = Position::End(block);
        if !f.records.is_empty() && !data.kind.is_phi() {
            self.flush_records(f, block);
        }
        if data.ty == Type::VOID {
            if result.is_some() {
                return Err(invalid(result_span, "an instruction without a result can't have a name"));
            }
            let inst = f.editor().insert(position, data);
            set_at(&mut f.inst_spans, inst.index(), span);
            return Ok(());
        }
        self.modelled_value(span, data.ty)?;
        let number = match result {
            Some(LocalKey::Name(_)) => None,
            Some(LocalKey::Number(n)) => Some(self.check_number(f, "instruction", Some(n), result_span)?),
            None => Some(f.next_number),
        };
        let key = number.map(LocalKey::Number).or(result).unwrap_or(LocalKey::Number(f.next_number));
        let inst = match f.find(key) {
            Some(local @ Local::Inst(inst)) if f.pending.contains_key(&local) => {
                let wanted = f.body.ty(Value::Inst(inst));
                if wanted != data.ty {
                    let error = self.mismatch(result_span, wanted, data.ty);
                    return Err(error.with_second(f.span_of(local), "used with another type here").into());
                }
                f.pending.remove(&local);
                f.editor().define(inst, position, data);
                inst
            }
            Some(other) => {
                let name = key.spelling();
                return Err(duplicate("value", &name[1..], result_span, f.span_of(other)));
            }
            None => {
                let inst = f.editor().insert(position, data);
                if let LocalKey::Name(name) = key {
                    let name = self.checked_name(name, result_span)?;
                    f.editor().set_name(inst, &name);
                }
                inst
            }
        };
        if let Some(number) = number {
            f.numbers.insert(number, Local::Inst(inst));
            f.next_number = number.saturating_add(1);
        }
        set_at(&mut f.inst_spans, inst.index(), span);
        Ok(())
    }
}

impl<'s> LocalKey<'s> {
    fn of_label(raw: RawName<'s>, span: Span) -> PResult<Self> {
        if raw.quoted || !raw.text.iter().all(u8::is_ascii_digit) {
            return Ok(Self::Name(raw));
        }
        let number = std::str::from_utf8(raw.text).ok().and_then(|t| t.parse().ok());
        number.map(Self::Number).ok_or_else(|| invalid(span, "the number of a label is too large"))
    }
}

fn duplicate(what: &'static str, name: &str, span: Span, first: Span) -> Box<Stop> {
    let kind = ParseErrorKind::Duplicate { what, name: format!("%{name}").into() };
    ParseError::new(span, kind, "defined again here").with_second(first, "first defined here").into()
}
