//! Prints the claims on one function as LLVM 22 does.
//!
//! Claims on one instruction's line are adjacent, in the order in which the reader creates them: the value's
//! expression, its ranges, its expression at scope with ranges, its exit value, its dispositions. A claim that fits
//! neither such a line nor the lines on loops is printed only with [`PrintOptions::scopes`].
//!
//! The text of expressions is bounded, individually and in total ([`PrintOptions`]). Truncated text ends in ` ...`; the
//! reader makes a note of each line that it could not read completely.

use super::classify::{DISPOSITIONS, UNKNOWN_EXIT};
use super::print_expr::{DEFAULT_LIMIT, ExprPrinter};
use crate::claim::{ClaimKind, Claims, Range, RecurrenceKind, Scope, Signedness};
use crate::expr::{ExprId, Flag};
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::{Env, Module};
use backedge_ir::print::write_global_name;
use std::fmt::Write as _;

/// How to print.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Also print the facts that LLVM's text can't express.
    pub scopes: bool,
    /// The length at which the text of one expression is truncated, in bytes.
    pub limit: usize,
    /// The number of bytes for all expressions of a function, in addition to [`SHARE`] per claim; once it is spent,
    /// each further expression is truncated earlier.
    pub budget: usize,
}

/// The contribution of each claim to the budget of a function's text, in bytes, so that many claims with short
/// expressions do not use it up.
const SHARE: usize = 64;

impl Default for PrintOptions {
    fn default() -> Self {
        Self { scopes: false, limit: DEFAULT_LIMIT, budget: 4 << 20 }
    }
}

/// The claims on a function of `module` as text; empty if the function has no modelled body.
pub fn print_claims(module: &Module, claims: &Claims, options: PrintOptions) -> String {
    module
        .body(claims.func)
        .map_or_else(String::new, |body| print_body_claims(&module.env, body, claims, options))
}

/// The claims on a function with the code `body`, as text.
pub fn print_body_claims(env: &Env, body: &Body, claims: &Claims, options: PrintOptions) -> String {
    let budget = options.budget.saturating_add(claims.claims.len().saturating_mul(SHARE));
    let printer = ExprPrinter::new(env, body, options.limit).budget(budget);
    let printer = ClaimPrinter { claims, printer };
    let mut name = String::new();
    write_global_name(&mut name, &env.funcs[claims.func].name);
    let mut out = String::new();
    let raw = raw_name(&env.funcs[claims.func].name);
    _ = writeln!(out, "Printing analysis 'Scalar Evolution Analysis' for function '{raw}':");
    _ = writeln!(out, "Classifying expressions for: @{name}");
    let mut rest = printer.expression_lines(&mut out);
    _ = writeln!(out, "Determining loop execution counts for: @{name}");
    rest = printer.count_lines(&mut out, body, &rest);
    if options.scopes && !rest.is_empty() {
        _ = writeln!(out, "Scoped facts for: @{name}");
        for index in rest {
            printer.scoped_line(&mut out, &claims.claims[index].kind);
        }
    }
    out
}

/// The raw name of a canonical spelling.
pub(super) fn raw_name(canonical: &str) -> String {
    let bytes = canonical.as_bytes();
    let mut raw = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at..].strip_prefix(b"\\").and_then(|b| b.get(..2));
        let byte = byte.and_then(|hex| u8::from_str_radix(str::from_utf8(hex).ok()?, 16).ok());
        raw.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&raw).into_owned()
}

pub(super) struct ClaimPrinter<'c, 'm> {
    pub(super) claims: &'c Claims,
    pub(super) printer: ExprPrinter<'m>,
}

/// The line of an instruction that is being printed.
struct Line {
    value: Value,
    expr: ExprId,
    ranges: [bool; 2],
    at_scope: bool,
    dispositions: bool,
}

