//! The parser's state and basic steps: one token of lookahead, error messages with the expected and the actual token,
//! nesting limits.

use super::error::{PResult, ParseError, ParseErrorKind, Stop, Warning, invalid};
use super::lexer::{Lexer, Tok};
use super::names;
use super::spans::{Span, Spans};
use super::tables::{BlockAddresses, TypeFacts};
use crate::constant::ConstPool;
use crate::entity::{CompoundId, Const, FuncId, PrimaryMap};
use crate::module::{Code, Env};
use crate::types::{Compound, Type, TypeKind, TypeTable};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// The maximum nesting depth of types, constants and metadata: the parser is recursive, and its stack must suffice for
/// any input.
pub(crate) const MAX_DEPTH: u32 = 200;

/// Parses one module in two phases. The first (`toplevel`) skips bodies and initializers by matching brackets, so that
/// every global becomes known; the second parses the skipped parts.
pub(crate) struct Parser<'s> {
    pub(crate) lex: Lexer<'s>,
    pub(crate) tok: Tok<'s>,
    /// The span of `tok`.
    pub(crate) span: Span,
    /// The end of the previous token.
    pub(crate) prev_end: u32,
    pub(crate) depth: u32,
    /// The smallest number that the next unnamed global may have.
    pub(crate) next_global: u32,
    pub(crate) env: Env,
    pub(crate) code: PrimaryMap<FuncId, Code>,
    pub(crate) spans: Spans,
    pub(crate) warnings: Vec<Warning>,
    /// `%name = type …` definitions of types other than structs.
    pub(crate) type_aliases: FxHashMap<Arc<str>, Type>,
    /// The first mention of each identified struct, and whether its definition has been seen.
    pub(crate) named_types: FxHashMap<CompoundId, (Span, bool)>,
    pub(crate) type_facts: TypeFacts,
    /// The first mention of each numbered metadata node.
    pub(crate) md_uses: FxHashMap<u32, Span>,
    /// The definition of each numbered metadata node.
    pub(crate) md_defs: FxHashMap<u32, Span>,
    /// The definition of each global.
    pub(crate) symbol_spans: FxHashMap<Arc<str>, Span>,
    /// Blocks whose addresses are taken.
    pub(crate) block_addresses: BlockAddresses,
}

impl<'s> Parser<'s> {
    pub(crate) fn new(source: &'s [u8]) -> Self {
        Self {
            lex: Lexer::new(source),
            tok: Tok::Eof,
            span: Span::default(),
            prev_end: 0,
            depth: 0,
            next_global: 0,
            env: Env::default(),
            code: PrimaryMap::new(),
            spans: Spans::default(),
            warnings: Vec::new(),
            type_aliases: FxHashMap::default(),
            named_types: FxHashMap::default(),
            type_facts: TypeFacts::default(),
            md_uses: FxHashMap::default(),
            md_defs: FxHashMap::default(),
            symbol_spans: FxHashMap::default(),
            block_addresses: BlockAddresses::default(),
        }
    }

    // Tokens.

