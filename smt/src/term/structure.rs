//! Builders that split and join bit vectors: `concat`, `extract`, extensions.
//!
//! Rules: adjacent extracts of one vector join again, so that a value stored byte by byte and loaded back is the
//! original value. An extract looks through concatenations, extensions and other extracts.

use super::{Bits, Op, Sort, Term, Terms};

impl Terms {
    /// `high` in the high bits, `low` in the low ones.
    ///
    /// # Panics
    ///
    /// If the result is wider than [`super::MAX_WIDTH`].
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (upper, lower) = (self.width(high), self.width(low));
        let width = upper + lower;
        assert!(width <= super::MAX_WIDTH, "bit vector of width {width}");
        match (self.as_bits(high), self.as_bits(low)) {
            (Some(a), Some(b)) => {
                let value = a.concat(b);
                return self.constant(value);
            }
            (Some(a), None) if a.is_zero() => return self.zext(low, width),
            _ => {}
        }
        if let Some(joined) = self.join(high, low) {
            return joined;
        }
        // The low neighbor may start with a concatenation's high part, and the high neighbor may end with its low part.
        if self.op(low) == Op::Concat {
            let (middle, rest) = (self.args(low)[0], self.args(low)[1]);
            if let Some(joined) = self.join(high, middle) {
                return self.concat(joined, rest);
            }
        }
        if self.op(high) == Op::Concat {
            let (rest, middle) = (self.args(high)[0], self.args(high)[1]);
            if let Some(joined) = self.join(middle, low) {
                return self.concat(rest, joined);
            }
        }
        self.intern(Op::Concat, &[high, low], Sort::BitVec(width))
    }

    /// Joins two adjacent extracts of one vector into one extract.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        let (Op::Extract { high: top, low: seam }, Op::Extract { high: below, low: bottom }) =
            (self.op(high), self.op(low))
        else {
            return None;
        };
        let whole = self.args(high)[0];
        (whole == self.args(low)[0] && seam == below + 1).then(|| self.extract(whole, top, bottom))
    }

    /// The bits from `low` to `high`, both included.
    ///
    /// # Panics
    ///
    /// If the term has no such bits.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        assert!(low <= high && high < self.width(a), "bits {high} to {low} of {a:?}");
        let (mut a, mut high, mut low) = (a, high, low);
        loop {
            if low == 0 && high + 1 == self.width(a) {
                return a;
            }
            let first = self.args(a).first().copied();
            match (self.op(a), first) {
                (Op::Extract { low: shift, .. }, Some(inner)) => {
                    (a, high, low) = (inner, high + shift, low + shift)
                }
                (Op::Concat, Some(upper)) => {
                    let lower = self.args(a)[1];
                    let seam = self.width(lower);
                    if high < seam {
                        a = lower;
                    } else if low >= seam {
                        (a, high, low) = (upper, high - seam, low - seam);
                    } else {
                        break;
                    }
                }
                (Op::ZExt(_), Some(inner)) if low >= self.width(inner) => {
                    return self.number(high - low + 1, 0);
                }
                (Op::ZExt(_) | Op::SExt(_), Some(inner)) if high < self.width(inner) => a = inner,
                (Op::ZExt(_), Some(inner)) if low == 0 => return self.zext(inner, high + 1),
                (Op::SExt(_), Some(inner)) if low == 0 => return self.sext(inner, high + 1),
                _ => break,
            }
        }
        if let Some(folded) = self.fold_arms(a, |bits| bits.extract(high, low)) {
            return folded;
        }
        self.intern(Op::Extract { high, low }, &[a], Sort::BitVec(high - low + 1))
    }

    /// The low `width` bits.
    pub fn truncate(&mut self, a: Term, width: u32) -> Term {
        self.extract(a, width - 1, 0)
    }

    /// Zero extension to `width`.
    ///
    /// # Panics
    ///
    /// If `width` is smaller than the width of `a` or larger than [`super::MAX_WIDTH`].
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        if !self.widens(a, width) {
            return a;
        }
        if let Op::ZExt(_) = self.op(a) {
            return self.zext(self.args(a)[0], width);
        }
        match self.fold_arms(a, |bits| bits.zext(width)) {
            Some(folded) => folded,
            None => self.intern(Op::ZExt(width), &[a], Sort::BitVec(width)),
        }
    }

    /// Sign extension to `width`.
    ///
    /// # Panics
    ///
    /// If `width` is smaller than the width of `a` or larger than [`super::MAX_WIDTH`].
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        if !self.widens(a, width) {
            return a;
        }
        match self.op(a) {
            // A zero extension that added at least one bit is not negative.
            Op::ZExt(_) => return self.zext(self.args(a)[0], width),
            Op::SExt(_) => return self.sext(self.args(a)[0], width),
            _ => {}
        }
        match self.fold_arms(a, |bits| bits.sext(width)) {
            Some(folded) => folded,
            None => self.intern(Op::SExt(width), &[a], Sort::BitVec(width)),
        }
    }

    fn widens(&self, a: Term, width: u32) -> bool {
        let narrow = self.width(a);
        assert!((narrow..=super::MAX_WIDTH).contains(&width), "extension of {a:?} to width {width}");
        width > narrow
    }

    /// Zero extension or truncation to `width`.
    pub fn zext_or_truncate(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.truncate(a, width) } else { self.zext(a, width) }
    }

    /// Sign extension or truncation to `width`.
    pub fn sext_or_truncate(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.truncate(a, width) } else { self.sext(a, width) }
    }

    /// Whether bit `index` is set.
    pub fn bit(&mut self, a: Term, index: u32) -> Term {
        let (bit, one) = (self.extract(a, index, index), self.constant(Bits::new(1, 1)));
        self.eq(bit, one)
    }
}
