//! Functions that may flush denormal numbers: `"denormal-fp-math"`, `"denormal-fp-math-f32"` (LangRef, "Function
//! Attributes").
//!
//! Under any mode except `ieee`, inputs are treated as zero, and results may be, depending on the target. This is not
//! modelled: in such a function a check after each computing operation ends the run if an operand or the result is
//! denormal or has undefined bits. Everything else is the same in all modes. Operations with hidden intermediate
//! results are unsupported.

use super::builder::Builder;
use super::constrained;
use super::op::{DenormalOp, Op};
use crate::outcome::Feature;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastOp, InstData, InstKind, RmwOp};
use backedge_ir::intrinsic::Intrinsic;

/// Reported if a denormal number occurs under such a mode.
pub(crate) const FLUSHED: Feature =
    Feature::Other("denormal numbers under `denormal-fp-math` other than ieee");

/// What an instruction does with floating-point numbers.
enum Work {
    /// It moves bits or has no floating-point operands.
    None,
    /// It computes a result from its operands in one step.
    Computes,
    /// It has hidden intermediate results.
    Hidden,
}

impl Builder<'_> {
    /// Emits the check after `inst`, if it needs one.
    pub(super) fn emit_denormal_check(&mut self, inst: Inst) -> Result<(), Feature> {
        let body = self.body;
        let data = body.inst(inst);
        let work = self.float_work(data);
        if matches!(work, Work::None) {
            return Ok(());
        }
        let operands = match data.call() {
            Some(call) => call.args(),
            None => &data.operands[..],
        };
        let mut values = Vec::new();
        for value in operands {
            let Ok(shape) = self.shape_of(*value) else { continue };
            if self.flushing.concerns(&shape) {
                values.push((self.reg(*value)?, shape));
            }
        }
        let result = self.shape(data.ty)?;
        if self.flushing.concerns(&result) {
            values.push((self.dst(inst), result));
        }
        if values.is_empty() {
            return Ok(());
        }
        if matches!(work, Work::Hidden) {
            return Err(FLUSHED);
        }
        self.push(inst, Op::Denormals(Box::new(DenormalOp { values: values.into() })));
        Ok(())
    }
    fn is_constrained(&self, data: &InstData) -> bool {
        let callee = data.call().and_then(|call| self.called_function(call.callee()));
        callee.is_some_and(|f| self.program.module.env.funcs[f].name.starts_with(constrained::PREFIX))
    }
    fn float_work(&self, data: &InstData) -> Work {
        match &data.kind {
            InstKind::FloatBinary(..) | InstKind::FCmp(..) => Work::Computes,
            InstKind::Cast(op, _) => match op {
                CastOp::FpTrunc
                | CastOp::FpExt
                | CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::UiToFp
                | CastOp::SiToFp => Work::Computes,
                CastOp::Trunc
                | CastOp::ZExt
                | CastOp::SExt
                | CastOp::PtrToInt
                | CastOp::PtrToAddr
                | CastOp::IntToPtr
                | CastOp::BitCast
                | CastOp::AddrSpaceCast => Work::None,
            },
            InstKind::AtomicRmw(RmwOp::Xchg, _) => Work::None,
            InstKind::AtomicRmw(..) => Work::Hidden,
            InstKind::Call(_) | InstKind::Invoke(_) | InstKind::CallBr(_) => {
                match self.called_intrinsic(data) {
                    Some(which) => intrinsic_work(which),
                    None if self.is_constrained(data) => Work::Hidden,
                    None => Work::None,
                }
            }
            // These move bits or have no floats.
            InstKind::FNeg(_)
            | InstKind::Select(_)
            | InstKind::Phi(_)
            | InstKind::Freeze
            | InstKind::Ret
            | InstKind::Br
            | InstKind::CondBr
            | InstKind::Switch
            | InstKind::IndirectBr
            | InstKind::Unreachable
            | InstKind::Resume
            | InstKind::Binary(..)
            | InstKind::ICmp { .. }
            | InstKind::Alloca(_)
            | InstKind::Load(_)
            | InstKind::Store(_)
            | InstKind::Gep { .. }
            | InstKind::ExtractValue(_)
            | InstKind::InsertValue(_)
            | InstKind::ExtractElement
            | InstKind::InsertElement
            | InstKind::ShuffleVector(_)
            | InstKind::Fence(..)
            | InstKind::CmpXchg(_)
            | InstKind::VaArg
            | InstKind::LandingPad { .. }
            | InstKind::DebugRecord(_) => Work::None,
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not named computes, which asks for most")]
fn intrinsic_work(which: Intrinsic) -> Work {
    use Intrinsic as I;
    match which {
        I::FAbs | I::CopySign | I::IsFpClass | I::ArithmeticFence | I::SsaCopy | I::IsConstant => Work::None,
        I::VectorReverse | I::VectorInsert | I::VectorExtract => Work::None,
        I::VectorSplice | I::VectorSpliceLeft | I::VectorSpliceRight => Work::None,
        I::MaskedLoad | I::MaskedStore | I::MaskedGather | I::MaskedScatter => Work::None,
        I::MaskedExpandLoad | I::MaskedCompressStore => Work::None,
        I::ExperimentalGuard | I::ExperimentalDeoptimize => Work::None,
        I::FMulAdd | I::PowI | I::VectorReduceFAdd | I::VectorReduceFMul => Work::Hidden,
        I::VectorReduceFMin | I::VectorReduceFMax => Work::Hidden,
        I::VectorReduceFMinimum | I::VectorReduceFMaximum => Work::Hidden,
        _ => Work::Computes,
    }
}
