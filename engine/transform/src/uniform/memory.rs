//! Loads and stores that lanes need not make since another lane of the round has made them.
//!
//! A location at an address that is the same in all lanes of a round, and that nothing else in the loop writes:
//!
//! - If the loop does not write it at all, loads of it are the same in all lanes.
//! - If the loop stores the same value to it in all lanes, only the first lane has to.
//! - If a load follows a store in an iteration or in the one before, it need not be made: its value is at hand.
//! - If nobody looks in between, only the last of several stores has to be made.
//!
//! Guarantees, where the accesses are executed in each iteration: what is said of loads that are the same is true of
//! their values. The rest is an estimate of what `early-cse` finds in the copies.

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

/// How many instructions that touch memory a loop may have to be looked at.
const MOST_ACCESSES: usize = 64;

/// What a loop does to memory.
#[derive(Debug)]
pub(crate) struct Accesses {
    l: LoopId,
    /// All instructions of the loop that touch memory; none if there are too many.
    all: Option<Vec<Inst>>,
}

impl Accesses {
    /// Those of `l`.
    pub(crate) fn of(scev: &ScalarEvolution<'_>, l: LoopId) -> Self {
        let (env, body) = (scev.at.env, scev.body());
        let loops = scev.loops();
        let insts = loops.blocks(l).iter().flat_map(|b| body.insts(*b)).copied();
        let all: Vec<Inst> =
            insts.filter(|i| may_access_memory(env, body, *i)).take(MOST_ACCESSES + 1).collect();
        Self { l, all: (all.len() <= MOST_ACCESSES).then_some(all) }
    }
    /// Whether nothing in the loop but `own` may write to what `access` touches, in this or another iteration.
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
    /// The address of `inst`, if that is a load of something that the loop does not write.
    pub(super) fn load_of_what_stays(&self, scev: &ScalarEvolution<'_>, inst: Inst) -> Option<Value> {
        let body = scev.body();
        let loads = is_plain(body, inst) && matches!(body.inst(inst).kind, InstKind::Load(_));
        let address = pointer_operand(body, inst).filter(|_| loads)?;
        self.only_written_by(scev, inst, &[]).then_some(address)
    }
    /// Of `insts`, which each iteration executes in that order, how many loads and stores in a round of `factor` lanes
    /// another lane makes unnecessary, those aside that are the same in all lanes. `same` says of values that they are
    /// the same in all lanes, `one_way` that no exit is tested in a round.
    pub(super) fn repeated(
        &self,
        scev: &ScalarEvolution<'_>,
        insts: &[Inst],
        (factor, one_way): (usize, bool),
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

/// Whether `inst` is a load or store that neither is volatile nor atomic.
fn is_plain(body: &Body, inst: Inst) -> bool {
    match &body.inst(inst).kind {
        InstKind::Load(access) | InstKind::Store(access) => !access.volatile && access.ordering.is_none(),
        _ => false,
    }
}
