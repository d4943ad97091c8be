//! Whether the iterations in which a condition does not hold can be left out.
//!
//! A branch in the loop goes one way (*taken*) up to some iteration and the other way from then on, for good. In the
//! iterations of the second kind nothing is done that can be seen, the loop comes to its end, and it is known what its
//! values are then. So the loop may be left where the branch first goes the other way.
//!
//! What runs in an iteration that does not take the branch is the *idle* part: the blocks of the loop that can be reached
//! from the header without the taken edge. Needs loop simplify and LCSSA form.
//!
//! If the branch depends on several comparisons, all of which have to hold for it to be taken, one of them that changes is
//! enough: before, the branch goes either way; from then on, it is not taken.

use super::Missed;
use super::parts::{Order, Part, parts};
use crate::counted::{Facts, Which, which_exit};
use crate::iteration_split::check::recurrence_and_bound;
use crate::leaves::all_spread;
use crate::pass::Shape;
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

/// How many branches of a loop are looked at.
const MOST_BRANCHES: usize = 32;
/// How many phis are followed to find out what a value is in idle iterations.
const MOST_PHIS: usize = 64;

/// A branch that the loop may be left at.
#[derive(Debug)]
pub(super) struct Turn {
    /// The block that ends in it.
    pub(super) block: Block,
    /// Where it goes as long as the condition holds.
    pub(super) taken: Block,
    /// Where it goes afterwards.
    pub(super) idle: Block,
    /// The comparison that changes: the condition, or a part of it.
    pub(super) comparison: Inst,
    /// How it and what else there is of the condition can be tested.
    pub(super) order: Order,
    /// What the comparison is as long as the branch may be taken.
    pub(super) at_first: bool,
    /// The number of the first iteration in which the comparison is the other, if that is known.
    pub(super) iteration: Option<Expr>,
    /// How idle iterations leave the loop in the end.
    pub(super) end: End,
}

/// How idle iterations leave a loop in the end.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// By edges to one block with the same values.
    Same {
        /// One of them: that of the latch, if it is one.
        leaves: Edge,
        /// The other ones.
        others: Vec<Edge>,
        /// What the phis of the exit block get on that edge in the end.
        values: Vec<LiveOut>,
    },
    /// By the exit that counts tell, with the values that the phis of its exit block get then.
    Told(Which, Vec<Vec<(Inst, Final)>>),
}

impl End {
    /// The blocks from which idle iterations leave.
    pub(super) fn from(&self) -> Vec<Block> {
        match self {
            Self::Same { leaves, others, .. } => others.iter().chain([leaves]).map(|e| e.from).collect(),
            Self::Told(which, _) => which.ways.iter().map(|way| way.from).collect(),
        }
    }
}

/// What a phi of the exit block gets.
#[derive(Clone, Debug)]
pub(super) struct LiveOut {
    /// The phi.
    pub(super) phi: Inst,
    /// What it gets in the end.
    pub(super) last: Final,
    /// Whether it gets the same at the end of the last iteration that takes the branch: what that iteration carries on is
    /// what idle ones keep.
    pub(super) when_taken: bool,
}

/// What a value is when the loop is left after idle iterations.
#[derive(Clone, Debug)]
pub(super) enum Final {
    /// What that value is from the first idle iteration on: it is invariant or a phi of the header.
    Kept(Value),
    /// The value of an expression, computed in front of the loop.
    Computed(Plan),
}

