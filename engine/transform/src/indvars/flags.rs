//! Infers `nuw` and `nsw` of arithmetic at a place: the exact result is in range whenever control reaches it.
//!
//! Uses ScalarEvolution's facts about the sum or product there, ranges of the operands, and predicates: `a + b` does
//! not wrap unsigned if `a <= UMAX - b`, which is `!b`. It does not wrap signed if `b >= 0` and `a <= SMAX - b`, or
//! `b <= 0` and `a >= SMIN - b`, where the differences do not wrap.

use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};

/// `flags` and the flags known for `a op b` in `block`.
pub(super) fn strengthened(
    scev: &mut ScalarEvolution<'_>,
    op: BinaryOp,
    flags: BinaryFlags,
    [a, b]: [Expr; 2],
    block: Block,
) -> BinaryFlags {
    if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl) {
        return flags;
    }
    let [unsigned, signed] = match op {
        BinaryOp::Add => [unsigned_sum, signed_sum],
        BinaryOp::Sub => [unsigned_difference, signed_difference],
        BinaryOp::Mul => [unsigned_product, signed_product],
        _ => [unsigned_shift, signed_shift],
    };
    let mut known = with_facts(scev, op, flags, [a, b], block);
    known.nsw = known.nsw || signed(scev, a, b, block);
    known.nuw = known.nuw
        || unsigned(scev, a, b, block)
        // Non-negative operands whose result is in the signed range have a result in the unsigned range.
        || known.nsw && op != BinaryOp::Sub && not_negative(scev, a, block)
            && (op == BinaryOp::Shl || not_negative(scev, b, block));
    known
}

/// `flags` and the flags that ScalarEvolution knows for the sum or product in `block`, even if they hold only there.
pub(super) fn with_facts(
    scev: &mut ScalarEvolution<'_>,
    op: BinaryOp,
    flags: BinaryFlags,
    [a, b]: [Expr; 2],
    block: Block,
) -> BinaryFlags {
    let (of, expr) = match op {
        BinaryOp::Add => (NAry::Add, scev.add(&[a, b])),
        BinaryOp::Mul => (NAry::Mul, scev.mul(&[a, b])),
        _ => return flags,
    };
    // Exactly these operands: a nested sum is a different expression.
    let known = match scev.node(expr) {
        Node::NAry(n_ary, operands) if n_ary == of => match operands[..] {
            [x, y] if [x, y] == [a, b] || [y, x] == [a, b] => scev.flags_at(expr, block),
            _ => return flags,
        },
        _ => return flags,
    };
    BinaryFlags { nuw: flags.nuw || known.nuw(), nsw: flags.nsw || known.nsw(), ..flags }
}

fn not_negative(scev: &mut ScalarEvolution<'_>, expr: Expr, block: Block) -> bool {
    let zero = scev.int(scev.width(expr), 0);
    scev.is_known_at(P::Sge, expr, zero, block)
}

fn unsigned_sum(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, block: Block) -> bool {
    let most = scev.not(b);
    scev.is_known_at(P::Ule, a, most, block)
}

fn signed_sum(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, block: Block) -> bool {
    let low = scev.signed_min(a).add_overflows_signed(scev.signed_min(b));
    let high = scev.signed_max(a).add_overflows_signed(scev.signed_max(b));
    !low && !high || signed_sum_of(scev, a, b, block) || signed_sum_of(scev, b, a, block)
}

/// `b` has a known sign.
fn signed_sum_of(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, block: Block) -> bool {
    let width = scev.width(a);
    let ends = if scev.signed_max(b).sgt(Int::zero(width)) {
        not_negative(scev, b, block).then(|| (P::Sle, Int::signed_max(width)))
    } else {
        Some((P::Sge, Int::signed_min(width)))
    };
    let Some((pred, end)) = ends else { return false };
    let end = scev.constant(end);
    let bound = scev.sub(end, b);
    scev.is_known_at(pred, a, bound, block)
}

fn unsigned_difference(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, block: Block) -> bool {
    scev.is_known_at(P::Uge, a, b, block)
}

fn signed_difference(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, block: Block) -> bool {
    let low = scev.signed_min(a).sub_overflows_signed(scev.signed_max(b));
    let high = scev.signed_max(a).sub_overflows_signed(scev.signed_min(b));
    if !low && !high {
        return true;
    }
    // The difference of numbers of the same sign is in range.
    if not_negative(scev, a, block) && not_negative(scev, b, block) {
        return true;
    }
    let width = scev.width(a);
    let constant = scev.as_constant(b).filter(|c| !c.is_smin());
    constant.is_some_and(|c| {
        let (pred, end) = if c.is_negative() {
            (P::Sle, Int::signed_max(width).add(c))
        } else {
            (P::Sge, Int::signed_min(width).add(c))
        };
        let end = scev.constant(end);
        scev.is_known_at(pred, a, end, block)
    })
}

fn unsigned_product(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, _: Block) -> bool {
    !scev.unsigned_max(a).mul_overflows_unsigned(scev.unsigned_max(b))
}

fn signed_product(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, _: Block) -> bool {
    // The extreme products are at the ends of the ranges.
    let (a, b) = ([scev.signed_min(a), scev.signed_max(a)], [scev.signed_min(b), scev.signed_max(b)]);
    a.iter().all(|x| b.iter().all(|y| !x.mul_overflows_signed(*y)))
}

fn unsigned_shift(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, _: Block) -> bool {
    let Some(by) = scev.as_constant(b) else { return false };
    !scev.unsigned_max(a).shl_loses_unsigned(by)
}

fn signed_shift(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr, _: Block) -> bool {
    let Some(by) = scev.as_constant(b) else { return false };
    !scev.signed_min(a).shl_loses_signed(by) && !scev.signed_max(a).shl_loses_signed(by)
}
