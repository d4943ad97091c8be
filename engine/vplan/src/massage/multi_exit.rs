//! Several exits to a single one: the latch becomes the only exiting block, with one exit block. The choice among the
//! former exits, and their values, reach it as bits and phis.
//!
//! ```text
//! a:      br %c, b, x           a:      br %c, b, x.side       x.side, the intermediate block of the exit x
//! b:      …                     b:      …
//! latch:  br %d, a, y           latch:  …                      all of them lead to the new latch
//!                               new:    again = phi [%d, latch], [false, x.side]
//!                                       to.x  = phi [false, latch], [true, x.side]
//!                                       br again, a, exit
//!                               exit:   br to.x, x, y          the first of the cascaded ifs
//! ```
//!
//! Each exit block gets an intermediate block in the loop. The edges to the exit from blocks other than the latch go to
//! the intermediate block, which holds the incoming values of the exit's phis. The intermediate blocks and the old
//! latch branch to the new latch, which takes the backedge if control comes from the old latch and that would have
//! taken it. After the new latch, a cascade of ifs restores the original control flow. It tests the outermost exits
//! first, so that each if is in the right surrounding loop. Values leave the loop through phis: of the new latch, where
//! they are poison on paths that do not use them; then of the first block of the cascade; then of the exit. Incoming
//! values of the header's phis pass through the new latch in the same way. A loop with a single exit block needs no
//! ifs.
//!
//! Requires single latches, dedicated exits and LCSSA form, as in a newly built plan, and preserves them. Inner loops
//! are processed first, because the ifs after them are further exits of surrounding loops.

use super::Uniformity;
use super::joined;
use super::nest::{Exiting, Nest};
use crate::plan::{BlockId, RecipeId, VPValue, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// Applies the transform to all loops with several exiting edges.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let mut nest = Nest::new(plan);
    let mut changed = false;
    for l in nest.inner_first() {
        let edges = nest.exiting(plan, l);
        if edges.len() > 1 && !uniform.is_uniform_loop(plan, nest.header(l)) {
            changed |= merge(plan, &mut nest, l, &edges);
        }
    }
    changed
}

/// An exit block of a loop, with the incoming values of its phis from the loop.
struct Exit {
    block: BlockId,
    /// The intermediate block and each phi's incoming value there, if a block other than the latch exits to this block.
    side: Option<(BlockId, Vec<VPValue>)>,
    /// Each phi's incoming value from the latch, if the latch exits to this block.
    from_latch: Option<Vec<VPValue>>,
    phis: Vec<RecipeId>,
}

/// Makes a new latch the only exiting block of the loop `l`, which has the exiting edges `edges`. Returns false if the
/// loop has an unsuitable form.
pub(super) fn merge(plan: &mut VPlan, nest: &mut Nest, l: LoopId, edges: &[Exiting]) -> bool {
    let header = nest.header(l);
    let Some(latch) = nest.latch(l) else { return false };
    // If the latch had another successor in the loop, the latch would be the header of an inner loop that the backedge
    // exits. The dedicated exit block of that inner loop would be on the backedge, and would then be the latch instead.
    if plan.block(latch).succs.iter().any(|to| *to != header && nest.is_in(l, *to)) {
        return false;
    }
    let mut exits: Vec<BlockId> = Vec::new();
    for edge in edges {
        if !exits.contains(&edge.to) {
            exits.push(edge.to);
        }
    }
    exits.sort_by_key(|exit| nest.depth(*exit));
    let region = plan.block(header).parent;
    let label = plan.block(header).label.clone();
    let new = plan.add_block(&format!("{label}.latch"), region);
    nest.put(new, Some(l));
    let mut merge = Merge { latch, new, exits: Vec::new() };
    merge.exits = exits.into_iter().map(|exit| merge.detach(plan, nest, l, exit, edges)).collect();
    let goes_back = merge.move_backedge(plan, header);
    merge.carry_header_phis(plan, nest, l, header);
    let target = merge.cascade(plan, nest, l, &label);
    if goes_back {
        plan.add_edge(new, header);
        plan.add_edge(new, target);
    } else {
        plan.add_edge(new, target);
        plan.add_edge(new, header);
    }
    nest.set_latch(l, new);
    true
}

/// Removes a phi's entry for `from` and returns its value.
fn take(plan: &mut VPlan, phi: RecipeId, from: BlockId) -> VPValue {
    let ty = plan.recipe(phi).ty;
    plan.take_incoming(phi, from).unwrap_or(VPValue::Poison(ty))
}

