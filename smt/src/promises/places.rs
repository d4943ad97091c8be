//! What metadata says by where it stands: that the iterations of a loop do not depend on each other, which executions a scope
//! is one for, which pointers are the same to an invariant group, and what a function has before its entry.

use super::Promised;
use super::metadata::claimed;
use super::nodes::{Nodes, Of, operand};
use super::pointers::{Root, roots, shape};
use crate::encode::cycles::Cycles;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst, MdId};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::loop_options::{function_must_progress, option, says_mustprogress};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the target says by the place of metadata that the source does not say there.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let name = &target.module.env.funcs[target.func].name;
    let mut found = Vec::new();
    let parallel = parallel_loops(target, Of::Target);
    if !parallel.iter().all(BTreeSet::is_empty) && parallel != parallel_loops(source, Of::Source) {
        found.push(claimed(name, "llvm.loop", "of a loop whose iterations do not depend on each other"));
    }
    if Scopes::of(target, Of::Target).say_more_than(|| Scopes::of(source, Of::Source)) {
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

/// Of each loop, in order, the groups of accesses that its iterations are said not to depend on each other by; nothing where
/// no loop has metadata.
fn parallel_loops(side: FunctionRef<'_>, of: Of) -> Vec<BTreeSet<u64>> {
    let Some(body) = side.module.body(side.func).filter(|_| has_kind(side, &MdKind::Loop)) else {
        return Vec::new();
    };
    let env = &side.module.env;
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let mut nodes = Nodes::new(side, of);
    let mut groups = |latch: Block| -> Vec<u64> {
        let named = option(env, body, latch, "llvm.loop.parallel_accesses").unwrap_or_default();
        named.iter().filter_map(operand).map(|group| nodes.of_node(group)).collect()
    };
    let headers = cfg.rpo().iter().copied();
    headers
        .filter(|header| latches(&cfg, &dominators, *header).next().is_some())
        .map(|header| latches(&cfg, &dominators, header).flat_map(&mut groups).collect())
        .collect()
}

/// Of each loop, in order, whether its metadata says that it makes progress.
fn progress(side: FunctionRef<'_>) -> Vec<bool> {
    let Some(body) = side.module.body(side.func) else { return Vec::new() };
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let of_header = |header: &Block| {
        let mut latches = latches(&cfg, &dominators, *header).peekable();
        latches.peek()?;
        Some(latches.all(|latch| says_mustprogress(&side.module.env, body, latch)))
    };
    cfg.rpo().iter().filter_map(of_header).collect()
}

/// Whether a loop of the target may be one that must make progress by its metadata while it need not in the source.
pub(super) fn progresses_more(source: FunctionRef<'_>, target: FunctionRef<'_>) -> bool {
    let there = progress(target);
    if !there.contains(&true) {
        return false;
    }
    let here = progress(source);
    here != there && (here.is_empty() || here.contains(&false))
}

/// Of each cycle, in order, whether every run that comes there is undefined: it must make progress, and stays there for ever
/// without any. Nothing if no cycle is such.
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

/// Whether the target may stay in a cycle without the progress that it must make while the source makes it, or leaves. A
/// check up to a bound does not see that.
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

/// The scopes that a function's accesses name: where these begin, and which beginning an access belongs to.
#[derive(Default)]
struct Scopes {
    /// The declarations of a scope, in order, by the number of loops that each stands in.
    declared: BTreeMap<u64, Vec<usize>>,
    /// A scope that an access names, whether the access is in it or not in it, and the declaration that control has passed
    /// last when it comes there, by its place among those of the scope.
    named: BTreeSet<(u64, bool, Option<usize>)>,
}

impl Scopes {
    fn of(side: FunctionRef<'_>, of: Of) -> Self {
        let mut scopes = Self::default();
        let kinds = [MdKind::AliasScope, MdKind::NoAlias];
        let Some(body) = side.module.body(side.func) else { return scopes };
        if !kinds.iter().any(|kind| has_kind(side, kind)) {
            return scopes;
        }
        let env = &side.module.env;
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        let mut nodes = Nodes::new(side, of);
        let mut list = |id: MdId| -> Vec<u64> {
            let operands = env.metadata.tuple(id).unwrap_or_default().iter();
            operands.filter_map(operand).map(|scope| nodes.of_node(scope)).collect()
        };
        // The declaration of each scope that control has passed last at the end of a block.
        let mut passed: FxHashMap<Block, Rc<FxHashMap<u64, usize>>> = FxHashMap::default();
        for block in cfg.rpo().iter().copied() {
            let above = dominators.idom(block).and_then(|above| passed.get(&above));
            let mut last = above.cloned().unwrap_or_default();
            for inst in body.insts(block).iter().copied() {
                if let Some(node) = declaration(env, body, inst) {
                    let depth = loops_around(&cfg, &dominators, block);
                    for scope in list(node) {
                        let places = scopes.declared.entry(scope).or_default();
                        Rc::make_mut(&mut last).insert(scope, places.len());
                        places.push(depth);
                    }
                }
                for kind in &kinds {
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
    /// Whether a scope begins where it does not in the source, or does not begin where it does there: outside a loop it is
    /// one for all iterations.
    fn say_more_than(&self, source: impl FnOnce() -> Self) -> bool {
        if self.named.is_empty() {
            return false;
        }
        let source = source();
        self.named.iter().any(|named| {
            self.declared.get(&named.0) != source.declared.get(&named.0) || !source.named.contains(named)
        })
    }
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

/// The blocks from which control returns to `header`, a block that dominates them; none if it heads no loop.
pub(super) fn latches<'c>(
    cfg: &'c Cfg,
    dominators: &'c Dominators,
    header: Block,
) -> impl Iterator<Item = Block> + 'c {
    cfg.preds(header).iter().copied().filter(move |pred| dominators.dominates(header, *pred))
}

/// The number of loops that contain `block`.
fn loops_around(cfg: &Cfg, dominators: &Dominators, block: Block) -> usize {
    let mut count = 0;
    let mut at = Some(block);
    while let Some(header) = at {
        let mut latches = latches(cfg, dominators, header);
        count += usize::from(latches.any(|latch| reaches(cfg, dominators, (block, latch), header)));
        at = dominators.idom(header);
    }
    count
}

/// Whether control reaches the second block from the first one without leaving what `header` dominates.
fn reaches(cfg: &Cfg, dominators: &Dominators, (from, to): (Block, Block), header: Block) -> bool {
    let mut seen: EntitySet<Block> = EntitySet::new();
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        if seen.insert(block) {
            let succs = cfg.succs(block).iter().copied();
            work.extend(succs.filter(|succ| *succ != header && dominators.dominates(header, *succ)));
        }
    }
    false
}

pub(super) fn has_kind(side: FunctionRef<'_>, kind: &MdKind) -> bool {
    let body = side.module.body(side.func);
    body.is_some_and(|body| body.all_insts().any(|inst| body.inst(inst).metadata_of(kind).is_some()))
}

/// The pointers that the function launders or strips of their invariant groups, by what holds in both functions.
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

/// Kinds that put data before the entry of a function, which callers look at: both sides must have the same.
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
