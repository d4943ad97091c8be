//! The version of memory at an instruction, identified by the write that created it. Each write creates a version from
//! the previous one, and a block where several versions meet has its own version, like a phi.

use backedge_ir::attr::{MemoryEffects, ModRef};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{CallView, InstKind};
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// A version of memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum State {
    /// The version at the function's entry.
    Entry,
    /// The version that a write creates.
    Written(Inst),
    /// The version that is merged at the start of a block.
    Joined(Block),
}

/// The versions of a function's memory.
pub(super) struct Versions {
    /// The version before each instruction that reads or writes memory.
    before: FxHashMap<Inst, State>,
    /// The versions at the start and at the end of each block.
    start: FxHashMap<Block, State>,
    after: FxHashMap<Block, State>,
    joined: EntitySet<Block>,
}

impl Versions {
    pub(super) fn new(env: &Env, body: &Body, cfg: &Cfg, dominators: &Dominators) -> Self {
        let joined = joins(env, body, cfg, dominators);
        let [start, after] = [FxHashMap::default(), FxHashMap::default()];
        let mut versions = Self { before: FxHashMap::default(), start, after, joined };
        for &block in cfg.rpo() {
            // A block without a version of its own has that of its immediate dominator.
            let above = dominators.idom(block).and_then(|above| versions.after.get(&above).copied());
            let mut state = match versions.joined.contains(block) {
                true => State::Joined(block),
                false => above.unwrap_or(State::Entry),
            };
            versions.start.insert(block, state);
            for &inst in body.insts(block) {
                let (reads, writes) = (reads(env, body, inst), writes(env, body, inst));
                if reads || writes {
                    versions.before.insert(inst, state);
                }
                state = if writes { State::Written(inst) } else { state };
            }
            versions.after.insert(block, state);
        }
        versions
    }
    /// The version before an instruction that reads or writes memory.
    pub(super) fn before(&self, inst: Inst) -> Option<State> {
        self.before.get(&inst).copied()
    }
    /// The version at any instruction.
    pub(super) fn at(&self, env: &Env, body: &Body, inst: Inst) -> State {
        let block = body.block_of(inst);
        let start = block.and_then(|block| self.start.get(&block).copied()).unwrap_or(State::Entry);
        let earlier =
            block.into_iter().flat_map(|block| body.insts(block)).take_while(|other| **other != inst);
        earlier
            .filter(|other| writes(env, body, **other))
            .last()
            .map_or(start, |write| State::Written(*write))
    }
    /// The version at the end of a block.
    pub(super) fn after(&self, block: Block) -> State {
        self.after.get(&block).copied().unwrap_or(State::Entry)
    }
    /// The blocks with a version of their own.
    pub(super) fn joined_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.joined.iter()
    }
}

/// The blocks where versions meet: the iterated dominance frontier of the blocks that write.
fn joins(env: &Env, body: &Body, cfg: &Cfg, dominators: &Dominators) -> EntitySet<Block> {
    let is_writing = |block: &Block| body.insts(*block).iter().any(|inst| writes(env, body, *inst));
    let mut work: Vec<Block> = cfg.rpo().iter().copied().filter(is_writing).collect();
    let mut frontier: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for &block in cfg.rpo() {
        for &pred in cfg.preds(block).iter().filter(|pred| dominators.is_reachable(**pred)) {
            let mut at = Some(pred);
            while let Some(here) = at.filter(|here| !dominators.strictly_dominates(*here, block)) {
                frontier.entry(here).or_default().push(block);
                at = dominators.idom(here);
            }
        }
    }
    let mut found: EntitySet<Block> = EntitySet::new();
    while let Some(block) = work.pop() {
        for &join in frontier.get(&block).into_iter().flatten() {
            if found.insert(join) {
                work.push(join);
            }
        }
    }
    found
}

/// Whether `inst` may change memory or the results of later queries. A volatile or atomic access does.
pub(super) fn writes(env: &Env, body: &Body, inst: Inst) -> bool {
    match &body.inst(inst).kind {
        InstKind::Store(_)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_)
        | InstKind::Fence(..)
        | InstKind::VaArg
        | InstKind::LandingPad { .. } => true,
        InstKind::Load(access) => access.volatile || access.ordering.is_some(),
        _ => effects_of_call(env, body, inst).writes,
    }
}

/// The effect of a call on memory, from the attributes of the call and its callee; none if `inst` is no call.
pub(super) fn effects_of_call(env: &Env, body: &Body, inst: Inst) -> ModRef {
    let Some(call) = body.inst(inst).call() else { return ModRef::NONE };
    let callee = body.called_function(call.callee()).map(|func| &env.funcs[func]);
    if let Some(intrinsic) = callee.and_then(|func| func.intrinsic) {
        let memory = intrinsic.facts().memory;
        // A repeated query may get another answer. An intrinsic without a result only changes other memory.
        let own = match body.inst(inst).ty == Type::VOID {
            true => [memory.argmem, memory.other],
            false => [memory.any(); 2],
        };
        let (reads, writes) = (own.iter().any(|m| m.reads), own.iter().any(|m| m.writes));
        return if is_volatile(body, call) { ModRef::READ_WRITE } else { ModRef { reads, writes } };
    }
    let lists = [Some(&call.info.fn_attrs), callee.map(|func| &func.attrs)];
    let stated = lists.into_iter().flatten().filter_map(|list| env.memory_effects(list));
    stated.reduce(MemoryEffects::intersect).map_or(ModRef::READ_WRITE, MemoryEffects::any)
}

/// Whether a memory intrinsic that copies or fills is volatile.
pub(super) fn is_volatile(body: &Body, call: CallView<'_>) -> bool {
    let last = call.args().last().and_then(|value| body.as_int(*value));
    call.args().len() == 4 && last.is_some_and(|flag| flag.width() == 1 && !flag.is_zero())
}

fn reads(env: &Env, body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).kind, InstKind::Load(_)) || effects_of_call(env, body, inst).reads
}
