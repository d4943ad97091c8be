//! The small enumerations of the instruction set, with LLVM's spellings.

use crate::int::Int;
use crate::types::Type;

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All variants.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// LLVM's spelling.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
            /// The variant spelled `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

spelled! {
    /// Integer arithmetic and bitwise operations.
    BinaryOp {
        /// Addition.
        Add = "add",
        /// Subtraction.
        Sub = "sub",
        /// Multiplication.
        Mul = "mul",
        /// Unsigned division.
        UDiv = "udiv",
        /// Signed division.
        SDiv = "sdiv",
        /// Unsigned remainder.
        URem = "urem",
        /// Signed remainder.
        SRem = "srem",
        /// Left shift.
        Shl = "shl",
        /// Logical right shift.
        LShr = "lshr",
        /// Arithmetic right shift.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
    }
}

impl BinaryOp {
    /// Whether the operation allows (`nuw` and `nsw`, `exact`, `disjoint`).
    pub fn allowed_flags(self) -> (bool, bool, bool) {
        match self {
            Self::Add | Self::Sub | Self::Mul | Self::Shl => (true, false, false),
            Self::UDiv | Self::SDiv | Self::LShr | Self::AShr => (false, true, false),
            Self::Or => (false, false, true),
            Self::URem | Self::SRem | Self::And | Self::Xor => (false, false, false),
        }
    }
    /// Whether the operation is a division or remainder: a divisor that is zero or poison is immediate UB.
    pub fn is_division(self) -> bool {
        matches!(self, Self::UDiv | Self::SDiv | Self::URem | Self::SRem)
    }
    /// Whether the operation is commutative.
    pub fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::And | Self::Or | Self::Xor)
    }
}

spelled! {
    /// Floating-point arithmetic.
    FloatBinaryOp {
        /// Addition.
        FAdd = "fadd",
        /// Subtraction.
        FSub = "fsub",
        /// Multiplication.
        FMul = "fmul",
        /// Division.
        FDiv = "fdiv",
        /// Remainder, as C's `fmod`.
        FRem = "frem",
    }
}

spelled! {
    /// Casts.
    CastOp {
        /// Integer truncation.
        Trunc = "trunc",
        /// Zero extension.
        ZExt = "zext",
        /// Sign extension.
        SExt = "sext",
        /// Floating-point truncation.
        FpTrunc = "fptrunc",
        /// Floating-point extension.
        FpExt = "fpext",
        /// Floating point to unsigned integer.
        FpToUi = "fptoui",
        /// Floating point to signed integer.
        FpToSi = "fptosi",
        /// Unsigned integer to floating point.
        UiToFp = "uitofp",
        /// Signed integer to floating point.
        SiToFp = "sitofp",
        /// Pointer to integer, exposing the provenance.
        PtrToInt = "ptrtoint",
        /// Address of a pointer, not exposing the provenance.
        PtrToAddr = "ptrtoaddr",
        /// Integer to pointer.
        IntToPtr = "inttoptr",
        /// Reinterpretation of the bits.
        BitCast = "bitcast",
        /// Change of address space.
        AddrSpaceCast = "addrspacecast",
    }
}

spelled! {
    /// Predicates of `icmp`.
    IntPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Unsigned greater than.
        Ugt = "ugt",
        /// Unsigned greater or equal.
        Uge = "uge",
        /// Unsigned less than.
        Ult = "ult",
        /// Unsigned less or equal.
        Ule = "ule",
        /// Signed greater than.
        Sgt = "sgt",
        /// Signed greater or equal.
        Sge = "sge",
        /// Signed less than.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
    }
}

impl IntPredicate {
    /// Whether the predicate holds for `a` and `b`, in that order.
    pub fn holds(self, a: Int, b: Int) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Ugt => a.ugt(b),
            Self::Uge => a.uge(b),
            Self::Ult => a.ult(b),
            Self::Ule => a.ule(b),
            Self::Sgt => a.sgt(b),
            Self::Sge => a.sge(b),
            Self::Slt => a.slt(b),
            Self::Sle => a.sle(b),
        }
    }
    /// The negated predicate.
    pub fn inverse(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
        }
    }
    /// The predicate for swapped operands.
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq => Self::Eq,
            Self::Ne => Self::Ne,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
        }
    }
    /// The signed counterpart of an unsigned predicate; other predicates are returned unchanged.
    #[must_use]
    pub fn signed(self) -> Self {
        match self {
            Self::Ult => Self::Slt,
            Self::Ule => Self::Sle,
            Self::Ugt => Self::Sgt,
            Self::Uge => Self::Sge,
            Self::Eq | Self::Ne | Self::Slt | Self::Sle | Self::Sgt | Self::Sge => self,
        }
    }
    /// The unsigned counterpart of a signed predicate; other predicates are returned unchanged.
    #[must_use]
    pub fn unsigned(self) -> Self {
        match self {
            Self::Slt => Self::Ult,
            Self::Sle => Self::Ule,
            Self::Sgt => Self::Ugt,
            Self::Sge => Self::Uge,
            Self::Eq | Self::Ne | Self::Ult | Self::Ule | Self::Ugt | Self::Uge => self,
        }
    }
    /// Whether the comparison reads its operands as signed.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Sgt | Self::Sge | Self::Slt | Self::Sle)
    }
}

