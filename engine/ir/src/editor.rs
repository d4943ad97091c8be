//! The only writer of function bodies. It keeps use lists, names and epochs consistent. It does not check types or
//! dominance (the verifier does), so a body may be invalid between two edits.
//!
//! An edit of blocks, edges or terminators bumps the CFG epoch; every edit bumps the body epoch.

use crate::body::{ArgNode, BlockNode, Body, InstNode, Local};
use crate::constant::{ConstPool, Constant};
use crate::entity::{Arg, Block, Const, Inst, PrimaryMap};
use crate::inst::{InstData, InstKind, Use, Value};
use crate::int::Int;
use crate::metadata::{MdKind, MdRef};
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// An insertion point in a body.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Position {
    /// Before the given instruction.
    Before(Inst),
    /// After the given instruction.
    After(Inst),
    /// At the start of the block, before its phis.
    Start(Block),
    /// After the block's phis.
    AfterPhis(Block),
    /// At the end of the block, after its terminator if it has one.
    End(Block),
    /// Before the block's terminator, or at the end if it has none.
    BeforeTerminator(Block),
}

/// Edits a body.
#[derive(Debug)]
pub struct Editor<'a> {
    body: &'a mut Body,
    location: Option<MdRef>,
}

impl<'a> Editor<'a> {
    /// An editor of `body`.
    pub fn new(body: &'a mut Body) -> Self {
        Self { body, location: None }
    }
    /// The location set by [`Editor::set_location`].
    pub fn location(&self) -> Option<MdRef> {
        self.location
    }
    /// Sets the debug location that [`Editor::insert_new`] attaches to the instructions it inserts from now on.
    pub fn set_location(&mut self, location: Option<MdRef>) {
        self.location = location;
    }
    /// The body in its current state.
    pub fn body(&self) -> &Body {
        self.body
    }

    fn bump(&mut self) {
        self.body.body_epoch += 1;
    }
    fn bump_cfg(&mut self) {
        self.body.cfg_epoch += 1;
        self.body.body_epoch += 1;
    }

    /// Records that the current edit changes `block`.
    fn touch(&mut self, block: Block) {
        let now = self.body.body_epoch + 1;
        if self.body.blocks[block].since == now {
            return;
        }
        self.body.blocks[block].since = now;
        match self.body.changes.last_mut() {
            Some((since, last)) if *last == block => *since = now,
            _ => self.note_change(now, block),
        }
    }
    fn note_change(&mut self, now: u64, block: Block) {
        let Body { changes, blocks, .. } = &mut *self.body;
        // Dropping superseded entries leaves at most one per block, so the cost is amortized.
        if changes.len() > 64 + 2 * blocks.len() {
            changes.retain(|(since, block)| blocks[*block].since == *since);
        }
        changes.push((now, block));
    }
    /// Records that the current edit changes the block of `inst`.
    fn touch_block_of(&mut self, inst: Inst) {
        if let Some(block) = self.body.insts[inst].block {
            self.touch(block);
        }
    }

    // Constants.

    /// The constant pool; constants may be added at any time.
    pub fn consts(&mut self) -> &mut ConstPool {
        &mut self.body.consts
    }
    /// The constant `constant`, whose operands must belong to this body's pool.
    pub fn constant(&mut self, constant: Constant) -> Const {
        self.body.consts.intern(constant)
    }
    /// The integer constant `value`.
    pub fn int(&mut self, value: Int) -> Value {
        self.body.consts.int(value).into()
    }
    /// `poison` of type `ty`.
    pub fn poison(&mut self, ty: Type) -> Value {
        self.body.consts.poison(ty).into()
    }

    // Arguments.

    /// Appends an argument.
    pub fn add_arg(&mut self, ty: Type, name: Option<&str>) -> Arg {
        let arg = self.body.args.push(ArgNode { ty, name: None, uses: SmallVec::new() });
        if let Some(name) = name {
            let name = self.claim_name(name, Local::Arg(arg));
            self.body.args[arg].name = Some(name);
        }
        self.bump();
        arg
    }

