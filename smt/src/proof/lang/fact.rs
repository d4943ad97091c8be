//! Facts about the states of a source and a target at a pair of cuts.
//!
//! A fact refers to *parts* and to the poison flags of values. A part is a number: an integer, the block or offset of a
//! pointer, or the bits of a float. A fact is evaluated on terms for the solver, and on numbers for samples of runs.
//! Facts may refer to the bits of a poison value; these are the bits that the encoder computes.

use crate::encode::value::Scalar;
use crate::encode::world::POINTER_BITS;
use crate::proof::lang::gather::Gather;
use crate::proof::lang::number::{WIDEST, mask, signed};
use crate::term::{Bits, Term, Terms};
use backedge_ir::entity::{EntityId, Inst};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Owner of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Owner {
    /// An argument; both sides share it.
    Argument,
    Source,
    Target,
}

/// Which value of its owner an atom names. A certificate spells it as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub(in crate::proof) enum ValueRef {
    /// An argument by its position, or the result of an instruction by its number.
    Number(u32),
    /// The value that the instruction of this number would have if it were executed in the state.
    Early(u32),
    /// The returned value.
    Returned,
}

/// Set in the number of [`ValueRef::Early`].
const EARLY: u32 = 1 << 31;

impl ValueRef {
    /// The result of an instruction.
    pub(in crate::proof) fn of(inst: Inst) -> Self {
        Self::Number(inst.index() as u32)
    }
    /// The value of an instruction that is executed early.
    pub(in crate::proof) fn early(inst: Inst) -> Self {
        Self::Early(inst.index() as u32)
    }
    /// The instruction, of a value that is not returned and belongs to no argument.
    pub(in crate::proof) fn inst(self) -> Option<Inst> {
        match self {
            Self::Number(number) | Self::Early(number) => Some(Inst::from_index(number as usize)),
            Self::Returned => None,
        }
    }
}

impl From<u32> for ValueRef {
    fn from(number: u32) -> Self {
        match number {
            u32::MAX => Self::Returned,
            early if early & EARLY != 0 => Self::Early(early & !EARLY),
            number => Self::Number(number),
        }
    }
}

impl From<ValueRef> for u32 {
    fn from(value: ValueRef) -> Self {
        match value {
            ValueRef::Number(number) => number,
            ValueRef::Early(number) => number | EARLY,
            ValueRef::Returned => Self::MAX,
        }
    }
}

/// A scalar of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) struct Atom {
    pub(in crate::proof) owner: Owner,
    pub(in crate::proof) value: ValueRef,
    /// Index of the scalar within the value.
    pub(in crate::proof) lane: u32,
}

/// How a scalar is read as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Reading {
    /// Its bits.
    Whole,
    /// The offset of a pointer.
    Offset,
    /// The block of a pointer.
    Block,
    /// Its bits, extended to a width.
    Zext(u32),
    Sext(u32),
    /// This many of its low bits.
    Low(u32),
}

impl Reading {
    /// Whether the reading extends or truncates the scalar.
    pub(in crate::proof) fn is_resized(self) -> bool {
        match self {
            Self::Whole | Self::Offset | Self::Block => false,
            Self::Zext(_) | Self::Sext(_) | Self::Low(_) => true,
        }
    }
}

/// A number in a state: a scalar and how to read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) struct Part {
    pub(in crate::proof) atom: Atom,
    pub(in crate::proof) reading: Reading,
}

/// A product of numbers.
pub(in crate::proof) type Product = SmallVec<[Part; 2]>;

/// A comparison predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Order {
    Ult,
    Ule,
    Slt,
    Sle,
    Ne,
}

/// One side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Bound {
    Part(Part),
    Number(u128),
}

/// A linear equation over products: the sum of factor times product, plus the constant, is zero modulo `2^width`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) struct Linear {
    pub(in crate::proof) width: u32,
    pub(in crate::proof) summands: Vec<(u128, Product)>,
    pub(in crate::proof) constant: u128,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(in crate::proof) enum Fact {
    /// The value is not poison.
    Defined(Atom),
    /// The value has no undef bits.
    Settled(Atom),
    /// Both are poison or neither is.
    PoisonTogether(Atom, Atom),
    /// If the first value is poison, the second one is poison too.
    PoisonOnlyWith(Atom, Atom),
    Linear(Linear),
    /// The numbers are equal, or the second value is poison.
    EqualUnlessPoison(Part, Part),
    Compare {
        width: u32,
        order: Order,
        left: Bound,
        right: Bound,
    },
    /// `whole` is the left fold of `parts` under the operation.
    Gathers {
        width: u32,
        by: Gather,
        whole: Part,
        parts: Vec<Part>,
    },
}

