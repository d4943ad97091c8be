//! The decision about a loop: whether vector forms exist, the number of lanes, and the values to compute before the
//! loop.
//!
//! The result, a [`Choice`], borrows nothing.

use super::{LoopVectorize, Tail, VectorizeMissed};
use crate::cost::{Forced, Table, weigh};
use crate::legality::{Condition, HeaderPhi, Legality, Limits, MOST_LANES, check};
use crate::widen::{self, Addresses, Plans, WidePlan, plans};
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::loop_options::{allows_only_forced, option};
use backedge_ir::metadata::MdOperand;
use backedge_ir::module::Env;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, Kept, ScalarEvolution};
use backedge_transform::cost::is_optimized_for_size;
use backedge_transform::pass::Unit;
use rustc_hash::FxHashMap;

/// The step of an induction.
#[derive(Clone, Debug)]
pub(super) enum StepOf {
    /// A constant.
    Known(Int),
    /// An expression to compute before the loop, frozen.
    Plan(Plan),
}

/// The decision to vectorize a loop.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) legality: Legality,
    /// The vector plan to execute.
    pub(super) plan: WidePlan,
    pub(super) lanes: u32,
    pub(super) parts: u32,
    pub(super) table: Table,
    /// The number of iterations that leave through no counted exit, frozen.
    pub(super) taken: Plan,
    /// The width of `taken`.
    pub(super) count_bits: u32,
    /// The step of each induction phi.
    pub(super) steps: Vec<(Inst, StepOf)>,
    /// The index width of each access.
    pub(super) index_bits: FxHashMap<Inst, u32>,
    /// The addresses to recompute.
    pub(super) addresses: Addresses,
    /// The predecessors in the loop of each block with a mask or phis.
    pub(super) preds: FxHashMap<Block, Vec<Block>>,
    /// The start of each checked range, frozen, and its index width.
    pub(super) starts: Vec<(Plan, u32)>,
    /// The additional distances of inner loops for each range: the step and the backedge-taken count.
    pub(super) walks: Vec<Vec<(Plan, Plan)>>,
    /// Further conditions, each with the number to check.
    pub(super) conditions: Vec<(Condition, Plan)>,
    /// Whether loop metadata requests vectorization.
    pub(super) demanded: bool,
}

/// The vectorization hints in the loop metadata.
#[derive(Copy, Clone, Debug, Default)]
struct Hints {
    done: bool,
    disabled: bool,
    enabled: bool,
    forced: Forced,
    /// The requested handling of the tail.
    tail: Option<Tail>,
}

fn hints(env: &Env, body: &Body, latch: Block) -> Hints {
    let number = |name: &str| {
        let constant = match option(env, body, latch, name)? {
            [MdOperand::Const(c)] => env.consts.as_int(*c)?,
            _ => return None,
        };
        u32::try_from(constant.bits()).ok()
    };
    let enable = number("llvm.loop.vectorize.enable");
    let width = number("llvm.loop.vectorize.width").filter(|n| n.is_power_of_two());
    let parts = number("llvm.loop.interleave.count").filter(|n| n.is_power_of_two());
    Hints {
        done: option(env, body, latch, "llvm.loop.isvectorized").is_some(),
        disabled: enable == Some(0)
            || width == Some(1)
            || enable.is_none() && allows_only_forced(env, body, latch),
        enabled: enable.is_some_and(|n| n != 0) || width.is_some_and(|n| n > 1),
        forced: Forced { lanes: width.filter(|n| *n > 1), parts },
        tail: number("llvm.loop.vectorize.predicate.enable").map(|n| match n {
            0 => Tail::ScalarEpilogue,
            _ => Tail::PredicateElseScalarEpilogue,
        }),
    }
}

