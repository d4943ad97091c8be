//! Replacing an instruction by a value that is there already, or by a constant.
//!
//! Two kinds of rules: [`simplify`] looks at an instruction and what its operands are made of, at a bounded depth, and
//! needs no analysis; [`known::simplify`] asks the analyses. [`simplify_inst`] tries both.
//!
//! Guarantees of every rule: whenever the instruction is executed without undefined behaviour, the new value refines the
//! old one: it is poison only where the old one was, and undefined bits are none that the old one had not. It is
//! available where the instruction is. A constant that contains `undef` is never the result, since each use of it would
//! see a choice of its own. What the rules may use: LangRef of each instruction; flags only make the old value poison in
//! more cases, so that they need not be looked at unless a rule is built on them.
//!
//! Nothing is said of instructions in unreachable blocks beyond that the result is not the instruction itself.

mod arith;
mod bitwise;
mod calls;
mod choose;
mod compare;
pub mod known;
mod reshape;

use crate::fold::{self, Outcome};
use crate::undef::has_undef;
use backedge_analysis::cache::At;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::editor::Editor;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::types::{Compound, Type};
use smallvec::SmallVec;

/// What an instruction can be replaced by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Simple {
    /// A value of the body.
    Value(Value),
    /// An integer, or a vector of integers that are all the same, of that type.
    Int(Type, Int),
    /// All bits zero, of that type.
    Null(Type),
    /// Poison of that type.
    Poison(Type),
}

impl From<Value> for Simple {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl Simple {
    /// The value, which is made if it is a constant that is not there yet.
    pub fn into_value(self, editor: &mut Editor<'_>) -> Value {
        let constant = |editor: &mut Editor<'_>, ty, data| editor.constant(Constant { ty, data }).into();
        match self {
            Self::Value(value) => value,
            Self::Int(ty, value) if ty.is_int() => editor.int(value),
            Self::Int(ty, value) if value.is_zero() => constant(editor, ty, ConstData::Zero),
            Self::Int(ty, value) => {
                let element = editor.consts().int(value);
                constant(editor, ty, ConstData::Splat(element))
            }
            Self::Null(ty) => match ty.int_bits() {
                Some(bits) => editor.int(Int::zero(bits)),
                None if ty.is_float() => constant(editor, ty, ConstData::Float(0)),
                None => constant(editor, ty, ConstData::Zero),
            },
            Self::Poison(ty) => editor.poison(ty),
        }
    }
}

/// What `inst` can be replaced by, analyses asked.
pub fn simplify_inst(at: At<'_>, inst: Inst) -> Option<Simple> {
    simplify(at.env, at.body, inst).or_else(|| known::simplify(at, inst))
}

/// What `inst` can be replaced by, as its operands show.
pub fn simplify(env: &Env, body: &Body, inst: Inst) -> Option<Simple> {
    let rules = Rules { env, body };
    let data = body.inst(inst);
    let found = rules.of(data)?;
    rules.may_replace(inst, found).then_some(found)
}

/// The rules that need no analysis.
#[derive(Copy, Clone)]
struct Rules<'a> {
    env: &'a Env,
    body: &'a Body,
}

