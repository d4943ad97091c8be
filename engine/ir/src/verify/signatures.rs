//! The table of intrinsic signatures and their immediate arguments, as the semantics of each intrinsic requires them.
//! Source: LangRef, "Intrinsic Functions", with the older forms that LLVM 22 still accepts.

use crate::intrinsic::Intrinsic;
use crate::types::{FloatKind, Type};

/// A type in a signature. The first `Int`, `Float` or `Any` of a signature determines `T`; parameters are matched
/// before the result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum P {
    /// `T`, an integer or a vector of integers.
    Int,
    /// `T`, a floating-point type or a vector of it.
    Float,
    /// `T`, a vector of integers.
    IntVector,
    /// `T`, a pointer or a vector of pointers.
    PtrLike,
    /// `T`, any type.
    Any,
    /// The same type `T` again.
    T,
    /// `{ T, i1 }`, with the `i1` in the shape of `T`.
    Overflow,
    /// The element type of `T`.
    Element,
    /// `i1` in the shape of `T`.
    BoolOfT,
    /// An integer in the shape of `T`.
    IntOfT,
    /// `T`, a vector of `i1`.
    Mask,
    /// Any type in the shape of `T`; it becomes the new `T`.
    InShape,
    /// A pointer in the shape of `T`.
    PtrOfT,
    /// `{ T, T }`.
    PairOfT,
    /// `{ T, U }`, `U` an integer in the shape of `T`.
    WithInt,
    /// A vector of `T`.
    VectorOfT,
    /// A vector with the element type of the vector `T`.
    PartOfT,
    /// A pointer.
    Ptr,
    /// An integer of any width.
    Scalar,
    /// Exactly this type.
    Is(Type),
}

const VOID: P = P::Is(Type::VOID);
const I1: P = P::Is(Type::I1);
const I8: P = P::Is(Type::I8);
const I32: P = P::Is(Type::I32);
const I64: P = P::Is(Type::I64);
const DOUBLE: P = P::Is(Type::float(FloatKind::Double));
const METADATA: P = P::Is(Type::METADATA);

/// A signature: result, parameters, indices of immediate arguments.
pub(super) struct Form {
    pub(super) ret: P,
    pub(super) params: &'static [P],
    pub(super) immediate: &'static [usize],
}

const fn form(ret: P, params: &'static [P]) -> Form {
    Form { ret, params, immediate: &[] }
}
const fn imm(ret: P, params: &'static [P], immediate: &'static [usize]) -> Form {
    Form { ret, params, immediate }
}

/// The forms of an intrinsic, and their spelling in messages. An empty list means unchecked.
pub(super) struct Signature {
    pub(super) text: &'static str,
    pub(super) forms: &'static [Form],
}

const fn signature(text: &'static str, forms: &'static [Form]) -> Signature {
    Signature { text, forms }
}

const INT_UNARY: Signature = signature("it is `T (T)`, T of integers", &[form(P::T, &[P::Int])]);
const INT_BINARY: Signature = signature("it is `T (T, T)`, T of integers", &[form(P::T, &[P::Int, P::T])]);
const INT_TERNARY: Signature =
    signature("it is `T (T, T, T)`, T of integers", &[form(P::T, &[P::Int, P::T, P::T])]);
const INT_SCALED: Signature =
    signature("it is `T (T, T, i32 immarg)`, T of integers", &[imm(P::T, &[P::Int, P::T, I32], &[2])]);
const INT_FLAG: Signature =
    signature("it is `T (T, i1 immarg)`, T of integers", &[imm(P::T, &[P::Int, I1], &[1])]);
const COMPARE: Signature =
    signature("it is `U (T, T)`, T and U of integers, of one shape", &[form(P::IntOfT, &[P::Int, P::T])]);
const OVERFLOW: Signature =
    signature("it is `{ T, i1 } (T, T)`, T of integers", &[form(P::Overflow, &[P::Int, P::T])]);
const FLOAT_UNARY: Signature = signature("it is `T (T)`, T of floating point", &[form(P::T, &[P::Float])]);
const FLOAT_BINARY: Signature =
    signature("it is `T (T, T)`, T of floating point", &[form(P::T, &[P::Float, P::T])]);
