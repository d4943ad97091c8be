//! Source positions: byte ranges, the spans of a module's entities, and conversion of an offset to line and column,
//! which is computed only for positions that are shown.

use crate::entity::{AliasId, Block, EntityId, FuncId, GlobalId, Inst, PrimaryMap, SecondaryMap};

/// A range of source bytes, `start..end`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// One past the offset of the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`; the source is below 4 GiB, so every offset fits.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }
    /// The range as `usize`, for indexing the source.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
    /// From the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.start) }
    }
}

/// The spans of the parts of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct FunctionSpans {
    pub(crate) whole: Span,
    pub(crate) name: Span,
    pub(crate) blocks: Vec<Span>,
    pub(crate) insts: Vec<Span>,
}

/// The spans of a module's entities in its source.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    pub(crate) funcs: SecondaryMap<FuncId, FunctionSpans>,
    pub(crate) globals: SecondaryMap<GlobalId, Span>,
    pub(crate) aliases: PrimaryMap<AliasId, Span>,
}

impl Spans {
    /// The whole text of a function, including `define` or `declare`.
    pub fn func(&self, func: FuncId) -> Span {
        self.funcs[func].whole
    }
    /// The name of a function in its header, with its sigil.
    pub fn func_name(&self, func: FuncId) -> Span {
        self.funcs[func].name
    }
    /// A block's label, or its first instruction if it has no label. `None` for blocks created after parsing.
    pub fn block(&self, func: FuncId, block: Block) -> Option<Span> {
        self.funcs[func].blocks.get(block.index()).copied()
    }
    /// An instruction with its result's name and its attachments. `None` for instructions created after parsing.
    pub fn inst(&self, func: FuncId, inst: Inst) -> Option<Span> {
        self.funcs[func].insts.get(inst.index()).copied()
    }
    /// The definition or declaration of a global variable.
    pub fn global(&self, global: GlobalId) -> Span {
        self.globals[global]
    }
    /// The definition of an alias. `None` for aliases created after parsing.
    pub fn alias(&self, alias: AliasId) -> Option<Span> {
        self.aliases.get(alias).copied()
    }
}

/// A human-readable position: one-based line and column, columns in bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// The line, starting at 1.
    pub line: u32,
    /// The byte in the line, starting at 1.
    pub column: u32,
}

/// The starts of a source's lines.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    /// Finds the lines of `source`.
    pub fn new(source: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', source).map(|i| i as u32 + 1));
        Self { starts, len: source.len() as u32 }
    }
    /// The line and column of the byte at `offset`, or of the end of the text if `offset` exceeds it.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|s| *s <= offset) - 1;
        LineCol { line: line as u32 + 1, column: offset - self.starts[line] + 1 }
    }
    /// The bytes of line `line` (starting at 1) without its line feed.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.len, |next| next - 1);
        Some(Span { start, end })
    }
}