/// A symbolic state in which facts are evaluated.
pub(in crate::proof) trait Values {
    /// The symbolic scalar.
    fn scalar(&self, atom: Atom) -> Option<Scalar>;
}

impl Part {
    pub(in crate::proof) fn whole(atom: Atom) -> Self {
        Self { atom, reading: Reading::Whole }
    }
    /// The number as a term; `None` if the reading does not fit the scalar's width.
    pub(in crate::proof) fn term(self, terms: &mut Terms, values: &dyn Values) -> Option<Term> {
        let bits = values.scalar(self.atom)?.bits;
        let own = terms.width(bits);
        // A width read from a file may be invalid.
        let fits = |width: u32| (own..=WIDEST).contains(&width);
        Some(match self.reading {
            Reading::Whole => bits,
            Reading::Offset | Reading::Block if own != POINTER_BITS => return None,
            Reading::Offset => crate::encode::offset_of(terms, bits),
            Reading::Block => crate::encode::block_of(terms, bits),
            Reading::Zext(width) if fits(width) => terms.zext(bits, width),
            Reading::Sext(width) if fits(width) => terms.sext(bits, width),
            Reading::Low(width) if (1..=own).contains(&width) => terms.extract(bits, width - 1, 0),
            Reading::Zext(_) | Reading::Sext(_) | Reading::Low(_) => return None,
        })
    }
    /// The number that this part reads from a scalar's `bits`.
    pub(in crate::proof) fn number(self, bits: u128, width: u32) -> u128 {
        match self.reading {
            Reading::Whole | Reading::Zext(_) => bits,
            Reading::Offset => bits & mask(crate::encode::world::OFFSET_BITS),
            Reading::Block => bits >> crate::encode::world::OFFSET_BITS,
            Reading::Sext(to) => signed(bits, width) as u128 & mask(to),
            Reading::Low(to) => bits & mask(to),
        }
    }
}

impl Linear {
    /// `left == right`; both have the same width.
    pub(in crate::proof) fn equal(width: u32, left: Part, right: Part) -> Self {
        Self::shifted(width, left, right, 0)
    }
    /// `left == right + by`.
    pub(in crate::proof) fn shifted(width: u32, left: Part, right: Part, by: u128) -> Self {
        let minus = mask(width);
        let mut summands: Vec<(u128, Product)> =
            vec![(1, SmallVec::from_slice(&[left])), (minus, SmallVec::from_slice(&[right]))];
        summands.sort_by(|a, b| a.1.cmp(&b.1));
        Self { width, summands, constant: by.wrapping_neg() & mask(width) }
    }
    /// `part == number`.
    pub(in crate::proof) fn fixed(width: u32, part: Part, number: u128) -> Self {
        let summands = vec![(1, SmallVec::from_slice(&[part]))];
        Self { width, summands, constant: number.wrapping_neg() & mask(width) }
    }
    /// The last part and its factor, if the equation determines that part: it occurs once, alone in its product, with
    /// an odd factor, and the parts before it are smaller and of other atoms.
    pub(in crate::proof) fn solved(&self) -> Option<(Part, u128)> {
        let (factor, last) = self.summands.last()?;
        let [part] = last[..] else { return None };
        let whole = !part.reading.is_resized();
        let occurs = |p: &Product| p.iter().any(|q| q.atom == part.atom && q.reading == part.reading);
        let once = self.summands.iter().filter(|(_, p)| occurs(p)).count() == 1;
        let earlier = self.summands[..self.summands.len() - 1].iter().all(|(_, p)| {
            p.iter().all(|q| (q.atom, q.reading) < (part.atom, part.reading) && q.atom != part.atom)
        });
        (whole && once && earlier && factor % 2 == 1).then_some((part, *factor))
    }
    /// The sum as a term, without the summand that consists of the part `leave`.
    pub(in crate::proof) fn sum(
        &self,
        terms: &mut Terms,
        values: &dyn Values,
        leave: Option<Part>,
    ) -> Option<Term> {
        if !(1..=WIDEST).contains(&self.width) {
            return None;
        }
        let mut sum = terms.number(self.width, self.constant & mask(self.width));
        for (factor, product) in &self.summands {
            if leave.is_some_and(|part| product[..] == [part]) {
                continue;
            }
            let mut term = terms.number(self.width, *factor & mask(self.width));
            for part in product {
                let number = part.term(terms, values)?;
                if terms.width(number) != self.width {
                    return None;
                }
                term = terms.mul(term, number);
            }
            sum = terms.add(sum, term);
        }
        Some(sum)
    }
}

