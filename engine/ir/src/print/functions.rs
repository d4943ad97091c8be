//! Prints functions: the header, and the blocks with comments on their predecessors or the text of an unmodelled body.

use super::names::{write_global_name, write_local_name};
use super::{Code as Numbered, Printer};
use crate::body::Body;
use crate::cfg::Cfg;
use crate::entity::{Arg, Block, EntityId, FuncId};
use crate::module::{Code, Function};

/// The column of the comment on a block's predecessors, as in LLVM.
const COMMENT_COLUMN: usize = 50;

impl Printer<'_> {
    /// The declaration or definition of `func`.
    pub(super) fn function(&mut self, func: FuncId, code: Option<&Code>) {
        match code {
            Some(Code::Opaque(opaque)) => {
                self.push(&opaque.text);
                if !opaque.text.ends_with('\n') {
                    self.push("\n");
                }
            }
            Some(Code::Body(body)) => self.definition(&self.env.funcs[func], body),
            Some(Code::Declaration) | None => self.declaration(&self.env.funcs[func]),
        }
    }

    fn declaration(&mut self, func: &Function) {
        self.push("declare");
        self.attachments(" ", &func.metadata);
        self.header_start(func);
        let params = self.env.types.signature(func.ty).map_or(&[][..], |(_, params, _)| params);
        for (i, ty) in params.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.ty(*ty);
            if let Some(attrs) = func.param_attrs.get(i) {
                self.attr_list(attrs);
            }
        }
        self.header_end(func, params.len());
        self.push("\n");
    }

    fn definition(&mut self, func: &Function, body: &Body) {
        let slots = body.slots();
        let code = Numbered { body, slots: &slots };
        self.push("define");
        self.header_start(func);
        for arg in body.args() {
            self.param(func, code, arg);
        }
        self.header_end(func, body.args().len());
        self.attachments(" ", &func.metadata);
        self.push(" {\n");
        let cfg = Cfg::new(body);
        for block in body.blocks() {
            self.block(code, &cfg, block);
        }
        self.push("}\n");
    }

    fn param(&mut self, func: &Function, code: Numbered<'_>, arg: Arg) {
        if arg.index() > 0 {
            self.push(", ");
        }
        self.ty(code.body.ty(arg.into()));
        if let Some(attrs) = func.param_attrs.get(arg.index()) {
            self.attr_list(attrs);
        }
        self.push(" ");
        self.value(code, arg.into());
    }

    /// Prints from after `define` to the opening parenthesis.
    fn header_start(&mut self, func: &Function) {
        self.push(" ");
        self.linkage(func.linkage);
        for word in func.prefix_words.iter().chain((!func.cc.is_empty()).then_some(&func.cc)) {
            self.push(word);
            self.push(" ");
        }
        if !func.ret_attrs.is_empty() {
            let start = self.out.len();
            self.attr_list(&func.ret_attrs);
            self.out.remove(start); // the space before the first one
            self.push(" ");
        }
        match self.env.types.signature(func.ty) {
            Some((ret, _, _)) => self.ty(ret),
            None => self.push("<no function type>"),
        }
        self.push(" @");
        write_global_name(self.out, &func.name);
        self.push("(");
    }

    /// Prints from the closing parenthesis on, for a function with `params` parameters.
    fn header_end(&mut self, func: &Function, params: usize) {
        if self.env.types.signature(func.ty).is_some_and(|(_, _, vararg)| vararg) {
            self.push(if params == 0 { "..." } else { ", ..." });
        }
        self.push(")");
        if !func.unnamed_addr.is_empty() {
            self.push(" ");
            self.push(&func.unnamed_addr);
        }
        // A header without an address space implies the program address space of the data layout.
        if func.addrspace != 0 || self.env.layout.program_space != 0 {
            self.push(" addrspace(");
            self.number(func.addrspace.into());
            self.push(")");
        }
        self.attr_list(&func.attrs);
        for word in &func.suffix {
            self.push(" ");
            self.push(word);
        }
    }

    fn block(&mut self, code: Numbered<'_>, cfg: &Cfg, block: Block) {
        let is_entry = code.body.entry() == Some(block);
        if !is_entry {
            self.push("\n");
        }
        let start = self.out.len();
        match code.body.block_name(block) {
            Some(name) => write_local_name(self.out, name),
            None if is_entry => return self.block_contents(code, block),
            None => self.out.push_str(&code.slots.block_label(code.body, block)),
        }
        self.push(":");
        if !is_entry {
            let width = self.out.len() - start;
            for _ in 0..COMMENT_COLUMN.saturating_sub(width).max(1) {
                self.push(" ");
            }
            self.predecessors(code, cfg.preds(block));
        }
        self.push("\n");
        self.block_contents(code, block);
    }

    /// Prints predecessors last to first, the order in which LLVM lists the edges to a block that it has just parsed.
    fn predecessors(&mut self, code: Numbered<'_>, preds: &[Block]) {
        if preds.is_empty() {
            return self.push("; No predecessors!");
        }
        self.push("; preds = ");
        for (i, pred) in preds.iter().rev().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.block_ref(code, *pred);
        }
    }

    fn block_contents(&mut self, code: Numbered<'_>, block: Block) {
        for &inst in code.body.insts(block) {
            self.inst(code, inst);
            self.push("\n");
        }
    }
}
