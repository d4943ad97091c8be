//! What metadata says by where it stands: that the iterations of a loop do not depend on each other, which executions a scope
//! is one for, which pointers are the same to an invariant group, and what a function has before its entry.

use super::Promised;
use super::metadata::{claimed, node_text, ref_text};
use crate::refinement::FunctionRef;
use backedge_ir::cfg::Cfg;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use std::collections::{BTreeMap, BTreeSet};

/// What the target says by the place of metadata that the source does not say there.
pub(super) fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    let name = &target.module.env.funcs[target.func].name;
    let mut found = Vec::new();
    let parallel = parallel_loops(target);
    if !parallel.iter().all(Option::is_none) && parallel != parallel_loops(source) {
        found.push(claimed(name, "llvm.loop", "of a loop whose iterations do not depend on each other"));
    }
    let scopes = scopes(source);
    if other_scopes(&scopes, &self::scopes(target)) {
        found.push(claimed(name, "noalias", "of a scope that begins at another place"));
    }
    if has_kind(target, &MdKind::InvariantGroup) && laundered(source) != laundered(target) {
        found.push(claimed(name, "invariant.group", "of a pointer that is laundered otherwise"));
    }
    found.extend(
        ENTRY_KINDS
            .into_iter()
            .filter(|kind| entry(source, kind) != entry(target, kind))
            .map(|kind| Promised::differing(format!("`!{kind}`"), "of the function")),
    );
    found
}

/// Of each loop, in the order of the text, how many groups of accesses its iterations are said not to depend on each other
/// by, if its metadata says that of any; nothing where no loop has metadata.
fn parallel_loops(side: FunctionRef<'_>) -> Vec<Option<usize>> {
    let Some(body) = side.module.body(side.func).filter(|_| has_kind(side, &MdKind::Loop)) else {
        return Vec::new();
    };
    let env = &side.module.env;
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let groups = |latch: Block| {
        let node = *body.inst(body.terminator(latch)?).metadata_of(&MdKind::Loop)?;
        let text = ref_text(env, node, 0);
        let (_, rest) = text.split_once("\"llvm.loop.parallel_accesses\"")?;
        Some(rest.split_once('}').map_or(rest, |(own, _)| own).matches(',').count())
    };
    let is_header = |block: &Block| cfg.preds(*block).iter().any(|pred| dominators.dominates(*block, *pred));
    let headers = cfg.rpo().iter().copied().filter(is_header);
    headers
        .map(|header| {
            let latches = cfg.preds(header).iter().filter(|pred| dominators.dominates(header, **pred));
            latches.filter_map(|latch| groups(*latch)).max()
        })
        .collect()
}

/// The scopes that a function declares, each with the numbers of loops that its declarations stand in.
fn scopes(side: FunctionRef<'_>) -> BTreeMap<String, BTreeSet<usize>> {
    let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let Some(body) = side.module.body(side.func) else { return found };
    let env = &side.module.env;
    let declared = body.all_insts().filter_map(|inst| {
        let call = body.inst(inst).call()?;
        let func = body.called_function(call.callee())?;
        let is_it = env.funcs[func].intrinsic == Some(Intrinsic::NoAliasScopeDecl);
        let list = call.args().first().filter(|_| is_it)?;
        Some((inst, *list))
    });
    let declared: Vec<(Inst, Value)> = declared.collect();
    if declared.is_empty() {
        return found;
    }
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    for (inst, list) in declared {
        let Value::Const(list) = list else { continue };
        let ConstData::Metadata(MetadataConst::Node(node)) = body.constant(list).data else { continue };
        let depth = body.block_of(inst).map_or(0, |block| loops_around(&cfg, &dominators, block));
        found.entry(node_text(env, node, 0)).or_default().insert(depth);
    }
    found
}

/// The number of loops that `block` stands in.
fn loops_around(cfg: &Cfg, dominators: &Dominators, block: Block) -> usize {
    let mut count = 0;
    let mut at = Some(block);
    while let Some(header) = at {
        let latches = cfg.preds(header).iter().filter(|pred| dominators.dominates(header, **pred));
        count +=
            usize::from(latches.into_iter().any(|latch| reaches(cfg, dominators, (block, *latch), header)));
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

/// Whether a scope of the target begins where it does not in the source, so that it says more: outside a loop it is one for
/// all iterations.
fn other_scopes(
    source: &BTreeMap<String, BTreeSet<usize>>,
    target: &BTreeMap<String, BTreeSet<usize>>,
) -> bool {
    source.iter().any(|(scope, places)| target.get(scope).is_none_or(|there| !there.is_subset(places)))
}

fn has_kind(side: FunctionRef<'_>, kind: &MdKind) -> bool {
    let body = side.module.body(side.func);
    body.is_some_and(|body| body.all_insts().any(|inst| body.inst(inst).metadata_of(kind).is_some()))
}

/// How many pointers the function launders, or strips of their invariant groups.
fn laundered(side: FunctionRef<'_>) -> usize {
    let Some(body) = side.module.body(side.func) else { return 0 };
    let is_it = |inst: &Inst| {
        let func = body.inst(*inst).call().and_then(|call| body.called_function(call.callee()));
        let intrinsic = func.and_then(|func| side.module.env.funcs[func].intrinsic);
        matches!(intrinsic, Some(Intrinsic::LaunderInvariantGroup | Intrinsic::StripInvariantGroup))
    };
    body.all_insts().filter(is_it).count()
}

/// Kinds that put data before the entry of a function, which callers look at: both sides must have the same.
pub(super) const ENTRY_KINDS: [&str; 2] = ["kcfi_type", "func_sanitize"];

fn entry(side: FunctionRef<'_>, wanted: &str) -> Vec<String> {
    let env = &side.module.env;
    let attachments = env.funcs[side.func].metadata.iter().filter(|(kind, _)| kind.name() == wanted);
    attachments.map(|(_, node)| ref_text(env, *node, 0)).collect()
}
