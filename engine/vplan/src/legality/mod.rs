//! Which loops may be vectorized, and what each of their parts is in vectors.
//!
//! [`check`] decides, once and for all: what comes out is data that plans are built from, with nothing left to be found out
//! about the loop; or one [`Missed`] reason. Needs a loop in loop simplify form and LCSSA form. Nothing here depends on how
//! many lanes a vector has.
//!
//! | question | module |
//! |---|---|
//! | has the loop the form that is needed; the linear order | `form` |
//! | which exits are counted, how many iterations are made without testing them | `exits` |
//! | what is each instruction | `ops` |
//! | which blocks and instructions need masks | `masks` |
//! | what are the phis of the header | `phis`: `induction`, `chain` (reductions and selections), `recurrence` |
//! | how do addresses go on | `access`; `interleave`: which accesses share what they skip |
//! | which accesses depend on each other | `depends`; `checks`: at run time |
//! | what is computed before a data-dependent exit is tested | `early`; `readable`: what may be executed beyond it |
//! | what is used behind the loop | `live` |
//! | loops with loops in them: what is uniform | `nest`; `walk`: how addresses go on; `across`: dependences of lanes |
//!
//! The questions are those of LLVM's `LoopVectorizationLegality` and `LoopAccessAnalysis`; the reasons that the answers are
//! right stand with each.

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
pub use missed::Missed;
pub use nest::Nest;
pub(crate) use nest::{MOST_TRIPS, trips_of};
pub use ops::Op;
pub use phis::HeaderPhi;
pub use recurrence::FirstOrder;
pub use walk::{Reach, Term};

use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_scev::ScalarEvolution;
use early::Known;
use rustc_hash::FxHashMap;

/// What may be asked of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many pairs of ranges are compared at run time (`runtime-memory-check-threshold`).
    pub most_checks: usize,
    /// Whether the iterations that make no whole vector are to be made of vectors too, in which not all lanes count.
    pub fold_tail: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { most_checks: 8, fold_tail: false }
    }
}

/// A loop that may be vectorized.
#[derive(Clone, Debug)]
pub struct Legality {
    /// Its blocks and the linear order.
    pub form: Form,
    /// How it is left.
    pub exits: Exits,
    /// What each instruction is.
    pub ops: FxHashMap<Inst, Op>,
    /// What needs masks.
    pub masks: Masks,
    /// What the phis of the header are, in order.
    pub phis: Vec<(Inst, HeaderPhi)>,
    /// The loads and stores in the linear order.
    pub accesses: Vec<Access>,
    /// Accesses that lie between each other.
    pub interleaved: Vec<Interleaved>,
    /// How many lanes memory allows, and what has to be checked.
    pub dependences: Dependences,
    /// How data-dependent exits are taken, if there are any.
    pub early: Option<Early>,
    /// What is used behind the loop.
    pub live_outs: Vec<LiveOut>,
    /// Whether the last vector has lanes for iterations that there are not.
    pub fold_tail: bool,
    /// What is known of the loops in it, if there are any.
    pub nest: Option<Nest>,
}

impl Legality {
    /// Whether at least one iteration must be left to the scalar loop: an exit leaves in the midst of an iteration, or what
    /// is used behind the loop is in no lane.
    pub fn needs_scalar(&self) -> bool {
        self.exits.needs_scalar
            || self.live_outs.iter().any(|out| out.from == self.form.latch && out.source == Source::Scalar)
    }
    /// Whether `inst` is one value for all lanes of a loop with loops in it.
    pub fn is_uniform(&self, inst: Inst) -> bool {
        self.nest.as_ref().is_some_and(|nest| nest.uniform.contains(&inst))
    }
    /// What the phi of the header is.
    pub fn phi(&self, phi: Inst) -> Option<&HeaderPhi> {
        self.phis.iter().find(|(inst, _)| *inst == phi).map(|(_, kind)| kind)
    }
    /// Whose chain each instruction is of that collects or selects: the phi and what that is.
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
    /// The accesses that `inst` lies between.
    pub fn group(&self, inst: Inst) -> Option<&Interleaved> {
        self.interleaved.iter().find(|g| g.place(inst).is_some())
    }
    /// Whether `inst` is computed before it is known whether a data-dependent exit is taken.
    pub fn is_tested(&self, inst: Inst) -> bool {
        self.early.as_ref().is_some_and(|early| early.tested.contains(&inst))
    }
    /// The stores of reductions that are made behind the vector loop, in the linear order, each with the phi.
    pub fn deferred(&self) -> Vec<(Inst, Inst)> {
        deferred(&self.phis)
    }
    /// The access that `inst` is.
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

/// Whether `l` may be vectorized, and how; or why not.
pub fn check(scev: &mut ScalarEvolution<'_>, l: LoopId, limits: Limits) -> Result<Legality, Missed> {
    let form = form::check(scev, l)?;
    if !scev.loops().is_innermost(l) {
        return nest::check(scev, form, limits);
    }
    let exits = exits::check(scev, &form)?;
    let fold_tail = limits.fold_tail;
    if fold_tail && exits.all.iter().any(|e| e.from != form.latch || !matches!(e.kind, ExitKind::Counted(_)))
    {
        return Err(Missed::TailNotFolded);
    }
    let ops = ops::check(scev, &form, fold_tail)?;
    let masks = masks::find(scev, &form, (&ops, fold_tail));
    let phis = phis::check(scev, &form, &masks)?;
    let accesses = access::find(scev, &form, (&ops, &masks))?;
    let known = Known { exits: &exits, ops: &ops, masks: &masks, phis: &phis, accesses: &accesses };
    let early = early::check(scev, &form, known)?;
    let deferred = deferred(&phis);
    let dependences = depends::find(scev, &form, (&accesses, &deferred), (exits.taken, limits))?;
    let interleaved = interleave::find(scev, &form, &accesses);
    let live_outs = live::find(scev, &form, (&exits, &phis));
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
    if fold_tail && of.needs_scalar() { Err(Missed::TailNotFolded) } else { Ok(of) }
}
