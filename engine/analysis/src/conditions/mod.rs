//! Conditions that are known to hold at a block, an edge or an instruction.
//!
//! A condition is known after an edge of a branch or switch on it, and after `llvm.assume` and
//! `llvm.experimental.guard`. Branching on or assuming poison or undef is UB. Hence such a condition is defined, and
//! the facts that it implies hold for every choice of its operands' undefined bits.
//!
//! Conditions are decomposed: a true `and`, a false `or`, both also in the form of a `select` (whose second operand
//! counts only if the first selects it, which it did), and negation. The resulting [`Fact`]s are indexed by the values
//! that they mention. A value mentioned by a known condition has not been recomputed since: a path from a recomputation
//! to a place that the condition's edge dominates takes that edge again.
//!
//! Costs: linear in the body; after edits that keep the graph, linear in the changed part. At most [`MOST_FACTS`] facts
//! are kept per condition, and a query visits at most [`MAX_FACTS_PER_QUERY`] facts per value, the latest in reverse
//! post-order first.

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

/// Limit on the number of facts collected from one condition, which may be a long chain of `and` or `or`. Further parts
/// give no facts.
pub const MOST_FACTS: usize = 16;
/// Limit on the number of facts visited per value and query, the last ones first: bounds the time of a query about a
/// value that many conditions mention.
pub const MAX_FACTS_PER_QUERY: usize = 32;

/// The place from which a fact holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FactPlace {
    /// On the edge, which is the only edge between the two blocks.
    Edge {
        /// The block with the branch.
        from: Block,
        /// The successor.
        to: Block,
    },
    /// After this instruction.
    After(Inst),
}

/// A proposition about values.
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
    /// An `i1` has a known value.
    Is {
        /// The value.
        value: Value,
        /// Its known value.
        truth: bool,
    },
    /// An integer lies in a range (from a switch, for example).
    Within {
        /// The value.
        value: Value,
        /// The range.
        range: ConstantRange,
    },
    /// Bits of an integer are known (from a comparison of the masked integer).
    Bits {
        /// The value.
        value: Value,
        /// Its known bits.
        known: KnownBits,
    },
}

/// A claim together with the place from which it holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The place.
    pub place: FactPlace,
    /// The claim.
    pub claim: Claim,
}

impl Claim {
    /// The non-constant values in the claim.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let (a, b) = match *self {
            Self::Compare { left, right, .. } => (left, Some(right)),
            Self::Is { value, .. } | Self::Within { value, .. } | Self::Bits { value, .. } => (value, None),
        };
        std::iter::once(a).chain(b).filter(|v| v.as_const().is_none())
    }
}

/// The order of facts: by reverse post-order number of the block, then by collection order in the block.
type Rank = (u32, u32);

/// All known conditions of a body.
#[derive(Debug, Default)]
pub struct Conditions {
    /// Facts keep their indices; unused indices are in `free`.
    facts: Vec<Fact>,
    free: Vec<u32>,
    /// The collected conditions of each reachable block.
    of_block: FxHashMap<Block, OfBlock>,
    by_value: FxHashMap<Value, Vec<(Rank, u32)>>,
    /// Values that are branched on or assumed as a whole, with the places from which they are defined.
    defined: FxHashMap<Value, Vec<(Rank, FactPlace)>>,
    /// For each block, the blocks whose conditions depend on instructions in it.
    readers: FxHashMap<Block, FxHashSet<Block>>,
}

/// The collected conditions of a block.
#[derive(Debug)]
struct OfBlock {
    /// Its reverse post-order number.
    number: u32,
    facts: Vec<u32>,
    defined: Vec<(Value, FactPlace)>,
}