/// The new latch under construction.
struct Merge {
    latch: BlockId,
    new: BlockId,
    exits: Vec<Exit>,
}

impl Merge {
    /// Removes the loop's edges to `exit`; those from blocks other than the latch are redirected to an intermediate block.
    fn detach(&self, plan: &mut VPlan, nest: &mut Nest, l: LoopId, exit: BlockId, edges: &[Exiting]) -> Exit {
        let Self { latch, new, .. } = *self;
        let phis: Vec<RecipeId> = plan.phis(exit).collect();
        let all: Vec<BlockId> = edges.iter().filter(|e| e.to == exit).map(|e| e.from).collect();
        let sides: Vec<BlockId> = all.iter().copied().filter(|from| *from != latch).collect();
        let from_latch =
            (sides.len() < all.len()).then(|| phis.iter().map(|phi| take(plan, *phi, latch)).collect());
        let side = (!sides.is_empty()).then(|| {
            let label = format!("{}.side", plan.block(exit).label);
            let side = plan.add_block(&label, plan.block(exit).parent);
            nest.put(side, Some(l));
            for &from in &sides {
                plan.redirect(from, exit, side);
            }
            plan.add_edge(side, new);
            let mut values = Vec::with_capacity(phis.len());
            for &phi in &phis {
                let incoming = sides.iter().map(|from| (*from, take(plan, phi, *from))).collect();
                let is_there = |plan: &VPlan, value| is_closed_in(plan, nest, l, value);
                values.push(joined(plan, side, phi, incoming, "side", &is_there));
            }
            (side, values)
        });
        Exit { block: exit, side, from_latch, phis }
    }

    /// Redirects the old latch to the new one and moves the condition bit of the backedge there. Returns whether the
    /// backedge is taken if the bit is set.
    fn move_backedge(&self, plan: &mut VPlan, header: BlockId) -> bool {
        let Self { latch, new, .. } = *self;
        let goes_back = plan.block(latch).succs.first() == Some(&header);
        let bit = plan.pop_condition_bit(latch).unwrap_or(VPValue::Bit(goes_back));
        for to in plan.block(latch).succs.clone() {
            plan.remove_edge(latch, to);
        }
        plan.add_edge(latch, new);
        let terminator = plan.blocks[latch].terminator.take();
        plan.blocks[new].terminator = terminator;
        let again = self.carry(plan, "again", Type::I1, |from| match from {
            From::Latch => bit,
            From::Side(_) => VPValue::Bit(!goes_back),
        });
        plan.push_condition_bit(new, again);
        goes_back
    }

    /// Adds a phi to the new latch; `value` gives the value for each predecessor.
    fn carry(&self, plan: &mut VPlan, name: &str, ty: Type, value: impl Fn(From) -> VPValue) -> VPValue {
        let sides = self.exits.iter().enumerate().filter_map(|(index, exit)| {
            exit.side.as_ref().map(|(side, _)| (*side, value(From::Side(index))))
        });
        let incoming: Vec<(BlockId, VPValue)> =
            std::iter::once((self.latch, value(From::Latch))).chain(sides).collect();
        VPValue::Def(plan.add_phi(self.new, ty, Some(name), None, incoming))
    }

    /// Moves the header phis' incoming values from the old latch to the new one.
    fn carry_header_phis(&self, plan: &mut VPlan, nest: &Nest, l: LoopId, header: BlockId) {
        let mut carried: FxHashMap<VPValue, VPValue> = FxHashMap::default();
        let phis: Vec<RecipeId> = plan.phis(header).collect();
        for phi in phis {
            let Some(value) = plan.take_incoming(phi, self.latch) else { continue };
            let ty = plan.recipe(phi).ty;
            let through = if is_from_outside(plan, nest, l, value) {
                value
            } else if let Some(known) = carried.get(&value) {
                *known
            } else {
                let name = plan.name_of(value).or(plan.recipe(phi).name.as_deref()).unwrap_or("value");
                let name = format!("{name}.latch");
                let made = self.carry(plan, &name, ty, |from| match from {
                    From::Latch => value,
                    From::Side(_) => VPValue::Poison(ty),
                });
                carried.insert(value, made);
                made
            };
            plan.add_incoming(phi, self.new, through);
        }
    }

