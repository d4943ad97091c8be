//! Simplifies instructions on recurrences: decided comparisons, simple divisions, new flags, and redundant values.
//!
//! The facts must hold whenever control reaches the instruction, so they are queried at its block.

use super::check::Facts;
use super::edits::{Edit, Edits, New};
use super::flags::{strengthened, with_facts};
use crate::leaves::all_spread;
use crate::shape::Shape;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::{Expr, ScalarEvolution, expand};
use smallvec::{SmallVec, smallvec};

/// The results.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct SimplifyCounts {
    /// Decided comparisons.
    pub(super) decided: usize,
    /// Instructions replaced by cheaper ones or by existing values.
    pub(super) replaced: usize,
    /// Instructions that get flags.
    pub(super) flagged: usize,
}

/// Collects the edits of the loop's own instructions (not of nested loops).
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    edits: &mut Edits,
) -> SimplifyCounts {
    let body = scev.body();
    let mut found = SimplifyCounts::default();
    let insts: Vec<Inst> = shape.loops.own_blocks(facts.l).flat_map(|b| body.insts(b)).copied().collect();
    // Creating the recurrences first records the facts about the sums in the loop.
    for &inst in &insts {
        scev.expr(inst.into());
    }
    for inst in insts {
        // Each use of an `undef` operand may see another value.
        if !is_used(body, inst) || scev.mixes_undef(inst) {
            continue;
        }
        let Some(block) = body.block_of(inst) else { continue };
        if let Some(truth) = decided(scev, inst, block) {
            edits.list.push(Edit::Replace(inst, New::Int(Int::bool(truth))));
            found.decided += 1;
        } else if let Some(new) = replacement(scev, inst, block) {
            edits.list.push(Edit::Replace(inst, new));
            found.replaced += 1;
        } else if let Some(edit) = unsaturated(scev, inst, block).or_else(|| unchecked(scev, inst, block)) {
            edits.list.push(edit);
            found.replaced += 1;
        } else if let Some(kind) = cheaper(scev, inst, block) {
            edits.list.push(Edit::Kind(inst, kind));
            found.replaced += 1;
        } else if let Some(kind) = flagged(scev, inst, block) {
            edits.list.push(Edit::Kind(inst, kind));
            found.flagged += 1;
        }
    }
    found
}

/// Collects the edits that merge equal header phis.
pub(super) fn merge_phis(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    edits: &mut Edits,
) -> usize {
    let header = shape.loops.header(facts.l);
    let phis: Vec<Inst> = scev.body().phis(header).collect();
    for phi in phis {
        if is_used(scev.body(), phi)
            && !scev.mixes_undef(phi)
            && let Some(new @ New::Value(_)) = replacement(scev, phi, header)
        {
            edits.list.push(Edit::Replace(phi, new));
        }
    }
    edits.list.len()
}

fn is_used(body: &Body, inst: Inst) -> bool {
    body.code_uses(inst.into()).next().is_some()
}

/// The expressions of the two operands, at least one of which contains a recurrence.
fn operands(scev: &mut ScalarEvolution<'_>, inst: Inst) -> Option<(Expr, Expr)> {
    let data = scev.body().inst(inst);
    let &[a, b] = &data.operands[..] else { return None };
    let (a, b) = (scev.expr(a)?, scev.expr(b)?);
    (scev.arena().has_add_rec(a) || scev.arena().has_add_rec(b)).then_some((a, b))
}

/// Whether expressions like `expr` represent all compared bits: a pointer may be wider than its index type.
pub(super) fn is_whole(scev: &ScalarEvolution<'_>, expr: Expr) -> bool {
    let spec = scev.ty(expr).space.map(|s| scev.at.env.layout.pointer(s));
    spec.is_none_or(|spec| spec.bits == spec.index_bits)
}

