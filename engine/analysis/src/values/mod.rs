//! Facts of the integers and pointers of a body: known bits and ranges of every value, and sharper facts at a place,
//! from the conditions that hold there.
//!
//! Guarantee, in executions without UB: whenever an instruction is executed and its result is not poison, the facts
//! hold for the result. A result with undefined bits satisfies the facts for every choice of those bits.
//!
//! Algorithm: the facts solve the equations "a result follows from its operands". The search computes the least fixed
//! point from bottom as in sparse constant propagation (Wegman and Zadeck, 1991), except that all blocks count as
//! reachable. A value that changes often is widened: a range to a bound of the type, known bits to the low bits that
//! stay unchanged. Two passes then sharpen values from their operands, which is sound because facts derived from true
//! facts are true. These passes visit the values for which the search was inexact, and the values that depend on them.
//! Each value changes at most [`MOST_CHANGES`] times, so the search is linear in the uses of the body.
//!
//! [`Demanded`] answers for one value and caches the answer, without solving for the whole body. [`facts_on_demand`]
//! caches nothing and searches less deep, for passes that are editing.

pub mod demand;
pub mod evaluate;
pub mod facts;
mod recurrence;
mod worklist;

pub use demand::Demanded;
pub use facts::Facts;

use crate::cache::{Analysis, At, Depends, Fresh};
use crate::conditions::{Claim, Conditions, is_implied};
use crate::known_bits::KnownBits;
use crate::range::ConstantRange;
use backedge_ir::entity::{Block, EntityId, Inst, SecondaryMap};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use evaluate::width_of;
use std::cell::Cell;
use worklist::Worklist;

/// The number of changes after which the facts of a value become unknown: ensures that the search terminates in linear
/// time.
pub const MOST_CHANGES: u8 = 12;
/// The number of changes after which the facts of a phi are widened, so that a counter does not climb through its range
/// one value at a time.
const PATIENCE: u8 = 3;
/// The number of sharpening passes after the search. Each pass may make the facts of widened phis more precise;
/// stopping at any number is correct.
const SHARPENING: usize = 2;

/// Limit on instructions times loops for which the facts of all values are recomputed after each change, which takes
/// time proportional to the body for each loop that changes.
pub const MOST_SOLVED: usize = 1 << 15;

/// The facts of `value` wherever it is computed: from the solution for all values of the body or, if passes that change
/// one loop after another would solve for more than [`MOST_SOLVED`] values in total, from [`Demanded`] for this value
/// alone.
pub fn facts_at_scale(at: At<'_>, value: Value) -> Option<Facts> {
    if is_solved(at) { at.get::<ValueFacts>().of(at, value) } else { at.get::<Demanded>().of(at, value) }
}

/// Like [`facts_at_scale`], when control reaches `inst`. The definition of `value` must dominate `inst`.
pub fn facts_at_scale_at(at: At<'_>, value: Value, inst: Inst) -> Option<Facts> {
    if is_solved(at) {
        at.get::<ValueFacts>().at(at, value, inst)
    } else {
        at.get::<Demanded>().at(at, value, inst)
    }
}

fn is_solved(at: At<'_>) -> bool {
    at.body.inst_capacity().saturating_mul(at.loops().len()) <= MOST_SOLVED
}

/// The facts of every value of a body.
#[derive(Debug, Default)]
pub struct ValueFacts {
    facts: SecondaryMap<Inst, Option<Facts>>,
}

