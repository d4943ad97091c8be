//! What is known of expressions beyond their shape: that they do not wrap, and where.
//!
//! A fact hangs on (expression, scope). The *defining scope* of an expression is every point at which all its leaves are
//! defined: those dominated by the latest definition among them; for an add recurrence, by the header of its loop. It is
//! the only scope that LLVM knows. A fact with a narrower scope holds at the points that a given block dominates, and
//! nowhere else: the sum `(%a + %b)` may be free of wrapping inside a guarded loop and wrap outside of it, although both
//! are one expression.
//!
//! What the flags say of an expression at a point in their scope is semantics.md's P1 (in its strong form: of every
//! subset and order of the operands) and P2. Facts are only ever added, each true by itself, so that what was derived
//! from them stays true; [`Facts::epoch`] tells what was derived before a fact came.

use crate::expr::Expr;
use backedge_ir::entity::Block;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::fmt;

/// That an operation does not wrap.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Flags(u8);

impl Flags {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// No self-wrap, of add recurrences: `|step| * arrivals` is in the range of the type, with the step signed.
    pub const NW: Self = Self(1);
    /// No unsigned wrap; of an add recurrence, also no self-wrap.
    pub const NUW: Self = Self(2);
    /// No signed wrap; of an add recurrence, also no self-wrap.
    pub const NSW: Self = Self(4);
    /// No unsigned and no signed wrap.
    pub const BOTH: Self = Self(6);

    /// `nuw` and `nsw` as given.
    pub fn new(nuw: bool, nsw: bool) -> Self {
        Self(if nuw { 2 } else { 0 } | if nsw { 4 } else { 0 })
    }
    /// What either says.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// What both say.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// What `self` says and `other` does not.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Whether all of `other` is said.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Whether nothing is said.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether [`Flags::NUW`] is said.
    pub fn nuw(self) -> bool {
        self.contains(Self::NUW)
    }
    /// Whether [`Flags::NSW`] is said.
    pub fn nsw(self) -> bool {
        self.contains(Self::NSW)
    }
    /// Whether [`Flags::NW`] is said, or follows for an add recurrence.
    pub fn nw(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// LLVM's spelling: `<nuw><nsw>`, `<nw>` where only that is said.
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

/// Where a fact holds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Wherever all leaves of the expression are defined.
    Defining,
    /// At the points that this block dominates, from its beginning on.
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
    /// What is known in the defining scope.
    pub fn of(&self, expr: Expr) -> Flags {
        self.defining.get(&expr).copied().unwrap_or_default()
    }
    /// What is known in narrower scopes, each with the block that it begins at.
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
    /// Adds a fact; whether it is new.
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
    /// Says that something else has become known on which answers rest.
    pub(crate) fn renew(&mut self) {
        self.epoch += 1;
    }
    /// Grows with every new fact.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}