spelled! {
    /// Predicates of `fcmp`.
    FloatPredicate {
        /// Never.
        False = "false",
        /// Ordered and equal.
        Oeq = "oeq",
        /// Ordered and greater.
        Ogt = "ogt",
        /// Ordered and greater or equal.
        Oge = "oge",
        /// Ordered and less.
        Olt = "olt",
        /// Ordered and less or equal.
        Ole = "ole",
        /// Ordered and not equal.
        One = "one",
        /// Ordered.
        Ord = "ord",
        /// Unordered or equal.
        Ueq = "ueq",
        /// Unordered or greater.
        Ugt = "ugt",
        /// Unordered or greater or equal.
        Uge = "uge",
        /// Unordered or less.
        Ult = "ult",
        /// Unordered or less or equal.
        Ule = "ule",
        /// Unordered or not equal.
        Une = "une",
        /// Unordered.
        Uno = "uno",
        /// Always.
        True = "true",
    }
}

spelled! {
    /// Orderings of atomic accesses.
    AtomicOrdering {
        /// `unordered`.
        Unordered = "unordered",
        /// `monotonic`.
        Monotonic = "monotonic",
        /// `acquire`.
        Acquire = "acquire",
        /// `release`.
        Release = "release",
        /// `acq_rel`.
        AcqRel = "acq_rel",
        /// `seq_cst`.
        SeqCst = "seq_cst",
    }
}

spelled! {
    /// Operations of `atomicrmw`.
    RmwOp {
        /// Exchange.
        Xchg = "xchg",
        /// Addition.
        Add = "add",
        /// Subtraction.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Bitwise nand.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// Signed maximum.
        Max = "max",
        /// Signed minimum.
        Min = "min",
        /// Unsigned maximum.
        UMax = "umax",
        /// Unsigned minimum.
        UMin = "umin",
        /// Floating-point addition.
        FAdd = "fadd",
        /// Floating-point subtraction.
        FSub = "fsub",
        /// Floating-point maximum.
        FMax = "fmax",
        /// Floating-point minimum.
        FMin = "fmin",
        /// Floating-point maximum, IEEE 754-2019.
        FMaximum = "fmaximum",
        /// Floating-point minimum, IEEE 754-2019.
        FMinimum = "fminimum",
        /// Increment with wrap.
        UIncWrap = "uinc_wrap",
        /// Decrement with wrap.
        UDecWrap = "udec_wrap",
        /// Conditional subtraction.
        USubCond = "usub_cond",
        /// Saturating subtraction.
        USubSat = "usub_sat",
    }
}

impl RmwOp {
    /// Checks that the operation supports values of type `ty` (LangRef, "atomicrmw"). `scalar` is the element type of
    /// `ty` if that is a vector, else `ty`. The error describes the supported types.
    pub fn check_type(self, ty: Type, scalar: Type) -> Result<(), &'static str> {
        let (fits, takes) = match self {
            Self::Xchg => {
                (ty.is_int() || ty.is_float() || ty.is_ptr(), "an integer, floating point or a pointer")
            }
            Self::FAdd | Self::FSub | Self::FMax | Self::FMin | Self::FMaximum | Self::FMinimum => {
                (scalar.is_float(), "floating point or a vector of it")
            }
            Self::Add
            | Self::Sub
            | Self::And
            | Self::Nand
            | Self::Or
            | Self::Xor
            | Self::Max
            | Self::Min
            | Self::UMax
            | Self::UMin
            | Self::UIncWrap
            | Self::UDecWrap
            | Self::USubCond
            | Self::USubSat => (ty.is_int(), "an integer"),
        };
        if fits { Ok(()) } else { Err(takes) }
    }
}

spelled! {
    /// Markers of tail calls.
    TailKind {
        /// No marker.
        None = "",
        /// `tail`.
        Tail = "tail",
        /// `musttail`.
        MustTail = "musttail",
        /// `notail`.
        NoTail = "notail",
    }
}

/// Fast-math flags.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct FastMath(u8);

impl FastMath {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// `nnan`: the result is poison if an operand or the result is a NaN.
    pub const NNAN: Self = Self(1);
    /// `ninf`: the result is poison if an operand or the result is an infinity.
    pub const NINF: Self = Self(2);
    /// `nsz`.
    pub const NSZ: Self = Self(4);
    /// `arcp`.
    pub const ARCP: Self = Self(8);
    /// `contract`.
    pub const CONTRACT: Self = Self(16);
    /// `afn`.
    pub const AFN: Self = Self(32);
    /// `reassoc`.
    pub const REASSOC: Self = Self(64);
    /// `fast`: all flags.
    pub const FAST: Self = Self(127);
    const NAMES: [(&'static str, Self); 7] = [
        ("reassoc", Self::REASSOC),
        ("nnan", Self::NNAN),
        ("ninf", Self::NINF),
        ("nsz", Self::NSZ),
        ("arcp", Self::ARCP),
        ("contract", Self::CONTRACT),
        ("afn", Self::AFN),
    ];

    /// The flag spelled `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "fast" {
            return Some(Self::FAST);
        }
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
    }
    /// Whether all flags of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// The flags of `self` that are not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// The union.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// The intersection.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    /// Whether no flag is set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The spellings of the flags that are set, in LLVM's order; only `fast` if all are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = self == Self::FAST;
        all.then_some("fast")
            .into_iter()
            .chain(Self::NAMES.iter().filter(move |(_, f)| !all && self.contains(*f)).map(|(n, _)| *n))
    }
}

impl std::fmt::Debug for FastMath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
