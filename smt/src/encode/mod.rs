//! The semantics of the IR in terms: what a function may do, as one acyclic formula per function up to a bound on
//! iterations.
//!
//! [`world`] holds what source and target share, [`function`] walks a function, the other files hold the meaning of
//! its parts. The rules are those that the interpreter runs by; where LangRef leaves something open, the file that
//! decides says how.

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
mod own_writes;
pub(crate) mod progress;
pub(crate) mod segment;
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

pub(crate) use byte::{Byte, block_of, offset_of};
