//! Whether fixing undefined bits when an instruction executes loses behaviors.
//!
//! Each use of a result that depends on undefined bits may see different bits. Choosing early is equivalent to
//! choosing late if the result has one use, which executes once per execution of the instruction, and so on up to a
//! user that fixes the bits anyway (a `freeze`, the end of the run). A branch fixes nothing: branching on undefined
//! bits is UB.

use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::InstKind;
use backedge_ir::module::Module;

/// Whether the result of `inst` reaches at most one use. A return counts as the end of the run if `outermost`.
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
        // A use in another block may execute more often than the instruction.
        let here = body.block_of(use_.user) == body.block_of(inst);
        match &body.inst(use_.user).kind {
            InstKind::Ret => return outermost && calls_only_external(module, body),
            InstKind::Freeze => return here,
            kind if here && is_pure(kind) => inst = use_.user,
            _ => return false,
        }
    }
}

/// Whether an instruction only computes a value from its operands.
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

/// Whether all calls leave the module, so that the function is not active twice.
fn calls_only_external(module: &Module, body: &Body) -> bool {
    body.all_insts().all(|inst| {
        let Some(call) = body.inst(inst).call() else { return true };
        body.called_function(call.callee()).is_some_and(|func| module.body(func).is_none())
    })
}
