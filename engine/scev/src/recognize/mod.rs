//! Which expression a value is.
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_ir::inst::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The expressions of each value, best first.
#[derive(Debug, Default)]
pub(crate) struct ValueMap {
    pub(crate) of: FxHashMap<Value, SmallVec<[Expr; 1]>>,
}

impl ScalarEvolution<'_> {
    /// The best expression known for `value`; `None` if its type has none.
    pub fn expr(&mut self, value: Value) -> Option<Expr> {
        self.expr_type(self.at.body.ty(value))?;
        if let Some(known) = self.values.of.get(&value) {
            return known.first().copied();
        }
        let expr = self.unknown(value);
        self.values.of.entry(value).or_default().insert(0, expr);
        Some(expr)
    }
    /// All expressions known for `value`, best first. Each equals the value wherever it is defined.
    pub fn exprs(&self, value: Value) -> &[Expr] {
        self.values.of.get(&value).map_or(&[], |exprs| exprs)
    }
}
