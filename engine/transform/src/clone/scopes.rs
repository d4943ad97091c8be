//! Declarations of alias scopes in blocks that are copied.
//!
//! A scope that is declared in a loop is another one in each iteration. A copy that spoke of the same scope would claim
//! that accesses of two iterations do not alias, so what refers to scopes is dropped where one is declared.

use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Env;

/// The declarations of alias scopes in `blocks`. If there are any, what refers to scopes is dropped in the whole body.
pub fn drop_scopes_declared_in(env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) -> Vec<Inst> {
    let body = editor.body();
    let declares = |i: &Inst| {
        let called = body.inst(*i).call().and_then(|call| called_intrinsic(env, body, call));
        called == Some(Intrinsic::NoAliasScopeDecl)
    };
    let declarations: Vec<Inst> =
        blocks.iter().flat_map(|b| body.insts(*b)).copied().filter(declares).collect();
    if !declarations.is_empty() {
        let all: Vec<Inst> = editor.body().all_insts().collect();
        for inst in all {
            editor.retain_metadata(inst, |kind| !matches!(kind, MdKind::AliasScope | MdKind::NoAlias));
        }
    }
    declarations
}