impl ClaimPrinter<'_, '_> {
    pub(super) fn expr(&self, out: &mut String, expr: ExprId) {
        self.printer.write(out, &self.claims.exprs, expr);
    }
    /// Prints the lines of instructions; returns the remaining claims.
    fn expression_lines(&self, out: &mut String) -> Vec<usize> {
        let mut line: Option<Line> = None;
        let mut printed: EntitySet<Inst> = EntitySet::new();
        let mut rest = Vec::new();
        for (index, claim) in self.claims.claims.iter().enumerate() {
            if let ClaimKind::Value { value: Value::Inst(inst), expr } = claim.kind
                && printed.insert(inst)
            {
                end_line(out, line.take());
                _ = write!(out, "  {}\n  -->  ", self.printer.pieces().inst(inst));
                self.expr(out, expr);
                line = Some(Line {
                    value: inst.into(),
                    expr,
                    ranges: [false; 2],
                    at_scope: false,
                    dispositions: false,
                });
            } else if !line.as_mut().is_some_and(|line| self.goes_on(out, line, &claim.kind)) {
                rest.push(index);
            }
        }
        end_line(out, line);
        rest
    }
    /// Prints `kind` and returns true if the claim belongs to the current line.
    fn goes_on(&self, out: &mut String, line: &mut Line, kind: &ClaimKind) -> bool {
        match kind {
            ClaimKind::Range { expr, signedness, range, scope: Scope::Defining } if *expr == line.expr => {
                let slot = &mut line.ranges[usize::from(*signedness == Signedness::Signed)];
                if std::mem::replace(slot, true) {
                    return false;
                }
                self.range(out, *expr, *signedness, *range);
            }
            ClaimKind::ValueAtScope { value, expr } if *value == line.value && !line.at_scope => {
                out.push_str("  -->  ");
                self.expr(out, *expr);
                line.at_scope = true;
                line.expr = *expr;
                line.ranges = [false; 2];
            }
            ClaimKind::ExitValue { value, expr, .. } if *value == line.value => {
                out.push_str("\t\tExits: ");
                if self.claims.exprs.is_could_not_compute(*expr) {
                    out.push_str(UNKNOWN_EXIT);
                } else {
                    self.expr(out, *expr);
                }
            }
            ClaimKind::Disposition { value, header, disposition, .. } if *value == line.value => {
                out.push_str(if line.dispositions { ", " } else { "\t\tLoopDispositions: { " });
                line.dispositions = true;
                let word = DISPOSITIONS.iter().find(|(d, _)| d == disposition).map_or("", |(_, word)| word);
                _ = write!(out, "{}: {word}", self.printer.pieces().block(*header));
            }
            ClaimKind::Value { .. }
            | ClaimKind::ValueAtScope { .. }
            | ClaimKind::Flag { .. }
            | ClaimKind::Range { .. }
            | ClaimKind::ExitCount { .. }
            | ClaimKind::TakenCount { .. }
            | ClaimKind::TripMultiple { .. }
            | ClaimKind::Disposition { .. }
            | ClaimKind::ExitValue { .. }
            | ClaimKind::Recurrence { .. } => return false,
        }
        true
    }
    fn range(&self, out: &mut String, expr: ExprId, signedness: Signedness, range: Range) {
        out.push_str(if signedness == Signedness::Signed { " S: " } else { " U: " });
        self.printer.write_range(out, self.claims.exprs.ty(expr), range);
    }
    fn scope(&self, out: &mut String, scope: Scope) {
        _ = match scope {
            Scope::Defining => write!(out, " everywhere"),
            Scope::Loop(header) => write!(out, " in loop {}", self.printer.pieces().block(header)),
            Scope::Block(block) => write!(out, " from block {}", self.printer.pieces().block(block)),
        };
    }
    fn typed(&self, out: &mut String, expr: ExprId) {
        self.printer.write_typed(out, &self.claims.exprs, expr);
    }
    fn scoped_line(&self, out: &mut String, kind: &ClaimKind) {
        let pieces = self.printer.pieces();
        match kind {
            ClaimKind::Value { value, expr } | ClaimKind::ValueAtScope { value, expr } => {
                _ = write!(out, "  value {} = ", pieces.operand(*value));
                self.typed(out, *expr);
            }
            ClaimKind::Flag { expr, flag, scope } => self.scoped_flag(out, *expr, *flag, *scope),
            ClaimKind::Range { expr, signedness, range, scope } => {
                out.push_str("  range of ");
                self.typed(out, *expr);
                self.scope(out, *scope);
                self.range(out, *expr, *signedness, *range);
            }
            ClaimKind::ExitCount { header, block, edge: Some(edge), kind, count, predicates } => {
                _ = write!(
                    out,
                    "  edge {edge} of {} in loop {}",
                    pieces.block(*block),
                    pieces.block(*header)
                );
                self.edge_count(out, *kind, *count, predicates.as_deref());
                return;
            }
            ClaimKind::Recurrence { value, kind, start, step, header } => {
                _ = write!(out, "  recurrence {} = {} ", pieces.operand(*value), RecurrenceKind::name(*kind));
                self.typed(out, *start);
                out.push_str(", ");
                self.typed(out, *step);
                _ = write!(out, " in loop {}", pieces.block(*header));
            }
            // These claims belong on the line of their instruction or among the lines on loops, and that line is
            // missing.
            ClaimKind::ExitCount { edge: None, .. }
            | ClaimKind::TakenCount { .. }
            | ClaimKind::TripMultiple { .. }
            | ClaimKind::Disposition { .. }
            | ClaimKind::ExitValue { .. } => return,
        }
        out.push('\n');
    }
    fn scoped_flag(&self, out: &mut String, expr: ExprId, flag: Flag, scope: Scope) {
        _ = write!(out, "  flag {} of ", flag.name());
        self.typed(out, expr);
        self.scope(out, scope);
    }
}

fn end_line(out: &mut String, line: Option<Line>) {
    if let Some(line) = line {
        out.push_str(if line.dispositions { " }\n" } else { "\n" });
    }
}
