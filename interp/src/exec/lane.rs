//! Scalar operations that apply lane by lane to vectors.

use super::ctx::Ctx;
use super::regs::Regs;
use super::{float, scalar};
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::{LaneOp, ScalarOp};
use crate::layout::Shape;
use crate::memory::bytes::{RawBits, element_step, pack, unpack};
use crate::outcome::{Feature, Step, Stop};
use crate::value::{Cube, Val};
use backedge_ir::inst::{CastFlags, CastOp, FastMath};
use smallvec::SmallVec;

/// Operands; no operation has more than three.
type Args = SmallVec<[Val; 3]>;

/// Executes `op`.
pub(super) fn run(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &LaneOp) -> Step<()> {
    let result = match op.lanes {
        None => {
            let args: Args = op.args.iter().map(|r| regs.get(*r)).collect();
            one(ctx, &op.op, &args)?
        }
        Some(lanes) => {
            let args: Args = op.args.iter().map(|r| regs.get(*r)).collect();
            let mut members = Vec::with_capacity(lanes as usize);
            for lane in 0..lanes as usize {
                // A scalar operand (the second one of `llvm.abs`) is the same for all lanes.
                let pick = |arg: &Val| match arg {
                    Val::Agg(vector) => vector[lane].clone(),
                    scalar @ (Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_)) => scalar.clone(),
                };
                let lane_args: Args = args.iter().map(pick).collect();
                members.push(one(ctx, &op.op, &lane_args)?);
            }
            Val::agg(members)
        }
    };
    regs.set(op.dst, result);
    Ok(())
}

fn one(ctx: &mut Ctx<'_, '_>, op: &ScalarOp, args: &[Val]) -> Step<Val> {
    match op {
        ScalarOp::Binary(op, flags, width) => scalar::binary(ctx, *op, *flags, *width, &args[0], &args[1]),
        ScalarOp::Float(op, fast, shape) => float::binary(ctx, *op, *fast, shape, &args[0], &args[1]),
        ScalarOp::FNeg(fast, shape) => float::negate(ctx, *fast, shape, &args[0]),
        ScalarOp::ICmp { pred, samesign, width, pointers } => {
            if let (true, Val::Ptr(a), Val::Ptr(b)) = (*pointers, &args[0], &args[1]) {
                let ordered = !matches!(
                    pred,
                    backedge_ir::inst::IntPredicate::Eq | backedge_ir::inst::IntPredicate::Ne
                );
                ctx.memory.note_comparison(*a, *b, ordered);
            }
            Ok(scalar::icmp(*pred, *samesign, *width, &args[0], &args[1]))
        }
        ScalarOp::FCmp(pred, fast, shape) => float::compare(ctx, *pred, *fast, shape, &args[0], &args[1]),
        ScalarOp::UnseenAddress(to) => {
            Ok(args[0].cube().map_or(Val::Poison, |cube| scalar::address_cast(CastOp::PtrToAddr, to, cube)))
        }
        ScalarOp::Cast { op, flags, from, to } => cast(ctx, *op, *flags, from, to, &args[0]),
        ScalarOp::Select(fast, shape) => select(ctx, *fast, shape, args),
        ScalarOp::Freeze(shape) => Ok(freeze(ctx, shape, &args[0])),
        ScalarOp::Intrinsic { which, shape: Shape::Int(width), .. } => {
            scalar::int_lane(ctx, *which, *width, args)
        }
        ScalarOp::Intrinsic { which, shape, fast } => float::intrinsic(ctx, *which, *fast, shape, args),
    }
}

fn cast(ctx: &mut Ctx<'_, '_>, op: CastOp, flags: CastFlags, from: &Shape, to: &Shape, a: &Val) -> Step<Val> {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => {
            let [from, to] = [from, to].map(|shape| shape.scalar_bits().unwrap_or(128));
            scalar::int_cast(ctx, op, flags, from, to, a)
        }
        CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr | CastOp::AddrSpaceCast => {
            scalar::pointer_cast(ctx, op, to, a)
        }
        CastOp::BitCast => bitcast(ctx, from, to, a),
        CastOp::FpTrunc
        | CastOp::FpExt
        | CastOp::FpToUi
        | CastOp::FpToSi
        | CastOp::UiToFp
        | CastOp::SiToFp => float::cast(ctx, op, flags, from, to, a),
    }
}

