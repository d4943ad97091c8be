//! Attributes of functions, parameters, results and call sites. Attributes with semantics are typed; the others are
//! kept as spelled.

use crate::int::Int;
use crate::types::Type;
use smallvec::SmallVec;

macro_rules! flag_attrs {
    ($($variant:ident = $text:literal,)*) => {
        /// Attributes that consist of a single word, under LLVM's names.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs, reason = "each variant is named by its spelling, which LangRef documents")]
        pub enum FlagAttr { $($variant,)* }

        impl FlagAttr {
            /// All flags.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// LLVM's spelling.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
            /// The flag spelled `name`.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

flag_attrs! {
    AllocAlign = "allocalign",
    AllocPtr = "allocptr",
    AlwaysInline = "alwaysinline",
    Builtin = "builtin",
    Cold = "cold",
    Convergent = "convergent",
    CoroDestroyOnlyWhenComplete = "coro_only_destroy_when_complete",
    CoroElideSafe = "coro_elide_safe",
    DeadOnUnwind = "dead_on_unwind",
    DisableSanitizerInstrumentation = "disable_sanitizer_instrumentation",
    FnRetThunkExtern = "fn_ret_thunk_extern",
    Hot = "hot",
    HybridPatchable = "hybrid_patchable",
    ImmArg = "immarg",
    InReg = "inreg",
    InlineHint = "inlinehint",
    JumpTable = "jumptable",
    MinSize = "minsize",
    MustProgress = "mustprogress",
    Naked = "naked",
    Nest = "nest",
    NoAlias = "noalias",
    NoBuiltin = "nobuiltin",
    NoCallback = "nocallback",
    NoCfCheck = "nocf_check",
    NoCreateUndefOrPoison = "nocreateundeforpoison",
    NoDivergenceSource = "nodivergencesource",
    NoDuplicate = "noduplicate",
    NoExt = "noext",
    NoFree = "nofree",
    NoImplicitFloat = "noimplicitfloat",
    NoInline = "noinline",
    NoMerge = "nomerge",
    NoOutline = "nooutline",
    NoProfile = "noprofile",
    NoRecurse = "norecurse",
    NoRedZone = "noredzone",
    NoReturn = "noreturn",
    NoSanitizeBounds = "nosanitize_bounds",
    NoSanitizeCoverage = "nosanitize_coverage",
    NoSync = "nosync",
    NoUndef = "noundef",
    NoUnwind = "nounwind",
    NonLazyBind = "nonlazybind",
    NonNull = "nonnull",
    NullPointerIsValid = "null_pointer_is_valid",
    OptForFuzzing = "optforfuzzing",
    OptDebug = "optdebug",
    OptSize = "optsize",
    OptNone = "optnone",
    PresplitCoroutine = "presplitcoroutine",
    ReadNone = "readnone",
    ReadOnly = "readonly",
    Returned = "returned",
    ReturnsTwice = "returns_twice",
    SExt = "signext",
    SafeStack = "safestack",
    SanitizeAddress = "sanitize_address",
    SanitizeAllocToken = "sanitize_alloc_token",
    SanitizeHwAddress = "sanitize_hwaddress",
    SanitizeMemTag = "sanitize_memtag",
    SanitizeMemory = "sanitize_memory",
    SanitizeNumericalStability = "sanitize_numerical_stability",
    SanitizeRealtime = "sanitize_realtime",
    SanitizeRealtimeBlocking = "sanitize_realtime_blocking",
    SanitizeThread = "sanitize_thread",
    SanitizeType = "sanitize_type",
    ShadowCallStack = "shadowcallstack",
    SkipProfile = "skipprofile",
    Speculatable = "speculatable",
    SpeculativeLoadHardening = "speculative_load_hardening",
    Ssp = "ssp",
    SspReq = "sspreq",
    SspStrong = "sspstrong",
    StrictFp = "strictfp",
    SwiftAsync = "swiftasync",
    SwiftError = "swifterror",
    SwiftSelf = "swiftself",
    UwTable = "uwtable",
    WillReturn = "willreturn",
    Writable = "writable",
    WriteOnly = "writeonly",
    ZExt = "zeroext",
}

/// Attributes with a number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntAttr {
    /// `align`, in bytes.
    Align,
    /// `alignstack`, in bytes.
    AlignStack,
    /// `dereferenceable`, in bytes.
    Dereferenceable,
    /// `dereferenceable_or_null`, in bytes.
    DereferenceableOrNull,
}

impl IntAttr {
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::Align => "align",
            Self::AlignStack => "alignstack",
            Self::Dereferenceable => "dereferenceable",
            Self::DereferenceableOrNull => "dereferenceable_or_null",
        }
    }
}

