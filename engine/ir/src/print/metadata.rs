//! Prints metadata nodes, references to them, and attachments.

use super::Printer;
use super::names::{write_metadata_name, write_number};
use crate::entity::MdId;
use crate::metadata::{MdBody, MdKind, MdOperand, MdRef, MdTable};
use rustc_hash::FxHashMap;

/// Numbers for nodes without one: larger than all others, in order of first use.
#[derive(Default)]
pub(super) struct MdNumbers {
    given: FxHashMap<MdId, u32>,
    /// Nodes numbered here, in order; they are printed at the end of the module.
    pub(super) pending: Vec<MdId>,
    next: Option<u32>,
}

impl MdNumbers {
    fn of(&mut self, table: &MdTable, id: MdId) -> u32 {
        if let Some(number) = table.get(id).number {
            return number;
        }
        if let Some(&number) = self.given.get(&id) {
            return number;
        }
        let number = self.next.unwrap_or_else(|| table.next_number());
        self.next = Some(number.saturating_add(1));
        self.given.insert(id, number);
        self.pending.push(id);
        number
    }
}

impl Printer<'_> {
    /// `!5`, or the node itself if LLVM prints it inline: strings, and the expressions and argument lists of debug
    /// intrinsics.
    pub(super) fn md_ref(&mut self, id: MdId) {
        let node = self.env.metadata.get(id);
        match &node.body {
            Some(MdBody::String(text)) => self.md_string(text),
            Some(MdBody::Text(text)) if node.number.is_none() && is_inline_only(text) => self.md_text(text),
            Some(MdBody::Tuple(_) | MdBody::Text(_)) | None => {
                let number = self.md.of(&self.env.metadata, id);
                self.push("!");
                self.number(number.into());
            }
        }
    }

    fn md_string(&mut self, text: &str) {
        self.push("!\"");
        self.push(text);
        self.push("\"");
    }

    fn md_text(&mut self, text: &str) {
        if !text.starts_with('!') {
            self.push("!");
        }
        self.push(text);
    }

    /// `, !kind !5` for each attachment, with `separator` in place of `, `.
    pub(super) fn attachments(&mut self, separator: &str, list: &[(MdKind, MdRef)]) {
        for (kind, md) in list {
            self.push(separator);
            self.push("!");
            write_metadata_name(self.out, kind.name());
            self.push(" ");
            match md {
                MdRef::Node(id) => self.md_ref(*id),
                MdRef::Const(c) => self.typed_const(&self.env.consts, *c),
            }
        }
    }

    /// A node in the module's order: prints its definition, or schedules it for the end of the module if it has no
    /// number.
    pub(super) fn md_item(&mut self, id: MdId) {
        if self.env.metadata.get(id).number.is_some() {
            self.md_definition(id);
        } else {
            self.md.of(&self.env.metadata, id);
        }
    }

    /// `!5 = …`; nothing for a node that is referenced but not defined.
    pub(super) fn md_definition(&mut self, id: MdId) {
        let env = self.env;
        let node = env.metadata.get(id);
        let Some(body) = &node.body else { return };
        let number = self.md.of(&env.metadata, id);
        self.push("!");
        write_number(self.out, number.into());
        self.push(if node.distinct { " = distinct " } else { " = " });
        match body {
            MdBody::Tuple(operands) => self.md_tuple(operands),
            MdBody::Text(text) => self.md_text(text),
            MdBody::String(text) => self.md_string(text),
        }
        self.push("\n");
    }

    fn md_tuple(&mut self, operands: &[MdOperand]) {
        self.push("!{");
        for (i, operand) in operands.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            match operand {
                MdOperand::Null => self.push("null"),
                MdOperand::String(text) => self.md_string(text),
                MdOperand::Node(id) => self.md_ref(*id),
                MdOperand::Const(c) => self.typed_const(&self.env.consts, *c),
            }
        }
        self.push("}");
    }

    /// `!name = !{!0, !1}`.
    pub(super) fn named_metadata(&mut self, name: &str, nodes: &[MdId]) {
        self.push("!");
        write_metadata_name(self.out, name);
        self.push(" = !{");
        for (i, node) in nodes.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.md_ref(*node);
        }
        self.push("}\n");
    }
}

fn is_inline_only(text: &str) -> bool {
    let text = text.trim_start_matches('!');
    text.starts_with("DIExpression") || text.starts_with("DIArgList")
}
