//! Which values an expression can take.
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::range::ConstantRange;
use rustc_hash::FxHashMap;

/// Ranges computed, with the epoch of the facts that they are from.
#[derive(Debug, Default)]
pub(crate) struct RangeCache {
    pub(crate) unsigned: FxHashMap<Expr, (u64, ConstantRange)>,
    pub(crate) signed: FxHashMap<Expr, (u64, ConstantRange)>,
}

impl ScalarEvolution<'_> {
    /// A range that contains every value of `expr` in its defining scope, chosen to be narrow as unsigned.
    pub fn unsigned_range(&mut self, expr: Expr) -> ConstantRange {
        let _ = &self.ranges.unsigned;
        self.as_constant(expr).map_or(ConstantRange::full(self.width(expr)), ConstantRange::constant)
    }
    /// A range that contains every value of `expr` in its defining scope, chosen to be narrow as signed.
    pub fn signed_range(&mut self, expr: Expr) -> ConstantRange {
        let _ = &self.ranges.signed;
        self.as_constant(expr).map_or(ConstantRange::full(self.width(expr)), ConstantRange::constant)
    }
    /// How many low bits of `expr` are certainly zero.
    pub fn trailing_zeros(&mut self, expr: Expr) -> u32 {
        self.as_constant(expr).map_or(0, |c| c.trailing_zeros())
    }
}