impl Conditions {
    /// The fact with that number.
    pub fn fact(&self, number: u32) -> &Fact {
        &self.facts[number as usize]
    }
    /// The indices of the facts from the terminator or from instructions of `block`, in order.
    pub fn of_block(&self, block: Block) -> &[u32] {
        self.of_block.get(&block).map_or(&[], |of| &of.facts)
    }
    /// The facts about `value`, wherever they hold, in reverse post-order of their places.
    pub fn about(&self, value: Value) -> impl DoubleEndedIterator<Item = &Fact> {
        self.by_value.get(&value).into_iter().flatten().map(|(_, number)| self.fact(*number))
    }
    /// The assumptions and guards that imply facts about `value`, in reverse post-order.
    pub fn assumptions_about(&self, value: Value) -> impl DoubleEndedIterator<Item = Inst> {
        let mut all: SmallVec<[Inst; 4]> = SmallVec::new();
        for fact in self.about(value) {
            if let FactPlace::After(inst) = fact.place
                && all.last() != Some(&inst)
            {
                all.push(inst);
            }
        }
        all.into_iter()
    }
    /// The claims about `value` that hold when control reaches `inst`.
    pub fn holding_at(&self, at: At<'_>, value: Value, inst: Inst) -> SmallVec<[Claim; 4]> {
        let Some(block) = at.body.block_of(inst) else { return SmallVec::new() };
        let passed = Passed::new(at, block, Some(inst));
        self.asked(value, |place| passed.holds(place))
    }
    /// The claims about `value` that hold at the end of `block`.
    pub fn holding_at_end(&self, at: At<'_>, value: Value, block: Block) -> SmallVec<[Claim; 4]> {
        let passed = Passed::new(at, block, None);
        self.asked(value, |place| passed.holds(place))
    }
    /// The claims about `value` that hold on the edge.
    pub fn holding_on_edge(&self, at: At<'_>, value: Value, from: Block, to: Block) -> SmallVec<[Claim; 4]> {
        let this_edge = FactPlace::Edge { from, to };
        let passed = Passed::new(at, from, None);
        self.asked(value, |place| place == this_edge || passed.holds(place))
    }
    fn asked(&self, value: Value, holds: impl Fn(FactPlace) -> bool) -> SmallVec<[Claim; 4]> {
        let facts = self.about(value).rev().take(MAX_FACTS_PER_QUERY);
        facts.filter(|f| holds(f.place)).map(|f| f.claim).collect()
    }
    /// Whether a branch or assumption before `inst` proves that `value` is neither poison nor undef.
    pub fn is_defined_at(&self, at: At<'_>, value: Value, inst: Inst) -> bool {
        let Some(block) = at.body.block_of(inst) else { return false };
        let places = self.defined.get(&value).into_iter().flatten().rev().take(MAX_FACTS_PER_QUERY);
        let passed = Passed::new(at, block, Some(inst));
        places.map(|(_, place)| *place).any(|p| passed.holds(p))
    }
    /// Whether `left pred right` is known to be true or false when control reaches `inst`; `None` if no single fact
    /// decides.
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

/// Decides which places control has passed when it reaches an instruction, or the end of a block.
struct Passed<'a> {
    at: At<'a>,
    block: Block,
    inst: Option<Inst>,
    cfg: Fresh<'a, Cfg>,
    dominators: Fresh<'a, Dominators>,
    order: Fresh<'a, Order>,
}

impl<'a> Passed<'a> {
    /// Lazy: most queries are about values without facts.
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
    fn holds(&self, place: FactPlace) -> bool {
        let (body, dominators) = (self.at.body, &self.dominators);
        match place {
            FactPlace::Edge { from, to } => edge_dominates(&self.cfg, dominators, from, to, self.block),
            FactPlace::After(by) => match self.inst {
                Some(inst) => self.order.dominates(body, dominators, by, inst),
                None => self.order.dominates_end(body, dominators, by, self.block),
            },
        }
    }
}

/// Whether the edge from `from` to `to` is unique and every path to `block` takes it.
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

/// Whether one of the claims alone implies `left pred right` (true) or its negation (false).
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

/// Whether `known` implies `pred` between the same two values (true), or its negation (false).
fn implied_by_same(known: IntPredicate, pred: IntPredicate) -> Option<bool> {
    // The pairs of 3-bit numbers cover all combinations of unsigned and signed order that two values can have.
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
        // Changed edges change the order of the blocks.
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
    /// Enters the conditions of `block`; `number` is its reverse post-order number.
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
    /// Removes the entries of a block.
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

/// Inserts `what` into `list` in order of rank, unless the rank is present.
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
