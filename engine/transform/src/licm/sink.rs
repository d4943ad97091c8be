//! Sinking: instructions used only after the loop move to the exits that use them.
//!
//! Check: the instruction is used only by phis of exit blocks, or by instructions that are sunk themselves, and
//! memory that it reads is not written after it in the loop. It is executed in the last iteration before the edges on
//! which it is used, so a copy in the exit block has the same operands and the same result: flags and metadata stay
//! valid. Unused instructions are removed. Decide: everything that may be sunk is, users before their operands.
//! Apply: in each exit block a copy of the instruction replaces the value's phi, and operands defined in exited loops
//! get phis. If a phi takes the value on some edges only, the edges are first split into two exit blocks, which keeps
//! exits dedicated.

use super::Findings;
use super::movable::{Movable, leave_loop, movable};
use super::region::{Region, Writes};
use super::remarks::LicmMissed;
use crate::lcssa::closed_at;
use crate::shape::Shape;
use crate::split::{BlockPosition, NewPhis, Split, landing_pad, split_predecessors};
use backedge_analysis::LoopId;
use backedge_analysis::alias::MemoryLocation;
use backedge_analysis::cache::At;
use backedge_analysis::must_execute::call_has;
use backedge_ir::attr::{FlagAttr, MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;

/// The instructions to sink.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Users before their operands.
    insts: Vec<Inst>,
    /// Whether alias scopes are declared in the loop.
    scopes: bool,
}

impl Plan {
    /// Whether nothing is sunk.
    pub(super) fn is_empty(&self) -> bool {
        self.insts.is_empty()
    }
    /// The instructions to sink.
    pub(super) fn insts(&self) -> impl Iterator<Item = Inst> {
        self.insts.iter().copied()
    }
}

/// The instructions that can be sunk out of the loop.
pub(super) fn check(region: &Region<'_>, findings: &mut Findings) -> Plan {
    let body = region.at.body;
    let mut sunk = EntitySet::new();
    let mut plan = Plan::default();
    if !region.has_dedicated_exits() {
        return plan;
    }
    for block in region.own_blocks().rev() {
        for &inst in body.insts(block).iter().rev() {
            if is_used_only_after(region, &sunk, inst) && check_inst(region, inst, findings) {
                sunk.insert(inst);
                plan.insts.push(inst);
            }
        }
    }
    plan.scopes = !plan.is_empty() && region.declares_scopes();
    plan
}

/// Whether `inst` has no use that stays in the loop, and its uses after the loop are phis of exit blocks.
fn is_used_only_after(region: &Region<'_>, sunk: &EntitySet<Inst>, inst: Inst) -> bool {
    let body = region.at.body;
    body.code_uses(inst.into()).all(|use_| {
        let user = body.inst(use_.user);
        let Some(block) = body.block_of(use_.user) else { return false };
        if sunk.contains(use_.user) {
            return true;
        }
        let from = user.blocks.get(use_.index as usize);
        // A block that begins with a landing pad is not split further.
        let mixed = || user.operands.iter().any(|v| *v != Value::Inst(inst));
        user.kind.is_phi()
            && !region.loops.contains(region.l, block)
            && from.is_some_and(|from| region.loops.contains(region.l, *from))
            && !(mixed() && landing_pad(body, block).is_some())
    })
}

fn check_inst(region: &Region<'_>, inst: Inst, findings: &mut Findings) -> bool {
    let (at, body) = (region.at, region.at.body);
    let Ok(movable) = movable(at, inst) else { return false };
    let writes = match movable {
        Movable::Pure | Movable::Division => Writes::No,
        Movable::Call | Movable::ReadingCall(_) if is_noduplicate(region, inst) => return false,
        Movable::Call => Writes::No,
        // An unused instruction is removed, so its read does not matter.
        Movable::Load | Movable::ReadingCall(_) if is_unused(body, inst) => Writes::No,
        Movable::Load => match MemoryLocation::of_access(at, inst) {
            Some(location) => region.writes_after(location, inst),
            None => return false,
        },
        Movable::ReadingCall(effects) => region.writes_to_read_memory(inst, effects),
    };
    match writes {
        Writes::No => true,
        Writes::May => false,
        Writes::TooMany => {
            findings.add(LicmMissed::TooManyAccesses, inst);
            false
        }
    }
}

fn is_unused(body: &Body, inst: Inst) -> bool {
    body.code_uses(inst.into()).next().is_none()
}

/// Whether a call must not be copied into several exit blocks.
fn is_noduplicate(region: &Region<'_>, inst: Inst) -> bool {
    let At { env, body, .. } = region.at;
    body.inst(inst).call().is_some_and(|call| call_has(env, body, call, FlagAttr::NoDuplicate))
}