const FLOAT_TERNARY: Signature =
    signature("it is `T (T, T, T)`, T of floating point", &[form(P::T, &[P::Float, P::T, P::T])]);
const FLOAT_TO_INT: Signature = signature(
    "it is `U (T)`, T of floating point, U of integers, of one shape",
    &[form(P::IntOfT, &[P::Float])],
);
const REDUCE: Signature = signature("it is `iN (<M x iN>)`", &[form(P::Element, &[P::IntVector])]);
const NOTHING: Signature = signature("it is `void ()`", &[form(VOID, &[])]);
const COPY: Signature = signature(
    "it is `void (ptr, ptr, iN, i1 immarg)`",
    &[
        imm(VOID, &[P::Ptr, P::Ptr, P::Scalar, I1], &[3]),
        imm(VOID, &[P::Ptr, P::Ptr, P::Scalar, I32, I1], &[3, 4]),
    ],
);
const SET: Signature = signature(
    "it is `void (ptr, i8, iN, i1 immarg)`",
    &[imm(VOID, &[P::Ptr, I8, P::Scalar, I1], &[3]), imm(VOID, &[P::Ptr, I8, P::Scalar, I32, I1], &[3, 4])],
);
const LIFETIME: Signature =
    signature("it is `void (ptr)`", &[form(VOID, &[P::Ptr]), imm(VOID, &[I64, P::Ptr], &[0])]);
const POINTER_COPY: Signature = signature("it is `ptr (ptr)`", &[form(P::T, &[P::PtrLike])]);
const UNCHECKED: Signature = signature("", &[]);

const EXPECT_WITH_PROBABILITY: Signature =
    signature("it is `T (T, T, double immarg)`", &[imm(P::T, &[P::Int, P::T, DOUBLE], &[2])]);
const ASSUME: Signature = signature("it is `void (i1)`", &[form(VOID, &[I1])]);
const UBSAN_TRAP: Signature = signature("it is `void (i8 immarg)`", &[imm(VOID, &[I8], &[0])]);
const NO_ALIAS_SCOPE_DECL: Signature = signature("it is `void (metadata)`", &[form(VOID, &[METADATA])]);
const ANNOTATION: Signature =
    signature("it is `T (T, ptr, ptr, i32)`", &[form(P::T, &[P::Int, P::Ptr, P::Ptr, I32])]);
const SSA_COPY: Signature = signature("it is `T (T)`", &[form(P::T, &[P::Any])]);
const INVARIANT_START: Signature =
    signature("it is `ptr (i64 immarg, ptr)`", &[imm(P::Ptr, &[I64, P::Ptr], &[0])]);
const INVARIANT_END: Signature =
    signature("it is `void (ptr, i64 immarg, ptr)`", &[imm(VOID, &[P::Ptr, I64, P::Ptr], &[1])]);
const IS_CONSTANT: Signature = signature("it is `i1 (T)`", &[form(I1, &[P::Any])]);
const STACK_SAVE: Signature = signature("it is `ptr ()`", &[form(P::Ptr, &[])]);
const STACK_RESTORE: Signature = signature("it is `void (ptr)`", &[form(VOID, &[P::Ptr])]);
const EXPERIMENTAL_WIDENABLE_CONDITION: Signature = signature("it is `i1 ()`", &[form(I1, &[])]);
const LOAD_RELATIVE: Signature = signature("it is `ptr (ptr, iN)`", &[form(P::Ptr, &[P::Ptr, P::Scalar])]);
const TYPE_TEST: Signature = signature("it is `i1 (ptr, metadata)`", &[form(I1, &[P::Ptr, METADATA])]);
const READ_CYCLE_COUNTER: Signature = signature("it is `i64 ()`", &[form(I64, &[])]);
const POW_I: Signature =
    signature("it is `T (T, iN)`, T of floating point", &[form(P::T, &[P::Float, P::Scalar])]);
const IS_FP_CLASS: Signature =
    signature("it is `i1 (T, i32 immarg)`", &[imm(P::BoolOfT, &[P::Float, I32], &[1])]);

