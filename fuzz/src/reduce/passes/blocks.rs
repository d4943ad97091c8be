//! Removes blocks. The first list removes unreachable blocks: all of a function at once, then single ones without
//! predecessors. The second redirects the edges into a block: to other successors of their sources, or to a successor
//! of the block, so that a bypassed loop is removed as a whole. The third makes functions return early.

use super::super::edit::{
    redirect, remove_blocks, remove_edge, remove_unreachable, return_from, unreachable,
};
use super::super::search::{Edit, Search};
use super::on_body;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Module;
use backedge_ir::types::Type;

pub(super) fn run(search: &mut Search<'_>) {
    let all = all_unreachable(&search.best.program.module);
    search.chunked(all.into_iter().map(|(func, _)| on_body(func, remove_unreachable)).collect());
    let alone = all_unreachable(&search.best.program.module).into_iter().flat_map(|(func, blocks)| {
        blocks.into_iter().map(move |block| on_body(func, move |editor| take_out(editor, block)))
    });
    search.chunked(alone.collect());
    let without = list(&search.best.program.module, |func, ret, body, block| {
        (Some(block) != body.entry() && !body.is_pinned(block))
            .then(|| on_body(func, move |editor| without(editor, block, ret)))
    });
    search.chunked(without);
    let returning: Vec<Vec<Edit>> = functions(&search.best.program.module)
        .into_iter()
        .flat_map(|(func, ret, body)| {
            let ends = |b: &Block| body.terminator(*b).is_some_and(|t| body.inst(t).kind != InstKind::Ret);
            body.blocks().filter(ends).map(move |block| returns(func, ret, body, block)).collect::<Vec<_>>()
        })
        .collect();
    search.first_of_each(returning);
    let bypasses: Vec<Vec<Edit>> = functions(&search.best.program.module)
        .into_iter()
        .flat_map(|(func, _, body)| bypasses(func, body))
        .collect();
    search.first_of_each(bypasses);
}

/// Functions with unreachable blocks, and these blocks.
fn all_unreachable(module: &Module) -> Vec<(FuncId, Vec<Block>)> {
    let all = module.bodies().map(|(func, body)| (func, unreachable(body)));
    all.filter(|(_, blocks)| !blocks.is_empty()).collect()
}

/// Functions with bodies, their return types, and their bodies.
pub(super) fn functions(module: &Module) -> Vec<(FuncId, Type, &Body)> {
    let ret = |func: FuncId| module.env.types.signature(module.env.funcs[func].ty).map(|s| s.0);
    module.bodies().filter_map(|(func, body)| Some((func, ret(func)?, body))).collect()
}

/// One edit for each block for which `make` returns one.
fn list(module: &Module, make: impl Fn(FuncId, Type, &Body, Block) -> Option<Edit>) -> Vec<Edit> {
    let blocks = |(func, ret, body): (FuncId, Type, &Body)| {
        body.blocks().filter_map(|block| make(func, ret, body, block)).collect::<Vec<_>>()
    };
    functions(module).into_iter().flat_map(blocks).collect()
}

/// Removes `block` if it has no other predecessor.
fn take_out(editor: &mut Editor<'_>, block: Block) -> bool {
    let body = editor.body();
    let has_pred = body.blocks().any(|from| from != block && body.successors(from).contains(&block));
    if !body.has_block(block) || has_pred || body.entry() == Some(block) {
        return false;
    }
    remove_blocks(editor, vec![block]);
    true
}

/// Removes or redirects all edges to `block`.
fn without(editor: &mut Editor<'_>, block: Block, ret: Type) -> bool {
    if !editor.body().has_block(block) {
        return false;
    }
    let into = |body: &Body, from: Block| body.successors(from).iter().position(|s| *s == block);
    let preds: Vec<Block> = editor.body().blocks().filter(|b| into(editor.body(), *b).is_some()).collect();
    let next = editor.body().successors(block).iter().copied().find(|s| *s != block);
    let mut changed = false;
    for pred in preds.into_iter().filter(|p| *p != block) {
        while let Some(index) = into(editor.body(), pred) {
            let gone = remove_edge(editor, pred, index)
                || next.is_some_and(|next| redirect(editor, (pred, index), next, block))
                || return_from(editor, pred, ret, None);
            changed |= gone;
            if !gone {
                break;
            }
        }
    }
    changed
}

/// Edits that return at the end of `block`: one of its last values of the return type, or zero.
fn returns(func: FuncId, ret: Type, body: &Body, block: Block) -> Vec<Edit> {
    let fitting = |v: &Value| body.ty(*v) == ret;
    let values = body.insts(block).iter().rev().map(|i| Value::from(*i)).filter(fitting).take(2);
    let values: Vec<Value> = if ret == Type::VOID { Vec::new() } else { values.collect() };
    let values = values.into_iter().map(Some).chain([None]);
    values
        .map(|value| {
            on_body(func, move |editor| {
                let there =
                    |v: Value| v.as_inst().is_none_or(|i| super::super::edit::stands(editor.body(), i));
                editor.body().has_block(block)
                    && value.is_none_or(there)
                    && return_from(editor, block, ret, value)
            })
        })
        .collect()
}

/// For each edge, edits that redirect it past the region that its target dominates.
fn bypasses(func: FuncId, body: &Body) -> Vec<Vec<Edit>> {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(body, &cfg);
    let mut groups = Vec::new();
    for &from in cfg.rpo() {
        for (index, &to) in body.successors(from).iter().enumerate() {
            let after = cfg.rpo().iter().filter(|b| dominators.dominates(to, **b));
            let leaving = after.flat_map(|b| cfg.succs(*b).iter().map(move |s| (*b, *s)));
            let mut seen = vec![to];
            let mut group = Vec::new();
            for (like, target) in leaving.filter(|(_, s)| !dominators.dominates(to, *s)) {
                if !seen.contains(&target) {
                    seen.push(target);
                    group.push(on_body(func, move |editor| {
                        editor.body().has_block(from) && redirect(editor, (from, index), target, like)
                    }));
                }
            }
            groups.push(group);
        }
    }
    groups
}
