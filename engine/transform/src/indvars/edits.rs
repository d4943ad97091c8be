//! What is to be done to a loop, collected before anything is: the analysis borrows the code.
//!
//! Each edit by itself is a refinement of the code as it was: a new value equals the old one in every run without
//! undefined behaviour and is poison only where the old one was, and a flag that is set is true whenever control comes
//! to its instruction. So all of them together are one, in any order. Nothing is removed meanwhile, as the plans name
//! values of the code as it was.

use super::Missed;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use backedge_scev::Expr;
use backedge_scev::expand::Plan;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A value to use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum New {
    /// One that is there.
    Value(Value),
    /// An integer.
    Int(Int),
    /// What the plan of that number gives.
    Planned(usize),
    /// The sum of that number.
    Sum(usize),
    /// The product of that number.
    Product(usize),
}

/// A comparison to make.
#[derive(Copy, Clone, Debug)]
pub(super) struct Compare {
    pub(super) pred: IntPredicate,
    pub(super) left: New,
    pub(super) right: New,
    /// Where it is made.
    pub(super) before: Inst,
    pub(super) name: &'static str,
}

/// One change.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// The instruction becomes one of that kind on the same operands.
    Kind(Inst, InstKind),
    /// All uses of the instruction become uses of another value, which stands before it.
    Replace(Inst, New),
    /// All uses of the instruction become uses of a new one of the same type.
    Instead {
        inst: Inst,
        kind: InstKind,
        operands: SmallVec<[New; 2]>,
        /// Where the new one stands.
        before: Inst,
    },
    /// One operand becomes another value.
    Operand(Use, New),
    /// One operand becomes the result of a new comparison.
    Compared(Use, Compare),
}

/// Changes to make.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) list: Vec<Edit>,
    /// The exiting blocks whose test is done with.
    pub(super) settled: EntitySet<Block>,
    /// Why something is not done.
    pub(super) missed: Vec<Missed>,
    plans: Vec<Plan>,
    sums: Vec<(New, Int, Inst)>,
    products: Vec<([New; 2], Inst)>,
    planned: FxHashMap<(Expr, Inst), usize>,
}

impl Edits {
    /// The number under which the value of `expr` before `at` is computed if it is by some other edit already.
    pub(super) fn planned(&self, expr: Expr, at: Inst) -> Option<New> {
        self.planned.get(&(expr, at)).map(|i| New::Planned(*i))
    }
    /// Takes `plan` for `expr` before `at`.
    pub(super) fn plan(&mut self, expr: Expr, at: Inst, plan: Plan) -> New {
        self.planned.insert((expr, at), self.plans.len());
        self.plans.push(plan);
        New::Planned(self.plans.len() - 1)
    }
    /// The sum of `value`, and a constant, before `at`; the value itself if that is zero.
    pub(super) fn sum(&mut self, value: New, by: Int, at: Inst) -> New {
        if by.is_zero() {
            return value;
        }
        self.sums.push((value, by, at));
        New::Sum(self.sums.len() - 1)
    }
    /// The product of two values that are there or planned, before `at`.
    pub(super) fn product(&mut self, of: [New; 2], at: Inst) -> New {
        self.products.push((of, at));
        New::Product(self.products.len() - 1)
    }
    /// Notes why something is not done.
    pub(super) fn miss(&mut self, why: Missed) {
        if !self.missed.contains(&why) {
            self.missed.push(why);
        }
    }

    /// Makes all changes.
    pub(super) fn apply(self, editor: &mut Editor<'_>) {
        let made: Vec<Value> = self.plans.iter().map(|plan| plan.emit(editor)).collect();
        let mut products: Vec<Value> = Vec::new();
        for (of, at) in &self.products {
            let [a, b] = of.map(|new| resolve(editor, new, [&made, &[], &products]));
            let mut builder = Builder::new(editor, Position::Before(*at));
            products.push(builder.binary(BinaryOp::Mul, a, b, BinaryFlags::default(), ""));
        }
        let mut sums: Vec<Value> = Vec::new();
        for (value, by, at) in &self.sums {
            let value = resolve(editor, *value, [&made, &sums, &products]);
            let by = editor.int(*by);
            let mut builder = Builder::new(editor, Position::Before(*at));
            sums.push(builder.binary(BinaryOp::Add, value, by, BinaryFlags::default(), ""));
        }
        let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
        let value = |editor: &mut Editor<'_>, replaced: &FxHashMap<Value, Value>, new: New| {
            let mut value = resolve(editor, new, [&made, &sums, &products]);
            while let Some(next) = replaced.get(&value) {
                value = *next;
            }
            value
        };
        for edit in self.list {
            match edit {
                Edit::Kind(inst, kind) => editor.set_kind(inst, kind),
                Edit::Replace(inst, new) => {
                    let new = value(editor, &replaced, new);
                    if new != inst.into() {
                        replaced.insert(inst.into(), new);
                        editor.replace_uses(inst.into(), new);
                    }
                }
                Edit::Instead { inst, kind, operands, before } => {
                    let operands: SmallVec<[Value; 2]> =
                        operands.into_iter().map(|new| value(editor, &replaced, new)).collect();
                    let data = InstData::new(kind, editor.body().inst(inst).ty, operands, []);
                    let new = editor.insert_new(Position::Before(before), data).into();
                    replaced.insert(inst.into(), new);
                    editor.replace_uses(inst.into(), new);
                }
                Edit::Operand(use_, new) => {
                    let new = value(editor, &replaced, new);
                    editor.set_operand(use_, new);
                }
                Edit::Compared(use_, compare) => {
                    let left = value(editor, &replaced, compare.left);
                    let right = value(editor, &replaced, compare.right);
                    let mut builder = Builder::new(editor, Position::Before(compare.before));
                    let new = builder.icmp(compare.pred, left, right, compare.name);
                    editor.set_operand(use_, new);
                }
            }
        }
    }
}

/// The value that `new` stands for, of those made by plans, as sums and as products.
fn resolve(editor: &mut Editor<'_>, new: New, [made, sums, products]: [&[Value]; 3]) -> Value {
    match new {
        New::Value(value) => value,
        New::Int(value) => editor.int(value),
        New::Planned(index) => made[index],
        New::Sum(index) => sums[index],
        New::Product(index) => products[index],
    }
}
