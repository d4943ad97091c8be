//! Alias scopes declared in copied blocks.
//!
//! A scope declared in a loop is a different scope in each iteration. A copy that refers to the same scope would
//! claim that accesses of two iterations do not alias, so lists that name such a scope are dropped. Other lists do
//! not depend on them: no-alias information requires that the `!noalias` list of one access names each scope of the
//! other.

use backedge_analysis::alias::scoped::{declared_by, declares, scopes};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst, MdId};
use backedge_ir::metadata::{MdKind, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashSet;

/// The declarations of alias scopes in `blocks`. Drops metadata that refers to their scopes in the whole body.
pub fn drop_scopes_declared_in(env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) -> Vec<Inst> {
    let body = editor.body();
    let insts = blocks.iter().flat_map(|b| body.insts(*b)).copied();
    let declarations: Vec<Inst> = insts.filter(|i| declares(env, body, *i)).collect();
    if declarations.is_empty() {
        return declarations;
    }
    let readable = |i: &Inst| declared_by(body, *i).filter(|list| env.metadata.tuple(*list).is_some());
    // A declaration that can't be parsed may declare any scope.
    let lists: Option<Vec<MdId>> = declarations.iter().map(readable).collect();
    let declared: Option<FxHashSet<MdId>> =
        lists.map(|lists| lists.into_iter().flat_map(|list| scopes(env, list)).collect());
    let concerns = |list: MdRef| match (list, &declared) {
        (MdRef::Node(list), Some(declared)) => scopes(env, list).any(|scope| declared.contains(&scope)),
        (MdRef::Const(_), _) | (_, None) => true,
    };
    let said = |(kind, list): &(MdKind, MdRef)| {
        matches!(kind, MdKind::AliasScope | MdKind::NoAlias) && concerns(*list)
    };
    let told: Vec<(Inst, Vec<MdKind>)> = body
        .all_insts()
        .map(|i| (i, body.inst(i).metadata.iter().filter(|m| said(m)).map(|(k, _)| k.clone()).collect()))
        .filter(|(_, kinds): &(Inst, Vec<MdKind>)| !kinds.is_empty())
        .collect();
    for (inst, gone) in told {
        editor.retain_metadata(inst, |kind| !gone.contains(kind));
    }
    declarations
}
