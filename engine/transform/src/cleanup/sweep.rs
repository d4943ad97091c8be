//! Simplifies the instructions of a region until a fixed point, or a maximum number of rounds.
//!
//! A round has two parts. First a worklist applies the rules without analyses; each replacement is made immediately,
//! and its users are visited again. Then the rules with analyses: all results are collected first, and then applied
//! together. This is sound because each result refines the value in the original body, and other replacements are
//! refinements too: where an operand is no longer poison, its users were poison before.
//!
//! Guarantees: LCSSA form is kept (a phi of an exit block is not replaced by a value of the loop); the CFG does not
//! change; only instructions of the region are removed. Each replacement dominates the replaced instruction, so
//! replacements form no cycles; unreachable blocks, where they might, are skipped.

use super::dead::{is_dead, is_removable, remove_dead};
use super::remarks::Swept;
use super::simplify::{Simple, known, simplify};
use crate::pass::Unit;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;

/// Maximum number of rounds with analyses, which are recomputed for each round. Stopping early is correct.
const ROUNDS: usize = 4;

/// Simplifies the instructions of the reachable blocks of `blocks`.
pub fn simplify_blocks(unit: &mut Unit<'_>, blocks: &[Block]) -> Swept {
    let shape = unit.shape();
    let in_region: EntitySet<Block> = blocks.iter().copied().collect();
    let ordered: Vec<Block> = shape
        .cfg
        .rpo()
        .iter()
        .copied()
        .filter(|b| in_region.contains(*b) && unit.body().has_block(*b))
        .collect();
    let mut sweep = Sweep { shape: &shape, in_region, done: Swept::default(), work: Vec::new() };
    sweep.look_at_all(unit.body(), &ordered);
    for _ in 0..ROUNDS {
        let (env, mut editor) = unit.env_and_editor();
        sweep.by_rules(env, &mut editor, &ordered);
        let found = sweep.ask(unit, &ordered);
        if found.is_empty() {
            break;
        }
        let (env, mut editor) = unit.env_and_editor();
        sweep.apply(env, &mut editor, found);
        // Rules also match operands of operands.
        sweep.look_at_all(editor.body(), &ordered);
    }
    let (env, mut editor) = unit.env_and_editor();
    sweep.by_rules(env, &mut editor, &ordered);
    sweep.done.removed += remove_dead(env, &mut editor, &ordered);
    sweep.done
}

struct Sweep<'s> {
    shape: &'s Shape,
    in_region: EntitySet<Block>,
    done: Swept,
    /// The worklist; the last entry is visited first.
    work: Vec<Inst>,
}

impl Sweep<'_> {
    fn is_inside(&self, body: &Body, inst: Inst) -> bool {
        body.block_of(inst).is_some_and(|b| self.in_region.contains(b) && self.shape.cfg.is_reachable(b))
    }
    fn look_at_all(&mut self, body: &Body, blocks: &[Block]) {
        self.work = blocks.iter().rev().flat_map(|b| body.insts(*b).iter().rev().copied()).collect();
    }
    /// Applies the rules to the worklist; then, since rules also match operands of operands, to everything until
    /// nothing is replaced.
    fn by_rules(&mut self, env: &Env, editor: &mut Editor<'_>, blocks: &[Block]) {
        loop {
            let before = self.done.replaced;
            self.by_rules_once(env, editor);
            if self.done.replaced == before {
                return;
            }
            self.look_at_all(editor.body(), blocks);
        }
    }
    fn by_rules_once(&mut self, env: &Env, editor: &mut Editor<'_>) {
        while let Some(inst) = self.work.pop() {
            if !self.is_inside(editor.body(), inst) {
                continue;
            }
            if is_dead(env, editor.body(), inst) {
                self.remove(editor, inst);
                self.done.removed += 1;
            } else if has_uses(editor.body(), inst)
                && let Some(found) = simplify(env, editor.body(), inst)
                && self.keeps_lcssa(editor.body(), inst, found)
            {
                let value = found.into_value(editor);
                self.replace(env, editor, inst, value);
            }
        }
    }
    /// The replacements found by the analyses, in block order.
    fn ask(&self, unit: &Unit<'_>, blocks: &[Block]) -> Vec<(Inst, Simple)> {
        let at = unit.at();
        let insts = blocks.iter().flat_map(|b| at.body.insts(*b)).copied();
        insts
            .filter(|i| has_uses(at.body, *i))
            .filter_map(|i| known::simplify(at, i).map(|found| (i, found)))
            .filter(|(i, found)| self.keeps_lcssa(at.body, *i, *found))
            .collect()
    }
    fn apply(&mut self, env: &Env, editor: &mut Editor<'_>, found: Vec<(Inst, Simple)>) {
        let mut replaced: FxHashMap<Inst, Value> = FxHashMap::default();
        for (inst, simple) in found {
            let mut value = simple.into_value(editor);
            while let Some(next) = value.as_inst().and_then(|i| replaced.get(&i)) {
                value = *next;
            }
            replaced.insert(inst, value);
            self.replace(env, editor, inst, value);
        }
    }
    fn replace(&mut self, env: &Env, editor: &mut Editor<'_>, inst: Inst, value: Value) {
        self.work.extend(editor.body().uses(inst.into()).iter().map(|u| u.user));
        editor.replace_uses(inst.into(), value);
        self.done.replaced += 1;
        if is_removable(env, editor.body(), inst) {
            self.remove(editor, inst);
        }
    }
    fn remove(&mut self, editor: &mut Editor<'_>, inst: Inst) {
        self.work.extend(editor.body().inst(inst).operands.iter().filter_map(|v| v.as_inst()));
        editor.remove(inst);
    }
    /// Whether `found` may replace `inst`: a value of a loop must not get uses outside it.
    fn keeps_lcssa(&self, body: &Body, inst: Inst, found: Simple) -> bool {
        let Simple::Value(Value::Inst(by)) = found else { return true };
        let (Some(from), Some(to)) = (body.block_of(inst), body.block_of(by)) else { return false };
        self.shape.loops.innermost(to).is_none_or(|l| self.shape.loops.contains(l, from))
    }
}

fn has_uses(body: &Body, inst: Inst) -> bool {
    body.code_uses(inst.into()).next().is_some()
}
