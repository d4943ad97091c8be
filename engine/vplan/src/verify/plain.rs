//! The plain CFG, and the SSA rules for the values of the plan.

use super::Problem;
use crate::plan::{BlockId, Graph, Recipe, RecipeId, VPValue, VPlan};
use backedge_ir::body::Body;
use backedge_ir::entity::SecondaryMap;
use backedge_ir::types::Type;

/// The problems of the blocks, edges and recipes of `plan`, which was built from `body`.
pub fn plain(plan: &VPlan, body: &Body) -> Vec<Problem> {
    let mut problems = Vec::new();
    edges(plan, &mut problems);
    // The further checks need consistent edges.
    if problems.is_empty() {
        let checker = Checker::new(plan, body);
        checker.flow(&mut problems);
        plan.blocks().for_each(|block| checker.block(block, &mut problems));
        checker.exits(&mut problems);
    }
    problems
}

fn edges(plan: &VPlan, problems: &mut Vec<Problem>) {
    let count = |list: &[BlockId], of: BlockId| list.iter().filter(|b| **b == of).count();
    for block in plan.blocks() {
        for &to in &plan.block(block).succs {
            let known = to < plan.blocks.next_key() && count(&plan.block(to).preds, block) == 1;
            if !known || count(&plan.block(block).succs, to) != 1 {
                problems.push(Problem::Edge(block, to));
            }
        }
        for &from in &plan.block(block).preds {
            if from >= plan.blocks.next_key() || count(&plan.block(from).succs, block) != 1 {
                problems.push(Problem::Edge(from, block));
            }
        }
    }
}

struct Checker<'p> {
    plan: &'p VPlan,
    body: &'p Body,
    graph: Graph,
    /// The index of a recipe in its block; `None` if no block lists it.
    position: SecondaryMap<RecipeId, Option<u32>>,
}

impl<'p> Checker<'p> {
    fn new(plan: &'p VPlan, body: &'p Body) -> Self {
        let mut position = SecondaryMap::new();
        for block in plan.blocks() {
            for (at, &recipe) in (0..).zip(&plan.block(block).recipes) {
                position[recipe] = Some(at);
            }
        }
        Self { plan, body, graph: Graph::new(plan), position }
    }

    fn flow(&self, problems: &mut Vec<Problem>) {
        let plan = self.plan;
        if !plan.block(plan.entry()).preds.is_empty() {
            problems.push(Problem::Entry(plan.entry()));
        }
        for block in plan.blocks() {
            if !self.graph.is_reachable(block) {
                problems.push(Problem::Unreachable(block));
            }
            if plan.block(block).succs.is_empty() != (block == plan.exit()) {
                problems.push(Problem::DeadEnd(block));
            }
            for &to in &plan.block(block).succs {
                if self.graph.position(to) <= self.graph.position(block) && !self.graph.dominates(to, block) {
                    problems.push(Problem::Irreducible(block, to));
                }
            }
        }
    }

    fn block(&self, block: BlockId, problems: &mut Vec<Problem>) {
        let data = self.plan.block(block);
        let is_bit = |r: &RecipeId| matches!(self.plan.recipe(*r).kind, Recipe::ConditionBit { .. });
        let bits = data.recipes.iter().filter(|r| is_bit(r)).count();
        let wanted = match data.succs.len() {
            0 | 1 => 0,
            2 => 1,
            _ => usize::MAX,
        };
        if bits != wanted || bits == 1 && !data.recipes.last().is_some_and(is_bit) {
            problems.push(Problem::ConditionBit(block));
        }
        let heads = self.plan.phis(block).count() as u32;
        for (at, &recipe) in (0..).zip(&data.recipes) {
            let of = self.plan.recipe(recipe);
            let is_after = of.kind.is_phi() && at >= heads;
            if of.block != block || self.position[recipe] != Some(at) || is_after {
                problems.push(Problem::Place(recipe));
            }
            self.operands(block, recipe, problems);
            if !self.types_fit(recipe) {
                problems.push(Problem::Type(recipe));
            }
        }
    }

