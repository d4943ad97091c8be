//! Plans from LLVM IR: which loop nests of a function are taken, and their plain CFG.
//!
//! Needs nothing of the function; a nest that is not in the form needed is left, with the reason ([`Missed`]), and the loops
//! in it are tried. Needed are loop-simplify form of each loop of the nest, LCSSA form, branches and switches alone at the ends
//! of blocks, and sizes within bounds. Guarantees: the plan, executed one iteration after the other, does what the nest does, in
//! runs in which that has no undefined behaviour; and it passes [`crate::verify`].
//!
//! # What a plan takes in
//!
//! The blocks of the loop; in front of them an empty block for the preheader. Behind a loop with several exit blocks stand all
//! blocks up to the common post-dominator of these, if that is there, and control can come to them from the loop alone; if not,
//! a dummy block is the *landing pad* of all exits, to which bits and values are carried that say where to go from there. Of
//! blocks that are not taken in, but to which control goes, the phis are.
//!
//! | what | file |
//! |---|---|
//! | which nests | here; what belongs to them: `extent` |
//! | blocks, recipes, edges | `plain` |

mod extent;
mod plain;

use crate::plan::VPlan;
use backedge_analysis::LoopId;
use backedge_analysis::cache::{At, IrreducibleCycles};
use backedge_analysis::must_execute::call_has;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Slots;
use backedge_ir::entity::Block;
use backedge_ir::inst::InstKind;
use backedge_ir::types::Type;
use std::fmt;

/// Sizes beyond which a nest is left: blocks of its plan, instructions, and entries of phis.
const MOST_BLOCKS: usize = 1000;
const MOST_INSTS: usize = 20_000;
const MOST_ENTRIES: usize = 100_000;
/// Blocks to which control goes from a landing pad, and blocks that a loop of the nest may be left to.
const MOST_EXITS: usize = 64;
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
    /// A loop of it is never left.
    Endless,
    /// A block of it ends in something other than a branch or switch.
    Terminator(Block),
    /// The address of a block of it is taken.
    AddressTaken(Block),
    /// A block that is never come to leads into it.
    Unreachable(Block),
    /// It computes a token, which no phi can take.
    Token(Block),
    /// It makes a convergent call: by which branches control comes to that is part of its meaning.
    ConvergentCall(Block),
    /// It is too large.
    TooLarge,
    /// A loop of it is left to too many blocks.
    TooManyExits,
}

impl Missed {
    /// What it is called in remarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::LoopForm => "NotSimplified",
            Self::NotClosed => "NotClosed",
            Self::Irreducible => "Irreducible",
            Self::Endless => "Endless",
            Self::Terminator(_) => "Terminator",
            Self::AddressTaken(_) => "AddressTaken",
            Self::Unreachable(_) => "Unreachable",
            Self::Token(_) => "Token",
            Self::ConvergentCall(_) => "ConvergentCall",
            Self::TooLarge => "TooLarge",
            Self::TooManyExits => "TooManyExits",
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopForm => "a loop of the nest is not in loop-simplify form",
            Self::NotClosed => "the nest is not in LCSSA form",
            Self::Irreducible => "there is a cycle in the nest that is no loop",
            Self::Endless => "a loop of the nest is never left",
            Self::Terminator(_) => "a block of the nest ends in something other than a branch or switch",
            Self::AddressTaken(_) => "the address of a block of the nest is taken",
            Self::Unreachable(_) => "a block that is never come to leads into the nest",
            Self::Token(_) => "a token is computed in the nest",
            Self::ConvergentCall(_) => "the nest makes a convergent call",
            Self::TooLarge => "the nest is too large",
            Self::TooManyExits => "a loop of the nest is left to too many blocks",
        })
    }
}

/// What stands behind a loop with several exit blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Landing {
    /// All blocks up to the common post-dominator of the exits, where that can be; a landing pad elsewhere.
    #[default]
    PostDominator,
    /// A landing pad.
    Pad,
}

/// A plan that was built.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The loop that it is of, which is in no other that was taken.
    pub l: LoopId,
    /// Its plain CFG.
    pub plan: VPlan,
}

