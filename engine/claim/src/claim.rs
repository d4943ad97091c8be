//! The claims on one function, and the meaning of each kind of claim. P1 to P10 are the numbered claims of
//! docs/semantics.md.
//!
//! "Exact" means computed in the integers (ℤ), with the leaves evaluated at one program point; poison leaves are
//! excused. Only an execution that ends without undefined behavior can violate a claim. A call that does not return, or
//! running forever where that is allowed, counts as such an end.
//!
//! A run *arrives* at a loop's header once for each entry and once for each backedge taken. Arrivals are counted from 0
//! for each entry. Counts are numbers of backedges taken, never numbers of arrivals.

use crate::expr::{ExprId, Exprs, Flag};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{IntPredicate, Value};
use backedge_ir::int::Int;

/// The claims on one function.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The function.
    pub func: FuncId,
    /// The expressions that the claims refer to.
    pub exprs: Exprs,
    /// The claims. A claim is identified by its index in this list.
    pub claims: Vec<Claim>,
    /// Statements that are not among the claims, and why.
    pub notes: Vec<Note>,
}

impl Claims {
    /// An empty list of claims on `func`.
    pub fn new(func: FuncId) -> Self {
        Self { func, exprs: Exprs::new(), claims: Vec::new(), notes: Vec::new() }
    }
    /// Adds a claim; returns its index.
    pub fn push(&mut self, kind: ClaimKind, source: Source) -> usize {
        self.claims.push(Claim { kind, source });
        self.claims.len() - 1
    }
}

/// A statement that is not among the claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where the statement was made.
    pub source: Source,
    /// The statement and why it was left out.
    pub text: Box<str>,
}

/// A claim and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The claim itself.
    pub kind: ClaimKind,
    /// Where it comes from.
    pub source: Source,
}

/// Where a claim comes from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// Our own analysis.
    Analysis,
    /// A line of a text, counted from 1.
    Line(u64),
}

/// Where a fact holds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Wherever all leaves are defined: at every point dominated by the latest definition among them; for a recurrence,
    /// at each arrival at its loop's header. This is the meaning of LLVM's text.
    Defining,
    /// At every point dominated by the start of the block.
    Block(Block),
    /// At every point inside the loop with this header, for the values that the leaves have at that point.
    Loop(Block),
}

/// Whether bits are read as an unsigned or as a signed number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Signedness {
    /// 0 to 2^width - 1.
    Unsigned,
    /// -2^(width-1) to 2^(width-1) - 1.
    Signed,
}

/// A set of bit patterns of one width: an interval modulo 2^width.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Range {
    /// Every pattern.
    Full,
    /// The empty set: the expression never evaluates to a non-poison value.
    Empty,
    /// From `lo` upwards, wrapping from all ones to zero, up to but excluding `hi`; `lo` and `hi` differ.
    HalfOpen {
        /// The first pattern.
        lo: IntKey,
        /// One past the last pattern.
        hi: IntKey,
    },
}

/// The bits of a bound of a [`Range`]; the width is that of the expression.
pub type IntKey = u128;

impl Range {
    /// Whether the range contains `value`, which has the range's width.
    pub fn contains(self, value: Int) -> bool {
        match self {
            Self::Full => true,
            Self::Empty => false,
            Self::HalfOpen { lo, hi } => {
                let from_lo = Int::new(value.width(), value.bits().wrapping_sub(lo));
                let length = Int::new(value.width(), hi.wrapping_sub(lo));
                from_lo.ult(length)
            }
        }
    }
}

/// Kind of count of a loop or exit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountKind {
    /// The exact count.
    Exact,
    /// A constant upper bound. LLVM states it of loops only, not of exits.
    ConstantMax,
    /// A symbolic upper bound: an expression.
    SymbolicMax,
}

