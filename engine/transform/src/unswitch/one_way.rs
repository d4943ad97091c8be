//! Conditions that are the same in all iterations as long as the loop goes one way.
//!
//! The header branches on what it loads. On one of the two ways, nothing writes to what was loaded before control is back
//! at the header: having gone that way once, the loop will go that way in each iteration. So the condition is made in
//! front of the loop too, and if it leads that way, a copy of the loop runs that goes nowhere else; if not, the loop runs
//! as it is. LLVM calls such a condition partially invariant.
//!
//! A condition that the header computes of nothing but what is the same in all iterations is so on both ways: each of the
//! two loops goes one.

use super::check::Facts;
use super::effects::is_unseen;
use crate::pass::Shape;
use backedge_analysis::alias::{Aliasing, Iterations, MemoryLocation};
use backedge_analysis::cache::At;
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use rustc_hash::FxHashMap;

/// The property of a loop's metadata that says not to unswitch it on such a condition: it has been.
pub(super) const DISABLED: &str = "llvm.loop.unswitch.partial.disable";

/// How many instructions a condition may be made of.
const MAX_INSTS: usize = 16;
/// How many pairs of accesses are compared.
const MAX_PAIRS: usize = 2000;

/// A condition that is the same as long as the loop goes one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OneWay {
    /// The condition, made in the header.
    pub(super) condition: Inst,
    /// What it is made of in the loop, in order, itself included.
    pub(super) insts: Vec<Inst>,
    /// Its value on that way.
    pub(super) value: bool,
    /// Whether it is the same on the other way too: nothing is loaded for it.
    pub(super) forever: bool,
    /// Whether the condition may be poison where the source does not come to branch on it before anything can be seen.
    pub(super) unsure: bool,
}

/// Such a condition of the header's branch.
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
    // Up to there, nothing is seen of the header: what is made in front of the loop would have been made anyway.
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

/// What `condition` is made of in the loop, if that is in the header and can be made again.
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

/// The blocks of the loop that control may come to from the header over `to` before it is at the header again; `None`
/// if it does not come back.
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

/// Whether nothing in `blocks` writes to what the loads of `insts` read.
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

/// Makes the condition again in front of the loop; frozen if it may be poison there.
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
