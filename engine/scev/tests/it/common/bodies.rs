//! Bodies from text, and the analysis of their first defined function.

use backedge_analysis::Analyses;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, FuncId};
use backedge_ir::inst::Value;
use backedge_ir::module::Module;
use backedge_scev::{Expr, ScalarEvolution};
use backedge_testkit::module;

/// A module, and its first defined function.
pub(crate) struct Text {
    pub(crate) module: Module,
    pub(crate) func: FuncId,
}

impl Text {
    /// Parses a text that must be valid.
    pub(crate) fn new(text: &str) -> Self {
        let module = module(text);
        let func = module.bodies().next().map(|(f, _)| f);
        Self { func: func.expect("a definition"), module }
    }
    pub(crate) fn body(&self) -> &Body {
        self.module.body(self.func).expect("a definition")
    }
    /// Runs `test` with a fresh analysis of the function.
    pub(crate) fn with<T>(&self, test: impl FnOnce(&mut ScalarEvolution<'_>) -> T) -> T {
        let analyses = Analyses::of(self.func);
        test(&mut ScalarEvolution::new(analyses.at(&self.module.env, self.body())))
    }
}

/// The value called `name`.
pub(crate) fn value(se: &ScalarEvolution<'_>, name: &str) -> Value {
    se.body().value_named(name).unwrap_or_else(|| panic!("no value {name}"))
}
/// The expression of the value called `name`.
pub(crate) fn expr(se: &mut ScalarEvolution<'_>, name: &str) -> Expr {
    let value = value(se, name);
    se.expr(value).expect("an integer or pointer")
}
/// The block called `name`.
pub(crate) fn block(se: &ScalarEvolution<'_>, name: &str) -> Block {
    se.body().block_named(name).unwrap_or_else(|| panic!("no block {name}"))
}
