//! Construction of regions from LLVM IR: selects the loop nests of a function and builds their trees.
//!
//! Requirements on the function: none. A nest that is not in the required form is skipped with a reason ([`BuildMissed`]),
//! and its inner nests are tried. The required form is loop-simplify form of each loop of the nest, LCSSA form, only
//! branches and switches as terminators, and sizes within the limits. Guarantee: the tree, executed as
//! [`crate::node`] specifies, behaves like the nest in every run without UB.
//!
//! # Values
//!
//! A tree has variables in place of SSA values. Every *needed* instruction (it has an effect, decides control flow,
//! or is read by a needed instruction) writes a variable of its own. A phi's variable is written where control
//! reaches the phi: at the end of each predecessor list. A header phi and the value on its backedge share one
//! variable (a strongly connected set) if the phi is not read after that value's definition.
//!
//! An integer operand is written in closed form if it has one. Instructions whose only users were replaced by closed
//! forms disappear: induction variables, subscripts and sums of them. The variables in a form must hold, *at the
//! place of the form*, the values that SCEV means (`values`). The variable of a header phi does so only inside the
//! loop and, if it is shared, only up to the write of the shared variable.
//!
//! # Trees
//!
//! A loop's body without backedges, with each inner loop as one node, is an acyclic graph. The nodes that a node
//! dominates follow it in topological order, each under a label; a successor of a branch whose only predecessor is
//! that branch is placed inside the branch. Edges are gotos, omitted where control falls through anyway, so diamonds
//! and triangles become ifs without gotos. Source: Ramsey, "Beyond Relooper" (2022).
//!
//! A loop whose latch is exiting and whose count SCEV knows under the assumption that no other exit is taken has the
//! bounds 0, U, 1, where U is that count; the latch's branch is removed. All other loops are unknown loops. An if
//! around nothing but a loop, which decides whether that loop runs, is the loop's zero-trip test.
//!
//! | purpose | file |
//! |---|---|
//! | selection of nests | here; blocks of a region: `extent`; its neighbours: `neighbours` |
//! | variables, closed forms at places | `values` |
//! | addresses | `memory` |
//! | recovery of several dimensions from one subscript | `delinearize`, `polynomial` |
//! | other facts about variables, for dependence tests | `known` |
//! | instructions, conditions, copies: which are needed | `needed` |
//! | trees | `shape`, from graphs in `units`; removal of redundant gotos and labels: `tidy`; zero-trip tests: `ztt` |

mod delinearize;
mod extent;
mod known;
mod memory;
mod needed;
mod neighbours;
mod polynomial;
mod shape;
mod tidy;
mod units;
mod values;
mod ztt;

pub use extent::Extent;

use crate::barrier::Barrier;
use crate::blob::Temp;
use crate::node::{Hir, Node};
use backedge_analysis::LoopId;
use backedge_analysis::cache::IrreducibleCycles;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_scev::ScalarEvolution;
use std::fmt;

/// Limit on the blocks of a nest: bounds the time for trees and their dependence graphs. Larger nests are skipped.
const MOST_BLOCKS: usize = 1000;
/// Limit on the instructions of a nest, for the same reason.
const MOST_INSTS: usize = 20_000;
/// Limit on the nesting depth of loops: a dependence has one component per loop, and the tree is built recursively.
/// Deeper nests are skipped.
const MOST_LEVELS: u32 = 64;

/// Reason for skipping a nest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BuildMissed {
    /// A loop of the nest has no preheader, several latches, or exit blocks with predecessors outside the loop.
    LoopForm,
    /// A value defined in a loop has a use outside the loop that is not a phi of an exit block.
    NotClosed,
    /// The nest contains a cycle that is not a natural loop.
    Irreducible,
    /// A block of the nest ends in neither a branch nor a switch.
    Terminator(Block),
    /// The nest exceeds the size limits.
    TooLarge,
    /// Branches nest too deeply.
    TooDeep,
}

impl BuildMissed {
    /// The reason's name in remarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::LoopForm => "NotSimplified",
            Self::NotClosed => "NotClosed",
            Self::Irreducible => "Irreducible",
            Self::Terminator(_) => "Terminator",
            Self::TooLarge => "TooLarge",
            Self::TooDeep => "TooDeep",
        }
    }
}

impl fmt::Display for BuildMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopForm => "a loop of the nest is not in loop-simplify form",
            Self::NotClosed => "the nest is not in LCSSA form",
            Self::Irreducible => "the nest contains a cycle that is not a loop",
            Self::Terminator(_) => "a block of the nest ends in something other than a branch or switch",
            Self::TooLarge => "the nest is too large",
            Self::TooDeep => "branches of the nest are nested too deeply",
        })
    }
}

/// A nest that was taken, or several neighbouring nests taken as one region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The outermost loop of the nest; the first one of several.
    pub l: LoopId,
    /// The loops and blocks of the region.
    pub extent: Extent,
    /// Its tree.
    pub region: Node,
    /// The exit blocks of the region.
    pub exits: Vec<Block>,
    /// The phis of the exit blocks, with the variables that are written on the way there.
    pub live_out: Vec<(Inst, Temp)>,
    /// Values with uses after the region other than by these phis, with their variables.
    pub open: Vec<(Inst, Temp)>,
    /// The instructions that are nodes of the tree, with their nodes.
    pub nodes: Vec<(Inst, Node)>,
    /// The loop headers, with their loop nodes.
    pub headers: Vec<(Block, Node)>,
    /// The header phis that are variables, with their variables.
    pub phis: Vec<(Inst, Temp)>,
}

