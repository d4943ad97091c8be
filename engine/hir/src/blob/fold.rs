//! Constructors of blobs, in canonical form.
//!
//! Sums are folded through [`Linear`], a linear combination: distributing a constant over a sum and collecting like
//! terms are both exact modulo 2^width.

use super::{Blob, Blobs, Cast, NAry, Node, ScalarType, Temp};
use backedge_ir::int::Int;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A linear combination of blobs, modulo 2^width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// The constant term.
    pub constant: Int,
    /// Blobs with nonzero coefficients. No blob is a sum, a constant, or a product with a constant factor.
    pub terms: BTreeMap<Blob, Int>,
}

impl Linear {
    /// Zero of that width.
    pub fn zero(width: u32) -> Self {
        Self { constant: Int::zero(width), terms: BTreeMap::new() }
    }
    fn add_term(&mut self, blob: Blob, by: Int) {
        let sum = self.terms.get(&blob).map_or(by, |old| old.add(by));
        if sum.is_zero() {
            self.terms.remove(&blob);
        } else {
            self.terms.insert(blob, sum);
        }
    }
    /// Adds `by` times `blob`.
    pub fn add(&mut self, blobs: &Blobs, blob: Blob, by: Int) {
        match blobs.node(blob) {
            Node::Constant(value) => self.constant = self.constant.add(value.mul(by)),
            Node::NAry(NAry::Add, operands) => operands.iter().for_each(|o| self.add(blobs, *o, by)),
            Node::NAry(NAry::Mul, factors) => match (&factors[..], blobs.as_constant(factors[0])) {
                ([_, rest], Some(constant)) => self.add(blobs, *rest, by.mul(constant)),
                (_, Some(constant)) => {
                    // The product without the constant exists: it was built first.
                    let rest = Node::NAry(NAry::Mul, factors[1..].into());
                    match blobs.ids.get(&(rest, blobs.ty(blob))) {
                        Some(rest) => self.add_term(*rest, by.mul(constant)),
                        None => self.add_term(blob, by),
                    }
                }
                _ => self.add_term(blob, by),
            },
            Node::Temp(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => self.add_term(blob, by),
        }
    }
}

impl Blobs {
    /// The blob of a single variable.
    pub fn of_temp(&mut self, temp: Temp) -> Blob {
        let ty = self.temps[temp].ty;
        self.intern(Node::Temp(temp), ty)
    }
    /// The blob of a constant.
    pub fn constant(&mut self, value: Int) -> Blob {
        self.intern(Node::Constant(value), ScalarType::int(value.width()))
    }
    /// `by` times `blob`.
    pub fn scaled(&mut self, blob: Blob, by: Int) -> Blob {
        let mut linear = Linear::zero(by.width());
        linear.add(self, blob, by);
        self.of_linear(&linear)
    }
    /// The sum of `operands`, which are integers of `width` bits.
    pub fn add(&mut self, width: u32, operands: &[Blob]) -> Blob {
        let mut linear = Linear::zero(width);
        operands.iter().for_each(|o| linear.add(self, *o, Int::one(width)));
        self.of_linear(&linear)
    }
    /// The blob of a linear combination.
    pub fn of_linear(&mut self, linear: &Linear) -> Blob {
        let mut operands: SmallVec<[Blob; 4]> = SmallVec::new();
        if !linear.constant.is_zero() || linear.terms.is_empty() {
            operands.push(self.constant(linear.constant));
        }
        for (blob, by) in &linear.terms {
            let term = if by.is_one() { *blob } else { self.multiple(*blob, *by) };
            operands.push(term);
        }
        match operands[..] {
            [one] => one,
            _ => {
                let ty = ScalarType::int(linear.constant.width());
                self.intern(Node::NAry(NAry::Add, operands.as_slice().into()), ty)
            }
        }
    }
    /// The product of a constant other than 0 and 1 with a blob that is a term of a [`Linear`].
    fn multiple(&mut self, blob: Blob, by: Int) -> Blob {
        let mut factors: SmallVec<[Blob; 4]> = SmallVec::from_slice(&[self.constant(by)]);
        match self.node(blob) {
            Node::NAry(NAry::Mul, inner) => factors.extend_from_slice(inner),
            Node::Constant(_) | Node::Temp(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => {
                factors.push(blob);
            }
        }
        self.intern(Node::NAry(NAry::Mul, factors.as_slice().into()), ScalarType::int(by.width()))
    }
    /// The product of `operands`, which are integers of `width` bits.
    pub fn mul(&mut self, width: u32, operands: &[Blob]) -> Blob {
        let mut constant = Int::one(width);
        let mut factors: SmallVec<[Blob; 4]> = SmallVec::new();
        let mut work: SmallVec<[Blob; 4]> = operands.into();
        while let Some(blob) = work.pop() {
            match self.node(blob) {
                Node::Constant(value) => constant = constant.mul(*value),
                Node::NAry(NAry::Mul, inner) => work.extend_from_slice(inner),
                Node::Temp(_) | Node::Cast(..) | Node::NAry(..) | Node::UDiv(_) => factors.push(blob),
            }
        }
        factors.sort_unstable();
        let product = match factors[..] {
            [] => return self.constant(constant),
            [one] => one,
            _ => self.intern(Node::NAry(NAry::Mul, factors.as_slice().into()), ScalarType::int(width)),
        };
        self.scaled(product, constant)
    }
    /// A minimum or maximum. [`NAry::UMinSeq`] keeps the order of its operands; sums and products are passed to
    /// [`Self::add`] and [`Self::mul`].
    pub fn nary(&mut self, op: NAry, width: u32, operands: &[Blob]) -> Blob {
        match op {
            NAry::Add => return self.add(width, operands),
            NAry::Mul => return self.mul(width, operands),
            NAry::UMax | NAry::SMax | NAry::UMin | NAry::SMin | NAry::UMinSeq => {}
        }
        let mut flat: SmallVec<[Blob; 4]> = SmallVec::new();
        for operand in operands {
            match self.node(*operand) {
                Node::NAry(of, inner) if *of == op => flat.extend_from_slice(inner),
                _ => flat.push(*operand),
            }
        }
        if op != NAry::UMinSeq {
            flat.sort_unstable();
        }
        // The first of several equal operands decides, also for the ordered operation.
        let mut once: SmallVec<[Blob; 4]> = SmallVec::new();
        flat.into_iter().for_each(|o| {
            if !once.contains(&o) {
                once.push(o)
            }
        });
        match once[..] {
            [one] => one,
            _ => self.intern(Node::NAry(op, once.as_slice().into()), ScalarType::int(width)),
        }
    }
    /// The unsigned quotient.
    pub fn udiv(&mut self, left: Blob, right: Blob) -> Blob {
        let constants = (self.as_constant(left), self.as_constant(right));
        match constants {
            (_, Some(by)) if by.is_one() => return left,
            (Some(of), Some(by)) => {
                if let Some(quotient) = of.udiv(by) {
                    return self.constant(quotient);
                }
            }
            _ => {}
        }
        self.intern(Node::UDiv([left, right]), self.ty(left))
    }
    /// A conversion to the integer type of `width` bits.
    pub fn cast(&mut self, cast: Cast, blob: Blob, width: u32) -> Blob {
        let (of, ty) = (self.width(blob), self.ty(blob));
        if of == width && (cast != Cast::PtrToInt || ty.is_int()) {
            return blob;
        }
        if let Some(value) = self.as_constant(blob) {
            return self.constant(match cast {
                Cast::Trunc => value.trunc(width),
                Cast::ZExt | Cast::PtrToInt => value.zext(width),
                Cast::SExt => value.sext(width),
            });
        }
        if let Node::Cast(inner, of) = *self.node(blob) {
            let narrow = self.width(of);
            match (cast, inner) {
                (Cast::Trunc, Cast::Trunc) | (Cast::ZExt, Cast::ZExt) | (Cast::SExt, Cast::SExt) => {
                    return self.cast(cast, of, width);
                }
                // The result has only bits of the operand, or fewer of the extension bits.
                (Cast::Trunc, Cast::ZExt | Cast::SExt) if width <= narrow => {
                    return self.cast(Cast::Trunc, of, width);
                }
                (Cast::Trunc, Cast::ZExt | Cast::SExt) => return self.cast(inner, of, width),
                _ => {}
            }
        }
        self.intern(Node::Cast(cast, blob), ScalarType::int(width))
    }
}
