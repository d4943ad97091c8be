//! Shorthands for creating instructions one after another at one position.
//!
//! Operands must have the right types; the verifier reports violations.

use crate::editor::{Editor, Position};
use crate::entity::{Block, Inst};
use crate::flags::{BinaryFlags, CastFlags, GepFlags};
use crate::inst::{BinaryOp, CastOp, InstData, InstKind, MemAccess, Value};
use crate::opcode::{FastMath, IntPredicate};
use crate::types::Type;

/// Inserts instructions at its current position; each new one follows the previous one.
#[derive(Debug)]
pub struct Builder<'e, 'b> {
    editor: &'e mut Editor<'b>,
    position: Position,
}

impl<'e, 'b> Builder<'e, 'b> {
    /// A builder at `position`.
    pub fn new(editor: &'e mut Editor<'b>, position: Position) -> Self {
        Self { editor, position }
    }
    /// The underlying editor.
    pub fn editor(&mut self) -> &mut Editor<'b> {
        self.editor
    }
    /// Inserts `data` at the current position.
    pub fn insert(&mut self, data: InstData) -> Inst {
        let inst = self.editor.insert_new(self.position, data);
        self.position = Position::After(inst);
        inst
    }
    fn value(&mut self, data: InstData, name: &str) -> Value {
        let inst = self.insert(data);
        if !name.is_empty() {
            self.editor.set_name(inst, name);
        }
        inst.into()
    }
    /// Integer arithmetic.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        flags: BinaryFlags,
        name: &str,
    ) -> Value {
        let ty = self.editor.body().ty(left);
        self.value(InstData::new(InstKind::Binary(op, flags), ty, [left, right], []), name)
    }
    /// `icmp` of scalars.
    pub fn icmp(&mut self, pred: IntPredicate, left: Value, right: Value, name: &str) -> Value {
        let kind = InstKind::ICmp { pred, samesign: false };
        self.value(InstData::new(kind, Type::I1, [left, right], []), name)
    }
    /// `select`.
    pub fn select(&mut self, condition: Value, if_true: Value, if_false: Value, name: &str) -> Value {
        let ty = self.editor.body().ty(if_true);
        let kind = InstKind::Select(FastMath::NONE);
        self.value(InstData::new(kind, ty, [condition, if_true, if_false], []), name)
    }
    /// A cast to `ty`.
    pub fn cast(&mut self, op: CastOp, value: Value, ty: Type, name: &str) -> Value {
        self.value(InstData::new(InstKind::Cast(op, CastFlags::default()), ty, [value], []), name)
    }
    /// `freeze`.
    pub fn freeze(&mut self, value: Value, name: &str) -> Value {
        let ty = self.editor.body().ty(value);
        self.value(InstData::new(InstKind::Freeze, ty, [value], []), name)
    }
    /// A `phi` with the given incoming edges.
    pub fn phi(&mut self, ty: Type, incoming: &[(Value, Block)], name: &str) -> Value {
        let (values, blocks): (Vec<_>, Vec<_>) = incoming.iter().copied().unzip();
        self.value(InstData::new(InstKind::Phi(FastMath::NONE), ty, values, blocks), name)
    }
    /// `getelementptr`.
    pub fn gep(
        &mut self,
        source: Type,
        base: Value,
        indices: &[Value],
        flags: GepFlags,
        name: &str,
    ) -> Value {
        let ty = self.editor.body().ty(base);
        let operands = std::iter::once(base).chain(indices.iter().copied());
        self.value(InstData::new(InstKind::Gep { source, flags }, ty, operands, []), name)
    }
    /// `load`.
    pub fn load(&mut self, ty: Type, ptr: Value, align: Option<u64>, name: &str) -> Value {
        let access = Box::new(MemAccess { align, ..MemAccess::default() });
        self.value(InstData::new(InstKind::Load(access), ty, [ptr], []), name)
    }
    /// `store`.
    pub fn store(&mut self, value: Value, ptr: Value, align: Option<u64>) -> Inst {
        let access = Box::new(MemAccess { align, ..MemAccess::default() });
        self.insert(InstData::new(InstKind::Store(access), Type::VOID, [value, ptr], []))
    }
    /// `br label`.
    pub fn br(&mut self, target: Block) -> Inst {
        self.insert(InstData::new(InstKind::Br, Type::VOID, [], [target]))
    }
    /// `br i1`.
    pub fn cond_br(&mut self, condition: Value, if_true: Block, if_false: Block) -> Inst {
        self.insert(InstData::new(InstKind::CondBr, Type::VOID, [condition], [if_true, if_false]))
    }
    /// `ret`.
    pub fn ret(&mut self, value: Option<Value>) -> Inst {
        self.insert(InstData::new(InstKind::Ret, Type::VOID, value, []))
    }
    /// `unreachable`.
    pub fn unreachable(&mut self) -> Inst {
        self.insert(InstData::new(InstKind::Unreachable, Type::VOID, [], []))
    }
}
