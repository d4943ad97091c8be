//! Alias analysis: whether two accesses can touch the same bytes, and what an instruction may do to a location.
//!
//! Guarantees of [`Aliasing::alias`], for two locations with values at one point of an execution without UB:
//!
//! - `NoAlias`: if both locations are accessed, their bytes are disjoint; if one is reached through a `noalias`
//!   argument, the locations may overlap instead, if no shared byte is written while the function runs.
//! - `MustAlias`: the pointers are equal, if neither is poison. `PartialAlias(n)`: the second pointer is the first plus
//!   `n` bytes.
//!
//! [`Iterations`] defines "at one point": SSA values are equal for both locations only if both locations belong to the
//! same iteration.
//!
//! Algorithm: compare the underlying objects ([`object`]) by kind and by escape. For one common base, evaluate the
//! difference of the decompositions ([`mod@decompose`]) as known bits and a range, or modulo the common divisor of the
//! scales. Metadata: scoped `!alias.scope` and `!noalias`; `!tbaa` is not used. Everything is bounded: a query visits
//! tens of values.

pub mod decompose;
pub mod location;
mod modref;
pub mod object;
pub mod scoped;
pub mod speculate;

pub use decompose::{Decomposed, decompose};
pub use location::{MemoryLocation, Size};
pub use object::{Captures, Object, underlying_objects};

use crate::cache::At;
use crate::known_bits::KnownBits;
use crate::range::ConstantRange;
use crate::values::{Facts, evaluate, facts_at_scale, facts_at_scale_at};
use crate::{LoopForest, LoopId};
use backedge_ir::constant::GlobalRef;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use decompose::{Extension, Term, brought};
use object::{dereferenceable_bytes, object_size};

/// The relation of two locations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AliasResult {
    /// Disjoint.
    NoAlias,
    /// Nothing is known.
    MayAlias,
    /// The second pointer is the first plus this many bytes, and the locations overlap.
    PartialAlias(i64),
    /// The pointers are equal.
    MustAlias,
}

/// Which executions of the two accesses a query compares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Iterations {
    /// Both pointers at one point that their definitions dominate: in the same iteration of every loop.
    Same,
    /// Any two iterations of that loop, within one iteration of the enclosing loops: values computed in the loop may
    /// differ.
    Any(LoopId),
    /// Any two executions within one activation of the function: every value computed in a cycle may differ.
    All,
}

/// Alias queries on one body.
#[derive(Copy, Clone, Debug)]
pub struct Aliasing<'a> {
    at: At<'a>,
}

/// The parameters of a query.
#[derive(Copy, Clone, Debug)]
struct Query {
    iterations: Iterations,
    context: Option<Inst>,
}

/// Limit on the number of nested selects that a query splits: each split doubles the number of comparisons.
const SPLITS: u32 = 4;

impl<'a> Aliasing<'a> {
    /// Queries on the body of `at`.
    pub fn new(at: At<'a>) -> Self {
        Self { at }
    }
    /// The relation of the locations. `context` is the later access, if known.
    pub fn alias(
        &self,
        a: MemoryLocation,
        b: MemoryLocation,
        iterations: Iterations,
        context: Option<Inst>,
    ) -> AliasResult {
        let empty = |l: MemoryLocation| l.size == Size::Precise(0);
        if empty(a) || empty(b) {
            return AliasResult::NoAlias;
        }
        if self.objects_differ(a, b, context) {
            return AliasResult::NoAlias;
        }
        self.compare(a, b, Query { iterations, context }, SPLITS)
    }
    /// Whether two loads, stores or atomic operations can touch the same bytes. Also uses scoped alias metadata whose
    /// scopes denote the same instance in the compared executions.
    pub fn alias_accesses(&self, a: Inst, b: Inst, iterations: Iterations) -> AliasResult {
        // A scope that is declared in a cycle is a new instance in each iteration.
        let is_one = |scope| {
            let declared = || self.at.get::<scoped::Declarations>();
            iterations == Iterations::Same
                || declared().of(scope).iter().all(|inst| self.is_same(Value::Inst(*inst), iterations))
        };
        if scoped::no_alias(self.at, a, b, &is_one) {
            return AliasResult::NoAlias;
        }
        match (MemoryLocation::of_access(self.at, a), MemoryLocation::of_access(self.at, b)) {
            (Some(x), Some(y)) => self.alias(x, y, iterations, Some(b)),
            _ => AliasResult::MayAlias,
        }
    }

