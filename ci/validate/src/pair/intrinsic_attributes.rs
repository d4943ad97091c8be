//! Value attributes on declarations of intrinsics. By LangRef ("Functions"), an attribute of a declaration holds at
//! every call. LLVM replaces the declared attributes with the intrinsic's own when it reads a module.
//!
//! A verdict holds under both interpretations, or it names the attribute that it depends on.

use backedge_ir::attr::{Attr, AttrList, FlagAttr};
use backedge_ir::meaning::attribute::{AttrKind, Slot};
use backedge_ir::module::{Function, Module};

/// A module without the value attributes on its declarations of intrinsics.
pub(crate) struct Discarded {
    /// The module.
    pub(crate) module: Module,
    /// The discarded attributes, in words.
    pub(crate) what: Vec<String>,
}

/// The module as LLVM reads it; `None` if its declarations of intrinsics have no value attributes beyond LLVM's own.
pub(crate) fn discarded(module: &Module) -> Option<Discarded> {
    let intrinsics = || module.env.funcs.iter().filter(|(_, function)| function.name.starts_with("llvm."));
    let what: Vec<String> = intrinsics()
        .flat_map(|(_, function)| {
            let at = |slot, list: &AttrList| stated(function, slot, list);
            let of_params = function.param_attrs.iter().flat_map(move |list| at(Slot::Parameter, list));
            at(Slot::Result, &function.ret_attrs).into_iter().chain(of_params)
        })
        .collect();
    if what.is_empty() {
        return None;
    }
    let mut without = module.clone();
    for (func, function) in intrinsics() {
        let copy = &mut without.env.funcs[func];
        let is_kept = |slot, attr: &Attr| !is_stated(&function.name, slot, attr);
        copy.ret_attrs.own.retain(|attr| is_kept(Slot::Result, attr));
        for list in &mut copy.param_attrs {
            list.own.retain(|attr| is_kept(Slot::Parameter, attr));
        }
    }
    Some(Discarded { module: without, what })
}

fn stated(function: &Function, slot: Slot, list: &AttrList) -> Vec<String> {
    let stated = list.own.iter().filter(|attr| is_stated(&function.name, slot, attr));
    stated.map(|attr| format!("`{}` of @{}", AttrKind::of(attr).name(), function.name)).collect()
}

/// Whether the attribute restricts values and is not an attribute that the intrinsic has by definition.
fn is_stated(intrinsic: &str, slot: Slot, attr: &Attr) -> bool {
    AttrKind::of(attr).constrains_values() && !is_own(intrinsic, slot, attr)
}

/// Whether LLVM gives the intrinsic this attribute: the attributes `opt` 22 writes for a declaration without any.
fn is_own(intrinsic: &str, slot: Slot, attr: &Attr) -> bool {
    let is = |base: &str| {
        let suffix = intrinsic.strip_prefix(base);
        suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('.'))
    };
    match (attr, slot) {
        (Attr::Flag(FlagAttr::NoUndef), Slot::Parameter) => is("llvm.assume"),
        (Attr::Flag(FlagAttr::NoUndef), Slot::Result) => is("llvm.experimental.widenable.condition"),
        (Attr::Flag(FlagAttr::NonNull), _) => is("llvm.threadlocal.address"),
        (Attr::Range(low, high), Slot::Result) => {
            let is_order = low.to_i64() == Some(-1) && high.to_i64() == Some(2);
            is_order && (is("llvm.scmp") || is("llvm.ucmp"))
        }
        _ => false,
    }
}
