//! The classes of intrinsics: how the interpreter executes each.

use backedge_ir::intrinsic::Intrinsic;

/// How an intrinsic is executed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// It has no effect.
    Nothing,
    /// Lane by lane, by its result type.
    Lanes,
    /// By a separate operation.
    Special,
    /// Not modelled.
    Unknown,
}

#[expect(clippy::too_many_lines, reason = "a list of all intrinsics, one line each")]
pub(super) fn classify(which: Intrinsic) -> Class {
    use Intrinsic as I;
    match which {
        I::DoNothing
        | I::PseudoProbe
        | I::NoAliasScopeDecl
        | I::VarAnnotation
        | I::InvariantEnd
        | I::Prefetch
        | I::DbgDeclare
        | I::DbgValue
        | I::DbgAssign
        | I::DbgLabel => Class::Nothing,
        I::Abs
        | I::UMin
        | I::UMax
        | I::SMin
        | I::SMax
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
        | I::FAbs
        | I::CopySign
        | I::Sqrt
        | I::Floor
        | I::Ceil
        | I::FTrunc
        | I::Rint
        | I::NearbyInt
        | I::Round
        | I::RoundEven
        | I::FMa
        | I::FMulAdd
        | I::MinNum
        | I::MaxNum
        | I::Minimum
        | I::Maximum
        | I::MinimumNum
        | I::MaximumNum
        | I::Pow
        | I::Exp
        | I::Exp2
        | I::Exp10
        | I::Log
        | I::Log2
        | I::Log10
        | I::Sin
        | I::Cos
        | I::Tan
        | I::ASin
        | I::ACos
        | I::ATan
        | I::ATan2
        | I::SinH
        | I::CosH
        | I::TanH
        | I::Canonicalize => Class::Lanes,
        I::SMulFix
        | I::UMulFix
        | I::SMulFixSat
        | I::UMulFixSat
        | I::SDivFix
        | I::UDivFix
        | I::SDivFixSat
        | I::UDivFixSat
        | I::LoadRelative
        | I::UCmp
        | I::SCmp
        | I::FpToUiSat
        | I::FpToSiSat
        | I::UAddWithOverflow
        | I::SAddWithOverflow
        | I::USubWithOverflow
        | I::SSubWithOverflow
        | I::UMulWithOverflow
        | I::SMulWithOverflow
        | I::Expect
        | I::ExpectWithProbability
        | I::Annotation
        | I::PtrAnnotation
        | I::SsaCopy
        | I::SideEffect
        | I::LaunderInvariantGroup
        | I::StripInvariantGroup
        | I::ThreadlocalAddress
        | I::Assume
        | I::Trap
        | I::DebugTrap
        | I::UbsanTrap
        | I::InvariantStart
        | I::LifetimeStart
        | I::LifetimeEnd
        | I::Memcpy
        | I::MemcpyInline
        | I::Memmove
        | I::Memset
        | I::MemsetInline
        | I::ObjectSize
        | I::IsConstant
        | I::AllowRuntimeCheck
        | I::AllowUbsanCheck
        | I::PtrMask
        | I::StackSave
        | I::StackRestore
        | I::ExperimentalGuard
        | I::ExperimentalDeoptimize
        | I::ExperimentalWidenableCondition
        | I::VectorReduceAdd
        | I::VectorReduceMul
        | I::VectorReduceAnd
        | I::VectorReduceOr
        | I::VectorReduceXor
        | I::VectorReduceUMin
        | I::VectorReduceUMax
        | I::VectorReduceSMin
        | I::VectorReduceSMax
        | I::VectorReduceFAdd
        | I::VectorReduceFMul
        | I::VectorReduceFMin
        | I::VectorReduceFMax
        | I::VectorReduceFMinimum
        | I::VectorReduceFMaximum
        | I::VectorReverse
        | I::VectorInsert
        | I::VectorExtract
        | I::VectorSplice
        | I::VectorSpliceLeft
        | I::VectorSpliceRight
        | I::StepVector
        | I::ActiveLaneMask
        | I::CttzElts
        | I::VScale
        | I::MemcpyElementAtomic
        | I::MemmoveElementAtomic
        | I::MemsetElementAtomic
        | I::MaskedLoad
        | I::MaskedStore
        | I::MaskedGather
        | I::MaskedScatter
        | I::MaskedExpandLoad
        | I::MaskedCompressStore
        | I::PowI
        | I::LdExp
        | I::FrExp
        | I::ModF
        | I::SinCos
        | I::LRint
        | I::LLRint
        | I::LRound
        | I::LLRound
        | I::ArithmeticFence
        | I::IsFpClass => Class::Special,
        I::PublicTypeTest | I::TypeTest | I::ReadCycleCounter | I::ReadVolatileRegister => Class::Unknown,
    }
}

/// Whether the interpreter executes an intrinsic.
pub(crate) fn executes(which: Intrinsic) -> bool {
    classify(which) != Class::Unknown
}
