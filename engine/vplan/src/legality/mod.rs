//! Legality of vectorization: which loops may be vectorized, and the vector form of each of their parts.
//!
//! [`check`] decides this once. Its result contains all facts about the loop that plans need, or one [`LegalityMissed`] reason.
//! Requires a loop in loop-simplify form and LCSSA form. Nothing here depends on the number of lanes.
//!
//! | contents | module |
//! |---|---|
//! | required form of the loop; the linear order | `form` |
//! | counted exits; number of iterations that need no exit test | `exits` |
//! | classification of instructions | `ops` |
//! | masks of blocks and instructions | `masks` |
//! | classification of header phis | `phis`: `induction`, `chain` (reductions and selections), `recurrence` |
//! | progression of addresses | `access`; `interleave`: interleave groups |
//! | memory dependences | `depends`; `checks`: run-time checks |
//! | instructions before a data-dependent exit | `early`; `readable`: what is safe after the exit |
//! | live-outs | `live` |
//! | loop nests: uniform values | `nest`; `walk`: progression of addresses; `across`: dependences between lanes |
//!
//! The criteria are those of LLVM's `LoopVectorizationLegality` and `LoopAccessAnalysis`; each module explains why its
//! answers are correct.

mod access;
mod across;
mod chain;
mod checks;
mod depends;
mod early;
mod exits;
mod form;
mod induction;
mod interleave;
mod live;
mod masks;
mod missed;
mod nest;
mod ops;
mod phis;
mod print;
mod readable;
mod recurrence;
mod walk;

pub use access::{Access, Pattern};
pub use chain::{Reduction, ReductionKind, Selection};
pub use checks::{Checks, Condition, Range, Walk};
pub use depends::{Dependences, MOST_LANES};
pub use early::Early;
pub use exits::{Exit, ExitKind, Exits};
pub use form::Form;
pub(crate) use form::is_unsettled;
pub use induction::Induction;
pub use interleave::Interleaved;
pub use live::{LiveOut, Source};
pub use masks::Masks;
pub use missed::LegalityMissed;

pub use access::{Reach, Term};
pub(crate) use nest::{MOST_TRIPS, trips_of};
pub use ops::Op;
pub use phis::HeaderPhi;
pub use recurrence::FirstOrder;

use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use early::Known;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

/// Parameters of the legality check.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The maximum number of range pairs that are compared at run time (`runtime-memory-check-threshold`).
    pub most_checks: usize,
    /// Whether to fold the tail: the remaining iterations also execute in a vector iteration, with inactive lanes.
    pub fold_tail: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { most_checks: 8, fold_tail: false }
    }
}

/// The facts about a loop that may be vectorized.
#[derive(Clone, Debug)]
pub struct Legality {
    /// The blocks and the linear order.
    pub form: Form,
    /// The exits.
    pub exits: Exits,
    /// The classification of each instruction.
    pub ops: FxHashMap<Inst, Op>,
    /// The blocks and instructions that need masks.
    pub masks: Masks,
    /// The classification of the header phis, in order.
    pub phis: Vec<(Inst, HeaderPhi)>,
    /// The loads and stores in linear order.
    pub accesses: Vec<Access>,
    /// The interleave groups.
    pub interleaved: Vec<Interleaved>,
    /// The limit for the number of lanes, and the run-time checks.
    pub dependences: Dependences,
    /// The handling of data-dependent exits, if any.
    pub early: Option<Early>,
    /// The live-outs.
    pub live_outs: Vec<LiveOut>,
    /// Whether the tail is folded, so that the last vector iteration may have inactive lanes.
    pub fold_tail: bool,
    /// The facts about a loop nest, if the loop has inner loops.
    pub nest: Option<Nest>,
}

