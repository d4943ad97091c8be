//! Whether fixing the undefined bits of an operand when an instruction runs leaves anything out.
//!
//! Each use of a result that depends on undefined bits may see other ones. If the result is used in one place, which is
//! executed once for each time that it is made, and so on up to something that fixes it anyway (a `freeze`, the end of the
//! run), then choosing early is choosing late. A branch fixes nothing: on what is undefined still it is undefined
//! behaviour.

use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use backedge_ir::module::Module;

/// Whether the result of `inst` comes to at most one use. A return counts as the end of the run if `outermost`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other instructions keep the value, or it is not known of them"
)]
pub(super) fn is_used_once(module: &Module, body: &Body, inst: Inst, outermost: bool) -> bool {
    if !is_pure(&body.inst(inst).kind) {
        return false;
    }
    let mut inst = inst;
    loop {
        let use_ = match body.uses(inst.into()) {
            [] => return true,
            [only] => *only,
            _ => return false,
        };
        // In another block the use may be executed more often than the result is made.
        let here = body.block_of(use_.user) == body.block_of(inst);
        match &body.inst(use_.user).kind {
            InstKind::Ret => return outermost && enters_nothing(module, body),
            InstKind::Freeze => return here,
            kind if here && is_pure(kind) => inst = use_.user,
            _ => return false,
        }
    }
}

/// Whether an instruction only makes a value of its operands.
fn is_pure(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary(..)
            | InstKind::Cast(..)
            | InstKind::ICmp { .. }
            | InstKind::ExtractValue(_)
            | InstKind::ExtractElement
    )
}

/// Whether all calls leave the module, so that the function is not running twice.
fn enters_nothing(module: &Module, body: &Body) -> bool {
    body.all_insts().all(|inst| {
        let Some(call) = body.inst(inst).call() else { return true };
        body.called_function(call.callee()).is_some_and(|func| module.body(func).is_none())
    })
}
