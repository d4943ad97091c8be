//! Header phis that accumulate: reductions, and selections of the last value for which a condition held.
//!
//! The *chain* of a phi is the set of all values in the loop that depend on it. It is accepted if each of its
//! instructions has one of these forms and has no other users in the loop:
//!
//! - an operation of a single kind, on one value of the chain and one that does not depend on the chain (`r + x`,
//!   `r - x`, `r * x`, `r & x`, the min/max intrinsics, or a compare and select of the same two values);
//! - a choice whose condition does not depend on the chain: a `select`, or a phi inside the loop.
//!
//! In a *reduction* all choices are between values of the chain. Each value is then `r op y` for the phi `r`, where `y`
//! depends only on the current iteration; this includes the value for the next iteration. So lanes can accumulate
//! independently, each from the identity of the operation, and are combined with the start at the end. Integer
//! operations lose their flags, because the partial results of lanes differ from those of the source.
//!
//! A *selection* contains no operation, and some of the chosen values are not of the chain: the result is the value
//! chosen last, or the start. If all such values are a single invariant, the iteration does not matter (any-of). The
//! condition of a selection is frozen before lanes are combined, because in the source a later selection hides the
//! poison of an earlier one.
//!
//! The result of a reduction may be stored to an invariant address in each iteration. No other access in the loop reads
//! or writes that memory ([`super::depends`] checks this), so a single store after the vector loop suffices.
//!
//! An `llvm.fmuladd` that adds a product to the chain counts as an addition. Floating-point additions and
//! multiplications are reordered if the whole chain has `reassoc`; a single addition that executes in each iteration
//! can stay in order instead. Min/max by comparison, `llvm.minnum` and `llvm.maxnum` need `nnan` and `nsz`;
//! `llvm.minimum` and `llvm.maximum` need no flags.

use super::form::ends;
use super::{Form, LegalityMissed, Masks};
use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, Constant};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, FastMath, FloatBinaryOp, FloatPredicate, InstKind, IntPredicate, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::{FloatKind, Type, TypeKind};
use backedge_scev::ScalarEvolution;
use rustc_hash::FxHashSet;
use std::fmt;

/// Limit for the number of instructions of a chain: bounds the time for one phi, which is rejected beyond it.
const MOST: usize = 64;

/// The operation of a reduction.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ReductionKind {
    /// Integer sum or difference.
    Add,
    /// Integer product.
    Mul,
    /// `and`.
    And,
    /// `or`.
    Or,
    /// `xor`.
    Xor,
    /// Signed minimum.
    SMin,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// Floating-point sum or difference.
    FAdd,
    /// Floating-point product.
    FMul,
    /// Minimum, assuming no NaN and no signed zeros.
    FMin,
    /// Maximum, assuming no NaN and no signed zeros.
    FMax,
    /// `llvm.minimum`.
    FMinimum,
    /// `llvm.maximum`.
    FMaximum,
}

impl ReductionKind {
    /// The intrinsic that combines the lanes, without its type suffix.
    pub fn intrinsic(self) -> Intrinsic {
        match self {
            Self::Add => Intrinsic::VectorReduceAdd,
            Self::Mul => Intrinsic::VectorReduceMul,
            Self::And => Intrinsic::VectorReduceAnd,
            Self::Or => Intrinsic::VectorReduceOr,
            Self::Xor => Intrinsic::VectorReduceXor,
            Self::SMin => Intrinsic::VectorReduceSMin,
            Self::SMax => Intrinsic::VectorReduceSMax,
            Self::UMin => Intrinsic::VectorReduceUMin,
            Self::UMax => Intrinsic::VectorReduceUMax,
            Self::FAdd => Intrinsic::VectorReduceFAdd,
            Self::FMul => Intrinsic::VectorReduceFMul,
            Self::FMin => Intrinsic::VectorReduceFMin,
            Self::FMax => Intrinsic::VectorReduceFMax,
            Self::FMinimum => Intrinsic::VectorReduceFMinimum,
            Self::FMaximum => Intrinsic::VectorReduceFMaximum,
        }
    }
}

impl fmt::Display for ReductionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.intrinsic().name().trim_start_matches("vector.reduce."))
    }
}

/// A header phi that accumulates values of all iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// Its value before the first iteration.
    pub start: Value,
    /// The operation.
    pub kind: ReductionKind,
    /// The chain in linear order, without the phi.
    pub chain: Vec<Inst>,
    /// The phi's value for the next iteration; part of the chain.
    pub result: Inst,
    /// Stores of the result to an invariant address in each iteration, in linear order.
    pub stores: Vec<Inst>,
    /// Whether the order of iterations must be kept; the chain is then a single addition.
    pub in_order: bool,
    /// The fast-math flags common to all floating-point operations of the chain.
    pub fast: FastMath,
}

