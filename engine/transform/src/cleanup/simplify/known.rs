//! Rules that use the analyses: known bits and ranges, conditions that hold at the instruction, and values that are
//! never poison.
//!
//! Facts about a value hold if it is not poison, for every choice of its undef bits. So replacing a value by its
//! known constant is a refinement, and a comparison decided by facts has that result.

use super::{Rules, Simple};
use backedge_analysis::cache::At;
use backedge_analysis::conditions::{Claim, Conditions, is_implied};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_analysis::values::{Demanded, Facts};
use backedge_ir::attr::FlagAttr;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstData, InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Linkage;
use backedge_ir::types::Type;

/// The replacement of `inst` according to the analyses.
pub fn simplify(at: At<'_>, inst: Inst) -> Option<Simple> {
    let rules = Rules { env: at.env, body: at.body };
    let known = Known { at, inst, rules };
    let found = known.of(at.body.inst(inst))?;
    rules.may_replace(inst, found).then_some(found)
}

/// The known value of `condition` at `inst`.
pub fn condition_at(at: At<'_>, condition: Value, inst: Inst) -> Option<bool> {
    let facts = at.get::<Demanded>().at(at, condition, inst)?;
    facts.as_constant().map(|c| !c.is_zero())
}

struct Known<'a> {
    at: At<'a>,
    inst: Inst,
    rules: Rules<'a>,
}

