//! The conditions of one block, decomposed into facts.

use super::{Claim, Fact, FactPlace, MOST_FACTS};
use crate::cache::At;
use crate::known_bits::KnownBits;
use crate::must_execute::called_intrinsic;
use crate::range::{ConstantRange, exact_icmp_region};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{BinaryOp, CastOp, IntPredicate};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The facts from the branch, switch, assumptions and guards of a block.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// The facts, in order.
    pub(super) facts: Vec<Fact>,
    /// Values that are branched on or assumed as a whole, with the places from which they are defined.
    pub(super) defined: Vec<(Value, FactPlace)>,
    /// The blocks of the decomposed instructions.
    pub(super) read: SmallVec<[Block; 1]>,
}

impl Collected {
    /// The conditions of `block`.
    pub(super) fn of(at: At<'_>, block: Block) -> Self {
        let mut this = Self::default();
        for &inst in at.body.insts(block) {
            this.collect(at, block, inst);
        }
        this
    }
    fn collect(&mut self, at: At<'_>, block: Block, inst: Inst) {
        let data = at.body.inst(inst);
        match &data.kind {
            InstKind::CondBr => {
                let condition = data.operands[0];
                if data.blocks[0] == data.blocks[1] {
                    return;
                }
                for (to, truth) in [(data.blocks[0], true), (data.blocks[1], false)] {
                    self.condition(at.body, FactPlace::Edge { from: block, to }, condition, truth);
                }
            }
            InstKind::Switch => self.switch(at.body, block, inst),
            InstKind::Call(_) => {
                let call = data.call().filter(|c| {
                    let intrinsic = called_intrinsic(at.env, at.body, *c);
                    matches!(intrinsic, Some(Intrinsic::Assume | Intrinsic::ExperimentalGuard))
                });
                if let Some(&condition) = call.and_then(|c| c.args().first()) {
                    self.condition(at.body, FactPlace::After(inst), condition, true);
                }
            }
            _ => {}
        }
    }
    fn switch(&mut self, body: &Body, block: Block, inst: Inst) {
        let data = body.inst(inst);
        let (value, default) = (data.operands[0], data.blocks[0]);
        let Some(width) = body.ty(value).int_bits().filter(|w| *w <= Int::MAX_WIDTH) else { return };
        let cases: Vec<(Int, Block)> = data.operands[1..]
            .iter()
            .zip(&data.blocks[1..])
            .filter_map(|(v, b)| Some((body.as_int(*v)?, *b)))
            .collect();
        let mut edges: FxHashMap<Block, u32> = FxHashMap::default();
        data.blocks.iter().for_each(|b| *edges.entry(*b).or_default() += 1);
        for (case, to) in cases.iter().filter(|(_, to)| edges[to] == 1) {
            let place = FactPlace::Edge { from: block, to: *to };
            self.add(place, Claim::Within { value, range: ConstantRange::constant(*case) });
            self.defined_from(value, place);
        }
        if edges[&default] == 1 && cases.len() == data.operands.len() - 1 {
            let place = FactPlace::Edge { from: block, to: default };
            let others: SmallVec<[_; 8]> =
                cases.iter().map(|(c, _)| ConstantRange::constant(*c).inverse()).collect();
            // Exclude the longest run of case values as one range, then the first few case values individually.
            let mut sorted: Vec<u128> = cases.iter().map(|(c, _)| c.bits()).collect();
            sorted.sort_unstable();
            if let Some((first, last)) = longest_run(&sorted) {
                let range = ConstantRange::inclusive(Int::new(width, first), Int::new(width, last)).inverse();
                self.add(place, Claim::Within { value, range });
            }
            for range in others.into_iter().take(MOST_FACTS) {
                self.add(place, Claim::Within { value, range });
            }
            self.defined_from(value, place);
        }
    }
    fn defined_from(&mut self, value: Value, place: FactPlace) {
        if value.as_const().is_none() {
            self.defined.push((value, place));
        }
    }
    fn add(&mut self, place: FactPlace, claim: Claim) {
        if claim.values().next().is_some() {
            self.facts.push(Fact { place, claim });
        }
    }
    /// The instruction that defines `value`. Records its block as read.
    fn decomposed_inst<'a>(&mut self, body: &'a Body, value: Value) -> Option<&'a InstData> {
        let inst = value.as_inst()?;
        if let Some(block) = body.block_of(inst)
            && !self.read.contains(&block)
        {
            self.read.push(block);
        }
        Some(body.inst(inst))
    }
    /// Decomposes `condition`, whose value at `place` is `truth`.
    fn condition(&mut self, body: &Body, place: FactPlace, condition: Value, truth: bool) {
        let mut work: SmallVec<[(Value, bool); 8]> = SmallVec::from_slice(&[(condition, truth)]);
        self.defined_from(condition, place);
        let mut facts = 0;
        while let Some((value, truth)) = work.pop() {
            if facts == MOST_FACTS {
                return;
            }
            facts += 1;
            self.add(place, Claim::Is { value, truth });
            let Some(data) = self.decomposed_inst(body, value) else { continue };
            let is = |v: Value, bit: bool| body.as_int(v) == Some(Int::bool(bit));
            match (&data.kind, data.operands.as_slice()) {
                (InstKind::ICmp { pred, .. }, &[left, right]) if body.ty(left).compound_id().is_none() => {
                    let pred = if truth { *pred } else { pred.inverse() };
                    self.add(place, Claim::Compare { pred, left, right });
                    self.operands_of(body, place, pred, (left, right));
                }
                (InstKind::Binary(BinaryOp::And, _), &[a, b]) if truth => work.extend([(b, true), (a, true)]),
                (InstKind::Binary(BinaryOp::Or, _), &[a, b]) if !truth => {
                    work.extend([(b, false), (a, false)])
                }
                (InstKind::Binary(BinaryOp::Xor, _), &[a, b]) if is(b, true) => work.push((a, !truth)),
                (InstKind::Select(_), &[c, a, b]) if body.ty(c).is_int() => {
                    if truth && is(b, false) {
                        work.extend([(a, true), (c, true)]);
                    } else if !truth && is(a, true) {
                        work.extend([(b, false), (c, false)]);
                    } else if !truth && is(b, true) {
                        work.extend([(a, false), (c, true)]);
                    } else if truth && is(a, false) {
                        work.extend([(b, true), (c, false)]);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Collected {
    /// Facts about the operand of a sum, mask or cast that is compared with a constant.
    fn operands_of(
        &mut self,
        body: &Body,
        place: FactPlace,
        pred: IntPredicate,
        (left, right): (Value, Value),
    ) {
        let (Some(data), Some(c)) = (self.decomposed_inst(body, left), body.as_int(right)) else {
            return;
        };
        let constant = || data.operands.get(1).and_then(|v| body.as_int(*v));
        let region = exact_icmp_region(pred, c);
        match &data.kind {
            InstKind::Binary(BinaryOp::Add, _) => {
                if let Some(addend) = constant() {
                    let range = region.sub(ConstantRange::constant(addend), false, false);
                    self.add(place, Claim::Within { value: data.operands[0], range });
                }
            }
            InstKind::Binary(BinaryOp::And, _) if pred == IntPredicate::Eq => {
                if let Some(mask) = constant() {
                    let known = KnownBits::new(mask.and(c.not()), mask.and(c));
                    self.add(place, Claim::Bits { value: data.operands[0], known });
                }
            }
            InstKind::Cast(op @ (CastOp::ZExt | CastOp::SExt), _) => {
                let value = data.operands[0];
                if let Some(width) = body.ty(value).int_bits() {
                    let all = ConstantRange::full(width);
                    let possible =
                        if *op == CastOp::ZExt { all.zext(c.width(), false) } else { all.sext(c.width()) };
                    let range = region.intersect(possible).trunc(width, false, false);
                    self.add(place, Claim::Within { value, range });
                }
            }
            _ => {}
        }
    }
}

/// The longest run of consecutive numbers in a sorted list.
fn longest_run(sorted: &[u128]) -> Option<(u128, u128)> {
    let mut best: Option<(u128, u128)> = None;
    let mut run: Option<(u128, u128)> = None;
    for &n in sorted {
        run = match run {
            Some((first, last)) if n == last || Some(n) == last.checked_add(1) => Some((first, n)),
            _ => Some((n, n)),
        };
        if let (Some(r), true) = (run, best.is_none_or(|b| run.is_some_and(|r| r.1 - r.0 > b.1 - b.0))) {
            best = Some(r);
        }
    }
    best
}
