//! `early-cse`: removes repeated computations, loads and stores.
//!
//! | found | condition | replaced by |
//! |---|---|---|
//! | a pure instruction, or a call without effects | an equal one dominates it | the equal one |
//! | a load | no write since a load or store of the same type at the same address | the known value |
//! | a store | memory holds the value already, in the same sense | nothing |
//! | a store | a later store of the block overwrites it, and nothing in between can observe it | nothing |
//!
//! One walk over the dominator tree. Known memory contents are kept along blocks with one predecessor and dropped at
//! joins, so they all refer to the same iteration of every loop. Two equal instructions may have different flags or
//! metadata (`nsw`, `!range`): the remaining one keeps those common to both. Alias queries use the pointer operands
//! of the accesses themselves, whose flags and attributes hold at these accesses.
//!
//! Guarantees: the CFG does not change; LCSSA form is kept, since a value of a loop gets no new uses outside it.

mod key;
mod memory;

use crate::pass::{FunctionPass, Unit};
use crate::shape::Shape;
use backedge_analysis::cache::At;
use backedge_analysis::effects::{effects_of_call, may_access_memory, may_change_at_suspension};
use backedge_analysis::must_execute::{call_ends, call_has};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::TailKind;
use backedge_ir::types::Type;
use key::Key;
use memory::{Fate, Memory};
use rustc_hash::FxHashMap;

/// The pass's name.
pub const NAME: &str = "early-cse";
/// Maximum number of memory accesses examined in a function: bounds the time of comparing them with tracked values.
/// Afterwards memory contents are unknown.
const MOST_ACCESSES: usize = 4_000;

/// The pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct EarlyCse {
    /// `memssa`, accepted as in LLVM's pass. It has no effect: clobbers are queried for each access either way.
    pub memssa: bool,
}

impl FunctionPass for EarlyCse {
    fn text(&self) -> String {
        if self.memssa { format!("{NAME}<memssa>") } else { NAME.to_owned() }
    }
    fn run(&self, unit: &mut Unit<'_>) {
        run_on(unit, None);
    }
}

/// The edits, collected on the unchanged body and applied together.
#[derive(Debug, Default)]
struct Plan {
    /// Replacement values of redundant instructions.
    replaced: FxHashMap<Inst, Value>,
    /// Instructions to remove, including replaced ones, in the order of the walk.
    removed: Vec<Inst>,
    /// Instructions that replace others, whose flags may have to be dropped.
    kept_for: Vec<(Inst, Inst)>,
}

/// Removes redundancies in `blocks`, or in the whole function; returns the number of removed instructions.
pub fn run_on(unit: &mut Unit<'_>, blocks: Option<&[Block]>) -> usize {
    let shape = unit.shape();
    let only = blocks.map(|list| list.iter().copied().collect::<EntitySet<Block>>());
    let plan = {
        let mut walk = Walk::new(unit.at(), &shape, only);
        walk.run();
        walk.plan
    };
    let mut editor = unit.editor();
    for (kept, other) in plan.kept_for {
        key::intersect_flags(&mut editor, kept, other);
    }
    for inst in &plan.removed {
        if let Some(value) = plan.replaced.get(inst) {
            editor.replace_uses((*inst).into(), *value);
        }
    }
    // Users are removed before their operands: the walk visited them in the opposite order.
    for inst in plan.removed.iter().rev() {
        editor.remove(*inst);
    }
    plan.removed.len()
}

enum Step {
    Enter(Block),
    /// Drops this many computed values, those of a subtree.
    Leave(usize),
}

struct Walk<'a> {
    at: At<'a>,
    shape: &'a Shape,
    only: Option<EntitySet<Block>>,
    computed: FxHashMap<Key, Vec<Inst>>,
    /// The keys of computed values, in order.
    trail: Vec<Key>,
    /// Known memory contents at the end of blocks whose successors may continue with them.
    ends: FxHashMap<Block, Memory>,
    accesses: usize,
    plan: Plan,
}