    /// Whether every object of `a` is distinct from every object of `b`.
    fn objects_differ(&self, a: MemoryLocation, b: MemoryLocation, context: Option<Inst>) -> bool {
        let (Some(of_a), Some(of_b)) =
            (underlying_objects(self.at, a.ptr), underlying_objects(self.at, b.ptr))
        else {
            return false;
        };
        of_a.iter().all(|x| {
            of_b.iter().all(|y| {
                let smaller = |object: Object, size: Size| match (object_size(self.at, object), size) {
                    (Some(n), Size::Precise(needed)) => n < needed,
                    _ => false,
                };
                self.differ(*x, *y, context)
                    || x == y && (smaller(*x, a.size) || smaller(*x, b.size))
                    || smaller(*x, b.size) && x.is_identified()
                    || smaller(*y, a.size) && y.is_identified()
            })
        })
    }
    /// Whether two objects are distinct, or no access through one of them is possible (null).
    fn differ(&self, a: Object, b: Object, context: Option<Inst>) -> bool {
        if a == b {
            return false;
        }
        if a == Object::Null || b == Object::Null {
            return true;
        }
        if matches!(a, Object::Unknown(_)) || matches!(b, Object::Unknown(_)) {
            return false;
        }
        if a.is_identified() && b.is_identified() {
            return true;
        }
        let (local, other) = if a.is_local() { (a, b) } else { (b, a) };
        if !local.is_local() {
            return false;
        }
        match other {
            Object::Argument(_) => true,
            Object::Escaped(_) => {
                let captures = self.at.get::<Captures>();
                captures.is_never_captured(local)
                    || context.is_some_and(|c| {
                        !captures.may_be_captured_before(self.at, local, self.origin(other, c))
                    })
            }
            _ => false,
        }
    }
    /// The definition of a loaded or returned pointer: objects that escape later cannot be its target.
    fn origin(&self, escaped: Object, context: Inst) -> Inst {
        match escaped {
            Object::Escaped(Value::Inst(inst)) => inst,
            _ => context,
        }
    }

    /// Compares two pointers by their decompositions.
    fn compare(&self, a: MemoryLocation, b: MemoryLocation, query: Query, splits: u32) -> AliasResult {
        let (Some(x), Some(y)) = (decompose(self.at, a.ptr), decompose(self.at, b.ptr)) else {
            return AliasResult::MayAlias;
        };
        if x.offset.width() != y.offset.width() {
            return AliasResult::MayAlias;
        }
        if x.base == y.base && self.is_same(x.base, query.iterations) {
            let difference = y.minus(&x, |v| self.is_same(v, query.iterations));
            return self.by_difference(&difference, a.size, b.size, query);
        }
        self.split(a, b, query, splits)
    }
    /// Splits a select on one side: the relation of both arms to the other side, if they agree.
    fn split(&self, a: MemoryLocation, b: MemoryLocation, query: Query, splits: u32) -> AliasResult {
        let select = |v: Value| {
            let data = self.at.body.inst(v.as_inst()?);
            matches!(data.kind, backedge_ir::inst::InstKind::Select(_))
                .then(|| (data.operands[1], data.operands[2]))
        };
        if splits == 0 {
            return AliasResult::MayAlias;
        }
        let ask = |a, b| {
            if self.objects_differ(a, b, query.context) {
                return AliasResult::NoAlias;
            }
            self.compare(a, b, query, splits - 1)
        };
        let merged = |p: AliasResult, q: AliasResult| if p == q { p } else { AliasResult::MayAlias };
        if let Some((p, q)) = select(a.ptr) {
            return merged(ask(MemoryLocation { ptr: p, ..a }, b), ask(MemoryLocation { ptr: q, ..a }, b));
        }
        if let Some((p, q)) = select(b.ptr) {
            return merged(ask(a, MemoryLocation { ptr: p, ..b }), ask(a, MemoryLocation { ptr: q, ..b }));
        }
        AliasResult::MayAlias
    }
    /// Whether `value` is equal in the compared executions.
    fn is_same(&self, value: Value, iterations: Iterations) -> bool {
        let Value::Inst(inst) = value else { return true };
        let Some(block) = self.at.body.block_of(inst) else { return false };
        match iterations {
            Iterations::Same => true,
            Iterations::Any(l) => {
                let forest: &LoopForest = &self.at.loops();
                !forest.contains(l, block) && !self.in_irreducible_cycle(inst)
            }
            Iterations::All => self.at.loops().innermost(block).is_none() && !self.in_irreducible_cycle(inst),
        }
    }
    fn in_irreducible_cycle(&self, inst: Inst) -> bool {
        let cycles = self.at.get::<crate::cache::IrreducibleCycles>();
        self.at.body.block_of(inst).is_none_or(|b| cycles.0.iter().any(|c| c.blocks.contains(&b)))
    }

