//! The benefit of vectorizing the inner loops of a loop: the cost saved over all its iterations if the best choice is
//! made for each of them, recursively. The pass compares it with the benefit of vectorizing the outer loop.

use super::{LoopVectorize, choose};
use crate::legality::{MOST_TRIPS, trips_of};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_scev::Kept;
use backedge_transform::pass::Unit;

/// Limit for the nesting depth, in loops: bounds the recursion, which evaluates each loop. Deeper loops count as if
/// they saved nothing.
const MOST_DEPTH: u32 = 6;

/// The cost that vectorizing the inner loops saves over all iterations of the loop with that header; `None` if one of
/// these requests vectorization.
pub(super) fn inside(unit: &mut Unit<'_>, header: Block, pass: &LoopVectorize) -> Option<u64> {
    of_children(unit, header, pass, MOST_DEPTH)
}

fn of_children(unit: &mut Unit<'_>, header: Block, pass: &LoopVectorize, depth: u32) -> Option<u64> {
    let shape = unit.shape();
    let Some(l) = shape.loops.with_header(header) else { return Some(0) };
    let children: Vec<Block> = shape.loops.children(l).iter().map(|c| shape.loops.header(*c)).collect();
    let times = trips(unit, l);
    let mut saved = 0u64;
    for child in children {
        if choose::is_demanded(unit, child) {
            return None;
        }
        let own = choose::choose(unit, child, pass).map_or(0, |choice| choice.table.saving());
        let inner = match depth.checked_sub(1) {
            Some(depth) => of_children(unit, child, pass, depth)?,
            None => 0,
        };
        saved = saved.saturating_add(own.max(inner).saturating_mul(times));
    }
    Some(saved)
}

fn trips(unit: &Unit<'_>, l: LoopId) -> u64 {
    trips_of(&mut Kept::new(unit.at()), l).min(MOST_TRIPS)
}
