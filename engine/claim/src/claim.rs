//! The claims on one function, and what each of them means.
//!
//! "Exact" is in the integers, leaves evaluated at one program point, poison leaves excused. A claim is violated only
//! by an execution that ends without undefined behaviour (also by a call that does not return, or by running on
//! forever where that is allowed).
//!
//! A run *arrives* at a loop's header once for each entry and once for each backedge taken; arrivals are counted from
//! 0 for each entry. Counts are numbers of backedges taken, never of arrivals.

use crate::expr::{ExprId, Exprs, Flag};
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::{IntPredicate, Value};
use backedge_ir::int::Int;

/// The claims on one function.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The function.
    pub func: FuncId,
    /// The expressions that the claims speak of.
    pub exprs: Exprs,
    /// The claims. A claim's index in this list is its name.
    pub claims: Vec<Claim>,
    /// What was said but is not among the claims, and why.
    pub notes: Vec<Note>,
}

impl Claims {
    /// No claim on `func`.
    pub fn new(func: FuncId) -> Self {
        Self { func, exprs: Exprs::new(), claims: Vec::new(), notes: Vec::new() }
    }
    /// Adds a claim; returns its index.
    pub fn push(&mut self, kind: ClaimKind, source: Source) -> usize {
        self.claims.push(Claim { kind, source });
        self.claims.len() - 1
    }
}

/// Something that was said and is not among the claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where it was said.
    pub source: Source,
    /// What it was and why it was left out.
    pub text: Box<str>,
}

/// A claim and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What is claimed.
    pub kind: ClaimKind,
    /// Where it comes from.
    pub source: Source,
}

/// Where a claim comes from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// Our own analysis.
    Analysis,
    /// That line of a text, counted from 1.
    Line(u64),
}

/// Where a fact holds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Wherever all leaves are defined: at every point dominated by the latest definition among them; for a
    /// recurrence at each arrival at its loop's header. What LLVM's text means.
    Defining,
    /// At every point that is dominated by the start of that block.
    Block(Block),
    /// At every point inside the loop of that header, for the values that the leaves have there.
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

/// A set of bit patterns of one width: an interval of the circle of numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Range {
    /// Every pattern.
    Full,
    /// None: the expression is never evaluated to a value that is not poison.
    Empty,
    /// From `lo` upwards, with a wrap from all ones to zero, up to and without `hi`; they differ.
    HalfOpen {
        /// The first pattern.
        lo: IntKey,
        /// The pattern behind the last.
        hi: IntKey,
    },
}

/// The bits of an end of a [`Range`], which has the width of its expression.
pub type IntKey = u128;

impl Range {
    /// Whether it has `value`, of the range's width.
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

/// Which count of a loop or exit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountKind {
    /// The number itself.
    Exact,
    /// An upper bound that is a constant. LLVM states it of loops alone.
    ConstantMax,
    /// An upper bound as an expression.
    SymbolicMax,
}

/// A condition that is assumed, checked at run time by whoever relies on it, evaluated where the loop is entered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// The comparison holds.
    Compare {
        /// How.
        predicate: IntPredicate,
        /// Left side.
        lhs: ExprId,
        /// Right side.
        rhs: ExprId,
    },
    /// The recurrence, of start and step, does not leave the range of its start from iteration 0 up to the count that
    /// the claim states: start and value are unsigned (`nusw`) or signed (`nssw`), the step is signed in both.
    Wrap {
        /// A recurrence.
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
    /// One value for all iterations of one entry, the one that leaves the loop among them: at each arrival or, where
    /// leaves of the expression are computed in the loop behind its header, each time that they have been.
    Invariant,
    /// A closed form in the number of the arrival.
    Computable,
    /// One value for all arrivals in each group of iterations that a vectorizer would make one; nothing is claimed
    /// for iterations one by one.
    Uniform,
}

/// A recurrence that is no addrec. `x` at arrival i + 1 is made from `x` at arrival i; `s` is [`Self`]'s start and
/// `c` its step, evaluated at loop entry (`c` does not vary in the loop). Closed forms at arrival i:
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RecurrenceKind {
    /// `x ^ c`: s for even i, s ^ c for odd i.
    Xor,
    /// `c - x`: s for even i, c - s for odd i.
    SubFrom,
    /// `x & c`: s for i = 0, s & c behind.
    And,
    /// `x | c`: s for i = 0, s | c behind.
    Or,
    /// `x * c`: s · c^i modulo 2^width.
    Mul,
    /// `x << c`: s · 2^(c·i) modulo 2^width, so 0 where c·i ≥ width. A c ≥ width makes the value at i ≥ 1 poison.
    Shl,
    /// `x >> c`, zeros shifted in: s / 2^(c·i) for s unsigned. A c ≥ width makes the value at i ≥ 1 poison.
    LShr,
    /// `x >> c`, the sign shifted in: floor(s / 2^(c·i)) for s signed. A c ≥ width makes the value at i ≥ 1 poison.
    AShr,
    /// `x /u c`: floor(s / c^i) for s unsigned.
    UDiv,
}

