//! What is known not to wrap of a sum or product while its operands are being changed.
//!
//! A claim on a list of operands has two strengths (semantics.md, P1). *Strong*: of every subset of the operands. *Exact*:
//! of all of them together. Both agree for two operands. Merging operands of a sum into one that has their value keeps
//! the strong form: what the subset sums to is exact, so the merged operand adds as much as they did. Taking an operand
//! apart keeps what holds of both lists in the exact form, but seldom in the strong one: `100 + (100 + -100)` is free of
//! signed wrapping at 8 bits, and `100 + 100` is not.
//!
//! Facts that hold everywhere and facts that hold only [where something is being built](ScalarEvolution::flags_here) are
//! kept apart, so that each is learned in the scope in which it is true.

use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// What is known in one scope.
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
        // No two operands that wrap neither way as a sum are negative, and then the positive ones among all operands are
        // part of a sum that stays below 2^(width - 1).
        let strong = match is_sum {
            true if both.contains(Flags::BOTH) => both,
            true => both.and(Flags::NUW),
            // A product with a zero in it says nothing of the others.
            false => Flags::NONE,
        };
        Self { strong, exact: self.exact.and(inner) }
    }
}

/// What is known of a list of operands: in the scope that was given, and where it is being built.
#[derive(Copy, Clone, Debug)]
pub(super) struct Claims {
    given: Claim,
    scope: Scope,
    here: Claim,
}

impl Claims {
    /// Nothing.
    pub(super) const NONE: Self = {
        let none = Claim { strong: Flags::NONE, exact: Flags::NONE };
        Self { given: none, scope: Scope::Defining, here: none }
    };
    /// `flags`, in the strong form, in `scope`.
    pub(super) fn new(flags: Flags, scope: Scope) -> Self {
        let claim = Claim::new(flags.and(Flags::BOTH));
        Self { given: claim, scope, here: claim }
    }
    /// The same of operands that have the values of these in `scope`; nothing of what holds only here.
    pub(super) fn only_in(&self, scope: Scope) -> Self {
        Self { given: self.given, scope, here: Self::NONE.here }
    }
    /// One operand, the sum (or product) with the flags `inner` everywhere and `inner_here` here, is replaced with its
    /// operands.
    pub(super) fn take_apart(&mut self, inner: Flags, inner_here: Flags, is_sum: bool) {
        self.given = self.given.after(inner, is_sum);
        self.here = self.here.after(inner_here, is_sum);
    }
    /// Constants were merged, whose exact sum (or product) is not in range for `wrapped`.
    pub(super) fn merge_constants(&mut self, wrapped: Flags) {
        for claim in [&mut self.given, &mut self.here] {
            claim.strong = claim.strong.without(wrapped);
            claim.exact = claim.exact.without(wrapped);
        }
    }
    /// Operands were merged into one that has their sum modulo 2^width as its value.
    pub(super) fn merge_terms(&mut self) {
        self.given.exact = self.given.strong;
        self.here.exact = self.here.strong;
    }
    /// The operands are others.
    pub(super) fn drop_all(&mut self) {
        *self = Self::NONE;
    }
    /// What holds of all operands together if `whole`, else of any part of them: in the scope given, and here.
    pub(super) fn of_part(&self, whole: bool) -> (Flags, Flags) {
        let of = |c: Claim| if whole { c.strong.with(c.exact) } else { c.strong };
        (of(self.given), of(self.here))
    }
    /// The scope of what was given.
    pub(super) fn scope(&self) -> Scope {
        self.scope
    }
}

impl ScalarEvolution<'_> {
    /// Learns what was given and what holds here, each in its scope.
    pub(super) fn learn_both(&mut self, expr: Expr, given: Flags, scope: Scope, here: Flags) {
        if !given.is_empty() {
            self.learn(expr, given, scope);
        }
        if !here.without(given).is_empty() {
            self.learn_here(expr, here);
        }
    }
    /// Learns a fact that was derived from [`Self::flags_here`] of expressions whose leaves are all in `expr`.
    pub(super) fn learn_here(&mut self, expr: Expr, flags: Flags) {
        if !flags.is_empty() {
            let scope = self.context.map_or(Scope::Defining, Scope::From);
            self.learn(expr, flags, scope);
        }
    }
    /// Whether everything by which one of `parts` may be poison, undefined or not yet there is in `whole` too: then a
    /// claim that is excused where `whole` has no value is one where they have none. Of what is too large to look
    /// through, no.
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
        // Recurrences count by their loop, everything else by itself.
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
    /// Learns `claims` of `expr`, a sum or product of `operands` operands.
    pub(super) fn learn_claims(&mut self, expr: Expr, operands: usize, claims: &Claims) {
        let (given, here) = claims.of_part(operands == 2);
        self.learn_both(expr, given, claims.scope(), here);
    }
}
