//! Masks: the lanes that enter a block that does not execute in every iteration, and the instructions that depend on a
//! mask.
//!
//! The mask of a block is the union of the masks of its incoming edges. The mask of an edge combines the mask of its
//! source block and the branch condition. The condition may be poison in lanes that do not reach the branch, so the
//! combination ignores it there (`select mask, condition, false`). In lanes that reach the branch, poison is UB in the
//! source.
//!
//! If the tail is folded, the mask of the header contains the lanes with an iteration.
//!
//! A consecutive access in a block with a mask becomes a masked access. Its address is recomputed from the start of the
//! access, because the first lane may be inactive. Other accesses become gathers and scatters. Divisions divide by one
//! in inactive lanes.

use super::body::Body;
use super::emitted::{Pick, Rep, Start, value_at};
use crate::legality::{Access, Pattern, Selection};
use crate::widen::Masked;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::FastMath;
use backedge_ir::types::Type;

impl Body<'_, '_, '_> {
    fn bits(&mut self, bit: bool) -> Value {
        let bit = self.editor.int(Int::bool(bit));
        self.constant_splat(bit, Type::I1)
    }
    /// Computes the mask of `block` at its start.
    pub(super) fn begin_block(&mut self, block: Block) {
        if !self.choice.legality.masks.has_mask(block) || self.masks.contains_key(&block) {
            return;
        }
        if block == self.choice.legality.form.header {
            return self.begin_folded(block);
        }
        let preds: Vec<Block> = self.choice.preds.get(&block).cloned().unwrap_or_default();
        let vector = self.tools.vector(Type::I1);
        let mut masks = Vec::new();
        for part in 0..self.parts() {
            let mut any: Option<Value> = None;
            for pred in &preds {
                let edge = match self.edge_mask(*pred, block, part) {
                    Some(edge) => edge,
                    None => self.bits(true),
                };
                any = Some(match any {
                    None => edge,
                    Some(any) => {
                        let kind = InstKind::Binary(BinaryOp::Or, BinaryFlags::default());
                        self.put(kind, vector, &[any, edge])
                    }
                });
            }
            let none = self.bits(false);
            masks.push(any.unwrap_or(none));
        }
        self.masks.insert(block, masks);
    }
    /// The header mask of a loop with a folded tail: the lanes with an iteration.
    fn begin_folded(&mut self, header: Block) {
        let count = self.frame.count;
        let most = self.splat_in_front(self.frame.n, count);
        let one = self.editor.int(Int::one(self.choice.count_bits));
        let vector = self.tools.vector(Type::I1);
        let mut masks = Vec::new();
        for part in 0..self.parts() {
            let first = self.index_of(part);
            let index = Start { phi: self.index, start: first, step: one };
            let iterations = self.lanes_from(first, index);
            let kind = InstKind::ICmp { pred: IntPredicate::Ult, samesign: false };
            masks.push(self.put(kind, vector, &[iterations, most]));
        }
        self.masks.insert(header, masks);
    }
    /// The lanes of a part with an iteration, unless all have one.
    pub(super) fn counting(&self, part: usize) -> Option<Value> {
        self.mask(self.choice.legality.form.header, part)
    }
    /// The lanes that enter `block`; `None` if all do.
    pub(super) fn mask(&self, block: Block, part: usize) -> Option<Value> {
        self.masks.get(&block).map(|parts| parts[part])
    }
    /// The mask of the block that contains `inst`.
    pub(super) fn mask_of(&self, inst: Inst, part: usize) -> Option<Value> {
        self.mask(self.editor.body().block_of(inst)?, part)
    }
    /// The mask of an access; `None` if it executes in all lanes.
    pub(super) fn mask_of_access(&self, access: &Access, part: usize) -> Option<Value> {
        if access.masked { self.mask_of(access.inst, part) } else { None }
    }
    /// The lanes that take the edge from `from` to `to`; `None` if all do.
    fn edge_mask(&mut self, from: Block, to: Block, part: usize) -> Option<Value> {
        let own = self.mask(from, part);
        let branch = self.editor.body().terminator(from).map(|t| self.editor.body().inst(t).clone())?;
        let is_exit = self.choice.legality.exits.all.iter().any(|e| e.from == from);
        let (InstKind::CondBr, [if_true, if_false]) = (&branch.kind, branch.successors()) else { return own };
        // Lanes that leave are not computed in this vector iteration.
        if is_exit || if_true == if_false {
            return own;
        }
        let vector = self.tools.vector(Type::I1);
        let mut condition = self.vector(branch.operands[0], part);
        if *if_true != to {
            let all = self.bits(true);
            let kind = InstKind::Binary(BinaryOp::Xor, BinaryFlags::default());
            condition = self.put(kind, vector, &[condition, all]);
        }
        let Some(own) = own else { return Some(condition) };
        let none = self.bits(false);
        Some(self.put(InstKind::Select(FastMath::NONE), vector, &[own, condition, none]))
    }
    /// A phi inside the loop: selects by the masks of its incoming edges.
    pub(super) fn blend(&mut self, inst: Inst) {
        let data = self.editor.body().inst(inst).clone();
        let Some(block) = self.editor.body().block_of(inst) else { return };
        let incoming: Vec<(Value, Block)> = data.incoming().collect();
        let selection = self.selection_of(inst);
        let ty = self.tools.vector(data.ty);
        let (mut values, mut picks) = (Vec::new(), Vec::new());
        for part in 0..self.parts() {
            if let Some(selection) = selection {
                picks.extend(self.blend_picks(selection, &incoming, block, part));
                continue;
            }
            let mut chosen: Option<Value> = None;
            for (value, from) in &incoming {
                let value = self.vector(*value, part);
                chosen = Some(match chosen.filter(|before| *before != value) {
                    None => value,
                    Some(before) => match self.edge_mask(*from, block, part) {
                        Some(edge) => self.put(InstKind::Select(FastMath::NONE), ty, &[edge, value, before]),
                        None => value,
                    },
                });
            }
            values.push(chosen.unwrap_or_else(|| self.editor.poison(ty)));
        }
        match selection {
            Some(_) => self.set_picks(inst, picks),
            None => self.set(inst, Rep::Lanes(values)),
        }
    }
    fn blend_picks(
        &mut self,
        of: &Selection,
        incoming: &[(Value, Block)],
        block: Block,
        part: usize,
    ) -> Option<Pick> {
        let mut chosen: Option<Pick> = None;
        for (value, from) in incoming {
            let pick = self.pick(of, *value, part);
            chosen = Some(match (chosen, self.edge_mask(*from, block, part)) {
                (Some(before), Some(edge)) => self.choose_pick(edge, pick, before),
                _ => pick,
            });
        }
        chosen
    }
    /// A division that divides by one in inactive lanes.
    pub(super) fn divide(&mut self, inst: Inst) {
        let data = self.editor.body().inst(inst).clone();
        let [left, right] = data.operands[..] else { return };
        let ty = self.tools.vector(data.ty);
        let one = self.editor.int(Int::one(data.ty.int_bits().unwrap_or(1)));
        let one = self.constant_splat(one, data.ty);
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            let (left, mut right) = (self.vector(left, part), self.vector(right, part));
            if let Some(mask) = self.mask_of(inst, part) {
                right = self.put(InstKind::Select(FastMath::NONE), ty, &[mask, right, one]);
            }
            parts.push(self.put(data.kind.clone(), ty, &[left, right]));
        }
        self.set(inst, Rep::Lanes(parts));
    }

    /// The lowest address of a part's lanes, for an access that begins at `start`.
    pub(super) fn address(&mut self, access: &Access, start: Value, part: usize) -> Value {
        if access.pattern == Pattern::Uniform {
            return start;
        }
        let bits = self.index_bits(access);
        let step = self.editor.int(Int::from_i128(bits, access.affine.map_or(0, |(_, step)| step).into()));
        let mut index = self.index_of(part);
        if access.pattern == Pattern::Reverse {
            // The last lane has the lowest address.
            let ahead = self.editor.int(Int::new(self.choice.count_bits, u128::from(self.lanes() - 1)));
            let flags = BinaryFlags::default();
            index = self.at_end().binary(BinaryOp::Add, index, ahead, flags, "");
        }
        let here = self.here();
        value_at(self.editor, here, Start { phi: access.inst, start, step }, index)
    }
    fn align(&mut self, access: &Access) -> Value {
        self.editor.int(Int::new(32, access.align.into()))
    }
    /// The start address of a masked access of consecutive lanes; `None` for a gather or scatter.
    fn start_of(&self, access: &Access) -> Option<Value> {
        let is_whole = matches!(self.choice.addresses.masked.get(&access.inst), Some(Masked::Whole(_)));
        self.starts.get(&access.inst).copied().filter(|_| is_whole)
    }
    /// Whether the order of addresses is the reverse of the order of lanes.
    fn is_reversed(&self, access: &Access) -> bool {
        access.pattern == Pattern::Reverse && self.start_of(access).is_some()
    }
    /// The address or addresses of a part's lanes, and the mask in the order of addresses.
    fn masked_at(&mut self, access: &Access, part: usize, mask: Value) -> (Value, Value) {
        let Some(start) = self.start_of(access) else {
            return (self.vector(access.pointer, part), mask);
        };
        let at = self.address(access, start, part);
        let bits = self.tools.vector(Type::I1);
        (at, if self.is_reversed(access) { self.reversed(mask, bits) } else { mask })
    }
    /// A masked load.
    pub(super) fn masked_load(&mut self, access: &Access, part: usize, mask: Value) -> Option<Value> {
        let declared = self.tools.masks.get(&access.inst).copied()?;
        let vector = self.tools.vector(access.ty);
        let (align, rest) = (self.align(access), self.editor.poison(vector));
        let (at, mask) = self.masked_at(access, part, mask);
        let call = declared.call(self.editor, &[at, align, mask, rest], FastMath::NONE);
        let here = self.here();
        let loaded: Value = self.editor.insert_new(here, call).into();
        Some(if self.is_reversed(access) { self.reversed(loaded, vector) } else { loaded })
    }
    /// A masked store.
    pub(super) fn masked_store(&mut self, access: &Access, part: usize, value: Value, mask: Value) {
        let Some(declared) = self.tools.masks.get(&access.inst).copied() else { return };
        let vector = self.tools.vector(access.ty);
        let (align, value) = (self.align(access), self.vector(value, part));
        let value = if self.is_reversed(access) { self.reversed(value, vector) } else { value };
        let (at, mask) = self.masked_at(access, part, mask);
        let call = declared.call(self.editor, &[value, at, align, mask], FastMath::NONE);
        let here = self.here();
        self.editor.insert_new(here, call);
    }
}
