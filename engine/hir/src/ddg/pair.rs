//! Two memory references as a system of inequalities over ℤ.
//!
//! # The question
//!
//! Let the first reference, `A`, execute in iterations `i1, i2, …` of the loops around it, and the second, `B`, in
//! iterations `i1 + d1, …` of the loops around both, and `j…` of its own loops. They touch a common byte exactly if
//! the address of `A` minus that of `B` is greater than minus the size of `A`, and less than the size of `B`. The
//! system has a solution for each such pair of executions; if it is unsatisfiable, the references are independent.
//!
//! # Wrapping arithmetic
//!
//! Closed forms denote values modulo 2^w (see [`crate::canon`]), so a form must not be equated with its value in ℤ. A
//! subscript is its linear form *plus 2^w times an unknown integer*, bounded by the range of its type; the unknown is
//! omitted only if the linear form cannot leave that range. An address is likewise the sum of its dimensions as
//! signed plus 2^w times an unknown, unless the reference is `nusw` ([`crate::MemRef::flags`]). Then the address is
//! that sum, and because no object wraps around the end of memory, two addresses with common bytes differ by less
//! than their sizes in ℤ, without a multiple of 2^w.
//!
//! # Variables
//!
//! A variable is one unknown for both executions if it provably has the same value in both ([`Place::same_from`]),
//! and two unknowns otherwise. Each is bounded by its known range, or replaced by its definition if that is a form of
//! the same iterations, or a conversion or sum of such forms ([`Place::computed_by`]). The product of an induction
//! variable and a blob is an unknown too; the fact that it advances by the distance times the blob between the two
//! executions is kept separately ([`Advance`]).
//!
//! If dimensions were recovered from one subscript, no subscript leaves its row ([`crate::MemRef::flat`]): elements
//! of the same array coincide only if all their subscripts are equal.
//!
//! Loop bounds become inequalities if they cannot wrap and depend only on variables that the region does not write.
//! The same holds for the guards of an access, from the loops and ifs around it (`super::guards`).

use super::facts::{Facts, product_of, signed, unsigned};
use super::solve::{Interval, Linear, System, Var};
use super::vector::Directions;
use crate::blob::{Blob, Cast, Node as Tree, Temp};
use crate::canon::{CanonExpr, Extension};
use crate::ddref::{MemRef, RegDdRef};
use crate::node::{Hir, HlInst, Kind, LoopKind, Node, Operation};
use backedge_ir::inst::{BinaryOp, CastOp, InstKind, IntPredicate};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;

/// No system is built for integers wider than this many bits: the solver computes with an `i128`.
const WIDEST: u32 = 64;
/// Limit on the variables replaced by their definitions in one system: each adds unknowns and inequalities. Further
/// ones are unknowns.
const MOST_COMPUTED: u32 = 8;

/// One of the two references.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Side {
    A,
    B,
}

/// A reference at its place: the induction variables of its loops are iteration numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'h> {
    pub(super) mem: &'h MemRef,
    /// The number of bytes touched; `None` if unknown.
    pub(super) bytes: Option<i128>,
    /// The loops around it, outermost first.
    pub(super) loops: &'h [Node],
    /// The guards under which it executes.
    pub(super) guards: &'h [Guard<'h>],
}

/// A comparison of integers.
pub(super) type Guard<'h> = (IntPredicate, &'h [RegDdRef; 2]);

/// Facts about the places of both references.
pub(super) trait Place {
    /// The least number of outermost loops whose iterations must be equal in both executions for the variable to have
    /// the same value in both; `None` if no number is known to suffice.
    fn same_from(&self, temp: Temp) -> Option<usize>;
    /// Whether the region does not write the variable.
    fn is_invariant(&self, temp: Temp) -> bool;
    /// The instruction that computed the variable as read by an access, in the same iterations of all loops around
    /// the instruction; `None` if unknown.
    fn computed_by(&self, temp: Temp, side: Side) -> Option<&HlInst>;
}

