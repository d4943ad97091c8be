//! Members of aggregates and lanes of vectors.

use super::ctx::Ctx;
use super::regs::Regs;
use crate::compile::op::AggOp;
use crate::value::{Val, mask};
use std::sync::Arc;

/// Executes `op`.
pub(super) fn run(ctx: &mut Ctx<'_, '_>, regs: &mut Regs<'_>, op: &AggOp) {
    let (dst, result) = match op {
        AggOp::ExtractValue { dst, agg, path } => (*dst, member(&regs.get(*agg), path).clone()),
        AggOp::InsertValue { dst, agg, elem, path } => {
            let mut value = regs.get(*agg);
            if let Some(place) = member_mut(&mut value, path) {
                *place = regs.get(*elem);
            }
            (*dst, value)
        }
        AggOp::ExtractElement { dst, vec, index, width } => {
            let value = regs.get(*vec);
            let vector = value.members();
            let lane = lane_index(ctx, &regs.get(*index), *width, vector.len());
            (*dst, lane.map_or(Val::Poison, |i| vector[i].clone()))
        }
        AggOp::InsertElement { dst, vec, elem, index, width } => {
            let value = regs.get(*vec);
            let vector = value.members();
            let result = match lane_index(ctx, &regs.get(*index), *width, vector.len()) {
                Some(lane) => {
                    let mut lanes = vector.to_vec();
                    lanes[lane] = regs.get(*elem);
                    Val::agg(lanes)
                }
                None => Val::agg(vec![Val::Poison; vector.len()]),
            };
            (*dst, result)
        }
        AggOp::Shuffle { dst, a, b, mask } => {
            let (x, y) = (regs.get(*a), regs.get(*b));
            let (x, y) = (x.members(), y.members());
            let pick = |lane: &Option<u32>| {
                let Some(lane) = lane.map(|l| l as usize) else { return Val::Poison };
                x.get(lane).or_else(|| y.get(lane.checked_sub(x.len())?)).cloned().unwrap_or(Val::Poison)
            };
            (*dst, Val::agg(mask.iter().map(pick).collect()))
        }
    };
    regs.set(dst, result);
}

/// The lane that an index selects; `None` if it is poison, out of range, or may be out of range by its undefined
/// bits.
fn lane_index(ctx: &mut Ctx<'_, '_>, index: &Val, width: u32, lanes: usize) -> Option<usize> {
    let cube = index.cube()?;
    let largest = (cube.bits | cube.undef) & mask(width);
    (largest < lanes as u128).then(|| ctx.narrow(width, cube).bits() as usize)
}

fn member<'a>(value: &'a Val, path: &[u32]) -> &'a Val {
    path.iter().fold(value, |v, i| v.members().get(*i as usize).unwrap_or(&Val::Poison))
}

fn member_mut<'a>(value: &'a mut Val, path: &[u32]) -> Option<&'a mut Val> {
    path.iter().try_fold(value, |v, i| match v {
        Val::Agg(members) => Arc::make_mut(members).get_mut(*i as usize),
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) => None,
    })
}