/// The plans of a function.
#[derive(Debug, Default)]
pub struct Built {
    /// Those of the loops that were taken, in reverse post-order of these.
    pub taken: Vec<Taken>,
    /// The loops that were not, and why.
    pub missed: Vec<(LoopId, Missed)>,
}

/// The plain CFG of each outermost loop, or of the loops in it where it can't be taken itself.
pub fn build(at: At<'_>, landing: Landing) -> Built {
    let mut built = Built::default();
    let (cfg, loops) = (at.cfg(), at.loops());
    let slots = at.body.slots();
    let mut work: Vec<LoopId> = loops.top_level().to_vec();
    while let Some(l) = work.pop() {
        match take(at, l, landing, &slots) {
            Ok(plan) => built.taken.push(Taken { l, plan }),
            Err(missed) => {
                built.missed.push((l, missed));
                work.extend_from_slice(loops.children(l));
            }
        }
    }
    built.taken.sort_by_key(|taken| cfg.position(loops.header(taken.l)));
    built.missed.sort_by_key(|(l, _)| cfg.position(loops.header(*l)));
    built
}

/// The plain CFG of one loop.
fn take(at: At<'_>, l: LoopId, landing: Landing, slots: &Slots) -> Result<VPlan, Missed> {
    check(at, l)?;
    let extent = extent::Extent::new(at, l, landing)?;
    let entries: usize =
        extent.blocks.iter().map(|b| at.body.phis(*b).count() * at.cfg().preds(*b).len()).sum();
    if extent.blocks.len() > MOST_BLOCKS || entries > MOST_ENTRIES {
        return Err(Missed::TooLarge);
    }
    plain::plan(at, l, &extent, slots)
}

/// Whether a loop and all in it are in the form needed.
fn check(at: At<'_>, l: LoopId) -> Result<(), Missed> {
    let (body, cfg, loops) = (at.body, at.cfg(), at.loops());
    if loops.block_count(l) > MOST_BLOCKS {
        return Err(Missed::TooLarge);
    }
    let blocks = loops.blocks(l);
    let insts: usize = blocks.iter().map(|b| body.insts(*b).len()).sum();
    let depth = |inner: LoopId| loops.depth(inner) + 1 - loops.depth(l);
    if insts > MOST_INSTS || loops.nest(l).any(|inner| depth(inner) > MOST_LEVELS) {
        return Err(Missed::TooLarge);
    }
    let irreducible = at.get::<IrreducibleCycles>();
    if irreducible.0.iter().any(|cycle| cycle.blocks.iter().any(|b| loops.contains(l, *b))) {
        return Err(Missed::Irreducible);
    }
    blocks.iter().try_for_each(|block| can_be_taken(at, *block))?;
    for inner in loops.nest(l) {
        if !loops.has_loop_simplify_form(&cfg, inner) {
            return Err(Missed::LoopForm);
        }
        match loops.distinct_exit_blocks(&cfg, inner).len() {
            0 => return Err(Missed::Endless),
            exits if exits > MOST_EXITS => return Err(Missed::TooManyExits),
            _ => {}
        }
    }
    if !loops.is_recursively_lcssa(body, &cfg, l) {
        return Err(Missed::NotClosed);
    }
    Ok(())
}

/// Whether a block can be one of a plan.
fn can_be_taken(at: At<'_>, block: Block) -> Result<(), Missed> {
    let (body, cfg) = (at.body, at.cfg());
    let end = body.terminator(block).map(|t| &body.inst(t).kind);
    if !matches!(end, Some(InstKind::Br | InstKind::CondBr | InstKind::Switch)) {
        return Err(Missed::Terminator(block));
    }
    if body.is_pinned(block) {
        return Err(Missed::AddressTaken(block));
    }
    if !cfg.preds(block).iter().all(|pred| cfg.is_reachable(*pred)) {
        return Err(Missed::Unreachable(block));
    }
    for &inst in body.insts(block) {
        let data = body.inst(inst);
        if data.ty == Type::TOKEN {
            return Err(Missed::Token(block));
        }
        if data.call().is_some_and(|call| call_has(at.env, body, call, FlagAttr::Convergent)) {
            return Err(Missed::ConvergentCall(block));
        }
    }
    Ok(())
}