/// The known result of a comparison.
fn decided(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<bool> {
    let body = scev.body();
    let InstKind::ICmp { pred, .. } = body.inst(inst).kind else { return None };
    // Keep comparisons that are only assumed: the assumption would be lost.
    let is_assumed = |user: Inst| {
        let call = body.inst(user).call();
        call.and_then(|c| called_intrinsic(scev.at.env, body, c)) == Some(Intrinsic::Assume)
    };
    if body.code_uses(inst.into()).all(|u| is_assumed(u.user)) {
        return None;
    }
    let (a, b) = operands(scev, inst).filter(|(a, b)| is_whole(scev, *a) && is_whole(scev, *b))?;
    scev.evaluate_in(pred, a, b, block)
}

fn is_not_negative(scev: &mut ScalarEvolution<'_>, expr: Expr, block: Block) -> bool {
    let zero = scev.int(scev.width(expr), 0);
    scev.is_known_at(P::Sge, expr, zero, block)
}

/// An existing value or a constant that replaces an instruction.
fn replacement(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<New> {
    let body = scev.body();
    let data = body.inst(inst);
    if let InstKind::Binary(op, _) = data.kind
        && op.is_division()
        && let Some(new) = of_division(scev, inst, op, block)
    {
        return Some(new);
    }
    let replaceable = matches!(
        data.kind,
        InstKind::Binary(..)
            | InstKind::Cast(..)
            | InstKind::Select(_)
            | InstKind::Gep { .. }
            | InstKind::Phi(_)
    ) || data
        .call()
        .and_then(|c| called_intrinsic(scev.at.env, body, c))
        .is_some_and(|i| matches!(i, Intrinsic::SMax | Intrinsic::SMin | Intrinsic::UMax | Intrinsic::UMin));
    if !replaceable {
        return None;
    }
    let expr = scev.expr(inst.into())?;
    if let Some(constant) = scev.as_constant(expr).filter(|_| data.ty.is_int()) {
        return Some(New::Int(constant));
    }
    let at = if data.kind.is_phi() { body.first_non_phi(block)? } else { inst };
    let value = expand::existing(scev, expr, at)?;
    let same_type = body.ty(value) == data.ty;
    let both_recur = value
        .as_inst()
        .is_some_and(|v| body.inst(v).kind.is_phi() && data.kind.is_phi() && body.block_of(v) == Some(block));
    if !both_recur && !all_spread(scev, expr, None, at) {
        return None;
    }
    (same_type && value != Value::Inst(inst)).then_some(New::Value(value))
}

/// The result of a quotient or remainder if the dividend is less than the divisor.
fn of_division(scev: &mut ScalarEvolution<'_>, inst: Inst, op: BinaryOp, block: Block) -> Option<New> {
    let (a, b) = operands(scev, inst)?;
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    if signed && !(is_not_negative(scev, a, block) && is_not_negative(scev, b, block)) {
        return None;
    }
    let less = scev.is_known_at(P::Ult, a, b, block) || signed && scev.is_known_at(P::Slt, a, b, block);
    if !less {
        return None;
    }
    Some(match op {
        BinaryOp::SRem | BinaryOp::URem => New::Value(scev.body().inst(inst).operands[0]),
        _ => New::Int(Int::zero(scev.width(a))),
    })
}

/// A saturating sum or difference as a plain one, if it does not wrap.
fn unsaturated(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<Edit> {
    let body = scev.body();
    let call = body.inst(inst).call()?;
    let (op, signed) = match called_intrinsic(scev.at.env, body, call)? {
        Intrinsic::UAddSat => (BinaryOp::Add, false),
        Intrinsic::SAddSat => (BinaryOp::Add, true),
        Intrinsic::USubSat => (BinaryOp::Sub, false),
        Intrinsic::SSubSat => (BinaryOp::Sub, true),
        _ => return None,
    };
    let Exact { kind, operands } = exact(scev, op, signed, call.args(), block)?;
    Some(Edit::Instead { inst, kind, operands, before: inst })
}

/// For an element of the result of arithmetic with overflow that does not overflow: the plain result, or `false` for
/// the overflow bit.
fn unchecked(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<Edit> {
    let body = scev.body();
    let InstKind::ExtractValue(part) = &body.inst(inst).kind else { return None };
    let call = body.inst(body.inst(inst).operands[0].as_inst()?).call()?;
    let (op, signed) = match called_intrinsic(scev.at.env, body, call)? {
        Intrinsic::UAddWithOverflow => (BinaryOp::Add, false),
        Intrinsic::SAddWithOverflow => (BinaryOp::Add, true),
        Intrinsic::USubWithOverflow => (BinaryOp::Sub, false),
        Intrinsic::SSubWithOverflow => (BinaryOp::Sub, true),
        Intrinsic::UMulWithOverflow => (BinaryOp::Mul, false),
        Intrinsic::SMulWithOverflow => (BinaryOp::Mul, true),
        _ => return None,
    };
    let Exact { kind, operands } = exact(scev, op, signed, call.args(), block)?;
    Some(match part[..] {
        [0] => Edit::Instead { inst, kind, operands, before: inst },
        _ => Edit::Replace(inst, New::Int(Int::bool(false))),
    })
}

/// A plain operation that does not overflow, with the corresponding flag.
struct Exact {
    kind: InstKind,
    operands: SmallVec<[New; 2]>,
}

/// The operation on `args`, at least one of which contains a recurrence, if it does not overflow at `block`.
fn exact(
    scev: &mut ScalarEvolution<'_>,
    op: BinaryOp,
    signed: bool,
    args: &[Value],
    block: Block,
) -> Option<Exact> {
    let &[a, b] = args else { return None };
    let (left, right) = (scev.expr(a)?, scev.expr(b)?);
    if !scev.arena().has_add_rec(left) && !scev.arena().has_add_rec(right) {
        return None;
    }
    let flags = strengthened(scev, op, BinaryFlags::default(), [left, right], block);
    let holds = if signed { flags.nsw } else { flags.nuw };
    let operands = smallvec![New::Value(a), New::Value(b)];
    holds.then_some(Exact { kind: InstKind::Binary(op, flags), operands })
}

/// An unsigned operation, if the operands are non-negative.
fn cheaper(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<InstKind> {
    let body = scev.body();
    let data = body.inst(inst);
    match data.kind {
        InstKind::Binary(op @ (BinaryOp::SDiv | BinaryOp::SRem), flags) => {
            let (a, b) = operands(scev, inst)?;
            let both = is_not_negative(scev, a, block) && is_not_negative(scev, b, block);
            let op = if op == BinaryOp::SDiv { BinaryOp::UDiv } else { BinaryOp::URem };
            both.then_some(InstKind::Binary(op, flags))
        }
        InstKind::Binary(BinaryOp::AShr, flags) => {
            let (a, _) = operands(scev, inst)?;
            is_not_negative(scev, a, block).then_some(InstKind::Binary(BinaryOp::LShr, flags))
        }
        InstKind::Cast(CastOp::SExt, _) => {
            let of = scev.expr(data.operands[0])?;
            let changes = scev.arena().has_add_rec(of);
            let flags = CastFlags { nneg: true, ..CastFlags::default() };
            (changes && is_not_negative(scev, of, block)).then_some(InstKind::Cast(CastOp::ZExt, flags))
        }
        _ => None,
    }
}

/// The same instruction with more flags.
fn flagged(scev: &mut ScalarEvolution<'_>, inst: Inst, block: Block) -> Option<InstKind> {
    let data = scev.body().inst(inst);
    match data.kind {
        InstKind::ICmp { pred, samesign } if pred.is_signed() && !samesign => {
            let (a, b) = operands(scev, inst).filter(|(a, _)| !scev.ty(*a).is_pointer())?;
            let both = is_not_negative(scev, a, block) && is_not_negative(scev, b, block);
            both.then_some(InstKind::ICmp { pred: pred.unsigned(), samesign: true })
        }
        InstKind::Cast(CastOp::ZExt, flags) if !flags.nneg => {
            let of = scev.expr(data.operands[0])?;
            let known = scev.arena().has_add_rec(of) && is_not_negative(scev, of, block);
            known.then_some(InstKind::Cast(CastOp::ZExt, CastFlags { nneg: true, ..flags }))
        }
        InstKind::Binary(op, flags) => {
            let &[a, b] = &data.operands[..] else { return None };
            let of = [scev.expr(a)?, scev.expr(b)?];
            let changes = of.iter().any(|e| scev.arena().has_add_rec(*e));
            let known = if changes {
                strengthened(scev, op, flags, of, block)
            } else {
                with_facts(scev, op, flags, of, block)
            };
            (known != flags).then_some(InstKind::Binary(op, known))
        }
        _ => None,
    }
}
