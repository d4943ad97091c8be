//! Conditions that stay the same as long as the loop takes one successor of its header.
//!
//! The header branches on a value computed from loads. On one of the two paths, nothing writes to the loaded memory
//! before control returns to the header: once the loop takes that path, it takes it in every later iteration. So the
//! condition is also computed before the loop. If it selects that path, a copy of the loop runs that takes no other;
//! otherwise the original loop runs. LLVM calls such a condition partially invariant.
//!
//! A header condition that depends only on invariant values is invariant on both paths: each of the two loops takes
//! one.

use super::check::Facts;
use super::effects::is_unseen;
use crate::shape::Shape;
use backedge_analysis::alias::{Aliasing, Iterations, MemoryLocation};
use backedge_analysis::cache::At;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use rustc_hash::FxHashMap;

/// Loop property that disables another unswitching of this kind.
pub(super) const DISABLED: &str = "llvm.loop.unswitch.partial.disable";

/// Maximum number of instructions that compute a condition: they are copied before the loop.
const MAX_INSTS: usize = 16;
/// Maximum number of access pairs compared: bounds the time for one loop. Beyond it memory may change.
const MAX_PAIRS: usize = 2000;

/// A condition that stays the same as long as the loop takes one successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OneWay {
    /// The condition, computed in the header.
    pub(super) condition: Inst,
    /// The instructions of the loop that compute it, in order, itself included.
    pub(super) insts: Vec<Inst>,
    /// Its value on that path.
    pub(super) value: bool,
    /// Whether it is invariant on the other path too, since it depends on no load.
    pub(super) forever: bool,
    /// Whether the condition may be poison although the source has a visible effect before it branches on it.
    pub(super) unsure: bool,
}

/// The one-way condition of the header's branch, if there is one.
pub(super) fn of_header(at: At<'_>, shape: &Shape, facts: &Facts) -> Option<OneWay> {
    let Shape { cfg, loops, .. } = shape;
    if loops.has_property(at.env, at.body, cfg, facts.l, DISABLED) {
        return None;
    }
    let body = at.body;
    let branch = body.inst(body.terminator(facts.header)?);
    if !matches!(branch.kind, InstKind::CondBr) || branch.blocks[0] == branch.blocks[1] {
        return None;
    }
    let condition = branch.operands[0].as_inst()?;
    let insts = made_of(body, shape, facts, condition)?;
    // The header has no visible effect up to the condition, so computing it before the loop is equivalent.
    let header = body.insts(facts.header);
    let upto = header.iter().position(|i| *i == condition)?;
    let unseen = |i: &Inst| is_unseen(at.env, body, *i);
    if !header[..=upto].iter().all(unseen) {
        return None;
    }
    let unsure = !header[upto..header.len() - 1].iter().all(unseen);
    let kept = |value: &bool| {
        let to = branch.blocks[usize::from(!*value)];
        way(shape, facts, to).is_some_and(|blocks| leaves_alone(at, facts, &insts, &blocks))
    };
    let value = [true, false].into_iter().find(kept)?;
    let forever = !insts.iter().any(|i| matches!(body.inst(*i).kind, InstKind::Load(_)));
    Some(OneWay { condition, insts, value, forever, unsure })
}

/// The instructions of the loop that compute `condition`, if they are in the header and can be duplicated.
fn made_of(body: &Body, shape: &Shape, facts: &Facts, condition: Inst) -> Option<Vec<Inst>> {
    let mut found: EntitySet<Inst> = EntitySet::new();
    let mut work = vec![condition];
    let mut count = 0;
    while let Some(inst) = work.pop() {
        if !found.insert(inst) {
            continue;
        }
        count += 1;
        let data = body.inst(inst);
        match &data.kind {
            InstKind::Load(access) if !access.volatile && access.ordering.is_none() => {}
            InstKind::Gep { .. }
            | InstKind::ICmp { .. }
            | InstKind::Cast(..)
            | InstKind::Binary(..)
            | InstKind::Select(_) => {}
            _ => return None,
        }
        if count > MAX_INSTS || body.block_of(inst) != Some(facts.header) {
            return None;
        }
        let inside = data.operands.iter().filter(|v| !shape.loops.is_invariant(body, facts.l, **v));
        work.extend(inside.filter_map(|v| v.as_inst()));
    }
    Some(body.insts(facts.header).iter().copied().filter(|i| found.contains(*i)).collect())
}

/// The blocks of the loop on paths from the header through `to` back to the header; `None` if there is no such path.
fn way(shape: &Shape, facts: &Facts, to: Block) -> Option<Vec<Block>> {
    let mut seen = EntitySet::new();
    let mut work = vec![to];
    let mut back = false;
    while let Some(block) = work.pop() {
        if block == facts.header {
            back = true;
        } else if shape.loops.contains(facts.l, block) && seen.insert(block) {
            work.extend(shape.cfg.succs(block));
        }
    }
    back.then(|| seen.iter().chain([facts.header]).collect())
}

/// Whether no instruction in `blocks` writes to memory that the loads of `insts` read.
fn leaves_alone(at: At<'_>, facts: &Facts, insts: &[Inst], blocks: &[Block]) -> bool {
    let is_load = |i: &&Inst| matches!(at.body.inst(**i).kind, InstKind::Load(_));
    let read: Option<Vec<MemoryLocation>> =
        insts.iter().filter(is_load).map(|i| MemoryLocation::of_access(at, *i)).collect();
    let Some(read) = read else { return false };
    let aliasing = Aliasing::new(at);
    let mut pairs = 0;
    for &inst in blocks.iter().flat_map(|b| at.body.insts(*b)) {
        if !backedge_analysis::effects::may_access_memory(at.env, at.body, inst) {
            continue;
        }
        for &location in &read {
            pairs += 1;
            let effect = aliasing.mod_ref(inst, location, Iterations::Any(facts.l));
            if pairs > MAX_PAIRS || effect.writes {
                return false;
            }
        }
    }
    true
}

/// Recomputes the condition before the loop, frozen if it may be poison there.
pub(super) fn make(editor: &mut Editor<'_>, preheader: Block, way: &OneWay) -> Value {
    let mut copies: FxHashMap<Inst, Value> = FxHashMap::default();
    let end = Position::BeforeTerminator(preheader);
    let mut last = Value::from(way.condition);
    for &inst in &way.insts {
        let mut data = editor.body().inst(inst).clone();
        for operand in &mut data.operands {
            if let Some(copy) = operand.as_inst().and_then(|i| copies.get(&i)) {
                *operand = *copy;
            }
        }
        let of_loop = |k: &MdKind| {
            matches!(
                k,
                MdKind::MemParallelLoopAccess | MdKind::AccessGroup | MdKind::AliasScope | MdKind::NoAlias
            )
        };
        data.metadata.retain(|(kind, _)| !of_loop(kind));
        let copy = editor.insert(end, data);
        if let Some(name) = editor.body().value_name(inst.into()).map(str::to_owned) {
            editor.set_name(copy, &name);
        }
        copies.insert(inst, copy.into());
        last = copy.into();
    }
    if way.unsure {
        let ty = editor.body().ty(last);
        last = editor.insert(end, InstData::new(InstKind::Freeze, ty, [last], [])).into();
    }
    last
}
