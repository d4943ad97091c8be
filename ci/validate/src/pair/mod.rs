//! The two functions of a pair, and facts about them that need neither a run nor a query: extraction from their
//! modules, matching by name, copies for the engines, cycles, and the call graph.
//!
//! The lowest room: it imports no other. Code that reads only functions and modules belongs here.
//!
//! | file | contents |
//! |---|---|
//! | `mod` | a side of a pair |
//! | `pairs` | functions matched by Alive2's naming convention |
//! | `extracted` | a pair with everything that it refers to, and nothing else |
//! | `local_globals` | globals with local linkage matched between the modules |
//! | `unify` | one data layout and the stricter descriptions of globals for both sides |
//! | `variable_uses` | uses, in the whole module, of a variable with local linkage |
//! | `intrinsic_attributes` | attributes of declarations of intrinsics, which LLVM discards |
//! | `narrow` | copies with narrower integers |
//! | `hardened` | copies in which claims of the target have an effect |
//! | `cycles`, `call_graph`, `jumps` | loops, reachable functions, addresses of blocks |
//! | `token` | tokens of the text of LLVM IR |

pub(crate) mod call_graph;
pub(crate) mod cycles;
pub(crate) mod extracted;
pub(crate) mod hardened;
mod intrinsic_attributes;
pub(crate) mod jumps;
mod local_globals;
pub(crate) mod narrow;
pub mod pairs;
pub mod token;
mod unify;
pub(crate) mod variable_uses;

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
    /// Whether the function has a loop.
    pub fn has_loop(&self) -> bool {
        cycles::has_backedge(*self)
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
