//! Loops that data-dependent exits leave: what is computed before it is known whether a vector leaves, and what then.
//!
//! A round of the vector loop first computes what these exits test, for all lanes, in iterations up to `taken` whether the
//! source makes them or not: the *tested* instructions. If no lane leaves, the rest of the round is done as in any other
//! loop. If one does, nothing of the rest has been done. Then the first lane that leaves is found, and with it which
//! exit it takes, if all that is used behind these exits is among the tested instructions and nothing is stored
//! (`by_lane`); otherwise the round is made again by the scalar loop, which leaves where it must.
//!
//! So of the tested instructions alone it is demanded that they can be executed in iterations that are not made: divisions
//! are by constants, calls are `speculatable`, and each load is of memory that is there: an object from outside, of known
//! size, that is not given back before the loop ends, and through which the address walks by a constant. The address is
//! computed anew, without flags, since the source's may be poison there. Loads come in front of the stores of the same
//! iteration then, which must not touch what they read.
//!
//! Poison in lanes behind the one that leaves is seen by nobody: conditions are frozen before lanes are combined.

use super::access::{Access, Pattern};
use super::exits::{Exit, Exits};
use super::ops::{Op, is_speculatable};
use super::phis::HeaderPhi;
use super::readable::{divides_safely, is_readable};
use super::{Form, Masks, Missed};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use rustc_hash::{FxHashMap, FxHashSet};

/// How data-dependent exits are taken.
#[derive(Clone, Debug)]
pub struct Early {
    /// What is computed before it is known whether a lane leaves.
    pub tested: FxHashSet<Inst>,
    /// Whether masks are among that.
    pub masks: bool,
    /// Whether the lane that leaves has all that is used behind these exits; if not, the scalar loop leaves.
    pub by_lane: bool,
}

/// What is known of the loop so far.
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
) -> Result<Option<Early>, Missed> {
    let exits: Vec<&Exit> = of.exits.uncounted().collect();
    if exits.is_empty() {
        return Ok(None);
    }
    let collects_in_memory = |kind: &HeaderPhi| match kind {
        HeaderPhi::Reduction(r) => !r.stores.is_empty(),
        HeaderPhi::Induction(_) | HeaderPhi::Selection(_) | HeaderPhi::FirstOrder(_) => false,
    };
    if of.phis.iter().any(|(_, kind)| collects_in_memory(kind)) {
        return Err(Missed::EarlyExitStore);
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

/// What `values` are made of, and whether masks are among that, if all of it can be executed in iterations that are not made.
fn tested(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    of: Known<'_>,
    values: Vec<Value>,
) -> Result<(FxHashSet<Inst>, bool), Missed> {
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
                may_be_early(scev, form, of, inst)?;
                continue;
            }
            Some(Op::Carried) => match of.phis.iter().find(|(phi, _)| *phi == inst) {
                Some((_, HeaderPhi::Induction(_))) => continue,
                _ => return Err(Missed::RecurrenceInEarlyExit),
            },
            Some(Op::Divide) if masked || !divides_safely(scev, inst) => {
                return Err(Missed::EarlyExitUnsafe(body.inst(inst).kind.mnemonic()));
            }
            Some(Op::Replicate) if !body.inst(inst).call().is_some_and(|c| is_speculatable(scev, c)) => {
                return Err(Missed::EarlyExitUnsafe(body.inst(inst).kind.mnemonic()));
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

/// Whether a load can be done in iterations that are not made, and before what the iteration stores.
fn may_be_early(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    of: Known<'_>,
    inst: Inst,
) -> Result<(), Missed> {
    let Some(access) = of.accesses.iter().find(|a| a.inst == inst) else { return Err(Missed::NotReadable) };
    if !of.exits.is_certain {
        return Err(Missed::EarlyExitCount);
    }
    let together = matches!(access.pattern, Pattern::Uniform | Pattern::Consecutive | Pattern::Reverse);
    if access.masked || !together || !is_readable(scev, form, of.exits.taken, access) {
        return Err(Missed::NotReadable);
    }
    let aliasing = Aliasing::new(scev.at);
    let in_front = of.accesses.iter().filter(|a| a.is_store && form.position(a.inst) < form.position(inst));
    for store in in_front {
        if aliasing.alias_accesses(store.inst, inst, Iterations::Any(form.l)) != AliasResult::NoAlias {
            return Err(Missed::EarlyExitStore);
        }
    }
    Ok(())
}
