//! Scalar promotion: a location that the loop only loads and stores is kept in an SSA value while the loop runs:
//! loaded in the preheader, stored at every exit.
//!
//! Check, for each location at an invariant address to which the loop stores:
//!
//! - All its accesses have one type and order nothing; nothing else in the loop may touch it.
//! - The load in the preheader reads dereferenceable memory: an access is certainly executed, or the memory is known.
//! - A store at an exit is not new: a store has been executed on every path out. Otherwise the memory must belong to
//!   the function, not be captured, and be dereferenceable.
//! - If the loop may end other than by its exits (a call that throws or does not return), the memory must be
//!   invisible then, that is, belong to the function.
//!
//! Decide: if the stores may not move, only the loads become values, and the stores stay. Apply: the location is a
//! variable with many definitions, put into SSA form by [`crate::ssa`]. Exit blocks, also those of nested loops with
//! stores, get phis, so that LCSSA form is kept.

use super::movable::is_unordered;
use super::region::Region;
use super::remarks::LicmMissed;
use super::speculate::{is_private, is_readable};
use super::{Findings, Licm};
use crate::lcssa::closed_at;
use crate::shape::Shape;
use crate::split::landing_pad;
use crate::ssa::{Definitions, Reaching};
use backedge_analysis::alias::location::{access_bytes, accessed_type, pointer_operand};
use backedge_analysis::alias::{AliasResult, Iterations, MemoryLocation};
use backedge_analysis::frontier::IteratedFrontier;
use backedge_analysis::{Dominators, LoopId};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstData, InstKind, MemAccess, Value};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// A location to promote.
#[derive(Clone, Debug)]
pub(super) struct Promotion {
    ty: Type,
    /// Its loads and stores in the loop.
    accesses: Vec<Inst>,
    /// The load in the preheader; `None` if its initial value is not needed.
    load: Option<Outside>,
    /// The store at the exits; `None` if the stores stay in the loop.
    store: Option<Outside>,
}

/// An access outside the loop.
#[derive(Clone, Debug)]
struct Outside {
    ptr: Value,
    access: MemAccess,
    metadata: Vec<(MdKind, MdRef)>,
}

impl Promotion {
    /// Whether the stores move too.
    pub(super) fn moves_stores(&self) -> bool {
        self.store.is_some()
    }
}

/// The loads and stores of one location.
struct Group {
    location: MemoryLocation,
    accesses: Vec<Inst>,
    has_store: bool,
}

/// The locations of the loop that can be promoted.
pub(super) fn check(region: &Region<'_>, options: Licm, findings: &mut Findings) -> Vec<Promotion> {
    let mut groups = groups_by_pointer(region);
    if !groups.iter().any(|g| g.has_store) || !region.has_dedicated_exits() {
        return Vec::new();
    }
    if region.accesses.len() > options.mssa_max_acc_promotion {
        groups.iter().flat_map(|g| &g.accesses).for_each(|i| findings.add(LicmMissed::TooManyAccesses, *i));
        return Vec::new();
    }
    merge_equal(region, &mut groups);
    let mut promotions = Vec::new();
    for group in groups.into_iter().filter(|g| g.has_store) {
        let first = group.accesses[0];
        match check_group(region, options, group) {
            Ok(promotion) => promotions.push(promotion),
            Err(missed) => findings.add(missed, first),
        }
    }
    promotions
}

/// The unordered loads and stores at invariant addresses, grouped by location, in order of first occurrence.
fn groups_by_pointer(region: &Region<'_>) -> Vec<Group> {
    let body = region.at.body;
    let mut groups: Vec<Group> = Vec::new();
    let mut index: FxHashMap<MemoryLocation, usize> = FxHashMap::default();
    for &inst in &region.accesses {
        let kind = &body.inst(inst).kind;
        let (InstKind::Load(access) | InstKind::Store(access)) = kind else { continue };
        let Some(location) = MemoryLocation::of_access(region.at, inst) else { continue };
        if !is_unordered(access) || !region.is_invariant(location.ptr) {
            continue;
        }
        let at = *index.entry(location).or_insert_with(|| {
            groups.push(Group { location, accesses: Vec::new(), has_store: false });
            groups.len() - 1
        });
        groups[at].accesses.push(inst);
        groups[at].has_store |= matches!(kind, InstKind::Store(_));
    }
    groups
}

