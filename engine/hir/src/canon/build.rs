//! Closed forms from SCEV.
//!
//! The builder strips the outermost cast and an outermost division by a constant and keeps them as such; it
//! decomposes the rest as a sum. Products are distributed if one factor is a sum with induction variables and the
//! others are blobs that do not vary in the loops of these variables. An affine add recurrence of a loop around the
//! place, with a blob as its step, becomes an induction variable with a coefficient. Every other part without add
//! recurrences becomes a blob. A part with an add recurrence (a recurrence of higher degree, a product of two
//! induction variables, a minimum, an inner cast) cannot be in a blob: it is *reverse engineered* into the temp of a
//! value whose expression it is, if the [`FormPlace`] knows one; otherwise there is no closed form.
//!
//! Guarantees: if the expression is defined, the form has its value, in every iteration of the loops around the
//! place.

use super::{CanonExpr, Extension, IvCoeff, Level};
use crate::blob::{Blob, Blobs, Cast, NAry, ScalarType, Temp};
use backedge_analysis::LoopId;
use backedge_ir::constant::ConstData;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_scev::expr::{ExprType, Node};
use backedge_scev::{Expr, ScalarEvolution};
use smallvec::SmallVec;

/// Limit on the nodes of an expression, far above the size of subscripts. It also bounds recursion.
const MOST_NODES: u32 = 512;

