//! How a loop is left: which of its exits are counted, and how many iterations can be made without testing these.
//!
//! Every exit is passed in each iteration, or the loop is refused. Of the exits whose counts are known, the least count,
//! *taken*, is the number of iterations that certainly do not leave by them: these are what vectors are made of. It is
//! the sequential minimum in the order in which the exits are passed: the count of an exit may be poison where an
//! earlier one fires first, and counts only if none before it is zero. Whoever computes it freezes it: where it is
//! poison all the same, the source branches on poison.
//!
//! If the latch is the only exit, iteration `taken` is a whole one too, and `taken + 1` iterations can be made of vectors.
//! With any other counted exit iteration `taken` leaves in its midst: it is left to the scalar loop, which is *required*.
//! So it is where `taken` is the greatest number there is, and `taken + 1` would be 0.
//!
//! A data-dependent exit, whose count is not known, is tested in vectors. Its condition in lanes behind the first one
//! that leaves was never computed by the source: it may be poison, and is frozen before lanes are combined.

use super::{Form, Missed};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};

/// When an exit is taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// In iteration n, counted from 0, if no other is before: n as an expression, available in front of the loop.
    Counted(Expr),
    /// Never.
    Never,
    /// That depends on data.
    Uncounted,
}

/// One exit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The block that it leaves.
    pub from: Block,
    /// The exit block.
    pub to: Block,
    /// Where the other edge goes.
    pub stay: Block,
    /// The condition of the branch.
    pub condition: Value,
    /// Whether it is taken if the condition is true.
    pub if_true: bool,
    /// When it is taken.
    pub kind: ExitKind,
}

/// All exits of a loop.
#[derive(Clone, Debug)]
pub struct Exits {
    /// In the order in which they are passed.
    pub all: Vec<Exit>,
    /// How many iterations leave by none of the counted ones, before the one that does: to be frozen where it is computed.
    pub taken: Expr,
    /// Whether `taken` is neither poison nor undef even if a data-dependent exit is taken before a counted one is passed.
    pub is_certain: bool,
    /// Whether iteration `taken` can't be one of vectors, because it leaves before its end.
    pub needs_scalar: bool,
}

impl Exits {
    /// The one that the branch `inst` takes, if it leaves the loop.
    pub fn of_branch(&self, body: &Body, inst: Inst) -> Option<&Exit> {
        self.all.iter().find(|e| body.terminator(e.from) == Some(inst))
    }
    /// The data-dependent ones.
    pub fn uncounted(&self) -> impl Iterator<Item = &Exit> {
        self.all.iter().filter(|e| e.kind == ExitKind::Uncounted)
    }
}

pub(super) fn check(scev: &mut ScalarEvolution<'_>, form: &Form) -> Result<Exits, Missed> {
    let (body, loops, dominators) = (scev.body(), scev.loops(), scev.dominators());
    let counts = scev.counts(form.l);
    let mut all = Vec::new();
    for block in &form.blocks {
        let inside = |b: &Block| loops.contains(form.l, *b);
        let Some(branch) = body.terminator(*block).map(|t| body.inst(t)) else { continue };
        if branch.successors().iter().all(inside) {
            continue;
        }
        let (InstKind::CondBr, [if_true, if_false]) = (&branch.kind, branch.successors()) else {
            return Err(Missed::ConditionalExit);
        };
        let (to, stay, leaves_if_true) = match (inside(if_true), inside(if_false)) {
            (false, true) => (*if_true, *if_false, true),
            (true, false) => (*if_false, *if_true, false),
            _ => return Err(Missed::ConditionalExit),
        };
        if !dominators.dominates(*block, form.latch) {
            return Err(Missed::ConditionalExit);
        }
        let count = counts.exits.iter().find(|(b, _)| b == block).map(|(_, count)| *count);
        let kind = match count {
            Some(count) if count.never => ExitKind::Never,
            Some(count)
                if !scev.is_could_not_compute(count.exact)
                    && scev.is_available_at_entry(count.exact, form.l) =>
            {
                ExitKind::Counted(count.exact)
            }
            _ => ExitKind::Uncounted,
        };
        let condition = branch.operands[0];
        all.push(Exit { from: *block, to, stay, condition, if_true: leaves_if_true, kind });
    }
    let taken = least(scev, &all).ok_or(Missed::CountUnknown)?;
    let is_latch = |e: &Exit| e.from == form.latch;
    // Of one more there would be none at all.
    let is_most = scev.as_constant(taken).is_some_and(|taken| taken == Int::all_ones(taken.width()));
    let needs_scalar = is_most || all.iter().any(|e| matches!(e.kind, ExitKind::Counted(_)) && !is_latch(e));
    let has_uncounted = all.iter().any(|e| e.kind == ExitKind::Uncounted);
    let is_certain = !has_uncounted || is_certain(scev, form, taken);
    if has_uncounted && !divides_safely(scev, taken) {
        return Err(Missed::EarlyExitCount);
    }
    Ok(Exits { all, taken, is_certain, needs_scalar })
}

/// The least of the known counts.
fn least(scev: &mut ScalarEvolution<'_>, exits: &[Exit]) -> Option<Expr> {
    let counts: Vec<Expr> = exits
        .iter()
        .filter_map(|e| match e.kind {
            ExitKind::Counted(count) => Some(count),
            ExitKind::Never | ExitKind::Uncounted => None,
        })
        .collect();
    let width = counts.iter().map(|e| scev.width(*e)).max()?;
    let wide: Vec<Expr> = counts.into_iter().map(|e| scev.zext(e, width)).collect();
    Some(match &wide[..] {
        [one] => *one,
        all => scev.min_max(NAry::UMinSeq, all),
    })
}

/// Whether `expr` is neither poison nor undef in front of the loop. Where it is, a data-dependent exit is taken in the first
/// iteration, before any counted one is passed: the source would branch on it. Vectors leave in their first lane then, however
/// many iterations it is taken for; but what is loaded in the other lanes need not be there.
fn is_certain(scev: &mut ScalarEvolution<'_>, form: &Form, expr: Expr) -> bool {
    let Some(place) = scev.body().terminator(form.preheader) else { return false };
    let at = scev.at;
    scev.arena().all_parts(expr, |_, node| match node {
        Node::Unknown(value) => is_guaranteed_defined(at, *value, Some(place), Defined::NotUndef),
        Node::CouldNotCompute | Node::AddRec(..) => false,
        _ => true,
    })
}

/// Whether all divisions in `expr` can be done in front of the loop, whatever the iterations do.
fn divides_safely(scev: &mut ScalarEvolution<'_>, expr: Expr) -> bool {
    let mut divisors = Vec::new();
    let known = scev.arena().all_parts(expr, |_, node| {
        if let Node::UDiv([_, by]) = node {
            divisors.push(*by);
        }
        !matches!(node, Node::CouldNotCompute | Node::AddRec(..))
    });
    known && divisors.into_iter().all(|by| scev.is_known_non_zero(by))
}
