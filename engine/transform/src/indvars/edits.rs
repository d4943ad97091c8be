//! Edits of a loop, collected before any is applied: the analysis borrows the code.
//!
//! Each edit by itself refines the original code: a new value equals the old one in every run without UB and is
//! poison only where the old one was, and a new flag holds whenever control reaches its instruction. So all edits
//! together are a refinement, in any order. Nothing is removed meanwhile, since the plans refer to values of the
//! original code.

use super::remarks::IndVarsMissed;
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

/// A replacement value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum New {
    /// An existing value.
    Value(Value),
    /// A constant integer.
    Int(Int),
    /// The result of the plan with that index.
    Planned(usize),
    /// The sum with that index.
    Sum(usize),
    /// The product with that index.
    Product(usize),
}

/// A new comparison.
#[derive(Copy, Clone, Debug)]
pub(super) struct Compare {
    pub(super) pred: IntPredicate,
    pub(super) left: New,
    pub(super) right: New,
    /// Insertion point.
    pub(super) before: Inst,
    pub(super) name: &'static str,
}

/// One edit.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Replaces the kind of the instruction; the operands stay.
    Kind(Inst, InstKind),
    /// Replaces all uses of the instruction by another value, which is defined before it.
    Replace(Inst, New),
    /// Replaces all uses of the instruction by a new instruction of the same type.
    Instead {
        inst: Inst,
        kind: InstKind,
        operands: SmallVec<[New; 2]>,
        /// Insertion point.
        before: Inst,
    },
    /// Replaces one operand by another value.
    Operand(Use, New),
    /// Replaces one operand by a new comparison.
    Compared(Use, Compare),
}

/// The collected edits.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) list: Vec<Edit>,
    /// The exiting blocks whose tests are final.
    pub(super) settled: EntitySet<Block>,
    /// Reasons for missed simplifications.
    pub(super) missed: Vec<IndVarsMissed>,
    plans: Vec<Plan>,
    sums: Vec<(New, Int, Inst)>,
    products: Vec<([New; 2], Inst)>,
    planned: FxHashMap<(Expr, Inst), usize>,
}

impl Edits {
    /// The value of `expr` before `at`, if another edit computes it already.
    pub(super) fn planned(&self, expr: Expr, at: Inst) -> Option<New> {
        self.planned.get(&(expr, at)).map(|i| New::Planned(*i))
    }
    /// Adds `plan` to compute `expr` before `at`.
    pub(super) fn plan(&mut self, expr: Expr, at: Inst, plan: Plan) -> New {
        self.planned.insert((expr, at), self.plans.len());
        self.plans.push(plan);
        New::Planned(self.plans.len() - 1)
    }
    /// The sum of `value` and a constant, before `at`; `value` itself if the constant is zero.
    pub(super) fn sum(&mut self, value: New, by: Int, at: Inst) -> New {
        if by.is_zero() {
            return value;
        }
        self.sums.push((value, by, at));
        New::Sum(self.sums.len() - 1)
    }
    /// The product of two existing or planned values, before `at`.
    pub(super) fn product(&mut self, of: [New; 2], at: Inst) -> New {
        self.products.push((of, at));
        New::Product(self.products.len() - 1)
    }
    /// Records a missed simplification.
    pub(super) fn miss(&mut self, why: IndVarsMissed) {
        if !self.missed.contains(&why) {
            self.missed.push(why);
        }
    }

    /// Applies all edits.
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

/// The value of `new`, given the results of the plans, sums and products.
fn resolve(editor: &mut Editor<'_>, new: New, [made, sums, products]: [&[Value]; 3]) -> Value {
    match new {
        New::Value(value) => value,
        New::Int(value) => editor.int(value),
        New::Planned(index) => made[index],
        New::Sum(index) => sums[index],
        New::Product(index) => products[index],
    }
}
