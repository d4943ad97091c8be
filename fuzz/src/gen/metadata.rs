//! Metadata on loads and calls, and a local variable that holds a pointer, so that there are loads of pointers.
//!
//! Most metadata holds in most runs: the numbers in memory are mostly small, and memory is undefined only if another
//! knob causes it. A value outside of its range is poison; an undefined value with `!noundef` is UB.

use super::knobs::Knob;
use super::writer::Writer;
use backedge_ir::attr::{Attr, FlagAttr};
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{AllocaInfo, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::metadata::{MdBody, MdKind, MdOperand, MdRef};
use backedge_ir::types::Type;

/// Alignment of all pointers that programs have, in bytes.
const ALIGN: u64 = 4;

/// A local variable that holds a pointer.
#[derive(Copy, Clone, Debug)]
pub(super) struct Slot {
    address: Value,
    /// Number of accessible bytes from the pointer on.
    bytes: u64,
    /// The condition under which the variable holds a pointer, if it does not always.
    guard: Option<Value>,
}

impl Writer<'_, '_> {
    // Integers.

    /// Sometimes puts metadata on a load or a call.
    pub(super) fn describe(&mut self, inst: Inst) {
        if self.wants(Knob::Metadata, 45) {
            self.aside(|this| this.put_metadata(inst));
        }
    }
    fn put_metadata(&mut self, inst: Inst) {
        let Some(width) = self.editor.body().inst(inst).ty.int_bits() else { return };
        let is_load = matches!(self.editor.body().inst(inst).kind, InstKind::Load(_));
        let is_ranged = width > 2 && self.draw.chance(55);
        if is_ranged {
            let bounds = self.range(width);
            let operands = bounds.map(|bound| MdOperand::Const(self.env.consts.int(bound)));
            self.attach(inst, MdKind::Range, operands.to_vec());
        }
        // A value outside of its range would be UB.
        let often = if is_ranged { 30 } else { 100 };
        if !is_load {
            self.promise_defined_result(inst);
        } else if self.draw.chance(if self.is_memory_defined() { often } else { often / 10 }) {
            self.attach(inst, MdKind::NoUndef, Vec::new());
        }
    }
    /// The half-open range of most numbers in memory.
    fn range(&mut self, width: u32) -> [Int; 2] {
        let int = |value: i128| Int::from_i128(width, value);
        match self.draw.below(8) {
            0 => [int(1), int(0)],
            1 | 2 => {
                let out = int(1 << (width - 2)).add(int(self.draw.below(9) as i128));
                [out.add(int(1)), out]
            }
            3..=5 => [int(0), int(1 << (width - 1))],
            6 => [int(-1), int(1 << (width - 2))],
            _ => [int(0), int(1 << (width - 1).min(4))],
        }
    }
    /// Whether memory holds no undef or poison in most runs.
    fn is_memory_defined(&self) -> bool {
        let causes = [Knob::Undef, Knob::Poison, Knob::WrongFlags, Knob::Allocas];
        !causes.iter().any(|knob| self.knobs.has(*knob))
    }
    /// Puts `noundef` on the result of a call, which the environment chooses.
    fn promise_defined_result(&mut self, inst: Inst) {
        if let InstKind::Call(mut info) = self.editor.body().inst(inst).kind.clone() {
            info.ret_attrs.own.push(Attr::Flag(FlagAttr::NoUndef));
            self.editor.set_kind(inst, InstKind::Call(info));
        }
    }
    fn attach(&mut self, inst: Inst, kind: MdKind, operands: Vec<MdOperand>) {
        let node = self.env.metadata.add(false, MdBody::Tuple(operands));
        self.editor.set_metadata(inst, kind, MdRef::Node(node));
    }

    /// Repeats a load, with other metadata.
    pub(super) fn load_again(&mut self, load: Inst) {
        let data = InstData { metadata: Default::default(), ..self.editor.body().inst(load).clone() };
        let again = self.insert(data);
        if self.draw.chance(40) {
            self.put_metadata(again);
        }
        self.push(again.into());
    }

    // Pointers.

    /// Emits a local variable that holds a pointer, possibly only if a condition holds.
    pub(super) fn pointer_slot(&mut self) {
        let info = AllocaInfo { ty: Type::PTR, align: Some(8), inalloca: false, swifterror: false };
        let address = self.insert(InstData::new(InstKind::Alloca(Box::new(info)), Type::PTR, [], [])).into();
        let held = self.base();
        let guard = self.draw.chance(40).then(|| self.operand(Type::I1));
        let after = guard.map(|guard| self.enter_guarded(guard));
        self.at().store(held.pointer, address, None);
        if let Some(after) = after {
            self.leave_guarded(after);
        }
        self.slot = Some(Slot { address, bytes: held.bytes, guard });
    }
    /// Loads the pointer of the local variable and uses it, if the variable holds a pointer.
    pub(super) fn use_slot(&mut self) {
        let Some(slot) = self.slot else { return };
        let mark = self.mark();
        let after = slot.guard.map(|guard| self.enter_guarded(guard));
        self.use_pointer(slot);
        if let Some(after) = after {
            self.cut(mark);
            self.leave_guarded(after);
        }
    }
    /// Starts a block that executes only if `guard` holds; returns the block after it.
    fn enter_guarded(&mut self, guard: Value) -> Block {
        let (then, after) = (self.new_block("then"), self.new_block("join"));
        self.at().cond_br(guard, then, after);
        self.block = then;
        after
    }
    fn leave_guarded(&mut self, after: Block) {
        self.at().br(after);
        self.block = after;
    }
    fn use_pointer(&mut self, Slot { address, bytes, .. }: Slot) {
        let other = self.base();
        if self.draw.chance(25) && !other.moves && other.bytes >= bytes {
            self.at().store(other.pointer, address, None);
        }
        let pointer = self.load_pointer(address, bytes);
        if self.draw.chance(50) {
            let null = self.editor.constant(Constant { ty: Type::PTR, data: ConstData::Zero }).into();
            let pred = self.draw.pick(&[IntPredicate::Ne, IntPredicate::Eq]);
            self.icmp(pred, pointer, null);
        }
        self.note_object(pointer, bytes);
        if self.draw.chance(60) {
            self.memory_access();
        }
        // The same load with other metadata.
        if self.draw.chance(30) {
            let again = self.load_pointer(address, bytes);
            self.icmp(IntPredicate::Eq, again, pointer);
        }
    }
    /// Loads a pointer to `bytes` accessible bytes, with metadata that mostly holds.
    fn load_pointer(&mut self, address: Value, bytes: u64) -> Value {
        let access = self.access(None, false);
        let load = self.insert(InstData::new(InstKind::Load(access), Type::PTR, [address], []));
        for (kind, operand, percent) in [
            (MdKind::NonNull, None, 60),
            (MdKind::Align, Some(ALIGN), 40),
            (MdKind::NoUndef, None, 50),
            (MdKind::Dereferenceable, Some(bytes), 30),
        ] {
            if self.draw.chance(percent) {
                let operand = operand.map(|n| MdOperand::Const(self.env.consts.int(Int::new(64, n.into()))));
                self.attach(load, kind, operand.into_iter().collect());
            }
        }
        load.into()
    }
}
