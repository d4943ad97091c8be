//! Lowering: converts trees back to LLVM IR. This answers the question "How is HIR lowered to llvm-IR?" of the document
//! (docs/hir-terms.md).
//!
//! [`check`] inspects a region before any change and collects the facts needed about the original code; [`lower`]
//! then replaces the nest's blocks, and cannot fail. It lowers the current tree of a region, transformed or not. Code
//! outside of the region stays. Control enters from the old preheader, or from the region's head, whose branch is
//! replaced. Control leaves to the old exit blocks, whose phis receive the values of their variables on each edge.
//! Other values with uses after the region get a phi in the exit block.
//!
//! - **Control**: lists become blocks in order. A loop with bounds counts its induction variable from the lower to
//!   the upper bound; the exit test is at the end of each iteration. An unknown loop counts too, for its forms. The
//!   counter has the greatest width that a form of the loop needs. Gotos may go backward; the output then has a loop
//!   that is not a loop node of the tree. The `!llvm.loop` metadata of an unchanged loop is put on its backedges.
//! - **Variables** become SSA values: reads find the writes that reach them, with phis where several do. Source:
//!   Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), with the variables
//!   that a loop writes known beforehand.
//! - **Closed forms** become instructions without flags, at their reads. Addresses become `getelementptr`s with the
//!   types and flags of the original ones, as far as these hold, so that the output is as analysable as the input.
//! - **Poison and undef.** A form may read a variable more often than the original code did (at each place that it
//!   was copied to), and in iterations in which the original value did not depend on the variable (`{s,+,x}` is `s`
//!   at first, whatever `x` is). Therefore a variable of a form that is not known to be well defined is frozen where
//!   it is written; a value from outside is frozen at its definition. All reads see the frozen value. Freezing only
//!   removes behaviours, so it is a refinement. With all leaves well defined, no minimum or quotient is poison; a
//!   divisor that is not a constant is replaced by one if it is zero, since a form may divide where the code did not.
//! - **Source locations.** Code for an instruction or branch of the tree has the location of that node; the counting
//!   of a loop, and all other code in it, has the location of the loop's start.
//!
//! The output has preheaders and dedicated exits wherever trees had loops. Values may be used outside of their loops;
//! run `lcssa` to fix that.
//!
//! | purpose | file |
//! |---|---|
//! | facts about the original code | here |
//! | control | `control` |
//! | loops | `loops` |
//! | closed forms, instructions | `compute` |
//! | addresses | `address` |
//! | variables as SSA values | `ssa` |
//! | debug records | `records` |

mod address;
mod compute;
mod control;
mod loops;
mod record_values;
mod records;
mod ssa;

use crate::blob::Temp;
use crate::build::Taken;
use crate::ddref::{Form, RegDdRef};
use crate::node::{Hir, Kind, LoopKind, Node, Problem, Ways};
use backedge_analysis::cache::At;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::editor::Editor;
use backedge_ir::entity::{Block, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Why a region is not lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The tree violates an invariant.
    Problem(Problem),
    /// The address of a block of the nest is taken.
    Pinned(Block),
}

impl Obstacle {
    /// The obstacle's name in remarks.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Problem(_) => "WrongTree",
            Self::Pinned(_) => "AddressTaken",
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(problem) => write!(f, "the tree is invalid: {problem}"),
            Self::Pinned(_) => f.write_str("the address of a block of the nest is taken"),
        }
    }
}

/// The facts about a region that lowering needs.
#[derive(Clone, Debug)]
pub struct Plan {
    region: Node,
    /// The region's first loop.
    first: Node,
    /// The block before the region, and the block of the region that it enters; and the region's head, if it has one.
    /// A head is also the block before the region, and its branch belongs to the region.
    preheader: Block,
    header: Block,
    head: Option<Block>,
    /// The original blocks of the nest.
    blocks: Vec<Block>,
    exits: Vec<Block>,
    /// The phis of the exit blocks, with their variables.
    live_out: Vec<(Inst, Temp)>,
    /// The other values with uses after the nest, with their variables.
    open: Vec<(Inst, Temp)>,
    /// The variables that are frozen where they are written.
    frozen: FxHashSet<Temp>,
    /// Reachable labels that gotos jump back to other than as the backedge of a loop node.
    cycles: FxHashSet<Node>,
    /// The width of each loop's counter.
    widths: FxHashMap<Node, u32>,
    /// The nodes of instructions, and of loops by their headers.
    nodes: FxHashMap<Inst, Node>,
    headers: FxHashMap<Block, Node>,
    /// The variables of header phis.
    phis: FxHashMap<Inst, Temp>,
}

