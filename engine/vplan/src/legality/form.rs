//! The form that a loop must have: in loop simplify form and LCSSA form, with branches alone, and of bounded size.
//!
//! Guarantees of a [`Form`]: one preheader, one latch, dedicated exits; every block is reached from the header along
//! branches without a cycle, so that [`Form::blocks`], in reverse post-order, is an order in which an iteration can be
//! gone through whichever way it takes. That order, block after block, is the *linear order*: all that is said of
//! instructions being earlier or later in an iteration is said of it. If loops are in it the same is so of its blocks without
//! the edges that go back to their headers.

use super::Missed;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::has_irreducible_cycle;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashMap;

/// Loops with more operands of instructions are not looked at.
const MOST_OPERANDS: usize = 8192;

/// A loop of that form.
#[derive(Clone, Debug)]
pub struct Form {
    /// The loop.
    pub l: LoopId,
    /// The block in front of it.
    pub preheader: Block,
    /// Where it is entered.
    pub header: Block,
    /// Where it goes round.
    pub latch: Block,
    /// Its blocks in reverse post-order, the header first.
    pub blocks: Vec<Block>,
    /// The place of each instruction in the linear order.
    position: FxHashMap<Inst, usize>,
    /// All instructions in the linear order.
    insts: Vec<Inst>,
}

impl Form {
    /// All instructions in the linear order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }
    /// The place of `inst` in the linear order, if it is one of the loop's.
    pub fn position(&self, inst: Inst) -> Option<usize> {
        self.position.get(&inst).copied()
    }
    /// Whether `inst` is a phi of the header.
    pub fn is_header_phi(&self, body: &Body, inst: Inst) -> bool {
        body.inst(inst).kind.is_phi() && body.block_of(inst) == Some(self.header)
    }
    /// Whether `inst` is one of the loop's.
    pub fn contains(&self, inst: Inst) -> bool {
        self.position.contains_key(&inst)
    }
}

/// Whether a value is `undef`, or one of two by a choice of which one is: it may be another value at each use.
pub(crate) fn is_unsettled(body: &Body, value: Value) -> bool {
    let is_undef = |v: Value| v.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Undef));
    let of_choice = |d: &InstData| {
        matches!(d.kind, InstKind::Phi(_) | InstKind::Select(_)) && d.operands.iter().any(|v| is_undef(*v))
    };
    is_undef(value) || value.as_inst().is_some_and(|i| of_choice(body.inst(i)))
}

/// Whether an operand of `inst` may be another value at each use: what is said of one iteration by another does not hold of it.
/// What a phi starts with is used once.
fn reads_undef(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    !data.kind.is_phi() && data.operands.iter().any(|v| is_unsettled(body, *v))
}

pub(super) fn check(scev: &ScalarEvolution<'_>, l: LoopId) -> Result<Form, Missed> {
    let (at, cfg, loops) = (scev.at, scev.cfg(), scev.loops());
    let body = at.body;
    let preheader = loops.preheader(&cfg, l).filter(|b| cfg.is_reachable(*b)).ok_or(Missed::NotSimplified)?;
    let latch = loops.single_latch(&cfg, l).ok_or(Missed::NotSimplified)?;
    if !loops.has_dedicated_exits(&cfg, l) {
        return Err(Missed::NotSimplified);
    }
    let insts = loops.blocks_unordered(l).iter().flat_map(|b| body.insts(*b));
    // Phis have an entry for each edge, which is as much as an instruction.
    let size: usize = insts.map(|i| body.inst(*i).operands.len().max(1)).sum();
    if size > MOST_OPERANDS {
        return Err(Missed::TooLarge);
    }
    if has_irreducible_cycle(at, &loops, l) {
        return Err(Missed::Irreducible);
    }
    if !loops.is_lcssa(body, &cfg, l) {
        return Err(Missed::NotClosed);
    }
    let forbidden = |f| at.env.has_attr(&at.env.funcs[f].attrs, FlagAttr::NoImplicitFloat);
    if at.func.is_some_and(forbidden) {
        return Err(Missed::NoImplicitFloat);
    }
    let blocks = loops.blocks(l).to_vec();
    for &block in &blocks {
        let kind = body.terminator(block).map(|t| &body.inst(t).kind);
        match kind {
            Some(InstKind::Br | InstKind::CondBr) => {}
            Some(other) => return Err(Missed::Terminator(other.mnemonic())),
            None => return Err(Missed::NotSimplified),
        }
    }
    let insts: Vec<Inst> = blocks.iter().flat_map(|b| body.insts(*b)).copied().collect();
    if insts.iter().any(|inst| reads_undef(body, *inst)) {
        return Err(Missed::Undef);
    }
    let position = insts.iter().enumerate().map(|(at, inst)| (*inst, at)).collect();
    Ok(Form { l, preheader, header: loops.header(l), latch, blocks, position, insts })
}
