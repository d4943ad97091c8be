//! Whether the iterations in which a condition does not hold can be skipped.
//!
//! A branch in the loop goes to one successor (*taken*) before some iteration and to the other in all later ones. The
//! later iterations have no visible effect, the loop terminates, and its final values are known. So the loop may exit
//! where the branch first goes to the other successor.
//!
//! The *idle* part is the code of an iteration that does not take the branch: the blocks of the loop reachable from
//! the header without the taken edge. Needs loop-simplify and LCSSA form.
//!
//! If the branch depends on several comparisons that must all hold for it to be taken, one comparison that changes is
//! enough: before the change the branch may go either way; afterwards it is not taken.

use super::parts::{Order, Part, parts};
use super::remarks::RestrictMissed;
use crate::counted::{Facts, Which, which_exit};
use crate::iteration_split::check::recurrence_and_bound;
use crate::leaves::all_spread;
use crate::shape::Shape;
use crate::unswitch::effects::is_unseen;
use backedge_analysis::LoopId;
use backedge_analysis::loops::Edge;
use backedge_analysis::must_execute::{irreducible_cycles_end, must_make_progress};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::opcode::IntPredicate;
use backedge_scev::expand::{self, Plan};
use backedge_scev::guards::Monotonic;
use backedge_scev::{Expr, ScalarEvolution};

/// Maximum number of branches of a loop examined: each is solved for the iteration in which it changes.
const MOST_BRANCHES: usize = 32;
/// Maximum number of phis followed to find the value of an idle iteration: bounds the time for one value, which is
/// unknown beyond it.
const MOST_PHIS: usize = 64;

/// A branch at which the loop may exit.
#[derive(Debug)]
pub(super) struct Turn {
    /// The block that it terminates.
    pub(super) block: Block,
    /// Its successor while the condition holds.
    pub(super) taken: Block,
    /// Its successor afterwards.
    pub(super) idle: Block,
    /// The comparison that changes: the condition, or a part of it.
    pub(super) comparison: Inst,
    /// In which order the comparison and the rest of the condition can be tested.
    pub(super) order: Order,
    /// The value of the comparison while the branch may be taken.
    pub(super) at_first: bool,
    /// The number of the first iteration with the other value, if known.
    pub(super) iteration: Option<Expr>,
    /// How idle iterations finally leave the loop.
    pub(super) end: End,
}

/// How idle iterations finally leave a loop.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// All edges lead to one block with the same values.
    Same {
        /// One of these edges: the latch's, if it is one.
        leaves: Edge,
        /// The other edges.
        others: Vec<Edge>,
        /// The final values of the exit block's phis on that edge.
        values: Vec<LiveOut>,
    },
    /// The counts of the exits determine the exit taken; with the final values of each exit block's phis.
    Told(Which, Vec<Vec<(Inst, Final)>>),
}

impl End {
    /// The blocks from which idle iterations leave the loop.
    pub(super) fn from(&self) -> Vec<Block> {
        match self {
            Self::Same { leaves, others, .. } => others.iter().chain([leaves]).map(|e| e.from).collect(),
            Self::Told(which, _) => which.ways.iter().map(|way| way.from).collect(),
        }
    }
}

/// A phi of the exit block and its final value.
#[derive(Clone, Debug)]
pub(super) struct LiveOut {
    /// The phi.
    pub(super) phi: Inst,
    /// Its final value.
    pub(super) last: Final,
    /// Whether it has the same value at the end of the last iteration that takes the branch: the next values of that
    /// iteration are those that idle iterations keep.
    pub(super) when_taken: bool,
}

/// The final value of a value after idle iterations.
#[derive(Clone, Debug)]
pub(super) enum Final {
    /// That value from the first idle iteration on: it is invariant or a header phi.
    Kept(Value),
    /// The value of an expression, computed before the loop.
    Computed(Plan),
}

