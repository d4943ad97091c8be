//! Prints a whole module: its items in text order, then the items created later.

use super::Printer;
use crate::entity::{AliasId, EntitySet, FuncId, GlobalId, MdId};
use crate::module::{Module, TopLevel};
use crate::types::{Compound, Type};
use rustc_hash::FxHashSet;

/// Groups of items that are printed without blank lines between them.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Group {
    Text,
    Types,
    Globals,
    Functions,
    Attributes,
    NamedMetadata,
    Metadata,
}

impl Group {
    fn of(item: &TopLevel) -> Self {
        match item {
            TopLevel::Text(_) => Self::Text,
            TopLevel::TypeDef(_) => Self::Types,
            TopLevel::Var(_) | TopLevel::CarriedVar(..) | TopLevel::Alias(_) => Self::Globals,
            TopLevel::Func(_) => Self::Functions,
            TopLevel::AttrGroup(_) => Self::Attributes,
            TopLevel::NamedMetadata(_) => Self::NamedMetadata,
            TopLevel::Metadata(_) => Self::Metadata,
        }
    }
}

impl Printer<'_> {
    /// Prints `module`, whose environment must be that of this printer.
    pub(super) fn module(&mut self, module: &Module) {
        let mut last = None;
        let extra = unlisted(module);
        for item in module.env.order.iter().chain(&extra) {
            self.separate(&mut last, Group::of(item));
            self.item(module, item);
        }
        // Printing a node may assign numbers to further nodes.
        let mut at = 0;
        while let Some(&node) = self.md.pending.get(at) {
            at += 1;
            self.separate(&mut last, Group::Metadata);
            self.md_definition(node);
        }
    }

    fn separate(&mut self, last: &mut Option<Group>, group: Group) {
        if last.is_some_and(|last| last != group || group == Group::Functions) {
            self.push("\n");
        }
        *last = Some(group);
    }

    pub(super) fn item(&mut self, module: &Module, item: &TopLevel) {
        match item {
            TopLevel::Text(text) | TopLevel::CarriedVar(_, text) => {
                self.push(text);
                if !text.ends_with('\n') {
                    self.push("\n");
                }
            }
            TopLevel::TypeDef(ty) => self.type_def(*ty),
            TopLevel::Var(id) => self.global_var(&module.env.vars[*id]),
            TopLevel::Alias(id) => self.alias(&module.env.aliases[*id]),
            TopLevel::Func(id) => self.function(*id, module.code.get(*id)),
            TopLevel::AttrGroup(group) => self.attr_group(*group),
            TopLevel::Metadata(id) => self.md_item(*id),
            TopLevel::NamedMetadata(index) => {
                if let Some((name, nodes)) = module.env.metadata.named.get(*index) {
                    self.named_metadata(name, nodes);
                }
            }
        }
    }
}

/// Items of the module that are not in its order, in a deterministic order.
pub(super) fn unlisted(module: &Module) -> Vec<TopLevel> {
    let env = &module.env;
    let mut types: FxHashSet<Type> = FxHashSet::default();
    let mut vars: EntitySet<GlobalId> = EntitySet::new();
    let mut aliases: EntitySet<AliasId> = EntitySet::new();
    let mut funcs: EntitySet<FuncId> = EntitySet::new();
    let mut groups: FxHashSet<u32> = FxHashSet::default();
    let mut nodes: EntitySet<MdId> = EntitySet::new();
    let mut named: FxHashSet<usize> = FxHashSet::default();
    for item in &env.order {
        match item {
            TopLevel::Text(_) => false,
            TopLevel::TypeDef(ty) => types.insert(*ty),
            TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => vars.insert(*id),
            TopLevel::Alias(id) => aliases.insert(*id),
            TopLevel::Func(id) => funcs.insert(*id),
            TopLevel::AttrGroup(group) => groups.insert(*group),
            TopLevel::Metadata(id) => nodes.insert(*id),
            TopLevel::NamedMetadata(index) => named.insert(*index),
        };
    }
    let named_structs = env.types.iter().filter(|(_, c)| matches!(c, Compound::Named { .. }));
    let new_types = named_structs.map(|(id, _)| env.types.handle(id)).filter(|ty| !types.contains(ty));
    // LLVM sorts the intrinsics that it declares implicitly by name.
    let mut new_funcs: Vec<FuncId> =
        env.funcs.keys().filter(|id| !funcs.contains(*id) && env.funcs[*id].asm.is_none()).collect();
    new_funcs.sort_by(|a, b| env.funcs[*a].name.cmp(&env.funcs[*b].name));
    let mut new_groups: Vec<u32> = env.attr_groups.keys().copied().filter(|g| !groups.contains(g)).collect();
    new_groups.sort_unstable();
    let new_nodes = env.metadata.iter().filter(|(_, node)| node.number.is_some() && node.body.is_some());
    let mut items: Vec<TopLevel> = new_types.map(TopLevel::TypeDef).collect();
    items.extend(env.vars.keys().filter(|id| !vars.contains(*id)).map(TopLevel::Var));
    items.extend(env.aliases.keys().filter(|id| !aliases.contains(*id)).map(TopLevel::Alias));
    items.extend(new_funcs.into_iter().map(TopLevel::Func));
    items.extend(new_groups.into_iter().map(TopLevel::AttrGroup));
    items.extend((0..env.metadata.named.len()).filter(|i| !named.contains(i)).map(TopLevel::NamedMetadata));
    items.extend(new_nodes.map(|(id, _)| id).filter(|id| !nodes.contains(*id)).map(TopLevel::Metadata));
    items
}
