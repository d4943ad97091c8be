//! Plans from LLVM IR: selection of a function's loop nests, and their plain CFG.
//!
//! Has no requirements on the function. A nest that lacks the required form is skipped with a reason ([`BuildMissed`]), and
//! its inner loops are tried. The required form: loop-simplify form of each loop of the nest, LCSSA form, only branches
//! and switches as terminators, and sizes within limits. Guarantees: if the iterations of the plan execute one after
//! the other, the plan refines the nest in all runs in which the nest has no undefined behavior; and the plan passes
//! [`crate::verify`].
//!
//! # Contents of a plan
//!
//! The blocks of the loop, preceded by an empty block for the preheader. If the loop has several exit blocks, the plan
//! also includes all blocks up to their common post-dominator, provided that one exists and that these blocks are
//! reachable only from the loop. Otherwise a dummy block is the *landing pad* of all exits; it receives bits and values
//! that select the successor. The plan also includes the phis of the blocks that control reaches directly after it.
//!
//! | contents | file |
//! |---|---|
//! | selection of nests | this file; the blocks of a nest: `extent` |
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

/// Limit for the blocks of a plan: bounds the time of massaging, which adds blocks and phis. Larger nests get no plan.
const MOST_BLOCKS: usize = 1000;
/// Limit for the instructions of a nest, each of which becomes a recipe. Larger nests get no plan.
const MOST_INSTS: usize = 20_000;
/// Limit for the phi entries of a plan, whose number grows with the product of phis and edges. Larger nests get no
/// plan.
const MOST_ENTRIES: usize = 100_000;
/// Limit for the exits of a landing pad and for the exit blocks of a loop of the nest: each gets a bit, and a phi for
/// each value of the others.
const MOST_EXITS: usize = 64;
/// Limit for the nesting depth of loops: massaging updates all loops around a change. Deeper nests get no plan.
const MOST_LEVELS: u32 = 64;

/// The reason why a nest gets no plan.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BuildMissed {
    /// A loop of the nest has no preheader, several latches, or exit blocks that are not dedicated.
    LoopForm,
    /// A loop is not in LCSSA form: a value is used outside the loop other than by a phi of an exit block.
    NotClosed,
    /// The nest contains a cycle that is no natural loop.
    Irreducible,
    /// A loop of the nest has no exit.
    Endless,
    /// A block ends in a terminator other than a branch or switch.
    Terminator(Block),
    /// The address of a block is taken.
    AddressTaken(Block),
    /// An unreachable block is a predecessor of this block.
    Unreachable(Block),
    /// The block defines a token, which no phi can merge.
    Token(Block),
    /// The block contains a convergent call, whose meaning depends on the branches that lead to it.
    ConvergentCall(Block),
    /// The nest exceeds a size limit.
    TooLarge,
    /// A loop has too many exit blocks.
    TooManyExits,
}

impl BuildMissed {
    /// The name in remarks.
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

impl fmt::Display for BuildMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopForm => "a loop of the nest is not in loop-simplify form",
            Self::NotClosed => "the nest is not in LCSSA form",
            Self::Irreducible => "the nest contains a cycle that is not a loop",
            Self::Endless => "a loop of the nest has no exit",
            Self::Terminator(_) => "a block of the nest ends in something other than a branch or switch",
            Self::AddressTaken(_) => "the address of a block of the nest is taken",
            Self::Unreachable(_) => "an unreachable block leads into the nest",
            Self::Token(_) => "a token is computed in the nest",
            Self::ConvergentCall(_) => "the nest makes a convergent call",
            Self::TooLarge => "the nest is too large",
            Self::TooManyExits => "a loop of the nest has too many exit blocks",
        })
    }
}

/// How a plan treats a loop with several exit blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Landing {
    /// Includes all blocks up to the common post-dominator of the exits if possible; otherwise uses a landing pad.
    #[default]
    PostDominator,
    /// Always uses a landing pad.
    Pad,
}

/// A loop with its plan.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The loop; no two taken loops are nested.
    pub l: LoopId,
    /// Its plain CFG.
    pub plan: VPlan,
}

/// The plans of a function.
#[derive(Debug, Default)]
pub struct Built {
    /// The loops with a plan, in reverse post-order.
    pub taken: Vec<Taken>,
    /// The loops without a plan, each with the reason.
    pub missed: Vec<(LoopId, BuildMissed)>,
}

/// The plain CFG of each outermost loop. If a loop cannot get a plan, its inner loops are tried.
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
fn take(at: At<'_>, l: LoopId, landing: Landing, slots: &Slots) -> Result<VPlan, BuildMissed> {
    check(at, l)?;
    let extent = extent::Extent::new(at, l, landing)?;
    let entries: usize =
        extent.blocks.iter().map(|b| at.body.phis(*b).count() * at.cfg().preds(*b).len()).sum();
    if extent.blocks.len() > MOST_BLOCKS || entries > MOST_ENTRIES {
        return Err(BuildMissed::TooLarge);
    }
    plain::plan(at, l, &extent, slots)
}

/// Checks that a loop and its inner loops have the required form.
fn check(at: At<'_>, l: LoopId) -> Result<(), BuildMissed> {
    let (body, cfg, loops) = (at.body, at.cfg(), at.loops());
    if loops.block_count(l) > MOST_BLOCKS {
        return Err(BuildMissed::TooLarge);
    }
    let blocks = loops.blocks(l);
    let insts: usize = blocks.iter().map(|b| body.insts(*b).len()).sum();
    let depth = |inner: LoopId| loops.depth(inner) + 1 - loops.depth(l);
    if insts > MOST_INSTS || loops.nest(l).any(|inner| depth(inner) > MOST_LEVELS) {
        return Err(BuildMissed::TooLarge);
    }
    let irreducible = at.get::<IrreducibleCycles>();
    if irreducible.0.iter().any(|cycle| cycle.blocks.iter().any(|b| loops.contains(l, *b))) {
        return Err(BuildMissed::Irreducible);
    }
    blocks.iter().try_for_each(|block| can_be_taken(at, *block))?;
    for inner in loops.nest(l) {
        if !loops.has_loop_simplify_form(&cfg, inner) {
            return Err(BuildMissed::LoopForm);
        }
        match loops.distinct_exit_blocks(&cfg, inner).len() {
            0 => return Err(BuildMissed::Endless),
            exits if exits > MOST_EXITS => return Err(BuildMissed::TooManyExits),
            _ => {}
        }
    }
    if !loops.is_recursively_lcssa(body, &cfg, l) {
        return Err(BuildMissed::NotClosed);
    }
    Ok(())
}

/// Checks that a block may be part of a plan.
fn can_be_taken(at: At<'_>, block: Block) -> Result<(), BuildMissed> {
    let (body, cfg) = (at.body, at.cfg());
    let end = body.terminator(block).map(|t| &body.inst(t).kind);
    if !matches!(end, Some(InstKind::Br | InstKind::CondBr | InstKind::Switch)) {
        return Err(BuildMissed::Terminator(block));
    }
    if body.is_pinned(block) {
        return Err(BuildMissed::AddressTaken(block));
    }
    if !cfg.preds(block).iter().all(|pred| cfg.is_reachable(*pred)) {
        return Err(BuildMissed::Unreachable(block));
    }
    for &inst in body.insts(block) {
        let data = body.inst(inst);
        if data.ty == Type::TOKEN {
            return Err(BuildMissed::Token(block));
        }
        if data.call().is_some_and(|call| call_has(at.env, body, call, FlagAttr::Convergent)) {
            return Err(BuildMissed::ConvergentCall(block));
        }
    }
    Ok(())
}
