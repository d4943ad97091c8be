//! Evaluates claim expressions as terms at a place: on the values and iteration numbers at a point of an encoded
//! function.
//!
//! Arithmetic is modulo 2^width, as in expressions; [`Evaluator::exact`] gives recurrences in the integers. In open
//! loops, the iteration number k is a variable. There, the product of k and a variable step is a fresh variable with a
//! few simple axioms. These suffice for the step from one iteration to the next, and keep multiplications out of the
//! solver. The abstraction makes proofs weaker but never unsound.

use crate::encode::observed::{Index, Observed};
use crate::encode::value::{Scalar, Sym};
use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS, World};
use crate::term::{Bits, Term};
use backedge_claim::expr::{CastOp, ExprId, Exprs, Foreign, NaryOp, Node, Operands};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use backedge_ir::module::Env;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The value of an expression at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Evaluated {
    pub(super) bits: Term,
    /// Whether the value is poison or divides by zero.
    pub(super) poison: Term,
    /// Whether there is no comparable value: undef bits, or a missing leaf.
    pub(super) nothing: Term,
}

/// A place at which expressions are evaluated: after the visit with this number, or on an edge from it to the header of
/// an open loop, where the phis have new values and the iteration has a new number.
#[derive(Clone, Debug, Default)]
pub(super) struct EvaluationPoint {
    pub(super) visit: usize,
    /// Phis with other values than in the visit.
    pub(super) phis: FxHashMap<Inst, Sym>,
    /// The header of the loop that the edge leads to, and whether the edge is a backedge.
    pub(super) arrives: Option<(Block, bool)>,
}

/// The index of a place.
pub(super) type PlaceId = usize;

/// An expression or claim that cannot be expressed as terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NotModelled(pub(super) String);

pub(super) type Modelled<T> = Result<T, NotModelled>;

fn not_modelled<T>(what: &str) -> Modelled<T> {
    Err(NotModelled(what.to_owned()))
}

/// The number of an arrival: `base`, plus one if `next` is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) base: Term,
    pub(super) next: bool,
    /// Whether the number without `next` has bits above those of `base`.
    pub(super) beyond: Term,
}

/// A recurrence in the integers.
pub(super) struct Exact {
    /// The operands in their own width.
    pub(super) operands: Vec<Term>,
    pub(super) number: Number,
}

/// A summand of a recurrence in the integers: `x` times (the number of the arrival choose `degree`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Summand {
    pub(super) x: Term,
    pub(super) signed: bool,
    pub(super) degree: usize,
}

