//! Checks the requirements on each instruction: number and types of operands, result type, flags.

use super::types::Types;
use super::{Check, FindingKind, Wanted};
use crate::body::Body;
use crate::constant::ConstData;
use crate::entity::Inst;
use crate::inst::{InstData, InstKind, Value};
use crate::int::Int;
use crate::opcode::FastMath;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The instruction that is being verified.
pub(super) struct One<'c, 'a, 'f> {
    pub(super) check: &'c mut Check<'a, 'f>,
    pub(super) inst: Inst,
    pub(super) data: &'a InstData,
}

impl Check<'_, '_> {
    pub(super) fn inst(&mut self, inst: Inst) {
        let data = self.body.inst(inst);
        let mut one = One { check: self, inst, data };
        one.operands_are_values();
        one.kind();
        one.attachments();
    }
}

impl<'a> One<'_, 'a, '_> {
    pub(super) fn types(&self) -> &'a Types<'a> {
        self.check.types
    }
    pub(super) fn body(&self) -> &'a Body {
        self.check.body
    }
    pub(super) fn report(&mut self, kind: FindingKind) {
        self.check.report_inst(self.inst, kind);
    }
    /// Checks the numbers of operands and blocks. If they are wrong, all other checks of the instruction are skipped.
    pub(super) fn counts(&mut self, operands: usize, blocks: usize) -> bool {
        let found = self.data.operands.len();
        if found != operands {
            self.report(FindingKind::OperandCount { expected: operands, found });
        }
        self.blocks(blocks) && found == operands
    }
    pub(super) fn blocks(&mut self, blocks: usize) -> bool {
        let found = self.data.blocks.len();
        if found != blocks {
            self.report(FindingKind::BlockCount { expected: blocks, found });
        }
        found == blocks
    }
    /// The type of operand `index`, which must exist.
    pub(super) fn ty(&self, index: usize) -> Type {
        self.body().ty(self.data.operands[index])
    }
    pub(super) fn exactly(&self, ty: Type) -> Wanted {
        Wanted::Exactly(self.types().name(ty))
    }
    pub(super) fn bad_operand(&mut self, index: usize, wanted: Wanted) {
        let found = self.types().name(self.ty(index));
        self.report(FindingKind::OperandType { index, wanted, found });
    }
    pub(super) fn bad_result(&mut self, wanted: Wanted) {
        let found = self.types().name(self.data.ty);
        self.report(FindingKind::ResultType { wanted, found });
    }
    pub(super) fn operand_is(&mut self, index: usize, ty: Type) {
        if self.ty(index) != ty {
            let wanted = self.exactly(ty);
            self.bad_operand(index, wanted);
        }
    }
    /// Reports operand `index` as not in the class `words` unless `holds`.
    pub(super) fn operand_class(&mut self, index: usize, holds: bool, words: &'static str) -> bool {
        if !holds {
            self.bad_operand(index, Wanted::Class(words));
        }
        holds
    }
    pub(super) fn result_is(&mut self, ty: Type) {
        if self.data.ty != ty {
            let wanted = self.exactly(ty);
            self.bad_result(wanted);
        }
    }
    /// The result must be `scalar` in the shape of `like`: `scalar` itself or a vector of it.
    fn result_shaped(&mut self, scalar: Type, words: &'static str, like: Type) {
        let types = self.types();
        if types.scalar(self.data.ty) != scalar || types.shape(self.data.ty) != types.shape(like) {
            self.bad_result(Wanted::Shaped(words, types.name(like)));
        }
    }
    pub(super) fn void(&mut self) {
        self.result_is(Type::VOID);
    }

    /// No operand may be a function, `void` or a label; only calls and debug records take tokens and metadata.
    fn operands_are_values(&mut self) {
        let carried = matches!(
            self.data.kind,
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) | InstKind::DebugRecord(_)
        );
        for index in 0..self.data.operands.len() {
            let ty = self.ty(index);
            let special = matches!(ty, Type::METADATA | Type::TOKEN);
            let is_value = self.types().is_first_class(ty) && ty != Type::LABEL;
            if !is_value || (special && !carried) {
                self.bad_operand(index, Wanted::Class("a value that the instruction can compute with"));
            }
        }
    }

    fn kind(&mut self) {
        match &self.data.kind {
            InstKind::Ret => self.ret(),
            InstKind::Br => self.br(),
            InstKind::CondBr => self.cond_br(),
            InstKind::Switch => self.switch(),
            InstKind::IndirectBr => self.indirect_br(),
            InstKind::Unreachable => self.unreachable(),
            InstKind::Invoke(info) => self.invoke(info),
            InstKind::CallBr(info) => self.call_br(info),
            InstKind::Resume => self.resume(),
            InstKind::FNeg(_) => self.fneg(),
            InstKind::Binary(..) => self.binary(),
            InstKind::FloatBinary(..) => self.float_binary(),
            InstKind::Cast(op, flags) => self.cast(*op, *flags),
            InstKind::ICmp { .. } => self.icmp(),
            InstKind::FCmp(..) => self.fcmp(),
            InstKind::Select(fast) => self.select(*fast),
            InstKind::Phi(fast) => self.phi(*fast),
            InstKind::Freeze => self.freeze(),
            InstKind::Alloca(info) => self.alloca(info),
            InstKind::Load(access) => self.load(access),
            InstKind::Store(access) => self.store(access),
            InstKind::Gep { source, .. } => self.gep(*source),
            InstKind::Call(info) => self.call_inst(info),
            InstKind::ExtractValue(path) => self.extract_value(path),
            InstKind::InsertValue(path) => self.insert_value(path),
            InstKind::ExtractElement => self.extract_element(),
            InstKind::InsertElement => self.insert_element(),
            InstKind::ShuffleVector(mask) => self.shuffle(mask),
            InstKind::Fence(ordering, _) => self.fence(*ordering),
            InstKind::AtomicRmw(op, access) => self.atomic_rmw(*op, access),
            InstKind::CmpXchg(info) => self.cmpxchg(info),
            InstKind::VaArg => self.va_arg(),
            InstKind::LandingPad { clauses, .. } => self.landing_pad(clauses),
            InstKind::DebugRecord(record) => self.debug_record(record.pieces.len()),
        }
    }

    fn ret(&mut self) {
        self.void();
        let env = self.check.env;
        let Some((ret, _, _)) = env.types.signature(env.funcs[self.check.func].ty) else { return };
        let wanted = usize::from(ret != Type::VOID);
        if self.counts(wanted, 0) && wanted == 1 {
            self.operand_is(0, ret);
        }
    }
    fn br(&mut self) {
        self.void();
        self.counts(0, 1);
    }
    fn cond_br(&mut self) {
        self.void();
        if self.counts(1, 2) {
            self.operand_is(0, Type::I1);
        }
    }
    fn indirect_br(&mut self) {
        self.void();
        if self.counts(1, self.data.blocks.len()) {
            self.operand_class(0, self.ty(0).is_ptr(), "a pointer");
        }
    }
    fn unreachable(&mut self) {
        self.void();
        self.counts(0, 0);
    }
    fn switch(&mut self) {
        self.void();
        let operands = self.data.operands.len().max(1);
        if !self.counts(operands, operands) {
            return;
        }
        let ty = self.ty(0);
        self.operand_class(0, ty.is_int(), "an integer");
        let mut seen: FxHashMap<Int, usize> = FxHashMap::default();
        for case in 0..operands - 1 {
            self.operand_is(case + 1, ty);
            match self.body().as_int(self.data.operands[case + 1]) {
                None => self.report(FindingKind::CaseNotConstant { case }),
                Some(value) => {
                    if let Some(first) = seen.insert(value, case) {
                        self.report(FindingKind::DuplicateCase { first, second: case });
                    }
                }
            }
        }
    }
    fn resume(&mut self) {
        self.void();
        self.counts(1, 0);
    }

    fn fneg(&mut self) {
        if self.counts(1, 0) {
            let ty = self.ty(0);
            self.operand_class(0, self.types().is_float_like(ty), "floating point or a vector of it");
            self.result_is(ty);
        }
    }
    /// Checks that there are two operands of the same type; returns the type.
    fn pair(&mut self) -> Option<Type> {
        if !self.counts(2, 0) {
            return None;
        }
        let ty = self.ty(0);
        self.operand_is(1, ty);
        Some(ty)
    }
    fn binary(&mut self) {
        let InstKind::Binary(op, flags) = &self.data.kind else { return };
        let (wrap, exact, disjoint) = op.allowed_flags();
        let set = [
            (flags.nuw && !wrap, "nuw"),
            (flags.nsw && !wrap, "nsw"),
            (flags.exact && !exact, "exact"),
            (flags.disjoint && !disjoint, "disjoint"),
        ];
        for (wrong, flag) in set {
            if wrong {
                self.report(FindingKind::Flag { flag });
            }
        }
        if let Some(ty) = self.pair() {
            self.operand_class(0, self.types().is_int_like(ty), "an integer or a vector of integers");
            self.result_is(ty);
        }
    }
    fn float_binary(&mut self) {
        if let Some(ty) = self.pair() {
            self.operand_class(0, self.types().is_float_like(ty), "floating point or a vector of it");
            self.result_is(ty);
        }
    }
    fn icmp(&mut self) {
        if let Some(ty) = self.pair() {
            let comparable = self.types().is_int_like(ty) || self.types().is_ptr_like(ty);
            self.operand_class(0, comparable, "integers, pointers or vectors of them");
            self.result_shaped(Type::I1, "`i1`", ty);
        }
    }
    fn fcmp(&mut self) {
        if let Some(ty) = self.pair() {
            self.operand_class(0, self.types().is_float_like(ty), "floating point or a vector of it");
            self.result_shaped(Type::I1, "`i1`", ty);
        }
    }
    pub(super) fn fast_allowed(&mut self, fast: FastMath, ty: Type) {
        if !fast.is_empty() && !self.types().may_be_fast(ty) {
            self.report(FindingKind::Flag { flag: "fast-math flags" });
        }
    }
    fn select(&mut self, fast: FastMath) {
        self.fast_allowed(fast, self.data.ty);
        if !self.counts(3, 0) {
            return;
        }
        let (condition, ty) = (self.ty(0), self.ty(1));
        let types = self.types();
        let fits = condition == Type::I1
            || (types.is_bool_like(condition) && types.shape(condition) == types.shape(ty));
        if !fits {
            self.bad_operand(0, Wanted::Shaped("`i1`, or a vector of `i1`", types.name(ty)));
        }
        self.operand_is(2, ty);
        self.result_is(ty);
    }
    /// The incoming blocks are checked together with the edges.
    fn phi(&mut self, fast: FastMath) {
        self.fast_allowed(fast, self.data.ty);
        let ty = self.data.ty;
        if !self.types().is_first_class(ty) || matches!(ty, Type::TOKEN | Type::METADATA | Type::LABEL) {
            self.bad_result(Wanted::Class("a type that a phi can merge"));
        }
        for index in 0..self.data.operands.len() {
            self.operand_is(index, ty);
        }
    }
    fn freeze(&mut self) {
        if self.counts(1, 0) {
            self.result_is(self.ty(0));
        }
    }
    fn va_arg(&mut self) {
        if self.counts(1, 0) {
            let ty = self.ty(0);
            self.operand_class(0, ty.is_ptr(), "a pointer");
            if !self.types().is_first_class(self.data.ty) {
                self.bad_result(Wanted::Class("a type that values can have"));
            }
        }
    }
    fn debug_record(&mut self, pieces: usize) {
        self.void();
        self.blocks(0);
        let operands = self.data.operands.len();
        if pieces != operands + 1 {
            self.report(FindingKind::DebugRecord { pieces, operands });
        }
    }

    /// Whether `value` is a compile-time constant: neither an address nor an expression.
    pub(super) fn is_immediate(&self, value: Value) -> bool {
        value
            .as_const()
            .is_some_and(|c| matches!(self.body().constant(c).data, ConstData::Int(_) | ConstData::Float(_)))
    }
}