impl<'a> Known<'a> {
    fn of(&self, data: &'a InstData) -> Option<Simple> {
        let special = match (&data.kind, data.operands.as_slice()) {
            (InstKind::ICmp { pred, .. }, &[a, b]) => self.icmp(data.ty, *pred, a, b),
            (InstKind::Binary(op, _), &[a, b]) => self.binary(data.ty, *op, a, b),
            (InstKind::Select(_), &[condition, a, b]) => self.select(condition, a, b),
            (InstKind::Phi(_), _) => self.phi(data),
            (InstKind::Freeze, &[a]) => self.is_defined(a, Defined::NotUndef).then(|| a.into()),
            (InstKind::Call(_), _) => self.call(data),
            _ => None,
        };
        special.or_else(|| self.constant(data))
    }
    /// The constant implied by the facts about the instruction itself.
    fn constant(&self, data: &InstData) -> Option<Simple> {
        data.ty.int_bits()?;
        let value = self.at.get::<Demanded>().of(self.at, self.inst.into())?.as_constant()?;
        Some(Simple::Int(data.ty, value))
    }
    fn facts(&self, value: Value) -> Option<Facts> {
        self.at.get::<Demanded>().at(self.at, value, self.inst)
    }
    fn is_defined(&self, value: Value, what: Defined) -> bool {
        is_guaranteed_defined(self.at, value, Some(self.inst), what)
    }
    fn holds(&self, pred: IntPredicate, a: Value, b: Value) -> Option<bool> {
        let implied = self.at.get::<Conditions>().implied_at(self.at, self.inst, pred, a, b);
        implied.or_else(|| self.facts(a)?.icmp(pred, self.facts(b)?))
    }
    fn icmp(&self, ty: Type, pred: IntPredicate, a: Value, b: Value) -> Option<Simple> {
        if ty.compound_id().is_some() {
            return None;
        }
        if self.at.body.ty(a).is_ptr() {
            return self.icmp_null(ty, pred, a, b);
        }
        self.holds(pred, a, b).map(|truth| Simple::Int(ty, Int::bool(truth)))
    }
    /// Comparisons of an object's address with null.
    fn icmp_null(&self, ty: Type, pred: IntPredicate, a: Value, b: Value) -> Option<Simple> {
        let is_null =
            |v: Value| v.as_const().is_some_and(|c| self.at.body.constant(c).data == ConstData::Zero);
        let object = match (is_null(a), is_null(b)) {
            (false, true) => a,
            (true, false) => b,
            _ => return None,
        };
        let truth = match pred {
            IntPredicate::Eq => false,
            IntPredicate::Ne => true,
            _ => return None,
        };
        self.is_object(object).then(|| Simple::Int(ty, Int::bool(truth)))
    }
    /// Whether a pointer points to an object of this module, whose address is not null.
    fn is_object(&self, pointer: Value) -> bool {
        let env = self.at.env;
        let valid =
            self.at.func.is_none_or(|f| env.has_attr(&env.funcs[f].attrs, FlagAttr::NullPointerIsValid));
        if self.at.body.ty(pointer) != Type::PTR || valid {
            return false;
        }
        match pointer {
            Value::Inst(inst) => matches!(self.at.body.inst(inst).kind, InstKind::Alloca(_)),
            Value::Const(c) => match self.at.body.constant(c).data {
                ConstData::Global(GlobalRef::Var(var)) => env.vars[var].linkage != Linkage::ExternWeak,
                ConstData::Global(GlobalRef::Func(func)) => env.funcs[func].linkage != Linkage::ExternWeak,
                _ => false,
            },
            Value::Arg(_) => false,
        }
    }
    fn binary(&self, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simple> {
        if ty.compound_id().is_some() {
            return None;
        }
        match op {
            BinaryOp::And | BinaryOp::Or if ty == Type::I1 => self.logic(op == BinaryOp::And, a, b),
            BinaryOp::And | BinaryOp::Or => {
                self.masked(op, a, b).or_else(|| self.masked(op, b, a)).map(Simple::from)
            }
            BinaryOp::URem if self.holds(IntPredicate::Ult, a, b) == Some(true) => Some(a.into()),
            BinaryOp::UDiv if self.holds(IntPredicate::Ult, a, b) == Some(true) => {
                Some(Simple::Int(ty, Int::zero(ty.int_bits()?)))
            }
            _ => None,
        }
    }
    /// `a`, if the mask `b` changes none of its bits.
    fn masked(&self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        let mask = self.facts(b)?.bits;
        let bits = self.facts(a)?.bits;
        // For each bit: the mask keeps it, or the bit is known to have the masked value already.
        let keeps = match op {
            BinaryOp::And => bits.zero.or(mask.one),
            _ => bits.one.or(mask.zero),
        };
        keeps.is_all_ones().then_some(a)
    }
    /// `a and b`, or `a or b`, of two comparisons one of which implies the other or its negation.
    fn logic(&self, and: bool, a: Value, b: Value) -> Option<Simple> {
        let truth = |truth: bool| Simple::Int(Type::I1, Int::bool(truth));
        match (and, self.follows(and, a, b), self.follows(and, b, a)) {
            (_, Some(decided), _) | (_, _, Some(decided)) if decided != and => Some(truth(!and)),
            (_, Some(_), _) => Some(a.into()),
            (_, _, Some(_)) => Some(b.into()),
            _ => None,
        }
    }
    /// The value of the comparison `b` if the comparison `a` has the value `given`. Undef bits are harmless: a result
    /// found for one common choice is an allowed result.
    fn follows(&self, given: bool, a: Value, b: Value) -> Option<bool> {
        let compare = |v: Value| {
            let data = self.at.body.inst(v.as_inst()?);
            match (&data.kind, data.operands.as_slice()) {
                (InstKind::ICmp { pred, .. }, &[x, y]) => Some((*pred, x, y)),
                _ => None,
            }
        };
        let (known, left, right) = compare(a)?;
        let (pred, x, y) = compare(b)?;
        let known = if given { known } else { known.inverse() };
        is_implied(self.at.body, &[Claim::Compare { pred: known, left, right }], pred, x, y)
    }
    fn select(&self, condition: Value, a: Value, b: Value) -> Option<Simple> {
        if self.at.body.ty(condition) == Type::I1
            && let Some(truth) = condition_at(self.at, condition, self.inst)
        {
            return Some(if truth { a } else { b }.into());
        }
        if self.at.body.ty(a) == Type::I1
            && let Some(decided) = self.branching_logic(condition, a, b)
        {
            return Some(decided);
        }
        if self.rules.is_undef(b) && self.is_defined(a, Defined::NotPoison) {
            return Some(a.into());
        }
        (self.rules.is_undef(a) && self.is_defined(b, Defined::NotPoison)).then(|| b.into())
    }
    /// `condition ? a : false`, or `condition ? true : b`: poison of the second operand matters only if it is chosen.
    fn branching_logic(&self, condition: Value, a: Value, b: Value) -> Option<Simple> {
        let (and, second) = match () {
            () if self.rules.is_zero(b) => (true, a),
            () if self.rules.is_one(a) => (false, b),
            () => return None,
        };
        if let Some(decided) = self.follows(and, condition, second) {
            let constant = Simple::Int(Type::I1, Int::bool(!and));
            return Some(if decided == and { condition.into() } else { constant });
        }
        None
    }
    /// A phi of one value, and of entries that are undef or poison.
    fn phi(&self, data: &InstData) -> Option<Simple> {
        let block = self.at.body.block_of(self.inst)?;
        let anything = |v: Value| self.rules.is_undef(v) || self.rules.is_poison(v) || v == self.inst.into();
        let mut others = data.operands.iter().copied().filter(|v| !anything(*v));
        let Some(value) = others.next() else {
            // Only undef and poison: make one choice for all.
            return data.operands.iter().any(|v| *v != self.inst.into()).then_some(Simple::Null(data.ty));
        };
        if others.any(|v| v != value) {
            return None;
        }
        let dominates = match value {
            Value::Inst(inst) => {
                let dominators = self.at.dominators();
                self.at.body.block_of(inst).is_some_and(|b| dominators.strictly_dominates(b, block))
            }
            Value::Arg(_) | Value::Const(_) => true,
        };
        if !dominates {
            return None;
        }
        let any_undef = data.operands.iter().any(|v| self.rules.is_undef(*v));
        (!any_undef || is_guaranteed_defined(self.at, value, None, Defined::NotPoison)).then(|| value.into())
    }
    fn call(&self, data: &'a InstData) -> Option<Simple> {
        use IntPredicate as P;
        use Intrinsic as I;
        if data.ty.compound_id().is_some() {
            return None;
        }
        let (intrinsic, args) = self.rules.intrinsic(data)?;
        let &[a, b] = args else { return None };
        let first_if = match intrinsic {
            I::UMin => P::Ule,
            I::UMax => P::Uge,
            I::SMin => P::Sle,
            I::SMax => P::Sge,
            I::Abs => return self.facts(a)?.bits.is_non_negative().then(|| a.into()),
            _ => return None,
        };
        match self.holds(first_if, a, b)? {
            true => Some(a.into()),
            false => Some(b.into()),
        }
    }
}
