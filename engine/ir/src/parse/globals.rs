//! Parses global variables, aliases and ifuncs, and defines the work that the first phase defers to the second.

use super::cursor::Parser;
use super::deferred::Deferred;
use super::error::{PResult, Stop, Warning};
use super::lexer::Tok;
use super::spans::Span;
use crate::constant::{ConstPool, GlobalRef};
use crate::entity::{AliasId, GlobalId};
use crate::module::{Alias, GlobalVar, Linkage, TopLevel};
use crate::types::Type;
use std::sync::Arc;

/// The words before `global`, `alias`, or a function's result type.
#[derive(Default)]
pub(crate) struct Prefix {
    pub(crate) linkage: Option<(Linkage, Span)>,
    pub(crate) words: Vec<Box<str>>,
}

impl<'s> Parser<'s> {
    /// Parses linkage, `dso_local`, visibility and DLL storage class; for variables also `thread_local` and
    /// `unnamed_addr`.
    pub(crate) fn prefix(&mut self, variable: bool) -> PResult<Prefix> {
        let mut prefix = Prefix::default();
        while let Tok::Word(word) = self.tok {
            let span = self.span;
            if let Some(linkage) = Linkage::from_name(word) {
                if prefix.linkage.is_some() || !prefix.words.is_empty() {
                    return Err(self.expected("what follows the linkage"));
                }
                prefix.linkage = Some((linkage, span));
                self.bump()?;
                continue;
            }
            match word {
                "dso_local" | "dso_preemptable" | "default" | "hidden" | "protected" | "dllimport"
                | "dllexport" => self.bump()?,
                "thread_local" if variable => {
                    self.bump()?;
                    if self.at(b'(') {
                        self.skip_balanced("a thread-local model")?;
                    }
                }
                "unnamed_addr" | "local_unnamed_addr" if variable => self.bump()?,
                _ => break,
            }
            // These are the defaults, which are not printed.
            if !matches!(word, "dso_preemptable" | "default") {
                let text = self.text(self.since(span)).into();
                prefix.words.push(text);
            }
        }
        Ok(prefix)
    }

