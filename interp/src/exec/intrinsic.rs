//! Intrinsics: integer ones lane by lane, and those with special rules.

use super::ctx::Ctx;
use super::elements::{Done, element_width, lanes, unsupported};
use super::regs::Regs;
use super::scalar::int_lane;
use super::{bulk, fixed, float, masked, mem, numeric, scalar, vectors};
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{BundleOp, IntrinsicOp};
use crate::compile::reg::Reg;
use crate::facts::is_dereferenceable;
use crate::memory::{Liveness, Origin};
use crate::outcome::{Exit, Step, Stop, UbKind};
use crate::value::{Cube, Pointer, Val, mask};
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Executes an intrinsic with special rules.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn run(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &IntrinsicOp) -> Done {
    use Intrinsic as I;
    let arg = |i: usize| regs.get(op.args[i]);
    let result = match op.which {
        I::SideEffect => {
            ctx.events.side_effects += 1;
            return Ok(());
        }
        I::DebugTrap => return Ok(()),
        I::StackRestore => return bulk::stack_restore(ctx, &arg(0)),
        I::Trap => return Err(Stop::Exit(Exit::Trapped(None))),
        I::UbsanTrap => {
            let kind = arg(0).as_int(8).and_then(Int::to_u64).unwrap_or_default() as u8;
            return Err(Stop::Exit(Exit::Trapped(Some(kind))));
        }
        I::Assume => return assume(ctx, regs, op),
        I::LifetimeStart | I::LifetimeEnd => return lifetime(ctx, op, &arg(op.args.len() - 1)),
        I::Memcpy | I::MemcpyInline | I::Memmove | I::MemcpyElementAtomic | I::MemmoveElementAtomic => {
            return bulk::copy(ctx, op, arg);
        }
        I::Memset | I::MemsetInline | I::MemsetElementAtomic => return bulk::fill(ctx, op, arg),
        I::MaskedStore | I::MaskedScatter | I::MaskedCompressStore => return masked::store(ctx, op, arg),
        I::MaskedLoad | I::MaskedGather | I::MaskedExpandLoad => masked::load(ctx, op, arg)?,
        I::ExperimentalGuard => return guard(&arg(0)),
        I::ExperimentalDeoptimize => return Err(Stop::Exit(Exit::Deoptimized)),
        I::Expect
        | I::ExpectWithProbability
        | I::Annotation
        | I::PtrAnnotation
        | I::SsaCopy
        | I::LaunderInvariantGroup
        | I::StripInvariantGroup
        | I::ThreadlocalAddress => arg(0),
        I::UCmp | I::SCmp => lanes(ctx, op, &[arg(0), arg(1)], three_way)?,
        I::FpToUiSat | I::FpToSiSat => lanes(ctx, op, &[arg(0)], to_int_sat)?,
        I::UAddWithOverflow
        | I::SAddWithOverflow
        | I::USubWithOverflow
        | I::SSubWithOverflow
        | I::UMulWithOverflow
        | I::SMulWithOverflow => with_overflow(ctx, op, &arg(0), &arg(1))?,
        I::ExperimentalWidenableCondition => {
            Val::bool(ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 0)
        }
        // LangRef: their results depend on optimizer analysis or options.
        I::IsConstant | I::AllowRuntimeCheck | I::AllowUbsanCheck => {
            Val::bool(ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1)
        }
        I::ObjectSize => object_size(ctx, op, &arg(0), &arg(1)),
        I::PtrMask => lanes(ctx, op, &[arg(0), arg(1)], ptr_mask)?,
        I::LoadRelative => mem::load_relative(ctx, &arg(0), &arg(1), element_width(&op.shapes[1]))?,
        I::InvariantStart => Val::Ptr(Pointer::NULL),
        I::StackSave => bulk::stack_save(ctx, op)?,
        I::VectorReduceAdd
        | I::VectorReduceMul
        | I::VectorReduceAnd
        | I::VectorReduceOr
        | I::VectorReduceXor
        | I::VectorReduceUMin
        | I::VectorReduceUMax
        | I::VectorReduceSMin
        | I::VectorReduceSMax => reduce(ctx, op, &arg(0))?,
        I::VectorReverse
        | I::VectorInsert
        | I::VectorExtract
        | I::VectorSplice
        | I::VectorSpliceLeft
        | I::VectorSpliceRight
        | I::StepVector
        | I::ActiveLaneMask
        | I::CttzElts
        | I::VScale => vectors::run(ctx, op, &args_of(regs, op))?,
        which => match fixed::form(which) {
            Some(form) => {
                lanes(ctx, op, &args_of(regs, op), |ctx, op, args| fixed::lane(ctx, op, form, args))?
            }
            None => numeric::run(ctx, op, &args_of(regs, op))?,
        },
    };
    regs.set(op.dst, result);
    Ok(())
}

