//! Recipes as instructions, for a single lane.
//!
//! Recipes are visited in reverse post-order of their blocks, so that operands exist before their users; phis come
//! first and get their operands last. A phi in a block that is merged with its predecessor becomes its incoming value.

use super::Executor;
use crate::plan::{BlockId, MaskOp, Recipe, RecipeId, VPValue};
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Executor<'_> {
    /// The IR value of `value`. Every recipe has a value when it is used; poison is a fallback.
    pub(super) fn value(&self, editor: &mut Editor<'_>, value: VPValue) -> Value {
        match value {
            VPValue::LiveIn(value) => value,
            VPValue::Bit(bit) => editor.int(Int::new(1, u128::from(bit))),
            VPValue::Poison(ty) => editor.poison(ty),
            VPValue::Def(recipe) => {
                self.values[recipe].unwrap_or_else(|| editor.poison(self.plan.recipe(recipe).ty))
            }
        }
    }

    /// Creates the phis at the start of merged chains, without entries.
    pub(super) fn make_phis(&mut self, editor: &mut Editor<'_>) {
        for head in self.heads() {
            let block = self.block(head);
            let phis: Vec<RecipeId> = self.plan.phis(head).collect();
            for phi in phis {
                // The block after the plan already has its phis.
                if self.values[phi].is_some() {
                    continue;
                }
                let of = self.plan.recipe(phi);
                let kind = match of.kind.origin() {
                    Some(origin) => editor.body().inst(origin).kind.clone(),
                    None => InstKind::Phi(FastMath::NONE),
                };
                let made = editor.insert_new(Position::AfterPhis(block), InstData::new(kind, of.ty, [], []));
                self.made(phi, made);
            }
        }
    }
    fn made(&mut self, recipe: RecipeId, inst: Inst) {
        self.values[recipe] = Some(inst.into());
        if let Some(name) = &self.plan.recipe(recipe).name {
            self.names.push((inst, name.clone()));
        }
    }

    /// Emits all other recipes.
    pub(super) fn make_recipes(&mut self, editor: &mut Editor<'_>) {
        let plan = self.plan;
        for &block in self.graph.rpo() {
            let is_head = self.joins_pred(block).is_none();
            for &recipe in &plan.block(block).recipes {
                match &plan.recipe(recipe).kind {
                    Recipe::Phi { incoming, .. } => {
                        if let ([(_, value)], false) = (&incoming[..], is_head) {
                            let value = self.value(editor, *value);
                            self.values[recipe] = Some(value);
                        }
                    }
                    Recipe::ConditionBit { .. } => {}
                    _ => self.make(editor, block, recipe),
                }
            }
        }
    }
    fn make(&mut self, editor: &mut Editor<'_>, block: BlockId, recipe: RecipeId) {
        let of = self.plan.recipe(recipe);
        let operands: Vec<Value> =
            of.kind.operands().into_iter().map(|value| self.value(editor, value)).collect();
        let data = match &of.kind {
            Recipe::VectorizeOneByOne { inst, .. } => {
                let mut data = editor.body().inst(*inst).clone();
                data.operands = operands.into();
                data
            }
            Recipe::IsCase { .. } => {
                let kind = InstKind::ICmp { pred: IntPredicate::Eq, samesign: false };
                InstData::new(kind, Type::I1, operands, [])
            }
            Recipe::Blend { .. } => InstData::new(InstKind::Select(FastMath::NONE), of.ty, operands, []),
            Recipe::Mask { op, .. } => mask(editor, *op, &operands),
            Recipe::AnyLane { .. } => {
                // There is only one lane.
                self.values[recipe] = operands.first().copied();
                return;
            }
            Recipe::Phi { .. } | Recipe::ConditionBit { .. } => return,
        };
        // The preheader still has its terminator.
        let made = editor.insert_new(Position::BeforeTerminator(self.block(block)), data);
        self.made(recipe, made);
    }

    /// Adds the entries of the phis at the start of merged chains.
    pub(super) fn fill_phis(&mut self, editor: &mut Editor<'_>) {
        let plan = self.plan;
        for head in self.heads() {
            for phi in plan.phis(head) {
                let (Recipe::Phi { incoming, .. }, Some(Value::Inst(made))) =
                    (&plan.recipe(phi).kind, self.values[phi])
                else {
                    continue;
                };
                for (from, value) in incoming {
                    let value = self.value(editor, *value);
                    editor.add_incoming(made, value, self.block(*from));
                }
            }
        }
    }
}

/// A logical operation on bits. A `select` ignores the second operand in the same cases as the recipe.
fn mask(editor: &mut Editor<'_>, op: MaskOp, operands: &[Value]) -> InstData {
    let bit = |editor: &mut Editor<'_>, bit: bool| editor.int(Int::new(1, u128::from(bit)));
    let (kind, operands) = match (op, operands) {
        (MaskOp::Not, rest) => {
            let set = bit(editor, true);
            let operands = rest.first().copied().into_iter().chain([set]).collect::<Vec<_>>();
            (InstKind::Binary(BinaryOp::Xor, BinaryFlags::default()), operands)
        }
        (MaskOp::And, [first, second, ..]) => {
            (InstKind::Select(FastMath::NONE), vec![*first, *second, bit(editor, false)])
        }
        (MaskOp::Or, [first, second, ..]) => {
            (InstKind::Select(FastMath::NONE), vec![*first, bit(editor, true), *second])
        }
        (MaskOp::And | MaskOp::Or, rest) => (InstKind::Freeze, rest.to_vec()),
    };
    InstData::new(kind, Type::I1, operands, [])
}
