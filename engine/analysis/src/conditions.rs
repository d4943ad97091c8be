//! Conditions that are known to hold: what control has passed on the way to a block, an edge or an instruction.
//!
//! A condition is known where control has gone over an edge of a branch or switch on it, and behind `llvm.assume` and
//! `llvm.experimental.guard`. Branching on poison or undef is undefined behaviour, and so is assuming it: what was
//! branched on or assumed is defined, and what it says holds for whatever undefined bits its operands have.
//!
//! Conditions are taken apart: `and` that is true, `or` that is false, both also as `select` (where the second operand
//! counts only if the first lets it be chosen, which it did), negation. What is left are [`Fact`]s, listed by the values
//! that they speak of. An SSA value that a known condition speaks of has not been computed anew since: a path from a new
//! computation to a place that the condition's edge dominates passes that edge again.
//!
//! Costs: linear in the body; of one condition at most [`MOST_FACTS`] facts are kept, and of one value at most
//! [`MOST_ASKED`] are looked at in a question, the latest ones in the dominator tree's order first.

use crate::cache::{Analysis, At, Depends, Fresh};
use crate::known_bits::KnownBits;
use crate::must_execute::called_intrinsic;
use crate::order::Order;
use crate::range::{ConstantRange, exact_icmp_region};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::opcode::{BinaryOp, CastOp, IntPredicate};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::LazyCell;

/// Facts kept of one condition.
pub const MOST_FACTS: usize = 16;
/// Facts looked at for one value in one question.
pub const MOST_ASKED: usize = 32;

/// Where a fact begins to hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// On the way over the edge; the only edge between the two blocks.
    Edge {
        /// The block with the branch.
        from: Block,
        /// Where it goes.
        to: Block,
    },
    /// Behind that instruction.
    Behind(Inst),
}

/// Something that holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// `left pred right`.
    Compare {
        /// The predicate.
        pred: IntPredicate,
        /// The left operand.
        left: Value,
        /// The right operand.
        right: Value,
    },
    /// An `i1` is true or false.
    Is {
        /// The value.
        value: Value,
        /// What it is.
        truth: bool,
    },
    /// An integer lies in a range: from a switch.
    Within {
        /// The value.
        value: Value,
        /// The range.
        range: ConstantRange,
    },
    /// Bits of an integer are known: from a comparison with some of them masked out.
    Bits {
        /// The value.
        value: Value,
        /// Its known bits.
        known: KnownBits,
    },
}

/// Something that holds from a place on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// From where on.
    pub place: Place,
    /// What.
    pub claim: Claim,
}

impl Claim {
    /// The values that it speaks of.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let (a, b) = match *self {
            Self::Compare { left, right, .. } => (left, Some(right)),
            Self::Is { value, .. } | Self::Within { value, .. } | Self::Bits { value, .. } => (value, None),
        };
        std::iter::once(a).chain(b).filter(|v| v.as_const().is_none())
    }
}

/// All known conditions of a body.
#[derive(Debug, Default)]
pub struct Conditions {
    facts: Vec<Fact>,
    by_value: FxHashMap<Value, Vec<u32>>,
    /// Values that are branched on or assumed as a whole, with the place from which on they are defined.
    defined: FxHashMap<Value, Vec<Place>>,
}

