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
//! Costs: linear in the body, after edits that leave the graph alone in what changed; of one condition at most [`MOST_FACTS`] facts are kept, and of one value at most
//! [`MOST_ASKED`] are looked at in a question, the latest ones in the dominator tree's order first.

mod collect;

use crate::cache::{Analysis, At, Depends, Fresh, Then};
use crate::known_bits::KnownBits;
use crate::order::Order;
use crate::range::{ConstantRange, exact_icmp_region};
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use collect::Collected;
use rustc_hash::{FxHashMap, FxHashSet};
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

/// Which of all comes first: by the reverse post-order of the blocks, in a block as collected.
type Rank = (u32, u32);

/// All known conditions of a body.
#[derive(Debug, Default)]
pub struct Conditions {
    /// Facts keep their numbers; numbers that are free are in `free`.
    facts: Vec<Fact>,
    free: Vec<u32>,
    /// What was collected in each reached block.
    of_block: FxHashMap<Block, OfBlock>,
    by_value: FxHashMap<Value, Vec<(Rank, u32)>>,
    /// Values that are branched on or assumed as a whole, with the place from which on they are defined.
    defined: FxHashMap<Value, Vec<(Rank, Place)>>,
    /// The blocks whose conditions are made of instructions of a block.
    readers: FxHashMap<Block, FxHashSet<Block>>,
}

/// What was collected in a block.
#[derive(Debug)]
struct OfBlock {
    /// Its place in reverse post-order.
    number: u32,
    facts: Vec<u32>,
    defined: Vec<(Value, Place)>,
}

impl Conditions {
    /// The fact with that number.
    pub fn fact(&self, number: u32) -> &Fact {
        &self.facts[number as usize]
    }
    /// The numbers of the facts that the end of `block` or an instruction in it says, in order.
    pub fn of_block(&self, block: Block) -> &[u32] {
        self.of_block.get(&block).map_or(&[], |of| &of.facts)
    }
    /// The facts that speak of `value`, wherever they hold, in reverse post-order of their places.
    pub fn about(&self, value: Value) -> impl DoubleEndedIterator<Item = &Fact> {
        self.by_value.get(&value).into_iter().flatten().map(|(_, number)| self.fact(*number))
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
        places.map(|(_, place)| *place).any(|p| passed.holds(p))
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
        for (number, &block) in (0..).zip(at.cfg().rpo()) {
            this.enter(block, number, Collected::of(at, block));
        }
        this
    }
    fn update(&mut self, then: Then, at: At<'_>) -> bool {
        // With other edges the order of blocks is another.
        if !then.has_same_graph(at.body) {
            return false;
        }
        let mut stale: EntitySet<Block> = EntitySet::new();
        for block in then.changed(at.body) {
            stale.insert(block);
            stale.extend(self.readers.remove(&block).unwrap_or_default());
        }
        for block in stale.iter() {
            if let Some(old) = self.of_block.remove(&block) {
                self.leave(&old);
                self.enter(block, old.number, Collected::of(at, block));
            }
        }
        true
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        let same_of = |value: Value| {
            let places = |this: &Self| {
                let places = this.defined.get(&value).into_iter().flatten().map(|(_, place)| *place);
                places.collect::<Vec<_>>()
            };
            self.about(value).eq(other.about(value)) && places(self) == places(other)
        };
        let values =
            |this: &Self| this.by_value.keys().chain(this.defined.keys()).copied().collect::<Vec<_>>();
        let facts =
            |this: &'_ Self, b: Block| this.of_block(b).iter().map(|i| *this.fact(*i)).collect::<Vec<_>>();
        values(self).into_iter().chain(values(other)).all(same_of)
            && at.body.blocks().all(|b| facts(self, b) == facts(other, b))
    }
}

impl Conditions {
    /// Enters what was collected in `block`, the one with that number in reverse post-order.
    fn enter(&mut self, block: Block, number: u32, collected: Collected) {
        for read in collected.read {
            self.readers.entry(read).or_default().insert(block);
        }
        let mut facts = Vec::with_capacity(collected.facts.len());
        for (nth, fact) in (0..).zip(collected.facts) {
            let index = match self.free.pop() {
                Some(index) => {
                    self.facts[index as usize] = fact;
                    index
                }
                None => {
                    self.facts.push(fact);
                    (self.facts.len() - 1) as u32
                }
            };
            fact.claim.values().for_each(|v| put(self.by_value.entry(v).or_default(), (number, nth), index));
            facts.push(index);
        }
        for (nth, (value, place)) in (0..).zip(&collected.defined) {
            put(self.defined.entry(*value).or_default(), (number, nth), *place);
        }
        self.of_block.insert(block, OfBlock { number, facts, defined: collected.defined });
    }
    /// Takes back what was entered of a block.
    fn leave(&mut self, old: &OfBlock) {
        for (nth, &index) in (0..).zip(&old.facts) {
            for value in self.facts[index as usize].claim.values() {
                drop_from(&mut self.by_value, value, (old.number, nth));
            }
            self.free.push(index);
        }
        for (nth, (value, _)) in (0..).zip(&old.defined) {
            drop_from(&mut self.defined, *value, (old.number, nth));
        }
    }
}

/// Puts `what` where it belongs in `list`, unless it is there.
fn put<T>(list: &mut Vec<(Rank, T)>, rank: Rank, what: T) {
    let at = list.partition_point(|(other, _)| *other < rank);
    if list.get(at).is_none_or(|(other, _)| *other != rank) {
        list.insert(at, (rank, what));
    }
}

fn drop_from<T>(lists: &mut FxHashMap<Value, Vec<(Rank, T)>>, value: Value, rank: Rank) {
    let Some(list) = lists.get_mut(&value) else { return };
    if let Ok(at) = list.binary_search_by_key(&rank, |(other, _)| *other) {
        list.remove(at);
    }
    if list.is_empty() {
        lists.remove(&value);
    }
}
