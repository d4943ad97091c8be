//! Prints calls and invokes.

use super::{Code, Printer};
use crate::inst::{CallInfo, InstData, InstKind, Value};
use crate::opcode::TailKind;
use crate::types::Type;

impl Printer<'_> {
    /// Prints from the tail marker to the operand bundles, and the labels of an invoke.
    pub(super) fn call(&mut self, code: Code<'_>, data: &InstData, info: &CallInfo) {
        if info.tail != TailKind::None {
            self.push(info.tail.name());
            self.push(" ");
        }
        self.push(data.kind.mnemonic());
        self.fast_math(info.fast);
        if !info.cc.is_empty() {
            self.push(" ");
            self.push(&info.cc);
        }
        self.attr_list(&info.ret_attrs);
        if let Some(space) = info.addrspace {
            self.push(" addrspace(");
            self.number(space.into());
            self.push(")");
        }
        self.push(" ");
        let signature = self.env.types.signature(info.fn_ty);
        match signature {
            Some((ret, _, false)) => self.ty(ret),
            Some((_, _, true)) | None => self.ty(info.fn_ty),
        }
        self.push(" ");
        match data.operands.last() {
            Some(&callee) => self.value(code, callee),
            None => self.push("<missing callee>"),
        }
        self.push("(");
        let params = signature.map_or(&[][..], |(_, params, _)| params);
        for (i, attrs) in info.arg_attrs.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            let Some(&arg) = data.operands.get(i) else {
                self.push("<missing argument>");
                continue;
            };
            let ty = code.body.ty(arg);
            if params.get(i) == Some(&Type::METADATA) && ty != Type::METADATA {
                self.push("metadata "); // a local value or constant, wrapped
            }
            self.ty(ty);
            self.attr_list(attrs);
            self.push(" ");
            self.value(code, arg);
        }
        self.push(")");
        self.attr_list(&info.fn_attrs);
        self.bundles(code, data, info);
        if matches!(data.kind, InstKind::Invoke(_)) {
            self.push("\n          to ");
            self.label(code, data, 0);
            self.push(" unwind ");
            self.label(code, data, 1);
        }
        if matches!(data.kind, InstKind::CallBr(_)) {
            self.push("\n          to ");
            self.label(code, data, 0);
            self.push(" ");
            self.labels(code, data, 1);
        }
    }

    fn bundles(&mut self, code: Code<'_>, data: &InstData, info: &CallInfo) {
        if info.bundles.is_empty() {
            return;
        }
        let mut operands = data.operands.iter().skip(info.arg_count());
        for (i, bundle) in info.bundles.iter().enumerate() {
            self.push(if i == 0 { " [ \"" } else { ", \"" });
            self.push(&bundle.tag);
            self.push("\"(");
            let inputs = operands.by_ref().take(bundle.len as usize);
            self.value_list(code, inputs);
            self.push(")");
        }
        self.push(" ]");
    }

    fn value_list<'v>(&mut self, code: Code<'_>, values: impl Iterator<Item = &'v Value>) {
        for (i, &value) in values.enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.typed_value(code, value);
        }
    }
}
