//! Poison propagation and poison as UB: which values are never poison, and which values would make the program
//! undefined if they were poison.
//!
//! Source: LangRef, "Poison Values"; the queries are those of LLVM's `ValueTracking` (`propagatesPoison`,
//! `mustTriggerUB`, `programUndefinedIfPoison`, `isGuaranteedNotToBePoison`). Answers of true are proofs; searches are
//! bounded.

use crate::cache::At;
use crate::conditions::Conditions;
use crate::must_execute::{MustExecute, call_has, called_intrinsic, guaranteed_to_transfer};
use crate::order::Order;
use backedge_ir::attr::{AttrList, FlagAttr};
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Arg, Block, Const, EntityId, Inst};
use backedge_ir::inst::{InstData, InstKind, Use, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdKind;
use backedge_ir::module::Env;
use backedge_ir::opcode::{BinaryOp, CastOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Whether poison in this operand makes the whole result poison.
pub fn propagates_poison(env: &Env, body: &Body, use_: Use) -> bool {
    let data = body.inst(use_.user);
    match &data.kind {
        InstKind::Binary(..)
        | InstKind::FloatBinary(..)
        | InstKind::FNeg(_)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::FCmp(..)
        | InstKind::Gep { .. } => true,
        // A vector select selects per lane; a poison condition still makes the whole result poison.
        InstKind::Select(_) => use_.index == 0,
        InstKind::Call(_) => data.call().is_some_and(|call| {
            (use_.index as usize) < call.args().len()
                && call.info.bundles.is_empty()
                && called_intrinsic(env, body, call).is_some_and(intrinsic_propagates)
        }),
        _ => false,
    }
}

/// Intrinsics whose result is poison if any argument is poison.
fn intrinsic_propagates(intrinsic: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        intrinsic,
        I::Abs
            | I::UMin
            | I::UMax
            | I::SMin
            | I::SMax
            | I::UAddWithOverflow
            | I::SAddWithOverflow
            | I::USubWithOverflow
            | I::SSubWithOverflow
            | I::UMulWithOverflow
            | I::SMulWithOverflow
            | I::UAddSat
            | I::SAddSat
            | I::USubSat
            | I::SSubSat
            | I::UShlSat
            | I::SShlSat
            | I::Ctpop
            | I::Ctlz
            | I::Cttz
            | I::BSwap
            | I::BitReverse
            | I::FShl
            | I::FShr
    )
}

/// The operands of `inst` that must not be poison; if one is, executing `inst` is UB.
pub fn operands_must_be_defined(at: At<'_>, inst: Inst) -> SmallVec<[u32; 2]> {
    let At { env, body, func, .. } = at;
    let data = body.inst(inst);
    let mut operands = SmallVec::new();
    match &data.kind {
        InstKind::CondBr
        | InstKind::Switch
        | InstKind::IndirectBr
        | InstKind::Load(_)
        | InstKind::AtomicRmw(..)
        | InstKind::CmpXchg(_) => {
            operands.push(0);
        }
        InstKind::Store(_) => operands.push(1),
        InstKind::Binary(op, _) if op.is_division() && data.ty.is_int() => operands.push(1),
        InstKind::Ret
            if !data.operands.is_empty()
                && func.is_some_and(|f| has_noundef(env, &env.funcs[f].ret_attrs)) =>
        {
            operands.push(0);
        }
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
            call_operands(env, body, data, &mut operands)
        }
        _ => {}
    }
    operands
}

fn has_noundef(env: &Env, list: &AttrList) -> bool {
    env.has_attr(list, FlagAttr::NoUndef)
}

