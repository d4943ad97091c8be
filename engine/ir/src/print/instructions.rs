//! Prints instructions other than calls, and the values and blocks that they refer to.

use super::names::{write_local_name, write_number};
use super::{Code, Printer};
use crate::entity::{Block, Inst};
use crate::flags::CastFlags;
use crate::inst::{
    AllocaInfo, CmpXchgInfo, DebugRecord, InstData, InstKind, LandingClause, MemAccess, Value,
};
use crate::opcode::{AtomicOrdering, FastMath, RmwOp};
use crate::types::{Compound, Type};

impl Printer<'_> {
    /// `%name`, `%5`, a constant.
    pub(super) fn value(&mut self, code: Code<'_>, value: Value) {
        let slot = match value {
            Value::Const(c) => return self.constant(code.body.consts(), c),
            Value::Inst(inst) => code.slots.insts[inst],
            Value::Arg(arg) => code.slots.args[arg],
        };
        self.push("%");
        match (code.body.value_name(value), slot) {
            (Some(name), _) => write_local_name(self.out, name),
            (None, Some(slot)) => write_number(self.out, slot.into()),
            (None, None) => self.push("<no number>"),
        }
    }

    /// `i32 %name`.
    pub(super) fn typed_value(&mut self, code: Code<'_>, value: Value) {
        self.ty(code.body.ty(value));
        self.push(" ");
        self.value(code, value);
    }

    /// `%name` of a block.
    pub(super) fn block_ref(&mut self, code: Code<'_>, block: Block) {
        self.push("%");
        match (code.body.block_name(block), code.slots.blocks[block]) {
            (Some(name), _) => write_local_name(self.out, name),
            (None, Some(slot)) => write_number(self.out, slot.into()),
            (None, None) => self.push("<removed block>"),
        }
    }

    pub(super) fn label(&mut self, code: Code<'_>, data: &InstData, index: usize) {
        match data.blocks.get(index) {
            Some(&block) => {
                self.push("label ");
                self.block_ref(code, block);
            }
            None => self.push("<missing label>"),
        }
    }

    fn operand(&mut self, code: Code<'_>, data: &InstData, index: usize) {
        match data.operands.get(index) {
            Some(&value) => self.value(code, value),
            None => self.push("<missing operand>"),
        }
    }

    pub(super) fn typed_operand(&mut self, code: Code<'_>, data: &InstData, index: usize) {
        match data.operands.get(index) {
            Some(&value) => self.typed_value(code, value),
            None => self.push("<missing operand>"),
        }
    }

    /// ` i32 %a, i32 %b, …`: all operands with their types.
    fn typed_operands(&mut self, code: Code<'_>, data: &InstData) {
        for (i, &value) in data.operands.iter().enumerate() {
            self.push(if i == 0 { " " } else { ", " });
            self.typed_value(code, value);
        }
    }

    /// ` i32 %a, %b`.
    fn pair(&mut self, code: Code<'_>, data: &InstData) {
        self.push(" ");
        self.typed_operand(code, data, 0);
        self.push(", ");
        self.operand(code, data, 1);
    }

    /// The line of `inst` without the line break.
    pub(super) fn inst(&mut self, code: Code<'_>, inst: Inst) {
        let data = code.body.inst(inst);
        if let InstKind::DebugRecord(record) = &data.kind {
            return self.debug_record(code, data, record);
        }
        self.push("  ");
        if data.ty != Type::VOID {
            self.value(code, inst.into());
            self.push(" = ");
        }
        self.operation(code, data);
        self.attachments(", ", &data.metadata);
    }

    /// `[label %a, …]`: the block operands from `first` on.
    pub(super) fn labels(&mut self, code: Code<'_>, data: &InstData, first: usize) {
        self.push("[");
        for index in first..data.blocks.len() {
            if index > first {
                self.push(", ");
            }
            self.label(code, data, index);
        }
        self.push("]");
    }

    fn operation(&mut self, code: Code<'_>, data: &InstData) {
        if let InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) = &data.kind {
            return self.call(code, data, info);
        }
        self.push(data.kind.mnemonic());
        match &data.kind {
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) | InstKind::DebugRecord(_) => {}
            InstKind::Ret if data.operands.is_empty() => self.push(" void"),
            InstKind::Ret
            | InstKind::Resume
            | InstKind::Freeze
            | InstKind::ExtractElement
            | InstKind::InsertElement
            | InstKind::Unreachable => self.typed_operands(code, data),
            InstKind::Br => {
                self.push(" ");
                self.label(code, data, 0);
            }
            InstKind::CondBr => self.cond_br(code, data),
            InstKind::Switch => self.switch(code, data),
            InstKind::IndirectBr => {
                self.typed_operands(code, data);
                self.push(", ");
                self.labels(code, data, 0);
            }
            InstKind::FNeg(fast) | InstKind::Select(fast) => {
                self.fast_math(*fast);
                self.typed_operands(code, data);
            }
            InstKind::Binary(_, flags) => {
                self.binary_flags(*flags);
                self.pair(code, data);
            }
            InstKind::FloatBinary(_, fast) => {
                self.fast_math(*fast);
                self.pair(code, data);
            }
            InstKind::Cast(_, flags) => self.cast(code, data, *flags),
            InstKind::ICmp { pred, samesign } => {
                self.push(if *samesign { " samesign " } else { " " });
                self.push(pred.name());
                self.pair(code, data);
            }
            InstKind::FCmp(pred, fast) => {
                self.fast_math(*fast);
                self.push(" ");
                self.push(pred.name());
                self.pair(code, data);
            }
            InstKind::Phi(fast) => self.phi(code, data, *fast),
            InstKind::Alloca(info) => self.alloca(code, data, info),
            InstKind::Load(access) => self.load(code, data, access),
            InstKind::Store(access) => self.store(code, data, access),
            InstKind::Gep { source, flags } => {
                self.gep_flags(*flags);
                self.push(" ");
                self.ty(*source);
                self.comma_operands(code, data);
            }
            InstKind::ExtractValue(path) | InstKind::InsertValue(path) => {
                self.typed_operands(code, data);
                for index in path {
                    self.push(", ");
                    self.number((*index).into());
                }
            }
            InstKind::ShuffleVector(mask) => {
                self.typed_operands(code, data);
                self.mask(data.ty, mask);
            }
            InstKind::Fence(ordering, scope) => self.ordering(scope.as_deref(), Some(*ordering)),
            InstKind::AtomicRmw(op, access) => self.atomic_rmw(code, data, *op, access),
            InstKind::CmpXchg(info) => self.cmpxchg(code, data, info),
            InstKind::VaArg => {
                self.typed_operands(code, data);
                self.push(", ");
                self.ty(data.ty);
            }
            InstKind::LandingPad { cleanup, clauses } => self.landing_pad(code, data, *cleanup, clauses),
        }
    }

    /// `, ptr %p, i64 0`: all operands with their types, each after a comma.
    fn comma_operands(&mut self, code: Code<'_>, data: &InstData) {
        for &value in &data.operands {
            self.push(", ");
            self.typed_value(code, value);
        }
    }

    pub(super) fn fast_math(&mut self, flags: FastMath) {
        for name in flags.names() {
            self.push(" ");
            self.push(name);
        }
    }

    fn cond_br(&mut self, code: Code<'_>, data: &InstData) {
        self.push(" ");
        self.typed_operand(code, data, 0);
        self.push(", ");
        self.label(code, data, 0);
        self.push(", ");
        self.label(code, data, 1);
    }

    fn switch(&mut self, code: Code<'_>, data: &InstData) {
        self.push(" ");
        self.typed_operand(code, data, 0);
        self.push(", ");
        self.label(code, data, 0);
        self.push(" [");
        for case in 1..data.operands.len().max(data.blocks.len()) {
            self.push("\n    ");
            self.typed_operand(code, data, case);
            self.push(", ");
            self.label(code, data, case);
        }
        self.push("\n  ]");
    }

    fn cast(&mut self, code: Code<'_>, data: &InstData, flags: CastFlags) {
        for (set, word) in [(flags.nneg, " nneg"), (flags.nuw, " nuw"), (flags.nsw, " nsw")] {
            if set {
                self.push(word);
            }
        }
        self.fast_math(flags.fast);
        self.typed_operands(code, data);
        self.push(" to ");
        self.ty(data.ty);
    }

    fn phi(&mut self, code: Code<'_>, data: &InstData, fast: FastMath) {
        self.fast_math(fast);
        self.push(" ");
        self.ty(data.ty);
        self.push(" ");
        for i in 0..data.operands.len().max(data.blocks.len()) {
            self.push(if i == 0 { "[ " } else { ", [ " });
            self.operand(code, data, i);
            self.push(", ");
            match data.blocks.get(i) {
                Some(&block) => self.block_ref(code, block),
                None => self.push("<missing block>"),
            }
            self.push(" ]");
        }
    }

    /// Omits a count of `i32 1`, which is the default, as LLVM does.
    fn alloca(&mut self, code: Code<'_>, data: &InstData, info: &AllocaInfo) {
        self.push(if info.inalloca { " inalloca " } else { " " });
        if info.swifterror {
            self.push("swifterror ");
        }
        self.ty(info.ty);
        let is_one = |v: Value| code.body.as_int(v).is_some_and(|n| n.width() == 32 && n.is_one());
        if !matches!(data.operands[..], [count] if is_one(count)) {
            self.comma_operands(code, data);
        }
        self.align(info.align);
        if let Some(space) = data.ty.ptr_space().filter(|s| *s != 0) {
            self.push(", addrspace(");
            self.number(space.into());
            self.push(")");
        }
    }

    fn align(&mut self, align: Option<u64>) {
        if let Some(align) = align {
            self.push(", align ");
            self.number(align);
        }
    }

    fn atomic_volatile(&mut self, access: &MemAccess) {
        if access.ordering.is_some() {
            self.push(" atomic");
        }
        if access.volatile {
            self.push(" volatile");
        }
    }

    fn ordering(&mut self, scope: Option<&str>, ordering: Option<AtomicOrdering>) {
        if let Some(scope) = scope {
            self.push(" syncscope(\"");
            self.push(scope);
            self.push("\")");
        }
        if let Some(ordering) = ordering {
            self.push(" ");
            self.push(ordering.name());
        }
    }

    fn load(&mut self, code: Code<'_>, data: &InstData, access: &MemAccess) {
        self.atomic_volatile(access);
        self.push(" ");
        self.ty(data.ty);
        self.push(",");
        self.typed_operands(code, data);
        self.ordering(access.syncscope.as_deref(), access.ordering);
        self.align(access.align);
    }

    fn store(&mut self, code: Code<'_>, data: &InstData, access: &MemAccess) {
        self.atomic_volatile(access);
        self.typed_operands(code, data);
        self.ordering(access.syncscope.as_deref(), access.ordering);
        self.align(access.align);
    }

    fn atomic_rmw(&mut self, code: Code<'_>, data: &InstData, op: RmwOp, access: &MemAccess) {
        self.push(if access.volatile { " volatile " } else { " " });
        self.push(op.name());
        self.typed_operands(code, data);
        self.ordering(access.syncscope.as_deref(), access.ordering);
        self.align(access.align);
    }

    fn cmpxchg(&mut self, code: Code<'_>, data: &InstData, info: &CmpXchgInfo) {
        self.push(if info.weak { " weak" } else { "" });
        self.push(if info.access.volatile { " volatile" } else { "" });
        self.typed_operands(code, data);
        self.ordering(info.access.syncscope.as_deref(), info.access.ordering);
        self.ordering(None, Some(info.failure));
        self.align(info.access.align);
    }

    /// `, <4 x i32> <i32 0, i32 poison, …>`; masks of only zeros or only poison have short forms.
    fn mask(&mut self, result: Type, mask: &[Option<u32>]) {
        let scalable =
            matches!(self.env.types.compound(result), Some(Compound::Vector { scalable: true, .. }));
        self.push(if scalable { ", <vscale x " } else { ", <" });
        self.number(mask.len() as u64);
        self.push(" x i32> ");
        if mask.iter().all(|lane| *lane == Some(0)) {
            return self.push("zeroinitializer");
        }
        if mask.iter().all(Option::is_none) {
            return self.push("poison");
        }
        for (i, lane) in mask.iter().enumerate() {
            self.push(if i == 0 { "<i32 " } else { ", i32 " });
            match lane {
                Some(lane) => self.number((*lane).into()),
                None => self.push("poison"),
            }
        }
        self.push(">");
    }

    fn landing_pad(&mut self, code: Code<'_>, data: &InstData, cleanup: bool, clauses: &[LandingClause]) {
        self.push(" ");
        self.ty(data.ty);
        if cleanup {
            self.push("\n          cleanup");
        }
        for (i, clause) in clauses.iter().enumerate() {
            self.push(match clause {
                LandingClause::Catch => "\n          catch ",
                LandingClause::Filter => "\n          filter ",
            });
            self.typed_operand(code, data, i);
        }
    }

    fn debug_record(&mut self, code: Code<'_>, data: &InstData, record: &DebugRecord) {
        self.push("    ");
        for (i, piece) in record.pieces.iter().enumerate() {
            if i > 0 {
                self.typed_operand(code, data, i - 1);
            }
            self.push(piece);
        }
    }
}