/// Decides about the loop with that header.
pub(super) fn choose(
    unit: &mut Unit<'_>,
    header: Block,
    pass: &LoopVectorize,
) -> Result<Choice, VectorizeMissed> {
    let shape = unit.shape();
    let l = shape.loops.with_header(header).ok_or(VectorizeMissed::Gone)?;
    let mut scev = Kept::new(unit.at());
    let Weighed { legality, plans, table, demanded } = weighed(&mut scev, unit.func, l, pass)?;
    let Some(best) = table.best().copied() else { return Err(VectorizeMissed::NotWorthIt(table)) };
    let count_bits = scev.width(legality.exits.taken);
    let fits = |n: u32| count_bits >= 32 || u64::from(n) < 1 << count_bits;
    match best.lanes.checked_mul(best.parts).filter(|all| *all <= MOST_LANES) {
        Some(all) if fits(all) => {}
        Some(_) => return Err(VectorizeMissed::TooFew),
        None => return Err(VectorizeMissed::TooWide),
    }
    let taken = in_front(&mut scev, &legality, legality.exits.taken)?;
    let mut steps = Vec::new();
    for (phi, kind) in &legality.phis {
        let HeaderPhi::Induction(induction) = kind else { continue };
        let step = match scev.as_constant(induction.step) {
            Some(step) => StepOf::Known(step),
            None => StepOf::Plan(in_front(&mut scev, &legality, induction.step)?),
        };
        steps.push((*phi, step));
    }
    let compared = compared(&mut scev, &legality)?;
    let Plans { addresses, all: plans } = plans;
    let plan = plans.into_iter().find(|plan| plan.lanes == best.lanes).ok_or(VectorizeMissed::Gone)?;
    let preds = |b: &Block| (*b, shape.cfg.preds(*b).to_vec());
    let preds = legality.masks.blocks.iter().map(preds).collect();
    let width = |v: Value| scev.body().ty(v).ptr_space().map(|s| scev.at.env.layout.index_bits(s));
    let index_bits = legality.accesses.iter().filter_map(|a| Some((a.inst, width(a.pointer)?))).collect();
    let (lanes, parts) = (best.lanes, best.parts);
    Ok(Choice {
        legality,
        plan,
        lanes,
        parts,
        table,
        taken,
        count_bits,
        steps,
        index_bits,
        addresses,
        preds,
        starts: compared.starts,
        walks: compared.walks,
        conditions: compared.conditions,
        demanded,
    })
}

/// The plans of a loop and their costs, according to the hints of the loop and the options of the pass.
pub(super) fn weighed(
    scev: &mut ScalarEvolution<'_>,
    func: FuncId,
    l: LoopId,
    pass: &LoopVectorize,
) -> Result<Weighed, VectorizeMissed> {
    let (env, body, loops) = (scev.at.env, scev.body(), scev.loops());
    let latch = loops.single_latch(&scev.at.cfg(), l).ok_or(VectorizeMissed::Gone)?;
    let hints = hints(env, body, latch);
    if hints.done {
        return Err(VectorizeMissed::Gone);
    }
    if hints.disabled || pass.vectorize_forced_only && !hints.enabled {
        return Err(VectorizeMissed::Disabled);
    }
    if is_optimized_for_size(env, func) {
        return Err(VectorizeMissed::ForSize);
    }
    let most_checks = if hints.enabled { pass.most_checks.max(128) } else { pass.most_checks };
    let forced = Forced {
        lanes: pass.forced.lanes.or(hints.forced.lanes),
        parts: pass.forced.parts.or(hints.forced.parts).or(pass.interleave_forced_only.then_some(1)),
    };
    let limits = Limits { most_checks, ..Limits::default() };
    let tail = hints.tail.unwrap_or(pass.tail);
    let mut of_tail = |fold_tail: bool| -> Result<Weighed, VectorizeMissed> {
        let legality = check(scev, l, Limits { fold_tail, ..limits }).map_err(VectorizeMissed::Illegal)?;
        supported(scev, &legality)?;
        let plans = plans(scev, &legality, forced.lanes).ok_or(VectorizeMissed::NotComputable)?;
        let table = weigh(scev, &legality, &plans, &pass.machine, forced);
        Ok(Weighed { legality, plans, table, demanded: hints.enabled })
    };
    match tail {
        Tail::ScalarEpilogue => of_tail(false),
        Tail::PredicateDontVectorize => of_tail(true),
        Tail::PredicateElseScalarEpilogue => match of_tail(true) {
            Ok(folded) if folded.table.best().is_some() => Ok(folded),
            _ => of_tail(false),
        },
        Tail::Weighed => {
            let weighed = of_tail(false)?;
            let leaves_some = weighed.table.best().is_none_or(|row| row.rest > 0);
            let folded = if leaves_some { of_tail(true).ok() } else { None };
            let is_better =
                |folded: &Table| folded.best().is_some() && folded.total() < weighed.table.total();
            Ok(match folded {
                Some(folded) if is_better(&folded.table) => folded,
                _ => weighed,
            })
        }
    }
}