impl Region<'_> {
    /// Whether the loop writes to memory that a call reads: the memory of its pointer arguments, if it reads no
    /// other.
    pub(super) fn writes_to_read_memory(&self, inst: Inst, effects: MemoryEffects) -> Writes {
        let anything = || if self.writers().next().is_some() { Writes::May } else { Writes::No };
        let elsewhere = MemoryEffects { argmem: ModRef::NONE, ..effects };
        let Some(call) = self.at.body.inst(inst).call().filter(|_| !elsewhere.any().reads) else {
            return anything();
        };
        for &arg in call.args() {
            let ty = self.at.body.ty(arg);
            let writes = match () {
                () if ty.is_ptr() => self.writes(MemoryLocation::anywhere(arg)),
                // An aggregate or vector may hold pointers.
                () if ty.compound_id().is_some() => anything(),
                () => Writes::No,
            };
            if writes != Writes::No {
                return writes;
            }
        }
        Writes::No
    }
}

/// Sinks the instructions of the plan; returns the number of copies of each.
pub(super) fn apply(editor: &mut Editor<'_>, shape: &Shape, l: LoopId, plan: &Plan) -> Vec<usize> {
    let mut copies = Vec::new();
    for &inst in &plan.insts {
        while let Some((phi, from)) = mixed_phi(editor.body(), shape, l, inst) {
            separate(editor, shape, l, phi, &from);
        }
        let exits = exits_of(editor.body(), inst);
        copies.push(exits.len());
        for exit in exits {
            sink_into(editor, shape, inst, exit, plan.scopes);
        }
    }
    editor.remove_all(&plan.insts);
    copies
}

/// The phis after the loop that use `inst`, in order of their ids, each once.
fn phis_of(body: &Body, inst: Inst) -> Vec<Inst> {
    let users = body.uses(inst.into()).iter().map(|u| u.user);
    let mut phis: Vec<Inst> = users.filter(|u| body.inst(*u).kind.is_phi()).collect();
    phis.sort_unstable();
    phis.dedup();
    phis
}

/// The blocks of these phis.
fn exits_of(body: &Body, inst: Inst) -> Vec<Block> {
    let mut exits: Vec<Block> = phis_of(body, inst).iter().filter_map(|p| body.block_of(*p)).collect();
    exits.sort_unstable();
    exits.dedup();
    exits
}

/// A phi that takes `inst` on some edges from the loop and another value on others, and the predecessors that bring
/// `inst`.
fn mixed_phi(body: &Body, shape: &Shape, l: LoopId, inst: Inst) -> Option<(Inst, Vec<Block>)> {
    let value: Value = inst.into();
    phis_of(body, inst).into_iter().find_map(|phi| {
        let incoming = || body.inst(phi).incoming();
        let inside = incoming().all(|(_, b)| shape.loops.contains(l, b));
        let same = incoming().all(|(v, _)| v == value);
        let mut from: Vec<Block> = incoming().filter(|(v, _)| *v == value).map(|(_, b)| b).collect();
        from.sort_unstable();
        from.dedup();
        (!same || !inside).then_some((phi, from))
    })
}

/// Gives the edges from the blocks `from` to the block of `phi` their own exit block, and the other edges from the
/// loop another one.
fn separate(editor: &mut Editor<'_>, shape: &Shape, l: LoopId, phi: Inst, from: &[Block]) {
    let body = editor.body();
    let Some(exit) = body.block_of(phi) else { return };
    let mut all: Vec<Block> = body.inst(phi).blocks.to_vec();
    all.sort_unstable();
    all.dedup();
    let rest: Vec<Block> =
        all.iter().copied().filter(|b| !from.contains(b) && shape.loops.contains(l, *b)).collect();
    let split = |preds| Split {
        preds,
        suffix: "loopexit",
        phi_suffix: "ph",
        phis: NewPhis::Always,
        place: BlockPosition::Before(exit),
    };
    split_predecessors(editor, exit, &all, split(from));
    if !rest.is_empty() {
        split_predecessors(editor, exit, &all, split(&rest));
    }
}

/// Puts a copy of `inst` at the start of `exit` in place of its phis of `inst`, which take it on all edges.
fn sink_into(editor: &mut Editor<'_>, shape: &Shape, inst: Inst, exit: Block, scopes: bool) {
    let phis: Vec<Inst> = phis_of(editor.body(), inst)
        .into_iter()
        .filter(|p| editor.body().block_of(*p) == Some(exit))
        .collect();
    let Some(&first) = phis.first() else { return };
    let edges: Vec<Block> = editor.body().inst(first).blocks.to_vec();
    let mut data = editor.body().inst(inst).clone();
    // A new exit block is in the same loops as its successor.
    let is_new = !shape.cfg.is_reachable(exit);
    let place = editor.body().successors(exit).first().copied().filter(|_| is_new).unwrap_or(exit);
    for operand in &mut data.operands {
        // The exit may also leave surrounding loops.
        *operand = closed_at(editor, shape, *operand, exit, place, &edges);
    }
    let position = match landing_pad(editor.body(), exit) {
        Some(pad) => Position::After(pad),
        None => Position::AfterPhis(exit),
    };
    let copy = editor.insert(position, data);
    leave_loop(editor, copy, scopes);
    if let Some(name) = editor.body().value_name(inst.into()).map(|n| format!("{n}.le")) {
        editor.set_name(copy, &name);
    }
    for phi in phis {
        editor.replace_uses(phi.into(), copy.into());
        editor.remove(phi);
    }
}