impl Reduction {
    /// Whether an iteration may skip the operation.
    pub fn may_skip_operation(&self, body: &Body) -> bool {
        self.chain.iter().any(|inst| matches!(body.inst(*inst).kind, InstKind::Select(_) | InstKind::Phi(_)))
    }
    /// Whether the start may be NaN.
    pub fn may_start_with_nan(&self, body: &Body) -> bool {
        body.ty(self.start).is_float() && !is_number(body, self.start)
    }
}

/// Whether a value is a floating-point constant other than NaN.
fn is_number(body: &Body, value: Value) -> bool {
    let Value::Const(constant) = value else { return false };
    let Constant { ty, data: ConstData::Float(bits) } = *body.constant(constant) else { return false };
    let fraction = match ty.kind() {
        TypeKind::Float(FloatKind::Half) => 10,
        TypeKind::Float(FloatKind::BFloat) => 7,
        TypeKind::Float(FloatKind::Float) => 23,
        TypeKind::Float(FloatKind::Double) => 52,
        TypeKind::Float(FloatKind::Fp128) => 112,
        _ => return false,
    };
    let TypeKind::Float(format) = ty.kind() else { return false };
    let infinity = ((1u128 << (format.bits() - 1 - fraction)) - 1) << fraction;
    let magnitude = bits & !(1 << (format.bits() - 1));
    magnitude <= infinity
}

impl ReductionKind {
    /// The flags of the chain that also hold for per-lane operations: sums and products of lanes may be infinite or NaN
    /// where those of the source are not.
    pub fn flags_for_lanes(self, fast: FastMath) -> FastMath {
        match self {
            Self::FAdd | Self::FMul => fast.without(FastMath::NNAN.union(FastMath::NINF)),
            _ => fast,
        }
    }
}

/// A header phi whose value is the last one selected in any iteration, or its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Its value before the first iteration.
    pub start: Value,
    /// The choices in linear order.
    pub chain: Vec<Inst>,
    /// The phi's value for the next iteration; part of the chain.
    pub result: Inst,
    /// The selected value if it is the same in all iterations, so that it does not matter which one selects it
    /// (any-of).
    pub any_of: Option<Value>,
}

/// The classification of a chain.
pub(super) enum ChainKind {
    Reduction(Reduction),
    Selection(Selection),
}

/// The role of an instruction in a chain.
enum Link {
    /// An operation.
    Operation(ReductionKind, FastMath),
    /// The comparison of a minimum or maximum.
    Compared,
    /// A choice, with its operands that are not of the chain.
    Choice(Vec<Value>),
}

/// Classifies the chain of `phi`. `None` if it is neither a reduction nor a selection; an error if only the order of
/// floating-point operations prevents it.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    masks: &Masks,
    phi: Inst,
) -> Result<Option<ChainKind>, LegalityMissed> {
    let Some((start, result)) = ends(scev, form, phi) else { return Ok(None) };
    let Some(result) = result.as_inst().filter(|i| *i != phi && form.contains(*i)) else { return Ok(None) };
    let body = scev.body();
    let Some((chain, stores)) = chain_of(body, form, phi, result) else { return Ok(None) };
    for store in &stores {
        if !stores_in_place(scev, form, masks, *store) {
            return Ok(None);
        }
    }
    let members: FxHashSet<Inst> = chain.iter().copied().chain([phi]).collect();
    if !members.contains(&result) {
        return Ok(None);
    }
    let of_chain = |v: Value| v.as_inst().is_some_and(|i| members.contains(&i));
    let (mut kind, mut fast, mut chosen) = (None, FastMath::FAST, Vec::new());
    for &inst in &chain {
        match link(scev, inst, &of_chain) {
            None => return Ok(None),
            Some(Link::Compared) => {}
            Some(Link::Choice(values)) => chosen.extend(values),
            Some(Link::Operation(of, flags)) => {
                if kind.is_some_and(|k| k != of) {
                    return Ok(None);
                }
                kind = Some(of);
                fast = fast.intersect(flags);
            }
        }
    }
    let Some(kind) = kind else {
        if !stores.is_empty() {
            return Ok(None);
        }
        let Some(first) = chosen.first().copied() else { return Ok(None) };
        let invariant = first.as_inst().is_none_or(|i| !form.contains(i));
        let any_of = (invariant && chosen.iter().all(|v| *v == first)).then_some(first);
        return Ok(Some(ChainKind::Selection(Selection { start, chain, result, any_of })));
    };
    if !chosen.is_empty() || !fits(kind, body.inst(phi).ty) {
        return Ok(None);
    }
    let needs_order =
        matches!(kind, ReductionKind::FAdd | ReductionKind::FMul) && !fast.contains(FastMath::REASSOC);
    let in_order = needs_order && kind == ReductionKind::FAdd && chain.len() == 1 && adds(body, phi, result);
    let in_all_lanes = || body.block_of(result).is_some_and(|b| !masks.has_mask(b));
    if needs_order && !(in_order && in_all_lanes()) {
        return Err(LegalityMissed::FloatOrder);
    }
    Ok(Some(ChainKind::Reduction(Reduction { start, kind, chain, result, stores, in_order, fast })))
}

