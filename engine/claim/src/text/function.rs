//! Reads the text about one function, line by line, into claims.
//!
//! ```text
//! Classifying expressions for: @f
//!   %x = add i32 %a, 1                      the instruction; further lines up to the arrow belong to it
//!   -->  (1 + %a) U: full-set S: full-set   its expression and ranges; in a loop further fields, see `classify`
//! Determining loop execution counts for: @f
//! Loop %h: …                              see `counts`
//!   exit count for latch: …
//! Scoped facts for: @f                    not LLVM's, see `scoped`
//! ```

use super::cursor::Cursor;
use super::error::{Stop, TextError};
use super::names::Names;
use super::typing::Untyped;
use crate::claim::{ClaimKind, Claims, Note, Source};
use crate::expr::ExprId;
use crate::loops::NaturalLoops;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The maximum number of notes kept for one function; further ones are counted only. Bounds the memory for a text in an
/// unknown format.
const MAX_NOTES: usize = 1000;

/// The part of the text that the current line belongs to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Section {
    Expressions,
    Counts,
    Scoped,
}

/// The claim that lines of predicates belong to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Assumed {
    /// None: a predicate line is an error.
    No,
    /// The most recent claim.
    LastClaim,
    /// A claim that was left out; predicate lines are ignored.
    LeftOut,
}

/// For each loop and prefix of a count line, the number of lines so far that named an exiting block without a name.
pub(super) type UnnamedSeen = FxHashMap<(Block, &'static str), usize>;

/// The part of the text about one function that has been read so far.
pub(super) struct FunctionText<'m> {
    pub(super) names: Names<'m>,
    pub(super) loops: NaturalLoops,
    pub(super) claims: Claims,
    pub(super) assumed: Assumed,
    pub(super) loop_header: Option<Block>,
    pub(super) unnamed_seen: UnnamedSeen,
    section: Section,
    pending: Option<Value>,
}

impl<'m> FunctionText<'m> {
    pub(super) fn new(env: &'m Env, func: FuncId, body: &'m Body) -> Self {
        Self {
            names: Names::new(env, body),
            loops: NaturalLoops::new(body),
            claims: Claims::new(func),
            assumed: Assumed::No,
            loop_header: None,
            unnamed_seen: FxHashMap::default(),
            section: Section::Expressions,
            pending: None,
        }
    }
    /// Enters the section of counts; false if the text has already left the section of expressions.
    pub(super) fn enter_counts(&mut self) -> bool {
        let fresh = self.section == Section::Expressions;
        self.section = Section::Counts;
        fresh
    }
    pub(super) fn enter_scoped(&mut self) {
        self.section = Section::Scoped;
    }
    /// Whether the next line continues a multi-line instruction.
    pub(super) fn is_within_instruction(&self) -> bool {
        self.pending.is_some()
    }
    /// Reads one line.
    pub(super) fn line(&mut self, line: &[u8], number: u64) -> Result<(), TextError> {
        let mut cursor = Cursor::new(line, number);
        let result = self.dispatch(&mut cursor);
        self.settle(result, number)
    }
    /// Records a note for a line longer than the limit.
    pub(super) fn overlong(&mut self, start: &[u8], number: u64, limit: usize) {
        if start.starts_with(b"  -->") || !start.starts_with(b"  ") {
            self.pending = None;
        }
        self.assumed = Assumed::LeftOut;
        self.note(number, format!("a line longer than {limit} bytes"));
    }
    fn settle(&mut self, result: Result<(), Stop>, number: u64) -> Result<(), TextError> {
        match result {
            Ok(()) => Ok(()),
            Err(Stop::Wrong(error)) => Err(error),
            Err(Stop::Beyond(why)) => {
                self.note(number, why);
                Ok(())
            }
        }
    }
    pub(super) fn note(&mut self, line: u64, text: impl Into<Box<str>>) {
        if self.claims.notes.len() < MAX_NOTES {
            self.claims.notes.push(Note { source: Source::Line(line), text: text.into() });
        }
    }
    pub(super) fn push(&mut self, cursor: &Cursor<'_>, kind: ClaimKind) {
        self.claims.push(kind, Source::Line(cursor.line_number()));
    }
    /// Reads an expression; `expected` is its type if the text alone does not determine one.
    pub(super) fn expr(&mut self, cursor: &mut Cursor<'_>, expected: Option<Type>) -> Result<ExprId, Stop> {
        let read = Untyped::read(&self.names, cursor)?;
        read.build(&self.names, &mut self.claims.exprs, expected)
    }
    fn dispatch(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if cursor.rest().iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        match self.section {
            Section::Expressions => self.expression_line(cursor),
            Section::Counts => self.count_line(cursor),
            Section::Scoped => self.scoped_line(cursor),
        }
    }
    fn expression_line(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if cursor.sees("  -->") {
            let Some(value) = self.pending.take() else {
                return Err(cursor.error("an instruction in front of its expression").into());
            };
            return self.classified(cursor, value);
        }
        if self.pending.is_some() {
            return Ok(());
        }
        cursor.expect("  ")?;
        let value = self.names.value(cursor)?;
        cursor.expect(" = ")?;
        self.pending = Some(value);
        Ok(())
    }
}
