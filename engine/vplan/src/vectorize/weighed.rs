//! What vectors of the loops in a loop are worth: how much less all its iterations cost if each loop in it is made what is best
//! of it, by itself or by the loops in it. To be compared with vectors of the loop itself.

use super::{LoopVectorize, choose};
use crate::legality::{MOST_TRIPS, trips_of};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_scev::Kept;
use backedge_transform::pass::Unit;

/// How deep loops may lie in each other that are weighed.
const MOST_DEPTH: u32 = 6;

/// What is saved in all iterations of the loop with that header by vectors of the loops in it; `None` if one of these asks for
/// vectors.
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
