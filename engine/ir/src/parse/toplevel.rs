//! Parses the top level in two phases. The first phase processes the items in text order: types, function headers,
//! globals, aliases, attribute groups. It skips the parts that may refer to later globals (bodies, initializers,
//! metadata) by matching brackets. The second phase parses these parts, with every global known.

use super::cursor::Parser;
use super::deferred::Deferred;
use super::error::{PResult, ParseError, ParseErrorKind, Stop, Warning, invalid};
use super::lexer::{RawName, Tok};
use super::spans::Span;
use super::{names, opaque_debug};
use crate::constant::GlobalRef;
use crate::data_layout::DataLayout;
use crate::entity::{EntityId, FuncId};
use crate::module::{Code, Function, OpaqueCode, TopLevel};
use crate::types::{Compound, Type};
use std::sync::Arc;

impl<'s> Parser<'s> {
    /// Parses the whole module.
    pub(crate) fn module(&mut self) -> PResult<()> {
        let mut deferred = Vec::new();
        self.bump()?;
        while self.tok != Tok::Eof {
            self.item(&mut deferred)?;
        }
        self.check_types_defined()?;
        self.check_type_nesting()?;
        for work in deferred {
            self.deferred(work)?;
        }
        self.check_nodes_defined()?;
        self.resolve_block_addresses()
    }

    fn item(&mut self, deferred: &mut Vec<Deferred<'s>>) -> PResult<()> {
        let start = self.span;
        match self.tok {
            Tok::Word("define") => {
                self.function(true, deferred)?;
            }
            Tok::Word("declare") => self.function(false, deferred)?,
            Tok::Word("target") => self.target()?,
            Tok::Word("source_filename") => {
                self.bump()?;
                self.expect(b'=')?;
                self.string("the name of the source file")?;
                self.push_text(start);
            }
            Tok::Word("module") => {
                self.bump()?;
                self.expect_word("asm")?;
                self.string("assembly text")?;
                self.push_text(start);
            }
            Tok::Word("attributes") => {
                self.bump()?;
                if let Some(id) = self.attribute_group()? {
                    self.env.order.push(TopLevel::AttrGroup(id));
                }
            }
            Tok::Word("uselistorder" | "uselistorder_bb") => self.use_list_order()?,
            Tok::GlobalName(name) => {
                let name = names::canonical_numbered(name).into();
                self.global(name, start, deferred)?;
            }
            Tok::GlobalId(id) => self.global(id.to_string().into(), start, deferred)?,
            Tok::LocalName(name) => {
                let name = names::canonical_numbered(name);
                self.type_item(&name, start)?;
            }
            Tok::LocalId(id) => self.type_item(&id.to_string(), start)?,
            Tok::Comdat(_) => {
                self.bump()?;
                self.expect(b'=')?;
                self.expect_word("comdat")?;
                let known = ["any", "exactmatch", "largest", "nodeduplicate", "samesize", "noduplicates"];
                if !matches!(self.tok, Tok::Word(w) if known.contains(&w)) {
                    return Err(self.expected("a selection kind such as 'any'"));
                }
                self.bump()?;
                self.push_text(start);
            }
            Tok::Summary(_) => {
                self.bump()?;
                self.expect(b'=')?;
                if !matches!(self.tok, Tok::Label(_)) {
                    return Err(self.expected("a summary entry"));
                }
                self.bump()?;
                if self.at(b'(') {
                    self.skip_balanced("a summary entry")?;
                } else {
                    self.number("a number")?;
                }
                self.push_text(start);
            }
            Tok::Bang | Tok::MdName(_) => self.metadata_item(deferred)?,
            _ => {
                return Err(self.expected("a top-level item (define, declare, @global, %type, !metadata, …)"));
            }
        }
        Ok(())
    }