/// Whether `inst` is a floating-point addition with the operand `phi`.
fn adds(body: &Body, phi: Inst, inst: Inst) -> bool {
    let data = body.inst(inst);
    matches!(data.kind, InstKind::FloatBinary(FloatBinaryOp::FAdd, _)) && data.operands.contains(&phi.into())
}

/// Whether a store executes in each iteration with an invariant address.
fn stores_in_place(scev: &mut ScalarEvolution<'_>, form: &Form, masks: &Masks, store: Inst) -> bool {
    let body = scev.body();
    let in_each = body.block_of(store).is_some_and(|b| !masks.is_conditional(b));
    let place = body.inst(store).operands.get(1).copied().and_then(|pointer| scev.expr(pointer));
    in_each && place.is_some_and(|place| scev.is_available_at_entry(place, form.l))
}

/// The chain of `phi` in linear order, provided `result` is the only value that returns to `phi`; and the stores of the
/// chain's values.
fn chain_of(body: &Body, form: &Form, phi: Inst, result: Inst) -> Option<(Vec<Inst>, Vec<Inst>)> {
    let mut seen = FxHashSet::default();
    let mut stores = Vec::new();
    let mut work = vec![phi];
    while let Some(inst) = work.pop() {
        for use_ in body.code_uses(inst.into()) {
            let user = use_.user;
            if !form.contains(user) {
                continue;
            }
            if user == phi {
                if inst != result {
                    return None;
                }
                continue;
            }
            if form.is_header_phi(body, user) || seen.len() > MOST {
                return None;
            }
            if matches!(body.inst(user).kind, InstKind::Store(_)) && use_.index == 0 && inst == result {
                stores.push(user);
                continue;
            }
            if seen.insert(user) {
                work.push(user);
            }
        }
    }
    let mut chain: Vec<Inst> = seen.into_iter().collect();
    chain.sort_by_key(|inst| form.position(*inst));
    stores.sort_by_key(|inst| form.position(*inst));
    Some((chain, stores))
}

/// The role of `inst` in a chain.
fn link(scev: &ScalarEvolution<'_>, inst: Inst, of_chain: &dyn Fn(Value) -> bool) -> Option<Link> {
    let body = scev.body();
    let data = body.inst(inst);
    let first_only = |v: &[Value]| matches!(v, [a, b] if of_chain(*a) && !of_chain(*b));
    let one_only = |v: &[Value]| matches!(v, [a, b] if of_chain(*a) != of_chain(*b));
    let operation = |kind, fast| Some(Link::Operation(kind, fast));
    match &data.kind {
        InstKind::Binary(op, _) => {
            let kind = match op {
                BinaryOp::Add => ReductionKind::Add,
                BinaryOp::Sub if first_only(&data.operands) => ReductionKind::Add,
                BinaryOp::Mul => ReductionKind::Mul,
                BinaryOp::And => ReductionKind::And,
                BinaryOp::Or => ReductionKind::Or,
                BinaryOp::Xor => ReductionKind::Xor,
                _ => return None,
            };
            one_only(&data.operands).then(|| operation(kind, FastMath::FAST)).flatten()
        }
        InstKind::FloatBinary(op, fast) => {
            let kind = match op {
                FloatBinaryOp::FAdd => ReductionKind::FAdd,
                FloatBinaryOp::FSub if first_only(&data.operands) => ReductionKind::FAdd,
                FloatBinaryOp::FMul => ReductionKind::FMul,
                _ => return None,
            };
            one_only(&data.operands).then(|| operation(kind, *fast)).flatten()
        }
        InstKind::Call(info) => {
            let call = data.call()?;
            let intrinsic = called_intrinsic(scev.at.env, body, call)?;
            if call.bundles().next().is_some() {
                return None;
            }
            if intrinsic == Intrinsic::FMulAdd {
                let adds = matches!(call.args(), [a, b, c] if !of_chain(*a) && !of_chain(*b) && of_chain(*c));
                return adds.then(|| operation(ReductionKind::FAdd, info.fast)).flatten();
            }
            let kind = of_intrinsic(intrinsic, info.fast).filter(|_| one_only(call.args()))?;
            operation(kind, info.fast)
        }
        InstKind::ICmp { .. } | InstKind::FCmp(..) => {
            // The comparison of a min/max: its only user must be the select, which determines the kind.
            let mut users = body.code_uses(inst.into());
            let (Some(user), None) = (users.next(), users.next()) else { return None };
            (user.index == 0 && extreme(body, user.user, of_chain).is_some()).then_some(Link::Compared)
        }
        InstKind::Select(_) if of_chain(data.operands[0]) => {
            let (kind, fast) = extreme(body, inst, of_chain)?;
            operation(kind, fast)
        }
        InstKind::Select(_) => Some(Link::Choice(others(&data.operands[1..], of_chain))),
        InstKind::Phi(_) => Some(Link::Choice(others(&data.operands, of_chain))),
        _ => None,
    }
}

