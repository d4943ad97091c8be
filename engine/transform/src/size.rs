//! Code size, in instructions that are not free.

use backedge_analysis::must_execute::called_intrinsic;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::module::Env;

/// The number of instructions in `blocks` that are not free.
pub fn size_of(env: &Env, body: &Body, blocks: &[Block]) -> usize {
    blocks.iter().flat_map(|b| body.insts(*b)).filter(|i| !is_free(env, body, **i)).count()
}

/// The cost of executing `inst`, in instructions. A call costs more than one.
pub fn weight_of(env: &Env, body: &Body, inst: Inst) -> u32 {
    /// The cost of a call, in instructions: arguments, the call itself and the return.
    const CALL: u32 = 5;
    match &body.inst(inst).kind {
        _ if is_free(env, body, inst) => 0,
        InstKind::Call(_) if is_one_instruction(env, body, inst) => 1,
        InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => CALL,
        _ => 1,
    }
}

/// Whether `inst` calls an intrinsic that machines implement with about one instruction.
fn is_one_instruction(env: &Env, body: &Body, inst: Inst) -> bool {
    let called = body.inst(inst).call().and_then(|call| called_intrinsic(env, body, call));
    called.is_some_and(|i| {
        matches!(
            i,
            Intrinsic::Abs
                | Intrinsic::UMin
                | Intrinsic::UMax
                | Intrinsic::SMin
                | Intrinsic::SMax
                | Intrinsic::UCmp
                | Intrinsic::SCmp
                | Intrinsic::UAddWithOverflow
                | Intrinsic::SAddWithOverflow
                | Intrinsic::USubWithOverflow
                | Intrinsic::SSubWithOverflow
                | Intrinsic::UMulWithOverflow
                | Intrinsic::SMulWithOverflow
                | Intrinsic::UAddSat
                | Intrinsic::SAddSat
                | Intrinsic::USubSat
                | Intrinsic::SSubSat
                | Intrinsic::Ctpop
                | Intrinsic::Ctlz
                | Intrinsic::Cttz
                | Intrinsic::BSwap
                | Intrinsic::BitReverse
                | Intrinsic::FShl
                | Intrinsic::FShr
                | Intrinsic::PtrMask
                | Intrinsic::FAbs
                | Intrinsic::FMa
                | Intrinsic::FMulAdd
                | Intrinsic::Sqrt
                | Intrinsic::CopySign
                | Intrinsic::MinNum
                | Intrinsic::MaxNum
                | Intrinsic::Minimum
                | Intrinsic::Maximum
        )
    })
}

/// Whether `inst` is free: a phi, or an instruction that only informs optimizers or debuggers.
pub fn is_free(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    if matches!(data.kind, InstKind::Phi(_) | InstKind::DebugRecord(_)) {
        return true;
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
    data.call().and_then(|call| called_intrinsic(env, body, call)).is_some_and(free)
}