    /// Advances to the next token.
    #[inline]
    pub(crate) fn bump(&mut self) -> PResult<()> {
        self.prev_end = self.span.end;
        (self.tok, self.span) = self.lex.next()?;
        Ok(())
    }
    /// Moves to the token at byte `pos`.
    pub(crate) fn jump(&mut self, pos: usize) -> PResult<()> {
        self.lex.pos = pos;
        self.prev_end = pos as u32;
        (self.tok, self.span) = self.lex.next()?;
        Ok(())
    }
    /// Consumes the punctuation `b` if it is next.
    #[inline]
    pub(crate) fn eat(&mut self, b: u8) -> PResult<bool> {
        let found = self.tok == Tok::Punct(b);
        if found {
            self.bump()?;
        }
        Ok(found)
    }
    /// Consumes the punctuation `b`; it must be next.
    #[inline]
    pub(crate) fn expect(&mut self, b: u8) -> PResult<()> {
        if self.tok == Tok::Punct(b) { self.bump() } else { Err(self.expected(punct_name(b))) }
    }
    #[inline]
    pub(crate) fn at(&self, b: u8) -> bool {
        self.tok == Tok::Punct(b)
    }
    #[inline]
    pub(crate) fn at_word(&self, word: &str) -> bool {
        matches!(self.tok, Tok::Word(w) if w == word)
    }
    /// Consumes a comma that precedes an operand; leaves a comma that precedes metadata.
    pub(crate) fn eat_comma_before_operand(&mut self) -> PResult<bool> {
        if !self.at(b',') {
            return Ok(false);
        }
        let mut ahead = self.lex.clone();
        ahead.skip_trivia()?;
        if ahead.source.get(ahead.pos) == Some(&b'!') {
            return Ok(false);
        }
        self.bump()?;
        Ok(true)
    }
    /// Consumes `word` if it is next.
    #[inline]
    pub(crate) fn eat_word(&mut self, word: &str) -> PResult<bool> {
        let found = self.at_word(word);
        if found {
            self.bump()?;
        }
        Ok(found)
    }
    pub(crate) fn expect_word(&mut self, word: &'static str) -> PResult<()> {
        if self.at_word(word) { self.bump() } else { Err(self.expected(&format!("'{word}'"))) }
    }
    /// Parses a string literal; returns its canonical spelling.
    pub(crate) fn string(&mut self, what: &str) -> PResult<Cow<'s, str>> {
        let Tok::Str(raw) = self.tok else { return Err(self.expected(what)) };
        self.bump()?;
        Ok(names::canonical_quoted(raw))
    }
    /// Parses an unsigned decimal number.
    pub(crate) fn number(&mut self, what: &str) -> PResult<u64> {
        let Tok::Int(text) = self.tok else { return Err(self.expected(what)) };
        let span = self.span;
        let Ok(number) = text.parse() else {
            let kind = ParseErrorKind::NumberTooLarge(text.into());
            return Err(ParseError::new(span, kind, format!("{what} goes here")).into());
        };
        self.bump()?;
        Ok(number)
    }
    pub(crate) fn number_u32(&mut self, what: &str) -> PResult<u32> {
        let span = self.span;
        let number = self.number(what)?;
        u32::try_from(number).map_err(|_| {
            let kind = ParseErrorKind::NumberTooLarge(number.to_string().into());
            ParseError::new(span, kind, format!("{what} goes here")).into()
        })
    }
    /// Parses `(N)` after `addrspace`.
    pub(crate) fn addrspace_arg(&mut self) -> PResult<u32> {
        self.expect(b'(')?;
        let span = self.span;
        let space = match self.tok {
            Tok::Str(b"A") => {
                self.bump()?;
                self.env.layout.alloca_space
            }
            Tok::Str(b"G") => {
                self.bump()?;
                self.env.layout.globals_space
            }
            Tok::Str(b"P") => {
                self.bump()?;
                self.env.layout.program_space
            }
            _ => self.number_u32("an address space")?,
        };
        if space >= 1 << 24 {
            return Err(invalid(span, "an address space has at most 24 bits"));
        }
        self.expect(b')')?;
        Ok(space)
    }
    /// Parses `addrspace(N)` if it is next.
    pub(crate) fn opt_addrspace(&mut self) -> PResult<Option<u32>> {
        if self.eat_word("addrspace")? { Ok(Some(self.addrspace_arg()?)) } else { Ok(None) }
    }
    /// Parses an alignment in bytes, a power of two.
    pub(crate) fn alignment(&mut self) -> PResult<u64> {
        let span = self.span;
        let paren = self.eat(b'(')?;
        let align = self.number("an alignment")?;
        if paren {
            self.expect(b')')?;
        }
        if !align.is_power_of_two() {
            return Err(invalid(span, "an alignment is a power of two"));
        }
        if align > 1 << 32 {
            return Err(invalid(span, "alignments end at 2^32"));
        }
        Ok(align)
    }

    // Text.

    /// The source text of `span`, to be kept verbatim.
    pub(crate) fn text(&self, span: Span) -> Cow<'s, str> {
        names::carried(&self.lex.source[span.range()])
    }
    /// From `start` to the end of the previous token.
    pub(crate) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.prev_end.max(start.start) }
    }

    // Errors.

    /// The error that names the expected text.
    pub(crate) fn expected(&self, what: &str) -> Box<Stop> {
        self.expected_error(what).into()
    }
    pub(crate) fn expected_error(&self, what: &str) -> ParseError {
        let kind = ParseErrorKind::Expected { expected: what.into(), found: self.found().into() };
        ParseError::new(self.span, kind, format!("expected {what}"))
    }
    /// The current token as shown in errors.
    fn found(&self) -> String {
        if self.tok == Tok::Eof {
            return "the end of the text".to_owned();
        }
        let text = self.text(self.span);
        let short: String = text.chars().take(40).collect();
        if short.len() < text.len() { format!("'{short}…'") } else { format!("'{short}'") }
    }
    pub(crate) fn bad_type(&self, span: Span, what: &'static str, ty: Type) -> Box<Stop> {
        let ty = type_text(&self.env.types, ty);
        let label = format!("this is '{ty}'");
        ParseError::new(span, ParseErrorKind::BadType { what, ty: ty.into() }, label).into()
    }
    pub(crate) fn bad_constant(&self, span: Span, what: impl Into<Box<str>>, ty: Type) -> Box<Stop> {
        let what = what.into();
        let ty: Box<str> = type_text(&self.env.types, ty).into();
        let label = format!("wanted: a constant of type '{ty}'");
        ParseError::new(span, ParseErrorKind::BadConstant { what, ty }, label).into()
    }
    pub(crate) fn wrong_type(&self, span: Span, expected: Type, found: Type) -> Box<Stop> {
        let text = |ty| -> Box<str> { type_text(&self.env.types, ty).into() };
        let kind = ParseErrorKind::WrongType { expected: text(expected), found: text(found) };
        ParseError::new(span, kind, format!("expected '{}'", text(expected))).into()
    }
    pub(crate) fn mismatch(&self, span: Span, expected: Type, found: Type) -> ParseError {
        let (expected, found) = (type_text(&self.env.types, expected), type_text(&self.env.types, found));
        let label = format!("expected '{expected}'");
        let name = self.text(span);
        let name = name.chars().take(60).collect::<String>().into();
        let kind = ParseErrorKind::TypeMismatch { name, expected: expected.into(), found: found.into() };
        ParseError::new(span, kind, label)
    }

    // Nesting.

    /// Runs `inner` one nesting level deeper.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        if self.depth >= MAX_DEPTH {
            let kind = ParseErrorKind::TooDeep(MAX_DEPTH);
            return Err(ParseError::new(self.span, kind, "this is nested too deep").into());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Runs `inner` with the module's pool of constants.
    pub(crate) fn with_module_pool<T>(
        &mut self,
        inner: impl FnOnce(&mut Self, &mut ConstPool) -> PResult<T>,
    ) -> PResult<T> {
        let mut pool = std::mem::take(&mut self.env.consts);
        let result = inner(self, &mut pool);
        self.env.consts = pool;
        result
    }
    /// Parses a constant into the module's pool.
    pub(crate) fn module_constant(&mut self, ty: Type) -> PResult<Const> {
        self.with_module_pool(|p, pool| p.constant(pool, ty))
    }
}

