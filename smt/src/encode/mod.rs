//! The semantics of the IR as terms: the behavior of each function as one acyclic formula, up to a bound on iterations.
//!
//! [`world`] contains the state that source and target share, [`function`] walks a function, and the other files define
//! the semantics of its parts. The rules agree with the interpreter's. Where LangRef leaves a question open, the file
//! that decides it documents the decision.

mod access;
pub(crate) mod answers;
mod arith;
mod assume;
mod attributes;
mod bulk;
pub(crate) mod byte;
mod call;
pub(crate) mod constant;
mod cube;
pub(crate) mod cycles;
mod effects;
mod endless;
mod evaluation;
pub(crate) mod filling;
mod float;
pub(crate) mod function;
mod gep;
mod instruction;
pub(crate) mod intrinsic;
pub(crate) mod jump;
mod lasting;
pub(crate) mod library;
mod matching;
pub(crate) mod memory;
pub(crate) mod observe;
pub(crate) mod observed;
mod own_writes;
pub(crate) mod pointer;
pub(crate) mod progress;
pub(crate) mod segment;
mod stated;
mod strings;
mod undef;
pub(crate) mod unroll;
mod unwind;
pub(crate) mod value;
mod vectors;
mod volatile;
pub(crate) mod world;

pub use call::THROUGH_POINTER;
pub use unwind::RESUMED;

pub(crate) use byte::Byte;
pub(crate) use pointer::{block_of, offset_of};