    /// The relation of two locations from `difference`, the second pointer minus the first.
    fn by_difference(&self, difference: &Decomposed, a: Size, b: Size, query: Query) -> AliasResult {
        let width = difference.offset.width();
        if difference.terms.is_empty() {
            return constant_difference(difference.offset, a, b);
        }
        let (Some(a), Some(b)) = (a.bound(), b.bound()) else { return AliasResult::MayAlias };
        // If both pointers belong to the same iteration, so do their terms, and facts at the later access apply.
        let context = query.context.filter(|_| query.iterations == Iterations::Same);
        let fits = |n: u64| width > 64 || u128::from(n) <= Int::signed_max(width).bits();
        if !fits(a) || !fits(b) {
            return AliasResult::MayAlias;
        }
        let (a, b) = (Int::new(width, a.into()), Int::new(width, b.into()));
        let mut sum = Facts::constant(difference.offset);
        for term in &difference.terms {
            let Some(value) = self.term(term, width, context) else { return AliasResult::MayAlias };
            sum = evaluate::binary(BinaryOp::Add, BinaryFlags::default(), sum, value);
        }
        // Disjoint: the second pointer is at least `a` bytes after the first, and at least `b` bytes before it modulo
        // 2^width.
        let apart = ConstantRange::inclusive(a, b.neg());
        let disjoint = apart.contains_range(sum.range)
            || apart_by_low_bits(sum.bits, a, b)
            || self.apart_by_divisor(difference, a, b, context)
            || self.apart_by_one_step(difference, a, b, context);
        if disjoint { AliasResult::NoAlias } else { AliasResult::MayAlias }
    }
    /// The facts of a scaled term.
    fn term(&self, term: &Term, width: u32, context: Option<Inst>) -> Option<Facts> {
        let value = self.extended(term, width, context)?;
        Some(evaluate::binary(BinaryOp::Mul, BinaryFlags::default(), value, Facts::constant(term.scale)))
    }
    fn extended(&self, term: &Term, width: u32, context: Option<Inst>) -> Option<Facts> {
        let facts = match context {
            Some(inst) => facts_at_scale_at(self.at, term.value, inst)?,
            None => facts_at_scale(self.at, term.value)?,
        };
        Some(match (term.extension, facts.width() >= width) {
            (_, true) => {
                Facts::new(facts.bits.trunc(width, false, false), facts.range.trunc(width, false, false))
            }
            (Extension::Signed, false) => Facts::new(facts.bits.sext(width), facts.range.sext(width)),
            (Extension::Zero, false) => {
                Facts::new(facts.bits.zext(width, false), facts.range.zext(width, false))
            }
        })
    }
    /// Whether a single term that is nonzero and does not wrap keeps the locations disjoint.
    fn apart_by_one_step(&self, difference: &Decomposed, a: Int, b: Int, context: Option<Inst>) -> bool {
        let (width, [term]) = (difference.offset.width(), difference.terms.as_slice()) else { return false };
        let Some(facts) = self.extended(term, width, context).filter(|_| difference.offset.is_zero()) else {
            return false;
        };
        let step = term.scale.abs();
        let largest = Int::signed_max(width).udiv(step).unwrap_or(Int::zero(width));
        let small = ConstantRange::inclusive(largest.neg(), largest).contains_range(facts.range);
        let zero = Int::zero(width);
        (small || difference.exact) && !facts.contains(zero) && step.uge(a) && step.uge(b)
    }
    /// Whether the difference is exact in ℤ and its residue modulo the common divisor of the scales keeps the locations
    /// disjoint.
    fn apart_by_divisor(&self, difference: &Decomposed, a: Int, b: Int, context: Option<Inst>) -> bool {
        let width = difference.offset.width();
        if width > 64 {
            return false;
        }
        // The sum in ℤ is the distance if it fits a signed integer of the width: because of the ranges of the terms, or
        // because neither pointer's own sum wraps.
        let mut divisor: u128 = 0;
        let mut bounds = Some((difference.offset.signed(), difference.offset.signed()));
        for term in &difference.terms {
            let scale = term.scale.signed();
            divisor = gcd(divisor, scale.unsigned_abs());
            bounds = bounds.and_then(|(low, high)| {
                let range = self.extended(term, width, context)?.range;
                let p = range.signed_min()?.signed().checked_mul(scale)?;
                let q = range.signed_max()?.signed().checked_mul(scale)?;
                Some((low.checked_add(p.min(q))?, high.checked_add(p.max(q))?))
            });
        }
        let limit = Int::signed_max(width).signed();
        let small = bounds.is_some_and(|(low, high)| low >= -limit && high <= limit);
        if divisor == 0 || !small && !difference.exact {
            return false;
        }
        let rest = difference.offset.signed().rem_euclid(divisor as i128) as u128;
        rest >= a.bits() && divisor - rest >= b.bits()
    }