    /// Creates the cascade after the new latch that restores the original control flow; returns its first block.
    fn cascade(&self, plan: &mut VPlan, nest: &mut Nest, l: LoopId, label: &str) -> BlockId {
        if let [exit] = &self.exits[..] {
            for (index, phi) in exit.phis.iter().enumerate() {
                let value = self.carry_exit_phi(plan, nest, l, 0, index);
                plan.add_incoming(*phi, self.new, value);
            }
            return exit.block;
        }
        let first = plan.add_block(&format!("{label}.exit"), plan.block(self.new).parent);
        nest.put(first, nest.parent(l));
        let mut at = first;
        for (number, exit) in self.exits.iter().enumerate() {
            for (index, phi) in exit.phis.iter().enumerate() {
                let value = self.carry_exit_phi(plan, nest, l, number, index);
                let value = self.close(plan, first, value);
                plan.add_incoming(*phi, at, value);
            }
            if number + 1 == self.exits.len() {
                break;
            }
            let name = format!("to.{}", plan.block(exit.block).label);
            let bit = self.carry(plan, &name, Type::I1, |from| {
                VPValue::Bit(match from {
                    From::Latch => exit.from_latch.is_some(),
                    From::Side(side) => side == number,
                })
            });
            let bit = self.close(plan, first, bit);
            plan.push_condition_bit(at, bit);
            plan.add_edge(at, exit.block);
            if number + 2 == self.exits.len() {
                plan.add_edge(at, self.exits[number + 1].block);
            } else {
                let next = plan.add_block(&format!("{label}.exit"), plan.block(self.new).parent);
                nest.put(next, nest.parent(l));
                plan.add_edge(at, next);
                at = next;
            }
        }
        first
    }

    /// The incoming value of phi `index` of exit `number`, as available at the end of the new latch.
    fn carry_exit_phi(
        &self,
        plan: &mut VPlan,
        nest: &Nest,
        l: LoopId,
        number: usize,
        index: usize,
    ) -> VPValue {
        let exit = &self.exits[number];
        let phi = exit.phis[index];
        let ty = plan.recipe(phi).ty;
        let side = exit.side.as_ref().and_then(|(_, values)| values.get(index).copied());
        let from_latch = exit.from_latch.as_ref().and_then(|values| values.get(index).copied());
        let mut known = side.into_iter().chain(from_latch);
        if let Some(value) = known.next()
            && known.all(|other| other == value)
            && is_from_outside(plan, nest, l, value)
        {
            return value;
        }
        let poison = VPValue::Poison(ty);
        let name = format!("{}.out", plan.recipe(phi).name.as_deref().unwrap_or("value"));
        self.carry(plan, &name, ty, |from| match from {
            From::Latch => from_latch.unwrap_or(poison),
            From::Side(of) if of == number => side.unwrap_or(poison),
            From::Side(_) => poison,
        })
    }

    /// The value of `value`, defined in the new latch, after the loop: a phi of `first`.
    fn close(&self, plan: &mut VPlan, first: BlockId, value: VPValue) -> VPValue {
        match value {
            VPValue::Def(recipe) if plan.recipe(recipe).block == self.new => {
                let (ty, name) = (plan.recipe(recipe).ty, plan.recipe(recipe).name.clone());
                let name = format!("{}.lcssa", name.as_deref().unwrap_or("value"));
                VPValue::Def(plan.add_phi(first, ty, Some(&name), None, vec![(self.new, value)]))
            }
            VPValue::Def(_) | VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => value,
        }
    }
}

/// A predecessor of a new latch.
#[derive(Copy, Clone)]
enum From {
    /// The old latch.
    Latch,
    /// The intermediate block of an exit, by exit number.
    Side(usize),
}

/// Whether `value` is not defined in an inner loop of `l`, so that it may be used anywhere in `l`.
fn is_closed_in(plan: &VPlan, nest: &Nest, l: LoopId, value: VPValue) -> bool {
    match value {
        VPValue::Def(recipe) => {
            let block = plan.recipe(recipe).block;
            !nest.is_in(l, block) || nest.innermost(block) == Some(l)
        }
        VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => true,
    }
}

/// Whether `value` is defined outside `l`.
pub(super) fn is_from_outside(plan: &VPlan, nest: &Nest, l: LoopId, value: VPValue) -> bool {
    match value {
        VPValue::Def(recipe) => !nest.is_in(l, plan.recipe(recipe).block),
        VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => true,
    }
}
