//! Runs of both sides: inputs, violations, replay of the solver's models and of cases, minimizing, descriptions, and
//! reproducers; and facts about a pair that its runs show.
//!
//! The room runs functions in the interpreter and never asks the solver. It imports `pair`, `verdict` and `admit`. How
//! a run becomes a verdict is decided in `stages`.
//!
//! | file | contents |
//! |---|---|
//! | `config` | the interpreter's configuration |
//! | `inputs` | the inputs of a pair |
//! | `drive` | pairs of runs with given answers and choices |
//! | `runners` | runs of both sides on many inputs |
//! | `endless` | proofs that a run never ends |
//! | `translate`, `counterexample` | the solver's models as runs |
//! | `case` | rerun of cases |
//! | `minimize`, `narrate`, `refutation` | refutations of the smallest failing input, in words |
//! | `reproducer` | a refutation as a file |
//! | `target_promises`, `coverage`, `trips` | promises kept on runs, parts reached by runs, iterations of runs |

pub(crate) mod case;
pub(crate) mod config;
pub(crate) mod counterexample;
pub(crate) mod coverage;
pub(crate) mod drive;
pub(crate) mod endless;
pub(crate) mod inputs;
mod minimize;
pub mod narrate;
pub(crate) mod refutation;
pub mod reproducer;
pub(crate) mod runners;
pub mod target_promises;
pub(crate) mod translate;
pub(crate) mod trips;
