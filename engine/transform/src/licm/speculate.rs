//! Speculation in the preheader of instructions that the loop may not execute: loads of dereferenceable memory, and
//! divisions by nonzero values.
//!
//! Facts about a value hold where it is computed. So they are queried only for values from outside the loop, under
//! the conditions that hold at the end of the preheader; and each relevant value must be neither poison nor undef
//! there.

use super::region::Region;
use backedge_analysis::alias::object::dereferenceable_bytes;
use backedge_analysis::alias::speculate::{may_be_freed_before, suppresses_speculation};
use backedge_analysis::alias::{Captures, Object, underlying_objects};
use backedge_analysis::cache::At;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_analysis::order::Order;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_analysis::values::Demanded;
use backedge_ir::constant::{ConstData, ConstOp};
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{BinaryOp, GepFlags, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Maximum number of GEPs followed to the base pointer: bounds the time for one load, which is not speculated beyond
/// it.
const MOST_STEPS: usize = 16;

/// Whether `size` bytes at `ptr`, with an address that must be a multiple of `align`, can be read at the end of the
/// preheader.
pub(super) fn is_readable(region: &Region<'_>, ptr: Value, size: u64, align: u64) -> bool {
    !suppresses_speculation(region.at)
        && is_pointer_defined(region, ptr)
        && region.aliasing.is_dereferenceable_and_aligned(ptr, size, align, region.entering())
        && !may_be_freed_before(region.at, ptr, region.preheader)
}

/// Whether `value` is from outside the loop, and neither poison nor undef at the end of the preheader.
fn is_defined(region: &Region<'_>, value: Value) -> bool {
    region.is_invariant(value)
        && is_guaranteed_defined(region.at, value, region.entering(), Defined::NotUndef)
}

/// Whether `ptr` is neither poison nor undef: a defined pointer from outside, moved by defined GEPs that each stay
/// within dereferenceable memory.
fn is_pointer_defined(region: &Region<'_>, ptr: Value) -> bool {
    let mut ptr = ptr;
    for _ in 0..MOST_STEPS {
        if is_defined(region, ptr) {
            return true;
        }
        let Some((base, flags, defined)) = step_of(region, ptr) else { return promises_memory(region, ptr) };
        let stays = || region.aliasing.is_dereferenceable_and_aligned(ptr, 0, 1, region.entering());
        // A GEP from the start of the memory that stays within it has a non-negative offset.
        let forward = || step_of(region, base).is_none();
        if !defined || flags != GepFlags::default() && !stays() || flags.nuw && !forward() {
            return false;
        }
        ptr = base;
    }
    false
}

/// The base of the GEP `ptr`, its flags, and whether its indices are defined.
fn step_of(region: &Region<'_>, ptr: Value) -> Option<(Value, GepFlags, bool)> {
    let body = region.at.body;
    match ptr {
        Value::Inst(inst) => {
            let data = body.inst(inst);
            let InstKind::Gep { flags, .. } = data.kind else { return None };
            Some((data.operands[0], flags, data.operands[1..].iter().all(|v| is_defined(region, *v))))
        }
        Value::Const(c) => {
            let ConstData::Expr(e) = &body.constant(c).data else { return None };
            let ConstOp::Gep { flags, .. } = &e.op else { return None };
            let (base, indices) = e.operands.split_first()?;
            Some((Value::Const(*base), *flags, indices.iter().all(|c| body.as_int((*c).into()).is_some())))
        }
        Value::Arg(_) => None,
    }
}

/// Whether `ptr` is from outside the loop and has a dereferenceability attribute, which implies that it is defined.
fn promises_memory(region: &Region<'_>, ptr: Value) -> bool {
    let object = match ptr {
        Value::Arg(arg) => Object::Argument(arg),
        Value::Inst(inst) if region.at.body.inst(inst).call().is_some() => Object::Escaped(ptr),
        Value::Inst(_) | Value::Const(_) => return false,
    };
    region.is_invariant(ptr) && dereferenceable_bytes(region.at, object) > 0
}

/// Whether the divisor is known to be nonzero and well-defined, and the quotient does not overflow.
pub(super) fn is_safe_division(region: &Region<'_>, inst: Inst) -> bool {
    let at = region.at;
    let data = at.body.inst(inst);
    let (InstKind::Binary(op, _), Some(context)) = (&data.kind, region.entering()) else { return false };
    let [dividend, divisor] = data.operands[..] else { return false };
    let Some(width) = data.ty.int_bits().filter(|w| *w <= Int::MAX_WIDTH) else { return false };
    let facts = at.get::<Demanded>();
    let excludes =
        |value: Value, n: Int| facts.at(at, value, context).is_some_and(|f| !f.is_none() && !f.contains(n));
    let fits = match op {
        BinaryOp::SDiv | BinaryOp::SRem => {
            excludes(divisor, Int::all_ones(width))
                || is_defined(region, dividend) && excludes(dividend, Int::signed_min(width))
        }
        _ => true,
    };
    fits && is_defined(region, divisor) && excludes(divisor, Int::zero(width))
}

/// Whether the memory of `ptr` belongs to the function, is never captured, and is alive while the loop runs and at
/// its exits.
pub(super) fn is_private(region: &Region<'_>, ptr: Value) -> bool {
    let at = region.at;
    let Some(objects) = underlying_objects(at, ptr) else { return false };
    let [object] = objects.as_slice() else { return false };
    let lives = match *object {
        Object::Alloca(inst) => lives_through(region, inst),
        Object::Fresh(_) => true,
        _ => false,
    };
    lives
        && at.get::<Captures>().is_never_captured(*object)
        && !may_be_freed_before(region.at, ptr, region.preheader)
}

/// Whether the alloca is alive at the end of the preheader: it has no lifetime markers, or a start marker always
/// precedes that point and no end marker lies on a path from the start. (Markers in the loop count as accesses of the
/// alloca.)
fn lives_through(region: &Region<'_>, alloca: Inst) -> bool {
    let At { env, body, .. } = region.at;
    let intrinsic = |i: Inst| body.inst(i).call().and_then(|c| called_intrinsic(env, body, c));
    let users = || body.uses(alloca.into()).iter().map(|u| u.user);
    let ends: Vec<Inst> = users().filter(|u| intrinsic(*u) == Some(Intrinsic::LifetimeEnd)).collect();
    let mut starts = users().filter(|u| intrinsic(*u) == Some(Intrinsic::LifetimeStart)).peekable();
    if starts.peek().is_none() && ends.is_empty() {
        return true;
    }
    let (dominators, order) = (region.at.dominators(), region.at.get::<Order>());
    let passed = |s: &Inst| order.dominates_end(body, &dominators, *s, region.preheader);
    let Some(start) = starts.find(passed) else { return false };
    ends.iter().all(|end| !reaches_preheader(region, *end, start))
}

/// Whether a path leads from `end` to the end of the preheader without passing `start`.
fn reaches_preheader(region: &Region<'_>, end: Inst, start: Inst) -> bool {
    let (body, order) = (region.at.body, region.at.get::<Order>());
    let (Some(from), Some(stop)) = (body.block_of(end), body.block_of(start)) else { return true };
    if from == stop && order.comes_before(body, end, start) {
        return false;
    }
    let cfg = region.at.cfg();
    let mut seen = EntitySet::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if block == region.preheader {
            return true;
        }
        let next = cfg.succs(block).iter().copied();
        work.extend(next.filter(|b| *b != stop && seen.insert(*b)));
    }
    false
}
