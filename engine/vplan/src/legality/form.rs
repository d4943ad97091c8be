//! The required form of a loop: loop-simplify form and LCSSA form, only branches as terminators, and bounded size.
//!
//! Guarantees of a [`Form`]: one preheader, one latch, dedicated exits, and no cycles inside the loop, so that
//! [`Form::blocks`], in reverse post-order, is an execution order for all paths of an iteration. This order, block
//! after block, is the *linear order*; "earlier" and "later" in an iteration refer to it. In a loop nest the same holds
//! for the blocks without the backedges of inner loops.

use super::LegalityMissed;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::has_irreducible_cycle;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashMap;

/// Limit for the number of instruction operands in a loop: bounds the time of legality and cost. Larger loops are not
/// vectorized.
const MOST_OPERANDS: usize = 8192;

/// A loop of the required form.
#[derive(Clone, Debug)]
pub struct Form {
    /// The loop.
    pub l: LoopId,
    /// The preheader.
    pub preheader: Block,
    /// The header.
    pub header: Block,
    /// The latch.
    pub latch: Block,
    /// Its blocks in reverse post-order, the header first.
    pub blocks: Vec<Block>,
    /// The index of each instruction in linear order.
    position: FxHashMap<Inst, usize>,
    /// All instructions in linear order.
    insts: Vec<Inst>,
}

impl Form {
    /// All instructions in linear order.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }
    /// The index of `inst` in linear order, if `inst` is in the loop.
    pub fn position(&self, inst: Inst) -> Option<usize> {
        self.position.get(&inst).copied()
    }
    /// Whether `inst` is a phi of the header.
    pub fn is_header_phi(&self, body: &Body, inst: Inst) -> bool {
        body.inst(inst).kind.is_phi() && body.block_of(inst) == Some(self.header)
    }
    /// Whether `inst` is in the loop.
    pub fn contains(&self, inst: Inst) -> bool {
        self.position.contains_key(&inst)
    }
}

/// Whether a value is `undef`, or a phi or select with an `undef` operand; each use may then see a different value.
pub(crate) fn is_unsettled(body: &Body, value: Value) -> bool {
    let is_undef = |v: Value| v.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Undef));
    let of_choice = |d: &InstData| {
        matches!(d.kind, InstKind::Phi(_) | InstKind::Select(_)) && d.operands.iter().any(|v| is_undef(*v))
    };
    is_undef(value) || value.as_inst().is_some_and(|i| of_choice(body.inst(i)))
}

/// Whether an operand of `inst` may have a different value at each use, so that facts about one use do not hold for
/// another. Phis are exempt: their start value has a single use.
fn reads_undef(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    !data.kind.is_phi() && data.operands.iter().any(|v| is_unsettled(body, *v))
}

pub(super) fn check(scev: &ScalarEvolution<'_>, l: LoopId) -> Result<Form, LegalityMissed> {
    let (at, cfg, loops) = (scev.at, scev.cfg(), scev.loops());
    let body = at.body;
    let preheader =
        loops.preheader(&cfg, l).filter(|b| cfg.is_reachable(*b)).ok_or(LegalityMissed::NotSimplified)?;
    let latch = loops.single_latch(&cfg, l).ok_or(LegalityMissed::NotSimplified)?;
    if !loops.has_dedicated_exits(&cfg, l) {
        return Err(LegalityMissed::NotSimplified);
    }
    let insts = loops.blocks_unordered(l).iter().flat_map(|b| body.insts(*b));
    // A phi has an entry for each edge, so count operands.
    let size: usize = insts.map(|i| body.inst(*i).operands.len().max(1)).sum();
    if size > MOST_OPERANDS {
        return Err(LegalityMissed::TooLarge);
    }
    if has_irreducible_cycle(at, &loops, l) {
        return Err(LegalityMissed::Irreducible);
    }
    if !loops.is_lcssa(body, &cfg, l) {
        return Err(LegalityMissed::NotClosed);
    }
    let forbidden = |f| at.env.has_attr(&at.env.funcs[f].attrs, FlagAttr::NoImplicitFloat);
    if at.func.is_some_and(forbidden) {
        return Err(LegalityMissed::NoImplicitFloat);
    }
    let blocks = loops.blocks(l).to_vec();
    for &block in &blocks {
        let kind = body.terminator(block).map(|t| &body.inst(t).kind);
        match kind {
            Some(InstKind::Br | InstKind::CondBr) => {}
            Some(other) => return Err(LegalityMissed::Terminator(other.mnemonic())),
            None => return Err(LegalityMissed::NotSimplified),
        }
    }
    let insts: Vec<Inst> = blocks.iter().flat_map(|b| body.insts(*b)).copied().collect();
    if insts.iter().any(|inst| reads_undef(body, *inst)) {
        return Err(LegalityMissed::Undef);
    }
    let position = insts.iter().enumerate().map(|(at, inst)| (*inst, at)).collect();
    Ok(Form { l, preheader, header: loops.header(l), latch, blocks, position, insts })
}

/// The start value of a header phi and its value for the next iteration.
pub(super) fn ends(scev: &ScalarEvolution<'_>, form: &Form, phi: Inst) -> Option<(Value, Value)> {
    let body = scev.body();
    Some((body.incoming_from(phi, form.preheader)?, body.incoming_from(phi, form.latch)?))
}
