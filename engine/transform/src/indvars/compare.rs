//! Comparisons of widened counters are made in the wide type too, so that the narrow values become dead.
//!
//! `icmp slt i32 %i.next, %n` becomes `icmp slt i64 (%i.wide + 1), (sext i32 %n)` if the extension of `%i.next` is
//! the wide counter plus one; invariant operands are extended before the loop.
//!
//! The new comparison is at most as poison as the old one: the narrow value may be poison by its flags, the wide one
//! is not; the extension of an invariant is poison only if the invariant is.

use super::check::Facts;
use super::edits::{Edit, Edits, New};
use crate::leaves::all_spread;
use crate::shape::Shape;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{CastOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::expand::{self, Options};
use backedge_scev::{Expr, ScalarEvolution};

/// Extensions under which a comparison keeps its result.
const EXTENSIONS: [CastOp; 2] = [CastOp::SExt, CastOp::ZExt];

/// A counter that is widened.
#[derive(Copy, Clone, Debug)]
pub(super) struct Widened {
    /// The wide recurrence.
    pub(super) expr: Expr,
    /// Its new value.
    pub(super) value: New,
}

/// Collects the edits of comparisons with values of the widened `counters`.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    counters: &[Widened],
    budget: u32,
    edits: &mut Edits,
) {
    let body = scev.body();
    let is_compare = |i: &Inst| matches!(body.inst(*i).kind, InstKind::ICmp { .. });
    let compares: Vec<Inst> =
        shape.loops.own_blocks(facts.l).flat_map(|b| body.insts(b)).copied().filter(is_compare).collect();
    for inst in compares {
        // Decided and settled tests are handled elsewhere.
        if !counters.is_empty() && body.ty(body.inst(inst).operands[0]).is_int() {
            widen(scev, facts, inst, counters, budget, edits);
        }
    }
}

fn widen(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    inst: Inst,
    counters: &[Widened],
    budget: u32,
    edits: &mut Edits,
) -> Option<()> {
    let data = scev.body().inst(inst);
    let InstKind::ICmp { pred, samesign } = data.kind else { return None };
    let sides = [data.operands[0], data.operands[1]];
    let narrow = scev.body().ty(sides[0]).int_bits()?;
    let block = scev.body().block_of(inst)?;
    for op in EXTENSIONS {
        let Some(pred) = extended(pred, samesign, op) else { continue };
        let widths = counters.iter().map(|c| scev.width(c.expr)).filter(|w| *w > narrow);
        let Some(width) = widths.min() else { continue };
        let found = sides.map(|side| {
            let extended = extended_operand(scev, block, side, op, width)?;
            side_of(scev, facts, extended, counters, budget)
        });
        if let [Some(left), Some(right)] = found
            && [&left, &right].iter().any(|side| matches!(side, ExtendedOperand::Ahead(..)))
        {
            let operands = [left, right].map(|side| side.into_new(inst, edits));
            let kind = InstKind::ICmp { pred, samesign: false };
            edits.list.push(Edit::Instead { inst, kind, operands: operands.into(), before: inst });
            return Some(());
        }
    }
    None
}

/// The predicate that holds for values extended by `op` if and only if `pred` holds for the values.
fn extended(pred: P, samesign: bool, op: CastOp) -> Option<P> {
    match (pred.is_signed(), op) {
        _ if matches!(pred, P::Eq | P::Ne) => Some(pred),
        (true, CastOp::SExt) | (false, CastOp::ZExt) => Some(pred),
        // For values of the same sign both orders agree.
        (false, CastOp::SExt) if samesign => Some(pred.signed()),
        (true, CastOp::ZExt) if samesign => Some(pred.unsigned()),
        _ => None,
    }
}

/// One operand of a comparison, extended.
enum ExtendedOperand {
    /// A wide value plus a constant.
    Ahead(New, Int),
    /// Computed before the loop.
    Invariant(Expr, Inst, expand::Plan),
}

impl ExtendedOperand {
    fn into_new(self, compare: Inst, edits: &mut Edits) -> New {
        match self {
            Self::Ahead(value, by) => edits.sum(value, by, compare),
            Self::Invariant(expr, at, plan) => {
                edits.planned(expr, at).unwrap_or_else(|| edits.plan(expr, at, plan))
            }
        }
    }
}

/// `operand` extended by `op` to `width`, as an expression in `block`.
fn extended_operand(
    scev: &mut ScalarEvolution<'_>,
    block: Block,
    operand: Value,
    op: CastOp,
    width: u32,
) -> Option<Expr> {
    let narrow = scev.expr(operand)?;
    Some(scev.within(Some(block), |scev| match op {
        CastOp::SExt => scev.sext(narrow, width),
        _ => scev.zext(narrow, width),
    }))
}

/// How to compute the extended operand from one of `counters`, or before the loop with a cost of at most `budget`.
fn side_of(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    extended: Expr,
    counters: &[Widened],
    budget: u32,
) -> Option<ExtendedOperand> {
    if scev.arena().has_add_rec(extended) {
        for counter in counters {
            if scev.width(counter.expr) == scev.width(extended) {
                let ahead = scev.sub(extended, counter.expr);
                if let Some(by) = scev.as_constant(ahead) {
                    return Some(ExtendedOperand::Ahead(counter.value, by));
                }
            }
        }
        return None;
    }
    let available = scev.is_available_at_entry(extended, facts.l);
    if !available || !all_spread(scev, extended, None, facts.entry) {
        return None;
    }
    let plan = expand::plan(scev, extended, facts.entry, Options::default()).ok()?;
    (plan.cost() <= budget).then_some(ExtendedOperand::Invariant(extended, facts.entry, plan))
}
