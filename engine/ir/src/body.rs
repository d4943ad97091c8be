//! The code of one function: arguments, blocks, instructions, the constants they use, names, and use lists.
//!
//! Read it through the methods here. Only [`crate::editor::Editor`] writes it; the editor keeps use lists, names and
//! epochs consistent. The instruction data are kept apart from the instruction order (the blocks' instruction lists).

use crate::constant::{ConstData, ConstPool, Constant, GlobalRef};
use crate::entity::{Arg, Block, Const, FuncId, Inst, PrimaryMap, SecondaryMap};
use crate::inst::{InstData, InstKind, Use, Value};
use crate::int::Int;
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The entity with a local name.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Local {
    /// An argument.
    Arg(Arg),
    /// A block.
    Block(Block),
    /// An instruction with a result.
    Inst(Inst),
}

/// A list of uses, in no particular order.
pub(crate) type UseList = SmallVec<[Use; 2]>;

#[derive(Clone, Debug)]
pub(crate) struct InstNode {
    pub(crate) data: InstData,
    pub(crate) block: Option<Block>,
    pub(crate) name: Option<Arc<str>>,
    pub(crate) uses: UseList,
    /// For each operand that is an instruction or argument: its index in that value's use list.
    pub(crate) use_slots: SmallVec<[u32; 3]>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct BlockNode {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) insts: Vec<Inst>,
    pub(crate) placed: bool,
    pub(crate) pinned: bool,
    /// The body epoch of the block's last change.
    pub(crate) since: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct ArgNode {
    pub(crate) ty: Type,
    pub(crate) name: Option<Arc<str>>,
    pub(crate) uses: UseList,
}

/// The code of one function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub(crate) args: PrimaryMap<Arg, ArgNode>,
    pub(crate) blocks: PrimaryMap<Block, BlockNode>,
    pub(crate) insts: PrimaryMap<Inst, InstNode>,
    pub(crate) consts: ConstPool,
    pub(crate) order: Vec<Block>,
    pub(crate) locals: FxHashMap<Arc<str>, Local>,
    pub(crate) next_suffix: FxHashMap<Arc<str>, u32>,
    pub(crate) cfg_epoch: u64,
    pub(crate) body_epoch: u64,
    /// The blocks that changed, each with the epoch of the change, in ascending order. A block may have several
    /// entries; the current one has the epoch [`BlockNode::since`].
    pub(crate) changes: Vec<(u64, Block)>,
}

