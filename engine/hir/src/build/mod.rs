//! Regions from LLVM IR: which loop nests of a function are taken, and their trees.
//!
//! Needs nothing of the function; a nest that is not in the form needed is left, with the reason ([`Missed`]), and its
//! inner nests are tried. Needed are loop-simplify form of each loop of the nest, LCSSA form, branches and switches alone
//! at the ends of blocks, and sizes within bounds. Guarantees: the tree, run as [`crate::node`] says, does what the nest
//! does, in runs in which that has no undefined behaviour.
//!
//! # What becomes of values
//!
//! A tree has variables in place of SSA values. Every instruction that is *needed* (it has an effect, decides where control
//! goes, or is read by something needed) writes a variable of its own; a phi's variable is written where control comes
//! to it, at the end of each list from which it does. The phi of a loop's header and the value that its backedge brings
//! share one variable, a strongly connected set, if the phi is read nowhere behind that value's definition.
//!
//! An operand that is an integer is written in closed form if it has one. Instructions that nothing but closed forms
//! stood for are gone: induction variables, subscripts, sums of them. The variables in a form must hold, *at the place of
//! the form*, the values that SCEV speaks of (`values`): that of a header's phi does so in the loop only, and where it is
//! shared, only up to where it is written.
//!
//! # How trees are made
//!
//! A loop's body without backedges, inner loops taken as one node each, is a graph without cycles. What a node dominates
//! stands behind it, in topological order, each under a label; a successor of a branch that is come to from there alone
//! stands in the branch. Edges are gotos, which are left out where control comes there anyway: what remains of diamonds
//! and triangles are ifs alone. Source: Ramsey, "Beyond Relooper" (2022).
//!
//! A loop whose latch leaves it, and whose count SCEV knows as if no other exit were taken, has bounds 0, U, 1 with that
//! count for U, and the latch's branch is gone. All others are unknown loops. An if around nothing but a loop that decides
//! whether that would run at all is its zero-trip test.
//!
//! | what | file |
//! |---|---|
//! | which nests | here; which blocks of a region, neighbours: `extent` |
//! | variables, closed forms at places | `values` |
//! | addresses | `memory`, several dimensions in one subscript: `delinearize`, `polynomial`; what else is known of variables, for tests of dependences: `known` |
//! | instructions, conditions, copies: what is needed | `needed` |
//! | trees | `shape`, of graphs in `units`; gotos and labels that say nothing: `tidy`; zero-trip tests: `ztt` |

mod delinearize;
mod extent;
mod known;
mod memory;
mod needed;
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

/// Blocks and instructions of a nest beyond which it is left.
const MOST_BLOCKS: usize = 1000;
const MOST_INSTS: usize = 20_000;
/// How deep loops may nest.
const MOST_LEVELS: u32 = 64;

/// Why a nest is not taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// A loop of it has no preheader, several latches, or exits that are come to from elsewhere.
    LoopForm,
    /// A value of a loop is used outside of it other than by a phi of an exit.
    NotClosed,
    /// There is a cycle in it that is no loop.
    Irreducible,
    /// A block of it ends in something other than a branch or switch.
    Terminator(Block),
    /// It is too large.
    TooLarge,
    /// Branches nest too deeply.
    TooDeep,
}

impl Missed {
    /// What it is called in remarks.
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

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopForm => "a loop of the nest is not in loop-simplify form",
            Self::NotClosed => "the nest is not in LCSSA form",
            Self::Irreducible => "there is a cycle in the nest that is no loop",
            Self::Terminator(_) => "a block of the nest ends in something other than a branch or switch",
            Self::TooLarge => "the nest is too large",
            Self::TooDeep => "branches of the nest are nested too deeply",
        })
    }
}

/// A nest that was taken, or several as one region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Its outermost loop, the first of several.
    pub l: LoopId,
    /// What it is made of.
    pub extent: Extent,
    /// Its tree.
    pub region: Node,
    /// The blocks that the region's exits are.
    pub exits: Vec<Block>,
    /// The phis of these blocks, with the variables that are written on the way there.
    pub live_out: Vec<(Inst, Temp)>,
    /// Values that are used behind it other than by these, with their variables.
    pub open: Vec<(Inst, Temp)>,
    /// The instructions that are nodes of the tree.
    pub nodes: Vec<(Inst, Node)>,
    /// The headers of loops, with the loops.
    pub headers: Vec<(Block, Node)>,
    /// The phis of headers that are variables, with these.
    pub phis: Vec<(Inst, Temp)>,
}

/// The nests of a function.
#[derive(Debug, Default)]
pub struct Built {
    /// Their trees.
    pub hir: Hir,
    /// Those that were taken.
    pub taken: Vec<Taken>,
    /// Those that were not, and why.
    pub missed: Vec<(LoopId, Missed)>,
    /// The cycles that are no loops and are in none, by their first blocks: none is taken.
    pub cycles: Vec<Block>,
    /// The last loops of regions, of which the next loop would be a neighbour but for what stands between them.
    pub parted: Vec<(LoopId, Barrier)>,
}

/// Takes all nests of the function that can be taken; neighbours as one region.
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

/// The first of these loops, and as many of those that follow as are neighbours, one after the other; and what parts the last
/// one from the next, if they would be neighbours but for that.
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

/// Makes the tree of a region.
fn take<'a>(
    scev: &mut ScalarEvolution<'a>,
    built: &mut Built,
    values: &mut values::Values<'a>,
    extent: &Extent,
) -> Result<Extent, Missed> {
    let needed = needed::Needed::new(scev, &mut built.hir, values, extent);
    let (taken, places) = shape::region(&needed, &mut built.hir, values, extent)?;
    ztt::form(scev, &mut built.hir, taken.region, &places);
    known::gather(scev, &mut built.hir, &taken);
    built.taken.push(taken);
    values.leave(extent);
    Ok(extent.clone())
}

fn check(scev: &ScalarEvolution<'_>, l: LoopId) -> Result<(), Missed> {
    let (body, cfg, loops) = (scev.body(), scev.cfg(), scev.loops());
    let blocks = loops.blocks(l);
    let insts: usize = blocks.iter().map(|b| body.insts(*b).len()).sum();
    let depth = |inner: LoopId| loops.depth(inner) + 1 - loops.depth(l);
    if blocks.len() > MOST_BLOCKS || insts > MOST_INSTS || loops.nest(l).any(|i| depth(i) > MOST_LEVELS) {
        return Err(Missed::TooLarge);
    }
    let irreducible = scev.at.get::<IrreducibleCycles>();
    // A cycle that the loop is part of is no matter to what it does.
    if irreducible.0.iter().any(|cycle| cycle.blocks.iter().all(|b| loops.contains(l, *b))) {
        return Err(Missed::Irreducible);
    }
    for block in blocks {
        let end = body.terminator(*block).map(|t| &body.inst(t).kind);
        if !matches!(end, Some(InstKind::Br | InstKind::CondBr | InstKind::Switch)) {
            return Err(Missed::Terminator(*block));
        }
    }
    if !loops.nest(l).all(|inner| loops.has_loop_simplify_form(&cfg, inner)) {
        return Err(Missed::LoopForm);
    }
    if !loops.is_recursively_lcssa(body, &cfg, l) {
        return Err(Missed::NotClosed);
    }
    Ok(())
}