/// Merges groups of equal locations if one of them has a store.
fn merge_equal(region: &Region<'_>, groups: &mut Vec<Group>) {
    let mut at = 0;
    while at < groups.len() {
        let mut other = at + 1;
        while other < groups.len() {
            let (a, b) = (&groups[at], &groups[other]);
            let equal = (a.has_store || b.has_store)
                && a.location.size == b.location.size
                && region.aliasing.alias(a.location, b.location, Iterations::Any(region.l), None)
                    == AliasResult::MustAlias;
            if equal {
                let merged = groups.remove(other);
                groups[at].accesses.extend(merged.accesses);
                groups[at].has_store |= merged.has_store;
            } else {
                other += 1;
            }
        }
        at += 1;
    }
}

fn check_group(region: &Region<'_>, options: Licm, group: Group) -> Result<Promotion, LicmMissed> {
    let (at, body) = (region.at, region.at.body);
    let accesses = &group.accesses;
    let ty = accessed_type(body, accesses[0]).ok_or(LicmMissed::DifferentTypes)?;
    let ordering = access_of(region, accesses[0]).and_then(|a| a.ordering);
    let alike = |i: &Inst| {
        accessed_type(body, *i) == Some(ty) && access_of(region, *i).is_some_and(|a| a.ordering == ordering)
    };
    if !accesses.iter().all(alike) {
        return Err(LicmMissed::DifferentTypes);
    }
    let touched = |i: &Inst| {
        let effect = region.effect(*i, group.location);
        effect.reads || effect.writes
    };
    let members: EntitySet<Inst> = accesses.iter().copied().collect();
    if region.accesses.iter().any(|i| !members.contains(*i) && touched(i)) {
        return Err(LicmMissed::LocationTouched);
    }
    let is_store = |i: &&Inst| matches!(body.inst(**i).kind, InstKind::Store(_));
    let size = access_bytes(at.env, ty).ok_or(LicmMissed::DifferentTypes)?;
    let common = |kind: MdKind, of: &[Inst]| Some((kind.clone(), common(region, &kind, of)?));
    let tbaa: Vec<(MdKind, MdRef)> = common(MdKind::Tbaa, accesses).into_iter().collect();
    // Metadata common to all stores that the new one replaces: debug location and assignment id.
    let stores: Vec<Inst> = accesses.iter().filter(is_store).copied().collect();
    let of_stores = [MdKind::Dbg, MdKind::DIAssignID].into_iter().filter_map(|kind| common(kind, &stores));
    let of_stores: Vec<(MdKind, MdRef)> = of_stores.collect();
    let sure = best(region, accesses.iter().copied().filter(|i| region.is_sure(*i)));
    let kept =
        best(region, accesses.iter().filter(is_store).copied().filter(|i| is_on_every_exit(region, *i)));
    let ordering = MemAccess { ordering, ..MemAccess::default() };
    let outside = |best: (Value, u64), metadata: &[&[(MdKind, MdRef)]]| Outside {
        ptr: best.0,
        access: MemAccess { align: Some(best.1), ..ordering.clone() },
        metadata: metadata.concat(),
    };
    let ptr = group.location.ptr;
    let known = region.aliasing.known_align(ptr, region.entering()).max(1);
    let needed = if ordering.ordering.is_some() { size } else { 1 };
    let is_there = || options.allow_speculation && known >= needed && is_readable(region, ptr, size, 1);
    let loads = accesses.iter().any(|i| matches!(body.inst(*i).kind, InstKind::Load(_)));

    let private = || is_private(region, ptr);
    let store = match kept {
        _ if may_end_inside(region) && !private() => None,
        // Facts about the address at loop entry hold at the exits too.
        Some((ptr, align)) => {
            let align = align.max(sure.map_or(1, |s| s.1));
            Some(outside((ptr, align), &[&tbaa, &of_stores]))
        }
        None if private() && is_there() => Some(outside((ptr, known), &[&of_stores])),
        None => None,
    };
    if store.is_none() && !loads {
        return Err(if kept.is_some() { LicmMissed::MayNotReachExit } else { LicmMissed::ConditionalStore });
    }
    let load = match sure {
        _ if !loads && kept.is_some() => None,
        Some(best) => Some(outside(best, &[&tbaa])),
        None if is_there() => Some(outside((ptr, known), &[])),
        None => return Err(LicmMissed::ConditionalAccess),
    };
    Ok(Promotion { ty, accesses: group.accesses, load, store })
}

