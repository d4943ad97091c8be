//! Prints global variables and aliases.

use super::Printer;
use super::names::write_global_name;
use crate::module::{Alias, GlobalVar, Linkage};

impl Printer<'_> {
    /// `@name = … global …`.
    pub(super) fn global_var(&mut self, var: &GlobalVar) {
        self.push("@");
        write_global_name(self.out, &var.name);
        self.push(" = ");
        self.linkage(var.linkage);
        let spelled = var.prefix_words.iter().any(|w| &**w == "external");
        if var.init.is_none() && var.linkage == Linkage::External && !spelled {
            self.push("external ");
        }
        // LLVM's order: the address space is between the other words and `externally_initialized`.
        let is_last = |word: &str| word == "externally_initialized";
        for word in var.prefix_words.iter().filter(|w| !is_last(w)) {
            self.push(word);
            self.push(" ");
        }
        if var.addrspace != 0 {
            self.push("addrspace(");
            self.number(var.addrspace.into());
            self.push(") ");
        }
        for word in var.prefix_words.iter().filter(|w| is_last(w)) {
            self.push(word);
            self.push(" ");
        }
        self.push(if var.is_constant { "constant " } else { "global " });
        self.ty(var.ty);
        if let Some(init) = var.init {
            self.push(" ");
            self.constant(&self.env.consts, init);
        }
        self.global_tail(var);
        self.push("\n");
    }

    fn global_tail(&mut self, var: &GlobalVar) {
        let is_group = |word: &str| word.starts_with(['#', '"']);
        for word in var.suffix.iter().filter(|w| !is_group(w)) {
            self.push(", ");
            self.push(word);
        }
        if let Some(align) = var.align {
            self.push(", align ");
            self.number(align);
        }
        self.attachments(", ", &var.metadata);
        for word in var.suffix.iter().filter(|w| is_group(w)) {
            self.push(" ");
            self.push(word);
        }
    }

    /// Prints the linkage and a space; nothing for the default.
    pub(super) fn linkage(&mut self, linkage: Linkage) {
        if linkage != Linkage::External {
            self.push(linkage.name());
            self.push(" ");
        }
    }

    /// `@name = alias …`.
    pub(super) fn alias(&mut self, alias: &Alias) {
        self.push("@");
        write_global_name(self.out, &alias.name);
        self.push(" = ");
        self.push(&alias.text);
        self.push("\n");
    }
}
