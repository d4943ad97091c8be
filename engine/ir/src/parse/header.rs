//! Parses function headers, from `define` or `declare` to the body, whose extent is determined by its braces.

use super::attributes::AttrPlace;
use super::cursor::Parser;
use super::deferred::{BodyWork, Deferred, Param};
use super::error::{PResult, ParseError, ParseErrorKind, bad_linkage};
use super::lexer::Tok;
use super::spans::Span;
use crate::attr::AttrList;
use crate::constant::GlobalRef;
use crate::intrinsic::Intrinsic;
use crate::module::{Code, Function, Linkage, TopLevel};
use crate::types::Type;

/// A parameter list.
struct Params<'s> {
    params: Vec<Param<'s>>,
    attrs: Vec<AttrList>,
    vararg: bool,
}

/// Calling conventions that consist of a single word.
const CALLING_CONVENTIONS: [&str; 47] = [
    "ccc",
    "fastcc",
    "coldcc",
    "cfguard_checkcc",
    "x86_stdcallcc",
    "x86_fastcallcc",
    "x86_regcallcc",
    "x86_thiscallcc",
    "x86_vectorcallcc",
    "arm_apcscc",
    "arm_aapcscc",
    "arm_aapcs_vfpcc",
    "aarch64_vector_pcs",
    "aarch64_sve_vector_pcs",
    "aarch64_sme_preservemost_from_x0",
    "aarch64_sme_preservemost_from_x1",
    "aarch64_sme_preservemost_from_x2",
    "msp430_intrcc",
    "avr_intrcc",
    "avr_signalcc",
    "ptx_kernel",
    "ptx_device",
    "spir_kernel",
    "spir_func",
    "intel_ocl_bicc",
    "x86_64_sysvcc",
    "win64cc",
    "webkit_jscc",
    "anyregcc",
    "preserve_mostcc",
    "preserve_allcc",
    "preserve_nonecc",
    "ghccc",
    "swiftcc",
    "swifttailcc",
    "x86_intrcc",
    "hhvmcc",
    "hhvm_ccc",
    "cxx_fast_tlscc",
    "amdgpu_vs",
    "amdgpu_gfx",
    "amdgpu_ps",
    "amdgpu_cs",
    "amdgpu_kernel",
    "tailcc",
    "m68k_rtdcc",
    "graalcc",
];
/// Further calling conventions, specific to single targets.
const TARGET_CONVENTIONS: [&str; 11] = [
    "amdgpu_ls",
    "amdgpu_hs",
    "amdgpu_es",
    "amdgpu_gs",
    "amdgpu_cs_chain",
    "amdgpu_cs_chain_preserve",
    "amdgpu_gfx_whole_wave",
    "riscv_vector_cc",
    "riscv_vls_cc",
    "cheriot_compartmentcallcc",
    "cheriot_librarycallcc",
];

impl<'s> Parser<'s> {
    /// Parses a calling convention and returns its spelling; empty for the C convention.
    pub(crate) fn calling_convention(&mut self) -> PResult<Box<str>> {
        let Tok::Word(word) = self.tok else { return Ok("".into()) };
        let start = self.span;
        if word == "cc" {
            self.bump()?;
            let number = self.number_u32("the number of a calling convention")?;
            return Ok(if number == 0 { "".into() } else { self.text(self.since(start)).into() });
        }
        if !CALLING_CONVENTIONS.contains(&word) && !TARGET_CONVENTIONS.contains(&word) {
            return Ok("".into());
        }
        self.bump()?;
        if word == "riscv_vls_cc" && self.at(b'(') {
            self.skip_balanced("a calling convention")?;
        }
        Ok(if word == "ccc" { "".into() } else { self.text(self.since(start)).into() })
    }

    /// Parses a function declaration or definition.
    pub(crate) fn function(&mut self, defined: bool, deferred: &mut Vec<Deferred<'s>>) -> PResult<()> {
        let start = self.span;
        self.bump()?;
        let mut metadata_at = None;
        if !defined && matches!(self.tok, Tok::MdName(_)) {
            metadata_at = Some(self.span.start as usize);
            self.skip_attachments()?;
        }
        let prefix = self.prefix(false)?;
        let linkage = self.function_linkage(defined, prefix.linkage)?;
        let cc = self.calling_convention()?;
        let ret_attrs = self.attributes(AttrPlace::Value)?;
        let ret_span = self.span;
        let ret = self.ty()?;
        let ret_span = self.since(ret_span);
        if ret != Type::VOID && (!self.is_first_class(ret) || matches!(ret, Type::LABEL | Type::METADATA)) {
            return Err(self.bad_type(ret_span, "a type that a function can return is wanted", ret));
        }
        let name_span = self.span;
        let name = self.symbol_name()?;
        let list = self.params()?;
        let types: Vec<Type> = list.params.iter().map(|p| p.ty).collect();
        let mut unnamed_addr = "";
        for word in ["unnamed_addr", "local_unnamed_addr"] {
            if self.eat_word(word)? {
                unnamed_addr = word;
            }
        }
        let addrspace = self.opt_addrspace()?.unwrap_or(self.env.layout.program_space);
        let mut attrs = AttrList::default();
        let suffix = self.function_suffix(&mut attrs, deferred)?;
        if defined && matches!(self.tok, Tok::MdName(_)) {
            metadata_at = Some(self.span.start as usize);
            self.skip_attachments()?;
        }
        let ty = self.env.types.function(ret, &types, list.vararg);
        let id = self.env.funcs.push(Function {
            intrinsic: Intrinsic::from_function_name(&name),
            name: name.clone(),
            ty,
            linkage,
            prefix_words: prefix.words,
            cc,
            ret_attrs,
            param_attrs: list.attrs,
            unnamed_addr: unnamed_addr.into(),
            addrspace,
            attrs,
            suffix,
            metadata: Vec::new(),
            asm: None,
        });
        self.code.push(Code::Declaration);
        self.define_symbol(&name, name_span, GlobalRef::Func(id))?;
        self.env.order.push(TopLevel::Func(id));
        if let Some(at) = metadata_at {
            deferred.push(Deferred::FuncMetadata { id, at });
        }
        if defined {
            let (open, close) = self.skip_body()?;
            let work = BodyWork { func: id, params: list.params, open, close, ret: (ret, ret_span) };
            deferred.push(Deferred::Body(Box::new(work)));
        }
        self.spans.funcs[id].whole = self.since(start);
        self.spans.funcs[id].name = name_span;
        Ok(())
    }

