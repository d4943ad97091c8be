//! The claims P1 and P2 of docs/semantics.md inside expressions: each flag of a sum, product or recurrence is a claim
//! of its own, with the scope that LLVM gives it.

use crate::claim::{ClaimKind, Claims, Predicate, Scope};
use crate::expr::{ExprId, Flag};
use backedge_ir::entity::{EntityId, EntitySet};
use rustc_hash::FxHashMap;

/// A flag on an expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct DerivedFlag {
    /// The sum, product or recurrence.
    pub expr: ExprId,
    /// The flag.
    pub flag: Flag,
    /// [`Scope::Defining`].
    pub scope: Scope,
    /// The first value claim that states `expr`, or else the first claim whose expression contains `expr`.
    pub claim: usize,
}

/// A checkable subject: a claim, or a flag inside the expression of a claim.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The claim with this index.
    Claim(usize),
    /// A flag on an expression of a claim.
    Flag(DerivedFlag),
}

impl Subject {
    /// The index of the claim.
    pub fn claim(self) -> usize {
        match self {
            Self::Claim(claim) => claim,
            Self::Flag(flag) => flag.claim,
        }
    }
}

/// All checkable subjects of a function: each claim, and each flag inside the claims' expressions.
pub fn subjects(claims: &Claims) -> Vec<Subject> {
    let all = (0..claims.claims.len()).map(Subject::Claim);
    all.chain(derive_flag_claims(claims).into_iter().map(Subject::Flag)).collect()
}

/// The expressions that a claim states; those of its predicates too if `assumed`.
pub fn roots(kind: &ClaimKind, assumed: bool) -> Vec<ExprId> {
    let mut of_predicates = Vec::new();
    let mut look_at = |predicates: &Option<Vec<Predicate>>| {
        for predicate in predicates.iter().flatten() {
            match predicate {
                Predicate::Compare { lhs, rhs, .. } => of_predicates.extend([*lhs, *rhs]),
                Predicate::Wrap { addrec, .. } => of_predicates.push(*addrec),
            }
        }
    };
    let mut own = match kind {
        ClaimKind::Value { expr, .. }
        | ClaimKind::ValueAtScope { expr, .. }
        | ClaimKind::Flag { expr, .. }
        | ClaimKind::Range { expr, .. }
        | ClaimKind::Disposition { expr, .. }
        | ClaimKind::ExitValue { expr, .. } => vec![*expr],
        ClaimKind::ExitCount { count, predicates, .. } | ClaimKind::TakenCount { count, predicates, .. } => {
            look_at(predicates);
            vec![*count]
        }
        ClaimKind::TripMultiple { .. } => Vec::new(),
        ClaimKind::Recurrence { start, step, .. } => vec![*start, *step],
    };
    if assumed {
        own.extend(of_predicates);
    }
    own
}

/// The flags on the expressions of the claims, each once, in order of the first claim with that expression. Skips
/// expressions that hold only under predicates, because their flags are claimed only for runs that satisfy the
/// predicates.
pub fn derive_flag_claims(claims: &Claims) -> Vec<DerivedFlag> {
    let mut seen: EntitySet<ExprId> = EntitySet::new();
    let mut found = Vec::new();
    let mut of_value: FxHashMap<ExprId, usize> = FxHashMap::default();
    for (index, claim) in claims.claims.iter().enumerate() {
        if let ClaimKind::Value { expr, .. } = claim.kind {
            of_value.entry(expr).or_insert(index);
        }
    }
    for (index, claim) in claims.claims.iter().enumerate() {
        if is_predicated(&claim.kind) {
            continue;
        }
        let mut stack = roots(&claim.kind, false);
        let mut of_claim = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                of_claim.push(id);
                stack.extend(claims.exprs.node(id).operands());
            }
        }
        of_claim.sort_unstable_by_key(|id| id.index());
        for expr in of_claim {
            let flags = claims.exprs.node(expr).flags();
            let claim = of_value.get(&expr).copied().unwrap_or(index);
            found.extend(flags.iter().map(|flag| DerivedFlag { expr, flag, scope: Scope::Defining, claim }));
        }
    }
    found
}

/// Whether the claim holds only under predicates.
fn is_predicated(kind: &ClaimKind) -> bool {
    match kind {
        ClaimKind::ExitCount { predicates, .. } | ClaimKind::TakenCount { predicates, .. } => {
            predicates.is_some()
        }
        ClaimKind::Value { .. }
        | ClaimKind::ValueAtScope { .. }
        | ClaimKind::Flag { .. }
        | ClaimKind::Range { .. }
        | ClaimKind::TripMultiple { .. }
        | ClaimKind::Disposition { .. }
        | ClaimKind::ExitValue { .. }
        | ClaimKind::Recurrence { .. } => false,
    }
}