/// The first branch at which the loop may exit and that `more` accepts, with the result of `more`.
pub(super) fn turn<T>(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    more: impl Fn(&mut ScalarEvolution<'_>, &Facts, &Turn) -> Result<T, RestrictMissed>,
) -> Result<(Turn, T), RestrictMissed> {
    let body = scev.body();
    let mut missed = RestrictMissed::NoBranch;
    let candidates = facts.ring.blocks.iter().copied().filter(|b| {
        shape.loops.innermost(*b) == Some(facts.l)
            && shape.dominators.dominates(*b, facts.ring.latch)
            && body.successors(*b).iter().all(|to| shape.loops.contains(facts.l, *to))
            && body.terminator(*b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::CondBr))
    });
    for block in candidates.take(MOST_BRANCHES).collect::<Vec<_>>() {
        let found = turns_at(scev, shape, facts, block).and_then(|turns| {
            let mut missed = RestrictMissed::NotMonotonic;
            for turn in turns {
                match more(scev, facts, &turn) {
                    Ok(more) => return Ok((turn, more)),
                    Err(reason) => missed = reason,
                }
            }
            Err(missed)
        });
        match found {
            Ok(found) => return Ok(found),
            Err(reason) => missed = reason,
        }
    }
    Err(missed)
}

/// For each comparison that the branch of `block` depends on and that changes once, the branch as a possible exit.
fn turns_at(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    block: Block,
) -> Result<Vec<Turn>, RestrictMissed> {
    let body = scev.body();
    let branch = body.terminator(block).ok_or(RestrictMissed::NoBranch)?;
    let [if_true, if_false] = body.successors(block)[..] else { return Err(RestrictMissed::NoBranch) };
    if if_true == if_false {
        return Err(RestrictMissed::NoBranch);
    }
    let mut turns: Vec<Turn> = Vec::new();
    for Part { comparison, needed, order } in parts(scev, branch) {
        let Some((at_first, iteration)) = first_kind(scev, facts.l, comparison) else { continue };
        let is_needed = needed.is_none_or(|needed| needed == at_first);
        if !is_needed || leaves_by(scev, shape, facts.l, block, comparison) {
            continue;
        }
        let (taken, idle) = if at_first { (if_true, if_false) } else { (if_false, if_true) };
        // The idle part is the same for all parts of a condition.
        let end = match turns.first() {
            Some(turn) => turn.end.clone(),
            None => left_at(scev, shape, facts, block, taken)?,
        };
        turns.push(Turn { block, taken, idle, comparison, order, at_first, iteration, end });
    }
    if turns.is_empty() { Err(RestrictMissed::NotMonotonic) } else { Ok(turns) }
}

/// Whether a test of `comparison` leaves the loop before an iteration reaches `block`, so that it still has its first
/// value there.
fn leaves_by(scev: &ScalarEvolution<'_>, shape: &Shape, l: LoopId, block: Block, comparison: Inst) -> bool {
    let body = scev.body();
    let is_tested = |at: Block| {
        let condition = body.terminator(at).and_then(|t| body.inst(t).operands.first().copied()?.as_inst());
        condition.is_some_and(|c| match body.inst(c).kind {
            InstKind::Freeze => body.inst(c).operands[0] == comparison.into(),
            _ => c == comparison,
        })
    };
    let exiting = shape.loops.exiting_blocks(&shape.cfg, l);
    exiting.into_iter().any(|at| shape.dominators.dominates(at, block) && is_tested(at))
}

/// How the loop is finally left if `block` no longer goes to `taken`.
fn left_at(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    block: Block,
    taken: Block,
) -> Result<End, RestrictMissed> {
    let part = idle_part(scev, shape, facts.l, block, taken);
    let leaving = check_idle_part(scev, shape, facts, &part)?;
    let idle = IdleLoop { facts, part: &part, header: facts.ring.header, block, taken };
    match left_alike(scev, shape, &idle, &leaving) {
        Ok(end) => Ok(end),
        Err(missed) if leaving.len() > 1 => end_by_counts(scev, shape, &idle).ok_or(missed),
        Err(missed) => Err(missed),
    }
}

