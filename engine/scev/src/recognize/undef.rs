//! Values that depend on an `undef` constant, and operations with several such operands.
//!
//! A result that depends on `undef` may be another value at each use. An expression represents it as one leaf, which is
//! correct while the described value uses it once: claims do not cover leaves with undefined bits. For an operation on
//! several such values, the expression of its operands would imply a relation between them (`x - x` would cancel), but
//! the operation may see any combination of values. So such an operation is a leaf itself, and no relation between its
//! operands is known.
//!
//! Arguments and loaded values count as one value each, as in LLVM: this analysis does not know whether they are undef,
//! and proofs and claims state that assumption.

use super::operation::binary_of;
use crate::ScalarEvolution;
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::FxHashSet;

fn is_undef(body: &Body, value: Value) -> bool {
    value.as_const().is_some_and(|c| matches!(body.constant(c).data, ConstData::Undef))
}

impl ScalarEvolution<'_> {
    /// Whether several operands of `inst` depend on an `undef` constant, so that it may see unrelated values of them.
    pub fn mixes_undef(&mut self, inst: Inst) -> bool {
        if self.values.from_undef.is_none() {
            self.values.from_undef = Some(self.all_from_undef());
        }
        let Some(from_undef) = self.values.from_undef.as_ref().filter(|set| !set.is_empty()) else {
            return false;
        };
        let body = self.at.body;
        let data = body.inst(inst);
        let is_from =
            |v: &&Value| is_undef(body, **v) || v.as_inst().is_some_and(|i| from_undef.contains(&i));
        // Only one edge of a phi is taken at a time.
        !data.kind.is_phi() && data.operands.iter().filter(is_from).count() > 1
    }
    /// Whether [`Self::mixes_undef`] holds for `inst` or one of its operands; some operations are recognized together
    /// with the operations of their operands.
    pub(super) fn looks_through_undef(&mut self, inst: Inst) -> bool {
        let operands = self.at.body.inst(inst).operands.clone();
        let shifted = operands.first().and_then(|v| binary_of(self.at.body, *v)).map(|(.., of)| of[0]);
        self.mixes_undef(inst)
            || operands.iter().chain(&shifted).any(|v| v.as_inst().is_some_and(|i| self.mixes_undef(i)))
    }
    /// The instructions whose results depend on an `undef` constant.
    fn all_from_undef(&self) -> FxHashSet<Inst> {
        let body = self.at.body;
        let mut found = FxHashSet::default();
        if !body.consts().iter().any(|(_, c)| matches!(c.data, ConstData::Undef)) {
            return found;
        }
        let uses_undef = |inst: &Inst| body.inst(*inst).operands.iter().any(|v| is_undef(body, *v));
        let mut work: Vec<Inst> = body.all_insts().filter(uses_undef).collect();
        while let Some(inst) = work.pop() {
            if self.passes_undef_on(inst) && found.insert(inst) {
                work.extend(body.uses(inst.into()).iter().map(|u| u.user));
            }
        }
        found
    }
    /// Whether the result of `inst` may differ between uses if an operand does.
    fn passes_undef_on(&self, inst: Inst) -> bool {
        let data = self.at.body.inst(inst);
        match &data.kind {
            InstKind::Phi(_) => true,
            InstKind::Freeze => false,
            InstKind::Call(_) => data.call().is_some_and(|call| {
                called_intrinsic(self.at.env, self.at.body, call).is_some()
                    || self.returned_argument(call).is_some()
            }),
            kind => kind.is_pure(),
        }
    }
}
