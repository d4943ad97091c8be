//! What an analysis of loops asserts about a function, as data that others can check: SCEV expressions, no-wrap flags
//! with the scopes in which they hold, ranges, exit counts, exit values, recurrences.
//!
//! A claim does not say how it was found. It comes from an analysis of our own, or is read from the text that LLVM's
//! `print<scalar-evolution>` prints; the interpreter checks it on runs, the solver for all of them.
//!
//! - [`expr::Exprs`] is an arena of hash-consed expressions. Here the flags are part of an expression: a claim says
//!   what it says.
//! - [`claim::Claims`] are the claims on one function, each with what it means in its documentation.
//! - [`text`] is LLVM's text of claims and more, both ways; [`json`] writes records.
//! - [`derive`] lists the flags inside the expressions as claims of their own.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod claim;
pub mod derive;
pub mod expr;
pub mod json;
pub mod loops;
pub mod text;
