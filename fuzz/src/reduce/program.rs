//! The reduced program: a module, and which of its items are printed unconditionally rather than only when
//! referenced.
//!
//! A definition, declaration, global, named metadata node or carried line of text is printed until it is *dropped*; a
//! dropped item is printed only if another item refers to it. Types, attribute groups, metadata nodes and
//! declarations of intrinsics are always printed only if referenced.

use super::edit;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{FuncId, Inst};
use backedge_ir::module::{Code, Env, Module, TopLevel};
use backedge_ir::parse::read_module;
use backedge_ir::print::{Locals, select};
use backedge_ir::verify::verify_module;
use rustc_hash::FxHashSet;

/// A module under reduction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// The module.
    pub(crate) module: Module,
    /// Keys of items that are printed only if referenced; see [`key`].
    dropped: FxHashSet<String>,
    /// Instructions that the next sweep preserves.
    kept: FxHashSet<(FuncId, Inst)>,
    /// Whether the text of an unsupported function changed; its references are unknown until it is parsed again.
    is_unread: bool,
}

/// The key of an item; `None` for items that are always printed only if referenced.
pub(crate) fn key(env: &Env, item: &TopLevel) -> Option<String> {
    match item {
        TopLevel::Text(text) => Some(text.to_string()),
        TopLevel::Var(id) | TopLevel::CarriedVar(id, _) => Some(format!("@{}", env.vars[*id].name)),
        TopLevel::Alias(id) => Some(format!("@{}", env.aliases[*id].name)),
        TopLevel::Func(id) if env.funcs[*id].intrinsic.is_some() => None,
        TopLevel::Func(id) => Some(format!("@{}", env.funcs[*id].name)),
        TopLevel::NamedMetadata(index) => env.metadata.named.get(*index).map(|(name, _)| format!("!{name}")),
        TopLevel::TypeDef(_) | TopLevel::AttrGroup(_) | TopLevel::Metadata(_) => None,
    }
}

impl Program {
    /// A program with all items of the module.
    pub(crate) fn new(module: Module) -> Self {
        Self { module, ..Self::default() }
    }

    /// The text of the remaining items.
    pub(crate) fn text(&self) -> String {
        let env = &self.module.env;
        let wanted = |item: &TopLevel| key(env, item).is_some_and(|key| !self.dropped.contains(&key));
        select(&self.module, Locals::Named, &wanted).text
    }

    /// Whether the item called `key` is printed unconditionally.
    pub(crate) fn is_wanted(&self, key: &str) -> bool {
        !self.dropped.contains(key)
    }
    /// Drops the item called `key`; false if it was dropped before.
    pub(crate) fn drop_item(&mut self, key: String) -> bool {
        self.dropped.insert(key)
    }
    /// Turns `func` into a declaration, printed only if referenced.
    pub(crate) fn drop_code(&mut self, func: FuncId) -> bool {
        if matches!(self.module.code[func], Code::Declaration) {
            return false;
        }
        self.module.code[func] = Code::Declaration;
        let header = &mut self.module.env.funcs[func];
        header.linkage = backedge_ir::module::Linkage::External;
        header.prefix_words.clear();
        header.suffix.clear();
        header.metadata.clear();
        let key = format!("@{}", header.name);
        self.dropped.insert(key);
        true
    }

    /// Whether the module passes the verifier.
    pub(crate) fn is_valid(&self) -> bool {
        verify_module(&self.module).is_empty()
    }

    /// Parses the program's text, which removes unreferenced items and makes ids dense.
    pub(crate) fn read_again(&self, text: &str) -> Option<Self> {
        let module = read_module(text.as_bytes()).ok()?.module;
        Some(Self { module, dropped: self.dropped.clone(), ..Self::default() })
    }

    /// Replaces the text of the unsupported function `name` with the result of `with`; false if there is none or
    /// nothing changes. The program must then be parsed again ([`Program::read_text`]).
    pub(crate) fn change_text(&mut self, name: &str, with: impl Fn(&str) -> Option<String>) -> bool {
        let Some(func) = self.module.env.func_named(name) else { return false };
        let Code::Opaque(code) = &mut self.module.code[func] else { return false };
        let Some(text) = with(&code.text).filter(|text| **text != *code.text) else { return false };
        code.text = text.into();
        self.is_unread = true;
        true
    }

    /// Parses the program again if the text of a function changed; `None` if it does not parse.
    pub(crate) fn read_text(self) -> Option<Self> {
        if self.is_unread { self.read_again(&self.text()) } else { Some(self) }
    }

    /// The body of `func`, for editing.
    pub(crate) fn body_mut(&mut self, func: FuncId) -> Option<&mut Body> {
        self.module.body_mut(func).map(|(_, body)| body)
    }

    /// Functions with supported bodies.
    pub(crate) fn bodies(&self) -> Vec<FuncId> {
        self.module.bodies().map(|(func, _)| func).collect()
    }

    /// Preserves instructions of `func` in the next sweep even if they are dead.
    pub(crate) fn keep(&mut self, func: FuncId, insts: &[Inst]) {
        self.kept.extend(insts.iter().map(|inst| (func, *inst)));
    }

    /// Removes leftovers of an edit in the functions that it changed: blocks that became unreachable and instructions
    /// that became dead. Blocks and instructions that were so in `before` already stay, because the test may depend
    /// on them.
    pub(crate) fn sweep(&mut self, before: &Self) {
        let kept = std::mem::take(&mut self.kept);
        for func in self.bodies() {
            let old = before.module.body(func);
            let Some((env, body)) = self.module.body_mut(func) else { continue };
            if old.is_some_and(|old| old.body_epoch() == body.body_epoch()) {
                continue;
            }
            let were_unreachable = old.map(edit::unreachable).unwrap_or_default();
            let was_dead = |inst: Inst| {
                old.is_some_and(|old| {
                    edit::stands(old, inst)
                        && (old.uses(inst.into()).is_empty()
                            || edit::is_circle(env, old, inst)
                            || old.block_of(inst).is_some_and(|block| were_unreachable.contains(&block)))
                })
            };
            let mut gone = edit::unreachable(body);
            gone.retain(|block| !were_unreachable.contains(block));
            edit::remove_blocks(&mut Editor::new(body), gone);
            edit::repair_dominance(body);
            edit::remove_dead(env, body, &|inst| was_dead(inst) || kept.contains(&(func, inst)));
        }
    }
}