/// `advance = blob * distance`, where `distance` is the distance of a loop.
#[derive(Clone, Copy, Debug)]
struct Advance {
    level: usize,
    advance: Var,
    distance: Var,
    blob: Var,
}

/// The system of a pair, with its unknowns.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) system: System,
    /// The distance for each loop around both; `None` if it is assumed to be zero.
    pub(super) distances: Vec<Option<Var>>,
    advances: Vec<Advance>,
}

impl Pair {
    /// Restricts a level to one of the three directions.
    pub(super) fn restrict(&mut self, level: usize, to: Directions) {
        let Some(distance) = self.distances[level] else { return };
        let domain = match to {
            Directions::LESS => Interval { lo: Some(1), hi: None },
            Directions::EQUAL => Interval::ZERO,
            Directions::GREATER => Interval { lo: None, hi: Some(-1) },
            _ => return,
        };
        self.system.restrict(distance, domain);
        for at in 0..self.advances.len() {
            let advance = self.advances[at];
            if advance.level == level {
                self.advance_by(advance, to);
            }
        }
    }
    /// Adds the consequences of the sign of the distance for a product.
    fn advance_by(&mut self, Advance { advance, distance, blob, .. }: Advance, to: Directions) {
        if to == Directions::EQUAL {
            return self.system.restrict(advance, Interval::ZERO);
        }
        let Interval { lo, hi } = self.system.domain(blob);
        let mut at_least = |minuend: &Linear, subtrahend: Linear| {
            let mut difference = minuend.clone();
            if difference.add(&subtrahend, -1).is_some() {
                self.system.require(&difference, Interval { lo: Some(0), hi: None });
            }
        };
        let scaled = |var: Var, by: i128| Linear { terms: vec![(var, by)], constant: 0 };
        let product = scaled(advance, 1);
        let is_later = to == Directions::LESS;
        // lo <= blob <= hi, multiplied by the distance; a negative distance swaps the bounds.
        let (below, above) = if is_later { (lo, hi) } else { (hi, lo) };
        if let Some(by) = below.filter(|by| by.unsigned_abs() < 1 << 64) {
            at_least(&product, scaled(distance, by));
        }
        if let Some(by) = above.filter(|by| by.unsigned_abs() < 1 << 64) {
            at_least(&scaled(distance, by), product.clone());
        }
        // A nonnegative blob times at least one iteration is at least the blob.
        if lo.is_some_and(|lo| lo >= 0) {
            if is_later {
                at_least(&product, scaled(blob, 1));
            } else {
                at_least(&scaled(blob, -1), product);
            }
        }
    }
}

/// Builds systems for two references.
pub(super) struct Builder<'h, P> {
    pub(super) hir: &'h Hir,
    pub(super) region: Node,
    pub(super) facts: &'h Facts,
    pub(super) a: Subject<'h>,
    pub(super) b: Subject<'h>,
    /// The number of loops around both.
    pub(super) common: usize,
    pub(super) place: P,
}

/// A system under construction.
struct Making<'m, 'h, P> {
    of: &'m Builder<'h, P>,
    /// The number of outermost loops whose distance is assumed to be zero.
    equal: usize,
    system: System,
    /// The iterations of the loops around `A`.
    first: Vec<Var>,
    /// The iterations of the loops around `B`.
    second: Vec<Linear>,
    distances: Vec<Option<Var>>,
    blobs: FxHashMap<(Blob, Option<Side>), Var>,
    products: FxHashMap<(Blob, usize, Side), Linear>,
    advances: Vec<Advance>,
    /// Linear forms of added blobs.
    terms: FxHashMap<(Blob, Option<Side>), Linear>,
    /// The number of variables that may still be replaced by their definitions.
    left: u32,
}