impl ValueFacts {
    /// The facts of `value` wherever it is computed; `None` for types without facts.
    pub fn of(&self, at: At<'_>, value: Value) -> Option<Facts> {
        match value {
            Value::Inst(inst) => self.facts[inst],
            Value::Arg(arg) => evaluate::argument(at, arg),
            Value::Const(c) => evaluate::constant(at, c),
        }
    }
    /// The facts of `value` when control reaches `inst`. The definition of `value` must dominate `inst`.
    pub fn at(&self, at: At<'_>, value: Value, inst: Inst) -> Option<Facts> {
        let claims = at.get::<Conditions>().holding_at(at, value, inst);
        self.with_claims(at, value, &claims)
    }
    /// The facts of `value` at the end of `block`.
    pub fn at_end(&self, at: At<'_>, value: Value, block: Block) -> Option<Facts> {
        let claims = at.get::<Conditions>().holding_at_end(at, value, block);
        self.with_claims(at, value, &claims)
    }
    /// The facts of `value` on the edge.
    pub fn on_edge(&self, at: At<'_>, value: Value, from: Block, to: Block) -> Option<Facts> {
        let claims = at.get::<Conditions>().holding_on_edge(at, value, from, to);
        self.with_claims(at, value, &claims)
    }
    /// Whether `left pred right` holds when control reaches `inst`; `None` if not known.
    pub fn icmp(
        &self,
        at: At<'_>,
        pred: IntPredicate,
        left: Value,
        right: Value,
        inst: Inst,
    ) -> Option<bool> {
        let conditions = at.get::<Conditions>();
        let mut claims = conditions.holding_at(at, left, inst);
        claims.extend(conditions.holding_at(at, right, inst));
        let implied = is_implied(at.body, &claims, pred, left, right);
        implied.or_else(|| self.at(at, left, inst)?.icmp(pred, self.at(at, right, inst)?))
    }
    fn with_claims(&self, at: At<'_>, value: Value, claims: &[Claim]) -> Option<Facts> {
        sharpened_by(at, self.of(at, value)?, value, claims, &|v| self.of(at, v))
    }
}

/// Sharpens `facts` of `value` with claims that hold.
fn sharpened_by(
    at: At<'_>,
    facts: Facts,
    value: Value,
    claims: &[Claim],
    other: &dyn Fn(Value) -> Option<Facts>,
) -> Option<Facts> {
    Some(claims.iter().fold(facts, |facts, claim| apply(at, facts, value, claim, other)))
}

/// Sharpens `facts` of `value` with a claim; `other` returns the facts of the other operand of a comparison.
fn apply(
    at: At<'_>,
    facts: Facts,
    value: Value,
    claim: &Claim,
    other: &dyn Fn(Value) -> Option<Facts>,
) -> Facts {
    let width = facts.width();
    // Facts of a vector describe its lanes; claims do not.
    if width_of(at.env, at.body.ty(value)) != Some(width) || at.body.ty(value).compound_id().is_some() {
        return facts;
    }
    match *claim {
        Claim::Is { value: of, truth } if of == value => facts.meet(Facts::constant(Int::bool(truth))),
        Claim::Within { value: of, range } if of == value => facts.meet(Facts::from_range(range)),
        Claim::Bits { value: of, known } if of == value => facts.meet(Facts::from_bits(known)),
        Claim::Compare { pred, left, right } if left != right => {
            let (pred, against) = if left == value { (pred, right) } else { (pred.swapped(), left) };
            match other(against).filter(|o| o.width() == width) {
                Some(o) => facts.meet(compared(facts, pred, o)),
                None => facts,
            }
        }
        Claim::Is { .. } | Claim::Within { .. } | Claim::Bits { .. } | Claim::Compare { .. } => facts,
    }
}

/// The facts that `x pred y` implies for `x`, if `y` has the facts `other`.
fn compared(facts: Facts, pred: IntPredicate, other: Facts) -> Facts {
    if pred == IntPredicate::Eq {
        return other;
    }
    let allowed = ConstantRange::allowed_region(pred, other.range);
    if allowed.is_full() { Facts::unknown(facts.width()) } else { Facts::from_range(allowed) }
}

impl Analysis for ValueFacts {
    const NAME: &'static str = "facts of values";
    const DEPENDS: Depends = Depends::Body;
    fn compute(at: At<'_>) -> Self {
        let mut search = Search::new(at);
        let dull = search.run();
        search.sharpen(dull);
        search.solution
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        at.body.all_insts().all(|i| self.facts[i] == other.facts[i])
    }
}

