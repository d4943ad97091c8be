//! Divergent control flow of inner loops: a loop that some lanes leave before others runs as long as any lane is
//! active, and inactive lanes do nothing in its body. All lanes take its branches together.
//!
//! ```text
//! h:      …                     h:       active = phi [true, preheader], [still, new]
//!         …                              v.held = phi [poison, preheader], [v.kept, new]
//!                                        br active, h.body, new
//!                               h.body:  …
//! latch:  br %c, h, x           latch:   br new
//!                               new:     still = phi [false, h], [%c, latch]
//!                                        v.kept = phi [v.held, h], [%v, latch]
//!                                        br any-lane still, h, x
//! ```
//!
//! The branch on `active` masks the body; per lane, the body is an ordinary region. A lane holds its live-out `%v` from
//! the iteration in which it leaves the loop. For inactive lanes the header's phis have poison, which has no use. With
//! one lane `active` is always set: the lane enters the loop for the first time, or `still` was set.
//!
//! Requires single latches, dedicated exits and LCSSA form, and preserves them. A loop with several exiting edges, or
//! with an exiting block other than the latch, is first transformed as by [`super::multi_exit`]. The plan's outermost
//! loop is left unchanged: its iterations are the lanes.

use super::Uniformity;
use super::multi_exit::{is_from_outside, merge};
use super::nest::{Exiting, Nest};
use crate::plan::{BlockId, MaskOp, Recipe, RecipeId, VPValue, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::types::Type;

/// Applies the transform to all divergent inner loops.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let mut nest = Nest::new(plan);
    let mut changed = false;
    for l in nest.inner_first() {
        let is_inner = nest.parent(l).is_some() && !uniform.is_uniform_loop(plan, nest.header(l));
        if is_inner && !is_masked(plan, &nest, l) {
            changed |= loop_while_any_lane_is_active(plan, &mut nest, l);
        }
    }
    changed
}

/// Whether the body of `l` is masked already: the header branches on a phi of `true` and the latch's condition. Plans
/// built from the IR of an executed plan have such loops.
fn is_masked(plan: &VPlan, nest: &Nest, l: LoopId) -> bool {
    let header = nest.header(l);
    let (Some(preheader), Some(latch)) = (nest.preheader(l), nest.latch(l)) else { return false };
    let (Some(VPValue::Def(active)), Some(still)) = (plan.condition_bit(header), plan.condition_bit(latch))
    else {
        return false;
    };
    plan.recipe(active).block == header
        && plan.incoming_from(active, preheader) == Some(VPValue::Bit(true))
        && plan.incoming_from(active, latch) == Some(still)
        && plan.block(header).succs.get(1) == Some(&latch)
        && plan.block(latch).succs.first() == Some(&header)
}

/// The only exiting edge of `l`, if its source is the latch. Merges other exiting edges first.
fn only_exit(plan: &mut VPlan, nest: &mut Nest, l: LoopId) -> Option<Exiting> {
    let is_latchs = |nest: &Nest, edges: &[Exiting]| matches!(edges, [e] if Some(e.from) == nest.latch(l));
    let mut edges = nest.exiting(plan, l);
    if !is_latchs(nest, &edges) && !edges.is_empty() {
        merge(plan, nest, l, &edges);
        edges = nest.exiting(plan, l);
    }
    edges.first().copied().filter(|_| is_latchs(nest, &edges))
}