impl Conditions {
    /// The facts in reverse post-order of their places.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }
    /// The facts that speak of `value`, wherever they hold.
    pub fn about(&self, value: Value) -> impl DoubleEndedIterator<Item = &Fact> {
        self.by_value.get(&value).into_iter().flatten().map(|i| &self.facts[*i as usize])
    }
    /// The assumptions and guards that say something of `value`, wherever they stand, in reverse post-order.
    pub fn assumptions_about(&self, value: Value) -> impl DoubleEndedIterator<Item = Inst> {
        let mut all: SmallVec<[Inst; 4]> = SmallVec::new();
        for fact in self.about(value) {
            if let Place::Behind(inst) = fact.place
                && all.last() != Some(&inst)
            {
                all.push(inst);
            }
        }
        all.into_iter()
    }
    /// The facts that speak of `value` and hold when control comes to `inst`.
    pub fn holding_at(&self, at: At<'_>, value: Value, inst: Inst) -> SmallVec<[Claim; 4]> {
        let Some(block) = at.body.block_of(inst) else { return SmallVec::new() };
        let passed = Passed::new(at, block, Some(inst));
        self.asked(value, |place| passed.holds(place))
    }
    /// The facts that speak of `value` and hold at the end of `block`.
    pub fn holding_at_end(&self, at: At<'_>, value: Value, block: Block) -> SmallVec<[Claim; 4]> {
        let passed = Passed::new(at, block, None);
        self.asked(value, |place| passed.holds(place))
    }
    /// The facts that speak of `value` and hold on the edge.
    pub fn holding_on_edge(&self, at: At<'_>, value: Value, from: Block, to: Block) -> SmallVec<[Claim; 4]> {
        let this_edge = Place::Edge { from, to };
        let passed = Passed::new(at, from, None);
        self.asked(value, |place| place == this_edge || passed.holds(place))
    }
    fn asked(&self, value: Value, holds: impl Fn(Place) -> bool) -> SmallVec<[Claim; 4]> {
        let facts = self.about(value).rev().take(MOST_ASKED);
        facts.filter(|f| holds(f.place)).map(|f| f.claim).collect()
    }
    /// Whether `value` has been branched on or assumed when control comes to `inst`, and is not poison nor undef.
    pub fn is_defined_at(&self, at: At<'_>, value: Value, inst: Inst) -> bool {
        let Some(block) = at.body.block_of(inst) else { return false };
        let places = self.defined.get(&value).into_iter().flatten().rev().take(MOST_ASKED);
        let passed = Passed::new(at, block, Some(inst));
        places.copied().any(|p| passed.holds(p))
    }
    /// Whether `left pred right` is known when control comes to `inst`: true, false, or nothing, from one fact alone.
    pub fn implied_at(
        &self,
        at: At<'_>,
        inst: Inst,
        pred: IntPredicate,
        left: Value,
        right: Value,
    ) -> Option<bool> {
        let mut claims = self.holding_at(at, left, inst);
        claims.extend(self.holding_at(at, right, inst));
        is_implied(at.body, &claims, pred, left, right)
    }
}

/// What control has passed when it comes to an instruction in a block, or to the block's end.
struct Passed<'a> {
    at: At<'a>,
    block: Block,
    inst: Option<Inst>,
    cfg: Fresh<'a, Cfg>,
    dominators: Fresh<'a, Dominators>,
    order: Fresh<'a, Order>,
}

impl<'a> Passed<'a> {
    /// Looked up when it is first needed: most questions are about values that no fact speaks of.
    fn new(at: At<'a>, block: Block, inst: Option<Inst>) -> LazyCell<Self, impl FnOnce() -> Self> {
        LazyCell::new(move || Self {
            at,
            block,
            inst,
            cfg: at.cfg(),
            dominators: at.dominators(),
            order: at.get::<Order>(),
        })
    }
    fn holds(&self, place: Place) -> bool {
        let (body, dominators) = (self.at.body, &self.dominators);
        match place {
            Place::Edge { from, to } => edge_dominates(&self.cfg, dominators, from, to, self.block),
            Place::Behind(by) => match self.inst {
                Some(inst) => self.order.dominates(body, dominators, by, inst),
                None => self.order.dominates_end(body, dominators, by, self.block),
            },
        }
    }
}

/// Whether every path to `block` goes over the edge from `from` to `to`, which is the only one between them.
pub fn edge_dominates(cfg: &Cfg, dominators: &Dominators, from: Block, to: Block, block: Block) -> bool {
    if !dominators.is_reachable(block) || !dominators.dominates(to, block) {
        return false;
    }
    let mut ways = 0;
    for pred in cfg.preds(to) {
        if *pred == from {
            ways += 1;
        } else if !dominators.dominates(to, *pred) {
            return false;
        }
    }
    ways == 1
}

/// Whether the claims, each by itself, say that `left pred right` holds, or that it does not.
pub fn is_implied(
    body: &Body,
    claims: &[Claim],
    pred: IntPredicate,
    left: Value,
    right: Value,
) -> Option<bool> {
    claims.iter().find_map(|claim| match *claim {
        Claim::Compare { pred: known, left: a, right: b } => {
            if (a, b) == (left, right) {
                return implied_by_same(known, pred);
            }
            if (a, b) == (right, left) {
                return implied_by_same(known.swapped(), pred);
            }
            let (known, c) = match (body.as_int(a), body.as_int(b)) {
                (_, Some(c)) if a == left => (known, c),
                (Some(c), _) if b == left => (known.swapped(), c),
                _ => return None,
            };
            let other = body.as_int(right)?;
            exact_icmp_region(known, c).icmp(pred, ConstantRange::constant(other))
        }
        Claim::Within { value, range } if value == left => {
            range.icmp(pred, ConstantRange::constant(body.as_int(right)?))
        }
        Claim::Is { value, truth } if value == left => {
            Some(pred.holds(Int::bool(truth), body.as_int(right)?))
        }
        Claim::Bits { value, known } if value == left => {
            known.icmp(pred, KnownBits::constant(body.as_int(right)?))
        }
        Claim::Within { .. } | Claim::Is { .. } | Claim::Bits { .. } => None,
    })
}

