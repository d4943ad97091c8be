//! Lowering: trees back to LLVM IR. The document asks "How is HIR lowered to llvm-IR?"; this is how.
//!
//! [`check`] looks at a region before anything is touched and finds what has to be asked of the code as it was;
//! [`lower`] then replaces the nest's blocks, and cannot fail. A region is lowered from whatever its tree is by then,
//! transformed or not. What is outside of it stays: control comes in from the old preheader, or from the region's head,
//! whose branch is gone; and leaves to the old exit blocks, whose phis get what their variables hold on each edge. Other
//! values that are used behind the region get a phi there.
//!
//! - **Control**: lists become blocks in their order. A loop with bounds counts its variable from the lower to the upper one,
//!   and leaves when that has been reached, tested at the end of each iteration. An unknown loop counts too, for its forms. The
//!   width is the greatest that a form of the loop needs. Gotos may go back: then there is a loop in what comes out that is
//!   none in the tree.
//!   What is said of a loop by `!llvm.loop` is said of its backedges, if it is what it was.
//! - **Variables** become SSA values: reads find the writes that reach them, and phis are made where several do. Source:
//!   Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013), with the variables that a
//!   loop writes known beforehand.
//! - **Closed forms** become instructions without flags, where they are read. Addresses become `getelementptr`s with the types
//!   and flags that those of the code had, as far as they are true, so that what comes out is known as well as what went in.
//! - **Poison and undef.** A form may read a variable oftener than the code did that it stands for (at each place that it
//!   was copied to), and in iterations in which that did not depend on it (`{s,+,x}` is `s` at first, whatever `x` is). A
//!   variable that a form has, and that is not known to be defined, is therefore frozen where it is written, what comes from
//!   outside where it is defined there; all reads see that. Freezing only takes behaviour away. With all leaves defined, no minimum or quotient is poison; a divisor that
//!   is no constant is made at least one, since a form may divide where the code did not.
//! - **Places in the source.** What is made for an instruction of the tree is where that was, and so with branches; what counts a
//!   loop's iterations, and all else in it, is where the loop begins.
//!
//! What comes out has preheaders and dedicated exits wherever trees had loops; values may be used outside of their loops,
//! which `lcssa` is for.
//!
//! | what | file |
//! |---|---|
//! | what is asked of the code as it was | here |
//! | control | `control` |
//! | loops | `loops` |
//! | closed forms, instructions | `compute` |
//! | addresses | `address` |
//! | variables as SSA values | `ssa` |
//! | what debuggers are told | `records` |

mod address;
mod compute;
mod control;
mod loops;
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
    /// The tree is not right.
    Problem(Problem),
    /// The address of a block of the nest is taken.
    Pinned(Block),
}

impl Obstacle {
    /// What it is called in remarks.
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
            Self::Problem(problem) => write!(f, "the tree is not right: {problem}"),
            Self::Pinned(_) => f.write_str("the address of a block of the nest is taken"),
        }
    }
}

/// What is known of a region before it is lowered.
#[derive(Clone, Debug)]
pub struct Plan {
    region: Node,
    /// Its first loop.
    first: Node,
    /// The block that control comes from, and the one that it comes to there; that of the former that is the region's head,
    /// of which the branch belongs to the region.
    preheader: Block,
    header: Block,
    head: Option<Block>,
    /// The blocks of the nest as it was.
    blocks: Vec<Block>,
    exits: Vec<Block>,
    /// The phis of the exits, with their variables.
    live_out: Vec<(Inst, Temp)>,
    /// The values that are used behind the nest besides, with theirs.
    open: Vec<(Inst, Temp)>,
    /// The variables that are frozen where they are written.
    frozen: FxHashSet<Temp>,
    /// The labels that gotos go back to, if control comes to these, without beginning a loop's next iteration.
    cycles: FxHashSet<Node>,
    /// The width in which each loop counts.
    widths: FxHashMap<Node, u32>,
    /// What instructions, and loops by their headers, became in the tree.
    nodes: FxHashMap<Inst, Node>,
    headers: FxHashMap<Block, Node>,
    /// The variables that phis of headers are.
    phis: FxHashMap<Inst, Temp>,
}

/// Looks at a region that was built from the code that `at` shows.
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
        cycles: gone_back_to(hir, region),
        widths,
        nodes: taken.nodes.iter().copied().collect(),
        headers,
        phis: taken.phis.iter().copied().collect(),
    })
}

/// The labels that gotos go back to, if control comes to these, but for those that begin the next iteration of their loop.
fn gone_back_to(hir: &Hir, region: Node) -> FxHashSet<Node> {
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

/// The variables of which a reference reads more than their value, as it is, once. The base of an access is no such one: if
/// it is undefined, so is what the access does.
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

/// Replaces the nest by what its tree says. Values of it that are used behind it are others then: `hir` is told, for the
/// regions that use them.
pub fn lower(editor: &mut Editor<'_>, hir: &mut Hir, plan: &Plan) {
    let closed = control::closed(editor, plan);
    let frozen = control::Lowering::new(editor, hir, plan, &closed).run();
    for (inst, temp) in closed.into_iter().chain(frozen.into_iter().map(|(temp, inst)| (inst, temp))) {
        hir.blobs.set_value(temp, inst.into());
    }
}