/// Evaluates the expressions of the claims about one function.
pub(super) struct Evaluator<'a> {
    pub(super) env: &'a Env,
    pub(super) exprs: &'a Exprs,
    pub(super) observed: &'a Observed,
    /// Whether loops are open.
    pub(super) open: bool,
    pub(super) places: Vec<EvaluationPoint>,
    known: FxHashMap<(PlaceId, ExprId), Modelled<Evaluated>>,
    products: FxHashMap<(Term, Term), Term>,
    /// The low bits of product variables with their definitions, which need multiplications.
    pub(super) meanings: Vec<(Term, Term)>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(env: &'a Env, exprs: &'a Exprs, observed: &'a Observed, open: bool) -> Self {
        let places = (0..observed.visits.len())
            .map(|visit| EvaluationPoint { visit, ..EvaluationPoint::default() })
            .collect();
        let (known, products) = (FxHashMap::default(), FxHashMap::default());
        Self { env, exprs, observed, open, places, known, products, meanings: Vec::new() }
    }
    /// Width of arithmetic on expressions of type `ty`.
    pub(super) fn width_of(&self, ty: Type) -> Option<u32> {
        let pointer = || ty.ptr_space().map(|space| self.env.layout.index_bits(space));
        ty.int_bits().or_else(pointer).filter(|w| (1..=128).contains(w))
    }
    pub(super) fn width(&self, expr: ExprId) -> Modelled<u32> {
        self.width_of(self.exprs.ty(expr)).map_or_else(|| not_modelled("an expression of this type"), Ok)
    }

    /// The value of `value` at `place`; `None` if it is not available there.
    pub(super) fn sym(&self, place: PlaceId, value: Value) -> Option<Sym> {
        use backedge_ir::entity::EntityId;
        let place = &self.places[place];
        match value {
            Value::Arg(arg) => self.observed.args.get(arg.index()).cloned(),
            Value::Const(c) => self.observed.constants.get(&c).cloned(),
            Value::Inst(inst) => {
                let here = || self.observed.visits[place.visit].values.get(&inst);
                place.phis.get(&inst).or_else(here).cloned()
            }
        }
    }
    /// The value of a leaf of type `ty`.
    pub(super) fn leaf(&self, w: &mut World, place: PlaceId, value: Value, ty: Type) -> Modelled<Evaluated> {
        let Some(width) = self.width_of(ty) else { return not_modelled("a value of this type") };
        match self.sym(place, value) {
            Some(Sym::Scalar(scalar)) => self.scalar(w, scalar, ty, width),
            Some(Sym::List(_)) => not_modelled("an aggregate in an expression"),
            None if matches!(value, Value::Const(_)) => not_modelled("a constant of this kind"),
            None => {
                let zero = w.terms.number(width, 0);
                let (no, yes) = (w.terms.bool(false), w.terms.bool(true));
                Ok(Evaluated { bits: zero, poison: no, nothing: yes })
            }
        }
    }
    fn scalar(&self, w: &mut World, scalar: Scalar, ty: Type, width: u32) -> Modelled<Evaluated> {
        let nothing = scalar.has_undef(&mut w.terms);
        let mut bits = scalar.bits;
        if ty.is_ptr() {
            if w.terms.width(bits) != POINTER_BITS {
                return not_modelled("a pointer of this kind");
            }
            bits = w.address_of(bits);
        }
        Ok(Evaluated { bits: w.terms.zext_or_truncate(bits, width), poison: scalar.poison, nothing })
    }
    /// The number of the last arrival at `header`.
    pub(super) fn number(&self, w: &mut World, place: PlaceId, header: Block) -> Option<Number> {
        let at = &self.places[place];
        if at.arrives == Some((header, false)) {
            let width = self.observed.visits[at.visit].indices.values().next();
            let width = width.map_or(crate::encode::observe::UNROLLED_INDEX_BITS, |i| w.terms.width(i.count));
            let (base, no) = (w.terms.number(width, 0), w.terms.bool(false));
            return Some(Number { base, next: false, beyond: no });
        }
        let Index { count, beyond } = *self.observed.visits[at.visit].indices.get(&header)?;
        Some(Number { base: count, next: at.arrives == Some((header, true)), beyond })
    }

    /// The value of `expr` at `place`.
    pub(super) fn value(&mut self, w: &mut World, place: PlaceId, expr: ExprId) -> Modelled<Evaluated> {
        for id in self.exprs.subexpressions(expr) {
            if !self.known.contains_key(&(place, id)) {
                let value = self.node(w, place, id);
                self.known.insert((place, id), value);
            }
        }
        self.known[&(place, expr)].clone()
    }
    fn operand(&self, place: PlaceId, expr: ExprId) -> Modelled<Evaluated> {
        self.known[&(place, expr)].clone()
    }
    fn node(&mut self, w: &mut World, place: PlaceId, id: ExprId) -> Modelled<Evaluated> {
        let (ty, width) = (self.exprs.ty(id), self.width(id)?);
        let exprs = self.exprs;
        match exprs.node(id) {
            Node::Int(int) => Ok(fixed(w, Bits::new(width, int.bits()))),
            Node::Unknown(value) => self.leaf(w, place, *value, ty),
            Node::Foreign(foreign) => self.foreign(w, foreign, ty, width),
            Node::Cast(op, operand) => {
                let of = self.operand(place, *operand)?;
                let bits = match op {
                    CastOp::SExt => w.terms.sext_or_truncate(of.bits, width),
                    CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::PtrToAddr => {
                        w.terms.zext_or_truncate(of.bits, width)
                    }
                };
                Ok(Evaluated { bits, ..of })
            }
            Node::Nary(op, operands, _) => {
                let operands: Modelled<Vec<_>> = operands.iter().map(|o| self.operand(place, *o)).collect();
                let mut operands = operands?;
                for operand in &mut operands {
                    operand.bits = w.terms.zext_or_truncate(operand.bits, width);
                }
                Ok(nary(w, *op, &operands))
            }
            Node::UDiv(lhs, rhs) => {
                let (a, b) = (self.operand(place, *lhs)?, self.operand(place, *rhs)?);
                let zero = w.terms.number(width, 0);
                let by_zero = w.terms.eq(b.bits, zero);
                Ok(Evaluated {
                    bits: w.terms.udiv(a.bits, b.bits),
                    poison: w.terms.or_all([a.poison, b.poison, by_zero]),
                    nothing: w.terms.or(a.nothing, b.nothing),
                })
            }
            Node::AddRec { operands, header, .. } => self.addrec(w, place, operands, *header, width),
            Node::VScale => not_modelled("vscale"),
            Node::CouldNotCompute => not_modelled("an expression that could not be computed"),
        }
    }
    fn foreign(&self, w: &mut World, foreign: &Foreign, ty: Type, width: u32) -> Modelled<Evaluated> {
        match foreign {
            Foreign::Undef => {
                let yes = w.terms.bool(true);
                Ok(Evaluated { nothing: yes, ..fixed(w, Bits::zero(width)) })
            }
            Foreign::Poison => {
                let yes = w.terms.bool(true);
                Ok(Evaluated { poison: yes, ..fixed(w, Bits::zero(width)) })
            }
            Foreign::Null => Ok(fixed(w, Bits::zero(width))),
            Foreign::Global(global) => match w.global(self.env.name_of(*global)) {
                Some(number) => {
                    let block = w.terms.number(BLOCK_BITS, number.into());
                    let zero = w.terms.number(OFFSET_BITS, 0);
                    let pointer = w.terms.concat(block, zero);
                    let scalar = Scalar::defined(&mut w.terms, pointer);
                    self.scalar(w, scalar, ty, width)
                }
                None => not_modelled("an alias in an expression"),
            },
            Foreign::Text(text) => not_modelled(&format!("the constant `{text}`")),
        }
    }

    fn addrec(
        &mut self,
        w: &mut World,
        place: PlaceId,
        operands: &Operands,
        header: Block,
        width: u32,
    ) -> Modelled<Evaluated> {
        let Some(number) = self.number(w, place, header) else {
            let yes = w.terms.bool(true);
            return Ok(Evaluated { nothing: yes, ..fixed(w, Bits::zero(width)) });
        };
        let (mut poison, mut nothing) = (w.terms.bool(false), w.terms.bool(false));
        let mut sum = w.terms.number(width, 0);
        for (degree, operand) in operands.iter().enumerate() {
            let of = self.operand(place, *operand)?;
            // The operand does not affect earlier iterations, because the phi does not use it there.
            let reached = Self::at_least(w, number, degree);
            let (is_poison, is_nothing) = (w.terms.and(reached, of.poison), w.terms.and(reached, of.nothing));
            poison = w.terms.or(poison, is_poison);
            nothing = w.terms.or(nothing, is_nothing);
            let bits = w.terms.zext_or_truncate(of.bits, width);
            let term = self.times_binomial(w, bits, number, degree)?;
            sum = w.terms.add(sum, term);
        }
        Ok(Evaluated { bits: sum, poison, nothing })
    }
    /// Whether `number` is at least `least`.
    fn at_least(w: &mut World, number: Number, least: usize) -> Term {
        let least = least.saturating_sub(usize::from(number.next));
        let width = w.terms.width(number.base);
        if least == 0 {
            w.terms.bool(true)
        } else if width < usize::BITS && least >> width != 0 {
            number.beyond
        } else {
            let least = w.terms.number(width, least as u128);
            let reached = w.terms.ule(least, number.base);
            w.terms.or(reached, number.beyond)
        }
    }
    /// `x` times the binomial coefficient (`number` choose `degree`), modulo 2^width.
    fn times_binomial(&mut self, w: &mut World, x: Term, number: Number, degree: usize) -> Modelled<Term> {
        let width = w.terms.width(x);
        if let Some(times) = constant_binomial(w, number, degree) {
            let times = w.terms.constant(times.zext(width.max(times.width())).extract(width - 1, 0));
            return Ok(w.terms.mul(x, times));
        }
        let zero = || w_zero(width);
        match degree {
            0 => Ok(x),
            1 => {
                let product = self.product(w, number.base, x);
                let product = w.terms.zext_or_truncate(product, width);
                Ok(if number.next { w.terms.add(product, x) } else { product })
            }
            2 => {
                // k(k-1)/2, plus k for the next iteration.
                let pairs = self.pairs(w, number.base, width);
                let k = w.terms.zext_or_truncate(number.base, width);
                let pairs = if number.next { w.terms.add(pairs, k) } else { pairs };
                let zero = w.terms.constant(zero());
                Ok(if x == zero { zero } else { w.terms.mul(pairs, x) })
            }
            _ => not_modelled("a recurrence of degree 3 or more whose iteration is not known"),
        }
    }
    /// k(k-1)/2 modulo 2^width.
    fn pairs(&mut self, w: &mut World, k: Term, width: u32) -> Term {
        let more = width + 1;
        let k = w.terms.zext_or_truncate(k, more);
        if let Some(&known) = self.products.get(&(k, k)) {
            return known;
        }
        let pairs = if self.open {
            w.fresh("pairs", width)
        } else {
            let one = w.terms.number(more, 1);
            let before = w.terms.sub(k, one);
            let product = w.terms.mul(k, before);
            w.terms.extract(product, width, 1)
        };
        self.products.insert((k, k), pairs);
        pairs
    }
    /// k · x in the integers, for unsigned x, in the sum of both widths.
    fn product(&mut self, w: &mut World, k: Term, x: Term) -> Term {
        let (wide_k, width) = (w.terms.width(k), w.terms.width(x));
        let wide = wide_k + width;
        if !self.open || w.terms.is_constant(k) || w.terms.is_constant(x) {
            let (k, x) = (w.terms.zext(k, wide), w.terms.zext(x, wide));
            return w.terms.mul(k, x);
        }
        if let Some(&known) = self.products.get(&(k, x)) {
            return known;
        }
        let product = w.fresh("product", wide);
        self.products.insert((k, x), product);
        // The product is zero if a factor is zero, equals the other factor if a factor is one, and otherwise is at
        // least the other factor.
        for (a, b) in [(k, x), (x, k)] {
            let width = w.terms.width(a);
            let (zero, one) = (w.terms.number(width, 0), w.terms.number(width, 1));
            let nothing = w.terms.number(wide, 0);
            let b = w.terms.zext(b, wide);
            let (is_zero, is_one) = (w.terms.eq(a, zero), w.terms.eq(a, one));
            let least = w.terms.ule(b, product);
            let (none, same) = (w.terms.eq(product, nothing), w.terms.eq(product, b));
            let facts = [w.terms.ite(is_zero, none, least), w.terms.implies(is_one, same)];
            w.axioms.extend(facts);
        }
        let low = w.terms.extract(product, width - 1, 0);
        let k = w.terms.zext_or_truncate(k, width);
        let meant = w.terms.mul(k, x);
        self.meanings.push((low, meant));
        product
    }

    /// The operands and the number of a recurrence, and whether any operand lacks a value.
    pub(super) fn exact(
        &mut self,
        w: &mut World,
        place: PlaceId,
        operands: &Operands,
        header: Block,
    ) -> Modelled<(Exact, Term)> {
        let mut excused = w.terms.bool(false);
        let mut bits = Vec::new();
        let width = match operands.first() {
            Some(first) => self.width(*first)?,
            None => return not_modelled("a recurrence without operands"),
        };
        for operand in operands {
            let of = self.value(w, place, *operand)?;
            excused = w.terms.or_all([excused, of.poison, of.nothing]);
            bits.push(w.terms.zext_or_truncate(of.bits, width));
        }
        let number = match self.number(w, place, header) {
            Some(number) => number,
            None => {
                excused = w.terms.bool(true);
                let (base, no) = (w.terms.number(1, 0), w.terms.bool(false));
                Number { base, next: false, beyond: no }
            }
        };
        Ok((Exact { operands: bits, number }, excused))
    }
    /// `summand` at an arrival with this number. The width `wide` holds the sum of all summands of a recurrence of degree
    /// at most 2; its top bit is the sign.
    pub(super) fn exact_term(
        &mut self,
        w: &mut World,
        summand: Summand,
        number: Number,
        wide: u32,
    ) -> Modelled<Term> {
        let Summand { x, signed, degree } = summand;
        let extended = if signed { w.terms.sext(x, wide) } else { w.terms.zext(x, wide) };
        if let Some(times) = constant_binomial(w, number, degree) {
            if times.width() - leading_zeros(&times) + w.terms.width(x) + 3 > wide {
                return not_modelled("a recurrence of a high degree");
            }
            let times = w.terms.constant(times.zext(wide.max(times.width())).extract(wide - 1, 0));
            return Ok(w.terms.mul(extended, times));
        }
        match degree {
            0 => Ok(extended),
            1 => {
                let product = self.product(w, number.base, x);
                let mut product = w.terms.zext(product, wide);
                if signed {
                    // For a negative x, the unsigned product exceeds the signed one by k · 2^width.
                    let width = w.terms.width(x);
                    let k = w.terms.zext(number.base, wide);
                    let amount = w.terms.number(wide, width.into());
                    let excess = w.terms.shl(k, amount);
                    let less = w.terms.sub(product, excess);
                    let negative = w.terms.is_negative(x);
                    product = w.terms.ite(negative, less, product);
                }
                Ok(if number.next { w.terms.add(product, extended) } else { product })
            }
            2 => {
                let k = w.terms.zext(number.base, wide);
                let one = w.terms.number(wide, 1);
                let before = w.terms.sub(k, one);
                let product = w.terms.mul(k, before);
                let pairs = w.terms.lshr(product, one);
                let pairs = if number.next { w.terms.add(pairs, k) } else { pairs };
                Ok(w.terms.mul(pairs, extended))
            }
            _ => not_modelled("a recurrence of degree 3 or more whose iteration is not known"),
        }
    }
    /// A width that holds the sums of [`Self::exact_term`].
    pub(super) fn exact_width(w: &World, exact: &Exact) -> u32 {
        let width = exact.operands.first().map_or(1, |x| w.terms.width(*x));
        let degree = exact.operands.len().saturating_sub(1) as u32;
        width + degree.max(1) * (w.terms.width(exact.number.base) + 1) + 8
    }
}

