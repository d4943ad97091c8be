//! Describes one claim in one line, for messages: the claimed fact, its subject and its scope.

use super::print_expr::{DEFAULT_LIMIT, ExprPrinter};
use crate::claim::{ClaimKind, Claims, CountKind, Predicate, Range, Scope, Signedness};
use crate::derive::DerivedFlag;
use crate::expr::ExprId;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::module::Env;

/// Describes the claims on one function in words.
pub struct Describer<'c, 'm> {
    claims: &'c Claims,
    printer: ExprPrinter<'m>,
}

impl<'c, 'm> Describer<'c, 'm> {
    /// A describer of `claims` on the function with the code `body`.
    pub fn new(env: &'m Env, body: &'m Body, claims: &'c Claims) -> Self {
        Self { claims, printer: ExprPrinter::new(env, body, DEFAULT_LIMIT) }
    }
    /// Describes the claim with this index.
    pub fn claim(&self, index: usize) -> String {
        self.kind(&self.claims.claims[index].kind)
    }
    /// Describes a flag on an expression of a claim.
    pub fn flag(&self, flag: DerivedFlag) -> String {
        format!("{} is <{}>{}", self.expr(flag.expr), flag.flag.name(), self.scope(flag.scope))
    }
    fn kind(&self, kind: &ClaimKind) -> String {
        let (expr, value) = (|e| self.expr(e), |v| self.value(v));
        let block = |b: Block| self.block(b);
        match kind {
            ClaimKind::Value { value: v, expr: e } => format!("{} is {}", value(*v), expr(*e)),
            ClaimKind::ValueAtScope { value: v, expr: e } => {
                format!("{} is {} as seen from the loop around it", value(*v), expr(*e))
            }
            ClaimKind::Flag { expr: e, flag, scope } => {
                format!("{} is <{}>{}", expr(*e), flag.name(), self.scope(*scope))
            }
            ClaimKind::Range { expr: e, signedness, range, scope } => {
                let of = match signedness {
                    Signedness::Unsigned => "unsigned",
                    Signedness::Signed => "signed",
                };
                format!(
                    "{} lies in the {of} range {}{}",
                    expr(*e),
                    self.range(*e, *range),
                    self.scope(*scope)
                )
            }
            ClaimKind::ExitCount { header, block: b, edge, kind, count, predicates } => {
                let edge = edge.map_or(String::new(), |e| format!(" over edge {e}"));
                format!(
                    "loop {}: {} of {}{edge} is {}{}",
                    block(*header),
                    count_words(*kind, "exit count"),
                    block(*b),
                    expr(*count),
                    self.under(predicates.as_deref())
                )
            }
            ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates } => {
                let or_zero = if *max_or_zero { ", or the loop leaves at once" } else { "" };
                format!(
                    "loop {}: {} is {}{or_zero}{}",
                    block(*header),
                    count_words(*kind, "backedge-taken count"),
                    expr(*count),
                    self.under(predicates.as_deref())
                )
            }
            ClaimKind::TripMultiple { header, multiple } => {
                format!("loop {}: the trip count is a multiple of {multiple}", block(*header))
            }
            ClaimKind::Disposition { value: v, header, disposition, .. } => {
                format!("{} is {disposition:?} in loop {}", value(*v), block(*header))
            }
            ClaimKind::ExitValue { value: v, header, expr: e } => {
                format!("{} is {} when loop {} is left", value(*v), expr(*e), block(*header))
            }
            ClaimKind::Recurrence { value: v, kind, start, step, header } => format!(
                "{} begins as {} and takes {} with {} in each iteration of loop {}",
                value(*v),
                expr(*start),
                kind.name(),
                expr(*step),
                block(*header)
            ),
        }
    }
    fn under(&self, predicates: Option<&[Predicate]>) -> String {
        let Some(predicates) = predicates else { return String::new() };
        let one = |p: &Predicate| self.printer.predicate(&self.claims.exprs, p);
        format!(" if {}", predicates.iter().map(one).collect::<Vec<_>>().join(" and "))
    }
    fn range(&self, expr: ExprId, range: Range) -> String {
        let mut out = String::new();
        self.printer.write_range(&mut out, self.claims.exprs.ty(expr), range);
        out
    }
    fn scope(&self, scope: Scope) -> String {
        match scope {
            Scope::Defining => " wherever it is defined".to_owned(),
            Scope::Block(block) => format!(" from block {} on", self.block(block)),
            Scope::Loop(block) => format!(" in loop {}", self.block(block)),
        }
    }
    fn expr(&self, expr: ExprId) -> String {
        self.printer.to_string(&self.claims.exprs, expr)
    }
    fn value(&self, value: Value) -> String {
        self.printer.pieces().operand(value).to_string()
    }
    fn block(&self, block: Block) -> String {
        self.printer.pieces().block(block).to_string()
    }
}

fn count_words(kind: CountKind, of: &str) -> String {
    match kind {
        CountKind::Exact => format!("the {of}"),
        CountKind::ConstantMax => format!("the greatest {of}"),
        CountKind::SymbolicMax => format!("the symbolic greatest {of}"),
    }
}
