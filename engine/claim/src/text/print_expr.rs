//! Prints expressions as LLVM does.
//!
//! Shared subexpressions are printed at each use, which can take exponential space. Text longer than the limit is
//! therefore truncated and ends in ` ...`. All expressions together may have a budget; once it is spent, each further
//! expression is truncated after [`SHORT`] bytes, so the total is linear in their number. Truncated text can't be read
//! back; the reader makes a note of each such line. No recursion.

use super::syntax::COULD_NOT_COMPUTE;
use super::typing::CUT;
use crate::claim::{Predicate, Range};
use crate::expr::{ExprId, Exprs, Flags, Foreign, Node};
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::{IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::print::{BodyPrinter, type_to_string, write_global_name};
use backedge_ir::types::Type;
use std::cell::Cell;
use std::fmt::Write as _;

/// The default length at which the text of one expression is truncated, in bytes. Expressions share operands, so their
/// text can be exponentially longer than their data.
pub(super) const DEFAULT_LIMIT: usize = 1 << 16;

/// The length at which expressions are truncated once the budget is spent, in bytes. A truncated expression can't be
/// read back.
pub(super) const SHORT: usize = 256;

/// Prints expressions about one body.
#[derive(Debug)]
pub struct ExprPrinter<'m> {
    env: &'m Env,
    pieces: BodyPrinter<'m>,
    limit: usize,
    /// The number of bytes left before expressions are truncated to [`SHORT`].
    left: Cell<usize>,
}