    /// Whether `size` bytes at `ptr` can be read and the address is a multiple of `align`, if `ptr` is not poison. An
    /// alloca outside its lifetime counts as readable: a load from it yields poison.
    pub fn is_dereferenceable_and_aligned(
        &self,
        ptr: Value,
        size: u64,
        align: u64,
        context: Option<Inst>,
    ) -> bool {
        let Some(parts) = decompose(self.at, ptr) else { return false };
        let Some(objects) = underlying_objects(self.at, parts.base) else { return false };
        let [object] = objects.as_slice() else { return false };
        let is_base = match *object {
            Object::Alloca(i) | Object::Fresh(i) => parts.base == Value::Inst(i),
            Object::NoAlias(arg) | Object::Argument(arg) => parts.base == Value::Arg(arg),
            Object::Escaped(v) => parts.base == v,
            Object::Global(GlobalRef::Var(_)) => parts.base.as_const().is_some(),
            _ => false,
        };
        let bytes = dereferenceable_bytes(self.at, *object);
        let width = parts.offset.width();
        let Some(room) = bytes.checked_sub(size).filter(|_| is_base) else { return false };
        let mut offset = Facts::constant(parts.offset);
        for term in &parts.terms {
            let Some(value) = self.term(term, width, context) else { return false };
            offset = evaluate::binary(BinaryOp::Add, BinaryFlags::default(), offset, value);
        }
        let inside = offset.range.unsigned_max().is_some_and(|max| max.bits() <= u128::from(room));
        inside && self.known_align(ptr, context) >= align
    }
    /// The largest power of two that is known to divide the address.
    pub fn known_align(&self, ptr: Value, context: Option<Inst>) -> u64 {
        let facts = match context {
            Some(inst) => facts_at_scale_at(self.at, ptr, inst),
            None => facts_at_scale(self.at, ptr),
        };
        facts.map_or(1, |f| 1 << f.bits.min_trailing_zeros().min(32))
    }
}

/// The relation of locations whose second pointer is the first plus the constant `by`.
fn constant_difference(by: Int, a: Size, b: Size) -> AliasResult {
    let signed = by.signed();
    if signed == 0 {
        return AliasResult::MustAlias;
    }
    // Objects do not wrap around the address space, so the distance within one object is the signed number.
    let apart = if signed > 0 {
        !matches!(b, Size::Anywhere) && a.bound().is_some_and(|n| signed.unsigned_abs() >= n.into())
    } else {
        !matches!(a, Size::Anywhere) && b.bound().is_some_and(|n| signed.unsigned_abs() >= n.into())
    };
    let precise = matches!((a, b), (Size::Precise(_), Size::Precise(_)));
    match i64::try_from(signed) {
        _ if apart => AliasResult::NoAlias,
        Ok(by) if precise => AliasResult::PartialAlias(by),
        _ => AliasResult::MayAlias,
    }
}

/// Whether the low bits of the difference alone keep the locations, of sizes `a` and `b`, disjoint.
fn apart_by_low_bits(difference: KnownBits, a: Int, b: Int) -> bool {
    let known = difference.known().trailing_ones().min(64);
    (1..=known).any(|bits| {
        let circle = 1u128 << bits;
        let rest = difference.one.bits() & (circle - 1);
        rest >= a.bits() && circle - rest >= b.bits()
    })
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The value of a term for a concrete integer; a reference for tests.
#[must_use]
pub fn term_value(term: &Term, value: Int, width: u32) -> Int {
    brought(value, term.extension, width).mul(term.scale)
}
