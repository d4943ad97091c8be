//! A plan: instructions to create, in order, and where; and creating them.
//!
//! Owns what it says, so that the body can be edited. It can be carried out for as long as the instructions and values
//! that it names stand where they did; edits elsewhere, and other plans carried out before, do not matter.

use backedge_ir::constant::GlobalRef;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CallInfo, CastFlags, CastOp, FastMath, GepFlags, InstData, InstKind, IntPredicate,
    Value,
};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// What an instruction to create uses.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Operand {
    /// A value of the body.
    Value(Value),
    /// An integer.
    Int(Int),
    /// The result of the step with that number.
    Step(usize),
}

/// An intrinsic with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Callee {
    pub(super) func: FuncId,
    pub(super) fn_ty: Type,
    /// The type of its address.
    pub(super) address: Type,
}

/// What an instruction to create does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    Binary(BinaryOp, BinaryFlags, [Operand; 2]),
    Cast(CastOp, Operand),
    Compare(IntPredicate, [Operand; 2]),
    Select([Operand; 3]),
    Freeze(Operand),
    /// A pointer and bytes to add.
    Offset([Operand; 2], GepFlags),
    Call(Callee, [Operand; 2]),
    /// A recurrence: its first value, which comes from the preheader, and the step whose result comes from the latch.
    Phi {
        start: Operand,
        preheader: Block,
        latch: Block,
        next: usize,
    },
}

/// Where an instruction is created. Those of one place stand in the order of the plan.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    Before(Inst),
    /// Behind the phis of a header.
    Phis(Block),
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) ty: Type,
    pub(super) place: Place,
}

/// Instructions that compute an expression, and where they stand.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) result: Operand,
}

impl Plan {
    /// How many instructions are created.
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Whether nothing is created: the value exists.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// What the new instructions cost, in units of an addition. Conversions and freezes are free.
    pub fn cost(&self) -> u32 {
        self.steps.iter().map(|step| step.op.cost()).fold(0, u32::saturating_add)
    }
    /// Creates the instructions; the value of the expression.
    pub fn emit(&self, editor: &mut Editor<'_>) -> Value {
        let mut made: Vec<Inst> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let data = step.data(editor, &made);
            let position = match step.place {
                Place::Before(inst) => Position::Before(inst),
                Place::Phis(block) => Position::AfterPhis(block),
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
    /// Takes the flags away that make poison.
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
    /// What it uses; of a recurrence, what comes from the preheader.
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