impl<P: Place> Builder<'_, P> {
    /// The system for executions in equal iterations of the `equal` outermost loops. `None` if nothing can be proved.
    pub(super) fn pair(&self, equal: usize) -> Option<Pair> {
        let mut making = Making {
            of: self,
            equal,
            system: System::default(),
            first: Vec::new(),
            second: Vec::new(),
            distances: Vec::new(),
            blobs: FxHashMap::default(),
            products: FxHashMap::default(),
            advances: Vec::new(),
            terms: FxHashMap::default(),
            left: MOST_COMPUTED,
        };
        making.iterations();
        making.bounds();
        making.addresses()?;
        let Making { system, distances, advances, .. } = making;
        Some(Pair { system, distances, advances })
    }
    /// Whether a blob has the same value in both executions, in equal iterations of the `equal` outermost loops.
    fn is_same(&self, blob: Blob, equal: usize) -> bool {
        let temps = self.hir.blobs.temps_in([blob]);
        temps.into_iter().all(|t| self.place.same_from(t).is_some_and(|from| from <= equal))
    }
    fn is_same_form(&self, form: &CanonExpr, equal: usize) -> bool {
        form.ivs().iter().all(|(level, _)| *level as usize <= equal)
            && form.all_blobs().all(|blob| self.is_same(blob, equal))
    }
}

