//! The commands, one file each.

pub(crate) mod bisect;
pub(crate) mod completions;
pub(crate) mod fuzz;
pub(crate) mod gate;
pub(crate) mod judging;
pub(crate) mod man;
pub(crate) mod opt;
pub(crate) mod print;
pub(crate) mod recheck;
pub(crate) mod reduce;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod scev;
pub(crate) mod tv;

mod collect;
mod external;
mod files;
mod limits;
mod misfit;
mod module;
mod optimize;
mod probe;
mod rounds;
mod symptom;
mod system;
mod tell;
mod watch;