/// Attributes with a type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TypeAttr {
    /// `byval`: the callee receives a copy.
    ByVal,
    /// `sret`.
    SRet,
    /// `byref`.
    ByRef,
    /// `elementtype`.
    ElementType,
    /// `inalloca`.
    InAlloca,
    /// `preallocated`.
    Preallocated,
}

impl TypeAttr {
    /// All attributes with a type.
    pub const ALL: [Self; 6] =
        [Self::ByVal, Self::SRet, Self::ByRef, Self::ElementType, Self::InAlloca, Self::Preallocated];
    /// LLVM's spelling.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByVal => "byval",
            Self::SRet => "sret",
            Self::ByRef => "byref",
            Self::ElementType => "elementtype",
            Self::InAlloca => "inalloca",
            Self::Preallocated => "preallocated",
        }
    }
}

/// The permitted accesses to a kind of memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModRef {
    /// Reads are permitted.
    pub reads: bool,
    /// Writes are permitted.
    pub writes: bool,
}

impl ModRef {
    /// Neither reads nor writes.
    pub const NONE: Self = Self { reads: false, writes: false };
    /// Reads only.
    pub const READ: Self = Self { reads: true, writes: false };
    /// Writes only.
    pub const WRITE: Self = Self { reads: false, writes: true };
    /// Reads and writes.
    pub const READ_WRITE: Self = Self { reads: true, writes: true };
}

/// The `memory(…)` attribute: the accesses that a function may make to each kind of memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemoryEffects {
    /// Memory accessed through pointer arguments.
    pub argmem: ModRef,
    /// Memory that is inaccessible to the module.
    pub inaccessiblemem: ModRef,
    /// `errno`.
    pub errnomem: ModRef,
    /// Target-specific state (`target_mem0`, `target_mem1`).
    pub target_mem: [ModRef; 2],
    /// All other memory.
    pub other: ModRef,
}

impl MemoryEffects {
    /// The same effect on all kinds of memory.
    pub const fn all(effect: ModRef) -> Self {
        Self {
            argmem: effect,
            inaccessiblemem: effect,
            errnomem: effect,
            target_mem: [effect; 2],
            other: effect,
        }
    }
    /// The union of the effects on all kinds of memory.
    pub fn any(self) -> ModRef {
        let all = [
            self.argmem,
            self.inaccessiblemem,
            self.errnomem,
            self.target_mem[0],
            self.target_mem[1],
            self.other,
        ];
        ModRef { reads: all.iter().any(|m| m.reads), writes: all.iter().any(|m| m.writes) }
    }
    /// The effects on memory that loads and stores can access: argument memory, `errno` and other memory.
    pub fn accessible(self) -> ModRef {
        let all = [self.argmem, self.errnomem, self.other];
        ModRef { reads: all.iter().any(|m| m.reads), writes: all.iter().any(|m| m.writes) }
    }
    /// The effects that both permit.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let both = |a: ModRef, b: ModRef| ModRef { reads: a.reads && b.reads, writes: a.writes && b.writes };
        Self {
            argmem: both(self.argmem, other.argmem),
            inaccessiblemem: both(self.inaccessiblemem, other.inaccessiblemem),
            errnomem: both(self.errnomem, other.errnomem),
            target_mem: [
                both(self.target_mem[0], other.target_mem[0]),
                both(self.target_mem[1], other.target_mem[1]),
            ],
            other: both(self.other, other.other),
        }
    }
}