impl Fact {
    /// The scalars that the fact refers to.
    pub(in crate::proof) fn atoms(&self) -> SmallVec<[Atom; 4]> {
        match self {
            Self::Defined(a) | Self::Settled(a) => SmallVec::from_slice(&[*a]),
            Self::PoisonTogether(a, b) | Self::PoisonOnlyWith(a, b) => SmallVec::from_slice(&[*a, *b]),
            Self::Linear(linear) => {
                linear.summands.iter().flat_map(|(_, p)| p.iter().map(|part| part.atom)).collect()
            }
            Self::EqualUnlessPoison(a, b) => SmallVec::from_slice(&[a.atom, b.atom]),
            Self::Gathers { whole, parts, .. } => {
                [*whole].iter().chain(parts).map(|part| part.atom).collect()
            }
            Self::Compare { left, right, .. } => [left, right]
                .into_iter()
                .filter_map(|bound| match bound {
                    Bound::Part(part) => Some(part.atom),
                    Bound::Number(_) => None,
                })
                .collect(),
        }
    }
    /// Whether the fact contains products.
    pub(in crate::proof) fn has_products(&self) -> bool {
        match self {
            Self::Linear(linear) => linear.summands.iter().any(|(_, p)| p.len() > 1),
            Self::Gathers { by, .. } => *by == Gather::Mul,
            Self::Defined(_)
            | Self::Settled(_)
            | Self::PoisonTogether(..)
            | Self::PoisonOnlyWith(..)
            | Self::EqualUnlessPoison(..)
            | Self::Compare { .. } => false,
        }
    }
    /// The fact as a term; `None` if it refers to absent values or its widths do not match.
    pub(in crate::proof) fn term(&self, terms: &mut Terms, values: &dyn Values) -> Option<Term> {
        Some(match self {
            Self::Defined(atom) => {
                let poison = values.scalar(*atom)?.poison;
                terms.not(poison)
            }
            Self::Settled(atom) => {
                let undef = values.scalar(*atom)?.undef;
                let any = terms.is_nonzero(undef);
                terms.not(any)
            }
            Self::PoisonTogether(a, b) => {
                let (a, b) = (values.scalar(*a)?.poison, values.scalar(*b)?.poison);
                let differ = terms.xor(a, b);
                terms.not(differ)
            }
            Self::PoisonOnlyWith(a, b) => {
                let (a, b) = (values.scalar(*a)?.poison, values.scalar(*b)?.poison);
                terms.implies(a, b)
            }
            Self::Linear(linear) => linear.term(terms, values)?,
            Self::EqualUnlessPoison(a, b) => {
                let (x, y) = (a.term(terms, values)?, b.term(terms, values)?);
                if terms.width(x) != terms.width(y) {
                    return None;
                }
                let (same, poison) = (terms.eq(x, y), values.scalar(b.atom)?.poison);
                terms.or(same, poison)
            }
            Self::Compare { width, order, left, right } => {
                let (a, b) = (left.term(terms, values, *width)?, right.term(terms, values, *width)?);
                match order {
                    Order::Ult => terms.ult(a, b),
                    Order::Ule => terms.ule(a, b),
                    Order::Slt => terms.slt(a, b),
                    Order::Sle => terms.sle(a, b),
                    Order::Ne => terms.ne(a, b),
                }
            }
            Self::Gathers { width, by, whole, parts } => {
                let (whole, parts) = gathered(terms, values, *width, (*whole, parts))?;
                by.equation(terms, whole, &parts)?
            }
        })
    }
}