fn access_of<'a>(region: &Region<'a>, inst: Inst) -> Option<&'a MemAccess> {
    match &region.at.body.inst(inst).kind {
        InstKind::Load(access) | InstKind::Store(access) => Some(access),
        _ => None,
    }
}

/// The pointer and alignment of the access with the largest alignment.
fn best(region: &Region<'_>, accesses: impl Iterator<Item = Inst>) -> Option<(Value, u64)> {
    let at = region.at;
    let promised = accesses.filter_map(|i| {
        let ty = accessed_type(at.body, i)?;
        let align = access_of(region, i)?.align.or_else(|| at.env.layout.abi_align(&at.env.types, ty))?;
        Some((pointer_operand(at.body, i)?, align))
    });
    promised.reduce(|a, b| if b.1 > a.1 { b } else { a })
}

/// The metadata of `kind`, if all accesses have the same.
fn common(region: &Region<'_>, kind: &MdKind, accesses: &[Inst]) -> Option<MdRef> {
    let said = |i: Inst| region.at.body.inst(i).metadata_of(kind).copied();
    let first = said(*accesses.first()?)?;
    accesses.iter().all(|i| said(*i) == Some(first)).then_some(first)
}

/// Whether `store` has been executed whenever the loop is left by one of its exits: in the first iteration or in the
/// last.
fn is_on_every_exit(region: &Region<'_>, store: Inst) -> bool {
    if region.is_executed_first(store) {
        return true;
    }
    let (body, dominators) = (region.at.body, region.at.dominators());
    let before = |b: &Block| region.order.dominates_end(body, &dominators, store, *b);
    region.exiting_blocks().iter().all(before)
}

/// Whether execution may end in the loop with memory visible to others: by a call that throws or does not return.
fn may_end_inside(region: &Region<'_>) -> bool {
    let stops = region.at.get::<backedge_analysis::must_execute::Stops>();
    let is_stop = |b: &Block| {
        stops.first(*b).is_some_and(|i| !matches!(region.at.body.inst(i).kind, InstKind::Unreachable))
    };
    region.loops.blocks_unordered(region.l).iter().any(is_stop)
}

/// CFG data for the promotions of a loop, computed once.
pub(super) struct Graph<'a> {
    shape: &'a Shape,
    frontier: IteratedFrontier<'a, Dominators>,
    l: LoopId,
    preheader: Block,
    exits: Vec<Block>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(shape: &'a Shape, l: LoopId, preheader: Block) -> Self {
        let frontier = IteratedFrontier::new(&shape.cfg, &*shape.dominators);
        let exits = shape.loops.distinct_exit_blocks(&shape.cfg, l);
        Self { shape, frontier, l, preheader, exits }
    }
    /// The number of exit blocks of the loop.
    pub(super) fn exits(&self) -> usize {
        self.exits.len()
    }
    /// The blocks where the definitions in `blocks`, all in the loop, meet: each other, and the LCSSA phis of nested
    /// loops that contain definitions.
    fn joins(&self, blocks: &[Block]) -> EntitySet<Block> {
        let loops = &self.shape.loops;
        let inside = |b: Block| loops.contains(self.l, b);
        let innermost = blocks.iter().filter_map(|b| loops.innermost(*b));
        let inner: FxHashSet<LoopId> =
            innermost.flat_map(|l| loops.ancestors(l).take_while(|l| *l != self.l)).collect();
        let closing = inner.into_iter().flat_map(|l| loops.distinct_exit_blocks(&self.shape.cfg, l));
        let mut closing: Vec<Block> = closing.filter(|b| inside(*b)).collect();
        closing.sort_unstable();
        closing.dedup();
        let defining = [blocks, &closing].concat();
        let meeting = self.frontier.of_where(&defining, inside);
        meeting.into_iter().chain(closing).chain(self.exits.iter().copied()).collect()
    }
}