fn punct_name(b: u8) -> &'static str {
    match b {
        b',' => "','",
        b'=' => "'='",
        b'(' => "'('",
        b')' => "')'",
        b'[' => "'['",
        b']' => "']'",
        b'{' => "'{'",
        b'}' => "'}'",
        b'<' => "'<'",
        b'>' => "'>'",
        b'|' => "'|'",
        _ => "punctuation",
    }
}

/// A type as shown in errors. Recursion is bounded by the parser's nesting limit for literal types.
pub(crate) fn type_text(types: &TypeTable, ty: Type) -> String {
    let list = |items: &[Type]| items.iter().map(|t| type_text(types, *t)).collect::<Vec<_>>().join(", ");
    let TypeKind::Compound(id) = ty.kind() else { return format!("{ty:?}") };
    match types.get(id) {
        Compound::Array { len, elem } => format!("[{len} x {}]", type_text(types, *elem)),
        Compound::Vector { len, elem, scalable } => {
            format!("<{}{len} x {}>", if *scalable { "vscale x " } else { "" }, type_text(types, *elem))
        }
        Compound::Struct { fields, packed: false } => format!("{{ {} }}", list(fields)),
        Compound::Struct { fields, packed: true } => format!("<{{ {} }}>", list(fields)),
        Compound::Named { name } => format!("%{name}"),
        Compound::Function { ret, params, vararg } => {
            let dots = match (vararg, params.is_empty()) {
                (false, _) => "",
                (true, true) => "...",
                (true, false) => ", ...",
            };
            format!("{} ({}{dots})", type_text(types, *ret), list(params))
        }
        Compound::Target { text } => text.to_string(),
    }
}