    /// Parses `@name = …`.
    pub(crate) fn global(
        &mut self,
        name: Arc<str>,
        start: Span,
        deferred: &mut Vec<Deferred<'s>>,
    ) -> PResult<()> {
        self.bump()?;
        self.expect(b'=')?;
        let body_start = self.span;
        let prefix = self.prefix(true)?;
        if self.at_word("alias") || self.at_word("ifunc") {
            return self.alias(name, start, body_start, deferred);
        }
        let mut prefix_words = prefix.words;
        let addrspace = self.opt_addrspace()?.unwrap_or(0);
        if self.eat_word("externally_initialized")? {
            prefix_words.push("externally_initialized".into());
        }
        let is_constant = self.at_word("constant");
        if !is_constant && !self.at_word("global") {
            return Err(self.expected("'global' or 'constant'"));
        }
        self.bump()?;
        let type_span = self.span;
        let ty = self.ty()?;
        if !self.is_first_class(ty) || matches!(ty, Type::LABEL | Type::METADATA | Type::TOKEN) {
            return Err(self.bad_type(self.since(type_span), "a type that memory can hold is wanted", ty));
        }
        let declared = prefix.linkage.filter(|l| matches!(l.0, Linkage::External | Linkage::ExternWeak));
        let linkage = prefix.linkage.map_or(Linkage::External, |l| l.0);
        let at = self.span.start as usize;
        let has_init = declared.is_none() || self.starts_constant();
        if has_init {
            self.skip_constant()?;
        }
        let id = self.env.vars.push(GlobalVar {
            name: name.clone(),
            ty,
            linkage,
            prefix_words,
            addrspace,
            is_constant,
            init: None,
            align: None,
            suffix: Vec::new(),
            metadata: Vec::new(),
        });
        self.global_suffix(id, deferred)?;
        let whole = self.since(start);
        self.define_symbol(&name, start, GlobalRef::Var(id))?;
        self.spans.globals[id] = whole;
        let position = self.env.order.len();
        self.env.order.push(TopLevel::Var(id));
        if has_init {
            deferred.push(Deferred::Init { id, at, position, whole });
        }
        Ok(())
    }
    fn starts_constant(&self) -> bool {
        !matches!(
            self.tok,
            Tok::Punct(b',')
                | Tok::Eof
                | Tok::LocalName(_)
                | Tok::LocalId(_)
                | Tok::MdName(_)
                | Tok::Bang
                | Tok::AttrGroup(_)
                | Tok::Comdat(_)
                | Tok::Summary(_)
                | Tok::Word("define" | "declare" | "target" | "attributes" | "module" | "source_filename")
                | Tok::GlobalName(_)
                | Tok::GlobalId(_)
        ) || matches!(self.tok, Tok::GlobalName(_) | Tok::GlobalId(_)) && {
            let mut ahead = self.lex.clone();
            !matches!(ahead.next(), Ok((Tok::Punct(b'='), _)))
        }
    }
    /// Parses the clauses after the initializer, each after a comma, and the attributes at the end.
    fn global_suffix(&mut self, id: GlobalId, deferred: &mut Vec<Deferred<'s>>) -> PResult<()> {
        let mut metadata_at = None;
        while self.eat(b',')? {
            let span = self.span;
            match self.tok {
                Tok::Word("align") => {
                    self.bump()?;
                    self.env.vars[id].align = Some(self.alignment()?);
                    continue;
                }
                Tok::MdName(_) => {
                    metadata_at.get_or_insert(span.start as usize);
                    self.bump()?;
                    self.skip_node()?;
                    continue;
                }
                Tok::Word("section" | "partition" | "code_model") => {
                    self.bump()?;
                    self.string("a string")?;
                }
                Tok::Word("comdat") => self.comdat()?,
                Tok::Word(
                    "no_sanitize_address"
                    | "no_sanitize_hwaddress"
                    | "sanitize_memtag"
                    | "sanitize_address_dyninit",
                ) => self.bump()?,
                _ => return Err(self.expected("'align', 'section', 'comdat' or metadata")),
            }
            let text = self.text(self.since(span)).into();
            self.env.vars[id].suffix.push(text);
        }
        let span = self.span;
        let attrs = self.attributes(super::attributes::AttrPlace::Function)?;
        if !attrs.is_empty() {
            let text = self.text(self.since(span)).into();
            self.env.vars[id].suffix.push(text);
        }
        if let Some(at) = metadata_at {
            deferred.push(Deferred::VarMetadata { id, at });
        }
        Ok(())
    }
    /// Skips the node of an attachment.
    pub(crate) fn skip_node(&mut self) -> PResult<()> {
        self.eat_word("distinct")?;
        let bang = self.tok == Tok::Bang;
        if !bang && !matches!(self.tok, Tok::MdName(_)) {
            return Err(self.expected("a metadata node"));
        }
        self.bump()?;
        match self.tok {
            Tok::Int(_) | Tok::Str(_) if bang => self.bump(),
            Tok::Punct(b'{' | b'(') => self.skip_balanced("a metadata node"),
            _ => Err(self.expected("a metadata node")),
        }
    }
    /// Parses `comdat` or `comdat($name)`.
    pub(crate) fn comdat(&mut self) -> PResult<()> {
        self.bump()?;
        if self.eat(b'(')? {
            let Tok::Comdat(_) = self.tok else { return Err(self.expected("the name of a comdat")) };
            self.bump()?;
            self.expect(b')')?;
        }
        Ok(())
    }

    fn alias(
        &mut self,
        name: Arc<str>,
        start: Span,
        body_start: Span,
        deferred: &mut Vec<Deferred<'s>>,
    ) -> PResult<()> {
        self.bump()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let at = self.span.start as usize;
        let addrspace = self.alias_target()?;
        while self.eat(b',')? {
            if self.eat_word("partition")? {
                self.string("a string")?;
            } else if matches!(self.tok, Tok::MdName(_)) {
                self.bump()?;
                self.skip_node()?;
            } else {
                return Err(self.expected("'partition'"));
            }
        }
        let text = self.text(self.since(body_start)).into();
        let alias = Alias { name: name.clone(), ty, addrspace, target: None, text };
        let id = self.env.aliases.push(alias);
        let span = self.since(start);
        self.spans.aliases.push(span);
        self.define_symbol(&name, start, GlobalRef::Alias(id))?;
        self.env.order.push(TopLevel::Alias(id));
        deferred.push(Deferred::Target { id, at });
        Ok(())
    }
    /// Skips the target of an alias; returns the alias's address space.
    fn alias_target(&mut self) -> PResult<u32> {
        let span = self.span;
        let ty = if self.at_bare_constant() { self.bare_constant_type()? } else { self.ty()? };
        let Some(space) = ty.ptr_space() else {
            return Err(self.bad_type(self.since(span), "an alias stands for a pointer", ty));
        };
        self.skip_constant()?;
        Ok(space)
    }
    /// Whether a constant expression follows that an alias's target spells without its type.
    fn at_bare_constant(&self) -> bool {
        matches!(self.tok, Tok::Word("getelementptr" | "bitcast" | "addrspacecast" | "inttoptr"))
    }
    /// The type of the bare constant expression that follows, which is not consumed: the type that a cast names, or of an
    /// address computation the type of its pointer.
    fn bare_constant_type(&mut self) -> PResult<Type> {
        let start = self.span.start as usize;
        let is_gep = matches!(self.tok, Tok::Word("getelementptr"));
        while matches!(self.tok, Tok::Word(_)) {
            let is_range = matches!(self.tok, Tok::Word("inrange"));
            self.bump()?;
            if is_range && self.at(b'(') {
                self.skip_balanced("a range")?;
            }
        }
        self.expect(b'(')?;
        self.ty()?;
        if is_gep {
            self.expect(b',')?;
        } else {
            self.skip_constant()?;
            if !self.eat_word("to")? {
                return Err(self.expected("'to'"));
            }
        }
        let ty = self.ty()?;
        self.jump(start)?;
        Ok(ty)
    }