/// One attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// A single word.
    Flag(FlagAttr),
    /// An attribute with a number.
    Int(IntAttr, u64),
    /// An attribute with a type; `None` for the old spelling without one.
    Type(TypeAttr, Option<Type>),
    /// `range(ty lo, hi)`: the half-open, possibly wrapping range `[lo, hi)`.
    Range(Int, Int),
    /// `memory(…)`, also spelled with the old `readnone`, `readonly`, `argmemonly` and the like on functions.
    Memory(MemoryEffects),
    /// `captures(none)`, formerly `nocapture`.
    NoCapture,
    /// `"key"` or `"key"="value"`, in canonical spelling without the quotes.
    String(Box<str>, Option<Box<str>>),
    /// An attribute that is kept as spelled, such as `allocsize(0)`.
    Text(Box<str>),
}

impl Attr {
    /// The floating-point classes that `nofpclass(…)` excludes, encoded as in the mask of `llvm.is.fpclass`; 0 for
    /// other attributes.
    pub fn excluded_classes(&self) -> u128 {
        if let Self::Text(text) = self { excluded_classes(text) } else { 0 }
    }
    /// The number of bytes from the pointer onwards that `dead_on_return` covers: `Some(None)` for the whole object,
    /// `None` for other attributes.
    pub fn dead_on_return(&self) -> Option<Option<u64>> {
        let Self::Text(text) = self else { return None };
        let rest = text.strip_prefix("dead_on_return")?;
        let bytes = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        Some(bytes.and_then(|bytes| bytes.parse().ok()))
    }
    /// Whether the callee receives memory other than the argument's, or leaves contents there that differ from those it
    /// wrote.
    pub fn replaces_memory(&self) -> bool {
        match self {
            Self::Type(TypeAttr::ByVal | TypeAttr::InAlloca | TypeAttr::Preallocated, _) => true,
            Self::Type(TypeAttr::SRet | TypeAttr::ByRef | TypeAttr::ElementType, _)
            | Self::Flag(_)
            | Self::Int(..)
            | Self::Range(..)
            | Self::Memory(_)
            | Self::NoCapture
            | Self::String(..) => false,
            Self::Text(_) => self.dead_on_return().is_some(),
        }
    }
}

/// The classes that `nofpclass(…)` excludes; see [`Attr::excluded_classes`].
fn excluded_classes(text: &str) -> u128 {
    let inside = text.strip_prefix("nofpclass(").and_then(|t| t.strip_suffix(')'));
    let class = |word: &str| match word {
        "all" => 1023,
        "snan" => 1,
        "qnan" => 2,
        "nan" => 3,
        "ninf" => 4,
        "nnorm" => 8,
        "nsub" => 16,
        "nzero" => 32,
        "pzero" => 64,
        "psub" => 128,
        "pnorm" => 256,
        "pinf" => 512,
        "inf" => 4 | 512,
        "norm" => 8 | 256,
        "sub" => 16 | 128,
        "zero" => 32 | 64,
        number => number.parse::<u128>().unwrap_or(0) & 1023,
    };
    inside.map_or(0, |words| words.split_whitespace().fold(0, |all, word| all | class(word)))
}

/// A list of attributes at one position: those spelled there, and numbered groups (`#0`) of the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AttrList {
    /// Attributes spelled at this position, in order.
    pub own: Vec<Attr>,
    /// Numbers of attribute groups, in order.
    pub groups: SmallVec<[u32; 2]>,
}

impl AttrList {
    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.groups.is_empty()
    }
    /// Whether the flag is spelled at this position; [`crate::module::Env::attrs`] resolves groups.
    pub fn has_own(&self, flag: FlagAttr) -> bool {
        self.own.contains(&Attr::Flag(flag))
    }
}