/// An assumption, evaluated at loop entry; a client of the claim has to check it at run time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// The comparison holds.
    Compare {
        /// The comparison predicate.
        predicate: IntPredicate,
        /// Left side.
        lhs: ExprId,
        /// Right side.
        rhs: ExprId,
    },
    /// The recurrence of start and step does not leave the range of its start from iteration 0 up to the count that the
    /// claim states. Start and value are read as unsigned (`nusw`) or signed (`nssw`); the step is signed in both.
    Wrap {
        /// The recurrence.
        addrec: ExprId,
        /// Unsigned plus signed step without wrap.
        nusw: bool,
        /// Signed plus signed step without wrap.
        nssw: bool,
    },
}

/// How a value behaves in a loop.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Disposition {
    /// Nothing is claimed.
    Variant,
    /// The value is the same in all iterations of one entry, including the iteration that leaves the loop. It is
    /// compared at each arrival or, if leaves of the expression are computed inside the loop after its header, each
    /// time that they have been computed.
    Invariant,
    /// The value has a closed form in the arrival number.
    Computable,
    /// The value is the same for all arrivals in each group of iterations that a vectorizer would merge into one.
    /// Nothing is claimed about individual iterations.
    Uniform,
}

/// A recurrence that is not an addrec: `x` at arrival i + 1 is computed from `x` at arrival i. Below, `s` is the start
/// and `c` the step, both evaluated at loop entry (`c` is loop-invariant). Closed forms at arrival i:
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RecurrenceKind {
    /// `x ^ c`: s for even i, s ^ c for odd i.
    Xor,
    /// `c - x`: s for even i, c - s for odd i.
    SubFrom,
    /// `x & c`: s for i = 0, s & c for i ≥ 1.
    And,
    /// `x | c`: s for i = 0, s | c for i ≥ 1.
    Or,
    /// `x * c`: s · c^i modulo 2^width.
    Mul,
    /// `x << c`: s · 2^(c·i) modulo 2^width, so 0 where c·i ≥ width. A c ≥ width makes the value at i ≥ 1 poison.
    Shl,
    /// Logical `x >> c`: s / 2^(c·i) for unsigned s. A c ≥ width makes the value at i ≥ 1 poison.
    LShr,
    /// Arithmetic `x >> c`: floor(s / 2^(c·i)) for signed s. A c ≥ width makes the value at i ≥ 1 poison.
    AShr,
    /// `x /u c`: floor(s / c^i) for unsigned s.
    UDiv,
}

