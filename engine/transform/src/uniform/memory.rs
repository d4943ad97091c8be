//! Loads and stores that are redundant because another lane of the round performs them.
//!
//! For a location at an address that is equal in all lanes of a round, and that nothing else in the loop writes:
//!
//! - If the loop does not write it at all, loads of it are equal in all lanes.
//! - If the loop stores the same value to it in all lanes, only the first lane needs to.
//! - If a load follows a store in the same or the previous iteration, it is redundant: the value is known.
//! - If nothing reads in between, only the last of several stores is needed.
//!
//! Requires that each iteration executes the accesses. Guarantees that loads reported as equal have equal values. The
//! rest is an estimate of what `early-cse` finds in the copies.

use backedge_analysis::LoopId;
use backedge_analysis::alias::location::pointer_operand;
use backedge_analysis::alias::{Aliasing, Iterations, MemoryLocation};
use backedge_analysis::effects::may_access_memory;
use backedge_analysis::must_execute::guaranteed_to_transfer;
use backedge_ir::attr::ModRef;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;

/// Maximum number of memory accesses of a loop examined, which are compared pair by pair; with more, none is redundant.
const MOST_ACCESSES: usize = 64;

/// The memory accesses of a loop.
#[derive(Debug)]
pub(crate) struct Accesses {
    l: LoopId,
    /// All instructions of the loop that may access memory; `None` if there are too many.
    all: Option<Vec<Inst>>,
}

impl Accesses {
    /// The accesses of `l`.
    pub(crate) fn of(scev: &ScalarEvolution<'_>, l: LoopId) -> Self {
        let (env, body) = (scev.at.env, scev.body());
        let loops = scev.loops();
        let insts = loops.blocks(l).iter().flat_map(|b| body.insts(*b)).copied();
        let all: Vec<Inst> =
            insts.filter(|i| may_access_memory(env, body, *i)).take(MOST_ACCESSES + 1).collect();
        Self { l, all: (all.len() <= MOST_ACCESSES).then_some(all) }
    }
    /// Whether no instruction in the loop except `own` may write to the memory of `access`, in this or another
    /// iteration.
    pub(crate) fn only_written_by(&self, scev: &ScalarEvolution<'_>, access: Inst, own: &[Inst]) -> bool {
        self.untouched(scev, access, own, |effect| effect.writes)
    }
    fn untouched(
        &self,
        scev: &ScalarEvolution<'_>,
        access: Inst,
        own: &[Inst],
        counts: impl Fn(ModRef) -> bool,
    ) -> bool {
        let (Some(all), Some(location)) = (&self.all, MemoryLocation::of_access(scev.at, access)) else {
            return false;
        };
        let aliasing = Aliasing::new(scev.at);
        all.iter()
            .filter(|i| !own.contains(i))
            .all(|i| !counts(aliasing.mod_ref(*i, location, Iterations::Any(self.l))))
    }
    /// The address of `inst`, if it is a load of memory that the loop does not write.
    pub(super) fn load_of_unwritten(&self, scev: &ScalarEvolution<'_>, inst: Inst) -> Option<Value> {
        let body = scev.body();
        let loads = is_plain(body, inst) && matches!(body.inst(inst).kind, InstKind::Load(_));
        let address = pointer_operand(body, inst).filter(|_| loads)?;
        self.only_written_by(scev, inst, &[]).then_some(address)
    }
    /// The number of loads and stores in `insts`, which each iteration executes in that order, that another lane
    /// makes redundant in a round of `factor` lanes, without those equal in all lanes. `same` tells whether a value
    /// is equal in all lanes; `one_way` says that rounds test no exit.
    pub(super) fn repeated(
        &self,
        scev: &ScalarEvolution<'_>,
        insts: &[Inst],
        factor: usize,
        one_way: bool,
        same: impl Fn(Value) -> bool,
    ) -> u32 {
        let (env, body) = (scev.at.env, scev.body());
        let is_store = |i: Inst| matches!(body.inst(i).kind, InstKind::Store(_));
        let everything = || {
            let count: usize = scev.loops().blocks(self.l).iter().map(|b| body.insts(*b).len()).sum();
            count == insts.len() && insts.iter().all(|i| guaranteed_to_transfer(env, body, *i))
        };
        let one_way = one_way && everything();
        let mut spared = 0;
        let mut seen: Vec<Value> = Vec::new();
        for &store in insts.iter().filter(|i| is_store(**i) && is_plain(body, **i)) {
            let Some(ptr) = pointer_operand(body, store).filter(|p| same(*p) && !seen.contains(p)) else {
                continue;
            };
            seen.push(ptr);
            let group: Vec<Inst> = insts
                .iter()
                .copied()
                .filter(|i| is_plain(body, *i) && pointer_operand(body, *i) == Some(ptr))
                .collect();
            if !self.only_written_by(scev, store, &group) {
                continue;
            }
            let loads = group.iter().filter(|i| !is_store(**i)).count();
            let stores = group.len() - loads;
            let one_value = stores == 1 && same(body.inst(store).operands[0]);
            let overwritten = one_way && self.untouched(scev, store, &group, |effect| effect.reads);
            spared += loads * (factor - 1);
            if one_value || overwritten {
                spared += stores * (factor - 1);
            }
        }
        u32::try_from(spared).unwrap_or(u32::MAX)
    }
}

/// Whether `inst` is a load or store that is neither volatile nor atomic.
fn is_plain(body: &Body, inst: Inst) -> bool {
    match &body.inst(inst).kind {
        InstKind::Load(access) | InstKind::Store(access) => !access.volatile && access.ordering.is_none(),
        _ => false,
    }
}
