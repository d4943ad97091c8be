//! Declarations of alias scopes in blocks that are copied.
//!
//! A scope that is declared in a loop is another one in each iteration. A copy that spoke of the same scope would claim
//! that accesses of two iterations do not alias, so lists that name such a scope are dropped. What other lists say does not
//! depend on it: each scope that an access is in must be named by the `!noalias` list of the other one.

use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst, MdId};
use backedge_ir::inst::Value;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::{MdKind, MdOperand, MdRef};
use backedge_ir::module::Env;
use rustc_hash::FxHashSet;

/// The declarations of alias scopes in `blocks`. What refers to their scopes is dropped in the whole body.
pub fn drop_scopes_declared_in(env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) -> Vec<Inst> {
    let body = editor.body();
    let declares = |i: &Inst| {
        let called = body.inst(*i).call().and_then(|call| called_intrinsic(env, body, call));
        called == Some(Intrinsic::NoAliasScopeDecl)
    };
    let declarations: Vec<Inst> =
        blocks.iter().flat_map(|b| body.insts(*b)).copied().filter(declares).collect();
    if declarations.is_empty() {
        return declarations;
    }
    let declared: Option<Vec<FxHashSet<MdId>>> =
        declarations.iter().map(|i| declared_by(env, body, *i)).collect();
    let declared: Option<FxHashSet<MdId>> = declared.map(|sets| sets.into_iter().flatten().collect());
    // Of a declaration that can't be read nothing is known.
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

/// The scopes that `declaration` declares, if they can be read.
fn declared_by(env: &Env, body: &Body, declaration: Inst) -> Option<FxHashSet<MdId>> {
    let &Value::Const(list) = body.inst(declaration).operands.first()? else { return None };
    let ConstData::Metadata(MetadataConst::Node(list)) = body.constant(list).data else { return None };
    env.metadata.tuple(list)?;
    Some(scopes(env, list).collect())
}

fn scopes(env: &Env, list: MdId) -> impl Iterator<Item = MdId> {
    env.metadata.tuple(list).unwrap_or_default().iter().filter_map(|operand| match operand {
        MdOperand::Node(id) => Some(*id),
        MdOperand::Null | MdOperand::String(_) | MdOperand::Const(_) => None,
    })
}
