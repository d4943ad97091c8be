//! Emits the debug records of a nest: looks up the new values of their operands.

use super::control::Lowering;
use super::records::{RecordPlace, RecordSide, Source, counted, is_begun, is_done_before};
use super::ssa::Var;
use crate::node::Node;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{Use, Value};
use backedge_ir::types::Type;

impl Lowering<'_, '_, '_> {
    /// Emits the records of that place.
    pub(super) fn emit_records(&mut self, node: Node, side: RecordSide) {
        for (mut data, all) in self.records.0.remove(&(node, side)).unwrap_or_default() {
            let mut later = Vec::new();
            for (index, (operand, of)) in (0..).zip(data.operands.iter_mut().zip(&all)) {
                if of.is_gone {
                    let known = self.known(of, (node, side));
                    let begun = self.begun(of, (node, side)).filter(|_| known.is_none());
                    later.extend(begun.map(|begun| (index, begun)));
                    *operand = known.unwrap_or_else(|| self.editor.poison(of.ty));
                }
            }
            let user = self.editor.insert(Position::End(self.at), data);
            self.later.extend(later.into_iter().map(|(index, begun)| (Use { user, index }, begun)));
        }
    }
    fn known(&self, of: &Source, at: RecordPlace) -> Option<Value> {
        let hir = self.hir;
        let computed = of.computed.filter(|node| is_done_before(hir, *node, at));
        let mut used = of.used.iter().filter(|(node, _)| is_done_before(hir, *node, at));
        computed
            .and_then(|node| self.made.get(&node).copied())
            .or_else(|| used.find_map(|of| self.used.get(of).copied()))
            .or_else(|| of.phi.and_then(|phi| self.number(phi, at, of.ty)))
    }
    /// The header and the variable whose value at the header the operand has at that place, if known. Whether the
    /// header has a phi for the variable is known only after the loop is lowered.
    fn begun(&self, of: &Source, at: RecordPlace) -> Option<(Block, Var)> {
        let definitions = self.hir.definitions(self.plan.region);
        let (l, temp) = of.begun.filter(|of| is_begun(self.hir, &definitions, *of, at))?;
        Some((*self.headers.get(&l)?, Var::Temp(temp)))
    }
    /// Completes records of values that variables had at the beginning of iterations, where a header phi exists.
    pub(super) fn complete_records(&mut self) {
        for (told, (header, var)) in std::mem::take(&mut self.later) {
            if let Some(phi) = self.ssa.begun(header, var) {
                self.editor.set_operand(told, phi.into());
            }
        }
    }
    /// The iteration number that the phi was, if it is known at a record there.
    fn number(&self, phi: Inst, at: RecordPlace, ty: Type) -> Option<Value> {
        let l = counted(self.hir, phi, at)?;
        let number = self.ssa.value(*self.headers.get(&l)?, Var::Iv(l))?;
        (self.editor.body().ty(number) == ty).then_some(number)
    }
}