/// The place of a form.
pub trait FormPlace {
    /// The level of `l`, if it is one of the nest's loops and around the place.
    fn level(&self, l: LoopId) -> Option<Level>;
    /// The variable that holds `value` at the place, if one does.
    fn temp(&mut self, blobs: &mut Blobs, value: Value) -> Option<Temp>;
    /// Header phis of `l`, a loop around the nest, whose variables hold them at the place. Only phis that are not
    /// poison wherever the value of the form is not.
    fn counters(&mut self, scev: &ScalarEvolution<'_>, l: LoopId) -> Vec<Value>;
    /// A variable that is written before the nest and holds a value with the expression `expr`, if one is known.
    fn temp_in_front(&mut self, blobs: &mut Blobs, scev: &ScalarEvolution<'_>, expr: Expr) -> Option<Temp>;
    /// A variable that holds a value with the expression `expr` at the place, if one is known.
    fn temp_of_expr(&mut self, blobs: &mut Blobs, scev: &ScalarEvolution<'_>, expr: Expr) -> Option<Temp>;
}

/// Why an expression has no closed form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NotCanonical {
    /// It has too many nodes.
    TooLarge,
    /// A part of it could not be computed.
    NotComputed,
    /// No variable holds this value at the place.
    NoVariable(Value),
    /// A part is not linear in the induction variables, and no variable holds it.
    NotLinear(Expr),
    /// It is an address with an offset. The base and the offset have forms of their own.
    Pointer,
}

impl CanonExpr {
    /// The closed form of `expr` at that place. The caller must set its level.
    pub fn from_scev(
        scev: &ScalarEvolution<'_>,
        expr: Expr,
        blobs: &mut Blobs,
        place: &mut dyn FormPlace,
    ) -> Result<Self, NotCanonical> {
        if scev.arena().size(expr) > MOST_NODES {
            return Err(NotCanonical::TooLarge);
        }
        let mut inner = expr;
        let mut extension = Extension::Zero;
        if let Node::Cast(cast @ (Cast::Trunc | Cast::ZExt | Cast::SExt), operand) = *scev.arena().node(expr)
        {
            inner = operand;
            extension = if cast == Cast::SExt { Extension::Sign } else { Extension::Zero };
        }
        let mut builder = Builder { scev, blobs, place };
        if scev.ty(expr).is_pointer() {
            return match *scev.arena().node(expr) {
                Node::Unknown(value) => {
                    let blob = builder.temp_blob(value)?;
                    Ok(Self::of_blob(builder.blobs, blob))
                }
                _ => Err(NotCanonical::Pointer),
            };
        }
        let [src, dest] = [scev.width(inner), scev.width(expr)].map(ScalarType::int);
        let mut denominator = None;
        if let Node::UDiv([left, right]) = *scev.arena().node(inner)
            && let Some(by) = scev.as_constant(right).filter(|d| !d.is_zero())
        {
            (inner, denominator) = (left, Some(by));
        }
        let mut form = Self::create_ext_canon_expr(src, dest, extension);
        let once = IvCoeff { constant: Int::one(src.width), blob: None };
        builder.add(&mut form, inner, once)?;
        if let Some(by) = denominator {
            form.denominator = by;
        }
        Ok(form)
    }
}

struct Builder<'b, 'a> {
    scev: &'b ScalarEvolution<'a>,
    blobs: &'b mut Blobs,
    place: &'b mut dyn FormPlace,
}

impl Builder<'_, '_> {
    /// Adds `by` times `expr` to the numerator of `form`. On failure `form` is unusable.
    fn add(&mut self, form: &mut CanonExpr, expr: Expr, by: IvCoeff) -> Result<(), NotCanonical> {
        let scev = self.scev;
        let arena = scev.arena();
        match arena.node(expr) {
            Node::NAry(NAry::Add, operands) => operands.iter().try_for_each(|o| self.add(form, *o, by)),
            Node::NAry(NAry::Mul, factors) if arena.has_add_rec(expr) => {
                self.add_product(form, expr, factors, by)
            }
            Node::AddRec(l, operands) => match (self.place.level(*l), &operands[..]) {
                (Some(level), [start, step]) if !arena.has_add_rec(*step) => {
                    let step = self.blob(*step)?;
                    let coeff = self.times(by, step);
                    form.add_iv(self.blobs, level, coeff);
                    self.add(form, *start, by)
                }
                (None, [start, step]) => self.add_outer(form, expr, *l, [*start, *step], by),
                _ => self.add_unknown(form, expr, by),
            },
            Node::CouldNotCompute => Err(NotCanonical::NotComputed),
            _ if arena.has_add_rec(expr) => self.add_unknown(form, expr, by),
            _ => {
                let blob = self.blob(expr)?;
                self.add_blob(form, blob, by);
                Ok(())
            }
        }
    }
    /// Adds `by` times an affine add recurrence of a loop outside the nest, expressed by a header phi that counts
    /// that loop.
    fn add_outer(
        &mut self,
        form: &mut CanonExpr,
        expr: Expr,
        l: LoopId,
        [start, step]: [Expr; 2],
        by: IvCoeff,
    ) -> Result<(), NotCanonical> {
        if let Some(temp) = self.place.temp_in_front(self.blobs, self.scev, expr) {
            let blob = self.blobs.of_temp(temp);
            self.add_blob(form, blob, by);
            return Ok(());
        }
        let Some((temp, first, times)) = self.counted_by(l, step) else {
            return self.add_unknown(form, expr, by);
        };
        let scaled = |constant: Int| IvCoeff { constant: by.constant.mul(constant), blob: by.blob };
        let blob = self.blobs.of_temp(temp);
        self.add_blob(form, blob, scaled(times));
        self.add(form, start, by)?;
        self.add(form, first, scaled(Int::zero(times.width()).sub(times)))
    }
    /// A header phi of `l` whose step divides `step`: its variable, its start value, and the quotient.
    fn counted_by(&mut self, l: LoopId, step: Expr) -> Option<(Temp, Expr, Int)> {
        let (scev, width) = (self.scev, self.scev.width(step));
        let counters = self.place.counters(scev, l);
        let found: SmallVec<[(Value, Expr, Int); 4]> = counters
            .into_iter()
            .flat_map(|phi| scev.exprs(phi).iter().map(move |expr| (phi, *expr)))
            .filter_map(|(phi, expr)| match scev.arena().node(expr) {
                Node::AddRec(around, parts) if *around == l && scev.ty(expr) == ExprType::int(width) => {
                    let [first, own] = parts[..] else { return None };
                    Some((phi, first, quotient(scev, step, own).filter(|_| self.is_one_value(first))?))
                }
                _ => None,
            })
            .collect();
        found
            .into_iter()
            .find_map(|(phi, first, times)| Some((self.place.temp(self.blobs, phi)?, first, times)))
    }
    /// Whether an expression has the same value wherever it is computed; `undef` does not.
    fn is_one_value(&self, expr: Expr) -> bool {
        let scev = self.scev;
        let is_undef = |value: Value| {
            let data = value.as_const().map(|c| &scev.body().constant(c).data);
            matches!(data, Some(ConstData::Undef | ConstData::Poison))
        };
        scev.arena().all_parts(expr, |_, node| !matches!(node, Node::Unknown(value) if is_undef(*value)))
    }
    /// Adds a product with an add recurrence. It is distributed if only one factor has add recurrences.
    fn add_product(
        &mut self,
        form: &mut CanonExpr,
        product: Expr,
        factors: &[Expr],
        by: IvCoeff,
    ) -> Result<(), NotCanonical> {
        let scev = self.scev;
        let arena = scev.arena();
        let (linear, rest): (SmallVec<[Expr; 4]>, SmallVec<[Expr; 4]>) =
            factors.iter().copied().partition(|f| arena.has_add_rec(*f));
        let [linear] = linear[..] else { return self.add_unknown(form, product, by) };
        if rest.iter().any(|factor| self.varies_with(*factor, linear)) {
            // The coefficient varies with its induction variable. A variable may hold either factor.
            return match self.place.temp_of_expr(self.blobs, scev, linear) {
                Some(temp) => {
                    let mut coeff = self.of_temp(by, temp);
                    for factor in rest {
                        let blob = self.blob(factor)?;
                        coeff = self.times(coeff, blob);
                    }
                    match coeff.blob {
                        Some(blob) => form.add_blob(self.blobs, blob, coeff.constant),
                        None => form.add_constant_term(coeff.constant),
                    }
                    Ok(())
                }
                None => self.add_unknown(form, product, by),
            };
        }
        let mut coeff = by;
        for factor in rest {
            let blob = self.blob(factor)?;
            coeff = self.times(coeff, blob);
        }
        self.add(form, linear, coeff)
    }
    fn of_temp(&mut self, by: IvCoeff, temp: Temp) -> IvCoeff {
        let blob = self.blobs.of_temp(temp);
        self.times(by, blob)
    }
    /// Whether a value in `factor` is computed in a loop with a recurrence in `linear`.
    fn varies_with(&self, factor: Expr, linear: Expr) -> bool {
        let (scev, arena) = (self.scev, self.scev.arena());
        let loops = scev.loops();
        let no_recurrence_of = |inst| {
            arena.all_parts(linear, |_, node| match node {
                Node::AddRec(l, _) => !loops.contains_inst(scev.body(), *l, inst),
                _ => true,
            })
        };
        !arena.all_parts(factor, |_, node| match node {
            Node::Unknown(Value::Inst(inst)) => no_recurrence_of(*inst),
            _ => true,
        })
    }
    /// Adds `by` times the variable that holds `expr`.
    fn add_unknown(&mut self, form: &mut CanonExpr, expr: Expr, by: IvCoeff) -> Result<(), NotCanonical> {
        let temp =
            self.place.temp_of_expr(self.blobs, self.scev, expr).ok_or(NotCanonical::NotLinear(expr))?;
        let blob = self.blobs.of_temp(temp);
        self.add_blob(form, blob, by);
        Ok(())
    }
    fn add_blob(&mut self, form: &mut CanonExpr, blob: Blob, by: IvCoeff) {
        let term = match by.blob {
            Some(factor) => self.blobs.mul(by.constant.width(), &[factor, blob]),
            None => blob,
        };
        form.add_blob(self.blobs, term, by.constant);
    }
    fn times(&mut self, coeff: IvCoeff, blob: Blob) -> IvCoeff {
        let width = coeff.constant.width();
        let product = match coeff.blob {
            Some(factor) => self.blobs.mul(width, &[factor, blob]),
            None => blob,
        };
        IvCoeff::new(self.blobs, coeff.constant, Some(product))
    }
    fn temp_blob(&mut self, value: Value) -> Result<Blob, NotCanonical> {
        let temp = self.place.temp(self.blobs, value).ok_or(NotCanonical::NoVariable(value))?;
        Ok(self.blobs.of_temp(temp))
    }
    /// The blob of an expression without add recurrences.
    fn blob(&mut self, expr: Expr) -> Result<Blob, NotCanonical> {
        let scev = self.scev;
        let width = scev.width(expr);
        let node = scev.arena().node(expr);
        let operands: Result<SmallVec<[Blob; 4]>, _> = match node {
            Node::AddRec(..) => return Err(NotCanonical::NotLinear(expr)),
            _ => node.operands().iter().map(|o| self.blob(*o)).collect(),
        };
        let operands = operands?;
        Ok(match node {
            Node::Constant(value) => self.blobs.constant(*value),
            Node::Unknown(value) => self.temp_blob(*value)?,
            Node::Cast(cast, _) => self.blobs.cast(*cast, operands[0], width),
            Node::NAry(..) if scev.ty(expr).is_pointer() => return Err(NotCanonical::Pointer),
            Node::NAry(op, _) => self.blobs.nary(*op, width, &operands),
            Node::UDiv(_) => self.blobs.udiv(operands[0], operands[1]),
            Node::AddRec(..) | Node::CouldNotCompute => return Err(NotCanonical::NotComputed),
        })
    }
}

/// The quotient of `step` by `own`, if it is known and exact.
fn quotient(scev: &ScalarEvolution<'_>, step: Expr, own: Expr) -> Option<Int> {
    let width = scev.width(step);
    if step == own {
        return Some(Int::one(width));
    }
    let (step, own) = (scev.as_constant(step)?, scev.as_constant(own)?);
    let times = step.sdiv(own)?;
    (times.mul(own) == step).then_some(times)
}