    /// Changes the type of `arg`. The caller must update the users and the function's header.
    pub fn set_arg_type(&mut self, arg: Arg, ty: Type) {
        self.body.args[arg].ty = ty;
        self.bump();
    }
    /// Reorders the arguments and removes those not in `kept`, which lists the remaining ones in their new order. The
    /// removed arguments must have no uses.
    pub fn keep_args(&mut self, kept: &[Arg]) {
        let mut place: FxHashMap<Arg, Arg> = FxHashMap::default();
        let mut args = PrimaryMap::new();
        for &old in kept {
            place.insert(old, args.push(self.body.args[old].clone()));
        }
        for (old, node) in self.body.args.iter() {
            assert!(place.contains_key(&old) || node.uses.is_empty(), "{old:?} is in use");
        }
        self.body.args = args;
        for (_, node) in self.body.insts.iter_mut() {
            for operand in &mut node.data.operands {
                if let Value::Arg(arg) = operand {
                    *arg = place[arg];
                }
            }
        }
        self.body.locals.retain(|_, local| match local {
            Local::Arg(arg) => match place.get(arg) {
                Some(new) => {
                    *arg = *new;
                    true
                }
                None => false,
            },
            Local::Block(_) | Local::Inst(_) => true,
        });
        self.bump();
    }

    // Names.