struct Search<'a> {
    at: At<'a>,
    conditions: Fresh<'a, Conditions>,
    /// All instructions with facts in reachable blocks, in reverse post-order.
    insts: Vec<Inst>,
    /// The index in `insts` plus one; 0 for other instructions.
    number: SecondaryMap<Inst, u32>,
    args: Vec<Option<Facts>>,
    changes: SecondaryMap<Inst, u8>,
    solution: ValueFacts,
}

impl<'a> Search<'a> {
    fn new(at: At<'a>) -> Self {
        let mut this = Self {
            at,
            conditions: at.get::<Conditions>(),
            insts: Vec::new(),
            number: SecondaryMap::new(),
            args: at.body.args().map(|a| evaluate::argument(at, a)).collect(),
            changes: SecondaryMap::new(),
            solution: ValueFacts::default(),
        };
        for &block in at.cfg().rpo() {
            for &inst in at.body.insts(block) {
                if let Some(width) = width_of(at.env, at.body.inst(inst).ty) {
                    this.solution.facts[inst] = Some(Facts::none(width));
                    this.insts.push(inst);
                    this.number[inst] = this.insts.len() as u32;
                }
            }
        }
        this
    }
    fn of(&self, value: Value) -> Option<Facts> {
        match value {
            Value::Inst(inst) => self.solution.facts[inst],
            Value::Arg(arg) => self.args[arg.index()],
            Value::Const(c) => evaluate::constant(self.at, c),
        }
    }
    /// Finds the solution. Returns the values that sharpening may improve.
    fn run(&mut self) -> Worklist {
        let mut work = Worklist::new(self.insts.len(), true);
        let mut dull = Worklist::new(self.insts.len(), false);
        while let Some(next) = work.pop_first() {
            let inst = self.insts[next as usize];
            let Some(old) = self.solution.facts[inst] else { continue };
            let (found, all_known) = self.evaluate(inst, true);
            if !all_known {
                dull.insert(next);
            }
            let new = old.join(found.unwrap_or(Facts::unknown(old.width())));
            if new == old {
                continue;
            }
            self.changes[inst] = self.changes[inst].saturating_add(1);
            if self.changes[inst] > 1 {
                dull.insert(next);
            }
            let settled = match self.changes[inst] {
                MOST_CHANGES.. => Facts::unknown(old.width()),
                PATIENCE.. if self.at.body.inst(inst).kind.is_phi() => {
                    let wide = widened(old, new);
                    self.recurrence(inst).map_or(wide, |r| wide.meet(r))
                }
                _ => new,
            };
            self.solution.facts[inst] = Some(settled);
            self.users(inst, true, &mut |user| work.insert(user));
        }
        dull
    }
    fn users(&self, inst: Inst, through: bool, found: &mut dyn FnMut(u32)) {
        for use_ in self.at.body.uses(inst.into()) {
            match self.number[use_.user] {
                // The parts of an arithmetic-with-overflow result depend on the operands of the intrinsic call.
                0 if through => self.users(use_.user, false, found),
                0 => {}
                n => found(n - 1),
            }
        }
    }
    /// Evaluates an instruction from the facts of its operands at their uses. During the search, only conditions
    /// against constants count: the facts of other values may still grow without a reevaluation of this one. The second
    /// result is whether no condition was ignored for that reason.
    fn evaluate(&self, inst: Inst, searching: bool) -> (Option<Facts>, bool) {
        let at = self.at;
        let Some(block) = at.body.block_of(inst) else { return (None, true) };
        let all_known = Cell::new(true);
        let other = |v: Value| {
            if searching && v.as_const().is_none() {
                all_known.set(false);
                return None;
            }
            self.of(v)
        };
        let is_phi = at.body.inst(inst).kind.is_phi();
        let found = evaluate::instruction(at, inst, &mut |index| {
            let value = evaluate::operand_of(at, inst, index)?;
            let facts = self.of(value)?;
            if value.as_const().is_some() || self.conditions.about(value).next().is_none() {
                return Some(facts);
            }
            let claims = if is_phi {
                let from = *at.body.inst(inst).blocks.get(index)?;
                self.conditions.holding_on_edge(at, value, from, block)
            } else {
                self.conditions.holding_at(at, value, inst)
            };
            Some(claims.iter().fold(facts, |facts, claim| apply(at, facts, value, claim, &other)))
        });
        if is_phi && let (Some(found), Some(recurrence)) = (found, self.recurrence(inst)) {
            return (Some(found.meet(recurrence)), all_known.get());
        }
        (found, all_known.get())
    }
    fn recurrence(&self, phi: Inst) -> Option<Facts> {
        recurrence::recurrence(self.at, phi, self.solution.facts[phi]?.width(), &mut |v| self.of(v))
    }
    /// Reevaluates the values in `dull` and, transitively, their users.
    fn sharpen(&mut self, mut dull: Worklist) {
        for _ in 0..SHARPENING {
            let mut next = Worklist::new(self.insts.len(), false);
            while let Some(i) = dull.pop_first() {
                let inst = self.insts[i as usize];
                if let (Some(old), Some(new)) = (self.solution.facts[inst], self.evaluate(inst, false).0) {
                    let met = old.meet(new);
                    if met != old {
                        self.solution.facts[inst] = Some(met);
                        self.users(inst, true, &mut |user| {
                            // Users earlier in the order wait for the next pass.
                            if user > i { dull.insert(user) } else { next.insert(user) }
                        });
                    }
                }
            }
            dull = next;
        }
    }
}

