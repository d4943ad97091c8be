//! The path that the first iteration certainly takes.
//!
//! In the first iteration the header phis have their values from the preheader. If these decide a branch, control
//! takes one successor, so the code there is executed whenever the loop is entered, though not in every iteration:
//! for example the body of `for (i = 0; i < 10; i++)`, whether or not the loop is rotated. The path starts at the
//! header and continues while there is a single successor. It ends before any instruction that may not transfer
//! control to its successor, and at anything observable.

use super::movable::is_observable;
use super::region::{FirstWay, Region};
use crate::fold::fold;
use backedge_analysis::conditions::Conditions;
use backedge_analysis::must_execute::guaranteed_to_transfer;
use backedge_analysis::values::Demanded;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};

/// Maximum number of blocks on the path of the first iteration that is followed: bounds the time for one loop. Code
/// after them is not certain to execute.
const MOST_BLOCKS: usize = 64;

impl FirstWay {
    /// Whether `inst` is on the path.
    pub(super) fn contains(&self, region: &Region<'_>, inst: Inst) -> bool {
        let block = region.at.body.block_of(inst);
        match block.and_then(|b| self.blocks.get(&b)) {
            Some(Some(last)) => region.order.position(inst) <= region.order.position(*last),
            Some(None) => true,
            None => false,
        }
    }
    /// Computes the path.
    pub(super) fn find(region: &Region<'_>) -> Self {
        let (at, header) = (region.at, region.loops.header(region.l));
        let mut way = Self::default();
        let mut block = header;
        for _ in 0..MOST_BLOCKS {
            let ends = |i: &Inst| !guaranteed_to_transfer(at.env, at.body, *i) || is_observable(at, *i);
            let last = at.body.insts(block).iter().copied().find(ends);
            way.blocks.insert(block, last);
            let next = if last.is_none() { only_successor(region, block) } else { None };
            match next {
                Some(next) if region.loops.contains(region.l, next) && !way.blocks.contains_key(&next) => {
                    block = next;
                }
                Some(_) | None => break,
            }
        }
        way
    }
}

impl Region<'_> {
    /// Whether `inst` is on the path that the first iteration certainly takes.
    pub(super) fn is_on_first_way(&self, inst: Inst) -> bool {
        self.first_way.get_or_init(|| FirstWay::find(self)).contains(self, inst)
    }
}

/// The successor of `block` in the first iteration, if there is only one.
fn only_successor(region: &Region<'_>, block: Block) -> Option<Block> {
    let body = region.at.body;
    let branch = body.inst(body.terminator(block)?);
    let first = *branch.successors().first()?;
    if branch.successors().iter().all(|s| *s == first) {
        return Some(first);
    }
    match branch.kind {
        InstKind::CondBr => {
            let taken = decided(region, branch.operands[0])?;
            branch.blocks.get(usize::from(!taken)).copied()
        }
        InstKind::Switch => {
            let value = body.as_int(at_entry(region, branch.operands[0])?)?;
            let case = branch.operands[1..].iter().position(|c| body.as_int(*c) == Some(value));
            branch.blocks.get(case.map_or(0, |c| c + 1)).copied()
        }
        _ => None,
    }
}

/// The value of `value` in the first iteration, as a value from outside the loop.
fn at_entry(region: &Region<'_>, value: Value) -> Option<Value> {
    if region.is_invariant(value) {
        return Some(value);
    }
    let body = region.at.body;
    let phi = value.as_inst().filter(|i| body.inst(*i).kind.is_phi())?;
    (body.block_of(phi) == Some(region.loops.header(region.l)))
        .then(|| body.incoming_from(phi, region.preheader))
        .flatten()
}

/// Whether `condition` is true or false in the first iteration, assuming that it is not poison.
fn decided(region: &Region<'_>, condition: Value) -> Option<bool> {
    let (at, context) = (region.at, region.entering()?);
    if let Some(known) = at_entry(region, condition).and_then(|v| at.body.as_int(v)) {
        return Some(!known.is_zero());
    }
    let data = at.body.inst(condition.as_inst()?);
    let InstKind::ICmp { pred, .. } = data.kind else { return None };
    let (left, right) = (at_entry(region, data.operands[0])?, at_entry(region, data.operands[1])?);
    if let (Some(a), Some(b)) = (at.body.as_int(left), at.body.as_int(right)) {
        return fold(&data.kind, data.ty, &[a, b]).map(|known| !known.is_zero());
    }
    if let Some(implied) = at.get::<Conditions>().implied_at(at, context, pred, left, right) {
        return Some(implied);
    }
    let facts = at.get::<Demanded>();
    facts.at(at, left, context)?.icmp(pred, facts.at(at, right, context)?)
}
