//! The intrinsics with modelled semantics, recognized by function name without type suffixes.

use crate::opcode::BinaryOp;

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// An intrinsic function, under LLVM's name.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
        pub enum Intrinsic { $($variant,)* }

        impl Intrinsic {
            /// All intrinsics.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// The name without `llvm.` and without type suffixes.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
            fn from_base(base: &str) -> Option<Self> {
                match base { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

intrinsics! {
    Abs = "abs",
    UMin = "umin",
    UMax = "umax",
    SMin = "smin",
    SMax = "smax",
    UCmp = "ucmp",
    SCmp = "scmp",
    UAddWithOverflow = "uadd.with.overflow",
    SAddWithOverflow = "sadd.with.overflow",
    USubWithOverflow = "usub.with.overflow",
    SSubWithOverflow = "ssub.with.overflow",
    UMulWithOverflow = "umul.with.overflow",
    SMulWithOverflow = "smul.with.overflow",
    UAddSat = "uadd.sat",
    SAddSat = "sadd.sat",
    USubSat = "usub.sat",
    SSubSat = "ssub.sat",
    UShlSat = "ushl.sat",
    SShlSat = "sshl.sat",
    SMulFix = "smul.fix",
    UMulFix = "umul.fix",
    SMulFixSat = "smul.fix.sat",
    UMulFixSat = "umul.fix.sat",
    SDivFix = "sdiv.fix",
    UDivFix = "udiv.fix",
    SDivFixSat = "sdiv.fix.sat",
    UDivFixSat = "udiv.fix.sat",
    Ctpop = "ctpop",
    Ctlz = "ctlz",
    Cttz = "cttz",
    BSwap = "bswap",
    BitReverse = "bitreverse",
    FShl = "fshl",
    FShr = "fshr",
    Expect = "expect",
    ExpectWithProbability = "expect.with.probability",
    Assume = "assume",
    Trap = "trap",
    DebugTrap = "debugtrap",
    UbsanTrap = "ubsantrap",
    SideEffect = "sideeffect",
    DoNothing = "donothing",
    PseudoProbe = "pseudoprobe",
    NoAliasScopeDecl = "experimental.noalias.scope.decl",
    Annotation = "annotation",
    PtrAnnotation = "ptr.annotation",
    VarAnnotation = "var.annotation",
    SsaCopy = "ssa.copy",
    LaunderInvariantGroup = "launder.invariant.group",
    StripInvariantGroup = "strip.invariant.group",
    InvariantStart = "invariant.start",
    InvariantEnd = "invariant.end",
    LifetimeStart = "lifetime.start",
    LifetimeEnd = "lifetime.end",
    Memcpy = "memcpy",
    MemcpyInline = "memcpy.inline",
    Memmove = "memmove",
    Memset = "memset",
    MemsetInline = "memset.inline",
    MemcpyElementAtomic = "memcpy.element.unordered.atomic",
    MemmoveElementAtomic = "memmove.element.unordered.atomic",
    MemsetElementAtomic = "memset.element.unordered.atomic",
    MaskedLoad = "masked.load",
    MaskedStore = "masked.store",
    MaskedGather = "masked.gather",
    MaskedScatter = "masked.scatter",
    MaskedExpandLoad = "masked.expandload",
    MaskedCompressStore = "masked.compressstore",
    ObjectSize = "objectsize",
    IsConstant = "is.constant",
    PtrMask = "ptrmask",
    ThreadlocalAddress = "threadlocal.address",
    StackSave = "stacksave",
    StackRestore = "stackrestore",
    ExperimentalGuard = "experimental.guard",
    ExperimentalDeoptimize = "experimental.deoptimize",
    ExperimentalWidenableCondition = "experimental.widenable.condition",
    LoadRelative = "load.relative",
    PublicTypeTest = "public.type.test",
    TypeTest = "type.test",
    ReadCycleCounter = "readcyclecounter",
    Prefetch = "prefetch",
    DbgDeclare = "dbg.declare",
    DbgValue = "dbg.value",
    DbgAssign = "dbg.assign",
    DbgLabel = "dbg.label",
    FAbs = "fabs",
    FMa = "fma",
    FMulAdd = "fmuladd",
    Sqrt = "sqrt",
    Floor = "floor",
    Ceil = "ceil",
    FTrunc = "trunc",
    Rint = "rint",
    NearbyInt = "nearbyint",
    Round = "round",
    RoundEven = "roundeven",
    CopySign = "copysign",
    MinNum = "minnum",
    MaxNum = "maxnum",
    Minimum = "minimum",
    Maximum = "maximum",
    MinimumNum = "minimumnum",
    MaximumNum = "maximumnum",
    Pow = "pow",
    PowI = "powi",
    Exp = "exp",
    Exp2 = "exp2",
    Log = "log",
    Log2 = "log2",
    Log10 = "log10",
    Exp10 = "exp10",
    Sin = "sin",
    Cos = "cos",
    Tan = "tan",
    ASin = "asin",
    ACos = "acos",
    ATan = "atan",
    ATan2 = "atan2",
    SinH = "sinh",
    CosH = "cosh",
    TanH = "tanh",
    SinCos = "sincos",
    LdExp = "ldexp",
    FrExp = "frexp",
    ModF = "modf",
    LRint = "lrint",
    LLRint = "llrint",
    LRound = "lround",
    LLRound = "llround",
    Canonicalize = "canonicalize",
    ArithmeticFence = "arithmetic.fence",
    IsFpClass = "is.fpclass",
    FpToUiSat = "fptoui.sat",
    FpToSiSat = "fptosi.sat",
    VectorReduceAdd = "vector.reduce.add",
    VectorReduceMul = "vector.reduce.mul",
    VectorReduceAnd = "vector.reduce.and",
    VectorReduceOr = "vector.reduce.or",
    VectorReduceXor = "vector.reduce.xor",
    VectorReduceUMin = "vector.reduce.umin",
    VectorReduceUMax = "vector.reduce.umax",
    VectorReduceSMin = "vector.reduce.smin",
    VectorReduceSMax = "vector.reduce.smax",
    VectorReduceFAdd = "vector.reduce.fadd",
    VectorReduceFMul = "vector.reduce.fmul",
    VectorReduceFMin = "vector.reduce.fmin",
    VectorReduceFMax = "vector.reduce.fmax",
    VectorReduceFMinimum = "vector.reduce.fminimum",
    VectorReduceFMaximum = "vector.reduce.fmaximum",
    VectorReverse = "vector.reverse",
    VectorInsert = "vector.insert",
    VectorExtract = "vector.extract",
    VectorSplice = "vector.splice",
    VectorSpliceLeft = "vector.splice.left",
    VectorSpliceRight = "vector.splice.right",
    StepVector = "stepvector",
    ActiveLaneMask = "get.active.lane.mask",
    CttzElts = "experimental.cttz.elts",
    VScale = "vscale",
    ReadVolatileRegister = "read_volatile_register",
    AllowRuntimeCheck = "allow.runtime.check",
    AllowUbsanCheck = "allow.ubsan.check",
}

impl Intrinsic {
    /// The intrinsic with the function name `name` (without `@`). Type suffixes follow the base name after a dot; the
    /// longest matching base name wins.
    pub fn from_function_name(name: &str) -> Option<Self> {
        let mut base = name.strip_prefix("llvm.")?;
        // Reductions before LLVM 12. The first versions of `fadd` and `fmul` treated their start value differently.
        if let Some(reduction) = base.strip_prefix("experimental.vector.reduce.") {
            let operation = match reduction.strip_prefix("v2.") {
                Some(second) => second,
                None if reduction.starts_with("fadd") || reduction.starts_with("fmul") => return None,
                None => reduction,
            };
            return Self::from_function_name(&format!("llvm.vector.reduce.{operation}"));
        }
        loop {
            if let Some(found) = Self::from_base(base) {
                return Some(found);
            }
            base = &base[..base.rfind('.')?];
        }
    }
    /// The arithmetic operation of a `*.with.overflow` intrinsic, and whether it checks for signed overflow.
    pub fn arithmetic_with_overflow(self) -> Option<(BinaryOp, bool)> {
        const ALL: [(Intrinsic, BinaryOp, bool); 6] = [
            (Intrinsic::UAddWithOverflow, BinaryOp::Add, false),
            (Intrinsic::SAddWithOverflow, BinaryOp::Add, true),
            (Intrinsic::USubWithOverflow, BinaryOp::Sub, false),
            (Intrinsic::SSubWithOverflow, BinaryOp::Sub, true),
            (Intrinsic::UMulWithOverflow, BinaryOp::Mul, false),
            (Intrinsic::SMulWithOverflow, BinaryOp::Mul, true),
        ];
        ALL.into_iter().find(|(with, ..)| *with == self).map(|(_, op, signed)| (op, signed))
    }
    /// Whether this is a debug intrinsic: no result, and no effect on execution.
    pub fn is_debug(self) -> bool {
        matches!(self, Self::DbgDeclare | Self::DbgValue | Self::DbgAssign | Self::DbgLabel)
    }
}