/// A superset of `new`, from a set with few elements between `old` and unknown.
fn widened(old: Facts, new: Facts) -> Facts {
    let width = new.width();
    let bits = if old.bits == new.bits {
        new.bits
    } else {
        // Keep the known low bits up to the first bit that became unknown.
        let lost = old.bits.known().and(new.bits.known().not());
        let low = Int::low_ones(width, lost.trailing_zeros());
        KnownBits { zero: new.bits.zero.and(low), one: new.bits.one.and(low) }
    };
    let range = if old.range == new.range { new.range } else { widened_range(new.range) };
    Facts { bits, range }
}

/// The smallest range that contains `range` and ends at a bound of the type.
fn widened_range(range: ConstantRange) -> ConstantRange {
    let width = range.width();
    let full = ConstantRange::full(width);
    let (Some(umin), Some(umax), Some(smin), Some(smax)) =
        (range.unsigned_min(), range.unsigned_max(), range.signed_min(), range.signed_max())
    else {
        return full;
    };
    let (low, high) = (Int::signed_min(width), Int::signed_max(width));
    [
        ConstantRange::inclusive(smin, high),
        ConstantRange::inclusive(low, smax),
        ConstantRange::inclusive(umin, Int::all_ones(width)),
        ConstantRange::inclusive(Int::zero(width), umax),
    ]
    .into_iter()
    .filter(|r| r.contains_range(range))
    .min_by_key(|r| r.size_less_one())
    .unwrap_or(full)
}

/// Limit on the search depth of [`facts_on_demand`], in operands: bounds the recursion and the time of a query.
pub const DEPTH: u32 = 6;
/// Limit on the number of values that [`facts_on_demand`] visits: operands that several values share are visited once
/// for each.
const BUDGET: u32 = 256;

/// The facts of `value` from its operands, up to a depth of [`DEPTH`], without conditions and without solving for the
/// whole body.
pub fn facts_on_demand(at: At<'_>, value: Value) -> Option<Facts> {
    let mut budget = BUDGET;
    demanded(at, value, DEPTH, &mut budget)
}

fn demanded(at: At<'_>, value: Value, depth: u32, budget: &mut u32) -> Option<Facts> {
    let inst = match value {
        Value::Inst(inst) => inst,
        Value::Arg(arg) => return evaluate::argument(at, arg),
        Value::Const(c) => return evaluate::constant(at, c),
    };
    let width = width_of(at.env, at.body.ty(value))?;
    *budget = budget.saturating_sub(1);
    // A freeze would need the conditions of the whole body.
    if depth == 0 || *budget == 0 || matches!(at.body.inst(inst).kind, InstKind::Freeze) {
        return Some(Facts::unknown(width));
    }
    evaluate::instruction(at, inst, &mut |index| {
        demanded(at, evaluate::operand_of(at, inst, index)?, depth - 1, budget)
    })
}
