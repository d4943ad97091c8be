//! Promises that depend on the position of metadata: that iterations of a loop are independent, which executions belong
//! to one scope, which pointers are equal in an invariant group, and the data before a function's entry.

use super::Promised;
use super::guards::{Guards, Loops};
use super::nodes::{Nodes, Of, claimed, operand};
use super::pointers::{Root, roots, shape};
use crate::encode::cycles::Cycles;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst, MdId};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::loop_options::{function_must_progress, has_mustprogress, option};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::rc::Rc;

/// Promises from the position of the target's metadata that the source does not make there.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let name = &target.module.env.funcs[target.func].name;
    let mut found = Vec::new();
    let (is_parallel, has_scopes) = (has_parallel_loops(target), has_scopes(target));
    let pair = || Guards::of_pair([source, target], Loops::MayStay);
    let mut pair = (is_parallel || has_scopes).then(pair).flatten();
    let mut says_more = |more: fn(Known<'_, '_>, Known<'_, '_>) -> bool| match &mut pair {
        Some([there, here]) => more((source, there), (target, here)),
        None => true,
    };
    if is_parallel && says_more(is_parallel_elsewhere) {
        found.push(claimed(name, "llvm.loop", "of a loop whose iterations do not depend on each other"));
    }
    if has_scopes && says_more(begins_elsewhere) {
        found.push(claimed(name, "noalias", "of a scope that begins at another place"));
    }
    if has_kind(target, &MdKind::InvariantGroup) && laundered(source) != laundered(target) {
        found.push(claimed(name, "invariant.group", "of a pointer that is laundered otherwise"));
    }
    found.extend(
        ENTRY_KINDS
            .into_iter()
            .filter(|kind| entry(source, kind, Of::Source) != entry(target, kind, Of::Target))
            .map(|kind| Promised::differing(format!("`!{kind}`"), "of the function")),
    );
    found
}

/// A function with its guards.
type Known<'a, 'm> = (FunctionRef<'m>, &'a mut Guards<'m>);

/// Whether a loop of the function promises that its iterations are independent.
fn has_parallel_loops(side: FunctionRef<'_>) -> bool {
    let Some(body) = side.module.body(side.func) else { return false };
    let is_parallel = |block: Block| option(&side.module.env, body, block, PARALLEL_ACCESSES).is_some();
    body.blocks().any(is_parallel)
}

/// The operand of loop metadata that lists the access groups without dependences between iterations.
const PARALLEL_ACCESSES: &str = "llvm.loop.parallel_accesses";

/// Whether a loop of the target promises independent iterations for more accesses than the source's loop, or another
/// loop makes the promise.
fn is_parallel_elsewhere(source: Known<'_, '_>, target: Known<'_, '_>) -> bool {
    let there = parallel_loops(source, Of::Source);
    parallel_loops(target, Of::Target)
        .iter()
        .any(|(loops, groups)| there.get(loops).is_none_or(|own| !groups.is_subset(own)))
}

/// The access groups that loops name, by a hash of the loop and its enclosing loops. For loops that look alike, only
/// the groups that all of them name.
fn parallel_loops((side, guards): Known<'_, '_>, of: Of) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut found: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let Some(body) = side.module.body(side.func) else { return found };
    let env = &side.module.env;
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let mut nodes = Nodes::new(side, of);
    for header in cfg.rpo().iter().copied() {
        let mut latches = latches(&cfg, &dominators, header).peekable();
        if latches.peek().is_none() {
            continue;
        }
        let mut groups = BTreeSet::new();
        for latch in latches {
            let named = option(env, body, latch, PARALLEL_ACCESSES).unwrap_or_default();
            groups.extend(named.iter().filter_map(operand).map(|group| nodes.of_node(group)));
        }
        match found.entry(guards.loops_around(header)) {
            Entry::Vacant(place) => _ = place.insert(groups),
            Entry::Occupied(mut place) => match of {
                Of::Source => place.get_mut().retain(|group| groups.contains(group)),
                Of::Target => place.get_mut().extend(groups),
            },
        }
    }
    found
}