impl RecurrenceKind {
    /// All of them, with the word for each in the text.
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
    /// The word for it in the text.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// What is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// P3, value map. Whenever `value` executes and is not poison, it equals `expr` evaluated on the leaves now.
    /// A value may have several such claims; the first is the best, and the one of LLVM's text.
    Value {
        /// A value of the body.
        value: Value,
        /// What it equals.
        expr: ExprId,
    },
    /// P3 as well: `value` equals `expr`, which was found looking from the loop around `value` at what loops inside
    /// it leave behind.
    ValueAtScope {
        /// A value of the body.
        value: Value,
        /// What it equals.
        expr: ExprId,
    },
    /// P1 and P2 with a scope: `expr`, a sum, product or recurrence, has the flag in that scope, whatever flags the
    /// node bears itself.
    /// - Sum or product, `nuw`, `nsw`: wherever the scope is entered with leaves that are not poison, the exact
    ///   result is in range; strong form: also for every subset and order of operands.
    /// - Recurrence, `nuw`, `nsw`: at each arrival i that happens the exact value S + i·X (start read unsigned or
    ///   signed, step so too) is in range; `nw`: |X|·i ≤ UMAX with X signed. Nothing is claimed of the increment
    ///   behind the last arrival.
    Flag {
        /// A sum, product or recurrence.
        expr: ExprId,
        /// The flag.
        flag: Flag,
        /// Where it holds.
        scope: Scope,
    },
    /// P4. Wherever `expr` is evaluated in the scope, a value that is not poison lies in `range`.
    Range {
        /// The expression.
        expr: ExprId,
        /// How LLVM means the set; the same set of patterns either way.
        signedness: Signedness,
        /// The set.
        range: Range,
        /// Where it holds.
        scope: Scope,
    },
    /// P5. `count`, evaluated at loop entry. Exact: if no other exit fires first, this exit does not fire at i < count,
    /// and fires at i = count when its branch is reached; a count that is poison or divides by zero says that the branch
    /// is not reached without undefined behaviour. Symbolic maximum: no more than `count` backedges are taken.
    ExitCount {
        /// The loop.
        header: Block,
        /// The exiting block.
        block: Block,
        /// Which successor of the block's terminator, where the claim is on one of several exits of it; `None` means
        /// all edges of the block out of the loop together.
        edge: Option<u32>,
        /// Exact or symbolic maximum.
        kind: CountKind,
        /// Backedges taken; could-not-compute claims nothing.
        count: ExprId,
        /// `Some` if the claim holds only where all of these do.
        predicates: Option<Vec<Predicate>>,
    },
    /// P6 and P7, `count` evaluated at loop entry. Exact: a normal exit has taken exactly `count` backedges, an
    /// abnormal one (a call that does not return) at most as many, and a count that is not poison means that the loop
    /// is finite; one that is poison or divides by zero is no number and says that there is no normal exit, as whoever
    /// computes it in front of the loop would add poison or undefined behaviour to runs that have none (`umin` in place
    /// of `umin_seq`). Maxima: no prefix of a run takes more; one that is poison bounds nothing, since the exit that it
    /// is the count of may not have been reached.
    TakenCount {
        /// The loop.
        header: Block,
        /// Which count.
        kind: CountKind,
        /// Backedges taken; could-not-compute claims nothing.
        count: ExprId,
        /// A normal exit has taken `count` backedges, or none. Of maxima alone.
        max_or_zero: bool,
        /// `Some` if the claim holds only where all of these do.
        predicates: Option<Vec<Predicate>>,
    },
    /// P7: (backedges taken + 1) is a multiple of `multiple` on a normal exit, computed in ℤ.
    TripMultiple {
        /// The loop.
        header: Block,
        /// The divisor, at least 1.
        multiple: u64,
    },
    /// P8. How the expression of `value` behaves in a loop.
    Disposition {
        /// The value.
        value: Value,
        /// Its expression, which is what the claim is on.
        expr: ExprId,
        /// The loop.
        header: Block,
        /// How it behaves.
        disposition: Disposition,
    },
    /// P9. On each exit edge of the loop that `value` dominates, `value` of the last iteration equals `expr`
    /// evaluated outside of the loop. Could-not-compute claims nothing.
    ExitValue {
        /// The value.
        value: Value,
        /// The loop: the innermost one around `value`.
        header: Block,
        /// What it equals.
        expr: ExprId,
    },
    /// `value`, a phi of the header, follows a recurrence that is no addrec: at each arrival, where it is not poison,
    /// it equals the closed form of `kind`. `start` is evaluated when the loop is entered, `step` likewise.
    Recurrence {
        /// A phi of the header.
        value: Value,
        /// How it goes on.
        kind: RecurrenceKind,
        /// Its value at arrival 0.
        start: ExprId,
        /// What each step takes.
        step: ExprId,
        /// The loop.
        header: Block,
    },
}