/// The nests of a function.
#[derive(Debug, Default)]
pub struct Built {
    /// The trees.
    pub hir: Hir,
    /// The nests that were taken.
    pub taken: Vec<Taken>,
    /// The nests that were skipped, with the reasons.
    pub missed: Vec<(LoopId, BuildMissed)>,
    /// First blocks of the outermost irreducible cycles (those inside no loop); such cycles are never taken.
    pub cycles: Vec<Block>,
    /// Last loops of regions that only a barrier separates from the next loop, with the barrier.
    pub parted: Vec<(LoopId, Barrier)>,
}

/// Takes all nests of the function that can be taken; neighbouring nests become one region.
pub fn build(scev: &mut ScalarEvolution<'_>) -> Built {
    let mut built = Built::default();
    let (loops, cfg) = (scev.loops(), scev.cfg());
    let mut values = values::Values::new(scev);
    let mut work: Vec<Vec<LoopId>> = vec![loops.top_level().to_vec()];
    while let Some(mut siblings) = work.pop() {
        siblings.sort_by_key(|l| cfg.position(loops.header(*l)));
        let mut at = 0;
        while let Some(l) = siblings.get(at).copied() {
            let mut parted = None;
            let result = check(scev, l).and_then(|()| {
                let extent;
                (extent, parted) = with_neighbours(scev, &values, &siblings[at..]);
                let alone = Extent::of_loop(&values, l);
                take(scev, &mut built, &mut values, &extent)
                    .or_else(|_| take(scev, &mut built, &mut values, &alone))
            });
            match result {
                Ok(extent) => {
                    at += extent.loops.len();
                    built.parted.extend(parted.filter(|(last, _)| extent.loops.last() == Some(last)));
                }
                Err(missed) => {
                    at += 1;
                    built.missed.push((l, missed));
                    work.push(loops.children(l).to_vec());
                }
            }
        }
    }
    built.taken.sort_by_key(|taken| cfg.position(loops.header(taken.l)));
    built.missed.sort_by_key(|(l, _)| cfg.position(loops.header(*l)));
    let irreducible = scev.at.get::<IrreducibleCycles>();
    let outside = irreducible.0.iter().filter(|cycle| cycle.in_loop.is_none());
    built.cycles = outside.filter_map(|cycle| cycle.entries.first()).copied().collect();
    built
}

/// The first of these loops and as many following neighbours as possible. Also returns the barrier after the last
/// one, if only that barrier keeps the next loop from being a neighbour.
fn with_neighbours(
    scev: &ScalarEvolution<'_>,
    values: &values::Values<'_>,
    siblings: &[LoopId],
) -> (Extent, Option<(LoopId, Barrier)>) {
    let mut extent = Extent::of_loop(values, siblings[0]);
    for pair in siblings.windows(2) {
        let (last, next) = (pair[0], pair[1]);
        let both = check(scev, next).map_err(|_| None).and_then(|()| extent.with_neighbour(values, next));
        match both {
            Ok(both) => extent = both,
            Err(barrier) => return (extent, barrier.map(|barrier| (last, barrier))),
        }
    }
    (extent, None)
}

/// Builds the tree of a region.
fn take<'a>(
    scev: &mut ScalarEvolution<'a>,
    built: &mut Built,
    values: &mut values::Values<'a>,
    extent: &Extent,
) -> Result<Extent, BuildMissed> {
    let needed = needed::Needed::new(scev, &mut built.hir, values, extent);
    let (taken, places) = shape::region(&needed, &mut built.hir, values, extent)?;
    ztt::form(scev, &mut built.hir, taken.region, &places);
    known::gather(scev, &mut built.hir, &taken);
    built.taken.push(taken);
    values.leave(extent);
    Ok(extent.clone())
}

fn check(scev: &ScalarEvolution<'_>, l: LoopId) -> Result<(), BuildMissed> {
    let (body, cfg, loops) = (scev.body(), scev.cfg(), scev.loops());
    let blocks = loops.blocks(l);
    let insts: usize = blocks.iter().map(|b| body.insts(*b).len()).sum();
    let depth = |inner: LoopId| loops.depth(inner) + 1 - loops.depth(l);
    if blocks.len() > MOST_BLOCKS || insts > MOST_INSTS || loops.nest(l).any(|i| depth(i) > MOST_LEVELS) {
        return Err(BuildMissed::TooLarge);
    }
    let irreducible = scev.at.get::<IrreducibleCycles>();
    // A cycle that contains the whole loop does not matter.
    if irreducible.0.iter().any(|cycle| cycle.blocks.iter().all(|b| loops.contains(l, *b))) {
        return Err(BuildMissed::Irreducible);
    }
    for block in blocks {
        let end = body.terminator(*block).map(|t| &body.inst(t).kind);
        if !matches!(end, Some(InstKind::Br | InstKind::CondBr | InstKind::Switch)) {
            return Err(BuildMissed::Terminator(*block));
        }
    }
    if !loops.nest(l).all(|inner| loops.has_loop_simplify_form(&cfg, inner)) {
        return Err(BuildMissed::LoopForm);
    }
    if !loops.is_recursively_lcssa(body, &cfg, l) {
        return Err(BuildMissed::NotClosed);
    }
    Ok(())
}