impl Legality {
    /// Whether at least one iteration must execute in the scalar loop, because an exit leaves in the middle of an
    /// iteration or a live-out is in no lane.
    pub fn needs_scalar(&self) -> bool {
        self.exits.needs_scalar
            || self.live_outs.iter().any(|out| out.from == self.form.latch && out.source == Source::Scalar)
    }
    /// Whether `inst` of a loop nest has the same value in all lanes.
    pub fn is_uniform(&self, inst: Inst) -> bool {
        self.nest.as_ref().is_some_and(|nest| nest.uniform.contains(&inst))
    }
    /// The classification of a header phi.
    pub fn phi(&self, phi: Inst) -> Option<&HeaderPhi> {
        self.phis.iter().find(|(inst, _)| *inst == phi).map(|(_, kind)| kind)
    }
    /// The chain that contains each instruction: the reduction or selection phi and its classification.
    pub fn chains(&self) -> FxHashMap<Inst, (Inst, &HeaderPhi)> {
        let mut all = FxHashMap::default();
        for (phi, kind) in &self.phis {
            let (HeaderPhi::Reduction(Reduction { chain, .. })
            | HeaderPhi::Selection(Selection { chain, .. })) = kind
            else {
                continue;
            };
            all.extend(chain.iter().map(|inst| (*inst, (*phi, kind))));
        }
        all
    }
    /// The interleave group that contains `inst`.
    pub fn group(&self, inst: Inst) -> Option<&Interleaved> {
        self.interleaved.iter().find(|g| g.place(inst).is_some())
    }
    /// Whether `inst` executes before it is known whether a data-dependent exit is taken.
    pub fn is_tested(&self, inst: Inst) -> bool {
        self.early.as_ref().is_some_and(|early| early.tested.contains(&inst))
    }
    /// The stores of reduction results that execute after the vector loop, in linear order, each with its phi.
    pub fn deferred(&self) -> Vec<(Inst, Inst)> {
        deferred(&self.phis)
    }
    /// The access of `inst`.
    pub fn access(&self, inst: Inst) -> Option<&Access> {
        self.accesses.iter().find(|a| a.inst == inst)
    }
}

fn deferred(phis: &[(Inst, HeaderPhi)]) -> Vec<(Inst, Inst)> {
    let stores = |(phi, kind): &(Inst, HeaderPhi)| match kind {
        HeaderPhi::Reduction(r) => r.stores.iter().map(|store| (*store, *phi)).collect(),
        HeaderPhi::Induction(_) | HeaderPhi::Selection(_) | HeaderPhi::FirstOrder(_) => Vec::new(),
    };
    phis.iter().flat_map(stores).collect()
}

/// Checks whether `l` may be vectorized, and returns the facts needed for it or the reason against it.
pub fn check(scev: &mut ScalarEvolution<'_>, l: LoopId, limits: Limits) -> Result<Legality, LegalityMissed> {
    let form = form::check(scev, l)?;
    if !scev.loops().is_innermost(l) {
        return nest::check(scev, form, limits);
    }
    let exits = exits::check(scev, &form)?;
    let fold_tail = limits.fold_tail;
    if fold_tail && exits.all.iter().any(|e| e.from != form.latch || !matches!(e.kind, ExitKind::Counted(_)))
    {
        return Err(LegalityMissed::TailNotFolded);
    }
    let ops = ops::check(scev, &form, fold_tail)?;
    let masks = masks::find(scev, &form, &ops, fold_tail);
    let phis = phis::check(scev, &form, &masks)?;
    let accesses = access::find(scev, &form, &ops, &masks)?;
    let known = Known { exits: &exits, ops: &ops, masks: &masks, phis: &phis, accesses: &accesses };
    let early = early::check(scev, &form, known)?;
    let deferred = deferred(&phis);
    let dependences = depends::find(scev, &form, &accesses, &deferred, exits.taken, limits)?;
    let interleaved = interleave::find(scev, &form, &accesses);
    let live_outs = live::find(scev, &form, &exits, &phis);
    let of = Legality {
        form,
        exits,
        ops,
        masks,
        phis,
        accesses,
        interleaved,
        dependences,
        early,
        live_outs,
        fold_tail,
        nest: None,
    };
    if fold_tail && of.needs_scalar() { Err(LegalityMissed::TailNotFolded) } else { Ok(of) }
}

/// The facts about a loop nest.
#[derive(Clone, Debug)]
pub struct Nest {
    /// The instructions whose value is the same in all lanes.
    pub uniform: FxHashSet<Inst>,
    /// The estimated number of executions of each block per iteration of the outer loop.
    pub frequency: FxHashMap<Block, u64>,
}

impl Nest {
    /// Whether `value` is the same in all lanes.
    pub fn is_uniform(&self, form: &Form, value: Value) -> bool {
        value.as_inst().is_none_or(|i| !form.contains(i) || self.uniform.contains(&i))
    }
}
