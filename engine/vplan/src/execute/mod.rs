//! Translates plans back to LLVM IR that executes one iteration after the other (VF = 1).
//!
//! Requires a plan that passes [`crate::verify`], and the body it was built from, unchanged except for the execution of
//! other plans of that body. Guarantees valid IR with the semantics of the plan, which replaces the original code.
//! Loops keep a preheader and a single latch where the plan has them; the caller must restore dedicated exits and LCSSA
//! form.
//!
//! Each block becomes an IR block. A block that is the only successor of its only predecessor is merged with it, so
//! splits made by massaging disappear unless they split phis. The block after the plan either has a single predecessor
//! in it, or is merged with the plan's last blocks if the plan is its only predecessor and these blocks contain only
//! phis.
//!
//! Blocks and values keep their names. Instructions keep their metadata. A branch keeps its metadata if it still
//! branches on the same condition, and loop metadata stays on the latch.
//!
//! | contents | file |
//! |---|---|
//! | merging of blocks; terminators; the code after the plan | this file |
//! | recipes as instructions | `recipes` |

mod recipes;
#[cfg(test)]
mod tests;

use crate::plan::{BlockId, Graph, PlanExit, RecipeId, VPValue, VPlan};
use backedge_analysis::cache::At;
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, EntitySet, Inst, SecondaryMap};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The context of a plan, recorded before it is executed.
#[derive(Clone, Debug)]
pub struct PlanContext {
    /// The blocks after the plan that also have predecessors outside it.
    shared: EntitySet<Block>,
    /// The names of IR blocks that the plan replaces.
    names: FxHashMap<Block, String>,
}

/// Records the context of `plan`, which was built from the code of `at`.
pub fn place(at: At<'_>, plan: &VPlan) -> PlanContext {
    let cfg = at.cfg();
    let own: EntitySet<Block> = plan.origin.blocks.iter().copied().collect();
    let is_shared = |to: &Block| cfg.preds(*to).iter().any(|pred| !own.contains(*pred));
    let shared = plan.exits.iter().map(|exit| exit.to).filter(is_shared).collect();
    let name = |block: &Block| Some((*block, at.body.block_name(*block)?.to_owned()));
    PlanContext { shared, names: plan.origin.blocks.iter().filter_map(name).collect() }
}

/// Replaces the code that `plan` was built from by the code of the plan.
pub fn execute(editor: &mut Editor<'_>, plan: &VPlan, place: &PlanContext) {
    let graph = Graph::new(plan);
    let mut executor = Executor {
        plan,
        place,
        graph: &graph,
        block_of: SecondaryMap::new(),
        ends: SecondaryMap::new(),
        values: SecondaryMap::new(),
        adopted: None,
        names: Vec::new(),
    };
    executor.detach_exits(editor);
    executor.make_blocks(editor);
    executor.make_phis(editor);
    executor.make_recipes(editor);
    executor.fill_phis(editor);
    executor.make_terminators(editor);
    executor.replace(editor);
}

struct Executor<'p> {
    plan: &'p VPlan,
    place: &'p PlanContext,
    graph: &'p Graph,
    /// The IR block that contains each block.
    block_of: SecondaryMap<BlockId, Option<Block>>,
    /// For the first block of each merged chain, the last one.
    ends: SecondaryMap<BlockId, Option<BlockId>>,
    values: SecondaryMap<RecipeId, Option<Value>>,
    /// The block after the plan that is merged with the plan's last blocks.
    adopted: Option<Block>,
    /// Names to assign to instructions once the previous owners of the names are removed.
    names: Vec<(Inst, Box<str>)>,
}

impl<'p> Executor<'p> {
    /// The first block of each merged chain, in reverse post-order.
    fn heads(&self) -> Vec<BlockId> {
        let is_head = |block: &BlockId| self.joins_pred(*block).is_none();
        self.graph.rpo().iter().copied().filter(is_head).collect()
    }
    /// The predecessor that `block` is merged with.
    fn joins_pred(&self, block: BlockId) -> Option<BlockId> {
        match self.plan.block(block).preds[..] {
            [pred] if self.plan.block(pred).succs.len() == 1 => Some(pred),
            _ => None,
        }
    }
    /// The chain of blocks merged with `head`, including it.
    fn chain(&self, head: BlockId) -> Vec<BlockId> {
        let mut chain = vec![head];
        let mut at = head;
        while let [next] = self.plan.block(at).succs[..]
            && self.joins_pred(next) == Some(at)
        {
            chain.push(next);
            at = next;
        }
        chain
    }

    /// Removes the phi entries for the replaced blocks in the blocks after the plan.
    fn detach_exits(&self, editor: &mut Editor<'_>) {
        let own: EntitySet<Block> = self.plan.origin.blocks.iter().copied().collect();
        for exit in &self.plan.exits {
            let phis: Vec<Inst> = editor.body().phis(exit.to).collect();
            for phi in phis {
                let blocks = editor.body().inst(phi).blocks.iter().copied();
                let gone: Vec<Block> = blocks.filter(|b| own.contains(*b)).collect();
                editor.remove_all_incoming(phi, &gone);
            }
        }
    }

