//! What a target promises beyond its source: a proof must not rest on what the encoder does not hold it to. A run of the
//! target that breaks an attribute is undefined, or has other values than the encoder gives it; so a proof is refused
//! where the target, its parameters or the globals of its module say more than the source's do.

use crate::refinement::FunctionRef;
use crate::unbounded::program::Program;
use backedge_ir::attr::AttrList;
use backedge_ir::module::{Env, GlobalVar};
use backedge_ir::print::type_to_string;

/// What the target says that the source does not, if it says more.
pub(super) fn more_promised(source: &Program<'_>, target: &Program<'_>) -> Option<&'static str> {
    let (s, t) = (source.function, target.function);
    if attributes(s, t) {
        return Some("attributes of the target that the source does not have");
    }
    if globals(&s.module.env, &t.module.env) {
        return Some("globals of one name that differ");
    }
    // That both go on for ever is fine only where it is for the source if it is undefined for the target.
    let progress = target.must_progress.is_empty()
        || source.cuts.iter().all(|cut| !cut.header || source.must_progress.contains(cut.block));
    (!progress).then_some("a target that must make progress where the source need not")
}

/// Whether the target, its parameters or its result have attributes that the source's have not.
fn attributes(s: FunctionRef<'_>, t: FunctionRef<'_>) -> bool {
    let (se, te) = (&s.module.env, &t.module.env);
    let (sh, th) = (&se.funcs[s.func], &te.funcs[t.func]);
    let none = AttrList::default();
    let params =
        th.param_attrs.iter().enumerate().map(|(i, list)| (sh.param_attrs.get(i).unwrap_or(&none), list));
    let mut lists = [(&sh.attrs, &th.attrs), (&sh.ret_attrs, &th.ret_attrs)].into_iter().chain(params);
    // Types are numbered by their module: an attribute with another number is taken for another one.
    lists.any(|(own, other)| te.attrs(other).any(|a| !se.attrs(own).any(|b| a == b)))
}

/// Whether a global of both modules is not the same in both.
fn globals(s: &Env, t: &Env) -> bool {
    let told = |env: &Env, var: &GlobalVar| {
        let ty = type_to_string(&env.types, var.ty);
        let words = (var.prefix_words.clone(), var.suffix.clone(), var.linkage);
        (ty, var.align, var.addrspace, var.is_constant, words)
    };
    if std::ptr::eq(s, t) {
        return false;
    }
    t.vars.iter().any(|(_, var)| {
        let own = s.vars.iter().find(|(_, other)| other.name == var.name);
        own.is_some_and(|(_, other)| told(s, other) != told(t, var))
    })
}