/// The whole and the parts of a reduction as terms; `None` unless all have the given width.
fn gathered(
    terms: &mut Terms,
    values: &dyn Values,
    width: u32,
    (whole, parts): (Part, &[Part]),
) -> Option<(Term, Vec<Term>)> {
    let mut number = |part: Part| part.term(terms, values).filter(|t| terms.width(*t) == width);
    Some((number(whole)?, parts.iter().map(|part| number(*part)).collect::<Option<_>>()?))
}

impl Linear {
    fn term(&self, terms: &mut Terms, values: &dyn Values) -> Option<Term> {
        // Encode an equation of two numbers directly: the solver has rules for this form.
        if let [(1, a), (minus, b)] | [(minus, a), (1, b)] = &self.summands[..]
            && *minus == mask(self.width)
            && let ([a], [b]) = (&a[..], &b[..])
        {
            let (first, second) = if self.summands[0].0 == 1 { (*a, *b) } else { (*b, *a) };
            let (x, y) = (first.term(terms, values)?, second.term(terms, values)?);
            if (terms.width(x), terms.width(y)) != (self.width, self.width) {
                return None;
            }
            let constant = terms.number(self.width, self.constant & mask(self.width));
            let x = terms.add(x, constant);
            return Some(terms.eq(x, y));
        }
        let sum = self.sum(terms, values, None)?;
        let zero = terms.number(self.width, 0);
        Some(terms.eq(sum, zero))
    }
}

impl Bound {
    fn term(self, terms: &mut Terms, values: &dyn Values, width: u32) -> Option<Term> {
        match self {
            Self::Part(part) => part.term(terms, values).filter(|t| terms.width(*t) == width),
            Self::Number(number) if (1..=WIDEST).contains(&width) => {
                Some(terms.constant(Bits::new(width, number & mask(width))))
            }
            Self::Number(_) => None,
        }
    }
}

/// A concrete state of a sample, in which facts are evaluated.
pub(in crate::proof) trait Numbers {
    /// The bits of the scalar, their count, and whether the scalar is poison.
    fn number(&self, atom: Atom) -> Option<(u128, u32, bool)>;
}

impl Fact {
    /// Whether the fact holds in a sample; `None` if it refers to absent values.
    pub(in crate::proof) fn holds(&self, numbers: &dyn Numbers) -> Option<bool> {
        let poison = |atom: &Atom| numbers.number(*atom).map(|n| n.2);
        let read = |part: &Part| numbers.number(part.atom).map(|(bits, width, _)| part.number(bits, width));
        let bound = |b: &Bound| match b {
            Bound::Part(part) => read(part),
            Bound::Number(number) => Some(*number),
        };
        Some(match self {
            Self::Defined(atom) => !poison(atom)?,
            Self::Settled(_) => true,
            Self::PoisonTogether(a, b) => poison(a)? == poison(b)?,
            Self::PoisonOnlyWith(a, b) => !poison(a)? || poison(b)?,
            Self::Linear(linear) => {
                let mut sum = linear.constant;
                for (factor, product) in &linear.summands {
                    let mut term = *factor;
                    for part in product {
                        term = term.wrapping_mul(read(part)?);
                    }
                    sum = sum.wrapping_add(term);
                }
                sum & mask(linear.width) == 0
            }
            Self::EqualUnlessPoison(a, b) => read(a)? == read(b)? || poison(&b.atom)?,
            Self::Compare { width, order, left, right } => {
                let (a, b) = (bound(left)?, bound(right)?);
                let (x, y) = (signed(a, *width), signed(b, *width));
                match order {
                    Order::Ult => a < b,
                    Order::Ule => a <= b,
                    Order::Slt => x < y,
                    Order::Sle => x <= y,
                    Order::Ne => a != b,
                }
            }
            Self::Gathers { width, by, whole, parts } => {
                let parts: Vec<u128> = parts.iter().map(read).collect::<Option<_>>()?;
                let (first, rest) = parts.split_first()?;
                rest.iter().fold(*first, |a, b| by.number(a, *b, *width)) == read(whole)?
            }
        })
    }
}