impl RecurrenceKind {
    /// All kinds, each with its keyword in the text.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Xor, "xor"),
        (Self::SubFrom, "subfrom"),
        (Self::And, "and"),
        (Self::Or, "or"),
        (Self::Mul, "mul"),
        (Self::Shl, "shl"),
        (Self::LShr, "lshr"),
        (Self::AShr, "ashr"),
        (Self::UDiv, "udiv"),
    ];
    /// The keyword of this kind in the text.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// The kinds of claims, with their meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// P3, value map. Whenever `value` executes and is not poison, it equals `expr` evaluated on the current leaves. A
    /// value may have several such claims; the first is the most precise and is the one in LLVM's text.
    Value {
        /// A value of the body.
        value: Value,
        /// The expression that `value` equals.
        expr: ExprId,
    },
    /// P3 as well: `value` equals `expr`, the expression at the scope of the loop around `value`, found by using exit
    /// values of inner loops.
    ValueAtScope {
        /// A value of the body.
        value: Value,
        /// The expression that `value` equals.
        expr: ExprId,
    },
    /// P1 and P2 with a scope: `expr`, a sum, product or recurrence, has the flag in that scope, independently of the
    /// flags on the node itself.
    /// - Sum or product, `nuw`, `nsw`: wherever the scope is entered with non-poison leaves, the exact result is in
    ///   range; strong form: also for every subset and order of operands.
    /// - Recurrence, `nuw`, `nsw`: at each arrival i that happens, the exact value S + i·X (start and step both read as
    ///   unsigned or both as signed) is in range; `nw`: |X|·i ≤ UMAX with X signed. Nothing is claimed about the
    ///   increment after the last arrival.
    Flag {
        /// A sum, product or recurrence.
        expr: ExprId,
        /// The flag.
        flag: Flag,
        /// Where it holds.
        scope: Scope,
    },
    /// P4. Wherever `expr` is evaluated in the scope, a non-poison value lies in `range`.
    Range {
        /// The expression.
        expr: ExprId,
        /// Whether LLVM reads the set as unsigned or signed; the set of bit patterns is the same either way.
        signedness: Signedness,
        /// The set.
        range: Range,
        /// Where it holds.
        scope: Scope,
    },
    /// P5. `count` is evaluated at loop entry. Exact: if no other exit fires first, this exit does not fire at arrivals
    /// i < count, and fires at i = count when its branch is reached. A count that is poison or divides by zero claims
    /// that the branch is not reached without undefined behavior. Symbolic maximum: at most `count` backedges are
    /// taken.
    ExitCount {
        /// The loop.
        header: Block,
        /// The exiting block.
        block: Block,
        /// The successor index of the block's terminator if the claim is about one of several exit edges; `None` means
        /// all edges from the block out of the loop together.
        edge: Option<u32>,
        /// Exact or symbolic maximum.
        kind: CountKind,
        /// Backedges taken; could-not-compute claims nothing.
        count: ExprId,
        /// `Some` if the claim holds only under all of these predicates.
        predicates: Option<Vec<Predicate>>,
    },
    /// P6 and P7. `count` is evaluated at loop entry.
    /// - Exact: a normal exit has taken exactly `count` backedges, an abnormal exit (a call that does not return) at
    ///   most as many, and a non-poison count means that the loop is finite. A count that is poison or divides by zero
    ///   is not a number and claims that there is no normal exit: code that computes it before the loop would add
    ///   poison or undefined behavior to runs that have none (`umin` in place of `umin_seq`).
    /// - Maxima: no prefix of a run takes more backedges. A poison maximum bounds nothing, because the exit that it
    ///   counts may not have been reached.
    TakenCount {
        /// The loop.
        header: Block,
        /// Which count.
        kind: CountKind,
        /// Backedges taken; could-not-compute claims nothing.
        count: ExprId,
        /// A normal exit has taken either `count` backedges or none. For maxima only.
        max_or_zero: bool,
        /// `Some` if the claim holds only under all of these predicates.
        predicates: Option<Vec<Predicate>>,
    },
    /// P7: (backedges taken + 1) is a multiple of `multiple` on a normal exit, computed in ℤ.
    TripMultiple {
        /// The loop.
        header: Block,
        /// The divisor, at least 1.
        multiple: u64,
    },
    /// P8. The behavior of the expression of `value` in a loop.
    Disposition {
        /// The value.
        value: Value,
        /// The expression of the value; the claim is about this expression.
        expr: ExprId,
        /// The loop.
        header: Block,
        /// The disposition in that loop.
        disposition: Disposition,
    },
    /// P9. On each exit edge of the loop that `value` dominates, `value` of the last iteration equals `expr` evaluated
    /// outside the loop. Could-not-compute claims nothing.
    ExitValue {
        /// The value.
        value: Value,
        /// The header of the innermost loop around `value`.
        header: Block,
        /// The exit value.
        expr: ExprId,
    },
    /// `value`, a phi of the header, follows a recurrence that is not an addrec: at each arrival at which `value` is
    /// not poison, it equals the closed form of `kind`. `start` and `step` are evaluated at loop entry.
    Recurrence {
        /// A phi of the header.
        value: Value,
        /// The kind of recurrence.
        kind: RecurrenceKind,
        /// The value at arrival 0.
        start: ExprId,
        /// The step operand.
        step: ExprId,
        /// The loop.
        header: Block,
    },
}