fn args_of(regs: &Regs<'_>, op: &IntrinsicOp) -> Vec<Val> {
    op.args.iter().map(|r| regs.get(*r)).collect()
}

fn three_way(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let width = element_width(&op.shapes[0]);
    let result_width = op.ret.as_ref().map_or(2, element_width);
    let (Some(x), Some(y)) = (args[0].cube(), args[1].cube()) else { return Ok(Val::Poison) };
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    let order = if op.which == Intrinsic::UCmp { x.ucmp(y) } else { x.scmp(y) };
    Ok(Val::int(Int::from_ordering(result_width, order)))
}

fn to_int_sat(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let from = op.shapes[0].element();
    let width = op.ret.as_ref().map_or(32, element_width);
    float::to_int_sat(ctx, op.which == Intrinsic::FpToSiSat, from, width, &args[0])
}

fn with_overflow(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, a: &Val, b: &Val) -> Step<Val> {
    let width = element_width(&op.shapes[0]);
    if let (Val::Agg(x), Val::Agg(y)) = (a, b) {
        let mut results = Vec::new();
        for (x, y) in x.iter().zip(y.iter()) {
            results.push(overflow_pair(ctx, op.which, width, x, y)?);
        }
        let (values, bits) = results.into_iter().unzip();
        return Ok(Val::agg(vec![Val::agg(values), Val::agg(bits)]));
    }
    let (value, bit) = overflow_pair(ctx, op.which, width, a, b)?;
    Ok(Val::agg(vec![value, bit]))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
fn overflow_pair(ctx: &mut Ctx<'_, '_>, which: Intrinsic, width: u32, a: &Val, b: &Val) -> Step<(Val, Val)> {
    let (Some(x), Some(y)) = (a.cube(), b.cube()) else { return Ok((Val::Poison, Val::Poison)) };
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    let (value, overflow) = match which {
        Intrinsic::UAddWithOverflow => (x.add(y), x.add_overflows_unsigned(y)),
        Intrinsic::SAddWithOverflow => (x.add(y), x.add_overflows_signed(y)),
        Intrinsic::USubWithOverflow => (x.sub(y), x.sub_overflows_unsigned(y)),
        Intrinsic::SSubWithOverflow => (x.sub(y), x.sub_overflows_signed(y)),
        Intrinsic::UMulWithOverflow => (x.mul(y), x.mul_overflows_unsigned(y)),
        Intrinsic::SMulWithOverflow => (x.mul(y), x.mul_overflows_signed(y)),
        other => return Err(unsupported(other)),
    };
    Ok((Val::int(value), Val::bool(overflow)))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
fn reduce(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, vector: &Val) -> Step<Val> {
    let width = element_width(&op.shapes[0]);
    let no_flags = BinaryFlags::default();
    let fold = |ctx: &mut Ctx<'_, '_>, a: &Val, b: &Val| -> Step<Val> {
        let arithmetic = match op.which {
            Intrinsic::VectorReduceAdd => Some(BinaryOp::Add),
            Intrinsic::VectorReduceMul => Some(BinaryOp::Mul),
            Intrinsic::VectorReduceAnd => Some(BinaryOp::And),
            Intrinsic::VectorReduceOr => Some(BinaryOp::Or),
            Intrinsic::VectorReduceXor => Some(BinaryOp::Xor),
            _ => None,
        };
        if let Some(binary) = arithmetic {
            return scalar::binary(ctx, binary, no_flags, width, a, b);
        }
        let lane = match op.which {
            Intrinsic::VectorReduceUMin => Intrinsic::UMin,
            Intrinsic::VectorReduceUMax => Intrinsic::UMax,
            Intrinsic::VectorReduceSMin => Intrinsic::SMin,
            Intrinsic::VectorReduceSMax => Intrinsic::SMax,
            other => return Err(unsupported(other)),
        };
        int_lane(ctx, lane, width, &[a.clone(), b.clone()])
    };
    let Some((first, rest)) = vector.members().split_first() else { return Ok(Val::Poison) };
    let mut result = first.clone();
    for member in rest {
        result = fold(ctx, &result, member)?;
    }
    Ok(result)
}

/// `llvm.ptrmask`: address bits above the mask's width, which is the index width, are kept.
fn ptr_mask(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let (Val::Ptr(ptr), Some(cube)) = (&args[0], args[1].cube()) else { return Ok(Val::Poison) };
    let width = element_width(&op.shapes[1]).min(64);
    let keep = (ctx.narrow(width, cube).bits() | !mask(width)) as u64;
    let local = ctx.memory.object_of(*ptr).is_some_and(|i| ctx.memory.allocation(i).is_local());
    ctx.memory.observed_addresses |= local;
    Ok(Val::ptr(ptr.addr & keep, ptr.prov))
}

/// `llvm.objectsize`: the size if the pointer's object is currently known, or the answer for "unknown"; the choice
/// models what the optimizer finds. An optimizer that finds several objects may give a bound in between, so these
/// answers are not all allowed ones.
fn object_size(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, ptr: &Val, minimum: &Val) -> Val {
    let width = op.ret.as_ref().map_or(64, element_width);
    let known = match ptr {
        Val::Ptr(p) => ctx.memory.object_of(*p).map(|i| ctx.memory.allocation(i)).and_then(|a| {
            let at = p.addr.wrapping_sub(a.base);
            a.size.checked_sub(at)
        }),
        Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Agg(_) => None,
    };
    let unknown = if *minimum == Val::Bits(1) { 0 } else { mask(width) };
    let found = known.filter(|_| ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 0);
    if known.is_some() {
        ctx.note_narrowed();
    }
    Val::from_cube(width, Cube::known(found.map_or(unknown, u128::from)))
}

/// `llvm.assume` with its bundles.
fn assume(ctx: &mut Ctx<'_, '_>, regs: &Regs<'_>, op: &IntrinsicOp) -> Done {
    let violated = Err(Stop::Ub(UbKind::AssumeViolated));
    if regs.get(op.args[0]) != Val::Bits(1) {
        return violated;
    }
    for BundleOp { tag, operands } in &op.bundles {
        if !bundle_holds(ctx, regs, tag, operands) {
            return violated;
        }
    }
    Ok(())
}

/// Whether an operand bundle of an assumption holds. Tags that constrain no values hold.
fn bundle_holds(ctx: &Ctx<'_, '_>, regs: &Regs<'_>, tag: &str, operands: &[Reg]) -> bool {
    let value = |i: usize| operands.get(i).map(|r| regs.get(*r));
    let number = |i: usize| value(i).and_then(|v| v.cube()).filter(|c| c.is_known()).map(|c| c.bits as u64);
    let pointer = match value(0) {
        Some(Val::Ptr(p)) => Some(p),
        _ => None,
    };
    match tag {
        "align" => match (pointer, number(1), operands.len() == 2, number(2)) {
            (Some(p), Some(align), true, _) => is_multiple(p.addr, align),
            (Some(p), Some(align), false, Some(offset)) => is_multiple(p.addr.wrapping_sub(offset), align),
            _ => false,
        },
        "nonnull" => pointer.is_some_and(|p| p.addr != 0),
        "noundef" => value(0).is_some_and(|v| !v.has_undef_or_poison()),
        "dereferenceable" => match (pointer, number(1)) {
            (Some(p), Some(bytes)) => bytes == 0 || is_dereferenceable(ctx.memory, p, bytes),
            _ => false,
        },
        "dereferenceable_or_null" => match (pointer, number(1)) {
            (Some(p), Some(bytes)) => p.addr == 0 || bytes == 0 || is_dereferenceable(ctx.memory, p, bytes),
            _ => false,
        },
        _ => true,
    }
}

/// Whether an address has that alignment. Only zero satisfies an alignment that is not a power of two.
fn is_multiple(address: u64, align: u64) -> bool {
    if align.is_power_of_two() { address & (align - 1) == 0 } else { address == 0 }
}

/// `llvm.experimental.guard`: deoptimizes if its condition is false.
fn guard(condition: &Val) -> Done {
    match condition {
        Val::Bits(0) => Err(Stop::Exit(Exit::Deoptimized)),
        Val::Bits(_) => Ok(()),
        Val::Wide(_) => Err(Stop::Ub(UbKind::BranchOnUndef)),
        Val::Poison | Val::Ptr(_) | Val::Agg(_) => Err(Stop::Ub(UbKind::BranchOnPoison)),
    }
}

fn lifetime(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, ptr: &Val) -> Done {
    // LLVM replaces the operand with poison when the alloca is removed; the marker then has no effect.
    let Val::Ptr(ptr) = ptr else { return Ok(()) };
    let object = ctx.memory.object_of(*ptr);
    let Some(index) = object.filter(|i| matches!(ctx.memory.allocation(*i).origin, Origin::Local(_))) else {
        return Err(Stop::Ub(UbKind::InvalidLifetime));
    };
    if ctx.memory.allocation(index).liveness == Liveness::Freed {
        return Err(Stop::Ub(UbKind::UseAfterFree));
    }
    let starts = op.which == Intrinsic::LifetimeStart;
    ctx.memory.uninitialise(index);
    if !starts {
        ctx.events.end_lifetime(index);
    }
    ctx.memory.allocation_mut(index).liveness =
        if starts { Liveness::Live } else { Liveness::OutsideLifetime };
    Ok(())
}