fn loop_while_any_lane_is_active(plan: &mut VPlan, nest: &mut Nest, l: LoopId) -> bool {
    let header = nest.header(l);
    let Some(preheader) = nest.preheader(l) else { return false };
    let Some(Exiting { from: latch, to: exit }) = only_exit(plan, nest, l) else { return false };
    let label = plan.block(header).label.clone();
    let head = plan.phis(header).count();
    let body = plan.split_block(header, head, &format!("{label}.body"));
    nest.put(body, Some(l));
    let latch = if latch == header { body } else { latch };
    let new = plan.add_block(&format!("{label}.latch"), plan.block(header).parent);
    nest.put(new, Some(l));
    let still = redirect_to_new_latch(plan, [header, latch, new]);
    let ways = Ways { preheader, header, latch, new };
    ways.mask_header_phis(plan, nest, l);
    ways.hold_live_outs(plan, nest, l, exit);
    let incoming = vec![(preheader, VPValue::Bit(true)), (new, still)];
    let active = plan.add_phi(header, Type::I1, Some("active"), None, incoming);
    plan.push_condition_bit(header, VPValue::Def(active));
    plan.add_edge(header, new);
    let any = plan.push(new, Recipe::AnyLane { bits: still }, Type::I1, Some("any"));
    plan.push_condition_bit(new, VPValue::Def(any));
    plan.add_edge(new, header);
    plan.add_edge(new, exit);
    nest.set_latch(l, new);
    true
}

/// Redirects the old latch to the new one; returns the bit that is set there for lanes that continue.
fn redirect_to_new_latch(plan: &mut VPlan, [header, latch, new]: [BlockId; 3]) -> VPValue {
    let goes_back = plan.block(latch).succs.first() == Some(&header);
    let mut bit = plan.pop_condition_bit(latch).unwrap_or(VPValue::Bit(true));
    for to in plan.block(latch).succs.clone() {
        plan.remove_edge(latch, to);
    }
    if !goes_back {
        let kind = Recipe::Mask { op: MaskOp::Not, operands: smallvec::smallvec![bit] };
        bit = VPValue::Def(plan.push(latch, kind, Type::I1, Some("stays")));
    }
    plan.add_edge(latch, new);
    let terminator = plan.blocks[latch].terminator.take();
    plan.blocks[new].terminator = terminator;
    let incoming = vec![(header, VPValue::Bit(false)), (latch, bit)];
    VPValue::Def(plan.add_phi(new, Type::I1, Some("still"), None, incoming))
}

/// The blocks that the transform connects.
struct Ways {
    preheader: BlockId,
    header: BlockId,
    latch: BlockId,
    new: BlockId,
}

impl Ways {
    fn at_new_latch(&self, plan: &mut VPlan, name: &str, [left, active]: [VPValue; 2], ty: Type) -> VPValue {
        let incoming = vec![(self.header, left), (self.latch, active)];
        VPValue::Def(plan.add_phi(self.new, ty, Some(name), None, incoming))
    }
    /// Moves the header phis' incoming values from the old latch to the new one.
    fn mask_header_phis(&self, plan: &mut VPlan, nest: &Nest, l: LoopId) {
        let phis: Vec<RecipeId> = plan.phis(self.header).collect();
        for phi in phis {
            let Some(mut value) = plan.take_incoming(phi, self.latch) else { continue };
            if !is_from_outside(plan, nest, l, value) {
                let ty = plan.recipe(phi).ty;
                let name = plan.name_of(value).or(plan.recipe(phi).name.as_deref()).unwrap_or("value");
                let name = format!("{name}.next");
                value = self.at_new_latch(plan, &name, [VPValue::Poison(ty), value], ty);
            }
            plan.add_incoming(phi, self.new, value);
        }
    }
    /// Makes each lane hold its live-outs from the iteration in which it leaves the loop.
    fn hold_live_outs(&self, plan: &mut VPlan, nest: &Nest, l: LoopId, exit: BlockId) {
        let phis: Vec<RecipeId> = plan.phis(exit).collect();
        for phi in phis {
            let Some(mut value) = plan.take_incoming(phi, self.latch) else { continue };
            if !is_from_outside(plan, nest, l, value) {
                let ty = plan.recipe(phi).ty;
                let name = plan.recipe(phi).name.as_deref().unwrap_or("value").to_owned();
                let first = vec![(self.preheader, VPValue::Poison(ty))];
                let held = plan.add_phi(self.header, ty, Some(&format!("{name}.held")), None, first);
                let both = [VPValue::Def(held), value];
                value = self.at_new_latch(plan, &format!("{name}.kept"), both, ty);
                plan.add_incoming(held, self.new, value);
            }
            plan.add_incoming(phi, self.new, value);
        }
    }
}
