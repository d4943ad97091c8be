//! Decides queries by sound rewriting of terms and by the solver. Tests compare each rule with the evaluator of terms.

pub(super) mod ask;
pub(super) mod gathered;
pub(super) mod places;
pub(super) mod plain;
pub(super) mod polynomial;
pub(super) mod solve;
pub(super) mod unify;
