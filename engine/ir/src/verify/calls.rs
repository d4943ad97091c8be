//! Checks calls and invokes: arguments, callee, `musttail`.

use super::insts::One;
use super::{ExceptionFault, FindingKind};
use crate::entity::Inst;
use crate::inst::{CallInfo, InstKind, Value};
use crate::intrinsic::Intrinsic;
use crate::opcode::TailKind;
use crate::types::Type;

impl One<'_, '_, '_> {
    pub(super) fn call_inst(&mut self, info: &CallInfo) {
        self.blocks(0);
        if self.call(info) && info.tail == TailKind::MustTail {
            self.must_tail(info);
        }
    }

    pub(super) fn invoke(&mut self, info: &CallInfo) {
        self.call(info);
        if info.tail == TailKind::MustTail {
            self.report(FindingKind::MustTail("an `invoke` can't be a tail call"));
        }
        if !self.blocks(2) {
            return;
        }
        let unwind = self.data.blocks[1];
        let first = self.body().has_block(unwind).then(|| self.body().first_non_phi(unwind)).flatten();
        let is_pad = |i: Inst| matches!(self.body().inst(i).kind, InstKind::LandingPad { .. });
        if !first.is_some_and(is_pad) {
            self.report(FindingKind::Exception(ExceptionFault::UnwindWithoutPad));
        }
    }

    pub(super) fn call_br(&mut self, info: &CallInfo) {
        self.call(info);
        if info.tail == TailKind::MustTail {
            self.report(FindingKind::MustTail("a `callbr` can't be a tail call"));
        }
        self.blocks(self.data.blocks.len().max(1));
    }

    /// The checks shared by calls and invokes; returns whether there is a callee.
    fn call(&mut self, info: &CallInfo) -> bool {
        let bundled: usize = info.bundles.iter().map(|b| b.len as usize).sum();
        let wanted = info.arg_count() + bundled + 1;
        let found = self.data.operands.len();
        if found != wanted {
            self.report(FindingKind::OperandCount { expected: wanted, found });
            return false;
        }
        let callee = found - 1;
        let is_ptr = self.ty(callee).is_ptr();
        self.operand_class(callee, is_ptr, "a pointer");
        let types = self.types();
        let Some((ret, params, vararg)) = types.table.signature(info.fn_ty) else {
            let name = types.name(info.fn_ty);
            self.report(FindingKind::NotCallable(name));
            return true;
        };
        self.result_is(ret);
        let fits = if vararg { info.arg_count() >= params.len() } else { info.arg_count() == params.len() };
        if !fits {
            let found = info.arg_count();
            self.report(FindingKind::ArgumentCount { expected: params.len(), found });
        }
        for (index, &param) in params.iter().enumerate().take(info.arg_count()) {
            // A local value may take the place of metadata that wraps it.
            if param != Type::METADATA {
                self.operand_is(index, param);
            }
        }
        if !info.fast.is_empty() {
            self.fast_allowed(info.fast, self.data.ty);
        }
        self.call_attributes(info);
        self.callee(info, self.data.operands[callee]);
        self.no_intrinsic_addresses(callee);
        true
    }

    fn callee(&mut self, info: &CallInfo, callee: Value) {
        let Some(func) = self.body().called_function(callee) else { return };
        let header = &self.check.env.funcs[func];
        if !header.name.starts_with("llvm.") {
            return;
        }
        if header.ty != info.fn_ty {
            self.report(FindingKind::IntrinsicCallType);
        } else if let Some(intrinsic) = header.intrinsic {
            self.intrinsic_call(intrinsic, info);
            if intrinsic == Intrinsic::ExperimentalDeoptimize && !self.is_returned() {
                self.report(FindingKind::DeoptimizeNotReturned);
            }
        }
    }

    fn no_intrinsic_addresses(&mut self, callee: usize) {
        for index in 0..callee {
            let func = self.body().called_function(self.data.operands[index]);
            if func.is_some_and(|f| self.check.env.funcs[f].name.starts_with("llvm.")) {
                self.report(FindingKind::IntrinsicAddress);
            }
        }
    }

    /// Whether a `ret` of the result follows immediately.
    fn is_returned(&self) -> bool {
        let Some(block) = self.body().block_of(self.inst) else { return false };
        let after = self.body().insts(block).iter().skip_while(|i| **i != self.inst).skip(1);
        let mut after = after.filter(|i| !matches!(self.body().inst(**i).kind, InstKind::DebugRecord(_)));
        after.next().is_some_and(|i| {
            let data = self.body().inst(*i);
            let result = match &data.operands[..] {
                [] => self.data.ty == Type::VOID,
                [value] => *value == Value::Inst(self.inst),
                [..] => false,
            };
            matches!(data.kind, InstKind::Ret) && result
        })
    }

    /// LangRef, "`call` Instruction": a `ret` of its result must follow the call, and the callee's signature must match
    /// the caller's.
    fn must_tail(&mut self, info: &CallInfo) {
        if !self.is_returned() {
            self.report(FindingKind::MustTail("a `ret` of its result must follow"));
        }
        let env = self.check.env;
        let caller = &env.funcs[self.check.func];
        if caller.cc != info.cc {
            self.report(FindingKind::MustTail("caller and callee must have the same calling convention"));
        }
        let (own, called) = (env.types.signature(caller.ty), env.types.signature(info.fn_ty));
        let (Some((own_ret, own_params, own_vararg)), Some((ret, params, vararg))) = (own, called) else {
            return;
        };
        if own_vararg != vararg {
            self.report(FindingKind::MustTail("both or neither of caller and callee must take `...`"));
        }
        if own_ret != ret {
            self.report(FindingKind::MustTail("caller and callee must return the same type"));
        }
        let any_types = matches!(&*info.cc, "tailcc" | "swifttailcc");
        if !any_types && (own_params != params || self.data.operands.len() != params.len() + 1) && !vararg {
            self.report(FindingKind::MustTail("caller and callee must have the same parameter types"));
        }
    }
}
