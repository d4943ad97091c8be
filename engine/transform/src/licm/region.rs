//! Facts about the loop as a whole: which instructions are certainly executed, what is observable before them, and
//! which memory is written.
//!
//! - *Sure*: whenever the loop is entered, the instruction is executed, and nothing observable precedes it in the
//!   first iteration. So its UB may be moved to the preheader, since no observable effect precedes it. It is executed
//!   in every iteration (`must_execute`), or on the path that the first iteration certainly takes ([`super::first`]).
//! - *Unwritten*: no instruction of the loop writes to a location, in any pair of iterations. Each query checks all
//!   writers; the numbers of queries and of writers are limited.

use super::Licm;
use super::movable::is_observable;
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations, MemoryLocation};
use backedge_analysis::cache::{At, Fresh};
use backedge_analysis::effects::{effects_of_call, may_access_memory};
use backedge_analysis::must_execute::{MustExecute, called_intrinsic};
use backedge_analysis::order::Order;
use backedge_analysis::{Cfg, LoopForest, LoopId};
use backedge_ir::attr::ModRef;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, MemAccess, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::AtomicOrdering;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};

/// Maximum number of writers of a loop checked for one location: the number of checks is the product of locations and
/// writers. Beyond it the location may be written.
pub(super) const MAX_WRITERS: usize = 250;

/// One loop and its cached facts.
pub(super) struct Region<'a> {
    pub(super) at: At<'a>,
    pub(super) l: LoopId,
    pub(super) loops: Fresh<'a, LoopForest>,
    pub(super) order: Fresh<'a, Order>,
    pub(super) aliasing: Aliasing<'a>,
    /// The preheader, which runs whenever the loop is entered.
    pub(super) preheader: Block,
    /// Instructions that may access memory.
    pub(super) accesses: Vec<Inst>,
    pub(super) cfg: Fresh<'a, Cfg>,
    executed: OnceCell<MustExecute>,
    shown: OnceCell<Shown>,
    pub(super) first_way: OnceCell<FirstWay>,
    written: RefCell<FxHashMap<MemoryLocation, Writes>>,
    questions: Cell<u32>,
}

/// The loop's effect on a location.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Writes {
    /// It does not write to it.
    No,
    /// It may write to it.
    May,
    /// A limit was reached.
    TooMany,
}

/// Where something observable may have happened earlier in the iteration.
struct Shown {
    /// Blocks at whose start it may have happened.
    at_head: EntitySet<Block>,
    /// The first observable instruction of a block.
    first: FxHashMap<Block, Inst>,
}

