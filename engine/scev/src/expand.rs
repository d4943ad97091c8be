//! Instructions for an expression.