impl Body {
    /// Releases memory reserved for growth, because a parsed body may never be edited.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.args.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.insts.shrink_to_fit();
        self.order.shrink_to_fit();
        for block in &self.order {
            self.blocks[*block].insts.shrink_to_fit();
        }
    }
    /// The entry block: the first one in order.
    pub fn entry(&self) -> Option<Block> {
        self.order.first().copied()
    }
    /// The blocks in text order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.order.iter().copied()
    }
    /// The number of blocks in the body.
    pub fn block_count(&self) -> usize {
        self.order.len()
    }
    /// Whether `block` is in the body (it may have been removed).
    pub fn has_block(&self, block: Block) -> bool {
        self.blocks.get(block).is_some_and(|b| b.placed)
    }
    /// Whether the address of `block` is taken, so it must be neither removed nor renamed.
    pub fn is_pinned(&self, block: Block) -> bool {
        self.blocks.get(block).is_some_and(|b| b.pinned)
    }
    /// The instructions of `block` in order.
    pub fn insts(&self, block: Block) -> &[Inst] {
        &self.blocks[block].insts
    }
    /// All instructions in blocks, in text order.
    pub fn all_insts(&self) -> impl Iterator<Item = Inst> + '_ {
        self.order.iter().flat_map(|b| self.blocks[*b].insts.iter().copied())
    }
    /// The number of instruction ids allocated so far, including removed instructions: a size for tables indexed by
    /// them.
    pub fn inst_capacity(&self) -> usize {
        self.insts.len()
    }
    /// The number of block ids allocated so far, including removed blocks.
    pub fn block_capacity(&self) -> usize {
        self.blocks.len()
    }
    /// The instruction `inst`.
    #[inline]
    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst].data
    }
    /// The block that contains `inst`; `None` if `inst` was removed.
    #[inline]
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.insts[inst].block
    }
    /// The last instruction of `block` if it is a terminator.
    pub fn terminator(&self, block: Block) -> Option<Inst> {
        let last = *self.blocks[block].insts.last()?;
        self.insts[last].data.kind.is_terminator().then_some(last)
    }
    /// The successors of `block`, one entry per edge.
    pub fn successors(&self, block: Block) -> &[Block] {
        self.terminator(block).map_or(&[], |t| self.insts[t].data.successors())
    }
    /// The phis of `block`.
    pub fn phis(&self, block: Block) -> impl Iterator<Item = Inst> + '_ {
        self.blocks[block].insts.iter().copied().take_while(|i| self.insts[*i].data.kind.is_phi())
    }
    /// The first instruction of `block` that is not a phi.
    pub fn first_non_phi(&self, block: Block) -> Option<Inst> {
        self.blocks[block].insts.iter().copied().find(|i| !self.insts[*i].data.kind.is_phi())
    }
    /// The incoming value of `phi` from `pred` (its first entry for `pred`).
    pub fn incoming_from(&self, phi: Inst, pred: Block) -> Option<Value> {
        self.inst(phi).incoming().find(|(_, b)| *b == pred).map(|(v, _)| v)
    }
    /// The arguments in order.
    pub fn args(&self) -> impl ExactSizeIterator<Item = Arg> + use<> {
        self.args.keys()
    }
    /// The type of `value`.
    pub fn ty(&self, value: Value) -> Type {
        match value {
            Value::Inst(inst) => self.insts[inst].data.ty,
            Value::Arg(arg) => self.args[arg].ty,
            Value::Const(c) => self.consts.ty(c),
        }
    }
    /// The constants of the body.
    pub fn consts(&self) -> &ConstPool {
        &self.consts
    }
    /// The constant `c`.
    pub fn constant(&self, c: Const) -> &Constant {
        self.consts.get(c)
    }
    /// The value of `value` if it is an integer constant.
    pub fn as_int(&self, value: Value) -> Option<Int> {
        value.as_const().and_then(|c| self.consts.as_int(c))
    }
    /// The function that `callee` refers to, for a direct call.
    pub fn called_function(&self, callee: Value) -> Option<FuncId> {
        let data = &self.constant(callee.as_const()?).data;
        if let ConstData::Global(GlobalRef::Func(func)) = data { Some(*func) } else { None }
    }
    /// The mnemonic of the first terminator whose edges can't be redirected because it jumps to block addresses:
    /// `indirectbr` or `callbr`.
    pub fn indirect_jump(&self) -> Option<&'static str> {
        let kinds = self.blocks().filter_map(|block| Some(&self.inst(self.terminator(block)?).kind));
        let mut jumps = kinds.filter(|kind| matches!(kind, InstKind::IndirectBr | InstKind::CallBr(_)));
        jumps.next().map(InstKind::mnemonic)
    }
    /// Whether the code refers to `func`, in a call or otherwise.
    pub fn names(&self, func: FuncId) -> bool {
        let is_named = |data: &ConstData| matches!(data, ConstData::Global(GlobalRef::Func(f)) if *f == func);
        self.consts.iter().any(|(_, constant)| is_named(&constant.data))
    }
    /// The uses of an instruction's result or an argument, in no particular order. Constants have no use lists.
    pub fn uses(&self, value: Value) -> &[Use] {
        match value {
            Value::Inst(inst) => &self.insts[inst].uses,
            Value::Arg(arg) => &self.args[arg].uses,
            Value::Const(_) => &[],
        }
    }
    /// The uses except those by debug records. Optimizations must depend only on these, so that debug info does not
    /// change the code.
    pub fn code_uses(&self, value: Value) -> impl Iterator<Item = Use> + '_ {
        let is_code = |use_: &Use| !matches!(self.insts[use_.user].data.kind, InstKind::DebugRecord(_));
        self.uses(value).iter().copied().filter(is_code)
    }
    /// The canonical spelling of a value's name without `%`; `None` for unnamed values and constants.
    pub fn value_name(&self, value: Value) -> Option<&str> {
        match value {
            Value::Inst(inst) => self.insts[inst].name.as_deref(),
            Value::Arg(arg) => self.args[arg].name.as_deref(),
            Value::Const(_) => None,
        }
    }
    /// The canonical spelling of a block's name without `%`; `None` for unnamed blocks.
    pub fn block_name(&self, block: Block) -> Option<&str> {
        self.blocks[block].name.as_deref()
    }
    /// The entity named `name` (canonical spelling without `%`).
    pub fn local(&self, name: &str) -> Option<Local> {
        self.locals.get(name).copied()
    }
    /// The block named `name`.
    pub fn block_named(&self, name: &str) -> Option<Block> {
        match self.local(name) {
            Some(Local::Block(block)) => Some(block),
            Some(Local::Arg(_) | Local::Inst(_)) | None => None,
        }
    }
    /// The argument or instruction named `name`.
    pub fn value_named(&self, name: &str) -> Option<Value> {
        match self.local(name) {
            Some(Local::Inst(inst)) => Some(inst.into()),
            Some(Local::Arg(arg)) => Some(arg.into()),
            Some(Local::Block(_)) | None => None,
        }
    }
    /// Whether `a` precedes `b` in the same block. Linear in the block's length.
    pub fn comes_before(&self, a: Inst, b: Inst) -> bool {
        let Some(block) = self.block_of(a) else { return false };
        self.block_of(b) == Some(block)
            && a != b
            && self.blocks[block].insts.iter().find(|i| **i == a || **i == b) == Some(&a)
    }
    /// A copy of the body without names, except those of blocks whose address is taken.
    pub fn without_names(&self) -> Self {
        let mut body = self.clone();
        body.args.iter_mut().for_each(|(_, arg)| arg.name = None);
        body.insts.iter_mut().for_each(|(_, inst)| inst.name = None);
        body.blocks.iter_mut().filter(|(_, b)| !b.pinned).for_each(|(_, block)| block.name = None);
        body.locals.retain(|_, local| matches!(local, Local::Block(block) if self.is_pinned(*block)));
        body.next_suffix.clear();
        body
    }
    /// The numbers that LLVM's printer assigns to unnamed arguments, blocks and results: one sequence in text order.
    pub fn slots(&self) -> Slots {
        let mut slots = Slots::default();
        let mut next = 0;
        let mut take = || {
            next += 1;
            Some(next - 1)
        };
        for (arg, node) in self.args.iter() {
            if node.name.is_none() {
                slots.args[arg] = take();
            }
        }
        for &block in &self.order {
            if self.blocks[block].name.is_none() {
                slots.blocks[block] = take();
            }
            for &inst in &self.blocks[block].insts {
                let node = &self.insts[inst];
                if node.name.is_none() && node.data.ty != Type::VOID {
                    slots.insts[inst] = take();
                }
            }
        }
        slots
    }
    /// The CFG epoch, which changes whenever blocks or edges change.
    pub fn cfg_epoch(&self) -> u64 {
        self.cfg_epoch
    }
    /// The body epoch, which changes on every edit.
    pub fn body_epoch(&self) -> u64 {
        self.body_epoch
    }
    /// Whether `block` changed after the body epoch `epoch`: it was placed, moved or removed, or its instructions,
    /// their operations or their operands changed. Names do not count.
    pub fn has_changed_since(&self, block: Block, epoch: u64) -> bool {
        self.blocks[block].since > epoch
    }
    /// The blocks for which [`Self::has_changed_since`] holds, including removed ones, each once, latest change first.
    /// Takes time proportional to the number of changes, not to the size of the body.
    pub fn changed_since(&self, epoch: u64) -> impl Iterator<Item = Block> + '_ {
        let late = self.changes.iter().rev().take_while(move |(since, _)| *since > epoch);
        late.filter(|(since, block)| self.blocks[*block].since == *since).map(|(_, block)| *block)
    }
}

/// The numbers of unnamed values and blocks.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// Arguments.
    pub args: SecondaryMap<Arg, Option<u32>>,
    /// Blocks.
    pub blocks: SecondaryMap<Block, Option<u32>>,
    /// Results of instructions.
    pub insts: SecondaryMap<Inst, Option<u32>>,
}

impl Slots {
    /// The spelling of `block` without `%`: its name or its number.
    pub fn block_label(&self, body: &Body, block: Block) -> String {
        match (body.block_name(block), self.blocks[block]) {
            (Some(name), _) => name.to_owned(),
            (None, Some(number)) => number.to_string(),
            (None, None) => format!("<removed {block:?}>"),
        }
    }
}