fn others(values: &[Value], of_chain: &dyn Fn(Value) -> bool) -> Vec<Value> {
    values.iter().copied().filter(|v| !of_chain(*v)).collect()
}

fn of_intrinsic(intrinsic: Intrinsic, fast: FastMath) -> Option<ReductionKind> {
    let without = fast.contains(FastMath::NNAN) && fast.contains(FastMath::NSZ);
    Some(match intrinsic {
        Intrinsic::SMin => ReductionKind::SMin,
        Intrinsic::SMax => ReductionKind::SMax,
        Intrinsic::UMin => ReductionKind::UMin,
        Intrinsic::UMax => ReductionKind::UMax,
        Intrinsic::MinNum if without => ReductionKind::FMin,
        Intrinsic::MaxNum if without => ReductionKind::FMax,
        Intrinsic::Minimum => ReductionKind::FMinimum,
        Intrinsic::Maximum => ReductionKind::FMaximum,
        _ => return None,
    })
}

/// The min/max of a chain value and another value that `inst` computes by comparing and selecting the two.
fn extreme(body: &Body, inst: Inst, of_chain: &dyn Fn(Value) -> bool) -> Option<(ReductionKind, FastMath)> {
    let data = body.inst(inst);
    let InstKind::Select(of_select) = data.kind else { return None };
    let &[condition, if_true, if_false] = &data.operands[..] else { return None };
    let compared = body.inst(condition.as_inst()?);
    let &[left, right] = &compared.operands[..] else { return None };
    let straight = (left, right) == (if_true, if_false);
    let crossed = (right, left) == (if_true, if_false);
    if of_chain(left) == of_chain(right) || !straight && !crossed {
        return None;
    }
    match compared.kind {
        // Pointers have no min/max operation to combine lanes.
        InstKind::ICmp { pred, samesign: false } if body.ty(left).is_int() => {
            let pred = if straight { pred } else { pred.swapped() };
            let kind = match pred {
                IntPredicate::Slt | IntPredicate::Sle => ReductionKind::SMin,
                IntPredicate::Sgt | IntPredicate::Sge => ReductionKind::SMax,
                IntPredicate::Ult | IntPredicate::Ule => ReductionKind::UMin,
                IntPredicate::Ugt | IntPredicate::Uge => ReductionKind::UMax,
                IntPredicate::Eq | IntPredicate::Ne => return None,
            };
            Some((kind, FastMath::FAST))
        }
        InstKind::FCmp(pred, of_compare) => float_extreme(pred, straight, (of_select, of_compare)),
        _ => None,
    }
}

fn float_extreme(
    pred: FloatPredicate,
    straight: bool,
    (of_select, of_compare): (FastMath, FastMath),
) -> Option<(ReductionKind, FastMath)> {
    let needed = FastMath::NNAN.union(FastMath::NSZ);
    // The comparison's `nnan` also holds for the selected values, which are its operands; `nsz` must be on the select.
    let known = of_select.contains(needed)
        || of_compare.contains(FastMath::NNAN) && of_select.contains(FastMath::NSZ);
    if !known {
        return None;
    }
    let less = match pred {
        FloatPredicate::Olt | FloatPredicate::Ole | FloatPredicate::Ult | FloatPredicate::Ule => true,
        FloatPredicate::Ogt | FloatPredicate::Oge | FloatPredicate::Ugt | FloatPredicate::Uge => false,
        _ => return None,
    };
    let kind = if less == straight { ReductionKind::FMin } else { ReductionKind::FMax };
    Some((kind, of_select))
}

/// Whether `kind` can combine lanes of type `ty`.
fn fits(kind: ReductionKind, ty: Type) -> bool {
    use ReductionKind as K;
    match kind {
        K::Add | K::Mul | K::And | K::Or | K::Xor | K::SMin | K::SMax | K::UMin | K::UMax => ty.is_int(),
        K::FAdd | K::FMul | K::FMin | K::FMax | K::FMinimum | K::FMaximum => ty.is_float(),
    }
}
