//! Selections in vector code. An any-of selection records whether a lane has selected. Any other selection records the
//! last value that each lane selected and its iteration, counted from 1; 0 if none.

use super::body::Body;
use super::emitted::{Pick, Start};
use crate::legality::{HeaderPhi, Selection};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, FastMath, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl<'c> Body<'_, '_, 'c> {
    /// The selection whose chain contains `inst`.
    pub(super) fn selection_of(&self, inst: Inst) -> Option<&'c Selection> {
        match self.chains.get(&inst)? {
            (_, HeaderPhi::Selection(selection)) => Some(selection),
            _ => None,
        }
    }
    /// The record for `value`, which is of the selection's chain or selected by it in this iteration.
    pub(super) fn pick(&mut self, of: &Selection, value: Value, part: usize) -> Pick {
        if let Some(parts) = value.as_inst().and_then(|i| self.picks.get(&i)) {
            return parts[part];
        }
        if of.any_of.is_some() {
            let yes = self.editor.int(Int::bool(true));
            return Pick { when: self.constant_splat(yes, Type::I1), what: None };
        }
        let what = self.vector(value, part);
        Pick { when: self.now(part), what: Some(what) }
    }
    /// The iteration numbers of a part's lanes, from 1.
    fn now(&mut self, part: usize) -> Value {
        let count = self.frame.count;
        let start = Start { phi: self.index, start: self.index.into(), step: self.index.into() };
        let one = self.editor.int(Int::one(count.int_bits().unwrap_or(1)));
        let first = self.index_of(part);
        let first = self.at_end().binary(BinaryOp::Add, first, one, BinaryFlags::default(), "");
        self.lanes_from(first, Start { step: one, ..start })
    }
    /// Selects one of two by a condition that is not poison.
    pub(super) fn choose_pick(&mut self, condition: Value, set: Pick, clear: Pick) -> Pick {
        if set == clear {
            return set;
        }
        let mut select = |a: Value, b: Value| {
            let ty = self.editor.body().ty(a);
            self.put(InstKind::Select(FastMath::NONE), ty, &[condition, a, b])
        };
        let when = select(set.when, clear.when);
        let what = set.what.zip(clear.what).map(|(a, b)| select(a, b));
        Pick { when, what }
    }
    pub(super) fn set_picks(&mut self, inst: Inst, parts: Vec<Pick>) {
        self.picks.insert(inst, parts);
    }
    /// Emits a choice of a selection.
    pub(super) fn choose_lanes(&mut self, inst: Inst) {
        let Some(of) = self.selection_of(inst) else { return };
        let [condition, if_true, if_false] = self.editor.body().inst(inst).operands[..] else { return };
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            let condition = self.vector(condition, part);
            let condition = self.at_end().freeze(condition, "");
            let (a, b) = (self.pick(of, if_true, part), self.pick(of, if_false, part));
            parts.push(self.choose_pick(condition, a, b));
        }
        self.picks.insert(inst, parts);
    }
}
