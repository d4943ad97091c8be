//! Plans: the instructions to create, in order and with positions; and their creation.
//!
//! A plan owns its data, so the body can be edited before the plan is carried out. It stays valid as long as the
//! instructions and values that it names keep their positions; edits elsewhere, and emission of other plans, do not
//! matter.

use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CallInfo, CastFlags, CastOp, FastMath, GepFlags, InstData, InstKind, IntPredicate,
    Value,
};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use std::sync::Arc;

/// An operand of an instruction to create.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operand {
    /// A value of the body.
    Value(Value),
    /// An integer.
    Int(Int),
    /// The result of the step with that index.
    Step(usize),
}

/// An intrinsic with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Callee {
    pub(super) func: FuncId,
    pub(super) fn_ty: Type,
    /// The pointer type of its address.
    pub(super) address: Type,
}

/// The operation of an instruction to create.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Binary(BinaryOp, BinaryFlags, [Operand; 2]),
    Cast(CastOp, Operand),
    Compare(IntPredicate, [Operand; 2]),
    Select([Operand; 3]),
    Freeze(Operand),
    /// A pointer and a byte offset.
    Offset([Operand; 2], GepFlags),
    Call(Callee, [Operand; 2]),
    /// A recurrence phi: its start value, from the preheader, and the step whose result is its value from the latch.
    Phi {
        start: Operand,
        preheader: Block,
        latch: Block,
        next: usize,
    },
}

/// The position of a new instruction. Instructions at one place are in plan order.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum StepPlace {
    Before(Inst),
    /// After the phis of a header.
    Phis(Block),
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) ty: Type,
    pub(super) place: StepPlace,
}

/// Instructions that compute an expression, with their positions.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) result: Operand,
}

impl Plan {
    /// The number of instructions to create.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether no instruction is created, because the value exists.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// The cost of the new instructions, in units of an addition. Conversions and freezes are free.
    pub fn cost(&self) -> u32 {
        self.steps.iter().map(|step| step.op.cost()).fold(0, u32::saturating_add)
    }
    /// Creates the instructions and returns the value of the expression.
    pub fn emit(&self, editor: &mut Editor<'_>) -> Value {
        let mut made: Vec<Inst> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let data = step.data(editor, &made);
            let position = match step.place {
                StepPlace::Before(inst) => Position::Before(inst),
                StepPlace::Phis(block) => Position::AfterPhis(block),
            };
            made.push(editor.insert_new(position, data));
        }
        for (step, phi) in self.steps.iter().zip(&made) {
            if let Op::Phi { latch, next, .. } = step.op {
                editor.add_incoming(*phi, made[next].into(), latch);
            }
        }
        value(self.result, editor, &made)
    }
    /// Removes the poison-generating flags.
    pub(super) fn drop_flags(&mut self) {
        for step in &mut self.steps {
            match &mut step.op {
                Op::Binary(_, flags, _) => *flags = BinaryFlags::default(),
                Op::Offset(_, flags) => *flags = GepFlags::default(),
                _ => {}
            }
        }
    }
}

fn value(operand: Operand, editor: &mut Editor<'_>, made: &[Inst]) -> Value {
    match operand {
        Operand::Value(value) => value,
        Operand::Int(int) => editor.int(int),
        Operand::Step(step) => made[step].into(),
    }
}

impl Op {
    fn cost(&self) -> u32 {
        match self {
            Self::Cast(..) | Self::Freeze(_) => 0,
            Self::Binary(op, ..) if op.is_division() => 20,
            Self::Binary(BinaryOp::Mul, ..) => 4,
            Self::Binary(..)
            | Self::Compare(..)
            | Self::Select(_)
            | Self::Offset(..)
            | Self::Call(..)
            | Self::Phi { .. } => 1,
        }
    }
    /// The operands; for a recurrence phi, the value from the preheader.
    pub(super) fn operands(&self) -> &[Operand] {
        match self {
            Self::Binary(.., operands)
            | Self::Compare(_, operands)
            | Self::Offset(operands, _)
            | Self::Call(_, operands) => operands,
            Self::Cast(_, operand) | Self::Freeze(operand) => std::slice::from_ref(operand),
            Self::Select(operands) => operands,
            Self::Phi { start, .. } => std::slice::from_ref(start),
        }
    }
}

impl Step {
    fn data(&self, editor: &mut Editor<'_>, made: &[Inst]) -> InstData {
        let mut operands: Vec<Value> = self.op.operands().iter().map(|o| value(*o, editor, made)).collect();
        let mut blocks = Vec::new();
        let kind = match &self.op {
            Op::Binary(op, flags, _) => InstKind::Binary(*op, *flags),
            Op::Cast(op, _) => InstKind::Cast(*op, CastFlags::default()),
            Op::Compare(pred, _) => InstKind::ICmp { pred: *pred, samesign: false },
            Op::Select(_) => InstKind::Select(FastMath::NONE),
            Op::Freeze(_) => InstKind::Freeze,
            Op::Offset(_, flags) => InstKind::Gep { source: Type::I8, flags: *flags },
            Op::Call(callee, _) => {
                operands.push(editor.consts().global(callee.address, GlobalRef::Func(callee.func)).into());
                InstKind::Call(Box::new(CallInfo::plain(callee.fn_ty, 2)))
            }
            Op::Phi { preheader, .. } => {
                blocks.push(*preheader);
                InstKind::Phi(FastMath::NONE)
            }
        };
        InstData::new(kind, self.ty, operands, blocks)
    }
}

/// Possible insertion points for a use at the first one; each lies outside of a loop that contains the previous ones.
pub(super) type Chain = Arc<[Inst]>;
