//! Which addresses of accesses are computed anew in front of the vector loop, from that of the first iteration on: those of
//! accesses in some lanes, where the first lane need not be one of these, and of what is loaded before it is known whether a
//! lane leaves, where the source's address may be poison.

use crate::legality::{HeaderPhi, Legality, Pattern};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::expand::{self, Options, Plan};
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};
use rustc_hash::{FxHashMap, FxHashSet};

/// How an access in a block with a mask is made.
#[derive(Clone, Debug)]
pub enum Masked {
    /// As one of all lanes, from the address in the first iteration on, computed in front of the loop.
    Whole(Plan),
    /// Each lane at an address of its own.
    Each,
}

/// What is computed anew.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// The accesses in blocks with masks.
    pub masked: FxHashMap<Inst, Masked>,
    /// The addresses in the first iteration of loads that are done before it is known whether a lane leaves.
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
    /// Whether the address of `access` is computed anew.
    pub fn is_anew(&self, access: Inst) -> bool {
        matches!(self.masked.get(&access), Some(Masked::Whole(_))) || self.early.contains_key(&access)
    }
}

/// How `expr` is computed in front of the loop, frozen.
pub(crate) fn in_front(scev: &mut ScalarEvolution<'_>, of: &Legality, expr: Expr) -> Option<Plan> {
    let place = scev.body().terminator(of.form.preheader)?;
    let options = Options { freeze: true, ..Options::default() };
    expand::plan(scev, expr, place, options).ok()
}

/// How the accesses in blocks with masks are made.
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

/// How many instructions of an address are looked at.
const MOST_OF_ADDRESS: usize = 32;

/// Whether an address is made of inductions and what does not change by arithmetic alone: poison of what it is made of is
/// poison of it in all iterations.
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

/// Whether poison of any leaf is poison of the expression.
fn spreads(scev: &ScalarEvolution<'_>, expr: Expr) -> bool {
    scev.arena().all_parts(expr, |_, node| !matches!(node, Node::NAry(NAry::UMinSeq, _) | Node::AddRec(..)))
}