const PSEUDO_PROBE: Signature = signature(
    "it is `void (i64, i64, i32, i64)`, all immarg",
    &[imm(VOID, &[I64, I64, I32, I64], &[0, 1, 2, 3])],
);
const PTR_ANNOTATION: Signature = signature(
    "it is `ptr (ptr, ptr, ptr, i32, ptr)`",
    &[form(P::T, &[P::PtrLike, P::Ptr, P::Ptr, I32, P::Ptr])],
);
const VAR_ANNOTATION: Signature = signature(
    "it is `void (ptr, ptr, ptr, i32, ptr)`",
    &[form(VOID, &[P::Ptr, P::Ptr, P::Ptr, I32, P::Ptr])],
);
const OBJECT_SIZE: Signature = signature(
    "it is `iN (ptr, i1 immarg, i1 immarg, i1 immarg)`",
    &[
        imm(P::Scalar, &[P::Ptr, I1, I1, I1], &[1, 2, 3]),
        imm(P::Scalar, &[P::Ptr, I1, I1], &[1, 2]),
        imm(P::Scalar, &[P::Ptr, I1], &[1]),
    ],
);
const PTR_MASK: Signature =
    signature("it is `T (T, U)`, U integers in the shape of T", &[form(P::T, &[P::PtrLike, P::IntOfT])]);
const PREFETCH: Signature = signature(
    "it is `void (ptr, i32 immarg, i32 immarg, i32 immarg)`",
    &[imm(VOID, &[P::Ptr, I32, I32, I32], &[1, 2, 3])],
);
const LD_EXP: Signature =
    signature("it is `T (T, U)`, U integers in the shape of T", &[form(P::T, &[P::Float, P::IntOfT])]);

const ELEMENT_COPY: Signature = signature(
    "it is `void (ptr, ptr, iN, i32 immarg)`",
    &[imm(VOID, &[P::Ptr, P::Ptr, P::Scalar, I32], &[3])],
);
const ELEMENT_SET: Signature =
    signature("it is `void (ptr, i8, iN, i32 immarg)`", &[imm(VOID, &[P::Ptr, I8, P::Scalar, I32], &[3])]);
const MASKED_LOAD: Signature = signature(
    "it is `T (ptr, <M x i1>, T)`",
    &[form(P::T, &[P::Ptr, P::Mask, P::InShape]), imm(P::T, &[P::Ptr, I32, P::Mask, P::InShape], &[1])],
);
const MASKED_STORE: Signature = signature(
    "it is `void (T, ptr, <M x i1>)`",
    &[form(VOID, &[P::Any, P::Ptr, P::BoolOfT]), imm(VOID, &[P::Any, P::Ptr, I32, P::BoolOfT], &[2])],
);
const MASKED_GATHER: Signature = signature(
    "it is `T (<M x ptr>, <M x i1>, T)`",
    &[
        form(P::T, &[P::PtrLike, P::BoolOfT, P::InShape]),
        imm(P::T, &[P::PtrLike, I32, P::BoolOfT, P::InShape], &[1]),
    ],
);
const MASKED_SCATTER: Signature = signature(
    "it is `void (T, <M x ptr>, <M x i1>)`",
    &[form(VOID, &[P::Any, P::PtrOfT, P::BoolOfT]), imm(VOID, &[P::Any, P::PtrOfT, I32, P::BoolOfT], &[2])],
);
const EXPAND_LOAD: Signature =
    signature("it is `T (ptr, <M x i1>, T)`", &[form(P::T, &[P::Ptr, P::Mask, P::InShape])]);
const COMPRESS_STORE: Signature =
    signature("it is `void (T, ptr, <M x i1>)`", &[form(VOID, &[P::Any, P::Ptr, P::BoolOfT])]);
const FLOAT_PAIR: Signature =
    signature("it is `{ T, T } (T)`, T of floating point", &[form(P::PairOfT, &[P::Float])]);
const FR_EXP: Signature =
    signature("it is `{ T, U } (T)`, T of floating point, U of integers", &[form(P::WithInt, &[P::Float])]);
const REDUCE_FROM: Signature =
    signature("it is `T (T, <M x T>)`, T of floating point", &[form(P::T, &[P::Float, P::VectorOfT])]);