/// The run-time checks before the loop.
#[derive(Default)]
struct Compared {
    starts: Vec<(Plan, u32)>,
    walks: Vec<Vec<(Plan, Plan)>>,
    conditions: Vec<(Condition, Plan)>,
}

fn compared(scev: &mut ScalarEvolution<'_>, of: &Legality) -> Result<Compared, VectorizeMissed> {
    let mut all = Compared::default();
    let Some(checks) = &of.dependences.checks else { return Ok(all) };
    for range in &checks.ranges {
        let bits = scev.width(range.start);
        let space = scev.ty(range.start).space.ok_or(VectorizeMissed::Pointer)?;
        if scev.at.env.layout.pointer(space).bits != bits {
            return Err(VectorizeMissed::Pointer);
        }
        all.starts.push((in_front(scev, of, range.start)?, bits));
        let mut walks = Vec::new();
        for walk in &range.walks {
            walks.push((in_front(scev, of, walk.step)?, in_front(scev, of, walk.taken)?));
        }
        all.walks.push(walks);
    }
    for condition in &checks.conditions {
        all.conditions.push((*condition, in_front(scev, of, condition.value)?));
    }
    Ok(all)
}

/// Whether the metadata of the loop with that header requests vectorization.
pub(super) fn is_demanded(unit: &mut Unit<'_>, header: Block) -> bool {
    let shape = unit.shape();
    let latch = shape.loops.with_header(header).and_then(|l| shape.loops.single_latch(&shape.cfg, l));
    latch.is_some_and(|latch| {
        let hints = hints(unit.env(), unit.body(), latch);
        hints.enabled && !hints.done
    })
}

/// The evaluated plans of a loop.
pub(super) struct Weighed {
    pub(super) legality: Legality,
    pub(super) plans: Plans,
    pub(super) table: Table,
    /// Whether loop metadata requests vectorization.
    demanded: bool,
}

fn in_front(scev: &mut ScalarEvolution<'_>, of: &Legality, expr: Expr) -> Result<Plan, VectorizeMissed> {
    widen::in_front(scev, of, expr).ok_or(VectorizeMissed::NotComputable)
}

/// Checks that all parts of the loop are supported.
fn supported(scev: &ScalarEvolution<'_>, of: &Legality) -> Result<(), VectorizeMissed> {
    let body = scev.body();
    for (phi, _) in &of.phis {
        if body.inst(*phi).ty.int_bits().is_some_and(|bits| bits > 64) {
            return Err(VectorizeMissed::NotYet("wide integers"));
        }
    }
    for &inst in of.form.insts() {
        let data = body.inst(inst);
        let inconstant = |v: &Value| body.ty(*v).ptr_space() != data.ty.ptr_space();
        if matches!(data.kind, InstKind::Gep { .. }) && data.operands.first().is_some_and(inconstant) {
            return Err(VectorizeMissed::Pointer);
        }
    }
    Ok(())
}