/// A piece still to be printed.
enum Task {
    Expr(ExprId),
    Text(&'static str),
    Type(Type),
    Flags(Flags),
    Header(Block),
}

impl<'m> ExprPrinter<'m> {
    /// A printer of expressions over `body`; each is truncated after `limit` bytes.
    pub fn new(env: &'m Env, body: &'m Body, limit: usize) -> Self {
        Self { env, pieces: BodyPrinter::new(env, body), limit, left: Cell::new(usize::MAX) }
    }
    /// Sets the number of bytes for all expressions together; once it is spent, each is truncated to [`SHORT`].
    #[must_use]
    pub fn budget(mut self, bytes: usize) -> Self {
        self.left = Cell::new(bytes);
        self
    }
    /// The printer of values, types and instructions of the body.
    pub fn pieces(&self) -> &BodyPrinter<'m> {
        &self.pieces
    }
    /// The text of `expr`.
    pub fn to_string(&self, exprs: &Exprs, expr: ExprId) -> String {
        let mut out = String::new();
        self.write(&mut out, exprs, expr);
        out
    }
    /// Appends the text of `expr`.
    pub fn write(&self, out: &mut String, exprs: &Exprs, expr: ExprId) {
        let start = out.len();
        let limit = if self.left.get() == 0 { self.limit.min(SHORT) } else { self.limit };
        let mut tasks = vec![Task::Expr(expr)];
        while let Some(task) = tasks.pop() {
            if out.len() - start > limit {
                // The blank separates the marker from a name.
                out.push(' ');
                out.push_str(CUT);
                break;
            }
            match task {
                Task::Expr(id) => self.node(out, exprs, id, &mut tasks),
                Task::Text(text) => out.push_str(text),
                Task::Type(ty) => out.push_str(&type_to_string(&self.env.types, ty)),
                Task::Flags(flags) => write_flags(out, flags),
                Task::Header(block) => _ = write!(out, "<{}>", self.pieces.block(block)),
            }
        }
        self.left.set(self.left.get().saturating_sub(out.len() - start));
    }
    /// The width of arithmetic on `ty`.
    fn width(&self, ty: Type) -> u32 {
        ty.int_bits().or_else(|| ty.ptr_space().map(|space| self.env.layout.index_bits(space))).unwrap_or(1)
    }
    /// The text of `expr`, preceded by its type.
    pub fn typed(&self, exprs: &Exprs, expr: ExprId) -> String {
        let mut out = String::new();
        self.write_typed(&mut out, exprs, expr);
        out
    }
    /// Appends a set of values of type `ty`.
    pub fn write_range(&self, out: &mut String, ty: Type, range: Range) {
        match range {
            Range::Full => out.push_str("full-set"),
            Range::Empty => out.push_str("empty-set"),
            Range::HalfOpen { lo, hi } => {
                let width = self.width(ty);
                _ = write!(out, "[{},{})", Int::new(width, lo), Int::new(width, hi));
            }
        }
    }
    /// The text of `predicate`.
    pub fn predicate(&self, exprs: &Exprs, predicate: &Predicate) -> String {
        let text = |expr: ExprId| self.to_string(exprs, expr);
        match predicate {
            Predicate::Compare { predicate: IntPredicate::Eq, lhs, rhs } => {
                format!("Equal predicate: {} == {}", text(*lhs), text(*rhs))
            }
            Predicate::Compare { predicate, lhs, rhs } => {
                format!("Compare predicate: {} {}) {}", text(*lhs), predicate.name(), text(*rhs))
            }
            Predicate::Wrap { addrec, nusw, nssw } => {
                let nusw = if *nusw { "<nusw>" } else { "" };
                let nssw = if *nssw { "<nssw>" } else { "" };
                format!("{} Added Flags: {nusw}{nssw}", text(*addrec))
            }
        }
    }
    /// Appends `expr`, preceded by its type.
    pub(super) fn write_typed(&self, out: &mut String, exprs: &Exprs, expr: ExprId) {
        out.push_str(&type_to_string(&self.env.types, exprs.ty(expr)));
        out.push(' ');
        self.write(out, exprs, expr);
    }
    /// Prints a leaf; for other nodes pushes their pieces onto the stack, last first.
    fn node(&self, out: &mut String, exprs: &Exprs, id: ExprId, tasks: &mut Vec<Task>) {
        match exprs.node(id) {
            Node::Int(int) => write_int(out, *int),
            Node::Unknown(value) => self.value(out, *value),
            Node::Foreign(constant) => self.foreign(out, constant),
            Node::VScale => out.push_str("vscale"),
            Node::CouldNotCompute => out.push_str(COULD_NOT_COMPUTE),
            Node::Cast(op, operand) => {
                out.push('(');
                out.push_str(op.name());
                out.push(' ');
                tasks.extend([
                    Task::Text(")"),
                    Task::Type(exprs.ty(id)),
                    Task::Text(" to "),
                    Task::Expr(*operand),
                    Task::Text(" "),
                    Task::Type(exprs.ty(*operand)),
                ]);
            }
            Node::UDiv(lhs, rhs) => {
                out.push('(');
                tasks.extend([Task::Text(")"), Task::Expr(*rhs), Task::Text(" /u "), Task::Expr(*lhs)]);
            }
            Node::Nary(op, operands, flags) => {
                out.push('(');
                tasks.extend([Task::Flags(*flags), Task::Text(")")]);
                push_separated(tasks, operands, &[" ", op.name(), " "]);
            }
            Node::AddRec { operands, header, flags } => {
                out.push('{');
                tasks.extend([Task::Header(*header), Task::Flags(*flags), Task::Text("}")]);
                push_separated(tasks, operands, &[",+,"]);
            }
        }
    }
    /// Appends the name of a value.
    pub(super) fn value(&self, out: &mut String, value: Value) {
        out.push_str(&self.pieces.operand(value));
    }
    fn foreign(&self, out: &mut String, constant: &Foreign) {
        match constant {
            Foreign::Undef => out.push_str("undef"),
            Foreign::Poison => out.push_str("poison"),
            Foreign::Null => out.push_str("null"),
            Foreign::Global(global) => {
                out.push('@');
                write_global_name(out, self.env.name_of(*global));
            }
            Foreign::Text(text) => out.push_str(text),
        }
    }
}

fn push_separated(tasks: &mut Vec<Task>, operands: &[ExprId], between: &[&'static str]) {
    for (i, operand) in operands.iter().enumerate().rev() {
        tasks.push(Task::Expr(*operand));
        if i > 0 {
            tasks.extend(between.iter().map(|text| Task::Text(text)));
        }
    }
}

fn write_flags(out: &mut String, flags: Flags) {
    for flag in flags.iter() {
        _ = write!(out, "<{}>", flag.name());
    }
}

fn write_int(out: &mut String, int: Int) {
    if int.width() == 1 {
        out.push_str(if int.is_zero() { "false" } else { "true" });
    } else {
        _ = write!(out, "{int}");
    }
}