fn call_operands(env: &Env, body: &Body, data: &InstData, operands: &mut SmallVec<[u32; 2]>) {
    let Some(call) = data.call() else { return };
    let callee = crate::effects::called_function(body, call);
    match callee.and_then(|f| env.funcs[f].intrinsic) {
        Some(Intrinsic::Assume | Intrinsic::ExperimentalGuard) => operands.push(0),
        Some(_) => {}
        None => {
            for (i, list) in call.info.arg_attrs.iter().enumerate() {
                let declared = callee.and_then(|f| env.funcs[f].param_attrs.get(i));
                if has_noundef(env, list) || declared.is_some_and(|d| has_noundef(env, d)) {
                    operands.push(i as u32);
                }
            }
            operands.push(data.operands.len() as u32 - 1);
        }
    }
}

/// Limit on the number of instructions and uses visited: bounds the time of a query. Beyond it poison is not known to
/// be UB.
const STEPS: usize = 64;

/// Whether the program has UB whenever `value` is computed (an argument: whenever the function is entered) and is
/// poison. Follows control from the definition while the successor is certain. Claims nothing about constants.
pub fn program_undefined_if_poison(at: At<'_>, value: Value) -> bool {
    let body = at.body;
    let (block, start) = match value {
        Value::Const(_) => return false,
        Value::Arg(_) => (body.entry(), 0),
        Value::Inst(inst) if body.inst(inst).kind.is_terminator() => return false,
        Value::Inst(inst) => (body.block_of(inst), at.get::<Order>().position(inst) as usize + 1),
    };
    let Some(mut block) = block else { return false };
    let mut poison: FxHashSet<Value> = FxHashSet::from_iter([value]);
    let mut rest = &body.insts(block)[start..];
    let mut seen: SmallVec<[Block; 4]> = SmallVec::new();
    for _ in 0..STEPS {
        let Some((&next, after)) = rest.split_first() else { return false };
        rest = after;
        let data = body.inst(next);
        let is_poison = |i: &u32| poison.contains(&data.operands[*i as usize]);
        if operands_must_be_defined(at, next).iter().any(is_poison) {
            return true;
        }
        let passes = (0..data.operands.len() as u32).filter(is_poison);
        let passes =
            passes.map(|index| Use { user: next, index }).any(|u| propagates_poison(at.env, body, u));
        if passes {
            poison.insert(next.into());
        } else {
            // In a cycle, the set may hold this value of an earlier iteration.
            poison.remove(&next.into());
        }
        if !guaranteed_to_transfer(at.env, body, next) {
            return false;
        }
        if let [target] = data.successors()
            && !seen.contains(target)
        {
            seen.push(*target);
            // A phi is poison if its incoming value from this block is poison. An incoming value that is another phi of
            // the target block means that phi's old value.
            let is_poison = |phi: &Inst| body.incoming_from(*phi, block).is_some_and(|v| poison.contains(&v));
            let (now, not): (Vec<Inst>, Vec<Inst>) = body.phis(*target).partition(is_poison);
            not.into_iter().for_each(|phi| _ = poison.remove(&phi.into()));
            poison.extend(now.into_iter().map(Value::from));
            block = *target;
            let from = body.insts(block).iter().take_while(|i| body.inst(**i).kind.is_phi()).count();
            rest = &body.insts(block)[from..];
        }
    }
    false
}

/// Whether a poison `inst`, an instruction of the region of `executed` (a loop's iteration), causes UB in the same
/// iteration: instructions that propagate poison carry it to an operand that must not be poison, and the user of that
/// operand is certainly executed in each iteration.
pub fn undefined_in_iteration(at: At<'_>, executed: &MustExecute, inst: Inst) -> bool {
    let (body, order) = (at.body, at.get::<Order>());
    // An inner loop would compute `inst` several times, and users after the inner loop would see only the last result.
    if body.block_of(inst).is_none_or(|b| at.loops().innermost(b) != executed.of()) {
        return false;
    }
    let mut seen: FxHashSet<Inst> = FxHashSet::from_iter([inst]);
    let mut work = vec![inst];
    let mut steps = 0;
    while let Some(next) = work.pop() {
        for use_ in body.code_uses(next.into()) {
            steps += 1;
            if steps > STEPS {
                return false;
            }
            // The user must follow in the same iteration: executed in every iteration, and not across a backedge.
            if !executed.contains(body, &order, use_.user) || body.inst(use_.user).kind.is_phi() {
                continue;
            }
            if operands_must_be_defined(at, use_.user).contains(&use_.index) {
                return true;
            }
            if propagates_poison(at.env, body, use_) && seen.insert(use_.user) {
                work.push(use_.user);
            }
        }
    }
    false
}