    /// Performs deferred work.
    pub(crate) fn deferred(&mut self, work: Deferred<'s>) -> PResult<()> {
        match work {
            Deferred::Body(work) => self.body(*work),
            Deferred::Init { id, at, position, whole } => self.initializer(id, at, position, whole),
            Deferred::Target { id, at } => self.target_constant(id, at),
            Deferred::Metadata { at, position } => self.deferred_metadata(at, position),
            Deferred::FuncMetadata { id, at } => {
                self.jump(at)?;
                self.env.funcs[id].metadata = self.attachments()?;
                Ok(())
            }
            Deferred::VarMetadata { id, at } => {
                self.jump(at)?;
                loop {
                    if matches!(self.tok, Tok::MdName(_)) {
                        let attachment = self.attachment()?;
                        self.env.vars[id].metadata.push(attachment);
                    }
                    if !self.eat(b',')? {
                        return Ok(());
                    }
                    if self.eat_word("align")? {
                        self.alignment()?;
                    } else if !matches!(self.tok, Tok::MdName(_)) {
                        return Err(self.expected("metadata"));
                    }
                }
            }
            Deferred::Check { at } => {
                self.jump(at)?;
                // The result is discarded; an unmodelled constant is kept as text regardless.
                let mut scratch = ConstPool::default();
                self.carried_constant(|p| p.typed_constant(&mut scratch).map(drop)).map(drop)
            }
        }
    }
    /// Runs `read`; the inner error is the warning about an unmodelled construct.
    fn carried_constant<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> PResult<T>,
    ) -> PResult<Result<T, Warning>> {
        match read(self) {
            Ok(value) => Ok(Ok(value)),
            Err(stop) => match *stop {
                Stop::Unmodelled(warning) => Ok(Err(warning)),
                Stop::Error(_) => Err(stop),
            },
        }
    }
    /// Parses a variable's initializer. A variable with an unmodelled initializer is printed from its text; the module
    /// represents it as an external variable with unknown contents.
    fn initializer(&mut self, id: GlobalId, at: usize, position: usize, whole: Span) -> PResult<()> {
        self.jump(at)?;
        let ty = self.env.vars[id].ty;
        if !self.is_sized(ty) {
            return Err(self.bad_type(self.span, "an initializer needs a type with a size", ty));
        }
        let init = self.carried_constant(|p| {
            p.modelled_type(p.span, ty)?;
            p.module_constant(ty)
        })?;
        match init {
            Ok(init) => self.env.vars[id].init = Some(init),
            Err(warning) => {
                let text = self.text(whole).into();
                self.env.order[position] = TopLevel::CarriedVar(id, text);
                self.env.vars[id].linkage = Linkage::External;
                self.warnings.push(warning);
                self.note_carried_addresses(whole)?;
            }
        }
        Ok(())
    }
    fn target_constant(&mut self, id: AliasId, at: usize) -> PResult<()> {
        self.jump(at)?;
        let target = self.carried_constant(|p| {
            let ty = if p.at_bare_constant() { p.bare_constant_type()? } else { p.body_type()? };
            p.module_constant(ty)
        })?;
        match target {
            Ok(target) => self.env.aliases[id].target = Some(target),
            Err(warning) => {
                self.warnings.push(warning);
                self.note_carried_addresses(self.spans.aliases[id])?;
            }
        }
        Ok(())
    }
}
