//! Detects functions that free memory through library calls.
//!
//! Requires: nothing. Guarantees: if [`may_free`] returns false, neither the function nor any function of its module
//! that it reaches calls a library function that ends an allocation. Functions outside the module are not considered.

use crate::refinement::FunctionRef;
use backedge_ir::entity::{EntitySet, FuncId, Inst};
use backedge_ir::meaning::library::{Known, Library, called};
use backedge_ir::module::Module;

/// Whether a function, or a function of its module that it may call, frees memory through a library call. An indirect
/// call may call any function of the module.
pub(crate) fn may_free(function: FunctionRef<'_>) -> bool {
    let module = function.module;
    let mut seen: EntitySet<FuncId> = EntitySet::new();
    let mut work = vec![function.func];
    while let Some(func) = work.pop() {
        let Some(body) = module.body(func).filter(|_| seen.insert(func)) else { continue };
        if calls_free(module, func) {
            return true;
        }
        for inst in body.all_insts() {
            let Some(view) = body.inst(inst).call() else { continue };
            match body.called_function(view.callee()) {
                Some(callee) => work.push(callee),
                None => work.extend(module.bodies().map(|(func, _)| func)),
            }
        }
    }
    false
}

/// Whether the function itself calls a library function that ends an allocation.
pub(crate) fn calls_free(module: &Module, func: FuncId) -> bool {
    let Some(body) = module.body(func) else { return false };
    let frees = |inst: Inst| {
        let known = called(module, func, body, inst);
        matches!(known, Some(Known::Function(Library::Free | Library::Realloc)))
    };
    body.all_insts().any(frees)
}