    fn function_linkage(&self, defined: bool, linkage: Option<(Linkage, Span)>) -> PResult<Linkage> {
        let Some((linkage, span)) = linkage else { return Ok(Linkage::External) };
        let fits = match linkage {
            Linkage::External => true,
            Linkage::ExternWeak => !defined,
            Linkage::Appending | Linkage::Common => false,
            Linkage::Private
            | Linkage::Internal
            | Linkage::AvailableExternally
            | Linkage::Linkonce
            | Linkage::LinkonceOdr
            | Linkage::Weak
            | Linkage::WeakOdr => defined,
        };
        if fits {
            return Ok(linkage);
        }
        Err(bad_linkage(span, linkage, if defined { "function definition" } else { "function declaration" }))
    }
    /// Finds the extent of the body that begins here and moves past it.
    fn skip_body(&mut self) -> PResult<(usize, usize)> {
        if !self.at(b'{') {
            return Err(self.not_an_attribute("'{' and a function's body"));
        }
        let open = self.span;
        let Some(close) = self.lex.closing_brace(open.start as usize) else {
            let end = self.lex.source.len();
            let kind = ParseErrorKind::UnexpectedEnd { inside: "a function's body" };
            let error = ParseError::new(Span::new(end, end), kind, "the text ends here");
            return Err(error.with_second(open, "this brace is not closed").into());
        };
        self.jump(close)?;
        self.bump()?;
        Ok((open.start as usize, close))
    }
    fn skip_attachments(&mut self) -> PResult<()> {
        while matches!(self.tok, Tok::MdName(_)) {
            self.bump()?;
            self.skip_node()?;
        }
        Ok(())
    }

    /// Parses `(type attributes %name, …)`.
    fn params(&mut self) -> PResult<Params<'s>> {
        self.expect(b'(')?;
        let mut list = Params { params: Vec::new(), attrs: Vec::new(), vararg: false };
        if !self.at(b')') {
            loop {
                if self.tok == Tok::Ellipsis {
                    self.bump()?;
                    list.vararg = true;
                    break;
                }
                let (param, attrs) = self.param()?;
                list.params.push(param);
                list.attrs.push(attrs);
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.expect(b')')?;
        Ok(list)
    }
    fn param(&mut self) -> PResult<(Param<'s>, AttrList)> {
        let start = self.span;
        let ty = self.value_type()?;
        if ty == Type::LABEL {
            return Err(self.bad_type(self.since(start), "a type that a parameter can have is wanted", ty));
        }
        let attrs = self.attributes(AttrPlace::Value)?;
        let (mut name, mut number) = (None, None);
        let name_span = self.span;
        match self.tok {
            Tok::LocalName(raw) => name = Some(raw),
            Tok::LocalId(id) => number = Some(id),
            Tok::Punct(b',' | b')') => {}
            Tok::Word(_) => return Err(self.not_an_attribute("an attribute")),
            _ => return Err(self.expected("a parameter's name, ',' or ')'")),
        }
        if name.is_some() || number.is_some() {
            self.bump()?;
        }
        let span = if name.is_some() || number.is_some() { name_span } else { self.since(start) };
        Ok((Param { ty, span, name, number }, attrs))
    }

    /// Parses the attributes after the parameters and the clauses that are kept as spelled.
    fn function_suffix(
        &mut self,
        attrs: &mut AttrList,
        deferred: &mut Vec<Deferred<'s>>,
    ) -> PResult<Vec<Box<str>>> {
        let mut suffix = Vec::new();
        loop {
            let start = self.span;
            match self.tok {
                Tok::Word("section" | "partition" | "gc") => {
                    self.bump()?;
                    self.string("a string")?;
                }
                Tok::Word("comdat") => self.comdat()?,
                Tok::Word("align") => {
                    self.bump()?;
                    self.alignment()?;
                }
                Tok::Word("prefix" | "prologue" | "personality") => {
                    self.bump()?;
                    deferred.push(Deferred::Check { at: self.span.start as usize });
                    self.value_type()?;
                    self.skip_constant()?;
                }
                tok => {
                    if self.attribute(AttrPlace::Function, attrs)? {
                        continue;
                    }
                    if matches!(tok, Tok::Word(word) if !starts_item(word)) {
                        return Err(self.not_an_attribute("an attribute"));
                    }
                    return Ok(suffix);
                }
            }
            suffix.push(self.text(self.since(start)).into());
        }
    }
}

/// Whether `word` begins a top-level item and therefore ends a declaration.
fn starts_item(word: &str) -> bool {
    matches!(
        word,
        "define"
            | "declare"
            | "target"
            | "source_filename"
            | "module"
            | "attributes"
            | "uselistorder"
            | "uselistorder_bb"
    )
}
