//! Execution: one file per instruction family, the main loop, and calls.

mod access;
mod agg;
mod alike;
mod bulk;
pub(crate) mod ctx;
mod dead;
mod diverge;
mod elements;
pub(crate) mod external;
mod fixed;
mod float;
mod frames;
mod fuel;
pub(crate) mod gep;
mod intrinsic;
mod lane;
mod libm;
pub(crate) mod library;
pub(crate) mod machine;
mod masked;
mod mem;
pub(crate) mod numeric;
mod once;
mod quick;
pub(crate) mod regs;
mod run;
pub(crate) mod scalar;
mod soft;
pub(crate) mod vectors;
mod volatile;
mod word;

pub(crate) use external::RETURNED_AS_ANOTHER_TYPE;