const REDUCE_FLOAT: Signature =
    signature("it is `T (<M x T>)`, T of floating point", &[form(P::Element, &[P::Float])]);
const SAME: Signature = signature("it is `T (T)`", &[form(P::T, &[P::Any])]);
const SPLICE: Signature =
    signature("it is `T (T, T, i32 immarg)`, T a vector", &[imm(P::T, &[P::Any, P::T, I32], &[2])]);
const SPLICE_BY: Signature =
    signature("it is `T (T, T, i32)`, T a vector", &[form(P::T, &[P::Any, P::T, I32])]);
const CTTZ_ELTS: Signature =
    signature("it is `iN (<M x iK>, i1 immarg)`", &[imm(P::Scalar, &[P::IntVector, I1], &[1])]);
const VECTOR_INSERT: Signature =
    signature("it is `T (T, U, i64 immarg)`, both vectors", &[imm(P::T, &[P::Any, P::PartOfT, I64], &[2])]);
const VECTOR_EXTRACT: Signature =
    signature("it is `U (T, i64 immarg)`, both vectors", &[imm(P::PartOfT, &[P::Any, I64], &[1])]);
const STEP_VECTOR: Signature = signature("it is `<M x iN> ()`", &[form(P::IntVector, &[])]);
const ACTIVE_LANE_MASK: Signature =
    signature("it is `<M x i1> (T, T)`, T an integer", &[form(P::Mask, &[P::Int, P::T])]);
const VSCALE: Signature = signature("it is `iN ()`", &[form(P::Scalar, &[])]);
const READ_REGISTER: Signature = signature("it is `iN (metadata)`", &[form(P::Scalar, &[METADATA])]);
const ALLOW_RUNTIME_CHECK: Signature = signature("it is `i1 (metadata)`", &[form(I1, &[METADATA])]);
const ALLOW_UBSAN_CHECK: Signature = signature("it is `i1 (i8 immarg)`", &[imm(I1, &[I8], &[0])]);