fn w_zero(width: u32) -> Bits {
    Bits::zero(width)
}

fn leading_zeros(bits: &Bits) -> u32 {
    (0..bits.width()).rev().take_while(|i| !bits.bit(*i)).count() as u32
}

fn fixed(w: &mut World, bits: Bits) -> Evaluated {
    let no = w.terms.bool(false);
    Evaluated { bits: w.terms.constant(bits), poison: no, nothing: no }
}

/// The binomial coefficient (`number` choose `degree`), if the number is constant and the result fits in 128 bits.
fn constant_binomial(w: &World, number: Number, degree: usize) -> Option<Bits> {
    if degree == 0 {
        return Some(Bits::new(128, 1));
    }
    let base = w.terms.as_bits(number.base)?.to_u128()?;
    let i = base.checked_add(number.next.into())?;
    let mut result = 1u128;
    for j in 0..degree as u128 {
        if j >= i {
            return Some(Bits::zero(128));
        }
        result = result.checked_mul(i - j)? / (j + 1);
    }
    Some(Bits::new(128, result))
}

fn nary(w: &mut World, op: NaryOp, operands: &[Evaluated]) -> Evaluated {
    let mut all = operands[0];
    let zero = w.terms.number(w.terms.width(all.bits), 0);
    for next in &operands[1..] {
        let t = &mut w.terms;
        let (a, b) = (all.bits, next.bits);
        let bits = match op {
            NaryOp::Add => t.add(a, b),
            NaryOp::Mul => t.mul(a, b),
            NaryOp::UMax | NaryOp::UMin | NaryOp::UMinSeq => {
                let less = t.ult(a, b);
                if op == NaryOp::UMax { t.ite(less, b, a) } else { t.ite(less, a, b) }
            }
            NaryOp::SMax | NaryOp::SMin => {
                let less = t.slt(a, b);
                if op == NaryOp::SMax { t.ite(less, b, a) } else { t.ite(less, a, b) }
            }
        };
        let (mut poison, mut nothing) = (next.poison, next.nothing);
        if op == NaryOp::UMinSeq {
            // Operands after a zero are not evaluated.
            let goes_on = t.ne(a, zero);
            (poison, nothing) = (t.and(poison, goes_on), t.and(nothing, goes_on));
        }
        let bits = if op == NaryOp::UMinSeq {
            let stops = t.eq(a, zero);
            t.ite(stops, zero, bits)
        } else {
            bits
        };
        all = Evaluated { bits, poison: t.or(all.poison, poison), nothing: t.or(all.nothing, nothing) };
    }
    all
}
