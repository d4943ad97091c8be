//! The two functions of a pair, and what can be said about them without a run or a query: extraction from their modules,
//! matching by name, copies for the engines, cycles, and the call graph.
//!
//! The lowest room: it imports no other. Whatever looks only at code, not at a verdict or a run, belongs here.
//!
//! | file | contents |
//! |---|---|
//! | `mod` | a side of a pair |
//! | `pairs` | functions matched by Alive2's naming convention |
//! | `extracted` | a pair with everything that it refers to, and nothing else |
//! | `nameless`, `unify`, `variables`, `declared` | one module's names, layout, globals and declarations for both sides |
//! | `narrow` | copies with narrower integers |
//! | `hardened` | copies in which claims of the target have an effect |
//! | `cycles`, `call_graph`, `jumps` | loops, reachable functions, addresses of blocks |
//! | `token` | tokens of the text of LLVM IR |

pub(crate) mod call_graph;
pub(crate) mod cycles;
mod declared;
pub(crate) mod extracted;
pub(crate) mod hardened;
pub(crate) mod jumps;
mod nameless;
pub(crate) mod narrow;
pub mod pairs;
pub mod token;
mod unify;
pub(crate) mod variables;

use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_smt::refinement::FunctionRef;

/// A function and its module.
#[derive(Copy, Clone, Debug)]
pub struct Side<'a> {
    /// The module.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
}

impl Side<'_> {
    /// The function's name, without `@`.
    pub fn name(&self) -> &str {
        &self.module.env.funcs[self.func].name
    }
}

/// The function in the solver's terms.
pub(crate) fn as_ref(side: Side<'_>) -> FunctionRef<'_> {
    FunctionRef { module: side.module, func: side.func }
}

/// Both sides of a pair.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Sides<'a> {
    pub(crate) source: Side<'a>,
    pub(crate) target: Side<'a>,
}