/// The end, if all edges lead to one block with the same values.
fn left_alike(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    idle: &IdleLoop<'_>,
    leaving: &[Edge],
) -> Result<End, RestrictMissed> {
    let body = scev.body();
    let (&leaves, others) = leaving.split_first().ok_or(RestrictMissed::SeveralExits)?;
    if others.iter().any(|e| e.to != leaves.to) {
        return Err(RestrictMissed::SeveralExits);
    }
    let exit_phis: Vec<Inst> = body.phis(leaves.to).collect();
    let mut values = Vec::new();
    for phi in exit_phis {
        let value = body.incoming_from(phi, leaves.from).ok_or(RestrictMissed::LiveOut)?;
        let last = final_value(scev, shape, idle, value, None)?;
        for other in others {
            // The exit finally taken is unknown, so a value computed for one exit does not apply to the others.
            let value = body.incoming_from(phi, other.from).ok_or(RestrictMissed::LiveOut)?;
            match (&last, final_value(scev, shape, idle, value, None)?) {
                (Final::Kept(a), Final::Kept(b)) if *a == b => {}
                _ => return Err(RestrictMissed::LiveOut),
            }
        }
        let when_taken = match &last {
            Final::Computed(_) => true,
            // For a header phi, compare the next value of the iteration: the phi itself has the value of the previous
            // one.
            Final::Kept(kept) => match kept.as_inst().filter(|i| body.block_of(*i) == Some(idle.header)) {
                Some(phi) => body.incoming_from(phi, idle.facts.ring.latch) == Some(value),
                None => *kept == value,
            },
        };
        values.push(LiveOut { phi, last, when_taken });
    }
    Ok(End::Same { leaves, others: others.to_vec(), values })
}

/// The end, if the counts of the exits determine the exit taken.
fn end_by_counts(scev: &mut ScalarEvolution<'_>, shape: &Shape, idle: &IdleLoop<'_>) -> Option<End> {
    let body = scev.body();
    let which = which_exit(scev, idle.facts, |exit| idle.part.contains(exit.block))?;
    let mut values = Vec::new();
    for way in &which.ways {
        let count = idle.facts.exits.iter().find(|e| e.block == way.from)?.exact?;
        let of_phi = |phi: Inst| {
            let value = body.incoming_from(phi, way.from)?;
            Some((phi, final_value(scev, shape, idle, value, Some(count)).ok()?))
        };
        values.push(body.phis(way.to).map(of_phi).collect::<Option<Vec<_>>>()?);
    }
    Some(End::Told(which, values))
}

/// The first value of `comparison`, if it changes at most once over the iterations of `l`, and the iteration of the
/// change.
fn first_kind(scev: &mut ScalarEvolution<'_>, l: LoopId, comparison: Inst) -> Option<(bool, Option<Expr>)> {
    let (pred, rec, bound) = recurrence_and_bound(scev, l, comparison)?;
    [true, false].into_iter().find_map(|at_first| {
        let holds: IntPredicate = if at_first { pred } else { pred.inverse() };
        (scev.monotonicity(rec, holds) == Some(Monotonic::Decreasing)).then(|| {
            // Pointers without an integer representation can be compared, but not counted.
            let pointer = scev.ty(rec).is_pointer();
            (at_first, if pointer { None } else { scev.first_failure(l, holds, rec, bound) })
        })
    })
}

/// The blocks of `l` reachable by an iteration that does not go from `block` to `taken`.
fn idle_part(
    scev: &ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
    block: Block,
    taken: Block,
) -> EntitySet<Block> {
    let header = shape.loops.header(l);
    let mut part: EntitySet<Block> = [header].into_iter().collect();
    let mut work = vec![header];
    while let Some(at) = work.pop() {
        for &to in scev.body().successors(at) {
            let skipped = at == block && to == taken;
            if !skipped && to != header && shape.loops.contains(l, to) && part.insert(to) {
                work.push(to);
            }
        }
    }
    part
}