    fn push_text(&mut self, start: Span) {
        let text = self.text(self.since(start)).into();
        self.env.order.push(TopLevel::Text(text));
    }
    fn target(&mut self) -> PResult<()> {
        let start = self.span;
        self.bump()?;
        let is_layout = self.at_word("datalayout");
        if !is_layout && !self.at_word("triple") {
            return Err(self.expected("'datalayout' or 'triple'"));
        }
        self.bump()?;
        self.expect(b'=')?;
        let string_span = self.span;
        let text = self.string("a string")?;
        if is_layout {
            self.env.layout = DataLayout::parse(&text).map_err(|error| {
                let label = error.to_string();
                ParseError::new(string_span, ParseErrorKind::DataLayout(error), label)
            })?;
        }
        self.push_text(start);
        Ok(())
    }
    fn use_list_order(&mut self) -> PResult<()> {
        let start = self.span;
        while !self.at(b'}') && self.tok != Tok::Eof {
            self.bump()?;
        }
        self.expect(b'}')?;
        self.warnings.push(Warning { span: self.since(start), feature: "uselistorder (dropped)".into() });
        Ok(())
    }
    fn type_item(&mut self, name: &str, start: Span) -> PResult<()> {
        self.bump()?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        let known = self.env.types.lookup(&Compound::Named { name: name.into() });
        let first = known.and_then(Type::compound_id).and_then(|id| self.named_types.get(&id));
        let first = first.filter(|f| f.1).map(|f| f.0);
        if first.is_some() || self.type_aliases.contains_key(name) {
            let spelled = self.text(start);
            let kind = ParseErrorKind::Duplicate { what: "type", name: spelled.into() };
            let mut error = ParseError::new(start, kind, "defined again here");
            if let Some(first) = first {
                error = error.with_second(first, "first defined here");
            }
            return Err(error.into());
        }
        match self.type_definition(name, start)? {
            // A type alias is resolved at its uses; its text is kept because verbatim text may refer to it.
            Some(_) => self.push_text(start),
            None => {
                let ty = self.struct_named(name, start);
                self.env.order.push(TopLevel::TypeDef(ty));
            }
        }
        Ok(())
    }
    fn check_types_defined(&self) -> PResult<()> {
        let undefined = self.named_types.iter().filter(|(_, (_, defined))| !defined);
        let Some((_, &(span, _))) = undefined.min_by_key(|(_, (span, _))| *span) else { return Ok(()) };
        Err(self.undefined_type(span))
    }
    pub(crate) fn undefined_type(&self, span: Span) -> Box<Stop> {
        let kind = ParseErrorKind::Undefined { what: "type", name: self.text(span).into() };
        ParseError::new(span, kind, "the module has no type with this name").into()
    }

    /// Defers metadata to the second phase, because it may refer to globals.
    fn metadata_item(&mut self, deferred: &mut Vec<Deferred<'s>>) -> PResult<()> {
        let at = self.span.start as usize;
        let position = self.env.order.len();
        // Reserves an index in the order, which the second phase fills.
        self.env.order.push(TopLevel::Text("".into()));
        deferred.push(Deferred::Metadata { at, position });
        self.bump()?;
        if matches!(self.tok, Tok::Int(_)) {
            self.bump()?;
        }
        self.expect(b'=')?;
        self.eat_word("distinct")?;
        if !matches!(self.tok, Tok::Bang | Tok::MdName(_)) {
            return Err(self.expected("a metadata node"));
        }
        self.bump()?;
        if !(self.at(b'{') || self.at(b'(')) {
            return Err(self.expected("'{' or '('"));
        }
        self.skip_balanced("a metadata node")
    }
    /// Parses a metadata item that was skipped.
    pub(crate) fn deferred_metadata(&mut self, at: usize, position: usize) -> PResult<()> {
        self.jump(at)?;
        let item = if let Tok::MdName(name) = self.tok {
            TopLevel::NamedMetadata(self.named_node(name)?)
        } else {
            self.bump()?;
            TopLevel::Metadata(self.numbered_node()?)
        };
        self.env.order[position] = item;
        Ok(())
    }

    // Symbols.

