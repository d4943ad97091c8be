//! Classification of a value as an operation on other values: an instruction or a constant expression. Looks through
//! values that equal another value.

use crate::ScalarEvolution;
use backedge_analysis::cache::IrreducibleCycles;
use backedge_analysis::must_execute::{call_has, called_intrinsic};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, ConstOp};
use backedge_ir::entity::{Const, Inst};
use backedge_ir::inst::{BinaryFlags, CallView, CastFlags, GepFlags, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{BinaryOp, CastOp};
use backedge_ir::types::Type;
use smallvec::{SmallVec, smallvec};

/// The operation that defines a value, as far as expressions model it.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// An opaque value.
    Leaf,
    /// A header phi.
    Header(Inst),
    /// Equal to another value.
    Same(Value),
    /// Integer arithmetic or logic.
    Binary(BinaryOp, BinaryFlags, [Value; 2]),
    /// The arithmetic result of an operation with overflow; the flag says whether the operation is signed.
    Overflow(BinaryOp, bool, [Value; 2]),
    /// A conversion.
    Cast(CastOp, CastFlags, Value),
    /// An address: the base and the indices into the type.
    Address(Type, GepFlags, SmallVec<[Value; 3]>),
    /// A choice between two values: a select, or a phi that merges the two sides of a branch.
    Select {
        /// The condition.
        condition: Value,
        /// The values if the condition is true and if it is false.
        arms: [Value; 2],
    },
    /// A call of an intrinsic.
    Intrinsic(Intrinsic, SmallVec<[Value; 2]>),
}

impl Operation {
    /// The values whose expressions are needed first.
    pub(super) fn needs(&self, body: &Body) -> SmallVec<[Value; 4]> {
        match self {
            Self::Leaf | Self::Header(_) => SmallVec::new(),
            Self::Same(value) => smallvec![*value],
            Self::Binary(BinaryOp::AShr, _, operands) => {
                let mut needs: SmallVec<[Value; 4]> = SmallVec::from_slice(operands);
                // The left shift and its operand, possibly below an addition of a constant.
                if let Some((.., [left, _])) = binary_of(body, operands[0]) {
                    needs.push(left);
                    needs.extend(binary_of(body, left).map(|(.., [x, _])| x));
                }
                needs
            }
            Self::Binary(_, _, operands) | Self::Overflow(_, _, operands) => SmallVec::from_slice(operands),
            Self::Cast(_, _, operand) => {
                let mut needs: SmallVec<[Value; 4]> = smallvec![*operand];
                // Extensions are also built from the operands of the extended value.
                if let Some((.., operands)) = binary_of(body, *operand) {
                    needs.extend(operands);
                }
                needs
            }
            Self::Address(_, _, operands) => SmallVec::from_slice(operands),
            Self::Select { condition, arms } => {
                let mut needs: SmallVec<[Value; 4]> = SmallVec::from_slice(arms);
                needs.push(*condition);
                if let Some(inst) = condition.as_inst()
                    && let InstKind::ICmp { .. } = body.inst(inst).kind
                {
                    needs.extend_from_slice(&body.inst(inst).operands);
                }
                needs
            }
            Self::Intrinsic(_, operands) => SmallVec::from_slice(operands),
        }
    }
}

/// The operation and operands of an instruction of integer arithmetic.
pub(super) fn binary_of(body: &Body, value: Value) -> Option<(BinaryOp, BinaryFlags, [Value; 2])> {
    let data = body.inst(value.as_inst()?);
    let InstKind::Binary(op, flags) = data.kind else { return None };
    Some((op, flags, [data.operands[0], data.operands[1]]))
}

