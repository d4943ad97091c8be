//! Prints the lines on loops: see [`super::counts`] for the format.

use super::print::{ClaimPrinter, raw_name};
use crate::claim::{ClaimKind, CountKind, Predicate};
use crate::expr::ExprId;
use crate::loops::NaturalLoops;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use std::fmt::Write as _;

/// The loop of a claim that is printed among the lines on loops, and the rank of its line in that loop.
fn place(kind: &ClaimKind) -> Option<(Block, u32)> {
    match kind {
        ClaimKind::TakenCount { header, kind, predicates, .. } => {
            let rank = match (kind, predicates.is_some()) {
                (CountKind::Exact, false) => 0,
                (CountKind::ConstantMax, false) => 2,
                (CountKind::SymbolicMax, false) => 3,
                (CountKind::Exact, true) => 5,
                (CountKind::ConstantMax, true) => 6,
                (CountKind::SymbolicMax, true) => 7,
            };
            Some((*header, rank))
        }
        ClaimKind::ExitCount { header, edge: None, kind, .. } => match kind {
            CountKind::Exact => Some((*header, 1)),
            CountKind::SymbolicMax => Some((*header, 4)),
            CountKind::ConstantMax => None,
        },
        ClaimKind::TripMultiple { header, .. } => Some((*header, 8)),
        ClaimKind::ExitCount { edge: Some(_), .. }
        | ClaimKind::Value { .. }
        | ClaimKind::ValueAtScope { .. }
        | ClaimKind::Flag { .. }
        | ClaimKind::Range { .. }
        | ClaimKind::Disposition { .. }
        | ClaimKind::ExitValue { .. }
        | ClaimKind::Recurrence { .. } => None,
    }
}

impl ClaimPrinter<'_, '_> {
    /// Prints the lines on loops, loops in order of their first claim; returns those claims of `indices` that remain.
    pub(super) fn count_lines(&self, out: &mut String, body: &Body, indices: &[usize]) -> Vec<usize> {
        let mut order: Vec<Block> = Vec::new();
        let mut lines: Vec<(usize, u32, usize)> = Vec::new();
        let mut rest = Vec::new();
        for &index in indices {
            let Some((header, rank)) = place(&self.claims.claims[index].kind) else {
                rest.push(index);
                continue;
            };
            // Claims on one loop are usually adjacent.
            let position = order.iter().rposition(|h| *h == header).unwrap_or_else(|| {
                order.push(header);
                order.len() - 1
            });
            lines.push((position, rank, index));
        }
        lines.sort_unstable();
        let loops = NaturalLoops::new(body);
        for (position, _, index) in lines {
            let header = order[position];
            let exits = loops.of_header(header).map_or(0, |l| l.exiting.len());
            self.count_line(out, body, exits, &self.claims.claims[index].kind);
        }
        rest
    }
    fn count_line(&self, out: &mut String, body: &Body, exits: usize, kind: &ClaimKind) {
        match kind {
            ClaimKind::TripMultiple { header, multiple } => {
                _ = writeln!(
                    out,
                    "Loop {}: Trip multiple is {multiple}",
                    self.printer.pieces().block(*header)
                );
            }
            ClaimKind::TakenCount { header, kind, count, max_or_zero, predicates } => {
                _ = write!(out, "Loop {}: ", self.printer.pieces().block(*header));
                let predicated = predicates.is_some();
                if *kind == CountKind::Exact && !predicated && exits != 1 {
                    out.push_str("<multiple exits> ");
                }
                self.taken_count(out, *kind, *count, predicated);
                out.push_str(if *max_or_zero { ", actual taken count either this or zero.\n" } else { "\n" });
                if let Some(predicates) = predicates {
                    out.push_str(" Predicates:\n");
                    self.predicates(out, predicates);
                }
            }
            ClaimKind::ExitCount { block, kind, count, predicates, .. } => {
                let predicated = if predicates.is_some() { "predicated " } else { "" };
                let symbolic = if *kind == CountKind::SymbolicMax { "symbolic max " } else { "" };
                let name = raw_name(body.block_name(*block).unwrap_or(""));
                _ = write!(out, "  {predicated}{symbolic}exit count for {name}: ");
                self.hinted(out, *count);
                out.push('\n');
                if let Some(predicates) = predicates {
                    out.push_str("   Predicates:\n");
                    self.predicates(out, predicates);
                    out.push('\n');
                }
            }
            ClaimKind::Value { .. }
            | ClaimKind::ValueAtScope { .. }
            | ClaimKind::Flag { .. }
            | ClaimKind::Range { .. }
            | ClaimKind::Disposition { .. }
            | ClaimKind::ExitValue { .. }
            | ClaimKind::Recurrence { .. } => {}
        }
    }
    fn taken_count(&self, out: &mut String, kind: CountKind, count: ExprId, predicated: bool) {
        let unknown = self.claims.exprs.is_could_not_compute(count);
        out.push_str(match (unknown, predicated) {
            (true, true) => "Unpredictable predicated ",
            (true, false) => "Unpredictable ",
            (false, true) => "Predicated ",
            (false, false) => "",
        });
        out.push_str(match kind {
            CountKind::Exact => "backedge-taken count",
            CountKind::ConstantMax => "constant max backedge-taken count",
            CountKind::SymbolicMax => "symbolic max backedge-taken count",
        });
        if !unknown {
            out.push_str(" is ");
            self.hinted(out, count);
        } else if kind == CountKind::Exact || predicated {
            out.push('.');
        } else {
            out.push_str(". ");
        }
    }
    /// Prints a count; a constant is preceded by its type.
    fn hinted(&self, out: &mut String, count: ExprId) {
        if self.claims.exprs.as_int(count).is_some() {
            self.printer.write_typed(out, &self.claims.exprs, count);
        } else {
            self.expr(out, count);
        }
    }
    /// Prints the count of a single edge, after the name of the edge.
    pub(super) fn edge_count(
        &self,
        out: &mut String,
        kind: CountKind,
        count: ExprId,
        predicates: Option<&[Predicate]>,
    ) {
        out.push_str(if predicates.is_some() { " predicated" } else { "" });
        out.push_str(if kind == CountKind::SymbolicMax { " symbolic max" } else { "" });
        out.push_str(" exit count ");
        self.printer.write_typed(out, &self.claims.exprs, count);
        out.push('\n');
        self.predicates(out, predicates.unwrap_or_default());
    }
    fn predicates(&self, out: &mut String, predicates: &[Predicate]) {
        for predicate in predicates {
            _ = writeln!(out, "    {}", self.printer.predicate(&self.claims.exprs, predicate));
        }
    }
}
