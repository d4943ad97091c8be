//! Support for intrinsics that compute each element of their operands.

use super::ctx::Ctx;
use crate::compile::op::IntrinsicOp;
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use crate::value::Val;
use backedge_ir::intrinsic::Intrinsic;

pub(super) fn unsupported(which: Intrinsic) -> Stop {
    Stop::unsupported(Feature::Intrinsic(which.name().to_owned()))
}

/// Result of executing an intrinsic.
pub(super) type Done = Step<()>;

/// Runs `each` on the lanes of vectors, or once on scalars. Scalar arguments next to vectors are the same for all
/// lanes.
pub(super) fn lanes(
    ctx: &mut Ctx<'_, '_>,
    op: &IntrinsicOp,
    args: &[Val],
    each: impl Fn(&mut Ctx<'_, '_>, &IntrinsicOp, &[Val]) -> Step<Val>,
) -> Step<Val> {
    let Val::Agg(first) = &args[0] else { return each(ctx, op, args) };
    let mut members = Vec::with_capacity(first.len());
    for lane in 0..first.len() {
        let lane_args: Vec<Val> = args.iter().map(|a| a.members().get(lane).unwrap_or(a).clone()).collect();
        members.push(each(ctx, op, &lane_args)?);
    }
    Ok(Val::agg(members))
}

/// The integer width of a shape: of the scalar, of a vector's elements, or of the first field.
pub(super) fn element_width(shape: &Shape) -> u32 {
    match shape {
        Shape::Vector { elem, .. } | Shape::Array { elem, .. } => element_width(elem),
        Shape::Struct { fields, .. } => fields.first().map_or(1, |(_, f)| element_width(f)),
        Shape::Int(_) | Shape::Float(_) | Shape::Ptr(_) => shape.scalar_bits().unwrap_or(1),
    }
}
