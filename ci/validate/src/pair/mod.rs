//! The two functions of a pair.

pub(crate) mod call_graph;
pub(crate) mod cycles;

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

pub(crate) fn as_ref(side: Side<'_>) -> FunctionRef<'_> {
    FunctionRef { module: side.module, func: side.func }
}
