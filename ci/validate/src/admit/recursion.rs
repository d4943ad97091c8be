//! Recursive targets that may call themselves where their source does not: calls of `speculatable` functions may be
//! speculated, and the argument by order of time in [`super::callees`] fails for a speculated recursion.

use super::obstacle::Obstacle;
use crate::pair::Side;
use crate::pair::call_graph::{
    Unseen, address_escapes, calls, functions, is_intrinsic, may_reach, reached, unseen,
};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::FuncId;
use backedge_ir::inst::CallView;
use backedge_ir::module::Module;
use std::cell::LazyCell;
use std::sync::Arc;

/// Why a target is not judged, seen from its original module: `cut` is the extracted target. Only the whole module
/// shows where else the address of a function escapes.
pub(crate) fn speculated_in_module(source: Side<'_>, target: Side<'_>, cut: Side<'_>) -> Option<Obstacle> {
    let speculates = |body: &Body| {
        calls(body).any(|call| {
            let callee = body.called_function(call.callee());
            is_speculatable(cut.module, call, callee)
                && callee.is_none_or(|callee| !is_intrinsic(cut.module, callee))
        })
    };
    let apart = !std::ptr::eq(source.module, target.module);
    let any = apart && cut.module.bodies().any(|(_, body)| speculates(body));
    any.then(|| speculated(target, &reached(target))).flatten()
}

/// A speculatable callee, or a callee of a speculatable call, in the function or in the functions of `reached`, that
/// may call the function again.
pub(crate) fn speculated(of: Side<'_>, reached: &[Arc<str>]) -> Option<Obstacle> {
    let module = of.module;
    let escapes = LazyCell::new(|| address_escapes(module, of.func));
    for caller in functions(module, reached).chain([of.func]) {
        let Some(body) = module.body(caller) else { continue };
        for call in calls(body) {
            let callee = body.called_function(call.callee());
            if !is_speculatable(module, call, callee) {
                continue;
            }
            match callee {
                Some(callee) if is_intrinsic(module, callee) => {}
                Some(callee) => {
                    let itself = callee == of.func || may_reach(module, callee, of.func);
                    let unseen = unseen(module, callee);
                    if itself || unseen == Unseen::Any || unseen == Unseen::Declared && *escapes {
                        return Some(Obstacle::Speculated(format!("@{}", module.env.funcs[callee].name)));
                    }
                }
                None => return Some(Obstacle::Speculated("a pointer".to_owned())),
            }
        }
    }
    None
}

fn is_speculatable(module: &Module, call: CallView<'_>, callee: Option<FuncId>) -> bool {
    let env = &module.env;
    let has = |list| env.has_attr(list, FlagAttr::Speculatable);
    has(&call.info.fn_attrs) || callee.is_some_and(|callee| has(&env.funcs[callee].attrs))
}