/// Checks a region that was built from the code of `at`, and collects the facts for lowering.
pub fn check(at: At<'_>, hir: &Hir, taken: &Taken) -> Result<Plan, Obstacle> {
    let region = taken.region;
    if let Some(problem) = hir.check(region).into_iter().next() {
        return Err(Obstacle::Problem(problem));
    }
    let (cfg, loops) = (at.cfg(), at.loops());
    let blocks = taken.extent.blocks.clone();
    if let Some(pinned) = blocks.iter().find(|b| at.body.is_pinned(**b)) {
        return Err(Obstacle::Pinned(*pinned));
    }
    let mut frozen = FxHashSet::default();
    let mut widths: FxHashMap<Node, u32> = FxHashMap::default();
    for node in hir.nodes_in(region) {
        if let Kind::Loop(l) = hir.kind(node) {
            let width = widths.entry(node).or_insert(1);
            if let LoopKind::Do { lower, upper, stride } = &l.kind {
                let bounds = [lower, upper, stride].into_iter().filter_map(RegDdRef::as_terminal);
                *width = bounds.map(|form| form.dest_type().width).fold(*width, u32::max);
            }
        }
        let around: Vec<Node> = hir.loops_around(node).collect();
        for of in hir.kind(node).refs() {
            for form in of.forms() {
                for (level, _) in form.ivs() {
                    // The outermost loop has level 1.
                    let l = around.len().checked_sub(*level as usize).and_then(|at| around.get(at));
                    if let Some(l) = l {
                        let width = widths.entry(*l).or_insert(1);
                        *width = (*width).max(form.src_type().width);
                    }
                }
            }
            frozen.extend(read_in_forms(hir, of));
        }
    }
    frozen.retain(|temp| {
        let value = hir.blobs.temp(*temp).value;
        value.is_none_or(|v| !is_guaranteed_defined(at, v, v.as_inst(), Defined::NotUndef))
    });
    let headers: FxHashMap<Block, Node> = taken.headers.iter().copied().collect();
    Ok(Plan {
        region,
        first: headers.get(&loops.header(taken.l)).copied().unwrap_or(region),
        preheader: taken.extent.head.or_else(|| loops.preheader(&cfg, taken.l)).unwrap_or(blocks[0]),
        header: loops.header(taken.l),
        head: taken.extent.head,
        live_out: taken.live_out.clone(),
        open: taken.open.clone(),
        exits: taken.exits.clone(),
        blocks,
        frozen,
        cycles: backward_targets(hir, region),
        widths,
        nodes: taken.nodes.iter().copied().collect(),
        headers,
        phis: taken.phis.iter().copied().collect(),
    })
}

/// Reachable labels that gotos jump back to, except for the labels that begin an iteration of their loop.
fn backward_targets(hir: &Hir, region: Node) -> FxHashSet<Node> {
    let goes_back = |node: &Node| match hir.kind(*node) {
        Kind::Goto(goto) => {
            goto.label().filter(|l| hir.begun_at(*l).is_none() && !hir.comes_before(*node, *l))
        }
        _ => None,
    };
    let gotos: Vec<(Node, Node)> =
        hir.nodes_in(region).into_iter().filter_map(|node| Some((node, goes_back(&node)?))).collect();
    if gotos.is_empty() {
        return FxHashSet::default();
    }
    let ways = Ways::new(hir, region);
    let reached = ways.reached();
    let is_reached = |goto: &Node| ways.points.get(goto).is_some_and(|at| reached[at.line as usize]);
    gotos.into_iter().filter(|(goto, _)| is_reached(goto)).map(|(_, label)| label).collect()
}

/// The variables that a reference reads as part of a form, rather than once and unchanged. The base of an access does
/// not count: if it is poison or undef, the access is UB.
fn read_in_forms(hir: &Hir, of: &RegDdRef) -> Vec<Temp> {
    if of.as_temp(&hir.blobs).is_some() {
        return Vec::new();
    }
    match of.form() {
        Form::Memory(memory) if memory.adds_nothing() => Vec::new(),
        Form::Memory(memory) if memory.is_access() && memory.base.self_blob(&hir.blobs).is_some() => {
            memory.forms().skip(1).flat_map(|form| form.collect_temp_blobs(&hir.blobs)).collect()
        }
        _ => of.collect_temp_blobs(&hir.blobs),
    }
}

/// Replaces the nest by the code of its tree. Values of the nest that are used after it change; `hir` records the new
/// values, for the regions that use them.
pub fn lower(editor: &mut Editor<'_>, hir: &mut Hir, plan: &Plan) {
    let closed = control::closed(editor, plan);
    let frozen = control::Lowering::new(editor, hir, plan, &closed).run();
    for (inst, temp) in closed.into_iter().chain(frozen.into_iter().map(|(temp, inst)| (inst, temp))) {
        hir.blobs.set_value(temp, inst.into());
    }
}
