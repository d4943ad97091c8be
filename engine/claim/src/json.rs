//! Claims as records for JSON lines: one object per claim, with names and expressions as text.
//!
//! Each object has `function`, `index` (which identifies the claim), `claim` (its kind), `line` if the claim was read
//! from a text, and the fields of its kind. Expressions are spelled as in the text of claims, preceded by their types.

use crate::claim::{
    Claim, ClaimKind, Claims, CountKind, Disposition, Predicate, Range, Scope, Signedness, Source,
};
use crate::expr::ExprId;
use crate::text::ExprPrinter;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use serde::Serialize;

/// One claim as a record.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "each field is the part of the claim that it is named after")]
pub struct Record {
    pub function: String,
    pub index: usize,
    pub claim: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expr: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#loop: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signedness: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub max_or_zero: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicates: Option<Vec<String>>,
}

/// The claims on a function of `module` as records; expressions are truncated after `limit` bytes.
pub fn records(module: &Module, claims: &Claims, limit: usize) -> Vec<Record> {
    let Some(body) = module.body(claims.func) else { return Vec::new() };
    let writer = Writer { claims, printer: ExprPrinter::new(&module.env, body, limit) };
    let function = &module.env.funcs[claims.func].name;
    let record = |(index, claim): (usize, &Claim)| {
        let line = if let Source::Line(line) = claim.source { Some(line) } else { None };
        Record { function: function.to_string(), index, line, ..writer.record(&claim.kind) }
    };
    claims.claims.iter().enumerate().map(record).collect()
}

struct Writer<'c, 'm> {
    claims: &'c Claims,
    printer: ExprPrinter<'m>,
}

impl Writer<'_, '_> {
    fn expr(&self, expr: ExprId) -> Option<String> {
        Some(self.printer.typed(&self.claims.exprs, expr))
    }
    fn value(&self, value: Value) -> Option<String> {
        Some(self.printer.pieces().operand(value))
    }
    fn block(&self, block: Block) -> Option<String> {
        Some(self.printer.pieces().block(block))
    }
    fn scope(&self, scope: Scope) -> Option<String> {
        Some(match scope {
            Scope::Defining => "everywhere".to_owned(),
            Scope::Block(block) => format!("from block {}", self.printer.pieces().block(block)),
            Scope::Loop(header) => format!("in loop {}", self.printer.pieces().block(header)),
        })
    }
    fn predicates(&self, predicates: Option<&[Predicate]>) -> Option<Vec<String>> {
        let predicate = |p: &Predicate| self.printer.predicate(&self.claims.exprs, p);
        predicates.map(|list| list.iter().map(predicate).collect())
    }
    fn record(&self, kind: &ClaimKind) -> Record {
        let claim = name_of(kind);
        let empty = Record { claim, ..Record::default() };
        match kind {
            ClaimKind::Value { value, expr } | ClaimKind::ValueAtScope { value, expr } => {
                Record { value: self.value(*value), expr: self.expr(*expr), ..empty }
            }
            ClaimKind::Flag { expr, flag, scope } => {
                Record { expr: self.expr(*expr), flag: Some(flag.name()), scope: self.scope(*scope), ..empty }
            }
            ClaimKind::Range { expr, signedness, range, scope } => Record {
                expr: self.expr(*expr),
                signedness: Some(signedness_name(*signedness)),
                range: Some(self.range(*expr, *range)),
                scope: self.scope(*scope),
                ..empty
            },
            ClaimKind::ExitCount { header, block, edge, kind, count, predicates } => Record {
                r#loop: self.block(*header),
                block: self.block(*block),
                edge: *edge,
                kind: Some(count_name(*kind)),
                expr: self.expr(*count),
                predicates: self.predicates(predicates.as_deref()),
                ..empty
            },
            ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates } => Record {
                r#loop: self.block(*header),
                kind: Some(count_name(*kind)),
                expr: self.expr(*count),
                max_or_zero: *max_or_zero,
                predicates: self.predicates(predicates.as_deref()),
                ..empty
            },
            ClaimKind::TripMultiple { header, multiple } => {
                Record { r#loop: self.block(*header), multiple: Some(*multiple), ..empty }
            }
            ClaimKind::Disposition { value, expr, header, disposition } => Record {
                value: self.value(*value),
                expr: self.expr(*expr),
                r#loop: self.block(*header),
                kind: Some(disposition_name(*disposition)),
                ..empty
            },
            ClaimKind::ExitValue { value, header, expr } => Record {
                value: self.value(*value),
                r#loop: self.block(*header),
                expr: self.expr(*expr),
                ..empty
            },
            ClaimKind::Recurrence { value, kind, start, step, header } => Record {
                value: self.value(*value),
                kind: Some(kind.name()),
                start: self.expr(*start),
                step: self.expr(*step),
                r#loop: self.block(*header),
                ..empty
            },
        }
    }
    fn range(&self, expr: ExprId, range: Range) -> String {
        let mut out = String::new();
        self.printer.write_range(&mut out, self.claims.exprs.ty(expr), range);
        out
    }
}

/// The name of a kind of claim.
pub fn name_of(kind: &ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Value { .. } => "value",
        ClaimKind::ValueAtScope { .. } => "value-at-scope",
        ClaimKind::Flag { .. } => "flag",
        ClaimKind::Range { .. } => "range",
        ClaimKind::ExitCount { .. } => "exit-count",
        ClaimKind::TakenCount { .. } => "taken-count",
        ClaimKind::TripMultiple { .. } => "trip-multiple",
        ClaimKind::Disposition { .. } => "disposition",
        ClaimKind::ExitValue { .. } => "exit-value",
        ClaimKind::Recurrence { .. } => "recurrence",
    }
}

fn signedness_name(signedness: Signedness) -> &'static str {
    match signedness {
        Signedness::Unsigned => "unsigned",
        Signedness::Signed => "signed",
    }
}

fn count_name(kind: CountKind) -> &'static str {
    match kind {
        CountKind::Exact => "exact",
        CountKind::ConstantMax => "constant-max",
        CountKind::SymbolicMax => "symbolic-max",
    }
}

fn disposition_name(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Variant => "variant",
        Disposition::Invariant => "invariant",
        Disposition::Computable => "computable",
        Disposition::Uniform => "uniform",
    }
}
