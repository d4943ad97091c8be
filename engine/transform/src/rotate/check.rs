//! Whether a loop can be rotated, and whether its header is small enough to be copied.

use super::{FormPart, LoopRotate, Missed};
use crate::pass::Shape;
use backedge_analysis::LoopId;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::constant::{ConstData, GlobalRef};
use backedge_ir::entity::{Block, FuncId, Inst};
use backedge_ir::inst::{CallView, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;
use backedge_ir::types::Type;

/// What is so of a loop that can be rotated.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Its header, which ends in a conditional branch.
    pub(super) header: Block,
    /// Its preheader.
    pub(super) preheader: Block,
    /// Its only latch, which does not leave the loop and is not the header.
    pub(super) latch: Block,
    /// The header's successor in the loop.
    pub(super) new_header: Block,
    /// The header's successor outside.
    pub(super) exit: Block,
}

/// Whether `l` can be rotated.
pub(super) fn check(env: &Env, body: &Body, shape: &Shape, l: LoopId) -> Result<Facts, Missed> {
    let Shape { cfg, loops, .. } = shape;
    let header = loops.header(l);
    let preheader = loops.preheader(cfg, l).ok_or(Missed::NotSimplified(FormPart::Preheader))?;
    let latch = loops.single_latch(cfg, l).ok_or(Missed::NotSimplified(FormPart::SingleBackedge))?;
    if !loops.has_dedicated_exits(cfg, l) {
        return Err(Missed::NotSimplified(FormPart::DedicatedExits));
    }
    if loops.is_exiting(cfg, l, latch) {
        return Err(Missed::AlreadyRotated);
    }
    let (new_header, exit) = branch_out(body, shape, l)?;
    for &inst in body.insts(header) {
        check_duplicable(env, body, inst)?;
    }
    Ok(Facts { header, preheader, latch, new_header, exit })
}

/// The successors of the header in the loop and outside.
fn branch_out(body: &Body, shape: &Shape, l: LoopId) -> Result<(Block, Block), Missed> {
    let header = shape.loops.header(l);
    if !shape.loops.is_exiting(&shape.cfg, l, header) {
        return Err(Missed::HeaderDoesNotExit);
    }
    let terminator = body.terminator(header).map(|t| body.inst(t));
    let mnemonic = terminator.map_or("nothing", |t| t.kind.mnemonic());
    match terminator.map(|t| (&t.kind, t.successors())) {
        Some((InstKind::CondBr, &[a, b])) if shape.loops.contains(l, a) => Ok((a, b)),
        Some((InstKind::CondBr, &[a, b])) => Ok((b, a)),
        Some(_) | None => Err(Missed::HeaderNotConditional { terminator: mnemonic }),
    }
}

fn check_duplicable(env: &Env, body: &Body, inst: Inst) -> Result<(), Missed> {
    let data = body.inst(inst);
    if data.ty == Type::TOKEN {
        return Err(Missed::Token);
    }
    let Some(call) = data.call() else { return Ok(()) };
    if has_call_attr(env, body, call, FlagAttr::Convergent) {
        return Err(Missed::ConvergentCall);
    }
    if has_call_attr(env, body, call, FlagAttr::NoDuplicate) {
        return Err(Missed::NoDuplicateCall);
    }
    Ok(())
}

/// The function that `call` calls directly.
pub(super) fn direct_callee(body: &Body, call: CallView<'_>) -> Option<FuncId> {
    let Value::Const(callee) = call.callee() else { return None };
    match body.constant(callee).data {
        ConstData::Global(GlobalRef::Func(func)) => Some(func),
        _ => None,
    }
}

/// The intrinsic that `inst` calls.
pub(super) fn called_intrinsic(env: &Env, body: &Body, inst: Inst) -> Option<Intrinsic> {
    body.inst(inst).call().and_then(|c| direct_callee(body, c)).and_then(|f| env.funcs[f].intrinsic)
}

/// Whether `call` or the function that it calls has the attribute.
pub(crate) fn has_call_attr(env: &Env, body: &Body, call: CallView<'_>, flag: FlagAttr) -> bool {
    let callee = direct_callee(body, call);
    env.has_attr(&call.info.fn_attrs, flag) || callee.is_some_and(|f| env.has_attr(&env.funcs[f].attrs, flag))
}

/// Whether it pays.
pub(super) fn decide(env: &Env, body: &Body, facts: Facts, options: LoopRotate) -> Result<Facts, Missed> {
    let size = body.insts(facts.header).iter().filter(|i| counts(env, body, **i)).count();
    let limit = options.max_header_size;
    if size > limit { Err(Missed::HeaderTooLarge { size, limit }) } else { Ok(facts) }
}

/// Whether copying `inst` costs something: not phis, which are replaced, nor what only says something to optimizers
/// and debuggers. The branch counts, as it does in LLVM.
fn counts(env: &Env, body: &Body, inst: Inst) -> bool {
    if matches!(body.inst(inst).kind, InstKind::Phi(_) | InstKind::DebugRecord(_)) {
        return false;
    }
    let free = |i: Intrinsic| {
        i.is_debug()
            || matches!(
                i,
                Intrinsic::Assume
                    | Intrinsic::SideEffect
                    | Intrinsic::DoNothing
                    | Intrinsic::PseudoProbe
                    | Intrinsic::NoAliasScopeDecl
                    | Intrinsic::Expect
                    | Intrinsic::ExpectWithProbability
                    | Intrinsic::LifetimeStart
                    | Intrinsic::LifetimeEnd
                    | Intrinsic::IsConstant
                    | Intrinsic::ObjectSize
            )
    };
    !called_intrinsic(env, body, inst).is_some_and(free)
}