impl<'a> Walk<'a> {
    fn new(at: At<'a>, shape: &'a Shape, only: Option<EntitySet<Block>>) -> Self {
        Self {
            at,
            shape,
            only,
            computed: FxHashMap::default(),
            trail: Vec::new(),
            ends: FxHashMap::default(),
            accesses: 0,
            plan: Plan::default(),
        }
    }
    fn run(&mut self) {
        let mut steps: Vec<Step> = self.at.body.entry().map(Step::Enter).into_iter().collect();
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave(length) => {
                    for key in self.trail.drain(length..).rev() {
                        if let Some(of) = self.computed.get_mut(&key) {
                            of.pop();
                        }
                    }
                }
                Step::Enter(block) => {
                    steps.push(Step::Leave(self.trail.len()));
                    self.block(block);
                    let below = self.shape.dominators.children(block).iter().rev();
                    steps.extend(below.map(|b| Step::Enter(*b)));
                }
            }
        }
    }
    fn block(&mut self, block: Block) {
        if self.only.as_ref().is_some_and(|only| !only.contains(block)) {
            return;
        }
        let mut memory = match self.shape.cfg.preds(block) {
            [one] => self.ends.get(one).cloned().unwrap_or_default(),
            _ => Memory::default(),
        };
        for &inst in self.at.body.insts(block) {
            if self.computes(inst) {
                self.repeated(inst);
            } else {
                self.access(&mut memory, inst);
            }
        }
        memory.leave_block();
        if self.at.body.successors(block).iter().any(|b| self.shape.cfg.preds(*b).len() == 1) {
            self.ends.insert(block, memory);
        }
    }
    /// Whether `inst` is a pure computation of its operands (or may be treated as one).
    fn computes(&self, inst: Inst) -> bool {
        let At { env, body, .. } = self.at;
        let data = body.inst(inst);
        let InstKind::Call(info) = &data.kind else { return data.kind.is_pure() };
        data.call().is_some_and(|call| {
            let effects = effects_of_call(env, body, call).any();
            data.ty != Type::VOID
                && data.ty != Type::TOKEN
                && info.tail != TailKind::MustTail
                && info.bundles.is_empty()
                && !effects.reads
                && !effects.writes
                && call_ends(env, body, call) == (true, true)
                && !may_change_at_suspension(self.at, call)
                && ![FlagAttr::Convergent, FlagAttr::NoDuplicate, FlagAttr::NoMerge, FlagAttr::StrictFp]
                    .iter()
                    .any(|flag| call_has(env, body, call, *flag))
        })
    }
    fn repeated(&mut self, inst: Inst) {
        let key = Key::of(self.at.body, inst, |v| self.leader(v));
        let earlier = self
            .computed
            .get(&key)
            .and_then(|of| of.iter().rev().find(|e| self.may_replace_uses((**e).into(), inst)));
        match earlier {
            Some(&earlier) => {
                self.plan.kept_for.push((earlier, inst));
                self.replace(inst, earlier.into());
            }
            None => {
                self.computed.entry(key.clone()).or_default().push(inst);
                self.trail.push(key);
            }
        }
    }
    fn access(&mut self, memory: &mut Memory, inst: Inst) {
        if !may_access_memory(self.at.env, self.at.body, inst) {
            memory.pass(self.at, inst);
            return;
        }
        self.accesses += 1;
        if self.accesses > MOST_ACCESSES {
            *memory = Memory::default();
            return;
        }
        match memory.meet(self.at, inst, |v| self.leader(v), |v| self.may_replace_uses(v, inst)) {
            Fate::Stays => {}
            Fate::Known { value, by } => {
                self.plan.kept_for.extend(by.map(|by| (by, inst)));
                self.replace(inst, value);
            }
            Fate::There => self.plan.removed.push(inst),
            Fate::Overwrites(earlier) => self.plan.removed.extend(earlier),
        }
    }
    fn replace(&mut self, inst: Inst, value: Value) {
        self.plan.replaced.insert(inst, value);
        self.plan.removed.push(inst);
    }
    /// The representative of `value`.
    fn leader(&self, value: Value) -> Value {
        value.as_inst().and_then(|i| self.plan.replaced.get(&i)).copied().unwrap_or(value)
    }
    /// Whether `value` may replace `inst`: a value of a loop must not get uses outside it.
    fn may_replace_uses(&self, value: Value, inst: Inst) -> bool {
        let Value::Inst(by) = value else { return true };
        let (Some(from), Some(to)) = (self.at.body.block_of(inst), self.at.body.block_of(by)) else {
            return false;
        };
        self.shape.loops.innermost(to).is_none_or(|l| self.shape.loops.contains(l, from))
    }
}
