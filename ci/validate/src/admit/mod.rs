//! What the engines can't judge: pairs that can't be compared, failing runs that are no refutations, and facts that a
//! verdict takes for granted.
//!
//! A new reason not to believe an engine belongs here. The room imports `pair` and `verdict`. It sees functions and a
//! refutation as data and asks neither engine; only `source_promises` repeats a failing run, on its caller's machine.
//!
//! | file | contents |
//! |---|---|
//! | `comparable` | whether the engines can compare a pair |
//! | `unmodelled`, `absolute` | features that the engines model wrongly or not at all |
//! | `doubt` | why a failing run may not be a refutation |
//! | `call_doubts`, `module_doubts`, `variable_doubts` | doubts because of calls, the modules around the pair, and variables |
//! | `source_promises` | promises of the source that a run may break |
//! | `qualified` | verdicts made inconclusive or conditional |
//! | `callees`, `recursion`, `obstacle` | verdicts that depend on other functions |
//! | `whole_module` | verdicts contradicted by the rest of the modules |
//! | `module_level` | differences that no pair of functions shows |

pub(crate) mod absolute;
mod call_doubts;
pub(crate) mod callees;
pub(crate) mod comparable;
mod doubt;
mod module_doubts;
pub mod module_level;
mod obstacle;
pub(crate) mod qualified;
pub(crate) mod recursion;
pub(crate) mod source_promises;
mod unmodelled;
mod variable_doubts;
pub(crate) mod whole_module;