impl<'a> Rules<'a> {
    fn of(self, data: &'a InstData) -> Option<Simple> {
        if let Some(folded) = self.fold(data) {
            return Some(folded);
        }
        let operands = data.operands.as_slice();
        match (&data.kind, operands) {
            (InstKind::Binary(op, flags), &[a, b]) => {
                self.binary(data.ty, *op, *flags, a, b).or_else(|| match op {
                    op if op.is_commutative() => self.binary(data.ty, *op, *flags, b, a),
                    _ => None,
                })
            }
            (InstKind::ICmp { pred, .. }, &[a, b]) => self.icmp(data.ty, *pred, a, b),
            (InstKind::Cast(op, flags), &[a]) => self.cast(data.ty, *op, *flags, a),
            (InstKind::Select(_), &[condition, a, b]) => self.select(condition, a, b),
            (InstKind::Phi(_), _) => self.phi(data),
            (InstKind::Freeze, &[a]) => self.freeze(a),
            (InstKind::Gep { .. }, [base, indices @ ..]) => self.gep(data.ty, *base, indices),
            (InstKind::ExtractValue(path), &[aggregate]) => self.extract_value(data.ty, aggregate, path),
            (InstKind::ExtractElement, &[vector, index]) => self.extract_element(data.ty, vector, index),
            (InstKind::FNeg(_), &[a]) => self.fneg(a),
            (InstKind::Call(_), _) => self.call(data),
            _ => None,
        }
    }
    /// Whether `found` is no constant with `undef` in it, nor the instruction itself.
    fn may_replace(self, inst: Inst, found: Simple) -> bool {
        match found {
            Simple::Value(value) => {
                value != inst.into()
                    && self.body.ty(value) == self.body.inst(inst).ty
                    && !has_undef(self.body, value)
            }
            Simple::Int(..) | Simple::Poison(_) => true,
            Simple::Null(ty) => {
                ty != Type::TOKEN && !matches!(self.env.types.compound(ty), Some(Compound::Target { .. }))
            }
        }
    }
    /// An instruction all of whose operands are integer constants, or vectors of equal ones.
    fn fold(self, data: &InstData) -> Option<Simple> {
        let foldable = matches!(
            data.kind,
            InstKind::Binary(..)
                | InstKind::ICmp { .. }
                | InstKind::Cast(..)
                | InstKind::Select(_)
                | InstKind::Freeze
        );
        if !foldable {
            return None;
        }
        let ints: Option<SmallVec<[Int; 3]>> = data.operands.iter().map(|v| self.int(*v)).collect();
        let element = self.env.types.scalar(data.ty);
        self.outcome(data.ty, fold::outcome(&data.kind, element, &ints?)?)
    }
    /// What has undefined behaviour may be replaced by anything.
    fn outcome(self, ty: Type, outcome: Outcome) -> Option<Simple> {
        Some(match outcome {
            Outcome::Int(value) => Simple::Int(ty, value),
            Outcome::Poison | Outcome::Undefined => Simple::Poison(ty),
        })
    }

    // What operands are.

    /// The integer that `value` is, or that each element of it is.
    fn int(self, value: Value) -> Option<Int> {
        let constant = self.body.constant(value.as_const()?);
        match &constant.data {
            ConstData::Int(value) => Some(*value),
            ConstData::Splat(element) => self.body.consts().as_int(*element),
            ConstData::Zero => {
                let scalar = self.env.types.scalar(constant.ty);
                scalar.int_bits().filter(|w| *w <= Int::MAX_WIDTH).map(Int::zero)
            }
            _ => None,
        }
    }
    fn is_poison(self, value: Value) -> bool {
        value.as_const().is_some_and(|c| self.body.constant(c).data == ConstData::Poison)
    }
    fn is_undef(self, value: Value) -> bool {
        value.as_const().is_some_and(|c| self.body.constant(c).data == ConstData::Undef)
    }
    fn is_zero(self, value: Value) -> bool {
        self.int(value).is_some_and(Int::is_zero)
    }
    fn is_one(self, value: Value) -> bool {
        self.int(value).is_some_and(Int::is_one)
    }
    fn is_all_ones(self, value: Value) -> bool {
        self.int(value).is_some_and(Int::is_all_ones)
    }
    /// The integer `n` of type `ty`, or the vector of it.
    fn small(self, ty: Type, n: i128) -> Option<Simple> {
        let bits = self.env.types.scalar(ty).int_bits().filter(|w| *w <= Int::MAX_WIDTH)?;
        Some(Simple::Int(ty, Int::from_i128(bits, n)))
    }
    fn data(self, value: Value) -> Option<&'a InstData> {
        value.as_inst().map(|i| self.body.inst(i))
    }
    /// The operands and flags of `value` if it is that operation.
    fn operands_of(self, value: Value, op: BinaryOp) -> Option<(Value, Value, BinaryFlags)> {
        let data = self.data(value)?;
        match (&data.kind, data.operands.as_slice()) {
            (InstKind::Binary(is, flags), &[a, b]) if *is == op => Some((a, b, *flags)),
            _ => None,
        }
    }
    /// The other operand of `value` if it is that commutative operation, and `one` an operand of it.
    fn other_operand(self, value: Value, op: BinaryOp, one: Value) -> Option<(Value, BinaryFlags)> {
        let (a, b, flags) = self.operands_of(value, op)?;
        match one {
            one if one == a => Some((b, flags)),
            one if one == b => Some((a, flags)),
            _ => None,
        }
    }
    /// What `value` is the bitwise complement of.
    fn complemented(self, value: Value) -> Option<Value> {
        let (a, b, _) = self.operands_of(value, BinaryOp::Xor)?;
        match () {
            () if self.is_all_ones(b) => Some(a),
            () if self.is_all_ones(a) => Some(b),
            () => None,
        }
    }
    fn is_complement(self, a: Value, b: Value) -> bool {
        self.complemented(a) == Some(b) || self.complemented(b) == Some(a)
    }
}
