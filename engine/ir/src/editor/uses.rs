//! Use lists: each value lists its uses, and each operand knows its position in that list, so that adding and removing
//! a use takes constant time.

use crate::body::Body;
use crate::editor::Editor;
use crate::entity::Inst;
use crate::inst::{Use, Value};
use smallvec::SmallVec;

impl Editor<'_> {
    fn uses_mut(&mut self, value: Value) -> Option<&mut crate::body::UseList> {
        match value {
            Value::Inst(inst) => Some(&mut self.body.insts[inst].uses),
            Value::Arg(arg) => Some(&mut self.body.args[arg].uses),
            Value::Const(_) => None,
        }
    }
    pub(super) fn attach(&mut self, inst: Inst) {
        let count = self.body.insts[inst].data.operands.len();
        self.body.insts[inst].use_slots = SmallVec::from_elem(0, count);
        for index in 0..count {
            self.add_use(Use { user: inst, index: index as u32 });
        }
    }
    pub(super) fn add_use(&mut self, use_: Use) {
        self.touch_block_of(use_.user);
        let value = self.body.insts[use_.user].data.operands[use_.index as usize];
        if let Some(uses) = self.uses_mut(value) {
            let slot = uses.len() as u32;
            uses.push(use_);
            self.body.insts[use_.user].use_slots[use_.index as usize] = slot;
        }
    }
    pub(super) fn drop_use(&mut self, use_: Use) {
        let node = &self.body.insts[use_.user];
        let value = node.data.operands[use_.index as usize];
        let slot = node.use_slots[use_.index as usize] as usize;
        if let Some(uses) = self.uses_mut(value) {
            debug_assert_eq!(uses[slot], use_);
            uses.swap_remove(slot);
            if let Some(&moved) = uses.get(slot) {
                self.body.insts[moved.user].use_slots[moved.index as usize] = slot as u32;
            }
        }
    }
    /// Sets one operand.
    pub fn set_operand(&mut self, use_: Use, value: Value) {
        self.drop_use(use_);
        self.body.insts[use_.user].data.operands[use_.index as usize] = value;
        self.add_use(use_);
        self.bump();
    }
    /// Replaces every use of `old` with `new`. Linear in the number of uses.
    pub fn replace_uses(&mut self, old: Value, new: Value) {
        assert!(old != new && !matches!(old, Value::Const(_)));
        let Some(list) = self.uses_mut(old) else { return };
        for use_ in std::mem::take(list) {
            self.body.insts[use_.user].data.operands[use_.index as usize] = new;
            self.add_use(use_);
        }
        self.bump();
    }
    /// Replaces the uses of `old` that satisfy `wanted` with `new`.
    pub fn replace_uses_if(&mut self, old: Value, new: Value, mut wanted: impl FnMut(&Body, Use) -> bool) {
        let uses: Vec<Use> = self.body.uses(old).iter().copied().filter(|u| wanted(self.body, *u)).collect();
        for use_ in uses {
            self.set_operand(use_, new);
        }
    }
}
