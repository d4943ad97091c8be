//! Names of arguments, blocks and instructions.
//!
//! Guarantees: a name belongs to one local value or block. If a name is taken, the next free numeric suffix is
//! appended.

use crate::body::Local;
use crate::editor::Editor;
use crate::entity::{Arg, Block, Inst};
use std::sync::Arc;

impl Editor<'_> {
    /// Binds `name`, or `name` with a numeric suffix if it is taken, to `what`; returns the name used.
    pub(super) fn claim_name(&mut self, name: &str, what: Local) -> Arc<str> {
        if !self.body.locals.contains_key(name) {
            let name: Arc<str> = name.into();
            self.body.locals.insert(name.clone(), what);
            return name;
        }
        let base: Arc<str> = name.into();
        loop {
            let next = self.body.next_suffix.entry(base.clone()).or_insert(0);
            *next += 1;
            let candidate = format!("{base}{next}");
            if !self.body.locals.contains_key(candidate.as_str()) {
                let name: Arc<str> = candidate.into();
                self.body.locals.insert(name.clone(), what);
                return name;
            }
        }
    }
    pub(super) fn release_name(&mut self, name: Option<Arc<str>>) {
        if let Some(name) = name {
            self.body.locals.remove(&name);
        }
    }
    /// Names the result of `inst`; appends a number if the name is taken. Canonical spelling, without `%`.
    pub fn set_name(&mut self, inst: Inst, name: &str) {
        let old = self.body.insts[inst].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Inst(inst));
        self.body.insts[inst].name = Some(name);
        self.bump();
    }
    /// Names `arg`; appends a number if the name is taken. Canonical spelling, without `%`.
    pub fn set_arg_name(&mut self, arg: Arg, name: &str) {
        let old = self.body.args[arg].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Arg(arg));
        self.body.args[arg].name = Some(name);
        self.bump();
    }
    /// Removes the name of `inst`.
    pub fn clear_name(&mut self, inst: Inst) {
        let old = self.body.insts[inst].name.take();
        self.release_name(old);
        self.bump();
    }
    /// Names `block`; appends a number if the name is taken. Canonical spelling, without `%`. The block must not be
    /// pinned.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        assert!(!self.body.is_pinned(block), "{block:?} must keep its name: its address is taken");
        let old = self.body.blocks[block].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Block(block));
        self.body.blocks[block].name = Some(name);
        self.bump();
    }
}