/// Promotes the location of `promotion`.
pub(super) fn apply(editor: &mut Editor<'_>, graph: &Graph<'_>, promotion: &Promotion) {
    let Promotion { ty, accesses, .. } = promotion;
    let by_block = in_order(editor, accesses);
    let mut at_end: FxHashMap<Block, Value> = FxHashMap::default();
    for (block, insts) in &by_block {
        let last = insts.iter().rev().find_map(|i| stored(editor, *i));
        at_end.extend(last.map(|value| (*block, value)));
    }
    let name = accesses.iter().find_map(|i| pointer_operand(editor.body(), *i));
    let name = name.and_then(|p| editor.body().value_name(p)).map(|n| format!("{n}.promoted"));
    let mut blocks: Vec<Block> = at_end.keys().copied().collect();
    blocks.sort_unstable();
    let joins = graph.joins(&blocks);
    let first = first_value(editor, graph, promotion, name.as_deref());
    at_end.insert(graph.preheader, first);
    let definition = |b: Block| at_end.get(&b).copied();
    let definitions = Definitions {
        cfg: &graph.shape.cfg,
        dominators: &graph.shape.dominators,
        at_end: &definition,
        joins: &joins,
    };
    let mut reaching = Reaching::new(definitions, *ty, name.as_deref());
    let mut values: FxHashMap<Inst, Value> = FxHashMap::default();
    for (block, insts) in &by_block {
        let mut current = None;
        for &inst in insts {
            match stored(editor, inst) {
                Some(value) => current = Some(value),
                None => {
                    let value = current.unwrap_or_else(|| reaching.at_start(editor, *block));
                    values.insert(inst, value);
                }
            }
        }
    }
    if let Some(store) = &promotion.store {
        for &exit in &graph.exits {
            let value = reaching.at_start(editor, exit);
            // The exit may also leave the loop that defines the address.
            let edges = graph.shape.cfg.preds(exit);
            let ptr = closed_at(editor, graph.shape, store.ptr, exit, exit, edges);
            store_at(editor, exit, [value, ptr], store);
        }
    }
    replace(editor, promotion, &values);
    remove_unused(editor, first);
}

/// The accesses by block, in program order.
fn in_order(editor: &Editor<'_>, accesses: &[Inst]) -> Vec<(Block, Vec<Inst>)> {
    let body = editor.body();
    let members: EntitySet<Inst> = accesses.iter().copied().collect();
    let mut blocks: Vec<Block> = accesses.iter().filter_map(|i| body.block_of(*i)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let members_of = |b: Block| body.insts(b).iter().copied().filter(|i| members.contains(*i)).collect();
    blocks.into_iter().map(|b| (b, members_of(b))).collect()
}

fn stored(editor: &Editor<'_>, inst: Inst) -> Option<Value> {
    let data = editor.body().inst(inst);
    matches!(data.kind, InstKind::Store(_)).then(|| data.operands[0])
}

/// The value of the location at loop entry.
fn first_value(
    editor: &mut Editor<'_>,
    graph: &Graph<'_>,
    promotion: &Promotion,
    name: Option<&str>,
) -> Value {
    let Some(load) = &promotion.load else { return editor.poison(promotion.ty) };
    let mut data = InstData::new(InstKind::Load(Box::new(load.access.clone())), promotion.ty, [load.ptr], []);
    data.metadata.extend(load.metadata.iter().cloned());
    let inst = editor.insert(Position::BeforeTerminator(graph.preheader), data);
    if let Some(name) = name {
        editor.set_name(inst, name);
    }
    inst.into()
}

fn store_at(editor: &mut Editor<'_>, exit: Block, operands: [Value; 2], store: &Outside) {
    let position = match landing_pad(editor.body(), exit) {
        Some(pad) => Position::After(pad),
        None => Position::AfterPhis(exit),
    };
    let kind = InstKind::Store(Box::new(store.access.clone()));
    let mut data = InstData::new(kind, Type::VOID, operands, []);
    data.metadata.extend(store.metadata.iter().cloned());
    editor.insert(position, data);
}

/// Replaces the loads by their values, and removes superfluous accesses.
fn replace(editor: &mut Editor<'_>, promotion: &Promotion, values: &FxHashMap<Inst, Value>) {
    let mut gone = Vec::new();
    for &inst in &promotion.accesses {
        let Some(&value) = values.get(&inst) else {
            if promotion.store.is_some() {
                gone.push(inst);
            }
            continue;
        };
        // The value may itself be one of the replaced loads, which was stored.
        let mut value = value;
        for _ in 0..values.len() {
            match value.as_inst().and_then(|i| values.get(&i)) {
                Some(next) => value = *next,
                None => break,
            }
        }
        editor.replace_uses(inst.into(), value);
        gone.push(inst);
    }
    editor.remove_all(&gone);
}

/// Removes the load before the loop if it is unused.
fn remove_unused(editor: &mut Editor<'_>, first: Value) {
    if let Some(load) = first.as_inst().filter(|i| editor.body().code_uses((*i).into()).next().is_none()) {
        editor.remove(load);
    }
}