    fn operands(&self, block: BlockId, recipe: RecipeId, problems: &mut Vec<Problem>) {
        let kind = &self.plan.recipe(recipe).kind;
        if let Recipe::Phi { incoming, .. } = kind {
            let mut from: Vec<BlockId> = incoming.iter().map(|(from, _)| *from).collect();
            let mut preds = self.plan.block(block).preds.to_vec();
            from.sort_unstable();
            preds.sort_unstable();
            if from != preds {
                problems.push(Problem::Incoming(recipe));
            }
            for (index, (from, value)) in incoming.iter().enumerate() {
                if *from < self.plan.blocks.next_key() && !self.is_defined_at_end(*value, *from) {
                    problems.push(Problem::NotDefined(recipe, index));
                }
            }
            return;
        }
        for (index, value) in kind.operands().into_iter().enumerate() {
            let is_defined = match value {
                VPValue::Def(def) if self.defines(def) && self.plan.recipe(def).block == block => {
                    self.position[def] < self.position[recipe]
                }
                other => self.is_defined_at_end(other, block),
            };
            if !is_defined {
                problems.push(Problem::NotDefined(recipe, index));
            }
        }
    }
    /// Whether a recipe is in a block of the plan and has a value.
    fn defines(&self, recipe: RecipeId) -> bool {
        recipe < self.plan.recipes.next_key()
            && self.position[recipe].is_some()
            && self.plan.recipe(recipe).ty != Type::VOID
    }
    fn is_defined_at_end(&self, value: VPValue, block: BlockId) -> bool {
        match value {
            VPValue::Def(def) => {
                self.defines(def) && self.graph.dominates(self.plan.recipe(def).block, block)
            }
            VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => true,
        }
    }

    fn ty(&self, value: VPValue) -> Option<Type> {
        match value {
            VPValue::Def(def) if !self.defines(def) => None,
            other => Some(self.plan.ty(self.body, other)),
        }
    }
    fn types_fit(&self, recipe: RecipeId) -> bool {
        let of = self.plan.recipe(recipe);
        let is = |value: VPValue, ty: Type| self.ty(value) == Some(ty);
        match &of.kind {
            Recipe::VectorizeOneByOne { inst, operands } => {
                let data = self.body.inst(*inst);
                of.ty == data.ty
                    && operands.len() == data.operands.len()
                    && operands.iter().zip(&data.operands).all(|(a, b)| is(*a, self.body.ty(*b)))
            }
            Recipe::ConditionBit { condition } => of.ty == Type::VOID && is(*condition, Type::I1),
            Recipe::Phi { incoming, .. } => incoming.iter().all(|(_, value)| is(*value, of.ty)),
            Recipe::IsCase { value, case, .. } => of.ty == Type::I1 && self.ty(*value) == self.ty(*case),
            Recipe::Blend { mask, set, clear } => is(*mask, Type::I1) && is(*set, of.ty) && is(*clear, of.ty),
            Recipe::Mask { op, operands } => {
                of.ty == Type::I1
                    && operands.len() == op.arity()
                    && operands.iter().all(|value| is(*value, Type::I1))
            }
            Recipe::AnyLane { bits } => of.ty == Type::I1 && is(*bits, Type::I1),
        }
    }

    fn exits(&self, problems: &mut Vec<Problem>) {
        let exits = &self.plan.exits;
        for (index, exit) in exits.iter().enumerate() {
            let is_there = |value: VPValue| self.is_defined_at_end(value, self.plan.exit());
            let is_last = index + 1 == exits.len();
            let bit_fits =
                exit.when.map_or(is_last, |bit| !is_last && is_there(bit) && self.ty(bit) == Some(Type::I1));
            let phis_fit = exit
                .phis
                .iter()
                .all(|(phi, value)| is_there(*value) && self.ty(*value) == Some(self.body.inst(*phi).ty));
            if !bit_fits || !phis_fit {
                problems.push(Problem::PlanExit(index));
            }
        }
        if exits.is_empty() {
            problems.push(Problem::PlanExit(0));
        }
    }
}