impl<'a> Region<'a> {
    /// The loop `l` with the preheader `preheader`.
    pub(super) fn new(at: At<'a>, l: LoopId, preheader: Block, options: Licm) -> Self {
        let loops = at.loops();
        let insts = loops.blocks(l).iter().flat_map(|b| at.body.insts(*b)).copied();
        let accesses = insts.filter(|i| may_access_memory(at.env, at.body, *i)).collect();
        Self {
            at,
            l,
            order: at.get(),
            aliasing: Aliasing::new(at),
            preheader,
            accesses,
            cfg: at.cfg(),
            loops,
            executed: OnceCell::new(),
            shown: OnceCell::new(),
            first_way: OnceCell::new(),
            written: RefCell::default(),
            questions: Cell::new(options.mssa_optimization_cap),
        }
    }
    /// The blocks of the loop that are not in a nested loop, in reverse post-order.
    pub(super) fn own_blocks(&self) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.loops.own_blocks(self.l)
    }
    /// The terminator of the preheader.
    pub(super) fn entering(&self) -> Option<Inst> {
        self.at.body.terminator(self.preheader)
    }
    /// The instructions executed in each iteration.
    pub(super) fn executed(&self) -> &MustExecute {
        self.executed.get_or_init(|| MustExecute::of_loop(self.at, self.l))
    }
    /// Whether `inst` is executed in each iteration.
    pub(super) fn is_executed(&self, inst: Inst) -> bool {
        self.executed().contains(self.at.body, &self.order, inst)
    }
    /// Whether `inst` is executed in the first iteration.
    pub(super) fn is_executed_first(&self, inst: Inst) -> bool {
        self.is_executed(inst) || self.is_on_first_way(inst)
    }
    /// Whether `inst` is executed in the first iteration, and nothing observable happens before it.
    pub(super) fn is_sure(&self, inst: Inst) -> bool {
        self.is_executed(inst) && !self.follows_observable(inst) || self.is_on_first_way(inst)
    }
    fn follows_observable(&self, inst: Inst) -> bool {
        let shown = self.shown.get_or_init(|| self.find_shown());
        self.at.body.block_of(inst).is_none_or(|block| {
            let first = shown.first.get(&block);
            shown.at_head.contains(block)
                || first.is_some_and(|f| self.order.position(*f) < self.order.position(inst))
        })
    }
    /// Propagates from all observable instructions to the end of the iteration.
    fn find_shown(&self) -> Shown {
        let (header, body) = (self.loops.header(self.l), self.at.body);
        let mut first = FxHashMap::default();
        let mut work = Vec::new();
        for &block in self.loops.blocks(self.l) {
            if let Some(inst) = body.insts(block).iter().find(|i| is_observable(self.at, **i)) {
                first.insert(block, *inst);
                work.push(block);
            }
        }
        let mut at_head = EntitySet::new();
        while let Some(block) = work.pop() {
            for &next in self.cfg.succs(block) {
                if next != header && self.loops.contains(self.l, next) && at_head.insert(next) {
                    work.push(next);
                }
            }
        }
        Shown { at_head, first }
    }
    /// Whether the loop's latch is exiting.
    pub(super) fn is_rotated(&self) -> bool {
        self.loops.is_rotated(&self.cfg, self.l)
    }
    /// Whether the loop's exit blocks have no predecessors outside the loop.
    pub(super) fn has_dedicated_exits(&self) -> bool {
        self.loops.has_dedicated_exits(&self.cfg, self.l)
    }
    /// The exiting blocks of the loop.
    pub(super) fn exiting_blocks(&self) -> Vec<Block> {
        self.loops.exiting_blocks(&self.cfg, self.l)
    }
    /// Whether `value` is defined outside the loop.
    pub(super) fn is_invariant(&self, value: Value) -> bool {
        self.loops.is_invariant(self.at.body, self.l, value)
    }

    /// Whether the loop writes to `location`.
    pub(super) fn writes(&self, location: MemoryLocation) -> Writes {
        if let Some(known) = self.written.borrow().get(&location) {
            return *known;
        }
        let writes = self.written_by(location, self.writers());
        self.written.borrow_mut().insert(location, writes);
        writes
    }
    /// Whether the loop writes to `location` after `inst`, up to the end of the iteration.
    pub(super) fn writes_after(&self, location: MemoryLocation, inst: Inst) -> Writes {
        let Some(start) = self.at.body.block_of(inst) else { return Writes::May };
        let header = self.loops.header(self.l);
        let mut after = EntitySet::new();
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            let next = self.cfg.succs(block).iter().copied();
            let next = next.filter(|b| *b != header && self.loops.contains(self.l, *b));
            work.extend(next.filter(|b| after.insert(*b)));
        }
        let is_after = |i: &Inst| {
            self.at.body.block_of(*i).is_some_and(|b| after.contains(b))
                || self.order.comes_before(self.at.body, inst, *i)
        };
        self.written_by(location, self.writers().filter(is_after))
    }
    fn written_by(&self, location: MemoryLocation, writers: impl Iterator<Item = Inst>) -> Writes {
        let mut writers = writers.peekable();
        if writers.peek().is_none() {
            return Writes::No;
        }
        let Some(left) = self.questions.get().checked_sub(1) else { return Writes::TooMany };
        self.questions.set(left);
        for (asked, writer) in writers.enumerate() {
            if asked == MAX_WRITERS {
                return Writes::TooMany;
            }
            if self.effect(writer, location).writes {
                return Writes::May;
            }
        }
        Writes::No
    }
    /// The effect of `inst` on `location`, in any pair of iterations. An access that orders only its own location
    /// affects only that location, even if it is volatile.
    pub(super) fn effect(&self, inst: Inst, location: MemoryLocation) -> ModRef {
        let iterations = Iterations::Any(self.l);
        let own = |effect: ModRef| {
            let own = MemoryLocation::of_access(self.at, inst);
            let result = own.map(|own| self.aliasing.alias(own, location, iterations, Some(inst)));
            if result == Some(AliasResult::NoAlias) { ModRef::NONE } else { effect }
        };
        match &self.at.body.inst(inst).kind {
            InstKind::Load(access) if is_relaxed(access) && access.volatile => own(ModRef::READ),
            InstKind::Store(access) if is_relaxed(access) && access.volatile => own(ModRef::WRITE),
            InstKind::Load(access) if is_relaxed(access) && access.ordering.is_some() => own(ModRef::READ),
            InstKind::Store(access) if is_relaxed(access) && access.ordering.is_some() => own(ModRef::WRITE),
            InstKind::AtomicRmw(_, access) if is_relaxed(access) => own(ModRef::READ_WRITE),
            _ => self.aliasing.mod_ref(inst, location, iterations),
        }
    }
    /// Whether an instruction of the loop other than `except` may read or write `location`; true if there are too
    /// many to check.
    pub(super) fn touches(&self, location: MemoryLocation, except: Inst) -> bool {
        let others = || self.accesses.iter().copied().filter(|i| *i != except);
        others().nth(MAX_WRITERS).is_some()
            || others().any(|i| {
                let effect = self.effect(i, location);
                effect.reads || effect.writes
            })
    }
    /// The instructions that may write memory.
    pub(super) fn writers(&self) -> impl Iterator<Item = Inst> + '_ {
        self.accesses.iter().copied().filter(|i| !self.is_harmless(*i))
    }
    /// Whether `inst` certainly writes no memory that is read.
    fn is_harmless(&self, inst: Inst) -> bool {
        let At { env, body, .. } = self.at;
        let data = body.inst(inst);
        match &data.kind {
            InstKind::Load(access) => is_relaxed(access),
            InstKind::Call(_) => data.call().is_some_and(|call| match called_intrinsic(env, body, call) {
                Some(Intrinsic::Assume | Intrinsic::NoAliasScopeDecl | Intrinsic::PseudoProbe) => true,
                _ => !effects_of_call(env, body, call).any().writes,
            }),
            _ => false,
        }
    }
    /// Whether alias scopes are declared in the loop, so that they differ in each iteration.
    pub(super) fn declares_scopes(&self) -> bool {
        let At { env, body, .. } = self.at;
        self.accesses.iter().any(|i| {
            body.inst(*i).call().and_then(|c| called_intrinsic(env, body, c))
                == Some(Intrinsic::NoAliasScopeDecl)
        })
    }
}

/// Whether an access orders no accesses of other locations.
fn is_relaxed(access: &MemAccess) -> bool {
    matches!(access.ordering, None | Some(AtomicOrdering::Unordered | AtomicOrdering::Monotonic))
}

/// The path that the first iteration certainly takes.
#[derive(Debug, Default)]
pub(super) struct FirstWay {
    /// The blocks on the path, each with the last instruction on it unless that is the terminator.
    pub(super) blocks: FxHashMap<Block, Option<Inst>>,
}
