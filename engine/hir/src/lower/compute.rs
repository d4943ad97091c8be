//! Emits instructions for closed forms, predicates and nodes at the end of the current block.

use super::control::Lowering;
use super::records::Part;
use super::ssa::Var;
use crate::blob::{Blob, Cast, NAry, Node as Tree, Temp};
use crate::canon::{CanonExpr, IvCoeff};
use crate::ddref::{Form, RegDdRef};
use crate::node::{Compare, HlInst, Node, Operation, Predicate};
use backedge_ir::editor::Position;
use backedge_ir::inst::{
    BinaryFlags, BinaryOp, CastFlags, CastOp, FastMath, InstData, InstKind, IntPredicate, Value,
};
use backedge_ir::int::Int;
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;

/// The blobs already computed for one form.
type Done = FxHashMap<Blob, Value>;

impl Lowering<'_, '_, '_> {
    pub(super) fn put(&mut self, data: InstData) -> Value {
        self.insert(Position::End(self.at), data).into()
    }
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        self.exact(op, left, right, BinaryFlags::default())
    }
    pub(super) fn exact(&mut self, op: BinaryOp, left: Value, right: Value, flags: BinaryFlags) -> Value {
        let ty = self.editor.body().ty(left);
        self.put(InstData::new(InstKind::Binary(op, flags), ty, [left, right], []))
    }
    fn cast_to(&mut self, op: CastOp, value: Value, ty: Type) -> Value {
        self.put(InstData::new(InstKind::Cast(op, CastFlags::default()), ty, [value], []))
    }
    pub(super) fn compare(&mut self, pred: IntPredicate, left: Value, right: Value) -> Value {
        self.put(InstData::new(InstKind::ICmp { pred, samesign: false }, Type::I1, [left, right], []))
    }
    fn choose(&mut self, condition: Value, if_true: Value, if_false: Value) -> Value {
        let ty = self.editor.body().ty(if_true);
        self.put(InstData::new(InstKind::Select(FastMath::NONE), ty, [condition, if_true, if_false], []))
    }
    /// An integer converted to `width` bits, with zero extension.
    pub(super) fn widened(&mut self, value: Value, width: u32) -> Value {
        self.brought(value, width, false)
    }
    /// An integer converted to `width` bits, with zero or sign extension.
    pub(super) fn brought(&mut self, value: Value, width: u32, signed: bool) -> Value {
        let from = self.editor.body().ty(value).int_bits().unwrap_or(width);
        let op = match (from.cmp(&width), signed) {
            (std::cmp::Ordering::Equal, _) => return value,
            (std::cmp::Ordering::Greater, _) => CastOp::Trunc,
            (std::cmp::Ordering::Less, true) => CastOp::SExt,
            (std::cmp::Ordering::Less, false) => CastOp::ZExt,
        };
        self.cast_to(op, value, Type::int(width))
    }
    /// The current value of the variable.
    pub(super) fn read(&mut self, temp: Temp) -> Value {
        self.read_var(Var::Temp(temp))
    }
    /// Writes the variable, frozen if its forms require it.
    pub(super) fn write(&mut self, temp: Temp, value: Value) {
        let value = if self.plan.frozen.contains(&temp) { self.frozen(value) } else { value };
        self.ssa.write(self.at, Var::Temp(temp), value);
    }
    pub(super) fn frozen(&mut self, value: Value) -> Value {
        let ty = self.editor.body().ty(value);
        self.put(InstData::new(InstKind::Freeze, ty, [value], []))
    }
    /// Emits a closed form of a node.
    pub(super) fn form(&mut self, node: Node, form: &CanonExpr) -> Value {
        let hir = self.hir;
        if let Some(temp) = form.self_blob(&hir.blobs) {
            return self.read(temp);
        }
        if let Some(value) = form.as_constant() {
            return self.editor.int(value);
        }
        let width = form.src_type().width;
        let mut done = Done::default();
        let mut terms = Vec::new();
        for (level, coeff) in form.ivs() {
            let iv = self.iv(node, *level);
            let iv = self.brought(iv, width, false);
            terms.push(self.term(iv, *coeff, &mut done));
        }
        for (blob, by) in form.blobs() {
            let value = self.blob(*blob, &mut done);
            terms.push(self.times(value, *by));
        }
        if !form.constant().is_zero() || terms.is_empty() {
            terms.push(self.editor.int(form.constant()));
        }
        let mut value = terms[0];
        for term in &terms[1..] {
            value = self.binary(BinaryOp::Add, value, *term);
        }
        if !form.denominator().is_one() {
            let by = self.editor.int(form.denominator());
            value = self.binary(BinaryOp::UDiv, value, by);
        }
        let dest = form.dest_type().width;
        self.brought(value, dest, form.cast() == Some(Cast::SExt))
    }
    fn term(&mut self, iv: Value, coeff: IvCoeff, done: &mut Done) -> Value {
        let mut value = iv;
        if let Some(blob) = coeff.blob {
            let by = self.blob(blob, done);
            value = self.binary(BinaryOp::Mul, value, by);
        }
        self.times(value, coeff.constant)
    }
    pub(super) fn times(&mut self, value: Value, by: Int) -> Value {
        if by.is_one() {
            return value;
        }
        let by = self.editor.int(by);
        self.binary(BinaryOp::Mul, value, by)
    }
    fn blob(&mut self, blob: Blob, done: &mut Done) -> Value {
        if let Some(known) = done.get(&blob) {
            return *known;
        }
        let hir = self.hir;
        let width = hir.blobs.width(blob);
        let value = match hir.blobs.node(blob) {
            Tree::Constant(value) => self.editor.int(*value),
            Tree::Temp(temp) => self.read(*temp),
            Tree::Cast(cast, operand) => {
                let value = self.blob(*operand, done);
                match cast {
                    Cast::PtrToInt => self.cast_to(CastOp::PtrToInt, value, Type::int(width)),
                    Cast::Trunc | Cast::ZExt => self.brought(value, width, false),
                    Cast::SExt => self.brought(value, width, true),
                }
            }
            Tree::UDiv([left, right]) => {
                let dividend = self.blob(*left, done);
                let mut divisor = self.blob(*right, done);
                if hir.blobs.as_constant(*right).is_none_or(Int::is_zero) {
                    let (zero, one) = (self.editor.int(Int::zero(width)), self.editor.int(Int::one(width)));
                    let is_zero = self.compare(IntPredicate::Eq, divisor, zero);
                    divisor = self.choose(is_zero, one, divisor);
                }
                self.binary(BinaryOp::UDiv, dividend, divisor)
            }
            Tree::NAry(op, operands) => {
                let values: Vec<Value> = operands.iter().map(|o| self.blob(*o, done)).collect();
                let mut value = values[0];
                for next in &values[1..] {
                    value = self.nary(*op, value, *next);
                }
                value
            }
        };
        done.insert(blob, value);
        value
    }
    fn nary(&mut self, op: NAry, left: Value, right: Value) -> Value {
        let pred = match op {
            NAry::Add => return self.binary(BinaryOp::Add, left, right),
            NAry::Mul => return self.binary(BinaryOp::Mul, left, right),
            NAry::UMax => IntPredicate::Ugt,
            NAry::SMax => IntPredicate::Sgt,
            // All leaves are well defined, so the order of a sequential minimum does not matter.
            NAry::UMin | NAry::UMinSeq => IntPredicate::Ult,
            NAry::SMin => IntPredicate::Slt,
        };
        let is_left = self.compare(pred, left, right);
        self.choose(is_left, left, right)
    }
    /// The value of a reference; for a memory reference its address.
    pub(super) fn reference(&mut self, node: Node, of: &RegDdRef) -> Value {
        match of.form() {
            Form::Terminal(form) => self.form(node, form),
            Form::Memory(memory) => self.address(node, memory),
        }
    }
    pub(super) fn predicate(&mut self, node: Node, of: &Predicate) -> Value {
        let [left, right] = of.refs.each_ref().map(|r| self.reference(node, r));
        match of.compare {
            Compare::Int(pred) => self.compare(pred, left, right),
            Compare::Float(pred) => {
                self.put(InstData::new(InstKind::FCmp(pred, FastMath::NONE), Type::I1, [left, right], []))
            }
        }
    }
    pub(super) fn instruction(&mut self, node: Node, inst: &HlInst) {
        let mut operands: Vec<Value> = inst.rvals.iter().map(|of| self.reference(node, of)).collect();
        let target = inst.lval.as_ref().and_then(|of| of.as_temp(&self.hir.blobs));
        let value = match &inst.operation {
            Operation::Copy => operands[0],
            Operation::Ir(template) => {
                if let Some(Form::Memory(to)) = inst.lval.as_ref().map(RegDdRef::form) {
                    self.used.insert((node, Part::Stored), operands[0]);
                    operands.push(self.address(node, to));
                }
                let mut data = InstData::new(template.kind.clone(), template.ty, operands, []);
                data.metadata.clone_from(&template.metadata);
                self.put(data)
            }
        };
        if let Some(temp) = target {
            if let (Operation::Ir(_), Value::Inst(made)) = (&inst.operation, value) {
                let name = self.hir.blobs.temp(temp).name.trim_start_matches('%').to_owned();
                self.name(made, &name);
            }
            self.write(temp, value);
            self.made.extend(self.ssa.value(self.at, Var::Temp(temp)).map(|value| (node, value)));
        }
    }
}
