//! Inserts, moves, changes and removes instructions.
//!
//! An instruction made on behalf of other code gets a debug location: the one set in the editor, or that of its
//! neighbor.

use crate::body::InstNode;
use crate::editor::{Editor, Position};
use crate::entity::{Block, Inst};
use crate::inst::{InstData, InstKind, Use};
use crate::metadata::{MdKind, MdRef};
use crate::types::Type;
use smallvec::SmallVec;

impl Editor<'_> {
    /// Reserves the id of an instruction that [`Editor::define`] will place; for forward references.
    pub fn reserve(&mut self, ty: Type) -> Inst {
        self.push_node(InstData::new(InstKind::Unreachable, ty, [], []))
    }
    fn push_node(&mut self, data: InstData) -> Inst {
        self.body.insts.push(InstNode {
            data,
            block: None,
            name: None,
            uses: SmallVec::new(),
            use_slots: SmallVec::new(),
        })
    }
    /// Gives the reserved `inst` its contents and places it at `position`.
    pub fn define(&mut self, inst: Inst, position: Position, data: InstData) {
        assert!(self.body.insts[inst].block.is_none(), "{inst:?} is defined already");
        let (block, index) = self.locate(position);
        let before = self.body.terminator(block);
        let node = &mut self.body.insts[inst];
        node.data = data;
        node.block = Some(block);
        self.attach(inst);
        let insts = &mut self.body.blocks[block].insts;
        if index == insts.len() {
            insts.push(inst);
        } else {
            insts.insert(index, inst);
        }
        self.touch(block);
        self.bump_if_terminator_changed(block, before);
    }
    /// Bumps the body epoch, and also the CFG epoch if the terminator of `block` is no longer `before`: inserting an
    /// instruction after a terminator removes the block's edges, too.
    fn bump_if_terminator_changed(&mut self, block: Block, before: Option<Inst>) {
        if self.body.terminator(block) == before { self.bump() } else { self.bump_cfg() }
    }
    /// Inserts an instruction at `position`.
    pub fn insert(&mut self, position: Position, data: InstData) -> Inst {
        let inst = self.push_node(InstData::new(InstKind::Unreachable, Type::VOID, [], []));
        self.define(inst, position, data);
        inst
    }
    /// Inserts an instruction at `position` that is not a copy of another one. If it has no debug location, it gets the
    /// one of [`Editor::set_location`], else that of the adjacent code. A phi does not take the location of adjacent
    /// code, because it represents no code.
    pub fn insert_new(&mut self, position: Position, mut data: InstData) -> Inst {
        if data.metadata_of(&MdKind::Dbg).is_none() {
            let beside = || if data.kind.is_phi() { None } else { self.location_at(position) };
            if let Some(location) = self.location.or_else(beside) {
                data.metadata.push((MdKind::Dbg, location));
            }
        }
        self.insert(position, data)
    }
    /// The debug location of the code at `position`, for instructions created on behalf of that code.
    pub fn location_at(&self, position: Position) -> Option<MdRef> {
        let body = &*self.body;
        let is_code = |i: &Inst| !matches!(body.inst(*i).kind, InstKind::Phi(_) | InstKind::DebugRecord(_));
        let beside = match position {
            Position::Before(inst) | Position::After(inst) => Some(inst),
            Position::Start(block) | Position::AfterPhis(block) => {
                body.insts(block).iter().copied().find(is_code)
            }
            Position::End(block) | Position::BeforeTerminator(block) => {
                body.insts(block).iter().copied().rfind(is_code)
            }
        };
        body.inst(beside?).metadata_of(&MdKind::Dbg).copied()
    }
    /// Like [`Editor::insert_new`], with a name.
    pub fn insert_named(&mut self, position: Position, data: InstData, name: &str) -> Inst {
        let inst = self.insert_new(position, data);
        self.set_name(inst, name);
        inst
    }
    pub(super) fn inst_position(&self, block: Block, inst: Inst) -> usize {
        self.body.blocks[block]
            .insts
            .iter()
            .position(|i| *i == inst)
            .expect("the instruction stands in the block")
    }
    fn locate(&self, position: Position) -> (Block, usize) {
        let block_of = |inst| self.body.block_of(inst).expect("the instruction stands in a block");
        match position {
            Position::Before(inst) => (block_of(inst), self.inst_position(block_of(inst), inst)),
            Position::After(inst) => (block_of(inst), self.inst_position(block_of(inst), inst) + 1),
            Position::Start(block) => (block, 0),
            Position::AfterPhis(block) => (block, self.body.phis(block).count()),
            Position::End(block) => (block, self.body.insts(block).len()),
            Position::BeforeTerminator(block) => {
                (block, self.body.insts(block).len() - usize::from(self.body.terminator(block).is_some()))
            }
        }
    }
    /// Removes `inst`. Remaining uses of its result become poison.
    pub fn remove(&mut self, inst: Inst) {
        let ended = self.body.block_of(inst).map(|block| (block, self.body.terminator(block)));
        self.unlink(inst);
        self.detach(inst);
        match ended {
            Some((block, before)) => self.bump_if_terminator_changed(block, before),
            None => self.bump(),
        }
    }
    fn unlink(&mut self, inst: Inst) {
        if let Some(block) = self.body.insts[inst].block.take() {
            let index = self.inst_position(block, inst);
            self.body.blocks[block].insts.remove(index);
            self.touch(block);
        }
    }
    /// Removes the uses and the name of `inst`; remaining uses of its result become poison.
    pub(super) fn detach(&mut self, inst: Inst) {
        for index in 0..self.body.insts[inst].data.operands.len() {
            self.drop_use(Use { user: inst, index: index as u32 });
        }
        let node = &mut self.body.insts[inst];
        node.data.operands.clear();
        node.use_slots.clear();
        if !node.uses.is_empty() {
            let poison = self.poison(self.body.insts[inst].data.ty);
            self.replace_uses(inst.into(), poison);
        }
        let name = self.body.insts[inst].name.take();
        self.release_name(name);
    }
    /// Moves `inst` to `position`.
    pub fn move_to(&mut self, inst: Inst, position: Position) {
        if matches!(position, Position::Before(i) | Position::After(i) if i == inst) {
            return;
        }
        let left = self.body.block_of(inst).map(|block| (block, self.body.terminator(block)));
        self.unlink(inst);
        let (block, index) = self.locate(position);
        let before = self.body.terminator(block);
        self.body.blocks[block].insts.insert(index, inst);
        self.body.insts[inst].block = Some(block);
        self.touch(block);
        self.bump_if_terminator_changed(block, before);
        if let Some((block, before)) = left {
            self.bump_if_terminator_changed(block, before);
        }
    }
    /// Moves `insts`, none of them a terminator, to `position`, in the given order. `position` must not refer to any of
    /// them. Linear in the size of the affected blocks, where moving them one by one would be quadratic.
    pub fn move_all(&mut self, insts: &[Inst], position: Position) {
        self.unlink_all(insts);
        let (block, index) = self.locate(position);
        self.body.blocks[block].insts.splice(index..index, insts.iter().copied());
        for &inst in insts {
            self.body.insts[inst].block = Some(block);
        }
        self.touch(block);
        self.bump();
    }
    /// Removes `insts`, none of them a terminator. Remaining uses of their results become poison. Linear in the size of
    /// the affected blocks.
    pub fn remove_all(&mut self, insts: &[Inst]) {
        self.unlink_all(insts);
        for &inst in insts {
            self.detach(inst);
        }
        self.bump();
    }
    /// Unlinks `insts` from their blocks.
    fn unlink_all(&mut self, insts: &[Inst]) {
        let mut blocks: SmallVec<[Block; 8]> = SmallVec::new();
        for &inst in insts {
            debug_assert!(!self.body.inst(inst).kind.is_terminator());
            if let Some(block) = self.body.insts[inst].block.take()
                && blocks.last() != Some(&block)
            {
                blocks.push(block);
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let mut list = std::mem::take(&mut self.body.blocks[block].insts);
            list.retain(|i| self.body.insts[*i].block.is_some());
            self.body.blocks[block].insts = list;
            self.touch(block);
        }
    }
    /// Replaces the terminator of `block`, or adds one. A terminator without a debug location inherits that of the old
    /// one. The caller must fix the phis of the successors.
    pub fn set_terminator(&mut self, block: Block, mut data: InstData) -> Inst {
        assert!(data.kind.is_terminator());
        if let Some(old) = self.body.terminator(block) {
            let location = self.body.inst(old).metadata_of(&MdKind::Dbg).copied();
            if let (Some(location), None) = (location, data.metadata_of(&MdKind::Dbg)) {
                data.metadata.push((MdKind::Dbg, location));
            }
            self.remove(old);
        }
        self.insert_new(Position::End(block), data)
    }
    /// Changes the operation of `inst` (flags, predicate, alignment, …) and keeps its operands.
    pub fn set_kind(&mut self, inst: Inst, kind: InstKind) {
        let cfg = kind.is_terminator() || self.body.inst(inst).kind.is_terminator();
        self.body.insts[inst].data.kind = kind;
        self.touch_block_of(inst);
        if cfg { self.bump_cfg() } else { self.bump() }
    }
    /// Changes the result type of `inst`. The caller must update the users.
    pub fn set_type(&mut self, inst: Inst, ty: Type) {
        self.body.insts[inst].data.ty = ty;
        self.touch_block_of(inst);
        self.bump();
    }
    /// Sets or replaces a metadata attachment.
    pub fn set_metadata(&mut self, inst: Inst, kind: MdKind, md: MdRef) {
        let list = &mut self.body.insts[inst].data.metadata;
        match list.iter_mut().find(|(k, _)| *k == kind) {
            Some(entry) => entry.1 = md,
            None => list.push((kind, md)),
        }
        self.touch_block_of(inst);
        self.bump();
    }
    /// Keeps only the metadata attachments whose kind satisfies `keep`.
    pub fn retain_metadata(&mut self, inst: Inst, mut keep: impl FnMut(&MdKind) -> bool) {
        self.body.insts[inst].data.metadata.retain(|(k, _)| keep(k));
        self.touch_block_of(inst);
        self.bump();
    }
}