impl<P: Place> Making<'_, '_, P> {
    fn most(&self, l: Node) -> Interval {
        let Kind::Loop(of) = self.of.hir.kind(l) else { return Interval::ALL };
        let most = of.most.and_then(|most| i128::try_from(most).ok());
        let of_bound = match &of.kind {
            LoopKind::Do { upper, .. } => {
                // The range of the type, unless the bound is constant.
                let width = upper.as_terminal().map_or(128, |f| f.dest_type().width);
                let any = (width <= WIDEST).then(|| unsigned(width).hi).flatten();
                constant(upper).and_then(|c| i128::try_from(c.bits()).ok()).or(any)
            }
            LoopKind::Unknown(_) => None,
        };
        Interval { lo: Some(0), hi: most }.meet(Interval { lo: None, hi: of_bound })
    }
    /// Creates the unknowns for iterations and distances.
    fn iterations(&mut self) {
        let of = self.of;
        for l in of.a.loops {
            let domain = self.most(*l);
            let var = self.system.add_var(domain);
            self.first.push(var);
        }
        for (at, l) in of.b.loops.iter().enumerate() {
            let domain = self.most(*l);
            let iteration = match at {
                _ if at < self.equal => {
                    self.distances.push(None);
                    Linear::of(self.first[at])
                }
                _ if at < of.common => {
                    let distance = self.system.add_var(domain.plus(domain.negated()));
                    self.distances.push(Some(distance));
                    let sum = Linear { terms: vec![(self.first[at], 1), (distance, 1)], constant: 0 };
                    self.system.require(&sum, domain);
                    sum
                }
                _ => Linear::of(self.system.add_var(domain)),
            };
            self.second.push(iteration);
        }
    }
    /// Adds guards, and loop bounds that depend on outer iterations or on variables that the region does not write.
    fn bounds(&mut self) {
        let of = self.of;
        for (side, guards) in [(Side::A, of.a.guards), (Side::B, of.b.guards)] {
            for guard in guards {
                let _ = self.guard(side, *guard);
            }
        }
        for (side, loops) in [(Side::A, of.a.loops), (Side::B, of.b.loops)] {
            for (at, l) in loops.iter().enumerate() {
                let Kind::Loop(l) = of.hir.kind(*l) else { continue };
                let LoopKind::Do { upper, .. } = &l.kind else { continue };
                if let Some(upper) = upper.as_terminal() {
                    // On overflow the bound is omitted.
                    let _ = self.bound(side, at, upper);
                }
            }
        }
    }
    /// Requires a comparison of integers to hold, as far as it can be expressed in ℤ.
    fn guard(&mut self, side: Side, (pred, refs): Guard<'_>) -> Option<()> {
        let of = self.of;
        let mut sums = [Linear::constant(0), Linear::constant(0)];
        let mut width = 0;
        for (sum, operand) in sums.iter_mut().zip(refs) {
            let form = operand.as_terminal().filter(|form| form.dest_type().is_int())?;
            width = form.dest_type().width;
            let is_plain = form.src_type().width == width && form.denominator().is_one();
            let temps = form.collect_temp_blobs(&of.hir.blobs);
            if !is_plain || width > WIDEST || !temps.into_iter().all(|t| of.place.is_invariant(t)) {
                return None;
            }
            *sum = self.numerator(form, side)?;
        }
        let [mut left, right] = sums;
        let ranges = [self.value_range(&left, side), self.value_range(&right, side)];
        let all = [signed(width), unsigned(width)];
        let are_in = |all: &Interval| ranges.iter().all(|range| range.is_in(*all));
        let is_meant = match pred {
            IntPredicate::Eq | IntPredicate::Ne => all.iter().any(are_in),
            _ if pred.is_signed() => are_in(&all[0]),
            _ => are_in(&all[1]),
        };
        if is_meant {
            left.add(&right, -1)?;
            match difference(pred) {
                Some(bounds) => self.system.require(&left, bounds),
                // A value different from an end of its interval is beyond that end.
                None if let [(var, coeff @ (1 | -1))] = left.terms[..] => {
                    self.is_not(var, left.constant.checked_mul(-coeff)?);
                }
                None => {}
            }
            return Some(());
        }
        // One side is a variable of unknown sign, the other a constant.
        let (number, bound, pred) = match (&left, &right) {
            (number, Linear { terms, constant }) if terms.is_empty() => (number, *constant, pred),
            (Linear { terms, constant }, number) if terms.is_empty() => (number, *constant, pred.swapped()),
            _ => return None,
        };
        let ([(var, 1)], 0) = (&number.terms[..], number.constant) else { return None };
        // The unsigned value equals the signed value if all values that satisfy the comparison are nonnegative.
        let holding = difference(pred)?.plus(Interval::new(bound, bound)).meet(signed(width));
        let is_same = pred.is_signed() && self.system.domain(*var).is_in(unsigned(width));
        if is_same && holding.is_in(unsigned(width)) {
            self.system.restrict(*var, holding);
        }
        Some(())
    }
    fn is_not(&mut self, var: Var, value: i128) {
        let Interval { lo, hi } = self.system.domain(var);
        let lo = if lo == Some(value) { value.checked_add(1) } else { lo };
        let hi = if hi == Some(value) { value.checked_sub(1) } else { hi };
        self.system.restrict(var, Interval { lo, hi });
    }
    /// Requires `iteration <= upper`, if the form has that value in ℤ.
    fn bound(&mut self, side: Side, at: usize, upper: &CanonExpr) -> Option<()> {
        let of = self.of;
        if upper.as_constant().is_some() || upper.src_type().width > WIDEST {
            return None;
        }
        // A truncated form may be less in ℤ than its operand.
        let width = upper.src_type().width;
        let range = match upper.extension() {
            Some(Extension::Sign) => Interval { lo: Some(0), hi: signed(width).hi },
            None if upper.dest_type().width < width => return None,
            Some(Extension::Zero) | None => unsigned(width),
        };
        let temps = upper.collect_temp_blobs(&of.hir.blobs);
        if !temps.into_iter().all(|t| of.place.is_invariant(t)) {
            return None;
        }
        let numerator = self.numerator(upper, side)?;
        if !self.value_range(&numerator, side).is_in(range) {
            return None;
        }
        let denominator = i128::try_from(upper.denominator().bits()).ok()?;
        let mut left = numerator;
        let iteration = self.iteration(side, at);
        left.add(&iteration, denominator.checked_neg()?)?;
        self.system.require(&left, Interval { lo: Some(0), hi: None });
        Some(())
    }
    fn iteration(&self, side: Side, at: usize) -> Linear {
        match side {
            Side::A => Linear::of(self.first[at]),
            Side::B => self.second[at].clone(),
        }
    }
    /// The range of a form in ℤ. Forms of `B` have iterations as sums with distances, which have wider ranges term by
    /// term than the loops do. The guards of `A` bound the iterations of `A`, but not those of `B`.
    fn value_range(&self, of: &Linear, side: Side) -> Interval {
        if side == Side::A {
            return self.system.range(of);
        }
        let mut left = of.clone();
        let mut range = Interval::ZERO;
        for at in self.equal..self.of.common {
            let Some(distance) = self.distances[at] else { continue };
            let coeff = left.terms.iter().find(|(v, _)| *v == distance).map(|(_, c)| *c);
            if let Some(coeff) = coeff
                && left.add(&self.second[at], -coeff).is_some()
            {
                range = range.plus(self.most(self.of.b.loops[at]).times(coeff));
            }
        }
        range.plus(self.system.range(&left))
    }
    /// The unknown of a blob, for one side or for both.
    fn blob(&mut self, blob: Blob, side: Side) -> Var {
        let of = self.of;
        let (inner, range) = self.unextended(blob);
        let key = (inner, (!of.is_same(inner, self.equal)).then_some(side));
        let known = self.blobs.get(&key).copied();
        let var = known.unwrap_or_else(|| {
            let var = self.system.add_var(of.facts.range(of.region, &of.hir.blobs, inner));
            self.blobs.insert(key, var);
            var
        });
        self.system.restrict(var, range);
        var
    }
    /// The operand of a blob's extensions, if it has the same value in ℤ, and the range known for it.
    fn unextended(&self, mut blob: Blob) -> (Blob, Interval) {
        let Builder { hir, facts, region, .. } = self.of;
        let range = |blob| facts.range(*region, &hir.blobs, blob);
        let mut known = Interval::ALL;
        while let Tree::Cast(cast @ (Cast::ZExt | Cast::SExt), operand) = hir.blobs.node(blob) {
            let (width, wide) = (hir.blobs.width(*operand), hir.blobs.width(blob));
            let all = if *cast == Cast::ZExt { unsigned } else { signed };
            if wide > WIDEST || !range(*operand).is_in(all(width)) {
                break;
            }
            known = known.meet(Some(range(blob)).filter(|range| range.is_in(all(wide))).unwrap_or_default());
            blob = *operand;
        }
        (blob, known)
    }
    /// The product of a blob and an iteration.
    fn product(&mut self, blob: Blob, at: usize, side: Side) -> Option<Linear> {
        if let Some(known) = self.products.get(&(blob, at, side)) {
            return Some(known.clone());
        }
        let of = self.of;
        let is_same = of.is_same(blob, self.equal) && at < of.common;
        let factor = self.blob(blob, side);
        let product = match side {
            Side::B if is_same => {
                let mut product = self.product(blob, at, Side::A)?;
                if at >= self.equal {
                    let l = of.b.loops[at];
                    let distance = self.distances[at]?;
                    let range = product_of(self.system.domain(distance), self.system.domain(factor));
                    let advance = self.system.add_var(range);
                    product.add(&Linear::of(advance), 1)?;
                    let whole = product_of(self.most(l), self.system.domain(factor));
                    self.system.require(&product, whole);
                    self.advances.push(Advance { level: at, advance, distance, blob: factor });
                }
                product
            }
            _ => {
                let l = if side == Side::A { of.a.loops[at] } else { of.b.loops[at] };
                let range = product_of(self.most(l), self.system.domain(factor));
                Linear::of(self.system.add_var(range))
            }
        };
        self.products.insert((blob, at, side), product.clone());
        Some(product)
    }
    /// The numerator of a form as a sum in ℤ, congruent to it modulo 2^width.
    fn numerator(&mut self, form: &CanonExpr, side: Side) -> Option<Linear> {
        let mut sum = Linear::constant(form.constant().signed());
        for (level, coeff) in form.ivs() {
            let at = (*level as usize).checked_sub(1)?;
            let term = match coeff.blob {
                Some(blob) => self.product(blob, at, side)?,
                None => self.iteration(side, at),
            };
            sum.add(&term, coeff.constant.signed())?;
        }
        for (blob, coeff) in form.blobs() {
            let term = self.term(*blob, side);
            sum.add(&term, coeff.signed())?;
        }
        Some(sum)
    }
    /// The linear form of a blob for one side, modulo 2^width: its definition, or an unknown.
    fn term(&mut self, blob: Blob, side: Side) -> Linear {
        let is_same = self.of.is_same(blob, self.equal);
        // A blob with one value in both executions uses the definition for side A.
        let (key, side) = if is_same { ((blob, None), Side::A) } else { ((blob, Some(side)), side) };
        if let Some(known) = self.terms.get(&key) {
            return known.clone();
        }
        let computed = self.computed(blob, side);
        let term = computed.unwrap_or_else(|| Linear::of(self.blob(blob, side)));
        self.terms.insert(key, term.clone());
        term
    }
    /// The definition of a variable, modulo 2^width, if it is a form, or a conversion or sum of forms.
    fn computed(&mut self, blob: Blob, side: Side) -> Option<Linear> {
        let of = self.of;
        let temp = of.hir.blobs.as_temp(blob).filter(|_| self.left > 0)?;
        let inst = of.place.computed_by(temp, side)?;
        let width = of.hir.blobs.width(blob);
        self.left -= 1;
        let value = |making: &mut Self, number: usize| {
            let form = inst.rvals.get(number)?.as_terminal()?;
            let is_integer = form.dest_type().is_int() && form.dest_type().width <= width;
            if is_integer { making.index(form, side, width) } else { None }
        };
        let kind = match &inst.operation {
            Operation::Copy => return value(self, 0),
            Operation::Ir(of) => &of.kind,
        };
        match kind {
            InstKind::Cast(CastOp::SExt, _) => value(self, 0),
            InstKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), _) => {
                let mut sum = value(self, 0)?;
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                sum.add(&value(self, 1)?, sign)?;
                Some(sum)
            }
            _ => None,
        }
    }
    /// Moves `form` into `range`, an interval of 2^bits integers, by a multiple of 2^bits.
    fn wrapped(&mut self, mut form: Linear, side: Side, bits: u32, range: Interval) -> Option<Linear> {
        if !self.value_range(&form, side).is_in(range) {
            let times = self.system.add_var(Interval::ALL);
            form.add(&Linear::of(times), 1 << bits)?;
            self.system.require(&form, range);
        }
        Some(form)
    }
    /// The index of a subscript: its value as signed, in addresses of `width` bits.
    fn index(&mut self, form: &CanonExpr, side: Side, width: u32) -> Option<Linear> {
        let [src, dest] = [form.src_type().width, form.dest_type().width];
        if !form.src_type().is_int() || src.max(width) > WIDEST {
            return None;
        }
        let mut value = self.numerator(form, side)?;
        if !form.denominator().is_one() {
            let by = i128::try_from(form.denominator().bits()).ok()?;
            let numerator = self.wrapped(value, side, src, unsigned(src))?;
            let quotient =
                self.system.add_var(Interval { lo: Some(0), hi: unsigned(src).hi.map(|hi| hi / by) });
            let mut rest = numerator;
            rest.add(&Linear::of(quotient), by.checked_neg()?)?;
            self.system.require(&rest, Interval::new(0, by - 1));
            value = Linear::of(quotient);
        }
        let bits = src.min(dest).min(width);
        let is_unsigned = form.extension() == Some(Extension::Zero) && width > src;
        let range = if is_unsigned { unsigned(bits) } else { signed(bits) };
        self.wrapped(value, side, bits, range)
    }
    /// Requires that the two accesses have a common byte.
    fn addresses(&mut self) -> Option<()> {
        let of = self.of;
        let (a, b) = (of.a.mem, of.b.mem);
        let width = a.base.dest_type().width;
        if !a.base.same_as(&b.base) || !of.is_same_form(&a.base, self.equal) || width > WIDEST {
            return None;
        }
        let [of_a, of_b] = [of.a.bytes?, of.b.bytes?];
        if self.are_elements([(a, of_a), (b, of_b)]) {
            return self.same_element(a, b);
        }
        let mut difference = Linear::constant(a.offset.signed());
        difference.add(&Linear::constant(b.offset.signed()), -1)?;
        for number in 0..a.computed_dims().len().max(b.computed_dims().len()) {
            let [x, y] = [a, b].map(|m| m.computed_dims().get(number));
            // Equal dimensions cancel, however they are computed.
            if let (Some(x), Some(y)) = (x, y)
                && x.subscript.same_as(&y.subscript)
                && x.stride.same_as(&y.stride)
                && [&x.subscript, &x.stride].into_iter().all(|f| of.is_same_form(f, self.equal))
            {
                continue;
            }
            for (side, dim, sign) in [(Side::A, x, 1), (Side::B, y, -1)] {
                let Some(dim) = dim else { continue };
                let stride = dim.stride.as_constant()?.signed();
                let index = self.index(&dim.subscript, side, width)?;
                difference.add(&index, stride.checked_mul(sign)?)?;
            }
        }
        if !(a.flags.nusw && b.flags.nusw) {
            let times = self.system.add_var(Interval::ALL);
            difference.add(&Linear::of(times), 1 << width)?;
        }
        self.system.require(&difference, Interval::new(1 - of_a, of_b - 1));
        Some(())
    }
    /// Whether both references are to elements of one array whose dimensions were recovered. Then no subscript leaves
    /// its row, so elements with different subscripts have no common byte.
    fn are_elements(&self, of: [(&MemRef, i128); 2]) -> bool {
        let is_element = |(m, bytes): (&MemRef, i128)| {
            let element = m.dimension_const_stride(1).map(|stride| stride.signed());
            m.flat.is_some() && m.flags.nusw && m.offset.is_zero() && element.is_some_and(|all| bytes <= all)
        };
        let [a, b] = of.map(|(m, _)| m);
        of.into_iter().all(is_element)
            && a.dims.len() == b.dims.len()
            && a.dims
                .iter()
                .zip(&b.dims)
                .all(|(x, y)| x.stride.same_as(&y.stride) && self.of.is_same_form(&x.stride, self.equal))
    }
    /// Requires both to be the same element: all subscripts are equal.
    fn same_element(&mut self, a: &MemRef, b: &MemRef) -> Option<()> {
        let width = a.base.dest_type().width;
        for (x, y) in a.dims.iter().zip(&b.dims) {
            let mut difference = self.index(&x.subscript, Side::A, width)?;
            difference.add(&self.index(&y.subscript, Side::B, width)?, -1)?;
            self.system.require(&difference, Interval::ZERO);
        }
        Some(())
    }
}

/// The interval of the left operand minus the right one if the comparison holds; `None` for `ne`.
fn difference(pred: IntPredicate) -> Option<Interval> {
    let (lo, hi) = match pred {
        IntPredicate::Eq => (Some(0), Some(0)),
        IntPredicate::Ne => return None,
        IntPredicate::Ugt | IntPredicate::Sgt => (Some(1), None),
        IntPredicate::Uge | IntPredicate::Sge => (Some(0), None),
        IntPredicate::Ult | IntPredicate::Slt => (None, Some(-1)),
        IntPredicate::Ule | IntPredicate::Sle => (None, Some(0)),
    };
    Some(Interval { lo, hi })
}

/// The value of a terminal reference, if it is constant.
fn constant(of: &RegDdRef) -> Option<Int> {
    of.as_terminal()?.as_constant()
}