/// The signature of `intrinsic`.
#[expect(clippy::too_many_lines, reason = "one line for each intrinsic")]
pub(super) fn signature_of(intrinsic: Intrinsic) -> Signature {
    use Intrinsic as I;
    match intrinsic {
        I::Abs | I::Ctlz | I::Cttz => INT_FLAG,
        I::UMin | I::UMax | I::SMin | I::SMax => INT_BINARY,
        I::UAddSat | I::SAddSat | I::USubSat | I::SSubSat | I::UShlSat | I::SShlSat => INT_BINARY,
        I::SMulFix | I::UMulFix | I::SMulFixSat | I::UMulFixSat => INT_SCALED,
        I::SDivFix | I::UDivFix | I::SDivFixSat | I::UDivFixSat => INT_SCALED,
        I::UCmp | I::SCmp => COMPARE,
        I::UAddWithOverflow
        | I::SAddWithOverflow
        | I::USubWithOverflow
        | I::SSubWithOverflow
        | I::UMulWithOverflow
        | I::SMulWithOverflow => OVERFLOW,
        I::Ctpop | I::BSwap | I::BitReverse => INT_UNARY,
        I::FShl | I::FShr => INT_TERNARY,
        I::Expect => INT_BINARY,
        I::ExpectWithProbability => EXPECT_WITH_PROBABILITY,
        I::Assume => ASSUME,
        I::Trap | I::DebugTrap | I::SideEffect | I::DoNothing => NOTHING,
        I::UbsanTrap => UBSAN_TRAP,
        I::PseudoProbe => PSEUDO_PROBE,
        I::NoAliasScopeDecl => NO_ALIAS_SCOPE_DECL,
        I::Annotation => ANNOTATION,
        I::PtrAnnotation => PTR_ANNOTATION,
        I::VarAnnotation => VAR_ANNOTATION,
        I::SsaCopy => SSA_COPY,
        I::LaunderInvariantGroup | I::StripInvariantGroup | I::ThreadlocalAddress => POINTER_COPY,
        I::InvariantStart => INVARIANT_START,
        I::InvariantEnd => INVARIANT_END,
        I::LifetimeStart | I::LifetimeEnd => LIFETIME,
        I::Memcpy | I::MemcpyInline | I::Memmove => COPY,
        I::Memset | I::MemsetInline => SET,
        I::MemcpyElementAtomic | I::MemmoveElementAtomic => ELEMENT_COPY,
        I::MemsetElementAtomic => ELEMENT_SET,
        I::MaskedLoad => MASKED_LOAD,
        I::MaskedStore => MASKED_STORE,
        I::MaskedGather => MASKED_GATHER,
        I::MaskedScatter => MASKED_SCATTER,
        I::MaskedExpandLoad => EXPAND_LOAD,
        I::MaskedCompressStore => COMPRESS_STORE,
        I::ObjectSize => OBJECT_SIZE,
        I::IsConstant => IS_CONSTANT,
        I::PtrMask => PTR_MASK,
        I::StackSave => STACK_SAVE,
        I::StackRestore => STACK_RESTORE,
        I::ExperimentalWidenableCondition => EXPERIMENTAL_WIDENABLE_CONDITION,
        I::LoadRelative => LOAD_RELATIVE,
        I::PublicTypeTest | I::TypeTest => TYPE_TEST,
        I::ReadCycleCounter => READ_CYCLE_COUNTER,
        I::Prefetch => PREFETCH,
        I::FAbs | I::Sqrt | I::Floor | I::Ceil | I::FTrunc | I::Rint | I::NearbyInt => FLOAT_UNARY,
        I::Round | I::RoundEven | I::Exp | I::Exp2 | I::Log | I::Log2 | I::Log10 | I::Sin | I::Cos => {
            FLOAT_UNARY
        }
        I::Exp10 | I::Tan | I::ASin | I::ACos | I::ATan | I::SinH | I::CosH | I::TanH => FLOAT_UNARY,
        I::Canonicalize => FLOAT_UNARY,
        I::ATan2 => FLOAT_BINARY,
        I::SinCos | I::ModF => FLOAT_PAIR,
        I::FrExp => FR_EXP,
        I::LRint | I::LLRint | I::LRound | I::LLRound => FLOAT_TO_INT,
        I::ArithmeticFence | I::VectorReverse => SAME,
        I::VectorReduceFAdd | I::VectorReduceFMul => REDUCE_FROM,
        I::VectorReduceFMin | I::VectorReduceFMax => REDUCE_FLOAT,
        I::VectorReduceFMinimum | I::VectorReduceFMaximum => REDUCE_FLOAT,
        I::VectorSplice => SPLICE,
        I::VectorSpliceLeft | I::VectorSpliceRight => SPLICE_BY,
        I::CttzElts => CTTZ_ELTS,
        I::VectorInsert => VECTOR_INSERT,
        I::VectorExtract => VECTOR_EXTRACT,
        I::StepVector => STEP_VECTOR,
        I::ActiveLaneMask => ACTIVE_LANE_MASK,
        I::VScale => VSCALE,
        I::ReadVolatileRegister => READ_REGISTER,
        I::AllowRuntimeCheck => ALLOW_RUNTIME_CHECK,
        I::AllowUbsanCheck => ALLOW_UBSAN_CHECK,
        I::CopySign | I::MinNum | I::MaxNum | I::Minimum | I::Maximum => FLOAT_BINARY,
        I::MinimumNum | I::MaximumNum | I::Pow => FLOAT_BINARY,
        I::FMa | I::FMulAdd => FLOAT_TERNARY,
        I::PowI => POW_I,
        I::LdExp => LD_EXP,
        I::IsFpClass => IS_FP_CLASS,
        I::FpToUiSat | I::FpToSiSat => FLOAT_TO_INT,
        I::VectorReduceAdd
        | I::VectorReduceMul
        | I::VectorReduceAnd
        | I::VectorReduceOr
        | I::VectorReduceXor
        | I::VectorReduceUMin
        | I::VectorReduceUMax
        | I::VectorReduceSMin
        | I::VectorReduceSMax => REDUCE,
        // Variadic or with an arbitrary result; debug intrinsics are kept as text.
        I::ExperimentalGuard | I::ExperimentalDeoptimize => UNCHECKED,
        I::DbgDeclare | I::DbgValue | I::DbgAssign | I::DbgLabel => UNCHECKED,
    }
}