    /// The block after the plan, if the blocks from `head` on can be merged with it: each of its phis must match one of
    /// theirs.
    fn adopts(&self, head: BlockId, chain: &[BlockId]) -> Option<&'p PlanExit> {
        let plan = self.plan;
        let [exit] = &plan.exits[..] else { return None };
        let is_phi = |r: &RecipeId| plan.recipe(*r).kind.is_phi();
        let mut phis: Vec<VPValue> = exit.phis.iter().map(|(_, value)| *value).collect();
        let is_head_phi =
            |v: &VPValue| matches!(v, VPValue::Def(r) if is_phi(r) && plan.recipe(*r).block == head);
        let fits = head != plan.entry()
            && !self.place.shared.contains(exit.to)
            && chain.iter().all(|block| plan.block(*block).recipes.iter().all(is_phi))
            && phis.iter().all(is_head_phi);
        let count = phis.len();
        phis.sort_unstable_by_key(|v| if let VPValue::Def(r) = v { Some(*r) } else { None });
        phis.dedup();
        (fits && phis.len() == count).then_some(exit)
    }

    fn make_blocks(&mut self, editor: &mut Editor<'_>) {
        for head in self.heads() {
            let chain = self.chain(head);
            let last = chain[chain.len() - 1];
            let block = if head == self.plan.entry() {
                self.plan.origin.preheader
            } else if last == self.plan.exit()
                && let Some(exit) = self.adopts(head, &chain)
            {
                self.adopted = Some(exit.to);
                for (phi, value) in &exit.phis {
                    if let VPValue::Def(recipe) = value {
                        self.values[*recipe] = Some((*phi).into());
                    }
                }
                exit.to
            } else {
                editor.add_block_before(self.plan.origin.header, None)
            };
            for &of in &chain {
                self.block_of[of] = Some(block);
            }
            self.ends[head] = Some(last);
        }
    }

    /// The IR block that contains `block`; every reachable block has one.
    fn block(&self, block: BlockId) -> Block {
        self.block_of[block].unwrap_or(self.plan.origin.preheader)
    }

    /// Emits terminators: the edges of each block, or the exits of the plan.
    fn make_terminators(&mut self, editor: &mut Editor<'_>) {
        for head in self.heads() {
            let last = self.ends[head].unwrap_or(head);
            let from = self.block(head);
            if last == self.plan.exit() {
                if self.adopted.is_none() {
                    self.leave(editor, from);
                }
                continue;
            }
            let succs: Vec<Block> = self.plan.block(last).succs.iter().map(|b| self.block(*b)).collect();
            let data = match (self.plan.condition_bit(last), &succs[..]) {
                (Some(bit), [set, clear]) => {
                    let bit = self.value(editor, bit);
                    InstData::new(InstKind::CondBr, Type::VOID, [bit], [*set, *clear])
                }
                (_, succs) => InstData::new(InstKind::Br, Type::VOID, [], succs.first().copied()),
            };
            let made = editor.set_terminator(from, data);
            self.attach(editor, last, made);
        }
    }

    /// Copies the attachments of the IR terminator that a new terminator represents.
    fn attach(&self, editor: &mut Editor<'_>, block: BlockId, made: Inst) {
        let plan = self.plan;
        let Some(of) = plan.block(block).terminator else { return };
        let goes_back = plan.block(block).succs.iter().any(|to| {
            self.graph.position(*to) <= self.graph.position(block) && self.graph.dominates(*to, block)
        });
        let then = editor.body().inst(of).clone();
        let is_same = match (plan.condition_bit(block), &then.kind) {
            (Some(VPValue::LiveIn(value)), InstKind::CondBr) => then.operands.first() == Some(&value),
            (Some(VPValue::Bit(bit)), InstKind::CondBr) => {
                let then = then.operands.first().and_then(|value| editor.body().as_int(*value));
                then.is_some_and(|then| then.is_zero() != bit)
            }
            (Some(VPValue::Def(recipe)), InstKind::CondBr) => {
                plan.recipe(recipe).kind.origin().map(Value::Inst) == then.operands.first().copied()
            }
            (None, InstKind::Br) => true,
            _ => false,
        };
        for (kind, md) in then.metadata {
            let keeps = match kind {
                MdKind::Loop => goes_back,
                _ => is_same,
            };
            if keeps {
                editor.set_metadata(made, kind, md);
            }
        }
    }

    /// Emits the exits of the plan in `from`: control goes to the first exit whose bit is set.
    fn leave(&mut self, editor: &mut Editor<'_>, from: Block) {
        let plan = self.plan;
        let mut at = from;
        for (index, exit) in plan.exits.iter().enumerate() {
            for (phi, value) in &exit.phis {
                let value = self.value(editor, *value);
                editor.add_incoming(*phi, value, at);
            }
            let when = exit.when.filter(|_| index + 1 < plan.exits.len());
            let Some(bit) = when else {
                editor.set_terminator(at, InstData::new(InstKind::Br, Type::VOID, [], [exit.to]));
                break;
            };
            let bit = self.value(editor, bit);
            // The last exit is taken if no bit is set.
            let rest = &plan.exits[index + 1..];
            let next = match rest {
                [last] if last.phis.is_empty() => last.to,
                _ => editor.add_block_before(plan.origin.header, Some("landing.next")),
            };
            let data = InstData::new(InstKind::CondBr, Type::VOID, [bit], [exit.to, next]);
            editor.set_terminator(at, data);
            if rest.len() == 1 && rest[0].phis.is_empty() {
                break;
            }
            at = next;
        }
    }

    /// Removes the replaced blocks and assigns the names of the new ones.
    fn replace(&mut self, editor: &mut Editor<'_>) {
        for &block in &self.plan.origin.blocks {
            editor.remove_block(block);
        }
        for head in self.heads() {
            let data = self.plan.block(head);
            let block = self.block(head);
            let is_new = head != self.plan.entry() && Some(block) != self.adopted;
            let name = match data.origin {
                Some(origin) => self.place.names.get(&origin).map(String::as_str),
                None => Some(&*data.label),
            };
            if let (true, Some(name)) = (is_new, name) {
                editor.set_block_name(block, name);
            }
        }
        for (inst, name) in std::mem::take(&mut self.names) {
            editor.set_name(inst, &name);
        }
    }
}
