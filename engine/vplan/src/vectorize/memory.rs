//! Loads and stores in vector code.
//!
//! A consecutive access becomes one wide access at the first lane's address, with the alignment of the scalar access. A
//! reverse access begins at the last lane's address, and its lanes are reversed. A uniform load executes once; a
//! uniform store stores the value of the last lane. The address of a load before a data-dependent exit is recomputed.
//! All other accesses execute lane by lane, in order. Metadata of the source's access is dropped. Stores of reduction
//! results execute after the loop. For interleave groups see `group`, for blocks with masks see `mask`.

use super::body::Body;
use super::emitted::Rep;
use crate::legality::{Access, Pattern};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{GepFlags, InstKind, MemAccess, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

impl Body<'_, '_, '_> {
    fn access(&self, inst: Inst) -> Option<Access> {
        self.choice.legality.access(inst).cloned()
    }
    /// The lowest address of a part's lanes.
    fn lowest(&mut self, access: &Access, part: usize) -> Value {
        if self.choice.legality.is_tested(access.inst)
            && let Some(start) = self.starts.get(&access.inst).copied()
        {
            return self.address(access, start, part);
        }
        let first = self.first(access.pointer, part);
        if access.pattern != Pattern::Reverse {
            return first;
        }
        let bits = self.index_bits(access);
        let back = -(i128::from(access.bytes) * i128::from(self.lanes() - 1));
        let back = self.editor.int(Int::from_i128(bits, back));
        let ty = self.editor.body().ty(access.pointer);
        let kind = InstKind::Gep { source: Type::I8, flags: GepFlags::default() };
        self.put(kind, ty, &[first, back])
    }
    pub(super) fn index_bits(&self, access: &Access) -> u32 {
        self.choice.index_bits.get(&access.inst).copied().unwrap_or(64)
    }
    pub(super) fn reversed(&mut self, vector: Value, ty: Type) -> Value {
        let mask: Box<[Option<u32>]> = (0..self.lanes()).rev().map(Some).collect();
        let poison = self.editor.poison(ty);
        self.put(InstKind::ShuffleVector(mask), ty, &[vector, poison])
    }

    /// Emits a load or store.
    pub(super) fn memory(&mut self, inst: Inst) {
        match self.access(inst) {
            Some(access) if access.is_store => self.store(&access),
            Some(access) => self.load(&access),
            None => {}
        }
    }
    /// Emits an interleave group.
    pub(super) fn interleave(&mut self, inst: Inst) {
        match self.choice.legality.group(inst) {
            Some(group) if group.is_store => self.store_group(group),
            Some(group) => self.load_group(group),
            None => {}
        }
    }
    /// Records the address of a store that executes after the loop.
    pub(super) fn defer(&mut self, store: Inst) {
        let (Some(access), deferred) = (self.access(store), self.choice.legality.deferred()) else { return };
        if let Some((_, phi)) = deferred.into_iter().find(|(deferred, _)| *deferred == store) {
            let at = self.first(access.pointer, self.parts() - 1);
            self.deferred.push((store, at, phi));
        }
    }
    fn load(&mut self, access: &Access) {
        let how =
            || InstKind::Load(Box::new(MemAccess { align: Some(access.align), ..MemAccess::default() }));
        let vector = self.tools.vector(access.ty);
        let mut parts = Vec::new();
        for part in 0..self.parts() {
            if let Some(mask) = self.mask_of_access(access, part) {
                let loaded = self.masked_load(access, part, mask);
                parts.push(loaded.unwrap_or_else(|| self.editor.poison(vector)));
                continue;
            }
            let made = match access.pattern {
                Pattern::Uniform => {
                    let at = self.lowest(access, part);
                    self.put(how(), access.ty, &[at])
                }
                Pattern::Consecutive | Pattern::Reverse => {
                    let at = self.lowest(access, part);
                    let loaded = self.put(how(), vector, &[at]);
                    if access.pattern == Pattern::Reverse { self.reversed(loaded, vector) } else { loaded }
                }
                Pattern::Strided(_) | Pattern::Scattered => {
                    let mut all = self.editor.poison(vector);
                    for lane in 0..self.lanes() {
                        let at = self.lane(access.pointer, part, lane);
                        let one = self.put(how(), access.ty, &[at]);
                        let number = self.editor.int(Int::new(64, lane.into()));
                        all = self.put(InstKind::InsertElement, vector, &[all, one, number]);
                    }
                    all
                }
            };
            parts.push(made);
        }
        let rep = if access.pattern == Pattern::Uniform && !access.masked {
            Rep::Same(parts)
        } else {
            Rep::Lanes(parts)
        };
        self.set(access.inst, rep);
    }
    fn store(&mut self, access: &Access) {
        let Some(&value) = self.editor.body().inst(access.inst).operands.first() else { return };
        let how =
            || InstKind::Store(Box::new(MemAccess { align: Some(access.align), ..MemAccess::default() }));
        let vector = self.tools.vector(access.ty);
        for part in 0..self.parts() {
            if let Some(mask) = self.mask_of_access(access, part) {
                self.masked_store(access, part, value, mask);
                continue;
            }
            match access.pattern {
                // Only the store of the last lane of the last part remains.
                Pattern::Uniform if part + 1 < self.parts() => {}
                Pattern::Uniform => {
                    let (at, last) = (self.first(access.pointer, part), self.lanes() - 1);
                    let one = self.lane(value, part, last);
                    self.put(how(), Type::VOID, &[one, at]);
                }
                Pattern::Consecutive | Pattern::Reverse => {
                    let mut all = self.vector(value, part);
                    if access.pattern == Pattern::Reverse {
                        all = self.reversed(all, vector);
                    }
                    let at = self.lowest(access, part);
                    self.put(how(), Type::VOID, &[all, at]);
                }
                Pattern::Strided(_) | Pattern::Scattered => {
                    for lane in 0..self.lanes() {
                        let at = self.lane(access.pointer, part, lane);
                        let one = self.lane(value, part, lane);
                        self.put(how(), Type::VOID, &[one, at]);
                    }
                }
            }
        }
    }
}
