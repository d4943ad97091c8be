//! The constrained floating-point intrinsics (LangRef, "Constrained Floating-Point Intrinsics"), which specify a
//! rounding mode and exception behavior.
//!
//! With `round.tonearest` and `fpexcept.ignore` they are equivalent to the plain operations and are executed as such.
//! Other modes are not modelled: a run that reaches such a call ends and reports the mode.

use super::builder::Builder;
use super::op::{LaneOp, Op, ScalarOp};
use super::reg::Reg;
use crate::outcome::Feature;
use backedge_ir::constant::{ConstData, MetadataConst};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{CastFlags, CastOp, FloatBinaryOp, FloatPredicate, InstData, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::metadata::MdBody;

/// Common prefix of their names.
pub(super) const PREFIX: &str = "llvm.experimental.constrained.";

/// The equivalent plain operation.
enum Plain {
    Binary(FloatBinaryOp),
    Cast(CastOp),
    /// The predicate is an operand.
    Compare,
    Intrinsic(Intrinsic),
}

fn plain(name: &str) -> Option<Plain> {
    let base = name.strip_prefix(PREFIX)?;
    // Type suffixes follow: the result's, and the operand's if it differs.
    Some(match base.split('.').next()? {
        "fadd" => Plain::Binary(FloatBinaryOp::FAdd),
        "fsub" => Plain::Binary(FloatBinaryOp::FSub),
        "fmul" => Plain::Binary(FloatBinaryOp::FMul),
        "fdiv" => Plain::Binary(FloatBinaryOp::FDiv),
        "frem" => Plain::Binary(FloatBinaryOp::FRem),
        "fptoui" => Plain::Cast(CastOp::FpToUi),
        "fptosi" => Plain::Cast(CastOp::FpToSi),
        "uitofp" => Plain::Cast(CastOp::UiToFp),
        "sitofp" => Plain::Cast(CastOp::SiToFp),
        "fptrunc" => Plain::Cast(CastOp::FpTrunc),
        "fpext" => Plain::Cast(CastOp::FpExt),
        "fcmp" | "fcmps" => Plain::Compare,
        "fma" => Plain::Intrinsic(Intrinsic::FMa),
        "fmuladd" => Plain::Intrinsic(Intrinsic::FMulAdd),
        "sqrt" => Plain::Intrinsic(Intrinsic::Sqrt),
        "ceil" => Plain::Intrinsic(Intrinsic::Ceil),
        "floor" => Plain::Intrinsic(Intrinsic::Floor),
        "trunc" => Plain::Intrinsic(Intrinsic::FTrunc),
        "round" => Plain::Intrinsic(Intrinsic::Round),
        "roundeven" => Plain::Intrinsic(Intrinsic::RoundEven),
        "rint" => Plain::Intrinsic(Intrinsic::Rint),
        "nearbyint" => Plain::Intrinsic(Intrinsic::NearbyInt),
        "minnum" => Plain::Intrinsic(Intrinsic::MinNum),
        "maxnum" => Plain::Intrinsic(Intrinsic::MaxNum),
        "minimum" => Plain::Intrinsic(Intrinsic::Minimum),
        "maximum" => Plain::Intrinsic(Intrinsic::Maximum),
        "pow" => Plain::Intrinsic(Intrinsic::Pow),
        "exp" => Plain::Intrinsic(Intrinsic::Exp),
        "exp2" => Plain::Intrinsic(Intrinsic::Exp2),
        "log" => Plain::Intrinsic(Intrinsic::Log),
        "log2" => Plain::Intrinsic(Intrinsic::Log2),
        "log10" => Plain::Intrinsic(Intrinsic::Log10),
        "sin" => Plain::Intrinsic(Intrinsic::Sin),
        "cos" => Plain::Intrinsic(Intrinsic::Cos),
        "tan" => Plain::Intrinsic(Intrinsic::Tan),
        "asin" => Plain::Intrinsic(Intrinsic::ASin),
        "acos" => Plain::Intrinsic(Intrinsic::ACos),
        "atan" => Plain::Intrinsic(Intrinsic::ATan),
        "atan2" => Plain::Intrinsic(Intrinsic::ATan2),
        "sinh" => Plain::Intrinsic(Intrinsic::SinH),
        "cosh" => Plain::Intrinsic(Intrinsic::CosH),
        "tanh" => Plain::Intrinsic(Intrinsic::TanH),
        _ => return None,
    })
}

impl Builder<'_> {
    /// Emits a call of the intrinsic `name` as the plain operation.
    pub(super) fn emit_constrained(
        &mut self,
        inst: Inst,
        data: &InstData,
        name: &str,
        regs: &[Option<Reg>],
    ) -> Result<(), Feature> {
        let unknown = || Feature::Intrinsic(name.to_owned());
        let (plain, view) = plain(name).zip(data.call()).ok_or_else(unknown)?;
        let is_metadata = |v: &Value| self.body.ty(*v) == backedge_ir::types::Type::METADATA;
        let count = view.args().iter().position(is_metadata).unwrap_or(view.args().len());
        let (operands, modes) = view.args().split_at(count);
        let mut predicate = None;
        for mode in modes {
            let word = self.metadata_string(*mode).ok_or_else(unknown)?;
            predicate = predicate.or(FloatPredicate::from_name(&word));
            let ignored = matches!(&*word, "round.tonearest" | "fpexcept.ignore");
            if !ignored && FloatPredicate::from_name(&word).is_none() {
                return Err(Feature::Intrinsic(format!("{name} with {word}")));
            }
        }
        let from = self.scalar_shape(self.body.ty(*operands.first().ok_or_else(unknown)?))?;
        let to = self.scalar_shape(data.ty)?;
        let fast = data.evaluated(view.info.fast);
        let op = match plain {
            Plain::Binary(op) => ScalarOp::Float(op, fast, to),
            Plain::Cast(op) => {
                ScalarOp::Cast { op, flags: CastFlags { fast, ..CastFlags::default() }, from, to }
            }
            Plain::Compare => ScalarOp::FCmp(predicate.ok_or_else(unknown)?, fast, from),
            Plain::Intrinsic(which) => ScalarOp::Intrinsic { which, shape: to, fast },
        };
        let (dst, lanes) = (self.dst(inst), self.lanes(data.ty));
        let args = regs.iter().take(count).copied().flatten().collect();
        self.push(inst, Op::Lanes(Box::new(LaneOp { dst, args, op, lanes })));
        Ok(())
    }
    /// The string of a metadata operand.
    fn metadata_string(&self, value: Value) -> Option<String> {
        let ConstData::Metadata(MetadataConst::Node(node)) = &self.body.constant(value.as_const()?).data
        else {
            return None;
        };
        match &self.program.module.env.metadata.get(*node).body {
            Some(MdBody::String(text)) => Some(text.to_string()),
            _ => None,
        }
    }
}