/// For each loop, in order, whether its metadata promises progress.
fn progress(side: FunctionRef<'_>) -> Vec<bool> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let of_header = |header: &Block| {
        let mut latches = latches(&cfg, &dominators, *header).peekable();
        latches.peek()?;
        Some(latches.all(|latch| has_mustprogress(&side.module.env, body, latch)))
    };
    cfg.rpo().iter().filter_map(of_header).collect()
}

/// Whether metadata may force a loop of the target to make progress that need not in the source.
pub(super) fn progresses_more(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    let there = progress(target);
    if !there.contains(&true) {
        return false;
    }
    let here = progress(source);
    here != there && (here.is_empty() || here.contains(&false))
}

/// For each cycle, in order, whether every run that reaches it is UB: it must make progress, and stays there forever
/// without any. Empty if there is no such cycle.
fn without_progress(side: FunctionRef<'_>) -> Vec<bool> {
    let must_progress = function_must_progress(&side.module.env, side.func) || has_kind(side, &MdKind::Loop);
    let Some(body) = side.module.body(side.func).filter(|_| must_progress) else { return Vec::new() };
    let endless = Cycles::new(side).map(|cycles| cycles.endless()).unwrap_or_default();
    if endless.is_empty() {
        return Vec::new();
    }
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let is_header = |block: &Block| latches(&cfg, &dominators, *block).next().is_some();
    let headers = cfg.rpo().iter().copied().filter(|block| is_header(block) || endless.contains(*block));
    headers.map(|header| endless.contains(header)).collect()
}

/// Whether the target may stay in a cycle without the required progress while the source makes progress or leaves. A
/// bounded check does not detect that.
pub(super) fn makes_less_progress(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    let there = without_progress(target);
    if there.is_empty() {
        return false;
    }
    let here = without_progress(source);
    let count = |list: &[bool]| list.iter().filter(|stays| **stays).count();
    if here.len() == there.len() {
        here.iter().zip(&there).any(|(here, there)| *there && !*here)
    } else {
        count(&here) < count(&there)
    }
}

/// The scopes that a function's accesses name: where they begin, and to which beginning an access belongs.
#[derive(Default)]
struct Scopes {
    /// The declarations of a scope, in order, by hashes of their conditions and of the enclosing loops.
    declared: BTreeMap<u64, Vec<(Option<u64>, u64)>>,
    /// A scope that an access names, whether the access is inside or outside the scope, and the index of the last
    /// declaration of the scope on every path to the access.
    named: BTreeSet<(u64, bool, Option<usize>)>,
}

impl Scopes {
    fn of((side, guards): Known<'_, '_>, of: Of) -> Self {
        let mut scopes = Self::default();
        let Some(body) = side.module.body(side.func).filter(|_| has_scopes(side)) else { return scopes };
        let env = &side.module.env;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let mut nodes = Nodes::new(side, of);
        let mut list = |id: MdId| -> Vec<u64> {
            let operands = env.metadata.tuple(id).unwrap_or_default().iter();
            operands.filter_map(operand).map(|scope| nodes.of_node(scope)).collect()
        };
        // The last declaration of each scope at the end of a block.
        let mut passed: FxHashMap<Block, Rc<FxHashMap<u64, usize>>> = FxHashMap::default();
        for block in cfg.rpo().iter().copied() {
            let above = dominators.idom(block).and_then(|above| passed.get(&above));
            let mut last = above.cloned().unwrap_or_default();
            for inst in body.insts(block).iter().copied() {
                if let Some(node) = declaration(env, body, inst) {
                    let place = (guards.chain(inst), guards.loops_around(block));
                    for scope in list(node) {
                        let places = scopes.declared.entry(scope).or_default();
                        Rc::make_mut(&mut last).insert(scope, places.len());
                        places.push(place);
                    }
                }
                for kind in &SCOPED {
                    let Some(MdRef::Node(node)) = body.inst(inst).metadata_of(kind) else { continue };
                    for scope in list(*node) {
                        let is_in_it = *kind == MdKind::AliasScope;
                        scopes.named.insert((scope, is_in_it, last.get(&scope).copied()));
                    }
                }
            }
            passed.insert(block, last);
        }
        scopes
    }
}