/// Limit on the number of values visited: bounds the time of a query. A further value may be poison.
const VALUES: usize = 64;
/// Limit on the nesting depth of constants: bounds the recursion. A deeper constant may be poison.
const DEPTH: u32 = 6;

/// The property that a query asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Defined {
    /// The value is not poison; it may be undef.
    NotPoison,
    /// The value is neither poison nor undef, and has no undefined bits.
    NotUndef,
}

/// Whether `value` is certainly defined in the sense of `what`. With `context`, an instruction that the definition of
/// `value` dominates, the proof also uses branches and assumptions that dominate `context`. It also uses UB that a
/// poison `value` would certainly cause.
pub fn is_guaranteed_defined(at: At<'_>, value: Value, context: Option<Inst>, what: Defined) -> bool {
    let search = Search { at, context, what, poison: Poison::Counts };
    // Poison that comes from flags is never partial undef.
    let is_whole =
        || what == Defined::NotPoison || Search { poison: Poison::IgnoreFlagPoison, ..search }.defined(value);
    search.defined(value) || is_whole() && program_undefined_if_poison(at, value)
}

/// The reason why a value is defined.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Origin {
    /// The value itself.
    Itself,
    /// Defined if all operands of its instruction are.
    Operands,
    /// No known reason.
    Unknown,
}

/// Whether poison counts as not defined.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Poison {
    /// The value must not be poison.
    Counts,
    /// The value may be poison as a whole, if the poison comes from instruction flags.
    IgnoreFlagPoison,
}

#[derive(Copy, Clone)]
struct Search<'a> {
    at: At<'a>,
    context: Option<Inst>,
    what: Defined,
    poison: Poison,
}