/// The first branch of `l` that the loop may be left at and that `more` takes, with what it makes of it.
pub(super) fn turn<T>(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
    facts: &Facts,
    more: impl Fn(&mut ScalarEvolution<'_>, &Facts, &Turn) -> Result<T, Missed>,
) -> Result<(Turn, T), Missed> {
    let body = scev.body();
    let mut missed = Missed::NoBranch;
    let candidates = facts.ring.blocks.iter().copied().filter(|b| {
        shape.loops.innermost(*b) == Some(l)
            && shape.dominators.dominates(*b, facts.ring.latch)
            && body.successors(*b).iter().all(|to| shape.loops.contains(l, *to))
            && body.terminator(*b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::CondBr))
    });
    for block in candidates.take(MOST_BRANCHES).collect::<Vec<_>>() {
        let found = turns_at(scev, shape, l, facts, block).and_then(|turns| {
            let mut missed = Missed::NotMonotonic;
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

/// For each comparison that the branch at the end of `block` depends on and that changes for good, the branch as one that
/// the loop may be left at.
fn turns_at(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
    facts: &Facts,
    block: Block,
) -> Result<Vec<Turn>, Missed> {
    let body = scev.body();
    let branch = body.terminator(block).ok_or(Missed::NoBranch)?;
    let [if_true, if_false] = body.successors(block)[..] else { return Err(Missed::NoBranch) };
    if if_true == if_false {
        return Err(Missed::NoBranch);
    }
    let mut turns: Vec<Turn> = Vec::new();
    for Part { comparison, needed, order } in parts(scev, branch) {
        let Some((at_first, iteration)) = first_kind(scev, l, comparison) else { continue };
        let is_needed = needed.is_none_or(|needed| needed == at_first);
        if !is_needed || leaves_by(scev, shape, l, block, comparison) {
            continue;
        }
        let (taken, idle) = if at_first { (if_true, if_false) } else { (if_false, if_true) };
        // What is idle is the same for all parts of a condition.
        let end = match turns.first() {
            Some(turn) => turn.end.clone(),
            None => left_at(scev, shape, (l, facts), block, taken)?,
        };
        turns.push(Turn { block, taken, idle, comparison, order, at_first, iteration, end });
    }
    if turns.is_empty() { Err(Missed::NotMonotonic) } else { Ok(turns) }
}

/// Whether the loop is left by a test of `comparison` before an iteration comes to `block`: it is what it is at first there.
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

/// How `l` is left in the end if `block` does not go on to `taken` any more.
fn left_at(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    block: Block,
    taken: Block,
) -> Result<End, Missed> {
    let part = idle_part(scev, shape, l, block, taken);
    let leaving = check_idle_part(scev, shape, l, facts, &part)?;
    let idle = IdleLoop { l, facts, part: &part, header: facts.ring.header, block, taken };
    match left_alike(scev, shape, &idle, &leaving) {
        Ok(end) => Ok(end),
        Err(missed) if leaving.len() > 1 => left_as_told(scev, shape, &idle).ok_or(missed),
        Err(missed) => Err(missed),
    }
}

/// The end if all edges lead to one block with the same values.
fn left_alike(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    idle: &IdleLoop<'_>,
    leaving: &[Edge],
) -> Result<End, Missed> {
    let body = scev.body();
    let (&leaves, others) = leaving.split_first().ok_or(Missed::SeveralExits)?;
    if others.iter().any(|e| e.to != leaves.to) {
        return Err(Missed::SeveralExits);
    }
    let exit_phis: Vec<Inst> = body.phis(leaves.to).collect();
    let mut values = Vec::new();
    for phi in exit_phis {
        let value = body.incoming_from(phi, leaves.from).ok_or(Missed::LiveOut)?;
        let last = final_value(scev, shape, idle, value, None)?;
        for other in others {
            // Which of several ways is gone in the end is not known: what is computed for one of them is not so of others.
            let value = body.incoming_from(phi, other.from).ok_or(Missed::LiveOut)?;
            match (&last, final_value(scev, shape, idle, value, None)?) {
                (Final::Kept(a), Final::Kept(b)) if *a == b => {}
                _ => return Err(Missed::LiveOut),
            }
        }
        let when_taken = match &last {
            Final::Computed(_) => true,
            // Of a phi that is what the iteration carries on: the phi itself is one iteration behind.
            Final::Kept(kept) => match kept.as_inst().filter(|i| body.block_of(*i) == Some(idle.header)) {
                Some(phi) => body.incoming_from(phi, idle.facts.ring.latch) == Some(value),
                None => *kept == value,
            },
        };
        values.push(LiveOut { phi, last, when_taken });
    }
    Ok(End::Same { leaves, others: others.to_vec(), values })
}

/// The end if the counts of the exits tell by which of them the loop is left.
fn left_as_told(scev: &mut ScalarEvolution<'_>, shape: &Shape, idle: &IdleLoop<'_>) -> Option<End> {
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

/// What `comparison` is at first, if it changes at most once over the iterations of `l`, and when.
fn first_kind(scev: &mut ScalarEvolution<'_>, l: LoopId, comparison: Inst) -> Option<(bool, Option<Expr>)> {
    let (pred, rec, bound) = recurrence_and_bound(scev, l, comparison)?;
    [true, false].into_iter().find_map(|at_first| {
        let holds: IntPredicate = if at_first { pred } else { pred.inverse() };
        (scev.monotonicity(rec, holds) == Some(Monotonic::Decreasing)).then(|| {
            // Pointers that are no integers can be compared, and not counted.
            let pointer = scev.ty(rec).is_pointer();
            (at_first, if pointer { None } else { scev.first_failure(l, holds, rec, bound) })
        })
    })
}

/// The blocks of `l` that an iteration can come to which does not go from `block` to `taken`.
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

/// Whether nothing in the idle part can be seen, and it comes to an end; the edges by which it is left then, that of the latch
/// first if it is one.
fn check_idle_part(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
    facts: &Facts,
    part: &EntitySet<Block>,
) -> Result<Vec<Edge>, Missed> {
    let (env, body) = (scev.at.env, scev.body());
    let blocks: Vec<Block> = facts.ring.blocks.iter().copied().filter(|b| part.contains(*b)).collect();
    if blocks.iter().any(|b| shape.loops.innermost(*b) != Some(l)) {
        return Err(Missed::InnerLoop);
    }
    for &block in &blocks {
        let insts = body.insts(block);
        let is_plain = |i: &&Inst| !body.inst(**i).kind.is_terminator();
        if !insts.iter().filter(is_plain).all(|i| is_unseen(env, body, *i)) {
            return Err(Missed::Seen);
        }
        let known = body
            .terminator(block)
            .is_some_and(|t| matches!(body.inst(t).kind, InstKind::Br | InstKind::CondBr | InstKind::Switch));
        if !known {
            return Err(Missed::Seen);
        }
    }
    let exiting = shape.loops.exiting_edges(&shape.cfg, l);
    let mut leaving: Vec<Edge> = exiting.into_iter().filter(|e| part.contains(e.from)).collect();
    // The latch's first.
    leaving.sort_by_key(|e| e.from != facts.ring.latch);
    let exit = |e: &Edge| facts.exits.iter().find(|exit| exit.block == e.from);
    let counted = leaving.iter().filter_map(exit).any(|e| e.passed && e.exact.is_some() && !e.never);
    let ends = counted && irreducible_cycles_end(scev.at, &shape.loops, l)
        || must_make_progress(scev.at, &shape.loops, l);
    if ends { Ok(leaving) } else { Err(Missed::MayRunForever) }
}

/// What the values of a loop become in idle iterations.
struct IdleLoop<'a> {
    l: LoopId,
    facts: &'a Facts,
    part: &'a EntitySet<Block>,
    header: Block,
    block: Block,
    taken: Block,
}

impl IdleLoop<'_> {
    /// What `value` is in an idle iteration: followed through the phis of which only one way in is idle.
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
    /// Whether the phi `phi` of the header keeps its value over idle iterations.
    fn is_kept(&self, body: &Body, phi: Inst) -> bool {
        body.incoming_from(phi, self.facts.ring.latch).and_then(|carried| self.resolve(body, carried))
            == Some(phi.into())
    }
}

/// What `value`, which leaves the loop, is in the end; if it is known, in that iteration.
fn final_value(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    idle: &IdleLoop<'_>,
    value: Value,
    iteration: Option<Expr>,
) -> Result<Final, Missed> {
    let body = scev.body();
    if let Some(resolved) = idle.resolve(body, value) {
        let kept = match resolved.as_inst() {
            Some(inst) if body.block_of(inst) == Some(idle.header) && body.inst(inst).kind.is_phi() => {
                idle.is_kept(body, inst)
            }
            Some(inst) => !shape.loops.contains_inst(body, idle.l, inst),
            None => true,
        };
        if kept {
            return Ok(Final::Kept(resolved));
        }
    }
    let expr = scev.expr(value).ok_or(Missed::LiveOut)?;
    let left = match iteration {
        Some(iteration) => scev.at_arrival(expr, idle.l, iteration).ok_or(Missed::LiveOut)?,
        None => scev.exit_value(value, idle.l),
    };
    if scev.is_could_not_compute(left) || !scev.is_available_at_entry(left, idle.l) {
        return Err(Missed::LiveOut);
    }
    let at = body.terminator(idle.facts.ring.preheader).ok_or(Missed::LiveOut)?;
    // A step that is poison may never have been made.
    let count = iteration.unwrap_or_else(|| scev.counts(idle.l).exact);
    if !all_spread(scev, expr, Some((idle.l, count)), at) {
        return Err(Missed::LiveOut);
    }
    let plan = expand::plan(scev, left, at, expand::Options::default()).map_err(|_| Missed::LiveOut)?;
    Ok(Final::Computed(plan))
}
