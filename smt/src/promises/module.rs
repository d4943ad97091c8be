//! Parts of a module outside its functions and globals on which a function's behavior may depend.

use super::Promised;
use super::nodes::{Nodes, Of, claimed};
use crate::refinement::FunctionRef;
use backedge_ir::module::{Module, TopLevel};
use std::collections::BTreeSet;

/// The named metadata with the access type of `errno`.
const ERRNO: &str = "llvm.errno.tbaa";

/// Properties that the target's module has and the source's does not.
pub fn beyond(source: FunctionRef<'_>, target: FunctionRef<'_>) -> Vec<Promised> {
    if std::ptr::eq(source.module, target.module) {
        return Vec::new();
    }
    let mut found = Vec::new();
    if assembly(source.module) != assembly(target.module) {
        found.push(Promised::differing("`module asm`", ""));
    }
    let errno = of_errno(target, Of::Target);
    if !errno.is_empty() && errno != of_errno(source, Of::Source) {
        let name = &target.module.env.funcs[target.func].name;
        found.push(claimed(name, ERRNO, "of the module"));
    }
    found
}

fn assembly(module: &Module) -> Vec<&str> {
    let texts = module.env.order.iter().filter_map(|item| match item {
        TopLevel::Text(text) => Some(&**text),
        _ => None,
    });
    texts.filter(|text| text.trim_start().starts_with("module asm")).collect()
}

fn of_errno(side: FunctionRef<'_>, of: Of) -> BTreeSet<u64> {
    let named = &side.module.env.metadata.named;
    let Some((_, list)) = named.iter().find(|(name, _)| &**name == ERRNO) else { return BTreeSet::new() };
    let mut nodes = Nodes::new(side, of);
    list.iter().map(|node| nodes.of_node(*node)).collect()
}
