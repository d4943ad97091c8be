//! Facts of expressions beyond their shape: no-wrap flags, and the scopes in which they hold.
//!
//! A fact belongs to a pair (expression, scope). The *defining scope* of an expression is every point at which all its
//! leaves are defined: the points dominated by the latest definition among the leaves; for an add recurrence, those
//! dominated by the header of its loop. LLVM knows only this scope. A fact with a narrower scope holds at the points
//! that a given block dominates, and nowhere else: the sum `(%a + %b)` may not wrap inside a guarded loop and yet wrap
//! outside, although both sums are one expression.
//!
//! The meaning of flags at a point in their scope is P1 of docs/semantics.md (in its strong form: for every subset and
//! order of the operands) and P2. Facts are only added, and each is true by itself, so derived results stay true.
//! [`Facts::epoch`] identifies results that were derived before a fact was added.

use crate::expr::Expr;
use backedge_ir::entity::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::fmt;

/// No-wrap flags of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Flags(u8);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// No self-wrap of an add recurrence: `|step| * arrivals` is in the range of the type, with the step signed.
    pub const NW: Self = Self(1);
    /// No unsigned wrap; for an add recurrence, also no self-wrap.
    pub const NUW: Self = Self(2);
    /// No signed wrap; for an add recurrence, also no self-wrap.
    pub const NSW: Self = Self(4);
    /// No unsigned and no signed wrap.
    pub const BOTH: Self = Self(6);

    /// `nuw` and `nsw` as given.
    pub fn new(nuw: bool, nsw: bool) -> Self {
        Self(if nuw { 2 } else { 0 } | if nsw { 4 } else { 0 })
    }
    /// The union of both sets of flags.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// The intersection of both sets of flags.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// The flags of `self` that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Whether `self` has all flags of `other`.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Whether there are no flags.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether [`Flags::NUW`] is set.
    pub fn nuw(self) -> bool {
        self.contains(Self::NUW)
    }
    /// Whether [`Flags::NSW`] is set.
    pub fn nsw(self) -> bool {
        self.contains(Self::NSW)
    }
    /// Whether [`Flags::NW`] is set, or implied for an add recurrence.
    pub fn nw(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// LLVM's spelling: `<nuw><nsw>`, and `<nw>` if only that is set.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.nuw() {
            f.write_str("<nuw>")?;
        }
        if self.nsw() {
            f.write_str("<nsw>")?;
        }
        if *self == Self::NW { f.write_str("<nw>") } else { Ok(()) }
    }
}

/// The scope of a fact.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Wherever all leaves of the expression are defined.
    Defining,
    /// At the points that this block dominates, from the start of the block.
    From(Block),
}

/// The facts about the expressions of one function.
#[derive(Debug, Default)]
pub struct Facts {
    defining: FxHashMap<Expr, Flags>,
    scoped: FxHashMap<Expr, SmallVec<[(Block, Flags); 1]>>,
    /// The blocks at which narrower scopes begin.
    begins: FxHashSet<Block>,
    epoch: u64,
}

impl Facts {
    /// The flags in the defining scope.
    pub fn of(&self, expr: Expr) -> Flags {
        self.defining.get(&expr).copied().unwrap_or_default()
    }
    /// The flags in narrower scopes, each with the block at which the scope begins.
    pub fn scoped(&self, expr: Expr) -> &[(Block, Flags)] {
        self.scoped.get(&expr).map_or(&[], |facts| facts)
    }
    /// The blocks at which narrower scopes begin, in no particular order.
    pub fn scope_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        self.begins.iter().copied()
    }
    /// All facts of narrower scopes, in no particular order.
    pub fn all_scoped(&self) -> impl Iterator<Item = (Expr, Block, Flags)> + '_ {
        self.scoped
            .iter()
            .flat_map(|(expr, facts)| facts.iter().map(|(block, flags)| (*expr, *block, *flags)))
    }
    /// Adds a fact. Returns whether it is new.
    pub(crate) fn add(&mut self, expr: Expr, flags: Flags, scope: Scope) -> bool {
        let known = self.of(expr);
        let new = flags.without(known);
        if new.is_empty() {
            return false;
        }
        let changed = match scope {
            Scope::Defining => {
                self.defining.insert(expr, known.with(flags));
                true
            }
            Scope::From(block) => {
                self.begins.insert(block);
                let facts = self.scoped.entry(expr).or_default();
                match facts.iter_mut().find(|(b, _)| *b == block) {
                    Some((_, known)) if known.contains(new) => false,
                    Some((_, known)) => {
                        *known = known.with(new);
                        true
                    }
                    None => {
                        facts.push((block, new));
                        true
                    }
                }
            }
        };
        self.epoch += u64::from(changed);
        changed
    }
    /// Advances the epoch because other inputs of cached answers have changed.
    pub(crate) fn renew(&mut self) {
        self.epoch += 1;
    }
    /// A counter that grows with every new fact.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}
