//! Terms: the formulas between the IR semantics and the solver.
//!
//! Terms live in an arena, are typed, and are unique: a formula built twice is one [`Term`]. Only the arena's methods
//! build terms. They fold constants and apply local rules, so that known facts (a value that is never poison, a branch
//! on a constant) stay constants and never reach the solver. No term refers to a later one: in ascending order,
//! arguments precede their users, and no walk over terms needs recursion.
//!
//! | file | holds |
//! |---|---|
//! | `bits` | constant bit vectors |
//! | `logic`, `bitvec`, `structure`, `overflow`, `array` | the builders with their rules |
//! | `walk` | what a term contains; substitution |
//! | `eval` | the value of a term under an assignment, with no solver involved |
//! | `print` | SMT-LIB 2 text |

mod array;
mod bits;
mod bitvec;
mod eval;
mod logic;
mod overflow;
mod print;
mod structure;
mod value;
mod walk;

use std::fmt;

use rustc_hash::FxHashMap;

pub use bits::{Bits, MAX_WIDTH};
pub use eval::{Evaluator, Known};
pub use value::{ArrayValue, Assignment, Value};

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit vector of that many bits, 1 to [`MAX_WIDTH`].
    BitVec(u32),
    /// A map from bit vectors of `index` bits to bit vectors of `element` bits.
    Array {
        /// Width of the index, in bits.
        index: u32,
        /// Width of an element, in bits.
        element: u32,
    },
}

/// A term of the [`Terms`] that built it. An argument is always smaller than the term that uses it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// The operation of a term. The operations are SMT-LIB's, including division by zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// A bit vector constant; [`Terms::bits`] has its value.
    Bits(Constant),
    /// A free variable; [`Terms::name`] has its name.
    Var(Variable),
    /// Negation of a truth value.
    Not,
    /// Conjunction of two.
    And,
    /// Disjunction of two.
    Or,
    /// Exclusive or of two truth values.
    Xor,
    /// Equality of two terms of one sort, any sort.
    Eq,
    /// The second argument if the first one is true, else the third.
    Ite,
    /// Complement of each bit.
    BvNot,
    /// Two's complement.
    BvNeg,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Unsigned remainder.
    URem,
    /// Signed quotient, rounded toward zero.
    SDiv,
    /// Signed remainder with the dividend's sign.
    SRem,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Shift left.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// Unsigned less than.
    Ult,
    /// Signed less than.
    Slt,
    /// Whether the exact unsigned product does not fit the width.
    UMulOverflows,
    /// Whether the exact signed product does not fit the width.
    SMulOverflows,
    /// The first argument in the high bits, the second in the low ones.
    Concat,
    /// The bits from `low` to `high`, both included.
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
    },
    /// Zero extension to a width.
    ZExt(u32),
    /// Sign extension to a width.
    SExt(u32),
    /// Element of an array at an index.
    Select,
    /// An array with one element replaced: array, index, element.
    Store,
    /// The array over indices of that width with the argument at every index.
    ConstArray(u32),
}

impl Op {
    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Op::Bool(_) | Op::Bits(_) | Op::Var(_) => 0,
            Op::Not | Op::BvNot | Op::BvNeg | Op::Extract { .. } | Op::ZExt(_) | Op::SExt(_) => 1,
            Op::ConstArray(_) => 1,
            Op::And | Op::Or | Op::Xor | Op::Eq | Op::Add | Op::Mul | Op::UDiv | Op::URem => 2,
            Op::SDiv | Op::SRem | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Shl | Op::LShr | Op::AShr => 2,
            Op::Ult | Op::Slt | Op::UMulOverflows | Op::SMulOverflows | Op::Concat | Op::Select => 2,
            Op::Ite | Op::Store => 3,
        }
    }
}

/// Handle of a bit vector constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constant(u32);

/// Handle of a free variable, numbered in order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u32);

/// An operation with its arguments; unused argument slots hold the term `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    args: [Term; 3],
}