/// What `known` between two values says of `pred` between them.
fn implied_by_same(known: IntPredicate, pred: IntPredicate) -> Option<bool> {
    // Over all orders that two values can have, unsigned and signed: each pair of numbers of three bits is an example
    // of one, and they are examples of all.
    let mut seen = [false; 2];
    for (a, b) in [(0, 0), (0, 1), (1, 0), (0, 4), (4, 0)] {
        let (a, b) = (Int::new(3, a), Int::new(3, b));
        if known.holds(a, b) {
            seen[usize::from(pred.holds(a, b))] = true;
        }
    }
    match seen {
        [false, true] => Some(true),
        [true, false] => Some(false),
        _ => None,
    }
}

impl Analysis for Conditions {
    const NAME: &'static str = "known conditions";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        let mut this = Self::default();
        let cfg = at.cfg();
        for &block in cfg.rpo() {
            for &inst in at.body.insts(block) {
                this.collect(at, block, inst);
            }
        }
        this
    }
    fn same_as(&self, other: &Self, _: At<'_>) -> bool {
        self.facts == other.facts
    }
}

impl Conditions {
    fn collect(&mut self, at: At<'_>, block: Block, inst: Inst) {
        let data = at.body.inst(inst);
        match &data.kind {
            InstKind::CondBr => {
                let condition = data.operands[0];
                if data.blocks[0] == data.blocks[1] {
                    return;
                }
                for (to, truth) in [(data.blocks[0], true), (data.blocks[1], false)] {
                    self.condition(at.body, Place::Edge { from: block, to }, condition, truth);
                }
            }
            InstKind::Switch => self.switch(at.body, block, inst),
            InstKind::Call(_) => {
                let call = data.call().filter(|c| {
                    let intrinsic = called_intrinsic(at.env, at.body, *c);
                    matches!(intrinsic, Some(Intrinsic::Assume | Intrinsic::ExperimentalGuard))
                });
                if let Some(&condition) = call.and_then(|c| c.args().first()) {
                    self.condition(at.body, Place::Behind(inst), condition, true);
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
            let place = Place::Edge { from: block, to: *to };
            self.add(place, Claim::Within { value, range: ConstantRange::constant(*case) });
            self.defined_from(value, place);
        }
        if edges[&default] == 1 && cases.len() == data.operands.len() - 1 {
            let place = Place::Edge { from: block, to: default };
            let others: SmallVec<[_; 8]> =
                cases.iter().map(|(c, _)| ConstantRange::constant(*c).inverse()).collect();
            // The longest run of cases is left out; the few first ones one by one.
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
    fn defined_from(&mut self, value: Value, place: Place) {
        if value.as_const().is_none() {
            self.defined.entry(value).or_default().push(place);
        }
    }
    fn add(&mut self, place: Place, claim: Claim) {
        let index = self.facts.len() as u32;
        let mut any = false;
        for value in claim.values() {
            any = true;
            let list = self.by_value.entry(value).or_default();
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
        if any {
            self.facts.push(Fact { place, claim });
        }
    }
    /// Takes `condition`, which is `truth` at `place`, apart.
    fn condition(&mut self, body: &Body, place: Place, condition: Value, truth: bool) {
        let mut work: SmallVec<[(Value, bool); 8]> = SmallVec::from_slice(&[(condition, truth)]);
        self.defined_from(condition, place);
        let mut facts = 0;
        while let Some((value, truth)) = work.pop() {
            if facts == MOST_FACTS {
                return;
            }
            facts += 1;
            self.add(place, Claim::Is { value, truth });
            let Some(data) = value.as_inst().map(|i| body.inst(i)) else { continue };
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

impl Conditions {
    /// What a comparison with a constant says of the operand of a sum, a mask or a cast.
    fn operands_of(&mut self, body: &Body, place: Place, pred: IntPredicate, (left, right): (Value, Value)) {
        let (Some(data), Some(c)) = (left.as_inst().map(|i| body.inst(i)), body.as_int(right)) else {
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