impl ScalarEvolution<'_> {
    /// The operation of `value`, whose type has expressions.
    pub(super) fn operation(&mut self, value: Value) -> Operation {
        match value {
            Value::Arg(_) => Operation::Leaf,
            Value::Const(c) => self.constant_operation(c),
            Value::Inst(inst) => match self.at.body.block_of(inst) {
                Some(block) if self.cfg.is_reachable(block) => {
                    let leaf = self.looks_through_undef(inst);
                    if leaf { Operation::Leaf } else { self.inst_operation(inst) }
                }
                _ => Operation::Leaf,
            },
        }
    }
    fn constant_operation(&self, c: Const) -> Operation {
        let ConstData::Expr(e) = &self.at.body.constant(c).data else { return Operation::Leaf };
        let operand = |i: usize| Value::Const(e.operands[i]);
        match &e.op {
            ConstOp::Gep { source, flags, .. } => {
                let operands = e.operands.iter().map(|c| Value::Const(*c)).collect();
                Operation::Address(*source, *flags, operands)
            }
            ConstOp::Cast(op) => Operation::Cast(*op, CastFlags::default(), operand(0)),
            ConstOp::Binary(op, flags) => Operation::Binary(*op, *flags, [operand(0), operand(1)]),
        }
    }
    fn inst_operation(&mut self, inst: Inst) -> Operation {
        let data = self.at.body.inst(inst);
        let operand = |i: usize| data.operands[i];
        match &data.kind {
            InstKind::Binary(op, flags) => Operation::Binary(*op, *flags, [operand(0), operand(1)]),
            InstKind::Cast(op, flags) => Operation::Cast(*op, *flags, operand(0)),
            InstKind::Gep { source, flags } => {
                Operation::Address(*source, *flags, data.operands.iter().copied().collect())
            }
            InstKind::Select(_) => {
                Operation::Select { condition: operand(0), arms: [operand(1), operand(2)] }
            }
            InstKind::Phi(_) => self.phi_operation(inst),
            InstKind::Freeze if is_guaranteed_defined(self.at, operand(0), Some(inst), Defined::NotUndef) => {
                Operation::Same(operand(0))
            }
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => match data.call() {
                Some(call) => self.call_operation(call),
                None => Operation::Leaf,
            },
            InstKind::ExtractValue(path) if **path == [0] => self.overflow_operation(operand(0)),
            _ => Operation::Leaf,
        }
    }
    fn phi_operation(&mut self, phi: Inst) -> Operation {
        if let Some(value) = self.only_incoming(phi) {
            return Operation::Same(value);
        }
        let Some(block) = self.at.body.block_of(phi) else { return Operation::Leaf };
        if self.loops.with_header(block).is_some() {
            return Operation::Header(phi);
        }
        let at = self.at;
        let irreducible = self.values.irreducible.get_or_insert_with(|| {
            at.get::<IrreducibleCycles>().0.iter().flat_map(|c| c.blocks.iter().copied()).collect()
        });
        if irreducible.contains(&block) {
            return Operation::Leaf;
        }
        self.merge_operation(phi, block).unwrap_or(Operation::Leaf)
    }
    /// The only incoming value of `phi`, apart from `phi` itself and poison, if it is defined wherever the phi is.
    fn only_incoming(&self, phi: Inst) -> Option<Value> {
        let body = self.at.body;
        let is_poison =
            |v: &Value| v.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Poison));
        // Edges from unreachable blocks are never taken.
        let all = body.inst(phi).incoming().filter(|(_, from)| self.cfg.is_reachable(*from));
        let others: SmallVec<[Value; 4]> = all.map(|(v, _)| v).filter(|v| *v != Value::Inst(phi)).collect();
        let value = others.iter().copied().find(|v| !is_poison(v))?;
        if !others.iter().all(|v| *v == value || is_poison(v)) {
            return None;
        }
        let is_defined = match value {
            Value::Const(_) | Value::Arg(_) => true,
            Value::Inst(inst) => {
                let (from, to) = (body.block_of(inst)?, body.block_of(phi)?);
                self.dominators.strictly_dominates(from, to)
            }
        };
        is_defined.then_some(value)
    }
    fn call_operation(&self, call: CallView<'_>) -> Operation {
        let (env, body) = (self.at.env, self.at.body);
        if let Some(value) = self.returned_argument(call) {
            return Operation::Same(value);
        }
        use Intrinsic as I;
        match called_intrinsic(env, body, call) {
            Some(I::Annotation | I::PtrAnnotation | I::SsaCopy | I::Expect | I::ExpectWithProbability) => {
                Operation::Same(call.args()[0])
            }
            Some(i @ (I::Abs | I::UMin | I::UMax | I::SMin | I::SMax | I::USubSat | I::UAddSat)) => {
                Operation::Intrinsic(i, call.args().iter().copied().collect())
            }
            _ => Operation::Leaf,
        }
    }
    /// The argument that the call returns, by the `returned` attribute.
    pub(super) fn returned_argument(&self, call: CallView<'_>) -> Option<Value> {
        let (env, body) = (self.at.env, self.at.body);
        let callee = backedge_analysis::effects::called_function(body, call);
        let declared = |i: usize| callee.and_then(|f| env.funcs[f].param_attrs.get(i));
        let returned = |i: &usize| {
            env.has_attr(&call.info.arg_attrs[*i], FlagAttr::Returned)
                || declared(*i).is_some_and(|list| env.has_attr(list, FlagAttr::Returned))
        };
        // An attribute about the result of a function that does not return implies nothing.
        if call_has(env, body, call, FlagAttr::NoReturn) {
            return None;
        }
        (0..call.info.arg_count()).find(returned).map(|i| call.args()[i])
    }
    fn overflow_operation(&self, aggregate: Value) -> Operation {
        let body = self.at.body;
        let call = aggregate.as_inst().and_then(|i| body.inst(i).call());
        let Some(call) = call else { return Operation::Leaf };
        let arithmetic =
            called_intrinsic(self.at.env, body, call).and_then(Intrinsic::arithmetic_with_overflow);
        let Some((op, signed)) = arithmetic else { return Operation::Leaf };
        match *call.args() {
            [a, b] => Operation::Overflow(op, signed, [a, b]),
            _ => Operation::Leaf,
        }
    }
}
