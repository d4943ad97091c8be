//! Exits of a loop: which of them are counted, and how many iterations can execute without testing these.
//!
//! The loop is rejected unless every exit is reached in each iteration. *taken*, the least of the known exit counts, is
//! the number of iterations that certainly do not leave through a counted exit; vector iterations are formed from
//! these. It is the sequential minimum in the order in which the exits are reached: the count of an exit may be poison
//! if an earlier exit is taken first, and matters only if no earlier count is zero. The computed value is frozen: where
//! it is still poison, the source branches on poison.
//!
//! If the latch is the only exiting block, iteration `taken` is complete as well, and `taken + 1` iterations can be
//! vectorized. With any other counted exit, iteration `taken` is incomplete; it is left to the scalar loop, which is
//! then *required*. The scalar loop is also required if `taken` is the maximum value of its type, because `taken + 1`
//! would wrap to 0.
//!
//! A data-dependent exit, whose count is unknown, is tested in vectors. The source does not compute its condition for
//! lanes after the first one that leaves; the condition may be poison there and is frozen before lanes are combined.

use super::{Form, LegalityMissed};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_scev::{Expr, NAry, Node, ScalarEvolution};

/// The condition under which an exit is taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// In iteration n, counted from 0, unless another exit is taken first. The expression n is available before the
    /// loop.
    Counted(Expr),
    /// Never.
    Never,
    /// Data-dependent.
    Uncounted,
}

/// An exit of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The exiting block.
    pub from: Block,
    /// The exit block.
    pub to: Block,
    /// The successor inside the loop.
    pub stay: Block,
    /// The condition of the branch.
    pub condition: Value,
    /// Whether the exit is taken if the condition is true.
    pub if_true: bool,
    /// The kind of the exit.
    pub kind: ExitKind,
}

/// All exits of a loop.
#[derive(Clone, Debug)]
pub struct Exits {
    /// In the order in which an iteration reaches them.
    pub all: Vec<Exit>,
    /// The number of iterations before the one that leaves through a counted exit. It must be frozen where it is
    /// computed.
    pub taken: Expr,
    /// Whether `taken` is neither poison nor undef even if a data-dependent exit is taken before any counted exit is
    /// reached.
    pub is_certain: bool,
    /// Whether iteration `taken` cannot be vectorized because it leaves before its end.
    pub needs_scalar: bool,
}

impl Exits {
    /// The exit that the branch `inst` controls, if it is an exiting branch.
    pub fn of_branch(&self, body: &Body, inst: Inst) -> Option<&Exit> {
        self.all.iter().find(|e| body.terminator(e.from) == Some(inst))
    }
    /// The data-dependent exits.
    pub fn uncounted(&self) -> impl Iterator<Item = &Exit> {
        self.all.iter().filter(|e| e.kind == ExitKind::Uncounted)
    }
}

pub(super) fn check(scev: &mut ScalarEvolution<'_>, form: &Form) -> Result<Exits, LegalityMissed> {
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
            return Err(LegalityMissed::ConditionalExit);
        };
        let (to, stay, leaves_if_true) = match (inside(if_true), inside(if_false)) {
            (false, true) => (*if_true, *if_false, true),
            (true, false) => (*if_false, *if_true, false),
            _ => return Err(LegalityMissed::ConditionalExit),
        };
        if !dominators.dominates(*block, form.latch) {
            return Err(LegalityMissed::ConditionalExit);
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
    let taken = least(scev, &all).ok_or(LegalityMissed::CountUnknown)?;
    let is_latch = |e: &Exit| e.from == form.latch;
    // `taken + 1` would wrap to zero.
    let is_most = scev.as_constant(taken).is_some_and(|taken| taken == Int::all_ones(taken.width()));
    let needs_scalar = is_most || all.iter().any(|e| matches!(e.kind, ExitKind::Counted(_)) && !is_latch(e));
    let has_uncounted = all.iter().any(|e| e.kind == ExitKind::Uncounted);
    let is_certain = !has_uncounted || is_certain(scev, form, taken);
    if has_uncounted && !divides_safely(scev, taken) {
        return Err(LegalityMissed::EarlyExitCount);
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

/// Whether `expr` is neither poison nor undef before the loop. If it is, the source takes a data-dependent exit in the
/// first iteration before it reaches a counted exit; otherwise it would branch on poison or undef. The vector loop then
/// leaves in its first lane, whatever value the count is frozen to, but the memory that other lanes load may not exist.
fn is_certain(scev: &mut ScalarEvolution<'_>, form: &Form, expr: Expr) -> bool {
    let Some(place) = scev.body().terminator(form.preheader) else { return false };
    let at = scev.at;
    scev.arena().all_parts(expr, |_, node| match node {
        Node::Unknown(value) => is_guaranteed_defined(at, *value, Some(place), Defined::NotUndef),
        Node::CouldNotCompute | Node::AddRec(..) => false,
        _ => true,
    })
}

/// Whether all divisions in `expr` are safe before the loop, independent of the iterations.
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
