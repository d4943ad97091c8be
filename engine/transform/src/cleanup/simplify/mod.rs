//! Replaces an instruction by an existing value or a constant.
//!
//! Two kinds of rules: [`simplify`] matches an instruction and its operands to a bounded depth, without analyses;
//! [`known::simplify`] queries the analyses. [`simplify_inst`] tries both.
//!
//! Guarantees of every rule: whenever the instruction is executed without UB, the new value refines the old one: it
//! is poison only if the old one was, and its undef bits are undef in the old one too. It is available at the
//! instruction. A constant that contains `undef` is never a result, since each of its uses could see another choice.
//! Source of the rules: LangRef of each instruction. Flags only make the old value poison in more cases, so a rule
//! may ignore them unless it uses them.
//!
//! In unreachable blocks, the only guarantee is that the result is not the instruction itself.

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

/// The replacement of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Simple {
    /// A value of the body.
    Value(Value),
    /// An integer, or a splat vector of it, of that type.
    Int(Type, Int),
    /// The all-zero value of that type.
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
    /// The replacement as a value; creates constants as needed.
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

/// The replacement of `inst`, with and without analyses.
pub fn simplify_inst(at: At<'_>, inst: Inst) -> Option<Simple> {
    simplify(at.env, at.body, inst).or_else(|| known::simplify(at, inst))
}

/// The replacement of `inst` according to its operands, without analyses.
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
    /// Whether `found` contains no `undef` and is not the instruction itself.
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
    /// Folds an instruction whose operands are all integer constants or splats of them.
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
    /// The result of an instruction with UB may be replaced by any value.
    fn outcome(self, ty: Type, outcome: Outcome) -> Option<Simple> {
        Some(match outcome {
            Outcome::Int(value) => Simple::Int(ty, value),
            Outcome::Poison | Outcome::Undefined => Simple::Poison(ty),
        })
    }

    // Properties of operands.

    /// The integer that `value` is, or of which it is a splat.
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
    /// The integer `n` of type `ty`, or a splat of it.
    fn small(self, ty: Type, n: i128) -> Option<Simple> {
        let bits = self.env.types.scalar(ty).int_bits().filter(|w| *w <= Int::MAX_WIDTH)?;
        Some(Simple::Int(ty, Int::from_i128(bits, n)))
    }
    fn data(self, value: Value) -> Option<&'a InstData> {
        value.as_inst().map(|i| self.body.inst(i))
    }
    /// The operands and flags of `value` if it is an `op`.
    fn operands_of(self, value: Value, op: BinaryOp) -> Option<(Value, Value, BinaryFlags)> {
        let data = self.data(value)?;
        match (&data.kind, data.operands.as_slice()) {
            (InstKind::Binary(is, flags), &[a, b]) if *is == op => Some((a, b, *flags)),
            _ => None,
        }
    }
    /// The operand of `value` other than `one`, if it is the commutative `op` and `one` is an operand.
    fn other_operand(self, value: Value, op: BinaryOp, one: Value) -> Option<(Value, BinaryFlags)> {
        let (a, b, flags) = self.operands_of(value, op)?;
        match one {
            one if one == a => Some((b, flags)),
            one if one == b => Some((a, flags)),
            _ => None,
        }
    }
    /// The value of which `value` is the bitwise complement.
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