/// `bitcast`: reinterprets the bits as another type, as if by a store and a load.
fn bitcast(ctx: &Ctx<'_, '_>, from: &Shape, to: &Shape, a: &Val) -> Step<Val> {
    let big_endian = ctx.memory.big_endian;
    if from == to {
        return Ok(a.clone());
    }
    if let (Some(width), Some(_)) = (from.scalar_bits(), to.scalar_bits()) {
        return Ok(a.cube().map_or(Val::Poison, |c| Val::from_cube(width, c)));
    }
    if let (Shape::Vector { elem: e, len: m }, Shape::Vector { elem: f, len: n }) = (from, to)
        && m == n
        && e.scalar_bits() == f.scalar_bits()
        && e.is_ptr() == f.is_ptr()
    {
        return Ok(a.clone());
    }
    if from.bits() <= 128 {
        let raw = if let Shape::Vector { elem, .. } = from {
            pack(a, elem, big_endian)
        } else {
            RawBits::of(a, from.scalar_bits().unwrap_or(128))
        };
        return Ok(if let Shape::Vector { elem, len } = to {
            unpack(raw, *len, elem, big_endian)
        } else {
            raw.to_val(to.scalar_bits().unwrap_or(128))
        });
    }
    let whole_bytes = |s: &Shape| matches!(s, Shape::Vector { elem, .. } if element_step(elem).is_some());
    if whole_bytes(from) && whole_bytes(to) {
        let mut contents = crate::memory::Contents::zeroed(from.store_bytes() as usize);
        contents.write(0, from, a, big_endian);
        return Ok(contents.read(0, to, big_endian));
    }
    Err(Stop::unsupported(Feature::Other("a bitcast of a wide vector whose elements are not whole bytes")))
}

/// `select`: the arm not chosen does not matter.
fn select(ctx: &mut Ctx<'_, '_>, fast: FastMath, shape: &Shape, args: &[Val]) -> Step<Val> {
    let value = choose_arm(ctx, shape, &args[0], &args[1], &args[2]);
    if fast.is_empty() { Ok(value) } else { float::apply_flags(ctx, fast, shape, value) }
}

/// The value of a `select` with a scalar condition.
pub(super) fn choose_arm(ctx: &mut Ctx<'_, '_>, shape: &Shape, cond: &Val, a: &Val, b: &Val) -> Val {
    match cond {
        Val::Bits(bit) => if *bit == 0 { b } else { a }.clone(),
        Val::Wide(_) => undef_arm(ctx, shape, a, b),
        Val::Poison | Val::Ptr(_) | Val::Agg(_) => shape.poison(),
    }
}

/// Chooses an arm for an undefined condition; each use may see another one. Poison in either arm makes the result
/// poison.
fn undef_arm(ctx: &mut Ctx<'_, '_>, shape: &Shape, a: &Val, b: &Val) -> Val {
    if a == b {
        return a.clone();
    }
    if shape.scalar_bits().is_some() {
        if *a == Val::Poison || *b == Val::Poison {
            return Val::Poison;
        }
        // At most one bit differs: the result has that bit undefined.
        if let (Some(x), Some(y), false) = (a.cube(), b.cube(), shape.is_ptr()) {
            let differ = (x.bits ^ y.bits) | x.undef | y.undef;
            if differ.count_ones() <= 1 {
                return Val::from_cube(shape.scalar_bits().unwrap_or(1), Cube::new(x.bits, differ));
            }
        }
    }
    ctx.note_narrowed();
    if ctx.choose(ChoiceKind::SelectArm, Domain::Bits(1)) == 1 { a.clone() } else { b.clone() }
}

/// `freeze`: poison and undefined bits become arbitrary but fixed.
pub(super) fn freeze(ctx: &mut Ctx<'_, '_>, shape: &Shape, value: &Val) -> Val {
    match value {
        Val::Bits(_) | Val::Ptr(_) => value.clone(),
        Val::Agg(members) => {
            let mut frozen = Vec::with_capacity(members.len());
            for (member, elem) in members.iter().zip(shape.members()) {
                frozen.push(freeze(ctx, elem, member));
            }
            Val::agg(frozen)
        }
        Val::Poison | Val::Wide(_) => {
            let width = shape.scalar_bits().unwrap_or(1);
            let cube = value.cube().unwrap_or(Cube::new(0, crate::value::mask(width)));
            let bits = ctx.resolve(ChoiceKind::Freeze, cube);
            shape.scalar_from(Cube::known(bits))
        }
    }
}
