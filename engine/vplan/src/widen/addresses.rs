//! Addresses that are recomputed before the vector loop from the address of the first iteration: those of masked
//! accesses, because their first lane may be inactive, and those of loads that execute before it is known whether a
//! lane leaves, because the source's address may be poison.

use crate::legality::{HeaderPhi, Legality, Pattern};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::expand::{self, Options, Plan};
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};
use rustc_hash::{FxHashMap, FxHashSet};

/// The vector form of a masked access.
#[derive(Clone, Debug)]
pub enum Masked {
    /// One masked access of consecutive lanes, at an address derived from that of the first iteration, computed before
    /// the loop.
    Whole(Plan),
    /// Each lane has its own address: a gather or scatter.
    Each,
}

/// The recomputed addresses.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// The masked accesses.
    pub masked: FxHashMap<Inst, Masked>,
    /// The first iteration's address of each load that executes before it is known whether a lane leaves.
    pub early: FxHashMap<Inst, Plan>,
}

impl Addresses {
    pub(super) fn find(scev: &mut ScalarEvolution<'_>, of: &Legality) -> Option<Self> {
        let masked = masked(scev, of);
        let mut early = FxHashMap::default();
        for access in of.accesses.iter().filter(|a| of.is_tested(a.inst)) {
            let (start, _) = access.affine?;
            early.insert(access.inst, in_front(scev, of, start)?);
        }
        Some(Self { masked, early })
    }
    /// Whether the address of `access` is recomputed.
    pub fn is_recomputed(&self, access: Inst) -> bool {
        matches!(self.masked.get(&access), Some(Masked::Whole(_))) || self.early.contains_key(&access)
    }
}

/// The plan to compute `expr` before the loop, frozen.
pub(crate) fn in_front(scev: &mut ScalarEvolution<'_>, of: &Legality, expr: Expr) -> Option<Plan> {
    let place = scev.body().terminator(of.form.preheader)?;
    let options = Options { freeze: true, ..Options::default() };
    expand::plan(scev, expr, place, options).ok()
}

/// The vector form of each masked access.
fn masked(scev: &mut ScalarEvolution<'_>, of: &Legality) -> FxHashMap<Inst, Masked> {
    let mut found = FxHashMap::default();
    for access in of.accesses.iter().filter(|a| a.masked) {
        let plan = match (access.pattern, access.affine) {
            (Pattern::Consecutive | Pattern::Reverse, Some((start, _)))
                if is_plain(scev.body(), of, access.pointer) && spreads(scev, start) =>
            {
                in_front(scev, of, start)
            }
            _ => None,
        };
        found.insert(access.inst, plan.map_or(Masked::Each, Masked::Whole));
    }
    found
}

/// Limit for the number of instructions that compute an address: bounds the time for one access. Beyond it each lane
/// computes its own address.
const MOST_OF_ADDRESS: usize = 32;

/// Whether an address is computed only by arithmetic from inductions and invariants, so that poison of one of these
/// makes the address poison in all iterations.
fn is_plain(body: &Body, of: &Legality, pointer: Value) -> bool {
    let mut work = vec![pointer];
    let mut seen = FxHashSet::default();
    while let Some(value) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| of.form.contains(*i)) else { continue };
        if !seen.insert(inst) {
            continue;
        }
        let data = body.inst(inst);
        match data.kind {
            _ if seen.len() > MOST_OF_ADDRESS => return false,
            InstKind::Phi(_) if matches!(of.phi(inst), Some(HeaderPhi::Induction(_))) => {}
            InstKind::Binary(..) | InstKind::Cast(..) | InstKind::Gep { .. } => {
                work.extend(data.operands.iter().copied());
            }
            _ => return false,
        }
    }
    true
}

/// Whether poison of any leaf makes the expression poison.
fn spreads(scev: &ScalarEvolution<'_>, expr: Expr) -> bool {
    scev.arena().all_parts(expr, |_, node| !matches!(node, Node::NAry(NAry::UMinSeq, _) | Node::AddRec(..)))
}