/// Checks that the idle part has no visible effect and terminates; returns the edges by which it leaves the loop, the
/// latch's first if it is one.
fn check_idle_part(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    part: &EntitySet<Block>,
) -> Result<Vec<Edge>, RestrictMissed> {
    let (env, body, l) = (scev.at.env, scev.body(), facts.l);
    let blocks: Vec<Block> = facts.ring.blocks.iter().copied().filter(|b| part.contains(*b)).collect();
    if blocks.iter().any(|b| shape.loops.innermost(*b) != Some(l)) {
        return Err(RestrictMissed::InnerLoop);
    }
    for &block in &blocks {
        let insts = body.insts(block);
        let is_plain = |i: &&Inst| !body.inst(**i).kind.is_terminator();
        if !insts.iter().filter(is_plain).all(|i| is_unseen(env, body, *i)) {
            return Err(RestrictMissed::Seen);
        }
        let known = body
            .terminator(block)
            .is_some_and(|t| matches!(body.inst(t).kind, InstKind::Br | InstKind::CondBr | InstKind::Switch));
        if !known {
            return Err(RestrictMissed::Seen);
        }
    }
    let exiting = shape.loops.exiting_edges(&shape.cfg, l);
    let mut leaving: Vec<Edge> = exiting.into_iter().filter(|e| part.contains(e.from)).collect();
    // The latch's edge first.
    leaving.sort_by_key(|e| e.from != facts.ring.latch);
    let exit = |e: &Edge| facts.exits.iter().find(|exit| exit.block == e.from);
    let counted = leaving.iter().filter_map(exit).any(|e| e.passed && e.exact.is_some() && !e.never);
    let ends = counted && irreducible_cycles_end(scev.at, &shape.loops, l)
        || must_make_progress(scev.at, &shape.loops, l);
    if ends { Ok(leaving) } else { Err(RestrictMissed::MayRunForever) }
}

/// The values of a loop in idle iterations.
struct IdleLoop<'a> {
    facts: &'a Facts,
    part: &'a EntitySet<Block>,
    header: Block,
    block: Block,
    taken: Block,
}

impl IdleLoop<'_> {
    /// The value of `value` in an idle iteration: follows phis with a single idle incoming value.
    fn resolve(&self, body: &Body, mut value: Value) -> Option<Value> {
        for _ in 0..MOST_PHIS {
            let Some(inst) = value.as_inst() else { return Some(value) };
            let data = body.inst(inst);
            let at = body.block_of(inst)?;
            if !data.kind.is_phi() || at == self.header || !self.facts.ring.blocks.contains(&at) {
                return Some(value);
            }
            let idle = |from: Block| self.part.contains(from) && !(from == self.block && at == self.taken);
            let mut ways = data.incoming().filter(|(_, from)| idle(*from));
            let (only, _) = ways.next()?;
            if ways.any(|(other, _)| other != only) {
                return None;
            }
            value = only;
        }
        None
    }
    /// Whether the header phi `phi` keeps its value in idle iterations.
    fn is_kept(&self, body: &Body, phi: Inst) -> bool {
        body.incoming_from(phi, self.facts.ring.latch).and_then(|carried| self.resolve(body, carried))
            == Some(phi.into())
    }
}

/// The final value of `value`, which is used after the loop; `iteration` is the number of the last iteration, if
/// known.
fn final_value(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    idle: &IdleLoop<'_>,
    value: Value,
    iteration: Option<Expr>,
) -> Result<Final, RestrictMissed> {
    let body = scev.body();
    if let Some(resolved) = idle.resolve(body, value) {
        let kept = match resolved.as_inst() {
            Some(inst) if body.block_of(inst) == Some(idle.header) && body.inst(inst).kind.is_phi() => {
                idle.is_kept(body, inst)
            }
            Some(inst) => !shape.loops.contains_inst(body, idle.facts.l, inst),
            None => true,
        };
        if kept {
            return Ok(Final::Kept(resolved));
        }
    }
    let expr = scev.expr(value).ok_or(RestrictMissed::LiveOut)?;
    let left = match iteration {
        Some(iteration) => scev.at_arrival(expr, idle.facts.l, iteration).ok_or(RestrictMissed::LiveOut)?,
        None => scev.exit_value(value, idle.facts.l),
    };
    if scev.is_could_not_compute(left) || !scev.is_available_at_entry(left, idle.facts.l) {
        return Err(RestrictMissed::LiveOut);
    }
    let at = body.terminator(idle.facts.ring.preheader).ok_or(RestrictMissed::LiveOut)?;
    // A poison step may never have been executed.
    let count = iteration.unwrap_or_else(|| scev.counts(idle.facts.l).exact);
    if !all_spread(scev, expr, Some((idle.facts.l, count)), at) {
        return Err(RestrictMissed::LiveOut);
    }
    let plan =
        expand::plan(scev, left, at, expand::Options::default()).map_err(|_| RestrictMissed::LiveOut)?;
    Ok(Final::Computed(plan))
}
