//! Verifier of vector plans: each operand of a recipe that is defined in the loop must come from an earlier recipe, and
//! values needed at the end of a vector iteration or after the loop must exist. The check does not distinguish lanes:
//! emitted code can use any lane of an existing value.

use super::{Addresses, Recipe, WidePlan};
use crate::legality::{HeaderPhi, Legality, Source};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::FxHashSet;

/// A missing value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The recipe that uses it; `None` for a use at the end of a vector iteration.
    pub by: Option<Recipe>,
    /// The instruction without an earlier recipe.
    pub inst: Inst,
}

/// Checks a plan of a loop.
pub fn verify(body: &Body, of: &Legality, addresses: &Addresses, plan: &WidePlan) -> Result<(), Missing> {
    let mut made: FxHashSet<Inst> = FxHashSet::default();
    for recipe in plan.recipes() {
        let missing = |value: &Value| {
            let inside = value.as_inst().filter(|inst| of.form.contains(*inst));
            inside.filter(|inst| !made.contains(inst))
        };
        if let Some(inst) = taken(body, of, addresses, recipe).iter().find_map(missing) {
            return Err(Missing { by: Some(recipe.clone()), inst });
        }
        match recipe {
            Recipe::HeaderPhi(phi) => {
                let is_handed_on = matches!(of.phi(*phi), Some(HeaderPhi::FirstOrder(_)));
                made.extend((!is_handed_on).then_some(*phi));
            }
            Recipe::Interleave(inst) => {
                made.extend(of.group(*inst).into_iter().flat_map(|g| &g.members).flatten());
            }
            other => made.extend(other.inst()),
        }
    }
    let missing =
        |value: Value| value.as_inst().filter(|inst| of.form.contains(*inst) && !made.contains(inst));
    match needed_at_end(body, of, plan).into_iter().find_map(missing) {
        Some(inst) => Err(Missing { by: None, inst }),
        None => Ok(()),
    }
}

/// The values that a recipe uses.
fn taken(body: &Body, of: &Legality, addresses: &Addresses, recipe: &Recipe) -> Vec<Value> {
    let operands = |inst: Inst| body.inst(inst).operands.to_vec();
    match recipe {
        Recipe::HeaderPhi(_)
        | Recipe::WidenInduction(_)
        | Recipe::ScalarSteps(_)
        | Recipe::Fixed(..)
        // Its operands are added after all blocks.
        | Recipe::WidenPhi(_) => Vec::new(),
        Recipe::Mask(block) => conditions(body, of, *block),
        Recipe::Splice(phi) => match of.phi(*phi) {
            Some(HeaderPhi::FirstOrder(f)) => vec![f.previous.into()],
            _ => Vec::new(),
        },
        Recipe::Memory(inst) | Recipe::Defer(inst) => {
            let pointer = of.access(*inst).map(|access| access.pointer);
            // A stored value may also be an address.
            let is_value = |at: usize| at == 0 && of.access(*inst).is_some_and(|access| access.is_store);
            let value = operands(*inst).into_iter().enumerate().filter(|(at, _)| is_value(*at)).map(|(_, v)| v);
            let value = value.filter(|_| matches!(recipe, Recipe::Memory(_)));
            value.chain(pointer.filter(|_| !addresses.is_recomputed(*inst))).collect()
        }
        Recipe::Interleave(inst) => {
            let Some(group) = of.group(*inst) else { return Vec::new() };
            let values = group.members.iter().flatten().filter(|_| group.is_store);
            let values = values.filter_map(|member| body.inst(*member).operands.first().copied());
            values.chain(of.access(group.at).map(|access| access.pointer)).collect()
        }
        Recipe::AnyExit => of.exits.uncounted().map(|exit| exit.condition).collect(),
        Recipe::Branch(inst) if of.exits.of_branch(body, *inst).is_some() => Vec::new(),
        Recipe::Blend(inst)
        | Recipe::Widen(inst)
        | Recipe::WidenCall(inst)
        | Recipe::Divide(inst)
        | Recipe::Pick(inst)
        | Recipe::Reduce(inst)
        | Recipe::Replicate(inst)
        | Recipe::Clone(inst)
        | Recipe::First(inst)
        | Recipe::Once(inst)
        | Recipe::Branch(inst) => operands(*inst),
    }
}

/// The branch conditions that determine the mask of `block`.
fn conditions(body: &Body, of: &Legality, block: Block) -> Vec<Value> {
    let branches = of.form.blocks.iter().filter_map(|from| body.terminator(*from));
    let comes = |branch: &Inst| {
        let data = body.inst(*branch);
        matches!(data.kind, InstKind::CondBr)
            && block != of.form.header
            && data.successors().contains(&block)
            && of.exits.of_branch(body, *branch).is_none()
    };
    branches.filter(comes).flat_map(|branch| body.inst(branch).operands.to_vec()).collect()
}

/// The values needed at the end of a vector iteration.
fn needed_at_end(body: &Body, of: &Legality, plan: &WidePlan) -> Vec<Value> {
    let carried = of.phis.iter().filter_map(|(_, kind)| match kind {
        HeaderPhi::Reduction(r) => Some(r.result.into()),
        HeaderPhi::Selection(s) => Some(s.result.into()),
        HeaderPhi::FirstOrder(f) => Some(f.previous.into()),
        HeaderPhi::Induction(_) => None,
    });
    let phis = plan.recipes().filter_map(|recipe| match recipe {
        Recipe::WidenPhi(phi) => Some(body.inst(*phi).operands.to_vec()),
        _ => None,
    });
    let outs = of
        .live_outs
        .iter()
        .filter(|out| !of.needs_scalar() && out.from == of.form.latch && out.source == Source::LastLane);
    carried.chain(phis.flatten()).chain(outs.map(|out| out.value)).collect()
}
