//! Loops with data-dependent exits: the values computed before a vector iteration knows whether it leaves, and the way
//! out.
//!
//! A vector iteration first computes the conditions of these exits for all lanes, in iterations up to `taken`, even if
//! the source does not execute them: the *tested* instructions. If no lane leaves, the rest of the vector iteration
//! executes as in any other loop. If a lane leaves, nothing of the rest has executed. If all values used after these
//! exits are tested instructions and nothing is stored (`by_lane`), the vector code finds the first lane that leaves
//! and its exit. Otherwise the scalar loop repeats the iterations and leaves through the correct exit.
//!
//! So only the tested instructions must be safe in iterations that the source does not execute: divisions have constant
//! divisors, calls are `speculatable`, and each load reads memory that is known to be dereferenceable: an object from
//! outside the loop, of known size, that is not freed before the loop ends, with an address of constant stride. The
//! address is recomputed without flags, because the source's address may be poison there. These loads execute before
//! the stores of the same iteration, which must not write the loaded bytes.
//!
//! Poison in lanes after the one that leaves has no effect: conditions are frozen before lanes are combined.

use super::access::{Access, Pattern};
use super::exits::{Exit, Exits};
use super::ops::{Op, is_speculatable};
use super::phis::HeaderPhi;
use super::readable::{divides_safely, is_readable};
use super::{Form, LegalityMissed, Masks};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use rustc_hash::{FxHashMap, FxHashSet};

/// The handling of data-dependent exits.
#[derive(Clone, Debug)]
pub struct Early {
    /// The instructions that execute before it is known whether a lane leaves.
    pub tested: FxHashSet<Inst>,
    /// Whether masks are needed for them.
    pub masks: bool,
    /// Whether the vector code has all values used after these exits for the lane that leaves; if not, the scalar loop
    /// takes the exit.
    pub by_lane: bool,
}

/// The facts established so far about the loop.
#[derive(Copy, Clone)]
pub(super) struct Known<'k> {
    pub(super) exits: &'k Exits,
    pub(super) ops: &'k FxHashMap<Inst, Op>,
    pub(super) masks: &'k Masks,
    pub(super) phis: &'k [(Inst, HeaderPhi)],
    pub(super) accesses: &'k [Access],
}

pub(super) fn check(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    of: Known<'_>,
) -> Result<Option<Early>, LegalityMissed> {
    let exits: Vec<&Exit> = of.exits.uncounted().collect();
    if exits.is_empty() {
        return Ok(None);
    }
    let collects_in_memory = |kind: &HeaderPhi| match kind {
        HeaderPhi::Reduction(r) => !r.stores.is_empty(),
        HeaderPhi::Induction(_) | HeaderPhi::Selection(_) | HeaderPhi::FirstOrder(_) => false,
    };
    if of.phis.iter().any(|(_, kind)| collects_in_memory(kind)) {
        return Err(LegalityMissed::EarlyExitStore);
    }
    let conditions: Vec<Value> = exits.iter().map(|e| e.condition).collect();
    let body = scev.body();
    let outs = exits.iter().flat_map(|e| body.phis(e.to).filter_map(|phi| body.incoming_from(phi, e.from)));
    let all: Vec<Value> = conditions.iter().copied().chain(outs).collect();
    if of.accesses.iter().all(|a| !a.is_store)
        && let Ok((tested, masks)) = tested(scev, form, of, all)
    {
        return Ok(Some(Early { tested, masks, by_lane: true }));
    }
    let (tested, masks) = tested(scev, form, of, conditions)?;
    Ok(Some(Early { tested, masks, by_lane: false }))
}

/// The transitive operands of `values` in the loop, and whether masks are among them, provided all of them are safe in
/// iterations that the source does not execute.
fn tested(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    of: Known<'_>,
    values: Vec<Value>,
) -> Result<(FxHashSet<Inst>, bool), LegalityMissed> {
    let body = scev.body();
    let (mut tested, mut masks, mut work) = (FxHashSet::default(), false, values);
    while let Some(value) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| form.contains(*i)) else { continue };
        if !tested.insert(inst) {
            continue;
        }
        let masked = body.block_of(inst).is_some_and(|b| of.masks.has_mask(b));
        match of.ops.get(&inst) {
            Some(Op::Load) => {
                check_early_load(scev, form, of, inst)?;
                continue;
            }
            Some(Op::Carried) => match of.phis.iter().find(|(phi, _)| *phi == inst) {
                Some((_, HeaderPhi::Induction(_))) => continue,
                _ => return Err(LegalityMissed::RecurrenceInEarlyExit),
            },
            Some(Op::Divide) if masked || !divides_safely(scev, inst) => {
                return Err(LegalityMissed::EarlyExitUnsafe(body.inst(inst).kind.mnemonic()));
            }
            Some(Op::Replicate) if !body.inst(inst).call().is_some_and(|c| is_speculatable(scev, c)) => {
                return Err(LegalityMissed::EarlyExitUnsafe(body.inst(inst).kind.mnemonic()));
            }
            Some(Op::Blend) if !masks => {
                masks = true;
                let inner = |b: &&Block| of.exits.all.iter().all(|e| e.from != **b);
                let branches = form.blocks.iter().filter(inner).filter_map(|b| body.terminator(*b));
                work.extend(branches.flat_map(|t| body.inst(t).operands.iter().copied()));
            }
            _ => {}
        }
        work.extend(body.inst(inst).operands.iter().copied());
    }
    Ok((tested, masks))
}

/// Whether a load is safe in iterations that the source does not execute, and before the stores of its iteration.
fn check_early_load(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    of: Known<'_>,
    inst: Inst,
) -> Result<(), LegalityMissed> {
    let Some(access) = of.accesses.iter().find(|a| a.inst == inst) else {
        return Err(LegalityMissed::NotReadable);
    };
    if !of.exits.is_certain {
        return Err(LegalityMissed::EarlyExitCount);
    }
    let together = matches!(access.pattern, Pattern::Uniform | Pattern::Consecutive | Pattern::Reverse);
    if access.masked || !together || !is_readable(scev, form, of.exits.taken, access) {
        return Err(LegalityMissed::NotReadable);
    }
    let aliasing = Aliasing::new(scev.at);
    let in_front = of.accesses.iter().filter(|a| a.is_store && form.position(a.inst) < form.position(inst));
    for store in in_front {
        if aliasing.alias_accesses(store.inst, inst, Iterations::Any(form.l)) != AliasResult::NoAlias {
            return Err(LegalityMissed::EarlyExitStore);
        }
    }
    Ok(())
}