impl Search<'_> {
    /// Whether every value that `value` is computed from is defined by itself or through its own operands. Cycles of
    /// phis need no base case: the first instance of an undefined value must have an undefined operand, and no earlier
    /// instance can be that operand.
    fn defined(&self, value: Value) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![(value, self.context)];
        while let Some((value, context)) = work.pop() {
            if !seen.insert((value, context)) {
                continue;
            }
            let origin = match value {
                _ if seen.len() > VALUES => Origin::Unknown,
                Value::Const(c) if self.constant(c, DEPTH) => Origin::Itself,
                Value::Arg(arg) if self.argument(arg) => Origin::Itself,
                Value::Const(_) => return false,
                Value::Arg(_) => Origin::Unknown,
                Value::Inst(inst) => self.instruction(inst),
            };
            if origin == Origin::Itself
                || context.is_some_and(|c| self.at.get::<Conditions>().is_defined_at(self.at, value, c))
            {
                continue;
            }
            let (Value::Inst(inst), Origin::Operands) = (value, origin) else { return false };
            let data = self.at.body.inst(inst);
            // The context is that of the phi's users; the incoming values need the ends of their incoming blocks
            // instead.
            match data.kind.is_phi() {
                true => {
                    let ends = data.blocks.iter().map(|block| self.at.body.terminator(*block));
                    work.extend(data.operands.iter().copied().zip(ends));
                }
                false => work.extend(data.operands.iter().map(|v| (*v, context))),
            }
        }
        true
    }
    fn argument(&self, arg: Arg) -> bool {
        self.at.func.is_some_and(|f| {
            let attrs = self.at.env.funcs[f].param_attrs.get(arg.index());
            attrs.is_some_and(|a| has_noundef(self.at.env, a))
        })
    }
    fn constant(&self, c: Const, depth: u32) -> bool {
        match &self.at.body.constant(c).data {
            ConstData::Int(_)
            | ConstData::Float(_)
            | ConstData::Zero
            | ConstData::Bytes(_)
            | ConstData::Global(_)
            | ConstData::BlockAddress(_) => true,
            ConstData::Undef => self.what == Defined::NotPoison,
            ConstData::Poison | ConstData::Metadata(_) | ConstData::Expr(_) => false,
            ConstData::Splat(of) => depth > 0 && self.constant(*of, depth - 1),
            ConstData::Aggregate(of) => {
                depth > 0 && of.len() <= 16 && of.iter().all(|c| self.constant(*c, depth - 1))
            }
        }
    }
    /// Whether the result may be undefined in the sense of this search although all operands are defined.
    fn may_create_poison(&self, data: &InstData) -> bool {
        let body = self.at.body;
        match self.poison {
            Poison::Counts => may_create_poison(data, body),
            Poison::IgnoreFlagPoison => may_create_poison_without_flags(data, body),
        }
    }
    fn instruction(&self, inst: Inst) -> Origin {
        let data = self.at.body.inst(inst);
        let by = |is_defined| if is_defined { Origin::Itself } else { Origin::Unknown };
        match &data.kind {
            InstKind::Freeze | InstKind::Alloca(_) => Origin::Itself,
            InstKind::Load(_) => by(data.metadata_of(&MdKind::NoUndef).is_some()),
            InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) => {
                by(has_noundef(self.at.env, &info.ret_attrs)
                    || data
                        .call()
                        .and_then(|c| crate::effects::called_function(self.at.body, c))
                        .is_some_and(|f| has_noundef(self.at.env, &self.at.env.funcs[f].ret_attrs)))
            }
            InstKind::Phi(fast) if fast.is_empty() && data.operands.len() <= 8 => Origin::Operands,
            InstKind::Phi(_) => Origin::Unknown,
            _ if self.may_create_poison(data) => Origin::Unknown,
            _ => Origin::Operands,
        }
    }
}

/// Whether `data`, given defined operands, may have a poison or undefined result. False is a proof.
pub fn may_create_poison(data: &InstData, body: &Body) -> bool {
    let has_flags = match &data.kind {
        InstKind::Binary(_, flags) => *flags != Default::default(),
        InstKind::Cast(_, flags) => *flags != Default::default(),
        InstKind::ICmp { samesign, .. } => *samesign,
        InstKind::Select(fast) => !fast.is_empty(),
        InstKind::Gep { flags, .. } => *flags != Default::default(),
        _ => false,
    };
    has_flags || may_create_poison_without_flags(data, body)
}

/// Like [`may_create_poison`], but ignores poison from flags.
fn may_create_poison_without_flags(data: &InstData, body: &Body) -> bool {
    match &data.kind {
        InstKind::Binary(op, _) => {
            let shift_too_far = || {
                let amount = body.as_int(data.operands[1]);
                amount.is_none_or(|a| a.bits() >= u128::from(a.width()))
            };
            matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) && shift_too_far()
        }
        InstKind::Cast(op, _) => {
            !matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::PtrToAddr)
        }
        // Fast-math flags may also make the sign of a zero differ between uses.
        InstKind::Select(fast) => !fast.is_empty(),
        InstKind::ICmp { .. }
        | InstKind::Gep { .. }
        | InstKind::ExtractValue(_)
        | InstKind::InsertValue(_) => false,
        _ => true,
    }
}

/// Whether the call is known not to return (`noreturn`).
pub fn is_noreturn(env: &Env, body: &Body, inst: Inst) -> bool {
    body.inst(inst).call().is_some_and(|c| call_has(env, body, c, FlagAttr::NoReturn))
}