    /// Binds `name` to `global`; a second definition is an error.
    pub(crate) fn define_symbol(&mut self, name: &Arc<str>, span: Span, global: GlobalRef) -> PResult<()> {
        if let Some(&first) = self.symbol_spans.get(name) {
            let kind = ParseErrorKind::Duplicate { what: "global", name: format!("@{name}").into() };
            let error = ParseError::new(span, kind, "defined again here");
            return Err(error.with_second(first, "first defined here").into());
        }
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
            self.check_global_number(name, span)?;
        }
        self.symbol_spans.insert(name.clone(), span);
        self.env.symbols.insert(name.clone(), global);
        Ok(())
    }
    fn check_global_number(&mut self, name: &str, span: Span) -> PResult<()> {
        let number: u32 = name.parse().map_err(|_| invalid(span, "the number of a global is too large"))?;
        if number < self.next_global {
            let kind =
                ParseErrorKind::WrongNumber { what: "global", expected: self.next_global, found: number };
            return Err(ParseError::new(span, kind, "this number is too small").into());
        }
        self.next_global = number.saturating_add(1);
        Ok(())
    }
    /// The canonical name of a `@name` or `@5` token.
    pub(crate) fn symbol_name(&mut self) -> PResult<Arc<str>> {
        let name = match self.tok {
            Tok::GlobalName(name) => names::canonical_numbered(name).into(),
            Tok::GlobalId(id) => id.to_string().into(),
            _ => return Err(self.expected("the name of a global")),
        };
        self.bump()?;
        Ok(name)
    }
    /// Treats `func`, which may have just been added to the environment, as a declaration implied by `span`.
    pub(crate) fn adopt_function(&mut self, func: FuncId, span: Span) {
        while self.code.len() < self.env.funcs.len() {
            self.code.push(Code::Declaration);
            self.spans.funcs[func].whole = span;
            self.spans.funcs[func].name = span;
        }
    }

    /// Declares an intrinsic that is called without a declaration, as LLVM does. The declaration is not in the order of
    /// the text; the printer puts such declarations at the end, sorted by name.
    pub(crate) fn declare_intrinsic(&mut self, name: &str, fn_ty: Type, span: Span) -> FuncId {
        let name: Arc<str> = name.into();
        let params = self.env.types.signature(fn_ty).map_or(0, |s| s.1.len());
        let id = self.env.funcs.push(Function::plain(name.clone(), fn_ty, params));
        self.code.push(Code::Declaration);
        self.spans.funcs[id].whole = span;
        self.spans.funcs[id].name = span;
        self.symbol_spans.insert(name.clone(), span);
        self.env.symbols.insert(name, GlobalRef::Func(id));
        id
    }

    /// Replaces the code of a function by its text, with a warning.
    pub(crate) fn make_opaque(&mut self, id: FuncId, warning: Warning) {
        let whole = self.spans.funcs[id].whole;
        let text = opaque_debug::with_records(self.lex.source, whole).into();
        self.code[id] = Code::Opaque(OpaqueCode { text, feature: warning.feature.clone() });
        self.spans.funcs[id].blocks.clear();
        self.spans.funcs[id].insts.clear();
        self.warnings.push(warning);
        debug_assert!(id.index() < self.env.funcs.len());
    }

    /// Skips a constant without its type: one token, or words and their brackets.
    pub(crate) fn skip_constant(&mut self) -> PResult<()> {
        loop {
            match self.tok {
                Tok::Punct(b'(' | b'[' | b'{' | b'<') => return self.skip_balanced("a constant"),
                Tok::Word(word) => {
                    self.bump()?;
                    let whole = matches!(
                        word,
                        "true" | "false" | "null" | "undef" | "poison" | "none" | "zeroinitializer"
                    );
                    if whole {
                        return Ok(());
                    }
                    // `no_cfi @f` and `dso_local_equivalent @f` continue with a name, all others with a bracket.
                    if !matches!(
                        self.tok,
                        Tok::Word(_) | Tok::Punct(b'(') | Tok::GlobalName(_) | Tok::GlobalId(_)
                    ) {
                        return Err(self.expected("a constant"));
                    }
                    if word == "inrange" && self.at(b'(') {
                        self.skip_balanced("a constant")?;
                    }
                }
                Tok::Int(_)
                | Tok::Float(_)
                | Tok::HexFloat(_)
                | Tok::Bytes(_)
                | Tok::GlobalName(_)
                | Tok::GlobalId(_) => return self.bump(),
                _ => return Err(self.expected("a constant")),
            }
        }
    }
}

/// A local name as shown in errors, with its sigil.
pub(crate) fn local_spelling(name: RawName<'_>) -> String {
    format!("%{}", names::canonical(name))
}
