//! Canonical forms, blobs and subscripts as linear forms in ℤ, congruent to their values modulo a power of two.

use super::{Advance, Builder, Making, PairPlace, PairSide, WIDEST};
use crate::blob::{Blob, Cast, Node as Tree};
use crate::canon::{CanonExpr, Extension};
use crate::ddg::facts::{product_of, signed, unsigned};
use crate::ddg::solve::{Interval, Linear, Var};
use crate::node::Operation;
use backedge_ir::inst::{BinaryOp, CastOp, InstKind};

impl<P: PairPlace> Making<'_, '_, P> {
    pub(super) fn iteration(&self, side: PairSide, at: usize) -> Linear {
        match side {
            PairSide::A => Linear::of(self.first[at]),
            PairSide::B => self.second[at].clone(),
        }
    }
    /// The range of a form in ℤ. Forms of `B` have iterations as sums with distances, which have wider ranges term by
    /// term than the loops do. The guards of `A` bound the iterations of `A`, but not those of `B`.
    pub(super) fn value_range(&self, of: &Linear, side: PairSide) -> Interval {
        if side == PairSide::A {
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
    fn blob(&mut self, blob: Blob, side: PairSide) -> Var {
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
    fn product(&mut self, blob: Blob, at: usize, side: PairSide) -> Option<Linear> {
        if let Some(known) = self.products.get(&(blob, at, side)) {
            return Some(known.clone());
        }
        let of = self.of;
        let is_same = of.is_same(blob, self.equal) && at < of.common;
        let factor = self.blob(blob, side);
        let product = match side {
            PairSide::B if is_same => {
                let mut product = self.product(blob, at, PairSide::A)?;
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
                let l = if side == PairSide::A { of.a.loops[at] } else { of.b.loops[at] };
                let range = product_of(self.most(l), self.system.domain(factor));
                Linear::of(self.system.add_var(range))
            }
        };
        self.products.insert((blob, at, side), product.clone());
        Some(product)
    }
    /// The numerator of a form as a sum in ℤ, congruent to it modulo 2^width.
    pub(super) fn numerator(&mut self, form: &CanonExpr, side: PairSide) -> Option<Linear> {
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
    fn term(&mut self, blob: Blob, side: PairSide) -> Linear {
        let is_same = self.of.is_same(blob, self.equal);
        // A blob with one value in both executions uses the definition for side A.
        let (key, side) = if is_same { ((blob, None), PairSide::A) } else { ((blob, Some(side)), side) };
        if let Some(known) = self.terms.get(&key) {
            return known.clone();
        }
        let computed = self.computed(blob, side);
        let term = computed.unwrap_or_else(|| Linear::of(self.blob(blob, side)));
        self.terms.insert(key, term.clone());
        term
    }
    /// The definition of a variable, modulo 2^width, if it is a form, or a conversion or sum of forms.
    fn computed(&mut self, blob: Blob, side: PairSide) -> Option<Linear> {
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
    fn wrapped(&mut self, mut form: Linear, side: PairSide, bits: u32, range: Interval) -> Option<Linear> {
        if !self.value_range(&form, side).is_in(range) {
            let times = self.system.add_var(Interval::ALL);
            form.add(&Linear::of(times), 1 << bits)?;
            self.system.require(&form, range);
        }
        Some(form)
    }
    /// The index of a subscript: its value as signed, in addresses of `width` bits.
    pub(super) fn index(&mut self, form: &CanonExpr, side: PairSide, width: u32) -> Option<Linear> {
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
}
