//! Of which instructions one lane is enough, or none is needed.
//!
//! Addresses of consecutive, reverse, uniform and interleaved accesses are computed for the first lane; tests of exits that
//! are counted are not made at all; of values that are uniform the uniform-lane analysis says so.

use crate::legality::{ExitKind, HeaderPhi, Legality, Op, Pattern};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_scev::ScalarEvolution;
use backedge_transform::uniform::{Lanes, Rounds, lanes};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many lanes of a value are computed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Needed {
    /// None.
    None,
    /// The first: the others are as it, or follow from it.
    First,
    /// All.
    All,
}

/// How many lanes each instruction of the loop is needed in, with vectors of `lanes_of` lanes.
pub fn needed(scev: &mut ScalarEvolution<'_>, of: &Legality, lanes_of: u32) -> FxHashMap<Inst, Needed> {
    let body = scev.body();
    let insts = of.form.insts();
    let mut needed: FxHashMap<Inst, Needed> = insts.iter().map(|i| (*i, Needed::None)).collect();
    let tested: FxHashSet<Value> = of.exits.uncounted().map(|e| e.condition).collect();
    // From users to what they use, until nothing is needed more: no value for its own sake.
    let mut changed = true;
    while changed {
        changed = false;
        for &inst in insts.iter().rev() {
            let now = by_users(body, of, &needed, &tested, inst);
            changed |= needed.insert(inst, now).is_some_and(|before| before < now);
        }
    }
    if let Some(nest) = &of.nest {
        for (inst, needed) in &mut needed {
            if nest.uniform.contains(inst) && *needed == Needed::All {
                *needed = Needed::First;
            }
        }
        return needed;
    }
    for (inst, kind) in lanes(scev, of.form.l, insts, Rounds::of(lanes_of as usize)) {
        let one = matches!(kind, Lanes::Same | Lanes::Fixed(_) | Lanes::Residue(_) | Lanes::Offset(_));
        if let Some(needed) = needed.get_mut(&inst).filter(|n| one && **n == Needed::All) {
            *needed = Needed::First;
        }
    }
    needed
}

fn by_users(
    body: &Body,
    of: &Legality,
    needed: &FxHashMap<Inst, Needed>,
    tested: &FxHashSet<Value>,
    inst: Inst,
) -> Needed {
    let data = body.inst(inst);
    let computes = data.kind.is_pure() || data.kind.is_phi();
    if !computes {
        let leaves = of.exits.of_branch(body, inst).is_some();
        let is_branch = of.ops.get(&inst) == Some(&Op::Branch);
        return if is_branch && (leaves || matches!(data.kind, InstKind::Br)) {
            Needed::None
        } else {
            Needed::All
        };
    }
    let collects = |phi: &HeaderPhi| matches!(phi, HeaderPhi::Reduction(_) | HeaderPhi::Selection(_));
    if tested.contains(&inst.into()) || of.phi(inst).is_some_and(collects) {
        return Needed::All;
    }
    let uses = body.code_uses(inst.into());
    uses.map(|use_| by_use(body, of, needed, use_)).max().unwrap_or(Needed::None)
}

/// How many lanes a use takes.
fn by_use(body: &Body, of: &Legality, needed: &FxHashMap<Inst, Needed>, use_: Use) -> Needed {
    let user = use_.user;
    let data = body.inst(user);
    if !of.form.contains(user) {
        // The last lane, where it is not the scalar loop that has it.
        return if of.needs_scalar() { Needed::None } else { Needed::All };
    }
    if let Some(access) = of.access(user) {
        let of_pointer = body.inst(user).operands.get(use_.index as usize) == Some(&access.pointer)
            && use_.index as usize + 1 == data.operands.len();
        let grouped = of.interleaved.iter().any(|g| g.members.contains(&Some(user)));
        let first = match access.pattern {
            Pattern::Consecutive | Pattern::Reverse | Pattern::Uniform => true,
            Pattern::Strided(_) => grouped,
            Pattern::Scattered => false,
        };
        return if of_pointer && first { Needed::First } else { Needed::All };
    }
    match of.ops.get(&user) {
        Some(Op::Dropped) => Needed::None,
        Some(Op::Branch) => match of.exits.of_branch(body, user).map(|e| e.kind) {
            Some(ExitKind::Counted(_) | ExitKind::Never) => Needed::None,
            Some(ExitKind::Uncounted) | None => Needed::All,
        },
        // A counter that only counts is no reason for itself.
        Some(_) => needed.get(&user).copied().unwrap_or(Needed::All),
        None => Needed::All,
    }
}