    /// Binds `name`, or `name` with a numeric suffix if it is taken, to `what`; returns the name used.
    fn claim_name(&mut self, name: &str, what: Local) -> Arc<str> {
        if !self.body.locals.contains_key(name) {
            let name: Arc<str> = name.into();
            self.body.locals.insert(name.clone(), what);
            return name;
        }
        let base: Arc<str> = name.into();
        loop {
            let next = self.body.next_suffix.entry(base.clone()).or_insert(0);
            *next += 1;
            let candidate = format!("{base}{next}");
            if !self.body.locals.contains_key(candidate.as_str()) {
                let name: Arc<str> = candidate.into();
                self.body.locals.insert(name.clone(), what);
                return name;
            }
        }
    }
    fn release_name(&mut self, name: Option<Arc<str>>) {
        if let Some(name) = name {
            self.body.locals.remove(&name);
        }
    }
    /// Names the result of `inst`; appends a number if the name is taken. Canonical spelling, without `%`.
    pub fn set_name(&mut self, inst: Inst, name: &str) {
        let old = self.body.insts[inst].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Inst(inst));
        self.body.insts[inst].name = Some(name);
        self.bump();
    }
    /// Names `arg`; appends a number if the name is taken. Canonical spelling, without `%`.
    pub fn set_arg_name(&mut self, arg: Arg, name: &str) {
        let old = self.body.args[arg].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Arg(arg));
        self.body.args[arg].name = Some(name);
        self.bump();
    }
    /// Removes the name of `inst`.
    pub fn clear_name(&mut self, inst: Inst) {
        let old = self.body.insts[inst].name.take();
        self.release_name(old);
        self.bump();
    }
    /// Names `block`; appends a number if the name is taken. Canonical spelling, without `%`. The block must not be
    /// pinned.
    pub fn set_block_name(&mut self, block: Block, name: &str) {
        assert!(!self.body.is_pinned(block), "{block:?} must keep its name: its address is taken");
        let old = self.body.blocks[block].name.take();
        self.release_name(old);
        let name = self.claim_name(name, Local::Block(block));
        self.body.blocks[block].name = Some(name);
        self.bump();
    }

    // Blocks.

    /// Creates a block without placing it in the body.
    pub fn create_block(&mut self, name: Option<&str>) -> Block {
        let block = self.body.blocks.push(BlockNode::default());
        if let Some(name) = name {
            let name = self.claim_name(name, Local::Block(block));
            self.body.blocks[block].name = Some(name);
        }
        block
    }
    /// Appends an unplaced block to the body.
    pub fn append_block(&mut self, block: Block) {
        assert!(!self.body.blocks[block].placed, "{block:?} stands in the body already");
        self.body.blocks[block].placed = true;
        self.body.order.push(block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Creates a block at the end of the body.
    pub fn add_block(&mut self, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        self.append_block(block);
        block
    }
    /// Creates a block before `before`.
    pub fn add_block_before(&mut self, before: Block, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        let at = self.order_position(before);
        self.place_block(block, at);
        block
    }
    /// Creates a block after `after`.
    pub fn add_block_after(&mut self, after: Block, name: Option<&str>) -> Block {
        let block = self.create_block(name);
        let at = self.order_position(after) + 1;
        self.place_block(block, at);
        block
    }
    fn order_position(&self, block: Block) -> usize {
        self.body.order.iter().position(|b| *b == block).expect("the block stands in the body")
    }
    fn place_block(&mut self, block: Block, at: usize) {
        self.body.blocks[block].placed = true;
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Moves `block` directly after `after` in text order.
    pub fn move_block_after(&mut self, block: Block, after: Block) {
        if block == after {
            return;
        }
        let from = self.order_position(block);
        self.body.order.remove(from);
        let at = self.order_position(after) + 1;
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Moves `block` directly before `before` in text order.
    pub fn move_block_before(&mut self, block: Block, before: Block) {
        if block == before {
            return;
        }
        let from = self.order_position(block);
        self.body.order.remove(from);
        let at = self.order_position(before);
        self.body.order.insert(at, block);
        self.touch(block);
        self.bump_cfg();
    }
    /// Records that the address of `block` is taken; the block must have a name. From now on it can't be removed or
    /// renamed.
    pub fn pin_block(&mut self, block: Block) {
        self.body.blocks[block].pinned = true;
        self.bump_cfg();
    }
    /// Removes `block` with its instructions. Remaining uses of their results become poison. The caller must first fix
    /// the phis of successors and the edges to the block. The block must not be pinned; callers check
    /// [`Body::is_pinned`] when they decide.
    pub fn remove_block(&mut self, block: Block) {
        assert!(!self.body.is_pinned(block), "{block:?} must stay: its address is taken");
        for inst in std::mem::take(&mut self.body.blocks[block].insts) {
            self.body.insts[inst].block = None;
            self.detach(inst);
        }
        let name = self.body.blocks[block].name.take();
        self.release_name(name);
        let at = self.order_position(block);
        self.body.order.remove(at);
        self.body.blocks[block].placed = false;
        self.touch(block);
        self.bump_cfg();
    }
    /// Splits `block` before `at`: the instructions from `at` on move to a new block after it, and `block` ends in a
    /// branch to the new block, with the debug location of `at`. Phis of the successors refer to the new block instead
    /// of the old one.
    pub fn split_block(&mut self, at: Inst, name: Option<&str>) -> Block {
        let block = self.body.block_of(at).expect("the instruction stands in a block");
        let new = self.add_block_after(block, name);
        let index = self.inst_position(block, at);
        let tail = self.body.blocks[block].insts.split_off(index);
        for &inst in &tail {
            self.body.insts[inst].block = Some(new);
        }
        self.body.blocks[new].insts = tail;
        self.touch(block);
        self.touch(new);
        let targets: SmallVec<[Block; 2]> = self.body.successors(new).into();
        for target in targets {
            self.replace_phi_block(target, block, new);
        }
        let mut branch = InstData::new(InstKind::Br, Type::VOID, [], [new]);
        branch
            .metadata
            .extend(self.location_at(Position::Before(at)).map(|location| (MdKind::Dbg, location)));
        self.insert(Position::End(block), branch);
        self.bump_cfg();
        new
    }

    // Instructions.

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
    fn inst_position(&self, block: Block, inst: Inst) -> usize {
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
    fn detach(&mut self, inst: Inst) {
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

    // Uses.

    fn uses_mut(&mut self, value: Value) -> Option<&mut crate::body::UseList> {
        match value {
            Value::Inst(inst) => Some(&mut self.body.insts[inst].uses),
            Value::Arg(arg) => Some(&mut self.body.args[arg].uses),
            Value::Const(_) => None,
        }
    }
    fn attach(&mut self, inst: Inst) {
        let count = self.body.insts[inst].data.operands.len();
        self.body.insts[inst].use_slots = SmallVec::from_elem(0, count);
        for index in 0..count {
            self.add_use(Use { user: inst, index: index as u32 });
        }
    }
    fn add_use(&mut self, use_: Use) {
        self.touch_block_of(use_.user);
        let value = self.body.insts[use_.user].data.operands[use_.index as usize];
        if let Some(uses) = self.uses_mut(value) {
            let slot = uses.len() as u32;
            uses.push(use_);
            self.body.insts[use_.user].use_slots[use_.index as usize] = slot;
        }
    }
    fn drop_use(&mut self, use_: Use) {
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

    // Edges and phis.

    /// Sets the successor at `index` of a terminator. The caller must fix the phis of the old and the new successor.
    pub fn set_successor(&mut self, terminator: Inst, index: usize, target: Block) {
        debug_assert!(self.body.inst(terminator).kind.is_terminator());
        self.body.insts[terminator].data.blocks[index] = target;
        self.touch_block_of(terminator);
        self.bump_cfg();
    }
    /// Redirects every edge from `from` to `old` to `new`. The caller must fix the phis of `old` and `new`.
    pub fn redirect_edges(&mut self, from: Block, old: Block, new: Block) {
        let Some(terminator) = self.body.terminator(from) else { return };
        for target in &mut self.body.insts[terminator].data.blocks {
            if *target == old {
                *target = new;
            }
        }
        self.touch(from);
        self.bump_cfg();
    }
    /// Replaces the incoming block `old` with `new` in the phis of `block`.
    pub fn replace_phi_block(&mut self, block: Block, old: Block, new: Block) {
        let phis: SmallVec<[Inst; 8]> = self.body.phis(block).collect();
        for phi in phis {
            for from in &mut self.body.insts[phi].data.blocks {
                if *from == old {
                    *from = new;
                }
            }
        }
        self.touch(block);
        self.bump();
    }
    /// Adds an incoming edge to a phi.
    pub fn add_incoming(&mut self, phi: Inst, value: Value, from: Block) {
        let node = &mut self.body.insts[phi];
        debug_assert!(node.data.kind.is_phi());
        node.data.operands.push(value);
        node.data.blocks.push(from);
        node.use_slots.push(0);
        let index = (node.data.operands.len() - 1) as u32;
        self.add_use(Use { user: phi, index });
        self.bump();
    }
    /// Removes the incoming edge at `index` of a phi; the others keep their order.
    pub fn remove_incoming(&mut self, phi: Inst, index: usize) {
        debug_assert!(self.body.inst(phi).kind.is_phi());
        let count = self.body.inst(phi).operands.len();
        for i in index..count {
            self.drop_use(Use { user: phi, index: i as u32 });
        }
        let node = &mut self.body.insts[phi];
        node.data.operands.remove(index);
        node.data.blocks.remove(index);
        node.use_slots.pop();
        self.touch_block_of(phi);
        for i in index..count - 1 {
            self.add_use(Use { user: phi, index: i as u32 });
        }
        self.bump();
    }
    /// Removes entries of a phi for deleted edges, one entry per element of `from` (a block is listed once per edge).
    /// Linear in the number of entries, where removing them one by one would be quadratic.
    pub fn remove_all_incoming(&mut self, phi: Inst, from: &[Block]) {
        debug_assert!(self.body.inst(phi).kind.is_phi());
        let mut gone: FxHashMap<Block, usize> = FxHashMap::default();
        from.iter().for_each(|b| *gone.entry(*b).or_default() += 1);
        let count = self.body.inst(phi).operands.len();
        for index in 0..count {
            self.drop_use(Use { user: phi, index: index as u32 });
        }
        let data = &mut self.body.insts[phi].data;
        let (operands, blocks) = (std::mem::take(&mut data.operands), std::mem::take(&mut data.blocks));
        for (value, block) in operands.into_iter().zip(blocks) {
            match gone.get_mut(&block) {
                Some(left) if *left > 0 => *left -= 1,
                Some(_) | None => {
                    data.operands.push(value);
                    data.blocks.push(block);
                }
            }
        }
        self.attach(phi);
        self.touch_block_of(phi);
        self.bump();
    }
    /// Removes one entry for `from` from each phi of `block`: for one deleted edge.
    pub fn remove_edge_from_phis(&mut self, block: Block, from: Block) {
        let phis: SmallVec<[Inst; 8]> = self.body.phis(block).collect();
        for phi in phis {
            if let Some(index) = self.body.inst(phi).blocks.iter().position(|b| *b == from) {
                self.remove_incoming(phi, index);
            }
        }
    }
}
