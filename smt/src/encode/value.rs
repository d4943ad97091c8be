//! Symbolic values: the representation of IR values as terms.
//!
//! A scalar consists of its bits, a poison flag, and a mask of its `undef` bits. The bits of a pointer are a block
//! number above an offset (see [`super::pointer`]); the bits of a float are its representation. Aggregates and vectors
//! are lists.

use crate::term::{Bits, Term, Terms};

/// A symbolic scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    /// The bits; those in the `undef` mask are meaningless.
    pub(crate) bits: Term,
    /// Whether the scalar is poison; bits and mask are then meaningless.
    pub(crate) poison: Term,
    /// Mask of the bits that each use chooses anew.
    pub(crate) undef: Term,
}

/// A symbolic value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sym {
    /// An integer, float or pointer.
    Scalar(Scalar),
    /// Elements of an aggregate or vector.
    List(Vec<Sym>),
}

impl Scalar {
    /// A value that is neither poison nor undef.
    pub(crate) fn defined(terms: &mut Terms, bits: Term) -> Self {
        let width = terms.width(bits);
        Self { bits, poison: terms.bool(false), undef: terms.number(width, 0) }
    }
    /// Poison of `width` bits.
    pub(crate) fn poison(terms: &mut Terms, width: u32) -> Self {
        let zero = terms.number(width, 0);
        Self { bits: zero, poison: terms.bool(true), undef: zero }
    }
    /// Undef of `width` bits.
    pub(crate) fn undef(terms: &mut Terms, width: u32) -> Self {
        let zero = terms.number(width, 0);
        let ones = terms.constant(Bits::ones(width));
        Self { bits: zero, poison: terms.bool(false), undef: ones }
    }
    /// Whether any bit is undef.
    pub(crate) fn has_undef(self, terms: &mut Terms) -> Term {
        terms.is_nonzero(self.undef)
    }
    /// The same scalar, also poison if `cond` holds.
    pub(crate) fn or_poison(self, terms: &mut Terms, cond: Term) -> Self {
        Self { poison: terms.or(self.poison, cond), ..self }
    }
    /// `a` if `cond` holds, else `b`.
    pub(crate) fn ite(terms: &mut Terms, cond: Term, a: Self, b: Self) -> Self {
        Self {
            bits: terms.ite(cond, a.bits, b.bits),
            poison: terms.ite(cond, a.poison, b.poison),
            undef: terms.ite(cond, a.undef, b.undef),
        }
    }
}

impl From<Scalar> for Sym {
    fn from(scalar: Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

impl Sym {
    /// `a` if `cond` holds, else `b`. Both have the same shape.
    pub(crate) fn ite(terms: &mut Terms, cond: Term, a: &Self, b: &Self) -> Self {
        if a == b {
            return a.clone();
        }
        match (a, b) {
            (Self::Scalar(a), Self::Scalar(b)) => Scalar::ite(terms, cond, *a, *b).into(),
            (Self::List(a), Self::List(b)) => {
                Self::List(a.iter().zip(b).map(|(a, b)| Self::ite(terms, cond, a, b)).collect())
            }
            (Self::Scalar(_), Self::List(_)) | (Self::List(_), Self::Scalar(_)) => {
                unreachable!("values of one type have one shape")
            }
        }
    }
    /// All scalars in order.
    pub(crate) fn scalars(&self) -> Vec<Scalar> {
        match self {
            Self::Scalar(scalar) => vec![*scalar],
            Self::List(list) => list.iter().flat_map(Self::scalars).collect(),
        }
    }
    /// Applies `f` to each scalar.
    pub(crate) fn map(&self, f: &mut impl FnMut(Scalar) -> Scalar) -> Self {
        match self {
            Self::Scalar(scalar) => f(*scalar).into(),
            Self::List(list) => Self::List(list.iter().map(|e| e.map(f)).collect()),
        }
    }
    /// Whether any scalar is poison or has an undef bit.
    pub(crate) fn any_poison_or_undef(&self, terms: &mut Terms) -> Term {
        let mut any = terms.bool(false);
        for scalar in self.scalars() {
            let undef = scalar.has_undef(terms);
            let bad = terms.or(scalar.poison, undef);
            any = terms.or(any, bad);
        }
        any
    }
    /// Whether `target` refines `self`: a poison scalar may become anything, and an undef bit may become any bit or
    /// stay undef.
    pub(crate) fn refined_by(&self, terms: &mut Terms, target: &Self) -> Term {
        let mut holds = terms.bool(true);
        for (s, t) in self.scalars().into_iter().zip(target.scalars()) {
            let one = refines_scalar(terms, s, t);
            holds = terms.and(holds, one);
        }
        holds
    }
}

/// Whether two values of the same shape are identical, including poison and undef bits.
pub(crate) fn identical(terms: &mut Terms, a: &Sym, b: &Sym) -> Term {
    let mut all = terms.bool(true);
    for (x, y) in a.scalars().into_iter().zip(b.scalars()) {
        let bits = same_bits(terms, x, y);
        let undef = terms.eq(x.undef, y.undef);
        let same = terms.and(bits, undef);
        let neither = terms.or(x.poison, y.poison);
        let neither = terms.not(neither);
        let defined = terms.and(neither, same);
        let both = terms.and(x.poison, y.poison);
        let one = terms.or(both, defined);
        all = terms.and(all, one);
    }
    all
}

/// Whether target `t` refines source `s`: if `s` is not poison, `t` is not poison and agrees with the defined bits of
/// `s`.
pub(crate) fn refines_scalar(terms: &mut Terms, s: Scalar, t: Scalar) -> Term {
    let same = same_bits(terms, s, t);
    let not_poison = terms.not(t.poison);
    let fine = terms.and(not_poison, same);
    terms.or(s.poison, fine)
}

/// Whether the bits of target `t` are defined and equal to those of source `s` wherever `s` is not undef.
pub(crate) fn same_bits(terms: &mut Terms, s: Scalar, t: Scalar) -> Term {
    let differ = terms.bv_xor(s.bits, t.bits);
    let wrong = terms.bv_or(differ, t.undef);
    let fixed = terms.bv_not(s.undef);
    let wrong = terms.bv_and(wrong, fixed);
    let any = terms.is_nonzero(wrong);
    terms.not(any)
}
