//! Facts that a loop analysis asserts about a function, as data that other engines can check: SCEV expressions, no-wrap
//! flags with the scopes in which they hold, ranges, exit counts, exit values, recurrences.
//!
//! A claim does not record how it was found. Claims come from our own analysis or are read from the output of LLVM's
//! `print<scalar-evolution>`. The interpreter checks a claim on individual runs, the solver on all runs.
//!
//! - [`expr::Exprs`] is an arena of hash-consed expressions. Flags are part of an expression here, because a claim is
//!   kept exactly as it was stated.
//! - [`claim::Claims`] holds the claims on one function; each kind of claim documents its meaning.
//! - [`text`] reads and prints LLVM's text of claims, with extensions; [`json`] writes records.
//! - [`derive`] lists the flags inside the expressions as claims of their own.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod claim;
pub mod derive;
pub mod expr;
pub mod json;
pub mod loops;
pub mod text;
