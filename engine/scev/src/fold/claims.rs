//! Wrap flags of a sum or product while its operands are being transformed.
//!
//! A claim about a list of operands has two strengths (P1 of docs/semantics.md). *Strong*: it holds for every subset of
//! the operands. *Exact*: it holds for all of them together. Both agree for two operands. Merging operands of a sum
//! into one operand with their value preserves the strong form: each subset sum is exact, so the merged operand adds as
//! much as its parts. Flattening an operand preserves the exact form of claims that hold for both lists, but seldom the
//! strong form: `100 + (100 + -100)` has no signed wrap at 8 bits, and `100 + 100` has.
//!
//! Facts that hold everywhere and facts that hold only [in the current context](ScalarEvolution::flags_here) are
//! tracked separately, so that each is learned in the scope in which it is true.

use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// The flags known in one scope.
#[derive(Copy, Clone, Debug)]
struct Claim {
    strong: Flags,
    exact: Flags,
}

impl Claim {
    fn new(flags: Flags) -> Self {
        Self { strong: flags, exact: flags }
    }
    fn after(self, inner: Flags, is_sum: bool) -> Self {
        let both = self.strong.and(inner);
        // If a sum wraps neither as unsigned nor as signed, no two of its operands are negative. Then the positive
        // operands are part of a sum that stays below 2^(width - 1).
        let strong = match is_sum {
            true if both.contains(Flags::BOTH) => both,
            true => both.and(Flags::NUW),
            // A product with a zero factor implies nothing for the other factors.
            false => Flags::NONE,
        };
        Self { strong, exact: self.exact.and(inner) }
    }
}

/// The flags of a list of operands: in the given scope, and in the current context.
#[derive(Copy, Clone, Debug)]
pub(super) struct Claims {
    given: Claim,
    scope: Scope,
    here: Claim,
}

impl Claims {
    /// No flags.
    pub(super) const NONE: Self = {
        let none = Claim { strong: Flags::NONE, exact: Flags::NONE };
        Self { given: none, scope: Scope::Defining, here: none }
    };
    /// `flags`, in the strong form, in `scope`.
    pub(super) fn new(flags: Flags, scope: Scope) -> Self {
        let claim = Claim::new(flags.and(Flags::BOTH));
        Self { given: claim, scope, here: claim }
    }
    /// The claims for operands that have the same values in `scope`; drops the flags of the current context.
    pub(super) fn only_in(&self, scope: Scope) -> Self {
        Self { given: self.given, scope, here: Self::NONE.here }
    }
    /// Updates the claims after one operand, a sum (or product) with flags `inner` everywhere and `inner_here` in the
    /// current context, is replaced by its operands.
    pub(super) fn take_apart(&mut self, inner: Flags, inner_here: Flags, is_sum: bool) {
        self.given = self.given.after(inner, is_sum);
        self.here = self.here.after(inner_here, is_sum);
    }
    /// Updates the claims after constants were merged whose exact sum (or product) wraps as `wrapped` says.
    pub(super) fn merge_constants(&mut self, wrapped: Flags) {
        for claim in [&mut self.given, &mut self.here] {
            claim.strong = claim.strong.without(wrapped);
            claim.exact = claim.exact.without(wrapped);
        }
    }
    /// Updates the claims after operands were merged into one with their sum modulo 2^width as its value.
    pub(super) fn merge_terms(&mut self) {
        self.given.exact = self.given.strong;
        self.here.exact = self.here.strong;
    }
    /// Drops all claims, because the operands were replaced.
    pub(super) fn drop_all(&mut self) {
        *self = Self::NONE;
    }
    /// The flags that hold for all operands together if `whole`, otherwise for every part: in the given scope, and
    /// here.
    pub(super) fn of_part(&self, whole: bool) -> (Flags, Flags) {
        let of = |c: Claim| if whole { c.strong.with(c.exact) } else { c.strong };
        (of(self.given), of(self.here))
    }
    /// The given scope.
    pub(super) fn scope(&self) -> Scope {
        self.scope
    }
}

impl ScalarEvolution<'_> {
    /// Learns `given` in `scope`, and `here` in the current context.
    pub(super) fn learn_both(&mut self, expr: Expr, given: Flags, scope: Scope, here: Flags) {
        if !given.is_empty() {
            self.learn(expr, given, scope);
        }
        if !here.without(given).is_empty() {
            self.learn_here(expr, here);
        }
    }
    /// Learns a fact derived from [`Self::flags_here`] of expressions whose leaves are all in `expr`.
    pub(super) fn learn_here(&mut self, expr: Expr, flags: Flags) {
        if !flags.is_empty() {
            let scope = self.context.map_or(Scope::Defining, Scope::From);
            self.learn(expr, flags, scope);
        }
    }
    /// Whether `whole` contains everything that can make one of `parts` poison, undefined or unavailable. If so, a
    /// claim that is vacuous where `whole` has no value is also vacuous where a part has none. False for expressions
    /// that exceed the search limit.
    pub(super) fn keeps_leaves(&self, parts: &[Expr], whole: Expr) -> bool {
        if parts.iter().all(|p| *p == whole || self.as_constant(*p).is_some()) {
            return true;
        }
        let counts = |node: &Node| match node {
            Node::Unknown(_) | Node::AddRec(..) => true,
            Node::UDiv([_, divisor]) => self.as_constant(*divisor).is_none_or(Int::is_zero),
            _ => false,
        };
        let limit = self.limits.search as usize;
        // A recurrence is represented by its loop, every other node by itself.
        let mut seen: SmallVec<[Expr; 8]> = SmallVec::new();
        let mut loops: SmallVec<[LoopId; 4]> = SmallVec::new();
        let mut steps = 0;
        let small = self.arena.all_parts(whole, |expr, node| {
            steps += 1;
            if let Node::AddRec(l, _) = node {
                loops.push(*l);
            } else if counts(node) {
                seen.push(expr);
            }
            steps <= limit
        });
        small
            && parts.iter().all(|part| {
                self.arena.all_parts(*part, |expr, node| {
                    steps += 1;
                    let kept = match node {
                        Node::AddRec(l, _) => loops.contains(l),
                        _ => !counts(node) || seen.contains(&expr),
                    };
                    kept && steps <= 2 * limit
                })
            })
    }
    /// Learns `claims` for `expr`, a sum or product of `operands` operands.
    pub(super) fn learn_claims(&mut self, expr: Expr, operands: usize, claims: &Claims) {
        let (given, here) = claims.of_part(operands == 2);
        self.learn_both(expr, given, claims.scope(), here);
    }
}
