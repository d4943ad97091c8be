//! Inner loops' control flow that is not uniform: a loop that some lanes leave before others goes on as long as any lane does,
//! and in its body those that have left it do nothing. What branches there is decided for all lanes at once.
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
//! The branch on `active` is the mask of the body: lane by lane it is a region like any other. What a lane brings out of the
//! loop, `%v`, it holds from the iteration on in which it leaves. The header's phis take poison for lanes that have left,
//! which nobody reads. With one lane, `active` is always set: the lane came there by `still`, or for the first time.
//!
//! Needs single latches, dedicated exits and LCSSA form; keeps them. A loop that is left by several edges, or not from its
//! latch, is brought there first, as [`super::multi_exit`] does it. The plan's outermost loop is left alone: its iterations are
//! the lanes.

use super::Uniformity;
use super::multi_exit::{is_from_outside, merge};
use super::nest::{Exiting, Nest};
use crate::plan::{BlockId, MaskOp, Recipe, RecipeId, VPValue, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::types::Type;

/// Does it to all loops that are in another and not uniform.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let mut nest = Nest::new(plan);
    let mut changed = false;
    for l in nest.inner_first() {
        let is_inner = nest.parent(l).is_some() && !uniform.is_uniform_loop(plan, nest.header(l));
        if is_inner && !is_masked(plan, &nest, l) {
            changed |= go_on_for_any_lane(plan, &mut nest, l);
        }
    }
    changed
}

/// Whether the body of `l` is under a mask already: its header branches on what the latch branched on, or for the first time.
/// What a plan was executed as has such loops.
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

/// The one edge by which `l` is left, if that is its latch's; a loop that is left otherwise is brought there.
fn only_exit(plan: &mut VPlan, nest: &mut Nest, l: LoopId) -> Option<Exiting> {
    let is_latchs = |nest: &Nest, edges: &[Exiting]| matches!(edges, [e] if Some(e.from) == nest.latch(l));
    let mut edges = nest.exiting(plan, l);
    if !is_latchs(nest, &edges) && !edges.is_empty() {
        merge(plan, nest, l, &edges);
        edges = nest.exiting(plan, l);
    }
    edges.first().copied().filter(|_| is_latchs(nest, &edges))
}

fn go_on_for_any_lane(plan: &mut VPlan, nest: &mut Nest, l: LoopId) -> bool {
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
    let still = leave_by_new_latch(plan, [header, latch, new]);
    let ways = Ways { preheader, header, latch, new };
    ways.mask_header_phis(plan, nest, l);
    ways.hold_live_outs(plan, nest, l, exit);
    let incoming = vec![(preheader, VPValue::Bit(true)), (new, still)];
    let active = plan.add_phi(header, (Type::I1, Some("active")), None, incoming);
    plan.push_condition_bit(header, VPValue::Def(active));
    plan.add_edge(header, new);
    let any = plan.push(new, Recipe::AnyLane { bits: still }, Type::I1, Some("any"));
    plan.push_condition_bit(new, VPValue::Def(any));
    plan.add_edge(new, header);
    plan.add_edge(new, exit);
    nest.set_latch(l, new);
    true
}

/// Lets the old latch go to the new one; says which bit is set there for lanes that go on.
fn leave_by_new_latch(plan: &mut VPlan, [header, latch, new]: [BlockId; 3]) -> VPValue {
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
    VPValue::Def(plan.add_phi(new, (Type::I1, Some("still")), None, incoming))
}

/// The blocks between which values go.
struct Ways {
    preheader: BlockId,
    header: BlockId,
    latch: BlockId,
    new: BlockId,
}

impl Ways {
    fn at_new_latch(&self, plan: &mut VPlan, name: &str, [left, active]: [VPValue; 2], ty: Type) -> VPValue {
        let incoming = vec![(self.header, left), (self.latch, active)];
        VPValue::Def(plan.add_phi(self.new, (ty, Some(name)), None, incoming))
    }
    /// Lets the header's phis take from the new latch what they took from the old one.
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
    /// Lets each lane hold what it brings to the phis of the exit from the iteration on in which it leaves.
    fn hold_live_outs(&self, plan: &mut VPlan, nest: &Nest, l: LoopId, exit: BlockId) {
        let phis: Vec<RecipeId> = plan.phis(exit).collect();
        for phi in phis {
            let Some(mut value) = plan.take_incoming(phi, self.latch) else { continue };
            if !is_from_outside(plan, nest, l, value) {
                let ty = plan.recipe(phi).ty;
                let name = plan.recipe(phi).name.as_deref().unwrap_or("value").to_owned();
                let first = vec![(self.preheader, VPValue::Poison(ty))];
                let held = plan.add_phi(self.header, (ty, Some(&format!("{name}.held"))), None, first);
                let both = [VPValue::Def(held), value];
                value = self.at_new_latch(plan, &format!("{name}.kept"), both, ty);
                plan.add_incoming(held, self.new, value);
            }
            plan.add_incoming(phi, self.new, value);
        }
    }
}