/// The kinds of metadata that name scopes.
const SCOPED: [MdKind; 2] = [MdKind::AliasScope, MdKind::NoAlias];

fn has_scopes(side: FunctionRef<'_>) -> bool {
    SCOPED.iter().any(|kind| has_kind(side, kind))
}

/// Whether a scope of the target begins where the source's does not, or the reverse: outside a loop, the scope covers
/// all iterations together.
fn begins_elsewhere(source: Known<'_, '_>, target: Known<'_, '_>) -> bool {
    let there = Scopes::of(source, Of::Source);
    let here = Scopes::of(target, Of::Target);
    // With several declarations, or one that does not dominate the access, the effective declaration is unknown.
    let is_clear = |scopes: &Scopes, scope: u64| {
        let count = scopes.declared.get(&scope).map_or(0, Vec::len);
        let mut named = scopes.named.iter().filter(|(other, ..)| *other == scope);
        count == 0 || count == 1 && named.all(|(.., passed)| passed.is_some())
    };
    here.named.iter().any(|named| {
        let scope = named.0;
        here.declared.get(&scope) != there.declared.get(&scope)
            || !there.named.contains(named)
            || !is_clear(&here, scope)
            || !is_clear(&there, scope)
    })
}

/// The list of scopes that `inst` declares.
fn declaration(env: &Env, body: &Body, inst: Inst) -> Option<MdId> {
    let call = body.inst(inst).call()?;
    let func = body.called_function(call.callee())?;
    let is_it = env.funcs[func].intrinsic == Some(Intrinsic::NoAliasScopeDecl);
    let list = call.args().first().filter(|_| is_it)?;
    let Value::Const(list) = *list else { return None };
    match body.constant(list).data {
        ConstData::Metadata(MetadataConst::Node(node)) => Some(node),
        _ => None,
    }
}

/// The latches of `header`: its predecessors that it dominates; none if it is not a loop header.
pub(super) fn latches<'c>(
    cfg: &'c Cfg,
    dominators: &'c Dominators,
    header: Block,
) -> impl Iterator<Item = Block> + 'c {
    cfg.preds(header).iter().copied().filter(move |pred| dominators.dominates(header, *pred))
}

pub(super) fn has_kind(side: FunctionRef<'_>, kind: &MdKind) -> bool {
    let body = side.module.body(side.func);
    body.is_some_and(|body| body.all_insts().any(|inst| body.inst(inst).metadata_of(kind).is_some()))
}

/// The pointers that the function launders or strips of their invariant groups, in a form that is comparable between
/// both functions.
fn laundered(side: FunctionRef<'_>) -> Vec<(Option<Intrinsic>, String, Vec<Root>)> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let env = &side.module.env;
    let mut found = Vec::new();
    for inst in body.all_insts() {
        let func = body.inst(inst).call().and_then(|call| body.called_function(call.callee()));
        let intrinsic = func.and_then(|func| env.funcs[func].intrinsic);
        if matches!(intrinsic, Some(Intrinsic::LaunderInvariantGroup | Intrinsic::StripInvariantGroup)) {
            found.push((intrinsic, shape(env, body, inst), roots(env, body, inst)));
        }
    }
    found.sort();
    found
}

/// Kinds that place data before a function's entry for its callers: both sides must have the same data.
pub(super) const ENTRY_KINDS: [&str; 2] = ["kcfi_type", "func_sanitize"];

fn entry(side: FunctionRef<'_>, wanted: &str, of: Of) -> Vec<u64> {
    let attachments = side.module.env.funcs[side.func].metadata.iter();
    let mut wanted = attachments.filter(|(kind, _)| kind.name() == wanted).peekable();
    if wanted.peek().is_none() {
        return Vec::new();
    }
    let mut nodes = Nodes::new(side, of);
    wanted.map(|(_, node)| nodes.of(*node)).collect()
}