/// The arena of terms.
#[derive(Debug, Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    unique: FxHashMap<Node, Term>,
    constants: Vec<Bits>,
    constant_ids: FxHashMap<Bits, Constant>,
    names: Vec<String>,
    /// Current nesting depth of the equality rules, which stop at [`Terms::DEEPEST_SPLIT`].
    splits: u32,
    /// Whether parts of one variable are distinguished, see [`Terms::distinguish_parts`].
    parts_apart: bool,
    /// Whether widths decide comparisons, see [`Terms::compare_by_width`].
    by_width: bool,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    const TRUE: Term = Term(0);
    const FALSE: Term = Term(1);
    /// Limit on the nesting depth of the equality rules, which split one equality into several: bounds their recursion.
    const DEEPEST_SPLIT: u32 = 32;
    /// Number of terms of a path that [`Terms::goes_on`] looks at.
    const LATEST_CONDITIONS: usize = 64;

    /// From here on, a comparison of a constant with an extended term folds if all values of the narrower width lie on
    /// one side. Without this rule, the solver receives the comparison and learns a bound, with which it finds proofs
    /// of claims.
    pub fn compare_by_width(&mut self) {
        self.by_width = true;
    }
    /// From here on, a concatenation is known to differ from a variable with the same parts if a nonzero constant is
    /// added to one part. Meant for callers that need unsatisfiability rather than a natural model.
    pub fn distinguish_parts(&mut self) {
        self.parts_apart = true;
    }

    /// An arena that holds only true and false.
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            sorts: Vec::new(),
            unique: FxHashMap::default(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            names: Vec::new(),
            splits: 0,
            parts_apart: false,
            by_width: false,
        };
        let (yes, no) =
            (terms.intern(Op::Bool(true), &[], Sort::Bool), terms.intern(Op::Bool(false), &[], Sort::Bool));
        debug_assert_eq!((yes, no), (Terms::TRUE, Terms::FALSE));
        terms
    }

    fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        debug_assert_eq!(args.len(), op.arity());
        let mut node = Node { op, args: [Terms::TRUE; 3] };
        node.args[..args.len()].copy_from_slice(args);
        if let Some(&term) = self.unique.get(&node) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit into memory"));
        self.nodes.push(node);
        self.sorts.push(sort);
        self.unique.insert(node, term);
        term
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: the terms true and false always exist.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operation of the term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.0 as usize].op
    }

    /// The arguments, [`Op::arity`] many.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.0 as usize];
        &node.args[..node.op.arity()]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.0 as usize]
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    ///
    /// If the term is of another sort.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            other => panic!("a bit vector is expected, {term:?} is of sort {other:?}"),
        }
    }

    /// The name that the variable was created with. Different variables may share a name.
    pub fn name(&self, variable: Variable) -> &str {
        &self.names[variable.0 as usize]
    }

    /// The truth value, if the term is a constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            Op::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a bit vector, if the term is a constant.
    pub fn as_bits(&self, term: Term) -> Option<&Bits> {
        match self.op(term) {
            Op::Bits(constant) => Some(self.bits(constant)),
            _ => None,
        }
    }

    /// The value of a constant.
    pub fn bits(&self, constant: Constant) -> &Bits {
        &self.constants[constant.0 as usize]
    }

    /// Whether the term is a constant truth value or bit vector.
    pub fn is_constant(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Bool(_) | Op::Bits(_))
    }

    /// Creates a variable that differs from every other one, even from variables of the same name.
    ///
    /// # Panics
    ///
    /// If a width in the sort is 0 or larger than [`MAX_WIDTH`].
    pub fn variable(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let sizes = match sort {
            Sort::Bool => [1, 1],
            Sort::BitVec(width) => [width, 1],
            Sort::Array { index, element } => [index, element],
        };
        assert!(sizes.iter().all(|size| (1..=MAX_WIDTH).contains(size)), "variable of sort {sort:?}");
        let variable =
            Variable(u32::try_from(self.names.len()).expect("fewer than 2^32 variables fit into memory"));
        self.names.push(name.into());
        self.intern(Op::Var(variable), &[], sort)
    }

    /// The constant term with this value.
    pub fn constant(&mut self, bits: Bits) -> Term {
        let sort = Sort::BitVec(bits.width());
        let id = match self.constant_ids.get(&bits) {
            Some(&id) => id,
            None => {
                let id = Constant(u32::try_from(self.constants.len()).expect("fewer constants than terms"));
                self.constants.push(bits.clone());
                self.constant_ids.insert(bits, id);
                id
            }
        };
        self.intern(Op::Bits(id), &[], sort)
    }

    /// The constant with the low `width` bits of `value`.
    pub fn number(&mut self, width: u32, value: u128) -> Term {
        self.constant(Bits::new(width, value))
    }

    /// The term `op(args)`, built by the builder of the operation, with its rules.
    ///
    /// # Panics
    ///
    /// If the number or the sorts of the arguments do not fit `op`.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        match (op, args) {
            (Op::Bool(value), []) => self.bool(value),
            (Op::Bits(constant), []) => self.constant(self.bits(constant).clone()),
            (Op::Var(_), []) => {
                *self.unique.get(&Node { op, args: [Terms::TRUE; 3] }).expect("a variable that was made")
            }
            (Op::Not, &[a]) => self.not(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Or, &[a, b]) => self.or(a, b),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (Op::Add, &[a, b]) => self.add(a, b),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::UDiv, &[a, b]) => self.udiv(a, b),
            (Op::URem, &[a, b]) => self.urem(a, b),
            (Op::SDiv, &[a, b]) => self.sdiv(a, b),
            (Op::SRem, &[a, b]) => self.srem(a, b),
            (Op::BvAnd, &[a, b]) => self.bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.bv_xor(a, b),
            (Op::Shl, &[a, b]) => self.shl(a, b),
            (Op::LShr, &[a, b]) => self.lshr(a, b),
            (Op::AShr, &[a, b]) => self.ashr(a, b),
            (Op::Ult, &[a, b]) => self.ult(a, b),
            (Op::Slt, &[a, b]) => self.slt(a, b),
            (Op::UMulOverflows, &[a, b]) => self.umul_overflows(a, b),
            (Op::SMulOverflows, &[a, b]) => self.smul_overflows(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { high, low }, &[a]) => self.extract(a, high, low),
            (Op::ZExt(width), &[a]) => self.zext(a, width),
            (Op::SExt(width), &[a]) => self.sext(a, width),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::ConstArray(index), &[v]) => self.const_array(index, v),
            _ => panic!("{op:?} does not take {} arguments", args.len()),
        }
    }

    /// The common width of two terms. Panics if the widths differ.
    fn same_width(&self, a: Term, b: Term) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "{a:?} and {b:?} differ in width");
        width
    }

    fn assert_bool(&self, term: Term) {
        assert_eq!(self.sort(term), Sort::Bool, "a truth value is expected, not {term:?}");
    }
}

/// Canonical argument order of a commutative operation, so that equal terms become one: a constant is last.
fn ordered(terms: &Terms, a: Term, b: Term) -> (Term, Term) {
    if terms.is_constant(a) || (!terms.is_constant(b) && b < a) { (b, a) } else { (a, b) }
}
