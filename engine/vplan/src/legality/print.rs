//! The facts about a loop as text, for tests and for people.

use super::chain::{Reduction, Selection};
use super::recurrence::FirstOrder;
use super::{Condition, ExitKind, HeaderPhi, Legality, Source, Walk};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_ir::print::{BodyPrinter, inst_to_string};
use backedge_scev::expr::ExprPrinter;
use backedge_scev::{Expr, ScalarEvolution};
use std::fmt::Write;

/// Limit for the number of nodes printed of an expression, so that each fact fits on a line.
const MOST_NODES: usize = 64;

struct Printer<'a, 's> {
    scev: &'s ScalarEvolution<'a>,
    exprs: ExprPrinter<'a>,
}

impl Printer<'_, '_> {
    fn names(&self) -> &BodyPrinter<'_> {
        self.exprs.names()
    }
    fn block(&self, block: Block) -> String {
        self.names().block(block)
    }
    fn value(&self, value: Value) -> String {
        self.names().operand(value)
    }
    fn inst(&self, inst: Inst) -> String {
        let data = self.scev.body().inst(inst);
        // An instruction without a result is identified by its text.
        match data.ty == backedge_ir::types::Type::VOID {
            true => inst_to_string(self.scev.at.env, self.scev.body(), inst),
            false => self.value(inst.into()),
        }
    }
    fn list(&self, insts: &[Inst]) -> String {
        insts.iter().map(|i| self.inst(*i)).collect::<Vec<_>>().join(", ")
    }
    fn expr(&self, expr: Expr) -> String {
        self.exprs.text(self.scev, expr)
    }
}

impl Legality {
    /// Prints one line per fact, in a fixed order.
    pub fn to_text(&self, scev: &ScalarEvolution<'_>) -> String {
        let exprs = ExprPrinter::new(scev).without_flags().limit(MOST_NODES);
        let p = Printer { scev, exprs };
        let mut out = String::new();
        for exit in &self.exits.all {
            let kind = match exit.kind {
                ExitKind::Counted(count) => format!("counted {}", p.expr(count)),
                ExitKind::Never => "never".to_owned(),
                ExitKind::Uncounted => "by data".to_owned(),
            };
            let _ = writeln!(out, "exit {} -> {}: {kind}", p.block(exit.from), p.block(exit.to));
        }
        let scalar = match (self.needs_scalar(), self.fold_tail) {
            (true, _) => ", scalar loop required",
            (false, true) => ", tail folded",
            (false, false) => "",
        };
        let _ = writeln!(out, "taken {}{scalar}", p.expr(self.exits.taken));
        if let Some(nest) = &self.nest {
            let uniform: Vec<Inst> =
                self.form.insts().iter().copied().filter(|i| nest.uniform.contains(i)).collect();
            let is_value = |i: &Inst| scev.body().inst(*i).ty != backedge_ir::types::Type::VOID;
            let values: Vec<Inst> = uniform.into_iter().filter(is_value).collect();
            let _ = writeln!(out, "uniform {}", p.list(&values));
        }
        for block in &self.masks.blocks {
            let _ = writeln!(out, "mask {}", p.block(*block));
        }
        for (phi, kind) in &self.phis {
            let _ = writeln!(out, "phi {}: {}", p.inst(*phi), phi_to_text(&p, kind));
        }
        for access in &self.accesses {
            let (what, mask) =
                (if access.is_store { "store" } else { "load" }, if access.masked { " masked" } else { "" });
            let _ = writeln!(out, "{what} {}: {}{mask}", p.inst(access.inst), access.pattern);
        }
        for group in &self.interleaved {
            let place = |m: &Option<Inst>| m.map_or_else(|| "-".to_owned(), |i| p.inst(i));
            let members: Vec<String> = group.members.iter().map(place).collect();
            let _ = writeln!(out, "interleaved {} at {}", members.join(" | "), p.inst(group.at));
        }
        if let Some(most) = self.dependences.most_lanes {
            let _ = writeln!(out, "lanes at most {most}");
        }
        if let Some(checks) = &self.dependences.checks {
            for (at, range) in checks.ranges.iter().enumerate() {
                let most =
                    range.most_taken.map_or(String::new(), |m| format!(", taken at most {}", m.bits()));
                let (start, step) = (p.expr(range.start), range.step);
                let walk = |w: &Walk| format!(", inner {} times {}", p.expr(w.taken), p.expr(w.step));
                let walks: String = range.walks.iter().map(walk).collect();
                let (from, to) = (range.from, range.to);
                let _ = writeln!(out, "range {at}: {start} by {step}, {from} to {to}{walks}{most}");
            }
            for (a, b) in &checks.pairs {
                let _ = writeln!(out, "check {a} against {b}");
            }
            for c in &checks.conditions {
                let _ = writeln!(out, "check {}", condition_to_text(&p, c));
            }
        }
        if let Some(early) = &self.early {
            let tested: Vec<Inst> =
                self.form.insts().iter().copied().filter(|i| early.tested.contains(i)).collect();
            let then = if early.by_lane { "the lane that leaves" } else { "the scalar loop" };
            let _ = writeln!(out, "tested {}, then {then}", p.list(&tested));
        }
        for live in &self.live_outs {
            let source = match live.source {
                Source::Invariant => "invariant".to_owned(),
                Source::LastLane => "last lane".to_owned(),
                Source::Induction(phi) => format!("induction {}", p.inst(phi)),
                Source::InductionEnd(phi) => format!("end of induction {}", p.inst(phi)),
                Source::Collected(phi) => format!("collected by {}", p.inst(phi)),
                Source::Scalar => "scalar".to_owned(),
            };
            let _ = writeln!(out, "out {} from {}: {source}", p.inst(live.phi), p.block(live.from));
        }
        out
    }
}

fn condition_to_text(p: &Printer<'_, '_>, c: &Condition) -> String {
    let lanes = if c.per_lane == 0 { String::new() } else { format!(" + {} * (lanes - 1)", c.per_lane) };
    format!("{}{lanes} <= {} <= {}", c.low, p.expr(c.value), c.high)
}

fn phi_to_text(p: &Printer<'_, '_>, kind: &HeaderPhi) -> String {
    match kind {
        HeaderPhi::Induction(i) => format!("induction from {} by {}", p.value(i.start), p.expr(i.step)),
        HeaderPhi::Reduction(Reduction { start, kind, chain, in_order, .. }) => {
            let order = if *in_order { " in order" } else { "" };
            format!("reduction {kind}{order} from {} by {}", p.value(*start), p.list(chain))
        }
        HeaderPhi::Selection(Selection { start, chain, any_of, .. }) => match any_of {
            Some(value) => {
                format!("any-of {} from {} by {}", p.value(*value), p.value(*start), p.list(chain))
            }
            None => format!("find-last from {} by {}", p.value(*start), p.list(chain)),
        },
        HeaderPhi::FirstOrder(FirstOrder { start, previous, moved, .. }) => {
            let moved = if moved.is_empty() { String::new() } else { format!(", moving {}", p.list(moved)) };
            format!("recurrence of {} from {}{moved}", p.inst(*previous), p.value(*start))
        }
    }
}
